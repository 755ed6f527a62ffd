"""Clocks with one hand, which turns by its own angle from place to place. They know no model.

clock = Clock(rate, center, radius, step=3)
yield Appear(clock.face, clock.hand), Vary(clock.turn_to, 0, 7)      # the hand goes from 0 to 7
yield Fade(clock.sector, clock.ghost, to=1.0), Vary(clock.begin_at, 0, 4)   # a step is carried
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np
from manim import Circle, Rectangle, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import CORNERS, Filled, in_space, polygons
from scenes.mobjects.shades import Shades
from scenes.mobjects.signs import hue
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.vector import Cell, Heat
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    INK,
    NAMED_SIZE,
    PLAIN_SIZE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
)

Floats: TypeAlias = NDArray[np.float64]

WIDEST, TALLEST = 1.4, 1.9  # scene units from word to word, from clock to clock
RATES, SLANT = 1.0, np.pi / 5  # scene units beside the clocks; of words that are too wide
WIDTH = 0.07  # of the stage's, a face's radius, at most
CELL, FACE = 0.42, 0.43  # of the distance between clocks, a cell's height, a face's radius
SHADES, KEY, LEAST = 11, 2.5, 0.02  # of a key of colours, its width; what is drawn as zero
BLOCKS, FAR_HIGH = 14, 0.8  # of a map's columns; scene units, the bars under it
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
        self.slant = 0.0 if is_level else SLANT
        self.labels = [TokenText(piece, max(size, PLAIN_SIZE)) for piece in tokens]
        longest = max(label.width for label in self.labels)
        foot = 2 * GAP + np.sin(self.slant) * longest
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
                if not points[row, part, t]:
                    cell.set_stroke(theme.color(QUIET), THIN_LINE)
                self.cells[row, part, t] = cell.move_to((at, y + (0.5 - part) * CELL * high, 0))
        for t, label in enumerate(self.labels):
            cell = self.cells[hands - 1, 1, t]
            label.rotate(self.slant).next_to(cell, DOWN, buff=GAP)
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
    """Where all hands point at many places, (places, 2 hands): a hand's right, then its up.

    Parts: what is `told` of it over it, the `key` of its colours, a `ring` around the places of so
    many `tokens`, and the `blocks` of columns, from left to right: these places, then all others;
    `widest` times as wide, these fill the room alone.
    Where `scan` stands, the bars under the map say how `far` from it every place is. `sizes` are
    how many hands and places there are.
    """

    def __init__(self, waves: Floats, sizes: Sequence[Value], tokens: int, room: Region) -> None:
        self.waves, places, self.wider = waves, len(waves), 1.0
        self.told = Words("{:,.0f} hands, {:,.0f} places", *sizes, size=SPOKEN_SIZE)
        low, high = (Number(constant(end, "the end of a hand"), 0, SPOKEN_SIZE) for end in (-1, 1))
        colors = Heat(np.linspace(-1, 1, SHADES)[None], (KEY, self.told.height), least=LEAST)
        self.key = VGroup(low, colors, high).arrange(RIGHT, buff=GAP)
        lines = VGroup(self.told, self.key)
        is_wide = self.told.width + self.key.width + 3 * GAP < room.width
        lines.arrange(RIGHT if is_wide else DOWN, buff=3 * GAP if is_wide else GAP)
        room.fit_width(lines)
        lines.move_to((room.center[0], room.top, 0), UP)
        self.far_told = Words("how far from here each place is", size=SPOKEN_SIZE, role=QUIET)
        self.far_told.move_to((room.center[0], room.bottom, 0), DOWN)
        foot = room.bottom + self.far_told.height + GAP
        self.foot = Region(room.left, room.right, foot, foot + FAR_HIGH)
        self.room = room.below(lines, GAP).raised(self.foot.top + GAP - room.bottom)
        self.wide, self.high = self.room.width / places, self.room.height / waves.shape[1]
        cuts = [0, *range(tokens, places, max(1, (places - tokens) // BLOCKS)), places]
        self.blocks = [self._block(first, last) for first, last in pairwise(cuts) if first < last]
        self.ring, self.widest = Ring(self.blocks[0], corner=0.0), places / tokens
        self.scan = Ring(
            self.cell(0, 0).stretch_to_fit_height(self.room.height), role=INK, corner=0
        )
        self.far = Filled(np.zeros((0, 3)), INK, SWEPT)
        super().__init__(*self.blocks, self.ring, self.scan, self.far, lines, self.far_told)
        self.look_at(0)

    def cell(self, row: int, place: int) -> Rectangle:
        """Return the box of a number: a hand's right, in row 2 * hand, or its up, in the next."""
        wide = self.wider * self.wide
        at = self.room.left + (place + 0.5) * wide, self.room.top - (row + 0.5) * self.high
        return Rectangle(width=wide, height=self.high).move_to((*at, 0))

    def taking(self, cell: Cell, at: tuple[int, int]) -> VMobject:
        """Return a copy of a cell as it stands in a row of the map, at a place."""
        goal, twin = self.cell(*at), cell.copy().set_stroke(opacity=0)
        return (
            twin.stretch_to_fit_width(goal.width).stretch_to_fit_height(goal.height).move_to(goal)
        )

    def widen(self, times: float) -> None:
        """Let all columns be so many times as wide; the first stays at the left."""
        for block in self.blocks:
            block.stretch(times / self.wider, 0, about_point=(self.room.left, 0, 0))
        self.wider = times

    def look_at(self, place: float) -> None:
        """Stand at a place, and show how far all others are from it."""
        here = round(place)
        across = self.room.left + (np.arange(len(self.waves)) + 0.5) * self.wide
        self.scan.move_to((across[here], self.room.center[1], 0))
        far = np.linalg.norm(self.waves - self.waves[here], axis=1)
        tall = far / max(float(far.max()), 1.0) * self.foot.height
        sides = np.stack([np.full(len(far), CELL * self.wide), tall / 2], axis=1)
        centers = np.stack([across, self.foot.bottom + tall / 2], axis=1)
        self.far.points = polygons(centers[:, None] + sides[:, None] * 2 * CORNERS)

    def _block(self, first: int, last: int) -> Heat:
        size = (last - first) * self.wide, self.room.height
        block = Heat(self.waves[first:last].T, size, largest=1.0, least=LEAST, thinnest=0.0)
        return block.move_to((self.room.left + first * self.wide, self.room.top, 0), LEFT + UP)


class Likeness(Shades):
    """How alike any two of n places are, (n, n), -1 to 1, as a square picture of a `side`.

    It grows from the `pair`, a row and a column. Parts: its `frame`, and all else within it.
    """

    def __init__(self, alike: Floats, pair: tuple[int, int], side: float) -> None:
        row, column = np.indices(alike.shape)
        apart = np.abs(row - column)
        means = np.bincount(apart.ravel(), alike.ravel()) / np.bincount(apart.ravel())
        self.alike, self.means, self.evened = alike, means[apart], 0.0
        along = np.abs(np.minimum(row, column) - min(pair)) / len(alike)
        step = abs(pair[0] - pair[1])
        self.order = np.where(apart == step, along, 1 + np.abs(apart - step))
        self.whole = float(len(alike))
        super().__init__((side, side))
        self.frame.set_stroke(width=THIN_LINE)
        self.reach(-1.0)

    def cell(self, row: int, column: int) -> Square:
        """Return the box of a pair."""
        side = self.frame.width / len(self.alike)
        corner = self.frame.get_corner(LEFT + UP)
        return Square(side).move_to(corner + side * ((column + 0.5) * RIGHT + (row + 0.5) * DOWN))

    def reach(self, far: float) -> None:
        """Show nothing (-1), the pair (0), all pairs as far apart (1), or all pairs (`whole`)."""
        self.reached = far
        self.draw()

    def even(self, share: float) -> None:
        """Let every pair go from its own number (0) to the mean of all as far apart (1)."""
        self.evened = share
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        numbers = (1 - self.evened) * self.alike + self.evened * self.means
        self.paint(numbers, self.order <= self.reached)


def _towards(angle: float) -> Floats:
    """Return the direction so many radians clockwise from upward."""
    return np.array([np.sin(angle), np.cos(angle)])


def ticking(hops: int) -> Callable[[float], float]:
    """Return how a way is gone in so many hops, as a clock ticks."""

    def pace(share: float) -> float:
        hop = min(int(share * hops), hops - 1)
        return (hop + smooth(share * hops - hop)) / hops

    return pace
