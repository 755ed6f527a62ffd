"""Softmax worked out step by step, every number with its source. It knows arrays, no pictures.

What is worked out is a `Worked` tensor: its name is the arithmetic, so that an entry of it says
`= entry 6 of softmax over key of scores[2,1,4,:]`. All of it is computed in double precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scenes.provenance import Tensor, Value


@dataclass(frozen=True)
class Worked(Tensor):
    """An array that was worked out from tensors; its name is the arithmetic that did it.

    Entries and rows are picked from the left: `worked[3]`, `worked[3, 1]`.
    """

    @property
    def address(self) -> str:
        """The arithmetic, after the entry that was picked: `entry 3,1 of past of ...`."""
        picked = [str(entry) for entry in self.index if not isinstance(entry, slice)]
        return f"entry {','.join(picked)} of {self.name}" if picked else self.name

    @property
    def value(self) -> Value:
        """The number, once every axis has been picked."""
        return Value(float(self.array), f"= {self.address}")


def exponentials(scores: Tensor) -> Worked:
    """Return e to the power of every number."""
    return Worked(np.exp(_double(scores)), f"exp of {scores.address}")


def below_largest(scores: Tensor) -> Worked:
    """Return how far every number lies below the largest one: none is positive."""
    numbers = _double(scores)
    return Worked(numbers - numbers.max(), f"({scores.address} - largest of {scores.address})")


def softmax(scores: Tensor) -> Worked:
    """Return the shares that softmax gives to the keys, which are the last axis."""
    numbers = _double(scores)
    raised = np.exp(numbers - numbers.max(axis=-1, keepdims=True))
    return Worked(_shared_out(raised), f"softmax over key of {scores.address}")


def past(weights: Tensor) -> Worked:
    """Return weights (queries, keys), those of keys after their query set to zero."""
    return Worked(np.tril(_double(weights)), f"past of {weights.address}")


def shares(weights: Tensor) -> Worked:
    """Return weights divided by their sum over the keys, which are the last axis."""
    return Worked(_shared_out(_double(weights)), f"shares over key of {weights.address}")


def total(row: Tensor) -> Value:
    """Return the sum of a row over its keys."""
    return Value(float(_double(row).sum()), f"= sum over key of {row.address}")


def slope(row: Tensor) -> Value:
    """Return how steep softmax is at a row of scores: the Frobenius norm of its Jacobian."""
    weights = softmax(row).array
    jacobian = np.diag(weights) - np.outer(weights, weights)
    source = f"= length of slope of softmax at {row.address}"
    return Value(float(np.linalg.norm(jacobian)), source)


def spread(numbers: Tensor) -> Value:
    """Return the standard deviation of numbers."""
    return Value(float(_double(numbers).std()), f"= standard deviation of {numbers.address}")


def _double(tensor: Tensor) -> Any:  # noqa: ANN401 # numpy's own types come out of arithmetic
    return tensor.array.astype(np.float64)


def _shared_out(weights: Any) -> Any:  # noqa: ANN401 # as above
    return weights / weights.sum(axis=-1, keepdims=True)
