"""A head's few numbers change a long vector: each adds its row, and a head has no other rows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import accumulate

import numpy as np
from manim import Rectangle, Square, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import ease_in_quad

from scenes import theme, verbs
from scenes.figures.taken_rows import SHADE, SOON, TakenRows, bands, falls, funnel
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.tokens import Chip
from scenes.provenance import added, count, entry_count, transposed
from scenes.theme import GAP, HAIR, HEADING_SIZE, INK, OUTPUT, QUIET, REST, SPOKEN_SIZE, VALUE
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, TurnInto, Vary


class DownAndUpAgain(Film):
    """Each number that a head finds adds one row of W_O, and these rows are all that it can add."""

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 83
    poster_beat = "each-adds-its-row"

    def observe(self) -> None:
        """Find what the head has mixed, its rows, and where they can push a word's vector."""
        where = self.layer, self.head
        self.token = self.followed()
        self.down, self.up = (self.tensor(f"weights.W_{name}")[where] for name in "VO")
        read = (self.tensor(n)[self.layer] for n in ("weights.W_O", "z", "head_out", "resid_pre"))
        self.ups, self.mixed, self.pushes, self.stream = read
        self.found = self.mixed[self.head, self.token]
        self.ranked = np.argsort(-np.abs(self.found.array), kind="stable").tolist()
        self.values, pattern = (self.tensor(name)[where] for name in ("v", "pattern"))
        weights = pattern.array[self.token, : self.token + 1]
        sources = np.argsort(-weights, kind="stable").tolist()
        firsts = (sorted(sources[:many]) for many in (HEARD, LOUDEST))
        self.heard, self.loudest = ({i: float(weights[i]) for i in each} for each in firsts)
        self.vector = self.stream[self.token]
        self.order = sorted(range(len(self.ups)), key=lambda head: abs(head - self.head))
        # strips stand together: in all of them, what is as large as this is as strong as can be
        self.largest = float(np.abs(self.pushes.double[:, self.token].sum(0)).max()) / BRIGHTER
        sizes = np.linalg.svd(self.up.double, compute_uv=False)
        self.rank = int((sizes > sizes[0] * NOTHING).sum())
        nearest = accumulate([head] for head in self.order)
        stacks = (np.concatenate(self.ups.array[heads]) for heads in nearest)
        self.ranks = [int(np.linalg.matrix_rank(each)) for each in stacks]

    def circumstances(self) -> Mapping[str, bool]:
        told = {"everywhere": self.rank == len(self.vector), "single": len(self.ups) == 1}
        return {**super().circumstances(), **told}

    def words(self) -> Mapping[str, str]:
        wide, thin = self.down.shape
        alone, full = len(self.tokens) == 1, self.ranks[-1] == wide
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
            "reach": f"all {wide}" if full else str(self.ranks[-1]),
            "share": f"{200 * thin / wide:.0f}",
        }

    def cast(self) -> None:
        self.lengths, self.hour = Lengths(self), Hourglass(self)
        self.risen = Found(self)
        self.shortcut, self.stack = Shortcut(self), Stack(self)
        self.stand(self.lengths, self.risen, self.hour, self.shortcut)
        self.stand(self.stack)

    @beat(
        "For {token}, one part of the model, a head, {mixes} | into {thin} numbers. | "
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
        "Each of them has its own row of {wide}, | and says how much of it to add. | "
        "This one says {top}. | Here's its row, as bars: | add it {times} times{turned}."
    )
    def a_row_for_each(self) -> Shown:
        lengths, risen, rows = self.lengths, self.risen, self.risen.rows
        up = verbs.Shift(lengths.found, lengths.found_name, by=risen.rises)
        wider = Together(up, verbs.Become(lengths.gap, risen.gap))
        many = Appear(risen.block, risen.block_name, scale=1.0)
        left = Disappear(*lengths.bands, *lengths.heard, lengths.asked)
        aside = verbs.Dim(*lengths.word), Disappear(lengths.gap, run_time=REST)
        yield Then(left, wider, Together(aside), many)
        yield Then(Draw(rows.ring), Draw(risen.own))
        yield Then(Disappear(risen.block_name, run_time=REST), Appear(rows.told), Pulse(rows.told))
        alone = Appear(risen.strip, scale=1.0, run_time=SOON), Disappear(risen.block, risen.own)
        bars = verbs.Fade(rows.row, to=1.0), Vary(rows.grow, 0, 1)
        gone = Disappear(risen.strip, run_time=theme.STEADY)
        yield Then(*alone, verbs.Become(risen.strip, risen.near), Together(bars, gone))
        added = verbs.Fade(rows.total, to=1.0), Vary(rows.lay_down, 0, 1, theme.SLOW)
        yield Then(Together(added), Appear(rows.added), Pulse(rows.ring, rows.told, rows.added))

    @beat(
        "The next number takes its own row as often as it says, | "
        "then all the others do so, | and the sum is the change."
    )
    def all_the_others(self) -> Shown:
        lengths, rows = self.lengths, self.risen.rows
        first = Disappear(rows.told), Vary(rows.grow, 1, 0, REST)
        second = Vary(rows.fall, 1, min(2, rows.many), 2 * theme.SLOW)
        yield Then(Together(first), Together(second, Then(Hold(), Appear(rows.then_told))))
        many = Vary(rows.fall, min(2, rows.many), rows.many, 2 * theme.SLOW, ease_in_quad)
        yield Disappear(rows.then_told), many
        gone = Disappear(rows.ring, rows.row, rows.added), verbs.Undim(*lengths.word)
        yield *gone, Then(Appear(rows.sum_name), Pulse(rows.sum_name))

    @beat(
        "Where do these few come from? | A head takes each word's {wide} numbers | "
        "down to {thin}, its value, | mixes the values, | "
        "and goes up again, by its rows."
    )
    def down_and_up(self) -> Shown:
        lengths, rows, hour = self.lengths, self.risen.rows, self.hour
        long, value, mixed, change = hour.names
        words = lengths.found, lengths.found_name, *lengths.word
        left = Disappear(rows.total, rows.sum_name, *words)
        yield left, Then(Hold(SOON), Flow(map(Appear, hour.read)), Appear(*hour.chips))
        yield Pulse(*hour.chips, *hour.read, scale=SLIGHTLY), Appear(long)
        yield Then(Flow(map(falls, hour.narrowing, hour.made)), Appear(value))
        yield Then(Flow(map(falls, hour.bands)), Appear(hour.found, mixed, scale=1.0))
        yield falls(hour.widening, hour.change, change)

    @beat(
        "Why so few? | Straight from {wide} to {wide} takes a whole square of weights. | "
        "Down and up takes {share} percent of it.",
        everywhere="Why so few? | Straight from {wide} to {wide} takes a whole square of weights. "
        "| Down and up takes {share} percent of it, here.",
    )
    def a_whole_square_instead(self) -> Shown:
        hour, shortcut = self.hour, self.shortcut
        yield Pulse(hour.found, hour.names[2], scale=SLIGHTLY)
        square = Appear(shortcut.square, scale=1.0, run_time=theme.STEADY), Appear(shortcut.whole)
        yield Disappear(*hour), Then(Hold(REST / 2), *square, Pulse(shortcut.whole))
        came = Flow(Appear(*each, scale=1.0) for each in shortcut.parts)
        laid = Flow(verbs.Shift(*each, by=shortcut.way) for each in shortcut.parts)
        yield Then(came, laid, Appear(shortcut.share), Pulse(shortcut.share))

    @beat(
        "The price: a head can only mix its {thin} rows, | "
        "so it reaches only {rank} directions of {wide}. | "
        "But every head has its own: together, they reach {reach} directions. | "
        "Stacked, they are one matrix, W O.",
        single="A head can only mix its {thin} rows, | "
        "so it reaches {rank} directions of {wide}. | "
        "This layer has one head only: its rows reach {reach} directions. | "
        "They are the matrix, W O.",
        everywhere="A head can only mix its {thin} rows, | "
        "so it reaches all {rank} directions, here. | "
        "But every head has its own: together, they reach {reach} directions. | "
        "Stacked, they are one matrix, W O.",
    )
    def rows_of_every_head(self) -> Shown:
        stack, shortcut = self.stack, self.shortcut
        left = Disappear(*(part for part in shortcut if part is not shortcut.up))
        own = TurnInto(shortcut.up, stack.own), Appear(stack.rows)
        yield Then(left, *own, Pulse(stack.own, stack.rows, scale=SLIGHTLY))
        yield Then(Appear(stack.directions), Pulse(stack.directions))
        counts = (Vary(stack.reach, k, k + 1, theme.QUICK) for k in range(len(stack.ups)))
        came = (Appear(stack.ups[head], scale=1.0) for head in self.order[1:])
        others = map(Together, (Pulse(stack.own, scale=SLIGHTLY), *came), counts)
        yield Disappear(stack.rows, run_time=REST), Then(*others, Pulse(stack.directions))
        yield Then(Together(stack.close), Appear(stack.symbol), Pulse(stack.symbol))

    @beat(
        "So that's how {thin} numbers change {wide}: | each adds its own row, | "
        "and their sum is added to {token}."
    )
    def each_adds_its_row(self) -> Shown:
        stack, risen, rows, lengths = self.stack, self.risen, self.risen.rows, self.lengths
        named = Appear(lengths.found, lengths.found_name, risen.block_name)
        left = Disappear(*(part for part in stack if part is not stack.own))
        yield Then(left, TurnInto(stack.own, risen.block), named, Appear(*lengths.word))
        pointed = verbs.Fade(rows.ring, risen.own, rows.total, to=1.0, run_time=REST)
        yield pointed, Vary(risen.take, 0, len(self.found), 2 * theme.SLOW, ease_in_quad)
        sinks = verbs.Fade(*rows.row.bars, to=1.0, run_time=SOON), Vary(rows.sink, 0, 1)
        apart = Then(verbs.Shift(risen.before, by=risen.lifts), Appear(risen.before_name))
        used = risen.block, risen.block_name, lengths.found, lengths.found_name
        told = Disappear(rows.ring, risen.own, *used), Appear(rows.sum_name)
        seen = Together(verbs.Fade(risen.before, to=1.0, run_time=SOON), apart)
        changes = TurnInto(lengths.vector, risen.changed), Pulse(risen.changed, lengths.chip)
        yield Then(Together(told), seen, Together(sinks), *changes)

    def others(self, shown: int, size: float) -> list[Words]:
        """Return how many words are mixed, too, beside those that are shown, if there are any."""
        unheard = count(self.token + 1 - shown, "words that matter less")
        return [Words("{} more", unheard, size=size, role=VALUE)] * (unheard.number > 0)


# What only this film shows

NOTHING, BRIGHTER = 1e-5, 3  # of the largest singular value; what divides the largest number
STEPS = ("{} numbers", "value: {}", "mixed: {}", "change: {}"), ("{}",) * 4  # of an hourglass
LONG = 0.2, 0.13  # of the stage's width, before an hourglass; upright frames second
HEARD, LOUDEST = 4, 2  # words that are mixed, at most; where there is less room
LEVELS = 0.06, 0.19, 0.43, 0.66, 0.92  # of the stage's height, down to all that is in an hourglass
NUMERAL, THICK = 0.17, 0.5  # of the stage's width, before the rows; scene units, a long vector
SLIGHTLY = 1.02  # times as large
APART = 0.2  # of their height, heads' rows before they are stacked


class Lengths(VGroup):
    """What a head `found`, mixed from what it has `heard`, over a token's `vector`."""

    def __init__(self, film: DownAndUpAgain) -> None:
        region, vector = film.stage, film.vector
        self.unit = unit = (1 - NUMERAL) * region.width / len(vector)
        flat = partial(Area, unit=unit, thickness=THICK, upright=False, largest=film.largest)
        self.found, self.vector = flat(film.found, outline=VALUE), flat(vector)
        self.chip = Chip(film.tokens[film.token], SPOKEN_SIZE)
        low = region.bottom + self.chip.height + GAP
        self.vector.move_to((region.right, low + THICK / 2, 0), RIGHT)
        self.chip.next_to(self.vector, LEFT, buff=GAP)
        top, low = film.under_title.top, low + THICK
        chips = (Chip(film.tokens[i], HEADING_SIZE) for i in film.heard)
        self.heard = [*chips, *film.others(len(film.heard), HEADING_SIZE)]
        row = VGroup(*self.heard).arrange(RIGHT, buff=GAP)
        region.fit_width(row)
        region.hold(row.match_x(self.vector).set_y(top - row.height / 2))
        self.found.match_x(self.vector).set_y(0.42 * low + 0.58 * top)
        self.bands = bands(self.heard, [*film.heard.values()], self.found)
        self.gap = funnel(self.found, self.vector, QUIET)
        self.asked = Words("?", size=4 * SPOKEN_SIZE).move_to(self.gap)
        told = partial(Words, "{} numbers", size=SPOKEN_SIZE)
        self.found_name, self.vector_name = told(entry_count(film.found)), told(entry_count(vector))
        at = (DOWN, HAIR) if len(film.found) == len(vector) else (RIGHT, GAP)
        self.found_name.next_to(self.found, *at)
        wide = [self.chip] if self.chip.width > NUMERAL * region.width - GAP else []
        under = VGroup(*wide, self.vector_name).arrange(RIGHT, buff=GAP)
        under.next_to(self.vector, DOWN, buff=GAP).align_to(self.vector, LEFT)
        self.word = self.vector, self.chip, self.vector_name
        super().__init__(*self.bands, *self.heard, self.gap, self.found, self.vector)
        self.add(self.found_name, self.chip, self.asked, self.vector_name)


class Found(VGroup):
    """What a head found, risen over its rows, a `block`; a `strip` of it is the first of `rows`.

    A ring is on a number's `own` row in the block; in the end the word is `changed`, and what it
    was `before` stands over it.
    """

    def __init__(self, film: DownAndUpAgain) -> None:
        region, lengths = film.stage, film.lengths
        self.rises = (region.top - THICK / 2 - lengths.found.get_y()) * UP
        risen = lengths.found.copy().shift(self.rises)
        word = lengths.vector
        self.lifts = (lengths.chip.height + HAIR) * UP
        low = word.get_top()[1] + self.lifts[1] - region.bottom + GAP
        room = region.lowered(THICK + 2 * GAP).raised(low)
        left, above = float(word.get_left()[0]), risen.outline
        self.rows = rows = TakenRows(
            film.up, film.found, film.ranked[0], room, above=above, left=left
        )
        self.block = Area(film.up, lengths.unit, outline=OUTPUT)
        high = min(self.block.height, room.top - rows.highest - GAP)
        self.block.stretch_to_fit_height(high).move_to((word.get_x(), room.top, 0), UP)
        self.block_name = Words("{} rows", entry_count(film.found), size=SPOKEN_SIZE, role=OUTPUT)
        self.block_name.shrink_to(left - GAP - region.left)
        self.block_name.next_to(self.block, LEFT, buff=GAP)
        self.gap = funnel(risen, word, QUIET)
        own = added(film.vector, film.pushes[film.head, film.token])
        flat = partial(Area, unit=lengths.unit, thickness=THICK, upright=False)
        both = (flat(each, largest=film.largest).move_to(word) for each in (own, film.vector))
        self.changed, self.before = both
        self.before_name = Words("before", size=SPOKEN_SIZE).shrink_to(left - GAP - region.left)
        self.before_name.next_to(word, LEFT, buff=GAP).shift(self.lifts)
        self.down = self.block.outline.copy()
        high = self.down.height / len(film.found)
        self.own = Ring(Rectangle(width=self.down.width, height=high), corner=0)
        self.point_at(film.ranked[0])
        first = film.up[film.ranked[0]]
        self.strip, self.near = flat(first, thickness=high), flat(first)
        self.strip.move_to(self.own)
        self.near.move_to(rows.row.line)
        super().__init__(self.block, self.block_name, self.changed, self.before, rows, self.own)
        self.add(self.before_name, self.strip)

    def point_at(self, row: int) -> None:
        """Put the ring on a row."""
        self.own.move_to(self.down, UP).shift(row * self.own.height * DOWN)

    def take(self, at: float) -> None:
        """Let so many rows be in their sum, and point at the last, of which there is a share."""
        self.rows.take(at)
        self.point_at(min(int(at), len(self.rows.running) - 2))


class Hourglass(VGroup):
    """Words go down to values, these are mixed to what was found, and that goes up again."""

    def __init__(self, film: DownAndUpAgain) -> None:
        named = film.stage.is_narrow
        mixed = film.loudest if named else film.heard
        heard = [*mixed]
        region = film.stage.columns(LONG[named])[1]
        more = film.others(len(heard), HEADING_SIZE)
        columns = max(LOUDEST, len(heard) + len(more))
        unit = 0.93 * region.width / columns / len(film.vector)
        pitch, thick = unit * len(film.vector) / 0.93, 0.09 * region.height
        flat = partial(Area, unit=unit, thickness=thick, upright=False, largest=film.largest)
        self.words = [flat(film.stream[i]) for i in heard]
        self.values = [flat(film.values[i], outline=VALUE) for i in heard]
        self.found = flat(film.found, outline=VALUE)
        self.change = flat(film.pushes[film.head, film.token], outline=OUTPUT)
        self.chips = [*(Chip(film.tokens[i], HEADING_SIZE, pitch - HAIR) for i in heard), *more]
        heights = [region.top - share * region.height for share in LEVELS]
        self.read, self.made = VGroup(*self.words), VGroup(*self.values)
        for row, role in ((self.read, QUIET), (self.made, VALUE)):
            blank = partial(Rectangle, width=row[0].width, height=row[0].height)
            row.add(*(blank(color=theme.color(role), stroke_width=theme.THIN_LINE) for _ in more))
            row.arrange(RIGHT, buff=pitch - row[0].width)
        room, sizes = region.left - GAP, (film.vector, film.found, film.found, film.vector)
        names = zip(STEPS[named], map(entry_count, sizes), (INK, VALUE, VALUE, OUTPUT), strict=True)
        self.names = [Words(how, n, size=HEADING_SIZE, role=role) for how, n, role in names]
        bodies = self.read, self.made, self.found, self.change
        for body, name, y in zip(bodies, self.names, heights[1:], strict=True):
            body.move_to((region.center[0], y, 0))
            name.shrink_to(room - film.stage.left).move_to((room, y, 0), RIGHT)
        for chip, word in zip(self.chips, self.read, strict=True):
            chip.move_to((word.get_x(), heights[0], 0))
        self.bands = bands([*self.made], [*mixed.values()], self.found)
        self.narrowing = [funnel(*p, VALUE) for p in zip(self.read, self.made, strict=True)]
        VGroup(*self.narrowing).set_stroke(width=0).set_fill(opacity=1.5 * SHADE)
        self.widening = funnel(self.found, self.change, OUTPUT)
        super().__init__(*self.narrowing, *self.bands, self.widening, *self.names)
        self.add(*self.chips, *self.read, *self.made, self.found, self.change)


class Shortcut(VGroup):
    """A square, the `whole`, and `parts` of a head, on a `way` to it, which are a `share` of it."""

    def __init__(self, film: DownAndUpAgain) -> None:
        stage, (thin, wide) = film.stage, film.up.shape
        line, is_wide = partial(Words, size=HEADING_SIZE), stage.width > 1.4 * stage.height
        both = entry_count(film.down) + entry_count(film.up)
        whole = count(wide**2, "weights from all numbers to all")
        self.whole = line("straight: {:,.0f} weights", whole)
        self.share = Words("{:.0%} of the square", both / whole, size=2 * SPOKEN_SIZE)
        called = [line("down", role=VALUE), line("up", role=OUTPUT)]
        aside = max(name.width for name in called) + GAP
        room, tall = stage.width - aside, stage.height - 2 * (self.share.height + GAP)
        laid = 2 * thin / wide
        sides = (room - aside - 2 * GAP) / 2, tall / max(1.0, laid)
        if not is_wide:
            sides = room, (tall - GAP) / (max(1.0, laid) + laid)
        unit = min(sides) / wide
        side, strip = unit * wide, unit * thin
        self.square = Square(side, color=theme.color(QUIET), fill_opacity=theme.FAINTEST_FILL)
        self.down = Area(transposed(film.down), unit, outline=VALUE)
        self.up = Area(film.up, unit, outline=OUTPUT)
        pairs = list(zip((self.down, self.up), called, strict=True))
        apart = max(0.0, called[0].height + HAIR - strip) / 2
        for place, (body, name) in enumerate(pairs):
            body.align_to(self.square, LEFT).align_to(self.square, UP).shift(place * strip * DOWN)
            name.next_to(body, RIGHT, buff=GAP).shift((1 - 2 * place) * apart * UP)
        self.parts = [VGroup(*pair) for pair in pairs]
        self.whole.shrink_to(side)
        self.whole.next_to(VGroup(self.square, self.down, self.up), DOWN, buff=GAP)
        self.way = (side + aside + 2 * GAP) * LEFT if is_wide else (laid * side + GAP) * DOWN
        VGroup(*self.parts).shift(-self.way)
        if is_wide:
            self.share.shrink_to(room - side - 2 * GAP)
            self.share.next_to(self.square, RIGHT, buff=aside + 2 * GAP)
        else:
            self.share.shrink_to(side)
            self.share.next_to(self.whole, DOWN, buff=GAP)
        bodies = self.square, self.down, self.up
        super().__init__(*bodies, *called, self.whole, self.share)
        self.move_to(stage.center)


class Stack(VGroup):
    """All heads' rows, `ups`, apart at first; their `symbol`, and the `directions` they reach.

    Where the symbol stands, it is first said how many `rows` the own ones are.
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
        aside.inset(GAP).fit(VGroup(self.symbol, self.number, of).arrange(DOWN))
        self.directions = VGroup(self.number, of)
        self.rows = Words("its {} rows", entry_count(film.found), size=HEADING_SIZE, role=OUTPUT)
        self.rows.shrink_to(aside.width).move_to(self.symbol)
        self.reached = [count(rank, "directions reached") for rank in (film.rank, *film.ranks)]
        super().__init__(*self.ups, self.symbol, self.rows, self.directions)

    def reach(self, heads: float) -> None:
        """Say how many directions so many heads reach, a head that is whole at a time."""
        self.number.put(self.reached[int(heads)])
