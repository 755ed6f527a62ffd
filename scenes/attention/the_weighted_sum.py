"""The film of the weighted sum: what a word takes from others bends its vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import Mobject, Rectangle, VGroup
from manim.constants import DOWN, LEFT, OUT, RIGHT, UP
from manim.utils.space_ops import rotation_matrix
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.source_contributions import Pushes
from scenes.camera import WHOLE, place_inside
from scenes.film import Film, Shown, beat
from scenes.mobjects.outlines import in_space
from scenes.mobjects.pattern import WeightArcs
from scenes.mobjects.space import TIP_WIDTH, Arrow, name_beside, set_beside
from scenes.mobjects.text import Formula, Number, Words, called, em_of
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Heat, Vector
from scenes.mobjects.weighted_sum import WeightedSum
from scenes.provenance import Tensor, Value, count, matmul, scaled
from scenes.provenance import total as sum_of
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    OUT_OF_FOCUS,
    OUTPUT,
    QUICK,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    Become,
    Dim,
    Disappear,
    Fade,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
)

SLIGHTLY = 1.06  # times as large, what swells where there is little room


class TheWeightedSum(Film):
    """The values are mixed by one row of weights, and the mixture moves the word's vector.

    One head is followed to its end; the layer adds what all of its heads find, and a bias.
    """

    title = "The weighted sum"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 73
    poster_beat = "what-it-carries"

    def observe(self) -> None:
        """Find the query to follow, its sources, and how far each of them pushes it."""
        where = self.layer, self.head
        self.pattern, self.v = self.tensor("pattern")[where], self.tensor("v")[where]
        self.asker = self.followed()
        self.sources = range(self.asker + 1)
        self.weights = [self.pattern[self.asker, source].value for source in self.sources]
        self.favourite = int(self.pattern[self.asker].array.argmax())
        self.z, out = (self.tensor(name)[where][self.asker] for name in ("z", "head_out"))
        self.lifting = self.tensor("weights.W_O")[where]
        lifted = (matmul(self.v[source], self.lifting) for source in self.sources)
        each = tuple(scaled(*pair) for pair in zip(self.weights, lifted, strict=True))
        self.pushes = Pushes(self.tensor("resid_pre")[self.layer, self.asker], out, each)

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its weights and its change are."""
        return {
            "asker": self.name_of(self.asker),
            "favourite": self.name_to(self.asker, self.favourite),
            "entries": str(len(self.z)),
            "width": str(len(self.pushes.change)),
            "most": f"{100 * self.weights[self.favourite].number:.0f} percent",
            "moved": f"{100 * self.pushes.ratio.number:.0f} percent",
            "given": f"{100 * self.pushes.shares[self.favourite].number:.0f} percent",
        }

    @beat(
        "How does {asker} take in what others say? | A band is as wide as its weight: "
        "| {favourite} is heard most. | Together they add up to one. | But what is it that flows?",
        alone="How does {asker} take in what is said? | A band is as wide as its weight: "
        "| it hears only itself, | and one is all there is. | But what is it that flows?",
    )
    def who_listens(self) -> Shown:
        arcs, givers, best = self.arcs, self.givers, self.favourite
        yield Flow(map(Appear, givers), QUICK), Then(Hold(), Appear(self.taker, self.whole))
        yield Fade(arcs, to=1), Vary(arcs.pour, 0, 1, run_time=SLOW)
        yield Pulse(givers[best], *arcs.out_of(best), scale=SLIGHTLY, run_time=STEADY)
        yield Pulse(self.whole, run_time=STEADY), Appear(self.one)
        yield Vary(arcs.pour, 0, 1, run_time=SLOW)

    @beat(
        "From each word, a value: {entries} numbers. | The weight says how much gets through: "
        "| of {favourite}, {most}. | What is left stacks to one whole row, "
        "| and blends into what this head found, z."
    )
    def values_are_mixed(self) -> Shown:
        total, chips = self.total, self.givers
        values = Together(Flow(map(Appear, row)) for row in total.rows)
        gone = Disappear(self.arcs, self.taker, self.whole, self.one)
        yield gone, Then(Hold(), values, Appear(total.dots))
        yield Appear(*total.weights), Vary(total.squeeze, 0, 1, run_time=SLOW)
        yield Pulse(total.weights[self.favourite], chips[self.favourite], run_time=STEADY)
        stays = MoveTo(chips[-1], total.whole_place(chips[-1].width), run_time=SLOW)
        yield Vary(total.stack, 0, 1, run_time=SLOW), stays, Disappear(*chips[:-1], *total.weights)
        yield (
            Vary(total.blend, 0, 1, run_time=STEADY),
            Appear(total.sums),
            Appear(self.symbol),
        )

    @beat(
        "But {asker}'s own vector is {width} other numbers. "
        "| So the matrix W O has a row of {width} for each of these {entries}. "
        "| Each number weighs its row, | and the rows add up to the change, Delta."
    )
    def to_full_size(self) -> Shown:
        total, lift = self.total, self.lift
        columns = map(total.column, range(len(total.shown)))
        yield (
            Disappear(total.sums, total.dots),
            Then(Hold(), Together(map(TurnInto, columns, lift.found))),
            Then(Hold(), MoveTo(self.symbol, lift.symbol_lies)),
            TurnInto(self.givers[-1], self.chip),
            Then(Hold(), Appear(lift.own.cells, lift.own.dots), Flow(map(Appear, lift.long))),
        )
        up = Together(Vary(lift.turn, 0, 1), MoveTo(self.symbol, lift.symbol_stands))
        rows = Together(Flow(map(Appear, lift.rows)), Appear(lift.label))
        yield Disappear(lift.long[0]), Then(up, rows)
        yield Flow(map(TurnInto, lift.rows, lift.weighed)), Flow(map(Pulse, lift.found))
        adding = Flow(GoInto(row, lift.change.cells) for row in reversed(lift.weighed))
        yield adding, Appear(lift.change.cells, lift.change.dots, run_time=SLOW), Appear(self.delta)

    @beat(
        "Both are arrows: {asker} as it came in, | and the change, added at its tip. "
        "| So the arrow bends. | The change is {moved} as long as the arrow was."
    )
    def the_arrow_bends(self) -> Shown:
        bend, own, change = self.bend, self.lift.own, self.lift.change
        yield (
            Disappear(self.lift.found, self.symbol, self.lift.label, self.lift.long[1]),
            Fade(own.head, change.head, to=1),
            Vary(own.straighten, 0, 1, run_time=SLOW),
            Vary(change.straighten, 0, 1, run_time=SLOW),
            MoveTo(self.chip, bend.own_place, run_time=SLOW),
            MoveTo(self.delta, self.bent_delta, run_time=SLOW),
        )
        yield Then(Pulse(self.chip), Pulse(self.delta))
        bent = Fade(bend.after, to=1, run_time=HAIR), Vary(bend.swing, 0, 1, run_time=SLOW)
        yield *bent, Dim(own.cells, own.head), Appear(bend.label)
        told = Appear(self.ratio, run_time=STEADY)
        yield Then(told, Pulse(self.delta, self.ratio, run_time=STEADY))

    @beat(
        "So what does {asker} carry now? | Split the change by who gave it: "
        "| {given} of it comes from {favourite}. | Without that, the arrow would point here. "
        "| What later layers make of it must be tested, | but this is how a word takes others in."
    )
    def what_it_carries(self) -> Shown:
        bend, change, best = self.bend, self.lift.change, self.favourite
        names = bend.names.values()
        yield Then(Pulse(self.chip), Pulse(bend.label))
        yield (
            self.zoom_into(bend.near),
            Dim(bend.after),
            Disappear(self.delta, self.ratio, bend.label, self.chip),
            Then(
                Together(Disappear(change.cells, change.head), Fade(*bend.steps, to=1)),
                Vary(bend.split_up, 0, 1),
            ),
        )
        yield Then(Flow(map(Appear, names)), Pulse(*list(names)[:1], bend.steps[best]))
        yield (
            Together(Disappear(*names), Fade(bend.before, to=OUT_OF_FOCUS / 2)),
            Then(Hold(QUICK), Together(Vary(bend.take_away, 0, 1), Appear(bend.without))),
        )
        back = Together(Vary(bend.take_away, 1, 0), Disappear(bend.without, bend.before))
        yield Then(Hold(), back, Flow(map(Appear, names)))
        far = (Become(bend.names[i], name) for i, name in bend.far.items())
        told = Appear(self.chip, bend.label)
        lost = Disappear(*(name for i, name in bend.names.items() if i not in bend.far))
        yield self.pull_back(), Undim(bend.after), Together(far), lost, Then(Hold(), told)

    def cast(self) -> None:
        """Make the bands, the weighted values, the lift, the arrows and the shares."""
        stage, pieces = self.stage, [self.tokens[source] for source in self.sources]
        left, _ = self.under_title.columns((1 + stage.is_narrow) * NAMES)
        self.givers = TokenRow(pieces, left, largest=TITLE_SIZE, lines=len(pieces)).chips
        names = max(chip.width for chip in self.givers)
        self.total = WeightedSum(self.weights, self.v, self.z, self.under_title, names)
        for place, chip in enumerate(self.givers):
            chip.move_to(self.total.name_place(place, chip.width))
        self._make_bands()
        self.symbol = Formula("$value(z)$", TITLE_SIZE)
        self.symbol.next_to(self.total.rows[0], LEFT, buff=GAP).set_y(self.total.middle)
        self.delta = Formula("$output(Delta)$", TITLE_SIZE)
        size = SPOKEN_SIZE if stage.is_narrow else TITLE_SIZE
        self.ratio = Words("{:.0%} as long", self.pushes.ratio, size=size, role=OUTPUT)
        self.lift = Lift(self.total, self.z, self.lifting, self.pushes, stage)
        self.chip = Chip(pieces[-1], size).move_to(self.lift.chip_place, LEFT)
        told = VGroup(self.delta, self.ratio).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        best = self.favourite
        both = self.chip, told
        self.bend = Bend(self.pushes, self.lift, both, pieces, stage, favourite=best)
        told.move_to(self.bend.change_place)
        self.bent_delta = self.delta.get_center()
        self.delta.move_to(self.lift.delta_place)
        self.stand(self.arcs, self.whole, self.one, self.taker, *self.givers)
        self.stand(self.total, self.symbol, self.lift, self.bend, self.chip, self.delta, self.ratio)

    def _make_bands(self) -> None:
        """Make the bands from the words to a box of the asker's; as high as it is a weight of 1."""
        total, stage = self.total, self.stage
        self.taker = Chip(self.tokens[self.asker], TITLE_SIZE)
        self.taker.move_to((stage.right, total.middle, 0), RIGHT)
        self.whole = Rectangle(width=THICK, height=total.height_of_one, stroke_width=BOLD_LINE)
        self.whole.set_stroke(theme.color(VALUE)).next_to(self.taker, LEFT, buff=GAP)
        self.one = Number(sum_of(self.pattern[self.asker]), 2, SPOKEN_SIZE)
        self.one.next_to(self.whole, DOWN, buff=GAP)
        heard = self.pattern.double[self.asker : self.asker + 1, : len(self.givers)]
        self.arcs = WeightArcs(heard, self.givers, [self.whole], edge=total.height_of_one)


Floats = NDArray[np.float64]

NAMES = 0.17  # of the stage's width, for the words that are heard
NAMED = 4  # pushes at most have their names beside them
PART = 0.5  # times as thick as others, an arrow of a part
THICK = 0.5  # scene units, of a vector that lies or stands
STRIPS = 16  # in which the rows of W_O come in
CELLS = 96  # of a long vector, that are drawn
APART = 0.75  # of the height of rows that stand apart, what is theirs
UPWARD = 0.72  # of the angle of the stage's diagonal, that at which the vector rises


class Lift(VGroup):
    """What a head found, a row of W_O for each number of it, and the change that they add up to.

    Everything has one scale. `found` lies over the word's `own` vector, until `turn` has set it
    upright beside the `rows`; `weighed` are these rows, each times its number. What the parts
    are called has its place: `symbol_lies`, `symbol_stands`, `delta_place`, `chip_place`.
    """

    def __init__(
        self, total: WeightedSum, z: Tensor, matrix: Tensor, pushes: Pushes, region: Region
    ) -> None:
        rows, columns = matrix.shape
        room = Region(region.left + THICK + GAP, region.right, region.bottom, region.top)
        parts = np.array_split(np.arange(rows), min(STRIPS, rows))
        unit = min(room.width / columns, APART * (room.height - 8 * THICK) / rows)
        self.rows, self.weighed = (
            [Heat(numbers[i], (unit * columns, unit * len(i)), None, largest) for i in parts]
            for numbers in (matrix.double, z.double[:, None] * matrix.double)
            for largest in [float(np.abs(numbers).max())]
        )
        cell = unit * columns / min(columns, CELLS + 1), THICK
        self.own, self.change = (
            Vector(each.values, cell, arrow=arrow, most=CELLS, numerals=False, hollow=False)
            for each, arrow in ((pushes.vector, INK), (pushes.change, OUTPUT))
        )
        sides = [count(side, "a side of the head's part of W_O") for side in matrix.shape]
        size = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=SPOKEN_SIZE)
        self.label = VGroup(Formula("$output(W_O)$", TITLE_SIZE), size).arrange(RIGHT, buff=GAP)
        gap = unit * rows * (1 / APART - 1) / len(parts)
        whole = VGroup(*self.rows).arrange(DOWN, buff=gap)
        column = VGroup(self.label, whole, self.change, self.own).arrange(DOWN, buff=2 * GAP)
        column.move_to(room.center + 1.5 * GAP * UP)
        for row, weighed in zip(self.rows, self.weighed, strict=True):
            weighed.move_to(row)
        self.found = total.strip(whole.height / len(total.shown), THICK, RIGHT)
        self.found.align_to(whole, LEFT).set_y(whole.get_y())
        self.lying = [box.points - self.found.get_center() for box in self.found]
        upright = whole.get_left() + LEFT * (GAP + THICK / 2)
        self.way = self.found.get_center(), upright
        self.symbol_lies = self.found.get_top() + UP * THICK
        self.symbol_stands = upright + UP * (whole.height / 2 + THICK)
        lengths = (count(len(each), "entries of a vector") for each in (z, pushes.vector))
        self.long = [Words("{} numbers", length, size=SPOKEN_SIZE) for length in lengths]
        self.long[0].next_to(self.found, RIGHT, buff=GAP)
        self.delta_place = self.change.cells.get_left() + LEFT * THICK
        self.chip_place = self.own.cells.get_corner(DOWN + LEFT) + DOWN * THICK
        self.long[1].move_to(self.own.cells.get_corner(DOWN + RIGHT) + DOWN * THICK, RIGHT)
        super().__init__(*self.rows, *self.weighed, self.own, self.change, self.label, self.found)
        self.add(*self.long)

    def turn(self, share: float) -> None:
        """Let what was found go, in one piece, to where it stands upright (1)."""
        lies, stands = self.way
        turned = rotation_matrix(-share * np.pi / 2, OUT)
        for box, points in zip(self.found, self.lying, strict=True):
            box.points = points @ turned.T + (1 - share) * lies + share * stands


class Bend(VGroup):
    """A word's arrow, the change at its tip, and the arrow to where it ends; and the parts of it.

    The `own` vector and the `change` of a lift become the first two. `steps` are what each source
    gives, tip to tail; `after` leads to their end, and `label` says what it is; `before` stays
    there when a push is taken away, and `without` says which one. `names` are set for whoever looks
    at `near`, and become `far` for who sees all. The names of the word and of the change find their
    places: `own_place` and `change_place`. All is turned so that the word's
    arrow points to the right and up, and bends to the left.
    """

    def __init__(
        self,
        pushes: Pushes,
        lift: Lift,
        names: tuple[Mobject, Mobject],
        pieces: Sequence[str],
        region: Region,
        *,
        favourite: int,
    ) -> None:
        self.favourite = favourite
        plane = pushes.plane()
        rises = UPWARD * np.arctan2(region.height, region.width)
        arrows = np.array([plane.projected(each) for each in (pushes.vector, *pushes.each)])
        turned = _turned(arrows, rises)
        points = np.vstack([np.zeros(2), np.cumsum(turned, axis=0)])
        room = region.inset(4 * GAP)
        if region.is_narrow:  # the names stand above
            room = room.lowered(NAMED * em_of(SPOKEN_SIZE))
        span = np.maximum(np.ptp(points, axis=0), 1e-6)
        unit = float((np.array([room.width, room.height]) / span).min())
        self.vectors = unit * turned
        shares = np.array([share.number for share in pushes.shares])
        self.along = shares[:, None] * self.vectors[1:].sum(axis=0)
        self.origin = room.center[:2] - unit * (points.min(axis=0) + points.max(axis=0)) / 2
        places = self.origin + unit * points
        self.tip = places[1]
        corners = in_space(places[[0, 1, -1]])
        lift.own.aim(corners[0], corners[1])
        lift.change.aim(corners[1], corners[2])
        self.size = SPOKEN_SIZE if region.is_narrow else TITLE_SIZE
        self.after, self.label = Arrow(theme.color(INK)), Words("after this head", size=self.size)
        self.steps = [Arrow(theme.color(VALUE)) for _ in pushes.each]
        lines = [*map(np.array, pairwise(places)), places[[0, -1]]]
        free = region.lowered(3 * GAP).raised(2 * GAP)
        self.own_place, self.change_place, label = (
            name_beside(places[list(ends)], name, side, lines, free)
            for ends, name, side in (
                ((0, 1), names[0], -1),
                ((1, -1), names[1], -1),
                ((0, -1), self.label, 1),
            )
        )
        self.label.move_to(label)
        self.near = Rectangle().move_to((*(places[1:].min(axis=0) + places[1:].max(axis=0)) / 2, 0))
        self.near.stretch_to_fit_width(np.ptp(places[1:, 0]) + 2 * GAP)
        self.near.stretch_to_fit_height(np.ptp(places[1:, 1]) + 2 * GAP)
        self.before = Arrow(theme.color(INK))
        self.before.point(places[0], places[-1])
        self.without = Words("without {}", called(pieces[favourite]), size=HEADING_SIZE)
        self.names = self._names(pushes.shares, pieces, places, region)
        self.far = self._far(region)
        texts = *self.names.values(), self.without
        super().__init__(self.before, *self.steps, self.after, self.label, *texts)
        self.split_up(0.0)

    def _names(
        self, shares: Sequence[Value], pieces: Sequence[str], places: Floats, region: Region
    ) -> dict[int, Words]:
        """Return the names of the largest pushes with their shares, for whoever looks at `near`."""
        view = WHOLE.into(self.near, region)
        seen = view.seen(in_space(places))[:, :2]
        lines = [*map(np.array, pairwise(seen)), seen[[0, -1]], seen[[1, -1]]]
        for ends in (seen[:2], seen[[0, -1]]):  # near the camera, heads are wide
            across = (
                np.array([[0, -1], [1, 0]]) @ (ends[1] - ends[0]) / np.hypot(*(ends[1] - ends[0]))
            )
            lines += [ends + side * view.zoom * TIP_WIDTH * across for side in (-0.5, 0.5)]
        ranked = sorted(range(len(shares)), key=lambda i: -abs(shares[i].number))
        ranked = [i for i in ranked if round(100 * shares[i].number)]
        ranked.sort(key=lambda i: i != self.favourite)
        names = {
            i: Words("{} {:.0%}", called(pieces[i]), shares[i], size=HEADING_SIZE, role=VALUE)
            for i in ranked[:NAMED]
        }
        pairs = [(seen[i + 1 : i + 3], name) for i, name in names.items()]
        found = set_beside(pairs, lines, region)
        self.without.move_to(found[0] if found else region.center, LEFT)
        region.hold(self.without)
        place_inside(VGroup(*found, self.without), self.near, region)
        return {i: name for i, name in names.items() if name in found}

    def _far(self, region: Region) -> dict[int, Words]:
        """Return twins of the names in a column beside the change, or above it if there is room."""
        size = WHOLE.into(self.near, region).zoom * self.size / HEADING_SIZE
        twins = {i: self.names[i].copy().scale(size) for i in sorted(self.names, reverse=True)}
        column = VGroup(*twins.values()).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        column.next_to(self.near, RIGHT, buff=0)
        if column.get_right()[0] > region.right:
            column.next_to(self.near, UP, buff=0)
        has_room = column.get_top()[1] <= region.top + HAIR
        region.hold(column)
        return twins if has_room else {}

    def swing(self, share: float) -> None:
        """Let the arrow point to where the word's ends (0), to where the change ends (1)."""
        self.after.point(self.origin, self.tip + share * self.vectors[1:].sum(axis=0))

    def split_up(self, share: float) -> None:
        """Let the change, cut into shares (0), become the pushes that add up to it (1)."""
        self._draw(self._split(share))

    def take_away(self, share: float) -> None:
        """Let a share of the favourite's push be missing, 0 to 1."""
        ends = self._split(1.0)
        ends[self.favourite + 1 :] -= share * self.vectors[self.favourite + 1]
        self._draw(ends)
        self.after.point(self.origin, ends[-1])

    def _split(self, share: float) -> Floats:
        """Return where the pushes begin and end, (sources + 1, 2)."""
        each = (1 - share) * self.along + share * self.vectors[1:]
        return np.vstack([self.tip, self.tip + np.cumsum(each, axis=0)])

    def _draw(self, ends: Floats) -> None:
        for step, (start, end) in zip(self.steps, pairwise(ends), strict=True):
            step.point(start, end, PART)


def _turned(arrows: Floats, rises: float) -> Floats:
    """Return arrows (n, 2), the first rising to the right, the others together to its left."""
    angle = rises - np.arctan2(arrows[0, 1], arrows[0, 0])
    turned = arrows @ rotation_matrix(angle, OUT)[:2, :2].T
    across = np.array([-np.sin(rises), np.cos(rises)])
    if float(turned[1:].sum(axis=0) @ across) < 0:
        turned = turned - 2 * np.outer(turned @ across, across)
    return np.asarray(turned)
