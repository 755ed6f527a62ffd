"""Matrices as bare rectangles, all to one scale: an entry has the same area. Knows no numbers."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT

from scenes import theme
from scenes.theme import INK

FILL = 0.45  # opacity: an area to compare, not a number


class ToScale(VGroup):
    """Rectangles of (rows, columns) on their sides, the longest `width` scene units long.

    They stand one under the other, `gap` apart, so that there is room for their names.
    """

    def __init__(self, shapes: Sequence[tuple[int, int]], width: float, gap: float) -> None:
        unit = width / max(rows for rows, _ in shapes)
        super().__init__(*(lying(rows * unit, columns * unit) for rows, columns in shapes))
        self.arrange(DOWN, buff=gap, aligned_edge=LEFT)


def lying(length: float, height: float) -> Rectangle:
    """Return the plain rectangle that stands for a matrix, in scene units."""
    return Rectangle(
        width=length,
        height=height,
        stroke_width=0,
        fill_color=theme.color(INK),
        fill_opacity=FILL,
    )
