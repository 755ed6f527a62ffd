"""The cells of a grid that look ahead, and those that look back. It knows no reason for either."""

from __future__ import annotations

from collections.abc import Iterator

from manim import Animation

from scenes.animations import Tint, Together, one_after_another
from scenes.first_mobjects.grid import Cell, Grid
from scenes.theme import SLOW


class Future:
    """The cells of a grid whose key comes after their query, row by row."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid

    def __iter__(self) -> Iterator[tuple[int, int, Cell]]:
        return ((query, key, cell) for query, key, cell in self.grid.all() if key > query)

    def others(self) -> Iterator[tuple[int, int, Cell]]:
        """Yield the cells whose key is the query's own or comes before it."""
        return ((query, key, cell) for query, key, cell in self.grid.all() if key <= query)

    def row(self, query: int) -> list[Cell]:
        """Return the cells of one query that look ahead."""
        return self.grid.cells[query][query + 1 :]

    def stand_hatched(self) -> None:
        """Hatch them at once, as if the numbers that the grid holds now had become hidden."""
        for query, key, cell in self:
            cell.hatch(self.grid.number(query, key).move_to(cell.face))

    def become_hidden(self) -> Animation:
        """Turn them into the numbers that the grid holds now, minus infinity, and hatch them."""
        return one_after_another((self._hide(*each) for each in self), 2 * SLOW)

    def _hide(self, query: int, key: int, cell: Cell) -> Animation:
        number = self.grid.number(query, key).move_to(cell.face)
        return Together([cell.receive(number), Tint(cell.face, 0.0), cell.hatch(number)])
