"""Why a layer has many heads, and how their answers come together again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from textwrap import wrap

import numpy as np
from manim import CubicBezier, VGroup
from manim.constants import DL, DOWN, DR, LEFT, RIGHT, UP
from manim.typing import Vector3D

from scenes import theme, verbs
from scenes.analysis.directions import plane_of
from scenes.analysis.selection import Disagreement
from scenes.camera import WHOLE, run_on
from scenes.expressions import Stacked
from scenes.figures.deck import Deck, Pose, slots
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled
from scenes.mobjects.pattern import SEEN, AskedRow, PatternRow, lanes
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Words, em_of, label_of
from scenes.mobjects.tokens import COLUMN, TokenRow, line_or_column
from scenes.narration import counted
from scenes.provenance import Tensor, Value, constant, count
from scenes.region import Region
from scenes.theme import SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import Appear, Disappear, Draw, Fade, Flow, Hold, Pulse, Then, Together, Vary


class ManyHeads(Film):
    """A head has one row of weights to give; with many heads a word can ask many things at once."""

    title = "Many heads"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 95
    poster_beat = "a-head-for-each-question"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        self.patterns = self.tensor("pattern")
        self.layers, self.heads = self.patterns.shape[:2]
        if self.heads == 1:
            self.refuse("many-heads needs a model with two heads or more in a layer.")
        self.pair = Disagreement.of(self.patterns.array[self.layer], self.head)
        self.asker, self.keys = self.pair.query, self.pair.keys
        self.order = [*self.pair.heads, *(h for h in range(self.heads) if h not in self.pair.heads)]
        self.rows = [self.patterns[self.layer, head, self.asker] for head in self.pair.heads]
        self.changes = list(self.tensor("head_out")[self.layer, :, self.asker])
        self.need_changes(*(self.changes[head] for head in self.pair.heads))
        named = [label_of(self.tokens[at]) for at in (self.asker, *self.keys)]
        self.is_ours = named == ["forest", "verdant", "the"] and self.pair.differ

    def words(self) -> Mapping[str, str]:
        others = min(self.heads - 2, 2)
        where = f" in {counted(self.layers, 'block')}" * (self.layers > 1)
        return {
            "asker": self.name_of(self.asker),
            "one": self.name_to(self.asker, self.keys[0]),
            "other": self.name_to(self.asker, self.keys[1]),
            "most": "most of it" if self.rows[0].array.max() > 0.5 else "the largest part",
            "heads": counted(self.heads, "head"),
            "all": f"This model has {counted(self.layers * self.heads, 'head')}{where}",
            "asks": "may ask both" if self.is_ours else "can ask several things",
            "gets": "and get both answers" if self.is_ours else "and get all the answers",
            "rest": ("Both", "The third is", f"The other {self.heads - 2} are")[others],
        }

    def circumstances(self) -> Mapping[str, bool]:
        same, others = not self.pair.differ, not self.is_ours
        return {**super().circumstances(), "same_word": same, "other_words": others}

    def cast(self) -> None:
        stage, heads = self.stage, self.pair.heads
        named = [f"{self.name_to(self.asker, key)}?" for key in self.keys]
        asked = QUESTIONS if self.is_ours else named
        numbers = [count(head + 1, "a head, counted from one") for head in heads]
        self.asks = list(zip(numbers, asked, strict=True))
        foot = slots(stage, self.heads)
        above = stage.raised(foot.height + theme.GAP)
        free = above.raised(2 * theme.GAP).lowered(5 * theme.GAP) if stage.is_narrow else above
        self.sentence, middle = line_or_column(self.tokens, free), self.under_title
        self.risen, self.home = (self.sentence.copy() for _ in range(2))
        for each in (self.sentence, self.home):
            each.move_to(middle.center)
        self.home.chips[self.asker].plate.set_fill(theme.color(theme.OUTPUT), theme.OUT_OF_FOCUS)
        self.ring = Ring(self.sentence.chips[self.asker])
        sides = (DOWN, UP) if self.sentence.lines == 1 else (RIGHT, LEFT)
        self.questions = [
            Question(self.sentence, (self.asker, key), text, row[key].value, side)
            for key, text, row, side in zip(self.keys, asked, self.rows, sides, strict=True)
        ]
        for question in self.questions:
            middle.hold(question.words)
        low, *_, high = self.spoken = sorted((self.asker, *self.keys))
        spoken = *self.questions, *self.sentence.chips[low : high + 1]
        self.near = WHOLE.into(VGroup(*spoken), stage, ENDING)
        self.aside = [*self.sentence.chips[:low], *self.sentence.chips[high + 1 :]]
        other = self.rows[1] if self.pair.differ else one_hot(len(self.tokens), self.keys[1])
        self.row = AskedRow(self.risen, (self.rows[0], other), self.keys, stage)
        beside = stage.below(self.risen, 3 * theme.GAP)
        front, laid = (each.raised(1.5 * em_of(SPOKEN_SIZE)) for each in (beside, stage))
        if self.risen.lines > 1:
            _, beside = stage.columns(COLUMN)
            front = beside.raised(UNDER * stage.height + 2 * theme.GAP)
        wall = stage.lowered(4 * theme.GAP)
        regions = dict(zip(Pose, (front, laid, foot, wall), strict=False))
        where = self.layer, self.head
        self.deck = Deck(self.patterns.array, where, regions, lit=self.asker, plain=(96, 96))
        self.marks = Marks(self)
        self.idle = [card for head, card in enumerate(self.deck.own) if head not in heads]
        self.lifted = lifted(self, stage)
        self.chain = Chain(self, stage)
        run_on(self.deck, self.sentence)
        self.stand(self.chain, self.deck, self.row, self.sentence, self.ring)
        self.stand(*self.questions, self.marks, *self.lifted)

    @beat(
        "How can one word ask two things at once? | “Forest” may ask what it is like, | "
        "and which one is meant: | a forest, or the forest?",
        other_words="How can one word ask two things at once? | {asker} may look for {one}, | "
        "and for {other} as well: | can it have both?",
    )
    def two_questions(self) -> Shown:
        chips, asked = self.sentence.chips, zip(self.questions, self.keys, strict=True)
        come = Flow(map(Appear, chips), budget=theme.QUICK)
        yield Then(come, Draw(self.ring, run_time=theme.QUICK), Pulse(chips[self.asker]))
        first, second = (
            Then(Draw(each.curve), Together(Appear(each.words), Pulse(chips[key])))
            for each, key in asked
        )
        yield Then(Together(Fade(*self.aside, to=0), self.travel_to(self.near, STEADY)), first)
        yield second
        yield Then(Pulse(chips[self.keys[1]]), Pulse(self.questions[1].words))

    @beat(
        "What asks is a head: a part of the model | that gives each word a weight. | "
        "Its weights add up to one. | Here, {most} goes to {one}."
    )
    def one_row_adds_up_to_one(self) -> Shown:
        gone, row = Disappear(*self.questions), self.row
        poured = Fade(row.arcs, to=1), Vary(row.arcs.pour, 0, 1, theme.SLOW)
        seen = Then(Hold(STEADY), Fade(*self.aside, to=1))
        back = self.pull_back(STEADY), self.stand_as(self.risen), seen
        ready = Fade(row.bar, to=1), Pulse(self.sentence.chips[self.asker])
        yield gone, *back, Then(Hold(2 * STEADY), Together(ready))
        yield poured
        yield Then(Draw(row.brace), Appear(row.whole), Pulse(row.whole))
        aside = (band for band in row.arcs if band is not row.arcs.band(0, self.keys[0]))
        chip = self.sentence.chips[self.keys[0]]
        yield Then(verbs.Dim(*aside), Pulse(chip), Appear(row.numbers[0]))

    @beat(
        "Suppose it looked at {other} as well: | it must take weight from {one}. | "
        "What arrives is a blend, | and neither question gets its whole answer."
    )
    def asking_twice_halves_the_answer(self) -> Shown:
        row, chip = self.row, self.sentence.chips[self.keys[1]]
        yield Then(verbs.Undim(row.arcs), Pulse(chip)), Appear(row.supposed)
        yield Vary(row.ask_both, 0, 1, theme.SLOW)
        both = [row.arcs.band(0, key) for key in self.keys]
        yield verbs.Dim(*(band for band in row.arcs if band not in both)), Appear(row.numbers[1])
        yield Then(verbs.Undim(row.arcs), *map(Pulse, row.numbers))

    @beat(
        "So one head is not enough. | A block has {heads}, | "
        "and each gives {asker} a row of weights of its own. | "
        "Here's the word that each weighs most."
    )
    def a_head_for_each_question(self) -> Shown:
        row, deck, marks = self.row, self.deck, self.marks
        gather = row.gather(marks.dots), verbs.Become(row.bar, marks.front_row)
        card = Together(Fade(row.arcs, to=0), self.come(deck.front), Appear(marks.look, scale=1))
        true = Vary(row.ask_both, 1, 0), Disappear(row.brace, row.labels, row.supposed)
        asker = Appear(marks.asker, scale=1)
        yield Then(Together(true), Vary(row.close_up, 0, 1), Together(gather), card, asker)
        others = [head for head in range(self.heads) if head != deck.front]
        told = marks.asker, marks.look, row.bar, self.sentence, self.ring
        go, every = Vary(deck.go, Pose.FRONT, Pose.DECK), Flow(map(self.come, others), STEADY)
        yield Then(Disappear(*told), Together(go, Then(Hold(STEADY), every)))
        lit = (Fade(deck.own[head][-1], to=1) for head in (deck.front, *others))
        named = (Appear(name) for name in marks.askers)
        yield Flow(lit, theme.SLOW), Flow(named, theme.SLOW)
        yield Flow(map(Appear, marks.looks), theme.SLOW)

    @beat(
        "Take the row of “forest” out of two. | "
        "One looks at “verdant”, as if it asked what it's like. | "
        "The other looks at “the”: which one? | Each had a whole row to give.",
        same_word="Lift the row of {asker} out of two of them. | One looks mostly at {one}. | "
        "So does the other, if not in the same measure. | Each had a whole row to give.",
        other_words="Lift the row of {asker} out of two of them. | One looks mostly at {one}. | "
        "The other looks mostly at {other}. | Each had a whole row to give.",
    )
    def two_rows_leave_their_patterns(self) -> Shown:
        marks, seen = self.marks, (Fade(row.strip, row.dots, to=1) for row in self.lifted)
        up = (Vary(row.lift, 0, 1, theme.SLOW) for row in self.lifted)
        idle = [told for at, told in enumerate(marks.looks) if at not in self.pair.heads]
        gone = Disappear(*self.idle, *idle)
        under = Fade(self.sentence, self.ring, to=1)
        left = Disappear(*self.deck.own, marks.looks, marks.askers)
        bare = Then(Hold(theme.QUICK), left, under)
        yield Then(gone, Together(*seen, *up, bare))
        one, other = self.lifted
        for row, turn in ((one, verbs.Dim(other.dots)), (other, verbs.Undim(other.dots))):
            named = Together(Pulse(self.sentence.chips[row.key]), Appear(row.number))
            yield turn, Then(named, Appear(row.asked))
        yield Flow(Together(Pulse(row.strip, scale=1.02), Appear(row.whole)) for row in self.lifted)

    @beat(
        "How many are there in all? | {all}. | "
        "GPT-3 has ninety-six blocks | of ninety-six heads, | over nine thousand."
    )
    def a_wall_of_heads(self) -> Shown:
        deck, (gpt_3, ours, own, blocks, heads) = self.deck, self.marks.counts
        go, on = (Vary(deck.go, pose, pose + 1, theme.SLOW) for pose in (Pose.ROW, Pose.WALL))
        wall = Then(Hold(theme.QUICK / 2), Together(Fade(*deck.own, deck.others, to=1), go))
        yield Disappear(self.sentence, self.ring, *self.lifted), wall
        drawn = (Pulse(deck.block(row), scale=SLIGHT) for row in range(self.layers))
        yield Appear(ours), Flow(drawn, theme.SLOW)
        more = Then(Hold(STEADY), Flow((Fade(row, to=1) for row in deck.plain), STEADY))
        yield Then(Together(Disappear(ours, run_time=theme.QUICK / 2), on, more), Appear(blocks))
        yield Then(Appear(heads), Pulse(heads))
        yield Appear(gpt_3), Then(Hold(), Appear(own))

    @beat(
        "Back to {asker}. | One of our two heads gives it this vector, its change. | "
        "The other pushes it another way."
    )
    def a_change_from_each(self) -> Shown:
        deck, chain, chip = self.deck, self.chain, self.sentence.chips[self.asker]
        put = (verbs.MoveTo(each, chain.foot, run_time=AT_ONCE) for each in (chip, self.ring))
        gone = Disappear(deck.plain, deck.others, *deck.own, *self.marks.counts)
        near = self.zoom_into(chain.near, run_time=STEADY)
        come = Then(Hold(theme.QUICK / 2), Fade(chip, self.ring, to=1), near)
        yield gone, Together(put), come
        for at, (arrow, name) in enumerate(zip(chain.arrows, chain.names, strict=True)):
            out = Vary(chain.reach_out, at, at + 1), Then(Hold(theme.QUICK), Appear(name))
            yield Then(Fade(arrow, to=1, run_time=AT_ONCE), Together(out), Pulse(name))

    @beat(
        "Averaged, each would count half; | added, both count in full. | {rest} added, too, "
        "| and that is what all heads give {asker}."
    )
    def one_sum(self) -> Shown:
        chain = self.chain
        second = verbs.ComeFrom(chain.parts[1], chain.arrows[1], fit=False)
        halved = Vary(chain.lay, 1, 1 / 2), Draw(chain.whole, run_time=theme.QUICK)
        first = Appear(chain.parts[0], scale=1)
        yield self.pull_back(STEADY), verbs.Dim(*chain.arrows), first, Then(second, *halved)
        yield Then(Vary(chain.lay, 1 / 2, 1, theme.SLOW), Pulse(chain.whole, scale=SLIGHT))
        rest = Appear(chain.rest, scale=1, run_time=AT_ONCE), Vary(chain.add_rest, 0, 1)
        yield Then(Appear(*chain.told), Together(rest))
        chip = self.sentence.chips[self.asker]
        yield Then(Pulse(chain.whole, scale=SLIGHT), Pulse(chip), Hold(STEADY))

    @beat("So with many heads, {asker} {asks} at once, | {gets}.")
    def both_answers(self) -> Shown:
        chain, chips, (low, *_, high) = self.chain, self.sentence.chips, self.spoken
        left = Disappear(chain)
        home = self.stand_as(self.home), Then(Hold(STEADY), Fade(*chips[low : high + 1], to=1))
        asked = Draw(*(each.curve for each in self.questions), run_time=STEADY)
        words = Then(Hold(), Appear(*(each.words for each in self.questions)))
        yield left, Then(Together(*home, self.travel_to(self.near, STEADY)), Together(asked, words))
        bands = Draw(*(each.band for each in self.questions), run_time=theme.SLOW)
        plates = [chips[key].plate for key in set(self.keys)]
        given = verbs.Recolor(*plates, role=theme.VALUE, opacity=theme.OUT_OF_FOCUS)
        yield Together(bands, given), Then(Hold(theme.SLOW), Pulse(chips[self.asker]))

    # What only this film shows

    def come(self, head: int) -> verbs.Verb:
        """Return how a head's pattern comes, faint but for the row that is asked for."""
        plate, dots, lit = self.deck.own[head]
        row = [lit] * (head == self.deck.front)  # those of the others come when they are told of
        return Together(Fade(plate, *row, to=1), Fade(dots, to=FAINT))

    def stand_as(self, place: TokenRow, run_time: float = STEADY) -> verbs.Verb:
        """Return how the sentence goes to where another one stands, and its ring with it."""
        ring = verbs.Become(self.ring, Ring(place.chips[self.asker]), run_time)
        return Together(verbs.Become(self.sentence, place, run_time), ring)

    def small_print(self) -> Words:
        layer = count(self.layer + 1, "the layer shown, counted from one")
        return Words("layer {}", layer, size=theme.PLAIN_SIZE, role=theme.QUIET)


GPT_3 = "GPT-3: 96 layers of 96 heads (Brown et al. 2020, table 2.1)"
QUESTIONS = "what is it like?", "which one?"
HIGH, BESIDE_COLUMN = 1.3, 1.1  # scene units, how far questions reach from a line or a column
LETTERS, WIDE = 8, 40.0  # on a line beside a column; stroke width of a weight of one
UNDER = 0.35  # of the height, free under a card beside a column
AT_ONCE, SLIGHT = 1e-3, 1.04  # seconds; times as large
ENDING, FAINT = 0.94, 0.2  # of the room; of what is there, rows that nobody asks for


class Question(VGroup):
    """What a token of a sentence asks another one, and what that gives: `ends` are their places.

    Parts: a `curve` from the one to the other on the side `out` of their chips, `words` at its far
    side, and a `band` that comes back along it, as wide as a weight.
    """

    def __init__(
        self, sentence: TokenRow, ends: tuple[int, int], text: str, weight: Value, out: Vector3D
    ) -> None:
        chips, low = [sentence.chips[at] for at in ends], sentence.lines == 1
        along = np.abs(out[[1, 0, 2]]) * (chips[1].get_center() - chips[0].get_center())
        inward, reach = theme.HAIR * np.sign(along), (HIGH if low else BESIDE_COLUMN) * out
        start, end = (chip.get_edge_center(out) + theme.HAIR * out for chip in chips)
        start, end = start + inward, end - inward
        self.curve = CubicBezier(start, start + reach, end + reach, end)
        self.curve.set_stroke(theme.color(theme.QUERY), theme.BOLD_LINE)
        self.band = CubicBezier(end, end + reach, start + reach, start)
        self.band.set_stroke(theme.color(theme.VALUE), WIDE * weight.number)
        size, lines = (TITLE_SIZE, [text]) if low else (SPOKEN_SIZE, wrap(text, LETTERS))
        self.words = VGroup(*(Words("{}", line, size=size, role=theme.QUERY) for line in lines))
        self.words.arrange(DOWN, buff=theme.HAIR)
        self.words.next_to(self.curve.point_from_proportion(0.5), out, buff=WIDE / 200 + theme.HAIR)
        super().__init__(self.curve, self.words, self.band)


class Marks(VGroup):
    """What is said of heads in space, at the places where they stand.

    Parts: `look`, where the front head's query looks most, under its card; where each head's looks
    most, where all are laid out, `looks`, and the query, `askers`; `counts` of GPT-3's heads, of
    our model's twice, of blocks, and of heads in one of them. `front_row` is the query's of the
    front head, which `asker` names, `dots` are its own.
    """

    def __init__(self, film: ManyHeads) -> None:
        deck, row, sentence = film.deck, film.rows[0].array, film.risen
        is_narrow = deck.regions[Pose.DECK].is_narrow
        most = film.patterns.array[film.layer, :, film.asker].argmax(axis=1).tolist()
        self.looks = VGroup(*deck.looks([*map(label_of, film.tokens)], most))
        self.askers = VGroup(*deck.named(label_of(film.tokens[film.asker])))
        deck.go(Pose.FAR)
        foot = VGroup(deck.plain, deck.others, *deck.own).get_bottom()
        many, product = constant(96, GPT_3), "{}: {} \N{MULTIPLICATION SIGN} {} = {:,.0f} heads"
        region, number = deck.regions[Pose.WALL], count(deck.layers * deck.heads, "its heads")
        sides = count(deck.layers, "its blocks"), count(deck.heads, "heads in a block")
        named = ("GPT-3", many, many, many * many), ("this model", *sides, number)
        self.counts = [Words(product, *each, size=TITLE_SIZE) for each in named]
        for told in self.counts:
            told.shrink_to(region.width)
            told.next_to((region.center[0], region.top, 0), UP, buff=theme.GAP)
        own = Words("this model: {:,.0f}", number, size=TITLE_SIZE, role=theme.QUERY)
        own.next_to(foot, DOWN if is_narrow else RIGHT, (1 if is_narrow else 6) * theme.GAP)
        ends = np.concatenate([row.points for row in deck.plain])
        self.counts, x = [*self.counts, own], ends[:, 0]
        for form, end, way in (("{} blocks", x.argmin(), DL), ("{} heads", x.argmax(), DR)):
            side = Words(form, many, size=SPOKEN_SIZE)
            region.hold(side.next_to((foot + ends[end]) / 2, way, theme.GAP))
            self.counts.append(side)
        deck.go(Pose.FRONT)
        self.look = deck.look(label_of(film.tokens[row.argmax()]), int(row.argmax()))
        keys = np.flatnonzero(row >= SEEN).tolist()
        found, self.front_row = deck.row_seen(deck.front)
        discs = np.split(found, len(keys))
        self.dots = {at: Filled(disc, theme.QUERY) for at, disc in zip(keys, discs, strict=True)}
        told = Words("{}", label_of(film.tokens[deck.lit]), size=SPOKEN_SIZE, role=theme.QUERY)
        self.asker = VGroup() if sentence.lines > 1 else VGroup(told)
        told.next_to(self.front_row, LEFT, buff=theme.GAP)
        super().__init__(self.looks, self.look, *self.counts, self.asker, self.askers)


class Chain(VGroup):
    """Two changes in their plane, the longer one level, and what all changes come to.

    Lengths and angle of the two are true; of the others one sees what lies in that plane. Parts:
    `arrows` with `names`; `parts`, what of each is added; `rest`, all others as one, which is
    `told`; `whole`, the sum so far. The chip is at the `foot`.
    """

    def __init__(self, film: ManyHeads, room: Region) -> None:
        ways = np.stack([film.changes[head].double for head in film.order])
        ways = ways @ plane_of(*sorted(ways[:2], key=lambda way: -float(np.linalg.norm(way))))
        chip = film.risen.chips[film.asker]
        self.names = [Words("head {}: {}", *ask, size=SPOKEN_SIZE) for ask in film.asks]
        seen = Words("seen from where both lie flat", size=SPOKEN_SIZE, role=theme.QUIET)
        seen.next_to((room.center[0], room.bottom, 0), UP, buff=0)
        others = "the other {}", count(film.heads - 2, "heads beside the two")
        named = Words(*others, size=TITLE_SIZE, role=theme.OUTPUT)
        self.told = [seen, named][: film.heads - 1]
        free = room.raised(seen.height + chip.height).inset(2 * theme.GAP + named.height)
        tips = np.array([np.zeros(2), *ways[:2], ways[:2].sum(axis=0), ways.sum(axis=0)])
        scale = min((free.width, free.height) / (np.ptp(tips, axis=0) + 1e-6))
        self.start = free.center[:2] - scale * (tips.min(axis=0) + tips.max(axis=0)) / 2
        self.ways, self.others = scale * ways[:2], scale * ways[2:].sum(axis=0)
        arrows = [Arrow(theme.color(theme.OUTPUT)) for _ in range(5)]
        self.arrows, self.parts, self.rest = arrows[:2], arrows[2:4], arrows[4]
        self.whole = Arrow(theme.color(theme.INK))
        for arrow, way, name in zip(self.arrows, self.ways, self.names, strict=True):
            arrow.point(self.start, self.start + way)
            name.next_to((*arrow.tip, 0), UP if way[1] > theme.HAIR else DOWN, buff=theme.GAP)
            room.hold(name)
        self.lay(1)
        self.add_rest(1)
        room.hold(named.next_to(self.rest, UP, buff=theme.GAP))
        self.foot = chip.copy().next_to((*self.start, 0), DOWN, buff=2 * theme.HAIR)
        room.hold(self.foot)
        self.near = VGroup(*self.arrows, *self.names, self.foot).copy()  # the two, as they lie
        parts = *self.arrows, *self.parts, self.rest, self.whole
        super().__init__(*parts, *self.names, *self.told)

    def reach_out(self, place: float) -> None:
        """Let so many of the two reach out, and the next as far as is left."""
        for at, (arrow, way) in enumerate(zip(self.arrows, self.ways, strict=True)):
            arrow.point(self.start, self.start + float(np.clip(place - at, 0, 1)) * way)

    def lay(self, share: float) -> None:
        """Lay a share of each of the two end to end; their sum goes along."""
        ends = self.start + share * np.cumsum([np.zeros(2), *self.ways], axis=0)
        for part, begin, tip in zip(self.parts, ends, ends[1:], strict=False):
            part.point(begin, tip)
        self.whole.point(ends[0], ends[-1])

    def add_rest(self, share: float) -> None:
        """Lay a share of what the others come to at the end of the two; the sum goes along."""
        begin = self.start + self.ways.sum(axis=0)
        self.rest.point(begin, begin + share * self.others)
        self.whole.point(self.start, self.rest.tip)


def lifted(film: ManyHeads, room: Region) -> list[PatternRow]:
    """Return what each of two heads gives the asker, a row that lies in a room under its words."""
    places, radius = lanes(film.risen, room, len(film.rows))
    found = list[PatternRow]()
    both = zip(film.rows, film.pair.heads, film.asks, strict=True)
    for at, (row, head, asked) in enumerate(both):
        lane, home = (places[at], radius), partial(film.deck.row_seen, head)
        found.append(PatternRow(row, lane, home, asked, film.asker, role=theme.QUERY))
        film.stage.hold(found[at].number)
        film.stage.hold(found[at].whole)
    return found


def one_hot(length: int, place: int) -> Tensor:
    """Return the row of a head that gives all of its attention to one key."""
    numbers = np.eye(length)[place]
    values = [constant(float(number), "a whole row for one word") for number in numbers]
    return Tensor(numbers, Stacked(tuple(value.origin for value in values)))
