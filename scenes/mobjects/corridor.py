"""The road of a sentence as one walks it: in perspective, and with what a model computes on it.

    corridor = Corridor(tokens, embeddings, patterns, changes, vectors, stage=film.stage)
    corridor.stops = [corridor.far(), corridor.near(0), corridor.near(1)]
    yield Vary(corridor.go, 0, 1)       # from the first stop to the second

It is a `Road` that lies on the ground, longer than the stage, projected in NumPy. Columns of
numbers walk on it step by step; where the whole road is seen, what they held stays behind, lying.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DL, DR, UL, UP, UR
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects import ground
from scenes.mobjects.arcs import TURNS, Arcs, turns
from scenes.mobjects.fit import eased
from scenes.mobjects.ground import SOFT, Stop
from scenes.mobjects.outlines import Filled, discs, in_space, lines, rectangles
from scenes.mobjects.road import Road
from scenes.mobjects.signs import hue, levels, strength
from scenes.mobjects.tokens import chips_in
from scenes.mobjects.vector import LEVELS, Heat
from scenes.presence import parts_of, set_fill
from scenes.region import Region
from scenes.theme import BACKGROUND, HAIR, INK, OUTPUT, QUIET, THIN_LINE

Floats = NDArray[np.float64]

BLOCK = 3.3  # scene units, from one block to the next
ENTRIES = 6  # of a column, that are drawn
CELL, UPRIGHT = 0.52, 1.7  # scene units, an entry's height; times as high in an upright frame
WIDE, WIDEST = 0.56, 1.1  # of a lane, a column; scene units, at most
LYING = 0.55  # scene units along the road, a column that lies
BELOW = 0.3  # scene units under a column, for the dots that stand for further entries
GIFT, LATE = 0.5, 0.18  # of a column, what an MLP adds; of a step, its last one after its second
PITCH, STEEP = 33.0, 42.0  # degrees by which one looks down from near, and in an upright frame
WALKED, HIGH = 0.96, 0.6  # of the stage's width, the lanes where one stands; its height, columns
FAR, BRIGHTEST = 1.25, 0.75  # seen whole, so large; the strongest entry: white is read on it
LIES, STRIP = -1.0, 0.7  # the turn of what does not rise; an MLP's strip's opacity
LOOKED, CHANGED = 0.4, TURNS  # arcs are there, of a turn to look; all gifts are, of a step
WORKED = 0.84  # of a step, an MLP is done


class Corridor(Road):
    """A road on which columns of numbers walk through blocks.

    `vectors` is (steps, tokens, entries): as they come in, then after attention and after the MLP
    of each layer. Parts, further to those of a road: `row[token]`, the columns that walk on lanes,
    `dark` and `lanes`; `rows[step]`, what they leave behind; `arcs[layer]`, what attention gives
    them; `rising`, what MLPs add: it comes up out of a column and goes into it, the last token's
    first; `beyond`, so many more blocks, as outlines. `go` shows all from one of the `stops`, or
    from between two.
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
        self.middle, self.wide = float(self.xs.mean()), min(WIDE * self.lane, WIDEST)
        self.pitch, high = (STEEP, UPRIGHT) if stage.height > stage.width else (PITCH, 1.0)
        self.entry_high = high * CELL
        self.tall = BELOW + ENTRIES * self.entry_high
        self.lift = GIFT * ENTRIES * self.entry_high + 2 * HAIR
        self.steps, self._ways = self._places()
        self.cut = vectors[:, :, :ENTRIES].astype(np.float64)
        self._most = np.abs(self.cut).max(axis=(1, 2))
        self._make(patterns.mean(axis=1))
        self._lit = np.ones(len(self._parts), dtype=bool)  # of all that lies or rises

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.steps) - 1

    def near(self, walk: float, scale: float = 0.0, high: float = HIGH, **more: float) -> Stop:
        """Return the stop behind the columns when they have come to a step.

        They are seen `scale` times as large, or as the stage is wide enough for; with their words
        they are `high` at most, a share of its height.
        """
        stage, lanes = self.stage.inset(SOFT), self.lane * len(self.xs)
        under = 1.05 * self.chip_high + LYING
        tall = self.tall * float(np.cos(np.radians(self.pitch))) + under
        scale = min(scale or WALKED * stage.width / lanes, high * stage.height / tall)
        level = stage.bottom + scale * under
        at = level, self._y(walk), self.middle, walk
        return replace(Stop(self.pitch, scale, *at, arcs=0.0, wires=0.0), **more)

    def far(self, top: float, walk: float = 0.0, **more: float) -> Stop:
        """Return the stop from which one sees the whole road, from the sentence to its end.

        Columns that have come to its end reach up to `top`.
        """
        scale = min(FAR, self.stage.inset(SOFT).width / (self.lane * len(self.xs)))
        low, high, level = 2.0, 89.0, self.stage.bottom + scale * self.chip_high + SOFT
        found = Stop(0, scale, level, self.before, self.middle, walk, carried=0)
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
        return np.asarray(in_space(stop.seen(np.array([point], dtype=np.float64))[0])[0])

    def top(self, token: int, walk: float) -> Point3D:
        """Return the upper end of a token's column when it has come to a step."""
        return np.array((self.xs[token], self._y(walk), self.tall))

    def entry(self, token: int, entry: int, step: float) -> Point3D:
        """Return the middle of an entry of a token's column at a step."""
        high = self.tall - (entry + 0.5) * self.entry_high
        return np.array((self.xs[token], self._y(step), high))

    def ink(self, token: int, entry: int) -> str:
        """Return the #RRGGBB that reads best on an entry as it comes in."""
        return theme.ink_on(*self._color_at(self.cut[0, token, entry], 0))

    def go(self, place: float) -> None:
        """Stand at a stop, or between two: 0.5 is half way from the first to the second."""
        here = min(int(place), len(self.stops) - 2)
        one, other, share = *self.stops[here : here + 2], place - here
        found = one.toward(other, share)
        along = self._y(found.walk) - (1 - share) * self._y(one.walk) - share * self._y(other.walk)
        self.see_from(replace(found, y=found.y + found.carried * along))  # one walks as they do

    def see_from(self, stop: Stop) -> None:
        """Draw everything as it is seen from a stop."""
        points = self._points.copy()
        done = np.clip(stop.walk - self._begins, 0.0, 1.0)
        grown, added = self._work(done, self._late)
        over = grown * (1 - added) * self.lift  # out of the own column, and into it again
        points[:, 2] += np.where(self._rises, over, 0.0)[self._owner]
        along = np.interp(self._begins + [0 * done, done], *self._ways)  # they go with columns
        points[:, 1] += np.where(self._rises, along[1] - along[0], 0.0)[self._owner]
        flat, _ = stop.seen(points)
        left = (4 * (done - WORKED)).clip(0.0, 1.0) * (1 - stop.carried) * stop.traces
        shares = np.where(self._rises, stop.works * (grown > 0) * (added < 1), left)
        shares *= stop.light(self._begins) * np.where(self._mine, 1.0, stop.others)
        shares *= self._veils(flat, self._rows[int(stop.others < 1)])
        before, self._lit = self._lit, shares > 0
        for at in np.flatnonzero(before | self._lit).tolist():  # most parts stay unseen
            part, share = self._parts[at], float(shares[at])
            if share:
                part.points = in_space(flat[slice(*self._spans[at])])
            ground.show(part, share)
        self._show_signs(stop)
        self._show_row(stop)
        for layer, arcs in enumerate(self.arcs):
            until = stop.walk if stop.carried > 0.5 else min(stop.walk, 2 * layer + 1.0)
            along = self.steps[2 * layer], self._y(until)
            arcs.draw_from(stop, 2 * layer, along, self.stage)
        self._show_lines(stop)

    # How it is made

    def _places(self) -> tuple[Floats, tuple[Floats, Floats]]:
        """Return where the steps are along the road, and where columns are on their way."""
        start = float(self.blocks[0].ground.get_bottom()[1]) - LYING / 2 - HAIR
        steps, walks, places = [start], [0.0], [start]
        tops = [float(b.ground.get_bottom()[1]) for b in self.blocks[1:]] + [float(self.end[1])]
        for layer, (block, top) in enumerate(zip(self.blocks, tops, strict=True)):
            middle = float(block.ground.get_y())
            after = top - LYING / 2 - HAIR
            shares = np.array((CHANGED, 1.0, 1.0 + WORKED, 2.0))
            evenly = np.interp(shares, (0.0, 1.0, 2.0), (places[-1], middle, after)).tolist()
            walks += (2 * layer + shares).tolist()
            places += evenly if layer else [places[-1], middle, middle, after]
            steps += [middle, after]
        return np.array(steps), (np.array(walks), np.array(places))

    def _make(self, weights: Floats) -> None:
        """Make what stands on the road, and note where all parts are."""
        self._noted: list[tuple[VMobject, float, float, bool, Floats]] = []
        self.rows = [self._row(step) for step in range(len(self.steps))]
        tokens, last = range(len(self.xs)), len(self.xs) - 1
        self._turns = np.array([*(LATE * (1 + i / max(1, last - 1)) for i in tokens[:-1]), 0.0])
        self.rising = []
        for layer, block in enumerate(self.blocks):
            block.ground.set_fill(opacity=0).set_stroke(width=THIN_LINE)
            step = 2 * layer + 1
            for token, numbers in enumerate(self.cut[step + 1] - self.cut[step]):
                place = self.xs[token], (self.wide - HAIR) / 2, self.steps[step]
                outlines = self._cells(*place, GIFT)
                shades = [self._color_at(each, step + 1) for each in numbers]
                gift = ground.painted(outlines, [(theme.color(OUTPUT), 1.0), *shades])
                for part in gift:
                    self._note(part, step, float(self._turns[token]), mine=token == last)
                self.rising.append(gift)
        for step, heats in enumerate(self.rows):
            for mine, heat in heats.items():
                for part in parts_of(heat):
                    self._note(part, float(step), LIES, mine=mine)
        self._gather()
        self.dark, self.lanes = (
            [Line().set_stroke(theme.color(role), THIN_LINE * wide) for _ in tokens]
            for role, wide in ((QUIET, 1), (INK, 1.5))
        )
        self._outlines = [self._column_outlines(token) for token in tokens]
        roles = [BACKGROUND, *ENTRIES * [INK], QUIET]
        self.row = [VGroup(*map(Filled, parts, roles)) for parts in self._outlines]
        self._painted = -1.0, ()  # the step, and shares of the next, whose colours are shown
        self.arcs = [Arcs(each, self.xs, self.tall) for each in weights]
        corners = [b.ground.get_corner(at) for b in self.blocks for at in (DL, DR, UR, UL)]
        around = np.array(corners).reshape(-1, 4, 3) - np.outer((0, 1, 1, 0), (self.lane, 0, 0))
        self._edges = np.stack([around, np.roll(around, -1, axis=1)], axis=2)  # of blocks
        self._signs = [
            [(part, part.points - sign.get_edge_center(UP)) for part in parts_of(sign)]
            for sign in self.chips
        ]
        self.beyond = Line().set_stroke(theme.color(QUIET), THIN_LINE / 2)
        self.submobjects = [self.beyond, *(block.ground for block in self.blocks)]
        self.submobjects += [heat for heats in self.rows for heat in heats.values()]
        self.submobjects += [*self.dark, *self.lanes, *self.rising, *self.row]
        self.submobjects += [arc for arcs in reversed(self.arcs) for arc in arcs]
        self.submobjects += self.chips

    def _note(self, part: VMobject, begins: float, late: float, *, mine: bool) -> None:
        if len(part.points):
            self._noted.append((part, begins, late, mine, np.array(part.points, dtype=np.float64)))

    def _gather(self) -> None:
        """Join the outlines of all that lies or rises."""
        self._parts, begins, late, mine, outlines = zip(*self._noted, strict=True)
        self._begins, self._late, self._mine = np.array(begins), np.array(late), np.array(mine)
        self._rises = self._late > LIES
        rows = 4 * self._begins + 2 * self._rises  # what is seen as a whole, or not at all
        self._rows = [np.unique(each, return_inverse=True)[1] for each in (rows, rows + self._mine)]
        ends = np.cumsum([0, *map(len, outlines)])
        self._spans = np.stack([ends[:-1], ends[1:]], axis=1)
        self._points = np.concatenate(outlines)
        self._owner = np.repeat(np.arange(len(outlines)), np.diff(ends))

    def _row(self, step: int) -> dict[bool, VMobject]:
        """Return what lies at a step, columns or strips of MLPs: all but the last's, and its."""
        found: dict[bool, VMobject] = {}
        for tokens in (np.arange(len(self.xs) - 1), np.array([len(self.xs) - 1])):
            left, last = self.xs[tokens] - self.wide / 2, len(self.xs) - 1 in tokens
            if step % 2 or not len(tokens):
                low, top = self.steps[step] + HAIR, self.steps[min(step + 1, self.last)] - LYING
                found[last] = Filled(rectangles(left, low, left + self.wide, top), OUTPUT, STRIP)
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
            found[last] = heat
        return found

    def _column_outlines(self, token: int) -> list[Floats]:
        """Return outlines at the road's beginning: a plate, entries, and the dots under them."""
        x, half = self.xs[token], self.wide / 2
        dots = np.stack([np.full(3, x), BELOW * np.array([0.2, 0.45, 0.7])], axis=1)
        return [*self._cells(x, half), ground.upright(discs(dots, np.full(3, 0.09 * BELOW)))]

    def _cells(self, x: float, half: float, y: float = 0.0, share: float = 1.0) -> list[Floats]:
        """Return outlines of a column's plate and entries at (x, y), a share as high, upright."""
        levels = self.tall - share * self.entry_high * np.arange(ENTRIES + 1)
        plate = ground.board(x, half + HAIR / 2, (levels[-1] - HAIR / 2, levels[0] + HAIR / 2), y)
        sides = ((low + HAIR / 6, top - HAIR / 6) for top, low in pairwise(levels))
        return [plate, *(ground.board(x, half, each, y) for each in sides)]

    # How it is drawn

    def _work(self, done: Floats, late: Floats) -> tuple[Floats, Floats]:
        """Return how far what an MLP adds has grown, and how far it has gone into its column."""
        half = WORKED - 0.5 - LATE
        return eased((done - late) / (0.5 - 2 * LATE)), eased((done - 0.5 - late / 2) / half)

    def _y(self, walk: float) -> float:
        """Return where columns are along the road: in the first block they wait for each step."""
        return float(np.interp(walk, *self._ways))

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
        step, y = min(int(stop.walk), self.last - 1), self._y(stop.walk)
        done = np.full(len(self.xs), stop.walk - step)
        turn = turns(done, np.arange(len(self.xs)), len(self.xs))
        looked = np.clip((turn - LOOKED) / (1 - LOOKED), 0.0, 1.0)
        shares = self._work(done, self._turns)[1] if step % 2 else looked
        painted = step, tuple(shares.tolist())
        for token, (column, outlines) in enumerate(zip(self.row, self._outlines, strict=True)):
            mine, rise = token == len(self.row) - 1, min(1.0, 3 * stop.rise)
            standing = np.concatenate(outlines) * (1, 1, stop.rise) + (0, y, 0)
            flat = np.split(stop.seen(standing)[0], np.cumsum([*map(len, outlines)])[:-1])
            light = rise * self._veil[token] * ground.inside_alone(flat[0], self.stage)
            for part, points in zip(column, flat, strict=True):
                part.points = in_space(points)
                ground.show(part, light * (1.0 if mine or part is column[0] else stop.others))
            for entry, cell in enumerate(column[1:-1] if self._painted != painted else ()):
                set_fill(cell, *self._color(token, entry, step, painted[1][token]))
        self._painted = painted

    def _color(self, token: int, entry: int, step: int, share: float) -> tuple[str, float]:
        """Return the colour and the opacity of an entry on its way from a step to the next."""
        (one, a), (other, b) = (
            self._color_at(self.cut[each, token, entry], each) for each in (step, step + 1)
        )
        return theme.mix(other, one, share), (1 - share) * a + share * b

    def _color_at(self, number: float, step: int) -> tuple[str, float]:
        level = float(levels(np.array(number), self._most[step] or 1.0, LEVELS)) / LEVELS
        return theme.color(hue(float(number))), min(BRIGHTEST, strength(level**2, 1.0))

    def _show_lines(self, stop: Stop) -> None:
        """Draw the blocks' edges, and the lanes, which are bright as far as columns have come."""
        lit = min(self._y(stop.walk), self._y(min(stop.lit, self.last)))
        start, end = float(self._ways[1][0]), float(self.end[1])
        over = min(self._y(stop.walk) + stop.over(self.tall), end)  # of tokens that are carried
        start += stop.carried * (over - start)
        for drawn, until in ((self.dark, end), (self.lanes, lit)):
            for token, (line, x) in enumerate(zip(drawn, self.xs, strict=True)):
                ways = np.array([[(x, start, 0.0), (x, max(start, until), 0.0)]])
                mine = token == len(drawn) - 1
                self._show_line(line, ways, stop, stop.wires * (1.0 if mine else stop.others))
        left, right = -self.stage.width / 2, self.stage.width / 2 - self.lane
        for block, edges in zip(self.blocks, self._edges, strict=True):
            self._show_line(block.ground, edges, stop, stop.wires)
        count = round(stop.beyond * self.more)
        y = end + BLOCK * np.arange(1, count + 1)
        seen = stop.seen(np.stack([0 * y, y, 0 * y], axis=1))[0][:, 1]
        _, apart = np.unique(np.floor(seen / HAIR * 2), return_index=True)  # to tell them apart
        lines = [((left, each, 0), (right, each, 0)) for each in y[apart].tolist()]
        lines += [((x, end, 0), (x, end + BLOCK * count, 0)) for x in self.xs.tolist()]
        self._show_line(self.beyond, np.array(lines, dtype=np.float64), stop, float(count > 0))

    def _show_line(self, line: VMobject, ways: Floats, stop: Stop, light: float) -> None:
        """Draw straight lines of the world, (lines, 2, 3), as far as they stand on the stage."""
        ways = np.maximum(ways, (-np.inf, stop.nearest, -np.inf))
        flat, _ = stop.seen(ways.reshape(-1, 3))
        ends = ground.within(flat.reshape(-1, 2, 2), self.stage)
        if len(ends):
            line.points = lines(ends)
        ground.show(line, light * (len(ends) > 0))

    def _show_signs(self, stop: Stop) -> None:
        """Draw the tokens, upright, in front of their columns, as large as things are there."""
        y = self.before + stop.carried * (self._y(stop.walk) - self._y(0.0))
        tops, sizes = stop.seen(np.array([(x, y, 0.0) for x in self.xs]))
        self._veil = [0.0] * len(self.xs)
        for token, (outlines, size) in enumerate(zip(self._signs, sizes, strict=True)):
            if np.isfinite(size):
                moved = [(*tops[token], 0.0) + size * points for _, points in outlines]
                self._veil[token] = ground.inside_alone(np.concatenate(moved), self.stage)
                for (part, _), points in zip(outlines, moved, strict=True):
                    part.points = points
            for part, _ in outlines:
                recedes = part is self.chips[token].label and token < len(self.xs) - 1
                ground.show(part, self._veil[token] * (stop.others if recedes else 1.0))
