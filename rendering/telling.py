"""How a run is told on stderr: bars that move in a terminal, a line a step elsewhere."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TimeElapsedColumn
from rich.progress import TimeRemainingColumn as TimeLeftColumn


class Teller:
    """Tells which film is being made and how many of its beats are drawn."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
        self._moves = self._console.is_terminal
        self._bars = Progress(
            "{task.description}",
            BarColumn(),
            MofNCompleteColumn(),
            "beats",
            TimeElapsedColumn(),
            TimeLeftColumn(),
            console=self._console,
            disable=not self._moves,
        )
        self._film = ""
        self._task = TaskID(0)
        self._done, self._total = 0, 0

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def begin(self, film: str, beats: int) -> None:
        """Tell that a film with this many beats to draw comes next."""
        self._film, self._done, self._total = film, 0, beats
        self._task = self._bars.add_task(film, total=beats)

    def drawn(self, beat: str) -> None:
        """Tell that a beat of it has been drawn."""
        self._done += 1
        self._bars.advance(self._task)
        if not self._moves:
            self.say(f"{self._film}: {beat} drawn, {self._done} of {self._total}")

    def say(self, line: str) -> None:
        """Tell anything else."""
        self._console.print(line)
