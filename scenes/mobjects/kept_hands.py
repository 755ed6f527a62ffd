"""What training makes of hands, told beside the maps of what they write. It knows no model.

kept = KeptHands(maps, rates=[(0, rate), (9, other)], read=[9], hands=48)
yield kept.before_training(), kept.train()
yield kept.keep(), kept.tell_read()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import VGroup
from manim.constants import DOWN, RIGHT

from scenes.mobjects.place_maps import PlaceMaps
from scenes.mobjects.text import Words
from scenes.provenance import Value, count
from scenes.theme import ACCENT, GAP, NAMED_SIZE, QUICK, QUIET, SPOKEN_SIZE, STEADY
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
    Verb,
)


class KeptHands(VGroup):
    """How fast the hands turn that training left in time, beside their rows of maps.

    The second picture of `maps` is what hands wrote before training, the third is after it;
    `rates`, in degrees a place, are of the hands that are kept, of which some are `read`. Parts:
    the `paces` beside the rows, and under the maps what is told of these `before` training, `after`
    it, of those `kept` and of those `read`.
    """

    def __init__(
        self, maps: PlaceMaps, rates: Mapping[int, Value], read: Sequence[int], hands: int
    ) -> None:
        self.maps, self.reads = maps, [hand in read for hand in rates]
        self.paces = [Words("{:.0f}°", rate, size=NAMED_SIZE) for rate in rates.values()]
        spots = maps.beside_kept([*rates])
        free = 0.9 * min((float(abs(a[1] - b[1])) for a, b in pairwise(spots)), default=np.inf)
        for pace, spot in zip(self.paces, spots, strict=True):
            pace.scale(min(1.0, free / pace.height)).move_to(spot, RIGHT)
        numbers = [count(number, "hands") for number in (len(rates), hands, len(read))]
        self.before = Words("before training", size=SPOKEN_SIZE, role=QUIET)
        self.after = Words("after training", size=SPOKEN_SIZE, role=QUIET)
        self.kept = Words("{} of {} are still clocks", *numbers[:2], size=SPOKEN_SIZE)
        self.read = Words("one head reads {}", numbers[2], size=SPOKEN_SIZE, role=ACCENT)
        both = VGroup(self.kept, self.read).arrange(RIGHT, buff=2 * GAP)
        both.scale(min(1.0, maps.width / both.width))
        for told in (self.before, self.after, both):
            told.move_to(maps.key, DOWN)
        super().__init__(*self.paces, self.before, self.after, self.kept, self.read)

    def before_training(self) -> Verb:
        """Return how maps come to show what the hands wrote before training."""
        return Then(self.maps.learn(1), Appear(self.before))

    def train(self) -> Verb:
        """Return how training changes every number."""
        told = Then(Disappear(self.before, run_time=QUICK), Hold(QUICK), Appear(self.after))
        return Together(self.maps.learn(2), told)

    def keep(self) -> Verb:
        """Return how the rows of those that are kept fill the maps, with how fast these turn."""
        told = Then(Disappear(self.after, run_time=QUICK), Hold(QUICK), Appear(self.kept))
        return Together(
            self.maps.keep(), told, Then(Hold(STEADY), Flow(map(Appear, self.paces), STEADY))
        )

    def tell_read(self) -> Verb:
        """Return how those are marked that are read."""
        pairs = list(zip(self.paces, self.reads, strict=True))
        read, rest = ([pace for pace, is_read in pairs if is_read == on] for on in (True, False))
        marked = Together(Recolor(*read, role=ACCENT), Dim(*rest), Appear(self.read))
        return Then(marked, Pulse(*read))
