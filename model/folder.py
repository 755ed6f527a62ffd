"""Which files make up a checkpoint folder. Knows not what they hold, and imports no torch."""

import json
from pathlib import Path
from typing import Any

from model import files
from model.errors import Unusable

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
LARGEST_JSON = 64 * 2**20  # bytes


def digest(folder: Path) -> str:
    """Return one SHA-256 of a checkpoint's files; raises as the functions below do."""
    return files.digest(folder, files_of(folder))


def files_of(folder: Path) -> list[str]:
    """Return the names of all files that make up a checkpoint."""
    index = [] if (folder / WEIGHTS).is_file() else [INDEX]
    return ["config.json", *tokenizer_files(folder), *weight_files(folder), *index]


def tokenizer_files(folder: Path) -> tuple[str, ...]:
    """Find the tokenizer: one file, or the two that GPT-2 was released with."""
    for names in (("tokenizer.json",), ("vocab.json", "merges.txt")):
        if all((folder / name).is_file() for name in names):
            return names
    raise Unusable(f"The checkpoint {folder} has no tokenizer.json: save its tokenizer too.")


def weight_files(folder: Path) -> list[str]:
    """Find the safetensors files: one, or the shards that the index names."""
    if (folder / WEIGHTS).is_file():
        return [WEIGHTS]
    if (folder / INDEX).is_file():
        shards = read_json(folder / INDEX).get("weight_map")
        names = set(shards.values()) if isinstance(shards, dict) and shards else {None}
        if not all(isinstance(name, str) and Path(name).name == name for name in names):
            raise Unusable(f"{folder / INDEX} does not name the files of the weights: save again.")
        return sorted(map(str, names))
    if any(path for pattern in PICKLED for path in folder.glob(pattern)):
        raise Unusable(
            f"The weights in {folder} are pickled, which can run code and is never read: load them "
            "where you trust them and call save_pretrained, which writes model.safetensors."
        )
    raise Unusable(f"The checkpoint {folder} has no {WEIGHTS}: save the model there first.")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    if not path.is_file():
        raise Unusable(f"The checkpoint {path.parent} has no {path.name}: save the model there.")
    if path.stat().st_size > LARGEST_JSON:
        raise Unusable(f"{path} is too large to be what its name says: save the checkpoint again.")
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{path} is not JSON: copy or save the checkpoint again.") from error
    if not isinstance(value, dict):
        raise Unusable(f"{path} holds no JSON object: copy or save the checkpoint again.")
    return value
