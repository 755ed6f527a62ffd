"""One-hot vectors: a single 1 among very many zeros, nearly all left out. They know no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Animation, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fly, Show
from scenes.first_mobjects.brackets import DEPTH, bracket_pair
from scenes.first_mobjects.matrix import gaps_of, places_of
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.tokens import Chip
from scenes.mobjects.text import Formula, Number, Words
from scenes.provenance import Tensor, Value, count, dot
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, QUIET, SMALL_SIZE, TITLE_SIZE, Role

BRACKET_HEIGHT = 1.6  # in ems
WIDEST_PITCH = 0.8  # scene units between two entries
BRACKETS = 0.6  # the room that they take, in scene units


class OneHot(VGroup):
    """Some entries of a vector of `length` in a row, `pitch` scene units from place to place.

    Each stretch left out stands as an ellipsis. A 1 is in ink, a 0 is quiet; `numbers[i]` shows
    entry i.
    """

    def __init__(self, values: Mapping[int, Value], length: int, pitch: float) -> None:
        shown = sorted(values)
        self.numbers = {
            entry: Number(values[entry], 0, TITLE_SIZE, _ink(values[entry])) for entry in shown
        }
        for number, at in zip(self.numbers.values(), places_of(shown), strict=True):
            number.move_to(RIGHT * at * pitch)
        self.gaps = [
            Words("…", size=TITLE_SIZE, role=QUIET).move_to(RIGHT * at * pitch)
            for at in gaps_of(shown, length)
        ]
        inside = VGroup(*self.numbers.values(), *self.gaps)
        self.brackets = bracket_pair(inside, INK, BRACKET_HEIGHT * self.numbers[shown[0]].em)
        super().__init__(*inside, self.brackets)

    @property
    def ones(self) -> list[Number]:
        """The entries drawn that are not zero."""
        return [number for number in self.numbers.values() if number.value.number]

    def reveal(self) -> Animation:
        """Let the zeros come in from the left, and then the 1."""
        inside = sorted((*self.numbers.values(), *self.gaps), key=lambda part: float(part.get_x()))
        zeros = [part for part in inside if part not in self.ones]
        arrivals = one_after_another(map(Appear, (*zeros, *self.ones)))
        return Together([Show(self.brackets), arrivals])

    def places(self, names: Mapping[int, Value]) -> VGroup:
        """Return numbers to stand above some entries: their places in the vector."""
        above = [
            Number(name, 0, SMALL_SIZE, QUIET).next_to(self.numbers[entry], UP, buff=2 * GAP)
            for entry, name in names.items()
        ]
        return VGroup(*above)


class OneHotProduct(VGroup):
    """Two tokens, their one-hot vectors (2, V) one under the other, and their dot product.

    `places` are the numbers of the two tokens in the vocabulary.
    """

    def __init__(
        self, pieces: Sequence[str], vectors: Tensor, places: Sequence[Value], region: Region
    ) -> None:
        length = vectors.shape[-1]
        ones = [int(np.argmax(vector.array)) for vector in vectors]
        shown = _shown(ones, length, 0 if region.is_narrow else 1)
        self.chips = [Chip(piece) for piece in pieces]
        names = max(chip.width for chip in self.chips)
        room = region.width - names - GAP - BRACKETS
        pitch = min(WIDEST_PITCH, room / (places_of(shown)[-1] + 1))
        self.vectors = [
            OneHot({entry: vector[entry].value for entry in shown}, length, pitch)
            for vector in vectors
        ]
        one, other = vectors
        products = {entry: one[entry].value * other[entry].value for entry in shown}
        self.products = OneHot(products, length, pitch)
        ends = {end: count(end, "places before it") for end in _apart((0, length - 1), ones)}
        self.places = self.vectors[0].places(ends | dict(zip(ones, places, strict=True)))
        self.sum = Number(dot(one, other), 0, TITLE_SIZE)
        self._arrange()
        super().__init__(self.places, *self.chips, *self.vectors)
        self.add(self.line, self.products, self.equation)
        self.move_to(region.center)

    def reveal_products(self) -> Animation:
        """Let each two entries meet: their product drops under them."""
        drops = [
            Fly(number, self.vectors[1].numbers[entry])
            for entry, number in self.products.numbers.items()
        ]
        return one_after_another([Appear(self.line), *drops, *map(Appear, self.products.gaps)])

    def reveal_sum(self) -> Animation:
        """Let the sum of the products come in."""
        return Appear(self.equation)

    def _arrange(self) -> None:
        first, second = self.vectors
        second.next_to(first, DOWN, buff=2 * GAP)
        self.products.next_to(second, DOWN, buff=2 * GAP)
        self.products.remove(self.products.brackets)
        self.line = SmallPrint("products").next_to(self.products, LEFT, buff=GAP + DEPTH + HAIR)
        for chip, vector in zip(self.chips, self.vectors, strict=True):
            chip.next_to(vector, LEFT, buff=GAP)
        self.label = SmallPrint("place in the vocabulary")
        self.label.next_to(self.places, UP, buff=GAP / 2).set_x(first.brackets.get_x())
        self.places.add(self.label)
        dot_product = Formula("dot product $=$", TITLE_SIZE)
        self.sum.shift(RIGHT * (dot_product.get_right()[0] + GAP - self.sum.get_left()[0]))
        self.equation = VGroup(dot_product, self.sum)
        self.equation.next_to(self.products, DOWN, buff=2 * GAP)


def _shown(ones: Sequence[int], length: int, around: int) -> list[int]:
    """Return the ends of a vector, the places of the ones, and so many entries on either side."""
    near = {one + step for one in ones for step in range(-around, around + 1)}
    ends = {*range(around + 1), length - 1}
    return sorted(entry for entry in near | ends if 0 <= entry < length)


def _apart(ends: Sequence[int], ones: Sequence[int]) -> list[int]:
    """Return the ends that have room for a number of their own above them."""
    return [end for end in ends if all(abs(end - one) > 1 for one in ones)]


def _ink(value: Value) -> Role:
    return INK if value.number else QUIET
