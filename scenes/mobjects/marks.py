"""Marks: what points at, encloses or closes off something else. They know nothing of what it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Mobject, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UL
from manim.typing import Point3D, Vector3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Rounded, in_space
from scenes.mobjects.text import Words
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    HAIR,
    INK,
    PANEL,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    VALUE,
    Role,
)

FINE = 0.2  # scene units; between smaller cells of a staircase no lines are drawn
FEW = 7  # rows of a staircase whose cells are as large as there is room
HATCH_PITCH = 0.16  # scene units between two lines, in a cell of one unit
HATCH_OPACITY = 0.6
BRACE_DEPTH = 0.22  # from its ends to its point, in scene units
RASTER = 0.6  # of the fill of a square of pairs
ANGLE_SIDE = 0.4  # scene units, of the mark of an angle
OPPOSITE = 0.999  # the sine of half the angle of two ways that are as good as opposite
HIGH, WIDEST = 0.28, 24.0  # of its length, an arc over words; its width for all attention
NOTHING = 0.05  # of all attention: what gets less has no arc
BRACKET_DEPTH = 0.12  # how far a bracket's ends reach inwards, in scene units


class Ring(Rounded):
    """The one way to point at something: a bold line around a mobject, `buff` scene units off.

    Where a camera comes near, the line's round corners would be too large: then `corner` is 0.
    """

    def __init__(
        self, around: Mobject, buff: float = 0.0, role: Role = ACCENT, corner: float = CORNER
    ) -> None:
        size = around.width + 2 * buff, around.height + 2 * buff
        super().__init__(corner, *size, color=theme.color(role), stroke_width=BOLD_LINE)
        self.move_to(around)


class Bubble(VGroup):
    """What somebody says, in the colour of a role; its tail ends at the speaker, once it points.

    Parts: the `plate`, and `said`, the words and the tail.
    """

    def __init__(self, said: str, role: Role, at: Mobject, speaker: Mobject) -> None:
        words = Words("{}", said, size=SPOKEN_SIZE).move_to(at)
        self.plate = Ring(words, 1.5 * HAIR, role).set_fill(theme.color(PANEL), 1)
        self.tail = VMobject(stroke_width=0, fill_color=theme.color(role), fill_opacity=1)
        self.said, self.speaker = VGroup(self.tail, words), speaker
        super().__init__(self.tail, self.plate, words)

    def point(self) -> None:
        """Let the tail reach from where the plate stands now to the speaker."""
        end, free = self.speaker.get_top(), self.plate.width / 2 - 2 * HAIR
        aside = float(np.clip(end[0] - self.plate.get_x(), -free, free))
        edge = self.plate.get_bottom() + aside * RIGHT
        self.tail.set_points_as_corners([edge + HAIR * LEFT, edge + HAIR * RIGHT, end, edge])


class Hatch(VMobject):
    """Diagonal lines that fill a mobject's box, but for a window in its middle. One path.

    The window, of (width, height) in scene units, keeps lines from crossing what stands there.
    """

    def __init__(self, over: Mobject, window: tuple[float, float] = (0.0, 0.0)) -> None:
        super().__init__(
            stroke_width=THIN_LINE / 2,
            stroke_color=theme.color(QUIET),
            stroke_opacity=HATCH_OPACITY,
        )
        half, high = over.width / 2, over.height / 2
        free, low = min(window[0] / 2, half), min(window[1] / 2, high)
        boxes = [(-half, -free, -high, high), (free, half, -high, high)]
        boxes += [(-free, free, low, high), (-free, free, -high, -low)] if free else []
        pitch = HATCH_PITCH * min(1.0, 2 * half, 2 * high)
        for left, right, bottom, top in boxes:
            for at in np.arange(-half - high, half + high, pitch):
                start, end = max(left, bottom + at), min(right, top + at)
                if end - start > pitch / 4:
                    self.start_new_path(np.array((start, start - at, 0.0)))
                    self.add_line_to(np.array((end, end - at, 0.0)))
        self.shift(over.get_center())


class Staircase(VGroup):
    """A row of cells for each of so many, a cell for itself and each before it, in a role's colour.

    It is as wide and as high as `side`. While rows come, the latest one is in the accent. With
    `grow_to`, the first ones come in large cells, which shrink as soon as there is no more room.
    """

    def __init__(self, number: int, side: float, role: Role) -> None:
        self.number, self.cells = number, float(number)
        self.room = Square(side, stroke_width=0, fill_opacity=0)  # that of all rows
        plate = VMobject(stroke_width=0, fill_color=theme.color(role), fill_opacity=RASTER)
        rules = VMobject(stroke_width=THIN_LINE / 2, stroke_color=theme.color(BACKGROUND))
        lit = VMobject(stroke_width=0, fill_color=theme.color(ACCENT))
        lit.set_fill(opacity=float(role is not ACCENT))
        super().__init__(plate, lit, rules, self.room)
        self.rows_to(number)

    def grow_to(self, rows: float) -> None:
        """Show the first rows, in cells as large as they have room for, or a few of them."""
        self.cells = max(rows, min(FEW, self.number))
        self.rows_to(rows)

    def rows_to(self, rows: float) -> None:
        """Show the first rows, the last of them in part."""
        plate, lit, rules, room = self.submobjects
        corner, cell = room.get_corner(UL), room.width / self.cells
        whole, begun = int(rows), int(np.ceil(rows))
        steps = [(x, y) for x in range(whole, 0, -1) for y in (x, x - 1)]
        ends = np.array([(0, 0), (0, rows), (begun, rows), (begun, whole), *steps, (0, 0)])
        plate.set_points_as_corners(corner + cell * (ends[:, :1] * RIGHT + ends[:, 1:] * DOWN))
        latest = min(rows, 1.0) * (rows < self.number)  # as broad as a cell, until all are there
        edge = np.array([(0, rows - latest), (begun, rows - latest), (begun, rows), (0, rows)])
        ends = np.array([*edge, edge[0]])
        lit.set_points_as_corners(corner + cell * (ends[:, :1] * RIGHT + ends[:, 1:] * DOWN))
        rules.clear_points()
        for place in range(1, begun * (cell > FINE)):
            step = corner + place * cell * (RIGHT + DOWN)
            for way in (place * LEFT, (rows - place) * DOWN):
                rules.start_new_path(step)
                rules.add_line_to(step + cell * way)


class Brace(VMobject):
    """A curly brace along one side of a mobject, its point away from it. One path."""

    def __init__(self, beside: Mobject, side: Vector3D = DOWN, buff: float = HAIR) -> None:
        super().__init__(stroke_width=BOLD_LINE / 2, stroke_color=theme.color(INK))
        along = np.array((abs(side[1]), abs(side[0]), 0.0))
        corner = beside.get_edge_center(side) + buff * side
        half = float(np.dot(along, (beside.width, beside.height, 0.0))) / 2
        start, end = corner - half * along, corner + half * along
        point = corner + BRACE_DEPTH * side
        bend = min(BRACE_DEPTH / 2, half / 2)
        for one, way in ((start, along), (end, -along)):
            self.start_new_path(one)
            shoulder = one + bend * way + bend * side
            self.add_quadratic_bezier_curve_to(one + bend * side, shoulder)
            waist = point - bend * way - (BRACE_DEPTH - bend) * side
            self.add_line_to(waist)
            self.add_quadratic_bezier_curve_to(point - (BRACE_DEPTH - bend) * side, point)

    @property
    def point(self) -> Point3D:
        """Where the brace points to: its label stands next to it."""
        return np.array(self.points[-1])


class Brackets(VGroup):
    """Rounded brackets to the left and right of a mobject, as tall as it is."""

    def __init__(self, inside: Mobject, role: Role = INK) -> None:
        tall = inside.height + HAIR
        self.opening, self.closing = _bracket(tall, -1, role), _bracket(tall, 1, role)
        self.opening.next_to(inside, LEFT, buff=HAIR)
        self.closing.next_to(inside, RIGHT, buff=HAIR)
        super().__init__(self.opening, self.closing)


def arch(start: Point3D, end: Point3D, high: float, width: float) -> VMobject:
    """Return attention's curve from one point to another, so high above them, as a bold line."""
    up = np.array((0.0, 4 / 3 * high, 0.0))
    curve = VMobject(stroke_color=theme.color(VALUE), stroke_width=width)
    curve.points = np.array([start, start + up, end + up, end])
    return curve


def arches(starts: Sequence[Mobject], end: Mobject, high: float, width: float) -> list[VMobject]:
    """Return such curves from the tops of mobjects to another one's, the longest one so high."""
    last = end.get_top()
    long = [float(np.linalg.norm(last - each.get_top())) for each in starts]
    tall = (high * each / max(long) for each in long)
    return [arch(x.get_top(), last, up, width) for x, up in zip(starts, tall, strict=True)]


def ways(words: Sequence[Mobject], asker: int, shares: NDArray[np.floating]) -> list[VMobject]:
    """Return arcs to a word from those before it, as wide as its attention, on a single line."""
    if np.ptp([word.get_y() for word in words]) > HAIR:
        return []
    end, before = words[asker].get_top(), zip(words[:asker], shares, strict=False)
    starts = [(word.get_top(), float(share)) for word, share in before if share > NOTHING]
    return [
        arch(start, end, HIGH * abs(end - start)[0], max(WIDEST * share, THIN_LINE))
        for start, share in starts
    ]


def corner(
    vertex: NDArray[np.float64], ways: NDArray[np.float64], told: Mobject, *, is_round: bool
) -> VMobject:
    """Return the mark of the angle between two ways, (2, 2): an arc, or a right angle's.

    What is `told` of it is put beyond it, between both ways, as far out as it is clear of them.
    """
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    along, up = ways / np.maximum(lengths, 1e-6)
    path = np.array([along, along + up, up])
    if is_round:
        path = along + np.linspace(0, 1, 24)[:, None] * (up - along)
        path /= np.maximum(np.linalg.norm(path, axis=1, keepdims=True), 1e-6)
    mark = VMobject(stroke_width=BOLD_LINE, stroke_color=theme.color(INK))
    mark.set_points_as_corners(in_space(vertex + ANGLE_SIDE * path))
    middle, half = along + up, float(np.linalg.norm(up - along)) / 2  # the sine of half the angle
    if half > OPPOSITE:
        middle = np.array((-along[1], along[0]))
    aside = float(np.hypot(told.width, told.height)) / 2 + HAIR
    reach = float(np.linalg.norm(path[len(path) // 2])) * ANGLE_SIDE
    out = min(max(reach + aside, aside / max(half, 1e-6)), float(lengths.max()) + aside)
    middle = middle / max(float(np.linalg.norm(middle)), 1e-6)
    told.move_to((*(vertex + out * middle), 0.0))
    return mark


def _bracket(height: float, side: int, role: Role) -> VMobject:
    """Return a rounded bracket; `side` is -1 for the opening one, 1 for the closing one."""
    half, depth = height / 2, side * BRACKET_DEPTH
    bracket = VMobject(stroke_width=BOLD_LINE / 2, stroke_color=theme.color(role))
    bracket.start_new_path(np.array((-depth, half, 0.0)))
    bracket.add_quadratic_bezier_curve_to(
        np.array((0.0, half, 0.0)), np.array((0.0, half - BRACKET_DEPTH, 0.0))
    )
    bracket.add_line_to(np.array((0.0, -half + BRACKET_DEPTH, 0.0)))
    bracket.add_quadratic_bezier_curve_to(
        np.array((0.0, -half, 0.0)), np.array((-depth, -half, 0.0))
    )
    return bracket
