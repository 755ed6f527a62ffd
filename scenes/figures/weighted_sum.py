"""Rows of numbers that are scaled by weights and add up. It knows no model.

A row is as high as its weight: rows whose weights add up to one stack to one whole row, and where
they blend, every column is the sum of its shares.

    total = WeightedSum(weights, values, z, film.stage, names=2.0)
    yield Vary(total.squeeze, 0, 1)     # every row keeps the share that its weight is
    yield Vary(total.stack, 0, 1)       # what is left stands together as one row
    yield Vary(total.blend, 0, 1)       # each column goes over into its sum
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DL, DOWN, DR, LEFT, PI, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.source_contributions import Pushes
from scenes.mobjects.fit import adding_decimals, eased, number_format, pitch_in, shown_entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import in_space
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import TIMES, Formula, Number, Words, em_of
from scenes.mobjects.vector import CELL_SHARE, Heat, Vector, ellipsis
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value, count
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, PLAIN_SIZE, SPOKEN_SIZE, TITLE_SIZE

TALLEST = 1.5  # scene units, of a row
MOST = 8  # entries of a row that are drawn
EACH = 0.3  # of all the time, that in which one column is added up
THICK = 0.5  # scene units, of a line
LINES, THICKEST = 6, 1.2  # that would fill a stage with vectors; scene units, of one of them
CELLS = 18  # of a long vector, that are drawn, one of them as a gap

Floats = NDArray[np.float64]


class WeightedSum(VGroup):
    """The first rows of (n, entries), one for each weight; in the middle they become `total`.

    Parts, by place: `weights[i]` (numerals), `rows[i]` (a cell for each entry); and `sums`, the
    numerals of the sum, which stand where the rows have stacked, and `dots`, an ellipsis in each
    row for entries that are not drawn. `names` scene units on the left are kept for what rows are
    called.
    """

    def __init__(
        self,
        weights: Sequence[Value],
        rows: Tensor,
        total: Tensor,
        region: Region,
        names: float,
    ) -> None:
        self.shares = np.array([weight.number for weight in weights])
        self.shown = shown_entries(rows.shape[1], MOST)
        self.slots = [*range(len(self.shown))]
        if len(self.shown) < rows.shape[1]:
            self.slots[-1] += 1  # an ellipsis stands before the last entry
        self.entries = rows.double[: len(weights), self.shown]
        self.total = total.double[self.shown]
        self.pitch = pitch_in(region.height, len(weights), TALLEST + GAP)
        self.height_of_one = self.pitch * CELL_SHARE
        size = min(NAMED_SIZE, self.pitch / em_of(1.4))
        decimals = adding_decimals(weights, 1.0)
        self.weights = [Number(weight, decimals, size) for weight in weights]
        numbers = max(number.width for number in self.weights)
        self.names_end = region.left + names
        self.left = self.names_end + numbers + 2 * GAP
        self.across = (region.right - self.left) / (self.slots[-1] + 1)
        self.middle = float(region.center[1])
        self.middles = self.middle + self.pitch * ((len(weights) - 1) / 2 - np.arange(len(weights)))
        for number, middle in zip(self.weights, self.middles, strict=True):
            number.move_to((self.names_end + GAP + numbers, middle, 0), RIGHT)
        self.rows = [VGroup(*(_slab() for _ in self.shown)) for _ in weights]
        self.sums = self._numerals([total[place].value for place in self.shown])
        self.dots = self._ellipses()
        self.squeezed = self.stacked = 0.0
        self.blended = np.zeros(len(self.shown))  # by column
        super().__init__(*self.rows, *self.weights, self.sums, self.dots)
        self._draw()

    def name_place(self, place: int, width: float) -> Point3D:
        """Return the middle of what a row is called, if it is so wide, before the row."""
        return np.array([self.names_end - width / 2, self.middles[place], 0.0])

    def whole_place(self, width: float) -> Point3D:
        """Return the middle, in the same way, of what the rows are called once they are one."""
        return np.array([self.names_end - width / 2, self.middle, 0.0])

    def squeeze(self, share: float) -> None:
        """Let every row shrink towards its weight's share of its height."""
        self.squeezed = share
        self._draw()

    def stack(self, share: float) -> None:
        """Let the rows go to where they stand on one another, the first on top."""
        self.stacked = share
        self._draw()

    def blend(self, share: float) -> None:
        """Let the columns' colours go over into those of their sums, one column after another."""
        begin = np.linspace(0, 1 - EACH, len(self.blended))
        self.blended = eased((share - begin) / EACH)
        self._draw()

    def look(self, number: float) -> tuple[str, float]:
        """Return the #RRGGBB and the opacity of a number among these."""
        largest = float(np.abs(self.entries).max()) or 1.0
        return theme.color(hue(number)), strength(number, largest)

    def column(self, place: int) -> VGroup:
        """Return the cells of all rows at one of the entries that are drawn."""
        return VGroup(*(row[place] for row in self.rows))

    def beside(self, room: tuple[float, float]) -> VGroup:
        """Return the sum as boxes side by side, each with its room; an ellipsis comes last."""
        boxes = VGroup()
        for slot, number in zip(self.slots, self.total, strict=True):
            box = Rectangle(width=CELL_SHARE * room[0], height=CELL_SHARE * room[1], stroke_width=0)
            color, opacity = self.look(float(number))
            boxes.add(box.set_fill(color, opacity).shift(slot * room[0] * RIGHT))
        if self.slots[-1] >= len(self.slots):
            boxes.add(ellipsis((self.slots[-1] - 1) * room[0] * RIGHT, room[0] * RIGHT))
        return boxes

    def _draw(self) -> None:
        sizes = self.height_of_one * (1 - self.squeezed * (1 - self.shares))
        apart = self.middles + sizes / 2  # each row's top in its own place
        together = self.middle + sizes.sum() / 2 - np.concatenate([[0.0], np.cumsum(sizes)[:-1]])
        tops = (1 - self.stacked) * apart + self.stacked * together
        for row, numbers, top, size in zip(self.rows, self.entries, tops, sizes, strict=True):
            for column, (cell, number) in enumerate(zip(row, numbers, strict=True)):
                left = self.left + self.slots[column] * self.across
                right = left + CELL_SHARE * self.across
                corners = np.array(
                    [[left, top], [right, top], [right, top - size], [left, top - size]]
                )
                cell.set_points_as_corners(in_space(corners[[0, 1, 2, 3, 0]]))
                color, opacity = self.look(float(number))
                if way := float(self.blended[column]):
                    end, strong = self.look(float(self.total[column]))
                    color = theme.mix(end, color, way)
                    opacity += way * (strong - opacity)
                set_fill(cell, color, opacity)
        levels = (1 - self.stacked) * (tops - sizes / 2) + self.stacked * self.middle
        for dots, level in zip(self.dots, levels, strict=False):
            dots.set_y(level)

    def _ellipses(self) -> VGroup:
        """Return dots in each row for entries that are left out, if some are."""
        if self.slots[-1] < len(self.slots):
            return VGroup()
        x = self.left + (self.slots[-1] - 1 + CELL_SHARE / 2) * self.across
        places = (np.array([x, middle, 0.0]) for middle in self.middles)
        return VGroup(*(ellipsis(place, self.across * RIGHT) for place in places))

    def _numerals(self, values: Sequence[Value]) -> VGroup:
        """Return the numerals of the sum under its row's cells, or none where they have no room."""
        form = number_format(values, (self.across - HAIR, self.pitch), decimals=1)
        if form.size < PLAIN_SIZE / 1.5 or not form.decimals:
            return VGroup()
        low = self.middle - self.height_of_one / 2
        numerals = VGroup()
        for column, value in enumerate(values):
            x = self.left + (self.slots[column] + CELL_SHARE / 2) * self.across
            number = Number(value, form.decimals, form.size)
            numerals.add(number.move_to((x, low - HAIR - number.em / 2, 0)))
        return numerals


class Lift(VGroup):
    """What a head found, the matrix that it meets, and the change that comes out of that.

    What was `found` lies over the word's `own` vector, of whose cells some are `alone` there; then
    it stands as the column `upright` beside the `matrix`, a box to scale where it has room, with
    its `label`, and the `change` comes to lie where it lay, each number under the column of
    `weights` that makes it; a `gap` stands for the others. All these are `given`, but the change.
    Every entry is as wide. What parts are called has its place.
    """

    def __init__(
        self, total: WeightedSum, z: Tensor, matrix: Tensor, pushes: Pushes, region: Region
    ) -> None:
        columns = min(matrix.shape[1], CELLS)
        margin = THICK + 3 * GAP
        cell = (region.width - margin) / columns, min(region.height / LINES, THICKEST)
        strongest = float(np.abs([pushes.vector.double, pushes.change.double]).max())
        body = partial(Vector, room=cell, most=CELLS, numerals=False)
        self.own = body(pushes.vector.values, arrow=theme.INK, largest=strongest)
        self.change = body(pushes.change.values, arrow=theme.OUTPUT, largest=strongest)
        self.found = total.beside(cell)
        sign = em_of(TITLE_SIZE) + GAP
        wide = cell[0] * columns
        free = region.height - sign - 2 * (THICK + cell[1] + 2 * GAP)
        high = min(wide * matrix.shape[0] / matrix.shape[1], free)
        self.matrix = Ring(Rectangle(width=wide, height=high), role=theme.OUTPUT, corner=0)
        self.matrix.set_fill(theme.color(theme.PANEL), 1)
        lines = VGroup(self.matrix, self.found, self.own).arrange(DOWN, buff=2 * GAP)
        lines.move_to(region.lowered(sign).raised(2 * THICK).center)
        left = region.left + margin
        self.found.shift((left - float(self.found.get_left()[0])) * RIGHT)
        self.matrix.shift((left - float(self.matrix.get_left()[0])) * RIGHT)
        for vector in (self.own, self.change):
            vector.shift((left - float(vector.cells.get_left()[0])) * RIGHT)
        self.change.shift((self.found.get_y() - self.change.cells.get_y()) * UP)
        over = self.matrix.get_y() - self.change.cells.get_y()
        self.gap = self.change.dots.copy().shift(over * UP)
        end = self.found.get_right()[0]
        self.alone = [each for each in self.own.cells if each.get_left()[0] > end]
        self._stand_up(total)
        self.weights = self._columns(matrix, total)
        lengths = [count(len(each), "entries of a vector") for each in (z, pushes.vector)]
        size = Words(f"{{}} {TIMES} {{}}", *lengths, size=SPOKEN_SIZE)
        self.label = VGroup(Formula("$output(W_O)$", TITLE_SIZE), size)
        self.label.arrange(RIGHT, buff=2 * GAP).next_to(self.matrix, UP, buff=GAP)
        self.long = [Words("{} numbers", length, size=SPOKEN_SIZE) for length in lengths]
        is_above = region.is_narrow or 2 * (total.slots[-1] + 1) > columns  # what it is called
        self.long[0].next_to(self.found, *((UP, GAP, LEFT) if is_above else (RIGHT, 2 * GAP)))
        self.long[1].move_to(self.own.cells.get_corner(DR) + DOWN * THICK, RIGHT)
        self.symbol_place = self.found.get_left() + LEFT * THICK
        self.chip_place = self.own.cells.get_corner(DL) + DOWN * THICK
        self.given = self.found, self.matrix, self.gap, self.label, *self.weights
        super().__init__(*self.given, self.own, self.change, *self.long)

    def _columns(self, matrix: Tensor, total: WeightedSum) -> list[VGroup]:
        """Return the columns of the matrix that make the numbers that are drawn.

        Their entries stand beside those that were found, once these stand upright.
        """
        most, entries = float(np.abs(matrix.double).max()), shown_entries(matrix.shape[1], CELLS)
        beside = [*zip(total.shown, self.upright, strict=False)]
        columns = list[VGroup]()
        for cell, at in zip(self.change.cells, entries, strict=True):
            boxes = (
                Heat(matrix.double[[row], at], (cell.width, box.height), largest=most)
                .match_x(cell)
                .match_y(box)
                for row, box in beside
            )
            columns.append(VGroup(*boxes))
        return columns

    def _stand_up(self, total: WeightedSum) -> None:
        """Find where the numbers that were found stand in a column, on the left of the matrix."""
        self.upright, pitch = self.found.copy(), self.matrix.height / (total.slots[-1] + 1)
        top, x = float(self.matrix.get_top()[1]), self.matrix.get_left()[0] - GAP - THICK / 2
        for box, slot in zip(self.upright[: len(total.slots)], total.slots, strict=True):
            box.stretch_to_fit_width(THICK).stretch_to_fit_height(CELL_SHARE * pitch)
            box.move_to((x, top - (slot + 0.5) * pitch, 0))
        for dots in self.upright[len(total.slots) :]:
            dots.rotate(PI / 2).scale_to_fit_height(min(dots.width, CELL_SHARE * pitch))
            dots.move_to((x, top - (total.slots[-1] - 0.5) * pitch, 0))
        self.over_column = np.array([x, top + GAP + em_of(TITLE_SIZE) / 2, 0.0])


def _slab() -> VMobject:
    return VMobject(stroke_width=0, fill_opacity=1)
