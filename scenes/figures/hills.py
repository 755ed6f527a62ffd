"""How the numbers of vectors are spread: a hill for each, on one ruler.

rows = Hills(vectors, names, film.under_title)
yield Appear(rows.names[2]), pile(rows.shapes[2])  # its numbers pile up
yield rows.tidy(2)                                # mean zero, spread one; the ruler stays
hill = Hill(vectors[2], film.stage)               # one of them, large
yield Then(hill.lose_mean(), hill.lose_spread())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import Line, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.tidied import Tidied
from scenes.mobjects.ground import show
from scenes.mobjects.marks import Brace
from scenes.mobjects.outlines import Filled, in_space, rectangles
from scenes.mobjects.plot import Histogram, counted_within
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.vector import Vector
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    INK,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUIET,
    SLOW,
    STEADY,
    STRONGEST_FILL,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Become,
    Count,
    Disappear,
    Flow,
    Pulse,
    Shift,
    Then,
    Together,
    Vary,
    Verb,
)

REACH = 3.2  # spreads either side, of what a row has room for
BINS = 11  # so that under a hundred numbers make a hill
FIXED, SOON = 17, 0.2  # bins of one width, as numbers spread; of the way, until they are used
NAME_SHARE = 0.22  # of a region's width, if it is wide
ASIDE = 0.12  # of an upright one's, so that its ruler is clear of names, which stand above
HIGH = 0.8  # of a row's height, by the most frequent numbers
TIDY = 0.6  # of half a row's width, at most, by numbers whose spread is one
MOST_GROWN = 3.0  # of a last vector's reach to the first one's, up to which both have one scale
MOST_RATIO = 4.0  # of a ruler's new mark to the old one, up to which it rather stays as it is
FACT = 0.9  # scene units, for a number under the hill or over it
UNDER = 1.25  # scene units under a heap, for a line as long as it spreads, and a number
FALLING, JOINT = 0.1, 0.9  # of the time, one brick's fall; of its room, a brick
GROUND = 0.02  # scene units, the ground on which they stand
Floats = NDArray[np.float64]


class Hills(VGroup):
    """Vectors as rows: a `names`' text, and how often numbers come (`shapes`).

    They leave room `beside` them at the right, and `over` them; without names the hills begin at
    the region's left. All share one ruler, lines across all rows at minus one and one; it may be
    that of other hills, and then comes over (`ruled`). `rescales` says whether all has to be seen
    from nearer once it is tidied.
    """

    def __init__(
        self,
        vectors: Sequence[Tidied],
        names: Sequence[TokenText | Words],
        region: Region,
        *,
        beside: float = 0.0,
        over: float = 0.0,
        ruler: VGroup | None = None,
    ) -> None:
        self.vectors, self.names = list(vectors), list(names)
        self.upright = region.height > region.width
        aside = (ASIDE if self.upright else NAME_SHARE) * region.width if names else 0.0
        self.left, left = region.left + (not self.upright) * aside, region.left + aside
        self.right = right = region.right - beside
        self.corner = np.array((region.left, region.top, 0.0))
        half, self.middle = (right - left) / 2, (left + right) / 2
        widest = max(each.spread.number + abs(each.off) / REACH for each in vectors)
        self.unit = min(half / (REACH * widest), TIDY * half / REACH)
        ratio = half * TIDY / (REACH * self.unit)
        self.rescales = ratio > MOST_RATIO
        self.ratio = ratio if self.rescales else 1.0
        foot = _mark(-1).height + HAIR
        inner = region.lowered(over).raised(foot)
        self.shapes, rooms = list[Histogram](), inner.rows(len(vectors))
        for name, room in zip(names, rooms, strict=bool(names)):
            if self.upright:
                name.shrink_to(self.middle - max(1.0, self.ratio) * self.unit - HAIR - region.left)
                name.move_to((region.left, room.top - HAIR, 0), LEFT + UP)
            else:
                name.shrink_to(left - GAP - region.left)
                name.move_to((left - GAP, room.center[1], 0), RIGHT)
        above = max(name.height for name in names) + HAIR if names and self.upright else 0.0
        for each, room in zip(vectors, rooms, strict=True):
            free = room.height - above
            tall = HIGH * free
            zero = self.middle, room.bottom + (free - tall) / 2
            self.shapes.append(Histogram(each.vector.double, zero, self.unit, tall, BINS))
        self.rulers = [self._ruler(inner, by * self.unit) for by in (1.0, self.ratio)]
        self.ruler = ruler or self.rulers[0].copy()
        super().__init__(*([] if ruler else [self.ruler]), *self.shapes, *self.names)

    def place(self, at: int, number: float) -> Point3D:
        """Return where a number stands on the ground of a row."""
        return np.asarray(self.shapes[at].foot + number * self.unit * RIGHT)

    def but(self, at: int) -> list[Mobject]:
        """Return all parts of all rows but for the shape of one, and the ruler."""
        kept = self.shapes[at], self.ruler
        return [part for part in self.submobjects if part not in kept]

    def tidy(self, at: int, near: float = 1.0) -> Verb:
        """Return how a row's numbers lose their mean, if they do, and get a spread of one.

        They are seen so many times nearer in the end.
        """
        each, shape = self.vectors[at], self.shapes[at]
        return Together(
            Vary(shape.slide, 0.0, each.off, run_time=SLOW),
            Vary(shape.divide, 1.0, each.spread.number / near, run_time=SLOW),
        )

    def tidy_others(self, done: int) -> Verb:
        """Return how all rows are tidied in turn but one that is; where it is small, all nearer."""
        others = [at for at in range(len(self.shapes)) if at != done]
        if not self.rescales:
            each = (Together(self.tidy(at), Pulse(self.names[at])) for at in others)
            return Flow(each, 2 * SLOW)
        spread = self.vectors[done].spread.number
        nearer = Vary(self.shapes[done].divide, spread, spread / self.ratio, run_time=SLOW)
        tidied = (self.tidy(at, self.ratio) for at in others)
        return Together(nearer, self.ruled(tidy=True), Then(tidied))

    def set_tidy(self, at: int, near: float = 1.0) -> None:
        """Show a row's numbers as they are in the end, or so many times nearer."""
        self.shapes[at].slide(self.vectors[at].off)
        self.shapes[at].divide(self.vectors[at].spread.number / near)

    def ruled(self, *, tidy: bool = False) -> Verb:
        """Return how the ruler comes to where it measures these, as they are or all tidied."""
        return Become(self.ruler, self.rulers[tidy], SLOW if tidy else STEADY)

    def _ruler(self, region: Region, half: float) -> VGroup:
        """Return lines at minus one and one through all of a region, and their numerals, apart."""
        ruler = VGroup()
        for side in (-1, 1):
            x, mark = self.middle + side * half, _mark(side)
            apart = max(half, (GAP + mark.width) / 2)
            line = Line((x, region.bottom, 0), (x, region.top, 0))
            ruler.add(line.set_stroke(theme.color(QUIET), THIN_LINE))
            edge = (self.middle + side * apart, region.bottom - HAIR, 0)
            ruler.add(mark.move_to(edge, UP))
        return ruler


class Hill(Hills):
    """One vector, large: a `line` at its `mean`, and a `brace` as long as its `spread`."""

    def __init__(self, each: Tidied, region: Region, ruler: VGroup) -> None:
        room = region.inset(FACT)
        room = replace(region, bottom=room.bottom, top=min(room.top, room.bottom + region.width))
        super().__init__([each], [], room, ruler=ruler)
        self.each = each
        x, low, _ = self.shapes[0].foot
        middle, spread = float(np.mean(each.vector.double)), each.spread.number
        at, top = x + middle * self.unit, room.top
        self.line = Line((at, low, 0), (at, top, 0), stroke_color=theme.color(ACCENT))
        self.brace = self._brace(spread * self.unit)
        self.mean = _Fact("mean", each.middle).move_to((x, top + HAIR, 0), DOWN)
        self.spread = _Fact("spread", each.spread)
        end = x + self.unit * self.ratio / 2
        self.spread.move_to((end, float(self.brace.get_bottom()[1]) - HAIR, 0), UP)
        self.around = [self.line, self.brace, self.mean, self.spread]
        self.add(*self.around)

    def lose_mean(self) -> Verb:
        """Return how all numbers, and their mean, move until that is zero."""
        each, middle = self.each, self.each.middle
        if middle is None:
            return Disappear(self.line, self.mean)
        counted = Count(self.mean.number, middle - middle, run_time=SLOW)
        moved = Shift(self.line, by=each.off * self.unit * RIGHT, run_time=SLOW)
        return Together(Vary(self.shapes[0].slide, 0.0, each.off, run_time=SLOW), moved, counted)

    def lose_spread(self) -> Verb:
        """Return how all numbers, and the brace, shrink until the spread is one."""
        each, shape, spread = self.each, self.shapes[0], self.each.spread
        return Together(
            Vary(shape.divide, 1.0, spread.number / self.ratio, run_time=SLOW),
            Become(self.brace, self._brace(self.unit * self.ratio), run_time=SLOW),
            Count(self.spread.number, each.spread / spread, run_time=SLOW),
            self.ruled(tidy=True),
        )

    def _brace(self, long: float) -> Brace:
        """Return a brace under the ruler, from zero to the right."""
        y = float(self.rulers[0].get_bottom()[1])
        zero = self.shapes[0].foot * (1, 0, 0) + y * UP
        return Brace(Line(zero, zero + long * RIGHT), DOWN)


class Heap(VGroup):
    """All numbers of one vector, each a brick upon its bin; they move as it becomes another one.

    The `bricks`, above zero and below it, fall from their own `places` over the heap, (entries, 2).
    Once they move, they stand in `bins` of one width, whatever they become. Under them are the
    ruler, a `zero`, a `span` as long as they spread, from their middle, and how far, `told`.
    """

    def __init__(
        self, vectors: Sequence[Tidied], places: Floats, region: Region, ruler: VGroup
    ) -> None:
        self.vectors, self.places, self.ruler = list(vectors), places, ruler.copy()
        self.half, (self.x, _, _) = region.width / 2, region.center
        self.low, self.high = region.bottom + UNDER, region.height - UNDER
        self.numbers = np.array([each.vector.double for each in vectors])
        self.spans = np.array([(-each.off, each.spread.number) for each in vectors])
        self.ends = np.array([counted_within(each.vector.double) for each in vectors])
        near = _from_zero(self.ends[0], BINS)
        self.near = _bricks(self.numbers[0], near, self.high)
        self.bins = _from_zero(self.ends, FIXED)
        first, most = (float(np.abs(bins).max()) for bins in (near, self.bins))
        self.units = self.half / (most if most < MOST_GROWN * first else first), self.half / most
        signs = POSITIVE, NEGATIVE
        self.bricks = VGroup(*(Filled(np.zeros((0, 3)), sign, STRONGEST_FILL) for sign in signs))
        self.span = Line().set_stroke(theme.color(INK), 2 * BOLD_LINE)
        self.told = _Fact("spread", vectors[0].spread)
        self.told.move_to((self.x, region.bottom, 0), DOWN)
        self.fallen, self.far, self.at = 0.0, 0.0, 0.0
        self.zero = Number(count(0, "a mark of the ruler"), 0, PLAIN_SIZE, QUIET)
        self.zero.move_to((self.x, self.low - HAIR, 0), UP)
        super().__init__(self.ruler, self.zero, self.bricks, self.span, self.told)

    def fall(self, share: float) -> None:
        """Let a share of the bricks, 0 to 1, have fallen, one after another."""
        self.fallen = share
        self._see()

    def leave(self, share: float) -> None:
        """Be seen from so near that the first vector is as wide as there is room, or all are."""
        self.far = share
        self._see()

    def go(self, at: float) -> None:
        """Show the vector of a place in the list, or the way between two."""
        self.at = at
        self._see()

    def _see(self) -> None:
        """Draw all as it stands."""
        first = min(int(self.at), len(self.numbers) - 2)
        share = self.at - first
        near, far = self.units
        unit = near ** (1 - self.far) * far**self.far
        # what the numbers are on their way piles up, too
        numbers = _mixed(self.numbers, first, share)
        homes = _bricks(numbers, self.bins, self.high)
        binned = min(self.at / SOON, 1.0)
        homes = (1 - binned) * self.near + binned * homes
        across, low, wide, tall = np.moveaxis(homes, -1, 0)
        x, wide = self.x + across * unit, wide * unit / 2
        left, right = self.x + np.array(counted_within(numbers)) * unit
        left, right = min(left, *(x - wide)[wide > 0]), max(right, *(x + wide)[wide > 0])
        begins = (1 - FALLING) * np.linspace(0, 1, len(x))
        down = np.clip((self.fallen - begins) / FALLING, 0, 1)
        x = x + (1 - down) * (self.places[:, 0] - x)
        y = self.low + low + (1 - down**2) * (self.places[:, 1] - self.low - low)
        wide, tall = wide * down, tall * (down > 0)
        sides = np.stack([x - JOINT * wide, y, x + JOINT * wide, y + JOINT * tall])
        ground = np.array([[left], [self.low - GROUND], [right], [self.low]])
        ups, downs = np.hstack([ground, sides[:, numbers >= 0]]), sides[:, numbers < 0]
        for part, own in zip(self.bricks, (ups, downs), strict=True):
            part.points = rectangles(*own)
            show(part, float(self.fallen > 0))
        middle, spread = _mixed(self.spans, first, share)
        level = self.low - _mark(1).height - 3 * HAIR
        start = self.x + middle * unit
        end, foot, head = start + spread * unit, level - HAIR, level + HAIR
        corners = [(start, y) for y in (foot, head, level)]  # from their middle
        corners += [(end, y) for y in (level, head, foot)]
        self.span.set_points_as_corners(in_space(np.array(corners)))
        free = self.half - self.told.width / 2
        self.told.set_x(self.x + np.clip((start + end) / 2 - self.x, -free, free))
        self._rule(unit)

    def _rule(self, unit: float) -> None:
        """Set the ruler's lines at minus one and one, if these come to stand in the room."""
        is_near = self.units[0] > self.units[1]  # then there is no one to be seen at first
        light = (self.far if is_near else 1.0) * (self.units[1] < self.half)
        for side, line, mark in zip((-1, 1), self.ruler[::2], self.ruler[1::2], strict=True):
            at = self.x + side * min(unit, self.half)
            line.put_start_and_end_on((at, self.low, 0), (at, self.low + self.high, 0))
            apart = max(abs(at - self.x), (GAP + mark.width) / 2)
            edge = self.x + side * min(apart, self.half - mark.width / 2)
            mark.move_to((edge, self.low - HAIR, 0), UP)
            show(line, light)
            show(mark, light)


class Sums(Vector):
    """A row of cells whose numbers become others: what they add up to after more and more steps."""

    def __init__(
        self, stops: Sequence[Sequence[Value]], room: tuple[float, float], most: int
    ) -> None:
        self.stops = stops
        super().__init__(stops[0], room, most=most, later=stops[-1])

    def go(self, at: float) -> None:
        """Show the numbers of a stop, or what is on the way between two."""
        first = min(int(at), len(self.stops) - 2)
        before, after = self.stops[first : first + 2]
        if at in (first, first + 1):
            self.put(after if at > first else before)
        else:
            ways = zip(before, after, strict=True)
            self.bend(np.array([a.number + (at - first) * (b.number - a.number) for a, b in ways]))


class _Fact(VGroup):
    """A name and its `number`, which may run; of a mean that is not taken away, words alone."""

    def __init__(self, name: str, value: Value | None) -> None:
        words = Words(name if value else "its mean stays", size=TITLE_SIZE)
        super().__init__(words)
        if value:
            self.number = Number(value, 2, TITLE_SIZE, anchor=LEFT)
            self.number.next_to(words, RIGHT, buff=2 * HAIR)
            low = float(self.number.get_bottom()[1])
            self.add(self.number.shift((words.baseline - low) * UP))


def _mark(side: int) -> Number:
    """Return a numeral of the ruler: minus one, or one."""
    return Number(count(side, "a mark of the ruler"), 0, PLAIN_SIZE, QUIET)


def pile(shape: Histogram) -> Verb:
    """Return how numbers come in where they are."""
    return Together(Appear(shape, scale=1.0), Vary(shape.pile, 0.0, 1.0))


def _from_zero(ends: Floats, bins: int) -> Floats:
    """Return the edges of bins as wide as so many between all ends; one edge is zero."""
    low, top = ends.min(), ends.max()
    step = (top - low) / bins
    return np.asarray(step * np.arange(np.floor(low / step), np.ceil(top / step) + 1))


def _bricks(numbers: Floats, bins: Floats, high: float) -> Floats:
    """Return each number's brick: its middle, foot, width, height.

    Across they are numbers, upward scene units, the highest pile so `high`; `bins` are the edges
    of bins of one width. What is far out has no brick.
    """
    step = bins[1] - bins[0]
    places = np.floor((numbers - bins[0]) / step)
    is_near, same = (places >= 0) & (places < len(bins) - 1), places[:, None] == places
    stacked, often = np.tril(same, -1).sum(axis=1), (same & is_near).sum(axis=1)
    sizes = np.array([step, high / max(int(often.max()), 1)])[:, None] * is_near
    middle = (bins[0] + (places + 0.5) * step) * is_near
    return np.stack([middle, stacked * sizes[1], *sizes], axis=1)


def _mixed(stops: Floats, first: int, share: float) -> Floats:
    """Return what is between one of some stops and the next."""
    return np.asarray((1 - share) * stops[first] + share * stops[first + 1])
