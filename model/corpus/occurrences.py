"""In which documents of the corpus a text stands, counted."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from model import corpus

__all__ = ["COUNTED", "documents_with"]

COUNTED = 1000  # documents, the first ones that training reads with seed 0


def documents_with(text: str) -> NDArray[np.bool_]:
    """Return for each of the first documents, shape (COUNTED,), whether a text stands in it."""
    return np.array([text in document for document in _first()])


@cache
def _first() -> tuple[str, ...]:
    return tuple(islice(corpus.documents(0, "train"), COUNTED))
