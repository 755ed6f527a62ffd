"""The cells of a grid whose key comes after their query; it does not know why they are hidden."""

from __future__ import annotations

from collections.abc import Iterator

from manim import Animation

from scenes.animations import Tint, Together, one_after_another
from scenes.mobjects.grid import Cell, Grid
from scenes.theme import SLOW


class Future:
    """What no query of a grid may look at, cell by cell, row by row."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def __iter__(self) -> Iterator[tuple[int, int, Cell]]:
        return ((query, key, cell) for query, key, cell in self.grid.all() if key > query)

    def become_weights(self) -> Animation:
        """Turn these cells, one after another, into the weights that the grid holds now."""
        return one_after_another(
            (
                cell.receive(self.grid.weight(query, key).move_to(cell.face))
                for query, key, cell in self
            ),
            2 * SLOW,
        )

    def become_hidden(self) -> Animation:
        """Turn them into the numbers that the grid holds now, minus infinity, and hatch them."""
        return one_after_another((self._hide(*each) for each in self), 2 * SLOW)

    def stand_hatched(self) -> None:
        """Hatch them at once."""
        for _, _, cell in self:
            cell.hatch()

    def _hide(self, query: int, key: int, cell: Cell) -> Animation:
        number = self.grid.number(query, key).move_to(cell.face)
        return Together([cell.receive(number), Tint(cell.face, 0.0), cell.hatch()])
