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

from rendering import claim
from rendering.asked import Asked
from rendering.cards import Card
from rendering.claim import LOCK, MAKING, Claim, sweep
from rendering.crew import Crew
from rendering.failures import FilmFailed, Unwritable
from rendering.ledger import Ledger
from rendering.order import Order
from rendering.session import Run
from rendering.survey import survey
from rendering.telling import Teller

TESTS = Path(__file__).parent
MAKE = """
import pickle, sys
from rendering.crew import Crew
from rendering.session import Run
from rendering.telling import Teller
if __name__ == "__main__":
    with Teller() as teller:
        (outcome,) = Run(Crew(), teller).make([pickle.loads(bytes.fromhex(sys.argv[1]))])
    sys.exit(str(outcome.problem) if outcome.problem else 0)
"""


@pytest.fixture
def order(tiny_checkpoint: Path, tmp_path: Path) -> Order:
    asked = Asked(checkpoint=tiny_checkpoint)
    return Order(Card.of(SmallFilm), asked, SMALL, tmp_path, asked.digest())


def start(order: Order, patience: str = "0") -> "subprocess.Popen[str]":
    """Make an order in a process of its own; what it says goes to `said-N` in the media folder."""
    said = order.media / f"said-{len(list(order.media.glob('said-*')))}"
    with said.open("w") as file:
        return _start(order, patience, file)


def _start(order: Order, patience: str, said: IO[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", MAKE, pickle.dumps(order).hex()],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(map(str, (TESTS.parent, TESTS))), "PATIENCE": patience},
        stderr=said,
        text=True,
    )


def is_whole(order: Order) -> bool:
    """Whether every clip and the film can be played to their end, and no scrap is left."""
    for path in (*order.place.glob("beats/*.mp4"), order.place / "film.mp4"):
        with av.open(path) as video:
            assert list(video.decode(video=0))
    left = [path.name for path in order.media.rglob(".*") if path.name != ".numbers"]
    return survey(order).is_fresh and not left


def test_a_folder_is_held_by_one_at_a_time_and_left_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "media" / "films" / "a-film"
    one, other = Claim(place), Claim(place)
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
    film = Claim(mine / "films" / "a-film" / "light")
    assert film.take()
    film.release()
    assert list(mine.iterdir()) == []


def test_what_a_killed_run_left_is_removed_with_its_folders(tmp_path: Path) -> None:
    left = tmp_path / "films" / "a-film"
    (left / MAKING).mkdir(parents=True)
    (left / LOCK).write_text("1")
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_run_just_removes_is_made_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film, mkdir, removed = Claim(tmp_path / "a-film"), Path.mkdir, list[Path]()

    def remove_once(path: Path, *args: Any, **keys: Any) -> None:
        mkdir(path, *args, **keys)
        if not removed:
            removed.append(path)
            path.rmdir()

    monkeypatch.setattr(Path, "mkdir", remove_once)
    assert film.take()
    assert removed
    film.release()


def test_a_folder_let_go_of_shows_no_life(tmp_path: Path) -> None:
    one, other = Claim(tmp_path / "a-film"), Claim(tmp_path / "a-film")
    assert one.take()
    one.release()
    assert other.take()
    lock = tmp_path / "a-film" / LOCK
    os.utime(lock, (0, 0))
    one.show_life()
    assert lock.stat().st_mtime == 0
    other.show_life()
    assert lock.stat().st_mtime > 0
    other.release()


def test_who_waits_says_for_whom_and_goes_on_when_that_one_is_done(order: Order) -> None:
    holder = Claim(order.place)
    assert holder.take()
    run = start(order)
    waiting = f"Waiting for process {os.getpid()}, which is making {order.place}."
    while waiting not in (order.media / "said-0").read_text():
        assert run.poll() is None
        time.sleep(0.05)
    holder.release()
    assert run.wait(120) == 0
    assert is_whole(order)


def test_two_runs_at_once_make_one_whole_film(order: Order) -> None:
    runs = [start(order), start(order)]
    assert [run.wait(120) for run in runs] == [0, 0]
    assert is_whole(order)


def test_nobody_waits_for_a_run_that_shows_no_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder, waiter = Claim(tmp_path / "film"), Claim(tmp_path / "film")
    assert holder.take()
    monkeypatch.setattr(claim, "PATIENCE", 0.5)
    with claim.alive([holder]):
        monkeypatch.setattr(claim, "BEAT", 0.1)
    said: list[str] = []
    with pytest.raises(FilmFailed, match=f"Process {os.getpid()} holds .* sign of life"):
        waiter.wait(said.append)
    assert len(said) == 1
    holder.release()


def test_a_run_that_goes_on_shows_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    holder = Claim(tmp_path / "film")
    assert holder.take()
    lock = tmp_path / "film" / claim.LOCK
    os.utime(lock, (0, 0))
    monkeypatch.setattr(claim, "BEAT", 0.05)
    with claim.alive([holder]):
        time.sleep(0.5)
    assert time.time() - lock.stat().st_mtime < 10
    holder.release()


@pytest.mark.parametrize("moment", ["reading", "drawing", "joining"])
def test_a_run_killed_at_any_moment_is_completed_by_the_next(order: Order, moment: str) -> None:
    run = start(order, patience="600" if moment == "drawing" else "0")
    waited = {
        "reading": (order.place / claim.MAKING).exists,
        "drawing": lambda: bool(Ledger.beside(order.place).clips),
        "joining": lambda: len(Ledger.beside(order.place).clips) == 3,
    }
    while not waited[moment]() and run.poll() is None:
        time.sleep(0.002)
    run.send_signal(signal.SIGKILL)
    run.wait()
    for path in (*order.place.glob("beats/*.mp4"), *order.place.glob("film.mp4")):
        with av.open(path) as video:
            assert list(video.decode(video=0))
    with Teller() as teller:
        Run(Crew(), teller).make([order])
    assert is_whole(order)


def test_what_a_killed_run_left_of_another_film_is_swept_too(tmp_path: Path) -> None:
    left = tmp_path / "films" / "a-film" / "light"
    (left / ".making" / "beats").mkdir(parents=True)
    (left / ".making" / "beats" / "01.mp4").write_bytes(b"half")
    (left / ".making.lock").write_text("1")
    (left / "film.mp4").write_bytes(b"whole")
    held = Claim(tmp_path / "films" / "b-film")
    assert held.take()
    orphan = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                            check=True, capture_output=True, text=True)  # fmt: skip
    (left / f".ledger.json.{orphan.stdout.strip()}.part").write_text("half")
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


def test_a_full_disk_is_told_and_what_was_there_stays_whole(order: Order, small_disk: Path) -> None:
    there = replace(order, media=small_disk / "media")
    with Teller() as teller:
        Run(Crew(), teller).make([there])
    before = {path: path.read_bytes() for path in there.place.rglob("*") if path.is_file()}
    filler = small_disk / "filler"
    filler.write_bytes(b"")
    with pytest.raises(OSError, match="No space"):
        fill(filler)
    with pytest.raises(Unwritable, match="no room left"), Teller() as teller:
        Run(Crew(), teller).make([replace(there, again=True)])
    after = {path: path.read_bytes() for path in there.place.rglob("*") if path.is_file()}
    assert set(before) <= set(after)
    for path in (*there.place.glob("beats/*.mp4"), there.place / "film.mp4"):
        with av.open(path) as video:
            assert list(video.decode(video=0))
    filler.unlink()
    with Teller() as teller:
        Run(Crew(), teller).make([there])
    assert is_whole(there)
