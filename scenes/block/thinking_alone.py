"""Thinking alone: what a word's vector goes through by itself, in the MLP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, PI, RIGHT, UP
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.direct_effect import pushing_neuron
from scenes.camera import place_inside
from scenes.figures.agreement import Agreement, products_of, telling
from scenes.figures.climb import Climb, Shares
from scenes.figures.columns import Columns
from scenes.figures.detector import Detector, Story
from scenes.figures.mlp import SILENT, Bend, Ways
from scenes.figures.weighing import Weighing, drawn_of, lowest_apart, matrix_name
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import said_percentage
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Words, called
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Heat
from scenes.provenance import Array, Value, count, dot
from scenes.region import Region
from scenes.theme import GAP, HAIR, OUTPUT, PLAIN_SIZE, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    TurnInto,
    Vary,
    Verb,
)


class ThinkingAlone(Film):
    """The MLP works on each vector by itself: up to more numbers, bent, down, and added."""

    title = "Thinking alone"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 120
    poster_beat = "one-detector"
    reads_after_attention = True

    def observe(self) -> None:
        """Take what one token's MLP does, what the neuron writes, and what each step gains."""
        self.before, self.after = self.tensor("mlp_pre")[self.deep, -1], self.tensor("mlp_bent")
        self.activation = self.tensor("mlp_post")[self.deep, -1, self.neuron].value
        self.chances = self.tensor("fact.chances").values
        self.steps = [after - before for before, after in pairwise(self.chances)]
        rises = [max(float(step), 0.0) for step in self.steps]
        self.gains = sum(rises[::2]), sum(rises[1::2])
        self.is_gated = "W_gate" in self.trace.weights
        self.told = self.neuron, lowest_apart(self.before.double, self.neuron)
        self.heard = self.vocabulary([token for each in self.found for token in each.ids])
        self.written, self.pushes = self._written()
        self.shares = self._shares()

    def words(self) -> Mapping[str, str]:
        """Name the token that is looked at, its sizes, the neuron's tokens, and what gains more."""
        heard = [called(self.heard.get(each.ids[-1], "?")) for each in self.found]
        return {
            "constant": "" if self.is_gated else " with its own constant",
            "word": self.name_of(-1),
            "share": f"{100 * self.shares[1].number:.0f}",
            "width": str(self.tensor("ln2").shape[-1]),
            "hidden": str(len(self.before)),
            "heard": listed(heard[:NAMED]),
            "written": listed([called(piece) for piece in self.written]),
            "chance": said_percentage(self.chances[-1]),
            "most": "Most" if self.gains[1] > self.gains[0] else "Part",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether there is a gate, the corpus has the neuron on, and the fact is known."""
        is_known = self.chances[-1].number >= KNOWN and min(self.gains) > 0
        told = {"gated": self.is_gated, "never": not self.found, "unknown": not is_known}
        return {**super().circumstances(), **told}

    @beat(
        "Attention lets words talk. | Then comes a step where each is alone, the MLP. "
        "| Yet of all numbers learned for both, {share} percent sit here. | What for?"
    )
    def left_alone(self) -> Shown:
        columns = self.columns
        pairs = zip(columns.chips, columns.vectors, strict=True)
        arcs = Flow(map(Draw, columns.arcs), STEADY)
        yield Then(Flow((Appear(*pair) for pair in pairs), QUICK), arcs)
        yield Disappear(*columns.arcs), Flow(map(Appear, columns.boxes, self.tags))
        aside = [verbs.Dim(*self.others, *self.tags[:-1], run_time=QUICK / 2)] * bool(self.others)
        yield Then(*aside, Flow(map(Appear, self.weights.parts), STEADY))
        yield Pulse(self.weights.words[1]), Pulse(columns.boxes[-1], self.tags[-1], scale=SWELL)

    @beat(
        "Look inside, at {word}. | A detector is {width} learned numbers. "
        "| Multiply entry by entry: | blue where signs agree."
    )
    def one_fits(self) -> Shown:
        columns, (yes, _) = self.columns, self.agreements
        away = Disappear(self.weights, *self.tags), Then(Hold(), Disappear(*self.others))
        x = TurnInto(columns.vectors[-1], yes.strips[0])
        inside = self.zoom_into(columns.boxes[-1], run_time=STEADY), Disappear(columns.chips[-1])
        yield *away, *inside, x, Then(Hold(STEADY), Appear(yes.names[0]))
        yield Then(Appear(yes.names[1], yes.strips[1]), Pulse(yes.strips[1], scale=SWELL))
        come = Appear(yes.names[2], yes.ground, *yes.bars, scale=1.0), Hold(QUICK), Appear(yes.rest)
        yield Then(*come), Vary(yes.multiply, 0, 1, SLOW)
        yield Pulse(yes.bars[0], run_time=STEADY, scale=SWELL)

    @beat("Add all up{constant}: | what's left is above zero, a yes.")
    def a_yes(self) -> Shown:
        yes = self.agreements[0]
        yield Appear(yes.names[3], yes.zero), yes.sum_up(SLOW)
        yield Then(Vary(yes.cancel, 0, 1, STEADY), yes.tell())

    @beat(
        "Another detector has other numbers: | multiply them, too, | and add up: | what's left "
        "is below zero, and that's a no."
    )
    def another_does_not(self) -> Shown:
        yes, no = self.agreements
        gone = Disappear(*yes.bars, yes.rest, yes.own, yes.told, yes.verdict, run_time=QUICK / 2)
        yield gone, TurnInto(yes.strips[1], no.strips[1], STEADY)
        come = Appear(*no.bars, scale=1.0, run_time=QUICK / 2), Vary(no.multiply, 0, 1, STEADY)
        yield *come, Then(Hold(QUICK), Appear(no.rest))
        yield no.sum_up()
        yield Then(Vary(no.cancel, 0, 1), no.tell())

    @beat(
        "There are {hidden}, to tell more apart: | side by side, they are a matrix. "
        "| The word meets each of them, | and each has its sum."
    )
    def up(self) -> Shown:
        up, names, (yes, no) = self.upward, self.names, self.agreements
        gone = *yes.names, no.rest, no.own, yes.ground, yes.zero, *no.bars, no.told, no.verdict
        stands = TurnInto(yes.strips[0], up.weights), TurnInto(no.strips[1], self.column)
        shown = Then(Hold(), Appear(*up.board, run_time=HAIR, scale=1.0))
        late = Then(Hold(STEADY), Appear(*up.dots, names[1][1]))
        spread = Together(Vary(up.spread, 0, 1, SLOW), late)
        yield Disappear(*gone), Then(Hold(QUICK), Together(*stands, shown), spread)
        yield Disappear(self.column), Draw(up.brackets), Appear(names[0], names[1][0])
        yield Then(Hold(QUICK), Vary(up.meet, 0, 1, MEETING, linear))
        yield Appear(up.said), Flow(map(Pulse, up.numbers), STEADY)

    @beat(
        "Set each sum on a line, as high as it is. | Then this line is bent, with all on it: "
        "| a yes passes, | a no becomes next to nothing. | So only detectors that fit are heard.",
    )
    def bent_one_by_one(self) -> Shown:
        up, bend = self.upward, self.bend
        axes = Then(Hold(STEADY), Together(Appear(bend.axes), Draw(bend.curve)))
        sums = Disappear(*up.board, *up.dots, *up.numbers, up.brackets, up.said)
        same = Appear(bend.entries, run_time=QUICK, scale=1.0), sums
        away = Then(Together(same), verbs.Become(bend.entries, bend.on_line, run_time=SLOW))
        yield Disappear(up.weights, *self.names[:2]), away, axes
        yield Appear(bend.ghost), bend.to(bend.on_curve, bend.bowed, BENDING)
        yield Appear(bend.yes, bend.rings[0]), Then(Hold(QUICK), Pulse(bend.yes))
        gone = Disappear(bend.rings[0])
        yield gone, Then(Draw(bend.fall), Appear(bend.no, bend.rings[1]), Pulse(bend.no))
        quiet = Disappear(bend.rings[1], bend.fall, bend.ghost), verbs.Dim(bend.no)
        yield *quiet, Flow((Pulse(part, scale=LARGER) for part in bend.heard), STEADY)

    @beat(
        "Each detector also has {width} numbers to add: "
        "| a louder yes adds more of them, | a no, next to none, "
        "| and all {hidden} add up to one vector.",
        gated="Here, what's left is a gate: it multiplies one more sum. | A last matrix says what "
        "each detector adds, | near zero, almost nothing, | and all {hidden} add up to one vector.",
    )
    def down(self) -> Shown:
        down, bend, names = self.downward, self.bend, self.names
        numbers = Then(Hold(QUICK / 2), Appear(*down.numbers, run_time=QUICK))
        left = Together(TurnInto(bend.entries, down.weights, QUICK), numbers)
        home = verbs.Become(bend.entries, bend.lying, run_time=QUICK)
        gate = [Appear(self.more), Hold(), verbs.GoInto(self.more, down.weights)] * self.is_gated
        shown, own = Appear(*down.board, *down.dots, names[2]), Draw(self.one)
        early = [shown, own] * (not self.is_gated)
        yield Disappear(*bend.picture), Then(home, *gate, left, *early)
        scaled = Then(Disappear(self.one), Vary(down.weigh, 0, 1, WEIGHING, linear))
        yield Then(shown, own, scaled) if self.is_gated else scaled
        yield verbs.Fade(down.silent, to=NEARLY_NONE, run_time=STEADY)
        yield Appear(down.said), Then(map(self._add, range(len(down.frames))))

    @beat(
        "That goes out of the MLP, | and joins the word's own vector, which went round it. "
        "| Every word goes through the same MLP, at once: | nothing passes between them.",
        alone="That goes out of the MLP, | and joins the word's own vector, which went round it. "
        "| Other words would go through the same MLP, all at once, "
        "| and nothing would pass between them.",
    )
    def side_by_side(self) -> Shown:
        columns, down, (*others, last) = self.columns, self.downward, self.tags
        inside = down.silent, down.weights, *down.numbers, down.said, down.matrix, *down.dots
        out = Then(Hold(QUICK), TurnInto(down.sum, self.out), Appear(last, *self.everybody[-3:]))
        words = *columns.chips[:-1], *columns.vectors[:-1]
        near = Then(Hold(STEADY), verbs.Fade(*words, to=theme.OUT_OF_FOCUS))
        yield Disappear(*inside, self.names[2], run_time=QUICK), self.pull_back(SLOW), out, near
        *roads, road = columns.roads
        copy, after, (*pluses, plus) = self.copy_of_own, self.afters[-1], columns.pluses
        one = verbs.GoInto(copy, plus), TurnInto(self.out, after)
        came = verbs.ComeFrom(copy, road.get_corner(UP + LEFT)), Appear(plus)
        yield Then(Draw(road, run_time=SLOW), Together(*came), Together(one))
        same = Appear(*columns.boxes[:-1]), verbs.Undim(*words), Flow(map(Draw, roads), STEADY)
        made = map(verbs.ComeFrom, self.afters[:-1], (box.get_top() for box in columns.boxes))
        named = Flow(map(Appear, others), QUICK), Flow(map(Appear, pluses), QUICK)
        swell = Flow(Pulse(box, scale=SWELL) for box in columns.boxes)
        yield Then(Together(*same), *named, Together(swell, *made))
        alone = zip(columns.vectors, columns.boxes, self.tags, self.afters, strict=True)
        yield Flow(map(Pulse, *zip(*alone, strict=True)), SLOW)

    @beat(
        "Take one of them. | In our texts, it's loudest on {heard}. "
        "| What it adds makes {written} likelier.",
        never="Take one of them. | In the texts we searched, it's never on. "
        "| What it adds makes {written} likelier.",
    )
    def one_detector(self) -> Shown:
        columns, one = self.columns, self.detector
        box, chip = columns.boxes[-1], columns.chips[-1]
        leaving = (part for part in (*self.afters, *self.tags, *columns) if part is not box)
        row = verbs.ComeFrom(self.row, box, QUICK), TurnInto(box, self.panel, QUICK)
        out = Together(Draw(self.slot, run_time=QUICK), verbs.ComeFrom(one.body, self.slot))
        name = verbs.ComeFrom(one.label[1], chip), Appear(one.label[0])
        yield Disappear(*leaving), Then(*map(Together, (row, [out], name)))
        rows = zip(one.rows, one.rings, strict=True)
        heard = Flow((Then(Appear(row), Draw(ring, run_time=QUICK)) for row, ring in rows), SLOW)
        lines = Flow(map(Draw, one.heard)), Pulse(one.cell, one.body[1], run_time=STEADY)
        yield Disappear(self.row, self.slot, self.panel), Appear(one.heads[0]), Then(heard, *lines)
        said = Flow(map(Draw, one.said)), Flow(map(Appear, one.written))
        yield Appear(one.heads[1]), Then(Together(*said), Flow(map(Pulse, one.written)))

    @beat(
        "A story often told: | Michael Jordan plays the sport of, what? "
        "| Attention brings the name to the last word. | In its MLP, a detector says yes, "
        "| and adds “basketball”."
    )
    def a_story(self) -> Shown:
        story, one = self.story, self.detector
        gone = Disappear(*one.others, run_time=QUICK / 2)
        box = [story.badge, story.plate, *[story.title, story.role] * story.is_level]
        seat = Then(verbs.MoveTo(one.cell, story.seat, fit=True), verbs.Dim(one.cell))
        seated = seat, Then(Hold(QUICK), Appear(*box))
        yield gone, *seated, Then(Hold(), Flow(map(Appear, story.chips), STEADY))
        asked = Appear(story.blank, story.what), Pulse(story.what, run_time=STEADY)
        yield Flow(map(Pulse, story.chips), STEADY), Then(Hold(), *asked)
        yield story.bring()
        yield story.enter(one.cell)
        yield story.tell()

    @beat(
        "Is it so here? | Watch the chance of “basketball”, as step after step joins in. "
        "| {most} of its rise comes in MLP steps: | they add, from what they learned, what no "
        "other word says.",
        unknown="Is it so here? | Watch the chance of “basketball”, as step after step joins in. "
        "| It doesn't know this one: {chance} at the end. | So here, a story it remains: "
        "attention brings what other words hold; | then an MLP could add, from what it learned, "
        "| what none of them says.",
    )
    def read_step_by_step(self) -> Shown:
        story, climb, unknown = self.story, self.climb, self.circumstances()["unknown"]
        inside = *story.inside, self.detector.cell
        come = Appear(climb.chance, climb.ground), Flow(map(Appear, climb.names))
        yield Disappear(*inside, story.answer.label), Then(Hold(QUICK / 2), Together(*come))
        yield verbs.Fade(*climb.steps, to=1.0, run_time=HAIR), climb.tell(*CLIMBING)
        if unknown:
            yield Pulse(climb.last, run_time=STEADY)
            gone = Disappear(*climb.steps, climb.ground, *climb.names, *climb.told, climb.chance)
            yield Then(gone, Appear(*inside), Pulse(story.whom))
            yield Pulse(self.detector.cell, run_time=STEADY)
        else:
            yield climb.point(0, 1)
        told = verbs.Recolor(story.answer.label, role=OUTPUT, run_time=HAIR)
        yield Then(told, Appear(story.answer.label), Pulse(story.answer, run_time=STEADY))

    def cast(self) -> None:
        """Make the columns, the inside of one MLP, the neuron, the story and the climb."""
        stage = self.stage
        self.weights = Shares(self.shares, "learned numbers", stage, stage.top - BAR / 2)
        self.columns = columns = self._columns(stage)
        self._make_inside(stage)
        self.detector = self._detector()
        self.story = Story(self.fact, NAME, ANSWER, stage)
        self.climb = Climb(self.chances, self.story.free)
        *others, last = range(len(self.tokens))
        self.others, self.everybody = columns.of(*others), columns.of(*others, last)
        self.stand(self.weights, *self.afters, columns, *self.tags, self.upward, self.downward)
        self.stand(self.out, self.copy_of_own)
        self.stand(self.bend, self.more, *self.names, self.panel, self.row, self.slot)
        self.stand(self.story, self.detector, self.climb, *self.agreements, self.column)

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
        layer = count(self.deep + 1, "the layer shown, counted from one")
        return Words("layer {}", layer, size=PLAIN_SIZE, role=QUIET)

    def _written(self) -> tuple[list[str], list[Value]]:
        """Return the tokens that the neuron makes likelier, and how much it pushes each."""
        row = self.tensor("weights.W_out")[self.deep, self.neuron]
        self.need_changes(row)
        table = self.tensor("weights.W_U")
        most = np.argsort(-(row.array @ table.array))[: 4 * RAISED].tolist()
        pieces = self.vocabulary(most)
        raised = [token for token in most if pieces.get(token, "").strip()][:RAISED]
        pushes = [dot(row, table.column(token)) for token in raised]
        return [pieces[token] for token in raised], pushes

    def _add(self, at: int) -> Verb:
        """Return how the sum takes on one of the loud detectors, which is framed for so long."""
        frame, ends = self.downward.frames[at], np.linspace(0, 1, len(self.downward.frames) + 1)
        pace = ADDING / len(self.downward.frames)
        takes = Vary(self.downward.add_up, float(ends[at]), float(ends[at + 1]), pace, linear)
        return Then(Draw(frame, run_time=pace / 2), takes, Disappear(frame, run_time=pace / 2))

    def _make_inside(self, stage: Region) -> None:
        """Make what is seen inside the box of the last token."""
        self.first = "W_gate" if self.is_gated else "W_in"
        room, ways = stage.inset(INSET * stage.height).narrowed(GAP, GAP), self._ways(-1)
        is_upright = room.height > UPRIGHT * room.width
        over = room.lowered((1 + is_upright) * HEADER)  # where all is turned, names need two lines
        over = over.narrowed(0, GAP * (not is_upright))  # brackets stand beside it
        under = room.lowered(HEADER).raised(HEADER) if is_upright else room.raised(HEADER)
        length = ROOMIER * over.height if is_upright else room.width
        self.drawn = drawn_of(self.before.double, DETECTORS * length, self.told)
        after, out = (self.tensor(name)[self.deep, -1] for name in ("mlp_post", "mlp_out"))
        sums, left = ([each[i].value for i in self.drawn] for each in (self.before, after))
        first = ways.x, ways.first, self.before.double
        second = ways.wide, ways.second, out.double
        up, down = (over, self.drawn, sums), (under, self.drawn, left)
        framed = self.drawn.index(self.told[1])
        self.taken = telling(ways.x, ways.first[:, list(self.told)], MULTIPLIED)
        self.upward = Weighing(first, *up, is_turned=is_upright, framed=framed, taken=self.taken)
        self.downward = Weighing(second, *down, is_turned=not is_upright, weighs_drawn=True)
        others = ways.wide if ways.more is None else ways.more
        more = Heat(others[self.drawn], (self.downward.deep, HAIR))
        beside = LEFT if is_upright else UP
        self.more = more.rotate(PI / 2 * is_upright).next_to(self.downward.weights, beside, HAIR)
        low, high = min(self.before.array.min(), 0.0), max(self.before.array.max(), 0.0)
        along = np.linspace(low - PAD * (high - low), high + PAD * (high - low), POINTS)
        bowed = self.bent(along).astype(np.float64)
        rows = self.upward.cells(of_sum=True), self.downward.cells(of_sum=False)
        both, curve = (self.before, self.after), (along, bowed)
        self.bend = Bend(both, curve, rows, room, self.told, drawn=self.drawn)
        room.hold(self.downward.said)
        self.names = self._names(room)
        said = self.upward.said.next_to(self.upward.brackets, UP if is_upright else LEFT, buff=HAIR)
        said.match_coord(self.upward.made, int(not is_upright))
        self.agreements = self._agreements(stage.inset(INSET * min(stage.width, stage.height)))
        self.column = self.upward.line_of_framed()
        self.upward.spread(0.0)
        self.one = self.downward.frames[self.downward.loud.index(self.downward.largest)]
        inside = VGroup(self.upward, self.downward, self.more, self.bend, *self.bend.twins)
        inside.add(*self.agreements, self.column)
        inside.add(*self.names)
        place_inside(inside, self.columns.boxes[-1], stage)

    def _agreements(self, room: Region) -> list[Agreement]:
        """Return how the word's numbers agree with both detectors', to one scale."""
        x, names = self.tensor("ln2")[self.deep, -1], (self.tokens[-1], "detector")
        first = self.tensor(f"weights.{self.first}")[self.deep]
        pairs = [((x, first.column(each)), self.before[each].value) for each in self.told]
        among = [products_of(*pair, self.taken) for pair in pairs]
        return [Agreement(*pair, names, room, among, taken=self.taken) for pair in pairs]

    def _shares(self) -> tuple[Value, Value]:
        """Return the shares of a block's weights that attention and the MLP have."""
        shapes = {name: self.tensor(f"weights.{name}").shape[1:] for name in BLOCK}
        heads = sum(prod(shapes[name]) for name in BLOCK[:2])
        heads += sum(prod(shapes[name]) for name in BLOCK[2:4]) // self.traits.sharing
        alone = prod(shapes["W_out"]) * (3 if self.is_gated else 2)
        both = count(heads, "weights of attention"), count(alone, "weights of an MLP")
        return both[0] / (both[0] + both[1]), both[1] / (both[0] + both[1])

    def _columns(self, region: Region) -> Columns:
        """Make the tokens' columns, and what goes through their boxes."""
        deep, shape = self.deep, self.stage.height / self.stage.width
        heeded = self.tensor("pattern")[deep].array.mean(axis=0)
        columns = Columns(self.tokens, self.tensor("resid_mid")[deep].array, heeded, region, shape)
        self.afters = [columns.vector(each) for each in self.tensor("resid_post")[deep].array]
        self.tags = [Words("MLP", size=SPOKEN_SIZE, role=OUTPUT) for _ in columns.boxes]
        for tag, box in zip(self.tags, columns.boxes, strict=True):
            tag.shrink_to(box.width - 2 * HAIR).move_to(box)
        for after, top in zip(self.afters, columns.tops, strict=True):
            after.move_to(top)
        self.out = columns.vector(self.tensor("mlp_out")[deep].array[-1]).move_to(columns.tops[-1])
        self.copy_of_own = columns.vectors[-1].copy()
        self.copy_of_own.next_to(columns.roads[-1], LEFT, buff=HAIR).match_y(self.out)
        return columns

    def _ways(self, token: int) -> Ways:
        """Return what goes through the MLP of a token."""
        named = {name: self.tensor(name)[self.deep, token].double for name in SITES}
        matrices = {self.first, *MATRICES}
        weights = {name: self.tensor(f"weights.{name}")[self.deep].double for name in matrices}
        more = named["ln2"] @ weights["W_in"] if self.is_gated else None
        first, (post, out) = weights[self.first], (named[each] for each in SITES[1:])
        return Ways(named["ln2"], first, post, weights["W_out"], out, more)

    def _detector(self) -> Detector:
        """Make the neuron, with what it is loudest on and what it writes."""
        texts = ([self.heard.get(token, "?") for token in each.ids] for each in self.found)
        sites = (self.tensor(f"excerpt{i}.mlp_post") for i in range(len(self.found)))
        heard = [*zip(texts, sites, strict=True)]
        stage, wide = self.stage, self.tensor("mlp_post")[self.deep, -1].double
        unit = (stage.width - 2 * GAP) / len(wide)
        self.row: Heat = Heat(wide, (unit * len(wide), ROW), least=SILENT, thinnest=0)
        self.row.move_to((stage.center[0], stage.top - ROW / 2 - HAIR, 0))
        slot = Rectangle(width=unit, height=ROW)
        slot.move_to(self.row).shift((self.neuron + 0.5 - len(wide) / 2) * unit * RIGHT)
        self.slot: Ring = Ring(slot, corner=0)
        self.panel: Ring = Ring(self.row, HAIR, OUTPUT).set_fill(theme.color(theme.PANEL), 1)
        own = self.tokens[-1], self.activation, count(self.neuron, "the neuron's place")
        return Detector(own, heard, self.written, self.pushes, stage.lowered(ROW + 2 * GAP))

    def _names(self, room: Region) -> list[VGroup]:
        """Return the token's chip, and the names of both matrices with their sizes."""
        up, down = self.upward, self.downward
        drawn = count(len(self.drawn), "those that are drawn")
        detectors = count(len(self.before), "entries of a vector")
        of = [detectors] * (len(self.drawn) < len(self.before))
        those = f"{{}}{' of {}' * bool(of)}"
        lines = f"{those} detectors", f"what {those} add"
        told = ([Words(line, drawn, *of, size=SPOKEN_SIZE)] for line in lines)
        chip = Chip(self.tokens[-1], SPOKEN_SIZE, widest=room.width / (1 if up.is_turned else 4))
        rooms = [room.width] * 2
        if not up.is_turned:
            rooms[0] = room.right - float(up.get_left()[0]) - chip.width - 2 * GAP
            rooms[1] = float((down.said.get_left() - down.matrix.get_left())[0]) - GAP
        named = zip(("gate" if self.is_gated else "in", "out"), told, rooms, strict=True)
        first, second = (matrix_name(*each) for each in named)
        if up.is_turned:
            above = VGroup(chip, first).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
            above.next_to(up, UP, buff=GAP, aligned_edge=LEFT)
            second.next_to(down, UP, buff=GAP, aligned_edge=LEFT)
        else:
            chip.next_to(up, UP, buff=GAP, aligned_edge=LEFT)
            first.next_to(chip, RIGHT, buff=2 * GAP)
            first.set_x(max(float(first.get_x()), float(up.brackets.get_x())))
            second.next_to(down.matrix, DOWN, buff=GAP, aligned_edge=LEFT)
            assert isinstance(second[1], Words)
            down.said.shift((second[1].baseline - down.said.baseline) * UP)
        for name in (first, second):
            room.hold(name)
        return [chip, first, second]


SEARCHED, RAISED = 5, 3  # tokens that a neuron is shown on, and that it makes likelier
NAMED = 3  # of them are said aloud
KNOWN = 0.5  # the chance of a fact that is known, at least
MEETING, BENDING = 5.0, 3.0  # seconds: a word meets all detectors, a line is bent
WEIGHING, ADDING = 2.4, 1.8  # seconds: a matrix is weighed; its lines are added, and framed as long
NEARLY_NONE = 0.25  # what is left of a no
SWELL, LARGER = 1.05, 1.4  # times as large: what has neighbours, a point that is heard
BAR, HEADER = 2.0, 0.9  # scene units, for a bar of shares with its words, for a matrix's name
ROW = 0.5  # scene units, the height of the row that a neuron comes from
MULTIPLIED = 7  # entries of a vector that are multiplied one by one
FACT, NAME, ANSWER = "Michael Jordan plays the sport of", "Michael Jordan", " basketball"
SITES, MATRICES = ("ln2", "mlp_post", "mlp_out"), ("W_in", "W_out")
DETECTORS, ROOMIER = 0.88, 1.3  # of a room, all detectors; on one another, more have room
BLOCK = ("W_Q", "W_O", "W_K", "W_V", "W_out")
UPRIGHT = 1.3  # of its width, a box's height, from which on all in it is turned
INSET = 0.11  # of the stage's height, around what is inside a box
POINTS, PAD = 121, 0.12  # of a curve; of its numbers' range, beyond them
CLIMBING = 4.0, 3.0  # seconds, for all steps, and more for all that a chance can gain


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: `a, b and c`."""
    *some, last = names or ["nothing"]
    return f"{', '.join(some)} and {last}" if some else last
