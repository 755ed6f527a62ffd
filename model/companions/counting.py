"""A model that only counts: which token followed the last two, the last one, or any.

    probabilities = counting.probs(companion.tensors, ids)  # (T, V)

Pairs and triples of tokens are counted; how they are mixed, `model.baselines` says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from model.baselines import Probs, following
from model.companions.shelf import Array

TOKENS = 1_000_000  # of the corpus that are counted


def learn(ids: NDArray[np.int32], d_vocab: int) -> dict[str, Array]:
    """Count a row of token ids (N,): `singles` (V,), `pairs` (P, 2), `triples` (Q, 3).

    `pair_counts` (P,) and `triple_counts` (Q,) say how often each of them came.
    """
    singles = np.bincount(ids, minlength=d_vocab).astype(np.int32)
    small = np.uint16 if d_vocab <= 2**16 else np.int32
    found: dict[str, Array] = {"singles": singles}
    for name, length in (("pair", 2), ("triple", 3)):
        rows = np.stack([ids[i : len(ids) - length + 1 + i] for i in range(length)], axis=1)
        kinds, counts = np.unique(rows, axis=0, return_counts=True)
        found[f"{name}s"] = kinds.astype(small)
        found[f"{name}_counts"] = counts.astype(np.int32)
    return found


def probs(counts: Mapping[str, Array], ids: Sequence[int]) -> Probs:
    """Return the probability of each token after each prefix of a text: (T, V)."""
    singles = np.asarray(counts["singles"], dtype=np.float64)
    any_text = (singles + 1) / (singles.sum() + len(singles))
    found = []
    for place in range(len(ids)):
        after = any_text
        for name, length in (("pair", 1), ("triple", 2)):
            context = ids[max(0, place + 1 - length) : place + 1]
            if len(context) == length:
                after = following(counts[f"{name}s"], counts[f"{name}_counts"], context, after)
        found.append(after)
    return np.stack(found)
