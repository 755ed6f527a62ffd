"""Films drawn on a Dask cluster, started as users start it: workers die, differ, are missing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from played import SMALL
from small_films import SmallFilm

from model.errors import Unusable
from rendering.cluster import Cluster
from rendering.film_index import FilmEntry
from rendering.freshness import freshness
from rendering.job import Job, Subject
from rendering.ledger import clip_entries
from rendering.progress import Display
from rendering.session import Run
from rendering.sounding import write_wave
from rendering.voice.speech import RATE

PROJECT = Path(__file__).parents[1]
DASK = Path(sys.executable).with_name("dask")

pytest.importorskip("distributed")


class Machines:
    """A scheduler and its workers, each a process group of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.start("scheduler", PROJECT, "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.wait((folder / "scheduler.json").exists)
        self.address = json.loads((folder / "scheduler.json").read_text())["address"]

    def start(self, name: str, code: Path, *options: str, patience: str = "0") -> None:
        """Start the scheduler or a worker that runs the code in some folder."""
        paths = os.pathsep.join(map(str, (code, code / "tests")))
        self.processes[name] = subprocess.Popen(
            [DASK, name.partition("-")[0], *options, "--scheduler-file", "scheduler.json"],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": paths, "PATIENCE": patience, "OMP_NUM_THREADS": "1"},
            stderr=(self.folder / f"{name}.log").open("wb"),
            start_new_session=True,
        )

    def start_worker(
        self, name: str, code: Path = PROJECT, *, patience: str = "0", threads: int = 1
    ) -> None:
        options = ["--nthreads", str(threads), "--no-dashboard"]
        options += ["--local-directory", str(self.folder / f"local-{name}")]
        self.start(f"worker-{name}", code, *options, patience=patience)
        log = self.folder / f"worker-{name}.log"
        self.wait(lambda: "Registered to" in log.read_text())

    def kill(self, name: str) -> None:
        os.killpg(self.processes[name].pid, signal.SIGKILL)
        self.processes.pop(name).wait()

    @staticmethod
    def wait(what: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 90
        while not what():
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    started = Machines(tmp_path)
    try:
        yield started
    finally:
        for name in list(started.processes):
            started.kill(name)


@pytest.fixture
def job(tiny_checkpoint: Path, tmp_path: Path) -> Job:
    asked = Subject(checkpoint=tiny_checkpoint)
    return Job(FilmEntry.of(SmallFilm), asked, SMALL, tmp_path / "media", asked.digest())


def make(job: Job, address: str) -> str:
    """Make an job on a cluster; return what was told that a viewer should know."""
    told: list[str] = []
    with Display() as display, Cluster(address) as crew:
        run = Run(crew, display)
        crew.say = told.append
        (outcome,) = run.make([job])
    if outcome.problem:
        raise outcome.problem
    return "\n".join(told)


def copy_of_the_code(folder: Path) -> Path:
    for name in ("model", "scenes", "rendering", "tests"):
        shutil.copytree(PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "assets").symlink_to(PROJECT / "assets")
    return folder


def recorded(folder: Path) -> Path:
    """A folder in which one beat is recorded."""
    folder.mkdir()
    times = np.arange(3 * RATE) / RATE
    write_wave(folder / "02-it-waits.wav", [0.3 * np.sin(1000 * times).astype(np.float32)])
    return folder


def kill_while_it_draws(machines: Machines, name: str) -> None:
    """Kill a worker once a process that it started has begun to draw."""
    machines.wait(lambda: any((machines.folder / f"local-{name}").rglob("drawn/beats")))
    time.sleep(4)
    machines.kill(f"worker-{name}")


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_loses_nothing(machines: Machines, job: Job) -> None:
    machines.start_worker("one", patience="8")
    machines.start_worker("two", patience="8")
    killer = threading.Thread(target=kill_while_it_draws, args=(machines, "one"))
    killer.start()
    make(job, machines.address)
    killer.join()
    assert "worker-one" not in machines.processes
    assert freshness(job).is_fresh
    with av.open(job.place / "film.mp4") as film:
        assert list(film.decode(video=0))
    assert len(clip_entries(job)) == 3


@pytest.mark.filterwarnings("ignore")
def test_a_share_that_the_scheduler_gives_up_is_drawn_once_more(
    machines: Machines, job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does when a dying worker had the only copy of a checkpoint that was sent."""
    machines.start_worker("one", threads=2)
    handed_out, given_up = Cluster.submit, Future[None]()
    given_up.cancel()
    given_up.set_running_or_notify_cancel()

    def submit(*_: object) -> Future[None]:
        monkeypatch.setattr(Cluster, "submit", handed_out)
        return given_up

    monkeypatch.setattr(Cluster, "submit", submit)
    make(job, machines.address)
    assert freshness(job).is_fresh


@pytest.mark.filterwarnings("ignore")
def test_a_worker_with_other_code_is_refused_and_the_others_draw(
    machines: Machines, job: Job, tmp_path: Path
) -> None:
    with pytest.raises(Unusable, match="has no workers: start some with `dask worker"):
        make(job, machines.address)
    other = copy_of_the_code(tmp_path / "code")
    theme = other / "scenes" / "theme.py"
    theme.write_text(theme.read_text() + "# edited\n")
    machines.start_worker("other", other)
    with pytest.raises(Unusable, match=r"refused, for scenes/theme\.py changed there: give it"):
        make(job, machines.address)
    assert not (job.media).exists()
    machines.start_worker("same", threads=2)
    job = replace(job, voice_name=str(recorded(tmp_path / "my voice")))
    with Cluster(machines.address) as crew:
        assert crew.count == 3  # a share in each thread
    assert "scenes/theme.py changed there" in make(job, machines.address)
    assert freshness(job).is_fresh
    voices = [entry.said.settings["voice"] for entry in clip_entries(job).values()]
    assert voices == ["heart", "recorded", "heart"]


def test_a_scheduler_that_does_not_answer_is_told(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rendering.cluster.PATIENCE", "1s")
    with pytest.raises(Unusable, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        make(job, "tcp://127.0.0.1:9")


def test_what_is_no_address_is_refused_at_once(job: Job) -> None:
    with pytest.raises(Unusable, match="nonsense is no scheduler's address"):
        make(job, "nonsense")
