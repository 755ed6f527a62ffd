"""The film of scaling and softmax: how numbers of any size become shares of one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.scaling import BY_ROOT, Scaling
from scenes.analysis.softmax import exponentials, softmax, standard_deviation
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.marks import Ring
from scenes.mobjects.plot import REACH, Histogram, Walks
from scenes.mobjects.softmax_row import LARGEST, NUDGE, SoftmaxRow
from scenes.mobjects.text import Formula, Number, Words
from scenes.provenance import Tensor, Value, entry_count, root, total
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    INK,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
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
    ComeFrom,
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

HEADS = "entries", "spread", "root"
LENGTHS = (4, 16, 64, 256)  # entries of the random vectors
WALKS = 90  # of random products, drawn
STUCK = 0.95  # a share from which a nudge hardly moves anything
SIDES = 0.2  # of a line's width, either side of its histogram
SLIGHT = 1.02  # times as large: a column that swells so touches nothing
BELL = 0.6  # of its height: there a bell is as wide as twice its spread
WHOLES = 1.0  # scene units beside the pattern, for the sums of its rows
WANDERING = 0.62  # of the stage's height, for walks; the rest is for how often they end where


class ScaleThenSoftmax(Film):
    """Dot products are divided by a root, so that the shares that softmax makes can still move.

    The last token is followed: it may look at every token of the prompt.
    """

    title = "Scale, then softmax"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 76
    poster_beat = "the-nudge-is-felt"

    def observe(self) -> None:
        """Find what the last token gives most to, before and after scaling."""
        self.asker, where = len(self.tokens) - 1, (self.layer, self.head)
        self.products = self.tensor("dot_products")[where][self.asker]
        self.query = self.tensor("q")[where][self.asker]
        self.scaling = Scaling.of(self.traits, self.layer)
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

    def random_vectors(self, length: int) -> list[Tensor]:
        """Return random queries and keys, (pairs, length) each, and their dot products."""
        return [self.tensor(f"random_vectors.{name}_{length}") for name in ("q", "k", "dots")]

    @beat(
        "How should {asker} share out its attention? | {top} fits best, "
        "| but shares can't be negative, | and they add up to one.",
        alone="How should {asker} share out its attention? | It sees only itself, "
        "| but shares can't be negative, | and they add up to one.",
    )
    def how_to_share(self) -> Shown:
        row = self.row
        yield Appear(*row.bars.names), Draw(row.bars.zero), row.rise(self.products)
        yield Pulse(row.bar(self.top), run_time=STEADY), Appear(self.asks)
        yield Flow(map(Pulse, row.below_zero()))
        yield Appear(self.sum), Draw(row.stack.whole)

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
            Then(Appear(self.large), Disappear(*self.raised, row.bars.zero)),
            Then(Hold(QUICK), Flow(map(TurnInto, row.bars.shapes, row.stack.shapes))),
        )
        filled = Pulse(row.whole(), scale=SLIGHT, run_time=STEADY)
        yield Disappear(self.large), Appear(*row.labels()), filled

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
        yield (
            row.stand_again(self.products),
            Draw(row.bars.zero),
            Pulse(*row.stack.labels(self.top)),
        )
        yield Dim(*row.others(self.top)), Pulse(row.bar(self.top), run_time=STEADY)
        yield row.nudge(self.products, self.top)
        yield row.nudge(self.products, self.top), Draw(self.swings[0])

    @beat(
        "Why is it so large? | It adds up {entries} products, | and these two vectors agree. "
        "| By chance, plus and minus partly cancel, | like {tosses} coin tosses: "
        "| sums stray by about {stray}."
    )
    def like_coin_tosses(self) -> Shown:
        sums, own = self.sums, self.row.bar(self.top)
        rest = [part for part in self.row.get_family() if part not in (*own,)]
        turning = map(TurnInto, own, (sums.bar, sums.end))
        yield Disappear(*rest, self.swings[0]), Appear(sums.ground), Together(turning)
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
        lines, own, heads = self.spreads.lines, self.spreads.own, self.spreads.heads
        gone = Disappear(*(part for part in self.sums if part is not self.sums.often))
        others = Flow(Appear(each.entries, each.silhouette) for each in lines if each is not own)
        named = Together(Appear(*heads[:2], own.entries), others)
        measured = Flow(Appear(each.measured) for each in lines)
        yield gone, Then(TurnInto(self.sums.often, own.silhouette), named, measured)
        yield Appear(heads[2]), Flow(Appear(each.root) for each in lines)
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
        row, root = self.row, self.spreads.own.root
        rest = [part for part in self.spreads.get_family() if part is not root]
        found = Then(TurnInto(root, self.by[1]), Appear(self.by[0]))
        come = Then(Hold(), row.come_back())
        yield Disappear(*rest), come, found, exchange(self.softens, self.scales)
        yield row.divide(self.products, self.scores, self.divisor.number)
        yield Pulse(row.bar(self.top), *row.stack.labels(self.top), run_time=STEADY)
        yield Flow(map(Pulse, row.stack_without(self.top)))

    @beat(
        "Now the same nudge | moves the shares, | and what moves can be learned.",
        alone="One share can't move, | whatever the nudge. | In a longer text, shares do.",
    )
    def the_nudge_is_felt(self) -> Shown:
        yield Dim(*self.row.others(self.top)), Pulse(self.row.bar(self.top), run_time=STEADY)
        yield self.row.nudge(self.scores, self.top), Draw(self.swings[1])
        yield self.row.nudge(self.scores, self.top), Pulse(self.swings[1], run_time=STEADY)

    @beat(
        "Every word does this | with itself and the words before it. "
        "| Each row is one whole: | the attention pattern."
    )
    def every_word(self) -> Shown:
        row, board, own = self.row, self.board, self.asker
        gone = Disappear(*row.bars.shapes, *row.bars.numbers, row.bars.zero, self.by)
        besides = Disappear(row.stack.whole, *row.labels(), self.swings[1])
        named = Flow(map(TurnInto, row.bars.names, board.keys), QUICK)
        pairs = zip(self.weights.row(own), row.stack.shapes, strict=True)
        shares = Flow(
            (Together(ComeFrom(dot, at, fit=False), Disappear(at)) for dot, at in pairs), QUICK
        )
        grid = Appear(board.faces, *board.queries, run_time=STEADY, scale=1.0)
        yield gone, besides, named, Then(Hold(QUICK), Together(shares, grid))
        before = reversed(range(own))
        rest = Flow((Appear(self.weights.past(each), scale=1.0) for each in before), SLOW)
        hatched = Then(Hold(STEADY), Appear(self.hatching, scale=1.0))
        yield rest, hatched, Pulse(self.scales, run_time=STEADY)
        yield Flow((Appear(each) for each in reversed(self.wholes)), STEADY)
        yield Appear(self.ring), Pulse(board.queries[own], self.wholes[own])

    def cast(self) -> None:
        """Make the row and its shares, the formula, the walks, the spreads, and all columns."""
        stage = self.under_title
        self.asks, self.softens, self.scales = formulas(self.scaling.markup, self.stage)
        self.row = SoftmaxRow(self.products, self.before, self.tokens, stage)
        both = self.products, self.scores
        self.swings = [swing(self.row, each, self.top, self.stage.left) for each in both]
        self.sum = Words("sum {:.1f}", total(self.products), size=SPOKEN_SIZE)
        large = total(exponentials(self.products))
        written = "sum {:,.0f}" if large.number < LARGEST else "sum {:.1e}"
        self.large = Words(written, large, size=SPOKEN_SIZE)
        beside = self.softens.get_right()[0] + GAP + max(self.sum.width, self.large.width)
        end = max(self.row.bars.zero.get_right()[0], min(beside, stage.right))
        for each in (self.sum, self.large):
            each.move_to((end, self.asks.get_y(), 0), RIGHT)
        self.raised = self.row.raised(self.products, (self.top, self.second))
        self.sums, self.spreads = Wandering(self, stage), Spreads(self, stage)
        equals = Formula(f"${self.scaling.markup or BY_ROOT.markup} =$", TITLE_SIZE)
        self.by = VGroup(equals, Words("{:.3g}", self.divisor, size=TITLE_SIZE))
        self.by.arrange(RIGHT, buff=GAP).move_to((stage.right, self.stage.top, 0), UP + RIGHT)
        pattern = self.tensor("pattern")[self.layer, self.head]
        self.board = AttentionGrid(self.tokens, stage, beside=WHOLES)
        self.weights, self.hatching = self.board.weights(pattern), self.board.hatching()
        self.wholes = self.board.sums([total(each) for each in pattern])
        self.ring = Ring(self.board.row(self.asker))
        formula = self.asks, self.softens, self.scales
        self.stand(
            self.row, *self.raised, *formula, self.sum, self.large, self.sums, self.spreads, self.by
        )
        self.stand(*self.swings, self.board, self.hatching, self.weights, *self.wholes, self.ring)


class Wandering(VGroup):
    """Sums of products on their way: of two vectors trained to agree, and of many by chance."""

    def __init__(self, film: ScaleThenSoftmax, region: Region) -> None:
        keys, product = film.tensor("k")[film.layer, film.head], film.products[film.top].value
        trained = film.query.double * keys[film.top].double
        q, k, dots = film.random_vectors(film.tosses)
        chance, spread = (q.double * k.double)[:WALKS], standard_deviation(dots)
        farthest = max(abs(trained.cumsum()).max(), abs(chance.cumsum(axis=1)).max())
        unit, middle, top = region.width / 2 / (1.2 * farthest), float(region.center[0]), region.top
        fall, high = WANDERING * region.height, (1 - WANDERING) * region.height - 3 * GAP
        self.walk = Walks(trained[None], (middle, top), unit, fall / trained.size)
        self.fan = Walks(chance, (middle, top), unit, fall / chance.shape[1], role=INK)
        self.often = Histogram(dots.double, (middle, region.bottom), unit, high)
        self.ground = VGroup(
            Line((region.left, region.bottom, 0), (region.right, region.bottom, 0)),
            Line((middle, top, 0), (middle, region.bottom, 0)),
        ).set_stroke(theme.color(QUIET), THIN_LINE)
        sign, role = (-1, NEGATIVE) if product.number < 0 else (1, POSITIVE)
        self.bar = Rectangle(width=max(abs(product.number) * unit, HAIR), height=GAP)
        self.bar.set_stroke(width=0).set_fill(theme.color(role), STRONGEST_FILL)
        self.bar.next_to((middle, top - fall - GAP / 2, 0), sign * RIGHT, buff=0)
        self.end = Number(product, 2, SPOKEN_SIZE).next_to(self.bar, DOWN, buff=HAIR)
        near = HAIR + self.end.width / 2  # the line of zero is not crossed
        self.end.set_x(middle + sign * max(near, abs(float(self.walk.tip()[0]) - middle)))
        region.hold(self.end)
        self.strays = Words("spread {:.1f}", spread, size=SPOKEN_SIZE)
        height, half = region.bottom + BELL * high, spread.number * unit
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


class Spreads(VGroup):
    """A line for each length of random vectors, under heads; `own` is that of the coin tosses."""

    def __init__(self, film: ScaleThenSoftmax, region: Region) -> None:
        head = region.raised(region.height - 2 * GAP)
        rooms = region.lowered(2 * GAP).rows(len(LENGTHS))
        samples = [film.random_vectors(length) for length in LENGTHS]
        widest = max(float(dots.double.std()) for _, _, dots in samples)
        unit = (0.5 - SIDES) * region.width / (REACH * widest)
        self.lines = [
            SpreadLine(q[0], dots, room, unit)
            for (q, _, dots), room in zip(samples, rooms, strict=True)
        ]
        self.own = self.lines[LENGTHS.index(film.tosses)]
        self.heads = [Words(text, size=PLAIN_SIZE, role=QUIET) for text in HEADS]
        numbers = self.own.entries, self.own.measured, self.own.root
        for name, number in zip(self.heads, numbers, strict=True):
            name.move_to((number.get_right()[0], head.bottom, 0), RIGHT)
            name.shift(UP * (head.bottom - name.baseline))
            head.hold(name)
        super().__init__(*self.lines, *self.heads)


def swing(row: SoftmaxRow, numbers: Tensor, place: int, left: float) -> VMobject:
    """Return a bracket beside the shares, as far as an edge of one moves when it is nudged.

    Where there is no room on the right of `left`, it stands on the shares.
    """
    column, away = row.stack.column, NUDGE * np.eye(len(numbers))[place]
    raised = [np.exp(numbers.double + sign * away) for sign in (1, -1)]
    edges = [np.cumsum([0.0, *each])[[place, place + 1]] / each.sum() for each in raised]
    farther = int(np.abs(edges[0] - edges[1]).argmax())
    high, low = (column.top - column.height * each[farther] for each in edges)
    far = max(column.left - GAP, left + HAIR)
    near = far + GAP - HAIR
    corners = np.array([(near, high, 0), (far, high, 0), (far, low, 0), (near, low, 0)])
    bracket = VMobject(stroke_color=theme.color(ACCENT), stroke_width=BOLD_LINE)
    return bracket.set_points_as_corners(corners)


def formulas(divisor: str, region: Region) -> list[Formula]:
    """Return the dot product, its softmax, and that of it divided, at a region's top.

    What one shares with the one before stands where it stood.
    """
    pair = "query(q) dot key(k)"
    divided = rf"{pair} \/ {divisor}" if divisor else pair
    markups = (pair, rf'"softmax"\({pair}\)', rf'"softmax"\({divided}\)')
    found = [Formula(f"${markup}$", TITLE_SIZE) for markup in markups]
    last = found[-1].move_to((region.left, region.top, 0), LEFT + UP)
    for formula in found[:-1]:
        formula.shift(last[-1].get_center() - formula[-1].get_center())
    return found


def exchange(old: Formula, new: Formula) -> Verb:
    """Let a formula be longer: what both share stands still."""
    return Then(Appear(new, scale=1.0), Disappear(old))


def percent(share: Value) -> str:
    """Say a share of one."""
    return "over 99.9 percent" if share.number > 0.9995 else f"{100 * share.number:.0f} percent"
