"""A vector as a narrow upright strip of shades, cheap to move and to draw. It shows no numerals."""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.first_mobjects.discs import Discs
from scenes.first_mobjects.matrix import FAINTEST
from scenes.provenance import Tensor
from scenes.theme import QUIET, STRONGEST_FILL, Role

LEVELS = 8  # shades, each drawn as one path
THINNEST = 0.02  # height of an entry, in scene units; where they were thinner, some are left out
GAP_ROWS = 3  # entries' heights, where some are left out


class Strip(VGroup):
    """Entries of a vector (n,) from the top down, `width` times `height` scene units in all.

    Of more entries than can be told apart, the first ones and the last ones are drawn, with dots
    in the middle; the height stays that of all.

    The shade goes from nearly the background at `-largest` to the full colour at `largest`, as in
    a `DataMatrix`, in `LEVELS` steps.
    """

    def __init__(
        self, vector: Tensor, width: float, height: float, role: Role, largest: float
    ) -> None:
        self.vector = vector
        self.shown, places = _shown(len(vector), int(height / THINNEST))
        entry = height / (places[-1] + 1)
        tops = height / 2 - places * entry
        levels = shade_levels(vector.array[self.shown], largest)
        super().__init__(
            *(
                _boxes(tops[levels == level], width, entry, level, role)
                for level in np.unique(levels)
            )
        )
        if len(self.shown) < len(vector):
            self.add(_dots(GAP_ROWS * entry))


def _shown(length: int, most: int) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return which entries are drawn, and the places, counted from the top, that they stand in."""
    every = np.arange(length)
    if length <= most:
        return every, every
    half = max(1, (most - GAP_ROWS) // 2)
    places = np.concatenate([every[:half], every[:half] + half + GAP_ROWS])
    return np.concatenate([every[:half], every[-half:]]), places


def _dots(pitch: float) -> Discs:
    """Return three dots side by side, for what is left out."""
    across = np.array([(-pitch, 0), (0, 0), (pitch, 0)])
    return Discs(across, np.full(3, pitch / 4), QUIET)


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
