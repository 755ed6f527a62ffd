"""Shares side by side in the rows of an attention grid, which part into its cells.

strips = Strips(pattern, board)
yield Flow(Flow(map(Appear, row)) for row in strips), strips.part(strips)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup, VMobject
from manim.constants import PI, UP

from scenes import theme
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import SEAM, set_slab, slab
from scenes.mobjects.outlines import discs
from scenes.mobjects.signs import ink_on_fill, strength
from scenes.mobjects.text import TokenText
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import HAIR, POSITIVE, QUICK, SPOKEN_SIZE, STEADY
from scenes.verbs import Become, Flow, Verb

HIGHEST = 1.5  # times a row of the board, one of shares, at most
STRIP = 0.8  # of a row's height, for its shares side by side


class Strips(VGroup):
    """Every query's weights side by side along its row of a board: each row is as long.

    The last one's are not made: they come from a column. `boxes` are where all rows stand, up to
    a `top`, and `lifts` how far that is over the board's; `names`, by row, stand in those pieces
    that have room for them.
    """

    def __init__(self, weights: Tensor, board: AttentionGrid, top: float) -> None:
        self.weights, self.board = weights, board
        left, side, rows = float(board.origin[0]), board.side, range(len(weights))
        cells = [float(board.center_of(row, 0)[1]) for row in rows]
        low = cells[-1] - side / 2
        pitch = max(side, min(HIGHEST * side, (top - low) / len(weights)))
        levels = [low + (row + 0.5) * pitch for row in reversed(rows)]
        self.lifts = [(up - cell) * UP for up, cell in zip(levels, cells, strict=True)]
        high, right = STRIP * pitch / 2, left + len(weights) * board.wide
        self.boxes = [Region(left, right, level - high, level + high) for level in levels]
        self.names = [list(self._names(row)) for row in rows]
        super().__init__(*(self._row(row) for row in rows[:-1]))

    def part(self, rows: Sequence[Sequence[VMobject]]) -> Verb:
        """Let the pieces of every row go to their keys' columns, and be discs there."""
        parted = (
            [Become(piece, self._disc(piece, row, key)) for key, piece in enumerate(pieces)]
            for row, pieces in enumerate(rows)
        )
        return Flow((Flow(pieces, QUICK) for pieces in parted), STEADY)

    def _pieces(self, row: int) -> Iterator[tuple[float, float, float]]:
        """Return how much a row gives to each key, and where along the row that is."""
        box, shares = self.boxes[row], self.weights[row].double[: row + 1]
        ends = (box.left + box.width * np.cumsum([0.0, *shares]) / shares.sum()).tolist()
        return zip(shares.tolist(), ends[:-1], ends[1:], strict=True)

    def _row(self, row: int) -> VGroup:
        box, pieces = self.boxes[row], VGroup()
        for share, left, right in self._pieces(row):
            piece = slab(strength(share, 1.0), SEAM).set_fill(theme.color(POSITIVE))
            set_slab(piece, (left, box.bottom, right, box.top))
            pieces.add(piece)
        return pieces

    def _names(self, row: int) -> Iterator[TokenText]:
        box = self.boxes[row]
        for token, (share, left, right) in zip(self.board.pieces, self._pieces(row), strict=False):
            name = TokenText(token, SPOKEN_SIZE)
            name.move_to(((left + right) / 2, box.center[1], 0))
            if name.width + 2 * HAIR < right - left and name.em < box.height:
                yield name.set_color(ink_on_fill(share, 1.0))

    def _disc(self, piece: VMobject, row: int, key: int) -> VMobject:
        """Return a disc in a cell, its area the weight, as a twin of a piece."""
        radius = self.board.dot_radius(self.weights[row, key].value.number)
        twin, middle = piece.copy(), self.board.center_of(row, key)
        twin.points = discs(middle[None, :2], np.array([radius]))
        is_turned = piece.points[0][0] > piece.get_x()  # its first corner is not its lower left
        twin.rotate(-PI / 4 if is_turned else -3 * PI / 4, about_point=middle)
        return twin.set_fill(opacity=1.0)
