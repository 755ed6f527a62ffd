"""Where things may stand: the stage and its parts, whatever its aspect. Knows boxes only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from manim import Mobject, config
from manim.constants import DL, UR
from manim.typing import Point3D

from scenes.theme import CAPTIONS, SAFE_MARGIN

NARROW = 10.0  # scene units; a frame of 16:9 has more, the upright and the square one have less


@dataclass(frozen=True)
class Region:
    """A rectangle of the frame, in scene units."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        """The horizontal extent."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The vertical extent."""
        return self.top - self.bottom

    @property
    def center(self) -> Point3D:
        """The middle, as a point of the scene."""
        return np.array([(self.left + self.right) / 2, (self.bottom + self.top) / 2, 0.0])

    @property
    def is_narrow(self) -> bool:
        """Whether things are better stacked here than set side by side."""
        return self.width < NARROW

    def split(self, share: float) -> tuple[Region, Region]:
        """Return two parts, the first with `share` of the length: side by side, or stacked."""
        if self.is_narrow:
            cut = self.top - share * self.height
            return replace(self, bottom=cut), replace(self, top=cut)
        cut = self.left + share * self.width
        return replace(self, right=cut), replace(self, left=cut)

    def lowered(self, height: float) -> Region:
        """Return the region without a strip of `height` at its top."""
        return replace(self, top=self.top - height)

    def apart(self, other: Region, gap: float) -> Region:
        """Return the region without the strip of `gap` next to the one it was split from."""
        if self.top == other.top:
            return replace(self, left=self.left + gap)
        return replace(self, top=self.top - gap)

    def rows(self, number: int) -> list[Region]:
        """Return so many equal parts, one under the other."""
        edges = np.linspace(self.top, self.bottom, number + 1).tolist()
        return [replace(self, top=top, bottom=low) for top, low in pairwise(edges)]

    def in_columns(self, number: int) -> list[Region]:
        """Return so many equal parts side by side."""
        edges = np.linspace(self.left, self.right, number + 1).tolist()
        return [replace(self, left=left, right=right) for left, right in pairwise(edges)]

    def columns(self, share: float) -> tuple[Region, Region]:
        """Return two parts side by side, the left one with `share` of the width."""
        cut = self.left + share * self.width
        return replace(self, right=cut), replace(self, left=cut)

    def parts(self, share: float) -> tuple[Region, Region]:
        """Return two parts, the first with `share`: stacked if higher than wide, or beside."""
        return self.split(share) if self.height > self.width else self.columns(share)

    def hold(self, mobject: Mobject) -> None:
        """Push a mobject back inside, if it sticks out to the left or right."""
        too_far = max(self.left - float(mobject.get_left()[0]), 0.0)
        too_far += min(self.right - float(mobject.get_right()[0]), 0.0)
        mobject.shift((too_far, 0, 0))

    def fit_width(self, mobject: Mobject) -> None:
        """Make a mobject smaller, if it is wider than the region."""
        mobject.scale(min(1.0, self.width / mobject.width))

    def fit(self, mobject: Mobject) -> None:
        """Set a mobject in the middle of the region, smaller if it does not fit."""
        mobject.scale(min(1.0, self.width / mobject.width, self.height / mobject.height))
        mobject.move_to(self.center)

    def set_at_foot(self, mobject: Mobject, height: float) -> None:
        """Set a line, smaller if it does not fit, in the strip of `height` at the bottom."""
        self.fit_width(mobject)
        mobject.move_to((self.center[0], self.bottom + 0.35 * height, 0))

    def raised(self, height: float) -> Region:
        """Return the region without a strip of `height` at its bottom."""
        return replace(self, bottom=self.bottom + height)

    def narrowed(self, left: float, right: float) -> Region:
        """Return the region without a strip at its left and one at its right."""
        return replace(self, left=self.left + left, right=self.right - right)

    def inset(self, by: float) -> Region:
        """Return the region without a margin all round."""
        return Region(self.left + by, self.right - by, self.bottom + by, self.top - by)

    def below(self, mobject: Mobject, gap: float) -> Region:
        """Return what is left of the region under a mobject."""
        return Region(self.left, self.right, self.bottom, float(mobject.get_bottom()[1]) - gap)


def stage_area() -> Region:
    """Return the stage: the frame without its margins and the band of the captions."""
    half_width, half_height = config.frame_width / 2, config.frame_height / 2
    return Region(
        left=-half_width + SAFE_MARGIN,
        right=half_width - SAFE_MARGIN,
        bottom=-half_height + CAPTIONS,
        top=half_height - SAFE_MARGIN,
    )


def area_of(mobject: Mobject) -> Region:
    """Return the box of a mobject."""
    (left, bottom, _), (right, top, _) = mobject.get_corner(DL), mobject.get_corner(UR)
    return Region(float(left), float(right), float(bottom), float(top))
