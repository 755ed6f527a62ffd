"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from manim import Line, Mobject, Sector, VGroup, VMobject
from manim.constants import LEFT, PI, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.marks import Bubble
from scenes.mobjects.product import Factors, Product
from scenes.mobjects.projections import Projections
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import Words, called
from scenes.mobjects.vector import Vector
from scenes.provenance import Tensor, Value, added, angle, constant
from scenes.theme import GAP, HAIR, KEY, QUERY, QUICK, QUIET, REST, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    TurnInto,
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
        where = self.layer, self.head
        self.all = Projections(self.tokens, self.made, self.stage)
        self.query, self.keys, self.values = self.all.made
        self.answering = [self.keys[i] for i in self.answers]
        chips = self.all.chips
        self.chip, self.told = chips[self.asker], [chips[i] for i in self.answers]
        self.talk, self.fan = Talk(self), Fan(self)
        weights = self.tensor("weights.W_Q")[where]
        bias = self.tensor("weights.b_Q")[where] if "b_Q" in self.traits.biases else None
        turn = None if self.turns is None else self.turns[self.asker]
        now, norm = self.inputs[self.asker], self._query_norm()
        factors = Factors(now, weights, QUERY, bias, turn, norm, self.stream)
        names = self.tokens[self.asker], f"${QUERY.value}(W_Q)$", "query"
        self.work = Product(factors, names, self.stage)
        self.stand(self.talk, self.all, self.work, self.fan)

    def _query_norm(self) -> tuple[Value, Tensor] | None:
        """Return the epsilon and the gamma of the norm that each query has, if it has one."""
        if (epsilon := self.traits.head_norm) is None:
            return None
        gamma = self.tensor("weights.q_norm.gamma")[self.layer]
        return constant(epsilon, "epsilon of the norms, config.json"), gamma

    def open_fan(self, *left: Mobject) -> Together:
        """Return how all words go from their chips to the tips of arrows, and something leaves."""
        fan, chips = self.fan, self.all.chips
        pairs = zip(fan.labels, chips, strict=True)
        flying = (ComeFrom(name, chip.label, fit=False) for name, chip in pairs)
        texts = Disappear(*(chip.label for chip in chips), run_time=REST)
        gone = Disappear(*(chip.plate for chip in chips), *left, run_time=STEADY)
        arrows = Flow((Appear(arrow) for arrow in (fan.ground[0], *fan.arrows)), QUICK)
        return Together(texts, gone, Flow(flying, REST), arrows)

    def back_to_sentence(self) -> Together:
        """Return how all words come back from the fan into the sentence."""
        pairs = zip(self.all.chips, self.fan.labels, strict=True)
        flying = [ComeFrom(chip.label, name, fit=False) for chip, name in pairs]
        plates = Appear(*(chip.plate for chip in self.all.chips), run_time=STEADY)
        fan, dark = self.fan, Recolor(*self.fan.arrows, role=theme.INK, run_time=SOON)
        names = Disappear(*fan.labels, *fan.degrees, fan.query, fan.others, run_time=REST)
        rest = Then(Disappear(*fan.arrows, *fan.drawn, run_time=STEADY), dark)
        return Together(names, rest, Flow(flying, REST), plates)

    @beat(
        "How does {asker} find out | that it is {answers}? | "
        "It always starts as the same numbers, | whatever stands around it.",
        other_words="How does {asker} find out | what stands around it? | "
        "It always starts as the same numbers, | whatever that is.",
    )
    def the_same_numbers(self) -> Shown:
        numbers, others = self.talk.start, self.all.others(self.asker)
        yield Then(Flow(map(Appear, self.all.chips), QUICK), Pulse(self.chip))
        yield Flow(map(Pulse, self.told))
        yield Dim(*others), numbers.come_out_of(self.chip.get_bottom())
        yield Disappear(*(chip.label for chip in others)), Pulse(numbers, scale=SLIGHTLY)

    @beat(
        "Suppose it asked: any adjectives here? | And they answered: I am one! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
        other_words="Suppose it asked: who matters to me? | And they answered: I do! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
    )
    def a_question(self) -> Shown:
        talk, heard = self.talk, self.all.others(self.asker, *self.answers)
        back = Fade(*self.told, to=1.0), Fade(*heard, to=theme.OUT_OF_FOCUS)
        yield *back, Dim(talk.start), Appear(talk.asked)
        yield Flow(map(Appear, talk.said))
        yield Appear(talk.badge), Fade(talk.start, to=1.0), Pulse(talk.start, scale=SLIGHTLY)
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
        yield self.open_fan(self.query[self.asker], *self.answering, self.talk.start)
        yield Pulse(fan.labels[self.asker]), Recolor(fan.arrows[self.asker], role=QUERY)
        yield Pulse(fan.labels[self.nearest]), Recolor(fan.arrows[self.nearest], role=theme.ACCENT)
        yield Then(Draw(fan.there), Draw(fan.back))
        rest = {*range(len(self.tokens))} - {self.asker, *self.answers}
        sought = Flow(Pulse(fan.labels[i]) for i in self.answers)
        yield Dim(*fan.of(rest), fan.there, fan.back), sought

    @beat("So each word gets two: | a query, for what it looks for, | a key, for how it's found.")
    def two_vectors(self) -> Shown:
        yield self.back_to_sentence()
        yield ComeFrom(self.query[self.asker], self.chip), Appear(self.all.names[0])
        yield Flow(map(ComeFrom, self.answering, self.told)), Appear(self.all.names[1])

    @beat(
        "A learned matrix makes the query: | the {large} numbers {asker} has by now, | "
        "brought to one size, | times a column, entry by entry, | added up, with a bias: | "
        "its first number.",
        without_bias="A learned matrix makes the query: | "
        "the {large} numbers {asker} has by now, | brought to one size, | "
        "times a column, entry by entry, | added up, | give its first number.",
    )
    def the_first_number(self) -> Shown:
        work, every = self.work, self.all
        left = *every.others(self.asker), *self.answering, *every.names
        made = GoInto(self.query[self.asker], work.label), Appear(work.label, run_time=STEADY)
        shown = Then(Hold(), Appear(work.matrix, work.symbol, run_time=STEADY))
        yield Disappear(*left, run_time=REST), TurnInto(self.chip, work.chip), *made, shown
        yield work.vector.come_out_of(work.chip.get_bottom())
        yield Remeasure(work.vector, work.factors.vector.values)
        gone = Flow(Disappear(work.matrix.entry(i, 0), run_time=SOON) for i in work.matrix.rows)
        products, bias = work.terms[: work.tall], work.terms[work.tall :]
        down = Then(Hold(SOON), Flow(Appear(term, run_time=REST) for term in reversed(products)))
        yield Appear(work.window), gone, down, Flow(map(Pulse, work.vector.cells))
        cell, number = work.result.cell(0), work.result.number(0)
        runs = (Then(Hold(), Count(number, so_far, SOON)) for so_far in work.sums)
        falls = map(Together, (GoInto(term, cell, QUICK) for term in work.terms), runs)
        yield Then(Appear(cell, number, work.bias, *bias), Flow(falls))
        back = Then(Hold(), Appear(work.matrix.column(0)))
        yield Disappear(work.bias), Pulse(VGroup(cell, number)), back

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
        yield Then(Pulse(VGroup(*row), scale=SLIGHTLY) for row in (self.values, self.keys))

    @beat(
        "Compare again: | the query of {asker} with every key. | Almost all turn away. | "
        "Only adjectives lean its way, some only just; | of those before it, {found} most.",
        otherwise="Compare again: | the query of {asker} with every key. | The arrows turn: | "
        "now {best} fits best. | The matrices decide.",
    )
    def compare_again(self) -> Shown:
        fan, every = self.fan, self.all
        away = {*range(len(self.tokens))} - {*self.named}
        yield self.open_fan(*every.made, *every.names)
        yield Appear(fan.asking), Recolor(*fan.arrows, role=KEY)
        told = [fan.labels[i] for i in away] if fan.others else []
        turned = Together(Dim(*fan.of(away)), Appear(fan.query))
        yield Then(Together(Vary(fan.turn, 0, 1, SLOW), Disappear(*told)), turned)
        named = Flow(Together(Pulse(fan.labels[i]), Appear(fan.degrees[i])) for i in self.named)
        yield Appear(fan.half, *fan.others), named
        found = min({*self.named} & {*self.answers} or self.named, key=self.after.item)
        later = [i for i in self.named if i > self.asker and i != found]
        yield Dim(*fan.of(later)), Pulse(fan.labels[found], fan.degrees[found])

    @beat(
        "So {asker} asks with its query, | finds {answers} by key, | and takes in their values: | "
        "its numbers change, | and now they tell of this sentence."
    )
    def found_out(self) -> Shown:
        every, talk, fan = self.all, self.talk, self.fan
        values = [self.values[i] for i in self.answers]
        asking = ComeFrom(self.query[self.asker], fan.asking, fit=False)
        yield self.back_to_sentence(), asking, Appear(every.names[0])
        found = Then(Flow(map(ComeFrom, self.answering, self.told)), Flow(map(Draw, talk.paths)))
        yield Dim(*every.others(self.asker, *self.answers)), found, Appear(every.names[1])
        column = talk.now.come_out_of(self.chip.get_bottom())
        yield Flow(map(ComeFrom, values, self.told)), Appear(every.names[2]), column
        taken = Flow(GoInto(value, talk.now.get_left()) for value in reversed(values))
        yield Then(taken, Remeasure(talk.now, talk.then, run_time=SLOW))
        yield Fade(*values, to=1.0), Pulse(VGroup(self.chip, talk.now), scale=SLIGHTLY)


OF_ADJECTIVES = "any adjectives here?", "I am one!"
OF_OTHERS = "who here matters to me?", "I do!"
RIGHT_ANGLE = 90.0
STOPS = 9  # places of the arrows between which they turn
MANY = 9  # tokens; so many do not all stand on the sides that they answer from
MOST, WIDE, FLAT = 6, 1.4, 0.6  # entries of a token's own vector; scene units, the room of one
SLIGHTLY = 1.04  # times as large, what swells among others
SOON = 0.15  # seconds, in which a sum takes in one more product
HALF = 0.12  # opacity of the half plane in which arrows lean toward the query
PATH, THIN = 12.0, 0.15  # the line's width for a weight of one, and the least weight it tells


def answers(tokens: Sequence[str], asker: int, pattern: NDArray[np.floating]) -> list[int]:
    """Return two tokens before the asker: adjectives, or those to which it attends most."""
    adjectives = [i for i in range(asker) if tokens[i] in ADJECTIVES]
    attended = sorted(range(asker), key=lambda key: -float(pattern[asker, key]))
    return adjectives[-2:] or sorted(attended[:2])


class Fan(Space):
    """Everybody's vector at its true angle to the asker's, which stands upright.

    `turn` goes from the tokens' own vectors (0) to the asker's query and everybody's keys (1).
    `asking`, with the name `query`, stays upright when the asker's own arrow turns; `half` is where
    arrows lean toward it, `degrees` are the angles of those that are named, `others` the rest.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        left = film.after < RIGHT_ANGLE
        if left.all() or not left.any() or len(left) > MANY:
            left = np.argsort(np.argsort(film.after)) % 2 == 0
        shares = np.linspace(0, 1, STOPS)[:, None]
        turns = np.radians((1 - shares) * film.before + shares * film.after)
        stops = np.stack([np.where(left, -1, 1) * np.sin(turns), np.cos(turns)], axis=-1)
        names = [called(token) for token in film.tokens]
        self.degrees = [
            Words("{:.0f}\N{DEGREE SIGN}", each, size=SPOKEN_SIZE, role=KEY) for each in film.angles
        ]
        region = film.stage.lowered(GAP).raised(HAIR)
        size, free = (SPOKEN_SIZE, 2 * HAIR) if region.is_narrow else (theme.TITLE_SIZE, 4 * GAP)
        super().__init__(list(stops), names, region, size=size)
        every, self.stops, self.unit = self.stops, self.stops[:1], 1.0
        self._fit(region)
        self.near, self.stops, self.unit = (self.origin, self.unit), every, 1.0
        self._fit(region.narrowed(free, free))
        self.far = self.origin, self.unit
        pair = film.asker, film.nearest
        self.there, self.back = self.arc(*pair), self.arc(*pair[::-1])
        self.back.set_stroke(theme.color(theme.ACCENT), theme.BOLD_LINE)
        self.asking = Arrow(theme.color(QUERY))
        self.query = Words("query of {}", names[film.asker], size=SPOKEN_SIZE, role=QUERY)
        self.half = Sector(self.unit, angle=PI, arc_center=(*self.origin, 0.0), stroke_width=0)
        self.half.set_fill(theme.color(QUERY), HALF)
        self.others = VGroup()
        self.turn(1)
        for told, name, side in zip(self.degrees, self.labels, left, strict=True):
            told.next_to(name, LEFT if side else RIGHT, buff=GAP)
            film.stage.hold(told.shift((name.baseline - told.baseline) * UP))
        if not film.circumstances()["otherwise"]:
            self.others.add(Words("all others", size=SPOKEN_SIZE, role=QUIET))
            away = (arrow for i, arrow in enumerate(self.arrows) if i not in film.named)
            film.stage.hold(self.others.next_to(VGroup(*away), RIGHT, buff=GAP))
        self.turn(0)
        self.drawn = self.ground, self.there, self.back, self.asking, self.half
        self.add_to_back(self.half).add(self.asking, self.query, self.others, *self.degrees)

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
    """What is asked and answered over the sentence, and the asker's own numbers under it.

    `start` are those it starts with; `now` come to `then` when the head has added its change. The
    `paths` go from its query to the keys that answer, as wide as their weights.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        every, asker, where = film.all, film.asker, (film.layer, film.head)
        asked, said = OF_OTHERS if film.circumstances()["other_words"] else OF_ADJECTIVES
        query, chip = every.made[0][asker], every.chips[asker]
        self.asked = Bubble(asked, QUERY, query, chip)
        pairs = zip(film.answering, film.told, strict=True)
        self.said = [Bubble(said, KEY, key, speaker) for key, speaker in pairs]
        limit = float(chip.get_x()) - HAIR
        for each in reversed(self.said):
            each.shift(min(0.0, limit - float(each.plate.get_right()[0])) * RIGHT)
            limit = float(each.plate.get_left()[0]) - HAIR
        film.stage.hold(VGroup(*self.said))
        film.stage.hold(self.asked)
        for each in (self.asked, *self.said):
            each.point()
        self.badge = Words("(a story)", size=SPOKEN_SIZE, role=QUIET)
        self.badge.move_to(every.names[2], aligned_edge=LEFT)
        self.then = added(film.stream, film.tensor("head_out")[where][asker]).values
        apart = float(chip.get_x() - every.chips[asker - 1].get_x())
        is_upright = apart > (WIDE + query.width) / 2 + GAP  # else it would meet its neighbour
        high, wide = (every.low.height - HAIR) / MOST, min(WIDE, film.stage.width / MOST - HAIR)
        room = (WIDE, high) if is_upright else (wide, FLAT)
        foot = every.low.top if is_upright else every.made[2].get_bottom()[1]
        now, start = film.stream.values, film.tensor("embed")[asker].values
        self.start = Vector(start, room, upright=is_upright, most=MOST)
        self.now = Vector(now, room, upright=is_upright, most=MOST, later=self.then)
        both = VGroup(self.start, self.now).move_to(chip).set_y((foot + every.low.bottom) / 2)
        film.stage.hold(both)
        weights = film.tensor("pattern")[where][asker].array[film.answers]
        self.paths = [
            Line(query.get_left(), key.get_top(), buff=HAIR, stroke_width=PATH * max(weight, THIN))
            for weight, key in zip(weights, film.answering, strict=True)
        ]
        VGroup(*self.paths).set_color(theme.color(KEY))
        super().__init__(self.asked, *self.said, self.badge, self.start, self.now, *self.paths)
