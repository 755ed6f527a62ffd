"""Rows taken so many times each, which run into their sum, as bars. They know no head.

rows = TakenRows(matrix, numbers, first, room, above=strip, left=left)
yield Vary(rows.grow, 0, 1)                  # the first row alone, once
yield Vary(rows.lay_down, 0, 1)              # so many times: turned over where that is negative
yield Vary(rows.fall, 1, rows.many)          # one row after the other runs into the sum of all
yield Vary(rows.take, 0, 16)                 # the same as they stand, without a row on its way
yield Vary(rows.sink, 0, 1)                  # another such sum goes down into what stands under it

Before they are, `funnel` shows what widens from a strip to one under it, or narrows, and `bands`
what is mixed into one; `falls` lets either come.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Polygon, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.mobjects.fit import ease, needed_decimals
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Words
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    NEGATIVE,
    OUTPUT,
    POSITIVE,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import Appear, Then

MOST = 16  # rows or, of more rows, groups of them that fall one after another
WIDE = 0.8  # of its room, a bar
SHADE, STREAM = 0.2, 0.45  # of a colour, in a funnel and in what is mixed
SOON = 0.15  # seconds of a twin
GROWN, TIMES = 0.3, 0.6  # of a fall: until then a row has come, and is so many times as large
Floats = NDArray[np.float64]


class Profile(VGroup):
    """Numbers as bars up and down from a line, which is as long as its room, at a `level`."""

    def __init__(self, room: Region, entries: int, level: float) -> None:
        self.level, pitch = level, room.width / entries
        self.left = room.left + (np.arange(entries) + (1 - WIDE) / 2) * pitch
        self.right = self.left + WIDE * pitch
        self.bars = [
            Filled(np.zeros((0, 3)), role, STRONGEST_FILL) for role in (POSITIVE, NEGATIVE)
        ]
        self.line = Line((room.left, level, 0), (room.right, level, 0))
        super().__init__(self.line.set_stroke(theme.color(QUIET), THIN_LINE), *self.bars)

    def put(self, numbers: Floats, feet: Floats | float = 0.0, floor: float = -np.inf) -> None:
        """Show numbers, in scene units, each from as far over the line as its foot is.

        What would be under the `floor` is not seen.
        """
        low = np.full(len(numbers), self.level) + feet
        low, high = np.maximum(low, floor), np.maximum(low + numbers, floor)
        sides = np.stack([self.left, low, self.right, high])
        for bars, is_seen in zip(self.bars, (numbers > 0, numbers < 0), strict=True):
            bars.points = rectangles(*sides[:, is_seen])


class TakenRows(VGroup):
    """The rows of a matrix, each taken so many `times`, and their sum, all to one scale.

    The `first` row is seen from near: its number, `told`, stands beside it, and `added` beside what
    that makes of it. The one with the next largest number, `then_told`, comes next, and then all
    others; of many rows some at a time, in their order. `row` is the one that falls, and `total`
    what all have added up to, `sum_name` beside it, as far up as `highest` at most. Their numbers
    stand in a row `above`: a `ring` is on those of the rows that fall. Bars stand at the right of a
    room, from `left` on.
    """

    def __init__(
        self,
        matrix: Tensor,
        times: Tensor,
        first: int,
        room: Region,
        *,
        above: VMobject,
        left: float,
    ) -> None:
        rows, numbers = matrix.double, times.double
        ranked = np.argsort(-np.abs(numbers), kind="stable")
        ranked = np.array([first, *ranked[ranked != first]])
        others = ranked[2:] if len(ranked) <= MOST else np.sort(ranked[2:])
        ways = min(len(others), MOST - 2) or 1
        groups = [ranked[:1], ranked[1:2], *np.array_split(others, ways)]
        groups = [group for group in groups if len(group)]
        self.many = len(groups)
        taken = np.array([numbers[group] @ rows[group] for group in groups])
        once = [
            rows[group[0]] if len(group) == 1 else sum_
            for group, sum_ in zip(groups, taken, strict=True)
        ]
        sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(taken, axis=0)])
        running = np.cumsum(numbers[:, None] * rows, axis=0)
        running = np.concatenate([np.zeros((1, rows.shape[1])), running])
        most = max(float(np.abs(once).max()), float(np.abs(taken).max()))
        highest = max(float(np.abs(sums).max()), float(np.abs(running).max()))
        unit = (room.height - GAP) / 2 / (most + highest or 1.0)
        self.first, self.number = unit * rows[first], float(numbers[first])
        self.once, self.taken, self.sums = unit * np.array(once), unit * taken, unit * sums
        self.running, self.floor = unit * running, room.bottom
        bars = Region(left, room.right, room.bottom, room.top)
        self.row = Profile(bars, rows.shape[1], room.top - unit * most)
        self.total = Profile(bars, rows.shape[1], room.bottom + unit * highest)
        self.highest = room.bottom + 2 * unit * highest
        form = f"{{:.{needed_decimals(times.values)}f}} \u00d7"
        size = SPOKEN_SIZE if room.is_narrow else HEADING_SIZE
        self.told, self.then_told = (
            Words(form, times.values[ranked[place]], size=size, role=VALUE)
            for place in (0, min(1, len(ranked) - 1))
        )
        self.added, self.sum_name = (Words(x, size=size, role=OUTPUT) for x in ("added", "change"))
        names = self.told, self.then_told, self.added, self.sum_name
        for name, beside in zip(names, 2 * [self.row] + 2 * [self.total], strict=True):
            name.shrink_to(left - GAP - room.left).move_to((left - GAP, beside.level, 0), RIGHT)
        box = Rectangle(width=above.width / len(rows), height=above.height).move_to(above, LEFT)
        self.ends = box.get_left()[0] + box.width * np.arange(len(rows) + 1)
        self.spans = [(self.ends[group[0]], self.ends[group[-1] + 1]) for group in groups]
        self.ring = Ring(box, corner=0)
        super().__init__(self.total, self.row, *names, self.ring)
        self.fall(0)

    def grow(self, share: float) -> None:
        """Let the first row come, once, from nothing."""
        self.row.put(share * self.first)

    def lay_down(self, share: float) -> None:
        """Let the first row go down into the sum, and be there so many times as its number says."""
        aside = (1 - share) * (self.row.level - self.total.level)
        self.total.put((1 + share * (self.number - 1)) * self.first, aside)

    def fall(self, at: float) -> None:
        """Let so many rows be in their sum, and the next come, once, grow, or run into the sum."""
        place = min(int(at), self.many)
        share, before = at - place, self.sums[place]
        self.total.put(before)
        self._point_at(*self.spans[min(place, self.many - 1)])
        if place == self.many:
            self.row.put(np.zeros_like(before))
            return
        once, falling = self.once[place], self.taken[place]
        come, grown = min(1.0, share / GROWN), ease((share - GROWN) / (TIMES - GROWN))
        down = ease((share - TIMES) / (1 - TIMES))
        self.row.put(come * (once + grown * (falling - once)) - down * falling)
        self.total.put(before + down * falling)

    def take(self, at: float) -> None:
        """Let so many rows be in the sum, in the order in which they stand, a share of the last."""
        place = min(int(at), len(self.running) - 2)
        before, after = self.running[place : place + 2]
        self.total.put(before + (at - place) * (after - before))
        self._point_at(*self.ends[place : place + 2])

    def sink(self, share: float) -> None:
        """Let another such sum go down from the sum, under the floor of the room."""
        whole = self.running[-1]
        way = self.total.level + max(0.0, float(whole.max())) - self.floor
        feet = self.total.level - self.row.level - share * way
        self.row.put(whole, feet, self.floor)

    def _point_at(self, start: float, end: float) -> None:
        self.ring.stretch_to_fit_width(end - start).set_x((start + end) / 2)


def funnel(one: VMobject, other: VMobject, role: theme.Role) -> Polygon:
    """Return what narrows or widens from a strip to one under it."""
    ends = one.get_corner(DOWN + LEFT), one.get_corner(DOWN + RIGHT)
    corners = *ends, other.get_corner(UP + RIGHT), other.get_corner(UP + LEFT)
    return Polygon(*corners, color=theme.color(role), fill_opacity=SHADE)


def falls(way: VMobject, *made: VMobject) -> verbs.Verb:
    """Return how an unseen funnel or band comes, from its top, and then what it leads to."""
    whole, seen = way.copy(), (Appear(each, scale=1.0) for each in made)
    way.stretch(0.02, 1, about_edge=UP)
    return Then(Appear(way, run_time=SOON, scale=1.0), verbs.Become(way, whole), seen)


def bands(tops: Sequence[VMobject], weights: Sequence[float], into: Area) -> list[Polygon]:
    """Return bands from words or values to what they are mixed into, as wide as their weights."""
    start, right = into.get_corner(UP + LEFT), into.get_corner(UP + RIGHT)
    whole, found, rest = right - start, list[Polygon](), max(0.0, 1 - sum(weights))
    for top, weight in zip(tops, (*weights, rest), strict=False):  # no top where none is unheard
        end, at = start + weight * whole, top.get_bottom() + HAIR * DOWN * isinstance(top, Words)
        half = min(top.width, float(weight * whole[0])) / 2 * RIGHT
        found.append(Polygon(at - half, at + half, end, start, stroke_width=0))
        found[-1].set_fill(theme.color(VALUE), STREAM)
        start = end
    return found
