"""In which documents of the corpus a word stands, and which neighbours are frequent, counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from model import corpus
from model.byte_pairs import Ranking, glued, merge_rounds, neighbours

__all__ = ["COUNTED", "Learning", "documents_with_word", "is_read", "learning"]

COUNTED = 1000  # documents, the first ones that training reads with seed 0
SHORT = (60, 80)  # characters, of a text that is shown whole


@dataclass(frozen=True)
class Learning:
    """How a tokenizer's merges are learned from texts; `text` is one of them."""

    texts: int  # that were counted
    text: str
    met: tuple[int, ...]  # the gaps of it where two neighbours of a word meet
    tally: tuple[Ranking, ...]  # its frequent pairs, counted up to each of those gaps
    rounds: tuple[Ranking, ...]  # and what the next one would find
    parts: tuple[str, ...]  # of the text, after the rounds
    gaps: tuple[tuple[int, ...], ...]  # that each round closes in it; gap i follows character i


def documents_with_word(word: str) -> NDArray[np.bool_]:
    """Return for each of the first documents, shape (COUNTED,), whether a word stands in it.

    It stands there by itself, in small letters or large ones.
    """
    return np.array([word.lower() in words for words in _first_words()])


@cache
def is_read(text: str) -> bool:
    """Return whether a text stands, letter by letter, in one of the first documents."""
    return any(text in each for each in islice(corpus.documents(0, "train"), COUNTED))


@cache
def _first_words() -> tuple[frozenset[str], ...]:
    first = islice(corpus.documents(0, "train"), COUNTED)
    return tuple(frozenset(re.findall(r"\w+", text.lower())) for text in first)


@cache
def learning(rounds: int, listed: int) -> Learning:
    """Return the first rounds of learning merges from what our tokenizer learns from.

    Counted are the first `COUNTED` documents and the rows of words that come with them; the text
    is a short one of them in which pairs of most rounds meet, and of these the first pair most.
    """
    texts = list(corpus.tokenizer_texts(0, COUNTED))
    rankings = merge_rounds(texts, rounds + 1, listed)
    pairs = [ranking[0].pair for ranking in rankings[:rounds]]
    least, most = SHORT

    def seen(text: str) -> tuple[int, int]:
        gaps = glued(text, pairs)[1]
        return sum(map(bool, gaps)), len(gaps[0])

    text = max((t for t in texts if least <= len(t) <= most and t.isascii()), key=seen)
    return Learning(len(texts), text, *neighbours(text, listed), rankings, *glued(text, pairs))
