"""What training makes of a model's hands: a wall of clocks, of which some go on. No model.

kept = KeptHands([started, own], [0, 9], one=9, room=stage)
yield kept.begin()                     # as they were made
trained, astray, gathered = kept.go_on()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN, RIGHT
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.clock import LENGTH, THICK, Clock, ticking, towards
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Words, em_of
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import ACCENT, GAP, QUICK, QUIET, SLOW, STEADY, TITLE_SIZE
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
)

MADE, LEFT, ON = 3, 9, 12  # places to which hands tick: as made, as trained, and those kept
FACE = 0.44  # of the distance between clocks, a face's radius
FAINT = 0.6  # times as thick, a hand that keeps time by itself


class KeptHands(VGroup):
    """A clock for every hand of `pictures`, (places, 2 hands) each, before and after training.

    A hand is drawn as long as it was at first, at most; `kept` are those that keep time. All clocks
    stand on a wall; then all kept ones, large, of which the `one` stays longest.
    Parts: the `clocks`, by hand; the `true` hands of kept ones, which go on at the pace that these
    were made with; and what is told under the clocks: when that is (`before` and `after` training),
    and how many are `left`.
    """

    def __init__(
        self, pictures: Sequence[NDArray[np.float64]], kept: Sequence[int], one: int, room: Region
    ) -> None:
        rights, ups = (np.stack([each[:, part::2] for each in pictures]) for part in (0, 1))
        angles, lengths = np.arctan2(rights, ups), np.hypot(rights, ups)
        off = (angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi
        turns = np.arange(len(off))[:, None] * (angles[0, 1] % (2 * np.pi))
        self.angles = np.stack([turns, turns + off])  # (picture, place, hand), without a leap
        self.lengths = np.minimum(lengths / lengths[0], 1.0)
        self.place = self.trained = self.stop = 0.0
        hands, self.kept, self.one = range(off.shape[1]), [*kept], one
        since = np.angle(np.exp(1j * off).sum(axis=0))
        self.paced = turns + since  # (place, hand), at the pace that a hand was made with
        number = count(len(kept), "hands"), count(len(hands), "hands")
        some = Words("{} of {} keep, roughly,", *number, size=TITLE_SIZE)
        self.left = VGroup(some, Words("their old pace", size=TITLE_SIZE, role=ACCENT))
        self.left.arrange(RIGHT if some.width < room.width / 2 else DOWN, buff=GAP)
        foot = room.raised(max(em_of(TITLE_SIZE), self.left.height) + 2 * GAP)
        walls, near = _in_full_lines(len(hands), foot)
        self.spots = [[(*spot, FACE * near)] * 2 for spot in walls]
        middles, near = _in_full_lines(len(kept), foot)
        for hand, middle in zip(kept, middles, strict=True):
            self.spots[hand][1] = (*middle, FACE * near)
        self.clocks = {hand: Clock(0.0, np.zeros(2), 1.0) for hand in hands}
        self.true = {hand: Arrow(theme.color(ACCENT)) for hand in kept}
        self.before, self.after = (
            Words(f"{when} training", size=TITLE_SIZE, role=QUIET) for when in ("before", "after")
        )
        for told in (self.before, self.after, self.left):
            told.move_to((room.center[0], room.bottom, 0), DOWN)
        super().__init__(*self.clocks.values(), *self.true.values())
        self.add(self.before, self.after, self.left)
        self.draw()

    def begin(self) -> Verb:
        """Return how all clocks come in as they were made, and tick."""
        come = Appear(*self.clocks.values(), self.before)
        return Then(Hold(QUICK / 3), come, Vary(self.turn_to, 0, MADE, STEADY, ticking(MADE)))

    def go_on(self) -> Iterator[Verb]:
        """Return how they are trained, how all tick then, and which ones keep time."""
        told = Then(Disappear(self.before), Appear(self.after))
        yield Together(told, Vary(self.train, 0, 1, SLOW))
        yield Vary(self.turn_to, MADE, LEFT, SLOW, ticking(LEFT - MADE))
        rest = [clock for hand, clock in self.clocks.items() if hand not in self.kept]
        found = Dim(*rest), Appear(*self.true.values())
        large = Disappear(*rest, self.after), Vary(self.gather, 0, 1)
        on = Vary(self.turn_to, LEFT, ON, STEADY, ticking(ON - LEFT))
        yield Then(Together(found), Hold(QUICK), Together(large), Together(Appear(self.left), on))

    def share_out(self, clocks: Sequence[Clock]) -> Verb:
        """Return how all leave but the one, from which others come to their places."""
        own = self.clocks[self.one]
        rest = [*(self.clocks[hand] for hand in self.kept if hand != self.one), self.left]
        leave = Together(Disappear(*rest, *self.true.values()), Pulse(own, run_time=STEADY))
        come = Flow((ComeFrom(clock, own) for clock in clocks), STEADY)
        return Then(leave, Together(Disappear(own), come))

    def turn_to(self, place: float) -> None:
        """Let all hands point to where they do at a place, or between two."""
        self.place = place
        self.draw()

    def train(self, share: float) -> None:
        """Let hands be as they were made (0), as training left them (1), or between."""
        self.trained = share
        self.draw()

    def gather(self, stop: float) -> None:
        """Let clocks stand on the wall (0), all kept ones large (1), or between."""
        self.stop = stop
        self.draw()

    def draw(self) -> None:
        """Draw all faces and hands."""
        before = min(int(self.place), self.angles.shape[1] - 2)
        share = self.place - before
        for hand, clock in self.clocks.items():
            here, there = map(np.array, self.spots[hand])
            *middle, clock.radius = here + self.stop * (there - here)
            clock.middle = np.array(middle)
            angle, length = (
                float(np.array([1 - self.trained, self.trained]) @ each @ [1 - share, share])
                for each in (
                    self.angles[:, before : before + 2, hand],
                    self.lengths[:, before : before + 2, hand],
                )
            )
            clock.aim(angle, length)
            if hand in self.true:
                paced = float(self.paced[before : before + 2, hand] @ [1 - share, share])
                end = clock.middle + LENGTH * clock.radius * towards(paced)
                thick = FAINT * min(1.0, THICK * clock.radius)
                self.true[hand].point(clock.middle, end, thick)


def _in_full_lines(number: int, room: Region) -> tuple[list[NDArray[np.float64]], float]:
    """Return where so many stand in full lines, and how far apart: as far as can be."""
    wide = [each for each in range(1, number + 1) if number % each == 0]
    apart = [min(room.width / each, room.height * each / number) for each in wide]
    columns = wide[int(np.argmax(apart))]
    lines = (line.in_columns(columns) for line in room.rows(number // columns))
    return [spot.center[:2] for line in lines for spot in line], max(apart)
