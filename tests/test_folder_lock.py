"""Two runs at once, a run that is killed, a disk that is full: nothing breaks and nobody hangs."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import av
import pytest
from played import SMALL
from small_films import SmallFilm

from rendering.failures import Unwritable
from rendering.film_index import FilmEntry
from rendering.folder_lock import LOCK, SCRATCH, FolderLock, sweep
from rendering.freshness import freshness
from rendering.job import Job, Subject
from rendering.ledger import clip_entries
from rendering.progress import Display
from rendering.session import Run
from rendering.workers import Workers

TESTS = Path(__file__).parent
MAKE = """
import pickle, sys
from rendering.workers import Workers
from rendering.session import Run
from rendering.progress import Display
if __name__ == "__main__":
    with Display() as display:
        (outcome,) = Run(Workers(), display).make([pickle.loads(bytes.fromhex(sys.argv[1]))])
    sys.exit(str(outcome.problem) if outcome.problem else 0)
"""


@pytest.fixture
def job(tiny_checkpoint: Path, tmp_path: Path) -> Job:
    asked = Subject(checkpoint=tiny_checkpoint)
    return Job(FilmEntry.of(SmallFilm), asked, SMALL, tmp_path, asked.digest())


def start(job: Job, patience: str = "0") -> "subprocess.Popen[str]":
    """Make an job in a process of its own; what it says goes to `said-N` in the media folder."""
    said = job.media / f"said-{len(list(job.media.glob('said-*')))}"
    with said.open("w") as file:
        return _start(job, patience, file)


def _start(job: Job, patience: str, said: IO[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", MAKE, pickle.dumps(job).hex()],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(map(str, (TESTS.parent, TESTS))), "PATIENCE": patience},
        stderr=said,
        text=True,
    )


def is_whole(job: Job) -> bool:
    """Whether every clip and the film can be played to their end, and no scrap is left."""
    for path in (*job.place.glob("beats/*.mp4"), job.place / "film.mp4"):
        with av.open(path) as video:
            assert list(video.decode(video=0))
    left = [path.name for path in job.media.rglob(".*") if path.name != ".numbers"]
    return freshness(job).is_fresh and not left


def test_a_folder_is_held_by_one_at_a_time_and_left_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "media" / "films" / "a-film"
    one, other = FolderLock(place), FolderLock(place)
    assert one.take()
    assert not other.take()
    assert one.scratch.is_dir()
    one.release()
    assert list(tmp_path.iterdir()) == []
    assert other.take()
    other.release()


def test_folders_of_the_user_stay_when_nothing_is_made_in_them(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    film = FolderLock(mine / "films" / "a-film" / "light")
    assert film.take()
    film.release()
    assert list(mine.iterdir()) == []


def test_what_a_killed_run_left_is_removed_with_its_folders(tmp_path: Path) -> None:
    left = tmp_path / "films" / "a-film"
    (left / SCRATCH).mkdir(parents=True)
    (left / LOCK).write_text("1")
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_run_just_removes_is_made_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film, mkdir, removed = FolderLock(tmp_path / "a-film"), Path.mkdir, list[Path]()

    def remove_once(path: Path, *args: Any, **keys: Any) -> None:
        mkdir(path, *args, **keys)
        if not removed:
            removed.append(path)
            path.rmdir()

    monkeypatch.setattr(Path, "mkdir", remove_once)
    assert film.take()
    assert removed
    film.release()


def test_who_waits_says_for_whom_and_goes_on_when_that_one_is_done(job: Job) -> None:
    holder = FolderLock(job.place)
    assert holder.take()
    run = start(job)
    waiting = f"Waiting for process {os.getpid()}, which is making {job.place}."
    while waiting not in (job.media / "said-0").read_text():
        assert run.poll() is None
        time.sleep(0.05)
    holder.release()
    assert run.wait(120) == 0
    assert is_whole(job)


def test_two_runs_at_once_make_one_whole_film(job: Job) -> None:
    runs = [start(job), start(job)]
    assert [run.wait(120) for run in runs] == [0, 0]
    assert is_whole(job)


@pytest.mark.parametrize("moment", ["reading", "drawing", "joining"])
def test_a_run_killed_at_any_moment_is_completed_by_the_next(job: Job, moment: str) -> None:
    run = start(job, patience="600" if moment == "drawing" else "0")
    waited = {
        "reading": (job.place / SCRATCH).exists,
        "drawing": lambda: bool(clip_entries(job)),
        "joining": lambda: len(clip_entries(job)) == 3,
    }
    while not waited[moment]() and run.poll() is None:
        time.sleep(0.002)
    run.send_signal(signal.SIGKILL)
    run.wait()
    for path in (*job.place.glob("beats/*.mp4"), *job.place.glob("film.mp4")):
        with av.open(path) as video:
            assert list(video.decode(video=0))
    with Display() as display:
        Run(Workers(), display).make([job])
    assert is_whole(job)


def test_what_a_killed_run_left_of_another_film_is_swept_too(tmp_path: Path) -> None:
    left = tmp_path / "films" / "a-film" / "light"
    (left / ".making" / "beats").mkdir(parents=True)
    (left / ".making" / "beats" / "01.mp4").write_bytes(b"half")
    (left / ".making.lock").write_text("1")
    (left / "film.mp4").write_bytes(b"whole")
    held = FolderLock(tmp_path / "films" / "b-film")
    assert held.take()
    sweep(tmp_path)
    assert [path.name for path in left.iterdir()] == ["film.mp4"]
    assert held.scratch.is_dir()
    held.release()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for a few small files."""
    disk = tmp_path / "disk"
    disk.mkdir()
    size = "size=260k"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", disk], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by root alone")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def fill(path: Path) -> None:
    """Write to a file for as long as the disk takes it."""
    with path.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(1024))


def test_a_full_disk_is_told_and_what_was_there_stays_whole(job: Job, small_disk: Path) -> None:
    there = replace(job, media=small_disk / "media")
    with Display() as display:
        Run(Workers(), display).make([there])
    before = {path: path.read_bytes() for path in there.place.rglob("*") if path.is_file()}
    filler = small_disk / "filler"
    filler.write_bytes(b"")
    with pytest.raises(OSError, match="No space"):
        fill(filler)
    with pytest.raises(Unwritable, match="no room left"), Display() as display:
        Run(Workers(), display).make([replace(there, again=True)])
    after = {path: path.read_bytes() for path in there.place.rglob("*") if path.is_file()}
    assert set(before) <= set(after)
    for path in (*there.place.glob("beats/*.mp4"), there.place / "film.mp4"):
        with av.open(path) as video:
            assert list(video.decode(video=0))
    filler.unlink()
    with Display() as display:
        Run(Workers(), display).make([there])
    assert is_whole(there)
