"""Why a layer has many heads, and how their answers come together again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from textwrap import wrap

import numpy as np
from manim import CubicBezier, Mobject, VGroup
from manim.constants import DL, DOWN, DR, LEFT, RIGHT, UP
from manim.typing import Vector3D
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.directions import plane_of
from scenes.analysis.selection import Disagreement
from scenes.camera import WHOLE, box_of, pin, run_on, unpin
from scenes.expressions import Stacked
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.deck import BESIDE, MATRICES, Deck, Handed, Matrices, Pose
from scenes.mobjects.marks import Ring, corner
from scenes.mobjects.matrix import Area
from scenes.mobjects.outlines import Filled
from scenes.mobjects.pattern import SEEN, AskedRow, PatternRow, lanes
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Formula, Words, label_of
from scenes.mobjects.tokens import COLUMN, TokenRow, line_or_column
from scenes.narration import counted
from scenes.provenance import Tensor, Value, angle, constant, count
from scenes.region import Region, area_of
from scenes.theme import SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import Appear, Disappear, Draw, Fade, Flow, Hold, Pulse, Then, Together, Vary


class ManyHeads(Film):
    """A head has one row of weights to give; with many heads a word can ask many things at once."""

    title = "Many heads"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 97
    poster_beat = "a-head-for-each-question"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        self.patterns = self.tensor("pattern")
        self.layers, self.heads = self.patterns.shape[:2]
        if self.heads == 1:
            self.refuse("many-heads needs a model with two heads or more in a layer.")
        self.pair = Disagreement.of(self.patterns.array[self.layer], self.head)
        self.asker, self.keys = self.pair.query, self.pair.keys
        others = (head for head in range(self.heads) if head not in self.pair.heads)
        self.order = [*self.pair.heads, *others]
        self.rows = [self.patterns[self.layer, head, self.asker] for head in self.pair.heads]
        self.changes = list(self.tensor("head_out")[self.layer, :, self.asker])
        self.apart = angle(*(self.changes[head] for head in self.pair.heads))
        named = [label_of(self.tokens[at]) for at in (self.asker, *self.keys)]
        self.is_askew = abs(self.apart.number - 90) >= RIGHT_ANGLE
        self.is_ours = named == ["forest", "verdant", "the"] and self.pair.differ

    def words(self) -> Mapping[str, str]:
        shared, apart = self.traits.sharing, self.apart.number
        three = f"and {shared} at a time share keys and values"
        where = f" in {counted(self.layers, 'block')}" * (self.layers > 1)
        return {
            "asker": self.name_of(self.asker),
            "one": self.name_to(self.asker, self.keys[0]),
            "other": self.name_to(self.asker, self.keys[1]),
            "most": "most of it" if self.rows[0].array.max() > 0.5 else "the largest part",
            "heads": counted(self.heads, "head"),
            "all": f"This model has {counted(self.layers * self.heads, 'head')}{where}",
            "with_three": three if shared > 1 else "each with its own three",
            "asks": "may ask both" if self.is_ours else "can ask several things",
            "gets": "and get both answers" if self.is_ours else "and get all the answers",
            "apart": f"{apart:.0f} degrees apart" if self.is_askew else "nearly at a right angle",
        }

    def circumstances(self) -> Mapping[str, bool]:
        same, others = not self.pair.differ, not self.is_ours
        return {**super().circumstances(), "same_word": same, "other_words": others}

    def cast(self) -> None:
        stage, heads, is_ours = self.stage, self.pair.heads, self.is_ours
        asked = QUESTIONS if is_ours else [f"{self.name_to(self.asker, k)}?" for k in self.keys]
        foot, xs = slots(stage, self.heads)
        above = stage.raised(foot.height + theme.GAP)
        free = above.raised(2 * theme.GAP).lowered(3 * theme.GAP) if stage.is_narrow else above
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
        for part in (part for each in self.questions for part in (each.words, each.answer)):
            middle.hold(part)
        low, *_, high = sorted((self.asker, *self.keys))
        spoken = VGroup(*self.questions, *self.sentence.chips[low : high + 1])
        self.near = WHOLE.into(spoken, stage, ENDING)
        self.aside = [*self.sentence.chips[:low], *self.sentence.chips[high + 1 :]]
        other = self.rows[1] if self.pair.differ else one_hot(len(self.tokens), self.keys[1])
        self.row = AskedRow(self.risen, (self.rows[0], other), self.keys, stage)
        self.top, beside = self.risen, stage.below(self.risen, theme.GAP).lowered(2 * theme.GAP)
        if self.risen.lines > 1:
            self.top = TokenRow(self.tokens, stage.rows(4)[0], largest=TITLE_SIZE)
            self.top.align_to((0, stage.top, 0), UP)
            beside = stage.columns(COLUMN)[1].raised(2 * theme.GAP)
        wall = stage.lowered(3 * theme.GAP)
        front = beside.raised(UNDER * stage.height) if self.risen.lines > 1 else beside
        regions = {Pose.FRONT: front, Pose.DECK: beside, Pose.ROW: foot, Pose.WALL: wall}
        where, (*_, high, wide) = (self.layer, self.head), self.tensor("weights.W_Q").shape
        lit, own = self.asker, Matrices((high, wide), self.traits.sharing)
        them = self.patterns.array, where, regions
        self.deck = Deck(*them, lit=lit, matrices=own, plain=(96, 96))
        self.marks = Marks(self)
        self.asked = [self.marks.tiles[head] for head in heads]
        self.idle = [card for head, card in enumerate(self.deck.own) if head not in heads]
        self.lifted = lifted(self, asked, above)
        weights = self.patterns.array[self.layer, :, self.asker], self.top.chips
        self.handed = Handed(self.changes, *weights, xs, above.below(self.top, theme.GAP))
        self.chain = Chain(self, stage.below(self.top, theme.GAP))
        run_on(self.deck, self.sentence)
        self.stand(*self.handed.ribbons, self.deck, self.row, self.sentence, self.ring)
        self.stand(*self.questions, self.marks, *self.lifted, self.handed, self.chain)

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
        near = Fade(*self.aside, to=0), self.travel_to(self.near, STEADY)
        first, second = (
            Then(Draw(each.curve), Together(Appear(each.words), Pulse(chips[key])))
            for each, key in asked
        )
        yield Then(Together(*near), first)
        yield second
        yield Then(Pulse(chips[self.keys[1]]), Pulse(self.questions[1].words))

    @beat(
        "A head answers with one row of weights, | and a row adds up to one. | "
        "Here, {most} goes to {one}."
    )
    def one_row_adds_up_to_one(self) -> Shown:
        gone, row = Disappear(*self.questions), self.row
        poured = Together(Fade(row.bar, row.arcs, to=1), Vary(row.arcs.pour, 0, 1, theme.SLOW))
        back = self.pull_back(STEADY), self.stand_as(self.risen), Fade(*self.aside, to=1)
        yield gone, *back, Then(Hold(0.8 * STEADY), poured)
        each = Then(verbs.Dim(row.arcs), Flow(map(verbs.Undim, row.arcs), STEADY))
        yield each, Then(Hold(), Draw(row.brace), Appear(row.whole))
        aside = (band for band in row.arcs if band is not row.arcs.band(0, self.keys[0]))
        yield Then(
            verbs.Dim(*aside), Pulse(self.sentence.chips[self.keys[0]]), Appear(row.numbers[0])
        )

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
        "So one head is not enough. | "
        "What a head looks for lies in three learned matrices: query, key and value. | "
        "A block has {heads}, {with_three}. | Each reads the sentence through them, | and draws "
        "its own pattern. | Here are all of them, one by one: each looks in its own way."
    )
    def a_head_for_each_question(self) -> Shown:
        row, deck, plates = self.row, self.deck, self.deck.weights
        front, chips = deck.own[deck.front], self.sentence.chips
        gather = row.gather(self.marks.dots), verbs.Become(row.bar, self.marks.front_row)
        card = Together(Fade(front, to=1), Fade(row.arcs, to=0), Appear(self.marks.asker))
        true = Vary(row.ask_both, 1, 0), Disappear(row.brace, row.labels, row.supposed)
        yield Then(Together(true), Vary(row.close_up, 0, 1), Together(gather), card)
        yield Flow((Appear(each) for each in self.marks.matrices), STEADY)
        come = (Appear(plates[head]) for head in plates if head != deck.front)
        names, three = zip(*self.marks.matrices, strict=True)
        moves = zip(three, self.marks.spots, strict=False)
        on_top = [verbs.MoveTo(*pair, fit=True) for pair in moves]
        swap = Together(Disappear(*three), Fade(plates[deck.front], to=1))
        plated = Then(Hold(theme.SLOW - STEADY), Together(on_top), swap, Flow(come, STEADY))
        left = Disappear(row.bar, self.marks.asker, *names)
        others = [card for card in deck.own if card is not front]
        more = Then(Hold(theme.SLOW), Flow(Appear(card[0]) for card in others))
        yield left, Vary(deck.go, Pose.FRONT, Pose.DECK, theme.SLOW), more, plated
        yield Then(Flow(map(Pulse, chips), theme.QUICK), Flow(map(Pulse, plates.values()), STEADY))
        drawn = (Appear(VGroup(*card[1:]), scale=SPECK, run_time=STEADY) for card in others)
        yield Flow(drawn, theme.SLOW)
        near = Together(Disappear(*plates.values()), self.walk_to(deck.own[0], NEAR))
        walk = self.walk_to(deck.own[-1], NEAR, WALK), self.walk_to(VGroup(*deck.own), 1)
        yield Then(near, *walk)

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
        one, other = (
            Together(Fade(row.strip, row.dots, to=1), Vary(row.lift, 0, 1, theme.SLOW))
            for row in self.lifted
        )
        rise = Together(one, Then(Hold(STEADY), other))
        leave = Together(Draw(*self.asked), verbs.Dim(*self.idle), rise)
        yield Then(
            Together(self.pull_back(), Vary(self.deck.go, Pose.DECK, Pose.ROW, theme.SLOW)), leave
        )
        for row, tile in zip(self.lifted, self.asked, strict=True):
            told = Then(Pulse(self.sentence.chips[row.key]), Appear(row.number))
            yield Appear(row.asked), Pulse(tile), told
        yield Flow(Together(Pulse(row.strip, scale=1.02), Appear(row.whole)) for row in self.lifted)

    @beat(
        "How many are there in all? | {all}. | "
        "GPT-3 has ninety-six blocks | of ninety-six heads, | over nine thousand."
    )
    def a_wall_of_heads(self) -> Shown:
        deck, (gpt_3, ours, own, blocks, heads) = self.deck, self.marks.counts
        back = (Vary(row.lift, 1, 0) for row in self.lifted)
        seen = verbs.Undim(*self.idle), Fade(deck.others, to=1)
        wall = Then(
            Hold(theme.QUICK), Together(*seen, Vary(deck.go, Pose.ROW, Pose.WALL, theme.SLOW))
        )
        yield Disappear(self.sentence, self.ring, *self.lifted, *self.asked), *back, wall
        drawn = (Pulse(deck.block(row), scale=SLIGHT) for row in range(self.layers))
        yield Appear(ours), Flow(drawn, theme.SLOW)
        more = Then(Hold(STEADY), Flow((Fade(row, to=1) for row in deck.plain), STEADY))
        far = (
            Disappear(ours, run_time=theme.QUICK / 2),
            Vary(deck.go, Pose.WALL, Pose.FAR, theme.SLOW),
            more,
        )
        yield Then(Together(*far), Appear(blocks))
        yield Appear(heads), verbs.Recolor(self.marks.one, role=theme.INK, opacity=1)
        yield Appear(gpt_3), Then(Hold(), Appear(own))

    @beat("Back to our block: | each head hands {asker} its own change. | Two are {apart}.")
    def a_change_from_each(self) -> Shown:
        deck, chain, seen = self.deck, self.chain, Fade(self.sentence, self.ring, to=1)
        leave = Then(Disappear(deck.plain, run_time=STEADY), Disappear(deck.others))
        again = Then(self.stand_as(self.top, AT_ONCE), Hold(STEADY), seen)
        yield (
            Disappear(*self.marks.counts),
            leave,
            again,
            Vary(deck.go, Pose.FAR, Pose.ROW, theme.SLOW),
        )
        hand, mark = [*map(self.handed.hand, self.order)], Draw(*self.asked, run_time=theme.QUICK)
        yield Then(mark, Flow(hand[:2]), Flow(hand[2:], STEADY))
        columns = [self.handed.changes[head] for head in self.order]
        left = Disappear(*deck.own, *self.asked, *columns[2:])
        turned = Flow((left, *map(verbs.TurnInto, columns, chain.arrows)))
        aside = verbs.Dim(*self.sentence.others(self.asker))
        yield aside, Then(turned, Appear(*chain.names), Draw(chain.corner))

    @beat(
        "Averaged, each would count half; | added, both count in full. | So all are added, "
        "| and {asker} {asks} at once, | {gets}."
    )
    def one_sum(self) -> Shown:
        chain = self.chain
        second = verbs.ComeFrom(chain.parts[1], chain.arrows[1], fit=False)
        halved = Vary(chain.lay, 1, 1 / 2), Draw(chain.whole, run_time=theme.QUICK)
        first = Disappear(chain.corner), Appear(chain.parts[0], scale=1)
        yield verbs.Dim(*chain.arrows), *first, Then(second, *halved)
        yield Then(Vary(chain.lay, 1 / 2, 1, theme.SLOW), Pulse(chain.whole, scale=SLIGHT))
        rest = Appear(chain.rest, scale=1, run_time=AT_ONCE), Vary(chain.add_rest, 0, 1)
        yield Disappear(*chain.arrows, *chain.names), *rest, Appear(*chain.told)
        unpin(self.sentence, self.ring)
        asker, *keys = (self.sentence.chips[at] for at in (self.asker, *self.keys))
        given = verbs.GoInto(chain.whole, asker, theme.QUICK)
        filled = verbs.Recolor(asker.plate, role=theme.OUTPUT, opacity=theme.OUT_OF_FOCUS)
        home = self.stand_as(self.home, theme.QUICK), filled, verbs.Undim(*keys)
        asked = Draw(*(each.curve for each in self.questions), run_time=theme.SLOW)
        words = Then(Hold(), Appear(*(each.words for each in self.questions)))
        near = self.travel_to(self.near), Disappear(*self.aside)
        left = Disappear(*chain.parts, chain.rest, *chain.told, run_time=theme.QUICK)
        yield left, Then(given, Together(*home), Together(*near, asked, words))
        bands = Draw(*(each.band for each in self.questions), run_time=theme.SLOW)
        yield Then(bands, Appear(*(each.answer for each in self.questions)), Hold(STEADY))

    # What only this film shows

    def walk_to(self, cards: Mobject, filled: float, run_time: float = theme.SLOW) -> verbs.Verb:
        """Return how the viewpoint goes near heads of the deck, the sentence always in view."""
        pin(self.sentence, self.ring)
        room, box = self.deck.regions[Pose.DECK], box_of(cards)
        return self.travel_to(WHOLE.onto(box, room, filled), run_time)

    def stand_as(self, place: TokenRow, run_time: float = STEADY) -> verbs.Verb:
        """Return how the sentence goes to where another one stands, and its ring with it."""
        ring = verbs.Become(self.ring, Ring(place.chips[self.asker]), run_time)
        return Together(verbs.Become(self.sentence, place, run_time), ring)

    def small_print(self) -> Words:
        layer = count(self.layer + 1, "the layer shown, counted from one")
        return Words("layer {}", layer, size=theme.PLAIN_SIZE, role=theme.QUIET)


GPT_3 = "GPT-3: 96 layers of 96 heads (Brown et al. 2020, table 2.1)"
ROLES = ("query", "Q"), ("key", "K"), ("value", "V")
QUESTIONS = "what is it like?", "which one?"
HIGH, BESIDE_COLUMN = 1.3, 1.1  # scene units, how far questions reach from a line or a column
LETTERS, WIDE = 8, 40.0  # on a line beside a column; stroke width of a weight of one
WIDEST_SLOT, ROOM = 2.2, 0.4  # scene units; places left free beside heads in a row
RIGHT_ANGLE, UNDER = 15.0, 0.35  # degrees about it; of the height, for matrices under a card
AT_ONCE, SPECK = 1e-3, 0.2  # seconds; of its size, where it grows
SLIGHT, ONE = 1.04, 40  # times as large; a block of GPT-3
NEAR, ENDING, WALK = 0.86, 0.94, 3.0  # of the room, what is seen from near; seconds along heads


class Question(VGroup):
    """What a token of a sentence asks another one, and what that gives: `ends` are their places.

    Parts: a `curve` from the one to the other on the side `out` of their chips, `words` at its far
    side, a `band` that comes back along it, as wide as a weight, and `answer`, who gives how much.
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
        self.answer = Words("{:.2f}", weight, size=TITLE_SIZE)
        self.answer.next_to(self.words, out if low else DOWN, buff=theme.HAIR)
        if low and abs((end - start)[0]) > self.answer.width + WIDE / 100 + theme.HAIR:
            self.answer.move_to((start + end) / 2 + 0.32 * reach)  # under the arch
        super().__init__(self.curve, self.words, self.band, self.answer)


class Marks(VGroup):
    """What is said of heads in space, at the places where they stand.

    Parts: `matrices`, the front head's, with their names; `counts` of GPT-3's heads, of our model's
    twice, of blocks, and of heads in `one` of them; `tiles`, rings around the row's heads.
    `front_row` is the query's row of the front head, which `asker` names, `dots` are its own.
    """

    def __init__(self, film: ManyHeads) -> None:
        deck, row, sentence = film.deck, film.rows[0].array, film.risen
        deck.go(Pose.DECK)
        self.spots = [plate.copy() for plate in deck.weights[deck.front]]
        is_narrow = deck.regions[Pose.DECK].is_narrow
        deck.go(Pose.ROW)
        self.tiles = [Ring(card[0]) for card in deck.own]
        deck.go(Pose.FAR)
        foot = VGroup(deck.plain, deck.others, *deck.own).get_bottom()
        many, product = constant(96, GPT_3), "{}: {} \N{MULTIPLICATION SIGN} {} = {:,.0f} heads"
        region, number = deck.regions[Pose.WALL], count(deck.layers * deck.heads, "its heads")
        sides = count(deck.layers, "its blocks"), count(deck.heads, "heads in a block")
        named = ("GPT-3", many, many, many * many), ("this model", *sides, number)
        self.counts = [Words(product, *each, size=TITLE_SIZE) for each in named]
        for told in self.counts:
            told.shrink_to(region.width)
            told.next_to((region.center[0], region.top, 0), UP, buff=theme.HAIR)
        own = Words("this model: {:,.0f}", number, size=SPOKEN_SIZE, role=theme.QUERY)
        own.next_to(foot, DOWN if is_narrow else RIGHT, (1 if is_narrow else 6) * theme.GAP)
        self.one, ends = deck.plain[ONE], np.concatenate([row.points for row in deck.plain])
        self.counts, x = [*self.counts, own], ends[:, 0]
        for form, end, way in (("{} blocks", x.argmin(), DL), ("{} heads", x.argmax(), DR)):
            side = Words(form, many, size=SPOKEN_SIZE)
            region.hold(side.next_to((foot + ends[end]) / 2, way, theme.GAP))
            self.counts.append(side)
        deck.go(Pose.FRONT)
        self.matrices = self._matrices(film, deck.own[deck.front][0])
        keys = np.flatnonzero(row >= SEEN).tolist()
        found, self.front_row = deck.row_seen(deck.front)
        discs = np.split(found, len(keys))
        self.dots = {at: Filled(disc, theme.QUERY) for at, disc in zip(keys, discs, strict=True)}
        told = Words("{}", label_of(film.tokens[deck.lit]), size=SPOKEN_SIZE, role=theme.QUERY)
        self.asker = VGroup() if sentence.lines > 1 else VGroup(told)
        told.next_to(self.front_row, LEFT, buff=theme.GAP)
        super().__init__(*self.matrices, *self.counts, *self.tiles, self.asker)

    def _matrices(self, film: ManyHeads, card: Mobject) -> VGroup:
        """Return a head's matrices with their names, beside its card or, beside a column, under."""
        box, found, many = area_of(card), VGroup(), len(ROLES)
        room = replace(box, left=box.right, right=film.stage.right).inset(theme.GAP)
        if film.risen.lines > 1:
            room = replace(box, bottom=film.stage.bottom, top=box.bottom - theme.GAP)
        for (role, kind), color in zip(ROLES, MATRICES, strict=True):
            name = Formula(f"${role}(W_{kind})$", TITLE_SIZE)
            matrix = film.tensor(f"weights.W_{kind}")[film.layer, film.head]
            high = (room.height - name.height - 2 * theme.GAP) / len(matrix)
            unit = min(high, (room.width / many - theme.GAP) / matrix.shape[1])
            area = Area(matrix, unit, role=color, outline=color)
            found.add(VGroup(name, area).arrange(DOWN, buff=theme.HAIR))
        return found.arrange(RIGHT, buff=theme.GAP).move_to(room.center)


class Chain(VGroup):
    """Two changes in their plane, the longer one level, and what all changes come to.

    Lengths and angle of the two are true; of the others one sees what lies in that plane. Parts:
    `arrows`, the two, with `names`; `parts`, what of each is added; `rest`, all others as one;
    `whole`, the sum so far; what is `told` of the rest; and the `corner` between the two.
    """

    def __init__(self, film: ManyHeads, room: Region) -> None:
        ways = np.stack([film.changes[head].double for head in film.order])
        ways = ways @ plane_of(*sorted(ways[:2], key=lambda way: -float(np.linalg.norm(way))))
        self.names = [Words("{}", label_of(film.tokens[k]), size=TITLE_SIZE) for k in film.keys]
        seen = Words("in the plane of these two", size=SPOKEN_SIZE, role=theme.QUIET)
        seen.next_to((room.center[0], room.bottom, 0), UP, buff=0)
        others = "the other {}", count(film.heads - 2, "heads beside the two")
        named = Words(*others, size=TITLE_SIZE, role=theme.OUTPUT)
        self.told = [seen, named][: film.heads - 1]
        free = room.raised(seen.height).inset(theme.HAIR + named.height)
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
        self.corner = corner(self.start, *self.ways, is_round=film.is_askew)
        self.lay(1)
        self.add_rest(1)
        room.hold(named.next_to(self.rest, UP, buff=theme.GAP))
        parts = *self.arrows, *self.parts, self.rest, self.whole, self.corner
        super().__init__(*parts, *self.names, *self.told)

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


def lifted(film: ManyHeads, asked: Sequence[str], room: Region) -> list[PatternRow]:
    """Return what each of two heads gives the asker, a row that lies in a room under its words."""
    places, radius = lanes(film.risen, room, len(film.rows))
    found, heads = list[PatternRow](), zip(film.rows, places, film.pair.heads, asked, strict=True)
    for row, place, head, text in heads:
        home = partial(film.deck.row_seen, head)
        each = PatternRow(row, (place, radius), home, text, film.asker, role=theme.QUERY)
        for told in (each.number, each.whole):
            film.stage.hold(told)
        found.append(each)
    return found


def slots(stage: Region, heads: int) -> tuple[Region, NDArray[np.float64]]:
    """Return where heads stand by themselves at a stage's foot, and their places side by side."""
    pitch, (middle, *_) = min(WIDEST_SLOT, stage.width / (heads + ROOM)), stage.center
    half = pitch * ((heads - 1) / 2 + 1 / BESIDE / 2)
    foot = Region(middle - half, middle + half, stage.bottom, stage.bottom + pitch / BESIDE)
    return foot, middle + (np.arange(heads) - (heads - 1) / 2) * pitch


def one_hot(length: int, place: int) -> Tensor:
    """Return the row of a head that gives all of its attention to one key."""
    numbers = np.eye(length)[place]
    values = [constant(float(number), "a whole row for one word") for number in numbers]
    return Tensor(numbers, Stacked(tuple(value.origin for value in values)))
