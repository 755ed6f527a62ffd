"""How much a text costs a model as one of its weights is moved."""

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.gpt import Transformer
from model.parameters import kind_of, ordered
from model.threads import single_threaded
from model.train import loss_on

Array = NDArray[np.float32]


@single_threaded()
def nudged(model: Transformer, ids: Sequence[int], offsets: Sequence[float]) -> Array:
    """Return the mean loss (n,) with a model's steepest weight moved by each offset.

    The weight is the one along which the mean loss is steepest, in one matrix of each kind.
    """
    rows = torch.tensor([list(ids)])
    weights = list({kind_of(path): weight for path, weight in ordered(model)}.values())
    gradients = torch.autograd.grad(loss_on(model, rows), weights)
    slopes = torch.cat([slope.flatten() for slope in gradients])
    weight, place = _find(weights, int(slopes.abs().argmax()))
    numbers, losses = weight.view(-1), list[float]()
    with torch.no_grad():
        start = float(numbers[place])
        for offset in offsets:
            numbers[place] = start + offset
            losses.append(float(loss_on(model, rows)))
        numbers[place] = start
    return np.array(losses, np.float32)


def _find(arrays: Iterable[Tensor], place: int) -> tuple[Tensor, int]:
    """Return the array that holds a place in all of them, and where in it."""
    for array in arrays:
        if place < array.numel():
            return array, place
        place -= array.numel()
    raise IndexError(place)
