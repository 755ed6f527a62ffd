"""All films as one: in viewing job, with chapters, captions and a manifest."""

import html
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import av
import pytest
import webvtt
from PIL import Image
from played import SMALL
from small_films import BrokenFilm, ShortFilm, SmallFilm, SmallMap

from rendering import clips, course, session
from rendering.failures import FilmFailed
from rendering.film_index import FilmEntry
from rendering.job import Job, Subject
from rendering.ledger import LEDGER, Entry
from rendering.progress import Summary
from rendering.workers import Workers

FILMS = (FilmEntry.of(ShortFilm), FilmEntry.of(SmallFilm))
MAP = FilmEntry.of(SmallMap)


@pytest.fixture(scope="module")
def films(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Job]]:
    """Two films, made as all there are."""
    asked = Subject(checkpoint=tiny_checkpoint)
    media = tmp_path_factory.mktemp("media")
    jobs = [Job(card, asked, SMALL, media, asked.digest()) for card in FILMS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "film_index", lambda: FILMS)
        patch.setattr(course, "course_map", lambda: MAP)
        assert made(jobs).course == place(jobs) / "film.mp4"
        yield jobs


def made(jobs: list[Job]) -> Summary:
    heard: list[Summary] = []
    session.render(jobs, Workers(), heard.append)
    return heard[0]


def place(jobs: list[Job]) -> Path:
    return jobs[0].media / "films" / "course" / jobs[0].variant


def files(jobs: list[Job]) -> list[Path]:
    """What the course is joined of: the map's clips, and the films where they lead to."""
    between = replace(jobs[0], entry=MAP)
    opening, *ways, close = (between.place / between.beat_files(name)["file"] for name in MAP.beats)
    led_to = [path for way, job in zip(ways, jobs, strict=True) for path in (way, job.results[0])]
    return [opening, *led_to, close]


def starts(jobs: list[Job]) -> list[float]:
    """When each of them starts, and when the last one ends."""
    return [0.0, *accumulate(float(clips.duration(path)) for path in files(jobs))]


def test_the_course_is_all_films_in_order_and_between_them_the_map(films: list[Job]) -> None:
    _, _, short, _, small, _, end = starts(films)
    assert float(clips.duration(place(films) / "film.mp4")) == pytest.approx(end)
    assert frames_of(place(films) / "film.mp4") == sum(map(frames_of, files(films)))
    said = json.loads((place(films) / "manifest.json").read_text())
    assert [film["film"] for film in said["films"]] == ["short-film", "small-films"]
    assert [film["start"] for film in said["films"]] == pytest.approx([short, small])
    lengths = [float(clips.duration(job.results[0])) for job in films]
    assert [film["duration"] for film in said["films"]] == pytest.approx(lengths)
    assert said["duration"] == pytest.approx(end)
    assert {path.name for path in place(films).iterdir()} == {
        *("film.mp4", "film.srt", "film.vtt", "chapters.vtt", "poster.png"),
        *("manifest.json", "ledger.json"),
    }
    with Image.open(place(films) / "poster.png") as poster:
        assert poster.size == (SMALL.width, SMALL.height)


def frames_of(film: Path) -> int:
    with av.open(film) as video:
        return len(list(video.decode(video=0)))


def test_each_film_is_a_chapter_of_the_course_and_each_beat_one_of_its_film(
    films: list[Job],
) -> None:
    _, _, _, second, _, _, _ = starts(films)
    with av.open(place(films) / "film.mp4") as video:
        chapters = video.chapters()
    assert [each["metadata"]["title"] for each in chapters] == ["Short", "Small"]
    assert [each["start"] * each["time_base"] for each in chapters] == pytest.approx(
        [0, second], abs=2e-3
    )
    cues = webvtt.WebVTT.read(str(place(films) / "chapters.vtt")).captions
    assert [cue.text for cue in cues] == ["Short", "Small"]
    with av.open(films[1].results[0]) as video:
        beats = video.chapters()
    assert [each["metadata"]["title"] for each in beats] == ["It comes", "It waits", "It goes"]
    assert beats[-1]["end"] * beats[-1]["time_base"] == pytest.approx(
        float(clips.duration(films[1].results[0])), abs=2e-3
    )


def test_the_captions_of_the_course_are_those_of_its_films_in_their_time(
    films: list[Job],
) -> None:
    def captions(path: Path) -> list[tuple[float, str]]:
        return [
            (cue.start_in_seconds, html.unescape(cue.raw_text))
            for cue in webvtt.WebVTT.read(str(path)).captions
        ]

    short, small = (captions(job.place / "film.vtt") for job in films)
    _, _, first, _, second, close, _ = starts(films)
    expected = [
        *((0.0, text) for text in ["Two films."]),
        *((time + first, text) for time, text in short),
        *((time + second, text) for time, text in small),
        *((close, text) for text in ["That was all."]),
    ]
    whole = captions(place(films) / "film.vtt")
    assert [text for _, text in whole] == [text for _, text in expected]
    times = [time for time, _ in expected]
    assert [time for time, _ in whole] == pytest.approx(times, abs=1.1)


def test_a_course_of_fresh_films_is_kept_and_of_others_made_again(films: list[Job]) -> None:
    before = (place(films) / "film.mp4").stat().st_mtime_ns
    assert made(films).course
    assert (place(films) / "film.mp4").stat().st_mtime_ns == before
    (place(films) / "film.vtt").unlink()
    assert made(films).course
    assert (place(films) / "film.vtt").exists()


def is_fresh(jobs: list[Job]) -> bool:
    """Whether the course stays as it is when it is made."""
    whole = course.Course.of(jobs)
    assert whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course.Course, "_join", Mock(side_effect=InterruptedError))
        try:
            whole.make(lambda _: None)
        except InterruptedError:
            return False
    return True


@contextmanager
def made_anew(job: Job) -> Iterator[None]:
    """A film is there as another run has just made it."""
    path = job.place / LEDGER
    entry, before = Entry.read(path), path.read_text()
    assert entry
    replace(entry, files=dict.fromkeys(entry.files, "0" * 64)).write(path)
    yield
    path.write_text(before)


def test_a_course_is_stale_when_a_film_is_another(films: list[Job]) -> None:
    assert is_fresh(films)
    with made_anew(films[1]):
        assert not is_fresh(films)
    assert is_fresh(films)


def test_a_film_made_while_the_course_is_joined_leaves_it_stale(
    films: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = course.Course.of(films)
    assert whole
    (place(films) / "film.vtt").unlink()
    with ExitStack() as ending, monkeypatch.context() as patch:
        join = clips.join

        def join_while_another_run_works(*arguments: Any) -> list[float]:
            ending.enter_context(made_anew(films[0]))
            return join(*arguments)

        patch.setattr(clips, "join", join_while_another_run_works)
        whole.make(lambda _: None)
        assert not is_fresh(films)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda films: films[:1],
        lambda films: films[::-1],
        lambda films: [replace(film, beats=("it-goes",)) for film in films],
        lambda films: [replace(film, picture=replace(SMALL, format="gif")) for film in films],
        lambda films: [replace(film, picture=replace(SMALL, format="png")) for film in films],
    ],
    ids=["one film", "another job", "beats alone", "gif", "png"],
)
def test_only_all_films_as_a_whole_make_a_course(films: list[Job], wanted: object) -> None:
    assert callable(wanted)
    assert course.Course.of(wanted(films)) is None


def test_there_is_no_course_while_a_film_fails(
    films: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = replace(films[0], entry=FilmEntry.of(BrokenFilm))
    monkeypatch.setattr(course, "film_index", lambda: (FILMS[0], broken.entry))
    heard: list[Summary] = []
    with pytest.raises(FilmFailed, match="broken-film failed in beat it-breaks"):
        session.render([films[0], broken], Workers(), heard.append)
    assert heard[0].course is None
    assert heard[0].results == films[0].results
    assert heard[0].told()["films"][1]["problem"]
