"""A head's few numbers change a long vector: each adds its row, and a head has no other rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce

import numpy as np
from manim import DashedLine, Polygon, Rectangle, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import provenance, theme, verbs
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.outlines import in_space
from scenes.mobjects.space import RINGS, Space
from scenes.mobjects.text import Formula, Number, Words, label_of
from scenes.mobjects.tokens import Chip
from scenes.provenance import Tensor, added, constant, count, entry_count, scaled, stacked
from scenes.theme import GAP, HAIR, HEADING_SIZE, OUTPUT, QUIET, REST, SPOKEN_SIZE, STEADY, VALUE
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, TurnInto, Vary


class DownAndUpAgain(Film):
    """Each number that a head finds adds one row of W_O, and no head can push another way."""

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
    poster_beat = "each-adds-its-row"

    def observe(self) -> None:
        """Find what the head has mixed, its rows, and where they can push a word's vector."""
        where = self.layer, self.head
        self.token = self.followed()
        self.down, self.up = (self.tensor(f"weights.W_{name}")[where] for name in "VO")
        self.ups = self.tensor("weights.W_O")[self.layer]
        self.mixed = self.tensor("z")[self.layer]
        self.found = self.mixed[self.head, self.token]
        self.pushes = self.tensor("head_out")[self.layer]
        self.ranked = np.argsort(-np.abs(self.found.array), kind="stable").tolist()
        self.values, self.stream = self.tensor("v")[where], self.tensor("resid_pre")[self.layer]
        weights = self.tensor("pattern")[where].array[self.token]
        heard = np.argsort(-weights[: self.token + 1], kind="stable")[:HEARD].tolist()
        self.heard = {source: float(weights[source]) for source in sorted(heard)}
        self.vector = self.stream[self.token]
        self.changed = reduce(added, (self.vector, *(out[self.token] for out in self.pushes)))
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
        full = self.ranks[-1] == wide
        together = "any way" if full else "many more ways"
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
            "mixes": "has put what it says itself" if alone else "has mixed what the words say",
            "pushes": "All its pushes" if alone else "The head's pushes for other words",
            "other": "The vector itself" if single else "What another head adds",
            "all": "and no other way" if single else f"all heads together, {together}",
            "reach": f"all {wide}" if full else str(self.ranks[-1]),
            "share": f"{200 * thin / wide:.0f}",
        }

    def cast(self) -> None:
        self.lengths = Lengths(self)
        self.rows, self.hour = Rows(self), Hourglass(self)
        self.shortcut, self.stack, self.floor = Shortcut(self), Stack(self), Floor(self)
        self.ending = Ending(self, self.lengths)
        self.stand(self.lengths, self.rows, self.floor, self.hour, self.shortcut)
        self.stand(self.ending, self.stack)

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
        left = [part for part in lengths if part not in (lengths.found, lengths.found_name)]
        up = verbs.Shift(lengths.found, lengths.found_name, by=rows.found_rises)
        each = Flow(Appear(row) for row in rows.raw)
        yield Disappear(*left), Then(Hold(REST), up, each)
        shown = zip(rows.boxes, rows.numbers, strict=True)
        told = [Together(verbs.Visit(rows.ring, [box], REST), Appear(each)) for box, each in shown]
        yield Then(Draw(rows.ring, run_time=REST), *told, Appear(*rows.more))
        yield verbs.Visit(rows.ring, rows.boxes[:1], STEADY), Pulse(rows.numbers[0])
        named = zip(rows.raw, rows.weighed, (*rows.numbers, *rows.more), strict=True)
        weigh = [
            Then(verbs.GoInto(name, raw.get_left(), theme.QUICK), TurnInto(raw, product))
            for raw, product, name in named
        ]
        yield weigh[0]
        yield Disappear(rows.ring), Flow(weigh[1:], STEADY)
        passed = Flow((Pulse(row, scale=SLIGHTLY) for row in rows.weighed), STEADY)
        falls = verbs.ComeFrom(rows.sum, rows.weighed[-1], fit=False)
        yield Together(passed, falls), Then(Hold(STEADY), Appear(rows.sum_name))

    @beat(
        "Adding rows pushes {token}: but only along these rows. | "
        "They reach {rank} directions of {wide}: call that a floor. | "
        "{pushes} lie there, too. | {other} points off the floor. | "
        "Our head could make its shadow, but never the part above.",
        everywhere="Adding rows pushes {token}: but only along these rows. | "
        "Here, they reach all {wide} directions: | {pushes} lie there, | "
        "and so does any other push: | it has no shadow but itself.",
    )
    def only_along_its_rows(self) -> Shown:
        lengths, rows, space = self.lengths, self.rows, self.floor
        own, *others, other, shadow = zip(space.arrows, space.labels, strict=True)
        left = lengths.found, lengths.found_name, *rows.weighed, rows.sum_name
        pushed = TurnInto(rows.sum, own[0]), Appear(own[1])
        own_rows = Flow((Pulse(row, scale=SLIGHTLY) for row in rows.weighed), STEADY)
        floor = Then(Hold(REST), Appear(space.ground, scale=1.0))
        yield Then(own_rows, Together(Disappear(*left), *pushed, floor))
        yield Appear(space.told), Vary(space.turn_to, 0, TURNED, run_time=theme.SLOW)
        yield Flow(Appear(arrow) for arrow, _ in others) if others else Pulse(own[1])
        yield Then(Together(Appear(other[0]), Vary(space.stand_at, 0, 1)), Appear(other[1]))
        falls = Together(Vary(space.stand_at, 1, 2), Appear(space.plumb, scale=1.0))
        gone = Disappear(own[1], *(arrow for arrow, _ in others))
        yield gone, Then(Appear(shadow[0], run_time=SOON), falls, Appear(shadow[1]))

    @beat(
        "Why so few? | Each word comes with {wide} numbers. | "
        "A head takes them down to {thin}, the word's value, | mixes the values, | "
        "and goes up again, by its rows. | Straight across, it's a whole square of weights: | "
        "down and up takes {share} percent of it, | in GPT-3, 2. The price is that floor."
    )
    def down_and_up(self) -> Shown:
        space, hour, shortcut = self.floor, self.hour, self.shortcut
        left = *space.arrows[1:], *space.labels, space.ground, space.told, space.plumb
        yield Pulse(space.told), Pulse(space.arrows[0])
        words = Flow(Appear(*pair) for pair in zip(hour.chips, hour.words, strict=True))
        goes = Then(Vary(space.turn_to, TURNED, 0), TurnInto(space.arrows[0], hour.change))
        yield Disappear(*left), goes, Then(Hold(REST), words)
        down = Flow(Appear(each, scale=1.0) for each in hour.narrowing)
        values = Flow(map(verbs.ComeFrom, hour.values, hour.words))
        seen = Flow(Pulse(each, scale=1.3) for each in hour.values)
        yield Then(Together(down, values), Together(seen, Appear(hour.value_name)))
        yield Then(Appear(*hour.bands, scale=1.0), Appear(hour.found))
        yield Appear(hour.widening, scale=1.0), Pulse(hour.change)
        ends = hour.words[-1], hour.change
        across = map(TurnInto, ends, (shortcut.reading, shortcut.writing))
        gone = Disappear(*(part for part in hour if part not in ends))
        yield gone, Together(across), Then(Hold(STEADY - REST), Appear(shortcut.square, scale=1.0))
        yield Flow(map(Draw, (shortcut.down, shortcut.up))), Then(Hold(), Appear(shortcut.told[0]))
        thin = map(TurnInto, (shortcut.down, shortcut.up), shortcut.bars)
        ours = verbs.Dim(shortcut.told[0]), Disappear(shortcut.reading, shortcut.writing)
        yield *ours, Together(thin), Then(Hold(), Appear(shortcut.told[1]))

    @beat(
        "And every head has rows of its own. | Stacked, they are one matrix, W O: | "
        "together, they reach {reach} directions.",
        single="This layer has one head only: | its rows are the matrix, W O, | "
        "and reach {reach} directions.",
    )
    def rows_of_every_head(self) -> Shown:
        stack, shortcut = self.stack, self.shortcut
        left = Disappear(*shortcut.bars, shortcut.square, *shortcut.told)
        yield left, Then(Hold(theme.QUICK / 2), Flow(map(Appear, stack.ups)))
        yield Together(stack.close), Then(Hold(), Appear(stack.symbol))
        counts = (Vary(stack.reach, k, k + 1, theme.QUICK) for k in range(len(stack.ups)))
        lit = map(Together, map(verbs.Undim, stack.ups), counts)
        yield Appear(stack.directions, run_time=REST), Then(verbs.Dim(*stack.ups), *lit)

    @beat(
        "So that's how {thin} numbers change {wide}: | each adds its own row. | "
        "One head pushes {token} only along its {thin} rows; | {all}."
    )
    def each_adds_its_row(self) -> Shown:
        stack, end, own = self.stack, self.ending, self.head
        left = *(up for up in stack.ups if up is not stack.own), stack.symbol, stack.directions
        found, word = end.found[own], Appear(self.lengths.chip, end.before, end.found[own])
        wider = Then(Hold(REST), TurnInto(stack.own, end.rows))
        yield Disappear(*left), wider, Then(Hold(STEADY), word)
        yield Then(Pulse(found), verbs.ComeFrom(end.pushes[own], end.rows, fit=False))
        stack.directions.move_to(end.middle)
        one = verbs.Count(stack.number, count(self.rank, "directions of this head"), SOON)
        told = Then(Hold(STEADY), Appear(stack.directions))
        yield one, TurnInto(end.rows, end.funnels[own]), told
        come = Flow(map(partial(Appear, scale=1.0), end.found, end.funnels))
        every = Vary(stack.reach, 1, len(stack.ups))
        added_up = Appear(end.sum, end.told, scale=1.0), Disappear(end.pushes[own])
        falls = verbs.ComeFrom(end.after, end.sum, fit=False), Disappear(end.before)
        yield Then(Together(come, every), Together(*added_up), Together(*falls), Hold(STEADY))


# What only this film shows

LARGE, SMALL = 12_288, 128  # d_model and d_head of GPT-3
LARGE_SHARE = constant(2 * SMALL / LARGE, "Brown et al. 2020, table 2.1, twice d_head of d_model")
NOTHING = 1e-5  # a singular value so small, beside the largest, is none
HEARD, LARGE_ROWS = 4, 3  # words at most that are mixed; rows that count most
LEVELS = 0.05, 0.16, 0.4, 0.62, 0.87  # of the stage's height, down to all that is in an hourglass
NUMERAL, THICK = 0.16, 0.5  # of the stage's width, before the rows; scene units, a long vector
TURNED = 40  # degrees by which the floor turns
FLAT = np.array([1, 0, 1])  # of three directions, those of the ground
SHADE, STREAM = 0.2, 0.45  # of a colour, in a funnel and in what is mixed
SLIGHTLY, SOON = 1.02, 0.15  # times as large, what swells; seconds, in which a twin comes in
APART = 0.2  # of their height, rows of heads before they are stacked


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


class Lengths(VGroup):
    """What a head `found`, mixed from what it has `heard`, over a token's `vector`."""

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
        sizes = map(entry_count, (film.found, vector))
        named = (Words("{} numbers", size, size=SPOKEN_SIZE) for size in sizes)
        self.found_name, self.vector_name = named
        self.found_name.next_to(self.found, RIGHT, buff=GAP)
        if len(film.found) == len(vector):
            self.found_name.next_to(self.found, DOWN, buff=HAIR)
        self.vector_name.next_to(self.chip, RIGHT, buff=GAP)
        super().__init__(*self.bands, *self.heard, self.gap, self.found, self.vector)
        self.add(self.found_name, self.chip, self.asked, self.vector_name)


class Rows(VGroup):
    """Those rows of a head that count most, large, and all `more` of them in one block.

    `raw` rows are `weighed` by their `numbers`, those in the `boxes`; their `sum` is under all.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, lengths, z = film.stage, film.lengths, film.found.values
        ranked, rows = film.ranked, [film.up[i] for i in film.ranked]
        products = [scaled(z[i], row) for i, row in zip(ranked, rows, strict=True)]
        n = min(LARGE_ROWS, len(rows))
        parts = [slice(k, k + 1) for k in range(n)]
        parts += [slice(n, None)] * (len(rows) > n)
        total = film.pushes[film.head, film.token]
        most = max(float(np.abs(e.array).max()) for e in (*rows, *products, total))
        self.found_rises = (region.top - THICK / 2 - lengths.found.get_y()) * UP
        room = region.lowered(THICK + 2 * GAP).raised(THICK + 2 * GAP)
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
        foot = region.bottom + GAP + THICK / 2
        self.sum = block(total, foot, THICK)
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
        super().__init__(*self.raw, *self.weighed, self.sum, *named, self.ring)


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
            [*("the change" for _ in named), other, "its shadow"],
            film.stage.raised(4 * GAP).lowered(GAP),
            colors=[theme.color(role) for role in roles],
            size=SPOKEN_SIZE,
            turns=range(0, TURNED + 1, 10),
        )
        self.turn_to(TURNED)
        top, foot = in_space(self.seen(np.stack([tip, tip * FLAT]))[0])
        self.plumb = DashedLine(top, foot, color=theme.color(theme.ACCENT))
        self.turn_to(0)
        rank, wide = count(film.rank, "directions"), entry_count(film.vector)
        told = "the floor: two of its {} directions, of {}", rank, wide
        self.told = Words(*told, size=SPOKEN_SIZE, role=OUTPUT)
        film.stage.set_at_foot(self.told, 4 * GAP)
        self.ground.set_stroke(width=0)[:RINGS].set_fill(theme.color(OUTPUT), SHADE)
        self.add(self.told, self.plumb)


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
        super().__init__(*self.narrowing, *self.bands, self.widening)
        self.add(*self.chips, *self.words, *self.values, self.found, self.change, self.value_name)


class Shortcut(VGroup):
    """A square of weights, from a word's numbers to its change, and what a head has instead.

    `down` and `up` fill a part of it, `bars` as much as GPT-3's; `told` says how much.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        room, aside = film.stage.split(0.63)
        wide = len(film.vector)
        side = min(room.width, room.height) - 2 * THICK - 2 * GAP
        unit, strip = side / wide, partial(Area, thickness=THICK)
        self.square = Square(side, color=theme.color(QUIET), fill_opacity=theme.FAINTEST_FILL)
        self.square.move_to(room.center + (THICK / 2 + GAP) * UP)
        self.square.align_to((room.right - GAP, 0, 0), RIGHT)
        self.reading, push = strip(film.stream[max(film.heard)], unit), film.pushes[film.head]
        self.reading.next_to(self.square, LEFT, buff=GAP)
        self.writing = strip(push[film.token], unit, outline=OUTPUT, upright=False)
        self.writing.next_to(self.square, DOWN, buff=GAP)
        self.down = Area(provenance.transposed(film.down), unit, outline=VALUE)
        self.up = Area(film.up, unit, outline=OUTPUT)
        over = max(0.0, 2 * self.up.height - side)  # where a head is as wide as the vector
        VGroup(self.down, self.up).arrange(DOWN, buff=-over).move_to(self.square, UP)
        bar = partial(Rectangle, width=side, height=side * SMALL / LARGE, stroke_width=0)
        self.bars = [bar(fill_color=theme.color(role), fill_opacity=1) for role in (VALUE, OUTPUT)]
        VGroup(*self.bars).arrange(DOWN, buff=0).move_to(self.square, UP)
        both = entry_count(film.down) + entry_count(film.up)
        share = both / count(wide**2, "weights from all numbers to all")
        line = partial(Words, size=HEADING_SIZE, role=theme.ACCENT)
        self.told = line("{:.0%} of the square", share), line("{}: {:.0%}", "GPT-3", LARGE_SHARE)
        aside.inset(GAP).fit(VGroup(*self.told).arrange(DOWN, aligned_edge=LEFT, buff=GAP))
        super().__init__(self.square, *self.bars, self.down, self.up)
        self.add(self.reading, self.writing, *self.told)


class Stack(VGroup):
    """All heads' rows, `ups`, apart at first, with the `symbol` of what they are together.

    Beside them, how many `directions` they reach, with its `number`.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        is_tall = film.stage.height > 1.4 * film.stage.width
        room, aside = film.stage.split(0.6) if is_tall else film.stage.columns(0.6)
        heads, (thin, wide) = len(film.ups), film.up.shape
        unit = min(room.width / wide, room.height / (heads + APART * (heads - 1)) / thin)
        self.ups = [Area(rows, unit, outline=OUTPUT) for rows in film.ups]
        self.own, self.apart = self.ups[film.head], APART * thin * unit
        VGroup(*self.ups).arrange(DOWN, buff=self.apart).move_to(room.center)
        ways = ((k - (heads - 1) / 2) * self.apart * UP for k in range(heads))
        self.close = [verbs.Shift(up, by=way) for up, way in zip(self.ups, ways, strict=True)]
        self.symbol = Formula("$output(W_O)$", HEADING_SIZE)
        self.number = Number(count(film.rank, "directions"), 0, 2 * SPOKEN_SIZE)
        of = Words("of {} directions", count(wide, "directions"), size=HEADING_SIZE)
        aside.inset(GAP).fit(VGroup(self.symbol, self.number, of).arrange(DOWN, aligned_edge=LEFT))
        self.directions = VGroup(self.number, of)
        told = "directions that these heads reach"
        self.reached = [count(rank, told) for rank in (film.rank, *film.ranks)]
        super().__init__(*self.ups, self.symbol, self.directions)

    def reach(self, heads: float) -> None:
        """Say how many directions so many heads reach, a head that is whole at a time."""
        self.number.put(self.reached[int(heads)])


class Ending(VGroup):
    """From what all heads `found`, the `funnels` of their `pushes` to a vector `before` them."""

    def __init__(self, film: DownAndUpAgain, lengths: Lengths) -> None:
        pushes, word = [out[film.token] for out in film.pushes], (film.vector, film.changed)
        all_ = *pushes, reduce(added, pushes)
        most = max(float(np.abs(each.array).max()) for each in (*all_, *word))
        flat = partial(Area, thickness=THICK, upright=False)
        long = partial(flat, unit=lengths.unit, largest=most)
        self.before, self.after = (long(e, outline=QUIET).move_to(lengths.vector) for e in word)
        over = (long(push, outline=OUTPUT).next_to(self.before, UP, buff=HAIR) for push in all_)
        *self.pushes, self.sum = over
        unit = lengths.unit * min(1.0, len(film.vector) / len(pushes) / len(film.found))
        self.found = [flat(z[film.token], unit=unit, outline=VALUE) for z in film.mixed]
        row = VGroup(*self.found).arrange(RIGHT, buff=0).match_x(lengths.vector)
        row.set_y(film.stage.top - THICK / 2)
        self.funnels = [_funnel(one, self.sum, OUTPUT) for one in self.found]
        VGroup(*self.funnels).set_stroke(width=0).set_fill(opacity=min(SHADE, 0.7 / len(pushes)))
        self.middle, free = (row.get_bottom() + self.sum.get_top()) / 2, row.get_y() - THICK - GAP
        unit = min(lengths.unit, (free - self.sum.get_top()[1]) / len(film.up))
        self.rows = Area(film.up, unit, outline=OUTPUT).move_to(self.middle)
        self.told = Words("+ all heads", size=SPOKEN_SIZE, role=OUTPUT)
        self.told.next_to(lengths.chip, RIGHT, buff=GAP)
        super().__init__(*self.funnels, *self.found, self.before, self.after, *self.pushes)
        self.add(self.sum, self.rows, self.told)
