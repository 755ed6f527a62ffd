"""Several films at once: what goes wrong with one does not stop the others.

jobs -> what of each is stale (freshness) -> shares of its beats (shares)
     -> clips in their places, each with its entry, drawn by workers
     -> the film of each job, and the course of all (assembly, course)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from model.errors import Unsuited, Unusable
from rendering import film_index
from rendering.assembly import assemble
from rendering.course import Course
from rendering.failures import FilmFailed, Unwritable, making_failed, writing
from rendering.film_index import FilmEntry
from rendering.folder_lock import FolderLock, sweep
from rendering.freshness import Freshness, freshness
from rendering.job import SHIPPED, Job, Subject
from rendering.names import keep_names
from rendering.pictures import Picture
from rendering.progress import Display, Outcome, Summary, raise_together
from rendering.shares import Share, divide
from rendering.sounding import refuse_unheard, speak_anew
from rendering.voice.voices import DEFAULT, NONE
from rendering.workers import Hooks, Processes, Workers, cores


def jobs(
    names: Sequence[str], picture: Picture, chosen: dict[str, Any], commands: Sequence[str] = ()
) -> list[Job]:
    """Return a job for each film named; `Unusable` if one cannot be carried out."""
    return jobs_of(film_index.find(names, commands), picture, chosen)


def jobs_of(found: Sequence[FilmEntry], picture: Picture, chosen: dict[str, Any]) -> list[Job]:
    """Return a job for each of some films."""
    beats = tuple(chosen.get("beats", ()))
    film_index.refuse_unknown_beats(found, beats)
    subject, again = Subject.of(chosen), chosen.get("again", False)
    digest, voice = subject.digest(), chosen.get("voice", NONE)
    media, music, stems = chosen["media"], chosen.get("music"), chosen.get("stems", False)
    wanted = [
        Job(entry, subject, picture, media, digest, beats, again, voice, music, stems)
        for entry in found
    ]
    refuse_unheard(wanted)
    return wanted


def hire(count: int | None, scheduler: str | None = None) -> Workers:
    """Return so many workers, one a core unless told, or those of a Dask cluster."""
    if scheduler:
        from rendering.cluster import Cluster  # noqa: PLC0415 - Dask is an extra

        return Cluster(scheduler)
    count = count or cores()
    return Processes(count) if count > 1 else Workers()


def render(
    wanted: Sequence[Job],
    workers: Workers,
    tell: Callable[[Summary], None],
    *,
    with_course: bool = True,
) -> None:
    """Make the files of films; in the end, however it comes, `tell` hears what became of them.

    All films together are also joined to the course, unless it is not wanted. Raises what went
    wrong, as one sentence for all, once everything else is made.
    """
    began, summary = time.monotonic(), Summary()
    try:
        with Display() as display, workers:
            run = Run(workers, display)
            summary.outcomes = run.outcomes
            course = Course.of(wanted) if with_course else None
            run.make(wanted, [course.map] if course else [])
            left_out = {each.job for each in run.outcomes if isinstance(each.problem, Unsuited)}
            course = course and Course.of(wanted, left_out)
            if course and all(each.is_done or each.job in left_out for each in run.outcomes):
                raise_together([each.problem for each in run.aside if each.problem], len(wanted))
                summary.course = course.make(display.say)
            summary.seconds = time.monotonic() - began
            if len(wanted) > 1:
                display.say(str(summary))
    finally:
        tell(summary)
    raise_together([each.problem for each in summary.outcomes if each.problem], len(wanted))


def compare(
    name: str,
    checkpoints: Sequence[Path],
    whole: Picture,
    chosen: dict[str, Any],
    workers: Workers,
) -> Path:
    """Make a film of two checkpoints, and put both side by side; return the path of both in one.

    Raises `Unusable` if one of them cannot show it, or if they are one and the same.
    """
    from rendering.comparison import Comparison, half  # noqa: PLC0415 - manim is slow to import

    if len({folder.resolve().name for folder in checkpoints}) < len({*checkpoints}):
        keep_names([each for each in checkpoints if each != SHIPPED], chosen["media"])
    one, other = (
        job
        for folder in checkpoints
        for job in jobs([name], half(whole), {**chosen, "checkpoint": folder})
    )
    if one.place == other.place:
        raise Unusable("Both checkpoints are the same: give two, such as gpt and smollm2.")
    render([one, other], workers, lambda _: None, with_course=False)
    with Display() as display:
        return Comparison((one, other), whole).make(display.say)


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
        self.aside: list[Outcome] = []  # and of those that nobody counts
        self._making: dict[Job, Outcome] = {}
        self._locks: dict[Job, FolderLock] = {}  # on the folders of those
        self._began = time.monotonic()

    def make(self, wanted: Sequence[Job], aside: Sequence[Job] = ()) -> list[Outcome]:
        """Make what is not fresh of jobs, and of some `aside`, such as the map of the course.

        A folder that another run holds is waited for.
        """
        self.outcomes += map(Outcome, wanted)
        self.aside += map(Outcome, aside)
        both = *self.outcomes, *self.aside
        stale = [each for each in both if not self._look(each).is_fresh]
        if stale:
            sweep(wanted[0].media)
            with ExitStack() as held:  # in one order, so that no two runs wait for each other
                for each in sorted(stale, key=lambda each: each.job.place):
                    lock = FolderLock(each.job.place).held(self.display.say)
                    self._locks[each.job] = held.enter_context(lock)
                self._make(stale)
            from rendering.numbers import KeptNumbers  # noqa: PLC0415 - needless for what is fresh

            KeptNumbers(wanted[0].media).trim()
        return self.outcomes

    def _look(self, outcome: Outcome) -> Freshness:
        found = freshness(outcome.job)
        outcome.reused = [name for name in outcome.job.names if name not in found.stale_beats]
        outcome.was_fresh = found.is_fresh
        if found.is_fresh:
            self.display.say(f"{outcome.job.label}: fresh, nothing to do")
        return found

    def _make(self, stale: Sequence[Outcome]) -> None:
        """Make films whose folders are held, all at once; let go of each as it is done.

        They are looked at once more: another run may just have let go of one.
        """
        self._making = {each.job: each for each in stale}
        found = {each.job: self._look(each) for each in stale}
        work: dict[Job, list[str]] = {}
        for job, each in found.items():
            lock, outcome = self._locks[job], self._making[job]
            if each.is_fresh:
                lock.release()
                continue
            work[job] = each.stale_beats
            for beat in job.voice.missing(job.names) if job.voice else ():
                self.display.say(f"{job.entry.slug}: {beat} is not recorded, {DEFAULT} says it")
            if each.unsaid_beats:
                work[job] += speak_anew(job, each.unsaid_beats, lock.scratch)
            outcome.open = set(work[job])
            outcome.reused = [name for name in job.names if name not in outcome.open]
            self.display.begin(job.label, len(outcome.open))
            if not outcome.open:
                self._finish(outcome)
        shares = [
            Share(job, beats, self._locks[job].scratch, found[job].ingredients)
            for job, beats in (divide(work, self.workers.count) if any(work.values()) else ())
        ]
        if shares:
            aside = [each.job for each in self.aside]
            shares.sort(key=lambda share: share.job in aside)  # what is asked for comes first
            self.workers.draw(shares, Hooks(self._clip, self._end))

    def _clip(self, share: Share, beat: str) -> None:
        outcome, folder = self._making[share.job], share.job.subject.folder
        if folder != SHIPPED:
            with writing(share.job.media):
                keep_names([folder], share.job.media)
        outcome.open.discard(beat)
        outcome.drawn.append(beat)
        self.display.drawn(share.job.label, beat)
        if not outcome.open:
            self._finish(outcome)

    def _end(self, share: Share, error: Exception | None) -> None:
        if error is not None:
            self._failed(self._making[share.job], error)

    def _finish(self, outcome: Outcome) -> None:
        job, lock = outcome.job, self._locks[outcome.job]
        try:
            assemble(job, lock.scratch)
        except Exception as error:  # noqa: BLE001 - the other films go on
            self._failed(outcome, error)
            return
        finally:
            lock.release()
        outcome.seconds = time.monotonic() - self._began
        clips = f"{len(outcome.drawn)} clips drawn, {len(outcome.reused)} reused"
        self.display.say(f"{job.label}: made in {outcome.seconds:.0f} s, {clips}")

    def _failed(self, outcome: Outcome, error: Exception) -> None:
        """Note what went wrong; a folder that cannot be written is the same for all."""
        if isinstance(error, Unwritable):
            raise error
        if outcome.problem is None:
            outcome.problem = _problem(outcome.job, error)
            if len(self.outcomes) > 1:
                self.display.say(str(outcome.problem))


def _problem(job: Job, error: Exception) -> Exception:
    """Return an error as a sentence for the user."""
    is_known = isinstance(error, FilmFailed | Unusable)
    return error if is_known else making_failed(job.entry.slug, error)
