"""Numbers of many places as pictures, and how alike any two of the places are. They know no model.

maps = PlaceMaps(waves, hands=[0, 4, 8], tokens=8, last=rate, room=stage)
yield Together(Vary(side.go_on, 8, 64) for side in maps.sides)     # from 8 places on to all 64
yield Vary(compared.square.reach, 0, 7)                   # the first word with each of the others
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Rectangle, Square, VGroup, VMobject
from manim.constants import DL, DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.mobjects.fit import text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.mobjects.vector import Heat
from scenes.provenance import Value, constant, count
from scenes.region import Region
from scenes.theme import (
    GAP,
    HEADING_SIZE,
    INK,
    LEAST_SIZE,
    NAMED_SIZE,
    PLAIN_SIZE,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
    Role,
)

Floats: TypeAlias = NDArray[np.float64]

STRIPS = 6  # as high as a map, what is pointed at of it
KEY, SHADES = 2.5, 11  # of a key of colours, its width in scene units and its shades
AXIS, LEAST = 1.0, 0.02  # scene units beside a map, for its hands; what is drawn as zero
LABELS, SLANT = 0.2, np.pi / 4  # of a room's width, words beside a square; of those above it


def colors_to(width: float) -> Heat:
    """Return the colours from the lowest to the highest number, side by side."""
    return Heat(np.linspace(-1, 1, SHADES)[None], (width, em_of(PLAIN_SIZE)), least=LEAST)


class PlaceMaps(VGroup):
    """How far right and how far up all hands point at many places, from (places, 2 hands).

    First only some `hands` fill them, at the places of so many `tokens`. Parts: two `sides` with
    their `names`; the `ends` of the axes, the slowest hand's rate `last` among them; the `key` of
    their colours under them, and a `strip` over their fast rows; `lowest` is where their slow ones
    are.
    """

    def __init__(
        self, waves: Floats, hands: Sequence[int], tokens: int, last: Value, room: Region
    ) -> None:
        low, high = (Number(constant(end, "the end of a hand"), 0, SPOKEN_SIZE) for end in (-1, 1))
        self.key = VGroup(low, colors_to(KEY), high).arrange(RIGHT, buff=GAP)
        self.key.move_to((room.center[0], room.bottom, 0), DOWN)
        left = room.raised(self.key.height + GAP).narrowed(AXIS, 0.0)
        slots = left.rows(2) if room.is_narrow else left.in_columns(2)
        self.names = [Words(f"how far {side}", size=SPOKEN_SIZE) for side in ("right", "up")]
        self.sides, self.ends = list[WaveMap](), VGroup()
        for part, (slot, name) in enumerate(zip(slots, self.names, strict=True)):
            name.move_to((slot.center[0], slot.top, 0), UP)
            places = [
                Words("place {:.0f}", count(place, "place"), size=PLAIN_SIZE)
                for place in (0, len(waves) - 1)
            ]
            within = slot.below(name, GAP).inset(GAP / 2).raised(places[0].height + GAP)
            side = WaveMap(waves[:, part::2].T, hands, tokens, within)
            for place, end in zip(places, (LEFT, RIGHT), strict=True):
                place.next_to(side.frame, DOWN, buff=GAP).align_to(side.frame, end)
            self.sides.append(side)
            self.ends.add(*places)
        slowest = Words("{:.1g}°", last, size=NAMED_SIZE).shrink_to(AXIS - GAP)
        if not self.sides[0].is_first[-1]:
            self.ends.add(slowest.move_to(self.sides[0].beside(-1, 1.0), RIGHT))
        across = VGroup(*(side.frame for side in self.sides[: 1 if room.is_narrow else 2]))
        strip = Rectangle(width=across.width, height=across.height / STRIPS).move_to(across, UP)
        self.strip, self.lowest = Ring(strip), strip.copy().move_to(across, DOWN)
        super().__init__(*self.sides, *self.names, self.ends, self.key, self.strip)

    def taking(self, cells: Sequence[Sequence[VGroup]]) -> list[list[VMobject]]:
        """Return copies of pairs of cells, by place and hand, as they stand here at first.

        Those of the left map come first, then those of the right one, (places * hands,) each.
        """
        found = list[list[VMobject]]()
        for part, side in enumerate(self.sides):
            twins = [pair[part].copy() for column in cells for pair in column]
            hands = np.flatnonzero(side.is_first).tolist()
            spots = [side.cell(hand, place) for place in range(len(cells)) for hand in hands]
            for twin, box in zip(twins, spots, strict=True):
                twin.stretch_to_fit_width(box.width).stretch_to_fit_height(box.height)
                twin.move_to(box.center).set_stroke(opacity=0)
            found.append(twins)
        return found


class WaveMap(Shades):
    """Where hands point at many places, (hands, places): as many of both as are shown fill it."""

    def __init__(self, waves: Floats, hands: Sequence[int], tokens: int, room: Region) -> None:
        self.waves, self.share, self.places = waves, 0.0, float(tokens)
        self.is_first = np.isin(np.arange(len(waves)), hands)
        super().__init__((room.width, room.height))
        self.frame.move_to(room.center).set_stroke(width=THIN_LINE)
        self.draw()

    def cell(self, hand: int, place: int) -> Region:
        """Return the box of a number, as it is now."""
        down, across = self._edges()
        x, y, _ = self.frame.get_corner(LEFT + UP)
        (left, right), (top, low) = across[[place, place + 1]], (down[:-1][hand], down[1:][hand])
        wide, high = self.frame.width, self.frame.height
        return Region(x + left * wide, x + right * wide, y - low * high, y - top * high)

    def beside(self, hand: int, share: float) -> Point3D:
        """Return where the rate of a hand stands once so much of all hands is shown."""
        before, self.share = self.share, share
        box, self.share = self.cell(hand, 0), before
        return np.array([box.left - GAP, box.center[1], 0.0])

    def deepen(self, share: float) -> None:
        """Show only the first hands (0), all hands (1), or these as they come between those."""
        self.share = share
        self.draw()

    def go_on(self, places: float) -> None:
        """Show so many places."""
        self.places = places
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        down, across = self._edges()
        rows, columns = np.diff(down) > 0, np.diff(across) > 0
        self.paint(self.waves, rows[:, None] & columns, edges=(down, across))

    def _edges(self) -> tuple[Floats, Floats]:
        high = self.share / len(self.waves) + (1 - self.share) * self.is_first / self.is_first.sum()
        across = np.arange(self.waves.shape[1] + 1) / self.places
        return np.concatenate([[0.0], np.cumsum(high)]), np.minimum(across, 1.0)


class Compared(VGroup):
    """Every word with every word, and at last every place with every place.

    `alike` are one or more pictures (n, n) of the same places. Parts: the `square`; the words
    beside its `rows` and above its `columns`; a `ring` at the first pair; the `ends` of its axes
    once it shows all places.
    """

    def __init__(
        self, alike: Sequence[Floats], tokens: Sequence[str], step: int, room: Region
    ) -> None:
        words, self.step = len(tokens), step
        size = text_size(tokens, LABELS * room.width, SPOKEN_SIZE)
        least = min(room.width, room.height) * (1 - LABELS) / words * np.sin(SLANT)
        size = max(min(size, least / em_of(1.0)), LEAST_SIZE)
        self.rows = [TokenText(piece, size) for piece in tokens]
        self.columns = [label.copy().rotate(SLANT) for label in self.rows]
        wide, high = max(t.width for t in self.rows), max(t.height for t in self.columns)
        last = self.columns[-1].width
        side = min(room.width - wide - last, room.height - high) - 2 * GAP
        self.square = Likeness(alike, words, step, side)
        for place, (row, column) in enumerate(zip(self.rows, self.columns, strict=True)):
            cell = self.square.cell(place, place)
            row.move_to((self.square.get_left()[0] - GAP, cell.get_y(), 0), RIGHT)
            column.move_to((cell.get_x() - row.em / 2, self.square.get_top()[1] + GAP / 2, 0), DL)
        first, *others = (
            Words("place {:.0f}", count(place, "place"), size=PLAIN_SIZE)
            for place in (0, *2 * (len(alike[0]) - 1,))
        )
        first.next_to(self.square, UP, buff=GAP, aligned_edge=LEFT)
        others[0].next_to(self.square, UP, buff=GAP, aligned_edge=RIGHT)
        others[1].next_to(self.square, LEFT, buff=GAP, aligned_edge=DOWN)
        self.ends = VGroup(first, *others)
        self.ring = Ring(self.square.cell(0, 0), corner=0.0)
        super().__init__(self.square, *self.rows, *self.columns, self.ends, self.ring)
        self.shift(room.center - VGroup(self.square, *self.rows, *self.columns).get_center())

    def ring_row(self, column: float) -> None:
        """Set the ring on the pair of the first word and another, or between two such pairs."""
        self._ring_at(0.0, column)

    def ring_step(self, row: float) -> None:
        """Set the ring on the pair of a word and the one a step on, or between two such pairs."""
        self._ring_at(row, row + self.step)

    def _ring_at(self, row: float, column: float) -> None:
        self.ring.move_to(self.square.cell(row, column))


class Told(VGroup):
    """What is told beside such a square, one under the other in a room.

    Parts: its two `names`, in one place; how it was `evened`, and the `share` that stays then; the
    `key` of its colours.
    """

    def __init__(self, share: Value, room: Region) -> None:
        self.names = [Words(name, size=TITLE_SIZE) for name in ("by clocks", "in this model")]
        self.evened = Words("each distance one colour:", size=SPOKEN_SIZE)
        kept = Words("of the variation stays", size=SPOKEN_SIZE)
        self.share = VGroup(Words("{:.0%}", share, size=2 * TITLE_SIZE), kept)
        self.share.arrange(DOWN, buff=GAP)
        lines = VGroup(self.names[0], self.evened, self.share).arrange(DOWN, buff=3 * GAP)
        ends = [Words(f"{how} alike", size=PLAIN_SIZE) for how in ("less", "more")]
        words = VGroup(*ends).arrange(RIGHT, buff=4 * GAP if room.width > 2 * KEY else GAP)
        self.key = VGroup(colors_to(words.width), words).arrange(DOWN, buff=GAP)
        room.fit_width(self.key)
        self.key.move_to((room.center[0], room.bottom, 0), DOWN)
        room.raised(self.key.height + GAP).fit(lines)
        self.names[1].scale(self.names[0].em / self.names[1].em).move_to(self.names[0])
        super().__init__(*self.names, self.evened, self.share, self.key)


class Facts(VGroup):
    """What is told of numbers, (name, value, role) each, one under the other in a room.

    Places have no decimals. Parts: the numerals, `values`.
    """

    def __init__(self, facts: Sequence[tuple[str, Value, Role]], room: Region) -> None:
        super().__init__()
        self.values = list[Number]()
        for name, value, role in facts:
            number = Number(value, 2 if role == INK else 0, HEADING_SIZE, role)
            self.values.append(number)
            self.add(VGroup(Words(name, size=SPOKEN_SIZE, role=role), number).arrange(buff=GAP))
        room.fit(self.arrange(DOWN, buff=3 * GAP))


class Likeness(Shades):
    """How alike any two of n places are, (n, n), -1 to 1, as a square picture of a `side`.

    It shows the first `words` places; the last of `alike` may take the place of the first. Parts:
    its `frame`, and all else within it.
    """

    def __init__(self, alike: Sequence[Floats], words: int, step: int, side: float) -> None:
        row, column = np.indices(alike[0].shape)
        apart = np.abs(row - column)
        self.alike, last = alike, alike[-1]
        self.means = (np.bincount(apart.ravel(), last.ravel()) / np.bincount(apart.ravel()))[apart]
        self.places, self.reached, self.learned, self.evened = float(words), -1.0, 0.0, 0.0
        self.whole = float(len(last))
        along = np.where(column - row == step, self.whole + row, 2 * self.whole + apart)
        self.order = np.where(row == 0, column, along)
        super().__init__((side, side))
        self.frame.set_stroke(width=THIN_LINE)

    def cell(self, row: float, column: float) -> Square:
        """Return the box of a pair, as it is now."""
        side = self.frame.width / self.places
        corner = self.frame.get_corner(LEFT + UP)
        return Square(side).move_to(corner + side * ((column + 0.5) * RIGHT + (row + 0.5) * DOWN))

    def reach(self, far: float) -> None:
        """Show nothing (-1), or pairs in their order.

        First those of the first place with each (from 0), then those a step apart (from `whole`),
        then all, the nearest first (from twice `whole` to three times).
        """
        self.reached = far
        self.draw()

    def go_on(self, places: float) -> None:
        """Show so many places."""
        self.places = places
        self.draw()

    def learn(self, share: float) -> None:
        """Let every pair go from the first likeness (0) to the last (1)."""
        self.learned = share
        self.draw()

    def even(self, share: float) -> None:
        """Let every pair go from its own number (0) to the mean of all as far apart (1)."""
        self.evened = share
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        learned = (1 - self.evened) * self.alike[-1] + self.evened * self.means
        numbers = (1 - self.learned) * self.alike[0] + self.learned * learned
        edges = np.minimum(np.arange(len(numbers) + 1) / self.places, 1.0)
        inside = np.diff(edges) > 0
        seen = (self.order <= self.reached) & inside & inside[:, None]
        self.paint(numbers, seen, edges=(edges, edges))
