"""GPT-3's weights beside a small model's, by one rule: a matrix, its heads, its layers, all kinds.

    gpt_3 = Enlargement(ledger, areas, film.stage, part)
    yield film.travel_to(gpt_3.views[0]), gpt_3.draw_matrix()   # to be compared
    yield film.travel_to(gpt_3.views[1]), gpt_3.add_heads()

Each stands inside the next, and the small model beside them all; who looks goes further away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import Mobject, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D

from scenes import theme
from scenes.analysis.parameter_counts import GROUPS, Ledger, matrices_of_gpt_3
from scenes.camera import WHOLE, View, pin
from scenes.mobjects.dots import Floats
from scenes.mobjects.ledger import LAYERS, Areas, Cells, Shares, Sum, role_of
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number, Words
from scenes.provenance import constant, count
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    PLAIN_SIZE,
    QUERY,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Disappear,
    Draw,
    Flow,
    Hold,
    MoveTo,
    Then,
    Together,
    Vary,
    Verb,
)

TIMES = "\N{MULTIPLICATION SIGN}"
BESIDE = 0.15  # of the small areas' height, between them and the large ones
TOLD, WIDER = 0.4, 1.5  # of the stage, for what is told; than high, one matrix to be compared
LARGE = 1.6 * HEADING_SIZE
BEHIND, STEP = 4, 0.16  # matrices of other blocks; in sides of one, from each to the next
BILLION = constant(1e9, "a billion")


class Enlargement(VGroup):
    """GPT-3's `areas` beside those of a small model, and the `views` that show more and more.

    The last view shows them in the second of two parts of the stage, with what is `said` on one
    side of them; the small ones, if they grow, are then seen at the `place` that they had, and they
    are `as_large` as these. Other parts: `small` and `compared`, what is told of them and of
    one query matrix; the `factors` and the `result` of all of these; `names`, by kind; the `table`
    in which all are added, and the `matrices` told there; and a `mark` around the embeddings, which
    are `few`, a mark, too, where both are as large.
    """

    def __init__(
        self, ledger: Ledger, small: Areas, stage: Region, parts: Sequence[Region], side: Vector3D
    ) -> None:
        self.ledger = ledger
        self._draw_areas(small)
        size = PLAIN_SIZE if stage.is_narrow else SPOKEN_SIZE
        self.said, self.as_large = (
            Shares("GPT-3", ledger, parts[1], side, most, size=size)
            for most in (np.inf, small.size)
        )
        room, figure = stage.split(TOLD)
        self.small, self.compared = self._told(small)
        self._set_views(small.box, stage, figure)
        self._name(self.said.areas)
        self._add(parts[0].inset(GAP))
        self._tell(replace(room, right=min(room.right, parts[0].right)))
        self._compare(small.box, stage)
        told = (*self.factors, self.result, self.small, self.compared, *self.names.values())
        pin(*told, self.table, self.said, self.mark, self.few)
        super().__init__(self.areas, self.heads, self.block, self.said, self.table, *told)
        self.add(self.mark, self.few)

    def _draw_areas(self, small: Areas) -> None:
        """Draw all areas beside the small ones, one query matrix as a block, and all heads'."""
        left, low, *_ = Areas(self.ledger, small.unit, (0.0, 0.0)).cells["query"].boxes[0].tolist()
        box = small.box
        corner = box.right + BESIDE * box.height - left, box.bottom - low
        self.areas = Areas(self.ledger, small.unit, corner)
        self.queries = self.areas.cells["query"]
        *_, heads, layers = self.ledger.factors["query"]
        self.head, self.layer = 1 / heads.number, 1 / layers.number
        left, low, right, top = self.queries.boxes[0].tolist()
        edges = np.linspace(low, top, int(heads.number) + 1)
        strips = np.array([(left, foot, right, head) for foot, head in pairwise(edges)])
        self.heads = Cells(strips, QUERY, (top - low) * self.head)
        self.laid, self.block = _folded(strips[0])

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
        far = WHOLE.onto(self.areas.box, self.said.areas.box, 1.0)
        self.views = [*views, far]
        self.place, self.room = (
            (*far.center, 0.0) + (each.center - (*far.at, 0.0)) / far.zoom
            for each in (small, self.as_large.areas.box)
        )

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
        return Then(Appear(self.factors[2]), wall, Appear(self.result))

    def leave(self) -> Verb:
        """Return how all areas, the mark of a few of them and their name leave."""
        return Together(
            Disappear(self.areas, run_time=STEADY), Disappear(self.mark, self.said.head)
        )

    def show_few(self) -> Verb:
        """Return how it is seen, where both are as large, how few the embeddings are."""
        return Together(Draw(self.few), Appear(self.said.labels["embeddings"]))

    def even_out(self) -> Verb:
        """Return how the areas become as large as the small ones, with what is said beside them."""
        scale = self.as_large.areas.unit / self.said.areas.unit
        beside = (
            MoveTo(*pair, run_time=QUICK) for pair in zip(self.said, self.as_large, strict=True)
        )
        return Together(MoveTo(self.areas, self.room, run_time=QUICK, scale=scale), beside)

    def grow(self, *kinds: str) -> Verb:
        """Return how kinds of weights grow one after another, each with its name."""
        return Then(
            Together(
                Vary(self.areas.cells[kind].grow, 0, 1),
                [Appear(self.names[kind])] if kind in self.names else [],
            )
            for kind in kinds
        )

    def count(self, group: str) -> Verb:
        """Return how the number of a group goes from its first kind to all of them."""
        return Count(self.table.numbers[group], self.ledger.groups[group] / BILLION)

    def _name(self, seen: Areas) -> None:
        """Make the names of attention's kinds over their walls, and the mark."""
        self.names = dict[str, Words]()
        for kind in GROUPS["attention"]:
            left, _, right, top = seen.boxes[kind].tolist()
            name = Words("{}", kind, size=PLAIN_SIZE, role=role_of(kind)).shrink_to(right - left)
            self.names[kind] = name.move_to(((left + right) / 2, top + GAP, 0))
        self.mark, self.few = map(_ring, (seen, self.as_large.areas))

    def _add(self, room: Region) -> None:
        """Make the table; attention begins with the queries alone."""
        self.unit = Words("billion", size=SPOKEN_SIZE, role=QUIET)
        self.matrices = Words("in {:,.0f} matrices", matrices_of_gpt_3(), size=SPOKEN_SIZE)
        self.table = Sum(self.ledger, {}, room, (BILLION, self.unit, self.matrices))
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


class Growth(VGroup):
    """A `table` of vectors and a `square` matrix between them, which longer vectors make larger.

    `table_twice` and `square_twice` are their twins where vectors are twice as long, with GPT-3's
    proportions; from a view all of it is seen in a region. Parts: the `names` of both, the `times`
    by which each grows, and the blocks', and `behind`, matrices of other blocks; `before`, the
    edges of both as they were.
    """

    def __init__(self, ledger: Ledger, region: Region, view: View = WHOLE) -> None:
        (length, tokens), blocks = ledger.factors["embedding"], ledger.factors["query"][LAYERS]
        told = "embeddings", "a matrix in a block"
        self.names = [Words(text, size=SPOKEN_SIZE) for text in told]
        factors = [count(by, "times as large, where vectors are twice as long") for by in (2, 4)]
        self.times = [Words(f"{TIMES} {{}}", by, size=HEADING_SIZE) for by in factors]
        self.times.append(Words(f"{TIMES} {{:.0f}} blocks", blocks, size=HEADING_SIZE))
        self._draw(float(tokens / length), region)
        self._put_times(region)
        areas = *self.behind, self.table, self.square, *self.before
        super().__init__(*areas, *self.names, *self.times)
        for part in VGroup(self, self.table_twice, self.square_twice).family_members_with_points():
            part.points = view.behind(part.points)

    def _draw(self, long: float, region: Region) -> None:
        """Draw both, so many times as long as wide, and their twins, under their names."""
        unit, places = self._places(long, region)
        sizes = (long, 0.5), (long, 1.0), (0.5, 0.5), (1.0, 1.0)
        roles = INK, INK, QUERY, QUERY
        self.table, self.table_twice, self.square, self.square_twice = (
            Rectangle(
                width=unit * wide,
                height=unit * high,
                stroke_color=theme.color(BACKGROUND),
                stroke_width=2 * THIN_LINE,
                fill_color=theme.color(role),
                fill_opacity=1.0,
            )
            for (wide, high), role in zip(sizes, roles, strict=True)
        )
        self.pairs = (self.table, self.table_twice), (self.square, self.square_twice)
        for pair, name, place in zip(self.pairs, self.names, places, strict=True):
            name.shrink_to(region.right - float(place[0])).next_to(place, UP, GAP, LEFT)
            for each in pair:
                each.move_to(place, LEFT + UP)
        step = STEP * unit * (RIGHT + DOWN)
        self.behind = [self.square_twice.copy().shift(i * step) for i in range(BEHIND, 0, -1)]
        self.before = [self.table.copy(), self.square.copy()]
        for each in self.before:
            each.set_fill(opacity=0)

    def _places(self, long: float, region: Region) -> tuple[float, list[Floats]]:
        """Return a length as the longer vectors', and the corners of both: where it is larger.

        They stand side by side, or one under the other, with their names over them.
        """
        line, deep = max(name.height for name in self.names) + 2 * GAP, 1 + BEHIND * STEP
        told = self.names[1].width + 2 * GAP + self.times[1].width
        free = region.width - 2 * GAP
        beside = min((free - told) / long, free / (long + deep), (region.height - 2 * line) / deep)
        under = min(region.width / long, (region.height - 4 * line) / (1 + deep))
        unit = max(beside, under)
        high = unit * deep if beside > under else unit * (1 + deep) + 2 * line
        first = np.array((region.left, region.center[1] + high / 2, 0.0))
        along = (unit * long + 2 * GAP) * RIGHT if beside > under else (unit + 2 * line) * DOWN
        return unit, [first, first + along]

    def _put_times(self, region: Region) -> None:
        """Place by how much each grows beside its name, or under it if there is no room."""
        twice, last = self.table_twice, self.behind[0]
        for name, times, under in zip(self.names, self.times, (twice, last), strict=False):
            times.next_to(name, RIGHT, buff=2 * GAP)
            if times.get_right()[0] > region.right:
                times.next_to(under, DOWN, buff=GAP, aligned_edge=LEFT)
        free, blocks = region.right - float(last.get_right()[0]), self.times[2]
        blocks.next_to(last, RIGHT, buff=2 * GAP)
        if blocks.width + 2 * GAP > free:
            blocks.next_to(last, DOWN, buff=GAP, aligned_edge=RIGHT)
        region.hold(blocks)

    def table_comes(self, few: Mobject) -> Verb:
        """Return how the table comes out of where it is small, and its name."""
        return Together(ComeFrom(self.table, few), Then(Hold(), Appear(self.names[0])))

    def double(self, place: int) -> Verb:
        """Return how the table, or the matrix, is made for vectors twice as long."""
        return Then(Hold(), Become(*self.pairs[place]), self._told(place))

    def _told(self, place: int) -> Verb:
        """Return how the edge of what it was comes, to be compared, and how often that fits."""
        return Appear(self.before[place], self.times[place], scale=1.0)

    def blocks_come(self) -> Verb:
        """Return how the matrices of other blocks come out of the one."""
        come = Flow(ComeFrom(each, self.square) for each in reversed(self.behind))
        return Together(come, Then(Hold(), Appear(self.times[2])))


def _ring(areas: Areas) -> Ring:
    """Return a ring around the embeddings."""
    low = areas.box_of("embeddings")
    return Ring(Rectangle(height=low.height, width=low.width).move_to(low.center), HAIR / 2)


def _folded(strip: Floats) -> tuple[Cells, Cells]:
    """Return a strip as one cell, and as a block that is as large and soon compared."""
    left, low, right, top = strip
    high = ((right - left) * (top - low) / WIDER) ** 0.5
    block = np.array((left, low, left + WIDER * high, low + high))
    laid, folded = (Cells(box[None], QUERY, 0.0) for box in (strip, block))
    return laid, folded
