"""What a model would predict if it stopped early: the logit lens (nostalgebraist 2020).

The final norm and the unembedding read a residual vector of any layer as if it were the last one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray

from model.gpt import Transformer
from model.threads import single_threaded

Array = NDArray[np.float32]


@single_threaded()
@torch.inference_mode()
def early_guesses(model: Transformer, vectors: Array) -> Array:
    """Return next-token probabilities (n, V) for residual vectors (n, D)."""
    logits = model.unembedded(model.ln_final(torch.from_numpy(np.array(vectors, np.float32))))
    probabilities: Array = logits.softmax(dim=-1).numpy()
    return probabilities


def residual_steps(sites: Mapping[str, Array]) -> Array:
    """Return the residual stream (2 L + 1, T, D): as it comes in, and after each step.

    The steps of a layer are its attention and its MLP.
    """
    both = np.stack([sites["resid_mid"], sites["resid_post"]], axis=1)
    return np.concatenate([sites["resid_pre"][:1], both.reshape(-1, *both.shape[2:])])
