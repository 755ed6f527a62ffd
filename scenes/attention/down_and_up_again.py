"""A head goes down to few numbers and up again, and its rows of W_O say where it writes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TypeAlias

import numpy as np
from manim import Rectangle, Square, VGroup
from manim.constants import DOWN, LEFT, ORIGIN, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.principal_plane import seen_in_three
from scenes.film import Film, Shown, beat
from scenes.mobjects.cloud import LOW, Cloud
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Heat
from scenes.provenance import Tensor, Value, constant, count, entry_count, matmul, scaled, stacked
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    HEADING_SIZE,
    OUTPUT,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
    Role,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
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
        self.reach = int(np.linalg.matrix_rank(np.concatenate(list(self.ups.array))))
        self.vector, self.changed = (
            self.tensor(f"resid_{when}")[self.layer, self.token] for when in ("pre", "mid")
        )
        self.found = [z[self.token] for z in self.tensor("z")[self.layer]]
        self.written = [out[self.token] for out in self.tensor("head_out")[self.layer]]

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
        """Make what was found beside the token's vector, the map, the cloud and all ways up."""
        found, piece = self.found[self.head], self.tokens[self.token]
        self.lengths = Lengths(found, self.vector, piece, self.stage)
        self.square = SquareMap(self.map, self.vector, self.down, self.up, self.stage)
        words = self.tensor("weights.W_E").double
        words = words[:: max(1, len(words) // MANY)]
        sizes = [count(number, "directions") for number in (SEEN, len(self.map), self.rank)]
        told = Words("words, seen in {} of {} directions", *sizes[:2], size=SPOKEN_SIZE, role=QUIET)
        places = seen_in_three(words, self.map.double)
        self.cloud = Cloud(*places, told, self.stage.raised(4 * GAP))
        self.directions = Words("{} of {} directions", sizes[2], sizes[1], size=HEADING_SIZE)
        self.directions.next_to(self.cloud, DOWN, buff=GAP)
        self.all = WaysUp(self)
        self.stand(self.lengths, self.square, self.cloud, self.directions, self.all)

    @beat(
        "Who decides where a head writes? | It has found {thin} numbers for {token}, | "
        "but the vector of {token} has {wide}."
    )
    def who_decides(self) -> Shown:
        lengths = self.lengths
        free = (lengths.vector.width - lengths.found.width) * RIGHT
        there, back = Shift(lengths.found, by=free), Shift(lengths.found, by=-free)
        yield Then(Appear(lengths.found, lengths.vector, lengths.chip), there, back)
        yield Then(Appear(lengths.found_name), Pulse(lengths.found, scale=SLIGHTLY))
        yield Then(Appear(lengths.vector_name), Pulse(lengths.vector, scale=SLIGHTLY))

    @beat(
        "Why not write freely? That would take a square of weights, | "
        "from every number to every number: | "
        "{square} for one head. | In GPT-3, over 150 million."
    )
    def a_square_of_weights(self) -> Shown:
        lengths, square = self.lengths, self.square
        gone = Disappear(lengths.found, lengths.found_name, lengths.vector_name, lengths.chip)
        frame = Then(Hold(STEADY), Appear(square.large, run_time=STEADY))
        yield gone, TurnInto(lengths.vector, square.top), frame
        filled = Flow(ComeFrom(row, square.top, fit=False) for row in square.rows)
        counting = Then(Appear(square.number, square.weights), Count(square.number, square.all))
        yield filled, counting
        yield Pulse(square.number, square.weights), Disappear(square.top)
        ours = Then(GoInto(square.full, square.corner), Appear(square.corner, square.ours))
        yield ours, Appear(square.large_name), square.says(LARGE_SQUARE)

    @beat(
        "So a head goes down to {thin} numbers, | and up again to {wide}: | "
        "with {share} percent of the weights here, | and 2 percent in GPT-3."
    )
    def down_and_up(self) -> Shown:
        square = self.square
        gone = Disappear(square.large, square.corner, square.ours, square.large_name)
        back = ComeFrom(square.full, square.corner), square.says(square.all)
        yield gone, *back, Then(Hold(), Appear(square.down, square.down_name))
        yield Dim(square.full), Appear(square.up, square.up_name)
        both = Pulse(square.down, square.up, scale=SLIGHTLY)
        yield square.says(square.both), both, Then(Hold(), Appear(square.share))
        large = square.says(LARGE_BOTH), Then(Disappear(square.share), Appear(square.large_share))
        yield Appear(square.large_name), *large, *square.thinner()

    @beat(
        "That has a price. | Feed it any words, | turn them as you like: | "
        "all that comes out is flat, | {rank} directions of {wide}.",
        everywhere="Here that costs nothing. | Feed it any words, | turn them as you like: | "
        "what comes out is never flat, | it has all {wide} directions.",
    )
    def the_price(self) -> Shown:
        square, cloud = self.square, self.cloud
        squashed = 0.0 if self.circumstances()["everywhere"] else 1.0
        numbered = square.number, square.weights, square.large_name, square.large_share
        left = square.full, square.large_down, square.down_name, square.up_name, *numbered
        risen = GoInto(square.large_up, cloud.ground), Appear(cloud.ground, run_time=STEADY)
        yield Disappear(*left), *risen, Appear(cloud.told)
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
        gone = (GoInto(each, ways.own, SLOW) for each in (cloud.dots, cloud.ground))
        yield Disappear(self.directions, cloud.told), *gone, Then(Hold(STEADY), Appear(ways.own))
        yield Flow(Pulse(row, scale=SLIGHTLY) for row in ways.own.rows)
        others = Flow((Appear(up) for up in ways.ups if up is not ways.own), SLOW)
        back = self.travel_to(
            self.view.into(VGroup(ways.stack, ways.symbol, ways.ours), self.stage)
        )
        yield back, others, Appear(ways.symbol, ways.ours, ways.ring)
        yield Flow(Pulse(up, scale=SLIGHTLY) for up in ways.ups)

    @beat(
        "So who decides where {token}'s numbers go? | Each head's own rows: | "
        "every number found weighs its row, | added up, the rows are what it writes. | "
        "The other heads write the same way, | and {token} is changed.",
        single="So who decides where {token}'s numbers go? | The head's own rows: | "
        "every number found weighs its row, | added up, the rows are what it writes, | "
        "into all of {token}'s numbers: | and {token} is changed.",
    )
    def own_rows(self) -> Shown:
        ways = self.all
        left = Disappear(ways.symbol, ways.ours, ways.ring, *(set(ways.ups) - {ways.own}))
        yield left, self.pull_back(), Then(Hold(STEADY), Appear(ways.before, ways.chip))
        yield Appear(ways.found, ways.found_name), Pulse(ways.own, scale=SLIGHTLY)
        yield Flow(map(TurnInto, ways.own.rows, ways.weighted.rows), SLOW)
        falling = Flow((GoInto(row, ways.written) for row in reversed(ways.weighted.rows)), SLOW)
        summed = Then(Hold(STEADY), Appear(ways.written))
        yield (
            Disappear(ways.own.outline),
            Then(Together(falling, summed), Appear(ways.written_name)),
        )
        gone = Disappear(ways.found, ways.found_name)
        yield gone, Appear(ways.others_name), Flow(Appear(each) for each in ways.others)
        strips = ways.written, *reversed(ways.others)
        into = Flow((GoInto(each, ways.before) for each in strips), STEADY)
        changed = Then(Hold(STEADY), TurnInto(ways.before, ways.after))
        names = ways.written_name, ways.others_name
        back = Fade(*strips, *names, to=theme.OUT_OF_FOCUS)
        yield Disappear(*names), Then(Together(into, changed), back)


Floats: TypeAlias = NDArray[np.float64]

GPT_3 = "Brown et al. 2020, table 2.1, GPT-3"
LARGE, SMALL = 12_288, 128  # d_model and d_head of GPT-3
LARGE_SQUARE = constant(LARGE**2, f"{GPT_3}, d_model squared")
LARGE_BOTH = constant(2 * LARGE * SMALL, f"{GPT_3}, twice d_model times d_head")
FILLED = 0.94  # of the stage's width, by the longest vector
SPREAD = 0.72  # of the stage's width, by the square and its number
LARGEST = 2 * SPOKEN_SIZE  # of the number that counts weights
THICK = 0.55  # scene units, a vector's thickness
STRIPS = 12  # in which the square comes in
MANY = 240  # words of the vocabulary that are fed to the head
EDGE, HIGH = 5.0, 40.0  # degrees by which one looks down on what is flat
SEEN = 3  # directions in the picture
SLIGHTLY = 1.04  # times as large, what swells among others


class Lengths(VGroup):
    """What a head found and a token's vector, as long as they are: a scene unit has as many."""

    def __init__(self, found: Tensor, vector: Tensor, piece: str, region: Region) -> None:
        self.unit = unit = min(FILLED * region.width, region.width - THICK - GAP) / len(vector)
        self.found = Area(found, unit, role=VALUE, thickness=THICK, upright=False)
        self.vector = Area(vector, unit, thickness=THICK, upright=False)
        self.vector.move_to(region.center + DOWN * region.height / 5)
        self.vector.align_to((region.right, 0, 0), RIGHT)
        self.found.move_to(region.center + UP * region.height / 5)
        self.found.align_to(self.vector, LEFT)
        sizes = count(len(found), "entries of what a head finds"), count(len(vector), "entries")
        names = (Words("{} numbers", size, size=HEADING_SIZE) for size in sizes)
        self.found_name, self.vector_name = names
        self.found_name.next_to(self.found, UP, buff=GAP).align_to(self.found, LEFT)
        self.chip = Chip(piece, HEADING_SIZE).next_to(self.vector, DOWN, buff=GAP)
        self.chip.align_to(self.vector, LEFT)
        self.vector_name.next_to(self.chip, RIGHT, buff=GAP)
        super().__init__(self.found, self.vector, self.found_name, self.chip, self.vector_name)


class SquareMap(VGroup):
    """A map as a square, and beside it, to one scale, the thin way down and the thin way up.

    `rows` fill the square, `full` is all of it, `top` is the vector that it maps; `large` is the
    square of GPT-3, in which ours is the `corner`. `number` counts `weights`.
    """

    def __init__(
        self, whole: Tensor, vector: Tensor, down: Tensor, up: Tensor, region: Region
    ) -> None:
        wide, thin = down.shape
        room = region.raised(5 * GAP) if region.is_narrow else region.columns(0.62)[0]
        unit = (min(room.width, room.height) - 4 * GAP) / (wide + thin)
        side = unit * wide
        largest = float(np.abs(whole.array).max())
        parts = np.array_split(whole.array, min(STRIPS, wide))
        self.rows = [Heat(part, (side, unit * len(part)), largest=largest) for part in parts]
        self.full = VGroup(*self.rows).arrange(DOWN, buff=0)
        self.down = Area(down, unit, outline=VALUE).next_to(self.full, LEFT, buff=GAP)
        self.up = Area(up, unit, outline=OUTPUT).next_to(self.full, UP, buff=GAP)
        self.down_name = Formula("$value(W_V)$", SPOKEN_SIZE).next_to(self.down, UP, buff=GAP)
        self.up_name = Formula("$output(W_O)$", SPOKEN_SIZE).next_to(self.up, RIGHT, buff=GAP)
        self.top = Area(vector, unit, thickness=THICK, upright=False)
        self.top.next_to(self.full, UP, buff=GAP)
        outlined = partial(Square, stroke_color=theme.color(QUIET), stroke_width=theme.BOLD_LINE)
        self.large = outlined(side).move_to(self.full)
        self.corner = outlined(side * wide / LARGE)
        self.corner.move_to(self.large.get_corner(DOWN + LEFT), aligned_edge=DOWN + LEFT)
        self.large_down = bar(side * SMALL / LARGE, side, VALUE).move_to(self.down)
        self.large_up = bar(side, side * SMALL / LARGE, OUTPUT).move_to(self.up)
        ours = Words("ours", size=SPOKEN_SIZE, role=QUIET)
        self.ours = ours.next_to(self.corner, UP + RIGHT, buff=HAIR)
        self.all, self.both = entry_count(whole), entry_count(down) + entry_count(up)
        super().__init__(self.large, self.corner, self.full, self.down, self.up, self.top)
        self.add(self.large_down, self.large_up, self.down_name, self.up_name, self.ours)
        self.move_to(room.center)
        size = HEADING_SIZE if region.is_narrow else LARGEST
        self.number = Number(self.all, 0, size, anchor=RIGHT)
        widest = Number(LARGE_SQUARE, 0, size)
        self.weights, self.large_name = (
            Words("{}", text, size=HEADING_SIZE) for text in ("weights", "in GPT-3")
        )
        words = VGroup(self.weights, self.large_name).arrange(DOWN, aligned_edge=RIGHT)
        if region.is_narrow:
            words.arrange(RIGHT, buff=GAP)
            self.large_name.shift(UP * (self.weights.baseline - self.large_name.baseline))
            block = VGroup(widest, words).arrange(RIGHT, buff=GAP)
            region.set_at_foot(block, 5 * GAP)
        else:
            block = VGroup(widest, words).arrange(DOWN, buff=GAP, aligned_edge=RIGHT)
            far = self.full.get_left() + SPREAD * region.width * RIGHT
            block.next_to(self, RIGHT, buff=4 * GAP)
            block.align_to((max(far[0], block.get_right()[0]), 0, 0), RIGHT)
            VGroup(self, block).set_x(region.center[0])
        self.number.move_to(widest, aligned_edge=RIGHT)
        self.number.put(count(0, "weights so far"))
        self.share, self.large_share = (
            Words("{:.0%} of the square", value, size=HEADING_SIZE, role=ACCENT)
            for value in (self.both / self.all, LARGE_BOTH / LARGE_SQUARE)
        )
        for share in (self.share, self.large_share):
            share.shrink_to(region.width / 2)
            share.next_to(words, UP if region.is_narrow else DOWN).align_to(words, RIGHT)
        self.add(self.number, words, self.share, self.large_share)

    def says(self, value: Value) -> Then:
        """Return how the number gives way to another one; it does not run between them."""
        number = self.number
        return Then(Disappear(number), Count(number, value, HAIR), Fade(number, to=1.0))

    def thinner(self) -> tuple[TurnInto, TurnInto]:
        """Return how the two ways become as thin as those of GPT-3, beside a square of the size."""
        return TurnInto(self.down, self.large_down), TurnInto(self.up, self.large_up)


class WaysUp(VGroup):
    """A head's rows of W_O as wide as the stage, in the stack of all heads' that reaches beyond it.

    `ups[h]` are a head's rows, `stack` is all of them. Of the head shown: `found`, what it found,
    beside its rows; `weighted`, the rows times that; `written`, their sum, under them. `others`
    write, too: they stand where the rows do. Below is the token's vector, `before` and `after`.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, head = film.stage, film.head
        z, ours = film.found[head], film.ups[head]
        thin = len(ours)
        unit = min(film.lengths.unit, region.height / 3 / thin)
        strips = [thin if rows is head else 1 for rows in range(len(film.ups))]
        self.ups = [
            Area(rows, unit, outline=OUTPUT, strips=number)
            for rows, number in zip(film.ups, strips, strict=True)
        ]
        self.own = own = self.ups[head]
        self.stack = VGroup(*self.ups).arrange(DOWN, buff=0)
        rows = stacked([scaled(number, row) for number, row in zip(z.values, ours, strict=True)])
        self.weighted = Area(rows, unit, outline=OUTPUT, strips=thin)
        self.found = Area(z, unit, role=VALUE, thickness=THICK)
        flat = partial(Area, unit=unit, outline=OUTPUT, thickness=THICK, upright=False)
        self.written = flat(film.written[head])
        self.before, self.chip = film.lengths.vector, film.lengths.chip
        self.after = flat(film.changed, outline=QUIET).move_to(self.before)
        home, free = own.get_center(), region.top - self.before.get_top()[1]
        buff = (free - own.height - THICK) / 3
        VGroup(own, self.written).arrange(DOWN, buff=buff).next_to(self.before, UP, buff=buff)
        for up in self.ups:
            up.shift(own.get_center() - home if up is not own else ORIGIN)
        self.weighted.move_to(own)
        self.found.next_to(own, LEFT, buff=GAP)
        write = [out for place, out in enumerate(film.written) if place != head]
        pitch = own.height / max(1, len(write))
        self.others = [flat(out, thickness=min(THICK, 0.8 * pitch)) for out in write]
        for place, other in enumerate(self.others):
            other.move_to(own.get_top() + (place + 0.5) * pitch * DOWN)
        self.found_name = Words("found", size=SPOKEN_SIZE, role=VALUE)
        self.found_name.next_to(self.found, UP, buff=HAIR).align_to(self.found, LEFT)
        self.written_name, self.others_name = (
            Words(text, size=SPOKEN_SIZE, role=OUTPUT).next_to(under, UP, buff=HAIR)
            for text, under in (("this head writes", self.written), ("the others write", own))
        )
        far = self.stack.height / region.height  # times smaller, when all is seen
        self.symbol = Formula("$output(W_O)$", HEADING_SIZE * max(1.0, far))
        self.ours = Words("this head", size=SPOKEN_SIZE * max(1.0, far), role=ACCENT)
        self.symbol.next_to(self.stack, RIGHT, buff=2 * GAP).align_to(self.stack, UP)
        self.ours.next_to(own, RIGHT, buff=2 * GAP)
        self.ring = Ring(own, HAIR / 2)
        super().__init__(self.stack, self.weighted, self.found, self.after, self.written)
        self.add(*self.others, self.found_name, self.written_name, self.others_name)
        self.add(self.symbol, self.ours, self.ring)


def bar(width: float, height: float, role: Role) -> Rectangle:
    """Return a matrix too thin to show its entries."""
    color = theme.color(role)
    return Rectangle(width=width, height=height, stroke_width=0, fill_color=color, fill_opacity=1)
