"""Words in the order of their numbers, with bars that may change places. It knows no model.

ranking = Ranking(names, rounds, region, slots)
yield ranking.go(0, 1)                      # from the first round to the second
opened = Opened(ranking, 0, shares, names)  # all that its last row stands for, in a round
yield Vary(opened.open, 0, PASSING), film.travel_to(opened.along)
yield Vary(opened.open, PASSING, 1), film.travel_to(opened.view)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

import numpy as np
from manim import VGroup, VMobject
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme
from scenes.camera import WHOLE
from scenes.mobjects.fit import Floats, ease, eased, pitch_in
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Glyphs, Number, em_of, spelled
from scenes.presence import parts_of, set_presence
from scenes.provenance import Value, part_of
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    NAMED_SIZE,
    OUT_OF_FOCUS,
    POSITIVE,
    QUIET,
    STEADY,
    STRONGEST_FILL,
)
from scenes.verbs import Vary, Verb

THICKNESS = 0.6  # of a bar, as a share of the distance from row to row
WIDEST_PITCH = 1.5  # scene units from row to row
DECADES, SHADES, PALEST, READ = 5, 8, 0.22, 0.75  # of chances; opacity; of an opening
COLUMN, NAME = 3.6, 0.6  # scene units, a column of what is opened; of that, what precedes a bar
NEAR = 14  # rows and columns of names that are written out
LEAST_BAR, DASH = 0.05, 0.2  # scene units, to be seen at all; of a row, half of a dash
PASSED, PASSING, GROWING = 4, 0.4, 0.1  # columns passed; of the opening, that way, and one's growth
SUNK = 0.5  # of a row, by what goes or comes
WAIST, LETTER = 0.25, 0.4  # ems, from a baseline to the middle, and from letter to letter
NOTHING = 1e-9  # of the way to the next round
# Of it: bars become shorter, names go, others come, bars grow.
PHASES = np.array([(0, 0.5), (0.3, 0.45), (0.45, 0.6), (0.5, 1)])
COMING, LEAVING = 8, 0.15  # how much faster a bar is seen than it changes; who leaves is uncounted


class Ranking(VGroup):
    """Rows of a name, a bar and a number; `rounds[r]` has the value of each row that is listed.

    Rows stand by their values, the largest on top. `leave[row]` says from which round on a row has
    left the list: its name then stands at `slots[row]`, a point, and bar and number are gone.
    The longest bar is that of `most`, by default the largest of all values. The row `last` stands
    under the others, whatever its value.
    What is no longer listed is gone before what is listed anew comes, and of two rows that change
    places the one that falls is gone for a while. With a `least` value, no row moves: bars become
    shorter, what is to stand in another line goes there unseen, then others grow. What is smaller
    than that is out of play: its name is dimmed, without bar and number.
    In the first `counting` rounds something is counted: rows stand where the last of those has
    them while their bars grow, and its longest bar is as long as that of `most`. In the
    round after the next, rows of that one leave, and others stand where they stood.
    The parts, by row: `names[i]`, `shapes[i]`, `numbers[i]`.
    """

    def __init__(
        self,
        names: Sequence[VMobject],
        rounds: Sequence[Mapping[int, Value]],
        region: Region,
        *,
        slots: Mapping[int, NDArray[np.float64]] | None = None,
        leave: Mapping[int, int] | None = None,
        decimals: int = 0,
        kind: type[Number] = Number,
        most: float = 0.0,
        last: int | None = None,
        least: float = 0.0,
        counting: int = 0,
    ) -> None:
        self.least, self._orders = least, dict[int, list[int]]()
        self.counting = counting
        self.names, self.rounds, self.region = list(names), list(rounds), region
        self.slots, self.leave, self.last = slots or {}, leave or {}, last
        self.pitch = pitch_in(region.height, max(map(len, rounds)), WIDEST_PITCH)
        self._raised = [
            name.get_y() - name.baseline - WAIST * name.em if isinstance(name, Glyphs) else 0.0
            for name in names
        ]
        self.zero = region.left + max(name.width for name in names) + GAP
        values = [self._value(row, 0) for row in range(len(names))]
        self.numbers = [kind(value, decimals, NAMED_SIZE) for value in values]
        self.most = most or _largest(*rounds).number
        self.counted_most = _largest(*rounds[:counting]).number if counting else self.most
        ever = {value.number: value for here in rounds for value in here.values()}
        widest = max(kind(each, decimals, NAMED_SIZE).width for each in ever.values())
        self.full = region.right - self.zero - widest - 2 * HAIR
        self.shapes = [
            VMobject(stroke_width=0, fill_color=theme.color(POSITIVE), fill_opacity=STRONGEST_FILL)
            for _ in names
        ]
        super().__init__(*self.shapes, *self.numbers, *self.names)
        self.stand_at(0.0)

    def line(self, row: int) -> VGroup:
        """Return a row's name, bar and number."""
        return VGroup(self.names[row], self.shapes[row], self.numbers[row])

    def go(self, start: float, end: float, run_time: float = STEADY) -> Verb:
        """Return how it goes from one round to another; who moves eases by itself."""
        return Vary(self.stand_at, start, end, run_time, linear)

    def stand_at(self, place: float) -> None:
        """Show a round, or the way from one to the next; -1 is before anything was counted."""
        before = int(np.floor(place))
        share = place - before
        ends = np.array(
            [
                [self._state(row, at) for row in range(len(self.names))]
                for at in (before, before + 1)
            ]
        )
        if not self.least:
            ways = self._in_three_acts(ends, share)
        elif before >= 0:
            ways = self._in_place(ends[0], ends[1], share)
        else:
            ways = np.full(ends[0].shape, ease(share))
        states = (1 - ways) * ends[0] + ways * ends[1]
        if not self.least or before >= 0:
            (self._go_unseen if self.least else self._give_way)(states, ends, share)
        rests = share < NOTHING  # on its way, what is unseen stands nowhere
        for row, (x, y, length, *come) in enumerate(states):
            seen, counted = (max(0.0, 2 * each - 1) for each in come)
            if seen or rests:
                self.names[row].move_to((x, y + self._raised[row], 0))
            if counted or rests:
                way = float(ways[row, 2]) if self.least else share  # as far as its bar
                is_new = bool(self.least) and not ends[0, row, 3]
                self._count(row, before, 0.0 if rests else way, from_nothing=is_new)
                self._draw_bar(row, y, length)
            for part in parts_of(self.names[row]):
                set_presence(part, seen)
            for part in (self.shapes[row], self.numbers[row]):
                set_presence(part, counted)

    def _count(self, row: int, before: int, way: float, *, from_nothing: bool) -> None:
        """Show a row's number on its way from a round to the next."""
        was, then = self._value(row, before), self._value(row, before + 1)
        if from_nothing:
            was = part_of(then, 0.0)
        if way:
            self.numbers[row].put_between(was, then, way)
        else:
            self.numbers[row].put(was)

    def _give_way(self, states: Floats, ends: Floats, share: float) -> None:
        """Let rows that are passed fade, and come back when who passes is past them."""
        passed = self._overtaken(*ends)
        states[passed, 3:] *= abs(1 - 2 * share)

    def _go_unseen(self, states: Floats, ends: Floats, share: float) -> None:
        """Let rows that come to stand in another line fade before they do, and come back there."""
        moves = (ends.min(axis=0)[:, 3] > 0) & (np.abs(np.diff(ends[:, :, 1], axis=0)[0]) > NOTHING)
        _, out, come, _ = eased((share - PHASES[:, 0]) / np.diff(PHASES)[:, 0])
        states[moves, 1] = ends[int(out == 1), moves, 1]
        states[moves, 3:] *= max(1 - out, come)

    def _in_three_acts(self, ends: Floats, share: float) -> Floats:
        """Let rows sink and go, then others change places, then new ones rise; return the ways."""
        before, after = ends[:, :, 3] > 0
        goes, comes = before & ~after, after & ~before
        sunk = SUNK * self.pitch
        ends[1, goes, 1], ends[0, comes, 1] = ends[0, goes, 1] - sunk, ends[1, comes, 1] - sunk
        ways = np.select([goes, comes], [4 * share, 4 * share - 3], 2 * share - 0.5).clip(0, 1)
        return np.broadcast_to(ways[:, None], ends[0].shape)

    def _in_place(self, before: Floats, after: Floats, share: float) -> Floats:
        """Let bars become shorter, names change, and other bars grow; return the ways."""
        shorter, out, come, longer = eased((share - PHASES[:, 0]) / np.diff(PHASES)[:, 0])
        ways = np.full(before.shape, out)
        goes, comes = (
            (before[:, 3] > 0) & ~(after[:, 3] > 0),
            (after[:, 3] > 0) & ~(before[:, 3] > 0),
        )
        shrinks = after[:, 2] < before[:, 2]
        after[goes, :2], before[comes, :2] = before[goes, :2], after[comes, :2]
        ways[:, 2] = np.where(shrinks, shorter, longer)
        ways[:, 3] = np.where(after[:, 3] < before[:, 3], out, come)
        ways[:, 4] = np.where(shrinks, 1 - COMING * (1 - shorter), COMING * longer).clip(0, 1)
        ways[goes, 4] = ease(share / LEAVING)
        return ways

    def _overtaken(
        self, before: NDArray[np.float64], after: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return which rows fade as others pass."""
        listed = np.minimum(before, after)[:, 4] > 0
        above, under = (np.sign(y[:, None] - y[None]) for y in (before[:, 1], after[:, 1]))
        passed = (above > 0) & (under < 0) & listed[:, None] & listed[None]
        return np.asarray(passed.any(axis=1))

    def _draw_bar(self, row: int, y: float, length: float) -> None:
        end, half = self.zero + self.full * length, THICKNESS * self.pitch / 2
        corners = [(self.zero, -half), (end, -half), (end, half), (self.zero, half)]
        points = [(x, y + up, 0) for x, up in [*corners, corners[0]]]
        self.shapes[row].set_points_as_corners(points)
        self.numbers[row].move_to((end + HAIR + self.numbers[row].width / 2, y, 0))

    def _state(self, row: int, at: int) -> NDArray[np.float64]:
        """Return x, y, the bar's length, the presence of the name, and of bar and number."""
        if row in self.leave and self.leave[row] <= at:
            return np.array([*self.slots[row][:2], 0.0, 1.0, 0.0])
        here, order = self._round(at), self._order(at)
        is_listed = row in order and at >= 0
        is_played = is_listed and here[row].number >= self.least
        rank = order.index(row) if row in order else max(map(len, self.rounds)) - 0.5
        most = self.counted_most if at < self.counting else self.most
        length = here[row].number / most if is_listed else 0.0
        x = self.zero - GAP - self.names[row].width / 2
        y = self.region.top - (rank + 0.5) * self.pitch
        name = 1.0 if is_played or row == self.last else (1 + OUT_OF_FOCUS) / 2
        return np.array([x, y, length, is_listed * name, float(is_played)])

    def _round(self, at: int) -> Mapping[int, Value]:
        return self.rounds[int(np.clip(at, 0, len(self.rounds) - 1))]

    def _order(self, at: int) -> list[int]:
        """Return the rows that are listed in a round, the largest first, the last one last."""
        first = max(0, self.counting - 1)
        is_next = self.counting > 0 and at == self.counting + 1
        at = self.counting if is_next else max(at, first)
        if at not in self._orders:
            here = self._round(at)
            before = self._order(at - 1) if at > first else []
            rows = dict.fromkeys([*(row for row in before if row in here), *here])
            left = [row for row in rows if not self.leave.get(row, at + 1) <= at]
            played = {row: here[row].number * (here[row].number >= self.least) for row in left}
            self._orders[at] = sorted(left, key=lambda row: (row == self.last, -played[row]))
        return self._orders[at]

    def _value(self, row: int, at: int) -> Value:
        """Return a row's value in a round, or the last one before, or the first one after."""
        last = int(np.clip(at, 0, len(self.rounds) - 1))
        order = [*range(last, -1, -1), *range(last + 1, len(self.rounds))]
        found: list[Value] = [self.rounds[each][row] for each in order if row in self.rounds[each]]
        return found[0]


def _largest(*rounds: Mapping[int, Value]) -> Value:
    return max((value for here in rounds for value in here.values()), key=lambda each: each.number)


class Opened(VGroup):
    """A ranking's last row in a round, opened: all tokens it stands for, each with its own row.

    `shares` are their chances, the largest first, and `names` what they are called. Row after row
    comes where a camera gets to see it, first on its way to the view `along` some columns, then
    to a `view` of all, and the ranking's last bar has what is not yet dealt out, in a row of its
    own. Names that nobody could read are dashes, the paler the smaller the chance.
    """

    def __init__(
        self, ranking: Ranking, at: int, shares: NDArray[np.float64], names: Sequence[str]
    ) -> None:
        self.ranking, self.shares = ranking, shares
        self._place(len(ranking.rounds[at]))
        self._write(names)
        self.bars = Filled(np.zeros((0, 3)), POSITIVE, STRONGEST_FILL)
        self.rest = Filled(np.zeros((0, 3)), QUIET, STRONGEST_FILL)
        super().__init__(self.words, *self.dashes, self.bars, self.rest)
        self.open(0.0)

    def _place(self, first: int) -> None:
        """Find each row's place after the first ones that stand there, the views, and its time."""
        region, pitch, number = self.ranking.region, self.ranking.pitch, first + len(self.shares)
        wide, high = region.width, region.height
        for times in count(2):  # as wide and as high as the region
            rows, columns = int(times * high / pitch), 1 + int((times - 1) * wide / COLUMN)
            if rows * columns >= number:
                break
        column, row = np.divmod(np.arange(len(self.shares)) + first, -(-number // columns))
        apart = (times - 1) * wide / max(columns - 1, 1)
        along = region.left + wide + column * apart - apart + NAME * COLUMN
        self.x = np.where(column, along, self.ranking.zero)
        self.y = region.top - (row + 0.5) * pitch
        self._near = (row < NEAR) & (column < NEAR)
        box = replace(region, right=region.left + times * wide, bottom=region.top - times * high)
        passed = PASSED * apart
        beside = replace(region, left=region.left + passed, right=region.right + passed)
        self.view, self.along = WHOLE.onto(box, region, 1.0), WHOLE.onto(beside, region, 1.0)
        beyond = (self.x - region.right) / passed
        is_passed = (row < int(high / pitch)) & (beyond < 1)
        far = np.maximum((region.top - self.y) / high, (self.x - beside.left) / wide)
        seen = PASSING + (1 - PASSING) * np.log(far.clip(1.0)) / np.log(times) - GROWING
        born = np.where(is_passed, PASSING * beyond, seen.clip(PASSING))
        self._born = born.clip(0, 1) * (1 - GROWING)

    def _write(self, names: Sequence[str]) -> None:
        """Prepare the outlines of names that can be read, and the dashes of all, by their shade."""
        em, ends, pitch = em_of(NAMED_SIZE), self.x - GAP, self.ranking.pitch
        self._letters = list[tuple[int, Floats]]()
        for place in np.flatnonzero(self._near).tolist():
            outline = em * spelled(names[place])
            beside = ends[place] - outline[:, 0].max(), self.y[place] - WAIST * em, 0.0
            self._letters.append((place, outline + beside))
        width = LETTER * em * np.array([len(name) for name in names]).clip(1, 10)
        self._dashes = ends - width, self.y - DASH * pitch, ends, self.y + DASH * pitch
        decades = -np.log10(self.shares.clip(1e-12)) - np.log10(1 / self.shares.max())
        self._shade = (decades / DECADES * SHADES).astype(int).clip(0, SHADES - 1)
        self.words = Filled(np.zeros((0, 3)), INK)
        opacities = np.linspace(1.0, PALEST, SHADES).tolist()
        self.dashes = [Filled(np.zeros((0, 3)), INK, opacity) for opacity in opacities]

    def open(self, share: float) -> None:
        """Stand at a share of the way from one bar to all; `PASSING` of it goes along columns."""
        ranking, shares = self.ranking, self.shares
        full, half = ranking.full / ranking.most, THICKNESS * ranking.pitch / 2
        ways, come = eased((share - self._born) / GROWING), share > self._born
        long = self.x + ways * np.maximum(full * shares, LEAST_BAR)
        sides, is_read = (self.x, self.y - half, long, self.y + half), self._near & (share < READ)
        self.bars.points = rectangles(*(side[come & is_read] for side in sides))
        for shade, dashes in enumerate(self.dashes):
            here = come & ~is_read & (self._shade == shade)
            dashes.points = rectangles(*(side[here] for side in self._dashes))
        written = [letters for place, letters in self._letters if come[place] and is_read[place]]
        self.words.points = np.concatenate([np.zeros((0, 3)), *written])
        foot = float(ranking.shapes[ranking.last or 0].get_y())
        end = ranking.zero + full * float(((1 - ways) * shares).sum())
        self.rest.points = rectangles(ranking.zero, foot - half, end, foot + half)
        for part in self.submobjects if share > 0 else ():
            set_presence(part, 1.0)
