"""The film of the weighted sum: what a word takes from others bends its vector."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, OUT, RIGHT
from manim.utils.rate_functions import linear
from manim.utils.space_ops import rotation_matrix
from numpy.typing import NDArray

from scenes import theme, verbs
from scenes.analysis.directions import plane_of
from scenes.analysis.source_contributions import Pushes
from scenes.camera import WHOLE, place_inside
from scenes.figures.chain_table import ChainTable, own_rows
from scenes.figures.weighted_sum import THICK, Lift, WeightedSum
from scenes.film import Film, Shown, beat
from scenes.mobjects.outlines import in_space
from scenes.mobjects.pattern import WeightArcs
from scenes.mobjects.space import Arrow, name_beside
from scenes.mobjects.text import Formula, Number, Words, em_of, label_of
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.provenance import count, matmul, scaled
from scenes.provenance import total as sum_of
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, OUT_OF_FOCUS, QUICK, SLOW, SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import Appear, Dim, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary

SEEN = 0.005  # of a chain's way: what goes farther back is written with a minus
SLIGHTLY = 1.06  # times as large, what swells where there is little room


class TheWeightedSum(Film):
    """One head mixes values by one row of weights, and the mixture moves the word's vector."""

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
        self.ranked = np.argsort(-self.pattern[self.asker].array[: self.asker + 1]).tolist()
        self.favourite = self.ranked[0]
        self.z, out = (self.tensor(name)[where][self.asker] for name in ("z", "head_out"))
        self.need_changes(out)
        self.lifting = self.tensor("weights.W_O")[where]
        lifted = (matmul(self.v[source], self.lifting) for source in self.sources)
        each = tuple(scaled(*pair) for pair in zip(self.weights, lifted, strict=True))
        self.pushes = Pushes(self.tensor("resid_pre")[self.layer, self.asker], out, each)

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its weights and its change are."""
        return {
            "asker": self.name_of(self.asker),
            "favourite": self.name_to(self.asker, self.favourite),
            "resting": self.resting(self.asker, self.ranked),
            "entries": str(len(self.z)),
            "width": str(len(self.pushes.change)),
            "most": f"{100 * self.weights[self.favourite].number:.0f} percent",
            "moved": f"{100 * self.pushes.ratio.number:.0f} percent",
            "back": "; minus means back" * self._has_backward(),
            "given": f"{100 * self.pushes.shares[self.favourite].number:.0f} percent",
        }

    def _has_backward(self) -> bool:
        """Say whether an arrow that is told, or all others together, go back."""
        shares = [each.number for each in self.pushes.shares]
        told = [shares[i] for i in own_rows(self.pushes.shares, self.favourite)]
        return min(*told, sum(shares) - sum(told)) < -SEEN

    @beat(
        "How does {asker} take in what others say? | A band is as wide as its weight: "
        "| {favourite} is heard most{resting}. | Together they add up to one. | But what flows?",
        alone="How does {asker} take in what is said? | A band is as wide as its weight: "
        "| it hears only itself, | and one is all there is. | But what is it that flows?",
    )
    def who_listens(self) -> Shown:
        arcs, givers, best, weights = self.arcs, self.givers, self.favourite, self.total.weights
        others = [band for band in arcs if band not in arcs.out_of(best).submobjects]
        shown = Appear(*givers, self.taker, self.whole, arcs, scale=1)
        yield shown, Vary(arcs.pour, 0, 1, run_time=SLOW)
        yield Flow(map(Appear, weights), STEADY)
        told = Pulse(givers[best], weights[best], scale=SLIGHTLY, run_time=STEADY)
        again = [Hold(STEADY), Pulse(weights[best])] * bool(self.resting(self.asker, self.ranked))
        yield Dim(*others), Then(told, *again)
        full = verbs.Recolor(self.whole, role=theme.VALUE, opacity=theme.FAINTEST_FILL)
        counted = Then(Hold(), Together(Appear(self.one), full), Pulse(self.one, self.whole))
        yield verbs.Undim(*others), Flow(map(Pulse, weights), STEADY), counted
        flows = Flow(Pulse(arcs.out_of(giver), scale=SLIGHTLY) for giver in self.sources)
        yield Then(flows, Pulse(self.taker, self.whole, scale=SLIGHTLY))

    @beat(
        "From each word, a value: {entries} numbers. | Its weight says how much of that counts: "
        "| of {favourite}, {most}."
    )
    def values_are_weighed(self) -> Shown:
        total, chips = self.total, self.givers
        values = Together(Flow(map(Appear, row), STEADY) for row in total.rows)
        opened = Together(map(verbs.Become, self.arcs, self.opened))
        whole = Vary(total.squeeze, 1, 0), Appear(total.dots), Disappear(self.arcs)
        left = Disappear(self.taker, self.whole, self.one), *map(verbs.Become, self.arcs, self.bars)
        full = Together(*whole, Appear(self.entries))
        yield Then(Together(*left), Together(opened, values), full)
        yield Vary(total.squeeze, 0, 1, run_time=SLOW), Flow(map(Pulse, total.weights))
        yield Pulse(total.weights[self.favourite], chips[self.favourite], run_time=STEADY)

    @beat(
        "What each keeps stacks to one whole row. "
        "| Add up every column, and one vector holds them all: z, what the head found."
    )
    def values_are_mixed(self) -> Shown:
        total, chips = self.total, self.givers
        stays = verbs.MoveTo(chips[-1], total.whole_place(chips[-1].width), run_time=SLOW)
        gone = *chips[:-1], *total.weights, *total.dots[1:], self.entries
        yield Vary(total.stack, 0, 1, run_time=SLOW), stays, Disappear(*gone)
        blend = Vary(total.blend, 0, 1, 1.5 * SLOW, linear)
        alone = Flow(Pulse(cell, scale=SLIGHTLY) for cell in total.rows[0])
        added = blend if len(self.sources) > 1 else alone
        sums = Flow(Appear(each, run_time=STEADY) for each in total.sums)
        named = Appear(self.symbol), Pulse(self.symbol, chips[-1], scale=SLIGHTLY)
        yield Then(Together(added, sums), *named)

    @beat(
        "These {entries} numbers can't be added to {asker}'s {width}. "
        "| So z meets one more learned matrix, W O: | each of its {width} columns makes a number, "
        "| together the change, Delta."
    )
    def to_full_size(self) -> Shown:
        total, lift = self.total, self.lift
        columns, dots = map(total.column, range(len(total.shown))), lift.found[len(total.shown) :]
        named = verbs.MoveTo(self.symbol, lift.symbol_place)
        came = named, *map(verbs.TurnInto, columns, lift.found)
        lengths = Flow(map(Appear, (*dots, *lift.long)))
        shown = Together(Appear(lift.own.cells, lift.own.dots), lengths)
        alone = Then(Dim(*lift.alone), verbs.Undim(*lift.alone))
        left = Disappear(total.sums, total.dots), verbs.TurnInto(self.givers[-1], self.chip, QUICK)
        yield *left, Then(Hold(), Together(*came), shown, alone)
        stand = verbs.Become(lift.found, lift.upright), verbs.MoveTo(self.symbol, lift.over_column)
        come = Appear(lift.matrix, run_time=STEADY), Appear(lift.label, run_time=STEADY)
        own = lift.own.cells, lift.own.dots, self.chip, lift.long[1]
        across = *lift.weights[:-1], lift.gap, lift.weights[-1]
        weights = Flow((Appear(each, scale=1.0) for each in across), STEADY)
        stood = Then(Hold(QUICK), Together(*stand), *come, weights)
        yield Disappear(lift.long[0]), Dim(*own), stood
        pairs = zip(lift.weights, lift.change.cells, strict=True)
        out = (Together(Pulse(x), verbs.ComeFrom(y, x.get_bottom(), fit=False)) for x, y in pairs)
        met = Pulse(lift.found, scale=SLIGHTLY)
        yield Then(met, Flow(out, 2 * SLOW), Appear(lift.change.dots))
        yield Then(Appear(self.sign), verbs.Undim(*own), Pulse(self.sign))

    @beat(
        "Both are arrows: {asker} as it came in, | and the change, at its tip. "
        "| Why add it? Adding replaces nothing: the old arrow is part of the new. "
        "| The change is {moved} as long as the old one."
    )
    def the_arrow_bends(self) -> Shown:
        bend, own, change = self.bend, self.lift.own, self.lift.change
        moved = verbs.MoveTo(self.chip, bend.own_place, run_time=HAIR)
        yield (
            Disappear(self.lift.long[1], self.sign, self.symbol, *self.lift.given),
            Fade(own.head, change.head, to=1),
            Vary(own.straighten, 0, 1, run_time=SLOW),
            Vary(change.straighten, 0, 1, run_time=SLOW),
            Then(Disappear(self.chip), moved, Hold(), Appear(self.chip, self.delta)),
        )
        yield Then(Pulse(self.chip), Pulse(self.delta))
        bent = Fade(bend.after, to=1, run_time=HAIR), Vary(bend.swing, 0, 1, run_time=SLOW)
        yield *bent, Dim(own.cells, own.head), Appear(bend.label)
        yield Then(Appear(self.ratio, run_time=STEADY), Pulse(self.delta, self.ratio))

    @beat(
        "Who bends it? | The change is a chain: one arrow from each word. "
        "| {favourite} goes {given} of the way{back}. "
        "| So a word takes in what others say: | their values, weighed, bend its arrow."
    )
    def what_it_carries(self) -> Shown:
        bend, own, change = self.bend, self.lift.own, self.lift.change
        table, steps, (shares,) = bend.table, bend.steps, bend.table.columns
        away = own.cells, own.head, bend.after, bend.label, self.chip, self.delta, self.ratio
        near = Together(Disappear(*away), self.zoom_into(bend.near, run_time=STEADY))
        yield Then(Pulse(self.delta), near)
        split = Together(Disappear(change.cells, change.head), Fade(*steps, to=1))
        called = (
            Together(Pulse(steps[arrow]), Appear(*each))
            for arrow, *each in zip(table.arrows, table.leads, table.names, strict=False)
        )
        yield Then(split, Vary(bend.split_up, 0, 1), Flow(called, STEADY), Appear(*table.names))
        best = table.arrows.index(self.favourite)
        others = (Appear(share) for share in shares if share is not shares[best])
        first = Appear(shares[best], *table.heads), Pulse(*table.rows[best], steps[self.favourite])
        yield Then(*first, Flow(others, STEADY), Pulse(shares[best]))
        left = Disappear(*chain(*table.rows, table.leads, table.heads))
        dim = Fade(own.cells, own.head, to=OUT_OF_FOCUS)
        seen = dim, Fade(bend.after, bend.label, to=1), Appear(self.chip), self.pull_back(STEADY)
        yield left, *seen, Vary(bend.thicken, 0, 1, STEADY), Then(Hold(), Appear(bend.kept))
        yield Then(Pulse(bend.kept, run_time=STEADY), Pulse(bend.label))

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
        length = count(len(self.z), "entries of a value")
        self.entries = Words("{} numbers", length, size=SPOKEN_SIZE)
        over = self.total.middles[0] + self.total.height_of_one / 2 + HAIR
        self.entries.move_to((stage.right, over, 0), RIGHT + DOWN)
        self.symbol = Formula("$value(z)$", TITLE_SIZE)
        self.symbol.next_to(self.total.rows[0], LEFT, buff=GAP).set_y(self.total.middle)
        self.delta = Formula("$output(Delta)$", TITLE_SIZE)
        self.sign = Formula("$output(Delta)$", TITLE_SIZE)  # of the change as numbers
        size, large = (SPOKEN_SIZE,) * 2 if stage.is_narrow else (TITLE_SIZE, theme.HEADING_SIZE)
        self.ratio = Words("{:.0%} as long", self.pushes.ratio, size=size, role=theme.OUTPUT)
        self.lift = Lift(self.total, self.z, self.lifting, self.pushes, stage)
        self.chip = Chip(pieces[-1], size).move_to(self.lift.chip_place, LEFT)
        told = VGroup(self.delta, self.ratio).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        both, best, shares = (self.chip, told), self.favourite, {"of the way": self.pushes.shares}
        table = ChainTable([label_of(piece) for piece in pieces], shares, first=best, size=large)
        self.bend = Bend(self.pushes, self.lift, both, table, stage)
        told.move_to(self.bend.change_place)
        self.sign.move_to(self.lift.symbol_place)
        self.stand(self.arcs, self.whole, self.one, self.taker, *self.givers)
        self.stand(self.total, self.entries, self.symbol, self.lift, self.bend)
        self.stand(self.chip, self.delta, self.sign, self.ratio)

    def _make_bands(self) -> None:
        """Make the bands from the words to a box of the asker's; as high as it is a weight of 1."""
        total, stage = self.total, self.stage
        self.taker = Chip(self.tokens[self.asker], TITLE_SIZE)
        self.taker.move_to((stage.right, total.middle, 0), RIGHT)
        self.whole = Rectangle(
            width=THICK, height=total.height_of_one, stroke_width=theme.BOLD_LINE
        )
        self.whole.set_stroke(theme.color(theme.VALUE)).next_to(self.taker, LEFT, buff=GAP)
        self.one = Number(sum_of(self.pattern[self.asker]), 2, TITLE_SIZE)
        self.one.next_to(self.whole, DOWN, buff=GAP)
        heard = self.pattern.double[self.asker : self.asker + 1, : len(self.givers)]
        starts = [Rectangle().move_to((total.left, middle, 0), RIGHT) for middle in total.middles]
        self.arcs = WeightArcs(heard, starts, [self.whole], edge=total.height_of_one)
        total.squeeze(1)
        rows = [total.rows[source] for _, source in self.arcs.places]
        self.bars, self.opened = (self.arcs.lying_on(rows, whole=each) for each in (True, False))


Floats = NDArray[np.float64]

NAMES = 0.17  # of the stage, for words that are heard
NEAREST = 3.5  # times as near, at most, that heads of arrows stay smaller than what they end
LONG = ((0, 1), -1), ((1, -1), -1), ((0, -1), 1)  # the ends of long arrows, their names' sides
PART, THICKER = 0.85, 2.0  # times as thick as others, an arrow of a part; as seen from near
UPWARD = 0.72  # of the angle of the stage's diagonal, that at which the vector rises


class Bend(VGroup):
    """A word's arrow, the change at its tip, and the arrow to where it ends; and the parts of it.

    The `own` vector and the `change` of a lift become the first two. `steps` are what each source
    gives, tip to tail; `after`, called `label`, leads to their end. The `table` is set for whoever
    looks at `near`, the steps alone; `kept`, the longest one's name, for who looks from afar. All
    is seen in the plane of the two, in which both are as long as they are told; the word's arrow
    points to the right and up, and bends to the left.
    """

    def __init__(
        self,
        pushes: Pushes,
        lift: Lift,
        names: tuple[VMobject, VMobject],
        table: ChainTable,
        region: Region,
    ) -> None:
        self.table = table
        plane = plane_of(pushes.vector.double, pushes.change.double)
        arrows = np.array([each.double @ plane for each in (pushes.vector, *pushes.each)])
        upward = rotation_matrix(UPWARD * np.arctan2(region.height, region.width), OUT)
        turned = arrows @ upward[:2, :2].T
        points = np.vstack([np.zeros(2), np.cumsum(turned, axis=0)])
        room = region.inset(3 * GAP).narrowed(0, (not region.is_narrow) * names[1].width)
        if region.is_narrow:  # all names but one stand above
            room = room.lowered(2 * em_of(SPOKEN_SIZE))
        span = np.maximum(np.ptp(points, axis=0), 1e-6)
        unit = float((np.array([room.width, room.height]) / span).min())
        self.vectors = unit * turned
        shares = [share.number for share in pushes.shares]
        self.along = np.outer(shares, self.vectors[1:].sum(axis=0))
        self.origin = room.center[:2] - unit * (points.min(axis=0) + points.max(axis=0)) / 2
        places = self.origin + unit * points
        self.tip = places[1]
        lift.own.aim(*in_space(places[:2]))
        lift.change.aim(*in_space(places[[1, -1]]))
        self.size = SPOKEN_SIZE if region.is_narrow else TITLE_SIZE
        self.after, self.label = Arrow(theme.color(INK)), Words("after this head", size=self.size)
        self.steps = [Arrow(theme.color(theme.VALUE)) for _ in pushes.each]
        lines = [*map(np.array, pairwise(places)), places[[0, -1]]]
        free, called = region.lowered(3 * GAP).raised(2 * GAP), (*names, self.label)
        self.own_place, self.change_place, label = (
            name_beside(places[list(ends)], name, side, lines, free)
            for (ends, side), name in zip(LONG, called, strict=True)
        )
        self.label.move_to(label)
        self.near = table.frame(places[1:], region, NEAREST)
        self.thin = min(1.0, THICKER / WHOLE.into(self.near, region).zoom)
        self._set_texts(places, region)
        super().__init__(*self.steps, self.after, self.label, table, self.kept)
        self.split_up(0.0)

    def _set_texts(self, places: Floats, region: Region) -> None:
        """Set what is read by who is `near`, the table, and what is read from afar."""
        table = self.table
        seen = WHOLE.into(self.near, region).seen(in_space(places[1:]))[:, :2]
        table.stand_by(seen, region)
        arrow = table.arrows[table.longest]
        beside = float(places[1:, 0].max()) + GAP, float(places[arrow + 1 : arrow + 3, 1].mean())
        self.kept = table.told(table.longest).move_to((*beside, 0), LEFT)
        if self.kept.get_right()[0] > region.right:
            self.kept.move_to(self.change_place)
            if not region.is_narrow:
                self.kept.scale(min(1.0, (region.right - beside[0]) / self.kept.width))
                self.kept.align_to((beside[0], 0, 0), LEFT)
        region.hold(self.kept)
        place_inside(table, self.near, region)

    def swing(self, share: float) -> None:
        """Let the arrow point to where the word's ends (0), to where the change ends (1)."""
        self._point(self.tip + share * self.vectors[1:].sum(axis=0))

    def split_up(self, share: float) -> None:
        """Let the change, cut into shares (0), become the pushes that add up to it (1)."""
        self._draw(self._split(share), self.thin)

    def thicken(self, share: float) -> None:
        """Let the pushes become as thick as one sees them from near (0), or from afar (1)."""
        self._draw(self._split(1.0), self.thin ** (1 - share))

    def _point(self, end: Floats) -> None:
        """Let the new arrow end there."""
        self.after.point(self.origin, end)

    def _split(self, share: float) -> Floats:
        """Return where the pushes begin and end, (sources + 1, 2)."""
        each = (1 - share) * self.along + share * self.vectors[1:]
        return np.vstack([self.tip, self.tip + np.cumsum(each, axis=0)])

    def _draw(self, ends: Floats, growth: float) -> None:
        for step, (start, end) in zip(self.steps, pairwise(ends), strict=True):
            step.point(start, end, PART * growth)
