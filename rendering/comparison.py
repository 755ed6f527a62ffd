"""Two models in one clip, side by side: the same film of the same prompt, beat by beat.

Each half is a film of its own, square, made and kept as any other; here their clips are put beside
each other, under the checkpoints' names. A half that is done with a beat waits for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from heapq import merge
from itertools import groupby, pairwise, starmap
from operator import itemgetter
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.frame import VideoFrame
from manim._config.video_encoder import VideoEncoderSpec
from PIL import Image

from rendering import clips
from rendering.assembly import join_films, write_manifest
from rendering.encoder import NOTHING, ClipEncoder
from rendering.freshness import joining
from rendering.job import POSTER, Job, variant
from rendering.names import checkpoint_name, title_of
from rendering.pictures import H264, Picture
from rendering.storyboard import names_over_columns

FILES = {"file": "film.mp4", "poster": POSTER}  # by what they are


def half(whole: Picture) -> Picture:
    """Return the picture of one half: a square of half the width of all."""
    side = whole.width // 2 // 2 * 2  # even, as an encoder needs it
    return replace(whole, width=side, height=side, aspect="1:1")


@dataclass(frozen=True)
class Comparison:
    """A film of two checkpoints; both jobs have the picture of a half."""

    jobs: tuple[Job, Job]
    picture: Picture  # of the whole

    @cached_property
    def names(self) -> tuple[str, str]:
        """What the checkpoints are called."""
        one, other = (checkpoint_name(job.subject.folder, job.media) for job in self.jobs)
        return one, other

    @cached_property
    def place(self) -> Path:
        """The comparison's folder, inside the film's."""
        job = self.jobs[0]
        alike = replace(job.subject, checkpoint=None)
        rest = variant(job.entry.prompt, alike, self.picture)
        name = "_".join(filter(None, [f"compare-{'-and-'.join(self.names)}", rest]))
        return job.media / "films" / job.entry.slug / name

    def make(self, say: Callable[[str], None]) -> Path:
        """Put the halves side by side, unless that stands there already; return the film's path."""
        films = dict(zip(("left", "right"), self.jobs, strict=True))
        join_films(self.place, films, joining(Path(__file__)), self._make, say)
        return self.place / FILES["file"]

    def _make(self, folder: Path) -> Mapping[str, str]:
        beats = self.jobs[0].names
        pieces = [folder / f"{number:02}.mp4" for number in range(len(beats))]
        band = self.picture.width, self.picture.height - self.jobs[0].picture.height
        title = names_over_columns(self.names, band, self.jobs[0].request.theme)
        for beat, piece in zip(beats, pieces, strict=True):
            self._put_together(beat, piece, title)
        starts = clips.join(pieces, folder / FILES["file"], [*map(title_of, beats)])
        with av.open(pieces[beats.index(self.jobs[0].entry.poster_beat)]) as clip:
            *_, last = clip.decode(video=0)
        Image.fromarray(last.to_ndarray(format="rgb24")).save(folder / POSTER)
        write_manifest(folder, self._manifest(starts))
        return FILES

    def _put_together(self, beat: str, piece: Path, title: Image.Image) -> None:
        """Write a beat of both films to one clip; above each half stands its name."""
        side, band = self.jobs[0].picture.width, title.height
        spec = VideoEncoderSpec(
            container_format="mp4",
            codec="libx264",
            pixel_format="yuv420p",
            width=self.picture.width,
            height=self.picture.height,
            frame_rate=Fraction(self.picture.fps),
            options=tuple(H264.items()),
        )
        encoder = ClipEncoder(target=piece, spec=spec, is_constant=self.picture.constant)
        ground = Image.new("RGBA", (spec.width, spec.height), title.getpixel((0, 0)))
        ground.paste(title)
        whole = np.asarray(ground).copy()
        encoder.write_frame(encoder.frames.converted(whole, [(0, 0, *ground.size)]), repeat=0)
        drawn = [job.place / job.beat_files(beat)["file"] for job in self.jobs]
        now = 0
        for time, parts in groupby(_changes(drawn, self.picture.fps), key=itemgetter(0)):
            encoder.write_frame(NOTHING, repeat=time - now)
            places = [((n * side, band, (n + 1) * side, band + side), new) for _, n, new in parts]
            encoder.write_frame(places, repeat=0)
            now = time
        ends = max(round(clips.duration(clip) * Fraction(self.picture.fps)) for clip in drawn)
        encoder.write_frame(NOTHING, repeat=ends - now)
        encoder.finish()

    def _manifest(self, starts: Sequence[float]) -> dict[str, Any]:
        job = self.jobs[0]
        return {
            "film": job.entry.slug,
            "title": job.entry.title,
            "prompt": job.prompt,
            "checkpoints": [
                {"name": name, "checkpoint": each.digest, "folder": str(each.subject.folder)}
                for name, each in zip(self.names, self.jobs, strict=True)
            ],
            "duration": starts[-1],
            **FILES,
            "beats": [
                {"name": beat, "start": start, "duration": end - start}
                for beat, (start, end) in zip(job.names, pairwise(starts), strict=True)
            ],
        }


def _changes(files: Sequence[Path], fps: float) -> Iterator[tuple[int, int, VideoFrame]]:
    """Yield every frame of clips that are played at once: when it comes, of which clip, and it."""

    def of(number: int, file: Path) -> Iterator[tuple[int, int, VideoFrame]]:
        with av.open(file) as clip:
            for frame in clip.decode(video=0):
                yield round((frame.time or 0.0) * fps), number, frame

    return merge(*starmap(of, enumerate(files)), key=itemgetter(0, 1))
