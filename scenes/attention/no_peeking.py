"""Film F19: what comes later is hidden before softmax."""

from __future__ import annotations

from collections.abc import Mapping

from manim import Animation, VGroup
from manim.constants import DOWN

from scenes.animations import GrowFrom, ShrinkInto
from scenes.arrivals import Appear, Leave, bring_forward, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.close_up import NamedGrid
from scenes.first_mobjects.future import Future
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.notes import Counter
from scenes.first_mobjects.plate import Plate
from scenes.first_mobjects.prefix_ladder import PrefixLadder
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.row_sums import RowSums, room_for_sums
from scenes.hidden_future import HiddenFuture
from scenes.mobjects.text import Words
from scenes.provenance import Tensor, total
from scenes.theme import CORNER, GAP, HAIR

REMARK_HEIGHT = 0.55  # scene units, kept free under the grid, as in the films before
CLOSE = 3  # how many tokens the close-up has, at most


class NoPeeking(Film):
    """Future cells become minus infinity so that training stays honest.

    It begins with the weights of all pairs and ends with the model's own attention pattern.
    """

    title = "No peeking"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 68
    poster_beat = "minus-infinity"

    def observe(self) -> None:
        """Work out both ways of hiding the future, and find who looks ahead most."""
        where = self.layer, self.head
        self.ways = HiddenFuture(
            self.tensor("scores")[where],
            self.tensor("masked")[where],
            self.tensor("pattern")[where],
            [self.name_of(token) for token in range(len(self.tokens))],
        )
        if not all(left.number for left in self.ways.left):
            self.refuse(
                "In this head a token's weight is on later tokens alone, to the last digit that a "
                "computer has, and nothing is left to share out: choose another head."
            )
        self.asker = self.ways.looking_ahead(self.followed())
        probs, ids = self.tensor("probs"), self.trace.ids
        self.chances = [probs[pos, after].value for pos, after in enumerate(ids[1:])]

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its pattern shows."""
        return {
            "answer_is_there": self.ways.say_answer_is_there(self.asker),
            "exams": self.ways.say_exams(),
            "zeroed": self.ways.say_zeroed(self.asker),
            "masked": self.ways.say_masked(),
            "zeros": self.ways.say_zeros(),
            "close_up": self.ways.say_close_up(),
            "other_side": self.ways.say_other_side(),
        }

    def cast(self) -> None:
        """Make the grid of weights as the film before leaves it, and what stands on the plate."""
        region, self.room = self.content.raised(REMARK_HEIGHT), room_for_sums(self.content)
        self.board = LabelledGrid.beside(self.ways.scores, self.tokens, region, self.room)
        self.grid = self.board.grid.hold(self.ways.weights)
        self.grid.standing(self.grid.weight)
        self.future, self.row = Future(self.grid), self.grid.row(self.asker)
        self.sums = self._sums_of(self.ways.weights)
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
        self.grid.hold(self.ways.zeroed)
        self.play(self.grid.fill(self.grid.weight, self.future))
        self.play(self.sums.count_to(self.ways.left))
        self.play(*map(Appear, self.short))

    @beat("We could divide each row by what is left. Or mask the scores, before softmax.")
    def share_out_again(self) -> None:
        self.play(*map(Leave, self.short), *self._share_out(self.sums))

    @beat("{masked}")
    def minus_infinity(self) -> None:
        self.play(Leave(self.sums), self.grid.hold(self.ways.scores).become_numbers())
        self.grid.hold(self.ways.masked)
        self.play(self.future.become_hidden())

    @beat("{zeros}")
    def softmax_makes_zeros(self) -> None:
        self.play(self.grid.hold(self.ways.pattern).become_weights())
        self.play(self.last_sums.reveal())

    @beat("Both ways lead to the same pattern. The second one is what the model does.")
    def both_ways_agree(self) -> None:
        self.grid.hold(self.ways.zeroed)
        self.play(self.grid.resize_weights(), self.last_sums.count_to(self.ways.left))
        self.play(*self._share_out(self.last_sums))
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

    def _sums_of(self, weights: Tensor) -> RowSums:
        return RowSums(self.grid, [total(row) for row in weights], self.room)

    def _share_out(self, sums: RowSums) -> tuple[Animation, Animation]:
        """Let what is left in each row be shared out, and its sum run back to one."""
        shares = self.ways.shared_out
        resizing = self.grid.hold(shares).resize_weights()
        return resizing, sums.count_to([total(row) for row in shares])

    def _cast_close_up(self) -> None:
        first = min(CLOSE, len(self.tokens))
        pieces, region = self.tokens[:first], self.content.inset(GAP)
        block = [cell.face for row in self.grid.cells[:first] for cell in row[:first]]
        self.corner = VGroup(*block)
        self.named = [
            NamedGrid(_first(values, first), pieces, letter, name, place).with_symbols(decimals)
            for values, letter, name, decimals, place in zip(
                (self.ways.masked, self.ways.pattern),
                "EA",
                ("the scores", "the weights"),
                (None, 2),
                region.halves(),
                strict=True,
            )
        ]

    def _cast_remarks(self) -> None:
        self.last_sums = self._sums_of(self.ways.pattern)
        self.counter = Counter("both ways", self.ways.gap)
        short = self.ways.short(self.asker)
        self.short = [] if short is None else [Ring(self.sums.numbers[short], HAIR / 2)]
        self.rings, self.ahead = list[Ring](), list[Words]()
        later = self.future.row(self.asker)
        if later:
            chip, cells = self.token_row[self.asker + 1], VGroup(*(cell.face for cell in later))
            self.rings = [Ring(each, corner=CORNER) for each in (chip, cells)]
            whole = total(self.ways.weights[self.asker])
            ahead = whole - self.ways.left[self.asker]
            text = "{} gives {:.2f} of its attention to what comes after it"
            self.ahead = [Words(text, self.name_of(self.asker), ahead)]
        for remark in (self.counter, *self.ahead):
            self.content.fit_width(remark)
            remark.next_to(self.board, DOWN, buff=GAP).set_x(self.content.center[0])


def _first(square: Tensor, tokens: int) -> Tensor:
    """Return the block of the first tokens; its entries keep their addresses."""
    return Tensor(square.array[:tokens, :tokens], square.origin)
