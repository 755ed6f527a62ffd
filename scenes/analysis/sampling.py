"""How a token is drawn: the likeliest tokens, their shares, and the random number that chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from scenes.provenance import Tensor, Value, count

LISTED, SEEN = 3, 0.005  # tokens with a share of their own, beside all others; the least share


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
        ranked = np.argsort(-shares.array, kind="stable")[:LISTED].tolist()
        tokens = [token for token in ranked if token == ranked[0] or shares.array[token] >= SEEN]
        return cls(tuple(tokens), listed(shares, tokens), dart, chosen)


def listed(shares: Tensor, tokens: Sequence[int]) -> tuple[Value, ...]:
    """Return the shares of some tokens, and last that of all others together."""
    found = [shares[token].value for token in tokens]
    return *found, count(1, "all shares together") - reduce(add, found)
