"""Keep the signal tidy: the stream grows, and every step gets a copy of one size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim import VGroup
from manim.constants import LEFT, RIGHT, UP
from manim.utils.rate_functions import linear

from scenes import expressions, theme, verbs
from scenes.analysis.tidied import Tidied
from scenes.figures.hills import BINS, NAME_SHARE, REACH, Heap, Hill, Hills, Sums, pile
from scenes.figures.ways import Reading, Way
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals, text_size
from scenes.mobjects.plot import Axes, Curve, Histogram
from scenes.mobjects.text import TokenText, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, Value, applied, count, mean
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    INK,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, TurnInto, Verb

WAYS = "tidy a copy", "tidy the stream"
RUNS = "pre_norm", "post_norm"  # by each way
ROLES = (ACCENT, INK)  # of the two ways
LAYERS, WORDS = 3, 5  # vectors of the stream that are shown, and words, at most
CELLS, SLIM = 0.12, 1.3  # of the stage's shorter side, a row of cells; of its height, its width
LAST = 40  # steps of a run, whose mean loss is told
ENDS = 2.0  # scene units right of the curves of an upright stage, for what they come to
TALL = 1.1  # of a way's width, its height at most
ROOMY = 0.7  # of its width, the stage's height, from which on names stand over a way
CHANCE = "chance of the right next word"
BESIDE = 0.53, 0.56  # of the stage's width, if it is wide, or upright, for weights and sums
SWELL = 1.05  # times as large, what is told beside a curve
MARKS = 200  # up to a chance of one, on the axis of chances
CENTERED = 0.1  # spreads; a mean that is nearer to zero hardly moves anything


class KeepTheSignalTidy(Film):
    """Blocks add to a stream that may grow, and each step gets a copy brought to one size."""

    title = "Keep the signal tidy"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 104
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
        first = int(np.clip(self.hero - WORDS // 2, 0, max(0, len(self.tokens) - WORDS)))
        self.near, self.at = range(len(self.tokens))[first:][:WORDS], self.hero - first
        self.words_there = [Tidied.of(streams[-1][i], has_mean=self.has_mean) for i in self.near]
        self.runs = {name: self.tensor(f"norms.{name}.loss") for name in RUNS}
        made = self.tensor("sums")
        sums = [Tidied.of(each[self.hero], has_mean=self.has_mean) for each in made]
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
        is_upright, region = self.under_title.height > self.under_title.width, self.under_title
        names, ends = ([self._block_name(stop) for stop in self.stops] for _ in range(2))
        kept = slice(None, None, max(1, len(names) - 1))  # the start and the end
        over, beside = names[0].height + GAP, BESIDE[is_upright] * self.stage.width
        over *= 1 + is_upright
        self.rows = Hills(self.layers[kept], ends[kept], region, beside=beside, over=over)
        self.all_rows = Hills(self.layers, names, region, beside=beside, over=over)
        self.ruler = self.rows.ruler  # the others take it over
        self.hill = Hill(self.layers[-1], self.stage, self.ruler)
        size = text_size(self.tokens, NAME_SHARE * self.stage.width, SPOKEN_SIZE)
        pieces = [TokenText(self.tokens[i], size) for i in self.near]
        self.every = Hills(self.words_there, pieces, self.stage, ruler=self.ruler)
        weights = self.tensor("reading")
        self.reading = Reading(self.rows, weights, self.sums, self.under_title)
        self._make_numbers()
        self.streams, self.copies, self.headings = self._beside()
        self.ways = self._both_ways()
        self.cast_runs(self.stage)
        self.stand(self.rows, self.all_rows, self.reading, self.heap, self.hill, self.numbers)
        self.stand(self.found, self.finds, *self.ends)
        self.stand(self.chip, self.every, *self.ways, *self.tags, self.axes, *self.curves)
        self.stand(*self.streams, *self.copies, *self.headings, self.ones)

    @beat(
        "How does a model keep its numbers tidy? | Here's {hero}, going in. "
        "| Its numbers spread about their middle by {start}."
    )
    def numbers_spread(self) -> Shown:
        heap, row = self.heap, self.numbers
        listed = Appear(self.chip, row.cells, row.dots, *row.numbers, scale=1.0)
        yield Then(listed, Appear(heap.zero), verbs.Vary(heap.fall, 0, 1, 2 * SLOW, linear))
        yield Pulse(self.chip)
        yield Then(Draw(heap.span), Appear(heap.told), Pulse(heap.told))

    @beat(
        "The model works in steps: each finds something, | and adds it. This sum is its stream. "
        "| With more steps, the spread grows to {end}."
    )
    def it_grows(self) -> Shown:
        heap, row = self.heap, self.numbers
        yield verbs.Vary(heap.leave, 0, 1, SLOW), Then(Hold(STEADY), self._find())
        yield self._add()
        gone = Disappear(row.cells, row.dots, *row.numbers, run_time=QUICK)
        more = map(self._grow, range(1, len(self.layers) - 1))
        yield gone, Then(Hold(QUICK), *more, Pulse(heap.span, heap.told))

    @beat(
        "A step's weights are fixed, whatever it reads. | Try the stream at its start and end: "
        "| the sums spread {times} times as wide. | How can the same weights suit both?"
    )
    def fixed_weights(self) -> Shown:
        rows, read, chip, heap = self.rows, self.reading, self.chip, self.heap
        half = np.array([chip.width, -chip.height, 0.0]) / 2 * SPOKEN_SIZE / TITLE_SIZE
        goes = verbs.MoveTo(chip, rows.corner + half, scale=SPOKEN_SIZE / TITLE_SIZE)
        gone = Disappear(heap.span, heap.told, heap.zero, run_time=QUICK)
        ruled = map(TurnInto, heap.ruler, rows.ruler)
        settle = Together(TurnInto(heap.bricks, rows.shapes[-1]), *ruled, goes)
        first = Together(Appear(*rows.names), pile(rows.shapes[0]))
        yield Then(gone, settle, Together(first, read.come()))
        yield read.read()
        yield read.compare()
        yield Then(map(read.again, range(2)))

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
        "Do that before every step: | divided by its own spread, {hero} has one size. "
        "| Read both again: | the same weights make sums of like size."
    )
    def one_size(self) -> Shown:
        rows, hill, read = self.rows, self.hill, self.reading
        last = len(rows.shapes) - 1
        for at in range(0 if rows.rescales else last, last + 1):  # else they would leave the stage
            rows.set_tidy(at, rows.ratio)
        shape, ruled = rows.shapes[last], rows.ruled(tidy=rows.rescales)
        back = TurnInto(hill.shapes[0], shape), Disappear(*hill.around), ruled
        ends = *rows.names, rows.shapes[0]
        yield *back, Then(Hold(STEADY / 2), Appear(*ends, scale=1.0))
        sized = Pulse(*rows.shapes) if rows.rescales else rows.tidy(0)
        yield Then(sized, read.come())
        yield read.read(tidy=True)
        yield read.compare(tidy=True)

    @beat(
        "Other words have streams, too. | Each of them is tidied by its own numbers alone.",
        alone="Any other word has a stream, too: {hero} is the only one here. | It is tidied by "
        "its own numbers alone.",
    )
    def each_by_itself(self) -> Shown:
        rows, every, hero, shape = self.rows, self.every, self.at, self.rows.shapes[-1]
        moved = Disappear(self.chip, run_time=QUICK / 4)
        named = Together(verbs.ComeFrom(every.names[hero], self.chip.label), moved)
        every.set_tidy(hero)
        shown = TurnInto(shape, every.shapes[hero])
        others = [at for at in range(len(every.shapes)) if at != hero]
        each = ((Appear(every.names[at]), pile(every.shapes[at])) for at in others)
        listed = Flow(map(Together, each), SLOW)
        gone = Disappear(*rows.but(-1), self.reading, run_time=QUICK)
        yield gone, named, shown, every.ruled(), Then(Hold(QUICK / 2), listed)
        yield Then(every.tidy_others(hero), *([] if others else [Pulse(every.shapes[hero])]))

    @beat(
        "But what do you tidy? | Only a copy: the step reads it, and adds what it finds to the "
        "stream."
    )
    def only_a_copy(self) -> Shown:
        way, every, shape = self.ways[0], self.every, self.every.shapes[self.at]
        gone = Disappear(*(part for part in every if part is not shape), every.ruler)
        come = Appear(*way.rails, scale=1.0)
        yield gone, Then(TurnInto(shape, way.stream), come)
        yield Then(Appear(way.norm, way.ticks, self.tags[0]), way.flow())

    @beat(
        "Or, sketched here, the stream itself: | it was tidied after the step before. | It's read, "
        "and what this step finds is added. | Then all of it is tidied again."
    )
    def or_the_stream(self) -> Shown:
        (one, other), (copy, tag) = self.ways, self.tags
        turned = (TurnInto(*each) for each in zip(one.rails, other.rails, strict=True))
        gone = Disappear(*one.made, one.stream, one.norm, one.ticks, copy, run_time=QUICK / 2)
        come = Appear(tag, other.stream)
        yield Then(gone, Together(turned, come))
        yield Appear(other.earlier, scale=1.0), Then(Hold(QUICK), Pulse(other.earlier[1]))
        yield other.find()
        goes, tidied = other.go_on()
        yield Then(goes, Appear(other.norm, other.ticks, scale=1.0), tidied)

    @beat(
        "Which learns better? | Train a small model that tidies copies, only briefly: "
        "the right next word's chance grows."
    )
    def a_copy_learns(self) -> Shown:
        yield self._to_the_chart()
        yield self._run(0)

    @beat(
        "Train the same one, just as fast, but tidy the stream: it begins alike, "
        "and then, here, it's stuck."
    )
    def a_stream_may_stick(self) -> Shown:
        yield self._run(1)

    @beat(
        "So let the stream grow, | and give every step a copy of one size, "
        "| however far it has grown."
    )
    def one_size_for_all(self) -> Shown:
        rows, copies = zip(self.all_rows.names, self.streams, strict=True), list[Verb]()
        gone = Disappear(self.axes, *self.curves, *self.ends, run_time=QUICK / 2)
        grown = Flow((Together(Appear(name), pile(each)) for name, each in rows), STEADY)
        yield gone, Appear(self.headings[0]), grown
        for stream, copy in zip(self.streams, self.copies, strict=True):
            tidied, over = copy.copy(), copy.foot - stream.foot
            copy.match_points(stream)
            sized = verbs.Become(copy, tidied.copy().shift(-over), QUICK)
            taken = Appear(copy, scale=1.0, run_time=QUICK / 2), sized
            copies.append(Then(*taken, verbs.Shift(copy, by=over, run_time=QUICK)))
        yield Appear(self.headings[1]), Then(*copies)
        grew = Flow(map(Pulse, self.streams), STEADY)
        yield Then(grew, Draw(self.ones[0], self.ones[2]), Appear(self.ones[1], self.ones[3]))

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
        """Say how many steps there are, two in every block, and how many numbers a word has."""
        stream = self.tensor("resid_pre").array
        blocks, numbers = count(len(stream), "blocks"), count(stream.shape[-1], "numbers a word")
        told = "{} blocks of two steps, {} numbers a word", blocks, numbers
        return Words(*told, size=theme.PLAIN_SIZE, role=QUIET)

    def _block_name(self, stop: int) -> Words:
        if not stop:
            return Words("at the start", size=SPOKEN_SIZE)
        return Words("after {} steps", count(2 * stop, "steps before"), size=SPOKEN_SIZE)

    def _make_numbers(self) -> None:
        """Make the word's vector as a row of cells, what is added to it, and the heap of it all."""
        stage, under = self.stage, self.under_title
        is_slim = stage.width < SLIM * stage.height
        most, high = (5 if is_slim else 8), CELLS * min(stage.width, stage.height)
        self.chip = Chip(self.tokens[self.hero], TITLE_SIZE, stage.width / (2 if is_slim else 4))
        steps = count(2 * self.stops[1], "steps in between")
        self.finds = Words("what {} steps add", steps, size=SPOKEN_SIZE, role=theme.OUTPUT)
        left = max(self.chip.width, self.finds.width) + GAP
        room = (stage.width - left * (not is_slim)) / (most + 0.4), high
        stops = [each.vector.values for each in self.layers]
        self.numbers = Sums(stops, room, most)
        over = self.chip.height + GAP + high + HAIR if is_slim else 0.0
        top = min(under.top - over, stage.top - high - HAIR) - high / 2
        self.numbers.move_to((stage.right - self.numbers.width / 2, top, 0))
        at = under.top - self.chip.height / 2 if is_slim else top
        self.chip.move_to((stage.left, at, 0), LEFT)
        added = [b - a for a, b in zip(*stops[:2], strict=True)]
        self.found = Vector(added, room, most=most, role=theme.OUTPUT)
        self.found.move_to(self.numbers).shift((high + HAIR) * UP)
        self.finds.move_to((stage.left, self.found.get_y(), 0), LEFT)
        if is_slim:
            self.finds.shrink_to(stage.width - self.chip.width - GAP)
            self.finds.move_to((stage.right, at, 0), RIGHT)
        ends = [cell.get_bottom()[:2] for cell in self.numbers.cells]
        every, seen = np.arange(len(stops[0])), self.numbers.shown
        places = np.stack([np.interp(every, seen, axis) for axis in zip(*ends, strict=True)], 1)
        self.heap = Heap(self.layers, places, stage.below(self.numbers, GAP), self.ruler)

    def _find(self) -> Verb:
        """Return how it is seen what the first steps add."""
        come = (Appear(part, scale=1.0) for part in self.found.parts[1:])
        return Together(Appear(self.finds), Flow(come, QUICK))

    def _add(self) -> Verb:
        """Return how what the first steps add goes into the numbers, and all bricks move."""
        found, row = self.found, self.numbers
        into = (verbs.GoInto(found.cell(i), row.cell(i).get_top()) for i in found.shown)
        told = (found.number(i) for i in found.shown)  # else numerals would lie on numerals
        gone = Disappear(*told, self.finds, found.dots, run_time=HAIR)
        return Then(gone, Together(into), verbs.Vary(row.go, 0, 1, QUICK), self._grow(0))

    def _grow(self, at: int) -> Verb:
        """Return how all bricks move as more is added."""
        spread = verbs.Count(self.heap.told.number, self.layers[at + 1].spread, SLOW)
        return Together(verbs.Vary(self.heap.go, at, at + 1, SLOW), spread)

    def _both_ways(self) -> list[Way]:
        """Return the two ways, each with the stage to itself, and make their names."""
        tensors = self.tensor("resid_mid"), self.tensor("resid_post")
        far = [abs(float(np.log(each[self.hero].double.std()))) for each in tensors[0]]
        layer = int(np.argmax(far))  # where tidying does most
        before, after = (
            Tidied.of(each[layer, self.hero], has_mean=self.has_mean) for each in tensors
        )
        self.tags = [Words(*w, size=SPOKEN_SIZE, role=r) for *w, r in zip(WAYS, ROLES, strict=True)]
        room, ways = self.stage, list[Way]()
        spare = max(0.0, room.height - TALL * room.width)
        room = room.lowered(spare / 2).raised(spare / 2)
        for tag, role in zip(self.tags, ROLES, strict=True):
            self.stage.hold(tag.move_to((room.left, room.top - HAIR, 0), LEFT + UP))
            free = room.below(tag, GAP) if room.height > ROOMY * room.width else room
            ways.append(Way(free, role, (before, after), on_copy=role == ROLES[0]))
        return ways

    def _beside(self) -> tuple[list[Histogram], list[Histogram], list[Words]]:
        """Return the stream after each layer, the copy that is read, and what they are called."""
        rows, region = self.all_rows, self.under_title
        left, right = replace(region, left=rows.left).in_columns(2)
        streams, copies = list[Histogram](), list[Histogram]()
        widest = max(each.spread.number + abs(each.off) / REACH for each in self.layers)
        for each, shape in zip(self.layers, rows.shapes, strict=True):
            (x, across), low = (left.center[0], right.center[0]), shape.foot[1]
            unit = left.width / (2 * REACH * widest)
            numbers, tall = each.vector.double, shape.height
            streams.append(Histogram(numbers, (x, low), unit, tall, BINS))
            near = right.width / 3 / REACH
            near = near if rows.rescales else min(near, unit)
            copy = Histogram(numbers, (across, low), near, tall, BINS, role=ACCENT)
            copy.slide(each.off)
            copy.divide(each.spread.number)
            copies.append(copy)
        self.ones = rows.ruler.copy()
        top, foot = copies[0].get_top()[1], copies[-1].foot[1] - HAIR
        for side, line, mark in zip((-1, 1), self.ones[::2], self.ones[1::2], strict=True):
            x, apart = copies[0].foot[0] + side * near, max(near, GAP / 2)
            line.put_start_and_end_on((x, foot, 0), (x, top, 0))
            mark.move_to((right.center[0] + side * apart, foot - HAIR, 0), UP - side * RIGHT)
        named = ("stream", INK), ("copy, tidied", ACCENT)
        headings = [Words(name, size=SPOKEN_SIZE, role=role) for name, role in named]
        for heading, room in zip(headings, (left, right), strict=True):
            heading.move_to((room.center[0], room.top, 0), UP)
            self.stage.hold(heading)
        return streams, copies, headings

    def cast_runs(self, region: Region) -> None:
        """Make the axes, both runs' curves, and what each comes to."""
        steps, (high, long) = len(self.runs[RUNS[0]]), (self.tags[0].height, self.tags[1].width)
        aside = ENDS if region.is_narrow else 1.1 * long + GAP
        shares = {name: np.exp(-_running_mean(run.double)) for name, run in self.runs.items()}
        most = max(float(each.max()) for each in shares.values())
        marked, whole = range(1, int(most * MARKS) + 1), count(MARKS, "marks up to one")
        sizes = [count(each, "marks") / whole for each in marked]
        upward = [Words("{:.1%}", size, size=theme.PLAIN_SIZE, role=QUIET) for size in sizes]
        beside = max(each.width for each in upward) + 2 * HAIR - 2 * GAP
        box = region.inset(2 * GAP).lowered(high + 2 * GAP).raised(GAP).narrowed(beside, aside)
        names = Words("batches of text read", size=SPOKEN_SIZE), Words(CHANCE, size=SPOKEN_SIZE)
        marks = [count(step, "steps of each run") for step in (0, steps)]
        self.axes = Axes(box, (steps, most), names, marks)
        for size, mark in zip(sizes, upward, strict=True):
            mark.next_to(self.axes.at(0.0, size.number), LEFT, buff=2 * HAIR)
        self.axes.add(*upward)
        names[0].shrink_to(box.width - 2 * self.axes.ticks[1].width)
        names[0].move_to(box.center).set_y(self.axes.ticks[0].get_y())
        names[1].move_to((region.left, region.top, 0), LEFT + UP)
        across = np.arange(steps, dtype=float)
        self.curves, self.ends = list[Curve](), list[VGroup]()
        for run, tag, role in zip(RUNS, self.tags, ROLES, strict=True):
            self.curves.append(Curve(self.axes, across, shares[run], role))
            chance = self._chance(run)
            number = Words("{:.1%}", chance, size=SPOKEN_SIZE, role=role)
            number.next_to(self.axes.at(steps, chance.number), RIGHT, buff=HAIR)
            name = tag.copy().next_to(number, UP, buff=2 * HAIR, aligned_edge=LEFT)
            region.hold(name)
            self.ends.append(VGroup(number, name))

    def _chance(self, run: str) -> Value:
        """Return which chance the right next word has at the end of a run."""
        loss = mean(self.runs[run].values[-LAST:])
        surprise = applied(expressions.EXPONENTIAL, np.exp(loss.number), loss)
        return count(1, "what all chances add up to") / surprise

    def _run(self, way: int) -> Verb:
        """Return how a run's curve is drawn, and what it comes to told."""
        curve, told = self.curves[way], self.ends[way]
        return Then(Draw(curve, run_time=2 * SLOW), Appear(told), Pulse(told))

    def _to_the_chart(self) -> Verb:
        """Return how the way goes, and axes for the runs of both come with their names."""
        gone = Disappear(*self.ways[1], self.tags[1], run_time=QUICK)
        named = Appear(*self.axes[len(self.axes.lines) :]), map(Draw, self.axes.lines)
        return Together(gone, Then(Hold(QUICK / 2), Together(*named)))


def _running_mean(losses: Array) -> Array:
    """Return the mean of the last losses at each step of a run."""
    sums = np.cumsum(np.concatenate([[0.0], losses]))
    ends = np.arange(1, len(sums))
    starts = np.maximum(ends - LAST, 0)
    return np.asarray((sums[ends] - sums[starts]) / (ends - starts))
