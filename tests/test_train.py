"""Training keeps its word: same seed same weights, honest losses, a Ctrl-C that is safe."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from model import baselines, byte_pairs, checkpoint, dataset, key_bias, train
from model.dataset import held_out_rows, tokenize
from model.errors import Unusable
from model.tokenizer import Tokenizer
from model.train import Progress, Stopped


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that wait for each other make tiny steps slow on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = replace(train.SIZES, n_layers=1, n_heads=2, d_model=16, d_mlp=32, d_vocab=600)
    monkeypatch.setattr(train, "SIZES", sizes)
    monkeypatch.setattr(train, "DOCUMENTS_FOR_TOKENIZER", 100)
    monkeypatch.setattr(dataset, "DOCUMENTS_AT_ONCE", 50)
    monkeypatch.setattr(train, "ROWS", 8)
    monkeypatch.setattr(train, "HELD_OUT_ROWS", 16)
    monkeypatch.setattr(key_bias, "SENTENCES", 16)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("two", 2)):
        train.train(tmp_path / name, steps=6, seed=seed)
    one, again, two = (weights(tmp_path / name) for name in ("one", "again", "two"))
    assert all(torch.equal(one[name], again[name]) for name in one)
    assert not torch.equal(one["transformer.wte.weight"], two["transformer.wte.weight"])


def test_a_trained_checkpoint_is_one_that_can_be_loaded(tmp_path: Path) -> None:
    outcome = train.train(tmp_path, steps=30)
    loaded = checkpoint.load(tmp_path)
    rows = held_out_rows(loaded.tokenizer, 0, 16, loaded.config.n_ctx + 1)
    with torch.inference_mode():
        assert float(train.loss_on(loaded.model, rows)) == pytest.approx(outcome.loss, rel=1e-5)
    assert outcome.loss < math.log(loaded.config.d_vocab)
    assert outcome.trigram_loss < outcome.unigram_loss < math.log(loaded.config.d_vocab)
    assert len(outcome.samples) == len(train.OPENINGS)


def test_progress_is_told_from_reading_to_the_last_step(tmp_path: Path) -> None:
    told = list[Progress]()
    train.train(tmp_path, steps=5, tell=told.append)
    steps = [progress for progress in told if progress.doing == "training"]
    assert [(progress.done, progress.total) for progress in steps] == [(n, 5) for n in range(1, 6)]
    assert all(progress.loss and math.isfinite(progress.loss) for progress in steps)
    assert told[0].doing == "reading repetitions"


def test_ctrl_c_leaves_the_last_whole_checkpoint_and_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "SAVE_EVERY", 4)

    def ctrl_c(progress: Progress) -> None:
        if progress.doing == "training" and progress.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(Stopped, match=r"holds the checkpoint of step 4, whole"):
        train.train(tmp_path, steps=20, tell=ctrl_c)
    assert checkpoint.load(tmp_path).config.n_layers == 1
    assert not list(tmp_path.glob(".*"))


def test_ctrl_c_before_the_first_checkpoint_touches_nothing(tmp_path: Path) -> None:
    train.train(tmp_path, steps=1)
    before = checkpoint.load(tmp_path).digest

    def ctrl_c(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Stopped, match=r"was in .* before is untouched"):
        train.train(tmp_path, steps=20, seed=5, tell=ctrl_c)
    assert checkpoint.load(tmp_path).digest == before


def test_a_place_that_cannot_be_written_is_refused_before_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = list[Progress]()
    with pytest.raises(Unusable, match="cannot be written"):
        train.train(tmp_path / "file" / "out", steps=1, tell=told.append)
    assert not told


def test_every_row_begins_where_a_document_does() -> None:
    texts = [f"{number} is a number." for number in range(200)]
    words = Tokenizer(byte_pairs.train(texts, 300))
    read = tokenize(texts, words, 10_000)
    rows = read.random_rows(50, 12, torch.Generator().manual_seed(0))
    beginnings = {tuple(words.encode(text)[:4]) for text in texts}
    assert {tuple(row[:4]) for row in rows.tolist()} <= beginnings
    assert (read.ids == words.end_of_text).sum() == len(texts)


def test_the_learning_rate_rises_for_the_repetitions_and_then_falls_from_its_peak() -> None:
    rates = [train._rate(step, 1000) for step in range(1000)]
    first = round(train.REPETITION_SHARE * 1000)
    assert rates[:first] == sorted(rates[:first])
    assert rates[first - 1] <= train.REPETITION_RATE
    assert rates[first] == pytest.approx(train.PEAK_RATE)
    assert rates[first:] == sorted(rates[first:], reverse=True)
    assert rates[-1] == pytest.approx(train.LAST_RATE, rel=0.01)


def test_trigram_probabilities_are_those_worked_out_by_hand() -> None:
    read = np.array([0, 1, 2, 0, 1, 3, 0, 1, 2])
    unigram, trigram = baselines.losses(read, np.array([[1, 2]]), 4, before=0)
    p1 = (2 + 1) / (9 + 4)  # "2" is two of nine tokens, one is added to each of four kinds
    p2 = (2 + 2 * p1) / (3 + 2)  # after "1": twice "2", once "3"
    p3 = (2 + 2 * p2) / (3 + 2)  # after "0 1": the same
    assert unigram == pytest.approx(-math.log(p1))
    assert trigram == pytest.approx(-math.log(p3))


def test_trigram_probabilities_sum_to_one() -> None:
    read = np.array([0, 1, 2, 0, 1, 3, 0, 1, 2, 3, 3, 1])
    for context in (0, 1, 2, 3):
        losses = [
            baselines.losses(read, np.array([[context, token]]), 4, before=0) for token in range(4)
        ]
        assert sum(math.exp(-trigram) for _, trigram in losses) == pytest.approx(1)
