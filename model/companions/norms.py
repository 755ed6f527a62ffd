"""Two runs that differ in where they normalise: before each sublayer, or after adding it."""

from __future__ import annotations

from torch import Tensor

from model.gpt import GPT, Block, Config
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


VARIANTS = {"pre_norm": GPT, "post_norm": PostNorm}
