"""Tokens as columns: a chip, the vector above it, arcs between vectors, a box of its own.

    columns = Columns(tokens, resid_mid, pattern, region)
    yield Flow(map(Draw, columns.arcs))         # what goes sideways
    yield Appear(*columns.boxes)                # what each token goes through by itself

The way goes up. It knows no model: vectors are pictures, as `Heat` draws them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import pitch_in
from scenes.mobjects.marks import arch
from scenes.mobjects.outlines import Rounded, in_space
from scenes.mobjects.tokens import Chip, chips_in
from scenes.mobjects.vector import Heat
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    GAP,
    HAIR,
    INK,
    OUTPUT,
    PANEL,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
)

WIDEST = 2.4  # scene units from column to column
SHARE, ROUND = 0.76, 0.44  # of it, for what belongs to a token; from its middle, the way round
ENTRIES = 8  # of a vector, that are drawn
THICK, TALL = 0.8, 2.0  # scene units, of a vector, at most
JOINT, LEAST = 0.4, 0.3  # scene units, the sign where something is added, and at least
HEADROOM = 1.4  # scene units, that arcs leave free above them
SEEN = 0.02  # the smallest weight that has an arc
LOWEST = 0.35  # of the highest arc's height, that of the shortest


class Columns(VGroup):
    """A column for each token, as high as a region: room for a chip, a vector, a box, a vector.

    `vectors` is (tokens, entries), `pattern` (queries, keys); `shape` is a box's height by its
    width. The parts, by token: `chips`, `vectors`, `boxes`; `arcs`, from keys to the last query,
    `roads`, from vectors round boxes to `pluses` over these. `tops` are where what comes out of the
    boxes stands.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: NDArray[np.floating],
        pattern: NDArray[np.floating],
        region: Region,
        shape: float,
    ) -> None:
        pitch = pitch_in(region.width, len(pieces), WIDEST)
        middle, last = float(region.center[0]), (len(pieces) - 1) / 2
        self.xs = [middle + (place - last) * pitch for place in range(len(pieces))]
        wide = SHARE * pitch
        self.chips = chips_in(pieces, pitch)
        chip = max(each.height for each in self.chips)
        box = min(shape * wide, 0.3 * region.height)
        joint = max(LEAST, min(JOINT, 0.3 * pitch))
        free = region.height - chip - box - 4 * GAP - joint
        tall = min(free / 2, max(TALL, 0.225 * region.height))
        self.size = min(THICK, 0.5 * wide), tall
        self.largest = float(np.abs(vectors).max())
        self.vectors = [self.vector(each) for each in vectors]
        low = region.center[1] - (region.height - free + 2 * tall) / 2
        self.boxes = [_box(min(wide, box / shape), box) for _ in pieces]
        self.tops = list[Point3D]()
        rows = [low + chip / 2, low + chip + GAP + tall / 2, low + chip + tall + 2 * GAP + box / 2]
        level = rows[2] + box / 2 + GAP + joint / 2
        top = level + joint / 2 + GAP + tall / 2
        self.pluses = [Chip("+", SPOKEN_SIZE) for _ in self.xs]
        for x, plus in zip(self.xs, self.pluses, strict=True):
            plus.plate.set_stroke(theme.color(INK), THIN_LINE)
            plus.scale(joint / plus.height).move_to((x, level, 0))
        for x, *parts in zip(self.xs, self.chips, self.vectors, self.boxes, strict=True):
            self.tops.append(np.array((x, top, 0.0)))
            for part, y in zip(parts, rows, strict=True):
                part.move_to((x, y, 0))
        room = min(top - rows[1], region.top - HEADROOM - rows[1] - tall / 2) - HAIR
        self.arcs = self._arcs(pattern, rows[1] + tall / 2 + HAIR, room)
        side, aside = -self.size[0] / 2, -ROUND * pitch
        way = np.array([(side, rows[1]), (aside, rows[1]), (aside, level), (-joint / 4, level)])
        self.roads = [VMobject().set_points_as_corners(in_space(way + (x, 0))) for x in self.xs]
        for road in self.roads:
            road.set_stroke(theme.color(INK), THIN_LINE)
        stands = *self.roads, *self.boxes, *self.vectors, *self.chips, *self.arcs, *self.pluses
        super().__init__(*stands)

    def vector(self, numbers: NDArray[np.floating]) -> VGroup:
        """Return the first entries of a vector as they are drawn here, by one scale for all."""
        cells = Heat(np.asarray(numbers)[:ENTRIES, None], self.size, None, self.largest)
        return cells.set_stroke(theme.color(BACKGROUND), THIN_LINE)

    def of(self, *tokens: int) -> list[VGroup | VMobject]:
        """Return the chips, vectors and boxes of some tokens."""
        return [part for i in tokens for part in (self.chips[i], self.vectors[i], self.boxes[i])]

    def _arcs(self, pattern: NDArray[np.floating], y: float, room: float) -> list[VMobject]:
        """Return a curve to the last query from every key that it heeds, bolder for more."""
        found, longest, query = [], max(self.xs[-1] - self.xs[0], 1e-6), len(self.xs) - 1
        for key in np.flatnonzero(pattern[query, :query] >= SEEN).tolist():
            start, end = np.array((self.xs[key], y, 0.0)), np.array((self.xs[query], y, 0.0))
            share = (end[0] - start[0]) / longest
            high = room * (LOWEST + (1 - LOWEST) * share)
            width = THIN_LINE + 1.5 * BOLD_LINE * float(pattern[query, key]) ** 0.5
            found.append(arch(start, end, high, width).set_stroke(opacity=STRONGEST_FILL))
        return found


def _box(width: float, height: float) -> Rounded:
    box = Rounded(corner_radius=min(CORNER, height / 4), width=width, height=height)
    box.set_fill(theme.color(PANEL), 1)
    return box.set_stroke(theme.color(OUTPUT), THIN_LINE)
