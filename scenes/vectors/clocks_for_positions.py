"""Clocks for positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.waves import keeps_pace, once_round, paper_rates, rates_of, waves
from scenes.camera import WHOLE, pin
from scenes.expressions import Operation
from scenes.figures.kept_hands import Dials, KeptHand, Stride
from scenes.figures.place_maps import Drowned, Facts, PlaceWaves
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.clock import ClockBank, Heap, Ride, Round, Turn, legs_of, ticking
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import TokenText, Words
from scenes.presence import parts_of
from scenes.provenance import Array, Value, applied, count, dot, matmul, transposed
from scenes.theme import ACCENT, GAP, HAIR, INK, PLAIN_SIZE, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary, Verb

HANDS = 3, 5  # drawn, at most, and if upright; the second is the first to come round but once
PLACES = 64  # of the map, at most
ENTRIES = 5  # of a word's numbers, that are drawn
STEP = 3  # words from one place to another, at most
NEARLY = 30.0  # degrees between two hands that show nearly the same time
TICKING = 4.8  # seconds, at most, in which a clock ticks through all words
NEAR, SLIM = 0.98, 0.4  # of the stage, by what is looked into; as thick, a clock's hand
ASIDE = 0.36  # of the stage, what stands beside a square or a dial
SIDES = "right", "up"  # what is written of where a hand points
SLIGHTLY = 1.06  # times as large, a column that is pointed at
COMING = 3.4  # seconds, at most, in which all come to it


class ClocksForPositions(Film):
    """Places are told by hands that turn at their own pace, so that a distance is always a turn."""

    title = "Clocks for positions"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 82
    poster_beat = "a-step-is-a-turn"
    needs = (THREE_TOKENS,)
    kept: int | None = None  # of our model's hands, one that keeps its pace through training

    def derived(self) -> Mapping[str, Array]:
        """Work out hands' rates, in degrees, the paper's or a model's own, and where they point."""
        places, own = min(PLACES, self._checkpoint.model.config.n_ctx), dict[str, Array]()
        if self.traits.adds_positions:
            rates = paper_rates(self.trace.weights.W_E.shape[1] // 2)
            own["own"] = self.trace.weights.W_pos[:PLACES]
            own["started"] = self.started_positions()[:PLACES]
        else:
            turn = self.trace.tensors()["turns"][min(1, len(self.trace.ids) - 1)]
            rates = rates_of(turn, self.traits.turned)
        numbers = waves(rates, places).astype(np.float32)
        return {"rates": np.degrees(rates).astype(np.float32), "waves": numbers, **own}

    def observe(self) -> None:
        """Choose the hands and the two steps that are shown, and measure what the model has."""
        self.rates, self.waves = self.tensor("rates"), self.tensor("waves")
        tokens, rates = len(self.tokens), np.radians(self.rates.double)
        self.slow = once_round(rates, tokens)
        self.second = int(np.abs(rates - self.slow).argmin())
        self.hands = [*range(0, len(rates), max(1, self.second))]
        self.a_word = self.rates[self.second].value
        self.step = min(STEP, tokens // 2)
        self.starts = 0, tokens - 1 - self.step
        turned = float(self.rates.array[0]) * np.arange(1, tokens)
        off = np.abs((turned + 180) % 360 - 180)
        self.again = 1 + int(off.argmin())
        self.is_short = float(off.min()) > NEARLY
        if self.turns is None and self.is_shipped:
            self.kept = keeps_pace(*(self.tensor(name).double for name in ("started", "own")))

    def words(self) -> Mapping[str, str]:
        """Say whose time comes again, and how far the steps go."""
        return {
            "again": self.name_of(self.again),
            "words": ("one word", "two words", "three words")[self.step - 1],
            "part": str(self.traits.turned),
            "whole": str(self.tensor("q").shape[-1]),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether any two words have nearly the same time, and where places come from."""
        return {
            **super().circumstances(),
            "short": self.is_short,
            "from_waves": self.kept is not None,
        }

    def cast(self) -> None:
        """Make the words with their clocks, what becomes of these, and the maps."""
        self._cast_clocks()
        self._cast_drowned()
        self._cast_near()
        self._cast_maps()
        (self._cast_own if self.turns is None else self._cast_turned)()
        self._cast_round()

    @beat(
        "All these words come in at once. | Which comes first? | A word is a list of numbers: | "
        "add its place? | But places grow, and drown the word."
    )
    def which_comes_first(self) -> Shown:
        drowned, words = self.drowned, self.heap.spots
        yield Appear(*words)
        yield Then(self.heap.swap(words), Hold(QUICK))
        come = verbs.ComeFrom(self.named, words[-1]), Disappear(*words)
        yield Together(come), Then(Hold(QUICK / 2), Fade(drowned, to=1.0))
        yield Appear(self.place_told), Pulse(self.place_told)
        yield Vary(drowned.add_up, 0, 1, SLOW)

    @beat(
        "A clock's hand never grows: it goes round. | Turn it a bit with each word, "
        "| and each has its own time."
    )
    def one_hand(self) -> Shown:
        ride, own = self.ride, self.clocks[0]
        around = Vary(ride.clock.turn_to, 0, 2 * np.pi / ride.rate, SLOW)
        labels = verbs.ComeFrom(self.labels[-1], self.named), Flow(map(Appear, self.labels[:-1]))
        gone = Disappear(self.drowned, self.named, self.place_told)
        yield gone, *labels, Then(Hold(QUICK), Appear(ride.clock), around)
        seen = Fade(ride.swept.sector, to=1.0, run_time=HAIR)
        first = Together(verbs.ComeFrom(own[0], ride.clock), Pulse(self.labels[0], run_time=STEADY))
        yield Then(first, Together(seen, self._tick(1, STEADY), Appear(self.turn_told)))
        time = min(STEADY, TICKING / len(self.tokens))
        name = Together(Disappear(self.turn_told), Appear(self.degrees[0]))
        yield name, Then(self._tick(place, time) for place in range(2, len(self.tokens)))

    @beat(
        "But it comes round: | {again} has nearly the first word's time. | "
        "So add slower | and slower hands: | together, they tell every place.",
        short="But it comes round, | and tells the same times again. | "
        "So add slower | and slower hands: | together, they tell every place.",
    )
    def slower_hands(self) -> Shown:
        ride, again, others = self.ride, self.again, self.clocks[1:]
        last, once = len(self.tokens) - 1, 2 * np.pi / ride.rate
        back = Vary(ride.go_to, last, 0, HAIR), Appear(ride.clock, ride.first)
        yield Then(Disappear(ride.clock, ride.swept.sector, run_time=QUICK / 2), *back)
        same = [(self.clocks[0][at], self.labels[at]) for at in (0, again) if not self.is_short]
        on = Vary(ride.go_to, 0, again, SLOW, ticking(again))
        around = Vary(ride.clock.turn_to, 0, once, SLOW) if self.is_short else on
        both = [] if self.is_short else [Flow(map(Appear, self.two))]
        yield Then(around, Together(both, Pulse(*chain(*same), run_time=STEADY)))
        come = (Appear(*row, told) for row, told in zip(others, self.degrees[1:], strict=True))
        yield Disappear(ride.clock, ride.first, *self.two), Then(Hold(), Flow(come, STEADY))
        fan = [Vary(c.turn_to, 0, t, SLOW) for clocks in others for t, c in enumerate(clocks)]
        yield Then(Together(fan), Pulse(self.degrees[-1], *self.clocks[-1], run_time=STEADY))
        yield Then(self._each_column(self.columns), Flow(map(verbs.Draw, self.rings), STEADY))

    @beat(
        "Go {words} on: | each hand sweeps its own angle. | Start anywhere else: | "
        "the same angles fit. | It's the same turn."
    )
    def a_step_is_a_turn(self) -> Shown:
        (one, other), stride = self.starts, self.stride
        half, gone = (one + other + 1) // 2, Disappear(self.rings, *self.degrees, *self.columns)
        yield gone, stride.come_from(self.bank.column(one), one)
        yield stride.sweep()
        yield stride.go_on(one, half)
        yield stride.go_on(half, other)
        yield Flow(map(Pulse, stride.degrees))

    @beat("A model needs numbers: | how far right a hand points, | and how far up.")
    def two_numbers(self) -> Shown:
        near, stride = self.clocks[0][1], self.stride
        dial = stride.faces[0], stride.between.turns[0].hand
        rest = (part for part in parts_of(stride) if part not in dial and len(part.points))
        grow = verbs.TurnInto(VGroup(*dial), near), self.zoom_into(self.near_by, NEAR)
        gone = Vary(near.slim, 1, SLIM, HAIR), Disappear(*rest, *self.labels)
        yield *gone, Then(Hold(QUICK), Together(grow))
        for leg, length in zip(self.legs, self.lengths, strict=True):
            yield Then(verbs.Draw(leg), Appear(length), Pulse(length))

    @beat(
        "Two numbers for every hand, | blue or, below zero, orange: | "
        "so every place becomes a vector, a column of numbers."
    )
    def a_column_of_numbers(self) -> Shown:
        near = self.clocks[0][1]
        others = [clock for clock in chain(*self.clocks) if clock is not near]
        fall = map(verbs.Become if self.is_roomy else verbs.GoInto, self.lengths, self.written)
        yield Disappear(near, *self.legs), *fall, Then(Hold(), Appear(*self.cells[1][0]))
        pairs = zip(chain(*self.columns), chain(*self.cells), strict=True)
        turn = [verbs.TurnInto(*pair, QUICK) for pair in pairs if pair[0] is not near]
        back = self.pull_back(STEADY), Fade(*others, *self.labels, *self.degrees, to=1.0)
        last = Together(Flow(turn, STEADY), Then(Hold(STEADY), Appear(*self.sides)))
        yield Disappear(*self.lengths), Then(Together(back), last)
        columns = [VGroup(*chain(*column)) for column in self.cells]
        yield Then(self._each_column(columns), verbs.Draw(self.frame, run_time=QUICK))

    @beat(
        "Draw how far right each hand points: | over many places, it's a wave. | "
        "Slower hands make slower waves, | and none ever grows."
    )
    def the_whole_map(self) -> Shown:
        waves, tokens = self.waving, len(self.tokens)
        ups = [pair[1] for column in self.cells for pair in column]
        rows = Together(waves.take(self.cells), waves.rate(self.degrees, 0.0))
        gone = Disappear(*self.labels, *ups, *self.sides, self.frame)
        yield gone, Then(Hold(QUICK), rows, Appear(waves.heading))
        rights = [pair[0] for column in self.cells for pair in column]
        seen = Fade(*waves.bars, to=1.0, run_time=HAIR), Disappear(*rights, run_time=HAIR)
        on = Then(Vary(waves.go_on, tokens, len(self.waves), SLOW), Appear(waves.ends))
        yield Then(Together(seen), on)
        deepen = Vary(waves.deepen, 0, 1), waves.rate(self.degrees, 1.0)
        yield Together(*deepen, Then(Hold(QUICK), Appear(*waves.slower)))
        yield verbs.Draw(waves.limits, run_time=SLOW)

    @beat(
        "This model has a vector for every place, too, | learned in training. | "
        "Each is added to its word's vector.",
        from_waves="Our model began with such clocks, added to its words' vectors; "
        "| training moved their hands. | "
        "This one still keeps its pace, roughly.",
        turned_in_part="This model adds no such vector: | by these hands | it turns {part} of "
        "{whole} numbers of each query and key, | each at its own place. | Move both on: | "
        "both turn, | and their dot product stays.",
        turned="This model adds no such vector: | by these hands | it turns each query and key, | "
        "each at its own place. | Move both on: | both turn, | and their dot product stays.",
    )
    def what_this_model_has(self) -> Shown:
        yield from self._turned() if self.turns else self._added()

    @beat(
        "So which comes first? | "
        "One hand is slow enough: | round it, all stand in order, "
        "| and {words} on is the same turn, anywhere."
    )
    def hands_for_every_word(self) -> Shown:
        (one, other), circle = self.starts, self.circle
        face = Then(Hold(QUICK), verbs.Draw(circle.dial.face, run_time=STEADY))
        words = Then(Hold(QUICK / 3), Flow(map(Appear, circle.words)))
        yield Disappear(*self.leaving), words, face
        yield Appear(self.pace), Flow(map(Appear, circle.clocks), STEADY)
        time = min(QUICK, COMING / len(self.tokens))
        yield Disappear(self.pace), Then(circle.come(place, time) for place in circle.order)
        look = self.zoom_into(VGroup(circle.dial.face, *circle.words))
        turn = Vary(self.distance.begin_at, one, other, SLOW, ticking(max(1, other - one)))
        come = Fade(self.distance, to=1.0), Vary(self.distance.open, 0, self.step)
        dim = verbs.Dim(*circle.clocks)
        yield (
            Then(Together(look, dim, *come), turn, Hold(SLOW)),
            Then(Hold(STEADY), Appear(self.whole)),
        )

    # What only this film shows

    def small_print(self) -> Words:
        """Say what hands tell, or whose query and key are turned."""
        told = "a sine and a cosine for every hand"
        return super().small_print() if self.turns else Words(told, size=PLAIN_SIZE, role=QUIET)

    def _cast_clocks(self) -> None:
        """Set clocks for every word, and let the words lie about at first, larger."""
        self.hands = self.hands[: HANDS[self.stage.is_narrow]]
        self.rates_drawn = [self.rates[hand].value for hand in self.hands]
        self.bank = ClockBank(self.rates_drawn, self.tokens, self.stage)
        self.clocks, self.degrees, self.labels = self.bank.clocks, self.bank.rates, self.bank.labels
        self.columns = [VGroup(*self.bank.column(t)) for t in range(len(self.tokens))]
        self.heap = Heap(self.bank, self.under_title)
        for clock in chain(*self.clocks[1:]):
            clock.turn_to(0)
        told = [-1] if self.is_short else [0, self.again]  # the same time before, and now not
        self.rings = VGroup(*(Ring(self.columns[at], HAIR / 2) for at in told))
        across = [column.get_x() for column in self.columns]
        room = replace(self.stage, bottom=self.bank.room.bottom)
        self.stride = Stride(room, self.rates_drawn, self.step, self.labels, across)
        self.stand(*self.heap.spots, *self.labels, *self.degrees, *self.columns)
        self.stand(self.rings, self.stride)

    def _cast_drowned(self) -> None:
        """Set the last word's first numbers over its name, and its place."""
        stage, last = self.stage, len(self.tokens) - 1
        self.named = TokenText(self.tokens[last], theme.HEADING_SIZE)
        stage.fit_width(self.named)
        self.named.move_to((stage.center[0], stage.bottom, 0), DOWN)
        place = count(last + 1, "the word's place, from one")
        self.place_told = Words("place {:.0f}", place, size=theme.HEADING_SIZE, role=ACCENT)
        self.place_told.move_to((stage.center[0], stage.top, 0), UP)
        room = stage.below(self.place_told, GAP).raised(self.named.height + GAP)
        own = self.tensor("embed")[last].values[:ENTRIES]
        self.drowned = Drowned([(each, each + place) for each in own], room)
        self.stand(self.named, self.place_told, self.drowned)

    def _cast_near(self) -> None:
        """Let one clock stand large at first, and say what is told of another from near."""
        near = self.clocks[0][1]
        hands, tokens = range(len(self.hands)), range(len(self.tokens))
        self.cells = [[self.bank.cells(h, t, self._points(h, t)) for h in hands] for t in tokens]
        self.near_by = VGroup(near.face, *self.cells[1][0])
        zoom = WHOLE.into(self.near_by, self.stage, NEAR).zoom
        self.legs = legs_of(near, self._points(0, 1))
        numbers = (
            Words(f"{{:.2f}} {side}", self.waves[1, part].value, size=theme.HEADING_SIZE)
            for part, side in enumerate(SIDES)
        )
        self.lengths = [
            number.scale(1 / zoom).next_to(leg, side, buff=2 * HAIR / zoom)
            for number, leg, side in zip(numbers, self.legs, (UP, LEFT), strict=True)
        ]
        self.lengths[0].set_x(near.middle[0])  # its place that is farthest from the face's line
        room = self.bank.room.below(near.face, 0.0).lowered(GAP).raised(GAP / 2)
        self.turn_told = Words("{:.0f}° a word", self.rates[self.hands[0]].value, size=SPOKEN_SIZE)
        self.ride = Ride(self.clocks[0], room)
        self.ride.go_to(1)
        self.turn_told.next_to(self.ride.clock, RIGHT, buff=GAP)
        if self.turn_told.get_right()[0] > self.stage.right:
            self.ride = Ride(self.clocks[0], room.raised(self.turn_told.height + GAP))
            self.ride.go_to(1)
            self.turn_told.next_to(self.ride.clock, DOWN, buff=GAP)
        names = (self.tokens[0], QUIET), (self.tokens[self.again], INK)
        self.two = [TokenText(each, theme.TITLE_SIZE, role) for each, role in names]
        self.ride.tell(self.two, self.again, self.stage.left)
        self.ride.go_to(0)
        self.stand(*self.two, self.ride, self.turn_told, *self.legs)

    def _each_column(self, columns: Sequence[VGroup]) -> Verb:
        """Return how all words are pointed at in turn, each with what stands over it."""
        pairs = zip(columns, self.labels, strict=True)
        return Flow((Pulse(*column, name, scale=SLIGHTLY) for column, name in pairs), SLOW)

    def _tick(self, place: int, time: float) -> Verb:
        """Return how the large clock goes on to a place, and that word's own clock comes in."""
        own = Then(Hold(0.7 * time), Appear(self.clocks[0][place], run_time=time / 2))
        turn = Vary(self.ride.go_to, place - 1, place, time)
        return Together(turn, own, Pulse(self.labels[place], run_time=time))

    def _points(self, hand: int, place: int) -> list[float]:
        """Return how far right and how far up a hand that is drawn points at a place."""
        return [*map(float, self.waves.array[place, 2 * self.hands[hand] :][:2])]

    def _cast_maps(self) -> None:
        """Set what every hand writes, for the words here and for many places."""
        pictures = [self.tensor(n).double for n in ("waves", *["own"] * (self.turns is None))]
        rates = list(self.rates.values)
        self.waving = PlaceWaves(pictures, self.hands, len(self.tokens), rates, self.stage)
        self.written = [length.copy() for length in self.lengths]
        widest = max(length.width for length in self.lengths)
        for number, cell in zip(self.written, self.cells[1][0], strict=True):
            number.scale(0.8 * cell.width / widest).move_to(cell)
            number.set_fill(theme.ink_on(cell.get_fill_color().to_hex(), cell.get_fill_opacity()))
        self.is_roomy = self.written[0].width < self.cells[1][0].width
        self.frame = Ring(VGroup(*self.cells[-1]), HAIR / 2)
        self.sides = list[Words]()
        for cell, side in zip(self.cells[0][0], SIDES, strict=True):
            name = Words(side, size=PLAIN_SIZE).shrink_to(cell.width - HAIR).move_to(cell)
            ink = theme.ink_on(cell.get_fill_color().to_hex(), cell.get_fill_opacity())
            self.sides.append(name.set_color(ink))
        self.stand(self.waving, *chain(*self.cells), *self.lengths, self.frame, *self.sides)

    def _cast_own(self) -> None:
        """Set the hand that keeps its pace, or else what a model's own places add to a word."""
        if self.kept is not None:
            pictures = [self.tensor(n).double for n in ("started", "own")]
            pair = slice(2 * self.kept, 2 * self.kept + 2)
            moved = [self.tensor("started")[1, 2 * self.kept + part].value for part in (0, 1)]
            pace = applied(PACE, PACE.work(*(each.number for each in moved)), *moved)
            self.dial = KeptHand([each[:, pair] for each in pictures], pace, self.stage)
            self.leaving: list[VMobject] = [self.dial]
        else:
            last = len(self.tokens) - 1
            own, places = (self.tensor(n)[last].values[:ENTRIES] for n in ("embed", "own"))
            pairs = [(one, one + place) for one, place in zip(own, places, strict=True)]
            self.given_to = Drowned(pairs, self.drowned.room)
            self.leaving = [self.given_to, self.named, self.place_told]
        self.stand(self.leaving[0])

    def _cast_turned(self) -> None:
        """Say where a query and a key stand, and what their dot product is, before and after."""
        one, self.scores = self.starts[0], self.moved_scores()
        places = count(one + self.step + 1, "place"), count(one + 1, "place")
        names = "query at place", "key at place", "query · key"
        roles = theme.QUERY, theme.KEY, INK
        aside, room = self.stage.parts(ASIDE)
        self.facts = Facts([*zip(names, (*places, self.scores[0]), roles, strict=True)], room)
        self.dials = Dials(aside, self.rates_drawn, self.step)
        self.leaving = [self.facts, self.dials, *self.degrees]
        self.stand(self.facts, self.dials)

    def _cast_round(self) -> None:
        """Set one clock that all words go round, once at most."""
        self.circle = Round(self.slow, self.tokens, *self.stage.parts(ASIDE))
        self.distance = Turn(self.circle.dial, self.step, self.starts[0])
        self.pace = Words("{:.0f}° a word", self.a_word, size=theme.TITLE_SIZE)
        swept = self.a_word * count(self.step, "words from one place to another")
        self.whole = Words(f"{self.words()['words']}: {{:.0f}}°", swept, size=theme.TITLE_SIZE)
        self.pace.shrink_to(1.5 * self.circle.dial.radius).move_to(self.circle.dial.face)
        self.whole.move_to((self.stage.left + GAP, self.stage.top - GAP, 0), LEFT + UP)
        pin(self.whole)
        self.stand(self.circle.dial, *self.circle.clocks, self.distance, *self.circle.words)
        self.stand(self.pace, self.whole)

    def moved_scores(self) -> tuple[Value, Value]:
        """Return a query's dot product with a key, and that of both once they are moved on."""
        turns, (one, other) = self.turns, self.starts
        assert turns is not None
        q, k = (self.tensor(name)[self.layer, self.head] for name in ("q", "k"))
        pairs = [(q[one + self.step], one + self.step), (k[one], one)]
        moved = [
            matmul(matmul(row, transposed(turns[place])), turns[place + other - one])
            for row, place in pairs
        ]
        return dot(*(row for row, _ in pairs)), dot(*moved)

    def _added(self) -> Shown:
        """Show what this model has learned of places, and that words get it."""
        waves = self.waving
        if self.kept is not None:
            gone = Disappear(waves, *self.degrees)
            yield gone, Then(Hold(QUICK / 4), self.dial.begin())
            yield self.dial.learn()
            yield self.dial.go_on()
            return
        given, told = self.given_to, (self.named, self.place_told)
        yield Disappear(*self.degrees, *waves.slower, waves.heading), Vary(waves.learn, 0, 0.3)
        yield Vary(waves.learn, 0.3, 1, SLOW)
        come = Together(Appear(*told), Fade(given, to=1.0))
        yield Disappear(waves), Then(Hold(QUICK / 2), come, Vary(given.add_up, 0, 1, SLOW))

    def _turned(self) -> Shown:
        """Show the turn that lies between a query and a key, and that it stays as both move on."""
        between, paint = self.dials.between, partial(verbs.Recolor, run_time=HAIR)
        yield Disappear(self.waving), self.dials.take(self.degrees)
        hues = [paint(t.hand, role=theme.QUERY) for t in between.turns]
        hues += [paint(t.ghost, role=theme.KEY) for t in between.turns]
        yield Then(Together(hues), Fade(between, to=1.0))
        yield Flow(map(Appear, self.facts))
        yield Flow(map(Pulse, self.facts.values[:2]))
        one, other = self.starts
        (query, key, score), turns = self.facts.values, between
        goals = (count(place + 1, "place") for place in (other + self.step, other))
        move = map(verbs.Count, (query, key), goals)
        pace = ticking(max(1, other - one))
        yield Vary(turns.begin_at, one, other, SLOW, pace), *move
        yield Flow(map(Pulse, turns.turns))
        yield verbs.Count(score, self.scores[1]), Pulse(score)


def pace_of(right: float, up: float) -> float:
    """Return the degrees by which a hand has turned that points so far right, and so far up."""
    return float(np.degrees(np.arctan2(right, up)) % 360)


PACE = Operation("degrees turned by a hand that points {} right and {} up", pace_of)
