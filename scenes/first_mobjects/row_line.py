"""A line of numbers, one under each key, with its title and its sum. It knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import Animation, Mobject, VGroup, VMobject
from manim.constants import LEFT, RIGHT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly
from scenes.first_mobjects.workings import AddUp
from scenes.mobjects.text import Number, em_of, widest
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, SLOW, SMALLEST_SIZE

NAME_ROOM = 2.4  # beside the numbers, for a line's name, in scene units
SUM_ROOM = 1.35  # behind them, for its sum
SUM_ROOM_NARROW = 0.85
WIDEST_PITCH = 1.3
LARGEST_SIZE = 34  # of numbers that have the room, in manim's font units
NUMBER_GAP = 0.12  # between two numbers, in scene units


@dataclass(frozen=True)
class Columns:
    """Where the numbers of a line stand: a place for each key, in scene units."""

    left: float  # the edge of the line's name
    first: float  # the middle of the first number
    pitch: float
    keys: int
    sums: float  # the left edge of the sum
    is_narrow: bool  # the name then stands above its line

    @classmethod
    def within(cls, region: Region, keys: int) -> Columns:
        """Return columns that leave room for names and sums in a region."""
        sums = SUM_ROOM_NARROW if region.is_narrow else SUM_ROOM
        names = 0.0 if region.is_narrow else NAME_ROOM
        pitch = min(WIDEST_PITCH, (region.width - names - sums) / keys)
        spare = region.width - names - sums - keys * pitch
        first = region.left + names + spare / 2 + pitch / 2
        left, edge = region.left + spare / 2, first + (keys - 0.5) * pitch
        return cls(left, first, pitch, keys, edge + GAP, region.is_narrow)

    def x(self, key: int) -> float:
        """Return the middle of a key's number."""
        return self.first + key * self.pitch

    def size(self, values: Sequence[Value], decimals: int) -> float:
        """Return the font size at which numbers fit, of which none may be legible."""
        room = (self.pitch - NUMBER_GAP) / widest(values, decimals)
        return min(LARGEST_SIZE, room / em_of(1))

    def decimals(self, values: Sequence[Value], most: int) -> int | None:
        """Return how many decimals, up to `most`, are legible; None if no number is."""
        fits = (each for each in range(most, -1, -1) if self.size(values, each) >= SMALLEST_SIZE)
        return next(fits, None)


class RowLine(VGroup):
    """A title, a number for each key and their sum, on one line at height `y`."""

    def __init__(
        self,
        title: VMobject,
        values: Sequence[Value],
        total: Value,
        columns: Columns,
        *,
        decimals: int,
        size: float,
    ) -> None:
        self.values, self.end = values, total
        self.title = title
        self.numbers = [Number(value, decimals, size) for value in values]
        for key, number in enumerate(self.numbers):
            number.set_x(columns.x(key))
        self.total = Number(total, decimals, max(size, SMALLEST_SIZE), anchor=LEFT)
        self.total.next_to((columns.sums, self.numbers[0].get_y(), 0), RIGHT, buff=0)
        if columns.is_narrow:
            title.next_to(VGroup(*self.numbers), UP, buff=HAIR)
        title.align_to((columns.left, 0, 0), LEFT)
        super().__init__(self.title, *self.numbers, self.total)

    def fly_in(self, sources: Sequence[Mobject]) -> Animation:
        """Let each number come from a source, one after another, under the line's title."""
        flights = one_after_another(map(Fly, self.numbers, sources), SLOW)
        return Together([Appear(self.title), flights])

    def add_up(self) -> Animation:
        """Let the sum run through all numbers of the line."""
        return Together([Fade(self.total, 1.0), AddUp(self.total, self.values, self.end, SLOW)])

    def count_to(self, values: Sequence[Value], total: Value) -> Animation:
        """Let every number and the sum run to other values."""
        ends = zip((*self.numbers, self.total), (*values, total), strict=True)
        self.values, self.end = values, total
        return Together(number.count_to(end) for number, end in ends)
