"""A space with directions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.analogies import (
    FAMOUS,
    Analogy,
    analogies,
    angle_by_chance,
    best_and_failing,
    nearest,
    told_apart,
)
from scenes.analysis.principal_plane import Spread
from scenes.camera import View
from scenes.film import Film, Shown, beat
from scenes.mobjects.cloud import Constellation, Slice, Step, Thread
from scenes.mobjects.dial import Dial
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, polygons
from scenes.mobjects.ranking import RankedList
from scenes.mobjects.space import Compass
from scenes.mobjects.text import Words, called
from scenes.provenance import Array, Value, angle, cosine, count
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
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Become,
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
    TurnInto,
    Undim,
    Vary,
    Verb,
)

POINTS = 1500  # words that are drawn, at most
NEIGHBOURS, LISTED = 4, 5
WITHIN = 92  # per cent of the points that fit the room
ROOM = 0.58  # of the stage, for the space; the rest is for lists
ALIKE, HARDLY = 45.0, 70.0  # degrees between steps in much the same way, and in another way
START, WHOLE, GOOD, BAD = range(4)  # the slices, in the order in which they are seen
SIDES, SWING = range(-60, 31, 10), (0.0, 10.0, 20.0, 30.0)  # degrees, of views of four words
AWAY, FAR = 90, 300  # between which the side is found from which all words are seen best
FAINT, BRIGHT = 0.3, 0.7  # presence of the other words beside the named ones, and alone
REACH = 0.9  # of the distance of most words from the middle, an axis

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
        words = [row for row, piece in self.pieces.items() if _is_word(piece)][: 2 * POINTS]
        words = [row for row, alone in zip(words, told_apart(unit[words]), strict=True) if alone]
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
            key=lambda each: -self._angle(each[0], each[1][-1]).number,
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
        self.view = self._centered(START, self.under_title.inset(GAP))
        self.stand(self.stars, *self.shares, self.told, self.dial)
        self.stand(self.good_list, self.bad_list, *self.good_rings, *self.bad_rings)
        self.stand(self.ringed, *self.compasses)

    @beat(
        "Is the step from {a} to {b} | the same as that from {x} to {y}? | "
        "To a model, each word is a point, | and training alone put it there."
    )
    def the_same_step(self) -> Shown:
        (a, b, x, y), labels = self.good_marks, self.stars.labels
        step, _, other, _ = self.good_steps
        yield self._come(a, b, x, y), self._grow(step), self._turn(15)
        yield self._grow(other), self._turn(15)
        center = self.travel_to(self._centered(WHOLE, self.stage)), Vary(other.foresee, 1, 0)
        come = Fade(self.stars.dots, to=FAINT), Vary(self.stars.stand_at, START, WHOLE, SLOW)
        tight = (labels[a], labels[b]) if self.stage.is_narrow else ()
        leave = Disappear(step, other, *self._of(x, y), *tight)
        yield *center, *come, leave, self._turn(45)
        yield Flow((Pulse(labels[a]), Pulse(labels[b]))), self._turn_to(AWAY)

    @beat(
        "This space has {width} axes, | and a picture has three: | "
        "those along which the words differ most. | They hold only {share} percent."
    )
    def three_of_many(self) -> Shown:
        (first, rest), (axes, share) = self.shares, self.told
        turn = (self.side - AWAY) / 5
        come = Then(Hold(STEADY), Appear(rest)), Fade(self.stars.dots, to=BRIGHT)
        names = Disappear(*self._of(*self.good_marks[:2]))
        yield names, self.travel_to(View(), STEADY), *come, self._turn(turn)
        yield Appear(axes), Dim(rest), Together(map(self._grow, self.axes)), self._turn(turn)
        fly = Flow(map(TurnInto, self.axes, first), STEADY)
        yield Then(Hold(), fly), self._turn(turn)
        yield Appear(share), self._turn(turn)

    @beat(
        "So measure nearness in all of them, | by the angle between two words. | "
        "Nearest to {word} is {n0}, | then {n1}, {n2} and {n3}. | "
        "Nobody told the model; it only read."
    )
    def nearest_words(self) -> Shown:
        dial, leave = self.dial, Disappear(*self.shares, *self.told, self.stars.dots)
        come = (
            Appear(dial.grains, scale=1.0),
            Draw(dial.rim),
            Become(dial.grains, dial.sorted, SLOW),
        )
        yield leave, Then(Together(come[0], come[1]), come[2])
        yield Draw(dial.base), Appear(dial.word), Then(Hold(), Appear(dial.crowd))
        first, *others = (Then(Draw(ray), Appear(name)) for ray, name in dial.found)
        yield Then(first, Draw(dial.arc))
        yield Flow(others, SLOW)
        yield Flow((Pulse(name) for name in dial.names), STEADY)

    @beat(
        "Now for the step. | Four words fit exactly into three axes. | "
        "The arrow is {b} minus {a}: | carry it over to {x}."
    )
    def carry_the_step(self) -> Shown:
        marks, (step, carried, _, gap) = self.good_marks, self.good_steps
        dots, labels = self._parted(marks)
        move = Vary(self.stars.stand_at, WHOLE, GOOD, SLOW)
        center = self.travel_to(self._centered(GOOD, self.stage))
        room = [Vary(each.foresee, 0, 1) for each in (step, carried, gap)]
        come = Fade(*dots, to=1.0), Fade(self.stars.dots, to=FAINT)
        yield Disappear(self.dial), center, move, *room, *come, self._turn_to(360 + self.first)
        leave = Disappear(self.stars.dots, run_time=STEADY)
        yield leave, Fade(*labels, to=1.0), self._turn(10)
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
        yield self._grow(gap), self._turn(0)
        yield self.travel_to(View(), STEADY), Then(Hold(STEADY), shown.come()), self._turn(0)
        found = self._compare(shown, self.good, self.good_rings)
        yield found, Pulse(self.stars.labels[y]), self._turn(0)

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
        dots, labels = self._parted(marks)
        gone = Disappear(*self._of(*{*self.good_marks} - {*marks}))
        leave = Disappear(self.good_list, *self.good_rings, self.ringed, *self.good_steps)
        come, move = Fade(*dots, to=1.0), Vary(self.stars.stand_at, GOOD, BAD, SLOW)
        named = Then(Hold(SLOW), Fade(*labels, to=1.0))
        room = [Vary(each.foresee, 0, 1) for each in (step, carried, gap)]
        center = self.travel_to(self._centered(BAD, self.stage))
        yield leave, gone, center, move, *room, come, named, self._turn_to(360 + self.other)
        carry = Together(Fade(carried, to=1.0), Vary(carried.carry, 0, 1))
        yield Then(self._grow(step), carry), self._turn(8)
        yield self._grow(gap), Pulse(self.stars.labels[marks[3]]), self._turn(0)
        found = self._compare(shown, self.bad, self.bad_rings)
        listed = Then(Hold(STEADY), shown.come(), found)
        yield self.travel_to(View(), STEADY), listed, self._turn(0)

    @beat(
        "Side by side: | {a} to {b} and {x} to {y} go {way}; | "
        "{a2} to {b2} and {x2} to {y2}, {way2}. | "
        "So a step can be nearly the same; | only measuring tells.",
        nothing_holds="Side by side: | {a} to {b} and {x} to {y} go {way}; | "
        "{a2} to {b2} and {x2} to {y2}, {way2}. | "
        "In this table no step of our list leads on: | only measuring tells.",
    )
    def side_by_side(self) -> Shown:
        good, bad = self.compasses
        step, carried, other, gap = arrows = self.bad_steps
        gone = self.bad_list, *self.bad_rings, self.ringed, *self._of(*self.bad_marks)
        turn = Together(*map(Become, (step, other), bad.arrows))
        go = Together(Fade(other, to=1.0, run_time=QUICK), turn)
        yield (
            Disappear(*gone, carried, gap),
            Then(go, Dim(*arrows)),
            Then(Hold(), Appear(*bad.names)),
        )
        come = (Together(Draw(arrow), Appear(name)) for arrow, name in good.pairs)
        measure = Together(Draw(good.arc), Appear(good.degrees))
        yield Dim(*bad.names), Then(Together(come), measure)
        yield Undim(*bad.names, *arrows), Then(Hold(), Together(Draw(bad.arc), Appear(bad.degrees)))
        yield Pulse(good.degrees, *good.names, run_time=STEADY), Appear(*good.chance)
        yield Pulse(bad.degrees, *bad.names, run_time=STEADY)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how many words are drawn, and of how many tokens."""
        drawn = count(len(self.drawn), "words that are drawn")
        tokens = count(len(self.table), "rows of the table")
        template = "{:,.0f} of this model's {:,.0f} embeddings"
        return Words(template, drawn, tokens, size=PLAIN_SIZE, role=QUIET)

    def _cast_stars(self) -> None:
        middle, axes = self.spread.middle, self.spread.axes[:3]
        lengths = np.linalg.norm((self.tensor("drawn").double - middle) @ axes.T, axis=1)
        whole = Slice(axes, middle, float(np.percentile(lengths, WITHIN)))
        rows = [*dict.fromkeys([*self.good.ids, *self.bad.ids])]
        marks = {row: place for place, row in enumerate(rows)}
        self.good_marks, self.bad_marks = (
            [marks[row] for row in each] for each in (self.good.ids, self.bad.ids)
        )
        self.good_steps, self.bad_steps = map(_steps, (self.good, self.bad))
        four, long = self.slice_of(self.good), REACH * float(np.percentile(lengths, WITHIN))
        self.axes = [Step(middle, long * axis, theme.color(ACCENT)) for axis in axes]
        self.stars = Constellation(
            self.tensor("drawn").double,
            self.table.double[rows],
            [self._name(row) for row in rows],
            [four, whole, four, self.slice_of(self.bad)],
            self.room,
            steps=[*self.good_steps, *self.bad_steps, *self.axes],
            size=TITLE_SIZE,
        )
        self._choose_sides()
        self._cast_dial()

    def _cast_dial(self) -> None:
        """Make the dial of angles; its words come from where they are seen in the cloud."""
        self.stars.place, self.stars.angle = float(WHOLE), self.side
        seen, _ = self.stars.seen(self.tensor("drawn").double)
        self.stars.place, self.stars.angle = float(START), self.first
        word = self.table[self.word].double
        angles = np.degrees(np.arccos(np.clip(self.tensor("drawn").double @ word, -1, 1)))
        near = [(self._name(row), self._angle(self.word, row)) for row in self.near]
        self.dial = Dial(self._name(self.word), near, angles, seen, self.stage)

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
        for place, each, marks, steps, turned in (
            (GOOD, self.good, self.good_marks, self.good_steps, SWING),
            (BAD, self.bad, self.bad_marks, self.bad_steps, SWING[:2]),
        ):
            tip = each.tip.double[None]
            steps[2].foresee(float(place == GOOD))
            stars.fit(place, marks, tip, turns)
            steps[1].carry(1.0)
            side = float(stars.clearest(place, SIDES, turned, marks, [*steps[:2], steps[3]]))
            steps[1].carry(0.0)
            swing = [side + turn for turn in turned]
            stars.fit(place, marks, tip, swing)
            self.taken[place] = stars.taken(place, marks, tip, swing)
            found.append(side)
        self.first, self.other = found
        stars.slices[START], self.taken[START] = stars.slices[GOOD], self.taken[GOOD]
        named = self.good_marks[:2]
        self.side = float(stars.clearest(WHOLE, range(AWAY + 60, FAR, 10), (0.0,), named))
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
        chance = angle_by_chance(self.tensor("drawn").double) if each.angle.number < ALIKE else None
        return Compass(each.angle, names, (ACCENT, INK), region.inset(GAP), chance)

    def _cast_shares(self) -> None:
        """Draw the share of each axis as a bar, the first three apart, and write what they hold."""
        axes = count(3, "axes that are drawn"), count(self.table.shape[1], "columns of the table")
        three = Words("{} of {:,.0f} axes", *axes, size=SPOKEN_SIZE)
        part = Words("{:.0%} of all differences", self.spread.three, size=SPOKEN_SIZE, role=ACCENT)
        self.told = VGroup(three, part).arrange(DOWN, buff=GAP)
        self.beside.fit_width(self.told)
        room = self.beside.raised(self.told.height + 2 * GAP)
        self.told.move_to((room.center[0], room.bottom - GAP, 0), UP)
        shares = np.maximum(self.spread.shares, 0)
        pitch, heights = room.width / len(shares), room.height * shares / shares[0]
        lefts = room.left + pitch * np.arange(len(shares))
        rights, base = lefts + 0.8 * pitch, np.full(len(shares), room.bottom)
        across = np.stack([lefts, rights, rights, lefts], axis=1)
        up = np.stack([base, base, base + heights, base + heights], axis=1)
        bars = np.stack([across, up], axis=2)
        first = VGroup(*(Filled(polygons(bars[[place]]), ACCENT) for place in range(3)))
        self.shares = first, Filled(polygons(bars[3:]), QUIET)

    def _cast_lists(self) -> None:
        """Make the lists of what is nearest to either tip, with rings about what was put in."""
        self.ringed = Words("cosine to the tip; ringed: made of these", size=SPOKEN_SIZE)
        self.beside.fit_width(self.ringed)
        self.beside.set_at_foot(self.ringed, 0)
        self.ringed.align_to((0, self.beside.bottom, 0), DOWN)
        room = self.beside.raised(self.ringed.height + GAP)
        self.good_list, self.bad_list = (
            RankedList(
                [cosine(each.tip, self.table[row]) for row in each.first(LISTED)],
                [self._name(row) for row in each.first(LISTED)],
                room,
                [each.place(row) for row in each.first(LISTED)],
            )
            for each in (self.good, self.bad)
        )
        self.good_rings, self.bad_rings = (
            [
                Ring(row[0], HAIR / 2, QUIET)
                for row, word in zip(shown.rows, each.first(LISTED), strict=True)
                if word in each.ids[:3]
            ]
            for shown, each in ((self.good_list, self.good), (self.bad_list, self.bad))
        )

    def _angle(self, one: int, other: int) -> Value:
        return angle(self.table[one], self.table[other])

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

    def _parted(self, marks: Sequence[int]) -> tuple[list[VMobject], list[VMobject]]:
        """Return the dots of marked words, and their names."""
        return [self.stars.marks[mark] for mark in marks], [self.stars.labels[i] for i in marks]

    def _compare(self, shown: RankedList, each: Analogy, rings: Sequence[Ring]) -> Verb:
        """Let the one sought stand out in a list, and ring the words of which its tip was made."""
        name, bar, _, place = shown.rows[each.first(LISTED).index(each.ids[3])]
        found = Together(Recolor(name, bar, place, role=ACCENT), Pulse(name))
        return Then(found, Together(*map(Draw, rings), Appear(self.ringed)))


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
