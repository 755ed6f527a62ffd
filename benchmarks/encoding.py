"""What choices of x264 cost and keep: `python -m benchmarks.encoding CLIP...`, a table a clip.

Make the clips as good as without loss first, for instance with `"qp": "4"` in
`rendering.pictures.H264`. Times are processor time, the better one of two runs.
"""

import io
import sys
import time
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import av
import numpy as np
from av.video.frame import VideoFrame
from rich.console import Console
from rich.table import Table

from rendering.encoder import PLANES
from rendering.pictures import H264

FRAMES, RATE = 300, 30
ONE_THREAD = {"bf": "0", "threads": "1"}
CHOICES = {
    "manim's, crf 23": ONE_THREAD | {"crf": "23"},
    "superfast, crf 24": ONE_THREAD
    | {"preset": "superfast", "crf": "24", "x264-params": "weightp=0:scenecut=0"},
    "ours": H264,
}
COLUMNS = "ms a frame", "kB a frame", "PSNR, mean", "PSNR, worst frame"
Made: TypeAlias = tuple[float, bytes]  # seconds, and the clip


def main() -> None:
    """Encode the first frames of clips in every way, and print what came of it."""
    for path in map(Path, sys.argv[1:]):
        frames = _frames(path)
        table = Table("x264", *COLUMNS, title=f"{path}, {len(frames)} frames")
        for name, options in CHOICES.items():
            seconds, clip = min(_encoded(frames, options) for _ in range(2))
            told = _likeness(frames, clip)
            numbers = 1000 * seconds / len(frames), len(clip) / 1000 / len(frames), *told
            table.add_row(name, *(f"{each:.1f}" for each in numbers))
        Console().print(table)


def _frames(source: Path | io.BytesIO) -> list[VideoFrame]:
    with av.open(source, "r") as clip:
        return list(islice(clip.decode(video=0), FRAMES))


def _encoded(frames: list[VideoFrame], options: dict[str, str]) -> Made:
    """Return how many seconds of the processor frames take, and the clip."""
    memory, began = io.BytesIO(), time.process_time()
    with av.open(memory, "w", format="mp4") as clip:
        stream = clip.add_stream("libx264", RATE, options)
        stream.width, stream.height, stream.pix_fmt = frames[0].width, frames[0].height, PLANES
        for number, frame in enumerate(frames):
            frame.pts, frame.time_base = number, Fraction(1, RATE)
            clip.mux(stream.encode(frame))
        clip.mux(stream.encode())
    return time.process_time() - began, memory.getvalue()


def _likeness(frames: list[VideoFrame], clip: bytes) -> tuple[float, float]:
    """Return the PSNR of a clip's frames, in dB: the mean and the least."""
    pairs = zip(frames, _frames(io.BytesIO(clip)), strict=True)
    off = [np.mean(np.square(a.to_ndarray() - b.to_ndarray().astype(float))) for a, b in pairs]
    found = 10 * np.log10(255**2 / np.maximum(off, 0.01))
    return float(found.mean()), float(found.min())


if __name__ == "__main__":
    main()
