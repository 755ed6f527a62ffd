"""What a prediction costs, in nats, every number with its source."""

from __future__ import annotations

import numpy as np

from scenes import expressions
from scenes.provenance import Value, applied


def loss(chance: Value) -> Value:
    """Return minus the natural logarithm of the chance that the right token was given."""
    with np.errstate(divide="ignore"):
        return applied(expressions.SURPRISE, -np.log(chance.number), chance)
