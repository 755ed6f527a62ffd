"""A vector as a column of numbers in rounded brackets; `vector` is the row. Knows no meaning."""

from __future__ import annotations

from manim import VGroup, VMobject
from manim.constants import DOWN

from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.vector import shown_entries
from scenes.mobjects.text import Number, Words, align_points, em_of
from scenes.provenance import Tensor
from scenes.theme import INK, QUIET, Role

LINE = 1.5  # from one number to the next, in ems
BRACKETS = 0.45  # the room that they take, in scene units


class NumberColumn(VGroup):
    """The first entries of a vector (D,), an ellipsis and the last one, one under the other.

    `numbers[i]` shows entry `shown[i]`; there are at most `most` lines.
    """

    def __init__(self, values: Tensor, size: float, most: int, role: Role = INK) -> None:
        self.shown = shown_entries(len(values), most)
        self.numbers = [Number(values[i].value, 2, size, role) for i in self.shown]
        lines: list[VMobject] = list(self.numbers)
        if self.shown[-1] != len(self.shown) - 1:
            lines.insert(-1, Words("⋮", size=size, role=QUIET))
        for place, line in enumerate(lines):
            line.move_to(DOWN * place * LINE * em_of(size))
        align_points(self.numbers)
        inside = VGroup(*lines)
        super().__init__(*inside, bracket_pair(inside, role))
