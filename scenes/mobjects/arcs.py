"""Attention's arcs of one layer, from what is looked at to who looks, seen in perspective.

arcs = Arcs(weights, xs, tall)
arcs.draw_from(stop, begins=2, along=(4.0, 6.5), stage=stage)    # as they are at a stop on the road
"""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects import ground
from scenes.mobjects.fit import eased
from scenes.mobjects.ground import Stop
from scenes.mobjects.outlines import lines
from scenes.region import Region
from scenes.theme import BOLD_LINE, HAIR, STRONGEST_FILL, THIN_LINE, VALUE

Floats = NDArray[np.float64]

ARCH, LEAST_ARCH = 1.5, 0.3  # scene units, the longest arc's height; of that, a short one's
SUNK = 0.35  # of its height, an arc that columns have passed
SEEN = 0.07  # the smallest weight that has an arc
FAN, TURNS = 0.25, 0.68  # of a step: the last column has looked alone; all have, one by one
FLAT = 0.3  # of its width, at most, an arc on the ground
HEAD, BLUNT = 0.2, 0.6  # scene units, an arc's head; of that, half its breadth
BLOCK = 2  # steps of a block: attention, and an MLP
CURVE = (1 - np.cos(np.linspace(0.0, np.pi, 49))) / 2  # its steep ends in smaller steps


class Arc(VMobject):
    """An arc, the wider the larger its weight."""

    def __init__(self, weight: float) -> None:
        super().__init__(stroke_color=theme.color(VALUE), stroke_opacity=STRONGEST_FILL)
        self.weigh(weight)
        self.set_points_as_corners(np.zeros((2, 3)))

    def weigh(self, weight: float) -> None:
        """Have the width of another weight, from when it is drawn again."""
        self.weight_width = THIN_LINE + 4 * BOLD_LINE * weight


class Arcs(VGroup):
    """An arc for each weight (queries, keys) that can be seen; tokens stand at `xs`, `tall` high.

    While columns look they go over these, from tops to tops, with heads: the last query's first,
    then those of one query after another; once its gift has arrived, a set leaves. Of the block
    that columns come from, those of the last query may come again. Where the whole road is seen,
    they are drawn on the ground as columns go on, thinner.
    """

    def __init__(self, weights: Floats, xs: Floats, tall: float) -> None:
        self.pairs = np.argwhere(np.tril(weights, -1) >= SEEN)
        self.is_last = self.pairs[:, 0] == len(weights) - 1
        self.xs, self.tall = xs, tall
        self.arcs = [Arc(float(weights[query, key])) for query, key in self.pairs]
        super().__init__(*self.arcs)

    def draw_from(self, stop: Stop, begins: int, along: tuple[float, float], stage: Region) -> None:
        """Draw them as they are at a stop, if columns begin to look at step `begins`.

        `along` is where keys stood along the road, and where columns are now.
        """
        since, is_over = stop.walk - begins, stop.carried > 0.5
        drawn, there = self._drawn(since, stop.arcs, is_over=is_over)
        lights = there * float(stop.light(begins)) * np.where(self.is_last, 1.0, stop.others)
        lights *= stop.works if is_over else np.where(self.is_last, 1.0, stop.traces)
        if lights.any():
            shares = drawn[:, None] * CURVE
            flat, size = stop.seen(self._places(shares, along, is_over=is_over).reshape(-1, 3))
            curves = np.where(np.isfinite(flat), flat, -1e6).reshape(*shares.shape, 2)
            lights = lights * ground.inside(curves.min(axis=1), curves.max(axis=1), stage)
            pairs = np.stack([curves[:, :-1], curves[:, 1:]], axis=2)
            if is_over:
                heads = _heads(curves, HEAD * size[:: len(CURVE)] * (2 * drawn - 1).clip(0.0, 1.0))
                pairs = np.concatenate([pairs, heads], axis=1)
            outlines = lines(pairs.reshape(-1, 2, 2)).reshape(len(curves), -1, 3)
            for arc, outline, near in zip(self.arcs, outlines, size[:: len(CURVE)], strict=True):
                arc.points = outline
                arc.stroke_width = arc.weight_width * min(1.0 if is_over else FLAT, float(near))
        for arc, light in zip(self.arcs, lights, strict=True):
            ground.show(arc, float(light))

    def _drawn(self, since: float, passed: float, *, is_over: bool) -> tuple[Floats, Floats]:
        """Return which share of each arc is drawn, and its presence."""
        there: Floats | float
        if since <= 0:
            drawn, there = 0.0 * self.is_last, 0.0
        elif not is_over:
            drawn, there = np.full(len(self.pairs), min(1.0, since)), min(passed, 4 * since)
        elif since < 1:
            turn = turns(since, self.pairs[:, 0], len(self.xs))
            drawn = np.where(self.is_last, since / FAN, 2 * turn).clip(0.0, 1.0)
            alone = np.where(self.is_last, 1 - 2 * (turn + len(self.xs) - 1), 0.0)
            left = np.where(self.is_last, 4 * turn, 3 - 2 * turn)
            there = np.maximum(alone, left).clip(0.0, 1.0) * min(1.0, 4 * (1 - since))
        else:
            drawn, there = passed * self.is_last, min(1.0, 4 * passed) * (since <= BLOCK)
        return drawn, there * (drawn > 0)

    def _places(self, shares: Floats, along: tuple[float, float], *, is_over: bool) -> Floats:
        """Return points of the world, (arcs, points, 3), at shares (arcs, points) of the ways."""
        ends = self.xs[self.pairs]  # of queries and keys
        apart, (start, here) = ends[:, :1] - ends[:, 1:], along
        arch = ARCH * (LEAST_ARCH + (1 - LEAST_ARCH) * apart / max(float(np.ptp(self.xs)), 1e-6))
        x = ends[:, 1:] + eased(shares) * apart
        z = arch * 4 * shares * (1 - shares) * (1.0 if is_over else SUNK)
        if is_over:
            return np.stack([x, np.full(x.shape, here), z + self.tall + HAIR], axis=-1)
        return np.stack([x, start + shares * (here - start), z], axis=-1)


def turns(since: Floats | float, queries: NDArray[np.int_], tokens: int) -> Floats:
    """Return how far queries have come in their turns to look: from 0 to 1, and over when it is."""
    share = np.clip((since - FAN) / (TURNS - FAN), 0.0, 1.0)
    return np.asarray(tokens * share - queries)


def _heads(curves: Floats, sizes: Floats) -> Floats:
    """Return heads at the ends of curves (n, points, 2): two lines each, (n, 2, 2, 2)."""
    ends, ways = curves[:, -1], curves[:, -1] - curves[:, -4]
    ways = sizes[:, None] * ways / np.maximum(np.linalg.norm(ways, axis=1), 1e-9)[:, None]
    aside = BLUNT * ways[:, ::-1] * (-1, 1)
    return np.stack([np.stack([ends, ends - ways + way], 1) for way in (aside, -aside)], axis=1)
