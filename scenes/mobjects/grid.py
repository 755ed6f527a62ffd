"""A grid of queries by keys. Its cells hold a symbol, then a number, then a dot, then a weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from manim import Animation, Circle, Mobject, Rectangle, VGroup, VMobject
from manim.typing import Point3D

from scenes import theme
from scenes.animations import Appear, Exchange, Move, Tint, Together, one_after_another
from scenes.mobjects.text import Number, em_of, widest
from scenes.theme import (
    BODY_SIZE,
    HAIR,
    NEGATIVE,
    POSITIVE,
    QUIET,
    SLOW,
    SMALLEST_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    Role,
)
from scenes.values import Tensor

EM_BY_HEIGHT = 0.68  # a number's em, as a share of its cell's height, at most
DOT_SHARE = 0.46  # radius of the largest dot, as a share of the cell's shorter side


class Cell(VGroup):
    """A face and what stands on it."""

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

    def receive(self, content: VMobject) -> Animation:
        """Let a content come in, in place of the one that stands here."""
        if self.content is None:
            self.add(content)
            return Appear(content)
        return Exchange(self, self.content, content)


class Grid(VGroup):
    """Numbers by query (rows) and key (columns), shape (queries, keys).

    `cell_width` and `cell_height` are in scene units. The fill of a cell shows sign and size of
    its number, the strongest fill standing for the number farthest from zero.
    """

    def __init__(self, values: Tensor, cell_width: float, cell_height: float) -> None:
        self.values = values
        self.cell_width, self.cell_height = cell_width, cell_height
        self.largest = float(abs(values.array).max()) or 1.0
        self.decimals, self.size = _number_format(values, cell_width - HAIR / 2, cell_height)
        self.cells = [
            [Cell(cell_width, cell_height, self.sign(query, key)) for key in range(len(row))]
            for query, row in enumerate(values)
        ]
        super().__init__(*(cell for row in self.cells for cell in row))
        self._place()

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
        return self._fill(symbol)

    def become_numbers(self) -> Animation:
        """Turn what stands in the cells into the numbers, and tint the cells by them."""
        return Together([self._fill(self.number), self.tint()])

    def become_dots(self) -> Animation:
        """Turn the numbers into dots whose area is proportional to their size."""
        return Together([self._fill(self.dot), self.untint()])

    def tint(self) -> Animation:
        """Fill each face by the sign and size of its number."""
        return one_after_another(
            Tint(cell.face, self.strength(query, key)) for query, key, cell in self._all()
        )

    def untint(self) -> Animation:
        """Let the faces go back to the background."""
        return one_after_another(Tint(cell.face, 0.0) for _, _, cell in self._all())

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

    def dot(self, query: int, key: int) -> Circle:
        """Make the dot of a cell: its area is the number's size; a negative one is hollow."""
        share = abs(self.values[query][key].value.number) / self.largest
        radius = DOT_SHARE * min(self.cell_width, self.cell_height) * share**0.5
        role = self.sign(query, key)
        color = theme.color(role)
        if role is POSITIVE:
            return Circle(radius, stroke_width=0, fill_color=color, fill_opacity=1)
        return Circle(radius, stroke_width=THIN_LINE, stroke_color=color, fill_opacity=0)

    def sign(self, query: int, key: int) -> Role:
        """Return the role of a number's sign."""
        return NEGATIVE if self.values[query][key].value.number < 0 else POSITIVE

    def strength(self, query: int, key: int) -> float:
        """Return the fill's opacity for a number."""
        return STRONGEST_FILL * abs(self.values[query][key].value.number) / self.largest

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
        for query, key, cell in self._all():
            column, row = place(query, key)
            there = self.corner + (column * self.cell_width, -row * self.cell_height, 0)
            moves.append(Move(cell, there - cell.face.get_center(), SLOW))
        return Together(moves)

    def _fill(self, make: Callable[[int, int], VMobject]) -> Animation:
        arrivals = []
        for query, key, cell in self._all():
            arrivals.append(cell.receive(make(query, key).move_to(cell.face)))
        return one_after_another(arrivals)

    def _all(self) -> Iterator[tuple[int, int, Cell]]:
        for query, row in enumerate(self.cells):
            for key, cell in enumerate(row):
                yield query, key, cell

    def _place(self) -> None:
        for query, key, cell in self._all():
            cell.move_to((key * self.cell_width, -query * self.cell_height, 0))
        self.center()


def _number_format(values: Tensor, width: float, height: float) -> tuple[int, float]:
    """Return decimals (one, or else none) and the font size at which every number fits a cell."""
    entries = [value for row in values for value in row.values]
    tallest = EM_BY_HEIGHT * height
    sizes = {
        decimals: min(BODY_SIZE, min(width / widest(entries, decimals), tallest) / em_of(1))
        for decimals in (1, 0)
    }
    decimals = 1 if sizes[1] >= SMALLEST_SIZE else 0
    return decimals, sizes[decimals]
