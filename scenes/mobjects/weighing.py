"""Numbers that weigh the lines of a matrix, which then add up to one line. It knows no model.

up = Weighing((x, matrix, made), stage, is_turned=False)
yield Vary(up.spread, 0, 1)     # all grows out of what stands across lines at one place
yield Vary(up.meet, 0, 1)       # the numbers go from each such place to the next; under it, its sum
down = Weighing(ways, stage, is_turned=True, elides_lines=True)
yield Vary(down.weigh, 0, 1)    # each number weighs all of its line
yield Vary(down.add_up, 0, 1)   # lines fall onto one another
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import eased
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Formula, Words
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

COARSE = 0.5  # scene units: what stands across a matrix and was thinner is drawn in part
FILLED = 0.8  # of its room, what is drawn of it; the rest parts it from the next
THICK, APART = 0.15, 0.04  # of a region's shorter side, a vector, and what is left free beside it
NOTHING = 0.1  # of the largest weight: what is less has no colour, nor has its line
FRONT = 0.16  # scene units, a frame at least
RUNNER, RIM = 0.4, 0.05  # scene units: the numbers on their way across lines; each side's line
ALONE, EACH = 0.35, 0.25  # of all the time, that of the largest line, alone, and of each other one


class Weighing(VGroup):
    """Weights (n,) beside the lines of a matrix (n, m), and under them what they add up to, (m,).

    `ways` are these three. If it is turned, weights stand over the columns, and the sum at their
    right. Where there are too many, one in `step` is drawn of what stands across lines, and the
    `framed` one among them; or, with `elides_lines`, of lines: of each group the one with the
    largest weight, and with it all lines of the group are added to the sum. This begins with what
    no line adds, a bias.
    Parts: `weights`; `made`, the empty place of the sum; and the `board`, on which all happens.
    """

    def __init__(
        self,
        ways: tuple[Floats, Floats, Floats],
        region: Region,
        *,
        is_turned: bool,
        elides_lines: bool = False,
        framed: int = 0,
    ) -> None:
        weights, matrix, total = ways
        self.is_turned, (n, m) = is_turned, matrix.shape
        shorter = min(region.width, region.height)
        self.thick, self.gap = THICK * shorter, APART * shorter
        room = np.array(self._turned(region.width, region.height)) - self.thick - self.gap
        self.unit = min(room[0] / m, room[1] / n)
        self.step = step = max(1, int(np.ceil(COARSE / self.unit)))
        self.long, self.deep = self.unit * m, self.unit * n
        products, starts = weights[:, None] * matrix, np.arange(0, n, step if elides_lines else 1)
        groups = np.split(np.abs(weights), starts[1:])
        picked = [int(start + group.argmax()) for start, group in zip(starts, groups, strict=True)]
        self.largest = int(np.abs(weights[picked]).argmax())
        across = np.arange(0, m, 1 if elides_lines else step)
        self.framed = 0 if elides_lines else framed // step
        across[self.framed] = framed
        apart = (FILLED, 1.0) if elides_lines == is_turned else (1.0, FILLED)
        self.matrix = Shades(self._turned(self.long, self.deep), filled=apart)
        self.fronts = Filled(np.zeros((0, 3)), ACCENT)
        self._column = weights[picked][:, None]
        if elides_lines:
            self._column[np.abs(self._column) < NOTHING * np.abs(weights).max()] = 0
        self.lines = _within_one(matrix[picked][:, across])
        self.products = _within_one(self._column * self.lines)
        self.sums = total - np.cumsum(np.add.reduceat(products, starts, axis=0), axis=0)
        self.sums = np.concatenate([total[None], self.sums])  # from the last line on
        line = self._turned(self.long, self.thick)
        self.made = Rectangle(width=line[0], height=line[1])
        self.made.set_stroke(theme.color(QUIET), THIN_LINE / 2)
        self.drawn = across  # of what stands across lines, and of its sums as they are met
        self.sum = Shades(line, float(np.abs(total).max()), filled=1.0 if elides_lines else apart)
        self.runner = Shades(self._turned(RUNNER, self.deep), float(np.abs(weights).max()))
        size = self._turned(self.thick, self.deep)
        self.weights = Shades(
            size, float(np.abs(weights).max()), filled=apart if elides_lines else 1.0
        )
        self.weights.paint(self._column.T if is_turned else self._column)
        self.board = VGroup(self.matrix, self.sum, self.runner, self.fronts)
        self._arrange(region)
        super().__init__(self.made, self.board, self.weights)
        self.weigh(0.0)

    def _arrange(self, region: Region) -> None:
        """Place the weights before the matrix, and their sum under it."""
        off = (self.thick + self.gap) / 2
        middle = region.center + self._way(off, -off)
        self.matrix.move_to(middle)
        self.runner.move_to(middle - self._way(self.long / 2, 0.0))
        under = self._way(0.0, (self.deep + self.thick) / 2 + self.gap)
        VGroup(self.sum, self.made).move_to(middle + under)
        self.weights.move_to(middle - self._way((self.long + self.thick) / 2 + self.gap, 0.0))

    def weigh(self, share: float) -> None:
        """Let every number weigh its line: the largest one alone, then one after another."""
        starts = np.linspace(ALONE, 1 - EACH, len(self.lines))
        ways = eased((share - starts) / EACH)
        ways[self.largest] = eased(np.array(share / ALONE))
        self._paint(self.matrix, self.lines + ways[:, None] * (self.products - self.lines))

    def spread(self, share: float) -> None:
        """Show what adds up to the entry that is framed, and a share of all else about it."""
        ends = np.linspace(0, 1, self.lines.shape[1] + 1)
        middle = (self.framed + 0.5) / self.lines.shape[1]
        far = np.maximum(np.abs(ends[:-1] - middle), np.abs(ends[1:] - middle))
        seen = np.broadcast_to(far <= max(share, far.min()), self.lines.shape)
        self._paint(self.matrix, self.lines, seen)

    def meet(self, share: float) -> None:
        """Let the numbers go across the lines, from entry to entry; behind them stand the sums."""
        edges = (np.arange(self.lines.shape[1]) + 0.5) / self.lines.shape[1]
        self._paint(self.matrix, np.where(edges > share, self.lines, self.products))
        sums = self.sums[0][None, self.drawn]
        self._paint(self.sum, sums, (np.arange(sums.size) + 0.5)[None] / sums.size <= share)
        is_on, at = 0 < share < 1, share * self.long
        off = self._way(self._scale * at, 0.0)[:2]
        column = self._column.T if self.is_turned else self._column
        seen = np.full(column.shape, is_on)
        self.runner.paint(column, seen, np.broadcast_to(off, (*column.shape, 2)))
        sides = at + RUNNER / 2 * np.array([-1, 1]) + RIM * np.array([-1, 0])
        self._mark(sides[: 2 * is_on], np.zeros(2 * is_on), RIM, self.deep)

    def add_up(self, share: float) -> None:
        """Let weighed lines go to the sum, the last one first; what is silent takes no time."""
        count = len(self.lines)
        is_loud = np.asarray(np.abs(self.products).max(axis=1) > 0)
        before = np.cumsum(is_loud[::-1])[::-1] - is_loud  # how many go first
        starts = (1 - EACH) * before / max(is_loud.sum() - 1, 1)
        ways = eased((share - starts) / EACH)
        fall = self.gap + (self.thick + self.deep / count) / 2
        far = (fall + (np.arange(count)[::-1]) * self.deep / count) * ways
        seen = np.broadcast_to((ways < 1)[:, None], self.products.shape)
        self._paint(self.matrix, self.products, seen, far)
        landed = int((ways >= 1).sum())
        sums = self.sums[count - landed][None] if landed else np.zeros((1, self.sums.shape[1]))
        self._paint(self.sum, sums)

    def line_of_sum(self, *, with_sum: bool) -> Rectangle:
        """Return a frame around what adds up to the framed entry of the sum, and around this."""
        wide, under = self.long / self.lines.shape[1], with_sum * (self.gap + self.thick)
        width, height = self._turned(max(FRONT, wide), self.deep + under)
        frame = Rectangle(width=width, height=height)
        frame.set_stroke(theme.color(ACCENT), BOLD_LINE).move_to(self.matrix.frame)
        return frame.shift(self._way((self.framed + 0.5) * wide - self.long / 2, under / 2))

    def line_of_largest(self) -> Rectangle:
        """Return a frame around the largest weight and its line."""
        off, high = self.gap + self.thick, self.deep / len(self.lines)
        width, height = self._turned(self.long + off, max(FRONT, high))
        frame = Rectangle(width=width, height=height).move_to(self.matrix.frame)
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
        return float(self.matrix.frame.width / self._turned(self.long, self.deep)[0])

    def _mark(self, along: Floats, across: Floats, long: float, deep: float) -> None:
        """Let fronts be where boxes begin, along lines and across them, all of one size."""
        ends = (along, across), (along + long, across + deep)
        (left, top), (right, low) = (each[::-1] if self.is_turned else each for each in ends)
        boxes = (self._scale * each for each in (left, -low, right, -top))
        corner = self.matrix.frame.get_corner(LEFT + UP)
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


def matrix_name(name: str, sizes: Sequence[Value], step: int, drawn: str) -> VGroup:
    """Return a matrix's formula, of how many numbers it makes how many, and which are drawn."""
    size = Words("{} \N{RIGHTWARDS ARROW} {}", *sizes, size=SPOKEN_SIZE, role=QUIET)
    label = VGroup(Formula(f'$W_"{name}"$', TITLE_SIZE), size)
    if step > 1:
        each = count(step, "detectors for each that is drawn")
        label.add(Words(drawn, each, size=PLAIN_SIZE, role=QUIET))
    return label.arrange(RIGHT, buff=GAP)


def _within_one(numbers: Floats) -> Floats:
    """Return numbers as shares of the largest of them."""
    return np.asarray(numbers / (np.abs(numbers).max() or 1.0))
