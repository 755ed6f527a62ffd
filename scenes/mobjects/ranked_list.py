"""Words under one another with angles as wide as they are, by these. It knows no model.

listed = RankedList(angles, words, places, region, heading="degrees", ringed=[1])
yield listed.come(0, wedge)  # the first one's angle flies in from where it was seen
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import Mobject, Sector, VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes import theme
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number, TokenText, Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, QUIET, SPOKEN_SIZE, STEADY, STRONGEST_FILL
from scenes.verbs import Appear, ComeFrom, Flow, Then, Together, Verb

LISTED, OPENED = 1.2, 0.8  # scene units from row to row of a list; of that, an angle's sides


class RankedList(VGroup):
    """Words and their angles in degrees, one under the other, with their places, under a heading.

    `rows[i]` is a name, its angle as wide as it is, its number, and its place; `rings` are around
    the names at the places in `ringed`, and at the foot a `note` tells what they mean.
    """

    def __init__(
        self,
        values: Sequence[Value],
        names: Sequence[str],
        places: Sequence[Value],
        region: Region,
        *,
        heading: str,
        ringed: Sequence[int] = (),
        note: str = "",
    ) -> None:
        self.heading = Words(heading, size=SPOKEN_SIZE, role=QUIET)
        line = self.heading.height + GAP
        y, half = region.center[1], min(LISTED * len(values), region.height - 2 * line) / 2
        numbers = [Number(place, 0, SPOKEN_SIZE, QUIET) for place in places]
        texts = [TokenText(name, SPOKEN_SIZE) for name in names]
        first = region.left + max(number.width for number in numbers) + GAP
        corner = first + max(text.width for text in texts) + GAP
        radius, self.rows = OPENED * 2 * half / len(values), list[VGroup]()
        lines = replace(region, bottom=y - half, top=y + half).rows(len(values))
        for value, text, number, row in zip(values, texts, numbers, lines, strict=True):
            low = np.array([corner, row.center[1] - radius / 2, 0.0])
            fan = Sector(radius=radius, angle=np.radians(value.number), arc_center=low)
            fan.set_style(theme.color(QUIET), STRONGEST_FILL, stroke_width=0)
            told = Number(value, 0, NAMED_SIZE)
            told.move_to((corner + radius + GAP, row.center[1], 0), LEFT)
            text.move_to((first, row.center[1], 0), LEFT)
            number.move_to((first - GAP, row.center[1], 0), RIGHT)
            self.rows.append(VGroup(text, fan, told, number))
        self.rings = [Ring(texts[place], HAIR / 2, QUIET) for place in ringed]
        self.leap = VGroup()  # dots for places that are passed over
        if len(places) > 1 and places[-1].number > places[-2].number + 1:
            dots = Words("\N{VERTICAL ELLIPSIS}", size=SPOKEN_SIZE, role=QUIET)
            low, high = numbers[-1].get_top()[1], numbers[-2].get_bottom()[1]
            if dots.height < high - low - HAIR:
                self.leap.add(dots.move_to((numbers[-2].get_x(), (low + high) / 2, 0)))
        self.heading.move_to((0, y + half + line / 2, 0)).align_to(self.rows[0][2], RIGHT)
        self.note = Words(note, size=SPOKEN_SIZE, role=QUIET)
        super().__init__(self.heading, *self.rows, self.leap, *self.rings)
        self.set_x(region.center[0])
        self.add(self.note.next_to(self, DOWN, buff=GAP))
        region.hold(self.note)

    def come(self, place: int, seen: Mobject) -> Verb:
        """Return how one's angle comes from where it was seen, and then all rows, one by one.

        On its way it crosses no name. The rings and their note are left out.
        """
        name, fan, *told = self.rows[place]
        rows: list[Verb] = [Appear(row) for row in self.rows]
        rows[place] = Appear(name, *told)
        flown = Together(Appear(self.heading), ComeFrom(fan, seen, fit=False))
        return Then(flown, Flow((*rows, Appear(self.leap)), STEADY))
