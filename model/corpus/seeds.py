"""Which documents and which adjective-noun pairs are kept out of training."""

from __future__ import annotations

from functools import cache
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Literal
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Split", "document_seeds", "is_held_document", "is_held_pair"]

Split = Literal["train", "held_out"]

HELD_DOCUMENTS = 20  # one in
HELD_PAIRS = 10  # one in
WORD = (1 << 64) - 1
FILM_PAIRS = {("fluffy", "creature"), ("blue", "creature"), ("verdant", "forest")}
FACT_PAIRS = {("young", "horse"), ("young", "deer")}


def mix(value: int) -> int:
    """Spread a number over 64 bits (the finaliser of SplitMix64)."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & WORD
    return value ^ (value >> 31)


def is_held_document(document_seed: int) -> bool:
    """Whether the document of this seed is for measuring only; so for one in twenty."""
    return mix(document_seed) % HELD_DOCUMENTS == 0


def document_seeds(seed: int, split: Split) -> Iterator[int]:
    """Return the seeds of a split's documents, without end."""
    start = mix(seed + 1)
    for index in count():
        document_seed = mix((start + index * 0x9E3779B97F4A7C15) & WORD)
        if is_held_document(document_seed) == (split == "held_out"):
            yield document_seed


@cache
def is_held_pair(adjective: str, noun: str) -> bool:
    """Whether this adjective never stands with this noun in training; so for one in ten."""
    if (adjective, noun) in FILM_PAIRS | FACT_PAIRS:
        return False
    return crc32(f"{adjective} {noun}".encode()) % HELD_PAIRS == 0


def generator(seed: int) -> Random:
    """Return a source of choices that the seed fixes."""
    return Random(seed)  # noqa: S311 - it chooses words, it keeps no secret
