"""Who draws: this process, or several others, each drawing a share of a film at a time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Self

from tqdm import tqdm  # type: ignore[import-untyped]

from rendering.job import Job
from rendering.shares import Share, draw

LOOK_EVERY = 0.1  # seconds between two looks at what has been drawn


@dataclass(frozen=True)
class Hooks:
    """What is called for a clip in its place, and for a share that ended, perhaps in an error."""

    clip: Callable[[Share, str], None]
    end: Callable[[Share, Exception | None], None]


class Workers:
    """Draws shares one after the other in this process."""

    say: Callable[[str], None] = print  # hears what a viewer of the run should know

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def count(self) -> int:
        """How many shares are drawn at a time."""
        return 1

    def stop(self) -> None:
        """End what was started to do the work, at once: nobody waits for it any more."""

    def doing(self, do: Callable[[Job], Any], jobs: Sequence[Job]) -> Callable[[Job], Any]:  # noqa: ARG002 - one at a time
        """Return what gives the result of each of some jobs, or raises its error."""
        return do

    def draw(self, shares: Sequence[Share], hooks: Hooks) -> None:
        """Draw shares, in this order."""
        for share in shares:
            error: Exception | None = None
            try:
                draw(share, partial(hooks.clip, share))
            except Exception as raised:  # noqa: BLE001 - whatever it is, the others go on
                error = raised
            hooks.end(share, error)


class Processes(Workers):
    """Draws shares in several processes, started when they are first needed."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._executor: Executor | None = None
        self._told: set[tuple[Share, str]] = set()

    @property
    def count(self) -> int:
        """How many processes there are at most."""
        return self._count

    def doing(self, do: Callable[[Job], Any], jobs: Sequence[Job]) -> Callable[[Job], Any]:
        """Begin with several jobs at once; `do` is a function of a module."""
        if len(jobs) < 2:
            return do
        self._executor = self.start(())
        with _signals_held():
            pending = {job: self._executor.submit(do, job) for job in jobs}
        return lambda job: _as_done([pending[job]]).get().result()

    def draw(self, shares: Sequence[Share], hooks: Hooks) -> None:
        """Draw shares, the first ones first; those of a process that dies are drawn once more."""
        lost = self._draw(shares, hooks)
        for share in self._draw(lost, hooks) if lost else []:
            hooks.end(share, BrokenProcessPool())

    def stop(self) -> None:
        """Kill the processes: to let them end by themselves takes half a second."""
        if self._executor is not None:
            for process in multiprocessing.active_children():
                process.kill()
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def start(self, shares: Sequence[Share]) -> Executor:  # noqa: ARG002 - any process will do
        """Start what carries out the work, of which these shares are the first."""
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, spawn, set_up)

    def submit(self, executor: Executor, share: Share) -> Future[Any]:
        """Hand out a share."""
        return executor.submit(draw, share)

    def receive(self, share: Share, result: Any) -> Exception | None:  # noqa: ANN401, ARG002
        """Put what came of a share in its place, and return what went wrong."""
        return None

    def look_after(self) -> None:
        """Raise an error if nobody is left to do the work."""

    def _draw(self, shares: Sequence[Share], hooks: Hooks) -> list[Share]:
        """Draw shares; return what is left of those whose process died."""
        self._executor = self._executor or self.start(shares)
        with _signals_held():  # only this process answers them; the others are stopped
            pending = {self.submit(self._executor, share): share for share in shares}
        done = _as_done(pending)
        lost: list[Share] = []
        try:
            while pending:
                future: Future[Any] | None = None
                with suppress(Empty):
                    future = done.get(timeout=LOOK_EVERY)
                self.look_after()
                for share in pending.values():
                    self._look(share, hooks)
                if future is not None:
                    lost += self._end(pending.pop(future), future, hooks)
        except BaseException:  # nobody waits for the other shares any more
            self.stop()
            for share in pending.values():
                self._look(share, hooks)
            raise
        if lost:
            self.stop()
        return lost

    def _end(self, share: Share, future: Future[Any], hooks: Hooks) -> list[Share]:
        """Tell how a share ended; if its process died, return what is left of it."""
        error = BrokenProcessPool() if future.cancelled() else future.exception()
        if error is None:
            error = self.receive(share, future.result())
        left = self._look(share, hooks)
        died = isinstance(error, BrokenProcessPool)
        if died and left:
            return [replace(share, beats=left)]
        assert error is None or isinstance(error, Exception)
        hooks.end(share, None if died else error)
        return []

    def _look(self, share: Share, hooks: Hooks) -> tuple[str, ...]:
        """Tell of a share's clips that are in their place now; return the beats still to come."""
        for beat in share.beats:
            if (share, beat) not in self._told and share.mark(beat).exists():
                self._told.add((share, beat))
                hooks.clip(share, beat)
        return tuple(beat for beat in share.beats if (share, beat) not in self._told)


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def set_up() -> None:
    """Set up a process that draws: quiet, and gone as soon as whoever started it is gone."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave() -> None:
        parent.join()
        os._exit(1)

    warnings.simplefilter("ignore")
    tqdm.set_lock(threading.RLock())  # manim's bars; a lock between processes would outlive us
    threading.Thread(target=leave, daemon=True).start()


def _as_done(futures: Iterable[Future[Any]]) -> SimpleQueue[Future[Any]]:
    """Return a queue that futures come to when done: who waits there holds no lock of theirs.

    One that an interruption left locked would keep its executor, and so the run, from ending.
    """
    done: SimpleQueue[Future[Any]] = SimpleQueue()
    with _signals_held():
        for future in futures:
            future.add_done_callback(done.put)
    return done


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back what ends a run for a moment; a process started meanwhile never hears it."""
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
