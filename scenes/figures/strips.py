"""Shares side by side in the rows of an attention grid, which part into its cells.

strips = Strips(pattern, board)
yield strips[-1].fill()                                  # its shares, from the left end
yield Flow(row.fill() for row in strips[:-1]), strips.shrink()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DL, DOWN, PI, RIGHT, UP, UR

from scenes import theme
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import SEAM, WIDEST_PITCH, Bars, Stack, set_slab, slab
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import discs
from scenes.mobjects.signs import ink_on_fill, strength
from scenes.mobjects.text import Glyphs, TokenText, em_of
from scenes.presence import set_fill
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.verbs import (
    Appear,
    Become,
    Draw,
    Flow,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
    Visit,
)

STRIP = 0.8  # of a row's height, for its shares side by side
TALLEST = 1.5  # times as high as wide, at most, is a room for a row's bars
LINE, FOOT = 1.3, 0.3  # ems from one line of their names to the next; under a baseline
LEAST_NAME = 24  # in a narrow piece
WHOLES = 1.0  # scene units beside the pattern, for the sums of its rows
LEAST_CELL = 0.9  # of what the pattern's cells could be: their names are level
WIDEST_CELL = 3.0  # times as wide as tall, at most, so that they are
NAMES, NAME_HEIGHT = 0.03, 0.8  # of the width, more for rows' names; of a row's height, at most
LARGER = 1.5  # times as large as the others, the largest one's numeral


class Strips(VGroup):
    """Every query's weights side by side along its row of a board: each row is as long.

    `boxes` are where all rows stand; `names`, by row, stand in those pieces that have room for
    them.
    """

    def __init__(self, weights: Tensor, board: AttentionGrid) -> None:
        self.weights, self.board = weights, board
        left, high, rows = float(board.origin[0]), STRIP * board.side / 2, range(len(weights))
        right = left + len(weights) * board.wide
        levels = [float(board.center_of(row, 0)[1]) for row in rows]
        self.boxes = [Region(left, right, level - high, level + high) for level in levels]
        self.names = [list(self._names(row)) for row in rows]
        super().__init__(*(self._row(row) for row in rows))

    def shrink(self) -> Verb:
        """Let the pieces of every row be discs, each where it stands."""
        return Together(
            Become(piece, self._disc(piece, row, key))
            for row, pieces in enumerate(self)
            for key, piece in enumerate(pieces)
        )

    def part(self) -> Verb:
        """Let the discs of every row go along it to their keys' columns, one row after another.

        A single disc is there already: it is pointed at.
        """
        if len(self) == 1:
            return Pulse(*self[0], run_time=theme.STEADY)
        return Flow(
            (
                Together(
                    MoveTo(disc, self.board.center_of(row, key)) for key, disc in enumerate(discs)
                )
                for row, discs in enumerate(self)
            ),
            theme.STEADY,
        )

    def scan(self, ring: Ring) -> Verb:
        """Let a ring go down all rows of the board; a single one's discs are pointed at."""
        stops = [ring.copy().move_to(row) for row in self.board.faces.rows[1:]]
        look = (
            Visit(ring, stops, 1.5 * theme.SLOW) if stops else Pulse(*self[-1], run_time=theme.SLOW)
        )
        return Then(Draw(ring, run_time=theme.QUICK), look)

    def as_bars(self, row: int, room: Region) -> Bars:
        """Return a row's weights as bars in their keys' columns; the largest has a larger numeral.

        They stand up to the top of a room. Their names stand as those of the columns, or, where
        these are slanted, in two lines, or slanted where these are too short.
        """
        pieces, weights, board = self.board.pieces, self.weights[row].values, self.board
        left = float(board.origin[0])
        room = replace(room, left=left, right=left + len(pieces) * board.wide)
        spare = max(0.0, room.height - TALLEST * room.width)
        room = room.lowered(spare / 3).raised(2 * spare / 3)
        pitch = pitch_in(room.width, len(weights), WIDEST_PITCH)
        size = text_size(pieces, 2 * (pitch - theme.GAP), theme.TITLE_SIZE)
        names = [TokenText(piece, size, theme.KEY) for piece in pieces]
        widest = max(name.width for name in names)
        lines, line = 1 + (widest > pitch - theme.HAIR), LINE * em_of(size)
        if widest > 2 * pitch - theme.GAP:
            bars = Bars(weights, room, names)
        else:
            bars = Bars(weights, room.raised(lines * line + theme.HAIR))
            for place, (name, shape) in enumerate(zip(names, bars.shapes, strict=True)):
                level = room.bottom + (lines - 1 - place % lines) * line + FOOT * name.em
                name.move_to(shape).shift((level - name.baseline) * UP)
                room.hold(name)
            bars.names = list[Glyphs](names)
            bars.add(*names)
        number = bars.numbers[int(self.weights[row].double.argmax())]
        number.scale(min(LARGER, pitch / number.width), about_edge=DOWN)
        return bars

    def stand_up(self, bars: Bars) -> Verb:
        """Let the discs of the last row become bars where they stand; names come under them."""
        pairs = zip(self[-1], bars.shapes, strict=True)
        rise = [Become(piece, shape.copy(), theme.SLOW) for piece, shape in pairs]
        names = Then(Hold(theme.QUICK), Flow(map(Appear, bars.names), theme.STEADY))
        return Together(*rise, Draw(bars.zero), names)

    def tell(self, bars: Bars, place: int) -> Verb:
        """Let one bar's numeral come first, and then those of the others."""
        one = VGroup(bars.names[place], bars.numbers[place])
        rest = (number for number in bars.numbers if number is not one[1])
        return Then(
            Appear(one[1]),
            Pulse(*one, run_time=theme.STEADY),
            Flow(map(Appear, rest), theme.STEADY),
        )

    def _pieces(self, row: int) -> Iterator[tuple[float, float, float]]:
        """Return how much a row gives to each key, and where along the row that is."""
        box, shares = self.boxes[row], self.weights[row].double[: row + 1]
        ends = (box.left + box.width * np.cumsum([0.0, *shares]) / shares.sum()).tolist()
        return zip(shares.tolist(), ends[:-1], ends[1:], strict=True)

    def _row(self, row: int) -> Strip:
        shares, starts, ends = zip(*self._pieces(row), strict=True)
        return Strip(shares, (*starts, ends[-1]), self.boxes[row])

    def _names(self, row: int) -> Iterator[TokenText]:
        box = self.boxes[row]
        for token, (share, left, right) in zip(self.board.pieces, self._pieces(row), strict=False):
            name = TokenText(token, theme.SPOKEN_SIZE)
            name.scale(min(1.0, max(right - left - 2 * theme.HAIR, 0.0) / name.width))
            name.move_to(((left + right) / 2, box.center[1], 0))
            if em_of(LEAST_NAME) <= name.em < box.height:
                yield name.set_color(ink_on_fill(share, 1.0))

    def _disc(self, piece: VMobject, row: int, key: int) -> VMobject:
        """Return a disc in the middle of a piece, its area the weight, as a twin of the piece."""
        radius = self.board.dot_radius(self.weights[row, key].value.number)
        twin, middle = piece.copy(), piece.get_center()
        twin.points = discs(middle[None, :2], np.array([radius]))
        twin.rotate(-3 * PI / 4, about_point=middle)
        return twin.set_fill(opacity=1.0)


class Strip(VGroup):
    """Shares of one whole in a level box, one beside the other; `ends` are where they meet."""

    def __init__(self, shares: Sequence[float], ends: Sequence[float], box: Region) -> None:
        self.ends, self.box = ends, box
        super().__init__(*(slab(strength(share, 1.0), SEAM) for share in shares))
        self.set_fill(theme.color(theme.POSITIVE)).reach(1.0)

    def fill(self, run_time: float = theme.STEADY) -> Verb:
        """Let them come in from the left end."""
        return Together(
            Appear(*self, scale=1.0, run_time=theme.HAIR), Vary(self.reach, 0, 1, run_time=run_time)
        )

    def reach(self, share: float) -> None:
        """Show them up to a share of the box's width."""
        box, end = self.box, self.box.left + share * self.box.width
        for piece, (left, right) in zip(self, pairwise(self.ends), strict=True):
            set_slab(piece, (min(left, end), box.bottom, min(right, end), box.top))


class Drain(Verb):
    """Shares that stand in a column, the first on top, leave it from the top."""

    def __init__(self, shapes: Sequence[VMobject], run_time: float = theme.SLOW) -> None:
        super().__init__(*shapes, run_time=run_time)
        self.shapes = list(shapes)

    def start(self) -> None:
        """Remember where they stand."""
        ends = [(shape.get_corner(DL), shape.get_corner(UR)) for shape in self.shapes]
        self.boxes = [(*low[:2], *high[:2]) for low, high in ends]

    def change(self, share: float) -> None:
        """Show what is under the level that is reached."""
        top, foot = self.boxes[0][3], self.boxes[-1][1]
        level = top - share * (top - foot)
        for shape, (left, low, right, high) in zip(self.shapes, self.boxes, strict=True):
            set_slab(shape, (left, min(low, level), right, min(high, level)))


def light(stack: Stack, names: Sequence[Glyphs], place: int) -> Verb:
    """Let all shares but one be bright in turn, each with its name and another one; and back."""
    bright, back = list[Verb](), list[Verb]()
    for other, shape in enumerate(stack.shapes):
        if other != place:
            lit, named = shape.copy(), (*stack.labels(other), names[other])
            set_fill(lit, theme.color(theme.POSITIVE), theme.STRONGEST_FILL)
            bright.append(Together(Become(shape, lit, theme.QUICK), Pulse(*named)))
            back.append(Become(shape, shape.copy(), theme.QUICK))
    return Then(Flow(bright, theme.STEADY), Hold(theme.QUICK), Together(back))


def board_for(pieces: Sequence[str], region: Region) -> AttentionGrid:
    """Return a board with level names, those of its rows larger, and room for the rows' sums."""
    more = NAMES * region.width
    inner = replace(region, left=region.left + more)
    board = AttentionGrid(pieces, inner, beside=WHOLES, widest=WIDEST_CELL, least_cell=LEAST_CELL)
    growth = 1 + more / max(name.width for name in board.queries)
    most = min(em_of(theme.SPOKEN_SIZE), NAME_HEIGHT * board.side) / em_of(board.layout.size)
    for name in board.queries:
        name.scale(max(1.0, min(growth, most)), about_edge=RIGHT)
    return board
