"""A dot product worked out: two vectors, the products of their entries, and the sum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Appear, Fly, Together, hide, one_after_another
from scenes.mobjects.text import Formula, Number, written
from scenes.mobjects.vector import Vector, shown_entries
from scenes.theme import (
    BODY_SIZE,
    GAP,
    HAIR,
    KEY,
    NEGATIVE,
    NUMBER_SIZE,
    POSITIVE,
    QUERY,
    SLOW,
    STRONGEST_FILL,
    TITLE_SIZE,
)
from scenes.values import Tensor, Value, dot

WIDEST_PITCH = 0.74  # scene units between two entries
BAR_HEIGHT = 0.7  # of the largest product, in scene units


class DotProductWorkings(VGroup):
    """Query over key, entry by entry; `width` is what there is, in scene units.

    All parts have their place from the start and are unseen until they are revealed, in the
    order of the methods.
    """

    def __init__(self, query: Tensor, key: Tensor, indices: tuple[int, int], width: float) -> None:
        symbols = f"{QUERY.value}(q_{indices[0]})", f"{KEY.value}(k_{indices[1]})"
        q, k = query.values, key.values
        self.products = [one * other for one, other in zip(q, k, strict=True)]
        self.sum = dot(query, key)
        places = len(shown_entries(len(q))) + (len(q) > len(shown_entries(len(q))))
        pitch = min(WIDEST_PITCH, width / (places + 1.2))  # the brackets and the symbol need 1.2
        size = _size_that_fits([*q, *k, *self.products], pitch)
        self.query = Vector(q, pitch, QUERY, size=size)
        self.key = Vector(k, pitch, KEY, size=size)
        self.query_name = Formula(f"${symbols[0]}$", BODY_SIZE)
        self.key_name = Formula(f"${symbols[1]}$", BODY_SIZE)
        self.product_numbers = VGroup(
            *(Number(self.products[i], size=size) for i in self.query.shown)
        )
        self.total = Number(self.products[0] - self.products[0], size=TITLE_SIZE, anchor=LEFT)
        self.equation = Formula(f"${symbols[0]} dot {symbols[1]} =$", TITLE_SIZE)
        self._arrange(pitch)
        super().__init__(
            VGroup(self.query_name, self.query),
            VGroup(self.key_name, self.key),
            self.bars,
            self.product_numbers,
            VGroup(self.equation, self.total),
        )
        hide(self)

    def reveal_vectors(self) -> Animation:
        """Let the query and then the key come in, with their symbols."""
        return one_after_another(map(Appear, (self[0], self[1])))

    def reveal_products(self) -> Animation:
        """Let each pair of entries meet: their product drops under them, with its bar."""
        drops = [
            Together([Fly(number, above), Appear(bar)])
            for number, bar, above in zip(
                self.product_numbers, self.bars, self.key.numbers, strict=True
            )
        ]
        return one_after_another(drops, budget=2 * SLOW)

    def reveal_sum(self) -> Animation:
        """Let the sum's place come in, at zero."""
        return Appear(self[-1])

    def add_up(self, run_time: float = 2 * SLOW) -> Animation:
        """Let the sum run through all products, one after another, whether drawn or not."""
        return AddUp(self.total, self.products, self.sum, run_time)

    def _arrange(self, pitch: float) -> None:
        self.key.next_to(self.query, DOWN, buff=2 * GAP)
        for name, vector in ((self.query_name, self.query), (self.key_name, self.key)):
            name.next_to(vector, LEFT, buff=GAP)
        for number, above in zip(self.product_numbers, self.key.numbers, strict=True):
            number.next_to(self.key, DOWN, buff=GAP).align_to(above, RIGHT)
        self.bars = self._bars(pitch).next_to(self.product_numbers, DOWN, buff=GAP)
        self.bars.set_x(self.key.middle)
        row = VGroup(self.equation, self.total).arrange(RIGHT, buff=GAP)
        row.next_to(self.bars, DOWN, buff=2 * GAP).set_x(self.query.get_x())

    def _bars(self, pitch: float) -> VGroup:
        """Return a bar for each product drawn, up for positive, down for negative."""
        largest = max(abs(product.number) for product in self.products) or 1.0
        bars = VGroup()
        for place, i in zip(self.query.places, self.query.shown, strict=True):
            share = self.products[i].number / largest
            bar = Rectangle(
                width=0.5 * pitch,
                height=max(abs(share) * BAR_HEIGHT, 0.01),
                stroke_width=0,
                fill_color=theme.color(NEGATIVE if share < 0 else POSITIVE),
                fill_opacity=STRONGEST_FILL,
            )
            bars.add(bar.move_to((place * pitch, 0, 0), aligned_edge=UP if share < 0 else DOWN))
        return bars


class AddUp(Animation):
    """A number runs through the partial sums of some values, and ends on their exact sum."""

    def __init__(
        self, number: Number, values: Sequence[Value], end: Value, run_time: float
    ) -> None:
        super().__init__(number, run_time=run_time)
        self.partial = np.concatenate([[0.0], np.cumsum([value.number for value in values])])
        self.end = end

    def interpolate_mobject(self, alpha: float) -> None:
        """Show the sum of the part that time `alpha`, 0 to 1, has passed."""
        assert isinstance(self.mobject, Number)
        if alpha >= 1:
            self.mobject.put(self.end)
            return
        at = self.rate_func(alpha) * (len(self.partial) - 1)
        so_far = float(np.interp(at, np.arange(len(self.partial)), self.partial))
        self.mobject.put(Value(so_far, f"= part of {self.end.term}"))


def _size_that_fits(values: Sequence[Value], pitch: float) -> float:
    texts = {len(written(value.number, 2)): value for value in values}
    widest = Number(texts[max(texts)], size=NUMBER_SIZE).width
    return float(min(NUMBER_SIZE, NUMBER_SIZE * (pitch - 1.5 * HAIR) / widest))
