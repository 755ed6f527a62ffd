"""How a training run is told: a moving bar in a terminal, else a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from model.train import Outcome, Progress

LINES = 20  # in all, where there is no terminal


@contextmanager
def shown() -> Iterator[Callable[[Progress], None]]:
    """On stderr, what `train` tells while it runs: what it does, the loss and the time left."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _lines()
        return
    columns = ("[bold]{task.description}", BarColumn(), MofNCompleteColumn(), "{task.fields[loss]}")
    with Bar(
        *(TextColumn(column) if isinstance(column, str) else column for column in columns),
        TimeRemainingColumn(),
        console=console,
    ) as bar:
        yield _moving(bar)


def summary(outcome: Outcome) -> str:
    """Say what a run came to, in a few lines."""
    samples = "\n".join(f"  {sample!r}" for sample in outcome.samples)
    return (
        f"{outcome.steps} steps in {_minutes(outcome.seconds)}\n"
        f"held-out loss {outcome.loss:.3f} nats a token "
        f"(trigrams {outcome.trigram_loss:.3f}, unigrams {outcome.unigram_loss:.3f})\n"
        f"samples:\n{samples}"
    )


def _moving(bar: Bar) -> Callable[[Progress], None]:
    """Move one bar a stage."""
    tasks: dict[str, TaskID] = {}

    def tell(progress: Progress) -> None:
        if progress.doing not in tasks:
            tasks[progress.doing] = bar.add_task(progress.doing, total=progress.total, loss="")
        loss = "" if progress.loss is None else f"loss {progress.loss:.3f}"
        bar.update(tasks[progress.doing], completed=min(progress.done, progress.total), loss=loss)

    return tell


def _lines() -> Callable[[Progress], None]:
    """Write a line whenever another twentieth of a stage is done."""
    began: dict[str, float] = {}
    told: dict[str, int] = {}

    def tell(progress: Progress) -> None:
        start = began.setdefault(progress.doing, time.monotonic())
        share = min(1.0, progress.done / progress.total)
        if int(share * LINES) <= told.get(progress.doing, 0):
            return
        told[progress.doing] = int(share * LINES)
        left = (time.monotonic() - start) * (1 - share) / share
        loss = "" if progress.loss is None else f", loss {progress.loss:.3f}"
        sys.stderr.write(f"{progress.doing} {share:.0%}{loss}, {_minutes(left)} left\n")

    return tell


def _minutes(seconds: float) -> str:
    """Say a duration as people do."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
