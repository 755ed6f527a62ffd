"""One vector reached in two ways: two rows of numbers, one under the other. Knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes.first_mobjects.tile_row import RowForm, TileRow
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.theme import GAP, LABEL_SIZE, OUTPUT


class TwoRoutes(VGroup):
    """Two rows of nothing, named on their left: `rows[i]` is to come from there to `ends[i]`.

    Their tiles begin at `left`; the upper row stands at the height `high`, in scene units.
    """

    def __init__(
        self,
        names: Sequence[str],
        ends: Sequence[Sequence[Value]],
        nothing: Sequence[Value],
        form: RowForm,
        place: tuple[float, float],
    ) -> None:
        left, high = place
        self.ends = ends
        largest = max(abs(value.number) for values in ends for value in values)
        self.rows = [TileRow(nothing, form, largest, OUTPUT) for _ in ends]
        for i, row in enumerate(self.rows):
            row.shift(RIGHT * (left - row.tiles[0].get_left()[0]))
            row.shift(UP * (high - i * (form.height + GAP) - row.vector.brackets.get_y()))
        self.names = [
            Words("{}", name, size=LABEL_SIZE).next_to(row, LEFT, buff=GAP)
            for name, row in zip(names, self.rows, strict=True)
        ]
        super().__init__(*self.rows, *self.names)
