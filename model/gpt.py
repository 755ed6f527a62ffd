"""GPT-2, in one file that looks like the diagram. Knows nothing of files, text or pictures.

`Attention`, `Block` and `Transformer` hold what other architectures share (see `llama.py`).

B batch, T tokens (queries), S tokens seen so far (keys), D d_model, H heads, K d_head, M d_mlp,
V vocabulary. Weights are stored per head and oriented as drawn: `x @ W`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from model.errors import Unusable

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu_new": partial(F.gelu, approximate="tanh"),
    "gelu": F.gelu,
    "relu": F.relu,
    "silu": F.silu,
}


@dataclass(frozen=True)
class Traits:
    """What an architecture has, of that in which architectures differ; GPT-2's are the defaults."""

    adds_positions: bool = True  # to embeddings; else places turn queries and keys
    has_biases: bool = True
    norm: str = "layer norm"
    sharing: int = 1  # how many heads use the same keys and values
    divides_by_root: bool = True  # dot products, by the square root of d_head
    divides_by_layer: bool = False  # dot products, by the layer's number, counted from 1


@dataclass(frozen=True)
class Sizes:
    """The sizes of a transformer."""

    n_layers: int
    n_heads: int
    d_model: int
    d_mlp: int
    n_ctx: int
    d_vocab: int

    @property
    def traits(self) -> Traits:
        """What the architecture has."""
        return Traits()


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

    def score_divisor(self, layer: int) -> float:
        """Return what dot products are divided by: `sqrt(d_head)` unless told otherwise."""
        divisor = math.sqrt(self.d_head) if self.scores_over_sqrt_d_head else 1.0
        return divisor * (layer + 1) if self.scores_over_layer else divisor


class Site(nn.Identity):
    """A named place in the forward pass: it changes nothing and can be watched."""

    @property
    def watched(self) -> bool:
        """Whether anybody looks, so that what only onlookers need is made for them alone."""
        return bool(self._forward_hooks)


class Memory:
    """The keys and values that one layer has computed so far: (B, H, S, K) each."""

    def __init__(self) -> None:
        self.k: Tensor | None = None
        self.v: Tensor | None = None

    def __len__(self) -> int:
        return 0 if self.k is None else self.k.shape[2]

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add the newest tokens' keys and values; answer with all of them."""
        self.k = k if self.k is None else torch.cat([self.k, k], dim=2)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=2)
        return self.k, self.v


class Norm(nn.Module):
    """Brings each vector to a common size; what comes out can be watched like a `Site`."""


class LayerNorm(Norm):
    """Each vector brought to mean 0 and variance 1, then stretched by gamma and moved by beta."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.eps = config.layer_norm_eps
        self.gamma = nn.Parameter(torch.ones(config.d_model))
        self.beta = nn.Parameter(torch.zeros(config.d_model))

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)


class Attention(nn.Module):
    """Each head lets every token gather from the tokens before it what its query asks for.

    How queries, keys and values come about is for subclasses to say.
    """

    W_O: Tensor  # (H, K, D)
    b_O: Tensor  # (D,)  # noqa: N815 - the name in the formula

    def __init__(self, divisor: float) -> None:
        super().__init__()
        self.divisor = divisor
        self.q, self.k, self.v = Site(), Site(), Site()
        self.dot_products, self.scores, self.masked, self.pattern = Site(), Site(), Site(), Site()
        self.z, self.head_out = Site(), Site()

    def forward(self, x: Tensor, memory: Memory) -> Tensor:  # noqa: D102
        q, k, v = self.queries_keys_values(x, start=len(memory))
        q, k, v = self.q(q), self.k(k), self.v(v)  # (B, H, T, K) each
        keys, values = memory.extend(k, v)  # (B, H, S, K)
        dot_products = self.dot_products(q @ keys.mT)  # (B, H, T, S)
        scores = self.scores(dot_products / self.divisor)  # (B, H, T, S)
        masked = self.masked(scores.masked_fill(_future(scores), -math.inf))  # (B, H, T, S)
        pattern = self.pattern(masked.softmax(dim=-1))  # (B, H, T, S)
        z = self.z(pattern @ values)  # (B, H, T, K)
        if self.head_out.watched:
            self.head_out(torch.einsum("bhtk,hkd->bhtd", z, self.W_O))  # (B, H, T, D)
        return torch.einsum("bhtk,hkd->btd", z, self.W_O) + self.b_O  # (B, T, D)

    def queries_keys_values(self, x: Tensor, start: int) -> tuple[Tensor, Tensor, Tensor]:
        """Three times (B, H, T, K), of tokens (B, T, D) of which the first stands at `start`."""
        raise NotImplementedError


class GPTAttention(Attention):
    """Queries, keys and values of GPT-2: a matrix and a bias each."""

    def __init__(self, config: Config, layer: int) -> None:
        super().__init__(config.score_divisor(layer))
        heads, d_model, d_head = config.n_heads, config.d_model, config.d_head
        self.W_Q = normal(heads, d_model, d_head)
        self.W_K = normal(heads, d_model, d_head)
        self.W_V = normal(heads, d_model, d_head)
        self.W_O = normal(heads, d_head, d_model, std=_residual_std(config))
        self.b_Q = nn.Parameter(torch.zeros(heads, d_head))
        self.b_K = nn.Parameter(torch.zeros(heads, d_head))
        self.b_V = nn.Parameter(torch.zeros(heads, d_head))
        self.b_O = nn.Parameter(torch.zeros(d_model))

    def queries_keys_values(self, x: Tensor, start: int) -> tuple[Tensor, Tensor, Tensor]:  # noqa: ARG002, D102
        q = per_head(x, self.W_Q) + self.b_Q[:, None]  # (B, H, T, K)
        k = per_head(x, self.W_K) + self.b_K[:, None]  # (B, H, T, K)
        v = per_head(x, self.W_V) + self.b_V[:, None]  # (B, H, T, K)
        return q, k, v


class MLP(nn.Module):
    """Each token by itself: widen, bend, narrow again."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.bend = ACTIVATIONS[config.activation]
        self.W_in = normal(config.d_model, config.d_mlp)
        self.W_out = normal(config.d_mlp, config.d_model, std=_residual_std(config))
        self.b_in = nn.Parameter(torch.zeros(config.d_mlp))
        self.b_out = nn.Parameter(torch.zeros(config.d_model))
        self.mlp_pre, self.mlp_post = Site(), Site()

    def forward(self, x: Tensor) -> Tensor:  # noqa: D102
        pre = self.mlp_pre(x @ self.W_in + self.b_in)  # (B, T, M)
        post: Tensor = self.mlp_post(self.bend(pre))  # (B, T, M)
        return post @ self.W_out + self.b_out  # (B, T, D)


class Block(nn.Module):
    """Attention, then the MLP; each reads the residual stream and adds to it."""

    def __init__(self, ln1: Norm, attn: Attention, ln2: Norm, mlp: nn.Module) -> None:
        super().__init__()
        self.ln1, self.attn, self.ln2, self.mlp = ln1, attn, ln2, mlp
        self.resid_pre, self.resid_mid, self.resid_post = Site(), Site(), Site()
        self.attn_out, self.mlp_out = Site(), Site()

    def forward(self, resid: Tensor, memory: Memory) -> Tensor:  # noqa: D102
        resid_pre = self.resid_pre(resid)  # (B, T, D)
        attn_out = self.attn_out(self.attn(self.ln1(resid_pre), memory))  # (B, T, D)
        resid_mid = self.resid_mid(resid_pre + attn_out)  # (B, T, D)
        mlp_out = self.mlp_out(self.mlp(self.ln2(resid_mid)))  # (B, T, D)
        resid_post: Tensor = self.resid_post(resid_mid + mlp_out)  # (B, T, D)
        return resid_post


class Transformer(nn.Module):
    """Tokens in, scores for the next token out. How a text begins is for subclasses to say."""

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

    def forward(self, ids: Tensor, memories: Sequence[Memory] | None = None) -> Tensor:
        """Logits (B, T, V) for token ids (B, T); `memories` hold the tokens that came before."""
        resid = self.residual(ids, memories or self.new_memories())  # (B, T, D)
        logits: Tensor = self.logits(self.ln_final(resid) @ self.W_U)  # (B, T, V)
        if self.probs.watched:
            self.probs(logits.softmax(dim=-1))  # (B, T, V)
        return logits

    def residual(self, ids: Tensor, memories: Sequence[Memory]) -> Tensor:
        """Return the residual stream (B, T, D) after the last block."""
        embed = self.embed(F.embedding(ids, self.W_E))  # (B, T, D)
        resid = embed + self.pos_embed(self.positions(embed, len(memories[0])))  # (B, T, D)
        for block, memory in zip(self.blocks, memories, strict=True):
            resid = block(resid, memory)  # (B, T, D)
        return resid  # type: ignore[no-any-return] # a module's output is typed as anything

    def positions(self, embed: Tensor, start: int) -> Tensor:
        """Return what is added to embeddings (B, T, D), the first of which stands at `start`."""
        raise NotImplementedError

    def new_memories(self) -> list[Memory]:
        """One empty memory a layer."""
        return [Memory() for _ in self.blocks]

    @torch.inference_mode()
    def generate(
        self,
        ids: Sequence[int],
        count: int,
        *,
        temperature: float = 0.0,
        generator: torch.Generator | None = None,
    ) -> list[int]:
        """Continue `ids` by `count` tokens: the likeliest at temperature 0, else sampled."""
        if not ids:
            raise Unusable("There is no token to start from: give a prompt of at least one token.")
        if len(ids) + count > self.config.n_ctx:
            raise Unusable(
                f"A prompt of {len(ids)} tokens and {count} new ones make {len(ids) + count}, "
                f"and the model takes {self.config.n_ctx}: shorten the prompt or ask for fewer."
            )
        memories, newest, answer = self.new_memories(), list(ids), list[int]()
        for _ in range(count):
            logits = self(torch.tensor([newest]), memories)[0, -1]  # (V,)
            newest = [_choose(logits, temperature, generator)]
            answer += newest
        return answer


class GPT(Transformer):
    """GPT-2: positions are learned vectors, added to the embeddings."""

    config: Config

    def __init__(self, config: Config) -> None:
        d_model, d_vocab = config.d_model, config.d_vocab
        W_E = normal(d_vocab, d_model, std=0.02)
        W_pos = normal(config.n_ctx, d_model, std=0.02)
        blocks = [
            Block(LayerNorm(config), GPTAttention(config, layer), LayerNorm(config), MLP(config))
            for layer in range(config.n_layers)
        ]
        unembedding = None if config.tied else normal(d_model, d_vocab, std=0.02)
        super().__init__(config, blocks, LayerNorm(config), unembedding)
        self.W_E, self.W_pos = W_E, W_pos

    def positions(self, embed: Tensor, start: int) -> Tensor:  # noqa: D102
        positions: Tensor = self.W_pos[None, start : start + embed.shape[1]]  # (1, T, D)
        return positions


def _choose(logits: Tensor, temperature: float, generator: torch.Generator | None) -> int:
    """One token from its logits (V,)."""
    if temperature == 0:
        return int(logits.argmax())
    probs = (logits / temperature).softmax(dim=-1)
    return int(torch.multinomial(probs, 1, generator=generator))


def per_head(x: Tensor, W: Tensor) -> Tensor:
    """Every head's own view (B, H, T, K) of the stream (B, T, D); W is (H, D, K)."""
    return torch.einsum("btd,hdk->bhtk", x, W)


def _future(scores: Tensor) -> Tensor:
    """Where a key comes after its query: (T, S), the last query facing the last key."""
    queries, keys = scores.shape[-2:]
    return torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)


def normal(*shape: int, std: float = 0.05) -> nn.Parameter:
    """Make a weight that training will shape, small at first; a planned one has no values."""
    weight = torch.empty(shape)
    return nn.Parameter(weight if weight.is_meta else weight.normal_(std=std))


def _residual_std(config: Config) -> float:
    """Start what is added to the residual stream, twice a layer, smaller, as GPT-2 does."""
    return 0.05 / math.sqrt(2 * config.n_layers)
