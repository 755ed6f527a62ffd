"""Outlines of many simple shapes as the points of one path. It knows no meaning."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]

ROUND = 0.5523  # how far the handles of a quarter circle reach, in radii


def rounded(boxes: ArrayLike, left: ArrayLike, right: ArrayLike) -> Points:
    """Return the cubic curves around boxes with rounded corners, shape (32 boxes, 3).

    `boxes` are (left, bottom, right, top), shape (N, 4); `left` and `right` the radii of the
    corners on either side, shape (N,), all in scene units.
    """
    box = np.asarray(boxes, dtype=float).reshape(-1, 4)
    corners = [  # against the clock from the upper right, as manim's own rounded rectangles
        (box[:, 2], box[:, 3], right, (0, -1), (-1, 0)),
        (box[:, 0], box[:, 3], left, (1, 0), (0, -1)),
        (box[:, 0], box[:, 1], left, (0, 1), (1, 0)),
        (box[:, 2], box[:, 1], right, (-1, 0), (0, 1)),
    ]
    turns = []
    for x, y, radius, before, after in corners:
        size = np.asarray(radius, dtype=float)[:, None]
        corner = np.column_stack([x, y])
        one, other = corner + size * before, corner + size * after
        handles = corner + size * (1 - ROUND) * before, corner + size * (1 - ROUND) * after
        turns.append(np.stack([one, *handles, other], axis=1))
    curves = []
    for turn, following in zip(turns, [*turns[1:], turns[0]], strict=True):
        curves += [turn, _straight(turn[:, 3], following[:, 0])]
    flat = np.stack(curves, axis=1).reshape(-1, 2)
    return np.column_stack([flat, np.zeros(len(flat))])


def _straight(start: Points, end: Points) -> Points:
    """Return straight lines as cubic curves, shape (N, 4, 2)."""
    shares = np.linspace(0, 1, 4)[None, :, None]
    return (1 - shares) * start[:, None] + shares * end[:, None]
