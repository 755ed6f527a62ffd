"""Attention in one line, in parts that brighten one by one: tokens as rows, or as columns.

It knows only formulas.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, VGroup
from manim.constants import DOWN, RIGHT

from scenes.analysis.scaling import BY_ROOT
from scenes.animations import Exchange, Move, Together
from scenes.arrivals import Fade
from scenes.mobjects.text import Formula, em_of
from scenes.mobjects.typesetting import set_markup
from scenes.theme import KEY, OUT_OF_PLAY, QUERY, QUICK, SLOW, VALUE

ROWS = (
    '$op("softmax") paren.l thin$',
    f"${QUERY.value}(Q) thin {KEY.value}(K)^T$",
    "$thin slash thin {divisor}$",
    "$thin paren.r$",
    f"$thin {VALUE.value}(V) thin$",
)
COLUMNS = f"${KEY.value}(K)^T {QUERY.value}(Q)$"
DROP = 1.7  # how low a hop goes, by the height of what moves
STEEP = 0.2  # of a hop, in which it only goes down, and in which it only goes up
OPENING, PRODUCT, SCALE, CLOSING, MIXED = range(5)
COLUMN_ORDER = (MIXED, OPENING, PRODUCT, SCALE, CLOSING)


class OneLine(VGroup):
    """softmax(Q K^T / divisor) V, at a font size; `parts` in the order of ROWS.

    `divisor` is Typst; where it is empty, the part that divides is there and draws nothing.
    """

    def __init__(self, size: float, divisor: str = BY_ROOT.markup) -> None:
        self.size = size
        rows = [row.format(divisor=divisor) for row in ROWS]
        rows[SCALE] = rows[SCALE] if divisor else "$zws$"
        self.widths = [set_markup(markup).width * em_of(size) for markup in rows]
        self.parts = [VGroup(Formula(markup, size)) for markup in rows]
        for part, x in zip(self.parts, _starts(self.widths, range(len(ROWS))), strict=True):
            part.shift(RIGHT * x)
        super().__init__(*self.parts)

    def focus(self, *current: int) -> Animation:
        """Let some parts be bright and the others recede."""
        return Together(
            Fade(part, 1.0 if i in current else OUT_OF_PLAY, QUICK)
            for i, part in enumerate(self.parts)
        )

    def to_columns(self) -> Animation:
        """Let the parts change places: V first, and K before Q."""
        return self._rearrange(COLUMN_ORDER, COLUMNS, range(len(ROWS)))

    def to_rows(self) -> Animation:
        """Let the parts go back: the order for tokens as rows."""
        return self._rearrange(range(len(ROWS)), ROWS[PRODUCT], COLUMN_ORDER)

    def _rearrange(self, order: Sequence[int], product: str, before: Sequence[int]) -> Animation:
        now, then = (_starts(self.widths, each) for each in (before, order))
        moves: list[Animation] = [
            (Hop if i == MIXED else Move)(part, RIGHT * (then[i] - now[i]), SLOW)
            for i, part in enumerate(self.parts)
            if i != PRODUCT
        ]
        old = self.parts[PRODUCT].submobjects[0]
        new = Formula(product, self.size)
        new.move_to(old).shift(RIGHT * (then[PRODUCT] - now[PRODUCT]))
        return Together([*moves, Exchange(self.parts[PRODUCT], old, new, SLOW)])


class Hop(Move):
    """A mobject moves by an offset: down first, then across below what stands between, then up."""

    def change(self, share: float) -> None:
        """Set the place."""
        across = float(np.clip((share - STEEP) / (1 - 2 * STEEP), 0, 1))
        depth = min(1.0, share / STEEP, (1 - share) / STEEP)
        drop = DROP * self.mobject.height * depth
        self.stand(self.center + across * self.offset + DOWN * drop, 1.0)


def _starts(widths: Sequence[float], order: Sequence[int]) -> list[float]:
    """Return where each part begins, by its number, if the parts stand in an order."""
    starts, x = [0.0] * len(widths), 0.0
    for i in order:
        starts[i] = x
        x += widths[i]
    return starts
