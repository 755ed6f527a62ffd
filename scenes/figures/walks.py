"""A sum on its way: a line that steps aside by one number after another; how far sums stray.

walk = Walk(products, origin, unit=0.4, drop=0.3)       # a running sum
yield Vary(walk.reach, 0, 16)                           # it takes sixteen steps
spreads = Spreads(samples, region, wandering)           # how far sums of more and more stray
yield Vary(spreads.step_back, 0, 1)                     # wider bells, as soon as all of one is seen
yield spreads.write_roots()                             # what they are divided by
yield spreads.divide()                                  # by the root of their number: all narrow
yield spreads.come_nearer()                             # all as wide as the widest was
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from manim import Dot, Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.softmax import standard_deviation
from scenes.mobjects.plot import REACH, WAIST, Bell
from scenes.mobjects.text import Number, Rooted, Words
from scenes.presence import parts_of, set_presence
from scenes.provenance import Tensor, constant, count, entry_count, root
from scenes.region import Region
from scenes.verbs import (
    Appear,
    Count,
    Disappear,
    Draw,
    Flow,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

DRAWN = 10  # random sums, of which one is followed, the one that ends farthest from zero
TICKS = 2  # to either side of zero
PILED = 0.75  # of a region's height, how often walks end where
RANDOM = "random vectors,", "entries about", "one in size"
UNDER, LINE = 1.3, 1.15  # ems, from a number to the word under it; from line to line of a note
SIGNS = theme.POSITIVE, theme.NEGATIVE
SOON = 4.0  # times as fast as a bell piles up, it is there
EARLIEST, ARRIVED = 0.3, 0.75  # of the time in which bells pile up: the first one, the last


class Walk(VGroup):
    """The running sum of `steps`, as a line from the top down.

    It begins at `origin`; a step goes down by `drop` scene units and aside by its number times
    `unit`. A step's colour says its sign.
    """

    def __init__(
        self, steps: Floats, origin: tuple[float, float], unit: float, drop: float
    ) -> None:
        self._is_negative = steps < 0
        super().__init__(*(VMobject() for _ in SIGNS))
        for line, role in zip(self, SIGNS, strict=True):
            line.set_stroke(theme.color(role), 2 * theme.BOLD_LINE)
        across = unit * np.cumsum([0.0, *steps])
        down = -drop * np.arange(len(across))
        self._corners = np.column_stack([across, down, np.zeros(len(across))]) + (*origin, 0.0)
        self.reach(float(len(steps)))

    def reach(self, steps: float) -> None:
        """Show only so many steps, the last of them in part."""
        starts, ends = self._corners[:-1], self._corners[1:]
        share = np.clip(steps - np.arange(len(starts)), 0.0, 1.0)  # of each step
        tips = starts + share[:, None] * (ends - starts)
        for line, kind in zip(self, (~self._is_negative, self._is_negative), strict=True):
            taken = kind & (share > 0)
            one, other = starts[taken], tips[taken]
            thirds = [one, (2 * one + other) / 3, (one + 2 * other) / 3, other]
            line.points = np.stack(thirds, axis=1).reshape(-1, 3)


class Level(VGroup):
    """How far sums of so many random products stray: a bell in a row, between its numbers.

    On the left stands how many products there are, the `entries`, then the `root`; on the right
    the spread, `measured`, and `over`, what it is divided by. What that number is, `named`, the
    first one says for all. In a narrow row numbers are smaller and have fewer words.
    """

    def __init__(self, query: Tensor, dots: Tensor, row: Region, *, first: bool = False) -> None:
        narrow, count = row.is_narrow, entry_count(query)
        size = theme.SPOKEN_SIZE if narrow else theme.TITLE_SIZE
        self.row, self.by, self.value = row, root(count), standard_deviation(dots)
        foot = float(row.center[0]), row.bottom
        self.bell = Bell(dots.double, foot, 1.0, row.height)
        known = (count,) if narrow else (count, self.by)
        self.entries = Words("{}" if narrow else "{} products", count, size=size)
        self.root = Rooted("{}" if narrow else "{} = {}", *known, size=size)
        self.named = Words("spread", size=size)
        self.measured = Number(self.value, 1, size, anchor=LEFT)
        self.over = Words("/ {}", self.by, size=size)
        self.told = [self.named, self.measured] if first else [self.measured]
        for each in (self.entries, self.root):
            each.move_to((row.left, row.bottom + WAIST * row.height, 0), LEFT)
        super().__init__(self.bell, self.entries, self.root, *self.told, self.over)

    def tell(self) -> Verb:
        """Draw how far the sums stray, and say it."""
        return Then(Draw(self.bell.spread), Appear(*self.told))

    def set_numbers(self, x: float) -> None:
        """Let the spread begin at x, on the level of its line in the bell."""
        low = self.row.bottom + WAIST * self.row.height - self.named.em / 3
        self.measured.shift(
            (x - float(self.measured.get_left()[0]), low - self.measured.baseline, 0)
        )
        self.over.shift(
            (self.row.right - float(self.over.get_right()[0]), low - self.over.baseline, 0)
        )
        before = x - theme.GAP - float(self.named.get_right()[0])
        if self.row.is_narrow:
            before = x - float(self.named.get_left()[0])
            low -= UNDER * self.named.em
        self.named.shift((before, low - self.named.baseline, 0))


class Spreads(VGroup):
    """How far sums of random products stray, for more and more of them: bells, one under another.

    A sample is queries and keys, (pairs, length) each, and their dot products. One of the bells
    stands at the foot of a region at first, as wide and high as it does in a `wandering`, its
    `first`. Parts: `levels`, one of each sample; `zoom`, how much closer one looks at the end.
    """

    def __init__(
        self, samples: Sequence[Sequence[Tensor]], region: Region, wandering: Wandering
    ) -> None:
        region = replace(region, bottom=wandering.floor)
        rows = [replace(row, top=row.top - theme.GAP) for row in region.rows(len(samples))]
        self.levels = [
            Level(q[0], dots, row, first=row is rows[0])
            for (q, _, dots), row in zip(samples, rows, strict=True)
        ]
        room = max(level.measured.width + level.over.width for level in self.levels) + theme.GAP
        for level in self.levels:
            level.set_numbers(region.right - room)
        half = region.width / 2 - 2 * theme.GAP - (0.0 if region.is_narrow else room)
        self.units = [half / (REACH * level.value.number) for level in self.levels]
        lengths = [q.shape[1] for q, _, _ in samples]
        self.first, self.start = self.levels[lengths.index(wandering.steps)], wandering.often
        self.floor = region.bottom
        self.share = self.divided = self.near = 0.0
        self.widest = max((level.by for level in self.levels), key=lambda by: by.number)
        self.zoom = Words(
            "zoom \N{MULTIPLICATION SIGN} {:.3g}", self.widest, size=theme.SPOKEN_SIZE
        )
        self.zoom.move_to((region.right, region.top, 0), RIGHT + UP)
        super().__init__(*self.levels, self.zoom)
        self.step_back(0.0)

    def step_back(self, share: float) -> None:
        """Let the frame hold wider and wider bells, and let them pile up as it does."""
        self.share = share
        self._draw()
        for level, begins in zip(self.levels, self._begins(), strict=True):
            bell = [] if level is self.first else level.bell.sides
            for part in (*bell, *parts_of(level.entries)):
                set_presence(part, min(1.0, SOON * self._piled(begins)))

    def write_roots(self) -> Verb:
        """Say what each spread is divided by."""
        over = (Then(Pulse(each.root), Appear(each.over)) for each in self.levels)
        return Flow(over, theme.STEADY)

    def divide(self) -> Verb:
        """Let every sum be divided by the root of its number of products, as measured spreads."""
        gone = Disappear(*(part for each in self.levels for part in (each.measured, each.over)))
        counts = [Count(each.measured, each.value / each.by, theme.HAIR) for each in self.levels]
        narrow = Together(Vary(self.share_out, 0, 1, theme.SLOW), gone)
        told = Appear(*(each.measured for each in self.levels))
        return Then(narrow, Together(counts), told)

    def come_nearer(self) -> Verb:
        """Look at all from so near that they are as wide as the widest was."""
        return Together(Appear(self.zoom), Vary(self.look_from, 0, 1, theme.SLOW))

    def share_out(self, share: float) -> None:
        """Divide the sums by a power of the root."""
        self.divided = share
        self._draw()

    def look_from(self, share: float) -> None:
        """Be so far on the way nearer."""
        self.near = share
        self._draw()

    def _begins(self) -> Floats:
        """Return from where on the way back each bell piles up: the frame holds it then."""
        back = np.log(self.start.unit / np.array(self.units)) / self._far
        return np.asarray(np.clip(ARRIVED * back, EARLIEST, ARRIVED))

    def _piled(self, begins: float) -> float:
        return float(smooth(np.clip((self.share - begins) / (1 - ARRIVED), 0.0, 1.0)))

    @property
    def _far(self) -> float:
        """How far the frame steps back, as a logarithm."""
        return max(float(np.log(self.start.unit / min(self.units))), 1e-9)

    def _draw(self) -> None:
        way = min(self.share / ARRIVED, 1.0)
        unit = self.start.unit * np.exp(-way * self._far)
        for level, begins in zip(self.levels, self._begins(), strict=True):
            low, high = level.row.bottom, level.row.height
            if level is self.first:
                still = 1.0 - float(smooth(min(self.share / EARLIEST, 1.0)))
                low += still * (self.floor - low)
                high += still * (self.start.high - high)
            else:
                high *= self._piled(begins)
            times = self.widest.number**self.near / level.by.number**self.divided
            level.bell.put(low, float(unit * times), high)


class Wandering(VGroup):
    """A sum of random products on its way, and where many such sums end, how often.

    Parts: `ground`, with the line of an axis, and its `ticks`; `walk`, a sum step by step; `end`, a
    point where it ends, and where that is; `taken` and `summed`, what goes down and across; `kind`,
    what is random; `often`, a bell, with `many`, how many sums there are, and `strays`, how far
    they stray. A sample is random queries and keys, (pairs, length) each, and their dot products.
    """

    def __init__(self, sample: Sequence[Tensor], region: Region) -> None:
        q, k, dots = sample
        spread = float(np.std(dots.double))
        self.steps, middle = q.shape[1], float(region.center[0])
        unit = (region.width / 2 - theme.GAP) / (REACH * spread)
        apart = round(self.steps**0.5)
        places = [constant(apart * each, "place on an axis") for each in range(-TICKS, TICKS + 1)]
        self.ticks = [Number(place, 0, theme.SPOKEN_SIZE, theme.QUIET) for place in places]
        self.floor = floor = region.bottom + self.ticks[0].height + 2 * theme.HAIR
        for tick in self.ticks:
            tick.move_to((middle + unit * tick.value.number, region.bottom, 0), DOWN)
        top = region.top
        far = int(np.abs(dots.double[:DRAWN]).argmax())
        products = q.double[far] * k.double[far]
        self.walk = Walk(products, (middle, top), unit, (top - floor) / self.steps)
        end = Dot((middle + unit * products.sum(), floor, 0), color=theme.color(theme.ACCENT))
        told = Number(dots[far].value, 1, theme.TITLE_SIZE, theme.ACCENT)
        outward = LEFT if products.sum() < 0 else RIGHT
        self.end = VGroup(end, told.next_to(end, UP + outward, buff=theme.HAIR))
        self.often = Bell(dots.double, (middle, floor), unit, PILED * (top - floor))
        marks = (
            Line(theme.HAIR * UP, theme.HAIR * DOWN).set_x(tick.get_x()) for tick in self.ticks
        )
        line = VGroup(
            Line((region.left, floor, 0), (region.right, floor, 0)),
            *(mark.set_y(floor) for mark in marks),
        )
        self.ground = VGroup(Line((middle, top, 0), (middle, floor, 0)), line)
        self.ground.set_stroke(theme.color(theme.QUIET), theme.THIN_LINE)
        sums = count(len(dots), "random sums"), entry_count(q[0])
        self.strays = Words("spread {:.1f}", standard_deviation(dots), size=theme.TITLE_SIZE)
        self.strays.next_to(self.often.spread.get_end(), RIGHT, buff=theme.GAP)
        self.strays.shift(self.strays.height / 2 * UP)  # over what the bell still has there
        self.kind = _lines(RANDOM)
        size, role = theme.SPOKEN_SIZE, theme.QUIET
        self.taken = Words("{} products", entry_count(q[0]), size=size, role=role)
        self.taken.next_to((middle, (top + floor) / 2, 0), -outward)
        self.summed = Words("their sum", size=size, role=role)
        self.summed.next_to((middle - outward[0] * region.width / 2, floor, 0), UP + outward)
        self.many = Words("{:,.0f} sums of {}", *sums, size=theme.SPOKEN_SIZE)
        aside = UP - outward  # the walk is on the other side
        x = region.left if products.sum() > 0 else region.right
        self.many.next_to(self.kind, DOWN, buff=theme.GAP, aligned_edge=LEFT)
        VGroup(self.kind, self.many).move_to((x, top, 0), aside)
        super().__init__(self.ground, *self.ticks, self.often, self.walk, *self.end, self.strays)
        self.add(self.kind, self.many, self.taken, self.summed)

    def pile_up(self) -> Verb:
        """Let many sums pile up where they end, instead of the walk, and say how many."""
        gone = Disappear(self.walk, self.end, self.taken, self.summed)
        sides = Appear(*self.often.sides, run_time=theme.HAIR)
        rise = Then(sides, Vary(self.often.pile, 0, 1, theme.SLOW))
        return Then(gone, Together(Appear(self.many), rise))


def _lines(lines: Sequence[str]) -> VGroup:
    """Return a note in lines whose baselines are evenly apart."""
    words = [Words(line, size=theme.SPOKEN_SIZE) for line in lines]
    for place, each in enumerate(words):
        each.align_to(words[0], LEFT).shift((-LINE * place * each.em - each.baseline) * UP)
    return VGroup(*words)
