"""Films are divided so that everybody is busy, and no further."""

import pytest

from rendering.plan import FINEST, READING, Part, plan


def even(beats: int, work: float = 20.0) -> dict[str, float]:
    return {f"beat-{number}": work for number in range(beats)}


def time(parts: list[Part[str]], workers: int) -> float:
    """When the last worker is done, each taking the next part as it becomes free."""
    busy = [0.0] * workers
    for part in parts:
        busy[busy.index(min(busy))] += part.work
    return max(busy)


def test_one_process_plays_each_film_once() -> None:
    parts = plan({"a": even(9), "b": even(7)}, workers=1)
    assert [(part.film, len(part.beats)) for part in parts] == [("a", 9), ("b", 7)]


@pytest.mark.parametrize("workers", [2, 3, 4, 8])
@pytest.mark.parametrize("films", [1, 2, 3, 10])
def test_every_beat_is_drawn_once_and_in_its_order(films: int, workers: int) -> None:
    work = {f"film-{number}": even(9, 10.0 + number) for number in range(films)}
    parts = plan(work, workers)
    for film, beats in work.items():
        own = [part.beats for part in parts if part.film == film]
        assert sorted(beat for part in own for beat in part) == sorted(beats)
        assert all(list(part) == sorted(part, key=list(beats).index) for part in own)


@pytest.mark.parametrize("workers", [2, 4])
@pytest.mark.parametrize("films", [1, 2, 3, 5, 10])
def test_nobody_waits_long_for_the_last_one(films: int, workers: int) -> None:
    work = {f"film-{number}": even(9) for number in range(films)}
    parts = plan(work, workers)
    least = films * 9 * 20 / workers
    assert time(parts, workers) <= 1.25 * least + FINEST * READING
    assert [part.work for part in parts] == sorted((part.work for part in parts), reverse=True)


def test_a_film_is_divided_no_further_than_it_helps() -> None:
    assert len(plan({"a": even(8)}, workers=2)) == 2
    assert len(plan({name: even(9) for name in "abcdefgh"}, workers=2)) == 8
    assert len(plan({"a": even(1)}, workers=4)) == 1
    assert plan({}, workers=2) == []
