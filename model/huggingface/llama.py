"""Llama as Hugging Face stores it: every projection is a matrix (out, in) of all heads."""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor

from model.errors import Unusable, short_repr
from model.huggingface.architecture import Architecture
from model.huggingface.config import activation, epsilon, flag, positive, refuse_uneven, size
from model.llama import Llama, LlamaConfig, Rotation, Stretch

OUTSIDE = {"model.embed_tokens.weight": "W_E", "model.norm.weight": "ln_final.gamma"}
NORMS = {"input_layernorm.weight": "ln1.gamma", "post_attention_layernorm.weight": "ln2.gamma"}
TO_HEADS = {"q": "W_Q", "k": "W_K", "v": "W_V"}
MLP = {"gate_proj": "W_gate", "up_proj": "W_in", "down_proj": "W_out"}


class LlamaArchitecture(Architecture):
    """`model_type` llama."""

    model_type = "llama"
    model_class = Llama
    prefix = "model."
    embedding = "model.embed_tokens.weight"
    block = re.compile(r"model\.layers\.(\d{1,9})\.")
    buffer = re.compile(r"model\.layers\.\d+\.self_attn\.rotary_emb\.inv_freq")

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        for name in ("attention_bias", "mlp_bias"):
            if flag(keys, name, default=False):
                raise Unusable(
                    f"The checkpoint has {name}, which no released Llama has: it cannot be shown."
                )
        d_model, n_heads = size(keys, "hidden_size", 4096), size(keys, "num_attention_heads", 32)
        has_own = keys.get("num_key_value_heads") is not None
        n_key_heads = size(keys, "num_key_value_heads", 0) if has_own else n_heads
        refuse_uneven(("num_attention_heads", n_heads), ("key heads", n_key_heads))
        if keys.get("head_dim") is None:
            refuse_uneven(("hidden_size", d_model), ("heads", n_heads))
        return LlamaConfig(
            n_layers=size(keys, "num_hidden_layers", 32),
            n_heads=n_heads,
            d_model=d_model,
            d_mlp=size(keys, "intermediate_size", 11008),
            n_ctx=size(keys, "max_position_embeddings", 2048),
            d_vocab=size(keys, "vocab_size", 32000),
            n_key_heads=n_key_heads,
            d_head=_d_head(keys, d_model // n_heads),
            activation=activation(keys, "hidden_act", "silu"),
            norm_eps=epsilon(keys, "rms_norm_eps", 1e-6),
            tied=flag(keys, "tie_word_embeddings", default=False),
            rotation=_rotation(keys),
        )

    def write_config(self, config: LlamaConfig) -> dict[str, Any]:  # noqa: D102
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "vocab_size": config.d_vocab,
            "max_position_embeddings": config.n_ctx,
            "hidden_size": config.d_model,
            "num_hidden_layers": config.n_layers,
            "num_attention_heads": config.n_heads,
            "num_key_value_heads": config.n_key_heads,
            "head_dim": config.d_head,
            "intermediate_size": config.d_mlp,
            "hidden_act": config.activation,
            "rms_norm_eps": config.norm_eps,
            "tie_word_embeddings": config.tied,
            "rope_parameters": _rope_parameters(config.rotation),
            "attention_bias": False,
            "mlp_bias": False,
            "dtype": "float32",
        }

    def to_huggingface(self, model: Llama) -> dict[str, Tensor]:  # noqa: D102
        ours = model.state_dict()
        weights = {name: ours[mine] for name, mine in OUTSIDE.items()}
        for layer in range(model.config.n_layers):
            block, there = f"blocks.{layer}", f"model.layers.{layer}"
            for name, mine in NORMS.items():
                weights[f"{there}.{name}"] = ours[f"{block}.{mine}"]
            for name, mine in TO_HEADS.items():
                W = ours[f"{block}.attn.{mine}"].transpose(1, 2)  # (H, K, D)
                weights[f"{there}.self_attn.{name}_proj.weight"] = W.flatten(0, 1)
            W_O = ours[f"{block}.attn.W_O"].flatten(0, 1)  # (H K, D)
            weights[f"{there}.self_attn.o_proj.weight"] = W_O.T
            for name, mine in MLP.items():
                weights[f"{there}.mlp.{name}.weight"] = ours[f"{block}.mlp.{mine}"].T
        if not model.config.tied:
            weights["lm_head.weight"] = model.W_U.T  # (V, D)
        return weights

    def from_huggingface(  # noqa: D102
        self, weights: Mapping[str, Tensor], config: LlamaConfig
    ) -> dict[str, Tensor]:
        ours = {mine: weights[name] for name, mine in OUTSIDE.items()}
        for layer in range(config.n_layers):
            block, there = f"blocks.{layer}", f"model.layers.{layer}"
            for name, mine in NORMS.items():
                ours[f"{block}.{mine}"] = weights[f"{there}.{name}"]
            for name, mine in TO_HEADS.items():
                W = weights[f"{there}.self_attn.{name}_proj.weight"]  # (H K, D)
                per_head = W.view(-1, config.d_head, config.d_model).transpose(1, 2)
                ours[f"{block}.attn.{mine}"] = per_head.contiguous()  # (H, D, K)
            W_O = weights[f"{there}.self_attn.o_proj.weight"].T.contiguous()  # (H K, D)
            ours[f"{block}.attn.W_O"] = W_O.view(config.n_heads, config.d_head, -1)
            for name, mine in MLP.items():
                ours[f"{block}.mlp.{mine}"] = weights[f"{there}.mlp.{name}.weight"].T.contiguous()
        if not config.tied:
            ours["unembedding"] = weights["lm_head.weight"].T.contiguous()  # (D, V)
        return ours


def _d_head(keys: Mapping[str, Any], default: int) -> int:
    d_head = default if keys.get("head_dim") is None else size(keys, "head_dim", 0)
    if d_head % 2 or not d_head:
        raise Unusable(
            f"The checkpoint's heads have {d_head} entries, which cannot be turned in pairs: "
            "correct head_dim in config.json."
        )
    return d_head


def _rotation(keys: Mapping[str, Any]) -> Rotation:
    """Read `rope_parameters`, or `rope_theta` and `rope_scaling` of older versions."""
    how = keys.get("rope_parameters") or keys.get("rope_scaling") or {}
    if not isinstance(how, Mapping):
        raise Unusable("The checkpoint's rope_parameters are no JSON object: save it again.")
    base = positive(how if "rope_theta" in how else keys, "rope_theta", 10_000.0)
    kind = how.get("rope_type", how.get("type", "default"))
    if kind == "default":
        return Rotation(base)
    if kind == "linear":
        return Rotation(base, slower=positive(how, "factor", 1.0))
    if kind == "llama3":
        low, high = positive(how, "low_freq_factor", 1.0), positive(how, "high_freq_factor", 4.0)
        if low >= high:
            raise Unusable("The checkpoint's low_freq_factor is not below its high_freq_factor.")
        n_ctx = size(how, "original_max_position_embeddings", 8192)
        return Rotation(base, stretch=Stretch(positive(how, "factor", 1.0), low, high, n_ctx))
    raise Unusable(
        f"The checkpoint turns its positions by rope_type {short_repr(kind)}, and only default, "
        "linear and llama3 are known: choose a checkpoint that uses one of them."
    )


def _rope_parameters(rotation: Rotation) -> dict[str, Any]:
    stretch = rotation.stretch
    if stretch:
        return {
            "rope_type": "llama3",
            "rope_theta": rotation.base,
            "factor": stretch.factor,
            "low_freq_factor": stretch.low,
            "high_freq_factor": stretch.high,
            "original_max_position_embeddings": stretch.n_ctx,
        }
    if rotation.slower != 1:
        return {"rope_type": "linear", "rope_theta": rotation.base, "factor": rotation.slower}
    return {"rope_type": "default", "rope_theta": rotation.base}


LLAMA = LlamaArchitecture()
