"""Where many hands point at many places, before and after training. They know no model.

tips = HandTips([started, own], kept=[0, 9], read=[9], room=stage)
yield tips.come(), Vary(tips.learn, 0, 1)
yield tips.tell_kept(), tips.tell_read()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Circle, VGroup, VMobject
from manim.constants import DOWN, RIGHT
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.text import Words
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import ACCENT, GAP, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, THIN_LINE
from scenes.verbs import (
    Appear,
    Dim,
    Disappear,
    Flow,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    Vary,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

REACH, DOT = 0.42, 0.028  # of a pitch, the longest hand; of it, the radius of a tip's dot


class HandTips(VGroup):
    """The tips of many hands at many places, dots round a face for every hand.

    `pictures`, (places, 2 hands) each, are before and after training; then some hands are
    `kept`, and of these some `read`. Parts: the `faces`, as wide as hands reach before; the `tips`,
    the dots of every hand; and under them what is `told`.
    """

    def __init__(
        self, pictures: Sequence[Floats], kept: Sequence[int], read: Sequence[int], room: Region
    ) -> None:
        ends = [picture.reshape(len(picture), -1, 2).swapaxes(0, 1) for picture in pictures]
        self.kept, self.read, hands = kept, {*read} & {*kept}, len(ends[0])
        numbers = [count(number, "hands") for number in (len(kept), hands, len(self.read))]
        self.told = VGroup(
            Words("after training", size=SPOKEN_SIZE, role=QUIET),
            Words("{} of {} keep time", *numbers[:2], size=SPOKEN_SIZE),
            Words("one head reads {}", numbers[2], size=SPOKEN_SIZE, role=ACCENT),
        )
        self.told.arrange(RIGHT, buff=4 * GAP)
        if self.told.width > room.width:
            self.told.arrange(DOWN, buff=GAP)
        self.told.move_to((room.center[0], room.bottom, 0), DOWN)
        self.start = Words("at the start", size=SPOKEN_SIZE, role=QUIET).move_to(self.told)
        room = room.raised(self.told.height + GAP).inset(GAP)
        numbers_of_rows = [rows for rows in range(1, hands + 1) if hands % rows == 0]
        grids = [
            [slot for row in room.rows(rows) for slot in row.in_columns(hands // rows)]
            for rows in numbers_of_rows
        ]
        slots = max(grids, key=lambda grid: min(grid[0].width, grid[0].height))
        pitch = min(slots[0].width, slots[0].height)
        first, last = (np.linalg.norm(each, axis=-1).mean(axis=1) for each in ends)
        unit = REACH * pitch / max(first.max(), last.max())
        middles = np.array([slot.center[:2] for slot in slots])[:, None]
        self.before, self.after = (middles + unit * each for each in ends)
        self.radii = np.full(len(pictures[0]), DOT * pitch)
        self.faces = VGroup(*(Circle(unit * radius) for radius in first))
        self.faces.set_stroke(theme.color(QUIET), THIN_LINE)
        for face, slot in zip(self.faces, slots, strict=True):
            face.move_to(slot.center)
        self.tips = VGroup(*(Filled(np.zeros((0, 3)), INK) for _ in slots))
        super().__init__(self.faces, self.tips, self.told, self.start)
        self.learn(0.0)

    def sources(self, number: int) -> list[VMobject]:
        """Return so many faces of hands that are read, from the left, some of them again."""
        faces = [self.faces[hand] for hand in self.read]
        faces.sort(key=lambda face: float(face.get_x()))
        return [faces[place * len(faces) // number] for place in range(number)]

    def learn(self, share: float) -> None:
        """Be where hands point before training (0), after it (1), or between."""
        now = (1 - share) * self.before + share * self.after
        for tip, ends in zip(self.tips, now, strict=True):
            tip.points = discs(ends, self.radii)

    def come(self) -> Verb:
        """Return how hands come as they were before training, each at all places."""
        pairs = (Appear(face, tip) for face, tip in zip(self.faces, self.tips, strict=True))
        return Together(Flow(pairs, SLOW), Appear(self.start))

    def train(self) -> Verb:
        """Return how training moves them."""
        told = Then(Disappear(self.start, run_time=QUICK / 2), Appear(self.told[0]))
        return Together(Vary(self.learn, 0, 1, SLOW), told)

    def tell_kept(self) -> Verb:
        """Return how those recede that are not kept."""
        rest = [hand for hand in range(len(self.tips)) if hand not in self.kept]
        parts = (part[hand] for hand in rest for part in (self.tips, self.faces))
        return Together(Dim(*parts), Appear(self.told[1]))

    def tell_read(self) -> Verb:
        """Return how those are marked that are read."""
        tips = [self.tips[hand] for hand in self.read]
        pulses = Then(Hold(), Flow(map(Pulse, tips)))
        return Together(Recolor(*tips, role=ACCENT), Appear(self.told[2]), pulses)
