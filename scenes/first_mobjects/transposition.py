"""Rows become columns: a matrix turns over, or a copy of it lies across its diagonal.

It knows shapes only.
"""

from __future__ import annotations

import numpy as np
from manim import Animation, Mobject, VGroup

from scenes.animations import Change, Reshape, Together, Within, one_after_another
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.matrix import TILE_SHARE, Matrix
from scenes.mobjects.typesetting import Points
from scenes.theme import SLOW, STEADY


class Swing(Change):
    """A mobject on end comes from one that lies: it is as long, and turns by a right angle."""

    def __init__(self, mobject: Mobject, lying: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.lying = lying

    def begin(self) -> None:
        """Remember where the lying one is, and how much larger."""
        self.start = self.lying.get_center()
        self.growth = self.lying.width / self.mobject.height
        super().begin()

    def change(self, share: float) -> None:
        """Set place, size and angle."""
        angle = (1 - share) * np.pi / 2  # from its own left end up, as it comes
        turn = np.array(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
        place = (1 - share) * self.start + share * self.center
        scale = (1 - share) * self.growth + share
        for part, shape in zip(self.parts, self.shapes, strict=True):
            offset = scale * (shape - self.center)
            offset[:, :2] = offset[:, :2] @ turn.T
            part.points = place + offset


class ComeFrom(Reshape):
    """A mobject has the outlines of a twin, and takes its own again."""

    def begin(self) -> None:
        """Remember both, the other way round."""
        super().begin()
        self.shapes, self.ends = self.ends, self.shapes


def turn_over(matrix: Matrix, turned: Matrix) -> Animation:
    """Let the transpose of a matrix come out of it, in its own place: rows swing into columns.

    `turned` has to be on the stage in place of `matrix`, which it covers when this begins.
    """
    swings = one_after_another(
        Swing(turned.column(token), matrix.row(token)) for token in matrix.rows
    )
    around = Together(
        ComeFrom(part, origin, SLOW)
        for part, origin in (
            (turned.brackets, matrix.brackets),
            (turned.row_gaps, matrix.column_gaps),
        )
    )
    return Within([swings, around])


def mirrored(matrix: Matrix) -> VGroup:
    """Return a square matrix reflected about its diagonal, of the same parts in the same order.

    Every outline is reflected, so that on the way to it a matrix turns over like a card.
    """
    center = matrix.get_center()
    inside = VGroup(*(part.copy() for part in matrix.submobjects[:-1]))
    for part in inside:
        part.points = _across_diagonal(part.points - center) + center
    grown = matrix.tile(matrix.rows[0], matrix.columns[0]).width / (TILE_SHARE * matrix.pitch[0])
    inside.scale(1 / grown)
    return VGroup(*inside, bracket_pair(inside, matrix.role)).scale(grown).move_to(center)


def _across_diagonal(points: Points) -> Points:
    """Reflect points (..., 3) about the line that falls from the upper left."""
    return np.asarray(points[..., [1, 0, 2]] * np.array([-1.0, -1.0, 1.0]))
