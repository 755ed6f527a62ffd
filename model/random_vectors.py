"""Queries and keys drawn by chance, to see how their dot products spread as they grow longer.

Entries are independent, with mean zero and variance one. The spread of their dot products is then
the square root of the number of entries (Vaswani et al. 2017, footnote 4); here it is measured.
Shorter vectors are the first entries of the longest, so that a sum of products passes through all.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray

LENGTHS = (4, 16, 64, 256)
PAIRS = 2000
SEED = 0


@cache
def tensors() -> dict[str, NDArray[np.float32]]:
    """Return `random_vectors.q_4`, `.k_4` (PAIRS, 4) and `.dots_4` (PAIRS,), for each length."""
    longest = torch.randn(2, PAIRS, LENGTHS[-1], generator=torch.Generator().manual_seed(SEED))
    found = {}
    for length in LENGTHS:
        q, k = longest[:, :, :length]  # (PAIRS, length) each
        dots = (q * k).sum(-1)  # (PAIRS,)
        for name, tensor in (("q", q), ("k", k), ("dots", dots)):
            array = tensor.numpy()
            array.setflags(write=False)
            found[f"random_vectors.{name}_{length}"] = array
    return found
