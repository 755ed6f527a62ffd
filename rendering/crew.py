"""Who draws: this process, or a crew of them that each play the film and draw a share of it."""

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tqdm import tqdm  # type: ignore[import-untyped]

from rendering.failures import FilmFailed, writing
from rendering.pictures import Picture
from scenes.chapter import Chapter, Request, Said

LOOK_EVERY = 0.2  # seconds between two looks at what has been drawn

Tell = Callable[[str], None]  # hears the name of every beat that has been drawn
Drawn = dict[str, Said]  # the beats drawn, and how they were played


@dataclass(frozen=True)
class Job:
    """Beats of a film to be drawn, each to its path; `place` is where they will stand."""

    film: type[Chapter]
    request: Request
    picture: Picture
    clips: Mapping[str, Path]
    place: Path


class Crew:
    """Up to `size` processes, started when they are first needed and kept from film to film."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._send_home(at_once=error is not None)

    def draw(self, job: Job, work: Mapping[str, float], tell: Tell) -> Drawn:
        """Draw a job's beats, in shares of about equal `work`."""
        if self.size == 1 or len(job.clips) == 1 or job.picture.format == "png":
            return draw_share(job, tell)
        futures = self._hand_out(job, work)
        try:
            _watch(futures, job.clips, tell)
            return {name: said for future in futures for name, said in future.result().items()}
        except BrokenProcessPool:
            self._send_home(at_once=True)
            raise FilmFailed(
                f"A process that drew {job.film.slug()} ended unexpectedly, perhaps for lack of "
                "memory: try again with -j 1."
            ) from None
        except BaseException:  # nobody waits for the other shares any more
            self._send_home(at_once=True)
            raise

    def _hand_out(self, job: Job, work: Mapping[str, float]) -> list["Future[Drawn]"]:
        parts = [
            Job(job.film, job.request, job.picture, {n: job.clips[n] for n in names}, job.place)
            for names in shares({name: work[name] for name in job.clips}, self.size)
        ]
        if self._pool is None:
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.size, spawn, _begin_work)
        with _ctrl_c_held():  # only this process answers it; the crew is sent home
            return [self._pool.submit(draw_share, part) for part in parts]

    def _send_home(self, *, at_once: bool) -> None:
        """End the processes: after their work, or at once if nobody waits for it any more."""
        if self._pool is None:
            return
        if at_once:
            for process in multiprocessing.active_children():
                process.kill()
        self._pool.shutdown(cancel_futures=True)
        self._pool = None


def draw_share(job: Job, tell: Tell = lambda _: None) -> Drawn:
    """Draw a job's beats in this process."""
    from rendering import playing  # noqa: PLC0415 - a worker first sees to its signals and warnings

    with writing(job.place):
        return playing.draw(job.film, job.request, job.picture, job.clips, tell)


def shares(work: Mapping[str, float], count: int) -> list[list[str]]:
    """Return names in up to `count` lists of about equal work, longest first to the least busy."""
    lists: list[list[str]] = [[] for _ in range(min(count, len(work)))]
    for name in sorted(work, key=lambda name: work[name], reverse=True):
        min(lists, key=lambda names: sum(work[each] for each in names)).append(name)
    return lists


def _watch(futures: list["Future[Drawn]"], clips: Mapping[str, Path], tell: Tell) -> None:
    """Tell of each beat once its last frame stands beside its clip, until all work has ended."""
    pending, told = set(futures), set[str]()
    while pending:
        done, pending = wait(pending, LOOK_EVERY, FIRST_EXCEPTION)
        for name, clip in clips.items():
            if name not in told and clip.with_suffix(".png").exists():
                told.add(name)
                tell(name)
        for future in done:
            future.result()


def _begin_work() -> None:
    """Set up a worker: quiet, and gone as soon as whoever started it is gone."""
    warnings.simplefilter("ignore")
    tqdm.set_lock(threading.RLock())  # manim's bars; a lock between processes would outlive us
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Hold back Ctrl-C for a moment; a process started meanwhile never hears it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
