"""A residual stream with one branch: the vector goes straight on, and the branch adds to it.

It knows the stream's shape, and nothing of what flows in it; `residual_sum` puts vectors beside it.
"""

from __future__ import annotations

import numpy as np
from manim import Circle, Line, RoundedRectangle, VGroup
from manim.constants import RIGHT, UP

from scenes import theme
from scenes.first_mobjects.arrows import Ray
from scenes.mobjects.text import Words
from scenes.theme import BOLD_LINE, CORNER, HAIR, INK, LABEL_SIZE, OUTPUT, PANEL, Role

NODE = 0.24  # radius, in scene units
BRANCH = 1.5  # how far the branch stands off the stream, in scene units


class PlusNode(VGroup):
    """A circle with a plus: what arrives is added."""

    def __init__(self, role: Role = INK) -> None:
        ring = Circle(
            NODE,
            stroke_width=BOLD_LINE,
            stroke_color=theme.color(role),
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        )
        bars = [
            Line(-0.5 * NODE * way, 0.5 * NODE * way).set_stroke(theme.color(role), BOLD_LINE)
            for way in (RIGHT, UP)
        ]
        super().__init__(ring, *bars)


class ResidualBranch(VGroup):
    """The stream runs down from y = `top` to y = `bottom`; a branch through a box joins at `at`.

    `stream` is the skip line, `branch` what leaves it and comes back through `box` to the `plus`.
    The stream stands at x = 0 and the branch on its left; y in scene units.
    """

    def __init__(self, name: str, top: float, at: float, bottom: float) -> None:
        self.plus = PlusNode().move_to((0, at, 0))
        self.into = _line((0, top, 0), (0, at + NODE, 0), INK)
        self.out = Ray(np.array([0, at - NODE, 0]), np.array([0, bottom, 0]), INK)
        label = Words("{}", name, size=LABEL_SIZE, role=OUTPUT)
        self.box = VGroup(
            RoundedRectangle(
                corner_radius=CORNER,
                width=label.width + 4 * HAIR,
                height=2 * label.em,
                stroke_width=BOLD_LINE / 2,
                stroke_color=theme.color(OUTPUT),
                fill_color=theme.color(PANEL),
                fill_opacity=1,
            ),
            label,
        )
        leaves = top - 0.3 * (top - at)
        self.box.move_to((-BRANCH, (leaves + at) / 2, 0))
        high, low = float(self.box.get_top()[1]), float(self.box.get_bottom()[1])
        self.branch = VGroup(
            _line((0, leaves, 0), (-BRANCH, leaves, 0), OUTPUT),
            _line((-BRANCH, leaves, 0), (-BRANCH, high, 0), OUTPUT),
            _line((-BRANCH, low, 0), (-BRANCH, at, 0), OUTPUT),
            Ray(np.array([-BRANCH, at, 0]), np.array([-NODE, at, 0]), OUTPUT),
        )
        label.move_to(self.box[0])
        super().__init__(self.into, self.out, self.branch, self.box, self.plus)


def _line(start: tuple[float, float, float], end: tuple[float, float, float], role: Role) -> Line:
    return Line(start, end, stroke_width=BOLD_LINE, stroke_color=theme.color(role))
