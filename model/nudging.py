"""How much a text costs a model as one of its weights is moved, and once all went down."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class WayDown:
    """What a text costs a model with one weight moved, and before and after a step of all weights.

    `nudged` is the mean loss with the weight moved by each offset, (n,); `stepped` is every token's
    loss but the first's, before and after the step, (2, tokens - 1).
    """

    nudged: Array
    stepped: Array


@single_threaded()
def way_down(
    model: Transformer, ids: Sequence[int], offsets: Sequence[float], length: float
) -> WayDown:
    """Move a model's steepest weight by offsets and back, then take a step down; it stays there.

    The weight is the one along which the mean loss is steepest, in one matrix of each kind. The
    step goes down the slope of the mean loss, and is so long over all weights together.
    """
    rows, every = torch.tensor([list(ids)]), list(model.parameters())
    of_each_kind = {kind_of(path): weight for path, weight in ordered(model)}.values()
    gradients = torch.autograd.grad(loss_on(model, rows), every)
    slope_of: dict[Tensor, Tensor] = dict(zip(every, gradients, strict=True))
    slopes = torch.cat([slope_of[weight].flatten() for weight in of_each_kind])
    followed = _find(of_each_kind, int(slopes.abs().argmax()))
    nudged, before = _nudged(model, rows, followed, offsets), _losses(model, rows)
    steepness = sum(float(slope.square().sum()) for slope in gradients) ** 0.5
    with torch.no_grad():
        for weight, slope in zip(every, gradients, strict=True):
            weight.sub_(length * slope / steepness)
    return WayDown(nudged, torch.stack([before, _losses(model, rows)]).numpy())


@torch.no_grad()
def _nudged(
    model: Transformer, rows: Tensor, followed: tuple[Tensor, int], offsets: Sequence[float]
) -> Array:
    """Return the mean loss with one number of an array moved by each offset."""
    weight, place = followed
    numbers, losses = weight.view(-1), list[float]()
    start = float(numbers[place])
    for offset in offsets:
        numbers[place] = start + offset
        losses.append(float(loss_on(model, rows)))
    numbers[place] = start
    return np.array(losses, np.float32)


@torch.no_grad()
def _losses(model: Transformer, rows: Tensor) -> Tensor:
    """Return what each token but the first costs, in nats: (tokens - 1,)."""
    return F.cross_entropy(model(rows[:, :-1])[0], rows[0, 1:], reduction="none")


def _find(arrays: Iterable[Tensor], place: int) -> tuple[Tensor, int]:
    """Return the array that holds a place in all of them, and where in it."""
    for array in arrays:
        if place < array.numel():
            return array, place
        place -= array.numel()
    raise IndexError(place)
