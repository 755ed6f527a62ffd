"""A vector times one column of a matrix, worked out entry by entry as a written sum.

Two vectors multiplied entry by entry are in `workings`; the other columns, in `product`. It knows
no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Animation, Line, Mobject, VGroup
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fly
from scenes.first_mobjects.product import Factors
from scenes.first_mobjects.workings import AddUp
from scenes.mobjects.text import Number, Words, decimals_for, em_of, widest
from scenes.provenance import count, dot
from scenes.theme import QUIET, SLOW, SMALL_SIZE, STEADY, THIN_LINE, Role

NUMBER_GAP = 0.42  # between two numbers side by side, in scene units
LINES = 3  # the sum, the bias, and what they make
LINES_BELOW = 3.7  # these with their rule, in rows


class ColumnWorkings(VGroup):
    """Entries of a vector, of the first column of a matrix, and their products in three files.

    `heights` says which entries are drawn and how high each one stands, in scene units, `pitch`
    how far rows are apart. The sum of all products, the bias and what they make stand below.
    Nothing of it is on the stage until it is revealed, in the order of the methods.
    """

    def __init__(
        self,
        factors: Factors,
        heights: Mapping[int, float],
        pitch: float,
        size: float,
    ) -> None:
        vector, column = factors.vector, factors.weights.column(0)
        self.products = factors.products(0)
        self.sum = dot(vector, column)
        files = vector.values, column.values, self.products
        self.decimals = _decimals(factors, [*heights])
        nothing = self.products[0] - self.products[0]
        bias = None if factors.bias is None else factors.bias[0].value
        self.answer = self.sum + bias if bias else self.sum
        self.entries, self.weights, self.terms = (
            VGroup(*(Number(values[i], decimals, size) for i in heights))
            for values, decimals in zip(files, self.decimals, strict=True)
        )
        below = [nothing, bias, self.answer] if bias else [nothing]
        self.below = [Number(value, self.decimals[-1], size) for value in below]
        self.total, self.result = self.below[0], self.below[-1]
        self.labels = _labels(len(self.products), factors.role)[: len(below)]
        if bias:
            self.result.set_role(factors.role)
        self.signs, self.gaps = VGroup(), VGroup()
        self._arrange(heights, pitch, file_width(factors, [*heights], size))
        super().__init__(
            self.entries,
            self.weights,
            self.terms,
            self.signs,
            self.gaps,
            self.line,
            *self.below,
            self.labels,
        )

    def bring_weights(self, tiles: Sequence[Mobject]) -> Animation:
        """Let the number of every weight drawn fly out of its tile."""
        marks = Appear(self.signs[0], STEADY), Appear(self.gaps[1], STEADY)
        return Together([one_after_another(map(Fly, self.weights, tiles)), *marks])

    def multiply(self) -> Animation:
        """Let the product of each entry and its weight come out beside them."""
        products = one_after_another(map(Fly, self.terms, self.weights), budget=2 * SLOW)
        return Together([products, Appear(self.signs[1], STEADY), Appear(self.gaps[2], STEADY)])

    def reveal_sum(self) -> Animation:
        """Let the sum's place come in, at zero."""
        return Together(map(Appear, (self.line, self.labels[0], self.total)))

    def add_up(self, run_time: float = SLOW) -> Animation:
        """Let the sum run through all products, one after another, whether drawn or not."""
        return AddUp(self.total, self.products, self.sum, run_time)

    def reveal_bias(self) -> Animation:
        """Let the bias come in, one more addend; nothing where there is none."""
        return Together(Appear(part[1]) for part in (self.labels, self.below) if len(part) > 1)

    def reveal_result(self) -> Animation:
        """Let the sum and the bias make the result; without one the sum is the result."""
        if len(self.below) == 1:
            return Together([])
        return Together([Fly(self.result, self.total), Appear(self.labels[2])])

    def _arrange(self, heights: Mapping[int, float], pitch: float, width: float) -> None:
        """Set the files from left to right, each flush right, and the lines below the last one."""
        for place, file in enumerate((self.entries, self.weights, self.terms), start=1):
            for number, height in zip(file, heights.values(), strict=True):
                number.move_to((place * width, height, 0), aligned_edge=RIGHT)
        for file in (self.entries, self.weights, self.terms):
            self.gaps.add(_gap(file, heights))
        for place, sign in enumerate(("\N{MULTIPLICATION SIGN}", "="), start=1):
            at = place * width + 0.45 * NUMBER_GAP
            self.signs.add(VGroup(*(_sign(sign, at, y) for y in heights.values())))
        self._arrange_sum(heights, pitch, width)

    def _arrange_sum(self, heights: Mapping[int, float], pitch: float, width: float) -> None:
        """Set the line and what stands below it."""
        lowest, right = min(heights.values()), 3 * width
        self.line = Line(
            (2 * width + NUMBER_GAP / 2, lowest - 0.7 * pitch, 0),
            (right, lowest - 0.7 * pitch, 0),
            stroke_width=THIN_LINE,
            stroke_color=theme.color(QUIET),
        )
        below = zip(self.below, self.labels, strict=True)
        for line, (number, label) in enumerate(below, start=1):
            number.move_to((right, lowest - (line + 0.4) * pitch, 0), aligned_edge=RIGHT)
            label.next_to((2 * width + NUMBER_GAP / 2, number.get_y(), 0), LEFT, buff=0)


def file_width(factors: Factors, rows: Sequence[int], size: float) -> float:
    """Return how wide one of the three files is with its gap, in scene units."""
    vector, column, products = factors.vector, factors.weights.column(0), factors.products(0)
    third = [*products, dot(vector, column), factors.sums[0]]
    files = zip((vector.values, column.values, third), _decimals(factors, rows), strict=True)
    return max(widest(*each) for each in files) * em_of(size) + NUMBER_GAP


def _decimals(factors: Factors, rows: Sequence[int]) -> tuple[int, int, int]:
    """Return how many decimals each file has; weights and products need some in these rows."""
    column, products = factors.weights.column(0).values, factors.products(0)
    drawn = ([values[i] for i in rows] for values in (column, products))
    weights, terms = (decimals_for(values, 2) for values in drawn)
    return decimals_for(factors.vector.values, 2), weights, terms


def _sign(text: str, x: float, y: float) -> Words:
    return Words(text, size=SMALL_SIZE, role=QUIET).move_to((x, y, 0))


def _gap(file: VGroup, heights: Mapping[int, float]) -> VGroup:
    """Return the upright ellipsis of a file where entries are left out, if they are."""
    (above, upper), (last, lower) = list(heights.items())[-2:]
    if last == above + 1:
        return VGroup()
    dots = Words("…", size=SMALL_SIZE).rotate(-np.pi / 2)
    return VGroup(dots.move_to((file.get_x(), (upper + lower) / 2, 0)))


def _labels(entries: int, role: Role) -> VGroup:
    """Return what the three lines below are called."""
    size = SMALL_SIZE
    total = Words("sum of all {}", count(entries, "products"), size=size, role=QUIET)
    return VGroup(
        total, Words("bias", size=size, role=QUIET), Words("result", size=size, role=role)
    )
