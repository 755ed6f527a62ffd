# ruff: noqa: PLC0415 - a run with nothing to do needs neither numpy nor an engine
"""Who speaks in a film: found by name, and asked line by line. It knows no picture."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from model.errors import Unusable
from model.files import sha256
from rendering.imports import SPEAKING, code_by
from rendering.pictures import SOUND_RATE

if TYPE_CHECKING:
    from rendering.voice.engines import Engine
    from rendering.voice.speech import Speech

DEFAULT = "heart"  # the voice in the wheel of hibari-tts
NONE = "none"  # that of a silent film
ESPEAK, PIPER = "espeak-ng", "piper"
NAMES = (DEFAULT, ESPEAK, f"{PIPER}:FILE", NONE)
FOLDER = ".voice"  # of a media directory, where speech is kept
HIBARI = "hibari-tts"
HEARD = 24_000  # samples a second that it makes
SEED = 0  # of what is breath and hiss in a voice
PACE = 0.8  # of the engine's own: about the 2.5 words a second that films are paced for
RECORDED = (".wav", ".mp3", ".m4a", ".ogg", ".flac")


@dataclass(frozen=True)
class Voice:
    """A narrator: an engine's voice, and the version that says a line the same way again.

    Beats that somebody has recorded are heard as they are; the engine says the others.
    """

    name: str
    version: str
    media: Path  # where speech is kept
    recordings: Mapping[str, Path] = field(default_factory=dict)  # by beat

    @classmethod
    def of(cls, name: str, media: Path, slug: str = "", beats: Sequence[str] = ()) -> Voice | None:
        """Return the voice of this name for a film and its beats; None for a silent film.

        Raises `Unusable` if there is no such voice, or not all that it takes.
        """
        if name == NONE:
            return None
        if name == DEFAULT:
            return cls(name, f"{_needed(HIBARI, 'hibari')}, pace {PACE}, seed {SEED}", media)
        if name == ESPEAK:
            from rendering.voice.engines import Espeak

            return cls(name, Espeak.version(), media)
        if name.startswith(f"{PIPER}:"):
            return cls(name, _piper_version(Path(name.partition(":")[2]).expanduser()), media)
        folder = Path(name).expanduser()
        if folder.is_dir():
            own = folder / slug if slug and (folder / slug).is_dir() else folder
            heart = cls.of(DEFAULT, media)
            assert heart is not None
            return cls(DEFAULT, heart.version, media, _recordings(own, beats))
        close = get_close_matches(name, NAMES, n=1, cutoff=0)[0]
        raise Unusable(f"There is no voice and no folder '{name}': did you mean {close}?")

    @property
    def rate(self) -> int:
        """How many samples a second say all that it says; a recording may need all."""
        return HEARD if self.name == DEFAULT and not self.recordings else SOUND_RATE

    def missing(self, beats: Sequence[str]) -> list[str]:
        """Return the beats that the engine says although others are recorded."""
        return [beat for beat in beats if self.recordings and beat not in self.recordings]

    def made_of(self, beat: str) -> Mapping[str, str]:
        """Return what decides, with the words, how a beat's line is said."""
        recorded = self.recordings.get(beat)
        if recorded:
            return {"voice": "recorded", "recording": sha256(recorded), "times of": self.version}
        return {"voice": self.name, "spoken by": self.version}

    def say(self, beat: str, cues: Sequence[str]) -> Speech:
        """Return a line as it is said, at the one loudness, with the times of its cues."""
        from rendering.voice.store import kept_speech

        made_of = {**self.made_of(beat), "code": code_by(SPEAKING), "cues": list(cues)}
        return kept_speech(self.media / FOLDER, made_of, lambda: self._say(beat, cues))

    def _say(self, beat: str, cues: Sequence[str]) -> Speech:
        from rendering.voice.loudness import levelled
        from rendering.voice.speech import Speech, located, silent

        recorded = self.recordings.get(beat)
        if not (recorded or any(cues)):
            return silent(len(cues))
        said = _engine(self.name).say(cues)
        if recorded:
            from rendering.voice.recordings import recording

            said = located(recording(recorded), [start / said.seconds for start in said.starts])
        return Speech(levelled(said.samples), (0.0, *said.starts[1:]))


@cache  # one a process: to load it takes half a second
def _engine(name: str) -> Engine:
    from rendering.voice.engines import Espeak, Heart, Piper

    if name == DEFAULT:
        return Heart(PACE, SEED)
    return Espeak() if name == ESPEAK else Piper(Path(name.partition(":")[2]).expanduser())


def _recordings(folder: Path, beats: Sequence[str]) -> dict[str, Path]:
    """Return the files of a folder by the beats that they are named after.

    Raises `Unusable` if some have the names of beats and another one nearly does.
    """
    stems = {f"{number:02}-{name}": name for number, name in enumerate(beats, 1)}
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in RECORDED)
    found = {stems[path.stem.lower()]: path for path in files if path.stem.lower() in stems}
    for path in files:
        if found and path not in found.values():
            close = get_close_matches(path.stem, stems, n=1, cutoff=0)[0]
            raise Unusable(
                f"The recording {path} is named after no beat: call it {close}{path.suffix}, or "
                "take it out of the folder."
            )
    return found


def _piper_version(file: Path) -> str:
    """Return what a voice file of piper is, and by what it is spoken."""
    engine = _needed("piper-tts", "piper")
    told = file.with_name(f"{file.name}.json")
    try:
        language = json.loads(told.read_text(encoding="utf-8"))["language"]["code"]
        file.open("rb").close()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unusable(
            f"{file} is no voice of piper: give its .onnx file, with its .onnx.json beside it."
        ) from error
    if not str(language).lower().startswith("en"):
        raise Unusable(f"{file} speaks {language}, and films are in English: choose another voice.")
    return f"{engine}, {sha256(file)[:16]}"


def _needed(package: str, module: str) -> str:
    """Return an engine's package with its version."""
    if find_spec(module) is None:
        raise Unusable(
            f"This voice needs {package}: install it with `pip install {package}`, or say "
            f"--voice {NONE}."
        )
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
