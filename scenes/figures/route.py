"""One way through a tower of columns, from the foot of one to the top of the last.

route = Route(hops, xs, foot, levels, (leaves, arrives))
x, y = route.draw(0.5)                                      # as far, and where it ends there
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import lines
from scenes.theme import ACCENT

Floats = NDArray[np.float64]
Hop = tuple[int, int, int]  # a step sideways: its layer, from which column, and to which one

WIDTH = 8.0  # of its stroke
LEAST = 1e-6  # scene units, a length that is no point


class Route(VMobject):
    """A bold path up columns at `xs`, with a step sideways for each of its `hops`.

    `levels` are the layers' floors, and the top; a hop leaves its column after one share of its
    layer, and arrives after another one. `turns` are the shares of the path at which the first hop
    begins and ends, `layer` is its layer: without hops, 0, and all of the path.
    """

    def __init__(
        self,
        hops: Sequence[Hop],
        xs: Floats,
        foot: float,
        levels: Floats,
        ends: tuple[float, float],
    ) -> None:
        super().__init__()
        self.hops, self.last = hops, len(xs) - 1
        corners = [(xs[hops[0][1] if hops else -1], foot)]
        for layer, key, query in hops:
            leaves, arrives = (np.interp(layer + end, range(len(levels)), levels) for end in ends)
            corners += [(xs[key], leaves), (xs[query], arrives)]
        self.corners = np.array([*corners, (xs[-1], levels[-1])])
        self.path = lines(np.stack([self.corners[:-1], self.corners[1:]], axis=1))
        far = np.cumsum([0, *np.linalg.norm(np.diff(self.corners, axis=0), axis=1)])
        self.far = far / far[-1]
        self.layer = hops[0][0] if hops else 0
        self.turns = (float(self.far[1]), float(self.far[2])) if hops else (0.0, 1.0)
        self.set_stroke(theme.color(ACCENT), WIDTH)
        self.draw(1.0)

    def draw(self, share: float) -> tuple[float, float]:
        """Draw the first share of it, 0 to 1, and return where that ends."""
        self.points = first_of(self.path, max(share, 0.01))
        x, y = (float(np.interp(share, self.far, axis)) for axis in self.corners.T)
        return x, y

    def column(self, layer: int) -> int:
        """Return in which column it goes on after a layer's step sideways."""
        return next((key for each, key, _ in self.hops if each > layer), self.last)


def widest_way(carried: Floats, start: int) -> list[Hop]:
    """Return the hops of the widest way from a column to the last one.

    `carried` is (layers, queries, keys). A way is as wide as its narrowest hop. Where nothing
    leads to the last column, there are none.
    """
    columns = range(carried.shape[1])
    wide = np.where(np.arange(len(columns)) == start, np.inf, 0.0)
    ways = [list[Hop]() for _ in columns]
    for layer, weights in enumerate(carried):
        through = np.minimum(wide, weights)
        keys, wider = through.argmax(axis=1), through.max(axis=1)
        ways = [
            [*ways[keys[i]], (layer, int(keys[i]), i)] if wider[i] > wide[i] else ways[i]
            for i in columns
        ]
        wide = np.maximum(wide, wider)
    return ways[-1]


def first_of(path: Floats, share: float) -> Floats:
    """Return the first share of a path of straight lines, (4n, 3)."""
    parts = path.reshape(-1, 4, 3)
    lengths = np.linalg.norm(parts[:, 3] - parts[:, 0], axis=1) + LEAST
    left = np.clip((share * lengths.sum() - np.cumsum([0, *lengths[:-1]])) / lengths, 0, 1)
    ends = parts[:, 0] + left[:, None] * (parts[:, 3] - parts[:, 0])
    return lines(np.stack([parts[:, 0], ends], axis=1))
