"""A model's weights in float32, kept once in the user's cache folder for all who show it.

Files of float32 are mapped, so that processes share them. What is stored in half precision would
have to be widened by each of them: 540 MB a process for a model of 135 million parameters.
"""

import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from model.files import cache_folder

Weights = Mapping[str, Tensor]

MOST = 2  # models that are kept, those that were shown last


def kept(digest: str, names: Iterable[str], read: Callable[[], Weights], size: int) -> Weights:
    """Return the weights that `read` gives, mapped from a file that is written for it once.

    `digest` is the checkpoint's, `size` the file's in bytes. Where no such file can be kept, they
    are just read.
    """
    place = cache_folder() / "float32" / f"{digest[:32]}.safetensors"
    try:
        if not place.is_file():
            _keep(place, read, size)
        with safe_open(place, framework="pt") as file:
            found = {name: file.get_tensor(name) for name in names}
        os.utime(place)
    except OSError:
        return read()
    except SafetensorError:  # damaged: the next one writes it again
        place.unlink(missing_ok=True)
        return read()
    return found


def _keep(place: Path, read: Callable[[], Weights], size: int) -> None:
    """Write the file, unless it would take more than half of what is free; remove old ones."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(place.parent).free < 2 * size:
        raise OSError
    partial = place.with_suffix(f".{os.getpid()}.part")
    try:
        save_file({name: weight.contiguous() for name, weight in read().items()}, partial)
        partial.replace(place)
    finally:
        partial.unlink(missing_ok=True)
    every = sorted(place.parent.glob("*.safetensors"), key=lambda file: file.stat().st_mtime)
    for file in every[:-MOST]:
        file.unlink(missing_ok=True)
