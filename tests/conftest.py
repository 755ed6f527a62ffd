"""What tests share: a small checkpoint, made once."""

from pathlib import Path

import pytest
import torch

from model import checkpoint, corpus, tokenizer
from model.gpt import GPT, Config
from model.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of 2 layers with 3 heads of 8 entries, with a tokenizer of common words."""
    texts = corpus.documents(0, "train")
    words = Tokenizer(tokenizer.train([next(texts) for _ in range(400)], 600))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = GPT(Config(2, 3, 24, 48, 64, words.d_vocab)).eval()
    folder = tmp_path_factory.mktemp("checkpoint") / "tiny"
    checkpoint.save(model, words, folder)
    return folder
