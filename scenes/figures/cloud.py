"""Many points, seen from a side that turns, in slices of three dimensions. It knows no model.

stars = Constellation(points, marked, names, [whole, near], film.stage, sizes=sizes)
yield Vary(stars.stand_at, 0, 1), Vary(stars.turn_to, 0, 30)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import leg
from scenes.mobjects.outlines import Filled, discs, in_space
from scenes.mobjects.space import POINTS, PUSHES, Arrow, arc_between, pushes
from scenes.mobjects.text import TokenText
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import ACCENT, HAIR, INK, STRONGEST_FILL

Floats: TypeAlias = NDArray[np.float64]

SPECK, MARK = 0.05, 0.11  # scene units, the radius of a point among many, and of a marked one
DEPTHS = (0.3, 0.45, 0.65, 0.9)  # opacities of points, from the farthest to the nearest
LEAST = 1e-3  # scene units, of a radius that is drawn
RIM = 0.3  # of the room's half, in which points fade out towards its edge
NUDGE, AWAY = 0.1, 2.0  # how much upwards a name stands, and off a step, beside outwards
SQUARE = 1.4  # how soon a name stands in the corner
FITTINGS = 4  # rounds, as what is nearer is seen larger
MEETING = 1e-6  # between an end of a step and a point, where they are one
EYE = 6.0  # of the eye from a slice's middle, in lengths that fit the room
FLAT = 0.02  # times as much is what is nearer drawn larger, where parallel arrows are to look so
NEAREST = 2.0  # of those, towards the eye and away from it, up to which depth is seen
WEDGE = 0.45  # of the shorter of two vectors, how far out their angle is filled
BENT = 14.0  # degrees by which one looks down on a slice


@dataclass(frozen=True)
class Slice:
    """Three directions (3, D), orthonormal, through a point (D,), in which points are seen.

    The first goes across, the second up. What lies `reach` from the point fits the room, of which
    a share is clear: beyond, points fade out. One looks down on it by `bent` degrees; what is
    nearer is drawn larger, times `depth`.
    """

    axes: Floats
    middle: Floats
    reach: float
    clear: float = 1.0
    bent: float = BENT
    depth: float = 1.0

    def toward(self, other: Slice, share: float) -> Slice:
        """Return the slice after a share of the way: on it, too, the directions are orthonormal."""
        mixed = (1 - share) * self.axes + share * other.axes
        left, _, right = np.linalg.svd(mixed, full_matrices=False)
        middle = (1 - share) * self.middle + share * other.middle
        reach = self.reach ** (1 - share) * other.reach**share
        clear = (1 - share) * self.clear + share * other.clear
        bent = (1 - share) * self.bent + share * other.bent
        depth = (1 - share) * self.depth + share * other.depth
        return Slice(left @ right, middle, reach, clear, bent, depth)

    @classmethod
    def holding(cls, points: Sequence[Floats], ways: Sequence[Floats], bent: float = BENT) -> Slice:
        """Return the slice that holds points of one three-dimensional space exactly.

        The first of three ways goes up, the second to the right, in the plane that is faced, where
        lengths and angles are seen as they are; what is left of the third leads away. What is
        parallel looks so.
        """
        axes, sizes = np.linalg.qr(np.stack(ways, axis=1))
        up, across, deep = (axes * np.where(np.diag(sizes) < 0, -1.0, 1.0)).T
        three = np.stack([across, up, deep])
        shadows = np.stack(points) @ three.T
        middle = (shadows.min(axis=0) + shadows.max(axis=0)) / 2
        return cls(three, points[0] + (middle - shadows[0]) @ three, 1.0, bent=bent, depth=FLAT)


class Step(Arrow):
    """An arrow in many dimensions, from a point (D,) by a way (D,), that may be carried elsewhere.

    What is set here is seen when the constellation is drawn next. Names keep off it where it is and
    where it will be carried; `foresee` lets them do so before it comes.
    """

    def __init__(self, start: Floats, way: Floats, color: str, goal: Floats | None = None) -> None:
        super().__init__(color)
        self.start, self.way, self.goal = start, way, start if goal is None else goal
        self.carried, self.grown, self.foreseen = 0.0, 1.0, 0.0

    @property
    def ends(self) -> Floats:
        """Where it starts and where it ends now, (2, D)."""
        start = (1 - self.carried) * self.start + self.carried * self.goal
        return np.stack([start, start + self.grown * self.way])

    def carry(self, share: float) -> None:
        """Be carried a share of the way from its start to its goal."""
        self.carried = share

    def grow(self, share: float) -> None:
        """Reach a share of its way."""
        self.grown = share

    def foresee(self, share: float) -> None:
        """Let names make so much of the room for it that it needs when it comes."""
        self.foreseen = share


class Wedge(VMobject):
    """The angle at the origin between two vectors (D,), filled; `open` lets it open, 0 to 1.

    What is set here is seen when the constellation is drawn next.
    """

    def __init__(self, one: Floats, other: Floats) -> None:
        fill, opacity = theme.color(ACCENT), STRONGEST_FILL
        super().__init__(stroke_width=0, fill_color=fill, fill_opacity=opacity)
        self.one, self.other, self.opened = one, other, 1.0

    def open(self, share: float) -> None:
        """Reach a share of the way from the first vector to the second."""
        self.opened = share

    @property
    def corners(self) -> Floats:
        """The outline now, from the origin round to it, (n, D)."""
        end = (1 - self.opened) * self.one + self.opened * self.other
        nothing = 0 * self.one
        return np.stack([nothing, *arc_between(self.one, end, WEDGE), nothing])


class Carried:
    """A step from a to b that is carried to x, beside the way from x to y; a tip is where it ends.

    `steps` are the step, its twin that is carried, the way from x to y, and those from the origin
    to the tip and to y; the `wedge` is the angle between the last two. `slices` hold all five
    points, and then the origin, the tip, x and y, where the wedge is faced; in `front`, both steps.
    """

    def __init__(self, five: Sequence[Tensor]) -> None:
        a, b, x, y, tip = (each.double for each in five)
        lit, ink = theme.color(ACCENT), theme.color(INK)
        rays = (Step(0 * x, end, ink) for end in (tip, y))
        own = Step(a, b - a, lit), Step(a, b - a, lit, goal=x)
        self.steps = [*own, Step(x, y - x, ink), *rays]
        self.wedge = Wedge(tip, y)
        between, nothing = _unit(tip) + _unit(y), 0 * x
        self.slices = (
            Slice.holding((a, b, x, y, tip), (b - a, x - a, y - tip)),
            Slice.holding((nothing, tip, y, x), (between, y, x), bent=0.0),
        )
        front = Slice.holding((a, b, x, y), (b - a, y - x, x - a), -BENT)
        self.front = replace(front, depth=1.0)


class Constellation(VGroup):
    """Points in many dimensions (n, D), seen in one slice after another, from a side that turns.

    `dots` are the points, the nearer the brighter; others, (m, D), are marked: `marks[i]` is a dot,
    `labels[i]` its name, of `sizes[i]`. `steps` are arrows, `wedges` angles. Every picture is an
    orthogonal projection, seen in perspective, or from very far away.
    """

    def __init__(
        self,
        points: Floats,
        marked: Floats,
        names: Sequence[str],
        slices: Sequence[Slice],
        region: Region,
        *,
        sizes: Sequence[float],
        steps: Sequence[Step] = (),
        wedges: Sequence[Wedge] = (),
    ) -> None:
        self.wedges = wedges
        self.points_of_all, self.marked, self.slices = points, marked, list(slices)
        self.middle, self.half = region.center[:2], np.array([region.width, region.height]) / 2
        self.angle, self.place, self.steps = 0.0, 0.0, list(steps)
        self.dots = VGroup(*(Filled(np.zeros((0, 3)), INK, opacity) for opacity in DEPTHS))
        self.marks = [Filled(np.zeros((0, 3)), INK) for _ in names]
        self.labels = [TokenText(*each) for each in zip(names, sizes, strict=True)]
        self._sizes = np.array([[label.width, label.height] for label in self.labels])
        super().__init__(self.dots, *self.wedges, *self.steps, *self.marks, *self.labels)
        self.draw()

    def turn_to(self, angle: float) -> None:
        """Look from another side, `angle` degrees around the upright axis."""
        self.angle = angle
        self.draw()

    def stand_at(self, place: float) -> None:
        """Look at a slice, or be on the way from one to the next: 0.5 is half way to the second."""
        self.place = place
        self.draw()

    @property
    def slice(self) -> Slice:
        """The slice that is seen now."""
        before, after, share = leg(self.place, len(self.slices))
        here = self.slices[before]
        return here.toward(self.slices[after], share) if share else here

    def seen(self, points: Floats) -> tuple[Floats, Floats]:
        """Return where points (n, D) are seen, (n, 2), and how much nearer they are drawn, (n,)."""
        cut, unit = self.slice, min(self.half)
        along = ((points - cut.middle) @ cut.axes.T) / cut.reach
        shadows = _turned(along, self.angle, cut.bent)
        nearer = EYE / (EYE - cut.depth * np.clip(shadows[:, 2], -NEAREST, NEAREST))
        return self.middle + unit * nearer[:, None] * shadows[:, :2], nearer

    def settle(
        self,
        place: int,
        marks: Sequence[int],
        steps: Sequence[Step],
        sides: Sequence[float],
        swing: Sequence[float],
    ) -> tuple[float, Floats]:
        """Return the best of some sides of a slice, and how far it then reaches across and up.

        There, names of marked points are farthest from one another and from steps where these are
        carried, while one turns on by each of `swing`; the slice reaches just so far that all fit.
        """
        for step in steps:
            step.carry(1.0)
        points = np.concatenate([self.marked[list(marks)], *(step.ends for step in steps)])
        self._fit(place, marks, points, [side + turn for side in sides for turn in swing])
        side = float(self.clearest(place, sides, swing, marks, steps))
        turned = [side + turn for turn in swing]
        self._fit(place, marks, points, turned)
        taken = self.taken(place, marks, points, turned)
        for step in steps:
            step.carry(0.0)
        return side, taken

    def mirror(self, place: int, side: float, ends: Sequence[int]) -> None:
        """Let two marked points stand in the next slice as they do in this one, seen from a side.

        The next one is turned to be seen from behind if the left one would be the right one there.
        """
        ways = list[float]()
        for self.place, self.angle in ((float(place), side), (float(place + 1), 0.0)):
            one, other = self.seen(self.marked[list(ends)])[0]
            ways.append(float(other[0] - one[0]))
        if ways[0] * ways[1] < 0:
            cut = self.slices[place + 1]
            behind = cut.axes * np.array([[-1.0], [1.0], [-1.0]])
            self.slices[place + 1] = replace(cut, axes=behind)

    def _fit(
        self, place: int, marks: Sequence[int], points: Floats, angles: Sequence[float]
    ) -> None:
        """Let a slice reach just so far that points, with names, fit the room from all angles."""
        names = self._names(marks)
        for _ in range(FITTINGS):
            taken = (self.taken(place, marks, points, angles) - names) / (self.half - names)
            reach = self.slices[place].reach * float(taken.max())
            self.slices[place] = replace(self.slices[place], reach=reach)

    def taken(
        self, place: int, marks: Sequence[int], points: Floats, angles: Sequence[float] | Floats
    ) -> Floats:
        """Return how far points, with names, reach across and up, (2,)."""
        self.place, most = float(place), np.zeros(2)
        for self.angle in angles:
            most = np.maximum(most, np.abs(self.seen(points)[0] - self.middle).max(axis=0))
        return np.asarray(most + self._names(marks))

    def _names(self, marks: Sequence[int]) -> Floats:
        """Return how far names reach beyond their points."""
        return np.asarray(self._sizes[list(marks)].max(axis=0, initial=0.0) + MARK + HAIR)

    def clearest(
        self,
        place: int,
        angles: Sequence[float],
        swing: Sequence[float],
        marks: Sequence[int],
        steps: Sequence[Step] = (),
    ) -> float:
        """Return from which side names of marks are farthest from one another and from steps.

        It is one of `angles`, and holds while one turns on by each of `swing`.
        """
        self.place = float(place)
        return max(
            angles,
            key=lambda side: min(self._clearance(side + turn, marks, steps) for turn in swing),
        )

    def _clearance(self, angle: float, marks: Sequence[int], steps: Sequence[Step]) -> float:
        """Return how far names are off others, and the first step off later ones that are apart."""
        self.angle = angle
        here, (ends, _) = list(marks), self.seen(self.marked)
        places = self._label_places(ends, here, steps)[here]
        sizes = self._sizes[here] / 2
        pairs = [self.seen(step.ends)[0] for step in steps]
        lines = [np.linspace(start, end, POINTS) for start, end in pairs]
        others = np.concatenate([ends[here], *lines])
        gaps = (np.abs(places[:, None] - others) - sizes[:, None]).max(axis=2)
        apart = np.abs(places[:, None] - places) - sizes[:, None] - sizes
        names = apart.max(axis=2)[np.triu_indices(len(here), 1)]
        ways = [np.linalg.norm(lines[0][:, None] - line, axis=2) for line in lines[2:]]
        off = [way.min() for way in ways if way[[0, 0, -1, -1], [0, -1, 0, -1]].min() > MEETING]
        return float(min(gaps.min(), names.min(initial=np.inf), *off))

    def draw(self) -> None:
        """Draw everything from where one looks now."""
        ends, growth = self.seen(self.marked)
        for mark, end, near in zip(self.marks, ends, growth, strict=True):
            mark.points = discs(end[None], MARK * near[None])
        here = [i for i, label in enumerate(self.labels) if presence(label)]
        seen = [step for step in self.steps if step.foreseen or presence(step)]
        places = self._label_places(ends, here, seen)
        for label, place in zip(self.labels, places, strict=True):
            label.move_to((*place, 0.0))
        at, nearer = self.seen(self.points_of_all)
        off = np.linalg.norm((at - self.middle) / self.half, axis=1)
        radii = SPECK * nearer * np.clip((self.slice.clear - off) / RIM, 0.0, 1.0)
        for i in here:
            beyond = (np.abs(at - places[i]) - self._sizes[i] / 2).max(axis=1).clip(0)
            radii = np.minimum(radii, beyond + 2 * SPECK * (1 - presence(self.labels[i])))
        kept = np.flatnonzero(radii > LEAST)
        ordered = kept[np.argsort(nearer[kept])]
        for layer, dots in zip(self.dots, np.array_split(ordered, len(DEPTHS)), strict=True):
            layer.points = discs(at[dots], radii[dots])
        for step in self.steps:
            (start, end), growing = self.seen(step.ends)
            step.point(start, end, float(growing.mean()))
        for wedge in self.wedges:
            wedge.set_points_as_corners(in_space(self.seen(wedge.corners)[0]))

    def _label_places(self, ends: Floats, here: list[int], steps: Sequence[Step]) -> Floats:
        """Return where names stand: off the steps that meet their dots, or outwards, and apart.

        `here` are those names that are kept apart.
        """
        sides = (ends - self.middle) / min(self.half) + (0, NUDGE)
        for step in steps:
            share = max(step.foreseen, presence(step) * step.grown)
            for end in (step.start, step.goal):
                for at, way in ((end, step.way), (end + step.way, -step.way)):
                    met = np.linalg.norm(self.marked - at, axis=1) < MEETING
                    if met.any():
                        (one, other), _ = self.seen(np.stack([at, at + way]))
                        sides[met] += AWAY * share * _unit(one - other)
        sides = np.clip(SQUARE * np.stack([_unit(side) for side in sides]), -1, 1)
        places = ends + sides * (self._sizes / 2 + MARK + HAIR)
        dots = np.full((len(here), 2), MARK)
        boxes = np.concatenate([self._sizes[here] / 2 + HAIR / 2, dots])
        for _ in range(PUSHES if here else 0):
            moves = pushes(np.concatenate([places[here], ends[here]]), boxes)[: len(here)]
            if not moves.any():
                break
            places[here] += moves
        return np.asarray(places)


def _unit(way: Floats) -> Floats:
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-6))


def _turned(points: Floats, angle: float, tilt: float) -> Floats:
    """Return points (n, 3) turned around the upright axis and then tilted, in degrees."""
    turn, lean = np.radians(angle), np.radians(tilt)
    x, y, z = points.T
    x, z = np.cos(turn) * x + np.sin(turn) * z, np.cos(turn) * z - np.sin(turn) * x
    y, z = np.cos(lean) * y - np.sin(lean) * z, np.sin(lean) * y + np.cos(lean) * z
    return np.stack([x, y, z], axis=1)
