"""The road of a sentence as one walks it: in perspective, and with what a model computes on it.

    corridor = Corridor(tokens, patterns, vectors, stage=film.stage)
    corridor.stops = [corridor.near(0), corridor.near(1)]
    yield Vary(corridor.go, 0, 1)       # from the first stop to the second

It lies on the ground, longer than the stage, projected in NumPy. Columns of numbers walk on it
step by step, each with its token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DL, UP, UR
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.figures.arcs import TURNS, Arcs, looks
from scenes.mobjects import ground
from scenes.mobjects.fit import eased
from scenes.mobjects.ground import SOFT, Stop
from scenes.mobjects.outlines import Filled, discs, in_space, lines
from scenes.mobjects.signs import hue, levels, strength
from scenes.mobjects.tokens import chips_in
from scenes.mobjects.vector import LEVELS
from scenes.presence import parts_of, set_fill
from scenes.region import Region
from scenes.theme import BACKGROUND, BOLD_LINE, HAIR, INK, OUTPUT, QUIET

Floats = NDArray[np.float64]

BLOCK = 3.3  # scene units, from one block to the next
ENTRIES = 4  # of a column, that are drawn
CELL, UPRIGHT = 0.8, 1.7  # scene units, an entry's height; times as high in an upright frame
WIDE, WIDEST = 0.6, 1.4  # of a lane, a column; scene units, at most
FRONT, FOOT = 0.35, 0.6  # scene units along the road, from a column to its token; under both
LARGER = 1.3  # times as large as chips elsewhere, tokens at most
BELOW = 0.3  # scene units under a column, for the dots that stand for further entries
GIFT, LATE = 0.4, 0.1  # of a column, what an MLP adds; of a step, its last one after its second
FULL = 0.8  # of a step's entries, those that are drawn fainter than the strongest
PITCH, STEEP = 33.0, 42.0  # degrees by which one looks down from near, and in an upright frame
WALKED, HIGH = 0.98, 0.69  # of the stage's width, the lanes; of its height, columns and tokens
BRIGHTEST = 0.75  # the strongest entry: white is read on it
NET = 2, 3, 2  # cells of an MLP's picture, from layer to layer
DOT = 0.08  # of its shorter side, half a cell
MELTS = 4  # times the rest of its way, what an MLP adds is seen: it melts into its column
ENTERED = 1 / 3  # of the stage's soft edge, in which tokens come in: few rest half seen
CHANGED = TURNS  # of a step, all that attention gives has arrived
WORKED = 0.84  # of a step, an MLP is done


class Corridor(VGroup):
    """A road on which columns of numbers walk through blocks.

    `patterns` is (layers, queries, keys), `vectors` (steps, tokens, entries): as they come in, then
    after attention and after the MLP of each layer; `begun` are these before any training. Parts:
    `chips[token]` and `row[token]`, its column; `arcs[layer]`, what attention gives; `rising`, what
    MLPs add: over a column, what a small network, one of the `nets`, has made goes into it, the
    last token's first. `most` is what is drawn strongest at each step. `go` shows all from one of
    the `stops`, or from between two.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        patterns: Floats,
        vectors: Floats,
        *,
        stage: Region,
        begun: Floats | None = None,
    ) -> None:
        self.stage, self.stops = stage, list[Stop]()
        self.lane = stage.width / (len(pieces) + 1)
        self.xs = self.lane * (np.arange(len(pieces)) - (len(pieces) - 1) / 2)
        self.chips = chips_in(pieces, self.lane)
        widest = max(chip.width for chip in self.chips)
        for chip in self.chips if widest > self.chips[0].height else ():  # none stands on end
            chip.scale(max(1.0, min(LARGER, (self.lane - HAIR) / widest)))
        self.wide = min(WIDE * self.lane, WIDEST)
        self.pitch, high = (STEEP, UPRIGHT) if stage.height > stage.width else (PITCH, 1.0)
        self.entry_high = high * CELL
        self.tall = BELOW + ENTRIES * self.entry_high
        self.lift = GIFT * ENTRIES * self.entry_high + 2 * HAIR
        self.last = 2 * len(patterns)
        self._ways = self._places(len(patterns))
        both = vectors, vectors if begun is None else begun
        self.cut, self._cut_before = (each[:, :, :ENTRIES].astype(np.float64) for each in both)
        self.most = np.quantile(np.abs(self.cut), FULL, axis=(1, 2))
        layers = enumerate(patterns)
        self.arcs = [Arcs(each, self.xs, self.tall, in_turn=not at) for at, each in layers]
        self._make()
        super().__init__(*self.row, *self.rising, *self.nets, *reversed(self.arcs), *self.chips)

    def near(self, walk: float, scale: float = 0.0, high: float = HIGH, **more: float) -> Stop:
        """Return the stop behind the columns when they have come to a step.

        They are seen `scale` times as large, or as the stage is wide enough for, with their words,
        which stand before them; with these they are `high` at most, a share of its height.
        """
        lanes, slope = self.lane * len(self.xs), float(np.cos(np.radians(self.pitch)))
        pairs = zip(self.xs.tolist(), self.chips, strict=True)
        ends = max(abs(x) + chip.width / 2 for x, chip in pairs)
        edge = self.stage.width / 2 - SOFT
        words = self.reaching(ends, edge, edge)
        under = max(float(chip.height) for chip in self.chips) + FOOT
        tall = self.tall * slope + under
        scale = scale or min(WALKED * self.stage.width / lanes, words)
        scale = min(scale, high * self.stage.height / tall)
        level = self.stage.bottom + scale * under
        return replace(Stop(self.pitch, scale, level, self._y(walk), walk=walk), **more)

    def reaching(self, half: float, room: float, edge: float) -> float:
        """Return how many times as large columns are seen where words before them reach an edge.

        Words are `half` as wide; the edge is `room` from where their column is seen, and `edge`
        from the frame's middle.
        """
        slope = float(np.cos(np.radians(self.pitch)))
        return room / (half + edge * FRONT * slope / ground.LENS)

    def place(self, point: Point3D, stop: Stop) -> Point3D:
        """Return where a point of the world is seen from a stop."""
        (x, y), *_ = stop.seen(np.array([point], dtype=np.float64))[0]
        return np.array((x, y, 0.0))

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
        self.see_from(replace(found, y=found.y + along))  # one walks as they do

    def see_from(self, stop: Stop) -> None:
        """Draw everything as it is seen from a stop."""
        self._show_signs(stop)
        self._show_row(stop)
        self._show_gifts(stop)
        for layer, arcs in enumerate(self.arcs):
            arcs.draw_from(stop, 2 * layer, self._y(stop.walk), self.stage)

    # How it is made

    def _places(self, layers: int) -> tuple[Floats, Floats]:
        """Return where columns are along the road, and after how many steps."""
        walks, places = [0.0], [0.0]
        for layer in range(layers):
            shares = np.array((CHANGED, 1.0, 1.0 + WORKED, 2.0))
            here, middle, after = BLOCK * (layer + np.array((0.0, 0.5, 1.0)))
            evenly = np.interp(shares, (0.0, 1.0, 2.0), (here, middle, after)).tolist()
            walks += (2 * layer + shares).tolist()
            places += evenly if layer else [here, middle, middle, after]
        return np.array(walks), np.array(places)

    def _make(self) -> None:
        """Make the columns, what MLPs add to them, and note where all parts are."""
        tokens, last = range(len(self.xs)), len(self.xs) - 1
        self._turns = np.array([*(LATE * (1 + i / max(1, last - 1)) for i in tokens[:-1]), 0.0])
        self._outlines = [self._column_outlines(token) for token in tokens]
        roles = [BACKGROUND, *ENTRIES * [INK], QUIET]
        self.row = [VGroup(*map(Filled, parts, roles)) for parts in self._outlines]
        self._painted: tuple[float, ...] = ()  # the step, and shares, whose colours are shown
        self.rising, self._gift_shades = [], []
        self._gift_outlines = [self._cells(x, (self.wide - HAIR) / 2, GIFT) for x in self.xs]
        for step in range(1, self.last, 2):
            change = self.cut[step + 1] - self.cut[step]
            for outlines, numbers in zip(self._gift_outlines, change, strict=True):
                shades = [self._color_at(float(each), step + 1) for each in numbers]
                self._gift_shades.append(shades)
                under = theme.color(BACKGROUND), 1.0
                gift = ground.painted(outlines, [under, *shades])
                gift[0].set_stroke(theme.color(OUTPUT), BOLD_LINE)
                self.rising.append(gift)
        self.nets = [VGroup(VMobject(), Filled(np.zeros((0, 3)), OUTPUT)) for _ in tokens]
        for net in self.nets:
            net[0].set_stroke(theme.color(OUTPUT), BOLD_LINE / 2)
        tops = [(sign, sign.get_edge_center(UP)) for sign in self.chips]
        self._signs = [[(part, part.points - at) for part in parts_of(sign)] for sign, at in tops]

    def _column_outlines(self, token: int) -> list[Floats]:
        """Return outlines at the road's beginning: a plate, entries, and the dots under them."""
        x, half = self.xs[token], self.wide / 2
        dots = np.stack([np.full(3, x), BELOW * np.array([0.2, 0.45, 0.7])], axis=1)
        return [*self._cells(x, half), ground.upright(discs(dots, np.full(3, 0.09 * BELOW)))]

    def _cells(self, x: float, half: float, share: float = 1.0) -> list[Floats]:
        """Return outlines of a column's plate and entries at its start, a share as high."""
        levels = self.tall - share * self.entry_high * np.arange(ENTRIES + 1)
        plate = ground.board(x, half + HAIR / 2, (levels[-1] - HAIR / 2, levels[0] + HAIR / 2))
        sides = ((low + HAIR / 6, top - HAIR / 6) for top, low in pairwise(levels))
        return [plate, *(ground.board(x, half, each) for each in sides)]

    # How it is drawn

    def _work(self, done: Floats, late: Floats) -> tuple[Floats, Floats]:
        """Return how far what an MLP adds has grown, and how far it has gone into its column."""
        half = WORKED - 0.5 - LATE
        return eased((done - late) / (0.5 - 2 * LATE)), eased((done - 0.5 - late / 2) / half)

    def _y(self, walk: float) -> float:
        """Return where columns are along the road: in the first block they wait for each step."""
        return float(np.interp(walk, *self._ways))

    def _show_gifts(self, stop: Stop) -> None:
        """Draw what MLPs add: first over the own column, then in it."""
        count, y = len(self.xs), self._y(stop.walk)
        for part in (part for net in self.nets for part in net):
            ground.show(part, 0.0)
        for place, gift in enumerate(self.rising):
            layer, token = divmod(place, count)
            done = np.array([stop.walk - 2 * layer - 1.0])
            work = self._work(done, self._turns[token : token + 1])
            grown, added = (float(each[0]) for each in work)
            light, rim = stop.works * min(1.0, MELTS * grown), min(1.0, MELTS * (1 - added))
            light *= rim > 0
            # what it makes comes in the second half, as its network leaves
            told = float(eased(np.array(2 * grown - 1)))
            if light:
                outlines, off = self._gift_outlines[token], 1 - added
                column = np.concatenate(self._outlines[token][:-1])
                lifted = np.concatenate(outlines) + (0.0, 0.0, self.lift)
                flat = stop.seen((1 - off) * column + off * lifted + (0.0, y, 0.0))[0]
                light *= ground.inside_alone(flat, self.stage)
                light *= 1.0 if token == count - 1 else stop.others
                ends = np.cumsum([*map(len, outlines)])[:-1]
                for part, points in zip(gift, np.split(flat, ends), strict=True):
                    part.points = in_space(points)
                for entry, cell in enumerate(gift[1:]):
                    at, under = (token, entry), theme.color(BACKGROUND)
                    then = self._color_at(self._number(at, 2 * layer + 2, 1.0), 2 * layer + 2)
                    made = _mixed((under, 1.0), self._gift_shades[place][entry], told)
                    color, opacity = _mixed(made, then, added)  # as its column is to be
                    set_fill(cell, theme.mix(color, under, opacity), 1.0)
                self._show_net(token, gift[0], light * (1 - told))
            for part in gift:  # at last, entries are those of their column
                ground.show(part, float(light * (rim if part is gift[0] else 1.0)))

    def _show_net(self, token: int, box: VMobject, light: float) -> None:
        """Draw a network in its box, and what it reads, from the column under it."""
        (low, high), net = (box.get_corner(at)[:2] for at in (DL, UR)), self.nets[token]
        levels = np.linspace(0.2, 0.8, len(NET))
        layers = [
            low + (high - low) * np.stack([np.arange(1, n + 1) / (n + 1), np.full(n, z)], axis=1)
            for n, z in zip(NET, levels, strict=True)
        ]
        under = low - (0.0, 1.5 * HAIR)
        ends = [(one, other) for a, b in pairwise(layers) for one in a for other in b]
        ends += [((x, under[1]), (x, y)) for x, y in layers[0]]
        net[0].points = lines(np.array(ends))
        cells = np.concatenate(layers)
        net[1].points = discs(cells, np.full(len(cells), DOT * (high - low).min()))
        for part in net:
            ground.show(part, float(light))

    def _show_row(self, stop: Stop) -> None:
        """Draw the columns that walk, with numbers between those of two steps."""
        step, y = min(int(stop.walk), self.last - 1), self._y(stop.walk)
        done = stop.walk - step
        arrived = looks(done, len(self.xs), in_turn=step == 0)[1]
        shares = self._work(np.full(len(self.xs), done), self._turns)[1] if step % 2 else arrived
        painted = float(step), stop.trained, *shares.tolist()
        for token, (column, outlines) in enumerate(zip(self.row, self._outlines, strict=True)):
            mine, rise = token == len(self.row) - 1, min(1.0, 3 * stop.rise)
            standing = np.concatenate(outlines) * (1, 1, stop.rise) + (0, y, 0)
            flat = np.split(stop.seen(standing)[0], np.cumsum([*map(len, outlines)])[:-1])
            light = rise * self._veil[token] * ground.inside_alone(flat[0], self.stage)
            for part, points in zip(column, flat, strict=True):
                part.points = in_space(points)
                ground.show(part, light * (1.0 if mine or part is column[0] else stop.others))
            for entry, cell in enumerate(column[1:-1] if self._painted != painted else ()):
                set_fill(cell, *self._color((token, entry), step, float(shares[token]), stop))
        self._painted = painted

    def _color(self, at: tuple[int, int], step: int, share: float, stop: Stop) -> tuple[str, float]:
        """Return the colour and the opacity of an entry on its way from a step to the next."""
        ends = step, step + 1
        one, other = (self._color_at(self._number(at, each, stop.trained), each) for each in ends)
        return _mixed(one, other, share)

    def _number(self, at: tuple[int, int], step: int, trained: float) -> float:
        """Return an entry after a step, between how training began (0) and its end (1)."""
        return float(trained * self.cut[step][at] + (1 - trained) * self._cut_before[step][at])

    def _color_at(self, number: float, step: int) -> tuple[str, float]:
        level = float(levels(np.array(number), self.most[step] or 1.0, LEVELS)) / LEVELS
        return theme.color(hue(float(number))), min(BRIGHTEST, strength(level**2, 1.0))

    def _show_signs(self, stop: Stop) -> None:
        """Draw the tokens, upright, in front of their columns, as large as things are there."""
        y = self._y(stop.walk) - FRONT
        tops, sizes = stop.seen(np.array([(x, y, 0.0) for x in self.xs]))
        tops[:, 0] = stop.seen(np.array([(x, y + FRONT, 0.0) for x in self.xs]))[0][:, 0]
        self._veil = [0.0] * len(self.xs)
        for token, (outlines, size) in enumerate(zip(self._signs, sizes, strict=True)):
            if np.isfinite(size):
                moved = [(*tops[token], 0.0) + size * points for _, points in outlines]
                within = ground.inside_alone(np.concatenate(moved), self.stage)
                self._veil[token] = min(1.0, within / ENTERED)
                for (part, _), points in zip(outlines, moved, strict=True):
                    part.points = points
            for part, _ in outlines:
                is_last, is_label = token == len(self.xs) - 1, part is self.chips[token].label
                there = stop.others if is_label else min(1.0, 3 * stop.others)  # plates go last
                ground.show(part, self._veil[token] * (1.0 if is_last else there))


def _mixed(one: tuple[str, float], other: tuple[str, float], share: float) -> tuple[str, float]:
    """Return the colour and the opacity between two of both."""
    return theme.mix(other[0], one[0], share), (1 - share) * one[1] + share * other[1]
