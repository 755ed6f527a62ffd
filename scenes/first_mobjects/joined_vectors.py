"""Vectors end to end, on end, beside the matrices that each of them meets. No numerals, no model.

`head_stack` has the matrices; together they are one product, or one product a head.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Mobject, Rectangle, VGroup
from manim.constants import RIGHT, UP

from scenes import theme
from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly, Sweep
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.matrix import FAINTEST, WeightMatrix
from scenes.mobjects.text import Formula
from scenes.presence import hide
from scenes.provenance import Tensor
from scenes.theme import GAP, LABEL_SIZE, STEADY, STRONGEST_FILL, VALUE

WIDTH = 0.35  # scene units


class JoinedVectors(VGroup):
    """A column of tiles for each vector (K,), at the heights of the weights (K, D) that it meets.

    Their middle stands at `x`, left of `strips`. All is unseen until it is revealed.
    """

    def __init__(self, vectors: Sequence[Tensor], strips: Sequence[WeightMatrix], x: float) -> None:
        self.columns = self._columns(vectors, strips)
        whole = VGroup(*self.columns).set_x(x)
        self.brackets = bracket_pair(whole, VALUE)
        self.symbol = Formula(f"${VALUE.value}(z)$", LABEL_SIZE).next_to(whole, UP, buff=GAP)
        first, last = (strips[0].column(strips[0].columns[i]).get_x() for i in (0, -1))
        self.way = RIGHT * (last - first)
        self.passing = whole.copy().set_x(first)
        super().__init__(whole, self.brackets, self.symbol, self.passing)
        hide(self)

    def reveal(self, source: Mobject) -> Animation:
        """Let the vectors come from what they belong to, end to end."""
        comes = one_after_another(Fly(column, source) for column in self.columns)
        return Together([comes, Fade(self.brackets, 1.0, STEADY), Appear(self.symbol)])

    def pass_over(self, run_time: float) -> Animation:
        """Let all of them pass over the columns of the matrices at once."""
        return Sweep(self.passing, self.way, run_time)

    def pass_one_by_one(self, turns: Sequence[float]) -> Animation:
        """Let one after another pass over its own matrix, each in so many seconds."""
        return Together(
            (Sweep(part, self.way, turn) for part, turn in zip(self.passing, turns, strict=True)),
            lag_ratio=1.0,
        )

    @staticmethod
    def _columns(vectors: Sequence[Tensor], strips: Sequence[WeightMatrix]) -> list[VGroup]:
        largest = max(float(np.abs(vector.array).max()) for vector in vectors) or 1.0
        columns = []
        for strip, vector in zip(strips, vectors, strict=True):
            column = VGroup()
            for row in strip.rows:
                share = (float(vector.array[row]) / largest + 1) / 2
                tile = Rectangle(
                    width=WIDTH,
                    height=strip.tile(row, strip.columns[0]).height,
                    stroke_width=0,
                    fill_color=theme.color(VALUE),
                    fill_opacity=FAINTEST + (STRONGEST_FILL - FAINTEST) * share,
                )
                column.add(tile.set_y(strip.tile(row, strip.columns[0]).get_y()))
            columns.append(column)
        return columns
