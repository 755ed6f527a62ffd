"""Clocks for positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import repeat

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import expressions, theme
from scenes.analysis.waves import SLOWEST, paper_rates, rates_of, waves
from scenes.camera import box_of
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars
from scenes.mobjects.clock import ClockBank, MeanByDistance, PlaceMap, ticking
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number, Words
from scenes.mobjects.vector import Heat
from scenes.provenance import Array, Value, applied, constant, count, dot, matmul, transposed
from scenes.study import SHIPPED
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    INK,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
)
from scenes.verbs import (
    Appear,
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
STEP = 3  # words from one place to another, at most
WRITING = 3.2  # seconds in which all columns are written
LINES, MOST_A_LINE = 3, 4  # of the words before they are in order
LARGEST = 1.7  # times as large as they are later, words lie about
MIXED = 0.618  # a step with which they come to lie in no order
STRIPE = 0.25  # of a map's side, from its diagonal to the line that is drawn
MOSTLY = 0.5  # of all that is alike, what distance explains where it decides

Floats = NDArray[np.float64]


class ClocksForPositions(Film):
    """Places are told by hands that turn at their own pace, so that a distance is always a turn."""

    title = "Clocks for positions"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 85
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
        degrees = self.rates.array[self.hands]
        words = ("one word", "two words", "three words")[self.step - 1]
        share = "" if self.turns else f"{100 * self.share.number:.0f}"
        return {
            "slow": f"{degrees[-1]:.0f}" if degrees[-1] >= 1 else f"{degrees[-1]:.1g}",
            "hands": f"{len(self.rates):,}",
            "words": words,
            "share": share,
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
        places = self.waves.shape[0]
        both = count(len(self.rates), "hands"), count(places, "places of the map")
        self.map = PlaceMap(self.waves.double, both, len(self.tokens), self.stage)
        self._cast_heap()
        self.stand(self.map, self.counts)
        self.stand(*self.cells.values(), *self.labels, *self.degrees, *self.clocks, *self.rings)
        self.stand(self.turn_told)
        (self._cast_own if self.turns is None else self._cast_turned)()

    @beat(
        "All these words reach the model at once. | How can it tell which comes first? | "
        "Count them? | A count grows without end, and drowns the rest."
    )
    def which_comes_first(self) -> Shown:
        yield Appear(*self.labels)
        yield Flow((Pulse(self.labels[t]) for t in self.heap), STEADY)
        homes = zip(self.labels, self.homes, strict=True)
        bars = zip(self.counts.shapes, self.counts.numbers, strict=True)
        come = Flow((Appear(*bar) for bar in bars), STEADY)
        home = Together(MoveTo(*each, scale=1 / self.larger) for each in homes)
        yield Then(home, come)
        yield Flow((Pulse(number) for number in self.counts.numbers), SLOW)

    @beat(
        "A clock never runs out: its hand goes round. | Let it turn a bit with each word. | "
        "Where it points takes two numbers: | how far right, | and how far up."
    )
    def one_hand(self) -> Shown:
        clock, (right, up) = self.clocks[0], self.clocks[0].legs
        bars = zip(self.counts.shapes, self.counts.numbers, strict=True)
        counts = [GoInto(VGroup(*bar), (*clock.middle, 0.0)) for bar in bars]
        yield Together(*counts), Then(Hold(), Appear(clock.face, clock.hand))
        yield Vary(clock.turn_to, 0, 1, SLOW), Appear(self.turn_told), Pulse(self.labels[1])
        yield Together(self._write(0, 1), Fade(right, up, to=1.0))
        yield Pulse(right, self.cells[0, 0, 1], run_time=STEADY)
        yield Pulse(up, self.cells[0, 1, 1], run_time=STEADY)

    @beat(
        "On it goes, but comes round again. | So add slower hands: | "
        "the last one turns only {slow} degrees with each word. | "
        "Place by place they write their columns: | fast waves on top, slow ones below."
    )
    def slower_hands(self) -> Shown:
        (first, *others), last = self.clocks, len(self.tokens) - 1
        slower, along = range(1, len(self.clocks)), self._sweep([0], 1, last, SLOW)
        yield Disappear(*first.legs), Together(self._write(0, 0), along)
        settle = Vary(first.settle, 0, 1), GoInto(self.turn_told, self.degrees[0], QUICK)
        come = Flow((Appear(clock.face, clock.hand) for clock in others), STEADY)
        told = Flow(map(Appear, self.degrees), STEADY)
        yield Then(Together(*settle, Vary(first.turn_to, last, 0)), Together(come, told))
        yield Pulse(self.degrees[-1], run_time=STEADY), Pulse(others[-1] if others else first)
        start = Together(*(self._write(hand, 0) for hand in slower))
        again = Vary(first.turn_to, 0, last, WRITING, linear)
        yield Then(start, Together(again, self._sweep(slower, 0, last, WRITING)))
        rows = [VGroup() for _ in self.clocks]
        for (hand, *_), cell in self.cells.items():
            rows[hand].add(cell)
        yield Flow((Pulse(row, scale=1.03) for row in rows), SLOW)

    @beat(
        "There is room for more: | here are {hands} hands, over many places. | "
        "Every number stays between minus one and one, | and no two places are alike."
    )
    def the_whole_map(self) -> Shown:
        leave = Disappear(*self.clocks, *self.degrees, *self.labels)
        come = Then(Hold(QUICK), Fade(self.map.heat, to=1.0, run_time=STEADY))
        yield leave, TurnInto(VGroup(*self.cells.values()), self.map.ring), come
        yield Appear(self.map.told), Pulse(self.map.ring, scale=1.03, run_time=STEADY)
        yield Appear(self.map.key, run_time=STEADY), Pulse(self.map.key, run_time=STEADY)
        yield Visit(self.map.scan, self.map.columns, SLOW)

    @beat(
        "Now go {words} on. | Each hand sweeps an angle of its own. | Start anywhere else: | "
        "the very same angles. | So {words} on is always the same turn of every hand."
    )
    def a_step_is_a_turn(self) -> Shown:
        one, other = self.starts
        back = TurnInto(self.map.ring, VGroup(*self.cells.values()))
        clear = Disappear(self.map.heat, self.map.told, self.map.key, self.map.scan)
        ready = [Vary(clock.begin_at, clock.since, one, QUICK) for clock in self.clocks]
        come = Fade(*self.bank.faces(), *self.degrees, *self.labels, to=1.0)
        here = Together(
            *(Appear(ring) for ring in self.rings), Dim(*self.bank.besides(one, one + self.step))
        )
        still = [Vary(clock.reach, self.step, 0, QUICK / 2) for clock in self.clocks]
        yield clear, Then(Together(back, come, *ready, *still), here)
        swept = [part for clock in self.clocks for part in (clock.sector, clock.ghost)]
        yield Fade(*swept, to=1.0), *(Vary(c.reach, 0, self.step, SLOW) for c in self.clocks)
        yield self._carry(one, other)
        yield Flow((Pulse(c.sector) for c in self.clocks), STEADY)
        yield Then(self._carry(other, one, STEADY), self._carry(one, other, STEADY))

    @beat(
        "This model learned its places instead. | Compare any two: blue where they're alike. | "
        "Clocks make stripes, as only the distance counts. | "
        "In this model, too: it explains {share} percent.",
        from_waves="This model started from waves, then learned its own. | "
        "Compare any two places: blue where they're alike. | "
        "Clocks make stripes, as only the distance counts. | "
        "What it learned keeps to that: distance explains {share} percent.",
        scattered="This model learned its places instead. | "
        "Compare any two: blue where they're alike. | "
        "Clocks make stripes, as only the distance counts. | "
        "In this model, it explains only {share} percent.",
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
        "So hands tell every word its place: | neighbours have nearly the same, | "
        "and a distance is one turn, anywhere."
    )
    def hands_for_every_word(self) -> Shown:
        one, other = self.starts
        yield self._back(), Undim(*self.labels)
        near = Together(Vary(clock.reach, self.step, 1) for clock in self.clocks)
        slow = VGroup(*(part for t in (0, 1) for part in self.bank.column(t)[len(self.clocks) :]))
        walk = self._carry(other, one, STEADY, apart=1)
        yield Then(Together(near, walk), Pulse(slow, scale=1.03))
        wide = Together(Vary(clock.reach, 1, self.step) for clock in self.clocks)
        yield Then(Together(wide, self._carry(one, one, STEADY)), self._carry(one, other))

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
        self.turn_told.next_to(self.clocks[0].face, DOWN if is_high else RIGHT, buff=GAP)

    def small_print(self) -> Words:
        """Say where the hands' rates come from, and whose query and key are turned."""
        if self.turns is None:
            base = constant(SLOWEST, "Vaswani et al. 2017, section 3.5")
            return Words("rates from one to one in {:,.0f}", base, size=PLAIN_SIZE, role=QUIET)
        return super().small_print()

    def _cast_counts(self) -> None:
        """Set a bar over every word, as high as the number of words before it."""
        values = [count(t, "words before this one") for t in range(len(self.tokens))]
        self.counts = Bars(values, box_of(VGroup(*self.cells.values())), role=QUIET)
        for number in self.counts.numbers:
            number.decimals = 0
        self.counts.put(values)

    def _cast_heap(self) -> None:
        """Let the words lie about at first, larger and in no order, on a few lines."""
        self.homes = [label.get_center() for label in self.labels]
        self.heap = sorted(range(len(self.labels)), key=lambda t: t * MIXED % 1)
        lines = self.under_title.rows(max(LINES, -(-len(self.heap) // MOST_A_LINE)))
        room = lines[0].width / -(-len(self.heap) // len(lines))
        widest = max(label.width for label in self.labels)
        self.larger = float(np.clip((room - 2 * GAP) / widest, 1.0, LARGEST))
        for place, line in enumerate(lines):
            words = [self.labels[t].scale(self.larger) for t in self.heap[place :: len(lines)]]
            for i, word in enumerate(words):
                word.move_to((line.left + (i + 0.5) * line.width / len(words), line.center[1], 0))

    def _cast_own(self) -> None:
        """Set the clocks' and the model's own cosines between any two places side by side."""
        self.pair, self.pair_told, self.stripes, self.folds = [], [], [], []
        self.share_told = Words(
            "{:.0%} by distance alone", self.share, size=SPOKEN_SIZE, role=ACCENT
        )
        for rows, name, region in zip(
            (self.waves, self.tensor("own")),
            ("clocks", "this model"),
            self.stage.split(0.5),
            strict=True,
        ):
            told = Words(f"{name}, place by place", size=SPOKEN_SIZE)
            room = region.inset(HAIR)
            told.move_to((room.center[0], room.top, 0), UP)
            room = room.below(told, GAP).raised(self.share_told.height + GAP)
            side = min(room.width, room.height)
            alike = expressions.centered_cosines(rows.double)
            heat = Heat(alike, (side, side), largest=1.0).move_to(room.center)
            self.folds.append(MeanByDistance(alike, box_of(heat)))
            told.next_to(heat, UP, buff=GAP)
            corner, off = heat.get_corner(LEFT + UP), side * STRIPE
            ends = np.array([[off, 0, 0], [side, off - side, 0]])
            for down in (ends, -ends[:, [1, 0, 2]]):
                line = Line(corner + down[0], corner + down[1])
                self.stripes.append(line.set_stroke(theme.color(ACCENT), theme.BOLD_LINE))
            self.pair.append(heat)
            self.pair_told.append(told)
        self.share_told.next_to(self.pair[1], DOWN, buff=GAP)
        self.apart_told = Words("places apart", size=SPOKEN_SIZE, role=QUIET)
        self.apart_told.next_to(self.pair[0], DOWN, buff=GAP)
        self.stand(*self.pair, *self.pair_told, *self.stripes, *self.folds)
        self.stand(self.share_told, self.apart_told)

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
        area = box_of(VGroup(*self.cells.values()))
        area.fit_width(self.facts)
        self.facts.move_to(area.center)
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
        clocks, (one, other) = self.pair[0], (self.starts[1], self.starts[1] + self.step)
        rest = self.bank.besides(one, other)
        leave = Disappear(*self.bank.standing(), *self.rings, *self.degrees, *self.labels, *rest)
        size = clocks.width / len(self.waves)
        right, down = (size * (place + 0.5) for place in (other, one))
        spot = clocks.get_corner(LEFT + UP) + right * RIGHT + down * DOWN
        columns = (VGroup(*self.bank.column(place)) for place in (one, other))
        meet = Together(GoInto(column, spot, STEADY) for column in columns)
        cells = Undim(*self.cells.values(), run_time=QUICK / 2)
        come = Then(Hold(QUICK), Appear(*self.pair, scale=1.0, run_time=STEADY), cells)
        yield Then(leave, Together(meet, come))
        yield Appear(*self.pair_told), Pulse(*self.pair, scale=1.03, run_time=STEADY)
        yield Flow(map(Draw, self.stripes[:2]), STEADY)
        fold = (TurnInto(VGroup(*each), fold) for *each, fold in self._mapped())
        told = Together(Appear(self.share_told), Appear(self.apart_told))
        yield Then(Flow(map(Draw, self.stripes[2:]), QUICK), Together(fold), told)

    def _mapped(self) -> list[tuple[VMobject, ...]]:
        """Return each map with the stripes that are drawn on it, and what it folds into."""
        first, second = self.stripes[:2], self.stripes[2:]
        return [
            (heat, *stripes, fold)
            for heat, stripes, fold in zip(self.pair, (first, second), self.folds, strict=True)
        ]

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
        yield (
            Count(score, self.scores[1]),
            Pulse(score),
            Flow((Pulse(clock.sector) for clock in self.clocks), STEADY),
        )

    def _back(self) -> Verb:
        """Return how the clocks and what they write come again."""
        if self.turns is None:
            told = *self.pair_told, self.share_told, self.apart_told
            parts = (*self.bank.standing(), *self.degrees, *self.labels, *self.rings)
            come = Fade(*parts, *self.cells.values(), to=1.0, run_time=STEADY)
            return Together(Disappear(*self.folds, *told), Then(Hold(QUICK / 4), come))
        again = Fade(*self.cells.values(), *self.rings, to=1.0)
        hands = Recolor(*(clock.hand for clock in self.clocks), role=INK)
        ghosts = Recolor(*(clock.ghost for clock in self.clocks), role=QUIET)
        return Together(Disappear(self.facts), again, hands, ghosts)

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
