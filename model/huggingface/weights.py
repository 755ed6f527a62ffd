"""The weights of a checkpoint folder become a model.

Nothing is allocated for a tensor before its name, shape and type are known to fit the config.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.errors import Unusable, printable
from model.gpt import Transformer
from model.huggingface import float32
from model.huggingface.architecture import Architecture
from model.huggingface.folder import digest

MAPPED_FROM = 2**26  # bytes; a smaller model costs each process little
FLOATS = ("F64", "F32", "F16", "BF16")

Found = Mapping[str, tuple[Any, str]]  # full name: the open file, and the name it has there


def read_model(
    folder: Path,
    files: Sequence[str],
    architecture: Architecture,
    config: Any,  # noqa: ANN401 - the architecture's own
) -> Transformer:
    """Read a model, in float32, from safetensors files of a folder.

    Raises `Unusable` for weights that are damaged, missing, not finite, or of another shape than
    the config says.
    """
    try:
        with ExitStack() as stack:
            opened = [
                stack.enter_context(safe_open(folder / file, framework="pt")) for file in files
            ]
            found = _by_name(opened, architecture)
            if config.tied and {architecture.embedding, architecture.unembedding} <= {*found}:
                is_tied = _are_equal(found, architecture.embedding, architecture.unembedding)
                config = replace(config, tied=is_tied)
            shapes = _expected_shapes(folder, found, architecture, config)
            _check_headers(folder, found, shapes)
            weights = _weights(folder, found, shapes)
    except SafetensorError as error:
        raise Unusable(
            f"The weights in {folder} are damaged ({printable(str(error))}): copy or save the "
            "checkpoint again."
        ) from error
    _refuse_infinite(folder, weights)
    with torch.device("meta"):
        model: Transformer = architecture.model_class(config)
    model.load_state_dict(architecture.from_huggingface(weights, config), assign=True)
    return model.eval()


def _weights(folder: Path, found: Found, shapes: Mapping[str, torch.Size]) -> Mapping[str, Tensor]:
    """Read the weights in float32: mapped from their own files, or from one kept for it.

    Those of a small model are copied: who writes its file anew in place then disturbs nobody.
    """

    def read() -> Mapping[str, Tensor]:
        return {name: _read(found, name) for name in shapes}

    size = 4 * sum(map(math.prod, shapes.values()))
    if size < MAPPED_FROM:
        return {name: weight.clone() for name, weight in read().items()}
    if all(_header(found, name).get_dtype() == "F32" for name in shapes):
        return read()
    return float32.kept(digest(folder), shapes, read, size)


def _by_name(files: Iterable[Any], architecture: Architecture) -> Found:
    return {
        architecture.full_name(key): (file, key)
        for file in files
        for key in file.keys()  # noqa: SIM118 - not a dict
    }


def _expected_shapes(
    folder: Path,
    found: Found,
    architecture: Architecture,
    config: Any,  # noqa: ANN401 - the architecture's own
) -> dict[str, torch.Size]:
    """Every tensor that this config asks for, with its shape; refuses what no block has."""
    blocks = {int(match[1]) for name in found if (match := architecture.block.match(name))}
    if len(blocks) != config.n_layers or blocks != set(range(config.n_layers)):
        raise Unusable(
            f"The config.json of {folder} names {config.n_layers} layers and its weights hold "
            f"{len(blocks)}: they do not belong together."
        )
    _refuse_large(folder, found, config)
    with torch.device("meta"):
        planned = architecture.to_huggingface(architecture.model_class(config))
    for name in sorted(found):
        is_in_a_block = architecture.block.match(name) and not architecture.buffer.fullmatch(name)
        if is_in_a_block and name not in planned:
            raise Unusable(
                f"The checkpoint {folder} has a weight {printable(name)}, which no model of its "
                f"type ({architecture.model_type}) has: it cannot be shown."
            )
    return {name: weight.shape for name, weight in planned.items()}


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


def _check_headers(folder: Path, found: Found, shapes: Mapping[str, torch.Size]) -> None:
    """Refuse a weight that is missing, has another shape than asked for, or is not of floats."""
    for name, shape in shapes.items():
        if name not in found:
            raise Unusable(f"The weights in {folder} lack {name}: save the whole model again.")
        header = _header(found, name)
        if tuple(header.get_shape()) != tuple(shape):
            raise Unusable(
                f"The config.json of {folder} asks for a {name} of shape {list(shape)} and the "
                f"weights have {list(header.get_shape())}: they do not belong together."
            )
        if header.get_dtype() not in FLOATS:
            raise Unusable(
                f"The weight {name} in {folder} is stored as {header.get_dtype()}, and only "
                f"{', '.join(FLOATS)} can be read: save the checkpoint as float32."
            )


def _refuse_infinite(folder: Path, weights: Mapping[str, Tensor]) -> None:
    for name, weight in weights.items():
        if not torch.stack(weight.aminmax()).isfinite().all():  # without a copy of it
            raise Unusable(
                f"The weight {name} in {folder} holds values that are no numbers: its training "
                "went wrong, choose another checkpoint."
            )


def _are_equal(found: Found, *names: str) -> bool:
    """Whether tensors that may be tied have the same shape and the same values."""
    if len({tuple(_header(found, name).get_shape()) for name in names}) != 1:
        return False
    first, second = (_read(found, name) for name in names)
    return torch.equal(first, second)


def _header(found: Found, name: str) -> Any:  # noqa: ANN401 - safetensors does not type its slices
    """Shape and type of a tensor, without reading it."""
    file, key = found[name]
    return file.get_slice(key)


def _read(found: Found, name: str) -> Tensor:
    """One tensor of the files, as float32."""
    file, key = found[name]
    tensor: Tensor = file.get_tensor(key).to(torch.float32)
    return tensor
