"""A square map and a thin matrix drawn to one scale, so that areas are true. Knows two shapes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Reshape
from scenes.first_mobjects.outlines import rounded
from scenes.map_sizes import MapSizes
from scenes.mobjects.text import Words
from scenes.region import Region
from scenes.theme import (
    BODY_SIZE,
    GAP,
    HAIR,
    KEY,
    LABEL_SIZE,
    SLOW,
    STRONGEST_FILL,
    THIN_LINE,
    VALUE,
    Role,
)

BESIDE = 0.5  # between the square and the thin matrix, in scene units
LINE = 1.75  # from one line to the next, in ems
TALLEST = 3.2  # scene units
THINNEST = 0.02  # scene units
USUAL = 0.25  # width is kept for a matrix of this share, so that pairs in one frame are alike
EDGE = 8  # stroke width of an outline, in manim's hundredths, by its shape's width


class AreaPair(VGroup):
    """A square and a rectangle as high and thinner, under a title and over three lines.

    `laid` are outlines of the rectangle, as many as fit into the square, one upon another where it
    stands.
    """

    def __init__(self, sizes: MapSizes, region: Region, lines: Sequence[Words]) -> None:
        self.title = Words("{}", sizes.model, size=BODY_SIZE)
        self.lines = list(lines)
        texts = len(self.lines) * LINE * self.lines[0].em
        room = region.height - texts - self.title.height - 3 * GAP
        side = min(TALLEST, room, (region.width - BESIDE) / (1 + max(sizes.share, USUAL)))
        self.square, self.strip = area(side, side, VALUE), area(sizes.share * side, side, KEY)
        picture = VGroup(self.square, self.strip).arrange(RIGHT, buff=BESIDE)
        self.title.next_to(picture, UP, buff=GAP).align_to(picture, LEFT)
        for place, line in enumerate(self.lines):
            line.next_to(picture, DOWN, buff=GAP).align_to(picture, LEFT)
            line.shift(DOWN * place * LINE * lines[0].em)
        self.many = max(1, int(1 / sizes.share + 1e-6))
        self.laid = _outlines(self.strip, np.zeros(self.many))
        super().__init__(self.title, self.square, self.strip, self.laid, *self.lines)
        self.move_to(region.center)

    def fill(self) -> Animation:
        """Let the rectangles be laid side by side over the square."""
        start = float(self.square.get_left()[0] - self.strip.get_left()[0])
        pitch = self.square.width / self.many
        places = start + pitch * np.arange(self.many)
        return Reshape(self.laid, _outlines(self.strip, places), SLOW)


def area_pairs(each: Sequence[MapSizes], region: Region) -> list[AreaPair]:
    """Return two pairs with texts of one size, beside or below one another."""
    places = [part.inset(HAIR) for part in region.parts(0.5)]
    lines = [_lines(sizes) for sizes in each]
    widest = max(line.width for texts in lines for line in texts)
    for line in (line for texts in lines for line in texts):
        line.scale(min(1.0, places[0].width / widest))
    pairs = [AreaPair(*parts) for parts in zip(each, places, lines, strict=True)]
    if places[0].left == places[1].left:
        left = max(pairs, key=lambda pair: pair.width)
        for pair in pairs:
            pair.align_to(left, LEFT)
    return pairs


def area(width: float, height: float, role: Role) -> Rectangle:
    """Return a bare rectangle in the colour of a role; sizes in scene units."""
    return Rectangle(
        width=max(width, THINNEST),
        height=max(height, THINNEST),
        stroke_width=0,
        fill_color=theme.color(role),
        fill_opacity=STRONGEST_FILL,
    )


def _lines(sizes: MapSizes) -> list[Words]:
    """Return what stands under a pair: both products, and how they compare."""
    wide, thin = sizes.sides
    product = "{}: {:,.0f} \N{MULTIPLICATION SIGN} {:,.0f} = {:,.0f}"
    quotient = "full map \N{DIVISION SIGN} key matrix = {:,.0f}"
    return [
        Words(product, "full map", wide, wide, sizes.square, size=LABEL_SIZE, role=VALUE),
        Words(product, "key matrix", wide, thin, sizes.strip, size=LABEL_SIZE, role=KEY),
        Words(quotient, sizes.times, size=LABEL_SIZE),
    ]


def _outlines(shape: VMobject, shifts: np.ndarray) -> VMobject:
    """Return the outline of a rectangle, shifted to the right by each of some lengths: one path."""
    low, high = shape.get_corner(DOWN + LEFT), shape.get_corner(UP + RIGHT)
    boxes = np.array([[low[0] + x, low[1], high[0] + x, high[1]] for x in shifts])
    sharp = np.zeros(len(boxes))
    stroke = min(THIN_LINE, EDGE * shape.width)
    path = VMobject(stroke_width=stroke, stroke_color=theme.color(KEY))
    path.points = rounded(boxes, sharp, sharp)
    return path
