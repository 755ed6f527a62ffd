"""Hands that turn at their own pace, as sines and cosines: where they point at every place."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

ONCE = 5.0  # radians, at most, that a hand turns which is to tell all places apart
ALIKE = 0.7  # cosine, at least, of all that one hand writes and another, which keep the same time
SLOWEST = 10_000.0  # the first hand turns so many times as fast as one after the last would


def paper_rates(pairs: int) -> Floats:
    """Return radians a place, (pairs,), as in Vaswani et al. 2017, section 3.5."""
    return np.asarray(SLOWEST ** (-np.arange(pairs) / pairs))


def rates_of(turn: NDArray[np.floating], entries: int | None = None) -> Floats:
    """Return radians a place, (R / 2,), of what turns a query or key by one place, (K, K).

    The first R `entries` are turned; None: all of them.
    """
    pairs = (entries or len(turn)) // 2
    sines, cosines = np.diagonal(turn, pairs)[:pairs], np.diagonal(turn)[:pairs]
    return np.asarray(np.arctan2(sines, cosines), dtype=np.float64)


def once_round(rates: Floats, places: int) -> float:
    """Return the fastest rate with which a hand comes round but once, or else the slowest."""
    slow = rates[rates * max(places - 1, 1) <= ONCE]
    return float(slow.max() if len(slow) else rates.min())


def waves(rates: Floats, places: int) -> Floats:
    """Return how far right and how far up each hand points: (places, 2 len(rates))."""
    turns = np.arange(places)[:, None] * rates
    return np.stack([np.sin(turns), np.cos(turns)], axis=-1).reshape(places, -1)


def keeps_pace(one: Floats, other: Floats) -> int | None:
    """Return the fastest hand of (places, 2 hands) that points nearly alike in both, if any does.

    Only of those that turn less than a quarter from place to place, so that it can be followed.
    """
    pairs = [hands.reshape(len(hands), -1, 2) for hands in (one, other)]
    lengths = [np.sqrt((hands**2).sum(axis=(0, 2))) for hands in pairs]
    alike = (pairs[0] * pairs[1]).sum(axis=(0, 2)) / lengths[0] / lengths[1]
    pace = np.arctan2(*pairs[0][1].T) % (2 * np.pi)
    found = np.flatnonzero((alike > ALIKE) & (pace < np.pi / 2))
    return int(found[pace[found].argmax()]) if len(found) else None
