"""Many points in three dimensions over a plane, seen from a side that turns. It knows no model.

cloud = Cloud(before, after, Words("words"), film.stage)
yield Vary(cloud.look, 0, 60), Vary(cloud.squash, 0, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import discs
from scenes.mobjects.text import Words
from scenes.region import Region
from scenes.theme import HAIR, INK, QUIET, THIN_LINE

Floats: TypeAlias = NDArray[np.float64]

LOW = 22.0  # degrees by which one looks down on the plane, at first
HIGHEST = 40.0  # the most of them, once all is flat
RINGS, SPOKES, AROUND = 3, 6, 48  # of the plane; AROUND points make a ring
DOT = 0.055  # scene units, a point's radius
NEARER = 0.35  # times larger, the nearest point


class Cloud(VGroup):
    """Points in three dimensions, seen from a side that turns, over a plane that they fall into.

    `before` and `after` are their places (n, 3), each scaled to the longest; the second of the
    three is the height over the plane.
    """

    def __init__(self, before: Floats, after: Floats, told: Words, region: Region) -> None:
        self.told = told.move_to(region.center).align_to((0, region.top, 0), UP)
        region = region.below(told, HAIR)
        self.before, self.after = (
            each / np.linalg.norm(each, axis=1).max() for each in (before, after)
        )
        high = max(_reach(self.before, (LOW,)), _reach(self.after, (LOW, HIGHEST)))
        self.radius = min(region.width / 2, region.height / 2 / high)
        self.middle = region.center[:2]
        self.angle, self.share, self.degrees = 0.0, 0.0, LOW
        self.ground = VGroup(*(VMobject() for _ in range(RINGS + SPOKES)))
        self.ground.set_stroke(theme.color(QUIET), THIN_LINE)
        self.dots = VMobject(stroke_width=0, fill_color=theme.color(INK), fill_opacity=0.9)
        super().__init__(self.ground, self.dots, told)
        self.draw()

    def look(self, angle: float) -> None:
        """Look from another side, `angle` degrees around the upright axis."""
        self.angle = angle
        self.draw()

    def tilt(self, degrees: float) -> None:
        """Look down on the plane by so many degrees; 0 sees its edge only."""
        self.degrees = degrees
        self.draw()

    def squash(self, share: float) -> None:
        """Let the points be where they were (0), where they come to (1), or between."""
        self.share = share
        self.draw()

    def draw(self) -> None:
        """Draw everything from where one looks now."""
        points = (1 - self.share) * self.before + self.share * self.after
        at, near = self._seen(points)
        order = np.argsort(near)
        self.dots.points = discs(at[order], DOT * (1 + NEARER * near[order]))
        around = np.linspace(0, 2 * np.pi, AROUND + 1)
        circle = np.stack([np.cos(around), 0 * around, np.sin(around)], axis=1)
        rings = [circle * (i + 1) / RINGS for i in range(RINGS)]
        spokes = [np.stack([-each, each]) for each in circle[: AROUND // 2 : AROUND // 2 // SPOKES]]
        for line, ends in zip(self.ground, [*rings, *spokes], strict=True):
            line.set_points_as_corners(np.pad(self._seen(ends)[0], ((0, 0), (0, 1))))

    def _seen(self, points: Floats) -> tuple[Floats, Floats]:
        """Return where points are seen (n, 2), and how near they are, -1 to 1."""
        turn, tilt = np.radians(self.angle), np.radians(self.degrees)
        x, y, z = points.T
        x, z = np.cos(turn) * x + np.sin(turn) * z, np.cos(turn) * z - np.sin(turn) * x
        y, z = np.cos(tilt) * y - np.sin(tilt) * z, np.sin(tilt) * y + np.cos(tilt) * z
        return self.middle + self.radius * np.stack([x, y], axis=1), z


def _reach(points: Floats, tilts: Sequence[float]) -> float:
    """Return how far points and the ground's rim reach up, from whatever side they are seen."""
    x, y, z = np.abs(points).T
    turns = np.radians(tilts)[:, None]
    seen = np.cos(turns) * y + np.sin(turns) * np.hypot(x, z)
    return float(max(seen.max(), np.sin(turns).max()))
