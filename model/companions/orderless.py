"""A transformer without positions and without a mask: every token sees all, and none knows where.

It learned to name hidden tokens of a text from all the others. A hidden token is read as the end of
a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from model.companions.shelf import Array
from model.gpt import MLP, Attention, Block, Config, LayerNorm, Transformer, normal
from model.trace import watch

SIZES = Config(n_layers=2, n_heads=4, d_model=64, d_mlp=256, n_ctx=64, d_vocab=4096)
STEPS = 2_500
ROWS, LENGTH = 32, 32  # tokens of a step
RATE = 3e-3
HIDDEN = 0.2  # of the tokens of a step


class SeeingAttention(Attention):
    """Attention in which every query sees every key."""

    def closed(self, scores: Tensor) -> Tensor:  # noqa: D102
        return torch.zeros(scores.shape[-2:], dtype=torch.bool)


class Orderless(Transformer):
    """GPT-2 without W_pos and without a mask."""

    def __init__(self, d_vocab: int) -> None:
        config = replace(SIZES, d_vocab=d_vocab)
        W_E = normal(d_vocab, config.d_model, std=0.02)
        blocks = [
            Block(LayerNorm(config), SeeingAttention(config, layer), LayerNorm(config), MLP(config))
            for layer in range(config.n_layers)
        ]
        super().__init__(config, blocks, LayerNorm(config), None)
        self.W_E = W_E

    def positions(self, embed: Tensor, start: int) -> Tensor:  # noqa: ARG002, D102 - no place counts
        return torch.zeros_like(embed)

    def loss(self, rows: Tensor, hidden: int, generator: torch.Generator) -> Tensor:
        """Mean loss in nats of naming a share of the tokens of rows (B, T), read as `hidden`."""
        is_hidden = torch.rand(rows.shape, generator=generator) < HIDDEN
        logits = self(rows.masked_fill(is_hidden, hidden))  # (B, T, V)
        return F.cross_entropy(logits[is_hidden], rows[is_hidden])


def sites(weights: Mapping[str, Array], ids: Sequence[int]) -> dict[str, Any]:
    """Run it on token ids; return what was seen at each site, as `model.trace.watch` does."""
    model = Orderless(len(weights["W_E"]))
    tensors = {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
    model.load_state_dict(tensors)
    return watch(model, ids)
