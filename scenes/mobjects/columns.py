"""A vector for each token, as a column of numbers under it or a row beside it. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT

from scenes.mobjects.brackets import bracket_pair
from scenes.mobjects.text import Number, TokenText, Words, align_points, em_of, widest
from scenes.mobjects.vector import Vector, shown_entries
from scenes.stage import Region
from scenes.theme import BODY_SIZE, HAIR, INK, NUMBER_SIZE, QUIET, SMALLEST_SIZE, Role
from scenes.values import Tensor

LINE = 1.5  # from one number to the next, in ems
TALLEST_LINE = 0.7  # scene units
EM_BY_LINE = 0.6  # a number's em, as a share of its line
BRACKETS = 0.45  # the room that they take, in scene units


class Column(VGroup):
    """The first entries of a vector (D,), an ellipsis and the last one, one under the other."""

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
        self.brackets = bracket_pair(inside, role)
        super().__init__(*inside, self.brackets)


class Columns(VGroup):
    """A column for each vector of (T, D), its middle at `centers[t]`, no taller than `height`."""

    def __init__(self, values: Tensor, centers: Sequence[float], height: float) -> None:
        entries = [value for row in values for value in row.values]
        apart = min((b - a for a, b in pairwise(centers)), default=2.0)
        room = (apart - BRACKETS - HAIR) / widest(entries, 2)
        self.size = max(SMALLEST_SIZE, min(BODY_SIZE, room / em_of(1)))
        most = int((height - HAIR) / (LINE * em_of(self.size)))
        columns = [Column(vector, self.size, most) for vector in values]
        for column, center in zip(columns, centers, strict=True):
            column.set_x(center)
        super().__init__(*columns)


class Rows(VGroup):
    """For each vector of (T, D) its token's text and its numbers, on a line of its own."""

    def __init__(self, values: Tensor, pieces: Sequence[str], region: Region) -> None:
        line = min(TALLEST_LINE, region.height / len(pieces))
        size = min(NUMBER_SIZE, EM_BY_LINE * line / em_of(1))
        names = [TokenText(piece, size) for piece in pieces]
        room = region.width - max(name.width for name in names) - BRACKETS - 2 * HAIR
        pitch = (
            widest([value for row in values for value in row.values], 2) * em_of(size) + 2 * HAIR
        )
        most = max(3, int(room / pitch))
        lines = []
        for place, (name, vector) in enumerate(zip(names, values, strict=True)):
            numbers = Vector(vector.values, pitch, size=size, most=most)
            numbers.move_to(DOWN * place * line)
            name.next_to(numbers.brackets, LEFT, buff=HAIR).set_y(numbers.get_y() - 0.25 * name.em)
            lines.append(VGroup(name, numbers))
        super().__init__(*lines)
        self.move_to(region.center)
