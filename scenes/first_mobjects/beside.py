"""Names beside lines and points, clear of one another. It knows boxes and lines, no meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Mobject
from manim.constants import ORIGIN
from numpy.typing import NDArray

from scenes.region import Region
from scenes.theme import HAIR

Floats = NDArray[np.float64]

DIRECTIONS = 24
DISTANCES = (0.16, 0.22, 0.32, 0.5, 0.75, 1.05, 1.4)  # from an end to its name, in scene units
NEAR = 0.32  # from a point to its name, at most; from further off it would seem another's
CLEAR = 0.08  # between a name and anything else, in scene units
MEETS = 100.0  # what meeting another thing costs
TIP_ROOM = 0.1  # half the width of what stands at a line's end, in scene units
STRAYING = 0.5  # what a unit of distance costs, against turning away from the line's direction


def name_beside(
    name: Mobject, line: Floats, lines: Sequence[Floats], taken: Sequence[Mobject], room: Region
) -> bool:
    """Move a name beside the end of a line, shape (2, 2), clear of lines and names taken.

    The name of a mere point, a line without length, stays near it.
    Where nothing is clear it takes the place that meets the least, and False is returned; it
    stays in the room.
    """
    others = np.array(lines)
    tips = _tips(others)
    boxes = np.array([*tips, *(_box(mobject) for mobject in taken)])
    half = np.array([name.width, name.height]) / 2
    best, least = line[1], np.inf
    farthest = DISTANCES[-1] if (line[0] != line[1]).any() else NEAR
    for distance in (each for each in DISTANCES if each <= farthest):
        for angle in np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS:
            way = np.array([np.cos(angle), np.sin(angle)])
            center = _kept(line[1] + way * distance + _reach(way, half), half, room)
            box = np.concatenate([center - half - CLEAR, center + half + CLEAR])
            cost = MEETS * (_crossed(others, box) + _met(boxes, box))
            cost += distance / STRAYING - 0.3 * float(way @ _along(line))
            if cost < least:
                best, least = center, cost
    name.move_to(ORIGIN + np.array([*best, 0.0]))
    return bool(least < MEETS / 2)


def _tips(lines: Floats) -> Floats:
    """Return boxes (2n, 4) around what stands at the ends of lines (n, 2, 2)."""
    back = np.array([_along(line) for line in lines]) * 1.6 * TIP_ROOM
    middles = np.concatenate([lines[:, 1], lines[:, 1] - back])
    return np.concatenate([middles - TIP_ROOM, middles + TIP_ROOM], axis=1)


def _reach(way: Floats, half: Floats) -> Floats:
    """Return how far the middle of a box stands off, so that its edge touches where it starts."""
    return way * half


def _along(line: Floats) -> Floats:
    """Return the direction of a line (2, 2); of a point, upwards."""
    span = line[1] - line[0]
    size = float(np.linalg.norm(span))
    return span / size if size > HAIR else np.array([0.0, 1.0])


def _kept(center: Floats, half: Floats, room: Region) -> Floats:
    low = np.array([room.left, room.bottom]) + half
    high = np.array([room.right, room.top]) - half
    return np.clip(center, np.minimum(low, high), high)


def _box(mobject: Mobject) -> Floats:
    (x, y, _), width, height = mobject.get_center(), mobject.width, mobject.height
    return np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def _met(boxes: Floats, box: Floats) -> int:
    meets = np.all((boxes[:, :2] < box[2:]) & (box[:2] < boxes[:, 2:]), axis=1)
    return int(meets.sum())


def _crossed(lines: Floats, box: Floats) -> int:
    """Return how many lines (n, 2, 2) run through a box (left, bottom, right, top)."""
    start, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    along = np.where(np.abs(along) < 1e-9, 1e-9, along)
    one, other = (box[:2] - start) / along, (box[2:] - start) / along
    enters = np.minimum(one, other).max(axis=1).clip(0)
    leaves = np.maximum(one, other).min(axis=1).clip(max=1)
    return int((enters <= leaves).sum())
