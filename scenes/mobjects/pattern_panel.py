"""An attention pattern in small: a dot for each weight, no numerals. It knows no model."""

from __future__ import annotations

import numpy as np
from manim import Square, VGroup

from scenes import theme
from scenes.mobjects.discs import Discs, radius_for
from scenes.theme import INK, PANEL, QUIET, THIN_LINE, Role
from scenes.values import Addressed

FILLED = 0.48  # radius of the disc of weight 1, as a share of its cell


class PatternPanel(VGroup):
    """A pattern (queries, keys) on a square plate of `side` scene units; area is the weight."""

    def __init__(self, pattern: Addressed, side: float, role: Role = INK) -> None:
        self.pattern = pattern
        self.plate = Square(
            side,
            stroke_width=THIN_LINE / 2,
            stroke_color=theme.color(QUIET),
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        )
        tokens = len(pattern.array)
        pitch = side / tokens
        query, key = np.indices((tokens, tokens)).reshape(2, -1)
        centers = np.stack([(key + 0.5) * pitch - side / 2, side / 2 - (query + 0.5) * pitch], 1)
        radii = radius_for(pattern.array.ravel(), FILLED * pitch)
        self.dots = Discs(centers, radii, role)
        super().__init__(self.plate, self.dots)
