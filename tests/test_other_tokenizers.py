"""Whatever tokenizer a checkpoint brings, its pieces show their spaces and bytes in one way."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import GPT2Config, GPT2LMHeadModel

from model.checkpoint import load
from model.tokenizer import Tokenizer
from model.trace import record

TEXT = "a fluffy blue creature roamed the verdant forest, and the creature was fluffy and blue"


@cache
def open_boxes() -> Any:
    """Llama's first kind: BPE, a space is an open box, a rare character its bytes."""
    backend = tokenizers.Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))  # noqa: S106
    backend.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    backend.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    lone = [f"<0x{byte:02X}>" for byte in range(256)]
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<unk>", "<s>", "</s>", *lone], show_progress=False
    )
    backend.train_from_iterator([TEXT] * 30, trainer)
    keys = json.loads(backend.to_str())
    keys["added_tokens"] = [each for each in keys["added_tokens"] if "0x" not in each["content"]]
    backend = tokenizers.Tokenizer.from_str(json.dumps(keys))
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", backend.token_to_id("<s>"))]
    )
    return backend


@cache
def unigram() -> Any:
    backend = tokenizers.Tokenizer(models.Unigram())
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    backend.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False  # noqa: S106
    )  # fmt: skip
    backend.train_from_iterator([TEXT] * 30, trainer)
    return backend


@cache
def word_pieces() -> Any:
    backend = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))  # noqa: S106
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=90, special_tokens=["[UNK]"], show_progress=False
    )
    backend.train_from_iterator([TEXT] * 30, trainer)
    return backend


KINDS = {"open boxes": open_boxes, "unigram": unigram, "word pieces": word_pieces}


def pieces(backend: Any, text: str) -> tuple[str, ...]:
    words = Tokenizer(tokenizers.Tokenizer.from_str(backend.to_str()))
    return words.pieces(words.encode(text))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_pieces_put_together_are_the_text_with_a_space_before_each_word(kind: Any) -> None:
    text = "the fluffy blue creature roamed"
    assert "".join(pieces(kind(), text)).removeprefix("<s>") == f" {text}"


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_no_marker_of_a_tokenizer_is_seen(kind: Any) -> None:
    shown = "".join(Tokenizer(kind()).vocabulary.values())
    assert "▁" not in shown
    assert "Ġ" not in shown
    assert "##" not in shown


def test_a_byte_that_is_no_character_is_shown_as_a_byte() -> None:
    assert pieces(open_boxes(), "a 🤖")[-4:] == ("⟨F0⟩", "⟨9F⟩", "⟨A4⟩", "⟨96⟩")


def test_special_tokens_are_shown_by_their_names() -> None:
    assert pieces(open_boxes(), "the")[0] == "<s>"
    assert "[UNK]" in pieces(word_pieces(), "🤖 the")[0]


def test_what_looks_like_a_special_token_in_a_text_is_text() -> None:
    assert pieces(open_boxes(), "</s>")[1:] != ("</s>",)


@cache
def oracle(d_vocab: int) -> Any:
    torch.manual_seed(0)
    sizes = {"n_layer": 1, "n_head": 2, "n_embd": 16, "n_positions": 128}
    return GPT2LMHeadModel(GPT2Config(**sizes, vocab_size=d_vocab, bos_token_id=0, eos_token_id=0))


@pytest.fixture(params=KINDS.values(), ids=KINDS.keys())
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    oracle(400).save_pretrained(tmp_path)
    request.param().save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def test_a_checkpoint_with_such_a_tokenizer_is_read_and_run(folder: Path) -> None:
    checkpoint = load(folder)
    trace = record(checkpoint.model, checkpoint.tokenizer, TEXT)
    assert len(trace.pieces) == len(trace.ids) == len(trace.logits)


def test_gpt_2_s_own_two_files_are_read(tmp_path: Path) -> None:
    theirs = oracle(400)
    theirs.save_pretrained(tmp_path)
    backend = tokenizers.ByteLevelBPETokenizer()
    backend.train_from_iterator([TEXT] * 30, vocab_size=350, show_progress=False)
    backend.save_model(str(tmp_path))
    checkpoint = load(tmp_path)
    assert checkpoint.tokenizer.encode(TEXT) == backend.encode(TEXT).ids
    assert checkpoint.tokenizer.pieces(checkpoint.tokenizer.encode(" the"))[0].startswith(" ")
