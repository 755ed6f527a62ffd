"""Decks of small films, and clips with sound, for the tests of slides."""

import shutil
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from played import SMALL
from small_films import ShortFilm, SmallFilm

from rendering.film_index import FilmEntry
from rendering.job import Job, Subject
from rendering.progress import Display
from rendering.session import Run, hire

RATE = 48_000  # samples of sound a second


def small_jobs(checkpoint: Path, media: Path) -> list[Job]:
    """The small and the short film, made."""
    asked = Subject(checkpoint=checkpoint)
    films = map(FilmEntry.of, (SmallFilm, ShortFilm))
    jobs = [Job(film, asked, SMALL, media, asked.digest()) for film in films]
    with hire(1) as workers, Display() as display:
        outcomes = Run(workers, display).make(jobs)
    assert all(each.problem is None for each in outcomes)
    return jobs


def give_sound(clip: Path) -> None:
    """Put a tone under a clip."""
    silent = clip.with_name("silent.mp4")
    shutil.move(clip, silent)
    with av.open(silent) as source, av.open(clip, "w") as output:
        picture = output.add_stream_from_template(source.streams.video[0])
        sound = output.add_stream("aac", rate=RATE, layout="mono")
        seconds = source.duration / av.time_base
        wave = 0.1 * np.sin(np.arange(int(seconds * RATE)) * 2 * np.pi * 440 / RATE)
        frame = av.AudioFrame.from_ndarray(wave.astype(np.float32)[None], "fltp", "mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, 0, Fraction(1, RATE)
        output.mux(sound.encode(frame))
        output.mux(sound.encode(None))
        for packet in source.demux(video=0):
            if packet.pts is not None:
                packet.stream = picture
                output.mux(packet)
    silent.unlink()
