"""Numbers that weigh the lines of a matrix, which then add up to one line. It knows no model.

up = Weighing((x, matrix, made), stage, is_turned=False)
yield Vary(up.weigh, 0, 1)      # each number runs along its line; behind it, entries are weighed
yield Vary(up.add_up, 0, 1)     # lines fall onto one another
up = Weighing(ways, stage, is_turned=False)
yield Vary(up.spread, 0, 1)     # or all grows out of one line across
yield Vary(up.meet, 0, 1)       # the numbers go from each such line to the next; under it, its sum
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import eased
from scenes.mobjects.mlp import SILENT
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Formula, Words
from scenes.mobjects.vector import Heat
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    PLAIN_SIZE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    TITLE_SIZE,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

COARSE = 0.2  # scene units: entries of a matrix that were smaller are drawn in part
THICK, APART = 0.15, 0.04  # of a region's shorter side, a vector, and what is left free beside it
NOTHING = 0.02  # of the largest product: what is less has no colour
FRONT = 0.16  # scene units, the line at which weighing has come
RUNNER, RIM = 0.3, 0.05  # scene units: the numbers on their way across lines; each side's line
STAYS = 0.3  # of its strength, a trace of what has left
ALONE, EACH = 0.35, 0.25  # of all the time, that of the first line, alone, and of each other one
BRIEF = 0.08  # of it, that of each other one where lines are weighed one after another


class Weighing(VGroup):
    """Weights (n,) beside the lines of a matrix (n, m), and under them what they add up to, (m,).

    `ways` are these three. If it is turned, weights stand over the columns, and the sum at their
    right. Of `step` neighbouring lines the one with the largest weight is drawn, and one in so many
    of its entries, the `framed` one among them. What is added to the sum with a drawn line are all
    lines that it stands for; it begins with what no line adds, a bias.
    Parts: `weights`, all or those whose lines are drawn; `made`, the empty place of the sum; and
    the `board`, on which everything happens.
    """

    def __init__(
        self,
        ways: tuple[Floats, Floats, Floats],
        region: Region,
        *,
        is_turned: bool,
        draws_all: bool = False,
        framed: int = 0,
    ) -> None:
        weights, matrix, total = ways
        self.is_turned, self.draws_all, (n, m) = is_turned, draws_all, matrix.shape
        shorter = min(region.width, region.height)
        self.thick, self.gap = THICK * shorter, APART * shorter
        room = np.array(self._turned(region.width, region.height)) - self.thick - self.gap
        self.unit = min(room[0] / m, room[1] / n)
        self.step = step = max(1, int(np.ceil(COARSE / self.unit)))
        self.long, self.deep = self.unit * m, self.unit * n
        products, starts = weights[:, None] * matrix, np.arange(0, n, step)
        picked = [i + int(np.abs(weights[i : i + step]).argmax()) for i in starts.tolist()]
        self.largest = int(np.abs(weights[picked]).argmax())
        size = self._turned(self.long, self.deep)
        self.raw = Shades(size, float(np.abs(matrix).max()))
        self.weighed = Shades(size, float(np.abs(products).max()))
        self.fronts = Filled(np.zeros((0, 3)), ACCENT)
        across = np.arange(0, m, step)
        self.framed, across[framed // step] = framed // step, framed
        self.lines, self.products = matrix[picked][:, across], products[picked][:, across]
        self.products[np.abs(self.products) < NOTHING * self.weighed.largest] = 0
        groups = np.add.reduceat(products, starts, axis=0)
        self.sums = total - np.cumsum(groups, axis=0)  # from the last line on
        self.sums = np.concatenate([total[None], self.sums])
        line = self._turned(self.long, self.thick)
        self.made = Rectangle(width=line[0], height=line[1])
        self.made.set_stroke(theme.color(QUIET), THIN_LINE / 2)
        self.sum = Shades(line, float(np.abs(total).max()))
        column = (weights if draws_all else weights[picked])[:, None]
        self._column = weights[picked][:, None]
        self.runner = Shades(self._turned(RUNNER, self.deep), float(np.abs(weights).max()))
        size = self._turned(self.thick, self.deep)
        self.weights = Heat(column.T if is_turned else column, size, least=SILENT, thinnest=0)
        self.board = VGroup(self.raw, self.weighed, self.sum, self.runner, self.fronts)
        self._arrange(region)
        super().__init__(self.made, self.board, self.weights)
        self.weigh(0.0)

    def _arrange(self, region: Region) -> None:
        """Place the weights before the matrix, and their sum under it."""
        off = (self.thick + self.gap) / 2
        middle = region.center + self._way(off, -off)
        VGroup(self.raw, self.weighed).move_to(middle)
        self.runner.move_to(middle - self._way(self.long / 2, 0.0))
        under = self._way(0.0, (self.deep + self.thick) / 2 + self.gap)
        VGroup(self.sum, self.made).move_to(middle + under)
        self.weights.move_to(middle - self._way((self.long + self.thick) / 2 + self.gap, 0.0))

    def weigh(self, share: float) -> None:
        """Let numbers run along their lines, the first one alone, then all others as one front.

        Where all weights are drawn, the largest one goes first, and others one after another.
        """
        ways = _paced(share, len(self.lines), 1 - BRIEF if self.draws_all else ALONE)[:, None]
        if self.draws_all:
            ways = np.insert(ways[1:], self.largest, ways[0], axis=0)
        edges = (np.arange(self.lines.shape[1]) + 0.5) / self.lines.shape[1]
        self._paint(self.raw, self.lines, edges > ways)
        self._paint(self.weighed, self.products, edges <= ways)
        runs = np.flatnonzero((ways[:, 0] > 0) & (ways[:, 0] < 1))
        high = self.deep / len(self.lines)
        self._mark(ways[runs, 0] * self.long, runs * high, FRONT, high)

    def spread(self, share: float) -> None:
        """Show what adds up to the entry that is framed, and a share of all else about it."""
        ends = np.linspace(0, 1, self.lines.shape[1] + 1)
        middle = (self.framed + 0.5) / self.lines.shape[1]
        far = np.maximum(np.abs(ends[:-1] - middle), np.abs(ends[1:] - middle))
        self._paint(
            self.raw, self.lines, np.broadcast_to(far <= max(share, far.min()), self.lines.shape)
        )

    def meet(self, share: float) -> None:
        """Let the numbers go across the lines, from entry to entry; behind them stand the sums."""
        edges = (np.arange(self.lines.shape[1]) + 0.5) / self.lines.shape[1]
        self._paint(self.raw, self.lines, np.broadcast_to(edges > share, self.lines.shape))
        passed = np.broadcast_to(edges <= share, self.lines.shape)
        self._paint(self.weighed, self.products, passed)
        sums = self.sums[0][None]
        self._paint(self.sum, sums, (np.arange(sums.size) + 0.5)[None] / sums.size <= share)
        is_on, at = 0 < share < 1, share * self.long
        off = self._way(self._scale * at, 0.0)[:2]
        column = self._column.T if self.is_turned else self._column
        seen = np.full(column.shape, is_on)
        self.runner.paint(column, seen, np.broadcast_to(off, (*column.shape, 2)))
        sides = at + RUNNER / 2 * np.array([-1, 1]) + RIM * np.array([-1, 0])
        self._mark(sides[: 2 * is_on], np.zeros(2 * is_on), RIM, self.deep)

    def add_up(self, share: float) -> None:
        """Let weighed lines fall onto the sum, the last one first; a faint trace of each stays."""
        count = len(self.lines)
        ways = _paced(share, count)[::-1]
        fall = self.gap + (self.thick + self.deep / count) / 2
        far = (fall + (np.arange(count)[::-1]) * self.deep / count) * ways
        trace = STAYS * self.raw.largest / (self.weighed.largest or 1.0) * self.products
        seen = np.broadcast_to((ways < 1)[:, None], self.products.shape)
        self._paint(self.weighed, self.products, seen, far)
        self._paint(self.raw, trace, ~seen)
        landed = int((ways >= 1).sum())
        sums = self.sums[count - landed][None] if landed else np.zeros((1, self.sums.shape[1]))
        self._paint(self.sum, sums)

    def line_of_sum(self) -> Rectangle:
        """Return a frame around what adds up to the framed entry of the sum, and around this."""
        wide, under = self.long / self.lines.shape[1], self.gap + self.thick
        width, height = self._turned(max(FRONT, wide), self.deep + under)
        frame = Rectangle(width=width, height=height)
        frame.set_stroke(theme.color(ACCENT), BOLD_LINE).move_to(self.raw.frame)
        return frame.shift(self._way((self.framed + 0.5) * wide - self.long / 2, under / 2))

    def line_of_largest(self) -> Rectangle:
        """Return a frame around the largest weight and its line."""
        off, high = self.gap + self.thick, self.deep / len(self.lines)
        width, height = self._turned(self.long + off, max(FRONT, high))
        frame = Rectangle(width=width, height=height).move_to(self.raw.frame)
        frame.set_stroke(theme.color(ACCENT), BOLD_LINE)
        return frame.shift(self._way(-off / 2, (self.largest + 0.5) * high - self.deep / 2))

    def cells(self, *, of_sum: bool) -> tuple[Floats, tuple[float, float]]:
        """Return where the entries of the sum, or of the weights, stand, (n, 2), and their size."""
        subject, across = (self.sum.frame, True) if of_sum else (self.weights, False)
        length = self.long if of_sum else self.deep
        number = round(length / self.unit)
        along = self.unit * (np.arange(number) + 0.5) - length / 2
        flat = np.stack([along, 0 * along], axis=-1)
        is_level = across != self.is_turned
        size = (self.unit, self.thick)
        places = flat if is_level else flat[:, ::-1] * (1, -1)
        return places + subject.get_center()[:2], size if is_level else size[::-1]

    @property
    def _scale(self) -> float:
        """How large all is drawn."""
        return float(self.raw.frame.width / self._turned(self.long, self.deep)[0])

    def _mark(self, along: Floats, across: Floats, long: float, deep: float) -> None:
        """Let fronts be where boxes begin, along lines and across them, all of one size."""
        ends = (along, across), (along + long, across + deep)
        (left, top), (right, low) = (each[::-1] if self.is_turned else each for each in ends)
        boxes = (self._scale * each for each in (left, -low, right, -top))
        corner = self.raw.frame.get_corner(LEFT + UP)
        self.fronts.points = rectangles(*boxes) + corner if len(along) else np.zeros((0, 3))

    def _paint(
        self, shades: Shades, numbers: Floats, seen: Flags | None = None, far: Floats | None = None
    ) -> None:
        """Draw lines of numbers, which have fallen so far, in scene units, (lines,)."""
        off = None
        if far is not None:
            way = np.stack([self._way(0.0, self._scale * each)[:2] for each in far.tolist()])
            off = np.broadcast_to(way[:, None], (*numbers.shape, 2))
        if self.is_turned:
            numbers, seen = numbers.T, None if seen is None else seen.T
            off = None if off is None else off.transpose(1, 0, 2)
        shades.paint(numbers, seen, off)

    def _turned(self, along: float, across: float) -> tuple[float, float]:
        """Return a size, along lines and across them, as width and height."""
        return (across, along) if self.is_turned else (along, across)

    def _way(self, along: float, across: float) -> Floats:
        """Return an offset along lines and from one to the next as one of the stage."""
        right, down = self._turned(along, across)
        return np.array((right, -down, 0.0))


def matrix_name(name: str, sizes: Sequence[Value], step: int) -> VGroup:
    """Return a matrix's formula, of how many numbers it makes how many, and how many are drawn."""
    size = Words("{} \N{RIGHTWARDS ARROW} {}", *sizes, size=SPOKEN_SIZE, role=QUIET)
    label = VGroup(Formula(f'$W_"{name}"$', TITLE_SIZE), size)
    if step > 1:
        each = count(step, "entries for each that is drawn")
        label.add(Words("one in {} drawn", each, size=PLAIN_SIZE, role=QUIET))
    return label.arrange(RIGHT, buff=GAP)


def _paced(share: float, count: int, last: float = 1 - EACH) -> Floats:
    """Return how far each line is at a share of the time, (count,); the first goes alone.

    The others go one after another until the `last` one starts, or at once.
    """
    starts = np.concatenate([[0.0], np.linspace(ALONE, last, count - 1)])
    lasts = np.full(count, 1 - last)
    lasts[0] = ALONE
    return eased((share - starts) / lasts)
