"""The whole road: from a sentence to its next word, in one walk through all blocks of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from operator import sub
from typing import Any

import numpy as np
from manim import Arrow, Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import ease_out_sine, linear, smooth

from scenes import theme, verbs
from scenes.figures.arcs import ARCH, FAN, SEEN_AGAIN, TAKEN
from scenes.figures.corridor import BLOCK, CHANGED, ENTRIES, Corridor
from scenes.figures.readout import Readout
from scenes.film import Film, Shown, beat
from scenes.mobjects import ground
from scenes.mobjects.bars import percentage, said_percentage
from scenes.mobjects.fit import number_format
from scenes.mobjects.ground import Stop
from scenes.mobjects.marks import Brace, Ring
from scenes.mobjects.outlines import lines
from scenes.mobjects.text import Number, Words, called
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.provenance import Array, Tensor, Value, count, total
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    OUT_OF_FOCUS,
    OUTPUT,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
    VALUE,
)
from scenes.verbs import Appear, Dim, Disappear, Draw, Flow, Hold, Pulse, Then, Together, Vary, Verb

READ = 5  # columns whose numbers are read
LOW = 6  # blocks, of which one is told in the same line as what columns are
LISTED, MANY = 3, 8  # tokens that may come next; blocks, more than one walks through slowly
ALMOST = 0.6  # of the words that look in turn, those that do before the last cue
AT_FIRST = 0.6  # of the way on, that one walks in the first of two cues
CLOSEST, FILLED = 1.3, 2.0  # scene units, so wide at least: columns that are read, or one alone
HIGH, UNDER = (0.85, 0.76), 0.5  # of the stage's height, columns that are read; under bars
PASSED = 0.7  # blocks from columns, at most, gates that they have passed
NAMED = 0.83, 0.17  # the same for their signs, and for those of gates that they come to
KEPT = -0.4  # the same from columns back to the last gate: it stays with them to the end
FURTHER = 0.35  # blocks from columns, at most, the gate that they come to: the last one has gone
BETWEEN, FROM = 6.0, 0.84  # degrees by which one looks down between gates; as large as near
SIGN, SWELL = 56.0, 1.03  # font size of a gate's sign; times as large, a word at the edge
ALL_READ = 0.76  # of the stage, lanes that are read
ANSWERED = 0.45  # presence of the others, at the end
LARGER, OPENED = 1.8, 72.0  # times as large as chips, the answer; the text's size at first
ARROW = 0.7  # scene units, to what comes out
HERE, BARS = 0.14, 0.3  # of the stage, where the last column is read, and its bars begin
BOTH = "", "untrained."  # models: as it is, and as it was
LINE = 7  # tokens on a line, at most, in a wide frame
STEPS = 8  # of training, that are seen


class TheWholeRoad(Film):
    """A sentence becomes columns of numbers; they look sideways, think alone, block by block."""

    title = "The whole road"
    prompt = "a robot must obey the"
    seconds = 95
    poster_beat = "the-answer"

    def observe(self) -> None:
        """Take what columns hold after each step, and what the model makes of the last one."""
        self.vectors = self.held("")
        self.blocks = len(self.tensor("pattern").array)
        probs, begun = (self.tensor(f"{of}probs")[-1] for of in BOTH)
        *self.best, self.further = np.argsort(-probs.array)[: LISTED + 1].tolist()
        pieces = self.vocabulary(self.best)
        self.pieces = [pieces.get(token, "?") for token in self.best]
        self.chances, self.begun = self._listed(probs), self._listed(begun)

    def words(self) -> Mapping[str, str]:
        """Name what is guessed, how surely, and how many blocks and numbers there are."""
        guess, chance = self.pieces[0], self.chances[0]
        return {
            "guess": called(guess),
            "chance": said_percentage(chance),
            "width": str(self.vectors.shape[-1]),
            "drawn": str(ENTRIES),
            "blocks": str(self.blocks),
            "begun": said_percentage(self.begun[0]),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether most blocks are passed at speed, and whether there is but one."""
        lengths = {"many": self.blocks > MANY, "single": self.blocks == 1}
        return {**super().circumstances(), **lengths}

    @beat(
        "Here's a text, and room for one more word. | A language model guesses it: {guess}. "
        "| What lies between this text, and that word?"
    )
    def the_question(self) -> Shown:
        road, sentence, says = self.road, self.sentence, self.says
        yield Then(Flow(map(Appear, sentence), STEADY), Draw(self.blank), Pulse(self.blank))
        yield Disappear(self.blank), Then(Appear(self.guess), Pulse(self.guess))
        levels = sorted({chip.get_y() for chip in sentence})  # the lowest line goes first
        pairs = [*zip(sentence, road.chips, strict=True)]
        lines = ([verbs.TurnInto(*each) for each in pairs if each[0].get_y() == y] for y in levels)
        up = Disappear(self.guess, run_time=HAIR), verbs.ComeFrom(says[0], self.guess)
        yield Then(Together(*up), *map(Together, lines), Draw(self.leap), Pulse(says[0]))

    @beat(
        "A model can't compute with words. | So each token is swapped for a column of numbers, "
        "| {width} of them: | blue above zero, orange below. | That's all that travels."
    )
    def columns(self) -> Shown:
        yield Disappear(self.leap, self.says[0]), Flow(map(Pulse, self.road.chips), STEADY)
        nearer = self.walk_to("risen", STEADY), self.walk_to("numbers", STEADY)
        yield Then(*nearer, Flow(map(Appear, self.numbers), STEADY))
        yield Appear(self.brace, self.width), Pulse(self.width)
        yield Flow(map(Pulse, self.numbers), STEADY)
        stays = self.stops["numbers"] is self.stops["start"]
        leave = Disappear(self.brace, *self.numbers * (not stays), run_time=QUICK / 2)
        into = Then(verbs.GoInto(self.width, self.shape), Hold(QUICK), Appear(self.shape))
        yield Then(leave, Together(self.walk_to("start"), into))

    @beat(
        "A word alone says little, | so its column looks around: this is attention. "
        "| Each takes something from those before it; what follows is to be guessed. "
        "| No other step goes sideways.",
        alone="A word alone says little, | so its column looks around: this is attention. "
        "| But this one is alone, with nobody before it. | No other step goes sideways.",
    )
    def sideways(self) -> Shown:
        last = self.road.chips[-1], self.road.row[-1]
        yield Then(Disappear(self.shape, *self.numbers), self.walk_to("alone"), Pulse(*last))
        named = Then(Appear(self.attention), Pulse(self.attention, run_time=STEADY, scale=SWELL))
        yield self.walk_to("looking"), named
        alone = [Pulse(*last, run_time=2 * SLOW)] * (len(self.tokens) <= 2)  # no others look
        yield self.walk_to("all look", 2.6 * SLOW, linear), *alone
        told = Pulse(self.attention, run_time=SLOW, scale=SWELL)
        yield self.walk_to("attention", 1.5 * SLOW, linear), *alone, told

    @beat(
        "Then each works on what it took: | a small network, the MLP, makes new numbers of it, "
        "| and adds them. | These two steps are a block.",
        side_by_side="At the same time, each one works by itself. | From its numbers, a "
        "small network, the MLP, makes new ones, | and adds them, too. | These two steps are a "
        "block.",
    )
    def by_itself(self) -> Shown:
        own = Then(self.walk_to("taken", QUICK), Flow(map(Pulse, self.road.row), STEADY))
        yield Dim(self.attention), own, Then(Hold(QUICK), Appear(self.mlp))
        yield self.walk_to("made", pace=ease_out_sine), Pulse(self.mlp)
        yield self.walk_to("block")
        yield verbs.Undim(self.attention), Then(Appear(self.block), Pulse(self.block[1]))

    @beat(
        "Now all know more, so looking again pays. | The shape is the same: another block "
        "can follow, with numbers of its own, | and another: {blocks} in this model.",
        many="Now all know more, so looking again pays. | The shape is the same: another block "
        "can follow, | and another: {blocks} in this model, most of them passed at speed.",
        single="Now all know more, so looking again would pay. | The shape is the same: another "
        "block could follow, | though this model has only one.",
    )
    def block_by_block(self) -> Shown:
        gone = Disappear(self.attention, self.mlp, self.block, run_time=QUICK / 2)
        yield Then(gone, self.walk_to("gates", STEADY), self.walk_to("looking again", STEADY))
        on: Verb = self.walk_to("end", HAIR if self.blocks == 1 else 2 * SLOW, ease_out_sine)
        further: Verb = self.walk_to("further on", 2.6 * SLOW, linear)
        yield Flow(map(Pulse, self.road.row), STEADY) if self.blocks == 1 else further
        yield Then(on, Pulse(self.road.signs[-1]))

    @beat(
        "Only the last column has heard all others, so it is read: "
        "| held against every word's own column. "
        "| The better all {width} numbers match, not only these {drawn}, the higher the score.",
        alone="The last column is read, here the only one: "
        "| held against every word's own column. "
        "| The better all {width} numbers match, not only these {drawn}, the higher the score.",
    )
    def the_last_column(self) -> Shown:
        readout, last, stop = self.readout, self.road.row[-1], self.stops["reading"]
        side = LEFT if self.stage.is_narrow else RIGHT  # off the names
        start = self.road.place(self.road.entry(-1, ENTRIES // 2, self.road.last), stop)
        start += (self.road.wide * stop.scale / 2 + readout.twin.width / 2 + 2 * GAP) * side
        yield Then(self.walk_to("the last", STEADY), Pulse(last), self.walk_to("reading", STEADY))
        yield Then(readout.come(), readout.meet(start))
        yield readout.pass_on()

    @beat("Softmax makes shares of the scores: | {guess} gets {chance}.")
    def its_shares(self) -> Shown:
        readout = self.readout
        yield readout.share()
        first = readout.gauges[0]
        yield Pulse(first.word, first.number)

    @beat(
        "Who chose all these numbers? | Nobody: they began at random, "
        "| and {guess} got {begun}. | Training changed them, step by step, | and now it gets "
        "{chance}."
    )
    def who_made_it(self) -> Shown:
        readout, first = self.readout, self.readout.gauges[0]
        yield Flow(map(Pulse, [self.road.row[-1], *readout.own]), STEADY)
        gone = Disappear(*(gauge.number for gauge in readout.gauges), run_time=QUICK / 2)
        back = self.walk_to("at random", STEADY), Vary(readout.train, 1, 0, STEADY)
        yield Then(Together(gone, Appear(self.before)), Together(*back))
        yield Then(Appear(*readout.begun, run_time=QUICK), Pulse(first.word, readout.begun[0]))
        yield Disappear(self.before, *readout.begun, run_time=QUICK / 2), self._train()
        told = Appear(self.after, *(gauge.number for gauge in readout.gauges))
        yield Then(told, Pulse(first.word, first.number))

    @beat(
        "So a sentence becomes a word: | columns look sideways, then think alone, "
        "block by block, | and the last one says {guess}.",
        side_by_side="So a sentence becomes a word: | columns look sideways and think "
        "alone, block by block, | and the last one says {guess}.",
    )
    def the_answer(self) -> Shown:
        gone = Disappear(self.after, *self.readout.own, *self.readout.gauges)
        stops = ("left", QUICK), ("gone back", HAIR), ("first gate", STEADY), ("set out", HAIR)
        yield gone, Then(self.walk_to(*each) for each in stops)
        yield self.walk_to("walked", 2.5 * SLOW, linear)
        answer = Draw(self.joined), verbs.ComeFrom(self.says, self.joined, fit=False)
        yield Then(self.walk_to("answered", STEADY), Together(*answer), Pulse(self.says), Hold())

    def cast(self) -> None:
        """Make the road, what is read of it, and what the last column turns into."""
        patterns, begun = self.tensor("pattern").double.mean(axis=1), self.held("untrained.")
        self.road = Gated(self.tokens, patterns, self.vectors, stage=self.stage, begun=begun)
        self._set_stops()
        self._make_numbers()
        self._make_labels()
        self._make_guesses()
        self.stand(*self.sentence, self.blank, self.guess)
        self.stand(self.road, self.leap, self.joined, self.says, *self.numbers, self.brace)
        self.stand(self.width, self.shape, self.attention, self.mlp, self.block)
        self.stand(self.before, self.after, self.readout)

    # What only this film shows

    def derived(self) -> Mapping[str, Array]:
        """Run the model as it was before training, too."""
        sites = "resid_pre", "resid_mid", "resid_post", "probs"
        begun = {f"untrained.{site}": self.untrained(site) for site in sites}
        return {**begun, "untrained.weights.W_U": self.untrained_unembedding()}

    def _listed(self, chances: Tensor) -> list[Value]:
        """Return the chances of the words that are listed, and of all others together."""
        listed = [chances[token].value for token in self.best]
        return [*listed, reduce(sub, listed, total(chances))]

    def held(self, of: str) -> ground.Floats:
        """Return what columns hold as they come in and after each step, in a model."""
        sites = (f"{of}resid_{at}" for at in ("pre", "mid", "post"))
        before, middle, after = (self.tensor(site).double for site in sites)
        both = np.stack([middle, after], axis=1).reshape(-1, *middle.shape[1:])
        return np.concatenate([before[:1], both])

    def small_print(self) -> Words:
        """Say what arcs are."""
        heads = count(self.tensor("pattern").shape[1], "heads of a layer")
        return Words("an arc is the mean of {} heads", heads, size=PLAIN_SIZE, role=QUIET)

    def walk_to(
        self, name: str, run_time: float = SLOW, pace: Callable[[float], float] = smooth
    ) -> Verb:
        """Go on to the road's next stop; its name says which."""
        place = [*self.stops].index(name)
        return Vary(self.road.go, place - 1, place, run_time, pace)

    def _train(self) -> Verb:
        """Return how weights are set, in many steps, and chances with them; steps become quick."""
        place, times = [*self.stops].index("set"), np.geomspace(QUICK, QUICK / 4, STEPS)
        steps = list[Verb]()
        for (one, other), time in zip(pairwise(np.linspace(0, 1, STEPS + 1)), times, strict=True):
            column = Vary(self.road.go, place - 1 + one, place - 1 + other, time)
            steps.append(Together(column, Vary(self.readout.train, one, other, time)))
        return Then(Hold(QUICK / 2), *steps)

    def _set_stops(self) -> None:
        """Set where one looks from, one stop after another."""
        road, stage, end = self.road, self.stage, self.road.last
        read = min(READ, len(road.xs)) * road.lane
        zoom, start = min(CLOSEST / road.wide, ALL_READ * stage.width / read), road.near(0)
        nearer = road.near(0, zoom, HIGH[int(stage.is_narrow)], x=float(road.xs[-READ:].mean()))
        numbers = start if len(road.xs) <= READ and not stage.is_narrow else nearer
        at, high = (0.5, UNDER) if stage.is_narrow else (HERE, HIGH[0])
        room, edge = (share * stage.width - ground.SOFT for share in (at, 0.5))
        large = min(FILLED / road.wide, road.reaching(road.chips[-1].width / 2, room, edge))
        last = road.near(end, large, high, others=0.0)
        last = replace(last, x=road.xs[-1] - (at - 0.5) * stage.width / last.scale)
        begun = min(2, end)
        further = min(MANY - 2, begun + (end - begun) * AT_FIRST)
        self.stops = {
            "words": replace(start, rise=0.0),
            "risen": start,
            "numbers": numbers,
            "start": start,
            "alone": replace(start, others=OUT_OF_FOCUS),
            "looking": road.near(FAN),
            "all look": road.near(TAKEN + ALMOST * (CHANGED - TAKEN)),
            "attention": road.near(SEEN_AGAIN),
            "taken": road.near(1),
            "made": road.near(1.5),
            "block": road.near(2),
            "gates": road.among(begun),
            "looking again": road.among(min(begun + FAN, end)),
            "further on": road.among(further),
            "end": road.among(end),
            "the last": road.near(end, others=OUT_OF_FOCUS),
            "reading": last,
            "at random": replace(last, trained=0.0),
            "set": last,
            "left": replace(last, rise=0.0, works=0.0),
            "gone back": replace(road.among(0), rise=0.0, works=0.0),
            "first gate": replace(road.among(0), works=0.0),
            "set out": road.among(0),
            "walked": road.among(end),
            "answered": road.near(end, others=ANSWERED),
        }
        road.stops = [*self.stops.values()]
        road.go(0)

    def _make_numbers(self) -> None:
        """Make the entries of some columns as numerals, and how many there are."""
        road, stop = self.road, self.stops["numbers"]
        tokens = range(max(0, len(self.tokens) - READ), len(self.tokens))
        stream = self.tensor("resid_pre")[0]
        values = [stream[token].values[:ENTRIES] for token in tokens]
        room = road.wide * stop.scale, road.entry_high * stop.scale
        form = number_format([each for column in values for each in column], room)
        self.numbers = []
        for token, column in zip(tokens, values, strict=True):
            for entry, value in enumerate(column):
                number = Number(value, form.decimals, form.size).set_color(road.ink(token, entry))
                self.numbers.append(number.move_to(road.place(road.entry(token, entry, 0), stop)))
        ends = [road.place(road.entry(-1, entry, 0), stop) for entry in (0, ENTRIES - 1)]
        box = Rectangle(width=room[0], height=ENTRIES * room[1]).move_to((ends[0] + ends[1]) / 2)
        self.brace = Brace(box, RIGHT, buff=GAP / 2)
        width = count(self.vectors.shape[-1], "entries of a column")
        self.width = Words("{} numbers", width, size=HEADING_SIZE).next_to(box, UP, buff=GAP)
        self.stage.hold(self.width)

    def _make_labels(self) -> None:
        """Make the names of steps, the shape that rides along, and how many blocks there are."""
        stage, wide = self.stage, count(self.vectors.shape[-1], "entries of a column")
        corner = stage.left, stage.top, 0
        self.attention = Words("attention", size=HEADING_SIZE, role=VALUE)
        self.mlp = Words("MLP", size=HEADING_SIZE, role=OUTPUT)
        self.attention.move_to(corner, LEFT + UP)
        self.mlp.next_to(self.attention, RIGHT, buff=2 * GAP).align_to(self.attention, UP)
        brace = Brace(VGroup(self.attention, self.mlp), DOWN, buff=HAIR)
        first = count(1, "blocks that one has come to")
        name = Words("block {}", first, size=HEADING_SIZE).next_to(brace.point, DOWN)
        self.block = VGroup(brace, name)
        tokens = count(len(self.tokens), "tokens")
        columns = f"{{}} column{'s' * (len(self.tokens) > 1)} of {{}}"
        columns += " numbers" * (self.blocks <= LOW and not stage.is_narrow)
        self.shape = Words(columns, tokens, wide, size=SPOKEN_SIZE)
        over = self.road.place(self.road.top(-1, 0), self.stops["start"])[1]
        self.shape.next_to((stage.center[0], over, 0), UP, buff=2 * GAP)
        change, guess = "{}: {:share} before training, {:share} after", called(self.pieces[0])
        self.before = Words("before training", size=HEADING_SIZE)
        self.after = Words(change, guess, self.begun[0], self.chances[0], size=HEADING_SIZE)
        stage.fit_width(self.after)
        for words in (self.before, self.after):
            words.move_to(corner, LEFT + UP)

    def _make_guesses(self) -> None:
        """Make the likeliest words, and the one that comes out at the road's end."""
        stage, road = self.stage, self.road
        guess, pieces = self.pieces[0], [*self.tokens, self.pieces[0]]
        lines = 0 if stage.is_narrow else 1 + (len(pieces) > LINE)
        row = TokenRow(pieces, stage.inset(HAIR), largest=OPENED, lines=lines, gap=GAP)
        *self.sentence, slot = row.chips
        self.blank, self.guess = Ring(slot, 0.0, ACCENT), slot
        chip = Chip(guess, TITLE_SIZE, widest=stage.width / 2)
        top = road.place(road.top(-1, road.last), self.stops["answered"])
        share = percentage(self.chances[0], SPOKEN_SIZE).next_to(chip, LEFT, buff=GAP)
        self.says = VGroup(chip, share)
        self.says.scale(min(LARGER, 0.6 * stage.width / self.says.width))
        self.says.shift((top[0], top[1] + ARROW, 0) - chip.get_bottom())
        stage.hold(self.says)
        below = road.chips[-1].get_top()
        self.leap, self.joined = (
            Arrow(foot, (foot[0], chip.get_y(DOWN), 0), buff=HAIR / 2, color=theme.color(ACCENT))
            for foot in (below, top)
        )
        VGroup(self.leap, self.joined).set_stroke(width=2 * BOLD_LINE)
        top = self.before.get_bottom()[1]
        upper = replace(stage, top=top, bottom=stage.center[1] + GAP)
        room = upper if stage.is_narrow else replace(stage.columns(BARS)[1], top=top - 2 * GAP)
        step = self.vectors[-1, :, :ENTRIES]
        tables = (self.tensor(f"{of}weights.W_U").double for of in BOTH[::-1])
        begun, own = (table[:ENTRIES, self.best].T for table in tables)
        scores = [self.tensor("logits")[-1, token].value for token in (*self.best, self.further)]
        self.readout = Readout(
            self.pieces,
            self.chances,
            self.begun,
            scores=scores,
            columns=(begun, own),
            read=step[-1],
            room=room,
            largest=float(road.most[-1]),
        )


class Gated(Corridor):
    """The road with a gate where each block begins, and over it a sign with the block's number.

    Columns take it along until they come to the next one.
    """

    def __init__(self, *road: Any, **more: Any) -> None:  # noqa: ANN401 - what a `Corridor` takes
        super().__init__(*road, **more)
        self.high = self.tall + 2 * ARCH + 3 * GAP
        starts, half = BLOCK * np.arange(len(self.arcs)), self.stage.width / 2
        self.gates = [Line().set_stroke(theme.color(QUIET), BOLD_LINE) for _ in starts]
        corners = (-1, 0), (-1, self.high), (1, self.high), (1, 0)
        feet = [(x * half, 0, z) for x, z in corners]
        self._frame = np.array([*pairwise(feet)])
        self._tops = np.array([(0.0, y, self.high - 2 * GAP) for y in starts])
        blocks = count(len(starts), "blocks of the model")
        numbers = (count(at + 1, "blocks that one has come to") for at in range(len(starts)))
        named = (("block {} of {}", each, blocks) for each in numbers)
        self.signs = [ground.hanging(Words(*each, size=SIGN)) for each in named]
        self._shapes = [[(part, part.points.copy()) for part in sign] for sign in self.signs]
        self.submobjects = [*reversed(self.gates), *self.submobjects, *self.signs]

    def among(self, walk: float) -> Stop:
        """Return the stop among gates, which stand on the stage as a whole."""
        stop = self.near(walk)
        room, tall = stop.level - self.stage.bottom, stop.scale * self.high
        whole = self.stage.height * stop.scale / (room + tall)
        return self.near(walk, min(FROM * stop.scale, whole), pitch=BETWEEN, gates=1.0)

    def see_from(self, stop: Stop) -> None:
        """Draw everything as it is seen from a stop, gates too."""
        super().see_from(stop)
        away = (self._tops[:, 1] - self._y(stop.walk)) / BLOCK
        away[-1] = max(away[-1], KEPT)
        lights = stop.gates * np.clip(6 * (PASSED + away), 0.0, 1.0)
        lights *= np.interp(away, (NAMED[1], FURTHER), (1.0, 0.0))
        here = np.maximum(self._tops, (-np.inf, self._y(stop.walk), -np.inf))  # they go along
        for gate, (_, y, _), light in zip(self.gates, here, lights, strict=True):
            ends = stop.seen((self._frame + (0, y, 0)).reshape(-1, 3))[0].reshape(-1, 2, 2)
            gate.points = lines(ground.within(ends, self.stage))
            ground.show(gate, float(light))
        tops, sizes = stop.seen(here)
        lights = np.clip(40 * np.minimum(NAMED[0] + away, NAMED[1] - away), 0.0, 1.0)
        lights *= stop.gates
        for shapes, top, size, light in zip(self._shapes, tops, sizes, lights, strict=True):
            for part, points in shapes if light else ():
                part.points = (*top, 0.0) + size * points
            for part, _ in shapes:
                ground.show(part, float(light))
