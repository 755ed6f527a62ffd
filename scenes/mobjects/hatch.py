"""Hatching: marks what nobody may look at, so that colour is not the only sign of it."""

from __future__ import annotations

import numpy as np
from manim import VMobject

from scenes import theme
from scenes.theme import QUIET, THIN_LINE

PITCH = 0.13  # between two lines, in scene units
OPACITY = 0.55


class Hatch(VMobject):
    """Diagonal lines that fill a rectangle of `width` x `height`, but for a window in its middle.

    One path. The window, as high as the rectangle and `window` scene units wide, keeps the lines
    from crossing what stands there.
    """

    def __init__(self, width: float, height: float, window: float) -> None:
        super().__init__(
            stroke_width=THIN_LINE / 2, stroke_color=theme.color(QUIET), stroke_opacity=OPACITY
        )
        half, free = width / 2, min(window, width) / 2
        for left, right in ((-half, -free), (free, half)):
            for start, end in _diagonals(left, right, height):
                self.start_new_path(start)
                self.add_line_to(end)


def _diagonals(left: float, right: float, height: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the pieces, inside a rectangle, of lines that rise at 45 degrees."""
    pieces = []
    for at in np.arange(left - height + PITCH / 2, right, PITCH):
        start, end = max(at, left), min(at + height, right)
        if end - start > PITCH / 4:
            low = -height / 2
            pieces.append(
                (np.array((start, low + start - at, 0)), np.array((end, low + end - at, 0)))
            )
    return pieces
