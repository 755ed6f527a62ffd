"""One forward pass on one prompt, every number of it kept and named. Knows nothing of pictures."""

# ruff: noqa: N815 - b_Q and its like are the names in the formulas

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save
from torch import Tensor

from model.errors import Unusable
from model.files import write_whole
from model.gpt import GPT, LayerNorm, Site
from model.tokenizer import Tokenizer

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Norm:
    """What a layer norm has learned: (L, D) each, or (D,) for the final one."""

    gamma: Array
    beta: Array


@dataclass(frozen=True)
class Weights:
    """The weights as drawn, `x @ W`; layers stacked first."""

    W_E: Array  # (V, D)
    W_pos: Array  # (n_ctx, D)
    W_Q: Array  # (L, H, D, K)
    b_Q: Array  # (L, H, K)
    W_K: Array  # (L, H, D, K)
    b_K: Array  # (L, H, K)
    W_V: Array  # (L, H, D, K)
    b_V: Array  # (L, H, K)
    W_O: Array  # (L, H, K, D)
    b_O: Array  # (L, D)
    W_in: Array  # (L, D, M)
    b_in: Array  # (L, M)
    W_out: Array  # (L, M, D)
    b_out: Array  # (L, D)
    W_U: Array  # (D, V)
    ln1: Norm
    ln2: Norm
    ln_final: Norm

    @classmethod
    def of(cls, model: GPT) -> Self:
        """Copy a model's weights."""
        blocks = list(model.blocks)

        def stack(path: str) -> Array:
            return _read_only(torch.stack([block.get_parameter(path) for block in blocks]))

        attention: dict[str, Any] = {
            f"{kind}_{name}": stack(f"attn.{kind}_{name}") for name in "QKVO" for kind in "Wb"
        }
        mlp: dict[str, Any] = {
            name: stack(f"mlp.{name}") for name in ("W_in", "b_in", "W_out", "b_out")
        }
        norms: dict[str, Any] = {
            name: Norm(stack(f"{name}.gamma"), stack(f"{name}.beta")) for name in ("ln1", "ln2")
        }
        final = Norm(_read_only(model.ln_final.gamma), _read_only(model.ln_final.beta))
        ends: dict[str, Any] = {
            name: _read_only(getattr(model, name)) for name in ("W_E", "W_pos", "W_U")
        }
        return cls(**ends, **attention, **mlp, **norms, ln_final=final)


@dataclass(frozen=True)
class Trace:
    """Everything computed for one prompt: no batch axis, layers stacked first.

    L layers, H heads, T tokens, D d_model, K d_head, M d_mlp, V vocabulary; of two T axes the
    first is the query.
    """

    text: str
    ids: tuple[int, ...]  # T of them
    pieces: tuple[str, ...]  # T of them, as shown
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

    def tensors(self) -> dict[str, Array]:
        """Every array under its address: `pattern`, `weights.W_Q`, `weights.ln1.gamma`."""
        return dict(_named_arrays(self, ""))

    def write(self, path: Path) -> None:
        """Write `tensors()` as a safetensors file; an older file stays until this one is whole."""
        tensors = {name: np.ascontiguousarray(array) for name, array in self.tensors().items()}
        write_whole({path: save(tensors)})


def record(model: GPT, tokenizer: Tokenizer, text: str) -> Trace:
    """Run the model on a text and keep every number; `Unusable` if the text cannot be run."""
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
        weights=Weights.of(model),
        **seen,
    )


@torch.inference_mode()
def watch(model: GPT, ids: Sequence[int]) -> dict[str, Any]:
    """Run the model on one prompt; what was seen at each site, layers stacked where there are."""
    seen: dict[str, Tensor] = {}
    sites = [path for path, module in model.named_modules() if isinstance(module, Site | LayerNorm)]
    hooks = [
        model.get_submodule(path).register_forward_hook(
            lambda _module, _inputs, output, path=path: seen.update({path: output[0]})
        )
        for path in sites
    ]
    try:
        model(torch.tensor([list(ids)]))
    finally:
        for hook in hooks:
            hook.remove()
    layers: dict[str, list[Tensor]] = {}
    for path in sites:
        layers.setdefault(path.rpartition(".")[2], []).append(seen[path])
    once = {path for path in sites if "." not in path}
    return {
        name: _read_only(found[0] if name in once else torch.stack(found))
        for name, found in layers.items()
    }


def _read_only(tensor: Tensor) -> Array:
    """Copy to a NumPy array that nobody can change."""
    array = tensor.detach().numpy().astype(np.float32, copy=True)
    array.setflags(write=False)
    return array


def _named_arrays(value: Any, name: str) -> Iterator[tuple[str, Array]]:  # noqa: ANN401 - walks dataclasses
    """Walk the arrays in a dataclass and in those it holds, with their dotted names."""
    if isinstance(value, np.ndarray):
        yield name, value
    elif hasattr(value, "__dataclass_fields__"):
        for field in fields(value):
            inner = f"{name}.{field.name}" if name else field.name
            yield from _named_arrays(getattr(value, field.name), inner)
