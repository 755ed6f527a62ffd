"""How well two lists of numbers agree: a product for each entry, and the bar of all.

    one = Agreement((x, detector), made, (" forest", "a detector"), region, taken=[3, 14, 70])
    yield Vary(one.multiply, 0, 1)      # products come, from the first entry on
    yield one.sum_up()                  # those above zero stack up; others hang from the top
    yield Vary(one.cancel, 0, 1)        # both shrink by as much, until their sum is left

It knows no model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import eased
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.mobjects.vector import Heat, ellipsis
from scenes.provenance import Tensor, Value, count
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    NEGATIVE,
    PANEL,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    STRONGEST_FILL,
    THIN_LINE,
)
from scenes.verbs import Appear, Pulse, Then, Together, Vary, Verb

Floats = NDArray[np.float64]

STRIP, THICK, WIDEST = 0.4, 0.28, 0.85  # of a column's width: a list, a bar, and all products
GROUND = 1.2  # bars' widths, half of the line that these two stand on
FOOT, TALL = 0.75, 0.7  # ems, from a line's top to its foot; of a row's height, a bar
SEAM = 0.03  # scene units, between blocks upon one another
FRONT = 0.2  # of the time in which all come, one entry
TINY = 1e-9  # what is less is rounding


def products_of(
    lists: tuple[Tensor, Tensor], made: Value, taken: Sequence[int] | None = None
) -> Floats:
    """Return the products of two lists' entries, all or those that are taken.

    Then come what all other entries add up to, and what all of them leave of what is made.
    """
    products = lists[0].double * lists[1].double
    own = products if taken is None else products[[*taken]]
    return np.append(own, [products.sum() - own.sum(), made.number - products.sum()])


def telling(x: Floats, others: Floats, most: int) -> list[int]:
    """Return up to `most` entries, or one more, that count most in products with columns."""
    products = np.abs(x[:, None] * others)
    shares = (products / np.maximum(products.sum(axis=0), TINY)).sum(axis=1)
    number = len(x) if len(x) <= most + 1 else most
    return sorted(np.argsort(-shares, kind="stable")[:number].tolist())


class Agreement(VGroup):
    """Two lists (n,), side by side, the products of their entries, and what these add up to.

    Of their entries those that are `taken` are drawn, all without it; the others are one block of
    the sum. `made` is that sum, with what no entry brings, a bias. All of `among`,
    `products_of` whatever is compared with it, are drawn to one scale. Parts: the `names` of the
    four columns, the `strips` of both lists, `bars` of products above zero and below, on a
    `ground` and then on a line of `zero`, what the last two bars are, the `rest` and its `own`,
    and, on its side without a bar, the sum that is `told`, and the `verdict`, a yes or a no.
    """

    def __init__(
        self,
        lists: tuple[Tensor, Tensor],
        made: Value,
        names: tuple[str, str],
        region: Region,
        among: Sequence[Floats] = (),
        *,
        taken: Sequence[int] | None = None,
    ) -> None:
        columns, inner = region.in_columns(4), region.lowered(em_of(SPOKEN_SIZE) + GAP)
        self._put_names(names, columns)
        drawn = [*range(len(lists[0].double))] if taken is None else [*taken]
        self.products = products_of(lists, made, taken)
        rows = self._put_strips([each.double for each in lists], columns, inner, drawn)
        middle = float(columns[2].center[0])
        self.ground = Line((middle, inner.top, 0), (middle, inner.bottom, 0))
        self.ground.set_stroke(theme.color(QUIET), THIN_LINE)
        self.told = Number(made, 1, HEADING_SIZE)
        self.verdict = Words("yes" if made.number > 0 else "no", size=HEADING_SIZE)
        row = VGroup(self.told, self.verdict).arrange(RIGHT, buff=GAP, aligned_edge=DOWN)
        self.verdict.shift((self.told.baseline - self.verdict.baseline) * UP)
        row.scale(min(1.0, (columns[3].width - HAIR) / row.width))
        self.frame = Rectangle(width=region.width, height=region.height, stroke_width=0)
        self.frame.move_to(region.center)
        self._size = region.width
        self._among = [self.products, *among]
        corner = np.array((region.left, region.top) * 2)
        self._upright = self._beside(columns[2], rows) - corner
        self._ground = middle - region.left
        zero, unit = self._scale(inner, row.height + 2 * HAIR)
        self._stacked = self._over(columns[3], zero, unit) - corner
        ups, downs = (float(each.clip(0).sum()) for each in (self.products, -self.products))
        self._level, self._both = zero + ups * unit - region.top, min(ups, downs) * unit
        half = THICK * columns[3].width
        self._aside, x = half / 2, float(columns[3].center[0])
        self.zero = Line((x - GROUND * half, zero, 0), (x + GROUND * half, zero, 0))
        self.zero.set_stroke(theme.color(QUIET), THIN_LINE)
        side = UP if made.number < 0 else DOWN  # of the line: there is no bar
        row.move_to((x, zero, 0) + HAIR * side, -side)
        roles = POSITIVE, NEGATIVE
        self.bars = [Filled(np.zeros((0, 3)), role, STRONGEST_FILL) for role in roles]
        super().__init__(
            *self.names, *self.strips, self.rest, self.own, self.ground, *self.bars, self.zero
        )
        self.add(self.told, self.verdict, self.frame)
        self.multiply(0.0)

    def _put_names(self, names: tuple[str, str], columns: Sequence[Region]) -> None:
        """Write over each column what it is."""
        high = em_of(SPOKEN_SIZE)
        words = [Words(text, size=SPOKEN_SIZE) for text in (names[1], "multiplied", "added up")]
        self.names: list[TokenText | Words] = [TokenText(names[0], SPOKEN_SIZE), *words]
        widest = max(name.width for name in self.names)
        for name, column in zip(self.names, columns, strict=True):
            name.scale(min(1.0, (column.width - GAP) / widest))
            name.set_x(column.center[0]).shift((column.top - FOOT * high - name.baseline) * UP)

    def _put_strips(
        self, lists: Sequence[Floats], columns: Sequence[Region], inner: Region, drawn: list[int]
    ) -> list[Region]:
        """Place both lists, and before products what is said of the rest; return a row for each."""
        others, has_own = len(lists[0]) - len(drawn), abs(self.products[-1]) > TINY
        rows = inner.rows(len(drawn) + (others > 0) + has_own)
        pairs = zip(lists, columns, strict=False)
        seen = rows[: len(rows) - has_own]
        self.strips = [_strip(each[drawn], column, seen) for each, column in pairs]
        self.rest = Words(
            "{} more", count(others, "the entries that are not drawn"), size=PLAIN_SIZE
        )
        self.own = Words("constant", size=PLAIN_SIZE)
        told = (self.rest, others > 0, seen[-1]), (self.own, has_own, rows[-1])
        for (words, is_there, row), product in zip(told, self.products[-2:], strict=True):
            side = RIGHT if product < 0 else LEFT  # of the ground: there is no bar
            words.shrink_to(columns[2].width / 2 + GAP).set_opacity(is_there)
            words.move_to((columns[2].center[0], row.center[1], 0) + HAIR * side, -side)
        return rows

    def multiply(self, share: float) -> None:
        """Let products come, from the first on, on both sides of the ground."""
        self._draw(self._grown(self._gone(share)[:-1], 0.0))

    def sum_up(self, run_time: float = STEADY) -> Verb:
        """Return how what no entry brings comes, if there is some, and all is added up."""
        come = Together(Appear(self.own), Vary(self.grow_own, 0, 1, QUICK))
        has_own = abs(self.products[-1]) > TINY
        return Then(*[come] * bool(has_own), Vary(self.add_up, 0, 1, run_time))

    def grow_own(self, share: float) -> None:
        """Let so much of what no entry brings have come, under all products."""
        self._draw(self._grown(1.0, share))

    def _grown(self, shares: Floats | float, own: float) -> Floats:
        """Return the boxes of products, so much of each, and of what no entry brings."""
        boxes, x = np.array(self._upright), self._ground
        boxes[:-1, ::2] = x + shares * (boxes[:-1, ::2] - x)
        boxes[-1, ::2] = x + own * (boxes[-1, ::2] - x)
        return boxes

    def add_up(self, share: float) -> None:
        """Let those above zero stack up, and others hang from their top; all stay beside it."""
        gone = self._gone(share)
        moved = (1 - gone) * self._upright + gone * self._stacked
        self._draw(moved, *[self._upright] * (share > 0))

    def cancel(self, share: float) -> None:
        """Let both bars shrink by as much, until one is gone: what is left of the other is the sum.

        It stands on the line of zero, or hangs from it.
        """
        boxes = self._stacked.copy()
        boxes[:, 1::2] = np.minimum(boxes[:, 1::2], self._level - share * self._both)
        boxes[:, ::2] += share * self._aside * np.where(self.products > 0, 1, -1)[:, None]
        self._draw(boxes, self._upright)

    def tell(self) -> Verb:
        """Return how the sum comes, and what it says."""
        said = Appear(self.verdict, run_time=QUICK), Pulse(self.verdict)
        return Then(Appear(self.told), *said)

    def _gone(self, share: float) -> Floats:
        """Return how far each product is, (n + 1, 1)."""
        starts = np.linspace(0, 1 - FRONT, len(self.products))
        return np.asarray(eased((share - starts) / FRONT))[:, None]

    def _beside(self, column: Region, rows: Sequence[Region]) -> Floats:
        """Return the boxes of products on both sides of the ground, and of a bias."""
        x, half, drawn = float(column.center[0]), WIDEST * column.width / 2, len(self.products) - 2
        largest = max(float(np.abs(each).max()) for each in self._among)
        wide = half * self.products / max(largest, TINY)
        places = [*rows[:drawn], rows[min(drawn, len(rows) - 1)], rows[-1]]
        middle = np.array([float(row.center[1]) for row in places])
        high = TALL * rows[0].height / 2
        return np.stack([x + 0 * wide, middle - high, x + wide, middle + high], axis=1)

    def _scale(self, stack: Region, said: float) -> tuple[float, float]:
        """Return where zero is, and how high a product of one, so that all bars have room.

        So has what is said, on either side of zero.
        """
        top = max(TINY, *(float(each.clip(0).sum()) for each in self._among))
        deep = max(0.0, *(-float(each.sum()) for each in self._among))
        unit = stack.height / (top + deep)
        if min(top, deep) * unit < said:
            unit = (stack.height - said) / max(top, deep)
        return stack.bottom + max(deep * unit, said), unit

    def _over(self, column: Region, zero: float, unit: float) -> Floats:
        """Return the boxes of products: on one another from zero, or hanging from the top."""
        sizes, signs = unit * np.abs(self.products), self.products > 0
        boxes, thick = np.zeros((len(sizes), 4)), THICK * column.width
        ends = zero + np.cumsum(np.where(signs, sizes, 0.0))
        lows = ends[-1] - np.cumsum(np.where(signs, 0.0, sizes))
        boxes[:, 0] = column.center[0] - thick * signs
        boxes[:, 1] = np.where(signs, ends - sizes, lows)
        return boxes + np.stack([0 * sizes, 0 * sizes, boxes[:, 0] + thick, boxes[:, 1] + sizes], 1)

    def _draw(self, *drawn: Floats) -> None:
        corner, scale = self.frame.get_corner(LEFT + UP), self.frame.width / self._size
        for path, chosen in zip(self.bars, (self.products > 0, self.products <= 0), strict=True):
            boxes = np.concatenate([_apart(each[chosen]) for each in drawn])
            path.points = rectangles(*(scale * boxes).T) + corner


def _apart(boxes: Floats) -> Floats:
    """Return boxes with a seam under each but the lowest."""
    low, high = boxes[:, 1], boxes[:, 3]
    seam = np.minimum(SEAM, (high - low) / 3) * (low > low.min(initial=np.inf))
    return np.asarray(boxes + seam[:, None] * (0, 1, 0, 0))


def _strip(numbers: Floats, column: Region, rows: Sequence[Region]) -> VGroup:
    """Return a list as cells in the first rows, and dots in one row more, if there is one."""
    size = STRIP * column.width, rows[0].height
    strip = Heat(numbers[:, None], (size[0], size[1] * len(numbers)))
    strip.set_stroke(theme.color(PANEL), BOLD_LINE)
    strip.move_to((column.center[0], rows[0].top, 0), UP)
    for row in rows[len(numbers) :]:
        strip.add(ellipsis(np.array((column.center[0], row.center[1], 0)), size[1] * DOWN))
    return strip
