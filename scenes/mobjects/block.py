"""One block, large: what each of its steps reads of tokens' columns, and what it adds to them.

first = Block(tokens, vectors, pattern, changes, region)
yield first.look()
yield Flow(map(first.enter, range(len(tokens)))), Flow(map(first.add_up, range(len(tokens))))
yield first.becomes(tower, swapped=1)       # it becomes the first block of a `Tower`
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from manim import Circle, Line, VGroup, VMobject
from manim.constants import ORIGIN

from scenes import theme
from scenes.mobjects.outlines import Rounded
from scenes.mobjects.tower import ASIDE, Floats, Levels, Tower, numbers
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    HAIR,
    INK,
    OUTPUT,
    QUICK,
    STRONGEST_FILL,
    THIN_LINE,
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Then,
    Together,
    TurnInto,
    Undim,
    Verb,
)


class Block(Tower):
    """One block, large: columns of numbers, what each step reads of them, and what it adds.

    Its steps are: as they come in, after attention, after the MLP. Further parts, by step:
    `risen[step][i]`, what comes up to be added to, `read[step][i]`, what a step reads,
    `pluses[step][i]`; and `added[i]`.
    """

    levels: ClassVar = Levels(0.24, 0.16, 0.13, 0.28, 0.39, 0.495, 0.655, 0.1, 0.765, 0.885, 0.5)
    faintness: ClassVar = STRONGEST_FILL

    def __init__(
        self,
        pieces: Sequence[str],
        vectors: Floats,
        pattern: Floats,
        changes: Floats,
        region: Region,
    ) -> None:
        super().__init__(pieces, vectors, pattern[None], changes, region)
        at, high, floor, aside = self.levels, self.high, self.floors[0], ASIDE * self.pitch
        self.risen = [
            self._row([node.copy() for node in row], height)
            for row, height in zip(self.nodes, self.heights[1:], strict=False)
        ]
        small = 0.55 * self.size[0], 0.55 * self.size[1]
        places = at.foot - 0.015 - small[1] / high / 2, (at.leaves + at.box - at.thick / 2) / 2
        self.read = [
            self._row([node.copy().scale(0.55) for node in row], floor + share * high, right)
            for row, share, right in zip(self.nodes, places, (0.0, aside), strict=False)
        ]
        added = [numbers(row, small, OUTPUT) for row in vectors[0][2] - vectors[0][1]]
        self.added = self._row(added, floor + at.box * high, aside)
        radius = min(0.022 * high, 0.12 * self.pitch)
        levels = floor + at.mixed * high, floor + at.joins * high
        self.pluses = [self._row([_plus(radius) for _ in pieces], level) for level in levels]
        for row in (*self.risen, *self.read, self.added, *self.pluses):
            self.add(*row)

    def copy_out(self, token: int) -> Verb:
        """Return how what attention reads comes out of a column."""
        return ComeFrom(self.read[0][token], self.nodes[0][token], fit=False)

    def look(self) -> Verb:
        """Return how columns look at these copies: the last one first, then all."""
        lines, end = self.lines[0], self.xs[-1] - HAIR
        last = [line for line in lines if line.get_end()[0] > end]  # they come first
        return Then(Flow(map(Draw, last), QUICK), Flow(map(Draw, lines[len(last) :])))

    def enter(self, token: int) -> Verb:
        """Return how a copy of a column goes into its MLP."""
        read, box = self.read[1][token], self.boxes[0][token]
        come = ComeFrom(read, self.nodes[1][token], fit=False)
        return Then(Together(Draw(self.ways[0][token]), come), GoInto(read, box, QUICK))

    def add_up(self, token: int) -> Verb:
        """Return how what the MLP makes is added to a column that rises."""
        before, after, risen = (row[token] for row in (*self.nodes[1:], self.risen[1]))
        added, plus = self.added[token], self.pluses[1][token]
        made = Then(Appear(added), GoInto(added, plus, QUICK))
        rise = Together(Appear(plus), ComeFrom(risen, before))
        return Then(Together(rise, made), TurnInto(risen, after, QUICK))

    def becomes(self, tower: Tower, swapped: int) -> Verb:
        """Return how what a tower has of it, too, becomes the tower's first block.

        The chip of the token that is `swapped` for another one stays unseen.
        """
        pairs: list[tuple[VMobject, VMobject]] = [(self.grounds[0], tower.grounds[0])]
        pairs += zip(self.inside(0), tower.inside(0), strict=True)
        pairs += zip(self.lines[0], tower.lines[0], strict=True)
        pairs += zip(self.streams, tower.streams, strict=True)
        for rows in zip(self.nodes[::2], tower.nodes, strict=False):
            pairs += zip(*rows, strict=True)
        moved = [Together(Become(*pair), Undim(pair[0])) for pair in pairs]
        turned = [*zip(self.chips, tower.chips, strict=True)]
        del turned[swapped]
        there = Appear(*(new for _, new in pairs), run_time=HAIR, scale=1.0)
        gone = Disappear(*(old for old, _ in pairs), run_time=HAIR)
        return Then(Together(moved, (TurnInto(*pair) for pair in turned)), there, gone)

    def _seen(self, change: float) -> float:  # noqa: ARG002 - whether it comes there is seen
        return 1.0

    def _glow(self, change: float) -> VMobject:  # noqa: ARG002 - a rim, however much it is
        wide, high = self.size
        rim = Rounded(corner_radius=CORNER / 2, width=wide + HAIR, height=high)
        return rim.set_stroke(theme.color(ACCENT), BOLD_LINE)


def _plus(radius: float) -> VGroup:
    """Return the sign where something is added to a column."""
    disk = Circle(radius, stroke_color=theme.color(INK), stroke_width=THIN_LINE)
    disk.set_fill(theme.color(BACKGROUND), 1).move_to(ORIGIN)
    arm = 0.6 * radius
    arms = Line((-arm, 0, 0), (arm, 0, 0)), Line((0, -arm, 0), (0, arm, 0))
    return VGroup(disk, *(line.set_stroke(theme.color(INK), THIN_LINE) for line in arms))
