"""Arcs from keys to queries, as wide and as strong as their weights. They know one pattern."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, VGroup, VMobject
from manim.constants import RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.animations import Change, Together, one_after_another
from scenes.arrivals import Appear, Fly
from scenes.first_mobjects.labels import size_for
from scenes.mobjects.text import TokenText, Words, em_of
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import HAIR, LABEL_SIZE, QUIET, SMALL_SIZE, STEADY, VALUE, Role

WIDEST_ARC = 0.2  # scene units, for a weight of 1
FAINTEST = 0.25  # the opacity of a weight near zero; a weight of 1 is opaque
UNSEEN = 0.005  # a weight below it, half a hundredth, leaves no arc
NAMES_SHARE = 0.24  # of the width, at most, for the names on either side
HIGHEST_ROW = 0.7  # scene units
HEADS_ROOM = 1.6 * em_of(SMALL_SIZE)
STROKE = 100  # manim's stroke widths in a scene unit


class WeightArcs(VGroup):
    """Keys on the left, queries on the right, and an arc for each weight of (queries, keys).

    Width and opacity are proportional to the weight. `arcs[query, key]` is there where the weight
    is seen; `keys[i]` and `queries[i]` are the names of token i.
    """

    def __init__(
        self, pattern: Tensor, pieces: Sequence[str], region: Region, role: Role = VALUE
    ) -> None:
        rows = len(pieces)
        height = min(HIGHEST_ROW, (region.height - HEADS_ROOM) / rows)
        largest = LABEL_SIZE * height / (1.35 * em_of(LABEL_SIZE))
        size = min(largest, size_for(pieces, NAMES_SHARE * region.width))
        self.keys, self.queries = (VGroup(*(TokenText(p, size) for p in pieces)) for _ in "kq")
        heads = [Words("{}", text, size=SMALL_SIZE, role=QUIET) for text in ("from", "to")]
        left = max(text.width for text in (*self.keys, *heads))
        right = region.width - left
        for side, head, edge in ((self.keys, heads[0], left), (self.queries, heads[1], right)):
            for index, name in enumerate(side):
                name.shift(UP * (-index * height - 0.25 * em_of(size)))
            head.shift(UP * (0.5 * height + HAIR))
            for text in (*side, head):
                near = text.get_right() if side is self.keys else text.get_left()
                text.shift(RIGHT * (edge - near[0]))
        self.arcs = self._arcs(pattern, (left + HAIR, right - HAIR), height, role)
        self.heads = VGroup(*heads)
        super().__init__(*self.arcs.values(), self.keys, self.queries, self.heads)
        self.move_to(region.center)

    def reveal_names(self, chips: VGroup) -> Animation:
        """Let the names on both sides come from the chips of their tokens."""
        sides = [one_after_another(map(Fly, side, chips)) for side in (self.keys, self.queries)]
        return Together([*sides, Appear(self.heads)])

    def into(self, query: int) -> list[VMobject]:
        """Return the arcs that end at a query."""
        return [arc for (to, _), arc in self.arcs.items() if to == query]

    def draw(self, query: int) -> Animation:
        """Let the arcs into a query grow from their keys."""
        return Together(DrawArc(arc) for arc in self.into(query))

    def draw_all_but(self, query: int) -> Animation:
        """Let the arcs into all other queries grow, one query after another."""
        rest = [to for to in range(len(self.queries)) if to != query]
        return one_after_another(self.draw(to) for to in rest)

    def _arcs(
        self, pattern: Tensor, edges: tuple[float, float], height: float, role: Role
    ) -> dict[tuple[int, int], VMobject]:
        weights = pattern.array
        arcs = {}
        for query, key in np.argwhere(weights >= UNSEEN).tolist():
            start, end = (edges[0], -key * height, 0), (edges[1], -query * height, 0)
            arcs[query, key] = _arc(
                np.array(start), np.array(end), float(weights[query, key]), height, role
            )
        return arcs


class DrawArc(Change):
    """An arc grows from its start."""

    def __init__(self, arc: VMobject, run_time: float = STEADY) -> None:
        super().__init__(arc, run_time=run_time)

    def begin(self) -> None:
        """Remember the whole arc."""
        self.whole = self.mobject.copy()
        super().begin()

    def change(self, share: float) -> None:
        """Show the part up to `share`."""
        self.mobject.pointwise_become_partial(self.whole, 0, max(share, 1e-3))


def _arc(start: Point3D, end: Point3D, weight: float, height: float, role: Role) -> VMobject:
    """Return a curve that leaves and arrives level, no wider than a row is high."""
    reach = 0.45 * (end - start) * RIGHT
    arc = VMobject(
        stroke_width=STROKE * min(WIDEST_ARC, 0.8 * height) * weight,
        stroke_color=theme.color(role),
        stroke_opacity=FAINTEST + (1 - FAINTEST) * weight,
    )
    arc.start_new_path(start)
    arc.add_cubic_bezier_curve_to(start + reach, end - reach, end)
    return arc
