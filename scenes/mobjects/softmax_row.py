"""A row of numbers as bars, and the shares that softmax makes of it: they move together.

row = SoftmaxRow(scores, softmax(scores), tokens, region)
yield row.rise(scores)
yield row.exponentiate(scores)          # the bars become e to the power of their numbers
yield row.nudge(scores, place)          # one number goes up and down, all shares follow
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN
from numpy.typing import NDArray

from scenes.analysis.softmax import exponentials, softmax
from scenes.mobjects.bars import Bars, Remeasure, Span, Stack, span_of
from scenes.mobjects.fit import text_size
from scenes.mobjects.text import Glyphs, TokenText, Words, em_of
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, PLAIN_SIZE, SLOW
from scenes.verbs import Appear, Fade, Together, Verb

Floats: TypeAlias = NDArray[np.float64]

NUDGE = 1.0  # added to a number and taken from it, to see what its share does
UPPER = 0.55  # of an upright region, for the bars
CHART = 0.7  # of the stage, for the bars; the rest is for their shares
THINNEST, WIDEST = 0.9, 1.4  # scene units, of the column of shares
NUMERAL = 3.2  # ems, for a share in numerals
NAME_ROOM = 1.6  # of a bar's room, for its name, before it is set smaller: it may be slanted
CALM = 2.0  # a number of which e to the power is not large yet
LIFTED = 0.5  # of the time of raising e, until all bars are above zero
LARGEST = 1e9  # a number that is written in full


class SoftmaxRow(VGroup):
    """One query's numbers as bars, beside them the shares that softmax makes of them."""

    def __init__(
        self, numbers: Tensor, shares: Tensor, tokens: Sequence[str], region: Region
    ) -> None:
        low, high = span_of([value.number for value in numbers.values])
        others = [TokenText(piece, PLAIN_SIZE) for piece in tokens]
        widest = max(name.width for name in others) + 2 * GAP + NUMERAL * em_of(NAMED_SIZE)
        beside_chart = max(THINNEST + widest, (1 - CHART) * region.width)
        is_upright = region.height > region.width
        chart, beside = region.parts(UPPER if is_upright else 1 - beside_chart / region.width)
        beside = beside.apart(chart, GAP)
        size = text_size(tokens, NAME_ROOM * chart.width / len(tokens))
        names = [TokenText(piece, size) for piece in tokens]
        width = min(WIDEST, beside.width - widest)
        self.bars = Bars(numbers.values, chart, names, span=(low, high + 2 * NUDGE))
        self.stack = Stack(shares.values, beside, others, width=width)
        self.span = self.bars.span
        super().__init__(self.bars, self.stack)

    def bar(self, place: int) -> VGroup:
        """Return a bar with its numeral."""
        return VGroup(self.bars.shapes[place], self.bars.numbers[place])

    def below_zero(self) -> list[VGroup]:
        """Return the bars of the negative numbers."""
        values = enumerate(self.bars.values)
        return [self.bar(place) for place, value in values if value.number < 0]

    def others(self, place: int) -> list[VMobject]:
        """Return the shapes and numerals of all bars but one."""
        bars = (self.bar(other) for other in range(len(self.bars.shapes)) if other != place)
        return [part for bar in bars for part in bar]

    def whole(self) -> VGroup:
        """Return the column of shares with its outline."""
        return VGroup(self.stack.whole, *self.stack.shapes)

    def stack_without(self, place: int) -> list[VGroup]:
        """Return all shares but one, each with its name and numeral."""
        shapes = enumerate(self.stack.shapes)
        return [VGroup(shape, *self.stack.labels(i)) for i, shape in shapes if i != place]

    def labels(self) -> list[Glyphs]:
        """Return the names and numerals of all shares that are high enough for them."""
        places = range(len(self.stack.values))
        return [label for place in places for label in self.stack.labels(place)]

    def rise(self, numbers: Tensor) -> Verb:
        """Let the bars come in, from zero to some numbers."""
        ends = numbers.double
        return Together(
            Fade(*self.bars.shapes, *self.bars.numbers, to=1.0),
            Remeasure(
                self.bars,
                numbers.values,
                path=lambda share: share * ends,
                span=lambda _: self.span,
                run_time=SLOW,
            ),
        )

    def stand_again(self, numbers: Tensor) -> Verb:
        """Let the bars come in at some numbers, where they stood with them."""
        ends = numbers.double
        return Together(
            Fade(*self.bars.shapes, *self.bars.numbers, to=1.0),
            Remeasure(self.bars, numbers.values, path=lambda _: ends, span=lambda _: self.span),
        )

    def come_back(self) -> Verb:
        """Let the bars and their shares be seen again, where they stood."""
        return Appear(self.bars, self.stack.whole, *self.stack.shapes, *self.labels(), scale=1.0)

    def exponentiate(self, numbers: Tensor) -> Verb:
        """Let the bars be e to the power of their numbers; first all rise above zero."""
        ends, start = numbers.double, self.span
        calm = CALM / max(float(np.abs(ends).max()), CALM)

        def path(share: float) -> Floats:
            lift, grown = min(share / LIFTED, 1.0), max(share - LIFTED, 0.0) / (1 - LIFTED)
            raised = np.exp((calm + grown * (1 - calm)) * ends)
            return np.asarray((1 - lift) * ends + lift * raised)

        def span(share: float) -> Span:
            lift, (low, high) = min(share / LIFTED, 1.0), span_of(path(share).tolist())
            return (1 - lift) * start[0] + lift * low, (1 - lift) * start[1] + lift * high

        values = exponentials(numbers).values
        return Remeasure(self.bars, values, path=path, span=span, run_time=2 * SLOW)

    def divide(self, numbers: Tensor, scores: Tensor, by: float) -> Verb:
        """Let the numbers shrink to scores, and the shares follow them at every moment."""
        ends = numbers.double
        return self._follow(scores, lambda share: ends / (1 + share * (by - 1)), 2 * SLOW)

    def nudge(self, numbers: Tensor, place: int) -> Verb:
        """Move one number up and down and back; the shares follow at every moment."""
        ends, only = numbers.double, NUDGE * np.eye(len(numbers))[place]
        return self._follow(numbers, lambda share: ends + np.sin(2 * np.pi * share) * only, SLOW)

    def _follow(self, end: Tensor, path: Callable[[float], Floats], run_time: float) -> Verb:
        shares = softmax(end).values
        return Together(
            Remeasure(self.bars, end.values, path=path, run_time=run_time),
            Remeasure(
                self.stack, shares, path=lambda share: _softmax(path(share)), run_time=run_time
            ),
        )

    def raised(self, numbers: Tensor, places: Iterable[int]) -> list[Words]:
        """Return e to the power of some numbers, above their bars, as far as there is room."""
        values, found = exponentials(numbers).values, list[Words]()
        self.bars.span = span_of([value.number for value in values])
        for place in places:
            text = "{:,.0f}" if values[place].number < LARGEST else "{:.1e}"
            shown = Words(text, values[place], size=NAMED_SIZE)
            end = self.bars.place_of(values[place].number) + HAIR
            shown.move_to((self.bars.shapes[place].get_center()[0], end, 0), DOWN)
            self.bars.region.hold(shown)
            apart = [abs(float(each.get_x() - shown.get_x())) for each in found]
            if all(by > shown.width + GAP for by in apart):
                found.append(shown)
        self.bars.span = self.span
        return found


def _softmax(numbers: Floats) -> Floats:
    """Return the softmax of numbers on their way: nothing that a numeral at rest shows."""
    raised = np.exp(numbers - numbers.max())
    return np.asarray(raised / raised.sum())
