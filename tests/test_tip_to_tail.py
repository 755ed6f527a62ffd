"""Steps lead from the tip of an arrow to where all of them together end."""

import numpy as np
import pytest

from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.tip_to_tail import TipToTail
from scenes.presence import parts_of, presence
from scenes.region import Region
from scenes.theme import SLOW

TIPS = np.array([(4.0, 1.0), (5.0, 2.0), (5.5, 0.5)])


def view(tips: np.ndarray = TIPS) -> TipToTail:
    names = ["vector", *(f"step {'abcdefghijklmnop'[i]}" for i in range(len(tips) - 1)), "end"]
    return TipToTail(tips, names, SmallPrint("a plane"), Region(-5.0, 4.0, -2.0, 2.5))


def test_each_step_starts_where_the_one_before_ends() -> None:
    plane = view()
    ends = [ray.tip.points[0] for ray in plane.arrows]
    starts = [ray.shaft.get_start() for ray in plane.arrows]
    np.testing.assert_allclose(starts[1:3], ends[:2], atol=1e-6)
    np.testing.assert_allclose(starts[3], starts[0], atol=1e-6)
    np.testing.assert_allclose(ends[3], ends[2], atol=1e-6)


def test_nothing_is_seen_before_it_is_revealed() -> None:
    assert {presence(part) for part in parts_of(view())} == {0.0}


@pytest.mark.parametrize("steps", [1, 4, 16])
def test_many_steps_take_no_longer_than_a_few(steps: int) -> None:
    tips = np.cumsum(np.ones((steps + 1, 2)), axis=0)
    assert view(tips).reveal_steps().run_time <= 2 * SLOW + 1e-6
