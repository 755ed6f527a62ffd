# ruff: noqa: PLC0415 - a worker first sees to its signals, and the parent never needs manim
"""Some beats of a film, drawn in one go by whoever has time: a process here, or one far away.

Each clip is drawn into a folder, and once it is whole a report beside it says what it was made
from. So whoever looks into the folder knows what is finished, whatever becomes of the rest.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from model.errors import Unusable
from rendering import clips, subtitles
from rendering.failures import FilmFailed, making_failed, writing
from rendering.order import Order

if TYPE_CHECKING:
    from scenes.diary import Diary
    from scenes.film import Said

REPORTS, NUMBERS = "reports", "numbers"


@dataclass(frozen=True)
class Share:
    """Beats of an order, and the folder that they are drawn into."""

    order: Order
    beats: tuple[str, ...]  # in the film's order
    folder: Path

    def clip(self, beat: str) -> Path:
        """Return where a beat's clip is drawn; a GIF is made of it afterwards."""
        return self.file(beat, "file").with_suffix(self.order.picture.clip_suffix)

    def file(self, beat: str, what: str) -> Path:
        """Return where one of a beat's files is made: its `file`, `vtt` or `poster`."""
        return self.folder / self.order.beat_files(beat)[what]

    def report(self, beat: str) -> Report | None:
        """Return what is told of a beat, once its clip is whole."""
        try:
            return Report(**json.loads((self.folder / REPORTS / f"{beat}.json").read_text()))
        except FileNotFoundError:
            return None


@dataclass(frozen=True)
class Report:
    """A beat that was drawn: how it was played, and digests of what had been read by its end."""

    beat: str
    narration: str
    start: float  # seconds from the film's start
    duration: float  # seconds
    captions: list[tuple[float, float, str]]  # start, end, text
    tokens: list[str]
    layer: int
    head: int
    reads: dict[str, str]


def draw(share: Share, tell: Callable[[Report], None] = lambda _: None) -> None:
    """Draw a share's beats in this process; `tell` hears of each that is whole.

    Raises `FilmFailed` or `Unusable`; their sentences say where, which no other process could.
    """
    try:
        with writing(share.order.place):
            _draw(share, tell)
    except (FilmFailed, Unusable):
        raise
    except Exception as error:
        raise making_failed(share.order.card.slug, error) from error


def _draw(share: Share, tell: Callable[[Report], None]) -> None:
    from rendering import playing
    from scenes.diary import Diary

    order, diary = share.order, Diary()
    request = replace(order.request, until=share.beats[-1], diary=diary)

    def keep(_: str) -> None:
        report = _finished(share, diary)
        _put_down(share, report, diary)
        tell(report)

    for folder in ("beats", REPORTS, NUMBERS):
        (share.folder / folder).mkdir(parents=True, exist_ok=True)
    paths = {beat: share.clip(beat) for beat in share.beats}
    playing.draw(order.film, request, order.picture, paths, keep)


def _finished(share: Share, diary: Diary) -> Report:
    """Complete the files of the beat that was said last, and return what is told of it."""
    from rendering.numbers import digest_of
    from scenes.narration import captions

    said, reads = diary.said[-1], diary.reads
    seconds = float(_seconds(share, said))
    lines = captions(said.narration, seconds)
    if not share.order.is_still:
        cues = [subtitles.Caption(line.start, line.end, line.text) for line in lines]
        share.file(said.name, "vtt").write_bytes(subtitles.vtt(cues))
    return Report(
        beat=said.name,
        narration=said.narration,
        start=said.start,
        duration=seconds,
        captions=[(line.start, line.end, line.text) for line in lines],
        tokens=list(reads["pieces"]),  # type: ignore[call-overload]
        layer=reads["head.layer"],  # type: ignore[arg-type]
        head=reads["head.head"],  # type: ignore[arg-type]
        reads={name: digest_of(data) for name, data in reads.items()},
    )


def _seconds(share: Share, said: Said) -> Fraction:
    """Return how long a beat lasts: its clip, or as played where it has none."""
    if share.order.is_still:
        return Fraction(said.duration)
    clip, file = share.clip(said.name), share.file(said.name, "file")
    if clip != file:
        clips.make_gif([clip], file)
    return clips.duration(file)


def _put_down(share: Share, report: Report, diary: Diary) -> None:
    """Write the numbers that were read, then the report; each stands there whole or not at all."""
    from rendering.numbers import packed

    for name, data in diary.reads.items():
        path = share.folder / NUMBERS / f"{report.reads[name]}.npy"
        content = None if path.exists() else packed(data)
        if content is not None:
            _write(path, content)
    path = share.folder / REPORTS / f"{report.beat}.json"
    _write(path, json.dumps(asdict(report)).encode())


def _write(path: Path, content: bytes) -> None:
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    aside.write_bytes(content)
    aside.replace(path)
