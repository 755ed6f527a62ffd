"""Where in our corpus a neuron of an MLP is on, and what the nonlinearity makes of numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from model import corpus
from model.checkpoint import Checkpoint
from model.corpus.occurrences import COUNTED
from model.gpt import Transformer
from model.sites import watching
from model.threads import single_threaded

Bend: TypeAlias = Callable[[torch.Tensor], torch.Tensor]

WORK = 3e10  # multiplications, at most: about two seconds of one core
READ = 40  # tokens of a document, the first ones
TOGETHER = 50  # documents


@dataclass(frozen=True)
class Excerpt:
    """A document up to a token on which a neuron is on; `activations` has one for each token."""

    ids: tuple[int, ...]
    activations: NDArray[np.float32]


@cache
def excerpts(checkpoint: Checkpoint, layer: int, neuron: int, number: int) -> tuple[Excerpt, ...]:
    """Return where a neuron is strongest, on `number` different tokens at most, falling.

    Searched are the first documents that training reads, fewer of them for a large model. A first
    token has nothing before it, and in many models a vector like no other's: it is left out.
    """
    documents = _documents(checkpoint)
    found: list[tuple[float, int, int]] = []
    activations = _activations(checkpoint, documents, layer, neuron)
    for place, numbers in enumerate(activations):
        found += [(float(x), place, pos) for pos, x in enumerate(numbers) if pos and x > 0]
    best: dict[int, Excerpt] = {}
    for _, place, pos in sorted(found, reverse=True):
        ids = documents[place][: pos + 1]
        best.setdefault(ids[-1], Excerpt(ids, activations[place][: pos + 1]))
        if len(best) == number:
            break
    return tuple(best.values())


@cache
def _documents(checkpoint: Checkpoint) -> list[tuple[int, ...]]:
    """Return the first documents as ids, as many as a model soon reads."""
    model = checkpoint.model
    left = WORK / sum(weight.numel() for weight in model.blocks.parameters())
    documents: list[tuple[int, ...]] = []
    for text in islice(corpus.documents(0, "train"), COUNTED):
        ids = tuple(checkpoint.tokenizer.encode(text)[: min(READ, model.config.n_ctx)])
        left -= len(ids)
        if left < 0 and documents:
            break
        documents += [ids] if ids else []
    return documents


@single_threaded()
@torch.inference_mode()
def _activations(
    checkpoint: Checkpoint, documents: list[tuple[int, ...]], layer: int, neuron: int
) -> list[NDArray[np.float32]]:
    """Return a neuron's activation on every token of every document."""
    model = checkpoint.model
    order = sorted(range(len(documents)), key=lambda place: len(documents[place]))
    found: dict[int, NDArray[np.float32]] = {}
    for start in range(0, len(order), TOGETHER):
        places = order[start : start + TOGETHER]
        ids = torch.zeros(len(places), len(documents[places[-1]]), dtype=torch.long)
        for row, place in zip(ids, places, strict=True):
            row[: len(documents[place])] = torch.tensor(documents[place])
        seen: list[torch.Tensor] = []
        with watching(model, {f"blocks.{layer}.mlp.mlp_post": seen.append}):
            model.residual(ids, model.new_caches())
        for numbers, place in zip(seen[0][..., neuron].numpy(), places, strict=True):
            found[place] = numbers[: len(documents[place])].astype(np.float32)
    return [found[place] for place in range(len(documents))]


@single_threaded()
@torch.inference_mode()
def bent(model: Transformer, numbers: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return numbers after the nonlinearity of a model's MLPs."""
    bend: Bend = vars(model.get_submodule("blocks.0.mlp"))["bend"]
    found: NDArray[np.float32] = bend(torch.from_numpy(np.array(numbers, np.float32))).numpy()
    return found
