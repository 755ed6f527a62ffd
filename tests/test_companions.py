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


def test_the_run_that_normalises_before_learns_and_the_other_one_stays_behind() -> None:
    losses = load("norms").tensors
    before, after = losses["pre_norm.loss"], losses["post_norm.loss"]
    assert before.shape == after.shape == (norms.STEPS,)
    assert before[-20:].mean() < after[-20:].mean() - 1


def test_a_stream_that_is_only_added_to_keeps_all_and_one_that_is_tidied_next_to_nothing() -> None:
    """Where the stream is tidied, all words' vectors come out alike, too."""
    found = load("norms").tensors
    assert (found["pre_norm.kept"] == 1).all()
    assert (np.diff(found["post_norm.kept"]) < 0).all()
    assert found["post_norm.kept"][-1] < 1e-4
    assert found["pre_norm.alike"][-1] < 0.5
    assert found["post_norm.alike"][-1] > 0.999


def test_where_later_blocks_find_nothing_all_that_the_first_one_gave_is_left() -> None:
    torch.manual_seed(0)
    model = norms.PostNorm(replace(norms.SIZES, n_layers=3, d_vocab=50))
    ids = torch.randint(50, (2, 6))
    for weight in (model.W_E, *(block.mlp.W_out for block in model.blocks)):
        weight.data.mul_(20)  # so that they find something that is worth its name
    assert norms.followed(model, ids)[0][-1] < 0.9
    for block in model.blocks[1:]:
        block.attn.W_O.data.zero_()
        block.mlp.W_out.data.zero_()
    np.testing.assert_allclose(norms.followed(model, ids)[0], 1.0, rtol=1e-3)


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
