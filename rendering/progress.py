"""What a run tells: on stderr while it goes on, and what became of each film in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.progress import TimeRemainingColumn as TimeLeftColumn

from model.errors import Unsuited
from rendering.failures import FilmFailed
from rendering.job import Job


class Display:
    """Shows which films are being made: bars that move, or a line a step."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._bars = Progress(
            "{task.description}",
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("beats"),
            TimeLeftColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def begin(self, film: str, beats: int) -> None:
        """Show that a film with this many beats to draw is under way."""
        self._tasks[film] = self._bars.add_task(film, total=beats)

    def drawn(self, film: str, beat: str) -> None:
        """Show that a beat of it has been drawn."""
        self._bars.advance(self._tasks[film])
        if not self._console.is_terminal:
            now = next(each for each in self._bars.tasks if each.id == self._tasks[film])
            self.say(f"{film}: {beat} drawn, {now.completed:.0f} of {now.total:.0f}")

    def say(self, line: str) -> None:
        """Show anything else."""
        self._console.print(line)


@dataclass
class Outcome:
    """What became of a job: the beats drawn, those that were fresh, and how long it took."""

    job: Job
    open: set[str] = field(default_factory=set)  # the beats whose clips are still to come
    drawn: list[str] = field(default_factory=list)
    reused: list[str] = field(default_factory=list)
    seconds: float = 0.0  # from the start of the run until it was made
    was_fresh: bool = False
    problem: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether what was asked for is there."""
        return self.was_fresh or (self.seconds > 0 and self.problem is None)

    @property
    def files(self) -> list[Path]:
        """What was asked for, if it is there."""
        return self.job.results if self.is_done else []

    def told(self) -> dict[str, Any]:
        """Return what `render --json` tells of it."""
        return {
            "film": self.job.entry.slug,
            "variant": self.job.variant,
            "files": [str(path) for path in self.files],
            "drawn": self.drawn,
            "reused": self.reused,
            "seconds": round(self.seconds, 1),
            "problem": str(self.problem) if self.problem else None,
        }


@dataclass
class Summary:
    """What became of a run."""

    outcomes: Sequence[Outcome] = ()
    course: Path | None = None  # where all films were wanted and are there
    seconds: float = 0.0

    @property
    def results(self) -> list[Path]:
        """The files that were asked for and are there."""
        films = [path for each in self.outcomes for path in each.files]
        return [*films, *([self.course] if self.course else [])]

    def told(self) -> dict[str, Any]:
        """Return what `render --json` tells of it."""
        return {
            "films": [each.told() for each in self.outcomes],
            "course": str(self.course) if self.course else None,
            "seconds": round(self.seconds, 1),
        }

    def __str__(self) -> str:
        drawn = sum(len(each.drawn) for each in self.outcomes)
        reused = sum(len(each.reused) for each in self.outcomes)
        done = sum(each.is_done for each in self.outcomes)
        return (
            f"{done} of {len(self.outcomes)} films are there: {drawn} clips drawn, "
            f"{reused} reused, in {self.seconds:.0f} s"
        )


def raise_together(problems: Sequence[Exception], wanted: int) -> None:
    """Raise one sentence for all problems; a film's failure weighs more than a refusal.

    Of several films, one that the prompt does not suit is left out, and that is no failure.
    """
    if wanted > 1:
        problems = [each for each in problems if not isinstance(each, Unsuited)]
    if not problems:
        return
    worst = next((each for each in problems if isinstance(each, FilmFailed)), problems[0])
    if len({str(each) for each in problems}) == 1:
        raise worst
    raise type(worst)(f"{len(problems)} of {wanted} films failed, among them: {worst}")
