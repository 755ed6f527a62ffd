"""Clocks with one hand, which turns by its own angle from place to place. They know no model.

clock = Clock(rate, center, radius, step=3)
yield Appear(clock.face, clock.hand), Vary(clock.turn_to, 0, 7)      # the hand goes from 0 to 7
yield Fade(clock.sector, clock.ghost, to=1.0), Vary(clock.begin_at, 0, 4)   # a step is carried
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
from manim import Circle, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, in_space, polygons
from scenes.mobjects.signs import hue
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.vector import Cell, Heat
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    FAINTEST_FILL,
    GAP,
    INK,
    NAMED_SIZE,
    PLAIN_SIZE,
    POSITIVE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
)

Floats: TypeAlias = NDArray[np.float64]

WIDEST, TALLEST = 1.4, 1.9  # scene units from word to word, from clock to clock
RATES, SLANT = 1.0, np.pi / 5  # scene units beside the clocks; of words that are too wide
WIDTH = 0.07  # of the stage's, a face's radius, at most
CELL, FACE = 0.42, 0.43  # of the distance between clocks, a cell's height, a face's radius
FARTHEST, MIDDLE = 0.75, (10, 90)  # of all places; per cent of what is alike, a band's edges
SHADES, KEY, SCANNED = 11, 2.5, 32  # of a key of colours, its width; columns that are scanned
LENGTH, SWEPT, ARC = 0.92, 0.4, 32  # of a face, a hand; of a sector, its fill and its points


class Clock(VGroup):
    """A hand that turns clockwise by `rate` radians a place, from upright.

    Parts: `face`, `hand` with its `tip`, `legs` (how far right, how far up), and, of a step from
    `since` on, the `ghost` of the hand and the `sector` that it has swept.
    """

    def __init__(self, rate: float, center: Floats, radius: float, step: int) -> None:
        self.rate, self.middle, self.radius = rate, center, radius
        self.near = self.own = (*center, radius)
        self.since, self.place, self.swept = 0.0, 0.0, float(step)
        self.face = Circle(radius, stroke_color=theme.color(QUIET), stroke_width=THIN_LINE)
        self.hand, self.ghost = Arrow(theme.color(INK)), Arrow(theme.color(QUIET))
        self.sector = Filled(np.zeros((0, 3)), ACCENT, SWEPT)
        self.legs = [VMobject(stroke_width=BOLD_LINE) for _ in range(2)]
        self.tip = VMobject(stroke_width=0)
        super().__init__(self.face, self.sector, self.ghost, *self.legs, self.hand, self.tip)
        self.draw()

    def stand_near(self, center: Floats, radius: float) -> None:
        """Stand at a larger place first, from which `settle` brings it to its own."""
        self.near = (*center, radius)
        self.settle(0.0)

    def settle(self, share: float) -> None:
        """Stand at the larger place (0), at its own (1), or between."""
        x, y, self.radius = (1 - share) * np.array(self.near) + share * np.array(self.own)
        self.middle = np.array([x, y])
        self.draw()

    def turn_to(self, place: float) -> None:
        """Point to where the hand is at a place."""
        self.place = self.since = place
        self.draw()

    def begin_at(self, place: float) -> None:
        """Let the step, or what is swept of it, begin at a place."""
        self.since, self.place = place, place + self.swept
        self.draw()

    def reach(self, places: float) -> None:
        """Let the hand have swept so many places of the step."""
        self.swept, self.place = places, self.since + places
        self.draw()

    def draw(self) -> None:
        """Draw hand, ghost, legs and sector."""
        long, thick = LENGTH * self.radius, min(1.0, self.radius)
        self.face.scale(2 * self.radius / self.face.width).move_to((*self.middle, 0))
        for hand, place in ((self.hand, self.place), (self.ghost, self.since)):
            hand.point(self.middle, self.middle + long * _towards(self.rate * place), thick)
        x, y = long * _towards(self.rate * self.place)
        corner = self.middle + (0, y)
        for leg, ends, size in zip(
            self.legs, ((corner, corner + (x, 0)), (self.middle, corner)), (x, y), strict=True
        ):
            leg.set_points_as_corners(in_space(np.array(ends)))
            leg.set_stroke(theme.color(hue(size)))
        angles = self.rate * np.linspace(self.since, self.place, ARC)
        rim = self.middle + self.radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
        self.sector.points = polygons(np.concatenate([self.middle[None], rim])[None])
        self.tip.set_points_as_corners([(*self.hand.tip, 0.0)] * 2)


class ClockBank:
    """Clocks, one under the other; beside each the columns that its hand writes, over tokens.

    `rates` are degrees a place, `points` (hands, 2, T) where hands point at each place, to
    the right and up. Parts: `clocks`, `rates` (their numerals), `labels`, and the `cells` by clock,
    part (0 right, 1 up) and place.
    """

    def __init__(
        self,
        rates: Sequence[Value],
        points: Floats,
        tokens: Sequence[str],
        step: int,
        stage: Region,
    ) -> None:
        hands = len(points)
        about = min((stage.width - RATES) / (len(tokens) + 1), WIDEST)
        size = text_size(tokens, about - GAP, SPOKEN_SIZE)
        is_level = size >= PLAIN_SIZE
        self.labels = [TokenText(piece, max(size, PLAIN_SIZE)) for piece in tokens]
        longest = max(label.width for label in self.labels)
        foot = 2 * GAP + (0 if is_level else np.sin(SLANT) * longest)
        high = min(TALLEST, (stage.height - foot) / hands)
        radius = min(FACE * high, WIDTH * stage.width)
        wide = pitch_in(stage.width - RATES - 2 * radius - GAP, len(tokens), WIDEST)
        left = stage.center[0] - (RATES + 2 * radius + GAP + len(tokens) * wide) / 2
        top = stage.center[1] + (foot + high * hands) / 2
        self.clocks: list[Clock] = []
        self.rates: list[Words] = []
        self.cells: dict[tuple[int, int, int], Cell] = {}
        for row in range(hands):
            y, rate = top - (row + 0.5) * high, rates[row]
            center = np.array([left + RATES + radius, y])
            self.clocks.append(Clock(np.radians(rate.number), center, radius, step))
            written = "{:.0f}°" if rate.number >= 1 else "{:.1g}°"
            number = Words(written, rate, size=NAMED_SIZE)
            self.rates.append(number.move_to((left + RATES - GAP, y, 0), RIGHT))
            for part, t in product((0, 1), range(len(tokens))):
                sides = wide, CELL * high
                cell = Cell(float(points[row, part, t]), 1.0, sides, hollow=False)
                at = left + RATES + 2 * radius + GAP + (t + 0.5) * wide
                self.cells[row, part, t] = cell.move_to((at, y + (0.5 - part) * CELL * high, 0))
        for t, label in enumerate(self.labels):
            cell = self.cells[hands - 1, 1, t]
            label.rotate(0 if is_level else SLANT).next_to(cell, DOWN, buff=GAP)
            if not is_level:
                label.align_to(cell.get_center() + (label.em / 2, 0, 0), RIGHT)
        if is_level:
            line = min(label.baseline for label in self.labels)
            for label in self.labels:
                label.shift((line - label.baseline) * UP)

    def column(self, place: int) -> list[Cell]:
        """Return the cells of a place, from above."""
        return [self.cells[row, part, place] for row in range(len(self.clocks)) for part in (0, 1)]

    def besides(self, *places: int) -> list[Cell]:
        """Return the cells of all other places."""
        return [cell for (_, _, place), cell in self.cells.items() if place not in places]

    def faces(self) -> list[VMobject]:
        """Return every clock's face and hand."""
        return [part for clock in self.clocks for part in (clock.face, clock.hand)]

    def standing(self) -> list[VMobject]:
        """Return all of the clocks but what tells right from up."""
        return [*self.faces(), *(part for c in self.clocks for part in (c.sector, c.ghost))]


class PlaceMap(VGroup):
    """Where all hands point at many places, (places, 2 hands): rights above, ups below.

    Parts: the `heat`, what is `told` of it over it, the `key` of its colours, a `ring` around the
    places of so many `tokens`, and a `scan`, which may go along the `columns`. `sizes` are how
    many hands and places there are.
    """

    def __init__(self, waves: Floats, sizes: Sequence[Value], tokens: int, room: Region) -> None:
        places = len(waves)
        told = "{:,.0f} hands, {:,.0f} places: right above, up below"
        self.told = Words(told, *sizes, size=SPOKEN_SIZE)
        low, high = (Number(constant(end, "the end of a hand"), 0, SPOKEN_SIZE) for end in (-1, 1))
        colors = Heat(np.linspace(-1, 1, SHADES)[None], (KEY, self.told.height))
        self.key = VGroup(low, colors, high).arrange(RIGHT, buff=GAP)
        lines = VGroup(self.told, self.key)
        is_wide = self.told.width + self.key.width + 3 * GAP < room.width
        lines.arrange(RIGHT if is_wide else DOWN, buff=3 * GAP if is_wide else GAP)
        room.fit_width(lines)
        lines.move_to((room.center[0], room.top, 0), UP)
        room = room.below(lines, GAP)
        rights, ups = waves.T[::2], waves.T[1::2]
        self.heat = Heat(np.concatenate([rights, ups]), (room.width, room.height))
        self.heat.move_to(room.center)
        wide = room.width / places
        column = Rectangle(width=wide, height=room.height)
        here = Rectangle(width=wide * tokens, height=room.height)
        self.ring = Ring(here.move_to((room.left, room.center[1], 0), LEFT), corner=0.0)
        self.columns = [
            column.copy().move_to((room.left + (t + 0.5) * wide, room.center[1], 0))
            for t in range(0, places, max(1, places // SCANNED))
        ]
        self.scan = Ring(self.columns[0], corner=0.0, role=INK)
        super().__init__(self.heat, self.ring, self.scan, lines)


class MeanByDistance(VGroup):
    """How alike places are, (n, n), by how far they are apart: the mean, and the middle 80 %.

    Distances go from left to right, as far as three quarters of all places; a thin line is zero.
    """

    def __init__(self, alike: Floats, room: Region) -> None:
        most = max(2, int(FARTHEST * len(alike)))
        diagonals = [np.diagonal(alike, apart) for apart in range(most)]
        means = np.array([each.mean() for each in diagonals])
        low, high = np.array([np.percentile(each, MIDDLE) for each in diagonals]).T
        across = np.linspace(room.left, room.right, most)
        floor, top = min(-0.5, float(low.min())), 1.0

        def at(numbers: Floats) -> Floats:
            up = room.bottom + (numbers - floor) / (top - floor) * room.height
            return np.stack([across, up], axis=1)

        edge = np.concatenate([at(low), at(high)[::-1]])
        band = Filled(polygons(edge[None]), POSITIVE, FAINTEST_FILL)
        zero, curve = VMobject(), VMobject()
        for line, numbers in ((zero, 0 * means), (curve, means)):
            line.set_points_as_corners(in_space(at(numbers)))
        zero.set_stroke(theme.color(QUIET), THIN_LINE)
        curve.set_stroke(theme.color(POSITIVE), BOLD_LINE)
        super().__init__(band, zero, curve)


def _towards(angle: float) -> Floats:
    """Return the direction so many radians clockwise from upward."""
    return np.array([np.sin(angle), np.cos(angle)])


def ticking(hops: int) -> Callable[[float], float]:
    """Return how a way is gone in so many hops, as a clock ticks."""

    def pace(share: float) -> float:
        hop = min(int(share * hops), hops - 1)
        return (hop + smooth(share * hops - hop)) / hops

    return pace
