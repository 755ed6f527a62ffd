"""What the heads of a layer propose for one token, and their sum, as columns of numbers.

It knows arrays, and no model.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, Mobject, Rectangle, Square, VGroup, VMobject
from manim.constants import DOWN, UP

from scenes import theme
from scenes.animations import Settle, Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.number_column import BRACKETS, LINE, NumberColumn
from scenes.first_mobjects.workings import AddUp
from scenes.mobjects.text import Formula, Number, Words, em_of, widest
from scenes.presence import hide
from scenes.provenance import Tensor, count, length
from scenes.region import Region
from scenes.theme import (
    BODY_SIZE,
    GAP,
    HAIR,
    LABEL_SIZE,
    NUMBER_SIZE,
    OUTPUT,
    QUIET,
    SLOW,
    SMALL_SIZE,
    SMALLEST_SIZE,
    STRONGEST_FILL,
)

CARD = 0.65  # side of a pattern over its head's vector, in scene units
HEADING = CARD + 0.4  # the pattern and the head's number, in scene units
NOTE_HEIGHT = 0.35  # scene units under the bars
BAR_SHARE = 0.16  # of the region's height, for the longest vector's bar
MOST_ENTRIES = 9
SIGN = 0.35  # the room between two vectors, for a sign, in scene units
WIDEST = 1.75  # from one vector to the next, in scene units


class Proposals(VGroup):
    """The change (D,) that each head proposes, the bias b_O (D,) if any, and their sum.

    As many as there is room for in `region`; of more, the first ones, an ellipsis, the last head
    and the bias, or the last two heads. `shown` says which heads. All of it is unseen until it is
    revealed, in the order of the methods.
    """

    def __init__(
        self, heads: Sequence[Tensor], bias: Tensor | None, total: Tensor, region: Region
    ) -> None:
        self.vectors, self.total = [*heads, *([] if bias is None else [bias])], total
        entries = [value for vector in (*self.vectors, total) for value in vector.values]
        ems = widest(entries, 2)
        narrowest = ems * em_of(SMALLEST_SIZE) + BRACKETS + SIGN
        drawn, places = _fitted(len(self.vectors), int(region.width / narrowest))
        self.shown = [i for i in drawn if i < len(heads)]
        self.pitch = min(WIDEST, region.width / (places[-1] + 2))
        room = (self.pitch - BRACKETS - SIGN) / ems / em_of(1)
        size = max(SMALLEST_SIZE, min(NUMBER_SIZE, room))
        self.bar_height = BAR_SHARE * region.height
        most = self._lines(region, LINE * em_of(size))
        vectors = [*(self.vectors[i] for i in drawn), total]
        self.columns = [NumberColumn(vector, size, most, OUTPUT) for vector in vectors]
        for column, place in zip(self.columns, [*places, places[-1] + 1], strict=True):
            column.set_x(place * self.pitch)
        self.signs = self._signs(places).set_y(self.columns[0].get_y())
        self.bars = [self._bar(*each) for each in zip(vectors, self.columns, strict=True)]
        self.card_places = [
            Square(CARD).next_to(column, UP, buff=HAIR)
            for column in self.columns[: len(self.shown)]
        ]
        self.titles = self._titles()
        self.note = SmallPrint("bars are lengths; where directions differ, lengths do not add up")
        self.note.next_to(VGroup(*self.bars), DOWN, buff=GAP)
        super().__init__(*self.columns, self.signs, *self.bars, *self.titles, self.note)
        whole = VGroup(self, *self.card_places).move_to(region.center)
        region.fit_width(self.note)
        self.note.set_x(whole.get_x())
        hide(self)

    def receive(self, cards: Sequence[Mobject]) -> Animation:
        """Let the patterns of all heads that are shown come to stand over their vectors' places."""
        kept = zip((cards[i] for i in self.shown), self.card_places, strict=True)
        titles = [Appear(title) for title in self.titles[: len(self.shown)]]
        return Together([*(Settle(*each) for each in kept), *titles])

    def propose(self, cards: Sequence[Mobject]) -> Animation:
        """Let each vector come out of its head's pattern, and the bias come in."""
        flights = [
            Fly(column, cards[i]) for column, i in zip(self.columns, self.shown, strict=False)
        ]
        rest = slice(len(self.shown), -1)  # the bias, if there is one
        bias = [Appear(part) for part in (*self.columns[rest], *self.titles[rest])]
        return one_after_another([*flights, *([Together(bias)] if bias else [])])

    def measure(self) -> Animation:
        """Let a bar for the length of each vector grow under it."""
        return one_after_another(map(Appear, (*self.bars[:-1], self.note)))

    def add_up(self, run_time: float = 2 * SLOW) -> Animation:
        """Let the entries drawn of the sum run through all vectors, drawn or not."""
        column = self.columns[-1]
        runs = []
        for number, entry in zip(column.numbers, column.shown, strict=True):
            parts = [vector[entry].value for vector in self.vectors]
            runs.append(AddUp(number, parts, self.total[entry].value, run_time))
        seen = [Fade(number, 1.0) for number in column.numbers]
        rest = [part for part in column if part not in column.numbers]
        arrivals = map(Appear, (*rest, self.signs, self.bars[-1], self.titles[-1]))
        return Together([*arrivals, *seen, *runs])

    def _lines(self, region: Region, line: float) -> int:
        """Return how many lines a column may have."""
        taken = HEADING + self.bar_height + GAP + em_of(SMALL_SIZE) + NOTE_HEIGHT + HAIR
        return max(3, min(MOST_ENTRIES, int((region.height - taken) / line)))

    def _titles(self) -> list[VMobject]:
        """Return the number over each head's pattern, and the names over the bias and the sum.

        Between a pattern and its vector there is nothing that the vector would cross.
        """
        titles: list[VMobject] = [
            Words("head {}", count(i, "a head"), size=SMALL_SIZE) for i in self.shown
        ]
        if len(self.columns) > len(titles) + 1:
            titles.append(Formula("$b_O$", LABEL_SIZE))
        titles.append(Formula(f"${OUTPUT.value}(Delta E)$", LABEL_SIZE))
        named = [*self.card_places, *self.columns[len(self.card_places) :]]
        for title, each in zip(titles, named, strict=True):
            title.next_to(each, UP, buff=HAIR)
        return titles

    def _signs(self, places: Sequence[int]) -> VGroup:
        """Return what stands between the vectors: plus signs, an ellipsis, the equals sign."""
        signs = VGroup()
        for place in range(places[-1]):
            x = (place + 0.5) * self.pitch
            signs.add(Words("+", size=BODY_SIZE, role=QUIET).move_to((x, 0, 0)))
            if place not in places:
                dots = Words("…", size=BODY_SIZE, role=QUIET)
                signs.add(dots.move_to((place * self.pitch, 0, 0)))
        x = (places[-1] + 0.5) * self.pitch
        return signs.add(Words("=", size=BODY_SIZE, role=QUIET).move_to((x, 0, 0)))

    def _bar(self, vector: Tensor, column: Mobject) -> VGroup:
        """Return the bar of a vector's length, hanging under its column, with its number."""
        longest = max(length(each).number for each in (*self.vectors, self.total)) or 1.0
        bar = Rectangle(
            width=0.4,
            height=max(self.bar_height * length(vector).number / longest, 0.01),
            stroke_width=0,
            fill_color=theme.color(OUTPUT),
            fill_opacity=STRONGEST_FILL,
        )
        foot = column.get_bottom() + DOWN * (GAP + self.bar_height)
        bar.next_to(foot, UP, buff=0)
        number = Number(length(vector), size=SMALL_SIZE)
        return VGroup(bar, number.next_to(foot, DOWN, buff=HAIR))


def _fitted(count: int, most: int) -> tuple[list[int], list[int]]:
    """Return which vectors are drawn and at which places; one place more is left for the sum."""
    if count + 1 <= most:
        return list(range(count)), list(range(count))
    first = max(most - 4, 1)  # an ellipsis, the last two and the sum
    shown = [*range(first), count - 2, count - 1]
    return shown, [*range(first), first + 1, first + 2]
