"""How much a text costs a model as one of its weights is nudged, and as all go down."""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from numpy.typing import NDArray

from model.gpt import Transformer
from model.parameters import kind_of, ordered
from model.threads import single_threaded
from model.train import loss_on

Array = NDArray[np.float32]


@single_threaded()
def nudged(
    model: Transformer, ids: Sequence[int], offsets: Sequence[float], of_each_kind: int
) -> tuple[Array, Array]:
    """Return the mean loss with one weight nudged by offsets, (n,), and how others change it, (m,).

    It is the weight on which the loss depends most, among one matrix of each kind; of each of
    these, some weights are taken, evenly, and the loss's slopes along them. The model stays.
    """
    rows = torch.tensor([list(ids)])
    weights = list({kind_of(path): weight for path, weight in ordered(model)}.values())
    gradients = torch.autograd.grad(loss_on(model, rows), weights)
    steepest = max(range(len(weights)), key=lambda at: float(gradients[at].abs().max()))
    places = np.unravel_index(int(gradients[steepest].abs().argmax()), weights[steepest].shape)
    place, losses = tuple(map(int, places)), list[float]()
    with torch.no_grad():
        start = weights[steepest][place].clone()
        for offset in offsets:
            weights[steepest][place] = start + offset
            losses.append(float(loss_on(model, rows)))
        weights[steepest][place] = start
    taken = (each.flatten()[:: -(-each.numel() // of_each_kind)] for each in gradients)
    return np.array(losses, np.float32), torch.cat(list(taken)).numpy()


@single_threaded()
def stepped(model: Transformer, ids: Sequence[int], steps: int, length: float) -> Array:
    """Return the mean loss before and after each of some steps of all weights, (steps + 1,).

    Each step goes down the loss's slope, and is so long over all weights together. The model stays.
    """
    model, rows, losses = deepcopy(model), torch.tensor([list(ids)]), list[float]()
    weights = list(model.parameters())
    for _ in range(steps):
        loss = loss_on(model, rows)
        losses.append(loss.item())
        gradients = torch.autograd.grad(loss, weights)
        steepness = torch.stack([each.norm() for each in gradients]).norm()
        with torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                weight.sub_(length * gradient / steepness)
    with torch.no_grad():
        losses.append(loss_on(model, rows).item())
    return np.array(losses, np.float32)
