"""A film's folder, held by one run at a time, with a hidden folder in it to make files in.

The lock ends with the process that holds it, however that ends; what such a run has left behind is
removed by the next one that takes the folder. Knows no film.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from rendering.failures import unwritable

SCRATCH, LOCK = ".making", ".making.lock"
TRIES = 100  # to hold a folder that others remove


class FolderLock:
    """One run's hold on a folder. While it holds, `scratch` is there to make files in."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.scratch = place / SCRATCH
        self._path = place / LOCK
        self._lock = FileLock(self._path, thread_local=False)
        self._made: list[Path] = []  # folders that were not there before, the innermost first

    def take(self, timeout: float = 0) -> bool:
        """Take the folder if nobody holds it, or lets go within so many seconds; below 0, ever."""
        try:
            self._acquire(timeout)
            self._path.write_text(str(os.getpid()))
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
        except Timeout:
            return False
        except OSError as refused:
            self.release()
            raise unwritable(self.place, refused) from refused
        return True

    @contextmanager
    def held(self, say: Callable[[str], None]) -> Iterator[Self]:
        """Hold the folder as soon as its holder lets go; `say` hears who is waited for."""
        if not self.take():
            with suppress(OSError):
                say(f"Waiting for process {self._path.read_text()}, which is making {self.place}.")
            self.take(timeout=-1)
        try:
            yield self
        finally:
            self.release()

    def release(self) -> None:
        """Let go of the folder, if it is held, and remove what is of no use to anybody."""
        if self._lock.is_locked:
            shutil.rmtree(self.scratch, ignore_errors=True)
            self._path.unlink(missing_ok=True)
            self._lock.release()
        remove_empty(self._made)

    def _acquire(self, timeout: float) -> None:
        """Acquire the lock in its folder, which another run may just be removing."""
        for left in reversed(range(TRIES)):
            folders = (self.place, *self.place.parents)
            self._made = [each for each in folders if each in self._made or not each.exists()]
            try:
                self.place.mkdir(parents=True, exist_ok=True)
                self._lock.acquire(timeout=timeout)
            except FileNotFoundError:
                if not left:
                    raise
            else:
                return


def sweep(media: Path) -> None:
    """Remove what runs that were killed have left in a media directory."""
    for left in {path.parent for path in media.glob(f"films/**/{SCRATCH}*")}:
        lock = FolderLock(left)
        with suppress(Exception):
            lock.take()
            lock.release()
            remove_empty([left, *left.parents[: left.parents.index(media)]])


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


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, the innermost first, up to one in which there is something."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
