"""A matrix as tinted tiles, elided where it is large. It knows nothing of what it multiplies.

`WeightMatrix` shows what a model has learned, in the colours of the sign; `DataMatrix` shows what
it computes, from nearly the background (the most negative number) to the full colour of its role.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN

from scenes import theme
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.discs import Discs
from scenes.first_mobjects.vector import shown_entries
from scenes.mobjects.text import Words
from scenes.provenance import Tensor, count
from scenes.theme import (
    HAIR,
    INK,
    LABEL_SIZE,
    NEGATIVE,
    POSITIVE,
    QUIET,
    STRONGEST_FILL,
    Role,
)

MOST_ROWS, MOST_COLUMNS = 12, 16
TILE_SHARE = 0.88  # of the pitch; the rest is the gap between tiles
PICKED_GAP = 0.6  # between rows picked one by one, in pitches
ELLIPSIS_DOT = 0.025  # radius, in scene units
FAINTEST = 0.06  # the fill of the smallest number, so that its tile is still seen


class Matrix(VGroup):
    """Tiles in rows and columns, `pitch` scene units apart in x and y, in brackets.

    Of a long side its first entries, an ellipsis and the last one are drawn, of the rows those that
    `picked` names, if any; `rows` and `columns` say which. Each stretch left out has its ellipsis.
    `tile(i, j)` takes the numbers' own indices.
    """

    def __init__(
        self,
        values: Tensor,
        pitch: tuple[float, float],
        most: tuple[int, int] = (MOST_ROWS, MOST_COLUMNS),
        role: Role = INK,
        picked: Sequence[int] = (),
    ) -> None:
        self.values, self.pitch, self.role = values, pitch, role
        measured = values.array[list(picked)] if picked else values.array
        self.largest = float(np.abs(measured).max()) or 1.0
        lengths = values.shape
        self.rows, self.columns = (shown_entries(n, m) for n, m in zip(lengths, most, strict=True))
        self.rows = list(picked) or self.rows
        self.gap = PICKED_GAP if picked else 1.0
        self._x = dict(zip(self.columns, places_of(self.columns), strict=True))
        self._y = dict(zip(self.rows, places_of(self.rows, self.gap), strict=True))
        self.tiles = {(i, j): self._tile(i, j) for i in self.rows for j in self.columns}
        self.column_gaps, self.row_gaps = self._ellipses()
        inside = VGroup(*self.tiles.values(), *self.column_gaps, *self.row_gaps)
        self.brackets = bracket_pair(inside, role)
        super().__init__(*inside, self.brackets)
        self.center()

    def tile(self, row: int, column: int) -> Rectangle:
        """Return the tile of an entry that is drawn."""
        return self.tiles[row, column]

    def row(self, row: int) -> VGroup:
        """Return the tiles of a row that is drawn."""
        return VGroup(*(self.tiles[row, column] for column in self.columns))

    def column(self, column: int) -> VGroup:
        """Return the tiles of a column that is drawn."""
        return VGroup(*(self.tiles[row, column] for row in self.rows))

    @property
    def is_elided(self) -> bool:
        """Whether some entries are left out."""
        drawn = len(self.rows), len(self.columns)
        return bool(drawn != self.values.shape)

    def size_label(self, rows: str, columns: str) -> Words:
        """Return "96 x 16" for under the matrix; the arguments say what the sides count."""
        sides = (
            count(length, of) for length, of in zip(self.values.shape, (rows, columns), strict=True)
        )
        label = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=LABEL_SIZE, role=QUIET)
        label.next_to(self, DOWN, buff=HAIR)
        return label

    def shade(self, number: float) -> tuple[Role, float]:
        """Return the colour and the opacity of a number's tile."""
        share = (number / self.largest + 1) / 2
        return self.role, FAINTEST + (STRONGEST_FILL - FAINTEST) * share

    def _tile(self, row: int, column: int) -> Rectangle:
        role, opacity = self.shade(float(self.values.array[row, column]))
        tile = Rectangle(
            width=TILE_SHARE * self.pitch[0],
            height=TILE_SHARE * self.pitch[1],
            stroke_width=0,
            fill_color=theme.color(role),
            fill_opacity=opacity,
        )
        x, y = self._x[column] * self.pitch[0], -self._y[row] * self.pitch[1]
        return tile.move_to((x, y, 0))

    def _ellipses(self) -> tuple[VGroup, VGroup]:
        """Return three dots for each gap between columns and rows, in the middle of its side."""
        width, height = self.pitch
        middle_x, middle_y = (
            (places[0] + places[-1]) / 2 for places in (_ends(self._x), _ends(self._y))
        )
        rows, columns = self.values.shape
        across = [
            three_dots((at * width, -middle_y * height), (width / 4, 0))
            for at in gaps_of(self.columns, columns)
        ]
        down = [
            three_dots((middle_x * width, -at * height), (0, self.gap * height / 4))
            for at in gaps_of(self.rows, rows, self.gap)
        ]
        return VGroup(*across), VGroup(*down)


class DataMatrix(Matrix):
    """What the model computes: from nearly the background to the full colour of a role."""


class ShareMatrix(Matrix):
    """Numbers that are never negative, such as attention: nothing is nearly the background."""

    def shade(self, number: float) -> tuple[Role, float]:
        """Return the colour of the role, and an opacity by the size."""
        return self.role, FAINTEST + (STRONGEST_FILL - FAINTEST) * number / self.largest


class WeightMatrix(Matrix):
    """What the model has learned: the colour tells the sign, its strength the size."""

    def shade(self, number: float) -> tuple[Role, float]:
        """Return the colour of the sign, and an opacity by the size."""
        share = abs(number) / self.largest
        role = NEGATIVE if number < 0 else POSITIVE
        return role, FAINTEST + (STRONGEST_FILL - FAINTEST) * share


def places_of(shown: Sequence[int], gap: float = 1.0) -> list[float]:
    """Return where each drawn entry stands, in pitches: a stretch left out takes `gap`."""
    place, places = -1.0, list[float]()
    for before, entry in pairwise((-1, *shown)):
        place += 1 if entry == before + 1 else 1 + gap
        places.append(place)
    return places


def gaps_of(shown: Sequence[int], length: int, gap: float = 1.0) -> list[float]:
    """Return the middles of the stretches left out, in pitches; see `places_of`."""
    places = places_of(shown, gap)
    middles = [
        place - (1 + gap) / 2
        for place, (before, entry) in zip(places, pairwise((-1, *shown)), strict=True)
        if entry > before + 1
    ]
    return [*middles, places[-1] + (1 + gap) / 2] if shown[-1] < length - 1 else middles


def _ends(places: dict[int, float]) -> tuple[float, float]:
    found = list(places.values())
    return found[0], found[-1]


def three_dots(center: tuple[float, float], step: tuple[float, float]) -> Discs:
    """Return an ellipsis about a centre, its dots a step apart, both in scene units."""
    offsets = np.array([-1, 0, 1])[:, None] * np.array(step)
    radius = min(ELLIPSIS_DOT, float(np.linalg.norm(step)) / 3)
    return Discs(np.array(center) + offsets, np.full(3, radius), QUIET)
