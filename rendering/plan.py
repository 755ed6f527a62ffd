"""Who draws which beats: shares of films for several processes. Knows no film and no process.

A process that draws beats of a film first has to read it, and plays all beats before its last one;
so a film is divided no further than it takes to keep everybody busy.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Film = TypeVar("Film", bound=Hashable)

READING = 6.0  # what reading and playing a film costs, in words of narration that are drawn
FINEST = 3  # shares of a film for each process


@dataclass(frozen=True)
class Part(Generic[Film]):
    """Beats of a film that are drawn together, and about how much work they are."""

    film: Film
    beats: tuple[str, ...]
    work: float


def plan(work: Mapping[Film, Mapping[str, float]], workers: int) -> list[Part[Film]]:
    """Return parts of films, the longest first, so that `workers` end as soon as they can.

    `work` is that of each beat to be drawn. Of the ways to divide the films the one with the
    fewest parts is taken that is about as quick as any.
    """
    plans = [_divided(work, count) for count in range(1, FINEST * workers + 1)]
    times = [_time(parts, workers) for parts in plans]
    return next(parts for parts, time in zip(plans, times, strict=True) if time <= min(times))


def _divided(work: Mapping[Film, Mapping[str, float]], count: int) -> list[Part[Film]]:
    """Divide every film that is larger than one of `count` equal parts of all the work."""
    whole = sum(sum(beats.values()) for beats in work.values())
    parts = [
        Part(film, tuple(share), READING + sum(beats[beat] for beat in share))
        for film, beats in work.items()
        for share in _shares(beats, max(1, round(count * sum(beats.values()) / (whole or 1))))
    ]
    return sorted(parts, key=lambda part: part.work, reverse=True)


def _shares(beats: Mapping[str, float], count: int) -> list[list[str]]:
    """Divide beats, kept in their order, into up to `count` runs of about equal work.

    Runs, so that only the last one has to play the film to its end.
    """
    shares: list[list[str]] = [[]]
    done, whole = 0.0, sum(beats.values())
    for beat, each in beats.items():
        middle = done + each / 2
        if shares[-1] and middle > whole * len(shares) / count:
            shares.append([])
        shares[-1].append(beat)
        done += each
    return shares


def _time(parts: Sequence[Part[Film]], workers: int) -> float:
    """Return when the last worker is done, if each takes the longest part that is left."""
    busy = [0.0] * workers
    for part in parts:
        busy[busy.index(min(busy))] += part.work
    return max(busy)
