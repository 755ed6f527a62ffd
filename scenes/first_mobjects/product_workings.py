"""A vector times a matrix with its first column worked out, laid out in a region.

It sets `product`, whose vector passes over the columns, beside `column_workings`. It knows no
model.
"""

from __future__ import annotations

from manim import Animation, VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP

from scenes.animations import Move, Reshape, Together
from scenes.arrivals import Appear, Leave, bring_forward, put_back
from scenes.first_mobjects.column_workings import LINES, LINES_BELOW, ColumnWorkings, file_width
from scenes.first_mobjects.matrix import MOST_COLUMNS
from scenes.first_mobjects.product import LEAST_GAP, Factors, SweptProduct
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.vector import Vector, shown_entries
from scenes.mobjects.text import Formula, Words, em_of, widest
from scenes.presence import hide
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, NUMBER_SIZE, SMALLEST_SIZE

MOST_ROWS = 11  # places of a vector that stands on end
HEAD_LINES = 1.6  # over the numbers and the matrix, for their names, in rows
STACK_LINES = 2.4  # between the workings and the matrix under them, in rows
LINE = 1.35  # from row to row, in ems
TALLEST_ROW, WIDEST_COLUMN = 0.4, 0.62  # scene units
BETWEEN = 0.7  # from the workings to the matrix, in scene units


class ProductWorkings(VGroup):
    """The workings of the first column beside the matrix, or over it where the region is tall.

    `symbols` are those of the vector and of the matrix, in Typst. All parts have their place from
    the start and are unseen until they are revealed.
    """

    def __init__(self, factors: Factors, symbols: tuple[str, str], region: Region) -> None:
        self.factors = factors
        self.stacked = stacked = region.height > region.width
        lines = MOST_ROWS + LINES_BELOW + HEAD_LINES
        pitch = min(TALLEST_ROW, region.height / (2 * lines if stacked else lines))
        size = min(NUMBER_SIZE, max(SMALLEST_SIZE, pitch / LINE / em_of(1)))
        rows = shown_entries(len(factors.vector), MOST_ROWS)
        beside = 0.0 if stacked else 3 * file_width(factors, rows, size) + BETWEEN
        width = region.width - beside - 4 * HAIR
        self.product = self._product(width, pitch)
        heights = {i: float(row.get_y()) for i, row in self._rows()}
        self.workings = ColumnWorkings(factors, heights, pitch, size)
        self.symbol = Formula(f"${symbols[0]}$", BODY_SIZE)
        self.names = self._names(symbols[1])
        self._arrange(region, pitch, stacked=stacked)
        first = self.product.matrix.column(0)
        self.ring = Ring(first, HAIR / 2)
        super().__init__(self.product, self.workings, self.names, self.ring)
        hide(self)

    def stand_up(self, vector: Vector, symbol: Formula) -> Animation:
        """Let a vector that lies as a row, and its symbol, stand up beside the matrix."""
        turns = [Reshape(symbol, self.symbol)]
        turns += map(Reshape, vector.numbers, self.workings.entries)
        gaps = [part for part in vector if isinstance(part, Words)]
        turns += map(Reshape, gaps, self.workings.gaps[0])
        return Together([Together(turns, lag_ratio=0.05), Leave(vector.brackets)])

    def put_away(self, vector: Vector, symbol: Formula) -> Animation:
        """Let the workings go; the vector takes their place, next to the matrix."""
        files = self.workings
        way = RIGHT * (files.terms.get_right()[0] - files.entries.get_right()[0])
        if self.stacked:
            way *= 0.5
        leaving = Leave(files), Leave(self.ring), bring_forward(self._other_columns())
        return Together([*leaving, *(Move(part, way) for part in (vector, symbol))])

    def point_at_first(self) -> Animation:
        """Let a ring come in round the first column; the others recede."""
        return Together([Appear(self.ring), put_back(self._other_columns())])

    def bring_weights(self) -> Animation:
        """Let the first column's weights come out of their tiles as numbers."""
        return self.workings.bring_weights([*self.product.matrix.column(0)])

    def _other_columns(self) -> list[VMobject]:
        others = self.product.columns[1:]
        return [tile for j in others for tile in self.product.matrix.column(j)]

    def _product(self, width: float, pitch: float) -> SweptProduct:
        factors = self.factors
        values = [*factors.sums, *factors.result.values]
        closest = widest(values, factors.decimals) * em_of(SMALLEST_SIZE + 1) + LEAST_GAP
        places = max(3, min(len(factors.sums), MOST_COLUMNS, int(width / closest)))
        column = min(WIDEST_COLUMN, width / places)
        most = MOST_ROWS, places
        return SweptProduct(factors, (column, pitch), most)

    def _rows(self) -> list[tuple[int, VMobject]]:
        matrix = self.product.matrix
        return [(i, matrix.tile(i, 0)) for i in matrix.rows]

    def _names(self, weights: str) -> VGroup:
        label = self.product.matrix.size_label("entries of a vector", "entries of a query")
        return VGroup(Formula(f"${weights}$", BODY_SIZE), label)

    def _arrange(self, region: Region, pitch: float, *, stacked: bool) -> None:
        if stacked:
            self.product.next_to(self.workings, DOWN, buff=STACK_LINES * pitch)
        else:
            start = float(self.workings.get_right()[0]) + BETWEEN
            self.product.shift(RIGHT * (start - self.product.get_left()[0]))
        matrix, (weights, label) = self.product.matrix, self.names
        self.symbol.next_to(self.workings.entries, UP, buff=HAIR)
        weights.next_to(matrix, UP, buff=HAIR)
        label.next_to(weights, RIGHT, buff=GAP)
        self.names.set_x(matrix.get_x())
        if not stacked:
            self.symbol.set_y(weights.get_y())
        whole = VGroup(self.product, self.workings, self.names, self.symbol)
        lines = (0.8 if stacked else 0.0) + (LINES - len(self.workings.below)) / 2
        whole.move_to(region.center + lines * pitch * UP)  # what stands below needs its room
