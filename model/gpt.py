"""GPT-2, in one file that looks like the diagram.

`Attention.attend`, `Block` and `Transformer` hold what other architectures share: see `llama.py`.

Shapes: B batch, T tokens (queries), S tokens seen so far (keys), D d_model, H n_heads, K d_head,
M d_mlp, V d_vocab. Weights are stored per head and oriented as drawn: `x @ W`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from model.key_value_cache import KeyValueCache
from model.sites import Site
from model.sizes import Sizes, Traits

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu_new": partial(F.gelu, approximate="tanh"),
    "gelu": F.gelu,
    "relu": F.relu,
    "silu": F.silu,
}


@dataclass(frozen=True)
class Config(Sizes):
    """The sizes of a GPT-2, and the few choices that its checkpoints differ in."""

    activation: str = "gelu_new"
    layer_norm_eps: float = 1e-5
    tied: bool = True  # the unembedding is the embedding, transposed
    scores_over_sqrt_d_head: bool = True
    scores_over_layer: bool = False  # layer n's scores are divided by n, counted from 1

    @property
    def traits(self) -> Traits:
        """What the architecture has."""
        return Traits(
            divides_by_root=self.scores_over_sqrt_d_head, divides_by_layer=self.scores_over_layer
        )

    @property
    def d_head(self) -> int:
        """How many numbers one head's query, key or value has."""
        return self.d_model // self.n_heads

    @property
    def residual_std(self) -> float:
        """How large weights start that add to the residual stream, twice a layer (GPT-2)."""
        return 0.05 / math.sqrt(2 * self.n_layers)

    def score_divisor(self, layer: int) -> float:
        """Return what dot products are divided by: `sqrt(d_head)` unless told otherwise."""
        divisor = math.sqrt(self.d_head) if self.scores_over_sqrt_d_head else 1.0
        return divisor * (layer + 1) if self.scores_over_layer else divisor


def normal(*shape: int, std: float = 0.05) -> nn.Parameter:
    """Make a weight that training will shape, small at first; a planned one has no values."""
    weight = torch.empty(shape)
    return nn.Parameter(weight if weight.is_meta else weight.normal_(std=std))


def zeros(*shape: int) -> nn.Parameter:
    """Make a bias, which starts at zero."""
    return nn.Parameter(torch.zeros(shape))


def per_head(x: Tensor, W: Tensor) -> Tensor:
    """Multiply a stream (B, T, D) by every head's own matrix (H, D, K): (B, H, T, K)."""
    return torch.einsum("btd,hdk->bhtk", x, W)


def is_future(scores: Tensor) -> Tensor:
    """Whether a key comes after its query: (T, S), the last query facing the last key."""
    queries, keys = scores.shape[-2:]
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)


class Norm(nn.Module):
    """Brings each vector to a common size; what comes out can be watched like a `Site`."""


class LayerNorm(Norm):
    """Each vector brought to mean 0 and variance 1, then stretched by gamma and moved by beta."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.eps = config.layer_norm_eps
        self.gamma = nn.Parameter(torch.ones(config.d_model))
        self.beta = zeros(config.d_model)

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)


class CausalAttention(nn.Module):
    """What queries, keys and values lead to, however an architecture makes them."""

    W_O: Tensor  # (H, K, D)
    b_O: Tensor  # (D,)  # noqa: N815 - the name in the formula

    def __init__(self, divisor: float) -> None:
        super().__init__()
        self.divisor = divisor
        self.q, self.k, self.v = Site(), Site(), Site()
        self.dot_products, self.scores, self.masked, self.pattern = Site(), Site(), Site(), Site()
        self.z, self.head_out = Site(), Site()

    def closed(self, scores: Tensor) -> Tensor:
        """Whether a query may not see a key: (T, S) of scores (B, H, T, S)."""
        return is_future(scores)

    def attend(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Let queries (B, H, T, K) gather from keys and values (B, H, S, K): (B, T, D)."""
        dot_products = self.dot_products(q @ k.mT)  # (B, H, T, S)
        scores = self.scores(dot_products / self.divisor)  # (B, H, T, S)
        masked = self.masked(scores.masked_fill(self.closed(scores), -math.inf))  # (B, H, T, S)
        pattern = self.pattern(masked.softmax(dim=-1))  # (B, H, T, S)
        z = self.z(pattern @ v)  # (B, H, T, K)
        if self.head_out.watched:
            self.head_out(torch.einsum("bhtk,hkd->bhtd", z, self.W_O))  # (B, H, T, D)
        return torch.einsum("bhtk,hkd->btd", z, self.W_O) + self.b_O  # (B, T, D)


class Attention(CausalAttention):
    """Each head lets every token gather from the tokens before it what its query asks for."""

    def __init__(self, config: Config, layer: int) -> None:
        super().__init__(config.score_divisor(layer))
        n_heads, d_model, d_head = config.n_heads, config.d_model, config.d_head
        self.W_Q = normal(n_heads, d_model, d_head)
        self.W_K = normal(n_heads, d_model, d_head)
        self.W_V = normal(n_heads, d_model, d_head)
        self.W_O = normal(n_heads, d_head, d_model, std=config.residual_std)
        self.b_Q = zeros(n_heads, d_head)
        self.b_K = zeros(n_heads, d_head)
        self.b_V = zeros(n_heads, d_head)
        self.b_O = zeros(d_model)

    def forward(self, x: Tensor, cache: KeyValueCache) -> Tensor:  # noqa: D102
        q = self.q(per_head(x, self.W_Q) + self.b_Q[:, None])  # (B, H, T, K)
        k = self.k(per_head(x, self.W_K) + self.b_K[:, None])  # (B, H, T, K)
        v = self.v(per_head(x, self.W_V) + self.b_V[:, None])  # (B, H, T, K)
        return self.attend(q, *cache.extend(k, v))  # (B, T, D)


class MLP(nn.Module):
    """Each token by itself: widen, bend, narrow again."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.bend = ACTIVATIONS[config.activation]
        self.W_in = normal(config.d_model, config.d_mlp)
        self.W_out = normal(config.d_mlp, config.d_model, std=config.residual_std)
        self.b_in = zeros(config.d_mlp)
        self.b_out = zeros(config.d_model)
        self.mlp_pre, self.mlp_post = Site(), Site()

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        pre = self.mlp_pre(x @ self.W_in + self.b_in)  # (B, T, M)
        post: Tensor = self.mlp_post(self.bend(pre))  # (B, T, M)
        return post @ self.W_out + self.b_out  # (B, T, D)


class Block(nn.Module):
    """Attention, then the MLP; each reads the residual stream and adds to it."""

    def __init__(self, ln1: Norm, attn: CausalAttention, ln2: Norm, mlp: nn.Module) -> None:
        super().__init__()
        self.ln1, self.attn, self.ln2, self.mlp = ln1, attn, ln2, mlp
        self.resid_pre, self.resid_mid, self.resid_post = Site(), Site(), Site()
        self.attn_out, self.mlp_out = Site(), Site()

    def forward(self, resid: Tensor, cache: KeyValueCache) -> Tensor:  # noqa: D102
        resid_pre = self.resid_pre(resid)  # (B, T, D)
        attn_out = self.attn_out(self.attn(self.ln1(resid_pre), cache))  # (B, T, D)
        resid_mid = self.resid_mid(resid_pre + attn_out)  # (B, T, D)
        mlp_out = self.mlp_out(self.mlp(self.ln2(resid_mid)))  # (B, T, D)
        resid_post: Tensor = self.resid_post(resid_mid + mlp_out)  # (B, T, D)
        return resid_post


class Transformer(nn.Module):
    """Tokens in, logits for the next token out; what stands for positions, subclasses say."""

    W_E: Tensor  # (V, D)

    def __init__(
        self, config: Sizes, blocks: Iterable[Block], ln_final: Norm, unembedding: Tensor | None
    ) -> None:
        super().__init__()
        self.config = config
        self.blocks = nn.ModuleList(blocks)
        self.ln_final = ln_final
        self.unembedding = unembedding  # None: the embedding, transposed
        self.embed, self.pos_embed, self.logits, self.probs = Site(), Site(), Site(), Site()

    @property
    def W_U(self) -> Tensor:  # noqa: N802 - the name in the formula
        """What turns a final residual vector into logits: (D, V)."""
        return self.W_E.T if self.unembedding is None else self.unembedding

    def forward(self, ids: Tensor, caches: Sequence[KeyValueCache] | None = None) -> Tensor:
        """Logits (B, T, V) for token ids (B, T); `caches` hold the tokens that came before."""
        resid = self.residual(ids, caches or self.new_caches())  # (B, T, D)
        logits: Tensor = self.logits(self.unembedded(self.ln_final(resid)))  # (B, T, V)
        if self.probs.watched:
            self.probs(logits.softmax(dim=-1))  # (B, T, V)
        return logits

    def residual(self, ids: Tensor, caches: Sequence[KeyValueCache]) -> Tensor:
        """Return the residual stream (B, T, D) after the last block."""
        embed = self.embed(self.looked_up(ids))  # (B, T, D)
        resid = embed + self.pos_embed(self.positions(embed, len(caches[0])))  # (B, T, D)
        for block, cache in zip(self.blocks, caches, strict=True):
            resid = block(resid, cache)  # (B, T, D)
        return resid  # type: ignore[no-any-return] # a module's output is typed as anything

    def looked_up(self, ids: Tensor) -> Tensor:
        """Return the rows of the embedding (B, T, D) for token ids (B, T)."""
        return F.embedding(ids, self.W_E)

    def unembedded(self, x: Tensor) -> Tensor:
        """Return logits (..., V) for what the last norm gives (..., D)."""
        return x @ self.W_U

    def positions(self, embed: Tensor, start: int) -> Tensor:
        """Return what is added to embeddings (B, T, D), the first of which stands at `start`."""
        raise NotImplementedError

    def new_caches(self) -> list[KeyValueCache]:
        """One empty cache a layer."""
        return [KeyValueCache() for _ in self.blocks]


class GPT(Transformer):
    """GPT-2: positions are learned vectors, added to the embeddings."""

    config: Config

    def __init__(self, config: Config) -> None:
        d_model, d_vocab = config.d_model, config.d_vocab
        W_E = normal(d_vocab, d_model, std=0.02)
        W_pos = normal(config.n_ctx, d_model, std=0.02)
        blocks = [
            Block(LayerNorm(config), Attention(config, layer), LayerNorm(config), MLP(config))
            for layer in range(config.n_layers)
        ]
        unembedding = None if config.tied else normal(d_model, d_vocab, std=0.02)
        super().__init__(config, blocks, LayerNorm(config), unembedding)
        self.W_E, self.W_pos = W_E, W_pos

    def positions(self, embed: Tensor, start: int) -> Tensor:  # noqa: D102
        positions: Tensor = self.W_pos[None, start : start + embed.shape[1]]  # (1, T, D)
        return positions
