"""A square map as a product: a tall matrix on its left, a wide one above it. True areas."""

from __future__ import annotations

from manim import Animation, Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import Together
from scenes.arrivals import Appear, Fade, Fly
from scenes.first_mobjects.areas import area
from scenes.mobjects.text import Formula, Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, LABEL_SIZE, OUT_OF_PLAY, OUTPUT, VALUE

BESIDE = 1.5  # for the label of the tall matrix, in scene units
BAR_ROOM = 0.4  # left of the tall matrix, for a vector that goes through it
ABOVE = 0.6  # for the label of the wide one, and for that of the square
TALLEST = 4.2  # scene units, for the square and what stands above it


class FactoredMap(VGroup):
    """(wide, wide) = (wide, thin) @ (thin, wide), each with its true area; `down` and `up`."""

    def __init__(self, sizes: tuple[Value, Value], region: Region) -> None:
        wide, thin = sizes
        share = min(thin.number / wide.number, 1.0)
        room = min(region.width - BESIDE, region.height - 2 * ABOVE, TALLEST)
        side = (room - GAP) / (1 + share)
        self.square = area(side, side, VALUE)
        self.down = area(share * side, side, VALUE).next_to(self.square, LEFT, buff=GAP)
        self.up = area(side, share * side, OUTPUT).next_to(self.square, UP, buff=GAP)
        self.down_label = _label("$value(W_V^h)$", wide, thin)
        self.down_label.next_to(self.down, LEFT, buff=BAR_ROOM)
        self.up_label = _label("$output(W_O^h)$", thin, wide)
        self.up_label.arrange(RIGHT, buff=GAP).next_to(self.up, UP, buff=HAIR)
        self.label = _sides(wide, wide).next_to(self.square, DOWN, buff=HAIR)
        labels = self.label, self.down_label, self.up_label
        super().__init__(self.square, self.down, self.up, *labels)
        self.move_to(region.center)

    @property
    def all_but_up(self) -> list[Mobject]:
        """All but the wide matrix, which may go on to something else."""
        return [part for part in self if part is not self.up]

    def fall_apart(self) -> Animation:
        """Let both factors come out of the square, which recedes."""
        return Together(
            [
                Fly(self.down, self.square),
                Fly(self.up, self.square),
                Fade(self.square, OUT_OF_PLAY),
                Appear(self.down_label),
                Appear(self.up_label),
            ]
        )


def _label(markup: str, rows: Value, columns: Value) -> VGroup:
    return VGroup(Formula(markup), _sides(rows, columns)).arrange(DOWN, buff=HAIR)


def _sides(rows: Value, columns: Value) -> Words:
    return Words("{} \N{MULTIPLICATION SIGN} {}", rows, columns, size=LABEL_SIZE)
