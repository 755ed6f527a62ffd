"""What goes wrong at any moment costs nothing: minutes of kills, crowds and full disks.

`make soak MINUTES=30 SEED=1` spends its time in equal parts on the trials below. A failure names
the seed and the round that bring it back.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from runs import assert_playable, is_whole, mount, small_job, start, unmount
from test_setup import Machine

from rendering.job import Job
from rendering.ledger import clip_entries

PROJECT = Path(__file__).parents[1]
MINUTES, SEED = float(os.environ.get("MINUTES", "4")), os.environ.get("SEED", "0")
TRIALS = 4  # that share the time
LONGEST_RUN = 12.0  # seconds after which a run is nearly always done
LEAST_ROOM, MOST_ROOM = 60, 400  # kilobytes; the small film takes about 250

pytestmark = pytest.mark.soak


@pytest.fixture
def rounds(request: pytest.FixtureRequest) -> Iterator[random.Random]:
    """Chance for each round, for this trial's part of the time."""
    return _rounds(request.node.name)


def _rounds(name: str) -> Iterator[random.Random]:
    ends, number = time.monotonic() + 60 * MINUTES / TRIALS, 0
    while not number or time.monotonic() < ends:
        print(f"{name}, seed {SEED}, round {number}")  # noqa: T201 - told if it fails
        yield random.Random(f"{name} {SEED} {number}")  # noqa: S311 - it chooses moments
        number += 1


def finished(job: Job) -> None:
    """Make a job undisturbed, and see that it is as if nothing had happened."""
    assert start(job).wait(300) == 0
    assert is_whole(job)


def test_a_run_killed_again_and_again_loses_nothing_that_was_finished(
    rounds: Iterator[random.Random], tiny_checkpoint: Path, tmp_path: Path
) -> None:
    for number, chance in enumerate(rounds):
        job = small_job(tiny_checkpoint, tmp_path / str(number))
        job.media.mkdir()
        for _ in range(chance.randint(1, 4)):
            before = {
                name: (job.place / job.beat_files(name)["file"]).stat().st_mtime_ns
                for name in clip_entries(job)
            }
            run = start(job, workers=chance.choice([1, 2]))
            time.sleep(chance.uniform(0, LONGEST_RUN))
            run.send_signal(chance.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
            run.wait(30)
            assert_playable(job)
            for name, written in before.items():
                file = job.place / job.beat_files(name)["file"]
                assert file.stat().st_mtime_ns == written
        finished(job)
        shutil.rmtree(job.media)


def test_runs_at_once_of_which_some_are_killed_make_one_whole_film(
    rounds: Iterator[random.Random], tiny_checkpoint: Path, tmp_path: Path
) -> None:
    for number, chance in enumerate(rounds):
        job = small_job(tiny_checkpoint, tmp_path / str(number))
        job.media.mkdir()
        runs = [start(job, workers=chance.choice([1, 2])) for _ in range(chance.randint(2, 4))]
        for run in chance.sample(runs, chance.randint(0, len(runs) - 1)):
            time.sleep(chance.uniform(0, LONGEST_RUN / 2))
            run.kill()
            run.wait(30)
            runs.remove(run)
        assert [run.wait(300) for run in runs] == [0] * len(runs)
        assert is_whole(job)
        shutil.rmtree(job.media)


def test_a_disk_of_any_size_is_filled_without_harm(
    rounds: Iterator[random.Random], tiny_checkpoint: Path, tmp_path: Path
) -> None:
    for number, chance in enumerate(rounds):
        disk = tmp_path / f"disk-{number}"
        mount(disk, chance.randint(LEAST_ROOM, MOST_ROOM))
        try:
            job = small_job(tiny_checkpoint, disk / "media")
            job.media.mkdir()
            status = start(job, workers=chance.choice([1, 2])).wait(300)
            assert_playable(job)
            said = (job.media / "said-0").read_text()
            assert "Traceback" not in said or "no room left" in said or status == 0
            subprocess.run(["mount", "-o", "remount,size=4m", disk], check=True)
            finished(job)
        finally:
            unmount(disk)


def test_set_up_that_is_stopped_at_any_moment_is_completed_by_the_next(
    rounds: Iterator[random.Random], tmp_path: Path
) -> None:
    for number, chance in enumerate(rounds):
        machine = Machine(tmp_path / str(number))
        machine.stub("pip", f"sleep {chance.uniform(0, 0.5):.2f}")
        for _ in range(chance.randint(1, 5)):
            crowd = [machine.start() for _ in range(chance.randint(1, 3))]
            time.sleep(chance.uniform(0, 1))
            for process in crowd:
                os.killpg(process.pid, chance.choice([signal.SIGKILL, signal.SIGTERM]))
                process.communicate(timeout=30)
        assert machine.set_up()[0] == 0
        assert (machine.venv / "bin" / "python").exists()
        assert machine.set_up() == (0, "")


def test_a_clean_copy_sets_itself_up_and_makes_a_film(tmp_path: Path) -> None:
    """With the real pip: it takes minutes, and the network or pip's cache."""
    copy = tmp_path / "transformer films"
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    for name in filter(None, names):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(PROJECT / name, copy / name)
    made = subprocess.run(
        ["make", "-C", copy, "video"], check=True, capture_output=True, text=True, timeout=3600
    )
    film = copy / made.stdout.splitlines()[-1 - made.stdout.splitlines()[-1].startswith("make")]
    assert film.name == "film.mp4"
    assert film.is_file()
