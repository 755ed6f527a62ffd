"""Files that are written whole or not at all. Knows nothing of what they hold."""

import os
from collections.abc import Mapping
from pathlib import Path

from model.errors import Unusable


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write files so that whatever stood in their places stays until all new ones are on the disk.

    Each is written beside its place under another name and synced; only then do they move. Raises
    `Unusable` when the disk does not take them.
    """
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
