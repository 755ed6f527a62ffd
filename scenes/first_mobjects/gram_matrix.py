"""What every two vectors of a list give each other, such as all dot products. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, Mobject, VGroup
from manim.constants import UP

from scenes import theme
from scenes.animations import Together, one_after_another
from scenes.arrivals import Fly
from scenes.first_mobjects.grid import Grid
from scenes.first_mobjects.labels import size_for
from scenes.mobjects.text import TokenText, em_of
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import HAIR, LABEL_SIZE

NAMES_SHARE = 0.22  # of the width, at most, for the names beside the rows
TALLEST_CELL, WIDEST_CELL = 0.8, 1.25  # scene units
LINE = 1.2  # from one line of names to the next, in ems


class GramMatrix(VGroup):
    """A number for every two of n names, shape (n, n), as large as `region` allows.

    `decimals` are shown, or fewer where they would not be legible.
    """

    def __init__(self, values: Tensor, names: Sequence[str], region: Region, decimals: int) -> None:
        size = size_for(names, NAMES_SHARE * region.width)
        beside = max(TokenText(name, size).width for name in names)
        width = min(WIDEST_CELL, (region.width - beside - 2 * HAIR) / len(names))
        above = size_for(names, width - HAIR)
        height = (region.height - 2 * LINE * em_of(above) - HAIR) / len(names)
        self.grid = Grid(values, width, min(TALLEST_CELL, height)).hold(values, decimals)
        size = min(size, LABEL_SIZE * self.grid.cell_height / (LINE * em_of(LABEL_SIZE)))
        self.rows = [TokenText(name, size) for name in names]
        self.columns = [TokenText(name, above) for name in names]
        self._set_sides()
        super().__init__(*self.rows, *self.columns, self.grid)
        self.move_to(region.center)

    def name_sides(self, chips: Sequence[Mobject]) -> Animation:
        """Let each of n chips give its name to a column and to a row."""
        columns = one_after_another(map(Fly, self.columns, chips))
        # The last row first: a name that has come to rest is crossed by none.
        rows = one_after_another(map(Fly, self.rows[::-1], chips[::-1]))
        return Together([columns, rows])

    def turn_into(self, values: Tensor, decimals: int) -> Animation:
        """Turn every number into another one, and tint its cell by that."""
        self.grid.hold(values, decimals)
        for query, key, cell in self.grid.all():
            cell.face.set_fill(theme.color(self.grid.sign(query, key)))
        return self.grid.become_numbers()

    def _set_sides(self) -> None:
        line = LINE * self.columns[0].em
        crowded = any(name.width > self.grid.cell_width - HAIR for name in self.columns)
        for i, (row, column) in enumerate(zip(self.rows, self.columns, strict=True)):
            cell = self.grid.cell(i, i).face
            row.shift((self.grid.get_left()[0] - HAIR - row.get_right()[0], 0, 0))
            row.shift(UP * (cell.get_y() - 0.25 * row.em))
            lift = HAIR + 0.25 * column.em + (line if crowded and i % 2 == 0 else 0)
            column.set_x(cell.get_x()).shift(UP * (self.grid.get_top()[1] + lift))
