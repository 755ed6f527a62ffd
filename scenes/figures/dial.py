"""A dial: many words on a half circle, each at its true angle to one of them. It knows no model.

dial = Dial("uncle", [("father", angle), ...], angles, seen, film.stage)
yield Become(dial.grains, dial.sorted)          # every word comes to its angle
yield Vary(dial.rays[0].swing, 0, 1), Draw(dial.arcs[0]), Appear(dial.names[0])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from manim import Arc, Line, VGroup
from manim.constants import DOWN, LEFT, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import TokenText, Words
from scenes.provenance import Value, constant
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
DOT = 0.07  # scene units, the radius of a near word's dot
THICK = 0.75  # times as thick as an arrow in space, a ray
INNER, APART = 0.3, 0.13  # of a radius: that of the first ray's arc; how much more the next has
MARKED = 0.85  # of a radius, how far up a right angle is written
CLEAR = 62.0  # degrees, and more: where the crowd stands over the rim
LEAST = 0.36  # of the stage's width, a dial's radius with names beside it
RIGHT_ANGLE = constant(90.0, "a right angle")
FITTINGS = 4  # rounds, as names beside a smaller dial need more of its height


class Ray(Arrow):
    """An arrow from the middle of a dial to its rim, which grows with its head."""

    def __init__(self, start: Floats, end: Floats, thick: float) -> None:
        super().__init__(theme.color(ACCENT))
        self.ends, self.thick = (start[:2], end[:2]), thick
        self.grow(1.0)

    def grow(self, share: float) -> None:
        """Reach a share of its way."""
        start, end = self.ends
        self.point(start, start + share * (end - start), self.thick)

    def swing(self, share: float) -> None:
        """Turn a share of the way from the right up to its own angle."""
        start, end = self.ends
        reach, turn = np.linalg.norm(end - start), share * np.arctan2(*(end - start)[::-1])
        self.point(start, start + reach * np.array([np.cos(turn), np.sin(turn)]), self.thick)


class Dial(VGroup):
    """Words on a half circle, each at its true angle to one that lies to the right.

    They may be steps from word to word instead. `angles` (n,) in degrees are those of all drawn;
    `seen` (n, 2) is where they come from, by default all from the middle. Parts: `grains`, a dot a
    word, with the twins `scattered`, as they come, and `sorted`, in which the words of one degree
    stand above one another; the `rim`, the `base` with the `word`, the `origin`, `crowd`, what most
    of them are; for each of the near words a ray and a name with its angle, and one of the `arcs`
    from the base to it; an `upright`, and beside it `right`, its degrees. If `dotted`, each near
    word is a dot on the rim, with its name.
    """

    def __init__(
        self,
        word: str,
        near: Sequence[tuple[str, Value]],
        angles: Floats,
        seen: Floats | None,
        stage: Region,
        *,
        crowd: str = "all other words",
        dotted: bool = False,
    ) -> None:
        self.word = TokenText(word, TITLE_SIZE, ACCENT)
        self.names = [self._named(*each) for each in near]
        listed = _listed(self.names)
        told = partial(Words, size=SPOKEN_SIZE, role=QUIET)
        self.crowd, self.origin = told(crowd), told("origin")
        numbers = [value.number for _, value in near]
        is_beside = self._place(numbers, angles, listed, stage)
        radius = self.radius
        self.rim = Arc(radius, 0, PI, arc_center=self.center_at)
        self.base = Ray(self.center_at, self._at(0.0), THICK)
        stage.hold(self.word.next_to(self.base, RIGHT if is_beside else DOWN, buff=GAP))
        places, sizes = _heaped(angles, radius), np.full(len(angles), GRAIN)
        seen = 0 * places + self.center_at[:2] if seen is None else seen
        self.grains, self.scattered, self.sorted = (
            Filled(discs(at, sizes), INK, FAINTEST_FILL)
            for at in (seen, seen, places + self.center_at[:2])
        )
        self.rays = [Ray(self.center_at, self._at(number), THICK) for number in numbers]
        self.arcs = [
            Arc((INNER + APART * at) * radius, 0, np.radians(number), arc_center=self.center_at)
            for at, number in enumerate(numbers)
        ]
        VGroup(*self.arcs).set_stroke(theme.color(ACCENT), BOLD_LINE)
        most = self._at(float(np.median(angles)), 1 + CROWD)
        self.crowd.move_to(most + (self.crowd.height / 2 + GAP) * UP)
        stage.hold(self.crowd)
        if is_beside:
            right = self.center_at[0] + self.reach + GAP
            listed.move_to((right, self._at(np.mean(numbers))[1], 0), LEFT)
            self._set_apart(numbers, stage)
        else:
            listed.next_to(self.crowd, UP, buff=2 * GAP).align_to((stage.right, 0, 0), RIGHT)
        listed.shift(min(0.0, stage.top - float(listed.get_top()[1])) * UP)
        if not is_beside:
            self._hang(numbers, stage)
        for name, number in zip(self.names, numbers if dotted else (), strict=False):
            dot = discs(self._at(number)[None, :2], np.array([DOT]))
            name.add(Filled(dot, ACCENT))
        self.upright = Line(self.center_at, self._at(RIGHT_ANGLE.number))
        VGroup(self.rim, self.upright).set_stroke(theme.color(QUIET), THIN_LINE)
        self.origin.move_to(self.center_at + GAP * LEFT, DOWN + RIGHT)
        self.right = told("{:.0f}\N{DEGREE SIGN}", RIGHT_ANGLE)
        self.right.move_to(self._at(RIGHT_ANGLE.number, MARKED) + GAP * LEFT, RIGHT)
        super().__init__(self.grains, self.rim, self.upright, *self.rays, self.base, *self.arcs)
        self.add(self.word, self.origin, self.crowd, self.right, *self.names)

    def _place(
        self, numbers: Sequence[float], angles: Floats, listed: VGroup, stage: Region
    ) -> bool:
        """Choose the middle and the radius; return whether names have room beside the rim.

        `reach` is how far beside the middle the names begin there.
        """
        foot = self.word.height / 2
        high = (stage.height - GAP - self.crowd.height - foot) / (1 + CROWD)
        radius = high
        for _ in range(FITTINGS):
            low = np.sin(np.radians(np.mean(numbers))) - listed.height / (2 * radius)
            out = float(np.sqrt(1 - max(low, 0.0) ** 2)) + CROWD / 4
            radius = min(high, (stage.width - listed.width - GAP) / (1 + out))
        is_beside = radius > LEAST * stage.width
        if is_beside:
            free = [stage.width - name.width - 2 * GAP for name in self.names]
            base = (stage.width - self.word.width - GAP) / 2
            radius = min(radius, base, *(free / (1 + np.cos(np.radians(numbers)))))
        else:
            high -= (listed.height + 2 * GAP) / (1 + CROWD)
            foot += foot + GAP
            heaped = float(np.abs(_heaped(angles, 1.0)[:, 0]).max())
            radius = min(high - foot, (stage.width / 2 - GRAIN) / max(heaped, 1.0))
        self.radius, self.reach = radius, out * radius
        wide = max(radius + self.word.width, self.reach + listed.width) + GAP
        right = wide if is_beside else radius
        above = self.crowd.height + GAP + (0 if is_beside else listed.height + 2 * GAP)
        x = stage.center[0] + (radius - right) / 2
        y = stage.center[1] - (radius * (1 + CROWD) + above - foot) / 2
        self.center_at = np.array((x, y, 0.0))
        return is_beside

    def _set_apart(self, numbers: Sequence[float], stage: Region) -> None:
        """Set every name at its ray's end, if these ends lie apart.

        Else a line leads from each of them to its name; so it does where the crowd is between.
        """
        ends = [self._at(number) for number in numbers]
        below = [place for place, number in enumerate(numbers) if number < CLEAR]
        gaps = [ends[two][1] - ends[one][1] for one, two in pairwise(below)]
        if min(gaps, default=self.radius) < max(name.height for name in self.names) + HAIR:
            for name, end in zip(self.names, ends, strict=True):
                line = Line(end, name.get_left(), buff=HAIR)
                name.add(line.set_stroke(theme.color(QUIET), THIN_LINE))
            return
        beside, top = self._at(CLEAR)[0], -np.inf
        for place, (name, end) in enumerate(zip(self.names, ends, strict=True)):
            y = end[1] if place in below else max(end[1], top)
            x = self._rim_at(y - name.height / 2) if place in below else beside
            stage.hold(name.move_to((x + GAP, y, 0), LEFT))
            if place not in below:  # its ray ends under the crowd
                line = Line(end, name.get_left(), buff=HAIR)
                name.add(line.set_stroke(theme.color(ACCENT), THIN_LINE))
            top = name.get_top()[1] + HAIR + name.height / 2

    def _hang(self, numbers: Sequence[float], stage: Region) -> None:
        """Set every name over its ray's end, the nearest highest, and lead a line down to it.

        So no line crosses a name; if names are too long for that, or too near, their list stays.
        """
        ends = [self._at(number) for number in numbers]
        pairs = zip(self.names, ends, strict=True)
        sizes = [float(end[0] - stage.left) / name.width for name, end in pairs]
        apart = min((one[0] - two[0] for one, two in pairwise(ends)), default=GAP)
        if min(sizes) < SPOKEN_SIZE / TITLE_SIZE or apart < GAP:
            return
        lines = [_baseline(name) for name in reversed(self.names)]
        for name, end, size, y in zip(self.names, ends, sizes, lines, strict=True):
            name.scale(min(size, 1.0)).align_to(end, RIGHT)
            name.shift((y - _baseline(name)) * UP)
            line = Line((end[0], name.get_bottom()[1], 0), end, buff=HAIR)
            name.add(line.set_stroke(theme.color(ACCENT), THIN_LINE))
        beside = min(end[0] for end in ends) - GAP - float(self.crowd.get_right()[0])
        stage.hold(self.crowd.shift(min(0.0, beside) * RIGHT))

    @property
    def found(self) -> list[tuple[Ray, VGroup]]:
        """The ray to each near word, and its name."""
        return list(zip(self.rays, self.names, strict=True))

    def _rim_at(self, level: float) -> float:
        """Return where the rim's right half is at a level, or the base's end under it."""
        up = max(level - float(self.center_at[1]), 0.0)
        return float(self.center_at[0] + np.sqrt(max(self.radius**2 - up**2, 0.0)))

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


def _listed(names: Sequence[VGroup]) -> VGroup:
    """Return names over one another, on lines that are equally far apart."""
    pitch = max(name.height for name in names) + HAIR
    for place, name in enumerate(names):
        name.shift((place * pitch - _baseline(name)) * UP - name.get_left()[0] * RIGHT)
    return VGroup(*names)


def _baseline(name: VGroup) -> float:
    _, number = name
    assert isinstance(number, Words)
    return number.baseline


def _heaped(angles: Floats, radius: float) -> Floats:
    """Return where grains lie over a rim, (n, 2): those of one degree above one another."""
    bins = np.round(angles).astype(int)
    rank = np.zeros(len(bins))
    for each in np.unique(bins):
        rank[bins == each] = np.arange((bins == each).sum())
    off = radius * (1 + GRAIN / radius + CROWD * rank / max(rank.max(), 1.0))
    turns = np.radians(angles)
    return np.asarray(np.stack([np.cos(turns), np.sin(turns)], axis=1) * off[:, None])
