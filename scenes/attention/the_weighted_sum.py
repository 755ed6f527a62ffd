"""The film of the weighted sum: what a word takes from others bends its vector."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Bars
from scenes.mobjects.fit import text_size, to_scale
from scenes.mobjects.pattern import WeightArcs
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Formula, TokenText, Words
from scenes.mobjects.tokens import TokenRow
from scenes.mobjects.vector import Heat
from scenes.mobjects.weighted_sum import WeightedSum
from scenes.provenance import Tensor, count
from scenes.pushes import Pushes
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    OUTPUT,
    PLAIN_SIZE,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Then,
    TurnInto,
    Vary,
)

Floats = NDArray[np.float64]

PLANE = 0.62  # of the stage, for the arrows; the rest is for who gave how much
SIDE = 0.17  # of the stage's width, for a column of chips
UPWARD = np.radians(20)  # the way in which the vector points
MARGIN = 2 * GAP


class TheWeightedSum(Film):
    """The values are mixed by one row of weights, and the mixture moves the word's vector.

    One head is followed to its end; the layer adds what all of its heads find, and a bias.
    """

    title = "The weighted sum"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 69
    poster_beat = "the-arrow-bends"

    def observe(self) -> None:
        """Find the query to follow, its sources, and how far each of them pushes it."""
        where = self.layer, self.head
        self.pattern, self.v = self.tensor("pattern")[where], self.tensor("v")[where]
        self.asker = self.followed()
        self.sources = list(range(self.asker + 1))
        self.weights = [self.pattern[self.asker, source].value for source in self.sources]
        self.z, self.out = (self.tensor(name)[where][self.asker] for name in ("z", "head_out"))
        self.x = self.tensor("resid_pre")[self.layer, self.asker]
        self.lifting = self.tensor("weights.W_O")[where]
        ends, row = (self.x, self.out), self.pattern[self.asker]
        self.pushes = Pushes.of(ends, row, self.v, self.lifting, len(self.sources))
        self.favourite = int(row.array.argmax())

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its weights and its change are."""
        return {
            "asker": self.name_of(self.asker),
            "favourite": self.name_to(self.asker, self.favourite),
            "entries": str(len(self.z)),
            "width": str(len(self.out)),
            "most": f"{100 * self.weights[self.favourite].number:.0f} percent",
            "moved": f"{100 * self.pushes.ratio.number:.0f} percent",
            "given": f"{100 * self.pushes.shares[self.favourite].number:.0f} percent",
        }

    @beat(
        "Each word listens to others. | A band is as wide as its weight, "
        "| so what arrives at a word adds up to one. | Follow {asker}: it hears {favourite} most. "
        "| But what is it that flows?",
        alone="A word without others listens to itself. | A band is as wide as its weight, "
        "| so this one is as wide as can be. | Follow {asker}: it hears only itself. "
        "| But what is it that flows?",
    )
    def who_listens(self) -> Shown:
        arcs, followed = self.arcs, self.arcs.into(self.asker)
        rest = [band for band in arcs if band not in list(followed)]
        yield Appear(*self.givers.chips, *self.takers.chips), Appear(followed)
        yield Flow((Appear(band) for band in rest), gathering=True), Pulse(followed, run_time=SLOW)
        yield Flow(Pulse(chip, run_time=STEADY) for chip in self.takers.chips)
        yield Dim(*rest), Pulse(self.takers.chips[self.asker], followed, run_time=STEADY)
        yield Pulse(self.givers.chips[self.favourite], run_time=STEADY), Pulse(followed)

    @beat(
        "Each word offers a value: {entries} numbers. | The weight says how much gets through: "
        "| of {favourite}, {most}. | What is left stacks to one whole row, "
        "| and blends into what this head found, z."
    )
    def values_are_mixed(self) -> Shown:
        total = self.total
        yield (
            Disappear(self.arcs, *self.takers.chips, *self.givers.chips[self.asker + 1 :]),
            *(TurnInto(self.givers.chips[source], total.names[source]) for source in self.sources),
            Then(Appear(*total.weights, total.dots), Flow(map(Appear, total.rows))),
        )
        yield Vary(total.squeeze, 0, 1, run_time=SLOW), Pulse(*total.weights, run_time=SLOW)
        yield Pulse(total.weights[self.favourite], total.names[self.favourite], run_time=STEADY)
        yield Vary(total.stack, 0, 1, run_time=SLOW), Disappear(*total.names, *total.weights)
        yield Vary(total.blend, 0, 1, run_time=STEADY), Appear(total.sums), Appear(self.symbol)

    @beat(
        "But {entries} numbers can't be added to a vector of {width}. | So one more matrix, W O, "
        "| turns them into a change of full size."
    )
    def to_full_size(self) -> Shown:
        total, lift = self.total, self.lift
        yield (
            Disappear(total.sums, total.dots),
            TurnInto(self.symbol, lift.symbol),
            Flow(map(TurnInto, map(total.column, range(len(total.shown))), lift.found)),
        )
        yield Appear(lift.matrix, lift.label, run_time=STEADY), Pulse(lift.found)
        yield ComeFrom(lift.result, lift.matrix, 1.5 * SLOW, fit=False), Appear(lift.result_name)

    @beat(
        "Here is {asker} as it comes in: one arrow. | Value by value, the change flows in, "
        "| tip to tail, | and the arrow bends. | The change is {moved} as long as the arrow was."
    )
    def the_arrow_bends(self) -> Shown:
        bend, lift, last = self.bend, self.lift, len(self.sources)
        gone = (*lift.found, lift.symbol, lift.matrix, lift.label, lift.result)
        yield (
            Disappear(*gone),
            Then(Hold(), Draw(bend.before, run_time=SLOW)),
            TurnInto(lift.result_name, self.delta),
            Flow(map(Appear, [bend.label, *self.shares.names])),
        )
        yield (
            Appear(*bend.steps, bend.after, run_time=HAIR),
            Vary(bend.flow, 0, last, run_time=2 * SLOW),
            Flow((Pulse(name, run_time=STEADY) for name in self.shares.names), 2 * SLOW),
        )
        yield None
        yield Then(Vary(bend.flow, last, 0), Vary(bend.flow, 0, last)), Appear(bend.changed)
        yield Appear(self.ratio, self.note)

    @beat(
        "So what does {asker} carry now? | By this measure, {given} of the change "
        "| comes from {favourite}. | What later layers make of it would have to be tested: "
        "| take it away, | and see what the model says then."
    )
    def what_it_carries(self) -> Shown:
        shares, bend, best = self.shares, self.bend, self.favourite
        yield Then(Pulse(bend.label, run_time=STEADY), Pulse(bend.changed))
        yield Draw(shares.zero), Flow(Appear(bar) for bar in shares.shapes), Appear(self.heads)
        yield Flow(map(Appear, shares.numbers)), Pulse(shares.names[best])
        yield Then(
            Pulse(VGroup(shares.shapes[best], shares.numbers[best]), run_time=STEADY),
            Pulse(bend.steps[best], run_time=STEADY),
        )
        yield Vary(bend.take_away, 0, 1, run_time=STEADY)
        yield Vary(bend.take_away, 1, 0, run_time=STEADY)

    def cast(self) -> None:
        """Make the bands, the weighted values, the lift, the arrows and the shares."""
        stage, many = self.under_title, len(self.tokens)
        gap = HAIR * min(1.0, 8 / many)
        left, rest = stage.columns(SIDE)
        right = rest.columns(1 - SIDE / (1 - SIDE))[1]
        self.givers = TokenRow(self.tokens, left, lines=many, largest=TITLE_SIZE, gap=gap)
        self.takers = TokenRow(self.tokens, right, lines=many, largest=TITLE_SIZE, gap=gap)
        for giver, taker in zip(self.givers.chips, self.takers.chips, strict=True):
            giver.align_to((left.right, 0, 0), RIGHT)
            taker.align_to((right.left, 0, 0), LEFT)
        self.arcs = WeightArcs(self.pattern.double, self.givers.chips, self.takers.chips)
        pieces = [self.tokens[source] for source in self.sources]
        self.total = WeightedSum(self.weights, self.v, self.z, pieces, stage)
        self.symbol = Formula("$value(z)$", TITLE_SIZE)
        self.symbol.next_to(self.total.rows[0], LEFT, buff=GAP)
        self.symbol.set_y(self.total.middle)
        self.lift = Lift(self.total, self.lifting, self.out, stage)
        plane, beside = stage.parts(PLANE)
        beside = beside.apart(plane, GAP)
        plot = self.pushes.plane()
        arrows = np.array([plot.projected(each) for each in (self.x, *self.pushes.each)])
        self.bend = Bend(arrows, self.tokens[self.asker], self.favourite, plane)
        size = text_size(pieces, beside.width / 3)
        names = [TokenText(piece, size, VALUE) for piece in pieces]
        self.shares = Bars(self.pushes.shares, beside.lowered(2 * GAP), names, across=True)
        self.heads = Words("share of the change", size=PLAIN_SIZE, role=QUIET)
        self.heads.move_to((beside.center[0], beside.top, 0), UP)
        self.delta = Formula("$output(Delta)$", TITLE_SIZE)
        self.delta.move_to((plane.left, plane.top, 0), LEFT + UP)
        self.ratio = Words("{:.0%} of its length", self.pushes.ratio, size=SPOKEN_SIZE)
        self.ratio.next_to(self.delta, RIGHT, buff=GAP)
        text = "this plane keeps {:.1%} of the squared lengths"
        self.note = Words(text, plot.share, size=PLAIN_SIZE, role=QUIET)
        plane.fit_width(self.note)
        self.note.move_to((plane.left, plane.bottom, 0), LEFT + DOWN)
        self.stand(self.arcs, self.givers, self.takers, self.total, self.symbol)
        self.stand(self.lift, self.bend, self.note, self.shares, self.heads, self.delta, self.ratio)


class Lift(VGroup):
    """What a head found, its part of W_O in true proportions, and the change that comes out."""

    def __init__(self, found: WeightedSum, matrix: Tensor, change: Tensor, region: Region) -> None:
        rows, columns = matrix.shape
        room = Region(region.left + 4 * GAP, region.right, region.bottom, region.top)
        high, wide = to_scale((rows, columns), room.width)
        high = min(high, room.height / 2)
        self.matrix = Heat(matrix.array, (wide, high))
        self.matrix.move_to((room.center[0], room.center[1] + GAP, 0))
        step = high / len(found.shown)
        self.found = VGroup(*(Rectangle(width=2 * GAP, height=step) for _ in found.shown))
        self.found.arrange(DOWN, buff=0).next_to(self.matrix, LEFT, buff=GAP)
        for cell, number in zip(self.found, found.total, strict=True):
            color, opacity = found.look(float(number))
            cell.set_stroke(width=0).set_fill(color, opacity)
        self.symbol = Formula("$value(z)$", TITLE_SIZE).next_to(self.found, UP, buff=GAP)
        self.result = Heat(change.array[None], (wide, 2 * GAP), OUTPUT)
        self.result.next_to(self.matrix, DOWN, buff=2 * GAP)
        sides = [count(side, "a side of the head's part of W_O") for side in matrix.shape]
        size = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=SPOKEN_SIZE)
        self.label = VGroup(Formula("$output(W_O)$", TITLE_SIZE), size).arrange(RIGHT, buff=GAP)
        self.label.next_to(self.matrix, UP, buff=GAP)
        self.result_name = Formula("$output(Delta)$", TITLE_SIZE)
        self.result_name.next_to(self.result, DOWN, buff=GAP)
        super().__init__(self.matrix, self.found, self.symbol, self.result, self.label)
        self.add(self.result_name)


class Bend(VGroup):
    """A vector's arrow, pushes from its tip on, and the arrow to where they end.

    `arrows` (1 + pushes, 2) are the vector and the pushes as a plane sees them; it is turned so
    that the vector points to the right and up, and bends to the left.
    """

    def __init__(self, arrows: Floats, piece: str, favourite: int, region: Region) -> None:
        self.favourite, self.kept = favourite, np.ones(len(arrows) - 1)
        turned = _turned(arrows)
        tips = np.cumsum(turned, axis=0)
        points = np.vstack([np.zeros(2), tips])
        span = np.maximum(np.ptp(points, axis=0), 1e-6)
        free = np.array([region.width, region.height]) - 2 * MARGIN
        unit = float((free / span).min())
        self.vectors = unit * turned
        middle = unit * (points.min(axis=0) + points.max(axis=0)) / 2
        self.origin = region.center[:2] - middle
        self.before, self.after = Arrow(theme.color(INK)), Arrow(theme.color(OUTPUT))
        self.steps = [Arrow(theme.color(VALUE)) for _ in arrows[1:]]
        self.label = TokenText(piece, SPOKEN_SIZE)
        way = turned[0] / (np.hypot(*turned[0]) or 1.0)
        low = np.array([way[1], -way[0]]) * (self.label.width / 2 * abs(way[1]) + 2 * GAP)
        self.label.move_to((*(self.origin + self.vectors[0] / 2 + low), 0.0))
        lengths = np.hypot(*self.vectors.T)
        if lengths[1:].sum() > lengths[0]:  # pushes that go so far may cross the middle
            self.label.move_to((region.right, region.bottom, 0), RIGHT + DOWN)
        self.changed = Words("after this head", size=SPOKEN_SIZE, role=OUTPUT)
        high = np.array([-way[1], way[0]]) * (self.changed.width / 2 * abs(way[1]) + 4 * GAP)
        self.changed.move_to((*(self.origin + self.vectors.sum(axis=0) / 2 + high), 0.0))
        region.hold(self.changed)
        super().__init__(self.before, *self.steps, self.after, self.label, self.changed)
        self.flow(len(self.steps))

    def flow(self, pushes: float) -> None:
        """Let so many pushes follow one another, the last of them in part."""
        self.kept = np.clip(pushes - np.arange(len(self.steps)), 0.0, 1.0)
        self._draw()

    def take_away(self, share: float) -> None:
        """Let a share of the favourite's push be missing, 0 to 1."""
        self.kept = np.ones(len(self.steps))
        self.kept[self.favourite] = 1.0 - share
        self._draw()

    def _draw(self) -> None:
        at = self.origin + self.vectors[0]
        self.before.point(self.origin, at)
        for step, vector, kept in zip(self.steps, self.vectors[1:], self.kept, strict=True):
            step.point(at, at + kept * vector)
            at = at + kept * vector
        self.after.point(self.origin, at)


def _turned(arrows: Floats) -> Floats:
    """Return arrows (n, 2), the first pointing along UPWARD, the others together to its left."""
    angle = UPWARD - np.arctan2(arrows[0, 1], arrows[0, 0])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turned = arrows @ turn
    way = np.array([np.cos(UPWARD), np.sin(UPWARD)])
    across = np.array([-way[1], way[0]])
    if float(turned[1:].sum(axis=0) @ across) < 0:
        turned = turned - 2 * np.outer(turned @ across, across)
    return np.asarray(turned)
