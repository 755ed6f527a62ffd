"""What prompts and checkpoints are called in the names of folders, and beats in titles.

A checkpoint is called as its own folder is. A media directory keeps which folder it knows by which
name: only if another checkpoint has taken the name do a few letters of a digest of the path follow.
What a checkpoint holds plays no part.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from filelock import FileLock

from model.files import write_whole

NAMES = ".checkpoints.json"  # in the media directory: folders, by name
LETTERS = 6  # of a digest
LONGEST_TEXT = 40  # characters of a prompt or of a folder's name


def readable(text: str) -> str:
    """Return a safe file name for a text: its words in ASCII, joined by `-`.

    What is lost on the way (case, punctuation, other scripts, length) is made up for by a hash
    after `--`, so that two texts never share a name.
    """
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", ascii_text)
    name = "-".join(words)
    if " ".join(words) == text and len(name) <= LONGEST_TEXT:
        return name
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{name[:LONGEST_TEXT].rstrip('-')}--{digest}" if name else f"-{digest}"


def title_of(beat: str) -> str:
    """Return a beat's name as a title: `Read one row` for `read-one-row`."""
    return beat.replace("-", " ").capitalize()


def checkpoint_name(folder: Path, media: Path) -> str:
    """Return what a checkpoint's folder is called among the films of a media directory."""
    return _name(folder.resolve(), _known(media))


def keep_names(folders: Iterable[Path], media: Path) -> None:
    """Let folders have their names for good, the first ones first.

    A name whose folder is gone is free again. Raises `Unusable` if the directory is not written.
    """
    folders, known = [folder.resolve() for folder in folders], _known(media)
    if all(known.get(_name(folder, known)) == str(folder) for folder in folders):
        return
    media.mkdir(parents=True, exist_ok=True)
    with FileLock(media / f"{NAMES}.lock"):
        known = _known(media)
        for folder in folders:
            known[_name(folder, known)] = str(folder)
        for left in media.glob(f".{NAMES}.*.part"):  # by a run that was killed: we hold the lock
            left.unlink(missing_ok=True)
        write_whole({media / NAMES: (json.dumps(known, indent=1) + "\n").encode()})


def _name(folder: Path, known: dict[str, str]) -> str:
    plain = readable(re.sub(r"[\W_]+", " ", folder.name).strip())
    holder = known.get(plain, str(folder))
    if holder == str(folder) or not Path(holder).is_dir():
        return plain
    return f"{plain}-{hashlib.sha256(str(folder).encode()).hexdigest()[:LETTERS]}"


def _known(media: Path) -> dict[str, str]:
    try:
        found = json.loads((media / NAMES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    is_record = isinstance(found, dict) and all(isinstance(each, str) for each in found.values())
    return found if is_record else {}
