"""What stands in a film's folder, what is made again and what is kept, and what a crash leaves."""

import errno
import html
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import psutil
import pytest
import webvtt
from PIL import Image
from played import SMALL
from small_films import BrokenFilm, DeadlyFilm, SmallFilm

from rendering import clips, storyboard
from rendering.failures import FilmFailed, Unwritable
from rendering.film_index import FilmEntry
from rendering.folder_lock import LOCK, SCRATCH
from rendering.job import Job, Subject
from rendering.ledger import clip_entries
from rendering.pictures import FORMATS
from rendering.progress import Display
from rendering.session import Run, hire
from scenes.narration import CAPTION_COLUMNS, CAPTION_LINES

TESTS = Path(__file__).parent
BEATS = ["01-it-comes", "02-it-waits", "03-it-goes"]
OF_A_CLIP = (".mp4", ".vtt", ".first.png", ".png", ".json")


@pytest.fixture
def job(tiny_checkpoint: Path, tmp_path: Path) -> Job:
    return small_order(tiny_checkpoint, tmp_path)


def small_order(folder: Path, media: Path) -> Job:
    """The small film of a checkpoint."""
    asked = Subject(checkpoint=folder)
    return Job(FilmEntry.of(SmallFilm), asked, SMALL, media, asked.digest())


def made(job: Job, size: int = 1) -> bool:
    """Make a job with some workers; return whether there was anything to do."""
    with hire(size) as hands, Display() as display:
        (outcome,) = Run(hands, display).make([job])
    if outcome.problem:
        raise outcome.problem
    return not outcome.was_fresh


def files(folder: Path) -> dict[str, bytes]:
    """Every file under a folder, hidden ones included."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): content(path) for path in found}


def content(path: Path) -> bytes:
    """What a file holds, but for when a clip's beat started: only the whole film says that well."""
    if path.parent.name != "beats" or path.suffix != ".json":
        return path.read_bytes()
    entry = json.loads(path.read_bytes())
    del entry["played"]["start"]
    return json.dumps(entry).encode()


def manifest(job: Job) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((job.place / "manifest.json").read_text())
    return said


def spans(path: Path) -> list[tuple[float, float, str]]:
    """The captions of a file: start and end in seconds, and text."""
    srt = path.suffix == ".srt"
    cues = (webvtt.WebVTT.from_srt if srt else webvtt.WebVTT.read)(str(path)).captions
    text = (lambda cue: cue.raw_text) if srt else (lambda cue: html.unescape(cue.raw_text))
    return [(seconds(cue.start), seconds(cue.end), text(cue)) for cue in cues]


def seconds(time: str) -> float:
    hours, minutes, rest = time.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


def test_a_film_has_all_its_files_and_nothing_else(job: Job) -> None:
    assert made(job)
    beats = {f"beats/{beat}{end}" for beat in BEATS for end in OF_A_CLIP}
    film = {"film.mp4", "film.srt", "film.vtt", "poster.png", "manifest.json", "ledger.json"}
    assert set(files(job.place)) == film | beats
    with Image.open(job.place / "poster.png") as poster:
        assert poster.size == (SMALL.width, SMALL.height)
    of_its_beat = (job.place / "beats/02-it-waits.png").read_bytes()
    assert (job.place / "poster.png").read_bytes() == of_its_beat


def test_the_film_is_its_clips_one_after_the_other_with_captions_in_time(job: Job) -> None:
    made(job)
    lengths = [clips.duration(job.place / f"beats/{beat}.mp4") for beat in BEATS]
    assert clips.duration(job.place / "film.mp4") == sum(lengths)
    said = manifest(job)
    assert said["duration"] == float(sum(lengths))
    assert [beat["duration"] for beat in said["beats"]] == [float(each) for each in lengths]
    assert [beat["start"] for beat in said["beats"]] == [
        float(sum(lengths[:number], Fraction(0))) for number in range(3)
    ]
    whole = spans(job.place / "film.vtt")
    assert whole == spans(job.place / "film.srt")
    assert whole[-1][1] == pytest.approx(float(sum(lengths)), abs=1e-3)
    for beat, entry in zip(BEATS, said["beats"], strict=True):
        own = spans(job.place / f"beats/{beat}.vtt")
        assert own[0][0] == 0
        assert own[-1][1] == pytest.approx(entry["duration"], abs=1e-3)
        assert " ".join(text.replace("\n", " ") for *_, text in own) == entry["narration"]
        for start, end, text in own:
            assert any(
                text == there and start + entry["start"] == pytest.approx(begin, abs=2e-3)
                for begin, _, there in whole
            )
            assert start < end
            assert len(text.splitlines()) <= CAPTION_LINES
            assert all(len(line) <= CAPTION_COLUMNS for line in text.splitlines())


def test_at_a_constant_rate_the_frames_of_the_joined_film_are_evenly_spaced(job: Job) -> None:
    job = replace(job, picture=replace(SMALL, constant=True))
    made(job)
    with av.open(job.place / "film.mp4") as film:
        times = [frame.time for frame in film.decode(video=0)]
    assert len(times) == float(clips.duration(job.place / "film.mp4")) * SMALL.fps
    assert times == [pytest.approx(number / SMALL.fps) for number in range(len(times))]


def test_the_manifest_says_how_the_film_was_made(job: Job) -> None:
    made(job)
    said = manifest(job)
    assert said["film"] == "small-films"
    assert (said["title"], said["prompt"]) == ("Small", "a dog")
    assert "".join(said["tokens"]) == "a dog"
    assert said["checkpoint"] == job.digest
    assert (said["width"], said["height"], said["fps"], said["theme"]) == (
        SMALL.width,
        SMALL.height,
        SMALL.fps,
        "dark",
    )
    assert {"layer", "head", "quality", "versions"} <= set(said)
    for beat in said["beats"]:
        assert all(
            (job.place / beat[what]).is_file() for what in ("file", "vtt", "first", "poster")
        )


@pytest.mark.parametrize("file_format", ["mp4", "gif"])  # joined by copying, and drawn anew
def test_two_processes_make_the_same_film_as_one(
    job: Job, tmp_path: Path, file_format: str
) -> None:
    job = replace(job, picture=replace(job.picture, format=file_format))
    alone = replace(job, media=tmp_path / "alone")
    assert made(job, size=2)
    assert made(alone)
    assert files(job.place) == files(alone.place)


def test_what_is_fresh_is_not_made_again_unless_told(job: Job) -> None:
    assert made(job)
    assert not made(job)
    assert made(replace(job, again=True))


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("film.mp4", Path.unlink),
        ("film.srt", lambda path: path.write_bytes(path.read_bytes()[::-1])),
        ("ledger.json", lambda path: path.write_bytes(path.read_bytes()[:-10])),
        ("beats/03-it-goes.mp4", lambda path: path.write_bytes(path.read_bytes()[:-10])),
        ("beats/03-it-goes.json", Path.unlink),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_missing_or_harmed_is_made_again(
    job: Job, name: str, harm: Callable[[Path], Any], drawn_once: dict[str, bytes]
) -> None:
    restore(job.place, drawn_once)
    harm(job.place / name)
    assert made(job)
    assert files(job.place) == drawn_once


@pytest.fixture(scope="module")
def drawn_once(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the small film, made once for several tests."""
    drawn = small_order(tiny_checkpoint, tmp_path_factory.mktemp("media"))
    made(drawn)
    return files(drawn.place)


def restore(place: Path, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    for path in place.glob("beats/*.json"):
        entry = json.loads(path.read_bytes())
        path.write_text(json.dumps(entry | {"played": {**entry["played"], "start": 0.0}}))


def test_a_beat_made_alone_touches_nothing_else(job: Job, drawn_once: dict[str, bytes]) -> None:
    restore(job.place, drawn_once)
    (job.place / "beats/01-it-comes.mp4").write_bytes(b"mine")
    assert made(replace(job, beats=("it-waits",), again=True))
    after = files(job.place)
    assert after.pop("beats/01-it-comes.mp4") == b"mine"
    assert after == {name: data for name, data in drawn_once.items() if name in after}


def test_a_beat_can_be_the_first_thing_made(job: Job) -> None:
    alone = replace(job, beats=("it-goes",))
    assert made(alone)
    assert not made(alone)
    assert set(files(job.place)) == {
        "manifest.json",
        *(f"beats/03-it-goes{end}" for end in OF_A_CLIP),
    }
    assert [beat["name"] for beat in manifest(job)["beats"]] == ["it-goes"]
    assert made(job)


@pytest.mark.parametrize("file_format", [each for each in FORMATS if each not in {"mp4", "webp"}])
def test_every_format_can_be_played(job: Job, file_format: str) -> None:
    made(replace(job, picture=replace(SMALL, format=file_format)))
    place = replace(job, picture=replace(SMALL, format=file_format)).place
    assert place.name.endswith(f"_{file_format}")
    with av.open(place / f"film.{file_format}") as film:
        frames = sum(1 for _ in film.decode(video=0))
    long = json.loads((place / "manifest.json").read_text())["duration"]
    assert 1 <= frames <= long * SMALL.fps
    if file_format != "png":
        assert float(clips.duration(place / f"film.{file_format}")) == pytest.approx(long, abs=0.01)


@pytest.mark.parametrize("file_format", ["mov", "webm", "png"])
def test_a_transparent_film_has_no_background(job: Job, file_format: str) -> None:
    clear = replace(job, picture=replace(SMALL, format=file_format, transparent=True))
    made(clear)
    with Image.open(clear.place / "poster.png") as still:
        assert still.getchannel("A").getextrema() == (0, 255)
        assert still.getchannel("A").getpixel((0, 89)) == 0
    if file_format == "png":
        return
    decoder = av.CodecContext.create({"mov": "qtrle", "webm": "libvpx-vp9"}[file_format], "r")
    with av.open(clear.place / f"film.{file_format}") as film:
        stream = film.streams.video[0]
        if file_format == "mov":
            decoder = stream.codec_context
        frames = [frame for packet in film.demux(stream) for frame in decoder.decode(packet)]
    assert frames[-1].to_ndarray(format="rgba")[89, 0, 3] == 0


def test_a_storyboard_shows_every_beat_at_960_pixels_or_more(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[storyboard.Panel] = []
    draw = storyboard.sheet

    def keep(title: str, about: str, panels: list[storyboard.Panel]) -> Image.Image:
        shown.extend(panels)
        return draw(title, about, panels)

    monkeypatch.setattr(storyboard, "sheet", keep)
    path = storyboard.write_storyboard(job)
    assert path == job.place / "storyboard.png"
    assert [panel.name for panel in shown] == [beat.name for beat in job.film.beats()]
    assert all(panel.still.width >= 960 for panel in shown)
    with Image.open(path) as sheet:
        assert sheet.width >= 960


def test_a_film_that_fails_is_named_with_its_beat_and_line(job: Job) -> None:
    for size in (1, 2):
        with pytest.raises(FilmFailed) as failed:
            made(replace(job, entry=FilmEntry.of(BrokenFilm)), size)
        assert "broken-film failed in beat it-breaks: ZeroDivisionError" in str(failed.value)
        lines = (TESTS / "small_films.py").read_text().splitlines()
        line = next(number for number, text in enumerate(lines, 1) if "[:0]" in text)
        assert f"tests/small_films.py:{line}" in str(failed.value)
    assert set(files(job.place.parent.parent / "broken-film" / job.variant)) == {
        f"beats/01-all-is-well{end}" for end in OF_A_CLIP
    }


def test_what_a_process_that_dies_was_drawing_is_drawn_by_another(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VICTIMS", str(tmp_path / "victims"))
    assert made(replace(job, entry=FilmEntry.of(DeadlyFilm)), size=2)
    assert (tmp_path / "victims").exists()


def test_a_full_disk_costs_nothing_that_was_there(
    job: Job, drawn_once: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    restore(job.place, drawn_once)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unwritable, match="no room left"):
        made(replace(job, again=True))
    assert files(job.place) == drawn_once


def test_a_power_cut_finds_no_file_under_its_name_that_is_not_on_the_disk(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, named = set[int](), set[Path]()
    sync, rename = os.fsync, os.replace

    def syncing(descriptor: int) -> None:
        sync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    def renaming(source: Path, target: Path) -> None:
        if job.place / SCRATCH not in Path(target).parents:
            is_whole = Path(source).stat().st_ino in synced
            assert is_whole or ".numbers" in Path(target).parts, target  # they have their digests
            named.add(Path(target))
        rename(source, target)

    monkeypatch.setattr(os, "fsync", syncing)
    monkeypatch.setattr(os, "replace", renaming)
    made(job)
    made_files = {job.place / name for name in files(job.place) if not name.endswith(LOCK)}
    assert {path for path in named if job.place in path.parents} == made_files
    assert all(path.stat().st_ino in synced for path in (job.place, job.place / "beats"))


@pytest.mark.parametrize("size", [pytest.param(1, marks=pytest.mark.soak), 2])
def test_after_a_kill_the_next_run_keeps_what_was_finished_and_clears_up(
    job: Job, size: int
) -> None:
    script = job.media / "make_pickled.py"
    script.write_text(MAKE_PICKLED)
    folders = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    run = subprocess.Popen(
        [sys.executable, script, pickle.dumps(job).hex(), str(size)],
        env=os.environ | {"PYTHONPATH": folders, "PATIENCE": "600"},
        stderr=subprocess.DEVNULL,
    )
    first = job.place / "beats/01-it-comes.mp4"
    wait_for(lambda: "it-comes" in clip_entries(job), run)
    crew = psutil.Process(run.pid).children(recursive=True)
    run.kill()
    run.wait()
    made_at = first.stat().st_mtime_ns
    assert (job.place / ".making").exists()
    assert not psutil.wait_procs(crew, timeout=60)[1]  # the crew sees that it is alone
    assert made(job)
    assert first.stat().st_mtime_ns == made_at
    assert [name for name in files(job.media) if ".making" in name or ".part" in name] == []
    assert not made(job)


MAKE_PICKLED = """
import pickle, sys
from test_rendering import made
if __name__ == "__main__":
    made(pickle.loads(bytes.fromhex(sys.argv[1])), int(sys.argv[2]))
"""


def wait_for(what: Callable[[], bool], run: "subprocess.Popen[bytes]") -> None:
    """Wait for up to five minutes until something is so, while a process runs."""
    deadline = time.monotonic() + 300
    while not what():
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
