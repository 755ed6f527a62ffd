"""One forward pass on one prompt, every number of it kept and named.

    from model import checkpoint
    from model.trace import record

    gpt = checkpoint.load("assets/gpt")
    trace = record(gpt.model, gpt.tokenizer, "a fluffy blue creature")
    trace.pattern[2, 1]  # of layer 2, head 1: (T, T), queries by keys
    trace.weights.W_Q[2, 1]  # (D, K)

`docs/trace-names.md` has the names beside those of TransformerLens.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import save_file
from torch import Tensor
from torch.func import functional_call

from model.errors import Unusable
from model.files import write_whole
from model.gpt import Norm, Transformer
from model.sites import Site, watching
from model.sizes import Traits
from model.threads import single_threaded
from model.tokenizer import Tokenizer

Array = NDArray[np.float32]

WEIGHTS = "weights."
ONCE = {"W_E", "W_pos", "W_U", "b_U", "ln_final.gamma", "ln_final.beta"}  # not once a layer
AT_ONCE = 16  # texts that a model reads together
SHARED = {"W_E", "W_U"}  # with the model, for they are its largest matrices
SHARED_BY_HEADS = {"W_K", "W_V", "b_K", "b_V"}  # in some architectures


class Weights(Mapping[str, Array]):
    """The weights as drawn, `x @ W`, layers stacked first; each is stacked when first asked for.

    D d_model, H heads, K d_head, L layers, M d_mlp, V vocabulary:

        W_E (V, D)                              W_pos (n_ctx, D)
        W_Q, W_K, W_V (L, H, D, K)              b_Q, b_K, b_V (L, H, K)
        W_O (L, H, K, D)                        b_O (L, D)
        W_in (L, D, M)                          b_in (L, M)
        W_out (L, M, D)                         b_out (L, D)
        W_U (D, V)
        ln1.gamma, ln1.beta, ln2.gamma, ln2.beta (L, D)
        ln_final.gamma, ln_final.beta (D,)

    A Llama has W_gate (L, D, M) besides, and no W_pos. Where heads share their keys and values,
    W_K, W_V, b_K and b_V are those that each head uses; biases that an architecture lacks are zero.
    W_E is what a look-up gives: in a Gemma, a multiple of what is stored. A Phi has b_U (V,), which
    is added to its logits, and one norm for ln1 and ln2; a Qwen3 has q_norm.gamma and k_norm.gamma
    (L, K).
    """

    def __init__(self, model: Transformer) -> None:
        self._model = model
        self._found: dict[str, list[Tensor]] = {"W_U": [model.W_U]}
        for path, weight in (*model.named_parameters(), *model.named_buffers()):
            if path != "unembedding":
                self._found.setdefault(_drawn_name(path), []).append(weight)
        for part in ("gamma", "beta"):  # where one norm serves both
            self._found.setdefault(f"ln2.{part}", self._found[f"ln1.{part}"])
        self._drawn: dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        if name not in self._drawn:
            self._drawn[name] = _read_only(self._stacked(name), copy=name in ONCE - SHARED)
        return self._drawn[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __getattr__(self, name: str) -> Array:
        """Return `weights.W_Q` for `weights["W_Q"]`."""
        if name.startswith("_") or name not in self._found:
            raise AttributeError(name)
        return self[name]

    def _stacked(self, name: str) -> Tensor:
        if name == "W_E" and (scale := self._model.config.embedding_scale) != 1:
            return self._found[name][0] * scale
        if name in ONCE:
            return self._found[name][0]
        weight = torch.stack(self._found[name])
        if name in SHARED_BY_HEADS:
            weight = weight.repeat_interleave(self._model.config.n_heads // weight.shape[1], dim=1)
        return weight


class Tensors(Mapping[str, Array]):
    """Every array of a trace under its address: `pattern`, `weights.W_Q`, `weights.ln1.gamma`."""

    def __init__(self, sites: Mapping[str, Array], weights: Weights) -> None:
        self._sites, self._weights = sites, weights

    def __getitem__(self, name: str) -> Array:
        if name.startswith(WEIGHTS):
            return self._weights[name.removeprefix(WEIGHTS)]
        return self._sites[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._sites
        yield from (f"{WEIGHTS}{name}" for name in self._weights)

    def __len__(self) -> int:
        return len(self._sites) + len(self._weights)

    def __or__(self, more: Mapping[str, Array]) -> "Tensors":
        """Return these arrays and more of them; no weight is copied for it."""
        return Tensors({**self._sites, **more}, self._weights)


@dataclass(frozen=True)
class Trace:
    """Everything computed for one prompt: no batch axis, layers stacked first.

    L layers, H heads, T tokens, D d_model, K d_head, M d_mlp, V vocabulary; of two T axes the
    first is the query.
    """

    text: str
    ids: tuple[int, ...]  # T of them
    pieces: tuple[str, ...]  # T of them, as shown
    traits: Traits  # what the architecture has
    weights: Weights
    embed: Array  # (T, D)
    pos_embed: Array  # (T, D)
    resid_pre: Array  # (L, T, D)
    ln1: Array  # (L, T, D)
    q: Array  # (L, H, T, K)
    k: Array  # (L, H, T, K)
    v: Array  # (L, H, T, K)
    dot_products: Array  # (L, H, T, T)
    scores: Array  # (L, H, T, T)
    masked: Array  # (L, H, T, T), minus infinity where the key is in the future
    pattern: Array  # (L, H, T, T), rows sum to 1
    z: Array  # (L, H, T, K)
    head_out: Array  # (L, H, T, D), sums over heads with b_O to attn_out
    attn_out: Array  # (L, T, D)
    resid_mid: Array  # (L, T, D)
    ln2: Array  # (L, T, D)
    mlp_pre: Array  # (L, T, M)
    mlp_post: Array  # (L, T, M)
    mlp_out: Array  # (L, T, D)
    resid_post: Array  # (L, T, D)
    ln_final: Array  # (T, D)
    logits: Array  # (T, V)
    probs: Array  # (T, V)
    turns: Array | None = None  # (T, K, K) where places turn queries: q is ln1 @ W_Q @ turns

    def tensors(self) -> Tensors:
        """Every array under its address: `pattern`, `weights.W_Q`, `weights.ln1.gamma`."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        sites = {name: each for name, each in named.items() if isinstance(each, np.ndarray)}
        return Tensors(sites, self.weights)

    def write(self, path: Path) -> None:
        """Write `tensors()` as a safetensors file; an older file stays until this one is whole."""
        tensors = {name: np.ascontiguousarray(array) for name, array in self.tensors().items()}

        def save(place: Path) -> None:  # straight to the disk: in memory they'd stand there twice
            try:
                save_file(tensors, place)
            except SafetensorError as error:
                raise OSError(str(error)) from error

        write_whole({path: save})


def record(
    model: Transformer, tokenizer: Tokenizer, text: str, weights: Weights | None = None
) -> Trace:
    """Run the model on a text and keep every number.

    `weights` are the model's, if they have been drawn for another text already.

    Raises `Unusable` if the text has no token, more tokens than the model takes, or some for which
    it computes no finite logits.
    """
    ids = tokenizer.encode(text)
    if not ids:
        raise Unusable("The prompt is empty: give at least one word.")
    if len(ids) > model.config.n_ctx:
        raise Unusable(
            f"The prompt has {len(ids)} tokens and the model takes {model.config.n_ctx}: "
            "shorten it."
        )
    seen = watch(model, ids)
    if not np.isfinite(seen["logits"]).all():
        raise Unusable("The model computes no finite numbers for this prompt: use another one.")
    return Trace(
        text=text,
        ids=tuple(ids),
        pieces=tuple(tokenizer.pieces(ids)),
        traits=model.config.traits,
        weights=Weights(model) if weights is None else weights,
        **seen,
    )


@single_threaded()
@torch.inference_mode()
def watch(model: Transformer, ids: Sequence[int], *, places: bool = True) -> dict[str, Any]:
    """Run the model on token ids; return what was seen at each site, layers stacked first.

    Without `places`, a GPT's positions are all zero while it runs.
    """
    sites = [path for path, module in model.named_modules() if isinstance(module, Site | Norm)]
    seen: dict[str, Tensor] = {}
    zeros = {} if places else {"W_pos": torch.zeros_like(model.get_parameter("W_pos"))}
    with watching(model, {path: partial(seen.__setitem__, path) for path in sites}):
        functional_call(model, zeros, (torch.tensor([list(ids)]),))
    layers: dict[str, list[Tensor]] = {}
    for path in sites:
        layers.setdefault(path.rpartition(".")[2], []).append(seen[path][0])
    once = {path for path in sites if "." not in path}
    return {
        name: _read_only(found[0]) if name in once else _read_only(torch.stack(found), copy=False)
        for name, found in layers.items()
    }


@single_threaded()
@torch.inference_mode()
def chances(model: Transformer, texts: Sequence[Sequence[int]]) -> Array:
    """Return how likely each token is after each prefix of texts of one length, (n, T, V).

    Weights are read once for `AT_ONCE` texts, which is what a large model spends its time on.
    """
    parts = torch.split(torch.tensor([list(text) for text in texts]), AT_ONCE)
    return _read_only(torch.cat([model(part).softmax(dim=-1) for part in parts]), copy=False)


def _read_only(tensor: Tensor, *, copy: bool = True) -> Array:
    """Return a NumPy array that nobody can change; without a copy, it is the model's own memory."""
    array = tensor.detach().numpy().astype(np.float32, copy=copy)
    array.setflags(write=False)
    return array


def _drawn_name(path: str) -> str:
    """`blocks.0.attn.W_Q` is drawn as W_Q, `blocks.0.ln1.gamma` as ln1.gamma."""
    inside = path.split(".", 2)[2] if path.startswith("blocks.") else path
    return inside.removeprefix("attn.").removeprefix("mlp.")
