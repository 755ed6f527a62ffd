"""Values beside their weights, scaled by them and added up. It knows one row of a pattern."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Line, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Exchange, Together, one_after_another
from scenes.arrivals import Appear, Fly, put_back
from scenes.first_mobjects.discs import Discs, radius_for
from scenes.first_mobjects.labels import size_for
from scenes.first_mobjects.tile_row import TileRow, row_form
from scenes.mobjects.text import Formula, Number, TokenText, Words, em_of
from scenes.provenance import Tensor, Value, dot
from scenes.region import Region
from scenes.theme import (
    BODY_SIZE,
    GAP,
    HAIR,
    LABEL_SIZE,
    QUIET,
    SLOW,
    SMALL_SIZE,
    STEADY,
    THIN_LINE,
    VALUE,
)

NAMES_SHARE = 0.2  # of the width, at most, for the names
HIGHEST_ROW = 0.78  # scene units
HEADS_ROOM = 1.5 * em_of(SMALL_SIZE)  # for the words over the columns
SUM_ROOM = 1.5  # of a row's height, for the sum and its line
SOURCES_BUDGET = 3.2  # seconds for all rows to be scaled


class WeightedSource(VGroup):
    """One token's part: its name, the weight as a disc and a number, and its value."""

    def __init__(self, piece: str, weight: Value, row: TileRow, size: float, height: float) -> None:
        self.weight, self.row = weight, row
        self.token = TokenText(piece, size)
        self.number = Number(weight, 2, size)
        radius = radius_for(np.array([weight.number]), 0.44 * height)
        self.disc = Discs(np.zeros((1, 2)), np.maximum(radius, 1e-3))
        super().__init__(self.token, self.disc, self.number, row)


class WeightedValues(VGroup):
    """Weights (T,), values (T, K) and their sum, a row each, as large as `region` allows.

    Only the tokens of `pieces`, the first ones, have a row: the weights of the others are zero.
    `sources[j]` belongs to token j, `total` is the sum's row, at zero until it is added up.
    """

    def __init__(
        self, weights: Tensor, values: Tensor, pieces: Sequence[str], region: Region
    ) -> None:
        rows, entries = len(pieces), values.shape[1]
        height = min(HIGHEST_ROW, (region.height - HEADS_ROOM) / (rows + SUM_ROOM))
        names = NAMES_SHARE * region.width
        size = min(size_for(pieces, names), LABEL_SIZE * height / (1.35 * em_of(LABEL_SIZE)))
        numbers = [value for j in range(rows) for value in values[j].values]
        disc, weight = height + HAIR, Number(weights[0].value, 2, size).width + 2 * GAP
        label = max(TokenText(piece, size).width for piece in pieces) + GAP
        self.sums = [dot(weights, values.column(k)) for k in range(entries)]
        numbers += self.sums
        self.form = row_form(numbers, entries, region.width - label - disc - weight, height)
        self.scaled = [[weights[j].value * v for v in values[j].values] for j in range(rows)]
        self._make(weights, values, pieces, size)
        self._place((label, disc, weight), height)
        super().__init__(self.heads, *self.sources, self.line, self.total, self.symbol)
        self.move_to(region.center)

    def reveal_sources(self, cells: VGroup, chips: VGroup) -> Animation:
        """Let the weights come from the cells of the pattern and the names from the chips."""
        moves = []
        for source, cell, chip in zip(self.sources, cells, chips, strict=False):
            moves += [
                Together(
                    [Fly(source.token, chip), Fly(source.disc, cell), Fly(source.number, cell)]
                )
            ]
        return Together([Appear(self.heads[0]), one_after_another(moves)])

    def reveal_values(self) -> Animation:
        """Let each value come in beside its weight."""
        rows = one_after_another(Appear(source.row) for source in self.sources)
        return Together([Appear(self.heads[1]), rows])

    def reveal_total(self) -> Animation:
        """Let the sum's place come in, at zero."""
        return Together(map(Appear, (self.line, self.symbol, self.total)))

    def scale_values(self) -> Animation:
        """Let every weight scale its value: numbers and tiles shrink to that share.

        What stands over them is no value any more.
        """
        moves = [
            source.row.count_to(scaled, STEADY)
            for source, scaled in zip(self.sources, self.scaled, strict=True)
        ]
        weight, value = self.heads
        product = Words("weight \N{MULTIPLICATION SIGN} value", size=SMALL_SIZE, role=QUIET)
        product.move_to(value).align_to(weight, DOWN)
        renamed = Exchange(self.heads, value, product)
        return Together([renamed, one_after_another(moves, budget=SOURCES_BUDGET)])

    def add_up(self) -> Animation:
        """Let the sum run through all rows; a row that has been added recedes."""
        time = 2 * SLOW
        each = time / len(self.sources)
        recede = Together((put_back([row], each) for row in self.sources), lag_ratio=1.0)
        return Together([self.total.add_up(self.scaled, self.sums, time), recede])

    def _make(self, weights: Tensor, values: Tensor, pieces: Sequence[str], size: float) -> None:
        largest = float(np.abs(values.array[: len(pieces)]).max())
        self.sources = [
            WeightedSource(
                piece,
                weights[j].value,
                TileRow(values[j].values, self.form, largest),
                size,
                self.form.height,
            )
            for j, piece in enumerate(pieces)
        ]
        nothing = [value - value for value in values[0].values]
        self.total = TileRow(nothing, self.form, largest)
        self.symbol = Formula(f"${VALUE.value}(z)$", BODY_SIZE)
        self.line = Line(stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        self.heads = VGroup(
            *(Words("{}", word, size=SMALL_SIZE, role=QUIET) for word in ("weight", "value"))
        )

    def _place(self, widths: tuple[float, float, float], height: float) -> None:
        """Set the columns: names to the right edge of theirs, then discs, weights, values."""
        label, disc, weight = widths
        left = label + disc + weight
        for j, source in enumerate(self.sources):
            y = -j * height
            baseline = y - 0.25 * source.number.em
            source.token.shift(RIGHT * (label - GAP - source.token.get_right()[0]) + UP * baseline)
            source.disc.move_to((label + disc / 2, y, 0))
            source.number.shift(RIGHT * (left - GAP - source.number.get_right()[0]) + UP * baseline)
            _stand(source.row, left, y)
        below = -(len(self.sources) - 1 + SUM_ROOM) * height
        _stand(self.total, left, below)
        self.symbol.next_to(self.total, LEFT, buff=GAP)
        rule = below + 0.72 * height
        self.line.put_start_and_end_on((left, rule, 0), (self.total.get_right()[0], rule, 0))
        first = self.sources[0]
        for head, under in zip(self.heads, (first.number, first.row), strict=True):
            head.shift(RIGHT * (under.get_x() - head.get_x()) + UP * (0.5 * height + 1.5 * HAIR))
        self.heads[0].align_to(first.number, RIGHT)


def _stand(row: TileRow, left: float, y: float) -> None:
    row.shift(RIGHT * (left - row.get_left()[0]) + UP * (y - row.vector.brackets.get_y()))
