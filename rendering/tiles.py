"""Which parts of a frame have changed, kept as a grid of tiles and read as few rectangles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt

from rendering.figures import Rectangle

TILE = 32  # pixels; even, so that no two tiles share a pixel of halved colour
Grid = npt.NDArray[np.bool_]


class Tiles:
    """The tiles of a frame of `width` by `height` pixels, some of them marked."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._marked: Grid = np.zeros((-(-height // TILE), -(-width // TILE)), dtype=bool)

    def mark(self, rectangle: Rectangle) -> None:
        """Mark the tiles that a rectangle touches; it may lie outside the frame."""
        left, top, right, bottom = rectangle
        rows = slice(max(top, 0) // TILE, -(-max(bottom, 0) // TILE))
        self._marked[rows, max(left, 0) // TILE : -(-max(right, 0) // TILE)] = True

    def mark_all(self) -> None:
        """Mark every tile."""
        self._marked[:] = True

    def take(self) -> list[Rectangle]:
        """Return rectangles that hold every marked tile, none twice, and unmark all."""
        found = [
            (left * TILE, top * TILE, min(right * TILE, self.width), min(end * TILE, self.height))
            for left, top, right, end in _cut(self._marked)
        ]
        self._marked[:] = False
        return found


def _cut(marked: Grid, left: int = 0, top: int = 0) -> Iterator[Rectangle]:
    """Cut a grid along its empty rows and columns, until its parts have none."""
    bands = list(_runs(np.any(marked, axis=1)))
    for first, last in bands:
        band = marked[first:last]
        columns = list(_runs(np.any(band, axis=0)))
        if len(bands) == len(columns) == 1:
            yield left + columns[0][0], top + first, left + columns[0][1], top + last
            continue
        for start, end in columns:
            yield from _cut(band[:, start:end], left + start, top + first)


def _runs(flags: npt.ArrayLike) -> Iterator[tuple[int, int]]:
    """Yield the first and the one after the last of every unbroken run of true flags."""
    end = 0
    for flag, run in groupby(np.asarray(flags).tolist()):
        start, end = end, end + sum(1 for _ in run)
        if flag:
            yield start, end
