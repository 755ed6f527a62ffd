"""What tests of films share: the trace, the film as read, and the numbers that it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from model import checkpoint
from model.trace import Trace, record
from rendering.check import Report, check_film
from rendering.pictures import Picture
from rendering.playing import read

if TYPE_CHECKING:
    from scenes.chapter import Chapter, Request

Film = TypeVar("Film", bound="Chapter")

# Pictures of 160 pixels' width come out of x264 in more than one way, which decode to the same.
SMALL = Picture(width=256, height=144, fps=5)


def trace_of(request: Request) -> Trace:
    """Record the trace that a request shows."""
    loaded = checkpoint.load(request.checkpoint)
    return record(loaded.model, loaded.tokenizer, request.prompt or "")


def film_of(kind: type[Film], request: Request) -> Film:
    """Return a film as read, not played."""
    film = read(kind, request)
    assert isinstance(film, kind)
    return film


def shown(report: Report) -> dict[str, float]:
    """Return the numbers of a report by their sources."""
    return {number.source: number.value for number in report.numbers}


def numbers(kind: type[Chapter], request: Request, beat: str = "") -> dict[str, float]:
    """Return the numbers that a clean film shows by their sources, those of one beat if named."""
    report = check_film(kind, request)
    assert report.findings == ()
    return {each.source: each.value for each in report.numbers if beat in each.beat}
