"""One loudness for all that is heard, after ITU-R BS.1770, and no peak above a ceiling."""

import numpy as np
import pyloudnorm
from scipy.ndimage import minimum_filter1d, uniform_filter1d

from rendering.voice.speech import RATE, Samples

TARGET = -16.0  # LUFS, of every line and of all of them together
CEILING = -3.0  # dB of full scale; encoded, and between samples, it comes out somewhat higher
REACH = RATE // 200  # samples around a peak in which it is turned down
NEAR = 0.02  # LU, by which nobody hears a difference
ROUNDS = 3  # what is turned down for its peaks is turned up again as a whole
SHORTEST = RATE // 2  # samples that can be measured


def loudness(samples: Samples) -> float:
    """Return the integrated loudness in LUFS; minus infinity for silence."""
    whole = np.pad(samples, (0, max(0, SHORTEST - len(samples))))
    return float(pyloudnorm.Meter(RATE).integrated_loudness(whole))


def levelled(samples: Samples) -> Samples:
    """Return samples at the one loudness; silence stays as it is."""
    for _ in range(ROUNDS):
        now = loudness(samples)
        if not np.isfinite(now) or abs(now - TARGET) < NEAR:
            break
        samples = limited(samples * decibels(TARGET - now))
    return samples


def decibels(change: float) -> float:
    """Return the factor of amplitude for a change in dB."""
    return float(10 ** (change / 20))


def limited(samples: Samples) -> Samples:
    """Turn down what is above the ceiling, evenly around each peak."""
    over = np.maximum(np.abs(samples) / decibels(CEILING), 1.0)
    gain = minimum_filter1d(1.0 / over, 2 * REACH + 1)
    return np.asarray(samples * uniform_filter1d(gain, REACH), np.float32)
