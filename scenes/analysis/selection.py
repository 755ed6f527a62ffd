"""What a film points at: the query, key, pair or heads that are found by measuring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scenes.provenance import Array, Tensor

HERO = " creature"  # the token that the course's own sentence is about
COMMON = 2  # times as early as the rarest word of a text, a common one was learned


def attending_query(pattern: Array) -> int:
    """Return the query that gives most of its attention to other words; shape (query, key).

    Attention to itself does not count, nor to the first token, where many heads rest when they
    find nothing. The pattern is causal: each query sees the keys up to its own place. With fewer
    than three tokens it is the last one.
    """
    tokens = len(pattern)
    if tokens < 3:
        return tokens - 1
    others = pattern * (1 - np.eye(tokens, dtype=pattern.dtype))
    return int(others[:, 1:].sum(axis=-1).argmax())


def followed_query(pieces: Sequence[str], pattern: Array) -> int:
    """Return the query that the course follows: the hero where it stands, or else the asker."""
    return list(pieces).index(HERO) if HERO in pieces else attending_query(pattern)


def contrasting_keys(row: Array) -> list[int]:
    """Return the keys with the largest, the smallest and the number nearest zero, falling, once."""
    wanted = {int(row.argmax()), int(np.abs(row).argmin()), int(row.argmin())}
    return sorted(wanted, key=lambda key: -float(row[key]))


def most_similar_pair(cosines: Array, ids: Sequence[int]) -> tuple[int, int] | None:
    """Return the places of the two different tokens with the largest cosine, if there are two."""
    found = [(i, j) for j in range(len(ids)) for i in range(j) if ids[i] != ids[j]]
    return max(found, key=lambda pair: float(cosines[pair]), default=None)


def is_whole_word(pieces: Sequence[str], at: int) -> bool:
    """Return whether a piece of a text is a word, and not a part of one."""
    begins, after = not at or pieces[at].startswith(" "), "".join(pieces[at + 1 : at + 2])
    return begins and pieces[at].strip().isalpha() and not after[:1].isalpha()


def alike(table: Array, row: int, number: int) -> list[int]:
    """Return the rows of a table that are most like one, by cosine, falling; itself is none."""
    vectors = table.astype(np.float64)
    lengths = np.maximum(np.sqrt(np.einsum("rd,rd->r", vectors, vectors)), 1e-12)
    cosines = vectors @ vectors[row] / lengths
    cosines[row] = -np.inf
    return [int(each) for each in np.argsort(-cosines, kind="stable")[:number]]


def one_hots(ids: Sequence[int], length: int) -> Array:
    """Return a vector for each id, 1 at its own place and 0 elsewhere: (ids, length)."""
    found: Array = np.zeros((len(ids), length), np.float32)
    found[np.arange(len(ids)), list(ids)] = 1
    return found


@dataclass(frozen=True)
class Disagreement:
    """A query for which a head and another one of its layer look at two keys.

    Where no other head looks mostly at another word, `differ` is false: both keys are the
    favourites of the first head, and the other head is the one whose weights differ most.
    """

    query: int
    heads: tuple[int, int]
    keys: tuple[int, int]
    differ: bool = True

    @classmethod
    def of(cls, patterns: Array, head: int) -> Disagreement:
        """Find where both heads are surest of two words, in patterns (H, T, T), T 2 or more.

        Words that are neither the first one, where heads rest, nor the query itself come first.
        """
        favourites, sure = patterns.argmax(axis=-1), patterns.max(axis=-1)
        found = []
        for query in range(1, patterns.shape[1]):
            for other in range(len(patterns)):
                keys = int(favourites[head, query]), int(favourites[other, query])
                is_proper = min(keys) > 0 and max(keys) < query
                both = float(sure[head, query] * sure[other, query])
                if keys[0] != keys[1]:
                    found.append((is_proper, both, query, other, keys))
        if found:
            _, _, query, other, keys = max(found)
            return cls(query, (head, other), keys)
        query = patterns.shape[1] - 1
        apart = np.abs(patterns[:, query] - patterns[head, query]).sum(axis=-1)
        ranked = np.argsort(-patterns[head, query, : query + 1], kind="stable").tolist()
        return cls(query, (head, int(apart.argmax())), (ranked[0], ranked[1]), differ=False)


def word_like(token: int, near: Sequence[int], pieces: Mapping[int, str]) -> int:
    """Return the first of the tokens near to one that is a word as it is, and not the same one.

    Where none is a word, the first that has a piece is returned, or the first of all.
    """
    own = pieces.get(token, "")
    words = (
        each
        for each in near
        if (piece := pieces.get(each, "")).strip().isalpha()
        and piece.strip().casefold() != own.strip().casefold()
        and piece.startswith(" ") == own.startswith(" ")
    )
    return next(words, next((each for each in near if each in pieces), near[0]))


def telling(whole: Sequence[Tensor], parts: Sequence[Tensor], most: int) -> tuple[list[int], int]:
    """Return `most` entries in which two vectors differ most, and with how many decimals they are.

    Those come first that differ, are not zero and, of parts, add up as they are written, with two.
    """
    written = np.array([row.double.round(2) for row in (*whole, *parts)])
    is_plain = (written[0] != written[1]) & (written[0] * written[1] != 0)
    if parts:
        is_plain &= np.isclose(written[2] + written[3:], written[:2]).all(axis=0)
    order = np.lexsort((-np.abs(whole[0].double - whole[1].double), ~is_plain))[:most]
    return sorted(order.tolist()), 2 if is_plain[order].all() else 3


def telling_places(ids: Sequence[int], pieces: Sequence[str]) -> list[int]:
    """Return where whole words stand that are not too common, before the last; or all places.

    Common ones were learned early, and have small numbers.
    """
    found = [
        place
        for place, (piece, after) in enumerate(pairwise(pieces))
        if piece.strip().isalpha()
        and (place == 0 or piece.startswith(" "))
        and not after[0].isalpha()
    ]
    rare = [place for place in found if COMMON * ids[place] >= max(ids)]
    return rare or found or [*range(max(1, len(ids) - 1))]
