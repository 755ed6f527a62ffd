"""In how many documents of our corpus a text stands, as numbers that say so. It draws nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scenes.provenance import Value, count


@dataclass(frozen=True)
class Documents:
    """The first N documents of our corpus; `having` flags those with a text in them, (N,)."""

    having: Callable[[str], NDArray[np.bool_]]

    @cached_property
    def all(self) -> Value:
        """How many there are."""
        number = len(self.having(""))
        return count(number, f"of the first {number:,} documents of our corpus")

    def met(self, text: str) -> int:
        """Return in how many of them a text stands."""
        return int(self.having(text).sum())

    def found(self, text: str) -> Value:
        """Return the same as a number that says what was counted."""
        these = self.all.source.removeprefix("count: ")
        return count(self.met(text), f"those {these} in which '{text}' stands")
