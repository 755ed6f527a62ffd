"""Qwen3 as Hugging Face stores it: a Llama whose queries and keys each have a norm."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.huggingface.llama import LlamaArchitecture
from model.huggingface.qwen2 import Qwen2Architecture, window_of
from model.llama import LlamaConfig


class Qwen3Architecture(Qwen2Architecture):
    """`model_type` qwen3."""

    model_type = "qwen3"
    class_name = "Qwen3ForCausalLM"
    unless_told = Qwen2Architecture.unless_told | {"head_dim": 128}

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        keys = {**self.unless_told, **keys}
        config = LlamaArchitecture.read_config(self, keys)
        return replace(config, norms_heads=True, window=window_of(keys, config.n_layers))


QWEN3 = Qwen3Architecture()
