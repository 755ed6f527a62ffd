"""The film of scaling and softmax: how numbers of any size become shares of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, PI, RIGHT, UP

from scenes import theme
from scenes.analysis.scaling import BY_ROOT, Scaling
from scenes.analysis.softmax import softmax, standard_deviation
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import WIDE_CELL, AttentionGrid
from scenes.mobjects.bars import SEAM, Remeasure, set_slab, slab
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import discs
from scenes.mobjects.plot import Bell
from scenes.mobjects.signs import strength
from scenes.mobjects.softmax_row import NUDGE, SoftmaxRow, Told
from scenes.mobjects.text import Formula, Number, Rooted, TokenText, Words, em_of, label_of
from scenes.mobjects.typesetting import set_markup
from scenes.mobjects.vector import LieDown
from scenes.mobjects.walks import Funnel, Walks
from scenes.presence import parts_of
from scenes.provenance import Tensor, Value, entry_count, total
from scenes.region import Region, area_of
from scenes.theme import GAP, HAIR, POSITIVE, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import (
    Appear,
    Become,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    Pulse,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
)


class ScaleThenSoftmax(Film):
    """Dot products are divided by a root, so that the shares that softmax makes can still move.

    The last token is followed: it may look at every token of the prompt.
    """

    title = "Scale, then softmax"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
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
        self.rests = self.resting(self.asker, order)
        self.tosses = len(self.query) if len(self.query) in LENGTHS else 16
        keys = self.tensor("k")[where]
        self.agreeing = self.query.double * keys[self.top].double  # they add up to a dot product

    def circumstances(self) -> Mapping[str, bool]:
        """Add how sure the row is before and after scaling, and what the model divides by."""
        before, after = (float(row.array[self.top]) for row in (self.before, self.after))
        return {
            **super().circumstances(),
            "undivided": not self.scaling.divides,
            "by_layer": self.scaling.by_layer,
            "never_stuck": before < STUCK,
            "still_stuck": after >= STUCK,
            "near_chance": self.agreeing.sum()
            < BEYOND_CHANCE * float(np.linalg.norm(self.agreeing)),
        }

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt and say what its row shows."""
        return {
            "asker": self.name_of(self.asker),
            "top": self.name_to(self.asker, self.top),
            "resting": self.rests,
            "entries": str(len(self.query)),
            "tosses": str(self.tosses),
            "stray": f"{self.tosses**0.5:.0f}",
            "divisor": f"{self.divisor.number:.3g}",
            "unscaled": percent(self.before[self.top].value),
            "scaled": percent(self.after[self.top].value),
            "nudge": f"{NUDGE / self.divisor.number:.2g}",
        }

    @beat(
        "How should {asker} share out its attention? | {top} fits best{resting}, "
        "| but shares can't be negative, | and they add up to one.",
        alone="How should {asker} share out its attention? | It sees only itself, "
        "| but shares can't be negative, | and they add up to one.",
    )
    def how_to_share(self) -> Shown:
        row = self.row
        drawn = Draw(row.bars.zero, row.stack.whole), Appear(self.told.whole)
        yield Appear(*row.bars.names), *drawn, row.rise(self.products)
        told = [self.top, self.top, self.second][: 3 if self.rests else 1]
        pulses = (Then(Pulse(row.bars.numbers[i], row.bars.names[i]), Hold(STEADY)) for i in told)
        yield Appear(self.line.asker, self.line.pair), Then(*pulses)
        below = row.below_zero()
        yield Flow(map(Pulse, below)) if below else Pulse(row.bars.zero)
        yield (
            Flow(map(Appear, self.told.sums)),
            Pulse(row.stack.whole, scale=SLIGHT, run_time=STEADY),
        )

    @beat(
        "Softmax takes two steps. | First raise e to each number: | all are positive, "
        "| and each step up multiplies: the largest runs away. | Then divide by the sum, "
        "| and the shares fill one whole.",
    )
    def two_steps(self) -> Shown:
        row, told, last = self.row, self.told, self.asker
        yield self.line.enclose(), Disappear(*self.told.sums, self.told.whole)
        yield row.lie_down()
        yield row.powers.grow(0, last)
        yield row.powers.grow(last, last + 1)
        yield Then(Appear(told.large), told.divide())
        gone = Disappear(told.large, *told.fraction)
        back = gone, Appear(*row.labels()), row.stand_again(self.products)
        yield Then(row.share_out(), Together(*back))

    @beat(
        "But {top} takes {unscaled}. | Training asks of each number: would a nudge help? | "
        "Nudge this dot product by one, | and the shares hardly stir: | little is learned.",
        alone="A single word takes everything, | and that can't change: "
        "| nudge its dot product by one, | and the share stands still: | there's nothing to learn.",
        never_stuck="Here {top} takes {unscaled}. | Training asks of each number: would a nudge "
        "help? | Nudge this dot product by one, | and the shares follow. | With larger numbers, "
        "they'd hardly stir.",
    )
    def a_nudge_is_lost(self) -> Shown:
        row = self.row
        pulses = Pulse(row.stack.shapes[self.top], scale=SLIGHT), Pulse(*row.stack.labels(self.top))
        yield Then(*pulses)
        yield Dim(*row.others(self.top)), Then(Hold(), Draw(self.nudged))
        yield row.nudge(self.products, self.top, NUDGE), Pulse(self.nudged)
        yield row.nudge(self.products, self.top, NUDGE), Draw(self.swings[0])
        yield Pulse(self.swings[0], *row.stack.labels(self.top), run_time=STEADY)

    @beat(
        "Why is it so large? | Query and key agree: that should count. | But any long sum "
        "strays by chance alone. | Take random vectors: | plus and minus cancel, like "
        "coin tosses, | yet their sums stray by about {stray}.",
        near_chance="How large can it get? | It adds up {entries} products. | Agreement should "
        "count, the number of products shouldn't. | Take random vectors: "
        "| plus and minus cancel, like coin tosses, "
        "| yet their sums stray by about {stray}.",
    )
    def like_coin_tosses(self) -> Shown:
        sums, own, funnel = self.wandering, self.row.bar(self.top), self.funnel
        gone = Disappear(*all_but(self.row, *own), self.nudged, self.swings[0])
        aside = Dim(self.line)
        yield Then(gone, sums.turn(own)), aside, Then(Hold(), Appear(sums.ground, scale=1.0))
        walk = Vary(sums.walk.reach, 0, len(self.query), 2 * SLOW)
        yield Appear(sums.walk, run_time=HAIR), walk, Flow(map(Appear, reversed(sums.axes)))
        early = EARLY * self.tosses
        astray = Fade(funnel.walks, to=1.0, run_time=HAIR), Vary(funnel.wander, 0, early, SLOW)
        yield Then(Pulse(sums.end, run_time=STEADY), Disappear(*sums.axes), Together(*astray))
        yield Appear(*sums.kind), Vary(funnel.wander, early, self.tosses, run_time=SLOW)
        yield Appear(*sums.often.sides, run_time=HAIR), Vary(sums.often.pile, 0, 1)
        yield Then(Draw(sums.often.spread), Appear(sums.strays), Pulse(sums.strays))

    @beat(
        "With more products they stray farther: | squares add up, so by the root of their "
        "number. | Divide by that root: | seen closer, every spread is one."
    )
    def divide_by_the_root(self) -> Shown:
        funnel = self.funnel
        yield Disappear(self.wandering), Vary(funnel.step_back, 0, 1, run_time=2 * SLOW)
        roots = (Then(Disappear(each.entries), Appear(each.root)) for each in funnel.levels)
        curve = Together(Draw(*funnel.edges), Dim(funnel.walks))
        yield Then(curve, Appear(funnel.band, scale=1.0)), Flow(roots)
        over = (Together(Pulse(each.root), Appear(each.over)) for each in funnel.levels)
        yield Then(Together(over), funnel.divide())
        told = Then(Hold(), Flow((Pulse(level.measured) for level in funnel.levels), STEADY))
        yield Vary(funnel.come_closer, 0, 1, SLOW), Appear(self.zooms[0]), told

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
        row, root, by = self.row, self.funnel.levels[LENGTHS.index(self.tosses)].root, self.line.by
        found: Verb = Then(TurnInto(root, by[1]), Appear(by[0]))
        if not self.scaling.by_root or len(self.query) != self.tosses:
            found = Together(Disappear(root), Appear(by))
        come = Then(
            Hold(QUICK / 2), Together(row.come_back(), Undim(self.line)), self.line.divide()
        )
        yield Disappear(*all_but(self.funnel, root), self.zooms[0]), found, come
        yield row.divide(self.products, self.scores, self.divisor.number)
        yield Pulse(row.bars.numbers[self.top], *row.stack.labels(self.top), run_time=STEADY)
        yield Flow(map(Pulse, row.stack_without(self.top)))

    @beat(
        "Look closer, | and nudge it again: one, divided by {divisor}, is {nudge}. "
        "| Now the shares move, | and training gets its answer.",
        alone="Look closer, | and nudge it again: | one share can't move. "
        "| In a longer text, shares do.",
        never_stuck="Look closer, | and nudge it again: one, divided by {divisor}, is {nudge}. "
        "| The shares follow, | and training gets its answer.",
        still_stuck="Look closer, | and nudge it again: one, divided by {divisor}, is {nudge}. "
        "| The shares move a little more, | and training gets its answer.",
    )
    def the_nudge_is_felt(self) -> Shown:
        row, by = self.row, NUDGE / self.divisor.number
        closer = row.come_closer(self.scores, self.divisor.number)
        yield closer, Appear(self.zooms[1]), Dim(*row.others(self.top))
        yield row.nudge(self.scores, self.top, by), Draw(self.nudged), Pulse(self.line.pair)
        yield row.nudge(self.scores, self.top, by), Draw(self.swings[1])
        yield Pulse(self.swings[1], run_time=STEADY)

    @beat(
        "So every word divides, then takes softmax | over all words up to itself. "
        "| Each row is one whole. | Shares go under their words: | the attention pattern.",
        undivided="Every word does this | with all words up to itself. | Each row is one whole, "
        "| and shares go under their words: | the attention pattern.",
    )
    def every_word(self) -> Shown:
        row, board, own = self.row, self.board, self.asker
        gone = Disappear(
            row.bars, row.stack.whole, *row.labels(), self.line.by, self.nudged, self.zooms[1]
        )
        name = Become(self.line.asker, board.queries[own][0])
        settled = [] if self.scaling.divides else [Remeasure(row.stack, self.weights[own].values)]
        down = LieDown(row.stack.shapes, row.stack.column, self.strips.boxes[own])
        fall = Together(down, name, self.line.go_left())
        names = Flow(Appear(board.queries[each]) for each in reversed(range(own)))
        left = Together(gone, Disappear(self.swings[1]), Then(fall, names))
        yield Then(*settled, left)
        others = (Appear(*self.strips[each], scale=1.0) for each in reversed(range(own)))
        yield Flow(others, SLOW), Pulse(self.line.pair)
        yield Flow((Appear(each) for each in reversed(self.wholes)), STEADY)
        grid = Fade(board.faces, board.keys, to=1.0, run_time=STEADY)
        yield grid, self.strips.part([*self.strips, row.stack.shapes])
        hidden = Fade(self.hatching, to=1.0, run_time=STEADY)
        yield hidden, Draw(self.ring), Flow(map(Appear, self.most))

    def cast(self) -> None:
        """Make the row and its shares, the formula, the walks, the spreads, and all rows."""
        stage = self.under_title
        divided = self.scaling, self.divisor, entry_count(self.query)
        self.line = SoftmaxLine(self.tokens[self.asker], *divided, self.stage)
        self.row = SoftmaxRow(self.products, self.before, self.tokens, stage)
        self.nudged = self.row.nudged(self.top)
        both = zip((self.products, self.scores), (1.0, self.divisor.number), strict=True)
        self.swings = [
            self.row.swing(each, self.top, NUDGE / by, self.stage.left) for each, by in both
        ]
        beside = replace(self.stage, left=self.line.enclosed, bottom=self.line.asker.baseline)
        self.told = Told(self.row, self.products, self.top, beside)
        self.wandering = Wandering(self, stage)
        samples = [random_vectors(self, length) for length in LENGTHS]
        self.funnel = Funnel(samples, WALKS, stage, self.wandering.start)
        times = self.funnel.levels[-1].by, self.divisor
        zoom = "zoom \N{MULTIPLICATION SIGN} {:.3g}"
        self.zooms = [Words(zoom, each, size=SPOKEN_SIZE) for each in times]
        for each in self.zooms:
            self.line.set_aside(each, self.row)
        self.weights = self.tensor("pattern")[self.layer, self.head]
        self.board = AttentionGrid(self.tokens, stage, beside=WHOLES, widest=WIDE_CELL)
        self.strips, self.hatching = Strips(self.weights, self.board), self.board.hatching()
        self.wholes = self.board.sums([total(each) for each in self.weights])
        self.ring, self.most = Ring(self.board.row(self.asker)), most(self)
        self.stand(self.row, self.line, self.told, self.funnel, self.wandering, self.nudged)
        self.stand(*self.zooms, *self.swings, self.board, self.hatching, self.strips)
        self.stand(*self.wholes, *self.most, self.ring)


class SoftmaxLine(VGroup):
    """A name, and the formula under which all goes on: q dot k, its softmax, and that divided.

    Parts: `asker`; `pair`, which stands alone at first; `opening` and `closing`, which ends at
    `enclosed` until all is divided; `over`, the division, and `by`, its number.
    """

    def __init__(
        self, piece: str, scaling: Scaling, divisor: Value, entries: Value, stage: Region
    ) -> None:
        over = rf"\/ {scaling.markup}" if scaling.divides else ""
        markups = [f"${each}$" for each in (r'"softmax"\(', "query(q) dot key(k)", over, r"\)")]
        self.opening, self.pair, self.over, self.closing = (Formula(m, TITLE_SIZE) for m in markups)
        by = scaling if scaling.divides else BY_ROOT
        equals = Formula(f"${by.markup} =$", TITLE_SIZE)
        told: VMobject = Words("{:.3g}", divisor, size=TITLE_SIZE)
        if by.factors == BY_ROOT.factors:
            told = Rooted("{} = {:.3g}", entries, divisor, size=TITLE_SIZE)
        self.by = VGroup(equals, told).arrange(buff=GAP)
        self.asker = TokenText(piece, TITLE_SIZE, theme.QUERY)
        self.asker.shift(self.asker.get_left()[0] * LEFT + self.asker.baseline * DOWN)
        start, em = self.asker.width + 2 * GAP, em_of(TITLE_SIZE)
        opened, inside, beyond, _ = (set_markup(each).width * em for each in markups)
        for part in (self.opening, self.pair):
            part.shift(start * RIGHT)
        for part in (self.over, self.closing):
            part.shift((start + opened + inside) * RIGHT)
        super().__init__(self.asker, self.opening, self.pair, self.over, self.closing, self.by)
        wide = self.closing.get_right()[0] + beyond + 2 * GAP + self.by.width
        fitted = min(1.0, stage.width / wide)
        self.scale(fitted).shift(stage.left * RIGHT - self.asker.get_left()[0] * RIGHT)
        self.shift((stage.top - self.get_top()[1]) * UP)
        self.by.move_to((stage.right, stage.top, 0), UP + RIGHT)
        self.aside, self.beyond = fitted * opened * RIGHT, fitted * beyond * RIGHT
        self.enclosed = float(self.closing.get_right()[0])

    def set_aside(self, note: Words, row: SoftmaxRow) -> None:
        """Set a note over the end of the bars, or by the foot of the shares where no room is."""
        left, right = self.enclosed + self.beyond[0] + GAP, self.by.get_left()[0] - 2 * GAP
        end = min(right, max(row.bars.zero.get_right()[0], left + note.width))
        note.move_to((end, self.asker.baseline, 0), RIGHT + DOWN)
        if right - left < note.width:
            note.move_to((self.by.get_right()[0], row.stack.column.bottom, 0), RIGHT + DOWN)

    def enclose(self) -> Verb:
        """Let softmax stand around the dot product."""
        around = Appear(self.opening, self.closing, scale=1.0)
        return Together(Shift(self.pair, by=self.aside, run_time=QUICK), Then(Hold(QUICK), around))

    def go_left(self) -> Verb:
        """Let the formula take its asker's place."""
        away = self.asker.get_left()[0] - self.opening.get_left()[0]
        return Shift(self.opening, self.pair, self.over, self.closing, by=away * RIGHT)

    def divide(self) -> Verb:
        """Let the divisor stand in the brackets."""
        over = Then(Hold(QUICK / 2), Appear(self.over, scale=1.0, run_time=QUICK / 2))
        return Together(Shift(self.closing, by=self.beyond, run_time=QUICK), over)


def all_but(whole: VMobject, *kept: VMobject) -> list[VMobject]:
    """Return all shapes of a whole, except for some."""
    return [part for part in parts_of(whole) if len(part.points) and part not in kept]


def random_vectors(film: ScaleThenSoftmax, length: int) -> list[Tensor]:
    """Return random queries and keys, (pairs, length) each, and their dot products."""
    return [film.tensor(f"random_vectors.{name}_{length}") for name in ("q", "k", "dots")]


class Wandering(VGroup):
    """A sum of products on its way, and under it where sums of random products end, how often.

    Parts: `axes`, what goes across and down; the `walk`, the `bar` that it ends at and its number,
    the `end`; `often`, a bell, and its number, `strays`; `kind` says what is random.
    """

    def __init__(self, film: ScaleThenSoftmax, region: Region) -> None:
        product, steps = film.products[film.top].value, film.agreeing
        q, k, dots = random_vectors(film, film.tosses)
        sums = np.cumsum((q.double * k.double)[:WALKS], axis=1)
        farthest = max(abs(each).max() for each in (steps.cumsum(), sums, dots.double))
        self.end = Number(product, 2, SPOKEN_SIZE)
        middle, aside = float(region.center[0]), self.end.width + 2 * HAIR
        unit = (region.width / 2 - aside) / farthest
        fall, high = WANDERING * region.height, (1 - WANDERING) * region.height - 3 * GAP
        top = region.top
        self.start = film.tosses, unit, fall
        self.walk = Walks(steps[None], (middle, top), unit, fall / steps.size)
        sign = -1 if product.number < 0 else 1
        self.often = Bell(dots.double, (middle, region.bottom), unit, high, sign)
        self.ground = VGroup(
            Line((region.left, region.bottom, 0), (region.right, region.bottom, 0)),
            Line((middle, top, 0), (middle, region.bottom, 0)),
        ).set_stroke(theme.color(QUIET), theme.THIN_LINE)
        self.bar = film.row.bars.shapes[film.top].copy()
        ends, level = sorted((middle, middle + product.number * unit)), top - fall
        self.box = Region(ends[0], max(ends[1], ends[0] + HAIR), level - GAP, level)
        low = level - HAIR / 2 - self.end.height / 2  # under the walk
        self.end.move_to((middle + product.number * unit, low, 0), sign * LEFT)
        self.end.shift(sign * HAIR * RIGHT)
        across, down = (Words(axis, size=SPOKEN_SIZE) for axis in AXES)
        back = max(0.0, float((-sign * steps.cumsum()).max())) * unit  # the walk stays off its name
        down.move_to((middle - sign * (GAP + back), top - fall / 2, 0), sign * RIGHT)
        region.hold(down)
        across.move_to(
            (middle + sign * region.width / 2, region.bottom + HAIR, 0), sign * RIGHT + DOWN
        )
        self.axes = VGroup(across, down)
        self.strays = Words("spread {:.1f}", standard_deviation(dots), size=SPOKEN_SIZE)
        self.strays.next_to(self.often.spread.get_end(), sign * RIGHT, buff=GAP)
        self.strays.shift(self.strays.height / 2 * UP)  # over what the bell still has there
        lines = [Words(line, size=SPOKEN_SIZE) for line in RANDOM]
        self.kind = VGroup(*lines).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        free = region.left if sign > 0 else region.right  # nothing ends there
        self.kind.move_to((free, self.box.bottom - HAIR, 0), sign * LEFT + UP)
        super().__init__(self.ground, self.bar, self.walk, self.often)
        self.add(self.axes, self.end, self.strays, self.kind)

    def turn(self, own: VGroup) -> Verb:
        """Let a bar of the row with its numeral turn by a right angle to where the walk ends."""
        shape, number = own
        instead = Disappear(shape, run_time=HAIR), Fade(self.bar, to=1.0, run_time=HAIR)
        down = LieDown([self.bar], area_of(shape), self.box, to_the_right=True, run_time=STEADY)
        told = Disappear(number, run_time=QUICK / 2), Then(Hold(STEADY), Appear(self.end))
        return Together(*instead, Then(Hold(QUICK / 2), down), *told)


class Strips(VGroup):
    """Every query's weights side by side along its row of a board: each row is as long.

    The last one's are not made: they come from a column. `boxes` are where all rows stand.
    """

    def __init__(self, weights: Tensor, board: AttentionGrid) -> None:
        self.weights, self.board = weights, board
        left, side, rows = float(board.origin[0]), board.side, range(len(weights))
        levels = [float(board.center_of(row, 0)[1]) for row in rows]
        high, right = STRIP * side / 2, left + len(weights) * board.wide
        self.boxes = [Region(left, right, level - high, level + high) for level in levels]
        super().__init__(*(self._row(row) for row in rows[:-1]))

    def part(self, rows: Sequence[Sequence[VMobject]]) -> Verb:
        """Let the pieces of every row go to their keys' columns, and be discs there."""
        parted = (
            [Become(piece, self._disc(piece, row, key)) for key, piece in enumerate(pieces)]
            for row, pieces in enumerate(rows)
        )
        return Flow((Flow(pieces, QUICK) for pieces in parted), STEADY)

    def _row(self, row: int) -> VGroup:
        box, shares = self.boxes[row], self.weights[row].double[: row + 1]
        ends = box.left + box.width * np.cumsum([0.0, *shares]) / shares.sum()
        pieces = [slab(strength(float(share), 1.0), SEAM) for share in shares]
        for piece, left, right in zip(pieces, ends[:-1], ends[1:], strict=True):
            set_slab(piece.set_fill(theme.color(POSITIVE)), (left, box.bottom, right, box.top))
        return VGroup(*pieces)

    def _disc(self, piece: VMobject, row: int, key: int) -> VMobject:
        """Return a disc in a cell, its area the weight, as a twin of a piece."""
        radius = self.board.dot_radius(self.weights[row, key].value.number)
        twin, middle = piece.copy(), self.board.center_of(row, key)
        twin.points = discs(middle[None, :2], np.array([radius]))
        is_turned = piece.points[0][0] > piece.get_x()  # its first corner is not its lower left
        twin.rotate(-PI / 4 if is_turned else -3 * PI / 4, about_point=middle)
        return twin.set_fill(opacity=1.0)


def most(film: ScaleThenSoftmax) -> list[Words]:
    """Return what the asker gives most to and how much, over its pattern, if there is room."""
    asker, name = (label_of(film.tokens[each]) for each in (film.asker, film.top))
    share = film.weights[film.asker, film.top].value
    told = Words("{} gives {} {:.2f}", asker, name, share, size=TITLE_SIZE, role=POSITIVE)
    told.move_to((film.stage.right, film.line.asker.baseline, 0), RIGHT + DOWN)
    told.shift((film.line.asker.baseline - told.baseline) * UP)
    return [told] if told.width < film.stage.width / 2 else []


def percent(share: Value) -> str:
    """Say a share of one."""
    return "over 99.9 percent" if share.number > 0.9995 else f"{100 * share.number:.0f} percent"


LENGTHS = (16, 64, 256)  # entries of the random vectors
AXES = "sum so far", "products added"
RANDOM = "random vectors,", "entries about", "one in size"
WALKS = 8  # of random products, drawn: few enough to follow one
EARLY = 0.5  # of their steps, which random walks have made before it's said what they are
STUCK = 0.95  # a share from which a nudge hardly moves anything
BEYOND_CHANCE = 1.2  # spreads, from which a dot product is farther than chance goes
SLIGHT = 1.02  # times as large: a column that swells so touches nothing
WHOLES = 1.0  # scene units beside the pattern, for the sums of its rows
STRIP = 0.62  # of a row's height, for its shares side by side
WANDERING = 0.62  # of the stage's height, for walks; the rest is for how often they end where
