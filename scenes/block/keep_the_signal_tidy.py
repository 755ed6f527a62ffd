"""Keep the signal tidy: the stream grows, and every layer reads a copy of one size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim.constants import LEFT, RIGHT, UP

from scenes.analysis.tidied import Tidied
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.fit import needed_decimals, text_size
from scenes.mobjects.hills import BINS, NAME_SHARE, REACH, Hill, Hills, pile
from scenes.mobjects.plot import Axes, Curve, Histogram
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector
from scenes.mobjects.ways import Way
from scenes.provenance import (
    Array,
    count,
    mean,
)
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    KEY,
    NAMED_SIZE,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
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
)

WAYS = ("tidy a copy", "tidy the stream")
ROLES = (KEY, VALUE)  # of the two ways
LAYERS = 6  # vectors of the stream that are shown, at most
CHIP = 1.5  # times as large at first, the followed word's chip
LAST = 20  # steps of a run, whose mean loss is told
RUNS_SHARE = 0.62  # of the stage's height, by the two runs
LEAST_WAY = 2.05  # scene units, the height of a way
ENDS = 3.6  # scene units right of the curves
CENTERED = 0.1  # spreads; a mean that is nearer to zero hardly moves anything


class KeepTheSignalTidy(Film):
    """Layers add to a stream that may grow, and each reads a copy brought to one size."""

    title = "Keep the signal tidy"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 75
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
        """Name the word, and how long it is at both ends."""
        ends = [self.layers[at].long for at in (0, -1)]
        return {
            "hero": self.name_of(self.hero),
            "start": f"{ends[0].number:.{needed_decimals(ends[:1], 0)}f}",
            "end": f"{ends[1].number:.{needed_decimals(ends[1:], 0)}f}",
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
        self.numbers = self._as_numbers()
        self.chip = Chip(self.tokens[self.hero], SPOKEN_SIZE, self.stage.width / 2)
        self.chip.scale(CHIP).next_to(self.numbers, UP, buff=GAP)
        self.streams, self.copies, self.headings = self._beside()
        self.ways, below = self._both_ways()
        self.cast_runs(below)
        self.stand(self.rows, self.hill, self.numbers, self.chip, self.every, *self.ways)
        self.stand(self.axes, self.top, *self.curves, *self.ends)
        self.stand(*self.streams, *self.copies, *self.headings)

    @beat(
        "This is {hero}, as it goes in: a list of numbers. | Every layer adds to it. "
        "| {start} long at first, | {end} at the end. | How can a layer read both?",
    )
    def it_grows(self) -> Shown:
        rows, last = self.rows, len(self.layers) - 1
        vector, chip = self.numbers, self.chip
        listed = Appear(chip, vector.cells, vector.dots, *vector.numbers, scale=1.0)
        half = np.array([chip.width, -chip.height, 0.0]) / 2 / CHIP
        goes = MoveTo(chip, rows.corner + half, scale=1 / CHIP)
        falls = Together(GoInto(vector, rows.shapes[0]), pile(rows.shapes[0]), goes)
        first = Appear(rows.marks, rows.heading, rows.bars.zero, *rows.texts(0))
        named = Flow(Pulse(cell) for cell in vector.cells)
        yield Then(listed, named, falls, first)
        yield Flow(rows.comes(at) for at in range(1, last + 1))
        yield Pulse(rows.bars.numbers[0], run_time=STEADY)
        yield Pulse(rows.bars.numbers[last], run_time=STEADY)
        yield Pulse(*(rows.bars.shapes[at] for at in (0, last)), scale=1.06, run_time=STEADY)

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
        yield Disappear(*rows.but(-1)), TurnInto(shape, hill.shapes[0]), ruler
        yield Then(Appear(hill.near), Become(hill.near, hill.far), Disappear(hill.near))
        yield Then(Appear(hill.line, hill.mean), hill.lose_mean())
        braced = Together(Draw(hill.brace), Appear(hill.spread))
        yield Then(braced, Hold(), hill.lose_spread())
        yield Pulse(hill.spread, run_time=STEADY), Pulse(hill.marks[1], run_time=STEADY)

    @beat(
        "Do that before every layer, | and each one reads {hero} at the same size, "
        "| however long it has grown."
    )
    def one_size(self) -> Shown:
        rows, hill, last = self.rows, self.hill, len(self.layers) - 1
        for at in range(0 if rows.rescales else last, last + 1):  # else they would leave the stage
            rows.set_tidy(at)
        shape = rows.shapes[last]
        back = Together(TurnInto(hill.shapes[0], shape), Disappear(*hill.around))
        yield back, Appear(*rows.but(last), scale=1.0)
        tidy = [] if rows.rescales else [rows.tidy(at) for at in range(last)]
        one_length = [each.tidy_length for each in self.layers]
        yield Flow(tidy, SLOW), Remeasure(rows.bars, one_length, run_time=SLOW)
        yield Flow((Pulse(number) for number in rows.bars.numbers), SLOW)

    @beat(
        "Each word is tidied by itself: | here are all of them, as they leave the last layer, "
        "| and as they're read. | No word looks at another."
    )
    def each_by_itself(self) -> Shown:
        rows, every, hero, shape = self.rows, self.every, self.hero, self.rows.shapes[-1]
        named = Together(
            ComeFrom(every.names[hero], self.chip.label), Disappear(self.chip, run_time=QUICK / 4)
        )
        moved = TurnInto(shape, every.shapes[hero])
        ruler = Then(Hold(), Appear(every.marks, every.ticks[hero]))
        yield (
            Disappear(*rows.but(-1)),
            named,
            moved,
            ruler,
        )
        known = Pulse(every.shapes[hero], run_time=STEADY)
        others = [every.comes(at) for at in range(len(every.shapes)) if at != hero]
        yield known, Flow(others)
        tidy = Together(*map(every.tidy, range(len(every.shapes))))
        yield tidy, every.grow_ruler()
        yield Flow((Draw(wall) for wall in every.walls), SLOW)

    @beat(
        "Where does this belong? | Tidy a copy, and add what the layer finds to the stream itself. "
        "| Or add first, and tidy the stream, as the first transformer did."
    )
    def two_ways(self) -> Shown:
        (one, other), every = self.ways, self.every
        shape = every.shapes[self.hero]
        gone = Disappear(*every.but(self.hero), *every.walls)
        drawn = [Appear(*way.lines, scale=1.0) for way in self.ways]
        boxes = [Appear(way.layer, way.plus) for way in self.ways]
        yield gone, TurnInto(shape, one.stream), Then(Hold(), Together(*drawn, *boxes))
        yield Then(Appear(one.norm, one.heading), one.flow())
        yield Then(Appear(other.norm, other.heading, other.stream), other.flow())

    @beat(
        "We trained two small models, alike in all else. | The one that tidies a copy learns. "
        "| The one that tidies its stream, at this pace, is stuck."
    )
    def two_runs(self) -> Shown:
        (one, other), (way, old), axes = self.curves, self.ways, self.axes
        rise = Shift(*self.ways, by=self.rise)
        yield Then(rise, Together(Draw(*axes.lines), Appear(*axes.names, *axes.ticks, self.top)))
        yield Pulse(way.heading), Then(Draw(one, run_time=SLOW), Appear(self.ends[0]))
        yield Pulse(old.heading), Then(Draw(other, run_time=SLOW), Appear(self.ends[1]))

    @beat("So leave the stream alone: | let it grow, | and give every layer a copy of one size.")
    def one_size_for_all(self) -> Shown:
        stream, *others = self.streams[-1:] + self.streams[:-1]
        name, *names = self.rows.names[-1:] + self.rows.names[:-1]
        grown = self.ways[0].stream
        parts = [part for way in self.ways for part in way.submobjects if part is not grown]
        gone = Disappear(self.axes, self.top, *self.curves, *self.ends, *parts)
        yield gone, TurnInto(grown, stream), Appear(name, self.headings[0])
        both = zip(names, others, strict=True)
        yield Flow((Together(Appear(one), pile(each)) for one, each in both), SLOW)
        copies = zip(self.copies, self.streams, strict=True)
        yield Appear(self.headings[1]), Flow((ComeFrom(*both) for both in copies), SLOW)

    # What only this film shows

    def _layer_name(self, stop: int) -> Words:
        if not stop:
            return Words("at the start", size=SPOKEN_SIZE)
        return Words("after layer {}", count(stop, "layers before"), size=SPOKEN_SIZE)

    def _as_numbers(self) -> Vector:
        """Return the word's vector at the start as a row of cells with numerals."""
        most = 5 if self.stage.is_narrow else 8
        room = self.stage.width / (most + 1), 0.7 * self.stage.width / (most + 1)
        row = Vector(self.layers[0].vector.values, room, most=most)
        return row.move_to(self.stage.center)

    def _both_ways(self) -> tuple[list[Way], Region]:
        """Return the two ways in the middle of the stage, and what is left below once they rise."""
        stage, is_narrow = self.stage, self.stage.is_narrow
        high = max((1 - RUNS_SHARE) * stage.height, (2 if is_narrow else 1) * LEAST_WAY)
        self.rise = (stage.height - high) / 2 * UP
        band = stage.inset(float(self.rise[1]))
        band = replace(band, left=stage.left, right=stage.right)
        rooms = band.rows(2) if is_narrow else band.in_columns(2)
        tensors = self.tensor("resid_pre")[-1], self.tensor("resid_post")[-1]
        first, last = (Tidied.of(each[self.hero], has_mean=self.has_mean) for each in tensors)
        ways = [
            Way(room.inset(HAIR), name, role, (first, last), on_copy=on_copy)
            for room, name, role, on_copy in zip(rooms, WAYS, ROLES, (True, False), strict=True)
        ]
        return ways, replace(stage, top=stage.top - high)

    def _beside(self) -> tuple[list[Histogram], list[Histogram], list[Words]]:
        """Return the stream after each layer, the copy that is read, and what they are called."""
        rows, region = self.rows, self.under_title
        left, right = replace(region, left=rows.left).in_columns(2)
        streams, copies = list[Histogram](), list[Histogram]()
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
        headings = [Words(name, size=SPOKEN_SIZE, role=QUIET) for name in ("stream", "copy")]
        for heading, room in zip(headings, (left, right), strict=True):
            heading.move_to((room.center[0], room.top, 0), UP)
        return streams, copies, headings

    def cast_runs(self, region: Region) -> None:
        """Make the axes, the curve of each run, and what it comes to at its end."""
        steps = len(self.runs["pre_norm"])
        highest = max(float(run.array.max()) for run in self.runs.values())
        box = region.inset(2 * GAP)
        box = Region(box.left, box.right - ENDS, box.bottom + GAP, box.top - GAP)
        ends = [Words(name, size=SPOKEN_SIZE, role=QUIET) for name in ("steps", "loss")]
        marks = [count(step, "steps of each run") for step in (0, steps)]
        self.axes = Axes(box, (steps, highest), (ends[0], ends[1]), marks)
        start = self.runs["pre_norm"].values[0]
        self.top = Number(start, 1, PLAIN_SIZE, QUIET)
        self.top.next_to(self.axes.at(0, start.number), LEFT, buff=HAIR)
        self.curves, self.ends = list[Curve](), list[Words]()
        for run, name, role in zip(self.runs.values(), WAYS, ROLES, strict=True):
            self.curves.append(Curve(self.axes, np.arange(steps, dtype=float), run.double, role))
            end = mean(run.values[-LAST:])
            place = self.axes.at(steps, end.number)
            text = Words("{}: {:.1f}", name, end, size=NAMED_SIZE, role=role)
            self.ends.append(text.next_to(place, RIGHT, buff=HAIR))
