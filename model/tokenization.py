"""How a tokenizer cuts a text: its bytes, every merge in order, the tokens.

The library that tokenizes tells only the result; the merges are replayed here.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from model.byte_pairs import Merge as Pair
from model.tokenizer import Tokenizer, shown_bytes

Array = NDArray[np.float32]
Span = tuple[int, int]  # the first byte, and the one after the last
Unit = tuple[str, int]  # a run of bytes, as the tokenizer writes it, and how many they are
SPACE = ord(" ")


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
    """How a text of B bytes, as the tokenizer reads it, became T tokens.

    `merges` are in the order in which they were made: each time that pair of neighbours which
    stands first in the tokenizer's list, the leftmost of equals. A tokenizer that works in another
    way has none. A token that is put around any text has an empty span.
    """

    text: str
    raw: bytes  # B of them; some tokenizers change a text, or put a space before it
    words: tuple[Span, ...]  # what is written together; no merge goes beyond one of them
    whole: tuple[int, ...]  # the gaps inside what it never takes apart; gap i follows byte i
    pairs: Array  # (B - 1,), the place of each two neighbours; infinite for no such merge
    merges: tuple[Merge, ...]
    is_merged: bool  # whether merges alone make the tokens
    spans: tuple[Span, ...]  # T of them
    ids: tuple[int, ...]  # T of them
    pieces: tuple[str, ...]  # T of them, as shown
    listed: int  # how many merges the tokenizer knows
    d_vocab: int  # how many tokens
    largest_id: int
    is_known: bool  # whether there is a token for every part of the text

    @property
    def own(self) -> tuple[int, ...]:
        """The places of the tokens that stand for a part of the text."""
        return tuple(place for place, (start, end) in enumerate(self.spans) if start < end)

    @property
    def around(self) -> tuple[str, ...]:
        """The pieces of the tokens that are put around any text."""
        return tuple(self.pieces[i] for i, (start, end) in enumerate(self.spans) if start == end)

    @property
    def leading_spaces(self) -> tuple[Span, ...]:
        """The spaces that tokens begin with; none where a space is a token by itself."""
        spans = [self.spans[place] for place in self.own]
        found = [(start, end) for start, end in spans if self.raw[start] == SPACE]
        belong = all(self.raw[start:end].strip() for start, end in found)
        return tuple((start, start + 1) for start, _ in found) if belong else ()

    def shown(self, start: int, end: int) -> str:
        """Return what a run of bytes shows: its characters, or ⟨F0⟩ for a byte that is none."""
        return shown_bytes(self.raw[start:end])

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
        inside = (gap for start, end in self.spans for gap in range(start, end - 1))
        return tuple(gap for gap in inside if gap not in self.whole)

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
    ids, shares = (
        zip(*found, strict=True) if (found := tokenizer.encode_with_bytes(text)) else ((), ())
    )
    raw, spans = b"".join(shares), _spans(list(map(len, shares)))
    words = [tokenizer.units(word) for word in tokenizer.words(text) if word]
    merges = _replayed(words, tokenizer.merges)
    edges = _edges(words)
    is_merged = bool(tokenizer.merges) and _ends(spans) == _left(edges, merges)
    if not is_merged:
        edges, words, merges = [*range(len(raw) + 1)], [], ()
    return Cutting(
        text=text,
        raw=raw,
        words=_words(raw, words),
        whole=tuple(sorted(set(range(len(raw))) - {edge - 1 for edge in edges})),
        pairs=_pairs(words, tokenizer.merges, len(raw)),
        merges=merges,
        is_merged=is_merged,
        spans=spans,
        ids=ids,
        pieces=tokenizer.pieces(ids),
        listed=len(tokenizer.merges),
        d_vocab=tokenizer.d_vocab,
        largest_id=tokenizer.largest_id,
        is_known=not any(map(tokenizer.is_unknown, ids)),
    )


def _replayed(words: Sequence[Sequence[Unit]], places: Mapping[Pair, int]) -> tuple[Merge, ...]:
    """Make the merges: each time the pair that stands first in the list, wherever it is."""
    starts = accumulate(map(_length, words), initial=0)
    each = [_merges_in(word, start, places) for start, word in zip(starts, words, strict=False)]
    return tuple(heapq.merge(*each, key=lambda merge: merge.place))


def _merges_in(word: Sequence[Unit], start: int, places: Mapping[Pair, int]) -> Iterator[Merge]:
    runs = list(word)
    while candidates := _candidates(runs, places):
        place, index = min(candidates)
        (left, before), (right, after) = runs[index : index + 2]
        at = start + _length(runs[:index])
        yield Merge(place, at, at + before, at + before + after)
        runs[index : index + 2] = [(left + right, before + after)]


def _candidates(runs: Sequence[Unit], places: Mapping[Pair, int]) -> list[tuple[int, int]]:
    """Return (place in the list, index) of every two neighbours that may be merged."""
    found = [
        (places.get((one, other)), i) for i, ((one, _), (other, _)) in enumerate(pairwise(runs))
    ]
    return [(place, index) for place, index in found if place is not None]


def _edges(words: Sequence[Sequence[Unit]]) -> list[int]:
    """Return where units begin and end, in bytes."""
    return [*accumulate((length for word in words for _, length in word), initial=0)]


def _left(edges: Sequence[int], merges: Sequence[Merge]) -> set[int]:
    """Return where what is left after merges begins and ends."""
    return set(edges) - {merge.middle for merge in merges}


def _ends(spans: Sequence[Span]) -> set[int]:
    return {0, *(end for _, end in spans)}


def _pairs(words: Sequence[Sequence[Unit]], places: Mapping[Pair, int], length: int) -> Array:
    found: Array = np.full(max(length - 1, 0), np.inf, np.float32)
    at = 0
    for word in words:
        for (one, before), (other, _) in pairwise(word):
            at += before
            found[at - 1] = places.get((one, other), np.inf)
        at += word[-1][1]
    return found


def _words(raw: bytes, words: Sequence[Sequence[Unit]]) -> tuple[Span, ...]:
    """Return the spans of words; where there is but one, it is parted before its spaces."""
    if len(words) > 1:
        return _spans(list(map(_length, words)))
    starts = [i for i in range(1, len(raw)) if raw[i] == SPACE != raw[i - 1]]
    return tuple(pairwise([0, *starts, len(raw)]))


def _length(units: Sequence[Unit]) -> int:
    return sum(length for _, length in units)


def _spans(lengths: Sequence[int]) -> tuple[Span, ...]:
    return tuple(pairwise([0, *accumulate(lengths)]))


def _is_text(raw: bytes) -> bool:
    try:
        return len(raw.decode()) == 1
    except UnicodeDecodeError:
        return False
