"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.tidied import Tidied
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.fan import Fan, Unfold
from scenes.mobjects.marks import Bubble, arch
from scenes.mobjects.matrix import Area
from scenes.mobjects.product import Factors, Product
from scenes.mobjects.projections import Projections, in_line
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Words, called, em_of
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import angle, constant
from scenes.theme import GAP, HAIR, KEY, QUERY, QUICK, QUIET, REST, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, ComeFrom, Dim, Disappear, Draw, Flow, Hold, Pulse, Then, Together

ADJECTIVES, NOUN = {" fluffy", " blue", " verdant"}, " forest"  # of the course's own sentence


class QueriesKeysValues(Film):
    """A token asks with its query, is found by its key, and hands over its value."""

    title = "Queries, keys and values"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
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
        self.apart = [angle(own, each) for each in self.inputs]
        self.before = np.array([each.number for each in self.apart])
        self.tidied = Tidied.of(self.stream, has_mean=self.traits.norm == "layer norm")
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
            "centered": "centered, " if self.tidied.middle else "",
            "them": f"{self.traits.turned} of them" if self.traits.turned else "them",
        }

    def cast(self) -> None:
        """Make the sentence with all vectors, what is asked, the fan and the product."""
        self.all = Projections(self.tokens, self.made, self.stage)
        self.queries, self.keys, self.values = self.all.made
        chips, room = self.all.chips, (0.7 * self.all.thick, self.all.over.height / (MOST + 1))
        self.own = [
            Vector(x.values, room, upright=True, most=MOST, numerals=False) for x in self.inputs
        ]
        for body, chip in zip(self.own, chips, strict=True):
            self.stage.hold(body.next_to(chip, UP, buff=HAIR))
        self.chip, self.told = chips[self.asker], [chips[i] for i in self.answers]
        names, places = map(called, self.tokens), (self.asker, self.answers)
        self.fan = Fan(list(names), places, (self.apart, self.angles), self.stage)
        self.talk, self.taken = Talk(self), Taken(self)
        signs = self.tokens[self.asker], f"${QUERY.value}(W_Q)$", "query"
        self.work = Product(factors(self), signs, self.stage)
        self.stand(*self.own, self.all, self.talk, self.work, self.fan, self.taken)
        self.view = self.view.into(VGroup(*chips, *self.talk.wonder), self.stage)

    @beat(
        "How does {asker} find out | that it is {answers}? | "
        "It always starts as the same numbers, | whatever stands around it.",
        other_words="How does {asker} find out | what stands around it? | "
        "It always starts as the same numbers, | whatever that is.",
    )
    def the_same_numbers(self) -> Shown:
        talk, around = self.talk, self.all.others(self.asker)
        others = talk.other.others(AMONG)
        come = Flow(map(Appear, self.all.chips), STEADY)
        yield Then(come, Together(Pulse(self.chip), Appear(talk.wonder[0])))
        yield Flow(map(Draw, talk.wonder[1:])), Flow(map(Pulse, self.told))
        near = self.zoom_into(VGroup(self.chip, talk.other))
        rows = Flow(map(Appear, talk.other.chips)), talk.start.come_out_of(self.chip.get_top())
        yield Disappear(*talk.wonder), Dim(*around), near, Then(Hold(), Together(*rows))
        each = (Pulse(VGroup(*words), scale=SLIGHTLY) for words in (around, others))
        yield Dim(*others), Then(*each, Pulse(talk.start, scale=SLIGHTLY))

    @beat(
        "Suppose it asked: any adjectives here? | And they answered: I am one! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
        other_words="Suppose it asked: who matters to me? | And they answered: I do! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
    )
    def a_question(self) -> Shown:
        talk, heard = self.talk, self.all.others(self.asker, *self.answers)
        back = verbs.Fade(*self.told, to=1.0), verbs.Fade(*heard, to=theme.OUT_OF_FOCUS)
        near = self.zoom_into(VGroup(*talk.spoken, self.chip, *self.told), run_time=STEADY)
        leave = Disappear(talk.other, talk.start), *back
        yield near, *leave, Then(Hold(QUICK), Appear(talk.asked))
        yield Flow(map(Appear, talk.said))
        speakers, bubbles = (self.asker, *self.answers), (talk.asked, *talk.said)
        pairs = zip(bubbles, (self.own[i] for i in speakers), strict=True)
        silent = Disappear(talk.badge, *(each.said for each in bubbles), run_time=REST)
        turning = Together(silent, Flow(verbs.TurnInto(each.plate, body) for each, body in pairs))
        yield self.pull_back(STEADY), Appear(talk.badge), Then(Hold(STEADY), turning)
        yield Flow((Pulse(self.own[i], scale=SLIGHTLY) for i in speakers), STEADY)

    @beat(
        "Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, another noun, | and every match is mutual. | "
        "But a noun seeks what it isn't.",
        otherwise="Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, | and every match is mutual. | But what you seek isn't what you are.",
    )
    def one_vector_for_both(self) -> Shown:
        fan, chips = self.fan, self.all.chips
        rest = {*range(len(chips))} - {self.asker, *self.answers}
        come = Flow(self.own[i].come_out_of(chips[i].get_top()) for i in rest)
        yield Then(Together(come, verbs.Undim(*chips)), fan.open(self.own, chips))
        yield Pulse(fan.labels[self.asker]), Pulse(fan.arrows[self.asker])
        near = fan.labels[self.nearest], fan.was[self.nearest]
        lit = verbs.Recolor(fan.arrows[self.nearest], role=theme.ACCENT)
        yield lit, Draw(fan.there), Appear(near[1]), Pulse(near[0])
        yield Then(Draw(fan.back), Pulse(*near), Pulse(fan.labels[self.asker]))
        sought = Flow(Together(Pulse(fan.labels[i]), Appear(fan.was[i])) for i in self.answers)
        yield Dim(*fan.of(rest), fan.there, fan.back), sought

    @beat("Give it two: | a query, free to turn to what it seeks, | and a key, for how it's found.")
    def two_vectors(self) -> Shown:
        fan, (asks, found) = self.fan, self.fan.told
        rest = {*range(len(self.tokens))} - {self.asker, *self.answers}
        leave = Disappear(*fan.of(rest), *fan.was, fan.there, fan.back)
        yield leave, Appear(fan.asking, fan.keeping)
        yield verbs.Vary(fan.seek, 0, 1), Then(Hold(STEADY), Appear(asks))
        yield verbs.Vary(fan.keep, 0, 1), Then(Hold(STEADY), Appear(found))

    @beat(
        "A learned matrix makes the query: | the {large} numbers {asker} has by now, | "
        "{centered}brought to one size, | adjusted as learned, | "
        "times a column, entry by entry, | added up, with a bias: | its first number.",
        without_bias="A learned matrix makes the query: | "
        "the {large} numbers {asker} has by now, | {centered}brought to one size, | "
        "adjusted as learned, | times a column, entry by entry, | added up, | "
        "give its first number.",
    )
    def the_first_number(self) -> Shown:
        work, fan, given = self.work, self.fan, self.work.sizes[0]
        slot = VGroup(work.result.brackets, *work.result.dots)
        rest = *fan.of({*range(len(self.tokens))} - {self.asker}), fan.keeping, fan.ground
        left = Disappear(*rest, *fan.told, fan.labels[self.asker], run_time=REST)
        closed = Unfold(slot, fan.asking, back=True), Appear(work.label)
        into = Unfold(work.vector, fan.arrows[self.asker], back=True)
        chip = ComeFrom(work.chip, fan.labels[self.asker], fit=False)
        shown = Appear(work.matrix, work.symbol, run_time=STEADY)
        yield left, into, chip, Then(Hold(), Together(*closed)), Then(Hold(STEADY), shown)
        yield Appear(given), Flow(map(Pulse, work.vector.cells))
        first = work.window.get_center()
        work.window.match_x(work.vector.cells)
        yield Appear(work.window), Remeasure(work.vector, self.tidied.values)
        yield Remeasure(work.vector, work.factors.vector.values)
        weights = [work.matrix.entry(i, 0) for i in work.matrix.rows]
        hidden = Flow(Disappear(number, run_time=SOON) for _, number in weights)
        faint = Dim(*(cell for cell, _ in weights), run_time=SOON)
        products, bias = work.terms[: work.tall], work.terms[work.tall :]
        down = Flow(Appear(term, run_time=REST) for term in reversed(products))
        times = Together(faint, hidden, down, Flow(map(Pulse, work.vector.cells)))
        yield verbs.MoveTo(work.window, first, run_time=QUICK), Then(Hold(), times)
        cell, number = work.result.cell(0), work.result.number(0)
        runs = (Then(Hold(), verbs.Count(number, so_far, SOON)) for so_far in work.sums)
        falls = map(Together, (verbs.GoInto(term, cell, QUICK) for term in work.terms), runs)
        yield Then(Appear(cell, number, work.bias, *bias), Flow(falls), Disappear(work.bias))
        yield Pulse(VGroup(cell, number)), Appear(work.matrix.column(0))

    @beat(
        "Each column gives one more: | {large} numbers in, {small} out.",
        sized="Each column gives one more: {small} in all. | They're brought to one size, "
        "and then their place turns {them}.",
        turned="Each column gives one more: | {small} in all, and then its place turns {them}.",
    )
    def every_column(self) -> Shown:
        work, (given, made) = self.work, self.work.sizes
        yield verbs.Vary(work.sweep, 1, work.steps, theme.SLOW)
        sized = [work.bring_to_size(), Hold()] if self.traits.head_norm else []
        yield Pulse(given, work.vector), Then(Appear(made), Pulse(made), *sized, work.turn())

    @beat(
        "One matrix makes every word's query, | a second its key, | "
        "a third its value: | what it says isn't how it's found."
    )
    def the_same_for_all(self) -> Shown:
        work, every, asker = self.work, self.all, self.asker
        left = Disappear(work.window, work.label, work.symbol, work.result, *work.sizes)
        into = verbs.GoInto(work.matrix, every.tools[0]), verbs.GoInto(work.vector, self.chip)
        home = verbs.TurnInto(work.chip, self.chip), ComeFrom(self.queries[asker], work.result)
        come = Then(Hold(), Appear(*every.others(asker)))
        sign = Then(Hold(QUICK), Appear(every.tools[0]))
        yield Then(Together(left, *into, *home, come, sign), every.pass_over(0, first=asker))
        yield every.pass_over(1)
        yield every.pass_over(2)
        one = self.answers[0]
        kept = self.keys[one], self.values[one], every.chips[one]
        rest = {*every.chips, *self.queries, *self.keys, *self.values} - {*kept}
        yield Dim(*rest), Then(Hold(), *map(Pulse, kept[1::-1]))

    @beat(
        "Now compare the query | of {asker} with every key. | Most turn away: | "
        "only adjectives lean its way; | of those before it, {found} most.",
        otherwise="Now compare the query | of {asker} with every key. | "
        "Each points its own way: | now {best} fits best. | The matrices decide.",
    )
    def compare_again(self) -> Shown:
        fan, every, asker = self.fan, self.all, self.asker
        away = {*range(len(self.tokens))} - {*self.named}
        others = (body for i, body in enumerate(self.queries) if i != asker)
        leave = Disappear(*self.values, *others, *every.names)
        keys = verbs.Recolor(*fan.arrows, role=KEY, run_time=REST), verbs.Vary(fan.turn, 0, 1, REST)
        asks, query = Pulse(self.queries[asker]), Unfold(self.queries[asker], fan.asking)
        yield leave, verbs.Undim(*self.keys, *every.chips), Then(Together(*keys), asks)
        yield query, fan.open(self.keys, every.chips), Then(Hold(STEADY), Appear(fan.query))
        turned = verbs.Recolor(*(fan.arrows[i] for i in away), role=QUIET)
        yield Appear(fan.half), turned, Dim(*(fan.labels[i] for i in away))
        yield Flow(Together(Pulse(fan.labels[i]), Appear(fan.degrees[i])) for i in self.named)
        found = min({*self.named} & {*self.answers} or self.named, key=self.after.item)
        later = [i for i in self.named if i > self.asker and i != found]
        yield Dim(*fan.of(later)), Pulse(fan.labels[found], fan.degrees[found])

    @beat(
        "So {asker} asks with its query, | finds {answers} by key, | takes in their values, | "
        "more where they match: | its vector turns, | and now it tells of {answers}.",
        other_words="So {asker} asks with its query, | finds words by their keys, | "
        "takes in their values, | more where they match: | its vector turns, | "
        "and now it tells of them.",
    )
    def found_out(self) -> Shown:
        fan, taken, chips = self.fan, self.taken, self.taken.chips
        rest = [i for i in range(len(chips)) if i not in self.answers]
        home = Flow([ComeFrom(chips[i], fan.labels[i], fit=False) for i in rest], REST)
        here = Appear(*(chips[i] for i in self.answers))
        seen = [row[i] for i in self.answers for row in (fan.labels, fan.arrows, fan.degrees)]
        left = VGroup(fan.asking, fan.query, fan.half, fan.ground[0], *seen)
        up = verbs.MoveTo(left, taken.room.center, scale=min(1, taken.room.height / left.height))
        asks = Pulse(fan.asking, fan.query, chips[self.asker])
        yield Then(Together(Disappear(*fan.of(rest)), up, home, here), asks)
        dim = Dim(*(chips[i] for i in rest if i != self.asker)), verbs.Undim(*fan.of(self.answers))
        keyed = verbs.Recolor(*(fan.arrows[i] for i in self.answers), role=KEY)
        pairs = [(fan.labels[i], fan.arrows[i], chips[i]) for i in self.answers]
        yield *dim, keyed, Flow(Pulse(*each, scale=SLIGHTLY) for each in pairs)
        values = Flow(ComeFrom(each, chips[i]) for i, each in enumerate(taken.values))
        own = ComeFrom(taken.own, chips[self.asker]), Unfold(taken.own, taken.before)
        leave = Disappear(left, fan.ground, run_time=REST)
        yield Then(Together(leave, values, own[0]), Together(own[1], Appear(taken.token)))
        less = Together(map(taken.shrink, range(self.asker)))
        yield Then(Flow(map(Appear, taken.shares.values()), REST), less)
        into = [taken.values[i] for i in self.answers[::-1]]
        ways = (Unfold(body, arrow) for body, (_, arrow) in zip(into, taken.given, strict=True))
        gone = Disappear(*taken.shares.values(), *({*taken.values} - {*into}))
        turned = (
            verbs.Fade(taken.after, to=1.0, run_time=SOON),
            verbs.Become(taken.after, taken.end),
        )
        names = Appear(*(name for name, _ in taken.given), *taken.rest)
        yield gone, Then(Flow(ways), Together(Dim(taken.before), *turned, names))
        yield Appear(taken.now), Then(Flow(map(Draw, taken.arcs)), Hold(theme.SLOW))


OF_ADJECTIVES = "any adjectives here?", "I am one!"
OF_OTHERS = "who here matters to me?", "I do!"
RIGHT_ANGLE = 90.0
MOST, WIDE, HIGH = 5, 1.4, 0.62  # entries of a token's own vector; scene units, the room of one
SLIGHTLY = 1.04  # times as large, what swells among others
SOON = 0.15  # seconds, in which a sum takes in one more product
BAND = 1.3  # scene units, the height of values over a line of words
PAIR = ("query", "what it seeks", QUERY), ("key", "how it's found", KEY)
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


def ways(chips: Sequence[Chip], answers: Iterable[int], asker: int) -> list[VMobject]:
    """Return arcs from the chips of those that answer to the asker's, at most `BAND` high."""
    ends = {i: chips[i].get_top() for i in (*answers, asker)}
    long = [float(np.linalg.norm(ends[asker] - ends[i])) for i in answers]
    highs = (BAND * each / max(long) for each in long)
    return [
        arch(ends[i], ends[asker], h, theme.BOLD_LINE) for i, h in zip(answers, highs, strict=True)
    ]


class Talk(VGroup):
    """What is asked and answered over the sentence, and what the asker starts with.

    That is `start`, its first numbers, between it and the same token of an `other` sentence.
    `wonder` is a question mark and the ways on which it could hear of those that answer.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        every, asker = film.all, film.asker
        asked, said = OF_OTHERS if film.circumstances()["other_words"] else OF_ADJECTIVES
        query, chip = every.made[0][asker], every.chips[asker]
        paths = ways(every.chips, film.answers, asker)
        mark = Words("?", size=theme.HEADING_SIZE).next_to(chip, UP, buff=BAND + HAIR)
        self.wonder = VGroup(mark, *(way.set_stroke(theme.color(QUIET)) for way in paths))
        self.asked = Bubble(asked, QUERY, query, chip)
        pairs = zip((film.keys[i] for i in film.answers), film.told, strict=True)
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
        self.spoken = self.asked, *self.said, self.badge
        size = every.chips[0].label.em / em_of(1)
        pieces = *OTHER[:AMONG], film.tokens[asker], *OTHER[AMONG:]
        self.other = TokenRow(pieces, film.stage, largest=size, lines=1, gap=GAP)
        high = min(HIGH, (every.over.height - self.other.height - GAP) / MOST)
        start = film.tensor("embed")[asker].values
        self.start = Vector(start, (WIDE, high), upright=True, most=MOST)
        film.stage.hold(self.start.next_to(chip, UP, buff=HAIR))
        self.other.next_to(self.start, UP, buff=HAIR)
        self.other.shift((chip.get_x() - self.other.chips[AMONG].get_x()) * RIGHT)
        film.stage.hold(self.other)
        super().__init__(*self.spoken, self.start, self.other, self.wonder)


class Taken(VGroup):
    """A token's vector and what it takes in of values, tip to tail, in the plane of the two.

    Parts: the sentence's `chips`, the `values` of those before the asker, with the `shares` in
    which they are taken, and its `own` vector; above them, in `room`, that as an arrow `before`,
    level, with the name of its `token`; `given` of those that answer, each with its name, and
    `rest` of all others, if it can be seen; `after`, which begins as it was before and comes to
    `end`; what it is `now`, and the `arcs` on which it has heard of them.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        where, order, asker = (film.layer, film.head), film.answers[::-1], film.asker
        own, change = film.stream.double, film.tensor("head_out")[where][asker].double
        pattern = film.tensor("pattern")[where][asker]
        handed = film.made[2].double @ film.tensor("weights.W_O")[where].double
        plane, sides = np.linalg.qr(np.stack([own, change], axis=1))
        plane = plane * np.sign(np.diag(sides))
        self.pattern = pattern.array
        sums = np.cumsum([0 * own, own, *(pattern.double[:, None] * handed)[order]], axis=0)
        stops = np.array([*sums, own + change]) @ plane
        self.chips = in_line(film.tokens, film.stage)
        row = VGroup(*self.chips).move_to(film.stage.bottom * UP, aligned_edge=DOWN)
        self.room = film.stage.raised(row.height + BAND + 2 * GAP)
        thick = film.all.thick / 2
        self.values = [
            Area(each, BAND / len(each), role=theme.VALUE, thickness=thick)
            for each in [*film.made[2]][:asker]
        ]
        self.own = film.own[asker].copy()
        for body, chip in zip((*self.values, self.own), self.chips, strict=False):
            body.next_to(chip, UP, buff=HAIR)
        self.shares = {
            i: Words("{:share}", pattern.values[i], size=SPOKEN_SIZE, role=theme.VALUE)
            for i in film.answers
        }
        for i, share in self.shares.items():
            film.stage.hold(share.next_to(self.values[i], UP, buff=HAIR))
        whose = film.name_of(asker), *map(film.name_of, order), "others"
        roles = theme.INK, *(theme.VALUE for _ in order), QUIET
        names = [
            Words("{}", name, size=theme.TITLE_SIZE, role=role)
            for name, role in zip(whose, roles, strict=True)
        ]
        self.now = Words("{} with {}", whose[0], film.words()["answers"], size=theme.HEADING_SIZE)
        film.stage.fit_width(self.now)
        free = max(name.width for name in names) + 2 * GAP
        room = self.room.narrowed(HAIR, free).lowered(self.now.height + GAP)
        low, sides = stops.min(axis=0), np.ptp(stops, axis=0)
        unit = min(np.array([room.width, room.height]) / np.maximum(sides, 1e-9))
        stops = room.center[:2] + unit * (stops - low - sides / 2)
        self.before, self.after, self.end = (Arrow(theme.color(theme.INK)) for _ in range(3))
        pieces = [Arrow(theme.color(role)) for role in roles[1:]]
        for arrow, end in zip((self.before, self.after, self.end), stops[[1, 1, -1]], strict=True):
            arrow.point(stops[0], end)
        self.token, line = names[0], float(stops[1, 1])
        self.token.move_to((stops[1:, 0].max() + GAP, line, 0.0), aligned_edge=LEFT)
        for name, arrow, (start, end) in zip(names[1:], pieces, pairwise(stops[1:]), strict=True):
            arrow.point(start, end)
            line = max(float(start[1] + end[1]) / 2, line + 1.2 * name.em)
            name.move_to((self.token.get_left()[0], line, 0.0), aligned_edge=LEFT)
        self.now.next_to(VGroup(self.end, *names), UP, buff=GAP)
        self.now.shift(min(film.stage.top - self.now.get_top()[1], 0.0) * UP)
        film.stage.hold(self.now.set_x(stops[-1, 0] - self.now.width / 2))
        self.given = list(zip(names[1:-1], pieces[:-1], strict=True))
        self.rest = names[-1:] * int(pieces[-1].height > names[-1].height) + pieces[-1:]
        self.arcs = ways(self.chips, order, asker)
        super().__init__(*self.values, self.own, *self.chips, *self.shares.values(), *self.arcs)
        self.add(self.before, *names[:-1], *pieces, *self.rest[:-1], self.after, self.now)

    def shrink(self, place: int) -> Together:
        """Return how a value becomes as small as the share of it that is taken."""
        body, share = self.values[place], float(self.pattern[place])
        low = body.get_bottom()
        less = verbs.Become(body, body.copy().stretch(share, 1, about_point=low))
        told = [self.shares[place]] if place in self.shares else []
        down = (1 - share) * body.height * DOWN
        return Together(less, *(verbs.Shift(each, by=down) for each in told))
