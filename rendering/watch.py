"""Stale films are made again whenever their checkpoint or their code changes.

This process imports no film: what has changed is asked of a new process each time, which sees
the code as it now stands.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from rendering.failures import PROJECT

QUIET = 0.5  # seconds without a change, before anything is made
PACKAGES = ("scenes", "rendering", "model")  # whose code films are made by
IGNORED = {"opened", "closed_no_write"}  # what reading does
COMMAND = [sys.executable, str(PROJECT / "render.py")]

Say = Callable[[str], None]


class Changes(FileSystemEventHandler):
    """Hears of files that are written, moved or removed; not of what Python keeps for itself."""

    def __init__(self) -> None:
        self._happened: SimpleQueue[FileSystemEvent] = SimpleQueue()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note a change."""
        names = Path(str(event.src_path)).parts
        is_ours = "__pycache__" not in names and not names[-1].startswith(".")
        if event.event_type not in IGNORED and is_ours:
            self._happened.put(event)

    def wait(self) -> None:
        """Wait for a change, and until nothing has changed for a moment."""
        self._happened.get()
        with suppress(Empty):
            while True:
                self._happened.get(timeout=QUIET)


def watch(
    checkpoint: Path,
    sources: Iterable[Path],
    options: Sequence[str],
    wanted: Sequence[str],
    say: Say,
) -> None:
    """Make stale films again, one at a time, until the process is interrupted.

    `options` are those of the command line, passed on to `status` and `render`; `wanted` are the
    films' names. A film that fails is told and tried again after the next change.
    """
    changes, observer = Changes(), Observer()
    code = {PROJECT / package for package in PACKAGES} | {each.parent for each in sources}
    for folder in code:
        observer.schedule(changes, str(folder), recursive=True)
    observer.schedule(changes, str(checkpoint.resolve().parent))  # it may be exchanged as a whole
    observer.start()
    try:
        while True:
            inside = observer.schedule(changes, str(checkpoint)) if checkpoint.is_dir() else None
            for film, why in _stale(options, wanted):
                say(f"{film}: {why}")
                subprocess.run([*COMMAND, "render", film, *options], check=False)  # noqa: S603 - ours
            say("Waiting for a change; Ctrl-C ends.")
            changes.wait()
            if inside:
                observer.unschedule(inside)
    finally:
        observer.stop()
        observer.join()


def _stale(options: Sequence[str], wanted: Sequence[str]) -> list[tuple[str, str]]:
    """Return the films that are not fresh, and why."""
    asking = [*COMMAND, "status", *wanted, *options, "--json"]
    answer = subprocess.run(asking, stdout=subprocess.PIPE, check=False)  # noqa: S603 - ours
    if answer.returncode:
        return []  # it has said why
    found = json.loads(answer.stdout)["films"]
    return [
        (each["film"], ", ".join(each["reasons"])) for each in found if each["state"] != "fresh"
    ]
