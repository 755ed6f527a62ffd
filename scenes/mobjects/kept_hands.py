"""What training makes of a model's hands: a wall of clocks, of which some go on. No model.

kept = KeptHands([started, own], rates={0: rate, 9: other}, room=stage)
yield kept.begin()                     # as they were made
trained, ticking, gathered = kept.go_on()
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN
from numpy.typing import NDArray

from scenes.mobjects.clock import Clock, ticking
from scenes.mobjects.text import Words, em_of
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import GAP, HAIR, QUICK, QUIET, SLOW, STEADY, TITLE_SIZE
from scenes.verbs import (
    Appear,
    ComeFrom,
    Disappear,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
)

MADE, LEFT = 3, 9  # places to which hands tick as they were made, and as training left them
FACE = 0.46  # of the distance between clocks, a face's radius


class KeptHands(VGroup):
    """A clock for every hand of `pictures`, (places, 2 hands) each, before and after training.

    A hand is drawn as long as it was at first, at most. `rates`, in degrees a place, are of those
    that are kept. Parts: the `clocks`, by hand, those of hands that are `lost`, and the `paces` of
    the others, under these once they have gathered; what is told under all of them `before`
    training, `after` it, and of those that are `kept`.
    """

    def __init__(
        self,
        pictures: Sequence[NDArray[np.float64]],
        rates: Mapping[int, Value],
        room: Region,
    ) -> None:
        rights, ups = (np.stack([each[:, part::2] for each in pictures]) for part in (0, 1))
        angles, lengths = np.arctan2(rights, ups), np.hypot(rights, ups)
        off = (angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi
        turns = np.arange(len(off))[:, None] * (angles[0, 1] % (2 * np.pi))
        self.angles = np.stack([turns, turns + off])  # (picture, place, hand), without a leap
        self.lengths = np.minimum(lengths / lengths[0], 1.0)
        self.place = self.trained = self.gathered = 0.0
        hands, kept = range(off.shape[1]), [*rates]
        foot = room.raised(em_of(TITLE_SIZE) + 2 * GAP)
        spots, self.near = in_lines(len(hands), foot)
        self.clocks = {hand: Clock(0.0, spots[hand], FACE * self.near) for hand in hands}
        self.homes, (spots, far) = spots, in_lines(len(kept), foot)
        self.goals, self.far = dict(zip(kept, spots, strict=True)), far - em_of(TITLE_SIZE) - GAP
        self.lost = [clock for hand, clock in self.clocks.items() if hand not in rates]
        self.gather(1.0)
        self.paces = {hand: Words("{:.0f}°", rate, size=TITLE_SIZE) for hand, rate in rates.items()}
        for hand, pace in self.paces.items():
            pace.next_to(self.clocks[hand].face, DOWN, buff=HAIR)
        numbers = (count(number, "hands") for number in (len(kept), len(hands)))
        self.before, self.after = (
            Words(f"{when} training", size=TITLE_SIZE, role=QUIET) for when in ("before", "after")
        )
        self.kept = Words("{} of {} still keep time, roughly", *numbers, size=TITLE_SIZE)
        all_told = self.before, self.after, self.kept
        for told in all_told:
            told.move_to((room.center[0], room.bottom, 0), DOWN)
        self.gather(0.0)
        super().__init__(*self.clocks.values(), *self.paces.values(), *all_told)

    def begin(self) -> Verb:
        """Return how all clocks come in as they were made, and tick."""
        come = Appear(*self.clocks.values(), self.before)
        return Then(Hold(QUICK / 3), come, Vary(self.turn_to, 0, MADE, STEADY, ticking(MADE)))

    def go_on(self) -> Iterator[Verb]:
        """Return how they are trained, how they tick then, and which ones stay."""
        told = Then(Disappear(self.before), Appear(self.after))
        yield Together(told, Vary(self.train, 0, 1, SLOW))
        yield Vary(self.turn_to, MADE, LEFT, SLOW, ticking(LEFT - MADE))
        leave = Disappear(*self.lost, self.after)
        come = Together(leave, Then(Hold(QUICK / 2), Vary(self.gather, 0, 1)))
        on = Vary(self.turn_to, LEFT, LEFT + MADE, STEADY, ticking(MADE))
        yield Then(come, Together(Appear(*self.paces.values(), self.kept), on))

    def share_out(self, hand: int, clocks: Sequence[Clock]) -> Verb:
        """Return how all leave but the clock of a hand, from which others come to their places."""
        own = self.clocks[hand], self.paces[hand]
        rest = (each for each in (*self.clocks.values(), *self.paces.values()) if each not in own)
        come = Flow((ComeFrom(clock, own[0]) for clock in clocks), STEADY)
        leave = Together(Disappear(*rest, self.kept), Pulse(*own))
        return Then(leave, Together(Disappear(*own), come))

    def turn_to(self, place: float) -> None:
        """Let all hands point to where they do at a place, or between two."""
        self.place = place
        self.draw()

    def train(self, share: float) -> None:
        """Let hands be as they were made (0), as training left them (1), or between."""
        self.trained = share
        self.draw()

    def gather(self, share: float) -> None:
        """Let clocks that are kept stand on the wall (0), large by themselves (1), or between."""
        self.gathered = share
        for hand, goal in self.goals.items():
            clock = self.clocks[hand]
            clock.middle = (1 - share) * self.homes[hand] + share * goal
            clock.radius = FACE * ((1 - share) * self.near + share * self.far)
        self.draw()

    def draw(self) -> None:
        """Draw all faces and hands."""
        before = min(int(self.place), self.angles.shape[1] - 2)
        share = self.place - before
        for hand, clock in self.clocks.items():
            angle, length = (
                float(np.array([1 - self.trained, self.trained]) @ each @ [1 - share, share])
                for each in (
                    self.angles[:, before : before + 2, hand],
                    self.lengths[:, before : before + 2, hand],
                )
            )
            clock.aim(angle, length)


def in_lines(number: int, room: Region) -> tuple[list[NDArray[np.float64]], float]:
    """Return where so many stand in full lines, and how far apart: as far as can be."""
    wide = [each for each in range(1, number + 1) if number % each == 0]
    apart = [min(room.width / each, room.height * each / number) for each in wide]
    columns = wide[int(np.argmax(apart))]
    lines = (line.in_columns(columns) for line in room.rows(number // columns))
    return [spot.center[:2] for line in lines for spot in line], max(apart)
