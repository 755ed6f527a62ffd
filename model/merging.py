"""How a tokenizer cut a text: its bytes, every merge in its order, the tokens. Knows no model."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from model.spelling import byte_characters
from model.tokenizer import Merge as Pair
from model.tokenizer import Tokenizer

Array = NDArray[np.float32]
Span = tuple[int, int]  # the first byte, and the one after the last


@dataclass(frozen=True)
class Merge:
    """Two runs of bytes, `start:middle` and `middle:end`, became one.

    `place` is that of their pair in the tokenizer's list of merges, from 1 on.
    """

    place: int
    start: int
    middle: int
    end: int


@dataclass(frozen=True)
class Cutting:
    """How a text of B bytes became T tokens.

    `merges` are in the order in which they were made: each time that pair of neighbours which
    stands first in the tokenizer's list, the leftmost of equals. A tokenizer that works in another
    way has none.
    """

    raw: bytes  # B of them
    words: tuple[Span, ...]  # no merge goes beyond one of them
    pairs: Array  # (B - 1,), the place of each two neighbouring bytes; infinite for no such merge
    merges: tuple[Merge, ...]
    spans: tuple[Span, ...]  # T of them
    ids: tuple[int, ...]  # T of them
    pieces: tuple[str, ...]  # T of them, as shown
    listed: int  # how many merges the tokenizer knows
    d_vocab: int  # how many tokens

    @property
    def characters(self) -> tuple[tuple[int, int, str], ...]:
        """Where each character begins and ends, in bytes, and what it is."""
        found, start = list[tuple[int, int, str]](), 0
        while start < len(self.raw):
            end = next(
                (end for end in range(start + 1, start + 5) if _is_text(self.raw[start:end])),
                start + 1,
            )
            raw = self.raw[start:end]
            found.append((start, end, raw.decode() if _is_text(raw) else f"⟨{raw[0]:02X}⟩"))
            start = end
        return tuple(found)

    @property
    def rules(self) -> tuple[tuple[Merge, ...], ...]:
        """The merges, those of one pair that follow each other taken together."""
        return tuple(tuple(same) for _, same in groupby(self.merges, lambda merge: merge.place))

    @property
    def inner_gaps(self) -> tuple[int, ...]:
        """The gaps inside tokens, in the order of the merges; gap i follows byte i."""
        if self.merges:
            return tuple(merge.middle - 1 for merge in self.merges)
        return tuple(gap for start, end in self.spans for gap in range(start, end - 1))

    def tensors(self) -> dict[str, Array]:
        """Every number of it under its address: `cutting.bytes[4]`, `cutting.ids[0]`."""
        numbers = {
            "bytes": list(self.raw),
            "pairs": self.pairs,
            "places": [merge.place for merge in self.merges],
            "ids": self.ids,
        }
        return {f"cutting.{name}": np.array(each, np.float32) for name, each in numbers.items()}


def cut(tokenizer: Tokenizer, text: str) -> Cutting:
    """Cut a text and write down how."""
    ids = tokenizer.encode(text)
    pieces = [tokenizer.token_bytes(token) for token in ids]
    words = [word for word in tokenizer.words(text) if word]
    merges, spans = _replayed(words, tokenizer.merges), _spans(list(map(len, pieces)))
    raw = b"".join(pieces)
    if _joined(merges, len(raw)) != spans or not tokenizer.merges:
        merges, words = (), ["".join(byte_characters()[byte] for byte in raw)]
    return Cutting(
        raw=raw,
        words=_spans([len(word) for word in words]),
        pairs=_pairs(words, tokenizer.merges if merges or len(spans) == len(raw) else {}),
        merges=merges,
        spans=spans,
        ids=tuple(ids),
        pieces=tokenizer.pieces(ids),
        listed=len(tokenizer.merges),
        d_vocab=tokenizer.d_vocab,
    )


def _replayed(words: Sequence[str], places: Mapping[Pair, int]) -> tuple[Merge, ...]:
    """Make the merges: each time the pair that stands first in the list, wherever it is."""
    each = [
        _merges_in(word, start, places) for start, word in zip(_starts(words), words, strict=True)
    ]
    return tuple(heapq.merge(*each, key=lambda merge: merge.place))


def _merges_in(word: str, start: int, places: Mapping[Pair, int]) -> Iterator[Merge]:
    runs = list(word)
    while candidates := _candidates(runs, places):
        place, index = min(candidates)
        at = start + sum(map(len, runs[:index]))
        middle = at + len(runs[index])
        yield Merge(place, at, middle, middle + len(runs[index + 1]))
        runs[index : index + 2] = [runs[index] + runs[index + 1]]


def _candidates(runs: Sequence[str], places: Mapping[Pair, int]) -> list[tuple[int, int]]:
    """Return (place in the list, index) of every two neighbours that may be merged."""
    return [(places[pair], index) for index, pair in enumerate(pairwise(runs)) if pair in places]


def _joined(merges: Sequence[Merge], length: int) -> tuple[Span, ...]:
    """Return the runs that are left of `length` bytes after merges."""
    inside = {merge.middle for merge in merges}
    edges = [edge for edge in range(length + 1) if edge not in inside]
    return tuple(pairwise(edges))


def _pairs(words: Sequence[str], places: Mapping[Pair, int]) -> Array:
    ends = set(accumulate(map(len, words)))
    text = "".join(words)
    found = [
        np.inf if at in ends else places.get(pair, np.inf)
        for at, pair in enumerate(pairwise(text), start=1)
    ]
    return np.array(found, np.float32)


def _starts(words: Sequence[str]) -> list[int]:
    return [0, *accumulate(map(len, words))][:-1]


def _spans(lengths: Sequence[int]) -> tuple[Span, ...]:
    return tuple(pairwise([0, *accumulate(lengths)]))


def _is_text(raw: bytes) -> bool:
    try:
        return len(raw.decode()) == 1
    except UnicodeDecodeError:
        return False
