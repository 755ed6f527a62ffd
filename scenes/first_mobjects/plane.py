"""A plane with arrows at one scale. It knows places in it, not what it cuts through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Animation, VGroup, VMobject
from manim.constants import DOWN
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.animations import Change, Together
from scenes.arrivals import Fade
from scenes.first_mobjects.arrows import Ray
from scenes.first_mobjects.beside import name_beside
from scenes.first_mobjects.notes import SmallPrint
from scenes.mobjects.text import Glyphs, em_of
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import GAP, LABEL_SIZE, SMALL_SIZE, STEADY, Role

Floats = NDArray[np.float64]

NOTE_ROOM = 2.2 * em_of(SMALL_SIZE)  # for the small print under the picture
SHORTEST_LINK = 0.35  # of an arrow that is named along its way, in scene units
NAME_ROOM = 1.6 * em_of(LABEL_SIZE)  # kept free all round, so that names fit beside the ends


@dataclass(frozen=True)
class Arrow:
    """An arrow in the plane from one place (2,) to another, in the vectors' units.

    Its name stands beside the point that is `named_at` of the way, 1 at its end.
    """

    start: Floats
    end: Floats
    role: Role
    name: Glyphs | None = None
    named_at: float = 1.0


class PlaneView(VGroup):
    """Arrows, as large as `region` allows, each with its name beside its end.

    `arrows[i]` and `names[i]` keep the order in which they were given; a name is None where there
    is none or no room. `units` scene units are one unit of the vectors; give it to draw two planes
    at one scale. `note` is the small print below.
    """

    def __init__(
        self,
        arrows: Sequence[Arrow],
        note: VMobject,
        region: Region,
        units: float | None = None,
    ) -> None:
        self.region = region
        room = region.raised(NOTE_ROOM)
        low, high = _extent(arrows)
        self.units = units_that_fit(arrows, region) if units is None else units
        self.origin = room.center - self.units * _in_scene((low + high) / 2)
        self.arrows = [Ray(self.at(a.start), self.at(a.end), a.role) for a in arrows]
        self.names = self._place_names(arrows, room)
        self.note = note
        region.fit_width(note)
        note.next_to((region.center[0], region.bottom, 0), -DOWN, buff=0)
        names = [name for name in self.names if name is not None]
        super().__init__(*self.arrows, *names, note)

    def at(self, place: Floats) -> Point3D:
        """Return the point of the scene where a place (2,) of the plane is seen."""
        return np.asarray(self.origin + self.units * _in_scene(place))

    def draw(self, arrow: int, run_time: float = STEADY) -> Animation:
        """Let an arrow grow from its start to its end."""
        return DrawArrow(self.arrows[arrow], run_time)

    def reveal(self, arrow: int, run_time: float = STEADY) -> Animation:
        """Let a hidden arrow grow, and then its name come in."""
        moves = [self.draw(arrow, run_time), Fade(self.arrows[arrow], 1.0, run_time)]
        name = self.names[arrow]
        return Together(moves if name is None else [*moves, Fade(name, 1.0, run_time)])

    def _place_names(self, arrows: Sequence[Arrow], room: Region) -> list[Glyphs | None]:
        """Set names beside the ends of their arrows, clear of all the rest.

        The longest arrow comes first. A name for which there is no room is left out, and that of
        an arrow along which it would stand, if the arrow is too short to be pointed at.
        """
        lines = [np.array([self.at(a.start), self.at(a.end)])[:, :2] for a in arrows]
        named = [arrow.name for arrow in arrows]
        shares = [arrow.named_at for arrow in arrows]
        ends = [_up_to(line, share) for line, share in zip(lines, shares, strict=True)]
        taken: list[Glyphs] = []
        for i in sorted(
            range(len(lines)), key=lambda i: -float(np.linalg.norm(np.ptp(lines[i], 0)))
        ):
            name = named[i] if shares[i] == 1 or _span(lines[i]) >= SHORTEST_LINK else None
            if name is not None and name_beside(name, ends[i], lines, taken, room):
                taken.append(name)
            else:
                named[i] = None
        return named


class DrawArrow(Change):
    """An arrow grows from its start to its end."""

    def __init__(self, ray: Ray, run_time: float = STEADY) -> None:
        super().__init__(ray, run_time=run_time)
        self.ray = ray
        self.start, self.end = ray.shaft.get_start(), np.array(ray.tip.points[0])

    def change(self, share: float) -> None:
        """Let the arrow reach as far as `share`."""
        self.ray.point(self.start, self.start + max(share, 1e-3) * (self.end - self.start))


def plane_note(dimensions: int, share: Value) -> SmallPrint:
    """Return the small print that says how much of the whole a plane shows."""
    whole = count(dimensions, "dimensions of the space")
    text = "a plane through {} dimensions: it shows {:.1%} of the squared lengths"
    return SmallPrint(text, whole, share)


def units_that_fit(arrows: Sequence[Arrow], region: Region) -> float:
    """Return how many scene units one unit of the vectors may be, so that all fit in a region."""
    low, high = _extent(arrows)
    width, height = region.width - 2 * GAP, region.height - NOTE_ROOM
    room = np.array([width, height]) - 2 * NAME_ROOM
    spans = np.maximum(high - low, 1e-9)
    return float(np.min(room / spans)) if (high - low).any() else 1.0


def _extent(arrows: Iterable[Arrow]) -> tuple[Floats, Floats]:
    """Return the lowest and the highest coordinates, (2,) each."""
    places = [place for arrow in arrows for place in (arrow.start, arrow.end)]
    stacked = np.array(places)
    return stacked.min(axis=0), stacked.max(axis=0)


def _up_to(line: Floats, share: float) -> Floats:
    """Return a line (2, 2) up to a share of the way; if not to its end, as a mere point."""
    point = line[0] + share * (line[1] - line[0])
    return line if share == 1 else np.array([point, point])


def _span(line: Floats) -> float:
    return float(np.linalg.norm(line[1] - line[0]))


def _in_scene(place: Floats) -> Point3D:
    return np.array([place[0], place[1], 0.0])
