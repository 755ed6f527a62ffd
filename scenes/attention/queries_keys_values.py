"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.figures.fan import Fan
from scenes.figures.product import Factors, Product
from scenes.figures.projections import Branches, Projections
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.fit import shown_entries
from scenes.mobjects.marks import WIDEST, Bubble, arches
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Formula, Words, em_of, label_of
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Value, added, angle, constant
from scenes.theme import (
    GAP,
    HAIR,
    KEY,
    OUTPUT,
    PLAIN_SIZE,
    QUERY,
    QUICK,
    QUIET,
    REST,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
)
from scenes.verbs import Appear, Dim, Disappear, Draw, Flow, Hold, Pulse, Then, Together


class QueriesKeysValues(Film):
    """A token asks with its query, is found by its key, and hands over its value."""

    title = "Queries, keys and values"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 88
    poster_beat = "compare-again"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Find who asks and who answers, and how far each key points away from the query."""
        where = self.layer, self.head
        self.asker = self.followed() or 1  # somebody stands before it
        pattern = self.tensor("pattern")[where]
        self.answers = answers(self.tokens, self.asker, pattern.array)
        self.shares = pattern[self.asker]
        self.inputs = self.tensor("ln1")[self.layer]
        self.made = [self.tensor(name)[where] for name in "qkv"]
        asked = [self.made[1][i] for i in range(self.asker + 1)]
        self.angles = [angle(self.made[0][self.asker], key) for key in asked]
        self.after = np.array([each.number for each in self.angles])
        ranked = sorted(self.answers, key=self.after.item)
        self.found, self.last = ranked[0], ranked[-1]
        leaning = {self.tokens[i] for i in np.flatnonzero(self.after < RIGHT_ANGLE)}
        shares = [self.shares[i].value.number for i in ranked]
        self.astray = leaning != {self.tokens[i] for i in self.answers} & ADJECTIVES
        self.astray |= shares != sorted(shares, reverse=True)
        self.named = [int(self.after.argmin())] if self.astray else ranked

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the story is of adjectives, and whether the head does as in the story."""
        others = any(self.tokens[i] not in ADJECTIVES for i in self.answers)
        return {**super().circumstances(), "other_words": others, "otherwise": self.astray}

    def words(self) -> Mapping[str, str]:
        *_, large, small = self.tensor("weights.W_Q").shape
        return {
            "asker": self.name_of(self.asker),
            "answers": " and ".join(map(self.name_of, self.answers)),
            "found": self.name_of(self.found),
            "best": self.name_to(self.asker, int(self.after.argmin())),
            "large": str(large),
            "small": str(small),
            "barely": f", {self.name_of(self.last)} barely" * bool(self.after[self.last] > BARELY),
            "them": f"{self.traits.turned} of them" if self.traits.turned else "them",
        }

    def cast(self) -> None:
        weights = [self.tensor(f"weights.W_{letter}")[self.layer, self.head] for letter in "QKV"]
        self.all = Projections(self.tokens, self.inputs, self.made[1], weights[1], self.stage)
        chips, asked = self.all.chips, self.tokens[: self.asker + 1]
        self.chip, self.told = chips[self.asker], [chips[i] for i in self.answers]
        self.opening = chips[max(0, self.answers[0] - 1) : self.asker + 1]
        seen = {*self.named, *self.answers}
        self.fan = Fan([*map(label_of, asked)], self.angles, self.stage, seen)
        self.talk, self.work = Talk(self), product(self)
        self.work.arrive(0)
        own = [each[self.asker].values for each in self.made[:2]]
        self.two = Branches(self.work.vector, self.stage, ASKS, own, numerals=False)
        made = [each[self.found].values for each in self.made[1:]]
        given = self.inputs[self.found].values
        body = Vector(given, self.work.vector.room, upright=True, most=TABLE[0])
        body.move_to(self.work.vector)
        self.word = Chip(self.tokens[self.found], widest=2 * body.width).move_to(self.work.chip)
        self.tells = Branches(body, self.stage, TELLS, made)
        self.stand(self.all, self.talk, self.work, self.fan, self.two, self.tells, self.word)
        self.stand(body)
        self.unasked = [chip for chip in self.opening[:-1] if chip not in self.told]
        self.near = self.view.into(VGroup(*self.opening, *self.talk.adding), self.stage, NEARER)
        self.view = self.view.into(VGroup(*self.opening, *self.talk.wonder), self.under_title)

    @beat(
        "How does {asker} find out | that it is {answers}? | "
        "Its looked-up numbers | are the same in any sentence.",
        other_words="How does {asker} find out | what stands around it? | "
        "Its looked-up numbers | are the same in any sentence.",
    )
    def the_same_numbers(self) -> Shown:
        talk, around = self.talk, self.opening[:-1]
        others = talk.other.others(AMONG)
        asks = Together(Pulse(self.chip, scale=SLIGHTLY), Appear(talk.wonder[0]))
        yield Then(Flow(map(Appear, self.opening), QUICK), asks)
        yield Flow(map(Draw, talk.wonder[1:])), Flow(Pulse(x, scale=SLIGHTLY) for x in self.told)
        near = self.zoom_into(VGroup(self.chip, talk.other))
        rise = talk.start.come_out_of(self.chip.get_top())
        left = Disappear(*talk.wonder), verbs.Fade(*around, to=theme.OUT_OF_FOCUS)
        yield *left, near, Then(Hold(QUICK), rise)
        each = (Pulse(VGroup(*words), scale=SLIGHTLY) for words in (around, others))
        same = *each, Dim(*others), Pulse(talk.start, scale=SLIGHTLY)
        yield Then(Flow(map(Appear, talk.other.chips)), *same)

    @beat(
        "Suppose it asked: any adjectives here? | They answered: me!",
        other_words="Suppose it asked: who matters to me? | They answered: I do!",
    )
    def a_question(self) -> Shown:
        talk = self.talk
        back = verbs.Fade(*self.told, to=1.0), verbs.Fade(*self.unasked, to=theme.OUT_OF_FOCUS)
        kept = verbs.GoInto(talk.start, self.chip.get_top() + GAP * UP, QUICK)
        near = self.zoom_into(VGroup(*talk.spoken, self.chip, *self.told), NEARER, STEADY)
        asked = Together(near, *back, Then(Hold(), Appear(talk.asked, talk.badge)))
        yield Then(Together(kept, Disappear(talk.other)), asked)
        yield Flow(map(Appear, talk.said))

    @beat(
        "A story: a word has only numbers, now brought to one size. | "
        "They make a query, for what it seeks, | and a key, for how it's found."
    )
    def two_vectors(self) -> Shown:
        talk, work, two = self.talk, self.work, self.two
        gone = Disappear(*talk.spoken, *self.unasked, *self.told, run_time=REST)
        come = verbs.TurnInto(self.chip, work.chip), self.pull_back(STEADY)
        rise = work.vector.come_out_of(work.chip.get_center())
        yield Then(Pulse(talk.badge), Together(gone, *come), rise)
        for place in range(2):
            yield two.tell(place)

    @beat(
        "What makes its query? | A learned matrix. | Multiply its {large} numbers by a column, | "
        "each entry by its own weight, | add up, with a constant: | its first number.",
        without_bias="What makes its query? | A learned matrix. | "
        "Multiply its {large} numbers by a column, | each entry by its own weight, | "
        "and add up: | its first number.",
    )
    def the_first_number(self) -> Shown:
        work, given = self.work, self.work.sizes[0]
        yield Disappear(self.two), Appear(work.label, work.result.brackets)
        yield Appear(work.matrix, work.symbol, run_time=STEADY)
        told = Appear(given), Flow(map(Pulse, work.vector.cells))
        near = self.zoom_into(work.first, NEARER, STEADY), work.open()
        yield *told, Then(Hold(STEADY), Appear(work.window), Together(*near))
        yield work.multiply()
        yield work.add_up()
        yield Together(work.bring_home(), Then(Hold(STEADY), self.pull_back(STEADY)))

    @beat(
        "Each column makes one more, | up to the last: | {large} numbers in, {small} out.",
        sized="Each column makes one more, | up to the last, {small} in all. | "
        "They're brought to one size, and then their place turns {them}.",
        turned="Each column makes one more, | up to the last: | "
        "{small} in all, and then its place turns {them}.",
    )
    def every_column(self) -> Shown:
        work = self.work
        yield Then(Appear(work.sizes[1]), verbs.Vary(work.sweep, 1, 2))
        yield work.go_on(2, LONG)
        sized = [work.bring_to_size(), Hold()] if self.traits.head_norm else []
        ends = zip(work.sizes, (work.vector, work.result), strict=True)
        swell = (Pulse(size, body.cells, scale=SLIGHTLY) for size, body in ends)
        yield Disappear(work.window), Then(*swell, *sized, work.turn())

    @beat(
        "Now {found} needs a key. | A second matrix makes it, in just the same way, | "
        "and a third one makes its value: | what it tells to whoever finds it."
    )
    def a_key_and_a_value(self) -> Shown:
        work, tells = self.work, self.tells
        left = Disappear(work.label, work.result, *work.sizes, work.symbol, work.matrix)
        into = verbs.GoInto(work.vector, work.chip, QUICK), verbs.TurnInto(work.chip, self.word)
        rise = tells.vector.come_out_of(self.word.get_center())
        yield Then(Together(left, *into), rise)
        yield Then(tells.make(0), Appear(tells.said[0]))
        yield tells.make(1)
        yield Then(Appear(tells.said[1]), Pulse(tells.said[1]))

    @beat(
        "The second matrix, like the others, | serves every word: | "
        "it takes each one's numbers, and makes its key."
    )
    def the_same_for_all(self) -> Shown:
        every, tells = self.all, self.tells
        home = verbs.TurnInto(self.word, every.chips[self.found])
        back = verbs.GoInto(tells.vector, self.word, QUICK), Disappear(tells, run_time=QUICK)
        others = [chip for i, chip in enumerate(every.chips) if i != self.found]
        yield Then(Together(*back), Together(home, Appear(every.tool), Flow(map(Appear, others))))
        yield Flow(map(Appear, every.given))
        yield every.pass_over()

    @beat(
        "Take the keys up to {asker}'s, | and compare its query with each, as arrows. | "
        "Only adjectives lean its way, left or right: | {found} most{barely}.",
        otherwise="Take the keys up to {asker}'s, | and compare its query with each, as arrows. | "
        "Each points its own way, left or right: | {best} comes nearest.",
    )
    def compare_again(self) -> Shown:
        fan, every, asker = self.fan, self.all, self.asker
        later = *every.keys[asker + 1 :], *every.chips[asker + 1 :], every.tool, *every.given
        asked = *every.keys[: asker + 1], *every.chips[: asker + 1]
        left = Disappear(*later, *every.names)
        yield left, Flow(Pulse(key, scale=SLIGHTLY) for key in asked[: asker + 1])
        yield Disappear(*asked), Then(Hold(REST / 2), fan.open())
        away = {*range(asker + 1)}.difference(self.named)
        turned = verbs.Recolor(*(fan.arrows[i] for i in away), role=QUIET)
        kept = Dim(*(fan.labels[i] for i in away.difference(fan.silent)))
        yield Appear(fan.half), turned, kept, Flow(Pulse(fan.labels[i]) for i in self.named)
        yield Flow(Together(Pulse(fan.labels[i]), Appear(fan.degrees[i])) for i in self.named)

    @beat(
        "So it takes their values: | the better the match, the larger the share. | "
        "One more matrix makes {large} numbers of their sum. | "
        "Added to its own, these tell {asker} of {answers}.",
        otherwise="It takes values: the better a key matches, | in angle and length, "
        "the larger the share. | One more matrix makes {large} numbers of their sum. | "
        "Added to its own, these tell {asker} of {answers}.",
    )
    def found_out(self) -> Shown:
        fan, talk = self.fan, self.talk
        gone = Disappear(
            *fan.of(range(self.asker + 1)), fan.asking, fan.query, fan.half, fan.ground
        )
        near = self.travel_to(self.near, STEADY), Then(Hold(HAIR), Flow(map(Appear, self.opening)))
        pairs = zip(talk.values, self.opening, strict=True)
        come = Flow(value.come_out_of(chip.get_top()) for value, chip in pairs)
        yield Then(Together(gone, *near), come)
        yield Then(*map(Appear, talk.shares), Flow(map(Appear, talk.rest)))
        made = Appear(talk.made), Appear(talk.symbol)
        yield Then(Flow(map(Draw, talk.given)), Together(*made), Pulse(talk.symbol))
        told = verbs.Vary(talk.give, 0, 1), Pulse(talk.own, scale=SLIGHTLY)
        yield Then(Appear(talk.own), Pulse(talk.made), *told, Appear(talk.answer))


ADJECTIVES = {" fluffy", " blue", " verdant"}  # of the course's own sentence
OF_ADJECTIVES, OF_OTHERS = ("any adjectives here?", "me!"), ("who matters to me?", "I do!")
RIGHT_ANGLE, BARELY = 90.0, 80.0  # degrees; from the second on, hardly anything leans
AS_KEY = "key", "K", KEY, "how it's found"
ASKS = ("query", "Q", QUERY, "what it seeks"), AS_KEY
TELLS = AS_KEY, ("value", "V", VALUE, "what it tells")
MOST, WIDE, HIGH = 5, 1.4, 0.62  # entries of a token's own vector; scene units, the room of one
FEW, SLIM, LOW = 3, 0.7, 0.32  # of what is added: entries; the room of one, of a key's, and high
TABLE, SLIGHTLY, NEARER = (5, 4), 1.04, 0.95  # product; times; of a stage
BAND, OVER, LONG = 1.3, 0.6, 3.2  # scene units, how high ways are, and what is given; seconds
OTHER, AMONG = ("the", " old", " slept"), 2  # another sentence, and the asker's place in it


def answers(tokens: Sequence[str], asker: int, pattern: NDArray[np.floating]) -> list[int]:
    """Return two tokens before the asker: adjectives, or those to which it attends most."""
    adjectives = [i for i in range(asker) if tokens[i] in ADJECTIVES]
    attended = sorted(range(asker), key=lambda key: -float(pattern[asker, key]))
    return adjectives[-2:] or sorted(attended[:2])


def stream(start: Point3D, end: Point3D) -> VMobject:
    """Return a line that leaves a point upwards and comes to another one from below."""
    line, up = VMobject(), (end - start)[1] * UP
    line.points = np.array([start, start + up / 2, end - up, end])
    return line


def product(film: QueriesKeysValues) -> Product:
    """Return how the asker's query is made."""
    where, turn, norm = (film.layer, film.head), None, None
    weights = film.tensor("weights.W_Q")[where]
    bias = film.tensor("weights.b_Q")[where] if "b_Q" in film.traits.biases else None
    if film.turns is not None:
        turn = film.turns[film.asker]
    if (epsilon := film.traits.head_norm) is not None:
        gamma = film.tensor("weights.q_norm.gamma")[film.layer]
        norm = constant(epsilon, "epsilon of the norms, config.json"), gamma
    factors = Factors(film.inputs[film.asker], weights, QUERY, bias, turn, norm)
    signs = film.tokens[film.asker], f"${QUERY.value}(W_Q)$", "query"
    return Product(factors, signs, film.stage, TABLE)


class Talk(VGroup):
    """What is asked and answered over the sentence, and what the asker starts with.

    That is `start`, its first numbers, between it and the same token of an `other` sentence.
    `wonder` is a question mark and the ways on which it could hear of those that answer. All
    up to it have `values`, which are `given`, as wide as they are taken; what a matrix, `symbol`,
    has `made` of them comes to its `own` numbers. Those that answer have the `shares`, the others
    the `rest`, where there is room. `answer` is what it is told.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        every, asker = film.all, film.asker
        asked, said = OF_OTHERS if film.circumstances()["other_words"] else OF_ADJECTIVES
        chip = every.chips[asker]
        self._set_ways(film, chip)
        self.asked = Bubble(asked, QUERY, chip, chip)
        pairs = zip((every.given[i] for i in film.answers), film.told, strict=True)
        self.said = [Bubble(said, KEY, *pair) for pair in pairs]
        limit = float(chip.get_x()) - GAP
        for each in reversed(self.said):
            each.shift(min(0.0, limit - float(each.plate.get_right()[0])) * RIGHT)
            limit = float(each.plate.get_left()[0]) - GAP
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
        self.add(*self.adding)

    def _set_ways(self, film: QueriesKeysValues, chip: Chip) -> None:
        """Make ways from those that answer, and what comes on them with how much it is."""
        paths, every = arches(film.told, chip, BAND, theme.BOLD_LINE), film.all
        body = partial(
            Vector, room=(SLIM * every.room[0], LOW), upright=True, most=FEW, numerals=False
        )
        top = max((chip, *film.told), key=lambda each: float(each.get_top()[1]))
        seen = range(film.asker + 1 - len(film.opening), film.asker + 1)
        roles = [VALUE if i in film.answers else QUIET for i in seen]
        values = [film.made[2][i].values for i in seen]
        drawn = shown_entries(len(values[0]), FEW)
        largest = max(abs(row[at].number) for row in values for at in drawn)
        pairs = zip(values, roles, strict=True)
        self.values = [body(row, role=role, largest=largest) for row, role in pairs]
        own, here = film.tensor("resid_pre")[film.layer, film.asker], (film.layer, film.head)
        changed = added(own, film.tensor("head_out")[(*here, film.asker)]).values
        self.before, self.changed = own.values, changed
        self.own = body(self.before, numerals=every.room[0] >= WIDE / 2, later=changed)
        for part, under in zip(self.values, film.opening, strict=True):
            part.next_to(under, UP, buff=HAIR).set_y(top.get_top()[1] + HAIR + part.height / 2)
        mark = Words("?", size=theme.HEADING_SIZE).next_to(top, UP, buff=BAND + HAIR)
        mark.match_x(chip)
        self.wonder = VGroup(mark, *(way.set_stroke(theme.color(QUIET)) for way in paths))
        taken = [film.shares[i].value for i in seen]
        meet = self.values[-1].get_top() + OVER * UP
        self.given = [stream(each.get_top(), meet) for each in self.values]
        for way, role, share in zip(self.given, roles, taken, strict=True):
            way.set_stroke(theme.color(role), max(theme.THIN_LINE, WIDEST * share.number))
        self.made = Arrow(theme.color(OUTPUT))
        self.made.point(meet[:2], (meet + OVER * UP)[:2])
        self.symbol = Formula(f"${OUTPUT.value}(W_O)$", SPOKEN_SIZE)
        self.symbol.next_to(self.made, RIGHT, buff=HAIR)
        self.own.next_to(meet + OVER * UP, UP, buff=HAIR)
        self._tell_shares(film, seen, taken)
        words = " and ".join(label_of(film.tokens[i]) for i in film.answers)
        self.answer = Words("{}", words, size=theme.HEADING_SIZE, role=VALUE)
        free = float(self.own.get_left()[0] - self.values[0].get_left()[0]) - GAP
        self.answer.scale(min(1.0, max(free, self.own.width) / self.answer.width))
        self.answer.next_to(self.own, LEFT, buff=GAP)
        self.adding = *self.values, self.own, *self.given, self.made, self.symbol
        self.adding = *self.adding, *self.shares, *self.rest, self.answer

    def _tell_shares(
        self, film: QueriesKeysValues, seen: Sequence[int], taken: Sequence[Value]
    ) -> None:
        """Set shares in a row under the words, as large as there is room for."""
        across = [chip.get_x() for chip in film.opening]
        foot = min(float(chip.get_bottom()[1]) for chip in film.opening) - HAIR
        close = min(np.diff(across), default=GAP)
        made = partial(Words, "{:share}", size=SPOKEN_SIZE)
        widest = max(made(each).width for each in taken)
        size = float(np.clip(SPOKEN_SIZE * (close - HAIR) / widest, PLAIN_SIZE, SPOKEN_SIZE))
        self.shares, self.rest = list[Words](), list[Words]()
        inner = [i in film.answers for i in seen]
        for at in sorted(range(len(seen)), key=lambda at: (not inner[at], at < len(seen) - 1, -at)):
            told = made(taken[at], size=size, role=VALUE if inner[at] else QUIET)
            told.next_to((across[at], foot, 0), DOWN, buff=0)
            if all(
                abs(told.get_x() - each.get_x()) > (told.width + each.width) / 2
                for each in (*self.shares, *self.rest)
            ):
                (self.shares if inner[at] else self.rest).append(told)

    def give(self, share: float) -> None:
        """Add so much of what is given to its own numbers."""
        ends = zip(self.before, self.changed, strict=True)
        self.own.bend(np.array([(1 - share) * a.number + share * b.number for a, b in ends]))
        if share >= 1:
            self.own.put(self.changed)
