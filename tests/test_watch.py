"""What is watched is made again when its checkpoint or its code changes, and nothing else is."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file
from watchdog.events import FileModifiedEvent, FileMovedEvent, FileOpenedEvent, FileSystemEvent

from rendering.failures import PROJECT
from rendering.watch import Changes

LONG = 240  # seconds for a film to be made on a busy machine
ARGUMENTS = ["growing-a-pattern", "-q", "l", "--fps", "1", "--checkpoint", "mine"]


class Watched:
    """A run of `watch` in a folder of its own, and what it has said so far."""

    def __init__(self, folder: Path) -> None:
        self.said = folder / "said.txt"
        with self.said.open("w") as said:
            self.run = subprocess.Popen(
                [sys.executable, PROJECT / "render.py", "watch", *ARGUMENTS],
                cwd=folder,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def wait_for(self, rounds: int) -> str:
        """Return what was said, once it has waited for a change so many times."""
        deadline = time.monotonic() + LONG
        while (text := self.said.read_text()).count("Waiting for a change") < rounds:
            assert self.run.poll() is None, text
            assert time.monotonic() < deadline, text
            time.sleep(0.1)
        return text


@pytest.fixture
def watched(tiny_checkpoint: Path, tmp_path: Path) -> Iterator[Watched]:
    shutil.copytree(tiny_checkpoint, tmp_path / "mine")
    found = Watched(tmp_path)
    yield found
    found.run.kill()
    found.run.wait()


def retrained(folder: Path) -> None:
    """Write other weights, as a training in another process does."""
    weights = load_file(folder / "model.safetensors")
    save_file({name: 1.5 * weight for name, weight in weights.items()}, folder / "aside")
    (folder / "aside").replace(folder / "model.safetensors")


@pytest.mark.parametrize(
    ("kind", "path", "counts"),
    [
        (FileModifiedEvent, "mine/model.safetensors", True),
        (FileMovedEvent, "mine/config.json", True),
        (FileModifiedEvent, "scenes/theme.py", True),
        (FileOpenedEvent, "scenes/theme.py", False),
        (FileModifiedEvent, "scenes/__pycache__/theme.pyc", False),
        (FileModifiedEvent, "mine/.model.safetensors.part", False),
    ],
)
def test_reading_and_what_python_keeps_are_no_change(
    kind: type[FileSystemEvent], path: str, *, counts: bool
) -> None:
    changes = Changes()
    changes.on_any_event(kind(path))
    assert changes._happened.empty() != counts


@pytest.mark.soak
def test_a_retrained_model_is_shown_in_the_same_place(watched: Watched, tmp_path: Path) -> None:
    said = watched.wait_for(1)
    assert "growing-a-pattern: never made" in said
    (film,) = tmp_path.rglob("film.mp4")
    before = film.read_bytes()
    (tmp_path / "mine/notes.txt").write_text("nothing that a film shows")
    assert watched.wait_for(2).count("growing-a-pattern (mine): made in") == 1
    retrained(tmp_path / "mine")
    assert "pattern changed" in watched.wait_for(3)
    assert film.read_bytes() != before
    assert [*tmp_path.rglob("film.mp4")] == [film]
    os.killpg(watched.run.pid, signal.SIGTERM)
    assert watched.run.wait(10) == 128 + signal.SIGTERM
    assert watched.said.read_text().strip().splitlines()[-1].startswith("Interrupted: ")
