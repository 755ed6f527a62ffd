"""Arrows that stand for vectors, each at its true angle to one of them, and bodies that open so.

fan = Fan(names, (asker, answers), (before, after), film.stage, named)
yield fan.open(columns, chips)                  # words with their columns become arrows
yield Vary(fan.turn, 0, 1)                      # from the angles before to those after
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from manim import Mobject, Sector, VGroup, VMobject
from manim.constants import DL, DR, LEFT, PI, RIGHT, UL, UP, UR
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import TokenText, Words
from scenes.mobjects.tokens import Chip
from scenes.presence import parts_of, set_presence
from scenes.provenance import Value
from scenes.region import Region
from scenes.verbs import COMING, Appear, Disappear, Flow, Hold, Then, Together, Verb

STOPS = 9  # places of the arrows between which they turn
POINTS = 30  # of a line, that names keep off
CROWD = 8  # tokens, from more than which only those that are spoken of have names
MANY = 5  # tokens, at most, on a side of the asker, if those before it stand on the left
HALF, WITHIN = 0.12, 0.8  # of what leans toward the asker: opacity, and radius of an arrow's length
LEVEL = 0.4  # of an arrow's length, that it rises at least where its name stands over its tip
ASIDE = PI / 4  # how far a wished query turns, and a key to the other side
TOLD = ("query seeks", theme.QUERY), ("key is found", theme.KEY)  # what turns
ARRIVED = 0.7 * theme.STEADY  # seconds, after which an arrow is nearly where it points
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
    """Everybody's vector at its true angle to the asker's, which stands upright.

    Those before the asker stand on the left, if there is room. `turn` goes from the angles
    `before`, in degrees, to those `after`, in which `asking` stays upright and the asker's own
    arrow turns, too; `query` names it. `was` and `degrees` are these angles, beside the names. In a
    crowd only the `named` have names, the nearest one, and those in `places`.
    `places` are the asker's and those of tokens that answer. `seek` turns `asking` to one side,
    `keep` turns `keeping` to the other, and then `told` names them. `half` is where arrows lean
    toward upright, and `leaning` what is named in it; `there` is the arc to the nearest one.
    """

    def __init__(
        self,
        names: Sequence[str],
        places: tuple[int, Sequence[int]],
        angles: tuple[Sequence[Value], Sequence[Value]],
        stage: Region,
        named: Sequence[int] = (),
    ) -> None:
        asker, answers = places
        ends = [np.array([each.number for each in row]) for row in angles]
        left = np.arange(len(names)) <= asker
        if max(left.sum(), (~left).sum()) > MANY:
            left = np.argsort(np.argsort(ends[1])) % 2 == 0
        shares = np.linspace(0, 1, STOPS)[:, None]
        turns = np.radians((1 - shares) * ends[0] + shares * ends[1])
        stops = np.stack([np.where(left, -1, 1) * np.sin(turns), np.cos(turns)], axis=-1)
        region = stage.lowered(theme.GAP).raised(theme.HAIR)
        size = theme.PLAIN_SIZE if region.is_narrow else theme.TITLE_SIZE
        self.was = [Words("{:.0f}°", each, size=size) for each in angles[0]]
        self.degrees = [
            Words(
                "{:.0f}°",
                each,
                size=size,
                role=theme.KEY if i in {*named, *answers} else theme.QUIET,
            )
            for i, each in enumerate(angles[1])
        ]
        self.asking, self.keeping = Arrow(theme.color(theme.QUERY)), Arrow(theme.color(theme.KEY))
        nearest = int(ends[0].argsort()[1])  # after itself
        if len(names) > CROWD:
            self.silent = [*{*range(len(names))}.difference(named, (asker, nearest, *answers))]
        self.told = [Words(name, size=theme.SPOKEN_SIZE, role=role) for name, role in TOLD]
        self.still = list[Words]()  # names at the foot, which turn with no arrow
        super().__init__(list(stops), names, region, size=size)
        self.there = self.arc(asker, nearest)
        self._fit_both(region, stage, left, (nearest, *answers))
        middle, long = self.far
        self.half = Sector(WITHIN * long, angle=PI, arc_center=(*middle, 0.0))
        self.half.set_fill(theme.color(theme.QUERY), HALF).set_stroke(width=0)
        self.query = Words("query of {}", names[asker], size=theme.SPOKEN_SIZE, role=theme.QUERY)
        self.query.move_to((*middle, 0.0)).shift((long + self.query.height) * UP)
        self._set_told(stage, asker)
        beside = ((self.labels[i], self.arrows[i], self.degrees[i]) for i in {*named, *answers})
        self.leaning = VGroup(self.half, self.query, *chain(*beside))
        self.add_to_back(self.half).add(self.keeping, self.asking, *self.was, *self.degrees)
        self.add(self.query, *self.told)

    def open(self, bodies: Iterable[Mobject], chips: Sequence[Chip]) -> Together:
        """Return how words with their numbers become arrows with names at their tips."""
        opened = (
            Together(
                Disappear(chip, run_time=theme.REST),
                Unfold(body, arrow),
                Then(Hold(ARRIVED), Appear(*[self.labels[i]] * (i not in self.silent))),
            )
            for i, (body, arrow, chip) in enumerate(zip(bodies, self.arrows, chips, strict=True))
        )
        return Together(Appear(self.ground[0]), Flow(opened, theme.REST))

    def of(self, tokens: Iterable[int]) -> list[VMobject]:
        """Return the names and arrows of some tokens, and the angles beside them."""
        parts: tuple[Sequence[VMobject], ...] = self.labels, self.arrows, self.was, self.degrees
        return [each[i] for i in tokens for each in parts]

    def turn(self, share: float) -> None:
        """Stand between the first state (0) and the second (1), seen from as far as it takes."""
        (start, large), (end, small) = self.near, self.far
        self.origin = (1 - share) * start + share * end
        self.unit = large ** (1 - share) * small**share
        self.stand_at(share * (STOPS - 1))
        self.seek(0)
        self.keep(0)

    def seek(self, share: float) -> None:
        """Turn `asking` from upright to one side, and its name with it."""
        self._turn(0, share * ASIDE)

    def keep(self, share: float) -> None:
        """Turn `keeping` from upright to the other side, and its name with it."""
        self._turn(1, -share * ASIDE)

    def _fit_both(
        self, region: Region, stage: Region, left: NDArray[np.bool_], seen: Iterable[int]
    ) -> None:
        """Fit both states, the first one so that the angles of tokens that are seen have room."""
        free, every = theme.GAP + max(each.width for each in self.degrees), self.stops
        beside = 2 * theme.HAIR if region.is_narrow else free
        self.unit = 1.0
        self._fit(region.narrowed(beside, beside))
        self.far = self.origin, self.unit
        tight = free / 2 if region.is_narrow else free
        for room in (region, region.narrowed(tight, tight)):
            beyond = 0.0  # scene units, by which names that push each other stand too high
            for _ in range(2):
                self.stops, self.unit = every[:1], 1.0
                self._fit(room.lowered(beyond))
                self.near, self.stops = (self.origin, self.unit), every
                self.turn(0)
                beyond = max(0.0, *(name.get_top()[1] - room.top for name in self.labels))
            moved = _set_beside(self.was, self.labels, left, stage)
            if not any(moved[i] for i in seen):
                break
        self.turn(1)
        _set_beside(self.degrees, self.labels, left, stage)
        self.turn(0)

    def _set_told(self, stage: Region, asker: int) -> None:
        """Name the wished query and key where they turn to, off the asker, which is seen then."""
        self.seek(1)
        self.keep(1)
        arrows = [self.asking, self.keeping, self.arrows[asker]]
        lines = [(arrow.tail, arrow.tip) for arrow in arrows]
        lines += _across(self.labels[asker])
        for arrow, name in zip(arrows, self.told, strict=False):
            taken = np.concatenate([np.linspace(*line, POINTS) for line in lines])
            if not _set_at(arrow, name, taken, stage):
                self.still.append(name)
            lines += _across(name)
        self.turn(0)

    def _turn(self, place: int, way: float) -> None:
        arrow = (self.asking, self.keeping)[place]
        before, up = arrow.tip, np.array([-np.sin(way), np.cos(way)])
        arrow.point(self.origin, self.origin + self.unit * up)
        if self.told[place] not in self.still:
            self.told[place].shift((*(arrow.tip - before), 0.0))


def _set_beside(
    angles: Sequence[Words], names: Sequence[TokenText], left: NDArray[np.bool_], stage: Region
) -> list[bool]:
    """Set angles beside names, on their left or right; say which had no room there."""
    moved = []
    for angle, name, is_left in zip(angles, names, left, strict=True):
        angle.next_to(
            name, LEFT if is_left else RIGHT, buff=theme.HAIR if stage.is_narrow else theme.GAP
        )
        before = angle.get_x()
        stage.hold(angle.shift((name.baseline - angle.baseline) * UP))
        moved.append(bool(angle.get_x() != before))
    return moved


def _set_at(arrow: Arrow, name: Words, taken: NDArray[np.float64], stage: Region) -> bool:
    """Set an arrow's name over its tip, or else beyond or beside it, where no points (n, 2) are.

    Or else it stands at the foot of its side. Return whether it stands at the tip.
    """
    tip, half = arrow.tip, np.array([name.width, name.height]) / 2 + theme.HAIR
    way = (tip - arrow.tail) / np.hypot(*(tip - arrow.tail))
    side = float(np.sign(way[0]))
    over = [(0.0, 1.0), (0.0, 3.0)] if way[1] > LEVEL else []  # or else the arrow crosses it
    beside = [*over, (side, 0.0), (side, float(np.sign(way[1]))), (0.0, -1.0)]
    foot = arrow.tail + (WITHIN * np.abs(tip - arrow.tail).max() * side, half[1])
    for at in (*(tip + np.multiply(half, each) for each in beside), foot):
        stage.hold(name.move_to((*at, 0.0)))
        inside = np.abs(taken - name.get_center()[:2]) < half - theme.HAIR / 2
        if name.get_top()[1] < stage.top and not inside.all(axis=1).any():
            return at is not foot
    return False


def _across(name: VMobject | VGroup) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return both lines from corner to corner of a name."""
    return [(name.get_corner(a)[:2], name.get_corner(b)[:2]) for a, b in ((DL, UR), (UL, DR))]
