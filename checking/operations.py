"""What the words of a source do to numbers, by what they say. It knows no addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]


def length(vector: Numbers) -> Numbers:
    """Return the Euclidean length of a vector, or the Frobenius norm of a matrix."""
    return np.asarray(np.linalg.norm(vector))


def softmax(scores: Numbers) -> Numbers:
    """Return the shares that softmax gives along the last axis, whatever the size of scores."""
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares(exponentials)


def shares(weights: Numbers) -> Numbers:
    """Return weights divided by their sum along the last axis."""
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def past(weights: Numbers) -> Numbers:
    """Return (queries, keys) with zero where the key comes after the query."""
    return np.tril(weights)


def masked_softmax(scores: Numbers) -> Numbers:
    """Return the softmax of (queries, keys) with the keys that come after a query left out."""
    return softmax(np.where(np.tril(np.ones_like(scores)) > 0, scores, -np.inf))


def slope_of_softmax(scores: Numbers) -> Numbers:
    """Return the Jacobian of softmax at a row of scores: (n,) to (n, n)."""
    weights = softmax(scores)
    return np.asarray(np.diag(weights) - np.outer(weights, weights))


def heads_joined(numbers: Numbers) -> Numbers:
    """Return (heads, entries, ...) with the entries of all heads end to end."""
    return numbers.reshape(-1, *numbers.shape[2:])


def _entries(numbers: Numbers) -> Numbers:
    return np.asarray(float(numbers.size))


UNARY: Mapping[str, Callable[[Numbers], Numbers]] = {
    "length of": length,
    "exp of": np.exp,
    "square root of": np.sqrt,
    "largest of": np.max,
    "standard deviation of": np.std,
    "entries in": _entries,
    "softmax over key of": softmax,
    "shares over key of": shares,
    "past of": past,
    "masked softmax over key of": masked_softmax,
    "transpose of": np.transpose,
    "heads joined in": heads_joined,
    "slope of softmax at": slope_of_softmax,
}
