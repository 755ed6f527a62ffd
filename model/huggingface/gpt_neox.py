"""GPT-NeoX, of which Pythia is made, as Hugging Face stores it.

It is GPT-2's layer norm, biases and MLP with a Llama's rotation, of a part of each head; attention
and MLP stand side by side. Queries, keys and values are one matrix, head by head.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.huggingface.config import flag
from model.huggingface.llama import LlamaArchitecture, share_turned
from model.huggingface.parts import FromHeads, Matrix, Part
from model.llama import LlamaConfig


class Interleaved(Part):
    """Query, key and value of each head in turn, (H 3 K, D) there, (H, D, K) each here."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: D102
        by_head = weight.view(-1, len(self.here), config.d_head, *weight.shape[1:])
        return [part.transpose(1, -1) for part in by_head.unbind(1)]

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        by_head = [part.transpose(1, -1) for part in ours]  # (H, K, D) each, or (H, K)
        heads, *rest = by_head[0].shape
        joined = by_head[0].new_empty(heads, len(ours), *rest)  # torch.stack imports a compiler
        for place, part in enumerate(by_head):
            joined[:, place] = part
        return joined.flatten(0, 2)


class GPTNeoXArchitecture(LlamaArchitecture):
    """`model_type` gpt_neox."""

    model_type = "gpt_neox"
    class_name = "GPTNeoXForCausalLM"
    norm_eps = "layer_norm_eps"
    unless_told = {  # noqa: RUF012 - as the base class says
        "vocab_size": 50432,
        "hidden_size": 6144,
        "intermediate_size": 24576,
        "num_hidden_layers": 44,
        "num_attention_heads": 64,
        "max_position_embeddings": 2048,
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-5,
        "attention_bias": True,
        "use_parallel_residual": True,
        "rotary_emb_base": 10_000.0,
        "rotary_pct": 0.25,
    }
    prefix = "gpt_neox."
    embedding = "gpt_neox.embed_in.weight"
    unembedding = "embed_out.weight"
    block = re.compile(r"gpt_neox\.layers\.(\d{1,9})\.")
    buffer = re.compile(
        r"gpt_neox\.layers\.\d+\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)"
    )
    outside = (
        Part("gpt_neox.embed_in.weight", "W_E"),
        Part("gpt_neox.final_layer_norm.weight", "ln_final.gamma"),
        Part("gpt_neox.final_layer_norm.bias", "ln_final.beta"),
        Matrix("embed_out.weight", "unembedding"),
    )
    inside = (
        Part("input_layernorm.weight", "ln1.gamma"),
        Part("input_layernorm.bias", "ln1.beta"),
        Interleaved("attention.query_key_value.weight", "attn.W_Q", "attn.W_K", "attn.W_V"),
        Interleaved("attention.query_key_value.bias", "attn.b_Q", "attn.b_K", "attn.b_V"),
        FromHeads("attention.dense.weight", "attn.W_O"),
        Part("attention.dense.bias", "attn.b_O"),
        Part("post_attention_layernorm.weight", "ln2.gamma"),
        Part("post_attention_layernorm.bias", "ln2.beta"),
        Matrix("mlp.dense_h_to_4h.weight", "mlp.W_in"),
        Part("mlp.dense_h_to_4h.bias", "mlp.b_in"),
        Matrix("mlp.dense_4h_to_h.weight", "mlp.W_out"),
        Part("mlp.dense_4h_to_h.bias", "mlp.b_out"),
    )

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        keys = {**self.unless_told, **keys}
        keys |= {"num_key_value_heads": None, "head_dim": None}  # which it does not have
        keys["rope_theta"] = keys["rotary_emb_base"]
        config = super().read_config(keys)
        return replace(
            config,
            norm="layer norm",
            gated=False,
            biases=(*config.biases, "b_in", "b_out"),
            side_by_side=flag(keys, "use_parallel_residual", default=True),
            rotation=share_turned(config.rotation, config.d_head, keys, "rotary_pct"),
        )

    def write_config(self, config: LlamaConfig) -> dict[str, Any]:  # noqa: D102
        return super().write_config(config) | {"use_parallel_residual": config.side_by_side}


GPT_NEOX = GPTNeoXArchitecture()
