"""Tokens' columns through all blocks, and one block large: what each holds, what has changed.

    tower = Tower(tokens, vectors, patterns, changes, region)
    yield first.becomes(tower, swapped=1)       # a `Block` becomes the first block of a tower
    yield tower.build(1)                        # a copy of it stands on it
    yield tower.carry(0), tower.carry(1)        # a change goes on, and levels tell how much

The way goes up, as on a `Road`, which shows what heads look at; a tower shows what columns hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
from manim import Circle, Line, Rectangle, RoundedRectangle, VGroup, VMobject
from manim.constants import DOWN, ORIGIN
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import text_size
from scenes.mobjects.outlines import in_space
from scenes.mobjects.tokens import chips_in
from scenes.mobjects.vector import Heat
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    FAINTEST_FILL,
    GAP,
    HAIR,
    INK,
    OUTPUT,
    PANEL,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Then,
    Together,
    TurnInto,
    Verb,
)

Part = TypeVar("Part", bound=VMobject)
Floats = NDArray[np.floating]

WIDEST = 2.0  # scene units from column to column
WIDE, BOX_WIDE = 0.32, 0.36  # of the pitch: a column, and an MLP
BOX_LONG = 2.0  # of its height, an MLP's width at most
ASIDE = 0.4  # of the pitch, from a column to its MLP
BESIDE = 0.3  # of the pitch, what MLPs need to the right of the last column's half
ENTRIES = 6  # of a vector, that are drawn
SLIMMEST = 4  # times its width, a column's height at most
SMALLEST = 18  # font size of chips side by side; smaller ones stand on end
SEEN, CARRIED = 0.08, 0.02  # the smallest weight that has a line; the same times a change
FAINT = 0.25  # the presence of lines that carry no change, while others do
LEAST = 1e-6  # a change that is no rounding


@dataclass(frozen=True)
class Levels:
    """Where the parts of a block stand, as shares of its height."""

    before: float  # how far under it the columns stand that come in, with their room
    tall: float  # a column's height
    foot: float  # attention begins
    mixed: float  # columns after attention, or where its lines end
    leaves: float  # the way to the MLP leaves the column
    box: float
    thick: float  # an MLP's height
    joins: float  # the way comes back
    out: float  # columns after the MLP


class Tower(VGroup):
    """A column for each token, across all blocks.

    `vectors` is (2, steps, tokens, entries), what columns hold, and what they held before a change,
    as they come in, then after each layer; `patterns` is (layers, queries, keys),
    `changes` (steps, tokens), how much each column has changed. Parts: `chips` and, by step or
    layer and token, `nodes[step][i]`, `before[step][i]`, `boxes[layer][i]`, `ways[layer][i]`, which
    lead to the MLPs and back; by layer `lines[layer]`, from keys to queries, `lit[layer]`, those
    that carry a change, and `grounds[layer]`; `streams` run through all.
    """

    levels: ClassVar = Levels(0.4, 0.32, 0.0, 0.36, 0.39, 0.49, 0.13, 0.59, 0.81)
    stops_between: ClassVar = False  # whether columns stand after attention, too
    faintness: ClassVar = FAINTEST_FILL

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: Floats,
        patterns: Floats,
        changes: Floats,
        region: Region,
    ) -> None:
        at = self.levels
        self.pitch = pitch = min(WIDEST, region.width / (len(pieces) + BESIDE))
        self.span = (len(pieces) + BESIDE) * pitch
        left = float(region.center[0]) - self.span / 2
        self.xs = [left + (i + 0.5) * pitch for i in range(len(pieces))]
        self.chips = chips_in(pieces, pitch, SMALLEST)
        self.is_upright = text_size(pieces, pitch - GAP - HAIR, SPOKEN_SIZE) < SMALLEST
        region = region.raised(HAIR)
        tallest = max(chip.height for chip in self.chips)
        for x, chip in zip(self.xs, self.chips, strict=True):
            chip.move_to((x, region.bottom + tallest / 2, 0))
        foot = region.bottom + tallest + HAIR
        self.high = high = (region.top - foot) / (len(patterns) + at.before)
        self.floors = [foot + (at.before + layer) * high for layer in range(len(patterns))]
        stops = (at.mixed, at.out) if self.stops_between else (at.out,)
        steps = [floor + share * high for floor in self.floors for share in stops]
        self.heights = [self.floors[0] - at.before * high / 2, *steps]
        wide = min(WIDE * pitch, at.tall * high)
        self.size = wide, min(at.tall * high, SLIMMEST * wide)
        self.changed = changes > LEAST
        self.nodes, self.before = map(self._columns, vectors)
        self._glows = [
            self._row([self._glow(float(change)) for change in row], level)
            for row, level in zip(changes, self.heights, strict=True)
        ]
        self.boxes = [
            self._row([self._box() for _ in pieces], floor + at.box * high, ASIDE * pitch)
            for floor in self.floors
        ]
        self.ways = [[self._way(x, floor) for x in self.xs] for floor in self.floors]
        self.grounds = [self._ground(floor) for floor in self.floors]
        self.lines, self.lit = [], []
        for layer, pattern in enumerate(patterns):
            carried = pattern * changes[len(stops) * layer].clip(0, 1)
            self.lines.append(self._lines(pattern, layer, VALUE))
            self.lit.append(self._lines(carried, layer, ACCENT))
        ends = (self.heights[0], self.floors[-1] + high)
        self.streams = [
            Line((x, ends[0], 0), (x, ends[1], 0)).set_stroke(theme.color(QUIET), THIN_LINE)
            for x in self.xs
        ]
        super().__init__(*self.grounds, *self.streams)
        for parts in (self.lines, self.lit, self.ways, self.boxes):
            self.add(*(part for row in parts for part in row))
        for columns in (self.nodes, self.before, self._glows):
            self.add(*(column for row in columns for column in row))
        self.add(*self.chips)

    def glows(self, step: int) -> list[VGroup]:
        """Return the marks of the columns that have changed after a step."""
        pairs = zip(self._glows[step], self.changed[step], strict=True)
        return [glow for glow, is_changed in pairs if is_changed]

    @property
    def marks(self) -> list[VMobject]:
        """All that tells how a change spreads."""
        glows = [glow for step in range(len(self.nodes)) for glow in self.glows(step)]
        return [*glows, *(line for lines in self.lit for line in lines)]

    def carry(self, layer: int) -> Verb:
        """Return how a change goes sideways in a block, then upward through MLPs, seen as used."""
        used = zip(self.ways[layer], self.boxes[layer], self.changed[layer + 1], strict=True)
        mlps = [part for *parts, is_used in used if is_used for part in parts]
        sideways = Together(
            Fade(*self.lines[layer], to=FAINT), Draw(*self.lit[layer], run_time=QUICK)
        )
        upward = Then(Appear(*mlps, scale=1.0), Appear(*self.glows(layer + 1), scale=0.3))
        return Then(sideways, upward, Disappear(*mlps))

    def build(self, layer: int) -> Verb:
        """Return how a copy of the block below stands on it, with an attention of its own."""
        copied = zip(self.nodes[layer + 1], self.nodes[layer], strict=True)
        pairs = [(self.grounds[layer], self.grounds[layer - 1]), *copied]
        return Then(
            Together(ComeFrom(*pair, QUICK) for pair in pairs),
            Draw(*self.lines[layer], run_time=QUICK),
        )

    def _columns(self, vectors: Floats) -> list[list[VGroup]]:
        """Return the bodies of the columns, step by step: their first numbers."""
        return [
            self._row([_numbers(vector, self.size, largest=most) for vector in row], level)
            for row, level in zip(vectors, self.heights, strict=True)
            for most in [float(np.abs(row[:, :ENTRIES]).max())]
        ]

    def _glow(self, change: float) -> VGroup:
        """Return the mark of a change."""
        return level(change, self.size)

    def _row(self, parts: list[Part], level: float, aside: float = 0.0) -> list[Part]:
        for x, part in zip(self.xs, parts, strict=True):
            part.move_to((x + aside, level, 0))
        return parts

    def _box(self) -> RoundedRectangle:
        height = self.levels.thick * self.high
        width = min(BOX_WIDE * self.pitch, BOX_LONG * height)
        corner = min(CORNER, height / 3, width / 3)
        box = RoundedRectangle(corner_radius=corner, width=width, height=height)
        filled = theme.mix(theme.color(OUTPUT), theme.color(BACKGROUND), FAINTEST_FILL)
        return box.set_stroke(theme.color(OUTPUT), THIN_LINE).set_fill(filled, 1)

    def _way(self, x: float, floor: float) -> VMobject:
        """Return the way from a column to its MLP, and back."""
        at, high, aside = self.levels, self.high, x + ASIDE * self.pitch
        low, top = floor + at.leaves * high, floor + at.joins * high
        corners = np.array([(x, low), (aside, low), (aside, top), (x, top)])
        way = VMobject().set_points_as_corners(in_space(corners))
        return way.set_stroke(theme.color(OUTPUT), THIN_LINE)

    def _ground(self, floor: float) -> RoundedRectangle:
        ground = RoundedRectangle(
            corner_radius=min(CORNER, self.high / 4),
            width=self.span,
            height=0.98 * self.high,
            stroke_color=theme.color(QUIET),
            stroke_width=THIN_LINE,
        )
        return ground.move_to((self.xs[0] + (self.span - self.pitch) / 2, floor + self.high / 2, 0))

    def _lines(self, weights: Floats, layer: int, role: theme.Role) -> list[Line]:
        """Return a line from every key to each later query that heeds it, bolder for more."""
        floor, high, found = self.floors[layer], self.high, []
        top = floor + self.levels.mixed * high - self.stops_between * self.size[1] / 2
        least, opacity = (CARRIED, 1.0) if role is ACCENT else (SEEN, self.faintness)
        for query, key in np.argwhere(np.tril(weights, -1) >= least).tolist():
            start = (self.xs[key], floor + self.levels.foot * high, 0)
            width = THIN_LINE / 2 + BOLD_LINE * float(weights[query, key]) ** 0.5
            line = Line(start, (self.xs[query], top, 0))
            found.append(line.set_stroke(theme.color(role), width, opacity))
        return found


class Block(Tower):
    """One block, large: columns of numbers, what each step reads of them, and what it adds.

    Its steps are: as they come in, after attention, after the MLP; `tidied`, (2, tokens, entries),
    is what the two steps read. Further parts, by step: `risen[step][i]`, what comes up to be added
    to, `read[step][i]`, `pluses[step][i]`, and `added[i]` by the MLP.
    """

    levels: ClassVar = Levels(0.24, 0.16, 0.09, 0.39, 0.49, 0.665, 0.1, 0.77, 0.885)
    stops_between: ClassVar = True
    faintness: ClassVar = STRONGEST_FILL

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: Floats,
        pattern: Floats,
        changes: Floats,
        region: Region,
        *,
        tidied: Floats,
    ) -> None:
        super().__init__(pieces, vectors, pattern[None], changes, region)
        at, high, floor, aside = self.levels, self.high, self.floors[0], ASIDE * self.pitch
        self.risen = [
            self._row([node.copy() for node in self.nodes[step]], self.heights[step + 1])
            for step in (0, 1)
        ]
        small = 0.55 * self.size[0], 0.075 * high
        places = (0.045, 0.0), (0.5 * (at.leaves + at.box - at.thick / 2), aside)
        self.read = [
            self._row([_numbers(row, small) for row in rows], floor + share * high, shift)
            for rows, (share, shift) in zip(tidied, places, strict=True)
        ]
        given = vectors[0][2] - vectors[0][1]
        added = [_numbers(row, small, OUTPUT) for row in given]
        self.added = self._row(added, floor + at.box * high, aside)
        radius = min(0.022 * high, 0.12 * self.pitch)
        low = at.mixed * high - self.size[1] / 2 - radius, at.joins * high
        self.pluses = [self._row([_plus(radius) for _ in pieces], floor + y) for y in low]
        for parts in (*self.risen, *self.read, self.added, *self.pluses):
            self.add(*parts)

    def copy_out(self, step: int) -> Verb:
        """Return how what a step reads comes out of all columns."""
        pairs = zip(self.read[step], self.nodes[step], strict=True)
        return Flow((ComeFrom(*pair, fit=False) for pair in pairs), QUICK)

    def pass_mlp(self, token: int) -> Verb:
        """Return how a copy of a column goes through its MLP and is added to what has risen."""
        before, after, risen = (row[token] for row in (*self.nodes[1:], self.risen[1]))
        read, added, box = self.read[1][token], self.added[token], self.boxes[0][token]
        plus = self.pluses[1][token]
        return Then(
            Together(
                Draw(self.ways[0][token]),
                ComeFrom(risen, before),
                ComeFrom(read, before, fit=False),
            ),
            GoInto(read, box, QUICK),
            Together(Appear(added), Appear(plus)),
            GoInto(added, plus, QUICK),
            TurnInto(risen, after),
        )

    def becomes(self, tower: Tower, swapped: int) -> Verb:
        """Return how it becomes the first block of a tower.

        The chip of the token that is `swapped` for another one stays unseen.
        """
        pairs: list[tuple[VMobject, VMobject]] = [(self.grounds[0], tower.grounds[0])]
        pairs += zip(self.lines[0], tower.lines[0], strict=True)
        pairs += zip(self.streams, tower.streams, strict=True)
        for rows in zip(self.nodes[::2], tower.nodes, strict=False):
            pairs += zip(*rows, strict=True)
        moved = [Become(*pair) for pair in pairs]
        turned = [*zip(self.chips, tower.chips, strict=True)]
        del turned[swapped]
        between = *self.nodes[1], *self.boxes[0], *self.ways[0], *self.read[0], *self.read[1]
        marks = *self.glows(0), *self.glows(1), *self.glows(2), *self.lit[0]
        own = *between, *marks, *self.pluses[0], *self.pluses[1]
        over = (TurnInto(*pair) for pair in turned)
        there = [Appear(new, run_time=HAIR, scale=1.0) for _, new in pairs]
        gone = [Disappear(old, run_time=HAIR) for old, _ in pairs]
        moves = Together(Disappear(*own), *moved, *over)
        return Then(moves, Together(there), Together(gone))

    def _glow(self, change: float) -> VGroup:  # noqa: ARG002 - a rim, however much it is
        rim = RoundedRectangle(corner_radius=CORNER / 2, width=self.size[0], height=self.size[1])
        return VGroup(rim.stretch_to_fit_width(self.size[0] + HAIR)).set_stroke(
            theme.color(ACCENT), BOLD_LINE
        )


def level(change: float, size: tuple[float, float]) -> VGroup:
    """Return a rim of a column's (width, height), filled up to the share that has changed."""
    rim = Rectangle(width=size[0], height=size[1]).set_stroke(theme.color(ACCENT), THIN_LINE)
    plate = rim.copy().set_stroke(width=0).set_fill(theme.color(PANEL), 1)
    fill = Rectangle(width=size[0], height=max(min(change, 1.0), 1e-3) * size[1])
    fill.set_stroke(width=0).set_fill(theme.color(ACCENT), 1).align_to(rim, DOWN)
    return VGroup(plate, fill, rim)


def _numbers(
    vector: Floats,
    size: tuple[float, float],
    role: theme.Role | None = None,
    largest: float = 0.0,
) -> VGroup:
    """Return the first entries of a vector upon a plate through which no line shines."""
    plate = Rectangle(width=size[0], height=size[1], stroke_width=0)
    plate.set_fill(theme.color(BACKGROUND), 1)
    return VGroup(plate, Heat(vector[:ENTRIES, None], size, role, largest, thinnest=0.0))


def _plus(radius: float) -> VGroup:
    """Return the sign where something is added to a column."""
    disk = Circle(radius, stroke_color=theme.color(INK), stroke_width=THIN_LINE)
    disk.set_fill(theme.color(BACKGROUND), 1).move_to(ORIGIN)
    arm = 0.6 * radius
    arms = Line((-arm, 0, 0), (arm, 0, 0)), Line((0, -arm, 0), (0, arm, 0))
    return VGroup(disk, *(line.set_stroke(theme.color(INK), THIN_LINE) for line in arms))
