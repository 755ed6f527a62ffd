"""Who draws: this process, or a crew of them, each drawing a share of a film at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self

from tqdm import tqdm  # type: ignore[import-untyped]

from rendering.failures import FilmFailed
from rendering.share import Report, Share, draw

LOOK_EVERY = 0.1  # seconds between two looks at what has been drawn


@dataclass(frozen=True)
class Ears:
    """Who hears of a clip that is whole, and of a share that ended, well or with an error."""

    clip: Callable[[Share, Report], None]
    end: Callable[[Share, Exception | None], None]


class Crew:
    """Draws shares one after the other in this process."""

    say: Callable[[str], None] = print  # hears what a viewer of the run should know

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.send_home()

    @property
    def size(self) -> int:
        """How many shares are drawn at a time."""
        return 1

    def send_home(self) -> None:
        """End what was started to do the work, at once: nobody waits for it any more."""

    def draw(self, shares: Sequence[Share], ears: Ears) -> None:
        """Draw shares, in this order."""
        for share in shares:
            try:
                draw(share, lambda report, share=share: ears.clip(share, report))  # type: ignore[misc]
            except Exception as error:  # noqa: BLE001 - whatever it is, the others go on
                ears.end(share, error)
            else:
                ears.end(share, None)


class Pool(Crew):
    """Draws shares in several processes, started when they are first needed."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._executor: Executor | None = None
        self._told: set[tuple[Share, str]] = set()

    @property
    def size(self) -> int:
        """How many processes there are at most."""
        return self._size

    def draw(self, shares: Sequence[Share], ears: Ears) -> None:
        """Draw shares, the first ones first; those of a process that dies are drawn once more."""
        lost = self._draw(shares, ears)
        lost = self._draw(lost, ears) if lost else []
        for share in lost:
            ears.end(share, _died(share))

    def send_home(self) -> None:
        """Kill the processes: to let them end by themselves takes half a second."""
        if self._executor is None:
            return
        for process in multiprocessing.active_children():
            process.kill()
        self._executor.shutdown(cancel_futures=True)
        self._executor = None

    def hire(self, shares: Sequence[Share]) -> Executor:  # noqa: ARG002 - any worker will do
        """Start what carries out the work, of which these shares are the first."""
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._size, spawn, _begin_work)

    def submit(self, executor: Executor, share: Share) -> Future[Any]:
        """Hand out a share."""
        return executor.submit(draw, share)

    def receive(self, share: Share, result: Any) -> Exception | None:  # noqa: ANN401, ARG002
        """Put what came of a share into its folder, and return what went wrong."""
        return None

    def look_after(self) -> None:
        """Raise an error if nobody is left to do the work."""

    def _draw(self, shares: Sequence[Share], ears: Ears) -> list[Share]:
        """Draw shares; return what is left of those whose process died."""
        self._executor = self._executor or self.hire(shares)
        with _ctrl_c_held():  # only this process answers it; the crew is sent home
            futures = {self.submit(self._executor, share): share for share in shares}
        lost: list[Share] = []
        pending = set(futures)
        try:
            while pending:
                done, pending = wait(pending, LOOK_EVERY, FIRST_COMPLETED)
                self.look_after()
                for share in futures.values():
                    self._look(share, ears)
                lost += [left for each in done if (left := self._end(futures[each], each, ears))]
        except BaseException:  # nobody waits for the other shares any more
            self.send_home()
            for share in futures.values():
                self._look(share, ears)
            raise
        if lost:
            self.send_home()
        return lost

    def _look(self, share: Share, ears: Ears) -> None:
        """Tell of the clips of a share that have become whole."""
        for beat in share.beats:
            if (share, beat) not in self._told and (report := share.report(beat)):
                self._told.add((share, beat))
                ears.clip(share, report)

    def _end(self, share: Share, future: Future[Any], ears: Ears) -> Share | None:
        """Tell how a share ended; if its process died, return what is left of it."""
        error = future.exception()
        if isinstance(error, BrokenProcessPool):
            left = tuple(beat for beat in share.beats if (share, beat) not in self._told)
            if left:
                return replace(share, beats=left)
            error = None
        if error is None and not future.exception():
            error = self.receive(share, future.result())
            self._look(share, ears)
        assert error is None or isinstance(error, Exception)
        ears.end(share, error)
        return None


def crew(jobs: int | None, scheduler: str | None = None) -> Crew:
    """Return a crew of so many processes, as many as there are cores unless told.

    With the address of a Dask scheduler, it is the workers of that cluster.
    """
    if scheduler:
        from rendering.cluster import Cluster  # noqa: PLC0415 - Dask is an extra

        return Cluster(scheduler)
    size = jobs or _cores()
    return Pool(size) if size > 1 else Crew()


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _died(share: Share) -> FilmFailed:
    return FilmFailed(
        f"A process that drew {share.order.card.slug} ended unexpectedly, perhaps for lack of "
        "memory: try again with -j 1."
    )


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
