"""Shares side by side in the rows of an attention grid, which part into its cells.

strips = Strips(pattern, board)
yield Flow(Flow(map(Appear, row)) for row in strips), strips.shrink(strips)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, PI, UP

from scenes import theme
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import SEAM, WIDEST_PITCH, Bars, set_slab, slab
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import discs
from scenes.mobjects.signs import ink_on_fill, strength
from scenes.mobjects.text import Glyphs, TokenText, em_of
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import GAP, HAIR, KEY, POSITIVE, QUICK, SLOW, SPOKEN_SIZE, STEADY, TITLE_SIZE
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
    Verb,
    Visit,
)

STRIP = 0.8  # of a row's height, for its shares side by side
TALLEST = 1.5  # times as high as wide, at most, is a room for a row's bars
LINE, FOOT = 1.3, 0.3  # ems from one line of their names to the next; under a baseline
CURVE = 4  # points of a side
LARGER = 1.5  # times as large as the others, the largest one's numeral


class Strips(VGroup):
    """Every query's weights side by side along its row of a board: each row is as long.

    The last one's are not made: they come from a column. `boxes` are where all rows stand; `names`,
    by row, stand in those pieces that have room for them.
    """

    def __init__(self, weights: Tensor, board: AttentionGrid) -> None:
        self.weights, self.board = weights, board
        left, high, rows = float(board.origin[0]), STRIP * board.side / 2, range(len(weights))
        right = left + len(weights) * board.wide
        levels = [float(board.center_of(row, 0)[1]) for row in rows]
        self.boxes = [Region(left, right, level - high, level + high) for level in levels]
        self.names = [list(self._names(row)) for row in rows]
        super().__init__(*(self._row(row) for row in rows[:-1]))

    def shrink(self, rows: Sequence[Sequence[VMobject]]) -> Verb:
        """Let the pieces of every row be discs, each where it stands."""
        return Together(
            Become(piece, self._disc(piece, row, key))
            for row, pieces in enumerate(rows)
            for key, piece in enumerate(pieces)
        )

    def part(self, rows: Sequence[Sequence[VMobject]]) -> Verb:
        """Let the discs of every row go along it to their keys' columns, one row after another.

        A single disc is there already: it is pointed at.
        """
        if len(rows) == 1:
            return Pulse(*rows[0], run_time=STEADY)
        return Flow(
            (
                Together(
                    MoveTo(disc, self.board.center_of(row, key)) for key, disc in enumerate(discs)
                )
                for row, discs in enumerate(rows)
            ),
            STEADY,
        )

    def scan(self, ring: Ring, last: Sequence[VMobject]) -> Verb:
        """Let a ring go down all rows of the board; a single one's discs are pointed at."""
        stops = [ring.copy().move_to(row) for row in self.board.faces.rows[1:]]
        look = Visit(ring, stops, 1.5 * SLOW) if stops else Pulse(*last, run_time=SLOW)
        return Then(Draw(ring, run_time=QUICK), look)

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
        size = text_size(pieces, 2 * (pitch - GAP), TITLE_SIZE)
        if not board.layout.slant:
            size = min(size, board.layout.size)
        names = [TokenText(piece, size, KEY) for piece in pieces]
        widest = max(name.width for name in names)
        lines, line = 1 + (widest > pitch - HAIR), LINE * em_of(size)
        if widest > 2 * pitch - GAP:
            bars = Bars(weights, room, names)
        else:
            bars = Bars(weights, room.raised(lines * line + HAIR))
            for place, (name, shape) in enumerate(zip(names, bars.shapes, strict=True)):
                level = room.bottom + (lines - 1 - place % lines) * line + FOOT * name.em
                name.move_to(shape).shift((level - name.baseline) * UP)
                room.hold(name)
            bars.names = list[Glyphs](names)
            bars.add(*names)
        number = bars.numbers[int(self.weights[row].double.argmax())]
        number.scale(min(LARGER, pitch / number.width), about_edge=DOWN)
        return bars

    def stand_up(self, pieces: Sequence[VMobject], bars: Bars) -> Verb:
        """Let the discs of a row become bars where they stand, and their names come under them."""
        pairs = zip(pieces, bars.shapes, strict=True)
        rise = [Become(piece, _turned_as(piece, shape), SLOW) for piece, shape in pairs]
        names = Then(Hold(QUICK), Flow(map(Appear, bars.names), STEADY))
        return Together(*rise, Draw(bars.zero), names)

    def tell(self, bars: Bars, place: int) -> Verb:
        """Let one bar's numeral come first, and then those of the others."""
        one = VGroup(bars.names[place], bars.numbers[place])
        rest = (number for number in bars.numbers if number is not one[1])
        return Then(Appear(one[1]), Pulse(*one, run_time=STEADY), Flow(map(Appear, rest), STEADY))

    def _pieces(self, row: int) -> Iterator[tuple[float, float, float]]:
        """Return how much a row gives to each key, and where along the row that is."""
        box, shares = self.boxes[row], self.weights[row].double[: row + 1]
        ends = (box.left + box.width * np.cumsum([0.0, *shares]) / shares.sum()).tolist()
        return zip(shares.tolist(), ends[:-1], ends[1:], strict=True)

    def _row(self, row: int) -> VGroup:
        box, pieces = self.boxes[row], VGroup()
        for share, left, right in self._pieces(row):
            piece = slab(strength(share, 1.0), SEAM).set_fill(theme.color(POSITIVE))
            set_slab(piece, (left, box.bottom, right, box.top))
            pieces.add(piece)
        return pieces

    def _names(self, row: int) -> Iterator[TokenText]:
        box = self.boxes[row]
        for token, (share, left, right) in zip(self.board.pieces, self._pieces(row), strict=False):
            name = TokenText(token, SPOKEN_SIZE)
            name.move_to(((left + right) / 2, box.center[1], 0))
            if name.width + 2 * HAIR < right - left and name.em < box.height:
                yield name.set_color(ink_on_fill(share, 1.0))

    def _disc(self, piece: VMobject, row: int, key: int) -> VMobject:
        """Return a disc in the middle of a piece, its area the weight, as a twin of the piece."""
        radius = self.board.dot_radius(self.weights[row, key].value.number)
        twin, middle = piece.copy(), piece.get_center()
        twin.points = discs(middle[None, :2], np.array([radius]))
        twin.rotate(-PI / 4 if _is_turned(piece) else -3 * PI / 4, about_point=middle)
        return twin.set_fill(opacity=1.0)


def _is_turned(piece: VMobject) -> bool:
    """Whether the first corner of a piece is its lower right one, and not its lower left."""
    return bool(piece.points[0][0] > piece.get_x())


def _turned_as(piece: VMobject, shape: VMobject) -> VMobject:
    """Return a twin of an upright shape whose first corner is where that of a piece is."""
    twin = shape.copy()
    if _is_turned(piece):
        twin.points = np.roll(shape.points, -CURVE, axis=0)
    return twin
