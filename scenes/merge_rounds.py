"""The merges of a text in rounds, each shown at one go. It knows how a text was cut."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from model.tokenization import Cutting, Merge, Span


@dataclass(frozen=True)
class Round:
    """Merges that follow each other; `last` is the place of the last one among all merges."""

    merges: tuple[Merge, ...]
    last: int

    @property
    def gaps(self) -> list[int]:
        """The gaps that they close, in their order; gap i follows byte i."""
        return [merge.middle - 1 for merge in self.merges]

    @property
    def pairs(self) -> list[tuple[Span, int]]:
        """The bytes of each two neighbours, and the gap between them."""
        spans = [(merge.start, merge.end) for merge in self.merges]
        return list(zip(spans, self.gaps, strict=True))


def rounds_of(cutting: Cutting, later: int) -> list[Round]:
    """Return the merges of the pair that comes first, and the rest in at most `later` rounds."""
    if not cutting.merges:
        return []
    first, every = len(cutting.rules[0]), len(cutting.merges)
    edges = np.linspace(first, every, min(later, every - first) + 1).round().astype(int).tolist()
    return [Round(cutting.merges[start:end], end - 1) for start, end in pairwise([0, *edges])]
