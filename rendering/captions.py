"""Captions as files, .vtt and .srt. Knows when a line is said, and no film."""

import html
from collections.abc import Sequence
from typing import TypeAlias

Caption: TypeAlias = tuple[float, float, str]  # when it begins and ends, in seconds, and its text
ARROW = "-->"  # between two times
LIKE_IT = "\N{RIGHTWARDS ARROW}"  # in its place in a line, which would be taken for times


def vtt(captions: Sequence[Caption]) -> bytes:
    """Return captions as WebVTT, in which `&`, `<` and `>` of a line are escaped."""
    blocks = [
        f"{_time(start, '.')} {ARROW} {_time(end, '.')}\n{html.escape(text, quote=False)}\n"
        for start, end, text in captions
    ]
    return "\n".join(["WEBVTT\n", *blocks]).encode()


def srt(captions: Sequence[Caption]) -> bytes:
    """Return captions as SubRip, in which a line stands as it is unless it looks like a time."""
    blocks = [
        f"{number}\n{_time(start, ',')} {ARROW} {_time(end, ',')}\n{text.replace(ARROW, LIKE_IT)}\n"
        for number, (start, end, text) in enumerate(captions, 1)
    ]
    return "\n".join(blocks).encode()


def _time(seconds: float, point: str) -> str:
    """Return seconds as hh:mm:ss.ttt, with this decimal point."""
    minutes, thousandths = divmod(round(seconds * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{thousandths // 1000:02}{point}{thousandths % 1000:03}"
