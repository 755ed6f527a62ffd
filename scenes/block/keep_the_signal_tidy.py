"""Keep the signal tidy: the stream grows, and every layer gets a copy of one size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import expressions, theme
from scenes.analysis.tidied import Tidied
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.fit import needed_decimals, text_size
from scenes.mobjects.hills import BINS, NAME_SHARE, REACH, Hill, Hills, pile
from scenes.mobjects.plot import Axes, Curve, Histogram
from scenes.mobjects.text import TokenText, Words, em_of
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector
from scenes.mobjects.ways import Way
from scenes.provenance import (
    Array,
    applied,
    count,
    mean,
)
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    FAINTEST_FILL,
    GAP,
    HAIR,
    INK,
    OUTPUT,
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
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Shift,
    Then,
    Together,
    TurnInto,
    Verb,
)

WAYS = ("tidy a copy", "tidy the stream")
ROLES = (ACCENT, INK)  # of the two ways
LAYERS = 6  # vectors of the stream that are shown, at most
CHIP = 1.5  # times as large at first, the followed word's chip
LAST = 20  # steps of a run, whose mean loss is told
PLOT, ENDS = 0.6, 1.2  # of the stage, for the curves; scene units right of them, for their ends
CENTERED = 0.1  # spreads; a mean that is nearer to zero hardly moves anything


class KeepTheSignalTidy(Film):
    """Layers add to a stream that may grow, and each gets a copy brought to one size."""

    title = "Keep the signal tidy"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 86
    poster_beat = "one-size-for-all"

    def derived(self) -> Mapping[str, Array]:
        """Add the losses of two runs that differ in where they normalise."""
        return self.companion("norms")

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
        self.runs = {name: self.tensor(f"norms.{name}.loss") for name in ("pre_norm", "post_norm")}

    def words(self) -> Mapping[str, str]:
        """Name the word, and how far its numbers spread at both ends."""
        ends = [self.layers[at].spread for at in (0, -1)]
        return {
            "hero": self.name_of(self.hero),
            "start": f"{ends[0].number:.{needed_decimals(ends[:1], 1)}f}",
            "end": f"{ends[1].number:.{needed_decimals(ends[1:], 1)}f}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say what the model does about the mean."""
        last = self.layers[-1]
        middle = last.middle.number if last.middle else 0.0
        return {
            **super().circumstances(),
            "without_mean": not self.has_mean,
            "centered": self.has_mean and abs(middle) < CENTERED * last.spread.number,
        }

    def small_print(self) -> Words:
        """Say how many layers there are, and how many numbers a word has."""
        stream = self.tensor("resid_pre").array
        layers, numbers = count(len(stream), "layers"), count(stream.shape[-1], "numbers a word")
        return Words("{} layers, {} numbers a word", layers, numbers, size=PLAIN_SIZE, role=QUIET)

    def cast(self) -> None:
        """Make the vectors of one word, those of all words, the two ways, and their runs."""
        names = [self._layer_name(stop) for stop in self.stops]
        self.rows = Hills(self.layers, names, self.under_title)
        self.hill = Hill(self.layers[-1], self.stage)
        size = text_size(self.tokens, NAME_SHARE * self.stage.width, SPOKEN_SIZE)
        pieces = [TokenText(piece, size) for piece in self.tokens]
        self.every = Hills(self.words_there, pieces, self.stage, told=False)
        self.found = self._what_is_added()
        self.numbers = self._as_numbers()
        self.chip = Chip(self.tokens[self.hero], SPOKEN_SIZE, self.stage.width / 2)
        self.chip.scale(CHIP).next_to(self.numbers, UP, buff=GAP)
        self.streams, self.copies, self.headings = self._beside()
        self.ways = self._both_ways()
        self.window = self._window()
        self.cast_runs(self.stage)
        self.stand(self.rows, *self.found, self.hill, self.numbers, self.chip, self.every)
        self.stand(*self.ways, self.window, self.axes, *self.raw, *self.curves, *self.ends)
        self.stand(*self.streams, *self.doors, *self.copies, *self.headings)

    @beat(
        "This is {hero}, as it goes in: a list of numbers. | Every layer finds something, "
        "| and adds it to what is there. "
        "| Its numbers spread by {start} at first, | by {end} at the end. "
        "| How can a layer read both?",
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
        ruled = Appear(rows.marks, rows.heading, rows.bars.zero, *rows.texts(0))
        dots = GoInto(vector.dots, rows.shapes[0])
        named = Flow(Pulse(cell) for cell in vector.cells)
        yield Then(listed, named, Together(fallen, piled, dots, goes, Then(Hold(QUICK), ruled)))
        comes = (Appear(*pair) for pair in zip(rows.names[1:], rows.ticks[1:], strict=True))
        yield Flow(comes, STEADY), Flow(map(pile, self.found), STEADY)
        yield Flow(self._adds(), SLOW, gathering=True)
        for at in (0, -1):
            yield Pulse(rows.shapes[at], rows.bars.numbers[at], run_time=STEADY, scale=1.25)
        down = Shift(self.window, by=rows.shapes[-1].foot - rows.shapes[0].foot)
        yield Then(Appear(self.window), Hold(), down, Pulse(rows.shapes[-1]))

    @beat(
        "Look at all numbers of the last one: | most near the middle, few far out. "
        "| First, take away their mean. | Then divide by their spread: | now it's one.",
        centered="Look at all numbers of the last one: | most near the middle, few far out. "
        "| First, take away their mean: here, it's next to nothing. "
        "| Then divide by their spread: | now it's one.",
        without_mean="Look at all numbers of the last one: | most near the middle, few far out. "
        "| Others would take away their mean; this model doesn't. "
        "| It divides by their spread: | now it's one.",
    )
    def tidy_one(self) -> Shown:
        rows, hill, shape = self.rows, self.hill, self.rows.shapes[-1]
        ruler = Appear(hill.ticks[0], hill.marks)
        yield Disappear(self.window, *rows.but(-1)), TurnInto(shape, hill.shapes[0]), ruler
        yield Then(Appear(hill.near), Become(hill.near, hill.far), Disappear(hill.near))
        yield Then(Appear(hill.line, hill.mean), hill.lose_mean())
        braced = Together(Draw(hill.brace), Appear(hill.spread))
        yield Then(braced, Hold(), hill.lose_spread())
        yield Pulse(hill.spread, run_time=STEADY), Pulse(hill.marks[1], run_time=STEADY)

    @beat(
        "Do that before every layer, | and each one gets {hero} at the same size, "
        "to scale as it has learned, | however far it has grown."
    )
    def one_size(self) -> Shown:
        rows, hill, last = self.rows, self.hill, len(self.layers) - 1
        for at in range(0 if rows.rescales else last, last + 1):  # else they would leave the stage
            rows.set_tidy(at)
        rows.nearer().show_at(1.0)
        shape = rows.shapes[last]
        back = Together(TurnInto(hill.shapes[0], shape), Disappear(*hill.around))
        told = [each.spread for each in self.layers]
        one = [spread / spread for spread in told]
        rows.bars.put([*told[:last], one[last]])
        yield Then(back, Appear(*rows.but(last), scale=1.0))
        tidy = [] if rows.rescales else [rows.tidy(at) for at in range(last)]
        yield Flow(tidy, SLOW), Remeasure(rows.bars, one, run_time=SLOW)
        yield Flow((Pulse(number) for number in rows.bars.numbers), SLOW)

    @beat(
        "Each word is tidied by itself: | here are the others, as they leave the last layer, "
        "| and as they're tidied. | No word looks at another.",
        alone="Each word is tidied by itself: | {hero} is the only one here, "
        "| and it's tidied. | No word looks at another.",
    )
    def each_by_itself(self) -> Shown:
        rows, every, hero, shape = self.rows, self.every, self.hero, self.rows.shapes[-1]
        named = Together(
            ComeFrom(every.names[hero], self.chip.label), Disappear(self.chip, run_time=QUICK / 4)
        )
        every.set_tidy(hero)
        moved = TurnInto(shape, every.shapes[hero])
        others = [at for at in range(len(every.shapes)) if at != hero]
        listed = Flow((Appear(*every.texts(at)) for at in others), QUICK)
        ruled = Together(Appear(every.marks, every.ticks[hero]), listed)
        yield Disappear(*rows.but(-1)), named, moved, Then(Hold(QUICK / 2), ruled)
        known = Pulse(every.shapes[hero], run_time=STEADY)
        yield known, Flow(pile(every.shapes[at]) for at in others)
        yield Then(Flow(map(every.tidy, others), QUICK), every.nearer())
        each = Then(Hold(), Flow((Pulse(shape) for shape in every.shapes), STEADY))
        yield Flow((Draw(wall) for wall in every.walls), SLOW), each

    @beat(
        "Where does this belong? | Tidy a copy, and add what the layer finds to the stream itself. "
        "| Or add first, and tidy the stream, as the first transformer did."
    )
    def two_ways(self) -> Shown:
        (one, other), every = self.ways, self.every
        shape = every.shapes[self.hero]
        gone = Disappear(*every.but(self.hero), *every.walls), self.zoom_into(one, 1.0, STEADY)
        way = Appear(*one.lines, one.layer, one.plus, scale=1.0)
        yield *gone, TurnInto(shape, one.stream), Then(Hold(QUICK / 4), way)
        yield Then(Appear(one.norm, one.heading), one.flow())
        both = Appear(*other.lines, other.layer, other.plus, scale=1.0), self.pull_back(STEADY)
        yield Then(both[0], Appear(other.norm, other.heading, other.stream), other.flow()), both[1]

    @beat(
        "We trained two small models, alike in all else. | Where a copy is tidied, the chance of "
        "the right next word grows. | Where the stream is, at this pace, it's stuck."
    )
    def two_runs(self) -> Shown:
        axes, headings = self.axes, [way.heading for way in self.ways]
        signs = (part for way in self.ways for part in (*(b[1] for b in way.boxes), way.plus.label))
        settle = [
            MoveTo(part, place, scale=scale)
            for mini, spot, heading, tag in zip(
                self.minis, self.spots, headings, self.tags, strict=True
            )
            for part, place, scale in ((mini, spot, self.shrink), (heading, tag, 1.0))
        ]
        ruled = Together(map(Draw, axes.lines)), Appear(*axes.names, *axes.ticks, *headings)
        yield Then(Disappear(*signs, *headings), Together(settle), Together(ruled))
        for curve, raw, end in zip(self.curves, self.raw, self.ends, strict=True):
            drawn = Draw(curve, run_time=SLOW), Draw(raw, run_time=SLOW)
            yield Then(Together(*drawn), Appear(end), Pulse(end))

    @beat(
        "So leave the stream alone: | let it grow, | and give every layer a copy of one size. "
        "| That's how a layer reads both."
    )
    def one_size_for_all(self) -> Shown:
        (one, other), rows = self.ways, [*zip(self.rows.names, self.streams, strict=True)]
        drawn = self.axes, *self.curves, *self.raw, *self.ends, other
        left = *one.lines, *one.boxes, one.plus, one.heading
        comes = Appear(self.headings[0], rows[-1][0]), TurnInto(one.stream, self.streams[-1])
        grown = Flow(Together(Appear(name), pile(each)) for name, each in rows[:-1])
        yield Disappear(*drawn, *left), *comes, grown
        yield Flow((Pulse(each) for each in self.streams), QUICK), Appear(self.headings[1])
        tidied = [copy.copy() for copy in self.copies]
        come = list[Verb]()
        for stream, copy, whole in zip(self.streams, self.copies, tidied, strict=True):
            copy.match_points(stream)
            over = Shift(copy, by=whole.foot - stream.foot)
            come.append(
                Then(Appear(copy, scale=1.0, run_time=QUICK / 4), over, Become(copy, whole))
            )
        yield Flow(map(Draw, self.doors), QUICK), Flow(come, QUICK)
        yield Then(Pulse(self.copies[0], self.copies[-1], run_time=STEADY), Hold(SLOW))

    # What only this film shows

    def _layer_name(self, stop: int) -> Words:
        if not stop:
            return Words("at the start", size=SPOKEN_SIZE)
        layers = "layer" if stop == 1 else "layers"
        return Words(f"after {{}} {layers}", count(stop, "layers before"), size=SPOKEN_SIZE)

    def _what_is_added(self) -> list[Histogram]:
        """Return how the numbers are spread that come in between one row and the next."""
        found = list[Histogram]()
        for (before, after), shape in zip(pairwise(self.layers), self.rows.shapes[1:], strict=True):
            added, (x, y, _) = after.vector.double - before.vector.double, shape.foot
            found.append(Histogram(added, (x, y), shape.unit, shape.height, BINS, role=OUTPUT))
        return found

    def _adds(self) -> Iterator[Verb]:
        """Return how each row is what one has above, and what is added to it."""
        rows, bars = self.rows, self.rows.bars
        wholes = [shape.copy() for shape in rows.shapes]
        for at, found in enumerate(self.found, 1):
            shape, whole = rows.shapes[at], wholes[at]
            shape.match_points(wholes[at - 1])
            seen = Appear(shape, scale=1.0, run_time=QUICK / 4)
            both = Become(shape, whole), Become(found, whole)
            told = Appear(bars.shapes[at], bars.numbers[at])
            yield Then(Together(seen, *both), Together(Disappear(found, run_time=QUICK / 4), told))

    def _as_numbers(self) -> Vector:
        """Return the word's vector at the start as a row of cells with numerals."""
        most = 5 if self.stage.is_narrow else 8
        room = self.stage.width / (most + 1), 0.7 * self.stage.width / (most + 1)
        row = Vector(self.layers[0].vector.values, room, most=most, hollow=False)
        return row.move_to(self.stage.center)

    def _both_ways(self) -> list[Way]:
        """Return the two ways, one over the other."""
        tensors = self.tensor("resid_pre"), self.tensor("resid_post")
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
        left, right = replace(region, left=rows.left).in_columns(2)
        streams, copies, self.doors = list[Histogram](), list[Histogram](), list[Rectangle]()
        widest = max(each.spread.number + abs(each.off) / REACH for each in self.layers)
        for each, shape in zip(self.layers, rows.shapes, strict=True):
            (x, across), low = (left.center[0], right.center[0]), shape.foot[1]
            unit = left.width / (2 * REACH * widest)
            numbers, tall = each.vector.double, shape.height
            streams.append(Histogram(numbers, (x, low), unit, tall, BINS))
            copy = Histogram(numbers, (across, low), right.width / 3 / REACH, tall, BINS)
            copy.slide(each.off)
            copy.divide(each.spread.number)
            copies.append(copy)
            door = Rectangle(width=0.8 * right.width, height=1.12 * tall)
            door.move_to((across, low, 0), DOWN).set_stroke(theme.color(ACCENT), THIN_LINE)
            self.doors.append(door)
        named = ("stream", INK), ("copy, tidied", ACCENT)
        headings = [Words(name, size=SPOKEN_SIZE, role=role) for name, role in named]
        for heading, room in zip(headings, (left, right), strict=True):
            heading.move_to((room.center[0], room.top, 0), UP)
            self.stage.hold(heading)
        return streams, copies, headings

    def cast_runs(self, region: Region) -> None:
        """Make the axes, each run's curve and what it comes to, and where the two ways stand."""
        steps = len(self.runs["pre_norm"])
        wide = not region.is_narrow
        box, beside = region.columns(PLOT) if wide else region.split(PLOT)
        box = box.inset(2 * GAP).narrowed(0, 0 if wide else ENDS)
        means = {name: _running_mean(run.double) for name, run in self.runs.items()}
        most = max(float(np.exp(-run.double).max()) for run in self.runs.values())
        named = "steps", "chance of the next word"
        names = [Words(name, size=SPOKEN_SIZE, role=QUIET) for name in named]
        marks = [count(step, "steps of each run") for step in (0, steps)]
        self.axes = Axes(box, (steps, most), (names[0], names[1]), marks)
        names[0].move_to(box.center).set_y(self.axes.ticks[0].get_y())
        names[1].align_to(box.center - box.width / 2 * RIGHT, LEFT)
        self.curves, self.raw, self.ends = list[Curve](), list[Curve](), list[Words]()
        across = np.arange(steps, dtype=float)
        for (name, run), role in zip(self.runs.items(), ROLES, strict=True):
            self.curves.append(Curve(self.axes, across, np.exp(-means[name]), role))
            raw = Curve(self.axes, across, np.exp(-run.double), role)
            self.raw.append(raw.set_stroke(width=THIN_LINE, opacity=FAINTEST_FILL))
            loss = mean(run.values[-LAST:])
            surprise = applied(expressions.EXPONENTIAL, np.exp(loss.number), loss)
            chance = count(1, "what all chances add up to") / surprise
            end = Words("{:.1%}", chance, size=TITLE_SIZE, role=role)
            self.ends.append(end.next_to(self.axes.at(steps, chance.number), RIGHT, buff=HAIR))
        self.minis = [
            VGroup(*w.lines, *(p for b in w.boxes for p in (b[0], b[2])), w.plus.plate, w.stream)
            for w in self.ways
        ]
        self.shrink = (beside.width - ENDS - 2 * GAP if wide else 0.44 * beside.width) / self.ways[
            0
        ].width
        self.spots, self.tags = list[Point3D](), list[Point3D]()
        for mini, end, column in zip(self.minis, self.ends, beside.in_columns(2), strict=True):
            width, height = self.shrink * mini.width, self.shrink * mini.height
            x, y = beside.right - GAP - width / 2, max(end.get_y(), box.bottom + height / 2)
            spot = np.array((x, y, 0)) if wide else column.center
            self.spots.append(spot)
            self.tags.append(spot + (height / 2 + em_of(SPOKEN_SIZE)) * UP)

    def _window(self) -> Rectangle:
        """Return the room of one spread that a layer reads well, as it stands in the first row."""
        shape, most = self.rows.shapes[0], 2 * (self.rows.middle - self.rows.left) - HAIR
        width = min(2 * REACH * self.rows.unit, most)
        box = Rectangle(width=width, height=1.12 * shape.height).move_to(shape.foot, DOWN)
        return box.set_stroke(theme.color(ACCENT), 2 * THIN_LINE)


def _running_mean(losses: Array) -> Array:
    """Return the mean of the last losses at each step of a run."""
    sums = np.cumsum(np.concatenate([[0.0], losses]))
    ends = np.arange(1, len(sums))
    starts = np.maximum(ends - LAST, 0)
    return np.asarray((sums[ends] - sums[starts]) / (ends - starts))
