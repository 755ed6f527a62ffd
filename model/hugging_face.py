"""GPT-2 as Hugging Face names and lays it out <-> ours. Knows nothing of files.

There the three projections of all heads are one matrix `c_attn`, (D, 3D): query, key and value
in turn, each with the heads side by side. Here every head has its own (D, K).
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from model.errors import Unusable
from model.gpt import ACTIVATIONS, GPT, Config

MOST = 10_000_000  # no size of a transformer is larger; guards against absurd ones in a config

OUTSIDE = {
    "transformer.wte.weight": "W_E",
    "transformer.wpe.weight": "W_pos",
    "transformer.ln_f.weight": "ln_final.gamma",
    "transformer.ln_f.bias": "ln_final.beta",
}
IN_A_BLOCK = {
    "ln_1.weight": "ln1.gamma",
    "ln_1.bias": "ln1.beta",
    "attn.c_proj.weight": "attn.W_O",
    "attn.c_proj.bias": "attn.b_O",
    "ln_2.weight": "ln2.gamma",
    "ln_2.bias": "ln2.beta",
    "mlp.c_fc.weight": "mlp.W_in",
    "mlp.c_fc.bias": "mlp.b_in",
    "mlp.c_proj.weight": "mlp.W_out",
    "mlp.c_proj.bias": "mlp.b_out",
}


def config_to_hugging_face(config: Config) -> dict[str, Any]:
    """Write the `config.json` of a model with these sizes."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": config.d_vocab,
        "n_positions": config.n_ctx,
        "n_embd": config.d_model,
        "n_layer": config.n_layers,
        "n_head": config.n_heads,
        "n_inner": config.d_mlp,
        "activation_function": config.activation,
        "layer_norm_epsilon": config.layer_norm_eps,
        "tie_word_embeddings": config.tied,
        "scale_attn_weights": config.scores_over_sqrt_d_head,
        "scale_attn_by_inverse_layer_idx": config.scores_over_layer,
        "attn_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "resid_pdrop": 0.0,
        "dtype": "float32",
    }


def config_from_hugging_face(keys: Mapping[str, Any]) -> Config:
    """Read the sizes in a `config.json`; what it leaves out is as in the first GPT-2."""
    if keys.get("model_type") != "gpt2":
        raise Unusable(
            f"The checkpoint's model_type is {keys.get('model_type')!r}, and only 'gpt2' can be "
            "shown: choose a GPT-2 checkpoint."
        )
    if keys.get("add_cross_attention"):
        raise Unusable("The checkpoint has cross-attention: choose a GPT-2 without an encoder.")
    d_model = _size(keys, "n_embd", 768)
    config = Config(
        n_layers=_size(keys, "n_layer", 12),
        n_heads=_size(keys, "n_head", 12),
        d_model=d_model,
        d_mlp=4 * d_model if keys.get("n_inner") is None else _size(keys, "n_inner", 0),
        n_ctx=_size(keys, "n_positions", 1024),
        d_vocab=_size(keys, "vocab_size", 50257),
        activation=keys.get("activation_function", "gelu_new"),
        layer_norm_eps=keys.get("layer_norm_epsilon", 1e-5),
        tied=_flag(keys, "tie_word_embeddings", default=True),
        scores_over_sqrt_d_head=_flag(keys, "scale_attn_weights", default=True),
        scores_over_layer=_flag(keys, "scale_attn_by_inverse_layer_idx", default=False),
    )
    _refuse_odd_choices(config)
    return config


def weights_to_hugging_face(model: GPT) -> dict[str, Tensor]:
    """Every weight under its Hugging Face name and in its orientation."""
    ours = model.state_dict()
    theirs = {name: ours[mine] for name, mine in OUTSIDE.items()}
    for layer in range(model.config.n_layers):
        block, h = f"blocks.{layer}", f"transformer.h.{layer}"
        for name, mine in IN_A_BLOCK.items():
            theirs[f"{h}.{name}"] = ours[f"{block}.{mine}"]
        W_O = theirs[f"{h}.attn.c_proj.weight"]  # (H, K, D)
        theirs[f"{h}.attn.c_proj.weight"] = W_O.flatten(0, 1)  # (D, D)
        W = [ours[f"{block}.attn.W_{kind}"].permute(1, 0, 2).flatten(1) for kind in "QKV"]
        b = [ours[f"{block}.attn.b_{kind}"].flatten() for kind in "QKV"]
        theirs[f"{h}.attn.c_attn.weight"] = torch.cat(W, dim=1)  # (D, 3D)
        theirs[f"{h}.attn.c_attn.bias"] = torch.cat(b)  # (3D,)
    if not model.config.tied:
        theirs["lm_head.weight"] = model.W_U.T  # (V, D)
    return theirs


def weights_from_hugging_face(theirs: Mapping[str, Tensor], config: Config) -> dict[str, Tensor]:
    """Our state dict from tensors whose names and shapes are already known to be right."""
    ours = {mine: theirs[name] for name, mine in OUTSIDE.items()}
    heads, d_head = config.n_heads, config.d_head
    for layer in range(config.n_layers):
        block, h = f"blocks.{layer}", f"transformer.h.{layer}"
        for name, mine in IN_A_BLOCK.items():
            ours[f"{block}.{mine}"] = theirs[f"{h}.{name}"]
        W_O = ours[f"{block}.attn.W_O"]  # (D, D)
        ours[f"{block}.attn.W_O"] = W_O.view(heads, d_head, -1)  # (H, K, D)
        W = theirs[f"{h}.attn.c_attn.weight"].view(-1, 3, heads, d_head)  # (D, 3, H, K)
        b = theirs[f"{h}.attn.c_attn.bias"].view(3, heads, d_head)  # (3, H, K)
        for index, kind in enumerate("QKV"):
            ours[f"{block}.attn.W_{kind}"] = W[:, index].transpose(0, 1).contiguous()  # (H, D, K)
            ours[f"{block}.attn.b_{kind}"] = b[index].contiguous()  # (H, K)
    if not config.tied:
        ours["unembedding"] = theirs["lm_head.weight"].T.contiguous()  # (D, V)
    return ours


def _size(keys: Mapping[str, Any], key: str, default: int) -> int:
    """Read a whole number between 1 and `MOST`."""
    size = keys.get(key, default)
    if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= MOST:
        raise Unusable(
            f"The checkpoint's config.json has {key} = {size!r:.40}, which is no size a model can "
            "have: correct it or save the checkpoint again."
        )
    return size


def _flag(keys: Mapping[str, Any], key: str, *, default: bool) -> bool:
    """Read a yes or no."""
    flag = keys.get(key, default)
    if not isinstance(flag, bool):
        raise Unusable(
            f"The checkpoint's config.json has {key} = {flag!r:.40}, where true or false belongs."
        )
    return flag


def _refuse_odd_choices(config: Config) -> None:
    """Name what fits no formula here."""
    if config.d_model % config.n_heads:
        raise Unusable(
            f"The checkpoint's config.json has n_embd {config.d_model}, which {config.n_heads} "
            "heads cannot share evenly: correct n_embd or n_head."
        )
    if not isinstance(config.activation, str) or config.activation not in ACTIVATIONS:
        raise Unusable(
            f"The checkpoint's activation_function is {config.activation!r:.40}, and only "
            f"{', '.join(ACTIVATIONS)} are known: choose a checkpoint that uses one of them."
        )
    eps = config.layer_norm_eps
    if isinstance(eps, bool) or not isinstance(eps, int | float) or not 0 <= eps < 1:
        raise Unusable(
            f"The checkpoint's layer_norm_epsilon is {eps!r:.40}: a small number such as 1e-05 "
            "belongs there."
        )
