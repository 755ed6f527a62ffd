"""Directions in which long vectors are drawn, few enough for a picture.

What is shown in them is an orthogonal projection: no arrow is longer than it really is. A plane is
spanned by two vectors, or three directions are found for what differs most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenes import expressions
from scenes.provenance import Array, Tensor, Value, applied

Floats = NDArray[np.float64]

NOTHING = 1e-5  # a singular value so small, beside the largest, is none
CLOSE = np.pi / 3  # between two directions that are fanned out: nearer ones look aside


@dataclass(frozen=True)
class Spread:
    """How points (n, D) differ: their `middle` (D,), and axes through it, the strongest first.

    The rows of `axes` (D, D) are orthonormal; `shares` (D,) are their parts of all squared
    distances from the middle, and add up to one. `three` is the sum of the first three.
    """

    middle: Floats
    axes: Floats
    shares: Floats
    three: Value

    @classmethod
    def of(cls, points: Tensor) -> Spread:
        """Return how points differ."""
        middle = points.double.mean(axis=0)
        centered = points.double - middle
        sizes, axes = np.linalg.eigh(centered.T @ centered)
        shares = sizes[::-1] / (float(sizes.sum()) or 1.0)
        three = applied(expressions.SPREAD_SHARE, shares[:3].sum(), points)
        return cls(middle, axes[:, ::-1].T, shares, three)


def plane_of(one: Floats, other: Floats) -> Floats:
    """Return the orthonormal columns (D, 2) of the plane that two vectors (D,) span.

    In it both lengths and the angle between them are exact: `one` points to the right, `other` up,
    and a third vector loses only what is at right angles to both.
    """
    axes, sides = np.linalg.qr(np.stack([one, other], axis=1))
    return np.asarray(axes * np.where(np.diag(sides) < 0, -1, 1))


def fanned(vectors: Array) -> Floats:
    """Return a direction in space, (3, 3), for each of three `vectors` (3, d).

    All three angles between them are true. The first points up, the second to the right and the
    third to the left of it, or both to the right if they are near to each other; all look nearer.
    """
    units = vectors.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    up = np.clip(units @ units[0], -1, 1)
    level = np.sqrt(1 - up**2)
    turned = (units[1] @ units[2] - up[1] * up[2]) / max(float(level[1] * level[2]), NOTHING)
    between = np.arccos(np.clip(turned, -1, 1))
    around = max(0.0, CLOSE - between) + between / 2 * np.array([0, 1, -1])
    return np.stack([level * np.sin(around), up, level * np.cos(around)], axis=1)
