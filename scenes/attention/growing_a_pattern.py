"""Growing a pattern: what one more word costs, and what need not be worked out twice."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Mobject, VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes.camera import WHOLE, View
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import Bars, Remeasure
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Words
from scenes.mobjects.vector import Cell
from scenes.provenance import Array, Tensor, Value, count
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
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
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    Pulse,
    Then,
    Together,
    Undim,
    Verb,
    Visit,
)

WRITTEN = 4  # words that the model adds
KEPT = 6  # entries of a key or value that are drawn
ROOM = (0.3, 0.3)  # scene units, of one of them
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
        """Say what the simple way works out, and what is left of it."""
        return {
            "naive": f"{sum(map(_causal_weights, self.sizes)):,}",
            "kept": f"{sum(self.sizes):,}",
        }

    def cast(self) -> None:
        """Make the whole pattern, the keys and values beside it, and the two counts."""
        first, second = self.stage.split(GRID_SHARE)
        self.board = AttentionGrid(self.text, first)
        self.weights = self.board.weights(self.pattern)
        self.hatching = self.board.hatching()
        self.caches = [_Cache(self.k, KEY, "keys"), _Cache(self.v, VALUE, "values")]
        self.store = VGroup(*self.caches).arrange(RIGHT, buff=3 * GAP)
        top, low = second.apart(first, GAP).rows(2)
        top.fit(self.store)
        self.ring = Ring(self.board.cell(self.first, 0))
        self.old = Ring(self._square(self.first))
        self.cost = Bars(
            [self._naive(1), self._kept(1)],
            low,
            [Words(text, size=PLAIN_SIZE) for text in ("all of it again", "only what is new")],
            across=True,
            decimals=0,
            span=(0.0, self._naive(WRITTEN).number),
        )
        self.view = self._onto(self.first, self.under_title)
        self.stand(
            self.board, self.hatching, self.weights, self.store, self.cost, self.old, self.ring
        )

    @beat(
        "To write one word, a model reads the whole text. | Then it writes the next. "
        "| Must it read it all again?"
    )
    def the_next_word(self) -> Shown:
        old = range(self.first)
        yield Together(
            Flow(Appear(self.board.queries[i], self.board.keys[i]) for i in old),
            Flow(Appear(self.board.row(i)[: self.first]) for i in old),
            Flow(self._weights_come(i) for i in old),
            Flow(
                Appear(self.hatching.cell(i, key)) for i in old for key in range(i + 1, self.first)
            ),
        )
        yield Together(
            self.travel_to(self._onto(self.first + 1, self.stage), STEADY),
            Appear(self.board.queries[self.first]),
        )
        yield self._work_out(self.first)

    @beat(
        "The new word asks: its query adds a row. | It answers, too: its key adds a column, "
        "| closed to all the words before it."
    )
    def a_row_and_a_column(self) -> Shown:
        new = self.first
        yield Then(
            Flow(Appear(face) for face in self.board.row(new)[: new + 1]),
            self._weights_come(new),
        )
        column = self.board.column(new)[:new]
        yield Appear(self.board.keys[new]), Flow(Appear(face) for face in column)
        yield Flow(Appear(self.hatching.cell(row, new), run_time=STEADY) for row in range(new))

    @beat(
        "The simple way works everything out anew: | every old row, and the new one. "
        "| And what has changed up here? | Nothing: the old words can't see the new one."
    )
    def all_of_it_again(self) -> Shown:
        rows = range(self.first + 1)
        yield Flow((Dim(self.weights.row(row), run_time=STEADY) for row in rows), SLOW)
        yield self._work_out(self.first + 1)
        yield Draw(self.old), Dim(self.weights.row(self.first), run_time=STEADY)
        yield Flow(
            (
                Pulse(self.weights.cell(row, key))
                for row in range(self.first)
                for key in range(row + 1)
            ),
            SLOW,
        )

    @beat(
        "So keep what was made once: every word's key, | and every word's value. "
        "| Then a new word needs only its own row."
    )
    def keep_keys_and_values(self) -> Shown:
        yield Together(
            Disappear(self.old), self.pull_back(STEADY), self._cache_comes(self.caches[0])
        )
        yield self._cache_comes(self.caches[1])
        new = self.first
        yield Together(
            Appear(*(cache.row(new) for cache in self.caches)),
            Undim(self.weights.row(new)),
            Dim(*(self.weights.row(row) for row in range(new))),
            Visit(self.ring, list(self.board.row(new)[: new + 1])),
        )

    @beat(
        "Now let it write. | The simple way fills the whole pattern each time, and what is kept "
        "leaves one row: | {naive} weights on the one side, | {kept} on the other."
    )
    def count_the_work(self) -> Shown:
        yield Disappear(self.ring), Appear(self.cost, run_time=STEADY)
        rest = list(range(self.first + 1, len(self.text)))
        yield Then(self._grow(place) for place in rest)
        yield Pulse(self.cost.numbers[0], self.cost.names[0], run_time=STEADY)
        yield Pulse(self.cost.numbers[1], self.cost.names[1], run_time=STEADY)

    @beat(
        "The price is room: a key and a value for every word. "
        "| But one more word costs one row, | and never the whole square again."
    )
    def what_it_costs(self) -> Shown:
        last = len(self.text) - 1
        yield Flow(
            (Pulse(cache.row(row)) for row in range(last + 1) for cache in self.caches), SLOW
        )
        yield Visit(self.ring, [self.board.row(last)], run_time=STEADY)
        yield Flow((Undim(self.weights.row(row), run_time=STEADY) for row in range(last)), SLOW)

    def _onto(self, tokens: int, stage: Region) -> View:
        """Return the view in which the first tokens, their names and pattern fill a stage."""
        board, low = self.board, self.board.cell(tokens - 1, tokens - 1)
        right = max(low.get_right()[0], *(key.get_right()[0] for key in board.keys[:tokens]))
        box = Region(
            left=float(board.queries.get_left()[0]),
            right=float(right),
            bottom=float(low.get_bottom()[1]),
            top=float(board.get_top()[1]),
        )
        return WHOLE.onto(box, stage, 0.98)

    def _weights_come(self, row: int) -> Verb:
        return Appear(*self.weights.past(row))

    def _work_out(self, rows: int) -> Verb:
        """Let rows be worked out, one after another: each is seen to come anew."""
        return Flow(
            (Then(Dim(row, run_time=QUICK / 2), Undim(row)) for row in self.weights.rows[:rows]),
            SLOW,
        )

    def _cache_comes(self, cache: _Cache) -> Verb:
        rows = range(self.first)
        return Together(
            Appear(cache.heading),
            Flow(ComeFrom(cache.row(row), self.board.queries[row]) for row in rows),
        )

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

    def _kept(self, words: int) -> Value:
        return count(sum(self.sizes[:words]), "weights of the new rows")


def _causal_weights(tokens: int) -> int:
    """Return how many weights a pattern of so many tokens has, none of the future among them."""
    return tokens * (tokens + 1) // 2


class _Cache(VGroup):
    """What is kept of every word: a strip of cells each, under the name of what it is.

    Of `vectors` (tokens, K) the first entries are drawn. `cache.row(i)` is token i's strip.
    """

    def __init__(self, vectors: Tensor, role: Role, name: str) -> None:
        drawn = vectors.array[:, :KEPT]
        largest = float(np.abs(drawn).max())
        self.rows = [VGroup(*(Cell(float(x), largest, ROOM, role) for x in row)) for row in drawn]
        for row in self.rows:
            row.arrange(RIGHT, buff=0)
        VGroup(*self.rows).arrange(DOWN, buff=HAIR / 2)
        self.heading = Words("{}", name, size=SPOKEN_SIZE, role=role)
        self.heading.next_to(self.rows[0], UP, buff=GAP)
        super().__init__(self.heading, *self.rows)

    def row(self, token: int) -> VGroup:
        """Return the strip of a token."""
        return self.rows[token]
