"""What became of a run: what was made, what was there, what went wrong, how long it took."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rendering.failures import FilmFailed
from rendering.order import Order


@dataclass
class Outcome:
    """What became of an order: the beats drawn, those that were fresh, and how long it took."""

    order: Order
    drawn: list[str] = field(default_factory=list)
    reused: list[str] = field(default_factory=list)
    seconds: float = 0.0  # from the start of the run until it was made
    was_fresh: bool = False
    problem: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether what was asked for is there."""
        return self.was_fresh or (self.seconds > 0 and self.problem is None)

    def told(self) -> dict[str, Any]:
        """Return what `render --json` tells of it."""
        return {
            "film": self.order.card.slug,
            "variant": self.order.variant,
            "files": [str(path) for path in self.order.results] if self.is_done else [],
            "drawn": self.drawn,
            "reused": self.reused,
            "seconds": round(self.seconds, 1),
            "problem": str(self.problem) if self.problem else None,
        }


@dataclass
class Summary:
    """What became of a run."""

    outcomes: Sequence[Outcome]
    course: Path | None  # where all films were wanted and are there
    seconds: float

    @property
    def results(self) -> list[Path]:
        """The files that were asked for and are there."""
        done = [each for each in self.outcomes if each.is_done]
        films = [path for each in done for path in each.order.results]
        return [*films, *([self.course] if self.course else [])]

    def told(self) -> dict[str, Any]:
        """Return what `render --json` tells of it."""
        films = [each.told() for each in self.outcomes]
        course = str(self.course) if self.course else None
        return {"films": films, "course": course, "seconds": round(self.seconds, 1)}

    def __str__(self) -> str:
        drawn = sum(len(each.drawn) for each in self.outcomes)
        reused = sum(len(each.reused) for each in self.outcomes)
        done = sum(each.is_done for each in self.outcomes)
        return (
            f"{done} of {len(self.outcomes)} films are there: {drawn} clips drawn, "
            f"{reused} reused, in {self.seconds:.0f} s"
        )

    def raise_problems(self) -> None:
        """Raise what went wrong, as one sentence for all."""
        problems = [each.problem for each in self.outcomes if each.problem]
        raise_together(problems, len(self.outcomes))


def raise_together(problems: Sequence[Exception], wanted: int) -> None:
    """Raise one sentence for all problems; a film's failure weighs more than a refusal."""
    if not problems:
        return
    worst = next((each for each in problems if isinstance(each, FilmFailed)), problems[0])
    if len({str(each) for each in problems}) == 1:
        raise worst
    raise type(worst)(f"{len(problems)} of {wanted} films failed, among them: {worst}")
