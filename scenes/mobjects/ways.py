"""A step beside the stream, and what flows through both to where it is brought to one size.

way = Way(region, KEY, (before, after), on_copy=True)
yield Draw(*way.lines), Appear(*way.boxes, way.stream)
yield way.flow()          # a copy goes to the step, and what that finds is added; in the boxes
                          # stays what each has made (`made`)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.tidied import Tidied
from scenes.mobjects.hills import BINS, REACH
from scenes.mobjects.plot import Histogram
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import Chip
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import (
    HAIR,
    OUTPUT,
    PANEL,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)
from scenes.verbs import Appear, Become, Disappear, Then, Together, Verb

Floats: TypeAlias = NDArray[np.float64]

STOPS = 0.08, 0.19, 0.49, 0.62, 0.905  # of its width: start, branch, step, sum, end
TIDIED = 0.745, 0.31  # of its width, where the stream is tidied, or a copy
BODY, WIDE = 0.15, 0.165  # of a way's width, by what travels along it, and by a box
HIGHEST = 2.0  # of a box's width, its height
OPEN = 1.15  # times as high as what travels, a box
ON_RAILS = 0.45  # of its size in a box, what travels beside the stream
ONE = 0.4, 3.0  # of the widest body there, at least and at most, by one that is tidied
BEFORE = 0.085  # of a way's width, before the sum, where the stream waits for what is added


class Way(VGroup):
    """A step beside the stream: what it reads is tidied (`on_copy`), or the sum is.

    Two ways differ only in where the box stands that tidies.
    """

    def __init__(
        self, region: Region, role: Role, ends: tuple[Tidied, Tidied], *, on_copy: bool
    ) -> None:
        stops = *STOPS, TIDIED[on_copy]
        xs = [region.left + x * region.width for x in stops]
        low = self._make_rails(region, role, xs, on_copy=on_copy)
        self._set_scale(ends, region)
        self.norm.add(self._marks(self.norm[0]))
        self.ticks = VGroup(*(self._tick(end, side) for end, side in self._ends(self.norm[0])))
        self._make_bodies(ends, xs, low, region, on_copy=on_copy)
        super().__init__(
            *self.lines, *self.boxes, self.plus, *self.made, self.stream, self.copy_of_it
        )
        self.add(self.ticks)

    def flow(self) -> Verb:
        """Return how a copy goes to the step, and what that finds is added to the stream."""
        stream, copy = self.stream, self.copy_of_it
        *legs, last = self._legs(copy, self.ways_of_copy)
        added = Together(Become(stream, self.sum, QUICK), Disappear(copy))
        on = self._legs(stream, self.ways_of_sum)
        meet = Together(last, Become(stream, self.meets, QUICK))
        return Then(Appear(copy, scale=1.0), *legs, meet, added, *on)

    def _legs(self, body: Histogram, ways: Sequence[Histogram]) -> list[Verb]:
        """Return how a body goes its ways, and leaves in a box what it has become there."""
        legs = list[Verb]()
        for twin in ways:
            leg: Verb = Become(body, twin, QUICK)
            left = [Appear(made, scale=1.0, run_time=HAIR) for made, at in self.stays if at is twin]
            legs.append(Then(leg, *left) if left else leg)
        return legs

    def _make_rails(
        self, region: Region, role: Role, xs: Sequence[float], *, on_copy: bool
    ) -> float:
        """Make the lines, the boxes of the step and of what tidies; return the stream's level."""
        _, branch, layer, plus, _, norm = xs
        names = [Words(name, size=SPOKEN_SIZE) for name in ("step", "tidy")]
        self.plus = Chip("+", SPOKEN_SIZE)
        low = region.bottom + self.plus.height / 2
        room = (region.top - low - names[0].height - 4 * HAIR) / 2 / OPEN
        self.tall = min(room, HIGHEST * WIDE * region.width)
        self.high = high = low + OPEN * self.tall + 2 * HAIR
        stations = [(branch, low), (branch, high), (plus, high), (plus, low)]
        stations = [(region.left, low), (region.right, low), *stations]
        first, last, *corners = (np.array((*station, 0.0)) for station in stations)
        self.lines = [Line(first, last), *(Line(*pair) for pair in pairwise(corners))]
        VGroup(*self.lines).set_stroke(theme.color(role), 2 * THIN_LINE)
        self.plus.plate.set_stroke(theme.color(role), THIN_LINE)
        self.plus.move_to((plus, low, 0))
        places = (layer, high), (norm, high if on_copy else low)
        self.layer, self.norm = self.boxes = [
            self._box(name, place, role, region) for name, place in zip(names, places, strict=True)
        ]
        return low

    def _set_scale(self, ends: tuple[Tidied, Tidied], region: Region) -> None:
        """Work out how wide a one is drawn: both ways have one ruler.

        Both have the same stream, and find the same.
        """
        before, after = ends
        self.found, self.read = after.vector.double - before.vector.double, before.tidied
        self.comes = before.vector.double
        ever = (self.comes + self.found, self.comes, self.found)
        widest = max(_reach(each) for each in ever)
        self.one = float(np.clip(1.0, ONE[0] * widest, ONE[1] * widest))
        self.unit = BODY * region.width / (2 * REACH * max(widest, self.one))

    def _make_bodies(
        self,
        ends: tuple[Tidied, Tidied],
        xs: Sequence[float],
        low: float,
        region: Region,
        *,
        on_copy: bool,
    ) -> None:
        """Make what stands on the lines, wherever it is on its way."""
        start, branch, layer, plus, end, norm = xs
        found, comes, high = self.found, self.comes, self.high
        read = self.one * self.read
        self.stream, self.copy_of_it = (self._body(comes, start, low) for _ in range(2))
        tidied = [self._body(comes, norm, high), self._body(read, norm, high)] if on_copy else []
        self.ways_of_copy = [
            self._body(comes, branch, low, small=True),
            self._body(comes, branch, high, small=True),
            *tidied,
            self._body(read if on_copy else comes, layer, high),
            self._body(found, layer, high, OUTPUT),
            self._body(found, plus, high, OUTPUT, small=True),
            self._body(found, plus, low, OUTPUT, small=True),
        ]
        self.meets = self._body(comes, plus - BEFORE * region.width - self.plus.width / 2, low)
        self.sum = self._body(comes + found, plus, low)
        whole = comes + found - (np.mean(comes + found) if ends[0].middle else 0.0)
        sized = self.one * whole / float(np.sqrt(np.mean(whole**2)) or 1.0)
        out = [(comes + found, end)]
        if not on_copy:
            out = [(comes + found, norm), (sized, norm), (sized, end)]
        self.ways_of_sum = [self._body(numbers, x, low) for numbers, x in out]
        tidied_at = self.ways_of_copy[3] if on_copy else self.ways_of_sum[1]
        self.stays = [(at.copy(), at) for at in (tidied_at, self.ways_of_copy[-3])]
        self.made = [made for made, _ in self.stays]

    def _box(self, name: Words, place: tuple[float, float], role: Role, region: Region) -> VGroup:
        """Return an open box, in which one sees what it does, its name over it."""
        box = Rectangle(width=WIDE * region.width, height=OPEN * self.tall)
        box.set_stroke(theme.color(role), THIN_LINE).set_fill(theme.color(PANEL), 1)
        box.move_to((*place, 0), DOWN)
        return VGroup(box, name.next_to(box, UP, buff=HAIR))

    def _marks(self, box: VMobject) -> VGroup:
        """Return lines at minus one and one, as what is tidied is drawn, across a box."""
        y, half, ends = box.get_y(), box.height / 2, self._ends(box)
        lines = VGroup(*(Line((end, y - half, 0), (end, y + half, 0)) for end, _ in ends))
        return lines.set_stroke(theme.color(QUIET), THIN_LINE / 2)

    def _ends(self, box: VMobject) -> list[tuple[float, int]]:
        """Return where minus one and one are in a box, as what is tidied is drawn."""
        return [(float(box.get_x()) + side * self.one * self.unit, side) for side in (-1, 1)]

    def _tick(self, x: float, side: int) -> Number:
        """Return what is told under the box in which numbers are tidied: minus one, or one."""
        tick = Number(count(side, "a mark of the ruler"), 0, PLAIN_SIZE, QUIET)
        return tick.move_to((x, self.norm[0].get_bottom()[1] - HAIR, 0), UP - side * RIGHT)

    def _body(
        self, numbers: Floats, x: float, y: float, role: Role = POSITIVE, *, small: bool = False
    ) -> Histogram:
        """Return how often numbers come, as it stands on the lines."""
        size = ON_RAILS if small else 1.0
        body = Histogram(numbers, (x, y), size * self.unit, size * self.tall, BINS)
        return body.set_color(theme.color(role))


def _reach(numbers: Floats) -> float:
    """Return how far numbers spread, and the more if their middle is not zero."""
    return float(np.std(numbers) + np.abs(np.mean(numbers)) / REACH)
