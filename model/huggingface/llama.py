"""Llama as Hugging Face stores it: every projection is a matrix (out, in) of all heads."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from torch import Tensor

from model.errors import Unusable, short_repr
from model.huggingface.architecture import Architecture
from model.huggingface.config import activation, epsilon, flag, positive, refuse_uneven, size
from model.huggingface.parts import FromHeads, Matrix, Part, ToHeads
from model.llama import Llama, LlamaConfig, Rotation, Stretch

OUTSIDE = (
    Part("model.embed_tokens.weight", "W_E"),
    Part("model.norm.weight", "ln_final.gamma"),
    Matrix("lm_head.weight", "unembedding"),
)
INSIDE = (
    Part("input_layernorm.weight", "ln1.gamma"),
    *(ToHeads(f"self_attn.{kind.lower()}_proj.weight", f"attn.W_{kind}") for kind in "QKV"),
    *(ToHeads(f"self_attn.{kind.lower()}_proj.bias", f"attn.b_{kind}") for kind in "QKV"),
    Part("self_attn.q_norm.weight", "attn.q_norm.gamma"),
    Part("self_attn.k_norm.weight", "attn.k_norm.gamma"),
    FromHeads("self_attn.o_proj.weight", "attn.W_O"),
    Part("self_attn.o_proj.bias", "attn.b_O"),
    Part("post_attention_layernorm.weight", "ln2.gamma"),
    Matrix("mlp.gate_proj.weight", "mlp.W_gate"),
    Matrix("mlp.up_proj.weight", "mlp.W_in"),
    Matrix("mlp.down_proj.weight", "mlp.W_out"),
)


class LlamaArchitecture(Architecture):
    """`model_type` llama; other families are subclasses, which say where they differ."""

    model_type = "llama"
    model_class = Llama
    class_name: ClassVar[str] = "LlamaForCausalLM"  # of transformers
    norm_eps: ClassVar[str] = "rms_norm_eps"  # its key
    unless_told: ClassVar[dict[str, Any]] = {  # what transformers assumes
        "vocab_size": 32000,
        "hidden_size": 4096,
        "intermediate_size": 11008,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "max_position_embeddings": 2048,
        "hidden_act": "silu",
        "rms_norm_eps": 1e-6,
        "tie_word_embeddings": False,
    }
    outside: ClassVar[tuple[Part, ...]] = OUTSIDE
    inside: ClassVar[tuple[Part, ...]] = INSIDE  # a block; what a model lacks is passed over
    prefix = "model."
    embedding = "model.embed_tokens.weight"
    block = re.compile(r"model\.layers\.(\d{1,9})\.")
    buffer = re.compile(r"model\.layers\.\d+\.self_attn\.rotary_emb\.inv_freq")

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        keys = {**self.unless_told, **keys}
        if flag(keys, "mlp_bias", default=False):
            raise Unusable(
                f"The checkpoint has mlp_bias, which no released {self.model_type} has: it cannot "
                "be shown."
            )
        has_biases = flag(keys, "attention_bias", default=False)
        d_model, n_heads = size(keys, "hidden_size", 0), size(keys, "num_attention_heads", 0)
        has_own = keys.get("num_key_value_heads") is not None
        n_key_heads = size(keys, "num_key_value_heads", 0) if has_own else n_heads
        refuse_uneven(("num_attention_heads", n_heads), ("key heads", n_key_heads))
        if keys.get("head_dim") is None:
            refuse_uneven(("hidden_size", d_model), ("heads", n_heads))
        return LlamaConfig(
            family=self.model_type,
            n_layers=size(keys, "num_hidden_layers", 0),
            n_heads=n_heads,
            d_model=d_model,
            d_mlp=size(keys, "intermediate_size", 0),
            n_ctx=size(keys, "max_position_embeddings", 0),
            d_vocab=size(keys, "vocab_size", 0),
            n_key_heads=n_key_heads,
            d_head=_d_head(keys, d_model // n_heads),
            activation=activation(keys, "hidden_act", ""),
            norm_eps=epsilon(keys, self.norm_eps, 0.0),
            tied=flag(keys, "tie_word_embeddings", default=False),
            rotation=_rotation(keys),
            biases=("b_Q", "b_K", "b_V", "b_O") if has_biases else (),
        )

    def write_config(self, config: LlamaConfig) -> dict[str, Any]:  # noqa: D102
        return {
            "architectures": [self.class_name],
            "model_type": self.model_type,
            "vocab_size": config.d_vocab,
            "max_position_embeddings": config.n_ctx,
            "hidden_size": config.d_model,
            "num_hidden_layers": config.n_layers,
            "num_attention_heads": config.n_heads,
            "num_key_value_heads": config.n_key_heads,
            "head_dim": config.d_head,
            "intermediate_size": config.d_mlp,
            "hidden_act": config.activation,
            self.norm_eps: config.norm_eps,
            "tie_word_embeddings": config.tied,
            "rope_parameters": _rope_parameters(config.rotation),
            "attention_bias": "b_O" in config.biases,
            "mlp_bias": False,
            "dtype": "float32",
        }

    def to_huggingface(self, model: Llama) -> dict[str, Tensor]:  # noqa: D102
        ours = model.state_dict()
        return {
            part.there: part.write([ours[name] for name in part.here])
            for part in self._parts(model.config)
            if all(name in ours for name in part.here)
        }

    def from_huggingface(  # noqa: D102
        self, weights: Mapping[str, Tensor], config: LlamaConfig
    ) -> dict[str, Tensor]:
        ours: dict[str, Tensor] = {}
        for part in self._parts(config):
            if part.there in weights:
                found = part.read(weights[part.there], config)
                ours |= zip(part.here, found, strict=True)
        return ours

    def _parts(self, config: LlamaConfig) -> Iterator[Part]:
        yield from self.outside
        for layer in range(config.n_layers):
            for part in self.inside:
                yield part.at(f"{self.prefix}layers.{layer}.", f"blocks.{layer}.")


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


def share_turned(rotation: Rotation, d_head: int, keys: Mapping[str, Any], old: str) -> Rotation:
    """Read how much of each head is turned, from `rope_parameters` or an older key.

    Raises `Unusable` where that is no even number of entries.
    """
    how = keys.get("rope_parameters") or keys.get("rope_scaling") or {}
    share = positive(
        how if "partial_rotary_factor" in how else {"partial_rotary_factor": keys[old]},
        "partial_rotary_factor",
        1.0,
    )
    found = replace(rotation, share=share)
    entries = found.entries(d_head)
    if not 0 < entries <= d_head or entries % 2:
        raise Unusable(
            f"The checkpoint turns {entries} of {d_head} entries of a head, which are not pairs: "
            "correct partial_rotary_factor in config.json."
        )
    return found


def _rope_parameters(rotation: Rotation) -> dict[str, Any]:
    how = _kind_of(rotation)
    return how if rotation.share == 1 else how | {"partial_rotary_factor": rotation.share}


def _kind_of(rotation: Rotation) -> dict[str, Any]:
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
