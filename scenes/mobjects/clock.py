"""Clocks with one hand, which turns by its own angle from place to place. They know no model.

bank = ClockBank(rates, tokens, stage)
yield Appear(bank.clocks[0][2].hand), Vary(bank.clocks[0][2].turn_to, 0, 2)  # to the third place
turn = Turn(clock, step=3, since=0)
yield Vary(turn.open, 0, 3)                   # what the hand sweeps from the first place on
yield Vary(turn.begin_at, 0, 4)               # is as much from any other
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from manim import Circle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.outlines import Filled, in_space, polygons
from scenes.mobjects.signs import hue
from scenes.mobjects.space import Arrow, pushes
from scenes.mobjects.text import TokenText, Words, em_of
from scenes.mobjects.vector import Cell
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    INK,
    PLAIN_SIZE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Disappear,
    Shift,
    Together,
    Vary,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

WIDEST, FLATTEST = 1.5, 1.7  # scene units from word to word; times that, from clock to clock
RATES, SLANT, LINE = 1.0, np.pi / 5, 1.2  # units beside clocks; of words too wide, ems between
FACE, CELL = 0.42, 0.42  # of the distance between clocks, a face's radius, a cell's height
LENGTH, THICK, SWEPT, ARC = 0.92, 1.2, 0.4, 32  # a hand's; of a sector, its fill and its points
LINES, MOST_A_LINE = 3, 4  # of words that are in no order
BOW = 0.6  # scene units, by which words keep out of each other's way
LARGEST, MIXED = 1.7, 0.618  # times as large these are; a step with which they come to lie so
SMALL, NUMERAL = 0.38, 0.2  # scene units, a clock beside a word; of a room, words beside a clock
BESIDE, PUSHES = 2.5, 120  # how soon words stand beside a clock, not over it; how often they part


class Clock(VGroup):
    """A hand that turns clockwise by `rate` radians a place, from upright.

    Parts: the `face`, and the `hand` with its `tip`.
    """

    def __init__(self, rate: float, center: Floats, radius: float, place: float = 0.0) -> None:
        self.rate, self.middle, self.radius, self.place = rate, center, radius, place
        self.near = self.own = (*center, radius)
        self.thick = THICK
        self.face = Circle(radius, stroke_color=theme.color(QUIET), stroke_width=THIN_LINE)
        self.hand = Arrow(theme.color(INK))
        super().__init__(self.face, self.hand)
        self.draw()

    @property
    def tip(self) -> Floats:
        """Where the hand points to, (x, y) in scene units."""
        return self.hand.tip

    def settle(self, share: float) -> None:
        """Stand `near`, (x, y, radius), if that is given (0), at its own place (1), or between."""
        x, y, self.radius = (1 - share) * np.array(self.near) + share * np.array(self.own)
        self.middle = np.array([x, y])
        self.draw()

    def turn_to(self, place: float) -> None:
        """Point to where the hand is at a place."""
        self.place = place
        self.draw()

    def slim(self, share: float) -> None:
        """Have a hand so many times as thick, for who looks at it from near."""
        self.thick = share * THICK
        self.draw()

    def draw(self) -> None:
        """Draw face and hand."""
        self.aim(self.rate * self.place)

    def aim(self, angle: float, length: float = 1.0) -> None:
        """Draw the face, and a hand at an angle, in radians, of a share of its whole length."""
        self.face.scale(2 * self.radius / self.face.width).move_to((*self.middle, 0))
        end = self.middle + length * LENGTH * self.radius * towards(angle)
        self.hand.point(self.middle, end, min(1.0, self.thick * self.radius))


class Turn(VGroup):
    """What the hand of a clock sweeps in a `step`: one sector, wherever it begins.

    Parts: the `sector`, the hand that it begins with (`ghost`) and the one that it ends with
    (`hand`).
    """

    def __init__(self, clock: Clock, step: int, since: int) -> None:
        self.clock, self.since, self.swept = clock, float(since), float(step)
        self.sector = Filled(np.zeros((0, 3)), ACCENT, SWEPT)
        self.sector.set_stroke(theme.color(ACCENT), THIN_LINE)
        self.ghost, self.hand = Arrow(theme.color(QUIET)), Arrow(theme.color(INK))
        super().__init__(self.sector, self.ghost, self.hand)
        self.draw()

    def open(self, places: float) -> None:
        """Have swept so many places of the step."""
        self.swept = places
        self.draw()

    def begin_at(self, place: float) -> None:
        """Begin at a place."""
        self.since = place
        self.draw()

    def draw(self) -> None:
        """Draw the sector and both hands."""
        middle, radius = self.clock.middle, self.clock.radius
        angles = self.clock.rate * (self.since + self.swept * np.linspace(0, 1, ARC))
        rim = middle + radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
        self.sector.points = polygons(np.concatenate([middle[None], rim])[None])
        for hand, angle in ((self.ghost, angles[0]), (self.hand, angles[-1])):
            end = middle + LENGTH * radius * towards(float(angle))
            hand.point(middle, end, min(1.0, THICK * radius))


class Turns(VGroup):
    """What the hands of several clocks sweep in one step, as a `Turn` in each.

    Parts: the `turns`, and their `sectors`.
    """

    def __init__(self, clocks: Sequence[Clock], step: int, since: int) -> None:
        self.turns = [Turn(clock, step, since) for clock in clocks]
        self.sectors = VGroup(*(turn.sector for turn in self.turns))
        super().__init__(*self.turns)

    def open(self, places: float) -> None:
        """Let all have swept so many places of the step."""
        for turn in self.turns:
            turn.open(places)

    def begin_at(self, place: float) -> None:
        """Let all begin at a place."""
        for turn in self.turns:
            turn.begin_at(place)


class Ride(VGroup):
    """A large clock that goes along a row of clocks, and shows the time of each, within a room.

    Parts: the `clock`, the hand that it began with (`first`), and what it `swept` at last.
    """

    def __init__(self, row: Sequence[Clock], room: Region) -> None:
        radius = min(room.height / 2, room.width / 6)
        ends = room.left - RATES + radius, room.right - radius
        self.xs = np.clip([clock.middle[0] for clock in row], *ends)
        self.y, self.rate = float(room.center[1]), row[0].rate
        self.clock = Clock(self.rate, room.center[:2], radius)
        self.swept = Turn(self.clock, 1, 0)
        self.first = Arrow(theme.color(QUIET))
        super().__init__(self.swept.sector, self.first, self.clock)
        self.go_to(0.0)

    def tell(self, names: Sequence[TokenText], place: int, left: float) -> None:
        """Set two names beside where it stands at a place: of its first hand, and of its own."""
        two = VGroup(*names).arrange(DOWN, buff=GAP, aligned_edge=RIGHT)
        edge = float(self.xs[place]) - self.clock.radius - GAP
        two.scale(min(1.0, (edge - left) / two.width)).move_to((edge, self.y, 0), RIGHT)

    def go_to(self, place: float) -> None:
        """Stand at a place, or between two, and point to where hands do there."""
        x = float(np.interp(place, np.arange(len(self.xs)), self.xs))
        self.clock.middle = np.array([x, self.y])
        self.clock.turn_to(place)
        self.swept.open(min(place, 1.0))
        self.swept.begin_at(max(place - 1.0, 0.0))
        up = np.array([x, self.y + LENGTH * self.clock.radius])
        self.first.point(self.clock.middle, up, min(1.0, THICK * self.clock.radius))


class ClockBank:
    """A clock for every hand and every place, hands one under the other, places over their words.

    `rates` are degrees a place. Parts: `clocks` by hand and place, `rates` (their numerals) and
    `labels`.
    """

    def __init__(self, rates: Sequence[Value], tokens: Sequence[str], stage: Region) -> None:
        hands = len(rates)
        wide = pitch_in(stage.width - RATES - HAIR, len(tokens), WIDEST)
        size = text_size(tokens, wide - GAP, SPOKEN_SIZE)
        is_level = size >= PLAIN_SIZE
        self.slant = 0.0 if is_level else SLANT
        if not is_level:  # as large as the first has room, and as their lines are apart
            size = text_size(tokens[:1], (RATES + wide / 2) / np.cos(SLANT), SPOKEN_SIZE)
            size = max(min(size, wide * np.sin(SLANT) / em_of(LINE)), PLAIN_SIZE)
        self.labels = [TokenText(piece, size) for piece in tokens]
        foot = 2 * GAP + max(label.rotate(self.slant).height for label in self.labels)
        high = min(FLATTEST * wide, (stage.height - foot) / hands)
        self.pitch, radius = (wide, high), FACE * min(wide, high)
        left = stage.center[0] - (RATES + len(tokens) * wide) / 2
        top = stage.center[1] + (foot + high * hands) / 2
        self.clocks: list[list[Clock]] = []
        self.rates: list[Words] = []
        for row, rate in enumerate(rates):
            across = left + RATES + (np.arange(len(tokens)) + 0.5) * wide
            y, turn = top - (row + 0.5) * high, np.radians(rate.number)
            self.clocks.append(
                [Clock(turn, np.array([x, y]), radius, t) for t, x in enumerate(across)]
            )
            number = Words("{:.0f}°" if rate.number >= 1 else "{:.1g}°", rate, size=TITLE_SIZE)
            number.shrink_to(RATES - GAP).move_to((left + RATES - GAP, y, 0), RIGHT)
            self.rates.append(number)
        self.room = Region(left + RATES, left + RATES + len(tokens) * wide, top - high * hands, top)
        for label, clock in zip(self.labels, self.clocks[-1], strict=True):
            label.next_to((clock.middle[0], self.room.bottom, 0), DOWN, buff=GAP)
            if not is_level:
                label.align_to((clock.middle[0] + label.em / 2, 0, 0), RIGHT)
        if is_level:
            line = min(label.baseline for label in self.labels)
            for label in self.labels:
                label.shift((line - label.baseline) * UP)

    def column(self, place: int) -> list[Clock]:
        """Return the clocks of a place, from above."""
        return [row[place] for row in self.clocks]

    def cells(self, hand: int, place: int, points: Sequence[float]) -> VGroup:
        """Return where a hand points, how far right and how far up, as cells instead of a clock."""
        wide, high = self.pitch
        middle, pair = self.clocks[hand][place].middle, VGroup()
        for part, number in enumerate(points):
            cell = Cell(float(number), 1.0, (wide, CELL * high))
            if not number:
                cell.set_stroke(theme.color(QUIET), THIN_LINE)
            pair.add(cell.move_to((middle[0], middle[1] + (0.5 - part) * CELL * high, 0)))
        return pair


class Heap:
    """The words of clocks as they lie about, larger and in no order.

    Parts: the words at their `spots`, by place; and which change places with each other (`pairs`).
    """

    def __init__(self, bank: ClockBank, room: Region) -> None:
        places = sorted(range(len(bank.labels)), key=lambda t: (t + 2) * MIXED % 1)
        number = max(LINES, -(-len(places) // MOST_A_LINE))
        lines = room.rows(min(number, len(places)))
        wide = lines[0].width / -(-len(places) // len(lines))
        widest = max(label.width for label in bank.labels)
        larger = float(np.clip((wide - 4 * GAP) / widest, 1.0, LARGEST))
        self.spots = [label.copy().rotate(-bank.slant).scale(larger) for label in bank.labels]
        self.pairs = list[list[int]]()
        for line, words in zip(lines, np.array_split(places, len(lines)), strict=True):
            inverted = np.sort(words)
            inverted[:2] = inverted[:2][::-1].copy()
            self.pairs += [inverted[:2].tolist()] if len(words) > 1 else []
            for place, part in zip(inverted, line.in_columns(len(words)), strict=True):
                self.spots[place].move_to(part.center)

    def swap(self, labels: Sequence[VMobject]) -> Verb:
        """Return how two words of every line change places."""
        pairs = [(labels[one], labels[other]) for one, other in self.pairs]
        ways = [other.get_center() - one.get_center() for one, other in pairs]
        return Together(
            Together(Shift(one, by=way, bow=BOW * UP), Shift(other, by=-way, bow=BOW * DOWN))
            for (one, other), way in zip(pairs, ways, strict=True)
        )


class Round:
    """The words of one clock, each at its own time round it; at first they stand `aside`, mixed.

    There each has a clock of its own, on the side of the dial. Parts: the large `dial`, which needs
    no hand of its own; the `words` and their `clocks`; the `ways` of the words to their times, with
    their `bows`, and the `order` in which they can go.
    """

    def __init__(self, rate: float, tokens: Sequence[str], aside: Region, room: Region) -> None:
        is_above, lane = aside.bottom >= room.top, aside.height / len(tokens)
        wide = NUMERAL * room.width
        radius = min(room.width / 2 - wide, room.height / 2 - 2 * GAP) - 2 * GAP
        self.dial = Clock(rate, room.center[:2], radius)
        most = min(TITLE_SIZE, 0.8 * lane / em_of(1.0))
        small = min(0.42 * lane, 0.08 * aside.width, SMALL)
        beside = 2 * small + GAP
        size = text_size(tokens, min(wide, aside.width - 2 * beside), most)
        self.words = [TokenText(piece, size) for piece in tokens]
        broad = max(word.width for word in self.words)
        times = self._times(rate, radius, room.height / 2) + room.center
        near = times @ ((0, 1, 0) if is_above else (-1, 0, 0))
        self.order = np.argsort(near).tolist()
        mixed = sorted(range(len(tokens)), key=lambda t: (t + 2) * MIXED % 1)
        for row, place in enumerate(self.order if is_above else mixed):
            at = aside.center[0] - broad / 2, aside.bottom + (row + 0.5) * lane, 0
            self.words[place].move_to(at, LEFT)
        self.clocks = list[Clock]()
        for place, word in enumerate(self.words):
            x = aside.center[0] + (broad / 2 + GAP + small)
            self.clocks.append(Clock(rate, np.array((x, word.get_y())), small, place))
            self.clocks[-1].near = self.dial.own
        self.ways = [time - word.get_center() for time, word in zip(times, self.words, strict=True)]
        self.bows = [-way / 4 * ((1, 0, 0) if is_above else (0, 1, 0)) for way in self.ways]

    def come(self, place: int, run_time: float) -> Verb:
        """Return how a word's hand comes to lie on the dial, and the word to its time."""
        clock, word = self.clocks[place], self.words[place]
        way, bow = self.ways[place], self.bows[place]
        go = Vary(clock.settle, 1, 0, run_time), Shift(word, by=way, bow=bow, run_time=run_time)
        return Together(*go, Disappear(clock.face, run_time=run_time / 5))

    def _times(self, rate: float, radius: float, top: float) -> Floats:
        """Return where words stand, beyond the ends of their hands, off the dial and each other."""
        high = max(label.height for label in self.words) + HAIR
        half = np.array([(label.width + GAP, high) for label in self.words]) / 2
        hands = np.array([towards(rate * place) for place in range(len(self.words))])
        aside = np.clip(BESIDE * hands[:, 0], -1, 1)
        places = (radius + GAP) * hands + half * np.stack([aside, hands[:, 1]], axis=1)
        for _ in range(PUSHES):
            places += pushes(places, half) / 2
            places[:, 1] = np.clip(places[:, 1], high / 2 - top, top - high / 2)
            low = np.maximum(np.abs(places[:, 1]) - half[:, 1], 0.0)
            rim = np.sqrt(np.maximum((radius + HAIR) ** 2 - low**2, 0.0)) + half[:, 0]
            off = np.sign(aside) * np.maximum(np.abs(places[:, 0]), rim)
            places[:, 0] = np.where(low < radius + HAIR, off, places[:, 0])
        return in_space(places)


def legs_of(clock: Clock, points: Sequence[float]) -> list[VMobject]:
    """Return how far right and how far up a hand points, as lines in the colours of their signs."""
    tip = clock.middle + LENGTH * clock.radius * np.array(points)
    corner = np.array([clock.middle[0], tip[1]])
    ends = (corner, tip), (clock.middle, corner)
    legs = []
    for pair, number in zip(ends, points, strict=True):
        leg = VMobject(stroke_color=theme.color(hue(number)), stroke_width=BOLD_LINE)
        legs.append(leg.set_points_as_corners(in_space(np.array(pair))))
    return legs


def towards(angle: float) -> Floats:
    """Return the direction so many radians clockwise from upward."""
    return np.array([np.sin(angle), np.cos(angle)])


def ticking(hops: int) -> Callable[[float], float]:
    """Return how a way is gone in so many hops, as a clock ticks."""

    def pace(share: float) -> float:
        hop = min(int(share * hops), hops - 1)
        return (hop + smooth(share * hops - hop)) / hops

    return pace
