"""How one query shares out its weight, in words. It knows numbers and names, and no pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scenes.provenance import Tensor


@dataclass(frozen=True)
class Sharing:
    """The weights (T,) that a query gives; `name` returns what the token at a place is called."""

    query: int
    weights: Tensor
    name: Callable[[int], str]

    @property
    def favourite(self) -> int:
        """The source with the largest weight."""
        return int(self.weights.array.argmax())

    @property
    def most(self) -> str:
        """What the favourite gets."""
        return _percent(self.weights.array[self.favourite])

    @property
    def scaling(self) -> str:
        """What the weights make of the values."""
        if not self.query:
            return "Its own weight is 1: there is nothing before it, and its value stays whole."
        weakest = int(self.weights.array[: self.query + 1].argmin())
        least = _percent(self.weights.array[weakest])
        if self.most == least:
            return f"Multiply every value by its weight: of each one, {self.most} is left."
        return (
            "Multiply every value by its weight: numbers and colours shrink to that share. "
            f"Of {self.name(self.favourite)} {self.most} is left, of {self.name(weakest)} {least}."
        )


def _percent(weight: float) -> str:
    percents = round(100 * float(weight))
    return f"{percents} percent" if percents else "less than 1 percent"
