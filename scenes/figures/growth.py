"""How a table of vectors and a matrix between them grow as vectors become longer.

growth = Growth(ledger, region)
yield growth.table_comes(few)
yield growth.double(0)                      # twice as long: the table doubles
yield growth.square_comes()
yield growth.double(1)                      # the matrix becomes four times as large
"""

from __future__ import annotations

import numpy as np
from manim import Line, Mobject, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.parameter_counts import Ledger
from scenes.camera import WHOLE, View
from scenes.figures.dots import Floats
from scenes.mobjects.text import TIMES, Words
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import BACKGROUND, GAP, HAIR, INK, QUERY, QUICK
from scenes.verbs import Appear, Become, ComeFrom, Draw, Hold, Then, Together, Verb


class Growth(VGroup):
    """A `table` of vectors and a `square` matrix between them, which longer vectors make larger.

    `table_twice` and `square_twice` are their twins where vectors are twice as long, with GPT-3's
    proportions; from a view all of it is seen in a region. Parts: the `names` of both, the `times`
    by which each grows; `before`, the edges of both as they were, with what else parts the square
    in four, the `cross`; the `sides` of both that are as long as a vector, and `sides_twice`.
    """

    def __init__(self, ledger: Ledger, region: Region, view: View = WHOLE) -> None:
        length, tokens = ledger.factors["embedding"]
        told = "embeddings", "a matrix"
        self.names = [Words(text, size=theme.SPOKEN_SIZE) for text in told]
        factors = [count(by, "times as large, where vectors are twice as long") for by in (2, 4)]
        self.times = [Words(f"{TIMES} {{}}", by, size=theme.HEADING_SIZE) for by in factors]
        self._draw(float(tokens / length), region)
        self._put_times(region)
        areas = self.table, self.square, *self.before, self.cross, *self.sides
        super().__init__(*areas, *self.names, *self.times)
        twice = self.table_twice, self.square_twice, *self.sides_twice
        whole = VGroup(self, *twice).move_to(region.center)
        first = self.table, self.table_twice, self.before[0], self.names[0], self.times[0]
        self.above = VGroup(*first, self.sides[0], self.sides_twice[0])
        down = region.center - self.above.get_center()
        self.above.shift(down[1] * UP)
        self.up = -down[1] / view.zoom * UP
        for part in whole.family_members_with_points():
            part.points = view.behind(part.points)

    def _draw(self, long: float, region: Region) -> None:
        """Draw both, so many times as long as wide, and their twins, under their names."""
        unit, places = self._places(long, region)
        sizes = (long, 0.5), (long, 1.0), (0.5, 0.5), (1.0, 1.0)
        roles = INK, INK, QUERY, QUERY
        self.table, self.table_twice, self.square, self.square_twice = (
            Rectangle(
                width=unit * wide,
                height=unit * high,
                stroke_color=theme.color(BACKGROUND),
                stroke_width=2 * theme.THIN_LINE,
                fill_color=theme.color(role),
                fill_opacity=1.0,
            )
            for (wide, high), role in zip(sizes, roles, strict=True)
        )
        self.pairs = (self.table, self.table_twice), (self.square, self.square_twice)
        for pair, name, place in zip(self.pairs, self.names, places, strict=True):
            name.shrink_to(region.right - float(place[0])).next_to(place, UP, GAP, LEFT)
            for each in pair:
                each.move_to(place, LEFT + UP)
        middle, half = self.square_twice.get_center(), unit / 2
        ends = (half * LEFT, half * RIGHT), (half * UP, half * DOWN)
        lines = (Line(middle + one, middle + other) for one, other in ends)
        self.cross = VGroup(*lines).set_stroke(theme.color(BACKGROUND), 2 * theme.THIN_LINE)
        self.before = [self.table.copy(), self.square.copy()]
        for each in self.before:
            each.set_fill(opacity=0)
        self.sides, self.sides_twice = (
            [_sides(pair[at], both=pair is self.pairs[1]) for pair in self.pairs] for at in (0, 1)
        )

    def _places(self, long: float, region: Region) -> tuple[float, list[Floats]]:
        """Return a length as the longer vectors', and the corners of both: where it is larger.

        One stands under the other, with their names over them.
        """
        line = max(name.height for name in self.names) + 2 * GAP
        unit = min((region.width - HAIR) / long, region.height / 2 - line)
        left, middle = region.center[0] - unit * long / 2, region.center[1]
        return unit, [np.array((left, y, 0.0)) for y in (middle + unit, middle - line)]

    def _put_times(self, region: Region) -> None:
        """Place by how much each grows beside its name."""
        for name, times in zip(self.names, self.times, strict=True):
            times.next_to(name, RIGHT, buff=2 * GAP).shift((name.baseline - times.baseline) * UP)
            row, foot = VGroup(name, times), name.get_corner(LEFT + DOWN)
            row.scale(min(1.0, (region.right - foot[0]) / row.width), about_point=foot)

    def table_comes(self, few: Mobject) -> Verb:
        """Return how the table comes out of where it is small, and its name."""
        told = Together(Appear(self.names[0]), Draw(self.sides[0]))
        return Together(ComeFrom(self.table, few), Then(Hold(), told))

    def double(self, place: int) -> Verb:
        """Return how the table, or the matrix, is made for vectors twice as long."""
        longer = Become(self.sides[place], self.sides_twice[place])
        return Then(Hold(), Together(Become(*self.pairs[place]), longer), self._told(place))

    def _told(self, place: int) -> Verb:
        """Return how the edges of what it was come, to be compared, and how often that fits."""
        edges = self.before[place], *([self.cross] if place else [])
        return Appear(*edges, self.times[place], scale=1.0)

    def square_comes(self) -> Verb:
        """Return how the table makes room, and the matrix comes, with its name."""
        first = self.table, self.before[0], self.names[0], self.times[0], self.sides[0]
        up = verbs.Shift(*first, by=self.up, run_time=QUICK)
        return Then(up, Together(Appear(self.square, self.names[1]), Draw(self.sides[1])))


def _sides(area: Rectangle, *, both: bool) -> VGroup:
    """Return a bold line along an area's left side, and along its upper one, if `both`."""
    corners = (area.get_corner(LEFT + side) for side in (DOWN, UP))
    low, high = (corner + HAIR / 2 * LEFT for corner in corners)
    left, right = (area.get_corner(side + UP) + HAIR / 2 * UP for side in (LEFT, RIGHT))
    lines = Line(low, high), *[Line(left, right)] * both
    return VGroup(*lines).set_stroke(theme.color(theme.ACCENT), theme.BOLD_LINE)
