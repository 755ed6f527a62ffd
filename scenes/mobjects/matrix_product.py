"""A matrix times a matrix, all three in true proportions. It knows nothing of their use.

The rows of the product are level with those of the left factor, its columns stand under those of
the right one, so that the place of an entry says which row meets which column:

    product = MatrixProduct(x, w_q, q, film.stage)
    yield Appear(product.left), Appear(product.right)
    yield Flow(ComeFrom(row, product.left.row(i)) for i, row in enumerate(product.result.rows))
"""

from __future__ import annotations

from manim import Rectangle, VGroup
from manim.constants import LEFT, UP

from scenes.mobjects.matrix import Area
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import GAP, QUIET, Role


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
