"""Matrices as sheets of cells, and rows that come out of them; of long rows, not every entry."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, OUT, RIGHT, UL
from manim.typing import Point3D
from manim.utils.space_ops import rotation_matrix
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import adding_decimals, number_format
from scenes.mobjects.marks import Hatch
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Formula, Number, Words, em_of
from scenes.mobjects.vector import ellipsis
from scenes.provenance import Tensor, total
from scenes.theme import BACKGROUND, FAINTEST_FILL, INK, KEY, QUERY, VALUE, Role

CELL, ROOMY = 0.92, 0.95  # of an entry's room, by its box; at most, by its number
LARGER = 1.4  # times as large: weights that add up
MOST, LOW = 5, 4  # entries of a row that are drawn, one of which may be a gap; rows, no longer low
LETTER, NAME = 1.9, 0.85  # of an entry's side, the ems of a matrix's letter and its name

LETTERS = {"q": "query(Q)", "k": "key(K^top)", "s": "S", "a": "A"}  # of a head's matrices
LETTERS |= {"v": "value(V)", "z": "value(Z)", "lying": "key(K)"}
NAMES = {"q": ("queries", QUERY), "k": ("keys", KEY), "lying": ("keys", KEY)}
NAMES |= {"s": ("scores", INK), "a": ("attention pattern", INK)}
NAMES |= {"v": ("values", VALUE), "z": ("mixtures", VALUE)}

Floats = NDArray[np.float64]


def gap_of(entries: int, most: int = MOST) -> int | None:
    """Return which of a row's drawn entries stands for those that are left out, if any is."""
    return most - 2 if entries > most else None


def shortened(rows: Floats, most: int = MOST, *, summed: bool = False) -> Floats:
    """Return the entries of rows that are drawn; in the gap is nothing, or their sum."""
    gap = gap_of(rows.shape[1], most)
    if gap is None:
        return rows
    left_out = rows[:, gap:-1].sum(axis=1, keepdims=True) * summed
    return np.concatenate([rows[:, :gap], left_out, rows[:, -1:]], axis=1)


class Sheet(VGroup):
    """A matrix whose numbers may come one by one: hue tells the sign, the outline is a role's.

    In the `gap`, a column, or in an `upright` sheet a row, dots stand for entries left out.
    """

    def __init__(
        self,
        numbers: Floats,
        unit: float,
        role: Role,
        largest: float = 0.0,
        *,
        gap: int | None = None,
        upright: bool = False,
    ) -> None:
        self.numbers = numbers
        rows, columns = numbers.shape
        self.largest = largest or float(np.abs(numbers).max()) or 1.0
        self.shades = Shades((columns * unit, rows * unit), self.largest, FAINTEST_FILL, CELL)
        self.outline = Rectangle(width=columns * unit, height=rows * unit)
        self.outline.set_stroke(theme.color(role), theme.BOLD_LINE)
        self.gap, self.step = gap, DOWN if upright else RIGHT
        lines = range(columns if upright else rows) if gap is not None else ()
        self.dots = VGroup(*(self._dots(line) for line in lines))
        super().__init__(self.shades, self.dots, self.outline)

    @property
    def unit(self) -> float:
        """The side of an entry, in scene units."""
        return float(self.outline.width / self.numbers.shape[1])

    def put(self, numbers: Floats | None = None, seen: NDArray[np.bool_] | None = None) -> None:
        """Show numbers, its own or others, all or those that are seen; zeros are empty."""
        shown = self.numbers if numbers is None else numbers
        self.shades.paint(shown, seen)
        is_there = np.abs(shown if seen is None else shown * seen).max(axis=1) > 0
        for line, dots in enumerate(self.dots):
            there = self.step is DOWN or is_there[line]
            dots.points = self._dots(line).points if there else np.zeros((0, 3))

    def _dots(self, line: int) -> VMobject:
        place = (self.gap, line) if self.step is DOWN else (line, self.gap)
        return ellipsis(self.at(*place), self.unit * self.step)

    def at(self, row: float, column: float) -> Point3D:
        """Return the middle of an entry."""
        corner = self.outline.get_corner(UL)
        return np.asarray(corner + self.unit * np.array((column + 0.5, -row - 0.5, 0.0)))

    def band(self, row: int) -> Rectangle:
        """Return the box of a row, a place that is on no stage."""
        box = Rectangle(width=self.outline.width, height=self.unit)
        return box.move_to(self.outline).set_y(self.at(row, 0)[1])

    def upright(self, column: float) -> Rectangle:
        """Return the box of a column, a place that is on no stage."""
        box = Rectangle(width=self.unit, height=self.outline.height)
        return box.move_to(self.outline).set_x(self.at(0, column)[0])


class TurningRow(VGroup):
    """A row of a matrix that turns upright, to lie beside the rows or on the columns of another."""

    def __init__(
        self,
        numbers: Floats,
        unit: float,
        role: Role,
        gap: int | None = None,
        largest: float = 0.0,
    ) -> None:
        self.unit, largest = unit, largest or float(np.abs(numbers).max()) or 1.0
        self.numbers = numbers[:, None] / largest
        size = unit, len(numbers) * unit
        self.ground = Rectangle(width=size[0], height=size[1])
        self.ground.set_fill(theme.color(BACKGROUND), 1)
        self.ground.set_stroke(theme.color(role), theme.BOLD_LINE)
        self.shades = Shades(size, 1.0, FAINTEST_FILL, CELL)
        self.dots = VGroup()
        if gap is not None:
            step = unit * DOWN
            self.dots.add(ellipsis((gap - (len(numbers) - 1) / 2) * step, step))
        fixed = self.ground, *self.dots, self.shades.frame
        self.fixed = [(part, part.points.copy()) for part in fixed]
        super().__init__(self.ground, self.shades, self.dots)

    def lay(self, numbers: Floats, middle: Point3D, turned: float = 0.0, wide: float = 1.0) -> None:
        """Lie about a point, `turned` from upright (0) to level (1), so wide from its left edge."""
        rotation = rotation_matrix(turned * np.pi / 2, OUT)
        to_the_left = (1 - wide) * self.unit / 2 * LEFT
        for part, points in self.fixed:
            part.points = points
        self.shades.paint(numbers)
        for part in (self.ground, *self.dots, self.shades.frame, *self.shades.paths):
            narrow = part.points * (wide, 1.0, 1.0) + to_the_left
            part.points = narrow @ rotation.T + middle


class Named(VGroup):
    """The letter of a head's matrix, and its name, if it has so much room, in scene units.

    `unit` is the side of an entry. The name stands under its letter or, where both are to be level,
    for a place over the matrix, beside it.
    """

    def __init__(self, matrix: str, unit: float, room: float, *, is_level: bool) -> None:
        size = float(np.clip(LETTER * unit / em_of(1), theme.LEAST_SIZE, theme.TITLE_SIZE))
        name, role = NAMES[matrix]
        words = [name] if is_level else name.split()
        small = min(NAME * unit / em_of(1), size)
        lines = [Words(word, size=small, role=role) for word in words]
        super().__init__(Formula(f"${LETTERS[matrix]}$", size), *lines)
        self.arrange(RIGHT if is_level else DOWN, buff=0.4 * unit)
        if self.width > room:
            self.remove(*lines)


class Figures(VGroup):
    """The numbers of one row, in its cells: scores, of which some are `kept`, then weights.

    There are none where they could not be read. `zoom` is how near the camera is, `twins` stand
    where weights are added up, under the matrix, in a line at most so `wide`.
    """

    def __init__(
        self, head: Mapping[str, Tensor], asker: int, sheet: Sheet, zoom: float, wide: float
    ) -> None:
        rows = head["scores"][asker].values, head["pattern"][asker].values[: asker + 1]
        adding = adding_decimals(rows[1], 1.0)
        decimals = 1, min(adding, 2)
        room, largest = ROOMY * zoom * sheet.unit, (float(np.abs(head["scores"].array).max()), 1.0)
        made: list[list[Number]] = []
        for values, places, most in zip(rows, decimals, largest, strict=True):
            form = number_format(values, (room, room), theme.TITLE_SIZE, places)
            fits = form.size >= theme.LEAST_SIZE and form.decimals
            numbers = [Number(each, form.decimals, form.size / zoom) for each in values]
            for column, (number, value) in enumerate(zip(numbers, values, strict=True)):
                number.move_to(sheet.at(asker, column))
                number.set_color(sheet.shades.ink(value.number / most))
            made.append(numbers if fits else [])
        if not all(made):
            made = [[], []]
        self.scores, self.weights = made
        self.kept, self.hidden = self.scores[: asker + 1], self.scores[asker + 1 :]
        self.sum, self.twins = list[Words](), [number.copy() for number in self.weights]
        if self.weights and adding <= 2:
            size = form.size / zoom
            whole = Words("= {:.0f}", total(head["pattern"][asker]), size=size)
            self.sum = [*(Words("+", size=size) for _ in self.weights[1:]), whole]
            pairs = zip(self.twins, self.sum, strict=True)
            line = VGroup(*(each for pair in pairs for each in pair)).arrange(buff=0.4 * whole.em)
            is_low, band = len(sheet.numbers) < LOW, sheet.band(len(sheet.numbers))
            grown = min(LARGER, ((wide + band.width) / 2 if is_low else wide) / line.width)
            line.scale(grown).move_to(band)
            if is_low:  # a letter with its name reaches down beside it
                line.align_to(band, RIGHT)
            if form.size * grown < theme.LEAST_SIZE:
                self.sum, self.twins = [], self.weights
        super().__init__(*self.scores, *self.weights, *self.sum)


def hatched_future(square: Sheet) -> VGroup:
    """Return the hatching of what comes later, row by row, in a square of queries by keys."""
    rows = VGroup()
    count, unit = len(square.numbers), square.unit
    for row in range(count):
        future = Rectangle(width=max(unit * (count - 1 - row), 1e-3), height=unit)
        rows.add(Hatch(future.move_to(square.band(row).get_right(), aligned_edge=RIGHT)))
    return rows
