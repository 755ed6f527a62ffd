"""Attention patterns without labels: a panel of dots, one row of it, and arcs from key to query.

    panel = Pattern(pattern, side=3.0)
    panel.row(4), panel.dots(4)              # a row's box, and its dots as one path
    arcs = WeightArcs(row, chips, [bar])     # each arc as wide as its weight, at both ends

A dot's area is its weight, in every pattern by the same rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from manim import Mobject, Rectangle, VGroup
from numpy.typing import NDArray

from scenes.mobjects.outlines import CORNERS, Filled, Points, discs, polygons, radius_for
from scenes.theme import FAINTEST_FILL, INK, PANEL, STRONGEST_FILL, VALUE, Role

FILLED = 0.47  # radius of the dot of a weight of 1, as a share of its cell
SEEN = 2e-3  # a weight below it leaves no dot and no arc: it would be a tenth of a pixel
BEND = 0.45  # how far an arc goes straight on, as a share of its way


class Pattern(VGroup):
    """One head's pattern (queries, keys) on a square plate: query i is row i, from the top.

    `plate` is the ground, `rows` the dots of each query, one path each.
    """

    def __init__(self, weights: NDArray[np.floating], side: float, role: Role = INK) -> None:
        self.side, self.tokens = side, len(weights)
        self.plate = Filled(polygons(side * CORNERS[None]), PANEL)
        paths = dot_rows(weights)
        self.rows = VGroup(*(Filled(side * path, role) for path in paths))
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


class WeightArcs(VGroup):
    """Bands from every key to every query, stacked side by side where they leave and arrive.

    `weights` is (queries, keys); `keys` and `queries` are mobjects that stand in two parallel
    lines, the keys above the queries or to their left. A query of weights that sum to one is
    filled by its bands from edge to edge; at a key they take the same share of its edge, or less
    where more than its whole edge would be taken. `mix_to` goes over to other weights.
    """

    def __init__(
        self,
        weights: NDArray[np.floating],
        keys: Sequence[Mobject],
        queries: Sequence[Mobject],
        *,
        other: NDArray[np.floating] | None = None,
        role: Role = VALUE,
        filled: float = 1.0,
    ) -> None:
        self.ends = weights, weights if other is None else other
        self.keys, self.queries, self.filled = keys, queries, filled
        middles = [
            np.mean([each.get_center() for each in line], axis=0) for line in (keys, queries)
        ]
        right, up = np.abs(middles[1] - middles[0])[:2]
        self.axis = 0 if up >= right else 1  # along which both lines run
        seen = np.argwhere(np.maximum(*self.ends) >= SEEN).tolist()
        self.places = [(query, key) for query, key in seen]
        shape = np.zeros((16, 3))
        super().__init__(*(Filled(shape, role, STRONGEST_FILL) for _ in self.places))
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

    def mix_to(self, share: float) -> None:
        """Draw the mixture of the two sets of weights, `share` of the other one."""
        self.weights = (1 - share) * self.ends[0] + share * self.ends[1]
        leaving = self._spans(self.weights, self.keys, at_key=True)
        arriving = self._spans(self.weights, self.queries, at_key=False)
        for (query, key), band in zip(self.places, self.submobjects, strict=True):
            start, end = self._edge(self.keys[key], -1), self._edge(self.queries[query], 1)
            curve = _band(leaving[query, key], start, arriving[query, key], end)
            band.points = np.pad(curve if not self.axis else curve[:, ::-1], ((0, 0), (0, 1)))
            strength = np.sqrt(self.weights[query, key])
            band.set_fill(opacity=FAINTEST_FILL + (STRONGEST_FILL - FAINTEST_FILL) * strength)

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
        most = max(1.0, float(weights.sum(axis=along).max()))
        shares = np.cumsum(weights, axis=along) - weights.sum(axis=along, keepdims=True) / 2
        ends = np.stack([shares - weights, shares], axis=-1) * self.filled / most
        size = np.array([each.height if self.axis else each.width for each in places])
        middle = np.array([float(each.get_center()[self.axis]) for each in places])
        sign = -1 if self.axis else 1  # the first of a column stands at the top
        wide = size[None, :, None] if at_key else size[:, None, None]
        mid = middle[None, :, None] if at_key else middle[:, None, None]
        return np.asarray(mid + sign * ends * wide)


def _band(leaving: Points, start: float, arriving: Points, end: float) -> Points:
    """Return the outline of a band between two spans at two levels, four curves: (16, 2)."""
    way = (end - start) * BEND
    one, other = (
        np.array(
            [(a, start), (a, start + way), (b, end - way), (b, end)],
        )
        for a, b in zip(leaving, arriving, strict=True)
    )
    along = np.linspace(0, 1, 4)[:, None]
    foot = (1 - along) * one[-1] + along * other[-1]
    head = (1 - along) * other[0] + along * one[0]
    return np.concatenate([one, foot, other[::-1], head])
