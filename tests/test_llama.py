"""Whatever Llama transformers writes is read here and computes the same; ours is read there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from oracles import (
    SMALL_LLAMA,
    agree,
    edit,
    keys_may_be_kept,
    made,
    refused,
    traced,
    written,
)
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM, LlamaModel

from model.checkpoint import load, save
from model.llama import Rotation
from model.sizes import Sizes, Traits

KEYS: dict[str, Any] = SMALL_LLAMA | {"vocab_size": 300, "attn_implementation": "eager"}
LLAMA_3 = {
    "rope_type": "llama3", "rope_theta": 5e5, "factor": 8.0, "low_freq_factor": 1.0,
    "high_freq_factor": 4.0, "original_max_position_embeddings": 16,
}  # fmt: skip
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "a key head for every head": {"num_key_value_heads": 4},
    "one key head for all": {"num_key_value_heads": 1},
    "one layer, one head": {
        "num_hidden_layers": 1, "num_attention_heads": 1, "num_key_value_heads": 1,
    },
    "deep": {"num_hidden_layers": 9},
    "heads wider than their share": {"head_dim": 24},
    "heads narrower than their share": {"head_dim": 2},
    "tied": {"tie_word_embeddings": True},
    "gelu": {"hidden_act": "gelu"},
    "relu": {"hidden_act": "relu"},
    "epsilon": {"rms_norm_eps": 0.01},
    "biases": {"attention_bias": True},
    "another base": {"rope_parameters": {"rope_type": "default", "rope_theta": 100.0}},
    "linear": {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 4.0}},
    "llama 3": {"rope_parameters": LLAMA_3},
    "more entries than tokens": {"vocab_size": 512},
}  # fmt: skip


def theirs(kind: Any = LlamaForCausalLM, **changes: Any) -> Any:
    return made(kind, LlamaConfig(**(KEYS | changes)))


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())
def test_what_transformers_saves_computes_the_same_here(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    oracle = theirs(**changes)
    agree(load(written(oracle, tmp_path)), oracle)


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())
def test_what_we_save_computes_the_same_in_transformers(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    ours = load(written(theirs(**changes), tmp_path / "theirs"))
    save(ours.model, ours.tokenizer, tmp_path / "ours")
    oracle = LlamaForCausalLM.from_pretrained(tmp_path / "ours", attn_implementation="eager")
    agree(load(tmp_path / "ours"), oracle)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_other_precisions_become_float32(tmp_path: Path, dtype: torch.dtype) -> None:
    oracle = theirs().to(dtype)
    agree(load(written(oracle, tmp_path)), oracle.float(), 1e-2)


def test_shards_and_models_without_the_output_layer_are_read(tmp_path: Path) -> None:
    oracle = theirs()
    agree(load(written(oracle, tmp_path / "shards", max_shard_size="10KB")), oracle)
    folder = written(theirs(LlamaModel, tie_word_embeddings=True), tmp_path / "bare")
    assert not any(name.startswith("model.") for name in load_file(folder / "model.safetensors"))
    agree(load(folder), LlamaForCausalLM.from_pretrained(folder, attn_implementation="eager"))


def test_the_config_of_older_versions_is_read(tmp_path: Path) -> None:
    oracle = theirs(rope_parameters=LLAMA_3)
    folder = written(oracle, tmp_path)
    keys = json.loads((folder / "config.json").read_text())
    scaling = keys.pop("rope_parameters")
    keys |= {"rope_theta": scaling.pop("rope_theta"), "rope_scaling": scaling}
    (folder / "config.json").write_text(json.dumps(keys))
    agree(load(folder), oracle)


def test_a_cache_of_keys_changes_no_logit(tmp_path: Path) -> None:
    keys_may_be_kept(load(written(theirs(), tmp_path)))


def test_every_number_of_the_trace_follows_from_the_ones_before(tmp_path: Path) -> None:
    t = traced(load(written(theirs(), tmp_path)))
    w = t.weights
    d_head = t.q.shape[-1]
    close(t.pos_embed, np.zeros_like(t.embed))
    close(t.resid_pre[0], t.embed)
    close(w.b_Q, np.zeros_like(w.b_Q))
    v = np.einsum("ltd,lhdk->lhtk", t.ln1, w.W_V)
    close(t.v, v)
    unturned = np.einsum("ltd,lhdk->lhtk", t.ln1, w.W_Q)
    close(t.q[:, :, 0], unturned[:, :, 0])  # at place 0 nothing has turned yet
    assert t.turns is not None
    close(t.q, np.einsum("lhtk,tkj->lhtj", unturned, t.turns))
    close(t.k, np.einsum("ltd,lhdk,tkj->lhtj", t.ln1, w.W_K, t.turns))
    close(t.dot_products, np.einsum("lhqk,lhsk->lhqs", t.q, t.k))
    close(t.scores, t.dot_products / np.sqrt(d_head))
    close(t.head_out, np.einsum("lhtk,lhkd->lhtd", t.z, w.W_O))
    close(t.attn_out, t.head_out.sum(axis=1))
    close(t.resid_mid, t.resid_pre + t.attn_out)
    close(t.mlp_pre, np.einsum("ltd,ldm->ltm", t.ln2, w.W_gate))
    close(t.mlp_out, np.einsum("ltm,lmd->ltd", t.mlp_post, w.W_out))
    close(t.logits, t.ln_final @ w.W_U)


def test_heads_that_share_their_keys_show_the_same_ones(tmp_path: Path) -> None:
    t = traced(load(written(theirs(), tmp_path)))
    assert t.k.shape == t.q.shape
    assert t.weights.W_K.shape == t.weights.W_Q.shape
    assert (t.k[:, 0] == t.k[:, 1]).all()
    assert (t.weights.W_V[:, 2] == t.weights.W_V[:, 3]).all()
    assert "W_pos" not in t.weights


def test_an_architecture_says_what_it_has(tmp_path: Path) -> None:
    t = traced(load(written(theirs(), tmp_path)))
    assert t.traits == Traits(adds_positions=False, biases=(), norm="RMS norm", sharing=2)
    assert Sizes(1, 1, 1, 1, 1, 1).traits == Traits()


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())
def test_turns_are_those_of_every_kind_of_rotation(changes: dict[str, Any], tmp_path: Path) -> None:
    t = traced(load(written(theirs(**changes), tmp_path)))
    assert t.turns is not None
    unturned = np.einsum("ltd,lhdk->lhtk", t.ln1, t.weights.W_Q) + t.weights.b_Q[:, :, None]
    close(t.q, np.einsum("lhtk,tkj->lhtj", unturned, t.turns))


def test_dot_products_depend_on_distance_alone() -> None:
    rates = Rotation().rates(8)
    assert rates[0] == 1
    assert (rates.diff() < 0).all()


def add_a_bias(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights["model.layers.0.self_attn.q_proj.bias"] = torch.zeros(32)
    save_file(weights, folder / "model.safetensors")


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "biases": (edit(attention_bias=True), "lack model.layers.0.self_attn"),
    "biases of the MLP": (edit(mlp_bias=True), "has mlp_bias"),
    "a bias": (add_a_bias, "which no model of its type"),
    "uneven key heads": (edit(num_key_value_heads=3), "3 key heads cannot share evenly"),
    "uneven heads": (edit(num_attention_heads=5, num_key_value_heads=5, head_dim=None), "evenly"),
    "odd heads": (edit(head_dim=7), "cannot be turned in pairs"),
    "rotation": (edit(rope_parameters={"rope_type": "yarn"}), "rope_type 'yarn'"),
    "rotation of a list": (edit(rope_parameters=[1]), "no JSON object"),
    "rotation base": (edit(rope_parameters={"rope_theta": -1}), "above zero"),
    "rotation factors": (
        edit(rope_parameters=LLAMA_3 | {"low_freq_factor": 4.0}), "is not below",
    ),
    "activation": (edit(hidden_act="mish"), "hidden_act is 'mish'"),
    "other width": (edit(hidden_size=64, head_dim=8), "belong together"),
}  # fmt: skip


@pytest.mark.parametrize(("damage", "sentence"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_bad_checkpoint_is_refused_in_one_sentence(
    tmp_path: Path, damage: Callable[[Path], object], sentence: str
) -> None:
    folder = written(theirs(), tmp_path)
    damage(folder)
    refused(folder, sentence)


def close(one: Any, other: Any) -> None:
    np.testing.assert_allclose(one, other, atol=2e-4, rtol=1e-4)
