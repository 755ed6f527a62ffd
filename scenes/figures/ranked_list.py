"""Words under one another with their angles, by these. It knows no model.

listed = RankedList(angles, words, places, region, heading="angle to the tip", quiet=[1])
yield listed.come(0, wedge)  # the first one's angle flies in from where it was seen
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manim import Mobject, VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes.mobjects.bars import WAIST
from scenes.mobjects.text import Number, TokenText, Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, QUIET, SPOKEN_SIZE, STEADY, TITLE_SIZE, Role
from scenes.verbs import Appear, ComeFrom, Flow, Then, Together, Verb

LISTED = 1.2  # scene units from row to row


class RankedList(VGroup):
    """Words and their angles in degrees, one under the other, with their places, under a heading.

    `rows[i]` is a name, its angle and its place; those at the places in `quiet` recede.
    """

    def __init__(
        self,
        values: Sequence[Value],
        names: Sequence[str],
        places: Sequence[Value],
        region: Region,
        *,
        heading: str,
        quiet: Sequence[int] = (),
    ) -> None:
        self.heading, self.rows = Words(heading, size=SPOKEN_SIZE, role=QUIET), list[VGroup]()
        line = self.heading.height + GAP
        y, half = region.center[1], min(LISTED * len(values), region.height - 2 * line) / 2
        numbers = [Number(place, 0, SPOKEN_SIZE, QUIET) for place in places]
        roles: list[Role] = [QUIET if place in quiet else INK for place in range(len(names))]
        texts = [TokenText(name, TITLE_SIZE, role) for name, role in zip(names, roles, strict=True)]
        first = region.left + max(number.width for number in numbers) + GAP
        corner = first + max(text.width for text in texts) + 2 * GAP
        lines = replace(region, bottom=y - half, top=y + half).rows(len(values))
        for value, text, number, role, row in zip(
            values, texts, numbers, roles, lines, strict=True
        ):
            told = Words("{:.0f}\N{DEGREE SIGN}", value, size=TITLE_SIZE, role=role)
            told.move_to((corner, row.center[1], 0), LEFT)
            text.move_to((first, row.center[1], 0), LEFT)
            number.move_to((first - GAP, row.center[1], 0), RIGHT)
            for each in (text, told, number):  # on one line
                each.shift(UP * (row.center[1] - WAIST * told.em - each.baseline))
            self.rows.append(VGroup(text, told, number))
        self.leap = VGroup()  # dots for places that are passed over
        if len(places) > 1 and places[-1].number > places[-2].number + 1:
            dots = Words("\N{VERTICAL ELLIPSIS}", size=SPOKEN_SIZE, role=QUIET)
            low, high = numbers[-1].get_top()[1], numbers[-2].get_bottom()[1]
            if dots.height < high - low - HAIR:
                self.leap.add(dots.move_to((numbers[-2].get_x(), (low + high) / 2, 0)))
        self.heading.move_to((0, y + half + line / 2, 0)).align_to(self.rows[0][1], RIGHT)
        super().__init__(self.heading, *self.rows, self.leap)
        self.set_x(region.center[0])
        region.hold(self.heading)

    def come(self, place: int, seen: Mobject) -> Verb:
        """Return how one's angle comes from where it was seen, and then all rows, one by one."""
        name, told, number = self.rows[place]
        rows: list[Verb] = [Appear(row) for row in self.rows]
        rows[place] = Appear(name, number)
        flown = Together(Appear(self.heading), ComeFrom(told, seen, fit=False))
        return Then(flown, Flow((*rows, Appear(self.leap)), STEADY))
