"""Film F19: what comes later is hidden before softmax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from manim import VGroup
from manim.constants import DOWN

from scenes.animations import Appear, GrowFrom, Leave, ShrinkInto, bring_forward, put_back
from scenes.chapter import Chapter, beat
from scenes.mobjects.close_up import NamedGrid
from scenes.mobjects.future import Future
from scenes.mobjects.labelled_grid import LabelledGrid
from scenes.mobjects.notes import Counter
from scenes.mobjects.plate import Plate
from scenes.mobjects.prefix_ladder import PrefixLadder
from scenes.mobjects.ring import Ring
from scenes.mobjects.row_sums import RowSums, room_for_sums
from scenes.mobjects.text import Words
from scenes.softmax import past, shares, softmax, total
from scenes.theme import CORNER, GAP
from scenes.values import Tensor, largest_gap

REMARK_HEIGHT = 0.55  # scene units, kept free under the grid, as in the films before
CLOSE = 3  # how many tokens the close-up has, at most
FAITHFUL = 0.9  # who keeps more of its weight hardly looks ahead
KEPT = 0.995  # of a row's weight; more than this is written as 1.00


class NoPeeking(Chapter):
    """Future cells become minus infinity so that training stays honest.

    It begins with the weights of all pairs and ends with the model's own attention pattern.
    """

    title = "No peeking"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 68
    poster_beat = "minus-infinity"

    def observe(self) -> None:
        """Find who looks ahead most, and work out both ways of hiding the future."""
        where = self.layer, self.head
        self.scores, self.masked = self.tensor("scores")[where], self.tensor("masked")[where]
        self.pattern = self.tensor("pattern")[where]
        self.weights = softmax(self.scores)
        self.zeroed = past(self.weights)
        self.left = [total(row) for row in self.zeroed]
        if not all(left.number for left in self.left):
            self.refuse(
                "In this head a token's weight is on later tokens alone, to the last digit that a "
                "computer has, and nothing is left to share out: choose another head."
            )
        self.shared_out = shares(self.zeroed)
        self.gap = largest_gap(self.shared_out, self.pattern)
        self.asker = self._asker()
        probs, ids = self.tensor("probs"), self.trace.ids
        self.chances = [probs[pos, after].value for pos, after in enumerate(ids[1:])]

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its pattern shows."""
        return {
            "answer_is_there": self._say_answer_is_there(),
            "exams": self._say_exams(),
            "zeroed": self._say_zeroed(),
            "masked": self._say_masked(),
            "zeros": self._say_zeros(),
            "close_up": self._say_close_up(),
            "other_side": self._say_other_side(),
        }

    def cast(self) -> None:
        """Make the grid of weights as the film before leaves it, and what stands on the plate."""
        region, self.room = self.content.raised(REMARK_HEIGHT), room_for_sums(self.content)
        self.board = LabelledGrid.beside(self.scores, self.tokens, region, self.room)
        self.grid = self.board.grid.hold(self.weights)
        self.grid.standing(self.grid.weight)
        self.future, self.row = Future(self.grid), self.grid.row(self.asker)
        self.sums = RowSums(self.grid, [total(row) for row in self.weights], self.room)
        self.add(self.board, self.sums)
        self.plate = Plate(self.content.width, self.content.height).move_to(self.content.center)
        inside = self.content.inset(GAP)
        self.ladder = PrefixLadder(self.tokens, self.chances, inside)
        self._cast_close_up()
        self._cast_remarks()

    @beat("{answer_is_there}")
    def the_answer_is_in_the_input(self) -> None:
        later = self.token_row[self.asker + 1 :]
        self.receded = [*self.board.but_row(self.asker), *self.sums]
        self.play(put_back([*self.receded, *later]))
        self.play(bring_forward(later[:1]), *map(Appear, self.rings))
        self.play(*map(Appear, self.ahead))

    @beat("{exams}")
    def every_prefix_is_an_exam(self) -> None:
        later = self.token_row[self.asker + 1 :]
        self.play(*map(Leave, (*self.rings, *self.ahead)), bring_forward(later))
        self.play(GrowFrom(self.plate, self.row))
        self.add(self.ladder)
        self.play(self.ladder.reveal_prefixes())
        self.play(self.ladder.reveal_answers())
        self.play(self.ladder.reveal_chances())

    @beat("{zeroed}")
    def set_the_future_to_zero(self) -> None:
        self.play(Leave(self.ladder))
        self.play(ShrinkInto(self.plate, self.row))
        self.play(bring_forward(self.receded))
        self.grid.hold(self.zeroed)
        self.play(self.grid.fill(self.grid.weight, self.future))
        self.play(self.sums.count_to(self.left))

    @beat("We could divide each row by what is left. Or mask the scores, before softmax.")
    def share_out_again(self) -> None:
        self.grid.hold(self.shared_out)
        self.play(
            self.grid.resize_weights(),
            self.sums.count_to([total(row) for row in self.shared_out]),
        )

    @beat("{masked}")
    def minus_infinity(self) -> None:
        self.play(Leave(self.sums), self.grid.hold(self.scores).become_numbers())
        self.grid.hold(self.masked)
        self.play(self.future.become_hidden())

    @beat("{zeros}")
    def softmax_makes_zeros(self) -> None:
        self.play(self.grid.hold(self.pattern).become_weights())
        self.play(self.last_sums.reveal())

    @beat("Both ways lead to the same pattern. The second one is what the model does.")
    def both_ways_agree(self) -> None:
        self.play(Appear(self.counter))

    @beat("{close_up}")
    def a_close_up(self) -> None:
        self.play(Leave(self.counter), Leave(self.last_sums))
        self.play(GrowFrom(self.plate, self.corner))
        for named in self.named:
            self.add(named)
            self.play(named.appear())
            self.rest()
            self.play(named.become_numbers())

    @beat("{other_side}")
    def the_mask_the_other_way(self) -> None:
        self.play(*map(Leave, self.named))
        self.play(ShrinkInto(self.plate, self.corner))
        self.play(self.board.transpose())
        self.rest()
        self.play(self.board.transpose_back())

    def _asker(self) -> int:
        """Return the query of the course if it looks ahead, or else the one that does so most."""
        found = self.followed()
        return found if self.left[found].number < FAITHFUL else self._poorest()

    def _cast_close_up(self) -> None:
        first = min(CLOSE, len(self.tokens))
        pieces, region = self.tokens[:first], self.content.inset(GAP)
        block = [cell.face for row in self.grid.cells[:first] for cell in row[:first]]
        self.corner = VGroup(*block)
        self.named = [
            NamedGrid(_first(values, first), pieces, letter, name, place).with_symbols(decimals)
            for values, letter, name, decimals, place in zip(
                (self.masked, self.pattern),
                "EA",
                ("the scores", "the weights"),
                (None, 2),
                region.halves(),
                strict=True,
            )
        ]

    def _cast_remarks(self) -> None:
        self.last_sums = RowSums(self.grid, [total(row) for row in self.pattern], self.room)
        self.counter = Counter("both ways", self.gap)
        self.rings, self.ahead = list[Ring](), list[Words]()
        later = self.future.row(self.asker)
        if later:
            chip, cells = self.token_row[self.asker + 1], VGroup(*(cell.face for cell in later))
            self.rings = [Ring(each, corner=CORNER) for each in (chip, cells)]
            whole = total(self.weights[self.asker])
            ahead = whole - self.left[self.asker]
            text = "{} gives {:.2f} of its attention to what comes after it"
            self.ahead = [Words(text, self.name_of(self.asker), ahead)]
        for remark in (self.counter, *self.ahead):
            self.content.fit_width(remark)
            remark.next_to(self.board, DOWN, buff=GAP).set_x(self.content.center[0])

    def _say_answer_is_there(self) -> str:
        if len(self.tokens) == 1:
            return (
                "The model learns to guess what comes next. "
                "With a single token there is nothing later to peek at."
            )
        asker, answer = self.name_of(self.asker), self.name_of(self.asker + 1)
        return (
            f"What follows {asker}? The model must guess. "
            f"But the answer, {answer}, is there already, among the keys."
        )

    def _say_exams(self) -> str:
        tokens = len(self.tokens)
        if tokens == 1:
            return (
                "In training every prefix is an exam. Here there is one, and no answer to it yet."
            )
        answers = "the answer to one" if tokens == 2 else f"the answers to {tokens - 1}"
        return (
            f"In training every prefix is an exam. This text sets {tokens} at once, "
            f"and holds {answers}. So nobody may look ahead."
        )

    def _say_zeroed(self) -> str:
        start = "First idea: after softmax, set every weight on a later word to zero."
        row = self.asker if self.left[self.asker].number < KEPT else self._poorest()
        left = self.left[row].number
        if len(self.tokens) == 1:
            return start + " Here there is none, and the row still adds up to one."
        if left >= KEPT:
            return start + " Here hardly any weight was there, so the rows lose little."
        name = self.name_of(row)
        return start + f" Then rows fall short of one: {name} keeps {left:.2f}."

    def _say_masked(self) -> str:
        if len(self.tokens) == 1:
            return (
                "Go back to the scores. Where a key comes after the query, the model writes "
                "minus infinity: with one token, nowhere."
            )
        return (
            "Go back to the scores. Wherever the key comes after the query, write minus infinity."
        )

    def _say_zeros(self) -> str:
        if len(self.tokens) == 1:
            return "Softmax makes a weight of the score: with one token it is one."
        return (
            "e to the minus infinity is zero. So softmax gives these cells exactly nothing, "
            "and every row adds up to one."
        )

    def _say_close_up(self) -> str:
        if len(self.tokens) == 1:
            return "Close up: one token has one score, E, and one weight, A."
        first, all_of_them = ("two", "both") if len(self.tokens) == 2 else ("three", "all three")
        return (
            f"Close up, the first {first} tokens: row {first} sees {all_of_them}, row one "
            "only itself. No later word can change these weights."
        )

    def _say_other_side(self) -> str:
        start = "Some authors put queries on the columns."
        if len(self.tokens) == 1:
            return start + " With one token that looks the same."
        return start + " Then the hidden cells lie below the diagonal: the same mask."

    def _poorest(self) -> int:
        """Return the query that keeps least once its future is set to zero."""
        return int(self.zeroed.array.sum(axis=-1).argmin())


def _first(square: Tensor, tokens: int) -> Tensor:
    """Return the block of the first tokens; its entries keep their addresses."""
    return replace(square, array=square.array[:tokens, :tokens])
