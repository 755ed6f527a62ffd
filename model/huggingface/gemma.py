"""Gemma as Hugging Face stores it: a Llama with scaled embeddings, whose gammas lack one."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.errors import Unusable
from model.huggingface.config import flag
from model.huggingface.llama import INSIDE, OUTSIDE, LlamaArchitecture
from model.huggingface.parts import Part
from model.llama import LlamaConfig


class OneLess(Part):
    """A norm's gamma, from which one is taken away there."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: ARG002, D102
        return (weight + 1,)

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        return ours[0] - 1


def _with_its_gammas(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(
        OneLess(part.there, *part.here) if part.here[0].endswith(".gamma") else part
        for part in parts
    )


class GemmaArchitecture(LlamaArchitecture):
    """`model_type` gemma."""

    model_type = "gemma"
    class_name = "GemmaForCausalLM"
    unless_told = LlamaArchitecture.unless_told | {
        "vocab_size": 256000,
        "hidden_size": 3072,
        "intermediate_size": 24576,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
        "num_key_value_heads": 16,
        "head_dim": 256,
        "max_position_embeddings": 8192,
        "hidden_act": "gelu_pytorch_tanh",
        "tie_word_embeddings": True,
    }
    outside = _with_its_gammas(OUTSIDE)
    inside = _with_its_gammas(INSIDE)

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        if keys.get("use_bidirectional_attention") is not None and flag(
            keys, "use_bidirectional_attention", default=False
        ):
            raise Unusable(
                "The checkpoint's queries see what comes after them (use_bidirectional_attention): "
                "choose a Gemma that writes text."
            )
        if keys.get("hidden_act") == "gelu":  # of the first release, which meant the other one
            keys = {**keys, "hidden_act": "gelu_pytorch_tanh"}
        config = super().read_config(keys)
        return replace(config, embedding_scale=math.sqrt(config.d_model))


GEMMA = GemmaArchitecture()
