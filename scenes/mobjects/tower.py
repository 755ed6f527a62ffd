"""Tokens' columns through all blocks: what each holds after every step, and what has changed.

    tower = Tower(tokens, vectors, patterns, changes, region)
    yield Flow(map(Draw, tower.lines[0]))       # attention, sideways
    yield Flow(map(Appear, tower.boxes[0]))     # MLPs, straight up
    yield Flow(map(Appear, tower.glows(1)))     # the columns that have changed after a step

The way goes up, as on a `Road`, which shows what heads look at; a tower shows what columns hold.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, RoundedRectangle, VGroup
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.columns import chips_in
from scenes.mobjects.fit import pitch_in
from scenes.mobjects.signs import strength
from scenes.mobjects.vector import Heat
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    CORNER,
    GAP,
    HAIR,
    OUTPUT,
    PANEL,
    QUIET,
    STRONGEST_FILL,
    THIN_LINE,
    VALUE,
)

WIDEST = 1.1  # scene units from column to column
ENTRIES = 6  # of a vector, that are drawn
START = 0.4  # of a block's height, for the vectors before the first one
AFTER_ATTENTION, BOX, AFTER_MLP = 0.56, 0.75, 0.9  # of a block's height, where things stand
TALL, BOX_TALL, WIDE = 0.2, 0.12, 0.3  # of a block's height; of the pitch, a vector's width
SEEN = 0.06  # the smallest weight that has a line
LEAST = 1e-6  # a change that is no rounding


class Tower(VGroup):
    """A column for each token, across all blocks.

    `vectors` is (steps, tokens, entries): as they come in, then after attention and after the MLP
    of each layer; `patterns` is (layers, queries, keys), `changes` (steps, tokens), how much each
    of the vectors has changed. Parts: `chips` and, by step or layer and token, `nodes[step][i]`,
    `boxes[layer][i]`; by layer `lines[layer]`, from keys to queries, `lit[layer]`, those that carry
    a change, and `grounds[layer]`; `streams` run through all.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: NDArray[np.floating],
        patterns: NDArray[np.floating],
        changes: NDArray[np.floating],
        region: Region,
    ) -> None:
        pitch = pitch_in(region.width, len(pieces), WIDEST)
        last, middle = (len(pieces) - 1) / 2, float(region.center[0])
        self.xs = [middle + (i - last) * pitch for i in range(len(pieces))]
        self.chips = chips_in(pieces, pitch)
        tallest = max(chip.height for chip in self.chips)
        foot = region.bottom + tallest + HAIR
        self.high = high = (region.top - foot) / (len(patterns) + START)
        self.floors = [foot + (START + layer) * high for layer in range(len(patterns))]
        levels = [foot + START * high / 2]
        for floor in self.floors:
            levels += [floor + AFTER_ATTENTION * high, floor + AFTER_MLP * high]
        size = min(WIDE * pitch, TALL * high), TALL * high
        self.nodes = [
            self._row([Heat(v[:ENTRIES, None], size, None, most) for v in row], level)
            for row, level in zip(vectors, levels, strict=True)
            for most in [float(np.abs(row[:, :ENTRIES]).max())]
        ]
        for x, chip in zip(self.xs, self.chips, strict=True):
            chip.move_to((x, region.bottom + tallest / 2, 0))
        largest = float(changes.max()) or 1.0
        self._glows = [
            self._row([_glow(change, largest, size) for change in row], level)
            for row, level in zip(changes, levels, strict=True)
        ]
        self.changed = changes > LEAST
        wide, box = 0.8 * pitch, BOX_TALL * high
        self.boxes = [
            self._row([_box(wide, box) for _ in pieces], floor + BOX * high)
            for floor in self.floors
        ]
        self.grounds = [self._ground(floor, pitch) for floor in self.floors]
        self.lines, self.lit = [], []
        for layer, pattern in enumerate(patterns):
            self.lines.append(self._lines(pattern, layer, VALUE))
            self.lit.append(self._lines(pattern * self.changed[2 * layer], layer, ACCENT))
        ends = (levels[0], self.floors[-1] + high)
        self.streams = [
            Line((x, ends[0], 0), (x, ends[1], 0)).set_stroke(theme.color(QUIET), THIN_LINE / 2)
            for x in self.xs
        ]
        super().__init__(*self.grounds, *self.streams)
        for parts in (self.lines, self.lit, self.boxes, self._glows, self.nodes):
            self.add(*(part for row in parts for part in row))
        self.add(*self.chips)

    def glows(self, step: int) -> list[RoundedRectangle]:
        """Return the marks of the columns that have changed after a step."""
        pairs = zip(self._glows[step], self.changed[step], strict=True)
        return [glow for glow, is_changed in pairs if is_changed]

    def block(self, layer: int) -> list[VGroup | Line | Rectangle]:
        """Return all that a block is made of, but for what its columns hold."""
        return [self.grounds[layer], *self.lines[layer], *self.boxes[layer]]

    def base(self) -> Region:
        """Return the part of the tower that the first block and the tokens take."""
        ground = self.grounds[0]
        low = min(float(chip.get_bottom()[1]) for chip in self.chips)
        (left, _, _), (right, top, _) = ground.get_left(), ground.get_corner((1, 1, 0))
        return Region(float(left), float(right), low, float(top))

    def _row(self, parts: list, level: float) -> list:
        for x, part in zip(self.xs, parts, strict=True):
            part.move_to((x, level, 0))
        return parts

    def _ground(self, floor: float, pitch: float) -> RoundedRectangle:
        ground = RoundedRectangle(
            corner_radius=min(CORNER, self.high / 4),
            width=self.xs[-1] - self.xs[0] + pitch,
            height=0.98 * self.high,
            stroke_color=theme.color(QUIET),
            stroke_width=THIN_LINE,
        )
        return ground.move_to(((self.xs[0] + self.xs[-1]) / 2, floor + self.high / 2, 0))

    def _lines(self, pattern: NDArray[np.floating], layer: int, role: theme.Role) -> list[Line]:
        """Return a line from every key to each later query that heeds it, bolder for more."""
        floor, found = self.floors[layer], []
        for query, key in np.argwhere(np.tril(pattern, -1) >= SEEN).tolist():
            top = floor + (AFTER_ATTENTION - TALL / 2) * self.high
            line = Line((self.xs[key], floor, 0), (self.xs[query], top, 0))
            width = THIN_LINE / 2 + BOLD_LINE * float(pattern[query, key]) ** 0.5
            found.append(line.set_stroke(theme.color(role), width, STRONGEST_FILL))
        return found


def _glow(change: float, largest: float, size: tuple[float, float]) -> RoundedRectangle:
    width, height = size[0] + 2 * HAIR, 1.35 * size[1]
    glow = RoundedRectangle(corner_radius=min(CORNER, height / 3), width=width, height=height)
    opacity = strength(change, largest)
    return glow.set_stroke(width=0).set_fill(theme.color(ACCENT), opacity)


def _box(width: float, height: float) -> RoundedRectangle:
    box = RoundedRectangle(corner_radius=min(CORNER, height / 3), width=width, height=height)
    box.set_stroke(theme.color(OUTPUT), THIN_LINE)
    return box.set_fill(theme.color(PANEL), 1)
