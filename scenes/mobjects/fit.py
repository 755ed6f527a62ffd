"""Sizes, pitches and decimals: the one place where it is worked out what fits where.

Sizes are manim's font sizes; widths, heights and pitches are scene units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scenes.mobjects.text import Number, TokenText, em_of, widest
from scenes.provenance import Value
from scenes.theme import LEAST_SIZE, NAMED_SIZE, PLAIN_SIZE

Floats: TypeAlias = NDArray[np.float64]

ROOM = 0.86  # of a cell's width, for the widest number in it
EM_BY_HEIGHT = 0.7  # a number's em, as a share of its cell's height, at most
MOST_DECIMALS = 6


@dataclass(frozen=True)
class NumberFormat:
    """How numbers that stand together are written: with so many decimals, at a font size."""

    decimals: int
    size: float


def number_format(
    values: Iterable[Value],
    room: tuple[float, float],
    largest: float = NAMED_SIZE,
    decimals: int = 2,
    kind: type[Number] = Number,
) -> NumberFormat:
    """Return how to write numbers of a kind so that each fits a cell of `room`, (width, height).

    `decimals` are wanted, or more where all numbers are small (`needed_decimals`); fewer are
    taken where so many would not be legible. The size falls below the smallest legible one only
    where even whole numbers have no room.
    """
    entries = list(values)
    unit = em_of(1)
    by_height = min(largest, EM_BY_HEIGHT * room[1] / unit)
    formats = [
        NumberFormat(places, min(by_height, ROOM * room[0] / widest(entries, places, kind) / unit))
        for places in range(needed_decimals(entries, decimals), -1, -1)
    ]
    return next((each for each in formats if each.size >= LEAST_SIZE), formats[-1])


def needed_decimals(values: Iterable[Value], least: int = 2) -> int:
    """Return how many decimals show two figures of the largest of some numbers, `least` or more."""
    sizes = [abs(value.number) for value in values if np.isfinite(value.number)]
    largest = max(sizes, default=0.0)
    if not largest:
        return least
    return int(np.clip(1 - np.floor(np.log10(largest)), least, MOST_DECIMALS))


def adding_decimals(
    parts: Sequence[Value], whole: float, least: int = 2, told: int | None = None
) -> int:
    """Return with how many decimals parts are written so that, as written, they make a whole.

    The whole is written with as many, or with `told`.
    """
    for places in range(least, MOST_DECIMALS):
        written = sum(round(part.number, places) for part in parts)
        shown = places if told is None else told
        if round(written, shown) == round(whole, shown):
            return places
    return least


def averaging_decimals(parts: Sequence[Value], mean: Value) -> int:
    """Return with how many decimals parts are written so that, as written, they have this mean."""
    for places in range(1, MOST_DECIMALS):
        written = np.mean([round(part.number, places) for part in parts])
        if round(float(written), places) == round(mean.number, places):
            return places
    return 2


def text_size(pieces: Sequence[str], width: float, largest: float = PLAIN_SIZE) -> float:
    """Return the font size at which every token's text fits a width, within the legible range."""
    widest_text = max((TokenText(piece, largest).width for piece in pieces), default=0.0)
    return float(np.clip(largest * width / max(widest_text, 1e-6), LEAST_SIZE, largest))


def shown_entries(length: int, most: int) -> list[int]:
    """Return which of `length` entries are drawn: all, or the first ones and the last."""
    if length <= most:
        return list(range(length))
    return [*range(most - 2), length - 1]


def pitch_in(length: float, count: int, largest: float) -> float:
    """Return how far apart `count` things stand that share a length, `largest` at most."""
    return min(largest, length / max(count, 1))


def leg(place: float, stops: int) -> tuple[int, int, float]:
    """Return the stops before and after a place, and the share of the way between them.

    1.5 is half way from the second of them to the third; the last stop is the end.
    """
    before = min(int(place), stops - 1)
    return before, min(before + 1, stops - 1), place - before


def eased(shares: Floats) -> Floats:
    """Return shares of a way as it is gone: slowly at both ends, and not beyond them."""
    inside = shares.clip(0, 1)
    return np.asarray(inside**2 * (3 - 2 * inside))


def ease(share: float) -> float:
    """Return one share of a way as `eased` has it."""
    return float(eased(np.array(share)))
