"""Files that are written whole or not at all, and the digest of some."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from model.errors import Unusable


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write files so that whatever stood in their places stays until all new ones are on the disk.

    Each is written beside its place under another name and synced; only then do they move. Raises
    `Unusable` when the disk does not take them. What is no file, such as a device, is refused.
    """
    contents = {_place(path): content for path, content in contents.items()}
    partial = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in contents}
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with partial[path].open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
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


def _place(path: Path) -> Path:
    """Return where a file is, or will be: where a link leads to."""
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        raise Unusable(f"{path} is no file: choose a name for a file.")
    return place


def digest(folder: Path, names: Iterable[str]) -> str:
    """Return one SHA-256 for files of a folder, in this order, each led by its name and size."""
    found = hashlib.sha256()
    for name in names:
        with (folder / name).open("rb") as file:
            found.update(f"{name} {os.fstat(file.fileno()).st_size}\n".encode())
            while part := file.read(2**20):
                found.update(part)
    return found.hexdigest()
