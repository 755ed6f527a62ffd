"""A model of two tables: the last token's vector, compared with a vector for every token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from model.baselines import Probs
from model.companions.shelf import Array
from model.gpt import normal

D_MODEL = 32
STEPS = 2_000
ROWS, LENGTH = 64, 64  # tokens of a step
RATE = 1e-2


class EmbeddingOnly(nn.Module):
    """Embedding in, unembedding out: what comes next is judged by the last token alone."""

    def __init__(self, d_vocab: int) -> None:
        super().__init__()
        self.W_E = normal(d_vocab, D_MODEL)
        self.W_U = normal(D_MODEL, d_vocab)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits (B, T, V) for token ids (B, T)."""
        return F.embedding(ids, self.W_E) @ self.W_U

    def loss(self, rows: Tensor) -> Tensor:
        """Mean loss in nats of predicting every token of rows (B, T) but the first."""
        return F.cross_entropy(self(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())


def probs(tables: Mapping[str, Array], ids: Sequence[int]) -> Probs:
    """Return the probability of each token after each prefix of a text: (T, V)."""
    embedding, unembedding = (np.asarray(tables[name], np.float64) for name in ("W_E", "W_U"))
    logits = embedding[list(ids)] @ unembedding  # (T, V)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
