# ruff: noqa: PLC0415 - a run with nothing to do needs neither numpy nor an engine
"""Who speaks in a film: found by name, and asked line by line. It knows no picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from model.errors import Unusable
from rendering.imports import code_of_speech

if TYPE_CHECKING:
    from rendering.voice.engines import Engine
    from rendering.voice.speech import Speech

DEFAULT = "heart"  # the voice in the wheel of hibari-tts
NONE = "none"  # that of a silent film
NAMES = (DEFAULT, NONE)
FOLDER = ".voice"  # of a media directory, where speech is kept
HIBARI = "hibari-tts"
SEED = 0  # of what is breath and hiss in a voice
PACE = 0.8  # of the engine's own: about the 2.5 words a second that films are paced for


@dataclass(frozen=True)
class Voice:
    """A narrator: an engine's voice, and the version that says a line the same way again."""

    name: str
    version: str
    media: Path  # where speech is kept

    @classmethod
    def of(cls, name: str, media: Path) -> Voice | None:
        """Return the voice of this name; None for a silent film.

        Raises `Unusable` if there is no such voice, or not all that it takes.
        """
        if name == NONE:
            return None
        if name != DEFAULT:
            close = get_close_matches(name, NAMES, n=1, cutoff=0)[0]
            raise Unusable(f"There is no voice '{name}': did you mean {close}?")
        if find_spec("hibari") is None:
            raise Unusable(
                f"The voice {name} needs {HIBARI}: install it with `pip install {HIBARI}`, or say "
                "--voice none."
            )
        return cls(name, f"{HIBARI} {_version(HIBARI)}, pace {PACE}, seed {SEED}", media)

    def made_of(self) -> Mapping[str, str]:
        """Return what decides, with the words, how a line is said."""
        return {"voice": self.name, "spoken by": self.version}

    def say(self, cues: Sequence[str]) -> Speech:
        """Return a line as it is said, at the one loudness, with the times of its cues."""
        from rendering.voice.store import KeptSpeech

        made_of = {**self.made_of(), "code": code_of_speech(), "cues": list(cues)}
        return KeptSpeech(self.media / FOLDER).speech(made_of, lambda: self._say(cues))

    def _say(self, cues: Sequence[str]) -> Speech:
        from rendering.voice.loudness import levelled
        from rendering.voice.speech import Speech, silent

        if not any(cues):
            return silent(len(cues))
        said = _engine(self.name).say(cues)
        return Speech(levelled(said.samples), said.starts)


@cache  # one a process: to load it takes half a second
def _engine(name: str) -> Engine:  # noqa: ARG001
    from rendering.voice.engines import Heart

    return Heart(PACE, SEED)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
