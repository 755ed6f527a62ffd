"""Two runs that differ in where they normalise: before each sublayer, or after adding it."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.gpt import GPT, Block, Config, LayerNorm
from model.key_value_cache import KeyValueCache

SIZES = Config(n_layers=8, n_heads=4, d_model=64, d_mlp=256, n_ctx=32, d_vocab=4096)
STEPS = 400
ROWS = 32
RATE = 3e-3


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
def followed(model: GPT, ids: Tensor) -> tuple[list[float], list[float]]:
    """Return what later blocks leave of the first one's stream, and how alike all vectors are.

    The first is how large what the first block gave out still is within the stream after each
    block, in shares of what it was: what is added leaves it as it is, and a norm of the stream
    divides it, too. The second is the mean cosine between the vectors of two places of `ids`
    (B, T), before each block and at the end.
    """
    streams, rest, sizes = list[Tensor](), list[Tensor](), list[float]()

    def take(_module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        streams.append(inputs[0])
        if len(streams) > 1:  # what comes in may be of any size, and its first norm mends that
            rest[:] = rest or inputs
            sizes.append(float(rest[0].norm(dim=-1).mean()))

    def divide(norm: nn.Module, inputs: tuple[Tensor, ...], _out: Tensor) -> None:
        if rest:
            assert isinstance(norm, LayerNorm)  # as all of these are
            centered = rest[0] - rest[0].mean(dim=-1, keepdim=True)
            spread = (inputs[0].var(dim=-1, unbiased=False, keepdim=True) + norm.eps).sqrt()
            rest[0] = centered / spread * norm.gamma

    hooks = [each.register_forward_pre_hook(take) for each in (*model.blocks, model.ln_final)]
    if isinstance(model, PostNorm):
        of_stream = [each for each in model.blocks.modules() if isinstance(each, LayerNorm)]
        hooks += [norm.register_forward_hook(divide) for norm in of_stream]
    model(ids)
    for hook in hooks:
        hook.remove()
    return [size / sizes[0] for size in sizes], [_likeness(stream) for stream in streams]


def _likeness(stream: Tensor) -> float:
    """Return the mean cosine between vectors (B, T, D) of two places of one row."""
    unit = functional.normalize(stream, dim=-1)
    places = stream.shape[1]
    return float(((unit @ unit.mT).sum(dim=(1, 2)) - places).mean() / (places * (places - 1)))


VARIANTS = {"pre_norm": GPT, "post_norm": PostNorm}
