"""Two arrows that meet in a dot product. They know their lengths and angle, nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, DashedLine, Line, Polygon, VGroup
from manim.constants import DOWN, ORIGIN, RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.animations import Change, Together
from scenes.arrivals import Appear, Fade
from scenes.presence import hide
from scenes.theme import (
    BOLD_LINE,
    KEY,
    NEGATIVE,
    POSITIVE,
    QUERY,
    QUICK,
    QUIET,
    STEADY,
    THIN_LINE,
    Role,
)

TIP = 0.24  # length of an arrow's head, in scene units
SHADOW_LINE = 10.0
SHADOW_DROP = 0.14 * DOWN  # the shadow lies just under the line that it falls on


class Ray(VGroup):
    """An arrow from one point to another."""

    def __init__(self, start: Point3D, end: Point3D, role: Role) -> None:
        color = theme.color(role)
        self.shaft = Line(stroke_width=BOLD_LINE * 1.25, stroke_color=color)
        self.tip = Polygon(*np.zeros((3, 3)), stroke_width=0, fill_color=color, fill_opacity=1)
        super().__init__(self.shaft, self.tip)
        self.point(start, end)

    def point(self, start: Point3D, end: Point3D) -> None:
        """Let the arrow go from `start` to `end`."""
        span = float(np.linalg.norm(end - start))
        along = (end - start) / span if span else np.array([1.0, 0, 0])
        across = np.array([-along[1], along[0], 0])
        neck = end - along * min(TIP, span)
        self.shaft.set_points_as_corners([start, neck])
        half = 0.42 * min(TIP, span)
        self.tip.set_points_as_corners([end, neck + half * across, neck - half * across, end])


class ArrowPair(VGroup):
    """A query arrow along the horizontal and a key arrow in the plane that holds them both.

    The key's shadow on the query's line, times the query's length, is their dot product. Keys
    are (length, cosine with the query), in the units of the vectors; the first of `keys` is
    drawn, and there is room for all of them in `width` times `height` scene units.
    """

    def __init__(
        self, query_length: float, keys: Sequence[tuple[float, float]], width: float, height: float
    ) -> None:
        ends: list[tuple[float, float]] = [
            (length * cosine, length * _sine(cosine)) for length, cosine in keys
        ]
        self.left = min(0.0, *(float(x) for x, _ in ends))
        self.right = max(query_length, *(float(x) for x, _ in ends))
        self.highest = max(float(y) for _, y in ends)
        room = height / max(self.highest, 1e-6)
        self.units = min(width / (self.right - self.left), room)
        self.axis = Line(stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        self.query = Ray(ORIGIN, self.units * query_length * RIGHT, QUERY)
        self.key = Ray(ORIGIN, RIGHT, KEY)
        self.shadow = Line(stroke_width=SHADOW_LINE)
        self.drop = DashedLine(stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        super().__init__(self.axis, self.drop, self.shadow, self.query, self.key)
        self.set_key(self._offset(keys[0]))

    def meet(self) -> Animation:
        """Let the two arrows come in, with nothing yet of the shadow."""
        self.let_fall(0.0)
        hide(self.shadow)
        return Together(map(Appear, (self.axis, self.query, self.key)))

    def cast_shadow(self) -> Animation:
        """Let the key's shadow come off it and fall on the query's line."""
        return Together([CastShadow(self), Fade(self.shadow, 1.0, QUICK)])

    def turn_to(self, key: tuple[float, float]) -> TurnKey:
        """Let the key arrow become another one, given as (length, cosine with the query)."""
        return TurnKey(self, self._offset(key))

    @property
    def origin(self) -> Point3D:
        """Where both arrows start."""
        return np.array(self.query.shaft.get_start())

    def tip_of(self, key: tuple[float, float]) -> Point3D:
        """Return where a key arrow, given as (length, cosine), ends."""
        return self.origin + self._offset(key)

    def set_key(self, tip: Point3D) -> None:
        """Let the key arrow end at `tip`, relative to the origin."""
        self.tip = tip
        origin = self.origin
        self.key.point(origin, origin + tip)
        self.axis.set_points_as_corners(
            [origin + end * self.units * RIGHT for end in (self.left, self.right)]
        )
        self.let_fall(1.0)

    def let_fall(self, share: float) -> None:
        """Let the shadow be somewhere between the key (0) and the query's line (1)."""
        tip, below = self.origin + self.tip, share * SHADOW_DROP
        end = tip - share * self.tip[1] * UP
        self.shadow.set_points_as_corners([self.origin + below, end + below])
        self.shadow.set_stroke(theme.color(NEGATIVE if self.tip[0] < 0 else POSITIVE))
        self.drop.become(_dashes(tip, end))

    def _offset(self, key: tuple[float, float]) -> Point3D:
        length, cosine = key
        return self.units * length * np.array([cosine, _sine(cosine), 0.0])


class CastShadow(Change):
    """The shadow falls from the key to the query's line, every point of it straight down."""

    def __init__(self, pair: ArrowPair) -> None:
        super().__init__(pair, run_time=STEADY)
        self.pair = pair

    def change(self, share: float) -> None:
        """Let the shadow be where it has come to."""
        self.pair.let_fall(share)


class TurnKey(Animation):
    """The key arrow's tip moves in a straight line, so the dot product changes evenly."""

    def __init__(self, pair: ArrowPair, tip: Point3D) -> None:
        super().__init__(pair, run_time=STEADY)
        self.start, self.end = pair.tip, tip

    def create_starting_mobject(self) -> ArrowPair:
        """Copy nothing: the tip tells everything."""
        pair = self.mobject
        assert isinstance(pair, ArrowPair)
        self.start = pair.tip
        return pair

    def interpolate_mobject(self, alpha: float) -> None:
        """Set the tip for time `alpha`, 0 to 1."""
        share = self.rate_func(alpha)
        assert isinstance(self.mobject, ArrowPair)
        self.mobject.set_key((1 - share) * self.start + share * self.end)


def _sine(cosine: float) -> float:
    return float(np.sqrt(max(0.0, 1 - cosine**2)))


def _dashes(start: Point3D, end: Point3D) -> Line:
    if np.linalg.norm(end - start) < TIP / 2:
        return Line(start, end, stroke_width=0)
    return DashedLine(
        start, end, dash_length=0.08, stroke_width=THIN_LINE, stroke_color=theme.color(QUIET)
    )
