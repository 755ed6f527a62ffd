"""Guesses at what comes next: a gauge for each, or a strip of all, and which one is right.

guesses = Guesses([(" bird", share), ...], right=0, tracks=tracks, sizes=(28, 28), stacked=False)
yield guesses.open(), guesses.grow()
strip = Strip(probs, right, region, upright=True)
yield TurnInto(blank, strip), Recolor(strip.right, role=ACCENT)
read = Readings(bodies, bets, rooms, INK, among=words)
yield read.say(0)
crowd = Crowd((probs, probs_before), right, track)      # what all others get, in a meter
yield Vary(crowd.even, 0, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import VGroup
from manim.constants import DL, DOWN, LEFT, ORIGIN, RIGHT, UP, UR
from manim.typing import Point3D
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.bars import Floats, percentage, set_slab, slab
from scenes.mobjects.fit import text_size
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Glyphs, Number, Words, em_of, percent
from scenes.mobjects.tokens import cut_to
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    HEADING_SIZE,
    NAMED_SIZE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)
from scenes.verbs import Appear, Fade, Flow, Hold, Pulse, Shift, Then, Together, Vary, Verb

LOW = 0.35  # of a word above its bar, in ems: letters reach down as far
SLIVERS = 12  # tokens of a strip that stand apart
GROUPS = 48  # of all other tokens, in a crowd
WAIST = 0.25  # ems, from a baseline to the middle
SEAM = 0.03  # scene units between two of them, at most
FAINT = 0.45  # of its colour, what all other tokens get
THINNEST = 0.04  # scene units, of the right one
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


def by_loss(start: float, end: float, share: float) -> float:
    """Return how much of the way a chance has gone when its logarithm has gone a share of it."""
    if start == end or not 0 < share < 1:
        return share
    return float((start ** (1 - share) * end**share - start) / (end - start))


class Meter(Gauge):
    """The share of what is right, in the accent's colour, with its percentage under its middle.

    It shows the last of some shares, and has room for the percentages of all of them. At first it
    stands as a column, another region, with room for its breadth or its length; then it lies down.
    """

    def __init__(self, shares: Sequence[Value], track: Region, column: Region) -> None:
        self.shares, self.regions = shares, (column, track)
        super().__init__(Words(""), shares[-1], track, NAMED_SIZE, stacked=True)
        self.number.set_x(self.track.get_x())
        self.bar.set_fill(theme.color(ACCENT))
        self.lie(0.0)

    def lie(self, share: float) -> None:
        """Stand as the column (0), or lie as the track (1); on the way it sinks, then turns."""
        sunk, turned = (smooth(float(np.clip(part, 0, 1))) for part in (2 * share, 2 * share - 1))
        column, track = self.regions
        upright = column.height > column.width
        sizes = sorted((column.width, column.height)), sorted((track.width, track.height))
        breadth, length = (1 - sunk) * np.array(sizes[0]) + sunk * np.array(sizes[1])
        angle = (1 - turned) * np.pi / 2 * upright
        along = length * np.array([np.cos(angle), np.sin(angle), 0.0])
        across = breadth * np.array([-np.sin(angle), np.cos(angle), 0.0])
        foot = (1 - sunk) * column.center + sunk * track.center - (along + across) / 2
        least = THINNEST / length
        for part, end in ((self.track, 1.0), (self.bar, max(least, self.value.number))):
            corners = (0, 0), (end, 0), (end, 1), (0, 1), (0, 0)
            part.set_points_as_corners([foot + x * along + y * across for x, y in corners])

    def tell_beyond(self, strip: Strip, *, fits: bool) -> None:
        """Let the percentage stand beyond a strip's right part, if it fits, or beyond the track."""
        way = UP if strip.upright else RIGHT
        end, sizes = self.track.get_edge_center(way), (self.number.width, self.number.height)
        is_free = way @ (end - strip.end) > np.abs(way[:2]) @ sizes + 2 * HAIR
        self.number.next_to(strip.end if fits and is_free else end, way, buff=HAIR)

    def fill_to(self, share: float) -> None:
        """Let the bar, thin as it may be, fill a share of its track."""
        super().fill_to(max(share, THINNEST / self.track.width))

    def learn(self, share: float) -> None:
        """Show the first of two shares (0), the second (1), or one between, as losses change."""
        before, after = self.shares
        way = by_loss(before.number, after.number, share)
        self.fill_to((1 - way) * before.number + way * after.number)
        if way:
            self.told.put_between(before, after, way)
        else:
            self.told.put(before)

    def _told(self, value: Value) -> Glyphs:
        """Return a percentage so large that it fits under the track whatever share it shows."""
        self.told = Percentage(value, role=ACCENT, anchor=ORIGIN)
        widest = max(Percentage(share).width for share in self.shares)
        return self.told.scale(min(1.0, self.track.width / widest))


class Crowd(VGroup):
    """What all but the right token get, in its meter's track: of two models' chances, (V,) each.

    The likeliest of the first model stand apart; all others stand in equal groups, as fine lines.
    """

    def __init__(self, chances: Sequence[Floats], right: int, track: Region) -> None:
        order = np.argsort(-chances[0], kind="stable")
        order = order[order != right]
        groups = [*order[:SLIVERS, None], *np.array_split(order[SLIVERS:], GROUPS)]
        sizes = [[probs[right], *(probs[group].sum() for group in groups)] for probs in chances]
        self.ends, self.region = np.cumsum(sizes, axis=1), track
        self.slivers = Filled(np.zeros((0, 3)), POSITIVE)
        self.rest = Filled(np.zeros((0, 3)), QUIET)
        super().__init__(self.slivers, self.rest)
        self.even(0.0)

    def even(self, share: float) -> None:
        """Show what they get from the first model (0) or the second (1), or a mixture."""
        way = by_loss(float(self.ends[0, 0]), float(self.ends[1, 0]), share)
        ends = (1 - way) * self.ends[0] + way * self.ends[1]
        ends = self.region.left + self.region.width * ends
        seams = np.minimum(SEAM, 0.3 * np.diff(ends)) / 2
        low, high = ends[:-1] + seams, ends[1:] - seams
        for part, which in ((self.slivers, slice(SLIVERS)), (self.rest, slice(SLIVERS, None))):
            part.points = rectangles(low[which], self.region.bottom, high[which], self.region.top)


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


class Strip(VGroup):
    """All chances (V,) of a place as one strip, the largest first; its whole length is one.

    The likeliest tokens stand apart, the `rest` is one piece, and `right` is the next word's own,
    thin as it may be. It goes up, or to the right.
    """

    def __init__(
        self, probs: NDArray[np.floating], right: int, region: Region, *, upright: bool
    ) -> None:
        self.region, self.upright = region, upright
        order = [token for token in np.argsort(-probs, kind="stable").tolist() if token != right]
        ahead = [token for token in order[:SLIVERS] if probs[token] >= probs[right]]
        shown = [*ahead, right, *order[len(ahead) : SLIVERS]]
        ends = np.cumsum([0.0, *probs[shown].tolist()]).clip(0, 1)
        self.place = len(ahead)
        self.spans = np.stack([ends[:-1], ends[1:]], axis=1)
        others, own = np.delete(self.spans, self.place, axis=0), self.spans[[self.place]]
        self.slivers = Filled(self._outline(others, 0.0), POSITIVE)
        self.rest = Filled(self._outline(np.array([(ends[-1], 1.0)]), 0.0), QUIET, FAINT)
        self.right = Filled(self._outline(own, THINNEST), POSITIVE)
        super().__init__(self.slivers, self.rest, self.right)

    def settle(self) -> Verb:
        """Return how what is right comes to where the strip begins, apart from all others."""
        box, right = self.region, self.right
        down = (box.bottom - right.get_bottom()[1]) * UP, (box.left - right.get_left()[0]) * RIGHT
        return Shift(right, by=down[0] if self.upright else down[1])

    @property
    def end(self) -> Point3D:
        """Where what is right ends, once it has settled."""
        box, ((low, high),) = self.region, self.spans[[self.place]]
        x, y, _ = box.center
        if self.upright:
            return np.array([x, box.bottom + max(box.height * (high - low), THINNEST), 0.0])
        return np.array([box.left + max(box.width * (high - low), THINNEST), y, 0.0])

    def _outline(self, spans: NDArray[np.float64], least: float) -> NDArray[np.float64]:
        """Return spans of the whole, (n, 2), as rectangles with seams between them."""
        box = self.region
        length = box.height if self.upright else box.width
        seams = np.minimum(SEAM, 0.3 * length * (spans[:, 1] - spans[:, 0])) / 2
        low, high = length * spans[:, 0] + seams, length * spans[:, 1] - seams
        low = np.minimum(low, length - least)
        high = np.maximum(high, low + least)
        if self.upright:
            return rectangles(box.left, box.bottom + low, box.right, box.bottom + high)
        return rectangles(box.left + low, box.bottom, box.left + high, box.top)
