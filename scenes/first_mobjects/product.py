"""A vector times a matrix: it passes over the columns, and each leaves one number below.

Vectors are rows, as in `x @ W`: the vector stands on end beside the matrix, each entry at the
height of the weights that it multiplies, and the numbers of the product stand under the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import Animation, Rectangle, VGroup, linear
from manim.constants import ORIGIN
from numpy.typing import NDArray

from scenes import theme
from scenes.animations import Change, Together
from scenes.arrivals import Fade
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.matrix import TILE_SHARE, WeightMatrix
from scenes.first_mobjects.workings import AddUp
from scenes.mobjects.text import Number, decimals_for, em_of, widest
from scenes.presence import hide
from scenes.provenance import Tensor, Value, added, matmul
from scenes.theme import (
    BOLD_LINE,
    INK,
    NEGATIVE,
    NUMBER_SIZE,
    PANEL,
    POSITIVE,
    SLOW,
    STRONGEST_FILL,
    Role,
)

LEAST_GAP = 0.11  # between two numbers of the product, in scene units
PACE = 0.3  # seconds a column
ANSWER_DROP = 0.75  # from the matrix's lower edge to its product, in row pitches


@dataclass(frozen=True)
class Factors:
    """A vector (n,), the weights (n, m) and the bias (m,) of what is made of it, and its role.

    Some models have no bias; some turn the product by the vector's place, a matrix (m, m).
    """

    vector: Tensor
    weights: Tensor
    bias: Tensor | None
    role: Role
    turn: Tensor | None = None

    @property
    def sums(self) -> list[Value]:
        """The product's numbers, worked out in double precision."""
        return self.product.values

    @property
    def product(self) -> Tensor:
        """The product with its bias: (m,)."""
        product = matmul(self.vector, self.weights)
        return product if self.bias is None else added(product, self.bias)

    @property
    def result(self) -> Tensor:
        """The product, turned if places turn it: (m,)."""
        return self.product if self.turn is None else matmul(self.product, self.turn)

    @property
    def decimals(self) -> int:
        """How many decimals do for all numbers of the product, turned or not."""
        return decimals_for([*self.sums, *self.result.values], 2)

    def addends(self, column: int) -> list[Value]:
        """Return what a column's number is the sum of: the products, and the bias if any."""
        bias = [] if self.bias is None else [self.bias[column].value]
        return [*self.products(column), *bias]

    def products(self, column: int) -> list[Value]:
        """Return every entry of the vector times its weight in a column."""
        weights = self.weights.column(column).values
        return [x * w for x, w in zip(self.vector.values, weights, strict=True)]


class SweptProduct(VGroup):
    """A vector times a matrix plus a bias: the matrix, and the numbers of the product under it.

    `pitch` is that of the matrix, in scene units. The numbers are unseen until the vector has
    passed over their columns; those of columns that are left out are not drawn.
    """

    def __init__(self, factors: Factors, pitch: tuple[float, float], most: tuple[int, int]) -> None:
        self.factors, self.most = factors, most
        self.matrix = WeightMatrix(factors.weights, pitch, most)
        self.columns = self.matrix.columns
        self.values, role = factors.sums, factors.role
        self.turned = factors.result.values
        drawn = [values[j] for values in (self.values, self.turned) for j in self.columns]
        decimals = factors.decimals
        size = size_at(drawn, pitch[0], decimals=decimals)
        self.answers = [Number(self.values[j], decimals, size, role) for j in self.columns]
        low = self.matrix.get_bottom()[1] - ANSWER_DROP * pitch[1]
        for answer, j in zip(self.answers, self.columns, strict=True):
            answer.move_to((self.matrix.column(j).get_x(), low, 0))
        row = VGroup(*self.answers)
        self.brackets = bracket_pair(row, role, 1.6 * self.answers[0].em)
        self.window = Window(self.matrix, self._terms())
        self.below = VGroup(row, self.brackets)
        super().__init__(self.matrix, self.below, self.window)
        hide(self.below)
        hide(self.window)

    def pass_over(self, first: int) -> Animation:
        """Let the vector pass over the columns drawn, from place `first` on.

        Under each column its sum is added up while the vector is coming to it.
        """
        places = range(first, len(self.columns))
        sums = [self._count(place) for place in places]
        glide = self.window.glide(max(first - 1, 0), len(self.columns) - 1, PACE * len(places))
        return Together([glide, Together(sums, lag_ratio=1.0)])

    def turn(self) -> Animation:
        """Let the numbers run to what they are once they are turned; nothing if they are not."""
        if self.factors.turn is None:
            return Together([])
        for answer in self.answers:
            answer.anchor = ORIGIN  # the numbers stay under their columns
        return Together(
            answer.count_to(self.turned[j], SLOW)
            for answer, j in zip(self.answers, self.columns, strict=True)
        )

    def _count(self, place: int) -> Animation:
        """Let the number under a column come in and run through its sum, the bias at last."""
        column, answer = self.columns[place], self.answers[place]
        count = AddUp(answer, self.factors.addends(column), self.values[column], PACE)
        return Together([Fade(answer, 1.0, PACE / 2), count])

    def _terms(self) -> NDArray[np.float64]:
        """Return the products of entries and weights that are drawn: (rows, columns)."""
        products = self.factors.vector.array[:, None] * self.factors.weights.array.astype(
            np.float64
        )
        return np.asarray(products[np.ix_(self.matrix.rows, self.columns)])


class Window(VGroup):
    """A frame on one column of a matrix, in which the weights are seen times the vector.

    `terms` (rows, columns) are the products of what the matrix draws; the strongest shade stands
    for the largest of a column. Between two columns each tile is the mixture of both products.
    """

    def __init__(self, matrix: WeightMatrix, terms: NDArray[np.float64]) -> None:
        largest = np.abs(terms).max(axis=0)
        self.shares = terms / np.where(largest > 0, largest, 1.0)
        self.columns = [matrix.tile(matrix.rows[0], j) for j in matrix.columns]
        width, height = matrix.pitch
        self.plate = Rectangle(
            width=width,
            height=matrix.tile(matrix.rows[0], matrix.columns[0]).get_top()[1]
            - matrix.tile(matrix.rows[-1], matrix.columns[0]).get_bottom()[1]
            + 2 * (1 - TILE_SHARE) * height,
            stroke_width=BOLD_LINE,
            stroke_color=theme.color(INK),
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        ).move_to(matrix.column(matrix.columns[0]))
        self.tiles = [
            Rectangle(width=TILE_SHARE * width, height=TILE_SHARE * height, stroke_width=0).move_to(
                matrix.tile(row, matrix.columns[0])
            )
            for row in matrix.rows
        ]
        super().__init__(self.plate, *self.tiles)
        self.put(0)

    def glide(self, first: float, last: float, run_time: float) -> Animation:
        """Let the frame go from one column's place to another's, evenly."""
        return Glide(self, first, last, run_time)

    def put(self, place: float) -> None:
        """Stand at a column's place, or between two."""
        columns = np.arange(len(self.columns))
        here = np.interp(place, columns, [float(tile.get_x()) for tile in self.columns])
        self.shift((here - self.plate.get_x(), 0, 0))
        for tile, shares in zip(self.tiles, self.shares, strict=True):
            share = float(np.interp(place, columns, shares))
            tile.set_fill(theme.color(NEGATIVE if share < 0 else POSITIVE))
            tile.set_fill(opacity=STRONGEST_FILL * abs(share))


class Glide(Change):
    """A window passes from one column's place to another's, evenly."""

    def __init__(self, window: Window, first: float, last: float, run_time: float) -> None:
        super().__init__(window, run_time=run_time)
        self.window, self.first, self.last = window, first, last
        self.rate_func = linear

    def change(self, share: float) -> None:
        """Stand where the window has come."""
        self.window.put((1 - share) * self.first + share * self.last)


def size_at(
    values: Sequence[Value], pitch: float, largest: float = NUMBER_SIZE, decimals: int = 2
) -> float:
    """Return the font size at which numbers with so many decimals stand side by side."""
    return float(min(largest, (pitch - LEAST_GAP) / widest(values, decimals) / em_of(1)))
