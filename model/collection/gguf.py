# ruff: noqa: PLC0415 - the package gguf is an extra
"""A Llama in a GGUF file becomes a checkpoint folder.

GGUF keeps quantised numbers, names of its own, and queries and keys with the two halves of a
rotation side by side, where Hugging Face has one after the other (llama.cpp, convert_hf_to_gguf.py,
`LlamaModel.permute`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tokenizers
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import AddedToken, decoders, models, pre_tokenizers

from model.errors import Unusable, short_repr
from model.files import write_whole
from model.huggingface.folder import WEIGHTS

ARCHITECTURE, WORDS, SPLITS = "llama", "gpt2", "smollm"  # what this reader knows
CONTROL = 3  # a token's type: no text
OUTSIDE = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
IN_A_BLOCK = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def write_checkpoint(gguf: Path, folder: Path) -> None:
    """Write `config.json`, the weights in float32, and `tokenizer.json` of a GGUF file.

    Raises `Unusable` for a file that cannot be read, or holds another kind of model or tokenizer.
    """
    try:
        from gguf import GGUFReader
    except ImportError:
        raise Unusable(
            "To read this model takes the package gguf: install it with "
            "`pip install 'transformer-films[models]'`."
        ) from None
    try:
        reader = GGUFReader(gguf)
        facts = {name: field.contents() for name, field in reader.fields.items()}
        config = _config(facts, {tensor.name for tensor in reader.tensors})
        words = _tokenizer(facts)
        weights = dict(_weight(tensor, config) for tensor in reader.tensors)
    except (ValueError, LookupError, TypeError, AttributeError, OSError) as error:
        if isinstance(error, Unusable):
            raise
        raise Unusable(f"{gguf.name} cannot be read as GGUF ({error}): fetch it again.") from error
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / WEIGHTS).chmod(0o644)  # the library lets nobody else read it
    texts = {
        "config.json": json.dumps(config, indent=2),
        "tokenizer_config.json": json.dumps(_tokenizer_config(facts), indent=2),
        "tokenizer.json": words.to_str(),
    }
    write_whole({folder / name: f"{text}\n".encode() for name, text in texts.items()})


def _config(facts: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    kind = facts["general.architecture"]
    if kind != ARCHITECTURE:
        raise Unusable(f"The file holds a {short_repr(kind)}, and only a llama can be read.")
    sizes = {
        "num_hidden_layers": "block_count",
        "hidden_size": "embedding_length",
        "intermediate_size": "feed_forward_length",
        "num_attention_heads": "attention.head_count",
        "num_key_value_heads": "attention.head_count_kv",
        "max_position_embeddings": "context_length",
        "vocab_size": "vocab_size",
    }
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        **{name: int(facts[f"llama.{theirs}"]) for name, theirs in sizes.items()},
        "head_dim": int(facts["llama.rope.dimension_count"]),
        "hidden_act": "silu",
        "rms_norm_eps": _rounded(facts["llama.attention.layer_norm_rms_epsilon"]),
        "tie_word_embeddings": "output.weight" not in names,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": _rounded(facts["llama.rope.freq_base"]),
        },
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": facts.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": facts.get("tokenizer.ggml.eos_token_id"),
        "dtype": "float32",
    }


def _rounded(number: float) -> float:
    """Return the decimal that was rounded to this float32."""
    return float(str(np.float32(number)))


def _weight(tensor: Any, config: Mapping[str, Any]) -> tuple[str, NDArray[np.float32]]:  # noqa: ANN401 - gguf's
    """Return a tensor's name and its numbers as Hugging Face has them."""
    from gguf.quants import dequantize

    numbers = np.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), np.float32)
    if tensor.name in OUTSIDE:
        return OUTSIDE[tensor.name], numbers
    _, layer, part, what = tensor.name.split(".")
    heads = {"attn_q": "num_attention_heads", "attn_k": "num_key_value_heads"}
    if part in heads:
        pairs = numbers.reshape(config[heads[part]], -1, 2, numbers.shape[-1])
        numbers = np.ascontiguousarray(pairs.swapaxes(1, 2)).reshape(numbers.shape)
    return f"model.layers.{layer}.{IN_A_BLOCK[part]}.{what}", numbers


def _tokenizer(facts: Mapping[str, Any]) -> tokenizers.Tokenizer:
    """Return a byte-level BPE; SmolLM's cuts numbers into digits first."""
    kind = facts["tokenizer.ggml.model"], facts["tokenizer.ggml.pre"]
    if kind != (WORDS, SPLITS):
        raise Unusable(f"The file's tokenizer, {short_repr(kind)}, is not known here.")
    tokens = facts["tokenizer.ggml.tokens"]
    merges = [tuple(merge.split(" ")) for merge in facts["tokenizer.ggml.merges"]]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    found = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    digits = pre_tokenizers.Digits(individual_digits=True)
    in_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.pre_tokenizer = pre_tokenizers.Sequence([digits, in_bytes])
    found.decoder = decoders.ByteLevel()
    types = zip(tokens, facts["tokenizer.ggml.token_type"], strict=True)
    found.add_special_tokens(
        [
            AddedToken(token, special=True, normalized=False)
            for token, kind in types
            if kind == CONTROL
        ]
    )
    return found


def _tokenizer_config(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Say what lets `transformers.AutoTokenizer` read the folder."""
    tokens = facts["tokenizer.ggml.tokens"]
    named = {
        f"{name}_token": tokens[facts[f"tokenizer.ggml.{name}_token_id"]]
        for name in ("bos", "eos")
        if f"tokenizer.ggml.{name}_token_id" in facts
    }
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": int(facts["llama.context_length"]),
        "clean_up_tokenization_spaces": False,
        **named,
    }
