"""Outlines of many simple shapes as the points of one path, cheap to move and to draw.

Points are cubic curves, four points each, shape (4n, 3), as manim draws them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.theme import Role

Points = NDArray[np.float64]
Sides = float | Points

HANDLE = 4 / 3 * np.tan(np.pi / 8)  # of the cubic curve nearest to a quarter of a circle
THIRDS = np.linspace(0, 1, 4)[:, None]  # of a straight line, where its curve has points
CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2


class Filled(VMobject):
    """A filled path in the colour of a role, without a line around it."""

    def __init__(self, points: Points, role: Role, opacity: float = 1.0) -> None:
        super().__init__(stroke_width=0, fill_color=theme.color(role), fill_opacity=opacity)
        self.points = points


class Rounded(VMobject):
    """A rectangle with round corners: manim's `RoundedRectangle` in a fraction of its time."""

    def __init__(self, corner_radius: float, width: float, height: float, **style: Any) -> None:  # noqa: ANN401 - manim's
        super().__init__(**style)
        sides = np.array([(-width, -height, width, height)]) / 2
        radius = np.array([min(corner_radius, width / 2, height / 2)])
        square = polygons(CORNERS[None] * (width, height))
        self.points = rounded(sides, radius, radius) if corner_radius else square


def discs(centers: Points, radii: Points) -> Points:
    """Return discs at centres (n, 2) with radii (n,), in scene units: (16n, 3)."""
    flat = UNIT_CIRCLE[None] * radii[:, None, None] + centers[:, None]
    return in_space(flat.reshape(-1, 2))


def squares(centers: Points, sides: Points) -> Points:
    """Return upright squares at centres (n, 2) with sides (n,), in scene units: (16n, 3)."""
    return polygons(centers[:, None] + sides[:, None, None] * CORNERS)


def rectangles(left: Sides, low: Sides, right: Sides, high: Sides) -> Points:
    """Return n upright rectangles; each side is (n,), or one number for all: (16n, 3)."""
    sides = np.broadcast_arrays(
        *map(np.atleast_1d, (left, low, right, low, right, high, left, high))
    )
    return polygons(np.stack(sides, axis=1).reshape(-1, 4, 2))


def polygons(corners: Points) -> Points:
    """Return n polygons of k corners each, (n, k, 2 or 3): (4kn, 3)."""
    edges = (1 - THIRDS) * corners[:, :, None] + THIRDS * np.roll(corners, -1, 1)[:, :, None]
    return in_space(edges.reshape(-1, corners.shape[-1]))


def lines(ends: Points) -> Points:
    """Return straight lines, each from a place to another one, (n, 2, 2 or 3): (4n, 3)."""
    points = (1 - THIRDS) * ends[:, :1] + THIRDS * ends[:, 1:]
    return in_space(points.reshape(-1, ends.shape[-1]))


def in_space(points: Points) -> Points:
    """Return points, (n, 2) or (n, 3), with three coordinates, the third one 0 if it was not there.

    `np.pad` takes longer than all else that a frame of discs needs.
    """
    found = np.zeros((len(points), 3))
    found[:, : points.shape[1]] = points
    return found


def rounded(boxes: Points, left: Points, right: Points) -> Points:
    """Return the curves around boxes (left, bottom, right, top) with rounded corners, (32 n, 3).

    `left` and `right` are the radii of the corners on either side, (n,), in scene units.
    """
    corners = (  # against the clock from the upper right, as manim's own rounded rectangles
        (boxes[:, [2, 3]], right, (0, -1), (-1, 0)),
        (boxes[:, [0, 3]], left, (1, 0), (0, -1)),
        (boxes[:, [0, 1]], left, (0, 1), (1, 0)),
        (boxes[:, [2, 1]], right, (-1, 0), (0, 1)),
    )
    turns = [
        np.stack(
            [
                corner + radius[:, None] * reach * np.array(side)
                for reach, side in (
                    (1, before),
                    (1 - HANDLE, before),
                    (1 - HANDLE, after),
                    (1, after),
                )
            ],
            axis=1,
        )
        for corner, radius, before, after in corners
    ]
    curves = []
    for turn, following in zip(turns, [*turns[1:], turns[0]], strict=True):
        curves += [turn, (1 - THIRDS) * turn[:, -1:] + THIRDS * following[:, :1]]
    flat = np.stack(curves, axis=1).reshape(-1, 2)
    return in_space(flat)


def radius_for(weight: NDArray[np.floating], largest: float) -> Points:
    """Return the radius whose disc has an area proportional to a weight; `largest` is for 1."""
    return largest * np.sqrt(np.clip(np.asarray(weight, dtype=np.float64), 0, None))


def _unit_circle() -> Points:
    """Return four cubic curves, end to end: (16, 2)."""
    curve = np.array([(1, 0), (1, HANDLE), (HANDLE, 1), (0, 1)])
    turn = np.array([(0, -1), (1, 0)])
    curves = [curve]
    for _ in range(3):
        curves.append(curves[-1] @ turn.T)
    return np.concatenate(curves)


UNIT_CIRCLE = _unit_circle()
