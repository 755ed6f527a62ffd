"""Keep the signal tidy: the stream grows, and every step gets a copy of one size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import expressions, theme
from scenes.analysis.tidied import Tidied
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.fit import needed_decimals, text_size
from scenes.mobjects.hills import BINS, NAME_SHARE, REACH, Hill, Hills, Reading, pile
from scenes.mobjects.marks import Brace
from scenes.mobjects.plot import Axes, Curve, Histogram
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector
from scenes.mobjects.ways import Way
from scenes.provenance import Array, Value, applied, count, mean
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
)

WAYS = "tidy a copy", "tidy the stream"
FAST, SLOWLY = ("pre_norm", "post_norm"), ("pre_norm_slow", "post_norm_slow")  # by each way
ROLES = (ACCENT, INK)  # of the two ways
LAYERS = 6  # vectors of the stream that are shown, at most
CHIP = 1.5  # times as large at first, the followed word's chip
LAST = 20  # steps of a run, whose mean loss is told
PLOT, ENDS = 0.6, 1.7  # of the stage, for the curves; scene units right of them, for their ends
PACE, PAIR = 0.6, (0.5, 2.0)  # scene units, by the fastest pace; by two arrows, at least and most
MINI = 0.26  # of a room's height, a small way
CENTERED = 0.1  # spreads; a mean that is nearer to zero hardly moves anything


class KeepTheSignalTidy(Film):
    """Blocks add to a stream that may grow, and each step gets a copy brought to one size."""

    title = "Keep the signal tidy"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
    poster_beat = "one-size-for-all"

    def observe(self) -> None:
        """Find the word to follow, its vector before each layer, and all words' at the end."""
        self.has_mean = self.traits.norm == "layer norm"
        self.hero = self.followed()
        before, after = self.tensor("resid_pre"), self.tensor("resid_post")
        layers = len(before)
        stops = np.unique(np.linspace(0, layers, min(LAYERS, layers + 1)).round().astype(int))
        self.stops = [int(stop) for stop in stops]
        streams = [after[stop - 1] if stop else before[0] for stop in self.stops]
        self.layers = [Tidied.of(each[self.hero], has_mean=self.has_mean) for each in streams]
        self.words_there = [Tidied.of(row, has_mean=self.has_mean) for row in streams[-1]]
        self.runs = {name: self.tensor(f"norms.{name}.loss") for name in (*FAST, *SLOWLY)}
        self.alike = {name: self.tensor(f"norms.{name}.alike").values for name in FAST}
        sums = [Tidied.of(each[self.hero], has_mean=False) for each in self.tensor("sums")]
        self.sums = sums[:2], sums[2:]  # of the stream as it is, and tidied

    def words(self) -> Mapping[str, str]:
        """Name the word, and how far its numbers spread at both ends."""
        ends, (one, other) = [self.layers[at].spread for at in (0, -1)], self.sums[0]
        return {
            "hero": self.name_of(self.hero),
            "start": f"{ends[0].number:.{needed_decimals(ends[:1], 1)}f}",
            "end": f"{ends[1].number:.{needed_decimals(ends[1:], 1)}f}",
            "times": f"{(other.spread / one.spread).number:.0f}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say what the model does about the mean."""
        last = self.layers[-1]
        near = abs(last.middle.number) < CENTERED * last.spread.number if last.middle else False
        told = {"without_mean": not self.has_mean, "centered": self.has_mean and near}
        return {**super().circumstances(), **told}

    def cast(self) -> None:
        """Make the vectors of one word, those of all words, the two ways, and their runs."""
        names = [self._block_name(stop) for stop in self.stops]
        self.rows = Hills(self.layers, names, self.under_title)
        self.ruler = self.rows.ruler  # the others take it over
        self.hill = Hill(self.layers[-1], self.stage, self.ruler)
        size = text_size(self.tokens, NAME_SHARE * self.stage.width, SPOKEN_SIZE)
        pieces = [TokenText(piece, size) for piece in self.tokens]
        self.every = Hills(self.words_there, pieces, self.stage, told=False, ruler=self.ruler)
        self.found = self._what_is_added()
        weights = self.tensor("reading")
        self.reading = Reading(self.rows, weights, self.sums, self.stage.right)
        self.numbers = self._as_numbers()
        self.chip = Chip(self.tokens[self.hero], SPOKEN_SIZE, self.stage.width / 2)
        self.chip.scale(CHIP).next_to(self.numbers, UP, buff=GAP)
        self.streams, self.copies, self.headings = self._beside()
        self.ways = self._both_ways()
        self.cast_runs(self.stage)
        self.stand(self.rows, self.reading, *self.found, self.hill, self.numbers, self.chip)
        self.stand(self.every, *self.ways, self.axes, *self.curves, *self.ends)
        self.stand(self.pace, self.paced, *self.tags, *self.pairs, *self.gaps)
        self.stand(*self.streams, *self.doors, *self.copies, *self.headings)

    @beat(
        "This is {hero}, going in: numbers. | Every block finds something, "
        "| and adds it: this is its stream. | Their spread about the middle "
        "| grows from {start} to {end}. | Multiply both by one block's fixed weights: "
        "sums grow {times} times. | How can these suit both?",
    )
    def it_grows(self) -> Shown:
        rows, vector, chip = self.rows, self.numbers, self.chip
        listed = Appear(chip, vector.cells, vector.dots, *vector.numbers, scale=1.0)
        half = np.array([chip.width, -chip.height, 0.0]) / 2 / CHIP
        goes = MoveTo(chip, rows.corner + half, scale=1 / CHIP)
        places = [rows.place(0, vector.values[i].number) for i in vector.shown]
        each = zip(vector.cells, vector.numbers, places, strict=True)
        fallen = Flow(Together(GoInto(c, at), GoInto(n, at)) for c, n, at in each)
        piled = Then(Hold(QUICK), pile(rows.shapes[0]))
        ruled = Appear(rows.ruler, rows.names[0])
        dots = GoInto(vector.dots, rows.shapes[0])
        named = Flow(Pulse(cell) for cell in vector.cells)
        yield Then(listed, named, Together(fallen, piled, dots, goes, Then(Hold(QUICK), ruled)))
        yield Flow(map(Appear, rows.names[1:]), STEADY), Flow(map(pile, self.found), STEADY)
        yield Then(self._adds())
        bars, read = rows.bars, self.reading
        yield Appear(rows.heading, bars.zero), Flow(map(Draw, read.spans), SLOW)
        yield Flow(map(Appear, bars.shapes, bars.numbers)), Pulse(*read.spans, run_time=STEADY)
        yield Disappear(rows.heading, bars, *read.spans), Dim(*rows.inner()), read.begin()
        yield Pulse(*read.times[0], *read.sums[0], run_time=STEADY)

    @beat(
        "So bring the last to one size. | Take away its mean. | Divide by its spread: "
        "| now it's one; a learned stretch may follow.",
        centered="So bring the last to one size. | Take away its mean: here, next to nothing. "
        "| Divide by its spread: | now it's one; a learned stretch may follow.",
        without_mean="So bring the last to one size. | Others would take away its mean; this "
        "model doesn't. | Divide by its spread: | now it's one; a learned stretch may follow.",
    )
    def tidy_one(self) -> Shown:
        rows, hill, shape = self.rows, self.hill, self.rows.shapes[-1]
        away = Disappear(*rows.but(-1), self.reading)
        yield away, TurnInto(shape, hill.shapes[0]), hill.ruled()
        yield Then(Appear(hill.line, hill.mean), hill.lose_mean())
        braced = Together(Draw(hill.brace), Appear(hill.spread))
        yield Then(braced, Hold(), hill.lose_spread())
        yield Pulse(hill.spread, run_time=STEADY), Pulse(hill.ruler[-1], run_time=STEADY)

    @beat(
        "Do that before every step, | and each gets {hero} at one size: "
        "| now sums are of like size."
    )
    def one_size(self) -> Shown:
        rows, hill, last = self.rows, self.hill, len(self.layers) - 1
        for at in range(0 if rows.rescales else last, last + 1):  # else they would leave the stage
            rows.set_tidy(at, rows.ratio)
        shape, ruled = rows.shapes[last], rows.ruled(tidy=rows.rescales)
        back = TurnInto(hill.shapes[0], shape), Disappear(*hill.around), ruled
        told = [each.spread for each in self.layers]
        one = [spread / spread for spread in told]
        rows.bars.put([*told[:last], one[last]])
        yield *back, Then(Hold(STEADY / 2), Appear(*rows.but(last), scale=1.0))
        tidy = [] if rows.rescales else [rows.tidy(at) for at in range(last)]
        yield Flow(tidy, SLOW), Remeasure(rows.bars, one, run_time=SLOW)
        yield Disappear(rows.heading, rows.bars), Dim(*rows.inner()), self.reading.begin(tidy=True)

    @beat(
        "The same weights read every word: here they all are. | So each one is tidied, "
        "| and by itself: none looks at another.",
        alone="The same weights read every word: {hero} is the only one here. | It is tidied, "
        "| and by itself: no word looks at another.",
    )
    def each_by_itself(self) -> Shown:
        rows, every, hero, shape = self.rows, self.every, self.hero, self.rows.shapes[-1]
        moved = Disappear(self.chip, run_time=QUICK / 4)
        named = Together(ComeFrom(every.names[hero], self.chip.label), moved)
        every.set_tidy(hero)
        shown = TurnInto(shape, every.shapes[hero])
        others = [at for at in range(len(every.shapes)) if at != hero]
        each = ((Appear(*every.texts(at)), pile(every.shapes[at])) for at in others)
        listed = Flow(map(Together, each), SLOW)
        gone = Disappear(*rows.but(-1), self.reading, run_time=QUICK)
        yield gone, named, shown, every.ruled(), Then(Hold(QUICK / 2), listed)
        yield every.tidy_others(hero)
        yield Flow((Draw(wall) for wall in every.walls), STEADY), every.nearer()

    @beat(
        "But what is tidied? | A copy: the step reads it, and adds what it finds to the stream. "
        "| Or, sketched here: read it as it is, add the same, tidy the stream."
    )
    def two_ways(self) -> Shown:
        (one, other), every = self.ways, self.every
        name = every.names[self.hero]
        gone = Disappear(*(part for part in every if part is not name), every.ruler)
        x, y, _ = one.stream.foot + (2 * HAIR + name.height / 2) * DOWN
        moved = MoveTo(name, (max(x, self.stage.left + HAIR + name.width / 2), y, 0))
        way = Appear(*one.lines, one.layer, one.plus, scale=1.0), pile(one.stream)
        yield gone, self.zoom_into(one, 1.0, STEADY), moved, Then(Hold(QUICK / 2), *way)
        yield Then(Appear(one.norm, one.heading, one.ticks), one.flow())
        both = Appear(*other.lines, other.layer, other.plus, scale=1.0), self.pull_back(STEADY)
        told = Appear(other.norm, other.heading, other.stream, other.ticks)
        yield Then(both[0], told, other.flow()), both[1]

    @beat(
        "We trained both. | Tidying a copy, the right next word's chance grows. | Tidying the "
        "stream, it's stuck: | all words' vectors turn one way, and get one guess."
    )
    def two_runs(self) -> Shown:
        yield self._to_the_chart()
        for at, end in enumerate(self.ends[:2]):
            yield Then(Draw(self.curves[at], run_time=SLOW), Appear(end[0]), Pulse(end[0]))
        turned = map(Pair.through, self.pairs, (self.alike[run] for run in FAST))
        come = Appear(*self.pairs, scale=1.0), Together(turned), Pulse(self.pairs[1].cosine)
        yield Disappear(*self.minis), Then(Hold(QUICK), *come)

    @beat(
        "That was a fast start. | Started slowly, both learn, the stream even better. "
        "| Fast, it was stuck. | A copy learns either way: the safe choice."
    )
    def slow_start(self) -> Shown:
        curves, ends = self.curves, self.ends
        told = Appear(self.pace, self.paced, scale=1.0), Appear(*(end[1] for end in ends[:2]))
        yield Then(Disappear(*self.pairs, run_time=QUICK), Together(told), Appear(*self.minis))
        drawn = Together(Draw(each, run_time=SLOW) for each in curves[2:])
        lower = map(Become, curves, self.lower)
        down = (Shift(*end, by=-rise) for end, rise in zip(ends, self.rises, strict=False))
        before = Then(Together(*lower, *down), Dim(*curves[:2], *ends[:2]))
        slow = Become(self.pace, self.slow_pace, SLOW), Then(Hold(STEADY), drawn)
        yield before, *slow, Then(Hold(STEADY + SLOW), Appear(*ends[2:]))
        for way in (1, 0):
            own, rest = slice(way, None, 2), slice(1 - way, None, 2)
            seen = Dim(*curves[rest], *ends[rest]), Undim(*curves[own], *ends[own])
            gap = Disappear(*self.gaps[way + 1 :]), Then(Hold(QUICK), Draw(self.gaps[way]))
            yield *seen, *gap, Pulse(self.tags[way], *ends[own])

    @beat(
        "So let the stream grow, | and give every step a copy of one size: "
        "| its weights needn't suit any other."
    )
    def one_size_for_all(self) -> Shown:
        rows = zip(self.rows.names, self.streams, strict=True)
        told = *self.tags, *self.gaps, self.pace, self.paced, *self.ends
        gone = Disappear(self.axes, *self.curves, *told, *self.ways, run_time=QUICK / 2)
        grown = Flow((Together(Appear(name), pile(each)) for name, each in rows), STEADY)
        yield gone, Appear(self.headings[0]), grown
        tidied = [copy.copy() for copy in self.copies]
        come = list[Verb]()
        for stream, copy, whole in zip(self.streams, self.copies, tidied, strict=True):
            copy.match_points(stream)
            seen = Appear(copy, scale=1.0, run_time=QUICK / 4)
            come.append(Then(seen, Shift(copy, by=whole.foot - stream.foot), Become(copy, whole)))
        yield Appear(self.headings[1]), Flow(map(Draw, self.doors), QUICK), Flow(come, QUICK)
        ends = self.copies[0], self.copies[-1]
        yield Then(self.reading.begin(ends, tidy=True), Hold(STEADY))

    # What only this film shows

    def derived(self) -> Mapping[str, Array]:
        """Add runs that differ in where they normalise, and in their start; and sums of weights.

        These are what the first MLP's weights would make of words before all blocks, and after,
        as they are and tidied.
        """
        tensors, weights = self.trace.tensors(), self.trace.weights
        first = tensors[f"weights.{'W_gate' if 'W_gate' in weights else 'W_in'}"][0]
        ends = np.stack([tensors["resid_pre"][0], tensors["resid_post"][-1]])
        off = ends.mean(axis=-1, keepdims=True) * (self.traits.norm == "layer norm")
        tidied = (ends - off) / np.sqrt(np.square(ends - off).mean(axis=-1, keepdims=True))
        sums = np.concatenate([ends, tidied]) @ first
        return {**self.companion("norms"), "reading": first, "sums": sums}

    def small_print(self) -> Words:
        """Say how many blocks there are, and how many numbers a word has."""
        stream = self.tensor("resid_pre").array
        blocks, numbers = count(len(stream), "blocks"), count(stream.shape[-1], "numbers a word")
        told = "{} blocks, {} numbers a word", blocks, numbers
        return Words(*told, size=theme.PLAIN_SIZE, role=QUIET)

    def _block_name(self, stop: int) -> Words:
        if not stop:
            return Words("at the start", size=SPOKEN_SIZE)
        blocks = "block" if stop == 1 else "blocks"
        return Words(f"after {{}} {blocks}", count(stop, "blocks before"), size=SPOKEN_SIZE)

    def _what_is_added(self) -> list[Histogram]:
        """Return how the numbers are spread that come in between one row and the next."""
        found = list[Histogram]()
        for (before, after), shape in zip(pairwise(self.layers), self.rows.shapes[1:], strict=True):
            added, (x, y, _) = after.vector.double - before.vector.double, shape.foot
            size = shape.unit, shape.height
            found.append(Histogram(added, (x, y), *size, BINS, role=theme.OUTPUT))
        return found

    def _adds(self) -> Iterator[Verb]:
        """Return how each row is what one has above, and what is added to it."""
        rows = self.rows
        wholes = [shape.copy() for shape in rows.shapes]
        for at, found in enumerate(self.found, 1):
            shape, whole = rows.shapes[at], wholes[at]
            shape.match_points(wholes[at - 1])
            seen = Appear(shape, scale=1.0, run_time=QUICK / 4)
            both = Become(shape, whole, QUICK), Become(found, whole, QUICK)
            yield Then(Together(seen, *both), Disappear(found, run_time=HAIR))

    def _as_numbers(self) -> Vector:
        """Return the word's vector at the start as a row of cells with numerals."""
        most = 5 if self.stage.is_narrow else 8
        room = self.stage.width / (most + 1), 0.7 * self.stage.width / (most + 1)
        row = Vector(self.layers[0].vector.values, room, most=most, hollow=False)
        return row.move_to(self.stage.center)

    def _both_ways(self) -> list[Way]:
        """Return the two ways, one over the other."""
        tensors = self.tensor("resid_mid"), self.tensor("resid_post")
        far = [abs(float(np.log(each[self.hero].double.std()))) for each in tensors[0]]
        layer = int(np.argmax(far))  # where tidying does most
        first, last = (
            Tidied.of(each[layer, self.hero], has_mean=self.has_mean) for each in tensors
        )
        rooms = zip(self.stage.rows(2), WAYS, ROLES, (True, False), strict=True)
        return [
            Way(room.lowered(GAP).inset(HAIR), name, role, (first, last), on_copy=on_copy)
            for room, name, role, on_copy in rooms
        ]

    def _beside(self) -> tuple[list[Histogram], list[Histogram], list[Words]]:
        """Return the stream after each layer, the copy that is read, and what they are called."""
        rows, region = self.rows, self.under_title
        end = float(self.reading.tile.get_left()[0]) - GAP
        left, right = replace(region, left=rows.left, right=end).in_columns(2)
        streams, copies, self.doors = list[Histogram](), list[Histogram](), list[Rectangle]()
        widest = max(each.spread.number + abs(each.off) / REACH for each in self.layers)
        for each, shape in zip(self.layers, rows.shapes, strict=True):
            (x, across), low = (left.center[0], right.center[0]), shape.foot[1]
            unit = left.width / (2 * REACH * widest)
            numbers, tall = each.vector.double, shape.height
            streams.append(Histogram(numbers, (x, low), unit, tall, BINS))
            near = right.width / 3 / REACH
            near = near if rows.rescales else min(near, unit)
            copy = Histogram(numbers, (across, low), near, tall, BINS)
            copy.slide(each.off)
            copy.divide(each.spread.number)
            copies.append(copy)
            door = Rectangle(width=0.8 * right.width, height=1.12 * tall)
            door.move_to((across, low, 0), DOWN).set_stroke(theme.color(ACCENT), theme.THIN_LINE)
            self.doors.append(door)
        named = ("stream", INK), ("copy, tidied", ACCENT)
        headings = [Words(name, size=SPOKEN_SIZE, role=role) for name, role in named]
        for heading, room in zip(headings, (left, right), strict=True):
            heading.move_to((room.center[0], room.top, 0), UP)
            self.stage.hold(heading)
        return streams, copies, headings

    def cast_runs(self, region: Region) -> None:
        """Make the axes, each run's curve and what it comes to, and where the two ways stand."""
        steps, wide = len(self.runs[FAST[0]]), not region.is_narrow
        box, beside = region.columns(PLOT) if wide else region.split(PLOT)
        low, right = (1.6 * PACE, GAP) if wide else (2 * PACE, ENDS)
        box = box.inset(2 * GAP).raised(low).lowered(HAIR).narrowed(-GAP, right)
        means = {name: _running_mean(run.double) for name, run in self.runs.items()}
        most = max(float(np.exp(-each).max()) for each in means.values())
        named = "steps of training", "chance of the next word"
        names = [Words(name, size=SPOKEN_SIZE, role=QUIET) for name in named]
        marks = [count(step, "steps of each run") for step in (0, steps)]
        self.axes = Axes(box, (steps, most), (names[0], names[1]), marks)
        names[0].move_to(box.center).set_y(self.axes.ticks[0].get_y())
        names[1].align_to(box.center - box.width / 2 * RIGHT, LEFT)
        self.curves, self.ends = list[Curve](), list[VGroup]()
        across = np.arange(steps, dtype=float)
        for (name, run), role in zip(self.runs.items(), 2 * ROLES, strict=True):
            self.curves.append(Curve(self.axes, across, np.exp(-means[name]), role))
            loss = mean(run.values[-LAST:])
            surprise = applied(expressions.EXPONENTIAL, np.exp(loss.number), loss)
            chance = count(1, "what all chances add up to") / surprise
            end = Words("{:.1%}", chance, size=SPOKEN_SIZE, role=role)
            end.next_to(self.axes.at(steps, chance.number), RIGHT, buff=HAIR)
            pace = Words("fast" if name in FAST else "slow", size=SPOKEN_SIZE, role=role)
            pace.next_to(end, RIGHT, buff=HAIR).shift((end.baseline - pace.baseline) * UP)
            self.ends.append(VGroup(end, pace))
        right = max(float(end.get_right()[0]) for end in self.ends) + HAIR
        ends = [np.array((right, end.get_y(), 0)) for end in self.ends]
        self._come_nearer()
        self.gaps = [Brace(Line(ends[at], ends[at + 2]), RIGHT) for at in range(len(WAYS))]
        for gap, role in zip(self.gaps, ROLES, strict=True):
            self.stage.hold(gap.set_color(theme.color(role)))
        low = float(names[0].get_bottom()[1]) - HAIR - PACE
        self.pace, self.slow_pace = (self._pace(runs[0], low) for runs in (FAST, SLOWLY))
        self.paced = Words("how fast weights change", size=SPOKEN_SIZE)
        self.paced.shrink_to(self.pace.width - GAP).move_to(self.pace, RIGHT).shift(HAIR * LEFT)
        self._cast_ways(beside.narrowed(ENDS, 0).rows(2) if wide else beside.in_columns(2))

    def _come_nearer(self) -> None:
        """Show the fast runs, while they are alone, as high as there is room."""
        fast, foot = self.curves[: len(FAST)], self.axes.at(0.0, 0.0)
        self.lower = [curve.copy() for curve in fast]
        near = self.axes.region.height / max(curve.height for curve in fast)
        self.rises = [(near - 1) * (end.get_y() - foot[1]) * UP for end in self.ends[: len(FAST)]]
        for curve, end, rise in zip(fast, self.ends, self.rises, strict=False):
            curve.stretch(near, 1, about_point=foot)
            end.shift(rise)

    def _to_the_chart(self) -> Verb:
        """Return how the two ways go aside, small, and axes for their runs come."""
        boxes = (box[1] for way in self.ways for box in way.boxes)
        parts = (part for way in self.ways for part in (way.plus.label, way.ticks, way.heading))
        made = (body for way in self.ways for body in way.made)
        gone = Disappear(*boxes, *parts, *made, self.every.names[self.hero], run_time=QUICK / 2)
        settle = map(partial(MoveTo, scale=self.shrink), self.minis, self.spots)
        named = Appear(*self.axes.names, *self.axes.ticks, *self.tags)
        ruled = Then(Hold(QUICK), Together(map(Draw, self.axes.lines), named))
        return Together(gone, settle, ruled)

    def _pace(self, run: str, low: float) -> VMobject:
        """Return how fast a run learns at each step, under the axis of steps."""
        rates = self.tensor(f"norms.{run}.rate").double
        places = [self.axes.at(step, 0.0)[0] for step in range(len(rates))]
        tops = low + PACE * rates / rates.max()
        outline = [(places[0], low), *zip(places, tops, strict=True), (places[-1], low)]
        shape = VMobject(stroke_width=0).set_fill(theme.color(QUIET), theme.FAINTEST_FILL)
        corners = [(*corner, 0.0) for corner in (*outline, outline[0])]
        return shape.set_points_as_corners(np.array(corners))

    def _cast_ways(self, rooms: Sequence[Region]) -> None:
        """Make names of the two ways, where these stand small, and how alike words come out."""
        open_boxes = ([part for box in way.boxes for part in (box[0], box[2])] for way in self.ways)
        each = zip(self.ways, open_boxes, strict=True)
        self.minis = [VGroup(*w.lines, *boxes, w.plus.plate, w.stream) for w, boxes in each]
        high = max(mini.height for mini in self.minis)
        long, high = (rooms[0].width - GAP) / self.ways[0].width, MINI * rooms[0].height / high
        self.shrink = min(long, high)
        self.spots, self.tags, self.pairs = list[Point3D](), list[Words](), list[Pair]()
        ways = zip(self.minis, rooms, WAYS, ROLES, FAST, strict=True)
        for mini, room, name, role, run in ways:
            tag = Words(name, size=SPOKEN_SIZE, role=role)
            self.tags.append(tag.move_to((room.center[0], room.top, 0), UP))
            height, under = self.shrink * mini.height, room.below(tag, 2 * HAIR)
            self.spots.append(np.array((room.center[0], under.top - height / 2, 0)))
            self.pairs.append(Pair(self.alike[run][0], under, role))


class Pair(VGroup):
    """Two words' vectors, as two arrows, and how alike they are, as their `cosine`."""

    def __init__(self, value: Value, region: Region, role: theme.Role) -> None:
        told = Words("words alike", size=SPOKEN_SIZE)
        self.cosine = Number(value, 2, SPOKEN_SIZE, anchor=LEFT).next_to(told, RIGHT, buff=HAIR)
        line = VGroup(told, self.cosine)
        self.long = float(np.clip(region.height - line.height - GAP, *PAIR))
        self.foot = np.array((region.center[0], region.top - self.long))
        line.move_to((self.foot[0], self.foot[1] - HAIR, 0), UP)
        self.arrows = [Arrow(theme.color(role)) for _ in range(2)]
        super().__init__(*self.arrows, told, self.cosine)
        self.turn(value.number)

    def turn(self, cosine: float) -> None:
        """Lay the arrows as far apart as a cosine says."""
        half = np.arccos(min(cosine, 1.0)) / 2
        for arrow, side in zip(self.arrows, (-1, 1), strict=True):
            way = np.array((side * np.sin(half), np.cos(half)))
            arrow.point(self.foot, self.foot + self.long * way)

    def through(self, stops: Sequence[Value]) -> Verb:
        """Return how they get as alike as each of some cosines says, one after another."""
        pace = SLOW / (len(stops) - 1)
        turns = (Vary(self.turn, a.number, b.number, pace) for a, b in pairwise(stops))
        counted = (Count(self.cosine, stop, pace) for stop in stops[1:])
        return Then(*map(Together, zip(turns, counted, strict=True)))


def _running_mean(losses: Array) -> Array:
    """Return the mean of the last losses at each step of a run."""
    sums = np.cumsum(np.concatenate([[0.0], losses]))
    ends = np.arange(1, len(sums))
    starts = np.maximum(ends - LAST, 0)
    return np.asarray((sums[ends] - sums[starts]) / (ends - starts))
