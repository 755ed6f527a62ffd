"""The first tokens under a mask, close up: scores E, then weights A. It knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manim import Animation, VGroup
from manim.constants import UP

from scenes.arrivals import Appear
from scenes.first_mobjects.future import Future
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.mobjects.text import Formula, Words
from scenes.presence import hide
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, LABEL_SIZE, QUIET, SMALLEST_SIZE

HEAD = 0.6  # kept over a grid for its name, in scene units


class NamedGrid(VGroup):
    """A grid of a tensor (n, n) whose entries have a letter; its future is hatched, with numbers.

    Where nothing is hidden stand symbols such as E with the row and the column as indices. It is
    unseen until it appears.
    """

    def __init__(
        self, values: Tensor, pieces: Sequence[str], letter: str, name: str, region: Region
    ) -> None:
        below = replace(region, top=region.top - HEAD)
        self.board = LabelledGrid(values, pieces, below)
        self.letter = letter
        self.head = Words(f"{letter}, {name}", size=LABEL_SIZE, role=QUIET)
        self.head.next_to(self.board, UP, buff=GAP).set_x(self.board.grid.get_x())
        super().__init__(self.board, self.head)
        self.scale(min(1.0, region.width / self.width)).move_to(region.center)

    def with_symbols(self, decimals: int | None = None) -> NamedGrid:
        """Set the symbols, and the numbers of the future, into the cells; then hide it all."""
        grid = self.board.grid.hold(self.board.grid.values, decimals)
        future = Future(grid)
        size = max(SMALLEST_SIZE, min(BODY_SIZE, grid.size))
        for query, key, cell in future.others():
            symbol = Formula(f"${self.letter}_({query + 1},{key + 1})$", size)
            symbol.width = min(symbol.width, grid.cell_width - HAIR)
            cell.add(symbol.move_to(cell.face))
        for query, key, cell in future:
            number = grid.plain(query, key).move_to(cell.face)
            cell.add(number)
            cell.hatch(number)
        hide(self)
        return self

    def appear(self) -> Animation:
        """Let the grid come in, with its symbols."""
        return Appear(self)

    def become_numbers(self) -> Animation:
        """Turn the symbols into the numbers."""
        grid = self.board.grid
        return grid.fill(grid.plain, Future(grid).others())
