"""Thinking alone: what a word's vector goes through by itself, in the MLP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from math import prod
from operator import add

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, PI, RIGHT, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.direct_effect import pushing_neuron
from scenes.camera import place_inside
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import said_percentage
from scenes.mobjects.climb import Climb, Shares
from scenes.mobjects.columns import Columns
from scenes.mobjects.detector import Detector, Story, link
from scenes.mobjects.marks import Ring
from scenes.mobjects.mlp import SILENT, Bend, Lens, Sum, Ways
from scenes.mobjects.text import Formula, Words, called
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Heat
from scenes.mobjects.weighing import Weighing
from scenes.provenance import Array, Value, count, dot
from scenes.region import Region, area_of
from scenes.theme import (
    GAP,
    HAIR,
    OUTPUT,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
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
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Recolor,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
)

Floats = NDArray[np.float64]

SEARCHED, RAISED = 5, 3  # tokens that a neuron is shown on, and that it makes likelier
NAMED = 3  # of them are said aloud
KNOWN = 0.5  # the chance of a fact that the model knows, at least
WEIGHING = 2.6  # seconds, in which numbers weigh a matrix, or what is weighed adds up
SWELL = 1.05  # times as large, what has neighbours
BAR = 2.0  # scene units, for a bar of shares with its words
ROW = 0.5  # scene units, the height of the row that a neuron comes from
SPECK = 0.2  # of its size, where a word grows


class ThinkingAlone(Film):
    """The MLP works on each vector by itself: up to more numbers, bent, down, and added."""

    title = "Thinking alone"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
    poster_beat = "one-detector"
    reads_after_attention = True

    def observe(self) -> None:
        """Take what one token's MLP does, what the neuron writes, and what each step gains."""
        self.before, self.after = self.tensor("mlp_pre")[self.deep, -1], self.tensor("mlp_bent")
        self.activation = self.tensor("mlp_post")[self.deep, -1, self.neuron].value
        self.chances = self.tensor("fact.chances").values
        self.steps = [after - before for before, after in pairwise(self.chances)]
        self.gains = reduce(add, self.steps[::2]), reduce(add, self.steps[1::2])
        self.is_gated = "W_gate" in self.trace.weights
        self.heard = self.vocabulary([token for each in self.found for token in each.ids])
        row = self.tensor("weights.W_out")[self.deep, self.neuron]
        table = self.tensor("weights.W_U")
        most = np.argsort(-(row.array @ table.array))[: 4 * RAISED].tolist()
        pieces = self.vocabulary(most)
        named = [token for token in most if pieces.get(token, "").strip()]
        raised = self._with_guess(named)
        self.written = [self.vocabulary(raised)[token] for token in raised]
        self.pushes = [dot(row, table.column(token)) for token in raised]
        self.shares = self._shares()

    def words(self) -> Mapping[str, str]:
        """Name the token that is looked at, its sizes, the neuron's tokens, and the shares."""
        heard = [called(self.heard.get(each.ids[-1], "?")) for each in self.found]
        return {
            "word": self.name_of(-1),
            "share": f"{100 * self.shares[1].number:.0f}",
            "width": str(self.tensor("ln2").shape[-1]),
            "hidden": str(len(self.before)),
            "heard": listed(heard[:NAMED]),
            "written": listed([called(piece) for piece in self.written[:-1]]),
            "guess": called(self.written[-1]),
            "chance": said_percentage(self.chances[-1]),
            "gained": f"{100 * self._gained()[1].number:.0f}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether there is a gate, the corpus has the neuron on, and the fact is known."""
        is_known = self.chances[-1].number >= KNOWN and min(map(float, self.gains)) > 0
        return {
            **super().circumstances(),
            "gated": self.is_gated,
            "never": not self.found,
            "unknown": not is_known,
        }

    @beat(
        "Attention lets words talk. | Then comes the MLP, and every word's alone. "
        "| Yet {share} percent of a block's weights sit here. | What for?"
    )
    def left_alone(self) -> Shown:
        columns = self.columns
        pairs = zip(columns.chips, columns.vectors, strict=True)
        yield Then(Flow((Appear(*pair) for pair in pairs), QUICK), Flow(map(Draw, columns.arcs)))
        boxes = Flow(map(Appear, columns.boxes, self.tags))
        yield Disappear(*columns.arcs), Then(Hold(), boxes)
        yield Flow(map(Appear, self.weights.parts), STEADY)
        swell = Flow(Pulse(box, scale=SWELL) for box in columns.boxes)
        yield Pulse(self.weights.words[1], run_time=STEADY), swell

    @beat(
        "Look inside, at {word}. | Each of its {width} numbers weighs a row of a matrix, "
        "| and the rows add up to {hidden} numbers."
    )
    def up(self) -> Shown:
        up, names, columns = self.upward, self.names, self.columns
        away = Disappear(self.weights, *self.tags), Then(Hold(), Disappear(*self.others))
        x = TurnInto(columns.vectors[-1], up.weights, SLOW), Then(Hold(SLOW), Appear(names[0]))
        inside = self.zoom_into(columns.boxes[-1], run_time=SLOW), Disappear(columns.chips[-1])
        yield *away, *inside, *x
        weigh = Vary(up.weigh, 0, 1, WEIGHING, linear)
        yield Then(Appear(*up.board, names[1]), weigh)
        yield Appear(up.made), Vary(up.add_up, 0, 1, WEIGHING, linear)

    @beat(
        "Each of these is a detector, and gets bent: | a clear yes may pass, "
        "| a no becomes next to nothing. | Without the bend, both matrices would be just one."
    )
    def bent_one_by_one(self) -> Shown:
        up, bend = self.upward, self.bend
        axes = Then(Hold(STEADY), Together(Appear(bend.axes), Draw(bend.curve)))
        same = Appear(bend.entries, run_time=HAIR, scale=1.0), Disappear(*up.board, run_time=HAIR)
        away = Then(Together(same), Become(bend.entries, bend.on_line, run_time=SLOW))
        yield Disappear(up.weights, up.made, *self.names[:2]), away, axes
        passed = Then(Hold(STEADY), Appear(bend.yes, bend.rings[0]))
        yield bend.to(bend.on_curve, bend.bowed), passed
        yield Then(Appear(bend.no, bend.rings[1], run_time=STEADY), Pulse(bend.no))
        back = bend.to(bend.on_line, bend.straight), bend.to(bend.on_curve, bend.bowed)
        yield Disappear(bend.yes, bend.no, *bend.rings), Then(*back)

    @beat(
        "What's left weighs a second matrix. | A no all but wipes out its column; "
        "| the rest adds up to {width} numbers again. | They're added to the word's vector.",
        gated="Here, what's left is a gate: it multiplies as many more. | They weigh a last "
        "matrix, | which adds up to {width} numbers again. | They're added to the word's vector.",
    )
    def down(self) -> Shown:
        down, bend, names, sums = self.downward, self.bend, self.names, self.sum
        gone = Disappear(bend.axes, bend.curve, bend.yes, bend.no)
        home = Become(bend.entries, bend.lying), TurnInto(bend.entries, down.weights, QUICK / 2)
        gate = Appear(self.more), Hold(), GoInto(self.more, down.weights)
        shown = Appear(*down.board, names[2])
        weigh = Vary(down.weigh, 0, 1, WEIGHING, linear)
        yield gone, Then(*home, *(gate if self.is_gated else [shown]))
        yield Then(shown, weigh) if self.is_gated else weigh
        yield Appear(down.made), Vary(down.add_up, 0, 1, WEIGHING, linear)
        left = Disappear(names[2], down.weights, down.made)
        word = Then(Hold(QUICK), Appear(sums.vector, sums.names))
        beside = TurnInto(down.sum, sums.made), word
        merge = Together(Vary(sums.add_up, 0, 1, SLOW, linear), Disappear(*sums.names[1:]))
        yield left, Then(Together(beside), merge)

    @beat(
        "Every word meets the same matrices, | all at once, | and nothing passes between them.",
        alone="Other words would meet the same matrices, | all at once, "
        "| and nothing would pass between them.",
    )
    def side_by_side(self) -> Shown:
        columns, minis = self.columns, self.minis
        back = self.pull_back(STEADY), TurnInto(self.sum.vector, self.afters[-1])
        *others, last = (VGroup(*mini.matrices) for mini in minis)
        same = Flow(ComeFrom(each, last) for each in reversed(others))
        inside = Then(Hold(QUICK), Appear(last, minis[-1].wide), same)
        yield *back, Disappear(*self.sum.names), Appear(*self.everybody), inside
        pairs = zip(self.afters[:-1], columns.boxes, strict=False)
        out = Together(ComeFrom(*pair, run_time=STEADY, fit=False) for pair in pairs)
        yield out, Appear(*(mini.wide for mini in minis[:-1]))
        swell = Flow(Pulse(box, scale=SWELL) for box in columns.boxes)
        yield Flow(map(Draw, columns.walls), STEADY), swell

    @beat(
        "What does one detect? Take this one. | In our training text, it's loudest on {heard}. "
        "| It makes {written} likelier, | and no other pushes the guess here, {guess}, as much.",
        never="What does one detect? Take this one. | In the texts we searched, it's never on. "
        "| It makes {written} likelier, | and no other pushes the guess here, {guess}, as much.",
    )
    def one_detector(self) -> Shown:
        columns, one, wide = self.columns, self.detector, self.minis[-1].wide
        box, chip = columns.boxes[-1], columns.chips[-1]
        leaving = (part for part in (*self.through, *columns) if part not in (wide, box))
        row = TurnInto(wide, self.row), TurnInto(box, self.panel)
        out = Together(Draw(self.slot, run_time=QUICK), ComeFrom(one.body, self.slot))
        name = ComeFrom(one.label[1], chip), Appear(one.label[0])
        yield Disappear(*leaving, run_time=STEADY), Then(*map(Together, (row, [out], name)))
        rows = zip(one.rows, one.rings, strict=True)
        heard = Flow((Then(Appear(row), Draw(ring, run_time=QUICK)) for row, ring in rows), SLOW)
        lines = Flow(map(Draw, one.heard)), Pulse(one.cell, one.body[1], run_time=STEADY)
        yield Dim(self.row, self.slot, self.panel), Appear(one.heads[0]), Then(heard, *lines)
        said = Flow(map(Draw, one.said[:-1])), Flow(map(Appear, one.written[:-1]))
        yield Appear(one.heads[1]), Then(Together(*said), Flow(map(Pulse, one.written[:-1])))
        yield Then(Together(Draw(*one.said[-1:]), Appear(one.written[-1])), Draw(self.guess))

    @beat(
        "A story that's often told: | Michael Jordan plays the sport of, what? "
        "| The last word hears his name. | Its MLP looks him up, | and adds “basketball”."
    )
    def a_story(self) -> Shown:
        story, one = self.story, self.detector
        gone = Disappear(*one.others, self.row, self.slot, self.panel, self.guess)
        seated = MoveTo(one.cell, story.seat, fit=True), Then(Hold(STEADY), Appear(story.role))
        yield gone, *seated, Appear(*story.box, run_time=STEADY)
        asked = Appear(story.blank, story.what), Pulse(story.what, run_time=STEADY)
        yield Appear(story.badge), Flow(map(Appear, story.chips)), Then(Hold(), *asked)
        yield Together(self._hear(story.named), Then(self._gather(), Pulse(story.chips[-1])))
        up = Draw(story.way, run_time=QUICK), Appear(story.asked, scale=SPECK)
        yield Then(*up, Draw(story.links[0], run_time=QUICK), Pulse(one.cell))
        found = Draw(story.links[1], run_time=QUICK), Appear(story.known)
        told = ComeFrom(story.answer, story.known, fit=False), Disappear(story.what)
        yield Then(*found, Together(told))

    @beat(
        "Measured, in this model: | its chance for “basketball”, step by step. "
        "| Of its gain, {gained} percent come in an MLP. | That's what it's for: "
        "| each word adds what follows from what it heard.",
        unknown="Measured, in this model: | its chance for “basketball”, step by step. "
        "| It doesn't know this one: {chance} at the end. | But that's what an MLP is for: "
        "| each word adds what follows from what it heard.",
    )
    def read_step_by_step(self) -> Shown:
        story, climb = self.story, self.climb
        inside = Disappear(*story.inside, *story.heard, self.detector.cell)
        bar = Appear(climb.ends, climb.whole, climb.chance)
        yield Then(inside, Together(Flow(map(Appear, climb.stops)), bar))
        rise = Fade(*climb.steps, to=1.0, run_time=HAIR), Dim(*climb.stops)
        yield *rise, Then(*self._climbing(), Appear(climb.last))
        told = [climb.shares.title, *climb.shares.words]
        if self.circumstances()["unknown"]:
            yield Pulse(climb.last, run_time=STEADY)
        else:
            away = Disappear(climb.last, climb.whole, climb.chance)
            yield Then(Together(Vary(climb.part, 0, 1, SLOW), away), Appear(*told))
        yield Undim(*climb.stops), Flow(Pulse(stop, scale=SWELL) for stop in climb.stops[1::2])
        adds = Recolor(story.answer.label, role=OUTPUT), Pulse(story.answer, scale=SWELL)
        hear = Together(self._hear(), Then(Hold(STEADY), Pulse(story.chips[-1])))
        yield Then(hear, Draw(self.adds, run_time=QUICK), Together(*adds), Hold(STEADY))

    def cast(self) -> None:
        """Make the columns, the inside of one MLP, the neuron, the story and the climb."""
        stage = self.stage
        self.weights = Shares(self.shares, "weights of a block", stage, stage.top - BAR / 2)
        self.columns = columns = self._columns(stage)
        self._make_inside(stage)
        self.detector = self._detector()
        self.story = Story(self.fact, NAME, ANSWER, stage)
        self.climb = Climb(self.chances, self._gained(), self.story.free)
        self.adds = self._adds()
        *others, last = range(len(self.tokens))
        self.others, self.everybody = columns.of(*others), columns.of(*others, last)
        self.through = [*self.afters, *self.minis]
        self.stand(self.weights, columns, *self.through, *self.tags, self.upward, self.downward)
        self.stand(self.sum, self.bend, self.more, *self.names, self.panel, self.row, self.slot)
        self.stand(self.story, self.detector, self.climb, self.adds, self.guess)

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Find the neuron that pushes the guess most, and read the fact prompt step by step."""
        tensors = self.trace.tensors()
        self.deep, self.neuron = pushing_neuron(tensors)
        self.found = self.excerpts(self.deep, self.neuron, SEARCHED)
        fact, answer = self.cut(FACT), self.cut(ANSWER)
        self.fact = [fact.pieces[place] for place in fact.own]
        guesses = self.guesses_by_step(fact.ids, len(fact.ids) - 1)
        heard = {f"excerpt{i}.mlp_post": each.activations for i, each in enumerate(self.found)}
        bent = self.bent(tensors["mlp_pre"][self.deep, -1])
        return {"mlp_bent": bent, "fact.chances": guesses[:, answer.ids[answer.own[0]]], **heard}

    def small_print(self) -> Words:
        """Say which layer is looked at."""
        return Words("layer {}", count(self.deep, "the layer shown"), size=PLAIN_SIZE, role=QUIET)

    def _hear(self, number: int | None = None) -> Verb:
        """Let the last word of the story hear the first ones, so many or all."""
        story = self.story
        each = map(Draw, story.heard) if story.heard else map(Pulse, story.chips)
        return Flow(list(each)[:number])

    def _gather(self) -> Verb:
        """Let copies of the name's chips go to the last word, and into it."""
        story, last = self.story, self.story.chips[-1]
        over = last.get_center() + story.rise
        ways = [Shift(each, by=over - each.get_center(), bow=story.rise) for each in story.copies]
        ends = [GoInto(each, last, QUICK if story.heard else STEADY) for each in story.copies]
        pairs = zip(ways, ends, strict=True)
        gone = Flow(Then(*pair) for pair in pairs) if story.heard else Flow(ends)
        return Then(Appear(*story.copies, run_time=HAIR, scale=1.0), gone)

    def _with_guess(self, tokens: Sequence[int]) -> list[int]:
        """Return the first tokens that are not the guess, and then the guess."""
        guess = int(self.tensor("logits")[-1].array.argmax())
        return [*[token for token in tokens if token != guess][: RAISED - 1], guess]

    def _climbing(self) -> list[Verb]:
        """Let each step join the bar; the more it adds, the longer it takes."""
        paces = [QUICK / 2 + CLIMBING * max(float(gain), 0.0) for gain in self.steps]
        rise = self.climb.rise
        return [Vary(rise, at, at + 1, pace, linear) for at, pace in enumerate(paces)]

    def _adds(self) -> VMobject:
        """Return a line from the bar of shares down to what it adds, where that stands under it."""
        answer, foot = self.story.answer.get_top(), self.story.free.bottom
        if foot < answer[1]:
            return VGroup()
        return link(np.array((answer[0], foot, 0.0)), answer, OUTPUT)

    def _make_inside(self, stage: Region) -> None:
        """Make what is seen inside the box of the last token."""
        room, ways = stage.inset(INSET * stage.height).narrowed(GAP, GAP), self._ways(-1)
        is_upright = room.height > UPRIGHT * room.width
        over = room.lowered((1 + is_upright) * HEADER)  # where all is turned, names need two lines
        under = room.lowered(HEADER) if is_upright else room.raised(HEADER)
        before, out = (self.tensor(name)[self.deep, -1].double for name in ("mlp_pre", "mlp_out"))
        first = ways.x, ways.first, before
        self.upward = Weighing(first, over, is_turned=is_upright)
        second = ways.wide, ways.second, out
        self.downward = Weighing(second, under, is_turned=not is_upright, draws_all=True)
        more = Heat(ways.wide if ways.more is None else ways.more, (self.downward.deep, HAIR))
        beside = LEFT if is_upright else UP
        self.more = more.rotate(PI / 2 * is_upright).next_to(self.downward.weights, beside, HAIR)
        low, high = min(self.before.array.min(), 0.0), max(self.before.array.max(), 0.0)
        along = np.linspace(low - PAD * (high - low), high + PAD * (high - low), POINTS)
        bowed = self.bent(along).astype(np.float64)
        rows = self.upward.cells(of_sum=True), self.downward.cells(of_sum=False)
        self.bend = Bend((self.before, self.after), (along, bowed), rows, room)
        self.names = self._names(room)
        terms = [self.tensor(name)[self.deep, -1].double for name in TERMS]
        self.sum = Sum(terms, self.tokens[-1], room, is_upright=is_upright)
        inside = VGroup(self.upward, self.downward, self.more, self.bend, *self.bend.twins)
        inside.add(*self.names, self.sum)
        place_inside(inside, self.columns.boxes[-1], stage)

    def _shares(self) -> tuple[Value, Value]:
        """Return the shares of a block's weights that attention and the MLP have."""
        shapes = {name: self.tensor(f"weights.{name}").shape[1:] for name in BLOCK}
        heads = sum(prod(shapes[name]) for name in BLOCK[:2])
        heads += sum(prod(shapes[name]) for name in BLOCK[2:4]) // self.traits.sharing
        alone = prod(shapes["W_out"]) * (3 if self.is_gated else 2)
        both = count(heads, "weights of attention"), count(alone, "weights of an MLP")
        return both[0] / (both[0] + both[1]), both[1] / (both[0] + both[1])

    def _gained(self) -> tuple[Value, Value]:
        """Return the shares of attention and of MLPs in what the fact's answer gains."""
        whole = self.gains[0] + self.gains[1]
        return self.gains[0] / whole, self.gains[1] / whole

    def _columns(self, region: Region) -> Columns:
        """Make the tokens' columns, and what goes through their boxes."""
        deep, shape = self.deep, self.stage.height / self.stage.width
        heeded = self.tensor("pattern")[deep].array.mean(axis=0)
        columns = Columns(self.tokens, self.tensor("resid_mid")[deep].array, heeded, region, shape)
        self.afters = [columns.vector(each) for each in self.tensor("resid_post")[deep].array]
        self.tags = [Words("MLP", size=PLAIN_SIZE, role=OUTPUT) for _ in columns.boxes]
        for tag, box in zip(self.tags, columns.boxes, strict=True):
            tag.shrink_to(box.width - 2 * HAIR).move_to(box)
        self.minis = []
        for i, box in enumerate(columns.boxes):
            self.afters[i].move_to(columns.tops[i])
            inside = box.copy().scale(1 - 2 * INSET)
            self.minis.append(Lens(self._ways(i), area_of(inside)))
        return columns

    def _ways(self, token: int) -> Ways:
        """Return what goes through the MLP of a token."""
        named = {name: self.tensor(name)[self.deep, token].double for name in SITES}
        weights = {name: self.tensor(f"weights.{name}")[self.deep].double for name in MATRICES}
        more = named["ln2"] @ weights["W_in"] if self.is_gated else None
        first = (
            self.tensor("weights.W_gate")[self.deep].double if self.is_gated else weights["W_in"]
        )
        return Ways(
            named["ln2"], first, named["mlp_post"], weights["W_out"], named["mlp_out"], more
        )

    def _detector(self) -> Detector:
        """Make the neuron, with what it is loudest on and what it writes."""
        heard = [
            (
                [self.heard.get(token, "?") for token in each.ids],
                self.tensor(f"excerpt{i}.mlp_post"),
            )
            for i, each in enumerate(self.found)
        ]
        stage, wide = self.stage, self.tensor("mlp_post")[self.deep, -1].double
        unit = (stage.width - 2 * GAP) / len(wide)
        self.row = Heat(wide, (unit * len(wide), ROW), least=SILENT, thinnest=0)
        self.row.move_to((stage.center[0], stage.top - ROW / 2 - HAIR, 0))
        slot = Rectangle(width=unit, height=ROW)
        slot.move_to(self.row).shift((self.neuron + 0.5 - len(wide) / 2) * unit * RIGHT)
        self.slot = Ring(slot, corner=0)
        self.panel = Ring(self.row, HAIR, OUTPUT).set_fill(theme.color(theme.PANEL), 1)
        own = self.tokens[-1], self.activation, count(self.neuron, "the neuron's place")
        made = Detector(own, heard, self.written, self.pushes, stage.lowered(ROW + 2 * GAP))
        self.guess = Ring(made.written[-1].plate)
        return made

    def _names(self, room: Region) -> list[VGroup]:
        """Return the token's chip, and the names of both matrices with their sizes."""
        lengths = self.tensor("ln2").shape[-1], len(self.before)
        sizes = [count(length, "entries of a vector") for length in lengths]
        up, down = self.upward, self.downward
        first = matrix_name("gate" if self.is_gated else "in", sizes, up.step)
        second = matrix_name("out", sizes[::-1], down.step)
        chip = Chip(self.tokens[-1], SPOKEN_SIZE, widest=room.width / (1 if up.is_turned else 4))
        if up.is_turned:
            above = VGroup(chip, first).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
            above.next_to(up, UP, buff=GAP, aligned_edge=LEFT)
            second.next_to(down, UP, buff=GAP, aligned_edge=LEFT)
        else:
            chip.next_to(up, UP, buff=GAP, aligned_edge=LEFT)
            free = room.right - float(chip.get_right()[0]) - 2 * GAP
            first.scale(min(1.0, free / first.width)).next_to(chip, RIGHT, buff=2 * GAP)
            second.next_to(down.raw, DOWN, buff=GAP, aligned_edge=LEFT)
        for name in (first, second):
            room.hold(name)
        return [chip, first, second]


FACT, NAME, ANSWER = "Michael Jordan plays the sport of", "Michael Jordan", " basketball"
SITES, MATRICES = ("ln2", "mlp_post", "mlp_out"), ("W_in", "W_out")
BLOCK = ("W_Q", "W_O", "W_K", "W_V", "W_out")
TERMS = "resid_mid", "mlp_out", "resid_post"
HEADER = 0.9  # scene units, for a matrix's name
UPRIGHT = 1.3  # of its width, a box's height, from which on all in it is turned
INSET = 0.11  # of the stage's height, around what is inside a box
POINTS, PAD = 121, 0.09  # of a curve; of its numbers' range, beyond them
CLIMBING = 2.5  # seconds, for all that a chance can gain


def matrix_name(name: str, sizes: Sequence[Value], step: int) -> VGroup:
    """Return a matrix's formula, of how many numbers it makes how many, and how many are drawn."""
    size = Words("{} \N{RIGHTWARDS ARROW} {}", *sizes, size=SPOKEN_SIZE, role=QUIET)
    label = VGroup(Formula(f'$W_"{name}"$', TITLE_SIZE), size)
    if step > 1:
        each = count(step, "entries for each that is drawn")
        label.add(Words("one in {} drawn", each, size=PLAIN_SIZE, role=QUIET))
    return label.arrange(RIGHT, buff=GAP)


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: `a, b and c`."""
    *some, last = names or ["nothing"]
    return f"{', '.join(some)} and {last}" if some else last
