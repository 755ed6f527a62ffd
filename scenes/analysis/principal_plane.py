"""The plane through the origin that keeps most of the squared lengths of some vectors.

What is shown in it is an orthogonal projection: no arrow is longer than it really is. Three
directions are found for what a map makes of vectors: two that it reaches, and one that it does not.
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
class PrincipalPlane:
    """A plane through the origin, spanned by the rows of `axes` (2, D), which are orthonormal.

    `share` is how much of the squared lengths of the vectors that it was found for lies in it,
    0 to 1.
    """

    axes: Floats
    share: Value

    def projected(self, arrows: Tensor) -> Floats:
        """Return arrows as the plane sees them, wherever they start: (..., D) to (..., 2)."""
        return np.asarray(arrows.double @ self.axes.T)


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


def principal_plane(arrows: Tensor) -> PrincipalPlane:
    """Return the principal plane of arrows from the origin, shape (n, D)."""
    axes, share = _principal_axes(arrows.double)
    return PrincipalPlane(axes, applied(expressions.PLANE_SHARE, share, arrows))


def _principal_axes(vectors: Floats) -> tuple[Floats, float]:
    """Return two orthonormal axes (2, D), the first one the strongest, and their share.

    Vectors on a line, or all of them zero, leave an axis open: any one will do, and the plane
    holds everything there is. An axis points to where the vector farthest along it does.
    """
    _, sizes, axes = np.linalg.svd(vectors, full_matrices=True)
    axes = axes[:2]
    along = vectors @ axes.T
    farthest = along[np.abs(along).argmax(axis=0), [0, 1]]
    total = float((sizes**2).sum())
    share = float((sizes[:2] ** 2).sum()) / total if total else 1.0
    return np.where(farthest < 0, -1.0, 1.0)[:, None] * axes, share


def seen_in_three(vectors: Floats, through: Floats) -> tuple[list[Floats], Floats]:
    """Return vectors (n, D) and what a map (D, D) makes of them, in three directions: (n, 3) each.

    The ground is made of directions that the map reaches, the height is one that it does not, if
    there is any, then another one: of each kind those in which the vectors, brought to one length,
    differ most.
    """
    fed = vectors / np.maximum(np.linalg.norm(vectors, axis=1), NOTHING)[:, None]
    fed = fed - fed.mean(axis=0)
    _, sizes, axes = np.linalg.svd(through)
    rank = int((sizes > sizes[0] * NOTHING).sum())
    reached, beyond = (principal_axes(fed, basis) for basis in (axes[:rank], axes[rank:]))
    order = [*reached[:2], *beyond, *reached[2:]]
    heights = order[2 : 4 if len(beyond) > 1 else 3]
    threes = [np.stack([order[0], height, order[1]]) for height in heights]
    return [fed @ three.T for three in threes], fed @ through @ threes[0].T


def principal_axes(vectors: Floats, basis: Floats) -> Floats:
    """Return directions within a space, spanned by a basis (k, D), by how much vectors differ."""
    if not len(basis):
        return basis
    _, _, axes = np.linalg.svd(vectors @ basis.T, full_matrices=True)
    return np.asarray(axes @ basis)


def spanned(vectors: Array, near: Floats) -> Floats:
    """Return up to three directions with the angles of `vectors` (n, d), (n, 3), turned to `near`.

    Three vectors span three dimensions at most, so every angle is the true one.
    """
    units = vectors.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    strengths, axes = np.linalg.eigh(units @ units.T)
    places = axes * np.sqrt(np.maximum(strengths, 0.0))
    places = np.pad(places, ((0, 0), (0, 3 - len(places))))
    left, _, right = np.linalg.svd(places.T @ near)
    return np.asarray(places @ (left @ right))
