"""Film F06: from one-hot to embedding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from manim import Mobject, VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes import likeness
from scenes.animations import (
    Appear,
    Fade,
    Fly,
    Leave,
    Move,
    ShrinkInto,
    Together,
    bring_forward,
    hide,
    one_after_another,
    put_back,
)
from scenes.chapter import Chapter, beat
from scenes.likeness import Alike
from scenes.mobjects.embedding_columns import under_tokens
from scenes.mobjects.embedding_table import EmbeddingTable
from scenes.mobjects.gram_matrix import GramMatrix
from scenes.mobjects.notes import Counter, SmallPrint
from scenes.mobjects.one_hot import OneHotProduct
from scenes.mobjects.ring import Ring
from scenes.mobjects.text import Formula, Words, called
from scenes.mobjects.to_scale import ToScale
from scenes.mobjects.tokens import TokenRow
from scenes.readings import nearest_pair
from scenes.theme import GAP, LABEL_SIZE
from scenes.values import (
    Array,
    constant,
    cosine,
    count,
    dot,
    largest_gap,
    matmul,
    pairs,
)

MOST_ROWS = 8  # of the table that are drawn
SOME = 99  # ids before and after a token, among which another one is looked for
RESULT_HEIGHT = 1.6  # scene units, kept free under the table
GPT_3 = "Brown et al. 2020, and the vocabulary of GPT-2; 50,257 x 12,288"


class FromOneHotToEmbedding(Chapter):
    """A lookup table is a matrix times a one-hot vector.

    The vectors are token embeddings: no position is added and nothing is normalised yet.
    """

    title = "From one-hot to embedding"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 80
    poster_beat = "zero-or-one"

    def derived(self) -> Mapping[str, Array]:
        """Add the one-hot vectors, and what the model makes of the same tokens turned round."""
        trace = self.trace
        d_vocab = len(trace.weights.W_E)
        return {
            "one_hot": _one_hots(trace.ids, d_vocab),
            "two_words.one_hot": _one_hots(self.two_words, d_vocab),
            "reversed.embed": self.sites_of(trace.ids[::-1])["embed"],
        }

    def observe(self) -> None:
        """Find the token to look up, and the two tokens whose embeddings are most alike."""
        self.embeddings, self.table = self.tensor("embed"), self.tensor("weights.W_E")
        self.hero = self.followed()
        self.one_hot = self.tensor("one_hot")
        self.identity = pairs(list(self.one_hot), dot)
        self.cosines = pairs(list(self.embeddings), cosine)
        self.nearest = nearest_pair(self.cosines.array, self.trace.ids)
        self.kinship = cosine(*(self.table[word] for word in self.two_words))

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what their embeddings show."""
        pieces, is_alone = self._two_pieces(), len(self.tokens) == 1
        return {
            "hero": self.name_of(self.hero),
            "entries": f"{len(self.table):,}",
            "width": f"{self.table.shape[1]:,}",
            "weights": f"{self.table.array.size:,}",
            "again": "Run the model once more" if is_alone else "Turn the sentence round",
            "unlike": likeness.of_two_words(pieces),
            "identity": likeness.of_all_tokens(self.trace.ids),
            "nearest": likeness.of_the_nearest(self.most_alike),
            "kinship": likeness.of_the_two_words_again(pieces, self.kinship),
        }

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
        names = zip(self.gram.rows, self.gram.columns, self.token_row, strict=True)
        self.play(one_after_another(Together([Fly(r, t), Fly(c, t)]) for r, c, t in names))
        self.play(self.gram.grid.reveal_frame())
        self.play(self.gram.grid.become_numbers())

    @beat("Now a table of learned numbers, with a row for each entry: the embedding matrix.")
    def the_table(self) -> None:
        self.play(Leave(self.gram))
        self._enter(self.board)
        self.play(Appear(self.table_name), one_after_another(map(Appear, self.board)))

    @beat(
        "Multiply it by the one-hot vector of {hero}. Each row is weighted by its entry: "
        "zeros darken all but one, and that row slides out. It is the embedding of {hero}."
    )
    def zero_or_one(self) -> None:
        chip = self.token_row[self.hero]
        self.play(put_back(self._others(self.hero)))
        self.play(one_after_another(Fly(entry, chip) for entry in self.entries.values()))
        self.rest()
        self.play(self.board.weight_rows(self.entries))
        self.rest()
        self._enter(self.found)
        tiles, vector = self.found.tiles, self.found.vector
        self.play(Move(tiles, self.way_out), Fade(tiles, 1.0), Fly(self.found.chip, chip))
        drops = map(Fly, vector.numbers, tiles)
        self.play(one_after_another(drops), Appear(self.found.frame))

    @beat(
        "In practice nobody multiplies: looking the row up gives the same numbers, for every token."
    )
    def look_it_up(self) -> None:
        self.play(one_after_another(map(Leave, self.entries.values())), Appear(self.ring))
        self.play(Appear(self.counter))

    @beat("{again}, and {hero} still gets the same row: the table knows nothing of its neighbours.")
    def the_same_row_again(self) -> None:
        self.play(
            *map(Leave, (self.board, self.table_name, self.ring, self.counter, self.found)),
            bring_forward(self._others(self.hero)),
        )
        self._enter(self.turned)
        self.play(one_after_another(map(Fly, self.turned, self.token_row[::-1])))
        again = len(self.tokens) - 1 - self.hero
        rest = [chip for i, chip in enumerate(self.turned) if i != again]
        self.play(put_back(rest + self._others(self.hero)))
        chips = self.token_row[self.hero], self.turned[again]
        self.play(*map(Fly, (self.first, self.second), chips))
        self.play(Appear(self.second_counter))

    @beat("Compare the embeddings two by two, by their cosine. {nearest} {kinship}")
    def alike_and_unlike(self) -> None:
        leaving = self.turned, self.first, self.second, self.second_counter
        self.play(*map(Leave, leaving), bring_forward(self._others(self.hero)))
        self.play(Appear(self.gram))
        self.rest()
        self.play(self.gram.turn_into(self.dense))
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
        self.two = OneHotProduct(
            self._two_pieces(), self.tensor("two_words.one_hot"), ids, self.content
        )
        remarks = self._remarks()
        region = self.content.raised(remarks.height + 1.5 * GAP)
        self.gram = GramMatrix(self.identity, self.tokens, region, 0)
        self.dense = GramMatrix(self.cosines, self.tokens, region, 2).fill()
        remarks.next_to(self.gram, DOWN, buff=1.5 * GAP).set_x(self.content.center[0])
        self.remarks: list[Mobject] = [remarks]
        if self.nearest:
            cell = self.dense.grid.cell(*self.nearest).face
            self.remarks.append(Ring(cell))

    def _remarks(self) -> VGroup:
        """Return the cosines of the nearest tokens and of the two words, side by side or not."""
        one, other = map(called, self._two_pieces())
        both = self.most_alike, (one, other, self.kinship)
        remarks = [Words("{} and {}: cosine {:.2f}", *each) for each in both if each]
        line = VGroup(*remarks).arrange(RIGHT, buff=6 * GAP)
        if line.width > self.content.width:
            line.arrange(DOWN, buff=GAP)
        return line

    def _cast_table(self) -> None:
        shapes = [count(n, "entries of the embedding matrix") for n in self.table.shape]
        size = Words("{:,.0f} \N{MULTIPLICATION SIGN} {:,.0f}", *shapes, size=LABEL_SIZE)
        name = Formula("embedding matrix $W_E$", LABEL_SIZE)
        self.table_name = VGroup(name, size).arrange(RIGHT, buff=2 * GAP)
        self.table_name.move_to((self.content.center[0], self.content.top, 0), UP)
        tokens = self._tokens_in_table()
        pieces = {self.trace.ids[t]: self.tokens[t] for t in tokens}
        ids = {self.trace.ids[t]: self.tensor("cutting.ids")[t].value for t in tokens}
        region = self.content.raised(RESULT_HEIGHT).below(self.table_name, GAP)
        self.board = EmbeddingTable(self.table, pieces, ids, region)
        self.entries = self.board.entries(self.one_hot[self.hero])
        self._cast_result()

    def _cast_result(self) -> None:
        row = self.trace.ids[self.hero]
        self.ring = self.board.ring(row)
        self.found = self.board.looked_up(self.embeddings[self.hero], self.tokens[self.hero])
        self.found.next_to(self.board, DOWN, buff=GAP, coor_mask=UP)
        self.way_out = self.found.tiles.get_center() - self.board.row(row).get_center()
        difference = largest_gap(matmul(self.one_hot, self.table), self.embeddings)
        self.counter = Counter("product and lookup, every token", difference)
        self.counter.next_to(self.found, DOWN, buff=GAP).set_x(self.content.center[0])
        self.found.tiles.shift(-self.way_out)

    def _cast_second_run(self) -> None:
        again = self.tensor("reversed.embed")
        vector = again[len(self.tokens) - 1 - self.hero]
        self.turned = TokenRow(self.tokens[::-1], self.content.width)
        self.first, self.second = (
            self.board.looked_up(each, self.tokens[self.hero])
            for each in (self.embeddings[self.hero], vector)
        )
        difference = largest_gap(self.embeddings[self.hero], vector)
        self.second_counter = Counter("the two vectors", difference)
        column = VGroup(self.first, self.second_counter, self.second, self.turned)
        column.arrange(DOWN, buff=2.5 * GAP).move_to(self.content.center)

    def _cast_sizes(self) -> None:
        ours = (len(self.table), self.table.shape[1])
        numbers = [count(n, "entries of the embedding matrix") for n in (*ours, ours[0] * ours[1])]
        gpt_3 = [constant(n, GPT_3) for n in (50257, 12288, 617_558_016)]
        self.sizes = ToScale({"this model": numbers, "GPT-3": gpt_3}, self.content)

    @cached_property
    def two_words(self) -> tuple[int, int]:
        """Return two tokens akin in meaning if this vocabulary has such whole words, or any two."""
        found = likeness.akin(self._id_of)
        if found:
            return found
        first, *others = dict.fromkeys(self.trace.ids)
        near = self.vocabulary([*range(first - SOME, first + SOME), *range(SOME)])
        return first, next((each for each in (*others, *near) if each != first), first)

    def _id_of(self, word: str) -> int | None:
        cutting = self.cut_word(word)
        return cutting.ids[cutting.own[0]] if len(cutting.own) == 1 else None

    def _tokens_in_table(self) -> list[int]:
        """Return the tokens whose rows are drawn: the one looked up, and the first others."""
        first = {token: place for place, token in reversed(list(enumerate(self.trace.ids)))}
        hero = first.pop(self.trace.ids[self.hero])
        return [hero, *sorted(first.values())[: MOST_ROWS - 1]]

    def _others(self, token: int) -> list[Mobject]:
        return [chip for place, chip in enumerate(self.token_row) if place != token]

    def _two_pieces(self) -> tuple[str, str]:
        pieces = self.vocabulary(self.two_words)
        one, other = self.two_words
        return pieces[one], pieces[other]

    @property
    def most_alike(self) -> Alike | None:
        """The nearest two tokens by their names, and the cosine of their embeddings."""
        if self.nearest is None:
            return None
        one, other = map(self.name_of, self.nearest)
        return one, other, self.cosines[self.nearest].value


def _one_hots(ids: Sequence[int], d_vocab: int) -> Array:
    """Return a vector for each id, 1 at its own place and 0 elsewhere: (ids, d_vocab)."""
    found: Array = np.zeros((len(ids), d_vocab), np.float32)
    found[np.arange(len(ids)), list(ids)] = 1
    return found
