"""What a film read of a model while it was played, noted as it happens.

Rendering takes from it what a clip was made from, to tell later whether the clip is still fresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

Data = TypeVar("Data")


@dataclass
class Diary:
    """Everything read so far, by name."""

    reads: dict[str, object] = field(default_factory=dict)

    def note(self, name: str, data: Data) -> Data:
        """Note that a film reads `data` under a name, and return `data`."""
        self.reads.setdefault(name, data)
        return data

    def watch(self, data: Data, prefix: str = "") -> Data:
        """Return a dataclass that notes each field as it is read, under `prefix` and its name.

        A field that is itself a dataclass or a mapping is watched too: `cutting.ids`.
        """
        kind = type(data)
        names = {each.name for each in fields(data)}  # type: ignore[arg-type]
        seen = object.__new__(_watched(kind, names, self._look, prefix))
        vars(seen).update(vars(data))
        return seen

    def watch_all(self, named: Mapping[str, Data], prefix: str = "") -> Mapping[str, Data]:
        """Return a mapping that notes each entry as it is read, under `prefix` and its key."""
        return _Watched(named, self, prefix)

    def _look(self, name: str, data: object) -> object:
        if isinstance(data, Mapping):
            return self.watch_all(data, f"{name}.")
        return self.watch(data, f"{name}.") if is_dataclass(data) else self.note(name, data)


class _Watched(Mapping[str, Data]):
    """A mapping whose entries are noted when they are read; its keys are not."""

    def __init__(self, named: Mapping[str, Data], diary: Diary, prefix: str) -> None:
        self._named, self._diary, self._prefix = named, diary, prefix

    def __getitem__(self, name: str) -> Data:
        return self._diary.note(self._prefix + name, self._named[name])

    def __getattr__(self, name: str) -> Data:
        """Return `weights.W_Q` for `weights["W_Q"]`."""
        if name.startswith("_") or name not in self._named:
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)


def _watched(
    kind: type[Data], names: set[str], look: Callable[[str, object], object], prefix: str
) -> type[Data]:
    """Return a subclass of `kind` that passes each field through `look` as it is read."""

    def get(self: object, name: str) -> Any:  # noqa: ANN401 - whatever the field holds
        data = object.__getattribute__(self, name)
        return look(prefix + name, data) if name in names else data

    return type(kind.__name__, (kind,), {"__getattribute__": get})
