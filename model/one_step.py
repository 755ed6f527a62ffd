"""What one more step of training would do to a model that has been trained already."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model import corpus
from model.checkpoint import Checkpoint
from model.dataset import tokenize
from model.descent import BETAS, LONGEST_GRADIENT, WEIGHT_DECAY, is_held_small
from model.gpt import Transformer
from model.parameters import one_in, ordered
from model.threads import single_threaded
from model.train import LAST_RATE, loss_on

ROWS, LENGTH = 8, 64  # tokens of a step
READ_BEFORE = 4  # steps, by which the optimiser learns how gradients vary
MOST_WORK = 6e10  # multiplications for all of it: three a weight and token
TINY = 1e-8  # AdamW's epsilon


def is_trained_here(model: Transformer) -> bool:
    """Whether a model is small enough to read a row of text with, forwards and backwards."""
    return _work_of_a_row(model) <= MOST_WORK


def rows_of_a_step(checkpoint: Checkpoint, seed: int) -> list[Tensor]:
    """Return the rows (B, T) of our corpus that are read: the last ones are those of the step.

    A large model reads fewer.
    """
    length = min(LENGTH, checkpoint.config.n_ctx - 1)
    most = int(MOST_WORK / _work_of_a_row(checkpoint.model))
    rows = max(1, min(ROWS, most))
    steps = max(1, min(READ_BEFORE + 1, most // rows))
    documents = corpus.documents(seed, "train")
    dataset = tokenize(documents, checkpoint.tokenizer, 2 * steps * rows * (length + 1))
    generator = torch.Generator().manual_seed(seed)
    return [dataset.random_rows(rows, length + 1, generator) for _ in range(steps)]


@single_threaded()
def after_a_step(model: Transformer, read: Sequence[Tensor], every: int) -> NDArray[np.float32]:
    """Return what one in so many weights would be after one step of AdamW; the model stays.

    The step is the one that `descend` takes at the last rate of our training, on the last rows
    (B, T); on those before, the optimiser only learns how gradients vary, at a rate of zero.
    """
    _names, weights = zip(*ordered(model), strict=True)
    sizes = [torch.full(each.shape, float(is_held_small(name))) for name, each in ordered(model)]
    here, decay = (torch.from_numpy(one_in(every, each)) for each in (weights, sizes))
    mean, square = torch.zeros_like(here), torch.zeros_like(here)
    one, two = BETAS
    for rows in read:
        gradients = torch.autograd.grad(loss_on(model, rows), weights)
        length = torch.stack([each.norm() for each in gradients]).norm()
        slope = torch.from_numpy(one_in(every, gradients)) * min(1.0, LONGEST_GRADIENT / length)
        mean, square = one * mean + (1 - one) * slope, two * square + (1 - two) * slope**2
    fresh = mean / (1 - one ** len(read))
    spread = (square / (1 - two ** len(read))).sqrt()
    moved = fresh / (spread + TINY) + WEIGHT_DECAY * decay * here
    return (here - LAST_RATE * moved).numpy()


def _work_of_a_row(model: Transformer) -> float:
    length = min(LENGTH, model.config.n_ctx - 1)
    return 3.0 * length * sum(weight.numel() for weight in model.parameters())
