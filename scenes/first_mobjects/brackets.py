"""Rounded brackets, as tall as what they enclose. They know nothing of numbers."""

from __future__ import annotations

import numpy as np
from manim import Mobject, VGroup, VMobject
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.theme import BOLD_LINE, HAIR, Role

DEPTH = 0.12  # how far a bracket's ends reach inwards, in scene units


def bracket_pair(inside: Mobject, role: Role, height: float | None = None) -> VGroup:
    """Return brackets to the left and right of something, `height` scene units tall or as it is."""
    tall = inside.height + HAIR if height is None else height
    pair = VGroup(_bracket(tall, -1, role), _bracket(tall, 1, role))
    pair[0].next_to(inside, LEFT, buff=HAIR)
    pair[1].next_to(inside, RIGHT, buff=HAIR)
    return pair


def _bracket(height: float, side: int, role: Role) -> VMobject:
    """Return a rounded bracket; `side` is -1 for the opening one, 1 for the closing one."""
    half, depth = height / 2, side * DEPTH
    bracket = VMobject(stroke_width=BOLD_LINE / 2, stroke_color=theme.color(role))
    bracket.start_new_path((-depth, half, 0))
    bracket.add_cubic_bezier_curve_to(
        (-depth / 3, half, 0), (0, half - HAIR / 2, 0), (0, half - DEPTH, 0)
    )
    bracket.add_line_to(np.array((0, -half + DEPTH, 0)))
    bracket.add_cubic_bezier_curve_to(
        (0, -half + HAIR / 2, 0), (-depth / 3, -half, 0), (-depth, -half, 0)
    )
    return bracket
