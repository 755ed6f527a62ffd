"""Llama, where it differs from GPT-2: RMS norm, positions by rotation, shared keys, gated MLP.

Other families are Llamas that differ in what `LlamaConfig` says. Mistral's queries see no further
back than a window (Jiang et al. 2023); Qwen2 has biases on queries, keys and values, Qwen3 a norm
for each query and key; Gemma multiplies its embeddings by the root of their length. GPT-NeoX keeps
GPT-2's layer norm, biases and MLP, turns a part of each head, and lets the MLP stand beside
attention (Black et al. 2022); so does Phi, with one norm for both and a bias on logits.

The letters for shapes are those of `gpt.py`; G of the H heads have keys and values of their own,
and R of the K entries of a query or key are turned.
An architecture without biases has biases of zero here, so that every formula reads the same.
"""

import math
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from model.gpt import (
    ACTIVATIONS,
    MLP,
    Block,
    CausalAttention,
    Config,
    LayerNorm,
    Norm,
    Transformer,
    normal,
    per_head,
    zeros,
)
from model.key_value_cache import KeyValueCache
from model.sites import Site
from model.sizes import Sizes, Traits


@dataclass(frozen=True)
class Stretch:
    """How Llama 3.1 slows its slow waves down, so that a longer text fits (its release notes).

    Waves longer than `n_ctx / low` tokens turn `factor` times slower, those shorter than
    `n_ctx / high` as before, those between in between.
    """

    factor: float
    low: float
    high: float
    n_ctx: int  # of the first training

    def apply(self, rates: Tensor) -> Tensor:
        """Return the slower rates (R / 2,)."""
        waves = self.n_ctx * rates / (2 * math.pi)  # how often each turns in a text
        share = ((waves - self.low) / (self.high - self.low)).clamp(0, 1)
        return (1 - share) * rates / self.factor + share * rates


@dataclass(frozen=True)
class Rotation:
    """By how much a query or key is turned: pair i of its entries by `base ** (-2i / R)` a token.

    R of the K entries are turned, the first ones (Su et al. 2021, RoFormer).
    """

    base: float = 10_000.0
    slower: float = 1.0  # all rates are divided by it
    stretch: Stretch | None = None
    share: float = 1.0  # of the entries, that are turned

    def entries(self, d_head: int) -> int:
        """Return how many entries are turned."""
        return int(d_head * self.share)

    def rates(self, d_head: int) -> Tensor:
        """Radians a token, for each pair of entries that is turned: (R / 2,)."""
        entries = self.entries(d_head)
        powers = torch.arange(0, entries, 2, device="cpu").float() / entries
        rates = 1.0 / self.base**powers / self.slower
        return self.stretch.apply(rates) if self.stretch else rates


@dataclass(frozen=True)
class LlamaConfig(Sizes):
    """The sizes of a Llama or of one of its family, and what these models differ in."""

    n_key_heads: int
    d_head: int
    family: str = "llama"  # as a `config.json` names it
    activation: str = "silu"
    norm_eps: float = 1e-6
    tied: bool = False  # the unembedding is the embedding, transposed
    rotation: Rotation = field(default_factory=Rotation)
    window: int | None = None  # how many tokens a query sees at most, its own included
    biases: tuple[str, ...] = ()  # those that there are
    norm: str = "RMS norm"  # or "layer norm"
    gated: bool = True  # the MLP; else it is GPT-2's, with biases
    side_by_side: bool = False  # attention and MLP, which read the same
    one_norm: bool = False  # for both of them; else each has its own
    embedding_scale: float = 1.0  # by which embeddings are multiplied as they are looked up
    norms_heads: bool = False  # each query and key is brought to one size before it is turned

    @property
    def sharing(self) -> int:
        """How many heads use the same keys and values."""
        return self.n_heads // self.n_key_heads

    @property
    def traits(self) -> Traits:
        """What the architecture has."""
        turned = self.rotation.entries(self.d_head)
        return Traits(
            adds_positions=False,
            biases=self.biases,
            norm=self.norm,
            sharing=self.sharing,
            head_norm=self.norm_eps if self.norms_heads else None,
            turned=None if turned == self.d_head else turned,
            side_by_side=self.side_by_side,
            one_norm=self.one_norm,
            window=self.window,
        )

    @property
    def as_gpt(self) -> Config:
        """The same sizes for what is GPT-2's own: layer norm, and an MLP without a gate."""
        return Config(
            *(self.n_layers, self.n_heads, self.d_model, self.d_mlp, self.n_ctx, self.d_vocab),
            activation=self.activation,
            layer_norm_eps=self.norm_eps,
        )


class RMSNorm(Norm):
    """Each vector brought to a mean square of 1, then stretched by gamma."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.eps = config.norm_eps
        self.gamma = nn.Parameter(torch.ones(config.d_model))
        self.register_buffer("beta", _zeros(config.d_model), persistent=False)

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        return brought_to_size(x, self.eps) * self.gamma


class SameNorm(Norm):
    """What another norm gives, under a second name; it has no weights of its own."""

    def __init__(self, norm: Norm) -> None:
        super().__init__()
        self._norm = (norm,)  # in a tuple, for a module would register its weights twice

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        (norm,) = self._norm
        found: Tensor = norm(x)
        return found


class HeadNorm(nn.Module):
    """Each query or key of a head brought to a mean square of 1, then stretched by gamma (K,)."""

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.eps = config.norm_eps
        self.gamma = nn.Parameter(torch.ones(config.d_head))

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        return brought_to_size(x, self.eps) * self.gamma


class RotaryAttention(CausalAttention):
    """Queries and keys are turned by their place; groups of heads share keys and values."""

    b_Q: Tensor  # (H, K)  # noqa: N815 - the name in the formula
    b_K: Tensor  # (G, K)  # noqa: N815
    b_V: Tensor  # (G, K)  # noqa: N815

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__(math.sqrt(config.d_head))
        n_heads, n_key_heads = config.n_heads, config.n_key_heads
        d_model, d_head = config.d_model, config.d_head
        self.sharing, self.window = config.sharing, config.window
        self.rates = config.rotation.rates(d_head)  # (R / 2,)
        self.W_Q = normal(n_heads, d_model, d_head)
        self.W_K = normal(n_key_heads, d_model, d_head)
        self.W_V = normal(n_key_heads, d_model, d_head)
        self.W_O = normal(n_heads, d_head, d_model)
        for kind, heads in zip("QKV", (n_heads, n_key_heads, n_key_heads), strict=True):
            _add_bias(self, f"b_{kind}", config, heads, d_head)
        _add_bias(self, "b_O", config, d_model)
        self.q_norm = HeadNorm(config) if config.norms_heads else nn.Identity()
        self.k_norm = HeadNorm(config) if config.norms_heads else nn.Identity()

    def forward(self, x: Tensor, cache: KeyValueCache) -> Tensor:  # noqa: D102
        angles = torch.arange(len(cache), len(cache) + x.shape[1])[:, None] * self.rates
        q = per_head(x, self.W_Q) + self.b_Q[:, None]  # (B, H, T, K)
        k = per_head(x, self.W_K) + self.b_K[:, None]  # (B, G, T, K)
        v = per_head(x, self.W_V) + self.b_V[:, None]  # (B, G, T, K)
        q = self.q(rotated(self.q_norm(q), angles))  # (B, H, T, K)
        k = self.k(self.for_every_head(rotated(self.k_norm(k), angles)))  # (B, H, T, K)
        v = self.v(self.for_every_head(v))  # (B, H, T, K)
        return self.attend(q, *cache.extend(k, v))  # (B, T, D)

    def closed(self, scores: Tensor) -> Tensor:
        """Close what is further back than the window, too: a band is left open."""
        if self.window is None:
            return super().closed(scores)
        queries, keys = scores.shape[-2:]
        is_past = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries - self.window)
        return super().closed(scores) | is_past

    def for_every_head(self, x: Tensor) -> Tensor:
        """Repeat keys or values (B, G, T, K) for the heads that share them: (B, H, T, K)."""
        return x.repeat_interleave(self.sharing, dim=1)


class GatedMLP(nn.Module):
    """Each token by itself: widen twice, let one bent copy gate the other, narrow again.

    Shazeer 2020, GLU variants improve transformer.
    """

    def __init__(self, config: LlamaConfig) -> None:
        super().__init__()
        self.bend = ACTIVATIONS[config.activation]
        self.W_gate = normal(config.d_model, config.d_mlp)
        self.W_in = normal(config.d_model, config.d_mlp)
        self.W_out = normal(config.d_mlp, config.d_model)
        self.register_buffer("b_in", _zeros(config.d_mlp), persistent=False)
        self.register_buffer("b_out", _zeros(config.d_model), persistent=False)
        self.mlp_pre, self.mlp_post = Site(), Site()

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        pre = self.mlp_pre(x @ self.W_gate)  # (B, T, M)
        post: Tensor = self.mlp_post(self.bend(pre) * (x @ self.W_in))  # (B, T, M)
        return post @ self.W_out  # (B, T, D)


class SideBySide(Block):
    """Attention and MLP read the same residual stream, and what both find is added to it.

    The sum of two steps has no order; `resid_mid` is what it would be after attention alone.
    """

    def forward(self, resid: Tensor, cache: KeyValueCache) -> Tensor:  # noqa: D102
        resid_pre = self.resid_pre(resid)  # (B, T, D)
        attn_out = self.attn_out(self.attn(self.ln1(resid_pre), cache))  # (B, T, D)
        mlp_out = self.mlp_out(self.mlp(self.ln2(resid_pre)))  # (B, T, D)
        resid_mid = self.resid_mid(resid_pre + attn_out)  # (B, T, D)
        resid_post: Tensor = self.resid_post(resid_mid + mlp_out)  # (B, T, D)
        return resid_post


class Llama(Transformer):
    """Nothing is added to the embeddings: places enter by turning queries and keys."""

    config: LlamaConfig

    def __init__(self, config: LlamaConfig) -> None:
        d_model, d_vocab = config.d_model, config.d_vocab
        W_E = normal(d_vocab, d_model, std=0.02)
        blocks = [_block(config) for _ in range(config.n_layers)]
        unembedding = None if config.tied else normal(d_model, d_vocab, std=0.02)
        super().__init__(config, blocks, _norm(config), unembedding)
        self.W_E = W_E
        self.turns = Site()
        if "b_U" in config.biases:
            self.b_U = zeros(d_vocab)

    def unembedded(self, x: Tensor) -> Tensor:  # noqa: D102
        logits = super().unembedded(x)
        return logits + self.b_U if "b_U" in self.config.biases else logits

    def looked_up(self, ids: Tensor) -> Tensor:  # noqa: D102
        return super().looked_up(ids) * self.config.embedding_scale

    def positions(self, embed: Tensor, start: int) -> Tensor:  # noqa: D102
        if self.turns.watched:
            places = torch.arange(start, start + embed.shape[1])
            self.turns(turns(self.config.rotation, places, self.config.d_head)[None])
        return torch.zeros_like(embed)  # (B, T, D)


def turns(rotation: Rotation, places: Tensor, d_head: int) -> Tensor:
    """Return what turns a query or key at each place (T,), for `x @ turns[t]`: (T, K, K)."""
    angles = places[:, None, None] * rotation.rates(d_head)  # (T, 1, R / 2)
    return rotated(torch.eye(d_head).expand(len(places), -1, -1), angles)


def brought_to_size(x: Tensor, eps: float) -> Tensor:
    """Return vectors (..., n) with a mean square of 1, or less where eps is not small beside it."""
    return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + eps)


def rotated(x: Tensor, angles: Tensor) -> Tensor:
    """Turn vectors (..., K) by angles (..., R / 2); entry i is paired with entry i + R / 2."""
    cos, sin = angles.cos(), angles.sin()
    one, other, rest = x.tensor_split((cos.shape[-1], 2 * cos.shape[-1]), dim=-1)
    return torch.cat([one * cos - other * sin, other * cos + one * sin, rest], dim=-1)


def _block(config: LlamaConfig) -> Block:
    kind = SideBySide if config.side_by_side else Block
    ln1 = _norm(config)
    ln2 = SameNorm(ln1) if config.one_norm else _norm(config)
    return kind(ln1, RotaryAttention(config), ln2, _mlp(config))


def _norm(config: LlamaConfig) -> Norm:
    return RMSNorm(config) if config.norm == "RMS norm" else LayerNorm(config.as_gpt)


def _mlp(config: LlamaConfig) -> nn.Module:
    return GatedMLP(config) if config.gated else MLP(config.as_gpt)


def _add_bias(module: nn.Module, name: str, config: LlamaConfig, *shape: int) -> None:
    """Give a module a bias, or one of zeros that is no weight if the model has none there."""
    if name in config.biases:
        module.register_parameter(name, zeros(*shape))
    else:
        module.register_buffer(name, _zeros(*shape), persistent=False)


def _zeros(*shape: int) -> Tensor:
    """Biases that are not there; on the CPU even where weights are only planned."""
    return torch.zeros(shape, device="cpu")
