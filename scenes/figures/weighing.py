"""Numbers that weigh the lines of a matrix, which then add up to one line. It knows no model.

up = Weighing((x, matrix, made), stage, drawn, sums, is_turned=False)
yield Vary(up.spread, 0, 1)     # all grows out of what stands across lines at one place
yield Vary(up.meet, 0, 1)       # the numbers stand beside each such place in turn; then its sum
down = Weighing(ways, stage, drawn, weights, is_turned=True, weighs_drawn=True)
yield Vary(down.weigh, 0, 1)    # each number weighs all of its line
yield Vary(down.add_up, 0, 1)   # the sum takes lines on, one after another, the last first
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import eased
from scenes.mobjects.ground import show
from scenes.mobjects.marks import Brackets
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Formula, Number, Words
from scenes.mobjects.vector import ellipsis
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import ACCENT, BOLD_LINE, GAP, QUIET, SPOKEN_SIZE, THIN_LINE, TITLE_SIZE

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ENTRIES = 8  # of a vector, that are drawn, at most
PITCH, LEAST = 1.4, 6  # scene units from one detector to the next; so many are drawn at least
FILLED, JOINED = 0.8, 0.94  # of its room, what is drawn of it: it is apart from the next, or not
FLATTEST = 2.6  # times the shorter side of an entry's room, the longer one at most
THICK, APART = 0.15, 0.05  # of a region's shorter side, a vector, and what is left free beside it
FAINT = 0.42  # of a weight's colour, what is left of it where it is small
NOTHING = 0.1  # of the largest weight: what is less has no colour, and does not weigh its line
FRONT = 0.16  # scene units, a frame at least
RIM = 0.05  # scene units: each side's line of the numbers on their way across lines
ALONE, EACH = 0.35, 0.25  # of all the time, that of the largest line, alone, and of each other one
NUMERAL = 0.9  # of its room, a numeral
LOUDEST = 3  # of so many groups, in one the loudest detector is drawn
MIXED = 0.618  # of all, from one group's aim to the next one's
THIN, EDGE, MARGIN = 0.36, 0.22, 0.2  # of its room, a detector beside which numbers stand; rims
NEAR = 0.42  # of its room, those numbers from it


class Weighing(VGroup):
    """Weights (n,) beside the lines of a matrix (n, m), and under them what they add up to, (m,).

    `ways` are these three. If it is turned, weights stand over the columns, and the sum at their
    right. Of lines and of what stands across them, one kind are detectors: lines, if it
    `weighs_drawn`. Of each group of detectors one is `drawn`, with its number, one of `told`; of
    a vector that they add to, its first `ENTRIES`; of one that they take, the `taken`, all without
    it. All lines of a group
    are added to the sum with the one that is drawn. The sum begins with what no line adds, a bias.
    The `framed` detector is a place among those that are drawn.
    Parts: `weights`; `dots` where lines are left out; `made`, the empty place of the sum, and what
    is `said` of it; the `board`, on which all happens, with lines whose weight is next to nothing,
    the `silent` ones, and `frames` of the others, the `loud` ones, from the last one on; `numbers`,
    told of detectors; `brackets` about the matrix.
    """

    def __init__(
        self,
        ways: tuple[Floats, Floats, Floats],
        region: Region,
        drawn: Sequence[int],
        told: Sequence[Value],
        *,
        is_turned: bool,
        weighs_drawn: bool = False,
        framed: int = 0,
        taken: Sequence[int] | None = None,
    ) -> None:
        weights, matrix, total = ways
        self.is_turned = is_turned
        shorter = min(region.width, region.height)
        self.thick, self.gap = THICK * shorter, APART * shorter
        (n, m), inside = matrix.shape, self._turned(region.width, region.height)
        picked = [*drawn] if weighs_drawn else [*range(n)] if taken is None else [*taken]
        is_elided = len(picked) < n
        across = [*range(min(m, ENTRIES))] if weighs_drawn else [*drawn]
        self.aside = self.gap * (1 if weighs_drawn else 2)  # brackets need room, too
        room = np.array(inside) - self.thick - np.array([self.aside, self.gap])
        margin = 0.0 if weighs_drawn else MARGIN  # where numbers stand beside the first detector
        wide, high = self._turned(
            room[0] / (len(across) + 2 * margin),
            (room[1] + weighs_drawn * self.thick) / (len(picked) + is_elided + weighs_drawn),
        )
        if weighs_drawn:
            wide, high = min(wide, FLATTEST * high), min(high, FLATTEST * wide)
        cell = self._turned(wide, high)
        self.long, self.deep = cell[0] * len(across), cell[1] * len(picked)
        # room for dots, behind the last line; the sum is as high as what is added up to it
        self.tail, self.high = is_elided * cell[1], cell[1] if weighs_drawn else self.thick
        starts = group_starts(n, len(picked)) if weighs_drawn else np.arange(n)
        self.largest, self.framed = int(np.abs(weights[picked]).argmax()), framed
        fills = [(THIN, JOINED), (FILLED, JOINED), (FILLED, JOINED)]
        own, taking, made = [(JOINED, FILLED)] * 3 if weighs_drawn else fills
        apart, whole = self._turned(*own), self._turned(self.long, self.deep)
        self.matrix = Shades(whole, faintest=FAINT, filled=apart)
        self.fronts = Filled(np.zeros((0, 3)), ACCENT)
        self._column = weights[picked][:, None]
        if weighs_drawn:
            self._column[np.abs(self._column) < NOTHING * np.abs(weights).max()] = 0
        self.lines = _within_one(matrix[picked][:, across])
        self.products = _within_one(self._column * self.lines)
        products = weights[:, None] * matrix
        self.sums = total - np.cumsum(np.add.reduceat(products, starts, axis=0), axis=0)
        self.sums = np.concatenate([total[None], self.sums])[:, across]  # from the last line on
        self.made = self._box(self.long, self.high).set_stroke(theme.color(QUIET), THIN_LINE / 2)
        size, most = self._turned(self.long, self.high), float(np.abs(total[across]).max())
        self.sum = Shades(size, most, FAINT * weighs_drawn, filled=self._turned(*made))
        size, most = self._turned(self.thick, self.deep), float(np.abs(weights).max())
        self.runner = Shades(self._turned(cell[0], self.deep), most, FAINT, filled=apart)
        self.weights = Shades(size, most, FAINT * (not weighs_drawn), self._turned(*taking))
        self.weights.paint(self._column.T if is_turned else self._column)
        self.margin = margin * self._step
        self.silent = Shades(whole, faintest=FAINT, filled=apart)
        self.board = VGroup(self.matrix, self.silent, self.sum, self.runner, self.fronts)
        self._arrange(region)
        self.numbers = _numerals(told, self.weights if weighs_drawn else self.sum)
        for number, weight in zip(self.numbers, self._column, strict=False):
            if weighs_drawn and not weight:
                number.set_color(theme.color(QUIET))
        self._put_marks(is_elided * (1 if weighs_drawn else len(across)), n * weighs_drawn)
        super().__init__(self.made, self.board, self.weights, *self.numbers)
        self.add(self.brackets, self.said, *self.dots, *self.frames)

    def _arrange(self, region: Region) -> None:
        """Place the weights before the matrix, and their sum under it."""
        offs = self.thick + self.aside, self.high + self.gap
        middle = region.center + self._way(offs[0] / 2, -(offs[1] + self.tail) / 2)
        VGroup(self.matrix, self.silent).move_to(middle)
        self.runner.move_to(middle - self._way(self.long / 2 + NEAR * self._step, 0.0))
        under = self._way(0.0, (self.deep + self.high) / 2 + self.gap + self.tail)
        VGroup(self.sum, self.made).move_to(middle + under)
        before = (self.long + self.thick) / 2 + self.aside + self.margin
        self.weights.move_to(middle - self._way(before, 0.0))

    def _put_marks(self, dots: int, added: int) -> None:
        """Put brackets about the matrix, dots behind its last line, and words under the sum.

        Draw its lines, and frame the loud ones.
        """
        self.is_loud: Flags = np.abs(self._column[:, 0]) > 0
        self.is_loud[self.largest] = True
        self.loud = np.flatnonzero(self.is_loud)[::-1].tolist()
        self.frames = [self._frame(line) for line in self.loud]
        if added:
            self._paint(self.silent, self.lines, self._these(~self.is_loud))
        self.weigh(0.0)
        box = self._box(self.long + 2 * self.margin, self.deep + self.tail)
        box.move_to(self.matrix.frame).shift(self._way(0.0, self.tail / 2))
        self.dots = self._dots(dots) if dots else []
        self.brackets = Brackets(box)
        told = ("sum of {}", count(added, "lines that are added")) if added else ("sum",)
        self.said = Words(*told, size=SPOKEN_SIZE)
        self.said.next_to(self.made, DOWN, buff=GAP)

    def _dots(self, number: int) -> list[VMobject]:
        """Return dots behind the last line: for the weights, and for so many places across."""
        below = self._way(0.0, (self.deep + self.tail) / 2)
        along = self.long * ((np.arange(number) + 0.5) / number - 0.5)
        middle = self.matrix.frame.get_center()
        places = [self.weights.frame.get_center()]
        places += [middle + self._way(each, 0.0) for each in along.tolist()]
        return [ellipsis(place + below, self._way(0.0, self.tail)) for place in places]

    def weigh(self, share: float) -> None:
        """Let every loud number weigh its line: the largest alone, others in turn."""
        ways = eased((share - np.linspace(ALONE, 1 - EACH, len(self.lines))) / EACH)
        ways[self.largest] = eased(np.array(share / ALONE))
        weighed = self.lines + ways[:, None] * (self.products - self.lines)
        self._paint(self.matrix, weighed, self._these(self.is_loud))

    def spread(self, share: float) -> None:
        """Show what adds up to the entry that is framed, and a share of all else about it."""
        ends = np.linspace(0, 1, self.lines.shape[1] + 1)
        middle = (self.framed + 0.5) / self.lines.shape[1]
        far = np.maximum(np.abs(ends[:-1] - middle), np.abs(ends[1:] - middle))
        seen = np.broadcast_to(far <= max(share, far.min()), self.lines.shape)
        self._paint(self.matrix, self.lines, seen)

    def meet(self, share: float) -> None:
        """Let the numbers go to the lines' entries, one after another; each then has its sum."""
        count = self.lines.shape[1]
        place = share * count  # at each entry it rests for a while
        stop = min(int(place), count - 1)
        place = stop + float(eased(np.array(2 * (place - stop) - 1))) if share < 1 else count
        is_met = np.arange(count) + 0.5 <= place
        self._paint(self.matrix, self.lines)
        self._paint(self.sum, self.sums[0][None], is_met[None])
        for number, is_told in zip(self.numbers, is_met, strict=True):
            show(number, float(is_told))
        is_on, middle = 0 < share < 1, (min(place, count - 1) + 0.5) * self._step
        off = self._way(self._scale * middle, 0.0)[:2]
        column = self._column.T if self.is_turned else self._column
        seen = np.full(column.shape, is_on)
        self.runner.paint(column, seen, np.broadcast_to(off, (*column.shape, 2)))
        first, last = middle - RIM / 2 + self._step * np.array([-NEAR - EDGE, EDGE])
        high, wide = self.deep + self.tail, last - first + RIM
        along, across = np.array([first, last, first, first]), np.array([0, 0, -RIM, high])
        long, deep = np.array([RIM, RIM, wide, wide]), np.array([high, high, RIM, RIM])
        self._mark(*(each[: 4 * is_on] for each in (along, across, long, deep)))

    def add_up(self, share: float) -> None:
        """Let the sum take on lines, the last loud one first; what is silent takes no time."""
        sums = self.sums[[*self.loud[:-1], 0]]
        place = share * len(sums)
        after = min(max(place - 1, 0.0), len(sums) - 1.0)  # at first it comes, entry by entry
        at, on = int(after), after - int(after)
        numbers = (1 - on) * sums[at] + on * sums[min(at + 1, len(sums) - 1)]
        seen = np.arange(len(numbers)) + 0.5 < place * len(numbers)
        self._paint(self.sum, numbers[None], seen[None])

    def line_of_framed(self) -> Rectangle:
        """Return a frame around what adds up to the framed entry of the sum."""
        frame = self._box(max(FRONT, self._step), self.deep + self.tail)
        frame.set_stroke(theme.color(ACCENT), BOLD_LINE).move_to(self.matrix.frame)
        along = (self.framed + 0.5) * self._step - self.long / 2
        return frame.shift(self._way(along, self.tail / 2))

    def _these(self, lines: Flags) -> Flags:
        """Return which entries of the matrix are in some lines."""
        return np.broadcast_to(lines[:, None], self.lines.shape)

    def _frame(self, line: int) -> Rectangle:
        """Return a frame around a weight and its line."""
        off, high = self.gap + self.thick + self.margin, self.deep / len(self.lines)
        frame = self._box(self.long + off, max(FRONT, high)).move_to(self.matrix.frame)
        frame.set_stroke(theme.color(ACCENT), BOLD_LINE)
        return frame.shift(self._way(-off / 2, (line + 0.5) * high - self.deep / 2))

    def cells(self, *, of_sum: bool) -> tuple[Floats, tuple[float, float]]:
        """Return where the entries of the sum, or of the weights, stand, (n, 2), and their size."""
        subject = self.sum if of_sum else self.weights
        is_level = of_sum != self.is_turned
        number = self.lines.shape[1] if of_sum else len(self.lines)
        size = np.array([subject.frame.width, subject.frame.height])
        way = np.array([1, 0]) if is_level else np.array([0, -1])
        shares = (np.arange(number) + 0.5) / number - 0.5
        places = shares[:, None] * size * way + subject.frame.get_center()[:2]
        wide, high = subject.filled * size / (number ** np.abs(way))
        return places, (float(wide), float(high))

    @property
    def _step(self) -> float:
        """How far it is from what stands across lines at one place to the next."""
        return float(self.long / self.lines.shape[1])

    @property
    def _scale(self) -> float:
        """How large all is drawn."""
        return float(self.matrix.frame.width / self._turned(self.long, self.deep)[0])

    def _mark(self, along: Floats, across: Floats, long: Floats, deep: Floats) -> None:
        """Let fronts be where boxes begin, along lines and across them, as large as they are."""
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

    def _box(self, along: float, across: float) -> Rectangle:
        """Return a box of a size along lines and across them."""
        width, height = self._turned(along, across)
        return Rectangle(width=width, height=height)

    def _turned(self, along: float, across: float) -> tuple[float, float]:
        """Return a size, along lines and across them, as width and height."""
        return (across, along) if self.is_turned else (along, across)

    def _way(self, along: float, across: float) -> Floats:
        """Return an offset along lines and from one to the next as one of the stage."""
        right, down = self._turned(along, across)
        return np.array((right, -down, 0.0))


def drawn_of(made: Floats, room: float, told: Sequence[int]) -> list[int]:
    """Return which detectors are drawn in a room: one of each group, a told one if it is there.

    What most of them have `made` is spread as what all have; some are the loudest of their group.
    Two that are told are to be apart, as `lowest_apart` has them.
    """
    number = min(len(made), max(LEAST, int(room / PITCH)))
    starts = group_starts(len(made), number)
    aims = np.quantile(made, (0.5 + MIXED * np.arange(number)) % 1)
    aims[1::LOUDEST] = made.max()
    groups = np.split(made, starts[1:])
    near = [int(np.abs(group - aim).argmin()) for group, aim in zip(groups, aims, strict=True)]
    found: list[int] = (starts + near).tolist()
    for group, each in zip(np.searchsorted(starts, told, side="right") - 1, told, strict=True):
        found[int(group)] = each
    return found


def lowest_apart(made: Floats, other: int) -> int:
    """Return the detector of the least sum, of those that are in no group together with another."""
    group = -(-len(made) // min(len(made), LEAST))  # its size, at most
    is_near = np.abs(np.arange(len(made)) - other) < group
    return int(np.where(is_near, np.inf, made).argmin())


def group_starts(detectors: int, groups: int) -> NDArray[np.int_]:
    """Return where groups of detectors begin that are about as large."""
    return np.arange(groups) * detectors // groups


def matrix_name(name: str, told: Sequence[Words], room: float) -> VGroup:
    """Return a matrix's formula, and the first of what may be told of it that has room."""
    for words in told:
        label = VGroup(Formula(f'$W_"{name}"$', TITLE_SIZE), words)
        if label.arrange(RIGHT, buff=1.5 * GAP).width <= room:
            break
    return label.scale(min(1.0, room / label.width))


def _numerals(values: Sequence[Value], shades: Shades) -> list[Number]:
    """Return numerals upon numbers that stand in one line, all of one size."""
    numbers, frame = [Number(value, 1, SPOKEN_SIZE) for value in values], shades.frame
    is_level = frame.width > frame.height
    room = NUMERAL * FILLED * frame.width / (len(numbers) if is_level else 1)
    share = min(1.0, room / max(number.width for number in numbers))
    along = frame.width * RIGHT if is_level else frame.height * DOWN
    for place, number in enumerate(numbers):
        number.scale(share).set_color(shades.ink(number.value.number))
        number.move_to(frame.get_center() + ((place + 0.5) / len(numbers) - 0.5) * along)
    return numbers


def _within_one(numbers: Floats) -> Floats:
    """Return numbers as shares of the largest of them."""
    return np.asarray(numbers / (np.abs(numbers).max() or 1.0))
