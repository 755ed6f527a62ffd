"""Hatching: marks what nobody may look at, so that colour is not the only sign of it.

It knows nothing of what it hides.
"""

from __future__ import annotations

import numpy as np
from manim import VMobject

from scenes import theme
from scenes.region import Region
from scenes.theme import QUIET, THIN_LINE

PITCH = 0.13  # between two lines, in scene units
OPACITY = 0.55


class Hatch(VMobject):
    """Diagonal lines that fill a rectangle of `width` x `height`, but for a window in its middle.

    One path. The window, of (width, height) in scene units, keeps lines from crossing what stands
    there.
    """

    def __init__(self, width: float, height: float, window: tuple[float, float]) -> None:
        super().__init__(
            stroke_width=THIN_LINE / 2, stroke_color=theme.color(QUIET), stroke_opacity=OPACITY
        )
        half, high = width / 2, height / 2
        free, low = min(window[0] / 2, half), min(window[1] / 2, high)
        sides = Region(-half, -free, -high, high), Region(free, half, -high, high)
        middle = Region(-free, free, low, high), Region(-free, free, -high, -low)
        for region in (*sides, *middle):
            for at in np.arange(-half - high, half + high, PITCH):
                self._rise_from(float(at), region)

    def _rise_from(self, at: float, region: Region) -> None:
        """Draw the piece inside a region of the line y = x - at."""
        start = max(region.left, region.bottom + at)
        end = min(region.right, region.top + at)
        if end - start > PITCH / 4:
            self.start_new_path(np.array((start, start - at, 0)))
            self.add_line_to(np.array((end, end - at, 0)))
