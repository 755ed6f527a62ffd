"""A head goes down to few numbers and up again, and its rows of W_O say where it writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from manim import Rectangle, Square, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.film import Film, Shown, beat
from scenes.mobjects.cloud import LOW, Cloud
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Heat
from scenes.provenance import Tensor, constant, count, entry_count, matmul
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
    VALUE,
    Role,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
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
    seconds = 64
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
        vector = self.tensor("resid_pre")[self.layer, self.token]
        self.lengths = Lengths(self.found[self.head], vector, self.tokens[self.token], self.stage)
        self.square = SquareMap(self.map, vector, self.down, self.up, self.stage)
        words = self.tensor("weights.W_E").double
        words = words[:: max(1, len(words) // MANY)]
        sizes = [count(number, "directions") for number in (SEEN, len(self.map), self.rank)]
        told = Words("words, seen in {} of {} directions", *sizes[:2], size=SPOKEN_SIZE, role=QUIET)
        places = seen_in_three(words, self.map.double)
        self.cloud = Cloud(*places, told, self.stage.raised(4 * GAP))
        self.directions = Words("{} of {} directions", sizes[2], sizes[1], size=HEADING_SIZE)
        self.directions.next_to(self.cloud, DOWN, buff=GAP)
        change = self.tensor("attn_out")[self.layer, self.token]
        self.all = WaysUp(self.ups, self.found, self.written, change, self.stage, head=self.head)
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
        yield gone, TurnInto(lengths.vector, square.top)
        filled = Flow(ComeFrom(row, square.top, fit=False) for row in square.rows)
        counting = Then(Appear(square.number, square.weights), Count(square.number, square.all))
        yield filled, counting
        yield Pulse(square.number, square.weights), Disappear(square.top)
        large = Appear(square.large, square.large_name), Count(square.number, LARGE_SQUARE)
        yield GoInto(square.full, square.corner), Appear(square.corner), *large

    @beat(
        "So a head goes down to {thin} numbers, | and up again to {wide}: | "
        "with {share} percent of the weights here, | and 2 percent in GPT-3."
    )
    def down_and_up(self) -> Shown:
        square = self.square
        back = ComeFrom(square.full, square.corner), Disappear(square.large, square.corner)
        again = Disappear(square.large_name), Count(square.number, square.all)
        yield *back, *again, Then(Hold(), Appear(square.down, square.down_name))
        yield Dim(square.full), Appear(square.up, square.up_name)
        both = Pulse(square.down, scale=SLIGHTLY), Pulse(square.up, scale=SLIGHTLY)
        yield Count(square.number, square.both), Then(*both)
        yield Count(square.number, LARGE_BOTH), Appear(square.large_name), *square.thinner()

    @beat(
        "That has a price. | Feed it any words, | turn them as you like: | "
        "all that comes out is flat, | {rank} directions of {wide}.",
        everywhere="Here that costs nothing. | Feed it any words, | turn them as you like: | "
        "what comes out is never flat, | it has all {wide} directions.",
    )
    def the_price(self) -> Shown:
        square, cloud = self.square, self.cloud
        squashed = 0.0 if self.circumstances()["everywhere"] else 1.0
        numbered = square.number, square.weights, square.large_name
        left = square.full, square.large_down, square.down_name, square.up_name, *numbered
        yield Disappear(*left), TurnInto(square.large_up, cloud.ground), Appear(cloud.told)
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
        ways, ours = self.all, self.all.ups[self.head]
        yield (
            Disappear(self.directions, self.cloud.dots, self.cloud.told),
            TurnInto(self.cloud.ground, ours),
        )
        yield Appear(ways.ring, ways.ours)
        others = [up for up in ways.ups if up is not ours]
        yield Flow(ComeFrom(up, ours, fit=False) for up in others), Appear(ways.symbol)
        yield Flow(Pulse(up, scale=SLIGHTLY) for up in ways.ups)

    @beat(
        "So who decides where {token}'s numbers go? | Each head's own rows: | "
        "W O is no glue, it says where every finding is written, | "
        "and all of it, with a bias, is the change of {token}.",
        without_bias="So who decides where {token}'s numbers go? | Each head's own rows: | "
        "W O is no glue, it says where every finding is written, | "
        "and all of it is the change of {token}.",
    )
    def no_glue(self) -> Shown:
        ways = self.all
        yield Appear(ways.found_name), Flow(Appear(each) for each in ways.found)
        ours = ways.found[self.head], ways.ups[self.head]
        yield Then(Pulse(ours[0]), Pulse(ours[1], ways.ring, scale=SLIGHTLY)), Pulse(ways.ours)
        writing = zip(ways.written, ways.ups, strict=True)
        yield Flow(ComeFrom(row, up, fit=False) for row, up in writing)
        summed = Together(Appear(ways.change, ways.change_name), Disappear(*ways.written))
        yield Then(summed, Pulse(ways.change, ways.change_name, scale=SLIGHTLY, run_time=SLOW))


Floats: TypeAlias = NDArray[np.float64]

GPT_3 = "Brown et al. 2020, table 2.1, GPT-3"
LARGE, SMALL = 12_288, 128  # d_model and d_head of GPT-3
LARGE_SQUARE = constant(LARGE**2, f"{GPT_3}, d_model squared")
LARGE_BOTH = constant(2 * LARGE * SMALL, f"{GPT_3}, twice d_model times d_head")
FILLED = 0.94  # of the stage's width, by the longest vector
LARGEST = 2 * SPOKEN_SIZE  # of the number that counts weights
THICK = 0.55  # scene units, a vector's thickness
STRIPS = 12  # in which the square comes in
MANY = 240  # words of the vocabulary that are fed to the head
EDGE, HIGH = 5.0, 40.0  # degrees by which one looks down on what is flat
SEEN = 3  # directions in the picture
SLIGHTLY = 1.04  # times as large, what swells among others
NOTHING = 1e-5  # a singular value so small, beside the largest, is none


class Lengths(VGroup):
    """What a head found and a token's vector, as long as they are: a scene unit has as many."""

    def __init__(self, found: Tensor, vector: Tensor, piece: str, region: Region) -> None:
        unit = FILLED * region.width / len(vector)
        self.found = Area(found, unit, role=VALUE, thickness=THICK, upright=False)
        self.vector = Area(vector, unit, thickness=THICK, upright=False)
        self.vector.move_to(region.center + DOWN * region.height / 5)
        self.found.move_to(region.center + UP * region.height / 5)
        self.found.align_to(self.vector, LEFT)
        sizes = count(len(found), "entries of what a head finds"), count(len(vector), "entries")
        self.found_name, self.vector_name = (
            Words("{} numbers", size, size=HEADING_SIZE) for size in sizes
        )
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
        self.large = outlined(side).move_to(self.full)
        self.corner = outlined(side * wide / LARGE)
        self.corner.move_to(self.large.get_corner(DOWN + LEFT), aligned_edge=DOWN + LEFT)
        self.large_down = bar(side * SMALL / LARGE, side, VALUE).move_to(self.down)
        self.large_up = bar(side, side * SMALL / LARGE, OUTPUT).move_to(self.up)
        self.all = entry_count(whole)
        self.both = entry_count(down) + entry_count(up)
        super().__init__(self.large, self.corner, self.full, self.down, self.up, self.top)
        self.add(self.large_down, self.large_up, self.down_name, self.up_name)
        self.move_to(room.center)
        if not region.is_narrow:
            self.align_to((region.left + GAP, 0, 0), LEFT)
        size = HEADING_SIZE if region.is_narrow else LARGEST
        self.number = Number(self.all, 0, size, anchor=RIGHT)
        widest = Number(LARGE_SQUARE, 0, size)
        self.weights, self.large_name = (
            Words("{}", text, size=HEADING_SIZE) for text in ("weights", "in GPT-3")
        )
        words = VGroup(self.weights, self.large_name).arrange(DOWN, aligned_edge=RIGHT)
        if region.is_narrow:
            words.arrange(RIGHT, buff=GAP)
            block = VGroup(widest, words).arrange(RIGHT, buff=GAP)
            region.set_at_foot(block, 5 * GAP)
        else:
            block = VGroup(widest, words).arrange(DOWN, buff=GAP, aligned_edge=RIGHT)
            block.move_to((region.right - GAP, region.center[1], 0), aligned_edge=RIGHT)
        self.number.move_to(widest, aligned_edge=RIGHT)
        self.number.put(count(0, "weights so far"))
        self.add(self.number, words)

    def thinner(self) -> tuple[TurnInto, TurnInto]:
        """Return how the two ways become as thin as those of GPT-3, beside a square of the size."""
        return TurnInto(self.down, self.large_down), TurnInto(self.up, self.large_up)


class WaysUp(VGroup):
    """The rows of all heads, stacked to W_O; beside them what heads found, under them the change.

    `ups[h]`, `found[h]` and `written[h]` are a head's rows, what it found, and what it writes.
    """

    def __init__(
        self,
        ups: Tensor,
        found: Sequence[Tensor],
        written: Sequence[Tensor],
        change: Tensor,
        region: Region,
        *,
        head: int,
    ) -> None:
        heads, thin, wide = ups.shape
        free = region.raised(4 * GAP).lowered(3 * GAP).inset(GAP)
        unit = min(free.height / (heads * thin), 0.62 * free.width / wide)
        self.ups = [Area(rows, unit, outline=OUTPUT) for rows in ups]
        VGroup(*self.ups).arrange(DOWN, buff=0).move_to(free.center)
        self.found = [Area(z, unit, role=VALUE, thickness=THICK) for z in found]
        for z, rows in zip(self.found, self.ups, strict=True):
            z.next_to(rows, LEFT, buff=GAP)
        low = VGroup(*self.ups)
        *self.written, self.change = (
            Area(out, unit, role=OUTPUT, outline=OUTPUT, thickness=THICK, upright=False)
            for out in (*written, change)
        )
        for row in (*self.written, self.change):
            row.next_to(low, DOWN, buff=GAP)
        self.ring = Ring(self.ups[head], HAIR / 2)
        self.ours = Words("this head", size=SPOKEN_SIZE, role=ACCENT).next_to(
            self.ring, RIGHT, buff=GAP
        )
        self.symbol = Formula("$output(W_O)$", SPOKEN_SIZE).next_to(low, UP, buff=HAIR)
        self.found_name = Words("found", size=SPOKEN_SIZE, role=VALUE)
        self.found_name.next_to(self.found[0], UP, buff=HAIR)
        self.change_name = Words("the change", size=SPOKEN_SIZE, role=OUTPUT)
        self.change_name.next_to(self.change, RIGHT, buff=GAP)
        super().__init__(*self.ups, *self.found, *self.written, self.change, self.ring)
        self.add(self.ours, self.symbol, self.found_name, self.change_name)
        region.fit(self)


def outlined(side: float) -> Square:
    """Return an empty square."""
    return Square(side, stroke_color=theme.color(QUIET), stroke_width=theme.BOLD_LINE)


def bar(width: float, height: float, role: Role) -> Rectangle:
    """Return a matrix too thin to show its entries."""
    color = theme.color(role)
    return Rectangle(width=width, height=height, stroke_width=0, fill_color=color, fill_opacity=1)


def seen_in_three(vectors: Floats, through: Floats) -> tuple[Floats, Floats]:
    """Return vectors (n, D) and what a map (D, D) makes of them, in three directions: (n, 3) each.

    The ground is made of directions that the map reaches, the height is one that it does not, if
    there is any: of each kind those in which the vectors, brought to one length, differ most.
    """
    fed = vectors / np.maximum(np.linalg.norm(vectors, axis=1), NOTHING)[:, None]
    fed = fed - fed.mean(axis=0)
    _, sizes, axes = np.linalg.svd(through)
    rank = int((sizes > sizes[0] * NOTHING).sum())
    reached, beyond = (principal_axes(fed, basis) for basis in (axes[:rank], axes[rank:]))
    order = [*reached[:2], *beyond, *reached[2:]] if len(beyond) else reached
    three = np.stack([order[0], order[2], order[1]])
    return fed @ three.T, fed @ through @ three.T


def principal_axes(vectors: Floats, basis: Floats) -> Floats:
    """Return directions within a space, spanned by a basis (k, D), by how much vectors differ."""
    if not len(basis):
        return basis
    _, _, axes = np.linalg.svd(vectors @ basis.T, full_matrices=True)
    return np.asarray(axes @ basis)
