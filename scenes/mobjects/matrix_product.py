"""A matrix times a matrix, all three in true proportions. It knows nothing of their use.

The rows of the product are level with those of the left factor, its columns stand under those of
the right one, so that the place of an entry says which row meets which column:

    product = MatrixProduct(x, w_q, q, film.stage)
    yield Appear(product.left), Appear(product.right)
    yield Flow(ComeFrom(row, product.left.row(i)) for i, row in enumerate(product.result.rows))
"""

from __future__ import annotations

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, UP

from scenes import theme
from scenes.mobjects.matrix import Area
from scenes.mobjects.vector import Heat
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import BOLD_LINE, GAP, QUIET, Role


class RowArea(VGroup):
    """A matrix (rows, columns) in true proportions, each row a body of its own.

    `unit` scene units are one entry's side. Parts: `rows`, each a picture of its numbers, and
    `outline`. `largest` is the number with the strongest fill, by default the largest here.
    """

    def __init__(
        self,
        values: Tensor,
        unit: float,
        *,
        role: Role | None = None,
        outline: Role = QUIET,
        largest: float = 0.0,
    ) -> None:
        array, self.unit = values.array, unit
        largest = largest or float(np.abs(array).max())
        size = unit * array.shape[1], unit
        self.rows = VGroup(*(Heat(row, size, role, largest) for row in array))
        self.outline = Rectangle(
            width=size[0],
            height=unit * len(array),
            stroke_width=BOLD_LINE / 2,
            stroke_color=theme.color(outline),
        )
        for place, row in enumerate(self.rows):
            row.move_to(self.outline.get_top() + (place + 0.5) * unit * DOWN)
        super().__init__(self.rows, self.outline)

    def row(self, place: int) -> VGroup:
        """Return the picture of a row."""
        row = self.rows[place]
        assert isinstance(row, VGroup)
        return row

    def band(self, place: int) -> Rectangle:
        """Return the box of a row, a place that is on no stage."""
        box = Rectangle(width=self.outline.width, height=self.outline.height / len(self.rows))
        return box.align_to(self.outline, UP).shift(place * box.height * DOWN).match_x(self.outline)


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
        self.left = RowArea(left, self.unit, role=roles[0], outline=outlines[0])
        self.right = Area(right, self.unit, role=roles[1], outline=outlines[1])
        self.result = RowArea(result, self.unit, role=roles[2], outline=outlines[2])
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
