"""Rows taken so many times each, which fall into their sum. They know no head."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from itertools import accumulate

from manim import VGroup
from manim.constants import RIGHT

from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Words
from scenes.presence import parts_of, presence, set_presence
from scenes.provenance import Tensor, Value, added, count, scaled, stacked
from scenes.region import Region
from scenes.theme import GAP, HEADING_SIZE, OUTPUT, QUICK, QUIET, REST, SPOKEN_SIZE, VALUE
from scenes.verbs import Disappear, Hold, Then, Together, TurnInto, Vary, Verb

THIN, INSTANT = 0.01, 0.15  # of its height, a row as it turns over; seconds


class Times(VGroup):
    """A row that is taken `number` times: as high as that, turned over where it is negative.

    `own` is the row, `turned` has its signs turned, and `end` is the one seen when it is taken.
    """

    def __init__(self, row: Tensor, number: Value, picture: partial[Area], largest: float) -> None:
        self.number = number.number
        self.own = picture(row, largest=largest)
        self.turned = picture(scaled(number, row), largest=largest * abs(self.number))
        self.high, self.end = self.own.height, self.own if self.number >= 0 else self.turned
        super().__init__(self.own, self.turned)

    def take(self, share: float) -> None:
        """Take it once, so many times, or what lies between."""
        times = 1 + share * (self.number - 1)
        seen = max(presence(each.outline) for each in (self.own, self.turned))
        for each, is_up in ((self.own, True), (self.turned, False)):
            each.stretch_to_fit_height(self.high * max(abs(times), THIN))
            for part in parts_of(each):
                set_presence(part, seen * ((times >= 0) is is_up))


class TakenRows(VGroup):
    """Of a matrix the rows in `large`, and all `more` of them in one block, over their sum.

    `own` rows are taken by their `numbers`, and fall into `totals`, which end with their sum. Rows
    are drawn by `picture`, at the right of a `room`; totals are `thick`, at its foot. A number of
    `largest` is drawn as strong as can be.
    """

    def __init__(
        self,
        matrix: Tensor,
        times: Tensor,
        large: Sequence[int],
        picture: partial[Area],
        room: Region,
        *,
        largest: float,
        thick: float,
    ) -> None:
        z, n = times.values, len(large)
        order = [*large, *(i for i in range(len(z)) if i not in large)]
        rows = [matrix[i] for i in order]
        products = [scaled(z[i], matrix[i]) for i in order]
        parts = [slice(k, k + 1) for k in range(n)] + [slice(n, None)] * (len(rows) > n)
        sums = [*accumulate((reduce(added, products[part]) for part in reversed(parts)), added)]
        level, free = room.bottom + thick / 2, room.raised(thick + 2 * GAP)
        shares = [max(1.0, abs(z[i].number)) for i in large]
        shares += [sum(shares) / n] * (len(rows) > n)
        high = (free.height - GAP * (len(parts) - 1)) / sum(shares)
        ends = [*accumulate(share * high + GAP for share in shares)]
        heights = [
            free.top - end + GAP + share * high / 2 for end, share in zip(ends, shares, strict=True)
        ]
        flat = partial(picture, upright=False)
        one = partial(flat, thickness=high)
        self.times = [Times(rows[k], z[i], one, largest) for k, i in enumerate(large)]
        self.block = [
            flat(stacked(each[n:]), largest=largest).stretch_to_fit_height(shares[-1] * high)
            for each in (rows, products)
            if each[n:]
        ]
        self.totals = [flat(each, largest=largest, thickness=thick) for each in sums]
        bodies = [*self.times, *[VGroup(*self.block)] * bool(self.block), VGroup(*self.totals)]
        for body, y in zip(bodies, (*heights, level), strict=True):
            for each in body:
                each.move_to((room.right, y, 0), RIGHT)
        self.own = [*(each.own for each in self.times), *self.block[:1]]
        form = f"{{:.{needed_decimals(z)}f}} \u00d7"
        size = SPOKEN_SIZE if room.is_narrow else HEADING_SIZE
        self.numbers = [Words(form, z[i], size=size, role=VALUE) for i in large]
        rest = [count(len(rows) - n, "rows that count less")] * (len(rows) > n)
        self.more = [Words("{} more", each, size=size, role=QUIET) for each in rest]
        self.sum_name = Words("change", size=size, role=OUTPUT)
        named = *self.numbers, *self.more, self.sum_name
        edge = float(self.totals[0].get_left()[0]) - GAP
        for each, y in zip(named, (*heights, level), strict=True):
            each.shrink_to(edge - room.left).move_to((edge, y, 0), RIGHT)
        super().__init__(*self.times, *self.block, *self.totals, *named)

    def weighing(self) -> list[Verb]:
        """Return how each row is taken as often as its number says."""
        block = [TurnInto(old, new) for old, new in [self.block] * bool(self.block)]
        return [*(Vary(each.take, 0, 1) for each in self.times), *block]

    def again(self) -> Verb:
        """Return how rows that are unseen stand as they were, each once."""
        return Together(Vary(each.take, 1, 0, INSTANT) for each in self.times)

    def falls(self) -> Verb:
        """Return how the rows fall into their sum, the lowest first."""
        bodies, names = [each.end for each in self.times], [*self.numbers, *self.more]
        steps = list[Verb]()
        pairs = zip([*bodies, *self.block[1:]][::-1], names[::-1], self.totals, strict=True)
        for k, (body, name, total) in enumerate(pairs):
            before = self.totals[k - 1 : k]
            old = (Then(Hold(REST), Disappear(each, run_time=INSTANT)) for each in before)
            steps.append(Together(TurnInto(body, total, QUICK), Disappear(name), *old))
        return Then(*steps)
