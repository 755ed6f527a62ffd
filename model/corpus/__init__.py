"""The text that the model is trained on, generated from a lexicon and a grammar written here.

``documents`` is the stream that training reads; the other functions give sentences for
measuring what the model has learned. Nothing here knows of tokens or tensors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from model import lexicon
from model.corpus.binding import Binding, NounPhrase, bindings, noun_phrases, write_binding
from model.corpus.facts import Fact, facts, write_facts
from model.corpus.grammar import Writer, capitalised
from model.corpus.patterns import write_pattern, write_repetition
from model.corpus.phrases import meets_held_pair, pick, with_articles
from model.corpus.seeds import Split, document_seeds, generator

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Binding",
    "Fact",
    "NounPhrase",
    "bindings",
    "documents",
    "facts",
    "noun_phrases",
    "tokenizer_texts",
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


def documents(seed: int, split: Split) -> Iterator[str]:
    """Short documents without end; the same seed and split give the same ones."""
    for document_seed in document_seeds(seed, split):
        yield document(Writer(generator(document_seed), held=split == "held_out"))


def tokenizer_texts(seed: int, count: int) -> Iterator[str]:
    """Return what the tokenizer learns from: ``count`` documents, and rows of everyday words.

    The rows keep the words of everyday English whole, however seldom the grammar says them.
    Lists and nonsense are left out, so that invented words do not take the place of real ones.
    """
    common, first = lexicon.common_forms(), lexicon.first_words()
    seeds = document_seeds(seed, "train")
    for index, document_seed in zip(range(count), seeds, strict=False):
        writer = Writer(generator(document_seed))
        yield document(writer, PROSE)
        if index % 10 == 0:
            yield "".join(f" {pick(writer.rng, common)}" for _ in range(ROW))
            yield "\n".join(pick(writer.rng, first) for _ in range(ROW // 4))


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
