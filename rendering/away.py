"""What a worker of a Dask cluster does: it compares its code, draws a share, and returns the files.

It draws in a process of its own making, because manim cannot draw two films at once in one; the
process ends with the worker.
"""

import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from model.errors import Unusable
from rendering import recipe
from rendering.failures import PROJECT, FilmFailed
from rendering.imports import file_of
from rendering.order import Order
from rendering.recipe import Recipe
from rendering.share import Share, draw

PROBLEM = "problem.json"


@dataclass(frozen=True)
class Parcel:
    """A share as it is sent: an order, and its beats."""

    order: Order
    beats: tuple[str, ...]


@dataclass(frozen=True)
class Return:
    """What comes back of a share: files by their path in its folder, and what went wrong."""

    files: Mapping[str, bytes]
    problem: Exception | None


def differences(wanted: Sequence[tuple[Order, Recipe]]) -> list[str]:
    """Return, on a worker, what it would draw these orders with that differs from the recipes."""
    reasons: list[str] = []
    for order, there in wanted:
        here = recipe.of_clips(_at_home(order))
        reasons += there.changes(here)
        if not reasons and here.key != there.key:
            reasons.append("the model's code or PyTorch differs")
    return list(dict.fromkeys(reasons))


def draw_away(parcel: Parcel, checkpoint: Mapping[str, bytes]) -> Return:
    """Draw a share on a worker, in a process that ends with it, and return what it made.

    `checkpoint` holds the checkpoint's files, by name.
    """
    workspace = _workspace()
    folder = workspace / "checkpoints" / parcel.order.digest
    _unpack(checkpoint, folder)
    order = replace(parcel.order, asked=replace(parcel.order.asked, checkpoint=folder))
    with TemporaryDirectory(dir=workspace) as scratch:
        share = Share(_at_home(order), parcel.beats, Path(scratch))
        ended = _draw_in_a_process(share)
        problem = _problem(share, ended)
        files = {
            str(path.relative_to(scratch)): path.read_bytes()
            for path in Path(scratch).rglob("*")
            if path.is_file() and path.name != PROBLEM and not path.name.startswith(".")
        }
    return Return(files, problem)


def _at_home(order: Order) -> Order:
    """Return an order with its film's file as it stands on this machine."""
    source = file_of(order.card.module, PROJECT) or order.card.source
    return replace(order, card=replace(order.card, source=source))


def _workspace() -> Path:
    """Return the worker's own folder, which Dask removes with it, or after it if it was killed."""
    from distributed import get_worker  # noqa: PLC0415 - Dask is an extra

    return Path(get_worker().local_directory)


def _unpack(checkpoint: Mapping[str, bytes], folder: Path) -> None:
    """Write a checkpoint's files into a folder, each whole, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in checkpoint.items():
        path = folder / name
        if not path.exists():
            aside = path.with_name(f".{name}.{threading.get_ident()}")
            aside.write_bytes(content)
            aside.replace(path)


def _draw_in_a_process(share: Share) -> int:
    """Draw a share in a process of its own; return its exit status."""
    process = subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(PROJECT), *sys.path])},
    )
    with process:
        assert process.stdin
        try:
            process.stdin.write(pickle.dumps(share))
            process.stdin.flush()
        except BrokenPipeError:
            return 1
        return process.wait()


def _problem(share: Share, ended: int) -> Exception | None:
    """Return what went wrong in a process that drew a share."""
    try:
        told = json.loads((share.folder / PROBLEM).read_text())
    except FileNotFoundError:
        slug = share.order.card.slug
        return FilmFailed(f"A process that drew {slug} on a worker ended.") if ended else None
    return (Unusable if told["unusable"] else FilmFailed)(told["sentence"])


def _draw_what_is_asked() -> None:
    """Draw the share that comes on stdin, and end at once when whoever asked for it ends."""
    share = pickle.load(sys.stdin.buffer)  # noqa: S301 - written by the worker that started this
    assert isinstance(share, Share)
    threading.Thread(target=_leave_when_alone, daemon=True).start()
    try:
        draw(share)
    except (Unusable, FilmFailed) as error:
        told = {"unusable": isinstance(error, Unusable), "sentence": str(error)}
        (share.folder / PROBLEM).write_text(json.dumps(told))
        sys.exit(1)


def _leave_when_alone() -> None:
    while os.read(sys.stdin.fileno(), 1):  # past Python's buffer, whose lock would outlive us
        continue
    os._exit(1)


if __name__ == "__main__":
    _draw_what_is_asked()
