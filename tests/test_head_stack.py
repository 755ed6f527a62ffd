"""The heads' parts come together as one matrix, with a vector beside it that meets them all."""

import numpy as np
import pytest
from manim import Animation, Dot

from scenes.first_mobjects.head_stack import HeadStack
from scenes.first_mobjects.joined_vectors import JoinedVectors
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region

REGION = Region(-6.0, 6.0, -3.0, 2.0)


def stack(heads: int) -> HeadStack:
    rng = np.arange(heads * 16 * 96, dtype=np.float32)
    parts = Tensor(np.sin(rng).reshape(heads, 16, 96), "W_O")
    return HeadStack(parts, (0.8, 8), 3.0, 3.0, REGION)


def vectors(beside: HeadStack) -> JoinedVectors:
    z = [
        Tensor(np.cos(np.arange(16, dtype=np.float32) + head), f"z[{head}]")
        for head in beside.heads
    ]
    return JoinedVectors(z, beside.strips, beside.beside)


def done(animation: Animation, share: float = 1.0) -> None:
    animation.begin()
    animation.interpolate(share)


@pytest.mark.parametrize("heads", [1, 6, 16])
def test_stapled_parts_take_no_more_than_their_height(heads: int) -> None:
    drawn = stack(heads)
    tops = [strip.get_top()[1] for strip in drawn.strips]
    assert tops == sorted(tops, reverse=True)
    assert tops[0] - drawn.strips[-1].get_bottom()[1] <= 3.0 + 1e-6


@pytest.mark.parametrize("heads", [1, 6, 16])
def test_parts_that_stand_apart_come_to_where_they_were_made(heads: int) -> None:
    drawn = stack(heads)
    before = [part.get_center() for row in drawn.rows for part in row]
    drawn.spread(REGION)
    if heads > 1:
        assert drawn.strips[0].get_top()[1] - drawn.strips[-1].get_bottom()[1] > 4
    done(drawn.staple())
    middle = (drawn.title.get_top()[1] + drawn.brackets.get_bottom()[1]) / 2
    assert middle == pytest.approx(REGION.center[1])
    done(drawn.make_room())
    after = [part.get_center() for row in drawn.rows for part in row]
    np.testing.assert_allclose(after, before, atol=1e-9)
    assert drawn.title.get_top()[1] <= REGION.top + 0.1


def test_names_stand_close_by_until_a_vector_needs_room() -> None:
    drawn = stack(6)
    far = drawn.brackets.get_left()[0] - drawn.names[0].get_right()[0]
    drawn.spread(REGION)
    assert 0 < drawn.brackets.get_left()[0] - drawn.names[0].get_right()[0] < far


def test_each_z_stands_beside_its_part() -> None:
    drawn = stack(6)
    columns = vectors(drawn).columns
    for strip, column, name in zip(drawn.strips, columns, drawn.names, strict=True):
        assert column.get_y() == pytest.approx(strip.get_y(), abs=1e-6)
        assert name.get_y() == pytest.approx(strip.get_y(), abs=0.05)


def test_a_vector_stands_between_the_names_and_the_weights() -> None:
    drawn = stack(6)
    beside = vectors(drawn)
    assert beside.brackets.get_left()[0] > max(name.get_right()[0] for name in drawn.names)
    assert beside.brackets.get_right()[0] < drawn.brackets.get_left()[0]


def test_a_vector_is_seen_over_the_weights_only_while_it_passes() -> None:
    drawn = stack(6)
    beside = vectors(drawn)
    passing = beside.pass_over(2.0)
    done(passing, 0.5)
    tile = beside.passing[0][0]
    assert presence(tile) == pytest.approx(1.0)
    assert drawn.brackets.get_left()[0] < tile.get_x() < drawn.brackets.get_right()[0]
    passing.interpolate(1.0)
    assert presence(tile) == pytest.approx(0.0)
    assert tile.get_x() == pytest.approx(
        drawn.strips[0].column(drawn.strips[0].columns[-1]).get_x()
    )


@pytest.mark.parametrize("heads", [1, 6, 16])
def test_every_head_has_the_same_time_and_those_left_out_have_theirs(heads: int) -> None:
    drawn = stack(heads)
    turns = drawn.turns(4.0)
    assert len(turns) == len(drawn.heads)
    assert sum(turns) == pytest.approx(4.0)
    assert turns[0] == pytest.approx(4.0 / heads)


def test_a_head_that_is_not_drawn_comes_from_nowhere() -> None:
    assert stack(16).reveal_head(10, Dot()).is_empty
    assert not stack(16).reveal_head(2, Dot()).is_empty


def test_of_many_heads_the_first_and_the_last_are_drawn() -> None:
    drawn = stack(16)
    assert drawn.heads[0] == 0
    assert drawn.heads[-1] == 15
    assert len(drawn.heads) < 16
    gap = drawn.rows[-1]
    assert gap.get_top()[1] < drawn.strips[-2].get_bottom()[1]
    assert gap.get_bottom()[1] > drawn.strips[-1].get_top()[1]


def test_where_all_heads_are_drawn_no_dots_stand_for_others() -> None:
    assert len(stack(8).rows) == 8
