"""What a model's weights add up to: a table, row by row, and one area. It knows no model.

table = Table(ours, gpt_3(), film.stage, "norms")
yield table.fill_ours("attention")          # its rows are counted, and added to the total
block = Block(gpt_3(), region, LEFT)
yield Become(row.bar, block.full[row.kind]) # a row's bar becomes its part of the area
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import accumulate
from math import prod
from operator import add, mul
from typing import cast

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D

from scenes import theme
from scenes.analysis.parameter_counts import GROUPS, Ledger, group_of, matrices_of_gpt_3
from scenes.mobjects.bars import SEAM, set_slab, slab
from scenes.mobjects.dots import (
    FILLED,
    LASTS,
    Arrangement,
    Floats,
    evenly,
    grid,
    scattered,
)
from scenes.mobjects.fit import adding_decimals
from scenes.mobjects.text import Glyphs, Number, Words, em_of
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    NAMED_SIZE,
    OUTPUT,
    PLAIN_SIZE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    Become,
    Count,
    Disappear,
    Fade,
    Flow,
    Then,
    Together,
    Verb,
)

ORDER = (
    *("embedding", "query", "key", "value", "output"),
    *("gate", "up", "down", "unembedding", "others"),
)
NAMES = {"gate": "MLP gate", "up": "MLP up", "down": "MLP down", "others": "the rest"}
STACKED = ("MLPs", "attention", "embeddings", "the rest")  # from the top
HUES = {"embeddings": INK, "attention": VALUE, "MLPs": OUTPUT, "the rest": QUIET}
WHOLE, TIMES = "{:,.0f}", " \N{MULTIPLICATION SIGN} "
NOTHING = count(0, "weights so far")
HEAD, FOOT = 1.1, 0.8  # scene units, over and under the rows
PARKED = 2.6  # scene units, the width of what is parked over them
BASELINE = 0.26  # of a text, below the middle of its row, in ems
BAR = 0.66  # of a row's pitch
LEAST_BAR, LEAST_ROW = 0.1, 19  # of the table's width, for bars; font size of a row
SPACE = 0.47  # between factors, in ems
SEAMS = 0.04  # of a block's height, between groups, at least


class Row(VGroup):
    """A kind's row: its name, the factors of both models, the product, and a bar to scale.

    `pieces` are the factors of GPT-3, of a matrix, of heads and of layers; `steps` their products.
    `bar` grows to `full`.
    """

    def __init__(self, kind: str, ours: Ledger, large: Ledger, size: float, rest: str) -> None:
        self.kind, small = kind, size * PLAIN_SIZE / NAMED_SIZE
        self.ours, self.large = kind in ours.products, kind in large.products
        self.label = Words("{}", NAMES.get(kind, kind), size=size, role=HUES[group_of(kind)])
        self.number = Number(NOTHING, 0, size)
        told, known = ours.factors.get(kind, []), large.factors.get(kind, [])
        if kind == "others":
            self.factors = Words("{}", rest, size=small, role=QUIET)
        elif told:
            self.factors = Words(TIMES.join([WHOLE] * len(told)), *told, size=small)
        else:
            self.factors = Words("the embedding, again", size=small, role=QUIET)
        pieces = [known[:2], *([each] for each in known[2:])] if known else []
        self.pieces = VGroup(
            *(
                Words(
                    (TIMES.lstrip() if place else "") + TIMES.join([WHOLE] * len(piece)),
                    *piece,
                    size=small,
                )
                for place, piece in enumerate(pieces)
            )
        ).arrange(RIGHT, buff=SPACE * em_of(small))
        self.steps = list(accumulate(known, mul))[1:]
        self.bar, self.full = slab(), slab()
        super().__init__(self.bar, self.label, self.factors, self.pieces, self.number)

    def stand(
        self, box: Region, ends: tuple[float, float, float], lines: tuple[float, float]
    ) -> None:
        """Stand with the bar in a box, on an upper and a lower line.

        `ends` are where the name begins, and where the factors and the number end.
        """
        self.box = box
        name, factors, number = ends
        upper, lower = lines
        for part, x, side, y in (
            (self.label, name, LEFT, upper),
            (self.factors, factors, RIGHT, lower),
            (self.pieces, factors, RIGHT, lower),
            (self.number, number, RIGHT, upper),
        ):
            part.move_to((x, y, 0), side)
            texts = [part] if isinstance(part, Glyphs) else cast("Sequence[Glyphs]", part)
            for text in texts:
                text.shift(UP * (y - BASELINE * text.em - text.baseline))

    def measure(self, share: float) -> None:
        """Make the bar of GPT-3 as long as a share of its box, once it has grown."""
        for bar, length in ((self.bar, 0.0), (self.full, share * self.box.width)):
            set_slab(bar, (self.box.left, self.box.bottom, self.box.left + length, self.box.top))
            bar.set_fill(theme.color(HUES[group_of(self.kind)]))


class Table(VGroup):
    """The weights of two models, row by row, and their sum; dots or a bar show how many.

    `names` are those of the models, ours first, which stands beside its dots. Other parts: `rows`,
    `line`, `total`, `matrices`. `rest` says what stands in no matrix of a kind.
    """

    def __init__(self, ours: Ledger, large: Ledger, region: Region, rest: str) -> None:
        self.ours, self.large = ours, large
        body = region.lowered(HEAD).raised(FOOT)
        kinds = [kind for kind in ORDER if kind in {*ours.products, *large.products}]
        self._make_rows(partial(Row, ours=ours, large=large, rest=rest), kinds, body)
        right, low = region.right, region.bottom + FOOT / 2
        self.line = Line((self.rows[0].box.right, body.bottom, 0), (right, body.bottom, 0))
        self.line.set_stroke(theme.color(QUIET), THIN_LINE)
        self.total = Number(NOTHING, 0, HEADING_SIZE).move_to((right, low, 0), RIGHT)
        widest = Number(large.total, 0, HEADING_SIZE).width
        self.matrices = Words(f"in {WHOLE} matrices", matrices_of_gpt_3(), size=SPOKEN_SIZE)
        self.matrices.move_to((right - widest - 2 * GAP, low, 0), RIGHT)
        middle = region.top - (HEAD - GAP) / 2
        self.names = [Words("{}", name, size=HEADING_SIZE) for name in ("this model", "GPT-3")]
        self.names[0].move_to((right, middle, 0), RIGHT)
        self.names[1].move_to((region.left, middle, 0), LEFT)
        end = right - self.names[0].width - GAP
        self.parking = Region(end - PARKED, end, region.top - HEAD + GAP, region.top)
        super().__init__(*self.rows, self.line, self.total, self.matrices, *self.names)

    def _make_rows(self, make: Callable[..., Row], kinds: Sequence[str], body: Region) -> None:
        """Make rows that leave room for the bars; in a high table they have two lines each."""
        is_tall, products = body.height > body.width, self.large.products
        for size in range(NAMED_SIZE, LEAST_ROW - 1, -1):
            self.rows = [make(kind, size=size) for kind in kinds]
            names = max(row.label.width for row in self.rows) + GAP
            factors = max(max(row.factors.width, row.pieces.width) for row in self.rows) + GAP
            numbers = max(Number(each, 0, size).width for each in products.values()) + GAP
            left = body.width - (factors if is_tall else names + factors + numbers)
            if left > LEAST_BAR * body.width:
                break
        pitch, start = body.height / len(kinds), body.left + (0 if is_tall else names)
        most = max(map(float, products.values()))
        for place, row in enumerate(self.rows):
            middle = body.top - (place + 0.5) * pitch
            lines = (middle + pitch / 4, middle - pitch / 5) if is_tall else (middle, middle)
            half = BAR * pitch / (4 if is_tall else 2)
            box = Region(start, start + left, lines[1] - half, lines[1] + half)
            end = body.right - (0 if is_tall else numbers)
            row.stand(box, (body.left, end, body.right), lines)
            row.measure(float(products[row.kind]) / most if row.large else 0.0)

    def arrangement(self, dots: Mapping[str, int]) -> Arrangement:
        """Return where so many dots of each kind stand in the rows; groups set out in turn."""
        boxes, most = {row.kind: row.box for row in self.rows}, max(dots.values())
        tall, wide = self.rows[0].box.height, self.rows[0].box.width
        high = next(n for n in range(1, most + 1) if -(-most // n) * tall / n <= wide)
        places = [grid(n, boxes[kind], high, tall / high, upright=True) for kind, n in dots.items()]
        turns = [[list(GROUPS).index(group_of(kind))] * n for kind, n in dots.items()]
        late = np.concatenate(turns) + (1 - LASTS) * scattered(sum(dots.values()))
        radius, each = FILLED * tall / high, 1 / len(GROUPS)
        return Arrangement(np.concatenate(places), radius, each * late, each * LASTS)

    def parked(self, dots: Mapping[str, int]) -> Arrangement:
        """Return where the dots stand over the table."""
        return stacked(dots, self.parking)

    def fill_ours(self, group: str) -> Verb:
        """Return how the rows of a group of ours are counted, and added to the total."""
        names = list(GROUPS)[: list(GROUPS).index(group) + 1]
        so_far = reduce(add, [self.ours.groups[name] for name in names])
        rows = [row for row in self.rows if row.kind in GROUPS[group]]
        again = [
            Appear(row.label, row.factors) for row in rows if not row.ours and row.kind != "gate"
        ]
        counted = (
            self._count(row, self.ours.products[row.kind], row.factors) for row in rows if row.ours
        )
        return Together(Flow(counted), Count(self.total, so_far), *again)

    def start_again(self) -> Verb:
        """Return how the rows become those of GPT-3, with nothing counted yet."""
        gone = [each for row in self.rows for each in (row.factors, row.number)]
        others = [row.label for row in self.rows if not row.large]
        again = Together(Count(row.number, NOTHING, HAIR) for row in self.rows)
        start = Together(Count(self.total, NOTHING), Appear(self.names[1]))
        return Together(Then(Disappear(*gone, *others), again), start)

    def build(self, row: Row, step: int) -> Verb:
        """Return how a factor comes in, and the product with it; the last one is added."""
        come = self._count(row, row.steps[step], row.pieces[step])
        if step < len(row.pieces) - 1:
            return come
        grown = Together(Fade(row.bar, to=1.0), Become(row.bar, row.full))
        return Together(come, grown, Count(self.total, self.large.sums[row.kind]))

    def fill(self, row: Row) -> Verb:
        """Return how a row of GPT-3 is counted at once."""
        last = len(row.pieces) - 1
        return Together(Appear(*row.pieces[:last]), self.build(row, last))

    def words(self) -> list[VMobject]:
        """Return all that is read in the rows of GPT-3."""
        rows = [row for row in self.rows if row.large]
        return [each for row in rows for each in (row.label, row.pieces, row.number)]

    def _count(self, row: Row, value: Value, factors: VMobject) -> Verb:
        seen = Fade(row.label, row.number, to=1.0)
        return Together(Appear(factors), seen, Count(row.number, value))


class Block(VGroup):
    """All weights of a model as one area, its groups to scale, with their names on one side.

    Parts: `labels`, by group, and `total`. `full` are the shapes that bars become, by kind; `head`
    is where the model's name stands.
    """

    def __init__(self, ledger: Ledger, region: Region, side: Vector3D) -> None:
        names = [name for name in STACKED if name in ledger.shares]
        places = adding_decimals([ledger.shares[name] for name in names], 1.0, 3) - 2
        self.labels = {
            name: VGroup(
                Words("{}", name, size=SPOKEN_SIZE),
                Words(f"{{:.{places}%}}", ledger.shares[name], size=SPOKEN_SIZE),
            ).arrange(DOWN, buff=HAIR, aligned_edge=-side)
            for name in names
        }
        beside = max(label.width for label in self.labels.values()) + GAP
        left, right = (beside, GAP) if side is LEFT else (GAP, beside)
        box = Region(
            region.left + left, region.right - right, region.bottom + FOOT, region.top - FOOT
        )
        self.box, x = box, float(box.center[0])
        self.total = Number(ledger.total, 0, HEADING_SIZE)
        self.total.scale(min(1.0, (region.width - GAP) / self.total.width))
        self.total.move_to((x, region.bottom + FOOT / 2, 0))
        region.inset(HAIR).hold(self.total)
        self.head = np.array((self.total.get_x(), region.top - FOOT / 2, 0.0))
        self.full, top = dict[str, VMobject](), box.top
        for name, label in self.labels.items():
            middle = top - float(ledger.shares[name]) * box.height / 2
            edge = box.left - GAP if side is LEFT else box.right + GAP
            label.set_color(theme.color(HUES[name])).move_to((edge, middle, 0), -side)
            for kind in GROUPS[name]:
                low = (
                    top
                    - float(ledger.products.get(kind, NOTHING)) / float(ledger.total) * box.height
                )
                self.full[kind] = slab(seam=SEAM).set_fill(theme.color(HUES[name]))
                set_slab(self.full[kind], (box.left, low, box.right, top))
                top = low
        self._keep_labels_apart()
        super().__init__(*self.labels.values(), self.total)

    def _keep_labels_apart(self) -> None:
        """Shift labels up, from the lowest on, off the foot and off one another."""
        floor = self.box.bottom
        for label in reversed(self.labels.values()):
            label.shift(UP * max(0.0, floor - float(label.get_bottom()[1])))
            floor = float(label.get_top()[1]) + GAP

    def arrangement(self, dots: Mapping[str, int]) -> Arrangement:
        """Return where dots stand that are all weights."""
        return stacked(dots, self.box)


def stacked(dots: Mapping[str, int], box: Region) -> Arrangement:
    """Return where so many dots of each kind stand in an area, group under group."""
    groups = [[kind for kind in GROUPS[name] if kind in dots] for name in STACKED]
    sizes = [sum(dots[kind] for kind in kinds) for kinds in groups]

    def lines(across: int) -> int:
        return sum(-(-size // across) for size in sizes)

    free, widths = (1 - SEAMS) * box.height, range(1, sum(sizes) + 1)
    across = next(n for n in widths if lines(n) * box.width / n <= free)
    pitch, places, top = box.width / across, dict[str, Floats](), box.top
    gap = (box.height - lines(across) * pitch) / max(1, sum(map(bool, sizes)) - 1)
    for kinds, size in zip(groups, sizes, strict=True):
        ends = np.cumsum([dots[kind] for kind in kinds])[:-1]
        found = grid(size, replace(box, top=top), across, pitch, upright=False)
        places.update(zip(kinds, np.split(found, ends), strict=False))
        top -= -(-size // across) * pitch + gap * bool(size)
    return evenly(np.concatenate([places[kind] for kind in dots]), pitch)


def dots_by_kind(factors: Mapping[str, tuple[int, ...]], every: int) -> dict[str, int]:
    """Return how many dots each kind of weights has, where one number in so many is drawn."""
    ends = [-(-end // every) for end in accumulate(map(prod, factors.values()))]
    return dict(zip(factors, np.diff([0, *ends]).tolist(), strict=True))
