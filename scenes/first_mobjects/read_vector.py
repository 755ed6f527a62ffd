"""The vector that a head reads, under what it is the sum of. It knows no model."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import Together
from scenes.arrivals import Appear, Fly, Leave
from scenes.first_mobjects.arrows import Ray
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.product import size_at
from scenes.first_mobjects.product_workings import MOST_ROWS
from scenes.first_mobjects.vector import Vector
from scenes.mobjects.text import Formula, Words, decimals_for
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, QUIET, TITLE_SIZE

DROP = 0.9  # from what a vector is the sum of to the vector, in scene units
SYMBOL_ROOM = 1.4  # for the symbol and the brackets, in scene units


class ReadVector(VGroup):
    """A vector (n,) as a row with its symbol, what is added up to make it, and a note below.

    `symbol` is in Typst. The vector and its symbol stay when the rest goes.
    """

    def __init__(
        self, values: Tensor, symbol: str, parts: Sequence[str], note: SmallPrint, region: Region
    ) -> None:
        numbers, pitch = values.values, (region.width - SYMBOL_ROOM) / MOST_ROWS
        decimals = decimals_for(numbers, 2)
        size = size_at(numbers, pitch, BODY_SIZE, decimals)
        self.vector = Vector(numbers, pitch, decimals=decimals, size=size, most=MOST_ROWS)
        self.symbol = Formula(f"${symbol}$", TITLE_SIZE).next_to(self.vector, LEFT, buff=GAP)
        self.parts = Words("{}", " + ".join(parts))
        row = VGroup(self.symbol, self.vector).move_to(region.center)
        self.parts.next_to(row, UP, buff=DROP).set_x(region.center[0])
        start = self.parts.get_bottom() + HAIR * DOWN
        ray = Ray(start, start + (DROP - 2 * HAIR) * DOWN, QUIET)
        self.arrow = VGroup(ray, SmallPrint("normalised").next_to(ray, RIGHT, buff=GAP))
        self.note = note
        region.fit_width(note)
        note.next_to(row, DOWN, buff=2 * GAP).set_x(region.center[0])
        super().__init__(self.parts, self.arrow, self.symbol, self.vector, note)

    def reveal(self, token: Mobject) -> Animation:
        """Let the parts come from a token, then the arrow, the vector and the note come in."""
        vector = Together(map(Appear, (self.symbol, self.vector)))
        moves = Fly(self.parts, token), Appear(self.arrow), vector, Appear(self.note)
        return Together(moves, lag_ratio=1.0)

    def leave_vector(self) -> Animation:
        """Let all go but the vector and its symbol."""
        return Together(map(Leave, (self.parts, self.arrow, self.note)))
