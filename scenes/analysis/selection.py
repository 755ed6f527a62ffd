"""What a film points at: the query, key, pair or heads that are found by measuring."""

from collections.abc import Sequence

import numpy as np

from scenes.provenance import Array

HERO = " creature"  # the token that the course's own sentence is about


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


def strongest_key(row: Array, query: int) -> int:
    """Return the key with the largest number in a query's row, among those up to its place."""
    return int(row[: query + 1].argmax())


def contrasting_keys(row: Array) -> list[int]:
    """Return the keys with the largest, the smallest and the number nearest zero, falling, once."""
    wanted = {int(row.argmax()), int(np.abs(row).argmin()), int(row.argmin())}
    return sorted(wanted, key=lambda key: -float(row[key]))


def most_different_heads(patterns: Array) -> tuple[int, int, int]:
    """Return the query at which two heads differ most, and these heads; shape (H, T, T).

    Two heads differ by half the sum of the differences of their weights: 1 where they share no
    key. Heads that look most at different keys come before heads that look at the same one; the
    head that is surer of its key is named first.
    """
    apart = 0.5 * np.abs(patterns[:, None] - patterns[None]).sum(axis=-1)  # (H, H, T)
    favourites = patterns.argmax(axis=-1)  # (H, T)
    apart = apart + (favourites[:, None] != favourites[None])
    one, other, query = np.unravel_index(int(apart.argmax()), apart.shape)
    pair = sorted((int(one), int(other)), key=lambda head: -float(patterns[head, query].max()))
    return int(query), pair[0], pair[-1]


def most_similar_pair(cosines: Array, ids: Sequence[int]) -> tuple[int, int] | None:
    """Return the places of the two different tokens with the largest cosine, if there are two."""
    found = [(i, j) for j in range(len(ids)) for i in range(j) if ids[i] != ids[j]]
    return max(found, key=lambda pair: float(cosines[pair]), default=None)


def one_hots(ids: Sequence[int], length: int) -> Array:
    """Return a vector for each id, 1 at its own place and 0 elsewhere: (ids, length)."""
    found: Array = np.zeros((len(ids), length), np.float32)
    found[np.arange(len(ids)), list(ids)] = 1
    return found
