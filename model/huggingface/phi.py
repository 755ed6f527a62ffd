"""Phi 1 and 2 as Hugging Face stores them: attention and MLP side by side, after one norm."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.errors import Unusable
from model.huggingface.config import flag
from model.huggingface.llama import LlamaArchitecture, share_turned
from model.huggingface.parts import FromHeads, Matrix, Part, ToHeads
from model.llama import LlamaConfig
from model.sizes import EVERY_BIAS


class PhiArchitecture(LlamaArchitecture):
    """`model_type` phi."""

    model_type = "phi"
    class_name = "PhiForCausalLM"
    norm_eps = "layer_norm_eps"
    unless_told = {  # noqa: RUF012 - as the base class says
        "vocab_size": 51200,
        "hidden_size": 2048,
        "intermediate_size": 8192,
        "num_hidden_layers": 24,
        "num_attention_heads": 32,
        "max_position_embeddings": 2048,
        "hidden_act": "gelu_new",
        "layer_norm_eps": 1e-5,
        "partial_rotary_factor": 0.5,
    }
    outside = (
        Part("model.embed_tokens.weight", "W_E"),
        Part("model.final_layernorm.weight", "ln_final.gamma"),
        Part("model.final_layernorm.bias", "ln_final.beta"),
        Matrix("lm_head.weight", "unembedding"),
        Part("lm_head.bias", "b_U"),
    )
    inside = (
        Part("input_layernorm.weight", "ln1.gamma"),
        Part("input_layernorm.bias", "ln1.beta"),
        *(ToHeads(f"self_attn.{kind.lower()}_proj.weight", f"attn.W_{kind}") for kind in "QKV"),
        *(ToHeads(f"self_attn.{kind.lower()}_proj.bias", f"attn.b_{kind}") for kind in "QKV"),
        FromHeads("self_attn.dense.weight", "attn.W_O"),
        Part("self_attn.dense.bias", "attn.b_O"),
        Matrix("mlp.fc1.weight", "mlp.W_in"),
        Part("mlp.fc1.bias", "mlp.b_in"),
        Matrix("mlp.fc2.weight", "mlp.W_out"),
        Part("mlp.fc2.bias", "mlp.b_out"),
    )

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        if flag(keys, "qk_layernorm", default=False):
            raise Unusable(
                "The checkpoint has qk_layernorm, which no released phi has: it cannot be shown."
            )
        keys = {**self.unless_told, **keys}
        config = super().read_config(keys)
        return replace(
            config,
            norm="layer norm",
            gated=False,
            biases=(*EVERY_BIAS, "b_U"),
            side_by_side=True,
            one_norm=True,
            rotation=share_turned(config.rotation, config.d_head, keys, "partial_rotary_factor"),
        )


PHI = PhiArchitecture()
