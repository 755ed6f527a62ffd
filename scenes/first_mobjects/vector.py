"""A vector as a row of numbers in rounded brackets; `number_column` stands. Knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup, VMobject
from manim.constants import RIGHT

from scenes.first_mobjects.brackets import bracket_pair
from scenes.mobjects.text import Number, Words, align_points
from scenes.provenance import Value
from scenes.theme import INK, NUMBER_SIZE, Role

MOST_SHOWN = 16


class Vector(VGroup):
    """Numbers side by side, `pitch` scene units apart, in at most `most` places.

    A longer vector shows its first entries, an ellipsis and its last one.

    `numbers[i]` shows entry `shown[i]` of the values, at the place `places[i]` of the row.
    """

    def __init__(
        self,
        values: Sequence[Value],
        pitch: float,
        *,
        role: Role = INK,
        decimals: int = 2,
        size: float = NUMBER_SIZE,
        most: int = MOST_SHOWN,
    ) -> None:
        self.shown = shown_entries(len(values), most)
        self.numbers = [Number(values[i], decimals, size, role) for i in self.shown]
        self.places = list(range(len(self.shown)))
        parts: list[VMobject] = list(self.numbers)
        if len(self.shown) < len(values):
            self.places[-1] += 1
            gap = Words("…", size=size, role=role)
            parts.append(gap.move_to(RIGHT * (len(self.shown) - 1) * pitch))
        for place, number in zip(self.places, self.numbers, strict=True):
            number.move_to(RIGHT * place * pitch)
        align_points(self.numbers)
        inside = VGroup(*parts)
        height = 1.6 * self.numbers[0].em
        self.brackets = bracket_pair(inside, role, height)
        super().__init__(*inside, self.brackets)

    @property
    def middle(self) -> float:
        """Where the middle between the first and the last entry stands, in scene units."""
        return float(self.brackets.get_x())

    @property
    def is_elided(self) -> bool:
        """Whether some entries are left out."""
        return bool(self.shown[-1] != len(self.shown) - 1)


def shown_entries(length: int, most: int) -> list[int]:
    """Return which entries of a vector are drawn: all, or the first ones and the last."""
    if length <= most:
        return list(range(length))
    return [*range(most - 2), length - 1]
