"""Clocks for positions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, repeat

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import expressions, theme
from scenes.analysis.waves import paper_rates, rates_of, waves
from scenes.camera import WHOLE
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.clock import Clock, ClockBank, Drowned, Heap, Turn, legs_of, ticking
from scenes.mobjects.marks import Ring
from scenes.mobjects.place_maps import Compared, PlaceMaps
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
    Visit,
)

HANDS, APART = 5, 12  # that are drawn, at most, spread over this part of all of them
PLACES = 64  # of the map, at most
ENTRIES = 10  # of every word's numbers, that are drawn
STEP = 3  # words from one place to another, at most
NEARLY = 30.0  # degrees between two hands that show nearly the same time
BOW = 0.6  # scene units, by which words keep out of each other's way
TICKING = 4.8  # seconds, at most, in which a clock ticks through all words
NEAR = 0.75  # of the stage, by the clock that is looked into
MOSTLY = 0.5  # of all that is alike, what distance explains where it decides

Floats = NDArray[np.float64]


class ClocksForPositions(Film):
    """Places are told by hands that turn at their own pace, so that a distance is always a turn."""

    title = "Clocks for positions"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
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
        self.hands = [*range(0, len(self.rates), max(1, len(self.rates) // APART))][:HANDS]
        tokens = len(self.tokens)
        self.step = min(STEP, tokens // 2)
        self.starts, self.pair = (0, tokens - 1 - self.step), (tokens - 1 - self.step, tokens - 1)
        turned = float(self.rates.array[0]) * np.arange(1, tokens)
        off = np.abs((turned + 180) % 360 - 180)
        self.again = 1 + int(off.argmin())
        self.is_short = float(off.min()) > NEARLY
        if self.turns is None:
            own = self.tensor("own")
            share = expressions.BY_DISTANCE.work(own.double)
            self.share = applied(expressions.BY_DISTANCE, share, own)

    def words(self) -> Mapping[str, str]:
        """Say how fast hands turn, how many there are, and how far the steps go."""
        slow = self.rates.array[self.hands[-1]]
        return {
            "again": self.name_of(self.again),
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
            "short": self.is_short,
            "from_waves": decides and self.request.checkpoint == SHIPPED,
            "scattered": learned and not decides,
        }

    def cast(self) -> None:
        """Make the words with their clocks, what becomes of these, and the maps."""
        self._cast_clocks()
        self._cast_drowned()
        self._cast_near()
        self._cast_maps()
        (self._cast_own if self.turns is None else self._cast_turned)()

    @beat(
        "All these words reach the model at once. | Which comes first? | "
        "Each is a list of numbers: | add its place? | "
        "But places grow without end, and drown the word."
    )
    def which_comes_first(self) -> Shown:
        yield Appear(*self.labels)
        yield Then(self._swap(), Hold(QUICK))
        come = Then(Hold(QUICK), Fade(self.drowned, to=1.0, run_time=STEADY))
        yield Together(map(Become, self.labels, self.word_homes)), come
        yield Flow(map(Appear, self.counts), STEADY)
        goals = (number.copy().shift(number.height * DOWN) for number in self.counts)
        fall = Together(map(GoInto, self.counts, goals))
        yield fall, Then(Hold(QUICK), Vary(self.drowned.add_counts, 0, 1, SLOW))

    @beat(
        "A clock never runs out: its hand goes round. | Turn it a bit with each word, | "
        "and every word has its own time."
    )
    def one_hand(self) -> Shown:
        large, last = self.large, len(self.tokens) - 1
        around = Vary(large.turn_to, 0, 2 * np.pi / large.rate, SLOW)
        yield Disappear(self.drowned), Then(Hold(), Appear(large), around)
        turn = Vary(large.turn_to, 0, 1), Vary(self.tick.open, 0, 1), Pulse(self.labels[1])
        told = Appear(self.turn_told), Fade(self.tick.sector, to=1.0, run_time=HAIR)
        yield Then(Together(self._leave(0), Pulse(self.labels[0])), Together(*turn, *told))
        yield Then(*map(self._tick, range(1, last)), self._leave(last))

    @beat(
        "But soon it comes round: | {again} has nearly the first word's time. | "
        "So add slower hands, as a watch does, | "
        "the last one only {slow} degrees a word. | Together, they tell every place.",
        short="But soon it comes round, | and tells the same times again. | "
        "So add slower hands, as a watch does, | "
        "the last one only {slow} degrees a word. | Together, they tell every place.",
    )
    def slower_hands(self) -> Shown:
        large, again, others = self.large, self.again, self.clocks[1:]
        once = 2 * np.pi / large.rate
        back = Vary(large.turn_to, (len(self.tokens) - 1) % once, 0)
        yield Disappear(self.tick), back, Fade(self.back.hand, to=1.0)
        named = [] if self.is_short else [self.clocks[0][again], self.labels[again]]
        around = Vary(large.turn_to, 0, once if self.is_short else again, SLOW, ticking(again))
        yield Then(around, Pulse(*named))
        come = (Appear(*row, told) for row, told in zip(others, self.degrees[1:], strict=True))
        leave = Disappear(large, self.back, self.turn_told)
        yield leave, Appear(self.degrees[0]), Then(Hold(), Flow(come, STEADY))
        fan = [Vary(c.turn_to, 0, t, SLOW) for clocks in others for t, c in enumerate(clocks)]
        yield Then(Together(fan), Pulse(self.degrees[-1], *self.clocks[-1], run_time=STEADY))
        yield Then(Appear(self.rings[0]), Visit(self.rings[0], self.columns[1:], SLOW))

    @beat(
        "Now go {words} on. | Each hand sweeps an angle of its own. | Start anywhere else: | "
        "the very same angles fit. | So {words} on is always the same turn."
    )
    def a_step_is_a_turn(self) -> Shown:
        one, other = self.starts
        sectors = [turn.sector for turn in self.swept]
        to_one = MoveTo(self.rings[0], self.columns[one])
        to_end = ComeFrom(self.rings[1], self.columns[one])
        yield Then(to_one, Together(to_end, self._light(one)))
        opened = Together(Vary(turn.open, 0, self.step, SLOW) for turn in self.swept)
        there = Together(Vary(turn.slide, 0, 1) for turn in self.swept)
        yield Fade(*sectors, to=1.0, run_time=HAIR), Then(opened, there)
        back = [Vary(turn.slide, 1, 0) for turn in self.swept]
        yield self._carry(one, other), *back, self._light(other)
        yield Together(Vary(turn.slide, 0, 1, SLOW) for turn in self.swept)
        yield Undim(*self.columns), self._carry(other, one, SLOW + STEADY)

    @beat(
        "A model needs numbers: | how far right a hand points, | and how far up. | "
        "Two for every hand: a column for every place."
    )
    def two_numbers(self) -> Shown:
        near = self.clocks[0][1]
        others = (clock for clock in chain(*self.clocks) if clock is not near)
        around = VGroup(*others, *self.labels, *self.degrees)
        leave = Disappear(*self.swept, *self.rings), Dim(around)
        yield *leave, self.zoom_into(near.face, NEAR)
        for leg, length in zip(self.legs, self.lengths, strict=True):
            yield Then(Draw(leg), Appear(length), Pulse(length))
        gone = Disappear(*self.legs, *self.lengths), Undim(around)
        pairs = zip(self.columns, self.cells, strict=True)
        turn = (Together(map(TurnInto, column, cells)) for column, cells in pairs)
        yield Together(*gone, self.pull_back()), Then(Hold(STEADY), Flow(turn, STEADY))

    @beat(
        "Here are {hands} hands, | over many places: | fast waves above, slow ones below, | "
        "and all between minus one and one."
    )
    def the_whole_map(self) -> Shown:
        cells, maps = [*chain(*self.cells)], self.maps
        squeeze = Together(map(Become, cells, self.squeezed)), Disappear(*self.degrees)
        seen = Fade(*maps.sides, *maps.names, maps.told, to=1.0), Disappear(*cells)
        deepen = Together(Vary(side.deepen, 0, 1, SLOW) for side in maps.sides)
        yield Disappear(*self.labels), Then(Together(squeeze), Together(seen), deepen)
        places = len(self.tokens), len(self.waves)
        yield Together(Vary(side.go_on, *places, SLOW) for side in maps.sides)
        yield Then(Appear(maps.strip), MoveTo(maps.strip, maps.lowest, run_time=SLOW))
        yield Disappear(maps.strip), Then(Appear(maps.key), Pulse(maps.key, run_time=STEADY))

    @beat(
        "Compare any two places: | blue where they're more alike than most. | "
        "Same distance, same colour: stripes. | "
        "This model learned its places instead. | "
        "Here, too: distance alone explains {share} percent.",
        from_waves="Compare any two places: | blue where they're more alike than most. | "
        "Same distance, same colour: stripes. | "
        "This model started from waves, then learned its own places. | "
        "Distance alone still explains {share} percent.",
        scattered="Compare any two places: | blue where they're more alike than most. | "
        "Same distance, same colour: stripes. | "
        "This model learned its places instead. | "
        "Here, distance alone explains only {share} percent.",
        turned_in_part="This model adds no such column: | by these hands it turns {part} of "
        "{whole} numbers of each query and key. | Move both on: both turn, | "
        "and their dot product stays: | only the distance counts.",
        turned="This model adds no such column: | by these hands it turns each query and key. | "
        "Move both on: both turn, | and the angle between them stays. | "
        "So does their dot product: only the distance counts.",
    )
    def what_this_model_has(self) -> Shown:
        yield from self._turned() if self.turns else self._learned()

    @beat(
        "However the words lie about, | hands tell each its place: | "
        "neighbours nearly agree in slow hands, | and a distance is one turn, anywhere."
    )
    def hands_for_every_word(self) -> Shown:
        one, other = self.starts
        yield self._scattered()
        homes = Together(map(Become, self.columns, self.homes, repeat(SLOW)))
        words = Together(map(Become, self.labels, self.word_homes, repeat(SLOW)))
        pair = [MoveTo(ring, self.homes[t], run_time=QUICK) for t, ring in enumerate(self.rings)]
        yield Together(homes, words), Together(pair), Then(Hold(STEADY), Appear(*self.degrees))
        slow = [clock for row in self.clocks[len(self.clocks) // 2 :] for clock in row[:2]]
        yield Then(Fade(*self.rings, to=1.0), Pulse(*slow, run_time=STEADY))
        ready = [Vary(turn.begin_at, other, one, HAIR) for turn in self.swept]
        lie = [Vary(turn.slide, 0, 1, HAIR) for turn in self.swept]
        ends = zip(self.rings, self._ends(one), strict=True)
        apart = Together(MoveTo(*each, run_time=QUICK) for each in ends)
        come = Fade(*(turn.sector for turn in self.swept), to=1.0)
        here = Then(Together(ready), Together(lie), Together(apart, come))
        yield Then(here, self._carry(one, other), Hold(SLOW))

    # What only this film shows

    def small_print(self) -> Words:
        """Say what hands tell, or whose query and key are turned."""
        told = Words("a sine and a cosine for every hand", size=PLAIN_SIZE, role=QUIET)
        return super().small_print() if self.turns else told

    def _cast_clocks(self) -> None:
        """Set clocks for every word, and let the words lie about at first, larger."""
        rates = [self.rates[hand].value for hand in self.hands]
        self.bank = ClockBank(rates, self.tokens, self.stage)
        self.clocks, self.degrees, self.labels = self.bank.clocks, self.bank.rates, self.bank.labels
        self.columns = [VGroup(*self.bank.column(t)) for t in range(len(self.tokens))]
        self.homes = [column.copy() for column in self.columns]
        self.word_homes = [label.copy() for label in self.labels]
        self.heap = Heap(self.bank, self.under_title)
        for label, spot in zip(self.labels, self.heap.spots, strict=True):
            label.become(spot)
        for clock in chain(*self.clocks[1:]):
            clock.turn_to(0)
        self.rings = [Ring(column, HAIR / 2) for column in self._ends(self.starts[0])]
        self.swept = [Turn(row, self.step, self.starts[0]) for row in self.clocks]
        for turn in self.swept:
            turn.open(0.0)
        self.stand(*self.labels, *self.degrees, *self.swept, *self.columns, *self.rings)

    def _cast_drowned(self) -> None:
        """Set the first of every word's numbers over it, and how many words come before it."""
        counts = [count(t, "words before this one") for t in range(len(self.tokens))]
        self.counts = [Number(value, 0, SPOKEN_SIZE) for value in counts]
        room, numbers = self.bank.room, self.tensor("embed").double[:, :ENTRIES]
        for number, column in zip(self.counts, self.columns, strict=True):
            number.move_to((column.get_x(), room.top, 0), UP)
        room = room.lowered(self.counts[0].height + GAP)
        self.drowned = Drowned(numbers, np.array([value.number for value in counts]), room)
        self.stand(self.drowned, *self.counts)

    def _swap(self) -> Verb:
        """Return how two words of every line change places."""
        pairs = [(self.labels[one], self.labels[other]) for one, other in self.heap.pairs]
        ways = [other.get_center() - one.get_center() for one, other in pairs]
        return Together(
            Together(Shift(one, by=way, bow=BOW * UP), Shift(other, by=-way, bow=BOW * DOWN))
            for (one, other), way in zip(pairs, ways, strict=True)
        )

    def _cast_near(self) -> None:
        """Let one clock stand large at first, and say what is told of another from near."""
        near = self.clocks[0][1]
        zoom = WHOLE.into(near.face, self.stage, NEAR).zoom
        self.legs = legs_of(near, self._points(0, 1))
        numbers = (Number(self.waves[1, part].value, 2, theme.HEADING_SIZE) for part in (0, 1))
        self.lengths = [
            number.scale(1 / zoom).next_to(leg, side, buff=HAIR / zoom)
            for number, leg, side in zip(numbers, self.legs, (UP, LEFT), strict=True)
        ]
        room = self.bank.room.lowered(self.bank.pitch[1]).inset(GAP)
        self.turn_told = Words("{:.0f}° a word", self.rates[self.hands[0]].value, size=SPOKEN_SIZE)
        is_high = room.width < room.height + 2 * self.turn_told.width
        room = room.raised(self.turn_told.height + GAP) if is_high else room
        radius = min(room.width, room.height) / 2
        self.large, self.back = (Clock(near.rate, room.center[:2], radius) for _ in range(2))
        for clock in self.clocks[0]:
            clock.near = self.large.own
        self.tick = Turn([self.large], 1, 0)
        self.back.hand.set_color(theme.color(QUIET))
        self.turn_told.next_to(self.large, DOWN if is_high else RIGHT, buff=GAP)
        self.stand(self.tick, self.back, self.large, self.turn_told, *self.legs, *self.lengths)

    def _tick(self, place: int) -> Verb:
        """Return how the large clock goes on from a place, whose clock comes out of it."""
        time = min(QUICK, TICKING / len(self.tokens))
        hand = Vary(self.large.turn_to, place, place + 1, time)
        swept = Vary(self.tick.begin_at, place - 1, place, time)
        named = Pulse(self.labels[place + 1], run_time=time)
        return Together(hand, swept, self._leave(place, time), named)

    def _leave(self, place: int, time: float = QUICK) -> Verb:
        """Return how the clock of a place comes out of the large one."""
        clock = self.clocks[0][place]
        return Together(Fade(clock, to=1.0, run_time=HAIR), Vary(clock.settle, 0, 1, time))

    def _points(self, hand: int, place: int) -> list[float]:
        """Return how far right and how far up a hand that is drawn points at a place."""
        first = 2 * self.hands[hand]
        return [float(number) for number in self.waves.array[place, first : first + 2]]

    def _cast_maps(self) -> None:
        """Set what every hand writes, for the words here and for many places."""
        sizes = count(len(self.rates), "hands"), count(len(self.waves), "places of the map")
        tokens, hands = range(len(self.tokens)), range(len(self.hands))
        self.maps = PlaceMaps(self.waves.double, self.hands, len(tokens), sizes, self.stage)
        self.cells = [
            [self.bank.cells(hand, t, self._points(hand, t)) for hand in hands] for t in tokens
        ]
        self.squeezed = [
            self.maps.taking(self.cells[t][hand], self.hands[hand], t)
            for t in tokens
            for hand in hands
        ]
        self.stand(self.maps, *chain(*self.cells))

    def _cast_own(self) -> None:
        """Set how alike any two places are: by clocks, and by this model."""
        pair, waves, own = self.pair, self.waves.double.T, self.tensor("own").double
        share = Words("distance alone: {:.0%}", self.share, size=SPOKEN_SIZE)
        self.names = [Words("clocks", size=SPOKEN_SIZE), Words("this model", size=SPOKEN_SIZE)]
        names = self.names[0], VGroup(self.names[1], share).arrange(RIGHT, buff=2 * GAP)
        numbers = (waves[::2], waves[1::2]), (own.T,)
        slots = self.stage.rows(2) if self.stage.is_narrow else self.stage.in_columns(2)
        self.compared = [
            Compared(each, expressions.relative_cosines(np.concatenate(each).T), pair, name, slot)
            for each, name, slot in zip(numbers, names, slots, strict=True)
        ]
        clocks, self.aside = self.compared[0], slots[0].center - self.stage.center
        clocks.shift(-self.aside)
        self.marks = [Ring(box, 0.0, corner=0.0) for box in clocks.boxes_of(*pair)]
        self.named = Words("{} and {}", *map(self.name_of, self.pair), size=SPOKEN_SIZE)
        self.named.shrink_to(clocks.square.width - 2 * GAP).move_to(clocks.square)
        self.stand(*self.compared, *self.marks, self.named)

    def _cast_turned(self) -> None:
        """Say where a query and a key stand, and what their dot product is, before and after."""
        one, self.scores = self.starts[0], self.moved_scores()
        names = ("query at place", "key at place", "query · key")
        values = (count(one + self.step, "place"), count(one, "place"), self.scores[0])
        rows, self.values = VGroup(), list[Number]()
        for name, value, role in zip(names, values, (theme.QUERY, theme.KEY, INK), strict=True):
            self.values.append(Number(value, 2 if role == INK else 0, theme.HEADING_SIZE, role))
            words = Words(name, size=SPOKEN_SIZE, role=role)
            rows.add(VGroup(words, self.values[-1]).arrange(RIGHT, buff=GAP))
        self.facts = rows.arrange(DOWN, buff=3 * GAP)
        self.bank.room.narrowed(self.bank.pitch[0], 0.0).fit(self.facts)
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
        clocks, learned = self.compared
        square, name = clocks.square, self.names[0]
        leave = Disappear(*self.maps.names, self.maps.told, self.maps.key)
        lay = Together(map(TurnInto, self.maps.sides, clocks.band))
        flank = Become(clocks.flank, clocks.mirrored())
        yield leave, Then(lay, Fade(clocks.flank, square, name, to=1.0, run_time=HAIR), flank)
        pair = Together(Appear(self.marks[2], scale=3.0), Vary(square.reach, -1, 0, QUICK))
        yield Fade(*self.marks[:2], to=1.0), Appear(self.named), Then(Hold(QUICK), pair)
        left = (len(self.waves) - 1 - max(self.pair)) / len(self.waves)
        ways = [left * square.width * way for way in (DOWN, RIGHT, DOWN + RIGHT)]
        pairs = zip(self.marks, ways, strict=True)
        walk = [Shift(mark, by=way, run_time=SLOW) for mark, way in pairs]
        rest = Vary(square.reach, 1, square.whole), Disappear(*self.marks)
        stripe = Together(Disappear(self.named), Vary(square.reach, 0, left, SLOW), *walk)
        yield Then(stripe, Together(rest))
        flank = Become(learned.flank, learned.mirrored())
        come = Fade(learned.band, learned.flank, learned.square, self.names[1], to=1.0)
        grow = Vary(learned.square.reach, -1, learned.square.whole)
        yield Then(Shift(clocks, by=self.aside), come, flank, grow)
        even = Vary(learned.square.even, 0, 1), Vary(learned.square.even, 1, 0)
        share = learned.under[1]
        yield Appear(share), Then(even[0], Pulse(share, run_time=STEADY), even[1])

    def _turned(self) -> Shown:
        """Show that a query and a key, moved on together, keep the angle between them."""
        one, other = self.starts
        query, key, score = self.values
        faces = [clock.face for clock in self.bank.column(one)]
        ready = [Vary(turn.begin_at, other, one, HAIR) for turn in self.swept]
        lie = [Vary(turn.slide, 1, 0, HAIR) for turn in self.swept]
        come = Fade(*faces, *self.degrees, to=1.0)
        yield Disappear(self.maps), *ready, *lie, Then(Hold(), come)
        hands = Recolor(*(t.hand for t in self.swept), role=theme.QUERY, run_time=HAIR)
        ghosts = Recolor(*(t.ghost for t in self.swept), role=theme.KEY, run_time=HAIR)
        told = Flow(map(Appear, self.facts))
        yield Then(Together(hands, ghosts), Fade(*self.swept, to=1.0)), told
        move = Count(query, count(other + self.step, "place")), Count(key, count(other, "place"))
        way = one, other, SLOW, ticking(max(1, other - one))
        yield *(Vary(turn.turn_on, *way) for turn in self.swept), *move
        yield Flow(Pulse(turn) for turn in self.swept)
        yield Count(score, self.scores[1]), Pulse(score)

    def _scattered(self) -> Verb:
        """Return how words come to lie about, as at first, and get their clocks."""
        out = Together(map(Become, self.labels, self.heap.spots, repeat(HAIR)))
        there = Together(map(Become, self.columns, self.heap.clocks, repeat(HAIR)))
        before = [*self.swept, *self.columns, *self.degrees, self.facts] if self.turns else ()
        leave = Disappear(*(before or self.compared)), Appear(*self.labels, run_time=STEADY)
        white = Recolor(*(turn.hand for turn in self.swept), role=INK, run_time=HAIR)
        return Then(out, Together(*leave), Together(there, white), Flow(map(Appear, self.columns)))

    def _ends(self, place: int) -> list[VGroup]:
        """Return where the clocks stand of a place and of the one a step on."""
        return [self.homes[place], self.homes[place + self.step]]

    def _light(self, place: int) -> Verb:
        """Return how all clocks recede but those of a place and of the one a step on."""
        ends = place, place + self.step
        rest = (column for t, column in enumerate(self.columns) if t not in ends)
        return Together(Dim(*rest), Undim(*(self.columns[t] for t in ends)))

    def _carry(self, old: int, new: int, run_time: float = SLOW) -> Verb:
        """Return how a step goes from one start to another: rings move, and all sectors turn."""
        pace = ticking(max(1, abs(new - old)))
        turn = [Vary(turn.begin_at, old, new, run_time, pace) for turn in self.swept]
        moves = [
            MoveTo(ring, goal, run_time=run_time)
            for ring, goal in zip(self.rings, self._ends(new), strict=True)
        ]
        for move in moves:
            move.rate_func = pace
        return Together(*turn, *moves)
