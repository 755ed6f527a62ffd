"""A checkpoint folder in Hugging Face layout <-> a GPT and its tokenizer.

A folder is data: no pickle, no code of its own, and nothing is allocated for a tensor before its
shape and type are known to fit the config. Knows nothing of training or traces.
"""

import json
import math
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.cores import on_one_core
from model.errors import Unusable
from model.files import write_whole
from model.folder import WEIGHTS, digest, read_json, shown, tokenizer_files, weight_files
from model.gpt import Sizes, Transformer
from model.layouts import Layout, layout_in, layout_of
from model.tokenizer import END_OF_TEXT, Tokenizer

FLOATS = ("F64", "F32", "F16", "BF16")

Found = Mapping[str, tuple[Any, str]]  # full name: the open file, and the name it has there


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
        """The SHA-256 of the folder's files; a film needs no such reading of all of them."""
        return digest(self.folder)


@on_one_core()
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
    """Write a checkpoint folder; one that was there stays whole until the new one is complete."""
    folder = Path(folder)
    end = tokenizer.end_of_text
    layout = layout_of(model)
    config = layout.keys(model.config) | {"bos_token_id": end, "eos_token_id": end}
    weights = {name: weight.detach().contiguous() for name, weight in layout.theirs(model).items()}
    write_whole(
        {
            folder / "tokenizer.json": tokenizer.to_json().encode(),
            folder / "tokenizer_config.json": _json(_tokenizer_config(model.config.n_ctx)),
            folder / "config.json": _json(config),
            folder / WEIGHTS: safetensors.torch.save(weights, metadata={"format": "pt"}),
        }
    )


def _load(folder: Path) -> Checkpoint:
    """Config first, then the headers of the weights, then the weights."""
    keys = read_json(folder / "config.json")
    layout = layout_in(keys)
    config = layout.config(keys)
    tokenizer = _read_tokenizer(folder, config)
    files = weight_files(folder)
    model = _read_model(folder, files, layout, config)
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


def _read_model(folder: Path, files: list[str], layout: Layout, config: Any) -> Transformer:  # noqa: ANN401 - the architecture's own
    """Read the weights as float32, after all names and shapes have been checked."""
    try:
        with ExitStack() as stack:
            opened = [
                stack.enter_context(safe_open(folder / file, framework="pt")) for file in files
            ]
            found = {layout.full_name(key): (file, key) for file in opened for key in file.keys()}  # noqa: SIM118 - not a dict
            if "lm_head.weight" in found and config.tied:
                config = replace(config, tied=_same(found, layout.embedding, "lm_head.weight"))
            shapes = _expected_shapes(folder, found, layout, config)
            for name, shape in shapes.items():
                _check_header(folder, name, found, shape)
            theirs = {name: _read(found, name) for name in shapes}
    except SafetensorError as error:
        raise Unusable(
            f"The weights in {folder} are damaged ({shown(str(error))}): copy or save the "
            "checkpoint again."
        ) from error
    for name, weight in theirs.items():
        if not torch.stack(weight.aminmax()).isfinite().all():  # without a copy of it
            raise Unusable(
                f"The weight {name} in {folder} holds values that are no numbers: its training "
                "went wrong, choose another checkpoint."
            )
    with torch.device("meta"):
        model: Transformer = layout.architecture(config)
    model.load_state_dict(layout.ours(theirs, config), assign=True)
    return model.eval()


def _read(found: Found, name: str) -> Tensor:
    """One tensor of the files, as float32."""
    file, key = found[name]
    tensor: Tensor = file.get_tensor(key).to(torch.float32)
    return tensor


def _same(found: Found, *names: str) -> bool:
    """Whether tensors that may be tied are equal, as far as their headers and values go."""
    if len({tuple(_header(found, name).get_shape()) for name in names if name in found}) != 1:
        return False
    first, second = (_read(found, name) for name in names)
    return torch.equal(first, second)


def _header(found: Found, name: str) -> Any:  # noqa: ANN401 - safetensors does not type its slices
    """Shape and type of a tensor, without reading it."""
    file, key = found[name]
    return file.get_slice(key)


def _expected_shapes(
    folder: Path,
    found: Found,
    layout: Layout,
    config: Any,  # noqa: ANN401 - the architecture's own
) -> dict[str, torch.Size]:
    """Every tensor that this config asks for, with its shape; refuses what no block has."""
    blocks = {int(match[1]) for name in found if (match := layout.block.match(name))}
    if len(blocks) != config.n_layers or blocks != set(range(config.n_layers)):
        raise Unusable(
            f"The config.json of {folder} names {config.n_layers} layers and its weights hold "
            f"{len(blocks)}: they do not belong together."
        )
    _refuse_large(folder, found, config)
    with torch.device("meta"):
        planned = layout.theirs(layout.architecture(config))
    shapes = {name: weight.shape for name, weight in planned.items()}
    for name in sorted(found):
        is_in_a_block = layout.block.match(name) and not layout.buffer.fullmatch(name)
        if is_in_a_block and name not in shapes:
            raise Unusable(
                f"The checkpoint {folder} has a weight {shown(name)}, which no model of its type "
                f"({layout.model_type}) has: it cannot be shown."
            )
    return shapes


def _refuse_large(folder: Path, found: Found, config: Any) -> None:  # noqa: ANN401 - the architecture's own
    """Refuse sizes by which one matrix alone would hold more numbers than all weights do.

    Even to plan a model of absurd sizes takes memory.
    """
    held = sum(math.prod(_header(found, name).get_shape()) for name in found)
    widest = max(config.n_heads * config.d_head, config.d_mlp, config.d_vocab)
    if config.d_model * widest > held:
        raise Unusable(
            f"The config.json of {folder} asks for a matrix of {config.d_model} by {widest} and "
            f"its weights hold {held} numbers in all: they do not belong together."
        )


def _check_header(folder: Path, name: str, found: Found, shape: torch.Size) -> None:
    """Refuse a weight that is missing, has another shape than asked for, or is not of floats."""
    if name not in found:
        raise Unusable(f"The weights in {folder} lack {name}: save the whole model again.")
    header = _header(found, name)
    if tuple(header.get_shape()) != tuple(shape):
        raise Unusable(
            f"The config.json of {folder} asks for a {name} of shape {list(shape)} and the weights "
            f"have {list(header.get_shape())}: they do not belong together."
        )
    if header.get_dtype() not in FLOATS:
        raise Unusable(
            f"The weight {name} in {folder} is stored as {header.get_dtype()}, and only "
            f"{', '.join(FLOATS)} can be read: save the checkpoint as float32."
        )


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
