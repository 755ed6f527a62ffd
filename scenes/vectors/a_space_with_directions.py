"""A space with directions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.analogies import FAMOUS, Analogy, analogies, best_and_failing, nearest
from scenes.analysis.principal_plane import Spread
from scenes.camera import View
from scenes.film import Film, Shown, beat
from scenes.mobjects.cloud import Constellation, Slice, Step, Thread
from scenes.mobjects.outlines import Filled, polygons
from scenes.mobjects.ranking import RankedList
from scenes.mobjects.space import Compass
from scenes.mobjects.text import TokenText, Words, called
from scenes.provenance import Array, Value, cosine, count
from scenes.region import Region
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
    Become,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    Vary,
    Verb,
)

POINTS = 1500  # words that are drawn, at most
NEIGHBOURS, LISTED = 4, 5
WITHIN, CLOSE = 92, 0.4  # per cent of the points fit the room; what does when one comes close
ROOM = 0.58  # of the stage, for the space; the rest is for lists
AXES = 48  # of all, whose shares are drawn
ALIKE, HARDLY = 45.0, 70.0  # degrees between steps in much the same way, and in another way
START, WHOLE, NEAR, GOOD, BAD = range(5)  # the slices, in the order in which they are seen
SIDES, SWING = range(-60, 31, 10), (0.0, 10.0, 20.0, 30.0)  # degrees, of views of four words
AWAY, FAR = 90, 300  # between which the side is found from which neighbours are seen best
FAINT = 0.3  # presence of the other words beside the near ones

Floats = NDArray[np.float64]


class ASpaceWithDirections(Film):
    """Nearness and directions in the table of embeddings carry meaning: measured, with failures.

    Every row is brought to length one, as only its direction counts.
    """

    title = "A space with directions"
    prompt = "my uncle told us a story"
    seconds = 78
    poster_beat = "side-by-side"

    def derived(self) -> Mapping[str, Array]:
        """Bring every row of the table to length one, and gather those that are drawn."""
        table = self.trace.weights.W_E.astype(np.float64)
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        unit = (table / np.where(lengths, lengths, 1.0)).astype(np.float32)
        self.pieces = self._pieces()
        words = [row for row, piece in self.pieces.items() if _is_word(piece)]
        self.drawn = (words if len(words) >= POINTS / 10 else list(self.pieces))[:POINTS]
        return {"directions": unit, "drawn": unit[self.drawn]}

    def observe(self) -> None:
        """Score the analogies of a list; find a word of the prompt and what lies nearest to it."""
        self.pieces, self.table = self._pieces(), self.tensor("directions")
        found = analogies(self.table, self.pieces)
        if not found:
            self.refuse("This vocabulary has no two pairs of words of our list as whole tokens.")
        self.good, self.bad = best_and_failing(found)
        self.spread = Spread.of(self.tensor("drawn"))
        ids = [row for row in map(int, self.trace.ids) if row in self.pieces]
        likely = [row for row in ids if row in self.good.ids] or [
            row for row in ids if _is_word(self.pieces[row])
        ]
        self.word, self.near = max(
            ((row, nearest(self.table, row, self.pieces, NEIGHBOURS)) for row in likely or ids),
            key=lambda each: self._cosine(each[0], each[1][-1]).number,
        )

    def words(self) -> Mapping[str, str]:
        """Name the words of both analogies and those nearest to the chosen word."""
        good, bad = (map(called, each.words) for each in (self.good, self.bad))
        near = {f"n{place}": self._name(row) for place, row in enumerate(self.near)}
        return {
            **dict(zip(("a", "b", "x", "y"), good, strict=True)),
            **dict(zip(("a2", "b2", "x2", "y2"), bad, strict=True)),
            **near,
            "word": self._name(self.word),
            "width": f"{self.table.shape[1]:,}",
            "share": f"{100 * self.spread.three.number:.0f}",
            "first": self._name(self.good.ranked[0]),
            "place": f"{self.good.places[0]:,}",
            "place2": f"{self.bad.places[0]:,}",
            "way": _way(self.good.angle.number),
            "way2": _way(self.bad.angle.number),
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
        """Make the points and steps, the lists, and the two compasses."""
        self.room, beside = self.stage.split(ROOM)
        self.beside = beside.apart(self.room, 2 * GAP)
        self._cast_stars()
        self._cast_shares()
        self._cast_lists()
        halves = self.stage.split(0.5)
        self.compasses = [
            self._compass(*each) for each in zip((self.good, self.bad), halves, strict=True)
        ]
        if not self.stage.is_narrow:
            self.compasses[1].level_with(self.compasses[0])
        self.stage.inset(GAP).fit(VGroup(*self.compasses))
        self.view = self._centered(START, self.under_title)
        self.stand(self.stars, *self.shares, self.told, self.near_told)
        self.stand(self.near_list, self.good_list, self.bad_list, *self.compasses)

    @beat(
        "Is the step from {a} to {b} | the same as that from {x} to {y}? | "
        "To a model, each word is a point, | and training alone put it there."
    )
    def the_same_step(self) -> Shown:
        (a, b, x, y), step = self.good_marks, self.good_steps[0]
        yield self._come(a, b), self._grow(step), self._turn(15)
        yield self._come(x, y), Then(Hold(), Pulse(self.stars.labels[y])), self._turn(15)
        center = self.travel_to(self._centered(WHOLE, self.stage))
        leave = Together(Disappear(step, *self._of(a, b, x, y)), center)
        come = Fade(self.stars.dots, to=1.0, run_time=STEADY)
        yield leave, come, Vary(self.stars.stand_at, START, WHOLE, SLOW), self._turn(45)
        yield self._turn_to(AWAY)

    @beat(
        "This space has {width} axes, | and a picture has three: | "
        "those along which the words differ most. | They hold only {share} percent."
    )
    def three_of_many(self) -> Shown:
        (first, rest), (axes, share) = self.shares, self.told
        turn = (self.side - AWAY) / 5
        yield self.travel_to(View()), Appear(first, rest, run_time=STEADY), self._turn(turn)
        yield Appear(axes), Dim(rest), self._turn(turn)
        yield Pulse(first), self._turn(turn)
        yield Appear(share), self._turn(turn)

    @beat(
        "So measure nearness in all of them, | by the angle between two words. | "
        "Nearest to {word} is {n0}, | then {n1}, {n2} and {n3}. | "
        "Nobody told the model; it only read."
    )
    def nearest_words(self) -> Shown:
        first, *others = range(NEIGHBOURS)
        leave = Disappear(*self.shares, *self.told)
        yield leave, Vary(self.stars.stand_at, WHOLE, NEAR, SLOW), self._turn_to(self.side)
        yield (
            self._come(self.word_mark),
            Fade(self.stars.dots, to=FAINT),
            Appear(self.near_told),
            self._turn(10),
        )
        yield self._list(first), self._turn(10)
        yield Flow((self._list(place) for place in others), SLOW), self._turn(10)
        yield Flow((Pulse(row[0]) for row in self.near_list.rows), STEADY), self._turn(10)

    @beat(
        "Now for the step. | Four words fit exactly into three axes. | "
        "The arrow is {b} minus {a}: | carry it over to {x}."
    )
    def carry_the_step(self) -> Shown:
        marks, (step, carried, _, gap) = self.good_marks, self.good_steps
        named = self._of(*{self.word_mark, *self.near_marks} - {*marks})
        lists = Disappear(self.near_list, self.near_told, *self.near_threads, *named)
        move = Vary(self.stars.stand_at, NEAR, GOOD, SLOW)
        center = self.travel_to(self._centered(GOOD, self.stage))
        room = [Vary(each.foresee, 0, 1) for each in (step, carried, gap)]
        yield lists, center, move, *room, self._come(*marks), self._turn_to(360 + self.first)
        yield Disappear(self.stars.dots, run_time=STEADY), self._turn(10)
        yield self._grow(step), self._turn(10)
        yield Fade(carried, to=1.0), Vary(carried.carry, 0, 1, SLOW), self._turn(10)

    @beat(
        "Which word is nearest to its tip, | in the whole table? | "
        "It's {y}: even before {b} and {x}, of which the tip was made.",
        left_out="Which word is nearest to its tip, | in the whole table? | "
        "It's {first}, but that one was put in. Leave out what was put in, and {y} is first.",
        nothing_holds="Which word is nearest to its tip, | in the whole table? | "
        "It's {first}. In our whole list, no step does better: {y} is at place {place}.",
    )
    def at_the_tip(self) -> Shown:
        shown, gap, y = self.good_list, self.good_steps[3], self.good_marks[3]
        yield self._grow(gap), self._turn(-10)
        yield self.travel_to(View(), STEADY), shown.come(), self._turn(-10)
        yield self._compare(shown, self.good), Pulse(self.stars.labels[y]), self._turn(-10)

    @beat(
        "But try another step: | from {a2} to {b2}, carried to {x2}. | "
        "Its tip is far from {y2}, | which comes only at place {place2}.",
        famous="The famous example, though: | from {a2} to {b2}, and so from {x2} to {y2}. | "
        "Here, its tip is far away: | {y2} comes only at place {place2}.",
        all_hold="Try the worst step of our list: | from {a2} to {b2}, carried to {x2}. | "
        "Its tip leads to {y2}, | which comes at place {place2}.",
    )
    def one_that_fails(self) -> Shown:
        marks, shown = self.bad_marks, self.bad_list
        step, carried, _, gap = self.bad_steps
        gone = Disappear(*self._of(*{*self.good_marks} - {*marks}))
        leave = Disappear(self.good_list, *self.good_steps)
        move = Vary(self.stars.stand_at, GOOD, BAD, SLOW)
        room = [Vary(each.foresee, 0, 1) for each in (step, carried, gap)]
        center = self.travel_to(self._centered(BAD, self.stage))
        yield leave, gone, center, move, *room, self._come(*marks), self._turn_to(360 + self.other)
        carry = Together(Fade(carried, to=1.0), Vary(carried.carry, 0, 1))
        yield Then(self._grow(step), carry), self._turn(8)
        yield self._grow(gap), Pulse(self.stars.labels[marks[3]]), self._turn(8)
        listed = Then(shown.come(), self._compare(shown, self.bad))
        yield self.travel_to(View(), STEADY), listed, self._turn(8)

    @beat(
        "Side by side: | {a} to {b} and {x} to {y} go {way}; | "
        "{a2} to {b2} and {x2} to {y2}, {way2}. | "
        "So a direction can mean something; | only measuring tells.",
        nothing_holds="Side by side: | {a} to {b} and {x} to {y} go {way}; | "
        "{a2} to {b2} and {x2} to {y2}, {way2}. | "
        "In this table no step of our list leads on: | only measuring tells.",
    )
    def side_by_side(self) -> Shown:
        good, bad = self.compasses
        step, carried, other, gap = self.bad_steps
        yield (
            Disappear(self.bad_list, carried, gap, *self._of(*self.bad_marks)),
            Then(Fade(other, to=1.0), Together(*map(Become, (step, other), bad.arrows))),
        )
        yield Appear(*good.arrows, *good.names), Then(Hold(), Draw(good.arc), Appear(good.degrees))
        yield Appear(*bad.names), Then(Hold(), Draw(bad.arc), Appear(bad.degrees))
        yield Pulse(good.degrees, *good.names, run_time=STEADY)
        yield Pulse(bad.degrees, *bad.names, run_time=STEADY)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how many words are drawn, and of how many tokens."""
        drawn = count(len(self.drawn), "words that are drawn")
        tokens = count(len(self.table), "rows of the table")
        template = "{:,.0f} of this model's {:,.0f} embeddings"
        return Words(template, drawn, tokens, size=PLAIN_SIZE, role=QUIET)

    def _cast_stars(self) -> None:
        rows = [*dict.fromkeys([*self.good.ids, *self.bad.ids, self.word, *self.near])]
        marks = {row: place for place, row in enumerate(rows)}
        self.good_marks, self.bad_marks, self.near_marks = (
            [marks[row] for row in each] for each in (self.good.ids, self.bad.ids, self.near)
        )
        self.word_mark = marks[self.word]
        self.good_steps, self.bad_steps = map(_steps, (self.good, self.bad))
        word, table, quiet = self.table[self.word].double, self.table.double, theme.color(ACCENT)
        self.near_threads = [Thread(word, table[row] - word, quiet) for row in self.near]
        middle, axes = self.spread.middle, self.spread.axes[:3]
        lengths = np.linalg.norm((self.tensor("drawn").double - middle) @ axes.T, axis=1)
        whole = Slice(axes, middle, float(np.percentile(lengths, WITHIN)))
        close, four = Slice(axes, word, whole.reach), self.slice_of(self.good)
        self.stars = Constellation(
            self.tensor("drawn").double,
            table[rows],
            [self._name(row) for row in rows],
            [four, whole, close, four, self.slice_of(self.bad)],
            self.room,
            steps=[*self.good_steps, *self.bad_steps, *self.near_threads],
        )
        self._choose_sides()

    @staticmethod
    def slice_of(each: Analogy) -> Slice:
        """Return the three axes that hold four words exactly: the step up, x beside a."""
        a, b, x, y = (row.double for row in each.rows)
        axes, sizes = np.linalg.qr(np.stack([b - a, x - a, y - each.tip.double], axis=1))
        up, across, deep = (axes * np.where(np.diag(sizes) < 0, -1.0, 1.0)).T
        three, points = np.stack([across, up, deep]), np.stack([a, b, x, y, each.tip.double])
        shadows = points @ three.T
        middle = (shadows.min(axis=0) + shadows.max(axis=0)) / 2
        return Slice(three, a + (middle - a @ three.T) @ three, 1.0)

    def _choose_sides(self) -> None:
        """Find the sides from which the names of four words, or of near ones, are seen best."""
        stars, turns = self.stars, [side + turn for side in SIDES for turn in SWING]
        found, self.taken = [], {WHOLE: np.repeat(min(stars.half), 2)}
        for place, each, marks, steps in (
            (GOOD, self.good, self.good_marks, self.good_steps),
            (BAD, self.bad, self.bad_marks, self.bad_steps),
        ):
            tip = each.tip.double[None]
            stars.fit(place, marks, tip, turns)
            steps[1].carry(1.0)
            side = float(stars.clearest(place, SIDES, SWING, marks, [*steps[:2], steps[3]]))
            steps[1].carry(0.0)
            swing = [side + turn for turn in SWING]
            stars.fit(place, marks, tip, swing)
            self.taken[place] = stars.taken(place, marks, tip, swing)
            found.append(side)
        self.first, self.other = found
        stars.slices[START], self.taken[START] = stars.slices[GOOD], self.taken[GOOD]
        near, sides = [self.word_mark, *self.near_marks], range(AWAY + 60, FAR, 10)
        close = CLOSE * stars.slices[WHOLE].reach
        stars.reach(NEAR, max(close, stars.fit(NEAR, near, stars.marked[near], sides)))
        self.side = float(stars.clearest(NEAR, sides, SWING, near))
        self.angle, stars.place = self.first, float(START)
        stars.turn_to(self.angle)

    def _centered(self, place: int, room: Region) -> View:
        """Return the view in which what is seen in a slice fills a room."""
        wide, high = 2 * self.taken[place]
        zoom = min(room.width / wide, room.height / high)
        return View(tuple(self.room.center[:2]), float(zoom), tuple(room.center[:2]))

    def _compass(self, each: Analogy, region: Region) -> Compass:
        a, b, x, y = map(called, each.words)
        names = f"{a} to {b}", f"{x} to {y}"
        return Compass(each.angle, names, (ACCENT, INK), region.inset(GAP))

    def _cast_shares(self) -> None:
        """Draw the share of each axis as a bar, the first three apart, and write what they hold."""
        axes = count(3, "axes that are drawn"), count(self.table.shape[1], "columns of the table")
        three = Words("{} of {:,.0f} axes", *axes, size=SPOKEN_SIZE)
        part = Words("{:.0%} of all differences", self.spread.three, size=SPOKEN_SIZE, role=ACCENT)
        self.told = VGroup(three, part).arrange(DOWN, buff=GAP)
        self.beside.fit_width(self.told)
        room = self.beside.raised(self.told.height + 2 * GAP)
        self.told.move_to((room.center[0], room.bottom - GAP, 0), UP)
        shares = np.maximum(self.spread.shares[:AXES], 0)
        pitch, heights = room.width / len(shares), room.height * shares / shares[0]
        lefts = room.left + pitch * np.arange(len(shares))
        rights, base = lefts + 0.8 * pitch, np.full(len(shares), room.bottom)
        across = np.stack([lefts, rights, rights, lefts], axis=1)
        up = np.stack([base, base, base + heights, base + heights], axis=1)
        bars = np.stack([across, up], axis=2)
        self.shares = Filled(polygons(bars[:3]), ACCENT), Filled(polygons(bars[3:]), QUIET)

    def _cast_lists(self) -> None:
        """Make the list of the nearest words, and those of what is nearest to either tip."""
        name = TokenText(self._name(self.word), SPOKEN_SIZE, QUIET)
        told = Words("cosine with", size=SPOKEN_SIZE, role=QUIET)
        self.near_told = VGroup(told, name).arrange(RIGHT, buff=HAIR)
        name.shift((told.baseline - name.baseline) * UP)
        self.beside.fit_width(self.near_told)
        values = [self._cosine(self.word, row) for row in self.near]
        self.near_told.move_to(self.beside.center).align_to((0, self.beside.top, 0), UP)
        below = self.beside.below(self.near_told, GAP)
        self.near_list = RankedList(values, [self._name(row) for row in self.near], below)
        self.near_told.next_to(self.near_list, UP, buff=GAP)
        self.good_list, self.bad_list = (
            RankedList(
                [cosine(each.tip, self.table[row]) for row in each.first(LISTED)],
                [self._name(row) for row in each.first(LISTED)],
                self.beside,
                [each.place(row) for row in each.first(LISTED)],
            )
            for each in (self.good, self.bad)
        )

    def _cosine(self, one: int, other: int) -> Value:
        return cosine(self.table[one], self.table[other])

    def _name(self, row: int) -> str:
        return called(self.pieces[row])

    def _pieces(self) -> dict[int, str]:
        """Return all tokens that the vocabulary has, by their rows."""
        tokenizer = self.tokenizer
        known = [row for row in range(len(self.trace.weights.W_E)) if tokenizer.has(row)]
        return dict(zip(known, tokenizer.pieces(known), strict=True))

    def _of(self, *marks: int) -> list[VMobject]:
        """Return the dots and names of marked words."""
        return [each[mark] for mark in marks for each in (self.stars.marks, self.stars.labels)]

    def _come(self, *marks: int) -> Verb:
        return Fade(*self._of(*marks), to=1.0)

    def _turn(self, degrees: float) -> Verb:
        """Return how the space turns on; it draws what else has changed in the space."""
        start, self.angle = self.angle, self.angle + degrees
        return Vary(self.stars.turn_to, start, self.angle, SLOW, linear)

    def _turn_to(self, angle: float) -> Verb:
        return self._turn(angle - self.angle)

    def _grow(self, step: Step) -> Verb:
        return Together(Fade(step, to=1.0, run_time=QUICK / 2), Vary(step.grow, 0, 1))

    def _list(self, place: int) -> Verb:
        """Let a near word be seen among the points, and go from there into the list."""
        name, *rest = self.near_list.rows[place]
        thread, mark = self.near_threads[place], self.near_marks[place]
        found = Together(self._grow(thread), self._come(mark))
        listed = Together(ComeFrom(name, self.stars.marks[mark]), Disappear(thread))
        return Then(found, listed, Appear(*rest))

    def _compare(self, shown: RankedList, each: Analogy) -> Verb:
        """Let the words of which a tip was made recede in its list; the one sought stands out."""
        rows = each.first(LISTED)
        put_in = [shown.rows[i] for i, row in enumerate(rows) if row in each.ids[:3]]
        name, bar, _, place = shown.rows[rows.index(each.ids[3])]
        return Together(Dim(*put_in), Recolor(name, bar, place, role=ACCENT), Pulse(name))


def _is_word(piece: str) -> bool:
    return piece.startswith(" ") and len(piece) > 3 and piece[1:].isalpha()


def _steps(each: Analogy) -> list[Step]:
    """Return the step from a to b, the one that is carried, that from x to y, and what it lacks."""
    a, _, x, y = (row.double for row in each.rows)
    own, other = (way.double for way in each.steps)
    lit, ink = theme.color(ACCENT), theme.color(INK)
    gap = Thread(each.tip.double, y - each.tip.double, ink)
    return [Step(a, own, lit), Step(a, own, lit, goal=x), Step(x, other, ink), gap]


def _way(degrees: float) -> str:
    """Say how alike two steps are."""
    if degrees < ALIKE:
        return "much the same way"
    return "only roughly the same way" if degrees < HARDLY else "quite another way"
