"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D
from numpy.typing import NDArray

from scenes import theme
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.marks import Bubble
from scenes.mobjects.product import Factors, Product
from scenes.mobjects.projections import Projections
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import Words, called
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Tensor, Value, added, constant
from scenes.theme import (
    ACCENT,
    GAP,
    KEY,
    QUERY,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
)
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
    seconds = 84
    poster_beat = "compare-again"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Find who asks and who answers, and how far each vector points away from the asker's."""
        where = self.layer, self.head
        self.asker = self.followed() or 1  # somebody stands before it
        self.answers = answers(self.tokens, self.asker, self.tensor("pattern")[where].array)
        self.inputs = self.tensor("ln1")[self.layer]
        self.made = [self.tensor(name)[where] for name in "qkv"]
        self.before = angles(self.inputs[self.asker], self.inputs)
        self.after = angles(self.made[0][self.asker], self.made[1])
        self.nearest = int(self.before.argsort()[1])  # after itself
        self.ahead = [int(i) for i in np.flatnonzero(self.after < RIGHT_ANGLE)]

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
        """Make the sentence with what is asked, the fan, the product and everybody's vectors."""
        where, self.talk, self.fan = (self.layer, self.head), Talk(self), Fan(self)
        self.row, self.query, self.keys = self.talk.row, self.talk.query, self.talk.keys
        weights = [self.tensor(f"weights.W_{name}")[where] for name in "QKV"]
        bias = self.tensor("weights.b_Q")[where] if "b_Q" in self.traits.biases else None
        turn = None if self.turns is None else self.turns[self.asker]
        now, start = self.inputs[self.asker], self.tensor("embed")[self.asker]
        factors = Factors(now, weights[0], QUERY, bias, turn, self._query_norm(), start)
        names = self.tokens[self.asker], f"${QUERY.value}(W_Q)$", "query"
        self.work = Product(factors, names, self.stage)
        self.all = Projections(self.tokens, self.inputs, weights, self.made, self.stage)
        self.stand(self.all, self.work, self.fan, self.talk)

    def _query_norm(self) -> tuple[Value, Tensor] | None:
        """Return the epsilon and the gamma of the norm that each query has, if it has one."""
        epsilon = self.traits.head_norm
        if epsilon is None:
            return None
        gamma = self.tensor("weights.q_norm.gamma")[self.layer]
        return constant(epsilon, "epsilon of the norms, config.json"), gamma

    def open_fan(self, chip: Chip, *left: Mobject) -> Together:
        """Return how the asker's name goes from its chip to the arrows, and something leaves."""
        fan, own = self.fan, self.fan.labels[self.asker]
        others = VGroup(*(name for name in fan.labels if name is not own))
        arrows = Flow((Appear(arrow) for arrow in (fan.ground[0], *fan.arrows)), QUICK)
        up = Then(Hold(), arrows, Appear(others))
        return Together(Disappear(*left), ComeFrom(own, chip.label), up)

    def back_to_sentence(self) -> Together:
        """Return how the asker's name comes back from the fan into the sentence, seen whole."""
        fan, chip = self.fan, self.row.chips[self.asker]
        back = ComeFrom(chip.label, fan.labels[self.asker]), Then(Hold(), Appear(self.row))
        gone = Then(Disappear(fan), Recolor(*fan.arrows, role=theme.INK))
        return Together(gone, *back, self.pull_back(STEADY))

    def pour(self, group: Sequence[Vector], tokens: Sequence[int], side: Vector3D) -> Flow:
        """Return how vectors come out of the chips of tokens, on one side, and get their names."""
        places = (self.row.chips[i].get_edge_center(side) for i in tokens)
        pairs = zip(group, places, strict=True)
        return Flow(Then(each.come_out_of(place), Appear(each.label)) for each, place in pairs)

    @beat(
        "How does {asker} find out | that it is {answers}? | It always starts as the same numbers.",
        other_words="How does {asker} find out | what stands around it? | "
        "It always starts as the same numbers.",
    )
    def the_same_numbers(self) -> Shown:
        asker, numbers = self.row.chips[self.asker], self.talk.numbers
        yield Then(Flow(map(Appear, self.row.chips), QUICK), Pulse(asker))
        yield Flow(Pulse(self.row.chips[i]) for i in self.answers)
        yield Dim(*self.row.others(self.asker)), numbers.come_out_of(asker.get_bottom())

    @beat(
        "Suppose it asked: any adjectives here? | And they answered: I am one! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
        other_words="Suppose it asked: who matters to me? | And they answered: perhaps I do! | "
        "A story: the model has only numbers. | So vectors must ask, and answer.",
    )
    def a_question(self) -> Shown:
        talk, speaking = self.talk, (self.asker, *self.answers)
        back = Fade(*(self.row.chips[i] for i in self.answers), to=1.0)
        dim = Fade(*self.row.others(*speaking), to=theme.OUT_OF_FOCUS)
        yield Disappear(talk.numbers), back, dim, Appear(talk.asked, talk.badge)
        yield Flow(map(Appear, talk.said))
        bubbles, bodies = (talk.asked, *talk.said), (v.body for v in (*self.query, *self.keys))
        yield Pulse(talk.badge, run_time=STEADY), Flow(map(Pulse, bubbles))
        asks, *says = map(Bubble.fill_with, bubbles, bodies)
        silent = Disappear(talk.badge, *(each.said for each in bubbles))
        yield Then(silent, Flow((asks, *reversed(says)), STEADY))

    @beat(
        "Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, another noun, | and every match is mutual. | "
        "But a noun seeks what it isn't.",
        otherwise="Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, | and every match is mutual. | But what you seek isn't what you are.",
    )
    def one_vector_for_both(self) -> Shown:
        fan = self.fan
        yield self.open_fan(self.row.chips[self.asker], *self.query, *self.keys, self.row)
        yield self.zoom_into(fan.drawn, 0.96, STEADY), Pulse(fan.labels[self.asker])
        yield Pulse(fan.labels[self.nearest]), Recolor(fan.arrows[self.nearest], role=ACCENT)
        yield Flow(map(Draw, fan.mutual)), Pulse(fan.labels[self.asker], fan.labels[self.nearest])
        yield Flow(Pulse(fan.labels[i]) for i in self.answers)

    @beat("So each word gets two: | a query, for what it looks for, | a key, for how it's found.")
    def two_vectors(self) -> Shown:
        yield self.back_to_sentence()
        yield self.pour(self.query, [self.asker], UP)
        yield self.pour(self.keys, self.answers, DOWN)

    @beat(
        "A learned matrix makes the query: | the {large} numbers {asker} has by now | "
        "times a column, entry by entry, | added up, with a bias: | its first number.",
        without_bias="A learned matrix makes the query: | the {large} numbers {asker} has by now | "
        "times a column, entry by entry, | added up, | give its first number.",
    )
    def the_first_number(self) -> Shown:
        work, asker = self.work, self.row.chips[self.asker]
        left = Disappear(*self.row.others(self.asker), *self.query, *self.keys)
        shown = Appear(work.symbol, work.matrix, work.label)
        yield left, TurnInto(asker, work.chip), Then(Hold(QUICK), shown)
        come = Flow((Appear(part) for part in work.vector.parts), QUICK)
        yield Then(come, Remeasure(work.vector, work.factors.vector.values))
        products = [
            Together(Pulse(work.vector.cell(i)), Disappear(work.matrix.entry(i, 0)), Appear(term))
            for i, term in zip(work.matrix.rows, work.terms, strict=True)
        ]
        yield Appear(work.window), Flow(products)
        cell, number = work.result.cell(0), work.result.number(0)
        fallen = Flow(GoInto(term, cell) for term in reversed(work.terms.submobjects))
        summed = Appear(cell, number, *work.bias)
        yield fallen, Disappear(work.window), Then(Hold(SLOW), summed)
        added_up = (GoInto(each, cell) for each in work.bias)
        yield *added_up, Count(number, work.first), Appear(work.matrix.column(0), work.window)

    @beat(
        "Each column gives one more: | {large} numbers in, {small} out.",
        sized="Each column gives one more: {small} in all. | They're brought to one size, "
        "and then their place turns {them}.",
        turned="Each column gives one more: | {small} in all, and then its place turns {them}.",
    )
    def every_column(self) -> Shown:
        work = self.work
        sweep = Vary(work.sweep, 1, work.steps, run_time=SLOW)
        yield Appear(work.result.brackets, *work.result.dots), sweep
        sized = [work.bring_to_size(), Hold()] if self.traits.head_norm else []
        yield Pulse(work.vector), Then(Pulse(work.result), *sized, work.turn())

    @beat(
        "The same matrix makes every word's query, | a second its key, | "
        "a third its value: | what you say isn't how you're found."
    )
    def the_same_for_all(self) -> Shown:
        work, everybody, a = self.work, self.all, self.asker
        gone = work.symbol, work.window, work.matrix.numbers, work.vector.numbers
        old = work.chip, work.vector, work.matrix, work.result, work.label
        becoming = Together(map(TurnInto, old, everybody.first(a)))
        left = Disappear(*gone, work.result.numbers)
        yield Then(left, becoming, everybody.pass_over(0, first=a))
        yield Disappear(everybody.matrices[0]), everybody.pass_over(1)
        yield Disappear(everybody.matrices[1]), everybody.pass_over(2)
        told = Flow(Pulse(part) for i in (1, 2) for part in everybody.made[i])
        yield told, Disappear(everybody.matrices[2])

    @beat(
        "Compare again: | the query of {asker} with every key. | Almost all turn away. | "
        "Only adjectives lean its way; | of those before it, {found} most.",
        otherwise="Compare again: | the query of {asker} with every key. | The arrows turn: | "
        "now {best} fits best. | The matrices decide.",
    )
    def compare_again(self) -> Shown:
        fan = self.fan
        yield self.open_fan(self.all.labels[self.asker], self.all)
        yield Then(Appear(fan.asking), Recolor(*fan.arrows, role=KEY))
        away = [i for i in range(len(self.tokens)) if i not in self.ahead]
        yield Then(Vary(fan.turn, 0, 1, SLOW), Together(Dim(*fan.of(away)), Appear(fan.query)))
        named = sorted(self.ahead, key=self.after.item) or [int(self.after.argmin())]
        closer = self.zoom_into(fan.drawn, 0.96, STEADY)
        yield closer, Flow(Pulse(fan.labels[i], run_time=STEADY) for i in named)
        before = [fan.labels[i] for i in named if i < self.asker]
        later = [i for i in self.ahead if i > self.asker]
        yield Pulse(fan.query), Dim(*fan.of(later)), Flow(map(Pulse, before))

    @beat(
        "So {asker} asks with its query, | finds {answers} by key, | and takes in their values: | "
        "its numbers change, | and now they tell of this sentence."
    )
    def found_out(self) -> Shown:
        talk, asker = self.talk, self.row.chips[self.asker]
        yield Then(self.back_to_sentence(), self.pour(self.query, [self.asker], UP))
        yield self.pour(self.keys, self.answers, DOWN)
        rest = self.row.others(*self.answers, self.asker)
        coming = Then(Hold(), self.pour(talk.values, self.answers, UP))
        yield Disappear(*self.query, *self.keys), Dim(*rest), coming, Appear(talk.now)
        unnamed = Disappear(*(part for each in talk.values for part in (each.label, each.brackets)))
        taken = Flow((each.go_into(asker.get_top()) for each in reversed(talk.values)), QUICK)
        yield Then(unnamed, taken)
        yield Pulse(asker), Remeasure(talk.now, talk.then, run_time=SLOW)


OF_ADJECTIVES = "any adjectives here?", "I am one!"
OF_OTHERS = "who here matters to me?", "perhaps I do!"
RIGHT_ANGLE = 90.0
BEYOND = 0.42  # of the shorter arrow, where the second of two arcs stands
STOPS = 9  # places of the arrows between which they turn
MANY = 9  # tokens; so many do not all stand on the sides that they answer from
LEVELS = {"query": (QUERY, 1), "key": (KEY, -1), "value": (VALUE, 0.8)}  # over the sentence
LEVELS_HIGH = 5.2  # of the sentence's stage, without the sentence
MOST = 16  # entries of a query that are drawn
TALLEST = 3  # times as high as wide: a cell of a query


def angles(one: Tensor, many: Tensor) -> NDArray[np.float64]:
    """Return the angle between a vector (n,) and each of others (m, n), in degrees: (m,)."""
    lengths = np.linalg.norm(many.double, axis=1) * np.linalg.norm(one.double)
    cosines = many.double @ one.double / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.degrees(np.arccos(cosines.clip(-1, 1))))


def answers(tokens: Sequence[str], asker: int, pattern: NDArray[np.floating]) -> list[int]:
    """Return two tokens before the asker: adjectives, or those to which it attends most."""
    adjectives = [i for i in range(asker) if tokens[i] in ADJECTIVES]
    attended = sorted(range(asker), key=lambda key: -float(pattern[asker, key]))
    return adjectives[-2:] or sorted(attended[:2])


class Fan(Space):
    """Everybody's vector at its true angle to the asker's, which stands upright.

    `turn` goes from the tokens' own vectors (0) to the asker's query and everybody's keys (1).
    `asking`, with the name `query`, stays upright when the asker's own arrow turns.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        left = film.after < RIGHT_ANGLE
        if left.all() or not left.any() or len(left) > MANY:
            left = np.argsort(np.argsort(film.after)) % 2 == 0
        shares = np.linspace(0, 1, STOPS)[:, None]
        turns = np.radians((1 - shares) * film.before + shares * film.after)
        stops = np.stack([np.where(left, -1, 1) * np.sin(turns), np.cos(turns)], axis=-1)
        names = [called(token) for token in film.tokens]
        super().__init__(list(stops), names, film.stage.lowered(GAP), size=SPOKEN_SIZE)
        pair = film.asker, film.nearest
        self.mutual = self.arc(*pair), self.arc(*pair[::-1], BEYOND)
        self.asking = Arrow(theme.color(QUERY))
        end = self.origin + (0, self.unit)
        self.asking.point(self.origin, end)
        self.query = Words("query of {}", names[film.asker], size=SPOKEN_SIZE, role=QUERY)
        self.query.move_to((*end, 0)).shift(UP * self.query.height)
        self.add(self.asking, self.query)
        self.drawn = VGroup(*self.arrows, *self.labels, self.ground[0], self.asking, self.query)

    def of(self, tokens: Sequence[int]) -> list[VMobject]:
        """Return the names and arrows of some tokens."""
        return [part for i in tokens for part in (self.labels[i], self.arrows[i])]

    def turn(self, share: float) -> None:
        """Stand between the first state (0) and the second (1)."""
        self.stand_at(share * (STOPS - 1))


class Talk(VGroup):
    """The sentence, and what is asked, answered and handed over, as words or vectors.

    `numbers` are the asker's at the start; `now` come to `then` when the head has added its change.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        self.tokens, self.asker, self.region = film.tokens, film.asker, film.stage
        self.row = TokenRow(film.tokens, self.region.rows(3)[1], largest=theme.HEADING_SIZE)
        self.step = (self.region.height - self.row.height) / LEVELS_HIGH
        asked, said = OF_OTHERS if film.circumstances()["other_words"] else OF_ADJECTIVES
        self.asked = Bubble(asked, QUERY, self.place(1, film.asker, 0.0), DOWN)
        self.region.hold(self.asked)
        self.said = [Bubble(said, KEY, self.place(-1, i, 0.0), UP) for i in film.answers]
        self._apart(self.said)
        self.badge = Words("(a story)", size=SPOKEN_SIZE, role=QUIET)
        self.badge.next_to(self.asked, UP, buff=GAP)
        queries, keys, values = film.made
        most, where = 5 if self.region.is_narrow else 8, (film.layer, film.head, film.asker)
        room, size = (self.region.width / (most + 1), 1.0), theme.TITLE_SIZE
        now = film.tensor("resid_pre")[film.layer, film.asker]
        self.then = added(now, film.tensor("head_out")[where]).values
        own = film.tensor("embed")[film.asker]
        self.numbers = Vector(own.values, room, most=most, number_size=size)
        self.now = Vector(now.values, room, most=most, number_size=size, later=self.then)
        for each in (self.numbers, self.now):
            each.move_to((*self.place(-1, film.asker, each.width), 0))
        self.query = self._vectors("query", queries, [film.asker])
        self.keys = self._vectors("key", keys, film.answers)
        self.values = self._vectors("value", values, film.answers)
        super().__init__(self.row, self.asked, *self.said, self.badge, self.numbers)
        self.add(self.now, *self.query, *self.keys, *self.values)

    def place(self, level: float, token: int, width: float) -> tuple[float, float]:
        """Return where something of a width stands, so many levels over or under its token."""
        half = width / 2
        x = float(self.row.chips[token].get_x())
        x = float(np.clip(x, self.region.left + half, self.region.right - half))
        edge = self.row.get_top()[1] if level > 0 else self.row.get_bottom()[1]
        return x, float(edge) + level * self.step

    def _vectors(self, name: str, rows: Tensor, tokens: Sequence[int]) -> list[Vector]:
        """Return what tokens ask, answer to or hand over, the last over the one who asks."""
        role, level = LEVELS[name]
        share = self.region.width / (len(self.said) if len(self.said) > 1 else 1.3)
        wide = (share - 2 * GAP) / (min(MOST, rows.shape[1]) + 1)
        room = min(wide, 0.9 * self.step), min(0.6 * self.step, TALLEST * wide)
        found = []
        for token in tokens:
            of = Words(f"{name} of {{}}", called(self.tokens[token]), size=SPOKEN_SIZE, role=role)
            vector = Vector(
                rows[token].values, room, role=role, most=MOST, numerals=False, label=of
            )
            at = self.asker if name == "value" else token
            x, y = self.place(level, at, vector.width)
            found.append(vector.shift((x, y - vector.body.get_y(), 0)))
        self._apart(found)
        return found

    def _apart(self, group: Sequence[VGroup]) -> None:
        """Push apart what stands side by side, and keep all of it inside."""
        one, other = group[0], group[-1]
        overlap = float(one.get_right()[0] - other.get_left()[0]) + GAP
        if one is not other and overlap > 0:
            one.shift(LEFT * overlap / 2)
            other.shift(RIGHT * overlap / 2)
        self.region.hold(VGroup(*group))
