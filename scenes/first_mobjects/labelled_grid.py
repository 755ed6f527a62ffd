"""A grid with its tokens: queries beside the rows, keys above the columns, fitted to a region.

It knows pieces of text and one tensor, and no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from manim import Animation, Mobject, VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Fly
from scenes.first_mobjects.grid import Grid
from scenes.first_mobjects.labels import AxisLabels, size_for
from scenes.first_mobjects.symbols import DotProductSymbol
from scenes.mobjects.text import em_of
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import HAIR, KEY, LABEL_SIZE, NUMBER_SIZE, QUERY, SMALLEST_SIZE

TALLEST_CELL = 0.8  # scene units
WIDEST_CELL = 1.1  # scene units, where cells are low; high ones may be wider
WIDTH_BY_HEIGHT = 2.1
LINE = 1.3  # from one name beside the rows to the next, at least, in ems
NAMES_SHARE = 0.22  # of the width, at most, for the names beside the rows
RIM = 0.03  # scene units within the region, so that what has its size covers every letter
SYMBOL_ROOM = 0.6  # beside a name, for its symbol, in scene units


class LabelledGrid(VGroup):
    """One number for each query and key, shape (T, T), as large as `region` allows."""

    def __init__(self, values: Tensor, pieces: Sequence[str], region: Region) -> None:
        self.pieces = pieces
        self.row_size = size_for(pieces, NAMES_SHARE * region.width - SYMBOL_ROOM)
        width, height = self._cell_size(region)
        self.row_size = min(self.row_size, LABEL_SIZE * height / (LINE * em_of(LABEL_SIZE)))
        self.column_size = self._column_size(width)
        self.grid = Grid(values, width, height)
        self.queries = AxisLabels(pieces, "q", QUERY, self.row_size)
        self.keys = AxisLabels(pieces, "k", KEY, self.column_size)
        self._set_sides(self.queries, self.keys)
        super().__init__(self.queries, self.keys, self.grid)
        self.move_to(region.center)

    @classmethod
    def beside(
        cls, values: Tensor, pieces: Sequence[str], region: Region, room: float
    ) -> LabelledGrid:
        """Return a grid in the place where it always stands, with `room` free on its right.

        Only where there is not so much room it stands further left, and is smaller if it must.
        """
        board = cls(values, pieces, region)
        if float(board.get_right()[0]) + room <= region.right:
            return board
        board = cls(values, pieces, replace(region, right=region.right - room))
        board.next_to((region.right - room, board.get_y(), 0), LEFT, buff=0)
        return board

    def but_row(self, query: int) -> list[Mobject]:
        """Return every cell and name beside the rows, except those of one query."""
        rest = [i for i in range(len(self.pieces)) if i != query]
        return [*(self.queries[i] for i in rest), *(c for i in rest for c in self.grid.row(i))]

    def bring_queries(self, row: Iterable[Mobject]) -> Animation:
        """Let each query's name come from its token in a row above; the last one goes first.

        So none of them crosses another.
        """
        return one_after_another(reversed([*map(Fly, self.queries, row)]))

    def bring_keys(self, row: Iterable[Mobject]) -> Animation:
        """Let each key's name come from its token in a row above."""
        return one_after_another(map(Fly, self.keys, row))

    def reveal_symbols(self) -> Animation:
        """Let q · k drop into each cell, with indices where there is room for them."""
        tokens = len(self.pieces)
        longest = DotProductSymbol(f"q_{tokens}", f"k_{tokens}", NUMBER_SIZE).width
        size = min(NUMBER_SIZE, self.grid.size_for(longest / em_of(NUMBER_SIZE)))
        if size >= SMALLEST_SIZE:
            return self.grid.reveal_symbols(
                lambda query, key: DotProductSymbol(f"q_{query + 1}", f"k_{key + 1}", size)
            )
        return self.grid.reveal_symbols(lambda *_: DotProductSymbol("q", "k", SMALLEST_SIZE))

    def transpose(self) -> Animation:
        """Let the queries go to the columns and the keys to the rows, with their cells."""
        rows = AxisLabels(self.pieces, "k", KEY, self.row_size)
        columns = AxisLabels(self.pieces, "q", QUERY, self.column_size)
        return self._change_sides(rows, columns, self.grid.transpose())

    def transpose_back(self) -> Animation:
        """Let the queries return to the rows."""
        rows = AxisLabels(self.pieces, "q", QUERY, self.row_size)
        columns = AxisLabels(self.pieces, "k", KEY, self.column_size)
        return self._change_sides(rows, columns, self.grid.transpose_back())

    def _change_sides(self, rows: AxisLabels, columns: AxisLabels, cells: Animation) -> Animation:
        """Return the animation in which names and cells go to their new places together."""
        self._set_sides(rows, columns)
        queries, keys = (rows, columns) if rows.role is QUERY else (columns, rows)
        return Together([cells, self.queries.go_over_to(queries), self.keys.go_over_to(keys)])

    def _set_sides(self, rows: AxisLabels, columns: AxisLabels) -> None:
        first = self.grid.corner
        rows.beside_rows(self.grid.cell_height)
        rows.shift(LEFT * (rows.get_right()[0] - first[0] + self.grid.cell_width / 2 + 1.5 * HAIR))
        rows.shift(UP * first[1])
        columns.above_columns(self.grid.cell_width)
        columns.shift(UP * (first[1] + self.grid.cell_height / 2 + HAIR - columns.get_bottom()[1]))
        columns.shift(RIGHT * first[0])

    def _cell_size(self, region: Region) -> tuple[float, float]:
        """Return the width and height of a cell that leave room for the names."""
        beside = AxisLabels(self.pieces, "q", QUERY, self.row_size).beside_rows(1.0)
        above = AxisLabels(self.pieces, "k", KEY, LABEL_SIZE).above_columns(0.5)
        width = (region.width - beside.width - 2 * HAIR) / len(self.pieces)
        height = (region.height - above.height - HAIR) / len(self.pieces)
        height = min(TALLEST_CELL, height)
        width = min(max(WIDEST_CELL, WIDTH_BY_HEIGHT * height), width)
        names = AxisLabels(self.pieces, "k", KEY, self._column_size(width)).above_columns(width)
        room = region.height - names.height - HAIR - RIM
        return width, min(height, room / len(self.pieces))

    def _column_size(self, width: float) -> float:
        """Return the font size of names above columns of a width."""
        return size_for(self.pieces, width - 2 * HAIR)
