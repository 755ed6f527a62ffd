"""What hands write at many places, and what can be told of places by it. They know no model.

waves = PlaceWaves([numbers], hands=[0, 4, 8], tokens=8, rates=rates, room=stage)
yield Vary(waves.deepen, 0, 1), Vary(waves.go_on, 8, 64)     # more hands, and all 64 places
yield Vary(drowned.add_up, 0, 1)      # what is added to a word's numbers
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Line, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import number_format
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.signs import hue
from scenes.mobjects.text import Number, Words
from scenes.mobjects.vector import ellipsis
from scenes.provenance import Value, constant, count
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, INK, NAMED_SIZE, QUIET, SPOKEN_SIZE, TITLE_SIZE, Role
from scenes.verbs import Become, Shift, Together, Verb

Floats: TypeAlias = NDArray[np.float64]

SPREAD = 2.0  # standard deviations of own numbers, which reach as high as a hand does
SLOWER, MORE = 0.5, 2  # times as fast as the row above, at most, a further row's hand; how many
AXIS, LIMIT = 1.3, 0.7  # scene units beside waves: for their hands' rates, and for how high they go
WAVE, BAR = 0.7, 0.85  # of a row's height, that of its waves; of a place, the width of its bar
INSET, BROAD = 0.95, 0.6  # of what a bar has across, for its numeral and for itself
TINY = 1e-9


class PlaceWaves(VGroup):
    """How far right hands point at many places, from (places, 2 hands), as bars in rows.

    The last of `pictures` may take the first one's place. First some `hands` fill the rows, at the
    places of so many `tokens`; slower ones come in under them. Parts: the `bars`, for either sign;
    the `heading` over them, the `ends` of the axis under them, the `slower` ones' rates, and the
    `limits` of a hand, in the first row.
    """

    def __init__(
        self,
        pictures: Sequence[Floats],
        hands: Sequence[int],
        tokens: int,
        rates: Sequence[Value],
        room: Region,
    ) -> None:
        shown = [*hands]
        for hand in range(hands[-1], len(rates)):
            if rates[hand].number <= SLOWER * rates[shown[-1]].number:
                shown.append(hand)
        shown = shown[: len(hands) + MORE]
        own = (picture / (SPREAD * picture.std()) for picture in pictures[1:])
        self.pictures = [each[:, ::2][:, shown].T.clip(-1, 1) for each in (pictures[0], *own)]
        self.first, self.rows = len(hands), len(shown)
        self.share, self.places, self.learned = 0.0, float(tokens), 0.0
        self.heading = Words("how far right", size=SPOKEN_SIZE)
        self.ends = VGroup(_place_name(1), _place_name(len(pictures[0])))
        inner = room.narrowed(AXIS, LIMIT).raised(self.ends.height + GAP)
        self.heading.move_to((inner.center[0], inner.top, 0), UP)
        self.box = inner.below(self.heading, GAP)
        for end, x, edge in zip(self.ends, (inner.left, inner.right), (LEFT, RIGHT), strict=True):
            end.move_to((x, room.bottom, 0), DOWN + edge)
        self.bars = [Filled(np.zeros((0, 3)), hue(sign), theme.STRONGEST_FILL) for sign in (1, -1)]
        self.slower, self.limits = list[Words](), VGroup()
        for row, hand in enumerate(shown):
            if row >= self.first:
                form = "{:.0f}°" if rates[hand].number >= 1 else "{:.1g}°"
                told = Words(form, rates[hand], size=TITLE_SIZE).shrink_to(AXIS - 2 * GAP)
                self.slower.append(told.move_to(self._beside(row, 1.0), RIGHT))
        middle, half = self._row(0, 1.0)
        for sign in (1, -1):
            y = middle + sign * half
            line = Line((self.box.left, y, 0), (self.box.right, y, 0))
            self.limits.add(line.set_stroke(theme.color(QUIET), theme.THIN_LINE))
            end = Number(constant(sign, "the end of a hand"), 0, NAMED_SIZE)
            self.limits.add(end.move_to((self.box.right + LIMIT, y, 0), RIGHT))
        super().__init__(self.limits, *self.bars, self.heading, self.ends, *self.slower)
        self.draw()

    def rate(self, rates: Sequence[Words], share: float) -> Verb:
        """Return how the first rates go beside their rows, once so much of the others is shown."""
        ways = [self._beside(row, share) - told.get_right() for row, told in enumerate(rates)]
        return Together(Shift(told, by=way) for told, way in zip(rates, ways, strict=True))

    def take(self, cells: Sequence[Sequence[VGroup]]) -> Verb:
        """Return how cells, by place and hand, become the first bars where they stand."""
        ways = []
        for place, column in enumerate(cells):
            for row, pair in enumerate(column):
                number = float(self.pictures[0][row, place])
                twin = pair[0].copy().set_stroke(opacity=0)
                twin.set_fill(theme.color(hue(number)), theme.STRONGEST_FILL)
                sides = self._bars(np.array([[number]]), row, place)
                left, low, right, high = (float(side[0, 0]) for side in sides)
                twin.stretch_to_fit_width(right - left).stretch_to_fit_height(high - low + 1e-3)
                twin.move_to(((left + right) / 2, (low + high) / 2, 0))
                ways.append(Become(pair[0], twin))
        return Together(ways)

    def deepen(self, share: float) -> None:
        """Show only the first hands (0), the slower ones too (1), or these as they come in."""
        self.share = share
        self.draw()

    def go_on(self, places: float) -> None:
        """Show so many places."""
        self.places = places
        self.draw()

    def learn(self, share: float) -> None:
        """Let every number go from where a hand points (0) to what a model has learned (1)."""
        self.learned = share
        self.draw()

    def draw(self) -> None:
        """Draw all bars."""
        one, other = self.pictures[0], self.pictures[-1]
        numbers = one + self.learned * (other - one)
        seen = numbers[:, : int(np.ceil(self.places - 1e-6))]
        left, low, right, high = (each.ravel() for each in self._bars(seen))
        for sign, path in zip((1, -1), self.bars, strict=True):
            kept = (sign * seen.ravel() > 0) & (high - low > 1e-4)
            path.points = rectangles(left[kept], low[kept], right[kept], high[kept])

    def _beside(self, row: int, share: float) -> Point3D:
        """Return where the rate of a row's hand ends, once so much of the slower ones is shown."""
        return np.array([self.box.left - GAP, self._row(row, share)[0], 0.0])

    def _row(self, row: int, share: float) -> tuple[float, float]:
        """Return a row's middle then, and how far from it a bar reaches."""
        high = np.where(np.arange(self.rows) < self.first, 1.0, share)
        edges = self.box.top - self.box.height * np.cumsum([0.0, *high]) / high.sum()
        return float(edges[row : row + 2].mean()), float(WAVE * (edges[row] - edges[row + 1]) / 2)

    def _bars(self, numbers: Floats, row: int = 0, place: int = 0) -> tuple[Floats, ...]:
        """Return the sides of the bars of numbers, (rows, places) each, from one on."""
        rows = range(row, row + len(numbers))
        middle, half = np.array([self._row(each, self.share) for each in rows]).T
        pitch = self.box.width / self.places
        x = self.box.left + (place + np.arange(numbers.shape[1]) + 0.5) * pitch
        ends = middle[:, None] + half[:, None] * numbers
        right = np.minimum(x + BAR * pitch / 2, self.box.right)
        left, right = (np.broadcast_to(each, ends.shape) for each in (x - BAR * pitch / 2, right))
        zero = np.broadcast_to(middle[:, None], ends.shape)
        return left, np.minimum(zero, ends), np.maximum(left, right), np.maximum(zero, ends)


class Drowned(VGroup):
    """A word's first numbers as bars, to which others are added: (number, sum) each.

    What is added lifts every bar; all are drawn to one scale, as large as the room allows. Parts:
    the bars of the word's `own` numbers, for either sign, and what has been `added` under them;
    the `axis`, the `numerals`, and what stands for all further ones (`more`).
    """

    def __init__(self, values: Sequence[tuple[Value, Value]], room: Region) -> None:
        self.values, self.room = values, room
        self.numbers, sums = np.array([[each.number for each in pair] for pair in values]).T
        self.sizes = sums - self.numbers
        pitch = room.width / (len(values) + 1)
        self.across = np.array([room.left + (at + 0.5) * pitch for at in range(len(values))])
        self.half = BROAD * pitch / 2
        ends = [value for pair in values for value in pair]
        style = number_format(ends, (INSET * pitch, room.height), theme.HEADING_SIZE)
        self.numerals = [Number(one, style.decimals, style.size) for one, _ in values]
        self.head = max(number.height for number in self.numerals) + 2 * HAIR
        self.own = [Filled(np.zeros((0, 3)), hue(sign)) for sign in (1, -1)]
        self.added = Filled(np.zeros((0, 3)), ACCENT, theme.STRONGEST_FILL)
        self.axis = Line(LEFT, RIGHT).set_stroke(theme.color(QUIET), theme.THIN_LINE)
        self.more = ellipsis(np.array([room.right - pitch / 2, room.center[1], 0]), pitch * RIGHT)
        super().__init__(self.added, *self.own, self.axis, *self.numerals, self.more)
        self.add_up(0.0)

    def add_up(self, share: float) -> None:
        """Let so much of the others be added to every number."""
        lifts = share * self.sizes
        tops = lifts + self.numbers
        both = np.stack([np.zeros_like(tops), lifts, tops])
        low, high = both.min(), both.max()
        unit = (self.room.height - self.head) / max(high - low, TINY)
        zero = self.room.bottom - unit * low
        against = self.numbers * lifts < 0
        ends = np.where(against, np.where(tops * lifts > 0, tops, 0.0), lifts)
        self.added.points = self._bars(zero, unit * np.sort([0 * ends, ends], axis=0))
        for sign, path in zip((1, -1), self.own, strict=True):
            kept = sign * self.numbers > 0
            sides = unit * np.sort([lifts, tops], axis=0)
            path.points = self._bars(zero, sides, kept)
        self.axis.put_start_and_end_on((self.room.left, zero, 0), (self.room.right, zero, 0))
        self.more.set_y(zero + self.head / 2)
        for number, pair, x, top in zip(
            self.numerals, self.values, self.across, both.max(axis=0), strict=True
        ):
            number.put_between(*pair, share) if share else number.put(pair[0])
            number.move_to((x, zero + unit * top + HAIR, 0), DOWN)

    def _bars(self, zero: float, sides: Floats, kept: NDArray[np.bool_] | None = None) -> Floats:
        seen = np.ones(len(self.across), bool) if kept is None else kept
        x, low, high = self.across[seen], zero + sides[0, seen], zero + sides[1, seen]
        return rectangles(x - self.half, low, x + self.half, high)


class Facts(VGroup):
    """What is told of numbers, (name, value, role) each, one under the other in a room.

    Places have no decimals. Parts: the numerals, `values`.
    """

    def __init__(self, facts: Sequence[tuple[str, Value, Role]], room: Region) -> None:
        super().__init__()
        self.values = list[Number]()
        for name, value, role in facts:
            number = Number(value, 2 if role == INK else 0, theme.HEADING_SIZE, role)
            self.values.append(number)
            self.add(VGroup(Words(name, size=SPOKEN_SIZE, role=role), number).arrange(buff=2 * GAP))
        room.fit(self.arrange(DOWN, buff=3 * GAP))


def _place_name(place: int) -> Words:
    """Return what a place is called at the end of an axis; they count from one."""
    return Words("place {:.0f}", count(place, "place"), size=SPOKEN_SIZE)
