"""The road of a sentence as one walks it: in perspective, and with what a model computes on it.

    corridor = Corridor(tokens, embeddings, patterns, changes, vectors, stage=film.stage)
    corridor.stops = [corridor.far(), corridor.near(0), corridor.near(1)]
    yield Vary(corridor.go, 0, 1)       # from the first stop to the second

It is a `Road` that lies on the ground, longer than the stage. Columns of numbers walk on it from
step to step; what they held stays behind, lying. It is projected in NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects import ground
from scenes.mobjects.arcs import UNLIT, Arcs
from scenes.mobjects.ground import SOFT, Stop
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.road import Road
from scenes.mobjects.signs import hue, levels, strength
from scenes.mobjects.tokens import chips_in
from scenes.mobjects.vector import LEVELS, Heat
from scenes.presence import parts_of, presence, set_fill
from scenes.region import Region, area_of
from scenes.theme import (
    BACKGROUND,
    BOLD_LINE,
    HAIR,
    INK,
    OUTPUT,
    QUIET,
    THIN_LINE,
)

Floats = NDArray[np.float64]

BLOCK = 3.3  # scene units, from one block to the next
ENTRIES = 6  # of a column, that are drawn
CELL = 0.42  # scene units, an entry's height
WIDE, WIDEST = 0.56, 1.1  # of a lane, a column; scene units, at most
LYING = 0.55  # scene units along the road, a column that lies
BELOW = 0.3  # scene units under a column, for the dots that stand for further entries
PLATE = 1.45  # of a column's width, what rises from an MLP
PITCH, STEEP = 33.0, 52.0  # degrees by which one looks down from near, and in an upright frame
WALKED = 0.86  # of the stage's width, the lanes where one stands
FOOT = 0.14  # of the stage's height, under the place that one looks at
BACK = 2.3  # scene units by which one stands behind the columns
_LIES, _TILE, _RISES = range(3)  # what a part is


class Corridor(Road):
    """A road on which columns of numbers walk through blocks.

    `vectors` is (steps, tokens, entries): as they come in, then after attention and after the MLP
    of each layer. Parts, further to those of a road: `row[token]`, the columns that walk;
    `rows[step]`, what they leave behind; `rising[layer]` and `arcs[layer]`, what MLPs and attention
    give them; `dark` and `lanes`, on which they walk; `beyond`, so many more blocks, as outlines.
    `go` shows all from one of the `stops`, or from between two.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        embeddings: NDArray[np.floating],
        patterns: NDArray[np.floating],
        changes: NDArray[np.floating],
        vectors: NDArray[np.floating],
        *,
        stage: Region,
        more: int = 0,
    ) -> None:
        half = stage.width / 2
        long = Region(-half, half, 0.0, BLOCK * (len(patterns) + 0.5))
        super().__init__(pieces, embeddings, patterns[:, :1], changes, long)
        self.stage, self.stops, self.more = stage, list[Stop](), more
        self.xs = np.array([chip.get_x() for chip in self.chips])
        self.lane = float(self.blank.get_x() - self.chips[-1].get_x())
        self.chips = chips_in(pieces, self.lane)
        self.wide = min(WIDE * self.lane, WIDEST)
        self.tall = BELOW + ENTRIES * CELL
        self.steps, self._ways = self._places()
        self.cut = vectors[:, :, :ENTRIES].astype(np.float64)
        self._most = np.abs(self.cut).max(axis=(1, 2))
        self._make(patterns.mean(axis=1), changes / changes.max())

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def near(self, walk: float, **more: float) -> Stop:
        """Return the stop behind the columns when they have come to a step."""
        stage, lanes = self.stage, self.lane * len(self.xs)
        scale, level = WALKED * stage.width / lanes, stage.bottom + FOOT * stage.height
        pitch = STEEP if stage.height > stage.width else PITCH
        place = self._y(walk) - BACK
        found = Stop(pitch, min(scale, 1.0), level, place, walk=walk, arcs=0.0)
        return replace(found, **more)

    def far(self, top: float, walk: float = 0.0, **more: float) -> Stop:
        """Return the stop from which one sees the whole road, from the sentence to its end.

        Columns that have come to its end reach up to `top`.
        """
        stage, (low, high) = self.stage, (2.0, 89.0)
        level, scale = stage.bottom + self.chip_high + SOFT, 1.0 - 2 * SOFT / stage.width
        found = Stop(0.0, scale, level, self.before, walk=walk, carried=0.0)
        while high - low > 1e-3:
            found = replace(found, pitch=(low + high) / 2)
            is_low = self.place(self.top(-1, self.last), found)[1] < top
            low, high = (found.pitch, high) if is_low else (low, found.pitch)
        return replace(found, **more)

    @property
    def chip_high(self) -> float:
        """The height of the tallest token."""
        return max(float(chip.height) for chip in self.chips)

    @property
    def before(self) -> float:
        """The place along the road where tokens hang, in front of the first step."""
        return float(self.steps[0]) - LYING / 2 - HAIR

    def place(self, point: Point3D, stop: Stop) -> Point3D:
        """Return where a point of the world is seen from a stop."""
        (x, y), *_ = stop.seen(np.array([point], dtype=np.float64))[0]
        return np.array((x, y, 0.0))

    def top(self, token: int, walk: float) -> Point3D:
        """Return the upper end of a token's column when it has come to a step."""
        return np.array((self.xs[token], self._y(walk), self.tall))

    def entry(self, token: int, entry: int, step: float) -> Point3D:
        """Return the middle of an entry of a token's column at a step."""
        return np.array((self.xs[token], self._y(step), self.tall - (entry + 0.5) * CELL))

    def ink(self, token: int, entry: int) -> str:
        """Return the #RRGGBB that reads best on an entry as it comes in."""
        color, opacity = self._color_at(self.cut[0, token, entry], self._most[0])
        return theme.ink_on(theme.mix(color, theme.color(BACKGROUND), opacity))

    def go(self, place: float) -> None:
        """Stand at a stop, or between two: 0.5 is half way from the first to the second."""
        here = min(int(place), len(self.stops) - 2)
        self.see_from(self.stops[here].toward(self.stops[here + 1], place - here))

    def see_from(self, stop: Stop) -> None:
        """Draw everything as it is seen from a stop."""
        points = self._points.copy()
        done = np.clip(stop.walk - self._begins, 0.0, 1.0)
        points[:, 2] *= np.where(self._kinds == _RISES, np.sin(np.pi * done), 1.0)[self._owner]
        flat, _ = stop.seen(points)
        shares = self._presences(stop, done) * self._veils(flat, self._rows[int(stop.others < 1)])
        for part, (low, high), share in zip(self._parts, self._spans, shares, strict=True):
            if share:
                part.points = ground.in_frame(flat[low:high])
            ground.show(part, float(share))
        self._show_signs(stop)
        self._show_row(stop)
        for layer, arcs in enumerate(self.arcs):
            along = self.steps[2 * layer], self._y(min(stop.walk, 2 * layer + 1.0))
            arcs.draw_from(stop, 2 * layer, along, self.stage)
        self._show_lines(stop)

    # How it is made

    def _places(self) -> tuple[Floats, tuple[Floats, Floats]]:
        """Return where the steps are along the road, and where columns are on their way."""
        start = float(self.blocks[0].ground.get_bottom()[1]) - LYING / 2 - HAIR
        steps, walks, places = [start], [0.0], [start]
        tops = [float(b.ground.get_bottom()[1]) for b in self.blocks[1:]] + [float(self.end[1])]
        for layer, (block, top) in enumerate(zip(self.blocks, tops, strict=True)):
            middle = float(block.ground.get_top()[1]) + LYING / 2
            after, tile = top - LYING / 2 - HAIR, float(block.changes[0].get_y())
            walks += [2 * layer + share for share in (0.5, 1.0, 1.5, 2.0)]
            places += [places[-1], middle, tile, after]
            steps += [middle, after]
        return np.array(steps), (np.array(walks), np.array(places))

    def _make(self, weights: Floats, shares: NDArray[np.floating]) -> None:
        """Make what stands on the road, and note where all parts are."""
        self._parts: list[VMobject] = []
        self._noted: list[tuple[float, int, bool, Floats]] = []
        self.rows = [self._row(step) for step in range(len(self.steps))]
        self.rising: list[list[VMobject]] = []
        for layer, block in enumerate(self.blocks):
            block.ground.set_fill(opacity=0)
            self.rising.append([])
            for token, (tile, share) in enumerate(zip(block.changes, shares[layer], strict=True)):
                mine = token == len(self.xs) - 1
                self._note(tile.points, tile, 2 * layer + 1.0, _TILE, mine=mine)
                sides = PLATE * self.wide / 2, (0.0, 1.15 * self.tall)
                outline = ground.board(self.xs[token], *sides, y=float(tile.get_y()))
                width = 2 * BOLD_LINE * strength(float(share), 1.0)
                frame = VMobject(stroke_color=theme.color(OUTPUT), stroke_width=width)
                frame.points = outline.copy()
                self._note(outline, frame, 2 * layer + 1.0, _RISES, mine=mine)
                self.rising[-1].append(frame)
        for step, heats in enumerate(self.rows):
            for mine, heat in heats.items():
                for part in parts_of(heat):
                    self._note(part.points, part, float(step), _LIES, mine=mine)
        self._gather()
        tokens = range(len(self.xs))
        self.dark, self.lanes = (
            [Line().set_stroke(theme.color(role), THIN_LINE / 2 * wide) for _ in tokens]
            for role, wide in ((QUIET, 1), (INK, 1.5))
        )
        self._outlines = [self._column_outlines(token) for token in tokens]
        roles = [BACKGROUND, *ENTRIES * [INK], QUIET]
        self.row = [VGroup(*map(Filled, parts, roles)) for parts in self._outlines]
        self._painted = -1, 0.0  # the step, and the share of the next, whose colours are shown
        self.arcs = [Arcs(each, self.xs, self.tall) for each in weights]
        self._areas = [area_of(block.ground) for block in self.blocks]
        self._signs = [
            [(part, part.points - sign.get_edge_center(UP)) for part in parts_of(sign)]
            for sign in self.chips
        ]
        self.beyond = Line().set_stroke(theme.color(QUIET), THIN_LINE / 2)
        floor: list[VMobject] = []
        for block in self.blocks:
            floor += [block.ground, *block.changes]
        floor += [heat for heats in self.rows for heat in heats.values()]
        self.submobjects = [self.beyond, *floor, *self.dark, *self.lanes, *self.row]
        for rising, arcs in reversed([*zip(self.rising, self.arcs, strict=True)]):
            self.submobjects += [*rising, *arcs]
        self.submobjects += self.chips

    def _note(
        self, outline: Floats, part: VMobject, begins: float, kind: int, *, mine: bool = False
    ) -> None:
        if len(part.points):
            self._parts.append(part)
            self._noted.append((begins, kind, mine, np.array(outline, dtype=np.float64)))

    def _gather(self) -> None:
        """Join the outlines of all that lies or rises."""
        begins, kinds, mine, outlines = zip(*self._noted, strict=True)
        self._begins, self._kinds, self._mine = np.array(begins), np.array(kinds), np.array(mine)
        rows = 8 * self._begins + 2 * self._kinds  # what is seen as a whole, or not at all
        self._rows = [np.unique(each, return_inverse=True)[1] for each in (rows, rows + self._mine)]
        ends = np.cumsum([0, *map(len, outlines)])
        self._spans = np.stack([ends[:-1], ends[1:]], axis=1)
        self._points = np.concatenate(outlines)
        self._owner = np.repeat(np.arange(len(outlines)), np.diff(ends))

    def _row(self, step: int) -> dict[bool, Heat]:
        """Return the columns of a step, lying: those of all tokens but the last, and the last."""
        found = {}
        for tokens in (np.arange(len(self.xs) - 1), np.array([len(self.xs) - 1])):
            if not len(tokens):
                continue
            size = float(len(tokens)), LYING
            heat = Heat(self.cut[step][tokens].T, size, None, self._most[step])
            for part in parts_of(heat):
                quads = part.points.reshape(-1, 16, 3)
                column = np.floor(quads[..., 0].mean(axis=1) + len(tokens) / 2).astype(int)
                off = quads[..., 0] - (column - len(tokens) / 2 + 0.5)[:, None]
                quads[..., 0] = self.xs[tokens][column][:, None] + self.wide * off
                quads[..., 1] += self.steps[step]
                part.points = quads.reshape(-1, 3)
            found[tokens[-1] == len(self.xs) - 1] = heat
        return found

    def _column_outlines(self, token: int) -> list[Floats]:
        """Return outlines at the road's beginning: a plate, entries, and the dots under them."""
        x, half, least = self.xs[token], self.wide / 2, HAIR / 6
        levels = self.tall - CELL * np.arange(ENTRIES + 1)
        plate = ground.board(x, half + HAIR / 2, (levels[-1] - HAIR / 2, levels[0] + HAIR / 2))
        cells = [ground.board(x, half, (low + least, top - least)) for top, low in pairwise(levels)]
        dots = np.stack([np.full(3, x), BELOW * np.array([0.2, 0.45, 0.7])], axis=1)
        return [plate, *cells, ground.upright(discs(dots, np.full(3, 0.09 * BELOW)))]

    # How it is drawn

    def _y(self, walk: float) -> float:
        """Return where columns are along the road: they wait for attention, then they move."""
        return float(np.interp(walk, *self._ways))

    def _presences(self, stop: Stop, done: Floats) -> Floats:
        """Return how much of each part is there, were the stage without an edge."""
        kinds = self._kinds
        there = np.minimum(1.0, 3 * done)
        rises = kinds == _RISES
        there[rises] *= np.minimum(1.0, 3 * (1 - done[rises])) * stop.carried
        there *= np.where(self._mine, 1.0, stop.others)
        return there * (UNLIT + (1 - UNLIT) * np.clip(stop.lit - self._begins, 0.0, 1.0))

    def _veils(self, flat: Floats, rows: NDArray[np.intp]) -> Floats:
        """Return how far the row of each part stands on the stage: 1 within, 0 if not all does."""
        flat = np.where(np.isfinite(flat), flat, -1e6)
        low, high = (
            each.reduceat(flat, self._spans[:, 0], axis=0) for each in (np.minimum, np.maximum)
        )
        veils = ground.inside(low, high, self.stage)
        whole = np.ones(len(veils))
        np.minimum.at(whole, rows, veils)
        return np.asarray(whole[rows])

    def _show_row(self, stop: Stop) -> None:
        """Draw the columns that walk, with numbers between those of two steps."""
        step = min(int(stop.walk), self.last - 1)
        share, y = float(np.clip(2 * (stop.walk - step) - 1, 0, 1)), self._y(stop.walk)
        for token, (column, outlines) in enumerate(zip(self.row, self._outlines, strict=True)):
            light = 1.0 if token == len(self.row) - 1 else stop.others
            standing = np.concatenate(outlines) * (1, 1, stop.rise) + (0, y, 0)
            flat = np.split(stop.seen(standing)[0], np.cumsum([*map(len, outlines)])[:-1])
            light *= ground.inside_alone(flat[0], self.stage) * min(1.0, 3 * stop.rise)
            light *= self._veil[token]
            for part, points in zip(column, flat, strict=True):
                part.points = ground.in_frame(points)
                ground.show(part, light)
            for entry, cell in enumerate(column[1:-1] if self._painted != (step, share) else ()):
                set_fill(cell, *self._color(token, entry, step, share))
        self._painted = step, share

    def _color(self, token: int, entry: int, step: int, share: float) -> tuple[str, float]:
        """Return the colour and the opacity of an entry on its way from a step to the next."""
        (one, a), (other, b) = (
            self._color_at(self.cut[each, token, entry], self._most[each])
            for each in (step, step + 1)
        )
        return theme.mix(other, one, share), (1 - share) * a + share * b

    def _color_at(self, number: float, most: float) -> tuple[str, float]:
        level = float(levels(np.array(number), most or 1.0, LEVELS)) / LEVELS
        return theme.color(hue(float(number))), strength(level**2, 1.0)

    def _show_lines(self, stop: Stop) -> None:
        """Draw the blocks' edges, and the lanes, which are bright as far as columns have come."""
        lit = min(self._y(stop.walk), self._y(min(stop.lit, self.last)))
        start, end = float(self._ways[1][0]), float(self.end[1])
        for drawn, until in ((self.dark, end), (self.lanes, lit)):
            for token, (line, x) in enumerate(zip(drawn, self.xs, strict=True)):
                ways = np.array([[(x, start, 0.0), (x, until, 0.0)]])
                self._show_line(line, ways, stop)
                if token < len(drawn) - 1:
                    ground.show(line, presence(line) * stop.others)
        left, right = -self.stage.width / 2, self.stage.width / 2
        for block, area in zip(self.blocks, self._areas, strict=True):
            low, high = area.bottom, area.top
            around = np.array([(left, low, 0), (right, low, 0), (right, high, 0), (left, high, 0)])
            self._show_line(block.ground, np.stack([around, np.roll(around, -1, axis=0)], 1), stop)
        count = round(stop.beyond * self.more)
        y = end + BLOCK * np.arange(1, count + 1)
        seen = stop.seen(np.stack([0 * y, y, 0 * y], axis=1))[0][:, 1]
        _, apart = np.unique(np.floor(seen / HAIR * 2), return_index=True)  # to tell them apart
        lines = [((left, each, 0), (right, each, 0)) for each in y[apart].tolist()]
        lines += [((x, end, 0), (x, end + BLOCK * count, 0)) for x in self.xs.tolist()]
        self._show_line(self.beyond, np.array(lines, dtype=np.float64), stop)
        ground.show(self.beyond, float(count > 0))

    def _show_line(self, line: VMobject, ways: Floats, stop: Stop) -> None:
        """Draw straight lines of the world, (lines, 2, 3), as far as they stand on the stage."""
        ways = np.maximum(ways, (-np.inf, stop.nearest, -np.inf))
        flat, _ = stop.seen(ways.reshape(-1, 3))
        found = [ground.within(each, self.stage) for each in flat.reshape(-1, 2, 2)]
        ends = [each for each in found if each is not None]
        if ends:
            line.points = np.concatenate([ground.polyline(each) for each in ends])
        ground.show(line, float(bool(ends)))

    def _show_signs(self, stop: Stop) -> None:
        """Draw the tokens, upright, in front of their columns, as large as things are there."""
        y = self.before + stop.carried * (self._y(stop.walk) - self._y(0.0))
        tops, sizes = stop.seen(np.array([(x, y, 0.0) for x in self.xs]))
        self._veil, read = np.zeros(len(self.xs)), max(0.0, 2 * stop.others - 1)
        for token, (outlines, size) in enumerate(zip(self._signs, sizes, strict=True)):
            if np.isfinite(size):
                moved = [(*tops[token], 0.0) + size * points for _, points in outlines]
                veil = ground.inside_alone(np.concatenate(moved), self.stage)
                self._veil[token] = veil
                for (part, _), points in zip(outlines, moved, strict=True):
                    part.points = points
            mine = token == len(self.xs) - 1
            for part, _ in outlines:
                ground.show(part, float(self._veil[token]) * (1.0 if mine else read))
