"""Tokens' columns through all blocks: what each holds after every step, and what has changed.

    tower = Tower(tokens, vectors, patterns, changes, region)
    yield Flow(map(Draw, tower.lines[0]))       # attention, sideways
    yield Flow(map(Appear, tower.boxes[0]))     # MLPs, straight up
    yield Flow(map(Appear, tower.glows(1)))     # the columns that have changed after a step

The way goes up, as on a `Road`, which shows what heads look at; a tower shows what columns hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from manim import Line, Rectangle, RoundedRectangle, VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.tokens import chips_in
from scenes.mobjects.vector import Heat
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    GAP,
    HAIR,
    OUTPUT,
    PANEL,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import Appear, Become, Disappear, Then, Together, TurnInto

Part = TypeVar("Part", bound=VMobject)

FRAME = 0.05  # of a block's height, the widest mark of a change; a quarter of it is the least
WIDEST = 1.7  # scene units from column to column
MARGIN = 0.2  # of the pitch, at most, by a mark beyond a vector
ENTRIES = 6  # of a vector, that are drawn
START = 0.4  # of a block's height, for the vectors before the first one
AFTER_ATTENTION, BOX, AFTER_MLP = 0.46, 0.69, 0.87  # of a block's height, where things stand
TALL, BOX_TALL, WIDE = 0.15, 0.1, 0.4  # of a block's height; of the pitch, a vector's width
SMALLEST = 18  # font size of chips side by side; smaller ones stand on end
SEEN = 0.06  # the smallest weight that has a line
LEAST = 1e-6  # a change that is no rounding


class Tower(VGroup):
    """A column for each token, across all blocks.

    `vectors` is (steps, tokens, entries): as they come in, then after attention and after the MLP
    of each layer; `patterns` is (layers, queries, keys), `changes` (steps, tokens), how much each
    of the vectors has changed. Parts: `chips` and, by step or layer and token, `nodes[step][i]`,
    `boxes[layer][i]`; by layer `lines[layer]`, from keys to queries, `lit[layer]`, those that carry
    a change, and `grounds[layer]`; `streams` run through all. `largest` is the change that has the
    strongest mark, by default the largest here.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: NDArray[np.floating],
        patterns: NDArray[np.floating],
        changes: NDArray[np.floating],
        region: Region,
        *,
        largest: float = 0.0,
    ) -> None:
        self.pitch = pitch = pitch_in(region.width, len(pieces), WIDEST)
        last, middle = (len(pieces) - 1) / 2, float(region.center[0])
        self.xs = [middle + (i - last) * pitch for i in range(len(pieces))]
        self.chips = chips_in(pieces, pitch, SMALLEST)
        self.is_upright = text_size(pieces, pitch - GAP - HAIR, SPOKEN_SIZE) < SMALLEST
        region = region.raised(HAIR)
        tallest = max(chip.height for chip in self.chips)
        foot = region.bottom + tallest + HAIR
        self.high = high = (region.top - foot) / (len(patterns) + START)
        self.floors = [foot + (START + layer) * high for layer in range(len(patterns))]
        levels = [foot + START * high / 2]
        for floor in self.floors:
            levels += [floor + AFTER_ATTENTION * high, floor + AFTER_MLP * high]
        size = min(WIDE * pitch, TALL * high), TALL * high
        self.nodes: list[list[VGroup]] = [
            self._row([_held(vector, size, most) for vector in row], level)
            for row, level in zip(vectors, levels, strict=True)
            for most in [float(np.abs(row[:, :ENTRIES]).max())]
        ]
        for x, chip in zip(self.xs, self.chips, strict=True):
            chip.move_to((x, region.bottom + tallest / 2, 0))
        largest = largest or float(changes.max()) or 1.0
        widest = min(FRAME * high, MARGIN * pitch)
        self._glows = [
            self._row([_glow(change / largest, size, widest) for change in row], level)
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

    def column(self, token: int) -> list[VMobject]:
        """Return what one token's column holds, step by step, with the marks of its changes."""
        return [part for rows in (self.nodes, self._glows) for part in (row[token] for row in rows)]

    def becomes(self, other: Tower, swapped: int) -> Then:
        """Return how a tower of one block becomes the first block of another one.

        The chip of the token that is `swapped` for another one stays unseen.
        """
        pairs: list[tuple[VMobject, VMobject]] = [(self.grounds[0], other.grounds[0])]
        for step in range(3):
            pairs += zip(self.glows(step), other.glows(step), strict=True)
        pairs += zip(self.boxes[0], other.boxes[0], strict=True)
        pairs += zip(self.lines[0], other.lines[0], strict=True)
        pairs += zip(self.lit[0], other.lit[0], strict=True)
        pairs += zip(self.streams, other.streams, strict=True)
        moved = [Become(*pair) for pair in pairs]
        turned: list[tuple[VMobject, VMobject]] = [*zip(self.chips, other.chips, strict=True)]
        del turned[swapped]
        for mine, theirs in zip(self.nodes, other.nodes, strict=False):
            turned += zip(mine, theirs, strict=True)
        there = [Appear(new, run_time=HAIR, scale=1.0) for _, new in pairs]
        gone = [Disappear(old, run_time=HAIR) for old, _ in pairs]
        over = (TurnInto(*pair) for pair in turned)
        return Then(Together(*moved, *over), Together(*there, *gone))

    def _row(self, parts: list[Part], level: float) -> list[Part]:
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


def _held(vector: NDArray[np.floating], size: tuple[float, float], most: float) -> VGroup:
    """Return the first entries of a vector upon a plate through which no mark shines."""
    plate = Rectangle(width=size[0], height=size[1], stroke_width=0)
    plate.set_fill(theme.color(BACKGROUND), 1)
    return VGroup(plate, Heat(vector[:ENTRIES, None], size, None, most))


def _glow(share: float, size: tuple[float, float], widest: float) -> RoundedRectangle:
    """Return the mark of a change, which frames a vector: the larger, the wider."""
    pad = 2 * widest * (0.25 + 0.75 * share**0.5)
    glow = RoundedRectangle(
        corner_radius=min(CORNER, pad / 2), width=size[0] + pad, height=size[1] + pad
    )
    return glow.set_stroke(width=0).set_fill(theme.color(ACCENT), 1)


def _box(width: float, height: float) -> RoundedRectangle:
    box = RoundedRectangle(corner_radius=min(CORNER, height / 3), width=width, height=height)
    box.set_stroke(theme.color(OUTPUT), THIN_LINE)
    return box.set_fill(theme.color(PANEL), 1)
