"""Keep the signal tidy: the stream grows, and every layer reads a copy of one size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from manim import Line, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.analysis.softmax import standard_deviation
from scenes.camera import pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals, text_size
from scenes.mobjects.plot import Axes, Curve, Histogram
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.tokens import Chip
from scenes.provenance import Array, Tensor, Value, count, dot, entry_count, length, mean, root
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    KEY,
    NAMED_SIZE,
    NEGATIVE,
    OUTPUT,
    PLAIN_SIZE,
    POSITIVE,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Disappear,
    Draw,
    Flow,
    Hold,
    MoveTo,
    Pulse,
    Shift,
    Then,
    Together,
    Vary,
    Verb,
)

LAYERS = 6  # vectors of the stream that are shown, at most
REACH = 3.2  # spreads either side, of what a row has room for
NAME_SHARE, LENGTH_SHARE = 0.24, 0.14  # of the stage's width
HIGH = 0.8  # of a row's height, by the most frequent numbers
LAST = 20  # steps of a run, whose mean loss is told
NEAR = 0.8  # of the stage, by one row
TIDY = 0.6  # of half a row's width, by numbers whose spread is one
MARK = 0.6  # of half a row's width, at most, from zero to a mark
LEAST_RATIO = 0.65  # of a ruler's old and new mark, if it grows or shrinks at all
RUNS_SHARE = 0.62  # of the stage's height, by the two runs
ENDS = 3.2  # scene units right of the curves
CENTERED = 0.1  # spreads; a mean that is nearer to zero hardly moves anything


@dataclass(frozen=True)
class Tidied:
    """A vector of the stream, where its middle is, how far it spreads and how long it is."""

    vector: Tensor
    middle: Value | None  # None where the model takes no mean away
    spread: Value
    long: Value

    @classmethod
    def of(cls, vector: Tensor, *, has_mean: bool) -> Tidied:
        """Measure a vector as layer norm does, or as RMS norm does."""
        if has_mean:
            return cls(vector, mean(vector.values), standard_deviation(vector), length(vector))
        spread = root(dot(vector, vector) / entry_count(vector))
        return cls(vector, None, spread, length(vector))

    @property
    def off(self) -> float:
        """What is added to every number."""
        return -self.middle.number if self.middle else 0.0


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
        self.rows = _Rows(self.layers, names, self.under_title)
        size = text_size(self.tokens, NAME_SHARE * self.stage.width, SPOKEN_SIZE)
        pieces = [TokenText(piece, size) for piece in self.tokens]
        self.every = _Rows(self.words_there, pieces, self.stage, told=False)
        self.facts = self._facts()
        self.streams, self.copies, self.headings = self._beside()
        upper = self.stage.raised(RUNS_SHARE * self.stage.height)
        self.ways = _Ways(upper.inset(GAP))
        self.above = self.ways.get_center()
        self.ways.move_to(self.stage.center)
        self.cast_runs(Region(upper.left, upper.right, self.stage.bottom, upper.bottom))
        self.stand(self.rows, self.every, *self.facts, self.ways, self.axes, *self.curves)
        self.stand(*self.ends, *self.streams, *self.copies, *self.headings)

    @beat(
        "This is {hero}, as it goes in: a list of numbers. | Every layer adds to it. "
        "| {start} long at first, | {end} at the end. | How can a layer read both?",
    )
    def it_grows(self) -> Shown:
        rows, last = self.rows, len(self.layers) - 1
        yield Appear(rows.marks, rows.heading), rows.comes(0)
        yield Flow(rows.comes(at) for at in range(1, last + 1))
        yield Pulse(rows.numbers[0], run_time=STEADY)
        yield Pulse(rows.numbers[last], run_time=STEADY)
        yield Pulse(rows.shapes[0], rows.shapes[last], scale=1.06, run_time=STEADY)

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
        rows, last = self.rows, len(self.layers) - 1
        shape, (middle, spread) = rows.shapes[last], self.facts
        near = self.zoom_into(VGroup(shape, rows.ticks[last]), NEAR)
        yield Disappear(*self._around(last)), near
        yield Vary(shape.pile, 0.0, 1.0, run_time=SLOW)
        yield Appear(middle), Vary(shape.slide, 0.0, self.layers[last].off)
        yield Then(Appear(spread), Together(rows.tidy(last), rows.grow_ruler()))
        yield self.zoom_into(shape, NEAR)

    @beat(
        "Do that before every layer, | and each one reads {hero} at the same size, "
        "| however long it has grown."
    )
    def one_size(self) -> Shown:
        rows, last = self.rows, len(self.layers) - 1
        if rows.rescales:  # by the new ruler, what is not tidied yet would leave the stage
            for at in range(last):
                rows.set_tidy(at)
        yield self.pull_back(), Appear(*self._around(last), scale=1.0), Disappear(*self.facts)
        tidy = [] if rows.rescales else [rows.tidy(at) for at in range(last)]
        yield Flow([*tidy, *(Pulse(name) for name in rows.names)], SLOW)
        yield Flow((Pulse(number) for number in rows.numbers), SLOW)

    @beat(
        "Each word is tidied by itself: | here are all of them, as they leave the last layer, "
        "| and as they're read. | No word looks at another."
    )
    def each_by_itself(self) -> Shown:
        rows, every = self.rows, self.every
        hero, last = self.hero, len(self.layers) - 1
        yield Disappear(rows), ComeFrom(every.shapes[hero], rows.shapes[last], fit=False)
        others = [at for at in range(len(every.shapes)) if at != hero]
        names = Flow(map(Appear, every.names))
        yield Appear(every.marks), names, Flow(map(every.comes, others))
        tidy = Together(*map(every.tidy, range(len(every.shapes))))
        yield tidy, every.grow_ruler()
        yield Flow((Pulse(name) for name in every.names), SLOW)

    @beat(
        "Where does this belong? | Tidy a copy, and add what the layer finds to the stream itself. "
        "| Or add first, and tidy the stream, as the first transformer did."
    )
    def two_ways(self) -> Shown:
        ways = self.ways
        yield Disappear(self.every), Then(Draw(*ways.lines), Appear(*ways.boxes))
        yield Flow(Pulse(each, run_time=STEADY) for each in (ways.norm, ways.layer, ways.plus))
        yield Then(MoveTo(ways.norm, ways.on_stream), Pulse(ways.norm))

    @beat(
        "We trained two small models, alike in all else. | The one that tidies a copy learns. "
        "| The one that tidies its stream, at this pace, is stuck."
    )
    def two_runs(self) -> Shown:
        (one, other), ways, axes = self.curves, self.ways, self.axes
        rise = MoveTo(ways, self.above)
        yield Then(rise, Together(Draw(*axes.lines), Appear(*axes.names, *axes.ticks)))
        back = MoveTo(ways.norm, ways.on_copy)
        yield back, Then(Draw(one, run_time=SLOW), Appear(self.ends[0]))
        draw = Then(Draw(other, run_time=SLOW), Appear(self.ends[1]))
        yield draw, MoveTo(ways.norm, ways.on_stream)

    @beat("So leave the stream alone: | let it grow, | and give every layer a copy of one size.")
    def one_size_for_all(self) -> Shown:
        gone = Disappear(self.axes, *self.curves, *self.ends, self.ways)
        first, *others = self.streams
        named = Together(Appear(*self.rows.names, self.headings[0]), _pile(first))
        yield gone, Then(Hold(), named)
        yield Flow((_pile(stream) for stream in others), SLOW)
        copies = zip(self.copies, self.streams, strict=True)
        yield Appear(self.headings[1]), Flow((ComeFrom(*both) for both in copies), SLOW)

    # What only this film shows

    def _around(self, row: int) -> list[Mobject]:
        """Return all that stands around the numbers of a row of the followed word."""
        rows, others = self.rows, range(len(self.rows.shapes))
        parts = [part for at in others if at != row for part in rows.row(at)]
        return [*parts, rows.heading, rows.names[row], *rows.numbers[row : row + 1]]

    def _layer_name(self, stop: int) -> Words:
        if not stop:
            return Words("at the start", size=SPOKEN_SIZE)
        return Words("after layer {}", count(stop, "layers before"), size=SPOKEN_SIZE)

    def _facts(self) -> tuple[Words, Words]:
        """Return the last vector's mean and spread, which stay at the foot of the frame."""
        last = self.layers[-1]
        middle = (
            Words("mean {:.2f}", last.middle, size=TITLE_SIZE)
            if last.middle
            else Words("no mean", size=TITLE_SIZE)
        )
        spread = Words("spread {:.2f}", last.spread, size=TITLE_SIZE)
        facts = VGroup(middle, spread).arrange(RIGHT, buff=8 * GAP)
        pin(facts.move_to((self.stage.center[0], self.stage.bottom + HAIR, 0), DOWN))
        spread.shift((middle.baseline - spread.baseline) * UP)
        return middle, spread

    def _beside(self) -> tuple[list[Histogram], list[Histogram], list[Words]]:
        """Return the stream after each layer, the copy that is read, and what they are called."""
        rows, region = self.rows, self.under_title
        left, right = replace(region, left=rows.left).in_columns(2)
        streams, copies = list[Histogram](), list[Histogram]()
        widest = max(each.spread.number + abs(each.off) / REACH for each in self.layers)
        for each, shape in zip(self.layers, rows.shapes, strict=True):
            (x, across), low = (left.center[0], right.center[0]), shape.foot[1]
            unit = left.width / (2 * REACH * widest)
            streams.append(Histogram(each.vector.double, (x, low), unit, shape.height))
            copy = Histogram(
                each.vector.double, (across, low), right.width / 3 / REACH, shape.height
            )
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
        last = count(steps, "steps of each run")
        self.axes = Axes(box, (steps, highest), (ends[0], ends[1]), [last])
        self.curves, self.ends = list[Curve](), list[Words]()
        names, roles = ("tidy copy", "tidy stream"), (POSITIVE, NEGATIVE)
        for run, name, role in zip(self.runs.values(), names, roles, strict=True):
            self.curves.append(Curve(self.axes, np.arange(steps, dtype=float), run.double, role))
            end = mean(run.values[-LAST:])
            place = self.axes.at(steps, end.number)
            text = Words("{}: {:.1f}", name, end, size=NAMED_SIZE)
            self.ends.append(text.next_to(place, RIGHT, buff=HAIR))


class _Rows(VGroup):
    """Vectors as rows: a `names`' text, how often each number comes (`shapes`), how long it is.

    All share one ruler, with `ticks` in each row and `marks` at minus one and one; it grows where
    `tidy` needs it to.
    """

    def __init__(
        self,
        vectors: Sequence[Tidied],
        names: Sequence[TokenText | Words],
        region: Region,
        *,
        told: bool = True,
    ) -> None:
        self.vectors, self.names = list(vectors), list(names)
        left = self.left = region.left + NAME_SHARE * region.width
        right = region.right - (LENGTH_SHARE * region.width if told else 0.0)
        half, self.middle = (right - left) / 2, (left + right) / 2
        widest = max(each.spread.number + abs(each.off) / REACH for each in vectors)
        self.unit = min(half / (REACH * widest), MARK * half)
        ratio = half * TIDY / (REACH * self.unit)
        self.rescales = not LEAST_RATIO < ratio < 1 / LEAST_RATIO
        self.ratio = ratio if self.rescales else 1.0
        self.heading = Words("length", size=SPOKEN_SIZE, role=QUIET)
        self.heading.move_to((region.right, region.top, 0), RIGHT + UP)
        marks = [
            Number(count(side, "a mark of the ruler"), 0, PLAIN_SIZE, QUIET) for side in (-1, 1)
        ]
        foot = marks[0].height + HAIR
        inner = region.lowered(self.heading.height + HAIR if told else 0.0).raised(foot)
        ends = self.middle - self.unit, self.middle + self.unit
        self.shapes, self.numbers, self.ticks = list[Histogram](), list[Number](), list[VGroup]()
        for each, name, room in zip(vectors, names, inner.rows(len(vectors)), strict=True):
            tall = HIGH * room.height
            zero = self.middle, room.bottom + (room.height - tall) / 2
            self.shapes.append(Histogram(each.vector.double, zero, self.unit, tall))
            name.shrink_to(left - GAP - region.left)
            name.move_to((left - GAP, room.center[1], 0), RIGHT)
            lines = [Line((x, room.bottom, 0), (x, room.top, 0)) for x in ends]
            self.ticks.append(VGroup(*lines).set_stroke(theme.color(QUIET), THIN_LINE))
            if told:
                digits = needed_decimals([each.long], 1)
                number = Number(each.long, digits, TITLE_SIZE)
                self.numbers.append(number.move_to((region.right, room.center[1], 0), RIGHT))
        for mark, x, side in zip(marks, ends, (LEFT, RIGHT), strict=True):
            mark.move_to((x, inner.bottom - HAIR, 0), UP - side)
        self.marks = VGroup(*marks)
        parts = [*self.shapes, *self.names, *self.numbers]
        super().__init__(*self.ticks, self.marks, *([self.heading] if told else []), *parts)

    def row(self, at: int) -> list[Mobject]:
        """Return the parts of a row."""
        return [self.ticks[at], self.names[at], self.shapes[at], *self.numbers[at : at + 1]]

    def comes(self, at: int) -> Verb:
        """Return how a row comes in: its numbers pile up."""
        shape = self.shapes[at]
        texts = [part for part in self.row(at) if part is not shape]
        return Together(Appear(*texts), _pile(shape))

    def tidy(self, at: int) -> Verb:
        """Return how a row's numbers lose their mean, if they do, and get a spread of one."""
        each, shape = self.vectors[at], self.shapes[at]
        return Together(
            Vary(shape.slide, 0.0, each.off, run_time=SLOW),
            Vary(shape.divide, 1.0, each.spread.number / self.ratio, run_time=SLOW),
        )

    def set_tidy(self, at: int) -> None:
        """Show a row's numbers as they are in the end."""
        self.shapes[at].slide(self.vectors[at].off)
        self.shapes[at].divide(self.vectors[at].spread.number / self.ratio)

    def grow_ruler(self) -> Verb:
        """Return how the ruler grows, if it does, so that a spread of one is well seen."""
        by = (self.ratio - 1) * self.unit * RIGHT
        left, right = zip(*self.ticks, strict=True)
        return Together(
            Shift(*left, self.marks[0], by=-by, run_time=SLOW),
            Shift(*right, self.marks[1], by=by, run_time=SLOW),
        )


def _pile(shape: Histogram) -> Verb:
    """Return how numbers come in where they are."""
    return Together(Appear(shape, scale=1.0), Vary(shape.pile, 0.0, 1.0))


class _Ways(VGroup):
    """A layer beside the stream: what it reads is tidied (`on_copy`), or the sum (`on_stream`)."""

    def __init__(self, region: Region) -> None:
        x, low = np.linspace(region.left, region.right, 7), region.bottom + 0.15 * region.height
        high = region.bottom + 0.75 * region.height
        stops = [(x[0], low), (x[6], low), (x[1], low), (x[1], high), (x[4], high), (x[4], low)]
        start, end, branch, up, over, back = (np.array((*stop, 0.0)) for stop in stops)
        self.stream = Line(start, end)
        self.branch = VGroup(Line(branch, up), Line(up, over), Line(over, back))
        self.lines = [self.stream, *self.branch]
        VGroup(*self.lines).set_stroke(theme.color(INK), 2 * THIN_LINE)
        self.layer, self.norm, self.plus = (
            Chip(name, TITLE_SIZE) for name in ("layer", "tidy", "+")
        )
        for chip, role in ((self.layer, OUTPUT), (self.norm, KEY), (self.plus, INK)):
            chip.plate.set_stroke(theme.color(role), THIN_LINE)
        self.layer.move_to((x[3], high, 0))
        self.step = float(x[1] - x[0])
        self.norm.move_to((x[2], high, 0))
        self.plus.move_to(back)
        self.boxes = [self.layer, self.norm, self.plus]
        super().__init__(*self.lines, *self.boxes)

    @property
    def on_copy(self) -> Point3D:
        """Where what a layer reads is tidied."""
        place: Point3D = self.layer.get_center() + self.step * LEFT
        return place

    @property
    def on_stream(self) -> Point3D:
        """Where the sum is tidied."""
        place: Point3D = self.plus.get_center() + self.step * RIGHT
        return place
