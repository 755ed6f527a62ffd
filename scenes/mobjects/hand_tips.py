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
from scenes.mobjects.clock import ticking
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Words
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    INK,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
)
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
ASIDE = 0.4  # of the room, what is left for dials
LARGE_DOT = 0.015  # of a dial's room, the radius of a tip's dot
MOST = 12  # places, at most, through which a dial's hand goes
FIRST = 1  # of these, once trained: a text's first place is unlike all others


class TipsDial(VGroup):
    """One hand, large, and its tips at many places, in whose order it goes.

    `ends`, (places, 2) each, are its tips before and after training. Parts: the `face`, the `dots`,
    the `trail` through the first of them, and the `hand`; and the `label` under them.
    """

    def __init__(self, ends: Sequence[Floats], name: str, room: Region) -> None:
        self.label = Words(name, size=SPOKEN_SIZE)
        room.fit_width(self.label)
        self.label.move_to((room.center[0], room.bottom, 0), DOWN)
        room = room.raised(self.label.height + GAP)
        self.middle, size = room.center[:2], min(room.width, room.height)
        unit = (0.5 - LARGE_DOT) * size / max(float(np.abs(each).max()) for each in ends)
        self.ends = [self.middle + unit * each for each in ends]
        turn = np.arctan2(*ends[0][1]) - np.arctan2(*ends[0][0])
        once = round(2 * np.pi / max(abs(float(turn)), 1e-3))
        self.round = max(min(once, MOST, len(ends[0]) - 1), FIRST + 1)  # it comes round in so many
        self.radii = np.full(len(ends[0]), LARGE_DOT * size)
        self.face = Circle(unit * float(np.linalg.norm(ends[0], axis=-1).mean()))
        self.face.set_stroke(theme.color(QUIET), THIN_LINE).move_to((*self.middle, 0))
        self.dots = Filled(np.zeros((0, 3)), INK)
        self.trail = VMobject(stroke_color=theme.color(ACCENT), stroke_width=BOLD_LINE)
        self.hand = Arrow(theme.color(INK))
        super().__init__(self.face, self.dots, self.trail, self.hand, self.label)
        self.share, self.shown = 0.0, 1.0
        self.go(0.0)

    def learn(self, share: float) -> None:
        """Be as before training (0), after it (1), or between."""
        self.share = share
        self.go(share * FIRST)

    def leave(self, place: float) -> None:
        """Go to a place for the first time: a dot is left at every place on the way."""
        self.more(place + 1)
        self.go(place)
        self.trail.clear_points()

    def more(self, number: float) -> None:
        """Show the dots of so many places."""
        self.shown = number
        self.dots.points = discs(self.now[: int(number)], self.radii[: int(number)])

    def go(self, place: float) -> None:
        """Point to a place, or between two, with the trail from the first place."""
        before = int(place)
        after, part = min(before + 1, len(self.radii) - 1), place - before
        tip = (1 - part) * self.now[before] + part * self.now[after]
        self.hand.point(self.middle, tip)
        way = np.array([*self.now[FIRST : before + 1], tip])
        self.trail.set_points_as_corners(np.column_stack([way, np.zeros(len(way))]))
        self.more(self.shown)

    @property
    def now(self) -> Floats:
        """Where the tips are, (places, 2) in scene units."""
        return (1 - self.share) * self.ends[0] + self.share * self.ends[1]

    def come(self) -> Verb:
        """Return how its hand goes round and leaves a dot at every place."""
        first = Vary(self.leave, 0, self.round, SLOW, ticking(self.round))
        rest = Vary(self.more, self.round + 1, len(self.radii), QUICK)
        return Then(Appear(self.face, self.dots, self.hand), first, rest)

    def play(self) -> Verb:
        """Return how its hand goes through the same places again."""
        again = Vary(self.go, FIRST, self.round, SLOW, ticking(self.round - FIRST))
        shown = Appear(self.trail, self.label, run_time=QUICK)
        return Together(Dim(self.dots), shown, again)


class HandTips(VGroup):
    """The tips of many hands at many places, dots round a face for every hand.

    `pictures`, (places, 2 hands) each, are before and after training; then some hands are
    `kept`, and of these some `read`. Parts: the `faces`, as wide as hands reach before; the `tips`,
    the dots of every hand; under them what is `told`; and beside them `dial`, one of them, large.
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
        self.start = Words("at the start: a dot for each place", size=SPOKEN_SIZE, role=QUIET)
        room.fit_width(self.start)
        self.start.move_to(self.told)
        aside, room = room.raised(self.told.height + GAP).inset(GAP).split(ASIDE)
        room = room.apart(aside, 2 * GAP)
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
        own = min(self.read or kept)
        self.dial = TipsDial([each[own] for each in ends], "in order: it goes round", aside)
        super().__init__(self.faces, self.tips, self.told, self.start, self.dial)
        self.learn(0.0)

    def learn(self, share: float) -> None:
        """Be where hands point before training (0), after it (1), or between."""
        now = (1 - share) * self.before + share * self.after
        for tip, ends in zip(self.tips, now, strict=True):
            tip.points = discs(ends, self.radii)
        self.dial.learn(share)

    def come(self) -> Verb:
        """Return how hands come as they were before training, each at all places."""
        pairs = (Appear(face, tip) for face, tip in zip(self.faces, self.tips, strict=True))
        others = Then(Hold(STEADY), Flow(pairs, SLOW))
        return Together(self.dial.come(), others, Appear(self.start))

    def train(self) -> Verb:
        """Return how training moves them."""
        told = Then(Disappear(self.start, run_time=QUICK / 2), Appear(self.told[0]))
        return Together(Vary(self.learn, 0, 1, SLOW), told)

    def tell_kept(self) -> Verb:
        """Return how those recede that are not kept."""
        rest = [hand for hand in range(len(self.tips)) if hand not in self.kept]
        parts = (part[hand] for hand in rest for part in (self.tips, self.faces))
        return Together(Dim(*parts), Appear(self.told[1]), self.dial.play())

    def tell_read(self) -> Verb:
        """Return how those are marked that are read."""
        tips = [self.tips[hand] for hand in self.read]
        pulses = Then(Hold(), Flow(map(Pulse, tips)))
        return Together(Recolor(*tips, role=ACCENT), Appear(self.told[2]), pulses)
