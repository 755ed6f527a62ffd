"""The whole road: from a sentence to its next word, in one walk through all blocks of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain, pairwise
from operator import sub
from typing import Any

import numpy as np
from manim import Arrow, Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import ease_in_sine, ease_out_sine, linear, smooth

from scenes import theme
from scenes.film import Film, Shown, beat
from scenes.mobjects import ground
from scenes.mobjects.arcs import ARCH, FAN, SEEN, Arcs
from scenes.mobjects.bars import percentage, said_percentage
from scenes.mobjects.corridor import BLOCK, CHANGED, ENTRIES, Corridor
from scenes.mobjects.fit import number_format
from scenes.mobjects.ground import Stop
from scenes.mobjects.marks import Brace, Ring
from scenes.mobjects.readout import Readout
from scenes.mobjects.text import Number, Words, called
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.presence import parts_of, presence
from scenes.provenance import Array, constant, count, total
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    OUT_OF_FOCUS,
    OUTPUT,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    TITLE_SIZE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
)

READ = 3  # columns whose numbers are read
LOW = 6  # blocks, of which all lines end below what is told at the top
LISTED, MANY = 4, 8  # tokens that may come next; blocks, more than one walks through slowly
AT_FIRST = 2 / 3  # of the way on, that one walks in the first of two cues
NEARER, CLOSEST = 1.8, 1.4  # times as large, columns that are read; scene units, so wide
HIGH, UNDER = (0.9, 0.76), 0.5  # of the stage's height, columns that are read; under bars
PASSED = 0.85  # blocks from columns, at most, gates that they have passed
NAMED = 0.83, 0.17  # the same for their signs, and for those of gates that they come to
FURTHER, FEW = 0.4, 6  # presence of gates further on; blocks that can be counted from afar
BETWEEN, FROM = 6.0, 0.8  # degrees by which one looks down between gates; as large as near
SIGN, SWELL = 56.0, 1.03  # font size of a gate's sign; times as large, a word at the edge
ALL_READ, ASIDE = 0.75, 0.5  # of the stage, lanes that are read; of a lane, these off the middle
FLAT, ANSWERED = 3.0, 0.45  # degrees, a road that is not seen yet; the others, at the end
LARGER, OPENED = 1.8, 64.0  # times as large as chips, the answer; the text's size at first
ARROW, AHEAD = 0.9, 1.75  # scene units, to what comes out; for it, above the road's end
GPT_3 = constant(96, "layers of GPT-3 (Brown et al. 2020, table 2.1)")
HERE, BARS = 0.14, 0.3  # of the stage, where the last column is read, and its bars begin


class TheWholeRoad(Film):
    """A sentence becomes columns of numbers; they look sideways, think alone, block by block."""

    title = "The whole road"
    prompt = "a fluffy blue creature roamed the verdant"
    seconds = 93
    poster_beat = "the-answer"

    def observe(self) -> None:
        """Take what columns hold after each step, and what the model makes of the last one."""
        self.vectors = self.held("")
        self.blocks = len(self.tensor("pattern").array)
        probs = self.tensor("probs")[-1]
        patterns = (self.tensor(f"{of}pattern").double.mean(axis=1) for of in ("", "untrained."))
        self.shown = int(np.abs(sub(*patterns))[:, -1].max(axis=1).argmax())
        self.best = np.argsort(-probs.array)[:LISTED].tolist()
        pieces = self.vocabulary(self.best)
        self.bets = [(pieces.get(token, "?"), probs[token].value) for token in self.best]

    def words(self) -> Mapping[str, str]:
        """Name what is guessed, how surely, and how many blocks and numbers there are."""
        guess, chance = self.bets[0]
        return {
            "guess": called(guess),
            "chance": said_percentage(chance),
            "width": str(self.vectors.shape[-1]),
            "blocks": str(self.blocks),
            "shown": str(self.shown + 1),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether there are so many blocks that most of them are passed at speed."""
        return {**super().circumstances(), "many": self.blocks > MANY, "single": self.blocks == 1}

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
        lines = ([TurnInto(*each, QUICK) for each in pairs if each[0].get_y() == y] for y in levels)
        away = Disappear(self.guess, run_time=HAIR), ComeFrom(says[0], self.guess, SLOW)
        yield Then(*map(Together, lines), Together(self.walk_to("sentence"), *away), Pulse(says[0]))

    @beat(
        "A model can't compute with words. | So each token is swapped for a column of numbers: "
        "| {width} of them. | One for each token: that's all that travels."
    )
    def columns(self) -> Shown:
        yield self.walk_to("words"), Disappear(self.says[0])
        nearer = self.walk_to("risen", STEADY), self.walk_to("numbers", STEADY)
        yield Then(*nearer, Flow(map(Appear, self.numbers), STEADY))
        yield Appear(self.brace, self.width), Pulse(self.width)
        leave = Disappear(*self.numbers, self.brace, run_time=QUICK / 2)
        into = Then(GoInto(self.width, self.shape), Hold(QUICK), Appear(self.shape))
        yield Then(leave, Together(self.walk_to("start"), into))

    @beat(
        "A word alone says little, | so its column looks around: this is attention. "
        "| Each takes something from those before it; what follows is to be guessed. "
        "| No other step goes sideways.",
        alone="A word alone says little, | so its column looks around: this is attention. "
        "| But this one is alone, with nobody before it. | No other step goes sideways.",
    )
    def sideways(self) -> Shown:
        road = self.road
        yield Flow(map(Pulse, road.chips, road.row), STEADY), Disappear(self.shape)
        named = Then(Appear(self.attention), Pulse(self.attention, run_time=STEADY, scale=SWELL))
        yield self.walk_to("looking"), named
        yield self.walk_to("all look", 2 * SLOW, linear)
        yield self.walk_to("attention")

    @beat(
        "Then each works on what it took: | a step called MLP makes new numbers of it, "
        "| and adds them. | These two steps are a block.",
        side_by_side="At the same time, each one works by itself. | From its numbers, a "
        "step called MLP makes new ones, | and adds them, too. | These two steps are a block.",
    )
    def by_itself(self) -> Shown:
        yield Dim(self.attention), Flow(map(Pulse, self.road.row), STEADY), Appear(self.mlp)
        yield self.walk_to("made", pace=ease_out_sine), Appear(self.spelled)
        yield self.walk_to("block")
        named = Disappear(self.spelled), Appear(self.block)
        yield Undim(self.attention), Then(*named, Pulse(self.block[1]))

    @beat(
        "Now all know more, so looking again pays. | The shape is the same: another block "
        "can follow, | and another: {blocks} in this model. "
        "| GPT-3, a large model, has ninety-six.",
        many="Now all know more, so looking again pays. | The shape is the same: another block "
        "can follow, | and another: {blocks} in this model, most of them passed at speed. "
        "| GPT-3, a large model, has ninety-six.",
        single="Now all know more, so looking again would pay. | The shape is the same: another "
        "block could follow, | though this model has only one. "
        "| GPT-3, a large model, has ninety-six.",
    )
    def block_by_block(self) -> Shown:
        gone = Disappear(self.attention, self.mlp, self.block, run_time=QUICK / 2)
        yield Then(gone, self.walk_to("gates", STEADY), self.walk_to("looking again", STEADY))
        on: Verb = self.walk_to("end", STEADY, ease_out_sine)
        further: Verb = self.walk_to("further on", 2 * SLOW, ease_in_sine)
        yield Flow(map(Pulse, self.road.row), STEADY) if self.blocks == 1 else further
        yield Then(on, Appear(self.ours), Pulse(self.ours, scale=SWELL))
        told = Then(Disappear(self.ours), Hold(QUICK), Appear(self.gpt_3))
        yield self.walk_to("horizon"), told

    @beat(
        "Only the last column has heard all others, so it is read: "
        "| held against every word's own column. | The better they match, the higher the score. "
        "| Softmax makes shares of the scores: | {guess} gets {chance}.",
        alone="The last column is read, here the only one: "
        "| held against every word's own column. | The better they match, the higher the score. "
        "| Softmax makes shares of the scores: | {guess} gets {chance}.",
    )
    def the_last_column(self) -> Shown:
        readout, last, stop = self.readout, self.road.row[-1], self.stops["reading"]
        side = LEFT if self.stage.is_narrow else RIGHT  # off the names
        start = self.road.place(self.road.entry(-1, ENTRIES // 2, self.road.last), stop)
        start += (self.road.wide * stop.scale / 2 + readout.twin.width / 2 + 2 * GAP) * side
        away = Together(self.walk_to("the last", STEADY), Disappear(self.gpt_3))
        yield Then(away, Pulse(last), self.walk_to("reading", STEADY))
        yield Then(readout.come(), readout.meet(start))
        yield readout.pass_on()
        yield Then(Flow(map(Pulse, readout.scores)), readout.share())
        first = readout.gauges[0]
        yield Pulse(first.word, first.number)

    @beat(
        "People laid this road. Who chose where columns look? | Go back to block {shown}, before "
        "any training: the last one looked at all nearly alike. | Training on texts found whom "
        "to look at.",
        alone="People laid this road. | Before training on texts, what blocks do is left to "
        "chance. | What blocks came to do, training found.",
    )
    def who_made_it(self) -> Shown:
        lanes, blocks = self.road.dark, [block.ground for block in self.road.blocks]
        leave = Disappear(*self.readout.gauges, *self.readout.own)
        named = (Recolor(*lines, role=INK) for lines in (lanes, blocks))
        yield leave, self.walk_to("designed"), Then(Hold(STEADY), *named)
        grey = Recolor(*lanes, *blocks, role=QUIET)
        begun = Together(self.walk_to("standing", STEADY), Appear(self.begun))
        looked = self.walk_to("untrained", pace=ease_out_sine), Pulse(self.begun, run_time=STEADY)
        yield grey, Then(begun, Together(*looked))
        yield self.walk_to("learned"), Then(Disappear(self.begun), Appear(self.trained))

    @beat(
        "So a sentence becomes a word: | columns look sideways, then think alone, "
        "block by block, | and the last one says {guess}.",
        side_by_side="So a sentence becomes a word: | columns look sideways and think "
        "alone, block by block, | and the last one says {guess}.",
    )
    def the_answer(self) -> Shown:
        stops = ("left", QUICK), ("again", QUICK), ("from the start", HAIR), ("first block", STEADY)
        yield Disappear(self.trained), Then(self.walk_to(*each) for each in stops)
        yield self.walk_to("walked")
        answer = Draw(self.joined), ComeFrom(self.says, self.joined, fit=False)
        yield Then(self.walk_to("answered", STEADY), Together(*answer), Pulse(self.says), Hold())

    def cast(self) -> None:
        """Make the road, what is read of it, and what the last column turns into."""
        embeddings, patterns = (self.tensor(name).double for name in ("embed", "pattern"))
        changes = np.linalg.norm(self.tensor("mlp_out").double, axis=2)
        more, begun = max(0, int(GPT_3.number) - self.blocks), self.tensor("untrained.pattern")
        before = self.tokens, embeddings, begun.double, changes, self.held("untrained.")
        walked = self.tokens, embeddings, patterns, changes, self.vectors
        self.road = Gated(before, *walked, stage=self.stage, more=more)
        self._set_stops()
        self._make_numbers()
        self._make_labels()
        self._make_guesses()
        self.stand(*self.sentence, self.blank, self.guess)
        self.stand(self.road, self.joined, self.says, *self.numbers, self.brace, self.width)
        self.stand(self.shape, self.attention, self.mlp, self.spelled, self.block)
        self.stand(self.ours, self.gpt_3, self.begun, self.trained, self.readout)

    # What only this film shows

    def derived(self) -> Mapping[str, Array]:
        """Run the model as it was before training, too."""
        sites = "pattern", "resid_pre", "resid_mid", "resid_post"
        return {f"untrained.{site}": self.untrained(site) for site in sites}

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

    def _set_stops(self) -> None:
        """Set where one looks from, one stop after another."""
        road, stage, end = self.road, self.stage, self.road.last
        top = min(stage.top - AHEAD, self.under_title.top)
        read = min(READ, len(road.xs)) * road.lane
        zoom = min(max(NEARER, CLOSEST / road.wide), ALL_READ * stage.width / read)
        middle = float(road.xs[-READ:].mean()) + ASIDE * road.lane * (not stage.is_narrow)
        numbers = road.near(0, zoom, HIGH[int(stage.is_narrow)], x=middle, lit=-1.0)
        at, high = (0.5, UNDER) if stage.is_narrow else (HERE, HIGH[0])
        last = road.near(end, zoom, high, others=OUT_OF_FOCUS)
        last = replace(last, x=road.xs[-1] - (at - 0.5) * stage.width / last.scale, lit=-1.0)
        whole, risen = road.far(top, end, traces=0.0), road.near(0, lit=-1.0)
        empty = replace(whole, rise=0.0, lit=-1.0)
        seen = {"pitch": BETWEEN, "x": road.middle, "gates": 1.0}
        begun = min(2, end)
        further = min(MANY - 2, begun + (end - begun) * AT_FIRST)
        running = road.near(begun, FROM * road.near(0).scale, **seen)
        before = 2.0 * self.shown
        fan, still = road.near(before + FAN), {"works": 0.0, "carried": 1.0}
        self.stops = {
            "flat": replace(empty, walk=0.0, pitch=FLAT, wires=0.0),
            "sentence": replace(empty, walk=0.0),
            "words": replace(risen, rise=0.0),
            "risen": risen,
            "numbers": numbers,
            "start": road.near(0),
            "looking": road.near(FAN),
            "all look": road.near(CHANGED),
            "attention": road.near(1),
            "made": road.near(1.5),
            "block": road.near(2),
            "gates": running,
            "looking again": replace(running, walk=min(begun + CHANGED, end)),
            "further on": road.near(further, running.scale, **seen),
            "end": road.near(end, running.scale, **seen),
            "horizon": road.near(end, running.scale, beyond=1.0, **seen),
            "the last": road.near(end, others=OUT_OF_FOCUS),
            "reading": last,
            "designed": road.far(top, end * (self.blocks <= FEW), arcs=0.0, **still),
            "standing": road.near(before, trained=0.0, works=0.0),
            "untrained": replace(fan, trained=0.0),
            "learned": fan,
            "left": replace(fan, lit=-1.0, works=0.0),
            "again": road.far(top, lit=-1.0, **still),
            "from the start": road.far(top, traces=0.0),
            "first block": replace(whole, walk=min(2.0, end / 2)),
            "walked": whole,
            "answered": road.near(end, others=ANSWERED, traces=0.0, arcs=-1.0),  # gone half way
        }
        lit = float(end + 1)  # from there on, what dims does so from its far end on
        road.stops = [replace(stop, lit=min(stop.lit, lit)) for stop in self.stops.values()]
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
        side = UP if self.stage.is_narrow else RIGHT
        self.brace = Brace(box, side, buff=GAP)
        width = count(self.vectors.shape[-1], "entries of a column")
        self.width = Words("{} numbers", width, size=HEADING_SIZE)
        self.width.next_to(self.brace.point, side, buff=HAIR)
        self.stage.hold(self.width)

    def _make_labels(self) -> None:
        """Make the names of steps, the shape that rides along, and what people made."""
        stage, wide = self.stage, count(self.vectors.shape[-1], "entries of a column")
        corners = (stage.left, stage.top, 0), (stage.right, stage.top, 0)
        self.attention = Words("attention", size=HEADING_SIZE, role=VALUE)
        self.mlp = Words("MLP", size=HEADING_SIZE, role=OUTPUT)
        self.attention.move_to(corners[0], LEFT + UP)
        self.mlp.next_to(self.attention, RIGHT, buff=2 * GAP).align_to(self.attention, UP)
        brace = Brace(VGroup(self.attention, self.mlp), DOWN, buff=HAIR)
        first, shown = (count(1 + at, "blocks that one has come to") for at in (0, self.shown))
        name = Words("block {}", first, size=HEADING_SIZE).next_to(brace.point, DOWN)
        self.block = VGroup(brace, name)
        self.spelled = Words("multilayer perceptron", size=SPOKEN_SIZE, role=OUTPUT)
        self.spelled.shrink_to(brace.width).next_to(self.attention, DOWN, aligned_edge=LEFT)
        tokens = count(len(self.tokens), "tokens")
        columns = f"{{}} column{'s' * (len(self.tokens) > 1)} of {{}}"
        columns += " numbers" * (self.blocks <= LOW and not stage.is_narrow)
        self.shape = Words(columns, tokens, wide, size=SPOKEN_SIZE)
        self.shape.move_to(corners[1], RIGHT + UP)
        blocks = count(self.blocks, "blocks of the model")
        ours = f"{{}} block{'s' * (self.blocks > 1)} in this model", blocks
        seen = ("block {}, before training", shown), ("block {}, after training", shown)
        told = ours, ("{} blocks {}", GPT_3, "in GPT-3"), *seen
        self.ours, self.gpt_3, self.begun, self.trained = (
            Words(*each, size=HEADING_SIZE).move_to(corners[0], LEFT + UP) for each in told
        )

    def _make_guesses(self) -> None:
        """Make the likeliest words, and the one that comes out at the road's end."""
        stage, road = self.stage, self.road
        pieces, lines = [*self.tokens, self.bets[0][0]], 2 * (not stage.is_narrow)
        *self.sentence, slot = TokenRow(pieces, stage, largest=OPENED, lines=lines, gap=GAP).chips
        self.blank, self.guess = Ring(slot, 0.0, ACCENT), slot
        chip = Chip(self.bets[0][0], TITLE_SIZE, widest=stage.width / 2)
        top = road.place(road.top(-1, road.last), self.stops["answered"])
        share = percentage(self.bets[0][1], SPOKEN_SIZE).next_to(chip, LEFT, buff=GAP)
        self.says = VGroup(chip, share)
        self.says.scale(min(LARGER, 0.6 * stage.width / self.says.width))
        far = road.place(road.end, self.stops["walked"])  # of the floor, over which it is, too
        self.says.shift((top[0], max(top[1] + ARROW, far[1] + GAP), 0) - chip.get_bottom())
        self.joined = Arrow(top, chip.get_bottom(), buff=HAIR / 2, color=theme.color(ACCENT))
        self.joined.set_stroke(width=2 * BOLD_LINE)
        stage.hold(self.says)
        upper = replace(stage, bottom=stage.center[1] + GAP)
        room = upper if stage.is_narrow else stage.columns(BARS)[1]
        likely, step = [value for _, value in self.bets], self.vectors[-1, :, :ENTRIES]
        rest = reduce(sub, likely, total(self.tensor("probs")[-1]))
        own = self.tensor("weights.W_U").double[:ENTRIES, self.best].T
        most = float(np.abs(step).max())
        scores = [self.tensor("logits")[-1, token].value for token in self.best]
        self.readout = Readout(self.bets, rest, scores, own, step[-1], room=room, largest=most)


class Gated(Corridor):
    """The road with a gate where each block begins, and over it a sign with the block's number.

    Columns take it along until they come to the next one. Beyond the road's end stand the gates of
    further blocks, as one. Before training, columns are those of a road that is made of `begun`.
    """

    def __init__(self, begun: Sequence[Any], *values: Any, stage: Region, more: int) -> None:  # noqa: ANN401
        super().__init__(*values, stage=stage, more=more)
        self.begun = Corridor(*begun, stage=stage)
        self.weights = np.stack([begun[2], values[2]]).mean(axis=2)
        self.learning = [Arcs(each, self.xs, self.tall) for each in self.weights.max(axis=0)]
        self.begun.arcs = self.learning
        starts = [float(block.ground.get_bottom()[1]) for block in self.blocks]
        beyond = float(self.end[1]) + BLOCK * np.arange(more)
        line = Line().set_stroke(theme.color(QUIET), BOLD_LINE)
        self.gates = [line.copy() for _ in starts]
        self.further = line.copy().set_stroke(width=THIN_LINE / 2)
        half, high = stage.width / 2, self.tall + 2 * ARCH
        ends = self.middle - half, self.middle + half
        feet = [(ends[x], 0, z) for x, z in ((0, 0), (0, high), (1, high), (1, 0))]
        self._frames = np.array([*pairwise(feet)]) + [[[[0, y, 0]]] for y in (*starts, *beyond)]
        self._tops = np.array([(self.middle, y, high) for y in starts])
        numbers = (count(at + 1, "blocks that one has come to") for at in range(len(starts)))
        self.signs = [ground.hanging(Words("block {}", each, size=SIGN)) for each in numbers]
        self._shapes = [[(part, part.points.copy()) for part in sign] for sign in self.signs]
        self.submobjects = [self.further, *reversed(self.gates), *self.submobjects, *self.signs]
        self._then, self._now = (
            parts_of(VGroup(*road.row, *road.rising, *chain(*(x.values() for x in road.rows[::2]))))
            for road in (self.begun, self)
        )
        pairs = [(layer, *pair) for layer, arcs in enumerate(self.learning) for pair in arcs.pairs]
        self._own, arcs = (list(chain(*road.arcs)) for road in (self, self.begun))
        self._learning, self._learned = [*zip(arcs, pairs, strict=True)], 0.0
        self.submobjects += [*self._then, *arcs]

    def see_from(self, stop: Stop) -> None:
        """Draw everything as it is seen from a stop, gates too."""
        super().see_from(stop)
        ground.show(self.beyond, 0.0)  # gates alone stand for further blocks
        if min(stop.trained, self._learned) < 1:
            self._show_learning(stop)
        away = (self._tops[:, 1] - self._y(stop.walk)) / BLOCK
        number, more = len(self.gates), round(stop.beyond * self.more)
        lights = stop.gates * np.clip(4 * (PASSED + away), 0.0, 1.0)
        lights *= np.interp(away, (NAMED[1], 0.5, 1.0, 1.5), (1.0, FURTHER, FURTHER, 0.0))
        for gate, frame, light in zip(self.gates, self._frames[:number], lights, strict=True):
            self._show_line(gate, frame, stop, float(light))
        beyond = self._frames[number : number + more]
        left = stop.seen(beyond[:, 0, 0])[0][:, 0]
        column = np.array([(self.xs[0] - self.wide / 2 - HAIR, self._y(stop.walk), 0.0)])
        posts = beyond[left < stop.seen(column)[0][0, 0]][:, ::2]  # none behind a column
        _, apart = np.unique(np.floor(left / HAIR * 2), return_index=True)  # to tell them apart
        ways = np.concatenate([beyond[apart, 1], posts.reshape(-1, 2, 3)])
        self._show_line(self.further, ways, stop, stop.gates * float(more > 0))
        here = np.maximum(self._tops, (-np.inf, self._y(stop.walk), -np.inf))  # signs go along
        tops, sizes = stop.seen(here)
        lights = np.clip(20 * np.minimum(NAMED[0] + away, NAMED[1] - away), 0.0, 1.0)
        lights *= stop.gates * (1 - stop.beyond)
        for shapes, top, size, light in zip(self._shapes, tops, sizes, lights, strict=True):
            for part, points in shapes if light else ():
                part.points = (*top, 0.0) + size * points
            for part, _ in shapes:
                ground.show(part, float(light))

    def _show_learning(self, stop: Stop) -> None:
        """Draw what columns hold and look at while a model learns, too."""
        share, self._learned = stop.trained, stop.trained
        weights = (1 - share) * self.weights[0] + share * self.weights[1]
        for arc, at in self._learning:
            arc.weigh(float(weights[at]))
        if share < 1:
            self.begun.see_from(stop)
        lights = (self._then, 1 - share), (self._now, share), (self._own, share == 1)
        for part, light in ((part, light) for parts, light in lights for part in parts):
            ground.show(part, light * presence(part))
        for arc, at in self._learning:
            seen = np.clip(4 * weights[at] / SEEN - 3, 0.0, 1.0) * (share < 1)
            ground.show(arc, float(seen) * presence(arc))
