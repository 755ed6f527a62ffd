"""What layer norm measures of a vector, or RMS norm, before it brings its numbers to one size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenes.analysis.softmax import standard_deviation
from scenes.provenance import Tensor, Value, dot, entry_count, mean, root


@dataclass(frozen=True)
class Tidied:
    """A vector of the stream, where its middle is and how far it spreads."""

    vector: Tensor
    middle: Value | None  # None where the model takes no mean away
    spread: Value

    @classmethod
    def of(cls, vector: Tensor, *, has_mean: bool) -> Tidied:
        """Measure a vector as layer norm does, or as RMS norm does."""
        if has_mean:
            return cls(vector, mean(vector.values), standard_deviation(vector))
        spread = root(dot(vector, vector) / entry_count(vector))
        return cls(vector, None, spread)

    @property
    def off(self) -> float:
        """What is added to every number."""
        return -self.middle.number if self.middle else 0.0

    @property
    def tidied(self) -> NDArray[np.float64]:
        """The numbers that a layer reads."""
        return (self.vector.double + self.off) / self.spread.number

    @property
    def values(self) -> list[Value]:
        """The same numbers, each with what it was made of."""
        numbers = self.vector.values
        centered = [x - self.middle for x in numbers] if self.middle else numbers
        return [x / self.spread for x in centered]
