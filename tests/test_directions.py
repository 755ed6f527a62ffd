"""Two vectors are seen whole in the plane that they span, and no vectors are without one."""

import numpy as np
import pytest
from numpy.typing import NDArray

from scenes.analysis.directions import plane_of

ONE, OTHER, *THIRDS = np.sin(np.arange(60.0).reshape(6, 10) ** 1.5)


def test_lengths_and_the_angle_are_the_true_ones() -> None:
    drawn = np.array([ONE, OTHER]) @ plane_of(ONE, OTHER)
    true = np.array([ONE, OTHER])
    np.testing.assert_allclose(drawn @ drawn.T, true @ true.T)


def test_the_first_points_to_the_right_and_the_second_up() -> None:
    plane = plane_of(ONE, OTHER)
    np.testing.assert_allclose(ONE @ plane, [np.linalg.norm(ONE), 0], atol=1e-12)
    assert (OTHER @ plane)[1] > 0


def test_any_other_keeps_its_part_along_the_two_and_is_not_longer() -> None:
    plane = plane_of(ONE, OTHER)
    both = np.array([ONE, OTHER])
    np.testing.assert_allclose(np.array(THIRDS) @ plane @ (both @ plane).T, THIRDS @ both.T)
    lengths = np.linalg.norm(np.array(THIRDS) @ plane, axis=1)
    assert np.all(lengths <= np.linalg.norm(THIRDS, axis=1))


@pytest.mark.parametrize(
    ("one", "other"),
    [(0 * ONE, 0 * ONE), (0 * ONE, ONE), (ONE, 0 * ONE), (ONE, ONE), (ONE, -2 * ONE)],
    ids=["nothing", "no first", "no second", "one line", "opposite"],
)
def test_what_lies_on_a_point_or_a_line_has_a_plane(
    one: NDArray[np.float64], other: NDArray[np.float64]
) -> None:
    plane = plane_of(one, other)
    np.testing.assert_allclose(plane.T @ plane, np.eye(2), atol=1e-12)
    both = np.array([one, other])
    np.testing.assert_allclose(both @ plane @ (both @ plane).T, both @ both.T, atol=1e-12)
