"""Arrows in a space of two or three dimensions that turns, seen in perspective. Knows no model.

What stands where is given: the shadows of longer vectors on directions that were found outside.

space = Space([shadows], names, film.stage)
yield Appear(space.ground), Flow(Appear(arrow) for arrow in space.arrows)
yield Vary(space.turn_to, 0, 40), Appear(*space.labels)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from manim import Mobject, VGroup, VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import in_space
from scenes.mobjects.text import TokenText
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    PLAIN_SIZE,
    QUIET,
)

SHAFT, TIP_LENGTH, TIP_WIDTH = 0.07, 0.32, 0.28  # scene units, of an arrow in the middle plane
DISTANCE = 3.2  # of the eye from the origin, in lengths of the longest arrow
TILT = 18.0  # degrees by which one looks down on the ground
SPOKES, RINGS, AROUND = 12, 2, 48  # of the ground; AROUND points make a ring
TURNS = tuple(range(0, 360, 15))  # degrees at which everything has to fit, by default
ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)  # of a line, where its name may stand
POINTS = 60  # of a line, that a name keeps off
HALVINGS = PUSHES = 24  # of the range of the unit; rounds in which labels push each other apart

Floats = NDArray[np.float64]


CORNER = 0.3  # of arrows, the sides of the squares between them


class Arrow(VMobject):
    """A straight arrow as one filled shape, thinner where it is farther away."""

    def __init__(self, color: str) -> None:
        super().__init__(stroke_width=0, fill_color=color, fill_opacity=1)
        self.tail = self.tip = np.zeros(2)  # where it begins and ends, in scene units

    def point(self, start: Floats, end: Floats, growth: float = 1.0) -> None:
        """Draw it from `start` to `end`, (x, y) in scene units, `growth` times as thick."""
        self.tail, self.tip = start, end
        way = end - start
        long = float(np.hypot(*way))
        along = way / long if long > 1e-6 else np.array([1.0, 0.0])
        across = np.array([-along[1], along[0]])
        tip = min(TIP_LENGTH * growth, 0.6 * long)
        half, wide = SHAFT * growth / 2, tip * TIP_WIDTH / TIP_LENGTH / 2
        neck = end - tip * along
        side = [start + half * across, neck + half * across, neck + wide * across]
        other = [start - half * across, neck - half * across, neck - wide * across]
        corners = np.array([*side, end, *reversed(other), side[0]])
        self.set_points_as_corners(np.column_stack([corners, np.zeros(len(corners))]))


class Space(VGroup):
    """Arrows from one origin with their names at the tips, as large as fits a region.

    `stops` are places of all tips, (n, 2) or (n, 3) each, between which `stand_at` moves them; in
    two dimensions nothing turns, in three the second is the height. `arrows[i]`, `labels[i]` and
    `ground` come in as the film wants, and names that don't are `silent`; `colors` are the arrows'
    #RRGGBB. The ground in three dimensions reaches as far as the longest arrow, or a share of that;
    one looks down on it. All fits at all `turns`.
    """

    silent: Sequence[int] = ()

    def __init__(
        self,
        stops: Sequence[NDArray[np.floating]],
        names: Sequence[str],
        region: Region,
        *,
        colors: Sequence[str] = (),
        size: float = PLAIN_SIZE,
        ground: float = 1.0,
        turns: Sequence[float] = TURNS,
    ) -> None:
        self.breadth, self.turns = ground, turns
        self.is_flat = stops[0].shape[1] == 2
        self.stops = [in_space(np.asarray(stop, dtype=np.float64)) for stop in stops]
        self.arrows = [Arrow(color) for color in colors or [theme.color(INK)] * len(names)]
        self.labels = [TokenText(name, size) for name in names]
        self.ground = _lines(1 if self.is_flat else RINGS + SPOKES)
        self.arcs: dict[tuple[int, int], tuple[VMobject, float]] = {}
        self.angle, self.place = 0.0, 0.0
        self.reach = max(float(np.linalg.norm(stop, axis=1).max()) for stop in self.stops) or 1.0
        self.origin, self.unit = region.center[:2], 1.0
        super().__init__(self.ground, *self.arrows, *self.labels)
        self._fit(region)
        self.draw()
        over = max(float(label.get_top()[1]) for label in self.labels) - region.top
        if over > 0:  # names of nearly one vector push each other up
            self.origin = self.origin - (0, over)
            self.draw()

    def turn_to(self, angle: float) -> None:
        """Look at it from another side, `angle` degrees around its upright axis."""
        self.angle = angle
        self.draw()

    def stand_at(self, place: float) -> None:
        """Let the tips stand at a stop, or between two: 0.5 is half way from the first on."""
        self.place = place
        self.draw()

    def arc(self, one: int, other: int, share: float = 1 / 3) -> VMobject:
        """Return the line that spans the angle between two arrows; it turns with them.

        It meets them at a share of the shorter one.
        """
        if (one, other) not in self.arcs:
            line = VMobject(stroke_color=theme.color(INK), stroke_width=2 * theme.THIN_LINE)
            self.arcs[one, other] = line, share
            self.add(line)
            self.draw()
        return self.arcs[one, other][0]

    def seen(self, points: Floats) -> tuple[Floats, Floats]:
        """Return where points (n, 3) are seen, (n, 2), and how much nearer things are drawn, (n,).

        The unit is that of the vectors; the result is in scene units.
        """
        if self.is_flat:
            return self.origin + self.unit * points[:, :2], np.ones(len(points))
        turn, tilt = np.radians(self.angle), np.radians(TILT)
        x, y, z = points.T
        x, z = np.cos(turn) * x + np.sin(turn) * z, np.cos(turn) * z - np.sin(turn) * x
        near = np.sin(tilt) * y + np.cos(tilt) * z
        y, z = np.cos(tilt) * y - np.sin(tilt) * z, near
        nearer = DISTANCE * self.reach / (DISTANCE * self.reach - z)
        return self.origin + self.unit * nearer[:, None] * np.stack([x, y], axis=1), nearer

    def draw(self) -> None:
        """Draw everything from where one looks now."""
        tips = self._tips()
        ends, nearer = self.seen(tips)
        for arrow, end, growth in zip(self.arrows, ends, nearer, strict=True):
            arrow.point(self.origin, end, float(growth))
        for line, points in zip(self.ground, self._ground_points(), strict=True):
            line.set_points_as_corners(in_space(self.seen(points)[0]))
        for (one, other), (line, share) in self.arcs.items():
            points = self.seen(arc_between(tips[one], tips[other], share))[0]
            line.set_points_as_corners(in_space(points))
        for label, at in zip(self.labels, self._label_places(ends), strict=True):
            label.move_to((*at, 0.0))

    def _tips(self) -> Floats:
        last = len(self.stops) - 1
        at = min(int(self.place), max(last - 1, 0))
        share = self.place - at
        if not last:
            return self.stops[0]
        return np.asarray((1 - share) * self.stops[at] + share * self.stops[at + 1])

    def _ground_points(self) -> list[Floats]:
        if self.is_flat:
            return [self.reach * np.array([[-1.0, 0, 0], [1.0, 0, 0]])]
        around = np.linspace(0, 2 * np.pi, AROUND + 1)
        circle = np.stack([np.cos(around), 0 * around, np.sin(around)], axis=1)
        circle *= self.breadth * self.reach
        rings = [circle * (ring + 1) / RINGS for ring in range(RINGS)]
        spokes = [np.stack([0 * circle[0], each]) for each in circle[: -1 : AROUND // SPOKES]]
        return [*rings, *spokes]

    def _label_places(self, ends: Floats) -> Floats:
        """Return where names stand: beyond all tips, and pushed apart where they would meet."""
        sizes = np.array([[label.width, label.height] for label in self.labels]) / 2 + HAIR / 2
        said = [i for i in range(len(sizes)) if i not in self.silent]
        ways = ends - self.origin
        long = np.maximum(np.hypot(*ways.T), 1e-6)[:, None]
        off = (sizes + HAIR) / np.maximum(np.abs(ways / long), 1e-6)
        beyond = ends + ways / long * off.min(axis=1)[:, None]
        places = beyond.copy()
        for _ in range(PUSHES):
            moves = pushes(places[said], sizes[said])
            if not moves.any():
                break
            places[said] += moves
        pushed = np.clip(np.abs(places - beyond)[:, 1] / sizes[:, 1], 0, 1)
        return np.asarray(places + _off_tips(places, sizes, ends, np.sign(ways[:, 0]), pushed))

    def _fit(self, region: Region) -> None:
        """Choose unit and origin so that all turns and stops fit, names and ground included."""
        names = np.array([[label.width, label.height] for label in self.labels]) + GAP
        room = np.array([region.width, region.height])
        self.origin, kept = np.zeros(2), self.angle
        tips, grounds = list[Floats](), list[Floats]()
        for angle in (0,) if self.is_flat else self.turns:
            self.angle = angle
            tips += [self.seen(stop)[0] for stop in self.stops]
            grounds.append(self.seen(np.concatenate(self._ground_points()))[0])
        self.angle = kept
        ends, ground = np.concatenate(tips), np.concatenate(grounds)
        names = names.max(axis=0)
        least, most = 0.0, float(room.max() / self.reach)
        for _ in range(HALVINGS):
            self.unit = (least + most) / 2
            low = np.minimum((self.unit * ends - names).min(axis=0), self.unit * ground.min(axis=0))
            high = np.maximum(
                (self.unit * ends + names).max(axis=0), self.unit * ground.max(axis=0)
            )
            least, most = (self.unit, most) if (high - low <= room).all() else (least, self.unit)
        self.unit = least
        self.origin = region.center[:2] - (low + high) / 2


class Room(Space):
    """A space with squares, the `corners`, between every two arrows."""

    corners: Sequence[VMobject] = ()

    def keep(self) -> None:
        """Make the corners, which stay behind the arrows."""
        ink, quiet, tips = theme.color(INK), theme.color(QUIET), CORNER * self.stops[0]
        self.squares = [np.stack([0 * a, a, a + b, b, 0 * a]) for a, b in combinations(tips, 2)]
        self.corners = [
            VMobject(stroke_color=ink, fill_color=quiet, fill_opacity=theme.FAINTEST_FILL)
            for _ in self.squares
        ]
        self.add(*(corner.set_z_index(-1) for corner in self.corners))

    def draw(self) -> None:
        """Draw everything from where one looks now."""
        super().draw()
        for corner, points in zip(self.corners, self.squares if self.corners else (), strict=True):
            corner.set_points_as_corners(in_space(self.seen(points)[0]))


def name_beside(
    line: Floats, name: Mobject, side: int, lines: Sequence[Floats], region: Region
) -> Point3D:
    """Return where a name stands beside a line (2, 2), by choice on its left (1) or right (-1).

    It crosses none of `lines`, (2, 2) each, and stays in the region; where it cannot, it stands in
    the region's lower right corner.
    """
    half = np.array([name.width, name.height]) / 2
    corner = np.array([region.right, region.bottom]) + half * (-1, 1)
    found = _free_place(line, half, side, lines, region)
    return np.array([*(corner if found is None else found), 0.0])


def _free_place(
    line: Floats, half: Floats, side: int, lines: Sequence[Floats], region: Region
) -> Floats | None:
    """Return where a box of half a width and height stands beside a line, off all lines, if so."""
    start, end = line
    way = (end - start) / (np.hypot(*(end - start)) or 1.0)
    left = np.array([-way[1], way[0]])
    on_lines = np.concatenate([np.linspace(each[0], each[1], POINTS) for each in lines])
    low, high = (np.array(at) for at in ((region.left, region.bottom), (region.right, region.top)))
    for along in ALONG:
        for to in (side, -side):
            at = start + along * (end - start) + to * left * (np.abs(left) @ half + GAP)
            is_inside = (at - half >= low).all() and (at + half <= high).all()
            if is_inside and (np.abs(on_lines - at) > half + HAIR / 2).any(axis=1).all():
                return np.asarray(at)
    return None


def _lines(number: int) -> VGroup:
    return VGroup(
        *(
            VMobject(
                stroke_color=theme.color(QUIET),
                stroke_width=theme.THIN_LINE,
                stroke_opacity=theme.FAINTEST_FILL,
            )
            for _ in range(number)
        )
    )


def arc_between(one: Floats, other: Floats, share: float) -> Floats:
    """Return points of the arc between two directions, at a share of the shorter arrow."""
    lengths = np.maximum(np.linalg.norm([one, other], axis=1), 1e-9)
    shares = np.linspace(0, 1, AROUND)[:, None]
    chord = (1 - shares) * one / lengths[0] + shares * other / lengths[1]
    sizes = np.maximum(np.linalg.norm(chord, axis=1), 1e-9)[:, None]
    return np.asarray(chord / sizes * lengths.min() * share)


def pushes(places: Floats, sizes: Floats) -> Floats:
    """Return how far labels move, (n, 2): each two that overlap part up and down."""
    apart = places[:, None] - places[None]
    overlap = np.maximum(sizes[:, None] + sizes[None] - np.abs(apart), 0.0)
    np.einsum("iij->ij", overlap)[:] = 0.0
    deep = overlap[..., 1] * np.minimum(1.0, overlap[..., 0] / np.maximum(sizes[:, None, 1], 1e-6))
    order = np.arange(len(places), 0, -1)  # of two that stand on each other the first goes up
    height = apart[..., 1] + 1e-3 * (order[:, None] - order[None])
    up = height / (np.abs(height) + 1e-3)
    return np.stack([np.zeros(len(places)), (deep * up / 2).sum(axis=1)], axis=1)


def _off_tips(places: Floats, sizes: Floats, tips: Floats, sides: Floats, pushed: Floats) -> Floats:
    """Return how far labels move outwards, (n, 2), off the tips of all arrows.

    They do so little by little, as a tip comes near their height, so that none of them jumps; off
    their own one as far as they were `pushed` from where they stand beyond it, 0 to 1.
    """
    height = np.abs(places[:, None, 1] - tips[None, :, 1])
    near = np.clip((sizes[:, None, 1] + TIP_WIDTH / 2 - height) / (TIP_WIDTH / 2), 0, 1)
    inner = sides[:, None] * (tips[None, :, 0] - places[:, None, 0]) + sizes[:, None, 0]
    far = (2 * sizes[:, None, 0] + TIP_LENGTH - inner) / TIP_LENGTH  # from a tip that is beyond it
    moves = near * np.maximum(inner, 0) * np.clip(far, 0, 1)
    np.einsum("ii->i", moves)[:] *= pushed
    beside = TIP_WIDTH / 2 * pushed * np.einsum("ii->i", near)  # its own tip, which has a width
    return np.stack([sides * (moves.max(axis=1) + beside), np.zeros(len(places))], axis=1)
