"""The ids of a row of tokens, each under its chip. It knows nothing of any vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup
from manim.constants import DOWN

from scenes.first_mobjects.tokens import TokenRow
from scenes.mobjects.text import Number, em_of
from scenes.provenance import Value
from scenes.theme import HAIR, INK, NUMBER_SIZE, SMALLEST_SIZE

LINE = 1.3  # from line to line, in ems


class TokenIds(VGroup):
    """Numbers under the chips of `row`: `ids[i]` belongs to token i.

    A row on several lines has its ids on as many lines, all under the row; where neighbours are
    too near each other, every second id stands a line lower.
    """

    def __init__(self, values: Sequence[Value], row: TokenRow) -> None:
        lines = sorted({round(float(chip.get_y()), 3) for chip in row}, reverse=True)
        self.numbers = [Number(value, 0, NUMBER_SIZE, INK) for value in values]
        super().__init__(*self.numbers)
        size = _size_that_fits(self.numbers, row)
        depth = 1 if size >= SMALLEST_SIZE else 2
        step = LINE * em_of(max(size, SMALLEST_SIZE))
        self.scale(max(size, SMALLEST_SIZE) / NUMBER_SIZE)
        places = [0] * len(lines)
        for number, chip in zip(self.numbers, row, strict=True):
            line = lines.index(round(float(chip.get_y()), 3))
            lower = line * depth + places[line] % depth
            places[line] += 1
            number.move_to((chip.get_x(), -lower * step, 0))
            inside = max(float(row.get_left()[0] - number.get_left()[0]), 0.0)
            inside += min(float(row.get_right()[0] - number.get_right()[0]), 0.0)
            number.shift((inside, 0, 0))
        self.shift(DOWN * (self.get_top()[1] - float(row.get_bottom()[1]) + HAIR))


def _size_that_fits(numbers: Sequence[Number], row: TokenRow) -> float:
    """Return the largest font size, up to the usual one, at which no two neighbours touch."""
    size = float(NUMBER_SIZE)
    for i in range(len(numbers) - 1):
        if abs(row[i].get_y() - row[i + 1].get_y()) < HAIR:
            apart = float(row[i + 1].get_x() - row[i].get_x())
            width = (numbers[i].width + numbers[i + 1].width) / 2
            size = min(size, NUMBER_SIZE * (apart - HAIR) / width)
    return size
