"""Growing a pattern: what one more word costs, and what need not be worked out twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from manim import Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP, UR
from numpy.typing import NDArray

from scenes import verbs
from scenes.camera import WHOLE, View
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, squares
from scenes.mobjects.text import Number, Words, called, em_of
from scenes.mobjects.vector import Cell
from scenes.provenance import Array, Tensor, Value, count
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    KEY,
    QUICK,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
    Role,
)
from scenes.verbs import (
    Appear,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    Pulse,
    Then,
    Together,
    Undim,
    Verb,
)

WRITTEN = 4  # words that the model adds
COUNTED = 3  # of these, before the last one comes
KEPT = 16  # entries of a key or value that are drawn, at most
WIDE, HIGH = 1.4, 0.8  # of all of them: scene units, and their share of a row of the pattern
FILLING = 4.0  # seconds, until all is counted that is kept
SQUARE = 0.84  # of the pitch of a tally's squares
LITTLE = 0.2  # of its size, by which a dot that is worked out begins
MUCH = 1.4  # times as large, a dot that is counted
KEPT_SHARE = 0.4  # of a narrow stage's width
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
            "naive": f"{self._naive(COUNTED).number:,.0f}",
            "kept": f"{self._kept(COUNTED).number:,.0f}",
        }

    def cast(self) -> None:
        """Make the whole pattern, the keys and values beside it, and the two tallies."""
        first, second = self.stage.split(GRID_SHARE)
        board = self.board = AttentionGrid(self.text, first)
        self.weights, self.hatching = board.weights(self.pattern), board.hatching()
        room = WIDE / min(KEPT, self.k.shape[1]), min(WIDE / 4, HIGH * board.side)
        keys, values = _Cache(self.k, room, KEY, "keys"), _Cache(self.v, room, VALUE, "values")
        self.caches, self.held = [keys, values], self._held()
        if self.stage.is_narrow:
            kept, low = second.apart(first, GAP).columns(KEPT_SHARE)
            caches = VGroup(keys, values).arrange(RIGHT, aligned_edge=DOWN, buff=2 * GAP)
            kept.narrowed(0, GAP).lowered(2 * GAP + em_of(SPOKEN_SIZE)).fit(caches)
        else:
            keys.stand_beside(board, board)
            values.stand_beside(board, keys)
            bottom = float(board.get_bottom()[1])
            low = replace(self.stage, left=float(values.get_right()[0]) + 2 * GAP, bottom=bottom)
        held = VGroup(*self.held)
        if self.stage.is_narrow:
            held.next_to(VGroup(keys.heading, values.heading), UP, buff=GAP)
            kept.hold(held)
        else:
            low.fit_width(held)
            held.move_to((low.left, low.bottom, 0), LEFT + DOWN)
            low = low.raised(held.height + 2 * GAP)
        self.held[0].put(self._numbers(0))
        self.worked_out = Words("weights", size=SPOKEN_SIZE)
        self.worked_out.move_to((low.center[0], low.top, 0), UP)
        self.tallies = self._tallies(low.below(self.worked_out, GAP))
        self.ring, self.last = (
            Ring(VGroup(*board.row(row)[: row + 1])) for row in (self.first, len(self.text) - 1)
        )
        self.old, self.room = Ring(self._square(self.first)), [Ring(c.row(0)) for c in self.caches]
        self.away = (0.0 if self.stage.is_narrow else self._unused()) * RIGHT
        VGroup(*self.caches).shift(-self.away)
        self.view = self._onto(self.first, self.under_title)
        self.stand(board, self.hatching, self.weights, *self.caches, *self.tallies)
        self.stand(self.worked_out, *self.held, self.old, self.ring, self.last, *self.room)

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
        says = Flow(map(Pulse, reversed(self.weights.rows[self.first - 1][: self.first])))
        yield Then(says, Pulse(last), Appear(new))

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
        yield Flow((Disappear(self.weights.past(row), run_time=STEADY) for row in rows), STEADY)
        yield Flow(self._dots_come(row) for row in rows)
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
        kept = verbs.Shift(*self.caches, by=self.away)
        names = Appear(self.worked_out, *(tally.heading for tally in self.tallies))
        yield Disappear(self.ring), Then(Together(self.pull_back(STEADY), kept), names)
        grow = (self._grow(place) for place in range(self.first + 1, len(self.text) - 1))
        yield Then(self._count(self.first), *grow)
        for tally in self.tallies:
            yield Pulse(tally.heading, run_time=STEADY)

    @beat(
        "The price is room: a key and a value for every word. | But nothing is worked out again: "
        "| one more word costs one row."
    )
    def what_it_costs(self) -> Shown:
        new, (number, _) = len(self.text) - 1, self.held
        rings = [self._fill(*each) for each in zip(self.room, self.caches, strict=True)]
        each = [Count(number, self._numbers(word + 1), self._each()) for word in range(new)]
        aside = Dim(self.weights.row(new - 1), *self.tallies)
        yield aside, Then(Appear(*self.held), Together(*rings, Then(each)))
        used = Flow(Pulse(cache.row(word)) for cache in self.caches for word in range(new + 1))
        kept = Appear(*(cache.row(new) for cache in self.caches))
        made = Together(kept, Count(number, self._numbers(new + 1)))
        yield Then(Together(self._word_comes(new), Disappear(*self.room)), made, used)
        counted = Draw(self.last), self._count(new), Undim(*self.tallies)
        yield Then(self._dots_come(new), Together(counted))

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
        places = [VGroup(*cache.rows[:words]) for words in range(1, len(self.text))]
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

    def _dots_come(self, row: int) -> Verb:
        """Let a row be worked out, dot by dot."""
        return Flow(Appear(dot, scale=LITTLE) for dot in self.weights.past(row))

    def _cache_comes(self, cache: _Cache) -> Verb:
        """Let what is kept of the words before the new one come, word by word."""
        rows, words = range(self.first), self.board.queries
        come = Flow(Together(Pulse(words[row]), Appear(cache.row(row))) for row in rows)
        return Together(Appear(cache.heading), come)

    def _word_comes(self, place: int) -> Verb:
        """Let the word at a place come, with the empty cells of its row and its column."""
        return Together(
            Appear(self.board.queries[place], self.board.keys[place]),
            Appear(self.board.row(place)[: place + 1], self.board.column(place)[:place]),
            Appear(*(self.hatching.cell(row, place) for row in range(place))),
        )

    def _grow(self, place: int) -> Verb:
        """Let the word at a place come, with its weights and what is kept of it; count them."""
        comes = self._word_comes(place), self._weights_come(place)
        kept = Appear(*(cache.row(place) for cache in self.caches))
        return Then(Together(*comes, kept, Dim(self.weights.row(place - 1))), self._count(place))

    def _count(self, place: int) -> Verb:
        """Let the rows that are worked out for the word at a place light up, and count them."""
        words = place + 1 - self.first
        all_rows, one_row = self.tallies
        anew = (Pulse(*self.weights.past(row), scale=MUCH) for row in range(place + 1))
        return Together(
            Flow(anew, STEADY),
            Draw(all_rows.figures[words - 1], one_row.figures[words - 1]),
            Count(all_rows.number, self._naive(words)),
            Count(one_row.number, self._kept(words)),
        )

    def _held(self) -> tuple[Number, Words]:
        """Make the line that says how many numbers are kept in the end."""
        number = Number(self._numbers(len(self.text)), 0, SPOKEN_SIZE)
        name = Words("numbers", size=SPOKEN_SIZE)
        VGroup(number, name).arrange(RIGHT, buff=GAP, aligned_edge=DOWN)
        name.shift((number.get_bottom()[1] - name.baseline) * UP)
        return number, name

    def _tallies(self, region: Region) -> tuple[_Tally, _Tally]:
        """Make both tallies, of squares of one size, under each other or side by side."""
        is_flat, longest = region.width > region.height, len(self.text) + 1
        columns = WRITTEN if is_flat else 2
        down = -(-WRITTEN // columns) * longest + (0 if is_flat else 2 * WRITTEN)
        width = region.width / 2 - GAP if is_flat else region.width
        headings = (1 if is_flat else 2) * (em_of(SPOKEN_SIZE) + 2 * GAP)
        pitch = min(width / (columns * longest), (region.height - headings) / down)
        triangles, rows = [np.tri(n) for n in self.sizes], [np.ones((1, n)) for n in self.sizes]
        sizes = {"pitch": pitch, "width": width}
        both = (
            _Tally("all rows", triangles, self._naive(WRITTEN), columns=columns, **sizes),
            _Tally("one row", rows, self._kept(WRITTEN), columns=1, **sizes),
        )
        way, edge = (RIGHT, UP) if is_flat else (DOWN, LEFT)
        stacked = VGroup(*both).arrange(way, aligned_edge=edge, buff=2 * GAP)
        stacked.move_to((region.center[0], region.top, 0), UP)
        return both

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


class _Tally(VGroup):
    """What one way works out: a figure of squares for every new word, and how many in all.

    A figure has a square for every 1 in its shape (rows, columns), one `pitch` apart. They stand in
    so many columns under a `heading` of this `width`: name and number, of which `most` is the
    largest.
    """

    def __init__(
        self,
        name: str,
        shapes: Sequence[NDArray[np.float64]],
        most: Value,
        *,
        columns: int,
        pitch: float,
        width: float,
    ) -> None:
        high, wide = (pitch * (1 + size) for size in shapes[-1].shape)
        self.figures, self.number = list[Filled](), Number(most, 0, SPOKEN_SIZE)
        for place, shape in enumerate(shapes):
            down, along = divmod(place, columns)
            centers = pitch * np.argwhere(shape)[:, ::-1] * (1, -1) + (along * wide, -down * high)
            sides = np.full(len(centers), SQUARE * pitch)
            self.figures.append(Filled(squares(centers, sides), INK))
        words = Words(name, size=SPOKEN_SIZE)
        words.shift((self.number.get_bottom()[1] - words.baseline) * UP)
        words.shift((self.number.get_right()[0] - width - words.get_left()[0]) * RIGHT)
        self.heading = VGroup(words, self.number)
        self.heading.next_to(VGroup(*self.figures), UP, buff=GAP, aligned_edge=LEFT)
        super().__init__(self.heading, *self.figures)
        self.number.put(count(0, "weights before the first new word"))


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
