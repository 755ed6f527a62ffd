"""Sums on their way: lines that step aside by one number after another, and how far they stray.

walks = Walks(products, origin, unit=0.4, drop=0.3)     # one line for each row of products
yield Vary(walks.reach, 0, 16)                          # all walks take sixteen steps
spreads = Spreads(samples, region, wandering)           # how far sums of more and more stray
yield Vary(spreads.step_back, 0, 1)                     # wider bells, as soon as all of one is seen
yield spreads.divide()                                  # by the root of their number: all narrow
yield spreads.come_closer()                             # all are as wide as the widest was
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.softmax import standard_deviation
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.plot import REACH, WAIST, Bell
from scenes.mobjects.text import Number, Rooted, Words
from scenes.mobjects.vector import LieDown
from scenes.presence import parts_of, set_presence
from scenes.provenance import Tensor, Value, count, entry_count, root
from scenes.region import Region, area_of
from scenes.verbs import (
    Appear,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

DRAWN = 3  # of random sums: few enough to follow each
PILED = 0.75  # of a region's height, how often walks end where
ZOOM = "zoom \N{MULTIPLICATION SIGN} {:.3g}"
RANDOM = "random vectors,", "entries about", "one in size"
STEP = "each step:", "one product"
UNDER = 1.3  # ems, from a number to the word under it
SIGNS = theme.POSITIVE, theme.NEGATIVE
CROWDED = 0.9  # opacity of a line among many
SOON = 4.0  # times as fast as a bell piles up, it is there
EARLIEST, ARRIVED = 0.3, 0.75  # of the time in which bells pile up: the first one, the last


class Walks(VGroup):
    """Running sums of the rows of `steps`, (walks, steps): lines from the top down.

    Each begins at `origin`; a step goes down by `drop` scene units and aside by its number times
    `unit`. A step's colour says its sign; of a `crowd`, lines are thinner and fainter.
    """

    def __init__(
        self,
        steps: NDArray[np.floating],
        origin: tuple[float, float],
        unit: float,
        drop: float,
        *,
        crowd: bool = False,
    ) -> None:
        is_negative = np.asarray(steps < 0)
        self._kinds = [~is_negative, is_negative]
        width, opacity = (1.5 * theme.BOLD_LINE, CROWDED) if crowd else (2 * theme.BOLD_LINE, 1.0)
        lines = (VMobject().set_stroke(theme.color(each), width, opacity) for each in SIGNS)
        super().__init__(*lines)
        across = unit * np.cumsum(np.pad(steps.astype(np.float64), ((0, 0), (1, 0))), axis=1)
        down = np.broadcast_to(-drop * np.arange(across.shape[1]), across.shape)
        self._corners = np.stack([across, down, np.zeros(across.shape)], axis=-1) + (*origin, 0.0)
        self.reach(float(steps.shape[1]))

    def reach(self, steps: float) -> None:
        """Show only so many steps, the last of them in part."""
        starts, ends = self._corners[:, :-1], self._corners[:, 1:]
        share = np.clip(steps - np.arange(starts.shape[1]), 0.0, 1.0)  # of each step
        tips = starts + share[:, None] * (ends - starts)
        for part, kind in zip(self.submobjects, self._kinds, strict=True):
            taken = kind & (share > 0)
            one, other = starts[taken], tips[taken]
            thirds = [one, (2 * one + other) / 3, (one + 2 * other) / 3, other]
            part.points = np.stack(thirds, axis=1).reshape(-1, 3)


class Level(VGroup):
    """How far sums of so many random products stray: a bell in a row, between its numbers.

    On the left stands how many products there are, the `entries`, then the `root`; on the right
    the spread, `measured`, and `over`, what it is divided by. What that number is, `named`, the
    first one says for all. In a narrow row numbers are smaller and have fewer words.
    """

    def __init__(
        self, query: Tensor, dots: Tensor, row: Region, side: int, *, first: bool = False
    ) -> None:
        narrow, count = row.is_narrow, entry_count(query)
        size = theme.SPOKEN_SIZE if narrow else theme.TITLE_SIZE
        self.row, self.by, self.value = row, root(count), standard_deviation(dots)
        foot = float(row.center[0]), row.bottom
        self.bell = Bell(dots.double, foot, 1.0, row.height, side)
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
    `first`. Parts: `levels`, one of each sample; `nearer`, how much closer one looks at the end.
    """

    def __init__(
        self, samples: Sequence[Sequence[Tensor]], region: Region, wandering: Wandering
    ) -> None:
        rows = [replace(row, top=row.top - theme.GAP) for row in region.rows(len(samples))]
        self.levels = [
            Level(q[0], dots, row, wandering.side, first=row is rows[0])
            for (q, _, dots), row in zip(samples, rows, strict=True)
        ]
        room = max(level.measured.width + level.over.width for level in self.levels) + theme.GAP
        for level in self.levels:
            level.set_numbers(region.right - room)
        self.nearer = Words(ZOOM, self.levels[-1].by, size=theme.SPOKEN_SIZE)
        self.nearer.move_to((region.right, region.top, 0), RIGHT + UP)
        half = region.width / 2 - 2 * theme.GAP - (0.0 if region.is_narrow else room)
        self.units = [half / (REACH * level.value.number) for level in self.levels]
        lengths = [q.shape[1] for q, _, _ in samples]
        self.first, self.start = self.levels[lengths.index(wandering.steps)], wandering.often
        self.floor = region.bottom
        self.share = self.divided = self.zoomed = 0.0
        super().__init__(*self.levels, self.nearer)
        self.step_back(0.0)

    def step_back(self, share: float) -> None:
        """Let the frame hold wider and wider bells, and let them pile up as it does."""
        self.share = share
        self._draw()
        for level, begins in zip(self.levels, self._begins(), strict=True):
            bell = [] if level is self.first else level.bell.sides
            for part in (*bell, *parts_of(level.entries)):
                set_presence(part, min(1.0, SOON * self._piled(begins)))

    def divide(self) -> Verb:
        """Let every sum be divided by the root of its number of products, as measured spreads."""
        over = (Together(Pulse(each.root), Appear(each.over)) for each in self.levels)
        gone = Disappear(*(part for each in self.levels for part in (each.measured, each.over)))
        counts = [Count(each.measured, each.value / each.by, theme.HAIR) for each in self.levels]
        narrow = Together(gone, Vary(self.share_out, 0, 1), Then(Hold(theme.QUICK), *counts))
        return Then(
            Together(over), Hold(theme.QUICK), narrow, Appear(*(e.measured for e in self.levels))
        )

    def share_out(self, share: float) -> None:
        """Divide the sums by a power of the root."""
        self.divided = share
        self._draw()

    def come_closer(self) -> Verb:
        """Look at what goes across from nearer: all bells are as wide as the widest was."""
        told = Flow((Pulse(level.measured) for level in self.levels), theme.STEADY)
        seen = Then(Hold(), Together(Appear(self.nearer), told))
        return Together(Vary(self.zoom, 0, 1, theme.SLOW), seen)

    def zoom(self, share: float) -> None:
        """Look from nearer, up to so many times as the last root."""
        self.zoomed = share
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
        unit = self.start.unit * np.exp(-way * self._far) * self.levels[-1].by.number ** self.zoomed
        for level, begins in zip(self.levels, self._begins(), strict=True):
            low, high = level.row.bottom, level.row.height
            if level is self.first:
                still = 1.0 - float(smooth(min(self.share / EARLIEST, 1.0)))
                low += still * (self.floor - low)
                high += still * (self.start.high - high)
            else:
                high *= self._piled(begins)
            level.bell.put(low, float(unit / level.by.number**self.divided), high)


class Wandering(VGroup):
    """A sum of products on its way, and under it where sums of random products end, how often.

    Parts: the `walk`, the `bar` that it ends at and its number, the `end`; a `crowd` of random
    walks, and their `ends`; `often`, a bell, and its number, `strays`; `step` says what a step is,
    `kind` what is random, `many` how many there are, and `zero` where all begin. A sample is random
    queries and keys, (pairs, length) each, and their dot products.
    """

    def __init__(
        self, product: Value, steps: Floats, sample: Sequence[Tensor], bar: VMobject, region: Region
    ) -> None:
        q, k, dots = sample
        random = (q.double * k.double)[:DRAWN]
        ways = steps.cumsum(), random.cumsum(axis=1), dots.double
        farthest = max(abs(each).max() for each in ways)
        self.end = Number(product, 2, theme.SPOKEN_SIZE)
        middle, aside = float(region.center[0]), self.end.width + 2 * theme.HAIR
        unit = (region.width / 2 - aside) / farthest
        self.zero = Words("zero", size=theme.SPOKEN_SIZE, role=theme.QUIET)
        self.zero.move_to((middle, region.top, 0), UP)
        top = region.top - self.zero.height - theme.HAIR  # no walk goes up
        level = region.bottom + max(theme.GAP, self.end.height + theme.HAIR)
        fall = top - region.bottom
        self.walk = Walks(steps[None], (middle, top), unit, (top - level) / steps.size)
        self.crowd = Walks(random, (middle, top), unit, fall / q.shape[1], crowd=True)
        self.steps, self.side = q.shape[1], -1 if product.number < 0 else 1
        sign = self.side
        ends = middle + unit * random.sum(axis=1)
        places = np.stack([ends, np.full(len(ends), region.bottom + theme.HAIR)], axis=1)
        self.ends = Filled(discs(places, np.full(len(ends), theme.HAIR)), theme.INK)
        self.often = Bell(dots.double, (middle, region.bottom), unit, PILED * fall, sign)
        self.ground = VGroup(
            Line((region.left, region.bottom, 0), (region.right, region.bottom, 0)),
            Line((middle, top, 0), (middle, region.bottom, 0)),
        ).set_stroke(theme.color(theme.QUIET), theme.THIN_LINE)
        self.bar = bar.copy()
        ends = sorted((middle, middle + product.number * unit))
        self.box = Region(ends[0], max(ends[1], ends[0] + theme.HAIR), level - theme.GAP, level)
        low = level - theme.HAIR / 2 - self.end.height / 2  # under the walk
        self.end.move_to((middle + product.number * unit, low, 0), sign * LEFT)
        self.end.shift(sign * theme.HAIR * RIGHT)
        self.strays = Words("spread {:.1f}", standard_deviation(dots), size=theme.SPOKEN_SIZE)
        self.strays.next_to(self.often.spread.get_end(), sign * RIGHT, buff=theme.GAP)
        self.strays.shift(self.strays.height / 2 * UP)  # over what the bell still has there
        sums = count(len(dots), "random sums"), entry_count(q[0])
        self.many = Words("{:,.0f} sums of {}", *sums, size=theme.SPOKEN_SIZE)
        lines = [*(Words(line, size=theme.SPOKEN_SIZE) for line in RANDOM), self.many]
        for place, line in enumerate(lines):
            line.shift(line.get_left()[0] * LEFT + (place * UNDER * line.em + line.baseline) * DOWN)
        free = region.left if sign > 0 else region.right  # nothing ends there
        VGroup(*lines).move_to((free, region.top, 0), sign * LEFT + UP)
        self.kind = VGroup(*lines[:-1])
        step = (Words(line, size=theme.SPOKEN_SIZE) for line in STEP)
        self.step = VGroup(*step).arrange(DOWN, aligned_edge=LEFT, buff=theme.HAIR)
        self.step.move_to(self.kind, sign * LEFT + UP)
        super().__init__(self.ground, self.bar, self.crowd, self.walk, self.ends, self.often)
        self.add(self.end, self.strays, self.step, self.kind, self.many, self.zero)

    def pile_up(self) -> Verb:
        """Let many sums pile up where they end, instead of the walks, and say how many."""
        rise = Vary(self.often.pile, 0, 1, theme.SLOW)
        pile = (
            Appear(*self.often.sides, run_time=theme.HAIR),
            rise,
            Disappear(self.ends, run_time=theme.HAIR),
        )
        return Together(Appear(self.many), Disappear(self.crowd), Then(*pile))

    def look_at_sides(self) -> Verb:
        """Look at the sums below zero, then at those above it."""
        below, above = self.often.sides
        other = Together(Undim(above), Dim(below))
        return Then(Dim(above), Hold(theme.QUICK), other, Hold(theme.QUICK), Undim(below))

    def turn(self, own: VGroup) -> Verb:
        """Let a bar of the row with its numeral turn by a right angle to where the walk ends."""
        shape, number = own
        instead = Disappear(shape, run_time=theme.HAIR), Fade(self.bar, to=1.0, run_time=theme.HAIR)
        down = LieDown(
            [self.bar], area_of(shape), self.box, to_the_right=True, run_time=theme.STEADY
        )
        told = (
            Disappear(number, run_time=theme.QUICK / 2),
            Then(Hold(theme.STEADY), Appear(self.end)),
        )
        return Together(*instead, Then(Hold(theme.QUICK / 2), down), *told)
