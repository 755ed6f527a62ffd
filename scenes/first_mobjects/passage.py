"""A vector on its way through two thin matrices, as bars as long as it has entries. No numbers."""

from __future__ import annotations

from manim import Animation, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import GrowFrom, Together
from scenes.arrivals import Appear
from scenes.first_mobjects.areas import area
from scenes.first_mobjects.factors import FactoredMap
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.theme import HAIR, INK, LABEL_SIZE, OUTPUT, VALUE

BAR = 0.09  # how thick a vector is, in scene units


class Passage(VGroup):
    """What goes through a `FactoredMap`: `whole` down to `value`, and that up to `change`.

    As in `product`, a vector stands on end beside its matrix and what is made of it lies below.
    """

    def __init__(self, factors: FactoredMap, sizes: tuple[Value, Value]) -> None:
        down, up = factors.down, factors.up
        self.whole = area(BAR, down.height, INK).next_to(down, LEFT, buff=HAIR)
        self.value = area(down.width, BAR, VALUE).next_to(down, DOWN, buff=HAIR)
        self.lifted = area(BAR, up.height, VALUE).next_to(up, LEFT, buff=HAIR)
        self.change = area(up.width, BAR, OUTPUT).next_to(up, DOWN, buff=0.8 * HAIR)
        self.counts = [Words("{}", sizes[i], size=LABEL_SIZE) for i in (0, 1, 0)]
        beside = (self.whole, UP), (self.value, RIGHT), (self.change, RIGHT)
        for number, (bar, way) in zip(self.counts, beside, strict=True):
            number.next_to(bar, way, buff=HAIR)
        super().__init__(self.whole, self.value, self.lifted, self.change, *self.counts)

    def begin(self) -> Animation:
        """Let the vector come in."""
        return Together([Appear(self.whole), Appear(self.counts[0])])

    def go_down(self) -> Animation:
        """Let few numbers be made of many."""
        return self._make(self.value, self.whole, self.counts[1])

    def cross(self) -> Animation:
        """Let the few numbers go on to the second matrix."""
        return GrowFrom(self.lifted, self.value)

    def go_up(self) -> Animation:
        """Let many numbers be made of few."""
        return self._make(self.change, self.lifted, self.counts[2])

    @staticmethod
    def _make(bar: Rectangle, of: Rectangle, number: Words) -> Animation:
        return Together([GrowFrom(bar, of), Appear(number)])
