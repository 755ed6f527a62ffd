"""What each clip was made from, kept beside the clips as `ledger.json`. It knows no film.

A clip is fresh if everything that it was made from still holds, and if its files are byte for byte
what was recorded; the film is, if its clips are. `survey` finds out, and what does not hold.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any, Self

from model.files import write_whole
from rendering.recipe import Recipe

NAME = "ledger.json"


@dataclass(frozen=True)
class Stamp:
    """How a file can be told from others."""

    bytes: int
    sha256: str

    @classmethod
    def of(cls, file: Path) -> Self | None:
        """Return a file's stamp, `None` if there is no such file."""
        try:
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256").hexdigest()
            return cls(file.stat().st_size, digest)
        except OSError:
            return None


@dataclass(frozen=True)
class Entry:
    """What one clip, or the film, was made from, and the files that were made.

    `reads` are the digests of what was read of the model, by name; for the film, those of its
    clips. `said` is how a beat was played, for the manifest: narration, start, duration and so on.
    """

    recipe: Recipe
    reads: Mapping[str, str]
    files: Mapping[str, Stamp]
    said: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        """Return an entry as it was written."""
        files = {name: Stamp(**stamp) for name, stamp in content["files"].items()}
        recipe = Recipe(**content["recipe"])
        return cls(recipe, dict(content["reads"]), files, dict(content["said"]))


@dataclass
class Ledger:
    """The entries of a film's clips, by beat, and of the film as a whole."""

    place: Path
    clips: dict[str, Entry] = field(default_factory=dict)
    film: Entry | None = None

    @classmethod
    def beside(cls, place: Path) -> Self:
        """Read the ledger in a film's folder; empty if there is none that can be read."""
        try:
            content = json.loads((place / NAME).read_text(encoding="utf-8"))
            clips = {name: Entry.read(each) for name, each in content["clips"].items()}
            film = Entry.read(content["film"]) if content["film"] else None
        except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return cls(place)
        return cls(place, clips, film)

    @property
    def files(self) -> set[str]:
        """Every file that the ledger speaks of."""
        entries = [*self.clips.values(), *([self.film] if self.film else [])]
        return {name for entry in entries for name in entry.files}

    def played(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return how those beats were played that are there, by name, in this order.

        If they all are, each starts where the one before it ends.
        """
        said = {name: dict(self.clips[name].said) for name in names if name in self.clips}
        if len(said) == len(names):
            lengths = (exact(entry["duration"]) for entry in said.values())
            for entry, start in zip(
                said.values(), accumulate(lengths, initial=Fraction(0)), strict=False
            ):
                entry["start"] = float(start)
        return said

    def write(self) -> None:
        """Write the ledger into its folder, whole or not at all."""
        content = {
            "clips": {name: asdict(entry) for name, entry in self.clips.items()},
            "film": asdict(self.film) if self.film else None,
        }
        write_whole({self.place / NAME: (json.dumps(content, indent=1) + "\n").encode()})


def exact(seconds: float) -> Fraction:
    """Return the fraction, of a time base of up to a millionth, that was rounded to this float."""
    return Fraction(seconds).limit_denominator(1_000_000)
