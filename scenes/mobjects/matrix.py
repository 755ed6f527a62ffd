"""A matrix: an area in true proportions, or cells with numerals. It knows nothing of its use.

`Area` shows how large a matrix is beside others, `Matrix` what stands in it; `TurnInto` makes one
of the other:

    yield Appear(matrix.cells, matrix.brackets), Appear(matrix.column(0))
    yield TurnInto(area, matrix)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, UP

from scenes import theme
from scenes.mobjects.fit import number_format, shown_entries
from scenes.mobjects.marks import Brackets
from scenes.mobjects.text import Number
from scenes.mobjects.vector import Cell, Heat, ellipsis, inside
from scenes.provenance import Tensor
from scenes.theme import BOLD_LINE, INK, NAMED_SIZE, QUIET, Role


class Matrix(VGroup):
    """A tensor (rows, columns) as cells; `room` is that of one entry, (width, height).

    Of a side longer than `most` says, (rows, columns), its first entries, an ellipsis and the
    last one are drawn; `rows` and `columns` say which. Signs and strengths are those of a `Vector`.
    The parts are `cells`, `numbers`, `dots` and `brackets`.
    """

    def __init__(
        self,
        values: Tensor,
        room: tuple[float, float],
        *,
        most: tuple[int, int],
        number_size: float = NAMED_SIZE,
    ) -> None:
        self.values, self.room = values, room
        self.largest = float(np.abs(values.array).max())
        self.rows, self.columns = (
            shown_entries(length, each) for length, each in zip(values.shape, most, strict=True)
        )
        self._cells = {(i, j): self._cell(i, j) for i in self.rows for j in self.columns}
        self.cells = VGroup(*self._cells.values())
        self.dots = VGroup(*self._ellipses())
        shown = {at: values[at].value for at in self._cells}
        form = number_format(shown.values(), inside(room), number_size)
        self._numbers = {
            at: Number(value, form.decimals, form.size)
            .set_color(self._cells[at].ink)
            .move_to(self._cells[at])
            for at, value in shown.items()
        }
        self.numbers = VGroup(*self._numbers.values())
        self.brackets = Brackets(VGroup(self.cells, self.dots), INK)
        super().__init__(self.brackets, self.cells, self.dots, self.numbers)
        self.center()

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell of an entry that is drawn, by its indices in the tensor."""
        return self._cells[row, column]

    def number(self, row: int, column: int) -> Number:
        """Return the numeral of an entry that is drawn."""
        return self._numbers[row, column]

    def entry(self, row: int, column: int) -> VGroup:
        """Return the cell and numeral of an entry that is drawn."""
        return self._picked([(row, column)])

    def row(self, row: int) -> VGroup:
        """Return the cells and numerals of a row that is drawn."""
        return self._picked([(row, column) for column in self.columns])

    def column(self, column: int) -> VGroup:
        """Return the cells and numerals of a column that is drawn."""
        return self._picked([(row, column) for row in self.rows])

    def _picked(self, places: Sequence[tuple[int, int]]) -> VGroup:
        numbers = [self._numbers[at] for at in places if at in self._numbers]
        return VGroup(*(self._cells[at] for at in places), *numbers)

    def _cell(self, row: int, column: int) -> Cell:
        cell = Cell(float(self.values.array[row, column]), self.largest, self.room)
        cell.move_to((*self._place(row, column), 0))
        return cell

    def _place(self, row: int, column: int) -> tuple[float, float]:
        """Return where an entry that is drawn stands, before the matrix is centred."""
        down, across = (
            shown.index(entry) + (entry > len(shown) - 1)
            for shown, entry in ((self.rows, row), (self.columns, column))
        )
        return across * self.room[0], -down * self.room[1]

    def _ellipses(self) -> list[VMobject]:
        """Return the dots for the rows and for the columns that are left out."""
        (left, top), (right, low) = self._place(0, 0), self._place(self.rows[-1], self.columns[-1])
        right_of, under = np.array((self.room[0], 0.0, 0.0)), np.array((0.0, -self.room[1], 0.0))
        is_cut, gap = len(self.columns) < self.values.shape[1], right - self.room[0]
        found = []
        if len(self.rows) < len(self.values.array):
            at = np.array((gap if is_cut else (left + right) / 2, low + self.room[1], 0.0))
            found.append(ellipsis(at, under))
        if is_cut:
            at = np.array((gap, (top + low) / 2, 0.0))
            found.append(ellipsis(at, right_of))
        return found


class Area(VGroup):
    """A matrix (rows, columns) in true proportions: `unit` scene units are one entry's side.

    Parts: `rows`, the numbers as pictures, and `outline`. There is one picture, or there are so
    many `strips` of about as many rows each, one under the other. A vector is a matrix of one
    column or row; `thickness`, if given, is how wide that one is drawn, as one entry alone is too
    thin. `largest` is the number with the strongest fill, by default the largest here.
    """

    def __init__(
        self,
        numbers: Tensor,
        unit: float,
        *,
        role: Role | None = None,
        outline: Role = QUIET,
        largest: float = 0.0,
        thickness: float = 0.0,
        upright: bool = True,
        strips: int = 1,
    ) -> None:
        array = numbers.array
        if array.ndim == 1:
            array = array[:, None] if upright else array[None, :]
        height, width = (unit * side if side > 1 else thickness or unit for side in array.shape)
        largest = largest or float(np.abs(array).max())
        self.outline = Rectangle(
            width=width,
            height=height,
            stroke_width=BOLD_LINE / 2,
            stroke_color=theme.color(outline),
        )
        parts = np.array_split(array, strips)
        sizes = [(width, height * len(part) / len(array)) for part in parts]
        self.rows = VGroup(*map(Heat, parts, sizes, repeat(role), repeat(largest)))
        self.rows.arrange(DOWN, buff=0)
        super().__init__(self.rows, self.outline)

    def row(self, place: int) -> VGroup:
        """Return the picture of a row, or of a strip of rows."""
        row = self.rows[place]
        assert isinstance(row, VGroup)
        return row

    def band(self, place: int) -> Rectangle:
        """Return the box of a row or strip, a place that is on no stage."""
        box = Rectangle(width=self.outline.width, height=self.outline.height / len(self.rows))
        return box.align_to(self.outline, UP).shift(place * box.height * DOWN).match_x(self.outline)
