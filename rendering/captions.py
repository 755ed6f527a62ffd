"""Captions as files, .vtt and .srt. Knows when a line is said, and no film."""

import html
import io
from collections.abc import Iterable
from dataclasses import dataclass, replace

import webvtt


@dataclass(frozen=True)
class Caption:
    """As in `scenes.narration`, which would import every film: text, and seconds of its time."""

    start: float
    end: float
    text: str


def vtt(captions: Iterable[Caption]) -> bytes:
    """Return captions as WebVTT, in which `&` and `<` of a line are escaped."""
    return _written([replace(each, text=html.escape(each.text, quote=False)) for each in captions])


def srt(captions: Iterable[Caption]) -> bytes:
    """Return captions as SubRip, in which a line stands as it is unless it looks like a time."""
    blocks = [
        f"{number}\n{_srt_time(each.start)} --> {_srt_time(each.end)}\n{_srt_text(each.text)}\n"
        for number, each in enumerate(captions, 1)
    ]
    return "\n".join(blocks).encode()


def later(captions: Iterable[Caption], seconds: float) -> list[Caption]:
    """Return captions moved by some seconds: those of a beat at its place in the film."""
    return [replace(each, start=each.start + seconds, end=each.end + seconds) for each in captions]


def _written(captions: Iterable[Caption]) -> bytes:
    cues = [webvtt.Caption(_time(each.start), _time(each.end), each.text) for each in captions]
    text = io.StringIO()
    webvtt.WebVTT(captions=cues).write(text)
    return (text.getvalue().rstrip("\n") + "\n").encode()


def _time(seconds: float) -> str:
    """Return seconds as hh:mm:ss.ttt."""
    thousandths = round(seconds * 1000)
    minutes, thousandths = divmod(thousandths, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{thousandths // 1000:02}.{thousandths % 1000:03}"


def _srt_text(text: str) -> str:
    return text.replace("-->", "\N{RIGHTWARDS ARROW}")


def _srt_time(seconds: float) -> str:
    return _time(seconds).replace(".", ",")
