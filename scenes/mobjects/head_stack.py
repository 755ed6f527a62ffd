"""The heads' own parts of W_O, stapled one under the other, with each head's z beside its part.

It knows arrays, and no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Self

import numpy as np
from manim import Animation, Line, Rectangle, VGroup
from manim.constants import DOWN, LEFT, UP

from scenes import theme
from scenes.animations import (
    Appear,
    Fade,
    Move,
    Together,
    bring_forward,
    hide,
    one_after_another,
    put_back,
)
from scenes.mobjects.brackets import bracket_pair
from scenes.mobjects.matrix import FAINTEST, WeightMatrix
from scenes.mobjects.text import Formula, Words, em_of
from scenes.mobjects.vector import shown_entries
from scenes.stage import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    LABEL_SIZE,
    QUIET,
    SMALL_SIZE,
    SMALLEST_SIZE,
    STEADY,
    STRONGEST_FILL,
    THIN_LINE,
    VALUE,
)
from scenes.values import Tensor, count

MOST_HEADS = 8  # places; where there are more heads, one of them is for dots
ROWS = 4  # of each head's part, the ellipsis among them
Z_WIDTH = 0.35  # scene units


class HeadStack(VGroup):
    """Parts (H, K, D) and z (H, K): `strips[i]` and `columns[i]` belong to head `heads[i]`.

    `pitch` is how far columns stand apart and `height` what all parts take together,
    in scene units; `most` columns are drawn. All is unseen until it is revealed.
    """

    def __init__(
        self, parts: Tensor, z: Sequence[Tensor], pitch: float, height: float, most: int
    ) -> None:
        self.heads = shown_entries(len(parts), MOST_HEADS)
        places = list(range(len(self.heads)))
        self.is_elided = len(self.heads) < len(parts)
        places[-1] += self.is_elided
        self.step = height / (places[-1] + 1)
        tiles = pitch, self.step / (ROWS + 1)
        self.strips = [WeightMatrix(parts[head], tiles, (ROWS, most)) for head in self.heads]
        for place, strip in zip(places, self.strips, strict=True):
            strip.remove(strip.brackets)
            strip.row_gaps.set_x(strip.tile(strip.rows[0], 0).get_x())
            strip.shift(DOWN * place * self.step)
        self.brackets = bracket_pair(VGroup(*self.strips), INK)
        self.seams = self._seams()
        self.columns = self._columns([z[head] for head in self.heads])
        beside = VGroup(*self.columns).next_to(self.brackets, LEFT, buff=2 * GAP)
        self.z_brackets = bracket_pair(beside, VALUE)
        size = max(SMALLEST_SIZE, min(SMALL_SIZE, 0.7 * self.step / em_of(1)))
        self.names = [self._name(head, size) for head in self.heads]
        for name, column in zip(self.names, self.columns, strict=True):
            name.next_to(self.z_brackets, LEFT, buff=GAP).set_y(column.get_y())
        self.z_name = Formula(f"${VALUE.value}(z)$", LABEL_SIZE)
        self.z_name.next_to(self.z_brackets, UP, buff=HAIR)
        beside.add(self.z_brackets, self.z_name)
        self.gap = self._gap()
        super().__init__(*self.strips, self.seams, self.brackets, beside, *self.names, self.gap)
        hide(self)

    def spread(self, region: Region) -> Self:
        """Stand apart over the height of a region, each part with its name."""
        high, low = region.top - self.step / 2, region.bottom + self.step / 2
        first, last = (float(self.strips[i].get_y()) for i in (0, -1))
        stretch = (high - low) / (first - last) if len(self.strips) > 1 else 1.0
        self.offsets = [
            UP * (high + stretch * (part.get_y() - first) - part.get_y()) for part in self._parts
        ]
        for part, offset in zip(self._parts, self.offsets, strict=True):
            part.shift(offset)
        return self

    def reveal_parts(self) -> Animation:
        """Let the heads' parts come in from the top, each with its name."""
        return one_after_another(map(Appear, self._parts))

    def staple(self) -> Animation:
        """Let the parts move together, and the brackets of the whole close round them."""
        moves = [
            Move(part, -offset) for part, offset in zip(self._parts, self.offsets, strict=True)
        ]
        seams = Fade(self.seams, 1.0, STEADY), Fade(self.brackets, 1.0, STEADY)
        return Together([*moves, *seams])

    def reveal_z(self) -> Animation:
        """Let the z of each head come in beside its part, end to end."""
        comes = one_after_another(map(Appear, self.columns))
        return Together([comes, Fade(self.z_brackets, 1.0, STEADY), Appear(self.z_name)])

    def head_after_head(self, run_time: float) -> Animation:
        """Let one head after another recede: it has been added."""
        each = run_time / len(self.strips)
        return Together((put_back(head, each) for head in self._by_head), lag_ratio=1.0)

    def bring_forward(self) -> Animation:
        """Let all heads come back."""
        return Together(bring_forward(head) for head in self._by_head)

    @property
    def _parts(self) -> list[VGroup]:
        """The heads' parts with their names, and the dots for those that are left out."""
        parts = [VGroup(*each) for each in zip(self.strips, self.names, strict=True)]
        return [*parts, *([self.gap] if self.is_elided else [])]

    @property
    def _by_head(self) -> list[tuple[VGroup, ...]]:
        return list(zip(self.strips, self.columns, map(VGroup, self.names), strict=True))

    def _columns(self, z: Sequence[Tensor]) -> list[VGroup]:
        """Return the tiles of each z, on end, at the heights of the weights that they multiply."""
        largest = max(float(np.abs(vector.array).max()) for vector in z) or 1.0
        columns = []
        for strip, vector in zip(self.strips, z, strict=True):
            column = VGroup()
            for row in strip.rows:
                share = (float(vector.array[row]) / largest + 1) / 2
                tile = Rectangle(
                    width=Z_WIDTH,
                    height=strip.tile(row, 0).height,
                    stroke_width=0,
                    fill_color=theme.color(VALUE),
                    fill_opacity=FAINTEST + (STRONGEST_FILL - FAINTEST) * share,
                )
                column.add(tile.set_y(strip.tile(row, 0).get_y()))
            columns.append(column)
        return columns

    def _gap(self) -> VGroup:
        """Return dots where heads are left out, under the names and in the weights."""
        if not self.is_elided:
            return VGroup()
        y = (self.strips[-2].get_y() + self.strips[-1].get_y()) / 2
        above = self.names[-2], self.strips[-2]
        return VGroup(
            *(
                Words("⋮", size=SMALL_SIZE, role=QUIET).move_to((part.get_x(), y, 0))
                for part in above
            )
        )

    def _seams(self) -> VGroup:
        """Return a thin line between every two parts."""
        left, right = self.brackets.get_left()[0] + GAP, self.brackets.get_right()[0] - GAP
        lines = VGroup()
        last = self.strips[-1] if self.is_elided else None
        for upper, lower in pairwise(strip for strip in self.strips if strip is not last):
            y = (upper.get_bottom()[1] + lower.get_top()[1]) / 2
            line = Line((left, y, 0), (right, y, 0), stroke_width=THIN_LINE / 2)
            lines.add(line.set_stroke(theme.color(QUIET)))
        return lines

    def _name(self, head: int, size: float) -> Words:
        return Words("head {}", count(head, "the head's number"), size=size, role=QUIET)
