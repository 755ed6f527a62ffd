"""A matrix: an area in true proportions, or cells with numerals. It knows nothing of its use.

`Area` shows how large a matrix is beside others, `Matrix` what stands in it; `TurnInto` makes one
of the other:

    yield Appear(matrix.cells, matrix.brackets), Appear(matrix.column(0))
    yield TurnInto(area, matrix)

`Growth` shows how a table and a matrix grow as vectors become longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from manim import Mobject, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.analysis.parameter_counts import Ledger
from scenes.camera import WHOLE, View
from scenes.mobjects.dots import Floats
from scenes.mobjects.fit import number_format, shown_entries
from scenes.mobjects.ledger import LAYERS
from scenes.mobjects.marks import Brackets
from scenes.mobjects.text import Number, Words
from scenes.mobjects.vector import Cell, Heat, ellipsis, inside
from scenes.provenance import Tensor, count
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    BOLD_LINE,
    GAP,
    HEADING_SIZE,
    INK,
    NAMED_SIZE,
    QUERY,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)
from scenes.verbs import Appear, Become, ComeFrom, Flow, Hold, Shift, Then, Together, Verb

TIMES = "\N{MULTIPLICATION SIGN}"
BEHIND, STEP = 4, 0.5  # matrices of other blocks; in sides of one, from each to the next


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


class Growth(VGroup):
    """A `table` of vectors and a `square` matrix between them, which longer vectors make larger.

    `table_twice` and `square_twice` are their twins where vectors are twice as long, with GPT-3's
    proportions; from a view all of it is seen in a region. Parts: the `names` of both, the `times`
    by which each grows, and the blocks', and `behind`, matrices of other blocks; `before`, the
    edges of both as they were.
    """

    def __init__(self, ledger: Ledger, region: Region, view: View = WHOLE) -> None:
        (length, tokens), blocks = ledger.factors["embedding"], ledger.factors["query"][LAYERS]
        told = "embeddings", "a matrix"
        self.names = [Words(text, size=SPOKEN_SIZE) for text in told]
        factors = [count(by, "times as large, where vectors are twice as long") for by in (2, 4)]
        self.times = [Words(f"{TIMES} {{}}", by, size=HEADING_SIZE) for by in factors]
        self.times.append(Words(f"{TIMES} {{:.0f}} blocks", blocks, size=HEADING_SIZE))
        self._draw(float(tokens / length), region)
        self._put_times(region)
        areas = *self.behind, self.table, self.square, *self.before
        super().__init__(*areas, *self.names, *self.times)
        whole = VGroup(self, self.table_twice, self.square_twice).move_to(region.center)
        first = self.table, self.table_twice, self.before[0], self.names[0], self.times[0]
        self.above = VGroup(*first)
        down = region.center - self.above.get_center()
        self.above.shift(down[1] * UP)
        self.up = -down[1] / view.zoom * UP
        for part in whole.family_members_with_points():
            part.points = view.behind(part.points)

    def _draw(self, long: float, region: Region) -> None:
        """Draw both, so many times as long as wide, and their twins, under their names."""
        unit, places = self._places(long, region)
        sizes = (long, 0.5), (long, 1.0), (0.5, 0.5), (1.0, 1.0)
        roles = INK, INK, QUERY, QUERY
        self.table, self.table_twice, self.square, self.square_twice = (
            Rectangle(
                width=unit * wide,
                height=unit * high,
                stroke_color=theme.color(BACKGROUND),
                stroke_width=2 * THIN_LINE,
                fill_color=theme.color(role),
                fill_opacity=1.0,
            )
            for (wide, high), role in zip(sizes, roles, strict=True)
        )
        self.pairs = (self.table, self.table_twice), (self.square, self.square_twice)
        for pair, name, place in zip(self.pairs, self.names, places, strict=True):
            name.shrink_to(region.right - float(place[0])).next_to(place, UP, GAP, LEFT)
            for each in pair:
                each.move_to(place, LEFT + UP)
        step = STEP * unit * RIGHT
        self.behind = [self.square_twice.copy().shift(i * step) for i in range(BEHIND, 0, -1)]
        self.before = [self.table.copy(), self.square.copy()]
        for each in self.before:
            each.set_fill(opacity=0)

    def _places(self, long: float, region: Region) -> tuple[float, list[Floats]]:
        """Return a length as the longer vectors', and the corners of both: where it is larger.

        One stands under the other, with their names over them.
        """
        line = max(name.height for name in self.names) + 2 * GAP
        unit = min(region.width / long, region.height / 2 - line)
        left, middle = region.center[0] - unit * long / 2, region.center[1]
        return unit, [np.array((left, y, 0.0)) for y in (middle + unit, middle - line)]

    def _put_times(self, region: Region) -> None:
        """Place by how much each grows beside its name, and the blocks beside the last of them."""
        for name, times in zip(self.names, self.times, strict=False):
            times.next_to(name, RIGHT, buff=2 * GAP).shift((name.baseline - times.baseline) * UP)
            row, foot = VGroup(name, times), name.get_corner(LEFT + DOWN)
            row.scale(min(1.0, region.width / row.width), about_point=foot)
        last, blocks = self.behind[0], self.times[2]
        blocks.next_to(last, RIGHT, buff=2 * GAP)
        if blocks.get_right()[0] > region.right:
            blocks.next_to(last, DOWN, buff=GAP)
            region.hold(blocks)

    def table_comes(self, few: Mobject) -> Verb:
        """Return how the table comes out of where it is small, and its name."""
        return Together(ComeFrom(self.table, few), Then(Hold(), Appear(self.names[0])))

    def double(self, place: int) -> Verb:
        """Return how the table, or the matrix, is made for vectors twice as long."""
        return Then(Hold(), Become(*self.pairs[place]), self._told(place))

    def _told(self, place: int) -> Verb:
        """Return how the edge of what it was comes, to be compared, and how often that fits."""
        return Appear(self.before[place], self.times[place], scale=1.0)

    def square_comes(self) -> Verb:
        """Return how the table makes room, and the matrix comes, with its name."""
        first = self.table, self.before[0], self.names[0], self.times[0]
        return Then(Shift(*first, by=self.up), Appear(self.square, self.names[1]))

    def blocks_come(self) -> Verb:
        """Return how the matrices of other blocks come out of the one."""
        come = Flow(ComeFrom(each, self.square) for each in reversed(self.behind))
        return Together(come, Then(Hold(), Appear(self.times[2])))
