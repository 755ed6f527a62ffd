"""What a step makes of hands, large, and what training does to them. No model.

stride = Stride(room, rates, 3, words, [word.get_x() for word in words])
yield stride.sweep()                   # how far each hand turns in three words
yield stride.go_on(0, 4)               # it is as far from anywhere
kept = KeptHands([started, own], [0, 9], one=9, room=stage)
yield kept.begin()                     # all, as they were made
yield from kept.go_on()                # one from near, all again, and which are kept
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.clock import ARC, LENGTH, RATES, THICK, Clock, Turn, Turns, ticking, towards
from scenes.mobjects.outlines import Filled, in_space, polygons
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, Words, em_of
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    QUICK,
    SLOW,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Fade,
    Flow,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
)

MADE, ALONE, TRAINED, LATER, ON = 2, 4, 8, 10, 12  # places to which hands tick, one by one
FACE, BETWEEN = 0.45, 1.0  # of the way between clocks, a face's radius; units between their names
LEAP, TIP = 0.8, 0.26  # scene units, the height of an arc over words; its tip
COMING = 3.4  # seconds, at most, in which a step goes on from word to word
FAINT = 0.6  # times as thick, a hand that keeps time by itself


class Dials(VGroup):
    """A large dial for every hand in a room, in which two words' hands are seen.

    Parts: the `faces`, and `between` the two hands what lies there.
    """

    def __init__(self, room: Region, rates: Sequence[Value], step: int) -> None:
        is_high = room.height > room.width
        slots = room.rows(len(rates)) if is_high else room.in_columns(len(rates))
        self.side, off = (LEFT, (RATES / 2, 0)) if is_high else (UP, (0, -GAP))
        wide, high = slots[0].width - is_high * RATES, slots[0].height - (not is_high) * RATES
        self.radius = min(wide, high) / 2 - HAIR
        self.clocks = [
            Clock(np.radians(rate.number), slot.center[:2] + off, self.radius)
            for rate, slot in zip(rates, slots, strict=True)
        ]
        self.faces = VGroup(*(clock.face for clock in self.clocks))
        self.between = Turns(self.clocks, step, 0)
        super().__init__(self.faces, self.between)

    def take(self, rates: Sequence[Words]) -> Verb:
        """Return how the rates of hands go beside their dials, or above them, which come in."""
        twins = (
            rate.copy().next_to(clock.face, self.side, buff=GAP)
            for clock, rate in zip(self.clocks, rates, strict=True)
        )
        ways = Together(MoveTo(rate, twin) for rate, twin in zip(rates, twins, strict=True))
        come = Then(Hold(STEADY), Fade(*rates, to=1.0))
        return Together(ways, come, Then(Hold(), Flow(map(Appear, self.faces))))


class Stride(Dials):
    """Dials over a row of words, in which every hand goes a step on, and an arc over those words.

    The `words` stand `across`, under the room; the arc leads from one to that a step on. Parts: the
    `arc` with its `tip`, and `degrees`, how far each hand turns.
    """

    def __init__(
        self,
        room: Region,
        rates: Sequence[Value],
        step: int,
        words: Sequence[VMobject],
        across: Sequence[float],
    ) -> None:
        super().__init__(room.raised(LEAP + GAP), rates, step)
        self.step, self.words, self.across, self.foot = step, [*words], across, room.bottom
        self.since, self.way = 0.0, 1.0
        self.arc = VMobject(stroke_color=theme.color(ACCENT), stroke_width=BOLD_LINE)
        self.tip = Filled(np.zeros((0, 3)), ACCENT)
        far = count(step, "words from one place to another")
        self.degrees = list[Words]()
        for rate, clock in zip(rates, self.clocks, strict=True):
            swept = rate * far
            form = "{:.0f}°" if swept.number >= 1 else "{:.1g}°"
            told = Words(form, swept, size=HEADING_SIZE, role=ACCENT)
            if self.side is LEFT:
                told.shrink_to(RATES - GAP)
            self.degrees.append(told.next_to(clock.face, self.side, buff=GAP))
        self.add(self.arc, self.tip, *self.degrees)
        self.open(0.0)

    def begin_at(self, place: float) -> None:
        """Begin at a place, or between two."""
        self.since = place
        self.between.begin_at(place)
        self._lead()

    def reach(self, share: float) -> None:
        """Let the arc reach so much of its way."""
        self.way = share
        self._lead()

    def open(self, share: float) -> None:
        """Let hands have swept so much of the step."""
        self.between.open(share * self.step)
        self._lead()

    def come_from(self, clocks: Sequence[Clock], place: int) -> Verb:
        """Return how dials grow from the clocks of a place, and the arc leads on from there."""
        grow = [
            ComeFrom(*each)
            for dial, turn, own in zip(self.clocks, self.between.turns, clocks, strict=True)
            for each in ((dial.face, own.face), (turn.ghost, own.hand), (turn.hand, own.hand))
        ]
        lead = Fade(self.arc, self.tip, to=1.0, run_time=HAIR), Vary(self.reach, 0, 1)
        return Together(*grow, Then(Hold(QUICK), Together(self._light(place, QUICK), *lead)))

    def sweep(self) -> Verb:
        """Return how all hands turn by the step, and how far that is."""
        seen = Fade(*self.between.sectors, to=1.0, run_time=HAIR)
        return Then(seen, Vary(self.open, 0, 1, SLOW), Flow(map(Appear, self.degrees)))

    def go_on(self, start: int, end: int) -> Verb:
        """Return how the step begins at one place after another."""
        time = min(QUICK, COMING / max(1, end - start))
        return Then(
            Together(Vary(self.begin_at, at, at + 1, time), self._light(at + 1, time))
            for at in range(start, end)
        )

    def _light(self, place: int, run_time: float) -> Verb:
        """Return how all words recede but one and that a step on."""
        ends = [self.words[place], self.words[place + self.step]]
        rest = (word for word in self.words if word not in ends)
        return Together(Dim(*rest, run_time=run_time), Undim(*ends, run_time=run_time))

    def _lead(self) -> None:
        way = max(self.way, 0.01) * np.linspace(0, 1, ARC)
        ends = np.interp((self.since, self.since + self.step), range(len(self.across)), self.across)
        up = self.foot + LEAP * np.sin(np.pi * way) ** 0.75
        points = np.stack([ends[0] + way * (ends[1] - ends[0]), up], axis=1)
        self.arc.set_points_as_corners(in_space(points))
        along = points[-1] - points[-3]
        along *= TIP * min(1.0, 4 * self.way) / max(float(np.hypot(*along)), 1e-6)
        side = np.array([-along[1], along[0]]) / 2
        corners = points[-1], points[-1] - along + side, points[-1] - along - side
        self.tip.points = polygons(np.array(corners)[None])


class KeptHands(VGroup):
    """Clocks of hands from `pictures`, (places, 2 hands) each, before and after training.

    A hand is drawn as long as it was at first, at most; `kept` are those that keep time. Clocks
    stand on a wall; one that is kept comes near. Parts: the `clocks`, by hand; the `old` hands,
    which go on as they were made; the `place` that they show; which hand is which (`before` and
    `after` training), and how many are `left`.
    """

    def __init__(
        self, pictures: Sequence[NDArray[np.float64]], kept: Sequence[int], one: int, room: Region
    ) -> None:
        rights, ups = (np.stack([each[:, part::2] for each in pictures]) for part in (0, 1))
        angles, lengths = np.arctan2(rights, ups), np.hypot(rights, ups)
        off = (angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi
        pace = angles[0, 1] % (2 * np.pi)
        turns = np.arange(len(off))[:, None] * pace
        self.angles = np.stack([turns, turns + off])  # (picture, place, hand), without a leap
        self.lengths = np.minimum(lengths / lengths[0], 1.0)
        self.now = self.trained = self.stop = 0.0
        self.hands, self.kept, self.one = [*range(off.shape[1])], [*kept], one
        self.near = max((hand for hand in kept if pace[hand] < np.pi / 2), default=one)
        number = count(len(kept), "hands"), count(len(self.hands), "hands")
        self.left = Words("{} of {} keep their pace, roughly", *number, size=TITLE_SIZE)
        room.fit_width(self.left)
        self.before = Words("before training", size=TITLE_SIZE, role=ACCENT)
        self.after = Words("after training", size=TITLE_SIZE)
        both = VGroup(self.before, self.after).arrange(RIGHT, buff=BETWEEN)
        room.fit_width(both)
        both.move_to((room.center[0], room.bottom, 0), DOWN)
        self.left.move_to((room.center[0], room.top, 0), UP)
        self.where = count(1, "a word's place, from one")
        self.numeral = Number(self.where, 0, TITLE_SIZE, anchor=LEFT)
        name = Words("place", size=TITLE_SIZE)
        self.place = VGroup(name, self.numeral).arrange(RIGHT, buff=GAP)
        self.numeral.shift((name.baseline - self.numeral.baseline) * UP)
        self.place.move_to((room.center[0], room.top, 0), UP)
        self._set_spots(room)
        self.clocks = {hand: Clock(0.0, np.zeros(2), 1.0) for hand in self.hands}
        self.old = {hand: Arrow(theme.color(ACCENT)) for hand in self.hands}
        super().__init__(*self.clocks.values(), *self.old.values())
        self.add(self.before, self.after, self.left, self.place)
        self.draw()

    def _set_spots(self, room: Region) -> None:
        """Set where clocks stand, (x, y, radius): on a wall, near, on the wall again.

        At last, those that keep time stand by themselves.
        """
        foot = max(em_of(TITLE_SIZE), self.before.height) + 2 * GAP
        wall = _in_full_lines(self.hands, room.raised(foot))
        large = room.lowered(self.place.height + GAP).raised(self.before.height + GAP)
        self.spots = {hand: np.array([spot] * 4) for hand, spot in wall.items()}
        self.spots[self.near][1] = *large.center[:2], min(large.width, large.height) / 2 - GAP
        for hand, spot in _in_full_lines(self.kept, large).items():
            self.spots[hand][3] = spot

    def begin(self) -> Verb:
        """Return how clocks come in as they were made, and tick."""
        come = Flow((Appear(self.clocks[hand]) for hand in self.hands), STEADY)
        return Then(Hold(QUICK / 3), come, self._tick(0, MADE))

    def go_on(self) -> Iterator[Verb]:
        """Return how one of them ticks, is trained, goes on; all of them; which ones keep time."""
        near, old = self.near, self.old
        rest = [self.clocks[hand] for hand in self.hands if hand != near]
        come = Together(Vary(self.gather, 0, 1), Appear(self.place))
        yield Then(Disappear(*rest), come, self._tick(MADE, ALONE))
        made = Fade(old[near], to=1.0, run_time=HAIR), Appear(self.before)
        yield Then(Together(made), Together(Vary(self.train, 0, 1, SLOW), Appear(self.after)))
        yield self._tick(ALONE, TRAINED)
        told, kept = (self.before, self.after), [old[hand] for hand in self.kept]
        away = Disappear(self.place, old[near], *told), Vary(self.gather, 1, 2)
        every = Then(Hold(QUICK), Fade(*rest, to=1.0))
        yield Then(Together(*away, every), self._tick(TRAINED, LATER))
        lost = [self.clocks[hand] for hand in self.hands if hand not in self.kept]
        large = Then(Hold(QUICK / 2), Vary(self.gather, 2, 3))
        made = Fade(*kept, to=1.0), Appear(self.left, *told)
        yield Then(Together(Disappear(*lost), large), Together(made), self._tick(LATER, ON))

    def _tick(self, start: int, end: int) -> Verb:
        """Return how all hands go on from one place to another."""
        return Vary(self.turn_to, start, end, (end - start) * QUICK, ticking(end - start))

    def share_out(self, clocks: Sequence[Clock]) -> Verb:
        """Return how all leave but the one, from which others come to their places."""
        own = self.clocks[self.one]
        rest = [self.clocks[hand] for hand in self.kept if hand != self.one]
        told = self.left, self.before, self.after, *(self.old[hand] for hand in self.kept)
        leave = Together(Disappear(*rest, *told), Pulse(own))
        come = Flow((ComeFrom(clock, own) for clock in clocks), STEADY)
        return Then(leave, Together(Disappear(own), come))

    def turn_to(self, place: float) -> None:
        """Let all hands point to where they do at a place, or between two."""
        self.now = place
        self.numeral.put(count(round(place) + 1, "a word's place, from one"))
        self.draw()

    def train(self, share: float) -> None:
        """Let hands be as they were made (0), as training left them (1), or between."""
        self.trained = share
        self.draw()

    def gather(self, stop: float) -> None:
        """Let clocks stand on the wall (0, 2), one near (1), those kept large (3)."""
        self.stop = stop
        self.draw()

    def draw(self) -> None:
        """Draw all faces and hands."""
        before, leg = min(int(self.now), self.angles.shape[1] - 2), min(int(self.stop), 2)
        share, way = self.now - before, self.stop - leg
        for hand, clock in self.clocks.items():
            here, there = self.spots[hand][leg : leg + 2]
            *middle, clock.radius = here + way * (there - here)
            clock.middle = np.array(middle)
            made, angle, length = (
                float(np.array([1 - trained, trained]) @ each @ [1 - share, share])
                for trained, each in (
                    (0.0, self.angles[:, before : before + 2, hand]),
                    (self.trained, self.angles[:, before : before + 2, hand]),
                    (self.trained, self.lengths[:, before : before + 2, hand]),
                )
            )
            clock.aim(angle, length)
            end = clock.middle + LENGTH * clock.radius * towards(made)
            self.old[hand].point(clock.middle, end, FAINT * min(1.0, THICK * clock.radius))


class Carried(Turn):
    """The hand of one of two clocks, which turns `by` some places and goes over to the other one.

    The first one points at an `angle`, in radians, for a hand may keep its pace but roughly. Its
    parts are those of a turn, the `face` that goes over with the hand, and what is `told` of it.
    """

    def __init__(self, degrees: Value, clocks: Sequence[Clock], angle: float, by: int = 1) -> None:
        self.clocks, rate = [*clocks], np.radians(degrees.number)
        self.by, (one, _) = by, clocks
        super().__init__(Clock(rate, one.middle, one.radius), 1, 0)
        self.face = self.clock.face.set_stroke(theme.color(ACCENT))
        self.hand.set_color(theme.color(ACCENT))
        back = " back" * (by < 0)
        self.told = Words(f"one word{back}: {{:.0f}}°", degrees, size=TITLE_SIZE, role=ACCENT)
        self.told.next_to(one.face, UP, buff=GAP)
        self.add(self.face, self.told)
        self.begin_at(float(angle) / rate)
        self.open(0.0)

    def turn(self) -> Verb:
        """Return how the hand turns, and how far that is."""
        seen = Fade(self.sector, self.ghost, self.hand, self.face, to=1.0, run_time=HAIR)
        return Then(seen, Together(Vary(self.open, 0, self.by, SLOW), Appear(self.told)))

    def fit(self) -> Verb:
        """Return how the clock goes over to the other one, whose own hand it nearly covers."""
        gone = Disappear(self.sector, self.ghost, self.told)
        return Then(gone, Vary(self.go_over, 0, 1), Pulse(self.clocks[1], run_time=STEADY))

    def go_over(self, share: float) -> None:
        """Lie in the first clock (0), in the other one (1), or between."""
        one, other = self.clocks
        self.clock.middle = (1 - share) * one.middle + share * other.middle
        self.face.move_to((*self.clock.middle, 0))
        self.draw()


def _in_full_lines(hands: Sequence[int], room: Region) -> dict[int, tuple[float, float, float]]:
    """Return where hands' clocks stand in full lines, (x, y, radius): as large as can be."""
    number = len(hands)
    wide = [each for each in range(1, number + 1) if number % each == 0]
    apart = [min(room.width / each, room.height * each / number) for each in wide]
    columns = wide[int(np.argmax(apart))]
    lines = (line.in_columns(columns) for line in room.rows(number // columns))
    spots = (spot.center for line in lines for spot in line)
    return {
        hand: (float(x), float(y), FACE * max(apart))
        for hand, (x, y, *_) in zip(hands, spots, strict=True)
    }
