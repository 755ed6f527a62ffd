"""Rows of numbers that are scaled by weights and add up. It knows no model.

A row is as high as its weight: rows whose weights add up to one stack to one whole row, and where
they blend, every column is the sum of its shares.

    total = WeightedSum(weights, values, z, film.stage, names=2.0)
    yield Vary(total.squeeze, 0, 1)     # every row keeps the share that its weight is
    yield Vary(total.stack, 0, 1)       # what is left stands together as one row
    yield Vary(total.blend, 0, 1)       # each column goes over into its sum

The rows of a matrix are weighed in the same way, by numbers of any sign and sum: `WeighedRows`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, OUT, RIGHT, UP
from manim.typing import Point3D
from manim.utils.space_ops import rotation_matrix
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import adding_decimals, number_format, pitch_in, shown_entries
from scenes.mobjects.outlines import in_space
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import Number, em_of
from scenes.mobjects.vector import CELL_SHARE, Heat, ellipsis
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.theme import BACKGROUND, GAP, HAIR, NAMED_SIZE, PLAIN_SIZE, QUICK
from scenes.verbs import Appear, Become, Disappear, Then, Together, Verb

TALLEST = 1.5  # scene units, of a row
MOST = 8  # entries of a row that are drawn
ROW_SHARE = 0.75  # of a row's room in a matrix; the rest is the gap to the next one
NEAR = 1.75  # times as high, a row that has come out of a matrix
SUMMED = 2.0  # times as high as one whole row, their sum
BETWEEN = 1.15  # from one of these to the next, in their height
PILE = 1.0  # scene units, of rows that pile up, at most
EDGE = 0.3  # of its height, what is seen of a row that is being turned over
LEAST = 2e-3  # of its height, what is left of any row

Floats = NDArray[np.float64]


class WeightedSum(VGroup):
    """The first rows of (n, entries), one for each weight; in the middle they become `total`.

    Parts, by place: `weights[i]` (numerals), `rows[i]` (a cell for each entry); and `sums`, the
    numerals of the sum, which stand where the rows have stacked, and `dots`, the ellipsis of
    entries that are not drawn. `names` scene units on the left are kept for what rows are called.
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
        self.dots = self._ellipsis()
        self.squeezed = self.stacked = self.blended = 0.0
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
        """Let each column's colours go over into that of its sum."""
        self.blended = share
        self._draw()

    def look(self, number: float) -> tuple[str, float]:
        """Return the #RRGGBB and the opacity of a number among these."""
        largest = float(np.abs(self.entries).max()) or 1.0
        return theme.color(hue(number)), strength(number, largest)

    def column(self, place: int) -> VGroup:
        """Return the cells of all rows at one of the entries that are drawn."""
        return VGroup(*(row[place] for row in self.rows))

    def _draw(self) -> None:
        whole = self.height_of_one * (1 + (SUMMED - 1) * self.blended)
        sizes = whole * (1 - self.squeezed * (1 - self.shares))
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
                if self.blended:
                    end, strong = self.look(float(self.total[column]))
                    color = theme.mix(end, color, self.blended)
                    opacity += self.blended * (strong - opacity)
                set_fill(cell, color, opacity)

    def _ellipsis(self) -> VGroup:
        """Return the dots for entries that are left out, if some are."""
        if self.slots[-1] < len(self.slots):
            return VGroup()
        x = self.left + (self.slots[-1] - 1 + CELL_SHARE / 2) * self.across
        return VGroup(ellipsis(np.array([x, self.middle, 0.0]), self.across * RIGHT))

    def _numerals(self, values: Sequence[Value]) -> VGroup:
        """Return the numerals of the sum under its row's cells, or none where they have no room."""
        form = number_format(values, (self.across - HAIR, self.pitch), decimals=1)
        if form.size < PLAIN_SIZE / 1.5 or not form.decimals:
            return VGroup()
        low = self.middle - SUMMED * self.height_of_one / 2
        numerals = VGroup()
        for column, value in enumerate(values):
            x = self.left + (self.slots[column] + CELL_SHARE / 2) * self.across
            number = Number(value, form.decimals, form.size)
            numerals.add(number.move_to((x, low - HAIR - number.em / 2, 0)))
        return numerals


class Turning(VGroup):
    """The sum as boxes side by side; its entries take (width, height). It can turn upright.

    Where some entries are not drawn, an ellipsis comes last.
    """

    def __init__(self, total: WeightedSum, size: tuple[float, float]) -> None:
        pitch, thick = size
        super().__init__()
        for slot, number in zip(total.slots, total.total, strict=True):
            box = Rectangle(width=ROW_SHARE * pitch, height=thick, stroke_width=0)
            color, opacity = total.look(float(number))
            self.add(box.set_fill(color, opacity).shift(slot * pitch * RIGHT))
        if total.slots[-1] >= len(total.slots):
            self.add(ellipsis((total.slots[-1] - 1) * pitch * RIGHT, pitch * RIGHT))

    def aim(self, upright: Point3D) -> None:
        """Say where its middle comes to when it turns upright from where it lies now."""
        self.way = self.get_center(), upright
        self.lying = [box.points - self.get_center() for box in self]

    def turn(self, share: float) -> None:
        """Turn in one piece, from where it lies (0) to where it stands, the first on top (1)."""
        lies, stands = self.way
        turned = rotation_matrix(-share * np.pi / 2, OUT)
        for box, points in zip(self, self.lying, strict=True):
            box.points = points @ turned.T + (1 - share) * lies + share * stands


class WeighedRows(VGroup):
    """Rows of a matrix (n, entries), under one another in `slots`, that are weighed and pile up.

    A row is first seen at its own height, and weighed at so many times that as its weight says;
    where it is negative, with other signs. `size` is a row's width and its room's height. Parts:
    `rows`, `dots` for those that are not drawn, and twins of the rows in `weighed`. `order` has
    the rows of the largest and the smallest weight first: these come out and are weighed larger.
    """

    def __init__(
        self,
        numbers: Floats,
        weights: Floats,
        slots: Sequence[int],
        size: tuple[float, float],
        largest: float,
    ) -> None:
        wide, pitch = size
        self.size = wide, ROW_SHARE * pitch
        sizes = np.abs(weights)
        most = max(float(sizes.max()), 1.0)  # a row of this weight is to have room, too
        self.shares, self.is_turned = sizes / most, weights < 0
        self.own_height = self.size[1] / most
        first, *others = np.argsort(-sizes, kind="stable").tolist()
        self.order = [first, *others[-1:], *sorted(others[:-1])]
        self.lower = min(1.0, PILE / (self.size[1] * max(self.shares.sum(), 1.0)))
        self.rows = [Heat(row, self.size, None, largest) for row in numbers]
        self.weighed = VGroup()
        for row, slot, each, weight in zip(self.rows, slots, numbers, weights, strict=True):
            row.shift(slot * pitch * DOWN)
            ground = Rectangle(width=wide, height=self.size[1], stroke_width=0)
            ground.set_fill(theme.color(BACKGROUND), 1)
            self.weighed.add(VGroup(ground, Heat(np.sign(weight) * each, self.size, None, largest)))
        last = slots[-1]
        self.dots = [ellipsis((last - 1) * pitch * DOWN, pitch * DOWN)] * (last >= len(slots))
        super().__init__(*self.rows, *self.dots, self.weighed)

    def stand_over(self, pile: Point3D, apart: float = 0.0) -> None:
        """Lie where the rows were moved to; pile up around a point, where two come out.

        The middles of these two are so far `apart`, at least.
        """
        self.place = pile
        self.homes = [row.copy().stretch_to_fit_height(self.own_height) for row in self.rows]
        up = max(BETWEEN * NEAR * self.size[1], apart) / 2 * UP
        for row, way in zip(self.order[:2], (-up, up), strict=False):  # the first goes by nothing
            self.homes[row].stretch_to_fit_height(NEAR * self.own_height).move_to(pile + way)
        for home, twin in zip(self.homes, self.weighed, strict=True):
            twin.stretch_to_fit_height(home.height).move_to(home)
        self.turned = {i: self.weighed[i].copy() for i in self.order[:2] if self.is_turned[i]}
        for row in self.turned:
            self.weighed[row].stretch_to_fit_height(EDGE * self.own_height)

    def come_out(self, row: int) -> Verb:
        """Return how a row leaves the matrix, and is seen from near."""
        return Become(self.rows[row], self.homes[row])

    def bring(self, row: int) -> Verb:
        """Return how the twin of a row takes its place, with the signs that its weight gives.

        Where these are others, a row that has come out is turned over like a card.
        """
        if row in self.turned:
            edge = self.homes[row].copy().stretch_to_fit_height(EDGE * self.own_height)
            over = Appear(self.weighed[row], scale=1, run_time=HAIR)
            gone = Disappear(self.rows[row], run_time=HAIR)
            opened = Become(self.weighed[row], self.turned[row], QUICK)
            return Then(Become(self.rows[row], edge, QUICK), Together(over, gone), opened)
        here = Appear(self.weighed[row], scale=1)
        if self._is_out(row):
            return Then(here, Disappear(self.rows[row], run_time=HAIR))
        return Together(Become(self.rows[row], self.homes[row], QUICK), here)

    def weigh(self, row: int) -> Verb:
        """Return how a row grows or shrinks from its own height to so many times that."""
        share = self.shares[row] * (NEAR if self._is_out(row) else 1.0)
        return Become(self.weighed[row], self._twin(row, share))

    def pile(self, row: int) -> Verb:
        """Return how a row that was weighed goes to its place in the pile, the first lowest."""
        place = self.order.index(row)
        up = (self.pile_height(place) + self.pile_height(place + 1) - self.pile_height()) / 2
        twin = self._twin(row, self.lower * self.shares[row])
        return Become(self.weighed[row], twin.move_to(self.place + up * UP))

    def pile_height(self, rows: int | None = None) -> float:
        """Return how high so many rows of the pile are, or all of them."""
        return float(self.lower * self.size[1] * self.shares[self.order[:rows]].sum())

    def _is_out(self, row: int) -> bool:
        return row in self.order[:2]

    def _twin(self, row: int, share: float) -> VMobject:
        """Return a row's twin where it is weighed, so many times as high as a row."""
        return self.weighed[row].copy().stretch_to_fit_height(max(share, LEAST) * self.size[1])


def _slab() -> VMobject:
    return VMobject(stroke_width=0, fill_opacity=1)
