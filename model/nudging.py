"""How much a text costs a model as one of its weights is moved, and as all go down."""

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
    """What a text costs a model with one weight moved, and as steps of all weights teach it.

    `nudged` is the mean loss with the weight moved by each offset, (n,). `slopes` are those of the
    loss along some weights, (m,): from the steepest, which is the one moved, to a flat one, in
    nearly equal steps. `stepped` is every token's loss but the first's, before and after each step,
    (steps + 1, tokens - 1), and `gone` how far those weights have gone, (steps + 1, m).
    """

    nudged: Array
    slopes: Array
    stepped: Array
    gone: Array


@single_threaded()
def way_down(
    model: Transformer,
    ids: Sequence[int],
    offsets: Sequence[float],
    *,
    steps: int,
    length: float,
    most: int,
) -> WayDown:
    """Move one weight of a model by offsets and back, then take steps down; it stays there.

    Each step goes down the slope of the mean loss, and is so long over all weights together. Slopes
    are told of `most` weights, among one matrix of each kind.
    """
    rows, every = torch.tensor([list(ids)]), list(model.parameters())
    of_each_kind = {kind_of(path): weight for path, weight in ordered(model)}.values()
    gradients = torch.autograd.grad(loss_on(model, rows), every)
    slope_of: dict[Tensor, Tensor] = dict(zip(every, gradients, strict=True))
    slopes = torch.cat([slope_of[weight].flatten() for weight in of_each_kind])
    places = _from_steep_to_flat(slopes, most)
    followed = [_find(of_each_kind, place) for place in places]
    nudged = _nudged(model, rows, followed[0], offsets)
    path, losses = [_values(followed)], [_losses(model, rows)]
    for step in range(steps):
        gradients = torch.autograd.grad(loss_on(model, rows), every) if step else gradients
        steepness = sum(float(slope.square().sum()) for slope in gradients) ** 0.5
        with torch.no_grad():
            for weight, slope in zip(every, gradients, strict=True):
                weight.sub_(length * slope / steepness)
        path.append(_values(followed))
        losses.append(_losses(model, rows))
    gone = torch.stack(path) - path[0]
    return WayDown(nudged, slopes[places].numpy(), torch.stack(losses).numpy(), gone.numpy())


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


def _values(followed: Sequence[tuple[Tensor, int]]) -> Tensor:
    return torch.stack([weight.detach().view(-1)[place] for weight, place in followed])


def _from_steep_to_flat(slopes: Tensor, most: int) -> list[int]:
    """Return the places of slopes as near as can be to equal parts of the steepest one.

    Where no slope is that steep, there are fewer.
    """
    sizes = slopes.abs()
    steepest, flattest = sizes.max(), sizes.argmin()
    steep = (sizes > steepest / (2 * most)).nonzero().flatten()  # a hundredth of all, and less
    near = torch.cat([steep, flattest[None]])
    wanted = torch.linspace(1, 0, most) * steepest
    nearest = (sizes[near] - wanted[:, None]).abs().argmin(dim=1)
    return list(dict.fromkeys(near[nearest].tolist()))


def _find(arrays: Iterable[Tensor], place: int) -> tuple[Tensor, int]:
    """Return the array that holds a place in all of them, and where in it."""
    for array in arrays:
        if place < array.numel():
            return array, place
        place -= array.numel()
    raise IndexError(place)
