"""What a film points at, found by measurement. It knows arrays, and nothing of pictures."""

import numpy as np

from scenes.values import Array


def asker(pattern: Array) -> int:
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


def best_answer(row: Array, query: int) -> int:
    """Return the key with the largest number in a query's row, among those up to its place."""
    return int(row[: query + 1].argmax())


def spread_of(row: Array) -> list[int]:
    """Return the keys with the largest, the smallest and the number nearest zero, falling, once."""
    wanted = {int(row.argmax()), int(np.abs(row).argmin()), int(row.argmin())}
    return sorted(wanted, key=lambda key: -float(row[key]))
