"""Attention patterns without labels: a panel of dots, one row of it, and arcs from key to query.

    panel = Pattern(pattern, side=3.0)
    panel.row(4), panel.dots(4)              # a row's box, and its dots as one path
    arcs = WeightArcs(row, chips, [bar])     # each arc as wide as its weight, at both ends

A dot's area is its weight, in every pattern by the same rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np
from manim import Line, Mobject, Rectangle, VGroup
from manim.constants import DL, DOWN, DR, LEFT, RIGHT, UL, UP, UR
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.marks import Brace
from scenes.mobjects.outlines import CORNERS, Filled, Points, discs, in_space, polygons, radius_for
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import TokenRow
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value, between, constant, total
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    FAINTEST_FILL,
    GAP,
    HAIR,
    INK,
    NAMED_SIZE,
    PANEL,
    PLAIN_SIZE,
    QUERY,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    TITLE_SIZE,
    VALUE,
    Role,
)
from scenes.verbs import Become, Disappear, Together, Verb

FILLED = 0.47  # radius of the dot of a weight of 1, as a share of its cell
SEEN = 2e-3  # a weight below it leaves no dot and no arc: it would be a tenth of a pixel
NUMBER_ROOM = 1.25, 1.1  # scene units, for numerals to the right of a row, or above and below
DOTS_AT, STRIP = (0.35, 0.5), 1.1  # of a lane, its dots; their strip, in largest radii
OUT = 0.4  # of its way, in which a row leaves its pattern
BAR_SHARE, BAR_THICK = 0.72, 0.7  # of a region, for a bar of a whole row; scene units
BEND = 0.45  # how far an arc goes straight on, as a share of its way


class Pattern(VGroup):
    """One head's pattern (queries, keys) on a square plate: query i is row i, from the top.

    `plate` is the ground, `rows` the dots of each query, one path each.
    """

    def __init__(self, weights: NDArray[np.floating], side: float) -> None:
        self.side, self.tokens = side, len(weights)
        self.plate = Filled(polygons(side * CORNERS[None]), PANEL)
        paths = dot_rows(weights)
        self.rows = VGroup(*(Filled(side * path, INK) for path in paths))
        super().__init__(self.plate, self.rows)

    def dots(self, query: int) -> Filled:
        """Return the dots of a query, one path."""
        return cast("Filled", self.rows[query])

    def row(self, query: int) -> Rectangle:
        """Return the box of a query's row, a place that is on no stage."""
        pitch = self.plate.width / self.tokens
        box = Rectangle(width=self.plate.width, height=pitch)
        return box.move_to(self.plate.get_center() + (0, self._up(query) * pitch, 0))

    def cell(self, query: int, key: int) -> Rectangle:
        """Return the box of a cell, a place that is on no stage."""
        pitch = self.plate.width / self.tokens
        offset = (-self._up(key) * pitch, self._up(query) * pitch, 0)
        return Rectangle(width=pitch, height=pitch).move_to(self.plate.get_center() + offset)

    def _up(self, place: int) -> float:
        """Return how far a row stands above the middle, in rows."""
        return (self.tokens - 1) / 2 - place


def dot_rows(weights: NDArray[np.floating]) -> list[Points]:
    """Return the dots of each query of (queries, keys) in a square of side 1 around the origin."""
    tokens = len(weights)
    found = []
    for query, row in enumerate(weights):
        (keys,) = np.nonzero(row >= SEEN)
        centers = np.stack([keys + 0.5, np.full(len(keys), tokens - query - 0.5)], 1) / tokens - 0.5
        found.append(discs(centers, radius_for(row[keys], FILLED / tokens)))
    return found


class PatternRow(VGroup):
    """A row of a pattern that lies where its pattern shows it, or larger, along a line of places.

    `lane` has centres for its dots, (keys, 2), and the radius of the disc of a weight of 1. `home`
    tells the dots' outline and the row's box, the `query`'s, as the pattern shows them now. Parts:
    `strip`, `dots`, `asked`, words before it, `number`, the weight of `key`, its largest, and
    `whole`, their sum.
    """

    def __init__(
        self,
        row: Tensor,
        lane: tuple[NDArray[np.float64], float],
        home: Callable[[], tuple[Points, Mobject]],
        asked: tuple[Value, str],
        query: int,
        *,
        role: Role = INK,
    ) -> None:
        (places, radius), self.home, self.key = lane, home, int(row.array.argmax())
        self.query = query
        (keys,) = np.nonzero(row.array >= SEEN)
        self.flat = discs(places[keys], radius_for(row.array[keys], radius))
        low, high = places.min(axis=0) - STRIP * radius, places.max(axis=0) + STRIP * radius
        self.lane = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
        self.strip, self.dots = Filled(polygons(self.lane[None]), PANEL), Filled(self.flat, role)
        self.number = Number(row[self.key].value, size=TITLE_SIZE)
        (x, y), beside = places[self.key], radius + HAIR
        is_level = np.ptp(places[:, 0]) > np.ptp(places[:, 1])
        told, size = ("adds up to {:.2f}", SPOKEN_SIZE) if is_level else ("= {:.2f}", NAMED_SIZE)
        self.whole = Words(told, total(row), size=size)
        said, asks = ("head {}: {}", asked) if is_level else ("head {}", asked[:1])
        self.asked = Words(said, *asks, size=SPOKEN_SIZE if is_level else PLAIN_SIZE, role=role)
        super().__init__(self.strip, self.dots, self.asked, self.number, self.whole)
        if is_level:
            self.number.move_to((x, y - beside, 0), aligned_edge=UP)
            self.asked.next_to((low[0], high[1], 0), UP, buff=HAIR).align_to((low[0], 0, 0), LEFT)
            self.whole.next_to((high[0], high[1], 0), UP, buff=HAIR)
            self.whole.align_to((high[0], 0, 0), RIGHT)
            self.asked.shift((self.whole.baseline - self.asked.baseline) * UP)
            if self.whole.get_left()[0] < self.asked.get_right()[0] + HAIR:
                self.whole.next_to((high[0], y, 0), RIGHT, buff=GAP)
        else:
            self.number.move_to((x + beside, y, 0), aligned_edge=LEFT)
            self.asked.next_to((x, high[1], 0), UP, buff=HAIR)
            self.whole.next_to((x, low[1], 0), DOWN, buff=HAIR)

    def lift(self, share: float) -> None:
        """Lie in the pattern (0), along the places (1), or between: first straight above it."""
        dots, box = self.home()
        up = min(1.0, share / OUT) * (self.query + 1.5) * box.height * UP
        on = max(0.0, share - OUT) / (1 - OUT)
        corners = np.array([(box.get_corner(each) + up)[:2] for each in (DL, DR, UR, UL)])
        self.dots.points = (1 - on) * (dots + up) + on * self.flat
        self.strip.points = polygons(((1 - on) * corners + on * self.lane)[None])


def lanes(
    chips: TokenRow, region: Region, rows: int, *, told: bool = True
) -> tuple[list[NDArray[np.float64]], float]:
    """Return where the dots of each row lie by the names of their keys, and the largest radius.

    The rows lie under chips that stand on one line, or to the right of a column of chips, as far
    as `region` reaches; if no numerals are `told` beside them, the dots have all of the room.
    """
    centers = np.array([chip.get_center()[:2] for chip in chips.chips])
    axis = int(chips.lines == 1)
    far = region.bottom if axis else region.right
    near = float(chips.get_bottom()[1] - GAP if axis else chips.get_right()[0])
    pitch = (far - near) / rows
    places = [centers.copy() for _ in range(rows)]
    for row, place in enumerate(places):
        place[:, axis] = near + (row + DOTS_AT[axis]) * pitch
    edges = (region.left, region.right) if axis else (region.top, region.bottom)
    beyond = np.abs(centers[[0, -1], 1 - axis] - edges).min() / STRIP / FILLED
    closest = np.abs(np.diff(centers[:, 1 - axis])).min()
    return places, float(min(beyond, closest, abs(pitch) - told * NUMBER_ROOM[axis])) * FILLED


class WeightArcs(VGroup):
    """Bands from every key to every query, stacked side by side where they leave and arrive.

    `weights` is (queries, keys); `keys` and `queries` are mobjects that stand in two parallel
    lines, the keys above the queries or to their left. A query of weights that sum to one is
    filled by its bands from edge to edge; at the keys a weight of one is as wide everywhere, so
    wide that no key is narrower than its bands, or `edge` scene units at both ends, if that is
    given. `pour` lets the bands grow out of their keys, `mix_to` goes over to the `other` weights.
    """

    def __init__(
        self,
        weights: NDArray[np.floating],
        keys: Sequence[Mobject],
        queries: Sequence[Mobject],
        *,
        other: NDArray[np.floating] | None = None,
        edge: float = 0.0,
    ) -> None:
        self.edge = edge
        self.ends = weights, weights if other is None else other
        self.keys, self.queries = keys, queries
        given = np.maximum(*(each.sum(axis=0) for each in self.ends))
        line, *others = (np.array([e.get_center()[:2] for e in each]) for each in (keys, queries))
        right, up = np.abs(others[0].mean(axis=0) - line.mean(axis=0))
        wide, high = np.ptp(line, axis=0)  # of one key: nothing
        self.axis = int(high > wide if wide or high else right > up)  # along which both lines run
        sides = np.array([each.length_over_dim(self.axis) for each in keys])
        self.unit = edge or float((sides / np.maximum(given, SEEN)).min())
        seen = np.argwhere(np.maximum(*self.ends) >= SEEN).tolist()
        self.places = [(query, key) for query, key in seen]
        shape = np.zeros((16, 3))
        super().__init__(*(Filled(shape, VALUE, STRONGEST_FILL) for _ in self.places))
        self._poured = 1.0
        self.mix_to(0.0)

    def into(self, query: int) -> VGroup:
        """Return the bands that arrive at a query."""
        pairs = zip(self.places, self.submobjects, strict=True)
        return VGroup(*(band for (to, _), band in pairs if to == query))

    def out_of(self, key: int) -> VGroup:
        """Return the bands that leave a key."""
        pairs = zip(self.places, self.submobjects, strict=True)
        return VGroup(*(band for (_, source), band in pairs if source == key))

    def band(self, query: int, key: int) -> Filled:
        """Return one band. Raises `ValueError` where the weight is too small to be seen."""
        return cast("Filled", self.submobjects[self.places.index((query, key))])

    def span(self, query: int, key: int) -> tuple[float, float]:
        """Return where a band ends along its query's edge, from and to, in scene units."""
        low, high = self._spans(self.weights, self.queries, at_key=False)[query, key]
        return float(low), float(high)

    def lying_on(self, rows: Sequence[Mobject], *, whole: bool) -> list[Filled]:
        """Return twins of the bands that lie on a box each, or on its right edge if not `whole`."""
        corners, found = ((UL, UR, DR, DL) if whole else (UR, UR, DR, DR)), list[Filled]()
        for band, row in zip(self.submobjects, rows, strict=True):
            twin = cast("Filled", band.copy())
            twin.points = polygons(np.array([[row.get_corner(each) for each in corners]]))
            found.append(twin)
        return found

    def pour(self, share: float) -> None:
        """Draw the first `share` of every band's way from its key."""
        self._poured = max(share, SEEN)
        self._draw()

    def mix_to(self, share: float) -> None:
        """Draw the mixture of the two sets of weights, `share` of the other one."""
        self.weights = (1 - share) * self.ends[0] + share * self.ends[1]
        self._draw()

    def _draw(self) -> None:
        leaving = self._spans(self.weights, self.keys, at_key=True)
        arriving = self._spans(self.weights, self.queries, at_key=False)
        for (query, key), band in zip(self.places, self.submobjects, strict=True):
            start, end = self._edge(self.keys[key], -1), self._edge(self.queries[query], 1)
            spans = leaving[query, key], arriving[query, key]
            curve = _band(*spans, (start, end), self._poured)
            band.points = in_space(curve if not self.axis else curve[:, ::-1])
            strength = np.sqrt(self.weights[query, key])
            opacity = FAINTEST_FILL + (STRONGEST_FILL - FAINTEST_FILL) * strength
            set_fill(band, None, opacity)

    def _edge(self, mobject: Mobject, side: int) -> float:
        """Return the level at which bands leave (side -1) or arrive (1)."""
        if not self.axis:
            return float(mobject.get_center()[1]) + side * mobject.height / 2
        return float(mobject.get_center()[0]) - side * mobject.width / 2

    def _spans(
        self, weights: NDArray[np.floating], places: Sequence[Mobject], *, at_key: bool
    ) -> NDArray[np.float64]:
        """Return from where to where along its end's edge each band goes: (queries, keys, 2)."""
        along = 0 if at_key else 1
        shares = np.cumsum(weights, axis=along) - weights.sum(axis=along, keepdims=True) / 2
        ends = np.stack([shares - weights, shares], axis=-1)
        unit = self.unit if at_key else self.edge
        size = np.array([unit or each.length_over_dim(self.axis) for each in places])
        middle = np.array([float(each.get_center()[self.axis]) for each in places])
        sign = -1 if self.axis else 1  # the first of a column stands at the top
        wide = size[None, :, None] if at_key else size[:, None, None]
        mid = middle[None, :, None] if at_key else middle[:, None, None]
        return np.asarray(mid + sign * ends * wide)


def _band(leaving: Points, arriving: Points, ends: tuple[float, float], share: float) -> Points:
    """Return the outline of a band's first part, between spans at two levels: (16, 2)."""
    start, end = ends
    way = (end - start) * BEND
    one, other = (
        _first_part(np.array([(a, start), (a, start + way), (b, end - way), (b, end)]), share)
        for a, b in zip(leaving, arriving, strict=True)
    )
    along = np.linspace(0, 1, 4)[:, None]
    foot = (1 - along) * one[-1] + along * other[-1]
    head = (1 - along) * other[0] + along * one[0]
    return np.concatenate([one, foot, other[::-1], head])


def _first_part(curve: Points, share: float) -> Points:
    """Return the first `share` of a cubic curve, by de Casteljau's construction: (4, 2)."""
    found = [curve[0]]
    while len(curve) > 1:
        curve = (1 - share) * curve[:-1] + share * curve[1:]
        found.append(curve[0])
    return np.array(found)


class AskedRow(VGroup):
    """A row of weights as bands from a sentence's chips to a bar that they fill, and two numerals.

    Parts: `arcs`, `bar`, `numbers`, the weights of two keys, `brace` and `whole`, the row's sum;
    `labels` are all numerals, `supposed` is a badge. `ask_both` gives half of the row to another
    row's question.
    """

    def __init__(
        self, chips: TokenRow, rows: tuple[Tensor, Tensor], keys: Sequence[int], region: Region
    ) -> None:
        self.keys, self.axis = keys, int(chips.lines > 1)
        self.away = RIGHT if self.axis else DOWN
        one, other = ([row[key].value for key in keys] for row in rows)
        half = constant(2, "two questions that share a row equally")
        self.ends = [(a, (a + b) / half) for a, b in zip(one, other, strict=True)]
        self.numbers = [Number(value, size=TITLE_SIZE) for value in one]
        self.whole = Number(total(rows[0]), size=TITLE_SIZE)
        long, thick = BAR_SHARE * (region.height if self.axis else region.width), BAR_THICK
        self.bar = Rectangle(
            width=thick if self.axis else long, height=long if self.axis else thick
        )
        self.bar.set_stroke(theme.color(QUERY), BOLD_LINE)
        apart = self.whole.length_over_dim(1 - self.axis) + 5 * HAIR
        foot = region.right - 2 * apart, region.bottom + 2 * apart, 0
        self.bar.move_to(region.center).align_to(foot, self.away)
        if self.axis:
            self.bar.match_y(chips)
        end, along = self.bar.get_edge_center(self.away), (UP if self.axis else RIGHT) * long / 2
        weights = [row.array[None] for row in rows]
        goal = [Line(end - along, end + along)]
        self.arcs = WeightArcs(weights[0], chips.chips, goal, other=weights[1])
        self.brace = Brace(self.bar, self.away, buff=apart)
        self.whole.next_to(self.brace.point, self.away, buff=HAIR)
        self.labels = VGroup(*self.numbers, self.whole)
        badge = Words("(supposed)", size=SPOKEN_SIZE, role=QUIET)
        over, right = (self.bar, UP, HAIR), (self.whole, RIGHT, 2 * GAP)
        badge.next_to(*(over if self.axis else right))
        self.supposed = VGroup(badge) if badge.get_top()[1] < region.top else VGroup()
        super().__init__(self.arcs, self.bar, self.brace, *self.labels, self.supposed)
        self.ask_both(0.0)

    def close_up(self, share: float) -> None:
        """Let the bands of the row draw back into the bar, where in the end each fills its part."""
        goal, start = self.bar.get_edge_center(self.away), self.bar.get_edge_center(-self.away)
        levels = np.array([start, goal, goal, start])[:, 1 - self.axis]
        self.arcs.mix_to(0.0)
        for band, place in zip(self.arcs, self.arcs.places, strict=True):
            corners = np.stack([np.repeat(self.arcs.span(*place), 2), levels], axis=1)
            part = polygons((corners[:, ::-1] if self.axis else corners)[None])
            band.points = (1 - share) * band.points + share * part

    def gather(self, dots: Mapping[int, Mobject]) -> Verb:
        """Return how each part of the bar becomes the dot of its key, in the bands' colour.

        One that has no dot is too thin.
        """
        way, mirror = np.radians(135.0), -1 if self.axis else 1  # as the corners of a band go
        turned = np.array([[np.cos(way), np.sin(way)], [-np.sin(way), np.cos(way)]])
        turned[1] *= mirror
        gathered = list[Verb]()
        for (_, key), band in zip(self.arcs.places, self.arcs, strict=True):
            disc = band.copy()
            if key in dots:
                at, radius = dots[key].get_center(), np.array([dots[key].width / 2])
                disc.points = at + discs(np.zeros((1, 2)), radius) @ np.pad(turned, (0, 1))
            gathered.append(Become(band, disc) if key in dots else Disappear(band))
        return Together(gathered)

    def ask_both(self, share: float) -> None:
        """Divide the row between its own favourite and another question's: halves at 1."""
        self.arcs.mix_to(share / 2)
        middles = [sum(self.arcs.span(0, key)) / 2 for key in self.keys]
        room = sum(number.length_over_dim(self.axis) for number in self.numbers) / 2 + HAIR
        apart = middles[1] - middles[0]
        push = max(0.0, room - abs(apart)) / 2 * (1 if apart >= 0 else -1)
        places = middles[0] - push, middles[1] + push
        for number, ends, place in zip(self.numbers, self.ends, places, strict=True):
            number.put(between(*ends, share) if share else ends[0])
            number.next_to(self.bar, self.away, buff=2 * HAIR).set_coord(place, self.axis)
