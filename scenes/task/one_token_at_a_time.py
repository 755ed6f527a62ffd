"""One token at a time: a model gives shares, a dart chooses, and temperature sets the shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
from manim import RoundedRectangle, VGroup
from manim.constants import LEFT, RIGHT
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
from scenes.mobjects.text import Formula, Glyphs, TokenText, Words, called
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Array, Value, constant, count, entry_count
from scenes.region import Region
from scenes.theme import (
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
)
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Dim,
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
ROUNDS = 3  # of them that are drawn in full
RUNS = 24  # of darts
TRIED = 16  # of them, to find two that part at once
HOT = 5.0  # the highest temperature
HEAD, SLOT, FOOT = 0.13, 0.09, 0.11  # of the stage's height: the prompt, a text, the slider
SLOTS = 3  # for texts, under the prompt
# The share of the width for texts and bars, and the room on either side of the stack for darts.
WIDE, NARROW = (0.64, 1.5), (0.5, 1.36)
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
            Round.of(probs[at], darts[0, at].value, first.ids[at])
            for at in range(min(ROUNDS, len(first.ids)))
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
        yield Flow(map(Pulse, first.chips, again.chips), STEADY), Draw(*self.parting)

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
        named = Then(Appear(self.machine), Flow(map(Appear, self.names[0])))
        back = Together(self.pull_back(), leave, Disappear(*self.parting))
        yield back, Then(Hold(), Together(named, Draw(bars.zero), rise))
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
        lift = (
            Then(Fade(part, to=1.0, run_time=HAIR), Become(part, share))
            for part, share in zip(stack.shapes, self.shares, strict=True)
        )
        yield Flow(lift), Then(Hold(SLOW), Together(Draw(stack.whole), Appear(self.inside[0])))
        yield self.thrown[0].fly()
        yield Draw(self.hits[0]), Pulse(self.names[0][place], run_time=STEADY)
        yield Flow((Appear(each) for each in self.holes), SLOW)

    @beat(
        "The token joins the text, and the model runs again: "
        "| new shares, a new dart, a new token. | From the longer text, it runs once more, "
        "| and so on, one token at a time."
    )
    def again_and_again(self) -> Shown:
        text = [*self.sentence.chips, self.chips[0]]
        run = Flow((Pulse(chip) for chip in text), STEADY), Pulse(self.machine, scale=SLIGHT)
        yield Disappear(self.holes), Then(self._draw(0), *run)
        for at in (1, 2):
            yield self._run(at) if at < len(self.rounds) else Flow(map(Pulse, self.chips))
        yield Flow((Appear(chip) for chip in self.chips[len(self.rounds) :]), SLOW)

    @beat(
        "How far may a dart stray? | Divide the scores behind the shares by one number: "
        "temperature. | High, and all shares become alike; | zero, and the largest takes all."
    )
    def temperature(self) -> Shown:
        back = Flow(Disappear(chip) for chip in reversed(self.chips))
        yield back, self._exchange(len(self.rounds) - 1, 0)
        yield Appear(self.slider, self.heat), Then(Hold(), Appear(self.formula))
        yield self._heat(1.0, HOT)
        yield self._heat(HOT, 0.0)

    @beat(
        "At zero, every dart hits the likeliest token. | At {high}, almost any token is hit, "
        "and the text falls apart. | At one, the shares are the model's own."
    )
    def three_texts(self) -> Shown:
        first, _, cold, hot = self.lines
        own, *labels = self.labels
        yield Disappear(self.machine), Then(Hold(), Together(Appear(labels[0]), self._come(cold)))
        yield Then(self._heat(0.0, HOT), Together(Appear(labels[1]), self._come(hot)))
        yield Then(self._heat(HOT, 1.0), Together(Appear(own), self._come(first)))

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
        yield Disappear(*cold.chips, *hot.chips, *self.labels[1:]), Dim(self.formula)
        yield Flow(map(Pulse, self.sentence.chips)), Flow(map(Pulse, self.names[0]))
        one = Then(self.thrown[0].fly(QUICK / 2), Draw(self.hits[0]))
        yield one, Then(Hold(), self.second.fly(QUICK / 2), Draw(self.hits[-1]))
        found = ComeFrom(again.chips[0], self.hits[-1][0].get_center(), fit=False)
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
        self._make_shares(replace(left, top=low), column, right.width - 2 * beside)
        self._make_slider(foot)
        self.view = WHOLE.into(VGroup(self.sentence, *self.lines[:2]), self.under_title, 0.95)
        self.stand(self.machine, self.sentence, *self.lines, *self.labels, *self.parting)
        self.stand(self.bars, *self.later)
        self.stand(self.stack, *self.inside, *self.hits, *self.thrown, self.second)
        self.stand(self.holes, *(inside for _, inside in self.tempered.values()))
        self.stand(self.slider, self.heat, self.formula)

    # What only this film shows

    def small_print(self) -> Words:
        """Return the line that says how many tokens the shares are spread over."""
        known = entry_count(self.logits)
        return Words("it knows {:,.0f} tokens", known, size=PLAIN_SIZE, role=QUIET)

    def _make_texts(self, room: Region) -> None:
        """Make the prompt, under it what was written, in three slots, and a box for the model."""
        head, slot = (share * self.stage.height for share in (HEAD, SLOT))
        top = replace(room, bottom=room.top - head)
        self.sentence = TokenRow(self.tokens, top, largest=SPOKEN_SIZE)
        self.sentence.align_to((room.left, 0, 0), LEFT)
        edges = [top.bottom - at * slot for at in range(SLOTS + 1)]
        self.slots = [replace(room, top=a, bottom=b) for a, b in pairwise(edges)]
        self.lines = self._written([self.slots[at] for at in (0, 1, 1, 2)])
        self.chips = self.lines[0].chips
        heats = [constant(value, "a temperature") for value in (1.0, 0.0, HOT)]
        self.labels = [Words("T = {:.0f}", heat, size=NAMED_SIZE) for heat in heats]
        for label, line in zip(self.labels, (self.lines[0], *self.lines[2:]), strict=True):
            label.align_to((room.left, 0, 0), LEFT).match_y(line.chips[0])
        box = replace(room, top=edges[1] - HAIR, bottom=edges[-1])
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
        size = min(TokenRow(*pair, largest=SPOKEN_SIZE).size for pair in pairs)
        rows = [TokenRow(*pair, largest=size) for pair in pairs]
        for row, room in zip(rows, rooms, strict=True):
            row.align_to((room.left, 0, 0), LEFT)
        return rows

    def _make_shares(self, left: Region, right: Region, width: float) -> None:
        """Make the bars and the stack with the names of every round, and its darts."""
        shown = [self._piece(token) for each in self.rounds for token in each.tokens]
        size = text_size(shown, NAME_SHARE * left.width, SPOKEN_SIZE)
        self.names = [self._names(each, size) for each in self.rounds]
        widest = max(name.width for names in self.names for name in names)
        own = max(name.width for name in self.names[0])
        room, values = replace(left, left=left.left + widest - own), self.rounds[0].values
        self.start = np.array([value.number for value in values])
        self.bars = Bars(
            values,
            room,
            self.names[0],
            across=True,
            span=(0.0, 1.0),
            tail=True,
            decimals=min(adding_decimals(values, 1.0), 3),
        )
        self.later = [name for names in self.names[1:] for name in names]
        for names in self.names[1:]:
            for name, place in zip(names, self.names[0], strict=True):
                name.move_to(place, RIGHT)
        self.stack = Stack(values, right, width=width, tail=True)
        self.hits = [self._hit(each) for each in (*self.rounds, self.again)]
        self.inside = [self._named(each.tokens, each.values) for each in self.rounds]
        self.tempered = {heat: self._tempered(heat) for heat in (0.0, 1.0, HOT)}
        self._put(values)
        self.shares = [shape.copy() for shape in self.stack.shapes]
        for shape, bar in zip(self.stack.shapes, self.bars.shapes, strict=True):
            shape.points = bar.points.copy()
        column = self.stack.column
        self.thrown = [Dart(column, each.dart, LEFT) for each in self.rounds]
        self.second = Dart(column, self.again.dart, RIGHT)
        thrown = self.tensor("darts").column(0).values
        self.holes = VGroup(*(Dart(column, dart, RIGHT).hole() for dart in thrown))

    def _put(self, values: Sequence[Value]) -> None:
        self.bars.put(values)
        self.stack.put(values)

    def _hit(self, each: Round) -> VGroup:
        """Return rings around the share that is hit, and around its bar."""
        self._put(each.values)
        bar = self.bars.shapes[each.place], self.bars.numbers[each.place]
        return VGroup(Ring(self.stack.shapes[each.place]), Ring(VGroup(*bar), HAIR))

    def _named(self, tokens: Sequence[int], values: Sequence[Value]) -> VGroup:
        """Return the names of shares, inside those that are high enough."""
        self._put(values)
        texts = [TokenText(self._piece(token), SPOKEN_SIZE) for token in tokens]
        return self.stack.label_inside([*texts, Words("others", size=SPOKEN_SIZE)])

    def _tempered(self, heat: float) -> tuple[tuple[Value, ...], VGroup]:
        """Return the shares at a temperature, and their names inside the stack."""
        tokens = self.rounds[0].tokens
        values = listed(tempered(self.logits, heat), tokens)
        return values, self.inside[0] if heat == 1.0 else self._named(tokens, values)

    def _make_slider(self, foot: Region) -> None:
        """Make the slider, its name and the formula."""
        self.heat = Words("temperature T", size=SPOKEN_SIZE)
        self.formula = Formula('$"softmax"\\("scores" \\/ T\\)$', SPOKEN_SIZE)
        for text in (self.heat, self.formula) if self.stage.is_narrow else ():
            text.scale(PLAIN_SIZE / SPOKEN_SIZE)
        middle = foot.top - GAP
        self.heat.move_to((foot.left, middle, 0), LEFT)
        self.formula.move_to((foot.right, middle, 0), RIGHT)
        ends = foot.left + self.heat.width + 2 * GAP, foot.right - self.formula.width - 2 * GAP
        stops = [label.numerals[0].value for label in self.labels]
        self.slider = Slider(Region(*ends, foot.bottom, middle), stops)

    def _names(self, each: Round, size: float) -> list[Glyphs]:
        """Return the names of a round's shares."""
        whole = entry_count(self.logits)
        others = whole - count(len(each.tokens), "tokens listed")
        names: list[Glyphs] = [TokenText(self._piece(token), size) for token in each.tokens]
        return [*names, Words("{:,.0f} others", others, size=PLAIN_SIZE)]

    def _piece(self, token: int) -> str:
        return self.pieces.get(token, UNKNOWN)

    def _draw(self, at: int) -> Verb:
        """Let a token come out of the share that is hit, to the end of the text."""
        place = self.hits[at][0].get_center()
        return Together(Disappear(self.thrown[at]), ComeFrom(self.chips[at], place, fit=False))

    def _exchange(self, old: int, new: int) -> Verb:
        """Let the shares of one round become those of another."""
        values, rings = self.rounds[new].values, self.hits[old]
        gone = Disappear(*self.names[old], self.inside[old], rings, self.thrown[old])
        moved = Remeasure(self.bars, values), Remeasure(self.stack, values)
        named = Then(Hold(), Appear(*self.names[new], self.inside[new]))
        return Together(gone, *moved, named)

    def _run(self, at: int) -> Verb:
        """Let the model run again, and a dart choose one more token."""
        new = Together(Pulse(self.machine, scale=SLIGHT), self._exchange(at - 1, at))
        drawn = Together(Draw(self.hits[at]), self._draw(at))
        return Then(new, self.thrown[at].fly(QUICK / 2), drawn)

    def _heat(self, start: float, end: float) -> Verb:
        """Let the temperature go from one number to another; bars and stack follow it."""
        scores, tokens = self.logits.double, self.rounds[0].tokens

        def path(share: float) -> NDArray[np.float64]:
            return on_the_way(scores, tokens, self.slider.between(start, end, share))

        (_, old), (values, new) = self.tempered[start], self.tempered[end]
        moved = (
            Remeasure(measured, values, path=path, run_time=SLOW)
            for measured in (self.bars, self.stack)
        )
        return Then(Disappear(old), Together(self.slider.slide_to(end), *moved), Appear(new))

    def _come(self, line: TokenRow) -> Verb:
        return Flow((Appear(chip) for chip in line.chips), SLOW)
