"""What comes next: a language model gives every token a chance to be the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import accumulate, chain, groupby
from operator import mul, sub

import numpy as np
from manim import VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.camera import pin, unpin
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure, said_percentage
from scenes.mobjects.fit import adding_decimals, needed_decimals, text_size
from scenes.mobjects.marks import Brace, Ring
from scenes.mobjects.ranking import PASSING, Opened, Ranking
from scenes.mobjects.text import Chance, Number, TokenText, Words, called, visible
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Array, Tensor, Value, constant, count, total
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    STRONGEST_FILL,
    TITLE_SIZE,
    VALUE,
)
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
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
    Visit,
)

RACING = 8  # tokens at most that are listed while the text grows
LISTED = 4  # tokens after each prefix, beside all others together
LEAST = 0.005  # a chance that is listed
MOST = 5000  # tokens that are drawn one by one, at most
NAMES, HEADS, HIGH = 0.3, 0.26, 2.0  # of a room's width, for names, and what is read; scene units
OPENING, LAST = 3.0, 4.0  # seconds
READING, COUNTING = 4.0, 3.0  # seconds, for all words to come, and for all to be multiplied
BRACED = 0.8  # scene units to the right of all bars
SENTENCE_SHARE = 0.3  # of the stage's height, at most
SWELL = 1.05  # times as large, a word among others
LEAVING = 6.0  # seconds, for all words to be left out, one after another
NEEDED, LEFT_OUT, GLOW = 0.25, 0.12, 0.6  # of a chance, lost; presence; opacity, for all of it lost


class WhatComesNext(Film):
    """A language model turns a text into a chance for every token to be the next one."""

    title = "What comes next?"
    prompt = "Michael Jordan plays the sport of"
    seconds = 69
    poster_beat = "read-it-all"
    needs = (THREE_TOKENS,)

    def derived(self) -> Mapping[str, Array]:
        """Ask simpler models, or where none fits this model itself, about less of the text.

        And ask it about the text without each of its tokens, (T, V).
        """
        ids = self.trace.ids
        if self.reads_as("counting"):
            simple = ("embedding-only", "counting")
            found = [self.predicted_by(name, ids) for name in simple]
        else:
            found = [self.sites_of(ids[-seen:])["probs"] for seen in (1, 2)]
        left = (ids[:at] + ids[at + 1 :] for at in range(len(ids)))
        without = np.stack([self.sites_of(rest or ids)["probs"][-1] for rest in left])
        names = "last_one.probs", "last_two.probs", "left_out.probs"
        return dict(zip(names, (*found, without), strict=True))

    def observe(self) -> None:
        """Find what each model takes for likely, after each prefix or after them all."""
        self.probs = self.tensor("probs")
        self.models = [self.tensor(f"last_{seen}.probs")[-1] for seen in ("one", "two")]
        self.models.append(self.probs[-1])
        self.at_last = _listed(self.probs[-1])
        self.answer = self.at_last[0]
        self.at_first = [*dict.fromkeys([*_listed(self.probs[0]), self.answer])]
        self.ever = self._ever()
        best = (_listed(model)[0] for model in self.models)
        self.favourites = [[*dict.fromkeys((token, self.answer))] for token in best]
        order = np.argsort(-self.probs.array[0], kind="stable").tolist()
        self.others = [token for token in order if token not in self.at_first][:MOST]
        listed = {*self.others, *self.at_first, *self.at_last, *self.ever, *chain(*self.favourites)}
        self.pieces = self.vocabulary([*listed])
        self.without = [each.value for each in self.tensor("left_out.probs").column(self.answer)]
        own = self.probs.array[-1, self.answer]
        self.losses = [float(1 - chance.number / own) for chance in self.without]
        far = (word for word, loss in enumerate(self.losses) if loss >= NEEDED)
        self.needed = next(far, int(np.argmax(self.losses)))
        self.came = [self.probs[at, token].value for at, token in enumerate(self.trace.ids[1:])]

    def words(self) -> Mapping[str, str]:
        """Name the first word, and what each model says comes last."""
        names = [called(self._piece(tokens[0])) for tokens in self.favourites]
        return {
            "first": self.name_of(0),
            "size": f"{self.probs.array.shape[1]:,}",
            "answer": called(self._piece(self.answer)),
            "by_one": names[0],
            "by_two": names[1],
            "needed": self.name_of(self.needed),
            "less": said_percentage(self.without[self.needed]),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say also whether simpler models cut texts in another way, and whether no word helps."""
        return {
            **super().circumstances(),
            "foreign": not self.reads_as("counting"),
            "unmoved": max(self.losses) <= 0,
        }

    def cast(self) -> None:
        """Make the sentence with a gap at its end, the chances, and the three models' answers."""
        stage, pieces = self.stage, [*self.tokens, self._piece(self.answer)]
        top = Region(stage.left, stage.right, stage.top - SENTENCE_SHARE * stage.height, stage.top)
        self.sentence = TokenRow(pieces, top, largest=HEADING_SIZE)
        self.sentence.align_to((0, self.under_title.top, 0), UP)
        chips = self.chips = self.sentence.chips
        self.gap = Ring(chips[-1], 0.0, POSITIVE)
        below = stage.below(self.sentence, 2 * GAP)
        last = len(self.tokens) - 1
        self.guess, _ = self._rank({last: self.at_last}, below)
        beside = replace(below, right=below.right - BRACED)
        self.ranking, rows = self._rank({0: self.at_first}, beside)
        self.race, self.rows = self._rank(dict.fromkeys(range(last + 1), self.ever), below, LEAST)
        self.kept = [(rows[token], self.rows[token]) for token in rows if token in self.rows]
        self.kept.append((len(rows), len(self.rows)))
        names = [visible(self._piece(token)) for token in self.others]
        self.opened = Opened(self.ranking, self._shares(), names)
        known = count(len(self.at_first), "tokens listed")
        self.known = Number(known, 0, HEADING_SIZE)
        self.known.move_to((stage.right, chips[0].get_y(), 0), RIGHT)
        self.brace = Brace(VGroup(*map(self.ranking.line, self.ranking.rounds[0])), RIGHT, buff=GAP)
        self.whole = Words("{:.0f}", total(self.probs[0]), size=HEADING_SIZE)
        self.whole.next_to(self.brace, RIGHT, buff=GAP)
        self.steps = self._multiplied(below)
        self.answers = self._compared(below)
        self.rings, self.ring = list(map(Ring, self._read(0))), Ring(chips[-2])
        self.stand(self.sentence, self.gap, self.guess, self.race, self.ranking, self.opened)
        self.stand(self.known, self.brace, self.whole, self.steps, self.product)
        self.stand(*self.rings[:-1], self.ring)
        self.stand(*(part for pair in self.answers for part in pair))

    def small_print(self) -> Words:
        """Say how large the vocabulary is."""
        return Words("a vocabulary of {:,.0f} tokens", self.size, size=PLAIN_SIZE, role=QUIET)

    @property
    def size(self) -> Value:
        """How many tokens the model knows."""
        return count(self.probs.array.shape[1], "tokens of the vocabulary")

    @beat("How does this go on? | A language model answers: {answer}. | How can it know?")
    def the_gap(self) -> Shown:
        yield Flow(map(Appear, self.chips[:-1])), Draw(self.gap)
        yield Flow(map(Appear, map(self.guess.line, self.guess.rounds[0])))
        yield Pulse(self.gap, run_time=STEADY, scale=SWELL)

    @beat(
        "Cover all but the first word, | and it's far from sure. | It never names one word: "
        "| it gives a chance to all {size} words and pieces that it knows. "
        "| Together, they make one."
    )
    def a_chance_for_each(self) -> Shown:
        ranking, last = self.ranking, len(self.tokens) - 1
        back = Flow(Disappear(chip) for chip in self.chips[last:0:-1])
        leave = Visit(self.gap, self.chips[last:0:-1])
        change = Then(Disappear(self.guess, run_time=QUICK), Vary(ranking.stand_at, -1, 0))
        yield back, leave, change
        yield Pulse(self.chips[0], run_time=STEADY, scale=SWELL)
        lines, rest = list(map(ranking.line, ranking.rounds[0])), ranking.line(ranking.last or 0)
        told = [part for line in lines[:-1] for part in (line[0], line[2])]
        yield Flow((Pulse(line, scale=1.06) for line in lines), STEADY)
        pin(self.sentence, self.gap, self.known)
        opened = self.opened
        aside = Vary(opened.open, 0, PASSING, SLOW), self.travel_to(opened.along, SLOW)
        out = Vary(opened.open, PASSING, 1, OPENING), self.travel_to(opened.view, OPENING)
        count_up = Then(Appear(self.known), Count(self.known, self.size, SLOW + OPENING - QUICK))
        shut = Disappear(*told, run_time=SLOW), Disappear(*rest, run_time=HAIR)
        yield Then(Together(aside), Together(out)), count_up, *shut
        fold = Together(Vary(opened.open, 1, 0, SLOW), self.pull_back())
        seen = Fade(*told, *rest, to=1.0), Disappear(self.known, opened)
        yield Then(fold, Together(*seen, Draw(self.brace)), Appear(self.whole))

    @beat(
        "Now uncover the next ones. | Each word that comes shifts the chances: "
        "| what no longer fits sinks, | what fits rises to the top."
    )
    def word_by_word(self) -> Shown:
        steps = [self._step(at) for at in range(1, len(self.tokens))]
        first, *parts = (each.tolist() for each in np.array_split(range(len(steps)), 4))
        unpin(self.sentence, self.gap)
        yield Then(self._relist(), self._in_turn(steps, first))
        for part in parts:
            yield self._in_turn(steps, part)

    @beat(
        "Every word that really came had a chance, too. | Multiply them all, "
        "| and you have the chance of the whole text, {first} given."
    )
    def the_whole_text(self) -> Shown:
        steps = self.steps
        parts = zip(self.chips[1:], steps.names, steps.shapes, steps.numbers, strict=False)
        come = (
            Then(ComeFrom(name, chip.label, QUICK), Appear(shape, number))
            for chip, name, shape, number in parts
        )
        yield Disappear(self.race), Appear(steps.zero), Flow(come)
        each = min(QUICK, COUNTING / len(self.products))
        multiply = [
            Together(Pulse(number, run_time=each), Remeasure(self.product, [value], run_time=each))
            for number, value in zip(steps.numbers, self.products, strict=True)
        ]
        half = len(multiply) // 2
        yield Then(Appear(self.product), *multiply[:half])
        yield Then(*multiply[half:], Pulse(self.product.numbers[0]))

    @beat(
        "Does it take the whole text? | A model that knows only the last word says: {by_one}. "
        "| One that counts what followed the last two words says: {by_two}.",
        foreign="Does it take the whole text? | Show the model only the last word, "
        "and it says: {by_one}. | Show it the last two, and it says: {by_two}.",
    )
    def with_less(self) -> Shown:
        gone = Disappear(self.steps, self.product)
        for place, block in enumerate(self.answers[:2]):
            first = len(self.tokens) - 1 - place
            around, shut = Ring(self._read(first)[-1]), Dim(*self.chips[:first])
            if not place:
                self.ring.become(around)
                yield Dim(self.steps, self.product), shut, Draw(self.ring)
            leave = Hold() if place else gone
            ring = Visit(self.ring, [around]), Undim(*self.chips[first:-1])
            yield *ring, Then(leave, Together(Appear(block[0]), _fill(*block)))

    @beat(
        "The transformer reads it all: | {answer}. | Does every word count? "
        "Leave one out at a time: some count more, some less. "
        "| Without {needed}, {answer}'s chance falls to {less}. "
        "| That's how it knows: by weighing all that stands before the gap.",
        unmoved="The transformer reads it all: | {answer}. | Does every word count? "
        "Leave one out at a time, | and the chance is another one each time. "
        "| That's how it knows: by weighing all that stands before the gap.",
    )
    def read_it_all(self) -> Shown:
        head, bars = self.answers[2]
        *above, around = self.rings
        yield Visit(self.ring, [around]), Draw(*above), Undim(*self.chips[:-1]), Appear(head)
        yield _fill(head, bars)
        others = [part for pair in self.answers[:2] for part in pair]
        each = LEAVING / len(self.tokens) / 2
        swept = (self._without(word, each) for word in range(len(self.tokens)))
        yield Dim(*others), Then(swept)
        yield self._without(self.needed, STEADY)
        comes = Then(ComeFrom(self.chips[-1], bars.names[0]), Pulse(bars.names[0]))
        yield comes, Disappear(self.gap), Hold(LAST)

    # What only this film shows

    def _without(self, word: int, run_time: float) -> Verb:
        """Return how a word leaves, the answer's chance comes to what it is then, and both return.

        The word keeps the colour of what it was worth.
        """
        chip, (_, bars) = self.chips[word], self.answers[2]
        worth = GLOW * max(0.0, self.losses[word])
        gone = Fade(chip, to=LEFT_OUT, run_time=run_time)
        falls = Remeasure(bars, [self.without[word], *bars.values[1:]], run_time=run_time)
        back = Fade(chip, to=1.0, run_time=run_time)
        rises = Remeasure(bars, bars.values, run_time=run_time)
        plate = [chip.plate] if worth > LEFT_OUT else []
        glow = Recolor(*plate, role=VALUE, opacity=worth, run_time=run_time)
        return Then(Together(gone, falls), Hold(run_time / 2), Together(back, glow, rises))

    def _read(self, first: int) -> list[VGroup]:
        """Return the words from a place to the gap, line by line."""
        lines = groupby(self.chips[first:-1], key=lambda chip: round(float(chip.get_y()), 2))
        return [VGroup(*line) for _, line in lines]

    def _shares(self) -> NDArray[np.float64]:
        """Return the chances of all others after the first word; the last one has the rest."""
        shares = self.probs.array[0, self.others].astype(np.float64)
        shares[-1] += 1.0 - shares.sum() - self.probs.array[0, self.at_first].sum()
        return shares.clip(0.0)

    def _piece(self, token: int) -> str:
        return self.pieces.get(token, "")

    def _ever(self) -> list[int]:
        """Return the tokens that are the likeliest after some prefix, those of the largest chance.

        The last prefix's is always among them.
        """
        firsts = dict.fromkeys(self.probs.array.argmax(axis=1).tolist())
        best = sorted(firsts, key=lambda token: -self.probs.array[:, token].max())
        kept = {*[token for token in best if token != self.answer][: RACING - 1], self.answer}
        return [token for token in firsts if token in kept]

    def _rank(
        self, listed: Mapping[int, Sequence[int]], region: Region, least: float = 0.0
    ) -> tuple[Ranking, dict[int, int]]:
        """Return tokens as bars, a round for each prefix, and the row of each token.

        The last row stands for all others.
        """
        every = [*dict.fromkeys(chain(*listed.values()))]
        rows, last, rounds = {token: row for row, token in enumerate(every)}, len(every), []
        for at, tokens in listed.items():
            found = {rows[token]: self.probs[at, token].value for token in tokens}
            rounds.append({**found, last: reduce(sub, found.values(), total(self.probs[at]))})
        size = text_size([self._piece(token) for token in every], region.width / 4, TITLE_SIZE)
        names = [TokenText(self._piece(token), size) for token in every]
        rest = Words("all others", size=SPOKEN_SIZE, role=QUIET)
        ranking = Ranking(
            [*names, rest],
            rounds,
            region,
            decimals=adding_decimals([*rounds[0].values()], 1.0),
            kind=Chance,
            last=last,
            least=least,
        )
        ranking.shapes[last].set_fill(theme.color(QUIET), STRONGEST_FILL)
        return ranking, rows

    def _relist(self) -> Verb:
        """Let the list after the first word become that of all prefixes; names that stay move."""
        ranking, race = self.ranking, self.race
        stay = {ranking.names[row]: race.names[other] for row, other in self.kept}
        parts = [part for row in ranking.rounds[0] for part in ranking.line(row)]
        gone = Disappear(self.brace, self.whole, *(part for part in parts if part not in stay))
        dim = [n for n in stay if race.rounds[0][race.names.index(stay[n])].number < LEAST]
        move = (Become(name, twin, QUICK) for name, twin in stay.items())
        come = Vary(race.stand_at, -1, 0, QUICK)
        return Then(Together(gone, *move, Dim(*dim)), come, Disappear(*stay, run_time=HAIR))

    def _step(self, at: int) -> Verb:
        """Let the word at a place come, out of the list if it stands there, and the bars move."""
        token, chip = self.trace.ids[at], self.chips[at]
        each = min(QUICK, READING / len(self.tokens))
        is_seen = token in self.rows and self.probs.array[at - 1, token] >= LEAST
        name = self.race.names[self.rows[token]] if is_seen else None
        comes = ComeFrom(chip, name, each) if name else Appear(chip, run_time=each)
        move = Visit(self.gap, [self.chips[at + 1]], each)
        return Then(Together(comes, move), Vary(self.race.stand_at, at - 1, at, 2 * each))

    def _in_turn(self, steps: Sequence[Verb], part: Sequence[int]) -> Verb:
        """Take some steps; where a short text has none left, look at what has come."""
        return (
            Then(steps[at] for at in part)
            if len(part)
            else Flow(Pulse(chip, scale=SWELL) for chip in self.chips[:-1])
        )

    def _multiplied(self, region: Region) -> Bars:
        """Return the chance of each token that came; make their running product."""
        first, second = region.split(0.72)
        names = [TokenText(piece, SPOKEN_SIZE) for piece in self.tokens[1:]]
        bars = Bars(self.came, first, names, span=(0.0, 1.0), kind=Chance)
        self.products = [*accumulate(self.came, mul)]
        name, whole = Words("product", size=SPOKEN_SIZE, role=QUIET), constant(1, "no factor yet")
        digits = needed_decimals(self.products[-1:])
        room = second.apart(first, GAP)
        self.product = Bars([whole], room, [name], span=(0, 1), decimals=digits, kind=Chance)
        return bars

    def _compared(self, region: Region) -> list[tuple[Words, Bars]]:
        """Return for each model a heading, and the chances of what it says and of the answer."""
        found = []
        titles = "the last word", "the last two", "all of it"
        rooms = region.lowered(GAP).rows(3)
        is_high = rooms[0].height > HIGH  # enough for a heading over the bars
        areas = [room if is_high else room.columns(HEADS)[1] for room in rooms]
        names = [*map(self._piece, chain(*self.favourites))]
        size = text_size(names, NAMES * areas[0].width, TITLE_SIZE)
        widest = max(TokenText(name, size).width for name in names)
        beside = rooms[0].width if is_high else HEADS * rooms[0].width - GAP
        title_size = text_size(titles, beside, TITLE_SIZE)
        for place, (title, room) in enumerate(zip(titles, rooms, strict=True)):
            model, tokens = self.models[place], self.favourites[place]
            head = Words(title, size=title_size)
            said = [TokenText(self._piece(token), size) for token in tokens]
            area = areas[place].inset(HAIR)
            if is_high:
                head.move_to((room.center[0], room.top, 0), UP)
                area = room.below(head, GAP).raised(GAP)
            else:
                head.move_to((room.left, room.center[1], 0), LEFT)
            area = area.narrowed(widest - max(name.width for name in said), 0.0)
            values = [model[token].value for token in tokens]
            bars = Bars(values, area, said, across=True, span=(0.0, 1.0), kind=Chance)
            found.append((head, bars))
        lengths = [bars.place_of(1.0) - bars.place_of(0.0) for _, bars in found]
        for (_, bars), length in zip(found, lengths, strict=True):  # all to one scale
            bars.span = (0.0, length / min(lengths))
            bars.put(bars.values)
        return found


def _fill(head: Words, bars: Bars) -> Verb:
    """Let the bars of a model grow, and name what it says."""
    ends = np.array([value.number for value in bars.values])
    seen = Appear(bars.zero, *bars.shapes, *bars.names, *bars.numbers)
    grow = Remeasure(bars, bars.values, path=lambda share: share * ends)
    return Then(Together(seen, grow), Together(Pulse(head), Pulse(bars.names[0])))


def _listed(probs: Tensor) -> list[int]:
    """Return the likeliest tokens, without those whose chance would be written as zero."""
    tokens = _likeliest(probs, LISTED)
    return [token for token in tokens if probs.array[token] >= LEAST] or tokens[:1]


def _likeliest(probs: Tensor, number: int) -> list[int]:
    """Return the likeliest tokens of a distribution (V,), the likeliest first."""
    return [int(token) for token in np.argsort(-probs.array, kind="stable")[:number]]
