"""What each clip and each film was made from: an entry in JSON beside the files. It knows no film.

The entry of a clip stands beside it, `beats/01-queries-meet-keys.json`, that of the film is
`ledger.json`. What an entry speaks of is fresh if everything that it was made from still holds, and
if its files are byte for byte what was recorded; `freshness` finds out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from model.files import sha256
from rendering.job import Job
from rendering.voice.voices import NONE

LEDGER = "ledger.json"


@dataclass(frozen=True)
class Ingredients:
    """What goes into a clip or film, apart from the numbers that it reads.

    `key` stands for a film, a model, a prompt, and a choice of layer and head: the same key gives
    the same numbers. Another one may, too: then the numbers are compared.
    """

    key: str
    code: Mapping[str, str]  # digests, by file
    settings: Mapping[str, Any]  # the picture, and versions of packages

    def changes(self, now: Ingredients) -> list[str]:
        """Return what of it is different now, the numbers left aside, each thing by its name."""
        code = [f"{file} changed" for file in _differing(self.code, now.code)]
        return code + [
            f"{name} {self.settings.get(name, 'not set')} -> {now.settings.get(name, 'not set')}"
            for name in _differing(self.settings, now.settings)
        ]


NOTHING = Ingredients("", {}, {})
SILENT = {"voice": NONE}  # the settings of what is said where nobody speaks


@dataclass(frozen=True)
class Entry:
    """What a clip, or the film, was made from, and the files that were made.

    `reads` are the digests of what was read of the model, by name; for the film, those of its
    clips. `files` are SHA-256, by name. `played` is how a beat was played, for the manifest:
    narration, duration and so on. `said` is what the clip's sound and captions were made from,
    apart from their words: pictures need not be drawn again for them.
    """

    ingredients: Ingredients
    reads: Mapping[str, str]
    files: Mapping[str, str]
    played: Mapping[str, Any] = field(default_factory=dict)
    said: Ingredients = NOTHING

    @classmethod
    def of_files(
        cls,
        folder: Path,
        names: Iterable[str],
        ingredients: Ingredients,
        reads: Mapping[str, str],
        played: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return the entry of files that stand in a folder."""
        files = {name: sha256(folder / name) for name in names}
        return cls(ingredients, reads, files, played or {})

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Read an entry; `None` if there is none that can be read."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            ingredients = Ingredients(**content["ingredients"])
            said = Ingredients(**content["said"])
            reads, files, played = (dict(content[name]) for name in ("reads", "files", "played"))
        except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
            return None
        return cls(ingredients, reads, files, played, said)

    def write(self, path: Path) -> None:
        """Write the entry, beside the files that it speaks of and that move with it."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @property
    def digest(self) -> str:
        """Stands for the files, among what a film or a course is made of."""
        return "".join(each[:16] for each in self.files.values())


def clip_entries(job: Job) -> dict[str, Entry]:
    """Return the entries of the clips that are there, by beat, in the film's order."""
    found = {name: Entry.read(job.place / job.entry_of(name)) for name in job.entry.beats}
    return {name: entry for name, entry in found.items() if entry}


def played(clips: Mapping[str, Entry], names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return how those beats were played that are there, by name, in this order.

    If they all are, each starts where the one before it ends.
    """
    names = list(names)
    found = {name: dict(clips[name].played) for name in names if name in clips}
    start = Fraction(0)
    for beat in found.values() if len(found) == len(names) else ():
        beat["start"] = float(start)
        start += exact(beat["duration"])
    return found


def exact(seconds: float) -> Fraction:
    """Return the fraction, of a time base of up to a millionth, that was rounded to this float."""
    return Fraction(seconds).limit_denominator(1_000_000)


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]
