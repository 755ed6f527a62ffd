"""Many numbers, a dot each, in one arrangement after another. It knows no model.

dots = Dots([before, after], [disc(len(before), whole), grid(...)])
yield Vary(dots.stand_at, 0, 1)     # from the first arrangement to the second
yield Vary(dots.tell, 0, 1)         # from the first numbers to the second, each with a flash
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from manim import VGroup
from manim.constants import UP
from numpy.typing import NDArray

from scenes.mobjects.fit import eased, leg
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.signs import hue, levels, strength_of
from scenes.mobjects.text import Glyphs
from scenes.presence import set_presence
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, Role

Floats: TypeAlias = NDArray[np.float64]

LEVELS = 5  # strengths of dots, each drawn as one path
STRONG = 0.98  # of the numbers of a set are no larger than what has the strongest fill
GOLDEN, ROOT = (5**0.5 - 1) / 2, 2**0.5  # by turns of the one, dots fill a disc evenly
FILLED = 0.43  # of the distance between two dots, a dot's radius
LASTS, FLASHES = 0.6, 0.3  # of a move, and of a change, by each dot's own
FLARE = 1.5  # of a dot's radius, a flash at its largest
PARTED = 0.58  # of a room, for the first of two sets
NAME_HIGH = 1.0  # scene units, under each
NEAR_ITS_CLOUD, IN_THE_MIDDLE = 0.4, 0.55  # of a name's room, from above, its middle


@dataclass(frozen=True)
class Arrangement:
    """Where dots stand (n, 2), how large their radius is, and when they set out to there.

    Each sets out after a share of the time, (n,), and is on its way for the share `lasts`.
    """

    places: Floats
    radius: float
    starts: Floats
    lasts: float

    @property
    def middle(self) -> Floats:
        """The middle of all places, (2,)."""
        return np.asarray(self.places.mean(axis=0))

    @property
    def reach(self) -> float:
        """How far the dots reach from there, to the side or up."""
        return float(np.abs(self.places - self.middle).max()) + self.radius


class Dots(VGroup):
    """Sets of numbers (n,), a dot for each place, in one arrangement after another.

    Hue tells the sign (of a `role` there is one), strength the size, by one scale for all sets.
    Parts: `shades`, and `glow`, which marks how much each number has changed from the first set to
    the second. Last of the shades is a flash over each dot whose number is just changing, and, if
    dots are `new` in the second arrangement, over each that is on its way there from the first.
    """

    def __init__(
        self,
        sets: Sequence[NDArray[np.floating]],
        ways: Sequence[Arrangement],
        *,
        role: Role | None = None,
        new: bool = False,
    ) -> None:
        self.new = new
        self.sets, self.ways = [np.asarray(each, dtype=np.float64) for each in sets], list(ways)
        self.largest = float(np.quantile(np.abs(np.concatenate(self.sets)), STRONG)) or 1.0
        self.late = (1 - FLASHES) * scattered(len(self.sets[0]))
        self.place, self.shown = 0.0, 0.0
        roles = [hue(sign, role) for sign in (1.0, -1.0)]
        fills = [strength_of(level, LEVELS) for level in range(1, LEVELS + 1)]
        self.shades = VGroup(*(Filled(_nothing(), role, fill) for role in roles for fill in fills))
        self.flash = Filled(_nothing(), ACCENT)
        self.shades.add(self.flash)
        self.glow = VGroup(*(Filled(_nothing(), ACCENT, fill) for fill in fills))
        changed = np.abs(self.sets[-1] - self.sets[0])
        self.changed = _levels(changed, float(np.quantile(changed, STRONG)) or 1.0)
        super().__init__(self.shades, self.glow)
        self.draw()

    def stand_at(self, place: float) -> None:
        """Stand in an arrangement, or on the way: 0.5 is half way from the first to the second."""
        self.place = place
        self.draw()

    def tell(self, shown: float) -> None:
        """Show a set of numbers, or be on the way: 0.5 is half way from the first to the second."""
        self.shown = shown
        self.draw()

    def draw(self) -> None:
        """Draw every dot where it is now, as its number is now."""
        (places, radii), numbers = self.where(), self.numbers()
        looks = _levels(numbers, self.largest) + LEVELS * (numbers < 0)
        for group, found in ((self.shades, looks), (self.glow, self.changed)):
            for level, shade in enumerate(group):
                picked = found == level
                shade.points = discs(places[picked], radii[picked])
        told = self._arrived() if self.new and 0 < self.place < 1 else self._told()[-1]
        flares = FLARE * radii * np.sin(np.pi * told)
        changing = (told > 0) & (told < 1)
        self.flash.points = discs(places[changing], flares[changing])

    def where(self) -> tuple[Floats, Floats]:
        """Return where the dots are now, (n, 2), and their radii, (n,)."""
        before, after, _ = leg(self.place, len(self.ways))
        here, there = self.ways[before], self.ways[after]
        gone = self._arrived()
        places = (1 - gone[:, None]) * here.places + gone[:, None] * there.places
        return np.asarray(places), (1 - gone) * here.radius + gone * there.radius

    def _arrived(self) -> Floats:
        """Return how far each dot is on its way to the next arrangement, (n,)."""
        _, after, share = leg(self.place, len(self.ways))
        there = self.ways[after]
        return np.asarray(eased((share - there.starts) / there.lasts))

    def numbers(self) -> Floats:
        """Return the numbers that are shown now, (n,)."""
        before, after, gone = self._told()
        return np.asarray((1 - gone) * self.sets[before] + gone * self.sets[after])

    def _told(self) -> tuple[int, int, Floats]:
        """Return two sets, and how far each dot is on its way from the one to the other, (n,)."""
        before, after, share = leg(self.shown, len(self.sets))
        return before, after, eased((share - self.late) / FLASHES)


class Body(Filled):
    """So many numbers that dots are not told apart: one disc, as large as they would be."""

    def __init__(self, center: Floats, number: float, radius: float, role: Role) -> None:
        self.middle, self.reach = center[None, :2], radius / FILLED * (number / np.pi) ** 0.5
        super().__init__(discs(self.middle, np.array([self.reach])), role)

    def grow(self, share: float) -> None:
        """Show the disc with a share of its area."""
        self.points = discs(self.middle, np.array([self.reach * share**0.5]))
        set_presence(self, float(share > 0))


def scattered(number: int) -> Floats:
    """Return numbers from 0 to 1 that follow one another without order, always the same: (n,)."""
    return np.asarray(np.arange(number) * ROOT % 1.0)


def pitch_of_disc(number: int, diameter: float) -> float:
    """Return how far apart so many dots stand that fill a disc."""
    return diameter / 2 / float(np.sqrt(number / np.pi) + FILLED)


def disc(number: int, center: Floats, pitch: float) -> Floats:
    """Return the places of dots that fill a disc, `pitch` apart, from its middle outwards."""
    radius = pitch * np.sqrt((np.arange(number) + 0.5) / np.pi)
    angle = 2 * np.pi * GOLDEN * np.arange(number)
    around = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray(center[:2] + radius[:, None] * around)


def grid(number: int, region: Region, side: int, pitch: float, *, upright: bool) -> Floats:
    """Return the places of dots in rows of `side`, or in columns of it if `upright`.

    They fill a region from its left top corner on.
    """
    major, minor = np.divmod(np.arange(number), side)
    right, down = (major, minor) if upright else (minor, major)
    corner = np.array((region.left + pitch / 2, region.top - pitch / 2))
    return np.asarray(corner + pitch * np.stack([right, -down], axis=1))


def evenly(places: Floats, pitch: float) -> Arrangement:
    """Return an arrangement of dots so far apart, to which they set out one by one."""
    return Arrangement(places, FILLED * pitch, (1 - LASTS) * scattered(len(places)), LASTS)


def sent(number: int, sources: Sequence[Floats]) -> Arrangement:
    """Return an arrangement of dots too small to be seen, at places they come from in turn."""
    places = np.stack([sources[i % len(sources)][:2] for i in range(number)])
    return evenly(places, HAIR * FILLED)


def mixed(sizes: Sequence[int], region: Region) -> tuple[Arrangement, Arrangement]:
    """Return where two kinds of dots stand in one disc, mixed."""
    pitch = pitch_of_disc(sum(sizes), min(region.width, region.height))
    places = disc(sum(sizes), region.center, pitch)[np.argsort(scattered(sum(sizes)))]
    one, other = np.split(places, [sizes[0]])
    return evenly(one, pitch), evenly(other, pitch)


def closed(way: Arrangement, share: float) -> Arrangement:
    """Return an arrangement drawn together about its middle, to a share of its width."""
    places = way.middle + share * (way.places - way.middle)
    return Arrangement(places, share * way.radius, way.starts, way.lasts)


def parted(
    sizes: Sequence[int], room: Region, names: Sequence[Glyphs]
) -> tuple[Arrangement, Arrangement]:
    """Return where two kinds of dots stand in two discs to one scale, each over its name."""
    parts = [part.raised(NAME_HIGH) for part in room.parts(PARTED)]
    fitting = zip(sizes, parts, strict=True)
    pitch = min(pitch_of_disc(size, min(part.width, part.height)) for size, part in fitting)
    lower = NEAR_ITS_CLOUD if parts[0].bottom > parts[1].bottom else IN_THE_MIDDLE
    widths = [(part.width - GAP) / name.width for part, name in zip(parts, names, strict=True)]
    found = []
    for size, part, name in zip(sizes, parts, names, strict=True):
        name.scale(min(1.0, *widths)).move_to(part.center).shift(
            (part.bottom - lower * NAME_HIGH - part.center[1]) * UP
        )
        places = disc(size, part.center, pitch)
        found.append(evenly(places[np.argsort(scattered(size))], pitch))
    return found[0], found[1]


def _levels(numbers: Floats, largest: float) -> NDArray[np.int_]:
    """Return the strength of each dot, from 0: even a number near zero has the faintest."""
    return levels(numbers, largest, LEVELS).clip(1) - 1


def _nothing() -> Floats:
    return np.zeros((0, 3))
