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
from scenes.region import Region
from scenes.theme import BOLD_LINE, HAIR, STRONGEST_FILL, THIN_LINE, VALUE

Floats = NDArray[np.float64]

ARCH, LEAST_ARCH = 1.5, 0.3  # scene units, the longest arc's height; of that, a short one's
SUNK = 0.35  # of its height, an arc that columns have passed
SEEN = 0.07  # the smallest weight that has an arc
UNLIT = 0.3  # of the presence of what is lit
CURVE = np.linspace(0.0, 1.0, 21)


class Arc(VMobject):
    """An arc, the wider the larger its weight."""

    def __init__(self, weight: float) -> None:
        super().__init__(stroke_color=theme.color(VALUE), stroke_opacity=STRONGEST_FILL)
        self.weight_width = THIN_LINE / 2 + 2.5 * BOLD_LINE * weight
        self.set_points_as_corners(np.zeros((2, 3)))


class Arcs(VGroup):
    """An arc for each weight (queries, keys) that can be seen; tokens stand at `xs`, `tall` high.

    While columns look they go over these, from tops to tops, the last query's first; once its gift
    has arrived, a set leaves. Where the whole road is seen, they lie on the ground.
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
        since = stop.walk - begins
        is_now = since < 1
        there = stop.arcs * (UNLIT + (1 - UNLIT) * float(np.clip(stop.lit - begins, 0.0, 1.0)))
        if is_now:
            there = float(np.clip(4 * (1 - since), 0.0, 1.0)) * stop.carried
        lights = there * np.where(self.is_last, 1.0, stop.others) * (since > 0)
        if there and since > 0 and len(self.pairs):
            drawn = np.clip(4 * since - np.where(self.is_last, 0.0, 1.0), 0.0, 1.0)
            shares = (drawn if is_now else np.ones(len(self.pairs)))[:, None] * CURVE
            flat, size = stop.seen(self._places(shares, along, is_now=is_now).reshape(-1, 3))
            curves = np.where(np.isfinite(flat), flat, -1e6).reshape(*shares.shape, 2)
            lights = lights * ground.inside(curves.min(axis=1), curves.max(axis=1), stage)
            for arc, curve, near in zip(self.arcs, curves, size[:: len(CURVE)], strict=True):
                arc.points = ground.polyline(curve)
                arc.stroke_width = arc.weight_width * min(1.0, float(near))
        for arc, light in zip(self.arcs, lights, strict=True):
            ground.show(arc, float(light))

    def _places(self, shares: Floats, along: tuple[float, float], *, is_now: bool) -> Floats:
        """Return points of the world, (arcs, points, 3), at shares (arcs, points) of the ways."""
        ends = self.xs[self.pairs]  # of queries and keys
        apart, (start, here) = ends[:, :1] - ends[:, 1:], along
        arch = ARCH * (LEAST_ARCH + (1 - LEAST_ARCH) * apart / max(float(np.ptp(self.xs)), 1e-6))
        x = ends[:, 1:] + eased(shares) * apart
        z = arch * 4 * shares * (1 - shares) * (1.0 if is_now else SUNK)
        if is_now:
            return np.stack([x, np.full(x.shape, here), z + self.tall + HAIR], axis=-1)
        return np.stack([x, start + shares * (here - start), z], axis=-1)
