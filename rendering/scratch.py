"""Files that were made aside move to their place whole. Knows no film."""

import os
from collections.abc import Iterable
from pathlib import Path


def move_all(source: Path, names: Iterable[str], place: Path) -> None:
    """Move files from one folder to another of the same disk, in this order, each whole.

    All of them are on the disk before the first one moves.
    """
    names = list(names)
    for name in names:
        _sync(source / name)
    folders = {place}
    for name in names:
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (source / name).replace(target)
        folders.add(target.parent)
    for folder in folders:
        _sync(folder)


def _sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
