"""One token at a time: a model gives shares, a dart chooses, and temperature sets the shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
from manim import Dot, RoundedRectangle, VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.sampling import Round, listed, on_the_way
from scenes.analysis.softmax import tempered
from scenes.camera import WHOLE
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure, Stack
from scenes.mobjects.fit import adding_decimals, text_size
from scenes.mobjects.marks import Dart, Ring
from scenes.mobjects.plot import Slider
from scenes.mobjects.text import Formula, Glyphs, Number, TokenText, Words, called
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Array, Value, constant, count, entry_count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    CORNER,
    GAP,
    HAIR,
    NAMED_SIZE,
    PANEL,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    Verb,
)

WRITTEN = 5  # tokens that are added to the prompt
RUNS = 24  # of darts
TRIED = 16  # of them, to find two that part at once
HOT = 5.0  # the highest temperature
HEAD, GATE, SLOT = 0.13, 0.12, 0.19  # of the stage's height: the prompt, the model, a text
TIGHT = 0.6  # of these, where the stack stands under them
FOOT = 0.11  # of the stage's height, for the slider
SLOTS = 3  # for texts, under the model
# The share of the width for texts, and the room on either side of the stack for darts.
WIDE, NARROW = (0.56, 1.6), (0.5, 1.36)
HOLE, PITCH = 0.09, 0.24  # scene units, a dart's dot, and from one to the next
NEAR = 0.12  # of the stack, between darts whose numbers would touch
MILD = 0.5  # the lowest temperature at which scores are drawn
SLIGHT = 1.03  # times as large, at the height of a pulse of what is wide
NAME_SHARE = 0.3  # of the bars' room, for their names
LABEL = 1.1  # scene units before a text, for its temperature
UNKNOWN = "\N{REPLACEMENT CHARACTER}"  # of a token that the vocabulary lacks


class OneTokenAtATime(Film):
    """A text grows by one drawn token at a time; temperature says how far from the likeliest."""

    title = "One token at a time"
    prompt = "One day, a fluffy blue creature"
    seconds = 74
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
        seen = [self.again.tokens, *(each.tokens for each in self.rounds)]
        seen += [text.ids for text in self.texts]
        self.pieces = self.vocabulary([*chain(*seen)])

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
        yield Flow((Appear(chip) for chip in self.sentence.chips), QUICK)
        both = (Flow((Appear(chip) for chip in line.chips), 2 * SLOW) for line in (first, again))
        yield Together(both)
        swell = (Pulse(*pair, scale=SLIGHT) for pair in zip(first.chips, again.chips, strict=False))
        yield Flow(swell, STEADY), Draw(*self.parting)

    @beat(
        "The same text always gets the same shares. | {top} gets the largest, "
        "| then {second}, | and all other tokens split the rest."
    )
    def the_shares(self) -> Shown:
        first, again, *_ = self.lines
        bars = self.bars
        leave = Flow(Disappear(chip) for chip in (*reversed(again.chips), *reversed(first.chips)))
        rise = Together(
            Fade(*bars.shapes, *bars.numbers, to=1.0),
            Remeasure(bars, bars.values, path=lambda share: share * self.start, run_time=SLOW),
        )
        named = Then(Draw(self.machine), Flow(map(Appear, self.names[0])))
        back = Together(self.pull_back(), leave, Disappear(*self.parting))
        yield Then(back, Together(named, Draw(bars.zero), rise))
        for place in (0, 1):
            yield Pulse(self.names[0][place], bars.numbers[place], run_time=STEADY)
        yield Flow(map(Pulse, self.names[0][2:], bars.numbers[2:]))

    @beat(
        "Stack them to one whole, | and throw a dart: a random number from zero to one. "
        "| It lands on {chosen}. | A large share is hit often, but not always.",
        unlisted="Stack them to one whole, | and throw a dart: a random number from zero to one. "
        "| It lands among the others: {chosen}. | A large share is hit often, but not always.",
    )
    def the_dart(self) -> Shown:
        stack, place = self.stack, self.rounds[0].place
        bars, seen = self.bars, HAIR / 2
        lift = (
            Then(Together(Fade(part, to=1.0, run_time=seen), Fade(bar, to=0.0, run_time=seen)), go)
            for part, bar, go in zip(
                stack.shapes, bars.shapes, map(Become, stack.shapes, self.shares), strict=True
            )
        )
        left = Disappear(*bars.numbers, *self.names[0], bars.zero)
        inside = Then(Hold(SLOW), Together(Draw(stack.whole), Appear(self.inside[0])))
        yield left, Flow(lift), inside
        yield self.thrown[0].fly()
        yield Draw(self.hits[0]), Pulse(stack.shapes[place], scale=SLIGHT, run_time=STEADY)
        yield (
            Flow((Appear(each) for each in self.holes), SLOW),
            Then(Hold(SLOW), Appear(self.tally)),
        )

    @beat(
        "The token joins the text, and the model runs again: "
        "| new shares, a new dart, a new token. | From the longer text, it runs once more, "
        "| and so on, one token at a time."
    )
    def again_and_again(self) -> Shown:
        yield Disappear(self.holes, self.tally), self._draw(0)
        for at in (1, 2):
            yield self._run(at) if at < len(self.rounds) else Flow(map(Pulse, self.chips))
        yield Then(self._run(at, quick=True) for at in range(3, len(self.rounds)))

    @beat(
        "How far may a dart stray? | Divide the scores behind the shares by one number: "
        "temperature. | High, and all shares become alike; | zero, and the largest takes all."
    )
    def temperature(self) -> Shown:
        back = Flow(Disappear(chip) for chip in reversed(self.chips))
        yield back, self._exchange(len(self.rounds) - 1, 0)
        scores = self.scores
        come = Flow(map(Appear, scores.names, scores.shapes, scores.numbers))
        told = Together(Draw(scores.zero), come, Appear(self.divided))
        yield told, Then(Hold(), Appear(self.slider, self.heat))
        yield self._heat(1.0, HOT)
        gone = Disappear(scores, self.divided, run_time=QUICK / 2)
        cool = self._heat(HOT, MILD, STEADY), gone, self._heat(MILD, 0.0, QUICK)
        yield Then(*cool)

    @beat(
        "At one, the shares are the model's own. | At zero, every dart hits the likeliest token. "
        "| At {high}, almost any token is hit, and the text falls apart."
    )
    def three_texts(self) -> Shown:
        first, _, cold, hot = self.lines
        stops = (0.0, 1.0), (1.0, 0.0), (0.0, HOT)
        for line, label, ends in zip((first, cold, hot), self.labels, stops, strict=True):
            written = Then(Hold(), Together(Appear(label), self._come(line)))
            yield self._heat(*ends), written

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
        gone = (
            Disappear(*cold.chips, *hot.chips, *self.labels),
            self._heat(HOT, 1.0, run_time=STEADY),
        )
        yield Then(Together(gone), Disappear(self.slider, self.heat))
        yield (
            Flow(Pulse(chip, scale=SLIGHT) for chip in self.sentence.chips),
            Pulse(self.stack.whole),
        )
        one = Then(self.thrown[0].fly(QUICK / 2), Draw(self.hits[0]))
        yield Then(one, self.second.fly(QUICK / 2), Draw(self.hits[-1]))
        found = ComeFrom(again.chips[0], self.hits[-1], fit=False)
        rest = Together(Flow(Appear(chip) for chip in again.chips[1:]), Draw(*self.parting))
        yield Pulse(first.chips[0]), Then(found, rest)

    def cast(self) -> None:
        """Make the prompt, four texts, the shares as bars and stacked, the darts, the slider."""
        stage = self.stage
        foot = replace(stage, top=stage.bottom + FOOT * stage.height)
        share, beside = NARROW if stage.is_narrow else WIDE
        left, right = stage.raised(foot.height + GAP).columns(share)
        self._make_texts(stage if stage.is_narrow else left)
        low = self.slots[-1].bottom - GAP
        column = replace(right, left=right.left + beside, top=low if stage.is_narrow else right.top)
        under = low if stage.is_narrow else self.slots[0].top
        self._make_shares(replace(stage, top=under), column, right.width - 2 * beside)
        self._make_slider(foot)
        room = left.raised(foot.height + GAP)
        if stage.is_narrow:
            room = replace(stage, bottom=low)
        self._make_scores(replace(room, top=self.slots[0].top))
        self.view = WHOLE.into(VGroup(self.sentence, *self.lines[:2]), self.under_title, 0.95)
        self.stand(self.machine, self.sentence, *self.lines, *self.labels, *self.parting)
        self.stand(self.bars, self.stack, *self.inside, *self.hits, *self.thrown, self.second)
        self.stand(self.holes, self.tally, *(inside for _, inside in self.tempered.values()))
        self.stand(self.scores, self.divided, self.slider, self.heat)

    # What only this film shows

    def small_print(self) -> Words:
        """Return the line that says how many tokens the shares are spread over."""
        known = entry_count(self.logits)
        return Words("it knows {:,.0f} tokens", known, size=PLAIN_SIZE, role=QUIET)

    def _make_texts(self, room: Region) -> None:
        """Make the prompt, under it the model, and what was written, in three slots."""
        tight = TIGHT if self.stage.is_narrow else 1.0
        head, gate, slot = (tight * share * self.stage.height for share in (HEAD, GATE, SLOT))
        top = replace(room, bottom=room.top - head)
        self.sentence = TokenRow(self.tokens, top, largest=TITLE_SIZE)
        self.sentence.align_to((room.left, 0, 0), LEFT)
        edges = [top.bottom - gate - at * slot for at in range(SLOTS + 1)]
        self.slots = [replace(room, top=a, bottom=b) for a, b in pairwise(edges)]
        self.lines = self._written([self.slots[at] for at in (0, 1, 1, 2)])
        self.chips = self.lines[0].chips
        heats = [constant(value, "a temperature") for value in (1.0, 0.0, HOT)]
        self.labels = [Words("T = {:.0f}", heat, size=NAMED_SIZE) for heat in heats]
        for label, line in zip(self.labels, (self.lines[0], *self.lines[2:]), strict=True):
            label.align_to((room.left, 0, 0), LEFT).match_y(line.chips[0])
        box = replace(room, top=top.bottom - HAIR, bottom=edges[0] + HAIR)
        plate = RoundedRectangle(width=box.width, height=box.height, corner_radius=CORNER)
        plate.set_stroke(theme.color(QUIET), THIN_LINE).set_fill(theme.color(PANEL), 1)
        name = Words("model", size=SPOKEN_SIZE)
        self.machine = VGroup(plate.move_to(box.center), name.move_to(box.center))
        pairs = zip(*(line.chips for line in self.lines[:2]), strict=False)
        parted = next((pair for pair in pairs if pair[0].piece != pair[1].piece), ())
        self.parting = [Ring(chip) for chip in parted]

    def _written(self, slots: Sequence[Region]) -> list[TokenRow]:
        """Return the texts that were written, all of one size, after the room for a temperature."""
        rooms = [replace(slot, left=slot.left + LABEL) for slot in slots]
        pieces = [[self._piece(token) for token in text.ids] for text in self.texts]
        pairs = [*zip(pieces, rooms, strict=True)]
        size = min(TokenRow(*pair, largest=TITLE_SIZE).size for pair in pairs)
        rows = [TokenRow(*pair, largest=size) for pair in pairs]
        for row, room in zip(rows, rooms, strict=True):
            row.align_to((room.left, 0, 0), LEFT)
        return rows

    def _make_shares(self, left: Region, right: Region, width: float) -> None:
        """Make the bars and the stack with the names of every round, and its darts."""
        shown = [self._piece(token) for token in self.rounds[0].tokens]
        size = text_size(shown, NAME_SHARE * left.width, TITLE_SIZE)
        self.names, values = [self._names(self.rounds[0], size)], self.rounds[0].values
        self.start = np.array([value.number for value in values])
        self.bars = Bars(
            values,
            left,
            self.names[0],
            across=True,
            span=(0.0, 1.0),
            tail=True,
            decimals=min(adding_decimals(values, 1.0), 3),
        )
        self.stack = Stack(values, right, width=width, tail=True)
        self.hits = [self._hit(each) for each in (*self.rounds, self.again)]
        self.inside = [self._named(each.tokens, each.values) for each in self.rounds]
        self.tempered = {heat: self._tempered(heat) for heat in (0.0, MILD, 1.0, HOT)}
        self._put(values)
        self.shares = [shape.copy() for shape in self.stack.shapes]
        for shape, bar in zip(self.stack.shapes, self.bars.shapes, strict=True):
            shape.points = bar.points.copy()
        column = self.stack.column
        self.thrown = [Dart(column, each.dart, LEFT) for each in self.rounds]
        apart = abs(self.again.dart.number - self.rounds[0].dart.number)
        self.second = Dart(column, self.again.dart, LEFT if apart > NEAR else RIGHT)
        self._make_holes()

    def _make_holes(self) -> None:
        """Make a dot for every dart, beside the share that it hits, and how many hit each."""
        self._put(self.rounds[0].values)
        edges = np.cumsum(self.start)[:-1]
        places = np.searchsorted(edges, self.tensor("darts").column(0).array)
        self.holes, self.tally = VGroup(), VGroup()
        for place, shape in enumerate(self.stack.shapes):
            hits = int((places == place).sum())
            at, number = np.arange(hits), Number(count(hits, "darts that hit it"), 0, SPOKEN_SIZE)
            left = self.stack.column.right + HAIR + HOLE
            room = self.stage.right - left - number.width - HAIR
            in_row = max(1, int(room / PITCH))
            rows = -(-hits // in_row)
            across = left + PITCH * (at % in_row)
            up = shape.get_y() + PITCH * ((rows - 1) / 2 - at // in_row)
            dots = [
                Dot((x, y, 0), HOLE, color=theme.color(ACCENT))
                for x, y in zip(across, up, strict=True)
            ]
            if hits:
                self.tally.add(number.next_to(VGroup(*dots), RIGHT, buff=HAIR))
            self.holes.add(*dots)

    def _put(self, values: Sequence[Value]) -> None:
        self.stack.put(values)

    def _hit(self, each: Round) -> Ring:
        """Return a ring around the share that is hit."""
        self._put(each.values)
        return Ring(self.stack.shapes[each.place])

    def _named(self, tokens: Sequence[int], values: Sequence[Value]) -> VGroup:
        """Return the names of shares, inside those that are high enough."""
        self._put(values)
        texts = [TokenText(self._piece(token), TITLE_SIZE) for token in tokens]
        others = entry_count(self.logits) - count(len(tokens), "tokens listed")
        tail = Words("{:,.0f} others", others, size=SPOKEN_SIZE)
        return self.stack.label_inside([*texts, tail])

    def _tempered(self, heat: float) -> tuple[tuple[Value, ...], VGroup]:
        """Return the shares at a temperature, and their names inside the stack."""
        tokens = self.rounds[0].tokens
        values = listed(tempered(self.logits, heat), tokens)
        return values, self.inside[0] if heat == 1.0 else self._named(tokens, values)

    def _make_slider(self, foot: Region) -> None:
        """Make the slider and its name."""
        self.heat = Words("temperature T", size=SPOKEN_SIZE)
        middle = foot.top - GAP
        self.heat.move_to((foot.left, middle, 0), LEFT)
        ends = foot.left + self.heat.width + 2 * GAP, foot.right - GAP
        stops = [label.numerals[0].value for label in self.labels]
        self.slider = Slider(Region(*ends, foot.bottom, middle), stops)

    def _make_scores(self, room: Region) -> None:
        """Make bars of the scores behind the shares, which are divided by the temperature."""
        tokens = self.rounds[0].tokens
        self.divided = Formula('$"score" \\/ T$', TITLE_SIZE)
        self.divided.move_to((room.center[0], room.top, 0), UP)
        names = [TokenText(self._piece(token), TITLE_SIZE) for token in tokens]
        values = self._scores(1.0)
        numbers = [value.number for value in values]
        span = min(0.0, *numbers) / MILD, max(0.0, *numbers) / MILD
        self.scores = Bars(
            values, room.below(self.divided, GAP), names, across=True, span=span, decimals=1
        )

    def _scores(self, heat: float) -> list[Value]:
        """Return the scores of the likeliest tokens, divided by a temperature."""
        by = constant(heat, "a temperature")
        return [self.logits[token].value / by for token in self.rounds[0].tokens]

    def _names(self, each: Round, size: float) -> list[Glyphs]:
        """Return the names of a round's shares."""
        whole = entry_count(self.logits)
        others = whole - count(len(each.tokens), "tokens listed")
        names: list[Glyphs] = [TokenText(self._piece(token), size) for token in each.tokens]
        return [*names, Words("{:,.0f} others", others, size=PLAIN_SIZE)]

    def _piece(self, token: int) -> str:
        return self.pieces.get(token, UNKNOWN)

    def _draw(self, at: int, run_time: float = STEADY) -> Verb:
        """Let a token come out of the share that is hit, to the end of the text."""
        away = Disappear(self.thrown[at], run_time=QUICK / 2)
        return Together(away, ComeFrom(self.chips[at], self.hits[at], run_time, fit=False))

    def _exchange(self, old: int, new: int, run_time: float = STEADY) -> Verb:
        """Let the shares of one round become those of another."""
        gone = Disappear(self.inside[old], self.hits[old], self.thrown[old], run_time=run_time / 2)
        moved = Remeasure(self.stack, self.rounds[new].values, run_time=run_time)
        return Together(gone, Then(moved, Appear(self.inside[new], run_time=run_time / 2)))

    def _run(self, at: int, *, quick: bool = False) -> Verb:
        """Let the text go into the model again, and a dart choose one more token."""
        long = QUICK / 2 if quick else QUICK
        text = [*self.sentence.chips, *self.chips[:at]]
        read = Flow((Pulse(chip, run_time=long, scale=SLIGHT) for chip in text), long)
        new = Together(read, Then(Hold(long / 2), self._exchange(at - 1, at, 2 * long)))
        run = Together(new, Then(Hold(long / 2), Pulse(self.machine, run_time=long, scale=SLIGHT)))
        drawn = Together(Draw(self.hits[at], run_time=long), self._draw(at, 2 * long))
        return Then(run, self.thrown[at].fly(long / 2), drawn)

    def _heat(self, start: float, end: float, run_time: float = SLOW) -> Verb:
        """Let the temperature go from one number to another; scores and stack follow it."""
        logits, tokens = self.logits.double, self.rounds[0].tokens

        def path(share: float) -> NDArray[np.float64]:
            return on_the_way(logits, tokens, self.slider.between(start, end, share))

        def divided(share: float) -> NDArray[np.float64]:
            return logits[list(tokens)] / self.slider.between(start, end, share)

        (_, old), (values, new) = self.tempered[start], self.tempered[end]
        moved = [Remeasure(self.stack, values, path=path, run_time=run_time)]
        if min(start, end) > 0:
            scores = self._scores(end)
            moved.append(Remeasure(self.scores, scores, path=divided, run_time=run_time))
        slide = self.slider.slide_to(end, run_time)
        gone, come = Disappear(old, run_time=QUICK / 2), Appear(new, run_time=QUICK / 2)
        return Then(gone, Together(slide, *moved), come)

    def _come(self, line: TokenRow) -> Verb:
        return Flow((Appear(chip) for chip in line.chips), SLOW)
