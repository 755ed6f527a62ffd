"""A head goes down to few numbers and up again, and its rows of W_O say where it writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from manim import Polygon, Rectangle, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.analysis.directions import seen_in_three
from scenes.camera import WHOLE, box_of, pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.cloud import LOW, Cloud
from scenes.mobjects.marks import Raster, Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import THINNEST
from scenes.provenance import (
    Tensor,
    constant,
    count,
    entry_count,
    matmul,
    scaled,
    stacked,
    transposed,
)
from scenes.region import Region
from scenes.theme import GAP, HAIR, HEADING_SIZE, OUTPUT, QUICK, QUIET, REST, SLOW, STEADY, VALUE
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Disappear,
    Draw,
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
    Verb,
    Visit,
)


class DownAndUpAgain(Film):
    """A head pushes in few directions, and its own rows of W_O say where it writes."""

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 81
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
        has = "b_O" in self.traits.biases
        bias = [self.tensor("weights.b_O")[self.layer]] if has else []
        self.added = [out for place, out in enumerate(self.written) if place != self.head] + bias
        others = ["what the others write"] * (len(self.ups) > 1)
        self.more = ", and ".join(others + ["a bias"] * has)
        self.value = self.tensor("v")[self.layer, self.head, self.token]
        lows = [max(self.head - k, 0) for k in range(len(self.ups))]
        self.spans = [slice(low, low + k + 1) for k, low in enumerate(lows)]
        stacks = (np.concatenate(list(self.ups.array[span])) for span in self.spans)
        self.ranks = [int(np.linalg.matrix_rank(each)) for each in stacks]
        self.reach = self.ranks[-1]

    def circumstances(self) -> Mapping[str, bool]:
        everywhere = self.rank == len(self.map)
        return {**super().circumstances(), "everywhere": everywhere, "single": len(self.ups) == 1}

    def words(self) -> Mapping[str, str]:
        wide, thin = self.down.shape
        return {
            "token": self.name_of(self.token),
            "wide": str(wide),
            "thin": str(thin),
            "rank": str(self.rank),
            "reach": f"all {wide}" if self.reach == wide else str(self.reach),
            "square": f"{wide**2:,}",
            "share": f"{200 * thin / wide:.0f}",
            "besides": f"Now add {self.more}" if self.more else "Nothing else is added",
        }

    def cast(self) -> None:
        self.lengths = Lengths(self)
        self.maps = Maps(self)
        words = self.tensor("weights.W_E").double
        words = words[:: max(1, len(words) // MANY)]
        feeds, after = seen_in_three(words, self.map.double)
        self.cloud = Cloud(feeds, after, self.stage.raised(3 * GAP).lowered(3 * GAP))
        self.named = self._named()
        wide, rank = (count(number, "directions") for number in (len(self.map), self.rank))
        self.rank_told = Number(rank, 0, HEADING_SIZE)
        of = Words("of {} directions", wide, size=HEADING_SIZE).next_to(self.rank_told, RIGHT)
        of.shift((self.rank_told.baseline - of.baseline) * UP)
        self.directions = VGroup(self.rank_told, of)
        self.stage.set_at_foot(self.directions, 4 * GAP)
        pin(self.directions)
        self.all = WaysUp(self)
        self.stand(self.maps, self.lengths, self.cloud, *self.named, self.directions, self.all)

    @beat(
        "Who decides where a head writes? | It has found {thin} numbers for {token}, | "
        "but the vector of {token} has {wide}."
    )
    def who_decides(self) -> Shown:
        lengths = self.lengths
        seen = Appear(lengths.found, lengths.vector, lengths.chip)
        gap = Appear(lengths.gap, run_time=STEADY, scale=1.0)
        yield Together(seen, gap), Then(Hold(), Appear(lengths.asked), Pulse(lengths.asked))
        yield Appear(lengths.found_name), Pulse(lengths.found)
        along = Visit(lengths.ring, [*lengths.windows])
        yield Appear(lengths.vector_name), Then(Appear(lengths.ring), along)

    @beat(
        "Why not write freely? That would take a square of weights, | "
        "from every number to every number: | "
        "{square} for one head. | In GPT-3, over 150 million."
    )
    def a_square_of_weights(self) -> Shown:
        lengths, maps, vector = self.lengths, self.maps, self.lengths.vector
        gone = Disappear(*(part for part in lengths if part is not vector))
        up = Shift(vector, by=maps.high - vector.get_center())
        square = Appear(maps.small, run_time=STEADY), Then(Hold(), Appear(maps.reading))
        yield gone, Then(Hold(), Together(up, self.travel_to(maps.seen_small), *square))
        maps.number.put(count(0, "weights so far"))
        filled = Draw(maps.full, run_time=SLOW), Count(maps.number, maps.square, SLOW)
        yield Then(Appear(maps.told[0], run_time=REST), Together(*filled))
        yield Pulse(maps.told[0], run_time=SLOW)
        gone = Disappear(maps.told[0], vector, maps.reading, run_time=REST)
        named = Then(Hold(SLOW), Appear(maps.told[1], maps.ours))
        yield gone, Appear(maps.large, scale=1.0), self.travel_to(maps.seen_large), named

    @beat(
        "So a head goes down to {thin} numbers, | and up again to {wide}: | "
        "with {share} percent of the weights here, | and 2 percent in GPT-3."
    )
    def down_and_up(self) -> Shown:
        maps, vector = self.maps, self.lengths.vector
        left = Disappear(maps.ours, maps.told[1], run_time=REST)
        near = Together(left, self.pull_back(STEADY), Then(Hold(), Disappear(maps.large)))
        square = Disappear(maps.small, maps.full), Appear(vector)
        goes = Then(Appear(maps.going, run_time=SOON), TurnInto(maps.going, maps.value))
        named = Then(Hold(STEADY), Appear(maps.size, maps.names[0]))
        yield Then(near, Together(*square, Appear(maps.narrowing), goes, named))
        rises = Then(Appear(maps.rising, run_time=SOON), TurnInto(maps.rising, maps.pushed))
        yield Appear(maps.widening), rises, Then(Hold(STEADY), Appear(maps.names[1]))
        gone = Disappear(vector, maps.value, maps.pushed, maps.size, *maps.names, run_time=REST)
        bars = TurnInto(maps.narrowing, maps.down), TurnInto(maps.widening, maps.up)
        ours = Then(Hold(), Appear(maps.small, scale=1.0), Appear(maps.told[2]))
        yield Then(Together(gone, *bars), Together(self.travel_to(maps.seen_small, STEADY), ours))
        far = self.travel_to(maps.seen_large), Appear(maps.large, scale=1.0)
        named = Then(Hold(SLOW), Together(Flow(map(Draw, maps.bars)), Appear(maps.told[3])))
        yield *far, Disappear(maps.told[2], run_time=REST), named

    @beat(
        "That has a price. | Here are words, in two directions that this head can write, | "
        "and in one that it can't. | Through the head, they come out flat. | "
        "Take another that it can't write: flat again. | "
        "It has {rank} directions of {wide}, and no more.",
        everywhere="Here that costs nothing. | Here are words, in three of all directions. | "
        "Turn them as you like: | what comes through the head | is never flat: | "
        "it has all {wide} directions.",
    )
    def the_price(self) -> Shown:
        maps, cloud, (ground, height) = self.maps, self.cloud, self.named
        flat = 0.0 if self.circumstances()["everywhere"] else 1.0
        left = Disappear(maps.told[3], maps.large, *maps.bars, maps.small, maps.down)
        yield Then(Together(left, self.pull_back(STEADY)), TurnInto(maps.up, cloud.ground))
        yield Appear(cloud.dots), Appear(ground), Vary(cloud.look, 0, 30, run_time=SLOW)
        yield Draw(cloud.axis), Appear(height), Vary(cloud.look, 30, 60, run_time=SLOW)
        fall, edge = Vary(cloud.squash, 0, flat, run_time=SLOW), Vary(cloud.tilt, LOW, EDGE)
        yield Recolor(cloud.dots, role=OUTPUT), Then(fall, edge)
        cloud.feed(-1)
        rise = Vary(cloud.squash, flat, 0), Vary(cloud.tilt, EDGE, LOW)
        fed = Together(*rise, Recolor(cloud.dots, role=theme.INK), Pulse(height))
        again = Recolor(cloud.dots, role=OUTPUT), Vary(cloud.squash, 0, flat)
        yield Then(fed, Hold(), Together(*again))
        named = Then(Disappear(ground, height), Appear(self.directions))
        yield named, Vary(cloud.tilt, LOW, HIGH, run_time=SLOW)

    @beat(
        "Every head has a way up of its own, | {thin} rows. | "
        "Stacked, they are one matrix, W O: | together they reach {reach} directions.",
        single="This layer has one head only, | with {thin} rows: | they are its matrix, W O, | "
        "and reach {reach} directions.",
    )
    def a_way_up_for_each(self) -> Shown:
        ways, cloud = self.all, self.cloud
        edge, far = Vary(cloud.tilt, HIGH, 0.0, run_time=SLOW), self.travel_to(ways.far, STEADY)
        rows = Flow(ComeFrom(row, cloud.ground, QUICK, fit=False) for row in ways.own.rows)
        others = Flow(Appear(up) for up in ways.ups if up is not ways.own)
        rising = Disappear(cloud.dots, cloud.ground, cloud.axis), rows, Appear(ways.own.outline)
        yield Then(edge, Together(*rising), Together(far, others), Appear(ways.ring, ways.ours))
        yield Pulse(ways.own, ways.ring, scale=SLIGHTLY)
        shifts = [Shift(up, by=by) for up, by in zip(ways.ups, ways.closing, strict=True)]
        closer = self.travel_to(ways.near, STEADY), Then(Hold(STEADY), Appear(ways.symbol))
        yield Disappear(ways.ring, ways.ours), *shifts, *closer
        step = 1.5 * SLOW / len(self.ranks)
        told = (count(rank, "directions that these heads reach") for rank in self.ranks)
        counting = ((Hold(0.8 * step), Count(self.rank_told, value, 0.2 * step)) for value in told)
        yield Visit(ways.ring, ways.first, 1.5 * SLOW), Then(*counting)

    @beat(
        "Back to {token}, and what this head has found: | "
        "each number weighs one row of the head, | and every other number its own. | "
        "Added up, the rows are what it writes. | {besides}, | "
        "and {token} is changed. | So its own rows decide | where a head writes."
    )
    def own_rows(self) -> Shown:
        ways, own = self.all, self.all.own
        others = [up for up in ways.ups if up is not own]
        left = Disappear(ways.symbol, ways.ring, self.directions, *others)
        token = Appear(ways.before, self.lengths.chip)
        found = Then(Hold(QUICK), token, Appear(ways.found, ways.found_name), Pulse(ways.found))
        yield left, self.pull_back(STEADY), Shift(own, by=-ways.closing[self.head]), found
        comes = ComeFrom(ways.lifted, own.rows[ways.heaviest], fit=False)
        weighed = TurnInto(ways.lifted, ways.weighed)
        yield Then(Draw(ways.picked), comes, Appear(ways.times), weighed)
        back = GoInto(ways.weighed, own.rows[ways.heaviest])
        weighs = Flow(map(TurnInto, own.rows, ways.weighted.rows), SLOW)
        yield Then(Disappear(ways.times, ways.picked, run_time=REST), back, weighs)
        rows = [*zip(ways.weighted.rows, ways.falling.rows, strict=True)][::-1]
        falling = Flow((self._leave(*pair, ways.written) for pair in rows), SLOW)
        yield falling, Then(Hold(STEADY), Appear(ways.written), Hold(STEADY), Appear(ways.names[0]))
        yield Flow(map(Appear, ways.others)), Appear(*ways.names[1:])
        strips = zip((ways.written, *ways.others), ways.strips, strict=True)
        into = Flow((self._leave(*pair, ways.after) for pair in strips), STEADY)
        changed = Appear(ways.after, scale=1.0), Disappear(ways.before)
        told = Together(Draw(ways.cell), Appear(ways.change))
        yield Then(Together(into, Then(Hold(STEADY), Together(*changed))), told)
        aside = ways.cell, ways.change, ways.found_name, *ways.names[1:], *ways.others
        yield Disappear(*aside), Then(Hold(), Together(Draw(ways.frame), Appear(ways.named)))
        yield Then(Pulse(ways.named), Pulse(ways.names[0]))

    # What only this film shows

    def _leave(self, body: VMobject, twin: VMobject, goal: Area) -> Verb:
        """Return how a twin goes into another body; its like comes back once its place is free."""
        swap = Appear(twin, run_time=SOON, scale=1.0), Disappear(body, run_time=SOON)
        back = Then(Hold(QUICK), Appear(body, scale=1.0))
        return Then(Together(swap), Together(GoInto(twin, goal), back))

    def _named(self) -> tuple[Words, Words]:
        """Return what the ground of the cloud is, and what its height is."""
        cloud, size, rank = self.cloud, theme.SPOKEN_SIZE, count(self.rank, "directions")
        rest = count(len(self.map) - self.rank, "directions that the head does not reach")
        ground = Words("two of {} directions that it can write", rank, size=size, role=OUTPUT)
        height = Words("one of {} that it can't", rest, size=size)
        if not rest.number:
            ground, height = Words("three of {} directions", rank, size=size), Words(" ")
        self.stage.set_at_foot(ground, 3 * GAP)
        height.next_to(cloud.axis, UP, buff=HAIR)
        return ground, height


GPT_3 = "Brown et al. 2020, table 2.1, GPT-3"
LARGE, SMALL = 12_288, 128  # d_model and d_head of GPT-3
LARGE_SQUARE = constant(LARGE**2, f"{GPT_3}, d_model squared")
LARGE_BOTH = constant(2 * LARGE * SMALL, f"{GPT_3}, twice d_model times d_head")
FILLED, THICK = 0.94, 0.45  # of the stage's width, the longest vector; scene units, its thickness
LARGEST = 2 * theme.SPOKEN_SIZE  # of the number that counts weights
MANY, EDGE, HIGH = 240, 5.0, 40.0  # words fed to the head; degrees, looking down on what is flat
OTHERS, APART = 0.25, 0.4  # scene units, strips of others; of a head's height, two heads
SLIGHTLY, SHADE = 1.04, 0.15  # times as large, what swells among others; of a colour, in a funnel
SOON = 0.15  # seconds, in which a twin comes in where its like stands


class Lengths(VGroup):
    """What a head found over a token's vector, as long as they are: a scene unit has as many.

    Nobody has `asked` yet what fills the `gap` between them. A `ring` as long as what was found
    goes along the `windows` of the vector.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, found, vector = film.stage, film.found[film.head], film.vector
        self.unit = unit = min(FILLED * region.width, region.width - THICK - GAP) / len(vector)
        self.found = Area(found, unit, outline=VALUE, thickness=THICK, upright=False)
        self.vector = Area(vector, unit, thickness=THICK, upright=False)
        self.chip = Chip(film.tokens[film.token], HEADING_SIZE)
        self.vector.move_to(region.center).align_to((region.right, 0, 0), RIGHT)
        self.vector.set_y(region.bottom + self.chip.height + GAP + THICK / 2)
        self.chip.next_to(self.vector, DOWN, buff=GAP).align_to(self.vector, LEFT)
        self.found.move_to(self.vector).set_y(film.under_title.top - THICK / 2)
        self.gap = _funnel(self.found, self.vector, QUIET)
        self.asked = Words("?", size=2 * LARGEST).move_to(self.gap)
        size = theme.SPOKEN_SIZE if region.is_narrow else HEADING_SIZE
        self.found_name, self.vector_name = (
            Words("{} numbers", entry_count(each), size=size) for each in (found, vector)
        )
        end = self.found.get_right()[0] + GAP + self.found_name.width
        self.found_name.next_to(self.found, RIGHT if end < region.right else DOWN, buff=GAP)
        self.vector_name.next_to(self.chip, RIGHT, buff=GAP)
        times = max(1, len(vector) // len(found))
        width = self.vector.outline.width / times
        boxes = (Rectangle(width=width, height=THICK) for _ in range(times))
        self.windows = VGroup(*boxes).arrange(RIGHT, buff=0).move_to(self.vector.outline)
        self.ring = Ring(self.windows[0])
        super().__init__(self.gap, self.found, self.vector, self.found_name, self.chip)
        self.add(self.asked, self.vector_name, self.ring)


class Maps(VGroup):
    """A head's map as a square under the vector that it maps, and what a head has instead.

    All weights have one scale, ours and those of GPT-3, whose square is `large`: `seen_small` and
    `seen_large` are the views of them. Of the square `full` of cells, `down` and `up` fill a part,
    `bars` of the large one; `told` says how many weights there are. Where the vector is near, it
    is `going` down to its `value` and `rising` to what that has `pushed`.
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
        cells = len(film.map) // int(np.ceil(THINNEST / unit))
        self.full = Raster(cells, side, QUIET)[1]
        self.full.move_to(self.high + (THICK / 2 + GAP + side / 2) * DOWN)
        outlined = partial(Square, color=theme.color(QUIET), fill_opacity=theme.FAINTEST_FILL)
        self.small = outlined(side).move_to(self.full)
        self.large = outlined(unit * LARGE).move_to(self.full, aligned_edge=UP + LEFT)
        self.reading = Area(film.vector, unit, thickness=THICK).next_to(self.full, LEFT, buff=GAP)
        self.down = Area(transposed(film.down), unit, outline=VALUE)
        self.up = Area(film.up, unit, outline=OUTPUT)
        over = max(0.0, 2 * self.up.height - side)  # where a head is as wide as the vector
        VGroup(self.down, self.up).arrange(DOWN, buff=-over).move_to(self.full, UP)
        bar = partial(Rectangle, width=unit * LARGE, height=unit * SMALL, stroke_width=0)
        self.bars = [bar(fill_color=theme.color(role), fill_opacity=1) for role in (VALUE, OUTPUT)]
        VGroup(*self.bars).arrange(DOWN, buff=0).move_to(self.large, UP)
        room, aside = region.split(0.63)
        both = VGroup(self.full, self.reading, self.going), self.large
        self.seen_small, self.seen_large = (WHOLE.onto(box_of(one), room, 1.0) for one in both)
        pair, square = entry_count(film.down) + entry_count(film.up), entry_count(film.map)
        words = partial(Words, "{}", size=HEADING_SIZE)
        share = partial(Words, "{:.0%} of the square", size=HEADING_SIZE, role=theme.ACCENT)
        number = partial(Number, decimals=0, size=HEADING_SIZE if region.is_narrow else LARGEST)
        self.number, self.square = number(square, anchor=LEFT), square
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
        self.add(self.reading, self.narrowing, self.widening)
        self.add(self.going, self.value, self.rising, self.pushed)
        self.add(*self.names, self.size, *self.told, self.ours)


def _funnel(one: Area, other: Area, role: theme.Role) -> Polygon:
    """Return what narrows or widens from a strip to one under it."""
    ends = one.get_corner(DOWN + LEFT), one.get_corner(DOWN + RIGHT)
    corners = *ends, other.get_corner(UP + RIGHT), other.get_corner(UP + LEFT)
    return Polygon(*corners, color=theme.color(role), fill_opacity=SHADE)


class WaysUp(VGroup):
    """A head's rows of W_O as wide as the stage, in the stack of all heads' that reaches beyond it.

    `ups[h]` are a head's rows, apart until they go by `closing`; `first[k]` is the place of k + 1
    of them then, the own among them; `far` the view of all. Of the head shown: `found`, beside its
    rows; `lifted`, the row with the heaviest number, and `weighed`; `weighted`, all rows times
    theirs; `written`, their sum. The `others` write under that, and a bias, if there is one, is the
    last of them; they have one scale with the token's vector, which all `strips` change from
    `before`, at the bottom, to `after`.
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
        self.found = Area(z, unit, outline=VALUE, thickness=THICK, strips=thin)
        flat = partial(Area, unit=unit, outline=OUTPUT, thickness=THICK, upright=False)
        added = [film.vector, film.changed, film.written[head], *film.added]
        strip = partial(flat, largest=max(float(np.abs(each.array).max()) for each in added))
        self.before, self.after, self.written = map(strip, added[:3])
        for each in (self.before, self.after):
            each.move_to(film.lengths.vector)
        texts = "what this head writes", *([film.more] if film.more else [])
        self.names = [Words(each, size=theme.SPOKEN_SIZE, role=OUTPUT) for each in texts]
        upper = VGroup(self.names[0], self.written).arrange(DOWN, buff=HAIR)
        column, top = VGroup(own, upper), region.top - THICK - HAIR
        free = top - float(self.before.get_top()[1]) - own.height - upper.height
        pitch = free - self.names[-1].height - HAIR - 3 * GAP
        pitch = min(OTHERS, pitch / max(1, len(film.added)))
        self.others = [strip(out, thickness=0.8 * pitch) for out in film.added]
        for other in self.others:
            other.outline.set_stroke(width=theme.THIN_LINE / 2)
        if film.added:
            lower = VGroup(*self.others).arrange(DOWN, buff=0.2 * pitch)
            column.add(VGroup(self.names[1], lower).arrange(DOWN, buff=HAIR))
            free -= column[-1].height
        column.arrange(DOWN, buff=free / len(column)).match_x(self.before)
        column.shift((top - column.get_top()[1]) * UP)
        self.weighted.move_to(own)
        self.falling = self.weighted.copy()
        self.found.next_to(own, LEFT, buff=GAP)
        self.strips = [each.copy() for each in (self.written, *self.others)]
        self.frame = Ring(self.weighted)
        self.named = Words("this head's own rows", size=theme.SPOKEN_SIZE, role=theme.ACCENT)
        self.named.next_to(self.frame, UP, buff=HAIR)
        self.found_name = Words("found", size=theme.SPOKEN_SIZE, role=VALUE)
        self.found_name.next_to(self.found, UP, buff=HAIR, aligned_edge=LEFT)
        self._lift(film, rows)
        self._stack(region, film.spans)
        super().__init__(*self.ups, self.weighted, self.found, self.before, self.after)
        self.add(self.written, *self.others, self.found_name, *self.names, self.falling)
        self.add(self.lifted, self.weighed, self.times, self.picked, self.cell, self.change)
        self.add(*self.strips, self.frame, self.named, self.symbol, self.ours, self.ring)

    def _lift(self, film: DownAndUpAgain, rows: Tensor) -> None:
        """Make the row with the heaviest number, lifted out, and the number that changes most."""
        z, ours = film.found[film.head], film.ups[film.head]
        unit = self.own.outline.width / len(film.vector)
        self.heaviest = place = int(np.abs(z.array).argmax())
        flat = partial(Area, unit=unit, outline=OUTPUT, thickness=THICK, upright=False)
        self.lifted = flat(ours[place], largest=float(np.abs(ours.array).max()))
        self.weighed = flat(rows[place], largest=float(np.abs(rows.array).max()))
        VGroup(self.lifted, self.weighed).arrange(DOWN, buff=-THICK).move_to(self.written)
        self.times = Words("{:.2f} times its row", z.values[place], size=theme.SPOKEN_SIZE)
        self.times.move_to(self.names[0])
        self.picked = Ring(VGroup(self.found.band(place), self.own.band(place)), corner=0)
        most = int(np.abs(film.changed.array - film.vector.array).argmax())
        pair = film.vector.values[most], film.changed.values[most]
        self.change = Words("one of its numbers: {:.2f}, now {:.2f}", *pair, size=theme.SPOKEN_SIZE)
        chip = film.lengths.chip
        self.change.shrink_to(film.stage.right - float(chip.get_right()[0]) - GAP)
        self.change.next_to(chip, RIGHT, buff=GAP)
        box = Rectangle(width=unit, height=THICK).move_to(self.before.outline)
        self.cell = Ring(box.shift((most + 0.5 - len(film.vector) / 2) * unit * RIGHT), HAIR / 2)

    def _stack(self, region: Region, spans: Sequence[slice]) -> None:
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
        self.first = [Ring(VGroup(*self.ups[span]), off) for span in spans]
        self.closing = [up.get_center() - at for up, at in zip(self.ups, apart, strict=True)]
        for up, way in zip(self.ups, self.closing, strict=True):
            up.shift(-way)
