"""A token's way through an MLP: numbers that weigh a matrix, are bent, and weigh another one.

    lens = Lens(ways, region, strips=12)
    yield Flow(map(TurnInto, lens.rows, lens.weighed_rows))     # each row by its number
    yield Flow(GoInto(row, lens.wide) for row in lens.weighed_rows)
    bend = Bend((before, after), (along, bowed), lens, region)
    yield bend.to(bend.on_curve, bend.bowed)                    # the line bends, with all points

It knows no model: numbers are given, and drawn as pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from manim import Circle, Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, ORIGIN, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Filled, in_space, polygons
from scenes.mobjects.shades import Shades
from scenes.mobjects.signs import hue, levels, strength_of
from scenes.mobjects.text import Formula, Words, em_of
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import LEVELS, THINNEST, Heat
from scenes.provenance import Tensor, Value, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    OUTPUT,
    PLAIN_SIZE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import Become, Together

Floats = NDArray[np.float64]

COARSE = 0.09  # scene units: entries of a matrix that were smaller are drawn in part
MARGIN, THICK, APART = 0.155, 0.09, 0.04  # of a region's longer side, and of its shorter one
SQUARE = 0.8  # of its width, a region's height, from which on all stands upright
INSIDE = 0.03  # of a region's shorter side, around a curve
DOT = 0.13  # scene units, a number on a curve
SILENT = 0.02  # of the largest number: what is less has no colour
NARROWEST, LINE = 5.0, 1.5  # ems: of a room for what is told of a point; the height of a line
TRAVEL = 0.125  # of an addition's time, that one entry is on its way
TALL, WIDE = 0.75, 0.2  # of a region's shorter side, a vector that is added to another one
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


class Lens(VGroup):
    """One token's way through an MLP, its matrices in true proportion, in a region.

    Its vector `x` stands beside the first matrix, whose `rows` it weighs; they add up to the
    `wide` row, which weighs the `columns` of the second one, and these to `out`; `frames` are the
    empty places of all three. What is weighed by next to nothing loses its colour. In a region
    that is not wide all is turned, and goes to the right.
    """

    def __init__(self, ways: Ways, region: Region, strips: int = 1) -> None:
        self.region = region
        self.is_upright = region.height > SQUARE * region.width
        sides = region.width, region.height
        shorter, longer = sides if self.is_upright else sides[::-1]
        thick, gap, self.margin = THICK * shorter, APART * shorter, MARGIN * longer
        wide, narrow = len(ways.wide), len(ways.x)
        room = longer - 2 * self.margin, (shorter - thick - 2 * gap) / 2
        self.unit = min(room[0] / wide, room[1] / narrow)
        self.size = self.unit * wide, thick
        size, off = (self.size[0], self.unit * narrow), (thick + self.unit * narrow) / 2 + gap
        self.step = step = max(1, int(np.ceil(COARSE / self.unit))) if strips > 1 else 1
        self.rows, self.weighed_rows = (
            _strips(each[::step, ::step], size, strips, off)
            for each in (ways.first, ways.x[:, None] * ways.first)
        )
        self.columns, self.weighed_columns = (
            _strips(each.T[::step, ::step], size, strips, -off, across=True)
            for each in (ways.second, ways.wide[:, None] * ways.second)
        )
        self.x, self.out = (
            Heat(each[:, None], (thick, size[1])).move_to((-(size[0] + thick) / 2 - gap, y, 0))
            for each, y in ((ways.x, off), (ways.out, -off))
        )
        drawn = 0.0 if strips > 1 else THINNEST
        self.wide = Heat(ways.wide, self.size, least=SILENT, thinnest=drawn)
        more = ways.wide if ways.more is None else ways.more
        self.more = Heat(more, (self.size[0], gap)).shift((thick + gap) / 2 * DOWN)
        self.matrices = [*self.rows, *self.columns]
        self.frames = [
            Rectangle(width=across, height=down) for across, down in (size, self.size, size)
        ]
        for frame, y in zip(self.frames, (off, 0.0, -off), strict=True):
            frame.set_stroke(theme.color(QUIET), THIN_LINE / 2).move_to((0, y, 0))
        super().__init__(*self.frames, self.x, *self.matrices, self.wide, self.more, self.out)
        if strips > 1:
            self.add(*self.weighed_rows, *self.weighed_columns)
        if self.is_upright:
            self.rotate(PI / 2, about_point=ORIGIN)
        self.shift(region.center)

    def label(self, near: Sequence[VMobject], name: str, sides: Sequence[Value]) -> VGroup:
        """Return a matrix's formula, and of how many numbers it makes how many, beside it."""
        formula = Formula(f'$W_"{name}"$', TITLE_SIZE)
        size = Words("{} \N{RIGHTWARDS ARROW} {}", *sides, size=SPOKEN_SIZE, role=QUIET)
        label = VGroup(formula, size)
        if self.step > 1:
            step = count(self.step, "entries for each that is drawn")
            label.add(Words("one in {}", step, size=PLAIN_SIZE, role=QUIET))
            label.add(Words("drawn", size=PLAIN_SIZE, role=QUIET))
        label.arrange(RIGHT if self.is_upright else DOWN, buff=GAP)
        if not self.is_upright:
            label.scale(min(1.0, (self.margin - GAP) / label.width))
        label.next_to(VGroup(*near), UP if self.is_upright else RIGHT, buff=GAP)
        self.region.hold(label)
        return label

    def chip(self, piece: str) -> Chip:
        """Return the chip of a token, set beside the wide row, or under its vector."""
        widest = self.region.width / 3 if self.is_upright else self.margin
        chip = Chip(piece, SPOKEN_SIZE, widest=widest)
        if self.is_upright:
            return chip.next_to(self.x, DOWN, buff=GAP)
        return chip.next_to(self.wide, LEFT, buff=GAP)

    def places(self) -> Floats:
        """Return where the entries of the wide row stand, (n, 2)."""
        along = self.unit * (np.arange(round(self.size[0] / self.unit)) + 0.5) - self.size[0] / 2
        flat = np.stack([along, 0 * along], axis=-1)
        return (flat[:, ::-1] if self.is_upright else flat) + self.wide.get_center()[:2]


class Bend(VGroup):
    """The numbers of a lens's wide row as points on a line, which bends: what is left of each.

    `numbers` are (M,), before and after; `curve` is x and y of its points. Parts: `entries`, which
    lie in the row at first, `curve`, `axes`, the words on a `yes` and on a `no`, and `rings` about
    these two points. The twins of
    `entries` are `on_line` and `on_curve`, and `lying`, where they lie in the row again with the
    colours of what is left of them; those of `curve` are `straight` and `bowed`.
    """

    def __init__(
        self,
        numbers: tuple[Tensor, Tensor],
        curve: tuple[Floats, Floats],
        lens: Lens,
        region: Region,
    ) -> None:
        (x, y), (along, bowed) = (each.double for each in numbers), curve
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
        looks = np.stack([x < 0, _levels(x), y < 0, _levels(y)], axis=-1).astype(int)
        self._looks, self._group = np.unique(looks, axis=0, return_inverse=True)
        box = (lens.unit, lens.size[1])
        row = lens.places(), box[::-1] if lens.is_upright else box
        self.entries, self.lying = self._points(*row), self._points(*row, is_bent=True)
        self.on_line = self._points(self._at(x, x), (DOT, DOT))
        self.on_curve = self._points(self._at(x, y), (DOT, DOT), is_bent=True)
        self.twins = [self.lying, self.on_line, self.on_curve, self.straight, self.bowed]
        most, least = int(y.argmax()), int(x.argmin())
        told = zip((most, least), self._rooms(region), strict=True)
        self.yes, self.no = (self._told(*numbers, i, room) for i, room in told)
        ring = Circle(DOT, stroke_color=theme.color(ACCENT), stroke_width=BOLD_LINE)
        points = self._points_at(x[[most, least]], y[[most, least]])
        self.rings = [ring.copy().move_to(point) for point in points]
        super().__init__(self.axes, self.curve, self.entries, *self.rings, self.yes, self.no)

    def to(self, entries: VGroup, curve: VMobject) -> Together:
        """Return how the points and their line come to be like twins."""
        return Together(Become(self.entries, entries), Become(self.curve, curve))

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

        They are under the one point and over the other, or in one quadrant if one is too narrow.
        """
        x, y = (float(each) for each in self._at(np.zeros(1), np.zeros(1))[0])
        over = Region(region.left, x, y, region.top).inset(GAP)
        under = Region(x, region.right, region.bottom, y - em_of(SPOKEN_SIZE)).inset(GAP)
        if min(over.width, under.width) < NARROWEST * em_of(TITLE_SIZE):
            return max(over, under, key=lambda room: room.width).rows(2)
        strip = LINE * em_of(TITLE_SIZE)
        return [replace(under, bottom=under.top - strip), replace(over, top=over.bottom + strip)]

    def _told(self, before: Tensor, after: Tensor, i: int, room: Region) -> Words:
        """Return what becomes of a number."""
        values = before[i].value, after[i].value
        words = Words("{:.1f} \N{RIGHTWARDS ARROW} {:.1f}", *values, size=TITLE_SIZE)
        point = self._at(before.double[[i]], after.double[[i]])[0]
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
            opacity = strength_of(level, LEVELS, 0.0)
            made.add(Filled(polygons(corners[self._group == group]), role, opacity))
        return made


class Sum(VGroup):
    """A token's `vector` and what its MLP has `made`, by one scale, which `add_up` in a region.

    `terms` are these two and their total, (D,); `names` are the token, a plus sign, and the MLP.
    """

    def __init__(
        self, terms: Sequence[Floats], piece: str, region: Region, *, is_upright: bool
    ) -> None:
        side = min(region.width, region.height)
        size, along = (
            ((TALL * side, WIDE * side), DOWN)
            if is_upright
            else ((WIDE * side, TALL * side), RIGHT)
        )
        self.terms = [np.atleast_2d(term) if is_upright else term[:, None] for term in terms]
        largest = max(float(np.abs(term).max()) for term in terms)
        self.vector, self.made = Shades(size, largest), Shades(size, largest)
        plus = Words("+", size=HEADING_SIZE)
        VGroup(self.vector, plus, self.made).arrange(along, buff=3 * GAP).move_to(region.center)
        chip, name = Chip(piece, TITLE_SIZE), Words("MLP", size=TITLE_SIZE, role=OUTPUT)
        chip.next_to(self.vector, -along, buff=2 * GAP)
        name.next_to(self.made, along, buff=2 * GAP)
        self.names = VGroup(chip, plus, name)
        super().__init__(self.vector, self.made, self.names)
        self.add_up(0.0)

    def add_up(self, share: float) -> None:
        """Let what the MLP has made go over to the vector, entry by entry; there it is added."""
        vector, made, total = self.terms
        turns = np.linspace(0, 1 - TRAVEL, vector.size).reshape(vector.shape)
        gone = np.clip((share - turns) / TRAVEL, 0, 1)
        way = (self.vector.get_center() - self.made.get_center())[:2]
        self.vector.paint(np.where(gone < 1, vector, total))
        self.made.paint(made, gone < 1, gone[..., None] * way)


def _levels(numbers: Floats) -> NDArray[np.int_]:
    """Return how strongly each number is drawn, 0 to `LEVELS`, as `Heat` draws it."""
    return levels(numbers, float(np.abs(numbers).max()) or 1.0, LEVELS, SILENT)


def _strips(
    numbers: Floats, size: tuple[float, float], strips: int, y: float, *, across: bool = False
) -> list[Heat]:
    """Return a matrix (rows, columns) as pictures of some rows, or columns, each."""
    largest, axis, (wide, high) = float(np.abs(numbers).max()), int(across), size
    parts = np.array_split(numbers, min(strips, numbers.shape[axis]), axis=axis)
    shares = [len(part.T if across else part) / numbers.shape[axis] for part in parts]
    made = [
        Heat(
            part,
            (wide * share, high) if across else (wide, high * share),
            largest=largest,
            least=SILENT,
        )
        for part, share in zip(parts, shares, strict=True)
    ]
    VGroup(*made).arrange(RIGHT if across else DOWN, buff=0).move_to((0, y, 0))
    return made
