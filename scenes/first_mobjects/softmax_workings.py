"""Softmax of one row worked out: exponentiate, add up, divide. It knows no model and no film."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manim import Animation, Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.analysis.scaling import BY_ROOT
from scenes.analysis.softmax import below_largest, exponentials, softmax
from scenes.animations import Exchange, Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly, bring_forward, put_back
from scenes.first_mobjects.bar import Bar
from scenes.first_mobjects.labels import AxisLabels, size_for
from scenes.first_mobjects.row_line import NAME_ROOM, Columns, RowLine
from scenes.mobjects.text import Formula, Words
from scenes.presence import hide
from scenes.provenance import Tensor, total
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, KEY, LABEL_SIZE, QUERY, QUIET, SLOW, SMALL_SIZE

LINE = 0.66  # height of a line of numbers, in scene units
NAME_LINE = 0.4  # more where its name stands above
BAR_SHARE = 0.5  # thickness of a bar, as a share of its column
WIDEST_BAR = 0.5  # scene units


class SoftmaxWorkings(VGroup):
    """The row of query `query`: dot products and scores, shape (keys,), and what softmax makes.

    `divisor` is Typst for what makes scores of dot products, empty if nothing does.

    Under the names of the keys stand the numbers that go in, then room for their exponentials,
    which is the region `between`, then the weights as bars over their numbers; without the bars
    the region `middle` is free. Each line ends with its sum.
    All parts are unseen until they are revealed.
    """

    def __init__(
        self,
        dots: Tensor,
        scores: Tensor,
        pieces: Sequence[str],
        query: int,
        region: Region,
        *,
        divisor: str = BY_ROOT.markup,
    ) -> None:
        self.dots, self.scores = dots, scores
        self.columns = Columns.within(region, len(dots))
        line = LINE + (NAME_LINE if region.is_narrow else 0)
        self.keys = self._keys(pieces, region.top)
        top = float(self.keys.get_bottom()[1]) - HAIR
        symbol = f"{QUERY.value}(q_{query + 1}) dot {KEY.value}(k)"
        self.given = self._given(symbol).shift(UP * (top - line + LINE / 2))
        over = f" \\/ {divisor}" if divisor else ""
        self.scaled_title = Formula(f"$s = {symbol}{over}$", BODY_SIZE)
        self.scaled_title.scale(min(1.0, (NAME_ROOM - HAIR) / self.scaled_title.width))
        self.scaled_title.move_to(self.given.title).align_to(self.given.title, LEFT)
        self.raised = self._raised().shift(UP * (top - 2 * line + LINE / 2))
        self.weights = self._weights(softmax(dots))
        self.weights.shift(UP * (region.bottom + LINE / 2))
        self.base = float(self.weights.get_top()[1]) + HAIR
        self.between = replace(region, top=top - line, bottom=top - 2 * line - HAIR)
        self.middle = replace(region, top=top - line, bottom=self.base)
        self.tallest = self.between.bottom - GAP - self.base
        self.bars = VGroup(*(self._bar(key) for key in range(len(dots))))
        self.head = Words("sum", size=SMALL_SIZE, role=QUIET)
        self.head.move_to((self.given.total.get_x(), self.keys.get_bottom()[1], 0), DOWN)
        lines = self.given, self.raised, self.weights
        super().__init__(self.keys, self.head, *lines, self.bars)
        hide(self)

    def reveal_given(self, sources: Sequence[Mobject]) -> Animation:
        """Let the keys come in, and each dot product from a source."""
        return Together([Appear(self.keys), self.given.fly_in(sources)])

    def add_up_given(self) -> Animation:
        """Let the sum of the dot products come in and run through them."""
        return Together([Appear(self.head), self.given.add_up()])

    def reveal_weights(self) -> Animation:
        """Let each weight come from the number above it, with its bar, and their sum."""
        return self._weigh(self.given.numbers)

    def step_back(self) -> Animation:
        """Let what stands before the exponentials recede; the bars go."""
        return Together([put_back((*self._given_parts(), self.weights)), Fade(self.bars, 0.0)])

    def come_back(self) -> Animation:
        """Let it come back, after it had receded or gone."""
        return bring_forward((*self._given_parts(), self.weights, self.bars))

    def divide_given(self) -> Animation:
        """Let the dot products run to the scores."""
        title = Exchange(self.given, self.given.title, self.scaled_title)
        self.given.title = self.scaled_title
        return Together([title, self.given.count_to(self.scores.values, total(self.scores))])

    def reweigh(self) -> Animation:
        """Let bars and weights run to what softmax makes of the scores."""
        weights = softmax(self.scores)
        lengths = [self.tallest * weight.number for weight in weights.values]
        growing = [bar.grow_to(end) for bar, end in zip(self.bars, lengths, strict=True)]
        return Together([*growing, self.weights.count_to(weights.values, total(weights))])

    def clear_weights(self) -> Animation:
        """Let the weights go, to be worked out step by step; the scores are in play."""
        return Together([Fade(self.weights, 0.0), bring_forward(self._given_parts())])

    def exponentiate(self) -> Animation:
        """Let each exponential come from its score."""
        return self.raised.fly_in(self.given.numbers)

    def add_up_exponentials(self) -> Animation:
        """Let their sum come in and run through them."""
        return self.raised.add_up()

    def share_out(self) -> Animation:
        """Let each weight come from its exponential, divided by the sum, with its bar."""
        return self._weigh(self.raised.numbers)

    def _given_parts(self) -> tuple[VMobject, ...]:
        return self.keys, self.head, self.given

    def _weigh(self, sources: Sequence[Mobject]) -> Animation:
        flights = one_after_another(map(Fly, self.weights.numbers, sources), SLOW)
        rising = Together([self.weights.add_up(), *(bar.rise() for bar in self.bars)])
        return Together([Appear(self.weights.title), Together([flights, rising], 1.0)])

    def _keys(self, pieces: Sequence[str], top: float) -> AxisLabels:
        size = size_for(pieces, self.columns.pitch - 2 * HAIR, BODY_SIZE)
        keys = AxisLabels(pieces, "k", KEY, size).above_columns(self.columns.pitch)
        keys.shift(RIGHT * self.columns.first)
        return keys.shift(UP * (top - keys.get_top()[1]))

    def _given(self, symbol: str) -> RowLine:
        both = [*self.dots.values, *self.scores.values]
        decimals = self.columns.decimals(both, 1) or 0
        size = self.columns.size(both, decimals)
        title = Formula(f"${symbol}$", BODY_SIZE)
        values, end = self.dots.values, total(self.dots)
        return RowLine(title, values, end, self.columns, decimals=decimals, size=size)

    def _raised(self) -> RowLine:
        """Return the exponentials; where they are too large to be written, of lowered scores.

        Taking the largest score away from all of them changes no weight.
        """
        raised, markup = exponentials(self.scores), "$e^s$"
        decimals = self.columns.decimals(raised.values, 2)
        if decimals is None:
            raised, markup = exponentials(below_largest(self.scores)), "$e^(s - max s)$"
            decimals = self.columns.decimals(raised.values, 2) or 0
        size = self.columns.size(raised.values, decimals)
        title, values = Formula(markup, BODY_SIZE), raised.values
        return RowLine(title, values, total(raised), self.columns, decimals=decimals, size=size)

    def _weights(self, weights: Tensor) -> RowLine:
        size = self.columns.size(weights.values, 2)
        title = Words("weight", size=LABEL_SIZE)
        return RowLine(title, weights.values, total(weights), self.columns, decimals=2, size=size)

    def _bar(self, key: int) -> Bar:
        thickness = min(WIDEST_BAR, BAR_SHARE * self.columns.pitch)
        length = self.tallest * self.weights.values[key].number
        return Bar(length, thickness, UP).move_to((self.columns.x(key), self.base, 0), DOWN)
