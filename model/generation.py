"""A text goes on: predict, choose a token, append it, repeat."""

from collections.abc import Sequence

import torch
from torch import Tensor

from model.errors import Unusable
from model.gpt import Transformer


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
    if not ids:
        raise Unusable("There is no token to start from: give a prompt of at least one token.")
    if len(ids) + count > model.config.n_ctx:
        raise Unusable(
            f"A prompt of {len(ids)} tokens and {count} new ones make {len(ids) + count}, "
            f"and the model takes {model.config.n_ctx}: shorten the prompt or ask for fewer."
        )
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
