"""A vector times a matrix: the vector stands beside it, the product's numbers under the columns.

As in `x @ W` each entry of the vector multiplies a row of the matrix, at whose height it stands,
and each column leaves one number.

    yield Appear(product.vector), Appear(product.matrix)
    yield Appear(product.window), product.open()
    yield product.multiply()
    yield product.add_up()
    yield product.bring_home()
    yield product.go_on(2)
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.mobjects.fit import adding_decimals, number_format, shown_entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Matrix
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector, ellipsis
from scenes.presence import set_fill, set_presence
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
from scenes.theme import GAP, HAIR, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY, Role
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Then,
    Together,
    Vary,
)

WIDEST, TALLEST = 1.9, 0.85  # scene units, room for one entry
NUMERALS = 36  # their size, where there is room
NARROWEST = 0.72  # scene units, room for one entry; with less, fewer columns are drawn
HEADROOM = 0.8  # scene units, for what the vector and the matrix are called
MOVE = 0.5  # of the time for a column, in which the window comes to it; then its number falls
OUT = 0.7  # of the way from a weight to its product, where that is first seen
FASTEST = 0.3  # seconds, in which the last product falls
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
    factors), `terms`, the products of the first column, which stand on its right, and `window`, the
    frame on the column at work; `chip`, `symbol` and `label` are their names, given in this order.
    `elsewhere` is what leaves while the first column is at work. At most `most`
    (rows, columns) are drawn; one of the terms stands for the products of the rows left out, told
    as `others` where there is room, and the first one is the bias, if there is one, told as a
    constant, `bias`. The first number of the result stands under the terms, past a `rule`, and is 0
    until they are added up: `sums` are what it comes to.
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
        self._make_signs()
        others = map(self.matrix.column, self.matrix.columns[1:])
        closing = (body.brackets.closing for body in (self.matrix, self.result))
        self.elsewhere = [*others, *self.matrix.dots, *closing, self.symbol]
        self.result.number(0).put(count(0, "products so far"))
        super().__init__(self.vector, self.matrix, self.result, self.terms, self.window)
        self.add(self.chip, self.symbol, self.label, self.bias, *self.sizes)
        self.add(self.others, self.signs, self.rule)
        self.move_to(whole.center)
        self.sizes[1].put(count(1, "numbers so far"))

    @property
    def aside(self) -> float:
        """How far the terms stand on the right of their weights, in scene units."""
        return self.matrix.room[0] + GAP

    @property
    def first(self) -> VGroup:
        """What the first number is made of."""
        made = self.chip, self.vector, self.window, self.terms, self.bias, self.others
        return VGroup(*made, self.label, self.sizes[0], self.result.cell(0))

    def open(self) -> Disappear:
        """Return how all but the first column leaves."""
        return Disappear(*self.elsewhere)

    def close(self) -> Appear:
        """Return how all columns come back."""
        return Appear(*self.elsewhere)

    @property
    def steps(self) -> int:
        """How many columns there are, drawn or not."""
        return len(self.result.values)

    def multiply(self) -> Then:
        """Return how each entry meets its weight and their product comes; first, one alone."""
        terms = [*self.terms[len(self.bias) :]][::-1]
        rest = [terms.pop(-2), self.others] if len(terms) > len(self.matrix.rows) else []
        first, *others = map(self._meet, range(len(terms)), terms, chain((STEADY,), repeat(QUICK)))
        return Then(first, Flow(others, SLOW), Appear(*rest, *self.signs))

    def _meet(self, place: int, term: VMobject, seconds: float) -> Then:
        """Return how an entry and its weight swell, and what their product is."""
        row = self.matrix.rows[place]
        weight = self.matrix.cell(row, 0)
        pair = self.vector.numbers[place], self.matrix.number(row, 0)
        origin = weight.get_center() + OUT * self.aside * RIGHT
        met = Together(Appear(self.signs[place]), *(Pulse(x, run_time=seconds) for x in pair))
        return Then(met, ComeFrom(term, origin, seconds, fit=False))

    def add_up(self) -> Then:
        """Return how a bias is told, and the terms fall into their sum, the lowest first."""
        bias = Appear(*self.terms[: len(self.bias)], *self.bias), *map(Pulse, self.bias)
        number = self.result.number(0)
        told = dict(zip(self.terms, (*self.bias, *[VGroup()] * len(self.terms)), strict=False))
        if self.others:
            told[self.terms[len(self.bias) + 1]] = self.others
        goal = self.rule.get_center() + HAIR * UP
        paces = np.linspace(QUICK, FASTEST, len(self.terms)).tolist()
        falls = (
            Together(
                GoInto(term, goal, pace),
                Disappear(told[term], run_time=pace),
                Then(Hold(pace / 2), Count(number, so_far, pace / 2)),
            )
            for term, so_far, pace in zip(self.terms, self.sums, paces, strict=True)
        )
        ruled = Together(Draw(self.rule, run_time=QUICK), Appear(number))
        return Then(*bias, ruled, *falls)

    def bring_home(self) -> Then:
        """Return how the sum goes to its place in the result, and all columns come back."""
        gone = Disappear(self.rule, *self.signs)
        return Then(gone, Vary(self.arrive, 0, 1), self.close())

    def arrive(self, share: float) -> None:
        """Let the first number of the result stand under the terms (0), in its cell, or between."""
        cell, number = self.result.cell(0), self.result.number(0)
        number.set_x(cell.get_x() + (1 - share) * self.aside)
        set_fill(number, theme.mix(cell.ink, theme.color(INK), share))
        set_presence(cell, share)

    def go_on(self, start: int, run_time: float = SLOW) -> Then:
        """Return how the columns from the `start` on give their numbers, faster and faster."""
        last = max(start, self.steps - 1)
        run = Vary(self.sweep, start, last, run_time, rate_func=np.square)
        return Then(run, Vary(self.sweep, last, self.steps, QUICK))

    def sweep(self, made: float) -> None:
        """Show so many of the result's numbers, 0 to `steps`, and the window on the last's column.

        The window passes over columns that are not drawn, too. It comes to a column that is, and
        then its number falls out of it.
        """
        last, drawn = min(int(made), self.steps - 1), self.matrix.columns
        share = (made - last) / (MOVE if last in drawn else 1)
        places = [self.matrix.cell(0, i).get_x() for i in drawn]
        self.window.set_x(float(np.interp(last - 1 + min(1.0, share), drawn, places)))
        for i, *parts in zip(drawn, self.result.cells, self.result.numbers, strict=True):
            come = float(np.clip((made - i - MOVE) / (1 - MOVE), 0, 1))
            for part in parts:
                part.set_y(self.result.brackets.get_y() + (1 - come) * (BESIDE - HAIR))
                set_presence(part, come)
        for dots in self.result.dots:
            come = (made - drawn[-2] - 1) / (drawn[-1] - drawn[-2] - 1)
            set_presence(dots, float(np.clip(come, 0, 1)))
        whole = entry_count(self.factors.product)
        self.sizes[1].put(whole if made >= self.steps else count(int(made), "numbers so far"))

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
        product, changes = factors.product.values, factors.norm or factors.turn is not None
        later = factors.result.values if changes else ()
        self.result = Vector(
            product, room, role=factors.role, most=most[1], later=later, number_size=NUMERALS
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
        ends = (
            (factors.vector, self.vector, LEFT, RIGHT),
            (factors.product, self.result, RIGHT, LEFT),
        )
        self.sizes = [
            Number(entry_count(each), 0, SPOKEN_SIZE, anchor=near).next_to(body, side, buff=GAP)
            for each, body, side, near in ends
        ]
        self.others, self.bias = VGroup(), VGroup()
        if left_out := factors.weights.shape[0] - len(self.matrix.rows):
            hidden = count(left_out, "products of rows left out")
            told = Words("{} others", hidden, size=SPOKEN_SIZE, role=QUIET)
            told.next_to(self.terms[-len(self.matrix.rows)], RIGHT, buff=GAP)
            if told.get_right()[0] < self.matrix.get_right()[0] + BESIDE:
                self.others.add(told)
        if factors.bias is not None:
            told = Words("constant", size=SPOKEN_SIZE, role=factors.role)
            self.bias.add(told.next_to(self.terms[0], RIGHT, buff=GAP))

    def _make_signs(self) -> None:
        """Make what is between entries and weights, and what is between the terms and the sum."""
        across = float(self.vector.get_right()[0] + self.matrix.get_left()[0]) / 2
        rows = [self.matrix.cell(i, 0) for i in self.matrix.rows]
        self.signs = VGroup(
            *(
                Words("\N{MULTIPLICATION SIGN}", size=SPOKEN_SIZE).move_to((across, y, 0))
                for y in (row.get_y() for row in rows)
            )
        )
        if len(self.matrix.rows) < self.factors.weights.shape[0]:
            between = (rows[-1].get_center() + rows[-2].get_center()) / 2
            self.signs.add(ellipsis(between, self.matrix.room[1] * DOWN))
        half, up = self.matrix.room[0] / 2 * RIGHT, self.matrix.room[1] / 2 * UP
        middle = self.result.cell(0).get_center() + self.aside * RIGHT + up
        self.rule = VMobject(stroke_width=theme.BOLD_LINE / 2, stroke_color=theme.color(INK))
        self.rule.set_points_as_corners([middle - half, middle + half])

    def _become(self, numbers: Tensor) -> Together:
        values = numbers.values
        return Together(Count(self.result.number(j), values[j]) for j in self.result.shown)

    def _terms(self) -> VGroup:
        """Return the first column's terms as numerals, the bias first, then the lowest one."""
        values, bias = self.factors.terms(0), self.factors.bias
        aside = self.aside * RIGHT
        drawn = [values[i] for i in self.matrix.rows]
        places = [self.matrix.cell(i, 0).get_center() + aside for i in self.matrix.rows]
        if len(drawn) < len(values):
            whole = dot(self.factors.vector, self.factors.weights.column(0))
            drawn.insert(-1, whole - sum(drawn[1:], drawn[0]))
            places.insert(-1, (places[-1] + places[-2]) / 2)
        drawn, places = drawn[::-1], places[::-1]
        if bias is not None:
            low = (self.matrix.cells.get_bottom()[1] + self.result.cells.get_top()[1]) / 2
            drawn.insert(0, bias.values[0])
            places.insert(0, np.array((places[0][0], low, 0.0)))
        self.sums = [sum(drawn[1:i], drawn[0]) for i in range(1, len(drawn))]
        self.sums.append(self.result.values[0])
        decimals = adding_decimals(drawn, self.sums[-1].number, told=self.result.number(0).decimals)
        form = number_format(drawn, self.matrix.room, NUMERALS, decimals)
        terms = [
            Number(value, form.decimals, form.size, INK).move_to(place)
            for value, place in zip(drawn, places, strict=True)
        ]
        right = max(term.get_right()[0] for term in terms) * RIGHT
        return VGroup(*(term.align_to(right, RIGHT) for term in terms))
