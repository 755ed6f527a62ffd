"""Verbs change presence, place, shape and colour, as a function of time, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from manim import Line, Square, VGroup

from scenes import theme
from scenes.mobjects.text import Number
from scenes.presence import hide, own_colors, presence, set_presence
from scenes.provenance import count
from scenes.theme import OUT_OF_FOCUS, QUERY, QUICK
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Recolor,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
    Visit,
)

HERE, THERE = np.array([0.0, 0, 0]), np.array([2.0, 1, 0])


def square(at: np.ndarray = HERE, side: float = 1.0) -> Square:
    return Square(side, fill_opacity=0.8).move_to(at)


def unseen(mobject: Square) -> Square:
    hide(mobject)
    return mobject


def played(verb: Verb, frames: int = 7) -> None:
    verb.begin()
    for alpha in np.linspace(0, 1, frames)[:-1]:
        verb.interpolate(float(alpha))
    verb.finish()


@pytest.mark.parametrize(
    "verb",
    [
        MoveTo,
        lambda one, _: Shift(one, by=THERE),
        Become,
        GoInto,
        TurnInto,
        Pulse,
        lambda one, _: Recolor(one, role=QUERY, opacity=0.4),
        lambda one, other: Visit(one, [other, square()]),
        lambda one, other: Then(MoveTo(one, other), Dim(one), Shift(one, by=THERE)),
        lambda one, other: Flow([Appear(one), Disappear(other)]),
    ],
)
def test_a_skipped_animation_ends_where_a_played_one_does(verb) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    ends = []
    for frames in (2, 9):
        one, other = square(), square(THERE, 2.0)
        played(verb(one, other), frames)
        ends.append(
            [(each.points.copy(), each.fill_rgbas.copy(), presence(each)) for each in (one, other)]
        )
    for (points, fill, share), (same, color, part) in zip(*ends, strict=True):
        assert np.allclose(points, same)
        assert np.allclose(fill, color)
        assert share == part


def test_what_appears_had_its_place_and_size_before() -> None:
    one = unseen(square(THERE))
    before = one.points.copy()
    played(Appear(one))
    assert presence(one) == 1
    assert np.allclose(one.points, before)


def test_dimming_leaves_unseen_what_is_unseen() -> None:
    group = VGroup(square(), unseen(square(THERE)))
    played(Dim(group))
    assert [presence(part) for part in group] == [OUT_OF_FOCUS, 0]
    played(Undim(group))
    assert [presence(part) for part in group] == [1, 0]


def test_what_comes_from_a_source_starts_in_its_place_and_size() -> None:
    one = unseen(square(THERE, 1.0))
    verb = ComeFrom(one, square(HERE, 0.5))
    verb.begin()
    assert np.allclose(one.get_center(), HERE)
    assert one.height == pytest.approx(0.5)
    verb.finish()
    assert np.allclose(one.get_center(), THERE)
    assert one.height == pytest.approx(1.0)
    assert presence(one) == 1


def test_what_goes_into_a_goal_may_come_again() -> None:
    one = square()
    before = one.points.copy()
    played(GoInto(one, square(THERE)))
    assert presence(one) == 0
    assert np.allclose(one.points, before)


def test_one_thing_turns_into_another_of_any_shape() -> None:
    old, new = square(), unseen(VGroup(square(THERE), Line(HERE, THERE)))  # type: ignore[arg-type]
    shapes = [part.points.copy() for part in new]
    played(TurnInto(old, new))
    assert presence(old) == 0
    assert [presence(part) for part in new] == [1, 1]
    assert all(np.allclose(p.points, s) for p, s in zip(new, shapes, strict=True))


def test_a_verb_begins_when_its_turn_comes() -> None:
    one, goal = square(), square(THERE)
    played(Then(Shift(goal, by=THERE), MoveTo(one, goal)))
    assert np.allclose(one.get_center(), 2 * THERE)


def test_then_plays_one_after_another_and_together_at_once() -> None:
    assert Then(Hold(1.0), Hold(2.0)).run_time == 3
    assert Together(Hold(1.0), Hold(2.0)).run_time == 2
    assert Together().run_time == 0


def test_a_flow_ends_within_its_budget_however_many_flow() -> None:
    for number in (1, 2, 300):
        for gathering in (False, True):
            flow = Flow([Hold(QUICK) for _ in range(number)], 2.0, gathering=gathering)
            assert flow.run_time <= 2.0 + QUICK + 1e-9


def test_a_gathering_flow_becomes_faster_and_faster() -> None:
    flow = Flow([Hold(QUICK) for _ in range(20)], 2.0, gathering=True)
    gaps = np.diff(flow._begins())
    assert all(np.diff(gaps) < 0)


def test_a_pulse_leaves_no_trace() -> None:
    one = square()
    before = one.points.copy()
    verb = Pulse(one)
    verb.begin()
    verb.interpolate(0.5)
    assert one.width > 1.05
    verb.finish()
    assert np.allclose(one.points, before)


def test_colours_change_and_presence_stays() -> None:
    one = square()
    set_presence(one, 0.5)
    played(Recolor(one, role=QUERY, opacity=0.6))
    fill = own_colors(one)[0][0]
    assert "#" + "".join(f"{round(255 * c):02X}" for c in fill[:3]) == theme.color(QUERY)
    assert fill[3] == pytest.approx(0.6)
    assert one.fill_rgbas[0, 3] == pytest.approx(0.3)


def test_a_line_is_drawn_from_its_start() -> None:
    line = unseen(Line(HERE, THERE))  # type: ignore[arg-type]
    verb = Draw(line)
    verb.begin()
    verb.interpolate(0.5)
    assert np.allclose(line.get_start(), HERE)
    assert np.allclose(line.get_end(), 0.5 * THERE)
    verb.finish()
    assert np.allclose(line.get_end(), THERE)


def test_a_number_runs_to_its_value_and_only_then_has_its_source() -> None:
    number = Number(count(2, "legs"))
    verb = Count(number, count(8, "legs"))
    verb.begin()
    verb.interpolate(0.5)
    assert number.value.number == pytest.approx(5)
    assert number.value.source.startswith("= between")
    verb.finish()
    assert number.value == count(8, "legs")


def test_a_setting_goes_from_one_number_to_another() -> None:
    class Wheel(VGroup):
        angle = 0.0

        def turn_to(self, angle: float) -> None:
            self.angle = angle

    wheel = Wheel()
    verb = Vary(wheel.turn_to, 0, 90)
    verb.begin()
    verb.interpolate(0.5)
    assert wheel.angle == pytest.approx(45)
    verb.finish()
    assert wheel.angle == 90


def test_a_marker_takes_the_box_of_each_place_that_it_visits() -> None:
    ring, places = square(), [square(THERE, 2.0), square(-THERE, 0.5)]
    verb = Visit(ring, places)
    verb.begin()
    verb.interpolate(0.5)
    assert np.allclose(ring.get_center(), THERE, atol=0.01)
    verb.finish()
    assert np.allclose(ring.get_center(), -THERE, atol=0.01)
    assert ring.width == pytest.approx(0.5, abs=0.01)


def test_a_fade_goes_to_any_share() -> None:
    one = square()
    played(Fade(one, to=0.3))
    assert presence(one) == pytest.approx(0.3)
