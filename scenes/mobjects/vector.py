"""A row of numbers in rounded brackets. It knows nothing of what the numbers mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup, VMobject
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.mobjects.text import Number, Words, align_points
from scenes.theme import BOLD_LINE, HAIR, INK, NUMBER_SIZE, Role
from scenes.values import Value

MOST_SHOWN = 16
BRACKET_DEPTH = 0.12  # how far a bracket's ends reach inwards, in scene units


class Vector(VGroup):
    """Numbers side by side, `pitch` scene units apart, in at most `most` places.

    A longer vector shows its first entries, an ellipsis and its last one.

    `numbers[i]` shows entry `shown[i]` of the values, at the place `places[i]` of the row.
    """

    def __init__(
        self,
        values: Sequence[Value],
        pitch: float,
        *,
        role: Role = INK,
        decimals: int = 2,
        size: float = NUMBER_SIZE,
        most: int = MOST_SHOWN,
    ) -> None:
        self.shown = shown_entries(len(values), most)
        self.numbers = [Number(values[i], decimals, size, role) for i in self.shown]
        self.places = list(range(len(self.shown)))
        parts: list[VMobject] = list(self.numbers)
        if len(self.shown) < len(values):
            self.places[-1] += 1
            gap = Words("…", size=size, role=role)
            parts.append(gap.move_to(RIGHT * (len(self.shown) - 1) * pitch))
        for place, number in zip(self.places, self.numbers, strict=True):
            number.move_to(RIGHT * place * pitch)
        align_points(self.numbers)
        inside = VGroup(*parts)
        height = 1.6 * self.numbers[0].em
        self.brackets = VGroup(_bracket(height, -1, role), _bracket(height, 1, role))
        self.brackets[0].next_to(inside, LEFT, buff=HAIR)
        self.brackets[1].next_to(inside, RIGHT, buff=HAIR)
        super().__init__(*inside, self.brackets)

    @property
    def middle(self) -> float:
        """Where the middle between the first and the last entry stands, in scene units."""
        return float(self.brackets.get_x())

    @property
    def is_elided(self) -> bool:
        """Whether some entries are left out."""
        return bool(self.shown[-1] != len(self.shown) - 1)


def shown_entries(length: int, most: int) -> list[int]:
    """Return which entries of a vector are drawn: all, or the first ones and the last."""
    if length <= most:
        return list(range(length))
    return [*range(most - 2), length - 1]


def _bracket(height: float, side: int, role: Role) -> VMobject:
    """Return a rounded bracket; `side` is -1 for the opening one, 1 for the closing one."""
    half, depth = height / 2, side * BRACKET_DEPTH
    bracket = VMobject(stroke_width=BOLD_LINE / 2, stroke_color=theme.color(role))
    bracket.start_new_path((-depth, half, 0))
    bracket.add_cubic_bezier_curve_to(
        (-depth / 3, half, 0), (0, half - HAIR / 2, 0), (0, half - BRACKET_DEPTH, 0)
    )
    bracket.add_line_to(np.array((0, -half + BRACKET_DEPTH, 0)))
    bracket.add_cubic_bezier_curve_to(
        (0, -half + HAIR / 2, 0), (-depth / 3, -half, 0), (-depth, -half, 0)
    )
    return bracket
