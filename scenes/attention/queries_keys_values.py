"""Why a token has a query, a key and a value, and how three matrices make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.directions import laid_flat
from scenes.analysis.sampling import listed
from scenes.camera import pin
from scenes.figures.fan import Fan, Unfold
from scenes.figures.product import Factors, Product
from scenes.figures.projections import THICK, Asking, Found, Projections, Share, adding_up
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.chain_table import lead
from scenes.mobjects.marks import Bubble, arches
from scenes.mobjects.matrix import Area
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Words, em_of, label_of
from scenes.mobjects.tokens import TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import angle, constant
from scenes.region import Region
from scenes.theme import GAP, HAIR, KEY, QUERY, QUICK, QUIET, REST, SPOKEN_SIZE, STEADY, VALUE
from scenes.verbs import Appear, ComeFrom, Dim, Disappear, Draw, Flow, Hold, Pulse, Then, Together


class QueriesKeysValues(Film):
    """A token asks with its query, is found by its key, and hands over its value."""

    title = "Queries, keys and values"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 112
    poster_beat = "compare-again"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Find who asks and who answers, and how far each vector points away from the asker's."""
        where = self.layer, self.head
        self.asker = self.followed() or 1  # somebody stands before it
        self.answers = answers(self.tokens, self.asker, self.tensor("pattern")[where].array)
        self.inputs = self.tensor("ln1")[self.layer]
        self.made = [self.tensor(name)[where] for name in "qkv"]
        self.angles = [angle(self.made[0][self.asker], key) for key in self.made[1]]
        self.after = np.array([each.number for each in self.angles])
        self.found = min(self.answers, key=self.after.item)
        self.apart = [angle(self.inputs[self.asker], each) for each in self.inputs]
        self.before = np.array([each.number for each in self.apart])
        self.nearest = int(self.before.argsort()[1])  # after itself
        self.ahead = sorted(np.flatnonzero(self.after < RIGHT_ANGLE).tolist(), key=self.after.item)
        leaning, near = {self.tokens[i] for i in self.ahead}, self.tokens[self.nearest]
        self.astray = leaning != ADJECTIVES or near != NOUN
        self.named = [int(self.after.argmin())] if self.astray else self.ahead

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the story is of adjectives, and whether the head does as in the story."""
        others = any(self.tokens[i] not in ADJECTIVES for i in self.answers)
        return {**super().circumstances(), "other_words": others, "otherwise": self.astray}

    def words(self) -> Mapping[str, str]:
        *_, large, small = self.tensor("weights.W_Q").shape
        later = [self.name_of(i) for i in self.named if i > self.asker]
        last = max(self.answers, key=self.after.item)
        return {
            "asker": self.name_of(self.asker),
            "answers": " and ".join(map(self.name_of, self.answers)),
            "nearest": self.name_of(self.nearest),
            "found": self.name_of(self.found),
            "best": self.name_to(self.asker, int(self.after.argmin())),
            "large": str(large),
            "small": str(small),
            "barely": f", {self.name_of(last)} barely" * bool(self.after[last] > BARELY),
            "later": f", but {later[0]} comes later, and isn't asked" if later else "",
            "them": f"{self.traits.turned} of them" if self.traits.turned else "them",
        }

    def cast(self) -> None:
        weights = [self.tensor(f"weights.W_{letter}")[self.layer, self.head] for letter in "QKV"]
        self.all = Projections(self.tokens, self.made, weights, self.stage)
        self.queries, self.keys, self.values = self.all.made
        chips, self.own = self.all.chips, self.all.vectors(self.inputs, MOST)
        self.chip, self.told = chips[self.asker], [chips[i] for i in self.answers]
        angles, names = (self.apart, self.angles), [*map(label_of, self.tokens)]
        self.fan = Fan(names, (self.asker, self.answers), angles, self.stage, self.named)
        self.talk, self.taken = Talk(self), Taken(self)
        self.wish, self.past, self.true = notes(self)
        self.low = self.stage.lowered(self.past.height + HAIR)
        self.asking = Asking(self.all, (*self.answers, self.asker), self.inputs, self.low)
        self.work, self.key, self.value = (product(self, *each) for each in enumerate(MADE))
        self.work.arrive(0)
        self.word = Found(self.all, self.found, (self.key, self.value), beside(self.stage)[0])
        self.stand(*self.own, self.all, self.talk, self.work, self.key, self.value, self.fan)
        self.stand(self.asking, self.word, self.taken, self.wish, self.past, self.true)
        self.opening = chips[max(0, self.answers[0] - 1) : self.asker + 1]
        self.unasked = [chip for chip in self.opening[:-1] if chip not in self.told]
        self.view = self.view.into(VGroup(*self.opening, *self.talk.wonder), self.under_title)

    @beat(
        "How does {asker} find out | that it is {answers}? | "
        "Its looked-up numbers | are always the same.",
        other_words="How does {asker} find out | what stands around it? | "
        "Its looked-up numbers | are always the same.",
    )
    def the_same_numbers(self) -> Shown:
        talk, around = self.talk, self.opening[:-1]
        others = talk.other.others(AMONG)
        asks = Together(Pulse(self.chip, scale=SLIGHTLY), Appear(talk.wonder[0]))
        yield Then(Flow(map(Appear, self.opening), QUICK), asks)
        yield Flow(map(Draw, talk.wonder[1:])), Flow(Pulse(x, scale=SLIGHTLY) for x in self.told)
        near = self.zoom_into(VGroup(self.chip, talk.other))
        rows = Flow(map(Appear, talk.other.chips)), talk.start.come_out_of(self.chip.get_top())
        left = Disappear(*talk.wonder), verbs.Fade(*around, to=theme.OUT_OF_FOCUS)
        yield *left, near, Then(Hold(QUICK), Together(*rows))
        each = (Pulse(VGroup(*words), scale=SLIGHTLY) for words in (around, others))
        yield Dim(*others), Then(*each, Pulse(talk.start, scale=SLIGHTLY))

    @beat(
        "Suppose it asked: any adjectives here? | They answered: I am one!",
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

    @beat("That was a story: a word has only numbers. | So its numbers must ask, | and answer.")
    def numbers_ask(self) -> Shown:
        talk, asking = self.talk, self.asking
        near = self.travel_to(self.view.onto(asking.box, self.low, NEARER), STEADY)
        gone = Disappear(*talk.spoken, *self.unasked, run_time=REST)
        come = Together(gone, near, Then(Hold(HAIR), asking.rise()))
        yield Then(Pulse(talk.badge), come, Appear(self.past))
        yield asking.ask()
        yield asking.answer()

    @beat(
        "Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}, another noun. | But a noun seeks adjectives: what it isn't.",
        otherwise="Would one vector do for both? | Then {asker} matches itself best, | "
        "next {nearest}. | But what you seek isn't what you are.",
    )
    def one_vector_for_both(self) -> Shown:
        fan, chips = self.fan, self.all.chips
        rest = {*range(len(chips))} - {self.asker, *self.answers}
        come = Flow(self.own[i].come_out_of(chips[i].get_top()) for i in rest)
        back = Together(self.pull_back(STEADY), come, verbs.Fade(*chips, to=1.0))
        opened = fan.open(self.own, chips), Disappear(self.past), Then(Hold(), Appear(self.true))
        yield Then(Together(self.asking.close(self.own), back), Together(*opened))
        own, other = fan.arrows[self.asker], fan.arrows[self.nearest]
        near, itself = ((fan.labels[i], fan.was[i]) for i in (self.nearest, self.asker))
        lit, plain = (verbs.Recolor(own, role=role) for role in (theme.ACCENT, theme.INK))
        left = Disappear(*fan.of(rest - {self.nearest}))
        yield left, lit, Appear(itself[1]), Then(Hold(QUICK), Pulse(*itself))
        seen, put = (verbs.Recolor(other, role=role) for role in (theme.ACCENT, theme.INK))
        yield plain, seen, Pulse(near[0]), Draw(fan.there), Appear(near[1])
        found = verbs.Recolor(*(fan.arrows[i] for i in self.answers), role=theme.ACCENT)
        sought = Flow(Together(Pulse(fan.labels[i]), Appear(fan.was[i])) for i in self.answers)
        yield *[put] * (self.nearest in rest), found, Disappear(fan.there), sought

    @beat("Give it two: | a query, for what it seeks, | and a key, for how it's found.")
    def two_vectors(self) -> Shown:
        fan, (asks, found) = self.fan, self.fan.told
        others = {*range(len(self.tokens))} - {self.asker}
        leave = Disappear(*fan.of(others), *fan.was, fan.there, self.true)
        yield leave, Appear(fan.asking, fan.keeping)
        yield verbs.Vary(fan.seek, 0, 1), Appear(self.wish), Then(Hold(STEADY), Appear(asks))
        yield verbs.Vary(fan.keep, 0, 1), Then(Hold(STEADY), Appear(found))

    @beat(
        "What makes its query? | A learned matrix. | Multiply its {large} numbers by a column, | "
        "each entry by its own weight, | add up, with a constant: | its first number.",
        without_bias="What makes its query? | A learned matrix. | "
        "Multiply its {large} numbers by a column, | each entry by its own weight, | "
        "and add up: | its first number.",
    )
    def the_first_number(self) -> Shown:
        work, fan, given = self.work, self.fan, self.work.sizes[0]
        left = fan.keeping, fan.ground, *fan.told, fan.asking, self.wish, fan.labels[self.asker]
        into = Unfold(work.vector, fan.arrows[self.asker], back=True)
        chip = ComeFrom(work.chip, fan.labels[self.asker], fit=False)
        yield Then(Disappear(*left), Together(into, chip), Appear(work.label, work.result.brackets))
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
        "Now {found} needs a key. | A second matrix makes it, in just the same way. | "
        "Then a third one makes its value, too: | what it tells | to whoever finds it by its key."
    )
    def a_key_and_a_value(self) -> Shown:
        work, key, value, word = self.work, self.key, self.value, self.word
        left = Disappear(work.label, work.result, *work.sizes, work.symbol)
        gone = verbs.GoInto(work.vector, work.chip, QUICK), Disappear(work.chip, run_time=REST)
        yield left, Disappear(work.matrix), Then(Together(*gone), word.bring(key))
        yield Then(key.make(STEADY), Pulse(key.label, key.result.cells, scale=SLIGHTLY))
        yield Then(word.take(0, key), Together(word.bring(value), value.make(QUICK)))
        yield Then(word.take(1, value), self.zoom_into(word.whole, NEARER, STEADY))
        yield word.hand_over()

    @beat(
        "The same three matrices serve every word. | One passes by, and makes all queries, | "
        "one makes all keys, | and one makes all values."
    )
    def the_same_for_all(self) -> Shown:
        every, found, word = self.all, self.found, self.word
        home = self.pull_back(STEADY), verbs.TurnInto(word.chip, every.chips[found]), word.go_home()
        others, tools = Flow(map(Appear, every.others(found))), Flow(map(Appear, every.tools))
        yield Then(Together(*home), Together(others, tools))
        for place in range(len(MADE)):
            yield every.pass_over(place, first=found)

    @beat(
        "Compare {asker}'s query | with every key. | Most turn away, even {nearest}. | "
        "Only adjectives lean its way{later}. | {found} leans most{barely}.",
        otherwise="Compare {asker}'s query | with every key. | "
        "Each points its own way: | {best} comes nearest. | The matrices decide.",
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
        kept = Dim(*(fan.labels[i] for i in away.difference(fan.silent)))
        yield Appear(fan.half), turned, Then(kept, Hold(QUICK), Pulse(fan.labels[self.nearest]))
        closer = Disappear(*fan.of(away)), self.zoom_into(fan.leaning, NEARER)
        named = sorted({*self.named} & {*self.answers} or self.named, key=self.after.item)
        seen = Flow(Pulse(fan.labels[i]) for i in self.named)
        lean = Then(Hold(), seen, Dim(*fan.of({*self.named}.difference(named))))
        yield *closer[: 0 if self.astray else 2], lean
        yield Flow(Together(Pulse(fan.labels[i]), Appear(fan.degrees[i])) for i in named)

    @beat(
        "So {asker}'s query finds {answers}. | It takes their values: | the better the match, "
        "the larger the share.",
        otherwise="Angle and length make a match. | {asker} takes values: | the better the match, "
        "the larger the share.",
    )
    def a_share_of_each(self) -> Shown:
        fan, taken = self.fan, self.taken
        names = [fan.labels[i] for i in self.answers]
        arrows, degrees = ([row[i] for i in self.answers] for row in (fan.arrows, fan.degrees))
        keyed = verbs.Recolor(*arrows, role=KEY), verbs.Fade(*names, *arrows, *degrees, to=1.0)
        rest = {*range(len(self.tokens))} - {*self.answers}
        left = Together(Disappear(*fan.of(rest)), Pulse(fan.query))
        yield Then(left, Together(*keyed, Flow(map(Pulse, names, degrees))))
        gone = Disappear(fan.half, fan.ground, fan.asking, fan.query, *arrows, run_time=REST)
        below = (verbs.MoveTo(fan.degrees[i], taken.spots[i], run_time=QUICK) for i in taken.shares)
        come = *map(ComeFrom, taken.chips.values(), names), Disappear(*names, run_time=REST)
        rows, left = taken.rows.values(), Together(gone, self.pull_back(QUICK), *below, *come)
        grow = Together(verbs.Become(row.body, row.cut) for row in rows)
        yield Then(left, Appear(*rows, scale=1), grow)
        told = Flow(map(Appear, (*taken.shares.values(), *taken.rest)))
        heap = Then(Appear(taken.heap, scale=1), verbs.Become(taken.heap.body, taken.heap.cut))
        yield Then(Flow(map(Pulse, degrees)), Together(told, Then(Hold(QUICK), heap)))

    @beat(
        "A last matrix makes {large} numbers of each. | Added to {asker}'s vector, "
        "| they turn it: | now it can tell of {answers}."
    )
    def found_out(self) -> Shown:
        taken = self.taken
        yield Then(Disappear(*(self.fan.degrees[i] for i in taken.shares)), taken.lengthen())
        yield Draw(taken.before), Then(Hold(), Appear(taken.itself))
        yield taken.turn()
        yield Appear(taken.now), Flow(map(Pulse, taken.names))


ADJECTIVES, NOUN = {" fluffy", " blue", " verdant"}, " forest"  # of the course's own sentence
OF_ADJECTIVES, OF_OTHERS = ("any adjectives here?", "I am one!"), ("who matters to me?", "I do!")
RIGHT_ANGLE, BARELY = 90.0, 80.0  # degrees; from the second on, hardly anything leans
MADE = ("query", "Q", QUERY), ("key", "K", KEY), ("value", "V", VALUE)
MOST, WIDE, HIGH = 5, 1.4, 0.62  # entries of a token's own vector; scene units, the room of one
TABLE, SLIGHTLY, OTHERS = (5, 4), 1.04, "others"  # product; times; not named
COLUMN, UPPER, NEARER = 2.2, 0.4, 0.95  # wide: word, key, value; of a stage: upright, near
STRIP, LOW, BAND = 4.6, 0.48, 1.3  # high: a value; also, of a narrow stage; ways, scene units
WIDER, SOON, LONG = 1.2, 0.15, 3.2  # at most, wide by high, where a vector turns; seconds
OTHER, AMONG = ("the", " old", " slept"), 2  # another sentence, and the asker's place in it


def answers(tokens: Sequence[str], asker: int, pattern: NDArray[np.floating]) -> list[int]:
    """Return two tokens before the asker: adjectives, or those to which it attends most."""
    adjectives = [i for i in range(asker) if tokens[i] in ADJECTIVES]
    attended = sorted(range(asker), key=lambda key: -float(pattern[asker, key]))
    return adjectives[-2:] or sorted(attended[:2])


def notes(film: QueriesKeysValues) -> list[Words]:
    """Return small print at the stage's upper left corner: of a wish, a past, and of angles."""
    wish = Words("(a sketch, not measured)", size=SPOKEN_SIZE, role=QUIET)
    past = Words("their numbers by now", size=SPOKEN_SIZE, role=QUIET)
    true = Words("true angles to {}", label_of(film.tokens[film.asker]), role=QUIET)
    for note in (wish, past, true):
        note.move_to((film.stage.left, film.stage.top, 0), LEFT + UP)
    pin(past)
    return [wish, past, true]


def product(film: QueriesKeysValues, place: int, made: tuple[str, str, theme.Role]) -> Product:
    """Return how the asker's query is made, or, at places 1 and 2, what is found: key and value."""
    where, token = (film.layer, film.head), film.found if place else film.asker
    (name, letter, role), norm, turn = made, None, None
    weights, has_bias = film.tensor(f"weights.W_{letter}")[where], film.traits.biases
    bias = film.tensor(f"weights.b_{letter}")[where] if f"b_{letter}" in has_bias else None
    if role != VALUE:
        turn = None if film.turns is None else film.turns[token]
        if (epsilon := film.traits.head_norm) is not None:
            gamma = film.tensor(f"weights.{letter.lower()}_norm.gamma")[film.layer]
            norm = constant(epsilon, "epsilon of the norms, config.json"), gamma
    factors = Factors(film.inputs[token], weights, role, bias, turn, norm)
    signs = film.tokens[token], f"${role.value}(W_{letter})$", name
    return Product(factors, signs, beside(film.stage)[1] if place else film.stage, TABLE)


def beside(stage: Region) -> tuple[Region, Region]:
    """Return the part of a stage where a word stands with its key and its value, and the rest."""
    return stage.parts(UPPER if stage.height > stage.width else COLUMN / stage.width)


class Talk(VGroup):
    """What is asked and answered over the sentence, and what the asker starts with.

    That is `start`, its first numbers, between it and the same token of an `other` sentence.
    `wonder` is a question mark and the ways on which it could hear of those that answer.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        every, asker = film.all, film.asker
        asked, said = OF_OTHERS if film.circumstances()["other_words"] else OF_ADJECTIVES
        query, chip = every.made[0][asker], every.chips[asker]
        paths = arches(film.told, chip, BAND, theme.BOLD_LINE)
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

    Parts: by place, `chips`, `shares` and a row for each share, `rows`; the arrow `before`; what is
    `given` by those that answer, from the last, and by all others, with `names`; `after`, which
    comes from `before` to `end`; and what it is `now`.
    """

    def __init__(self, film: QueriesKeysValues) -> None:
        self._set_words(film)
        asker, answers, stage, where = film.asker, film.answers, film.stage, (film.layer, film.head)
        high = LOW * stage.height if stage.is_narrow else STRIP
        pattern, values = film.tensor("pattern")[where][asker], film.made[2]
        self.rows = {
            i: Share(
                Area(values[i], high / len(values[i]), role=VALUE, thickness=THICK),
                pattern[i].value,
                chip,
            )
            for i, chip in self.chips.items()
        }
        plain = Rectangle(width=THICK, height=high, stroke_width=0, fill_opacity=1)
        plain.set_fill(theme.color(QUIET))
        self.heap = Share(plain, self.rest[1].numerals[0].value, self.others)
        words = [label_of(film.tokens[i]) for i in (asker, *answers)]
        self.now = Words("{} with {}", words[0], " and ".join(words[1:]), size=theme.TITLE_SIZE)
        stage.fit_width(self.now)
        names = [Words("{}", each, size=SPOKEN_SIZE, role=VALUE) for each in words[:0:-1]]
        names.append(Words(OTHERS, size=SPOKEN_SIZE, role=QUIET))
        free = max(each.width for each in names) + 3 * GAP
        low = em_of(SPOKEN_SIZE) + GAP  # its own name may stand under the sum
        high = stage.height - self.now.height - low - 2 * GAP
        room = np.array((min(stage.width - free - GAP, WIDER * high), high))
        handed = film.made[2].double @ film.tensor("weights.W_O")[where].double
        given = (pattern.double[:, None] * handed)[answers[::-1]]
        own = film.tensor("resid_pre")[film.layer, asker].double
        change = film.tensor("head_out")[where][asker].double
        stops = laid_flat(own, given, change, steep=float(np.arctan2(*room[::-1])))
        stops *= (room / np.maximum(stops.max(axis=0), 1e-9)).min()
        aside = (stage.width - free - float(stops[:, 0].max())) / 2
        stops += stage.left + aside, stage.bottom + low
        self.before, self.after, self.end = (Arrow(theme.color(theme.INK)) for _ in range(3))
        self.given = [Arrow(theme.color(role)) for role in (*(VALUE for _ in answers), QUIET)]
        for arrow, end in zip((self.before, self.after, self.end), stops[[1, 1, -1]], strict=True):
            arrow.point(stops[0], end)
        high = float(stops[:, 1].max())
        stage.hold(self.now.next_to((self.end.tip[0], high, 0.0), UP, buff=2 * GAP))
        self.itself = Words("{}", words[0], size=SPOKEN_SIZE)
        x, y = (self.before.tail + self.before.tip) / 2 + (GAP, -HAIR)
        stage.hold(self.itself.move_to((x, y, 0.0), aligned_edge=LEFT + UP))
        side, line = float(stops[1:, 0].max()) + 2 * GAP, -np.inf
        for arrow, ends in zip(self.given, pairwise(stops[1:]), strict=True):
            arrow.point(*ends)
        for name, arrow in zip(names, self.given, strict=False):
            line = max(float(arrow.tail[1] + arrow.tip[1]) / 2, line + 1.3 * name.em)
            name.move_to((side, line, 0.0), aligned_edge=LEFT)
        VGroup(*names).shift(min(0.0, high - float(names[-1].get_top()[1])) * UP)
        if self.itself.get_right()[0] > side - GAP:  # then it stands under the others' names
            down = float(names[0].get_bottom()[1] - HAIR - self.itself.get_top()[1])
            self.itself.shift(min(0.0, down) * UP)
        middles = ((arrow.tail + arrow.tip) / 2 for arrow in self.given)
        self.names = [VGroup(lead(*each), each[1]) for each in zip(middles, names, strict=True)]
        texts = *self.chips.values(), *self.shares.values(), *self.names, self.itself, self.now
        super().__init__(
            *self.rows.values(), self.heap, self.before, *self.given, *texts, self.after
        )
        self.add(*self.rest)

    def _set_words(self, film: QueriesKeysValues) -> None:
        """Set chips at the stage's foot, and the asker's weights under them."""
        pattern = film.tensor("pattern")[film.layer, film.head][film.asker]
        every, size = film.answers, theme.TITLE_SIZE
        names = [*(film.tokens[i] for i in every), OTHERS]
        room, gap = film.stage.narrowed(GAP, GAP), (2 if film.stage.is_narrow else 6) * GAP
        row = TokenRow(names, room, largest=size, lines=1, gap=gap)
        row.align_to((0.0, film.stage.bottom + 2 * (em_of(size) + HAIR), 0.0), DOWN)
        self.chips, self.others = dict(zip(every, row.chips, strict=False)), row.chips[-1]
        self.shares, self.spots = dict[int, Words](), dict[int, Words]()
        style = adding_up(listed(pattern, every))
        for i in every:
            self.shares[i] = Words(style, pattern[i].value, size=size, role=VALUE)
            film.stage.hold(self.shares[i].next_to(self.chips[i], DOWN, buff=HAIR))
            self.spots[i] = self.shares[i].copy()  # of its angle
            self.shares[i].next_to(self.spots[i], DOWN, buff=HAIR)
        share = Words(style, listed(pattern, every)[-1], size=size, role=QUIET)
        share.move_to((self.others.get_x(), self.shares[every[0]].get_y(), 0.0))
        self.rest = [Words(OTHERS, size=SPOKEN_SIZE, role=QUIET).move_to(self.others), share]

    def lengthen(self) -> Then:
        """Return how all that is taken becomes arrows, tip to tail, and what all others give."""
        rows = *[*self.rows.values()][::-1], self.heap
        gone = Disappear(*(row.frame for row in rows), *self.chips.values(), *self.shares.values())
        opened = Flow(Unfold(row.body, arrow) for row, arrow in zip(rows, self.given, strict=True))
        left = Together(gone, Disappear(*self.rest), opened)
        return Then(left, Flow(map(Appear, self.names)))

    def turn(self) -> Together:
        """Return how the vector turns to what it is with all that is given."""
        seen = verbs.Fade(self.after, to=1.0, run_time=SOON)
        return Together(Dim(self.before), seen, verbs.Become(self.after, self.end))
