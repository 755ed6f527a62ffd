"""A dial: many words on a half circle, each at its true angle to one of them. It knows no model.

dial = Dial("uncle", [("father", angle), ...], angles, seen, film.stage)
yield Become(dial.grains, dial.sorted)          # every word comes to its angle
yield Draw(dial.rays[0]), Draw(dial.arc), Appear(dial.names[0])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Arc, Line, VGroup
from manim.constants import LEFT, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.text import TokenText, Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    FAINTEST_FILL,
    GAP,
    HAIR,
    INK,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
)

Floats = NDArray[np.float64]

CROWD, GRAIN = 0.22, 0.035  # of a dial's radius, the most words of one angle; a word's dot
LEAST = 0.36  # of the stage's width, a dial's radius with names beside it
FITTINGS = 4  # rounds, as names beside a smaller dial need more of its height


class Dial(VGroup):
    """Words on a half circle, each at its true angle to one that lies to the right.

    `angles` (n,) in degrees are those of all words drawn; `seen` (n, 2) is where they come from.
    Parts: `grains`, a dot a word, with the twins `scattered`, as they come, and `sorted`, in which
    the words of one degree stand above one another; the `rim`, the `base` with the `word`, `crowd`,
    what most words are; for each of the near words a ray and a name with its angle; the `arc` to
    the first of them.
    """

    def __init__(
        self,
        word: str,
        near: Sequence[tuple[str, Value]],
        angles: Floats,
        seen: Floats,
        stage: Region,
    ) -> None:
        self.word = TokenText(word, TITLE_SIZE, ACCENT)
        self.names = [self._named(*each) for each in near]
        listed = VGroup(*self.names).arrange(UP, buff=HAIR, aligned_edge=LEFT)
        self.crowd = Words("all other words", size=SPOKEN_SIZE, role=QUIET)
        numbers = [value.number for _, value in near]
        foot = self.word.height / 2
        high = (stage.height - GAP - self.crowd.height - foot) / (1 + CROWD)
        radius = high
        for _ in range(FITTINGS):
            low = np.sin(np.radians(np.mean(numbers))) - listed.height / (2 * radius)
            out = float(np.sqrt(1 - max(low, 0.0) ** 2)) + CROWD / 4
            radius = min(high, (stage.width - listed.width - GAP) / (1 + out))
        is_beside = radius > LEAST * stage.width
        if not is_beside:
            high -= (listed.height + 2 * GAP) / (1 + CROWD)
            radius = min(high, (stage.width - self.word.width - GAP) / 2)
        self.radius = radius
        right = max(radius + GAP + self.word.width, is_beside * (out * radius + GAP + listed.width))
        above = self.crowd.height + GAP + (0 if is_beside else listed.height + 2 * GAP)
        x = stage.center[0] + (radius - right) / 2
        y = stage.center[1] - (radius * (1 + CROWD) + above - foot) / 2
        self.center_at = np.array((x, y, 0.0))
        self.rim = Arc(radius, 0, PI, arc_center=self.center_at)
        self.base = Line(self.center_at, self._at(0.0))
        self.word.next_to(self.base, RIGHT, buff=GAP)
        bins = np.round(angles).astype(int)
        rank = np.zeros(len(bins))
        for each in np.unique(bins):
            rank[bins == each] = np.arange((bins == each).sum())
        off = radius * (1 + GRAIN / radius + CROWD * rank / max(rank.max(), 1.0))
        turns = np.radians(angles)
        places = np.stack([np.cos(turns), np.sin(turns)], axis=1) * off[:, None]
        sizes = np.full(len(angles), GRAIN)
        self.grains, self.scattered, self.sorted = (
            Filled(discs(at, sizes), INK, FAINTEST_FILL)
            for at in (seen, seen, places + self.center_at[:2])
        )
        self.rays = [Line(self.center_at, self._at(number)) for number in numbers]
        first = Arc(0.3 * radius, 0, np.radians(numbers[0]), arc_center=self.center_at)
        self.arc = VGroup(first)
        most = float(np.median(angles))
        self.crowd.move_to(self._at(most, 1 + CROWD) + (self.crowd.height / 2 + GAP) * UP)
        stage.hold(self.crowd)
        if is_beside:
            listed.move_to((x + out * radius + GAP, self._at(np.mean(numbers))[1], 0), LEFT)
        else:
            listed.next_to(self.crowd, UP, buff=2 * GAP).align_to((stage.right, 0, 0), RIGHT)
        VGroup(self.rim, *self.rays).set_stroke(theme.color(QUIET), THIN_LINE)
        VGroup(self.base, *self.rays, self.arc).set_stroke(theme.color(ACCENT), BOLD_LINE)
        for ray in self.rays[1:]:
            ray.set_stroke(width=THIN_LINE)
        super().__init__(self.grains, self.rim, *self.rays, self.base, self.arc)
        self.add(self.word, self.crowd, *self.names)

    @property
    def found(self) -> list[tuple[Line, VGroup]]:
        """The ray to each near word, and its name."""
        return list(zip(self.rays, self.names, strict=True))

    def _at(self, degrees: float | np.floating, share: float = 1.0) -> Floats:
        """Return the point at an angle, a share of the radius from the middle."""
        turn = np.radians(degrees)
        way = np.array((np.cos(turn), np.sin(turn), 0.0))
        return np.asarray(self.center_at + share * self.radius * way)

    @staticmethod
    def _named(name: str, value: Value) -> VGroup:
        number = Words("{:.0f}\N{DEGREE SIGN}", value, size=TITLE_SIZE)
        word = TokenText(name, TITLE_SIZE)
        number.next_to(word, RIGHT, buff=GAP).shift((word.baseline - number.baseline) * UP)
        return VGroup(word, number)
