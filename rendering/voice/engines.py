# ruff: noqa: PLC0415 - engines are optional, and slow to import
"""Engines that turn text into speech, behind one small interface. They know no film."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from model.errors import Unusable
from rendering.voice.speech import Speech, joined, located, resampled, scaled, shares_of

if TYPE_CHECKING:
    from hibari import Hibari

NAME = "heart"
MARK = "¦"  # where a phrase begins, among phonemes
LONGEST = 400  # phonemes that the engine says in one go
LENGTHS = b"/Cast_32_output_0"  # of the model's graph: for each phoneme, how many frames it lasts
FRAME = 600  # samples
EARLY = 0.06  # seconds by which a word is heard before its frames begin, as an aligner finds it
RETRIEVAL, UTF8 = 1, 1  # how espeak-ng hands over sound, and what text it gets
DO_NOT_EXIT = 0x8000  # where it lacks its data
TAKE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


class Engine(Protocol):
    """Says a line's phrases in one go."""

    def say(self, phrases: Sequence[str]) -> Speech:
        """Return a line as it is said, and when each of its phrases begins."""
        ...


class Heart:
    """The embedded voice. Its model says how long each phoneme lasts, so times are exact."""

    def __init__(self, pace: float, seed: int) -> None:
        self._pace, self._seed = pace, seed

    def say(self, phrases: Sequence[str]) -> Speech:
        """Return a line as it is said, and when each of its phrases begins."""
        sentences = (
            self._say(part)
            for sentence in self._marked(phrases)
            for part in wrap(self._engine.g2p(sentence), LONGEST)
        )
        said = joined([sentence for sentence in sentences if sentence])
        silent = (said.seconds,) * (len(phrases) - len(said.starts))  # such as a last one of signs
        return Speech(said.samples, (*said.starts, *silent))

    @cached_property
    def _engine(self) -> Hibari:
        from hibari import Hibari
        from hibari.voices import voice_path

        return Hibari(model=_with_output(Path(voice_path(NAME)).read_bytes(), LENGTHS))

    def _marked(self, phrases: Sequence[str]) -> Iterator[str]:
        """Yield the sentences of a line, with a mark before each phrase."""
        line, place = " ".join(phrases), 0
        begins = deque(accumulate((len(phrase) + 1 for phrase in phrases[:-1]), initial=0))
        for sentence in self._engine.split_sentences(line):
            first = line.index(sentence, place)
            place = first + len(sentence)
            marked = ""
            for at, letter in enumerate(sentence, first):
                while begins and begins[0] <= at:
                    begins.popleft()
                    marked += f"[{MARK}](/{MARK}/)"
                marked += letter
            yield marked

    def _say(self, phonemes: str) -> Speech | None:
        from hibari import dsp

        ids, marks = [0], list[int]()
        for phoneme in phonemes:
            if phoneme == MARK:
                marks.append(len(ids))
            elif phoneme in self._engine.vocab:
                ids.append(self._engine.vocab[phoneme])
        if len(ids) == 1:
            return None
        given = {"ids": np.array([[*ids, 0]]), "speed": np.array([self._pace], np.float32)}
        *spectra, lengths = self._engine.sess.run(None, given)
        sound = dsp.synth(*(each[0] for each in spectra), np.random.default_rng(self._seed))
        ends = np.concatenate([[0], np.cumsum(lengths)]) * FRAME / dsp.SR
        return Speech(resampled(sound, dsp.SR), tuple(float(ends[mark]) - EARLY for mark in marks))


class Piper:
    """A voice file of piper's, which is the user's own."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def say(self, phrases: Sequence[str]) -> Speech:
        """Return a line as it is said; its phrases begin where they are heard."""
        chunks = [
            (chunk.audio_float_array, chunk.sample_rate)
            for chunk in self._engine.synthesize(" ".join(phrases))
        ]
        parts = [Speech(resampled(sound, rate), ()) for sound, rate in chunks]
        return located(joined(parts).samples, shares_of(phrases))

    @cached_property
    def _engine(self) -> Any:  # noqa: ANN401 - it has no types
        from piper import PiperVoice

        return PiperVoice.load(self._file)


class Espeak:
    """The library of espeak-ng, if it is installed on this machine."""

    def say(self, phrases: Sequence[str]) -> Speech:
        """Return a line as it is said; its phrases begin where they are heard."""
        library, parts = _espeak(), list[NDArray[np.int16]]()

        def take(samples: Any, count: int, _: Any) -> int:  # noqa: ANN401 - of C
            if samples and count > 0:
                parts.append(np.ctypeslib.as_array(samples, (count,)).copy())
            return 0

        taking = TAKE(take)
        library.espeak_SetSynthCallback(taking)
        text = " ".join(phrases).encode()
        library.espeak_Synth(text, len(text) + 1, 0, 0, 0, UTF8, None, None)
        library.espeak_Synchronize()
        whole = np.concatenate([*parts, np.zeros(1, np.int16)])
        said = joined([Speech(resampled(scaled(whole), library.rate), ())])
        return located(said.samples, shares_of(phrases))

    @staticmethod
    def version() -> str:
        """Return the library's version; `Unusable` if it is not there."""
        return f"espeak-ng {_espeak().espeak_Info(None).decode()}"


@cache
def _espeak() -> Any:  # noqa: ANN401 - of C
    """Load the library, and have it speak English."""
    name = ctypes.util.find_library("espeak-ng")
    if name is None:
        raise Unusable(
            "The voice espeak-ng needs its library: install it with `apt-get install "
            "libespeak-ng1` or `brew install espeak-ng`, or say --voice none."
        )
    library: Any = ctypes.CDLL(name)
    library.espeak_Info.restype = ctypes.c_char_p
    library.espeak_Synth.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
        ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    library.rate = library.espeak_Initialize(RETRIEVAL, 0, None, DO_NOT_EXIT)
    if library.rate <= 0 or library.espeak_SetVoiceByName(b"en-us") != 0:
        raise Unusable("espeak-ng cannot speak English here: install espeak-ng-data.")
    return library


def _with_output(model: bytes, name: bytes) -> bytes:
    """Return an ONNX model that also tells one of the values inside its graph.

    A message of protobuf that follows another one is merged into it: field 7 of a model is its
    graph, field 12 of a graph its outputs, and field 1 of an output its name.
    """
    for field in (1, 12, 7):
        name = bytes([field << 3 | 2, len(name)]) + name
    return model + name
