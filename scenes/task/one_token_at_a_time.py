"""One token at a time: a model gives shares, a dart chooses, and temperature sets the shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
from manim import Dot, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.sampling import Round
from scenes.camera import WHOLE
from scenes.figures.dartboard import Dart, Dartboard, Gate
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import adding_decimals
from scenes.mobjects.marks import Ring
from scenes.mobjects.plot import Slider
from scenes.mobjects.text import Number, Words, called
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.provenance import Array, constant, count, entry_count
from scenes.region import Region
from scenes.theme import GAP, HAIR, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Flow, Hold, Pulse, Then, Together, Vary, Verb

WRITTEN, JOINED = 5, 3  # tokens that are added to the prompt; those whose darts are seen
RUNS = 16  # of darts, to find two that part at once
HOT, COLD, NUDGED = 2.0, 0.1, 1.2  # temperatures: the highest, one near zero, one near one
HEATS = 0.0, 1.0, HOT  # of the texts that are written
# Of the stage's height, from its top: the text, the model, what is between, the board, with darts
# under it.
ROWS, ROWS_SQUARE = (0.12, 0.11, 0.42, 0.16), (0.17, 0.115, 0.315, 0.16)
ROWS_HIGH = 0.14, 0.07, 0.3, 0.2
LARGER = 2.0  # times as large as the text, what is written; the tip it comes from, as it does
BEAD = 0.08  # scene units, what a token sends into the model
SAME = 4  # times that the largest share is pointed at
SLIGHT, SWELL = 1.03, 1.06  # times as large, at the height of a pulse of what is wide
ASKED = "first", "again"  # what stands before two answers
ENDS = ".", "!", "?"  # of a sentence
MORE = 0.7  # scene units, for dots after a text that stops in one
LABEL = 1.4  # scene units before a text, for its temperature
UNKNOWN = "\N{REPLACEMENT CHARACTER}"  # of a token that the vocabulary lacks


class OneTokenAtATime(Film):
    """A text grows by one drawn token at a time; temperature says how far from the likeliest."""

    title = "One token at a time"
    prompt = "One day, a fluffy blue creature"
    seconds = 80
    poster_beat = "two-darts"

    def derived(self) -> Mapping[str, Array]:
        """Let the model go on with the prompt: by two rows of darts, and colder and hotter."""
        thrown = self.darts(RUNS, WRITTEN)
        first, start = self.writes(thrown[0]), self.writes(thrown[0][:1])
        parts = (row for row in range(1, RUNS) if self.writes(thrown[row][:1]).ids != start.ids)
        self.other = next(parts, 1)
        again, cold = self.writes(thrown[self.other]), self.writes(thrown[0], 0.0)
        self.texts = first, again, cold, self.writes(thrown[0], HOT)
        return {"darts": thrown, "written.probs": first.probs}

    def observe(self) -> None:
        """Find the likeliest tokens at each place, their shares, and which of them is hit."""
        darts, probs = self.tensor("darts"), self.tensor("written.probs")
        self.logits = self.tensor("logits")[-1]
        first, again, *_ = self.texts
        self.rounds = [
            Round.of(probs[at], darts[0, at].value, token)
            for at, token in enumerate(first.ids[:JOINED])
        ]
        self.again = Round.of(probs[0], darts[self.other, 0].value, again.ids[0])
        self.best = [*self.rounds[0].tokens]
        seen = [each.tokens for each in self.rounds]
        self.pieces = self.vocabulary([*chain(*seen, *(text.ids for text in self.texts))])

    def words(self) -> Mapping[str, str]:
        """Name the likeliest tokens, the one that the first dart hits, and how many others."""
        likely = [called(self._piece(token)) for token in self.rounds[0].tokens]
        return {
            "top": likely[0],
            "second": likely[min(1, len(likely) - 1)],
            "chosen": called(self._piece(self.rounds[0].chosen)),
            "again": called(self._piece(self.again.chosen)),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether both texts begin alike, or are the same."""
        first, again, *_ = self.texts
        return {
            **super().circumstances(),
            "sure": len(self.rounds[0].tokens) == 1,
            "unlisted": self.rounds[0].chosen not in self.rounds[0].tokens,
            "same_text": first.ids == again.ids,
            "same_start": first.ids[0] == again.ids[0],
        }

    @beat(
        "Let a language model go on: | it answers, token by token. "
        "| Ask again, and the answer is another. | Has it changed its mind?",
        same_text="Let a language model go on: | it answers, token by token. "
        "| Ask again, and the answer may be another. | Here it's sure of one.",
    )
    def two_answers(self) -> Shown:
        first, again, *_ = self.lines
        yield Flow(map(Appear, self.sentence), QUICK), Appear(self.gate)
        for name, line, time in zip(self.asked, (first, again), (QUICK, QUICK / 2), strict=True):
            said = self._say([Appear(part, run_time=time) for part in self._all(line)])
            yield Then(self._go_in(STEADY), Appear(name, run_time=QUICK / 2), said)
        swell = (Pulse(*pair, scale=SLIGHT) for pair in zip(first.chips, again.chips, strict=False))
        yield Flow(swell, STEADY), verbs.Draw(*self.parting)

    @beat(
        "The same text always gets the same shares. | {top} gets the largest, "
        "| then {second}, | and all other tokens split the rest.",
        sure="The same text always gets the same shares. | Here, {top} gets nearly all, "
        "| and all other tokens split the rest.",
    )
    def the_shares(self) -> Shown:
        first, again, *_ = self.lines
        told = *self.parting, *self.asked, *self._all(first), *self._all(again)
        board, grow = self.board, self.board.grow
        leave = Disappear(*told, run_time=QUICK / 2), self.pull_back(QUICK)
        out = Together(Vary(board.come_out, 0, 1), Vary(grow, 1, 1))
        new = Together(Pulse(self.gate, scale=SLIGHT), out)
        yield Then(Together(*leave), self._go_in(QUICK), new)
        yield Pulse(board.shapes[0], board.numbers[0], run_time=STEADY, scale=SWELL)
        if board.listed > 1:
            yield Then(Vary(grow, 1, 2), Pulse(board.numbers[1]))
        yield Vary(grow, min(2, board.listed), len(board.shapes))

    @beat(
        "Together, they make a whole. | Always the largest? That would be the same text each time. "
        "| So throw a dart: a random number from zero to one. | It lands on {chosen}.",
        unlisted="Together, they make a whole. | Always the largest? That would be the same text "
        "each time. | So throw a dart: a random number from zero to one. | It lands among the "
        "others: {chosen}.",
    )
    def the_dart(self) -> Shown:
        dart = self.thrown[0]
        yield Then(Vary(self.board.go, 0, 1, SLOW), Appear(*self.board.ends))
        same = self.board.shapes[0], *self.board.chips[0][:1]
        yield Then(Pulse(*same, scale=SLIGHT) for _ in range(SAME))
        yield Then(Vary(dart.fly, 0, 1, STEADY), Appear(dart.number))
        yield verbs.Draw(self.hits[0]), Pulse(dart.number), Appear(*self.tags[0])

    @beat(
        "The token joins the text, | and the longer text goes into the model: "
        "| new shares, a new dart, a new token. | And so it goes round, one token at a time."
    )
    def it_joins_the_text(self) -> Shown:
        yield self._join(0)
        more = [(self._read(at), self._throw(at)) for at in range(1, len(self.rounds))]
        wait = Flow(map(Pulse, self.added))
        yield from more[0] if more else (wait, wait)
        yield Then(chain(*more[1:])) if more[1:] else Flow(map(Pulse, self.added), STEADY)

    @beat(
        "How bold may the choice be? | One number sets it, the temperature. "
        "| Make it high, and the others catch up; | near zero, the best takes nearly all."
    )
    def temperature(self) -> Shown:
        board, last, ends = self.board, self.thrown[-1], self.ends_of_text
        added = *self.added, self.hits[-1], last, last.number, *self.tags[-1]
        spent = Vary(board.come_out, 1, 2, QUICK), Vary(self.gate.reach, ends[-1], ends[0])
        again = Vary(board.turn, 0, 0, HAIR), Vary(board.come_out, 0, 1)
        yield Then(Together(Disappear(*added, run_time=QUICK), *spent), *again)
        swap = Disappear(self.gate), Vary(board.go, 1, 2)
        shown = Then(Hold(QUICK / 2), Appear(self.slider))
        nudge = self._heat(1.0, NUDGED, QUICK), self._heat(NUDGED, 1.0, QUICK)
        yield Then(Together(*swap, shown), *nudge)
        yield self._heat(1.0, HOT)
        yield self._heat(HOT, COLD)

    @beat(
        "At zero, the likeliest token comes each time. | At one, tokens come as often as the "
        "model's shares say. | At two, unlikely ones come as well, | and the text falls apart."
    )
    def three_texts(self) -> Shown:
        (cold, own, hot), board = HEATS, self.board
        spent = Vary(board.come_out, 1, 2, QUICK), Disappear(*board.ends, run_time=QUICK)
        colder = self._heat(COLD, cold, STEADY), verbs.Dim(*self.sentence)
        yield Then(Together(*spent), Together(*colder), self._write(0))
        yield Then(self._heat(cold, own, STEADY), self._write(1))
        yield Then(self._heat(own, hot, STEADY), self._write(2))
        yield (
            verbs.Dim(self.slider),
            Flow((Pulse(chip, scale=SLIGHT) for chip in self.lines[-1].chips), STEADY),
        )

    @beat(
        "So it never changed its mind: | same text, same shares. "
        "| One dart lands on {chosen}, the other on {again}: | two darts, two answers.",
        same_text="So it needn't change its mind: | same text, same shares. "
        "| One dart lands on {chosen}, the other on {again}: | here, both give one answer.",
        same_start="So it never changed its mind: | same text, same shares. "
        "| One dart lands on {chosen}, the other on {again}; | later, they part.",
    )
    def two_darts(self) -> Shown:
        board, texts = self.board, chain(*map(self._all, self.lines[2:]))
        gone = Disappear(*texts, *self.labels, self.slider), Vary(board.go, 2, 3, HAIR)
        cool = Vary(board.warm, 1 / 2, 1 / 2, HAIR), Vary(board.come_out, 0, 0, HAIR)
        model = verbs.Undim(*self.sentence), Appear(self.gate)
        yield Then(Together(*gone), Together(*cool, *model), self._go_in(STEADY))
        out = Vary(board.come_out, 0, 1), Pulse(self.gate, scale=SLIGHT)
        yield Then(Together(*out), Appear(*board.ends, run_time=QUICK))
        said = zip(map(self._answer, (0, 1), self.last, self.named), self.ends, strict=False)
        left = Disappear(*self.sentence, self.gate)
        yield Then(left, *(Then(answer, Disappear(end)) for answer, end in said))
        yield verbs.Draw(*self.last_parting), Flow(Pulse(line.chips[0]) for line in self.last)

    def cast(self) -> None:
        """Make the prompt, four texts, the board, its darts, the scores and the slider."""
        stage, gap = self.stage, HAIR
        is_high = stage.height > stage.width
        is_square = stage.is_narrow and not is_high
        shares = ROWS_HIGH if is_high else ROWS_SQUARE if is_square else ROWS
        edges = stage.top - stage.height * np.cumsum([0.0, *shares])
        text, gate, band, low = (
            replace(stage, top=float(a) - gap, bottom=float(b) + gap) for a, b in pairwise(edges)
        )
        self._make_texts(replace(text, top=stage.top), gate, band, 2 * is_square)
        high = replace(low, top=band.top - 3 * GAP)
        self._make_board((replace(stage, top=band.top), high, high, low))
        self._make_slider(gate)
        answers = chain(*map(self._all, self.lines[:2]))
        shown = VGroup(*self.sentence, self.gate, *answers)
        self.view = WHOLE.into(shown, self.under_title, 0.95)
        self.beads = [Dot(chip.get_bottom(), BEAD) for chip in self.line.chips]
        for bead in self.beads:
            bead.set_fill(theme.color(theme.INK))
        self.stand(*self.beads, self.gate, self.board, *self.board.ends, *self.hits, *self.ends)
        self.stand(self.slider, *self.labels, *self.asked, *self.named, *self.line.chips)
        self.stand(*self.lines, *self.last, *self.dots.values(), *self.parting)
        self.stand(*self.last_parting, *self.tags, *self.start_tags)
        self.stand(*chain(*((dart, dart.number) for dart in (*self.thrown, self.second))))

    # What only this film shows

    def small_print(self) -> Words:
        """Return the line that says how many tokens the shares are spread over."""
        known = entry_count(self.logits)
        return Words("it knows {:,.0f} tokens", known, size=theme.PLAIN_SIZE, role=QUIET)

    def _make_texts(self, top: Region, gate: Region, band: Region, lines: int) -> None:
        """Make the text as it grows, the model under it, and what was written, in rows."""
        written = [[self._piece(token) for token in text.ids] for text in self.texts]
        whole = [*self.tokens, *written[0][:JOINED]]
        self.line = TokenRow(whole, top, largest=theme.TITLE_SIZE, lines=lines)
        for line in self.line.rows:
            line.align_to((top.left, 0, 0), LEFT)
        chips, known = self.line.chips, len(self.tokens)
        self.sentence, self.added = chips[:known], chips[known:]
        rights = np.maximum.accumulate([chip.get_right()[0] for chip in chips])[known - 1 :]
        model = Words("model", size=SPOKEN_SIZE)
        if not self.stage.is_narrow:
            least = gate.left + model.width + 2 * GAP
            gate = replace(gate, right=max(least, float(rights[0])))
        self.gate = Gate(model, gate)
        self.ends_of_text = [gate.right, *rights[1:].clip(gate.right).tolist()]
        rows = band.raised(HAIR / 2).rows(3)  # off the board
        rows[2:] = replace(band, top=band.top - GAP, bottom=self.stage.bottom).rows(3)
        rows += replace(band, top=self.stage.top).rows(2)
        laid = [*zip([*written[:3], written[0], written[3], *written[:2]], rows, strict=True)]
        rooms = [
            (text, replace(row, left=band.left + LABEL, right=row.right - MORE).inset(HAIR / 2))
            for text, row in laid
        ]
        self.lines = list[TokenRow]()
        is_high = self.stage.height > self.stage.width
        two, three = (rooms[:2], 1, self.line.size), (rooms[2:5], 1 + is_high, theme.TITLE_SIZE)
        for part, high, usual in (two, three, (rooms[5:], 1 + is_high, theme.TITLE_SIZE)):
            most = LARGER * usual
            size = min(TokenRow(*pair, largest=most, lines=high).size for pair in part)
            self.lines += [TokenRow(*pair, largest=size, lines=high) for pair in part]
        heats = [constant(value, "a temperature") for value in HEATS]
        self.labels = [Words("T = {:.0f}", heat, size=SPOKEN_SIZE) for heat in heats]
        for line in chain(*(each.rows for each in self.lines)):
            line.align_to((band.left + LABEL, 0, 0), LEFT)
        self.dots = dict[TokenRow, Words]()
        for line in self.lines:
            last, dots = line.chips[-1].label, Words("...", size=theme.TITLE_SIZE, role=QUIET)
            if not line.chips[-1].piece.rstrip().endswith(ENDS):
                dots.next_to(last, RIGHT, buff=2 * GAP)
                self.dots[line] = dots.shift((last.baseline - dots.baseline) * UP)
        self.asked, self.named = (
            [Words(name, size=SPOKEN_SIZE, role=QUIET) for name in ASKED] for _ in range(2)
        )
        labels = *self.asked, *self.labels, *self.named
        for label, row in zip(labels, rows, strict=True):
            label.shrink_to(LABEL - HAIR).move_to((band.left, row.center[1], 0), LEFT)
        self.lines, self.last = self.lines[:5], self.lines[5:]
        self.parting, self.last_parting = map(_parting, (self.lines[:2], self.last))

    def _make_board(self, places: tuple[Region, ...]) -> None:
        """Make the shares of every round at every temperature, and the darts."""
        values = self.rounds[0].values
        probs = self.texts[0].probs.astype(np.float64)
        shares = [*np.sort(probs[: len(self.rounds)])[:, ::-1]]
        chips = [[*map(self._chip, each.tokens)] for each in self.rounds]
        decimals = min(adding_decimals(values, 1.0), 3)
        numbers = [Number(value, decimals, SPOKEN_SIZE) for value in values]
        others = entry_count(self.logits) - count(len(values) - 1, "tokens listed")
        words = Words("{:,.0f} others", others, size=SPOKEN_SIZE)
        board = Dartboard(shares, chips, numbers, words, places=places, gate=self.gate)
        self.board, thrown = board, self.tensor("darts")[0]
        self.thrown = [Dart(board, thrown[at].value) for at in range(len(shares))]
        self.second = Dart(board, self.again.dart)
        darts = self.thrown[0].value, self.second.value
        self.ends = [Ring(board.box(0, dart.number, 3)) for dart in darts]
        one, other = self.thrown[0].number, self.second.number
        side = RIGHT if other.get_x() > one.get_x() else LEFT
        if abs(other.get_x() - one.get_x()) < one.width + GAP:
            other.next_to(one, side, buff=GAP)
        self.hits = [Ring(board.box(at, x.dart.number, 1)) for at, x in enumerate(self.rounds)]
        tag = self._tag
        self.tags = [tag(at, x.dart.number, x.chosen, 1) for at, x in enumerate(self.rounds)]
        self.start_tags = [tag(0, x.dart.number, x.chosen, 3) for x in (self.rounds[0], self.again)]

    def _make_slider(self, gate: Region) -> None:
        """Make the slider, in the model's place."""
        stops = [label.numerals[0].value for label in self.labels]
        line = replace(gate, top=gate.center[1] - HAIR, right=gate.right - GAP)
        self.slider = Slider(line, stops, name=Words("temperature T", size=SPOKEN_SIZE))

    def _piece(self, token: int) -> str:
        return self.pieces.get(token, UNKNOWN)

    def _chip(self, token: int) -> Chip:
        size, widest = max(SPOKEN_SIZE, self.line.size), self.stage.width / 2
        return Chip(self._piece(token), size, widest)

    def _tag(self, deal: int, dart: float, token: int, place: int) -> VGroup:
        """Return the name of the share that a dart hits; nothing where the board has it."""
        if self.board.is_named(deal, dart, place):
            return VGroup()
        chip, room = self._chip(token), self.board.places[place]
        chip.move_to(self.board.name_place(deal, dart, place))
        if place == 1:
            chip.shift((chip.height + HAIR) * DOWN)  # under the names of large shares
        elif not deal:
            chip.align_to((0, room.top + HAIR, 0), DOWN)  # there is no room under them
        room.hold(chip)
        return VGroup(chip)

    def _go_in(self, run_time: float, added: int = 0) -> Verb:
        """Let the text, with so many tokens added, go into the model."""
        chips, right = self.line.chips[: len(self.tokens) + added], self.ends_of_text[added]
        ways = []
        for chip, bead in zip(chips, self.beads, strict=False):
            goal = (min(bead.get_x(), right - GAP), self.gate.get_y(), 0.0)
            come = Appear(bead, run_time=HAIR / 4, scale=1)
            sent = Then(come, verbs.GoInto(bead, goal, run_time * 0.6))
            ways.append(Together(Pulse(chip, run_time=run_time / 2, scale=SWELL), sent))
        return Flow(ways, run_time * 0.4)

    def _say(self, tokens: Sequence[Verb]) -> Verb:
        """Let the model give the tokens of an answer, one after another."""
        tip = self.gate.tips[1]
        return Then(
            Together(Pulse(tip, run_time=token.run_time, scale=LARGER), token) for token in tokens
        )

    def _join(self, at: int, run_time: float = STEADY) -> Verb:
        """Let the token that is hit go to the end of the text."""
        dart, chip, tag = self.thrown[at], self.added[at], self.tags[at]
        named = self.board.name_place(at, dart.value.number, 1)
        source = tag.get_center() if len(tag) else named
        start, end = self.ends_of_text[at : at + 2]
        farthest = min(start + GAP + chip.width / 2, self.stage.right - chip.width / 2)
        beside = farthest - (source[0] + chip.get_x()) / 2
        join = verbs.ComeFrom(chip, source, run_time, fit=False, bow=max(0.0, beside) * RIGHT)
        wider = Vary(self.gate.reach, start, end, run_time / 2)
        return Then(join, wider)

    def _read(self, at: int) -> Verb:
        """Let the text go into the model again; new shares come out."""
        board, last = self.board, self.thrown[at - 1]
        left = self.hits[at - 1], last, last.number, *self.tags[at - 1]
        spent = Vary(board.come_out, 1, 2, QUICK), Disappear(*left, run_time=QUICK)
        out = Together(Pulse(self.gate, scale=SLIGHT), Vary(board.come_out, 0, 1))
        new = Then(Hold(1.3 * QUICK), Vary(board.turn, at, at, HAIR / 2), out)
        return Together(self._go_in(2 * QUICK, at), *spent, new)

    def _throw(self, at: int) -> Verb:
        """Throw the next dart, and let the token that it hits go to the end of the text."""
        dart, hit = self.thrown[at], verbs.Draw(self.hits[at], run_time=QUICK)
        shown = Together(Appear(dart.number, *self.tags[at], run_time=QUICK / 2), hit)
        return Then(Vary(dart.fly, 0, 1, STEADY), shown, Hold(QUICK), self._join(at))

    def _answer(self, at: int, line: TokenRow, *name: Words) -> Verb:
        """Throw a dart, and let what it hits begin an answer."""
        tag, dart = self.start_tags[at], (self.thrown[0], self.second)[at]
        source = tag.get_center() if len(tag) else self.board.name_place(0, dart.value.number, 3)
        come = verbs.ComeFrom(line.chips[0], source, QUICK, fit=False)
        shown = Together(Appear(dart.number, *tag), verbs.Draw(self.ends[at], run_time=QUICK))
        rest = (
            Together(come, Disappear(*tag, run_time=QUICK / 2), Appear(*name)),
            Flow(map(Appear, self._all(line)[1:]), QUICK),
        )
        return Then(Vary(dart.fly, 0, 1, QUICK), shown, *rest)

    def _heat(self, start: float, end: float, run_time: float = SLOW) -> Verb:
        """Let the temperature go from one number to another; the board follows the knob."""
        ends = start / (start + 1), end / (end + 1)
        warm = Vary(self.board.warm, *ends, run_time=run_time)
        return Together(self.slider.slide(start, end, run_time), warm)

    def _write(self, text: int) -> Verb:
        """Name a temperature, then write the text that it gives."""
        chips = Flow(map(Appear, self._all(self.lines[text + 2])), STEADY)
        return Then(Appear(self.labels[text], run_time=QUICK), chips)

    def _all(self, line: TokenRow) -> list[Chip | Words]:
        """Return the tokens of a text that was written, and dots where it stops in a sentence."""
        return [*line.chips, *filter(None, [self.dots.get(line)])]


def _parting(answers: Sequence[TokenRow]) -> list[Ring]:
    """Return rings around the first tokens in which two answers differ."""
    pairs = zip(*(line.chips for line in answers), strict=False)
    parted = next((pair for pair in pairs if pair[0].piece != pair[1].piece), ())
    return [Ring(chip) for chip in parted]
