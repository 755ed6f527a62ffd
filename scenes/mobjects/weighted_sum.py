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

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import RIGHT
from manim.typing import Point3D, Vector3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import adding_decimals, number_format, pitch_in, shown_entries
from scenes.mobjects.outlines import in_space
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import Number, em_of
from scenes.mobjects.vector import CELL_SHARE, ellipsis
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, PLAIN_SIZE

TALLEST = 1.5  # scene units, of a row
MOST = 16  # entries of a row that are drawn

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

    def strip(self, width: float, height: float, way: Vector3D) -> VGroup:
        """Return the sum as boxes of a size, side by side in a direction."""
        boxes = VGroup(*(Rectangle(width=width, height=height) for _ in self.shown))
        for box, number in zip(boxes, self.total, strict=True):
            color, opacity = self.look(float(number))
            box.set_stroke(width=0).set_fill(color, opacity)
        return boxes.arrange(way, buff=0)

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
        form = number_format(values, (self.across, self.pitch), decimals=1)
        if form.size < PLAIN_SIZE / 1.5 or not form.decimals:
            return VGroup()
        low = self.middle - self.height_of_one / 2
        numerals = VGroup()
        for column, value in enumerate(values):
            x = self.left + (self.slots[column] + CELL_SHARE / 2) * self.across
            number = Number(value, form.decimals, form.size)
            numerals.add(number.move_to((x, low - HAIR - number.em / 2, 0)))
        return numerals


def _slab() -> VMobject:
    return VMobject(stroke_width=0, fill_opacity=1)
