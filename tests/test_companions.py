"""Companions keep their word: what they predict is what counting, or their tables, give."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model import checkpoint, companions
from model.baselines import Counts
from model.companions import counting, embedding_only, norms, orderless, training
from model.companions.shelf import Companion, load
from model.errors import Unusable

SHIPPED = Path(__file__).parents[1] / "assets" / "gpt"
TEXT = "Michael Jordan plays the sport of"


@pytest.fixture(scope="module")
def gpt() -> checkpoint.Checkpoint:
    return checkpoint.load(SHIPPED)


def test_every_companion_is_shipped_and_cuts_texts_as_the_shipped_model_does(
    gpt: checkpoint.Checkpoint,
) -> None:
    assert set(companions.NAMES) == set(training.COMPANIONS)
    for name in companions.NAMES:
        assert load(name).reads(gpt.tokenizer)
        assert load(name).made_by == f"films train --companion {name} --seed 0"


def test_counting_predicts_as_counting_every_token_of_a_corpus_does() -> None:
    ids = np.random.default_rng(0).integers(0, 7, 500).astype(np.int32)
    found = counting.probs(counting.learn(ids, 7), [3, 1, 4])
    wide = ids.astype(np.int64)
    one = (np.bincount(ids, minlength=7) + 1) / (len(ids) + 7)
    every = np.arange(7)
    two = Counts(wide[:-1], wide[1:], 7).probs(np.full(7, 4), every, one)
    three = Counts(wide[:-2] * 7 + wide[1:-1], wide[2:], 7).probs(np.full(7, 11), every, two)
    np.testing.assert_allclose(found[2], three, rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=-1), 1, rtol=1e-12)


def test_embedding_only_predicts_from_the_last_token_alone(gpt: checkpoint.Checkpoint) -> None:
    tables, ids = load("embedding-only").tensors, gpt.tokenizer.encode(TEXT)
    model = embedding_only.EmbeddingOnly(gpt.tokenizer.d_vocab)
    model.load_state_dict({name: torch.from_numpy(np.array(t)) for name, t in tables.items()})
    found = embedding_only.probs(tables, ids)
    with torch.inference_mode():
        expected = model(torch.tensor([ids])).softmax(-1)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(found[-1:], embedding_only.probs(tables, ids[-1:]))


def test_without_order_two_words_that_change_places_take_all_their_numbers_along(
    gpt: checkpoint.Checkpoint,
) -> None:
    weights, ids = load("orderless").tensors, gpt.tokenizer.encode(TEXT)
    order = np.arange(len(ids))
    order[[1, 3]] = order[[3, 1]]
    here, swapped = (orderless.sites(weights, np.array(ids)[p]) for p in (np.sort(order), order))
    np.testing.assert_allclose(here["resid_post"][:, order], swapped["resid_post"], atol=1e-4)
    moved = here["pattern"][:, :, order][..., order]
    np.testing.assert_allclose(moved, swapped["pattern"], atol=1e-5)
    assert (here["pattern"] > 0).all()


def test_started_fast_only_the_run_that_normalises_before_learns_and_started_slowly_both_do() -> (
    None
):
    found = load("norms").tensors
    assert {found[f"{name}.loss"].shape for name in norms.VARIANTS} == {(norms.STEPS,)}
    end = {name: found[f"{name}.loss"][-20:].mean() for name in norms.VARIANTS}
    assert end["pre_norm"] < end["post_norm"] - 1
    assert max(end["pre_norm_slow"], end["post_norm_slow"]) < end["pre_norm"]


def test_where_the_stream_is_tidied_a_fast_start_makes_all_vectors_alike() -> None:
    alike = {name: load("norms").tensors[f"{name}.alike"][-1] for name in norms.VARIANTS}
    assert alike.pop("post_norm") > 0.999
    assert max(alike.values()) < 0.5


def test_a_slow_start_comes_evenly_to_the_rate_at_which_a_fast_one_begins() -> None:
    found = load("norms").tensors
    for name, (_, start) in norms.VARIANTS.items():
        rate = found[f"{name}.rate"]
        np.testing.assert_allclose(rate, norms.rates(start), rtol=1e-6)
        np.testing.assert_allclose(rate[start - 1 :], norms.RATE, rtol=1e-6)
        np.testing.assert_allclose(np.diff(rate[:start]), norms.RATE / start, rtol=1e-3)


def test_vectors_that_are_the_same_are_alike_in_full_before_each_block_and_at_the_end() -> None:
    model = norms.PostNorm(replace(norms.SIZES, n_layers=3, d_vocab=50))
    ids = torch.randint(50, (2, 6), generator=torch.Generator().manual_seed(0))
    found = norms.alike(model, ids)
    assert len(found) == 4
    assert max(found) < 0.9
    model.W_pos.data.zero_()
    np.testing.assert_allclose(norms.alike(model, torch.full((2, 6), 7)), 1.0, rtol=1e-5)


@pytest.mark.parametrize("name", companions.NAMES)
def test_the_same_seed_gives_the_same_companion(
    name: str, gpt: checkpoint.Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "TOKENS", 2_000)
    for module in (embedding_only, orderless, norms):
        monkeypatch.setattr(module, "STEPS", 2)
    for place in ("one", "two"):
        training.train(name, gpt.tokenizer, tmp_path / place, seed=1)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_companion_that_cannot_be_read_is_refused_with_the_command_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("model.companions.shelf.FOLDER", tmp_path)
    (tmp_path / "torn.safetensors").write_bytes(b"no")
    for name in ("missing", "torn"):
        with pytest.raises(Unusable, match=f"films train --companion {name}"):
            load(name)


def test_a_companion_says_for_which_tokenizer_it_was_made(gpt: checkpoint.Checkpoint) -> None:
    assert not Companion("other", {}, "", "0").reads(gpt.tokenizer)
