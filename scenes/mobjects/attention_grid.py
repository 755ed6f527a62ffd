"""A grid of queries by keys, and what may stand in its cells. It knows no model.

The board has square cells, the queries' names beside its rows and the keys' above its columns.
Each layer over it, such as `board.numbers(scores)` or `board.dots(scores)`, has one mobject for
every cell; a film sets the layers that it needs on the stage and lets one turn into another:

    board = AttentionGrid(tokens, self.stage)
    numbers, dots = board.numbers(products), board.dots(products)
    Flow(TurnInto(*pair) for pair in zip(numbers.all(), dots.all(), strict=True))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Circle, Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.mobjects.fit import NumberFormat, number_format
from scenes.mobjects.marks import Hatch
from scenes.mobjects.signs import hue, signed_dot, strength
from scenes.mobjects.text import Number, TokenText, em_of
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    FAINTEST_FILL,
    HAIR,
    INK,
    KEY,
    LEAST_SIZE,
    NAMED_SIZE,
    PLAIN_SIZE,
    QUERY,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)
from scenes.verbs import GoInto, Verb

DOT_SHARE = 0.46  # radius of the largest dot, as a share of the cell
SLANT = np.pi / 4  # of names above columns, where the cells are narrower than the names
UPRIGHT = np.pi / 2  # their slant where there is more height than width
LINE = 1.12  # from one name to the next, at least, in ems
DROP = 0.28  # of a level name's baseline above its foot, in ems
LEAST_CELL = 0.84  # of what the cells could be with the smallest names: the others are for names
OUTLINED = 0.03  # of a cell, the radius of the smallest dot that has an outline
EDGE = 0.35  # opacity of the lines between cells
WIDE_CELL = 1.75  # times as wide as tall, at most, are cells of a board that is all there is to see


class Entries(VGroup):
    """One mobject for each query (row) and key (column)."""

    def __init__(self, rows: Sequence[Sequence[VMobject]]) -> None:
        self.rows = [VGroup(*row) for row in rows]
        super().__init__(*self.rows)

    def cell(self, query: int, key: int) -> VMobject:
        """Return what stands where a query meets a key."""
        found: VMobject = self.rows[query][key]
        return found

    def row(self, query: int) -> VGroup:
        """Return what stands in the row of a query."""
        return self.rows[query]

    def column(self, key: int) -> VGroup:
        """Return what stands in the column of a key."""
        return VGroup(*(row[key] for row in self.rows))

    def all(self) -> list[VMobject]:
        """Return everything, row by row."""
        return [each for row in self.rows for each in row]

    def future(self, query: int) -> VGroup:
        """Return what stands in a query's row where the key comes after the query."""
        return VGroup(*self.rows[query][query + 1 :])

    def past(self, query: int) -> VGroup:
        """Return what stands in a query's row where the key is its own or comes before it."""
        return VGroup(*self.rows[query][: query + 1])


@dataclass(frozen=True)
class _Layout:
    """Font size of the names, height and width of a cell, room for names, in scene units."""

    size: float
    cell: float
    wide: float
    left: float  # beside the rows
    top: float  # above the columns
    right: float  # right of the cells
    slant: float  # of the names above columns, in radians


class AttentionGrid(VGroup):
    """Cells for every query and key of some tokens, as large as a region allows, with names.

    `beside` keeps scene units free right of the cells, for sums of rows. Cells are squares; where
    the region is wide, they may be `widest` times as wide as tall. They are `side` high: at least
    `least_cell` of what they could be with the smallest names.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        region: Region,
        *,
        beside: float = 0.0,
        widest: float = 1.0,
        least_cell: float = LEAST_CELL,
    ) -> None:
        self.pieces, self.beside, self.widest = list(pieces), beside, widest
        self.least_cell = least_cell
        self.layout = self._fitted(region)
        self.side, self.wide = self.layout.cell, self.layout.wide
        spread = self.layout.left + len(pieces) * self.wide + self.layout.right
        tall = self.layout.top + len(pieces) * self.side
        x, y, _ = region.center
        self.origin: Point3D = np.array(  # the upper left corner of the cells
            (x - spread / 2 + self.layout.left, y + tall / 2 - self.layout.top, 0.0)
        )
        self.faces = self._entries(self._face)
        self.queries = VGroup(*(self._query(place) for place in range(len(pieces))))
        self.keys = VGroup(*(self._key(place) for place in range(len(pieces))))
        super().__init__(self.faces, self.queries, self.keys)

    def cell(self, query: int, key: int) -> VMobject:
        """Return the face of a cell."""
        return self.faces.cell(query, key)

    def row(self, query: int) -> VGroup:
        """Return the faces of a query's row."""
        return self.faces.row(query)

    def column(self, key: int) -> VGroup:
        """Return the faces of a key's column."""
        return self.faces.column(key)

    def center_of(self, query: float, key: float) -> Point3D:
        """Return the middle of a cell."""
        aside: Point3D = np.array(((key + 0.5) * self.wide, -(query + 0.5) * self.side, 0.0))
        return aside + self.origin

    # Layers

    def rays(self) -> tuple[VGroup, VGroup]:
        """Make lines through the cells: of every query along its row, of every key down."""
        last = len(self.pieces) - 1
        ways = [(self.center_of(i, -0.5), self.center_of(i, last + 0.5)) for i in range(last + 1)]
        down = [(self.center_of(-0.5, i), self.center_of(last + 0.5, i)) for i in range(last + 1)]
        of_queries, of_keys = (VGroup(*(Line(*way) for way in each)) for each in (ways, down))
        for lines, role in ((of_queries, QUERY), (of_keys, KEY)):
            lines.set_stroke(theme.color(role), BOLD_LINE)
        return of_queries, of_keys

    def fills(self, values: Tensor, faintest: float = FAINTEST_FILL) -> Entries:
        """Make a ground for every cell, its hue a number's sign, its strength the number's size."""
        largest = _largest(values)

        def fill(query: int, key: int) -> VMobject:
            number = values[query, key].value.number
            opacity = strength(number, largest, faintest)
            filled = Rectangle(
                height=self.side, width=self.wide, stroke_width=0, fill_opacity=opacity
            )
            return filled.set_fill(theme.color(hue(number)))

        return self._entries(fill)

    def numbers(self, values: Tensor, *, decimals: int = 1) -> Entries:
        """Make the number of every cell, with as many decimals as are legible, at most so many."""
        form = self.number_format(values, decimals)

        def number(query: int, key: int) -> VMobject:
            return Number(values[query, key].value, form.decimals, form.size)

        return self._entries(number)

    def number_format(self, values: Tensor, decimals: int = 1) -> NumberFormat:
        """Return how the numbers of a layer are written."""
        entries = [value for row in values for value in row.values]
        return number_format(entries, (self.wide, self.side), NAMED_SIZE, decimals)

    def dots(self, values: Tensor) -> Entries:
        """Make a dot for every cell: its area is the number's size, a negative one is hollow."""
        largest = _largest(values)

        def dot(query: int, key: int) -> VMobject:
            number = values[query, key].value.number
            return signed_dot(number, self.dot_radius(abs(number) / largest))

        return self._entries(dot)

    def weights(self, values: Tensor) -> Entries:
        """Make the disc of every weight: its area is the weight, and one of 1 fills its cell.

        A weight of exactly zero is the numeral 0.
        """
        size = float(np.clip(0.5 * self.side / em_of(1), LEAST_SIZE, PLAIN_SIZE))

        def weight(query: int, key: int) -> VMobject:
            value = values[query, key].value
            if not value.number:
                return Number(value, 0, size, QUIET)
            radius = self.dot_radius(value.number)
            return Circle(radius, stroke_width=0, fill_color=theme.color(INK), fill_opacity=1)

        return self._entries(weight)

    def hatching(self, *around: Entries, window: int | None = None) -> Entries:
        """Make the hatching of every cell whose key comes after its query; the others stay empty.

        Hatched are also keys that no longer are among the last `window` ones, the query's own
        included. What stands in the layers `around` is left free.
        """
        last = window or len(self.pieces)

        def hatch(query: int, key: int) -> VMobject:
            if query - last < key <= query:
                return VMobject()
            held = [layer.cell(query, key) for layer in around]
            wide = max((each.width + HAIR for each in held), default=0.0)
            high = max((each.height + HAIR for each in held), default=0.0)
            return Hatch(self.cell(query, key), (wide, high))

        return self._entries(hatch)

    def sums(self, values: Sequence[Value]) -> list[Number]:
        """Make a number right of every row, in the room kept free `beside` the cells."""
        form = number_format(values, (self.beside - HAIR, self.side), SPOKEN_SIZE)
        numbers = [Number(value, form.decimals, form.size) for value in values]
        edge = self.origin[0] + len(self.pieces) * self.wide + self.beside
        for row, number in enumerate(numbers):
            number.move_to((edge, self.center_of(row, 0)[1], 0), aligned_edge=RIGHT)
        return numbers

    def stairs(self) -> VMobject:
        """Make the line between every row's own cell and those of later keys."""
        rows = range(len(self.pieces) - 1)
        corners = [self.center_of(row + down - 0.5, row + 0.5) for row in rows for down in (0, 1)]
        corners.append(self.center_of(len(rows) - 0.5, len(rows) + 0.5))
        stairs = VMobject().set_points_as_corners(np.array(corners))
        return stairs.set_stroke(theme.color(INK), BOLD_LINE)

    def dot_radius(self, share: float) -> float:
        """Return the radius of a dot whose area is a share of the largest one's."""
        return float(DOT_SHARE * self.side * share**0.5)

    def _entries(self, make: Callable[[int, int], VMobject]) -> Entries:
        def placed(query: int, key: int) -> VMobject:
            made = make(query, key)
            where = self.center_of(query, key)
            return made.move_to(where) if len(made.get_all_points()) else made

        places = range(len(self.pieces))
        return Entries([[placed(query, key) for key in places] for query in places])

    def _face(self, _query: int, _key: int) -> VMobject:
        return Rectangle(
            height=self.side,
            width=self.wide,
            stroke_width=THIN_LINE / 2,
            stroke_color=theme.color(QUIET),
            stroke_opacity=EDGE,
            fill_opacity=0,
        )

    def _query(self, place: int) -> Label:
        """Make a query's name beside its row."""
        label = Label(self.pieces[place], QUERY, self.layout.size)
        edge = self.center_of(place, 0) + (self.wide / 2 + 1.5 * HAIR) * LEFT
        label.word.next_to(edge, LEFT, buff=0)
        return label

    def _key(self, place: int) -> Label:
        """Make a key's name above its column, slanted if it is wide."""
        label = Label(self.pieces[place], KEY, self.layout.size)
        em = em_of(self.layout.size)
        foot = self.center_of(0, place) + (self.side / 2 + HAIR) * UP
        if self.layout.slant == UPRIGHT:
            label.word.rotate(UPRIGHT).next_to(foot, UP, buff=0)
        elif self.layout.slant:
            label.word.rotate(self.layout.slant)
            foot = foot + 0.55 * em * UP
            corner = label.word.get_corner(DOWN + LEFT)
            label.word.shift(foot - corner - (0.35 * em, 0.35 * em, 0))
        else:
            label.word.move_to(foot + 0.5 * em * UP)
            label.word.shift((foot[1] + DROP * em - label.word.baseline) * UP)
        return label

    def _fitted(self, region: Region) -> _Layout:
        """Return the layout with the largest names that are legible and cost the cells little."""
        least = self._with_names(LEAST_SIZE, region)
        for size in np.arange(SPOKEN_SIZE, LEAST_SIZE, -0.5):
            found = self._with_names(float(size), region)
            if found.cell >= self.least_cell * least.cell and self._is_airy(found):
                return found
        return least

    def _is_airy(self, layout: _Layout) -> bool:
        """Whether names beside rows, and slanted ones, keep a line's distance."""
        pitch = min(layout.cell, layout.wide * (np.sin(SLANT) if layout.slant else 1.0))
        return bool(pitch >= LINE * em_of(layout.size))

    def _with_names(self, size: float, region: Region) -> _Layout:
        em, tokens = em_of(size), len(self.pieces)
        widths = [TokenText(piece, size).width for piece in self.pieces]
        left = max(widths) + 2 * HAIR
        flat = 1.1 * em + HAIR
        room = region.width - left
        cell, wide = self._cell(room - self.beside, region.height - flat)
        if max(widths) <= 0.92 * wide:
            return _Layout(size, cell, wide, left, flat, self.beside, slant=0.0)
        slant = UPRIGHT if region.height > region.width else SLANT
        top = np.sin(slant) * (max(widths) + em) + 0.25 * em + 2 * HAIR
        right = self.beside
        wide = self.widest * (region.height - top) / tokens
        for _ in range(4):  # the last names reach beyond the cells, the more the smaller these are
            reach = [
                np.cos(slant) * (width + em) - (tokens - place - 0.5) * wide
                for place, width in enumerate(widths)
            ]
            right = max(self.beside, *reach)
            cell, wide = self._cell(room - right, region.height - top)
        return _Layout(size, cell, wide, left, top, right, slant)

    def _cell(self, width: float, height: float) -> tuple[float, float]:
        """Return how tall and how wide a cell is, of as many as have room."""
        most, cell = width / len(self.pieces), min(width, height) / len(self.pieces)
        return cell, min(most, self.widest * cell)


class Expected(VGroup):
    """The outlines of a grid's dots in another one's cells, rows and columns moved."""

    def __init__(
        self, grids: Sequence[tuple[AttentionGrid, Entries]], order: Sequence[int]
    ) -> None:
        (board, dots), (self.board, _) = grids
        larger, least = self.board.side / board.side, OUTLINED * self.board.side
        self.dots = list[VMobject]()
        super().__init__()
        for row, query in enumerate(order):
            for column, key in enumerate(order):
                dot = dots.cell(query, key)
                if isinstance(dot, Circle) and (radius := larger * dot.width / 2) > least:
                    color = dot.get_fill_color()
                    inside = radius - THIN_LINE / 200  # its line ends where the dot does
                    outline = Circle(inside, color=color, stroke_width=THIN_LINE)
                    self.add(outline.move_to(self.board.center_of(row, column)))
                    self.dots.append(dot)


class Label(VGroup):
    """A token's name, its `word`, in a role's colour."""

    def __init__(self, piece: str, role: Role, size: float) -> None:
        self.word = TokenText(piece, size, role)
        super().__init__(self.word)


def shrink(mobject: VMobject) -> Verb:
    """Let what stands in a cell shrink into its own middle."""
    return GoInto(mobject, mobject.get_center(), QUICK)


def _largest(values: Tensor) -> float:
    finite = np.abs(values.array[np.isfinite(values.array)])
    return float(finite.max()) or 1.0 if len(finite) else 1.0
