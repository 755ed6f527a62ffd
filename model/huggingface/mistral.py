"""Mistral as Hugging Face stores it: a Llama with a window."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.huggingface.config import size
from model.huggingface.llama import LlamaArchitecture
from model.llama import LlamaConfig

WINDOW = 4096  # tokens


class MistralArchitecture(LlamaArchitecture):
    """`model_type` mistral."""

    model_type = "mistral"
    class_name = "MistralForCausalLM"
    unless_told = LlamaArchitecture.unless_told | {
        "intermediate_size": 14336,
        "num_key_value_heads": 8,
        "max_position_embeddings": 131072,
        "sliding_window": WINDOW,
    }

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        has_window = keys.get("sliding_window", WINDOW) is not None
        window = size(keys, "sliding_window", WINDOW) if has_window else None
        return replace(super().read_config(keys), window=window, biases=())

    def write_config(self, config: LlamaConfig) -> dict[str, Any]:  # noqa: D102
        return super().write_config(config) | {"sliding_window": config.window}


MISTRAL = MistralArchitecture()
