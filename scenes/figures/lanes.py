"""A lane for each token, with its chip at the beginning: what is said of it stands there.

lanes = Lanes.of(film.tokens, film.stage)      # columns, or rows where the stage is upright
chips = lanes.chips(film.tokens)
lanes.at(3, 2.0)                               # a point in the fourth lane, 2 units from its foot
lanes.room(0, 2, lanes.base, lanes.depth)      # the first three lanes, beyond what is guessed
level = Level("mean", mean(losses), lanes, bars, decimals=1)    # a mean of bars that stand there
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DL, DOWN, LEFT, RIGHT, UP, UR
from manim.typing import Point3D

from scenes import theme
from scenes.mobjects.bars import WIDEST_PITCH, Bars, set_slab, slab
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.provenance import Value
from scenes.region import Region
from scenes.verbs import Appear, Flow, MoveTo, Together, TurnInto, Vary, Verb, Visit

BETS = 4  # on a word that are named
STRIP = 0.6  # of a lane's breadth, that of a strip
TOLD, TOLD_TURNED = 0.45, 1.3  # scene units beyond a strip, for a percentage
LIT, AXIS = 0.75, 1.35  # scene units, for a percentage over a chip; a lane with an axis, at least
BESIDE = 0.8  # scene units over and under axes, for their names and numerals
LARGER, IN_LINE = 8, 4  # times as large as a title, a covered text; words in a line of it
LOWEST = 0.3  # of the stage's height, such a text
TRACKS = 0.25  # of the distance between them, over and under tracks
CHIPS = 0.3  # of an upright stage's width, for its chips at most


@dataclass(frozen=True)
class Lanes:
    """A lane for each token: side by side and upwards, or one under another and to the right.

    `foot` is how deep the chips are, at the beginning of each lane, in scene units.
    """

    stage: Region
    count: int
    size: float
    foot: float

    @classmethod
    def of(cls, tokens: Sequence[str], stage: Region) -> Lanes:
        """Return lanes in which the chips of tokens have room."""
        if not stage.is_narrow:
            pitch = pitch_in(stage.width, len(tokens), WIDEST_PITCH)
            size = text_size(tokens, pitch - 1.6 * theme.GAP, theme.SPOKEN_SIZE)
            return cls(stage, len(tokens), size, Chip("a", size).height)
        pitch = pitch_in(stage.height, len(tokens), WIDEST_PITCH)
        row = 0.9 * pitch / Chip("a", 1).height
        size = min(row, text_size(tokens, CHIPS * stage.width - 2 * theme.GAP, theme.SPOKEN_SIZE))
        widest = max(Chip(piece, size, CHIPS * stage.width).width for piece in tokens)
        return cls(stage, len(tokens), size, widest)

    @property
    def turned(self) -> bool:
        """Whether lanes go to the right, one under another."""
        return self.stage.is_narrow

    @property
    def depth(self) -> float:
        """How long a lane is."""
        return self.stage.width if self.turned else self.stage.height

    @property
    def pitch(self) -> float:
        """The distance from a lane to the next."""
        breadth = self.stage.height if self.turned else self.stage.width
        return pitch_in(breadth, self.count, WIDEST_PITCH)

    @property
    def start(self) -> float:
        """Where in a lane its chart begins."""
        return self.foot + theme.GAP

    @property
    def base(self) -> float:
        """Where in a lane its loss begins: after the right bet."""
        return self.start + self._share_room

    @property
    def middle(self) -> float:
        """Where in a lane the right bet stands."""
        return self.start + self._share_room / 2

    @property
    def beyond(self) -> Region:
        """The stage without the chips."""
        if self.turned:
            return replace(self.stage, left=self.stage.left + self.foot + 2 * theme.GAP)
        return replace(self.stage, bottom=self.stage.bottom + self.foot + theme.GAP)

    @property
    def has_axis(self) -> bool:
        """Whether there is room for an axis before what stands in the first lane."""
        return not self.turned and self.pitch >= AXIS

    def at(self, lane: float, depth: float) -> Point3D:
        """Return a point of a lane."""
        x, y, _ = self.stage.center
        off = (lane - (self.count - 1) / 2) * self.pitch
        if self.turned:
            return np.array([self.stage.left + depth, y - off, 0.0])
        return np.array([x + off, self.stage.bottom + depth, 0.0])

    def room(self, first: int, last: int, low: float, high: float) -> Region:
        """Return the room of some lanes from one depth to another."""
        one, other = self.at(first - 0.5, low), self.at(last + 0.5, high)
        (left, right), (bottom, top) = (sorted((one[axis], other[axis])) for axis in (0, 1))
        return Region(float(left), float(right), float(bottom), float(top))

    def plot(self, low: float, high: float) -> Region:
        """Return the room of axes from a coordinate along the lanes to another."""
        stage = self.stage
        if self.turned:
            middle = float(stage.center[1])
            half = min(high - low, stage.height / 2 - BESIDE)
            return Region(low, stage.right - 2 * theme.GAP, middle - half, middle + half)
        return Region(stage.left + theme.GAP, stage.right - 2 * theme.GAP, low, high)

    def chips(self, tokens: Sequence[str]) -> list[Chip]:
        """Return the chips of tokens at the beginnings of their lanes."""
        widest = self.foot if self.turned else self.pitch - theme.HAIR
        chips = [Chip(piece, self.size, widest + 1e-6) for piece in tokens]
        for lane, chip in enumerate(chips):
            chip.shift(self.at(lane, self.foot / 2) - chip.plate.get_center())
            if self.turned:
                chip.shift(RIGHT * (self.at(lane, self.foot)[0] - chip.plate.get_right()[0]))
        return chips

    def strip(self, lane: int) -> Region:
        """Return where a strip of all chances stands, beyond the chip of its lane."""
        half = STRIP * self.pitch / 2
        end = self.depth - (TOLD_TURNED if self.turned else TOLD)
        (x, y, _), (u, v, _) = self.at(lane, self.start), self.at(lane, end)
        if self.turned:
            return Region(float(x), float(u), float(y) - half, float(y) + half)
        return Region(float(x) - half, float(x) + half, float(y), float(v))

    def tell_at_foot(self, number: Number) -> Number:
        """Make the percentage of a right bet so small that it has room in a lane."""
        wide = self._share_room if self.turned else self.pitch
        high = self.pitch if self.turned else LIT
        return number.shrink_to(min(wide - theme.GAP, 0.7 * high / number.height * number.width))

    @property
    def _share_room(self) -> float:
        return TOLD_TURNED if self.turned else LIT


class Covered(VGroup):
    """A text, large, which is covered from a place on; a ring and a mark ask what stands there.

    It comes to stand in the lowest part of the stage, and the region `beyond` is free then. Parts:
    the chips of the `line`, the `ring` and the `mark`.
    """

    def __init__(self, pieces: Sequence[str], at: int, stage: Region) -> None:
        inside = stage.inset(theme.HAIR)
        lines = -(-len(pieces) // (IN_LINE // 2 if stage.is_narrow else IN_LINE))
        row = TokenRow(pieces, inside, largest=LARGER * theme.TITLE_SIZE, lines=lines)
        lowest = replace(inside, top=stage.bottom + LOWEST * stage.height)
        under = TokenRow(pieces, lowest, largest=row.size).align_to((0, stage.bottom, 0), DOWN)
        self.beyond = replace(stage, bottom=float(under.get_top()[1]) + theme.GAP)
        self.line, self.low, self.at = row.chips, under.chips, at
        self.smaller = under.size / row.size
        self.ring = Ring(self.line[at])
        self.mark = Words("?", size=row.size).move_to(self.ring)
        cover(*self.line[at:])
        super().__init__(*self.line, self.ring, self.mark)

    def tracks(self, names: Sequence[VMobject], told: Sequence[VMobject]) -> list[Region]:
        """Return tracks over it, one under another, between names and numerals."""
        inset, outset = (max(each.width for each in of) + theme.GAP for of in (names, told))
        rows = self.beyond.narrowed(inset, outset).rows(len(names))
        off = TRACKS * rows[0].height
        return [row.raised(off).lowered(off) for row in rows]

    def go_down(self) -> Verb:
        """Return how it comes to stand lowest on the stage, its last line first."""
        lines: dict[float, list[Verb]] = {chip.get_y(): [] for chip in reversed(self.line)}
        for chip, to in zip(self.line, self.low, strict=True):
            lines[chip.get_y()] += [MoveTo(chip, to, scale=self.smaller)]
        to = self.low[self.at]
        asks = MoveTo(self.mark, to, scale=self.smaller), Visit(self.ring, [to], theme.STEADY)
        lines[self.line[self.at].get_y()] += asks
        return Flow(map(Together, lines.values()))


class Level(VGroup):
    """The height of a mean, across all bars, and what it is, in the lane before them.

    The line begins where that lane ends: it may sink past what is written of another level.
    """

    def __init__(
        self,
        word: str,
        mean: Value,
        lanes: Lanes,
        bars: Bars,
        decimals: int,
        *,
        role: theme.Role = theme.INK,
    ) -> None:
        self.bars, self.axis = bars, 0 if lanes.turned else 1
        at = bars.place_of(mean.number)
        at -= lanes.stage.left if lanes.turned else lanes.stage.bottom
        self.line = Line(lanes.at(0.5, at), lanes.at(lanes.count - 0.5, at))
        self.line.set_stroke(theme.color(role), theme.BOLD_LINE)
        self.number = Number(mean, decimals, theme.TITLE_SIZE).move_to(lanes.at(0, at))
        self.word = Words(word, size=theme.PLAIN_SIZE).shrink_to(lanes.pitch - theme.HAIR)
        self.word.next_to(self.number, LEFT if lanes.turned else UP, buff=theme.HAIR)
        super().__init__(self.line, self.number, self.word)
        self.mean, self.place = mean.number, bars.place_of(mean.number)

    def is_clear_of(self, other: Level) -> bool:
        """Whether two levels are far enough apart for what stands beside their lines."""
        apart = abs(self.get_center() - other.get_center())
        sizes = (self.width + other.width, self.height + other.height)
        return bool(apart[self.axis] > sizes[self.axis] / 2 + theme.HAIR)

    def follow(self, _share: float) -> None:
        """Stand where the mean is on the scale that the bars have now."""
        self.stand_at(self.mean)

    def stand_at(self, mean: float) -> None:
        """Stand where another mean is; the numeral stays what it was."""
        self.mean, place = mean, self.bars.place_of(mean)
        by, self.place = place - self.place, place
        self.shift(by * (UP if self.axis else RIGHT))


class Prefix(Line):
    """A bold line along the chips of a text's beginning, beside their lanes' strips."""

    def __init__(self, lanes: Lanes, chips: Sequence[Chip]) -> None:
        out = DOWN if lanes.turned else RIGHT
        depth = lanes.foot + theme.GAP / 2
        sides = [chip.get_edge_center(out) for chip in (chips[0], *chips)]
        sides[0] = chips[0].get_edge_center(-out)
        axis = 0 if lanes.turned else 1
        for side in sides:
            side[axis] = lanes.at(0, depth)[axis]
        self.sides = np.array(sides)
        super().__init__(stroke_color=theme.color(theme.INK), stroke_width=2 * theme.BOLD_LINE)
        self.reach(1.0)

    def reach(self, words: float) -> None:
        """Be as long as so many words."""
        places = np.arange(len(self.sides))
        end = [np.interp(words, places, each) for each in self.sides.T]
        self.put_start_and_end_on(self.sides[0], np.array(end))


class Share(VGroup):
    """A chance in its lane: a `bar` from the lane's foot, in a `frame` that is one long."""

    def __init__(self, share: float, region: Region, *, upright: bool) -> None:
        self.share, self.region, self.upright = share, region, upright
        self.frame = slab(opacity=0.0).set_stroke(theme.color(theme.QUIET), theme.THIN_LINE, 1.0)
        set_slab(self.frame, (region.left, region.bottom, region.right, region.top))
        self.bar = slab().set_fill(theme.color(theme.ACCENT), theme.STRONGEST_FILL)
        super().__init__(self.frame, self.bar)
        self.rise(1.0)

    @property
    def _long(self) -> float:
        return self.region.height if self.upright else self.region.width

    def rise(self, way: float) -> None:
        """Be so much of its length."""
        box, end = self.region, max(theme.HAIR, way * self.share * self._long)
        right, top = (box.right, box.bottom + end) if self.upright else (box.left + end, box.top)
        set_slab(self.bar, (box.left, box.bottom, right, top))

    def grow(self, run_time: float) -> Verb:
        """Return how it rises from the foot."""
        seen = Appear(self.bar, run_time=theme.HAIR, scale=1.0)
        return Together(seen, Vary(self.rise, 0, 1, run_time))

    def call(self, word: Words) -> Words:
        """Put a word into the bar, or beside it, where that is too short."""
        low, high = self.bar.get_corner(DL), self.bar.get_corner(UR)
        word.move_to(self.bar).set_color(
            theme.ink_on(theme.color(theme.ACCENT), theme.STRONGEST_FILL)
        )
        if min((high - low)[:2] - (word.width, word.height)) < 2 * theme.HAIR:
            word.set_role(theme.INK).next_to(self.frame, LEFT if self.upright else UP, theme.HAIR)
        return word

    def tell(self, number: Number, *, fits: bool) -> None:
        """Let a percentage stand beyond the bar, or beyond the frame."""
        way, long = UP if self.upright else RIGHT, self._long
        needs = (number.height if self.upright else number.width) + 2 * theme.HAIR
        end = max(long * self.share, theme.HAIR)
        beyond = end if fits and end + needs < long else long
        number.next_to(self.region.center + (beyond - long / 2) * way, way, buff=theme.HAIR)


def cover(*chips: Chip) -> None:
    """Let chips have a line around them: their words are covered, or were."""
    for chip in chips:
        chip.plate.set_stroke(theme.color(theme.QUIET), theme.THIN_LINE)


def turn(old: Sequence[Chip], new: Sequence[Chip], covered: int | None = None) -> Verb:
    """Return how chips turn into others, `covered` ones and all later ones as plates alone."""
    pairs = [*zip(old, new, strict=True)]
    plates = [(one.plate, other.plate) for one, other in pairs[covered or len(pairs) :]]
    return Together(TurnInto(*pair) for pair in (*pairs[:covered], *plates))
