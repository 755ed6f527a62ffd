# ruff: noqa: PLC0415 - Dask is an extra
"""Shares drawn on a Dask cluster; clips come back as bytes, so no disk need be shared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from model.errors import Unusable
from model.huggingface.folder import files_of
from rendering import recipe
from rendering.away import Parcel, Return, differences, draw_away
from rendering.crew import Pool
from rendering.failures import FilmFailed
from rendering.order import Order
from rendering.share import Share

PATIENCE = "10s"  # for a scheduler to answer
ADDRESS = re.compile(r"([a-z]+://)?[^/\s]+:\d+")
SAME = "give it the same code and the same versions"


class Cluster(Pool):
    """Draws shares on the workers of a Dask scheduler."""

    def __init__(self, address: str) -> None:
        super().__init__(0)
        self._address = address
        self._checkpoints: dict[Path, Any] = {}  # sent to every worker, by folder
        self._fit: set[str] = set()  # the workers that draw as this machine does

    @property
    def size(self) -> int:
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

    def hire(self, shares: Sequence[Share]) -> Executor:
        """Find out which workers would draw as this machine does, and have them draw."""
        orders = list({share.order: None for share in shares})
        wanted = [(_sent(order), recipe.of_clips(order)) for order in orders]
        found = self._client.run(differences, wanted, on_error="return")
        fit = [address for address, reasons in found.items() if reasons == []]
        refused = [_refusal(address, why) for address, why in found.items() if why != []]
        if not fit:
            raise Unusable(refused[0])
        for sentence in refused:
            self.say(sentence)
        self._fit = set(fit)
        executor: Executor = self._client.get_executor(workers=fit, pure=False)
        return executor

    def submit(self, executor: Executor, share: Share) -> Future[Any]:
        """Send a share away; the checkpoint that it is about is sent once."""
        parcel = Parcel(_sent(share.order), share.beats)
        return executor.submit(draw_away, parcel, self._checkpoint(share.order.asked.folder))

    def receive(self, share: Share, result: Any) -> Exception | None:  # noqa: ANN401 - as submitted
        """Unpack what came back into the share's folder."""
        assert isinstance(result, Return)
        for name, content in sorted(result.files.items(), key=_reports_last):
            path = share.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return result.problem

    def look_after(self) -> None:
        """Raise `FilmFailed` if every worker that could draw is gone."""
        if not self._fit & set(self._client.scheduler_info(n_workers=-1)["workers"]):
            raise FilmFailed(
                "All workers of the cluster are gone: start some and run this again; what was "
                "finished is kept."
            )

    def send_home(self) -> None:
        """Leave the cluster; what it still draws is cancelled."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None
        if "_client" in vars(self):
            self._client.close()

    def _checkpoint(self, folder: Path) -> Any:  # noqa: ANN401 - Dask has no types
        """Return a checkpoint's files as all workers have them, in case one of them dies."""
        if folder not in self._checkpoints:
            files = {name: (folder / name).read_bytes() for name in files_of(folder)}
            everywhere = {"workers": sorted(self._fit), "broadcast": True}
            (self._checkpoints[folder],) = self._client.scatter([files], **everywhere)
        return self._checkpoints[folder]


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


def _sent(order: Order) -> Order:
    """Return an order without what only this process has of it: the film as it was imported."""
    return replace(order, card=replace(order.card, film=None), media=Path())


def _refusal(address: str, why: object) -> str:
    if isinstance(why, list):
        return f"The worker at {address} is refused, for {why[0].lower()} there: {SAME}."
    return f"The worker at {address} is refused, for it cannot run our code ({why}): {SAME}."


def _reports_last(item: tuple[str, bytes]) -> bool:
    """Sort a share's reports behind the files that they tell of."""
    return item[0].startswith("reports")
