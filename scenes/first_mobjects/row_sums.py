"""The sum of each row of a grid, on its right. It knows nothing of what is added up."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import RIGHT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.grid import Grid
from scenes.mobjects.text import Number, Words, align_points, em_of
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import HAIR, NUMBER_SIZE, QUIET, SMALL_SIZE, SMALLEST_SIZE

NARROWEST, WIDEST = 0.55, 0.9  # scene units that a column of sums takes, with its gap


class RowSums(VGroup):
    """A number beside each row, two decimals, under the word "sum"; `room` in scene units."""

    def __init__(self, grid: Grid, sums: Sequence[Value], room: float) -> None:
        size = NUMBER_SIZE if room >= WIDEST else SMALLEST_SIZE
        size = min(size, max(SMALLEST_SIZE, 0.62 * grid.cell_height / em_of(1)))
        self.numbers = [Number(value, size=size) for value in sums]
        for number, cells in zip(self.numbers, grid.cells, strict=True):
            number.move_to(cells[-1].face)
        align_points(self.numbers)
        column = VGroup(*self.numbers)
        column.shift(RIGHT * (grid.get_right()[0] + 2 * HAIR - column.get_left()[0]))
        self.head = Words("sum", size=min(SMALL_SIZE, 1.1 * size), role=QUIET)
        self.head.next_to((column.get_x(), grid.get_top()[1], 0), UP, buff=HAIR)
        super().__init__(self.head, *self.numbers)

    def reveal(self) -> Animation:
        """Let the word and then the sums come in, from the top."""
        return one_after_another(map(Appear, self))

    def count_to(self, sums: Sequence[Value]) -> Animation:
        """Let every sum run to another value."""
        counts = zip(self.numbers, sums, strict=True)
        return Together(number.count_to(value) for number, value in counts)


def room_for_sums(region: Region) -> float:
    """Return the width that a column of sums wants, in scene units, in a wide or narrow region."""
    return NARROWEST if region.is_narrow else WIDEST
