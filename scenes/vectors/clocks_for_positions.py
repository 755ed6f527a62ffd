"""Clocks for positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import expressions, theme
from scenes.analysis.waves import paper_rates, rates_of, waves
from scenes.camera import box_of
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars
from scenes.mobjects.clock import ClockBank, Likeness, PlaceMap, ticking
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number, Words
from scenes.provenance import Array, Value, applied, count, dot, matmul, transposed
from scenes.study import SHIPPED
from scenes.theme import GAP, HAIR, INK, PLAIN_SIZE, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Fade,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Recolor,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
)

HANDS, APART = 5, 12  # that are drawn, at most, spread over this part of all of them
PLACES = 64  # of the map, at most
STEP = 3  # words from one place to another, at most
WRITING = 3.2  # seconds in which all columns are written
LINES, MOST_A_LINE = 3, 4  # of the words before they are in order
LARGEST = 1.7  # times as large as they are later, words lie about
MIXED = 0.618  # a step with which they come to lie in no order
TALL = 0.75  # of a line of these words, the columns beside them
EDGE = 1.2  # scene units, a column beside a map
MOSTLY = 0.5  # of all that is alike, what distance explains where it decides

Floats = NDArray[np.float64]


class ClocksForPositions(Film):
    """Places are told by hands that turn at their own pace, so that a distance is always a turn."""

    title = "Clocks for positions"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 89
    poster_beat = "a-step-is-a-turn"
    needs = (THREE_TOKENS,)

    def derived(self) -> Mapping[str, Array]:
        """Work out all hands' rates, in degrees, and where they point at the first places.

        A model that turns queries and keys has rates of its own.
        """
        places, own = min(PLACES, self._checkpoint.model.config.n_ctx), dict[str, Array]()
        if self.traits.adds_positions:
            rates = paper_rates(self.trace.weights.W_E.shape[1] // 2)
            own["own"] = self.trace.weights.W_pos[:PLACES]
        else:
            turn = self.trace.tensors()["turns"][min(1, len(self.trace.ids) - 1)]
            rates = rates_of(turn, self.traits.turned)
        numbers = waves(rates, places).astype(np.float32)
        return {"rates": np.degrees(rates).astype(np.float32), "waves": numbers, **own}

    def observe(self) -> None:
        """Choose the hands and the two steps that are shown, and measure what the model has."""
        self.rates, self.waves = self.tensor("rates"), self.tensor("waves")
        pace = max(1, len(self.rates) // APART)
        self.hands = [*range(0, len(self.rates), pace)][:HANDS]
        tokens = len(self.tokens)
        self.step = min(STEP, tokens // 2)
        self.starts = 0, tokens - 1 - self.step
        if self.turns is None:
            own = self.tensor("own")
            share = expressions.BY_DISTANCE.work(own.double)
            self.share = applied(expressions.BY_DISTANCE, share, own)

    def words(self) -> Mapping[str, str]:
        """Say how fast hands turn, how many there are, and how far the steps go."""
        slow = self.rates.array[self.hands[-1]]
        return {
            "slow": f"{slow:.0f}" if slow >= 1 else f"{slow:.1g}",
            "hands": f"{len(self.rates):,}",
            "words": ("one word", "two words", "three words")[self.step - 1],
            "share": "" if self.turns else f"{100 * self.share.number:.0f}",
            "part": str(self.traits.turned),
            "whole": str(self.tensor("q").shape[-1]),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say where the model's own places come from, and whether their distance decides."""
        learned = self.turns is None
        decides = learned and self.share.number > MOSTLY
        return {
            **super().circumstances(),
            "from_waves": decides and self.request.checkpoint == SHIPPED,
            "scattered": learned and not decides,
        }

    def cast(self) -> None:
        """Make the words with their counts, the clocks with what they write, and the maps."""
        self._cast_clocks()
        self._cast_counts()
        both = count(len(self.rates), "hands"), count(len(self.waves), "places of the map")
        self.map = PlaceMap(self.waves.double, both, len(self.tokens), self.stage)
        self._cast_heap()
        self.cell_homes = [cell.copy() for cell in self.cells.values()]
        self.map.widen(self.map.widest)
        rows = ((2 * self.hands[hand] + part, place) for hand, part, place in self.cells)
        self.squeezed = [*map(self.map.taking, self.cells.values(), rows)]
        self.stand(self.map, self.counts, self.turn_told, *self.lengths)
        self.stand(*self.cells.values(), *self.labels, *self.degrees, *self.clocks, *self.rings)
        (self._cast_own if self.turns is None else self._cast_turned)()

    @beat(
        "All these words reach the model at once. | How can it tell which comes first? | "
        "Count them? | A count grows without end, and drowns the rest."
    )
    def which_comes_first(self) -> Shown:
        yield Appear(*self.labels)
        yield Flow((Pulse(self.labels[t]) for t in self.heap), STEADY)
        bars = zip(self.counts.shapes, self.counts.numbers, strict=True)
        come = Flow((Appear(*bar) for bar in bars), STEADY)
        home = Together(map(Become, self.labels, self.homes))
        yield Then(home, come)
        yield Flow((Pulse(number) for number in self.counts.numbers), SLOW)

    @beat(
        "A clock never runs out: its hand goes round. | Let it turn a bit with each word. | "
        "Where it points takes two numbers: | how far right, | and how far up."
    )
    def one_hand(self) -> Shown:
        clock, (right, up) = self.clocks[0], self.clocks[0].legs
        bars = map(VGroup, self.counts.shapes, self.counts.numbers)
        sink = map(GoInto, bars, self.labels, repeat(QUICK))
        yield Then(Flow(sink), Appear(clock.face, clock.hand))
        yield Vary(clock.turn_to, 0, 1, SLOW), Appear(self.turn_told), Pulse(self.labels[1])
        yield Together(self._write(0, 1), Fade(right, up, to=1.0))
        for part, leg in enumerate((right, up)):
            yield Pulse(leg, self.cells[0, part, 1], run_time=STEADY), Appear(self.lengths[part])

    @beat(
        "On it goes, but comes round again. | So add slower hands: | "
        "the last one turns only {slow} degrees with each word. | "
        "Place by place they write their columns: | fast waves on top, slow ones below."
    )
    def slower_hands(self) -> Shown:
        (first, *others), last = self.clocks, len(self.tokens) - 1
        slower, along = range(1, len(self.clocks)), self._sweep([0], 1, last, SLOW)
        yield Disappear(*first.legs, *self.lengths), Together(self._write(0, 0), along)
        settle = Vary(first.settle, 0, 1), GoInto(self.turn_told, self.degrees[0], QUICK)
        come = Flow((Appear(clock.face, clock.hand) for clock in others), STEADY)
        told = Flow(map(Appear, self.degrees), STEADY)
        yield Then(Together(*settle, Vary(first.turn_to, last, 0)), Together(come, told))
        yield Pulse(self.degrees[-1], run_time=STEADY), Pulse(others[-1] if others else first)
        start = Together(*(self._write(hand, 0) for hand in slower))
        again = Vary(first.turn_to, 0, last, WRITING, linear)
        yield Then(start, Together(again, self._sweep(slower, 0, last, WRITING)))
        cells, wide = [*self.cells.values()], 2 * len(self.tokens)
        rows = (cells[wide * row : wide * (row + 1)] for row in range(len(self.clocks)))
        yield Flow((Pulse(VGroup(*row), scale=1.01) for row in rows), SLOW)

    @beat(
        "There is room for more: | here are {hands} hands, | over many places. | "
        "Every number stays between minus one and one, | and no two places are alike."
    )
    def the_whole_map(self) -> Shown:
        leave = Disappear(*self.clocks, *self.degrees, *self.labels)
        yield Then(leave, Together(map(Become, self.cells.values(), self.squeezed)))
        first, *others = self.map.blocks
        leave = Disappear(*self.cells.values(), run_time=QUICK / 2)
        yield Then(Fade(first, to=1.0, run_time=STEADY), leave)
        come = Fade(*others, to=1.0, run_time=QUICK / 6)
        rest = Vary(self.map.widen, self.map.widest, 1, SLOW)
        yield Then(come, rest, Fade(self.map.told, self.map.ring, to=1.0))
        yield Appear(self.map.key, run_time=STEADY), Pulse(self.map.key, run_time=STEADY)
        come = Fade(self.map.scan, self.map.far, self.map.far_told, to=1.0)
        yield Then(come, Vary(self.map.look_at, 0, len(self.waves) - 1, SLOW))

    @beat(
        "Now go {words} on. | Each hand sweeps an angle of its own. | Start anywhere else: | "
        "the very same angles. | So {words} on is always the same turn of every hand."
    )
    def a_step_is_a_turn(self) -> Shown:
        one, other = self.starts
        cells = self.cells.values()
        blocks, aside = self.map.blocks, VGroup(*self.map.submobjects[len(self.map.blocks) :])
        clear = Together(Disappear(aside), Vary(self.map.widen, 1, self.map.widest))
        leave = Disappear(*blocks, run_time=QUICK / 2), Fade(*cells, to=1.0, run_time=QUICK / 2)
        back = Together(map(Become, cells, self.cell_homes))
        ready = [Vary(clock.begin_at, clock.since, one, QUICK) for clock in self.clocks]
        come = Fade(*self.bank.faces(), *self.degrees, *self.labels, to=1.0)
        here = Together(Appear(*self.rings), Dim(*self.bank.besides(one, one + self.step)))
        still = [Vary(clock.reach, self.step, 0, QUICK / 2) for clock in self.clocks]
        yield Then(clear, Together(leave), back, Together(come, *ready, *still), here)
        sweep = (Vary(clock.reach, 0, self.step, SLOW) for clock in self.clocks)
        yield Fade(*self.bank.standing(), to=1.0), *sweep
        yield self._carry(one, other)
        yield Flow((Pulse(c.sector) for c in self.clocks), STEADY)
        yield Then(self._carry(other, one, STEADY), self._carry(one, other, STEADY))

    @beat(
        "Compare any two places: | blue where they're alike. | "
        "Clocks make stripes: the distance decides. | This model learned its places instead. | "
        "Here, too: distance alone explains {share} percent.",
        from_waves="Compare any two places: | blue where they're alike. | "
        "Clocks make stripes: the distance decides. | "
        "This model started from waves, then learned places of its own. | "
        "They keep to that: distance alone explains {share} percent.",
        scattered="Compare any two places: | blue where they're alike. | "
        "Clocks make stripes: the distance decides. | This model learned its places instead. | "
        "Here, distance alone explains only {share} percent.",
        turned_in_part="This model adds no such column: | by these hands it turns {part} of "
        "{whole} numbers of each query and key. | Move both on: both turn, | "
        "and their dot product stays: only the distance counts.",
        turned="This model adds no such column: | by these hands it turns each query and key. | "
        "Move both on: both turn, and the angle between them stays. | "
        "So does their dot product: only the distance counts.",
    )
    def what_this_model_has(self) -> Shown:
        yield from self._turned() if self.turns else self._learned()

    @beat(
        "So however the words lie about, | their hands tell each its place: | "
        "neighbours have nearly the same, | and a distance is one turn, anywhere."
    )
    def hands_for_every_word(self) -> Shown:
        one, other = self.starts
        yield self._scattered()
        near = [Vary(clock.reach, self.step, 1, QUICK / 2) for clock in self.clocks]
        ready = [Vary(clock.begin_at, other, one, QUICK / 2) for clock in self.clocks]
        goals = (VGroup(*self.cell_homes[one + t :: len(self.tokens)]) for t in (0, 1))
        rings = Together(map(MoveTo, self.rings, goals))
        hands = Fade(*self.bank.standing(), *self.degrees, to=1.0)
        yield Together(rings, Then(Together(near), Together(ready)), Then(self._in_order(), hands))
        slow = VGroup(*(part for t in (0, 1) for part in self.bank.column(t)[len(self.clocks) :]))
        dark = Dim(*self.bank.besides(one, one + 1))
        yield Then(Together(Fade(*self.rings, to=1.0), dark), Pulse(slow, scale=1.03))
        wide = Together(Vary(clock.reach, 1, self.step) for clock in self.clocks)
        go = Together(wide, self._carry(one, one, STEADY)), self._carry(one, other, STEADY)
        yield Then(*go, Hold(SLOW + STEADY))

    # What only this film shows

    def _cast_clocks(self) -> None:
        """Set the clocks one under the other, their columns beside them, and the words below."""
        rates = [self.rates[hand].value for hand in self.hands]
        bank = ClockBank(rates, self._written(), self.tokens, self.step, self.stage)
        self.clocks, self.degrees, self.labels = bank.clocks, bank.rates, bank.labels
        self.cells, self.bank = bank.cells, bank
        self.rings = [Ring(VGroup(*self.bank.column(self.starts[0] + t))) for t in (0, self.step)]
        rest = [cell for (hand, *_), cell in self.cells.items() if hand]
        room = box_of(VGroup(*(rest or self.cells.values()))).inset(GAP)
        self.turn_told = Words("{:.0f}° a word", self.rates[self.hands[0]].value, size=SPOKEN_SIZE)
        is_high = room.width < room.height + 2 * self.turn_told.width
        room = room.raised(self.turn_told.height + GAP) if is_high else room
        self.clocks[0].stand_near(room.center[:2], min(room.width, room.height) / 2)
        self.clocks[0].turn_to(1)
        numbers = (Number(self.waves[1, part].value, 2, SPOKEN_SIZE) for part in (0, 1))
        sides = zip(numbers, self.clocks[0].legs, (UP, LEFT), strict=True)
        self.lengths = [number.next_to(leg, side, buff=HAIR) for number, leg, side in sides]
        self.clocks[0].turn_to(0)
        self.turn_told.next_to(self.clocks[0].face, DOWN if is_high else RIGHT, buff=GAP)

    def small_print(self) -> Words:
        """Say what hands tell, or whose query and key are turned."""
        told = Words("a sine and a cosine for every hand", size=PLAIN_SIZE, role=QUIET)
        return super().small_print() if self.turns else told

    def _cast_counts(self) -> None:
        """Set a bar over every word, as high as the number of words before it."""
        values = [count(t, "words before this one") for t in range(len(self.tokens))]
        self.counts = Bars(values, box_of(VGroup(*self.cells.values())), role=QUIET)
        for number in self.counts.numbers:
            number.decimals = 0
        self.counts.put(values)

    def _cast_heap(self) -> None:
        """Let the words lie about at first, larger and in no order, on a few lines."""
        self.homes = [label.copy() for label in self.labels]
        self.heap = sorted(range(len(self.labels)), key=lambda t: (t + 2) * MIXED % 1)
        number = max(LINES, -(-len(self.heap) // MOST_A_LINE))
        lines = self.under_title.rows(min(number, len(self.heap)))
        room = lines[0].width / -(-len(self.heap) // len(lines))
        widest = max(label.width for label in self.labels)
        larger = float(np.clip((room - 4 * GAP) / widest, 1.0, LARGEST))
        for line, words in zip(lines, np.array_split(self.heap, len(lines)), strict=True):
            for place, part in zip(words, line.in_columns(len(words)), strict=True):
                label = self.labels[place].rotate(-self.bank.slant)
                label.scale(larger).move_to(part.center)
        self.spots = [label.copy() for label in self.labels]
        self.lying = [VGroup(*(c.copy() for c in self.bank.column(t))) for t in sorted(self.heap)]
        for column, label in zip(self.lying, self.labels, strict=True):
            column.scale(TALL * lines[0].height / column.height).next_to(label, LEFT, buff=GAP)
            self.stage.hold(column)

    def _cast_own(self) -> None:
        """Set how alike any two places are: by clocks, by this model, and by distance alone."""
        one = self.starts[1]
        above, below = self.stage.rows(2)
        slots = [above, *below.in_columns(2)] if self.stage.is_narrow else self.stage.in_columns(3)
        rows = self.waves, self.tensor("own"), self.tensor("own")
        names = ("clocks",), ("this model",), ("distance alone: {:.0%}", self.share)
        told = [Words(name, *part, size=SPOKEN_SIZE) for name, *part in names]
        self.maps, self.told = list[Likeness](), told
        for numbers, words, slot in zip(rows, told, slots, strict=True):
            room = slot.inset(GAP / 2)
            side = min(room.width, room.height - words.height - GAP)
            alike = expressions.centered_cosines(numbers.double)
            self.maps.append(Likeness(alike, (one, one + self.step), side))
            VGroup(self.maps[-1], words).arrange(DOWN, buff=GAP).move_to(room.center)
        clocks = VGroup(self.maps[0], told[0])
        self.slot, room = clocks.get_center(), self.stage.lowered(EDGE)
        self.grown = min(room.width - 2 * EDGE, room.height) / clocks.height
        clocks.scale(self.grown).move_to(room.center)
        self.mark = Ring(self.maps[0].cell(one, one + self.step), HAIR)
        self.stand(*self.maps, *told, self.mark)

    def _cast_turned(self) -> None:
        """Say where a query and a key stand, and what their dot product is, before and after."""
        one, _ = self.starts
        self.scores = self.moved_scores()
        names = ("query at place", "key at place", "query · key")
        values = (count(one + self.step, "place"), count(one, "place"), self.scores[0])
        rows, self.values = VGroup(), list[Number]()
        for name, value, role in zip(names, values, (theme.QUERY, theme.KEY, INK), strict=True):
            self.values.append(Number(value, 2 if role == INK else 0, theme.HEADING_SIZE, role))
            words = Words(name, size=SPOKEN_SIZE, role=role)
            rows.add(VGroup(words, self.values[-1]).arrange(RIGHT, buff=GAP))
        self.facts = rows.arrange(DOWN, buff=3 * GAP)
        box_of(VGroup(*self.cells.values())).fit(self.facts)
        self.stand(self.facts)

    def moved_scores(self) -> tuple[Value, Value]:
        """Return a query's dot product with a key, and that of both once they are moved on."""
        turns, (one, other) = self.turns, self.starts
        assert turns is not None
        q, k = (self.tensor(name)[self.layer, self.head] for name in ("q", "k"))
        asker, key = q[one + self.step], k[one]
        moved = (
            matmul(matmul(asker, transposed(turns[one + self.step])), turns[other + self.step]),
            matmul(matmul(key, transposed(turns[one])), turns[other]),
        )
        return dot(asker, key), dot(*moved)

    def _learned(self) -> Shown:
        """Show how alike any two places are, for the clocks and for this model."""
        clocks, learned, even = self.maps
        one, other = self.starts[1], self.starts[1] + self.step
        across, upright = (VGroup(*self.bank.column(place)) for place in (one, other))
        rest = self.bank.besides(one, other)
        leave = Disappear(*self.bank.standing(), *self.rings, *self.degrees, *self.labels, *rest)
        spot, thin = self.mark.get_center(), (EDGE - GAP) / across.height
        row, column = across.copy().rotate(np.pi / 2).scale(thin), upright.copy().scale(thin)
        row.next_to(clocks, LEFT, buff=HAIR).set_y(spot[1])
        column.next_to(clocks, UP, buff=HAIR).set_x(spot[0])
        edges = Together(Become(across, row), Become(upright, column))
        yield Then(leave, Together(edges, Fade(clocks, self.told[0], to=1.0)))
        meet = GoInto(across, spot), GoInto(upright, spot)
        first = Vary(clocks.reach, -1, 0, QUICK / 4), Appear(self.mark, scale=3.0)
        yield Together(meet), Then(Hold(), Together(first))
        grow = Vary(clocks.reach, 0, 1), Vary(clocks.reach, 1, clocks.whole)
        yield Then(Pulse(self.mark), *grow), Then(Hold(), Disappear(self.mark))
        slide = MoveTo(VGroup(clocks, self.told[0]), self.slot, scale=1 / self.grown)
        come = Fade(learned, self.told[1], to=1.0), Vary(learned.reach, -1, learned.whole)
        yield Then(slide, Together(come))
        even.reach(even.whole)
        smooth = Vary(even.even, 0, 1, SLOW), Appear(self.told[2])
        yield Then(ComeFrom(even, learned), Together(smooth), Pulse(self.told[2]))

    def _turned(self) -> Shown:
        """Show that a query and a key, moved on together, keep the angle between them."""
        one, other = self.starts
        query, key, score = self.values
        yield Fade(*self.cells.values(), *self.rings, to=0.0), Pulse(VGroup(*self.clocks))
        hands = Recolor(*(c.hand for c in self.clocks), role=theme.QUERY)
        ghosts = Recolor(*(c.ghost for c in self.clocks), role=theme.KEY)
        yield hands, ghosts, self._carry(other, one), Flow(map(Appear, self.facts))
        move = Count(query, count(other + self.step, "place")), Count(key, count(other, "place"))
        yield self._carry(one, other), *move
        swept = Flow((Pulse(clock.sector) for clock in self.clocks), STEADY)
        yield Count(score, self.scores[1]), Pulse(score), swept

    def _scattered(self) -> Verb:
        """Return how words come to lie about, as at first, each with what its hands write."""
        columns = [VGroup(*self.bank.column(t)) for t in range(len(self.tokens))]
        there = Together(map(Become, columns, self.lying, repeat(QUICK / 6)))
        is_seen = self.turns is not None
        out = map(Become, self.labels, self.spots, repeat(STEADY if is_seen else QUICK / 6))
        if not is_seen:
            come = [ComeFrom(c, self.maps[0].cell(t, t)) for t, c in enumerate(columns)]
            told = Then(Disappear(*self.maps, *self.told), Appear(*self.labels))
            return Then(Together(there, *out), Together(told, *come))
        hands = Recolor(*(c.hand for c in self.clocks), role=INK)
        ghosts = Recolor(*(c.ghost for c in self.clocks), role=QUIET)
        leave = Disappear(*self.bank.standing(), *self.degrees, self.facts)
        shown = Fade(*self.cells.values(), to=1.0)
        return Then(Together(leave, there), Together(*out, hands, ghosts), shown)

    def _in_order(self) -> Verb:
        """Return how words that lie about find the places that their hands tell."""
        foot = max(home.get_top()[1] for home in self.homes) + GAP + self.lying[0].height / 2
        walk = []
        for t, (label, home) in enumerate(zip(self.labels, self.homes, strict=True)):
            column, over = VGroup(*self.bank.column(t)), (self.cell_homes[t].get_x(), foot, 0.0)
            walk.append(Together(Become(label, home), MoveTo(column, over)))
        grow = Together(map(Become, self.cells.values(), self.cell_homes))
        return Then(Flow(walk, STEADY), grow)

    def _written(self) -> Floats:
        """Return where every hand points at every place, right and up: (hands, 2, T)."""
        waves = self.waves.array[: len(self.tokens)]
        return np.stack([waves[:, [2 * hand, 2 * hand + 1]].T for hand in self.hands])

    def _write(self, hand: int, place: int) -> Verb:
        """Return how where a hand points becomes two cells of a column."""
        pair = VGroup(*(self.cells[hand, part, place] for part in (0, 1)))
        return ComeFrom(pair, self.clocks[hand].tip, QUICK, fit=False)

    def _sweep(self, hands: Iterable[int], start: int, end: int, seconds: float) -> Verb:
        """Return how hands turn from one place to another, and write all columns but the first."""
        if end <= start:
            return Hold(QUICK)
        hands = list(hands)
        turn = [Vary(self.clocks[hand].turn_to, start, end, seconds, linear) for hand in hands]
        write = [
            Then(
                Hold(seconds * (t - start) / (end - start)),
                Together(map(self._write, hands, repeat(t))),
            )
            for t in range(start + 1, end + 1)
        ]
        return Together(*turn, *write)

    def _carry(self, old: int, new: int, run_time: float = SLOW, apart: int = 0) -> Verb:
        """Return how a step goes from one start to another: rings move, and all hands turn.

        The rings come to stand `apart` places from each other, by default the step's.
        """
        apart, pace = apart or self.step, ticking(max(1, abs(new - old)))
        turn = [Vary(clock.begin_at, old, new, run_time, pace) for clock in self.clocks]
        lit = [part for t in (0, apart) for part in self.bank.column(new + t)]
        light = Then(Hold(run_time / 2), Undim(*lit, run_time=run_time / 2))
        dark = Dim(*self.bank.besides(new, new + apart), run_time=run_time / 2)
        goals = [VGroup(*self.bank.column(new + t)) for t in (0, apart)]
        moves = [MoveTo(*each, run_time=run_time) for each in zip(self.rings, goals, strict=True)]
        for move in moves:
            move.rate_func = pace
        return Together(*turn, *moves, light, dark)
