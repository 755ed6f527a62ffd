"""An attention pattern in small: a dot for each weight, no numerals. It knows no model."""

from __future__ import annotations

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, UP

from scenes import theme
from scenes.first_mobjects.discs import Discs, radius_for
from scenes.provenance import Tensor
from scenes.theme import BOLD_LINE, HAIR, INK, PANEL, QUERY, QUIET, THIN_LINE, Role

FILLED = 0.48  # radius of the disc of weight 1, as a share of its cell


class PatternPanel(VGroup):
    """A pattern (queries, keys) on a plate of `side` scene units; area is the weight.

    With a `height` of its own the plate is a rectangle, and the discs fit its cells' shorter side.
    """

    def __init__(
        self, pattern: Tensor, side: float, role: Role = INK, height: float | None = None
    ) -> None:
        self.pattern, self.role = pattern, role
        tall = side if height is None else height
        self.plate = Rectangle(
            width=side,
            height=tall,
            stroke_width=THIN_LINE / 2,
            stroke_color=theme.color(QUIET),
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        )
        queries, keys = pattern.array.shape
        pitch = np.array([side / keys, -tall / queries])
        query, key = np.indices((queries, keys)).reshape(2, -1)
        centers = (np.stack([key, query], 1) + 0.5) * pitch - np.array([side, -tall]) / 2
        radii = radius_for(pattern.array.ravel(), FILLED * float(np.abs(pitch).min()))
        self.dots = Discs(centers, radii, role)
        super().__init__(self.plate, self.dots)

    def row(self, query: int) -> Discs:
        """Return the discs of a query's row once more, where the panel stands now."""
        queries, keys = self.pattern.array.shape
        cell = np.array([self.plate.width / keys, -self.plate.height / queries])
        corner = self.plate.get_corner(UP + LEFT)[:2]
        places = np.stack([np.arange(keys), np.full(keys, query)], 1) + 0.5
        radii = radius_for(self.pattern.array[query], FILLED * float(np.abs(cell).min()))
        return Discs(corner + places * cell, radii, self.role)

    def ring(self, query: int, gap: float = HAIR) -> Rectangle:
        """Return a frame around a query's row, where the panel stands now, `gap` wider at most."""
        line = self.plate.height / len(self.pattern.array)
        frame = Rectangle(
            width=self.plate.width + min(line, HAIR, gap),
            height=line,
            stroke_width=BOLD_LINE,
            stroke_color=theme.color(QUERY),
        )
        return frame.move_to(self.plate.get_top() + DOWN * (query + 0.5) * line)
