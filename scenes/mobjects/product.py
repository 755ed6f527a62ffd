"""A vector times a matrix: the vector stands beside it, the product's numbers under the columns.

As in `x @ W` each entry of the vector multiplies a row of the matrix, at whose height it stands,
and each column leaves one number.

    yield Appear(product.vector), Appear(product.matrix)
    yield Appear(product.window), product.multiply()
    yield Vary(product.sweep, 0, product.steps)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from manim import VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes import theme
from scenes.mobjects.fit import adding_decimals, leg, number_format, shown_entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Matrix
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector
from scenes.presence import set_presence
from scenes.provenance import (
    Tensor,
    Value,
    added,
    count,
    divided,
    dot,
    entry_count,
    matmul,
    multiplied,
    root,
)
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    Role,
)
from scenes.verbs import Appear, ComeFrom, Count, Disappear, Flow, Hold, Then, Together, Vary

WIDEST, TALLEST = 1.9, 0.85  # scene units, room for one entry
NUMERALS = 36  # their size, where there is room
NARROWEST = 0.72  # scene units, room for one entry; with less, fewer columns are drawn
HEADROOM = 0.8  # scene units, for what the vector and the matrix are called
JUMP = 0.2  # of the time that the window takes for a column, until it stands at the next
BESIDE = 3 * GAP  # between the vector and the matrix, and between the matrix and the product


@dataclass(frozen=True)
class Factors:
    """A vector (n,), weights (n, m), a bias (m,) if there is one, and a turn (m, m) by the place.

    `norm` is the epsilon and the gamma (m,) by which a product is brought to one size, if it is.
    `role` is that of the product.
    """

    vector: Tensor
    weights: Tensor
    role: Role
    bias: Tensor | None = None
    turn: Tensor | None = None
    norm: tuple[Value, Tensor] | None = None

    @property
    def product(self) -> Tensor:
        """The product with its bias, before any norm or turn: (m,)."""
        product = matmul(self.vector, self.weights)
        return product if self.bias is None else added(product, self.bias)

    @property
    def sized(self) -> Tensor:
        """The product, brought to a mean square of 1 and stretched by gamma if it is: (m,)."""
        product = self.product
        if self.norm is None:
            return product
        epsilon, gamma = self.norm
        spread = root(dot(product, product) / entry_count(product) + epsilon)
        return multiplied(divided(product, spread), gamma)

    @property
    def result(self) -> Tensor:
        """What is made of the product in the end, turned if places turn it: (m,)."""
        return self.sized if self.turn is None else matmul(self.sized, self.turn)

    def terms(self, column: int) -> list[Value]:
        """Return every entry of the vector times its weight in a column."""
        weights = self.weights.column(column).values
        return [x * w for x, w in zip(self.vector.values, weights, strict=True)]


class Product(VGroup):
    """A vector, a matrix and their product, as large as fits a region.

    Parts: `vector` (upright), `matrix`, `result` (a row under the columns, in the role of the
    factors), `terms`, the products of the first column, which stand where its weights do, and
    `window`, the frame on the column at work; `chip`, `symbol` and `label` are their names, given
    in this order. At most `most` (rows, columns) are drawn; one of the terms stands for the
    products of the rows left out, told as `others` where there is room, and the last one is the
    bias, if there is one, told as a constant, `bias`. `carried` are the vector's numbers once more,
    which come to the weights. The first number of the result is 0 until the terms are added up:
    `sums` are what it comes to.
    """

    def __init__(
        self,
        factors: Factors,
        names: tuple[str, str, str],
        region: Region,
        most: tuple[int, int] = (7, 6),
    ) -> None:
        self.factors = factors
        whole, region = region, region.lowered(HEADROOM)
        self._make_bodies(region, most)
        self._place_bodies()
        self.terms = self._terms()
        first_column = VGroup(*(self.matrix.cell(i, 0) for i in self.matrix.rows))
        self.window = Ring(first_column, HAIR / 2)
        self._name(names)
        self.result.number(0).put(count(0, "products so far"))
        self.carried = self.vector.numbers.copy().set_color(theme.color(INK))
        for number, row in zip(self.carried, self.matrix.rows, strict=True):
            number.move_to(self.matrix.cell(row, 0))
        super().__init__(self.vector, self.matrix, self.result, self.terms, self.window)
        self.add(self.chip, self.symbol, self.label, self.bias, *self.sizes, self.carried)
        self.add(self.others)
        self.move_to(whole.center)

    @property
    def tall(self) -> int:
        """How many of the terms are products."""
        return len(self.terms) - len(self.bias)

    @property
    def steps(self) -> int:
        """How many columns are drawn."""
        return len(self.matrix.columns)

    def multiply(self) -> Then:
        """Return how each entry goes to its weight and their product stays; first, one alone."""
        terms, weights = (
            [*self.terms[: self.tall]][::-1],
            map(self.matrix.entry, self.matrix.rows, repeat(0)),
        )
        rest = [terms.pop(-2), self.others] if len(terms) > len(self.matrix.rows) else []
        paced = chain((STEADY,), repeat(QUICK))
        entries = zip(self.vector.cells, self.carried, weights, terms, paced, strict=False)
        first, *others = (
            Then(
                Together(
                    ComeFrom(number, cell, seconds, fit=False),
                    Then(Hold(seconds / 3), Disappear(weight, run_time=seconds / 3)),
                ),
                Disappear(number, run_time=QUICK / 3),
                Appear(term, run_time=QUICK / 3),
            )
            for cell, number, weight, term, seconds in entries
        )
        return Then(first, Together(Flow(others), Then(Hold(STEADY), Appear(*rest))))

    def make(self) -> Then:
        """Return how the matrix comes in and makes every number of the result, column by column."""
        first = self.factors.product.values[0]
        come = Appear(self.matrix, self.symbol), Count(self.result.number(0), first, HAIR)
        frame = Appear(self.window, self.label, self.result.brackets, *self.result.dots)
        swept = Vary(self.sweep, 0, self.steps, SLOW)
        return Then(Together(*come), frame, swept, self.bring_to_size(), self.turn())

    def sweep(self, place: float) -> None:
        """Stand with the window at a column's place; the product is there so far.

        `place` is counted in columns that are drawn, 0 to `steps`; at `steps` all are done. The
        window rests at each column and jumps to the next.
        """
        before, after, share = leg(place, self.steps)
        ends = [self.matrix.cell(0, self.matrix.columns[i]).get_x() for i in (before, after)]
        at = np.interp(share, (1 - JUMP, 1.0), ends)
        self.window.shift((at - self.window.get_x(), 0, 0))
        for i in range(self.steps):
            for part in (self.result.cells[i], self.result.numbers[i]):
                set_presence(part, float(np.clip(place - i, 0, 1)))

    def bring_to_size(self) -> Together:
        """Return the animation in which the result's numbers are brought to one size, if so."""
        return self._become(self.factors.sized)

    def turn(self) -> Together:
        """Return the animation in which the place turns the numbers of the result, if it does."""
        return self._become(self.factors.result)

    def _make_bodies(self, region: Region, most: tuple[int, int]) -> None:
        """Make the vector, the matrix and the result, with one room for an entry of each."""
        factors, across = self.factors, region.width - 4 * BESIDE
        most = most[0], min(most[1], max(3, int(across / NARROWEST) - 1))
        rows, columns = (
            len(shown_entries(n, m)) + (n > m)
            for n, m in zip(factors.weights.shape, most, strict=True)
        )
        wide = min(WIDEST, across / (columns + 1))
        room = wide, min(TALLEST, (region.height - BESIDE) / (rows + 1))
        self.matrix = Matrix(factors.weights, room, most=most, number_size=NUMERALS)
        self.vector = Vector(
            factors.vector.values, room, upright=True, most=most[0], number_size=NUMERALS
        )
        product, sized = factors.product.values, factors.sized.values if factors.norm else ()
        self.result = Vector(
            product, room, role=factors.role, most=most[1], later=sized, number_size=NUMERALS
        )

    def _place_bodies(self) -> None:
        """Place the vector on the left of the matrix, row by row, and the result under it."""
        at, (wide, high) = self.matrix.cell(0, 0).get_center(), self.matrix.room
        self.vector.shift(at - self.vector.cells[0].get_center())
        self.vector.shift((-wide - BESIDE, 0, 0))
        self.result.shift(at - self.result.cells[0].get_center())
        self.result.set_y(float(self.matrix.cells.get_bottom()[1]) - BESIDE - high / 2)

    def _name(self, names: tuple[str, str, str]) -> None:
        """Say what everything is, how many entries it has, and what some of the terms are."""
        factors = self.factors
        self.symbol = Formula(names[1], SPOKEN_SIZE).next_to(self.matrix, UP, buff=HAIR)
        aside = float(self.symbol.get_left()[0] - self.vector.get_x()) - GAP
        self.chip = Chip(names[0], widest=min(2 * aside, self.vector.width + 4 * BESIDE))
        self.chip.next_to(self.vector, UP, buff=HAIR)
        self.label = Words(names[2], size=SPOKEN_SIZE, role=factors.role)
        self.label.next_to(self.result, LEFT, buff=GAP)
        self.sizes = [
            Words("{}", entry_count(each), size=SPOKEN_SIZE).next_to(body, side, buff=HAIR)
            for each, body, side in (
                (factors.vector, self.vector, LEFT),
                (factors.product, self.result, RIGHT),
            )
        ]
        self.others, self.bias = VGroup(), VGroup()
        if left_out := factors.weights.shape[0] - len(self.matrix.rows):
            hidden = count(left_out, "products of rows left out")
            told = Words("{} others", hidden, size=SPOKEN_SIZE, role=QUIET)
            told.next_to(self.window, RIGHT, buff=HAIR).match_y(self.terms[1])
            if told.get_right()[0] + HAIR < self.matrix.dots[0].get_left()[0]:
                self.others.add(told)
        if factors.bias is not None:
            told = Words("constant", size=SPOKEN_SIZE, role=factors.role)
            self.bias.add(told.next_to(self.terms[-1], LEFT, buff=GAP))

    def _become(self, numbers: Tensor) -> Together:
        values = numbers.values
        return Together(Count(self.result.number(j), values[j]) for j in self.result.shown)

    def _terms(self) -> VGroup:
        """Return the first column's terms as numerals, the lowest first, and the bias at last."""
        values, bias = self.factors.terms(0), self.factors.bias
        drawn = [values[i] for i in self.matrix.rows]
        places = [self.matrix.cell(i, 0).get_center() for i in self.matrix.rows]
        if len(drawn) < len(values):
            whole = dot(self.factors.vector, self.factors.weights.column(0))
            drawn.insert(-1, whole - sum(drawn[1:], drawn[0]))
            places.insert(-1, (places[-1] + places[-2]) / 2)
        drawn, places = drawn[::-1], places[::-1]
        if bias is not None:
            low = (self.matrix.cells.get_bottom()[1] + self.result.cells.get_top()[1]) / 2
            drawn.append(bias.values[0])
            places.append(np.array((self.vector.get_x() + BESIDE / 2, low, 0.0)))
        self.sums = [sum(drawn[1:i], drawn[0]) for i in range(1, len(drawn))]
        self.sums.append(self.result.values[0])
        decimals = adding_decimals(drawn, self.sums[-1].number, told=self.result.number(0).decimals)
        form = number_format(drawn, self.matrix.room, NUMERALS, decimals)
        return VGroup(
            *(
                Number(value, form.decimals, form.size, INK).move_to(place)
                for value, place in zip(drawn, places, strict=True)
            )
        )
