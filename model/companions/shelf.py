"""What companions there are, and their files: safetensors, with what made them in their header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save

from model.errors import Unusable
from model.files import write_whole
from model.tokenizer import Tokenizer

HEADER = "companion"
FOLDER = Path(__file__).parents[2] / "assets" / "companions"

Array = NDArray[Any]


@dataclass(frozen=True)
class Companion:
    """What one was trained to: its arrays, and what made it."""

    name: str
    tensors: Mapping[str, Array]
    made_by: str  # the command
    tokenizer: str  # SHA-256 of the tokenizer whose ids it reads

    def reads(self, tokenizer: Tokenizer) -> bool:
        """Whether it cuts texts into the same tokens as a model does."""
        return self.tokenizer == tokenizer.digest

    def write(self, path: Path) -> None:
        """Write it as a safetensors file; an older file stays until this one is whole."""
        made = json.dumps({"made_by": self.made_by, "tokenizer": self.tokenizer})
        tensors = {name: np.ascontiguousarray(each) for name, each in self.tensors.items()}
        write_whole({path: save(tensors, {HEADER: made})})  # several entries have no fixed order


def path_of(name: str) -> Path:
    """Return where a companion of ours lies."""
    return FOLDER / f"{name}.safetensors"


@cache
def load(name: str) -> Companion:
    """Read a companion of ours. Raises `Unusable` if it is not there or is no such file."""
    path = path_of(name)
    try:
        with safe_open(path, "numpy") as file:
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - no mapping
            made = json.loads(file.metadata()[HEADER])
    except Exception as error:  # safetensors raises what it likes
        raise Unusable(
            f"The companion {path} cannot be read: make it again with "
            f"`films train --companion {name}`."
        ) from error
    for array in tensors.values():
        array.setflags(write=False)
    return Companion(name, tensors, made["made_by"], made["tokenizer"])
