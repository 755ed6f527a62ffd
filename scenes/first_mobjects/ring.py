"""A ring around what is pointed at. It knows nothing of what stands in it."""

from __future__ import annotations

from manim import Mobject, SurroundingRectangle

from scenes import theme
from scenes.theme import BOLD_LINE, INK, Role


class Ring(SurroundingRectangle):
    """A bold line around a mobject, `buff` scene units off; `corner` is the radius of corners."""

    def __init__(
        self, around: Mobject, buff: float = 0.0, role: Role = INK, corner: float = 0.0
    ) -> None:
        super().__init__(
            around,
            color=theme.color(role),
            stroke_width=BOLD_LINE,
            buff=buff,
            corner_radius=corner,
        )
