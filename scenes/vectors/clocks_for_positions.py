"""Clocks for positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.waves import in_time, once_round, paper_rates, rates_of, read_most, waves
from scenes.camera import WHOLE, pin
from scenes.expressions import LOOKS_BACK, looks_back
from scenes.figures.kept_hands import Carried, Dials, KeptHands, Stride
from scenes.figures.place_maps import Drowned, Facts, LookLine, NextTime, PlaceWaves
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.clock import ClockBank, Heap, Ride, Round, Turn, legs_of, ticking
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number, TokenText, Words, called
from scenes.presence import parts_of
from scenes.provenance import Array, Value, applied, count, dot, matmul, transposed
from scenes.theme import GAP, HAIR, INK, PLAIN_SIZE, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary, Verb

HANDS = 3, 5  # drawn, at most, and if upright; the second is the first to come round but once
PLACES = 64  # of the map, at most
ENTRIES = 3  # of every word's numbers, that are drawn
STEP = 3  # words from one place to another, at most
NEARLY = 30.0  # degrees between two hands that show nearly the same time
TICKING = 4.8  # seconds, at most, in which a clock ticks through all words
NEAR, SLIM = 0.9, 0.4  # of the stage, by what is looked into; as thick, a clock's hand
ASIDE = 0.36  # of the stage, what stands beside a square or a dial
COMING = 3.4  # seconds, at most, in which all come to it
SAME = 6  # times that a repeated word is written, at most
MOSTLY = 0.5  # of all places, where a head looks as far back


class ClocksForPositions(Film):
    """Places are told by hands that turn at their own pace, so that a distance is always a turn."""

    title = "Clocks for positions"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 108
    poster_beat = "a-step-is-a-turn"
    needs = (THREE_TOKENS,)
    in_time: Sequence[int] = ()  # of our model's hands, those that training left as they were,
    turning: Sequence[int] = ()  # and of these, those that a head reads

    def derived(self) -> Mapping[str, Array]:
        """Work out hands' rates, in degrees, the paper's or a model's own, and where they point."""
        places, own = min(PLACES, self._checkpoint.model.config.n_ctx), dict[str, Array]()
        if self.traits.adds_positions:
            rates = paper_rates(self.trace.weights.W_E.shape[1] // 2)
            own["own"] = self.trace.weights.W_pos[:PLACES]
            own["started"] = started = self.started_positions()[:PLACES]
            own["started_rates"] = np.degrees(np.arctan2(started[1, ::2], started[1, 1::2])) % 360
            own["repeated.pattern"] = self.sites_of([self.trace.ids[-1]] * places)["pattern"]
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
        if self.turns is None:
            own = self.tensor("repeated.pattern")
            *self.looking, self.far, hits = looks_back(own.double)
            self.hits = applied(LOOKS_BACK, hits, own)
            self.asked = len(own.array[0, 0]) - self.far
            if self.is_shipped and [*self.looking, self.far] == [0, 0, 1]:
                reading = self.tensor("weights.W_Q").double[tuple(self.looking)]
                self.in_time = in_time(*(self.tensor(name).double for name in ("started", "own")))
                self.turning = [hand for hand in read_most(reading) if hand in self.in_time]

    def words(self) -> Mapping[str, str]:
        """Say how many hands there are, and how far the steps go."""
        return {
            "again": self.name_of(self.again),
            "hands": f"{len(self.rates):,}",
            "words": ("one word", "two words", "three words")[self.step - 1],
            **({} if self.turns else self._found()),
            "part": str(self.traits.turned),
            "whole": str(self.tensor("q").shape[-1]),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether any two words have nearly the same time, and where places come from."""
        return {**super().circumstances(), "short": self.is_short, "from_waves": bool(self.turning)}

    def cast(self) -> None:
        """Make the words with their clocks, what becomes of these, and the maps."""
        self._cast_clocks()
        self._cast_drowned()
        self._cast_near()
        self._cast_maps()
        (self._cast_own if self.turns is None else self._cast_turned)()
        self._cast_round()

    @beat(
        "All these words come in at once. | Which comes first? | "
        "Each is a list of numbers: | add its place? | "
        "But places grow, and drown the word."
    )
    def which_comes_first(self) -> Shown:
        yield Appear(*self.labels)
        yield Then(self.heap.swap(self.labels), Hold(QUICK))
        come = Then(Hold(1.5 * QUICK), Fade(self.drowned, to=1.0))
        ways = zip(repeat(self.labels), (self.heap.aligned, self.word_homes), repeat(repeat(QUICK)))
        yield Then(Together(map(verbs.Become, *way)) for way in ways), come
        yield Flow(map(Appear, self.counts), STEADY)
        goals = (number.copy().shift(number.height * DOWN) for number in self.falling)
        fall = Together(map(verbs.GoInto, self.falling, goals))
        yield fall, Then(Hold(QUICK), Vary(self.drowned.add_up, 0, 1, SLOW))

    @beat(
        "A clock's hand never grows: it goes round. | Turn it a bit with each word, "
        "| and each has its own time."
    )
    def one_hand(self) -> Shown:
        ride, own = self.ride, self.clocks[0]
        around = Vary(ride.clock.turn_to, 0, 2 * np.pi / ride.rate, SLOW)
        yield Disappear(self.drowned, *self.counts), Then(Hold(QUICK), Appear(ride.clock), around)
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
        stops = [self.ring.copy().move_to(column) for column in self.columns[1:]]
        yield Then(verbs.Draw(self.ring), verbs.Visit(self.ring, stops, SLOW))

    @beat(
        "Go {words} on: | each hand sweeps its own angle. | Start anywhere else: | "
        "the same angles fit. | It's the same turn."
    )
    def a_step_is_a_turn(self) -> Shown:
        (one, other), stride = self.starts, self.stride
        half, gone = (one + other + 1) // 2, Disappear(self.ring, *self.degrees, *self.columns)
        yield gone, stride.come_from(self.bank.column(one), one)
        yield stride.sweep()
        yield stride.go_on(one, half)
        yield stride.go_on(half, other)
        yield Flow(map(Pulse, stride.between.sectors, stride.degrees))

    @beat(
        "A model needs numbers: | how far right a hand points, | and how far up. | "
        "Two numbers for every hand, | blue or, below zero, orange: | "
        "so every place becomes a vector, a column of numbers."
    )
    def two_numbers(self) -> Shown:
        near, stride = self.clocks[0][1], self.stride
        others = [clock for clock in chain(*self.clocks) if clock is not near]
        dial = stride.faces[0], stride.between.turns[0].hand
        rest = (part for part in parts_of(stride) if part not in dial and len(part.points))
        grow = verbs.TurnInto(VGroup(*dial), near), self.zoom_into(self.near_by, NEAR)
        gone = Vary(near.slim, 1, SLIM, HAIR), Disappear(*rest, *self.labels)
        yield *gone, Then(Hold(QUICK), Together(grow))
        for leg, length in zip(self.legs, self.lengths, strict=True):
            yield Then(verbs.Draw(leg), Appear(length), Pulse(length))
        fall = map(verbs.Become if self.is_roomy else verbs.GoInto, self.lengths, self.written)
        yield Disappear(near, *self.legs), *fall, Then(Hold(), Appear(*self.cells[1][0]))
        pairs = zip(chain(*self.columns), chain(*self.cells), strict=True)
        turn = [verbs.TurnInto(*pair, QUICK) for pair in pairs if pair[0] is not near]
        back = self.pull_back(STEADY), Fade(*others, *self.labels, *self.degrees, to=1.0)
        stops = [self.frame.copy().move_to(VGroup(*column)) for column in self.cells[1:]]
        yield Disappear(*self.lengths), Then(Together(back), Flow(turn, STEADY))
        yield Then(verbs.Draw(self.frame, run_time=QUICK), verbs.Visit(self.frame, stops, STEADY))

    @beat(
        "Draw how far right each hand points: | over many places, it's a wave. | "
        "Slower hands make slower waves, | and none ever grows."
    )
    def the_whole_map(self) -> Shown:
        waves, tokens = self.waving, len(self.tokens)
        ups = [pair[1] for column in self.cells for pair in column]
        rows = Together(waves.take(self.cells), waves.rate(self.degrees, 0.0))
        gone = Disappear(*self.labels, *ups, self.frame)
        yield gone, Then(Hold(QUICK), rows, Appear(waves.heading))
        rights = [pair[0] for column in self.cells for pair in column]
        seen = Fade(*waves.bars, to=1.0, run_time=HAIR), Disappear(*rights, run_time=HAIR)
        on = Then(Vary(waves.go_on, tokens, len(self.waves), SLOW), Appear(waves.ends))
        yield Then(Together(seen), on)
        deepen = Vary(waves.deepen, 0, 1), waves.rate(self.degrees, 1.0)
        yield Together(*deepen, Then(Hold(QUICK), Appear(*waves.slower)))
        yield verbs.Draw(waves.limits), Pulse(waves.limits)

    @beat(
        "This model has a vector for every place, too, | learned in training. | "
        "Each is added to its word's vector.",
        from_waves="Our model began with {hands} such clocks. | Take one: word by word, it ticks. "
        "| Training moves hands, | but this one still keeps its pace, roughly. | Most others lost "
        "theirs, and shrank: | only {kept} keep time.",
        turned_in_part="This model adds no such vector: | by these hands | it turns {part} of "
        "{whole} numbers of each query and key, | each at its own place.",
        turned="This model adds no such vector: | by these hands | it turns each query and key, | "
        "each at its own place.",
    )
    def what_this_model_has(self) -> Shown:
        yield from self._turned() if self.turns else self._added()

    @beat(
        "What for? Take perfect clocks. | Turn a hand on by one word: | "
        "it shows the next word's time. | "
        "Give this model {word} again and again: only places differ. | "
        "One part of it, a head, looks {back} back, | from {hits} of {asked} places.",
        from_waves="What for? | Write only {word}: | now words differ by place alone. | One part "
        "of the model, a head, winds a fast clock back by one word: | it shows nearly the time of "
        "the clock before. | So it looks there: | one word back, from {hits} of {asked} places.",
        turned="Move both on: | both turn, | and their dot product stays: | "
        "only the distance counts.",
    )
    def one_word_back(self) -> Shown:
        yield from self._moved() if self.turns else self._looked()

    @beat(
        "So which comes first? | "
        "Round a slower clock, | they stand in order, | and {words} on is the same turn, anywhere."
    )
    def hands_for_every_word(self) -> Shown:
        (one, other), circle = self.starts, self.circle
        face = Then(Hold(QUICK), verbs.Draw(circle.dial.face, run_time=STEADY))
        words = Then(Hold(QUICK / 3), Flow(map(Appear, circle.words)))
        yield Disappear(*self.leaving, self.giving), words, face
        yield Appear(self.pace), Flow(map(Appear, circle.clocks), STEADY)
        time = min(QUICK, COMING / len(self.tokens))
        yield Disappear(self.pace), Then(circle.come(place, time) for place in circle.order)
        look = self.zoom_into(VGroup(circle.dial.face, *circle.words))
        turn = Vary(self.distance.begin_at, one, other, SLOW, ticking(max(1, other - one)))
        come = Fade(self.distance, to=1.0), Vary(self.distance.open, 0, self.step)
        yield Then(Together(look, *come), turn, Hold(SLOW)), Then(Hold(STEADY), Appear(self.whole))

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
        self.word_homes = [label.copy() for label in self.labels]
        self.heap = Heap(self.bank, self.under_title)
        for label, spot in zip(self.labels, self.heap.spots, strict=True):
            label.become(spot)
        for clock in chain(*self.clocks[1:]):
            clock.turn_to(0)
        self.ring = Ring(self.columns[0], HAIR / 2)
        across = [column.get_x() for column in self.columns]
        room = replace(self.stage, bottom=self.bank.room.bottom)
        self.stride = Stride(room, self.rates_drawn, self.step, self.labels, across)
        self.stand(*self.labels, *self.degrees, *self.columns, self.ring, self.stride)

    def _cast_drowned(self) -> None:
        """Set the first of every word's numbers over it, and how many words come before it."""
        counts = [count(t + 1, "the word's place, from one") for t in range(len(self.tokens))]
        self.counts = [Number(value, 0, theme.HEADING_SIZE) for value in counts]
        room, numbers = self.bank.room, self.tensor("embed").double[:, :ENTRIES]
        for number, column in zip(self.counts, self.columns, strict=True):
            number.move_to((column.get_x(), room.top, 0), UP)
        room = room.lowered(self.counts[0].height + GAP)
        own = [self.tensor("embed")[t].values[:ENTRIES] for t in range(len(self.tokens))]
        told = [[(each, each + at) for each in row] for row, at in zip(own, counts, strict=True)]
        added = np.array([[value.number] for value in counts])
        self.drowned = Drowned(numbers, added, room, told)
        self.falling = [number.copy() for number in self.counts]
        self.stand(self.drowned, *self.counts, *self.falling)

    def _cast_near(self) -> None:
        """Let one clock stand large at first, and say what is told of another from near."""
        near = self.clocks[0][1]
        hands, tokens = range(len(self.hands)), range(len(self.tokens))
        self.cells = [[self.bank.cells(h, t, self._points(h, t)) for h in hands] for t in tokens]
        self.near_by = VGroup(near.face, *self.cells[1][0])
        zoom = WHOLE.into(self.near_by, self.stage, NEAR).zoom
        self.legs = legs_of(near, self._points(0, 1))
        numbers = (Number(self.waves[1, part].value, 2, theme.HEADING_SIZE) for part in (0, 1))
        self.lengths = [
            number.scale(1 / zoom).next_to(leg, side, buff=2 * HAIR / zoom)
            for number, leg, side in zip(numbers, self.legs, (UP, LEFT), strict=True)
        ]
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
        for number, cell in zip(self.written, self.cells[1][0], strict=True):
            number.scale(cell.height / 2 / number.height).shrink_to(0.8 * cell.width).move_to(cell)
            number.set_fill(theme.ink_on(cell.get_fill_color().to_hex(), cell.get_fill_opacity()))
        self.is_roomy = self.written[0].width < self.cells[1][0].width
        self.frame = Ring(VGroup(*self.cells[0]), HAIR / 2)
        self.stand(self.waving, *chain(*self.cells), *self.lengths, self.frame)

    def _cast_own(self) -> None:
        """Set what words get, and where places of a repeated word look, in the most even head."""
        words, own = (self.tensor(name).double[:, :ENTRIES] for name in ("embed", "own"))
        self.given_to = Drowned(words, own[: len(words)], self.drowned.room)
        weights = self.tensor("repeated.pattern").array[tuple(self.looking)]
        of, far = "places with one as far before them", "places back to where most look"
        found = self.hits, count(self.asked, of), count(self.far, far)
        head = [count(at + 1, "the head shown, from one") for at in self.looking]
        given = weights.astype(np.float64), self.tokens[-1], found, head, self.stage
        self.giving, points = VGroup(), None
        self.shown: VGroup = self.given_to
        if self.turning:
            one, pictures = self.turning[0], [self.tensor(n).double for n in ("started", "own")]
            self.shown = self.kept = KeptHands(pictures, self.in_time, one, self.stage)
            points = pictures[1][:, 2 * one : 2 * one + 2]  # as training left it
        self.line = line = LookLine(*given, points=points)
        if self.turning:
            pace, asker = self.tensor("started_rates")[one].value, line.slots - 2
            two = [line.clocks[place] for place in (asker, asker - 1)]
            self.carried = Carried(pace, two, line.angles[asker], by=-1)
            pairs = [VGroup(*pair) for pair in zip(line.clocks, line.words, strict=True)]
            self.near = VGroup(*pairs[asker - 1 : asker + 1], self.carried.told)
            self.others = *pairs[: asker - 1], *pairs[asker + 1 : line.slots]
        else:
            points = self.waves.double[:2, 2 * self.second : 2 * self.second + 2]
            self.next_time = NextTime(self.a_word, points, self.tokens[:2], self.stage)
            self.carried = self.next_time.carried
            self.stand(self.next_time)
        self.leaving: list[VMobject] = [self.line]
        self.stand(self.shown, self.line, self.carried)

    def _found(self) -> dict[str, str]:
        """Say what a head does by places alone."""
        only = "" if self.hits.number > MOSTLY * self.asked else "only "
        return {
            "word": called(self.tokens[-1]),
            "places": str(len(self.waves)),
            "back": "one place" if self.far == 1 else f"{self.far} places",
            "hits": f"{only}{self.hits.number:.0f}",
            "asked": str(self.asked),
            "kept": str(len(self.in_time)),
        }

    def _cast_turned(self) -> None:
        """Say where a query and a key stand, and what their dot product is, before and after."""
        one, self.scores = self.starts[0], self.moved_scores()
        places = count(one + self.step + 1, "place"), count(one + 1, "place")
        names = "query at place", "key at place", "query · key"
        roles = theme.QUERY, theme.KEY, INK
        aside, room = self.stage.parts(ASIDE)
        self.facts = Facts([*zip(names, (*places, self.scores[0]), roles, strict=True)], room)
        self.dials = Dials(aside, self.rates_drawn, self.step)
        self.giving, self.leaving = self.facts, [self.dials, *self.degrees]
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
        waves, given = self.waving, self.given_to
        if self.turning:
            yield Disappear(waves, *self.degrees), Then(Hold(QUICK / 4), self.kept.begin())
            yield from ((each,) for each in self.kept.go_on())
            return
        yield Disappear(*self.degrees, *waves.slower, waves.heading), Vary(waves.learn, 0, 0.3)
        yield Vary(waves.learn, 0.3, 1, SLOW)
        come = Together(Appear(*self.labels), Fade(given, to=1.0))
        yield Disappear(waves), Then(Hold(QUICK / 2), come, Vary(given.add_up, 0, 1, SLOW))

    def _looked(self) -> Shown:
        """Show how a head can find the word before, and what one does by places alone."""
        line, last = self.line, len(self.waves) - 1
        words = Flow(map(Appear, line.words[: line.slots]), STEADY)
        if self.turning:
            clocks = line.clocks[: line.slots]
            yield self.kept.share_out(clocks)
            yield words
            yield Flow(map(Pulse, clocks), STEADY)
            away = Disappear(*self.others), self.zoom_into(self.near, run_time=STEADY)
            yield Then(Together(away), self.carried.turn())
            yield self.carried.fit()
            back = [self.pull_back(STEADY), Appear(*self.others, scale=1.0)]
        else:
            yield Disappear(self.shown, *self.labels), self.next_time.come()
            yield self.carried.turn()
            yield self.carried.fit()
            yield Disappear(self.next_time, run_time=STEADY), Then(Hold(QUICK), words)
            back = []
        seen = Fade(*line.arcs, line.tips, to=1.0, run_time=HAIR)
        reach = Vary(line.reach, 0, line.slots - 1, SLOW, linear)
        yield Disappear(self.carried), Then(Together(back), seen, reach)
        on = Vary(line.go_on, line.slots - 1, last, 1.4 * SLOW)
        yield Then(Appear(line.found), Together(on, verbs.Count(line.hits, self.hits, 1.4 * SLOW)))

    def _turned(self) -> Shown:
        """Show the turn that lies between a query and a key."""
        between, paint = self.dials.between, partial(verbs.Recolor, run_time=HAIR)
        yield Disappear(self.waving), self.dials.take(self.degrees)
        hues = [paint(t.hand, role=theme.QUERY) for t in between.turns]
        hues += [paint(t.ghost, role=theme.KEY) for t in between.turns]
        yield Then(Together(hues), Fade(between, to=1.0))
        yield Flow(map(Appear, self.facts))
        yield Flow(map(Pulse, self.facts.values[:2]))

    def _moved(self) -> Shown:
        """Show that a query and a key, moved on together, keep the angle between them."""
        one, other = self.starts
        (query, key, score), turns = self.facts.values, self.dials.between
        goals = (count(place + 1, "place") for place in (other + self.step, other))
        move = map(verbs.Count, (query, key), goals)
        pace = ticking(max(1, other - one))
        yield Vary(turns.begin_at, one, other, SLOW, pace), *move
        yield Flow(map(Pulse, turns.turns))
        yield verbs.Count(score, self.scores[1]), Pulse(score)
        yield Flow(Pulse(sector) for sector in turns.sectors)
