"""Verbs leave the stage as they say, and groups whole."""

from collections.abc import Iterator

import numpy as np
import pytest
from manim import Scene, Square, VGroup, tempconfig

from scenes.animations import (
    Exchange,
    GrowFrom,
    Move,
    ShrinkInto,
    Tint,
    Together,
    one_after_another,
)
from scenes.arrivals import Appear, Fade, Fly, Leave, Unfold, bring_forward, put_back
from scenes.presence import hide, presence
from scenes.theme import LAG_BUDGET, OUT_OF_PLAY, QUICK


@pytest.fixture
def stage() -> Iterator[Scene]:
    with tempconfig({"dry_run": True, "verbosity": "ERROR", "progress_bar": "none"}):
        yield Scene(skip_animations=True)


def square() -> Square:
    return Square(fill_opacity=0.8)


def test_a_group_stays_whole_when_a_member_changes(stage: Scene) -> None:
    group = VGroup(square(), square(), square())
    stage.add(group)
    stage.play(put_back(group[:2]), Tint(group[2], 0.1))
    assert stage.mobjects == [group]
    assert len(group) == 3


def test_what_had_receded_comes_back_as_it_was(stage: Scene) -> None:
    one = square()
    stage.add(one)
    before = one.fill_rgbas.copy(), one.stroke_rgbas.copy()
    stage.play(put_back([one]))
    assert presence(one) == pytest.approx(OUT_OF_PLAY)
    assert one.get_fill_opacity() == pytest.approx(0.8 * OUT_OF_PLAY)
    stage.play(bring_forward([one]))
    np.testing.assert_allclose(one.fill_rgbas, before[0])
    np.testing.assert_allclose(one.stroke_rgbas, before[1])


@pytest.mark.parametrize(
    "arrive", [Appear, lambda mobject: Fly(mobject, Square().shift([3, 0, 0]))]
)
def test_what_comes_in_ends_at_its_own_place(stage: Scene, arrive: type[Appear]) -> None:
    one = square()
    before = one.points.copy()
    stage.play(arrive(one))
    assert one in stage.mobjects
    np.testing.assert_allclose(one.points, before)
    assert presence(one) == 1


def test_what_comes_in_starts_unseen() -> None:
    one = square()
    animation = Appear(one)
    animation.begin()
    assert presence(one) == 0
    assert one.get_fill_opacity() == 0


def test_what_leaves_is_gone_from_its_group_and_could_come_back(stage: Scene) -> None:
    group = VGroup(square(), square())
    stage.add(group)
    gone, before = group[0], group[0].points.copy()
    stage.play(Leave(gone))
    assert stage.mobjects == [group]
    assert gone not in group.submobjects
    np.testing.assert_allclose(gone.points, before)
    assert gone.get_fill_opacity() == pytest.approx(0.8)


def test_an_exchange_leaves_only_the_new_one(stage: Scene) -> None:
    group = VGroup(square())
    old, new = group[0], Square(side_length=0.5, fill_opacity=1)
    before = new.points.copy()
    stage.add(group)
    stage.play(Exchange(group, old, new))
    assert group.submobjects == [new]
    np.testing.assert_allclose(new.points, before)
    assert presence(new) == 1


def test_what_changes_while_it_has_receded_comes_forward_as_it_should_be(stage: Scene) -> None:
    group = VGroup(square(), square())
    stage.add(group)
    old, tinted = group
    new = Square(fill_opacity=1)
    stage.play(put_back([group]))
    stage.play(Exchange(group, old, new), Tint(tinted, 0.2))
    assert new.get_fill_opacity() == pytest.approx(OUT_OF_PLAY)
    assert tinted.get_fill_opacity() == pytest.approx(0.2 * OUT_OF_PLAY)
    stage.play(bring_forward([group]))
    assert new.get_fill_opacity() == pytest.approx(1)
    assert tinted.get_fill_opacity() == pytest.approx(0.2)


def test_two_letters_are_never_seen_on_top_of_each_other() -> None:
    group = VGroup(square())
    old, new = group[0], square()
    exchange = Exchange(group, old, new)
    exchange.begin()
    for time in np.linspace(0, 1, 21):
        exchange.interpolate(time)
        assert presence(old) * presence(new) == 0


def test_a_plate_grows_from_a_cell_and_shrinks_back_into_it(stage: Scene) -> None:
    plate, cell = Square(side_length=6, fill_opacity=1), Square(side_length=0.5).shift([2, 1, 0])
    growth = GrowFrom(plate, cell)
    growth.begin()
    assert plate.width == pytest.approx(0.5)
    np.testing.assert_allclose(plate.get_center(), cell.get_center())
    growth.finish()
    assert plate.width == pytest.approx(6)
    stage.add(plate)
    stage.play(ShrinkInto(plate, cell))
    assert plate not in stage.mobjects


def test_a_move_goes_exactly_as_far_as_it_says(stage: Scene) -> None:
    one = square()
    stage.add(one)
    stage.play(Move(one, np.array([1.0, -2.0, 0.0])))
    np.testing.assert_allclose(one.get_center(), [1, -2, 0])


@pytest.mark.parametrize("count", [1, 2, 16, 256])
def test_however_many_come_they_are_there_in_time(count: int) -> None:
    arrival = one_after_another(Appear(square()) for _ in range(count))
    assert QUICK <= arrival.run_time <= LAG_BUDGET + 1e-6


def test_what_unfolds_starts_as_its_twin_and_ends_as_itself(stage: Scene) -> None:
    square, twin = Square(2.0), Square(0.5).shift((3, 1, 0))
    outline = square.points.copy()
    unfolding = Unfold(square, twin)
    unfolding.begin()
    unfolding.interpolate(0)
    assert square.points == pytest.approx(twin.points)
    assert presence(square) == 0
    unfolding.interpolate(1)
    assert square.points == pytest.approx(outline)
    square = Square(2.0)
    stage.play(Unfold(square, twin))
    assert square in stage.mobjects
    assert square.points == pytest.approx(outline)
    assert presence(square) == 1


def test_where_some_have_nothing_to_play_the_others_play(stage: Scene) -> None:
    shape = square()
    stage.add(shape)
    stage.play(Together([Together([]), Together([Fade(shape, 0.5)])]))
    assert presence(shape) == pytest.approx(0.5)
    assert Together([Together([])]).is_empty


def test_a_hidden_mobject_is_unseen() -> None:
    one = square()
    hide(one)
    assert one.get_fill_opacity() == one.get_stroke_opacity() == 0


def test_fading_changes_no_shape(stage: Scene) -> None:
    one = square()
    before = one.points.copy()
    stage.add(one)
    stage.play(Fade(one, 0.5))
    np.testing.assert_array_equal(one.points, before)
