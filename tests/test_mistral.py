"""Whatever Mistral transformers writes is read here and computes the same; ours is read there."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles import (
    PROMPT,
    SMALL_LLAMA,
    agree,
    edit,
    keys_may_be_kept,
    made,
    refused,
    traced,
    written,
)
from transformers import MistralConfig, MistralForCausalLM

from checking.check import check_film
from model.checkpoint import load, save
from model.errors import Unusable
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.attention.no_peeking import NoPeeking
from scenes.film import Request

KEYS: dict[str, Any] = SMALL_LLAMA | {"vocab_size": 300, "attn_implementation": "eager"}
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "a narrow window": {"sliding_window": 3},
    "its own token alone": {"sliding_window": 1},
    "no window": {"sliding_window": None},
    "a key head for every head": {"num_key_value_heads": 4},
    "heads wider than their share": {"head_dim": 24},
    "tied": {"tie_word_embeddings": True},
}


def theirs(**changes: Any) -> Any:
    return made(MistralForCausalLM, MistralConfig(**(KEYS | changes)))


@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())
def test_it_computes_what_transformers_computes_before_and_after_it_is_saved(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    oracle = theirs(**changes)
    ours = load(written(oracle, tmp_path / "theirs"))
    assert ours.config.family == "mistral"
    agree(ours, oracle)
    save(ours.model, ours.tokenizer, tmp_path / "ours")
    again = MistralForCausalLM.from_pretrained(tmp_path / "ours", attn_implementation="eager")
    agree(load(tmp_path / "ours"), again)


def test_what_a_config_leaves_out_is_as_transformers_has_it(tmp_path: Path) -> None:
    folder = written(theirs(num_key_value_heads=1, sliding_window=64), tmp_path)
    keys = json.loads((folder / "config.json").read_text())
    for name in ("sliding_window", "head_dim"):
        keys.pop(name, None)
    (folder / "config.json").write_text(json.dumps(keys))
    config = load(folder).model.config
    assert config.traits.window == MistralConfig().sliding_window
    assert config.d_mlp == KEYS["intermediate_size"]


def test_a_window_leaves_a_band_open(tmp_path: Path) -> None:
    trace = traced(load(written(theirs(sliding_window=3), tmp_path)))
    back = np.subtract.outer(np.arange(len(trace.ids)), np.arange(len(trace.ids)))
    assert np.array_equal(np.isfinite(trace.masked[0, 0]), (back >= 0) & (back < 3))


def test_a_cache_of_keys_changes_no_logit(tmp_path: Path) -> None:
    keys_may_be_kept(load(written(theirs(sliding_window=3), tmp_path)))


def test_a_window_is_seen_as_a_band_in_the_film_of_the_mask(tmp_path: Path) -> None:
    folder = written(theirs(sliding_window=4), tmp_path)
    report = check_film(NoPeeking, Request(prompt=PROMPT, checkpoint=folder))
    assert report.findings == ()
    hidden = {number.source for number in report.numbers if number.text == "\N{MINUS SIGN}∞"}
    tokens = len(traced(load(folder)).ids)
    pairs = [(query, key) for query in range(tokens) for key in range(tokens)]
    closed = [(query, key) for query, key in pairs if not query - 4 < key <= query]
    assert {source[source.index(",", 9) + 1 : -1] for source in hidden} == {
        f"{query},{key}" for query, key in closed
    }


@pytest.mark.parametrize("window", [1, 5])
def test_a_film_that_tells_of_no_window_refuses_what_does_not_fit_into_it(
    tmp_path: Path, window: int
) -> None:
    folder = written(theirs(sliding_window=window), tmp_path)
    film = NoPeeking if window == 1 else DotProductGrid
    with pytest.raises(Unusable, match=f"queries see at most {window}, of which .*: shorten it"):
        check_film(film, Request(prompt=PROMPT, checkpoint=folder))


def test_a_film_shows_what_fits_into_the_window(tmp_path: Path) -> None:
    folder = written(theirs(sliding_window=5), tmp_path)
    fitting = Request(prompt="a blue creature", checkpoint=folder)
    assert check_film(DotProductGrid, fitting).findings == ()


@pytest.mark.parametrize("window", [0, -1, "wide", 1.5])
def test_a_window_that_cannot_be_is_refused(tmp_path: Path, window: Any) -> None:
    folder = written(theirs(), tmp_path)
    edit(sliding_window=window)(folder)
    refused(folder, "sliding_window")
