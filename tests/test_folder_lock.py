"""Two runs at once, a run that is killed, a disk that is full: nothing breaks and nobody hangs."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runs import assert_playable, fill, is_whole, mount, small_job, start, unmount

from rendering.failures import Unwritable
from rendering.folder_lock import LOCK, SCRATCH, FolderLock, sweep
from rendering.job import Job
from rendering.ledger import clip_entries
from rendering.progress import Display
from rendering.session import Run
from rendering.workers import Workers


@pytest.fixture
def job(tiny_checkpoint: Path, tmp_path: Path) -> Job:
    return small_job(tiny_checkpoint, tmp_path)


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


@pytest.mark.parametrize("clips", [0, 3])
def test_a_run_killed_while_it_reads_or_joins_is_completed_by_the_next(
    job: Job, clips: int
) -> None:
    run = start(job)
    while not ((job.place / SCRATCH).exists() and len(clip_entries(job)) == clips):
        assert run.poll() is None
        time.sleep(0.002)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert_playable(job)
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
    mount(tmp_path / "disk", 260)
    yield tmp_path / "disk"
    unmount(tmp_path / "disk")


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
    assert_playable(there)
    filler.unlink()
    with Display() as display:
        Run(Workers(), display).make([there])
    assert is_whole(there)
