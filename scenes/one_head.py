"""One attention head worked out by itself, from what its layer reads and its own weights.

It knows arrays and their addresses, no model and no pictures. Every step is a `Derived` array, so
that whatever is shown of it can say how it was made; all is in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scenes.softmax import softmax
from scenes.values import Addressed, Derived, Tensor, added, matmul, stacked


@dataclass(frozen=True)
class OneHead:
    """The steps of a head, for T tokens and K entries a head, D entries a token."""

    q: Addressed  # (T, K)
    k: Addressed  # (T, K)
    v: Addressed  # (T, K)
    scores: Addressed  # (T, T), divided by the square root of K, the future not yet hidden
    pattern: Addressed  # (T, T)
    z: Addressed  # (T, K)
    out: Addressed  # (T, D)


def one_head(
    x: Tensor, tensor: Callable[[str], Tensor], layer: int, head: int, entries: Tensor
) -> OneHead:
    """Work a head out from `x`, the layer's input (T, D), and nothing else of the trace.

    `tensor` gives the weights by name; `entries` is a vector of a head's length, (K,).
    """
    q, k, v = (
        added(matmul(x, weight(tensor, f"W_{kind}", layer, head)), bias(tensor, kind, layer, head))
        for kind in "QKV"
    )
    scores = scaled_scores(q, k, entries)
    pattern = masked_softmax(scores)
    z = matmul(pattern, v)
    return OneHead(q, k, v, scores, pattern, z, matmul(z, weight(tensor, "W_O", layer, head)))


def word_by_word(given: OneHead, entries: Tensor, masked: Tensor, w_o: Tensor) -> OneHead:
    """Work the same steps out one query at a time: a row of each matrix for each token.

    `given` holds the model's own matrices; each step starts from the one before it, so that each
    can be held against its matrix by itself. `masked` is (T, T), `w_o` is (K, D).
    """
    tokens = range(len(given.q.array))
    rows = [_row(given.q, token) for token in tokens]
    scores = [
        Derived(
            given.k.array.astype(np.float64) @ row.array / root(entries).array,
            f"({given.k.address} @ {row.address} / {root(entries).address})",
        )
        for row in rows
    ]
    pattern = [softmax(masked[token]) for token in tokens]
    z = [matmul(_row(given.pattern, token), given.v) for token in tokens]
    out = [matmul(_row(given.z, token), w_o) for token in tokens]
    return OneHead(
        given.q, given.k, given.v, stacked(scores), stacked(pattern), stacked(z), stacked(out)
    )


def weight(tensor: Callable[[str], Tensor], name: str, layer: int, head: int) -> Tensor:
    """Return one head's matrix, such as W_Q: (D, K), W_O: (K, D)."""
    return tensor(f"weights.{name}")[layer, head]


def bias(tensor: Callable[[str], Tensor], kind: str, layer: int, head: int) -> Tensor:
    """Return one head's bias of its queries, keys or values, `kind` being Q, K or V: (K,)."""
    return tensor(f"weights.b_{kind}")[layer, head]


def root(vector: Tensor) -> Derived:
    """Return the square root of how many entries a vector has."""
    number = np.sqrt(np.float64(len(vector)))
    return Derived(np.asarray(number), f"square root of entries in {vector.address}")


def transposed(matrix: Addressed) -> Derived:
    """Return a matrix with rows and columns exchanged."""
    return Derived(matrix.array.astype(np.float64).T, f"(transpose of {matrix.address})")


def scaled_scores(q: Addressed, k: Addressed, entries: Tensor) -> Derived:
    """Return queries by keys, divided by the square root of the entries of a head: (T, T)."""
    products, divisor = matmul(q, transposed(k)), root(entries)
    address = f"({products.address} / {divisor.address})"
    return Derived(products.array / divisor.array, address)


def masked_softmax(scores: Addressed) -> Derived:
    """Return the shares of each row of scores (T, T), the keys after its query left out."""
    hidden = np.where(np.tri(len(scores.array), dtype=bool), scores.array, -np.inf)
    weights = np.exp(hidden - hidden.max(axis=-1, keepdims=True))
    shares = weights / weights.sum(axis=-1, keepdims=True)
    return Derived(shares, f"(masked softmax over key of {scores.address})")


def _row(matrix: Addressed, row: int) -> Tensor:
    assert isinstance(matrix, Tensor)
    return matrix[row]
