"""Gradient descent, as every model here is trained: AdamW, gradients no longer than one."""

from collections.abc import Callable, Iterable, Iterator

import torch
from torch import Tensor, nn

WEIGHT_DECAY = 0.1
LONGEST_GRADIENT = 1.0
BETAS = (0.9, 0.98)  # of AdamW: how much it remembers, of gradients and of their squares


def descend(
    model: nn.Module,
    steps: Iterable[tuple[float, Tensor]],
    loss_of: Callable[[Tensor], Tensor],
) -> Iterator[float]:
    """Take steps, each a learning rate and the rows (B, T) that it reads.

    Yields each step's loss, measured on its rows before it was taken, once it has been taken.
    """
    optimizer = _optimizer(model)
    for rate, rows in steps:
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = loss_of(rows)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(model.parameters(), LONGEST_GRADIENT)
        optimizer.step()
        optimizer.zero_grad()
        yield loss.item()


def is_held_small(path: str) -> bool:
    """Whether weight decay holds the weight at a path small: matrices, not biases and norms."""
    return ".b_" not in path and "ln" not in path


def _optimizer(model: nn.Module) -> torch.optim.Optimizer:
    """AdamW; weight decay holds matrices small, not biases and layer norms."""
    matrices = [w for name, w in model.named_parameters() if is_held_small(name)]
    others = [w for name, w in model.named_parameters() if not is_held_small(name)]
    groups = [
        {"params": matrices, "weight_decay": WEIGHT_DECAY},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=BETAS, fused=True)
