"""All pairs of n things as a square of n times n cells. It knows nothing of what the things are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Square, VGroup, VMobject
from manim.constants import DL

from scenes import theme
from scenes.animations import VANISHING_SCALE, GrowFrom, Together
from scenes.arrivals import Appear, Show
from scenes.mobjects.text import Words
from scenes.mobjects.typesetting import Points
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import GAP, INK, LABEL_SIZE, QUIET, SMALL_SIZE, STEADY, Role

FACE = 0.16  # opacity of its fill
LINE = 1.0  # stroke width, of the finest lines
LINE_SHARE = 0.3  # of a cell's width, at most
TALLEST_CELL = 0.6  # scene units, in a row of squares
LINE_HEIGHT = 1.25  # of a text under a square, in ems
APART = 0.6  # scene units between neighbours in a row


class PairSquare(VMobject):
    """A square of `count` times `count` cells, each `cell` scene units wide, in one path."""

    def __init__(self, count: int, cell: float, role: Role = INK) -> None:
        super().__init__(
            stroke_width=min(LINE, 100 * LINE_SHARE * cell),
            stroke_color=theme.color(QUIET),
            stroke_opacity=0.8,
            fill_color=theme.color(role),
            fill_opacity=FACE,
        )
        self.points = _ruled(count) * cell


def _label(kind: str, number: int) -> VGroup:
    """Write how many things and pairs there are; all such labels share their baselines."""
    pairs = count(number**2, f"pairs of {kind}")
    lines = (
        Words("{}: {:,.0f}", kind, count(number, kind), size=SMALL_SIZE),
        Words("pairs: {:,.0f}", pairs, size=LABEL_SIZE),
    )
    baseline = 0.0
    for line in lines:
        baseline -= LINE_HEIGHT * line.em
        line.set_x(0).shift((0, baseline, 0))
    return VGroup(*lines)


def _ruled(count: int) -> Points:
    """Return the outline of a square of `count` units and the lines in it, its middle at 0."""
    ends: list[tuple[float, float, float, float]] = [
        (0, 0, count, 0),
        (count, 0, count, count),
        (count, count, 0, count),
        (0, count, 0, 0),
    ]
    for at in range(1, count):
        ends += [(0, at, count, at), (count, at, 0, at), (at, 0, at, count), (at, count, at, 0)]
    lines = np.array(ends, dtype=float).reshape(-1, 2, 2) - count / 2
    shares = np.linspace(0, 1, 4)[None, :, None]
    curves = (1 - shares) * lines[:, None, 0] + shares * lines[:, None, 1]
    flat = curves.reshape(-1, 2)
    return np.column_stack([flat, np.zeros(len(flat))])


class PairSquares(VGroup):
    """Squares for different kinds of things, to one scale, side by side over their numbers.

    `kinds` counts each kind of thing under its name; all is as large as `region` allows. In an
    upright region the first stands above the others.
    """

    def __init__(self, kinds: Mapping[str, int], region: Region) -> None:
        counts = list(kinds.values())
        self.labels = [_label(kind, number) for kind, number in kinds.items()]
        self.below = GAP - min(float(label.get_bottom()[1]) for label in self.labels)
        alone = 1 if region.height > region.width else 0
        places = range(len(counts))
        self.rows = [row for row in (places[:alone], places[alone:]) if row]
        cell = next(
            size
            for size in np.geomspace(TALLEST_CELL, 1e-3, 200)
            if self._height(counts, size) <= region.height
            and max(self._width(row, counts, size) for row in self.rows) <= region.width
        )
        self.squares = [PairSquare(count, cell) for count in counts]
        super().__init__(*self.squares, *self.labels)
        self._set_in_rows(cell, counts)
        self.move_to(region.center)

    def grow(self, which: int) -> Together:
        """Let a square grow from its lower left corner, and its text come in."""
        square = self.squares[which]
        corner = Square(VANISHING_SCALE).move_to(square, aligned_edge=DL)
        # While it is small its lines lie close, and it would begin darker than it ends.
        grows = GrowFrom(square, corner), Show(square, STEADY)
        return Together([*grows, Appear(self.labels[which])])

    def _height(self, counts: Sequence[int], cell: float) -> float:
        tallest = [max(counts[place] for place in row) * cell for row in self.rows]
        return sum(tallest) + self.below * len(self.rows) + APART * (len(self.rows) - 1)

    def _width(self, row: Sequence[int], counts: Sequence[int], cell: float) -> float:
        columns = [max(counts[place] * cell, self.labels[place].width) for place in row]
        return float(sum(columns) + APART * (len(columns) - 1))

    def _set_in_rows(self, cell: float, counts: Sequence[int]) -> None:
        y = 0.0
        for row in self.rows:
            x = -self._width(row, counts, cell) / 2
            y -= max(counts[place] for place in row) * cell
            for place in row:
                square, label = self.squares[place], self.labels[place]
                width = max(square.width, label.width)
                square.move_to((x + width / 2, y + square.height / 2, 0))
                label.shift((x + width / 2, y - GAP, 0))
                x += width + APART
            y -= self.below + APART
