"""Softmax worked out step by step, in double precision, every number with its source."""

from __future__ import annotations

import numpy as np

from scenes import expressions
from scenes.expressions import Numbers
from scenes.provenance import Tensor, Value, applied, transformed


def exponentials(scores: Tensor) -> Tensor:
    """Return e to the power of every number."""
    return transformed(expressions.EXPONENTIAL, np.exp(scores.double), scores)


def softmax(scores: Tensor) -> Tensor:
    """Return the shares that softmax gives to the keys, which are the last axis."""
    return transformed(expressions.SOFTMAX, _softmax(scores.double), scores)


def past(weights: Tensor) -> Tensor:
    """Return weights (queries, keys), those of keys after their query set to zero."""
    return transformed(expressions.PAST, np.tril(weights.double), weights)


def shares(weights: Tensor) -> Tensor:
    """Return weights divided by their sum over the keys, which are the last axis."""
    return transformed(expressions.SHARES, _shares(weights.double), weights)


def standard_deviation(numbers: Tensor) -> Value:
    """Return the standard deviation of numbers."""
    return applied(expressions.DEVIATION, numbers.double.std(), numbers)


def _softmax(scores: Numbers) -> Numbers:
    return _shares(np.exp(scores - scores.max(axis=-1, keepdims=True)))


def _shares(weights: Numbers) -> Numbers:
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
