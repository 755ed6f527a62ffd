"""A head goes down to few numbers and up again, and its rows of W_O say where it writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from manim import Polygon, Rectangle, Square, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.analysis.principal_plane import seen_in_three
from scenes.camera import WHOLE, box_of, pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.cloud import LOW, Cloud
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Heat
from scenes.provenance import constant, count, entry_count, matmul, scaled, stacked
from scenes.region import Region
from scenes.theme import GAP, HAIR, HEADING_SIZE, OUTPUT, QUICK, QUIET, REST, SLOW, STEADY, VALUE
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Count,
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Recolor,
    Shift,
    Then,
    Together,
    TurnInto,
    Vary,
    Visit,
)


class DownAndUpAgain(Film):
    """A head pushes in few directions, and its own rows of W_O say where it writes."""

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 65
    poster_beat = "a-way-up-for-each"

    def observe(self) -> None:
        """Find the head's matrices, in how many directions it can push, and what is written."""
        where = self.layer, self.head
        self.token = self.followed()
        self.down, self.up = (self.tensor(f"weights.W_{name}")[where] for name in "VO")
        self.ups = self.tensor("weights.W_O")[self.layer]
        self.map = matmul(self.down, self.up)
        self.rank = int(np.linalg.matrix_rank(self.map.array))
        self.vector = self.tensor("resid_pre")[self.layer, self.token]
        self.changed = self.tensor("resid_mid")[self.layer, self.token]
        self.found = [z[self.token] for z in self.tensor("z")[self.layer]]
        self.written = [out[self.token] for out in self.tensor("head_out")[self.layer]]
        self.value = self.tensor("v")[self.layer, self.head, self.token]
        stacks = (np.concatenate(list(self.ups.array[: k + 1])) for k in range(len(self.ups)))
        self.ranks = [int(np.linalg.matrix_rank(each)) for each in stacks]
        self.reach = self.ranks[-1]

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the head can push in all directions, and whether there is one head only."""
        everywhere = self.rank == len(self.map)
        return {**super().circumstances(), "everywhere": everywhere, "single": len(self.ups) == 1}

    def words(self) -> Mapping[str, str]:
        """Give the sizes of this checkpoint and the name of the token that is followed."""
        wide, thin = self.down.shape
        return {
            "token": self.name_of(self.token),
            "wide": str(wide),
            "thin": str(thin),
            "rank": str(self.rank),
            "reach": f"all {wide}" if self.reach == wide else str(self.reach),
            "square": f"{wide**2:,}",
            "share": f"{200 * thin / wide:.0f}",
        }

    def cast(self) -> None:
        """Make what was found beside the token's vector, the maps, the cloud and all ways up."""
        self.lengths = Lengths(self)
        self.maps = Maps(self)
        words = self.tensor("weights.W_E").double
        words = words[:: max(1, len(words) // MANY)]
        sizes = [count(number, "directions") for number in (SEEN, len(self.map), self.rank)]
        told = Words("words, seen in {} of {} directions", *sizes[:2], role=QUIET)
        self.cloud = Cloud(*seen_in_three(words, self.map.double), told, self.stage.raised(4 * GAP))
        self.rank_told = Number(sizes[2], 0, HEADING_SIZE)
        of = Words("of {} directions", sizes[1], size=HEADING_SIZE).next_to(self.rank_told, RIGHT)
        of.shift((self.rank_told.baseline - of.baseline) * UP)
        self.directions = VGroup(self.rank_told, of)
        self.stage.set_at_foot(self.directions, 4 * GAP)
        pin(self.directions)
        self.all = WaysUp(self)
        self.stand(self.maps, self.lengths, self.cloud, self.directions, self.all)

    @beat(
        "Who decides where a head writes? | It has found {thin} numbers for {token}, | "
        "but the vector of {token} has {wide}."
    )
    def who_decides(self) -> Shown:
        lengths = self.lengths
        free = (lengths.vector.width - lengths.found.width) * RIGHT
        run = Then(Shift(lengths.found, by=free), Shift(lengths.found, by=-free))
        yield Then(Appear(lengths.found, lengths.vector, lengths.chip), run)
        yield Then(Appear(lengths.found_name), Pulse(lengths.found, scale=SLIGHTLY))
        hops = max(1, round(free[0] / lengths.found.width))
        along = (Shift(lengths.found, by=free / hops, run_time=QUICK) for _ in range(hops))
        yield Appear(lengths.vector_name), Disappear(lengths.found_name), Then(*along)

    @beat(
        "Why not write freely? That would take a square of weights, | "
        "from every number to every number: | "
        "{square} for one head. | In GPT-3, over 150 million."
    )
    def a_square_of_weights(self) -> Shown:
        lengths, maps = self.lengths, self.maps
        gone = Disappear(lengths.found, lengths.vector_name, lengths.chip)
        up = Shift(lengths.vector, by=maps.high - lengths.vector.get_center())
        far = Together(self.travel_to(maps.seen_small), Draw(maps.small, run_time=SLOW))
        yield Then(Together(gone, up), far)
        yield Then(Appear(maps.told[0], run_time=REST), maps.fill(lengths.vector))
        yield Pulse(maps.told[0], run_time=SLOW)
        gone, ours = Disappear(maps.told[0], lengths.vector, run_time=REST), Appear(maps.ours)
        farther = Appear(maps.large, scale=1.0), self.travel_to(maps.seen_large)
        yield gone, *farther, Then(Hold(), Appear(maps.told[1])), Then(Hold(STEADY), ours)

    @beat(
        "So a head goes down to {thin} numbers, | and up again to {wide}: | "
        "with {share} percent of the weights here, | and 2 percent in GPT-3."
    )
    def down_and_up(self) -> Shown:
        maps, vector = self.maps, self.lengths.vector
        left = Disappear(maps.large, maps.ours, maps.told[1], run_time=REST), Appear(vector)
        near = Then(self.pull_back(STEADY), Disappear(maps.small, maps.full, run_time=REST))
        goes = Then(Appear(maps.going, run_time=SOON), TurnInto(maps.going, maps.value))
        down = Appear(maps.narrowing, maps.names[0]), goes, Then(Hold(STEADY), Appear(maps.size))
        yield Then(Together(*left), near, Together(*down))
        rises = Then(Appear(maps.rising, run_time=SOON), TurnInto(maps.rising, maps.pushed))
        yield Appear(maps.widening, maps.names[1]), rises
        gone = Disappear(vector, maps.value, maps.pushed, maps.size, *maps.names, run_time=REST)
        bars = TurnInto(maps.narrowing, maps.down), TurnInto(maps.widening, maps.up)
        square = Appear(maps.small, scale=1.0), Fade(maps.full, to=theme.OUT_OF_FOCUS)
        farther = Together(gone, self.travel_to(maps.seen_small, STEADY), *bars)
        yield Then(farther, Together(*square, Then(Hold(), Appear(maps.told[2]))))
        far = self.travel_to(maps.seen_large), Appear(maps.large, *maps.bars, scale=1.0)
        yield *far, Disappear(maps.told[2], run_time=REST), Then(Hold(), Appear(maps.told[3]))

    @beat(
        "That has a price. | Feed it any words, | turn them as you like: | "
        "all that comes out is flat, | {rank} directions of {wide}.",
        everywhere="Here that costs nothing. | Feed it any words, | turn them as you like: | "
        "what comes out is never flat, | it has all {wide} directions.",
    )
    def the_price(self) -> Shown:
        maps, cloud = self.maps, self.cloud
        squashed = 0.0 if self.circumstances()["everywhere"] else 1.0
        left = Disappear(maps.large, *maps.bars, maps.told[3], run_time=REST)
        ours = Disappear(maps.full, maps.small, maps.down, maps.up)
        came = Appear(cloud.ground, cloud.told)
        yield Then(left, self.pull_back(STEADY), Together(ours, came))
        yield Flow([Appear(cloud.dots), Vary(cloud.look, 0, 30, run_time=SLOW)])
        yield Vary(cloud.look, 30, 90, run_time=SLOW)
        flat = Vary(cloud.squash, 0, squashed, run_time=SLOW), Vary(cloud.tilt, LOW, EDGE)
        yield Recolor(cloud.dots, role=OUTPUT), Then(*flat)
        yield Appear(self.directions), Vary(cloud.tilt, EDGE, HIGH, run_time=SLOW)

    @beat(
        "Every head has a way up of its own, | {thin} rows. | "
        "Stacked, they are one matrix, W O: | together they reach {reach} directions.",
        single="This layer has one head only, | with {thin} rows: | they are its matrix, W O, | "
        "and reach {reach} directions.",
    )
    def a_way_up_for_each(self) -> Shown:
        ways, cloud = self.all, self.cloud
        edge = Together(Vary(cloud.tilt, HIGH, 0.0), Disappear(cloud.told))
        line = Then(Hold(), Disappear(cloud.dots, cloud.ground))
        rows = Flow(ComeFrom(row, cloud.ground, QUICK, fit=False) for row in ways.own.rows)
        others = Flow(Appear(up) for up in ways.ups if up is not ways.own)
        back = Together(self.travel_to(ways.far, STEADY), others)
        rising = Together(line, rows, Appear(ways.own.outline))
        yield Then(edge, rising, back, Appear(ways.ring, ways.ours))
        yield Pulse(ways.own, ways.ring, scale=SLIGHTLY)
        shifts = [Shift(up, by=by) for up, by in zip(ways.ups, ways.closing, strict=True)]
        closer = self.travel_to(ways.near, STEADY), Then(Hold(STEADY), Appear(ways.symbol))
        yield Disappear(ways.ring, ways.ours), *shifts, *closer
        step = SLOW / len(self.ranks)
        told = (count(rank, "directions that these heads reach") for rank in self.ranks)
        counting = Then(Count(self.rank_told, value, step) for value in told)
        yield Visit(ways.ring, ways.first, SLOW), counting

    @beat(
        "So who decides where {token}'s numbers go? | Each head's own rows: | "
        "every number found weighs its row, | added up, the rows are what it writes. | "
        "The other heads write the same way, | and {token} is changed.",
        single="So who decides where {token}'s numbers go? | The head's own rows: | "
        "every number found weighs its row, | added up, the rows are what it writes, | "
        "into all of {token}'s numbers: | and {token} is changed.",
    )
    def own_rows(self) -> Shown:
        ways, lying, own = self.all, self.all.lying, self.all.own
        others = [up for up in ways.ups if up is not own]
        left = Disappear(ways.symbol, ways.ring, self.directions, *others)
        asked = Then(Hold(STEADY), Appear(ways.before, lying, self.lengths.chip))
        free = (ways.before.width - lying.width) * RIGHT
        home = Shift(own, by=-ways.closing[self.head])
        yield left, self.pull_back(STEADY), home, Then(asked, Shift(lying, by=free))
        yield Shift(lying, by=-free), Pulse(own, scale=SLIGHTLY)
        weighs = Flow(map(TurnInto, own.rows, ways.weighted.rows), SLOW)
        yield Then(Together(Become(lying, ways.found), Appear(ways.found_name)), weighs)
        falling = Flow((GoInto(row, ways.written) for row in reversed(ways.weighted.rows)), SLOW)
        summed = Then(Hold(STEADY), Appear(ways.written))
        yield Disappear(own.outline), Then(Together(falling, summed), Appear(ways.names[0]))
        gone = Disappear(lying, ways.found_name)
        yield gone, Appear(ways.names[1]), Flow(Appear(each) for each in ways.others)
        strips = ways.written, *reversed(ways.others)
        into = Flow((GoInto(each, ways.before) for each in strips), STEADY)
        faded = Fade(ways.before, to=theme.OUT_OF_FOCUS)
        changed = Then(Hold(STEADY), Together(Appear(ways.after), faded))
        yield Then(Together(into, changed), Appear(*strips, *ways.names[2:]))


GPT_3 = "Brown et al. 2020, table 2.1, GPT-3"
LARGE, SMALL = 12_288, 128  # d_model and d_head of GPT-3
LARGE_SQUARE = constant(LARGE**2, f"{GPT_3}, d_model squared")
LARGE_BOTH = constant(2 * LARGE * SMALL, f"{GPT_3}, twice d_model times d_head")
FILLED = 0.94  # of the stage's width, by the longest vector
LARGEST = 2 * theme.SPOKEN_SIZE  # of the number that counts weights
THICK = 0.55  # scene units, a vector's thickness
STRIPS = 12  # in which the square comes in
MANY = 240  # words of the vocabulary that are fed to the head
EDGE, HIGH = 5.0, 40.0  # degrees by which one looks down on what is flat
SEEN = 3  # directions in the picture
APART = 0.4  # of the height of a head's rows, between two heads
SLIGHTLY = 1.04  # times as large, what swells among others
SOON = 0.15  # seconds, in which a twin comes in where its like stands


class Lengths(VGroup):
    """What a head found and a token's vector, as long as they are: a scene unit has as many."""

    def __init__(self, film: DownAndUpAgain) -> None:
        region, found, vector = film.stage, film.found[film.head], film.vector
        self.unit = unit = min(FILLED * region.width, region.width - THICK - GAP) / len(vector)
        self.found = Area(found, unit, outline=VALUE, thickness=THICK, upright=False)
        self.vector = Area(vector, unit, thickness=THICK, upright=False)
        self.vector.move_to(region.center + DOWN * region.height / 5)
        self.vector.align_to((region.right, 0, 0), RIGHT)
        self.found.move_to(region.center + UP * region.height / 5)
        self.found.align_to(self.vector, LEFT)
        self.found_name, self.vector_name = (
            Words("{} numbers", entry_count(each), size=HEADING_SIZE) for each in (found, vector)
        )
        self.found_name.next_to(self.found, UP, buff=GAP).align_to(self.found, LEFT)
        self.chip = Chip(film.tokens[film.token], HEADING_SIZE).next_to(self.vector, DOWN, buff=GAP)
        self.chip.align_to(self.vector, LEFT)
        self.vector_name.next_to(self.chip, RIGHT, buff=GAP)
        super().__init__(self.found, self.vector, self.found_name, self.chip, self.vector_name)


class Maps(VGroup):
    """A head's map as a square under the vector that it maps, and what a head has instead.

    All weights have one scale, ours and those of GPT-3, whose square is `large`: `seen_small` and
    `seen_large` are the views of them. `rows` make the square `full`, `down` and `up` stand beside
    it, `bars` beside the large one; `told` says how many weights there are. Where the vector is
    near, it is `going` down to its `value` and `rising` to what that has `pushed`.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, vector, unit = film.stage, film.lengths.vector, film.lengths.unit
        side = unit * len(film.map)
        flat = partial(Area, unit=unit, thickness=THICK, upright=False)
        self.high = np.array((vector.get_x(), region.top - THICK / 2 - HAIR, 0.0))
        self.going, self.value = flat(film.vector), flat(film.value, outline=VALUE)
        self.rising = flat(film.value, outline=VALUE)
        self.pushed = flat(matmul(film.value, film.up), outline=OUTPUT)
        self.going.move_to(self.high)
        for body, y in ((self.value, 0.5), (self.rising, 0.5), (self.pushed, 1.0)):
            body.move_to(self.high).shift(2 * y * (self.high - region.center)[1] * DOWN)
        self.narrowing = _funnel(self.going, self.value, VALUE)
        self.widening = _funnel(self.rising, self.pushed, OUTPUT)
        pairs = zip(("value(W_V)", "output(W_O)"), (self.narrowing, self.widening), strict=True)
        self.names = [Formula(f"${name}$", HEADING_SIZE).move_to(body) for name, body in pairs]
        self.size = Words("{} numbers", entry_count(film.value), size=theme.SPOKEN_SIZE)
        is_thin = self.value.get_right()[0] + GAP + self.size.width < region.right
        self.size.next_to(*((self.value, RIGHT) if is_thin else (self.names[1], DOWN)))
        largest = float(np.abs(film.map.array).max())
        self.parts = np.array_split(film.map.array, min(STRIPS, len(film.map)))
        self.rows = [Heat(part, (side, unit * len(part)), largest=largest) for part in self.parts]
        self.full = VGroup(*self.rows).arrange(DOWN, buff=0)
        self.full.move_to(self.high + (THICK / 2 + GAP + side / 2) * DOWN)
        outlined = partial(Square, stroke_color=theme.color(QUIET), stroke_width=theme.BOLD_LINE)
        self.small = outlined(side).move_to(self.full)
        self.large = outlined(unit * LARGE).move_to(self.full, aligned_edge=UP + LEFT)
        self.down = Area(film.down, unit, outline=VALUE).next_to(self.full, LEFT, buff=GAP)
        self.up = Area(film.up, unit, outline=OUTPUT).next_to(self.full, UP, buff=GAP)
        thin, solid = unit * SMALL, partial(Rectangle, stroke_width=0, fill_opacity=1)
        upright = solid(width=thin, height=unit * LARGE, fill_color=theme.color(VALUE))
        flat_one = solid(width=unit * LARGE, height=thin, fill_color=theme.color(OUTPUT))
        self.bars = upright.next_to(self.large, LEFT, thin), flat_one.next_to(self.large, UP, thin)
        room, aside = region.split(0.63)
        both = VGroup(self.full, self.down, self.up), VGroup(self.large, *self.bars)
        self.seen_small, self.seen_large = (WHOLE.onto(box_of(one), room, 1.0) for one in both)
        pair, square = entry_count(film.down) + entry_count(film.up), entry_count(film.map)
        words = partial(Words, "{}", size=HEADING_SIZE)
        share = partial(Words, "{:.0%} of the square", size=HEADING_SIZE, role=theme.ACCENT)
        number = partial(Number, decimals=0, size=HEADING_SIZE if region.is_narrow else LARGEST)
        self.number = number(square, anchor=LEFT)
        lines = (
            (self.number, words("weights")),
            (number(LARGE_SQUARE), words("weights in GPT-3")),
            (number(pair), words("weights"), share(pair / square)),
            (number(LARGE_BOTH), words("weights in GPT-3"), share(LARGE_BOTH / LARGE_SQUARE)),
        )
        self.told = [VGroup(*each).arrange(DOWN, aligned_edge=LEFT) for each in lines]
        for each in self.told:
            aside.inset(GAP).fit(each)
        corner = self.seen_large.seen(self.small.get_corner(UP + RIGHT)[None])[0]
        self.ours = words("ours").move_to(corner + (GAP, -GAP, 0), aligned_edge=UP + LEFT)
        pin(self.ours, *self.told)
        super().__init__(self.large, *self.bars, self.small, self.full, self.down, self.up)
        self.add(self.narrowing, self.widening, self.going, self.value, self.rising, self.pushed)
        self.add(*self.names, self.size, *self.told, self.ours)

    def fill(self, vector: Area) -> Flow:
        """Return how the square fills, and its number counts the weights that are there."""
        sizes = np.cumsum([part.size for part in self.parts]).tolist()
        runs = [*(count(size, "weights so far") for size in sizes[:-1]), self.number.value]
        self.number.put(count(0, "weights so far"))
        counts = (Then(Hold(), Count(self.number, value, SOON)) for value in runs)
        rows = (ComeFrom(row, vector, QUICK, fit=False) for row in self.rows)
        return Flow(map(Together, rows, counts))


def _funnel(one: Area, other: Area, role: theme.Role) -> Polygon:
    """Return what narrows or widens from a strip to one under it."""
    ends = one.get_corner(DOWN + LEFT), one.get_corner(DOWN + RIGHT)
    corners = *ends, other.get_corner(UP + RIGHT), other.get_corner(UP + LEFT)
    panel = theme.color(theme.PANEL)
    return Polygon(*corners, color=theme.color(role), fill_color=panel, fill_opacity=1)


class WaysUp(VGroup):
    """A head's rows of W_O as wide as the stage, in the stack of all heads' that reaches beyond it.

    `ups[h]` are a head's rows, apart until they go by `closing`; `first[k]` is the place of the
    first k + 1 of them then, `far` the view of all. Of the head shown: `found`, what it found,
    beside its rows; `weighted`, the rows times that; `written`, their sum, under them. `others`
    write, too: they stand where the rows do. Below is the token's vector, `before` and `after`.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, head = film.stage, film.head
        z, ours = film.found[head], film.ups[head]
        thin = len(ours)
        unit = min(film.lengths.unit, region.height / 3.2 / thin)
        self.ups = [
            Area(rows, unit, outline=OUTPUT, strips=thin if place == head else 1)
            for place, rows in enumerate(film.ups)
        ]
        self.own = own = self.ups[head]
        rows = stacked([scaled(number, row) for number, row in zip(z.values, ours, strict=True)])
        self.weighted = Area(rows, unit, outline=OUTPUT, strips=thin)
        self.found = Area(z, unit, outline=VALUE, thickness=THICK)
        flat = partial(Area, unit=unit, outline=OUTPUT, thickness=THICK, upright=False)
        self.written = flat(film.written[head])
        self.lying = flat(z, outline=VALUE)
        self.before, self.after = map(flat, (film.vector, film.changed))
        self.after.move_to(film.lengths.vector)
        self.before.next_to(self.after, UP, buff=HAIR)
        free = region.top - self.before.get_top()[1]
        buff = (free - own.height - THICK) / 3
        VGroup(own, self.written).arrange(DOWN, buff=buff).next_to(self.before, UP, buff=buff)
        self.lying.move_to(self.written).align_to(self.before, LEFT)
        self.weighted.move_to(own)
        self.found.next_to(own, LEFT, buff=GAP)
        self._stack(region)
        write = [out for place, out in enumerate(film.written) if place != head]
        pitch = own.height / max(1, len(write))
        self.others = [flat(out, thickness=min(THICK, 0.8 * pitch)) for out in write]
        for place, other in enumerate(self.others):
            other.move_to(own.get_top() + (place + 0.5) * pitch * DOWN)
        self.found_name = Formula("$value(z)$", HEADING_SIZE).next_to(self.found, UP, buff=HAIR)
        texts = (
            ("this head writes", self.written, UP, OUTPUT),
            ("the others write", own, UP, OUTPUT),
            ("before", self.before, UP, theme.INK),
            ("after", self.after, DOWN, theme.INK),
        )
        self.names = [
            Words(text, size=theme.SPOKEN_SIZE, role=role).next_to(beside, side, buff=HAIR)
            for text, beside, side, role in texts
        ]
        super().__init__(*self.ups, self.weighted, self.lying, self.before, self.after)
        self.add(self.written, *self.others, self.found_name, *self.names)
        self.add(self.symbol, self.ours, self.ring)

    def _stack(self, region: Region) -> None:
        """Set the other heads' rows above and under those shown, and find the views of all."""
        home, stack = self.own.get_center(), VGroup(*self.ups)
        stack.arrange(DOWN, buff=APART * self.own.height).shift(home - self.own.get_center())
        room = region.raised(5 * GAP).lowered(HAIR).narrowed(HAIR, 2.0 if region.is_narrow else 0.0)
        self.far = WHOLE.onto(box_of(stack), room, 1.0)
        self.ring = Ring(self.own, HAIR / 2 / self.far.zoom)
        self.symbol = Formula("$output(W_O)$", HEADING_SIZE)
        self.ours = Words("this head", size=theme.SPOKEN_SIZE, role=theme.ACCENT)
        self.ours.move_to(self.far.seen(self.own.get_right()[None])[0] + GAP * RIGHT, LEFT)
        middle, apart = stack.get_center(), [up.get_center() for up in self.ups]
        stack.arrange(DOWN, buff=0).move_to(middle)
        self.near = WHOLE.onto(box_of(stack), room, 1.0)
        self.symbol.move_to(self.near.seen(stack.get_right()[None])[0] + GAP * RIGHT, LEFT)
        pin(self.ours, self.symbol)
        off = HAIR / 2 / self.near.zoom
        self.first = [Ring(VGroup(*self.ups[: k + 1]), off) for k in range(len(self.ups))]
        self.closing = [up.get_center() - at for up, at in zip(self.ups, apart, strict=True)]
        for up, way in zip(self.ups, self.closing, strict=True):
            up.shift(-way)
