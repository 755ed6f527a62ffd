"""Qwen2 as Hugging Face stores it: a Llama with biases on queries, keys and values."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.errors import Unusable, short_repr
from model.huggingface.config import flag, size
from model.huggingface.llama import LlamaArchitecture
from model.llama import LlamaConfig

OPEN, NARROW = "full_attention", "sliding_attention"  # kinds of layers


class Qwen2Architecture(LlamaArchitecture):
    """`model_type` qwen2."""

    model_type = "qwen2"
    class_name = "Qwen2ForCausalLM"
    unless_told = LlamaArchitecture.unless_told | {
        "vocab_size": 151936,
        "intermediate_size": 22016,
        "num_key_value_heads": 32,
        "max_position_embeddings": 32768,
        "sliding_window": 4096,
        "max_window_layers": 28,
    }

    def read_config(self, keys: Mapping[str, Any]) -> LlamaConfig:  # noqa: D102
        config = replace(super().read_config(keys), biases=("b_Q", "b_K", "b_V"))
        window = window_of({**self.unless_told, **keys}, config.n_layers)
        return replace(config, window=window)

    def write_config(self, config: LlamaConfig) -> dict[str, Any]:  # noqa: D102
        has_window = config.window is not None
        return super().write_config(config) | {
            "use_sliding_window": has_window,
            "sliding_window": config.window,
            "layer_types": [NARROW if has_window else OPEN] * config.n_layers,
        }


def window_of(keys: Mapping[str, Any], n_layers: int) -> int | None:
    """Read how far back queries see, in all layers alike."""
    if not flag(keys, "use_sliding_window", default=False) or keys["sliding_window"] is None:
        return None
    kinds = keys.get("layer_types")
    if kinds is None:
        first = keys["max_window_layers"]
        if not isinstance(first, int) or isinstance(first, bool) or first < 0:
            raise Unusable(
                f"The checkpoint's config.json has max_window_layers = {short_repr(first)}, where "
                "a number of layers belongs."
            )
        kinds = [OPEN] * min(first, n_layers) + [NARROW] * (n_layers - first)
    if kinds == [OPEN] * n_layers:
        return None
    if kinds == [NARROW] * n_layers:
        return size(keys, "sliding_window", 0)
    raise Unusable(
        "The checkpoint's layers do not all see equally far back (layer_types in config.json), "
        "which cannot be shown: choose a model whose layers all have the same window or none."
    )


QWEN2 = Qwen2Architecture()
