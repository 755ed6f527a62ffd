"""A text is cut into tokens, by the merges of the model's own tokenizer, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain, islice, pairwise
from typing import TYPE_CHECKING

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.broken_word import RARE, broken_word, number_of_pieces, read, said_in_turn
from scenes.figures.letters import APART, Block, Letters, listed
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure
from scenes.mobjects.fit import text_size
from scenes.mobjects.marks import Ring, Staircase
from scenes.mobjects.ranking import Ranking
from scenes.mobjects.text import Number, Words, called
from scenes.mobjects.tokens import TokenCards, tint
from scenes.narration import counted
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import GAP, HAIR, PLAIN_SIZE, QUICK, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, Vary, Verb

if TYPE_CHECKING:
    from model.tokenization import Cutting

GUESS, INSIDE = 4, " forest"  # where a reader cuts the first of them, and what would come after
ROUNDS, LISTED = 8, 4  # of learning; what is listed in each
FIRST, SLOWLY, SLOW_ROWS = 7, 4, 5  # pairs counted slowly, glued so, and rows that come so
FOOT, HEAD, EVEN = 1.1, 0.9, 0.46  # scene units, under and over letters; a text's share
PAIRS, KINDS = "pairs of {}: {:,.0f}", (("letters", theme.INK), ("pieces", theme.ACCENT))
SMALL, FASTER = 0.9, (0.4, 0.08)  # of a card, what flies; seconds, pairs glued ever faster


class CuttingTextIntoTokens(Film):
    """Tokens are learned pieces of text: neither characters nor words."""

    title = "Cutting text into tokens"
    prompt = "a fluffy blue creature roamed the verdant rainforest"
    seconds = 102
    poster_beat = "what-is-left"

    def observe(self) -> None:
        """Find a word that breaks, in how many documents words stand, and how pairs are learned."""
        if not self.cutting.raw:
            self.refuse("This model's tokenizer finds nothing in the prompt: choose another one.")
        self.hook, (start, end) = broken_word(self.cutting, self.cut_word)
        spans = [self.cutting.spans[place] for place in self.cutting.own]
        self.rare = [i for i, span in enumerate(spans) if start <= span[0] and span[1] <= end]
        self.word = read(self.hook, (0, len(self.hook.raw))).strip()
        self.known = self.learning(ROUNDS, LISTED)
        pieces = [self.cutting.pieces[place] for place in self.cutting.own]
        self.lengths = len(self.cutting.characters), len(self.cutting.ids)
        self.compared = [n * (n + 1) // 2 for n in self.lengths]  # each with all up to itself
        self.won = [ranking[0].pair for ranking in self.known.rounds[:ROUNDS]]
        last = "".join(self.won[-1])  # it has one colour in both texts
        self.hue = ROUNDS - 1 - pieces.index(last) if last in pieces else 0
        own = f"{read(self.cutting, (0, len(self.cutting.raw)))} {type(self).prompt}".split()
        words = [x for x in dict.fromkeys(own) if x != self.word]
        words = [x for x in words if self._documents_with(x).number] or words
        rare = sorted(words, key=lambda word: self._documents_with(word).number)[:LISTED]
        self.words_listed = [*(word for word in words if word in rare), self.word]
        self.found = [self._documents_with(word) for word in self.words_listed]

    def words(self) -> Mapping[str, str]:
        own, first, is_after_a_space = self.hook.own, self.won[0], self.hook.raw.startswith(b" ")
        return {
            "word": called(self.word),
            "spaced": f"{called(self.word)}{', with the space before it' * is_after_a_space}",
            "cut": said_in_turn([called(self.hook.pieces[place]) for place in own], "pieces"),
            "ids": said_in_turn([f"{self.hook.ids[place]:,}" for place in own], "numbers"),
            "number": f"{len(own)} pieces",
            **{kind: f"{n:,}" for (kind, _), n in zip(KINDS, self.compared, strict=True)},
            "letter_pairs": counted(self.compared[0], "pair"),
            "one": "a space" if first[0] == " " else called(first[0]),
            "other": called(first[1]),
            "texts": f"{self.known.texts:,}",
            "learned": called("".join(self.won[-1])),
            "rounds": f"{self.cutting.listed:,}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        return {
            **super().circumstances(),
            "unbroken": number_of_pieces(self.hook) < 2,
            "another_word": self.word != RARE[0],
            "another": self.word != RARE[0] or not self.rare or INSIDE.strip() in self.hook.pieces,
            "met": bool(self.found[-1].number),
            "unmerged": not self.cutting.is_merged,
            "outside": not self.rare,
            "more_pieces": self.lengths[0] < self.lengths[1],
        }

    def cast(self) -> None:
        self._cast_words()
        self._cast_letters()
        self._cast_learning()
        self._cast_tokens()
        self.stand(self.opening, self.knife, self.bars, self.about, self.ring, *self.stairs)
        self.stand(*self.labels, self.letters, self.passage, self.ranking)
        self.stand(self.here, self.counted, self.meetings, self.window, self.text, self.glued)
        self.stand(self.learned, self.further, *self.tiles, *self.matches, self.amount, self.place)
        self.stand(self.spaces, self.inside, self.space, self.cards)

    @beat(
        "Where would you cut {spaced}? | After “rain”, surely. | "
        "A language model reads it in pieces: | {cut}. Why?",
        unbroken="Where would you cut {spaced}? | Perhaps nowhere. | "
        "This language model does not, | but it cuts other words. Why?",
        another_word="Where would you cut {spaced}? | Perhaps nowhere. | "
        "This language model reads it in pieces: | {cut}. Why?",
    )
    def where_would_you_cut(self) -> Shown:
        word = self.opening
        tried = [verbs.Visit(self.knife, self.cuts, 1.5 * SLOW)] * bool(self.cuts)
        yield Then(Appear(word), Draw(self.knife, run_time=QUICK), *tried)
        stay = verbs.Visit(self.knife, [self.guess] * 2, STEADY)
        yield Then(stay, Flow(map(Pulse, self.before))) if self.before else Disappear(self.knife)
        merged = Vary(word.merge_to, 0, len(word.order), SLOW)
        yield Disappear(self.knife), Vary(word.part_to, 0, 1, SLOW), merged
        yield Flow(Pulse(*run) for run in word.runs)

    @beat(
        "Why not simply list all words? | Count how many documents have each of these: | "
        "{word} is in none, | so a list from these would lack it.",
        met="Why not simply list all words? | Count how many documents have each of these: | "
        "{word} is in few, | so a short list from these would lack it.",
    )
    def whole_words_fail(self) -> Shown:
        bars, (*others, last) = self.bars, self.bars.names
        small = self.opening.copy().scale_to_fit_width(last.width).move_to(last)
        joined = verbs.GoInto(self.opening, small), Then(Hold(0.8 * STEADY), Appear(last))
        yield *joined, Then(Hold(QUICK), Flow(map(Appear, others)))
        come = Appear(bars.zero, *bars.shapes, *bars.numbers, self.about)
        yield Then(come, Remeasure(bars, self.found, run_time=SLOW), Flow(map(Pulse, bars.numbers)))
        yield Then(Draw(self.ring), Pulse(last, bars.numbers[-1]))
        yield Then(Flow(map(Pulse, others)), Pulse(last, bars.numbers[-1]))

    @beat(
        "Why not letters? | A letter says little, and costs much: | "
        "a model compares each with itself and all before it. Each adds a longer row of work: "
        "| {letter_pairs}, | against {pieces} in pieces.",
        more_pieces="Why not letters? | A letter says little, yet some are too rare to be kept | "
        "and are cut themselves. | Pairs of letters: {letters}, | and pairs of pieces: {pieces}.",
    )
    def letters_are_many(self) -> Shown:
        letters, (large, small), (many, few) = self.letters, self.stairs, self.labels
        come = Then(Hold(QUICK / 2), Flow((Appear(run) for run in letters.runs), STEADY))
        yield Disappear(self.bars, self.about, self.ring), come
        own = [letter for _, _, letter in letters.letters]
        yield Then(Flow(map(Pulse, own)), verbs.Dim(*own, run_time=QUICK), Hold())
        stops = sorted({0, min(SLOW_ROWS, len(own)), self.lengths[0]})
        rows = (Vary(large.grow_to, *ends, SLOW, linear) for ends in pairwise(stops))
        ends = (round(stop * len(own) / stops[-1]) for stop in stops)
        read = (Flow(map(verbs.Undim, own[slice(*each)]), SLOW) for each in pairwise(ends))
        yield Appear(large, run_time=HAIR), Then(rows), Then(read)
        yield Appear(many), Then(Hold(QUICK), Pulse(many))
        fewer = Vary(small.rows_to, *self.lengths, SLOW)
        fused = Vary(letters.merge_to, 0, len(letters.order), SLOW), fewer, verbs.Undim(*own)
        yield Appear(small, scale=1.0), *fused, Then(Hold(), Appear(few), Pulse(few))

    @beat(
        "So pieces are learned, by counting. | Go through a text: within words, which two "
        "neighbours meet most? | And in all {texts} texts? | There, it's {one} and {other}."
    )
    def count_the_neighbours(self) -> Shown:
        before = Disappear(self.letters), Disappear(*self.stairs, *self.labels, run_time=STEADY)
        come = Flow((Appear(run, run_time=QUICK) for run in self.passage.runs), QUICK)
        listed = Appear(self.here), Vary(self.ranking.stand_at, -1, 0, QUICK), Draw(self.window)
        end = len(self.neighbours)
        yield Then(Together(*before, Then(Hold(0.8 * QUICK), come)), Together(*listed))
        yield Then(self._count(0, FIRST, 2 * SLOW), self._count(FIRST, end, SLOW))
        everywhere = Vary(self.ranking.stand_at, end, end + 1, SLOW)
        over = Disappear(self.here, self.window, run_time=QUICK), verbs.Dim(self.passage)
        yield Then(Together(*over), Together(Appear(self.counted), everywhere))
        yield Pulse(self.pairs[0]), Then(verbs.Undim(self.passage), Flow(map(Draw, self.meetings)))

    @beat(
        "Glue them, everywhere: no pair shortens text more. | Then count again, and glue the next."
    )
    def glue_them(self) -> Shown:
        text, winners = self.passage, self.winners
        won = Vary(winners[0].merge_to, 0, 1, QUICK), self._list(0, STEADY)
        come = Then(Vary(text.merge_to, 0, self.ends[0]), Together(*won, Appear(self.learned)))
        yield Disappear(self.meetings), come
        yield Then(self._list(1, STEADY), self._keep(1))

    @beat(
        "And so on, again and again: | count and glue, and the list of pieces grows; "
        "| soon {learned} is one piece, with its space."
    )
    def glue_and_count_again(self) -> Shown:
        for some in (range(2, 4), range(4, ROUNDS)):
            yield Then(map(self._keep, some))
        middle = verbs.MoveTo(self.passage, self.stage.lowered(HEAD + GAP).center)
        yield Then(Disappear(*self.outdated), middle, Pulse(self.winners[-1]))

    @beat(
        "{rounds} pieces are kept; these first. | To cut a text, go down the list: | glue each "
        "pair that is here, | frequent ones first, | then the rest, one by one, "
        "| ever faster, to its end.",
        unmerged="This model's tokenizer learned pieces, too. | To cut a text, it looks for them, "
        "| the longer ones and the shorter ones, | wherever they are, | in every word, "
        "| until nothing is left over.",
    )
    def glue_in_the_same_order(self) -> Shown:
        pairs, slowly, text = len(self.rules), len(self.matches), self.glued
        come = Then(Hold(QUICK / 2), Flow(map(Appear, text.runs), STEADY))
        again = [Flow(map(Pulse, text.runs), SLOW)]  # where nothing is counted or glued
        counted = verbs.Count(self.total, self.listed, SLOW) if self.places else again[0]
        kept = Flow(map(Pulse, self.winners * self.is_ours), STEADY)
        more = Appear(*self.amount, *[self.further] * self.is_ours)
        told = Then(Hold(QUICK), more, Together(counted, kept))
        others = *self.winners, self.learned
        yield Disappear(self.passage, *others * (not self.is_ours)), come, told
        late = max(pairs - 2 * slowly, 0)
        paces = [STEADY] * slowly + [QUICK] * slowly + np.geomspace(*FASTER, late).tolist()
        glue: list[Verb] = list(map(self._glue, range(pairs), paces))
        at = Disappear(*self.amount), *(verbs.Count(self.total, x, HAIR) for x in self.places[:1])
        yield Then(*at, Appear(self.place, self.total), *glue[:1]) if pairs else again[0]
        yield Then(glue[1:slowly] or again)
        yield Then(glue[slowly : 2 * slowly] or again)
        whole = Vary(text.merge_to, 0, len(text.order), SLOW)  # at once, where there is no list
        yield Then(glue[2 * slowly :] or (again if pairs or not len(text.order) else whole))
        swap = Appear(self.text, run_time=HAIR), Disappear(text, *self.tiles, run_time=HAIR)
        end = [verbs.Count(self.total, self.listed)] * bool(pairs)
        yield Then(*swap, Together(self._read_again(), *end))

    @beat(
        "What is left are tokens. | A word met often is one, with its space. | "
        "“forest” is one, too: with its space. | Here it stands without, and is cut.",
        unbroken="What is left are tokens. | A frequent word is one, with the space before it. | "
        "Here {word} is one, too: | it depends on the list.",
        another="What is left are tokens. | A frequent word is one, with the space before it. | "
        "A rare word comes in several: | {word} in {number}.",
    )
    def what_is_left(self) -> Shown:
        gone = self.further, self.learned, self.ranking, self.place, self.amount
        yield Disappear(*gone), self._read_again()
        yield Flow(Draw(ring) for ring in self.spaces) if len(self.spaces) else self._read_again()
        yield Disappear(self.spaces), self._show_the_rare_word()
        rare = [self.text.runs[place] for place in self.rare]
        yield Flow(Pulse(*run[1:]) for run in rare or self.opening.runs)

    @beat(
        "Each token has its number in the vocabulary, | and the text becomes a list of numbers: "
        "| nothing else reaches the model. | To it, {word} is {ids}.",
        outside="Each token has its number in the vocabulary, | and the text becomes a list of "
        "numbers: | nothing else reaches the model, | not one letter.",
    )
    def a_stream_of_numbers(self) -> Shown:
        cards, places = self.cards, [self.cutting.own[place] for place in self.rare]
        yield self._deal_cards()
        yield Flow(Pulse(number) for number in cards.numbers)
        way = (cards.plates[0].get_y() - cards.numbers[0].get_y()) * UP  # one for all, comma or not
        yield Disappear(*cards.names), verbs.Shift(*cards.numbers, by=way)
        if not places:
            yield Flow(Pulse(number) for number in cards.numbers)
            return
        own = VGroup(*(cards.cards[place] for place in places))
        line = own.copy().arrange(RIGHT, buff=HAIR).move_to(own)
        moved = Together(verbs.MoveTo(*pair) for pair in zip(own, line, strict=True))
        gone = (card for card in cards.cards if card not in own)
        yield Then(Disappear(*gone), Together(moved, self.zoom_into(line)))

    # What only this film shows

    def small_print(self) -> Words:
        """Say whose tokenizer it is."""
        known = count(self.cutting.d_vocab, "tokens in the vocabulary")
        return Words("a tokenizer of {:,.0f} tokens", known, size=PLAIN_SIZE, role=theme.QUIET)

    def _keep(self, at: int) -> Verb:
        """Return how a further winner is glued and kept, and pairs are counted again."""
        glued = Vary(self.passage.merge_to, self.ends[at - 1], self.ends[at], STEADY / 2)
        own = Vary(self.winners[at].merge_to, 0, 1, STEADY / 2)
        return Then(glued, Together(own, self._list(at + 1, STEADY)))

    def _list(self, place: int, run_time: float = QUICK) -> Verb:
        """Return how a winner leaves, and pairs are counted again."""
        start = len(self.known.tally) + place
        return Vary(self.ranking.stand_at, start, start + 1, run_time)

    def _count(self, start: int, end: int, run_time: float) -> Together:
        """Return how the window goes on over pairs of neighbours, and each is counted at once."""
        places = [*self.neighbours.values()][start:end]
        counted = Vary(self.ranking.stand_at, start, end, run_time, linear)
        return Together(verbs.Visit(self.window, places, run_time), counted)

    def _glue(self, rule: int, run_time: float) -> Verb:
        """Return how the list's next pair that is in the text is found there, and glued."""
        start, end = self.rules[rule]
        before, place = (int(self.places[at].number) if at >= 0 else 0 for at in (start - 1, start))
        passed, half = self.tiles[before:place], run_time / 2
        gone = [Disappear(*self.tiles, run_time=half / 2)] * (place > before)
        way = *gone, Flow(Draw(ring, run_time=half / 2) for ring in passed[-1:])
        down = Together(Then(way), verbs.Count(self.total, self.places[start], half))
        glue = Vary(self.glued.merge_to, start, end, half)
        for rings in self.matches[rule : rule + 1]:
            shown = Flow((Draw(ring, run_time=half) for ring in rings), half)
            return Then(down, shown, Together(glue, Disappear(rings, run_time=half)))
        return Together(glue, down)

    def _read_again(self) -> Flow:
        return Flow(Pulse(*run[1:]) for run in self.text.runs)

    def _show_the_rare_word(self) -> Verb:
        """Return how the word that breaks is looked at, and what would have come inside it."""
        if not self.rare:
            return Flow([Disappear(self.text), Appear(self.opening)])
        look = self.zoom_into(VGroup(*(self.text.runs[i] for i in self.rare), *self.inside))
        come = Then(Hold(), Appear(self.inside), Draw(self.space))
        return Together(Disappear(*self.other_runs), look, come)

    def _deal_cards(self) -> Then:
        """Return how the text, whole again, becomes its cards, each piece its own."""
        back = verbs.Fade(*self.other_runs, to=1.0), self.pull_back(STEADY)
        kept = [self.cards.cards[place] for place in self.cutting.own]
        pairs = [*zip(self.text.runs, kept, strict=True)]
        small = SMALL * min(1.0, *(card.width / run.width for run, card in pairs))
        go = Together(verbs.MoveTo(run, card[2], scale=small) for run, card in pairs)
        come: list[Verb] = [Appear(card[0], card[2]) for card in self.cards if card not in kept]
        for run, (plate, _, name) in pairs:
            letters = [verbs.GoInto(VGroup(*run[1:]), name, QUICK)] * (len(run) > 1)
            grow = verbs.TurnInto(run[0], plate, QUICK)
            come.append(Together(grow, *letters, Then(Hold(QUICK / 2), Appear(name))))
        first = Together(Disappear(self.inside, self.space, self.opening), *back)
        return Then(first, go, Flow(come, QUICK), Flow(map(Appear, self.cards.numbers), QUICK))

    def _make_glued(self, region: Region) -> Letters:
        """Return the text whose pieces take a colour as they are glued, each that of the list."""
        cutting, own = self.cutting, self.hues if self.is_ours else {}
        ends = [cutting.spans[place][1] for place in cutting.own]
        runs = np.searchsorted(ends, cutting.inner_gaps, "right").tolist()
        made = [read(cutting, (x.start, x.end)) for x in cutting.merges] or [""] * len(runs)
        tints = [own.get(text, tint(self.hue + run)) for text, run in zip(made, runs, strict=True)]
        letters = _letters(cutting, region, tints=tints)
        self.rules = [*pairwise([0, *accumulate(map(len, cutting.rules))])]
        self.matches = list[VGroup]()
        for rule, (before, _) in zip(cutting.rules[:SLOWLY], self.rules, strict=False):
            letters.merge_to(before)
            self.matches.append(VGroup(*(letters.ring(each.start, each.end) for each in rule)))
        letters.merge_to(0)
        return letters

    def _documents_with(self, word: str) -> Value:
        flags = self.documents_with_word(word.strip(".,;:!?()"))
        source = f"those of the first {len(flags):,} documents of our corpus with the word '{word}'"
        return count(int(flags.sum()), source)

    def _cast_words(self) -> None:
        stage, hook, names = self.stage, self.hook, self.words_listed
        letters, gaps = len(hook.raw), APART * (len(hook.own) - 1)
        half = letters / (letters + gaps) * stage.width / 2
        place = replace(stage, left=-half, right=half)
        self.opening = _letters(hook, place, self.hue + min(self.rare, default=0))
        at = letters - len(self.word) + GUESS  # past the space before it
        cuts = [self.opening.cut(end) for _, end, _ in self.opening.letters[:-1]]
        self.knife, self.cuts = cuts[0] if cuts else VGroup(), cuts[1:]
        at *= self.word == RARE[0]  # nobody would cut another one
        self.before = [letter for _, end, letter in self.opening.letters if end <= at]
        self.guess = self.opening.cut(at) if at else VGroup()
        first = count(len(self.documents_with_word("")), "the first documents of our corpus")
        self.about = Words("documents with the word, of the first {:,.0f}", first, size=SPOKEN_SIZE)
        stage.fit_width(self.about)
        self.about.move_to((stage.center[0], stage.bottom, 0), DOWN)
        unread = [count(0, "documents read so far") for _ in names]
        sizes = [text_size([name], 0.35 * stage.width, theme.TITLE_SIZE) for name in names]
        labels = [Words("{}", name, size=size) for name, size in zip(names, sizes, strict=True)]
        span = 0.0, max(value.number for value in self.found) or 1.0
        room = replace(stage.raised(self.about.height + GAP), left=stage.left + GAP)
        self.bars = Bars(unread, room, labels, across=True, span=span, decimals=0)
        self.ring = Ring(labels[-1], HAIR)

    def _cast_letters(self) -> None:
        left, right = self.stage.split(0.55)
        right = right.apart(left, 2 * GAP)
        self.letters = _letters(self.cutting, left, hue=self.hue)
        self.labels = [
            Words(PAIRS, kind, count(number, f"pairs of {kind}"), size=SPOKEN_SIZE, role=ink)
            for number, (kind, ink) in zip(self.compared, KINDS, strict=True)
        ]
        most = min(right.width, right.height - 2 * (self.labels[0].height + GAP))
        inks = theme.QUIET, theme.ACCENT
        self.stairs = [Staircase(max(self.lengths), most, ink) for ink in inks]
        VGroup(*self.stairs).move_to(right.center)
        self.stairs[0].rows_to(0)
        self.labels[0].next_to(self.stairs[0], DOWN, buff=GAP)
        self.labels[1].next_to(self.stairs[1], UP, buff=GAP, aligned_edge=LEFT)

    def _cast_learning(self) -> None:
        known, top = self.known, replace(self.stage, bottom=self.stage.top - HEAD)
        is_narrow, room = self.stage.is_narrow, self.stage.lowered(HEAD + GAP)
        sides = [side.inset(GAP / 2) for side in room.split(1 - EVEN if is_narrow else EVEN)]
        left, right = reversed(sides) if is_narrow else sides  # winners cross no text
        self.hues = {"".join(pair): tint(at) for at, pair in enumerate(self.won)}
        hues = zip(self.hues.values(), known.gaps, strict=True)
        words = [i for i, character in enumerate(known.text) if character == " "]
        self.passage = Letters(
            [(i, i + 1, character) for i, character in enumerate(known.text)],
            list(pairwise(range(len(known.text) + 1))),
            list(pairwise([0, *words, len(known.text)])),
            left,
            order=[gap for gaps in known.gaps for gap in gaps],
            tints=[hue for hue, gaps in hues for _ in gaps],
        )
        self.neighbours = {at: self.passage.ring(at, at + 2) for at in known.met}
        self.meetings = VGroup(*(self.neighbours[at] for at in known.gaps[0]))
        self.window = self.neighbours[known.met[0]].copy()
        self.ends = [*accumulate(map(len, known.gaps))]
        texts = count(known.texts, "texts that our tokenizer learned from, the first ones")
        self.counted = Words("times in all {:,.0f} texts", texts, size=SPOKEN_SIZE)
        self.counted.move_to((right.right, right.bottom, 0), RIGHT + DOWN)
        self.here = Words("times in one of {:,.0f} texts", texts, size=SPOKEN_SIZE)
        self.here.move_to(self.counted, RIGHT)
        self.ranking = self._rank(right.raised(self.counted.height + 2 * GAP), top)

    def _rank(self, region: Region, above: Region) -> Ranking:
        """Return the pairs of neighbours, round by round; each winner goes to a row above."""
        rounds, tally, winners = self.known.rounds, self.known.tally, self.won
        pairs = [*dict.fromkeys(each.pair for each in chain(*rounds, *tally))]
        rows = {pair: row for row, pair in enumerate(pairs)}
        self.learned = VGroup()
        if not self.stage.is_narrow:  # there, the list takes all the room
            self.learned.add(Words("pieces:", size=SPOKEN_SIZE, role=theme.QUIET))
            self.learned.move_to((above.left, above.center[1], 0), LEFT)
            above = replace(above, left=above.left + self.learned.width + GAP)
        cell, won, self.further = listed(winners, above)
        self.pairs = [Block(pair, cell, self.hues.get("".join(pair), "")) for pair in pairs]
        pair_of = dict(zip(pairs, self.pairs, strict=True))
        self.winners = [pair_of[pair] for pair in winners]
        seen = [f"in this text, of its first {place} pairs" for place in range(len(tally))]
        everywhere, merges = f"in {self.known.texts:,} texts", (0, *range(len(rounds)))
        seen += [f"{everywhere} after {number} merges" for number in merges]
        counted, first = (*tally, *rounds[:1] * 2, *rounds[1:]), len(tally) + 1
        values = [
            {rows[each.pair]: count(each.number, f"times {each.pair} {where}") for each in ranking}
            for where, ranking in zip(seen, counted, strict=True)
        ]
        slots = {rows[pair]: each.get_center() for pair, each in zip(winners, won, strict=True)}
        tiles = zip(winners, won, strict=True) if self.is_ours else ()
        self.tiles = [Ring(Block(("".join(x),), cell).move_to(each), HAIR / 2) for x, each in tiles]
        leave = {rows[pair]: first + place + (place > 0) for place, pair in enumerate(winners)}
        ranking = Ranking(self.pairs, values, region, slots=slots, leave=leave, counting=len(tally))
        lost = [each for each in self.pairs if each not in self.winners]
        self.outdated = [self.counted, *ranking.shapes, *ranking.numbers, *lost]
        return ranking

    @property
    def is_ours(self) -> bool:
        """Whether the model's tokenizer learned the pairs that are counted here."""
        listed = [*islice(self.tokenizer.merges, ROUNDS)]
        return listed == [tuple(part.replace(" ", "Ġ") for part in pair) for pair in self.won]

    def _cast_tokens(self) -> None:
        cutting, stage, own = self.cutting, self.stage, self.cutting.own
        self.text = _letters(cutting, stage.raised(FOOT).lowered(HEAD + 2 * GAP), hue=self.hue)
        self.text.merge_to(len(self.text.order))
        self.spaces = VGroup(*(self.text.ring(*span) for span in cutting.leading_spaces))
        self.inside, self.space = VGroup(), VGroup()
        self.glued = self._make_glued(stage.raised(FOOT).lowered(HEAD + 2 * GAP))
        self.other_runs = [run for i, run in enumerate(self.text.runs) if i not in self.rare]
        self.listed = count(cutting.listed, "merges in the list")
        self.places = self.tensor("cutting.places").values
        self.total = Number(self.listed, 0, SPOKEN_SIZE)
        parts = Words("pieces in the list:", size=SPOKEN_SIZE), self.total
        self.amount = VGroup(*parts[: len(parts) * bool(self.places)])
        self.amount.arrange(RIGHT, buff=GAP).move_to((0, stage.bottom + FOOT / 2, 0))
        self.place = Words("place in the list:", size=SPOKEN_SIZE).move_to(parts[0], RIGHT)
        self.total.put(count(ROUNDS, "merges that are shown first"))
        ids = self.tensor("cutting.ids").values
        hues = [tint(self.hue + own.index(i)) if i in own else "" for i in range(len(ids))]
        self.cards = TokenCards(ids, cutting.pieces, stage, hues)
        if not self.circumstances()["another"]:
            cell = min(self.text.cell, FOOT / 1.4)
            self.inside = Block((INSIDE,), cell, tint(self.hue + len(own)))
            run, first = self.text.runs[self.rare[1]], self.inside.letters[1][-1]
            x = self.inside.get_x() + run[1].get_x() - first.get_x()
            self.inside.put(np.array([x, run.get_y() - run.height - GAP / 2, 0.0]))
            self.space.add(self.inside.ring(0, 1))


def _letters(cutting: Cutting, region: Region, hue: int = 0, tints: Sequence[str] = ()) -> Letters:
    """Return the letters of a text, which merge as its tokenizer merges them.

    `hue` is the place from which on its tokens' colours are taken, or `tints` are those of merges.
    """
    own = [cutting.spans[place] for place in cutting.own]
    runs = [*pairwise(range(len(cutting.raw) + 1))] if tints else own
    parts = cutting.characters, runs, cutting.words
    colors = [tint(hue + place) for place in range(len(own))]
    order, whole = cutting.inner_gaps, cutting.whole
    return Letters(*parts, region, order=order, whole=whole, colors=colors, tints=tints)
