"""Ways to damage a checkpoint folder: bytes, places on the disk, JSON, weights, tokenizers.

`damage(folder, chance)` does one of them and says in words which; the same chance and folder give
the same damage.
"""

import json
import math
import os
import random
import socket
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

HEADER = 4000  # bytes at the start of a file, in which most of its structure stands
NESTED = "nested lists"  # stands for what json.dumps would not write
SPARSE = 2**40  # bytes that a file claims to have and that no disk holds
LONG = 100_000

NUMBERS: tuple[Any, ...] = (
    *(0, 1, 2, 3, 4, 5, 7, 8, 16, 64, 600, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64, 10**30),
    *(9_999_998, 10_000_000, 0.5, 1.5, -0.0, 1e-300, 1e308, -1e308, math.inf, -math.inf, math.nan),
)
STRINGS = (
    *("", "x", " ", "1", "two", "gpt2", "llama", "relu", "silu", "linear", "llama3", "the", "Ġ"),
    *("\ud800", "\0", "two\nlines", "\x1b[31mred", "..", ".", "/etc/passwd", "é" * LONG),
)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None], {"": None}, NESTED)
ODD = (*NUMBERS, *STRINGS, *OTHERS)
DEPTHS = (10, 100, 120, 200, 300, 400, 500, 600, 700, 800, 900, 960, 10_000, 100_000)

CONFIG: dict[str, tuple[Any, ...]] = {  # keys that a config may have, and values of some sense
    "model_type": ("gpt2", "llama", "qwen2", "qwen3", "gemma", "gpt_neox", "phi", "phi3", "bert"),
    **dict.fromkeys(("n_layer", "num_hidden_layers"), (1, 2, 3, 9_999_999)),
    **dict.fromkeys(("n_head", "num_attention_heads"), (1, 2, 4, 8, 16, 10**6, 10**7)),
    **dict.fromkeys(("n_embd", "hidden_size"), (1, 8, 16, 32, 10**6, 10**7)),
    **dict.fromkeys(("n_inner", "intermediate_size"), (None, 1, 32, 64, 10**7)),
    **dict.fromkeys(("n_positions", "max_position_embeddings"), (*range(1, 20), 10**7)),
    "vocab_size": (1, 599, 600, 601, 10**7),
    **dict.fromkeys(("activation_function", "hidden_act"), ("gelu_new", "gelu", "relu", "silu")),
    **dict.fromkeys(
        ("layer_norm_epsilon", "rms_norm_eps", "layer_norm_eps"), (0, 0.0, 1e-45, 0.9, 0.1)
    ),
    "tie_word_embeddings": (True, False),
    "scale_attn_weights": (True, False),
    "scale_attn_by_inverse_layer_idx": (True, False),
    "add_cross_attention": (True, False),
    "num_key_value_heads": (None, 1, 2, 4, 10**7),
    "head_dim": (None, 2, 4, 8, 10**6, 10**7),
    "attention_bias": (True, False),
    "mlp_bias": (True, False),
    **dict.fromkeys(("use_parallel_residual", "use_sliding_window"), (True, False)),
    **dict.fromkeys(("qk_layernorm", "use_bidirectional_attention"), (True, False, None)),
    **dict.fromkeys(("rotary_pct", "partial_rotary_factor"), (1e-9, 0.25, 0.3, 1.0, 2.0, 1e11)),
    **dict.fromkeys(("sliding_window", "max_window_layers"), (None, 0, 1, 2, 10**7)),
    "layer_types": (None, ["sliding_attention"] * 2, ["full_attention", "sliding_attention"], [1]),
    "rope_theta": (1e-45, 1e-9, 1, 1e11),
    **dict.fromkeys(
        ("rope_parameters", "rope_scaling"),
        (
            {"rope_type": "linear", "factor": 1e-44},
            {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e-320},
            {"rope_type": "llama3", "low_freq_factor": 1e-300, "high_freq_factor": 1e-299},
            {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 1},
            {"rope_type": "dynamic"},
            {"rope_type": "default", "partial_rotary_factor": 1e11},
            {"rope_type": ["default"]},
        ),
    ),
}
NAMES = {"special_tokens": {"x": {"id": "x", "ids": [99_999], "tokens": ["x"]}}}
PIECE = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
GROWS = {"type": "Replace", "pattern": {"String": "e"}, "content": "eeee"}
PARTS: dict[str, tuple[Any, ...]] = {  # of a tokenizer.json, and what may stand there
    "truncation": (
        {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
        {"direction": "Left", "max_length": 1, "strategy": "LongestFirst", "stride": 5},
        {"direction": "Right", "max_length": 0, "strategy": "OnlySecond", "stride": 0},
    ),
    "padding": (
        {"strategy": {"Fixed": 40}, "direction": "Right", "pad_to_multiple_of": None}
        | {"pad_id": 70_000, "pad_type_id": 0, "pad_token": "[PAD]"},
        {"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": 7}
        | {"pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
    ),
    "added_tokens": (
        [],
        [{"id": 1, "content": "", "special": True} | PIECE],
        [{"id": 90_000, "content": "the", "special": False} | PIECE],
        [{"id": 4, "content": "e", "special": True} | PIECE],
        [{"id": 2**32 - 1, "content": "blue", "special": False} | PIECE],
    ),
    "normalizer": (
        {"type": "Replace", "pattern": {"Regex": "."}, "content": ""},
        {"type": "Replace", "pattern": {"Regex": "("}, "content": ""},
        {"type": "Replace", "pattern": {"String": ""}, "content": "x"},
        {"type": "Sequence", "normalizers": [GROWS] * 14},
        {"type": "Prepend", "prepend": "▁▁"},
        {"type": "Precompiled", "precompiled_charsmap": "AAAA"},
        {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
        | {"strip_accents": None, "lowercase": True},
        {"type": "Strip", "strip_left": True, "strip_right": True},
    ),
    "pre_tokenizer": (
        None,
        {"type": "Whitespace"},
        {"type": "WhitespaceSplit"},
        {"type": "Digits", "individual_digits": True},
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        {"type": "Split", "pattern": {"Regex": ""}, "behavior": "Removed", "invert": False},
        {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Removed", "invert": False},
        {"type": "Split", "pattern": {"Regex": "(?!"}, "behavior": "Isolated", "invert": True},
        {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
    ),
    "post_processor": (
        None,
        {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "x", "type_id": 0}}]}
        | {"pair": [{"Sequence": {"id": "A", "type_id": 0}}]}
        | NAMES,
        {"type": "TemplateProcessing"}
        | {"single": [{"SpecialToken": {"id": "x", "type_id": 0}}]}
        | {"pair": [{"Sequence": {"id": "B", "type_id": 0}}], "special_tokens": {}},
        {"type": "BertProcessing", "sep": ["x", 99_999], "cls": ["y", 0]},
    ),
    "decoder": (
        None,
        {"type": "WordPiece", "prefix": "##", "cleanup": True},
        {"type": "BPEDecoder", "suffix": "</w>"},
        {"type": "ByteFallback"},
        {"type": "Strip", "content": " ", "start": 99, "stop": 99},
    ),
}
MODEL: dict[str, tuple[Any, ...]] = {  # the same of a tokenizer's model
    "type": ("BPE", "Unigram", "WordPiece", "WordLevel"),
    "unk_token": (None, "nobody", "the", "", "[UNK]"),
    "unk_id": (None, 0, 5, 10**6),
    "dropout": (None, 0.0, 0.5, 1.0, 2.0),
    "byte_fallback": (True, False),
    "fuse_unk": (True, False),
    "ignore_merges": (True, False),
    "continuing_subword_prefix": (None, "", "##", "Ġ", "e"),
    "end_of_word_suffix": (None, "", "</w>", "e"),
    "max_input_chars_per_word": (0, 1, 100),
    "merges": ([], [["t", "h"]], [["", ""]], ["t h", "th e"], ["no", "no"], [["nobody", "here"]]),
    "vocab": ({}, {"": 0}, {"the": 0}, {"a": 2**32 - 1}, [], [["<unk>", 0.0]], [["", -1.0]]),
}
Damage = Callable[[Path, random.Random], str]


def damage(folder: Path, chance: random.Random) -> str:
    """Damage a folder, now and then twice, and say how."""
    said = [_once(folder, chance)]
    if chance.random() < 0.1 and all(path.is_file() for path in folder.iterdir()):
        said.append(_once(folder, chance))
    return " and ".join(said)


def _once(folder: Path, chance: random.Random) -> str:
    kinds = (damaged_bytes, damaged_place, damaged_json, damaged_weights, lying_header)
    kinds += (damaged_config, damaged_tokenizer, unreadable)
    kind = chance.choices(kinds, (30, 10, 30, 20, 20, 20, 30, 2))[0]
    try:
        return f"{kind.__name__}: {kind(folder, chance)}"
    except Exception as error:  # noqa: BLE001 - libraries have errors of their own
        return f"{kind.__name__}: nothing, for {type(error).__name__} ({error})"  # damaged before


def damaged_bytes(folder: Path, chance: random.Random) -> str:
    """Change bytes of a file, cut it off, double or remove a part."""
    path = _any(folder, chance)
    content = bytearray(path.read_bytes())
    reach = len(content) if chance.random() < 0.3 else min(len(content), HEADER)
    start, some = chance.randrange(reach), chance.randrange(1, 200)
    kind = chance.randrange(6)
    match kind:
        case 0:
            del content[start:]
        case 1:
            content[start:start] = content[start : start + some]
        case 2:
            del content[start : start + some // 7 + 1]
        case 3:
            digits = str(chance.choice([0, -1, 2**31, 2**63, 10**30])).encode()
            content[start : start + len(digits)] = digits
        case _:
            for _ in range(chance.choice((1, 1, 4, 30))):
                content[chance.randrange(reach)] = chance.randrange(256)
    path.write_bytes(content)
    return f"{path.name} from byte {start}, way {kind}"


def damaged_place(folder: Path, chance: random.Random) -> str:
    """Put something else than a file, or another file, where a file was."""
    path = _any(folder, chance)
    other = _any(folder, chance)
    kind, put = chance.choice(
        [
            ("gone", lambda: None),
            ("a folder", path.mkdir),
            ("a FIFO", lambda: os.mkfifo(path)),
            ("a socket", lambda: _socket(path)),
            ("empty", path.touch),
            ("a link to nothing", lambda: path.symlink_to("nowhere")),
            ("a link to itself", lambda: path.symlink_to(path.name)),
            ("a link to /dev/zero", lambda: path.symlink_to("/dev/zero")),
            ("a link to a folder", lambda: path.symlink_to("..")),
            (f"a link to {other.name}", lambda: path.symlink_to(other.name)),
            ("a tebibyte of zeros", lambda: _zeros(path)),
            ("16 MiB of spaces", lambda: path.write_bytes(b" " * 2**24)),
        ]
    )
    path.unlink()
    put()
    return f"{path.name} is {kind}"


def unreadable(folder: Path, chance: random.Random) -> str:
    """Take the right to read a file; root reads it all the same."""
    path = _any(folder, chance)
    path.chmod(0)
    return f"{path.name} cannot be read"


def damaged_json(folder: Path, chance: random.Random) -> str:
    """Put something odd anywhere in a JSON file."""
    path = _any(folder, chance, ".json")
    whole = json.loads(path.read_text(encoding="utf-8"))
    said = _oddly_changed(whole, chance)
    _write_json(path, whole, chance)
    return f"{path.name}{said}"


def damaged_config(folder: Path, chance: random.Random) -> str:
    """Give a key of the config another value, of some sense or of none, or take it away."""
    path = folder / "config.json"
    keys = json.loads(path.read_text(encoding="utf-8"))
    known = sorted(key for key in CONFIG if key in keys)
    key = chance.choice(known if chance.random() < 0.7 else sorted(CONFIG))
    match chance.randrange(6):
        case 0:
            value = keys.pop(key, None) and "gone"
        case 1 | 2:
            value = keys[key] = chance.choice(ODD)
        case _:
            value = keys[key] = chance.choice(CONFIG[key])
    _write_json(path, keys, chance)
    return f"{key} = {value!r:.60}"


def damaged_tokenizer(folder: Path, chance: random.Random) -> str:
    """Give a part of the tokenizer another value, or make its vocabulary another one."""
    if not (folder / "tokenizer.json").exists():
        return _damaged_vocabulary_file(folder, chance)
    path = folder / "tokenizer.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    if chance.random() < 0.3:
        said = _damaged_vocabulary(whole["model"], chance)
    else:
        place, choices = chance.choice([(whole, PARTS), (whole["model"], MODEL)])
        part = chance.choice(sorted(choices))
        value = place[part] = chance.choice(choices[part])
        said = f"{part} = {value!r:.60}"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return said


def damaged_weights(folder: Path, chance: random.Random) -> str:
    """Change a tensor's values, or write it in another type or shape, in a file that is whole."""
    import torch  # noqa: PLC0415 - slow to import, and the other ways do without
    from safetensors.torch import load_file, save_file  # noqa: PLC0415

    path = _any(folder, chance, ".safetensors")
    weights = load_file(path)
    name = chance.choice(sorted(weights))
    weight = weights[name]
    changed: dict[str, Callable[[], torch.Tensor]] = {
        **{
            f"one value {value}": partial(_with_one, weight, value)
            for value in (math.nan, math.inf, -math.inf, 3e38, 1e30, -1e20)
        },
        **{f"all {value}": partial(torch.full_like, weight, value) for value in (0, 1e19, 1e38)},
        **{
            str(kind): partial(weight.to, kind)
            for kind in (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool)
            + (torch.float8_e4m3fn, torch.complex64, torch.uint8)
        },
        "transposed": partial(_transposed, weight),
        "flat": weight.flatten,
        "half": weight[: len(weight) // 2].contiguous,
        "empty": weight[:0].contiguous,
        "a scalar": lambda: torch.tensor(1.0),
    }
    kind = chance.choice([*changed, "gone", "renamed"])
    del weights[name]
    if kind == "renamed":
        odd = chance.choice(["two\nlines", "x", "", f"transformer.{name}", "lm_head.weight"])
        new = f"{name}{odd}" if chance.random() < 0.3 else odd
        weights[new], kind = weight, f"called {new!r:.60}"
    elif kind != "gone":
        weights[name] = changed[kind]()
    save_file(weights, path, metadata={"format": "pt"})
    return f"{name} in {path.name} is {kind}"


def lying_header(folder: Path, chance: random.Random) -> str:
    """Let the header of a safetensors file say what is not so."""
    path = _any(folder, chance, ".safetensors")
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header, data = json.loads(raw[8 : 8 + length]), raw[8 + length :]
    if chance.random() < 0.2:
        length = chance.choice([0, 1, 7, length - 1, length + 1, len(raw), 10**8, 2**32, 2**63, -1])
        path.write_bytes(struct.pack("<Q", length % 2**64) + raw[8:])
        return f"{path.name} has a header of {length} bytes"
    name = chance.choice(sorted(header.keys() - {"__metadata__"}))
    entry = header[name]
    key = chance.choice(["shape", "dtype", "data_offsets", None, "anything"])
    match key:
        case "shape":
            entry[key] = chance.choice(
                [[2**40, 2**40], [2**63, 1], [10**6], [0, 10**18], [-1], [1] * 5000, ["4"], None]
            )
        case "dtype":
            entry[key] = chance.choice(["F64", "F16", "BF16", "I8", "F8_E4M3", "F4", "C64", "", 3])
        case "data_offsets":
            start, end = entry[key]
            entry[key] = chance.choice(
                [[end, start], [0, end], [start, 2**63], [start, len(data) * 9], [start, end - 4]]
                + [[-1, end], [start], [0, end - start]]
            )
        case None:
            other = chance.choice(sorted(header.keys() - {"__metadata__"}))
            header[name], key = header[other], f"as in {other}"
        case _:
            key = _oddly_changed(header, chance)
    text = json.dumps(header, allow_nan=True).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return f"{path.name}: {name}: {key} {entry!r:.90}"


def _any(folder: Path, chance: random.Random, end: str = "") -> Path:
    """One of the folder's files; the small ones are as likely as the large ones."""
    return chance.choice(sorted(p for p in folder.iterdir() if p.name.endswith(end)))


def _transposed(weight: Any) -> Any:
    return weight.permute(*reversed(range(weight.ndim))).contiguous()


def _with_one(weight: Any, value: float) -> Any:
    changed = weight.clone()
    changed.view(-1)[0] = value
    return changed


def _socket(path: Path) -> None:
    """Leave a socket; its address may be too long for where the test runs."""
    with socket.socket(socket.AF_UNIX) as made:
        before = Path.cwd()
        os.chdir(path.parent)
        try:
            made.bind(path.name)
        finally:
            os.chdir(before)


def _zeros(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(SPARSE)


def _oddly_changed(whole: Any, chance: random.Random) -> str:
    """Walk into JSON and change what is found there; say where and to what."""
    holder, keys = whole, list[Any]()
    while True:
        places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        keys.append(chance.choice(places))
        inner = holder[keys[-1]]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.3:
            break
        holder = inner
    value = chance.choice(ODD)
    match chance.randrange(5):
        case 0:
            del holder[keys[-1]]
            value = "gone"
        case 1 if isinstance(holder, dict):
            holder[str(value)] = holder.pop(keys[-1])
        case _:
            holder[keys[-1]] = value
    return f"{keys} = {value!r:.60}"


def _damaged_vocabulary(model: dict[str, Any], chance: random.Random) -> str:
    vocabulary = model["vocab"]
    kind = chance.choice(
        ["moved", "cut", "half gone", "one huge", "one empty", "all one", "swapped"]
    )
    if isinstance(vocabulary, list):
        model["vocab"] = vocabulary[: chance.randrange(len(vocabulary))]
        return "a Unigram vocabulary cut"
    tokens = list(vocabulary)
    token = chance.choice(tokens)
    match kind:
        case "moved":
            model["vocab"] = {each: place + 5 for each, place in vocabulary.items()}
        case "cut":
            model["vocab"] = dict(list(vocabulary.items())[: chance.randrange(len(tokens))])
        case "half gone":
            kept = sorted(chance.sample(tokens, len(tokens) // 2))
            model["vocab"] = {each: vocabulary[each] for each in kept}
            if chance.random() < 0.7:
                model["merges"] = []
        case "one huge":
            vocabulary[token] = chance.choice([599, 600, 2**31, 2**32 - 1, 2**32, -1])
        case "one empty":
            vocabulary[""] = vocabulary.pop(token)
        case "all one":
            model["vocab"] = dict.fromkeys(vocabulary, 1)
        case _:
            other = chance.choice(tokens)
            vocabulary[token], vocabulary[other] = vocabulary[other], vocabulary[token]
    return f"a vocabulary {kind}, at {token!r}"


def _damaged_vocabulary_file(folder: Path, chance: random.Random) -> str:
    path = folder / "vocab.json"
    model = {"vocab": json.loads(path.read_text(encoding="utf-8")), "merges": None}
    said = _damaged_vocabulary(model, chance)
    path.write_text(json.dumps(model["vocab"]), encoding="utf-8")
    if model["merges"] == []:
        (folder / "merges.txt").write_text("#version: 0.2\n")
    return said


def _write_json(path: Path, whole: Any, chance: random.Random) -> None:
    depth = chance.choice(DEPTHS)
    opened, closed = chance.choice([("[", "]"), ('{"a":', "}")])
    nested = opened * depth + "0" + closed * depth
    path.write_text(json.dumps(whole).replace(json.dumps(NESTED), nested), encoding="utf-8")
