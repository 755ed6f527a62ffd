"""A plane keeps as much as a plane can, shows true shadows, and breaks on no set of vectors."""

import numpy as np
import pytest

from scenes.analysis.principal_plane import Floats, PrincipalPlane, principal_plane
from scenes.expressions import agree, evaluate
from scenes.provenance import Tensor, matmul, scaled, stacked

WAVES = np.sin(np.arange(60, dtype=np.float32).reshape(6, 10) ** 1.5)
TENSORS = {"x": WAVES, "W": np.cos(np.arange(40, dtype=np.float32).reshape(10, 4))}
X, W = (Tensor(array, name) for name, array in TENSORS.items())
FLAT = np.outer(np.arange(3.0), np.ones(5))


def worked_out(plane: PrincipalPlane) -> float:
    return evaluate(plane.share.origin, TENSORS)


def test_the_share_is_what_its_source_comes_to() -> None:
    plane = principal_plane(X)
    assert 0 < plane.share.number < 1
    assert agree(plane.share.number, plane.share.origin, worked_out(plane))


def test_vectors_worked_out_from_others_have_a_plane_too() -> None:
    pushes = [scaled(X[0, i].value, matmul(X[i], W)) for i in range(3)]
    plane = principal_plane(stacked(pushes))
    assert plane.axes.shape == (2, 4)
    assert agree(plane.share.number, plane.share.origin, worked_out(plane))


def test_the_share_is_that_of_the_principal_components() -> None:
    squares = np.linalg.eigvalsh(WAVES.T @ WAVES)[::-1]
    share = squares[:2].sum() / squares.sum()
    assert principal_plane(X).share.number == pytest.approx(share, rel=1e-5)


def test_an_arrow_between_two_points_ends_where_the_points_do() -> None:
    plane = principal_plane(X)
    step = Tensor(WAVES[1] - WAVES[0].astype(np.float64), "step")
    ends = plane.projected(X[0]) + plane.projected(step)
    np.testing.assert_allclose(ends, plane.projected(X[1]), atol=1e-6)


def test_no_shadow_is_longer_than_its_arrow() -> None:
    plane = principal_plane(X)
    lengths = np.linalg.norm(plane.projected(X), axis=1)
    assert np.all(lengths <= np.linalg.norm(WAVES, axis=1) + 1e-6)


def test_vectors_that_lie_in_a_plane_are_seen_whole() -> None:
    flat = Tensor(np.array([[3.0, 0, 4, 0], [0, 2, 0, 0], [1, 1, 1, 0]])[:2], "flat")
    plane = principal_plane(flat)
    assert plane.share.number == pytest.approx(1)
    np.testing.assert_allclose(np.linalg.norm(plane.projected(flat), axis=1), [5, 2])


@pytest.mark.parametrize(
    "array",
    [np.zeros((1, 5)), np.zeros((4, 5)), np.ones((1, 5)), np.ones((4, 5)), FLAT],
    ids=["zero", "zeros", "one token", "the same token", "a line"],
)
def test_what_lies_on_a_point_or_a_line_has_a_plane(array: Floats) -> None:
    vectors = Tensor(array, "flat")
    plane = principal_plane(vectors)
    assert plane.share.number == pytest.approx(1)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-12)
    assert np.isfinite(plane.projected(vectors)).all()


def test_the_strongest_axis_points_to_the_farthest_vector() -> None:
    plane = principal_plane(Tensor(np.array([[-7.0, 0, 0], [0, 0, -2]]), "two"))
    np.testing.assert_allclose(
        plane.projected(Tensor(np.array([-7.0, 0, 0]), "one")), [7, 0], atol=1e-12
    )
