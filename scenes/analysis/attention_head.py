"""One attention head worked out by itself, from what its layer reads and its own weights.

Every step says how it was made; all is in double precision.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from scenes.analysis.scaling import BY_ROOT, Scaling
from scenes.analysis.softmax import masked_softmax, softmax
from scenes.provenance import Tensor, Value, added, largest_gap, matmul, stacked, transposed

STEPS = "q", "k", "v", "scores", "pattern", "z", "head_out"  # of a head, as the trace names them


@dataclass(frozen=True)
class AttentionHead:
    """The steps of a head, for T tokens and K entries a head, D entries a token."""

    q: Tensor  # (T, K)
    k: Tensor  # (T, K)
    v: Tensor  # (T, K)
    scores: Tensor  # (T, T), dot products as scaled, the future not yet hidden
    pattern: Tensor  # (T, T)
    z: Tensor  # (T, K)
    out: Tensor  # (T, D)

    @classmethod
    def given(cls, tensor: Callable[[str], Tensor], layer: int, head: int) -> AttentionHead:
        """Take a head's steps as the model has them; `tensor` gives them by name."""
        return cls(*(tensor(name)[layer, head] for name in STEPS))

    def gaps(self, other: AttentionHead) -> list[Value]:
        """Return for each step the largest difference from that of another route."""
        return [
            largest_gap(getattr(self, step.name), getattr(other, step.name))
            for step in fields(AttentionHead)
        ]


@dataclass(frozen=True)
class HeadWeights:
    """What one head has learned: (matrix (D, K), bias (K,)) for q, k and v, and W_O (K, D).

    `turns` (T, K, K) is what places do to queries and keys, in models where they do.
    """

    making: tuple[tuple[Tensor, Tensor], ...]
    w_o: Tensor
    turns: Tensor | None = None

    @classmethod
    def of(
        cls,
        tensor: Callable[[str], Tensor],
        layer: int,
        head: int,
        turns: Tensor | None = None,
    ) -> HeadWeights:
        """Take a head's weights from all of them; `tensor` gives them by name."""
        making = tuple(
            (tensor(f"weights.W_{kind}")[layer, head], tensor(f"weights.b_{kind}")[layer, head])
            for kind in "QKV"
        )
        return cls(making, tensor("weights.W_O")[layer, head], turns)

    def made(self, vector: Tensor, place: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return query, key and value (K,) of the vector (D,) at a place."""
        q, k, v = (added(matmul(vector, matrix), bias) for matrix, bias in self.making)
        if self.turns is None:
            return q, k, v
        return matmul(q, self.turns[place]), matmul(k, self.turns[place]), v


def attention_head(x: Tensor, weights: HeadWeights, scaling: Scaling = BY_ROOT) -> AttentionHead:
    """Work a head out from `x`, the layer's input (T, D), and nothing else of the trace."""
    if weights.turns is None:
        q, k, v = (added(matmul(x, matrix), bias) for matrix, bias in weights.making)
    else:
        q, k, v = _stacked_rows(x, weights)
    scores = scaling.divided(matmul(q, transposed(k)), weights.making[0][1])
    pattern = masked_softmax(scores)
    z = matmul(pattern, v)
    return AttentionHead(q, k, v, scores, pattern, z, matmul(z, weights.w_o))


def token_by_token(
    given: AttentionHead,
    x: Tensor,
    masked: Tensor,
    weights: HeadWeights,
    scaling: Scaling = BY_ROOT,
) -> AttentionHead:
    """Work the same steps out one query at a time: a row of each matrix for each token.

    `given` holds the model's own matrices; each step starts from the one before it, so that each
    can be held against its matrix by itself. `x` is (T, D), `masked` is (T, T).
    """
    tokens = range(len(x))
    q, k, v = _stacked_rows(x, weights)
    queries = [given.q[token] for token in tokens]
    scores = [scaling.divided(matmul(given.k, query), query) for query in queries]
    pattern = [softmax(masked[token]) for token in tokens]
    z = [matmul(given.pattern[token], given.v) for token in tokens]
    out = [matmul(given.z[token], weights.w_o) for token in tokens]
    return AttentionHead(q, k, v, stacked(scores), stacked(pattern), stacked(z), stacked(out))


def _stacked_rows(x: Tensor, weights: HeadWeights) -> tuple[Tensor, Tensor, Tensor]:
    """Return queries, keys and values (T, K), made one token at a time."""
    rows = [weights.made(x[token], token) for token in range(len(x))]
    q, k, v = zip(*rows, strict=True)
    return stacked(q), stacked(k), stacked(v)
