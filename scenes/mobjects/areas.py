"""A square map and a thin matrix drawn to one scale, so that areas are true. Knows two shapes."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.mobjects.text import Words
from scenes.stage import Region
from scenes.theme import BODY_SIZE, GAP, KEY, STRONGEST_FILL, VALUE, Role

BESIDE = 0.5  # between the square and the thin matrix, in scene units
LINE = 1.75  # from one line to the next, in ems
TALLEST = 3.2  # scene units
THINNEST = 0.02  # scene units
USUAL = 0.25  # width is kept for a matrix of this share, so that pairs in one frame are alike


class AreaPair(VGroup):
    """A square and a rectangle as high, `share` of it as wide, under a title and over lines."""

    def __init__(self, title: str, share: float, lines: Sequence[Words], region: Region) -> None:
        self.title = Words("{}", title, size=BODY_SIZE)
        self.lines = list(lines)
        texts = len(self.lines) * LINE * self.lines[0].em
        room = region.height - texts - self.title.height - 3 * GAP
        side = min(TALLEST, room, (region.width - BESIDE) / (1 + max(share, USUAL)))
        self.square, self.strip = area(side, side, VALUE), area(share * side, side, KEY)
        picture = VGroup(self.square, self.strip).arrange(RIGHT, buff=BESIDE)
        self.title.next_to(picture, UP, buff=GAP).align_to(picture, LEFT)
        for place, line in enumerate(self.lines):
            region.fit_width(line)
            line.next_to(picture, DOWN, buff=GAP).align_to(picture, LEFT)
            line.shift(DOWN * place * LINE * lines[0].em)
        super().__init__(self.title, self.square, self.strip, *self.lines)
        self.move_to(region.center)


def area(width: float, height: float, role: Role) -> Rectangle:
    """Return a bare rectangle in the colour of a role; sizes in scene units."""
    return Rectangle(
        width=max(width, THINNEST),
        height=max(height, THINNEST),
        stroke_width=0,
        fill_color=theme.color(role),
        fill_opacity=STRONGEST_FILL,
    )
