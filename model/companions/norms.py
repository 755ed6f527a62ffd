"""Runs that differ in where they normalise, before a sublayer or after it, and in their start."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.gpt import GPT, Block, Config
from model.key_value_cache import KeyValueCache

SIZES = Config(n_layers=8, n_heads=4, d_model=64, d_mlp=256, n_ctx=32, d_vocab=4096)
STEPS = 400
ROWS = 32
RATE = 3e-3
SLOW = 200  # steps in which a slow start comes to that rate


class PostNormBlock(Block):
    """A block as of 2017: each sublayer reads the stream as it is, and the sum is normalised."""

    def forward(self, resid: Tensor, cache: KeyValueCache) -> Tensor:  # noqa: D102
        resid_pre = self.resid_pre(resid)  # (B, T, D)
        attn_out = self.attn_out(self.attn(resid_pre, cache))  # (B, T, D)
        resid_mid = self.resid_mid(self.ln1(resid_pre + attn_out))  # (B, T, D)
        mlp_out = self.mlp_out(self.mlp(resid_mid))  # (B, T, D)
        resid_post: Tensor = self.resid_post(self.ln2(resid_mid + mlp_out))  # (B, T, D)
        return resid_post


class PostNorm(GPT):
    """GPT-2 with its norms where the first transformer had them."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        for place, block in enumerate(self.blocks):
            assert isinstance(block, Block)
            self.blocks[place] = PostNormBlock(block.ln1, block.attn, block.ln2, block.mlp)


@torch.inference_mode()
def alike(model: GPT, ids: Tensor) -> list[float]:
    """Return how alike a model's vectors are: the mean cosine between those of two places.

    It is one number before each block and one at the end, over all rows of `ids` (B, T).
    """
    found = list[float]()

    def take(_module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        found.append(_likeness(inputs[0]))

    hooks = [each.register_forward_pre_hook(take) for each in (*model.blocks, model.ln_final)]
    model(ids)
    for hook in hooks:
        hook.remove()
    return found


def _likeness(stream: Tensor) -> float:
    """Return the mean cosine between vectors (B, T, D) of two places of one row."""
    unit = functional.normalize(stream, dim=-1)
    places = stream.shape[1]
    return float(((unit @ unit.mT).sum(dim=(1, 2)) - places).mean() / (places * (places - 1)))


# each run's kind of model, and the steps of its start
VARIANTS = {
    "pre_norm": (GPT, 1),
    "post_norm": (PostNorm, 1),
    "pre_norm_slow": (GPT, SLOW),
    "post_norm_slow": (PostNorm, SLOW),
}


def rates(start: int) -> list[float]:
    """Return the learning rate of each step, which grows in so many steps to its whole size."""
    return [RATE * min(1.0, step / start) for step in range(1, STEPS + 1)]
