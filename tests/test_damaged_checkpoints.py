"""A damaged checkpoint is shown or refused in a sentence: no traceback, hang or flood of memory.

The command line runs on a few dozen of them here, and on as many thousands as you like with
`make fuzz TIMES=3000`, three thousand for each architecture.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from damage import GROWS
from foreign import KINDS
from safetensors.torch import load_file, save_file

from model import byte_pairs, checkpoint, corpus
from model.checkpoint import load
from model.errors import Unusable
from model.gpt import GPT, Config, Transformer
from model.heads import measure
from model.huggingface import folder
from model.llama import Llama, LlamaConfig, Rotation
from model.sizes import EVERY_BIAS
from model.tokenizer import Tokenizer
from model.trace import record

TIMES = int(os.environ.get("TIMES", "12"))  # for each architecture
SEED = os.environ.get("SEED", "0")
SECONDS_EACH = 2
PROGRAM = Path(__file__).with_name("survive.py")
ARCHITECTURES: dict[str, Callable[[], Transformer]] = {
    "gpt2": lambda: GPT(Config(2, 2, 16, 32, 32, 600)),
    "llama": lambda: Llama(LlamaConfig(2, 4, 32, 48, 32, 600, n_key_heads=2, d_head=8)),
    "gpt_neox": lambda: Llama(
        LlamaConfig(
            *(2, 4, 32, 48, 32, 600),
            n_key_heads=4,
            d_head=8,
            family="gpt_neox",
            norm="layer norm",
            gated=False,
            side_by_side=True,
            biases=EVERY_BIAS,
            rotation=Rotation(share=0.25),
        )
    ),
}
OWN, SHARDS = "one file each", "shards, and a vocabulary with merges"
TOKENIZERS = {
    "gpt2": (OWN, SHARDS, "word pieces", "unigram", "three words"),
    "llama": (OWN, SHARDS, "open boxes", "begun"),
    "gpt_neox": (OWN, SHARDS),
}


def in_shards(place: Path) -> None:
    weights = load_file(place / folder.WEIGHTS)
    (place / folder.WEIGHTS).unlink()
    index = {name: f"model-{i % 2}.safetensors" for i, name in enumerate(sorted(weights))}
    for file in set(index.values()):
        part = {name: weight for name, weight in weights.items() if index[name] == file}
        save_file(part, place / file, metadata={"format": "pt"})
    (place / folder.INDEX).write_text(json.dumps({"metadata": {}, "weight_map": index}))


def in_two_files(words: Tokenizer, place: Path) -> None:
    words._backend.model.save(str(place))
    (place / "tokenizer.json").unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded by way of Linux")
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_command_ends_well_whatever_is_damaged(architecture: str, tmp_path: Path) -> None:
    texts = corpus.documents(0, "train")
    common = Tokenizer(byte_pairs.train([next(texts) for _ in range(400)], 600))
    torch.manual_seed(0)
    model = ARCHITECTURES[architecture]()
    kinds = TOKENIZERS[architecture]
    for kind in kinds:
        words = Tokenizer(KINDS[kind]()) if kind in KINDS else common
        checkpoint.save(model, words, tmp_path / kind)
    in_shards(tmp_path / SHARDS)
    in_two_files(common, tmp_path / SHARDS)
    times = str(-(-TIMES // len(kinds)))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", PROGRAM, tmp_path, times, SEED],
        capture_output=True,
        text=True,
        timeout=120 + SECONDS_EACH * TIMES,
        check=False,
        cwd=PROGRAM.parents[1],
        env=os.environ
        | {
            "PYTHONPATH": str(PROGRAM.parents[1]),
            "OMP_NUM_THREADS": "1",
            "MALLOC_ARENA_MAX": "1",  # each takes address space that it does not use
        },
    )
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-2000:]}"
    endings = json.loads(done.stdout)
    assert sum(endings.values()) >= TIMES
    refused = sum(count for ending, count in endings.items() if ending.endswith(" 2"))
    chance = 1.2 * TIMES**0.5  # three standard deviations of so many tries
    assert TIMES / 5 - chance < refused < TIMES * 4 / 5 + chance


@pytest.fixture
def copy(tiny_checkpoint: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_checkpoint, tmp_path / "copy"))


def edit(path: Path, change: Callable[[Any], object]) -> None:
    """Change what a JSON file holds."""
    whole = json.loads(path.read_text())
    change(whole)
    path.write_text(json.dumps(whole))


def configured(place: Path, **changes: Any) -> Path:
    edit(place / "config.json", lambda keys: keys.update(changes))
    return place


def with_tokenizer(place: Path, **changes: Any) -> Path:
    edit(place / "tokenizer.json", lambda keys: keys.update(changes))
    return place


def with_cutter(place: Path, **changes: Any) -> Path:
    """Change the model of the tokenizer."""
    edit(place / "tokenizer.json", lambda keys: keys["model"].update(changes))
    return place


def refused(place: Path, words: str) -> None:
    with pytest.raises(Unusable, match=words) as refusal:
        load(place)
    assert str(refusal.value).isprintable()
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_nobody_waits_for_a_pipe_in_place_of_a_file(copy: Path, name: str) -> None:
    (copy / name).unlink()
    os.mkfifo(copy / name)
    refused(copy, f"has no {name}")
    with pytest.raises(Unusable, match=f"has no {name}"):
        folder.digest(copy)


def test_nobody_waits_for_a_pipe_in_place_of_a_shard(copy: Path) -> None:
    in_shards(copy)
    (copy / "model-1.safetensors").unlink()
    os.mkfifo(copy / "model-1.safetensors")
    refused(copy, "has no model-1.safetensors, which its index names")


@pytest.mark.parametrize(
    "shard", ["..", "", "a/b", [], 3, None, "\0", "\ud800", "gone", "two\nlines"]
)
def test_an_index_names_files_of_its_folder(copy: Path, shard: Any) -> None:
    in_shards(copy)
    edit(copy / folder.INDEX, lambda index: index["weight_map"].update(extra=shard))
    refused(copy, "does not name the files of the weights|which its index names")


def test_a_file_longer_than_its_header_says_is_not_read(copy: Path) -> None:
    os.truncate(copy / folder.WEIGHTS, 2**40)
    refused(copy, "not as long as its header says")
    with pytest.raises(Unusable, match="not as long as its header says"):
        folder.digest(copy)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json"])
def test_a_text_of_a_tebibyte_is_not_read(copy: Path, name: str) -> None:
    os.truncate(copy / name, 2**40)
    refused(copy, "too large to be what its name says")
    with pytest.raises(Unusable, match="too large to be what its name says"):
        folder.digest(copy)  # which takes hours, else


@pytest.mark.parametrize(
    "changes",
    [
        {"n_layer": 9_999_999},
        {"n_embd": 10**7, "n_head": 10**7},
        {"n_inner": 10**7},
        {"vocab_size": 10**7},
    ],
    ids=str,
)
def test_absurd_sizes_are_refused_before_anything_is_planned(
    copy: Path, changes: dict[str, int]
) -> None:
    refused(configured(copy, **changes), "do not belong together")


def test_sizes_whose_product_no_tensor_can_have_are_refused(tmp_path: Path) -> None:
    words = Tokenizer(byte_pairs.train(["blue"], 300))
    checkpoint.save(Llama(LlamaConfig(1, 2, 8, 8, 8, 300, 1, 4)), words, tmp_path)
    huge = {"num_attention_heads": 10**7, "head_dim": 10**7, "hidden_size": 10**7}
    refused(configured(tmp_path, **huge), "do not belong together")


@pytest.mark.parametrize("depth", [100, 500, 900, 100_000])
def test_a_deep_value_is_refused_in_a_short_sentence(copy: Path, depth: int) -> None:
    config = copy / "config.json"
    text = config.read_text().replace('"n_layer": 2', f'"n_layer": {"[" * depth}{"]" * depth}')
    config.write_text(text)
    refused(copy, "n_layer|is not JSON")


def test_a_weight_with_a_line_break_in_its_name_is_refused_on_one_line(copy: Path) -> None:
    weights = load_file(copy / folder.WEIGHTS)
    weights["transformer.h.0.two\nlines"] = torch.ones(1)
    save_file(weights, copy / folder.WEIGHTS)
    refused(copy, r"transformer.h.0.two\\nlines")


def test_a_text_is_taken_whole_whatever_the_tokenizer_s_file_says(copy: Path) -> None:
    text = "the old king saw a small red robot"
    before = load(copy).tokenizer.encode(text)
    padding = {"strategy": {"Fixed": 90}, "direction": "Right", "pad_to_multiple_of": None}
    padding |= {"pad_id": 70_000, "pad_type_id": 0, "pad_token": "[PAD]"}
    truncation = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    with_tokenizer(copy, padding=padding, truncation=truncation)
    assert load(with_cutter(copy, dropout=1.0)).tokenizer.encode(text) == before


def template(name: str, number: int) -> dict[str, Any]:
    return {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "x", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
        "special_tokens": {name: {"id": name, "ids": [number], "tokens": [name]}},
    }


UNSOUND: dict[str, Callable[[Path], Path]] = {
    "half a merge": lambda place: with_cutter(place, merges=[["t", "nobody"]]),
    "a merge to nothing": lambda place: with_cutter(place, merges=[["q", "#"]]),
    "a prefix that cuts a character": lambda place: with_cutter(
        place, continuing_subword_prefix="e"
    ),
    "a template without its token": lambda place: with_tokenizer(
        place, post_processor=template("y", 0)
    ),
    "a rule that replaces nothing": lambda place: with_tokenizer(
        place, normalizer={"type": "Replace", "pattern": {"String": ""}, "content": "x"}
    ),
    "a map of no characters": lambda place: with_tokenizer(
        place,
        normalizer={
            "type": "Sequence",
            "normalizers": [{"type": "Precompiled", "precompiled_charsmap": "AAAA"}],
        },
    ),
    "rules that make a text longer and longer": lambda place: with_tokenizer(
        place, normalizer={"type": "Sequence", "normalizers": [GROWS] * 14}
    ),
    "the same on the way back": lambda place: with_tokenizer(
        place, decoder={"type": "Sequence", "decoders": [GROWS] * 14}
    ),
}


@pytest.mark.parametrize("damage", UNSOUND.values(), ids=UNSOUND.keys())
def test_what_tokenizers_would_panic_over_it_is_not_given(
    copy: Path, damage: Callable[[Path], Path], capfd: pytest.CaptureFixture[str]
) -> None:
    refused(damage(copy), "The tokenizer in .* cannot be read")
    assert not capfd.readouterr().err


def test_merges_beside_a_vocabulary_are_looked_at_too(copy: Path) -> None:
    in_two_files(load(copy).tokenizer, copy)
    with (copy / "merges.txt").open("a") as merges:
        merges.write("q #\n")
    refused(copy, r"\(vocab.json with merges.txt\) cannot be read")


def test_a_token_around_every_text_is_one_that_there_is(copy: Path) -> None:
    assert load(with_tokenizer(copy, post_processor=template("x", 1))).tokenizer.encode("") == [1]
    refused(with_tokenizer(copy, post_processor=template("x", 99_999)), "a token 99999 around")


def test_one_huge_number_of_a_token_costs_no_memory(copy: Path) -> None:
    edit(copy / "tokenizer.json", lambda keys: keys["model"]["vocab"].update(z=2**32 - 1))
    refused(copy, "needs 4294967296 embeddings")


def test_a_text_that_a_tokenizer_has_no_token_for_is_named(copy: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"the": 0}, "unk_token": "[UNK]"}
    edit(copy / "tokenizer.json", lambda keys: keys.update(model=model, post_processor=None))
    with pytest.raises(Unusable, match="cannot cut 'blue' into tokens"):
        load(copy).tokenizer.encode("blue")


def test_heads_are_measured_for_a_tokenizer_that_knows_no_english(copy: Path) -> None:
    model = {"type": "BPE", "vocab": {"日": 0, "本": 1, "語": 2}, "merges": []}
    edit(copy / "tokenizer.json", lambda keys: keys.update(model=model, added_tokens=[]))
    scores = measure(load(copy))
    assert all(0 < each.previous_token < 1 for each in scores)


def test_heads_of_a_model_that_computes_no_numbers_are_refused(copy: Path) -> None:
    weights = load_file(copy / folder.WEIGHTS)
    weights["transformer.h.0.attn.c_attn.weight"].fill_(1e38)
    save_file(weights, copy / folder.WEIGHTS)
    loaded = load(copy)
    with pytest.raises(Unusable, match="no finite attention patterns"):
        measure(loaded)
    with pytest.raises(Unusable, match="no finite numbers"):
        record(loaded.model, loaded.tokenizer, "blue")


def test_a_head_that_sees_one_token_at_a_time_looks_at_none_before_it(tmp_path: Path) -> None:
    words = Tokenizer(byte_pairs.train(["blue"], 300))
    checkpoint.save(GPT(Config(1, 2, 8, 8, 1, 300)), words, tmp_path)
    for each in measure(load(tmp_path)):
        assert (each.previous_token, each.first_token, each.induction) == (0, 0, 0)
