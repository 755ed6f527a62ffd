"""Keys as arrows, each at its true angle to one query, and bodies that open into arrows.

fan = Fan(names, angles, film.stage, seen)
yield fan.open(columns, chips)                  # words with their columns become arrows
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from manim import Mobject, Sector, VMobject
from manim.constants import LEFT, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import TokenText, Words
from scenes.mobjects.tokens import Chip
from scenes.presence import parts_of, set_presence
from scenes.provenance import Value
from scenes.region import Region
from scenes.verbs import COMING, Appear, Disappear, Hold, Then, Together, Verb

CROWD = 8  # tokens, from more than which only those that are spoken of have names
LONG = 0.15  # of a stage's width, from which on names are small
HALF, WITHIN = 0.12, 0.8  # of what leans toward the asker: opacity, and radius of an arrow's length
UPRIGHT = np.array([[0.0, 1.0]])  # where the query points
OPENED, LATE = 3.2, 1.5  # seconds, for all; of each one's time, until it is named
THICK = 2.0  # times as thick as an arrow is what a body begins to be


class Unfold(Verb):
    """A vector as a body of numbers becomes an arrow, or, with `back`, the arrow such a body.

    The arrow stands where the body does, upright or lying as that is, and swings to its place.
    """

    def __init__(
        self, body: Mobject, arrow: Arrow, run_time: float = theme.STEADY, *, back: bool = False
    ) -> None:
        self.arrow, self.back = arrow, back
        super().__init__(body, arrow, run_time=run_time)

    def start(self) -> None:
        """Remember both ways, as complex numbers."""
        body = self.subjects[0]
        is_upright = body.height > body.width
        ends = body.get_bottom(), body.get_top()
        low, high = ends if is_upright else (body.get_left(), body.get_right())
        self.ends = self.arrow.tail, self.arrow.tip
        self.begins = low[:2], self.arrow.tail
        self.ways = complex(*(high - low)[:2]), complex(*(self.arrow.tip - self.arrow.tail))

    def change(self, share: float) -> None:
        """Draw the arrow on its way, and let it and the body take turns."""
        share = 1 - share if self.back else share
        (low, start), (first, last) = self.begins, self.ways
        way, begin = first * (last / first) ** share, (1 - share) * low + share * start
        self.arrow.point(begin, begin + (way.real, way.imag), THICK ** (1 - share))
        if not share:
            self.arrow.point(*self.ends)
        for subject, there in zip(self.subjects, (1 - share / COMING, share / COMING), strict=True):
            for part in parts_of(subject):
                set_presence(part, float(np.clip(there, 0, 1)))


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

    def open(self, bodies: Iterable[Mobject], chips: Sequence[Chip]) -> Together:
        """Return how words with their keys become named arrows, the last one first."""
        last, pace = len(chips) - 1, min(theme.STEADY, OPENED / len(chips))
        named = [[name] * (i not in self.silent) for i, name in enumerate(self.labels)]
        opened = (
            Together(
                Then(Hold((last - i) * pace), Disappear(chip, run_time=pace / 2)),
                Then(Hold((last - i) * pace), Unfold(body, arrow, pace)),
                Then(Hold((last - i + LATE) * pace), Appear(*named[i], run_time=pace / 2)),
            )
            for i, (body, arrow, chip) in enumerate(zip(bodies, self.arrows, chips, strict=True))
        )
        return Together(Appear(self.ground[0]), *opened)

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
