"""Lines of a name, a bar and its number, which may all change together. They know no meaning."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, Rectangle, VGroup
from manim.constants import LEFT, ORIGIN, RIGHT, UP

from scenes import theme
from scenes.animations import Change, Together, one_after_another
from scenes.arrivals import Appear
from scenes.mobjects.text import Number, Words
from scenes.provenance import Value, between
from scenes.region import Region
from scenes.theme import GAP, INK, LABEL_SIZE, STEADY, STRONGEST_FILL, Role

BAR_SHARE = 0.42  # of a line's height
TALLEST_LINE = 0.7  # scene units
SHORTEST_BAR = 0.015  # scene units


class RankedBars(VGroup):
    """One line for each name, from the top: the name, a bar for a share of 0 to 1, its number."""

    def __init__(
        self, names: Sequence[Words], shares: Sequence[Value], region: Region, role: Role = INK
    ) -> None:
        height = min(TALLEST_LINE, region.height / len(names))
        left = region.left + max(name.width for name in names) + GAP
        number_room = Number(shares[0], size=LABEL_SIZE).width + 2 * GAP
        longest = region.right - left - number_room
        self.lines = []
        for place, (name, share) in enumerate(zip(names, shares, strict=True)):
            line = BarLine(name, share, longest, BAR_SHARE * height, role)
            line.shift(RIGHT * left + UP * (region.top - (place + 0.5) * height))
            self.lines.append(line)
        super().__init__(*self.lines)

    def reveal(self) -> Animation:
        """Let the lines come in from the top."""
        return one_after_another(map(Appear, self.lines))

    def change_to(self, shares: Sequence[Value], run_time: float = STEADY) -> Animation:
        """Let every bar and its number run to another share."""
        return Together(map(Remeasure, self.lines, shares, [run_time] * len(shares)))


class BarLine(VGroup):
    """A name, a bar that begins at the origin, and its number; `longest` is the bar of 1.

    The name, as it was made, and the number stand on one line of type.
    """

    def __init__(
        self, name: Words, share: Value, longest: float, height: float, role: Role
    ) -> None:
        self.longest = longest
        self.bar = Rectangle(
            width=1,
            height=height,
            stroke_width=0,
            fill_color=theme.color(role),
            fill_opacity=STRONGEST_FILL,
        )
        self.bar.move_to(ORIGIN, aligned_edge=LEFT)
        self.number = Number(share, size=LABEL_SIZE, anchor=LEFT).set_y(0)
        baseline = float(self.number.get_bottom()[1])
        name.shift(RIGHT * (-GAP - name.get_right()[0]) + UP * baseline)
        super().__init__(name, self.bar, self.number)
        self.put(share)

    def put(self, share: Value) -> None:
        """Show another share."""
        left = float(self.bar.get_left()[0])
        self.bar.stretch_to_fit_width(max(share.number * self.longest, SHORTEST_BAR))
        self.bar.align_to((left, 0, 0), LEFT)
        self.number.put(share)
        self.number.shift(RIGHT * (self.bar.get_right()[0] + GAP - self.number.get_left()[0]))


class Remeasure(Change):
    """A bar and its number run from the share that they show to another."""

    def __init__(self, line: BarLine, share: Value, run_time: float = STEADY) -> None:
        super().__init__(line, run_time=run_time)
        self.line, self.first, self.last = line, line.number.value, share

    def change(self, share: float) -> None:
        """Show the mixture of both shares."""
        self.line.put(between(self.first, self.last, share))
