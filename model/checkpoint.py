"""A checkpoint folder in Hugging Face layout <-> a model and its tokenizer.

A folder is data: no pickle is read, and no code of its own is run.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import safetensors.torch

from model.errors import Unusable
from model.files import write_folder
from model.gpt import Transformer
from model.huggingface.families import architecture_in, architecture_of
from model.huggingface.folder import WEIGHTS, digest, read_json, tokenizer_files, weight_files
from model.huggingface.weights import read_model
from model.sizes import Sizes
from model.threads import single_threaded
from model.tokenizer import END_OF_TEXT, Tokenizer


@dataclass(frozen=True)
class Checkpoint:
    """A model with its tokenizer, and the folder that they came from."""

    model: Transformer
    tokenizer: Tokenizer
    folder: Path

    @property
    def config(self) -> Sizes:
        """The model's sizes."""
        return self.model.config

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the folder's files, which are all read for it."""
        return digest(self.folder)


@single_threaded()
def load(folder: Path | str) -> Checkpoint:
    """Read a checkpoint folder; `Unusable` says in one sentence why it cannot be read."""
    folder = Path(folder)
    if not folder.is_dir():
        raise Unusable(
            f"There is no checkpoint folder {folder}: name one that holds config.json, "
            "model.safetensors and tokenizer.json."
        )
    try:
        return _load(folder)
    except MemoryError as error:
        raise Unusable(
            f"The checkpoint {folder} needs more memory than there is: choose a smaller one."
        ) from error
    except OSError as error:
        raise Unusable(
            f"The checkpoint {folder} cannot be read ({error.strerror or error}): check the "
            "folder and its permissions."
        ) from error


def save(model: Transformer, tokenizer: Tokenizer, folder: Path | str) -> None:
    """Write a checkpoint folder; one that was there stays whole until the new one is complete.

    Raises `Unusable` if the folder cannot be written.
    """
    folder = Path(folder)
    end = tokenizer.end_of_text
    architecture = architecture_of(model.config)
    config = architecture.write_config(model.config) | {"bos_token_id": end, "eos_token_id": end}
    weights = {
        name: weight.detach().contiguous()
        for name, weight in architecture.to_huggingface(model).items()
    }
    write_folder(
        folder,
        {
            "tokenizer.json": tokenizer.to_json().encode(),
            "tokenizer_config.json": _json(_tokenizer_config(model.config.n_ctx)),
            "config.json": _json(config),
            WEIGHTS: safetensors.torch.save(weights, metadata={"format": "pt"}),
        },
    )


def _load(folder: Path) -> Checkpoint:
    """Config first, then the headers of the weights, then the weights."""
    keys = read_json(folder / "config.json")
    architecture = architecture_in(keys)
    config = architecture.read_config(keys)
    tokenizer = _read_tokenizer(folder, config)
    model = read_model(folder, weight_files(folder), architecture, config)
    return Checkpoint(model, tokenizer, folder)


def _read_tokenizer(folder: Path, config: Sizes) -> Tokenizer:
    """Read the tokenizer, if all its tokens have an embedding."""
    tokenizer = Tokenizer.load(*(folder / name for name in tokenizer_files(folder)))
    needed = tokenizer.largest_id + 1
    if needed > config.d_vocab:  # before its ids are used for anything
        raise Unusable(
            f"The tokenizer of {folder} needs {needed} embeddings and the model has "
            f"{config.d_vocab}: they do not belong together."
        )
    for token in tokenizer.encode(""):
        if not tokenizer.has(token):
            raise Unusable(
                f"The tokenizer of {folder} puts a token {token} around every text and has none of "
                "this number: copy or save the checkpoint again."
            )
    return tokenizer


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


def _tokenizer_config(n_ctx: int) -> dict[str, Any]:
    """Say what lets `transformers.AutoTokenizer` read the folder."""
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": n_ctx,
        "bos_token": END_OF_TEXT,
        "eos_token": END_OF_TEXT,
        "clean_up_tokenization_spaces": False,
    }
