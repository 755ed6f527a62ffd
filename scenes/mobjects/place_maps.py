"""Numbers of many places as pictures, and how alike any two of the places are. They know no model.

maps = PlaceMaps(waves, hands=[0, 4, 8], tokens=8, sizes=(count(48), count(64)), room=stage)
yield Together(Vary(side.go_on, 8, 64) for side in maps.sides)     # from 8 places on to all 64
yield Vary(compared.square.reach, 0, compared.square.whole)        # from one pair to all pairs
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Rectangle, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes.mobjects.marks import Ring
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Number, Words
from scenes.mobjects.vector import Heat
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import GAP, HAIR, SPOKEN_SIZE, THIN_LINE

Floats: TypeAlias = NDArray[np.float64]

STRIPS = 6  # as high as a map, what is pointed at of it
KEY, SHADES = 2.5, 11  # of a key of colours, its width in scene units and its shades
BAND, LEAST = 0.22, 0.02  # of a square's side, the bands beside it; what is drawn as zero


class PlaceMaps(VGroup):
    """How far right and how far up all hands point at many places, from (places, 2 hands).

    First only some `hands` are seen, at the places of so many `tokens`; `sizes` say how many hands
    and places there are. Parts: two `sides` with their `names`, what is `told` of them and the
    `key` of their colours under them, and a `strip` over their fast rows; `lowest` is where their
    slow ones are.
    """

    def __init__(
        self, waves: Floats, hands: Sequence[int], tokens: int, sizes: Sequence[Value], room: Region
    ) -> None:
        self.told = Words("{:,.0f} hands, {:,.0f} places", *sizes, size=SPOKEN_SIZE)
        low, high = (Number(constant(end, "the end of a hand"), 0, SPOKEN_SIZE) for end in (-1, 1))
        colors = Heat(np.linspace(-1, 1, SHADES)[None], (KEY, self.told.height), least=LEAST)
        self.key = VGroup(low, colors, high).arrange(RIGHT, buff=GAP)
        foot = VGroup(self.told, self.key).arrange(RIGHT, buff=4 * GAP)
        room.fit_width(foot)
        foot.move_to((room.center[0], room.bottom, 0), DOWN)
        left = room.raised(foot.height + GAP)
        slots = left.rows(2) if room.is_narrow else left.in_columns(2)
        self.names = [Words(f"how far {side}", size=SPOKEN_SIZE) for side in ("right", "up")]
        self.sides = list[WaveMap]()
        for part, (slot, name) in enumerate(zip(slots, self.names, strict=True)):
            name.move_to((slot.center[0], slot.top, 0), UP)
            within = slot.inset(GAP / 2).below(name, GAP)
            self.sides.append(WaveMap(waves[:, part::2].T, hands, tokens, within))
        across = VGroup(*self.sides[: 1 if room.is_narrow else 2])
        strip = Rectangle(width=across.width, height=across.height / STRIPS).move_to(across, UP)
        self.strip, self.lowest = Ring(strip), strip.copy().move_to(across, DOWN)
        super().__init__(*self.sides, *self.names, foot, self.strip)

    def taking(self, pair: VGroup, hand: int, place: int) -> VGroup:
        """Return a copy of two cells, of a hand at a place, as they stand here."""
        twins = pair.copy()
        for twin, side in zip(twins, self.sides, strict=True):
            box = side.cell(hand, place)
            twin.stretch_to_fit_width(box.width).stretch_to_fit_height(box.height)
            twin.move_to(box.center).set_stroke(opacity=0)
        return twins


class WaveMap(Shades):
    """Where hands point at many places, (hands, places): all of them, or what is `written`."""

    def __init__(self, waves: Floats, hands: Sequence[int], tokens: int, room: Region) -> None:
        self.waves, self.hands, self.reached = waves, hands, (0.0, float(tokens))
        super().__init__((room.width, room.height))
        self.frame.move_to(room.center).set_stroke(width=THIN_LINE)
        self.draw()

    def cell(self, hand: int, place: int) -> Region:
        """Return the box of a number."""
        high, wide = np.array([self.frame.height, self.frame.width]) / self.waves.shape
        x, y, _ = self.frame.get_corner(LEFT + UP) + (place * wide, -hand * high, 0)
        return Region(float(x), float(x + wide), float(y - high), float(y))

    def deepen(self, share: float) -> None:
        """Show, beside the first hands that were shown, so much of all others, from above."""
        self.reached = share * len(self.waves), self.reached[1]
        self.draw()

    def go_on(self, places: float) -> None:
        """Show so many places."""
        self.reached = self.reached[0], places
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        row, column = np.indices(self.waves.shape)
        rows = (row < self.reached[0]) | np.isin(row, self.hands)
        self.paint(self.waves, rows & (column < self.reached[1]))


class Compared(VGroup):
    """Every place with every other: a column for each along the top, a row for each at the side.

    `numbers` are pictures of the places, (rows, n), one under the other, `alike` (n, n). Parts:
    the `band` along the top, the `flank`, the `square` between them, and the name `under` it.
    """

    def __init__(
        self,
        numbers: Sequence[Floats],
        alike: Floats,
        pair: tuple[int, int],
        name: VMobject,
        room: Region,
    ) -> None:
        foot = name.height + GAP
        side = min(room.width, room.height - foot - GAP) / (1 + BAND) - HAIR
        self.square, high = Likeness(alike, pair, side), BAND * side
        parts = [Heat(part, (side, high / len(numbers)), least=LEAST) for part in numbers]
        self.band = VGroup(*parts).arrange(DOWN, buff=0).next_to(self.square, UP, buff=HAIR)
        self.under = name.next_to(self.square, DOWN, buff=GAP)
        self.flank = self.band.copy()
        super().__init__(self.band, self.flank, self.square, name)
        VGroup(*self, self.mirrored()).move_to(room.center)

    def mirrored(self) -> VGroup:
        """Return the flank where it belongs: what is above the square's corner is left of it."""
        twin, corner = self.band.copy(), self.square.frame.get_corner(LEFT + UP)
        for part in twin.get_family():
            if len(part.points):
                x, y, z = (part.points - corner).T
                part.points = corner + np.stack([-y, -x, z], axis=1)
        return twin

    def boxes_of(self, row: int, column: int) -> list[Rectangle]:
        """Return the boxes of a place at the side, of one along the top, and of their pair."""
        cell, side, band = self.square.cell(row, column), self.mirrored(), self.band
        sizes = (side.width, cell.height), (cell.width, band.height), (cell.width, cell.height)
        spots = (
            (side.get_x(), cell.get_y()),
            (cell.get_x(), band.get_y()),
            (cell.get_x(), cell.get_y()),
        )
        return [
            Rectangle(width=wide, height=high).move_to((*spot, 0))
            for (wide, high), spot in zip(sizes, spots, strict=True)
        ]


class Likeness(Shades):
    """How alike any two of n places are, (n, n), -1 to 1, as a square picture of a `side`.

    It grows from the `pair`, a row and a column. Parts: its `frame`, and all else within it.
    """

    def __init__(self, alike: Floats, pair: tuple[int, int], side: float) -> None:
        row, column = np.indices(alike.shape)
        apart = np.abs(row - column)
        means = np.bincount(apart.ravel(), alike.ravel()) / np.bincount(apart.ravel())
        self.alike, self.means, self.evened = alike, means[apart], 0.0
        along = np.abs(np.minimum(row, column) - min(pair)) / len(alike)
        step = abs(pair[0] - pair[1])
        self.order = np.where(apart == step, along, 1 + np.abs(apart - step))
        self.whole = float(len(alike))
        super().__init__((side, side))
        self.frame.set_stroke(width=THIN_LINE)
        self.reach(-1.0)

    def cell(self, row: int, column: int) -> Square:
        """Return the box of a pair."""
        side = self.frame.width / len(self.alike)
        corner = self.frame.get_corner(LEFT + UP)
        return Square(side).move_to(corner + side * ((column + 0.5) * RIGHT + (row + 0.5) * DOWN))

    def reach(self, far: float) -> None:
        """Show nothing (-1), the pair (0), all pairs as far apart (1), or all pairs (`whole`)."""
        self.reached = far
        self.draw()

    def even(self, share: float) -> None:
        """Let every pair go from its own number (0) to the mean of all as far apart (1)."""
        self.evened = share
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        numbers = (1 - self.evened) * self.alike + self.evened * self.means
        self.paint(numbers, self.order <= self.reached)
