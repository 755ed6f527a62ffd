"""Runs in processes of their own, which tests stop, start twice, or leave without room."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import av
import pytest
from played import SMALL
from small_films import SmallFilm

from rendering.film_index import FilmEntry
from rendering.freshness import freshness
from rendering.job import Job, Subject
from rendering.names import NAMES

TESTS = Path(__file__).parent
MAKE = """
import pickle, signal, sys
from rendering.progress import Display
from rendering.session import Run, hire
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background hand on none
    with Display() as display, hire(int(sys.argv[2])) as workers:
        (outcome,) = Run(workers, display).make([pickle.loads(bytes.fromhex(sys.argv[1]))])
    sys.exit(str(outcome.problem) if outcome.problem else 0)
"""


def small_job(folder: Path, media: Path) -> Job:
    """The small film of a checkpoint."""
    asked = Subject(checkpoint=folder)
    return Job(FilmEntry.of(SmallFilm), asked, SMALL, media, asked.digest())


def start(job: Job, patience: str = "0", workers: int = 1) -> "subprocess.Popen[str]":
    """Make a job in a process of its own; what it says goes to `said-N` in the media folder."""
    said = job.media / f"said-{len(list(job.media.glob('said-*')))}"
    program = said.with_name("make.py")
    program.write_text(MAKE)
    paths = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    with said.open("w") as file:
        return subprocess.Popen(
            [sys.executable, program, pickle.dumps(job).hex(), str(workers)],
            env=os.environ | {"PYTHONPATH": paths, "PATIENCE": patience},
            stderr=file,
            text=True,
        )


def assert_playable(job: Job) -> None:
    """Assert that every clip that is there, and the film, can be played to their end."""
    for path in (*job.place.glob("beats/*.mp4"), *job.place.glob("film.mp4")):
        with av.open(path) as video:
            assert list(video.decode(video=0))


def is_whole(job: Job) -> bool:
    """Whether the film and every clip are there and play to their end, and no scrap is left."""
    assert_playable(job)
    kept = ".numbers", NAMES, f"{NAMES}.lock"
    left = [path.name for path in job.media.rglob(".*") if path.name not in kept]
    return freshness(job).is_fresh and not left


def mount(disk: Path, kilobytes: int) -> None:
    """Put a disk with little room in a folder's place."""
    disk.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs"]
    if subprocess.run(["mount", *options, disk], check=False, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted by root alone")


def unmount(disk: Path) -> None:
    """Take such a disk away."""
    subprocess.run(["umount", "-l", disk], check=True)


def fill(path: Path) -> None:
    """Write to a file for as long as the disk takes it."""
    with path.open("ab", buffering=0) as file:
        while True:
            file.write(bytes(1024))
