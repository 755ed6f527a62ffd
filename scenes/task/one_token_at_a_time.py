"""One token at a time: a model gives shares, a dart chooses, and temperature sets the shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.sampling import Round
from scenes.camera import WHOLE
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure
from scenes.mobjects.dartboard import COLDEST, Dart, Dartboard, Gate
from scenes.mobjects.fit import adding_decimals, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.plot import Slider
from scenes.mobjects.text import Formula, Number, TokenText, Words, called
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.presence import presence, set_presence
from scenes.provenance import Array, Value, constant, count, entry_count
from scenes.region import Region
from scenes.theme import GAP, HAIR, QUICK, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary, Verb

WRITTEN = 5  # tokens that are added to the prompt
RUNS, TRIED = 24, 16  # of darts; of them, to find two that part at once
HOT, MILD = 5.0, 0.6  # temperatures: the highest, and that for which scores have room
HEATS = 1.0, 0.0, HOT  # of the texts that are written
SCORES = 4  # tokens whose scores are compared
# Of the stage's height, from its top: the text, the model, what is between, the board, with darts
# under it; and the board over its scores, and from it to their line.
ROWS, NEAR = (0.12, 0.11, 0.44, 0.14), (0.14, 0.18)
ROWS_SQUARE, NEAR_SQUARE = (0.17, 0.115, 0.335, 0.14), (0.12, 0.13)
ROWS_HIGH = 0.14, 0.07, 0.3, 0.2
LARGER = 1.7  # times as large as the text, what is written
GATE = 0.6  # of the stage's width, at most, the model, as wide as the text
BAR = 3.0  # scene units, a share of which a point less leaves a part
SAME = 4  # times that the largest share is pointed at
SLIGHT, SWELL = 1.03, 1.06  # times as large, at the height of a pulse of what is wide
ASKED = "first", "again"  # what stands before two answers
LABEL = 1.4  # scene units before a text, for its temperature
BOW = np.array((1.6, 0.0, 0.0))  # scene units, by which a token's way to the text's end bends
TIP = 8  # of a bar's own room, the part past it in which its tip grows, as one in so many
SIDES = (LEFT, 0), (RIGHT, 0), (UP, 1)
UNKNOWN = "\N{REPLACEMENT CHARACTER}"  # of a token that the vocabulary lacks


class OneTokenAtATime(Film):
    """A text grows by one drawn token at a time; temperature says how far from the likeliest."""

    title = "One token at a time"
    prompt = "One day, a fluffy blue creature"
    seconds = 91
    poster_beat = "two-darts"

    def derived(self) -> Mapping[str, Array]:
        """Let the model go on with the prompt: by two rows of darts, and colder and hotter."""
        thrown = self.darts(RUNS, WRITTEN)
        first, start = self.writes(thrown[0]), self.writes(thrown[0][:1])
        parts = (row for row in range(1, TRIED) if self.writes(thrown[row][:1]).ids != start.ids)
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
            Round.of(probs[at], darts[0, at].value, token) for at, token in enumerate(first.ids)
        ]
        self.again = Round.of(probs[0], darts[self.other, 0].value, again.ids[0])
        self.best = np.argsort(-self.logits.array, kind="stable")[:SCORES].tolist()
        seen = [self.best, *(each.tokens for each in self.rounds)]
        self.pieces = self.vocabulary([*chain(*seen, *(text.ids for text in self.texts))])

    def words(self) -> Mapping[str, str]:
        """Name the likeliest tokens, the one that the first dart hits, and how many others."""
        one, other, *_ = (called(self._piece(token)) for token in self.rounds[0].tokens)
        return {
            "top": one,
            "second": other,
            "chosen": called(self._piece(self.rounds[0].chosen)),
            "again": called(self._piece(self.again.chosen)),
            "high": f"{HOT:.0f}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether both texts begin alike, or are the same."""
        first, again, *_ = self.texts
        return {
            **super().circumstances(),
            "unlisted": self.rounds[0].chosen not in self.rounds[0].tokens,
            "same_text": first.ids == again.ids,
            "same_start": first.ids[0] == again.ids[0],
        }

    @beat(
        "Ask it twice, | and a language model gives two answers. | Has it changed its mind?",
        same_text="Ask it twice, | and a language model may give two answers. "
        "| Here it's sure of one.",
    )
    def two_answers(self) -> Shown:
        first, again, *_ = self.lines
        yield Flow(map(Appear, self.sentence), QUICK), Appear(self.gate)
        runs = (
            Then(self._go_in(STEADY), Appear(name), Flow(map(Appear, line)))
            for name, line in zip(self.asked, (first, again), strict=True)
        )
        yield Then(runs)
        swell = (Pulse(*pair, scale=SLIGHT) for pair in zip(first.chips, again.chips, strict=False))
        yield Flow(swell, STEADY), verbs.Draw(*self.parting)

    @beat(
        "The same text always gets the same shares. | {top} gets the largest, "
        "| then {second}, | and all other tokens split the rest."
    )
    def the_shares(self) -> Shown:
        first, again, *_ = self.lines
        told = *self.parting, *self.asked, *first.chips, *again.chips
        leave = Disappear(*told, run_time=QUICK / 2)
        board, grow = self.board, self.board.grow
        out = Together(Vary(board.come_out, 0, 1), Vary(grow, 1, 1), self.pull_back(STEADY))
        new = Together(Pulse(self.gate, scale=SLIGHT), leave, Then(Hold(QUICK / 2), out))
        yield Then(self._go_in(STEADY), new)
        yield Pulse(board.shapes[0], board.numbers[0], run_time=STEADY, scale=SWELL)
        yield Then(Vary(grow, 1, 2, QUICK), Pulse(board.numbers[1]))
        yield Vary(grow, 2, len(board.shapes))

    @beat(
        "Together, they make a whole. | Always the largest? That would be the same text each time. "
        "| So throw a dart: a random number from zero to one. "
        "| It lands on {chosen}. | A large share is hit often, but not always.",
        unlisted="Together, they make a whole. | Always the largest? That would be the same text "
        "each time. | So throw a dart: a random number from zero to one. | It lands among the "
        "others: {chosen}. | A large share is hit often, but not always.",
    )
    def the_dart(self) -> Shown:
        dart = self.thrown[0]
        yield Then(Vary(self.board.go, 0, 1, SLOW), Appear(*self.board.ends))
        same = self.board.shapes[0], *self.board.chips[0][:1]
        yield Then(Pulse(*same, scale=SLIGHT) for _ in range(SAME))
        yield Then(Vary(dart.fly, 0, 1, STEADY), Appear(dart.number))
        yield verbs.Draw(self.hits[0]), Pulse(dart.number)
        holes = Flow((Appear(hole, run_time=QUICK / 2) for hole in self.holes), 2 * SLOW)
        counts = (
            verbs.Count(*each, holes.run_time) for each in zip(self.tally, self.hit, strict=True)
        )
        yield (
            Disappear(dart, dart.number, self.hits[0]),
            Then(Appear(*self.tally, self.told), Together(holes, *counts)),
        )

    @beat(
        "The token joins the text, | and the longer text goes into the model: "
        "| new shares, a new dart, a new token. | And so it goes round and round, one token at a "
        "time."
    )
    def again_and_again(self) -> Shown:
        yield Disappear(*self.holes, *self.tally, self.told), self._join(0)
        for half in (self._read, self._throw):
            yield half(1) if len(self.rounds) > 1 else Flow(map(Pulse, self.added))
        more = (
            Then(self._read(at, 0.4), self._throw(at, 0.4)) for at in range(2, len(self.rounds))
        )
        yield Then(*more, Flow(map(Pulse, self.added)))

    @beat(
        "How bold may the choice be? | The model scores each token: | every point below the "
        "best cuts its share to about a third. | Divide these points by a number, the temperature. "
        "| Make it high, and the others catch up; | bring it near zero, and the best takes all."
    )
    def temperature(self) -> Shown:
        board, scores = self.board, self.scores
        narrower = Vary(self.gate.reach, self.ends_of_text[-1], self.ends_of_text[0])
        undone = Together(Flow(map(Disappear, reversed(self.added)), QUICK), narrower)
        spent = Disappear(self.hits[-1], *board.ends), Vary(board.come_out, 1, 2, QUICK)
        moved = Vary(board.turn, 0, 0, HAIR / 2), Vary(board.go, 2, 2, HAIR / 2)
        out = Pulse(self.gate, run_time=QUICK, scale=SLIGHT), Vary(board.come_out, 0, 1)
        new = Then(Hold(QUICK), Together(*moved), Together(*out))
        yield Then(undone, Together(self._go_in(QUICK), *spent, new))
        hang = Remeasure(scores, scores.values, path=lambda share: share * self.behind)
        pairs = zip(self.names, board.chips[0], strict=False)  # the first ones come from the board
        fall = (verbs.ComeFrom(name, chip, fit=False) for name, chip in pairs)
        rest = map(Appear, self.names[len(board.chips[0]) :])
        shown = Together(verbs.Draw(scores.zero), Flow(fall), Then(Hold(), *rest))
        come = Together(Fade(*scores.shapes, *scores.numbers, to=1.0), hang)
        yield Then(Disappear(*self.cleared), shown, come)
        swell = Flow(map(Pulse, scores.numbers, scores.shapes, board.chips[0]), STEADY)
        name, (whole, part), cut = self.third
        less = verbs.ComeFrom(part, whole, fit=False), Appear(cut)
        shown = Then(Appear(name, whole), Hold(QUICK), Together(*less), swell)
        yield Appear(self.under), shown
        yield Disappear(self.third, self.under), Then(Hold(), Appear(self.slider, self.divided))
        yield self._heat(1.0, HOT)
        lose = (name for name, behind in zip(self.names, self.behind, strict=True) if behind)
        yield Then(self._heat(HOT, MILD), self._heat(MILD, 0.0, 2 * SLOW), verbs.Dim(*lose))

    @beat(
        "At one, the shares are the model's own. | At zero, where one can't divide, no dart is "
        "needed: the likeliest token takes all. | At {high}, almost any token is hit, "
        "and the text falls apart."
    )
    def three_texts(self) -> Shown:
        lower = Vary(self.board.go, 2, 3), Then(Hold(QUICK), Appear(*self.board.ends))
        hung = Disappear(*self.scores, *self.names, self.divided, self.slider, run_time=QUICK / 2)
        yield Then(hung, Appear(*self.sentence), self._write(0, 0.0, *lower))
        for text, before in enumerate(HEATS[:2], 1):
            yield self._write(text, before)

    @beat(
        "So it never changed its mind: | same text, same shares. "
        "| One dart lands on {chosen}, the other on {again}: | two darts, two answers.",
        same_text="So it needn't change its mind: | same text, same shares. "
        "| One dart lands on {chosen}, the other on {again}: | here, both give one answer.",
        same_start="So it never changed its mind: | same text, same shares. "
        "| One dart lands on {chosen}, the other on {again}; | later, they part.",
    )
    def two_darts(self) -> Shown:
        first, again, cold, hot = self.lines
        gone = Disappear(*first.chips, *cold.chips, *hot.chips, *self.labels)
        yield (
            Then(Vary(self.board.tell, 0, 1, HAIR / 2), Together(self._heat(HOT, 1.0), gone)),
            Then(Hold(), Appear(*self.cleared)),
        )
        yield Then(self._go_in(STEADY), Pulse(*self.board.chips[0]))
        darts = (self.thrown[0], self.second), self.ends, self.asked, (first, again)
        yield Then(self._answer(*each) for each in zip(*darts, strict=True))
        yield verbs.Draw(*self.parting), Pulse(first.chips[0], again.chips[0])

    def cast(self) -> None:
        """Make the prompt, four texts, the board, its darts, the scores and the slider."""
        stage, gap = self.stage, HAIR
        is_high = stage.height > stage.width
        is_square = stage.is_narrow and not is_high
        shares = ROWS_HIGH if is_high else ROWS_SQUARE if is_square else ROWS
        nearer, fall = NEAR_SQUARE if is_square else NEAR
        edges = stage.top - stage.height * np.cumsum([0.0, *shares])
        text, gate, band, low = (
            replace(stage, top=float(a) - gap, bottom=float(b) + gap) for a, b in pairwise(edges)
        )
        self._make_texts(replace(text, top=stage.top), gate, band, 2 * is_square)
        high = replace(low, top=band.top - 2 * GAP)
        near = replace(high, top=high.top + GAP, bottom=high.top + GAP - nearer * stage.height)
        self._make_board((replace(stage, top=band.top), high, near, low))
        self._make_slider(gate)
        self._make_scores(near, fall * stage.height, gate)
        shown = VGroup(*self.sentence, self.gate, *self.lines[:2])
        self.view = WHOLE.into(shown, self.under_title, 0.95)
        self.lights = [chip.copy() for chip in self.line.chips]
        self.stand(*self.lights, self.gate, self.board, *self.board.ends, *self.hits, *self.ends)
        self.stand(self.scores, *self.names, self.divided, self.under, self.slider, self.told)
        self.stand(
            self.third, *self.labels, *self.asked, *self.line.chips, *self.lines, *self.parting
        )
        self.stand(*self.holes, *self.tally)
        self.stand(*chain(*((dart, dart.number) for dart in (*self.thrown, self.second))))

    # What only this film shows

    def small_print(self) -> Words:
        """Return the line that says how many tokens the shares are spread over."""
        known = entry_count(self.logits)
        return Words("it knows {:,.0f} tokens", known, size=theme.PLAIN_SIZE, role=theme.QUIET)

    def _make_texts(self, top: Region, gate: Region, band: Region, lines: int) -> None:
        """Make the text as it grows, the model under it, and what was written, in three rows."""
        written = [[self._piece(token) for token in text.ids] for text in self.texts]
        self.line = TokenRow(
            [*self.tokens, *written[0]], top, largest=theme.TITLE_SIZE, lines=lines
        )
        for line in self.line.rows:
            line.align_to((top.left, 0, 0), LEFT)
        chips, known = self.line.chips, len(self.tokens)
        self.sentence, self.added = chips[:known], chips[known:]
        rights = np.maximum.accumulate([chip.get_right()[0] for chip in chips])[known - 1 :]
        model = Words("model", size=SPOKEN_SIZE)
        if not self.stage.is_narrow:
            most = gate.columns(GATE)[0].right
            least = gate.left + model.width + 2 * GAP
            gate = replace(gate, right=min(most, max(least, float(rights[0]))))
        self.gate = Gate(model, gate)
        self.ends_of_text = [gate.right, *rights[1:].clip(gate.right).tolist()]
        rows = band.rows(3)
        rooms = [replace(rows[at], left=band.left + LABEL).inset(HAIR / 2) for at in (0, 1, 1, 2)]
        laid = [*zip(written, rooms, strict=True)]
        size = min(TokenRow(*pair, largest=LARGER * self.line.size, lines=1).size for pair in laid)
        self.lines = [TokenRow(*pair, largest=size, lines=1) for pair in laid]
        heats = [constant(value, "a temperature") for value in HEATS]
        self.labels = [Words("T = {:.0f}", heat, size=SPOKEN_SIZE) for heat in heats]
        for line in self.lines:
            line.align_to((band.left + LABEL, 0, 0), LEFT)
        self.asked = [Words(name, size=SPOKEN_SIZE, role=theme.QUIET) for name in ASKED]
        for label, row in zip([*self.labels, *self.asked], [*rows, *rows[:2]], strict=True):
            label.shrink_to(LABEL - HAIR).move_to((band.left, row.center[1], 0), LEFT)
        pairs = zip(*(line.chips for line in self.lines[:2]), strict=False)
        parted = next((pair for pair in pairs if pair[0].piece != pair[1].piece), ())
        self.parting = [Ring(chip) for chip in parted]

    def _make_board(self, places: tuple[Region, ...]) -> None:
        """Make the shares of every round at every temperature, and the darts."""
        first, _, cold, hot = self.texts
        values = self.rounds[0].values
        deals = [np.sort(text.probs.astype(np.float64))[:, ::-1] for text in (first, cold, hot)]
        named = [each.tokens for each in self.rounds], [[x] for x in cold.ids], [()] * len(hot.ids)
        chips = [[*map(self._chip, x)] for each in named for x in (*each, each[0])]
        decimals = min(adding_decimals(values, 1.0), 3)
        numbers = [Number(value, decimals, SPOKEN_SIZE) for value in values]
        others = entry_count(self.logits) - count(len(values) - 1, "tokens listed")
        words = Words("{:,.0f} others", others, size=SPOKEN_SIZE)
        self.starts = np.cumsum([0, *(len(each) + 1 for each in deals)])[:-1].tolist()
        again = chain(*((*each, each[0]) for each in deals))  # each text's first once more, last
        self.board = board = Dartboard(
            [*again], chips, numbers, words, places=places, gate=self.gate
        )
        thrown = self.tensor("darts")[0]
        self.thrown = [Dart(board, thrown[at].value) for at in range(max(map(len, deals)))]
        self.second = Dart(board, self.again.dart)
        darts = self.thrown[0].value, self.second.value
        self.ends = [Ring(board.box(0, dart.number, 3)) for dart in darts]
        one, other = self.thrown[0].number, self.second.number
        side = RIGHT if other.get_x() > one.get_x() else LEFT
        if abs(other.get_x() - one.get_x()) < one.width + GAP:
            other.next_to(one, side, buff=GAP)
        fallen = [each.dart.number for each in self.rounds]
        self.hits = [Ring(board.box(at, dart, 1)) for at, dart in enumerate(fallen)]
        self.holes, self.tally = board.holes(self.tensor("darts").double[:, 0])
        self.hit = [number.value for number in self.tally]
        tried = count(RUNS, "darts that are thrown")
        self.told = Words("hits of {:.0f} darts", tried, size=SPOKEN_SIZE, role=theme.ACCENT)
        self.told.move_to((places[1].left, places[1].top + HAIR, 0), LEFT + DOWN)
        for number in self.tally:
            number.put(count(0, "darts that have hit it yet"))
        board.grow(0)

    def _make_slider(self, gate: Region) -> None:
        """Make the slider: in the model's place, or at the foot of a narrow frame."""
        foot = replace(self.stage, top=self.stage.bottom + 4 * GAP)
        room = foot if self.stage.is_narrow else gate
        self.cleared = [] if self.stage.is_narrow else [self.gate, *self.sentence]
        stops = [label.numerals[0].value for label in self.labels]
        line = replace(room, top=room.center[1] + HAIR, right=room.right - GAP)
        self.slider = Slider(line, stops, name=Words("temperature T", size=SPOKEN_SIZE))

    def _make_scores(self, near: Region, fall: float, gate: Region) -> None:
        """Make bars of how far scores fall short of the best one, hanging by their boxes."""
        scored = '"score" - "best"'
        self.divided, self.under = Formula(f"$({scored}) \\/ T$"), Formula(f"${scored}$")
        foot = self.stage.bottom + 6 * GAP * self.stage.is_narrow
        line = near.bottom - fall
        room, aside = replace(near, top=line, bottom=foot).split(0.78)
        across, middle, _ = aside.center
        self.divided.move_to((across, middle if self.stage.is_narrow else line, 0))
        self.under.move_to(self.divided)
        pieces = [self._piece(token) for token in self.best]
        size = text_size(pieces, room.width / SCORES - GAP, SPOKEN_SIZE)
        self.names = [TokenText(piece, size) for piece in pieces]
        values = self._scores(1.0)
        self.behind = np.array([value.number for value in values])
        span = min(-1.0, *(self.behind / MILD)), 0.0
        self.scores = Hanging(values, room, span=span, decimals=1)
        self.scores.pitch = (room.width - 2 * GAP) / SCORES  # as wide as there is room for
        self.scores.put(values)
        left = constant(float(np.exp(-1)), "of a share, for a score of one less")
        cut = Words("share \N{MULTIPLICATION SIGN} {:.2f}", left, size=SPOKEN_SIZE)
        high = 0.3 * gate.height
        whole = Rectangle(width=BAR, height=high, stroke_width=0, fill_opacity=theme.STRONGEST_FILL)
        pair = VGroup(whole, whole.copy().stretch_to_fit_width(BAR * left.number))
        pair.set_fill(theme.color(theme.POSITIVE)).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        self.third = VGroup(Words("a point less:", size=SPOKEN_SIZE), pair, cut)
        self.third.arrange(RIGHT, buff=GAP).move_to(gate.center)
        if self.stage.is_narrow:
            self.third.arrange(DOWN, buff=HAIR).next_to(self.divided, DOWN, buff=GAP)
            both = VGroup(self.divided, self.third)
            self.under.move_to(both.arrange(RIGHT, buff=2 * GAP).move_to(aside.center)[0])
        for name, shape in zip(self.names, self.scores.shapes, strict=True):
            name.set_x(shape.get_x()).shift((0, line + 0.4 * name.em - name.baseline, 0))

    def _scores(self, heat: float) -> list[Value]:
        """Return how far scores fall short of the best one, divided by a temperature."""
        by, best = constant(heat, "a temperature"), self.logits[self.best[0]].value
        return [(self.logits[token].value - best) / by for token in self.best]

    def _piece(self, token: int) -> str:
        return self.pieces.get(token, UNKNOWN)

    def _chip(self, token: int) -> Chip:
        size, widest = max(SPOKEN_SIZE, self.line.size), self.stage.width / 2
        return Chip(self._piece(token), size, widest)

    def _go_in(self, run_time: float, added: int = 0) -> Verb:
        """Let the text, with so many tokens added, go into the model."""
        lights, right = self.lights[: len(self.tokens) + added], self.ends_of_text[added]
        ways = []
        for light in lights:
            goal = (min(light.get_x(), right - light.width / 2), self.gate.get_y(), 0.0)
            come = Appear(light, run_time=HAIR / 4, scale=1)
            ways.append(Then(come, verbs.GoInto(light, goal, run_time * 0.7)))
        return Flow(ways, run_time * 0.3)

    def _join(self, at: int, run_time: float = STEADY) -> Verb:
        """Let the token that is hit go to the end of the text."""
        dart, chip = self.thrown[at], self.added[at]
        source = self.board.name_place(at, dart.value.number, 1)
        bow = BOW * (source[0] < chip.get_x())
        join = verbs.ComeFrom(chip, source, run_time, fit=False, bow=bow)
        start, end = self.ends_of_text[at : at + 2]
        wider = Vary(self.gate.reach, start, end, run_time)
        return Together(join, wider, Disappear(dart, dart.number, run_time=run_time / 2))

    def _read(self, at: int, pace: float = 1.0) -> Verb:
        """Let the text go into the model again; new shares come out."""
        board, short = self.board, pace * QUICK
        left = Disappear(self.hits[at - 1], run_time=short / 2)
        spent = Vary(board.come_out, 1, 2, 1.3 * short), left
        pulse = Pulse(self.gate, run_time=short, scale=SLIGHT)
        out = Together(pulse, Vary(board.come_out, 0, 1, pace * STEADY))
        new = Then(Hold(1.3 * short), Vary(board.turn, at, at, HAIR / 2), out)
        return Together(self._go_in(2 * short, at), *spent, new)

    def _throw(self, at: int, pace: float = 1.0) -> Verb:
        """Throw the next dart, and let the token that it hits go to the end of the text."""
        dart, hit = self.thrown[at], verbs.Draw(self.hits[at], run_time=pace * QUICK)
        fly = Vary(dart.fly, 0, 1, pace * STEADY)
        shown = Together(Appear(dart.number, run_time=QUICK / 2), hit)
        return Then(fly, shown, self._join(at, pace * STEADY))

    def _answer(self, dart: Dart, hit: Ring, name: Words, line: TokenRow) -> Verb:
        """Throw a dart, and let what it hits begin an answer."""
        source = self.board.name_place(0, dart.value.number, 3)
        come = verbs.ComeFrom(line.chips[0], source, QUICK, fit=False)
        shown = Together(Appear(dart.number), verbs.Draw(hit, run_time=QUICK))
        rest = Together(come, Appear(name)), Flow(map(Appear, line.chips[1:]), QUICK)
        return Then(Vary(dart.fly, 0, 1, QUICK), shown, *rest)

    def _heat(self, start: float, end: float, run_time: float = SLOW) -> Verb:
        """Let the temperature go from one number to another; scores and board follow the knob."""
        ends = start / (start + 1), end / (end + 1)
        warm = Vary(self.board.warm, *ends, run_time=run_time)

        def path(share: float) -> NDArray[np.float64]:
            return self.behind / max(COLDEST, self.slider.between(start, end, share))

        scores = self._scores(max(COLDEST, end))
        follow = Remeasure(self.scores, scores, path=path, run_time=run_time)
        return Together(self.slider.slide(start, end, run_time), warm, follow)

    def _write(self, text: int, before: float, *also: Verb) -> Verb:
        """Set the temperature, then let the darts choose a text, the first one slowly."""
        board, start, line = self.board, self.starts[text], self.lines[(0, 2, 3)[text]]
        before_it = chain(*(self.lines[(0, 2)[at]].chips for at in range(text)))
        back = Vary(board.tell, 0, 1, HAIR), Vary(board.turn, start - 2, start - 1, QUICK / 2)
        told = Then(Hold(QUICK * bool(also)), Appear(self.labels[text]))
        heat = Together(
            self._heat(before, HEATS[text], STEADY),
            *also,
            told,
            verbs.Dim(*self.labels[:text], *before_it),
        )
        thrown: list[Verb] = []
        for at, (chip, dart) in enumerate(zip(line.chips, self.thrown, strict=False)):
            fly = QUICK / 2 if at else QUICK
            turn = Vary(board.turn, start + at - bool(at), start + at, fly / 2)
            source = board.name_place(start + at, dart.value.number, 3)
            come = verbs.ComeFrom(chip, source, QUICK, fit=False)
            one = Then(turn, Hold(fly), come)
            if HEATS[text]:  # else no dart is needed
                away = Disappear(dart, run_time=fly / 2)
                one = Then(turn, Vary(dart.fly, 0, 1, fly), Together(come, away))
            thrown.append(Then(Hold(at * 1.5 * QUICK / 2 + bool(at) * QUICK), one))
        hushed = Then(Hold(1.5 * QUICK), Vary(board.tell, 1, 0, HAIR))  # no name in another's way
        return Then(*(back if text else []), heat, Together(*thrown, hushed))


class Hanging(Bars):
    """Bars that hang from a line; one that outgrows their room runs out of it in a tip."""

    def _draw(self, numbers: NDArray[np.float64]) -> None:
        low = self.span[0]
        super()._draw(np.maximum(numbers, low))
        foot = self.place_of(low)
        for shape, written, number in zip(self.shapes, self.numbers, numbers, strict=True):
            if number < low:  # its numeral goes as its tip grows
                share = min(1.0, TIP * float(number / low - 1))
                set_presence(written, min(presence(written), 1 - share))
                left, right, top = (float(shape.get_edge_center(at)[i]) for at, i in SIDES)
                point = ((left + right) / 2, foot - share * GAP, 0)
                ends = (left, foot, 0), (left, top, 0), (right, top, 0), (right, foot, 0)
                shape.set_points_as_corners([point, *ends, point])
