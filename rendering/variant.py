"""The folder of a film made for another prompt, model or picture: a readable name, each its own."""

import hashlib
import re
import unicodedata
from pathlib import Path

from rendering.pictures import Picture
from scenes.chapter import SHIPPED, Chapter, Request

DEFAULT = Picture()
LONGEST_TEXT = 40  # characters of a prompt or of a folder's name


def variant(film: type[Chapter], request: Request, picture: Picture, digest: str) -> str:
    """Return the variant's folder name, empty for the default; `digest` is the checkpoint's.

    The parts stand in a fixed order and are joined by `_`: `prompt-a-robot-must-obey_light_9x16`.
    """
    parts = [
        *_asked(film, request, digest),
        *([picture.aspect.replace(":", "x")] if picture.aspect != DEFAULT.aspect else []),
        *([picture.rate] if picture.rate != DEFAULT.rate else []),
        *([picture.format] if picture.format != DEFAULT.format else []),
        *(["transparent"] if picture.transparent else []),
    ]
    return "_".join(parts)


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
    return f"{name[:LONGEST_TEXT].rstrip('-')}--{_hash(text)}" if name else f"-{_hash(text)}"


def _asked(film: type[Chapter], request: Request, digest: str) -> list[str]:
    """Return the parts for what the film is asked to show."""
    parts = []
    if request.prompt not in {None, film.prompt}:
        parts.append(f"prompt-{readable(request.prompt or '')}")
    if request.checkpoint.resolve() != SHIPPED.resolve():
        folder = readable(_spaced(request.checkpoint.resolve())).partition("--")[0]
        parts.append("-".join(filter(None, ("checkpoint", folder, digest[:8]))))
    if request.layer is not None:
        parts.append(f"layer-{request.layer}")
    if request.head is not None:
        parts.append(f"head-{request.head}")
    if request.theme != Request.theme:
        parts.append(request.theme.name)
    return parts


def _spaced(folder: Path) -> str:
    """Return a folder's own name; its digest, not its spelling, tells it from others."""
    return re.sub(r"[\W_]+", " ", folder.name).strip()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
