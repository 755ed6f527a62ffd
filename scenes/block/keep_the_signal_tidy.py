"""Keep the signal tidy: the stream grows, and every step gets a copy of one size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import expressions, theme
from scenes.analysis.tidied import Tidied
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure
from scenes.mobjects.fit import needed_decimals, text_size
from scenes.mobjects.hills import BINS, NAME_SHARE, REACH, Hill, Hills, pile
from scenes.mobjects.plot import Axes, Curve, Histogram
from scenes.mobjects.text import Chance, TokenText, Words, em_of
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector
from scenes.mobjects.ways import Way
from scenes.provenance import Array, applied, count, mean
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

WAYS, RUNS = ("tidy a copy", "tidy the stream"), ("pre_norm", "post_norm")
ROLES = (ACCENT, INK)  # of the two ways
LAYERS = 6  # vectors of the stream that are shown, at most
CHIP = 1.5  # times as large at first, the followed word's chip
LAST = 20  # steps of a run, whose mean loss is told
PLOT, ENDS = 0.6, 1.2  # of the stage, for the curves; scene units right of them, for their ends
WAIST, SLIGHTLY = 0.6, 1.03  # of a hill's height, a line for its spread; times as large
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
        self.runs = {name: self.tensor(f"norms.{name}.loss") for name in RUNS}
        self.kept = [self.tensor(f"norms.{name}.kept").values for name in RUNS]
        self.alike = [self.tensor(f"norms.{name}.alike").values[-1] for name in RUNS]

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

    def cast(self) -> None:
        """Make the vectors of one word, those of all words, the two ways, and their runs."""
        names = [self._block_name(stop) for stop in self.stops]
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
        self.reaches = self._reaches()
        self.stand(
            self.rows, *self.found, *self.reaches, self.hill, self.numbers, self.chip, self.every
        )
        self.stand(*self.ways, self.window, self.axes, *self.raw, *self.curves, *self.ends)
        self.stand(*self.left, self.left_of, *self.same)
        self.stand(*self.streams, *self.doors, *self.copies, *self.headings)

    @beat(
        "This is {hero}, going in: numbers. | Every block finds something, "
        "| and adds it to this stream. | Their spread says how far from the middle they "
        "lie: | {start} at first, | {end} at the end. | How can blocks built alike read both?",
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
        yield Flow(map(Draw, self.reaches), STEADY), Pulse(rows.heading, run_time=STEADY)
        for at in (0, -1):
            yield Pulse(self.reaches[at], rows.bars.numbers[at], run_time=STEADY, scale=1.25)
        down = Shift(self.window, by=rows.shapes[-1].foot - rows.shapes[0].foot)
        away = Disappear(*self.reaches)
        yield Then(Together(Appear(self.window), away), Hold(), down, Pulse(rows.shapes[-1]))

    @beat(
        "Bring the last one to size: | most near the middle, few far out. "
        "| Take away their mean. | Divide by their spread: | now it's one.",
        centered="Bring the last one to size: | most near the middle, few far out. "
        "| Take away their mean: here, next to nothing. | Divide by their spread: | now it's one.",
        without_mean="Bring the last one to size: | most near the middle, few far out. "
        "| Others would take away their mean; this model doesn't. "
        "| Divide by their spread: | now it's one.",
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
        "Do that before every step, | and each gets {hero} at one size, | however far it has grown."
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
        "Each word is tidied by itself: | here are the others, | and tidied. "
        "| No word looks at another.",
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
        "But tidy what? | A copy: the step reads it, and adds what it finds to the stream. "
        "| Or add first, and tidy the stream, as the first transformer did."
    )
    def two_ways(self) -> Shown:
        (one, other), every = self.ways, self.every
        shape = every.shapes[self.hero]
        gone = Disappear(*every.but(self.hero), *every.walls), self.zoom_into(one, 1.0, STEADY)
        way = Appear(*one.lines, one.layer, one.plus, scale=1.0)
        yield *gone, TurnInto(shape, one.stream), Then(Hold(QUICK / 4), way)
        yield Then(Appear(one.norm, one.heading, one.ticks), one.flow())
        both = Appear(*other.lines, other.layer, other.plus, scale=1.0), self.pull_back(STEADY)
        yield (
            Then(
                both[0], Appear(other.norm, other.heading, other.stream, other.ticks), other.flow()
            ),
            both[1],
        )

    @beat(
        "Does it matter? We trained both, fast from the start. "
        "| Follow what the first block gives. | Above, blocks only add: all of it stays. "
        "| Below, it fades, block by block, | till nothing's left."
    )
    def what_is_left(self) -> Shown:
        headings = [way.heading for way in self.ways]
        signs = (part for way in self.ways for part in (*(b[1] for b in way.boxes), way.plus.label))
        moved = zip((*self.minis, *headings), (*self.spots, *self.tags), strict=True)
        scales = [self.shrink] * len(self.minis) + [1.0] * len(headings)
        settle = [MoveTo(*to, scale=scale) for to, scale in zip(moved, scales, strict=True)]
        marks = (way.ticks for way in self.ways)
        lines = (Appear(bars.zero, *bars.names) for bars in self.left)
        ruled = Then(Hold(QUICK), Together(lines, Appear(self.left_of)))
        yield Disappear(*signs, *marks, run_time=QUICK / 2), *settle, ruled
        firsts = [part for bars in self.left for part in (bars.shapes[0], bars.numbers[0])]
        yield Appear(*firsts), Pulse(self.left_of)
        for bars, heading in zip(self.left, headings, strict=True):
            yield Flow(_left_on(bars), SLOW), Pulse(heading, run_time=STEADY)
        yield Flow((Pulse(each) for each in self.left[1].numbers), STEADY)

    @beat(
        "Above, the chance of the right next word grows. | Below, all words came out alike: "
        "it's stuck. | It needs a slow start, as the first transformer did."
    )
    def two_runs(self) -> Shown:
        axes, other = self.axes, self.ways[1]
        gone = Disappear(*self.left, self.left_of), Pulse(self.minis[0], scale=SLIGHTLY)
        ruled = Together(map(Draw, axes.lines)), Appear(*axes.names, *axes.ticks)
        for at, (curve, raw, end) in enumerate(zip(self.curves, self.raw, self.ends, strict=True)):
            drawn = Draw(curve, run_time=SLOW), Draw(raw, run_time=SLOW), Appear(self.same[at])
            first = [Then(Together(gone), Together(ruled))] if not at else []
            yield Then(*first, Together(drawn), Appear(end), Pulse(end))
        yield Pulse(other.heading, run_time=STEADY), Pulse(self.ends[1], run_time=STEADY)

    @beat(
        "So leave the stream alone: let it grow, | and give every step a copy of one size. "
        "| That's how blocks read both."
    )
    def one_size_for_all(self) -> Shown:
        rows = zip(self.rows.names, self.streams, strict=True)
        drawn = self.axes, *self.curves, *self.raw, *self.ends, *self.same, *self.ways
        grown = Flow((Together(Appear(name), pile(each)) for name, each in rows), STEADY)
        named = Together(Appear(*self.headings), grown)
        yield Disappear(*drawn, run_time=QUICK / 2), named
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

    def derived(self) -> Mapping[str, Array]:
        """Add the losses of two runs that differ in where they normalise."""
        return self.companion("norms")

    def small_print(self) -> Words:
        """Say how many blocks there are, and how many numbers a word has."""
        stream = self.tensor("resid_pre").array
        blocks, numbers = count(len(stream), "blocks"), count(stream.shape[-1], "numbers a word")
        return Words("{} blocks, {} numbers a word", blocks, numbers, size=PLAIN_SIZE, role=QUIET)

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

    def _reaches(self) -> list[Line]:
        """Return how far the spread reaches in each row, from the middle on."""
        found = list[Line]()
        for each, shape in zip(self.layers, self.rows.shapes, strict=True):
            start = shape.foot + each.off * -shape.unit * RIGHT + WAIST * shape.height * UP
            end = start + each.spread.number * shape.unit * RIGHT
            found.append(Line(start, end, stroke_color=theme.color(ACCENT)))
        return found

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
        parts = box.lowered(em_of(SPOKEN_SIZE)).rows(2)
        self._cast_left([part.raised(GAP) for part in parts])
        self.left_of.move_to((box.left, box.top, 0), LEFT + UP)
        box = box.inset(2 * GAP).narrowed(0, 0 if wide else ENDS)
        means = {name: _running_mean(run.double) for name, run in self.runs.items()}
        most = max(float(np.exp(-run.double).max()) for run in self.runs.values())
        named = "steps of training", "chance of the next word"
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
        self.same = list[Words]()
        for mini, row, column, alike in zip(
            self.minis, parts, beside.in_columns(2), self.alike, strict=True
        ):
            width, height = self.shrink * mini.width, self.shrink * mini.height
            x, y = beside.right - GAP - width / 2, row.center[1]
            spot = np.array((x, y, 0)) if wide else column.center
            self.spots.append(spot)
            self.tags.append(spot + (height / 2 + em_of(SPOKEN_SIZE)) * UP)
            told = Words("two words: cosine {:.2f}", alike, size=PLAIN_SIZE, role=QUIET)
            self.same.append(told.move_to(spot + (height / 2 + em_of(PLAIN_SIZE)) * DOWN))

    def _cast_left(self, rows: Sequence[Region]) -> None:
        """Make bars for what is left, after each block, of what the first one gave."""
        self.left_of = Words("what is left after each block", size=SPOKEN_SIZE, role=QUIET)
        self.left = list[Bars]()
        for values, row, role in zip(self.kept, rows, ROLES, strict=True):
            after = [count(place, "blocks before") for place in range(1, len(values) + 1)]
            names = [Words("{}", each, size=PLAIN_SIZE) for each in after]
            self.left.append(Bars(values, row, names, span=(0.0, 1.0), role=role, kind=Chance))

    def _window(self) -> Rectangle:
        """Return the room of one spread that a layer reads well, as it stands in the first row."""
        shape, most = self.rows.shapes[0], 2 * (self.rows.middle - self.rows.left) - HAIR
        width = min(2 * REACH * self.rows.unit, most)
        box = Rectangle(width=width, height=1.12 * shape.height).move_to(shape.foot, DOWN)
        return box.set_stroke(theme.color(ACCENT), 2 * THIN_LINE)


def _left_on(bars: Bars) -> Iterator[Verb]:
    """Return how each bar comes out of the one before."""
    wholes = [shape.copy() for shape in bars.shapes]
    for before, whole, shape, number in zip(
        wholes, wholes[1:], bars.shapes[1:], bars.numbers[1:], strict=False
    ):
        shape.match_points(before)
        come = Appear(shape, scale=1.0, run_time=QUICK / 4), Become(shape, whole, QUICK)
        yield Then(Together(come), Appear(number, run_time=QUICK / 2))


def _running_mean(losses: Array) -> Array:
    """Return the mean of the last losses at each step of a run."""
    sums = np.cumsum(np.concatenate([[0.0], losses]))
    ends = np.arange(1, len(sums))
    starts = np.maximum(ends - LAST, 0)
    return np.asarray((sums[ends] - sums[starts]) / (ends - starts))
