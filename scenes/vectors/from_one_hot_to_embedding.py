"""Film F06: from one-hot to embedding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from manim import Mobject
from manim.constants import DOWN, UP

from scenes import likeness
from scenes.analysis.selection import most_similar_pair, one_hots
from scenes.animations import ShrinkInto, one_after_another
from scenes.arrivals import Appear, Fade, Fly, Leave, bring_forward, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.embedding_columns import under_tokens
from scenes.first_mobjects.embedding_table import EmbeddingTable
from scenes.first_mobjects.gram_matrix import GramMatrix
from scenes.first_mobjects.looked_up import TwoTexts
from scenes.first_mobjects.notes import Counter, Remarks, SmallPrint
from scenes.first_mobjects.one_hot import OneHotProduct
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.to_scale import ToScale
from scenes.first_mobjects.token_ids import TokenIds
from scenes.likeness import Alike, Likeness
from scenes.mobjects.text import Words
from scenes.presence import hide
from scenes.provenance import (
    Array,
    constant,
    cosine,
    count,
    dot,
    largest_gap,
    matmul,
    pairs,
)
from scenes.theme import GAP

MOST_ROWS = 8  # of the table that are drawn
RESULT_HEIGHT = 1.6  # scene units, kept free under the table
GPT_3 = "Brown et al. 2020, and the vocabulary of GPT-2; 50,257 x 12,288"


class FromOneHotToEmbedding(Film):
    """A lookup table is a matrix times a one-hot vector.

    The vectors are token embeddings: no position is added and nothing is normalised yet.
    """

    title = "From one-hot to embedding"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 78
    poster_beat = "zero-or-one"

    def derived(self) -> Mapping[str, Array]:
        """Add the one-hot vectors, and what the model makes of the same tokens turned round."""
        trace = self.trace
        d_vocab = len(trace.weights.W_E)
        return {
            "one_hot": one_hots(trace.ids, d_vocab),
            "two_words.one_hot": one_hots(self.two_words, d_vocab),
            "reversed.embed": self.sites_of(trace.ids[::-1])["embed"],
        }

    def observe(self) -> None:
        """Find the token to look up, and the two tokens whose embeddings are most alike."""
        self.embeddings, self.table = self.tensor("embed"), self.tensor("weights.W_E")
        self.hero = self.followed()
        self.one_hot = self.tensor("one_hot")
        self.identity = pairs(list(self.one_hot), dot)
        self.cosines = pairs(list(self.embeddings), cosine)
        self.nearest = most_similar_pair(self.cosines.array, self.trace.ids)
        self.likeness = self._likeness()

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what their embeddings show."""
        is_alone = len(self.tokens) == 1
        return {
            "hero": self.name_of(self.hero),
            "entries": f"{len(self.table):,}",
            "width": f"{self.table.shape[1]:,}",
            "weights": f"{self.table.array.size:,}",
            "again": "Run the model once more" if is_alone else "Turn the sentence round",
            **self.likeness.words(),
        }

    def opening(self) -> list[Mobject]:
        """Begin where the film of tokens ends, with their ids."""
        self.ids = TokenIds(self.tensor("cutting.ids").values, self.token_row)
        return [*super().opening(), self.ids]

    def cast(self) -> None:
        """Make the boards in the order in which they come."""
        self._cast_grids()
        self._cast_table()
        self._cast_second_run()
        self._cast_sizes()
        self.columns = under_tokens(self.embeddings, self.token_row, self.content)

    def _enter(self, *mobjects: Mobject) -> None:
        """Put whole groups on the stage, unseen, so that their parts can come in one by one."""
        for mobject in mobjects:
            hide(mobject)
        self.add(*mobjects)

    @beat(
        "The simplest vector for a token has a place for each of {entries} vocabulary entries: "
        "a 1 at its own place, and 0 at all others."
    )
    def one_place_each(self) -> None:
        self.play(Leave(self.ids))
        self._enter(self.two)
        for chip, vector in zip(self.two.chips, self.two.vectors, strict=True):
            self.play(Appear(chip), vector.reveal())
        self.play(Appear(self.two.places))

    @beat("{unlike} One-hot vectors know nothing of meaning.")
    def nothing_in_common(self) -> None:
        self.play(self.two.reveal_products())
        self.play(self.two.reveal_sum())

    @beat("{identity}")
    def the_identity(self) -> None:
        self.play(Leave(self.two))
        self._enter(self.gram)
        self.play(self.gram.name_sides(self.token_row.submobjects))
        self.play(self.gram.grid.reveal_frame())
        self.play(self.gram.grid.become_numbers())

    @beat("Now a table of learned numbers, with a row for each entry: the embedding matrix.")
    def the_table(self) -> None:
        self.play(Leave(self.gram))
        self._enter(self.board)
        self.play(self.board.reveal())

    @beat(
        "Multiply it by the one-hot vector of {hero}. Each row is weighted by its entry: "
        "zeros darken all but one, and that row slides out. It is the embedding of {hero}."
    )
    def zero_or_one(self) -> None:
        chip = self.token_row[self.hero]
        self.play(put_back(self.token_row.others(self.hero)))
        self.play(one_after_another(Fly(entry, chip) for entry in self.entries.values()))
        self.rest()
        self.play(self.board.weight_rows(self.entries))
        self.rest()
        self._enter(self.found)
        self.play(self.found.slide_out(self.row_of_hero))
        self.play(self.found.read_out())

    @beat(
        "In practice nobody multiplies: looking the row up gives the same numbers, for every token."
    )
    def look_it_up(self) -> None:
        self.play(Fade(self.found.tiles, 0.0), one_after_another(map(Leave, self.entries.values())))
        self.play(Appear(self.ring))
        self.play(self.found.slide_out(self.row_of_hero))
        self.play(Appear(self.counter))

    @beat("{again}, and {hero} still gets the same row: the table knows nothing of its neighbours.")
    def the_same_row_again(self) -> None:
        leaving = self.board, self.ring, self.counter, self.found
        self.play(*map(Leave, leaving), bring_forward(self.token_row.others(self.hero)))
        self._enter(self.turned)
        self.play(self.turned.turn(self.token_row))
        again = len(self.tokens) - 1 - self.hero
        self.play(put_back(self.token_row.others(self.hero) + self.turned.row.others(again)))
        first, second = self.token_row[self.hero], self.turned.row[again]
        self.play(Fly(self.turned.first, first), Fly(self.turned.second, second))
        self.play(Appear(self.turned.note))

    @beat("Compare the embeddings two by two, by their cosine. {nearest} {kinship}")
    def alike_and_unlike(self) -> None:
        self.play(Leave(self.turned), bring_forward(self.token_row.others(self.hero)))
        self.play(Appear(self.gram))
        self.rest()
        self.play(self.gram.turn_into(self.cosines, 2))
        self.play(*map(Appear, self.remarks))

    @beat(
        "Every number in the table is learned: {entries} times {width} makes {weights}. "
        "The table of GPT-3 holds 617,558,016."
    )
    def count_the_weights(self) -> None:
        self.play(*map(Leave, (self.gram, *self.remarks)))
        small, large = self.sizes.areas
        self.play(Appear(self.sizes.enlarged), Appear(small.label))
        self.rest()
        self.play(ShrinkInto(self.sizes.enlarged, small.area))
        self.add(small)
        self.play(Appear(large), Appear(self.sizes.note))

    @beat("From here on every token is its vector: {width} learned numbers.")
    def a_vector_each(self) -> None:
        self.play(Leave(self.sizes), Leave(self.sizes.note))
        self._enter(self.columns)
        self.play(self.columns.reveal())

    def small_print(self) -> Words:
        """Say what the vectors of this film are."""
        when = "is added yet" if self.traits.adds_positions else "is ever added in this model"
        return SmallPrint(f"token embeddings: no position {when}")

    def _cast_grids(self) -> None:
        ids = [count(token, "place in the vocabulary") for token in self.two_words]
        vectors = self.tensor("two_words.one_hot")
        self.two = OneHotProduct(self.likeness.pieces, vectors, ids, self.content)
        said = [Words("{} and {}: cosine {:.2f}", *each) for each in self.likeness.cosines]
        remarks = Remarks(said, self.content.width)
        region = self.content.raised(remarks.height + 1.5 * GAP)
        self.gram = GramMatrix(self.identity, self.tokens, region, 0)
        remarks.next_to(self.gram, DOWN, buff=1.5 * GAP).set_x(self.content.center[0])
        self.remarks: list[Mobject] = [remarks]
        if self.nearest:
            self.remarks.append(Ring(self.gram.grid.cell(*self.nearest).face))

    def _cast_table(self) -> None:
        tokens = self._tokens_in_table()
        pieces = {self.trace.ids[t]: self.tokens[t] for t in tokens}
        ids = {self.trace.ids[t]: self.tensor("cutting.ids")[t].value for t in tokens}
        self.board = EmbeddingTable(self.table, pieces, ids, self.content.raised(RESULT_HEIGHT))
        self.entries = self.board.entries(self.one_hot[self.hero])
        row, name = self.trace.ids[self.hero], self.tokens[self.hero]
        self.row_of_hero, self.ring = self.board.row(row), self.board.ring(row)
        self.found = self.board.looked_up(self.embeddings[self.hero], name)
        self.found.next_to(self.board, DOWN, buff=GAP, coor_mask=UP)
        difference = largest_gap(matmul(self.one_hot, self.table), self.embeddings)
        self.counter = Counter("product and lookup, every token", difference)
        self.counter.next_to(self.found, DOWN, buff=GAP).set_x(self.content.center[0])

    def _cast_second_run(self) -> None:
        vectors = self.embeddings[self.hero], self.tensor("reversed.embed")[-1 - self.hero]
        one, other = (self.board.looked_up(each, self.tokens[self.hero]) for each in vectors)
        note = Counter("the two vectors", largest_gap(*vectors))
        self.turned = TwoTexts(self.tokens, (one, other), note, self.content)

    def _cast_sizes(self) -> None:
        ours = (len(self.table), self.table.shape[1])
        numbers = [count(n, "entries of the embedding matrix") for n in (*ours, ours[0] * ours[1])]
        gpt_3 = [constant(n, GPT_3) for n in (50257, 12288, 617_558_016)]
        self.sizes = ToScale({"this model": numbers, "GPT-3": gpt_3}, self.content)

    @cached_property
    def two_words(self) -> tuple[int, int]:
        """Return two tokens akin in meaning if this vocabulary has such whole words, or any two."""
        found = likeness.akin(self._id_of)
        return found or likeness.any_two(self.trace.ids, self.vocabulary)

    def _likeness(self) -> Likeness:
        one, other = self.two_words
        pieces = self.vocabulary(self.two_words)
        kinship = cosine(self.table[one], self.table[other])
        nearest = self._named(*self.nearest) if self.nearest else None
        return Likeness(self.trace.ids, nearest, (pieces[one], pieces[other]), kinship)

    def _named(self, one: int, other: int) -> Alike:
        return self.name_of(one), self.name_of(other), self.cosines[one, other].value

    def _id_of(self, word: str) -> int | None:
        cutting = self.cut_word(word)
        return cutting.ids[cutting.own[0]] if len(cutting.own) == 1 else None

    def _tokens_in_table(self) -> list[int]:
        """Return the tokens whose rows are drawn: the one looked up, and the first others."""
        first = {token: place for place, token in reversed(list(enumerate(self.trace.ids)))}
        hero = first.pop(self.trace.ids[self.hero])
        return [hero, *sorted(first.values())[: MOST_ROWS - 1]]
