"""How a film's files were made, kept beside them, and whether they would be made so again.

A file is fresh if its film's model, its request, all code of the project and the versions of what
draws it are as the manifest says, and if it is byte for byte what was recorded.
"""

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from rendering.failures import PROJECT
from rendering.pictures import Picture
from scenes.chapter import Chapter, Request

NAME = "manifest.json"
DRAWN_WITH = ("manim", "av", "typst", "svgelements", "numpy", "torch", "tokenizers", "pillow")
CODE = ("model", "scenes", "rendering")


@dataclass(frozen=True)
class Manifest:
    """What `manifest.json` holds; empty where there is none, or none that can be read."""

    content: Mapping[str, Any] = field(default_factory=dict)
    beats: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # those made, by name

    @classmethod
    def beside(cls, place: Path) -> Self:
        """Read the manifest in a film's folder."""
        try:
            content = json.loads((place / NAME).read_text(encoding="utf-8"))
            beats = {beat["name"]: dict(beat) for beat in content["beats"]}
            return cls(dict(content), beats)
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            return cls()


def entry(files: Mapping[str, str], recipe: str, folder: Path) -> dict[str, Any]:
    """Return what a manifest records of files so that `holds` can tell them from others."""
    stamps = {name: stamp(folder / name) for name in files.values()}
    return {**files, "made_from": recipe, "files": stamps}


def holds(recorded: Mapping[str, Any], files: Mapping[str, str], recipe: str, place: Path) -> bool:
    """Return whether files stand there as recorded, made from this recipe."""
    stamps = recorded.get("files")
    if recorded.get("made_from") != recipe or not isinstance(stamps, dict):
        return False
    return all(name in stamps and stamps[name] == stamp(place / name) for name in files.values())


def files_of(manifest: Manifest) -> set[str]:
    """Return every file that a manifest speaks of."""
    entries: Iterable[Mapping[str, Any]] = (manifest.content, *manifest.beats.values())
    return {name for each in entries for name in dict(each.get("files") or {})}


def stamp(file: Path) -> dict[str, Any] | None:
    """Return the size in bytes and the SHA-256 of a file, `None` if there is none."""
    try:
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        return {"bytes": file.stat().st_size, "sha256": digest}
    except OSError:
        return None


def recipe(film: type[Chapter], request: Request, picture: Picture, checkpoint: str) -> str:
    """Return the digest of all that a film is made from; `checkpoint` is its model's digest."""
    ingredients = {
        "checkpoint": checkpoint,
        "prompt": film.prompt if request.prompt is None else request.prompt,
        "choice": [request.layer, request.head, request.theme.name],
        "picture": asdict(picture) | {"quality": None},
        "code": code(),
        "versions": versions(),
    }
    return hashlib.sha256(json.dumps(ingredients, sort_keys=True).encode()).hexdigest()


@cache
def versions() -> dict[str, str]:
    """Return the versions of what computes and draws a film."""
    return {"python": platform.python_version()} | {name: version(name) for name in DRAWN_WITH}


@cache
def code() -> str:
    """Return the digest of the project's code and word lists."""
    digest = hashlib.sha256()
    for folder in CODE:
        for path in sorted((PROJECT / folder).rglob("*")):
            if path.suffix in {".py", ".txt"}:
                digest.update(f"{path.relative_to(PROJECT)}\n".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()
