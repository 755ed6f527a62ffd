"""A dot product as a length times a shadow, in words and in numbers. It knows no arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import Animation, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT
from manim.typing import Vector3D

from scenes.animations import Together
from scenes.arrivals import Appear, Fly
from scenes.mobjects.text import Formula, Number, decimals_for, widest
from scenes.presence import hide
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, KEY, QUERY, TITLE_SIZE

NAMES = f'$"length of" {QUERY.value}(q) times "shadow of" {KEY.value}(k)$'
LINE = 0.75  # from the words to the numbers, in scene units


@dataclass(frozen=True)
class Shadow:
    """How long the shadow of a key is on the query's line, and their dot product."""

    length: Value
    product: Value


class ShadowProduct(VGroup):
    """A query's length times a key's shadow, which is their dot product: in words, then in numbers.

    The first of `shadows` is shown, and there is room for all of them. It is as large as fits the
    region, and unseen until it is revealed.
    """

    def __init__(self, length: Value, shadows: Sequence[Shadow], region: Region) -> None:
        self.product = Formula(f"${QUERY.value}(q) dot {KEY.value}(k)$", TITLE_SIZE)
        self.names = Formula(NAMES)
        self.length = _widest_of([length], BODY_SIZE, LEFT).set_role(QUERY)
        self.times = Formula("$times$")
        self.shadow = _widest_of([each.length for each in shadows], BODY_SIZE, RIGHT)
        self.shadow.set_role(KEY)
        self.result = _widest_of([each.product for each in shadows], TITLE_SIZE, LEFT)
        self.signs = [Formula("$=$") for _ in range(3)]
        self._arrange()
        factors = self.length, self.times, self.shadow
        super().__init__(self.product, self.names, *factors, self.result, *self.signs)
        region.fit(self)
        self.shadow.put(shadows[0].length)
        self.result.put(shadows[0].product)
        hide(self)

    def reveal_names(self) -> Animation:
        """Let it be said what the factors are."""
        return Together(map(Appear, (self.product, self.signs[0], self.names)))

    def reveal_factors(self, length: Mobject, shadow: Mobject) -> Animation:
        """Let the factors come from what they measure, one after the other."""
        first = Together([Appear(self.signs[1]), Fly(self.length, length)])
        return Together([first, Fly(self.shadow, shadow), Appear(self.times)], lag_ratio=0.8)

    def reveal_result(self) -> Animation:
        """Let the product come out of the sign of equality; from its factors it would cross one."""
        return Together([Appear(self.signs[2]), Fly(self.result, self.signs[2])])

    def run_to(self, shadow: Shadow) -> Animation:
        """Let shadow and product run to those of another key."""
        return Together([self.shadow.count_to(shadow.length), self.result.count_to(shadow.product)])

    def _arrange(self) -> None:
        """Set the words on one line with the product's symbol, the numbers below them."""
        first, second, third = self.signs
        second.next_to(first, DOWN, buff=0).set_y(first.get_y() - LINE)
        self.product.next_to(first, LEFT, buff=GAP)
        self.names.next_to(first, RIGHT, buff=GAP)
        self.length.next_to(second, RIGHT, buff=GAP)
        self.times.next_to(self.length, RIGHT, buff=1.5 * HAIR)
        self.shadow.next_to(self.times, RIGHT, buff=1.5 * HAIR)
        third.next_to(self.shadow, RIGHT, buff=GAP)
        self.result.next_to(third, RIGHT, buff=GAP)


def _widest_of(values: Sequence[Value], size: float, anchor: Vector3D) -> Number:
    """Return the widest of some numbers, written with decimals that do for all of them."""
    decimals = decimals_for(values, 2)
    wide = max(values, key=lambda value: widest([value], decimals))
    return Number(wide, decimals, size, anchor=anchor)
