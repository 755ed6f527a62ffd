"""The heads' own parts of W_O, stapled one under the other to the matrix of the layer.

It knows arrays, and no model; `joined_vectors` stands beside it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from manim import Animation, Line, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Move, Together, one_after_another
from scenes.arrivals import Appear, Fade, Fly, bring_forward, put_back
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.discs import Discs
from scenes.first_mobjects.matrix import ELLIPSIS_DOT, WeightMatrix
from scenes.first_mobjects.vector import shown_entries
from scenes.mobjects.text import Formula, Words, em_of
from scenes.presence import hide
from scenes.provenance import Tensor, count
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    LABEL_SIZE,
    OUTPUT,
    QUIET,
    SMALL_SIZE,
    SMALLEST_SIZE,
    STEADY,
    THIN_LINE,
)

MOST_HEADS = 8  # places; where there are more heads, one of them is for dots
ROWS = 4  # of each head's part, the ellipsis among them
BESIDE = 1.3  # left of the weights, for a vector that stands beside them, in scene units


class HeadStack(VGroup):
    """Parts (H, K, D) as tiles: `strips[i]` and `names[i]` belong to head `heads[i]`.

    `columns` are how far columns stand apart and how many are drawn, `height` is what all parts
    take together, in scene units. They end at the top of `region`, the tiles `left` of its left
    edge, with room for a vector beside them. All is unseen until it is revealed.
    """

    def __init__(
        self, parts: Tensor, columns: tuple[float, int], height: float, left: float, region: Region
    ) -> None:
        self.parts = parts
        self.heads = shown_entries(len(parts), MOST_HEADS)
        self._place_strips(columns, height)
        whole = VGroup(*self.strips)
        whole.shift(RIGHT * (region.left + left - whole.get_left()[0]))
        whole.shift(UP * (region.top - 2 * GAP - HAIR / 2 - whole.get_top()[1]))
        self.brackets = bracket_pair(whole, INK)
        self.beside = float(self.brackets.get_left()[0]) - BESIDE / 2
        self.names = [self._name(head) for head in self.heads]
        for name, strip in zip(self.names, self.strips, strict=True):
            name.next_to(self.brackets, LEFT, buff=BESIDE).set_y(strip.get_y())
        self.rows = [VGroup(*row) for row in zip(self.strips, self.names, strict=True)]
        if len(self.heads) < len(parts):
            self.rows.append(self._dots())
        self.frame, self.title = VGroup(self.brackets, self._seams()), self._title()
        super().__init__(*self.rows, self.frame, self.title)
        hide(self)

    def spread(self, region: Region) -> None:
        """Begin in the middle of a region, the names close by and the parts over its height."""
        low, high = self.frame.get_bottom()[1], self.title.get_top()[1]
        self.drop = DOWN * ((low + high) / 2 - region.center[1])
        self.close = RIGHT * (self.brackets.get_left()[0] - GAP - self.names[0].get_right()[0])
        self.shift(self.drop)
        for _, name in self.rows:
            name.shift(self.close)
        top, bottom = region.top - self.step / 2, region.bottom + self.step / 2
        first, last = (float(self.strips[i].get_y()) for i in (0, -1))
        stretch = (top - bottom) / (first - last) if len(self.strips) > 1 else 1.0
        ends = [top + stretch * (float(row[0].get_y()) - first) for row in self.rows]
        self.offsets = [
            UP * (end - row[0].get_y()) for end, row in zip(ends, self.rows, strict=True)
        ]
        for row, offset in zip(self.rows, self.offsets, strict=True):
            row.shift(offset)

    def reveal_head(self, head: int, source: Mobject) -> Animation:
        """Let the part of a head, if it is drawn, come from somewhere, and its name with it."""
        drawn = [self.heads.index(head)] if head in self.heads else []
        comes = [Fly(self.strips[place], source) for place in drawn]
        return Together([*comes, *(Appear(self.names[place]) for place in drawn)])

    def reveal_others(self, head: int) -> Animation:
        """Let the parts of all other heads come in from the top, each with its name."""
        own = self.rows[self.heads.index(head)] if head in self.heads else None
        return one_after_another(Appear(row) for row in self.rows if row is not own)

    def staple(self) -> Animation:
        """Let the parts move together, and the brackets of the whole close round them."""
        moves = [Move(row, -offset) for row, offset in zip(self.rows, self.offsets, strict=True)]
        return Together([*moves, Fade(self.frame, 1.0, STEADY)])

    def make_room(self) -> Animation:
        """Let all go up, and the names aside, so that there is room below and for a vector."""
        moves = [
            Together([Move(strip, -self.drop), Move(name, -self.drop - self.close)])
            for strip, name in self.rows
        ]
        return Together([*moves, *(Move(part, -self.drop) for part in (self.frame, self.title))])

    def recede(self) -> Animation:
        """Let all heads recede."""
        return put_back(self.rows)

    def head_after_head(self, run_time: float) -> Animation:
        """Let one head after another come back, each in its turn."""
        rows = zip(self.rows, self.turns(run_time), strict=False)
        return Together((bring_forward([row], turn) for row, turn in rows), lag_ratio=1.0)

    def turns(self, run_time: float) -> list[float]:
        """Return how long each head's turn is, in seconds, with those left out after it."""
        places = [*self.heads, len(self.parts)]
        return [float(turn) * run_time / len(self.parts) for turn in np.diff(places)]

    def _place_strips(self, columns: tuple[float, int], height: float) -> None:
        """Set the parts one under the other, with room for one where some are left out."""
        pitch, most = columns
        places = list(range(len(self.heads)))
        places[-1] += len(self.heads) < len(self.parts)
        self.step = height / (places[-1] + 1)
        tiles = pitch, self.step / (ROWS + 1)
        self.strips = [WeightMatrix(self.parts[head], tiles, (ROWS, most)) for head in self.heads]
        for place, strip in zip(places, self.strips, strict=True):
            strip.remove(strip.brackets, *strip.row_gaps)
            strip.add(*_row_of_dots(strip))
            strip.shift(DOWN * place * self.step)

    def _dots(self) -> VGroup:
        """Return dots where heads are left out: in the weights, and under the names."""
        y = (self.strips[-2].get_y() + self.strips[-1].get_y()) / 2
        above = self.strips[-2], self.names[-2]
        dots = (Words("\N{VERTICAL ELLIPSIS}", size=SMALL_SIZE, role=QUIET) for _ in above)
        return VGroup(
            *(dot.move_to((part.get_x(), y, 0)) for dot, part in zip(dots, above, strict=True))
        )

    def _seams(self) -> VGroup:
        """Return a thin line between every two parts that are neighbours."""
        left, right = self.brackets.get_left()[0] + GAP, self.brackets.get_right()[0] - GAP
        lines = VGroup()
        heads = pairwise(zip(self.heads, self.strips, strict=True))
        for upper, lower in ((a, b) for (i, a), (j, b) in heads if j == i + 1):
            y = (upper.get_bottom()[1] + lower.get_top()[1]) / 2
            line = Line((left, y, 0), (right, y, 0), stroke_width=THIN_LINE / 2)
            lines.add(line.set_stroke(theme.color(QUIET)))
        return lines

    def _title(self) -> VGroup:
        """Return the name of the whole and its sides."""
        heads, rows, columns = self.parts.shape
        sides = count(heads * rows, "rows of W_O"), count(columns, "entries of a token's vector")
        size = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=LABEL_SIZE)
        title = VGroup(Formula(f"${OUTPUT.value}(W_O)$"), size).arrange(RIGHT, buff=GAP)
        return title.next_to(self.brackets, UP, buff=HAIR)

    def _name(self, head: int) -> Words:
        size = max(SMALLEST_SIZE, min(SMALL_SIZE, 0.7 * self.step / em_of(1)))
        return Words("head {}", count(head, "the head's number"), size=size, role=QUIET)


def _row_of_dots(strip: WeightMatrix) -> list[Discs]:
    """Return a dot under every column where rows are left out: so thin a gap holds no column."""
    places = [strip.column(column).get_x() for column in strip.columns]
    return [
        Discs(
            np.array([(x, gap.get_y()) for x in places]),
            np.full(len(places), 0.8 * ELLIPSIS_DOT),
            QUIET,
        )
        for gap in strip.row_gaps
    ]
