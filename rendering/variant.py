"""The folder of a film made for another prompt, model or picture: a readable name, each its own."""

import hashlib
import re
import unicodedata
from pathlib import Path

from rendering.asked import Asked
from rendering.pictures import Picture

DEFAULT = Picture()
LONGEST_TEXT = 40  # characters of a prompt or of a folder's name


def variant(prompt: str, asked: Asked, picture: Picture, digest: str) -> str:
    """Return the variant's folder name, empty for the default.

    `prompt` is the film's own one, `digest` the checkpoint's. The parts stand in a fixed order and
    are joined by `_`: `prompt-a-robot-must-obey_light_9x16`.
    """
    parts = [
        *_asked(prompt, asked, digest),
        *([picture.aspect.replace(":", "x")] if picture.aspect != DEFAULT.aspect else []),
        *([picture.rate] if picture.rate != DEFAULT.rate else []),
        *([picture.format] if picture.format != DEFAULT.format else []),
        *(["transparent"] if picture.transparent else []),
        *(["constant-frame-rate"] if picture.constant else []),
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


def _asked(prompt: str, asked: Asked, digest: str) -> list[str]:
    """Return the parts for what the film is asked to show."""
    parts = []
    if asked.prompt not in {None, prompt}:
        parts.append(f"prompt-{readable(asked.prompt or '')}")
    if not asked.is_shipped_model:
        folder = readable(_spaced(asked.folder.resolve())).partition("--")[0]
        parts.append("-".join(filter(None, ("checkpoint", folder, digest[:8]))))
    if asked.layer is not None:
        parts.append(f"layer-{asked.layer}")
    if asked.head is not None:
        parts.append(f"head-{asked.head}")
    if asked.theme != Asked.theme:
        parts.append(asked.theme)
    return parts


def _spaced(folder: Path) -> str:
    """Return a folder's own name; its digest, not its spelling, tells it from others."""
    return re.sub(r"[\W_]+", " ", folder.name).strip()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
