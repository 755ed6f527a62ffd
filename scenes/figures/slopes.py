"""What is to become small, as one number is moved: a point on a slope.

slopes = Slopes(offsets, losses.values, region, names, words, shown=0.1)
yield slopes.look(level.line, level.number)
yield Vary(slopes.nudge, 0.0, 0.1)         # the numeral at the point is the nearest measured one
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP

from scenes import theme
from scenes.mobjects.plot import Axes, Curve, Rider
from scenes.mobjects.text import Number, Words
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    GAP,
    HAIR,
    INK,
    NAMED_SIZE,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Become, Disappear, Draw, Then, Together, Verb

AIR = 0.5  # of the difference between the least and the most, under the one and over the other
ACROSS = 0.85  # of a region, what is told over a curve
MOST_DECIMALS = 6


class Slopes(VGroup):
    """How large something is while one number is moved by offsets, the first one below zero.

    Parts: `axes`, with `ticks` at offsets `shown` and a `cut` as they do not begin at zero,
    `curve`, `dot` and `number`; over them, what is told of `all` such numbers.
    """

    def __init__(
        self,
        offsets: Sequence[float],
        values: Sequence[Value],
        region: Region,
        names: tuple[str, str],
        told: Words,
        *,
        shown: float,
    ) -> None:
        self.offsets, self.values = np.array(offsets), list(values)
        found = np.array([value.number for value in values])
        room = AIR * (float(np.ptp(found)) or 1.0)
        up, across = found - found.min() + 2 * room, self.offsets - offsets[0]
        size = float(across[-1]), float(up.max()) + room
        of_x, of_y = (Words(name, size=NAMED_SIZE) for name in names)
        self.axes = axes = Axes(region, size, (of_x, of_y))
        self.ticks = [self._tick(offset) for offset in (-shown, 0.0, shown)]
        of_x.next_to(self.ticks[0], DOWN, buff=HAIR).align_to(axes.lines[0], RIGHT)
        self.all = told.shrink_to(ACROSS * region.width)
        told.move_to((region.center[0], region.top, 0), UP)
        self.curve = Curve(axes, across, up)
        self.rider = Rider(axes, lambda x: float(np.interp(x, across, up)))
        self.dot = self.rider.dot
        self.cut = _cut().move_to(axes.at(0.0, room / 2))
        apart = float(np.abs(np.diff(found[[0, len(found) // 2, -1]])).min())
        decimals = int(np.clip(np.ceil(-np.log10(apart or 1.0)), 2, MOST_DECIMALS))
        self.number = Number(self.values[0], decimals, TITLE_SIZE)
        self.nudge(0.0)
        super().__init__(axes, *self.ticks, self.cut, self.curve, told, self.dot, self.number)

    def _tick(self, offset: float) -> Words:
        value = constant(offset, "a place on the axis")
        written = Words("{:+.1f}" if offset else "{:.0f}", value, size=PLAIN_SIZE, role=QUIET)
        return written.next_to(self.axes.at(offset - self.offsets[0], 0.0), DOWN, buff=HAIR)

    def nudge(self, offset: float) -> None:
        """Move the one number by an offset; the numeral is what was measured nearest to it."""
        self.rider.ride_to(offset - float(self.offsets[0]))
        self.number.put(self.values[int(np.abs(self.offsets - offset).argmin())])
        self.number.next_to(self.dot, UP, buff=2 * GAP)
        free = self.axes.region.left + HAIR - float(self.number.get_left()[0])
        self.number.shift(max(0.0, free) * RIGHT)

    def look(self, line: VMobject, number: Number) -> Verb:
        """Return how a level line, whose numeral goes first, tilts until it is the one's."""
        tilted, ends = self.curve.copy(), line.get_start_and_end()
        ways = (tilted.points[:, :1] - tilted.points[0, 0]) / np.ptp(tilted.points[:, 0])
        self.curve.points = (1 - ways) * ends[0] + ways * ends[1]
        taken = Appear(self.curve, run_time=HAIR, scale=1.0), Disappear(line, run_time=HAIR)
        named = Appear(*self.axes.names, *self.ticks, self.cut, self.dot, self.number)
        axes = Then(Draw(*self.axes.lines, run_time=QUICK), named)
        left = Disappear(number, run_time=QUICK / 2)
        return Then(Together(taken, left), Together(Become(self.curve, tilted), axes))


def _cut() -> VGroup:
    """Return the mark of an axis from which a part is left out: two strokes across a gap."""
    gap = Rectangle(width=GAP, height=HAIR, stroke_width=0)
    gap.set_fill(theme.color(BACKGROUND), 1)
    strokes = (
        Line((-HAIR, y - HAIR / 2, 0), (HAIR, y + HAIR / 2, 0)) for y in (-HAIR / 2, HAIR / 2)
    )
    return VGroup(gap, *(each.set_stroke(theme.color(INK), THIN_LINE) for each in strokes))
