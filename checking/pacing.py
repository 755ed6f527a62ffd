"""When a film moves, when it stands still, and when it shows nothing. It knows no meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from checking.report import Fault
from checking.stage_view import StageView
from scenes.film import Film

LONGEST_REST = 2.5  # seconds, before a beat's last rest
LONGEST_LAST_REST = 4.0  # seconds, in a beat's last rest
MOST_AT_REST = 0.2  # the share of a film in which nothing moves
OPENING = 1.0  # seconds, in which a stage may be empty
STEP, STRIDE = 0.25, 0.5  # seconds between two looks at what stands still, and at what moves
FRAME = 0.05  # seconds; what is longer by less is no longer


class Pacing:
    """Watches a film as it is played; `moves` are the seconds, from and to, in which it changed.

    `look` is shown the stage at every step of every move.
    """

    def __init__(self, film: Film, look: Callable[[StageView], None]) -> None:
        self._film, self._look = film, look
        self._seen: StageView | None = None  # nothing, before the film begins
        self._began = self._rested = 0.0
        self.moves: list[tuple[float, float]] = []
        self._empty: list[float] = []  # seconds at which a move left nothing to be seen
        film.get_time_progression = self._steps  # type: ignore[method-assign]

    def _steps(self, run_time: float, *_: Any, **__: Any) -> Iterator[float]:  # noqa: ANN401 - manim's
        """Yield the times at which manim shall put its animations, and look after each of them."""
        start = float(self._film.time) - run_time  # manim counts the time of what it skips first
        time, step = 0.0, STRIDE
        while time < run_time:
            last, time = time, run_time if run_time - time < 1.5 * step else time + step
            yield time
            now, step = StageView.of(self._film), STEP
            if self._seen is None or not now.looks_like(self._seen):
                self.moves.append((start + last, start + time))
                step = STRIDE
            self._seen = now
            self._look(now)
            if start + time > OPENING and time < run_time and not now.shows_world:
                self._empty.append(start + time)

    def end_beat(self) -> Iterator[Fault]:
        """Yield the rests of the beat just played that are too long, and when it showed nothing."""
        if self._empty:
            yield Fault("blank", f"Nothing is seen at {self._empty[0]:.1f} s of the film.")
        rests = list(_gaps(self._began, self._film.time, self.moves))
        self._rested += sum(end - start for start, end in rests)
        for start, end in rests:
            is_last = end >= self._film.time - FRAME
            most = LONGEST_LAST_REST if is_last else LONGEST_REST
            if end - start > most + FRAME:
                where = "in the beat's last rest" if is_last else f"from {start:.1f} s of the film"
                what = f"Nothing moves for {end - start:.1f} s {where}"
                yield Fault("freeze", f"{what}; {most:.1f} s is the most.")
        self._began, self.moves, self._empty = float(self._film.time), [], []
        self._seen = StageView.of(self._film)

    def end_film(self) -> Iterator[Fault]:
        """Yield what is wrong if too much of the film is at rest."""
        share = self._rested / max(float(self._film.time), FRAME)
        if share > MOST_AT_REST:
            what = f"Nothing moves in {share:.0%} of the film"
            yield Fault("freeze", f"{what}; {MOST_AT_REST:.0%} is the most.")


def _gaps(
    start: float, end: float, moves: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """Yield what is left of the time from `start` to `end` between moves, which are in order."""
    for moved, stopped in [*moves, (end, end)]:
        if moved > start + FRAME:
            yield start, moved
        start = max(start, stopped)
