"""One row of several matrices, each on a line of its own with its name and length.

A `strip` is one vector on end; here tiles are those of a `matrix`. It knows no model.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.matrix import Matrix
from scenes.mobjects.text import Formula, Words
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, QUIET, SMALL_SIZE

TALLEST_TILE = 0.42  # scene units
NAME_WIDTH = 1.0  # scene units, for a name on the left
LENGTH_WIDTH = 1.6  # scene units, for what stands on the right
TIGHT = 5.0  # scene units; in a narrower region lengths stand under the strips


class RowStrips(VGroup):
    """Row `row` of each matrix as a strip of tiles, names on the left, lengths on the right.

    `names` are Typst formulas; `lines[i]` is the line of `matrices[i]`.
    """

    def __init__(
        self, matrices: Sequence[Matrix], names: Sequence[str], row: int, region: Region
    ) -> None:
        strips = [_strip(matrix, row) for matrix in matrices]
        longest = max(strip.width for strip in strips)
        pitch = matrices[0].pitch[0]
        line = region.height / len(matrices)
        is_tight = region.width < TIGHT
        beside = NAME_WIDTH + (0.0 if is_tight else LENGTH_WIDTH)
        scale = min(
            TALLEST_TILE / pitch,
            (region.width - beside) / longest,
            (line - 2 * HAIR) / strips[0].height / (2 if is_tight else 1),
        )
        self.lines = VGroup()
        for strip, name, matrix in zip(strips, names, matrices, strict=True):
            entries = count(matrix.values.shape[1], "entries of a row")
            symbol = Formula(f"${name}$", BODY_SIZE)
            length = Words("{} numbers", entries, size=SMALL_SIZE, role=QUIET)
            strip.scale(scale).next_to((NAME_WIDTH, 0, 0), RIGHT, buff=0)
            symbol.next_to((NAME_WIDTH - GAP, 0, 0), LEFT, buff=0)
            length.next_to(strip, DOWN if is_tight else RIGHT, buff=HAIR if is_tight else GAP)
            self.lines.add(VGroup(symbol, strip, length))
        for place, each in enumerate(self.lines):
            each.shift(DOWN * place * line)
        super().__init__(*self.lines)
        self.move_to(region.center)


def _strip(matrix: Matrix, row: int) -> VGroup:
    """Return a copy of a row, with three dots where it is elided, in brackets."""
    tiles = matrix.row(row).copy()
    across = [dots.copy() for dots in matrix.column_gaps]
    for dots in across:
        dots.set_y(tiles.get_y())
    inside = VGroup(*tiles, *across)
    return VGroup(*inside, bracket_pair(inside, matrix.role))
