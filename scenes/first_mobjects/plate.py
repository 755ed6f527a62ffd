"""The ground on which things stand out. It knows nothing of what stands on it."""

from manim import RoundedRectangle

from scenes import theme
from scenes.theme import CORNER, PANEL


class Plate(RoundedRectangle):
    """An opaque panel with rounded corners; sizes in scene units."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(
            corner_radius=CORNER,
            width=width,
            height=height,
            stroke_width=0,
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        )
