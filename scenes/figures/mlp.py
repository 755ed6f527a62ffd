"""A token's way through an MLP: numbers that weigh a matrix, are bent, and weigh another one.

    bend = Bend((before, after), (along, bowed), rows, region, told)
    yield bend.to(bend.on_curve, bend.bowed)                    # the line bends, with all points

It knows no model: numbers are given, and drawn as pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from manim import Circle, Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Filled, in_space, polygons
from scenes.mobjects.signs import hue, levels, strength_of
from scenes.mobjects.text import Words, em_of
from scenes.mobjects.vector import LEVELS
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    NEGATIVE,
    OUTPUT,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import Become, Together

Floats = NDArray[np.float64]

INSIDE = 0.03  # of a region's shorter side, around a curve
DOT, RING = 0.22, 0.25  # scene units, the side of a number on a curve, a ring's radius
SILENT = 0.06  # of the largest number: what is less has no colour
SMALLER = 0.7  # of its size, what is told of a point
NARROWEST, LINE = 5.0, 1.5  # ems: of a room for what is told of a point; the height of a line
BOX = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2


@dataclass(frozen=True)
class Ways:
    """What goes through an MLP: `x` (D,), weights (D, M), `wide` (M,), weights (M, D), `out` (D,).

    `more` (M,) are the numbers that multiply the bent ones, if there are some.
    """

    x: Floats
    first: Floats
    wide: Floats
    second: Floats
    out: Floats
    more: Floats | None = None


class Bend(VGroup):
    """Numbers as points on a line, which bends: what is left of each.

    `numbers` are (M,), before and after, of which those that are `drawn` are points; `curve` is x
    and y of its points; `rows` are where these lie before and after, (drawn, 2), and how large they
    are there; `told` are two of them.
    Parts: `entries`, which lie in the first row, `curve`, the `ghost` of the straight line, `axes`,
    the words on a `yes` and on a `no`, those two, `rings` about their points, and the `fall` of the
    no from the ghost. The twins of `entries` are `on_line` and `on_curve`, and `lying`, where they
    lie in the second row with the colours of what is left of them; those of `curve` are `straight`
    and `bowed`. The points of `heard` are above zero; `picture` is all but points, rings and fall.
    """

    def __init__(
        self,
        numbers: tuple[Tensor, Tensor],
        curve: tuple[Floats, Floats],
        rows: Sequence[tuple[Floats, tuple[float, float]]],
        region: Region,
        told: tuple[int, int],
        *,
        drawn: Sequence[int],
    ) -> None:
        (x, y), (along, bowed) = (each.double[[*drawn]] for each in numbers), curve
        most = max(float(np.abs(each).max()) for each in (x, y))
        region = region.inset(INSIDE * min(region.width, region.height))
        self._corner, self._low = np.array([region.left, region.bottom]), along[0]
        self._unit = np.array([region.width, region.height]) / np.ptp(along)
        self.curve, self.straight, self.bowed = (
            VMobject(stroke_color=theme.color(OUTPUT), stroke_width=BOLD_LINE) for _ in range(3)
        )
        lines = self.curve, self.straight, self.bowed
        for line, heights in zip(lines, (along, along, bowed), strict=True):
            line.set_points_as_corners(self._points_at(along, heights))
        ends, zero = along[[0, -1]], np.zeros(2)
        cross = (Line(*self._points_at(*pair)) for pair in ((ends, zero), (zero, ends)))
        self.axes = VGroup(*cross).set_stroke(theme.color(QUIET), THIN_LINE)
        self.axes.add(*self._axis_names())
        self.ghost = self.straight.copy().set_stroke(theme.color(QUIET), THIN_LINE)
        before, after = (levels(each, most, LEVELS, SILENT) for each in (x, y))
        looks = np.stack([x < 0, before, y < 0, after], axis=-1).astype(int)
        self._looks, self._group = np.unique(looks, axis=0, return_inverse=True)
        self.entries, self.lying = self._points(*rows[0]), self._points(*rows[1], is_bent=True)
        self.on_line = self._points(self._at(x, x), (DOT, DOT))
        self.on_curve = self._points(self._at(x, y), (DOT, DOT), is_bent=True)
        self.twins = [self.lying, self.on_line, self.on_curve, self.straight, self.bowed]
        rooms = zip(told, self._rooms(region), strict=True)
        self.yes, self.no = (self._told(*numbers, i, room) for i, room in rooms)
        ring = Circle(RING, stroke_color=theme.color(ACCENT), stroke_width=BOLD_LINE)
        ours, left = (each.double[list(told)] for each in numbers)
        was, points = self._points_at(ours, ours), self._points_at(ours, left)
        self.rings = [ring.copy().move_to(point) for point in points]
        self.fall = Line(was[1], points[1] + DOT * DOWN)
        self.fall.set_stroke(theme.color(NEGATIVE), BOLD_LINE)
        pairs = zip(self._looks.tolist(), self.entries, strict=True)
        self.heard = [part for look, part in pairs if look[3] and not look[2]]
        super().__init__(self.axes, self.ghost, self.fall, self.curve, self.entries, *self.rings)
        self.add(self.yes, self.no)
        self.picture = [self.axes, self.ghost, self.curve, self.yes, self.no]

    def to(self, entries: VGroup, curve: VMobject, run_time: float) -> Together:
        """Return how the points and their line come to be like twins."""
        pairs = (self.entries, entries), (self.curve, curve)
        return Together(Become(*pair, run_time=run_time) for pair in pairs)

    def _axis_names(self) -> list[Words]:
        """Return what is told along both axes, each at its end, clear of the curve."""
        across, up = self.axes
        named = [Words(name, size=SPOKEN_SIZE, role=QUIET) for name in ("before", "after")]
        named[0].next_to(across.get_right(), DOWN, buff=HAIR).align_to(across, RIGHT)
        named[1].next_to(up.get_top(), LEFT, buff=HAIR).align_to(up, UP)
        return named

    def _at(self, x: Floats, y: Floats) -> Floats:
        return np.asarray(self._corner + (np.stack([x, y], axis=-1) - self._low) * self._unit)

    def _points_at(self, x: Floats, y: Floats) -> Floats:
        return in_space(self._at(x, y))

    def _rooms(self, region: Region) -> list[Region]:
        """Return rooms for what is told of a yes and of a no, where no line and no curve comes.

        They are under the one point and over the other, or in one quadrant if one is too narrow;
        under an axis' name, or beside it where that is too low.
        """
        x, y = (float(each) for each in self._at(np.zeros(1), np.zeros(1))[0])
        name, strip = self.axes[-1], LINE * em_of(TITLE_SIZE)
        over = Region(region.left, x, y, float(name.get_bottom()[1])).inset(GAP)
        if over.height < 2 * strip:
            over = Region(region.left, float(name.get_left()[0]), y, region.top).inset(GAP)
        under = Region(x, region.right, region.bottom, y - em_of(SPOKEN_SIZE)).inset(GAP)
        if min(over.width, under.width) < NARROWEST * em_of(TITLE_SIZE):
            return max(over, under, key=lambda room: room.width).rows(2)
        return [replace(under, bottom=under.top - strip), replace(over, top=over.bottom + strip)]

    def _told(self, before: Tensor, after: Tensor, i: int, room: Region) -> Words:
        """Return what becomes of a number."""
        values = before[i].value, after[i].value
        words = Words("{:.1f} \N{RIGHTWARDS ARROW} {:.1f}", *values, size=TITLE_SIZE)
        point, was = self._at(before.double[[i, i]], np.append(after.double[i], before.double[i]))
        right, low = np.maximum(point, was) + (-2 * HAIR, RING + HAIR / 2)  # over the ghost, too
        free = right - self.axes[1].get_x() - GAP
        if SMALLER * words.width < free:  # over the curve, at its ring
            return words.shrink_to(free).move_to((right, low, 0), RIGHT + DOWN)
        room.hold(words.shrink_to(room.width).move_to((point[0], room.center[1], 0)))
        return words

    def _points(
        self, centers: Floats, size: tuple[float, float], *, is_bent: bool = False
    ) -> VGroup:
        """Return the numbers as boxes about centres (n, 2), grouped by how they look both times."""
        corners = centers[:, None] + np.array(size) * BOX
        made = VGroup()
        for group, look in enumerate(self._looks.tolist()):
            is_negative, level = look[2:] if is_bent else look[:2]
            role = hue(-1.0 if is_negative else 1.0)
            part = Filled(polygons(corners[self._group == group]), role, strength_of(level, LEVELS))
            made.add(part.set_stroke(theme.color(role if level else QUIET), THIN_LINE))
        return made
