# ruff: noqa: PLC0415 - Dask is an extra
"""Shares drawn on a Dask cluster; clips come back as bytes, so no disk need be shared.

A worker compares its code with ours before it is given anything. It draws in a process of its own
making, because manim cannot draw two films at once in one; the process ends with the worker.
"""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from model.errors import Unusable
from model.files import write_whole
from model.huggingface.folder import files_of
from rendering.failures import PROJECT, FilmFailed, writing
from rendering.freshness import ingredients
from rendering.imports import file_of
from rendering.job import Job
from rendering.ledger import Ingredients
from rendering.numbers import KeptNumbers
from rendering.shares import Share, draw
from rendering.voice.voices import FOLDER, PIPER
from rendering.workers import Processes, set_up

PATIENCE = "10s"  # for a scheduler to answer
ADDRESS = re.compile(r"([a-z]+://)?[^/\s]+:\d+")
SAME = "give it the same code and the same versions"

Files: TypeAlias = dict[tuple[int, str], bytes]  # by which of a share's homes, and the path in it
Drawn: TypeAlias = tuple[Files, Exception | None]  # and what went wrong


class Cluster(Processes):
    """Draws shares on the workers of a Dask scheduler."""

    def __init__(self, address: str) -> None:
        super().__init__(0)
        self._address = address
        self._checkpoints: dict[Path, Any] = {}  # sent to every worker, by folder
        self._fit: list[str] = []  # the workers that draw as this machine does

    @property
    def count(self) -> int:
        """How many shares all workers draw at a time: one in each of their threads."""
        threads: int = sum(self._client.nthreads().values())
        if not threads:
            raise Unusable(
                f"The scheduler at {self._address} has no workers: start some with "
                f"`dask worker {self._address}`."
            )
        return threads

    @cached_property
    def _client(self) -> Any:  # noqa: ANN401 - Dask has no types
        return _client(self._address)

    def start(self, shares: Sequence[Share]) -> Executor:
        """Find out which workers would draw as this machine does, and have them draw."""
        for voice in filter(None, (share.job.voice for share in shares)):
            if voice.name.startswith(PIPER):
                raise Unusable("A voice file is on this machine alone: leave out --scheduler.")
        wanted = {share.job: (_sent(share.job), share.ingredients) for share in shares}
        found = self._client.run(differences, [*wanted.values()], on_error="return")
        self._fit = sorted(address for address, why in found.items() if why == [])
        refused = [_refusal(address, why) for address, why in found.items() if why != []]
        if not self._fit:
            raise Unusable(refused[0])
        for sentence in refused:
            self.say(sentence)
        executor: Executor = self._client.get_executor(workers=self._fit, pure=False)
        return executor

    def submit(self, executor: Executor, share: Share) -> Future[Any]:
        """Send a share away, with its recordings; a checkpoint is sent once to every worker."""
        folder = share.job.subject.folder
        if folder not in self._checkpoints:
            files = {name: (folder / name).read_bytes() for name in files_of(folder)}
            sent = self._client.scatter([files], workers=self._fit, broadcast=True)
            (self._checkpoints[folder],) = sent
        away = replace(share, job=_sent(share.job), folder=Path())
        recorded = share.job.voice.recordings if share.job.voice else {}
        sounds = [recorded[beat] for beat in share.beats if beat in recorded]
        sent_along = {file.name: file.read_bytes() for file in sounds} if recorded else None
        return executor.submit(draw_away, away, self._checkpoints[folder], sent_along)

    def receive(self, share: Share, result: Drawn) -> Exception | None:
        """Put what came back where it would stand if it had been drawn here, the entries last."""
        files, problem = result
        homes = _homes(share)
        last = sorted(files, key=lambda each: (homes[each[0]] == share.folder, ".json" in each[1]))
        with writing(share.job.place):
            write_whole({homes[home] / name: files[home, name] for home, name in last})
        return problem

    def look_after(self) -> None:
        """Raise `FilmFailed` if every worker that could draw is gone."""
        if not {*self._fit} & {*self._client.nthreads()}:
            raise FilmFailed(
                "All workers of the cluster are gone: start some and run this again; what was "
                "finished is kept."
            )

    def stop(self) -> None:
        """Leave the cluster; what it still draws is cancelled."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None
        if "_client" in vars(self):
            vars(self).pop("_client").close()
            self._checkpoints.clear()


def differences(wanted: Sequence[tuple[Job, Ingredients]]) -> list[str]:
    """Return, on a worker, what it would draw these jobs with that differs from the ingredients."""
    reasons: list[str] = []
    for job, there in wanted:
        here = ingredients(_at_home(job))
        reasons += there.changes(here)
        if not reasons and here.key != there.key:
            reasons.append("the model's code or PyTorch differs")
    return list(dict.fromkeys(reasons))


def draw_away(
    share: Share, checkpoint: Mapping[str, bytes], recordings: Mapping[str, bytes] | None
) -> Drawn:
    """Draw a share on a worker, in a process that ends with it, and return what it made.

    `checkpoint` holds the checkpoint's files by name, `recordings` those of a folder that speaks.
    """
    from distributed import get_worker

    workspace = Path(get_worker().local_directory)  # Dask removes it, at the latest after a kill
    with TemporaryDirectory(dir=workspace) as scratch:
        home = Path(scratch)
        folder, voice = _written(home / "checkpoint", checkpoint), share.job.voice_name
        if recordings is not None:
            voice = str(_written(home / "voice", recordings))
        job = _at_home(share.job)
        subject = replace(job.subject, checkpoint=folder)
        job = replace(job, subject=subject, media=home / "media", voice_name=voice)
        share = replace(share, job=job, folder=home / "drawn")
        problem = _draw_in_a_process(share)
        files = {
            (number, str(path.relative_to(each))): path.read_bytes()
            for number, each in enumerate(_homes(share))
            for path in each.rglob("*")
            if path.is_file()
        }
    return files, problem


def _written(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Return a new folder with files, by name."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def _homes(share: Share) -> tuple[Path, ...]:
    """Return the folders in which drawing a share leaves files."""
    media = share.job.media
    return share.job.place, KeptNumbers(media).folder, media / FOLDER, share.folder


def _draw_in_a_process(share: Share) -> Exception | None:
    """Draw a share in a process of its own; return what went wrong."""
    ours = multiprocessing.current_process()
    ours._config["daemon"] = False  # type: ignore[attr-defined] # noqa: SLF001 - it leaves with us
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), set_up) as pool:
        error = pool.submit(draw, share).exception()
    if isinstance(error, BrokenProcessPool):
        return FilmFailed(f"A process that drew {share.job.entry.slug} on a worker ended.")
    assert error is None or isinstance(error, Exception)
    return error


def _client(address: str) -> Any:  # noqa: ANN401 - Dask has no types
    if not ADDRESS.fullmatch(address):
        raise Unusable(f"{address} is no scheduler's address: give one such as tcp://host:8786.")
    try:
        from distributed import Client
    except ImportError:
        raise Unusable(
            "--scheduler needs Dask: install it with `pip install -e '.[dask]'` where the films' "
            "code is."
        ) from None
    try:
        make: Any = Client
        return make(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise Unusable(
            f"No Dask scheduler answers at {address}: start one with `dask scheduler`, or leave "
            "out --scheduler."
        ) from error


def _sent(job: Job) -> Job:
    """Return a job without what only this process has of it: the film as it was imported."""
    return replace(job, entry=replace(job.entry, film=None), media=Path())


def _at_home(job: Job) -> Job:
    """Return a job with its film's file as it stands on this machine."""
    source = file_of(job.entry.module, PROJECT) or job.entry.source
    return replace(job, entry=replace(job.entry, source=source))


def _refusal(address: str, why: object) -> str:
    if isinstance(why, list):
        return f"The worker at {address} is refused, for {why[0].lower()} there: {SAME}."
    return f"The worker at {address} is refused, for it cannot run our code ({why}): {SAME}."
