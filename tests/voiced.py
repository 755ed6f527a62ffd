"""A voice of known times, and what is heard in files."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from played import SMALL
from small_films import SmallFilm

from rendering.film_index import FilmEntry
from rendering.job import Job, Subject
from rendering.progress import Display, Outcome
from rendering.session import Run
from rendering.voice import voices
from rendering.voice.speech import RATE, Speech
from rendering.workers import Workers

WORD, QUIET = 0.3, 0.3  # seconds that a word takes, and of quiet after a phrase
PACKET = 1024 / voices.HEARD  # seconds of sound that AAC encodes together
FULL_LOUD = 0.05  # more than what an encoder leaves where nobody speaks


@dataclass
class Tones:
    """Says each word as a tone, and nothing after each phrase; it counts its lines."""

    word: float = WORD
    pitch: float = 300.0
    lines: int = 0

    def say(self, phrases: Sequence[str]) -> Speech:
        self.lines += 1
        parts, starts, at = [], [], 0
        for phrase in phrases:
            length = round(self.word * len(phrase.split()) * RATE)
            times = np.arange(length) / RATE
            tone = 0.2 * np.sin(2 * np.pi * self.pitch * times) * (1 + np.sin(20 * times))
            starts.append(at / RATE)
            parts += [tone, np.zeros(round(QUIET * RATE))]
            at += sum(map(len, parts[-2:]))
        return Speech(np.concatenate(parts).astype(np.float32), tuple(starts))


@contextmanager
def speaking(engine: Tones) -> Iterator[Tones]:
    """Let the default voice be this one, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(voices, "_engine", lambda _: engine)
        yield engine


def spoken(folder: Path, media: Path, voice: str = voices.DEFAULT) -> Job:
    """The small film, with a voice."""
    asked = Subject(checkpoint=folder)
    job = Job(FilmEntry.of(SmallFilm), asked, SMALL, media, asked.digest())
    return replace(job, voice_name=voice)


def make(job: Job) -> Outcome:
    """Make a film in this process."""
    with Workers() as worker, Display() as display:
        (outcome,) = Run(worker, display).make([job])
    if outcome.problem:
        raise outcome.problem
    return outcome


def heard(file: Path) -> NDArray[np.float32]:
    """What is heard in a file at `RATE`, from its first picture on; nothing if it has no sound."""
    with av.open(file) as container:
        if not container.streams.audio:
            return np.zeros(0, np.float32)
        frames = list(container.decode(audio=0))
    first = (frames[0].pts or 0) * float(frames[0].time_base or 0)
    kept = np.concatenate([frame.to_ndarray()[0] for frame in frames])
    places = np.arange(0, len(kept), frames[0].sample_rate / RATE)
    sound = np.interp(places, np.arange(len(kept)), kept)
    return np.concatenate([np.zeros(round(first * RATE)), sound]).astype(np.float32)


def onsets(sound: NDArray[np.float32], quiet: float = QUIET / 2) -> list[float]:
    """When it becomes loud after some seconds of quiet, or in the beginning."""
    loud = np.flatnonzero(np.abs(sound) > FULL_LOUD)
    starts = np.concatenate([loud[:1], loud[1:][np.diff(loud) > quiet * RATE]])
    return [float(each) / RATE for each in starts]
