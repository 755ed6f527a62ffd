"""A short vector times a matrix with many columns: it is lifted to as many numbers as these.

In `product` the sum of every column is seen; here there are too many columns for that. It knows no
model.
"""

from __future__ import annotations

import numpy as np
from manim import Animation, Mobject, VGroup
from manim.constants import LEFT
from numpy.typing import NDArray

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.matrix import WeightMatrix
from scenes.first_mobjects.product import Window, size_at
from scenes.first_mobjects.workings import AddUp
from scenes.mobjects.text import Number, Words, align_points, decimals_for, em_of, widest
from scenes.presence import hide
from scenes.provenance import Tensor, dot
from scenes.region import Region
from scenes.theme import GAP, NUMBER_SIZE, QUIET, SMALLEST_SIZE, Role

TALLEST_ROW, WIDEST_COLUMN = 0.42, 0.84  # scene units
BRACKETS_ROOM = 1.4  # beside the vector and the matrix, in scene units
LEAST_GAP = 0.14  # between two numbers, in scene units
BELOW = 1.6  # rows' heights between the matrix and the numbers under it, with these
MOST_ROWS, MOST_COLUMNS = 9, 16
PACE = 0.3  # seconds a column
EM_BY_ROW = 0.66


class Lift(VGroup):
    """A vector (n,) on end beside a matrix (n, m), and the m numbers of their product under it.

    It fits `region`; what is long is elided. `entries` are the vector's numbers, each at the
    height of the weights that it multiplies; `answers` are unseen until the vector has passed.
    """

    def __init__(
        self, vector: Tensor, weights: Tensor, region: Region, roles: tuple[Role, Role]
    ) -> None:
        self.vector, self.weights = vector, weights
        self.values = [
            dot(vector, column) for column in (weights.column(j) for j in range(weights.shape[1]))
        ]
        self.decimals = decimals_for(self.values, 2)
        pitch, most, size = self._format(region)
        self.matrix = WeightMatrix(weights, pitch, most)
        self.columns = self.matrix.columns
        self.numbers = self._numbers(pitch, roles[1])
        self.answers = VGroup(*self.numbers)
        self.entries = self._entries(size, roles[0])
        self.side = bracket_pair(self.entries, roles[0], self.matrix.height)
        self.beside = VGroup(self.entries, self.side)
        right = float(self.beside.get_right()[0])
        self.beside.shift(LEFT * (right - self.matrix.get_left()[0] + GAP))
        self.under = bracket_pair(self.answers, roles[1], 1.6 * self.numbers[0].em)
        super().__init__(self.beside, self.matrix, self.answers, self.under)
        self.move_to(region.center)
        self.window = Window(self.matrix, self._terms())
        self.submobjects.insert(2, self.window)
        hide(VGroup(self.beside, self.matrix, self.answers, self.under, self.window))

    def bring(self, row: Mobject) -> Animation:
        """Let the vector's numbers come from a row that shows them, and stand on end."""
        flights = (Fly(entry, row) for entry in self.entries)
        return Together([one_after_another(flights), Appear(self.side)])

    def reveal_matrix(self) -> Animation:
        """Let the matrix come in."""
        return Appear(self.matrix)

    def pass_over(self) -> Animation:
        """Let the vector pass over the columns drawn; each leaves its sum below."""
        last, time = len(self.columns) - 1, PACE * len(self.columns)
        sums = [self._count(place) for place in range(len(self.columns))]
        return Together(
            [
                Fade(self.window, 1.0, PACE),
                Fade(self.under, 1.0),
                self.window.glide(0, last, time),
                Together(sums, lag_ratio=1.0),
            ]
        )

    def finish(self) -> Animation:
        """Let the frame on the last column go."""
        return Fade(self.window, 0.0)

    def _count(self, place: int) -> Animation:
        column, answer = self.columns[place], self.numbers[place]
        weights = self.weights.column(column).values
        products = [x * w for x, w in zip(self.vector.values, weights, strict=True)]
        return Together(
            [
                Fade(answer, 1.0, PACE / 2),
                AddUp(answer, products, self.values[column], PACE),
            ]
        )

    def _format(self, region: Region) -> tuple[tuple[float, float], tuple[int, int], float]:
        """Return the matrix's pitch, how much of it is drawn, and the vector's font size."""
        rows = min(len(self.vector), MOST_ROWS)
        height = min(TALLEST_ROW, region.height / (rows + BELOW + 1))
        size = max(SMALLEST_SIZE, min(NUMBER_SIZE, EM_BY_ROW * height / em_of(1)))
        beside = widest(self.vector.values, 2) * em_of(size) + BRACKETS_ROOM
        narrowest = widest(self.values, self.decimals) * em_of(SMALLEST_SIZE + 2) + LEAST_GAP
        room = region.width - beside
        columns = min(self.weights.shape[1], MOST_COLUMNS, int(room / narrowest))
        return (min(WIDEST_COLUMN, room / columns), height), (rows, columns), size

    def _entries(self, size: float, role: Role) -> VGroup:
        """Return the vector's numbers, each at the height of its row, and dots for the rest."""
        numbers = [Number(self.vector[row].value, 2, size, role) for row in self.matrix.rows]
        for number in numbers:
            number.set_x(0)
        align_points(numbers)
        for number, row in zip(numbers, self.matrix.rows, strict=True):
            number.set_y(self.matrix.tile(row, self.columns[0]).get_y())
        entries = VGroup(*numbers)
        if len(numbers) < len(self.vector):
            dots = Words("\N{VERTICAL ELLIPSIS}", size=size, role=QUIET)
            last = self.matrix.tile(self.matrix.rows[-1], self.columns[0]).get_y()
            dots.move_to((entries.get_x(), last + self.matrix.pitch[1], 0))
            entries.add(dots)
        return entries

    def _numbers(self, pitch: tuple[float, float], role: Role) -> list[Number]:
        shown = [self.values[j] for j in self.columns]
        size = size_at(shown, pitch[0], decimals=self.decimals)
        low = float(self.matrix.get_bottom()[1]) - BELOW * pitch[1] + em_of(size) / 2
        numbers = [Number(self.values[j], self.decimals, size, role) for j in self.columns]
        for number, j in zip(numbers, self.columns, strict=True):
            number.move_to((self.matrix.column(j).get_x(), low, 0))
        return numbers

    def _terms(self) -> NDArray[np.float64]:
        """Return the products of entries and weights that are drawn: (rows, columns)."""
        products = self.vector.array[:, None].astype(np.float64) * self.weights.array
        return np.asarray(products[np.ix_(self.matrix.rows, self.columns)])
