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


def spanned(vectors: Array) -> Floats:
    """Return up to three directions, (n, 3), with the angles of `vectors` (n, d).

    Three vectors span three dimensions at most, so every angle is the true one. The first points
    up, the others to the right and to the left, both as near to the viewer: seen from the front,
    what each makes with the first is as true as it can be.
    """
    units = vectors.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    cosines = np.clip(units @ units.T, -1, 1)
    heights = cosines[0]
    reach = np.sqrt(1 - heights**2)
    around = np.zeros(len(units))
    if len(units) > 2:
        flat = max(float(reach[1] * reach[2]), NOTHING)
        between = np.arccos(np.clip((cosines[1, 2] - heights[1] * heights[2]) / flat, -1, 1))
        around[1:] = (np.pi - between) / 2, (np.pi + between) / 2
    return np.stack([reach * np.cos(around), heights, reach * np.sin(around)], axis=1)
