"""A step beside the stream, and what flows through both to where it is brought to one size.

way = Way(region, KEY, (before, after), on_copy=True)
yield Draw(*way.lines), Appear(*way.boxes, way.stream)
yield way.flow()          # a copy goes to the step, and what that finds is added; what came, and
                          # what each box has made, stays (`made`)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.tidied import Tidied
from scenes.figures.hills import BINS, MOST_RATIO, REACH, Hills, pile
from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.plot import Histogram
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Heat
from scenes.provenance import Tensor, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    GAP,
    HAIR,
    INK,
    OUTPUT,
    PANEL,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)
from scenes.verbs import (
    Appear,
    Become,
    Disappear,
    Draw,
    Fade,
    Hold,
    Pulse,
    Then,
    Together,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

STOPS = 0.095, 0.2, 0.5, 0.67, 0.9  # of its width: start, branch, step, sum, end
TIDIED = 0.9, 0.3  # of its width, where the stream is tidied, or a copy
BODY, WIDE = 0.175, 0.185  # of a way's width, by what travels along it, and by a box
HIGHEST = 2.0  # of a box's width, its height
OPEN = 1.15  # times as high as what travels, a box
ON_RAILS = 0.45  # of its size in a box, what travels beside the stream
ONE = 0.4, 3.0  # of the widest body there, at least and at most, by one that is tidied
TILE, INTO = (0.14, 0.12), (0.1, 0.12)  # beside hills, wide or upright: weights; an arrow to them
ACROSS = 4  # columns of weights that are drawn
ROOMY, LOWER = 0.96, 0.7  # of what is free there, the sums; of a row, their height
BEFORE = 0.085  # of a way's width, before the sum and after it, where the stream waits


class Way(VGroup):
    """A step beside the stream: what it reads is tidied (`on_copy`), or the sum is.

    Two ways differ only in where the box stands that tidies. The stream ends in it, or grown; what
    `came` stays, faint. The box of the step before, `earlier`, stands where the stream begins.
    """

    def __init__(
        self, region: Region, role: Role, ends: tuple[Tidied, Tidied], *, on_copy: bool
    ) -> None:
        stops = *STOPS, TIDIED[on_copy]
        xs = [region.left + x * region.width for x in stops]
        low = self._make_rails(region, role, xs, on_copy=on_copy)
        self._set_scale(ends, region)
        self.norm.add(self._marks(self.norm[0]))
        self.ticks = VGroup(*(self._tick(end, side) for end, side in self._ends(self.norm[0])))
        self._make_bodies(ends, xs, low, region, on_copy=on_copy)
        self.earlier = self.norm.copy().set_x(xs[0])
        self.rails = [*self.lines, self.layer, self.plus, self.named]
        moved = *self.made, self.stream, self.copy_of_it
        super().__init__(
            *self.lines, *self.boxes, self.earlier, *moved, self.plus, self.ticks, self.named
        )

    def flow(self) -> Verb:
        """Return how a copy goes to the step, and what that finds is added to the stream."""
        return Then(self.find(), *self.go_on())

    def find(self) -> Verb:
        """Return how a copy goes to the step, and what that finds is added to the stream."""
        stream, copy = self.stream, self.copy_of_it
        *legs, last = self._legs(copy, self.ways_of_copy)
        added = Together(Become(stream, self.sum, QUICK), Disappear(copy, run_time=QUICK / 2))
        stays = Fade(self.came, to=theme.OUT_OF_FOCUS, run_time=HAIR)
        meet = Together(last, stays, Become(stream, self.meets, QUICK))
        return Then(Appear(copy, scale=1.0), *legs, meet, added)

    def go_on(self) -> list[Verb]:
        """Return how the sum goes on, and how it is tidied where the stream is."""
        return self._legs(self.stream, self.ways_of_sum)

    def _legs(self, body: Histogram, ways: Sequence[Histogram]) -> list[Verb]:
        """Return how a body goes its ways, and leaves in a box what it has become there."""
        legs = list[Verb]()
        for twin in ways:
            leg: Verb = Become(body, twin, QUICK)
            left = [Appear(made, scale=1.0, run_time=HAIR) for made, at in self.stays if at is twin]
            legs.append(Then(leg, *left) if left else leg)
        return legs

    def _make_rails(
        self, region: Region, role: Role, xs: Sequence[float], *, on_copy: bool
    ) -> float:
        """Make the lines, the boxes of the step and of what tidies; return the stream's level."""
        _, branch, layer, plus, _, norm = xs
        names = [Words(name, size=SPOKEN_SIZE) for name in ("step", "tidy")]
        self.plus = Chip("+", SPOKEN_SIZE)
        self.named = Words("stream", size=SPOKEN_SIZE).move_to(
            (region.left, region.bottom, 0), LEFT + DOWN
        )
        low = region.bottom + self.named.height + 2 * HAIR
        room = (region.top - low - names[0].height - 4 * HAIR) / 2 / OPEN
        self.tall = min(room, HIGHEST * WIDE * region.width)
        self.high = high = low + OPEN * self.tall + 2 * HAIR
        stations = [(branch, low), (branch, high), (plus, high), (plus, low)]
        stations = [(region.left, low), (region.right, low), *stations]
        first, last, *corners = (np.array((*station, 0.0)) for station in stations)
        self.lines = [Line(first, last), *(Line(*pair) for pair in pairwise(corners))]
        VGroup(*self.lines).set_stroke(theme.color(role), 2 * THIN_LINE)
        self.plus.plate.set_stroke(theme.color(role), THIN_LINE)
        self.plus.move_to((plus, low, 0))
        places = (layer, high), (norm, high if on_copy else low)
        self.layer, self.norm = self.boxes = [
            self._box(name, place, role, region) for name, place in zip(names, places, strict=True)
        ]
        return low

    def _set_scale(self, ends: tuple[Tidied, Tidied], region: Region) -> None:
        """Work out how wide a one is drawn: both ways have one ruler.

        In both the step reads the same, and finds the same.
        """
        before, after = ends
        self.found, self.read = after.vector.double - before.vector.double, before.tidied
        self.comes = before.vector.double
        ever = self.comes, self.found, self.comes + self.found, self.read + self.found
        widest = max(_reach(each) for each in ever)
        self.one = float(np.clip(1.0, ONE[0] * widest, ONE[1] * widest))
        self.unit = BODY * region.width / (2 * REACH * max(widest, self.one))

    def _make_bodies(
        self,
        ends: tuple[Tidied, Tidied],
        xs: Sequence[float],
        low: float,
        region: Region,
        *,
        on_copy: bool,
    ) -> None:
        """Make what stands on the lines, wherever it is on its way."""
        start, branch, layer, plus, end, norm = xs
        found, high, read = self.found, self.high, self.one * self.read
        comes = self.comes if on_copy else read  # tidied by the step before
        whole = found + (self.comes if on_copy else self.read)
        self.stream, self.copy_of_it = (self._body(comes, start, low) for _ in range(2))
        between = (norm + layer) / 2  # smaller on its way from box to box, it hides no edge
        tidied = [
            self._body(comes, norm, high),
            self._body(read, norm, high),
            self._body(read, between, high, small=True),
        ] * on_copy
        self.ways_of_copy = [
            self._body(comes, branch, low, small=True),
            self._body(comes, branch, high, small=True),
            *tidied,
            self._body(read, layer, high),
            self._body(found, layer, high, OUTPUT),
            self._body(found, plus, high, OUTPUT, small=True),
            self._body(found, plus, float(self.plus.get_top()[1]), OUTPUT, small=True),
        ]
        aside = BEFORE * region.width + self.plus.width / 2
        self.meets, self.sum = self._body(comes, plus - aside, low), self._body(whole, plus, low)
        self.sum.shift(aside * RIGHT)
        free = whole - (np.mean(whole) if ends[0].middle else 0.0)
        sized = self.one * free / float(np.sqrt(np.mean(free**2)) or 1.0)
        out = [(whole, end)] if on_copy else [(whole, norm), (sized, norm)]
        self.ways_of_sum = [self._body(numbers, x, low) for numbers, x in out]
        stay = *tidied[1:2], self.ways_of_copy[-3]
        self.stays = [(at.copy(), at) for at in stay]
        self.came = self.stream.copy()
        self.made = [self.came, *(made for made, _ in self.stays)]

    def _box(self, name: Words, place: tuple[float, float], role: Role, region: Region) -> VGroup:
        """Return an open box, in which one sees what it does, its name over it."""
        box = Rectangle(width=WIDE * region.width, height=OPEN * self.tall)
        box.set_stroke(theme.color(role), THIN_LINE).set_fill(theme.color(PANEL), 1)
        box.move_to((*place, 0), DOWN)
        return VGroup(box, name.next_to(box, UP, buff=HAIR))

    def _marks(self, box: VMobject) -> VGroup:
        """Return lines at minus one and one, as what is tidied is drawn, across a box."""
        y, half, ends = box.get_y(), box.height / 2, self._ends(box)
        lines = VGroup(*(Line((end, y - half, 0), (end, y + half, 0)) for end, _ in ends))
        return lines.set_stroke(theme.color(QUIET), THIN_LINE / 2)

    def _ends(self, box: VMobject) -> list[tuple[float, int]]:
        """Return where minus one and one are in a box, as what is tidied is drawn."""
        return [(float(box.get_x()) + side * self.one * self.unit, side) for side in (-1, 1)]

    def _tick(self, x: float, side: int) -> Number:
        """Return what is told under the box in which numbers are tidied: minus one, or one."""
        tick = Number(count(side, "a mark of the ruler"), 0, PLAIN_SIZE, QUIET)
        middle, apart = float(self.norm[0].get_x()), (tick.width + HAIR) / 2
        x = middle + side * max(abs(x - middle), apart)
        return tick.move_to((x, self.norm[0].get_bottom()[1] - HAIR, 0), UP)

    def _body(
        self, numbers: Floats, x: float, y: float, role: Role = POSITIVE, *, small: bool = False
    ) -> Histogram:
        """Return how often numbers come, as it stands on the lines."""
        size = ON_RAILS if small else 1.0
        body = Histogram(numbers, (x, y), size * self.unit, size * self.tall, BINS)
        return body.set_color(theme.color(role))


def _reach(numbers: Floats) -> float:
    """Return how far numbers spread, and the more if their middle is not zero."""
    return float(np.std(numbers) + np.abs(np.mean(numbers)) / REACH)


def _spread(each: Tidied) -> Words:
    """Return how far numbers spread, in words."""
    told = f"spread {{:.{needed_decimals([each.spread], 1)}f}}"
    return Words(told, each.spread, size=SPOKEN_SIZE)


class Reading(VGroup):
    """What the same weights (numbers, sums) make of the first and the last row: a heap beside each.

    Parts: some of the weights as a `tile`, and names of both columns; a `ruler` of the sums, where
    they have the rows' scale. The `sums` are as the rows are, and as once they are tidied, and so
    are `arrows`, from each row to the tile, and on to what comes out; over each heap is told how
    far it spreads (`told`), and between both, how many `times` as far one does as the other.
    """

    def __init__(
        self, rows: Hills, weights: Tensor, made: Sequence[Sequence[Tidied]], region: Region
    ) -> None:
        self.ends = ends = rows.shapes[0], rows.shapes[-1]
        left, right = rows.right + GAP, region.right
        low, high = ends[1].foot[1], float(ends[0].get_top()[1])
        wide, step = (part[rows.upright] * (right - left) for part in (TILE, INTO))
        some = weights.array[: max(1, int((high - low) / wide * ACROSS)), :ACROSS]
        self.tile = Heat(some, (wide, high - low)).set_stroke(theme.color(BACKGROUND), THIN_LINE)
        self.tile.move_to((left + step, low, 0), LEFT + DOWN)
        half = (right - left - wide - 2 * step) / 2
        middle = right - half
        widest = [max(each.spread.number for each in pair) for pair in made]
        fits = [ROOMY * half / (REACH * each) for each in widest]
        units = [min(fits) if fit < MOST_RATIO * min(fits) else fit for fit in fits]
        self.ruler = list[VMobject]()
        if min(fits) > rows.unit and not rows.rescales:  # then both have one scale
            units = [rows.unit] * len(units)
            self._make_ruler(rows, middle)
        self.sums, self.told = list[list[Histogram]](), list[list[Words]]()
        for pair, by in zip(made, units, strict=True):
            both = list(zip(pair, ends, strict=True))
            self.sums.append(
                [
                    Histogram(
                        each.vector.double,
                        (middle, end.foot[1]),
                        by,
                        LOWER * end.height,
                        BINS,
                        role=ACCENT,
                    )
                    for each, end in both
                ]
            )
            self.told.append(
                [
                    _spread(each)
                    .shrink_to(2 * half)
                    .next_to((middle, end.foot[1] + LOWER * end.height, 0), UP, buff=HAIR)
                    for each, end in both
                ]
            )
        ones = middle - rows.unit if self.ruler else right
        self.arrows = [
            [
                self._through(end, rows, min(float(heap.get_left()[0]), ones), tidy=bool(tidy))
                for end, heap in zip(ends, heaps, strict=True)
            ]
            for tidy, heaps in enumerate(self.sums)
        ]
        one, other = made[0]
        times = other.spread / one.spread
        self.times = Words("{:.0f} times as wide", times, size=SPOKEN_SIZE, role=ACCENT)
        between = (ends[0].foot[1] + float(self.told[0][1].get_top()[1])) / 2
        self.times.shrink_to(2 * half).move_to((middle, between, 0))
        heads = ("weights", left + step + wide / 2), ("sums", middle)
        self.heads = [
            Words(name, size=SPOKEN_SIZE).move_to((x, region.top, 0), UP) for name, x in heads
        ]
        name, beside = self.heads
        beside.shift((name.baseline - beside.baseline) * UP)
        if name.get_right()[0] + HAIR > beside.get_left()[0]:
            beside.next_to(name, DOWN, buff=HAIR).set_x(middle)
        super().__init__(self.tile, *self.ruler, *self.heads, *chain(*self.sums, *self.told))
        self.add(self.times, *chain(*chain(*self.arrows)))

    def come(self) -> Verb:
        """Return how the weights come, and their name."""
        return Appear(self.tile, self.heads[0])

    def read(self, *, tidy: bool = False) -> Verb:
        """Return how both rows, one after the other, go into the weights, and sums come out."""
        read = list[Verb]()
        ways = zip(self.ends, self.arrows[tidy], self.sums[tidy], strict=True)
        for end, (into, out), heap in ways:
            comes = Together(Draw(out, run_time=QUICK / 2), Then(Hold(QUICK / 4), pile(heap)))
            read.append(Then(Together(Pulse(end), Draw(into, run_time=QUICK)), comes))
        return Together(Appear(self.heads[1], *self.ruler, run_time=QUICK), Then(*read))

    def compare(self, *, tidy: bool = False) -> Verb:
        """Return how it is told how far both heaps spread, or how many times as far one does."""
        told = self.told[tidy]
        seen = (Then(Appear(each), Pulse(each)) for each in told)
        whole = Then(Disappear(*told, run_time=QUICK), Appear(self.times), Pulse(self.times))
        return Then(*seen, *[whole] * (not tidy))

    def again(self, which: int) -> Verb:
        """Return how one row is read once more by the same weights."""
        into, _ = self.arrows[0][which]
        goes = Together(Pulse(self.ends[which], run_time=QUICK), Draw(into, run_time=QUICK))
        return Then(goes, Pulse(self.tile, scale=1.04))

    def _make_ruler(self, rows: Hills, middle: float) -> None:
        """Make lines at minus one and one where each heap of sums comes, and their numerals."""
        for side, mark in zip((-1, 1), rows.ruler[1::2], strict=True):
            x = middle + side * rows.unit
            for end in self.ends:
                foot, top = end.foot[1], end.foot[1] + LOWER * end.height
                line = Line((x, foot, 0), (x, top, 0))
                self.ruler.append(line.set_stroke(theme.color(QUIET), THIN_LINE))
            apart = max(rows.unit, (GAP + mark.width) / 2)
            self.ruler.append(mark.copy().set_x(middle + side * apart))

    def _through(self, end: Histogram, rows: Hills, comes: float, *, tidy: bool) -> list[Arrow]:
        """Return an arrow from a row to the weights, and one on to what comes out, at its edge."""
        arrows, y = [Arrow(theme.color(INK)) for _ in range(2)], float(end.foot[1] + end.height / 3)
        ones = rows.ratio * rows.unit if tidy else rows.unit
        reach = REACH * ones if tidy else float(end.get_right()[0]) - rows.middle
        goes = min(rows.middle + max(reach, ones), rows.right)
        edges = (float(self.tile.get_left()[0]), float(self.tile.get_right()[0]))
        for arrow, ends in zip(arrows, ((goes, edges[0]), (edges[1], comes)), strict=True):
            arrow.point(np.array((ends[0] + HAIR, y)), np.array((ends[1] - HAIR, y)))
        return arrows
