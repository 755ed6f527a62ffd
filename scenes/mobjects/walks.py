"""Sums on their way: lines that step aside by one number after another, and how far they stray.

walks = Walks(products, origin, unit=0.4, drop=0.3)     # one line for each row of products
yield Vary(walks.reach, 0, 16)                          # all walks take sixteen steps
funnel = Funnel(samples, 50, region, (16, 0.4, 4.8))    # 50 of random queries and keys
yield Vary(funnel.step_back, 0, 1)                      # they go on, and the frame with them
yield Draw(funnel.band, *funnel.edges)                  # within the root of their number
yield funnel.divide()                                   # by that root: all of it is narrow then
yield Vary(funnel.come_closer, 0, 1)                    # it is as wide again as its foot was
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.softmax import standard_deviation
from scenes.mobjects.plot import Bell
from scenes.mobjects.text import Number, Rooted, Words, em_of
from scenes.mobjects.vector import LieDown
from scenes.presence import set_presence
from scenes.provenance import Tensor, Value, entry_count, root
from scenes.region import Region, area_of
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    FAINTEST_FILL,
    GAP,
    HAIR,
    INK,
    NEGATIVE,
    POSITIVE,
    QUICK,
    QUIET,
    REST,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Count, Disappear, Fade, Hold, Then, Together, Vary, Verb

Floats: TypeAlias = NDArray[np.float64]

DRAWN = 8  # of random sums: few enough to follow one
WANDERING = 0.62  # of a region's height, for walks; the rest is for how often they end where
AXES = "sum so far", "products added"
RANDOM = "random vectors,", "entries about", "one in size"
EDGE = 64  # points of the curve on which spreads lie
UNDER = 1.3  # ems, from a number to the word under it
FEWEST = 6  # steps, from which no sum goes beyond the numbers of its level
SIGNS = POSITIVE, NEGATIVE
CROWDED = 0.75  # opacity of a line among many
EARLIEST, ARRIVED = 0.3, 0.85  # of the time in which sums go on: the first level, all steps


class Walks(VGroup):
    """Running sums of the rows of `steps`, (walks, steps): lines from the top down.

    Each begins at `origin`; a step goes down by `drop` scene units and aside by its number times
    `unit`. A step's colour says its sign; of a `crowd`, lines are thin and faint.
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
        self._sums = np.cumsum(np.pad(steps.astype(np.float64), ((0, 0), (1, 0))), axis=1)
        self._origin, self._steps, self._first = (*origin, 0.0), float(steps.shape[1]), 0.0
        is_negative = np.asarray(steps < 0)
        self._kinds = [~is_negative, is_negative]
        width, opacity = (THIN_LINE, CROWDED) if crowd else (BOLD_LINE, 1.0)
        lines = (VMobject().set_stroke(theme.color(each), width, opacity) for each in SIGNS)
        super().__init__(*lines)
        self.look(unit, drop)

    def reach(self, steps: float) -> None:
        """Show only so many steps, the last of them in part."""
        self._steps = steps
        self._draw()

    def look(self, unit: float, drop: float, root: float = 0.0) -> None:
        """Draw them at another scale; with `root`, 0 to 1, divided by that power of the root.

        The root is that of the number of steps up to there; the first few, which stray beyond the
        frame then, are not drawn.
        """
        self._first = root * FEWEST
        taken = np.arange(self._sums.shape[1], dtype=np.float64)
        across = unit * self._sums / taken.clip(1.0) ** (root / 2)
        down = np.broadcast_to(-drop * taken, across.shape)
        self._corners = np.stack([across, down, np.zeros(across.shape)], axis=-1) + self._origin
        self._draw()

    def _draw(self) -> None:
        steps = self._steps
        starts, ends = self._corners[:, :-1], self._corners[:, 1:]
        share = np.clip(steps - np.arange(starts.shape[1]), 0.0, 1.0)  # of each step
        tips = starts + share[:, None] * (ends - starts)
        for part, kind in zip(self.submobjects, self._kinds, strict=True):
            taken = kind & (share > 0) & (np.arange(len(share)) >= self._first)
            one, other = starts[taken], tips[taken]
            thirds = [one, (2 * one + other) / 3, (one + 2 * other) / 3, other]
            part.points = np.stack(thirds, axis=1).reshape(-1, 3)

    def tip(self) -> Floats:
        """Return the point at which the first walk ends."""
        return np.asarray(self._corners[0, -1])


class Level(VGroup):
    """How far sums of so many random products spread: a line in a fan, between its numbers.

    On the left stands how many products there are, the `entries`, then the `root`; on the right
    the spread, `measured`, and `over`, what it is divided by. What that number is, `named`, the
    first one says for all. Narrower, `stacked`, it is smaller and has fewer words.
    """

    def __init__(
        self, query: Tensor, dots: Tensor, *, first: bool = False, stacked: bool = False
    ) -> None:
        size = SPOKEN_SIZE if stacked else TITLE_SIZE
        count = entry_count(query)
        self.steps, self.by, self.value = count.number, root(count), standard_deviation(dots)
        self.spread = Line(LEFT, RIGHT, stroke_color=theme.color(INK), stroke_width=BOLD_LINE)
        self.stacked, known = stacked, (count,) if stacked else (count, self.by)
        self.entries = Words("{}" if stacked else "{} products", count, size=size)
        self.root = Rooted("{}" if stacked else "{} = {}", *known, size=size)
        self.named = Words("spread", size=size)
        self.measured = Number(self.value, 1, size, anchor=LEFT)
        self.over = Words("/ {}", self.by, size=size)
        named = [self.named] if first else []
        self.first = self.spread, self.entries, *named, self.measured
        super().__init__(*self.first, self.root, self.over)

    def put(self, at: Point3D, unit: float, aside: float) -> None:
        """Stand at a point in a fan, where one is `unit` long; numbers stand so far `aside`."""
        self.spread.put_start_and_end_on(at, at + self.value.number * unit * RIGHT)
        for each in (self.entries, self.root):
            each.move_to(at + (aside + GAP) * LEFT, RIGHT)
        x, low = float(at[0]) + aside + GAP, float(at[1]) - self.named.em / 3
        for part in (self.named, self.measured, self.over):
            part.shift((x - float(part.get_left()[0]), low - part.baseline, 0))
            if part is self.named and self.stacked:
                part.shift(UNDER * part.em * DOWN)
            else:
                x += part.width + GAP

    @property
    def sides(self) -> float:
        """How much room its wider side takes."""
        right = self.measured.width + self.over.width + GAP
        right += 0.0 if self.stacked else self.named.width + GAP
        return max(float(right), float(self.entries.width), float(self.root.width)) + GAP


class Funnel(VGroup):
    """Running sums of random products, and how far they spread at some lengths, in one frame.

    A sample is queries and keys, (pairs, length) each, and their dot products; shorter vectors are
    the beginnings of the longest, the last. At the `start` the frame holds so many steps; one is
    so wide, and all are so high, in scene units.

    Parts: `walks`; `levels`, one of each sample; `edges`, the curve of the root on both sides, and
    `band`, what lies between them.
    """

    def __init__(
        self,
        samples: Sequence[Sequence[Tensor]],
        walks: int,
        region: Region,
        start: tuple[int, float, float],
    ) -> None:
        self.start, unit, self.fall = start
        q, k, _ = samples[-1]
        steps = (q.double * k.double)[:walks]
        self.top = np.array([region.center[0], region.top, 0.0])
        self.high = region.height - GAP - region.is_narrow * UNDER * em_of(SPOKEN_SIZE)
        self.walks = Walks(steps, (float(self.top[0]), region.top), unit, 1.0, crowd=True)
        taken = np.arange(FEWEST, steps.shape[1]) + 1
        self.reach = float((abs(steps.cumsum(axis=1)[:, FEWEST:]) / np.sqrt(taken)).max())
        self.levels = [
            Level(q[0], dots, first=q is samples[0][0], stacked=region.is_narrow)
            for q, _, dots in samples
        ]
        self.edges = [VMobject(), VMobject()]
        for edge in self.edges:
            edge.set_stroke(theme.color(ACCENT), BOLD_LINE)
        self.band = VMobject(stroke_width=0, fill_color=theme.color(ACCENT))
        self.band.set_fill(opacity=FAINTEST_FILL / 3)
        super().__init__(self.band, self.walks, *self.edges, *self.levels)
        room = region.width / 2 - max(level.sides for level in self.levels)
        self.spreads = unit * self.start**0.5, room / self.reach
        self.divided = self.zoomed = 0.0
        self.step_back(0.0)

    def wander(self, steps: float) -> None:
        """Let all sums go so many steps, of those that the frame holds."""
        self.walks.reach(steps)

    def step_back(self, share: float) -> None:
        """Let sums go on, up to the most entries; the frame holds all of their way."""
        self.share = share
        self._draw()
        self.walks.reach(self.steps)
        for each in self.levels:
            walked = np.log(each.steps / self.start) / max(self._growth, 1e-9)
            begins = float(np.clip(walked * ARRIVED, EARLIEST, ARRIVED))
            for part in each.first:
                set_presence(part, float(np.clip((share - begins) / (1 - ARRIVED), 0.0, 1.0)))

    def divide(self) -> Verb:
        """Let every sum be divided by the root of its number of products, as measured spreads."""
        counts = [Count(each.measured, each.value / each.by, SLOW) for each in self.levels]
        gone = Disappear(*(each.over for each in self.levels), run_time=REST)
        return Then(gone, Together(Vary(self.share_out, 0, 1, SLOW), *counts))

    def share_out(self, share: float) -> None:
        """Divide the sums by a power of the root."""
        self.divided = share
        self._draw()

    def come_closer(self, share: float) -> None:
        """Look at what goes across from nearer, up to so many times as the last root."""
        self.zoomed = share
        self._draw()

    @property
    def steps(self) -> float:
        """How many steps the frame holds."""
        return float(self.start * np.exp(self._growth * min(self.share / ARRIVED, 1.0)))

    @property
    def _growth(self) -> float:
        return float(np.log(self.levels[-1].steps / self.start))

    def _draw(self) -> None:
        before, after = self.spreads  # in scene units, at the foot
        fall = (1 - self.share) * self.fall + self.share * self.high
        foot = (1 - self.share) * before + self.share * after
        drop, unit = fall / self.steps, foot / self.steps ** (0.5 * (1 - self.zoomed))
        self.walks.look(unit, drop, self.divided)
        taken = np.linspace(0.0, 1.0, EDGE) ** 2 * self.steps
        across = unit * taken.clip(self.divided) ** (0.5 * (1 - self.divided))
        sides = [np.column_stack([x, -drop * taken, 0 * taken]) for x in (-across, across)]
        for edge, points in zip(self.edges, sides, strict=True):
            edge.set_points_as_corners(self.top + points)
        self.band.set_points_as_corners(self.top + np.concatenate([sides[0], sides[1][::-1]]))
        for each in self.levels:
            wide = unit * each.steps ** (0.5 * (1 - self.divided))
            at = self.top + drop * each.steps * DOWN
            each.put(at, wide / each.by.number, self.reach * after)


class Wandering(VGroup):
    """A sum of products on its way, and under it where sums of random products end, how often.

    Parts: `axes`, what goes across and down; the `walk`, the `bar` that it ends at and its number,
    the `end`; `often`, a bell, and its number, `strays`; `kind` says what is random. A sample is
    random queries and keys, (pairs, length) each, and their dot products.
    """

    def __init__(
        self, product: Value, steps: Floats, sample: Sequence[Tensor], bar: VMobject, region: Region
    ) -> None:
        q, k, dots = sample
        sums = np.cumsum((q.double * k.double)[:DRAWN], axis=1)
        farthest = max(abs(each).max() for each in (steps.cumsum(), sums, dots.double))
        self.end = Number(product, 2, SPOKEN_SIZE)
        middle, aside = float(region.center[0]), self.end.width + 2 * HAIR
        unit = (region.width / 2 - aside) / farthest
        fall, high = WANDERING * region.height, (1 - WANDERING) * region.height - 3 * GAP
        top = region.top
        self.start = q.shape[1], unit, fall
        self.walk = Walks(steps[None], (middle, top), unit, fall / steps.size)
        sign = -1 if product.number < 0 else 1
        self.often = Bell(dots.double, (middle, region.bottom), unit, high, sign)
        self.ground = VGroup(
            Line((region.left, region.bottom, 0), (region.right, region.bottom, 0)),
            Line((middle, top, 0), (middle, region.bottom, 0)),
        ).set_stroke(theme.color(QUIET), THIN_LINE)
        self.bar = bar.copy()
        ends, level = sorted((middle, middle + product.number * unit)), top - fall
        self.box = Region(ends[0], max(ends[1], ends[0] + HAIR), level - GAP, level)
        low = level - HAIR / 2 - self.end.height / 2  # under the walk
        self.end.move_to((middle + product.number * unit, low, 0), sign * LEFT)
        self.end.shift(sign * HAIR * RIGHT)
        across, down = (Words(axis, size=SPOKEN_SIZE) for axis in AXES)
        back = max(0.0, float((-sign * steps.cumsum()).max())) * unit  # the walk stays off its name
        down.move_to((middle - sign * (GAP + back), top - fall / 2, 0), sign * RIGHT)
        region.hold(down)
        across.move_to(
            (middle + sign * region.width / 2, region.bottom + HAIR, 0), sign * RIGHT + DOWN
        )
        self.axes = VGroup(across, down)
        self.strays = Words("spread {:.1f}", standard_deviation(dots), size=SPOKEN_SIZE)
        self.strays.next_to(self.often.spread.get_end(), sign * RIGHT, buff=GAP)
        self.strays.shift(self.strays.height / 2 * UP)  # over what the bell still has there
        lines = [Words(line, size=SPOKEN_SIZE) for line in RANDOM]
        self.kind = VGroup(*lines).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        free = region.left if sign > 0 else region.right  # nothing ends there
        self.kind.move_to((free, self.box.bottom - HAIR, 0), sign * LEFT + UP)
        super().__init__(self.ground, self.bar, self.walk, self.often)
        self.add(self.axes, self.end, self.strays, self.kind)

    def turn(self, own: VGroup) -> Verb:
        """Let a bar of the row with its numeral turn by a right angle to where the walk ends."""
        shape, number = own
        instead = Disappear(shape, run_time=HAIR), Fade(self.bar, to=1.0, run_time=HAIR)
        down = LieDown([self.bar], area_of(shape), self.box, to_the_right=True, run_time=STEADY)
        told = Disappear(number, run_time=QUICK / 2), Then(Hold(STEADY), Appear(self.end))
        return Together(*instead, Then(Hold(QUICK / 2), down), *told)
