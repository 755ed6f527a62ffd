"""Two ways to hide the future from a head's weights, and what is said of them.

One sets the weights of later keys to zero, after softmax, and shares out what is left. The other
sets their scores to minus infinity, before it. It knows no model and no pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scenes.analysis.softmax import past, shares, softmax
from scenes.provenance import Tensor, Value, largest_gap, total

FAITHFUL = 0.9  # who keeps more of its weight hardly looks ahead
KEPT = 0.995  # of a row's weight; more than this is written as 1.00


@dataclass(frozen=True)
class HiddenFuture:
    """Scores, masked scores and pattern (T, T) of a head, and how its tokens are called."""

    scores: Tensor
    masked: Tensor
    pattern: Tensor
    names: Sequence[str]

    @cached_property
    def weights(self) -> Tensor:
        """What softmax makes of the scores while every key is seen."""
        return softmax(self.scores)

    @cached_property
    def zeroed(self) -> Tensor:
        """The weights, those of later keys set to zero."""
        return past(self.weights)

    @cached_property
    def shared_out(self) -> Tensor:
        """The same, each row divided by what is left of it."""
        return shares(self.zeroed)

    @cached_property
    def left(self) -> list[Value]:
        """What is left of each row once its later keys are set to zero."""
        return [total(row) for row in self.zeroed]

    @property
    def gap(self) -> Value:
        """The largest difference between the two ways."""
        return largest_gap(self.shared_out, self.pattern)

    @property
    def poorest(self) -> int:
        """The query of which least is left."""
        return int(self.zeroed.array.sum(axis=-1).argmin())

    def looking_ahead(self, found: int) -> int:
        """Return a query that looks ahead: the one found if it does, or else the poorest."""
        return found if self.left[found].number < FAITHFUL else self.poorest

    def short(self, asker: int) -> int | None:
        """Return a query of which one sees that less than one is left, if there is any."""
        row = asker if self.left[asker].number < KEPT else self.poorest
        return row if self.left[row].number < KEPT else None

    def say_answer_is_there(self, asker: int) -> str:
        """Say what a query could peek at."""
        if len(self.names) == 1:
            return (
                "The model learns to guess what comes next. "
                "With a single token there is nothing later to peek at."
            )
        return (
            f"What follows {self.names[asker]}? The model must guess. "
            f"But the answer, {self.names[asker + 1]}, is there already, among the keys."
        )

    def say_exams(self) -> str:
        """Say how many guesses are made at once, and to how many the answer is known."""
        tokens = len(self.names)
        if tokens == 1:
            return (
                "In training every prefix is an exam. Here there is one, and no answer to it yet."
            )
        answers = "the answer to one" if tokens == 2 else f"the answers to {tokens - 1}"
        return (
            f"In training every prefix is an exam. This text sets {tokens} at once, "
            f"and holds {answers}. So nobody may look ahead."
        )

    def say_zeroed(self, asker: int) -> str:
        """Say what the first way costs."""
        start = "First idea: after softmax, set every weight on a later word to zero."
        if len(self.names) == 1:
            return f"{start} Here there is none, and the row still adds up to one."
        short = self.short(asker)
        if short is None:
            return f"{start} Here hardly any weight was there, so the rows lose little."
        left = self.left[short].number
        return f"{start} Then rows fall short of one: {self.names[short]} keeps {left:.2f}."

    def say_masked(self) -> str:
        """Say where minus infinity is written."""
        if len(self.names) == 1:
            return (
                "Go back to the scores. Where a key comes after the query, the model writes "
                "minus infinity: with one token, nowhere."
            )
        return (
            "Go back to the scores. Wherever the key comes after the query, write minus infinity."
        )

    def say_zeros(self) -> str:
        """Say what softmax makes of minus infinity."""
        if len(self.names) == 1:
            return "Softmax makes a weight of the score: with one token it is one."
        return (
            "e to the minus infinity is zero. So softmax gives these cells exactly nothing, "
            "and every row adds up to one."
        )

    def say_close_up(self) -> str:
        """Say what the first tokens see."""
        if len(self.names) == 1:
            return "Close up: one token has one score, E, and one weight, A."
        first, all_of_them = ("two", "both") if len(self.names) == 2 else ("three", "all three")
        return (
            f"Close up, the first {first} tokens: row {first} sees {all_of_them}, row one "
            "only itself. No later word can change these weights."
        )

    def say_other_side(self) -> str:
        """Say where the hidden cells lie if queries stand on the columns."""
        start = "Some authors put queries on the columns."
        if len(self.names) == 1:
            return f"{start} With one token that looks the same."
        return f"{start} Then the hidden cells lie below the diagonal: the same mask."
