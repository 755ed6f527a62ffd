"""Whatever a model of these families computes in transformers is computed here, and ours there.

Llama and Mistral, of whose kind they all are, have files of their own.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from oracles import SMALL_LLAMA, agree, edit, keys_may_be_kept, made, refused, traced, written
from played import film_of, turned_entries
from plays import declared_refusals

from checking.check import check_film
from model.checkpoint import load, save
from model.errors import Unsuited
from model.huggingface.families import architecture_in
from scenes.attention.many_heads import ManyHeads
from scenes.attention.queries_keys_values import QueriesKeysValues
from scenes.block.build_a_block import BuildABlock
from scenes.block.thinking_alone import ThinkingAlone
from scenes.film import Film, Request
from scenes.task.the_whole_road import TheWholeRoad
from scenes.vectors.clocks_for_positions import ClocksForPositions

SMALL: dict[str, Any] = SMALL_LLAMA | {"vocab_size": 300, "attn_implementation": "eager"}
LINEAR = {"rope_type": "linear", "rope_theta": 1e3, "factor": 4.0}


@dataclass(frozen=True)
class Family:
    """A family in transformers, by the names of its classes, and the configs that are tried."""

    name: str
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)
    small: dict[str, Any] = field(default_factory=lambda: SMALL)

    shown: dict[str, Any] = field(default_factory=dict)  # what films need besides
    older: dict[str, str] = field(default_factory=dict)  # names of keys, by the newer ones

    @property
    def config(self) -> Any:
        """What its configs are made by."""
        return getattr(transformers, f"{self.name}Config")

    @property
    def model(self) -> Any:
        """What its models are made by."""
        return getattr(transformers, f"{self.name}ForCausalLM")

    @property
    def bare(self) -> Any:
        """What models without the output layer are made by."""
        return getattr(transformers, f"{self.name}Model")

    def made(self, kind: Any = None, **changes: Any) -> Any:
        """A model of transformers with random weights."""
        return made(kind or self.model, self.config(**(self.small | changes)))


FAMILIES = {
    "qwen2": Family(
        "Qwen2",
        {
            "plain": {},
            "tied": {"tie_word_embeddings": True},
            "a key head for every head": {"num_key_value_heads": 4},
            "another rotation": {"rope_parameters": LINEAR},
            "a window": {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 0},
            "a window in no layer": {"use_sliding_window": True, "max_window_layers": 2},
        },
    ),
    "qwen3": Family(
        "Qwen3",
        {
            "plain": {},
            "tied": {"tie_word_embeddings": True},
            "biases": {"attention_bias": True},
            "heads wider than their share": {"head_dim": 24},
            "epsilon": {"rms_norm_eps": 0.01},
            "a window": {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 0},
        },
        SMALL | {"head_dim": 8},
    ),
    "gemma": Family(
        "Gemma",
        {
            "plain": {},
            "untied": {"tie_word_embeddings": False},
            "one key head for all": {"num_key_value_heads": 1},
            "heads wider than their share": {"head_dim": 24},
            "epsilon": {"rms_norm_eps": 0.01},
            "the first release's gelu": {"hidden_act": "gelu"},
            "biases": {"attention_bias": True},
        },
        SMALL | {"head_dim": 8},
    ),
    "gpt_neox": Family(
        "GPTNeoX",
        {
            "plain": {},
            "tied": {"tie_word_embeddings": True},
            "one after the other": {"use_parallel_residual": False},
            "no biases": {"attention_bias": False},
            "all of each head is turned": {
                "rope_parameters": LINEAR | {"partial_rotary_factor": 1.0}
            },
            "epsilon": {"layer_norm_eps": 0.01},
            "another gelu": {"hidden_act": "gelu_fast"},
        },
        {name: value for name, value in SMALL.items() if name != "num_key_value_heads"},
        {"hidden_size": 128},  # so that there are more hands than one to turn
        {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"},
    ),
    "phi": Family(
        "Phi",
        {
            "plain": {},
            "tied": {"tie_word_embeddings": True},
            "a key head for every head": {"num_key_value_heads": 4},
            "a quarter of each head is turned": {
                "rope_parameters": LINEAR | {"partial_rotary_factor": 0.25}
            },
            "epsilon": {"layer_norm_eps": 0.01},
        },
        shown={"hidden_size": 64},
        older={"partial_rotary_factor": "partial_rotary_factor"},
    ),
    "phi3": Family(
        "Phi3",
        {
            "plain": {},
            "tied": {"tie_word_embeddings": True},
            "a key head for every head": {"num_key_value_heads": 4},
            "a window": {"sliding_window": 3},
            "epsilon": {"rms_norm_eps": 0.01},
        },
        SMALL | {"pad_token_id": 0},
        older={"partial_rotary_factor": "partial_rotary_factor"},
    ),
}
CASES = [(name, variant) for name, family in FAMILIES.items() for variant in family.variants]
each_family = pytest.mark.parametrize("name", FAMILIES)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_it_computes_what_transformers_computes_before_and_after_it_is_saved(
    tmp_path: Path, name: str, variant: str
) -> None:
    family = FAMILIES[name]
    oracle = family.made(**family.variants[variant])
    ours = load(written(oracle, tmp_path / "theirs"))
    assert ours.config.family == name
    agree(ours, oracle)
    save(ours.model, ours.tokenizer, tmp_path / "ours")
    again = family.model.from_pretrained(tmp_path / "ours", attn_implementation="eager")
    agree(load(tmp_path / "ours"), again)


@each_family
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_other_precisions_become_float32(tmp_path: Path, name: str, dtype: torch.dtype) -> None:
    family = FAMILIES[name]
    ours = load(written(family.made().to(dtype), tmp_path))
    kept = {"dtype": torch.float32, "attn_implementation": "eager"}
    agree(ours, family.model.from_pretrained(tmp_path, **kept))


@each_family
def test_shards_and_models_without_the_output_layer_are_read(tmp_path: Path, name: str) -> None:
    family = FAMILIES[name]
    oracle = family.made()
    agree(load(written(oracle, tmp_path / "shards", max_shard_size="10KB")), oracle)
    if "lm_head.bias" in oracle.state_dict():
        return  # without its output layer it lacks a weight
    folder = written(family.made(family.bare, tie_word_embeddings=True), tmp_path / "bare")
    agree(load(folder), family.model.from_pretrained(folder, attn_implementation="eager"))


@each_family
def test_a_cache_of_keys_changes_no_logit(tmp_path: Path, name: str) -> None:
    keys_may_be_kept(load(written(FAMILIES[name].made(), tmp_path)))


@each_family
def test_what_a_config_leaves_out_is_as_transformers_has_it(name: str) -> None:
    theirs = FAMILIES[name].config()
    ours: Any = architecture_in({"model_type": name}).read_config({})
    assert (ours.n_layers, ours.d_model) == (theirs.num_hidden_layers, theirs.hidden_size)
    assert (ours.n_heads, ours.d_mlp) == (theirs.num_attention_heads, theirs.intermediate_size)
    assert (ours.d_vocab, ours.n_ctx) == (theirs.vocab_size, theirs.max_position_embeddings)
    assert ours.n_key_heads == getattr(theirs, "num_key_value_heads", ours.n_heads)
    assert ours.d_head == getattr(theirs, "head_dim", ours.d_model // ours.n_heads)
    assert ours.norm_eps == getattr(theirs, "rms_norm_eps", getattr(theirs, "layer_norm_eps", None))
    assert ours.tied == theirs.tie_word_embeddings
    assert ours.rotation.base == theirs.rope_parameters["rope_theta"]
    assert ours.rotation.share == theirs.rope_parameters.get("partial_rotary_factor", 1.0)
    assert ours.window == getattr(theirs, "sliding_window", None)


@each_family
def test_a_config_of_older_versions_is_read(tmp_path: Path, name: str) -> None:
    family = FAMILIES[name]
    kind = LINEAR if name != "phi3" else LINEAR | {"rope_type": "default"}  # it has no other
    share = {"partial_rotary_factor": 0.5} if "partial_rotary_factor" in family.older else {}
    oracle = family.made(rope_parameters=kind | share)
    folder = written(oracle, tmp_path)
    keys = json.loads((folder / "config.json").read_text())
    scaling = keys.pop("rope_parameters")
    for newer, older in ({"rope_theta": "rope_theta"} | family.older).items():
        keys[older] = scaling.pop(newer)
    keys["rope_scaling"] = {"type": scaling.pop("rope_type"), **scaling}
    keys["torch_dtype"] = keys.pop("dtype")
    (folder / "config.json").write_text(json.dumps(keys))
    agree(load(folder), oracle)


def test_the_query_shown_is_worked_out_normed_and_turned(tmp_path: Path) -> None:
    folder = written(FAMILIES["qwen3"].made(attention_bias=True), tmp_path)
    request = Request(prompt="a blue creature", checkpoint=folder)
    film, report = film_of(QueriesKeysValues, request), check_film(QueriesKeysValues, request)
    assert report.findings == ()
    assert "brought to one size" in dict(film.script())["every-column"]
    places, values = turned_entries(report, "W_Q")
    vector = film.tensor("q")[film.layer, film.head, film.asker].array
    assert places
    assert values == pytest.approx(vector[places], abs=1e-4)


def test_what_a_look_up_gives_is_drawn_and_what_is_stored_is_saved(tmp_path: Path) -> None:
    oracle = FAMILIES["gemma"].made()
    ours = load(written(oracle, tmp_path))
    stored = oracle.model.embed_tokens.weight.detach().numpy()
    close(traced(ours).weights.W_E, stored * np.sqrt(32))
    close(traced(ours).weights.W_U, stored.T)


@each_family
def test_every_number_of_the_trace_follows_from_the_ones_before(tmp_path: Path, name: str) -> None:
    ours: Any = load(written(FAMILIES[name].made(), tmp_path))
    t = traced(ours)
    w = t.weights
    read = t.resid_pre if t.traits.side_by_side else t.resid_mid
    for site, of in (("ln1", t.resid_pre), ("ln2", read), ("ln_final", t.resid_post[-1])):
        gamma, beta = (w[f"{site}.{part}"][..., None, :] for part in ("gamma", "beta"))
        mean = of.mean(axis=-1, keepdims=True) if t.traits.norm == "layer norm" else 0.0
        spread = ((of - mean) ** 2).mean(axis=-1, keepdims=True) + ours.config.norm_eps
        close(getattr(t, site), (of - mean) / np.sqrt(spread) * gamma + beta)
    close(t.embed, w.W_E[list(t.ids)])
    close(t.resid_pre[0], t.embed)
    assert t.turns is not None
    for site, W, b in (("q", w.W_Q, w.b_Q), ("k", w.W_K, w.b_K)):
        made_of = np.einsum("ltd,lhdk->lhtk", t.ln1, W) + b[:, :, None]
        if t.traits.head_norm:
            made_of *= 1 / np.sqrt((made_of**2).mean(axis=-1, keepdims=True) + t.traits.head_norm)
            made_of *= w[f"{site}_norm.gamma"][:, None, None]
        close(getattr(t, site), np.einsum("lhtk,tkj->lhtj", made_of, t.turns))
    close(t.v, np.einsum("ltd,lhdk->lhtk", t.ln1, w.W_V) + w.b_V[:, :, None])
    close(t.dot_products, np.einsum("lhqk,lhsk->lhqs", t.q, t.k))
    close(t.scores, t.dot_products / np.sqrt(t.q.shape[-1]))
    close(t.head_out, np.einsum("lhtk,lhkd->lhtd", t.z, w.W_O))
    close(t.attn_out, t.head_out.sum(axis=1) + w.b_O[:, None])
    close(t.resid_mid, t.resid_pre + t.attn_out)
    close(t.resid_post, t.resid_mid + t.mlp_out)
    first = w.W_gate if "W_gate" in w else w.W_in
    close(t.mlp_pre, np.einsum("ltd,ldm->ltm", t.ln2, first) + w.b_in[:, None])
    close(t.mlp_out, np.einsum("ltm,lmd->ltd", t.mlp_post, w.W_out) + w.b_out[:, None])
    close(t.logits, t.ln_final @ w.W_U + (w.b_U if "b_U" in w else 0.0))


MIXED = ["full_attention", "sliding_attention"]
NARROW: dict[str, Any] = {"use_sliding_window": True, "sliding_window": 3, "layer_types": None}
DAMAGES: list[tuple[str, dict[str, Any], str]] = [
    ("qwen2", NARROW | {"layer_types": MIXED}, "do not all see equally far back"),
    ("qwen2", NARROW | {"max_window_layers": 1}, "do not all see equally far back"),
    ("qwen2", NARROW | {"max_window_layers": "1"}, "max_window_layers"),
    ("qwen2", NARROW | {"max_window_layers": 0, "sliding_window": 0}, "sliding_window"),
    ("qwen2", {"rope_parameters": {"rope_type": "yarn"}}, "rope_type 'yarn'"),
    ("gemma", {"use_bidirectional_attention": True}, "see what comes after them"),
    ("gemma", {"model_type": "gemma2"}, "nearest family that can be, 'gemma'"),
    ("gemma", {"model_type": "gemma3_text"}, "nearest family that can be, 'gemma'"),
    ("gpt_neox", {"rope_parameters": {"partial_rotary_factor": 0.1}}, "turns 0 of 8 entries"),
    ("gpt_neox", {"rope_parameters": {"partial_rotary_factor": 0.4}}, "turns 3 of 8 entries"),
    ("gpt_neox", {"rope_parameters": {"partial_rotary_factor": 2.0}}, "turns 16 of 8 entries"),
    ("gpt_neox", {"layer_norm_eps": 2}, "layer_norm_eps is 2"),
    ("gpt_neox", {"model_type": "gptj"}, "nearest family that can be, 'gpt_neox'"),
    ("phi", {"qk_layernorm": True}, "has qk_layernorm"),
    ("phi3", {"rope_parameters": {"rope_type": "longrope"}}, "rope_type 'longrope'"),
    ("phi3", {"model_type": "phimoe"}, "nearest family that can be, 'phi3'"),
    ("qwen2", {"model_type": "qwen2_moe"}, "nearest family that can be, 'qwen2'"),
    ("qwen2", {"model_type": "mixtral"}, "nearest family that can be, 'mistral'"),
]


@pytest.mark.parametrize(("name", "changes", "sentence"), DAMAGES)
def test_a_trait_that_cannot_be_shown_is_refused_in_one_sentence(
    tmp_path: Path, name: str, changes: dict[str, Any], sentence: str
) -> None:
    folder = written(FAMILIES[name].made(), tmp_path)
    edit(**changes)(folder)
    refused(folder, sentence)


@pytest.mark.parametrize("film", [BuildABlock, ThinkingAlone])
def test_a_film_of_mlps_that_read_what_attention_has_added_refuses_others(
    tmp_path: Path, film: type[Film]
) -> None:
    request = Request(prompt="a blue forest", checkpoint=tmp_path)
    written(FAMILIES["gpt_neox"].made(), tmp_path)
    with pytest.raises(Unsuited, match=r"the two stand side by side: choose another film"):
        film_of(film, request)


def test_what_is_said_of_blocks_is_true_where_attention_and_mlp_stand_side_by_side(
    tmp_path: Path,
) -> None:
    written(FAMILIES["gpt_neox"].made(), tmp_path)
    request = Request(prompt="a blue forest", checkpoint=tmp_path)
    said = dict(film_of(TheWholeRoad, request).script())
    assert "make something of that" not in said["by-itself"]
    assert "then think" not in said["the-answer"]


@each_family
@pytest.mark.parametrize("film", [QueriesKeysValues, ClocksForPositions, ManyHeads, ThinkingAlone])
def test_films_of_it_are_clean(tmp_path: Path, name: str, film: type[Film]) -> None:
    folder = written(FAMILIES[name].made(**FAMILIES[name].shown), tmp_path)
    with declared_refusals(film):
        report = check_film(film, Request(prompt="a blue forest", checkpoint=folder))
    assert report.findings == ()
    gaps = [each for each in report.numbers if each.source.startswith("= largest difference")]
    assert all(gap.value < 1e-4 for gap in gaps)


def close(one: Any, other: Any) -> None:
    np.testing.assert_allclose(one, other, atol=2e-4, rtol=1e-4)
