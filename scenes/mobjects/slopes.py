"""What is to become small, as one number is nudged: a point on a slope, and many others on theirs.

slopes = Slopes(offsets, losses.values, steepness, region, ("one weight", "loss"))
yield slopes.look(level.line, level.number)
yield Vary(slopes.nudge, 0.0, 0.1)         # the numeral at the point runs along
yield slopes.spread()                      # all of them go down a little, and so does the numeral
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP

from scenes import theme
from scenes.mobjects.bars import Floats, set_slab, slab
from scenes.mobjects.fit import leg
from scenes.mobjects.outlines import Filled, discs, in_space, lines
from scenes.mobjects.plot import DOT, Axes, Curve, Rider
from scenes.mobjects.text import Number, Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    GAP,
    HAIR,
    INK,
    NAMED_SIZE,
    NEGATIVE,
    QUICK,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Become,
    Count,
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
STEEPEST = np.radians(55)  # of a slope; half as much, of the median one
LONG = 0.75  # of the distance from one slope to the next, how long it is
WAY = 0.7  # of half a slope, that its point goes down
MOST_DECIMALS = 6
STEPS = 4  # down
BAR = 0.07  # of a region's width, by what sinks


class Slopes(VGroup):
    """How large something is while one number is nudged by offsets, the first one below zero.

    Of others it is known how steep it is there; `down` is how large it is before and after each
    of their steps down. Parts: `axes`, with a `cut` as they do not begin
    at zero, `curve`, `dot` and `number` of the one; `lines` and `dots` of the others, among which
    it stands once they `gather`; and a `bar`, as high as all is large, which sinks with them.
    """

    def __init__(
        self,
        offsets: Sequence[float],
        values: Sequence[Value],
        steepness: Floats,
        region: Region,
        names: tuple[str, str],
        *,
        down: Sequence[Value],
    ) -> None:
        self.offsets, self.values, self.down = np.array(offsets), list(values), list(down)
        found = np.array([value.number for value in values])
        room = AIR * (float(np.ptp(found)) or 1.0)
        up, across = found - found.min() + 2 * room, self.offsets - offsets[0]
        size = float(across[-1]), float(up.max()) + room
        of_x, of_y = (Words(name, size=NAMED_SIZE) for name in names)
        self.axes = axes = Axes(region, size, (of_x, of_y))
        of_x.next_to(axes.lines[0], DOWN, buff=HAIR, aligned_edge=RIGHT)
        self.curve = Curve(axes, across, up)
        self.rider = Rider(axes, lambda x: float(np.interp(x, across, up)))
        self.dot = self.rider.dot
        self.cut = _cut().move_to(axes.at(0.0, room / 2))
        apart = float(np.abs(np.diff(found[[0, len(found) // 2, -1]])).min())
        decimals = int(np.clip(np.ceil(-np.log10(apart or 1.0)), 2, MOST_DECIMALS))
        self.number = Number(self.values[0], decimals, TITLE_SIZE)
        self.bar = slab().set_fill(theme.color(NEGATIVE))
        self._foot = axes.at(0.0, 0.0)
        self._size = BAR * region.width, float(axes.lines[1].height)
        beside = region.narrowed(self._size[0] + GAP, 0.0)
        self._place(np.array([(found[-1] - found[0]) / across[-1], *steepness]), beside)
        self.lines = VMobject(stroke_color=theme.color(INK), stroke_width=2 * THIN_LINE)
        self.lines.points = lines(self._ends[1:])
        self.dots = Filled(np.zeros((0, 3)), ACCENT)
        self.nudge(0.0)
        self._large = self.curve.points.copy(), self.dot.get_center()
        super().__init__(
            self.bar, axes, self.cut, self.curve, self.lines, self.dots, self.dot, self.number
        )
        self.roll(0.0)

    def nudge(self, offset: float) -> None:
        """Nudge the one number by an offset."""
        self.rider.ride_to(offset - float(self.offsets[0]))
        at = float(np.interp(offset, self.offsets, np.arange(len(self.offsets))))
        before, after, share = leg(round(at, 6), len(self.values))
        here, there = self.values[before], self.values[after]
        if share:
            self.number.put_between(here, there, share)
        else:
            self.number.put(here)
        self.number.next_to(self.dot, UP, buff=2 * GAP)
        free = self.axes.region.left + HAIR - float(self.number.get_left()[0])
        self.number.shift(max(0.0, free) * RIGHT)

    def look(self, line: VMobject, number: Number) -> Verb:
        """Return how a level line tilts until it is the one's, and a numeral goes to its point."""
        tilted, ends = self.curve.copy(), line.get_start_and_end()
        ways = (tilted.points[:, :1] - tilted.points[0, 0]) / np.ptp(tilted.points[:, 0])
        self.curve.points = (1 - ways) * ends[0] + ways * ends[1]
        taken = Appear(self.curve, run_time=HAIR, scale=1.0), Disappear(line, run_time=HAIR)
        tilt = Become(self.curve, tilted), Disappear(number, run_time=QUICK / 2)
        axes = Draw(*self.axes.lines, run_time=QUICK), Appear(*self.axes.names, self.cut)
        return Then(Together(taken), Together(tilt), Together(axes, Appear(self.dot, self.number)))

    def spread(self) -> Verb:
        """Return how the one comes to stand among the others, and all go down a little."""
        other, named = self.axes.names
        gone = Disappear(self.axes.lines[0], other, self.cut)
        beside = self.number.copy().next_to(named, RIGHT, buff=GAP)
        others = Appear(self.lines, self.dots), Appear(self.bar, scale=1.0)
        come = Vary(self.gather, 0, 1), Then(Hold(QUICK), Together(others))
        told = MoveTo(self.number, beside)
        return Then(Together(gone, *come, told), self._roll(0, QUICK))

    def step_down(self) -> Verb:
        """Return how all go down again and again."""
        return Then(Then(self._roll(step, QUICK), Hold(HAIR)) for step in range(1, STEPS))

    def leave(self) -> Verb:
        """Return how all slopes go."""
        named = self.axes.names[1], self.axes.lines[1], self.number, self.bar
        return Disappear(self.curve, self.lines, self.dots, self.dot, *named)

    def gather(self, share: float) -> None:
        """Let the one's slope come to stand among the others, large (0) or as they are (1)."""
        curve, dot = self._large
        ways = (curve[:, :1] - curve[0, 0]) / (curve[-1, 0] - curve[0, 0])
        low, high = in_space(self._ends[0])
        small = (1 - ways) * low + ways * high
        self.curve.points = (1 - share) * curve + share * small
        self.dot.move_to((1 - share) * dot + share * (low + high) / 2)

    def roll(self, share: float) -> None:
        """Let all points go down their slopes a little, and with them what that makes small."""
        sizes = [each.number for each in self.down]
        high = float(np.interp(share * STEPS, np.arange(len(sizes)), sizes)) / max(sizes)
        (left, low, _), (wide, tall) = self._foot, self._size
        set_slab(self.bar, (left, low, left + wide, low + high * tall))
        middles = self._ends.mean(axis=1) + share * self._down
        self.dots.points = discs(middles[1:], np.full(len(middles) - 1, self._radius))
        if share:
            self.dot.move_to((*middles[0], 0.0))

    def _roll(self, step: int, run_time: float) -> Verb:
        """Return how all points take a step, and the loss with them."""
        ends = step / STEPS, (step + 1) / STEPS
        told = Count(self.number, self.down[step + 1], run_time)
        return Together(Vary(self.roll, *ends, run_time), told)

    def _place(self, steepness: Floats, region: Region) -> None:
        """Find both ends of every slope, in rows that fill the region, and the way down."""
        columns = int(np.ceil(np.sqrt(len(steepness) * region.width / region.height)))
        rows = max(1, len(steepness) // columns)
        cells = [each.center for row in region.rows(rows) for each in row.in_columns(columns)]
        kept = steepness[: len(cells)]
        middles = np.array(cells)[: len(kept), :2]
        angles = STEEPEST / np.pi * 2 * np.arctan(kept / (np.median(np.abs(kept)) or 1.0))
        half = LONG / 2 * min(region.width / columns, region.height / rows)
        self._radius = min(DOT, half / 4)
        along = half * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self._ends = np.stack([middles - along, middles + along], axis=1)
        self._down = -WAY * np.sign(kept)[:, None] * along


def _cut() -> VGroup:
    """Return the mark of an axis from which a part is left out: two strokes across a gap."""
    gap = Rectangle(width=GAP, height=HAIR, stroke_width=0)
    gap.set_fill(theme.color(BACKGROUND), 1)
    strokes = (
        Line((-HAIR, y - HAIR / 2, 0), (HAIR, y + HAIR / 2, 0)) for y in (-HAIR / 2, HAIR / 2)
    )
    return VGroup(gap, *(each.set_stroke(theme.color(INK), THIN_LINE) for each in strokes))
