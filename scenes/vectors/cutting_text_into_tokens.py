"""Film F04: a text is cut into tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from manim import Mobject
from manim.constants import DOWN

from scenes import tokenization
from scenes.animations import one_after_another
from scenes.arrivals import Appear, Fly, Leave, Show
from scenes.documents import Documents
from scenes.first_edition import Film, beat
from scenes.first_mobjects.dot_field import DotFields
from scenes.first_mobjects.gathering import Gather
from scenes.first_mobjects.letters import Letters
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.pair_places import PairPlaces
from scenes.first_mobjects.pair_square import PairSquares
from scenes.first_mobjects.progress import Progress
from scenes.first_mobjects.spelled_word import SpelledWord
from scenes.first_mobjects.token_ids import TokenIds
from scenes.first_mobjects.vocabulary import LookUp
from scenes.merge_rounds import rounds_of
from scenes.mobjects.text import Words
from scenes.mobjects.typesetting import legible
from scenes.pieces import common_word, rare_word, read, rows_around, units_of
from scenes.provenance import Value, constant, count
from scenes.region import Region
from scenes.theme import GAP, LABEL_SIZE, QUICK, QUIET, SLOW, SMALL_SIZE

REMARK_HEIGHT = 0.8  # scene units, kept free under the letters for one line
LATER_ROUNDS = 5  # in which the merges after those of the first pair are shown
GPT3_VOCABULARY = constant(50257, "Brown et al. 2020: GPT-3 has the tokenizer of GPT-2")
ALL_IDS = 10.0  # seconds in which every id has been looked up
LISTED = 24  # characters of a piece that is listed for the sake of its neighbour, at most


class CuttingTextIntoTokens(Film):
    """Tokens are learned pieces of text: neither characters nor words.

    The merges are those of the model's own tokenizer, in the order in which it makes them.
    """

    title = "Cutting text into tokens"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 83
    poster_beat = "merge-after-merge"

    def observe(self) -> None:
        """Find the merges, what is counted in the corpus, and a word that breaks."""
        cutting = self.cutting
        if not cutting.raw:
            self.refuse("This model's tokenizer finds nothing in the prompt: choose another one.")
        self.spans = [cutting.spans[place] for place in cutting.own]
        self.rounds = rounds_of(cutting, LATER_ROUNDS)
        text = cutting.raw.decode(errors="replace")
        self.stretches = text.split() or [text]
        self.documents = Documents(self.documents_with)
        self.units = units_of(cutting.raw, self.spans, self.documents.met)
        words = [read(cutting.raw[start:end]) or "" for start, end in cutting.words]
        self.common = common_word(words, self._pieces_of)
        self.rare = rare_word(words, self._pieces_of)

    def words(self) -> Mapping[str, str]:
        """Count what this text comes to, and name what is pointed at."""
        cutting = self.cutting
        return {
            "bytes": tokenization.of_bytes(cutting),
            "first": tokenization.of_the_first_merge(cutting),
            "merges": tokenization.of_the_merges(cutting),
            "tokens": tokenization.of_the_tokens(cutting),
            "pairs": tokenization.of_the_pairs(cutting, self.stretches),
            "documents": f"{self.documents.all.number:,.0f}",
            "met": tokenization.of_the_units(self.units, self.documents.met),
            "words": tokenization.of_two_words(self.common, self.rare, self._pieces_of),
            "rows": tokenization.of_the_rows(cutting),
        }

    def opening(self) -> list[Mobject]:
        """Begin without the tokens: the film makes them."""
        return [self.heading, self.footing]

    def small_print(self) -> Words:
        """Say whose tokenizer it is."""
        vocabulary = count(self.cutting.d_vocab, "tokens in the vocabulary")
        listed = count(self.cutting.listed, "merges in the tokenizer's list")
        template = "this model's tokenizer: {:,.0f} tokens"
        template += ", {:,.0f} learned merges" if self.cutting.listed else ""
        return Words(template, vocabulary, listed, size=SMALL_SIZE, role=QUIET)

    def cast(self) -> None:
        """Make the letters with their numbers, the squares, the fields, and the vocabulary."""
        self._cast_letters()
        self._cast_squares()
        self._cast_fields()
        self._cast_two_words()
        self._cast_vocabulary()

    @beat("A computer keeps a text as bytes, numbers from 0 to 255. {bytes}")
    def characters_and_bytes(self) -> None:
        self.play(Show(self.letters.ground))
        self.play(one_after_another(map(Appear, self.letters.letters)))
        self.play(Show(self.bytes))

    @beat("{first}")
    def the_best_pair(self) -> None:
        self.play(Leave(self.bytes))
        self.add(self.places)
        self.play(self.places.reveal())
        if self.rounds:
            self.play(Appear(self.listed))
            self.rest(SLOW)
            self.play(Leave(self.listed))
            self.play(self.places.pick(), Appear(self.best))
            self.rest(SLOW)
            self.play(Leave(self.places))
            self.play(self.letters.close(self.rounds[0].gaps))

    @beat("{merges}")
    def merge_after_merge(self) -> None:
        if self.rounds:
            self.play(Leave(self.best))
            self.play(Appear(self.progress))
        for each in self.rounds[1:]:
            self.play(self.letters.close(each.gaps), self.progress.reach(each.last))

    @beat("{tokens}")
    def what_is_left(self) -> None:
        if self.rounds:
            self.play(Leave(self.progress))
        self.play(Appear(self.left))
        if self.spaces.has_points():
            self.rest()
            self.play(Show(self.spaces))
            self.rest(SLOW)
            self.play(Leave(self.spaces))

    @beat("Later, every token meets every token. {pairs}")
    def why_not_characters(self) -> None:
        self.play(Leave(self.left))
        self.play(Gather(self.letters, self.token_row, self.cutting.spans))
        for which in range(len(self.squares.squares)):
            self.play(self.squares.grow(which))
            self.rest()

    @beat("Each dot is a document of our corpus, {documents} in all. {met}")
    def met_often_enough(self) -> None:
        self.play(*map(Leave, self.squares))
        self.play(Appear(self.key))
        for which in range(len(self.units)):
            self.play(self.fields.come(which))
            self.play(self.fields.light(which))

    @beat("{words}")
    def whole_and_broken(self) -> None:
        self.play(*map(Leave, (*self.fields, self.key)))
        self.play(*(Appear(word.letters) for word in self.spelled))
        self.play(*(word.merge() for word in self.spelled if word.gaps))
        self.play(*(Appear(word.note) for word in self.spelled))

    @beat(
        "All tokens stand in one list, the vocabulary: {rows}. "
        "A token's place in it is its id, and the ids are all that the model is given."
    )
    def the_vocabulary(self) -> None:
        self.play(*map(Leave, self.spelled))
        self.play(self.look_up.open())
        pace = min(QUICK, ALL_IDS / (2 * len(set(self.cutting.ids))))
        for index in sorted(set(self.cutting.ids)):
            self.play(self.look_up.list.scroll_to(index, pace))
            row = self.look_up.list.row(index).id
            same = [i for i, other in enumerate(self.cutting.ids) if other == index]
            self.play(*(Fly(self.ids.numbers[i], row, pace) for i in same))
        self.play(*map(Leave, self.look_up))

    def _cast_letters(self) -> None:
        cutting, place = self.cutting, self.content.raised(REMARK_HEIGHT)
        try:
            self.letters = Letters(cutting.characters, cutting.words, place, cutting.whole)
        except ValueError as error:
            self.refuse(f"{error} Choose a shorter prompt, or a wider frame.")
        self.bytes = self.letters.numbers(dict(enumerate(self.tensor("cutting.bytes").values)))
        best = self.rounds[0].pairs if self.rounds else []
        self.places = PairPlaces(self.letters, self.tensor("cutting.pairs").values, best)
        self.spaces = self.letters.ring(cutting.leading_spaces)
        self._cast_remarks()

    def _cast_remarks(self) -> None:
        place = replace(self.content, top=self.content.bottom + REMARK_HEIGHT)
        self.left = _tokens(len(self.spans)).move_to(place.center)
        if self.rounds:
            places = self.tensor("cutting.places").values
            listed = count(self.cutting.listed, "merges in the tokenizer's list")
            left, right = tokenization.first_pair(self.cutting)
            template = "best: {} and {}, at place {:.0f} of {:,.0f} in the list"
            self.best = Words(template, left, right, places[0], listed)
            self.listed = Words("under two neighbours: the place of their pair in the list")
            for remark in (self.best, self.listed):
                place.fit(remark)
            self.progress = Progress("merges in the order of the list, up to place", places, place)

    def _cast_squares(self) -> None:
        kinds = {
            "characters": len(self.cutting.characters),
            "tokens": len(self.tokens),
            "between spaces": len(self.stretches),
        }
        self.squares = PairSquares(kinds, self.content)

    def _cast_fields(self) -> None:
        flags = [self.documents.having(unit.text) for unit in self.units]
        texts = [
            (
                Words("{}", unit.label, size=LABEL_SIZE),
                self._found("{:,.0f} of {:,.0f}", unit.text),
            )
            for unit in self.units
        ]
        about = "each dot: one of the first {:,.0f} documents of our corpus"
        self.key = SmallPrint(about, self.documents.all)
        self.key.move_to((self.content.center[0], self.content.bottom, 0), DOWN)
        self.fields = DotFields(flags, texts, self.content.raised(self.key.height + GAP))

    def _cast_two_words(self) -> None:
        words = [word for word in (self.common, self.rare) if word]
        self.spelled = list(map(self._spell, words, self.content.rows(len(words))))

    def _spell(self, word: str, region: Region) -> SpelledWord:
        cutting = self.cut_word(word)
        found = self._found("in {:,.0f} of {:,.0f} documents", word)
        lines = _tokens(len(cutting.own)), found
        gaps = cutting.inner_gaps
        return SpelledWord(cutting.characters, gaps, lines, region, cutting.whole)

    def _found(self, template: str, text: str) -> Words:
        return Words(template, self.documents.found(text), self.documents.all, size=SMALL_SIZE)

    def _cast_vocabulary(self) -> None:
        self.ids = TokenIds(self.tensor("cutting.ids").values, self.token_row)
        pieces = self.vocabulary(rows_around(self.cutting.ids, self.cutting.largest_id))
        entries = [
            (self._id(index), piece)
            for index, piece in pieces.items()
            if index in self.cutting.ids or len(legible(piece)) <= LISTED
        ]
        here = count(self.cutting.largest_id + 1, "rows of the vocabulary")
        lines = (
            Words("{:,.0f} rows here", here),
            Words("{:,.0f} rows in {}", GPT3_VOCABULARY, "GPT-3", size=SMALL_SIZE, role=QUIET),
        )
        self.look_up = LookUp(entries, lines, self.content.below(self.ids, 2 * GAP))

    def _id(self, index: int) -> Value:
        if index in self.cutting.ids:
            return self.tensor("cutting.ids")[self.cutting.ids.index(index)].value
        return count(index, "rows of the vocabulary before this one")

    def _pieces_of(self, word: str) -> int:
        cutting = self.cut_word(word)
        return len(cutting.own) if cutting.is_known else 0


def _tokens(number: int) -> Words:
    noun = "token" if number == 1 else "tokens"
    return Words("{:.0f} {}", count(number, "tokens of the text"), noun)
