"""Keys as arrows, each at its true angle to one query, from which it turns there.

fan = Fan(names, angles, film.stage, seen)
yield fan.open()
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from manim import Sector, VMobject
from manim.constants import LEFT, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import TokenText, Words
from scenes.presence import set_presence
from scenes.provenance import Value
from scenes.region import Region
from scenes.verbs import COMING, Appear, Then, Together, Verb

CROWD = 8  # tokens, from more than which only those that are spoken of have names
LONG = 0.15  # of a stage's width, from which on names are small
HALF, WITHIN = 0.12, 0.8  # of what leans toward the asker: opacity, and radius of an arrow's length
UPRIGHT = np.array([[0.0, 1.0]])  # where the query points
OPENED = 3.2  # seconds, for all


class Turn(Verb):
    """An arrow turns from where the query points to its own place."""

    def __init__(self, arrow: Arrow, run_time: float) -> None:
        self.arrow = arrow
        super().__init__(arrow, run_time=run_time)

    def start(self) -> None:
        """Remember where it stands, as a complex number."""
        self.tail, self.tip = self.arrow.tail, self.arrow.tip
        self.way = complex(*(self.tip - self.tail))

    def change(self, share: float) -> None:
        """Set its angle, a share of its own."""
        up = abs(self.way) * 1j
        way = up * (self.way / up) ** share
        self.arrow.point(self.tail, self.tail + (way.real, way.imag) if share < 1 else self.tip)
        set_presence(self.arrow, min(1.0, share / COMING))


class Fan(Space):
    """Keys at their true angles to a query, which stands upright: `asking`, called `query`.

    The nearest one is on the left, the next on the right, and so on. `degrees` stand beside names;
    `half` is where arrows lean toward upright. Tokens that are `seen` have names in any crowd.
    """

    def __init__(
        self, names: Sequence[str], angles: Sequence[Value], region: Region, seen: Collection[int]
    ) -> None:
        turns = np.radians([each.number for each in angles])
        left = np.argsort(np.argsort(turns)) % 2 == 0
        tips = np.stack([np.where(left, -1, 1) * np.sin(turns), np.cos(turns)], axis=-1)
        longest = max(TokenText(name, theme.TITLE_SIZE).width for name in names)
        is_tight = region.is_narrow or longest > LONG * region.width
        size = theme.PLAIN_SIZE if is_tight else theme.TITLE_SIZE
        self.degrees = [Words("{:.0f}°", each, size=size, role=theme.KEY) for each in angles]
        self.query = Words("query of {}", names[-1], size=theme.SPOKEN_SIZE, role=theme.QUERY)
        if len(names) > CROWD:
            self.silent = [*{*range(len(names))}.difference(seen)]
        aside = theme.GAP + max(each.width for each in self.degrees)
        aside = 2 * theme.HAIR if region.is_narrow else aside
        free = region.narrowed(aside, aside).lowered(self.query.height + theme.GAP)
        colors = [theme.color(theme.KEY)] * len(names)
        super().__init__([tips, UPRIGHT], names, free, colors=colors, size=size)
        top = self.origin + self.unit * UPRIGHT[0]
        self.asking = Arrow(theme.color(theme.QUERY))
        self.asking.point(self.origin, top)
        self.query.move_to((*top, 0.0)).shift((self.query.height + theme.HAIR) * UP)
        self.half = Sector(WITHIN * self.unit, angle=PI, arc_center=(*self.origin, 0.0))
        self.half.set_fill(theme.color(theme.QUERY), HALF).set_stroke(width=0)
        _set_beside(self.degrees, self.labels, left, region)
        self.add_to_back(self.half).add(self.asking, *self.degrees, self.query)

    def open(self) -> Then:
        """Return how keys turn from the query to where they point, and are named."""
        pace = min(theme.STEADY, OPENED / len(self.arrows))
        named = [[name] * (i not in self.silent) for i, name in enumerate(self.labels)]
        pairs = zip(self.arrows, named, strict=True)
        turned = (Together(Turn(arrow, pace), Appear(*name).within(pace)) for arrow, name in pairs)
        return Then(Appear(self.ground[0], self.asking, self.query), Then(*turned))

    def of(self, tokens: Iterable[int]) -> list[VMobject]:
        """Return the names and arrows of some tokens, and the angles beside them."""
        parts: tuple[Sequence[VMobject], ...] = self.labels, self.arrows, self.degrees
        return [each[i] for i in tokens for each in parts]


def _set_beside(
    angles: Sequence[Words], names: Sequence[TokenText], left: NDArray[np.bool_], stage: Region
) -> None:
    """Set angles beside names, on their left or right."""
    for angle, name, is_left in zip(angles, names, left, strict=True):
        gap = theme.HAIR if stage.is_narrow else theme.GAP
        angle.next_to(name, LEFT if is_left else RIGHT, buff=gap)
        stage.hold(angle.shift((name.baseline - angle.baseline) * UP))
