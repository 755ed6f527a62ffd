"""The road of a sentence through a model: tokens, embeddings, blocks of heads, the last vectors.

    road = Road(tokens, embeddings, patterns, changes, region)
    road.chips[2], road.cells[2], road.streams[2]     # what belongs to a token
    road.blocks[1].heads[4].pattern                   # what a head looks at
    road.blocks[1].changes[2]                         # what its MLP adds to a token

A token has a column; the way goes up. Nothing here is a numeral: dots, cells and fills are drawn
by the noun's own rule, as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from manim import Mobject, VGroup, VMobject
from manim.constants import UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.outlines import Filled, Rounded, discs, lines
from scenes.mobjects.pattern import Pattern
from scenes.mobjects.signs import strength
from scenes.mobjects.tokens import Chip, plate_width
from scenes.mobjects.vector import Heat, ellipsis
from scenes.presence import parts_of
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    CORNER,
    GAP,
    HAIR,
    KEY,
    OUTPUT,
    QUERY,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    VALUE,
)

CELLS = 4  # entries of an embedding that are drawn
CELL = 0.3  # scene units, at most, an entry's side
HEADS_SHARE, CHANGE_SHARE = 0.7, 0.18  # of a block's height
CARD_SHARE = 0.7  # of the room that a head has in its row, for its pattern
CHANGE_HIGH = 0.5  # scene units, at most
SKIPPED = 0.45  # of a block's height, the room of those that are not drawn
EDGE = 0.16  # of a head's side, for the row of its queries, keys, values, findings


class Head(VGroup):
    """A head's `pattern`, and a dot for each token along its edges.

    `queries` stand at the rows, `keys` at the columns, `values` below these, and what the head
    `found` for each query to the right of its row.
    """

    def __init__(self, weights: NDArray[np.floating], side: float) -> None:
        self.pattern = Pattern(weights, side)
        tokens = len(weights)
        along = (np.arange(tokens) + 0.5) / tokens - 0.5
        away, radius = np.full(tokens, 0.5 + EDGE / 2), np.full(tokens, 0.3 * min(1 / tokens, EDGE))
        sides = [(-away, -along), (along, away), (along, -away), (away, -along)]
        self.queries, self.keys, self.values, self.found = (
            Filled(side * discs(np.stack(places, axis=1), radius), role)
            for places, role in zip(sides, (QUERY, KEY, VALUE, OUTPUT), strict=True)
        )
        self.edges = self.queries, self.keys, self.values, self.found
        super().__init__(self.pattern, *self.edges)

    def turn(self, angle: float) -> None:
        """Turn the card about its falling diagonal, by degrees; at 180 it is transposed.

        The first call says how it lies at 0.
        """
        if not hasattr(self, "_lying"):
            self._lying = [(part, part.points.copy()) for part in parts_of(self)]
        middle = self.pattern.plate.get_center()
        rising = np.array((1.0, 1.0, 0.0)) / np.sqrt(2)
        for part, points in self._lying:
            off = (points - middle) @ rising
            part.points = points - (1 - np.cos(np.radians(angle))) * off[:, None] * rising


class Block(VGroup):
    """A layer: `ground` holds its `heads` side by side; above it stands what its MLP `changes`.

    `patterns` is (heads, queries, keys), `changes` (tokens,), the shares of the largest change.
    """

    def __init__(
        self,
        patterns: NDArray[np.floating],
        changes: NDArray[np.floating],
        columns: Sequence[float],
        region: Region,
    ) -> None:
        high = min(HEADS_SHARE * region.height, region.width / len(patterns))
        pitch = region.width / len(patterns)
        side = CARD_SHARE * min(high, pitch)
        self.ground = Rounded(
            corner_radius=min(CORNER, high / 4),
            width=region.width,
            height=high,
            fill_color=theme.color(BACKGROUND),
            fill_opacity=1,
            stroke_color=theme.color(QUIET),
            stroke_width=THIN_LINE / 2,
        ).move_to((region.center[0], region.bottom + HEADS_SHARE * region.height / 2, 0))
        self.heads = [Head(pattern, side) for pattern in patterns]
        for place, head in enumerate(self.heads):
            head.move_to((region.left + (place + 0.5) * pitch, self.ground.get_y(), 0))
        tall = min(CHANGE_HIGH, CHANGE_SHARE * region.height)
        self.patterns = [head.pattern for head in self.heads]
        wide = 0.5 * min(np.diff([region.left, *columns]).min(), pitch)
        self.changes = [_change(share, (wide, tall)) for share in changes]
        level = region.top - CHANGE_SHARE * region.height
        for x, change in zip(columns, self.changes, strict=True):
            change.move_to((x, level, 0))
        super().__init__(self.ground, *self.heads, *self.changes)


class Road(VGroup):
    """Columns of tokens and, across them, blocks. `blank` is the place for the next token.

    `embeddings` is (tokens, entries), `patterns` (layers, heads, queries, keys), `changes`
    (layers, tokens), how long the vectors are that MLPs add. `end` is where the last token's
    vector leaves the last block. After some of these layers others are `skipped`: there, streams
    are broken, and `gaps` hold dots.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        embeddings: NDArray[np.floating],
        patterns: NDArray[np.floating],
        changes: NDArray[np.floating],
        region: Region,
        *,
        skipped: Collection[int] = (),
    ) -> None:
        pitch = pitch_in(region.width, len(pieces) + 1, region.width)
        columns = [region.left + (place + 0.5) * pitch for place in range(len(pieces) + 1)]
        self.size = text_size(pieces, pitch - GAP - HAIR, SPOKEN_SIZE)
        self.chips = [Chip(piece, self.size, widest=pitch - HAIR) for piece in pieces]
        height = self.chips[0].height
        width = max(min(pitch - HAIR, plate_width(2) * height), height)
        self.blank = Rounded(
            corner_radius=CORNER, width=width, height=height, stroke_color=theme.color(QUIET)
        ).set_stroke(width=THIN_LINE)
        for x, chip in zip(columns, [*self.chips, self.blank], strict=True):
            chip.move_to((x, region.bottom + height / 2, 0))
        self.cell = min(CELL, pitch / (CELLS + 1))
        foot = region.bottom + height + GAP + self.cell
        self.largest = float(np.abs(embeddings[:, :CELLS]).max())
        self.cells = list(map(self.embedding, embeddings))
        self.end = np.array((columns[-2], region.top, 0.0))
        rooms = _rooms(replace(region, bottom=foot + GAP), len(patterns), skipped)
        ends = ((rooms[at].top, rooms[at + 1].bottom) for at in sorted(skipped))
        self._runs = np.array([foot, *chain(*ends), region.top]).reshape(-1, 2)
        for x, cells in zip(columns, self.cells, strict=False):
            cells.move_to((x, foot - self.cell / 2, 0))
        self.streams = list(map(self.stream, columns[:-1]))
        self.gaps = [_dots(columns[:-1], *ends) for ends in self._runs.ravel()[1:-1].reshape(-1, 2)]
        shares = changes / changes.max()
        self.blocks = [
            Block(heads, share, columns[:-1], room)
            for heads, share, room in zip(patterns, shares, rooms, strict=True)
        ]
        parts = *self.streams, *self.chips, self.blank, *self.cells, *self.gaps
        super().__init__(*parts, *self.blocks)

    def stream(self, x: float) -> VMobject:
        """Return the line of a token's vector, all the way up, broken where layers are skipped."""
        line = VMobject(stroke_color=theme.color(QUIET), stroke_width=THIN_LINE)
        line.points = lines(np.stack([np.full_like(self._runs, x), self._runs], axis=2))
        return line

    def embedding(self, entries: NDArray[np.floating]) -> Heat:
        """Return the first entries of an embedding as cells, by the road's own scale."""
        return Heat(entries[:CELLS], (CELLS * self.cell, self.cell), largest=self.largest)

    @property
    def parts(self) -> list[Mobject]:
        """What may be looked at by itself: tokens, embeddings, heads, changes, what they are in."""
        return [*self[: -len(self.blocks)], *(part for block in self.blocks for part in block)]


def _rooms(region: Region, number: int, skipped: Collection[int]) -> list[Region]:
    """Return the rooms of so many blocks, from below, with less room after some of them."""
    high = region.height / (number + SKIPPED * len(skipped))
    feet = [at + SKIPPED * sum(after < at for after in skipped) for at in range(number)]
    return [
        replace(region, bottom=region.bottom + foot * high, top=region.bottom + (foot + 1) * high)
        for foot in feet
    ]


def _dots(columns: Sequence[float], low: float, high: float) -> VGroup:
    """Return dots in each column, in the place of layers that are not drawn."""
    return VGroup(
        *(ellipsis(np.array((x, (low + high) / 2, 0.0)), (high - low) * UP) for x in columns)
    )


def _change(share: float, size: tuple[float, float]) -> Rounded:
    width, height = size
    return Rounded(
        corner_radius=min(CORNER, height / 3, width / 3),
        width=width,
        height=height,
        stroke_width=0,
        fill_color=theme.color(OUTPUT),
        fill_opacity=strength(share, 1.0),
    )
