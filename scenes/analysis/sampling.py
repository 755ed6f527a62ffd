"""How a token is drawn: the likeliest tokens, their shares, and the random number that chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from scenes.expressions import Numbers
from scenes.provenance import Tensor, Value, count

COLDEST = 1e-3  # a temperature that is as good as zero
LISTED = 3  # tokens with a share of their own, beside all others


@dataclass(frozen=True)
class Round:
    """A token that is chosen: the likeliest ones, their shares and that of all others."""

    tokens: tuple[int, ...]
    values: tuple[Value, ...]
    dart: Value
    chosen: int

    @classmethod
    def of(cls, shares: Tensor, dart: Value, chosen: int) -> Round:
        """Return the round in which a token is chosen by its shares (V,)."""
        tokens = np.argsort(-shares.array, kind="stable")[:LISTED].tolist()
        return cls(tuple(tokens), listed(shares, tokens), dart, chosen)

    @property
    def place(self) -> int:
        """Which share is hit: that of a token that is listed, or after them that of the others."""
        return [*self.tokens, self.chosen].index(self.chosen)


def listed(shares: Tensor, tokens: Sequence[int]) -> tuple[Value, ...]:
    """Return the shares of some tokens, and last that of all others together."""
    found = [shares[token].value for token in tokens]
    return *found, count(1, "all shares together") - reduce(add, found)


def on_the_way(scores: Numbers, tokens: Sequence[int], temperature: float) -> Numbers:
    """Return the shares of some tokens at a temperature, by scores (V,), and of all others."""
    raised = np.exp((scores - scores.max()) / max(temperature, COLDEST))
    shares = raised[list(tokens)] / raised.sum()
    return np.append(shares, 1.0 - shares.sum())
