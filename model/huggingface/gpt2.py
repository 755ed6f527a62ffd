"""GPT-2 as Hugging Face stores it.

There the three projections of all heads are one matrix `c_attn`, (D, 3D): query, key and value
in turn, each with the heads side by side. Here every head has its own (D, K).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from model.errors import Unusable
from model.gpt import GPT, Config
from model.huggingface.architecture import Architecture
from model.huggingface.config import activation, epsilon, flag, refuse_uneven, size

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


class GPT2Architecture(Architecture):
    """`model_type` gpt2."""

    model_type = "gpt2"
    model_class = GPT
    prefix = "transformer."
    embedding = "transformer.wte.weight"
    block = re.compile(r"transformer\.h\.(\d{1,9})\.")
    buffer = re.compile(r"transformer\.h\.\d+\.attn\.(bias|masked_bias)")  # masks

    def read_config(self, keys: Mapping[str, Any]) -> Config:  # noqa: D102
        if keys.get("add_cross_attention"):
            raise Unusable("The checkpoint has cross-attention: choose a GPT-2 without an encoder.")
        d_model, n_heads = size(keys, "n_embd", 768), size(keys, "n_head", 12)
        refuse_uneven(("n_embd", d_model), ("heads", n_heads))
        return Config(
            n_layers=size(keys, "n_layer", 12),
            n_heads=n_heads,
            d_model=d_model,
            d_mlp=4 * d_model if keys.get("n_inner") is None else size(keys, "n_inner", 0),
            n_ctx=size(keys, "n_positions", 1024),
            d_vocab=size(keys, "vocab_size", 50257),
            activation=activation(keys, "activation_function", "gelu_new"),
            layer_norm_eps=epsilon(keys, "layer_norm_epsilon", 1e-5),
            tied=flag(keys, "tie_word_embeddings", default=True),
            scores_over_sqrt_d_head=flag(keys, "scale_attn_weights", default=True),
            scores_over_layer=flag(keys, "scale_attn_by_inverse_layer_idx", default=False),
        )

    def write_config(self, config: Config) -> dict[str, Any]:  # noqa: D102
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

    def to_huggingface(self, model: GPT) -> dict[str, Tensor]:  # noqa: D102
        ours = model.state_dict()
        weights = {name: ours[mine] for name, mine in OUTSIDE.items()}
        for layer in range(model.config.n_layers):
            block, h = f"blocks.{layer}", f"transformer.h.{layer}"
            for name, mine in IN_A_BLOCK.items():
                weights[f"{h}.{name}"] = ours[f"{block}.{mine}"]
            W_O = weights[f"{h}.attn.c_proj.weight"]  # (H, K, D)
            weights[f"{h}.attn.c_proj.weight"] = W_O.flatten(0, 1)  # (D, D)
            W = [ours[f"{block}.attn.W_{kind}"].permute(1, 0, 2).flatten(1) for kind in "QKV"]
            b = [ours[f"{block}.attn.b_{kind}"].flatten() for kind in "QKV"]
            weights[f"{h}.attn.c_attn.weight"] = _side_by_side(W)  # (D, 3D)
            weights[f"{h}.attn.c_attn.bias"] = _side_by_side(b)  # (3D,)
        if not model.config.tied:
            weights["lm_head.weight"] = model.W_U.T  # (V, D)
        return weights

    def from_huggingface(self, weights: Mapping[str, Tensor], config: Config) -> dict[str, Tensor]:  # noqa: D102
        ours = {mine: weights[name] for name, mine in OUTSIDE.items()}
        heads, d_head = config.n_heads, config.d_head
        for layer in range(config.n_layers):
            block, h = f"blocks.{layer}", f"transformer.h.{layer}"
            for name, mine in IN_A_BLOCK.items():
                ours[f"{block}.{mine}"] = weights[f"{h}.{name}"]
            W_O = ours[f"{block}.attn.W_O"]  # (D, D)
            ours[f"{block}.attn.W_O"] = W_O.view(heads, d_head, -1)  # (H, K, D)
            W = weights[f"{h}.attn.c_attn.weight"].view(-1, 3, heads, d_head)  # (D, 3, H, K)
            b = weights[f"{h}.attn.c_attn.bias"].view(3, heads, d_head)  # (3, H, K)
            for index, kind in enumerate("QKV"):
                per_head = W[:, index].transpose(0, 1)  # (H, D, K)
                ours[f"{block}.attn.W_{kind}"] = per_head.contiguous()
                ours[f"{block}.attn.b_{kind}"] = b[index].contiguous()  # (H, K)
        if not config.tied:
            ours["unembedding"] = weights["lm_head.weight"].T.contiguous()  # (D, V)
        return ours


def _side_by_side(parts: Sequence[Tensor]) -> Tensor:
    """Join tensors of one shape along their last axis.

    `torch.cat` would do; of weights that are only planned it imports a compiler, for a second.
    """
    *rows, width = parts[0].shape
    joined = parts[0].new_empty(*rows, len(parts), width)
    for place, part in enumerate(parts):
        joined[..., place, :] = part
    return joined.flatten(-2)


GPT2 = GPT2Architecture()
