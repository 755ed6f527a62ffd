"""The keys' zero is chosen without changing what the model does."""

from pathlib import Path

import pytest
import torch

from model import checkpoint, corpus, key_bias
from model.key_bias import center_keys
from model.trace import record

SENTENCES = 32


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_bias, "SENTENCES", SENTENCES)


def test_centring_the_keys_changes_no_attention_and_no_prediction(tiny_checkpoint: Path) -> None:
    loaded = checkpoint.load(tiny_checkpoint)
    text = "the old queen saw a small blue robot"
    before = record(loaded.model, loaded.tokenizer, text)
    center_keys(loaded.model, loaded.tokenizer, seed=0)
    after = record(loaded.model, loaded.tokenizer, text)
    assert abs(before.pattern - after.pattern).max() < 1e-5
    assert abs(before.logits - after.logits).max() < 1e-4
    assert abs(before.k - after.k).max() > 1e-3


def test_centred_keys_average_zero_over_ordinary_sentences(tiny_checkpoint: Path) -> None:
    loaded = checkpoint.load(tiny_checkpoint)
    center_keys(loaded.model, loaded.tokenizer, seed=0)
    texts = [phrase.text.rstrip(".") for phrase in corpus.noun_phrases(0, SENTENCES)]
    keys = [torch.tensor(record(loaded.model, loaded.tokenizer, text).k) for text in texts]
    assert torch.cat(keys, dim=2).mean(dim=2).abs().max() < 1e-4
