"""Many discs as one path, cheap to move and to draw. It knows nothing of what they stand for."""

from __future__ import annotations

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.theme import INK, Role

QUARTER = 4 / 3 * np.tan(np.pi / 8)  # handle of the cubic curve nearest to a quarter of a circle


class Discs(VMobject):
    """Discs at centres (n, 2) with radii (n,), in scene units; one of no size is left out."""

    def __init__(
        self, centers: NDArray[np.float64], radii: NDArray[np.float64], role: Role = INK
    ) -> None:
        super().__init__(stroke_width=0, fill_color=theme.color(role), fill_opacity=1)
        seen = radii > 0
        flat = _unit_circle()[None] * radii[seen, None, None]  # (n, 16, 2)
        flat = flat + centers[seen, None]
        self.points = np.pad(flat.reshape(-1, 2), ((0, 0), (0, 1)))


def radius_for(weight: NDArray[np.float32] | float, largest: float) -> NDArray[np.float64]:
    """Return the radius whose disc has an area proportional to a weight; `largest` is for 1."""
    return largest * np.sqrt(np.clip(np.asarray(weight, dtype=np.float64), 0, None))


def _unit_circle() -> NDArray[np.float64]:
    """Return four cubic curves, end to end: (16, 2)."""
    curve = np.array([(1, 0), (1, QUARTER), (QUARTER, 1), (0, 1)])
    turn = np.array([(0, -1), (1, 0)])
    curves = [curve]
    for _ in range(3):
        curves.append(curves[-1] @ turn.T)
    return np.concatenate(curves)
