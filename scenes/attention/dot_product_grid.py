"""Film F17: every query meets every key."""

from __future__ import annotations

from collections.abc import Mapping

from manim import VGroup
from manim.constants import DOWN

from scenes import architecture
from scenes.analysis.selection import contrasting_keys, strongest_key
from scenes.animations import GrowFrom, ShrinkInto
from scenes.arrivals import Appear, Fly, Leave, bring_forward, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.meeting import Meeting, Met
from scenes.first_mobjects.notes import Counter, SmallPrint
from scenes.first_mobjects.plate import Plate
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.workings import DotProductWorkings
from scenes.mobjects.text import Words
from scenes.narration import counted
from scenes.provenance import largest_difference
from scenes.theme import (
    GAP,
)

REMARK_HEIGHT = 0.55  # scene units, kept free under the grid for one line


class DotProductGrid(Film):
    """Every query meets every key, and each pair leaves one number.

    The numbers are raw dot products: nothing is scaled, masked or made into weights yet.
    """

    title = "The dot-product grid"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 73
    poster_beat = "read-one-row"

    def observe(self) -> None:
        """Find the query to follow, the key that answers it best, and the most telling keys."""
        where = self.layer, self.head
        self.q, self.k = self.tensor("q")[where], self.tensor("k")[where]
        self.dots = self.tensor("dot_products")[where]
        self.asker = self.followed()
        self.answer = strongest_key(self.dots[self.asker].array, self.asker)
        self.telling = contrasting_keys(self.dots[self.asker].array)

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its arrows and its row show."""
        asker, answer = self.name_of(self.asker), self.name_of(self.answer)
        return {
            "asker": asker,
            "answering_key": "its own key" if asker is answer else f"the key of {answer}",
            "found": self.name_to(self.asker, self.answer),
            "turning": self._say_turning(),
            "tokens": str(len(self.tokens)),
            "products": counted(len(self.tokens) ** 2, "dot product"),
            "numbers": counted(len(self.tokens) ** 2, "number"),
        }

    def cast(self) -> None:
        """Make the two arrows, the grid with its sides, and the workings of one cell."""
        self._cast_meeting()
        self.board = LabelledGrid(self.dots, self.tokens, self.content.raised(REMARK_HEIGHT))
        self.cell = self.board.grid.cell(self.asker, self.answer)
        later = slice(self.asker + 1, None)
        cells, keys = self.board.grid.cells[self.asker][later], self.board.keys[later]
        self.rest_of_the_board = [*self.board.but_row(self.asker), *cells, *keys]
        self._cast_workings()
        self._cast_remark()

    @beat(
        "A query and a key are two arrows. Their dot product is the length of the one "
        "times the shadow that the other casts on it."
    )
    def two_arrows_meet(self) -> None:
        self.add(self.meeting)
        self.play(self.meeting.reveal())
        self.play(self.meeting.cast_shadow())
        self.play(self.meeting.reveal_factors())
        self.play(self.meeting.reveal_result())

    @beat("{turning}")
    def the_key_turns_away(self) -> None:
        for place in range(1, len(self.telling)):
            self.play(self.meeting.turn_to(place))
            self.play(self.meeting.reveal_name(place))
            self.rest()

    @beat("Every token brings a query, set on the rows, and a key, set on the columns.")
    def queries_meet_keys(self) -> None:
        self.play(Leave(self.meeting), self.board.bring_queries(self.token_row))
        self.play(self.board.bring_keys(self.token_row))

    @beat("Each pair meets in one cell: {tokens} times {tokens} makes {products}.")
    def a_cell_for_each_pair(self) -> None:
        self.play(self.board.grid.reveal_frame())
        self.play(self.board.reveal_symbols())

    @beat(
        "Look into one cell: the query of {asker}, {answering_key}. "
        "Multiply them entry by entry, and add up the products."
    )
    def look_into_one_cell(self) -> None:
        self.play(Appear(self.ring))
        self.play(GrowFrom(self.plate, self.cell.face), Leave(self.ring))
        self.add(self.workings)
        self.play(self.workings.reveal_vectors())
        self.play(self.workings.reveal_products())
        self.play(self.workings.reveal_sum())
        self.play(self.workings.add_up())
        self.play(Appear(self.counter))

    @beat("The same sum in every cell gives {numbers}: blue above zero, orange below.")
    def numbers_fill_the_grid(self) -> None:
        number = self.board.grid.plain(self.asker, self.answer).move_to(self.cell.face)
        self.play(self.workings.leave_total(), Leave(self.counter))
        self.cell.hold()
        total = self.workings.total
        self.play(ShrinkInto(self.plate, self.cell.face), Fly(number, total), Leave(total))
        self.remove(number, self.workings)
        self.cell.hold(number)
        self.play(self.board.grid.become_numbers())

    @beat("Make each number a dot. Its area is the size of the number; a ring is negative.")
    def numbers_become_dots(self) -> None:
        self.play(self.board.grid.become_dots())

    @beat(
        "Read one row. Up to its own place, {asker} finds its largest dot product at {found}: "
        "we say that {asker} attends to {found}."
    )
    def read_one_row(self) -> None:
        self.play(put_back(self.rest_of_the_board))
        self.play(Appear(self.ring), Appear(self.remark))

    @beat(
        "Some authors draw it the other way round, queries on the columns. "
        "The numbers are the same; our queries stay on the rows."
    )
    def the_other_convention(self) -> None:
        self.play(Leave(self.ring), Leave(self.remark), bring_forward(self.rest_of_the_board))
        self.play(self.board.transpose())
        self.rest()
        self.play(self.board.transpose_back())

    def _cast_meeting(self) -> None:
        dots = self.dots[self.asker]
        keys = [Met(self.name_of(i), self.k[i], dots[i].value) for i in self.telling]
        note, query = SmallPrint(architecture.of_the_pairs(self.traits)), self.q[self.asker]
        self.meeting = Meeting(self.name_of(self.asker), query, keys, note, self.content)

    def _cast_workings(self) -> None:
        asker, answer = self.asker + 1, self.answer + 1
        query, key = self.q[self.asker], self.k[self.answer]
        width = self.content.width - 4 * GAP
        self.workings = DotProductWorkings(query, key, (asker, answer), width)
        self.plate = Plate(self.content.width, self.content.height).move_to(self.content.center)
        model = self.dots[self.asker, self.answer].value
        difference = largest_difference([self.workings.sum], [model])
        self.counter = Counter("this sum and the model's", difference)
        self.counter.next_to(self.workings, DOWN, buff=GAP)
        whole = VGroup(self.workings, self.counter)
        whole.scale(min(1, (self.plate.height - 2 * GAP) / whole.height)).move_to(self.plate)

    def _cast_remark(self) -> None:
        found = self.dots[self.asker, self.answer].value
        self.ring = Ring(self.cell.face)
        asker, answer = self.name_of(self.asker), self.name_to(self.asker, self.answer)
        decimals = max(1, self.board.grid.decimals)
        text = f"{{}} attends to {{}}: the dot product is {{:.{decimals}f}}"
        self.remark = Words(text, asker, answer, found)
        self.content.fit_width(self.remark)
        self.remark.next_to(self.board, DOWN, buff=GAP).set_x(self.content.center[0])

    def _say_turning(self) -> str:
        if len(self.telling) == 1:
            return "With a single token there is a single key, and no other arrow to compare."
        first, last = (self.dots[self.asker, self.telling[i]].value.number for i in (0, -1))
        if last >= 0:
            end = "though here it stays positive: no key points away."
        elif first < 0:
            end = "negative from the start: here every key points away."
        else:
            end = "and below zero when the key points away."
        return f"Another key, another number. As the shadow moves back it falls, {end}"
