"""One block, large: what each of its steps reads of tokens' columns, and what it adds to them.

first = Block(tokens, vectors, pattern, changes, region)
yield first.look()
yield Flow(map(first.enter, range(len(tokens)))), Flow(map(first.add_up, range(len(tokens))))
yield first.becomes(tower, swapped=1)       # it becomes the first block of a `Tower`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from manim import Circle, Line, Rectangle, VGroup, VMobject
from manim.constants import ORIGIN
from numpy.typing import NDArray

from scenes import theme
from scenes.camera import run_on
from scenes.figures.tower import BESIDE, LEAST, UNLIT, WIDEST, Tower, chips_under, on_ground
from scenes.mobjects.outlines import Rounded, lines, rectangles
from scenes.mobjects.vector import Heat
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    HAIR,
    INK,
    OUTPUT,
    QUICK,
    QUIET,
    SLOW,
    STEADY,
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
    GoInto,
    Hold,
    Then,
    Together,
    TurnInto,
    Undim,
    Verb,
)

Part = TypeVar("Part", bound=VMobject)
Floats = NDArray[np.floating]

# Where parts stand, as shares of a block's height
BEFORE, TALL = 0.25, 0.17  # columns come in so far under it, and leave over it; their height
ATTENTION, MLPS = (0.04, 0.35), (0.6, 0.96)  # the grounds of both steps
FOOT, MIXED, MIDDLE = 0.04, 0.35, 0.475  # attention's lines begin and end; columns after it
CENTER, THICK, LEAVES, JOINS = 0.765, 0.19, 0.63, 0.915  # an MLP; the way through it, both ends
WIDE, SLIMMEST, FLATTEST = 0.48, 1.5, 2.2  # of the pitch, a column; times its width, and its height
BOX_WIDE, ASIDE, FILLED = 0.36, 0.31, 0.8  # of the pitch, an MLP, beside a column; its product
BOX_HIGH, LIGHT = 1.6, 0.65  # of its width, an MLP at most; of its colour, one at work
ENTRIES, JOINED = 6, 0.04  # of a vector, that are drawn; scene units, those with joints, at least
SEEN, CARRIED = 0.12, 0.02  # the smallest weight that has a line; less, if it carries a change
TINT = 0.13  # of a step's colour, its ground


class Block(VGroup):
    """One block, large: columns of numbers, what each step reads of them, and what it adds.

    `vectors` is (steps, tokens, entries), what columns hold as they come in, after attention and
    after the MLP, `pattern` (queries, keys), `changes` (steps, tokens), how much each has changed.
    Parts: `chips`, `streams`, `ground`, `bands`, attention's and the MLPs'; by step and token
    `nodes[step][i]`, `pluses[step][i]`; by token `risen`, what comes up to attention's sums,
    `boxes`, `ways` through them, `taken`, both ways of a change, straight up and through them, what
    is `read` and `added`, and what of it is `given`; `lines`, from keys to queries, `looks`, by
    query, `lit`, those with a change.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: Floats,
        pattern: Floats,
        changes: Floats,
        region: Region,
    ) -> None:
        self.changed = changes > LEAST
        self._place(pieces, region)
        floor, high, pitch = self.floor, self.high, self.pitch
        levels = self._levels()
        self.nodes = [
            self._row([numbers(vector, self.size, largest=most) for vector in row], level)
            for row, level in zip(vectors, levels, strict=True)
            for most in [float(np.abs(row[:, :ENTRIES]).max())]
        ]
        self._glows = [self._row([self._rim() for _ in pieces], level) for level in levels]
        self._make_mlps(vectors[2] - vectors[1])
        self.ground = Rounded(CORNER, self.span, 0.98 * high)
        self.ground.set_fill(theme.color(BACKGROUND), 1)
        self.ground.set_stroke(theme.color(QUIET), THIN_LINE)
        self.ground.move_to((self.middle, floor + high / 2, 0))
        self.bands = [self._band(VALUE, ATTENTION), self._band(OUTPUT, MLPS)]
        carried = pattern * changes[0].clip(0, 1)
        is_lit = carried >= CARRIED
        self.lines = self._lines(pattern * (is_lit | (pattern >= SEEN)), VALUE)
        self.looks = [[line for line in self.lines if line.get_end()[0] == x] for x in self.xs]
        self.lit = self._lines(carried * is_lit, ACCENT)
        ends = levels[0], floor + (1 + BEFORE) * high
        self.streams = [_stream(x, *ends) for x in self.xs]
        self.risen = self._row([node.copy() for node in self.nodes[0]], levels[1])
        radius = min(0.022 * high, 0.12 * pitch)
        self.pluses = [
            self._row([_plus(radius) for _ in pieces], level) for level in self._at(MIXED, JOINS)
        ]
        super().__init__(self.ground, *self.bands, *self.streams, *self.lines, *self.lit)
        self.add(*self.ways, *self.taken, *self.boxes)
        added = [self.risen, self.read, self.added, self.given]
        for rows in (self.nodes, self._glows, added, self.pluses):
            self.add(*(part for row in rows for part in row))
        self.add(*self.chips)
        run_on(*self)

    def _place(self, pieces: Sequence[str], region: Region) -> None:
        """Place tokens at the foot, and work out where the block and its columns are over them."""
        self.pitch = pitch = min(WIDEST, region.width / (len(pieces) + BESIDE))
        self.span = (len(pieces) + BESIDE) * pitch
        self.middle = float(region.center[0])
        left = self.middle - self.span / 2
        self.xs = [left + (i + (1 + BESIDE) / 2) * pitch for i in range(len(pieces))]
        self.chips, self.is_upright = chips_under(pieces, pitch)
        tallest = max(chip.height for chip in self.chips)
        for x, chip in zip(self.xs, self.chips, strict=True):
            chip.move_to((x, region.bottom + HAIR + tallest / 2, 0))
        foot = region.bottom + 2 * HAIR + tallest
        self.high = (region.top - foot) / (1 + 2 * BEFORE)
        self.floor = foot + BEFORE * self.high
        wide = min(WIDE * pitch, FLATTEST * TALL * self.high)
        self.size = wide, min(TALL * self.high, SLIMMEST * wide)

    def _make_mlps(self, added: Floats) -> None:
        """Make the MLPs beside their columns, each with its way, and what it adds."""
        (center,) = self._at(CENTER)
        width = BOX_WIDE * self.pitch
        height = min(THICK * self.high, BOX_HIGH * width)
        bold = theme.color(ACCENT), BOLD_LINE
        self.boxes = self._row([_box(width, height) for _ in self.xs], center, ASIDE)
        self._at_rest = [(box, box.copy()) for box in self.boxes]
        _, middle, out = self._levels()
        ends = middle + self.size[1] / 2, out - self.size[1] / 2
        self.ways = [self._way(x).set_stroke(theme.color(QUIET)) for x in self.xs]
        self.taken = [VGroup(_stream(x, *ends), self._way(x)).set_stroke(*bold) for x in self.xs]
        share = min(FILLED * width / self.size[0], FILLED * height / self.size[1], 1.0)
        inside = share * self.size[0], share * self.size[1]
        self.added, self.given = (
            self._row([numbers(row, inside, OUTPUT) for row in added], center, ASIDE)
            for _ in range(2)
        )
        read = [node.copy().scale(share) for node in self.nodes[1]]
        self.read = self._row(read, center, ASIDE)

    def glows(self, step: int) -> list[VMobject]:
        """Return the marks of the columns that have changed after a step."""
        pairs = zip(self._glows[step], self.changed[step], strict=True)
        return [glow for glow, is_changed in pairs if is_changed]

    def work(self, run_time: float = STEADY) -> Verb:
        """Return how a change goes through the MLPs, which light up."""
        found: list[Verb] = []
        for i in np.flatnonzero(self.changed[2]):
            lit = self.boxes[i].copy().set_fill(on_ground(OUTPUT, LIGHT))
            light = Become(self.boxes[i], lit, run_time / 2)
            found += [Draw(self.taken[i], run_time=run_time), Then(Hold(run_time / 2), light)]
        return Together(found)

    def rest(self) -> Verb:
        """Return how the MLPs are as before a change went through them."""
        return Together(Become(*pair, run_time=QUICK) for pair in self._at_rest)

    def below(self) -> list[VMobject]:
        """Return what stands under the block; plates stay, so that no line shines through."""
        return [cells for _, cells in self.nodes[0]]

    def inside(self) -> list[VMobject]:
        """Return what the block holds but for its columns and lines."""
        return [*self.bands, *self.ways, *self.boxes]

    def look(self) -> Verb:
        """Return how one column after another looks at those before it; the last one goes on."""
        pace = SLOW / len(self.looks)
        come = (Draw(*lines, run_time=pace) for lines in self.looks)
        gone = (Disappear(*lines, run_time=pace) for lines in [[], *self.looks[:-1]])
        return Then(map(Together, come, gone))

    def enter(self, token: int) -> Verb:
        """Return how a copy of a column goes up into its MLP, which makes something new of it."""
        read = self.read[token]
        return Then(ComeFrom(read, self.nodes[1][token]), TurnInto(read, self.added[token], QUICK))

    def add_up(self, token: int) -> Verb:
        """Return how what the MLP made is added to its column, which comes straight up."""
        plus, given = self.pluses[1][token], self.given[token]
        goes = Then(Appear(given, scale=1.0, run_time=HAIR), GoInto(given, plus, QUICK))
        return Then(
            Together(Appear(plus), goes), ComeFrom(self.nodes[2][token], plus, QUICK, fit=False)
        )

    def becomes(self, tower: Tower, swapped: int) -> Verb:
        """Return how what a tower has of it, too, becomes the tower's first block.

        The chip of the token that is `swapped` for another one stays unseen.
        """
        pairs: list[tuple[VMobject, VMobject]] = [(self.ground, tower.grounds[0])]
        pairs += zip(self.bands, tower.bands[0], strict=True)
        pairs += zip(self.ways, tower.ways[0], strict=True)
        pairs += zip(self.boxes, tower.boxes[0], strict=True)
        pairs += zip(self.streams, tower.streams, strict=True)
        moved = [Together(Become(*pair), Undim(pair[0])) for pair in pairs]
        turned = [*zip(self.chips, tower.chips, strict=True)]
        del turned[swapped]
        gone = Disappear(*(old for old, _ in pairs), run_time=HAIR)
        together = Together(moved, (TurnInto(*pair) for pair in turned))
        return Then(together, tower.go(HAIR, light=1.0), gone)

    def _at(self, *shares: float) -> list[float]:
        """Return heights in the block, in scene units."""
        return [self.floor + share * self.high for share in shares]

    def _row(self, parts: list[Part], level: float, aside: float = 0.0) -> list[Part]:
        """Set a part at each column, or so much of the pitch beside it."""
        for x, part in zip(self.xs, parts, strict=True):
            part.move_to((x + aside * self.pitch, level, 0))
        return parts

    def _rim(self) -> VMobject:
        """Return the mark of a column that has changed."""
        wide, high = self.size
        rim = Rounded(corner_radius=CORNER / 2, width=wide + HAIR, height=high)
        return rim.set_stroke(theme.color(ACCENT), BOLD_LINE)

    def _way(self, x: float) -> VMobject:
        """Return the way through a column's MLP, to where what comes out of this is added."""
        aside, (low, top) = x + ASIDE * self.pitch, self._at(LEAVES, JOINS)
        corners = np.array([(x, low), (aside, low), (aside, top), (x, top)])
        way = VMobject().set_stroke(width=THIN_LINE)
        way.points = lines(np.stack([corners[:-1], corners[1:]], axis=1))
        return way

    def _levels(self) -> list[float]:
        """Return the heights of columns, before and after attention, and after the MLPs."""
        beyond = BEFORE * self.high - HAIR - self.size[1] / 2
        middle, top = self._at(MIDDLE, 1)
        return [self.floor - beyond, middle, top + beyond]

    def _band(self, role: theme.Role, ends: tuple[float, float]) -> Rectangle:
        """Return the ground of a step."""
        low, top = self._at(*ends)
        half, band = (self.span - HAIR) / 2, Rectangle(stroke_width=0)
        band.points = rectangles(self.middle - half, low, self.middle + half, top)
        return band.set_fill(on_ground(role, TINT), 1)

    def _lines(self, weights: Floats, role: theme.Role) -> list[Line]:
        """Return a line from every key to each query that has a weight, bolder for more."""
        (foot, top), found = self._at(FOOT, MIXED), []
        for query, key in np.argwhere(np.tril(weights) > 0)[::-1].tolist():
            share = float(weights[query, key]) ** 0.5
            width = (THIN_LINE if role is ACCENT else THIN_LINE / 2) + BOLD_LINE * share
            opacity = 1.0 if role is ACCENT else STRONGEST_FILL
            line = Line((self.xs[key], foot, 0), (self.xs[query], top, 0))
            found.append(line.set_stroke(theme.color(role), width, opacity))
        return found


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


def _stream(x: float, low: float, top: float) -> Line:
    return Line((x, low, 0), (x, top, 0)).set_stroke(theme.color(QUIET), THIN_LINE)


def _box(width: float, height: float) -> Rounded:
    box = Rounded(CORNER, width, height).set_stroke(theme.color(OUTPUT), THIN_LINE)
    return box.set_fill(on_ground(OUTPUT, UNLIT), 1)


def _plus(radius: float) -> VGroup:
    """Return the sign where something is added to a column."""
    disk = Circle(radius, stroke_color=theme.color(INK), stroke_width=THIN_LINE)
    disk.set_fill(theme.color(BACKGROUND), 1).move_to(ORIGIN)
    arm = 0.6 * radius
    arms = Line((-arm, 0, 0), (arm, 0, 0)), Line((0, -arm, 0), (0, arm, 0))
    return VGroup(disk, *(line.set_stroke(theme.color(INK), THIN_LINE) for line in arms))
