# ruff: noqa: PLC0415 - engines are optional, and slow to import
"""Engines that turn text into speech, behind one small interface. They know no film."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rendering.voice.speech import Speech, joined, resampled

if TYPE_CHECKING:
    from hibari import Hibari

NAME = "heart"
MARK = "¦"  # where a phrase begins, among phonemes
LONGEST = 400  # phonemes that the engine says in one go
LENGTHS = b"/Cast_32_output_0"  # of the model's graph: for each phoneme, how many frames it lasts
FRAME = 600  # samples


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
        return Speech(resampled(sound, dsp.SR), tuple(float(ends[mark]) for mark in marks))


def _with_output(model: bytes, name: bytes) -> bytes:
    """Return an ONNX model that also tells one of the values inside its graph.

    A message of protobuf that follows another one is merged into it: field 7 of a model is its
    graph, field 12 of a graph its outputs, and field 1 of an output its name.
    """
    for field in (1, 12, 7):
        name = bytes([field << 3 | 2, len(name)]) + name
    return model + name
