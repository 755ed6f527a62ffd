"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import Mobject, Sector, VGroup, VMobject
from manim.constants import DOWN, LEFT, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.marks import Bubble
from scenes.mobjects.product import Factors, Product
from scenes.mobjects.projections import Projections
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import Words, called, em_of
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import angle, constant
from scenes.theme import GAP, HAIR, KEY, QUERY, QUICK, QUIET, REST, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Recolor,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
)

ADJECTIVES, NOUN = {" fluffy", " blue", " verdant"}, " forest"  # of the course's own sentence


class QueriesKeysValues(Film):
    """A token asks with its query, is found by its key, and hands over its value."""

    title = "Queries, keys and values"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 88
    poster_beat = "compare-again"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Find who asks and who answers, and how far each vector points away from the asker's."""
        where = self.layer, self.head
        self.asker = self.followed() or 1  # somebody stands before it
        self.answers = answers(self.tokens, self.asker, self.tensor("pattern")[where].array)
        self.inputs = self.tensor("ln1")[self.layer]
        self.stream = self.tensor("resid_pre")[self.layer, self.asker]
        self.made = [self.tensor(name)[where] for name in "qkv"]
        asks, own = self.made[0][self.asker], self.inputs[self.asker]
        self.angles = [angle(asks, key) for key in self.made[1]]
        self.after = np.array([each.number for each in self.angles])
        self.before = np.array([angle(own, each).number for each in self.inputs])
        self.nearest = int(self.before.argsort()[1])  # after itself
        self.ahead = [int(i) for i in np.flatnonzero(self.after < RIGHT_ANGLE)]
        self.named = sorted(self.ahead, key=self.after.item)
        if self.circumstances()["otherwise"]:
            self.named = [int(self.after.argmin())]

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the story is of adjectives, and whether the head does as in the story."""
        ahead, near = {self.tokens[i] for i in self.ahead}, self.tokens[self.nearest]
        return {
            **super().circumstances(),
            "other_words": any(self.tokens[i] not in ADJECTIVES for i in self.answers),
            "otherwise": ahead != ADJECTIVES or near != NOUN,
        }

    def words(self) -> Mapping[str, str]:
        """Name who asks, who answers and who is nearest, and give the sizes of the matrices."""
        large, small = self.tensor("weights.W_Q").shape[2:]
        return {
            "asker": self.name_of(self.asker),
            "answers": " and ".join(map(self.name_of, self.answers)),
            "nearest": self.name_of(self.nearest),
            "found": self.name_of(min(self.answers, key=self.after.item)),
            "best": self.name_to(self.asker, int(self.after.argmin())),
            "large": str(large),
            "small": str(small),
            "them": f"{self.traits.turned} of them" if self.traits.turned else "them",
        }

    def cast(self) -> None:
        """Make the sentence with all vectors, what is asked, the fan and the product."""
        self.all = Projections(self.tokens, self.made, self.stage)
        self.query, self.keys, self.values = self.all.made
        self.answering = [self.keys[i] for i in self.answers]
        chips = self.all.chips
        self.chip, self.told = chips[self.asker], [chips[i] for i in self.answers]
        self.talk, self.fan, self.taken = Talk(self), Fan(self), Taken(self)
        self.shown = [row[self.answers[0]] for row in (self.keys, chips, self.values)]
        self.apart = told_apart(*self.shown[::2])
        names = self.tokens[self.asker], f"${QUERY.value}(W_Q)$", "query"
        self.work = Product(factors(self), names, self.stage)
        self.stand(self.talk, self.all, *self.apart, self.work, self.fan, self.taken)
        self.view = self.view.into(VGroup(*chips, self.talk.other), self.stage)

    @beat(
        "How does {asker} find out | that it is {answers}? | "
        "It always starts as the same numbers, | whatever stands around it.",
        other_words="How does {asker} find out | what stands around it? | "
        "It always starts as the same numbers, | whatever that is.",
    )
    def the_same_numbers(self) -> Shown:
        talk, around = self.talk, self.all.others(self.asker)
        same = self.chip, talk.other.chips[AMONG]
        come = Flow(map(Appear, (*self.all.chips, *talk.other.chips)), STEADY)
        yield Then(come, Together(map(Pulse, same)))
        yield Flow(map(Pulse, self.told))
        others = talk.other.others(AMONG)
        near = self.zoom_into(VGroup(*same, talk.start))
        yield Dim(*around, *others), near, talk.start.come_out_of(self.chip.get_bottom())
        each = (Pulse(VGroup(*words), scale=SLIGHTLY) for words in (around, others))
        yield Then(each), Pulse(talk.start, scale=SLIGHTLY)

    @beat(
        "Suppose it asked: any adjectives here? | And they answered: I am one! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
        other_words="Suppose it asked: who matters to me? | And they answered: I do! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
    )
    def a_question(self) -> Shown:
        talk, heard = self.talk, self.all.others(self.asker, *self.answers)
        back = Fade(*self.told, to=1.0), Fade(*heard, to=theme.OUT_OF_FOCUS)
        near = self.zoom_into(VGroup(talk.asked, *talk.said, talk.badge, self.chip, *self.told))
        leave = Disappear(talk.other, talk.start)
        yield near, leave, *back, Then(Hold(), Appear(talk.asked))
        yield Flow(map(Appear, talk.said))
        yield Appear(talk.badge), self.pull_back(STEADY), Then(Hold(STEADY), Appear(talk.start))
        bubbles = talk.asked, *talk.said
        bodies = self.query[self.asker], *self.answering
        silent = Disappear(talk.badge, *(each.said for each in bubbles), run_time=REST)
        becoming = (TurnInto(each.plate, body) for each, body in zip(bubbles, bodies, strict=True))
        yield Together(silent, Flow(becoming, REST))

    @beat(
        "Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, another noun, | and every match is mutual. | "
        "But a noun seeks what it isn't.",
        otherwise="Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, | and every match is mutual. | But what you seek isn't what you are.",
    )
    def one_vector_for_both(self) -> Shown:
        fan = self.fan
        gone = self.query[self.asker], *self.answering, self.talk.start
        yield self.pull_back(STEADY), self.fan.open_from(self.all.chips, *gone)
        yield Pulse(fan.labels[self.asker]), Recolor(fan.arrows[self.asker], role=QUERY)
        yield Pulse(fan.labels[self.nearest]), Recolor(fan.arrows[self.nearest], role=theme.ACCENT)
        asker, other = (fan.labels[i] for i in (self.asker, self.nearest))
        yield Then(Draw(fan.there), Pulse(other), Draw(fan.back), Pulse(asker))
        rest = {*range(len(self.tokens))} - {self.asker, *self.answers}
        sought = Flow(Pulse(fan.labels[i]) for i in self.answers)
        yield Dim(*fan.of(rest), fan.there, fan.back), sought

    @beat(
        "So {asker} gets two vectors: | a query, for what it looks for, | "
        "a key, for how it's found."
    )
    def two_vectors(self) -> Shown:
        fan, own, (asks, found) = self.fan, self.fan.arrows[self.asker], self.fan.names
        others = [i for i in range(len(self.tokens)) if i != self.asker]
        leave = Disappear(*fan.of(others), fan.there, fan.back, fan.ground)
        plain = Fade(fan.asking, own, to=1.0, run_time=SOON), Recolor(own, role=theme.INK)
        yield Then(leave, Together(*plain, Vary(fan.turn, 0, 1, SLOW)))
        near = self.zoom_into(VGroup(fan.asking, own, asks, found))
        yield near, Recolor(fan.asking, role=QUERY), Appear(asks)
        yield Recolor(own, role=KEY), TurnInto(fan.labels[self.asker], found, QUICK)

    @beat(
        "A learned matrix makes the query: | the {large} numbers {asker} has by now, | "
        "brought to one size, | times a column, entry by entry, | added up, with a bias: | "
        "its first number.",
        without_bias="A learned matrix makes the query: | "
        "the {large} numbers {asker} has by now, | brought to one size, | "
        "times a column, entry by entry, | added up, | give its first number.",
    )
    def the_first_number(self) -> Shown:
        work, fan = self.work, self.fan
        left = Disappear(fan.arrows[self.asker], fan.asking, *fan.names, run_time=2 * SOON)
        chip = ComeFrom(work.chip, fan.names[0], fit=False)
        shown = Then(Hold(SOON), Appear(work.matrix, work.symbol, work.label, run_time=STEADY))
        yield left, self.pull_back(STEADY), chip, shown
        yield work.vector.come_out_of(work.chip.get_bottom())
        yield Remeasure(work.vector, work.factors.vector.values)
        gone = Flow(Disappear(work.matrix.entry(i, 0), run_time=SOON) for i in work.matrix.rows)
        products, bias = work.terms[: work.tall], work.terms[work.tall :]
        down = Then(Hold(SOON), Flow(Appear(term, run_time=REST) for term in reversed(products)))
        yield Appear(work.window), gone, down, Flow(map(Pulse, work.vector.cells))
        cell, number = work.result.cell(0), work.result.number(0)
        runs = (Then(Hold(), Count(number, so_far, SOON)) for so_far in work.sums)
        falls = map(Together, (GoInto(term, cell, QUICK) for term in work.terms), runs)
        yield Then(Appear(cell, number, work.bias, *bias), Flow(falls), Disappear(work.bias))
        back = Then(Hold(), Appear(work.matrix.column(0)))
        yield Pulse(VGroup(cell, number)), back

    @beat(
        "Each column gives one more: | {large} numbers in, {small} out.",
        sized="Each column gives one more: {small} in all. | They're brought to one size, "
        "and then their place turns {them}.",
        turned="Each column gives one more: | {small} in all, and then its place turns {them}.",
    )
    def every_column(self) -> Shown:
        work = self.work
        yield Appear(work.result.brackets, *work.result.dots), Vary(work.sweep, 1, work.steps, SLOW)
        sized = [work.bring_to_size(), Hold()] if self.traits.head_norm else []
        yield Pulse(work.vector), Then(Pulse(work.result), *sized, work.turn())

    @beat(
        "The same matrix makes every word's query, | a second its key, | "
        "a third its value: | what you say isn't how you're found."
    )
    def the_same_for_all(self) -> Shown:
        work, every, own = self.work, self.all, self.query[self.asker]
        left = Disappear(work.window, work.label)
        into = GoInto(work.matrix, work.symbol, QUICK), GoInto(work.vector, work.chip, QUICK)
        sign = Disappear(work.symbol, run_time=SOON), ComeFrom(every.tools[0], work.symbol)
        home = TurnInto(work.chip, self.chip), Appear(*every.others(self.asker), run_time=STEADY)
        made = GoInto(work.result, own), Then(Hold(QUICK), Appear(own))
        second = Then(Hold(), Together(*sign, *home, *made))
        yield Then(Together(left, *into, second), every.pass_over(0, first=self.asker))
        yield every.pass_over(1)
        yield every.pass_over(2)
        rest = Disappear(*({*every.chips, *self.query, *self.keys, *self.values} - {*self.shown}))
        near = self.zoom_into(VGroup(*self.shown, *self.apart))
        told = Then(Hold(), Flow(map(Appear, self.apart)))
        yield rest, Disappear(*every.names), near, told

    @beat(
        "Compare again: | the query of {asker} with every key. | Almost all turn away. | "
        "Only adjectives lean its way, some only just; | of those before it, {found} most.",
        otherwise="Compare again: | the query of {asker} with every key. | The arrows turn: | "
        "now {best} fits best. | The matrices decide.",
    )
    def compare_again(self) -> Shown:
        fan, every = self.fan, self.all
        away = {*range(len(self.tokens))} - {*self.named}
        key, chip, value = self.shown
        back = Then(Hold(), Appear(*every.chips))
        leave = GoInto(key, chip), GoInto(value, chip), Disappear(*self.apart, run_time=REST)
        yield self.pull_back(STEADY), *leave, back
        plain = Recolor(*fan.arrows, role=theme.INK, run_time=SOON), Vary(fan.turn, 1, 0, SOON)
        yield Then(Together(plain), fan.open_from(every.chips), Fade(fan.asking, to=1.0))
        turned = Together(
            *(Recolor(fan.arrows[i], role=QUIET) for i in away), Dim(*(fan.labels[i] for i in away))
        )
        turning = Recolor(*fan.arrows, role=KEY), Vary(fan.turn, 0, 1, SLOW)
        yield Then(Together(*turning, Then(Hold(STEADY), Appear(fan.query))), turned)
        named = Flow(Together(Pulse(fan.labels[i]), Appear(fan.degrees[i])) for i in self.named)
        yield Appear(fan.half), named
        found = min({*self.named} & {*self.answers} or self.named, key=self.after.item)
        later = [i for i in self.named if i > self.asker and i != found]
        yield Dim(*fan.of(later)), Pulse(fan.labels[found], fan.degrees[found])

    @beat(
        "So {asker} asks with its query, | finds {answers} by key, | and takes in their values: | "
        "its vector turns, | and now it tells of {answers}, too."
    )
    def found_out(self) -> Shown:
        fan, taken, row = self.fan, self.taken, self.taken.row
        rest = [i for i in range(len(self.tokens)) if i not in self.answers]
        home = Flow([ComeFrom(row.chips[i], fan.labels[i], fit=False) for i in rest], REST)
        here = Appear(*(row.chips[i] for i in self.answers))
        left = VGroup(fan.asking, fan.query, fan.half, fan.ground[0], *fan.of(self.answers))
        up = MoveTo(left, taken.room.center, scale=min(1, taken.room.height / left.height))
        asks = Pulse(fan.asking, fan.query, row.chips[self.asker])
        yield Then(Together(Disappear(*fan.of(rest)), up, home, here), asks)
        lit = Dim(*row.others(self.asker, *self.answers)), Undim(*fan.of(self.answers))
        keyed = Recolor(*(fan.arrows[i] for i in self.answers), role=KEY)
        pairs = [(fan.labels[i], fan.arrows[i], row.chips[i]) for i in self.answers]
        yield *lit, keyed, Flow(Pulse(*each, scale=SLIGHTLY) for each in pairs)
        leave = Disappear(left, fan.ground, run_time=REST)
        own = ComeFrom(taken.token, row.chips[self.asker], fit=False), Appear(taken.before)
        ways = zip(taken.given, self.answers[::-1], strict=True)
        flying = Flow(ComeFrom(given, row.chips[i], fit=False) for given, i in ways)
        yield Then(leave, Together(*own), flying)
        turned = Fade(taken.after, to=1.0, run_time=SOON), Become(taken.after, taken.end)
        yield Dim(taken.before), *turned, Then(Hold(), Appear(taken.rest))
        told = *(name for name, _ in reversed(taken.given)), taken.now
        yield Appear(taken.now), Then(Flow(map(Pulse, told)), Hold(SLOW))


OF_ADJECTIVES = "any adjectives here?", "I am one!"
OF_OTHERS = "who here matters to me?", "I do!"
RIGHT_ANGLE = 90.0
STOPS = 9  # places of the arrows between which they turn
MANY = 5  # tokens, at most, on a side of the asker, if those before it stand on the left
MOST, WIDE, HIGH = 5, 1.4, 0.62  # entries of a token's own vector; scene units, the room of one
SLIGHTLY = 1.04  # times as large, what swells among others
SOON = 0.15  # seconds, in which a sum takes in one more product
HALF, WITHIN = 0.12, 0.8  # of what leans toward the query: opacity, and radius of an arrow's length
PAIR = ("query", "what it looks for", QUERY), ("key", "how it's found", KEY)
MADE = *PAIR, ("value", "what it says", theme.VALUE)
OTHER, AMONG = ("the", " old", " slept"), 2  # another sentence, and the asker's place in it


def answers(tokens: Sequence[str], asker: int, pattern: NDArray[np.floating]) -> list[int]:
    """Return two tokens before the asker: adjectives, or those to which it attends most."""
    adjectives = [i for i in range(asker) if tokens[i] in ADJECTIVES]
    attended = sorted(range(asker), key=lambda key: -float(pattern[asker, key]))
    return adjectives[-2:] or sorted(attended[:2])


def factors(film: QueriesKeysValues) -> Factors:
    """Return what the asker's query is made of."""
    where, norm = (film.layer, film.head), None
    weights = film.tensor("weights.W_Q")[where]
    bias = film.tensor("weights.b_Q")[where] if "b_Q" in film.traits.biases else None
    if (epsilon := film.traits.head_norm) is not None:
        gamma = film.tensor("weights.q_norm.gamma")[film.layer]
        norm = constant(epsilon, "epsilon of the norms, config.json"), gamma
    turn = None if film.turns is None else film.turns[film.asker]
    return Factors(film.inputs[film.asker], weights, QUERY, bias, turn, norm, film.stream)


def told_apart(*bodies: Mobject) -> list[Words]:
    """Return what a token's key and its value are, each beside it."""
    said = (Words(told, size=SPOKEN_SIZE, role=role) for _, told, role in MADE[1:])
    return [each.next_to(body, RIGHT, buff=GAP) for each, body in zip(said, bodies, strict=True)]


class Fan(Space):
    """Everybody's vector at its true angle to the asker's, which stands upright.

    Those before the asker stand on the left, if there is room. `turn` goes from the tokens' own
    vectors (0) to the asker's query and everybody's keys (1); `asking` stays upright when the
    asker's key turns. `query` names it; `names` tell its query and its key apart, at their tips.
    `half` is where arrows lean toward the query, `degrees` are the angles of those that are named.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        left, asker = np.arange(len(film.after)) <= film.asker, film.asker
        if max(left.sum(), (~left).sum()) > MANY:
            left = np.argsort(np.argsort(film.after)) % 2 == 0
        shares = np.linspace(0, 1, STOPS)[:, None]
        turns = np.radians((1 - shares) * film.before + shares * film.after)
        stops = np.stack([np.where(left, -1, 1) * np.sin(turns), np.cos(turns)], axis=-1)
        names = [called(token) for token in film.tokens]
        region = film.stage.lowered(GAP).raised(HAIR)
        size = SPOKEN_SIZE if region.is_narrow else theme.TITLE_SIZE
        self.query = Words("query of {}", names[asker], size=SPOKEN_SIZE, role=QUERY)
        self.names = [
            VGroup(
                Words(f"{what} of {{}}", names[asker], size=SPOKEN_SIZE, role=role),
                Words(told, size=SPOKEN_SIZE, role=role),
            ).arrange(DOWN, buff=HAIR)
            for what, told, role in PAIR
        ]
        self.degrees = [Words("{:.0f}°", each, size=size, role=KEY) for each in film.angles]
        super().__init__(list(stops), names, region, size=size)
        every, self.stops, self.unit = self.stops, self.stops[:1], 1.0
        self._fit(region)
        self.near, self.stops, self.unit = (self.origin, self.unit), every, 1.0
        free = 2 * HAIR if region.is_narrow else GAP + max(each.width for each in self.degrees)
        self._fit(region.narrowed(free, free))
        self.far = self.origin, self.unit
        self.there, self.back = self.arc(asker, film.nearest), self.arc(film.nearest, asker)
        self.back.set_stroke(theme.color(theme.ACCENT), theme.BOLD_LINE)
        self.asking = Arrow(theme.color(theme.INK))
        self.half = Sector(WITHIN * self.unit, angle=PI, arc_center=(*self.origin, 0.0))
        self.half.set_fill(theme.color(QUERY), HALF).set_stroke(width=0)
        self.turn(1)
        for each, name, is_left in zip(self.degrees, self.labels, left, strict=True):
            each.next_to(name, LEFT if is_left else RIGHT, buff=GAP)
            film.stage.hold(each.shift((name.baseline - each.baseline) * UP))
        asks, found = self.names
        asks.next_to(self.asking, UP, buff=HAIR)
        found.next_to((*self.arrows[asker].tip, 0.0), LEFT if left[asker] else RIGHT, buff=GAP)
        found.shift(min(0.0, asks.get_bottom()[1] - HAIR - found.get_top()[1]) * UP)
        self.turn(0)
        self.add_to_back(self.half).add(self.asking, self.query, *self.names, *self.degrees)

    def open_from(self, chips: Sequence[Chip], *left: Mobject) -> Together:
        """Return how words go from a sentence to where arrows end, and something leaves."""
        gone = Disappear(*(chip.plate for chip in chips), *left, run_time=REST)
        flying = (
            Together(ComeFrom(name, text, fit=False), Disappear(text, run_time=2 * SOON))
            for name, text in zip(self.labels, [chip.label for chip in chips], strict=True)
        )
        arrows = Flow(map(Appear, (self.ground[0], *self.arrows)), QUICK)
        return Together(gone, Flow(flying, REST), Then(Hold(REST), arrows))

    def of(self, tokens: Iterable[int]) -> list[VMobject]:
        """Return the names and arrows of some tokens, and the angles beside them."""
        parts = self.labels, self.arrows, self.degrees
        return [each[i] for i in tokens for each in parts]

    def turn(self, share: float) -> None:
        """Stand between the first state (0) and the second (1), seen from as far as it takes."""
        (start, large), (end, small) = self.near, self.far
        self.origin = (1 - share) * start + share * end
        self.unit = large ** (1 - share) * small**share
        self.stand_at(share * (STOPS - 1))
        top = self.origin + (0, self.unit)
        self.asking.point(self.origin, top)
        self.query.move_to((*top, 0)).shift(UP * self.query.height)

    def _ground_points(self) -> list[NDArray[np.float64]]:
        return super()._ground_points()[:1] * 2


class Talk(VGroup):
    """What is asked and answered over the sentence, and what the asker starts with.

    That is `start`, its first numbers, between it and the same token of an `other` sentence.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        every, asker = film.all, film.asker
        asked, said = OF_OTHERS if film.circumstances()["other_words"] else OF_ADJECTIVES
        query, chip = every.made[0][asker], every.chips[asker]
        self.asked = Bubble(asked, QUERY, query, chip)
        pairs = zip(film.answering, film.told, strict=True)
        self.said = [Bubble(said, KEY, *pair) for pair in pairs]
        limit = float(chip.get_x()) - HAIR
        for each in reversed(self.said):
            each.shift(min(0.0, limit - float(each.plate.get_right()[0])) * RIGHT)
            limit = float(each.plate.get_left()[0]) - HAIR
        film.stage.hold(VGroup(*self.said))
        self.asked.next_to(self.said[0].plate, UP, buff=GAP).set_x(chip.get_x())
        film.stage.hold(self.asked)
        for each in (self.asked, *self.said):
            each.point()
        self.badge = Words("(a story)", size=SPOKEN_SIZE, role=QUIET)
        film.stage.hold(self.badge.next_to(self.asked.plate, UP, buff=HAIR))
        size = every.chips[0].label.em / em_of(1)
        pieces = *OTHER[:AMONG], film.tokens[asker], *OTHER[AMONG:]
        self.other = TokenRow(pieces, film.stage, largest=size, lines=1, gap=GAP)
        free = float(chip.get_bottom()[1]) - film.stage.bottom - self.other.height - 2 * GAP
        start = film.tensor("embed")[asker].values
        self.start = Vector(start, (WIDE, min(HIGH, free / MOST)), upright=True, most=MOST)
        film.stage.hold(self.start.next_to(chip, DOWN, buff=HAIR))
        self.other.next_to(self.start, DOWN, buff=HAIR)
        self.other.shift((chip.get_x() - self.other.chips[AMONG].get_x()) * RIGHT)
        film.stage.hold(self.other)
        super().__init__(self.asked, *self.said, self.badge, self.start, self.other)


class Taken(VGroup):
    """A token's vector and what it takes in of values, tip to tail, in the plane of the two.

    Parts: the sentence's `row` and, above it, in `room`, `before`, level, with the name of its
    `token`; `given` of those that answer, each with its name, and `rest` of all others; `after`,
    which begins as it was before and comes to `end`, and what it is `now`.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        where, order = (film.layer, film.head), film.answers[::-1]  # the nearest one first
        own, change = film.stream.double, film.tensor("head_out")[where][film.asker].double
        weights = film.tensor("pattern")[where][film.asker].double
        taken = weights[:, None] * film.made[2].double @ film.tensor("weights.W_O")[where].double
        plane, sides = np.linalg.qr(np.stack([own, change], axis=1))
        plane = plane * np.sign(np.diag(sides))
        sums = np.cumsum([0 * own, own, *taken[order]], axis=0)
        stops = np.array([*sums, own + change]) @ plane
        self.row = TokenRow(film.tokens, film.stage, largest=theme.TITLE_SIZE, gap=GAP)
        self.row.move_to(film.stage.bottom * UP, aligned_edge=DOWN)
        self.room = film.stage.raised(self.row.height + 2 * GAP)
        whose = film.name_of(film.asker), *map(film.name_of, order), "others"
        names = [Words("{}", each, size=theme.TITLE_SIZE) for each in whose]
        self.now = Words("{} with {}", whose[0], film.words()["answers"], size=theme.HEADING_SIZE)
        film.stage.fit_width(self.now)
        free = max(name.width for name in names) + 2 * GAP
        room = self.room.narrowed(HAIR, free).lowered(self.now.height + GAP)
        low, sides = stops.min(axis=0), np.ptp(stops, axis=0)
        unit = min(np.array([room.width, room.height]) / np.maximum(sides, 1e-9))
        stops = room.center[:2] + unit * (stops - low - sides / 2)
        ink = theme.color(theme.INK)
        self.before, self.after, self.end, *pieces = (Arrow(ink) for _ in (*whose, 0, 0))
        for arrow, end in zip((self.before, self.after, self.end), stops[[1, 1, -1]], strict=True):
            arrow.point(stops[0], end)
        self.token, line = names[0], float(stops[1, 1])
        self.token.move_to((stops[1:, 0].max() + GAP, line, 0.0), aligned_edge=LEFT)
        for name, arrow, (start, end) in zip(names[1:], pieces, pairwise(stops[1:]), strict=True):
            arrow.point(start, end)
            line = max(float(start[1] + end[1]) / 2, line + 1.2 * name.em)
            name.move_to((self.token.get_left()[0], line, 0.0), aligned_edge=LEFT)
        self.now.next_to(VGroup(self.end, *names), UP, buff=GAP)
        film.stage.hold(self.now.set_x(stops[-1, 0] - self.now.width / 2))
        *self.given, self.rest = map(VGroup, names[1:], pieces)
        VGroup(*self.given).set_color(theme.color(theme.VALUE))
        self.rest.set_color(theme.color(QUIET))
        super().__init__(self.row, self.before, *self.given, self.rest, self.after, *names[:1])
        self.add(self.now)
