"""Files that are written whole or not at all, and the digest of some."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

from model.errors import Unusable

Content: TypeAlias = bytes | Path | Callable[[Path], None]  # a file to copy; or what writes it


def write_whole(contents: Mapping[Path, Content]) -> None:
    """Write files so that whatever stood in their places stays until all new ones are on the disk.

    Each is written beside its place under another name and synced; only then do they move. Raises
    `Unusable` when the disk does not take them. What is no file, such as a device, is refused.
    """
    contents = {_place(path): content for path, content in contents.items()}
    partial = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in contents}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(partial[path], content)
        for path in contents:
            partial[path].replace(path)
    except OSError as error:
        raise Unusable(
            f"{path} cannot be written ({error.strerror or error}): make room, or choose a place "
            "that you may write to."
        ) from error
    finally:
        for path in partial.values():
            if path.exists():
                path.unlink()


def write_folder(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files of a folder, all at once: nobody ever finds some of the old and some of the new.

    What else is in the folder stays. Raises `Unusable` when the disk does not take them.
    """
    place = Path(os.path.realpath(folder))
    new = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        if place.is_dir():
            shutil.copytree(place, new, copy_function=_link, ignore=lambda *_: contents)
        new.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            _write(new / name, content)
        exchange(new, place)
    except OSError as error:
        raise Unusable(
            f"{folder} cannot be written ({error.strerror or error}): make room, or choose a place "
            "that you may write to."
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def exchange(new: Path, place: Path) -> None:
    """Put a folder in the place of another, if one is there; both are on one disk."""
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    if place.exists():
        place.replace(old)
    try:
        new.replace(place)
    except BaseException:
        if old.exists():
            old.replace(place)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _write(path: Path, content: Content) -> None:
    """Write a file that did not exist, and wait until it is on the disk."""
    path.touch()
    mode = path.stat().st_mode
    if isinstance(content, Path):
        shutil.copyfile(content, path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content(path)
    path.chmod(mode)  # safetensors lets nobody else read its files
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _link(source: str, target: str) -> None:
    """Give a file a second place; a copy where the disk has no links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _place(path: Path) -> Path:
    """Return where a file is, or will be: where a link leads to."""
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        raise Unusable(f"{path} is no file: choose a name for a file.")
    return place


def cache_folder() -> Path:
    """Return where what was measured once is kept for the user, whatever folder films go to."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home, "transformer-films")


def digest(folder: Path, names: Iterable[str]) -> str:
    """Return one SHA-256 for files of a folder, in this order, each led by its name and size."""
    found = hashlib.sha256()
    for name in names:
        with (folder / name).open("rb") as file:
            found.update(f"{name} {os.fstat(file.fileno()).st_size}\n".encode())
            while part := file.read(2**20):
                found.update(part)
    return found.hexdigest()


@cache
def model_code() -> str:
    """Return a digest of the model's code and word lists."""
    folder = Path(__file__).parent
    every = (path for path in folder.rglob("*") if path.suffix in {".py", ".txt"})
    return digest(folder, sorted(str(path.relative_to(folder)) for path in every))


def sha256(file: Path) -> str:
    """Return a file's digest; an empty one if there is no such file."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return ""
