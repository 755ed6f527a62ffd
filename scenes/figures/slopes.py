"""What is to become small, as one number is moved: a point on a slope, and others on theirs.

slopes = Slopes(offsets, losses.values, (steep, gone), region, names, shown=0.1, of=words)
yield slopes.look(level.line, level.number)
yield Vary(slopes.nudge, 0.0, 0.1)         # the numeral at the point is the nearest measured one
yield slopes.spread(), slopes.step(0)      # each goes down as far as it went
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP

from scenes import theme
from scenes.mobjects.bars import Floats
from scenes.mobjects.outlines import Filled, discs, in_space, lines
from scenes.mobjects.plot import DOT, Axes, Curve, Rider
from scenes.mobjects.text import Number, Words
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import (
    ACCENT,
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
from scenes.verbs import (
    Appear,
    Become,
    Disappear,
    Draw,
    Hold,
    MoveTo,
    Then,
    Together,
    Vary,
    Verb,
)

AIR = 0.5  # of the difference between the least and the most, under the one and over the other
STEEPEST = np.radians(60)  # of a slope; the others are as much flatter as they are
LONG = 0.9  # of the distance from one slope to the next, how long it is
WAY = 0.85  # of half the steepest slope, that its point goes down in all
MOST_DECIMALS = 6


class Slopes(VGroup):
    """How large something is while one number is moved by offsets, the first one below zero.

    Of others, the one being the first of them, it is known how steep it is there, (m,), and how far
    they are after each of their steps down, (steps + 1, m). The one fills the region, and then all
    together, each on `corners`, its own axes; all are drawn at one scale. Parts: `axes`, with
    `ticks` at offsets `shown` and a `cut` as they do not begin at zero, `curve`, `dot` and
    `number` of the one; `lines` and `dots` of the others, among which it stands once they
    `gather`, `starts`, where they began, and the words that say `of` what they are.
    """

    def __init__(
        self,
        offsets: Sequence[float],
        values: Sequence[Value],
        others: tuple[Floats, Floats],
        region: Region,
        names: tuple[str, str],
        *,
        shown: float,
        of: Words,
    ) -> None:
        self.steps = len(others[1]) - 1
        self.offsets, self.values = np.array(offsets), list(values)
        found = np.array([value.number for value in values])
        room = AIR * (float(np.ptp(found)) or 1.0)
        up, across = found - found.min() + 2 * room, self.offsets - offsets[0]
        size = float(across[-1]), float(up.max()) + room
        of_x, of_y = (Words(name, size=NAMED_SIZE) for name in names)
        self.axes = axes = Axes(region, size, (of_x, of_y))
        self.ticks = [self._tick(offset) for offset in (-shown, 0.0, shown)]
        of_x.next_to(self.ticks[0], DOWN, buff=HAIR).align_to(axes.lines[0], RIGHT)
        self.of = of.shrink_to(region.width).move_to(of_x, RIGHT)
        self.curve = Curve(axes, across, up)
        self.rider = Rider(axes, lambda x: float(np.interp(x, across, up)))
        self.dot = self.rider.dot
        self.cut = _cut().move_to(axes.at(0.0, room / 2))
        apart = float(np.abs(np.diff(found[[0, len(found) // 2, -1]])).min())
        decimals = int(np.clip(np.ceil(-np.log10(apart or 1.0)), 2, MOST_DECIMALS))
        self.number = Number(self.values[0], decimals, TITLE_SIZE)
        self._make_others(*others, region)
        self.nudge(0.0)
        self._large = self.curve.points.copy(), self.dot.get_center()
        plot = axes, *self.ticks, self.cut, self.curve
        rest = self.corners, self.lines, self.starts, self.dots
        super().__init__(*plot, *rest, self.of, self.dot, self.number)
        self.roll(0.0)

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

    def spread(self) -> Verb:
        """Return how the one comes to stand among others, and its numeral beside its name."""
        of_x, of_y = self.axes.names
        gone = Disappear(*self.axes.lines, of_x, *self.ticks, self.cut)
        beside = of_y.get_right() + (GAP + self.number.width / 2) * RIGHT
        others = Appear(self.corners, self.lines, self.dots, self.of)
        aside = MoveTo(self.number, beside), Vary(self.gather, 0, 1)
        return Together(gone, *aside, Then(Hold(QUICK), others))

    def step(self, step: int, run_time: float) -> Verb:
        """Return how all points take a step down."""
        move = Vary(self.roll, step / self.steps, (step + 1) / self.steps, run_time)
        begun = [] if step else [Appear(self.starts, run_time=HAIR, scale=1.0)]
        return Together(*begun, move)

    def leave(self) -> Verb:
        """Return how all slopes go."""
        named = self.of, self.axes.names[1], self.number
        others = self.corners, self.lines, self.starts, self.dots
        return Disappear(self.curve, *others, self.dot, *named)

    def gather(self, share: float) -> None:
        """Let the one's slope come to stand among the others, large (0) or as they are (1)."""
        curve, dot = self._large
        ways = (curve[:, :1] - curve[0, 0]) / (curve[-1, 0] - curve[0, 0])
        low, high = in_space(self._ends[0])
        small = (1 - ways) * low + ways * high
        self.curve.points = (1 - share) * curve + share * small
        self.dot.scale_to_fit_width(2 * ((1 - share) * DOT + share * self._radius))
        self.dot.move_to((1 - share) * dot + share * (low + high) / 2)

    def roll(self, share: float) -> None:
        """Let all points go a share of their way down."""
        steps = np.linspace(0, 1, self.steps + 1)
        gone = np.array([np.interp(share, steps, each) for each in self._gone.T])
        middles = self._middles + gone[:, None] * self._along
        self.dots.points = self._discs(middles[1:])
        if share:
            self.dot.move_to((*middles[0], 0.0))

    def _discs(self, middles: Floats) -> Floats:
        return discs(middles, np.full(len(middles), self._radius))

    def _make_others(self, steepness: Floats, gone: Floats, region: Region) -> None:
        """Make every slope, in rows that fill the region, its ends, and each one's way down."""
        count = len(steepness)
        rows = max(1, round(np.sqrt(count * region.height / region.width)))
        columns = -(-count // rows)
        cells = [each.center for row in region.rows(rows) for each in row.in_columns(columns)]
        self._middles = np.array(cells)[:count, :2]
        half = LONG / 2 * min(region.width / columns, region.height / rows)
        self._radius = min(DOT, half / 6)
        slopes = np.tan(STEEPEST) * steepness / (np.abs(steepness).max() or 1.0)
        self._along = np.stack([np.ones(count), slopes], axis=1)
        lengths = np.linalg.norm(self._along, axis=1)
        off = half * self._along / lengths[:, None]
        self._ends = np.stack([self._middles - off, self._middles + off], axis=1)
        self._gone = WAY * half / ((np.abs(gone) * lengths).max() or 1.0) * gone
        self.lines = VMobject(stroke_color=theme.color(INK), stroke_width=2 * THIN_LINE)
        self.lines.points = lines(self._ends[1:])
        self.corners = VMobject(stroke_color=theme.color(QUIET), stroke_width=THIN_LINE)
        sides = half * np.array([[(-1, -1), (-1, 1)], [(-1, -1), (1, -1)]])
        self.corners.points = lines((self._middles[:, None, None] + sides).reshape(-1, 2, 2))
        self.starts, self.dots = (Filled(np.zeros((0, 3)), role) for role in (QUIET, ACCENT))
        self.starts.points = self._discs(self._middles)


def _cut() -> VGroup:
    """Return the mark of an axis from which a part is left out: two strokes across a gap."""
    gap = Rectangle(width=GAP, height=HAIR, stroke_width=0)
    gap.set_fill(theme.color(BACKGROUND), 1)
    strokes = (
        Line((-HAIR, y - HAIR / 2, 0), (HAIR, y + HAIR / 2, 0)) for y in (-HAIR / 2, HAIR / 2)
    )
    return VGroup(gap, *(each.set_stroke(theme.color(INK), THIN_LINE) for each in strokes))
