"""The film of scaling and softmax: how numbers of any size become shares of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import architecture, theme
from scenes.analysis.scaling import BY_ROOT
from scenes.analysis.softmax import softmax, standard_deviation
from scenes.film import Film, Shown, beat
from scenes.mobjects.plot import REACH, Histogram, Walks
from scenes.mobjects.softmax_row import SoftmaxRow, columns_of
from scenes.mobjects.text import Formula, Number, Words
from scenes.provenance import Tensor, Value, entry_count, root, total
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    GAP,
    HAIR,
    INK,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    STRONGEST_FILL,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    TurnInto,
    Vary,
    Verb,
)

Floats = NDArray[np.float64]

RANDOM = ("q", "k", "dots")
LENGTHS = (4, 16, 64, 256)  # entries of the random vectors
WALKS = 90  # of random products, drawn
STUCK = 0.95  # a share from which a nudge hardly moves anything
FORMULA_SIZE = TITLE_SIZE
SIDES = 0.2  # of a line's width, either side of its histogram
SLIGHT = 1.02  # times as large: a column that swells so touches nothing
BELL = 0.6  # of its height: there a bell is as wide as twice its spread
WANDERING = 0.62  # of the stage's height, for walks; the rest is for how often they end where


class ScaleThenSoftmax(Film):
    """Dot products are divided by a root, so that the shares that softmax makes can still move.

    The last token is followed: it may look at every token of the prompt.
    """

    title = "Scale, then softmax"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 80
    poster_beat = "the-nudge-is-felt"

    def observe(self) -> None:
        """Find what the last token gives most to, before and after scaling."""
        self.asker, where = len(self.tokens) - 1, (self.layer, self.head)
        self.products = self.tensor("dot_products")[where][self.asker]
        self.query = self.tensor("q")[where][self.asker]
        self.scaling = architecture.scaling(self.traits, self.layer)
        by = self.scaling if self.scaling.divides else BY_ROOT
        self.divisor = by.divisor(self.query)
        self.scores = by.divided(self.products, self.query)
        if self.scaling.divides:
            self.scores = self.tensor("scores")[where][self.asker]
        self.before, self.after = softmax(self.products), softmax(self.scores)
        order = np.argsort(-self.products.double, kind="stable").tolist()
        self.top, self.second = order[0], order[min(1, self.asker)]
        self.tosses = len(self.query) if len(self.query) in LENGTHS else 16

    def circumstances(self) -> Mapping[str, bool]:
        """Add how sure the row is before and after scaling, and what the model divides by."""
        before, after = (float(row.array[self.top]) for row in (self.before, self.after))
        return {
            **super().circumstances(),
            "undivided": not self.scaling.divides,
            "by_layer": self.scaling.by_layer,
            "never_stuck": before < STUCK,
            "still_stuck": after >= STUCK,
        }

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt and say what its row shows."""
        return {
            "asker": self.name_of(self.asker),
            "top": self.name_to(self.asker, self.top),
            "entries": str(len(self.query)),
            "tosses": str(self.tosses),
            "stray": f"{self.tosses**0.5:.0f}",
            "divisor": f"{self.divisor.number:.3g}",
            "unscaled": percent(self.before[self.top].value),
            "scaled": percent(self.after[self.top].value),
        }

    @beat(
        "The word {asker} looks at every word: | {top} fits best. "
        "| How should it share out its attention? | Shares can't be negative, "
        "| and they add up to one.",
        alone="The word {asker} sees only one word: | itself. | How should it share out its "
        "attention? | Shares can't be negative, | and they add up to one.",
    )
    def how_to_share(self) -> Shown:
        row = self.row
        yield Appear(*row.bars.names), Draw(row.bars.zero), row.rise(self.products)
        yield Pulse(row.bar(self.top), run_time=STEADY), Appear(self.asks)
        yield Draw(row.stack.whole, run_time=SLOW)
        yield Flow(map(Pulse, row.below_zero()))
        yield Appear(self.sum), Pulse(row.stack.whole, scale=SLIGHT, run_time=STEADY)

    @beat(
        "Softmax takes two steps. | Raise e to each number: all are positive now, "
        "| and the largest runs away. | Divide by the sum, | and the shares fill one whole."
    )
    def two_steps(self) -> Shown:
        row = self.row
        yield exchange(self.asks, self.softens), Disappear(self.sum)
        yield Disappear(*row.bars.numbers), row.exponentiate(self.products)
        yield Flow(map(Appear, self.raised)), Pulse(*row.bars.names, run_time=STEADY)
        yield (
            Disappear(*self.raised, row.bars.zero),
            Flow(map(TurnInto, row.bars.shapes, row.stack.shapes)),
        )
        yield Appear(*row.labels()), Pulse(row.whole(), scale=SLIGHT, run_time=STEADY)

    @beat(
        "But {top} takes {unscaled}, | and the model can't learn: | nudge that number up and down, "
        "| and the shares stand still.",
        alone="A single word takes everything, | and that can't change: "
        "| nudge its number up and down, | and the share stands still.",
        never_stuck="Here {top} takes {unscaled}. | Rows of larger numbers get stuck; "
        "| nudge this one up and down, | and the shares follow.",
    )
    def a_nudge_is_lost(self) -> Shown:
        row = self.row
        yield row.rise(self.products), Draw(row.bars.zero), Pulse(*row.stack.labels(self.top))
        yield Dim(*row.others(self.top)), Pulse(row.bar(self.top), run_time=STEADY)
        yield row.nudge(self.products, self.top)
        yield row.nudge(self.products, self.top)

    @beat(
        "Why is it so large? | It adds up {entries} products, | and these two vectors agree. "
        "| By chance, plus and minus partly cancel, | like {tosses} coin tosses: "
        "| sums stray by about {stray}."
    )
    def like_coin_tosses(self) -> Shown:
        sums, (bar, number) = self.sums, self.row.bar(self.top)
        rest = [part for part in self.row.get_family() if part not in (bar, number)]
        yield (
            Disappear(*rest),
            Appear(sums.ground),
            TurnInto(bar, sums.bar, run_time=SLOW),
            TurnInto(number, sums.end, run_time=SLOW),
        )
        yield sums.wander(sums.walk, len(self.query))
        yield Then(Pulse(sums.end), Pulse(sums.bar, scale=1.05, run_time=STEADY))
        yield sums.wander(sums.fan, self.tosses)
        yield Appear(sums.often, run_time=HAIR), Vary(sums.often.pile, 0, 1)
        yield Then(Draw(sums.aside), Appear(sums.strays), Pulse(sums.strays))

    @beat(
        "With more entries they stray farther, | by the square root of their number. "
        "| Divide by that root, | and every spread is one."
    )
    def divide_by_the_root(self) -> Shown:
        lines, own = self.lines, self.own_line
        others = Flow(Appear(each.entries, each.silhouette) for each in lines if each is not own)
        yield (
            Disappear(*(part for part in self.sums if part is not self.sums.often)),
            TurnInto(self.sums.often, own.silhouette),
            Then(Hold(STEADY), Together(Appear(*self.heads[:2], own.entries), others)),
            Then(Hold(2 * STEADY), Flow(Appear(each.measured) for each in lines)),
        )
        yield Appear(self.heads[2]), Flow(Appear(each.root) for each in lines)
        yield Flow(Pulse(each.root) for each in lines), Flow(each.divide() for each in lines)
        yield Flow(Pulse(each.measured) for each in lines)

    @beat(
        "So divide by {divisor}, | and watch the shares. "
        "| Now {top} gets {scaled}, | and others have a say.",
        alone="So divide by {divisor}, | and watch the share. "
        "| A single word | still takes everything.",
        undivided="This model doesn't divide. If it did, | by {divisor}, watch the shares: "
        "| then {top} would get {scaled}, | and others the rest.",
        by_layer="Here the divisor counts in the layer: | divide by {divisor}. "
        "| Now {top} gets {scaled}, | and others the rest.",
        still_stuck="So divide by {divisor}, | and watch the shares. "
        "| Still {top} gets {scaled}: | this row is very sure.",
    )
    def divided(self) -> Shown:
        row, own = self.row, self.own_line
        rest = [part for line in self.lines for part in line if part is not own.root]
        yield (
            Then(Disappear(*rest, self.heads), row.come_back()),
            Then(TurnInto(own.root, self.by[1]), Appear(self.by[0])),
            exchange(self.softens, self.scales),
        )
        yield row.divide(self.products, self.scores, self.divisor.number)
        yield Pulse(row.bar(self.top), *row.stack.labels(self.top), run_time=STEADY)
        yield Flow(map(Pulse, row.stack_without(self.top)))

    @beat(
        "Now the same nudge | moves the shares, | and what moves can be learned.",
        alone="One share can't move, | whatever the nudge. | In a longer text, shares do.",
    )
    def the_nudge_is_felt(self) -> Shown:
        yield Dim(*self.row.others(self.top)), Pulse(self.row.bar(self.top), run_time=STEADY)
        yield self.row.nudge(self.scores, self.top)
        yield self.row.nudge(self.scores, self.top)

    @beat(
        "Every word does this | with itself and the words before it. "
        "| Each column is one whole: | the attention pattern."
    )
    def every_word(self) -> Shown:
        row, columns = self.row, self.columns
        yield (
            Disappear(row.bars, row.stack.whole, *row.labels(), self.by),
            Then(Hold(), Flow(map(Appear, self.names))),
            Together(map(TurnInto, row.stack.shapes, columns[-1].shapes)),
        )
        yield (
            Flow((Appear(*each.shapes) for each in columns[:-1]), gathering=True),
            Pulse(self.scales, run_time=STEADY),
        )
        yield Flow(Pulse(*each.shapes, scale=SLIGHT, run_time=STEADY) for each in columns)
        yield Flow(map(Appear, self.favourites)), Pulse(self.scales, run_time=STEADY)

    def cast(self) -> None:
        """Make the row and its shares, the formula, the walks, the spreads, and all columns."""
        stage, (layer, head) = self.under_title, (self.layer, self.head)
        self.asks, self.softens, self.scales = formulas(self.scaling.markup, self.stage)
        self.row = SoftmaxRow(self.products, self.before, self.tokens, stage)
        self.sum = Words("sum {:.1f}", total(self.products), size=SPOKEN_SIZE)
        at = self.row.bars.zero.get_right()[0], self.asks.get_y(), 0
        self.sum.move_to(at, RIGHT)
        self.raised = self.row.raised(self.products, (self.top, self.second))
        trained = self.query.double * self.tensor("k")[layer, head, self.top].double
        q, k, dots = (self.tensor(f"random_vectors.{of}_{self.tosses}") for of in RANDOM)
        ends = self.products[self.top].value, standard_deviation(dots)
        self.sums = Wandering(trained, (q.double * k.double)[:WALKS], dots.double, ends, stage)
        samples = [[self.tensor(f"random_vectors.{of}_{n}") for of in RANDOM] for n in LENGTHS]
        self.lines, self.heads = spread_lines([(q[0], dots) for q, _, dots in samples], stage)
        self.own_line = self.lines[LENGTHS.index(self.tosses)]
        equals = Formula(f"${self.scaling.markup or BY_ROOT.markup} =$", FORMULA_SIZE)
        self.by = VGroup(equals, Words("{:.3g}", self.divisor, size=FORMULA_SIZE))
        self.by.arrange(RIGHT, buff=GAP).move_to((stage.right, self.stage.top, 0), UP + RIGHT)
        pattern = self.tensor("pattern")[layer, head]
        self.columns, self.names, self.favourites = columns_of(pattern, self.tokens, stage)
        self.stand(self.row, *self.raised, self.asks, self.softens, self.scales, self.sum)
        self.stand(self.sums, self.heads, *self.lines, self.by)
        self.stand(*self.columns, self.names, *self.favourites)


class Wandering(VGroup):
    """Sums of products on their way: of two vectors trained to agree, and of many by chance.

    `ends` are the trained vectors' dot product and the spread of those by chance.
    """

    def __init__(
        self, trained: Floats, chance: Floats, dots: Floats, ends: Sequence[Value], region: Region
    ) -> None:
        farthest = max(abs(trained.cumsum()).max(), abs(chance.cumsum(axis=1)).max())
        unit, middle, top = region.width / 2 / (1.2 * farthest), float(region.center[0]), region.top
        fall, high = WANDERING * region.height, (1 - WANDERING) * region.height - 3 * GAP
        self.walk = Walks(trained[None], (middle, top), unit, fall / trained.size)
        self.fan = Walks(chance, (middle, top), unit, fall / chance.shape[1], role=INK)
        self.often = Histogram(dots, (middle, region.bottom), unit, high)
        self.ground = VGroup(
            Line((region.left, region.bottom, 0), (region.right, region.bottom, 0)),
            Line((middle, top, 0), (middle, region.bottom, 0)),
        ).set_stroke(theme.color(QUIET), THIN_LINE)
        sign, role = (-1, NEGATIVE) if ends[0].number < 0 else (1, POSITIVE)
        self.bar = Rectangle(width=max(abs(ends[0].number) * unit, HAIR), height=GAP)
        self.bar.set_stroke(width=0).set_fill(theme.color(role), STRONGEST_FILL)
        self.bar.next_to((middle, top - fall - GAP / 2, 0), sign * RIGHT, buff=0)
        self.end = Number(ends[0], 2, SPOKEN_SIZE).next_to(self.bar, DOWN, buff=HAIR)
        near = HAIR + self.end.width / 2  # the line of zero is not crossed
        self.end.set_x(middle + sign * max(near, abs(float(self.walk.tip()[0]) - middle)))
        region.hold(self.end)
        self.strays = Words("spread {:.1f}", ends[1], size=SPOKEN_SIZE)
        height, half = region.bottom + BELL * high, ends[1].number * unit
        self.aside = Line((middle + half, height, 0), (middle - half, height, 0))
        self.aside.set_stroke(theme.color(INK), BOLD_LINE)
        left = max(middle - half - 2 * GAP, region.left + self.strays.width)
        self.strays.move_to((left, height, 0), RIGHT)
        super().__init__(self.ground, self.fan, self.bar, self.walk, self.often, self.aside)
        self.add(self.end, self.strays)

    def wander(self, walks: Walks, steps: int) -> Verb:
        """Let walks go all their steps."""
        return Together(
            Appear(walks, run_time=HAIR), Vary(walks.reach, 0, steps, run_time=2 * SLOW)
        )


class SpreadLine(VGroup):
    """How many entries vectors have, how their dot products spread, and by how much."""

    def __init__(self, vector: Tensor, dots: Tensor, region: Region, unit: float) -> None:
        count = entry_count(vector)
        self.by, width = root(count), region.width
        measured, low = standard_deviation(dots), region.bottom + HAIR
        self.silhouette = Histogram(
            dots.double, (float(region.center[0]), low), unit, region.height - GAP
        )
        waist = low + region.height / 3
        self.entries = Number(count, 0, SPOKEN_SIZE)
        self.entries.move_to((region.left + SIDES * width / 2, waist, 0), RIGHT)
        self.measured = Number(measured, 1, SPOKEN_SIZE)
        self.measured.move_to((region.right - SIDES * width / 2, waist, 0), RIGHT)
        self.root = Number(self.by, 0, SPOKEN_SIZE)
        self.root.move_to((region.right, waist, 0), RIGHT)
        super().__init__(self.entries, self.silhouette, self.measured, self.root)

    def divide(self) -> Verb:
        """Divide the dot products by the root of the number of entries."""
        end = self.measured.value / self.by
        return Together(
            Vary(self.silhouette.divide, 1.0, self.by.number, run_time=SLOW),
            Count(self.measured, end, run_time=SLOW),
        )


def spread_lines(
    samples: Sequence[tuple[Tensor, Tensor]], region: Region
) -> tuple[list[SpreadLine], VGroup]:
    """Return a line for each sample of (vector, dot products), and the heads of the columns."""
    head = region.raised(region.height - 2 * GAP)
    rooms = region.lowered(2 * GAP).rows(len(samples))
    widest = max(float(dots.double.std()) for _, dots in samples)
    unit = (0.5 - SIDES) * region.width / (REACH * widest)
    lines = [
        SpreadLine(vector, dots, room, unit)
        for (vector, dots), room in zip(samples, rooms, strict=True)
    ]
    names = [Words(text, size=PLAIN_SIZE, role=QUIET) for text in ("entries", "spread", "root")]
    numbers = lines[0].entries, lines[0].measured, lines[0].root
    for name, number in zip(names, numbers, strict=True):
        name.move_to((number.get_right()[0], head.bottom, 0), RIGHT)
        name.shift(UP * (head.bottom - name.baseline))
        head.hold(name)
    return lines, VGroup(*names)


def formulas(divisor: str, region: Region) -> list[Formula]:
    """Return the dot product, its softmax, and that of it divided, at a region's top.

    What one shares with the one before stands where it stood.
    """
    pair = "query(q) dot key(k)"
    divided = rf"{pair} \/ {divisor}" if divisor else pair
    markups = (pair, f'"softmax"({pair})', f'"softmax"({divided})')
    found = [Formula(f"${markup}$", FORMULA_SIZE) for markup in markups]
    for formula in found:
        formula.move_to((region.left, region.top, 0), LEFT + UP)
    found[1].shift(UP * (found[2][-1].get_y() - found[1][-1].get_y()))
    found[0].shift(found[1][-1].get_center() - found[0][-1].get_center())
    return found


def exchange(old: Formula, new: Formula) -> Verb:
    """Let a formula be longer: what both share stands still."""
    return Then(Appear(new, scale=1.0), Disappear(old))


def percent(share: Value) -> str:
    """Say a share of one."""
    return "over 99.9 percent" if share.number > 0.9995 else f"{100 * share.number:.0f} percent"
