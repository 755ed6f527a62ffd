"""What hands write at many places, and what can be told of places by it. They know no model.

waves = PlaceWaves([numbers], hands=[0, 4, 8], tokens=8, rates=rates, room=stage)
yield Vary(waves.deepen, 0, 1), Vary(waves.go_on, 8, 64)     # more hands, and all 64 places
yield Vary(line.reach, 0, 7), Vary(line.go_on, 7, 63)        # where each place looks, one by one
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.figures.kept_hands import Carried
from scenes.mobjects.clock import Clock
from scenes.mobjects.fit import number_format, text_size
from scenes.mobjects.outlines import Filled, in_space, polygons, rectangles
from scenes.mobjects.shades import Shades
from scenes.mobjects.signs import hue, levels, strength_of
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.mobjects.vector import LEVELS
from scenes.presence import parts_of, set_fill, set_presence
from scenes.provenance import Value, constant, count, part_of
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, INK, NAMED_SIZE, QUIET, SPOKEN_SIZE, TITLE_SIZE, Role
from scenes.verbs import Appear, Become, Flow, Shift, Then, Together, Verb

Floats: TypeAlias = NDArray[np.float64]

SPREAD = 2.0  # standard deviations of own numbers, which reach as high as a hand does
SLOWER, MORE = 0.5, 3  # times as fast as the row above, at most, a further row's hand; how many
AXIS, LIMIT = 1.3, 0.7  # scene units beside waves: for their hands' rates, and for how high they go
WAVE, BAR = 0.8, 0.85  # of a row's height, that of its waves; of a place, the width of its bar
INSET = 0.85  # of a column, for numerals in it
WORD = 4  # columns of a picture that a word's numbers are wide, beside one that is empty
APART = 1.3  # diameters between the middles of two clocks, at least
SLOTS, WIDE = 5, 3  # words of a line that are seen, at most, and at least
ARCH, ARC = 1.3, 33  # scene units, the height of an arc for one place back; its points
TOLD, DIAL = 0.36, 0.42  # of a room, what is found; of the way between words, a clock's radius
TIP = 0.22  # scene units, the length of an arc's tip


class PlaceWaves(VGroup):
    """How far right hands point at many places, from (places, 2 hands), as bars in rows.

    The last of `pictures` may take the first one's place. First some `hands` fill the rows, at the
    places of so many `tokens`; slower ones come in under them. Parts: the `bars`, for either sign;
    the `heading` over them, the `ends` of the axis under them, the `slower` ones' rates, and the
    `limits` of a hand, in every row.
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
            middle, half = self._row(row, 1.0)
            if row >= self.first:
                form = "{:.0f}°" if rates[hand].number >= 1 else "{:.1g}°"
                told = Words(form, rates[hand], size=TITLE_SIZE).shrink_to(AXIS - 2 * GAP)
                self.slower.append(told.move_to(self._beside(row, 1.0), RIGHT))
            for sign in (1, -1):
                y = middle + sign * half
                line = Line((self.box.left, y, 0), (self.box.right, y, 0))
                self.limits.add(line.set_stroke(theme.color(QUIET), theme.THIN_LINE))
                if not row:
                    end = Number(constant(sign, "the end of a hand"), 0, NAMED_SIZE)
                    end.move_to((self.box.right + LIMIT, y, 0), RIGHT)
                    self.limits.add(end.shift(-sign * end.height / 2 * UP))
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


class Drowned(Shades):
    """Numbers of words, (words, n), in a column over each, to which others are `added`.

    The strongest colour is that of the largest number by then. Where there is room, each is also
    `told`, as a numeral in its cell: from (number, sum) by word and entry.
    """

    def __init__(
        self,
        numbers: Floats,
        added: Floats,
        room: Region,
        values: Sequence[Sequence[tuple[Value, Value]]] = (),
    ) -> None:
        self.numbers, self.added, self.room = numbers, added, room
        self.told = list[tuple[Number, Value, Value]]()
        super().__init__((room.width, room.height))
        gap = room.width / len(numbers) / (WORD + 1)
        self.frame.move_to(room.center + gap / 2 * RIGHT)
        ends = [value for column in values for pair in column for value in pair]
        cell = INSET * WORD * gap, room.height / numbers.shape[1]
        style = number_format(ends, cell) if ends else None
        if style and style.decimals > 1 and style.size >= theme.LEAST_SIZE:
            corner = room.left + (WORD + 1) / 2 * gap, room.top - cell[1] / 2
            for word, column in enumerate(values):
                for entry, (one, other) in enumerate(column):
                    number = Number(one, style.decimals, style.size)
                    across, down = word * (WORD + 1) * gap, entry * cell[1]
                    number.move_to((corner[0] + across, corner[1] - down, 0))
                    self.told.append((number, one, other))
                    self.add(number)
        self.add_up(0.0)

    def add_up(self, share: float) -> None:
        """Let so much of the others be added to every word's numbers."""
        sums = self.numbers + share * self.added
        self.largest = float(np.abs(sums).max()) or 1.0
        words, entries = sums.shape
        sides = np.arange(words)[:, None] + np.array([0, WORD / (WORD + 1)])  # of a column
        edges = np.linspace(0, 1, entries + 1), np.append(sides, words) / words
        wide = np.repeat(sums, 2, axis=0).T
        seen = np.broadcast_to(np.arange(2 * words) % 2 == 0, wide.shape)
        self.paint(wide, seen, edges=edges)
        drawn = levels(sums, self.largest, LEVELS)
        cells = zip(self.told, sums.ravel(), drawn.ravel(), strict=False)
        for (number, one, other), now, level in cells:
            middle, ends = number.get_center(), {0.0: one, 1.0: other}
            number.put(ends.get(share) or part_of(other, float(now))).move_to(middle)
            shade = strength_of(int(level), LEVELS, 0.0)
            set_fill(number, theme.ink_on(theme.color(hue(now)), shade))


class NextTime(VGroup):
    """Two large clocks of one hand, side by side: what the first one's has turned goes to the next.

    How far right and up the hand points is given, `points` (2, 2). Parts: the `clocks` and their
    `names`; and the hand that is `carried`.
    """

    def __init__(self, degrees: Value, points: Floats, names: Sequence[str], room: Region) -> None:
        rate = np.radians(degrees.number)
        angles = [float(angle) for angle in np.arctan2(*points.T)]
        size = text_size(names, room.width / 2 - GAP, TITLE_SIZE)
        self.names = [TokenText(name, size) for name in names]
        foot = 1.2 * max(name.height for name in self.names) + GAP
        within = room.raised(foot).lowered(em_of(TITLE_SIZE) + 2 * GAP)
        radius = min(within.height / 2, within.width / (2 + 2 * APART)) - HAIR
        apart = max(2 * radius * APART, min(within.width / 2, 3 * radius))
        middles = [within.center[:2] + side * np.array([apart / 2, 0]) for side in (-1, 1)]
        self.clocks = [
            Clock(rate, middle, radius, angle / rate)
            for angle, middle in zip(angles, middles, strict=True)
        ]
        for name, clock in zip(self.names, self.clocks, strict=True):
            name.next_to(clock.face, DOWN, buff=GAP)
        line = min(name.baseline for name in self.names)
        for name in self.names:
            name.shift((line - name.baseline) * UP)
        self.carried = Carried(degrees, self.clocks, angles[0])
        super().__init__(*self.clocks, *self.names, self.carried)

    def come(self) -> Verb:
        """Return how both clocks come in, and then their names."""
        return Then(Flow(map(Appear, self.clocks)), Flow(map(Appear, self.names)))


class LookLine(VGroup):
    """One word again and again along a line, and an arc from each place to where it looks most.

    From weights (n, n). As many words as have room are seen, at first those of the first places.
    Parts: the `words`, with `clocks` over them if `points` (n, 2) are given; the `arcs` with their
    `tips`; and what is `found`: the `hits`, how far back that is, and in which head.
    """

    def __init__(
        self,
        weights: Floats,
        word: str,
        found: tuple[Value, Value, Value],
        head: Sequence[Value],
        room: Region,
        *,
        points: Floats | None = None,
    ) -> None:
        hits, asked, far = found
        lower = room.lowered(TOLD * room.height)
        size = text_size([word], room.width / WIDE - 2 * GAP, TITLE_SIZE)
        name = TokenText(word, size)
        self.slots = int(np.clip(room.width // (name.width + 2 * GAP), WIDE, SLOTS))
        self.slots = min(self.slots, len(weights))
        self.pitch = room.width / self.slots
        self.looked = [int(row[: place + 1].argmax()) for place, row in enumerate(weights)]
        radius = min(DIAL * self.pitch, lower.height / 4) * (points is not None)
        self.left, self.foot = room.left, lower.bottom + name.height / 2
        self.size = name.height / 2 + GAP + 2 * radius + GAP * bool(radius)
        self.top = lower.top - self.foot - self.size
        self.foot += max(0.0, self.top - ARCH) / 2
        self.words = [name.copy() for _ in range(self.slots + 1)]
        self.clocks = [Clock(0.0, np.zeros(2), radius) for _ in self.words] if radius else []
        self.angles = np.arctan2(*(np.zeros((len(weights), 2)) if points is None else points).T)
        self.arcs = [
            VMobject(stroke_color=theme.color(ACCENT), stroke_width=theme.BOLD_LINE)
            for _ in self.words
        ]
        self.tips = Filled(np.zeros((0, 3)), ACCENT)
        self.hits = Number(hits, 0, 2 * TITLE_SIZE)
        of = Words("of {}", asked, size=2 * TITLE_SIZE)
        back = Words("look {:.0f} words back", far, size=TITLE_SIZE)
        under = Words("look one word back", size=TITLE_SIZE) if far.number == 1 else back
        asked_head = Words("layer {}, head {}", *head, size=SPOKEN_SIZE, role=QUIET)
        number = VGroup(self.hits, of).arrange(buff=2 * GAP, aligned_edge=DOWN)
        self.found = VGroup(number, under, asked_head).arrange(DOWN, buff=GAP)
        room.raised(lower.height).lowered(GAP).fit(self.found)
        self.hits.put(count(0, "places that look so far back"))
        self.reached, self.last = 0.0, float(self.slots - 1)
        super().__init__(*self.words, *self.clocks, *self.arcs, self.tips, self.found)
        self.draw()

    def reach(self, places: float) -> None:
        """Show the arcs of so many places after the first one."""
        self.reached = places
        self.draw()

    def go_on(self, last: float) -> None:
        """Let a later place be the last that is seen; all have their arcs."""
        self.reached = self.last = last
        self.draw()

    def draw(self) -> None:
        """Draw words and arcs as they are seen from here."""
        tips = []
        first = self.last - self.slots + 1
        for number, (word, arc) in enumerate(zip(self.words, self.arcs, strict=True)):
            turns = np.floor((self.last - number) / len(self.words) + 1e-9)
            place = number + int(turns) * len(self.words)
            x = self._across(place)
            word.move_to((x, self.foot, 0))
            there = float(np.clip(1 - 2 * (first - place), 0, 1))
            clock = self.clocks[number : number + 1]
            for dial in clock:
                dial.middle = np.array([x, self.foot + word.height / 2 + GAP + dial.radius])
                dial.aim(float(self.angles[place]))
            for part in chain(*map(parts_of, (word, *clock))):
                set_presence(part, there)
            drawn = float(np.clip(self.reached - place + 1, 0, 1)) if place > 0 else 0.0
            goal = self.looked[max(place, 0)]
            is_seen = goal < place and goal > first - 0.5
            arc.set_points_as_corners(np.zeros((2, 3)))
            if is_seen and drawn and there >= 1:
                points = self._arch(place, goal, drawn)
                arc.set_points_as_corners(in_space(points))
                tips.append(_tip(points, TIP * min(1.0, 4 * drawn)))
        self.tips.points = polygons(np.array(tips)) if tips else np.zeros((0, 3))

    def _arch(self, place: int, goal: int, share: float) -> Floats:
        """Return points, (ARC, 2), on so much of the way from a place over to an earlier one."""
        x, way = self._across(place), share * np.linspace(0, 1, ARC)
        high = min(ARCH * (place - goal) ** 0.5, self.top)
        along = x - HAIR + way * (self._across(goal) - x + 2 * HAIR)
        up = self.foot + self.size + high * np.sin(np.pi * way) ** 0.75
        return np.stack([along, up], axis=1)

    def _across(self, place: float) -> float:
        return float(self.left + (place - self.last + self.slots - 0.5) * self.pitch)


def _tip(points: Floats, long: float) -> Floats:
    """Return the corners of the tip of a line through points (n, 2), as an arrow has one."""
    end, along = points[-1], points[-1] - points[-3]
    along = along / max(float(np.hypot(*along)), 1e-6)
    across = np.array([-along[1], along[0]]) / 2
    return np.stack([end, end - long * (along - across), end - long * (along + across)])


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
