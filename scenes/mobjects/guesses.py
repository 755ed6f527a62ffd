"""Guesses at what comes next: a gauge for each, and which one is right.

guesses = Guesses([(" bird", share), ...], right=0, tracks=tracks, sizes=(28, 28), stacked=False)
yield guesses.open(), guesses.grow()
read = Readings(bodies, bets, rooms, INK, among=words)
yield read.say(0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import VGroup
from manim.constants import DL, DOWN, LEFT, RIGHT, UP, UR

from scenes import theme
from scenes.mobjects.bars import percentage, set_slab, slab
from scenes.mobjects.fit import text_size
from scenes.mobjects.text import Glyphs, Number, em_of, percent
from scenes.mobjects.tokens import cut_to
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)
from scenes.verbs import Appear, Fade, Flow, Hold, Pulse, Then, Together, Vary, Verb

LOW = 0.35  # of a word above its bar, in ems: letters reach down as far
WAIST = 0.25  # ems, from a baseline to the middle
BODY, THICK = 0.27, 0.32  # of a room, a body that is read; scene units, the bar of what it says
FILLED, HIGHEST = 0.8, 1.5  # of its part, and scene units: how high a body is at most


class Gauge(VGroup):
    """A share of one as a bar in a track, a region, its word before it and a percentage after it.

    If it is `stacked`, the word stands over the track's left end and the percentage under it.
    Parts: `word`, `track`, `bar` and `number`; `size` is the numeral's font size, `places` its
    decimals, if they are given.
    """

    def __init__(
        self,
        word: Glyphs,
        value: Value,
        track: Region,
        size: float,
        *,
        stacked: bool = False,
        places: int | None = None,
    ) -> None:
        self.word, self.value, self.size, self.places = word, value, size, places
        self.track, self.bar = slab(opacity=0.0), slab()
        self.track.set_stroke(theme.color(QUIET), THIN_LINE, 1.0)
        self.bar.set_fill(theme.color(POSITIVE), 1.0)
        set_slab(self.track, (track.left, track.bottom, track.right, track.top))
        self.number = self._told(value)
        if stacked:
            self.number.next_to(self.track, DOWN, buff=HAIR, aligned_edge=LEFT)
            word.next_to(self.track, UP, aligned_edge=LEFT)
            word.shift(UP * (track.top + LOW * word.em - word.baseline))
        else:
            self.number.next_to(self.track, RIGHT, buff=GAP)
            word.next_to(self.track, LEFT, buff=GAP)
            word.shift(UP * (track.center[1] - WAIST * word.em - word.baseline))
        super().__init__(word, self.track, self.bar, self.number)
        self.fill_to(value.number)

    def _told(self, value: Value) -> Glyphs:
        """Return the share as a percentage, which finds its place."""
        return percentage(value, self.size, self.places)

    def fill_to(self, share: float) -> None:
        """Let the bar fill a share of its track, wherever that stands; more than all is all."""
        (left, low, _), (right, high, _) = self.track.get_corner(DL), self.track.get_corner(UR)
        end = left + float(np.clip(share, 1e-3, 1.0)) * (right - left)
        set_slab(self.bar, (float(left), float(low), float(end), float(high)))

    def fill(self, start: float, end: float) -> Verb:
        """Return how the bar goes from one share to another."""
        seen = Fade(self.bar, to=1.0) if end > start else Hold()
        return Together(seen, Vary(self.fill_to, start, end))

    def open(self) -> Verb:
        """Return how the empty track comes in with its word, if it is not there yet."""
        return Fade(self.word, self.track, to=1.0)

    def tell(self) -> Verb:
        """Return how the bar comes to its own share, and the percentage comes in."""
        return Together(self.fill(0, self.value.number), Appear(self.number))


class Percentage(Number):
    """A share of one as a percentage that may change, and always shows a first figure."""

    @staticmethod
    def write(number: float, decimals: int) -> str:  # noqa: ARG004 - as many as it takes
        """Return a share as `43%`, `0.02%`, or `<0.01%`."""
        return percent(number)


class Guesses(VGroup):
    """What is bet on what comes next: a gauge for each token; `lit` is the right one's.

    `sizes` are those of the names and of the percentages. With `first`, only so many are `bets`,
    which open and grow; any other one is not named before it is the right one.
    """

    def __init__(
        self,
        bets: Sequence[tuple[str, Value]],
        right: int,
        tracks: Sequence[Region],
        sizes: tuple[float, float],
        *,
        stacked: bool,
        first: int | None = None,
    ) -> None:
        widest = tracks[0].width if stacked else float("inf")
        self.gauges = [
            Gauge(cut_to(piece, sizes[0], widest), share, track, sizes[1], stacked=stacked)
            for (piece, share), track in zip(bets, tracks, strict=True)
        ]
        for gauge in self.gauges if stacked else ():
            gauge.number.shrink_to(widest).align_to(gauge.track, LEFT)
        self.lit, self.bets = self.gauges[right], self.gauges[:first]
        super().__init__(*self.gauges)

    def empty(self) -> None:
        """Let all meters be empty."""
        for gauge in self.gauges:
            gauge.fill_to(0.0)

    def open(self) -> Verb:
        """Return how the names come to the empty meters."""
        return Flow(gauge.open() for gauge in self.bets)

    def grow(self) -> Verb:
        """Return how all meters fill."""
        return Together(gauge.fill(0, gauge.value.number) for gauge in self.bets)

    def uncover(self) -> Verb:
        """Return how the right one comes with its share, if it was no bet."""
        lit = self.lit
        return Together() if lit in self.bets else Together(lit.open(), lit.tell())


class Readings(VGroup):
    """Bodies of numbers, a region each, and what is guessed from each: beside it, or under it.

    Parts: `bodies` and `gauges`. Names are as large as the longest of `among` allows.
    """

    def __init__(
        self,
        bodies: Sequence[VGroup],
        bets: Sequence[tuple[str, Value]],
        rooms: Sequence[Region],
        role: Role,
        among: Sequence[str],
    ) -> None:
        parts = [room.parts(BODY) for room in rooms]
        size = max(PLAIN_SIZE, text_size(among, parts[0][1].width, HEADING_SIZE))
        low = (THICK + em_of(size)) / 2
        tracks = [
            replace(to, bottom=y - low, top=y - low + THICK)
            for _, to in parts
            for y in [to.center[1]]
        ]
        self.gauges = Guesses(bets, 0, tracks, (size, SPOKEN_SIZE), stacked=True).gauges
        wide = max(gauge.number.width for gauge in self.gauges)
        for gauge, track in zip(self.gauges, tracks, strict=True):
            set_slab(gauge.track, (track.left, track.bottom, track.right - wide - HAIR, track.top))
            gauge.number.next_to(gauge.track, RIGHT, buff=HAIR)
            VGroup(gauge.word, gauge.bar).set_fill(theme.color(role))
        self.bodies = list(bodies)
        for body, (room, _) in zip(bodies, parts, strict=True):
            high = min(FILLED * room.height, HIGHEST)
            body.scale(min((room.width - GAP) / body.width, high / body.height))
            body.move_to((room.left, room.center[1], 0), LEFT)
        super().__init__(*self.bodies, *self.gauges)

    def say(self, row: int) -> Verb:
        """Return how a body is read as a guess."""
        gauge = self.gauges[row]
        seen = Together(Pulse(self.bodies[row]), Appear(gauge.word, gauge.track))
        told = Then(Hold(QUICK), Appear(gauge.number))  # as the bar gets there
        return Then(seen, Together(gauge.fill(0, gauge.value.number), told))
