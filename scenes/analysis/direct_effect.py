"""What single neurons do to the next token's logits, without what later layers make of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scenes.provenance import Array


def pushing_neuron(tensors: Mapping[str, Array]) -> tuple[int, int]:
    """Return the layer and place of the neuron that pushes the likeliest next token most.

    A neuron pushes by its activation at the last token times how its row of W_out, scaled by the
    last norm, raises that token's logit above the mean of all.
    """
    table, likeliest = tensors["weights.W_U"], int(tensors["logits"][-1].argmax())
    way = tensors["weights.ln_final.gamma"] * (table[:, likeliest] - table.mean(axis=1))
    pushes = np.maximum(tensors["mlp_post"][:, -1], 0) * (tensors["weights.W_out"] @ way)
    layer, neuron = np.unravel_index(int(pushes.argmax()), pushes.shape)
    return int(layer), int(neuron)
