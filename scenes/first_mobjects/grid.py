"""A grid of queries by keys. Its cells hold a symbol, then a number, then a dot, then a weight.

A weight is a filled disc of ink whose area is the weight, in every film; a weight of exactly zero
is the numeral 0. A cell that nobody may look at is hatched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Self

import numpy as np
from manim import Animation, Circle, Mobject, Rectangle, VGroup, VMobject
from manim.typing import Point3D

from scenes import theme
from scenes.animations import Exchange, Move, Swell, Tint, Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.hatch import Hatch
from scenes.mobjects.text import Number, decimals_for, em_of, widest
from scenes.provenance import Tensor, Value
from scenes.theme import (
    BODY_SIZE,
    HAIR,
    INK,
    NEGATIVE,
    POSITIVE,
    QUIET,
    SLOW,
    SMALLEST_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    Role,
)

EM_BY_HEIGHT = 0.68  # a number's em, as a share of its cell's height, at most
CALM = 0.84  # of a cell's width, for what stands in it, unless it would not be legible
DOT_SHARE = 0.46  # radius of the largest dot, as a share of the cell's shorter side
POINT = 1e-3  # scene units; what is less wide has no shape that could be enlarged


class Cell(VGroup):
    """A face and what stands on it; `largest` is the font size that a hatching leaves room for."""

    largest: float = BODY_SIZE

    def __init__(self, width: float, height: float, fill: Role) -> None:
        self.face = Rectangle(
            width=width,
            height=height,
            stroke_width=THIN_LINE / 2,
            stroke_color=theme.color(QUIET),
            stroke_opacity=0.35,
            fill_color=theme.color(fill),
            fill_opacity=0,
        )
        super().__init__(self.face)

    @property
    def content(self) -> Mobject | None:
        """The symbol, number or dot that the cell holds now."""
        return self.submobjects[1] if len(self.submobjects) > 1 else None

    def hold(self, *content: VMobject) -> None:
        """Let a content, or none, stand here at once in place of the one that did."""
        self.submobjects[1:] = content

    def receive(self, content: VMobject) -> Animation:
        """Let a content come in, in place of the one that stands here."""
        if self.content is None:
            self.add(content)
            return Appear(content)
        return Exchange(self, self.content, content)

    def hatch(self, content: Number) -> Animation:
        """Let the hatching come in that marks what nobody may look at, all round a text."""
        width, height = self.face.width, self.face.height
        window = content.width + HAIR, content.em  # as high as any digit, with a margin
        self.largest = content.em / em_of(1)
        self.hatching = Hatch(width, height, window).move_to(self.face)
        self.face.add(self.hatching)
        return Appear(self.hatching)


class Grid(VGroup):
    """Numbers by query (rows) and key (columns), shape (queries, keys).

    `cell_width` and `cell_height` are in scene units. The fill of a cell shows sign and size of
    its number, the strongest fill standing for the number farthest from zero.
    """

    def __init__(self, values: Tensor, cell_width: float, cell_height: float) -> None:
        self.cell_width, self.cell_height = cell_width, cell_height
        self.hold(values)
        self.cells = [
            [Cell(cell_width, cell_height, self.sign(query, key)) for key in range(len(row))]
            for query, row in enumerate(values)
        ]
        super().__init__(*(cell for row in self.cells for cell in row))
        self._place()

    def hold(self, values: Tensor, decimals: int | None = None) -> Self:
        """Let other numbers, of the same shape, be the ones that the cells turn into from here on.

        They are written with so many decimals, if these are legible in the cells: one, or more
        where all numbers are small.
        """
        self.values = values
        finite = values.array[np.isfinite(values.array)]
        self.largest = float(abs(finite).max()) or 1.0
        entries = [value for row in values for value in row.values]
        wanted = self._calm_decimals(entries) if decimals is None else decimals
        self.decimals, self.size = self._number_format(entries, wanted)
        return self

    def size_for(self, width: float) -> float:
        """Return the font size at which something `width` ems wide stands calmly in a cell.

        It is smaller than the smallest size only where a cell has no room for that.
        """
        calm, tight = CALM * self.cell_width, self.cell_width - HAIR / 2
        legible = min(SMALLEST_SIZE, tight / width / em_of(1))
        return min(BODY_SIZE, max(calm / width / em_of(1), legible))

    def standing(self, make: Callable[[int, int], VMobject]) -> Self:
        """Set into each cell at once what `make` makes of it, such as `grid.dot`."""
        for query, key, cell in self.all():
            cell.add(make(query, key).move_to(cell.face))
        return self

    def cell(self, query: int, key: int) -> Cell:
        """Return the cell where a query meets a key."""
        return self.cells[query][key]

    def row(self, query: int) -> VGroup:
        """Return the cells of one query."""
        return VGroup(*self.cells[query])

    def reveal_frame(self) -> Animation:
        """Let the empty cells come in, from the top left."""
        return one_after_another(Appear(cell) for cell in self)

    def reveal_symbols(self, symbol: Callable[[int, int], VMobject]) -> Animation:
        """Let a symbol such as q · k drop into each cell."""
        return self.fill(symbol)

    def become_numbers(self) -> Animation:
        """Turn what stands in the cells into the numbers, and tint the cells by them.

        A cell in which its number stands already keeps it, if it can be read on the tint.
        """
        others = [each for each in self.all() if not self._keeps(*each)]
        return Together([self.fill(self.number, others), self.tint()])

    def become_dots(self) -> Animation:
        """Turn the numbers into dots whose area is proportional to their size."""
        return Together([self.fill(self.dot), self.untint()])

    def become_weights(self, rows: Iterable[int] | None = None) -> Animation:
        """Turn what stands in the cells, or in some rows of them, into weights, row by row."""
        wanted = range(len(self.cells)) if rows is None else rows
        turning = (
            Together(
                change
                for key, cell in enumerate(self.cells[query])
                for change in (
                    cell.receive(self.weight(query, key).move_to(cell.face)),
                    Tint(cell.face, 0.0),
                )
            )
            for query in wanted
        )
        return one_after_another(turning, 2 * SLOW)

    def settle(self, query: int) -> None:
        """Set the weights of a row at once in place of what stands there, while nobody sees it."""
        for key, cell in enumerate(self.cells[query]):
            cell.hold(self.weight(query, key).move_to(cell.face))

    def resize_weights(self) -> Animation:
        """Let the discs that stand in the cells take on the sizes of the weights held now."""
        resized = []
        for query, key, cell in self.all():
            if isinstance(cell.content, Circle):
                disc, wide = self.weight(query, key), cell.content.width
                grown = Swell(cell.content, disc.width / wide) if wide > POINT else None
                resized.append(grown or cell.receive(disc.move_to(cell.face)))
        return Together(resized)

    def tint(self) -> Animation:
        """Fill each face by the sign and size of its number."""
        return one_after_another(
            Tint(cell.face, self.strength(query, key)) for query, key, cell in self.all()
        )

    def untint(self) -> Animation:
        """Let the faces go back to the background."""
        return one_after_another(Tint(cell.face, 0.0) for _, _, cell in self.all())

    def number(self, query: int, key: int) -> Number:
        """Make the number of a cell, in a colour that reads on the cell's fill."""
        number = Number(self.values[query][key].value, self.decimals, self.size)
        fill = theme.mix(
            theme.color(self.sign(query, key)),
            theme.current().background,
            self.strength(query, key),
        )
        number.set_color(theme.ink_on(fill))
        return number

    def plain(self, query: int, key: int) -> Number:
        """Make the number of a cell that is not tinted."""
        number = Number(self.values[query][key].value, self.decimals, self.size)
        number.set_color(theme.ink_on(theme.current().background))
        return number

    def dot(self, query: int, key: int) -> Circle:
        """Make the dot of a cell: its area is the number's size; a negative one is hollow."""
        share = abs(self.values[query][key].value.number) / self.largest
        radius = DOT_SHARE * min(self.cell_width, self.cell_height) * share**0.5
        role = self.sign(query, key)
        color = theme.color(role)
        if role is POSITIVE:
            return Circle(radius, stroke_width=0, fill_color=color, fill_opacity=1)
        return Circle(radius, stroke_width=THIN_LINE, stroke_color=color, fill_opacity=0)

    def weight(self, query: int, key: int) -> VMobject:
        """Make the disc of a weight: its area is the weight, one of 1 fills the cell."""
        value = self.values[query][key].value
        if not value.number:
            return Number(value, 0, min(self.size, self.cell(query, key).largest), QUIET)
        radius = self._radius(query, key)
        return Circle(radius, stroke_width=0, fill_color=theme.color(INK), fill_opacity=1)

    def _radius(self, query: int, key: int) -> float:
        weight = self.values[query][key].value.number
        return float(DOT_SHARE * min(self.cell_width, self.cell_height) * weight**0.5)

    def sign(self, query: int, key: int) -> Role:
        """Return the role of a number's sign."""
        return NEGATIVE if self.values[query][key].value.number < 0 else POSITIVE

    def strength(self, query: int, key: int) -> float:
        """Return the fill's opacity for a number; minus infinity has none."""
        number = self.values[query][key].value.number
        return STRONGEST_FILL * abs(number) / self.largest if np.isfinite(number) else 0.0

    @property
    def corner(self) -> Point3D:
        """Where the cell of the first query and the first key has its middle."""
        return np.array(self.cells[0][0].face.get_center())

    def transpose(self) -> Animation:
        """Let queries and keys change places: every cell moves to its mirror image."""
        return self._move_cells(lambda query, key: (query, key))

    def transpose_back(self) -> Animation:
        """Let every cell return: queries on the rows, keys on the columns."""
        return self._move_cells(lambda query, key: (key, query))

    def _move_cells(self, place: Callable[[int, int], tuple[int, int]]) -> Animation:
        """Move each cell to the (column, row) that `place` gives for its (query, key)."""
        moves = []
        for query, key, cell in self.all():
            column, row = place(query, key)
            there = self.corner + (column * self.cell_width, -row * self.cell_height, 0)
            moves.append(Move(cell, there - cell.face.get_center(), SLOW))
        return Together(moves)

    def fill(
        self,
        make: Callable[[int, int], VMobject],
        cells: Iterable[tuple[int, int, Cell]] | None = None,
    ) -> Together:
        """Let what `make` makes of query and key come into each cell, or only into some."""
        wanted = self.all() if cells is None else cells
        return one_after_another(
            cell.receive(make(query, key).move_to(cell.face)) for query, key, cell in wanted
        )

    def all(self) -> Iterator[tuple[int, int, Cell]]:
        """Yield query, key and cell, row by row."""
        for query, row in enumerate(self.cells):
            for key, cell in enumerate(row):
                yield query, key, cell

    def _keeps(self, query: int, key: int, cell: Cell) -> bool:
        held, wanted = cell.content, self.number(query, key)
        if not isinstance(held, Number) or held.value != wanted.value:
            return False
        return bool(held.get_color() == wanted.get_color())

    def _calm_decimals(self, entries: Sequence[Value]) -> int:
        """Return one decimal, or as many as small numbers take, if they stand calmly in a cell."""
        room = CALM * self.cell_width / em_of(SMALLEST_SIZE)
        more = range(decimals_for(entries, 1), 1, -1)
        return next((each for each in more if widest(entries, each) <= room), 1)

    def _number_format(self, entries: Sequence[Value], most: int) -> tuple[int, float]:
        """Return decimals (up to `most`) and the font size at which every number fits a cell."""
        tallest = EM_BY_HEIGHT * self.cell_height / em_of(1)
        sizes = {
            decimals: min(tallest, self.size_for(widest(entries, decimals)))
            for decimals in range(most, -1, -1)
        }
        decimals = next((each for each, size in sizes.items() if size >= SMALLEST_SIZE), 0)
        return decimals, sizes[decimals]

    def _place(self) -> None:
        for query, key, cell in self.all():
            cell.move_to((key * self.cell_width, -query * self.cell_height, 0))
        self.center()
