"""How well two lists of numbers agree: a product for each entry, and two bars of them all.

    one = Agreement((x, detector), made, (" forest", "a detector"), region)
    yield Vary(one.multiply, 0, 1)      # products come, from the first entry on
    yield Vary(one.add_up, 0, 1)        # those above zero stack up in one bar, others in another

It knows no model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, UP
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
from scenes.verbs import Appear, Count, Then, Verb

Floats = NDArray[np.float64]

THICK, WIDEST = 0.28, 0.85  # of a column's width: a list or a bar, and all products
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
    `ground`, and `told`, their sum alone, with its `own` constant under it, if it has one.
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
            name.scale(min(1.0, (column.width - HAIR) / widest))
            name.move_to((column.center[0], region.top - high / 2, 0))
        self.strips = [
            Heat(each.double[:, None], (THICK * column.width, inner.height)).move_to(
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
        self.told.move_to((columns[3].center[0], low, 0), DOWN)
        self.own.next_to(self.told, DOWN, buff=HAIR)
        self.frame = Rectangle(width=region.width, height=region.height, stroke_width=0)
        self.frame.move_to(region.center)
        self._size = region.width
        self.products = products_of(lists, made)
        self._among = [self.products, *among]
        corner = np.array((region.left, region.top) * 2)
        self._upright = self._beside(self.products[:-1], columns[2], inner) - corner
        stack = inner.raised(float(self.told.get_top()[1]) + GAP - inner.bottom)
        self._stacked = self._over(columns[3], stack) - corner
        roles = POSITIVE, NEGATIVE
        self.bars = [Filled(np.zeros((0, 3)), role, STRONGEST_FILL) for role in roles]
        super().__init__(*self.names, *self.strips, self.ground, *self.bars, self.told)
        self.add(self.own, self.frame)
        self.multiply(0.0)

    def multiply(self, share: float) -> None:
        """Let products come, from the first on, on both sides of the ground."""
        grown, flat = self._gone(share), self._upright.copy()
        flat[:, ::2] = self._upright[-1:, ::2]
        self._draw((1 - grown) * flat + grown * self._upright)

    def add_up(self, share: float) -> None:
        """Let products stack up, those above zero in one bar; as products they stay."""
        gone = self._gone(share)
        moved = (1 - gone) * self._upright + gone * self._stacked
        self._draw(moved, *[self._upright] * (share > 0))

    def tell(self) -> Verb:
        """Return how the sum comes, and what a bias makes of it."""
        own = [Appear(self.own)] * self.has_own
        return Then(Appear(self.told), *own, Count(self.told, self.made, QUICK))

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

    def _over(self, column: Region, stack: Region) -> Floats:
        """Return the boxes of products on one another, in two bars."""
        sizes, signs = np.abs(self.products), self.products > 0
        sums = (float(each.clip(0).sum()) for both in self._among for each in (both, -both))
        most = max(TINY, *sums)
        boxes, thick = np.zeros((len(sizes), 4)), THICK * column.width
        for chosen, x in ((signs, column.center[0] - thick), (~signs, column.center[0])):
            ends = stack.bottom + np.cumsum(sizes[chosen]) * stack.height / most
            lows = ends - sizes[chosen] * stack.height / most
            boxes[chosen] = np.stack([0 * ends + x, lows, 0 * ends + x + thick, ends], axis=1)
        return boxes

    def _draw(self, *drawn: Floats) -> None:
        corner, scale = self.frame.get_corner(LEFT + UP), self.frame.width / self._size
        for path, chosen in zip(self.bars, (self.products > 0, self.products <= 0), strict=True):
            boxes = np.concatenate([each[chosen] for each in drawn])
            path.points = rectangles(*(scale * boxes).T) + corner
