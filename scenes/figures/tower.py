"""Tokens' columns through all blocks, and how a change of one of them runs through these.

    tower = Tower(tokens, patterns, changes, region)
    yield tower.go(blocks=4), tower.go(named=1.0)               # more blocks; names of steps
    yield tower.go(flow=1), tower.go(flow=2)                    # through attention, through MLPs
    yield tower.go(flow=0), tower.go(route=1)                   # one way, the widest, to the top

The way goes up, as on a `Road`, which shows what heads look at; a tower shows what changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.figures.route import Route, first_of, widest_way
from scenes.mobjects.ground import show
from scenes.mobjects.outlines import Filled, Rounded, discs, lines, polygons, rectangles
from scenes.mobjects.text import Words
from scenes.mobjects.tokens import Chip, chips_in
from scenes.presence import parts_of, set_fill
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    CORNER,
    GAP,
    HAIR,
    INK,
    OUTPUT,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import Verb

Floats = NDArray[np.float64]

WIDEST = 2.0  # scene units from column to column
BESIDE = 0.4  # of the pitch, room beside the first and the last column
SMALLEST = 17  # font size of chips side by side; smaller ones stand on end
BEFORE = 0.35  # scene units under the first block, where columns come in
ATTENTION, MLPS = (0.03, 0.53), (0.555, 0.97)  # of a block's height, its two steps
LEAVES, ARRIVES = 0.07, 0.5  # of it, where what attention takes leaves a column, and comes to one
OUT, BACK = 0.6, 0.925  # of it, where the way through an MLP begins, and comes back
THICK, BOX_HIGH = 0.21, 0.45  # of it, an MLP at most; of its own width
ASIDE, BOX_WIDE = 0.31, 0.36  # of the pitch, from a column to its MLP; the MLP
WHOLE_WIDTH, SLIMMEST = 0.28, 0.035  # of the pitch, a change by all of it; scene units at least
STREAM = 8.0  # stroke width of a way sideways that carries all
CARRIED, FAINTEST = 0.1, 0.02  # the smallest share of a change, to the last column; to others
DIMMEST, PASSING = 0.6, 0.4  # of a colour: what carries little; where blocks are left out
TINT, UNLIT = 0.2, 0.25  # of a step's colour, in its ground and in an MLP that does not work
FRONT = 0.08  # scene units, the radius of a change's front
SOURCE, LIT = 0.35, 1.4  # steps, until a change leaves its column; and until MLPs light up
TALLEST, ENDS = 5, 2  # layers that are drawn; of more, so many at both ends and an ellipsis
LEAST = 1e-6  # a change that is no rounding


@dataclass(frozen=True)
class Pose:
    """How a tower stands: `blocks` of it are there, one is told of, a change has come so far."""

    blocks: float = 1.0
    beside: float = 0.0  # the layer that the steps' names stand beside
    flow: float = 0.0  # steps that the change has gone, two in a block
    route: float = 0.0  # how much of the widest way to the last column's top is drawn
    named: float = 0.0  # how much of the steps' names is there, if they have room
    owned: float = 0.0  # and of what blocks have of their own
    told: float = 1.0  # how much of what is told beside blocks is there
    light: float = 0.0  # and of all

    def toward(self, other: Pose, share: float) -> Pose:
        """Return the pose after a share, 0 to 1, of the way to another one."""
        pairs = {name: (start, vars(other)[name]) for name, start in vars(self).items()}
        return Pose(**{name: (1 - share) * a + share * b for name, (a, b) in pairs.items()})


class Tower(VGroup):
    """A stream for each token, across all blocks; the pink in it is as wide as it has changed.

    `patterns` is (layers, queries, keys), `changes` (layers, 3, tokens), how much each column has
    changed before, between and after a layer's steps. Parts: `chips`, `streams`, and by layer
    `grounds`, `bands` (attention's, the MLPs'), `boxes` and `ways` through them, by token; `pink`
    by token, a change in a column, `lit`, changes that go sideways: to columns that have not
    changed yet, and to the last one; this and the source are followed.
    `route` is the way from the column that is changed at first to the last one's top whose
    narrowest step sideways is the widest.
    `names` of both steps stand beside one block; `told[layer]` stands beside its top once
    the change is there, `owns[layer]` beside it when it is there. One layer may stand for `skipped`
    ones: only its columns are drawn.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        patterns: Floats,
        changes: Floats,
        region: Region,
        *,
        skipped: int | None = None,
    ) -> None:
        self.skipped, self.changes = skipped, changes
        self.pitch = pitch = min(WIDEST, region.width / (len(pieces) + BESIDE))
        self.span = (len(pieces) + BESIDE) * pitch
        self.middle = float(region.center[0])
        left = self.middle - self.span / 2
        self.xs = np.array([left + (i + (1 + BESIDE) / 2) * pitch for i in range(len(pieces))])
        self.chips, self.is_upright = chips_under(pieces, pitch)
        tallest = max(chip.height for chip in self.chips)
        for x, chip in zip(self.xs, self.chips, strict=True):
            chip.move_to((x, region.bottom + HAIR + tallest / 2, 0))
        self.foot = region.bottom + 2 * HAIR + tallest
        self.top = region.top
        self.names: list[Words] = []
        self.told: list[VGroup] = []
        self.owns: list[VGroup] = []
        self._make_parts(patterns)
        super().__init__()
        kinds = self.bands, self.ways
        for layer in reversed(range(len(patterns))):  # a block comes up from behind the one below
            self.add(self.grounds[layer], *(part for kind in kinds for part in kind[layer]))
        changing = (part for kind in (self.lit, self.pink) for row in kind for part in row)
        boxes = (box for row in self.boxes for box in row)
        self.add(*self.streams, *changing, self.route, *boxes, self.front, *self.chips)
        self.see(Pose())

    def ride(self, names: Sequence[Words], told: Sequence[VGroup], owns: Sequence[VGroup]) -> None:
        """Let the steps' names stand beside one block, and others beside each."""
        self.names, self.told, self.owns = [*names], [*told], [*owns]
        self.add(*names, *told, *owns)
        self.see(self.pose)

    def go(self, run_time: float = STEADY, **to: float) -> Verb:
        """Return how the tower comes to stand otherwise: parts of a `Pose`."""
        return _Go(self, run_time, to)

    def place(self, token: int, layer: int, share: float = 1.0) -> Floats:
        """Return where a token's column is after a share of a layer, as the tower stands."""
        low, high = self.floors[layer : layer + 2]
        return np.array([self.xs[token], low + share * (high - low), 0.0])

    def see(self, pose: Pose) -> None:
        """Draw the tower as it stands in a pose."""
        self.pose, layers = pose, np.arange(len(self.grounds))
        self.stands = np.clip(pose.blocks - layers, 0.0, 1.0)
        self.floors = np.linspace(self.foot + BEFORE, self.top, len(layers) + 1)
        for stream, x in zip(self.streams, self.xs, strict=True):
            stream.points = lines(np.array([[(x, self.foot), (x, self.top)]]))
            show(stream, pose.light)
        fronts: list[tuple[float, float]] = []
        for layer in layers.tolist():
            self._see_block(layer)
            fronts += self._see_change(layer)
        fronts += self._see_route()
        self.front.points = discs(np.array(fronts).reshape(-1, 2), np.full(len(fronts), FRONT))
        show(self.front, pose.light * bool(fronts))
        self._carry()

    def _make_parts(self, patterns: Floats) -> None:
        """Make all parts; where they stand is worked out when the tower is seen."""
        tokens, layers = range(len(self.xs)), range(len(patterns))
        quiet = {"stroke_color": theme.color(QUIET), "stroke_width": THIN_LINE}
        wide = self.wide = BOX_WIDE * self.pitch
        self.streams = [Line().set_stroke(theme.color(QUIET), THIN_LINE) for _ in tokens]
        self.grounds = [Rounded(CORNER, self.span, 1.0, **quiet) for _ in layers]
        for ground in self.grounds:
            ground.set_fill(theme.color(BACKGROUND), 1)
        self.bands = [[_band(VALUE), _band(OUTPUT)] for _ in layers]
        self.boxes = [[_box(wide) for _ in tokens] for _ in layers]
        self._shapes = self.grounds[0].points.copy(), self.boxes[0][0].points.copy()
        ways = [[VMobject() for _ in tokens] for _ in layers]
        self.ways = [[way.set_stroke(theme.color(QUIET), THIN_LINE) for way in row] for row in ways]
        self.pink = [[Filled(np.zeros((0, 3)), ACCENT) for _ in tokens] for _ in layers]
        self.front = Filled(np.zeros((0, 3)), INK)
        carried = np.tril(patterns, -1) * self.changes[:, 0, None].clip(0, 1)
        carried[[] if self.skipped is None else self.skipped] = 0
        most = carried.max(axis=2, keepdims=True)  # of each query, what carries most is drawn
        is_fresh = self.changes[:, 0, :, None] <= LEAST
        is_fresh[:, -1] = True
        is_drawn = (carried == most) & (carried >= FAINTEST) & is_fresh
        is_drawn[:, -1] |= carried[:, -1] >= CARRIED
        self.pairs = [np.argwhere(each).tolist() for each in is_drawn]
        self.lit = [
            [_stream(float(weights[query, key])) for query, key in pairs]
            for weights, pairs in zip(carried, self.pairs, strict=True)
        ]
        hops = widest_way(carried, int(self.changes[0, 0].argmax()))
        levels = np.linspace(self.foot + BEFORE, self.top, len(patterns) + 1)
        self.route = Route(hops, self.xs, self.foot, levels, (LEAVES, ARRIVES))

    def _see_block(self, layer: int) -> None:
        """Draw a block without what changes."""
        low, top = self.floors[layer : layer + 2]
        high, light = top - low, self.pose.light * min(1.0, 4 * float(self.stands[layer]))
        low -= (1 - self.stands[layer]) * high * (layer > 0)  # up from behind the one below
        drawn = light * (layer != self.skipped)
        ground, box = self._shapes
        self.grounds[layer].points = ground * (1, 0.98 * high, 1) + (self.middle, low + high / 2, 0)
        half = (self.span - HAIR) / 2
        for band, (start, end) in zip(self.bands[layer], (ATTENTION, MLPS), strict=True):
            sides = self.middle - half, low + start * high, self.middle + half, low + end * high
            band.points = rectangles(*sides)
        y = low + (OUT + BACK) / 2 * high
        size = min(THICK * high / BOX_HIGH / self.wide, 1.0)  # boxes keep their proportions
        clear = np.clip((y - self.floors[layer]) / (size * BOX_HIGH * self.wide) - 0.5, 0.0, 1.0)
        for token, x in enumerate(self.xs):
            self.ways[layer][token].points = self._path(x, low, high)
            self.boxes[layer][token].points = size * box + (x + ASIDE * self.pitch, y, 0)
            show(self.boxes[layer][token], drawn * float(clear))
        for kind in (self.bands, self.ways):
            for part in kind[layer]:
                show(part, drawn)
        show(self.grounds[layer], drawn)

    def _see_change(self, layer: int) -> list[tuple[float, float]]:
        """Draw how far the change has come in a block; return where its fronts are."""
        low, top = self.floors[layer : layer + 2]
        high, gone = top - low, float(np.clip(self.pose.flow - 2 * layer, 0.0, 2.0))
        moving, fronts, lit = 0 < gone < 2, list[tuple[float, float]](), self.pose.light
        before, _, after = self.changes[layer] > LEAST
        left = 1 - float(np.clip((self.pose.flow - 2 * layer - 2) / SOURCE, 0.0, 1.0))
        reach = np.interp(gone, (0, SOURCE, 1, 2), (0, LEAVES, ARRIVES, 1))
        followed = {int(self.changes[0, 0].argmax()), len(self.xs) - 1}
        for token, x in enumerate(self.xs):
            start = 0.0 if before[token] else ARRIVES
            is_seen = after[token] and gone > 0 and reach > start
            pink = self.pink[layer][token]
            if is_seen:
                pink.points = self._column(layer, token, start, float(reach))
                is_told = not layer or token in followed
                fronts += [(x, low + reach * high)] * (moving and is_told)
            show(pink, lit * bool(is_seen) * (PASSING if layer == self.skipped else 1.0))
            strength = min(1.0, float(self.changes[layer, 2, token]))
            light = UNLIT + (1 - UNLIT) * strength * (gone >= LIT)
            set_fill(self.boxes[layer][token], on_ground(OUTPUT, light))
        share = float(np.clip((gone - SOURCE) / (1 - SOURCE), 0.0, 1.0))
        for line, (query, key) in zip(self.lit[layer], self.pairs[layer], strict=True):
            stays = 1.0 if query in followed else left
            way = [(self.xs[key], low + LEAVES * high), (self.xs[query], low + ARRIVES * high)]
            line.points = first_of(lines(np.array([way])), max(share, 0.01))
            show(line, stays * lit * (share > 0))
        return fronts

    def _see_route(self) -> list[tuple[float, float]]:
        """Draw the route as far as it is drawn, and light MLPs on it; return its front."""
        share, (x, y) = self.pose.route, self.route.draw(self.pose.route)
        show(self.route, self.pose.light * bool(share))
        for layer, boxes in enumerate(self.boxes if share else ()):
            box = boxes[self.route.column(layer)]
            is_lit = layer != self.skipped and y > float(box.get_y())
            set_fill(box, on_ground(OUTPUT, 1.0 if is_lit else UNLIT))
        return [(x, y)] * (0 < share < 1)

    def _column(self, layer: int, token: int, start: float, reach: float) -> Floats:
        """Return the pink in a column: as wide, after each step, as it has changed."""
        low, top = self.floors[layer : layer + 2]
        widths = np.clip(self.changes[layer, :, token], 0, 1) * WHOLE_WIDTH * self.pitch
        a, b, c = np.maximum(widths, SLIMMEST) / 2
        at = np.array([0.0, ARRIVES - 0.05, ARRIVES + 0.02, BACK - 0.03, BACK + 0.03, 1.0])
        half = np.array([a, a, b, b, c, c])
        if layer == self.skipped:
            at, half = at[[0, -1]], half[[0, -1]]
        stops = np.unique([start, *at[(at > start) & (at < reach)], reach])
        x, wide = self.xs[token], np.interp(stops, at, half)
        y = low + stops * (top - low)
        y[0] = self.foot if not layer and not start else y[0]
        right, left = np.stack([x + wide, y], 1), np.stack([x - wide, y], 1)
        return polygons(np.concatenate([right, left[::-1]])[None])

    def _path(self, x: float, low: float, high: float) -> Floats:
        """Return the way out of a column, through its MLP, and back: three straight lines."""
        aside, (start, end) = x + ASIDE * self.pitch, (low + OUT * high, low + BACK * high)
        corners = np.array([(x, start), (aside, start), (aside, end), (x, end)])
        return lines(np.stack([corners[:-1], corners[1:]], axis=1))

    def _carry(self) -> None:
        """Set the names of steps beside a block, and what is told beside each one."""
        layers, at = np.arange(len(self.grounds)), self.pose.beside
        low = float(np.interp(at, layers, self.floors[:-1]))
        high = float(np.interp(at, layers, np.diff(self.floors)))
        edge = self.middle - self.span / 2 - (HAIR if self.names[1:] and self._turned else GAP)
        steps = [*zip(self.names, (ATTENTION, MLPS), strict=False)]
        rooms = [(end - start) * high / name.height for name, (start, end) in steps]
        light = self.pose.named * float(np.clip(4 * min(rooms, default=0.0) - 3, 0.0, 1.0))
        for name, ends in steps:
            name.move_to((edge - name.width / 2, low + sum(ends) / 2 * high, 0))
            for part in parts_of(name):
                show(part, self.pose.light * light)
        beside = self.middle + self.span / 2 + GAP
        for layer, own in enumerate(self.owns):
            light = self.pose.owned * self.pose.light * (layer != self.skipped)
            own.move_to((beside + own.width / 2, sum(self.floors[layer : layer + 2]) / 2, 0))
            for part in parts_of(own):
                show(part, light * float(np.clip(4 * self.stands[layer] - 3, 0.0, 1.0)))
        for layer, told in enumerate(self.told):
            y, light = self.floors[layer + 1] - told.height / 2 - HAIR / 2, self.pose.light
            if layer == self.skipped:
                y = (self.floors[layer] + self.floors[layer + 1]) / 2
                light *= self.stands[layer] == 1
            else:
                light *= self.pose.told * (self.pose.flow >= 2 * layer + 2)
            told.move_to((beside + told.width / 2, y, 0))
            for part in parts_of(told):
                show(part, float(light))

    @property
    def _turned(self) -> bool:
        """Whether names stand on end."""
        return self.names[0].height > self.names[0].width


class _Go(Verb):
    """A tower comes to stand otherwise."""

    def __init__(self, tower: Tower, run_time: float, to: dict[str, float]) -> None:
        super().__init__(tower, run_time=run_time)
        self.tower, self.to = tower, to

    def start(self) -> None:
        """Remember how it stands, and how it shall."""
        self.left = self.tower.pose
        self.goal = replace(self.left, **self.to)

    def change(self, share: float) -> None:
        """Let it stand between both."""
        self.tower.see(self.goal if share >= 1 else self.left.toward(self.goal, share))


def chips_under(pieces: Sequence[str], pitch: float) -> tuple[list[Chip], bool]:
    """Return the chips of tokens under columns, as large as they fit, and whether on end."""
    chips = [Chip(piece, SPOKEN_SIZE) for piece in pieces]
    share = min(1.0, (pitch - HAIR) / max(chip.width for chip in chips))
    if share * SPOKEN_SIZE < SMALLEST:
        return chips_in(pieces, pitch, SPOKEN_SIZE + 1), True
    return [chip.scale(share) for chip in chips], False


def layers_drawn(layers: int) -> tuple[list[int], int | None]:
    """Return which layers a tower draws, and the place of one that stands for skipped ones."""
    if layers <= TALLEST:
        return [*range(layers)], None
    return [*range(ENDS), *range(layers - ENDS - 1, layers)], ENDS


def on_ground(role: theme.Role, share: float) -> str:
    """Return a role's colour in part, through which nothing shines."""
    return theme.mix(theme.color(role), theme.color(BACKGROUND), share)


def _band(role: theme.Role) -> Rectangle:
    band = Rectangle(stroke_width=0)
    return band.set_fill(on_ground(role, TINT), 1)


def _box(width: float) -> Rounded:
    box = Rounded(CORNER, width, BOX_HIGH * width).set_stroke(theme.color(OUTPUT), THIN_LINE)
    return box.set_fill(on_ground(OUTPUT, UNLIT), 1)


def _stream(share: float) -> VMobject:
    """Return what attention takes of a change: bolder and brighter for more."""
    width, light = THIN_LINE + STREAM * share**0.5, DIMMEST + (1 - DIMMEST) * share**0.5
    return VMobject().set_stroke(theme.color(ACCENT), width, light)
