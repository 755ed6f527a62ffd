"""Files are made in a hidden folder beside their place and moved there whole. Knows no film.

Each such folder holds a lock as long as its maker lives; what is found unlocked was left behind by
a run that was killed, and is removed.
"""

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from filelock import FileLock, Timeout

from rendering.failures import unwritable

PREFIX = ".making-"
LOCK = "lock"
YOUNG = 60.0  # seconds


@contextmanager
def scratch(place: Path) -> Iterator[Path]:
    """Yield a new hidden folder in `place`, on the same disk; it is removed at the end."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        folder = Path(mkdtemp(prefix=PREFIX, dir=place))
    except OSError as refused:
        raise unwritable(place, refused) from refused
    try:
        with FileLock(folder / LOCK):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # folders in which nothing was made are not left behind
            for empty in (place, place.parent, place.parent.parent):
                empty.rmdir()


def sweep(media: Path) -> None:
    """Remove what runs that were killed have left in a media directory."""
    for folder in list(media.glob(f"films/**/{PREFIX}*")):
        with suppress(Timeout, OSError):
            if not (folder / LOCK).exists() and _age(folder) < YOUNG:
                continue  # its maker is about to lock it
            with FileLock(folder / LOCK, timeout=0):
                shutil.rmtree(folder, ignore_errors=True)
    for part in list(media.glob("films/**/.*.part")):
        with suppress(OSError, ValueError, IndexError):
            _remove_if_orphaned(part)


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


def _age(folder: Path) -> float:
    """Return for how many seconds a folder has stood as it is."""
    return time.time() - folder.stat().st_mtime


def _sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_if_orphaned(part: Path) -> None:
    """Remove a half-written file `.name.pid.part` whose writer no longer runs."""
    try:
        os.kill(int(part.name.split(".")[-2]), 0)
    except ProcessLookupError:
        part.unlink()
