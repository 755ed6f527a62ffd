"""The files of a checkpoint folder: which they are, and that they are whole.

It is used without torch, by those who only ask whether a checkpoint has changed.
"""

import json
import struct
from functools import lru_cache
from pathlib import Path
from typing import Any

from model import files
from model.errors import Unusable, printable

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
META = "__metadata__"  # of a safetensors file, beside its tensors
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
TOKENIZERS = ("tokenizer.json",), ("vocab.json", "merges.txt")
LARGEST_HEADER = 64 * 2**20  # bytes, of a safetensors file
LARGEST = {  # bytes, far more than those of the largest models
    "config.json": 2**20,
    INDEX: 32 * 2**20,
    "tokenizer.json": 64 * 2**20,
    "vocab.json": 16 * 2**20,
    "merges.txt": 12 * 2**20,
}


def digest(folder: Path) -> str:
    """Return one SHA-256 of a checkpoint's files, read again only if written since.

    Raises `Unusable` if some are missing or damaged, `OSError` if they cannot be read.
    """
    names = tuple(files_of(folder))
    written = tuple(_written(folder / name) for name in names)
    return _digest(folder, names, written)


@lru_cache(maxsize=8)
def _digest(folder: Path, names: tuple[str, ...], _written: tuple[Any, ...]) -> str:
    return files.digest(folder, names)


def _written(file: Path) -> tuple[int, ...]:
    """Return what is different once a file has been written again."""
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def files_of(folder: Path) -> list[str]:
    """Return the names of all files that make up a checkpoint."""
    _refuse_missing(folder / "config.json")
    _refuse_large(folder / "config.json", LARGEST["config.json"])
    index = [] if (folder / WEIGHTS).is_file() else [INDEX]
    return ["config.json", *tokenizer_files(folder), *weight_files(folder), *index]


def tokenizer_files(folder: Path) -> tuple[str, ...]:
    """Find the tokenizer: one file, or the two that GPT-2 was released with."""
    for names in TOKENIZERS:
        if all((folder / name).is_file() for name in names):
            for name in names:
                _refuse_large(folder / name, LARGEST[name])
            return names
    raise Unusable(f"The checkpoint {folder} has no tokenizer.json: save its tokenizer too.")


def weight_files(folder: Path) -> list[str]:
    """Find the safetensors files: one, or the shards that the index names."""
    if (folder / WEIGHTS).is_file():
        _refuse_torn(folder / WEIGHTS)
        return [WEIGHTS]
    if (folder / INDEX).is_file():
        return _shards(folder)
    if any(path for pattern in PICKLED for path in folder.glob(pattern)):
        raise Unusable(
            f"The weights in {folder} are pickled, which can run code and is never read: load them "
            "where you trust them and call save_pretrained, which writes model.safetensors."
        )
    raise Unusable(f"The checkpoint {folder} has no {WEIGHTS}: save the model there first.")


def _shards(folder: Path) -> list[str]:
    """Return the files that the index names; each of them is there."""
    shards = read_json(folder / INDEX).get("weight_map")
    names = list(shards.values()) if isinstance(shards, dict) and shards else [None]
    if not all(isinstance(name, str) and Path(name).name == name for name in names):
        raise Unusable(
            f"The file {folder / INDEX} does not name the files of the weights: save again."
        )
    found = sorted(set(map(str, names)))
    for name in found:
        if not (folder / name).is_file():
            raise Unusable(
                f"The checkpoint {folder} has no {printable(name)}, which its index names: copy or "
                "save the checkpoint again."
            )
        _refuse_torn(folder / name)
    return found


def _refuse_torn(path: Path) -> None:
    """Refuse a safetensors file that is not as long as its header says, before it is read.

    The library that reads it would see it too; but a file may be read for its digest alone.
    """
    if not _is_whole(path):
        raise Unusable(
            f"The weights in {path.parent} are damaged ({printable(path.name)} is not as long as "
            "its header says): copy or save the checkpoint again."
        )


def _is_whole(path: Path) -> bool:
    size = path.stat().st_size
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8).ljust(8, b"\0"))
        if not 2 <= length <= min(LARGEST_HEADER, size - 8):
            return False
        try:
            entries = json.loads(file.read(length))
            ends = [entry["data_offsets"][1] for name, entry in entries.items() if name != META]
            return bool(size == 8 + length + max(ends, default=0))
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            return False


def _refuse_missing(path: Path) -> None:
    """Refuse what is not there or no file: reading a pipe might never end."""
    if not path.is_file():
        raise Unusable(f"The checkpoint {path.parent} has no {path.name}: save the model there.")


def _refuse_large(path: Path, largest: int) -> None:
    if path.stat().st_size > largest:
        raise Unusable(
            f"The file {path} is too large to be what its name says: save the checkpoint again."
        )


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    _refuse_missing(path)
    _refuse_large(path, LARGEST[path.name])
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Unusable(
            f"The file {path} is not JSON: copy or save the checkpoint again."
        ) from error
    if not isinstance(value, dict):
        raise Unusable(f"The file {path} holds no JSON object: copy or save it again.")
    return value
