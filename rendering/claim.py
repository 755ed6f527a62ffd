"""A film's folder, held by one run at a time, with a hidden folder in it to make files in.

The lock ends with the process that holds it, however that ends; what such a run has left behind is
removed by the next one that takes the folder. Knows no film.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from rendering.failures import FilmFailed, unwritable

MAKING, LOCK = ".making", ".making.lock"
BEAT = 2.0  # seconds from one sign of life to the next
PATIENCE = 60.0  # seconds without one, after which nobody waits any longer
LOOK_EVERY = 0.5  # seconds
TRIES = 100  # to hold a folder that others remove


class Claim:
    """One run's hold on a folder. While it holds, `scratch` is there to make files in."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.scratch = place / MAKING
        self._path = place / LOCK
        self._lock = FileLock(self._path)
        self._is_held = False  # in any thread; the lock itself answers only its own
        self._made: list[Path] = []  # folders that were not there before, the innermost first

    def take(self) -> bool:
        """Take the folder if nobody holds it; return whether it is held now."""
        try:
            self._acquire()
            self._is_held = True
            self._path.write_text(str(os.getpid()))
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
        except Timeout:
            return False
        except OSError as refused:
            self.release()
            raise unwritable(self.place, refused) from refused
        return True

    def _acquire(self) -> None:
        """Acquire the lock in its folder, which another run may just be removing."""
        for left in reversed(range(TRIES)):
            folders = (self.place, *self.place.parents)
            self._made = [each for each in folders if each in self._made or not each.exists()]
            try:
                self.place.mkdir(parents=True, exist_ok=True)
                self._lock.acquire(timeout=0)
            except FileNotFoundError:
                if not left:
                    raise
            else:
                return

    def wait(self, say: Callable[[str], None]) -> None:
        """Take the folder as soon as its holder lets go; `say` hears who is waited for.

        Raises `FilmFailed` if the holder gives no sign of life for a minute.
        """
        if self.take():
            return
        say(f"Waiting for process {self._holder()}, which is making {self.place}.")
        while not self.take():
            with suppress(OSError):
                if time.time() - self._path.stat().st_mtime > PATIENCE:
                    raise FilmFailed(
                        f"Process {self._holder()} holds {self.place} and has given no sign of "
                        f"life for {PATIENCE:.0f} seconds: end it and run this again."
                    )
            time.sleep(LOOK_EVERY)

    def show_life(self) -> None:
        """Let those who wait see that this run goes on, as long as it holds the folder."""
        with suppress(OSError):
            if self._is_held:
                os.utime(self._path)

    def release(self) -> None:
        """Let go of the folder, and remove what is of no use to anybody."""
        if self._is_held:
            self._is_held = False
            shutil.rmtree(self.scratch, ignore_errors=True)
            self._path.unlink(missing_ok=True)
            self._lock.release()
        _remove_empty(self._made)

    def _holder(self) -> str:
        with suppress(OSError):
            return self._path.read_text() or "unknown"
        return "unknown"


@contextmanager
def alive(claims: Iterable[Claim]) -> Iterator[None]:
    """Show for the length of a `with` block that this run is alive."""
    done = threading.Event()

    def beat() -> None:
        while not done.wait(BEAT):
            for claim in claims:
                claim.show_life()

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def sweep(media: Path) -> None:
    """Remove what runs that were killed have left in a media directory."""
    for left in {*media.glob(f"films/**/{MAKING}"), *media.glob(f"films/**/{LOCK}")}:
        claim = Claim(left.parent)
        with suppress(Exception):
            claim.take()
            claim.release()
            _remove_empty(left.parents[: left.parents.index(media)])
    for part in [*media.glob("films/**/.*.part"), *media.glob(".*/.*.part")]:
        with suppress(OSError, ValueError, IndexError):
            _remove_if_orphaned(part)


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, the innermost first, up to one in which there is something."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def _remove_if_orphaned(part: Path) -> None:
    """Remove a half-written file `.name.pid.part` whose writer no longer runs."""
    try:
        os.kill(int(part.name.split(".")[-2]), 0)
    except ProcessLookupError:
        part.unlink()
