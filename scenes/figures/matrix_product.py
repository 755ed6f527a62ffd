"""A matrix times a matrix, worked out before our eyes: rows by columns, or rows that add up.

`Scoring` has rows that turn to meet columns, entry by entry; `Mixing` has rows that are weighed and
fall into one. The rows of a product are level with those of the left factor, its columns stand
under those of the right one, so that the place of an entry says which row meets which column:

    yield Vary(scoring.swing, 0, 1)         # a row turns upright
    yield Vary(scoring.meet, 0, 1)          # and meets the first column, entry by entry
    yield Vary(scoring.go_on, NEXT, columns)  # then the others
    yield Vary(scoring.come, 0, 1)          # all other rows come at once
"""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
from manim import VGroup, VMobject
from manim.constants import RIGHT, UP
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.figures.sheet import CELL, Sheet, TurningRow, gap_of, shortened
from scenes.mobjects.fit import ease, eased
from scenes.mobjects.marks import Ring
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Number, Words, em_of
from scenes.provenance import Tensor, Value
from scenes.theme import FAINTEST_FILL, INK, KEY, LEAST_SIZE, QUERY, QUICK, TITLE_SIZE, VALUE
from scenes.verbs import Appear, GoInto, Then, Together, Verb

MULTIPLIED = 0.6  # of the time in which a row meets a column: all entries are multiplied
NEXT = 0.6  # of a leg, from one column to the next: a mark sets out
OFF = 1.25  # sides of an entry, from a row that stands up to the first column
COVERED = 0.5  # of an entry's way onto another, when that is seen no more
LATER = 8  # the power of the way down, by which what falls comes under its key

TERM = 0.86  # of an entry's side, the em of a product beside it, at most
LARGEST = 1.4  # times as large as a title, a sum, at most
FALL, LEG = (0.1, 0.4, 0.75), 0.25  # of a value's time: it shrinks, falls and joins, so long each
LATE = 2.0  # times as long as a query comes, until the last one begins

Floats = NDArray[np.float64]


class Scoring(VGroup):
    """Queries, keys as columns, and scores: row by row, key by key, or all at once.

    Parts: the sheets `q`, `k` and `s`; keys that are `lying` rows; the `strip` that one query
    becomes, and `drops`, what falls from it; a `ring` around rows, and one around a `column`.
    Keys that lie are so many sides of an entry `over` the queries.
    """

    def __init__(
        self,
        steps: tuple[Tensor, Tensor, Tensor, Tensor],
        asker: int,
        divisor: float,
        unit: float,
        over: float,
    ) -> None:
        q, keys, scores, self.weights = (each.double for each in steps)
        self.asker, self.over, gap = asker, over, gap_of(q.shape[1])
        products = shortened(q[asker] * keys, summed=True).T
        q, k_t = shortened(q), shortened(keys).T
        self.q = Sheet(q, unit, QUERY, gap=gap)
        self.k = Sheet(k_t, unit, KEY, gap=gap, upright=True)
        self.scores = scores / (np.abs(scores).max() or 1.0)
        self.s = Sheet(self.scores, unit, INK, 1.0)
        self.k.put()
        self.lying = [TurningRow(key, unit, KEY, gap, self.k.largest) for key in k_t.T]
        self.products = products / (np.abs(products).max() or 1.0)
        self.parts = products / divisor / (np.abs(scores).max() or 1.0)  # of the scores as drawn
        self.strip = TurningRow(q[asker], unit, QUERY, gap)
        self.drops = Shades((unit, len(k_t) * unit), 1.0, FAINTEST_FILL, CELL)
        self.ring = Ring(self.s.band(0))
        self.column = Ring(self.k.upright(0))
        self.later = np.triu(np.ones(scores.shape, dtype=bool), 1)
        self.only = (np.arange(len(q)) == asker)[:, None]
        parts = *self.lying, self.q, self.k, self.s, self.strip, self.drops, self.ring, self.column
        super().__init__(*parts)

    def settle(self) -> None:
        """Put strip, drops and rings where they are first seen, once the sheets stand."""
        self.swing(1)
        self.stand_up(0)
        self.drops.move_to(self.k)
        self.column.points = Ring(self.k.upright(0)).points

    def lane(self, row: int) -> VGroup:
        """Return the box of a word's query and scores, a place that is on no stage."""
        return VGroup(self.q.band(row), self.s.band(row))

    def lies(self, key: float) -> Point3D:
        """Return the middle of a key while it is a row: over the queries, level as they are."""
        over = self.q.get_top() + (len(self.lying) - key - 0.5 + self.over) * self.q.unit * UP
        return np.asarray(over)

    def stand_up(self, share: float) -> None:
        """Let each key, a row, become a column; the last goes first, and none through another."""
        last = len(self.lying) - 1
        for key, row in enumerate(self.lying):
            way = ease(2 * share - (last - key) / max(last, 1))
            there = (1 - way) * self.lies(key) + way * self._on(key)
            row.lay(row.numbers, there, 1 - way)

    def fill(self, place: float) -> None:
        """Have worked out the scores of so many words, one after another."""
        rows, columns = (np.arange(length) for length in self.scores.shape)
        self.s.put(np.where(rows[:, None] + columns / len(columns) < place, self.scores, 0.0))

    def take_turns(self, place: float) -> None:
        """Have taken the queries of so many words, and their scores, one word after another."""
        rows = np.arange(len(self.q.numbers))[:, None]
        self.q.put(np.where(rows < place, self.q.numbers, 0.0))
        self.fill(place)

    def write(self, share: float) -> None:
        """Let one word's query come out, from the word's side."""
        self.q.put(seen=self.only & self._come(np.array([share])))

    def write_all(self, share: float) -> None:
        """Let the other queries come as well, row after row."""
        late = np.linspace(0, LATE, len(self.q.numbers))
        come = eased(share * (1 + LATE) - late)[:, None]
        self.q.put(np.where(self.only, 1.0, come) * self.q.numbers)

    def _come(self, shares: Floats) -> NDArray[np.bool_]:
        """Return which entries of rows are seen, of which so much has come out."""
        columns = self.q.numbers.shape[1]
        return np.asarray(np.arange(columns)[None] >= (1 - shares[:, None]) * columns)

    def swing(self, share: float) -> None:
        """Turn a copy of the query from its row to beside the first key."""
        start, end = self.q.band(self.asker).get_center(), self._on(-OFF)
        self.strip.lay(self.strip.numbers, rounded(start, end, share), 1 - share)

    def meet(self, share: float) -> None:
        """Score the first key, which is ringed: multiply, then let products fall and add up.

        The query stands to the left of the key, of which a copy comes upon it.
        """
        entries, keys = self.products.shape
        made = eased((entries + 1) * share / MULTIPLIED - np.arange(entries))[:, None]
        late = np.arange(entries)[::-1] / entries  # the lowest falls first
        fallen = eased(2 * (share - MULTIPLIED) / (1 - MULTIPLIED) - late)[:, None]
        off = np.zeros((entries, 1, 2))
        depth = self._on(0)[1] - self.s.at(self.asker, 0)[1]
        rows = (np.arange(entries) - (entries - 1) / 2)[:, None] * self.k.unit
        off[..., 0] = -(1 - fallen**LATER) * made * OFF * self.k.unit
        off[..., 1] = -fallen * (depth - rows)
        self.drops.frame.move_to(self._on(0))
        is_above = self._on(0)[1] - rows + off[..., 1] > self.s.get_top()[1] + self.s.unit / 2
        mixed = (1 - made) * self.k.numbers[:, 0, None] / self.k.largest
        mixed += made * self.products[:, 0, None]
        self.drops.paint(mixed, (made > 0) & is_above, off)
        left = self.strip.numbers * np.where(made < COVERED, 1.0, fallen)  # a product is there
        self.strip.lay(left, self._on(-OFF))
        row = np.zeros(keys)
        row[0] = self.parts[:, 0] @ fallen[:, 0]
        self.s.put(np.where(self.only, row, 0.0))

    def go_on(self, place: float) -> None:
        """Have scored so many keys, the first and more, each while it is ringed."""
        last = self.scores.shape[1] - 1
        come = eased(place - np.arange(last + 1))
        come[0] = 1.0
        self.s.put(np.where(self.only, come * self.scores, 0.0))
        self.column.set_x(self.k.at(0, stepped(place, last))[0])

    def _on(self, key: float) -> Point3D:
        return np.array(self.k.upright(key).get_center())

    def hide_row(self, share: float) -> None:
        """Take away the scores of one row that come later."""
        self.s.put(np.where(self.only, self._hidden(share), 0.0))

    def soften_row(self, share: float) -> None:
        """Let what is left of one row become weights."""
        self.s.put(np.where(self.only, self._softened(share), 0.0))

    def come(self, share: float) -> None:
        """Let the scores of all other queries come, all at once; one row is there already."""
        self.s.put(self.scores * np.where(self.only, 1.0, share))

    def clear(self, share: float) -> None:
        """Take one row's scores away again."""
        self.s.put((1 - share) * np.where(self.only, self.scores, 0.0))

    def renew(self, place: float) -> None:
        """Take all weights away, from -1 to 0, then let all scores come, none hidden."""
        self.s.put(-place * self.weights if place < 0 else place * self.scores)

    def hide(self, share: float) -> None:
        """Take away all scores that come later."""
        self.s.put(self._hidden(share))

    def soften(self, share: float) -> None:
        """Let what is left become weights, in all rows at once."""
        self.s.put(self._softened(share))

    def _hidden(self, share: float) -> Floats:
        return np.where(self.later, (1 - share) * self.scores, self.scores)

    def _softened(self, share: float | Floats) -> Floats:
        return (1 - share) * self._hidden(1.0) + share * self.weights


class Terms(VGroup):
    """How a query and the first key, `meeting` in their score, are multiplied and added up.

    Parts, left of the keys: the `products` of the entries that are drawn, each level with its own,
    and then the `sum` of all, with what it is divided by, if anything. None where they could not be
    read by who is so near, right of `left`, or where the keys' `letter` stands.
    """

    def __init__(
        self,
        meeting: tuple[Tensor, Tensor, Value, Value | None],
        scoring: Scoring,
        letter: VMobject,
        zoom: float,
        left: float,
    ) -> None:
        (query, key, score, divisor), keys = meeting, scoring.k
        made = [one * other for one, other in zip(query.values, key.values, strict=True)]
        whole = reduce(add, made)
        parts = (whole,) if divisor is None else (whole, divisor, score)
        written = "first score: {:.2f}" + " / {:.3g} = {:.2f}" * (divisor is not None)
        line = Words(written, *parts, size=TITLE_SIZE / zoom)
        corner = keys.at(0, -OFF - 1.2)
        free = float(corner[0] - left) / line.width
        is_taken = letter.get_right()[0] < keys.get_left()[0]
        line.scale(min(LARGEST, free)).move_to(corner, RIGHT)
        line.shift(max(0.0, float(keys.get_bottom()[1] - line.get_bottom()[1])) * UP)
        small = min(TITLE_SIZE / zoom, TERM * keys.unit / em_of(1))
        last = len(keys.numbers) - 1
        drawn = [row for row in range(last + 1) if row != keys.gap]
        self.products = [Number(made[row if row < last else -1], 2, small) for row in drawn]
        for row, number in zip(drawn, self.products, strict=True):
            number.move_to(keys.at(row, -OFF - 1.2), RIGHT)
        is_read = bool(min(free * TITLE_SIZE, small * zoom) >= LEAST_SIZE) and not is_taken
        self.products *= is_read
        self.sum = [line] * is_read
        super().__init__(*self.products, *self.sum)

    def add_up(self) -> Verb:
        """Return how the sum comes out of the products."""
        gone = (GoInto(number, line, QUICK) for line in self.sum for number in self.products)
        return Then(Together(gone), *map(Appear, self.sum))


class Mixing(VGroup):
    """Values, one under the other, and what weights make of them, for one row or for all.

    Parts: the sheets `v` and `z`; the `strip` that a row of weights becomes; a ring around a `row`;
    a value that `falls` into a mixture.
    """

    def __init__(
        self, steps: tuple[Tensor, Tensor, Tensor], asker: int, weights: Sheet, unit: float
    ) -> None:
        self.weights, v, z = (each.double for each in steps)
        self.asker, self.sheet, gap = asker, weights, gap_of(v.shape[1])
        v, z = shortened(v), shortened(z)
        largest = max(float(np.abs(each).max()) for each in (v, z)) or 1.0
        self.v, self.z = (Sheet(each, unit, VALUE, largest, gap=gap) for each in (v, z))
        self.v.put()
        self.strip = TurningRow(self.weights[asker], unit, INK)
        self.falls = TurningRow(v[0], unit, VALUE, gap, largest)
        self.only = (np.arange(len(v)) == asker)[:, None]
        self.row = Ring(self.v.band(0))
        super().__init__(self.v, self.z, self.strip, self.row, self.falls)

    def settle(self) -> None:
        """Put strip and ring where they are first seen, once the sheets stand."""
        self.swing(1)
        self.row.move_to(self.v.band(0))

    def swing(self, share: float) -> None:
        """Turn a copy of the weights from their row to where each is beside its value."""
        start = self.sheet.band(self.asker).get_center()
        end = self.v.at((len(self.v.numbers) - 1) / 2, -1.2)
        numbers = self.weights[self.asker][:, None]
        self.strip.lay(numbers, rounded(start, end, share), 1 - share)

    def mix(self, place: float) -> None:
        """Have added so many values to one row, each after it shrank to its share, and fell."""
        stop, middle = min(int(place), self.asker), (len(self.v.numbers[0]) - 1) / 2
        weighed, gone, landed = (ease((place - stop - at) / LEG) for at in FALL)
        share, value = self.weights[self.asker, stop], self.v.numbers[stop]
        before, after = (self._mixed(stop + n, self.asker + 1)[self.asker] for n in (0, 1))
        self.z.put(np.where(self.only, before + landed * (after - before), 0.0))
        falling = (1 + weighed * (share - 1)) * value
        numbers = (falling + landed * (after - falling)) / self.z.largest
        start, end = self.v.at(stop, middle), self.z.at(self.asker, middle)
        self.falls.lay(numbers[:, None], start + gone * (end - start), 1.0)
        self.row.set_y(self.v.at(stop, 0)[1])

    def mix_others(self, place: float) -> None:
        """Have added so many values to all other rows at once; one row is there already."""
        mixed = self._mixed(place, len(self.v.numbers))
        self.z.put(np.where(self.only, self.z.numbers, mixed))

    def mix_all(self, place: float) -> None:
        """Have added so many values to all rows at once."""
        self.z.put(self._mixed(place, len(self.v.numbers)))

    def _mixed(self, place: float, last: int) -> Floats:
        come = eased(place - np.arange(len(self.v.numbers), dtype=np.float64))
        is_whole = come[:last].min() >= 1
        return self.z.numbers if is_whole else (come * self.weights) @ self.v.numbers

    def clear(self, share: float) -> None:
        """Take one row's mixture away again."""
        self.z.put((1 - share) * np.where(self.only, self.z.numbers, 0.0))


def rounded(start: Point3D, end: Point3D, share: float) -> Point3D:
    """Return a point on the way up and then across, in one bend."""
    corner = np.array((start[0], end[1], 0.0))
    one, other = (1 - share) * start + share * corner, (1 - share) * corner + share * end
    return np.asarray((1 - share) * one + share * other)


def stepped(place: float, last: int) -> float:
    """Return where a mark stands that goes quickly from each stop to the next, and waits there."""
    stop = min(int(place), last)
    return stop + ease((place - stop - NEXT) / (1 - NEXT)) * (stop < last)
