"""A dot product, seen twice: as a length times a shadow, and as products of entries that add up.

Both know vectors and where their numbers come from, and no model. What moves in them is set by
their own settings, as in `Vary(meeting.turn_to, 0, 1)` and `Vary(work.add_up, 0, 1)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import leg, shown_entries
from scenes.mobjects.marks import Brackets
from scenes.mobjects.outlines import lines
from scenes.mobjects.signs import hue
from scenes.mobjects.space import TIP_WIDTH, Arrow
from scenes.mobjects.text import Number, Words, label_of
from scenes.mobjects.vector import Vector
from scenes.provenance import Tensor, Value, cosine, length
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    KEY,
    NEGATIVE,
    POSITIVE,
    QUERY,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
)

SIDE_POINTS = 24  # of a rectangle's outline on each side, so that it can round itself off
SHADOW_LINE = 12.0
SHADOW_DROP = 0.09  # the shadow lies just under the line that it falls on, in scene units
BAND = 0.1  # thickness of the shadow while it swings, in scene units
DASH = 0.11
SWING = 0.4  # of the time in which the area opens
LARGEST_DISC = 0.8  # of the region's shorter side, for a disc's width
ARROW = 1.4  # times as thick as arrows of a crowd
MOST_ENTRIES = 17  # of a vector and its ellipsis, side by side or one under the other
ENTRY_WIDTH = 0.2  # of a narrow region's width, for one entry
NARROWEST, WIDEST, TALLEST = 0.58, 1.4, 0.8  # scene units, an entry
SUM_ROOM = 1.8  # pitches after the last bar, for the sum
SIGNS = (POSITIVE, NEGATIVE)
BAR_SHARE = 0.62  # of the pitch of entries, for the width of a product's bar


class Meeting(VGroup):
    """A query's arrow, and that of one of some keys, in the plane that holds both.

    Their dot product is the area of a rectangle: as long as the query, as high as the key's
    shadow on the query's line. It hangs below the line where the shadow falls forward, and stands
    on it, hollow, where the shadow falls backward. Lengths and angles are true.

    `query` is (n,), `keys` are (n,) each; the first one is drawn, and there is room for all.
    """

    def __init__(self, query: Tensor, keys: Sequence[Tensor], region: Region) -> None:
        long, region = length(query).number, region.inset(ARROW * TIP_WIDTH / 2)  # for heads
        self.ends = np.array([_end(query, key) for key in keys])  # tips, in the vectors' units
        left, right = min(0.0, *self.ends[:, 0]), max(long, *self.ends[:, 0])
        low, high = min(0.0, *-self.ends[:, 0]), max(1e-6, *-self.ends[:, 0], *self.ends[:, 1])
        self.unit = min(region.width / (right - left), region.height / (high - low))
        self.region, self.long = region, self.unit * long
        self.start = region.center - self.unit * np.array((left + right, low + high, 0.0)) / 2
        self.line = Line(stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        free = float(region.right - self.start[0])
        reach = float(region.left - self.start[0]), min(self.unit * right + 2 * GAP, free)
        self.line.set_points_as_corners([self.start + x * RIGHT for x in reach])
        self.query, self.key = Arrow(theme.color(QUERY)), Arrow(theme.color(KEY))
        self.drop = VMobject(stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        self.shadow = VGroup(
            *(Line(stroke_width=SHADOW_LINE, stroke_color=theme.color(role)) for role in SIGNS)
        )
        self.area = VGroup(
            VMobject(stroke_width=0, fill_opacity=1, fill_color=theme.color(POSITIVE)),
            VMobject(stroke_width=BOLD_LINE, stroke_color=theme.color(NEGATIVE)),
        )
        self._query_grown, self._grown, self._place = 1.0, 1.0, 0.0
        self._fallen = self._opened = self._rounded = 0.0
        super().__init__(self.area, self.line, self.drop, self.shadow, self.query, self.key)
        self._draw()

    def grow_query(self, share: float) -> None:
        """Let the query have a share of its length."""
        self._query_grown = share
        self._draw()

    def grow_key(self, share: float) -> None:
        """Let the key have a share of its length."""
        self._grown = share
        self._draw()

    def fall(self, share: float) -> None:
        """Let the shadow be somewhere between the key (0) and the query's line (1)."""
        self._fallen = share
        self._draw()

    def open(self, share: float) -> None:
        """Let the shadow swing to the side of the query and sweep along it, up to a share."""
        self._opened = share
        self._draw()

    def turn_to(self, place: float) -> None:
        """Let the key be that of a place in the list of keys, or on its way between two.

        Its tip moves in straight lines, so that the dot product changes evenly.
        """
        self._place = place
        self._draw()

    def round_off(self, share: float) -> None:
        """Let the rectangle become a disc of the same area, in the middle of the drawing."""
        self._rounded = share
        self._draw()

    @property
    def foot(self) -> float:
        """How low the drawing reaches, whichever key is drawn: a y of the scene."""
        return float(self.start[1] - self.unit * max(0.0, *self.ends[:, 0]))

    def tip_of(self, place: int) -> Point3D:
        """Return where the key of a place in the list ends."""
        return np.array(self.start + self.unit * self.ends[place])

    @property
    def query_tip(self) -> Point3D:
        """Where the query ends."""
        return np.array(self.start + self.long * RIGHT)

    @property
    def radius(self) -> float:
        """That of the disc that the area with the first key rounds itself off to."""
        room = LARGEST_DISC * min(self.region.width, self.region.height) / 2
        return float(min((self.long * self.unit * abs(self.ends[0, 0]) / np.pi) ** 0.5, room))

    def _draw(self) -> None:
        before, after, way = leg(self._place, len(self.ends))
        end = self.unit * ((1 - way) * self.ends[before] + way * self.ends[after])
        tip = self.start + self._grown * end
        query_tip = self.start + self._query_grown * self.long * RIGHT
        self.query.point(self.start[:2], query_tip[:2], ARROW)
        self.key.point(self.start[:2], tip[:2], ARROW)
        foot = tip - self._fallen * (tip - self.start)[1] * UP
        self.drop.points = _dashes(tip, foot)
        below = self._fallen * SHADOW_DROP * DOWN
        band = [self.start + below, foot + below]
        area = self._area(float(end[0]))
        for place, held in enumerate((end[0] > 0, end[0] < 0)):
            _outline(self.shadow[place], band if held else [])
            _outline(self.area[place], area if held and self._opened else [])

    def _area(self, shade: float) -> list[Point3D] | NDArray[np.float64]:
        """Return the outline of the area for a shadow's signed length, in scene units."""
        if self._opened >= SWING:
            wide = self.long * (self._opened - SWING) / (1 - SWING)
            return self._rectangle(max(wide, BAND), shade)
        angle = -np.pi / 2 * self._opened / SWING
        along = np.array((np.cos(angle), np.sin(angle), 0.0))
        across = BAND * np.array((-along[1], along[0], 0.0))
        end = self.start + shade * along
        return [self.start, end, end + across, self.start + across, self.start]

    def _rectangle(self, wide: float, shade: float) -> NDArray[np.float64]:
        """Return the outline of the rectangle on the line, rounded off as far as is set."""
        sides, one = np.linspace(-1, 1, SIDE_POINTS, endpoint=False), np.ones(SIDE_POINTS)
        around = [(one, sides), (-sides, one), (-one, -sides), (sides, -one)]
        unit = np.concatenate([np.column_stack(side) for side in around])
        angles = np.linspace(-np.pi / 4, 7 * np.pi / 4, 4 * SIDE_POINTS, endpoint=False)
        box = unit * (wide / 2, abs(shade) / 2)
        radius = np.sqrt(wide * abs(shade) / np.pi)
        disc = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        outline = (1 - self._rounded) * box + self._rounded * disc
        outline *= np.sqrt(wide * abs(shade) / max(_enclosed(outline), 1e-9))
        room = LARGEST_DISC * min(self.region.width, self.region.height) / 2
        outline *= 1 - self._rounded * max(0.0, 1 - room / max(radius, 1e-9))
        middle = self.start + np.array((wide / 2, -shade / 2, 0.0))
        center = (1 - self._rounded) * middle + self._rounded * self.region.center
        points = np.column_stack([outline, np.zeros(len(outline))]) + center
        return np.concatenate([points, points[:1]])


class EntryByEntry(VGroup):
    """Two vectors of one length, the products of their entries as bars, and their sum.

    The entries stand side by side; one under the other, if `upright`. Of long vectors the first
    entries and the last are drawn, and one bar holds what is between. A bar grows out of its
    zero and moves, when it is added, to where the one before it ends. Before that all may be as
    large as there is room for them.

    Parts: `query` and `key`, each a `Vector`; `bars`; `level`, the line of zero; `sum`; and the
    bars above zero or below it with the entries that they come from, `gains` and `losses`.
    """

    def __init__(
        self, query: Tensor, key: Tensor, region: Region, *, upright: bool = False
    ) -> None:
        products = [q * k for q, k in zip(query.values, key.values, strict=True)]
        self.region, self.upright = region, upright
        long, wide = (region.width, region.height)[:: -1 if self.upright else 1]
        fit = int((long - 2 * GAP) / NARROWEST - SUM_ROOM) - 1
        most = int(np.clip(fit, 3, MOST_ENTRIES))
        shown = shown_entries(len(products), most)
        places = len(shown) + (len(shown) < len(products)) + SUM_ROOM
        self.pitch = min((long - 2 * GAP) / places, TALLEST if self.upright else WIDEST)
        room = (wide * ENTRY_WIDTH if self.upright else self.pitch, min(self.pitch, TALLEST))
        self.query, self.key = (
            Vector(each.values, room, upright=self.upright, most=most, numerals=False)
            for each in (query, key)
        )
        for vector, role in ((self.query, QUERY), (self.key, KEY)):
            vector.brackets.set_stroke(theme.color(role))
        runs = _runs(shown, len(products))
        self.terms = [_total(products[first:last]) for first, last in runs]
        self.sums = list(accumulate(self.terms))
        self.sum = Number(self.sums[-1], 2, HEADING_SIZE)
        colors = [theme.color(hue(term.number)) for term in self.terms]
        self.bars = VGroup(
            *(Rectangle(stroke_width=0, fill_opacity=1, fill_color=color) for color in colors)
        )
        self.gains, self.losses = self._of_sign(1, runs), self._of_sign(-1, runs)
        self.level = Line(stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        self.frame = Rectangle(width=region.width, height=region.height).set_stroke(width=0)
        self.frame.move_to(region.center)  # so that the drawing knows where it is moved to
        super().__init__(self.frame, self.level, self.query, self.key, self.bars, self.sum)
        self._lay_out(region, room)
        self._multiplied, self._sunk, self._added = 1.0, 1.0, 1.0
        self._draw()

    def multiply(self, share: float) -> None:
        """Let the bars grow out of zero, one after another, up to a share of them all."""
        self._multiplied = share
        self._draw()

    def sink(self, share: float) -> None:
        """Let the bars stand under their entries, as large as there is room (0), or to be added."""
        self._sunk = share
        self._draw()

    def add_up(self, share: float) -> None:
        """Let the bars be added, one after another, up to a share of them all; the sum runs."""
        self._added = share
        self._draw()

    def _of_sign(self, sign: int, runs: Sequence[tuple[int, int]]) -> list[VMobject]:
        """Return the bars of one sign, and of those of one entry the cells."""
        found: list[VMobject] = []
        for bar, term, (first, last) in zip(self.bars, self.terms, runs, strict=True):
            vectors = (self.query, self.key) if last - first == 1 else ()
            if sign * term.number > 0:
                found += [bar, *(vector.cell(first) for vector in vectors)]
        return found

    def _lay_out(self, region: Region, room: tuple[float, float]) -> None:
        """Set the vectors at one side and the bars' zero, and scale the bars to what is left."""
        ends = [0.0, *(each.number for each in (*self.sums, *self.terms))]
        low, high = min(ends), max(ends)
        pad = Brackets(self.query.cells).opening.width + 2 * HAIR
        half_high, half_wide = HAIR + room[1] / 2, pad + room[0] / 2
        first = np.array((region.left + half_wide, region.top - half_high, 0.0))
        across = (room[0] + 2 * pad) * RIGHT if self.upright else (room[1] + GAP) * DOWN
        self.query.shift(first - self.query.cells[0].get_center())
        self.key.shift(first + across - self.key.cells[0].get_center())
        if self.upright:
            left = float(self.key.get_right()[0]) + GAP
            self.unit = (region.right - left) / (high - low)
            self.zero = np.array((left - self.unit * low, first[1], 0.0))
        else:
            top = float(self.key.get_bottom()[1]) - GAP - self.sum.height / 2
            self.unit = (top - region.bottom) / (high - low)
            self.zero = np.array((first[0], top - self.unit * high, 0.0))
        terms = [0.0, *(each.number for each in self.terms)]
        least, most = min(terms), max(terms)
        self.large = self.unit * (high - low) / (most - least)
        up = RIGHT if self.upright else UP
        self.lifted = self.zero + (self.unit * low - self.large * least) * up

    def _draw(self) -> None:
        count = len(self.terms)
        step, up = (DOWN, RIGHT) if self.upright else (RIGHT, UP)
        unit = (1 - self._sunk) * self.large + self._sunk * self.unit
        zero = (1 - self._sunk) * self.lifted + self._sunk * self.zero
        before = 0.0
        for place, (bar, term) in enumerate(zip(self.bars, self.terms, strict=True)):
            grown = smooth(float(np.clip(self._multiplied * count - place, 0, 1)))
            moved = smooth(float(np.clip(self._added * count - place, 0, 1)))
            foot = zero + place * self.pitch * step + self.unit * moved * before * up
            half = BAR_SHARE * self.pitch / 2 * step
            rise = unit * grown * term.number * up
            corners = [foot - half, foot + half, foot + half + rise, foot - half + rise]
            bar.set_points_as_corners(self._seen([*corners, corners[0]]))
            before += term.number
        first = zero - 0.5 * self.pitch * step
        last = zero + (count - 0.5 + HAIR) * self.pitch * step
        self.level.set_points_as_corners(self._seen([first, last]))
        self._draw_sum(last - zero + self.zero + self.pitch * (SUM_ROOM - 0.2) / 2 * step)

    def _draw_sum(self, beside: Point3D) -> None:
        """Let the sum stand where the bars added so far end, level with it."""
        count = len(self.terms)
        done = min(int(self._added * count), count - 1)
        start = self.sums[done - 1] if done else self.sums[0] - self.sums[0]
        way = smooth(float(np.clip(self._added * count - done, 0, 1)))
        self.sum.put_between(start, self.sums[done], way)
        number = (1 - way) * start.number + way * self.sums[done].number
        place = beside + self.unit * number * (RIGHT if self.upright else UP)
        half = np.array((self.sum.width, self.sum.height)) / self._scale / 2
        low = (self.region.left, self.region.bottom) + half
        high = (self.region.right, self.region.top) - half
        place = np.array((*np.clip(place[:2], low, np.maximum(low, high)), 0.0))
        self.sum.move_to(self._seen([place])[0])

    @property
    def _scale(self) -> float:
        return float(self.frame.width / self.region.width)

    def _seen(self, points: Sequence[Point3D]) -> NDArray[np.float64]:
        """Return where points of the region as it was laid out stand now."""
        offset = np.array(points) - self.region.center
        return np.asarray(self.frame.get_center() + self._scale * offset)


class Inside(VGroup):
    """The products of two vectors' entries, with the names of the tokens that they belong to."""

    def __init__(self, pieces: tuple[str, str], query: Tensor, key: Tensor, region: Region) -> None:
        names = self.names = VGroup(
            *(Words("{}", label_of(piece), size=SPOKEN_SIZE) for piece in pieces)
        )
        wide, tall = (max(getattr(x, side) for x in names) + GAP for side in ("width", "height"))
        upright = region.height > region.width
        beside = Region(region.left + wide, region.right, region.bottom, region.top)
        room = region.lowered(tall) if upright else beside
        work = self.work = EntryByEntry(query, key, room, upright=upright)
        for setting in (work.multiply, work.sink, work.add_up):
            setting(0)
        for name, vector, role in zip(names, (work.query, work.key), (QUERY, KEY), strict=True):
            name.set_color(theme.color(role)).next_to(vector, UP if upright else LEFT, buff=GAP)
            if upright:
                name.shrink_to(vector.width)
        super().__init__(work, names)


def _end(query: Tensor, key: Tensor) -> Point3D:
    """Return where a key ends, the query lying along the first axis, in the vectors' units."""
    long, near = length(key).number, cosine(query, key).number
    return long * np.array((near, np.sqrt(max(0.0, 1 - near**2)), 0.0))


def _total(values: Sequence[Value]) -> Value:
    return list(accumulate(values))[-1]


def _runs(shown: Sequence[int], length: int) -> list[tuple[int, int]]:
    """Return which entries each bar holds: one each, and one bar for all that is not shown."""
    ends = [(entry, entry + 1) for entry in shown]
    if len(shown) < length:
        ends.insert(-1, (shown[-2] + 1, shown[-1]))
    return ends


def _outline(part: VMobject, corners: Sequence[Point3D] | NDArray[np.float64]) -> None:
    """Let a part have these corners, or no points where there are none."""
    if len(corners):
        part.set_points_as_corners(corners)
    else:
        part.points = np.zeros((0, 3))


def _enclosed(outline: NDArray[np.float64]) -> float:
    """Return the area that a closed outline (n, 2) encloses."""
    x, y = outline.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def _dashes(start: Point3D, end: Point3D) -> NDArray[np.float64]:
    """Return a dashed line's points."""
    count = int(np.linalg.norm(end - start) / DASH) // 2
    cuts = np.linspace(0, 1, 2 * count + 1)[: 2 * count].reshape(count, 2)
    ends = start + cuts[:, :, None] * (end - start)
    return lines(ends)
