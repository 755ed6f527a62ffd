"""A head's few numbers change a long vector: each adds its row, and a head has no other rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate

import numpy as np
from manim import Polygon, Rectangle, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.camera import WHOLE, box_of, pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.marks import Raster, Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.space import RINGS, Space
from scenes.mobjects.text import Formula, Number, Words, label_of
from scenes.mobjects.tokens import Chip
from scenes.provenance import (
    Tensor,
    added,
    constant,
    count,
    entry_count,
    scaled,
    stacked,
    transposed,
)
from scenes.theme import GAP, HAIR, HEADING_SIZE, OUTPUT, QUIET, REST, SPOKEN_SIZE, STEADY, VALUE
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, TurnInto, Vary


class DownAndUpAgain(Film):
    """Each number that a head finds adds one row of W_O, and no head can push another way."""

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 87
    poster_beat = "each-adds-its-row"

    def observe(self) -> None:
        """Find what the head has mixed, its rows, and where they can push a word's vector."""
        where = self.layer, self.head
        self.token = self.followed()
        self.down, self.up = (self.tensor(f"weights.W_{name}")[where] for name in "VO")
        self.ups = self.tensor("weights.W_O")[self.layer]
        self.changed = self.tensor("resid_mid")[self.layer, self.token]
        self.found = self.tensor("z")[where][self.token]
        self.pushes = self.tensor("head_out")[self.layer]
        self.ranked = np.argsort(-np.abs(self.found.array), kind="stable").tolist()
        self.values, self.stream = self.tensor("v")[where], self.tensor("resid_pre")[self.layer]
        weights = self.tensor("pattern")[where].array[self.token]
        heard = np.argsort(-weights[: self.token + 1], kind="stable")[:HEARD].tolist()
        self.heard = {source: float(weights[source]) for source in sorted(heard)}
        self.vector = self.stream[self.token]
        _, sizes, axes = np.linalg.svd(self.up.double)
        self.rank = int((sizes > sizes[0] * NOTHING).sum())
        self.basis = axes[: self.rank]
        stacks = (np.concatenate(list(self.ups.array[:end])) for end in range(1, len(self.ups) + 1))
        self.ranks = [int(np.linalg.matrix_rank(each)) for each in stacks]

    def circumstances(self) -> Mapping[str, bool]:
        everywhere = self.rank == len(self.vector)
        return {**super().circumstances(), "everywhere": everywhere, "single": len(self.ups) == 1}

    def words(self) -> Mapping[str, str]:
        wide, thin = self.down.shape
        alone, single = len(self.tokens) == 1, len(self.ups) == 1
        reach, together = str(self.ranks[-1]), "many more ways"
        if self.ranks[-1] == wide:
            reach, together = f"all {wide}", "any way"
        top = self.found.values[self.ranked[0]].number
        size = f"{abs(top):.{needed_decimals(self.found.values)}f}"
        return {
            "token": self.name_of(self.token),
            "wide": str(wide),
            "thin": str(thin),
            "rank": str(self.rank),
            "top": f"minus {size}" if top < 0 else size,
            "times": size,
            "turned": ", its signs turned" * (top < 0),
            "mixes": "has put what it says itself" if alone else "has mixed what other words say",
            "pushes": "All its pushes" if alone else "Its pushes for other words",
            "other": "The vector itself" if single else "What another head adds",
            "all": "and no other way" if single else f"all heads together, {together}",
            "reach": reach,
            "square": f"{wide**2:,}",
            "share": f"{200 * thin / wide:.0f}",
        }

    def cast(self) -> None:
        self.lengths = Lengths(self)
        self.rows, self.hour = Rows(self), Hourglass(self)
        self.squares, self.stack, self.floor = Squares(self), Stack(self), Floor(self)
        self.stand(self.lengths, self.rows, self.floor, self.hour, self.squares, self.stack)

    @beat(
        "For {token}, a head {mixes} | into {thin} numbers. | "
        "But {token} is a vector of {wide}. | How can {thin} numbers change {wide}?"
    )
    def few_into_many(self) -> Shown:
        lengths = self.lengths
        own = Appear(lengths.vector, lengths.chip, *lengths.heard, scale=1.0)
        yield own, Then(Hold(), Appear(*lengths.bands, scale=1.0), Appear(lengths.found))
        yield Appear(lengths.found_name), Pulse(lengths.found)
        yield Pulse(lengths.chip, lengths.vector, scale=SLIGHTLY), Appear(lengths.vector_name)
        yield Appear(lengths.gap, scale=1.0), Then(Appear(lengths.asked), Pulse(lengths.asked))

    @beat(
        "Each of them has its own row of {wide}, learned in training, | "
        "and says how much of it to add. | This one says {top}: | "
        "add the row {times} times{turned}. | So do all the others, | and the sum is the change."
    )
    def a_row_for_each(self) -> Shown:
        lengths, rows = self.lengths, self.rows
        left = *lengths.heard, *lengths.bands, lengths.gap, lengths.asked
        up = verbs.Shift(lengths.found, lengths.found_name, by=rows.found_rises)
        each = Flow(Appear(row) for row in rows.raw)
        yield Disappear(*left, lengths.vector_name), Then(Hold(REST), Together(up, each))
        shown = zip(rows.boxes, rows.numbers, strict=True)
        told = [Together(verbs.Visit(rows.ring, [box], REST), Appear(each)) for box, each in shown]
        yield Then(Draw(rows.ring, run_time=REST), *told, Appear(*rows.more))
        yield verbs.Visit(rows.ring, rows.boxes[:1], STEADY), Pulse(rows.numbers[0])
        weigh = [TurnInto(*pair) for pair in zip(rows.raw, rows.weighed, strict=True)]
        yield weigh[0]
        yield Disappear(rows.ring), Flow(weigh[1:], STEADY)
        yield Then(self._add_up(), Appear(rows.sum_name))

    def _add_up(self) -> verbs.Verb:
        """Return how the first weighed row goes down and takes up all others on its way."""
        rows, steps = self.rows, list[verbs.Verb]()
        goals = zip(rows.sums, rows.sums[1:], strict=False)
        for place, (here, there) in enumerate(goals):
            left = verbs.Fade(rows.weighed[place], to=theme.OUT_OF_FOCUS, run_time=REST)
            taken = [Disappear(each, run_time=REST) for each in rows.weighed[place + 1 :][:1]]
            steps.append(Together(TurnInto(here, there, 2 * REST), left, Then(Hold(), *taken)))
        swap = Appear(rows.sums[0], run_time=SOON), Disappear(rows.weighed[0], run_time=SOON)
        return Then(Together(swap), *steps, verbs.Fade(*rows.weighed, to=1))

    @beat(
        "Adding rows pushes {token}: but only along these rows. | "
        "They reach {rank} directions of {wide}: call that a floor. | "
        "{pushes} lie there, too. | {other} points off the floor. | "
        "Whatever our head finds, it can only make the shadow.",
        everywhere="Adding rows pushes {token}: but only along these rows. | "
        "Here, they reach all {wide} directions: | {pushes} lie there, | "
        "and so does any other push: | it has no shadow but itself.",
    )
    def only_along_its_rows(self) -> Shown:
        lengths, rows, space = self.lengths, self.rows, self.floor
        own, *others, other, shadow = zip(space.arrows, space.labels, strict=True)
        left = *lengths, *rows.weighed, *rows.numbers, *rows.more, rows.sum_name
        pushed = TurnInto(rows.sums[-1], own[0]), Appear(own[1])
        own_rows = Flow((Pulse(row, scale=SLIGHTLY) for row in rows.weighed), STEADY)
        yield Then(own_rows, Together(Disappear(*left), Then(Hold(REST), *pushed)))
        turn = Vary(space.turn_to, 0, TURNED, run_time=theme.SLOW)
        yield Appear(space.ground, scale=1.0), Appear(space.told), turn
        yield Flow(Appear(arrow) for arrow, _ in others) if others else Pulse(own[1])
        yield Then(Together(Appear(other[0]), Vary(space.stand_at, 0, 1)), Appear(other[1]))
        yield Then(Appear(shadow[0], run_time=SOON), Vary(space.stand_at, 1, 2), Appear(shadow[1]))

    @beat(
        "Why so few? | Each word comes with {wide} numbers. | "
        "A head takes them down to {thin}, the word's value, | mixes the values, | "
        "and goes up again, by its rows. | That saves weights. Straight across, it's a square: "
        "{square}; | down and up takes {share} percent; | in GPT-3, 2 percent of 150 million."
    )
    def down_and_up(self) -> Shown:
        space, hour, squares = self.floor, self.hour, self.squares
        left = *space.arrows[1:], *space.labels, space.ground, space.told
        yield Pulse(space.told), Pulse(space.arrows[0])
        words = Flow(Appear(*pair) for pair in zip(hour.chips, hour.words, strict=True))
        goes = TurnInto(space.arrows[0], hour.change)
        yield Disappear(*left), Then(Hold(REST), Together(goes, words))
        down = Flow(Appear(each, scale=1.0) for each in hour.narrowing)
        values = Flow(map(verbs.ComeFrom, hour.values, hour.words))
        seen = Flow(Pulse(each, scale=1.3) for each in hour.values)
        yield Then(Together(down, values), Together(seen, Appear(hour.value_name)))
        yield Then(Appear(*hour.bands, scale=1.0), Appear(hour.found, hour.found_name))
        yield Appear(hour.widening, scale=1.0), Pulse(hour.change)
        gone = [part for part in hour if part is not hour.change]
        across = Appear(squares.reading), TurnInto(hour.change, squares.writing)
        filled = Appear(squares.small, scale=1.0), Appear(squares.told[0])
        yield Disappear(*gone), Then(Hold(REST), Together(*across), Together(*filled))
        yield Flow(map(Draw, (squares.down, squares.up))), Then(Hold(), Appear(squares.told[1]))
        far = Appear(squares.large, squares.tiles, scale=1.0), self.travel_to(squares.far, STEADY)
        near = Disappear(*squares.told[:2], squares.reading, squares.writing, run_time=REST)
        told = Appear(squares.told[2]), Then(Flow(map(Draw, squares.bars)), Appear(squares.told[3]))
        yield near, *far, Then(Hold(STEADY), Together(*told))

    @beat(
        "And every head has rows of its own. | Stacked, they are one matrix, W O: | "
        "together, they reach {reach} directions.",
        single="This layer has one head only: | its rows are the matrix, W O, | "
        "and reach {reach} directions.",
    )
    def rows_of_every_head(self) -> Shown:
        stack, squares = self.stack, self.squares
        left = squares.large, squares.tiles, *squares.bars, *squares.told[2:]
        near = Together(Disappear(*left), self.pull_back(STEADY))
        own = Disappear(squares.small, squares.down), TurnInto(squares.up, stack.own)
        others = Flow(Appear(up) for up in stack.ups if up is not stack.own)
        yield Then(near, Together(*own))
        yield Then(others, Appear(stack.symbol))
        told = (count(rank, "directions that these heads reach") for rank in self.ranks)
        counts = (verbs.Count(stack.number, reached, SOON) for reached in told)
        each = map(Together, map(Pulse, stack.ups), counts)
        yield Appear(stack.directions, run_time=REST), Then(*each)

    @beat(
        "So that's how {thin} numbers change {wide}: | each adds its own row. | "
        "One head can push {token} along {thin} rows; | {all}."
    )
    def each_adds_its_row(self) -> Shown:
        lengths, rows, stack = self.lengths, self.rows, self.stack
        left = *(up for up in stack.ups if up is not stack.own), stack.symbol, stack.directions
        rest = lengths.found, lengths.found_name, rows.widening, lengths.vector, lengths.chip
        *large, block = rows.weighed
        own = Then(TurnInto(stack.own, block), Flow(map(Appear, reversed(large))))
        yield Disappear(*left), Then(own, Appear(*rest))
        total = Then(Hold(), Appear(rows.sums[-1], rows.sum_name))
        yield Flow(map(Appear, (*rows.numbers, *rows.more))), total
        yield Flow(Pulse(row, scale=SLIGHTLY) for row in rows.weighed)
        turned = Appear(rows.changed, scale=1.0), Disappear(lengths.vector)
        yield Pulse(rows.sums[-1], scale=SLIGHTLY), *turned, Appear(rows.told)


# What only this film shows

GPT_3 = "Brown et al. 2020, table 2.1, GPT-3"
LARGE, SMALL = 12_288, 128  # d_model and d_head of GPT-3
LARGE_SQUARE = constant(LARGE**2, f"{GPT_3}, d_model squared")
LARGE_BOTH = constant(2 * LARGE * SMALL, f"{GPT_3}, twice d_model times d_head")
NOTHING = 1e-5  # a singular value so small, beside the largest, is none
HEARD, LARGE_ROWS = 4, 3  # words at most that are mixed; rows that count most
LEVELS = 0.05, 0.16, 0.4, 0.62, 0.87  # of the stage's height, down to all that is in an hourglass
NUMERAL, THICK = 0.16, 0.5  # of the stage's width, before the rows; scene units, a long vector
TURNED, TILTED = 40, (26.0, 42.0)  # degrees: the floor turns, and one looks down on it
FLAT = np.array([1, 0, 1])  # of three directions, those of the ground
SHADE, STREAM = 0.2, 0.45  # of a colour, in a funnel and in what is mixed
SLIGHTLY, SOON = 1.02, 0.15  # times as large, what swells; seconds, in which a twin comes in


def _funnel(one: Area, other: Area, role: theme.Role) -> Polygon:
    """Return what narrows or widens from a strip to one under it."""
    ends = one.get_corner(DOWN + LEFT), one.get_corner(DOWN + RIGHT)
    corners = *ends, other.get_corner(UP + RIGHT), other.get_corner(UP + LEFT)
    return Polygon(*corners, color=theme.color(role), fill_opacity=SHADE)


def _bands(tops: Sequence[VMobject], film: DownAndUpAgain, into: Area) -> list[Polygon]:
    """Return bands from words or values to what they are mixed into, there as wide as weights."""
    start, right = into.get_corner(UP + LEFT), into.get_corner(UP + RIGHT)
    whole, found = right - start, list[Polygon]()
    for top, weight in zip(tops, film.heard.values(), strict=True):
        half, at, end = min(top.width, GAP) / 2 * RIGHT, top.get_bottom(), start + weight * whole
        found.append(Polygon(at - half, at + half, end, start, stroke_width=0))
        found[-1].set_fill(theme.color(VALUE), STREAM)
        start = end
    return found


def _counted(*bodies: Tensor) -> list[Words]:
    """Return how many numbers each of some vectors has, in words."""
    return [Words("{} numbers", entry_count(each), size=SPOKEN_SIZE) for each in bodies]


class Lengths(VGroup):
    """What a head `found`, mixed from what it has `heard`, over a token's `vector`.

    Both are as long as they are: a scene unit has as many numbers. Nobody has `asked` yet what
    fills the `gap` between them.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, vector = film.stage, film.vector
        self.unit = unit = (1 - NUMERAL) * region.width / len(vector)
        flat = partial(Area, unit=unit, thickness=THICK, upright=False)
        self.found, self.vector = flat(film.found, outline=VALUE), flat(vector)
        self.chip = Chip(film.tokens[film.token], SPOKEN_SIZE)
        low = region.bottom + self.chip.height + GAP
        self.vector.move_to((region.right, low + THICK / 2, 0), RIGHT)
        self.chip.next_to(self.vector, DOWN, buff=GAP).align_to(self.vector, LEFT)
        top, low = film.under_title.top, low + THICK
        self.heard = [Chip(film.tokens[i], HEADING_SIZE) for i in film.heard]
        row = VGroup(*self.heard).arrange(RIGHT, buff=GAP)
        region.fit_width(row)
        region.hold(row.match_x(self.vector).set_y(top - row.height / 2))
        self.found.match_x(self.vector).set_y(0.42 * low + 0.58 * top)
        self.bands = _bands(self.heard, film, self.found)
        self.gap = _funnel(self.found, self.vector, QUIET)
        self.asked = Words("?", size=4 * SPOKEN_SIZE).move_to(self.gap)
        self.found_name, self.vector_name = _counted(film.found, vector)
        self.found_name.next_to(self.found, RIGHT, buff=GAP)
        if len(film.found) == len(vector):
            self.found_name.next_to(self.found, DOWN, buff=HAIR)
        self.vector_name.next_to(self.chip, RIGHT, buff=GAP)
        super().__init__(*self.bands, *self.heard, self.gap, self.found, self.vector)
        self.add(self.found_name, self.chip, self.asked, self.vector_name)


class Rows(VGroup):
    """Those rows of a head that count most, large, and all `more` of them in one block.

    `raw` rows are `weighed` by their `numbers`, those in the `boxes`. `sums[k]` is the sum down to
    row k, at its place, the last one under all. Once all heads have pushed, there is `changed`.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, lengths, z = film.stage, film.lengths, film.found.values
        ranked, rows = film.ranked, [film.up[i] for i in film.ranked]
        products = [scaled(z[i], row) for i, row in zip(ranked, rows, strict=True)]
        n = min(LARGE_ROWS, len(rows))
        parts: list[slice] = [slice(k, k + 1) for k in range(n)] + [slice(n, None)] * (
            len(rows) > n
        )
        totals = list(accumulate(products, added))
        totals = [totals[min(part.stop or len(rows), len(rows)) - 1] for part in parts]
        most = max(float(np.abs(e.array).max()) for e in (*rows, *products, *totals))
        self.found_rises = (region.top - THICK / 2 - lengths.found.get_y()) * UP
        low = float(lengths.vector.get_top()[1]) + GAP
        room = region.lowered(THICK + 2 * GAP).raised(low + THICK + GAP - region.bottom)
        places = [each.center[1] for each in room.rows(len(parts))]
        high = 0.7 * room.height / len(parts)
        area = partial(Area, unit=lengths.unit, outline=OUTPUT, largest=most)

        def block(numbers: Tensor, y: float, height: float) -> Area:
            made = area(numbers, thickness=height, upright=False)
            return made.stretch_to_fit_height(height).match_x(lengths.vector).set_y(y)

        self.raw, self.weighed = (
            [block(stacked(each[part]), y, high) for part, y in zip(parts, places, strict=True)]
            for each in (rows, products)
        )
        foot = low + THICK / 2
        self.sums = [block(*each, high) for each in zip(totals, places, strict=True)]
        self.sums.append(block(totals[-1], foot, THICK))
        self.changed = Area(film.changed, lengths.unit, thickness=THICK, upright=False)
        self.changed.move_to(lengths.vector)
        edge = float(lengths.vector.get_left()[0])
        decimals, size = needed_decimals(z), SPOKEN_SIZE if region.is_narrow else HEADING_SIZE
        times = f"{{:.{decimals}f}} \N{MULTIPLICATION SIGN}"
        self.numbers = [Words(times, z[i], size=size, role=VALUE) for i in ranked[:n]]
        rest = [count(len(rows) - n, "rows that count less")] * (len(rows) > n)
        self.more = [Words("{} more", each, size=size, role=QUIET) for each in rest]
        self.sum_name = Words("sum", size=size, role=OUTPUT)
        named = *self.numbers, *self.more, self.sum_name
        for each, y in zip(named, (*places, foot), strict=True):
            each.shrink_to(edge - region.left - GAP / 2)
            each.move_to((edge - GAP / 2, y, 0), RIGHT)
        risen = lengths.found.copy().shift(self.found_rises)
        width = risen.outline.width / len(z)
        box = Rectangle(width=width, height=THICK).move_to(risen.outline, LEFT)
        self.boxes = [box.copy().shift(i * width * RIGHT) for i in ranked[:n]]
        self.ring = Ring(self.boxes[0], corner=0)
        self.widening = _funnel(risen, self.weighed[0], OUTPUT)
        self.told = Words("after all heads", size=SPOKEN_SIZE, role=OUTPUT)
        self.told.next_to(lengths.chip, RIGHT, buff=GAP)
        super().__init__(self.widening, *self.raw, *self.weighed, *self.sums, self.changed)
        self.add(*named, self.ring, self.told)


class Floor(Space):
    """Pushes of this head, and one that it cannot make, over what its rows reach.

    The ground holds two of the rows' directions: in it lie the head's own push, and the shadow of
    the other one, the nearest that it can come to it. Lengths and angles of the three are true.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        mine, span = film.pushes[film.head], film.basis.T @ film.basis
        named, own = dict[str, np.ndarray](), mine[film.token].double
        made = [out[film.token].double for k, out in enumerate(film.pushes) if k != film.head]
        made = made or [film.vector.double]
        wanted = max(made, key=lambda push: float(np.linalg.norm(push - span @ push)))
        parts = np.stack([own, span @ wanted, wanted - span @ wanted], axis=1)
        axes, sides = np.linalg.qr(parts)  # across, up, and towards us
        axes = (axes * np.where(np.diag(sides) < 0, -1, 1))[:, [0, 2, 1]]
        places = np.argsort(mine.double @ axes[:, 2]).tolist()
        for place in (film.token, places[0], places[-1]):
            named.setdefault(label_of(film.tokens[place]), mine[place].double @ axes * FLAT)
        tip = wanted @ axes
        ends = (0 * tip, 0 * tip), (tip, tip), (tip, tip * FLAT)
        stops = [np.array([*named.values(), *pair]) for pair in ends]
        roles = *(OUTPUT for _ in named), theme.INK, theme.ACCENT
        other = "another head" if len(film.ups) > 1 else "the vector itself"
        super().__init__(
            stops,
            [*named, other, "its shadow"],
            film.stage.raised(4 * GAP).lowered(GAP),
            colors=[theme.color(role) for role in roles],
            size=SPOKEN_SIZE,
            turns=range(0, TURNED + 1, 10),
            tilt=TILTED[film.stage.is_narrow],
        )
        rank, wide = count(film.rank, "directions"), entry_count(film.vector)
        told = "the floor: two of its {} directions, of {}", rank, wide
        self.told = Words(*told, size=SPOKEN_SIZE, role=OUTPUT)
        film.stage.set_at_foot(self.told, 4 * GAP)
        self.ground.set_stroke(width=0)[:RINGS].set_fill(theme.color(OUTPUT), SHADE)
        self.add(self.told)


class Hourglass(VGroup):
    """Words go down to values, these are mixed to what was found, and that goes up again."""

    def __init__(self, film: DownAndUpAgain) -> None:
        region, heard = film.stage, [*film.heard]
        unit = 0.93 * region.width / max(len(heard), 2) / len(film.vector)
        pitch, thick = unit * len(film.vector) / 0.93, 0.05 * region.height
        flat = partial(Area, unit=unit, thickness=thick, upright=False)
        self.words = [flat(film.stream[i]) for i in heard]
        self.values = [flat(film.values[i], outline=VALUE) for i in heard]
        self.found = flat(film.found, outline=VALUE)
        self.change = flat(film.pushes[film.head, film.token], outline=OUTPUT)
        self.chips = [Chip(film.tokens[i], SPOKEN_SIZE, pitch - HAIR) for i in heard]
        heights = [region.top - share * region.height for share in LEVELS]
        left = region.center[0] - pitch * len(heard) / 2
        for k, column in enumerate(zip(self.chips, self.words, self.values, strict=True)):
            for body, y in zip(column, heights[:3], strict=True):
                body.move_to((left + (k + 0.5) * pitch, y, 0))
        for body, y in zip((self.found, self.change), heights[3:], strict=True):
            body.move_to((region.center[0], y, 0))
        self.bands = _bands(self.values, film, self.found)
        self.narrowing = [_funnel(*p, VALUE) for p in zip(self.words, self.values, strict=True)]
        self.widening = _funnel(self.found, self.change, OUTPUT)
        self.value_name = Words("value", size=SPOKEN_SIZE, role=VALUE)
        beside = (RIGHT, UP) if 2 * film.rank < len(film.vector) else (DOWN, LEFT)
        self.value_name.next_to(self.values[0], beside[0], GAP, beside[1])
        self.found_name = _counted(film.found)[0].next_to(self.found, RIGHT, buff=GAP)
        super().__init__(*self.narrowing, *self.bands, self.widening)
        self.add(*self.chips, *self.words, *self.values, self.found, self.change)
        self.add(self.found_name, self.value_name)


class Squares(VGroup):
    """A square of weights, from a word's numbers to its change, and what a head has instead.

    GPT-3's square is `large`, seen from `far`; each of its `tiles` is as large as ours. `down` and
    `up` fill a part of our square, `bars` of the large one; `told` says how many weights there are.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        room, aside = film.stage.split(0.63)
        wide = len(film.vector)
        side = min(room.width, room.height) - 2 * THICK - 2 * GAP
        unit, strip = side / wide, partial(Area, thickness=THICK)
        outlined = partial(Square, color=theme.color(QUIET), fill_opacity=theme.FAINTEST_FILL)
        self.small = outlined(side).move_to(room.center + (THICK / 2 + GAP) * UP)
        self.small.align_to((room.right - GAP, 0, 0), RIGHT)
        self.reading = strip(film.vector, unit).next_to(self.small, LEFT, buff=GAP)
        push = film.pushes[film.head, film.token]
        self.writing = strip(push, unit, outline=OUTPUT, upright=False)
        self.writing.next_to(self.small, DOWN, buff=GAP)
        self.down = Area(transposed(film.down), unit, outline=VALUE)
        self.up = Area(film.up, unit, outline=OUTPUT)
        over = max(0.0, 2 * self.up.height - side)  # where a head is as wide as the vector
        VGroup(self.down, self.up).arrange(DOWN, buff=-over).move_to(self.small, UP)
        self.large = outlined(unit * LARGE).move_to(self.small, aligned_edge=UP + LEFT)
        self.tiles = Raster(round(LARGE / wide), unit * LARGE, QUIET)[1].move_to(self.large)
        bar = partial(Rectangle, width=unit * LARGE, height=unit * SMALL, stroke_width=0)
        self.bars = [bar(fill_color=theme.color(role), fill_opacity=1) for role in (VALUE, OUTPUT)]
        VGroup(*self.bars).arrange(DOWN, buff=0).move_to(self.large, UP)
        self.far = WHOLE.onto(box_of(self.large), room, 1.0)
        pair = entry_count(film.down) + entry_count(film.up)
        line = partial(Words, size=SPOKEN_SIZE if film.stage.is_narrow else HEADING_SIZE)
        self.told = [
            line("{:,.0f} weights", square := count(wide**2, "weights from all numbers to all")),
            line("{:.0%} of them", pair / square, role=theme.ACCENT),
            line("{}: {:,.0f}", "GPT-3", LARGE_SQUARE),
            line("{:.0%} of them", LARGE_BOTH / LARGE_SQUARE, role=theme.ACCENT),
        ]
        for pair_of in (self.told[:2], self.told[2:]):
            aside.inset(GAP).fit(VGroup(*pair_of).arrange(DOWN, aligned_edge=LEFT, buff=GAP))
        pin(*self.told)
        super().__init__(self.large, self.tiles, *self.bars, self.small)
        self.add(self.down, self.up, self.reading, self.writing, *self.told)


class Stack(VGroup):
    """All heads' rows, `ups`, one head's under another's: `directions` says how many they reach."""

    def __init__(self, film: DownAndUpAgain) -> None:
        room, aside = film.stage.inset(GAP).split(0.62)
        heads, (thin, wide) = len(film.ups), film.up.shape
        unit = min(room.width / wide, room.height / (heads * thin))
        self.ups = [Area(rows, unit, role=OUTPUT, outline=OUTPUT) for rows in film.ups]
        self.own = self.ups[film.head]
        VGroup(*self.ups).arrange(DOWN, buff=0).move_to(room.center)
        self.symbol = Formula("$output(W_O)$", HEADING_SIZE)
        size = SPOKEN_SIZE if film.stage.is_narrow else HEADING_SIZE
        self.number = Number(count(film.rank, "directions"), 0, 2 * SPOKEN_SIZE)
        of = Words("of {} directions", count(wide, "directions"), size=size)
        told = VGroup(self.symbol, self.number, of).arrange(DOWN, aligned_edge=LEFT)
        aside.inset(GAP).fit(told)
        self.directions = VGroup(self.number, of)
        super().__init__(*self.ups, self.symbol, self.directions)
