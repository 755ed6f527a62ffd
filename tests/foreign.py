"""Small random checkpoints as they come from elsewhere: Llamas, other tokenizers, odd sizes."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import tokenizers
import torch
from oracles import SMALL_LLAMA, made
from test_other_tokenizers import open_boxes, unigram, word_pieces
from tokenizers import Regex, decoders, models, pre_tokenizers, processors, trainers
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

TEXT = "a fluffy blue creature roamed the verdant forest, and the creature was fluffy and blue"
BEGIN = "<|begin_of_text|>"
LLAMA_3 = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@cache
def begun() -> Any:
    """Llama 3's kind: byte-level BPE that looks whole words up first, and begins every text."""
    backend = tokenizers.Tokenizer(models.BPE(ignore_merges=True))
    splits = pre_tokenizers.Split(Regex(LLAMA_3), "isolated")
    in_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.pre_tokenizer = pre_tokenizers.Sequence([splits, in_bytes])
    backend.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=330, initial_alphabet=alphabet, show_progress=False)
    backend.train_from_iterator([TEXT] * 30, trainer)
    backend.add_special_tokens([BEGIN])
    backend.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN} $A", special_tokens=[(BEGIN, backend.token_to_id(BEGIN))]
    )
    return backend


@cache
def gapped() -> Any:
    """A vocabulary that begins at 5 and uses every third id, with a single merge."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    ids = {character: 3 * i + 5 for i, character in enumerate(alphabet)} | {"th": 899}
    backend = tokenizers.Tokenizer(models.BPE(vocab=ids, merges=[("t", "h")]))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return backend


@cache
def three_words() -> Any:
    """A vocabulary of two words and a token for all others."""
    backend = tokenizers.Tokenizer(models.WordLevel({"the": 0, "blue": 1, "?": 2}, "?"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    return backend


KINDS = {
    "open boxes": open_boxes,
    "unigram": unigram,
    "word pieces": word_pieces,
    "begun": begun,
    "gapped": gapped,
    "three words": three_words,
}


def write_gpt(folder: Path, backend: Any, **sizes: int) -> Path:
    """Write a small GPT-2 with a tokenizer as transformers would."""
    torch.manual_seed(0)
    small = {"n_layer": 2, "n_head": 2, "n_embd": 16, "n_positions": 64, "vocab_size": 900}
    GPT2LMHeadModel(GPT2Config(**(small | sizes), bos_token_id=0, eos_token_id=0)).save_pretrained(
        folder
    )
    backend.save(str(folder / "tokenizer.json"))
    return folder


def write_llama(folder: Path, tokenizer_json: str, **changes: Any) -> Path:
    """Write a small Llama with weights that matter everywhere."""
    sizes = SMALL_LLAMA | {"vocab_size": len(json.loads(tokenizer_json)["model"]["vocab"])}
    made(LlamaForCausalLM, LlamaConfig(**(sizes | changes))).save_pretrained(folder)
    (folder / "tokenizer.json").write_text(tokenizer_json)
    return folder
