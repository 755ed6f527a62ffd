"""The floor: what it takes to encode a film's distinct frames alone, when they are converted.

Run as `python -m benchmarks.floor FILM QUALITY WORKERS`; prints the seconds.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from av.video.frame import PictureType

from rendering import playing
from rendering.encoder import ClipEncoder
from rendering.pictures import picture
from scenes import FILMS
from scenes.film import Film, Request


class Stopwatch(ClipEncoder):
    """Keeps all frames of a clip in memory, and takes the time of encoding them at its end."""

    seconds: float = 0.0  # of all clips together

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - as its base class
        super().__init__(**settings)
        self._kept: list[tuple[Any, int]] = []

    def write_frame(self, pixels: Any, *, repeat: int = 1) -> None:  # noqa: ANN401 - converted
        """Keep a frame."""
        self._kept.append((pixels, repeat))

    def finish(self) -> None:
        """Encode what was kept."""
        for converted, repeat in self._kept:
            super().write_frame(converted, repeat=repeat)
        self._encode_held()
        with _timed():  # what the encoder has not yet given out
            super().finish()
        self._kept.clear()

    def _encode(self, frames: int, kind: PictureType) -> None:
        """Encode a frame whose parts stand in their places."""
        with _timed():
            super()._encode(frames, kind)


@contextmanager
def _timed() -> Iterator[None]:
    """Add the time of what is done within."""
    start = time.perf_counter()
    yield
    Stopwatch.seconds += time.perf_counter() - start


def encoding_time(film: type[Film], beats: Sequence[str], quality: str) -> float:
    """Return the seconds that encoding some beats takes, in this process alone."""
    vars(playing)["ClipEncoder"] = Stopwatch  # measured in place of the real one
    Stopwatch.seconds = 0.0
    with TemporaryDirectory() as folder:
        clips = {beat: Path(folder) / f"{beat}.mp4" for beat in beats}
        playing.draw(film, Request(), picture(quality), clips)
    return Stopwatch.seconds


def floor(film: type[Film], quality: str, workers: int) -> float:
    """Return the seconds if the encoding of all beats were shared out to perfection."""
    names = [beat.name for beat in film.beats()]
    parts = [names[first::workers] for first in range(workers)]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        futures = [pool.submit(encoding_time, film, part, quality) for part in parts]
        return sum(future.result() for future in futures) / workers


if __name__ == "__main__":
    slug, quality, workers = sys.argv[1:]
    wanted = next(film for film in FILMS if film.slug() == slug)
    sys.stdout.write(f"{floor(wanted, quality, int(workers)):.3f}\n")
