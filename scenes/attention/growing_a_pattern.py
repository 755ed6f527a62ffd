"""Growing a pattern: what one more word costs, and what need not be worked out twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim import Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP, UR

from scenes import verbs
from scenes.camera import WHOLE, View
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import Bars, Remeasure
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Words, called
from scenes.mobjects.vector import Cell
from scenes.provenance import Array, Tensor, Value, count
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    KEY,
    PLAIN_SIZE,
    QUICK,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
    Role,
)
from scenes.verbs import (
    Appear,
    Dim,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    Undim,
    Verb,
)

WRITTEN = 4  # words that the model adds
KEPT = 16  # entries of a key or value that are drawn, at most
WIDE, HIGH = 1.4, 0.8  # of all of them: scene units, and their share of a row of the pattern
FILLING = 4.0  # seconds, until all is counted that is kept
GRID_SHARE = 0.56  # of the stage's width, or of its height where it is narrow


class GrowingAPattern(Film):
    """One more word is one more row: keys and values that are kept need no second working out."""

    title = "Growing a pattern"
    prompt = "a fluffy blue creature"
    seconds = 63
    poster_beat = "what-it-costs"
    most_tokens = 12
    most_tokens_narrow = 8

    def derived(self) -> Mapping[str, Array]:
        """Let the model write, and return what it computes of the whole text."""
        self.ids = self.continued(WRITTEN)
        sites = self.sites_of(self.ids)
        return {f"grown.{name}": sites[name] for name in ("pattern", "k", "v")}

    def observe(self) -> None:
        """Find the text that the model wrote, and the head's pattern of it."""
        head = self.layer, self.head
        pieces = self.vocabulary(self.ids)
        self.text = [*self.tokens, *(pieces[token] for token in self.ids[len(self.tokens) :])]
        self.pattern = self.tensor("grown.pattern")[head]
        self.k, self.v = self.tensor("grown.k")[head], self.tensor("grown.v")[head]
        self.first = len(self.tokens)
        self.sizes = range(self.first + 1, len(self.text) + 1)

    def words(self) -> Mapping[str, str]:
        """Say what the model writes first, what the simple way works out, and what is left."""
        return {
            "new": called(self.text[self.first]),
            "naive": f"{sum(map(_causal_weights, self.sizes)):,}",
            "kept": f"{sum(self.sizes):,}",
        }

    def cast(self) -> None:
        """Make the whole pattern, the keys and values beside it, and the two counts."""
        first, second = self.stage.split(GRID_SHARE)
        board = self.board = AttentionGrid(self.text, first)
        self.weights, self.hatching = board.weights(self.pattern), board.hatching()
        room = WIDE / min(KEPT, self.k.shape[1]), min(WIDE / 4, HIGH * board.side)
        keys, values = _Cache(self.k, room, KEY, "keys"), _Cache(self.v, room, VALUE, "values")
        self.caches = [keys, values]
        if self.stage.is_narrow:
            top, low = second.apart(first, GAP).rows(2)
            top.fit(VGroup(keys, values).arrange(RIGHT, aligned_edge=DOWN, buff=3 * GAP))
            low = low.lowered(GAP)
        else:
            keys.stand_beside(board, board)
            values.stand_beside(board, keys)
            bottom = float(board.get_bottom()[1])
            low = replace(self.stage, left=float(values.get_right()[0]) + 2 * GAP, bottom=bottom)
        row, last = board.row(self.first)[: self.first + 1], len(self.text) - 1
        self.ring, self.last = Ring(VGroup(*row)), Ring(board.row(last))
        self.old, self.room = Ring(self._square(self.first)), [Ring(c.row(0)) for c in self.caches]
        self.worked_out, self.held = (
            Words(text, size=SPOKEN_SIZE) for text in ("weights worked out", "numbers kept")
        )
        for words in (self.worked_out, self.held):
            low.fit_width(words)
            words.move_to((low.center[0], low.top, 0), UP)
        nothing, kept = count(0, "numbers kept by the simple way"), self._numbers(last + 1)
        self.cost, self.space = (
            Bars(
                values,
                low.below(self.worked_out, GAP),
                [Words(text, size=PLAIN_SIZE) for text in ("all rows", "one row")],
                across=self.stage.is_narrow,
                decimals=0,
                span=(0.0, most.number),
                role=INK,
            )
            for values, most in (
                ([self._naive(1), self._kept(1)], self._naive(WRITTEN)),
                ([nothing, self._numbers(1)], kept),
            )
        )
        self.away = (0.0 if self.stage.is_narrow else self._unused()) * RIGHT
        for cache in self.caches:
            cache.shift(-self.away)
        self.view = self._onto(self.first, self.under_title)
        self.stand(board, self.hatching, self.weights, *self.caches, self.cost, self.worked_out)
        self.stand(self.space, self.held, self.old, self.ring, self.last, *self.room)

    @beat(
        "Must a model work through the whole text again, | for each new word that it writes? | "
        "Here, it goes on with {new}."
    )
    def the_next_word(self) -> Shown:
        old, board = range(self.first), self.board
        closed = [(row, key) for row in old for key in range(row + 1, self.first)]
        built = Together(
            Flow((Appear(board.queries[i], board.keys[i]) for i in old), QUICK),
            Flow((Appear(board.row(i)[: self.first]) for i in old), QUICK),
            Flow((self._weights_come(i) for i in old), QUICK),
            Flow((Appear(self.hatching.cell(*place)) for place in closed), QUICK),
        )
        yield Then(built, self._work_out(self.first))
        yield self.travel_to(self._onto(self.first + 1, self.stage), STEADY)
        last, new = board.queries[self.first - 1 : self.first + 1]
        yield Then(Pulse(self.weights.row(self.first - 1)), verbs.ComeFrom(new, last))

    @beat(
        "The new word asks: its query adds a row. | It answers, too: its key adds a column, "
        "| closed to all the words before it."
    )
    def a_row_and_a_column(self) -> Shown:
        new, board = self.first, self.board
        row = Flow(Appear(face) for face in board.row(new)[: new + 1])
        yield Then(row, self._weights_come(new))
        column = Flow(Appear(face) for face in board.column(new)[:new])
        yield Appear(board.keys[new]), column
        yield Flow(Appear(self.hatching.cell(row, new), run_time=STEADY) for row in range(new))

    @beat(
        "The simple way works everything out anew: | every old row, and the new one. "
        "| And what has changed up here? | Nothing: the old words can't see the new one."
    )
    def all_of_it_again(self) -> Shown:
        rows, cell = range(self.first + 1), self.weights.cell
        yield Flow((Dim(self.weights.row(row), run_time=STEADY) for row in rows), SLOW)
        yield self._work_out(self.first + 1)
        yield Draw(self.old), Dim(self.weights.row(self.first), run_time=STEADY)
        old = [cell(row, key) for row in range(self.first) for key in range(row + 1)]
        yield Flow(map(Pulse, old), SLOW)

    @beat(
        "So keep what was made once: every word's key, | and every word's value. "
        "| Then a new word needs only its own row."
    )
    def keep_keys_and_values(self) -> Shown:
        new, (keys, values) = self.first, self.caches
        beside = self._onto(new + 1, self.stage, until=values)
        seen = WHOLE if self.stage.is_narrow else beside
        travel = self.travel_to(seen, STEADY)
        yield Disappear(self.old), Then(travel, self._cache_comes(keys))
        yield self._cache_comes(values)
        yield Together(
            Appear(*(cache.row(new) for cache in self.caches)),
            Undim(self.weights.row(new)),
            Dim(*(self.weights.row(row) for row in range(new))),
            Draw(self.ring),
        )

    @beat(
        "Now let it write. | The simple way fills the whole pattern each time; with what is kept, "
        "one row is enough: | {naive} weights on the one side, | {kept} on the other."
    )
    def count_the_work(self) -> Shown:
        make_room = Together(self.pull_back(STEADY), verbs.Shift(*self.caches, by=self.away))
        yield Disappear(self.ring), Then(make_room, Appear(self.cost, self.worked_out))
        yield Then(self._grow(place) for place in range(self.first + 1, len(self.text)))
        for number, name in zip(self.cost.numbers, self.cost.names, strict=True):
            yield Pulse(number, name, run_time=STEADY)

    @beat(
        "The price is room: a key and a value for every word. | But nothing is worked out again: "
        "| one more word costs one row."
    )
    def what_it_costs(self) -> Shown:
        old, space = range(len(self.text) - 1), self.space
        grow = [self._fill(*each) for each in zip(self.room, self.caches, strict=True)]
        steps = (
            Remeasure(space, [space.values[0], self._numbers(word + 1)], run_time=self._each())
            for word in range(len(self.text))
        )
        other = Disappear(self.cost, self.worked_out), Then(Hold(), Appear(space, self.held))
        yield *other, Then(Hold(), Together(*grow, Flow([Then(steps)])))
        other = Disappear(space, self.held), Then(Hold(), Appear(self.cost, self.worked_out))
        yield *other, Flow((Pulse(self.weights.row(i), scale=1.04) for i in old), SLOW)
        yield Draw(self.last), Pulse(self.cost.numbers[1], self.cost.names[1], run_time=STEADY)

    # What only this film shows

    def _onto(self, tokens: int, stage: Region, until: Mobject | None = None) -> View:
        """Return the view in which the first tokens, their names and pattern fill a stage.

        With `until`, what stands to the right of the pattern is seen as well, as far as that.
        """
        board, low = self.board, self.board.cell(tokens - 1, tokens - 1)
        seen = [low, *board.keys[:tokens], *([until] if until else [])]
        right, top = (max(each.get_corner(UR)[axis] for each in seen) for axis in (0, 1))
        box = Region(
            left=float(min(each.get_left()[0] for each in board.queries[:tokens])),
            right=float(right),
            bottom=float(low.get_bottom()[1]),
            top=float(top),
        )
        return WHOLE.onto(box, stage, 0.98)

    def _unused(self) -> float:
        """Return how far the whole pattern reaches beyond that of the text with one new word."""
        board, new = self.board, self.first
        seen = [board.cell(new, new), *board.keys[: new + 1]]
        return float(board.get_right()[0] - max(each.get_right()[0] for each in seen))

    def _fill(self, ring: Ring, cache: _Cache) -> Verb:
        """Let a ring grow around what is kept, by one word after another."""
        rows = cache.rows
        places = [VGroup(*rows[: word + 1]) for word in range(len(rows))]
        return verbs.Visit(ring, places, run_time=self._each() * len(places))

    def _each(self) -> float:
        """Return how long each word is counted whose key and value are kept, in seconds."""
        return min(QUICK, FILLING / len(self.text))

    def _weights_come(self, row: int) -> Verb:
        return Appear(*self.weights.past(row))

    def _work_out(self, rows: int) -> Verb:
        """Let rows be worked out, one after another: each is seen to come anew."""
        return Flow(
            (Then(Dim(row, run_time=QUICK / 2), Undim(row)) for row in self.weights.rows[:rows]),
            SLOW,
        )

    def _cache_comes(self, cache: _Cache) -> Verb:
        """Let what is kept of the words before the new one come, word by word."""
        rows, words = range(self.first), self.board.queries
        come = Flow(Together(Pulse(words[row]), Appear(cache.row(row))) for row in rows)
        return Together(Appear(cache.heading), come)

    def _grow(self, place: int) -> Verb:
        """Let the word at a place come, with its row, its column and what is kept of it."""
        words = place + 1 - self.first
        return Together(
            Appear(self.board.queries[place], self.board.keys[place]),
            Appear(self.board.row(place)[: place + 1], self.board.column(place)[:place]),
            Appear(*(self.hatching.cell(row, place) for row in range(place))),
            Dim(self.weights.row(place - 1)),
            self._weights_come(place),
            Appear(*(cache.row(place) for cache in self.caches)),
            Remeasure(self.cost, [self._naive(words), self._kept(words)]),
        )

    def _square(self, size: int) -> Mobject:
        return VGroup(*(self.board.cell(row, key) for row in range(size) for key in range(size)))

    def _naive(self, words: int) -> Value:
        return count(
            sum(map(_causal_weights, self.sizes[:words])), "weights of all rows, each time"
        )

    def _numbers(self, words: int) -> Value:
        return count(2 * words * self.k.shape[1], "numbers of the keys and values of some words")

    def _kept(self, words: int) -> Value:
        return count(sum(self.sizes[:words]), "weights of the new rows")


def _causal_weights(tokens: int) -> int:
    """Return how many weights a pattern of so many tokens has, none of the future among them."""
    return tokens * (tokens + 1) // 2


class _Cache(VGroup):
    """What is kept of every word: a strip of cells each, under the name of what it is.

    Of `vectors` (tokens, K) the first entries are drawn, each in a `room` of (width, height): how
    strong they are, and not their signs. `cache.row(i)` is token i's strip.
    """

    def __init__(self, vectors: Tensor, room: tuple[float, float], role: Role, name: str) -> None:
        drawn = vectors.array[:, :KEPT]
        largest = float(np.abs(drawn).max())
        self.rows = [
            VGroup(*(Cell(float(x), largest, room, role, hollow=False) for x in row))
            for row in drawn
        ]
        for row in self.rows:
            row.arrange(RIGHT, buff=0)
        VGroup(*self.rows).arrange(DOWN, buff=HAIR / 2)
        self.heading = Words("{}", name, size=SPOKEN_SIZE, role=role)
        self._set_heading()
        super().__init__(self.heading, *self.rows)

    def row(self, token: int) -> VGroup:
        """Return the strip of a token."""
        return self.rows[token]

    def stand_beside(self, board: AttentionGrid, before: Mobject) -> None:
        """Set every token's strip level with its row of a grid, to the right of something."""
        left = before.get_right()[0] + 2 * GAP
        for token, row in enumerate(self.rows):
            row.move_to((left, board.cell(token, 0).get_y(), 0), LEFT)
        self._set_heading()

    def _set_heading(self) -> None:
        """Set the name over the first strip, on one line with others of its kind."""
        self.heading.next_to(self.rows[0], UP, buff=GAP)
        self.heading.shift((self.heading.get_bottom()[1] - self.heading.baseline) * UP)
