"""Numbers on axes: a curve and a point that rides on it, how often numbers come.

axes = Axes(region, (1.0, 9.0), (Words("p"), Words("loss")))
curve = Curve(axes, shares, -np.log(shares))            # any line: Draw(curve) draws it
rider = Rider(axes, lambda share: -np.log(share))       # a point on it, on a stem
yield Vary(rider.ride_to, 1.0, 0.5)
halvings = Halvings(axes, loss, times=3, told=True)     # how much more each half of a chance costs
often = Histogram(sums, (0.0, -2.0), unit=0.4, height=1.5)
yield Vary(often.pile, 0, 1)                            # all numbers come together
yield Vary(often.divide, 1, 4)                          # every number is divided, up to by four
bell = Bell(sums, (0.0, -2.0), unit=0.4, height=1.5)    # the same with its sides and its spread
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

import numpy as np
from manim import Dot, Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.text import Glyphs, Number, Words
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    HAIR,
    INK,
    NAMED_SIZE,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    Role,
)
from scenes.verbs import Vary, Verb

Floats: TypeAlias = NDArray[np.float64]

REACH = 3.0  # standard deviations either side of zero, of what a histogram shows
BINS = 31
WAIST = 0.6  # of its height: there a bell reaches as far as its spread
DOT = 0.13  # scene units, the radius of a point on a curve
STEM = 0.14  # scene units, the thickness of what it stands on


class Axes(VGroup):
    """Two axes from (0, 0), one corner of a region, as far as the opposite one, which is `most`.

    x runs to the right and y up; with `turned`, x runs down from the upper left and y right. The
    numerals of `ticks`, places on the axis of x, and the names at the axes' ends stand outside.

    The parts: `lines`, `names` and `ticks`, x before y.
    """

    def __init__(
        self,
        region: Region,
        most: tuple[float, float],
        names: tuple[Glyphs, Glyphs],
        ticks: Sequence[Value] = (),
        *,
        turned: bool = False,
    ) -> None:
        self.region, self.most, self.turned = region, most, turned
        quiet = theme.color(QUIET)
        ends = self.at(most[0], 0.0), self.at(0.0, most[1])
        self.lines = [
            Line(self.at(0.0, 0.0), end, stroke_color=quiet, stroke_width=THIN_LINE) for end in ends
        ]
        self.names = list(names)
        beyond = (DOWN, RIGHT) if turned else (RIGHT, UP)
        for name, end, side in zip(names, ends, beyond, strict=True):
            name.next_to(end, side, buff=HAIR + DOT)
        self.ticks = [
            Number(tick, 0 if tick.number % 1 == 0 else 1, PLAIN_SIZE, QUIET) for tick in ticks
        ]
        for tick in self.ticks:
            place = self.at(tick.value.number, 0.0)
            tick.next_to(place, LEFT if turned else DOWN, buff=HAIR + DOT)
        super().__init__(*self.lines, *self.ticks, *self.names)

    def at(self, x: float, y: float) -> Point3D:
        """Return where a point of the plane stands on the stage."""
        along, off, box = x / self.most[0], y / self.most[1], self.region
        if self.turned:
            return np.array([box.left + off * box.width, box.top - along * box.height, 0.0])
        return np.array([box.left + along * box.width, box.bottom + off * box.height, 0.0])


class Curve(VMobject):
    """A line through points of a plane, whose coordinates are `across` and `up`, as on axes."""

    def __init__(self, axes: Axes, across: Floats, up: Floats, role: Role = INK) -> None:
        super().__init__(stroke_width=BOLD_LINE, stroke_color=theme.color(role))
        points = [axes.at(float(x), float(y)) for x, y in zip(across, up, strict=True)]
        self.set_points_as_corners(np.array(points))


class Rider(VGroup):
    """A point of a function's curve, `dot`, with a `stem` from the axis of x as long as y is."""

    def __init__(
        self,
        axes: Axes,
        function: Callable[[float], float],
        x: float = 1.0,
        *,
        role: Role = ACCENT,
        stem: Role = POSITIVE,
    ) -> None:
        self.axes, self.function = axes, function
        self.dot = Dot(radius=DOT, color=theme.color(role))
        color = theme.color(stem)
        self.stem = VMobject(stroke_width=0, fill_color=color, fill_opacity=STRONGEST_FILL)
        super().__init__(self.stem, self.dot)
        self.ride_to(x)

    def ride_to(self, x: float) -> None:
        """Stand at another place on the curve."""
        foot, tip = self.axes.at(x, 0.0), self.axes.at(x, self.function(x))
        half = STEM / 2 * (UP if self.axes.turned else RIGHT)
        corners = [foot - half, tip - half, tip + half, foot + half, foot - half]
        self.stem.set_points_as_corners(np.array(corners))
        self.dot.move_to(tip)


class Halvings(VGroup):
    """Halves of one on the axis of x, each of half the one before, and what each adds to y.

    Parts, one for each: `lines` from the axis of y to the curve `of` halves, and `told`, the words
    beside them: what one is halved to, where there is room for it, and what that adds.
    """

    def __init__(self, axes: Axes, of: Callable[[Value], Value], times: int, *, told: bool) -> None:
        self.axes, self.added = axes, of(constant(0.5, "half of a chance"))
        halvings = range(1, times + 1)
        ends = [(0.5**halving, halving * self.added.number) for halving in halvings]
        self.lines = [Line(axes.at(0.0, y), axes.at(x, y)) for x, y in ends]
        for line in self.lines:
            line.set_stroke(theme.color(QUIET), THIN_LINE)
        step = axes.at(0.0, self.added.number)[1] - axes.at(0.0, 0.0)[1]
        self.told = [self._words(halving, step, told=told) for halving in halvings]
        super().__init__(*self.lines, *chain(*self.told))

    def _words(self, halving: int, step: float, *, told: bool) -> list[Words]:
        parts = constant(1, "one chance"), constant(2**halving, "parts of it")
        under = Words("{:.0f}/{:.0f}", *parts, size=NAMED_SIZE, role=QUIET)
        under.next_to(self.axes.at(0.5**halving, 0.0), DOWN, buff=2 * HAIR)
        more = Words("+{:.1f}", self.added, size=SPOKEN_SIZE)
        if told and step > more.em:
            middle = self.axes.at(0.0, (halving - 0.5) * self.added.number)
            more.next_to(middle, RIGHT, buff=HAIR)
        else:
            more.move_to(self.lines[halving - 1].get_end() + 2 * HAIR * RIGHT, LEFT + DOWN)
        return [under, more] if told else [more]


class Slider(VGroup):
    """A number that can be set: its name, a knob on a line, and `stops` written under that.

    The line is marked at every whole number.
    """

    def __init__(
        self, region: Region, stops: Sequence[Value], value: float = 1.0, name: Glyphs | None = None
    ) -> None:
        self.numbers, self.region = sorted(stop.number for stop in stops), region
        if name:
            name.move_to((region.left, region.top, 0), LEFT)
            self.region = replace(region, left=float(name.get_right()[0]) + 4 * DOT)
        left, right = self._at(self.numbers[0]), self._at(self.numbers[-1])
        self.line = Line(left, right, stroke_color=theme.color(QUIET), stroke_width=BOLD_LINE)
        whole = range(int(self.numbers[0]), int(self.numbers[-1]) + 1)
        marks = (Line(UP * DOT, DOWN * DOT).move_to(self._at(each)) for each in whole)
        self.marks = VGroup(*marks).set_stroke(theme.color(QUIET), BOLD_LINE)
        self.knob = Dot(radius=1.5 * DOT, color=theme.color(ACCENT))
        self.stops = [Number(stop, 0, NAMED_SIZE) for stop in stops]
        for stop in self.stops:
            stop.next_to(self._at(stop.value.number), DOWN, buff=2 * DOT)
        super().__init__(self.line, self.marks, *self.stops, self.knob, *([name] if name else []))
        self.set_to(value)

    def set_to(self, value: float) -> None:
        """Move the knob to a number."""
        self.knob.move_to(self._at(value))

    def slide(self, start: float, end: float, run_time: float = SLOW) -> Verb:
        """Return how the knob goes from one number to another, through those between them."""
        return Vary(self._warm, start / (start + 1), end / (end + 1), run_time)

    def _warm(self, place: float) -> None:
        self.set_to(place / (1 - place))

    def _at(self, value: float) -> Point3D:
        box = self.region
        share = np.interp(value, (self.numbers[0], self.numbers[-1]), (0, 1))
        return np.array([box.left + float(share) * box.width, box.top, 0.0])


def counted_within(numbers: NDArray[np.floating]) -> tuple[float, float]:
    """Return from where to where a `Histogram` counts numbers."""
    middle, reach = float(np.mean(numbers)), REACH * (float(np.std(numbers)) or 1.0)
    return middle - reach, middle + reach


class Histogram(VMobject):
    """How often numbers come, as a filled outline on its baseline; `foot` is (x, y) of zero there.

    A difference of one is `unit` scene units wide, the most frequent bin `height` high. Only what
    is `within` two numbers is drawn.
    """

    def __init__(
        self,
        numbers: NDArray[np.floating],
        foot: tuple[float, float],
        unit: float,
        height: float,
        bins: int = BINS,
        *,
        role: Role = POSITIVE,
        within: tuple[float, float] = (-np.inf, np.inf),
    ) -> None:
        color = theme.color(role)
        super().__init__(
            stroke_width=THIN_LINE,
            stroke_color=color,
            fill_color=color,
            fill_opacity=STRONGEST_FILL,
        )
        self.foot, self.unit = np.array([*foot, 0.0]), unit
        self._off, self._by, self._share = 0.0, 1.0, 1.0
        edges = np.linspace(*counted_within(numbers), bins + 1)
        often, _ = np.histogram(numbers, edges)
        edges = edges.clip(*within)
        tall = height * often / max(often.max(), 1) * (np.diff(edges) > 0)
        across, heights = np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(tall, 2), [0.0]])
        self._outline = np.column_stack([across, heights, np.zeros(len(across))])
        self._draw()

    def slide(self, off: float) -> None:
        """Show the numbers plus another one."""
        self._off = off
        self._draw()

    def divide(self, by: float) -> None:
        """Show the numbers divided by another one."""
        self._by = by
        self._draw()

    def pile(self, share: float) -> None:
        """Show only a share of the numbers, 0 to 1."""
        self._share = share
        self._draw()

    def _draw(self) -> None:
        moved = self._outline + (self._off, 0.0, 0.0)
        corners = self.foot + moved * (self.unit / self._by, self._share, 1.0)
        self.set_points_as_corners(np.vstack([corners, corners[:1]]))


class Bell(VGroup):
    """How often numbers come, below zero and above it; `spread` is a line from zero, as long.

    Where the line stands, a bell reaches about as far as its spread.
    """

    def __init__(
        self,
        numbers: NDArray[np.floating],
        foot: tuple[float, float],
        unit: float,
        height: float,
    ) -> None:
        self.unit, self.high = unit, height
        halves = (NEGATIVE, (-np.inf, 0.0)), (POSITIVE, (0.0, np.inf))
        self.sides = [
            Histogram(numbers, foot, unit, height, role=role, within=within)
            for role, within in halves
        ]
        self.strays = float(np.std(numbers))
        self.spread = Line().set_stroke(theme.color(INK), 2 * BOLD_LINE)
        super().__init__(*self.sides, self.spread)
        self.put(foot[1], unit, height)

    def pile(self, share: float) -> None:
        """Show only a share of the numbers, 0 to 1."""
        for each in self.sides:
            each.pile(share)

    def put(self, low: float, unit: float, height: float) -> None:
        """Stand at another level and be as wide and high as this."""
        for each in self.sides:
            each.foot[1], each.unit = low, unit
        self.pile(height / self.high)
        start = self.sides[0].foot + WAIST * height * UP
        self.spread.put_start_and_end_on(start, start + unit * self.strays * RIGHT)
