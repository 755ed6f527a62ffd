"""Phi-3 as Hugging Face stores it: a Llama with some matrices joined, and perhaps a window."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.huggingface.config import size
from model.huggingface.llama import INSIDE, LlamaArchitecture, share_turned
from model.huggingface.parts import Part
from model.llama import LlamaConfig


class QueriesKeysValues(Part):
    """The rows of all queries, then of keys and of values: (H K + 2 G K, D) there."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: D102
        heads = weight.view(-1, config.d_head, weight.shape[1])  # (H + 2 G, K, D)
        last = config.n_heads + config.n_key_heads
        parts = heads.tensor_split((config.n_heads, last))
        return [part.transpose(1, 2) for part in parts]

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        return _below_each_other([part.transpose(1, 2).flatten(0, 1) for part in ours])


class GateAndUp(Part):
    """The rows of the gate, then those of what it multiplies: (2 M, D) there."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: ARG002, D102
        return [part.T for part in weight.chunk(2)]

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        return _below_each_other([part.T for part in ours])


class Phi3Architecture(LlamaArchitecture):
    """`model_type` phi3."""

    model_type = "phi3"
    class_name = "Phi3ForCausalLM"
    unless_told = LlamaArchitecture.unless_told | {
        "vocab_size": 32064,
        "hidden_size": 3072,
        "intermediate_size": 8192,
        "max_position_embeddings": 4096,
        "rms_norm_eps": 1e-5,
        "partial_rotary_factor": 1.0,
    }
    inside = (
        *(part for part in INSIDE if "_proj" not in part.there or "o_proj.w" in part.there),
        QueriesKeysValues("self_attn.qkv_proj.weight", "attn.W_Q", "attn.W_K", "attn.W_V"),
        GateAndUp("mlp.gate_up_proj.weight", "mlp.W_gate", "mlp.W_in"),
        *(part for part in INSIDE if "down_proj" in part.there),
    )

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        keys = {**self.unless_told, **keys}
        config = super().read_config(keys)
        has_window = keys.get("sliding_window") is not None
        return replace(
            config,
            biases=(),
            window=size(keys, "sliding_window", 0) if has_window else None,
            rotation=share_turned(config.rotation, config.d_head, keys, "partial_rotary_factor"),
        )

    def write_config(self, config: LlamaConfig) -> dict[str, Any]:  # noqa: D102
        own = {"sliding_window": config.window, "pad_token_id": None}
        return super().write_config(config) | own


def _below_each_other(parts: Sequence[Tensor]) -> Tensor:
    """Join matrices of one width; `torch.cat` of planned ones imports a compiler, for a second."""
    joined = parts[0].new_empty(sum(map(len, parts)), parts[0].shape[1])
    start = 0
    for part in parts:
        joined[start : start + len(part)] = part
        start += len(part)
    return joined


PHI3 = Phi3Architecture()
