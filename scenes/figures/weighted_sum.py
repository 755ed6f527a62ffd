"""Rows of numbers that are scaled by weights and add up. It knows no model.

A row is as high as its weight: rows whose weights add up to one stack to one whole row, and where
they blend, every column is the sum of its shares.

    total = WeightedSum(weights, values, z, film.stage, names=2.0)
    yield Vary(total.squeeze, 0, 1)     # every row keeps the share that its weight is
    yield Vary(total.stack, 0, 1)       # what is left stands together as one row
    yield Vary(total.blend, 0, 1)       # each column goes over into its sum

Rows of a matrix are weighed in the same way, by numbers of any sign and sum: `WeighedRows`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from manim import Mobject, Rectangle, VGroup, VMobject
from manim.constants import DL, DOWN, DR, LEFT, PI, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.source_contributions import Pushes
from scenes.mobjects.fit import adding_decimals, eased, number_format, pitch_in, shown_entries
from scenes.mobjects.outlines import in_space
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import Formula, Number, Words, em_of
from scenes.mobjects.vector import CELL_SHARE, Cell, Vector, ellipsis
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value, count
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, PLAIN_SIZE, QUICK, SLOW, SPOKEN_SIZE, TITLE_SIZE
from scenes.verbs import Become, Fade, Hold, Shift, Then, Together, Verb

TALLEST = 1.5  # scene units, of a row
MOST = 8  # entries of a row that are drawn
EACH = 0.3  # of all the time, that in which one column is added up
EDGE = 0.1  # of its height, what is seen of a row that is being turned over
THICK = 0.5  # scene units, of a line
LINES, THICKEST = 5, 1.4  # that would fill a stage with vectors; scene units, of one of them
CELLS = 18  # of a long vector, that are drawn, one of them as a gap
LEAST = 2e-3  # of its height, what is left of any row

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


class WeighedRows(VGroup):
    """Rows of a matrix, each weighed by a number, that stand on one another and become their sum.

    All are as high as any other at first, on their `levels`; then each is so many times as high as
    its number says, and turns over like a card where that is negative. `pitch` is the room of the
    highest. `order` has the rows of the largest and the smallest number first.
    """

    def __init__(
        self, rows: Sequence[Vector], weights: Floats, levels: Sequence[float], pitch: float
    ) -> None:
        sizes, self.is_turned = np.abs(weights), weights < 0
        first, *others = np.argsort(-sizes, kind="stable").tolist()
        self.order = [first, *others[-1:], *sorted(others[:-1])]
        self.own_height = CELL_SHARE * pitch / max(float(sizes.max()), 1.0)
        self.rows, self.weighed = list[VGroup](), list[VGroup]()
        self.levels, self.heights = levels, self.own_height * np.maximum(sizes, LEAST)
        for i, (row, level) in enumerate(zip(rows, levels, strict=True)):
            own, high = VGroup(*row.cells, *row.dots), max(float(sizes[i]), LEAST)
            self.rows.append(_high(own, self.own_height).set_y(level))
            self.weighed.append(_high(self._turned(i, row), high * self.own_height).set_y(level))
        super().__init__(*self.rows)

    def _turned(self, row: int, vector: Vector) -> VGroup:
        """Return a row's cells with the signs that its number gives them, and its dots, if any."""
        cells, sign = vector.cells.copy(), -1 if self.is_turned[row] else 1
        for cell, entry in zip(cells, vector.shown, strict=True):
            cell.put(sign * vector.values[entry].number)
        return VGroup(*cells, *vector.dots.copy())

    def weigh(self, row: int) -> Verb:
        """Return how a row grows or shrinks from its own height to so many times that."""
        moving, weighed = self.rows[row], self.weighed[row]
        if not self.is_turned[row]:
            return Become(moving, weighed)
        edges = (_high(each, EDGE * self.own_height) for each in (moving, weighed))
        over = (Become(moving, edge, QUICK - HAIR * i) for i, edge in enumerate(edges))
        return Then(*over, Become(moving, weighed, QUICK))

    def add_up(self, total: Vector) -> Verb:
        """Return how all rows come to stand on one another as one, and take the look of their sum.

        Each becomes its share of the sum's height, so that these are the sum at the end.
        """
        ends, high = np.concatenate([[0.0], np.cumsum(self.heights)]), float(total.cells.height)
        tops = ends - ends[-1] / 2  # from the middle down
        stacked, blended = list[Verb](), list[Verb]()
        for i, row in enumerate(self.rows):
            cells, part = (VGroup(*filter(_is_cell, each)) for each in (row, total.cells.copy()))
            to = float(np.mean(self.levels)) - (tops[i] + tops[i + 1]) / 2
            stacked.append(Shift(cells, by=np.array((0.0, to - self.levels[i], 0.0))))
            share = np.array((tops[i], tops[i + 1])) / ends[-1]
            part.stretch_to_fit_height(high * float(np.diff(share)[0]))
            blended.append(Become(cells, part.shift(high * float(share.mean()) * DOWN), SLOW))
        dots = [part for row in self.rows for part in row if not _is_cell(part)]
        swapped = Fade(*self.rows, to=0.0, run_time=HAIR), Fade(total.cells, to=1.0, run_time=HAIR)
        one = Together(*blended, Then(Hold(), Fade(*total.dots, to=1.0)))
        return Then(Together(Fade(*dots, to=0.0), *stacked), one, Together(*swapped))


class Lift(VGroup):
    """What a head found, a row of W_O for each number of it, and the change that they add up to.

    What was `found` lies over the word's `own` vector; then it stands as the column `upright`, with
    its numbers, the `figures`, on it, and the `rows`, under their `label`, on the right. It is
    `to_own` from touching the word's vector; there it leaves the cells that are `alone`. The
    `change` lies where it lay. Every entry has the same width. What parts are called has its place.
    """

    def __init__(
        self, total: WeightedSum, z: Tensor, matrix: Tensor, pushes: Pushes, region: Region
    ) -> None:
        columns, shown = min(matrix.shape[1], CELLS), total.shown
        size = SPOKEN_SIZE if region.is_narrow else TITLE_SIZE
        self.figures = [Number(z[entry].value, 2, size) for entry in shown]
        self.thick = max(number.width for number in self.figures) + GAP
        margin = self.thick + 2 * GAP
        cell = (region.width - margin) / columns, min(region.height / LINES, THICKEST)
        strongest = float(np.abs([pushes.vector.double, pushes.change.double]).max())
        body = partial(Vector, room=cell, most=CELLS, numerals=False)
        self.own = body(pushes.vector.values, arrow=theme.INK, largest=strongest)
        self.change = body(pushes.change.values, arrow=theme.OUTPUT, largest=strongest)
        self.found = total.beside(cell)
        VGroup(self.found, self.own).arrange(DOWN, buff=2 * GAP).move_to(region.center)
        left = region.left + margin
        self.found.shift((left - float(self.found.get_left()[0])) * RIGHT)
        for vector in (self.own, self.change):
            vector.shift((left - float(vector.cells.get_left()[0])) * RIGHT)
        self.change.shift((self.found.get_y() - self.change.cells.get_y()) * UP)
        end, low = self.found.get_right()[0], self.found[0].get_bottom()
        self.to_own = (low - self.own.cells.get_top() - HAIR / 2)[1] * DOWN  # nearly
        self.alone = [cell for cell in self.own.cells if cell.get_left()[0] > end]
        self._stand_up(total, left, region.lowered(em_of(TITLE_SIZE) + GAP))
        largest = float(np.abs(matrix.double).max())
        rows = [body(matrix[entry].values, largest=largest) for entry in shown]
        for row in rows:
            row.shift((left - float(row.cells.get_left()[0])) * RIGHT)
        levels = [float(box.get_y()) for box in self.upright[: len(shown)]]
        self.rows = WeighedRows(rows, total.total, levels, self.pitch)
        self.label = Formula("$output(W_O)$", TITLE_SIZE)
        self.label.move_to((self.own.cells.get_x(), self.over_column[1], 0))
        lengths = (count(len(each), "entries of a vector") for each in (z, pushes.vector))
        self.long = [Words("{} numbers", length, size=SPOKEN_SIZE) for length in lengths]
        is_above = region.is_narrow or 2 * (total.slots[-1] + 1) > columns  # what it is called
        self.long[0].next_to(self.found, *((UP, GAP, LEFT) if is_above else (RIGHT, 2 * GAP)))
        self.long[1].move_to(self.own.cells.get_corner(DR) + DOWN * THICK, RIGHT)
        self.symbol_place = self.found.get_left() + LEFT * THICK
        self.chip_place = self.own.cells.get_corner(DL) + DOWN * THICK
        texts = self.label, *self.figures, *self.long
        super().__init__(self.own, self.change, self.found, self.rows, *texts)

    def _stand_up(self, total: WeightedSum, left: float, room: Region) -> None:
        """Find where the numbers that were found stand in a column, on the left of their rows."""
        self.pitch, self.upright = room.height / (total.slots[-1] + 1), self.found.copy()
        level, x = room.top - self.pitch / 2, left - GAP - self.thick / 2
        boxes = self.upright[: len(total.slots)]
        for box, slot in zip(boxes, total.slots, strict=True):
            box.stretch_to_fit_width(self.thick).stretch_to_fit_height(CELL_SHARE * self.pitch)
            box.move_to((x, level - slot * self.pitch, 0))
        for dots in self.upright[len(total.slots) :]:
            dots.rotate(PI / 2).move_to((x, level - (total.slots[-1] - 1) * self.pitch, 0))
        for number, box, entry in zip(self.figures, boxes, total.total, strict=True):
            number.move_to(box).set_color(theme.ink_on(*total.look(float(entry))))
        self.over_column = np.array([x, room.top + GAP + em_of(TITLE_SIZE) / 2, 0.0])


def _is_cell(part: Mobject) -> bool:
    """Whether a part of a row is no dot."""
    return isinstance(part, Cell)


def _high(row: VGroup, height: float) -> VGroup:
    """Return a row whose cells are so high, about their middle; its dots stay round."""
    taller = row.copy()
    VGroup(*filter(_is_cell, taller)).stretch_to_fit_height(height)
    return taller


def _slab() -> VMobject:
    return VMobject(stroke_width=0, fill_opacity=1)
