"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Mobject, Polygon, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D
from numpy.typing import NDArray

from scenes import theme
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.fan import RIGHT_ANGLE, Fan
from scenes.mobjects.marks import Ring
from scenes.mobjects.product import Factors, Product
from scenes.mobjects.projections import Projections
from scenes.mobjects.text import Words, called
from scenes.mobjects.tokens import TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    KEY,
    QUERY,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
    Role,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Recolor,
    Shift,
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
        self.made = [self.tensor(name)[where] for name in "qkv"]
        self.before = angles(self.inputs.array[self.asker], self.inputs.array)
        self.after = angles(self.made[0].array[self.asker], self.made[1].array)
        self.nearest = int(self.before.argsort()[1])  # after itself
        self.ahead = [int(i) for i in np.flatnonzero(self.after < RIGHT_ANGLE)]

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the story is of adjectives, and whether the head does as in the story."""
        as_told = {self.tokens[i] for i in self.ahead} == ADJECTIVES
        as_told = as_told and self.tokens[self.nearest] == NOUN
        other_words = any(self.tokens[i] not in ADJECTIVES for i in self.answers)
        told = {"other_words": other_words, "otherwise": not as_told}
        return {**super().circumstances(), **told}

    def words(self) -> Mapping[str, str]:
        """Name who asks, who answers and who is nearest, and give the sizes of the matrices."""
        large, small = self.tensor("weights.W_Q").shape[2:]
        return {
            "asker": self.name_of(self.asker),
            "answers": " and ".join(map(self.name_of, self.answers)),
            "nearest": self.name_of(self.nearest),
            "best": self.name_to(self.asker, int(self.after.argmin())),
            "large": str(large),
            "small": str(small),
        }

    def cast(self) -> None:
        """Make the sentence with what is asked, the fan, the product and everybody's vectors."""
        where = self.layer, self.head
        talk = OF_OTHERS if self.circumstances()["other_words"] else OF_ADJECTIVES
        self.talk = Talk(self.tokens, talk, self.asker, self.answers, self.stage)
        self.row = self.talk.row
        self.numbers = self.talk.numbers(self.tensor("embed")[self.asker])
        self.query = self.talk.vectors("query", self.made[0], [self.asker])
        self.keys = self.talk.vectors("key", self.made[1], self.answers)
        self.values = self.talk.vectors("value", self.made[2], self.answers)
        self.fan = Fan(self.tokens, self.asker, np.array([self.before, self.after]), self.stage)
        self.mutual = self.fan.arc(self.asker, self.nearest)
        weights = [self.tensor(f"weights.W_{name}")[where] for name in "QKV"]
        bias = self.tensor("weights.b_Q")[where] if self.traits.has_biases else None
        turn = None if self.turns is None else self.turns[self.asker]
        factors = Factors(self.inputs[self.asker], weights[0], QUERY, bias, turn)
        names = self.tokens[self.asker], f"${QUERY.value}(W_Q)$", "query"
        self.work = Product(factors, names, self.stage)
        self.all = Projections(self.tokens, self.inputs, weights, self.made, self.stage)
        self.stand(self.all, self.work, self.fan, self.talk, self.numbers)
        self.stand(*self.query, *self.keys, *self.values)

    def back_to_sentence(self) -> Together:
        """Return how the names in the fan become the sentence again."""
        pairs = zip(self.fan.labels, self.row.chips, strict=True)
        white = Recolor(*self.fan.arrows, role=theme.INK)
        return Together(
            Then(Disappear(self.fan), white), Flow((TurnInto(*pair) for pair in pairs), QUICK)
        )

    def pour(self, group: Sequence[Vector], tokens: Sequence[int], side: Vector3D) -> Flow:
        """Return how vectors come out of the chips of tokens, on one side, and get their names."""
        chips = [self.row.chips[i] for i in tokens]
        pairs = zip(group, chips, strict=True)
        return Flow(Then(out_of(chip, each, side), Appear(each.label)) for each, chip in pairs)

    @beat(
        "In every sentence, {asker} starts as the same numbers. | How can it find out | "
        "that this one is {answers}?",
        other_words="In every sentence, {asker} starts as the same numbers. | How can it "
        "find out | what stands around it in this one?",
    )
    def the_same_numbers(self) -> Shown:
        others = self.row.others(self.asker)
        coming = out_of(self.row.chips[self.asker], self.numbers, DOWN)
        around = Then(Disappear(*others, run_time=SLOW), Appear(*others))
        yield Then(Appear(self.row, run_time=HAIR), coming), around
        yield Dim(*others), Flow(Pulse(part) for part in self.numbers.parts[1:])
        answering = [self.row.chips[i] for i in self.answers]
        yield Flow(Then(Undim(chip), Pulse(chip)) for chip in answering)

    @beat(
        "Suppose it asked: any adjectives here? | And they answered: I am one! | "
        "That is a story. The model has only numbers: | vectors must ask, and answer.",
        other_words="Suppose it asked: who matters to me? | And they answered: perhaps I do! | "
        "That is a story. The model has only numbers: | vectors must ask, and answer.",
    )
    def a_question(self) -> Shown:
        talk, asker = self.talk, self.row.chips[self.asker]
        yield Then(GoInto(self.numbers, asker), Appear(talk.asked), Appear(talk.badge))
        yield Flow(map(Appear, talk.said))
        yield Then(Pulse(talk.badge), Pulse(talk.asked), Pulse(*talk.said))
        bubbles = talk.asked, *talk.said
        bodies = [each.body for each in (*self.query, *self.keys)]
        silent = Disappear(talk.badge, *(bubble.words for bubble in bubbles))
        yield Then(silent, Flow(map(TurnInto, bubbles, bodies)))

    @beat(
        "Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, another noun. | And every match is mutual: | "
        "but a noun seeks what it isn't.",
        otherwise="Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}. | And every match is mutual: | but what you seek isn't what you are.",
    )
    def one_vector_for_both(self) -> Shown:
        fan = self.fan
        turns = [TurnInto(*pair) for pair in zip(self.row.chips, fan.labels, strict=True)]
        arrows = Flow((Appear(arrow) for arrow in fan.arrows), QUICK)
        yield (
            Disappear(*self.query, *self.keys),
            Then(Flow(turns, QUICK), Together(arrows, Appear(fan.ground[0]))),
        )
        seen = VGroup(*fan.of(range(len(self.tokens))), fan.ground[0])
        yield self.zoom_into(seen, 0.96, STEADY), Pulse(fan.labels[self.asker])
        yield Pulse(fan.labels[self.nearest]), Recolor(fan.arrows[self.nearest], role=ACCENT)
        yield Draw(self.mutual), Pulse(fan.labels[self.asker], fan.labels[self.nearest])
        yield Flow(Pulse(fan.labels[i]) for i in self.answers)

    @beat(
        "So each word gets two: | a query, for what it looks for, | and a key, for how it's found."
    )
    def two_vectors(self) -> Shown:
        yield self.back_to_sentence(), self.pull_back(STEADY)
        yield self.pour(self.query, [self.asker], UP)
        yield self.pour(self.keys, self.answers, DOWN)

    @beat(
        "A learned matrix makes the query: | the {large} numbers of {asker} | "
        "times a column, entry by entry, | added up, with a bias: | its first number.",
        without_bias="A learned matrix makes the query: | the {large} numbers of {asker} | "
        "times a column, entry by entry, | added up, | give its first number.",
    )
    def the_first_number(self) -> Shown:
        work, asker = self.work, self.row.chips[self.asker]
        left = Disappear(*self.row.others(self.asker), *self.query, *self.keys)
        shown = Appear(work.symbol, work.matrix, work.label)
        yield left, TurnInto(asker, work.chip), Then(Hold(QUICK), shown)
        yield Flow(Appear(part) for part in work.vector.parts)
        products = [
            Together(Pulse(work.vector.cell(i)), Disappear(work.matrix.entry(i, 0)), Appear(term))
            for i, term in zip(work.matrix.rows, work.terms, strict=True)
        ]
        yield Appear(work.window), Flow(products)
        cell, number = work.result.cell(0), work.result.number(0)
        fallen = Flow(GoInto(term, cell) for term in reversed(work.terms.submobjects))
        yield fallen, Then(Hold(STEADY), Appear(cell, number))
        yield Count(number, work.first), Pulse(cell), Appear(work.matrix.column(0))

    @beat(
        "Each column gives one more: | {large} numbers in, {small} out.",
        turned="Each column gives one more: | {small} in all, and then its place turns them.",
    )
    def every_column(self) -> Shown:
        work = self.work
        sweep = Vary(work.sweep, 1, work.steps, run_time=SLOW)
        yield Appear(work.result.brackets, *work.result.dots), sweep
        turned = zip(work.result.shown, work.turned(), strict=True)
        turns = [Count(work.result.number(i), value) for i, value in turned]
        yield Pulse(work.vector), Then(Pulse(work.result), Together(turns))

    @beat(
        "The same matrix | makes every word's query, | a second one its key, | "
        "a third its value: | what you say isn't how you are found."
    )
    def the_same_for_all(self) -> Shown:
        work, everybody, a = self.work, self.all, self.asker
        numerals = (work.matrix.numbers, work.vector.numbers, work.result.numbers)
        becoming = Together(
            TurnInto(work.chip, everybody.labels[a]),
            TurnInto(work.vector, everybody.inputs[a]),
            TurnInto(work.matrix, everybody.matrices[0]),
            TurnInto(work.result, everybody.made[0][a]),
            TurnInto(work.label, everybody.names[0]),
        )
        yield Then(Disappear(work.symbol, work.window, *numerals), becoming)
        yield everybody.pass_over(0, first=a)
        yield Disappear(everybody.matrices[0]), everybody.pass_over(1)
        yield Disappear(everybody.matrices[1]), everybody.pass_over(2)
        keys, values = (Flow(Pulse(part) for part in everybody.made[i]) for i in (1, 2))
        yield Then(keys, values), Disappear(everybody.matrices[2])

    @beat(
        "Now compare again, | the query of {asker} with every key. | Almost all turn away. | "
        "Only the adjectives lean its way, | and two of them come before it.",
        otherwise="Now compare again, | the query of {asker} with every key. | The arrows turn: | "
        "the best fit now is {best}. | Which keys fit is up to the matrices.",
    )
    def compare_again(self) -> Shown:
        fan, everybody = self.fan, self.all
        labels = zip(everybody.labels, fan.labels, strict=True)
        arrows = Appear(fan.ground[0], *fan.arrows)
        yield Disappear(*everybody.parts), Flow(TurnInto(*pair) for pair in labels), arrows
        yield Then(Appear(fan.asking), Recolor(*fan.arrows, role=KEY))
        away = [i for i in range(len(self.tokens)) if i not in self.ahead]
        turning = Vary(fan.turn, 0, 1, run_time=SLOW)
        yield Then(turning, Dim(*fan.of(away))), Then(Hold(), Appear(fan.query))
        named = sorted(self.ahead, key=lambda i: float(self.after[i])) or [int(self.after.argmin())]
        yield Flow(Then(Pulse(fan.labels[i]), Pulse(fan.labels[i])) for i in named)
        later = [i for i in self.ahead if i > self.asker]
        before = Flow(Pulse(fan.labels[i]) for i in named if i not in later)
        yield Pulse(fan.query), Dim(*fan.of(later)), before

    @beat(
        "So {asker} asks with its query, | finds {answers} by key, | and takes in the values. | "
        "Nobody wrote these matrices: training found them."
    )
    def found_out(self) -> Shown:
        yield self.back_to_sentence(), self.pour(self.query, [self.asker], UP)
        yield self.pour(self.keys, self.answers, DOWN)
        up = Shift(*self.query, by=self.talk.step * UP)
        yield up, self.pour(self.values, self.answers, UP)
        chips = [self.row.chips[i] for i in (*self.answers, self.asker)]
        names = [each.label for each in (*self.query, *self.keys, *self.values)]
        yield Dim(*self.row.others(*(self.answers), self.asker)), Flow(map(Pulse, [*chips, *names]))


OF_ADJECTIVES = "any adjectives here?", "I am one!"
OF_OTHERS = "who here matters to me?", "perhaps I do!"
LEVELS = {"query": (QUERY, 1), "key": (KEY, -1), "value": (VALUE, 0.8)}  # over the sentence
LEVELS_HIGH = 5.2  # of the sentence's stage, without the sentence
MOST = 16  # entries of a query that are drawn
TALLEST = 3  # times as high as wide: a cell of a query
TAIL = 0.3  # scene units, from a bubble to whoever speaks


def angles(one: NDArray[np.floating], many: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the angle between a vector (n,) and each of others (m, n), in degrees: (m,)."""
    lengths = np.linalg.norm(many, axis=1) * np.linalg.norm(one)
    cosines = (many @ one) / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(np.degrees(np.arccos(np.clip(cosines.astype(np.float64), -1, 1))))


def answers(tokens: Sequence[str], asker: int, pattern: NDArray[np.floating]) -> list[int]:
    """Return two tokens before the asker: adjectives, or those to which it attends most."""
    adjectives = [i for i in range(asker) if tokens[i] in ADJECTIVES]
    attended = sorted(range(asker), key=lambda key: -float(pattern[asker, key]))
    return adjectives[-2:] or sorted(attended[:2])


def out_of(chip: Mobject, vector: Vector, side: Vector3D) -> Flow:
    """Return how a vector's cells come out of a chip: the farthest first, so none is crossed."""
    edge = chip.get_edge_center(side)
    brackets, *cells = vector.parts
    cells.sort(key=lambda cell: -abs(float(cell.get_x() - edge[0])))
    return Flow((Appear(brackets), *(ComeFrom(cell, edge) for cell in cells)), QUICK)


class Bubble(VGroup):
    """What a token says, in the colour of a role; its tail points up or down to the speaker."""

    def __init__(self, said: str, role: Role, at: tuple[float, float], points: int) -> None:
        words = Words("{}", said, size=SPOKEN_SIZE).move_to((*at, 0))
        plate = Ring(words, GAP, role).set_fill(theme.color(theme.PANEL), 1)
        edge = plate.get_edge_center(points * UP)
        corners = edge + LEFT * HAIR, edge + RIGHT * HAIR, edge + points * UP * TAIL
        tail = Polygon(*corners, stroke_width=0, fill_color=theme.color(role), fill_opacity=1)
        self.words = words
        super().__init__(tail, plate, words)


class Talk(VGroup):
    """The sentence, and over and under it what is asked and answered, by words or by vectors."""

    def __init__(
        self,
        tokens: Sequence[str],
        talk: tuple[str, str],
        asker: int,
        answers: Sequence[int],
        region: Region,
    ) -> None:
        self.tokens, self.asker, self.region = tokens, asker, region
        middle = region.rows(3)[1]
        self.row = TokenRow(tokens, middle, largest=theme.HEADING_SIZE)
        self.step = (region.height - self.row.height) / LEVELS_HIGH
        self.asked = Bubble(talk[0], QUERY, self.place(1, asker, 0.0), -1)
        region.hold(self.asked)
        self.said = [Bubble(talk[1], KEY, self.place(-1, i, 0.0), 1) for i in answers]
        self._apart(self.said)
        self.badge = Words("(a story)", size=SPOKEN_SIZE, role=QUIET)
        self.badge.next_to(self.asked, UP, buff=GAP)
        super().__init__(self.row, self.asked, *self.said, self.badge)

    def place(self, level: float, token: int, width: float) -> tuple[float, float]:
        """Return where something of a width stands, so many levels over or under its token."""
        half = width / 2
        x = float(self.row.chips[token].get_x())
        x = float(np.clip(x, self.region.left + half, self.region.right - half))
        edge = self.row.get_top()[1] if level > 0 else self.row.get_bottom()[1]
        return x, float(edge) + level * self.step

    def numbers(self, values: Tensor) -> Vector:
        """Return the asker's vector under the row, with numerals."""
        most = 5 if self.region.is_narrow else 8
        room = self.region.width / (most + 1), 1.0
        vector = Vector(values.values, room, most=most, number_size=SPOKEN_SIZE)
        return vector.move_to((*self.place(-1, self.asker, vector.width), 0))

    def vectors(self, name: str, rows: Tensor, tokens: Sequence[int]) -> list[Vector]:
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
            found.append(vector.move_to((*self.place(level, at, vector.width), 0)))
        self._apart(found)
        return found

    def _apart(self, group: Sequence[VGroup]) -> None:
        """Push apart what stands side by side, and keep all of it inside."""
        if len(group) > 1:
            one, other = group[0], group[-1]
            overlap = float(one.get_right()[0] - other.get_left()[0]) + GAP
            if overlap > 0:
                one.shift(LEFT * overlap / 2)
                other.shift(RIGHT * overlap / 2)
        if group:
            self.region.hold(VGroup(*group))
