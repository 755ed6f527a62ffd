"""What one word goes through, all words go through at once, as matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Line, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.analysis.scaling import Scaling
from scenes.analysis.softmax import past
from scenes.camera import WHOLE, View
from scenes.film import Film, Shown, beat
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.matrix_product import MatrixProduct, hatched_future, words_beside
from scenes.mobjects.text import Formula, Words
from scenes.mobjects.tokens import Chip
from scenes.provenance import Tensor, transposed
from scenes.region import Region
from scenes.theme import KEY, OUTPUT, QUERY, QUIET, SLOW, VALUE, Role
from scenes.verbs import (
    Appear,
    ComeFrom,
    Disappear,
    Fade,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    TurnInto,
    Vary,
    Verb,
)

STEPS = "q", "k", "v", "scores", "pattern", "z", "head_out"  # of a head, as the trace names them
SYMBOLS = (  # of a step: its tensor, what one row of it is called, the matrix's letter, role
    ("q", "query", "query(Q)", QUERY),
    ("scores", "scores", "S", None),
    ("pattern", "weights", "A", None),
    ("z", "mixture", "value(Z)", VALUE),
    ("out", "change", "output(Delta)", OUTPUT),
)
NAMES = 1.25  # scene units, for symbols beside matrices
ROUND = 0.3  # scene units, above a product
CLOSE = 0.75  # of the stage, for the first rows of one word
AFTER = 0.6  # scene units behind a line, for what it leaves out there
MIDDLE = 0.8  # of the stage's shorter side, for a matrix that stands alone


class OneHeadAsMatrices(Film):
    """What one word goes through in a head, all words go through at once, as rows of matrices."""

    title = "One head as matrices"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 66
    poster_beat = "one-line"

    def observe(self) -> None:
        self.model = AttentionHead.given(self.tensor, self.layer, self.head)
        self.scaling = Scaling.of(self.traits, self.layer)
        self.asker = self.followed()
        self.query = self.model.q[self.asker]

    def words(self) -> Mapping[str, str]:
        return {
            "asker": self.name_of(self.asker),
            "place": str(self.asker + 1),
            "scaled": self.scaling.sentence(self.query),
            "scale": "Scale them, hide" if self.scaling.divides else "Hide",
        }

    @beat(
        "Must every word wait for its turn? | "
        "In a head, {asker}'s query becomes a row of scores, | "
        "the scores become weights, | and the weights mix values into a change.",
    )
    def one_word_alone(self) -> Shown:
        (q, scores, weights, z, change), names = self.stack.rows, self.stack.names
        yield Appear(q, names[0], self.stack.chip)
        yield Then(Pulse(q, self.stack.chip, scale=1.04), self.made(1, scores, q))
        onward = self.travel_to(self.close_to(1, 2)), Disappear(q, names[0], self.stack.chip)
        yield *onward, Then(Hold(), self.made(2, weights, scores))
        left = q, scores, *names[:2], self.stack.chip
        mixed = self.travel_to(self.close_to(2, 3)), Disappear(*left), self.made(3, z, weights)
        back = self.pull_back(), Fade(*left, to=1), self.made(4, change, z)
        yield Then(Together(*mixed), Together(*back))

    def made(self, step: int, row: Mobject, source: Mobject) -> Together:
        """Return how the row of a step comes out of the one before, with its name."""
        return Together(ComeFrom(row, source, fit=False), Appear(self.stack.names[step]))

    def close_to(self, *steps: int) -> View:
        """Return the view in which the rows of some steps fill the stage."""
        parts = [part for i in steps for part in (self.stack.names[i], self.stack.rows[i])]
        return WHOLE.into(VGroup(*parts, *[self.stack.chip][: 0 in steps]), self.stage, CLOSE)

    @beat(
        "No: all of them go together. | Every row widens into a matrix, | one row for each word. | "
        "Row {place} is still {asker}'s.",
        alone="No: all of them would go together. | Every row becomes a matrix, | "
        "one row for each word. | Here there's one word, so there's one row.",
    )
    def rows_become_matrices(self) -> Shown:
        stack = self.stack
        yield Fade(*stack.others, to=1), Vary(stack.widen, 0, 1, SLOW)
        letters = zip(stack.names, stack.symbols, strict=True)
        yield Flow(Then(Disappear(name), Appear(letter)) for name, letter in letters)
        yield Flow(Pulse(each, scale=1.04) for each in stack.matrices)
        yield Flow(map(Appear, stack.rings)), Pulse(stack.chip, run_time=theme.STEADY)

    @beat(
        "Now one product does all the comparing: | queries times keys, transposed. | "
        "Each row meets every column, | and all the scores are there at once.{scaled}",
    )
    def every_score(self) -> Shown:
        made, stack = self.scoring, self.stack
        gone = stack.matrices[1:]
        yield (
            Disappear(*gone, *stack.rings, *stack.symbols, stack.chip),
            TurnInto(stack.matrices[0], made.left),
            Then(Hold(), Flow(map(Appear, [*made.words, made.left_name]))),
        )
        yield Appear(made.right, made.right_name)
        yield self.meeting(made)
        told = [*self.notes, *self.notes, *(made.result for _ in 2 * self.notes)]
        named = (Pulse(each, run_time=SLOW) for each in told)
        yield Appear(made.result_name, *self.notes), Then(self.rest(made), *named)

    @beat(
        "{scale} what comes later, | and let softmax run along every row: | "
        "scores have become weights.",
        alone="{scale} what comes later, | and let softmax run along the row: | "
        "the score has become a weight.",
    )
    def every_weight(self) -> Shown:
        made = self.scoring
        gone = made.left, made.right, made.left_name, made.right_name, made.result_name
        grown = TurnInto(made.result, self.scores), Appear(self.scores_name)
        hidden = zip(self.scores.rows, self.hidden.rows, strict=True)
        hiding = Flow(TurnInto(*pair, run_time=theme.QUICK) for pair in hidden)
        yield (
            Disappear(*gone, *made.words, *self.notes),
            Then(Together(*grown), Together(hiding, Flow(map(Appear, self.hatching)))),
            Then(Hold(theme.STEADY), Appear(*self.words_beside)),
        )
        rows = zip(self.hidden.rows, self.weights.rows, strict=True)
        softmax = Flow((TurnInto(*pair) for pair in rows), gathering=True)
        yield softmax, Fade(self.weights.outline, to=1), Disappear(self.scores.outline)
        named = Then(Disappear(self.scores_name), Appear(self.weights_name))
        yield named, Pulse(self.weights, self.hatching, scale=1.04)

    @beat(
        "One more product mixes the values: | weights times values. | "
        "Every row that comes out | is one word's mixture."
    )
    def every_mixture(self) -> Shown:
        made = self.mixing
        yield (
            Disappear(self.weights_name, self.hatching, *self.words_beside),
            TurnInto(self.weights, made.left),
            Then(Hold(), Flow(map(Appear, [*made.words, made.left_name]))),
        )
        yield Appear(made.right, made.right_name)
        yield self.meeting(made)
        yield Appear(made.result_name), self.rest(made)

    def meeting(self, made: Meeting) -> tuple[Verb, ...]:
        """Return how the first row meets every column, and leaves the first row of the product."""
        rings = Appear(made.row_ring, made.column_ring, made.result.outline)
        return rings, Vary(made.across, 0, 1, SLOW), Appear(made.result.rows[0], run_time=SLOW)

    def rest(self, made: Meeting) -> Together:
        """Return how all other rows do the same, at once."""
        rows = Appear(*made.result.rows[1:], run_time=theme.STEADY)
        return Together(rows, Disappear(made.row_ring, made.column_ring))

    @beat(
        "So a whole head fits on one line: | compare, | turn into weights, | and mix. | "
        "It leaves out hiding the words to come, the output matrix, and the addition. | "
        "But no word waits: two big products serve them all, | "
        "and big products are what chips are built for."
    )
    def one_line(self) -> Shown:
        made, line = self.mixing, self.line
        gone = (
            made.left_name,
            made.right_name,
            made.result_name,
            *made.words,
            made.left,
            made.result,
        )
        yield (
            Disappear(*gone),
            Then(TurnInto(made.right, line.v), Appear(line.equals, line.z.outline)),
            Then(Hold(), ComeFrom(line.q, made.left, fit=False), Appear(line.k)),
        )
        yield Pulse(line.q, line.k, scale=1.04), Flow(map(Appear, line.compare))
        yield Flow(map(Appear, line.softmax))
        yield Flow(map(Appear, line.mix)), Pulse(line.v, scale=1.04)
        yield Flow(Then(Appear(each), Pulse(each)) for each in line.left_out)
        rows = zip(line.z.rows, line.q.rows, strict=True)
        at_once = Together(ComeFrom(new, old, SLOW, fit=False, bow=line.aside) for new, old in rows)
        yield Disappear(line.left_out), Then(Hold(), at_once)
        yield Then(Pulse(line.q, line.k, scale=1.04), Pulse(line.v, line.z, scale=1.04))

    def cast(self) -> None:
        """Make the rows that become matrices, two products, and the line that they are."""
        head, stage = self.model, self.stage
        self.stack = Stack(head, self.asker, self.tokens[self.asker], stage.raised(theme.GAP))
        roles = (QUERY, KEY, None), (None, VALUE, VALUE)
        names = ("query(Q)", "key(K^top)", "S"), ("A", "value(V)", "value(Z)")
        k_t = transposed(head.k)
        self.scoring = Meeting((head.q, k_t, head.scores), roles[0], names[0], self.tokens, stage)
        self.mixing = Meeting(
            (head.pattern, head.v, head.z), roles[1], names[1], self.tokens, stage
        )
        unit = MIDDLE * min(stage.width, stage.height) / len(self.tokens)
        steps = head.scores, past(head.scores), head.pattern
        self.scores, self.hidden, self.weights = (
            Area(each, unit, strips=len(each)).move_to(stage.center) for each in steps
        )
        self.hatching = hatched_future(self.weights)
        self.words_beside = words_beside(self.weights, self.tokens, stage)
        self.scores_name, self.weights_name = (
            Formula(f"${name}$", theme.HEADING_SIZE).next_to(self.scores, RIGHT, buff=theme.GAP)
            for name in "SA"
        )
        self.line = OneLine(head, k_t, self.scaling.markup, stage)
        template, numbers = self.scaling.note(self.query)
        notes = [Words(template, *numbers, size=theme.PLAIN_SIZE)] if template else []
        for note in notes:
            note.shrink_to(stage.width)
            note.move_to((stage.left, stage.top, 0), aligned_edge=UP + LEFT)
        self.notes = notes
        self.view = self.close_to(0, 1)
        self.stand(self.stack, self.scoring, self.scores, self.hidden, self.weights, self.hatching)
        self.stand(self.mixing, self.line, self.scores_name, self.weights_name, *notes)
        self.stand(*self.words_beside)


@dataclass(frozen=True)
class AttentionHead:
    """The steps of a head, for T tokens and K entries a head, D entries a token."""

    q: Tensor  # (T, K)
    k: Tensor  # (T, K)
    v: Tensor  # (T, K)
    scores: Tensor  # (T, T), dot products as scaled, the future not yet hidden
    pattern: Tensor  # (T, T)
    z: Tensor  # (T, K)
    out: Tensor  # (T, D)

    @classmethod
    def given(cls, tensor: Callable[[str], Tensor], layer: int, head: int) -> AttentionHead:
        """Take a head's steps as the model has them; `tensor` gives them by name."""
        return cls(*(tensor(name)[layer, head] for name in STEPS))


class Stack(VGroup):
    """A head's steps one under the other, each as one row or as the matrix that it belongs to.

    All have one unit, so that a change of 96 numbers is six times as long as a query of 16. Parts,
    by step: `rows`, those of one token; `matrices`; `names` of the rows, `symbols` of the matrices;
    `rings` around the rows. `others` are all rows but those of the token, whose text is on the
    `chip`. `widen` spreads them.
    """

    def __init__(self, head: AttentionHead, token: int, piece: str, region: Region) -> None:
        steps = [getattr(head, name) for name, *_ in SYMBOLS]
        tokens, longest = len(head.q), max(each.shape[1] for each in steps)
        free = region.height - (len(steps) - 1) * 1.5 * theme.GAP
        unit = min((region.width - NAMES - theme.GAP) / longest, free / (len(steps) * tokens))
        pitch = region.height / len(steps)
        self.matrices: list[Area] = []
        self.names: list[Words] = []
        self.symbols: list[Formula] = []
        self.token = token
        for place, (values, (_, name, symbol, role)) in enumerate(zip(steps, SYMBOLS, strict=True)):
            area = Area(values, unit, role=role, strips=len(values))
            y = region.top - (place + 0.5) * pitch
            area.move_to((region.left + NAMES, y, 0), aligned_edge=LEFT)
            self.matrices.append(area)
            word = Words(name, size=theme.PLAIN_SIZE, role=role or theme.INK)
            letter = Formula(f"${symbol}$", theme.TITLE_SIZE)
            self.names.append(word.next_to(area.band(token), LEFT, buff=theme.GAP))
            self.symbols.append(letter.next_to(area, LEFT, buff=theme.GAP))
        self.rows = [area.row(token) for area in self.matrices]
        self.rings = [Ring(area.band(token), theme.HAIR / 2) for area in self.matrices]
        self.others = [
            part
            for area in self.matrices
            for part in (area.outline, *(row for i, row in enumerate(area.rows) if i != token))
        ]
        self.homes = [[row.get_y() for row in area.rows] for area in self.matrices]
        first = self.matrices[0].band(token)
        self.chip = Chip(piece, theme.PLAIN_SIZE, widest=region.right - first.get_right()[0] - 1)
        self.chip.next_to(first, RIGHT, buff=theme.GAP)
        super().__init__(*self.matrices, *self.names, *self.symbols, *self.rings, self.chip)
        self.outlines = [area.outline.points.copy() for area in self.matrices]
        self.widen(0.0)

    def widen(self, share: float) -> None:
        """Let all rows lie upon the token's (0), each at its own place (1), or between."""
        for area, homes, outline in zip(self.matrices, self.homes, self.outlines, strict=True):
            here = homes[self.token]
            for row, home in zip(area.rows, homes, strict=True):
                row.set_y((1 - share) * here + share * home)
            middle = np.array((0.0, here, 0.0))
            area.outline.points = middle + (outline - middle) * (1.0, max(share, 0.05), 1.0)


class Meeting(VGroup):
    """A product of two matrices with their names, and rings that tell which row meets which column.

    Parts: `left`, `right`, `result`, their names, as in `left_name`; `words` beside the rows on the
    left; `row_ring`, `column_ring`.
    """

    def __init__(
        self,
        matrices: tuple[Tensor, Tensor, Tensor],
        roles: tuple[Role | None, Role | None, Role | None],
        names: Sequence[str],
        pieces: Sequence[str],
        region: Region,
    ) -> None:
        inner = Region(
            region.left + ROUND, region.right - NAMES, region.bottom + ROUND, region.top - ROUND
        )
        self.product = MatrixProduct(*matrices, inner, roles=roles)
        self.left, self.right = self.product.left, self.product.right
        self.result = self.product.result
        made = [Formula(f"${name}$", theme.HEADING_SIZE) for name in names]
        self.left_name = made[0].next_to(self.left, UP, buff=theme.HAIR)
        self.right_name = made[1].next_to(self.right, RIGHT, buff=theme.GAP)
        self.result_name = made[2].next_to(self.result, RIGHT, buff=theme.GAP)
        self.row_ring = Ring(self.left.band(0))
        self.column_ring = Ring(self.product.column(0))
        self.words = words_beside(self.left, pieces, region)
        super().__init__(self.product, *made, *self.words, self.row_ring, self.column_ring)

    def across(self, share: float) -> None:
        """Go with the ring from the first column of the right factor to the last."""
        last = round(self.right.outline.width / self.product.unit) - 1
        first, end = (self.product.column(place).get_x() for place in (0, last))
        self.column_ring.set_x((1 - share) * first + share * end)


class OneLine(VGroup):
    """The formula of a head with its matrices in place of letters, in true proportions.

    Parts: `q`, `k`, `v`, `z`, `equals`; `compare`, `softmax` and `mix`, the signs of each step;
    `left_out`, what the line does not say, each where it belongs; `aside`, how far
    what goes from `q` to `z` keeps off the line. Narrow frames have two lines.
    """

    def __init__(self, head: AttentionHead, k_t: Tensor, divisor: str, region: Region) -> None:
        size = theme.PLAIN_SIZE if region.is_narrow else theme.HEADING_SIZE
        opening, closing, equals = (
            Formula(f"${each}$", size) for each in ('"softmax" paren.l', "paren.r", "=")
        )
        between = [Formula(f"$slash {divisor}$", size)] if divisor else []
        free = region.width - 12 * theme.HAIR - 2 * AFTER
        first, second = (
            sum(each.shape[1] for each in pair) for pair in ((head.q, k_t), (head.v, head.z))
        )
        long, short = opening.width + closing.width + sum(x.width for x in between), equals.width
        unit = (free - long - short) / (first + second)
        if region.is_narrow:
            unit = min((free - long) / first, (free - short) / second)
        unit = min(unit, region.height / 2.2 / max(len(head.q), k_t.shape[0]))
        self.q, self.k, self.v, self.z = (
            Area(values, unit, role=role, strips=len(values))
            for values, role in ((head.q, QUERY), (k_t, KEY), (head.v, VALUE), (head.z, VALUE))
        )
        self.equals = equals
        lines = [opening, self.q, self.k, *between, closing], [self.v, equals, self.z]
        made = [VGroup(*line).arrange(RIGHT, buff=1.5 * theme.HAIR) for line in lines]
        if region.is_narrow:
            VGroup(*made).arrange(DOWN, buff=4 * theme.GAP, aligned_edge=RIGHT)
        else:
            VGroup(*made).arrange(RIGHT, buff=1.5 * theme.HAIR)
        VGroup(*made).move_to(region.center + UP * theme.GAP)
        names = [
            Formula(f"${name}$", size).next_to(area, UP, buff=theme.GAP)
            for name, area in zip(
                ("query(Q)", "key(K^top)", "value(V)", "value(Z)"),
                (self.q, self.k, self.v, self.z),
                strict=True,
            )
        ]
        self.compare = [*names[:2], *between]
        self.softmax, self.mix = [opening, closing], names[2:]
        big = theme.SPOKEN_SIZE if region.is_narrow else theme.TITLE_SIZE
        without = "the mask", "$output(W_O)$", "the addition"
        texts = [(Formula if "$" in each else Words)(each, size=big) for each in without]
        self.left_out = VGroup(*texts)
        end = self.z.get_right()[0]
        places = (closing, closing.get_left()[0]), (equals, end + AFTER / 2), (equals, end + AFTER)
        low = min(self.k.get_bottom()[1], self.v.get_bottom()[1]) - 2.5 * theme.GAP
        for text, (sign, x) in zip(texts, places, strict=True):
            over = region.is_narrow and sign is closing
            side = UP if over else DOWN
            level = self.k.get_top()[1] + theme.GAP if over else low
            corner = -side if sign is closing else UP + RIGHT
            text.move_to((x, level, 0), aligned_edge=corner)
            region.hold(text)
            ends = (x, float(sign.get_edge_center(side)[1]), 0), (x, level, 0)
            line = Line(*ends, buff=theme.HAIR)
            text.add(line.set_stroke(theme.color(QUIET), theme.THIN_LINE))
            low -= 3 * theme.GAP if sign is equals else 0
        self.aside = LEFT if region.is_narrow else 0.8 * self.k.height * DOWN
        super().__init__(*made, *names, self.left_out)
