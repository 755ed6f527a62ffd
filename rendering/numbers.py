"""The numbers that films have read, kept beside the films. Knows no model and no film.

What a film reads has a name (`pattern`) and a digest. The arrays themselves are kept too, under
their digests, so that numbers which moved by less than `PRECISION` can be told from others. The
folder may be deleted at any time: then more may be made again than is needed, never less.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.files import write_whole

FOLDER = ".numbers"
PRECISION = 1e-4  # of a number itself
NEAR_ZERO = 1e-5  # and for the smallest ones this much
LARGEST = 64 * 2**20  # bytes of an array that is kept
ROOM = 512 * 2**20  # bytes of all that is kept; beyond it the oldest go


class KeptNumbers:
    """What has been read of models, in a media directory."""

    def __init__(self, media: Path) -> None:
        self.folder = media / FOLDER

    def keep(self, reads: Mapping[str, object]) -> dict[str, str]:
        """Keep the arrays and numbers of what was read, unless very large; return all digests."""
        digests = {name: digest_of(data) for name, data in reads.items()}
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, data in reads.items():
            array = _as_array(data)
            if array is not None and array.nbytes <= LARGEST:
                aside = self.folder / f".{digests[name]}.{os.getpid()}.npy"
                np.save(aside, array, allow_pickle=False)
                aside.replace(self.folder / f"{digests[name]}.npy")
        return digests

    def digests(self, key: str, read: Callable[[], Mapping[str, object]]) -> dict[str, str]:
        """Return the digests of what is read under a key, which `read` reads if nobody has yet."""
        path = self.folder / f"{key}.json"
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            found = self.keep(read())
            write_whole({path: json.dumps(found).encode()})
            return found

    def same(self, one: str, other: str) -> bool:
        """Return whether what these digests stand for is the same, as far as a film can show."""
        return one == other or agree(self._kept(one), self._kept(other))

    def trim(self) -> None:
        """Remove what was kept longest ago, if there is too much."""
        found = []
        for path in self.folder.glob("[!.]*.*"):
            with suppress(FileNotFoundError):  # another run has removed it
                found.append((path.stat().st_mtime_ns, path.stat().st_size, path))
        room = ROOM
        for _, size, path in sorted(found, reverse=True):
            room -= size
            if room < 0:
                path.unlink(missing_ok=True)

    def _kept(self, digest: str) -> NDArray[np.generic] | None:
        try:
            found: NDArray[np.generic] = np.load(self.folder / f"{digest}.npy", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return found if digest_of(found) == digest else None


def digest_of(data: object) -> str:
    """Return the digest of anything a film reads: an array, a number, a text, a record of them."""
    array = _as_array(data)
    if array is None:
        return hashlib.sha256(json.dumps(_plain(data)).encode()).hexdigest()
    whole = np.ascontiguousarray(array)
    head = f"{whole.dtype.str} {array.shape}\n".encode()
    return hashlib.sha256(head + whole.tobytes()).hexdigest()


def agree(one: NDArray[np.generic] | None, other: NDArray[np.generic] | None) -> bool:
    """Return whether arrays are equal at the stated precision; whole numbers must be equal."""
    if one is None or other is None or one.shape != other.shape:
        return False
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if _is_whole(a) and _is_whole(b):
        return bool(np.array_equal(a, b))
    with np.errstate(invalid="ignore"):  # infinities, which are equal or not
        near = np.abs(a - b) <= np.maximum(NEAR_ZERO, PRECISION * np.abs(a))
    return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))


def _is_whole(array: NDArray[np.float64]) -> bool:
    """Return whether an array holds counts, places or ids."""
    finite = array[np.isfinite(array)]
    return bool(np.array_equal(finite, np.rint(finite)))


def _as_array(data: object) -> NDArray[np.generic] | None:
    """Return numbers as an array; None for what is no number."""
    if isinstance(data, np.ndarray):
        return data
    return np.asarray(data, np.float64) if isinstance(data, float | np.floating) else None


def _plain(data: object) -> object:
    """Return a record as lists, texts and whole numbers; arrays in it as their digests."""
    if is_dataclass(data):
        return [type(data).__name__, *(_plain(getattr(data, each.name)) for each in fields(data))]
    if isinstance(data, Mapping):
        return sorted(([str(key), _plain(value)] for key, value in data.items()), key=str)
    if isinstance(data, tuple | list):
        return [_plain(each) for each in data]
    if isinstance(data, bytes):
        return data.hex()
    if isinstance(data, np.ndarray):
        return digest_of(data)
    return data if isinstance(data, int | float | str | None) else str(data)
