"""How well two lists of numbers agree: a product for each entry, and the bar of all.

    one = Agreement((x, detector), made, (" forest", "a detector"), region)
    yield Vary(one.multiply, 0, 1)      # products come, from the first entry on
    yield Vary(one.add_up, 0, 1)        # those above zero stack up; others hang from the top
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
from scenes.mobjects.vector import Heat
from scenes.provenance import Tensor, Value, dot
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
)
from scenes.verbs import Appear, Count, Pulse, Then, Verb

Floats = NDArray[np.float64]

STRIP, THICK, WIDEST = 0.4, 0.28, 0.85  # of a column's width: a list, a bar, and all products
GROUND = 1.2  # bars' widths, half of the line that these two stand on
WEAK, FOOT = 0.2, 0.75  # of the largest, what has no fill; ems, from a line's top to its foot
FRONT = 0.2  # of the time in which all come, one entry
TINY, NOTHING = 1e-9, 1e-3  # what is less is rounding, of what is added, and of a bias


def products_of(lists: tuple[Tensor, Tensor], made: Value) -> Floats:
    """Return the products of two lists' entries, and last what these leave of what is made."""
    products = lists[0].double * lists[1].double
    return np.append(products, made.number - products.sum())


class Agreement(VGroup):
    """Two lists (n,), side by side, the products of their entries, and what these add up to.

    `made` is that sum, with what no entry brings, a bias. All of `among`,
    `products_of` whatever is compared with it, are drawn to one scale. Parts: the `names` of the
    four columns, the `strips` of both lists, `bars` of products above zero and below, on a
    `ground` and then on a line of `zero`, and `told`, their sum alone, with its `own` constant
    under it, if it has one, and the `verdict`, a yes or a no, beside it.
    """

    def __init__(
        self,
        lists: tuple[Tensor, Tensor],
        made: Value,
        names: tuple[str, str],
        region: Region,
        among: Sequence[Floats] = (),
    ) -> None:
        high, columns = em_of(SPOKEN_SIZE), region.in_columns(4)
        inner = region.lowered(high + GAP)
        words = [Words(text, size=SPOKEN_SIZE) for text in (names[1], "multiplied", "added up")]
        self.names: list[TokenText | Words] = [TokenText(names[0], SPOKEN_SIZE), *words]
        widest = max(name.width for name in self.names)
        for name, column in zip(self.names, columns, strict=True):
            name.scale(min(1.0, (column.width - GAP) / widest))
            name.set_x(column.center[0]).shift((region.top - FOOT * high - name.baseline) * UP)
        self.strips = [
            _strip(each.double, (STRIP * column.width, inner.height)).move_to(
                (column.center[0], inner.center[1], 0)
            )
            for each, column in zip(lists, columns, strict=False)
        ]
        middle = float(columns[2].center[0])
        self.ground = Line((middle, inner.top, 0), (middle, inner.bottom, 0))
        self.ground.set_stroke(theme.color(QUIET), THIN_LINE)
        alone = dot(*lists)
        constant = made - alone
        numbers = [each.number for each in (alone, constant, made)]
        rounded = [round(each, 1) for each in numbers]
        decimals = 1 if abs(rounded[0] + rounded[1] - rounded[2]) < TINY else 2
        self.made, self.told = made, Number(alone, decimals, HEADING_SIZE)
        self.own = Words(f"constant {{:+.{decimals}f}}", constant, size=PLAIN_SIZE)
        self.own.shrink_to(columns[3].width - 3 * GAP)
        self.has_own = abs(numbers[1]) > NOTHING
        low = inner.bottom + (self.own.height + GAP) * self.has_own
        self.verdict = Words("yes" if made.number > 0 else "no", size=HEADING_SIZE)
        row = VGroup(self.told, self.verdict).arrange(RIGHT, buff=GAP, aligned_edge=DOWN)
        self.verdict.shift((self.told.baseline - self.verdict.baseline) * UP)
        row.scale(min(1.0, (columns[3].width - HAIR) / row.width))
        row.move_to((columns[3].center[0], low, 0), DOWN)
        self.own.next_to(row, DOWN, buff=HAIR)
        self.frame = Rectangle(width=region.width, height=region.height, stroke_width=0)
        self.frame.move_to(region.center)
        self._size = region.width
        self.products = products_of(lists, made)
        self._among = [self.products, *among]
        corner = np.array((region.left, region.top) * 2)
        self._upright = self._beside(self.products[:-1], columns[2], inner) - corner
        stack = inner.raised(float(row.get_top()[1]) + GAP - inner.bottom)
        zero, unit = self._scale(stack)
        self._stacked = self._over(columns[3], zero, unit) - corner
        ups, downs = (float(each.clip(0).sum()) for each in (self.products, -self.products))
        self._level, self._both = zero + ups * unit - region.top, min(ups, downs) * unit
        half = THICK * columns[3].width
        self._aside, x = half / 2, float(columns[3].center[0])
        self.zero = Line((x - GROUND * half, zero, 0), (x + GROUND * half, zero, 0))
        self.zero.set_stroke(theme.color(QUIET), THIN_LINE)
        roles = POSITIVE, NEGATIVE
        self.bars = [Filled(np.zeros((0, 3)), role, STRONGEST_FILL) for role in roles]
        super().__init__(*self.names, *self.strips, self.ground, *self.bars, self.zero)
        self.add(self.told, self.verdict, self.own, self.frame)
        self.multiply(0.0)

    def multiply(self, share: float) -> None:
        """Let products come, from the first on, on both sides of the ground."""
        grown, flat = self._gone(share), self._upright.copy()
        flat[:, ::2] = self._upright[-1:, ::2]
        self._draw((1 - grown) * flat + grown * self._upright)

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
        """Return how the sum comes, what a bias makes of it, and what it says."""
        own = [Appear(self.own)] * self.has_own
        return Then(Appear(self.told), *own, Count(self.told, self.made, QUICK), self.say())

    def say(self) -> Verb:
        """Return how it says yes or no."""
        return Then(Appear(self.verdict, run_time=QUICK), Pulse(self.verdict))

    def _gone(self, share: float) -> Floats:
        """Return how far each product is, (n + 1, 1)."""
        starts = np.linspace(0, 1 - FRONT, len(self.products))
        return np.asarray(eased((share - starts) / FRONT))[:, None]

    def _beside(self, products: Floats, column: Region, inner: Region) -> Floats:
        """Return the boxes of products on both sides of the ground; the bias has none there."""
        ends = np.linspace(inner.top, inner.bottom, len(products) + 1)
        x, half = float(column.center[0]), WIDEST * column.width / 2
        largest = max(float(np.abs(each[:-1]).max()) for each in self._among)
        wide = half * products / max(largest, TINY)
        boxes = np.stack([x + 0 * wide, ends[1:], x + wide, ends[:-1]], axis=1)
        return np.concatenate([boxes, [[x, inner.bottom, x, inner.bottom]]])

    def _scale(self, stack: Region) -> tuple[float, float]:
        """Return where zero is, and how high a product of one, so that all bars have room."""
        top = max(TINY, *(float(each.clip(0).sum()) for each in self._among))
        low = min(0.0, *(float(each.sum()) for each in self._among))
        unit = stack.height / (top - low)
        return stack.bottom - low * unit, unit

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
            boxes = np.concatenate([each[chosen] for each in drawn])
            path.points = rectangles(*(scale * boxes).T) + corner


def _strip(numbers: Floats, size: tuple[float, float]) -> Heat:
    """Return a list as a strip with an outline, in which only what is large has a colour."""
    strip = Heat(numbers[:, None], size, least=WEAK)
    return strip.add(
        Rectangle(width=size[0], height=size[1]).set_stroke(theme.color(QUIET), THIN_LINE)
    )
