"""The heads' parts come together as one matrix, each beside its own z."""

import numpy as np
import pytest

from scenes.mobjects.head_stack import HeadStack
from scenes.stage import Region
from scenes.values import Tensor

REGION = Region(-5.0, 5.0, -3.0, 2.0)


def stack(heads: int) -> HeadStack:
    rng = np.arange(heads * 16 * 96, dtype=np.float32)
    parts = Tensor(np.sin(rng).reshape(heads, 16, 96), "W_O")
    z = [Tensor(np.cos(rng[:16] + head), "z") for head in range(heads)]
    return HeadStack(parts, z, 0.8, 3.0, 8)


@pytest.mark.parametrize("heads", [1, 6, 16])
def test_stapled_parts_take_no_more_than_their_height(heads: int) -> None:
    drawn = stack(heads)
    tops = [strip.get_top()[1] for strip in drawn.strips]
    assert tops == sorted(tops, reverse=True)
    assert tops[0] - drawn.strips[-1].get_bottom()[1] <= 3.0 + 1e-6


def test_parts_that_stand_apart_are_stapled_where_they_were_made() -> None:
    drawn = stack(6)
    before = [strip.get_center() for strip in drawn.strips]
    drawn.spread(REGION)
    assert drawn.strips[0].get_top()[1] - drawn.strips[-1].get_bottom()[1] > 4
    stapling = drawn.staple()
    stapling.begin()
    stapling.interpolate(1.0)
    for strip, place in zip(drawn.strips, before, strict=True):
        np.testing.assert_allclose(strip.get_center(), place, atol=1e-9)


def test_each_z_stands_beside_its_part() -> None:
    drawn = stack(6)
    for strip, column, name in zip(drawn.strips, drawn.columns, drawn.names, strict=True):
        assert column.get_y() == pytest.approx(strip.get_y(), abs=1e-6)
        assert name.get_y() == pytest.approx(strip.get_y(), abs=0.05)


def test_of_many_heads_the_first_and_the_last_are_drawn() -> None:
    drawn = stack(16)
    assert drawn.heads[0] == 0
    assert drawn.heads[-1] == 15
    assert len(drawn.heads) < 16
    assert drawn.gap.get_top()[1] < drawn.strips[-2].get_bottom()[1]
    assert drawn.gap.get_bottom()[1] > drawn.strips[-1].get_top()[1]


def test_where_all_heads_are_drawn_no_dots_stand_for_others() -> None:
    assert not stack(8).gap.submobjects
