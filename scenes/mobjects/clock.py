"""A clock with one hand, which turns by its own angle from place to place. It knows no model.

clock = Clock(rate, center, radius, step=3)
yield Appear(clock.face, clock.hand), Vary(clock.turn_to, 0, 7)      # the hand goes from 0 to 7
yield Fade(clock.sector, clock.ghost, to=1.0), Vary(clock.begin_at, 0, 4)   # a step is carried
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from manim import Circle, VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Filled, polygons
from scenes.mobjects.signs import hue
from scenes.mobjects.space import Arrow
from scenes.theme import ACCENT, BOLD_LINE, INK, QUIET, THIN_LINE

Floats: TypeAlias = NDArray[np.float64]

LENGTH, SWEPT, ARC = 0.92, 0.4, 32  # of a face, a hand; of a sector, its fill and its points


class Clock(VGroup):
    """A hand that turns clockwise by `rate` radians a place, from upright.

    Parts: `face`, `hand` with its `tip`, `legs` (how far right, how far up), and, of a step from
    `since` on, the `ghost` of the hand and the `sector` that it has swept.
    """

    def __init__(self, rate: float, center: Floats, radius: float, step: int) -> None:
        self.rate, self.middle, self.radius, self.step = rate, center, radius, step
        self.near = self.own = (*center, radius)
        self.since, self.place = 0.0, 0.0
        self.face = Circle(radius, stroke_color=theme.color(QUIET), stroke_width=THIN_LINE)
        self.hand, self.ghost = Arrow(theme.color(INK)), Arrow(theme.color(QUIET))
        self.sector = Filled(np.zeros((0, 3)), ACCENT, SWEPT)
        self.legs = [VMobject(stroke_width=BOLD_LINE) for _ in range(2)]
        self.tip = VMobject(stroke_width=0)
        super().__init__(self.face, self.sector, self.ghost, *self.legs, self.hand, self.tip)
        self.draw()

    def stand_near(self, center: Floats, radius: float) -> None:
        """Stand at a larger place first, from which `settle` brings it to its own."""
        self.near = (*center, radius)
        self.settle(0.0)

    def settle(self, share: float) -> None:
        """Stand at the larger place (0), at its own (1), or between."""
        x, y, self.radius = (1 - share) * np.array(self.near) + share * np.array(self.own)
        self.middle = np.array([x, y])
        self.draw()

    def turn_to(self, place: float) -> None:
        """Point to where the hand is at a place."""
        self.place = self.since = place
        self.draw()

    def begin_at(self, place: float) -> None:
        """Let the whole step begin at a place."""
        self.since, self.place = place, place + self.step
        self.draw()

    def reach(self, places: float) -> None:
        """Let the hand have swept so many places of the step."""
        self.place = self.since + places
        self.draw()

    def draw(self) -> None:
        """Draw hand, ghost, legs and sector."""
        long, thick = LENGTH * self.radius, min(1.0, self.radius)
        self.face.scale(2 * self.radius / self.face.width).move_to((*self.middle, 0))
        for hand, place in ((self.hand, self.place), (self.ghost, self.since)):
            hand.point(self.middle, self.middle + long * _towards(self.rate * place), thick)
        x, y = long * _towards(self.rate * self.place)
        corner = self.middle + (0, y)
        for leg, ends, size in zip(
            self.legs, ((corner, corner + (x, 0)), (self.middle, corner)), (x, y), strict=True
        ):
            leg.set_points_as_corners(np.pad(np.array(ends), ((0, 0), (0, 1))))
            leg.set_stroke(theme.color(hue(size)))
        angles = self.rate * np.linspace(self.since, self.place, ARC)
        rim = self.middle + self.radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
        self.sector.points = polygons(np.concatenate([self.middle[None], rim])[None])
        self.tip.set_points_as_corners([(*self.hand.tip, 0.0)] * 2)


def _towards(angle: float) -> Floats:
    """Return the direction so many radians clockwise from upward."""
    return np.array([np.sin(angle), np.cos(angle)])
