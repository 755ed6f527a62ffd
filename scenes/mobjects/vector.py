"""A vector: one body that is a row or column of cells, numerals, or an arrow. It knows no meaning.

A cell's strength tells the size of its number, its hue the sign; a cell in the colour of a role (a
query, a key) tells the size alone.

    q = Vector(query.values, (0.9, 0.5), role=QUERY, most=6)
    yield Appear(q.cells, q.brackets)
    yield Appear(q.numbers)
    yield Disappear(q.numbers), Vary(q.aim(origin, tip).straighten, 0, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Self

import numpy as np
from manim import VGroup, VMobject
from manim.constants import UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import number_format, shown_entries
from scenes.mobjects.marks import Brackets
from scenes.mobjects.outlines import polygons
from scenes.mobjects.signs import hue, levels, strength, strength_of
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number
from scenes.presence import presence, set_fill, set_presence
from scenes.provenance import Value, part_of
from scenes.theme import FAINTEST_FILL, HAIR, INK, NAMED_SIZE, QUICK, QUIET, STEADY, Role
from scenes.verbs import Appear, ComeFrom, Flow, Verb

CELL_SHARE = 0.9  # of an entry's room; the rest is the gap to the next cell
DOT_SHARE = 0.07  # an ellipsis dot's radius, of the smaller side of an entry's room
SHAFT = 0.07  # scene units, an arrow's thickness
HEAD = 0.26, 0.13  # scene units, an arrow head's length and half its width
LEVELS = 6  # strengths of a heat picture, each drawn as one path
THINNEST = 0.04  # scene units; entries of a heat picture that were thinner are drawn in part

Floats = NDArray[np.float64]


def inside(room: tuple[float, float]) -> tuple[float, float]:
    """Return the room for a numeral in a cell, of an entry's room."""
    return CELL_SHARE * room[0], CELL_SHARE * room[1]


class Cell(VMobject):
    """A number as a box of `room`, (width, height) in scene units."""

    def __init__(
        self,
        number: float,
        largest: float,
        room: tuple[float, float],
        role: Role | None = None,
    ) -> None:
        self.role, self.largest = role, largest
        super().__init__(stroke_width=0)
        self.points = _one(_box(*inside(room)))
        self.put(number)

    def put(self, number: float) -> None:
        """Show another number at the same place."""
        self.own_role, self.opacity = hue(number, self.role), strength(number, self.largest)
        set_fill(self, theme.color(self.own_role), self.opacity)

    @property
    def ink(self) -> str:
        """The #RRGGBB in which a numeral reads best on the cell."""
        return theme.ink_on(theme.color(self.own_role), self.opacity)


class Vector(VGroup):
    """Numbers side by side, or one under the other if `upright`; `room` is that of one entry.

    Of more than `most` entries the first ones, an ellipsis and the last are drawn; `shown` says
    which. A `label` stands over it; `body` is the rest. `largest` is the number that has the
    strongest fill, by default the largest here and among the values that it comes to `later`; as an
    arrow it has the colour of the role `arrow`, by default its own. The parts are `cells`,
    `numbers` (none without `numerals`), `dots` and `brackets`.
    """

    def __init__(
        self,
        values: Sequence[Value],
        room: tuple[float, float],
        *,
        upright: bool = False,
        role: Role | None = None,
        most: int = 8,
        largest: float = 0.0,
        numerals: bool = True,
        number_size: float = NAMED_SIZE,
        label: VMobject | None = None,
        decimals: int = 2,
        later: Sequence[Value] = (),
        arrow: Role | None = None,
    ) -> None:
        self.arrow = arrow or role or INK
        self.values, self.room, self.role, self.upright = values, room, role, upright
        self.largest = largest or max(abs(value.number) for value in (*values, *later))
        self.shown = shown_entries(len(values), most)
        is_elided = len(self.shown) < len(values)
        self.step = np.array((0.0, -room[1], 0.0) if upright else (room[0], 0.0, 0.0))
        ever = [each[i] for each in (values, later) if each for i in self.shown]
        form = number_format(ever, inside(room), number_size, decimals)
        self._set_cells(form.decimals if numerals else 0)
        places = len(self.shown)
        self.dots = VGroup(*([ellipsis((places - 1) * self.step, self.step)] * is_elided))
        if is_elided:
            self._cells[-1].shift(self.step)
        self._numbers = [
            Number(values[i], form.decimals, form.size).set_color(cell.ink).move_to(cell)
            for i, cell in zip(self.shown, self._cells, strict=True)
            if numerals
        ]
        self.numbers = VGroup(*self._numbers)
        self.brackets = Brackets(VGroup(self.cells, self.dots), role or INK)
        self.head = VMobject(stroke_width=0, fill_color=theme.color(self.arrow), fill_opacity=1)
        self.head.points = _one(np.repeat([self._cells[-1].get_center()[:2]], 3, axis=0))
        self.body = VGroup(self.brackets, self.cells, self.dots, self.numbers, self.head)
        self.label = VGroup() if label is None else label.next_to(self.body, UP, buff=HAIR)
        super().__init__(self.body, self.label)
        self.center()

    def _set_cells(self, decimals: int) -> None:
        """Make a cell for each entry shown; what is written as zero, such as 0.00, has no sign."""
        seen = [self.values[i].number for i in self.shown]
        if decimals:
            seen = [number if round(number, decimals) else 0.0 for number in seen]
        self._cells = [Cell(each, self.largest, self.room, self.role) for each in seen]
        for place, cell in enumerate(self._cells):
            cell.move_to(place * self.step)
        self.cells = VGroup(*self._cells)

    @property
    def parts(self) -> list[VGroup | VMobject]:
        """What it is made of, each cell with its numeral, in the order in which one reads it."""
        numbers = [*self._numbers, *[None] * (len(self._cells) - len(self._numbers))]
        pairs = zip(self._cells, numbers, strict=True)
        entries = [VGroup(cell, number) if number else cell for cell, number in pairs]
        return [self.brackets, *entries, *self.dots]

    def cell(self, entry: int) -> Cell:
        """Return the cell of an entry that is drawn, by its index in the values."""
        return self._cells[self.shown.index(entry)]

    def number(self, entry: int) -> Number:
        """Return the numeral of an entry that is drawn."""
        return self._numbers[self.shown.index(entry)]

    def come_out_of(self, place: Point3D) -> Flow:
        """Return how the cells come out of a point, the farthest first, so that none is crossed."""
        parts = sorted(self.parts[1:], key=lambda part: -_off(part, place))
        coming = (ComeFrom(part, place, QUICK) for part in parts)
        return Flow((Appear(self.brackets), *coming), QUICK)

    def put(self, values: Sequence[Value]) -> None:
        """Show other values."""
        self.values = list(values)
        self.bend(np.array([value.number for value in values]))
        for i, number in zip(self.shown, self._numbers, strict=False):
            number.put(values[i])

    def bend(self, numbers: Floats) -> None:
        """Show numbers on the way from one value to another; `put` ends it."""
        for i, cell in zip(self.shown, self._cells, strict=True):
            cell.put(float(numbers[i]))
        for i, cell, number in zip(self.shown, self._cells, self._numbers, strict=False):
            number.put(part_of(self.values[i], float(numbers[i]))).move_to(cell)
            set_fill(number, cell.ink)

    def aim(self, start: Point3D, tip: Point3D) -> Self:
        """Say where the arrow begins and ends that the cells become; see `straighten`.

        Of the two orders along the arrow, cells take the one in which their ways are the shorter.
        """
        begin, end = np.array(start, dtype=np.float64), np.array(tip, dtype=np.float64)
        length = max(float(np.linalg.norm(end - begin)), 1e-6)
        neck = end - (end - begin) / length * min(HEAD[0], length)
        cuts = np.linspace(begin, neck, len(self._cells) + 1)
        rods = [_rod(*between) for between in pairwise(cuts)]
        self._lying = [cell.points.copy() for cell in self._cells]
        ordered = rods, rods[::-1]
        ways = [[_nearest(*pair) for pair in zip(self._lying, o, strict=True)] for o in ordered]
        self._rods = min(ways, key=lambda way: _distance(self._lying, way))
        self._heads = self.head.points.copy(), arrow_head(neck, end)
        return self

    def straighten(self, share: float) -> None:
        """Be the cells (0), the arrow (1), or between; what is no cell goes with them.

        `aim` comes before it, while the cells lie where they come from.
        """
        for cell, lying, rod in zip(self._cells, self._lying, self._rods, strict=True):
            cell.points = (1 - share) * lying + share * rod
            own = (1 - share) * cell.opacity + share
            blend = theme.mix(theme.color(self.arrow), theme.color(cell.own_role), share)
            set_fill(cell, blend, own)
        before, after = self._heads
        self.head.points = (1 - share) * before + share * after
        for part in (*self.brackets, *self.dots, *self.numbers):
            set_presence(part, min(presence(part), max(0.0, 1 - 3 * share)))


class Swing(Verb):
    """A space's arrow comes from a line, (2, 2), on which a vector lay; or goes `out` to it."""

    def __init__(self, arrow: Arrow, line: NDArray[np.floating], *, out: bool = False) -> None:
        super().__init__(arrow, run_time=STEADY)
        self.arrow, self.line, self.out = arrow, line, out

    def start(self) -> None:
        """Remember where it stands in its space."""
        self.own = np.array([self.arrow.tail, self.arrow.tip])

    def change(self, share: float) -> None:
        """Turn it and set its place and length."""
        share = 1 - share if self.out else share
        middle = (1 - share) * self.line.mean(axis=0) + share * self.own.mean(axis=0)
        one, other = (complex(*(tip - tail)) for tail, tip in (self.line, self.own))
        way = one * (other / one) ** share
        half = np.array([way.real, way.imag]) / 2
        self.arrow.point(middle - half, middle + half)


class Heat(VGroup):
    """Numbers (rows, columns) as a picture without numerals, `size` scene units wide and high.

    Hue tells the sign, or is that of a role; strength tells the size, in `LEVELS` steps. With
    `least`, an entry below that share of the largest has no fill, and small ones are faint. Where
    entries would be thinner than `thinnest` scene units, every second, third, ... one stands for
    its neighbours.
    """

    def __init__(
        self,
        numbers: NDArray[np.floating],
        size: tuple[float, float],
        role: Role | None = None,
        largest: float = 0.0,
        *,
        least: float = 0.0,
        thinnest: float = THINNEST,
    ) -> None:
        grid = np.atleast_2d(np.asarray(numbers, dtype=np.float64))
        largest = largest or float(np.abs(grid).max()) or 1.0
        steps = [
            max(1, int(np.ceil(n * thinnest / side)))
            for n, side in zip(grid.shape, size[::-1], strict=True)
        ]
        grid = grid[:: steps[0], :: steps[1]]
        rows, columns = grid.shape
        width, height = size[0] / columns, size[1] / rows
        shown = levels(grid, largest, LEVELS, least)
        super().__init__()
        for is_negative in (False, True):
            for level in range(LEVELS + 1):
                found = np.argwhere((shown == level) & ((grid < 0) == is_negative))
                if len(found):
                    centers = found[:, ::-1] * (width, -height) + (width, -height) * np.array(0.5)
                    color = theme.color(hue(-1.0 if is_negative else 1.0, role))
                    faintest = 0.0 if least else FAINTEST_FILL
                    opacity = strength_of(level, LEVELS, faintest)
                    boxes = VMobject(stroke_width=0, fill_color=color, fill_opacity=opacity)
                    corners = _box(width, height)[None] + centers[:, None]
                    boxes.points = polygons(corners)
                    self.add(boxes)
        self.center()


def arrow_head(base: Floats, tip: Floats) -> Floats:
    """Return the points of an arrow's head between two points, as wide as its length asks."""
    along = tip - base
    length = max(float(np.linalg.norm(along)), 1e-6)
    across = np.array((-along[1], along[0], 0.0)) / length * HEAD[1] * min(1.0, length / HEAD[0])
    return _one(np.array([base + across, tip, base - across])[:, :2])


def _off(part: VMobject, place: Point3D) -> float:
    return float(np.linalg.norm(part.get_center() - place))


def ellipsis(center: Floats, step: Floats) -> VMobject:
    """Return three dots about a point, in the direction of a step from one entry to the next."""
    dots = VMobject(stroke_width=0, fill_color=theme.color(QUIET), fill_opacity=1)
    radius = DOT_SHARE * min(0.8, float(np.linalg.norm(step)))
    angles = np.linspace(0, 2 * np.pi, 13)[:-1]
    rim = radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    dots.points = np.concatenate(
        [_one(rim + (center + share * step)[:2]) for share in (-0.25, 0.0, 0.25)]
    )
    return dots


def _box(width: float, height: float) -> Floats:
    """Return the corners of a box about the origin: (4, 2)."""
    return np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * (width / 2, height / 2)


def _rod(start: Floats, end: Floats) -> Floats:
    """Return the corners of a thin box from one point to another: (4, 2)."""
    along = end - start
    across = np.array((-along[1], along[0], 0.0)) / max(float(np.linalg.norm(along)), 1e-6)
    half = SHAFT / 2 * across
    return np.array([start + half, end + half, end - half, start - half])[:, :2]


def _nearest(outline: Floats, corners: Floats) -> Floats:
    """Return a polygon that begins at that corner from which another one becomes it untwisted."""
    turned = [_one(np.roll(corners, by, axis=0)) for by in range(len(corners))]
    return min(turned, key=lambda points: _distance([outline], [points]))


def _distance(some: Sequence[Floats], others: Sequence[Floats]) -> float:
    return sum(float(((a - b) ** 2).sum()) for a, b in zip(some, others, strict=True))


def _one(corners: Floats) -> Floats:
    """Return cubic curves along the sides of one polygon (n, 2): (4 n, 3)."""
    return polygons(corners[None])
