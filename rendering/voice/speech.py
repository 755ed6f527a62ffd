"""Speech as samples that know when each phrase of theirs begins. It knows no engine and no film."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rendering.pictures import SOUND_RATE

Samples: TypeAlias = NDArray[np.float32]  # mono, from -1 to 1

RATE = SOUND_RATE  # samples a second of everything that is kept, mixed and written
STEP = RATE // 100  # samples of the parts whose loudness is compared
QUIET = 0.02  # of the loudest part's amplitude: what is softer is no speech
ATTACK = 0.06  # seconds before the first part that is loud enough, for a soft consonant
RELEASE = 0.12  # seconds after the last one
PAUSE = 0.28  # seconds between two sentences, with the quiet that each has at its ends
SHORTEST_PAUSE = 5  # steps of quiet that are a pause between phrases
LOOK_BACK = 0.12  # seconds before a phrase, in which its first sound may be heard already
NEAR = 0.35  # seconds from where a phrase should begin, to the pause before it


@dataclass(frozen=True)
class Speech:
    """A line as it is said at `RATE`, and when each of its phrases begins, in seconds."""

    samples: Samples
    starts: tuple[float, ...]

    @property
    def seconds(self) -> float:
        """How long it takes to say."""
        return len(self.samples) / RATE

    def paused(self, starts: Sequence[float], count: int) -> Samples:
        """Return so many samples, in which phrases that must wait begin at later `starts`."""
        late = (max(0.0, start - own) for start, own in zip(starts, self.starts, strict=True))
        waits = [round(seconds * RATE) for seconds in late]
        begins = [_quietest_before(self.samples, own) for own in self.starts[1:]]
        cuts = [0, *begins, len(self.samples)]
        whole = np.zeros(count, np.float32)
        for (begin, end), wait in zip(pairwise(cuts), waits, strict=True):
            part = self.samples[begin : min(end, count - wait)]
            whole[begin + wait : begin + wait + len(part)] = part
        return whole


def silent(phrases: int) -> Speech:
    """Return the speech of a line without words."""
    return Speech(np.zeros(0, np.float32), (0.0,) * phrases)


def scaled(samples: NDArray[np.int16]) -> Samples:
    """Return whole numbers of 16 bits as samples from -1 to 1."""
    return np.asarray(samples / np.float32(32768), np.float32)


def resampled(samples: Samples, rate: int) -> Samples:
    """Return samples of any rate at `RATE`."""
    if rate == RATE:
        return samples
    from scipy.signal import resample_poly  # noqa: PLC0415 - slow to import

    common = int(np.gcd(rate, RATE))
    return np.asarray(resample_poly(samples, RATE // common, rate // common), np.float32)


def joined(sentences: Sequence[Speech]) -> Speech:
    """Return sentences one after the other, without the silence that each stands in."""
    parts, starts, at = list[Samples](), list[float](), 0
    for sentence in sentences:
        begin, end = voiced(sentence.samples)
        own = (start - begin / RATE for start in sentence.starts)
        starts += [at / RATE + float(min(max(0.0, start), (end - begin) / RATE)) for start in own]
        parts += [sentence.samples[begin:end], np.zeros(round(PAUSE * RATE), np.float32)]
        at += end - begin + len(parts[-1])
    if starts:
        starts[0] = 0.0
    return Speech(np.concatenate(parts[:-1] or [np.zeros(0, np.float32)]), tuple(starts))


def voiced(samples: Samples) -> tuple[int, int]:
    """Return between which samples somebody speaks."""
    loud = np.flatnonzero(is_loud(samples))
    if not len(loud):
        return 0, len(samples)
    begin = loud[0] * STEP - round(ATTACK * RATE)
    return max(0, begin), min(len(samples), (loud[-1] + 1) * STEP + round(RELEASE * RATE))


def located(samples: Samples, shares: Sequence[float]) -> Speech:
    """Return speech with the times of its phrases, as they are heard in it.

    A phrase begins after the pause that is nearest to its share of the whole, from 0 to 1, or there
    if no pause is near.
    """
    begin, end = voiced(samples)
    expected = [begin + (end - begin) * share for share in shares[1:]]
    found = [float(begin), *(_after_pause(samples, place) for place in expected)]
    return Speech(samples, tuple(place / RATE for place in found))


def shares_of(phrases: Sequence[str]) -> list[float]:
    """Return where each phrase begins in a line, as a share of its letters."""
    letters = [0, *accumulate(len(phrase) for phrase in phrases)]
    return [count / max(letters[-1], 1) for count in letters[:-1]]


def _quietest_before(samples: Samples, seconds: float) -> int:
    """Return the quietest place just before a phrase, where it can be parted from the last one."""
    begin = max(0, round((seconds - LOOK_BACK) * RATE))
    near = np.abs(samples[begin : round(seconds * RATE) + 1])
    level = np.convolve(near, np.ones(STEP), "same")
    return begin + (int(np.argmin(level)) if len(near) > STEP else 0)


def _after_pause(samples: Samples, place: float) -> float:
    ends = [end * STEP for start, end in _pauses(samples) if end - start >= SHORTEST_PAUSE]
    near = min(ends, key=lambda end: abs(end - place), default=place)
    return near if abs(near - place) <= NEAR * RATE else place


def _pauses(samples: Samples) -> Iterator[tuple[int, int]]:
    """Yield from which step to which nobody speaks."""
    edges = np.flatnonzero(np.diff(is_loud(samples).astype(int), prepend=1, append=1))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def is_loud(samples: Samples) -> NDArray[np.bool_]:
    """Return for each step whether it is speech."""
    steps = samples[: len(samples) // STEP * STEP].reshape(-1, STEP).astype(np.float64)
    level = np.sqrt(np.mean(steps**2, axis=1))
    return np.asarray(level > QUIET * level.max(initial=0.0))
