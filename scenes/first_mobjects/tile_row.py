"""A row of numbers on tiles, each as strong as its number. It knows nothing of what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from manim import Animation, Rectangle, VGroup, linear
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.animations import Tint, Together
from scenes.first_mobjects.vector import MOST_SHOWN, Vector
from scenes.first_mobjects.workings import AddUp
from scenes.mobjects.text import Number, em_of, widest
from scenes.provenance import Value
from scenes.theme import HAIR, NUMBER_SIZE, SLOW, SMALLEST_SIZE, STEADY, VALUE, Role

STRONGEST_TILE = 0.55  # the fill of the largest number: ink still reads on it
EM_BY_HEIGHT = 0.62  # a number's em, as a share of its tile's height, at most
TILE_WIDTH, TILE_HEIGHT = 0.92, 0.84  # of the pitch and of the row's height
NUMBER_GAP = 0.2  # between two numbers, in scene units
BRACKETS_ROOM = 0.5  # scene units
WIDEST_PITCH = 1.05  # scene units


@dataclass(frozen=True)
class RowForm:
    """How rows of numbers are set: lengths in scene units, `most` places, font size."""

    pitch: float
    height: float
    number_width: float  # of the widest
    most: int
    size: float
    decimals: int = 2


def row_form(
    values: Sequence[Value], entries: int, width: float, height: float, decimals: int = 2
) -> RowForm:
    """Return the form in which rows of `entries` numbers fit a width and a height."""
    size = max(SMALLEST_SIZE, min(NUMBER_SIZE, EM_BY_HEIGHT * height / em_of(1)))
    number, room = widest(values, decimals) * em_of(size), width - BRACKETS_ROOM
    places = max(3, min(entries, MOST_SHOWN, int(room / (number + NUMBER_GAP))))
    pitch = min(WIDEST_PITCH, room / places)
    return RowForm(pitch, height, number, places, size, decimals)


class TileRow(VGroup):
    """Numbers on tiles in brackets; `largest` is the number with the strongest fill."""

    def __init__(
        self, values: Sequence[Value], form: RowForm, largest: float, role: Role = VALUE
    ) -> None:
        self.values, self.largest = values, largest or 1.0
        self.vector = Vector(
            values, form.pitch, size=form.size, most=form.most, decimals=form.decimals
        )
        self.shown, self.numbers = self.vector.shown, self.vector.numbers
        for number, place in zip(self.numbers, self.vector.places, strict=True):
            edge = place * form.pitch + form.number_width / 2
            number.shift(RIGHT * (edge - number.get_right()[0]))
        self.vector.brackets.set_color(theme.color(role))
        self.tiles = [self._tile(place, form, role) for place in self.vector.places]
        for tile, i in zip(self.tiles, self.shown, strict=True):
            tile.set_fill(opacity=self.strength(values[i]))
        opening, closing = self.vector.brackets
        opening.next_to(self.tiles[0], LEFT, buff=HAIR / 2)
        closing.next_to(self.tiles[-1], RIGHT, buff=HAIR / 2)
        super().__init__(*self.tiles, self.vector)

    def strength(self, value: Value) -> float:
        """Return the fill's opacity for a number."""
        return STRONGEST_TILE * min(abs(value.number) / self.largest, 1.0)

    def count_to(self, values: Sequence[Value], run_time: float = STEADY) -> Animation:
        """Let every number run to another one, and its tile with it."""
        return self._change(
            [
                number.count_to(values[i], run_time)
                for number, i in zip(self.numbers, self.shown, strict=True)
            ],
            values,
            run_time,
        )

    def add_up(
        self,
        rows: Sequence[Sequence[Value] | Mapping[int, Value]],
        total: Sequence[Value],
        run_time: float = 2 * SLOW,
    ) -> Animation:
        """Let every number run through the sums of the rows above, to the whole.

        Of a row, the entries that are shown will do.
        """
        sums = [AddUp(*each, run_time).set_rate_func(linear) for each in self._sums(rows, total)]
        return self._change(sums, total, run_time)

    def add_up_in_turn(
        self,
        rows: Sequence[Sequence[Value] | Mapping[int, Value]],
        total: Sequence[Value],
        run_time: float = 2 * SLOW,
    ) -> Animation:
        """Let one number after another run through the sums of the rows above."""
        each = run_time / len(self.shown)
        tints = [
            Tint(tile, self.strength(total[i]), each)
            for tile, i in zip(self.tiles, self.shown, strict=True)
        ]
        sums = [AddUp(*parts, each) for parts in self._sums(rows, total)]
        return Together(map(Together, zip(sums, tints, strict=True)), lag_ratio=1.0)

    def _sums(
        self, rows: Sequence[Sequence[Value] | Mapping[int, Value]], total: Sequence[Value]
    ) -> list[tuple[Number, list[Value], Value]]:
        """Return each number shown, what is added up to it, and what that comes to."""
        return [
            (number, [row[i] for row in rows], total[i])
            for number, i in zip(self.numbers, self.shown, strict=True)
        ]

    def _change(
        self, counts: Sequence[Animation], values: Sequence[Value], run_time: float
    ) -> Animation:
        tints = [
            Tint(tile, self.strength(values[i]), run_time)
            for tile, i in zip(self.tiles, self.shown, strict=True)
        ]
        return Together([*counts, *tints])

    def _tile(self, place: int, form: RowForm, role: Role) -> Rectangle:
        tile = Rectangle(
            width=TILE_WIDTH * form.pitch,
            height=TILE_HEIGHT * form.height,
            stroke_width=0,
            fill_color=theme.color(role),
        )
        return tile.move_to((place * form.pitch, self.vector.brackets.get_y(), 0))
