"""How much a text costs a model as one of its weights is moved, and as all go down."""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from model.gpt import Transformer
from model.parameters import kind_of, ordered
from model.threads import single_threaded
from model.train import loss_on

Array = NDArray[np.float32]


@single_threaded()
def nudged(
    model: Transformer, ids: Sequence[int], offsets: Sequence[float], count: int
) -> tuple[Array, Array]:
    """Return the mean loss with one weight moved by offsets, (n,), and how others change it, (m,).

    These are the loss's slopes along `count` weights at most, from the steepest to a flat one, in
    equal steps, among one matrix of each kind. The first of them is moved. The model stays.
    """
    rows, losses = torch.tensor([list(ids)]), list[float]()
    weights = _one_of_each_kind(model)
    slopes = _joined(torch.autograd.grad(loss_on(model, rows), weights))
    places = _from_steep_to_flat(slopes, count)
    with torch.no_grad():
        matrix, place = _find(weights, places[0])
        start = matrix[place].clone()
        for offset in offsets:
            matrix[place] = start + offset
            losses.append(float(loss_on(model, rows)))
        matrix[place] = start
    return np.array(losses, np.float32), slopes[places].numpy()


@single_threaded()
def stepped(
    model: Transformer, ids: Sequence[int], steps: int, length: float, count: int
) -> tuple[Array, Array]:
    """Return every token's loss but the first's, before and after steps, (steps + 1, tokens - 1).

    Each step of all weights goes down their mean's slope, and is so long over all together. The
    second array says how far those of `nudged` have gone, (steps + 1, m). The model stays.
    """
    model, rows = deepcopy(model), torch.tensor([list(ids)])
    every, some = list(model.parameters()), _one_of_each_kind(model)
    slopes = _joined(torch.autograd.grad(loss_on(model, rows), some))
    places, losses, gone = _from_steep_to_flat(slopes, count), list[Tensor](), list[Tensor]()
    start = _joined(some)[places]
    for step in range(steps + 1):
        each = F.cross_entropy(model(rows[:, :-1])[0], rows[0, 1:], reduction="none")
        losses.append(each.detach())
        gone.append(_joined(some)[places] - start)
        gradients = torch.autograd.grad(each.mean(), every) if step < steps else ()
        steepness = sum(float(slope.square().sum()) for slope in gradients) ** 0.5
        with torch.no_grad():
            for weight, gradient in zip(every, gradients, strict=False):
                weight.sub_(length * gradient / steepness)
    return torch.stack(losses).numpy(), torch.stack(gone).numpy()


def _one_of_each_kind(model: Transformer) -> list[Tensor]:
    return list({kind_of(path): weight for path, weight in ordered(model)}.values())


def _joined(arrays: Sequence[Tensor]) -> Tensor:
    return torch.cat([each.detach().flatten() for each in arrays])


def _from_steep_to_flat(slopes: Tensor, count: int) -> list[int]:
    """Return the places of slopes as near as can be to equal parts of the steepest one."""
    sizes = slopes.abs()
    wanted = torch.linspace(1, 0, count) * sizes.max()
    return list(dict.fromkeys(int((sizes - size).abs().argmin()) for size in wanted))


def _find(weights: Sequence[Tensor], place: int) -> tuple[Tensor, int]:
    """Return the weights' array, flat, that holds a place in all of them, and where in it."""
    for weight in weights:
        if place < weight.numel():
            return weight.view(-1), place
        place -= weight.numel()
    raise IndexError(place)
