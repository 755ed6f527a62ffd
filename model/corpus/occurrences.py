"""In which documents of the corpus a text stands, and which neighbours are frequent, counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from model import corpus
from model.byte_pairs import Ranking, merge_rounds

__all__ = ["COUNTED", "Learning", "documents_with", "learning"]

COUNTED = 1000  # documents, the first ones that training reads with seed 0
SHORT = (60, 80)  # characters, of a text that is shown whole


@dataclass(frozen=True)
class Learning:
    """How a tokenizer's merges are learned from texts; `text` is one of them."""

    texts: int  # that were counted
    text: str
    rounds: tuple[Ranking, ...]


def documents_with(text: str) -> NDArray[np.bool_]:
    """Return for each of the first documents, shape (COUNTED,), whether a text stands in it."""
    return np.array([text in document for document in _first()])


@cache
def _first() -> tuple[str, ...]:
    return tuple(islice(corpus.documents(0, "train"), COUNTED))


@cache
def learning(word: str, rounds: int, listed: int) -> Learning:
    """Return the first rounds of learning merges from what our tokenizer learns from.

    Counted are the first `COUNTED` documents and the rows of words that come with them; the text
    is a short one of them with a word in it, in which the first pair is frequent.
    """
    texts = list(corpus.tokenizer_texts(0, COUNTED))
    rankings = merge_rounds(texts, rounds, listed)
    first = "".join(rankings[0][0].pair)
    least, most = SHORT
    short = [text for text in texts if least <= len(text) <= most and word in text]
    text = max(short, key=lambda text: text.count(first))
    return Learning(len(texts), text, rankings)
