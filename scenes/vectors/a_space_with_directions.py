"""A space with directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.analogies import (
    FAMOUS,
    Analogy,
    analogies,
    angles_by_chance,
    best_and_failing,
    nearest,
    steps_of,
    told_apart,
)
from scenes.analysis.directions import Spread
from scenes.camera import View
from scenes.figures.cloud import Carried, Constellation, Slice, Step
from scenes.figures.dial import Dial, Ray
from scenes.figures.ranked_list import RankedList
from scenes.film import Film, Shown, beat
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Words, called, label_of
from scenes.provenance import Array, Value, angle, count
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    Become,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    TurnInto,
    Vary,
    Verb,
)

POINTS = 900  # words that are drawn, at most
LISTED, LOW = 4, 4.0  # scene units: a lower list has a row less
WITHIN = 95  # per cent of the points that fit the room
ROOM = 0.58  # of the stage, for the space; the rest is for lists
STRIP, SEAM = 3.0, 0.15  # scene units, how broad a strip of shares; of a share, what parts it
START, WHOLE, GOOD, GOOD_TIP, BAD, BAD_TIP = range(6)  # the slices, in the order they are seen
SIDES, SWING = range(-90, 91, 10), (0.0, 10.0, 20.0, 30.0)  # degrees, of views of four words
OPENING, FACING = range(28, 41, 4), range(1)  # degrees, where angles are seen as they are
WHOLLY, TURN, TURNS = range(-120, 61, 6), 8.0, 4  # degrees: views of the whole; so many turns
MARGIN, CLEAR = 0.56, 0.55  # scene units beside a cloud; of the room, at first
NAMED = "no", "one", "two", "three"  # numbers of steps
FAINT, BRIGHT = 0.4, 0.7  # presence of words: behind names, alone
SLIGHT = 1.04  # times as large, a name at its arrow that pulses

Floats = NDArray[np.float64]


class ASpaceWithDirections(Film):
    """Nearness and directions in the table of embeddings carry meaning: measured, with failures."""

    title = "A space with directions"
    prompt = "my uncle told us a story"
    seconds = 85
    poster_beat = "side-by-side"

    def derived(self) -> Mapping[str, Array]:
        """Bring every row of the table to length one, and gather those that are drawn."""
        table = self.trace.weights.W_E.astype(np.float64)
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        unit = table / np.where(lengths, lengths, 1.0)
        self.pieces = self._pieces()
        words = [row for row, piece in self.pieces.items() if _is_word(piece)][: 2 * POINTS]
        words = list(compress(words, told_apart(unit[words])))
        self.drawn = (words if len(words) >= POINTS / 10 else list(self.pieces))[:POINTS]
        return {"directions": unit, "drawn": unit[self.drawn]}

    def observe(self) -> None:
        """Score the analogies of a list; find a word of the prompt and what lies nearest to it."""
        self.pieces, self.table = self._pieces(), self.tensor("directions")
        found = analogies(self.table, self.pieces)
        if not found:
            self.leave_out("This vocabulary has no two pairs of words of our list as whole tokens.")
        self.good, self.bad = best_and_failing(found)
        self.steps = steps_of(self.good, self.bad)
        self.spread, first = Spread.of(self.tensor("drawn")), self.good.steps[0]
        self.by_chance = angles_by_chance(self.tensor("drawn").double, first)
        self.stand_out = [each.number < self.by_chance.min() for *_, each in self.steps]
        known = [row for row in map(int, self.trace.ids) if row in self.pieces]
        table = self.table.double
        apart = list(compress(known, told_apart(table[known], table)))
        words = [row for row in apart if _is_word(self.pieces[row])]
        likely = [row for row in apart if row in self.good.ids] or words
        some = likely or apart or self.good.ids[:1]  # training has met none of the prompt's
        self.word, self.near = max(
            ((row, nearest(self.table, row, self.pieces, 1)) for row in some),
            key=lambda each: -self._angle(each[0], each[1][-1]).number,
        )

    def words(self) -> Mapping[str, str]:
        """Name the words of both analogies and those nearest to the chosen word."""
        good, bad = ([*map(called, each.words)] for each in (self.good, self.bad))
        return {
            **dict(zip(("a", "b", "x", "y"), good, strict=True)),
            **dict(zip(("a2", "b2", "x2", "y2"), bad, strict=True)),
            "word": called(self.pieces[self.word]),
            "n0": called(self.pieces[self.near[0]]),
            "width": f"{self.table.shape[1]:,}",
            "share": f"{100 * self.spread.three.number:.0f}",
            "first": called(self.pieces[self.good.ranked[0]]),
            "place": f"{self.good.places[0]:,}",
            "place2": f"{self.bad.places[0]:,}",
            **self._alike(),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say how well the better analogy holds, and whether the other one is the famous one."""
        place, without = self.good.places
        return {
            **super().circumstances(),
            "all_hold": self.bad.places[1] == 1,
            "famous": self.bad.words == FAMOUS,
            "left_out": place > 1 and without == 1,
            "nothing_holds": without > 1,
        }

    def cast(self) -> None:
        """Make the points and steps, the lists, and the two dials of angles."""
        self.room, beside = self.stage.split(ROOM)
        self.beside = beside.apart(self.room, 2 * GAP)
        self.room = self.room.narrowed(MARGIN, MARGIN if self.stage.is_narrow else 0)
        self._cast_stars()
        self._cast_shares()
        self._cast_lists()
        self.view = self._centered(START, self.under_title)
        self.stand(self.stars, *self.shares, *self.told, self.dial, self.step_dial)
        self.stand(self.good_list, self.bad_list)

    @beat(
        "To a model, each word is a point. | Is the step from {a} to {b} "
        "| the same as that from {x} to {y}?"
    )
    def the_same_step(self) -> Shown:
        (a, b, x, y), (step, _, other, *_) = self.good_marks, self.good_way.steps
        yield self._come(a, b, x, y), self._turn(0)
        yield self._grow(step), self._turn(0)
        yield self._grow(other), self._turn(0)

    @beat(
        "Here are many words, a point each, | along the three axes in which they differ most. | "
        "But this space has {width}: | those three hold only {share} percent of all differences."
    )
    def three_of_many(self) -> Shown:
        stars, (rest, *three), (axes, held, left) = self.stars, self.shares, self.told
        step, _, other, *_ = self.good_way.steps
        gone = Disappear(step, other, *self._of(*self.good_marks)), Vary(other.foresee, 1, 0)
        way = self.wholly - self.angle
        out = self.travel_to(self._centered(WHOLE, self.stage)), self._turn(way)
        lit = Fade(stars.dots, to=BRIGHT, run_time=SLOW)
        yield *gone, Vary(stars.stand_at, START, WHOLE, SLOW), *out, lit
        turned = Then(self._turn(2 * TURN), self._turn(2 * TURN))
        yield Flow(map(self._grow, self.axes), SLOW), turned
        down = Disappear(stars.dots, run_time=QUICK), self.travel_to(View(), QUICK)
        come = Flow(map(TurnInto, self.axes, three)), Draw(rest, run_time=SLOW), Appear(axes)
        yield Then(Together(down), *come)
        yield Then(Pulse(*three, scale=SLIGHT), Appear(held), Hold(), Appear(left))

    @beat(
        "So measure nearness in all of them, | by the angle between two words. | "
        "Nearest to {word} is {n0}: | what texts use alike, training put close. | "
        "Most other words stand far off."
    )
    def nearest_words(self) -> Shown:
        dial = self.dial
        leave = Disappear(*self.shares, *self.told)
        come = Together(Appear(dial.grains, scale=1.0), Draw(dial.rim))
        yield leave, Then(come, Become(dial.grains, dial.sorted, SLOW))
        crowd = Then(Hold(), Appear(dial.crowd))
        yield self._grow(dial.base), Appear(dial.word, dial.origin), crowd
        yield self._open(dial, 0, SLOW)
        yield verbs.Recolor(dial.names[0][0], role=ACCENT), Pulse(dial.names[0], run_time=STEADY)
        yield Pulse(dial.crowd, run_time=STEADY)

    @beat(
        "Now the step: | turn to three other axes, which hold these four words exactly. | "
        "The arrow is {b} minus {a}: | carry it over to {x}."
    )
    def carry_the_step(self) -> Shown:
        stars, dial, marks = self.stars, self.dial, self.good_marks
        step, carried, *_ = self.good_way.steps
        center = self.travel_to(self._centered(WHOLE, self.stage), STEADY)
        back = Become(dial.grains, dial.scattered), center
        rest = Disappear(*(part for part in dial.submobjects if part is not dial.grains))
        swap = Together(Fade(stars.dots, to=FAINT), Disappear(dial.grains), self._come(*marks[:2]))
        yield rest, Then(Together(back), swap), self._turn(0)
        turned = Together(self._stand(WHOLE, GOOD, self.first, step, carried), Fade(step, to=1.0))
        yield Then(turned, Together(self._come(*marks[2:]), self._turn(0)))
        ends = Flow((Pulse(each, run_time=STEADY) for each in self._of(*marks[1::-1])), STEADY)
        yield Then(ends, Pulse(step)), self._turn()
        carry = Together(Fade(carried, to=1.0), Vary(carried.carry, 0, 1, SLOW), self._turn())
        yield Then(carry, Together(self._come(self.tips[0]), self._turn(0)))

    @beat(
        "Which word, seen from the origin, | is nearest to its tip by angle? | "
        "It's {y}: even before {b} and {x}, of which the tip was made.",
        left_out="Which word, seen from the origin, | is nearest to its tip by angle? | "
        "It's {first}, but that one was put in. Leave out what was put in, and {y} is first.",
        nothing_holds="Which word, seen from the origin, | is nearest to its tip by angle? | "
        "It's {first}. In our whole list, no step does better: {y} is at place {place}.",
    )
    def at_the_tip(self) -> Shown:
        yield self._from_origin(GOOD_TIP, self.good_side, self.good_marks, self.good_way)
        yield self._measure(self.good_way)
        yield self._compare(self.good_list, self.good, self.good_way)

    @beat(
        "Is that luck? | Try another step, in its own axes: | from {a2} to {b2}, "
        "| carried to {x2}. | "
        "Its tip is far from {y2}, | which comes only at place {place2}.",
        famous="Is that luck? | Try a famous example, in its own axes: | "
        "from {a2} to {b2}, | carried to {x2}. | Does it lead to {y2}? | No: "
        "{y2} comes only at place {place2}.",
        all_hold="Is that luck? | Try the worst step of our list, in its own axes: | "
        "from {a2} to {b2}, | carried to {x2}. | Its tip leads to {y2}, "
        "| which comes at place {place2}.",
    )
    def one_that_fails(self) -> Shown:
        marks, (step, carried, *_), old = self.bad_marks, self.bad_way.steps, self.good_way
        rest = self._of(self.origin, self.tips[0], *self.good_marks)
        gone = *old.steps, old.wedge, self.good_list, *rest
        turn = self._stand(GOOD_TIP, BAD, self.other, step, carried)
        yield Disappear(*gone), turn, Then(Hold(QUICK / 2), self._come(*marks[:2]))
        yield self._come(*marks[2:]), self._turn(0)
        yield self._grow(step), self._turn(0)
        carry = Together(Fade(carried, to=1.0), Vary(carried.carry, 0, 1), self._turn())
        ended = Together(self._come(self.tips[1]), self._turn(0))
        yield Then(carry, ended)
        yield self._from_origin(BAD_TIP, self.bad_side, marks, self.bad_way)
        found = self._compare(self.bad_list, self.bad, self.bad_way)
        yield self._measure(self.bad_way), Then(Hold(QUICK), found)

    @beat(
        "Measure each step's angle to the first. | Random steps stand near a right angle. | "
        "{ours}. | {so}.",
        nothing_holds="Measure each step's angle to the first. | "
        "Random steps stand near a right angle. | {ours}. | "
        "In this table no step of our list leads on: only measuring tells.",
    )
    def side_by_side(self) -> Shown:
        dial, way = self.step_dial, self.bad_way
        marks = self._of(self.origin, self.tips[1], *self.bad_marks)
        gone = *marks, *way.steps, way.wedge, self.bad_list
        base = Then(Hold(QUICK), self._grow(dial.base), Appear(dial.word))
        yield Disappear(*gone), Draw(dial.rim), base
        come = Fade(dial.grains, to=1.0, run_time=HAIR), Become(dial.grains, dial.sorted, SLOW)
        heap = Together(Appear(dial.crowd), Then(*come))
        yield Then(heap, Together(Draw(dial.upright), Appear(dial.right)))
        turned = [self._open(dial, at, STEADY) for at in range(len(dial.rays))]
        over = [Disappear(arc, run_time=QUICK / 2) for arc in dial.arcs]
        yield Then(*map(Together, turned, [Together(), *over])) if turned else Pulse(dial.word)
        near = [dial.word, *compress(dial.names, self.stand_out)]
        far = [dial.crowd, dial.right, *(each for each in dial.names if each not in near)]
        slight = (Pulse(*each, run_time=STEADY, scale=SLIGHT) for each in (near, far))
        yield Then(*over[1:][-1:], *slight)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how many words are drawn, and of how many tokens."""
        drawn = count(len(self.drawn), "words that are drawn")
        tokens = count(len(self.table), "rows of the table")
        told = "{:,.0f} of this model's {:,.0f} embeddings, brought to length one"
        return Words(told, drawn, tokens, size=theme.PLAIN_SIZE, role=QUIET)

    def _cast_stars(self) -> None:
        middle, axes = self.spread.middle, self.spread.axes[:3]
        along = (self.tensor("drawn").double - middle) @ axes.T
        lengths, far = np.linalg.norm(along, axis=1), np.percentile(np.abs(along), WITHIN, axis=0)
        whole = Slice(axes, middle, float(np.percentile(lengths, WITHIN)))
        self.inner = lengths <= whole.reach
        both = self.good, self.bad
        ways = self.good_way, self.bad_way = [Carried([*each.rows, each.tip]) for each in both]
        near = replace(self.good_way.front, clear=CLEAR)
        rows = [*dict.fromkeys(row for each in both for row in each.ids)]
        self.good_marks, self.bad_marks = ([rows.index(row) for row in each.ids] for each in both)
        self.origin = len(rows)
        self.tips = self.origin + 1, self.origin + 2
        names = [*map(self._name, rows), "origin", "tip", "tip"]
        nothing = np.zeros((1, self.table.shape[1]))
        tips = np.stack([each.tip.double for each in both])
        self.axes = [Step(middle, way, theme.color(ACCENT)) for way in far[:, None] * axes]
        self.stars = Constellation(
            self.tensor("drawn").double,
            np.concatenate([self.table.double[rows], nothing, tips]),
            names,
            [near, whole, *chain(*(way.slices for way in ways))],
            self.room,
            sizes=[SPOKEN_SIZE if self.stage.is_narrow else theme.TITLE_SIZE] * len(names),
            steps=[*chain(*(way.steps for way in ways)), *self.axes],
            wedges=[way.wedge for way in ways],
        )
        self._choose_sides()
        self._cast_dial()

    def _cast_dial(self) -> None:
        """Make the dials of angles; what is on them comes from points of the cloud as seen then."""
        drawn, stars = self.tensor("drawn").double, self.stars
        stars.place, stars.angle = float(WHOLE), self.side
        seen = stars.seen(drawn)[0]
        stars.place, stars.angle = float(START), self.angle
        angles = np.degrees(np.arccos(np.clip(drawn @ self.table[self.word].double, -1, 1)))
        near = [(self._name(row), self._angle(self.word, row)) for row in self.near]
        self.dial = Dial(self._name(self.word), near, angles, seen, self.stage, dotted=True)
        steps = [(_step(a, b), degrees) for a, b, degrees in self.steps]
        own, by_chance = _step(*self.good.words[:2]), self.by_chance
        self.step_dial = Dial(own, steps, by_chance, None, self.stage, crowd="random steps")

    def _choose_sides(self) -> None:
        """Find the sides from which names are seen best, and how much room each slice takes."""
        stars, found = self.stars, list[float]()
        good, bad = self.good_way.steps, self.bad_way.steps
        self.taken, ends = dict[int, Floats](), (self.origin, *self.tips)
        for place, marks, steps, sides, swing in (
            (START, self.good_marks, [good[0], good[2]], OPENING, SWING[:1]),
            (GOOD, [*self.good_marks, self.tips[0]], good[:2], SIDES, SWING),
            (BAD, [*self.bad_marks, self.tips[1]], bad[:2], SIDES, SWING[:2]),
            (GOOD_TIP, [self.good_marks[3], *ends[:2]], good[3:], FACING, SWING[:1]),
            (BAD_TIP, [self.bad_marks[3], *ends[::2]], bad[3:], FACING, SWING[:1]),
        ):
            side, self.taken[place] = stars.settle(place, marks, steps, sides, swing)
            found.append(side)
            if place in {GOOD, BAD}:  # what is flat has the same word on the left
                stars.mirror(place, side, [marks[3], marks[-1]])
        self.angle, self.first, self.other, self.good_side, self.bad_side = found
        named = self.good_marks[:2]
        self.wholly = stars.clearest(WHOLE, WHOLLY, (0.0, TURN), named, good[:1])
        self.side = self.wholly + TURNS * TURN
        inner, turned = stars.points_of_all[self.inner], self.wholly + TURN * np.arange(TURNS + 1.0)
        cloud = stars.taken(WHOLE, (), inner, turned)
        words = stars.taken(WHOLE, named, stars.marked[named], turned)
        self.taken[WHOLE] = np.maximum(cloud, words) + GAP
        stars.place = float(START)
        good[2].foresee(1.0)
        stars.turn_to(self.angle)

    def _centered(self, place: int, room: Region) -> View:
        """Return the view in which what is seen in a slice fills a room."""
        wide, high = 2 * self.taken[place]
        zoom = min(room.width / wide, room.height / high)
        return View(tuple(self.room.center[:2]), float(zoom), tuple(room.center[:2]))

    def _cast_shares(self) -> None:
        """Draw the shares of all axes end to end, the first three lit, and write what they hold."""
        width, three = count(self.table.shape[1], "columns of the table"), count(3, "axes drawn")
        others = count(1, "all differences") - self.spread.three
        ends, stage = np.cumsum([0.0, *np.maximum(self.spread.shares, 0)]), self.stage
        is_level, (x, y, _) = stage.width >= stage.height, stage.center
        start, long = (stage.left, stage.width) if is_level else (stage.bottom, stage.height)
        low, high = start + long * ends[:-1], start + long * (ends[1:] - SEAM * np.diff(ends))
        level = rectangles(low, y - STRIP / 2, high, y + STRIP / 2)
        boxes = np.split(level if is_level else rectangles(x - STRIP, low, x, high), len(low))
        lit = [Filled(box, ACCENT) for box in boxes[:3]]
        self.shares = [rest := Filled(np.concatenate(boxes[3:]), QUIET, BRIGHT), *lit]
        axes = Words("{:,.0f} axes", width, size=theme.TITLE_SIZE)
        under, over, edge = (DOWN, UP, LEFT) if is_level else (RIGHT, RIGHT, DOWN)
        every, at = VGroup(rest, *lit), UP * (not is_level)
        self.told: list[VMobject] = [axes.next_to(every, over, buff=GAP, aligned_edge=at)]
        for part, told, many, beside, side in (
            (self.spread.three, "in {} axes", three, VGroup(*lit), edge),
            (others, "in the other {:,.0f}", width - three, rest, 0 * edge),
        ):
            share = Words("{:.0%}", part, size=theme.HEADING_SIZE)
            both = VGroup(share, Words(told, many, size=SPOKEN_SIZE))
            both.arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
            self.told.append(both.next_to(beside, under, buff=GAP, aligned_edge=side))

    def _cast_lists(self) -> None:
        """Make the lists of what is nearest to either tip; all but what is sought is quiet."""
        most = LISTED - (self.beside.height < LOW)
        self.good_list, self.bad_list = (
            RankedList(
                [angle(each.tip, self.table[row]) for row in found],
                self._names(found),
                [each.place(row) for row in found],
                self.beside,
                heading="angle to the tip",
                quiet=[place for place, row in enumerate(found) if row != each.ids[3]],
            )
            for each, found in ((each, each.first(most)) for each in (self.good, self.bad))
        )

    def _alike(self) -> dict[str, str]:
        """Say how many of the steps lie nearer to the first one than any by chance."""
        every, near = len(self.steps), sum(self.stand_out)
        if every < 2:
            nearer = "is nearer than any of those" if near else "is no nearer than some of those"
            ours = f"Our other one {nearer}"
        elif near in (0, every):
            ours = f"Ours are {'nearer than any' if near else 'no nearer than some'} of those"
        else:
            verb = "is" if near == 1 else "are"
            ours = f"Of our other {NAMED[every]}, {NAMED[near]} {verb} nearer than any of those"
        alike = f"So steps {'are' if near == every else 'can be'} alike, but not the same"
        return {"ours": ours, "so": alike if near else "So these steps are not alike"}

    def _angle(self, one: int, other: int) -> Value:
        return angle(self.table[one], self.table[other])

    def _name(self, row: int) -> str:
        return label_of(self.pieces[row])

    def _names(self, rows: Sequence[int]) -> list[str]:
        """Return the names of a list; where two read alike, with the space that one begins with."""
        names = [self._name(row) for row in rows]
        pairs = zip(rows, names, strict=True)
        return [self.pieces[row] if names.count(name) > 1 else name for row, name in pairs]

    def _pieces(self) -> dict[int, str]:
        """Return all tokens that the vocabulary has, by their rows."""
        rows = len(self.trace.weights.W_E)
        return {row: piece for row, piece in self.tokenizer.vocabulary.items() if row < rows}

    def _of(self, *marks: int) -> list[VMobject]:
        """Return the dots and names of marked words."""
        return [each[mark] for mark in marks for each in (self.stars.marks, self.stars.labels)]

    def _come(self, *marks: int) -> Verb:
        return Fade(*self._of(*marks), to=1.0)

    def _turn(self, degrees: float = TURN) -> Verb:
        """Return how the space turns on; it draws what else has changed in the space."""
        start, self.angle = self.angle, self.angle + degrees
        return Vary(self.stars.turn_to, start, self.angle, SLOW, linear)

    def _stand(self, one: int, other: int, side: float, *steps: Step) -> Verb:
        """Return how axes turn from one slice to another; names keep off the steps that come."""
        way = (side - self.angle + 180) % 360 - 180
        aside = other in (GOOD_TIP, BAD_TIP)  # there, a list stands beside it
        center = self.travel_to(View() if aside else self._centered(other, self.stage))
        dim = Disappear(self.stars.dots, run_time=SLOW)
        room = [Vary(step.foresee, 0, 1) for step in steps]
        room += [Vary(each.foresee, 1, 0) for each in self.stars.steps if each.foreseen]
        return Together(
            center, dim, *room, Vary(self.stars.stand_at, one, other, SLOW), self._turn(way)
        )

    def _from_origin(self, place: int, side: float, marks: list[int], way: Carried) -> Verb:
        """Return how arrows go before the axes turn, and how the origin then comes in sight."""
        own, carried, _, *rays = way.steps
        leave = Disappear(own, carried, *self._of(*marks[:3]), run_time=QUICK / 2)
        come = Then(Hold(STEADY), self._come(self.origin))
        return Then(leave, Together(come, self._stand(place - 1, place, side, *rays)))

    def _measure(self, way: Carried) -> Verb:
        """Return how the angle opens between the tip and the word that is sought."""
        *_, tip, sought = way.steps
        grown = self._grow(tip), self._grow(sought), self._turn(0)
        opened = Fade(way.wedge, to=1.0), Vary(way.wedge.open, 0, 1), self._turn(0)
        return Then(Together(*grown), Together(*opened))

    def _grow(self, step: Step | Ray) -> Verb:
        return Together(Fade(step, to=1.0, run_time=QUICK / 2), Vary(step.grow, 0, 1))

    def _open(self, dial: Dial, at: int, run_time: float) -> Verb:
        """Return how a ray turns up from the base to its angle, and is then named."""
        ray, name, arc = dial.rays[at], dial.names[at], dial.arcs[at]
        swing = Fade(ray, to=1.0, run_time=QUICK / 2), Vary(ray.swing, 0, 1, run_time)
        return Then(Together(*swing, Draw(arc, run_time=run_time)), Appear(name))

    def _compare(self, shown: RankedList, each: Analogy, way: Carried) -> Verb:
        """Let the list come, with the one sought, and name the words of which its tip was made."""
        rows = each.first(len(shown.rows))
        at = rows.index(each.ids[3])
        named = [shown.rows[rows.index(row)] for row in rows if row in each.ids[:3]]
        put_in = (Together(verbs.Recolor(row, role=INK), Pulse(row)) for row in named)
        found = Together(verbs.Recolor(shown.rows[at], role=ACCENT), Pulse(shown.rows[at]))
        return Then(shown.come(at, way.wedge), found, Flow(put_in))


def _is_word(piece: str) -> bool:
    return piece.startswith(" ") and len(piece) > 3 and piece[1:].isalpha()


def _step(one: str, other: str) -> str:
    return f"{label_of(one)} to {label_of(other)}"
