"""GPT-3's weights beside a small model's, by one rule: a matrix, its heads, its layers, all kinds.

    gpt_3 = Enlargement(ledger, areas, film.stage, part)
    yield film.travel_to(gpt_3.views[0]), gpt_3.draw_matrix()   # to be compared
    yield film.travel_to(gpt_3.views[1]), gpt_3.add_heads()

Each stands inside the next, and the small model beside them all; who looks goes further away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
from manim import Mobject, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D

from scenes.analysis.parameter_counts import GROUPS, Ledger
from scenes.camera import WHOLE, View, pin
from scenes.figures.dots import Floats
from scenes.figures.ledger import (
    FOOT,
    STACKED,
    Areas,
    Cells,
    Shares,
    Sum,
    share_of,
)
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, polygons
from scenes.mobjects.text import TIMES, Number, Words
from scenes.presence import set_presence
from scenes.provenance import constant
from scenes.region import Region
from scenes.theme import (
    FAINTEST_FILL,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    PLAIN_SIZE,
    QUERY,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Hold,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
)

BESIDE = 0.15  # of the small areas' height, between them and the large ones
TOLD, WIDER = 0.4, 1.5  # of the stage, for what is told; than high, one matrix to be compared
LARGE = 1.6 * HEADING_SIZE
SEAM = 0.015  # scene units, of a band, on either side
ROW = 0.62  # scene units, a line of shares under two columns
BILLION = constant(1e9, "a billion")


class Enlargement(VGroup):
    """GPT-3's `areas` beside those of a small model, and the `views` that show more and more.

    The last view shows them in the second of two parts of the stage, with what is `said` on one
    side of them. Other parts: `small` and `compared`, what is told of the small ones and of one
    query matrix; the `factors` and the `result` of all of these; the `table` in which all are
    added, with `names` by kind; and a `mark` around the embeddings.
    """

    def __init__(
        self, ledger: Ledger, small: Areas, stage: Region, parts: Sequence[Region], side: Vector3D
    ) -> None:
        self.ledger = ledger
        self._draw_areas(small)
        size = PLAIN_SIZE if stage.is_narrow else SPOKEN_SIZE
        self.said = Shares("GPT-3", ledger, parts[1], side, size=size)
        beside = self.areas.box.left - small.box.left  # a small model's reach, as the last view is
        reach = beside / self.areas.box.width * self.said.areas.box.width
        if (lack := stage.left + reach - self.said.areas.box.left) > 0:
            narrower = parts[1].narrowed(lack, 0.0)
            self.said = Shares("GPT-3", ledger, narrower, side, size=size)
        room, figure = stage.split(TOLD)
        self.small, self.compared = self._told(small)
        self._set_views(small.box, stage, figure)
        self.mark = _ring(self.said.areas)
        self._add(parts[0].inset(GAP), is_level=parts[0].bottom < parts[1].top)
        self._tell(replace(room, right=min(room.right, parts[0].right)))
        self._compare(small.box, stage)
        for cells in self.areas.cells.values():
            cells.close(1)  # seen from far, seams would be a fine grid
        told = (*self.factors, self.result, self.small, self.compared)
        pin(*told, self.table, self.said, self.mark)
        super().__init__(self.areas, self.heads, self.block, self.said, self.table, *told)
        self.add(self.mark)

    def _draw_areas(self, small: Areas) -> None:
        """Draw all areas beside the small ones, one query matrix as a block, and all heads'."""
        left, low, *_ = Areas(self.ledger, small.unit, (0.0, 0.0)).cells["query"].boxes[0].tolist()
        box = small.box
        corner = box.right + BESIDE * box.height - left, box.bottom - low
        self.areas = Areas(self.ledger, small.unit, corner)
        self.queries = self.areas.cells["query"]
        rows, columns, heads, layers = self.ledger.factors["query"]
        self.head, self.layer = 1 / heads.number, 1 / layers.number
        left, low, right, top = self.queries.boxes[0].tolist()
        edges = np.linspace(low, top, int(heads.number) + 1)
        strips = np.array([(left, foot, right, head) for foot, head in pairwise(edges)])
        self.heads = Cells(strips, QUERY, (top - low) * self.head)
        size = small.unit**2 * float(rows * columns)  # seams, which the strip has, take nothing off
        self.laid, self.block = _folded(strips[0], size)

    def _told(self, small: Areas) -> tuple[VGroup, VGroup]:
        """Make what is told of the small areas, and of one matrix that is compared with them."""
        rows, columns, *_ = self.ledger.factors["query"]
        told = ("small model", INK), ("one query matrix", QUERY)
        names = (Words(text, size=SPOKEN_SIZE, role=role) for text, role in told)
        numbers = (Number(each, 0, HEADING_SIZE) for each in (small.total, rows * columns))
        one, other = (
            VGroup(*lines).arrange(DOWN, buff=HAIR) for lines in zip(names, numbers, strict=True)
        )
        return one, other

    def _set_views(self, small: Region, whole: Region, figure: Region) -> None:
        """Find how one matrix, all heads' and all layers' are seen whole, and what the last shows.

        The first two show the small areas, too.
        """
        _, low, right, top = self.queries.boxes[0].tolist()
        ends = max(float(self.block.get_top()[1]), small.top)
        near = Region(small.left, float(self.block.get_right()[0]), low, ends)
        large = Region(small.left, right, low, max(top, small.top))
        under = whole.lowered(self.small.height + 2 * GAP)
        views = [WHOLE.onto(near, under, 1.0), WHOLE.onto(large, figure, 1.0)]
        views.append(WHOLE.into(self.queries, figure, 1.0))
        self.views = [*views, WHOLE.onto(self.areas.box, self.said.areas.box, 1.0)]

    def _compare(self, small: Region, figure: Region) -> None:
        """Place what is told of the small areas and of one matrix over each, as first seen."""
        top = max(float(self.block.get_top()[1]), small.top)
        at = np.array([(small.center[0], top, 0.0), self.block.get_top()])
        here, over = self.views[0].seen(at)
        self.small.move_to(here + GAP * UP, DOWN)
        figure.hold(self.small)
        matrix, clear = self.compared, self.small.get_right()[0] + GAP
        matrix.move_to((max(over[0] - matrix.width / 2, clear), self.small.get_y(), 0), LEFT)
        figure.fit_width(both := VGroup(self.small, matrix))
        figure.hold(both)

    def draw_matrix(self) -> Verb:
        """Return how one query matrix is drawn, as a block, with its size."""
        return Together(Vary(self.block.grow, 0, 1), Appear(self.compared))

    def add_heads(self) -> Verb:
        """Return how it is laid flat, and other heads come, until they are a square."""
        flat = Become(self.block, self.laid, QUICK), Appear(self.factors[0])
        heads = Vary(self.heads.grow, self.head, 1), Disappear(self.block)
        return Then(Together(*flat), Together(*heads, Appear(self.factors[1])))

    def add_layers(self) -> Verb:
        """Return how those of the other layers come, until they are a wall of squares."""
        wall = Together(Vary(self.queries.grow, self.layer, 1), Disappear(self.heads))
        apart = Vary(self.queries.close, 1, 0, HAIR)
        return Then(apart, Appear(self.factors[2]), wall, Appear(self.result))

    def close(self) -> Verb:
        """Return how the wall of squares becomes one, and its number the first of the table's."""
        one = Vary(self.queries.close, 0, 1, STEADY)
        number = VGroup(*self.table.rows["attention"][-2:])
        come = Disappear(self.result, run_time=HAIR), ComeFrom(number, self.result)
        return Together(one, *come)

    def leave(self) -> Verb:
        """Return how all areas, the mark of a few of them and their name leave."""
        return Together(
            Disappear(self.areas, run_time=STEADY), Disappear(self.mark, self.said.head)
        )

    def grow(self, *kinds: str) -> Verb:
        """Return how kinds of weights grow one after another, each with its name and number."""
        return Then(
            Together(
                Vary(self.areas.cells[kind].grow, 0, 1),
                [Appear(self.names[kind]), self._count(kind)] if kind in self.names else [],
            )
            for kind in kinds
        )

    def _count(self, kind: str) -> Verb:
        """Return how the number of attention goes on to what it is with one more kind."""
        kinds = GROUPS["attention"][: GROUPS["attention"].index(kind) + 1]
        so_far = reduce(add, (self.ledger.products[each] for each in kinds))
        return Count(self.table.numbers["attention"], so_far / BILLION)

    def _add(self, room: Region, *, is_level: bool) -> None:
        """Make the table; attention begins with the queries alone."""
        told, beside = {"embeddings": "embeddings, twice"}, self.said.areas if is_level else None
        self.table = Sum(self.ledger, told, room, (BILLION, "billion"), beside)
        self.names = dict(zip(GROUPS["attention"], self.table.kinds["attention"], strict=True))
        self.table.numbers["attention"].put(self.ledger.products["query"] / BILLION)

    def _tell(self, room: Region) -> None:
        """Make what is told of a query matrix, of all heads' and of all layers'."""
        known, size = self.ledger, HEADING_SIZE
        rows, columns, heads, layers = known.factors["query"]
        number, word = (
            Number(known.products["query"] / BILLION, 1, LARGE),
            Words("billion", size=size),
        )
        first = VGroup(
            Words("one query matrix", size=SPOKEN_SIZE, role=QUERY),
            Words(f"{{:,.0f}} {TIMES} {{:,.0f}}", rows, columns, size=size),
        ).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        self.factors = [
            first,
            Words(f"{TIMES} {{:.0f}} heads", heads, size=size),
            Words(f"{TIMES} {{:.0f}} blocks", layers, size=size),
        ]
        self.result = VGroup(number, word).arrange(RIGHT, buff=GAP, aligned_edge=DOWN)
        lines = VGroup(*self.factors, self.result)
        lines.arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        room.inset(HAIR).fit(lines)


class Band(Filled):
    """What leads from a part of one column, its low and high end, to a part of the next one."""

    def __init__(self, left: float, right: float, ends: Floats) -> None:
        self.sides, self.ends = np.array((left, right)), ends
        super().__init__(self._drawn(1.0), QUIET, FAINTEST_FILL)

    def grow(self, share: float) -> None:
        """Reach out from the first column, a share of the way."""
        self.points = self._drawn(share)
        set_presence(self, float(share > 0))

    def _drawn(self, share: float) -> Floats:
        (left, right), (here, there) = self.sides, self.ends
        far = (1 - share) * left + share * right, (1 - share) * here + share * there
        (low, high), (foot, top) = (ends + SEAM * np.array((1, -1)) for ends in (here, far[1]))
        corners = [(left, low), (far[0], foot), (far[0], top), (left, high)]
        return polygons(np.array([corners]))


class Columns(VGroup):
    """Two models' areas as columns that are as wide and as high: a height is a share.

    `twins` are both models' areas as they stand there, seen from a view; what is not listed is over
    them. Parts: the `heads` under both, `labels` by group for each, on its free side, or at the
    foot if the region is narrow, and `bands` by group, from a share to the other.
    """

    def __init__(
        self,
        names: Sequence[str],
        models: Sequence[tuple[Ledger, Areas]],
        region: Region,
        view: View = WHOLE,
    ) -> None:
        self.areas, groups = [areas for _, areas in models], STACKED[:-1]
        is_slim = region.is_narrow
        sides = (DOWN, DOWN) if is_slim else (LEFT, RIGHT)
        self.labels = [
            {group: share_of(group, ledger, side, SPOKEN_SIZE) for group in groups}
            for (ledger, _), side in zip(models, sides, strict=True)
        ]
        told = [label for labels in self.labels for label in labels.values()]
        foot = FOOT + is_slim * len(groups) * ROW
        aside = HAIR if is_slim else max(label.width for label in told) + 2 * GAP
        free = region.raised(foot).lowered(HAIR).narrowed(aside, aside)
        first, _, last = free.in_columns(3)
        self.boxes = first, last
        pairs = list(zip(models, self.boxes, strict=True))
        self.twins = [_stretched(areas, ledger, box, view) for (ledger, areas), box in pairs]
        self.heads = [Words("{}", name, size=HEADING_SIZE) for name in names]
        for head, box in zip(self.heads, self.boxes, strict=True):
            head.scale(min(1.0, (first.width + 2 * min(GAP, aside)) / self.heads[0].width))
            head.move_to((box.center[0], box.bottom - FOOT / 2, 0))
            region.hold(head)
        ends = [_heights(ledger, box) for (ledger, _), box in pairs]
        self.bands = {
            group: Band(first.right, last.left, np.array([each[group] for each in ends]))
            for group in groups
        }
        if is_slim:
            self._say_at_the_foot(free.bottom - FOOT)
        else:
            self._say_beside(ends, sides)
        super().__init__(*self.bands.values(), *self.heads, *told)

    def _say_beside(self, ends: Sequence[Mapping[str, Floats]], sides: Sequence[Vector3D]) -> None:
        """Let every label stand beside its share, but over the one below."""
        for labels, heights, box, side in zip(self.labels, ends, self.boxes, sides, strict=True):
            edge, floor = (box.left - GAP if side is LEFT else box.right + GAP), box.bottom - FOOT
            for group, label in labels.items():
                y = max(float(heights[group].mean()), floor + label.height / 2)
                label.move_to((edge, y, 0), -side)
                floor = float(label.get_top()[1]) + GAP

    def _say_at_the_foot(self, top: float) -> None:
        """Let labels be rows under the heads: a name between two shares."""
        one, other = self.labels
        for row, group in enumerate(reversed(one)):
            y = top - (row + 0.5) * ROW
            for label, box in zip((one[group], other[group]), self.boxes, strict=True):
                label[1].move_to((box.center[0], y, 0))
            one[group][0].move_to(((self.boxes[0].right + self.boxes[1].left) / 2, y, 0))
            other[group].remove(other[group][0])

    def light(self, group: str) -> Verb:
        """Return how all but one group recedes, and the first model's share of it is told."""
        others = [part for each in self.bands if each != group for part in self.of(each)]
        told = Then(Hold(), Appear(self.labels[0][group]))
        return Together(Undim(*self.of(group)), Dim(*others), told)

    def compare(self, group: str) -> Verb:
        """Return how a group comes to light in both models, and leads from one to the other."""
        return Together(self.light(group), self.lead_over(group))

    def even_out(self) -> Verb:
        """Return how both models' areas become columns."""
        pairs = zip(self.areas, self.twins, strict=True)
        columns = [Become(*pair, run_time=SLOW) for pair in pairs]
        return Together(columns, Then(Hold(STEADY), Appear(self.heads[0])))

    def light_all(self) -> Verb:
        """Return how all shares are in focus again; what leads from one to the other recedes."""
        told = [label for labels in self.labels for label in labels.values()]
        return Together(Undim(*self.areas, *told), Dim(*self.bands.values()))

    def of(self, group: str) -> list[Mobject]:
        """Return all that belongs to a group."""
        cells = [cell for areas in self.areas for cell in areas.of(group)]
        return [*cells, self.bands[group], *(labels[group] for labels in self.labels)]

    def lead_over(self, group: str) -> Verb:
        """Return how a group's share is led to that of the other model, which is then told."""
        band = Vary(self.bands[group].grow, 0, 1)
        return Then(band, Appear(self.labels[1][group]))


def _ring(areas: Areas) -> Ring:
    """Return a ring around the embeddings."""
    low = areas.box_of("embeddings")
    return Ring(Rectangle(height=low.height, width=low.width).move_to(low.center), HAIR / 2)


def _folded(strip: Floats, size: float) -> tuple[Cells, Cells]:
    """Return a strip as one cell, and as a block of a size that is soon compared."""
    left, low, *_ = strip
    high = (size / WIDER) ** 0.5
    block = np.array((left, low, left + WIDER * high, low + high))
    laid, folded = (Cells(box[None], QUERY, 0.0) for box in (strip, block))
    return laid, folded


def _stretched(areas: Areas, ledger: Ledger, box: Region, view: View) -> Areas:
    """Return a copy of areas of which those that are listed fill a box, as a view shows it."""
    twin, old = areas.copy(), areas.box
    high = old.height * float(ledger.listed) / float(ledger.total)
    by = np.array((box.width / old.width, box.height / high, 1.0))
    for part in twin.family_members_with_points():
        placed = (part.points - (old.left, old.bottom, 0)) * by + (box.left, box.bottom, 0)
        part.points = view.behind(placed)
    return twin


def _heights(ledger: Ledger, box: Region) -> dict[str, Floats]:
    """Return where in a column each group that is listed begins and ends, (2,)."""
    ends = np.cumsum([0.0, *(ledger.shares[group].number for group in STACKED[:-1])])
    places = box.bottom + box.height * ends / ends[-1]
    return {group: places[i : i + 2] for i, group in enumerate(STACKED[:-1])}
