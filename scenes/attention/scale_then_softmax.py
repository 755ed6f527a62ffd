"""The film of scaling and softmax: how numbers of any size become shares of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.scaling import BY_ROOT, Scaling
from scenes.analysis.softmax import exponentials, softmax
from scenes.expressions import Numbers, Operation
from scenes.figures.softmax_row import NUDGE, SoftmaxRow, in_figures, told_range
from scenes.figures.walks import Spreads, Wandering
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import Stack, said_percentage
from scenes.mobjects.signs import ink_on_fill
from scenes.mobjects.text import (
    Chance,
    Formula,
    Glyphs,
    Number,
    Rooted,
    TokenText,
    Words,
    em_of,
    label_of,
)
from scenes.mobjects.typesetting import set_markup
from scenes.presence import parts_of, set_fill
from scenes.provenance import Tensor, Value, applied, constant, entry_count, total
from scenes.theme import ACCENT, GAP, HAIR, QUICK, SLOW, SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import Appear, Dim, Disappear, Draw, Fade, Flow, Hold, Pulse, Then, Together


class ScaleThenSoftmax(Film):
    """Dot products are divided by a root, so that the shares that softmax makes can still move.

    The last token is followed: it may look at every token of the prompt.
    """

    title = "Scale, then softmax"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 98
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
        self.moves = (self.products, NUDGE), (self.scores, NUDGE / self.divisor.number)
        self.before, self.after = softmax(self.products), softmax(self.scores)
        order = np.argsort(-self.products.double, kind="stable").tolist()
        self.top, self.second = order[0], order[min(1, self.asker)]
        self.rests, self.weights = self.resting(self.asker, order), self.tensor("pattern")[where]
        self.tosses = len(self.query) if len(self.query) in LENGTHS else 16

    def circumstances(self) -> Mapping[str, bool]:
        ends = ([share_of_largest(x.double, sign * by) for sign in (-1, 1)] for x, by in self.moves)
        after, (loose, felt) = float(self.after.array[self.top]), (np.ptp(each) for each in ends)
        return {
            **super().circumstances(),
            "less_felt": bool(felt <= loose),
            "undivided": not self.scaling.divides,
            "by_layer": self.scaling.by_layer,
            "never_stuck": bool(loose > STIRS or felt <= loose),
            "still_stuck": after >= STUCK,
        }

    def words(self) -> Mapping[str, str]:
        return {
            "asker": self.name_of(self.asker),
            "top": self.name_to(self.asker, self.top),
            "resting": self.rests,
            "stray": f"{self.tosses**0.5:.0f}",
            "divisor": f"{self.divisor.number:.3g}",
            "unscaled": said_percentage(self.before[self.top].value),
            "scaled": said_percentage(self.after[self.top].value),
            "given": said_percentage(self.weights[self.asker, self.top].value),
            "nudge": f"{NUDGE / self.divisor.number:.2g}",
        }

    @beat(
        "How should {asker} share out its attention? | {top} fits its query best{resting}, "
        "| but shares can't be negative, | and they add up to one.",
        alone="How should {asker} share out its attention? | It sees only itself, "
        "| but shares can't be negative, | and they add up to one.",
    )
    def how_to_share(self) -> Shown:
        row, told = self.row, self.told
        yield Together(Appear(*row.bars.names), Draw(row.bars.zero), row.rise(self.products))
        said = [self.top, self.top, self.second][: 3 if self.rests else 1]
        pulses = (Then(Pulse(*row.bar(i), row.bars.names[i]), Hold(STEADY)) for i in said)
        aside = row.others(self.top) if not self.rests else []
        query = Then(Appear(self.line.asker, self.line.pair), Pulse(self.line.pair))
        yield query, Then(Dim(*aside), *pulses)
        below = row.below_zero()
        above = [row.bar(i) for i, each in enumerate(self.products.double) if each >= 0]
        marked = Dim(*above), Flow(map(Pulse, below), STEADY)
        yield Then(verbs.Undim(*aside), *(marked if below else [Pulse(row.bars.zero)]))
        yield verbs.Undim(*above), Then(Draw(row.stack.whole), *map(Appear, told.one))

    @beat(
        "Softmax takes two steps. | First raise e to each number: | each result is positive, "
        "| and the largest runs away. | Then divide by the sum, | and the shares fill one whole.",
    )
    def two_steps(self) -> Shown:
        row, told, last = self.row, self.told, self.asker
        yield self.line.enclose(), Disappear(told.one)
        yield row.raise_e()
        yield Then(row.lie_down(), row.powers.grow(0, last))
        yield row.powers.grow(last, last + 1, SLOW)
        yield told.divide()
        gone = Disappear(*told.fraction), Appear(*row.labels())
        yield Then(row.share_out(), Together(*gone))

    @beat(
        "But {top} takes {unscaled}. | Training asks of each number: would a nudge help? | "
        "Nudge this dot product by one, | and the shares hardly stir: | little is learned.",
        alone="A single word takes everything, | and that can't change, whatever its "
        "number: | nudge it by one, | and the share stands still: | there's nothing to learn.",
        never_stuck="Here {top} takes {unscaled}. | Training asks of each number: would a nudge "
        "help? | Nudge this dot product by one, | and the shares follow. | With larger numbers, "
        "they'd hardly stir.",
    )
    def a_nudge_is_lost(self) -> Shown:
        row = self.row
        yield Draw(self.holds[0], run_time=SLOW), Pulse(*row.stack.labels(self.top)[1:])
        gone = Disappear(row.powers, row.bars.zero, self.holds[0])
        yield Then(gone, row.come_back(self.products))
        ends = Draw(self.places[0], run_time=QUICK), Appear(self.amounts[0])
        yield Then(Dim(*row.others(self.top)), *ends), row.nudge(self.products, self.top, NUDGE)
        yield row.nudge(self.products, self.top, NUDGE), Draw(self.swings[0])
        yield self.tell(self.ranges[0])

    @beat(
        "And luck alone | can make dot products large: | with random vectors, "
        "| each product is one step, left or right."
    )
    def by_mere_luck(self) -> Shown:
        sums, half = self.wandering, self.tosses // 2
        said = self.places[0], self.swings[0], *self.ranges[0], self.amounts[0]
        gone = Disappear(*said, *all_but(self.row), *all_but(self.line))
        yield gone, Appear(sums.ground, *sums.ticks, scale=1.0)
        yield Appear(sums.walk, run_time=HAIR), verbs.Vary(sums.walk.reach, 0, half / 2, STEADY)
        yield Appear(sums.kind), verbs.Vary(sums.walk.reach, half / 2, half, STEADY)
        walk = verbs.Vary(sums.walk.reach, half, self.tosses)
        yield Appear(sums.taken), Then(walk, Appear(sums.end, sums.summed), Pulse(sums.end))

    @beat(
        "Pile up where many such sums end: | they stray about {stray} from zero, "
        "| which is their spread."
    )
    def how_far_they_stray(self) -> Shown:
        sums = self.wandering
        yield sums.pile_up()
        yield Draw(sums.often.spread)
        yield Then(Appear(sums.strays), Pulse(sums.strays))

    @beat(
        "Add four times as many products, and four times again. "
        "| Each time, the sums stray about twice as far: | by the root of their number."
    )
    def four_times_as_many(self) -> Shown:
        sums, spreads = self.wandering, self.spreads
        levels, often, own = spreads.levels, sums.often.sides, spreads.first.bell.sides
        swap = Disappear(*often, run_time=HAIR), Fade(*own, to=1.0, run_time=HAIR)
        gone = Disappear(*all_but(sums, sums.ground[0], *often))
        yield Together(gone, *swap), Then(Hold(), verbs.Vary(spreads.step_back, 0, 1, 2 * SLOW))
        yield Flow((level.tell() for level in levels), STEADY)
        yield Flow((Then(Disappear(each.entries), Appear(each.root)) for each in levels), STEADY)

    @beat("So divide by that root, | and all are equally narrow. | Closer up: every spread is one.")
    def divide_by_the_root(self) -> Shown:
        spreads, levels = self.spreads, self.spreads.levels
        yield spreads.write_roots()
        yield spreads.divide()
        yield Then(spreads.come_nearer(), Flow((Pulse(each.measured) for each in levels), STEADY))

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
        row, root, by = self.row, self.spreads.first.root, self.line.by
        found: verbs.Verb = Then(verbs.TurnInto(root, by[1]), Appear(by[0]))
        if not self.scaling.by_root or len(self.query) != self.tosses:
            found = Together(Disappear(root), Appear(by))
        back = Together(row.come_back(self.products), Appear(*self.line.standing))
        come = Then(Hold(QUICK / 2), back, self.line.divide())
        gone = Disappear(*all_but(self.spreads, root), self.wandering.ground)
        yield gone, found, come
        yield row.divide(self.products, self.scores, self.divisor.number)
        most = [row.stack.shapes[self.top], *row.stack.labels(self.top)]
        yield Disappear(by), Draw(self.holds[1]), Pulse(row.bars.numbers[self.top], *most[2:])
        lit = Then(Dim(*most), light(row.stack, row.bars.names, self.top), verbs.Undim(*most))
        yield Disappear(self.holds[1]), lit

    @beat(
        "Nudge it by one again: | divided by {divisor}, that's only {nudge}. "
        "| But now the shares move, | and training gets its answer.",
        alone="Nudge it by one again: | divided by {divisor}, that's only {nudge}. "
        "| But one share can't move. | In a longer text, shares do.",
        less_felt="Nudge it by one again: | divided by {divisor}, that's only {nudge}. "
        "| Here the share moves less than before: | only larger numbers get stuck.",
        never_stuck="Nudge it by one again: | divided by {divisor}, that's only {nudge}. "
        "| The shares follow, | and training gets its answer.",
        still_stuck="Nudge it by one again: | divided by {divisor}, that's only {nudge}. "
        "| The shares move a little more, | and training gets its answer.",
    )
    def the_nudge_is_felt(self) -> Shown:
        row, by = self.row, NUDGE / self.divisor.number
        (_, least, most), (_, less, more) = self.places, self.amounts
        yield Dim(*row.others(self.top)), Then(Draw(most, run_time=QUICK), Appear(more))
        yield Then(Disappear(more), verbs.Become(most, least), Appear(less), Pulse(less))
        yield row.nudge(self.scores, self.top, by), Draw(self.swings[1])
        yield self.tell(self.ranges[1])

    @beat(
        "So {asker} has a row of shares. | Every other word gets one, too, "
        "| shared among all words up to itself. | Each row adds up to one: the attention pattern.",
        alone="So {asker} has a row of shares. | Here it's alone, "
        "| and its row is one number. | A row adds up to one: the attention pattern.",
        undivided="As it is, {asker} gives {top} {given}. | Every other word has a row, too, "
        "| shared among all words up to itself. | Each row adds up to one: the attention pattern.",
    )
    def a_row_for_every_word(self) -> Shown:
        board, own = self.board, self.asker
        yield into_the_pattern(self)
        above = ((board.queries[each], *self.fills.past(each)) for each in reversed(range(own)))
        one = [Pulse(*self.given)] * (not own)
        yield Flow((Appear(*each) for each in above), SLOW), *one
        yield Fade(*self.hatching, to=1.0), *one
        yield Flow((Appear(each) for each in reversed(self.wholes)), STEADY)

    def tell(self, note: VGroup) -> verbs.Verb:
        """Say how far a share goes, instead of the shares' numbers."""
        return Then(Disappear(*self.row.labels()), Appear(*note), Pulse(*note))

    def cast(self) -> None:
        """Make the row and its shares, the formula, the walks, the spreads, and all rows."""
        stage = self.under_title
        self.line = SoftmaxLine(self)
        self.row = SoftmaxRow(self.products, self.before, self.tokens, stage)
        moves = *self.moves, (self.scores, NUDGE)
        self.places = [self.row.nudged(x, self.top, by) for x, by in moves]
        self.swings, self.holds = brackets(self)
        self.told = Told(self)
        samples = [random_vectors(self, length) for length in LENGTHS]
        self.wandering = Wandering(samples[LENGTHS.index(self.tosses)], stage)
        self.spreads = Spreads(samples, stage, self.wandering)
        self.amounts, self.ranges = notes(self)
        self.board = board = AttentionGrid(
            self.tokens, self.stage, beside=WHOLES, widest=WIDEST_CELL, least_cell=LEAST_CELL
        )
        self.fills, self.hatching = board.fills(self.weights, FAINTEST), board.hatching()
        self.given = own_shares(self)
        self.wholes = board.sums([total(each) for each in self.weights])
        self.stand(self.row, self.line, self.told, self.spreads, self.wandering, *self.places)
        self.stand(*self.swings, *self.holds, *self.amounts, *self.ranges, board)
        self.stand(self.hatching, self.fills, *self.given, *self.wholes)


class SoftmaxLine(VGroup):
    """A name, and the formula under which all goes on: q dot k, its softmax, and that divided.

    Parts: `asker`; `pair`, which stands alone at first; `opening` and `closing`, which ends at
    `enclosed` until all is divided; `over`, the division, and `by`, its number. What is `standing`
    is all that is seen until then.
    """

    def __init__(self, film: ScaleThenSoftmax) -> None:
        scaling, divisor, stage = film.scaling, film.divisor, film.stage
        over = rf"\/ {scaling.markup}" if scaling.divides else ""
        markups = [f"${each}$" for each in (r'"softmax"\(', "query(q) dot key(k)", over, r"\)")]
        self.opening, self.pair, self.over, self.closing = (Formula(m, TITLE_SIZE) for m in markups)
        by = scaling if scaling.divides else BY_ROOT
        equals = Formula(f"${by.markup} =$", TITLE_SIZE)
        told: VMobject = Words("{:.3g}", divisor, size=TITLE_SIZE)
        if by.factors == BY_ROOT.factors:
            told = Rooted("{} = {:.3g}", entry_count(film.query), divisor, size=TITLE_SIZE)
        self.by = VGroup(equals, told).arrange(buff=GAP)
        self.asker = TokenText(film.tokens[film.asker], TITLE_SIZE, theme.QUERY)
        self.asker.shift(self.asker.get_left()[0] * LEFT + self.asker.baseline * DOWN)
        start, em = self.asker.width + 2 * GAP, em_of(TITLE_SIZE)
        opened, inside, beyond, _ = (set_markup(each).width * em for each in markups)
        for part in (self.opening, self.pair):
            part.shift(start * RIGHT)
        for part in (self.over, self.closing):
            part.shift((start + opened + inside) * RIGHT)
        super().__init__(self.asker, self.opening, self.pair, self.over, self.closing, self.by)
        self.standing = self.asker, self.opening, self.pair, self.closing
        wide = self.closing.get_right()[0] + beyond + 2 * GAP + self.by.width
        fitted = min(1.0, stage.width / wide)
        self.scale(fitted).shift(stage.left * RIGHT - self.asker.get_left()[0] * RIGHT)
        self.shift((stage.top - self.get_top()[1]) * UP)
        self.by.move_to((stage.right, stage.top, 0), UP + RIGHT)
        self.formula = self.opening, self.pair, self.over, self.closing
        self.aside, self.beyond = fitted * opened * RIGHT, fitted * beyond * RIGHT
        self.enclosed = float(self.closing.get_right()[0])

    def set_aside(self, note: Words, row: SoftmaxRow) -> None:
        """Set a note over the end of the bars, or by the foot of the shares."""
        left, right = self.enclosed + self.beyond[0] + GAP, self.by.get_right()[0]
        end = min(right, max(row.bars.zero.get_right()[0], left + note.width))
        note.move_to((end, self.asker.baseline, 0), RIGHT + DOWN)
        note.shift(min(0.0, float(self.get_top()[1] - note.get_top()[1])) * UP)
        if right - left < note.width:
            note.shrink_to(right - row.stack.column.right - HAIR)
            note.move_to((right, row.stack.column.bottom, 0), RIGHT + DOWN)

    def enclose(self) -> verbs.Verb:
        """Let softmax stand around the dot product."""
        around = Appear(self.opening, self.closing, scale=1.0)
        return Together(
            verbs.Shift(self.pair, by=self.aside, run_time=QUICK), Then(Hold(QUICK), around)
        )

    def divide(self) -> verbs.Verb:
        """Let the divisor stand in the brackets."""
        over = Then(Hold(QUICK / 2), Appear(self.over, scale=1.0, run_time=QUICK / 2))
        return Together(verbs.Shift(self.closing, by=self.beyond, run_time=QUICK), over)


class Told(VGroup):
    """What is told of a row while its numbers become shares.

    Parts: `one`, what is to come, in two lines; and `fraction`, a power over the sum of all powers,
    beside the shares.
    """

    def __init__(self, film: ScaleThenSoftmax) -> None:
        row, numbers, place = film.row, film.products, film.top
        self.row, self.place = row, place
        powers, column = exponentials(numbers), row.stack.column
        large, room = total(powers), row.stack.region.right - column.right - GAP
        self.one = VGroup(
            Words("shares,", size=TITLE_SIZE),
            Words("together {:.0f}", total(softmax(numbers)), size=TITLE_SIZE),
        )
        for each in self.one:
            each.shrink_to(room)
        self.one.arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        self.one.move_to((column.right + GAP, column.center[1], 0), LEFT)
        over = Words(in_figures(powers[place].value), powers[place].value, size=SPOKEN_SIZE)
        under = Words(f"sum {in_figures(large)}", large, size=SPOKEN_SIZE)
        rule = Line(LEFT, under.width * RIGHT + LEFT).set_stroke(
            theme.color(theme.INK), theme.THIN_LINE
        )
        self.fraction = VGroup(over, rule, under).arrange(DOWN, buff=HAIR, aligned_edge=RIGHT)
        self.fraction.scale(min(1.0, room / self.fraction.width))
        half, middle = self.fraction.height / 2, row.stack.shapes[place].get_y()
        level = float(np.clip(middle, column.bottom + half, column.top - half))
        self.fraction.move_to((column.right + GAP, level, 0), LEFT)
        if column.top < row.bars.zero.get_y():  # where no bar on its way to the column crosses it
            self.fraction.move_to((film.stage.right, column.bottom, 0), RIGHT + DOWN)
        super().__init__(self.one, self.fraction)

    def divide(self) -> verbs.Verb:
        """Let the powers be summed up, and the sum come under one of them."""
        over, rule, under = self.fraction
        numerals = self.row.powers.numerals
        summed = Then(Flow(map(Pulse, numerals), STEADY), Appear(under))
        return Then(summed, Pulse(numerals[self.place]), Appear(over), Draw(rule))


def into_the_pattern(film: ScaleThenSoftmax) -> verbs.Verb:
    """Let the row's own line of the pattern come, cell by cell, each with its number."""
    row, board, own, line = film.row, film.board, film.asker, film.line
    said = *film.ranges[1], film.swings[1], film.amounts[1], film.places[2]
    gone = Disappear(*all_but(row), *said, *line.formula, run_time=QUICK)
    asker = verbs.TurnInto(line.asker, board.queries[own], run_time=QUICK)
    grid = Fade(board.faces, to=1.0, run_time=QUICK), asker
    cells = zip(board.keys, film.fills.past(own), film.given, strict=True)
    return Then(gone, Together(grid), Flow((Appear(*each) for each in cells), SLOW))


def own_shares(film: ScaleThenSoftmax) -> list[Number]:
    """Return the numbers in the followed row of the pattern: one decimal where cells are narrow."""
    board, row = film.board, film.asker
    form = board.number_format(film.weights, 2 - film.stage.is_narrow)
    numbers, most = list[Number](), float(film.weights.array.max())
    for key, share in enumerate(film.weights[row].values[: row + 1]):
        number = Chance(share, form.decimals, form.size).move_to(board.cell(row, key))
        number.scale(min(1.0, (board.wide - HAIR) / number.width))
        numbers.append(number.set_color(ink_on_fill(share.number, most, FAINTEST)))
    return numbers


def light(stack: Stack, names: Sequence[Glyphs], place: int) -> verbs.Verb:
    """Let all shares but one be bright in turn, each with its name and another one; and back."""
    bright, back = list[verbs.Verb](), list[verbs.Verb]()
    for other, shape in enumerate(stack.shapes):
        if other != place:
            lit, named = shape.copy(), (*stack.labels(other), names[other])
            set_fill(lit, theme.color(theme.POSITIVE), theme.STRONGEST_FILL)
            bright.append(Together(verbs.Become(shape, lit, QUICK), Pulse(*named)))
            back.append(verbs.Become(shape, shape.copy(), QUICK))
    return Then(Flow(bright, STEADY), Hold(QUICK), Together(back))


def notes(film: ScaleThenSoftmax) -> tuple[list[Words], list[VGroup]]:
    """Return how large a nudge is, before scaling and after it, and how far the share goes.

    The last amount is the nudge after scaling, before it is divided itself.
    """
    one, by = constant(NUDGE, "nudge"), film.divisor
    moves = (film.products, one), (film.scores, one / by), (film.scores, one)
    said = [Words("\N{PLUS-MINUS SIGN} {:.2g}", far, size=SPOKEN_SIZE) for _, far in moves]
    amounts = [each.set_color(theme.color(ACCENT)) for each in said]
    ends = [[nudged_share(row, sign * far.number) for sign in (-1, 1)] for row, far in moves[:2]]
    for note, nudged in zip(amounts, film.places, strict=True):
        film.line.set_aside(note, film.row)
        film.row.set_beside(note, nudged, film.top)
    column, ranges = film.row.stack.column, list[VGroup]()
    for (low, high), swing in zip(ends, film.swings, strict=True):
        name = TokenText(label_of(film.tokens[film.top]), TITLE_SIZE)
        told = Words(told_range(low, high), low, high, size=TITLE_SIZE, role=ACCENT)
        for each in (name, told):
            each.shrink_to(film.row.stack.region.right - column.right - GAP)
        lines = VGroup(name, told).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        least, most = column.bottom + lines.height, column.top - lines.height / 2
        level = float(np.clip(swing.get_y(), least, most))
        ranges.append(lines.move_to((column.right + GAP, level, 0), LEFT))
    return amounts, ranges


def brackets(film: ScaleThenSoftmax) -> tuple[list[VMobject], list[VMobject]]:
    """Return how far the followed share is nudged, and all of it, before and after scaling."""
    row, left = film.row, film.stage.left
    swings = [row.swing(numbers, film.top, by) for numbers, by in film.moves]
    return swings, [row.held(each, film.top, left) for each in (film.before, film.after)]


def nudged_share(numbers: Tensor, by: float) -> Value:
    """Return the share of the largest number once this is moved."""
    return applied(NUDGED, NUDGED.work(numbers.double, by), numbers, constant(by, "nudge"))


def share_of_largest(row: Numbers, by: float) -> float:
    """Return the share that softmax gives to the largest number once this is moved."""
    raised = np.exp(row - row.max() + by * (np.arange(len(row)) == row.argmax()))
    return float(raised[row.argmax()] / raised.sum())


def all_but(whole: VMobject, *kept: VMobject) -> list[VMobject]:
    """Return all shapes of a whole, except for some."""
    return [part for part in parts_of(whole) if len(part.points) and part not in kept]


def random_vectors(film: ScaleThenSoftmax, length: int) -> list[Tensor]:
    """Return random queries and keys, (pairs, length) each, and their dot products."""
    return [film.tensor(f"random_vectors.{name}_{length}") for name in ("q", "k", "dots")]


NUDGED = Operation("share of the largest of {} once it is moved by {}", share_of_largest)
LENGTHS = (16, 64, 256)  # entries of the random vectors
WHOLES, WIDEST_CELL = 1.0, 3.0  # beside the pattern, for sums; times as wide as tall, its cells
LEAST_CELL = 0.7  # of what the pattern's cells could be: the others are for names
FAINTEST = 0.12  # of a role's colour, the smallest shares
STUCK, STIRS = 0.95, 0.05  # a share of nearly all; how far one goes that is nudged and moves
