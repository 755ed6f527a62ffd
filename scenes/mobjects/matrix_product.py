"""A matrix times a matrix, all three in true proportions. It knows nothing of their use.

The rows of the product are level with those of the left factor, its columns stand under those of
the right one, so that the place of an entry says which row meets which column:

    product = MatrixProduct(x, w_q, q, film.stage)
    yield Appear(product.left), Appear(product.right)
    yield Flow(ComeFrom(row, product.left.row(i)) for i, row in enumerate(product.result.rows))
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import LEFT, UP

from scenes.mobjects.marks import Hatch
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import TokenText, em_of
from scenes.mobjects.tokens import PADDING, Chip
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import GAP, LEAST_SIZE, QUIET, SPOKEN_SIZE, Role

WIDEST = 2.4  # scene units, a word beside its row


class MatrixProduct(VGroup):
    """Two matrices (rows, inner) and (inner, columns) and their product, as large as fits.

    Parts: `left` and `result`, whose rows are bodies of their own, and `right`. `roles` are
    theirs in the order left, right, result; None colours numbers by their signs. All have one
    `unit`, the side of an entry in scene units.
    """

    def __init__(
        self,
        left: Tensor,
        right: Tensor,
        result: Tensor,
        region: Region,
        *,
        roles: tuple[Role | None, Role | None, Role | None] = (None, None, None),
    ) -> None:
        (rows, inner), columns = left.array.shape, right.shape[1]
        gap = 2 * GAP
        across = (region.width - gap) / (inner + columns)
        self.unit = min(across, (region.height - gap) / (inner + rows))
        outlines = [role or QUIET for role in roles]
        self.left = Area(left, self.unit, strips=rows, role=roles[0], outline=outlines[0])
        self.right = Area(right, self.unit, role=roles[1], outline=outlines[1])
        self.result = Area(result, self.unit, strips=rows, role=roles[2], outline=outlines[2])
        self.left.next_to(self.result, LEFT, buff=gap)
        self.right.next_to(self.result, UP, buff=gap)
        super().__init__(self.left, self.right, self.result)
        self.move_to(region.center)

    def column(self, place: int) -> Rectangle:
        """Return the box of a column of the right factor, a place that is on no stage."""
        box = Rectangle(width=self.unit, height=self.right.outline.height)
        corner = self.right.outline.get_left()
        return box.move_to(corner + ((place + 0.5) * self.unit, 0, 0))

    def entry(self, row: int, column: int) -> Rectangle:
        """Return the box of an entry of the product, a place that is on no stage."""
        box = Rectangle(width=self.unit, height=self.unit)
        return box.move_to((self.column(column).get_x(), self.result.band(row).get_y(), 0))


def words_beside(area: Area, pieces: Sequence[str], region: Region) -> list[TokenText]:
    """Return the words of a text, each left of its row; none where there is no room for them.

    The area has a strip for each word.
    """
    size = 0.9 * area.band(0).height / em_of(1)
    widest = min(WIDEST, float(area.get_left()[0]) - region.left - GAP)
    if size < 0.85 * LEAST_SIZE or widest < WIDEST / 2:
        return []
    size = float(np.clip(size, LEAST_SIZE, SPOKEN_SIZE))
    words = [Chip(piece, size, widest=widest + 2 * PADDING * em_of(size)).label for piece in pieces]
    for place, word in enumerate(words):
        word.next_to(area.band(place), LEFT, buff=GAP).set_y(area.band(place).get_y())
    return words


def hatched_future(area: Area) -> VGroup:
    """Return the hatching of what comes later, row by row, in a square of queries by keys."""
    unit, places = area.band(0).height, range(len(area.rows))
    corner = area.outline.get_corner(UP + LEFT)
    hatching = VGroup()
    for row in places[:-1]:
        future = Rectangle(width=unit * (len(places) - 1 - row), height=unit)
        at = corner + ((row + 1) * unit, -row * unit, 0)
        hatching.add(Hatch(future.move_to(at, aligned_edge=UP + LEFT)))
    return hatching
