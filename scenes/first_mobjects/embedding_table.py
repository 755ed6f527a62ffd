"""The embedding matrix with the entries of the vocabulary beside its rows. It knows no model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Animation, Rectangle, VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fade, Show, put_back
from scenes.first_mobjects.looked_up import LookedUp
from scenes.first_mobjects.matrix import PICKED_GAP, WeightMatrix
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.tokens import Chip
from scenes.first_mobjects.vector import Vector
from scenes.mobjects.text import Formula, Number, TokenText, Words, decimals_for, em_of, widest
from scenes.provenance import Tensor, Value, count
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, LABEL_SIZE, NUMBER_SIZE, QUIET, SLOW, THIN_LINE

TALLEST_ROW = 0.42  # scene units
EM_BY_ROW = 1.0  # a name's em, as a share of its row's height; there is room above and below
RING_BY_ROW = 1.1  # the height of a ring around a name, as a share of its row's
COLUMN = 0.8  # the width of a column, at least: room for a number
MOST_DECIMALS = 4  # of a number, so that it is legible there
DARK = 0.12  # the presence of a row that was multiplied by zero
ENTRY_ROOM = 0.6  # for an entry of a one-hot vector, between a name and its row


class EmbeddingTable(VGroup):
    """The rows of W_E (V, D) that `pieces` names by their ids, under a title, to fill `region`.

    `ids` are the numbers beside the rows; the rows between are ellipses there. Room for a vector
    that weights the rows is left beside them: `entries` sets it there.
    """

    def __init__(
        self, weights: Tensor, pieces: Mapping[int, str], ids: Mapping[int, Value], region: Region
    ) -> None:
        rows = sorted(pieces)
        self.title = _title(weights)
        region = region.lowered(self.title.height + GAP)
        pitch = min(TALLEST_ROW, region.height / ((1 + PICKED_GAP) * len(rows) + 2 * PICKED_GAP))
        self.size = min(LABEL_SIZE, LABEL_SIZE * EM_BY_ROW * pitch / em_of(LABEL_SIZE))
        self.ids = {row: Number(ids[row], 0, self.size, QUIET) for row in rows}
        self.pieces = {row: TokenText(pieces[row], self.size) for row in rows}
        room = region.width - self._names_width() - ENTRY_ROOM - 3 * GAP
        self.most = max(3, int(room / COLUMN))
        pitches = room / min(self.most, weights.shape[1]), pitch
        self.matrix = WeightMatrix(weights, pitches, (len(rows), self.most), INK, rows)
        self._set_names()
        super().__init__(*self.names.values(), self.matrix)
        self.move_to(region.center)
        self.title.next_to(self, UP, buff=GAP).set_x(region.center[0])
        self.add(self.title)

    def reveal(self) -> Animation:
        """Let the title and the frame come in, and then row after row, each with its name."""
        matrix = self.matrix
        frame = [Show(part) for part in (matrix.brackets, *matrix.column_gaps, *matrix.row_gaps)]
        rows = (
            Together([Appear(self.names[row]), *map(Appear, self.row(row))]) for row in matrix.rows
        )
        return Together([Appear(self.title), *frame, one_after_another(rows, 2 * SLOW)])

    def ring(self, row: int) -> Ring:
        """Return a ring around a row's id and piece, as high as the row."""
        name = self.names[row]
        tall = RING_BY_ROW * self.matrix.pitch[1]
        around = Rectangle(width=name.width + 2 * HAIR, height=tall)
        ring = Ring(around.move_to((name.get_x(), self.row(row).get_y(), 0)))
        return ring.set_stroke(width=THIN_LINE)

    def row(self, row: int) -> VGroup:
        """Return the tiles of a row."""
        return self.matrix.row(row)

    def looked_up(self, values: Tensor, piece: str) -> LookedUp:
        """Return a vector (D,) whose tiles and numbers stand in the columns of the matrix."""
        tiles = self.row(self.matrix.rows[0]).copy()
        for column, tile in zip(self.matrix.columns, tiles, strict=True):
            role, opacity = self.matrix.shade(float(values.array[column]))
            tile.set_fill(theme.color(role), opacity)
        pitch = self.matrix.pitch[0]
        decimals = min(decimals_for(values.values, 2), MOST_DECIMALS)
        longest = widest(values.values, decimals) * em_of(1)
        size = min(NUMBER_SIZE, (pitch - GAP) / longest)
        vector = Vector(values.values, pitch, decimals=decimals, size=size, most=self.most)
        vector.shift(RIGHT * (self.matrix.brackets.get_x() - vector.middle))
        return LookedUp(tiles, vector, Chip(piece, LABEL_SIZE))

    def entries(self, one_hot: Tensor) -> dict[int, Number]:
        """Return the entries of a vector (V,) that weight the rows drawn, each beside its row."""
        found = {}
        for row in self.matrix.rows:
            number = Number(one_hot[row].value, 0, self.size)
            number.next_to(self.matrix.brackets, LEFT, buff=ENTRY_ROOM / 3)
            found[row] = number.set_y(self.matrix.row(row).get_y())
        return found

    def weight_rows(self, entries: Mapping[int, Number]) -> Together:
        """Multiply each row by its entry of a one-hot vector: at zero it goes dark."""
        dark = [
            Together([put_back((self.names[row], entry)), Fade(self.row(row), DARK)])
            for row, entry in entries.items()
            if not entry.value.number
        ]
        return one_after_another([*dark, put_back(self.matrix.row_gaps)])

    def _names_width(self) -> float:
        ids, pieces = (
            max(text.width for text in texts.values()) for texts in (self.ids, self.pieces)
        )
        return float(ids + HAIR + pieces)

    def _set_names(self) -> None:
        """Set each id and piece on the line of its row, in two columns."""
        self.names = {}
        start = self.matrix.get_left()[0] - ENTRY_ROOM - self._names_width()
        left = max(number.width for number in self.ids.values())
        self.matrix.row_gaps.set_x(start + left / 2)
        for row, number in self.ids.items():
            base = self.matrix.row(row).get_y() - 0.3 * em_of(self.size)
            number.shift((start + left - number.get_right()[0], base - number.get_bottom()[1], 0))
            piece = self.pieces[row]
            piece.shift(RIGHT * (start + left + 2 * HAIR - piece.get_left()[0]))
            piece.shift(np.array((0, base, 0)))
            self.names[row] = VGroup(number, piece)


def _title(weights: Tensor) -> VGroup:
    sides = [count(side, "entries of the embedding matrix") for side in weights.shape]
    size = Words("{:,.0f} \N{MULTIPLICATION SIGN} {:,.0f}", *sides, size=LABEL_SIZE)
    name = Formula("embedding matrix $W_E$", LABEL_SIZE)
    return VGroup(name, size).arrange(RIGHT, buff=2 * GAP)
