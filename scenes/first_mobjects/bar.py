"""A bar whose length is a number. It knows nothing of what the number means."""

from __future__ import annotations

import numpy as np
from manim import Rectangle
from manim.constants import RIGHT
from manim.typing import Vector3D

from scenes import theme
from scenes.animations import Change
from scenes.arrivals import Fade
from scenes.theme import INK, STEADY, STRONGEST_FILL, Role

SHORTEST = 0.01  # scene units, so that a bar of nothing is still a line


class Bar(Rectangle):
    """A bar that grows from its base in a direction (RIGHT or UP); sizes in scene units."""

    def __init__(
        self, length: float, thickness: float, towards: Vector3D = RIGHT, role: Role = INK
    ) -> None:
        self.towards = np.abs(np.array(towards, dtype=float))
        sides = max(length, SHORTEST) * self.towards + thickness * (1 - self.towards)
        super().__init__(
            width=sides[0],
            height=sides[1],
            stroke_width=0,
            fill_color=theme.color(role),
            fill_opacity=STRONGEST_FILL,
        )

    def grow_to(self, length: float) -> Lengthen:
        """Return the animation in which the bar takes on another length, its base at rest."""
        return Lengthen(self, length)

    def rise(self) -> Rise:
        """Return the animation in which the bar comes in and grows from nothing."""
        return Rise(self)

    @property
    def length(self) -> float:
        """How far the bar reaches from its base, in scene units."""
        return float(np.dot((self.width, self.height, 0), self.towards))


class Lengthen(Change):
    """A bar takes on another length, in scene units; its base stays where it is."""

    def __init__(self, bar: Bar, length: float) -> None:
        super().__init__(bar, run_time=STEADY)
        self.bar, self.end = bar, max(length, SHORTEST)

    def begin(self) -> None:
        """Remember the base and the length."""
        self.base = self.bar.get_edge_center(-self.bar.towards)
        self.start = self.bar.length
        super().begin()

    def change(self, share: float) -> None:
        """Set the length."""
        length = (1 - share) * self.start + share * self.end
        factor = 1 + self.bar.towards * (length / self.start - 1)
        self.bar.points = self.base + (self.shapes[0] - self.base) * factor


class Rise(Fade):
    """A bar comes in at its base and grows to the length that it has."""

    def __init__(self, bar: Bar) -> None:
        super().__init__(bar, to=1.0, run_time=STEADY)
        self.bar = bar

    def begin(self) -> None:
        """Remember the base."""
        self.base = self.bar.get_edge_center(-self.bar.towards)
        super().begin()

    def change(self, share: float) -> None:
        """Set presence and length."""
        super().change(min(1.0, 4 * share))
        factor = 1 + self.bar.towards * (max(share, SHORTEST) - 1)
        self.bar.points = self.base + (self.shapes[0] - self.base) * factor
