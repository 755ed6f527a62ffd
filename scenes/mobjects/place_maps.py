"""Numbers of many places as pictures, and where each place looks. They know no model.

maps = PlaceMaps([waves, own], hands=[0, 4, 8], tokens=8, last=rate, room=stage)
yield Together(Vary(side.go_on, 8, 64) for side in maps.sides)     # from 8 places on to all 64
yield Vary(looks.square.reach, 0, 8), Vary(looks.square.go_on, 8, 64)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Rectangle, Square, VGroup, VMobject
from manim.constants import DL, DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.clock import Clock, ClockBank, Turn
from scenes.mobjects.fit import text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.shades import Shades
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.mobjects.vector import Heat
from scenes.provenance import Value, constant, count
from scenes.region import Region, area_of
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    LEAST_SIZE,
    NAMED_SIZE,
    PLAIN_SIZE,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
    Role,
)
from scenes.verbs import Disappear, Shift, Together, Vary, Verb

Floats: TypeAlias = NDArray[np.float64]
Pictures: TypeAlias = Sequence[NDArray[np.float64]]

SPREAD = 2.0  # standard deviations of own numbers, which have the strongest colour
FAST = 0.16  # of a map's height, its fast rows
KEY, SHADES = 2.5, 11  # of a key of colours, its width in scene units and its shades
AXIS, LEAST = 1.3, 0.02  # scene units beside a map, for its hands; what is drawn as zero
ROW, FACE = 0.35, 0.42  # of a room's height, a row of clocks; of that or a pitch, a clock's radius
WORD = 4  # columns of a picture that a word's numbers are wide, beside one that is empty
LABELS, SLANT = 0.2, np.pi / 4  # of a room's width, words beside a square; of those above it


def colors_to(width: float) -> Heat:
    """Return the colours from the lowest to the highest number, side by side."""
    return Heat(np.linspace(-1, 1, SHADES)[None], (width, em_of(PLAIN_SIZE)), least=LEAST)


class PlaceMaps(VGroup):
    """How far right and how far up all hands point at many places, from (places, 2 hands).

    The others of `pictures` may take the first one's place, in turn. First only some `hands` fill
    them, at the places of so many `tokens`. Parts: two `sides` with their `names`; the `ends` of
    the axes, and the `slowest` hand's rate; the `key` of their colours under them; and a `strip`
    over their fast rows, with its twin over all `slow` ones.
    """

    def __init__(
        self,
        pictures: Sequence[Floats],
        hands: Sequence[int],
        tokens: int,
        last: Value,
        room: Region,
    ) -> None:
        low, high = (Number(constant(end, "the end of a hand"), 0, SPOKEN_SIZE) for end in (-1, 1))
        self.key = VGroup(low, colors_to(KEY), high).arrange(RIGHT, buff=GAP)
        self.key.move_to((room.center[0], room.bottom, 0), DOWN)
        left = room.raised(self.key.height + GAP).narrowed(AXIS, 0.0)
        slots = left.rows(2) if room.is_narrow else left.in_columns(2)
        self.names = [Words(f"how far {side}", size=SPOKEN_SIZE) for side in ("right", "up")]
        self.sides, self.ends, self.slowest = list[WaveMap](), VGroup(), VGroup()
        for part, (slot, name) in enumerate(zip(slots, self.names, strict=True)):
            name.move_to((slot.center[0], slot.top, 0), UP)
            places = [_place_name(place) for place in (1, len(pictures[0]))]
            within = slot.below(name, GAP).inset(GAP).raised(places[0].height + GAP)
            numbers = [picture[:, part::2].T for picture in pictures]
            side = WaveMap(numbers, hands, tokens, within)
            for place, end in zip(places, (LEFT, RIGHT), strict=True):
                place.next_to(side.frame, DOWN, buff=GAP).align_to(side.frame, end)
            self.sides.append(side)
            self.ends.add(*places)
        slowest = Words("{:.1g}°", last, size=NAMED_SIZE).shrink_to(AXIS - GAP)
        if not self.sides[0].is_first[-1]:
            self.slowest.add(slowest.move_to(self.sides[0].beside(-1, 1.0), RIGHT))
        across = VGroup(*(side.frame for side in self.sides[: 1 if room.is_narrow else 2]))
        self.strip, self.slow = (
            Ring(Rectangle(width=across.width, height=share * across.height).move_to(across, side))
            for share, side in ((FAST, UP), (1 - FAST, DOWN))
        )
        super().__init__(*self.sides, *self.names, self.ends, self.slowest, self.key, self.strip)

    def learn(self, stop: int, run_time: float = SLOW) -> Verb:
        """Return how all numbers become those of another picture, from the one before it."""
        return Together(Vary(side.learn, stop - 1, stop, run_time) for side in self.sides)

    def rate(self, rates: Sequence[Words], share: float) -> Verb:
        """Return how rates go beside their rows, as many as find room there by then."""
        side = self.sides[0]
        spots = [side.beside(hand, share) for hand in np.flatnonzero(side.is_first).tolist()]
        pairs = zip(rates, spots, strict=True)
        moves = (Shift(told, by=spot - told.get_right()) for told, spot in pairs)
        is_crowded = spots[0][1] - spots[1][1] < rates[0].height + HAIR
        return Together(*moves, Disappear(*(rates[1:] if is_crowded else ()), run_time=HAIR))

    def taking(self, cells: Sequence[Sequence[VGroup]]) -> tuple[list[VMobject], list[VMobject]]:
        """Return copies of pairs of cells, by place and hand, as they stand here at first.

        Those of the left map come first, then those of the right one. Before them, copies that only
        have gone aside: on their ways to these no two cross.
        """
        beside, found = list[VMobject](), list[VMobject]()
        for part, side in enumerate(self.sides):
            twins = [pair[part].copy() for column in cells for pair in column]
            hands = np.flatnonzero(side.is_first).tolist()
            spots = [side.cell(hand, place) for place in range(len(cells)) for hand in hands]
            for twin, box in zip(twins, spots, strict=True):
                twin.stretch_to_fit_width(box.width).set_x(box.center[0]).set_stroke(opacity=0)
                beside.append(twin.copy())
                found.append(twin.stretch_to_fit_height(box.height).move_to(box.center))
        return beside, found


class Drowned(Shades):
    """Numbers of words, (words, n), in a column over each, to which others are `added`.

    The strongest colour is that of the largest number by then.
    """

    def __init__(self, numbers: Floats, added: Floats, room: Region) -> None:
        self.numbers, self.added, self.room = numbers, added, room
        super().__init__((room.width, room.height))
        gap = room.width / len(numbers) / (WORD + 1)
        self.frame.move_to(room.center + gap / 2 * RIGHT)
        self.add_up(0.0)

    def add_up(self, share: float) -> None:
        """Let so much of the others be added to every word's numbers."""
        sums = self.numbers + share * self.added
        self.largest = float(np.abs(sums).max()) or 1.0
        parts = np.arange((WORD + 1) * len(sums)) % (WORD + 1)
        wide = np.repeat(sums, WORD + 1, axis=0).T
        self.paint(wide, np.broadcast_to(parts < WORD, wide.shape))


class WaveMap(Shades):
    """Where hands point at many places, (hands, places): as many of both as are shown fill it.

    What is drawn may go from the first of `pictures` to the others.
    """

    def __init__(
        self,
        pictures: Pictures,
        hands: Sequence[int],
        tokens: int,
        room: Region,
    ) -> None:
        self.waves, self.learned = pictures[0], 0.0
        own = (picture / (SPREAD * picture.std()) for picture in pictures[1:])
        self.pictures, self.tokens = [self.waves, *own], tokens
        self.share, self.places = 0.0, float(tokens)
        self.is_first = np.isin(np.arange(len(self.waves)), hands)
        super().__init__((room.width, room.height))
        self.frame.move_to(room.center).set_stroke(width=THIN_LINE)
        self.draw()

    def cell(self, hand: int, place: int) -> Region:
        """Return the box of a number, as it is now."""
        down, across = self._edges()
        box = area_of(self.frame)
        left, right = box.left + box.width * across[[place, place + 1]]
        top, low = (box.top - box.height * edges[hand] for edges in (down[:-1], down[1:]))
        return Region(left, right, low, top)

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

    def learn(self, stop: float) -> None:
        """Let every number go from where a hand points (0) to what it is in another picture."""
        self.learned = stop
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        down, across = self._edges()
        one, other = (self.pictures[int(self.learned) :] * 2)[:2]
        seen = (np.diff(down) > 0)[:, None] & (np.diff(across) > 0)
        self.paint(one + self.learned % 1 * (other - one), seen, edges=(down, across))

    def _edges(self) -> tuple[Floats, Floats]:
        high = self.share / len(self.waves) + (1 - self.share) * self.is_first / self.is_first.sum()
        across = np.arange(self.waves.shape[1] + 1) / self.places
        return np.concatenate([[0.0], np.cumsum(high)]), np.minimum(across, 1.0)


class Looks(VGroup):
    """How much each place of one repeated word looks at every other, from weights (n, n).

    First so many `words`, at last all places. Parts: the `square`; the `words` beside its rows and
    above its columns; the `ends` of its axes once it shows all places.
    """

    def __init__(self, weights: Floats, word: str, words: int, room: Region) -> None:
        size = text_size([word], LABELS * room.width, SPOKEN_SIZE)
        least = min(room.width, room.height) * (1 - LABELS) / words * np.sin(SLANT)
        size = max(min(size, least / em_of(1.0)), LEAST_SIZE)
        rows = [TokenText(word, size) for _ in range(words)]
        columns = [label.copy().rotate(SLANT) for label in rows]
        first, *others = map(_place_name, (1, *2 * (len(weights),)))
        wide, high = rows[0].width, max(columns[0].height, first.height)
        side = min(room.width - wide - columns[0].width, room.height - high) - 2 * GAP
        self.square = LookSquare(weights, words, side)
        for place, (row, column) in enumerate(zip(rows, columns, strict=True)):
            cell = self.square.cell(place, place)
            row.move_to((self.square.get_left()[0] - GAP, cell.get_y(), 0), RIGHT)
            column.move_to((cell.get_x() - row.em / 2, self.square.get_top()[1] + GAP / 2, 0), DL)
        first.next_to(self.square, UP, buff=GAP, aligned_edge=LEFT)
        others[0].next_to(self.square, UP, buff=GAP, aligned_edge=RIGHT)
        others[1].next_to(self.square, LEFT, buff=GAP, aligned_edge=DOWN)
        self.ends, self.words = VGroup(first, *others), VGroup(*rows, *columns)
        super().__init__(self.square, self.words, self.ends)
        self.shift(room.center - VGroup(self.square, self.words, first).get_center())


class Told(VGroup):
    """What is told beside such a square, one under the other in a room.

    Parts: what is `given`; and what is `found`: the number of places, of how many, how far back
    they look, and the head that was asked.
    """

    def __init__(
        self,
        given: tuple[str, Value],
        found: tuple[Value, Value, Value],
        head: Sequence[Value],
        room: Region,
    ) -> None:
        *hits, far = found
        self.given = Words("“{}”, {} times", *given, size=TITLE_SIZE)
        number = Words("{} of {}", *hits, size=2 * TITLE_SIZE)
        back = Words("look {:.0f} places back", far, size=TITLE_SIZE)
        under = Words("look one place back", size=TITLE_SIZE) if far.number == 1 else back
        asked = Words("layer {}, head {}", *head, size=SPOKEN_SIZE, role=QUIET)
        self.found = VGroup(number, under, asked).arrange(DOWN, buff=GAP)
        super().__init__(self.given, self.found)
        room.fit(self.arrange(DOWN, buff=4 * GAP))


class Meetings(VGroup):
    """Clocks of one hand in two rows: above, those that look; below, those that are looked at.

    They stand over `labels`, in the room of a bank. How far right and up the hand points is given,
    `points` (places, 2), for it may keep time but roughly. Those below can turn on by one place.
    Parts: the `lookers` under their `names`; below, the `faces`, with what each hand has `turned`;
    and the `looks`, from every place but the first to the one that shows its time by then. Between
    the rows stands how far hands turn in `a_word`, in degrees.
    """

    def __init__(
        self, degrees: Value, points: Floats, labels: Sequence[VMobject], bank: ClockBank
    ) -> None:
        rate = np.radians(degrees.number)
        times = np.arctan2(*points.T) / rate
        room, high = bank.room, max(label.height for label in labels) + GAP
        up = (room.top - HAIR - max(label.get_top()[1] for label in labels)) * UP
        self.names = [label.copy().shift(up) for label in labels]
        radius = FACE * min(bank.pitch[0], ROW * room.height)
        tops, lows = (
            [np.array([clock.middle[0], y]) for clock in bank.clocks[-1]]
            for y in (room.top - high - radius, room.bottom + radius)
        )
        self.lookers = [
            Clock(rate, middle, radius, time) for time, middle in zip(times, tops, strict=True)
        ]
        below = [Clock(rate, middle, radius) for middle in lows]
        self.faces = VGroup(*(clock.face for clock in below))
        self.turned = [Turn([clock], 1, 0) for clock in below]
        self.looks = [Arrow(theme.color(ACCENT)) for _ in labels[1:]]
        for start, end, look in zip(tops[1:], lows[:-1], self.looks, strict=True):
            rim = (radius + HAIR) * (end - start) / np.linalg.norm(end - start)
            look.point(start + rim, end - rim)
        for turn, time in zip(self.turned, times, strict=True):
            turn.begin_at(time)
            turn.open(0)
        self.a_word = Words("+ {:.0f}°", degrees, size=TITLE_SIZE, role=ACCENT)
        self.a_word.move_to(((tops[0][0] + tops[-1][0]) / 2, (tops[0][1] + lows[0][1]) / 2, 0))
        parts = *self.names, *self.lookers, self.faces, *self.turned, *self.looks
        super().__init__(*parts, self.a_word)


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
            self.add(VGroup(Words(name, size=SPOKEN_SIZE, role=role), number).arrange(buff=2 * GAP))
        room.fit(self.arrange(DOWN, buff=3 * GAP))


class LookSquare(Shades):
    """How much each of n places looks at every other, (n, n), as a square picture of a `side`.

    It shows the first `words` places. Parts: its `frame`, and all else within it.
    """

    def __init__(self, weights: Floats, words: int, side: float) -> None:
        self.weights = np.where(weights < LEAST, 0.0, weights)
        self.places, self.reached = float(words), 0.0
        super().__init__((side, side))
        self.frame.set_stroke(width=THIN_LINE)

    def cell(self, row: float, column: float) -> Square:
        """Return the box of a pair, as it is now."""
        side = self.frame.width / self.places
        corner = self.frame.get_corner(LEFT + UP)
        return Square(side).move_to(corner + side * ((column + 0.5) * RIGHT + (row + 0.5) * DOWN))

    def reach(self, rows: float) -> None:
        """Show so many places' rows."""
        self.reached = rows
        self.draw()

    def go_on(self, places: float) -> None:
        """Show so many places."""
        self.places = places
        self.draw()

    def draw(self) -> None:
        """Draw within the frame, wherever that stands."""
        edges = np.minimum(np.arange(len(self.weights) + 1) / self.places, 1.0)
        inside = np.diff(edges) > 0
        seen = inside & inside[:, None] & (np.arange(len(self.weights)) < self.reached)[:, None]
        self.paint(self.weights, seen, edges=(edges, edges))


def _place_name(place: int) -> Words:
    """Return what a place is called at the end of an axis; they count from one."""
    return Words("place {:.0f}", count(place, "place"), size=SPOKEN_SIZE)
