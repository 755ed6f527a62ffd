"""A ground on which things stand, seen in perspective: from where, and what of it is on a stage.

Points of the world are (x across, y along the ground, z upward); points of the frame are (x, y).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
from manim import VGroup, VMobject
from manim.constants import UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Words
from scenes.presence import presence, set_presence
from scenes.region import Region
from scenes.theme import GAP, HAIR, PANEL, QUIET, THIN_LINE

Floats = NDArray[np.float64]

LENS = 12.0  # scene units from the eye to the picture
SHORTEST = 1e-3  # of a line, what is drawn
SOFT = 0.2  # scene units from the stage's edge, in which things come in


@dataclass(frozen=True)
class Stop:
    """From where the road is seen, and what of it is lit.

    The place `y` along the road, and `x` beside its middle, is seen `level` scene units above the
    frame's middle, `scale` times as large as it is, looking down by `pitch` degrees. The columns
    have come to step `walk`, and have risen from their tokens by `rise`. What belongs to all tokens
    but the last has the presence `others`, what stands at each block `gates`, and what steps do
    over columns `works`; a model is `trained` by this share.
    """

    pitch: float
    scale: float
    level: float
    y: float
    x: float = 0.0
    walk: float = 0.0
    rise: float = 1.0
    others: float = 1.0
    gates: float = 0.0
    trained: float = 1.0
    works: float = 1.0

    def toward(self, other: Stop, share: float) -> Stop:
        """Return the stop after `share` of the way to another one."""
        ends = zip(astuple(self), astuple(other), strict=True)
        mixed = Stop(*((1 - share) * one + share * two for one, two in ends))
        return replace(mixed, scale=self.scale ** (1 - share) * other.scale**share)

    def seen(self, points: Floats) -> tuple[Floats, Floats]:
        """Return where points of the world (n, 3) are seen, (n, 2), and how large things are there.

        What is upright stays upright, as through a lens that is shifted; what is behind the eye is
        nowhere (NaN).
        """
        tilt = np.radians(self.pitch)
        away = points[:, 1] - self.y
        depth = away * np.cos(tilt) + LENS / self.scale
        size = LENS / np.where(depth > HAIR, depth, np.nan)
        height = away * np.sin(tilt) + self.level / self.scale + points[:, 2] * np.cos(tilt)
        across = size * (points[:, 0] - self.x)
        return np.stack([across, size * height], axis=1), size

    @property
    def nearest(self) -> float:
        """The first place along the road that is before the eye."""
        tilt = np.radians(self.pitch)
        return self.y - float((LENS / self.scale - 4 * HAIR) / np.cos(tilt))


def hanging(name: Words) -> VGroup:
    """Return a sign that hangs from the origin: a name on a plate."""
    plate = Ring(name, GAP, QUIET).set_fill(theme.color(PANEL), 1).set_stroke(width=THIN_LINE)
    return VGroup(plate, name).move_to((0.0, 0.0, 0.0), aligned_edge=UP)


def board(x: float, half: float, levels: tuple[float, float], y: float = 0.0) -> Floats:
    """Return the outline of a board that stands at (x, y), `half` as wide, between two levels."""
    low, high = levels
    return upright(rectangles(x - half, low, x + half, high), y)


def painted(outlines: Sequence[Floats], shades: Sequence[tuple[str, float]]) -> VGroup:
    """Return shapes in colours of some strength, through which nothing shines."""
    under, pairs = theme.color(theme.BACKGROUND), zip(outlines, shades, strict=True)
    return VGroup(
        *(Filled(a, theme.INK).set_fill(theme.mix(b[0], under, b[1]), 1) for a, b in pairs)
    )


def upright(flat: Floats, y: float = 0.0) -> Floats:
    """Return a flat outline as it stands on the ground."""
    return np.stack([flat[:, 0], np.full(len(flat), y), flat[:, 1]], axis=1)


def inside(low: Floats, high: Floats, stage: Region) -> Floats:
    """Return how far boxes stand on a stage: 0 at its edge or beyond, 1 from `SOFT` within."""
    gaps = [
        low[:, 0] - stage.left,
        stage.right - high[:, 0],
        low[:, 1] - stage.bottom,
        stage.top - high[:, 1],
    ]
    return np.asarray(np.clip(np.min(gaps, axis=0) / SOFT, 0.0, 1.0))


def inside_alone(outline: Floats, stage: Region) -> float:
    """Return how far one outline, (n, 2) or (n, 3), stands on a stage, as `inside` does."""
    return float(inside(outline.min(axis=0)[None], outline.max(axis=0)[None], stage)[0])


def show(part: VMobject, share: float) -> None:
    """Give a part a presence, if it has another one: every frame asks for it."""
    if presence(part) != share:
        set_presence(part, share)


def within(ends: Floats, stage: Region) -> Floats:
    """Return the parts of straight lines, (n, 2, 2), that stand on a stage, of those that do."""
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    along = np.where(np.abs(along) < 1e-9, 1e-9, along)
    low = (np.array([stage.left, stage.bottom]) - start) / along
    high = (np.array([stage.right, stage.top]) - start) / along
    enters = np.maximum(0.0, np.minimum(low, high).max(axis=1))
    leaves = np.minimum(1.0, np.maximum(low, high).min(axis=1))
    parts = start[:, None] + np.stack([enters, leaves], axis=1)[..., None] * along[:, None]
    return np.asarray(parts[leaves - enters >= SHORTEST])
