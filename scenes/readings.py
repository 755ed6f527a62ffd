"""What a film points at, found by measurement. It knows arrays, and nothing of pictures."""

import numpy as np

from scenes.values import Array


def row_with_two_rivals(pattern: Array) -> int:
    """Return the query whose second most attended key weighs most; shape (query, key).

    A row in which two words share the attention tells more than one that looks at itself alone,
    so a token's attention to itself does not count. The pattern is causal: each query sees the
    keys up to its own place. With fewer than three tokens it is the last one.
    """
    tokens = len(pattern)
    if tokens < 3:
        return tokens - 1
    others = pattern * (1 - np.eye(tokens, dtype=pattern.dtype))
    return int(np.sort(others, axis=-1)[:, -2].argmax())


def best_answer(row: Array, query: int) -> int:
    """Return the key with the largest number in a query's row, among those up to its place."""
    return int(row[: query + 1].argmax())


def spread_of(cosines: Array) -> list[int]:
    """Return the keys that point most with, most across and most against a query, each once."""
    wanted = [int(cosines.argmax()), int(np.abs(cosines).argmin()), int(cosines.argmin())]
    return list(dict.fromkeys(wanted))
