"""Many squares as one path, cheap to move and to draw. It knows nothing of what they stand for."""

from __future__ import annotations

import numpy as np
from manim import Square, VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.provenance import Tensor
from scenes.theme import NEGATIVE, PANEL, POSITIVE, QUIET, THIN_LINE, Role

FILLED = 0.94  # side of the tile of the largest weight, as a share of its cell
CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2


class Tiles(VMobject):
    """Squares at centres (n, 2) with sides (n,), in scene units; one of no size is left out."""

    def __init__(
        self, centers: NDArray[np.float64], sides: NDArray[np.float64], role: Role
    ) -> None:
        super().__init__(stroke_width=0, fill_color=theme.color(role), fill_opacity=1)
        seen = sides > 0
        corners = centers[seen, None] + sides[seen, None, None] * CORNERS  # (n, 4, 2)
        along = np.linspace(0, 1, 4)[:, None]
        edges = (1 - along) * corners[:, :, None] + along * np.roll(corners, -1, 1)[:, :, None]
        self.points = np.pad(edges.reshape(-1, 2), ((0, 0), (0, 1)))


class WeightPanel(VGroup):
    """The upper left corner of a weight matrix on a square plate of `side` scene units.

    `most` rows and columns are drawn, or as many as there are; the area of a tile is the size of
    its weight, the colour tells the sign.
    """

    def __init__(self, weights: Tensor, side: float, most: int) -> None:
        self.plate = Square(
            side,
            stroke_width=THIN_LINE / 2,
            stroke_color=theme.color(QUIET),
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        )
        drawn = weights.array[:most, :most]
        largest = float(np.abs(drawn).max()) or 1.0
        row, column = np.indices(drawn.shape).reshape(2, -1)
        pitch = side / max(drawn.shape)
        centers = (
            np.stack([column, -row], 1) - np.array([drawn.shape[1] - 1, 1 - drawn.shape[0]]) / 2
        )
        sides = FILLED * pitch * np.sqrt(np.abs(drawn.ravel()) / largest)
        signs = [
            Tiles(centers * pitch, np.where(kept, sides, 0), role)
            for kept, role in ((drawn.ravel() >= 0, POSITIVE), (drawn.ravel() < 0, NEGATIVE))
        ]
        super().__init__(self.plate, *signs)
