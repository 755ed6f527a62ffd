"""Several films at once: what goes wrong with one does not stop the others.

jobs -> what of each is stale (freshness) -> shares of its beats (shares)
     -> clips, each with its entry, drawn by workers -> their places (assembly)
     -> the film of each job, and the course of all (assembly, course)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from model.errors import Unsuited, Unusable
from rendering import film_index
from rendering.assembly import Assembly
from rendering.course import Course
from rendering.failures import FilmFailed, Unwritable, making_failed
from rendering.folder_lock import FolderLock, sweep
from rendering.freshness import Freshness, freshness
from rendering.job import Job, Subject
from rendering.ledger import Entry
from rendering.numbers import KeptNumbers
from rendering.pictures import Picture
from rendering.progress import Display, Outcome, Summary, raise_together
from rendering.shares import Share, divide
from rendering.workers import Hooks, Processes, Workers, cores


def jobs(
    names: Sequence[str], picture: Picture, chosen: dict[str, Any], commands: Sequence[str] = ()
) -> list[Job]:
    """Return a job for each film named; `Unusable` if one cannot be carried out."""
    found = film_index.find(names, commands)
    beats = tuple(chosen.get("beats", ()))
    film_index.refuse_unknown_beats(found, beats)
    subject, again = Subject.of(chosen), chosen.get("again", False)
    digest = subject.digest()
    return [Job(entry, subject, picture, chosen["media"], digest, beats, again) for entry in found]


def hire(count: int | None, scheduler: str | None = None) -> Workers:
    """Return so many workers, one a core unless told, or those of a Dask cluster."""
    if scheduler:
        from rendering.cluster import Cluster  # noqa: PLC0415 - Dask is an extra

        return Cluster(scheduler)
    count = count or cores()
    return Processes(count) if count > 1 else Workers()


def render(wanted: Sequence[Job], workers: Workers, tell: Callable[[Summary], None]) -> None:
    """Make the files of films; in the end, however it comes, `tell` hears what became of them.

    Raises what went wrong, as one sentence for all, once everything else is made.
    """
    began, summary = time.monotonic(), Summary()
    try:
        with Display() as display, workers:
            run = Run(workers, display)
            summary.outcomes = run.outcomes
            run.make(wanted)
            left_out = {each.job for each in run.outcomes if isinstance(each.problem, Unsuited)}
            course = Course.of(wanted, left_out)
            if course and all(each.is_done or each.job in left_out for each in run.outcomes):
                summary.course = course.make(display.say)
            summary.seconds = time.monotonic() - began
            if len(wanted) > 1:
                display.say(str(summary))
    finally:
        tell(summary)
    raise_together([each.problem for each in summary.outcomes if each.problem], len(wanted))


def for_each(wanted: Sequence[Job], act: Callable[[Job], None], say: Callable[[str], None]) -> None:
    """Do something with every job; raise in the end if some failed, told by `say` before.

    A media directory that cannot be written is the same for all, and is raised at once.
    """
    problems: list[Exception] = []
    for job in wanted:
        try:
            act(job)
        except Unwritable:
            raise
        except Exception as error:  # noqa: BLE001 - the other films go on
            problems.append(_problem(job, error))
            if len(wanted) > 1:
                say(str(problems[-1]))
    raise_together(problems, len(wanted))


class Run:
    """Films being made together by the same workers."""

    def __init__(self, workers: Workers, display: Display) -> None:
        self.workers, self.display = workers, display
        workers.say = display.say
        self.outcomes: list[Outcome] = []  # what has become of each job so far
        self._outcomes: dict[Job, Outcome] = {}
        self._made: dict[Job, Assembly] = {}
        self._shares: dict[Job, int] = {}  # that have not ended
        self._began = time.monotonic()

    def make(self, wanted: Sequence[Job]) -> list[Outcome]:
        """Make what is not fresh of some jobs; those of another run come last."""
        for job in wanted:
            self._outcomes[job] = Outcome(job)
            self.outcomes.append(self._outcomes[job])
        stale = [job for job in wanted if not self._look(job).is_fresh]
        if stale:
            sweep(wanted[0].media)
            with ExitStack() as ending:
                locks = {job: FolderLock(job.place) for job in stale}
                for lock in locks.values():
                    ending.callback(lock.release)
                held = {job: lock for job, lock in locks.items() if lock.take()}
                self._make(held)
                for job, lock in locks.items():
                    if job not in held:
                        lock.wait(self.display.say)
                        self._make({job: lock})
            KeptNumbers(wanted[0].media).trim()
        return self.outcomes

    def _look(self, job: Job) -> Freshness:
        found, outcome = freshness(job), self._outcomes[job]
        outcome.reused = [name for name in job.names if name not in found.stale_beats]
        outcome.was_fresh = found.is_fresh
        if found.is_fresh:
            self.display.say(f"{job.entry.slug}: fresh, nothing to do")
        return found

    def _make(self, locks: dict[Job, FolderLock]) -> None:
        """Make films whose folders are held, all at once; let go of each as it is done.

        They are looked at once more: another run may just have let go of one.
        """
        for job, lock in locks.items():
            found = self._look(job)
            if found.is_fresh:
                lock.release()
            else:
                self._made[job] = Assembly(found, lock)
                self.display.begin(job.entry.slug, len(found.stale_beats))
        making = [self._made[job] for job in locks if job in self._made]
        shares = self._divided(making)
        for each in making:
            if not each.open:
                self._finish(each)
        if shares:
            self.workers.draw(shares, Hooks(self._clip, self._end))

    def _divided(self, making: Sequence[Assembly]) -> list[Share]:
        work = {
            each.job: [beat for beat in each.job.names if beat in each.open]
            for each in making
            if each.open
        }
        parts = divide(work, self.workers.count) if work else []
        self._shares = {job: sum(each is job for each, _ in parts) for job in work}
        return [
            Share(job, beats, self._made[job].folder, self._made[job].ingredients)
            for job, beats in parts
        ]

    def _clip(self, share: Share, beat: str, entry: Entry) -> None:
        job, making = share.job, self._made[share.job]
        if (problem := _model_changed(job)) is not None:
            self._failed(job, problem)
            return
        making.keep(share, beat, entry)
        self._outcomes[job].drawn.append(beat)
        self.display.drawn(job.entry.slug, beat, entry.played["duration"] * job.picture.fps)
        if not making.open:
            self._finish(making)

    def _end(self, share: Share, error: Exception | None) -> None:
        self._shares[share.job] -= 1
        if error is not None:
            self._failed(share.job, error)
        if not self._shares[share.job] and self._made[share.job].open:
            self._made[share.job].lock.release()

    def _finish(self, making: Assembly) -> None:
        try:
            making.finish()
        except Unwritable:
            raise
        except Exception as error:  # noqa: BLE001 - the other films go on
            self._failed(making.job, error)
            return
        finally:
            making.lock.release()
        outcome = self._outcomes[making.job]
        outcome.seconds = time.monotonic() - self._began
        clips = f"{len(outcome.drawn)} clips drawn, {len(outcome.reused)} reused"
        self.display.say(f"{making.job.entry.slug}: made in {outcome.seconds:.0f} s, {clips}")

    def _failed(self, job: Job, error: Exception) -> None:
        """Note what went wrong; a folder that cannot be written is the same for all."""
        if isinstance(error, Unwritable):
            raise error
        outcome = self._outcomes[job]
        if outcome.problem is None:
            outcome.problem = _problem(job, error)
            if len(self._outcomes) > 1:
                self.display.say(str(outcome.problem))


def _problem(job: Job, error: Exception) -> Exception:
    """Return an error as a sentence for the user."""
    is_known = isinstance(error, FilmFailed | Unusable)
    return error if is_known else making_failed(job.entry.slug, error)


def _model_changed(job: Job) -> Exception | None:
    """Return what is wrong if the model is no longer the one that the job is for."""
    try:
        if job.subject.digest() == job.digest:
            return None
    except Unusable as problem:
        return problem
    return FilmFailed(
        f"The checkpoint {job.subject.folder} changed while {job.entry.slug} was drawn: run it "
        "again."
    )
