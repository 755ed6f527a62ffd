"""Why a layer has many heads, and how their answers come together again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from manim import CubicBezier, Mobject, Rectangle, VGroup
from manim.constants import DOWN, LEFT, ORIGIN, RIGHT, UP
from manim.typing import Vector3D

from scenes import theme, verbs
from scenes.analysis.selection import Disagreement
from scenes.expressions import Stacked
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.deck import BESIDE, Deck, Matrices, Pose
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.outlines import Points
from scenes.mobjects.pattern import AskedRow, PatternRow, lanes
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import TokenRow, line_or_column
from scenes.narration import counted
from scenes.provenance import Tensor, constant, count
from scenes.region import Region
from scenes.verbs import Appear, Disappear, Draw, Fade, Flow, Pulse, Then, Together, Vary

GPT_3 = "GPT-3: 96 layers of 96 heads (Brown et al. 2020, table 2.1)"
ROLES = ("query", "Q"), ("key", "K"), ("value", "V")
NAMES, SUMS = 0.6, 2.0  # scene units, to the left and right of rows that left their patterns
HIGH, BESIDE_COLUMN = 1.9, 0.7  # scene units, how far questions reach from a line or a column
WIDEST_SLOT, LEAST_PITCH = 2.4, 0.7  # scene units, and where signs stand between
COLUMN_SHARE, AT_ONCE = 0.42, 1e-3  # of a slot, for a column of numbers; seconds


class ManyHeads(Film):
    """A head has one row of weights to give; with many heads a word can ask many things at once."""

    title = "Many heads"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 78
    poster_beat = "a-head-for-each-question"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        self.patterns = self.tensor("pattern")
        self.layers, self.heads = self.patterns.shape[:2]
        if self.heads == 1:
            self.refuse("many-heads needs a model with two heads or more in a layer.")
        self.has_bias = "b_O" in self.traits.biases
        self.pair = Disagreement.of(self.patterns.array[self.layer], self.head)
        self.asker, self.keys = self.pair.query, self.pair.keys
        self.rows = [self.patterns[self.layer, head, self.asker] for head in self.pair.heads]
        named = [self.name_of(at) for at in (self.asker, *self.keys)]
        self.is_ours = named == ["forest", "verdant", "the"] and self.pair.differ

    def words(self) -> Mapping[str, str]:
        one, other = (self.name_to(self.asker, key) for key in self.keys)
        return {
            "asker": self.name_of(self.asker),
            "one": one,
            "other": other,
            "most": "most of it" if self.rows[0].array.max() > 0.5 else "the largest part",
            "heads": counted(self.heads, "head"),
            "all": counted(self.layers * self.heads, "head"),
            "sharing": str(self.traits.sharing),
            "and_a_bias": ", with one bias" if self.has_bias else "",
        }

    def circumstances(self) -> Mapping[str, bool]:
        ours = {"same_word": not self.pair.differ, "other_words": not self.is_ours}
        return {**super().circumstances(), **ours}

    def cast(self) -> None:
        asked = ("what is it like?", "which one?") if self.is_ours else ("?", "?")
        self.opening = Opening(self.tokens, self.pair, asked, self.rows, self.under_title)
        self.sentence, self.ring = self.opening.sentence, self.opening.ring
        other = self.rows[1] if self.pair.differ else one_hot(len(self.tokens), self.keys[1])
        chips = self.sentence.copy().shift(self.opening.rise)
        self.row = AskedRow(chips, (self.rows[0], other), self.keys, self.under_title)
        slots = Slots.of(self.stage, self.heads, self.heads + self.has_bias + 1)
        rows, columns = self.tensor("weights.W_Q").shape[2:]
        wall = self.stage.lowered(2 * theme.GAP)
        deck = wall.raised(2 * theme.GAP * self.stage.is_narrow)
        rooms = self.stage, deck, slots.heads, wall
        regions = dict(zip((Pose.FRONT, Pose.DECK, Pose.ROW, Pose.WALL), rooms, strict=True))
        where, lit = (self.layer, self.head), self.asker
        own = Matrices((rows, columns), self.traits.sharing)
        self.deck = Deck(self.patterns.array, where, regions, lit=lit, matrices=own, plain=(96, 96))
        self.marks = Marks(self.deck, lit, len(self.tokens))
        self.asked = [self.marks.tiles[head] for head in self.pair.heads]
        free = slots.for_rows(self.stage)
        self.columns = line_or_column(self.tokens, free)
        places, radius = lanes(self.columns, free, len(self.rows))
        self.lifted = [
            PatternRow(row, at, radius, self.marks.home(self.deck, head), theme.QUERY)
            for row, at, head in zip(self.rows, places, self.pair.heads, strict=True)
        ]
        changes = list(self.tensor("head_out")[self.layer, :, self.asker])
        bias = [self.tensor("weights.b_O")[self.layer]] if self.has_bias else []
        whole = self.tensor("attn_out")[self.layer, self.asker]
        self.sum = Sum(changes, bias, whole, slots, self.stage)
        self.stand(self.deck, self.row, self.opening, self.marks, *self.lifted, self.columns)
        self.stand(self.sum)

    @beat(
        "How can one word ask two things at once? | Forest may ask what it is like, | "
        "and which one is meant: | a forest, or the forest?",
        other_words="How can one word ask two things at once? | Take {asker}. | "
        "It may look for {one}, | and for {other} as well.",
    )
    def two_questions(self) -> Shown:
        chips, ring = self.sentence.chips, Draw(self.ring, run_time=theme.QUICK)
        (curve, words), (other_curve, other_words) = self.opening.questions
        come = Flow(map(Appear, chips), budget=theme.QUICK)
        yield Then(come, Together(ring, Draw(curve, other_curve)))
        yield Appear(words), Then(verbs.Hold(theme.QUICK), Pulse(chips[self.keys[0]]))
        yield Appear(other_words), Then(verbs.Hold(theme.QUICK), Pulse(chips[self.keys[1]]))
        yield Then(Pulse(chips[self.keys[1]]), Pulse(other_words))

    @beat(
        "A head answers with one row of weights, | and a row adds up to one. | "
        "Here, {most} goes to {one}."
    )
    def one_row_adds_up_to_one(self) -> Shown:
        gone, row = Disappear(*self.opening.questions, run_time=theme.STEADY), self.row
        rise = verbs.Shift(self.sentence, self.ring, by=self.opening.rise)
        poured = Together(Fade(row.bar, row.arcs, to=1), Vary(row.arcs.pour, 0, 1, theme.SLOW))
        yield gone, rise, Then(verbs.Hold(0.8 * theme.STEADY), poured)
        yield Draw(row.brace), Appear(row.whole)
        yield Then(Pulse(self.sentence.chips[self.keys[0]]), Appear(row.numbers[0]))

    @beat(
        "To look at {other} as well, | it must take weight from {one}. | "
        "What arrives is a blend, | half an answer to each question."
    )
    def asking_twice_halves_the_answer(self) -> Shown:
        row, chip = self.row, self.sentence.chips[self.keys[1]]
        yield Then(Pulse(chip), Pulse(chip))
        yield Vary(row.ask_both, 0, 1, theme.SLOW)
        yield Then(Appear(row.numbers[1]), Pulse(row.bar, scale=1.04))
        yield Then(map(Pulse, row.numbers))

    @beat(
        "So a layer does not rely on one head. | It has {heads}, | "
        "each with its own query, key and value matrices. | All read the same "
        "sentence, | and each draws its own pattern.",
        shared_keys="So a layer does not rely on one head. | It has {heads}, each with its own "
        "query matrix. | Keys and values are made once for every {sharing} heads. | "
        "All read the same sentence, | and each draws its own pattern.",
    )
    def a_head_for_each_question(self) -> Shown:
        row, deck, back = self.row, self.deck, -self.opening.rise
        leaving = Disappear(self.sentence, self.ring, row.brace, row.labels)
        shrink = verbs.Become(row.bar, self.marks.front_row, theme.STEADY)
        card = Then(verbs.Hold(theme.QUICK / 2), Fade(deck.near_to_far[0], to=1))
        behind = Fade(*deck.near_to_far[1:], to=1, run_time=AT_ONCE)
        home = verbs.Shift(self.sentence, self.ring, by=back, run_time=AT_ONCE)  # unseen
        become = Together(leaving, Fade(row.arcs, to=0), shrink, card)
        yield Then(Vary(row.ask_both, 1, 0), become, behind, home)
        yield Vary(deck.go, Pose.FRONT, Pose.DECK, theme.SLOW), Disappear(row.bar)
        yield Flow(map(Appear, deck.near_plates)), Flow(map(Appear, self.marks.matrices))
        yield Disappear(*deck.near_plates, self.marks.matrices), self.turn(Pose.DECK, 0.8)
        yield Then(self.turn(0.8, Pose.DECK), Flow(Pulse(card) for card in deck.near_to_far))

    @beat(
        "Lift the row of forest out of two of them. | "
        "One looks at verdant: what it is like. | "
        "The other looks at the: which one is meant. | Each had a whole row to give.",
        same_word="Lift the row of {asker} out of two of them. | One looks mostly at {one}. | "
        "So does the other, if not in the same measure. | Each had a whole row to give.",
        other_words="Lift the row of {asker} out of two of them. | One looks mostly at {one}. | "
        "The other looks mostly at {other}. | Each had a whole row to give.",
    )
    def two_rows_leave_their_patterns(self) -> Shown:
        seen = Fade(*(part for row in self.lifted for part in (row.strip, row.dots)), to=1)
        rise = Together(seen, *(Vary(row.lift, 0, 1, theme.SLOW) for row in self.lifted))
        yield Then(self.turn(Pose.DECK, Pose.ROW), Draw(*self.asked), rise, Appear(self.columns))
        for row in (self.lifted[0], self.lifted[-1]):
            yield Then(Pulse(self.columns.chips[row.key]), Appear(row.number))
        yield Flow(Together(Pulse(row.strip, scale=1.02), Appear(row.whole)) for row in self.lifted)

    @beat(
        "Nobody handed out these jobs: training found them. | This model has {all}. | "
        "GPT-3 has ninety-six layers | of ninety-six heads each."
    )
    def a_wall_of_heads(self) -> Shown:
        back = Together(Vary(row.lift, 1, 0) for row in self.lifted)
        gone = Disappear(*(row.strip for row in self.lifted), *(row.dots for row in self.lifted))
        numbers = [part for row in self.lifted for part in (row.number, row.whole)]
        wall = Together(gone, Fade(self.deck.others, to=1), self.turn(Pose.ROW, Pose.WALL))
        yield Disappear(self.columns, *numbers, *self.asked), Then(back, wall)
        yield Flow(map(Pulse, (*self.deck.own, *self.deck.others)), gathering=True)
        yield Fade(self.deck.plain, to=1), self.turn(Pose.WALL, Pose.FAR)
        yield Appear(self.marks.gpt_3), Appear(self.marks.own)

    @beat(
        "Back in our layer, | each head hands {asker} a change of its own. | "
        "The layer adds them up{and_a_bias}. | "
        "So forest asks both at once, | and gets both answers.",
        other_words="Back in our layer, | each head hands {asker} a change of its own. | "
        "The layer adds them up{and_a_bias}. | "
        "So {asker} can ask several things at once, | and get all the answers.",
    )
    def one_sum(self) -> Shown:
        added, deck = self.sum, self.deck
        gone = Disappear(self.marks.gpt_3, self.marks.own, deck.plain, deck.others)
        yield gone, self.turn(Pose.FAR, Pose.ROW)
        yield Flow(map(verbs.ComeFrom, added.changes, self.marks.boxes)), Draw(*self.asked)
        last = sorted(range(len(added.flying)), key=lambda place: place in self.pair.heads)
        fly = (verbs.GoInto(added.flying[place], added.whole, theme.SLOW) for place in last)
        rest = [each for head, each in enumerate(added.changes) if head not in self.pair.heads]
        more = Then(Flow(map(Appear, (*added.more, *added.signs))), verbs.Dim(*rest, added.more))
        yield more, Flow(fly, gathering=True), Fade(added.whole, to=1, run_time=theme.SLOW)
        left = [*deck.own, *added.changes, added.more, added.signs, *self.asked]
        curves, words = zip(*self.opening.questions, strict=True)
        again = Together(Appear(*self.sentence.chips), Draw(self.ring, *curves))
        home = verbs.GoInto(added.whole, self.sentence.chips[self.asker], theme.STEADY)
        yield Then(Disappear(*left), Together(home, Then(verbs.Hold(theme.QUICK), again)))
        found = Flow(Pulse(self.sentence.chips[key]) for key in self.keys)
        yield Appear(*words[: 2 * self.is_ours]), Flow(map(Appear, self.opening.answers)), found

    # What only this film shows

    def turn(self, start: float, end: float) -> verbs.Verb:
        """Return how the heads go from one pose to another."""
        return Vary(self.deck.go, start, end, theme.SLOW)

    def small_print(self) -> Words:
        layer = count(self.layer, "the layer shown")
        return Words("layer {}", layer, size=theme.PLAIN_SIZE, role=theme.QUIET)


class Opening(VGroup):
    """A sentence, and the questions of one of its tokens about two others.

    Parts: `sentence`, `ring` around the token, `questions`, a curve and words each, and `answers`,
    the weights that two rows give to the two others. The sentence stands in the middle and goes to
    its own place by `rise`.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        pair: Disagreement,
        asked: Sequence[str],
        rows: Sequence[Tensor],
        region: Region,
    ) -> None:
        self.sentence = line_or_column(tokens, region)
        low = self.sentence.lines == 1
        self.rise = self.sentence.get_center() - region.center
        self.sentence.shift(-self.rise)
        self.ring = Ring(self.sentence.chips[pair.query])
        sides = (DOWN, UP) if low else (RIGHT, LEFT)
        self.questions = [
            question(self.sentence, pair.query, key, side, text)
            for key, side, text in zip(pair.keys, sides, asked, strict=True)
        ]
        self.answers = []
        for (_, words), row, key, side in zip(self.questions, rows, pair.keys, sides, strict=True):
            region.hold(words)
            answer = Number(row[key].value, size=theme.HEADING_SIZE if low else theme.NAMED_SIZE)
            inner = ORIGIN if low else -side  # so that it keeps clear of its curve
            answer.next_to(words, side if low else DOWN, buff=theme.GAP, aligned_edge=inner)
            if low and asked[0] == "?":
                answer.move_to(words)
            self.answers.append(answer)
        super().__init__(self.sentence, self.ring, *self.questions, *self.answers)


class Marks(VGroup):
    """What is said of heads in space, at the places where they stand.

    Parts: `matrices`, the names of the front head's matrices in the deck; `gpt_3` and `own`, how
    many heads there are; `tiles`, rings around the row's heads. `boxes` hold a query's rows.
    """

    def __init__(self, deck: Deck, query: int, tokens: int) -> None:
        deck.go(Pose.DECK)
        plates = deck.weights[deck.front]
        names = [Formula(f"${role}(W_{kind})$") for role, kind in ROLES[: len(plates)]]
        self.matrices = VGroup(*names).arrange(RIGHT, buff=1.5 * theme.HAIR)
        is_narrow = deck.regions[Pose.DECK].is_narrow
        beside = (deck.own[deck.front], DOWN) if is_narrow else (plates, UP)
        self.matrices.next_to(*beside, buff=theme.HAIR, aligned_edge=LEFT)
        deck.regions[Pose.DECK].hold(self.matrices)
        deck.go(Pose.ROW)
        self.boxes = [row_of(card, query, tokens) for card in deck.own]
        self.tiles = [Ring(card[0]) for card in deck.own]
        deck.go(Pose.FAR)
        many, product = constant(96, GPT_3), "{}: {} \N{MULTIPLICATION SIGN} {} = {:,.0f} heads"
        self.gpt_3 = Words(product, "GPT-3", many, many, many * many, size=theme.TITLE_SIZE)
        region = deck.regions[Pose.FRONT]
        self.gpt_3.move_to((region.center[0], region.top, 0), aligned_edge=UP)
        number = count(deck.layers * deck.heads, "heads of the model")
        self.own = Words("this model: {:,.0f}", number, size=theme.SPOKEN_SIZE, role=theme.QUERY)
        self.own.next_to(VGroup(*deck.own, deck.others), DOWN if is_narrow else RIGHT, theme.GAP)
        deck.go(Pose.FRONT)
        self.front_row = row_of(deck.own[deck.front], query, tokens)
        super().__init__(self.matrices, self.gpt_3, self.own, *self.tiles)

    def home(self, deck: Deck, head: int) -> Callable[[], tuple[Points, Mobject]]:
        """Return what tells where a row lies in its pattern."""
        return lambda: (deck.row_seen(head), self.boxes[head])


@dataclass(frozen=True)
class Slots:
    """Places side by side, `pitch` apart: the heads of a layer, what else is added, and the sum."""

    heads: Region
    pitch: float
    xs: tuple[float, ...]

    @classmethod
    def of(cls, stage: Region, heads: int, slots: int) -> Slots:
        """Divide the width of a stage; the heads stand at its top."""
        pitch = min(WIDEST_SLOT, stage.width / slots)
        left = stage.center[0] - pitch * slots / 2
        xs = tuple(left + (slot + 0.5) * pitch for slot in range(slots))
        half = pitch / BESIDE / 2
        row = Region(xs[0] - half, xs[heads - 1] + half, stage.top - 2 * half, stage.top)
        return cls(row, pitch, xs)

    def below(self, stage: Region) -> Region:
        """Return what is left of a stage under the heads."""
        return stage.lowered(self.heads.height + theme.GAP)

    def for_rows(self, stage: Region) -> Region:
        """Return the room of rows that left their heads: names, numbers and sums have theirs."""
        free, right = self.below(stage), NAMES if stage.is_narrow else SUMS
        return Region(free.left + NAMES, free.right - right, free.bottom + NAMES, free.top)


class Sum(VGroup):
    """What heads add, a column of numbers each, a bias if there is one, and the sum on the right.

    Parts: `changes`, which stand under their heads, `more`, the bias and its name, `flying`, their
    doubles that go into `whole`, and `signs` between them.
    """

    def __init__(
        self,
        changes: Sequence[Tensor],
        bias: Sequence[Tensor],
        whole: Tensor,
        slots: Slots,
        stage: Region,
    ) -> None:
        room, every = slots.below(stage), [*changes, *bias, whole]
        largest = max(float(np.abs(each.array).max()) for each in every)
        unit, thick = room.height / len(whole), COLUMN_SHARE * slots.pitch
        columns = [
            Area(each, unit, outline=theme.OUTPUT, largest=largest, thickness=thick).move_to(
                (x, room.center[1], 0)
            )
            for each, x in zip(every, slots.xs, strict=True)
        ]
        self.changes, self.whole = columns[: len(changes)], columns[-1]
        biases = columns[len(changes) : -1]
        named = (Words("bias", size=theme.SPOKEN_SIZE) for _ in biases)
        names = [name.next_to(biases[0], UP, buff=theme.GAP) for name in named]
        self.more = VGroup(*biases, *(name for name in names if name.width < slots.pitch))
        self.flying = VGroup(*(column.copy() for column in columns[:-1]))
        signs = ["$+$"] * (len(every) - 2) + ["$=$"] if slots.pitch > LEAST_PITCH else []
        self.signs = VGroup(*(Formula(sign, theme.SPOKEN_SIZE) for sign in signs))
        for sign, x in zip(self.signs, slots.xs, strict=False):
            sign.move_to((x + slots.pitch / 2, room.center[1], 0))
        super().__init__(*self.changes, self.more, self.flying, self.signs, self.whole)


def question(sentence: TokenRow, asker: int, key: int, out: Vector3D, text: str) -> VGroup:
    """Return a curve from one chip to another on one side of them, with words at its far side."""
    along = np.abs(out[[1, 0, 2]]) * (
        sentence.chips[key].get_center() - sentence.chips[asker].get_center()
    )
    reach = (HIGH if sentence.lines == 1 else BESIDE_COLUMN) * out
    start, end = (sentence.chips[at].get_edge_center(out) + theme.HAIR * out for at in (asker, key))
    start, end = start + theme.HAIR * np.sign(along), end - theme.HAIR * np.sign(along)
    curve = CubicBezier(start, start + reach, end + reach, end, stroke_width=theme.BOLD_LINE)
    curve.set_stroke(theme.color(theme.QUERY))
    size = theme.TITLE_SIZE if sentence.lines == 1 else theme.PLAIN_SIZE
    words = Words(text, size=size, role=theme.QUERY)
    words.next_to(curve.point_from_proportion(0.5), out, buff=theme.HAIR)
    return VGroup(curve, words)


def row_of(card: VGroup, query: int, tokens: int) -> Rectangle:
    """Return the box of a query's row on a card that is seen from the front."""
    pitch = card[0].height / tokens
    box = Rectangle(width=card[0].width, height=pitch, stroke_color=theme.color(theme.QUERY))
    return box.move_to(card[0]).shift(((tokens - 1) / 2 - query) * pitch * UP)


def one_hot(length: int, place: int) -> Tensor:
    """Return the row of a head that gives all of its attention to one key."""
    numbers = np.eye(length)[place]
    values = [constant(float(number), "a whole row for one word") for number in numbers]
    return Tensor(numbers, Stacked(tuple(value.origin for value in values)))
