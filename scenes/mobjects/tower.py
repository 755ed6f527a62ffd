"""Tokens' columns through all blocks: what each holds, what has changed.

    tower = Tower(tokens, vectors, patterns, changes, region)
    yield tower.build(1)                        # a copy of it stands on it
    yield tower.sideways(0), tower.work(0)      # a change goes on; `glows` mark what it reaches

The way goes up, as on a `Road`, which shows what heads look at; a tower shows what columns hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN
from numpy.typing import NDArray

from scenes import theme
from scenes.camera import run_on
from scenes.mobjects.fit import text_size
from scenes.mobjects.outlines import Rounded, in_space
from scenes.mobjects.tokens import chips_in
from scenes.mobjects.vector import Heat, ellipsis
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    FAINTEST_FILL,
    GAP,
    HAIR,
    OUTPUT,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Draw,
    Fade,
    Flow,
    Hold,
    Then,
    Together,
    Verb,
)

Part = TypeVar("Part", bound=VMobject)
Floats = NDArray[np.floating]

WIDEST = 2.0  # scene units from column to column
BOX_WIDE = 0.3  # of the pitch, an MLP
BOX_LONG = 2.5  # of its height, an MLP's width at most
BAND = 0.03  # of a block's height, a step's ground beyond what it holds
ASIDE = 0.45  # of the pitch, from a column to its MLP
BESIDE = 0.3  # of the pitch, what MLPs need to the right of the last column's half
ENTRIES = 6  # of a vector, that are drawn
JOINED = 0.04  # scene units, a number's height at most where no joints are drawn
SLIMMEST, FLATTEST = 1.5, 2.2  # times its width, a column's height at most; and the other way
SMALLEST = 17  # font size of chips side by side; smaller ones stand on end
SEEN, CARRIED = 0.12, 0.02  # the smallest weight that has a line; less, if it carries a change
FAINT = 0.25  # the presence of lines that carry no change, while others do
DIMMEST = 0.4  # of a colour, in a line that carries a change
TINT, UNLIT = 0.13, 0.2  # of a step's colour, in its ground and in an MLP that does not work
TALLEST, ENDS = 5, 2  # layers that are drawn; of more, so many at both ends and an ellipsis
LEAST = 1e-6  # a change that is no rounding


@dataclass(frozen=True)
class Levels:
    """Where the parts of a block stand, as shares of its height."""

    before: float  # how far under it the columns stand that come in, with their room
    tall: float  # a column's height
    foot: float  # attention's lines begin
    mixed: float  # its lines end
    middle: float  # columns after attention, if they are shown
    leaves: float  # the way to the MLP leaves the column
    box: float
    thick: float  # an MLP's height
    joins: float  # the way comes back
    out: float  # columns after the MLP
    wide: float  # of the pitch, a column's width


class Tower(VGroup):
    """A column for each token, across all blocks.

    `vectors` is (2, steps, tokens, entries), what columns hold, and what they held before a change,
    as they come in, then after each layer; `patterns` is (layers, queries, keys),
    `changes` (steps, tokens), how much each column has changed after each step. Parts: `chips`
    and, by layer (or how many layers there were) and token, `nodes[n][i]`, `before[n][i]`,
    `boxes[layer][i]`, `ways[layer][i]` to the MLPs and back, `taken[layer][i]`, those that carry a
    change; by layer `lines[layer]`, from keys to queries, `lit[layer]`, those that carry a change,
    `grounds[layer]` and on it `bands[layer]`, attention's and the MLPs'; `streams` run through all.
    One layer may stand for `skipped` ones: it is drawn as an ellipsis in each column.
    """

    levels: ClassVar = Levels(0.42, 0.36, 0.03, 0.31, 0.0, 0.37, 0.48, 0.16, 0.59, 0.81, 0.74)
    faintness: ClassVar = FAINTEST_FILL

    def _place(self, pieces: Sequence[str], layers: int, region: Region) -> None:
        """Place tokens at the foot, and work out where floors and columns are over them."""
        at = self.levels
        self.pitch = pitch = min(WIDEST, region.width / (len(pieces) + BESIDE))
        self.span = (len(pieces) + BESIDE) * pitch
        self.middle = float(region.center[0])
        left = self.middle - self.span / 2
        self.xs = [left + (i + 0.5) * pitch for i in range(len(pieces))]
        self.chips = chips_in(pieces, pitch, SMALLEST)
        self.is_upright = text_size(pieces, pitch - GAP - HAIR, SPOKEN_SIZE) < SMALLEST
        region = region.raised(HAIR)
        tallest = max(chip.height for chip in self.chips)
        for x, chip in zip(self.xs, self.chips, strict=True):
            chip.move_to((x, region.bottom + tallest / 2, 0))
        foot = region.bottom + tallest + HAIR
        self.high = (region.top - foot) / (layers + at.before)
        self.floors = [foot + (at.before + layer) * self.high for layer in range(layers)]
        wide = min(at.wide * pitch, FLATTEST * at.tall * self.high)
        self.size = wide, min(at.tall * self.high, SLIMMEST * wide)
        steps = [floor + share * self.high for floor in self.floors for share in self._stops]
        self.heights = [foot + HAIR + self.size[1] / 2, *steps]

    @property
    def _stops(self) -> tuple[float, ...]:
        """Where columns stand in a block, in shares of its height."""
        at = self.levels
        return (at.middle, at.out) if at.middle else (at.out,)

    def _make_columns(self, vectors: Floats, changes: Floats) -> None:
        """Make the columns, before and after the change, and the marks of those that changed."""
        self.nodes, self.before = map(self._columns, vectors)
        self._glows = [
            self._row([self._glow(float(change)) for change in row], level)
            for row, level in zip(changes, self.heights, strict=True)
        ]

    def _make_blocks(self, changes: Floats) -> None:
        """Make the MLPs with the ways to them, and the grounds of blocks."""
        self.boxes: list[list[VMobject]] = [
            self._row(
                [self._box() for _ in self.xs],
                floor + self.levels.box * self.high,
                ASIDE * self.pitch,
            )
            for floor in self.floors
        ]
        self.lights = np.vectorize(self._seen)(changes[len(self._stops) :: len(self._stops)])
        self.ways = [[self._way(x, 1.0, floor, OUTPUT) for x in self.xs] for floor in self.floors]
        self.taken = [
            [
                self._way(x, _clearly(light), floor, ACCENT)
                for x, light in zip(self.xs, lights, strict=True)
            ]
            for floor, lights in zip(self.floors, self.lights, strict=True)
        ]
        self.grounds = [self._ground(floor) for floor in self.floors]
        self.bands = [self._bands(floor) for floor in self.floors]

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: Floats,
        patterns: Floats,
        changes: Floats,
        region: Region,
        *,
        skipped: int | None = None,
    ) -> None:
        self.skipped, self.changed = skipped, changes > LEAST
        self._place(pieces, len(patterns), region)
        self._make_columns(vectors, changes)
        self._make_blocks(changes)
        if skipped is not None:
            self._skip(skipped)
        self.lines, self.lit = [], []
        for layer, pattern in enumerate(patterns):
            carried = pattern * changes[len(self._stops) * layer].clip(0, 1)
            is_lit = carried >= CARRIED
            self.lines.append(self._lines(pattern * (is_lit | (pattern >= SEEN)), layer, VALUE))
            self.lit.append(self._lines(carried * is_lit, layer, ACCENT))
        ends = (self.heights[0], self.floors[-1] + self.high)
        self.streams = [
            Line((x, ends[0], 0), (x, ends[1], 0)).set_stroke(theme.color(QUIET), THIN_LINE)
            for x in self.xs
        ]
        super().__init__(*(band for bands in self.bands for band in bands), *self.grounds)
        self.add(*self.streams)
        for parts in (self.lines, self.lit, self.ways, self.taken, self.boxes):
            self.add(*(part for row in parts for part in row))
        for columns in (self.nodes, self.before, self._glows):
            self.add(*(column for row in columns for column in row))
        run_on(*self)
        self.add(*self.chips)

    def glows(self, step: int) -> list[VMobject]:
        """Return the marks of the columns that have changed after a step."""
        pairs = zip(self._glows[step], self.changed[step], strict=True)
        return [glow for glow, is_changed in pairs if is_changed]

    def sideways(self, layer: int, run_time: float = STEADY) -> Verb:
        """Return how a change goes through attention to columns on the right."""
        lit = Draw(*self.lit[layer], run_time=run_time)
        return Together(Fade(*self.lines[layer], to=FAINT), lit)

    def work(self, layer: int, run_time: float = STEADY) -> Verb:
        """Return how a change goes through the MLPs of a block; they light up as it is large."""
        found: list[Verb] = []
        boxes, lights = self.boxes[layer], self.lights[layer]
        role = ACCENT if layer == self.skipped else OUTPUT
        for i in np.flatnonzero(self.changed[layer + 1]):
            lit = boxes[i].copy().set_fill(on_ground(role, lights[i]))
            found.append(Draw(self.taken[layer][i], run_time=run_time))
            found.append(Then(Hold(run_time / 2), Become(boxes[i], lit, run_time / 2)))
        return Together(found)

    def block(self, layer: int) -> list[VMobject]:
        """Return a block but for its lines, and the columns that it makes."""
        return [self.grounds[layer], *self.inside(layer), *self.nodes[layer + 1]]

    def inside(self, layer: int) -> list[VMobject]:
        """Return what a block holds but for its columns and lines."""
        return [*self.bands[layer], *self.ways[layer], *self.boxes[layer]]

    def build(self, layer: int) -> Verb:
        """Return how a block rises on the one below, step by step, and columns go on into it."""
        old, new = self.nodes[layer], self.nodes[layer + 1]
        bands = Flow(Appear(band, scale=1.0) for band in self.bands[layer])
        come = Together(ComeFrom(*pair, QUICK) for pair in zip(new, old, strict=True))
        inside = Appear(*self.ways[layer], *self.boxes[layer], run_time=QUICK / 2)
        grounds = Together(Draw(self.grounds[layer], run_time=QUICK), bands)
        return Then(grounds, Together(come, inside, Draw(*self.lines[layer], run_time=QUICK)))

    def _columns(self, vectors: Floats) -> list[list[VGroup]]:
        """Return the bodies of the columns, step by step: their first numbers."""
        return [
            self._row([numbers(vector, self.size, largest=most) for vector in row], level)
            for row, level in zip(vectors, self.heights, strict=True)
            for most in [float(np.abs(row[:, :ENTRIES]).max())]
        ]

    def _seen(self, change: float) -> float:
        """Return the strength in which is drawn what a change goes through."""
        return UNLIT + (1 - UNLIT) * min(change, 1.0)

    def _glow(self, change: float) -> VMobject:
        """Return the mark of a change: a rim, and pink that rises as high as its share of it."""
        wide, high = self.size
        column = Rectangle(width=wide, height=high)
        column.set_stroke(theme.color(ACCENT), THIN_LINE)
        level = Rectangle(width=wide, height=high * min(change, 1.0), stroke_width=0)
        level.set_fill(theme.color(ACCENT), 1).align_to(column, DOWN)
        return VGroup(column, level)

    def _row(self, parts: list[Part], level: float, aside: float = 0.0) -> list[Part]:
        for x, part in zip(self.xs, parts, strict=True):
            part.move_to((x + aside, level, 0))
        return parts

    def _box(self) -> Rounded:
        height = self.levels.thick * self.high
        width = min(BOX_WIDE * self.pitch, BOX_LONG * height)
        corner = min(CORNER, height / 3, width / 3)
        box = Rounded(corner_radius=corner, width=width, height=height)
        box.set_stroke(theme.color(OUTPUT), THIN_LINE)
        return box.set_fill(on_ground(OUTPUT, UNLIT), 1)

    def _way(self, x: float, light: float, floor: float, role: theme.Role) -> VMobject:
        """Return the way from a column to its MLP, and back, in the colour of a role."""
        at, high, aside = self.levels, self.high, x + ASIDE * self.pitch
        low, top = floor + at.leaves * high, floor + at.joins * high
        corners = np.array([(x, low), (aside, low), (aside, top), (x, top)])
        way = VMobject().set_points_as_corners(in_space(corners))
        width = BOLD_LINE if role is ACCENT else THIN_LINE
        return way.set_stroke(on_ground(role, light), width)

    def _skip(self, layer: int) -> None:
        """Let a layer stand for several: dots in the columns, no ground, no MLPs."""
        low, high = self.floors[layer], self.floors[layer] + self.levels.joins * self.high
        step = np.array((0.0, 0.5 * self.high, 0.0))
        cover = theme.color(BACKGROUND)
        self.grounds[layer].set_stroke(width=0)
        for band in self.bands[layer]:
            band.set_fill(cover)
        for ways in (self.ways, self.taken):
            for way, x in zip(ways[layer], self.xs, strict=True):
                way.set_points_as_corners(in_space(np.array([(x, low), (x, high)])))
                way.set_stroke(cover, 3 * BOLD_LINE)
        for place, x in enumerate(self.xs):
            dots = ellipsis(np.array((x, (low + high) / 2, 0.0)), step)
            self.boxes[layer][place] = dots.set_fill(theme.color(QUIET), 1)

    def _bands(self, floor: float) -> list[Rectangle]:
        """Return the grounds of a block's two steps."""
        at, found = self.levels, []
        for role, low, top in ((VALUE, 0.0, at.mixed), (OUTPUT, at.leaves, at.joins)):
            high = (top - low + (1 + bool(low)) * BAND) * self.high
            band = Rectangle(width=self.span - HAIR, height=high, stroke_width=0)
            band.set_fill(on_ground(role, TINT), 1)
            y = floor + (low - bool(low) * BAND) * self.high + high / 2
            found.append(band.move_to((self.middle, y, 0)))
        return found

    def _ground(self, floor: float) -> Rounded:
        ground = Rounded(
            corner_radius=min(CORNER, self.high / 4),
            width=self.span,
            height=0.98 * self.high,
            stroke_color=theme.color(QUIET),
            stroke_width=THIN_LINE,
        )
        return ground.move_to((self.middle, floor + self.high / 2, 0))

    def _lines(self, weights: Floats, layer: int, role: theme.Role) -> list[Line]:
        """Return a line from every key to each query that has a weight, bolder for more."""
        floor, high, found = self.floors[layer], self.high, []
        top = floor + self.levels.mixed * high
        for query, key in np.argwhere(np.tril(weights) > 0)[::-1].tolist():
            start = (self.xs[key], floor + self.levels.foot * high, 0)
            least = THIN_LINE if role is ACCENT else THIN_LINE / 2
            width = least + BOLD_LINE * float(weights[query, key]) ** 0.5
            light = self._seen(weights[query, key] ** 0.5)
            opacity = _clearly(light) if role is ACCENT else self.faintness
            line = Line(start, (self.xs[query], top, 0))
            found.append(line.set_stroke(theme.color(role), width, opacity))
        return found


def _clearly(light: Any) -> Any:  # noqa: ANN401 - a number or an array
    """Return strengths in which even a line that carries little is clearly seen."""
    return DIMMEST + (1 - DIMMEST) * light


def layers_drawn(layers: int) -> tuple[list[int], int | None]:
    """Return which layers a tower draws, and the place of one that stands for skipped ones."""
    if layers <= TALLEST:
        return [*range(layers)], None
    return [*range(ENDS), *range(layers - ENDS - 1, layers)], ENDS


def on_ground(role: theme.Role, share: float) -> str:
    """Return a role's colour in part, through which nothing shines."""
    return theme.mix(theme.color(role), theme.color(BACKGROUND), share)


def numbers(
    vector: Floats,
    size: tuple[float, float],
    role: theme.Role | None = None,
    largest: float = 0.0,
) -> VGroup:
    """Return the first entries of a vector upon a plate through which no line shines."""
    plate = Rectangle(width=size[0], height=size[1], stroke_width=0)
    plate.set_fill(theme.color(BACKGROUND), 1)
    cells = Heat(vector[:ENTRIES, None], size, role, largest, thinnest=0.0)
    joint = THIN_LINE * (size[1] > ENTRIES * JOINED)
    return VGroup(plate, cells.set_stroke(theme.color(BACKGROUND), joint))
