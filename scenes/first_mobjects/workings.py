"""A dot product worked out: two vectors, the products of their entries, and the sum.

A vector times a column of a matrix is in `column_workings`. It knows two vectors, no model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Rectangle, VGroup, VMobject, linear, smooth, squish_rate_func
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly, Leave
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.vector import MOST_SHOWN, Vector
from scenes.mobjects.text import Formula, Number, Words, decimals_for, em_of, widest
from scenes.presence import hide
from scenes.provenance import Tensor, Value, count, dot, part_of
from scenes.theme import (
    BODY_SIZE,
    GAP,
    KEY,
    NEGATIVE,
    NUMBER_SIZE,
    OUT_OF_PLAY,
    POSITIVE,
    QUERY,
    QUIET,
    SLOW,
    STRONGEST_FILL,
    TITLE_SIZE,
)

WIDEST_PITCH = 0.74  # scene units between two entries
NUMBER_GAP = 0.15  # between two numbers, in scene units
READABLE_SIZE = 18  # no smaller; rather fewer entries are shown
NAME_ROOM = 1.1  # for the symbol and the brackets, in scene units
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
        rows = q, k, self.products
        pitch, most, size = _layout(rows, width - NAME_ROOM)
        of_q, of_k, of_products = (decimals_for(row, 2) for row in rows)
        self.query = Vector(q, pitch, role=QUERY, decimals=of_q, size=size, most=most)
        self.key = Vector(k, pitch, role=KEY, decimals=of_k, size=size, most=most)
        self.query_name = Formula(f"${symbols[0]}$", BODY_SIZE)
        self.key_name = Formula(f"${symbols[1]}$", BODY_SIZE)
        self.signs = VGroup(
            *(Words(s, size=BODY_SIZE, role=QUIET) for s in ("\N{MULTIPLICATION SIGN}", "="))
        )
        self.product_numbers = VGroup(
            *(Number(self.products[i], of_products, size) for i in self.query.shown)
        )
        nothing, decimals = self.products[0] - self.products[0], decimals_for([self.sum], 2)
        self.total = Number(nothing, decimals, TITLE_SIZE, anchor=LEFT)
        self.notes = self._notes(len(q))
        self.equation = Formula(f"${symbols[0]} dot {symbols[1]} =$", TITLE_SIZE)
        self._arrange(pitch)
        super().__init__(
            VGroup(self.query_name, self.query),
            VGroup(self.key_name, self.key),
            self.signs,
            self.bars,
            self.product_numbers,
            VGroup(self.equation, self.total, self.notes),
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
        return Together([Appear(self.signs), one_after_another(drops, budget=2 * SLOW)])

    def reveal_sum(self) -> Animation:
        """Let the sum's place come in, at zero."""
        return Appear(self[-1])

    def add_up(self, run_time: float = 2 * SLOW) -> Animation:
        """Let the sum run through all products, one after another, whether drawn or not.

        Those that are drawn recede once they are counted.
        """
        adding = AddUp(self.total, self.products, self.sum, run_time).set_rate_func(linear)
        return Together([adding, *self._count_off(run_time)])

    def leave_total(self) -> Animation:
        """Let all go but the sum."""
        return Together(map(Leave, (*self[:-1], self.equation, self.notes)))

    def _count_off(self, run_time: float) -> list[Animation]:
        """Return how each product drawn recedes, at its own time."""
        step = 1 / len(self.products)
        drawn = zip(self.query.shown, self.product_numbers, self.bars, strict=True)
        return [
            _recede(part, i * step, (i + 1) * step, run_time)
            for i, *parts in drawn
            for part in parts
        ]

    def _arrange(self, pitch: float) -> None:
        self.key.next_to(self.query, DOWN, buff=2 * GAP)
        for name, vector in ((self.query_name, self.query), (self.key_name, self.key)):
            name.next_to(vector, LEFT, buff=GAP)
        for number, above in zip(self.product_numbers, self.key.numbers, strict=True):
            number.next_to(self.key, DOWN, buff=GAP).align_to(above, RIGHT)
        self.bars = self._bars(pitch).next_to(self.product_numbers, DOWN, buff=GAP)
        self.bars.set_x(self.key.middle)
        for sign, height in zip(
            self.signs, (_between(self.query, self.key), self.product_numbers.get_y()), strict=True
        ):
            sign.move_to((self.key_name.get_x(), height, 0))
        row = VGroup(self.equation, self.total).arrange(RIGHT, buff=GAP)
        row.next_to(self.bars, DOWN, buff=2 * GAP).set_x(self.query.get_x())
        self.notes.next_to(row, DOWN, buff=GAP)

    def _notes(self, entries: int) -> VGroup:
        """Return what has to be said of a vector that is not drawn whole."""
        if not self.query.is_elided:
            return VGroup()
        return VGroup(SmallPrint("summed over all {} entries", count(entries, "entries of a head")))

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
        self.mobject.put(part_of(self.end, so_far))


def _between(one: VMobject, other: VMobject) -> float:
    return float(one.get_bottom()[1] + other.get_top()[1]) / 2


def _recede(part: VMobject, start: float, end: float, run_time: float) -> Animation:
    """Let a part recede between two shares of a time."""
    fading = Fade(part, OUT_OF_PLAY, run_time)
    return fading.set_rate_func(squish_rate_func(smooth, start, end))


def _layout(rows: Sequence[Sequence[Value]], width: float) -> tuple[float, int, float]:
    """Return pitch (scene units), how many places there are, and the font size of the numbers."""
    ems = max(widest(row, decimals_for(row, 2)) for row in rows)
    closest = ems * em_of(READABLE_SIZE) + NUMBER_GAP
    places = min(len(rows[0]), MOST_SHOWN, int(width / closest))
    pitch = min(WIDEST_PITCH, width / places)
    return pitch, places, min(NUMBER_SIZE, (pitch - NUMBER_GAP) / ems / em_of(1))
