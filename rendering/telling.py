"""How a run is told on stderr: bars that move in a terminal, a line a step elsewhere."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.progress import TimeRemainingColumn as TimeLeftColumn


class Teller:
    """Tells which films are being made, how far they are, and how fast their frames are drawn."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._moves = self._console.is_terminal
        self._bars = Progress(
            "{task.description}",
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("beats  {task.fields[pace]}"),
            TimeLeftColumn(),
            console=self._console,
            disable=not self._moves,
        )
        self._tasks: dict[str, TaskID] = {}
        self._frames: dict[str, float] = {}
        self._began: dict[str, float] = {}

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def begin(self, film: str, beats: int) -> None:
        """Tell that a film with this many beats to draw is under way."""
        self._began[film], self._frames[film] = time.monotonic(), 0
        self._tasks[film] = self._bars.add_task(film, total=beats, pace="")

    def drawn(self, film: str, beat: str, frames: float) -> None:
        """Tell that a beat of it has been drawn, of this many frames."""
        self._frames[film] += frames
        pace = self._frames[film] / max(time.monotonic() - self._began[film], 0.1)
        task = self._tasks[film]
        self._bars.update(task, advance=1, pace=f"{pace:.0f} frames/s")
        if not self._moves:
            now = self._bars._tasks[task]  # noqa: SLF001 - rich offers no way to ask
            self.say(f"{film}: {beat} drawn, {now.completed:.0f} of {now.total:.0f}")

    def say(self, line: str) -> None:
        """Tell anything else."""
        self._console.print(line)
