"""In which documents of the corpus a word stands, and which neighbours are frequent, counted."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from model import corpus
from model.byte_pairs import Ranking, glued, merge_rounds, neighbours

__all__ = ["COUNTED", "Learning", "documents_with_word", "is_read", "learning", "used_alike"]

COUNTED = 1000  # documents, the first ones that training reads with seed 0
SHORT = (30, 40)  # characters, of a text that is shown whole


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


def used_alike(one: str, other: str, unlike: str) -> tuple[str, ...]:
    """Return two words, each between its two neighbours, the same for both, or nothing.

    Of the neighbours that the first documents have for both words and never for `unlike`, they are
    the most frequent. Words count where they stand in small letters between single spaces.
    """
    found, others, never = (_neighbours().get(word, Counter()) for word in (one, other, unlike))
    most = {pair: min(times, others[pair]) for pair, times in found.items()}
    shared = [pair for pair, times in most.items() if times and not never[pair]]
    if one == other or not shared:
        return ()
    before, after = max(shared, key=lambda pair: most[pair])
    return tuple(f"{before} {word} {after}" for word in (one, other))


@cache
def _neighbours() -> dict[str, Counter[tuple[str, str]]]:
    """Return how often each word of the first documents stands between which two."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    for text in islice(corpus.documents(0, "train"), COUNTED):
        for line in text.splitlines():
            words = [word if word.isalpha() and word.islower() else "" for word in line.split(" ")]
            for before, word, after in zip(words, words[1:], words[2:], strict=False):
                if before and word and after:
                    found.setdefault(word, Counter())[before, after] += 1
    return found


@cache
def is_read(text: str) -> bool:
    """Return whether a text stands, letter by letter, in one of the first documents."""
    return any(text in each for each in islice(corpus.documents(0, "train"), COUNTED))


@cache
def _first_words() -> tuple[frozenset[str], ...]:
    first = islice(corpus.documents(0, "train"), COUNTED)
    return tuple(frozenset(re.findall(r"\w+", text.lower())) for text in first)


@cache
def _learned_from() -> tuple[str, ...]:
    return tuple(corpus.tokenizer_texts(0, COUNTED))


@cache
def learning(rounds: int, listed: int) -> Learning:
    """Return the first rounds of learning merges from what our tokenizer learns from.

    Counted are the first `COUNTED` documents and the rows of words that come with them; the text
    is a short one of them in which pairs of most rounds meet, and of these the first pair most.
    """
    texts = _learned_from()
    rankings = merge_rounds(texts, rounds + 1, listed)
    pairs = [ranking[0].pair for ranking in rankings[:rounds]]
    least, most = SHORT

    def seen(text: str) -> tuple[int, int]:
        gaps = glued(text, pairs)[1]
        return sum(map(bool, gaps)), len(gaps[0])

    text = max((t for t in texts if least <= len(t) <= most and t.isascii()), key=seen)
    return Learning(len(texts), text, *neighbours(text, listed), rankings, *glued(text, pairs))
