"""The plane through the origin that keeps most of the squared lengths of some vectors.

What is shown in it is an orthogonal projection: no arrow is longer than it really is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenes import expressions
from scenes.provenance import Tensor, Value, applied

Floats = NDArray[np.float64]


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
