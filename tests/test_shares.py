"""Films are divided so that everybody is busy, and no further."""

from itertools import count
from pathlib import Path
from typing import TypeAlias

import pytest

from rendering.film_index import FilmEntry
from rendering.job import DEFAULT, Job, Subject
from rendering.shares import FINEST, READING, divide

Shares: TypeAlias = list[tuple[Job, tuple[str, ...]]]
_numbers = count()


def job(beats: int, words: int = 20) -> Job:
    """A film of so many beats."""
    names = tuple(f"beat-{number}" for number in range(beats))
    slug = f"film-{next(_numbers)}"
    entry = FilmEntry(slug, "", "", Path(), "", names, (words,) * beats, "", "", "")
    return Job(entry, Subject(), DEFAULT, Path(), "")


def all_of(*jobs: Job) -> dict[Job, list[str]]:
    return {job: list(job.entry.beats) for job in jobs}


def effort(job: Job, beats: tuple[str, ...]) -> float:
    return READING + sum(job.entry.words[job.entry.beats.index(beat)] for beat in beats)


def time(shares: Shares, workers: int) -> float:
    """When the last worker is done, each taking the next share as it becomes free."""
    busy = [0.0] * workers
    for share in shares:
        busy[busy.index(min(busy))] += effort(*share)
    return max(busy)


def test_one_process_plays_each_film_once() -> None:
    one, other = job(9), job(7)
    shares = divide(all_of(one, other), workers=1)
    assert [(film, len(beats)) for film, beats in shares] == [(one, 9), (other, 7)]


@pytest.mark.parametrize("workers", [2, 3, 4, 8])
@pytest.mark.parametrize("films", [1, 2, 3, 10])
def test_every_beat_is_drawn_once_and_in_its_order(films: int, workers: int) -> None:
    work = all_of(*(job(9, 10 + number) for number in range(films)))
    shares = divide(work, workers)
    for film, beats in work.items():
        own = [share for each, share in shares if each == film]
        assert sorted(beat for share in own for beat in share) == sorted(beats)
        assert all(list(share) == sorted(share, key=beats.index) for share in own)


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("films", [1, 2, 3, 5, 10])
def test_nobody_waits_long_for_the_last_one(films: int, workers: int) -> None:
    shares = divide(all_of(*(job(9) for _ in range(films))), workers)
    least = films * 9 * 20 / workers
    assert time(shares, workers) <= 1.25 * least + FINEST * READING
    efforts = [effort(*share) for share in shares]
    assert efforts == sorted(efforts, reverse=True)


def test_a_film_is_divided_no_further_than_it_helps() -> None:
    assert len(divide(all_of(job(8)), workers=2)) == 2
    assert len(divide(all_of(*(job(9) for _ in range(8))), workers=2)) == 8
    assert len(divide(all_of(job(1)), workers=4)) == 1
    assert divide({}, workers=2) == []


def test_only_beats_that_are_wanted_are_drawn() -> None:
    film = job(5)
    ((_, beats),) = divide({film: ["beat-1", "beat-3"]}, workers=1)
    assert beats == ("beat-1", "beat-3")
