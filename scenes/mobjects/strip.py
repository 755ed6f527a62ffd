"""A vector as a narrow upright strip of shades, cheap to move and to draw. It shows no numerals."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.matrix import FAINTEST
from scenes.theme import STRONGEST_FILL, Role
from scenes.values import Tensor

LEVELS = 8  # shades, each drawn as one path


class Strip(VGroup):
    """Entries of a vector (n,) from the top down, `width` times `height` scene units in all.

    The shade goes from nearly the background at `-largest` to the full colour at `largest`, as in
    a `DataMatrix`, in `LEVELS` steps.
    """

    def __init__(
        self, vector: Tensor, width: float, height: float, role: Role, largest: float
    ) -> None:
        self.vector = vector
        tops = height / 2 - np.arange(len(vector)) * height / len(vector)
        levels = shade_levels(vector.array, largest)
        super().__init__(
            *(
                _boxes(tops[levels == level], width, height / len(vector), level, role)
                for level in np.unique(levels)
            )
        )


def shade_levels(numbers: NDArray[np.float32], largest: float) -> NDArray[np.int_]:
    """Return the shade of each number, 0 to LEVELS - 1."""
    share = (np.asarray(numbers, dtype=np.float64) / (largest or 1.0) + 1) / 2
    return np.clip(np.rint(share * (LEVELS - 1)), 0, LEVELS - 1).astype(int)


def _boxes(
    tops: NDArray[np.float64], width: float, height: float, level: int, role: Role
) -> VMobject:
    """Return boxes of one shade as one path."""
    opacity = FAINTEST + (STRONGEST_FILL - FAINTEST) * level / (LEVELS - 1)
    boxes = VMobject(stroke_width=0, fill_color=theme.color(role), fill_opacity=opacity)
    for top in tops:
        corners = [
            (x, y, 0.0)
            for x, y in (
                (-width / 2, top),
                (width / 2, top),
                (width / 2, top - height),
                (-width / 2, top - height),
            )
        ]
        boxes.start_new_path(np.array(corners[0]))
        boxes.add_points_as_corners([np.array(corner) for corner in (*corners[1:], corners[0])])
    return boxes
