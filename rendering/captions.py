"""Captions as files, .vtt and .srt. Knows when a line is said, and no film."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

ARROW = "-->"  # between two times
LIKE_IT = "\N{RIGHTWARDS ARROW}"  # in its place in a line, which would be taken for times


@dataclass(frozen=True)
class Caption:
    """As in `scenes.narration`, which would import every film: text, and seconds of its time."""

    start: float
    end: float
    text: str


def vtt(captions: Sequence[Caption]) -> bytes:
    """Return captions as WebVTT, in which `&`, `<` and `>` of a line are escaped."""
    blocks = [f"{_times(each, '.')}\n{html.escape(each.text, quote=False)}\n" for each in captions]
    return "\n".join(["WEBVTT\n", *blocks]).encode()


def srt(captions: Sequence[Caption]) -> bytes:
    """Return captions as SubRip, in which a line stands as it is unless it looks like a time."""
    blocks = [
        f"{number}\n{_times(each, ',')}\n{each.text.replace(ARROW, LIKE_IT)}\n"
        for number, each in enumerate(captions, 1)
    ]
    return "\n".join(blocks).encode()


def _times(caption: Caption, point: str) -> str:
    return f"{_time(caption.start, point)} {ARROW} {_time(caption.end, point)}"


def _time(seconds: float, point: str) -> str:
    """Return seconds as hh:mm:ss.ttt, with this decimal point."""
    minutes, thousandths = divmod(round(seconds * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{thousandths // 1000:02}{point}{thousandths % 1000:03}"
