"""Film F16: one vector in, three small vectors out."""

from __future__ import annotations

from collections.abc import Mapping

from manim.constants import DOWN

from scenes import architecture
from scenes.animations import Reshape, Together
from scenes.arrivals import Appear, Fade, Fly, Leave, bring_forward, put_back
from scenes.binding_heads import contest, say_bound, say_given
from scenes.first_edition import Film, beat
from scenes.first_mobjects.head_contest import HeadContest, NothingMeasured
from scenes.first_mobjects.notes import Counter, SmallPrint
from scenes.first_mobjects.product import Factors
from scenes.first_mobjects.product_workings import ProductWorkings
from scenes.first_mobjects.projected_tokens import ProjectedTokens, Projection
from scenes.first_mobjects.read_vector import ReadVector
from scenes.first_mobjects.space import Named, Space
from scenes.first_mobjects.speech import Dialogue
from scenes.mobjects.text import Words
from scenes.provenance import Tensor, constant, count, largest_gap
from scenes.story import question
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    KEY,
    LABEL_SIZE,
    QUERY,
    SLOW,
    VALUE,
)

LARGE = constant(12_288, "GPT-3's d_model, Brown et al. 2020, table 2.1 (S3 L813, S4 L44)")
SMALL = constant(128, "GPT-3's d_head, Brown et al. 2020, table 2.1 (S3 L813, S4 L64)")


class QueriesKeysValues(Film):
    """One vector in, three small vectors out, by the same matrices at every position.

    The vector is what the head reads: this model normalises before attention.
    """

    title = "Queries, keys and values"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 81
    poster_beat = "keys-and-values"

    def observe(self) -> None:
        """Find who asks and who answers, the vectors that go in and come out, and the heads."""
        where = self.layer, self.head
        self.question = question(self.tokens, self.tensor("pattern")[where].array)
        self.asker, self.answers = self.question.asker, self.question.answers
        self.inputs = self.tensor("ln1")[self.layer]
        self.q, self.k, self.v = (self.tensor(name)[where] for name in "qkv")
        self.contest = contest(self.head_scores())

    def words(self) -> Mapping[str, str]:
        """Name who asks and who answers in this prompt, and say what was measured."""
        asker, (large, small) = self.name_of(self.asker), self._weights("q").shape
        told = architecture.of_the_projections(self.traits, self.layer, small, asker, self.asker)
        return {
            "asker": asker,
            "story": self.question.told(self.name_of),
            "large": str(large),
            "small": str(small),
            **told,
            "given": say_given(self.contest),
            "bound": say_bound(self.contest, self.layer, self.head),
        }

    def cast(self) -> None:
        """Make the story, the query's workings, the tokens' vectors, two spaces, the heads."""
        self._cast_dialogue()
        self._cast_read()
        self._cast_workings()
        projections = [
            Projection(vectors, self._weights(letter), role, letter)
            for vectors, role, letter in (
                (self.q, QUERY, "q"),
                (self.k, KEY, "k"),
                (self.v, VALUE, "v"),
            )
        ]
        self.vectors = ProjectedTokens(self.inputs, projections, self.tokens, self.content)
        self.cards = [
            self.vectors.card(band, self.work.product.most) for band in range(len(projections))
        ]
        self._cast_spaces()
        place = self.content
        self.ranking = HeadContest(self.contest, place) if self.contest else NothingMeasured(place)

    @beat("{story} That is a story: heads have only numbers.")
    def a_question(self) -> None:
        speakers = self.asker, *self.answers
        self.play(put_back(c for i, c in enumerate(self.token_row) if i not in speakers))
        self.play(self.dialogue.gather(self.token_row[i] for i in speakers))
        for speech in self.dialogue.speeches:
            self.play(speech.say())
            self.rest()

    @beat("For {asker} the head gets {large} numbers: {made}.")
    def take_the_vector(self) -> None:
        self.play(Leave(self.dialogue), put_back(self.token_row[i] for i in self.answers))
        self.play(self.read_vector.reveal(self.token_row[self.asker]))

    @beat(
        "Stand it beside the first column of the query matrix. Multiply entry by entry, "
        "{first_number}."
    )
    def the_first_number(self) -> None:
        self.add(self.work)
        self.play(self.read_vector.leave_vector())
        self.play(self.work.stand_up(self.vector, self.symbol))
        self.play(*map(Appear, (self.work.product.matrix, self.work.names)))
        self.play(self.work.point_at_first())
        self.play(self.work.bring_weights())
        self.play(self.work.workings.multiply())
        self.play(self.work.workings.reveal_sum())
        self.play(self.work.workings.add_up())
        self.play(self.work.workings.reveal_bias())
        self.play(self.work.workings.reveal_result())
        self.play(Fly(self.work.product.answers[0], self.work.workings.result))

    @beat("{every_column}")
    def every_column(self) -> None:
        product = self.work.product
        self.play(self.work.put_away(self.vector, self.symbol))
        self.play(Fade(product.window, 1.0))
        self.play(product.pass_over(1))
        self.play(product.turn())
        self.play(Leave(product.window), Appear(product.brackets), Appear(self.query_name))
        self.play(Appear(self.counter))

    @beat("The same matrix visits every token. {every_token}.")
    def every_token(self) -> None:
        card, product = self.cards[0], self.work.product
        leaving = self.work.names, product.below, self.query_name, self.counter
        self.play(*map(Leave, (self.vector, self.symbol, *leaving)), bring_forward(self.token_row))
        self.play(Reshape(product.matrix, card.matrix))
        self.remove(self.work)
        self.add(self.vectors, card)
        self.play(Appear(card.plate), Appear(card.label))
        self.play(self.vectors.reveal_inputs(self.token_row), put_back(self.token_row))
        self.play(self.vectors.visit(card, 0, 1.2 * SLOW))
        self.play(Leave(card), self.vectors.name_row(1))

    @beat("{keys_and_values}")
    def keys_and_values(self) -> None:
        for band, card in list(enumerate(self.cards))[1:]:
            self.play(Appear(card))
            self.play(self.vectors.visit(card, band, SLOW))
            self.play(Leave(card), self.vectors.name_row(band + 1))
            self.rest()

    @beat(
        "From {large} numbers to {small}: out of a large space, into a small one, "
        "where queries and keys can be compared."
    )
    def into_a_small_space(self) -> None:
        large, small = self.spaces
        pointed_at = self._pointed_at()
        self.play(put_back(self.vectors.but(pointed_at)))
        self.rest()
        inputs, queries, keys, _ = self.vectors.rows
        in_small = queries[self.asker], *(keys[i] for i in self._answering())
        arriving = large.reveal([inputs[i] for i in pointed_at]), small.reveal(in_small)
        forward = bring_forward(self.token_row[i] for i in pointed_at)
        self.play(Leave(self.vectors), forward, Together(arriving, lag_ratio=0.5))
        self.play(large.reveal_names(), small.reveal_names())
        self.play(Appear(large.elsewhere), Appear(small.elsewhere))

    @beat("Does any head ask for adjectives? {given}")
    def which_head(self) -> None:
        self.play(*map(Leave, self.spaces), bring_forward(self.token_row))
        self.play(self.ranking.reveal())
        self.play(self.ranking.expose())

    @beat("{bound}")
    def all_adjectives_at_once(self) -> None:
        self.play(self.ranking.count_the_least())
        self.play(self.ranking.point_at_best())

    def _cast_dialogue(self) -> None:
        asked, answer = self.question.talk
        lines = [(self.tokens[self.asker], asked, QUERY)]
        lines += [(self.tokens[i], answer, KEY) for i in self.answers]
        self.dialogue = Dialogue(lines, self.content)

    def _cast_read(self) -> None:
        values = self.inputs[self.asker]
        note = SmallPrint(
            "{} numbers: what layer {} reads; this model normalises before attention (pre-norm)",
            count(len(values), "entries of a vector"),
            count(self.layer, "the layer shown"),
        )
        parts = architecture.parts_of_the_input(self.traits, self.layer)
        self.read_vector = ReadVector(values, self._symbol(), parts, note, self.content)
        self.vector, self.symbol = self.read_vector.vector, self.read_vector.symbol

    def _cast_workings(self) -> None:
        vector, weights = self.inputs[self.asker], self._weights("q")
        biases = self.tensor("weights.b_Q") if self.traits.has_biases else None
        bias = None if biases is None else biases[self.layer, self.head]
        turn = None if self.turns is None else self.turns[self.asker]
        factors = Factors(vector, weights, bias, QUERY, turn)
        symbols = self._symbol(), f"{QUERY.value}(W_Q)"
        self.work = ProductWorkings(factors, symbols, self.content.raised(HAIR))
        below, query = self.work.product.below, f"query of {self.name_of(self.asker)}"
        self.query_name = Words("{}", query, size=LABEL_SIZE, role=QUERY)
        self.query_name.next_to(below, DOWN, buff=HAIR)
        gap = largest_gap(factors.result, self.q[self.asker])
        self.counter = Counter(architecture.of_the_checked_sums(self.traits), gap)
        self.content.fit_width(self.counter)
        self.counter.next_to(self.query_name, DOWN, buff=HAIR)
        self.content.hold(self.counter)

    def _cast_spaces(self) -> None:
        one, other = self.content.split(0.5)
        one = one.raised(GAP) if self.content.is_narrow else one
        shown = self._pointed_at()
        inputs = [Named(self.inputs[i], self.name_of(i), INK) for i in shown]
        query = Named(self.q[self.asker], f"query of {self.name_of(self.asker)}", QUERY)
        keys = [Named(self.k[i], f"key of {self.name_of(i)}", KEY) for i in self._answering()]
        self.spaces = (
            Space(inputs, LARGE, "GPT-3", one),
            Space([query, *keys], SMALL, "GPT-3", other),
        )

    def _weights(self, letter: str) -> Tensor:
        return self.tensor(f"weights.W_{letter.upper()}")[self.layer, self.head]

    def _pointed_at(self) -> tuple[int, ...]:
        return self.asker, *self.answers

    def _answering(self) -> tuple[int, ...]:
        return self.answers or (self.asker,)

    def _symbol(self) -> str:
        return f"x_{self.asker + 1}"
