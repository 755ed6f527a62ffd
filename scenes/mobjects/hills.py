"""How the numbers of vectors are spread: a hill for each, on one ruler, and how far it spreads.

rows = Hills(vectors, names, film.under_title)
yield Appear(*rows.texts(2)), pile(rows.shapes[2])  # its numbers pile up
yield rows.tidy(2)                                # mean zero, spread one; the ruler stays
hill = Hill(vectors[2], film.stage)               # one of them, large
yield Then(hill.lose_mean(), hill.lose_spread())
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from manim import Line, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.analysis.tidied import Tidied
from scenes.mobjects.bars import Bars
from scenes.mobjects.marks import Brace
from scenes.mobjects.plot import Histogram
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.mobjects.vector import Heat
from scenes.provenance import Tensor, Value, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    INK,
    NAMED_SIZE,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Become,
    Count,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Shift,
    Then,
    Together,
    Vary,
    Verb,
)

REACH = 3.2  # spreads either side, of what a row has room for
BINS = 11  # so that under a hundred numbers make a hill
NAME_SHARE, SPREAD_SHARE = 0.22, (0.4, 0.3)  # of a region's width, if it is wide, or upright
ASIDE = 0.12  # of an upright one's, so that its ruler is clear of names, which stand above
HIGH = 0.8  # of a row's height, by the most frequent numbers
TIDY = 0.6  # of half a row's width, at most, by numbers whose spread is one
MOST_RATIO = 4.0  # of a ruler's new mark to the old one, up to which it rather stays as it is
TILE, INTO = 0.16, 0.1  # of the room beside the hills, weights that read them; an arrow to them
ROOMY, MARKED = 0.92, 0.6  # of what is free there, the sums; of their half, a mark at most
FACT = 0.9  # scene units, for a number under the hill or over it


class Hills(VGroup):
    """Vectors as rows: a `names`' text, how often numbers come (`shapes`), how far they spread.

    Without `told` no spreads are told; without names the hills have all of the region's width.
    The `bars` are spreads under a `heading`. All share one ruler, lines across all rows at minus
    one and one; it may be that of other hills, and then comes over (`ruled`). `rescales` says
    whether all has to be seen from nearer once it is tidied.
    """

    def __init__(
        self,
        vectors: Sequence[Tidied],
        names: Sequence[TokenText | Words],
        region: Region,
        *,
        told: bool = True,
        ruler: VGroup | None = None,
    ) -> None:
        self.vectors, self.names = list(vectors), list(names)
        self.upright = region.height > region.width
        beside = (ASIDE if self.upright else NAME_SHARE) * region.width if names else 0.0
        self.left, left = region.left + (not self.upright) * beside, region.left + beside
        right = region.right - (SPREAD_SHARE[self.upright] * region.width if told else 0.0)
        self.corner = np.array((region.left, region.top, 0.0))
        half, self.middle = (right - left) / 2, (left + right) / 2
        widest = max(each.spread.number + abs(each.off) / REACH for each in vectors)
        self.unit = min(half / (REACH * widest), TIDY * half / REACH)
        ratio = half * TIDY / (REACH * self.unit)
        self.rescales = ratio > MOST_RATIO
        self.ratio = ratio if self.rescales else 1.0
        self.heading = Words("spread", size=SPOKEN_SIZE, role=QUIET)
        self.heading.move_to((region.right, region.top, 0), RIGHT + UP)
        foot = _mark(-1).height + HAIR
        head = self.heading.height + HAIR if told else 0.0
        inner = region.lowered((1 + self.upright) * head).raised(foot)
        self.shapes, rooms = list[Histogram](), inner.rows(len(vectors))
        for name, room in zip(names, rooms, strict=bool(names)):
            if self.upright:
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
        self.bars = self._spreads(replace(inner, left=right + GAP if told else left))
        self.rulers = [self._ruler(inner, by * self.unit) for by in (1.0, self.ratio)]
        self.ruler = ruler or self.rulers[0].copy()
        self.told = [self.heading, self.bars] if told else []
        super().__init__(*([] if ruler else [self.ruler]), *self.told)
        self.add(*self.shapes, *self.names)

    def _spreads(self, region: Region) -> Bars:
        """Return the bars that say how widely the numbers are spread."""
        spreads = [each.spread for each in self.vectors]
        span = 0.0, max(1.0, *(each.number for each in spreads))
        bars = Bars(spreads, region, across=True, span=span, role=QUIET, decimals=2)
        bars.pitch = region.height / len(spreads)
        for number in bars.numbers:
            number.scale(em_of(NAMED_SIZE) / number.em)
        bars.put(spreads)
        return bars

    def texts(self, at: int) -> list[Mobject]:
        """Return the parts of a row but for its shape."""
        long = [self.bars.shapes[at], self.bars.numbers[at]] if self.told else []
        return [*self.names[at : at + 1], *long]

    def place(self, at: int, number: float) -> Point3D:
        """Return where a number stands on the ground of a row."""
        return np.asarray(self.shapes[at].foot + number * self.unit * RIGHT)

    def but(self, at: int) -> list[Mobject]:
        """Return all parts of all rows but for the shape of one, and the ruler."""
        kept = self.shapes[at], self.ruler
        return [part for part in self.submobjects if part not in kept]

    def inner(self) -> list[Mobject]:
        """Return the names and shapes of all rows but the first and the last."""
        return [*self.names[1:-1], *self.shapes[1:-1]]

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
        """Return how all rows are tidied but one that is; all come nearer where it is small."""
        others = [at for at in range(len(self.shapes)) if at != done]
        if not self.rescales:
            return Flow(map(self.tidy, others), QUICK)
        spread = self.vectors[done].spread.number
        nearer = Vary(self.shapes[done].divide, spread, spread / self.ratio, run_time=SLOW)
        tidied = (self.tidy(at, self.ratio) for at in others)
        return Together(nearer, self.ruled(tidy=True), *tidied)

    def set_tidy(self, at: int, near: float = 1.0) -> None:
        """Show a row's numbers as they are in the end, or so many times nearer."""
        self.shapes[at].slide(self.vectors[at].off)
        self.shapes[at].divide(self.vectors[at].spread.number / near)

    def ruled(self, *, tidy: bool = False) -> Verb:
        """Return how the ruler comes to where it measures these, as they are or all tidied."""
        return Become(self.ruler, self.rulers[tidy], SLOW if tidy else STEADY)

    def _ruler(self, region: Region, half: float) -> VGroup:
        """Return lines at minus one and one through all of a region, and their numerals, apart."""
        ruler, apart = VGroup(), max(half, GAP / 2)
        for side in (-1, 1):
            x, mark = self.middle + side * half, _mark(side)
            line = Line((x, region.bottom, 0), (x, region.top, 0))
            ruler.add(line.set_stroke(theme.color(QUIET), THIN_LINE))
            edge = (self.middle + side * apart, region.bottom - HAIR, 0)
            ruler.add(mark.move_to(edge, UP - side * RIGHT))
        return ruler


class Hill(Hills):
    """One vector, large: a `line` at its `mean`, and a `brace` as long as its `spread`."""

    def __init__(self, each: Tidied, region: Region, ruler: VGroup) -> None:
        room = region.inset(FACT)
        room = replace(region, bottom=room.bottom, top=min(room.top, room.bottom + region.width))
        super().__init__([each], [], room, told=False, ruler=ruler)
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


class Reading(VGroup):
    """What the same weights (numbers, sums) make of the first and the last row: two more hills.

    Parts: `spans`, how far the numbers of every row spread, from their middle; the weights as a
    `tile` and its name; `arrows` from each row to it, and on to what comes out. As the rows are,
    and once they are tidied: the `sums`, as large as they fit, their `rulers`, one for both, and
    how many `times` as large are the last ones.
    """

    def __init__(
        self, rows: Hills, weights: Tensor, made: Sequence[Sequence[Tidied]], right: float
    ) -> None:
        ends, each = (rows.shapes[0], rows.shapes[-1]), zip(rows.shapes, rows.vectors, strict=True)
        self.spans = [_span(shape.foot, rows.unit, vector) for shape, vector in each]
        left, low, high = float(rows.bars.zero.get_x()), ends[1].foot[1], ends[0].get_top()[1]
        wide, step = TILE * (right - left), INTO * (right - left)
        self.tile = Heat(weights.array.T, (wide, float(high - low)))
        self.tile.move_to((left + step, low, 0), LEFT + DOWN)
        half = (right - left - wide - 2 * step) / 2
        middle = right - half
        self.ends, self.arrows = ends, [self._through(end, left, step, wide) for end in ends]
        self.sums, self.times = list[list[Histogram]](), list[VGroup]()
        self.rulers = list[VGroup]()
        for pair, told in zip(made, ("{:.0f} times", "{:.2f} times"), strict=True):
            times = Words(told, pair[1].spread / pair[0].spread, size=SPOKEN_SIZE, role=ACCENT)
            said = times, Words("as large", size=SPOKEN_SIZE, role=ACCENT)
            lines = VGroup(*(line.shrink_to(2 * half - GAP) for line in said))
            self.times.append(lines.arrange(DOWN, buff=HAIR))
            unit = ROOMY * half / (REACH * max(each.spread.number for each in pair))
            foot = ends[0].foot[1]  # of the upper one, over the words
            tall = min(ends[0].height, foot - low - lines.height - 4 * HAIR)
            lines.move_to((middle, (low + tall + foot) / 2, 0))
            places = [(middle, end.foot[1]) for end in ends]
            self.sums.append(
                [
                    Histogram(each.vector.double, place, unit, tall, BINS, role=ACCENT)
                    for each, place in zip(pair, places, strict=True)
                ]
            )
            self.rulers.append(_marked(places, tall, unit, half, rows.rulers[0][1].get_y()))
        heads = ("weights", INK, left + step + wide / 2), ("sums", ACCENT, middle)
        self.heads = [
            Words(name, size=SPOKEN_SIZE, role=role).move_to((x, rows.heading.get_y(), 0))
            for name, role, x in heads
        ]
        one, other = self.heads
        if one.get_right()[0] + HAIR > other.get_left()[0]:
            one.next_to(other, UP, buff=HAIR).set_x(left + step + wide / 2)
        super().__init__(*self.spans, self.tile, *chain.from_iterable(self.arrows), *self.heads)
        self.add(*self.rulers, *chain.from_iterable(self.sums), *self.times)

    def come(self) -> Verb:
        """Return how the weights come, and the names of both columns."""
        return Appear(self.tile, *self.heads)

    def read(self, *, tidy: bool = False) -> Verb:
        """Return how the weights come, and read both rows, and how many times is told then."""
        return Then(self.come(), self.begin(tidy=tidy), Appear(*self.times[tidy]))

    def begin(self, *, tidy: bool = False) -> Verb:
        """Return how both rows, one after the other, go into the weights, and sums come out."""
        read = list[Verb]()
        for end, (into, out), made in zip(self.ends, self.arrows, self.sums[tidy], strict=True):
            comes = Together(Draw(out, run_time=QUICK / 2), Then(Hold(QUICK / 4), pile(made)))
            read.append(Then(Together(Pulse(end), Draw(into, run_time=QUICK)), comes))
        return Together(Appear(self.rulers[tidy]), Flow(read, STEADY))

    def _through(self, end: Histogram, left: float, step: float, wide: float) -> list[Arrow]:
        """Return an arrow from a row to the weights, and one from there to what comes out."""
        arrows, y = [Arrow(theme.color(INK)) for _ in range(2)], float(end.foot[1] + end.height / 3)
        for arrow, x in zip(arrows, (left, left + step + wide), strict=True):
            arrow.point(np.array((x + HAIR / 2, y)), np.array((x + step - HAIR / 2, y)))
        return arrows


def _marked(
    places: Sequence[tuple[float, float]], tall: float, unit: float, half: float, level: float
) -> VGroup:
    """Return lines across hills on both sides of zero, at a round number, which stands below."""
    most = MARKED * half / unit
    tens = 10.0 ** np.floor(np.log10(most))
    mark = tens * max(each for each in (1, 2, 5) if each * tens <= most)
    ruler = VGroup()
    for side in (-1, 1):
        for x, y in places:
            at = x + side * mark * unit
            line = Line((at, y, 0), (at, y + tall, 0))
            ruler.add(line.set_stroke(theme.color(QUIET), THIN_LINE))
        decimals = max(0, -int(np.floor(np.log10(mark))))
        number = Number(count(side * mark, "a mark of the ruler"), decimals, PLAIN_SIZE, QUIET)
        apart = max(mark * unit, number.width / 2 + HAIR)
        ruler.add(number.move_to((x + side * apart, level, 0)))
    return ruler


def _span(foot: Point3D, unit: float, each: Tidied) -> Line:
    """Return a line as long as numbers spread, from their middle."""
    start = foot - each.off * unit * RIGHT
    line = Line(start, start + each.spread.number * unit * RIGHT)
    return line.set_stroke(theme.color(INK), 2 * BOLD_LINE)


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
