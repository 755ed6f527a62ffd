"""What comes next: a language model gives every token a chance to be the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from itertools import accumulate, chain, pairwise
from operator import mul, sub

import numpy as np
from manim import VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.gap_inside import gap_inside, likeliest, whole_words, with_token
from scenes.camera import WHOLE, pin, unpin
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure
from scenes.mobjects.fit import adding_decimals, pitch_in, text_size
from scenes.mobjects.marks import Brace, Ring
from scenes.mobjects.ranking import PASSING, Opened, Ranking
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Chance, Number, TokenText, Words, called_aloud, em_of, visible
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.presence import presence, set_presence
from scenes.provenance import Array, Tensor, Value, constant, count, total
from scenes.region import Region
from scenes.theme import GAP, HAIR, PLAIN_SIZE, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import Appear, Dim, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary, Verb


class WhatComesNext(Film):
    """A language model turns a text into a chance for every token to be the next one."""

    title = "What comes next?"
    prompt = "A famous dish of Italy is"
    seconds = 87
    poster_beat = "read-it-all"
    needs = (THREE_TOKENS,)

    def derived(self) -> Mapping[str, Array]:
        """Ask simpler models, or where none fits this model itself, about less of the text.

        And ask it about the text with other tokens inside, (C, T, V).
        """
        ids = self.trace.ids
        if self.reads_as("counting"):
            found = [self.predicted_by(name, ids) for name in ("embedding-only", "counting")]
        else:
            found = [self.sites_of(ids[-seen:])["probs"] for seen in (1, 2)]
        place, tokens = self.inside if len(ids) > 1 else (0, ids)  # needs are asked for later
        within = self.chances_in([with_token(ids, place, token) for token in tokens])
        self.whole_words = [self._whole_words(seen) for seen in range(1, len(ids) + 1)]
        names = "last_one.probs", "last_two.probs", "inside.probs"
        return dict(zip(names, (*found, within), strict=True))

    def observe(self) -> None:
        """Find what each model takes for likely, also with other words inside."""
        self.probs = self.tensor("probs")
        self.size = count(self.probs.array.shape[1], "tokens of the vocabulary")
        self.whole = [*self.trace.ids, int(self.probs.array[-1].argmax())]
        self.answer = self.whole[-1]
        simple = [self.tensor(f"last_{seen}.probs")[-1] for seen in ("one", "two")]
        self.favourites = [likeliest(model.array, 1)[0] for model in simple]
        words = self.whole_words
        here, start = words[-1][:ROWS], words[0][:ROWS]
        missing = [] if self.answer in here else [self.answer]
        self.first = [[*here[: ROWS - len(missing)], *missing], start]
        met = [token for token in dict.fromkeys(self.whole[2:-1]) if token != self.answer]
        known = self.probs.array.max(axis=0)
        ranked = sorted(met, key=lambda token: -float(known[token]))[: ROWS - 1]
        self.leaders = [*(token for token in met if token in ranked), self.answer]
        order = np.argsort(-self.probs.array[0], kind="stable").tolist()
        self.others = [token for token in order if token not in self.first[1]][:MOST]
        if not self.others:
            self.refuse(f"what-comes-next needs a vocabulary of {ROWS + 1} tokens or more.")
        self.place, self.contenders = self.inside
        within = self.tensor("inside.probs")
        self.answers = [int(within.array[row, -1].argmax()) for row in range(len(within))]
        own = self.whole[self.place]
        rivals = [row for row, token in enumerate(self.contenders) if token != own]
        self.rivals = sorted(rivals, key=lambda row: self.answers[row] == self.answer)
        self.reread = [*simple, self.probs[-1], within[self.rivals[0], -1]]
        self.again = [likeliest(probs.array, FEW, LEAST) for probs in self.reread]
        known = *self.others, *self.leaders, *chain(*self.first, *self.again), *self.contenders
        self.pieces = self.vocabulary([*{*known, *self.answers, *self.whole}])
        self.times = [*map(self._factors, range(len(self.contenders)))]
        best = max(float(np.prod([each.number for each in of])) for of in self.times)
        power = int(np.clip(np.ceil(-np.log10(best)) + COUNTED, COUNTED, MOST_COUNTED))
        self.texts = constant(10**power, "texts, enough to count the likeliest ones")
        counted = (accumulate([first * self.texts, *then], mul) for first, *then in self.times)
        self.so_far = [*zip(*counted, strict=True)]
        highest = (np.argmax([each.number for each in self.so_far[at]]) for at in (0, -1))
        self.leader, self.winner = map(int, highest)

    def words(self) -> Mapping[str, str]:
        """Name what each model says comes last, what fits inside, and what a rival leads to."""
        named = {
            "answer": self.answer,
            "leader": self.contenders[self.leader],
            "winner": self.contenders[self.winner],
            "rival": self.contenders[self.rivals[0]],
            "other": self.answers[self.rivals[0]],
            **dict(zip(("by_one", "by_two"), self.favourites, strict=True)),
        }
        told = {name: called_aloud(self._piece(token)) for name, token in named.items()}
        return told | {"size": f"{self.size.number:,.0f}", "texts": f"{self.texts.number:,.0f}"}

    def circumstances(self) -> Mapping[str, bool]:
        return {
            **super().circumstances(),
            "foreign": not self.reads_as("counting"),
            "agreed": {*self.favourites} == {self.answer},
            "unmoved": {self.answers[row] for row in self.rivals} == {self.answer},
        }

    def cast(self) -> None:
        """Make the sentence with a gap at its end, and the lists of chances below it."""
        stage, pieces = self.stage, [*self.tokens, self._piece(self.answer)]
        top = Region(stage.left, stage.right, stage.top - SENTENCE_SHARE * stage.height, stage.top)
        for at, tried in ((self.place, self.contenders), (-1, self.answers)):
            every = *map(self._piece, tried), pieces[at]
            pieces[at] = max(every, key=lambda piece: float(TokenText(piece).width))
        self.sentence = TokenRow(pieces, top, largest=LARGER * theme.HEADING_SIZE)
        self.sentence.align_to((0, stage.top, 0), UP)
        chips = self.chips = self.sentence.chips
        for at in (self.place, -1):  # their plates have room for whatever is tried there
            chips[at].put(self._in_chip(self.whole[at], chips[at]))
        self.gap = Ring(chips[-1])
        near = WHOLE.into(self.sentence, self.under_title, NEAR)
        self.view = replace(near, zoom=min(near.zoom, NEAREST))
        below = stage.below(self.sentence, 2 * GAP)
        beside = replace(below, right=below.right - BRACED)
        self.ranking, self.rows = self._rank([self.probs[-1], self.probs[0]], self.first, beside)
        led, told = self._named(self.leaders, beside), self.chances_after(0)
        self.moving = Chances(told, beside, led, across=True, span=(0, 1), kind=Chance, tail=True)
        self._make_readers(below)
        self.ranking.stand_at(1)
        names = [visible(self._piece(token)) for token in self.others]
        self.opened = Opened(self.ranking, 1, self._shares(), names)
        known = count(len(self.first[1]), "tokens listed")
        unit_of = "tokens" if stage.is_narrow else "tokens, a row each"
        unit = Words(unit_of, size=SPOKEN_SIZE, role=QUIET)
        self.known = Number(known, 0, theme.HEADING_SIZE)
        self.telling = VGroup(self.known, unit).arrange(RIGHT, buff=GAP)
        self.telling.move_to((stage.right, chips[0].get_y(), 0), RIGHT)
        self.brace = Brace(VGroup(*map(self.ranking.line, self.ranking.rounds[1])), RIGHT, buff=GAP)
        self.sum = Words("sum {:.0f}", total(self.probs[0]), size=SPOKEN_SIZE)
        self.sum.next_to(self.brace, RIGHT, buff=GAP)
        self.ranking.stand_at(0)
        self.inner, self.tried = self._make_inside(below)
        self.replies = [self._in_chip(token, chips[-1]) for token in self.answers]
        self.pairs = self._make_pairs(below)
        self.stand(self.ranking, self.opened, self.brace, self.sum, self.less, self.moving)
        self.stand(self.inner, self.counted, *self.readers, *self.found)
        self.stand(self.sentence, *self.tried, *self.replies, self.gap, self.telling, *self.pairs)

    @beat("How does this go on? | A language model answers: {answer}. | How can it know?")
    def the_gap(self) -> Shown:
        yield Flow((Appear(chip) for chip in self.chips[:-1]), QUICK), verbs.Draw(self.gap)
        first = self.ranking.numbers[self.rows[self.answer]]
        come = Vary(self.ranking.stand_at, -1, 0), verbs.ComeFrom(self.chips[-1], first, bow=DIP)
        yield self.pull_back(STEADY), Then(Hold(QUICK), *come)
        yield Flow((Pulse(chip, scale=SWELL) for chip in self.chips), SLOW)

    @beat(
        "Cover all but the first word, | and it's far from sure. | It never names just one: "
        "| it gives a chance to all {size} words and pieces that it knows. "
        "| Together, they make one."
    )
    def a_chance_for_each(self) -> Shown:
        ranking, opened = self.ranking, self.opened
        hidden = self.chips[len(self.tokens) - 1 : 0 : -1]
        cover = Flow((Disappear(chip.label) for chip in (self.chips[-1], *hidden)), SLOW)
        yield cover, Then(Hold(), self._mark(self.chips[1]), ranking.go(0, 1, SLOW))
        *here, _ = ranking.rounds[1].items()
        lines = [ranking.line(row) for row, chance in here if chance.number >= LEAST]
        silent = [ranking.names[row] for row, chance in here if chance.number < LEAST]
        others = ranking.line(len(self.rows))
        yield Pulse(others, run_time=STEADY, scale=SWELL)
        yield Flow((Pulse(line, scale=SWELL) for line in lines), STEADY)
        pin(self.sentence, self.gap, self.telling)
        aside = Vary(opened.open, 0, PASSING, SLOW), self.travel_to(opened.along, SLOW)
        out = Vary(opened.open, PASSING, 1, OPENING), self.travel_to(opened.view, OPENING)
        covered = [chip.plate for chip in self.chips[2:]]
        counted = verbs.Count(self.known, self.size, SLOW + OPENING - QUICK)
        count_up = Then(Disappear(*covered, run_time=HAIR), Appear(self.telling), counted)
        told = [part for line in lines for part in (line[0], line[2])]
        rest, bar, left = others
        hide = Disappear(bar, left, run_time=HAIR), Then(Hold(SLOW), Disappear(rest))
        shut = Disappear(*told, *silent, run_time=SLOW), *hide
        yield Then(Together(aside), Together(out)), count_up, *shut
        named = Fade(*told, rest, to=1.0), Fade(*silent, to=theme.OUT_OF_FOCUS)
        folded = Together(Vary(opened.open, 1, 0, SLOW), self.pull_back(), Then(Hold(), *named))
        swap = Then(Fade(bar, to=1.0, run_time=HAIR), Disappear(opened, run_time=HAIR))
        shown = Together(swap, Appear(left), Disappear(self.telling), verbs.Draw(self.brace))
        yield Then(folded, shown, Appear(self.sum, *covered))

    @beat(
        "Uncover the next ones, and watch their own chances. | Each word that comes shifts them: "
        "| what no longer fits falls, | what fits rises. | At last, {answer} leads."
    )
    def word_by_word(self) -> Shown:
        *steps, last = (self._step(at) for at in range(1, len(self.tokens)))
        parts = [steps[at * len(steps) // 4 : (at + 1) * len(steps) // 4] for at in range(4)]
        unpin(self.sentence, self.gap)
        told = [each for each in self.moving.numbers if each.value.number >= LEAST]
        come = Appear(*self.moving.shapes, self.moving.zero, *self.moving.names, *told)
        yield Then(Disappear(self.ranking, self.brace, self.sum), come, self._in_turn(parts[0]))
        for part in parts[1:]:
            yield self._in_turn(part)
        share = self.moving.numbers[self.leaders.index(self.answer)]
        yield Then(last, verbs.ComeFrom(self.chips[-1].label, share, bow=DIP))

    @beat(
        "What if the gap is inside? | Imagine {texts} texts that begin so and go on by its "
        "chances: | most often with {leader}. | But what follows must fit, too."
    )
    def a_gap_inside(self) -> Shown:
        inner, (own, *behind) = self.inner, self.chips[self.place :]
        gone = Disappear(self.moving, *(x.label for x in (own, *behind)), run_time=QUICK)
        yield gone, self._mark(own), Then(Hold(), Flow(map(Appear, inner.names)))
        most = np.array([value.number for value in inner.values])
        grow = Remeasure(inner, inner.values, path=lambda share: share * most, run_time=SLOW)
        yield Appear(self.counted), Fade(*inner.shapes, *inner.numbers, to=1.0), grow
        yield Pulse(inner.names[self.leader]), Pulse(inner.numbers[self.leader])
        come = (Then(Appear(x.label), Pulse(x, scale=SWELL)) for x in behind)
        yield Flow(come, STEADY)

    @beat(
        "Put {leader} in, and read on: with each word, fewer of these texts fit. "
        "| Now its rivals, one by one: | {winner} keeps the most texts."
    )
    def what_fits_all(self) -> Shown:
        inner, (first, *others) = self.inner, map(self._try, range(len(self.tried)))
        yield first
        yield (Then(others) if others else Flow(map(Pulse, inner.names))).within(TRYING)
        last, best = self.tried[-1], self.tried[self.winner]
        swap = Disappear(last, run_time=QUICK / 3), Appear(best)
        won = inner.names[self.winner], inner.numbers[self.winner]
        lost = Dim(*(part for part in (*inner.names, *inner.numbers) if part not in won))
        yield Then(*swap[: 2 * (best is not last)], Together(Pulse(*won), lost))

    @beat(
        "How much must it read? | A model that knows only the last word says: {by_one}. "
        "| One that has counted what follows the last two says: {by_two}. "
        "| A transformer, the model of these films, reads it all: {answer}.",
        agreed="How much must it read? | The last word alone gives: {by_one}. | The last two give "
        "the same. | A transformer, the model of these films, reads it all: here, it agrees.",
        foreign="How much must it read? | Show the model only the last word, "
        "and it says: {by_one}. | Show it the last two, and it says: {by_two}. "
        "| Show it all, as in these films, and it says: {answer}.",
    )
    def with_less(self) -> Shown:
        chips, last, less = self.chips, len(self.tokens) - 1, self.less
        gone = self.inner, self.counted, chips[-1].label
        swap = Disappear(self.tried[self.winner]), Appear(chips[self.place].label)
        is_same = self.contenders[self.winner] == self.whole[self.place]  # no word is seen to go
        away = Disappear(*gone), self._mark(chips[-1]), Then(*swap[:: -1 if is_same else 1])
        yield Then(Together(*away), Flow(map(Appear, self.readers)), Dim(*self.readers))
        cover = Flow((Disappear(chip.label) for chip in chips[:last]), QUICK)
        one, two, _ = self.readers
        yield cover, Then(verbs.Undim(one), Vary(less.stand_at, -1, 0), self._say(0))
        seen = Appear(chips[last - 1].label), verbs.Undim(two), Dim(one, self.found[0])
        yield Then(*seen, less.go(0, 1, SLOW), self._say(1))
        uncover = Flow((Appear(chip.label) for chip in chips[: last + 1]), QUICK)
        lit = verbs.Undim(*self.readers, self.found[0])
        filled = verbs.ComeFrom(chips[-1], less.numbers[less.names.index(self.said[2])], bow=DIP)
        yield Then(uncover, lit, less.go(1, 2, SLOW), self._say(2), filled)

    @beat(
        "But what tells it? | Put in {rival}, | and it answers: {other}. "
        "| Other words in the same place: the rest of the text stays as it is. "
        "| So that's how it knows: it has read every word before the gap.",
        unmoved="But what tells it? | Put in {rival}, | and it still answers: {other}. "
        "| Other words in the same place: the rest of the text stays as it is. "
        "| So that's how it knows: it has read every word before the gap.",
    )
    def read_it_all(self) -> Shown:
        chips, less, own = self.chips, self.less, self.chips[self.place]
        yield Disappear(*self.readers[:-1], *self.found), self._mark(own)
        tried = self.rivals[: len(self.pairs)]
        first, last = tried[0], tried[-1]
        yield Then(Disappear(own.label, chips[-1].label), Appear(self.tried[first]))
        yield Then(less.go(2, 3, SLOW), Together(Pulse(self.said[3]), Appear(self.replies[first])))
        rest = Then(self._ask(*each) for each in pairwise(tried)).within(ANSWERING)
        yield Then(Disappear(less, self.readers[-1]), self._pair(first), *[rest] * (first != last))
        gone = Disappear(self.tried[last], self.replies[last], run_time=QUICK / 2)
        home = Then(gone, Appear(own.label), Appear(chips[-1].label))
        told = Flow((Pulse(chip, scale=SWELL) for chip in chips), SLOW)
        swell = Flow((Pulse(pair, scale=SWELL) for pair in self.pairs), SLOW)
        lit = verbs.Recolor(chips[-1].plate, role=theme.ACCENT, opacity=TINT)
        yield Then(home, swell, told, lit)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how large the vocabulary is."""
        text = "a vocabulary of {:,.0f} tokens; \N{MIDDLE DOT} is a space"
        return Words(text, self.size, size=PLAIN_SIZE, role=QUIET)

    @cached_property
    def inside(self) -> tuple[int, list[int]]:
        """Find a place with words behind it, and the words that are tried there."""
        ids, probs = self.trace.ids, self.trace.probs
        place, tokens = gap_inside(ids, probs, self.chances_in, self.vocabulary, TRIED)
        near = [each for each in likeliest(probs[place - 1], 2) if each not in tokens]
        return place, tokens if len(tokens) > 1 else [*tokens, *near[:1]]

    def _factors(self, row: int) -> list[Value]:
        """Return what the chance of the text from the gap on is the product of."""
        within, own = self.tensor("inside.probs")[row], self.contenders[row]
        behind = enumerate(self.whole[self.place + 1 :], self.place)
        first = self.probs[self.place - 1, own].value
        return [first, *(within[at, token].value for at, token in behind)]

    def _shares(self) -> NDArray[np.float64]:
        """Return the chances of all others after the first word; the last one has the rest."""
        shares = self.probs.array[0, self.others].astype(np.float64)
        shares[-1] += self.ranking.rounds[1][len(self.rows)].number - shares.sum()
        return shares.clip(0.0)

    def _piece(self, token: int) -> str:
        return self.pieces.get(token) or self.piece(token)

    def _whole_words(self, seen: int) -> list[int]:
        """Return likely tokens after the first ones of the text that are no parts of words."""
        ids, probs = self.trace.ids, self.trace.probs[seen - 1]
        tried = likeliest(probs, 2 * ROWS, LEAST)
        return whole_words(ids[:seen], tried, self.chances_in, self.vocabulary)

    def _rank(
        self, models: Sequence[Tensor], listed: Sequence[Sequence[int]], region: Region
    ) -> tuple[Ranking, dict[int, int]]:
        """Return tokens and all others as bars, a round for each model, and each token's row."""
        every = [*dict.fromkeys(chain(*listed))]
        rows, last, rounds = {token: row for row, token in enumerate(every)}, len(every), []
        for probs, tokens in zip(models, listed, strict=True):
            found = {rows[token]: probs[token].value for token in tokens}
            told = [chance for chance in found.values() if chance.number >= LEAST]
            rounds.append({**found, last: reduce(sub, told, total(probs))})
        names, decimals = self._named(every, region), adding_decimals([*rounds[1].values()], 1.0)
        ranking = Ranking(
            names, rounds, region, decimals=decimals, kind=Chance, last=last, least=LEAST
        )
        ranking.shapes[last].set_fill(theme.color(QUIET), theme.STRONGEST_FILL)
        return ranking, rows

    def _make_readers(self, region: Region) -> None:
        """Make what each model reads, what it says beside that, and its chances under all."""
        said = *self.favourites, self.answer, self.answers[self.rivals[0]]
        self.readers = [Words(of, size=SPOKEN_SIZE) for of in READERS]
        self.found = [TokenText(self._piece(each), SPOKEN_SIZE) for each in said[:-1]]
        high = max(each.height for each in self.readers) + GAP
        for at, each in enumerate(self.readers):
            each.shrink_to(READ * region.width)
            each.move_to((region.left, region.top - at * high, 0), LEFT + UP)
        answers = max(float(each.get_right()[0]) for each in self.readers) + 2 * GAP
        for each, found in zip(self.readers, self.found, strict=True):
            found.set_color(theme.color(theme.ACCENT)).move_to((answers, 0, 0), LEFT)
            found.shift((each.baseline - found.baseline) * UP)
        under = region.lowered(len(READERS) * high)
        self.less, again = self._rank(self.reread, self.again, under)
        self.said = [self.less.names[again[token]] for token in said]

    def _named(self, tokens: Sequence[int], region: Region) -> list[TokenText | Words]:
        """Return the names of bars: of some tokens, and of all others."""
        pieces = [*map(self._piece, tokens)]
        size = text_size(pieces, region.width / 4, TITLE_SIZE)
        rest = Words("all others", size=SPOKEN_SIZE, role=QUIET)
        return [*(TokenText(piece, size) for piece in pieces), rest]

    def _step(self, at: int) -> Verb:
        """Uncover the word at a place, and let the bars of the words that are followed move."""
        chip, each = self.chips[at], min(QUICK, READING / len(self.tokens))
        come = Appear(chip.label, scale=1, run_time=each), Pulse(chip, scale=SWELL, run_time=each)
        shift = Remeasure(self.moving, self.chances_after(at), run_time=3 * each)
        return Then(Together(*come), Together(self._mark(self.chips[at + 1], each), shift))

    def chances_after(self, at: int) -> list[Value]:
        """Return the chances, after the word at a place, of those followed, and of all others."""
        found = [self.probs[at, token].value for token in self.leaders]
        return [*found, reduce(sub, found, total(self.probs[at]))]

    def _mark(self, chip: Chip, run_time: float = STEADY) -> Verb:
        """Let the ring that marks the gap go out, and come again round another chip."""
        gone, come = Disappear(self.gap, run_time=run_time / 2), Appear(self.gap, scale=1)
        come.run_time = run_time / 2
        return Then(gone, verbs.Visit(self.gap, [chip], HAIR / 2), come)

    def _in_turn(self, steps: Sequence[Verb]) -> Verb:
        """Take some steps; where a short text has none left, look at what has come."""
        return Then(*steps) if steps else Flow(Pulse(x, scale=SWELL) for x in self.chips[:-1])

    def _make_inside(self, region: Region) -> tuple[Bars, list[TokenText]]:
        """Return how many texts go on with each word, as bars, and each word in the gap."""
        pieces, gap = [*map(self._piece, self.contenders)], self.chips[self.place]
        first, *_, whole = self.so_far
        tried = [self._in_chip(token, gap) for token in self.contenders]
        told = "of {:,.0f} imagined texts, by the model's chances"
        self.counted = Words(told, self.texts, size=SPOKEN_SIZE).shrink_to(region.width)
        self.counted.move_to((region.left, region.top, 0), LEFT + UP)
        region = region.lowered(self.counted.height + GAP)
        size = text_size(pieces, region.width / 4, TITLE_SIZE)
        names = [TokenText(piece, size) for piece in pieces]
        return Bars(first, region, names, across=True, decimals=0, kind=Texts, ever=whole), tried

    def _in_chip(self, token: int, chip: Chip) -> TokenText:
        """Return a token's text as it stands in the chip of another one."""
        text = TokenText(self._piece(token), self.sentence.size)
        text.shrink_to(chip.plate.width - 2 * HAIR).move_to(chip)
        return text.shift((chip.label.baseline - text.baseline) * UP)

    def _make_pairs(self, region: Region) -> list[VGroup]:
        """Return, a line each, the words that are put in, and what the model then answers."""
        most = min(len(self.rivals), max(1, int(region.height / LEAST_LINE)))
        least = DOWN_TO * region.height / (most - 0.5)
        pitch = max(least, pitch_in(region.height, most, PAIR_PITCH))
        tokens = [(self.contenders[row], self.answers[row]) for row in self.rivals[:most]]
        pieces = [self._piece(token) for token in chain(*tokens)]
        wide = (region.width - ARROW) / 2 - 2 * GAP
        size = min(text_size(pieces, 0.8 * wide, theme.HEADING_SIZE), CHIP * pitch / em_of(1))
        x, pairs = float(region.center[0]), list[VGroup]()
        for at, both in enumerate(tokens):
            y = region.top - (at + 0.5) * pitch
            word, reply = (Chip(self._piece(token), size, wide) for token in both)
            word.move_to((x - ARROW / 2 - GAP, y, 0), RIGHT)
            reply.move_to((x + ARROW / 2 + GAP, y, 0), LEFT)
            reply.plate.set_fill(theme.color(theme.ACCENT), TINT)
            way = Arrow(theme.color(QUIET))
            way.point(np.array((x - ARROW / 2, y)), np.array((x + ARROW / 2, y)))
            pairs.append(VGroup(word, way, reply))
        return pairs

    def _ask(self, before: int, row: int) -> Verb:
        """Return how a word stands in the text instead of the one before, and what is answered."""
        gone = Disappear(self.tried[before], self.replies[before], run_time=QUICK / 3)
        put = Appear(self.tried[row], run_time=QUICK / 2), Appear(self.replies[row])
        return Then(gone, *put, self._pair(row))

    def _say(self, model: int) -> Verb:
        """Return how what a model says leads the list, and stands beside what it reads."""
        return Then(Pulse(self.said[model]), Appear(self.found[model]))

    def _pair(self, row: int) -> Verb:
        """Return how the word that was put in and its answer come in a line."""
        word, way, reply = self.pairs[self.rivals.index(row)]
        told = Pulse(self.chips[self.place], scale=SWELL), Pulse(self.chips[-1], scale=SWELL)
        return Then(Together(Appear(word), told[0]), Together(Appear(way, reply), told[1]))

    def _try(self, row: int) -> Verb:
        """Return how a word stands in the gap, and each word behind it leaves its text less likely.

        The first one is shown step by step, the others at once.
        """
        inner, own, behind = self.inner, self.tried[row], self.chips[self.place + 1 :]
        before, after = self.so_far[-1][:row], self.so_far[0][row + 1 :]
        products = [[*before, each[row], *after] for each in self.so_far]
        if row:
            gone = Disappear(self.tried[row - 1], run_time=QUICK / 3)
            put = Together(Appear(own), Pulse(inner.names[row]))
            return Then(gone, put, Remeasure(inner, products[-1]))
        steps = (
            Then(Pulse(chip), Remeasure(inner, product))
            for chip, product in zip(behind, products[1:], strict=True)
        )
        return Then(Together(Appear(own), Pulse(inner.names[row])), *steps)


class Chances(Bars):
    """Chances as bars; those that are too small to be listed have no numerals."""

    def _set_number(self, number: Number, middle: float, end: float, *, is_negative: bool) -> None:
        super()._set_number(number, middle, end, is_negative=is_negative)
        if presence(self.zero):
            set_presence(number, float(number.value.number >= LEAST))


class Texts(Number):
    """How many of some texts; where it's not even one, that's said."""

    @staticmethod
    def write(number: float, decimals: int) -> str:
        """Return a whole number, or that it is less than one."""
        return "<1" if 0 < number < 1 else Number.write(number, decimals)


READERS = "reads only the last word:", "reads the last two words:", "reads every word:"
ROWS, FEW, TRIED = 6, 3, 2  # names listed, or of simpler models; tried, or one or two more
COUNTED, MOST_COUNTED = 2, 9  # digits that the likeliest text has, and those of all texts
LEAST, MOST = 0.005, 5000  # a chance that is listed; tokens drawn one by one
DIP = np.array((0.0, -0.6, 0.0))  # scene units, by which a word goes below the sentence
OPENING, READING, TRYING, ANSWERING = 3.0, 3.6, 5.0, 6.0  # seconds, for all words, at most
BRACED, DOWN_TO = 1.7, 0.65  # scene units beside all bars; of a height, the last of few lines
SENTENCE_SHARE, NEAR, NEAREST = 0.3, 0.9, 1.6  # of a height; of the stage; times as large
LARGER, SWELL = 1.35, 1.05  # times as large, the sentence; a word among others
PAIR_PITCH, LEAST_LINE, ARROW = 1.5, 0.7, 1.6  # scene units, of a line of two words; between them
CHIP, TINT, READ = 0.5, 0.5, 0.65  # of a line's height, the type; of a fill; of a width, a reader
