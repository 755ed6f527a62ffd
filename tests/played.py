"""What tests of films share: the trace, the film as read, and the numbers that it shows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from checking.check import check_film
from checking.report import Report
from model import checkpoint
from model.trace import Trace, record
from rendering.pictures import Picture
from rendering.playing import read, staged
from scenes.film import Request
from scenes.presence import parts_of

if TYPE_CHECKING:
    from scenes.film import Film

FilmT = TypeVar("FilmT", bound="Film")
Points = NDArray[np.float64]

# Pictures of 160 pixels' width come out of x264 in more than one way, which decode to the same.
SMALL = Picture(width=256, height=144, fps=5)


def trace_of(request: Request) -> Trace:
    """Record the trace that a request shows."""
    loaded = checkpoint.load(request.checkpoint)
    return record(loaded.model, loaded.tokenizer, request.prompt or "")


def film_of(kind: type[FilmT], request: Request) -> FilmT:
    """Return a film as read, not played."""
    film = read(kind, request)
    assert isinstance(film, kind)
    return film


def shown(report: Report) -> dict[str, float]:
    """Return the numbers of a report by their sources."""
    return {number.source: number.value for number in report.numbers}


def turned_entries(report: Report, weights: str) -> tuple[list[int], list[float]]:
    """Return which entries a report works out with these weights and a turn, and their values."""
    found = {
        int(source.split()[2]): value
        for source, value in shown(report).items()
        if source.startswith("= entry") and weights in source and "turns" in source
    }
    return list(found), list(found.values())


@cache
def checked(kind: type[Film], request: Request, aspect: str = "16:9") -> Report:
    """Return what `check` finds in a film; tests that ask for the same share one play."""
    return check_film(kind, request, aspect)


def numbers(kind: type[Film], request: Request, beat: str = "") -> dict[str, float]:
    """Return the numbers that a clean film shows by their sources, those of one beat if named."""
    report = checked(kind, request)
    assert report.findings == (), report.findings
    return {each.source: each.value for each in report.numbers if beat in each.beat}


def kept_and_new(before: type[Film], film: type[Film]) -> tuple[int, int]:
    """Count the shapes that a film opens with: those that the one before it ends with, and others.

    The course's own sentence is shown; a shape is the same to a quarter of a pixel.
    """
    last, first = stages(before)[-1], stages(film)[0]
    new = [shape for shape in first if not any(_is_same(shape, other) for other in last)]
    return len(first) - len(new), len(new)


def stages(film: type[Film]) -> list[list[Points]]:
    """Return the outlines of all that is on the stage, whenever it is at rest."""
    found: list[list[Points]] = []

    def keep(chapter: Film) -> None:
        parts = [part.points.copy() for top in chapter.mobjects for part in parts_of(top)]
        found.append([points for points in parts if len(points)])

    with staged(film, Request(beats=frozenset()), replace(SMALL, format="png"), Path()) as chapter:
        chapter.at_rest = keep
        chapter.render()
    return found


def _is_same(shape: Points, other: Points) -> bool:
    return shape.shape == other.shape and np.allclose(shape, other, atol=2e-3)
