"""A text goes on: predict, choose a token, append it, repeat."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.errors import Unusable
from model.gpt import Transformer
from model.threads import single_threaded

Shares = NDArray[np.float32]


@dataclass(frozen=True)
class Written:
    """What a model wrote: n tokens, and the shares (n, V) that each was drawn from."""

    ids: tuple[int, ...]
    probs: Shares


@torch.inference_mode()
def generate(
    model: Transformer,
    ids: Sequence[int],
    count: int,
    *,
    temperature: float = 0.0,
    generator: torch.Generator | None = None,
) -> list[int]:
    """Return the next `count` tokens: the likeliest each time at temperature 0, else sampled.

    Raises `Unusable` if there is no token to start from, or if all do not fit the model's n_ctx.
    """
    _refuse_unfit(model, ids, count)
    caches, newest, answer = model.new_caches(), list(ids), list[int]()
    for _ in range(count):
        logits = model(torch.tensor([newest]), caches)[0, -1]  # (V,)
        newest = [_choose(logits, temperature, generator)]
        answer += newest
    return answer


def _choose(logits: Tensor, temperature: float, generator: torch.Generator | None) -> int:
    """Return one token, chosen by its logits (V,)."""
    if temperature == 0:
        return int(logits.argmax())
    probs = (logits / temperature).softmax(dim=-1)
    return int(torch.multinomial(probs, 1, generator=generator))


def darts(runs: int, count: int, seed: int) -> Shares:
    """Return random numbers from 0 to 1, evenly spread, for `count` tokens each: (runs, count)."""
    generator = torch.Generator().manual_seed(seed)
    found: Shares = torch.rand(runs, count, generator=generator).numpy()
    found.setflags(write=False)
    return found


def hit(probs: Shares, dart: float) -> int:
    """Return the token that a dart hits on shares (V,) stacked from the largest down."""
    order = np.argsort(-probs, kind="stable")
    ends = np.cumsum(probs[order], dtype=np.float64)
    return int(order[min(int(np.searchsorted(ends, dart, side="right")), len(order) - 1)])


@single_threaded()
@torch.inference_mode()
def write(
    model: Transformer,
    ids: Sequence[int],
    thrown: Sequence[float],
    *,
    temperature: float = 1.0,
    end: int | None = None,
) -> Written:
    """Return the next tokens, one a dart: the token that it hits, or the likeliest at 0.

    The text ends early with the token `end`. Raises `Unusable` as `generate` does.
    """
    _refuse_unfit(model, ids, len(thrown))
    caches, newest, answer, shares = model.new_caches(), list(ids), list[int](), list[Shares]()
    for dart in thrown:
        logits = model(torch.tensor([newest]), caches)[0, -1]  # (V,)
        likeliest = torch.nn.functional.one_hot(logits.argmax(), len(logits)).float()
        probs = (logits / temperature).softmax(dim=-1) if temperature else likeliest
        shares.append(probs.numpy())
        newest = [hit(shares[-1], dart)]
        answer += newest
        if newest == [end]:
            break
    found = np.stack(shares)
    found.setflags(write=False)
    return Written(tuple(answer), found)


def _refuse_unfit(model: Transformer, ids: Sequence[int], count: int) -> None:
    if not ids:
        raise Unusable("There is no token to start from: give a prompt of at least one token.")
    if len(ids) + count > model.config.n_ctx:
        raise Unusable(
            f"A prompt of {len(ids)} tokens and {count} new ones make {len(ids) + count}, "
            f"and the model takes {model.config.n_ctx}: shorten the prompt or ask for fewer."
        )
