"""What a step makes of hands, large, and what training does to them. No model.

stride = Stride(room, rates, 3, words, [word.get_x() for word in words])
yield stride.sweep()                   # how far each hand turns in three words
yield stride.go_on(0, 4)               # it is as far from anywhere
kept = KeptHand([started, own], pace, room=stage)
yield kept.begin()                     # it ticks as it was made,
yield kept.learn()                     # is moved by training,
yield kept.go_on()                     # and goes on, beside what it was
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.clock import ARC, LENGTH, RATES, THICK, Clock, Turns, ticking, towards
from scenes.mobjects.outlines import Filled, in_space, polygons
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, Words
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import ACCENT, BOLD_LINE, GAP, HAIR, HEADING_SIZE, QUICK, SLOW, STEADY, TITLE_SIZE
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Fade,
    Flow,
    Hold,
    MoveTo,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
)

MADE, ON = 3, 10  # places to which a hand ticks before training, and after it
BETWEEN = 1.0  # scene units between two names
LEAP, TIP = 0.8, 0.26  # scene units, the height of an arc over words; its tip
COMING = 3.4  # seconds, at most, in which a step goes on from word to word
FAINT = 0.6  # times as thick, a hand as it was made


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


class KeptHand(VGroup):
    """A large clock, from `pictures`, (places, 2) each, of its hand before and after training.

    Parts: the `clock`; the hand as it was `made`, which goes on beside its own; the `place` that
    both show; and which hand is which (`before` and `after` training).
    """

    def __init__(self, pictures: Sequence[NDArray[np.float64]], pace: Value, room: Region) -> None:
        first, own = (np.arctan2(*picture.T) for picture in pictures)
        turns = np.arange(len(first)) * (first[1] % (2 * np.pi))
        off = (own - first + np.pi) % (2 * np.pi) - np.pi
        self.angles = np.stack([turns, turns + off])  # without a leap
        self.now = self.trained = 0.0
        told = "before training: {:.0f}° a word", pace
        self.before = Words(*told, size=TITLE_SIZE, role=ACCENT)
        self.after = Words("after training", size=TITLE_SIZE)
        both = VGroup(self.before, self.after).arrange(RIGHT, buff=BETWEEN)
        room.fit_width(both)
        both.move_to((room.center[0], room.bottom, 0), DOWN)
        where = count(1, "a word's place, from one")
        self.numeral = Number(where, 0, TITLE_SIZE, anchor=LEFT)
        name = Words("place", size=TITLE_SIZE)
        self.place = VGroup(name, self.numeral).arrange(RIGHT, buff=GAP)
        self.numeral.shift((name.baseline - self.numeral.baseline) * UP)
        self.place.move_to((room.center[0], room.top, 0), UP)
        large = room.below(self.place, GAP).raised(both.height + GAP)
        radius = min(large.width, large.height) / 2 - HAIR
        self.clock = Clock(0.0, large.center[:2], radius)
        self.made = Arrow(theme.color(ACCENT))
        super().__init__(self.clock, self.made, self.before, self.after, self.place)
        self.draw()

    def begin(self) -> Verb:
        """Return how the clock comes in as it was made, and ticks."""
        return Then(Appear(self.clock, self.place), self._tick(0, MADE))

    def learn(self) -> Verb:
        """Return how training moves the hand off what it was."""
        made = Fade(self.made, to=1.0, run_time=HAIR), Appear(self.before)
        return Then(Together(made), Together(Vary(self.train, 0, 1, SLOW), Appear(self.after)))

    def go_on(self) -> Verb:
        """Return how both hands tick on."""
        return self._tick(MADE, ON)

    def _tick(self, start: int, end: int) -> Verb:
        return Vary(self.turn_to, start, end, (end - start) * QUICK, ticking(end - start))

    def turn_to(self, place: float) -> None:
        """Let both hands point to where they do at a place, or between two."""
        self.now = place
        self.numeral.put(count(round(place) + 1, "a word's place, from one"))
        self.draw()

    def train(self, share: float) -> None:
        """Let the hand be as it was made (0), as training left it (1), or between."""
        self.trained = share
        self.draw()

    def draw(self) -> None:
        """Draw both hands."""
        first, own = (np.interp(self.now, np.arange(len(row)), row) for row in self.angles)
        self.clock.aim(float(first + self.trained * (own - first)))
        end = self.clock.middle + LENGTH * self.clock.radius * towards(float(first))
        self.made.point(self.clock.middle, end, FAINT * min(1.0, THICK * self.clock.radius))
