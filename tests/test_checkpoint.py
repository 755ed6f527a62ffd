"""Whatever GPT-2 transformers writes is read here, ours is read there, bad folders are refused."""

import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from oracles import PROMPT, agree, edit, made, refused, words, written
from safetensors.torch import load_file, save_file
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel, GPT2Model

from model.checkpoint import load, save
from model.errors import Unusable
from model.gpt import GPT, Config
from model.huggingface.folder import files_of

KEYS: dict[str, Any] = {
    "n_layer": 2,
    "n_head": 2,
    "n_embd": 16,
    "n_positions": 32,
    "vocab_size": 300,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "attn_implementation": "eager",
}
VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "one layer, one head": {"n_layer": 1, "n_head": 1},
    "deep": {"n_layer": 12},
    "d_head of 1": {"n_head": 16},
    "wide": {"n_embd": 192, "n_head": 3},
    "narrow MLP": {"n_inner": 7},
    "more entries than tokens": {"vocab_size": 512},
    "gelu": {"activation_function": "gelu"},
    "relu": {"activation_function": "relu"},
    "silu": {"activation_function": "silu"},
    "gelu by another name": {"activation_function": "gelu_pytorch_tanh"},
    "fast gelu": {"activation_function": "gelu_fast"},
    "plain gelu": {"activation_function": "gelu_python"},
    "swish": {"activation_function": "swish"},
    "epsilon": {"layer_norm_epsilon": 0.01},
    "untied": {"tie_word_embeddings": False},
    "unscaled": {"scale_attn_weights": False},
    "scaled by layer": {"scale_attn_by_inverse_layer_idx": True},
}  # fmt: skip


def theirs(kind: Any = GPT2LMHeadModel, **changes: Any) -> Any:
    return made(kind, GPT2Config(**(KEYS | changes)))


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return written(theirs(), tmp_path / "good")


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
    oracle = GPT2LMHeadModel.from_pretrained(tmp_path / "ours", attn_implementation="eager")
    agree(load(tmp_path / "ours"), oracle)


def test_the_saved_tokenizer_is_read_by_transformers(tmp_path: Path) -> None:
    save(GPT(Config(1, 1, 8, 8, 32, 300)), words(), tmp_path)
    assert AutoTokenizer.from_pretrained(tmp_path)(PROMPT).input_ids == words().encode(PROMPT)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_other_precisions_become_float32(tmp_path: Path, dtype: torch.dtype) -> None:
    oracle = theirs().to(dtype)
    ours = load(written(oracle, tmp_path))
    agree(ours, oracle.float(), 1e-2)
    assert {weight.dtype for weight in ours.model.parameters()} == {torch.float32}


def test_shards_are_read_by_their_index(tmp_path: Path) -> None:
    oracle = theirs()
    folder = written(oracle, tmp_path, max_shard_size="10KB")
    assert len(list(folder.glob("model-*.safetensors"))) > 2
    agree(load(folder), oracle)


def test_weights_without_the_prefix_are_read(tmp_path: Path) -> None:
    folder = written(theirs(GPT2Model), tmp_path)
    assert not any(
        name.startswith("transformer.") for name in load_file(folder / "model.safetensors")
    )
    agree(load(folder), GPT2LMHeadModel.from_pretrained(folder, attn_implementation="eager"))


def test_mask_buffers_of_older_versions_are_ignored(good: Path) -> None:
    weights = load_file(good / "model.safetensors")
    weights["transformer.h.0.attn.bias"] = torch.ones(1, 1, 32, 32, dtype=torch.uint8)
    weights["transformer.h.1.attn.masked_bias"] = torch.tensor(-1e4)
    save_file(weights, good / "model.safetensors", metadata={"format": "pt"})
    agree(load(good), theirs())


def test_an_output_layer_does_not_stand_in_for_a_missing_tied_embedding(good: Path) -> None:
    weights = load_file(good / "model.safetensors")
    weights["lm_head.weight"] = weights.pop("transformer.wte.weight")
    save_file(weights, good / "model.safetensors", {"format": "pt"})
    with pytest.raises(Unusable, match=r"lack transformer\.wte\.weight"):
        load(good)


def test_an_output_layer_beside_a_tied_embedding_counts_if_it_differs(good: Path) -> None:
    weights = load_file(good / "model.safetensors")
    weights["lm_head.weight"] = weights["transformer.wte.weight"].clone()
    save_file(weights, good / "model.safetensors", metadata={"format": "pt"})
    assert load(good).config.tied
    weights["lm_head.weight"] += 1
    save_file(weights, good / "model.safetensors", metadata={"format": "pt"})
    assert not load(good).config.tied


def test_the_digest_names_the_contents_and_nothing_else(good: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(good, copy)
    (copy / "README.md").write_text("not part of it")
    assert load(good).digest == load(copy).digest
    weights = load_file(copy / "model.safetensors")
    weights["transformer.wte.weight"][0, 0] += 1e-3
    save_file(weights, copy / "model.safetensors", metadata={"format": "pt"})
    assert load(good).digest != load(copy).digest


def test_a_failed_save_leaves_the_older_checkpoint_whole(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load(good).digest
    names = sorted(path.name for path in good.iterdir())

    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(Unusable, match="No space left on device"):
        save(GPT(Config(1, 1, 8, 8, 32, 300)), words(), good)
    assert load(good).digest == before
    assert sorted(path.name for path in good.iterdir()) == names


def test_no_moment_has_files_of_two_trainings(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (good / "README.md").write_text("mine")
    before, names = load(good).digest, sorted(path.name for path in good.iterdir())
    seen: set[str] = set()
    replace = Path.replace

    def watched(path: Path, target: Path) -> Path:
        moved = replace(path, target)
        if good.exists():
            seen.add(load(good).digest)
        return moved

    monkeypatch.setattr(Path, "replace", watched)
    save(GPT(Config(1, 1, 8, 8, 32, 300)), words(), good)
    after = load(good).digest
    assert after != before
    assert seen <= {before, after}
    assert (good / "README.md").read_text() == "mine"
    assert sorted(path.name for path in good.iterdir()) == sorted({*names, "tokenizer_config.json"})
    assert [path.name for path in good.parent.iterdir() if path.name.startswith(".")] == []


def put(name: str, change: Callable[[torch.Tensor], torch.Tensor] | None) -> Callable[[Path], None]:
    """Change a tensor, or take it away."""

    def apply(folder: Path) -> None:
        weights = load_file(folder / "model.safetensors")
        weight = weights.pop(name, torch.ones(1))
        if change is not None:
            weights[name] = change(weight).clone()
        save_file(weights, folder / "model.safetensors")

    return apply


def cut(name: str, size: int) -> Callable[[Path], None]:
    """Keep only the first bytes of a file."""
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:size]) and None


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def escaping_index(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder.parent / "model.safetensors")
    index = {"weight_map": {"transformer.wte.weight": "../model.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


def swollen_tokenizer(folder: Path) -> None:
    edit(vocab_size=200)(folder)
    put("transformer.wte.weight", lambda weight: weight[:200])(folder)


def tokenizer_with_a_gap(folder: Path) -> None:
    keys = json.loads((folder / "tokenizer.json").read_text())
    keys["model"]["vocab"]["A"] = 5000
    (folder / "tokenizer.json").write_text(json.dumps(keys))


def set_nan(weight: torch.Tensor) -> torch.Tensor:
    weight[0, 0] = torch.nan
    return weight


DAMAGES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no folder": (shutil.rmtree, "There is no checkpoint folder"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "has no config.json"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "has no model.safetensors"),
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "has no tokenizer.json"),
    "cut config": (cut("config.json", 100), "is not JSON"),
    "config of a list": (lambda f: (f / "config.json").write_text("[]"), "holds no JSON object"),
    "deep config": (lambda f: (f / "config.json").write_text("[" * 100_000), "is not JSON"),
    "cut weights": (cut("model.safetensors", 9000), "are damaged"),
    "cut header": (cut("model.safetensors", 100), "are damaged"),
    "empty weights": (cut("model.safetensors", 0), "are damaged"),
    "cut tokenizer": (cut("tokenizer.json", 300), "tokenizer"),
    "pickled": (pickled, "pickled, which can run code and is never read"),
    "escaping index": (escaping_index, "does not name the files"),
    "other architecture": (edit(model_type="bert"), "one of 'gpt2', 'llama', 'mistral'"),
    "cross-attention": (edit(add_cross_attention=True), "cross-attention"),
    "more layers": (edit(n_layer=3), "names 3 layers and its weights hold 2"),
    "fewer layers": (edit(n_layer=1), "names 1 layers and its weights hold 2"),
    "other width": (edit(n_embd=32), r"of shape \[300, 32\] and the weights have \[300, 16\]"),
    "huge width": (edit(n_embd=10**30), "n_embd"),
    "large width": (edit(n_embd=9_999_998), "belong together"),
    "no number": (edit(n_head="two"), "n_head = 'two'"),
    "uneven heads": (edit(n_head=3), "3 heads cannot share evenly"),
    "activation": (edit(activation_function="mish"), "activation_function is 'mish'"),
    "activation of a list": (edit(activation_function=[]), "activation_function is"),
    "epsilon": (edit(layer_norm_epsilon="small"), "layer_norm_epsilon is 'small'"),
    "flag": (edit(scale_attn_weights="yes"), "true or false belongs"),
    "missing weight": (put("transformer.h.1.ln_1.bias", None), "lack transformer.h.1.ln_1.bias"),
    "unknown weight": (put("transformer.h.1.gate", torch.ones_like), "which no model of its type"),
    "not a number": (put("transformer.wpe.weight", set_nan), "values that are no numbers"),
    "whole numbers": (put("transformer.wpe.weight", torch.Tensor.long), "stored as I64"),
    "untied without output": (edit(tie_word_embeddings=False), "lack lm_head.weight"),
    "tokenizer with a gap": (tokenizer_with_a_gap, "needs 5001 embeddings and the model has 300"),
    "larger tokenizer": (swollen_tokenizer, r"needs \d+ embeddings and the model has 200"),
}


@pytest.mark.parametrize(("damage", "sentence"), DAMAGES.values(), ids=DAMAGES.keys())
def test_a_bad_checkpoint_is_refused_in_one_sentence(
    good: Path, damage: Callable[[Path], object], sentence: str
) -> None:
    damage(good)
    refused(good, sentence)


def test_damaged_bytes_never_end_in_anything_but_an_answer(good: Path) -> None:
    chance = random.Random(0)  # noqa: S311 - it damages files, it keeps no secret
    names = ("config.json", "model.safetensors", "tokenizer.json")
    whole = {name: (good / name).read_bytes() for name in names}
    for _ in range(100):
        name = chance.choice(names)
        damaged = bytearray(whole[name])
        reach = len(damaged) if chance.random() < 0.3 else min(len(damaged), 4000)
        for _ in range(chance.choice((1, 1, 4, 30))):
            damaged[chance.randrange(reach)] = chance.randrange(256)
        (good / name).write_bytes(damaged)
        with suppress(Unusable):
            load(good)
        (good / name).write_bytes(whole[name])


def test_the_files_of_a_checkpoint_in_shards_include_their_index(tmp_path: Path) -> None:
    folder = written(theirs(), tmp_path / "shards", max_shard_size="10KB")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in files_of(folder):
        shutil.copyfile(folder / name, copy / name)
    assert load(copy).digest == load(folder).digest
