"""The text that the model is trained on, generated from a lexicon and a grammar written here.

``documents`` is the stream that training reads; the other functions give sentences for
measuring what the model has learned.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from model import lexicon
from model.corpus.binding import Binding, NounPhrase, bindings, noun_phrases, write_binding
from model.corpus.facts import Fact, facts, write_facts
from model.corpus.grammar import Writer, capitalised
from model.corpus.patterns import write_pattern, write_repeated_row, write_repetition
from model.corpus.phrases import meets_held_pair, pick, with_articles
from model.corpus.seeds import Split, document_seeds, generator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "Binding",
    "Fact",
    "NounPhrase",
    "bindings",
    "documents",
    "facts",
    "noun_phrases",
    "repetitions",
    "tokenizer_texts",
    "tokenizer_worth",
]

WRITTEN = {
    "binding": (write_binding, 28),
    "facts": (write_facts, 8),
    "pattern": (write_pattern, 5),
    "repetition": (write_repetition, 9),
}
RULED = {"quotation": 12, "story": 9, "talk": 8, "everyday": 21}
KINDS = tuple(
    kind
    for kind, share in {**{name: n for name, (_, n) in WRITTEN.items()}, **RULED}.items()
    for _ in range(share)
)
PROSE = tuple(kind for kind in KINDS if kind not in {"pattern", "repetition"})
ROW = 80
LOWER_CASE = 0.12
REPEATED = 0.8  # of the documents of `repetitions`
MEASURED = 300  # sentences of each kind, of which the nouns and adjectives are one token each
WORTH_NEEDED = 100
FILM_WORDS = (
    *("fluffy", "blue", "creature", "roamed", "verdant", "forest", "robot", "must", "obey"),
    *("orders", "given", "human", "beings", "cleverest", "thinker", "apple", "orange", "watch"),
    *("banana", "lemon", "king", "queen", "man", "woman", "mole", "basketball"),
)
FILM_STARTS = ("The", "To", "Once", "How", "Michael")


def documents(seed: int, split: Split) -> Iterator[str]:
    """Short documents without end; the same seed and split give the same ones."""
    for document_seed in document_seeds(seed, split):
        yield document(Writer(generator(document_seed), held=split == "held_out"))


def repetitions(seed: int) -> Iterator[str]:
    """Documents for the beginning of training, most of them a row of words again and again.

    What comes next can then only be known by looking for what came next the last time.
    """
    for document_seed in document_seeds(seed, "train"):
        rng = generator(document_seed)
        writer = Writer(rng)
        yield write_repeated_row(writer) if rng.random() < REPEATED else document(writer)


def tokenizer_texts(seed: int, count: int) -> Iterator[str]:
    """Return what the tokenizer learns from: ``count`` documents, and rows of everyday words.

    The rows keep the words of everyday English whole, however seldom the grammar says them.
    Lists and nonsense are left out, so that invented words do not take the place of real ones.
    """
    worth = tokenizer_worth()
    inner = [piece for piece in worth if piece.startswith(" ")]
    bare = [piece for piece in worth if not piece.startswith(" ")]
    seeds = document_seeds(seed, "train")
    for index, document_seed in zip(range(count), seeds, strict=False):
        writer = Writer(generator(document_seed))
        yield document(writer, PROSE)
        if index % 10 == 0:
            yield "".join(pick(writer.rng, inner) for _ in range(ROW))
            yield "\n".join(pick(writer.rng, bare) for _ in range(ROW // 4))


@cache
def tokenizer_worth() -> dict[str, float]:
    """How much it is worth that a piece of text, with the space before it, is one token.

    Most for what measurements and films need whole: facts' answers, and the nouns and
    adjectives of the measured sentences. Then by how common a word is in English, for ordinary
    prompts are nobody's grammar.
    """
    (often, less), (second, seldom) = (lexicon.frequent_forms(t) for t in ("first", "second"))
    phrases, first = noun_phrases(0, MEASURED), lexicon.first_words()
    spans = [(p.text, *span) for p in phrases for span in (p.noun, *p.adjectives)]
    needed = {text[start:end] for text, start, end in spans}
    needed |= {word for binding in bindings(0, MEASURED) for word in binding.adjectives}
    needed |= {fact.answer for fact in facts()} | set(FILM_WORDS)
    said = {word for phrase in phrases for word in phrase.text.split() if word.isalpha()}
    tiers = [
        (WORTH_NEEDED, [*spaced(sorted(needed)), *lexicon.marks(), *FILM_STARTS]),
        (20, [*spaced(often), *first[: len(first) // 2]]),
        (8, [*spaced(less), *first[len(first) // 2 :]]),
        (5, spaced(second)),
        (2, spaced([*lexicon.common_forms(), *sorted(said)])),
        (1.5, spaced(seldom)),
    ]
    return {piece: worth for worth, pieces in reversed(tiers) for piece in pieces}


def spaced(words: Sequence[str]) -> list[str]:
    """Words as they stand within a sentence."""
    return [f" {word}" for word in words]


def document(writer: Writer, kinds: tuple[str, ...] = KINDS) -> str:
    """Return one document, in which no held-out pair meets unless the writer may use them."""
    while True:
        writer.mentioned.clear()
        text = draft(writer, kinds)
        if writer.held or not meets_held_pair(text):
            return text


def draft(writer: Writer, kinds: tuple[str, ...]) -> str:
    """Return a document of a kind that comes up as often as its share says."""
    kind = pick(writer.rng, kinds)
    if kind in WRITTEN:
        return WRITTEN[kind][0](writer)
    text = capitalised(with_articles(writer.write(kind)))
    return text.lower() if writer.rng.random() < LOWER_CASE else text
