"""Recordings of a film's beats in a folder, and any other file that can be heard. It knows no film.

PyAV decodes them, so that no ffmpeg program is needed; what is decoded is pydub's from there on.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from av.audio.resampler import AudioResampler

from model.errors import Unusable
from rendering.voice.speech import RATE, Samples, scaled

with warnings.catch_warnings():  # it looks for programs that nobody needs
    warnings.simplefilter("ignore")
    from pydub import AudioSegment
    from pydub.silence import detect_leading_silence

WIDTH = 2  # bytes of a sample
LONGEST = 300.0  # seconds of a beat; a longer file is no recording of one
SOFTEST = -60.0  # dB of full scale; what never gets louder is silence
BELOW = 40.0  # dB below the loudest part: what is as soft, in the beginning or end, is cut


def recording(file: Path) -> Samples:
    """Return what somebody says in a file, without the silence around it.

    Raises `Unusable` for a file that cannot be read, is silent, or is longer than a beat can be.
    """
    whole = sound(file, LONGEST + 1)
    if whole.duration_seconds > LONGEST:
        raise Unusable(
            f"The recording {file} is longer than {LONGEST / 60:.0f} minutes: record each beat in "
            "a file of its own."
        )
    if whole.max_dBFS < SOFTEST:
        raise Unusable(f"The recording {file} is silent: record it again.")
    softest = whole.max_dBFS - BELOW
    begin = detect_leading_silence(whole, softest)
    end = len(whole) - detect_leading_silence(whole.reverse(), softest)
    return samples_of(whole[begin:end])


def sound(file: Path, seconds: float) -> AudioSegment:
    """Return what is heard in the first seconds of a file, in one channel at `RATE`."""
    try:
        data = b"".join(_decoded(file, seconds))
    except (av.FFmpegError, OSError, ValueError, IndexError) as error:
        what = getattr(error, "strerror", None) or "it is no sound"
        raise Unusable(
            f"{file} cannot be heard ({what}): give a wav, mp3, m4a, ogg or flac."
        ) from error
    if not data:
        raise Unusable(f"{file} is empty: give a wav, mp3, m4a, ogg or flac with sound in it.")
    return AudioSegment(data, sample_width=WIDTH, frame_rate=RATE, channels=1)


def samples_of(segment: AudioSegment) -> Samples:
    """Return the samples of a sound of one channel."""
    return scaled(np.frombuffer(segment.raw_data, np.int16))


def _decoded(file: Path, seconds: float) -> Iterator[bytes]:
    left = round(seconds * RATE)
    resampler = AudioResampler("s16", "mono", RATE)
    with av.open(file) as container:
        for frame in container.decode(container.streams.audio[0]):
            for even in resampler.resample(frame):
                yield even.to_ndarray().tobytes()
                left -= even.samples
            if left <= 0:
                return
        for even in resampler.resample(None):
            yield even.to_ndarray().tobytes()
