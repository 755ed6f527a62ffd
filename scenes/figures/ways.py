"""A step beside the stream, and what flows through both to where it is brought to one size.

way = Way(region, KEY, (before, after), on_copy=True)
yield Draw(*way.lines), Appear(*way.boxes, way.stream)
yield way.flow()          # a copy goes to the step, and what that finds is added; in the boxes
                          # stays what each has made (`made`)
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
from scenes.mobjects.outlines import Filled, rectangles
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
    BOLD_LINE,
    GAP,
    HAIR,
    INK,
    OUTPUT,
    PANEL,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    Role,
)
from scenes.verbs import (
    Appear,
    Become,
    Disappear,
    Draw,
    Hold,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

STOPS = 0.08, 0.19, 0.49, 0.62, 0.905  # of its width: start, branch, step, sum, end
TIDIED = 0.745, 0.31  # of its width, where the stream is tidied, or a copy
BODY, WIDE = 0.15, 0.165  # of a way's width, by what travels along it, and by a box
HIGHEST = 2.0  # of a box's width, its height
OPEN = 1.15  # times as high as what travels, a box
ON_RAILS = 0.45  # of its size in a box, what travels beside the stream
ONE = 0.4, 3.0  # of the widest body there, at least and at most, by one that is tidied
TILE, INTO = (0.14, 0.12), (0.1, 0.08)  # beside hills, wide or upright: weights; an arrow to them
ACROSS = 4  # columns of weights that are drawn
ROOMY, HEAP = 0.96, (0.9, 2.0)  # of what is free there, the sums; of their width, their height
READ = INK, ACCENT  # the first row's way through the weights, and the last one's
VEILS = 0.5, 0.12  # inner heaps' fills, of what is as it was, and tidied
MOST_BRICKS, SEAM, THICK = 60, 0.12, 0.22  # bricks in a row, of one the seam, scene units
BEFORE = 0.085  # of a way's width, before the sum, where the stream waits for what is added


class Way(VGroup):
    """A step beside the stream: what it reads is tidied (`on_copy`), or the sum is.

    Two ways differ only in where the box stands that tidies.
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
        super().__init__(
            *self.lines, *self.boxes, self.plus, *self.made, self.stream, self.copy_of_it
        )
        self.add(self.ticks)

    def flow(self) -> Verb:
        """Return how a copy goes to the step, and what that finds is added to the stream."""
        stream, copy = self.stream, self.copy_of_it
        *legs, last = self._legs(copy, self.ways_of_copy)
        added = Together(Become(stream, self.sum, QUICK), Disappear(copy))
        on = self._legs(stream, self.ways_of_sum)
        meet = Together(last, Become(stream, self.meets, QUICK))
        return Then(Appear(copy, scale=1.0), *legs, meet, added, *on)

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
        low = region.bottom + self.plus.height / 2
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

        Both have the same stream, and find the same.
        """
        before, after = ends
        self.found, self.read = after.vector.double - before.vector.double, before.tidied
        self.comes = before.vector.double
        ever = (self.comes + self.found, self.comes, self.found)
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
        found, comes, high = self.found, self.comes, self.high
        read = self.one * self.read
        self.stream, self.copy_of_it = (self._body(comes, start, low) for _ in range(2))
        tidied = [self._body(comes, norm, high), self._body(read, norm, high)] if on_copy else []
        self.ways_of_copy = [
            self._body(comes, branch, low, small=True),
            self._body(comes, branch, high, small=True),
            *tidied,
            self._body(read if on_copy else comes, layer, high),
            self._body(found, layer, high, OUTPUT),
            self._body(found, plus, high, OUTPUT, small=True),
            self._body(found, plus, low, OUTPUT, small=True),
        ]
        self.meets = self._body(comes, plus - BEFORE * region.width - self.plus.width / 2, low)
        self.sum = self._body(comes + found, plus, low)
        whole = comes + found - (np.mean(comes + found) if ends[0].middle else 0.0)
        sized = self.one * whole / float(np.sqrt(np.mean(whole**2)) or 1.0)
        out = [(comes + found, end)]
        if not on_copy:
            out = [(comes + found, norm), (sized, norm), (sized, end)]
        self.ways_of_sum = [self._body(numbers, x, low) for numbers, x in out]
        tidied_at = self.ways_of_copy[3] if on_copy else self.ways_of_sum[1]
        self.stays = [(at.copy(), at) for at in (tidied_at, self.ways_of_copy[-3])]
        self.made = [made for made, _ in self.stays]

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
        return tick.move_to((x, self.norm[0].get_bottom()[1] - HAIR, 0), UP - side * RIGHT)

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


class Reading(VGroup):
    """What the same weights (numbers, sums) make of the first and the last row: two heaps.

    Parts: some of the weights as a `tile`, and names of both columns; `arrows` from each row to
    it, and on to what comes out. The `sums` stand over one zero, one heap within the other: of the
    rows as they are, and once they are tidied. Under the first ones is a row of `bricks`, each as
    long as the first heap, and beside them is told how many `times` as wide is the last one.
    """

    def __init__(
        self, rows: Hills, weights: Tensor, made: Sequence[Sequence[Tidied]], region: Region
    ) -> None:
        ends = rows.shapes[0], rows.shapes[-1]
        left, right = rows.right + GAP, region.right
        low, high = ends[1].foot[1], float(ends[0].get_top()[1])
        wide, step = (part[rows.upright] * (right - left) for part in (TILE, INTO))
        tall = high - low
        some = weights.array[: max(1, int(tall / wide * ACROSS)), :ACROSS]
        self.tile = Heat(some, (wide, tall)).set_stroke(theme.color(BACKGROUND), THIN_LINE)
        self.tile.move_to((left + step, low, 0), LEFT + DOWN)
        half = (right - left - wide - 2 * step) / 2
        middle = right - half
        self.ends = ends
        self.arrows = [
            self._through(end, role, left, step, wide) for end, role in zip(ends, READ, strict=True)
        ]
        one, other = made[0]
        self.times = Words("{:.0f} times as wide", other.spread / one.spread, size=SPOKEN_SIZE)
        self.times.shrink_to(2 * half)
        heap = min(tall - self.times.height - GAP, HEAP[rows.upright] * 2 * half)
        self.times.move_to((middle, low + heap + GAP, 0), DOWN)
        widest = [max(each.spread.number for each in pair) for pair in made]
        fits = [ROOMY * half / (REACH * each) for each in widest]
        units = [min(fits) if fit < MOST_RATIO * min(fits) else fit for fit in fits]
        self.sums = [
            [
                Histogram(each.vector.double, (middle, low), by, heap, BINS, role=role)
                for each, role in zip(pair, READ, strict=True)
            ]
            for pair, by in zip(made, units, strict=True)
        ]
        for (inner, _), veil in zip(self.sums, VEILS, strict=True):
            inner.set_fill(opacity=veil).set_stroke(width=BOLD_LINE)
        spreads = one.spread.number, other.spread.number
        self.bricks = Bricks((middle, low - HAIR), 2 * REACH * units[0] * spreads[0], spreads)
        heads = ("weights", left + step + wide / 2), ("sums", middle)
        self.heads = [
            Words(name, size=SPOKEN_SIZE).move_to((x, region.top, 0), UP) for name, x in heads
        ]
        name, beside = self.heads
        beside.shift((name.baseline - beside.baseline) * UP)
        if name.get_right()[0] + HAIR > beside.get_left()[0]:
            beside.next_to(name, DOWN, buff=HAIR).set_x(middle)
        super().__init__(self.tile, *chain.from_iterable(self.arrows), *self.heads)
        self.add(*(heap for pair in self.sums for heap in pair[::-1]), self.bricks, self.times)

    def come(self) -> Verb:
        """Return how the weights come, and the names of both columns."""
        return Appear(self.tile, *self.heads)

    def read(self, *, tidy: bool = False) -> Verb:
        """Return how both rows, one after the other, go into the weights, and sums come out."""
        read = list[Verb]()
        for end, (into, out), made in zip(self.ends, self.arrows, self.sums[tidy], strict=True):
            comes = Together(Draw(out, run_time=QUICK / 2), Then(Hold(QUICK / 4), pile(made)))
            read.append(Then(Together(Pulse(end), Draw(into, run_time=QUICK)), comes))
        return Then(*read)

    def compare(self) -> Verb:
        """Return how it is seen how many of the first heap are as wide as the last one."""
        bricks = self.bricks
        grown = Vary(bricks.lay, 1.0, bricks.times, SLOW) if bricks.times else Hold(QUICK)
        lone = Appear(bricks, scale=1.0, run_time=QUICK / 2), Pulse(self.sums[0][0])
        return Then(Together(lone), grown, Appear(self.times), Pulse(self.times))

    def again(self, which: int) -> Verb:
        """Return how one row is read once more by the same weights."""
        into, _ = self.arrows[which]
        goes = Together(Pulse(self.ends[which], run_time=QUICK), Draw(into, run_time=QUICK))
        return Then(goes, Pulse(self.tile, scale=1.04))

    def _through(
        self, end: Histogram, role: Role, left: float, step: float, wide: float
    ) -> list[Arrow]:
        """Return an arrow from a row to the weights, and one from there to what comes out."""
        arrows, y = (
            [Arrow(theme.color(role)) for _ in range(2)],
            float(end.foot[1] + end.height / 3),
        )
        for arrow, x in zip(arrows, (left, left + step + wide), strict=True):
            arrow.point(np.array((x + HAIR / 2, y)), np.array((x + step - HAIR / 2, y)))
        return arrows


class Bricks(Filled):
    """Bricks in a row under a `place`, each as `long` as something, that fill what is longer.

    How many `times` as long that is says the quotient of two sizes. There are none, and it is 0,
    where that is no more than one, or more than can be told apart.
    """

    def __init__(self, place: tuple[float, float], long: float, sizes: tuple[float, float]) -> None:
        times = sizes[1] / sizes[0]
        self.times = times if 1 < times < MOST_BRICKS else 0.0
        self.place, self.long = place, long
        super().__init__(np.zeros((0, 3)), INK, STRONGEST_FILL)
        self.lay(min(1.0, self.times))

    def lay(self, times: float) -> None:
        """Lay so many of them, to both sides alike."""
        (x, top), half, side = self.place, times * self.long / 2, int(self.times / 2 + 1)
        ends = np.arange(-side - 0.5, side + 1) * self.long
        seam = SEAM * self.long / 2
        left, right = (ends[:-1] + seam).clip(-half, half), (ends[1:] - seam).clip(-half, half)
        self.points = rectangles(x + left, top - THICK, x + right, top)
