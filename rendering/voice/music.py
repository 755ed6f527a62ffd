"""Music under speech: as loud as speech where nobody speaks, and softer where somebody does."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from rendering.voice.loudness import TARGET, decibels, levelled, limited, loudness
from rendering.voice.recordings import samples_of, sound
from rendering.voice.speech import RATE, STEP, Samples, is_loud

DUCKED = -14.0  # dB, under speech
HOLD = 100  # steps before and after a word in which music stays soft
EASE = 40  # steps in which it becomes softer, or louder again
FADE = 4000  # milliseconds in which it fades out at the end
CROSSFADE = 500  # milliseconds in which it begins anew, where it is shorter than a film


def with_music(speech: Iterable[Samples], music: Path) -> Samples:
    """Return speech with music under it, which fades out with the end, at the one loudness."""
    spoken = np.concatenate(list(speech))
    under = _lasting(music, len(spoken)) * _ducking(spoken)
    whole = spoken + under
    return limited(whole * decibels(TARGET - loudness(whole))) if whole.any() else whole


def _lasting(music: Path, count: int) -> Samples:
    """Return so many samples of a piece of music, begun anew as often as it takes."""
    seconds = count / RATE
    piece = once = sound(music, seconds + 1)
    while piece.duration_seconds < seconds:
        piece = piece.append(once, crossfade=min(CROSSFADE, len(once) // 2))
    played = piece[: round(1000 * seconds)].fade_out(min(FADE, round(1000 * seconds)))
    samples = levelled(samples_of(played))[:count]
    return np.pad(samples, (0, count - len(samples)))


def _ducking(spoken: Samples) -> Samples:
    """Return the factor for each sample of music under speech."""
    loud = is_loud(np.pad(spoken, (0, -len(spoken) % STEP))).astype(np.float64)
    down = uniform_filter1d(maximum_filter1d(loud, HOLD), EASE)
    steps = (np.arange(len(down)) + 0.5) * STEP
    gain = np.interp(np.arange(len(spoken)), steps, down).astype(np.float32)
    return np.asarray(decibels(DUCKED) ** gain, np.float32)
