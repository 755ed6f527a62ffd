"""A row of numbers as bars, and the shares that softmax makes of it: they move together.

row = SoftmaxRow(scores, softmax(scores), tokens, region)
yield row.rise(scores)
yield row.raise_e()                     # each numeral is an exponent now, over an e
yield row.lie_down()                    # only these are left, on a line at the foot
yield row.powers.grow(0, len(tokens))   # e to the power of each: the largest fills the room
yield row.share_out()                   # these bars stack up to one whole
yield row.nudge(scores, place)          # one number goes up and down, all shares follow
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear, smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.softmax import exponentials, softmax
from scenes.mobjects.bars import (
    SLANT,
    THICKNESS,
    WIDEST_PITCH,
    Bars,
    Remeasure,
    Stack,
    set_slab,
    slab,
    span_of,
)
from scenes.mobjects.fit import NumberFormat, eased, needed_decimals, number_format, text_size
from scenes.mobjects.text import Formula, Glyphs, Number, TokenText, Words, em_of, label_of
from scenes.presence import parts_of, set_presence
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Then,
    Together,
    Vary,
    Verb,
)

Floats: TypeAlias = NDArray[np.float64]

NUDGE = 1.0  # added to a dot product and taken from it, to see what its share does
UPRIGHT = 0.8  # of its width: a region that is higher has its shares under its bars
UPPER = 0.55  # of an upright region, for the bars
CHART = 0.7  # of the stage, for the bars; the rest is for their shares
THINNEST, WIDEST = 0.6, 1.4  # scene units, of the column of shares
NUMERAL = 3.2  # ems, for a share in numerals
FLATTEST = 26.0  # a font size, from which names stand level in one line
NAME_ROOM = 1.6  # of a bar's room, for its name, before it is set smaller: it may be slanted
LARGEST = 1e9  # a number that is written in full
LEAST_DECIMAL = 1e-5  # a number that is written with decimals
FINEST = 4  # decimals of a share
DEPTH = 0.25  # of a name under its baseline, in ems
FRONT = 0.4  # of the time in which all bars rise, one
FAINT = 0.5  # of their colour, stems between bars and names
BESIDE = 1.5 * theme.HAIR  # from the column of shares to a bracket
EVEN = 1.4  # times as large as the smallest, a power in figures, at most: each fills its room
TO_SEE = 0.002  # a share of which more than a hairline is seen


class SoftmaxRow(VGroup):
    """One query's numbers as bars, beside them the shares that softmax makes of them."""

    def __init__(
        self, numbers: Tensor, shares: Tensor, tokens: Sequence[str], region: Region
    ) -> None:
        low, high = span_of([value.number for value in numbers.values])
        tokens = [*map(label_of, tokens)]
        others = [TokenText(piece, theme.NAMED_SIZE) for piece in tokens]
        widest = (
            max(name.width for name in others) + 2 * theme.GAP + NUMERAL * em_of(theme.NAMED_SIZE)
        )
        beside_chart = max(THINNEST + widest, (1 - CHART) * region.width)
        if region.height > UPRIGHT * region.width:
            cut = region.top - UPPER * region.height
            chart, beside = replace(region, bottom=cut), replace(region, top=cut - theme.GAP)
        else:
            chart, beside = region.columns(1 - beside_chart / region.width)
            beside = replace(beside, left=beside.left + theme.GAP)
        pitch = min(WIDEST_PITCH, chart.width / len(tokens))
        level = text_size(tokens, pitch - 2 * theme.HAIR, theme.SPOKEN_SIZE)
        size = level if level >= FLATTEST else text_size(tokens, NAME_ROOM * pitch)
        names = [TokenText(piece, size, theme.KEY) for piece in tokens]
        least = min(low, min(0.0, float(numbers.double.max())) - NUDGE)  # as far as one is nudged
        width, span = min(WIDEST, beside.width - widest), (least, high + 2 * NUDGE)
        self.bars = StemmedBars(numbers.values, chart, names, span=span, decimals=1)
        if level < FLATTEST:
            self._level()
            region.hold(self.bars.names[0])  # the first one is slanted to the left
        self.stack = Stack(shares.values, beside, others, width=width)
        self.span = self.bars.span
        self.powers = Powers(numbers, self.bars)
        super().__init__(self.bars, self.stack, self.powers)

    def _level(self) -> None:
        """Let names that are slanted stand level in two lines, where these are long enough."""
        names, bars = self.bars.names, self.bars
        top, low = max(each.get_top()[1] for each in names), min(each.get_y(DOWN) for each in names)
        level = [each.copy().rotate(-SLANT) for each in names]
        wide, high = max(each.width for each in level), max(each.height for each in level)
        growth = min((2 * bars.pitch - theme.GAP) / wide, (top - low) / (2 * high))
        growth = min(growth, em_of(theme.SPOKEN_SIZE) / level[0].em)
        if wide <= bars.pitch - theme.HAIR or growth < 1:
            return
        for place, (name, twin) in enumerate(zip(names, level, strict=True)):
            twin.scale(growth)
            line = low + DEPTH * twin.em + (place % 2 == 0) * (top - low - growth * high)
            twin.shift((bars.shapes[place].get_x() - twin.get_x(), line - twin.baseline, 0))
            bars.region.hold(twin)
            name.become(twin)
        bars.grow_stems()

    def bar(self, place: int) -> VGroup:
        """Return a bar with its numeral."""
        return VGroup(self.bars.shapes[place], self.bars.numbers[place])

    def below_zero(self) -> list[VGroup]:
        """Return the bars of the negative numbers, each with its numeral."""
        return [self.bar(i) for i, value in enumerate(self.bars.values) if value.number < 0]

    def others(self, place: int) -> list[VMobject]:
        """Return the shapes and numerals of all bars but one."""
        bars = (self.bar(other) for other in range(len(self.bars.shapes)) if other != place)
        return [part for bar in bars for part in bar]

    def labels(self) -> list[Glyphs]:
        """Return the names and numerals of all shares that are high enough for them."""
        places = range(len(self.stack.values))
        return [label for place in places for label in self.stack.labels(place)]

    def rise(self, numbers: Tensor) -> Verb:
        """Let the bars come in, from zero to some numbers, one after another."""
        ends = numbers.double
        starts = np.linspace(0, 1 - FRONT, len(ends))
        return Together(
            Fade(*self.bars.shapes, *self.bars.numbers, *self.bars.stems, to=1.0),
            Remeasure(
                self.bars,
                numbers.values,
                path=lambda share: eased((share - starts) / FRONT) * ends,
                span=lambda _: self.span,
                run_time=theme.SLOW,
            ),
        )

    def come_back(self, numbers: Tensor) -> Verb:
        """Let the bars of some numbers and their shares be seen again, where they stood."""
        bars = Remeasure(self.bars, numbers.values, run_time=theme.HAIR)
        shares = self.stack.whole, *self.stack.shapes, *self.labels()
        return Then(bars, Appear(self.bars, *shares, scale=1.0))

    def raise_e(self) -> Verb:
        """Let every numeral at the end of its bar be the exponent of an e."""
        raised = zip(self.bars.numbers, self.powers.raised, strict=True)
        each = (
            Together(Disappear(old, run_time=theme.QUICK / 2), Appear(new)) for old, new in raised
        )
        return Together(Disappear(*self.bars.stems), Flow(each, theme.STEADY))

    def lie_down(self) -> Verb:
        """Let the powers come down to a line at the foot; then the bars, dim by now, go."""
        bars, powers = self.bars, self.powers
        down = Together(Vary(powers.sink, 0, 1), Draw(powers.line))
        return Then(Dim(*bars.shapes), down, Disappear(*bars.shapes, bars.zero))

    def share_out(self) -> Verb:
        """Let shares come from the bars of powers, which stay, and stack up to one whole.

        The last comes first, so that none crosses another.
        """
        pairs = zip(self.powers.shapes, self.stack.shapes, self.stack.values, strict=True)
        return Flow(
            ComeFrom(share, power)
            if value.number > TO_SEE
            else Appear(share, run_time=theme.STEADY)
            for power, share, value in reversed([*pairs])
        )

    def divide(self, numbers: Tensor, scores: Tensor, by: float) -> Verb:
        """Let the numbers shrink to scores, and the shares follow them at every moment."""
        ends = numbers.double
        return self._follow(scores, lambda share: ends / (1 + share * (by - 1)), 2 * theme.SLOW)

    def nudge(self, numbers: Tensor, place: int, by: float) -> Verb:
        """Move one number up and down and back; the shares follow at every moment."""
        ends, only = numbers.double, by * np.eye(len(numbers))[place]
        return self._follow(
            numbers, lambda share: ends + np.sin(2 * np.pi * share) * only, theme.SLOW
        )

    def nudged(self, numbers: Tensor, place: int, by: float) -> VMobject:
        """Return a bracket beside a bar, as far as its end moves when it is nudged."""
        bars, end = self.bars, numbers.values[place].number
        low, high = (bars.place_of(end + sign * by) for sign in (-1, 1))
        x = bars.shapes[place].get_x() - bars.pitch / 2
        return bracket(x, min(2 * theme.HAIR, bars.pitch / 8), low, high)

    def set_beside(self, note: Words, nudged: VMobject, place: int) -> None:
        """Set a note left of the bracket beside a bar, if it is over all bars that are there."""
        bars, x = self.bars, float(nudged.get_left()[0]) - theme.GAP
        left = [self.bar(other) for other in range(place)]
        under = [bar for bar in left if bar.get_right()[0] > x - note.width]
        over = max((float(bar.get_top()[1]) for bar in under), default=-np.inf)
        if x - note.width > bars.zero.get_left()[0] and over < nudged.get_y() - note.height / 2:
            note.move_to((x, nudged.get_y(), 0), RIGHT)

    def swing(self, numbers: Tensor, place: int, by: float) -> VMobject:
        """Return a bracket over the column, as far as an edge of a share moves in a nudge."""
        column, away = self.stack.column, by * np.eye(len(numbers))[place]
        raised = [_softmax(numbers.double + sign * away) for sign in (-1, 1)]
        edges = [np.cumsum([0.0, *each])[[place, place + 1]] for each in raised]
        farther = int(np.abs(edges[0] - edges[1]).argmax())
        low, high = sorted(column.top - column.height * each[farther] for each in edges)
        return bracket(column.right + theme.HAIR, -theme.HAIR - column.width / 2, low, high)

    def held(self, shares: Tensor, place: int, left: float) -> VMobject:
        """Return a bracket along a share in the column, on the side that `left` leaves for it."""
        column, ends = self.stack.column, np.cumsum([0.0, *shares.double])[[place + 1, place]]
        low, high = column.top - column.height * ends
        return self._beside(low, high, -theme.HAIR / 2, left)

    def _beside(self, low: float, high: float, over: float, left: float) -> VMobject:
        """Return a bracket that opens to the column, and reaches over so much of it."""
        column = self.stack.column
        if column.left - theme.GAP < left:
            return bracket(column.right + theme.HAIR, -theme.HAIR - over, low, high)
        return bracket(column.left - BESIDE, BESIDE + over, low, high)

    def _follow(self, end: Tensor, path: Callable[[float], Floats], run_time: float) -> Verb:
        shares = softmax(end).values
        bars = Remeasure(self.bars, end.values, path=path, run_time=run_time)
        stack = Remeasure(self.stack, shares, path=lambda x: _softmax(path(x)), run_time=run_time)
        return Together(bars, stack)


class StemmedBars(Bars):
    """Bars from which names in two lines hang by `stems`, but where a wide name is in their way."""

    stems: Mapping[VMobject, tuple[Number, float]] = {}  # from which numeral, and how far down

    def grow_stems(self) -> None:
        """Make the stems; names stay where they are."""
        self.stems = stems = {}
        for number, name in zip(self.numbers, self.names, strict=True):
            x, foot = number.get_x(), float(name.get_top()[1]) + theme.HAIR
            over = (each for each in self.names if each.get_top()[1] > foot)
            if not any(abs(each.get_x() - x) < each.width / 2 + theme.HAIR for each in over):
                stem = VMobject().set_stroke(theme.color(theme.KEY), theme.THIN_LINE, FAINT)
                stems[stem] = number, foot
        self.add(*stems)
        self.put(self.values)

    def _draw(self, numbers: Floats) -> None:
        super()._draw(numbers)
        zero = float(self.zero.get_y())
        for stem, (number, foot) in self.stems.items():
            end = min(zero, float(number.get_bottom()[1])) - theme.HAIR
            ends = [(number.get_x(), max(y, foot), 0.0) for y in (end, foot)]
            stem.set_points_as_corners(np.array(ends))


class Powers(VGroup):
    """E to the power of a row's numbers as bars, raised one by one, the smallest first.

    All are drawn on one scale, on which the largest of all fills the room. Parts, by place:
    `shapes[i]`, `numerals[i]`, and `raised[i]`, an e and its exponent, until this is worked out;
    and the `line` at their foot.
    """

    def __init__(self, numbers: Tensor, bars: Bars) -> None:
        self.bars, self.values = bars, exponentials(numbers).values
        sizes = [value.number for value in self.values]
        self.order = sorted(range(len(sizes)), key=sizes.__getitem__)
        self.foot, self.top = bars.place_of(bars.span[0]), bars.region.top - 3 * theme.HAIR
        if bars.span[0] < 0:
            self.foot -= bars.numbers[0].em + 2 * theme.HAIR  # no numeral hangs from the line
        self.top -= em_of(theme.NAMED_SIZE)
        self.shapes = [slab() for _ in sizes]
        VGroup(*self.shapes).set_fill(theme.color(theme.POSITIVE), theme.STRONGEST_FILL)
        self.numerals = [self._numeral(place) for place in range(len(sizes))]
        most = EVEN * min(numeral.em for numeral in self.numerals)
        for numeral in (self.numerals[place] for place in self.order[:-1]):
            numeral.scale(min(1.0, most / numeral.em))
        self.line = bars.zero.copy().set_y(self.foot)
        base = Formula("$e$", bars.numbers[0].em / em_of(1))
        style = number_format(numbers.values, (bars.pitch - base.width, bars.pitch), decimals=1)
        self.raised = [self._raised(value, style, base.copy()) for value in numbers.values]
        super().__init__(*self.shapes, *self.numerals, *self.raised, self.line)
        self.reach(0.0)
        for raised, number in zip(self.raised, bars.numbers, strict=True):
            edge = UP if number.get_y() < bars.zero.get_y() else DOWN
            raised.move_to(number.get_edge_center(edge), edge)
            bars.region.hold(raised)
        self.starts = [float(raised.get_bottom()[1]) for raised in self.raised]

    def sink(self, share: float) -> None:
        """Let an e with its exponent come down to the foot, and a bar that stands under it."""
        zero, half = self.bars.place_of(0.0), THICKNESS * self.bars.pitch / 2
        for raised, start, shape in zip(self.raised, self.starts, self.bars.shapes, strict=True):
            low = (1 - share) * start + share * (self.foot + theme.HAIR)
            raised.shift((low - raised.get_bottom()[1]) * UP)
            if start > zero:
                x, high = shape.get_x(), max(zero, low - theme.HAIR)
                set_slab(shape, (x - half, zero, x + half, high))

    def grow(self, start: int, end: int, run_time: float = theme.SLOW) -> Verb:
        """Raise those from one place of the order to another."""
        return Vary(self.reach, start, end, run_time=run_time, rate_func=linear)

    def reach(self, steps: float) -> None:
        """Show so many of them, and the next one on its way: a bar grows as its power would."""
        room, half = self.top - self.foot, THICKNESS * self.bars.pitch / 2
        largest = self.values[self.order[-1]].number
        for rank, place in enumerate(self.order):
            x, way = self.bars.shapes[place].get_x(), float(np.clip(steps - rank, 0.0, 1.0))
            high = self.foot + float(smooth(way)) * self.values[place].number / largest * room
            set_slab(self.shapes[place], (x - half, self.foot, x + half, high))
            set_presence(self.shapes[place], float(steps > rank))
            texts = (self.raised[place], 1 - 2 * way), (self.numerals[place], 2 * way - 1)
            for text, is_there in texts:
                text.move_to((x, high + theme.HAIR, 0), DOWN)
                self.bars.region.hold(text)
                for part in parts_of(text):
                    set_presence(part, max(is_there, 0.0))

    def _raised(self, value: Value, style: NumberFormat, base: VMobject) -> VGroup:
        """Return an e and a number as its exponent."""
        exponent = Number(value, style.decimals, max(style.size, theme.LEAST_SIZE))
        return VGroup(base, exponent.move_to(base.get_corner(UP + RIGHT), DOWN + LEFT))

    def _numeral(self, place: int) -> Words:
        """Return a power in figures, as wide as leaves those beside it free."""
        sizes, own = [value.number for value in self.values], self.values[place]
        beside = [*sizes[max(place - 1, 0) : place], *sizes[place + 1 : place + 2]]
        is_alone = all(size < own.number / 2 for size in beside) and own.number == max(sizes)
        room = (2 if is_alone else 1) * self.bars.pitch - theme.HAIR
        full = Words(in_figures(own), own, size=theme.NAMED_SIZE).shrink_to(room)
        short = Words("{:.0e}", own, size=theme.NAMED_SIZE).shrink_to(room)
        return full if full.width <= room + theme.HAIR / 2 else short


def in_figures(value: Value) -> str:
    """Return the format of a positive number of any size: in full, or a power of ten."""
    number = value.number
    if not LEAST_DECIMAL <= number < LARGEST:
        return "{:.1e}"
    return f"{{:,.{max(0, -int(np.floor(np.log10(number))))}f}}"


def told_range(low: Value, high: Value) -> str:
    """Return the format of two shares, with as many decimals as tell them apart, up to `FINEST`."""
    decimals = int(np.clip(needed_decimals([high - low]) - 1, 2, FINEST))
    return f"{{:.{decimals}f}} to {{:.{decimals}f}}"


def bracket(x: float, depth: float, low: float, high: float) -> VMobject:
    """Return a square bracket at x; it opens to the right, with a negative depth to the left."""
    made = VMobject(stroke_color=theme.color(theme.ACCENT), stroke_width=theme.BOLD_LINE)
    corners = [(x + depth, high, 0), (x, high, 0), (x, low, 0), (x + depth, low, 0)]
    return made.set_points_as_corners(np.array(corners))


def _softmax(numbers: Floats) -> Floats:
    """Return the softmax of numbers on their way: nothing that a numeral at rest shows."""
    raised = np.exp(numbers - numbers.max())
    return np.asarray(raised / raised.sum())
