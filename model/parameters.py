"""The weights of a model by what they are for: how many there are, and one in so many of them.

    for kind, sizes in factors(model).items():
        print(kind, " x ".join(map(str, sizes)), prod(sizes))

Each is counted once: an unembedding that is the embedding, transposed, is no weight of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.gpt import Transformer

Array = NDArray[np.float32]

KINDS = {
    "W_E": "embedding",
    "W_Q": "query",
    "W_K": "key",
    "W_V": "value",
    "W_O": "output",
    "W_gate": "gate",
    "W_in": "up",
    "W_out": "down",
    "unembedding": "unembedding",
}
OTHERS = "others"  # positions, biases and norms
ONCE = {"embedding", "unembedding"}  # not once a layer


def ordered(model: Transformer) -> list[tuple[str, Tensor]]:
    """Return all weights by their path, in the order of `KINDS`; those of no kind come last."""
    order = [*KINDS.values(), OTHERS]
    return sorted(model.named_parameters(), key=lambda named: order.index(kind_of(named[0])))


def factors(model: Transformer) -> dict[str, tuple[int, ...]]:
    """Return, by kind and in the order of `KINDS`, what is multiplied to count its weights.

    For matrices, that is the columns and rows of one, then how many heads and layers have one.
    """
    found: dict[str, list[Tensor]] = {}
    for path, weight in ordered(model):
        found.setdefault(kind_of(path), []).append(weight)
    return {kind: _factors(kind, weights) for kind, weights in found.items()}


def kind_of(path: str) -> str:
    """Return the kind of the weight at a path of the model, such as `blocks.0.attn.W_Q`."""
    return KINDS.get(path.rpartition(".")[2], OTHERS)


def one_in(every: int, weights: Iterable[Tensor]) -> Array:
    """Return the first of every so many numbers of some arrays, taken one after the other."""
    found, skipped = list[Tensor](), 0
    for weight in weights:
        places = torch.arange(min(skipped, weight.numel()), weight.numel(), every)
        found.append(weight.detach()[torch.unravel_index(places, weight.shape)])
        skipped = (skipped - weight.numel()) % every
    return torch.cat(found).numpy().copy()


def _factors(kind: str, weights: list[Tensor]) -> tuple[int, ...]:
    if kind == OTHERS:
        return (sum(weight.numel() for weight in weights),)
    *heads, rows, columns = weights[0].shape
    layers = [len(weights)] if kind not in ONCE else []
    return (columns, rows, *heads, *layers)
