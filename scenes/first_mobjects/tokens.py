"""The prompt's tokens as a row of chips. It knows nothing of any model."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Mobject, VGroup
from manim.constants import DOWN, RIGHT

from scenes.first_mobjects.plate import Plate
from scenes.mobjects.text import TokenText, em_of
from scenes.theme import HAIR, INK, SMALLEST_SIZE, TOKEN_SIZE, Role

PADDING = 0.35  # either side of a chip's text, in ems
NARROWEST = 0.5  # room for a text, in ems
CHIP_HEIGHT = 1.6  # in ems


class Chip(VGroup):
    """A token's text on a rounded plate."""

    def __init__(self, piece: str, size: float = TOKEN_SIZE, role: Role = INK) -> None:
        self.piece = piece
        self.label = TokenText(piece, size, role)
        em = em_of(size)
        self.plate = Plate(_plate_width(self.label.width / em) * em, CHIP_HEIGHT * em)
        # The baseline stands at the same height in every chip, whatever letters it holds.
        self.label.set_x(0)
        self.label.shift(DOWN * 0.26 * em)
        super().__init__(self.plate, self.label)


class TokenRow(VGroup):
    """Chips in reading order, as large as fits `width` (scene units), on two lines if they must.

    `row[i]` is the chip of token i. A token that is too wide to be legible raises `ValueError`.
    """

    def __init__(self, pieces: Sequence[str], width: float) -> None:
        sizes = [_size_that_fits(pieces, width, lines) for lines in range(1, len(pieces) + 1)]
        lines = next((i for i, size in enumerate(sizes, 1) if size >= SMALLEST_SIZE), 0)
        if not lines:
            raise ValueError("A token is too long to be legible.")
        size = sizes[lines - 1]
        chips = [Chip(piece, size) for piece in pieces]
        super().__init__(*chips)
        _set_in_lines(chips, lines)

    def others(self, token: int) -> list[Mobject]:
        """Return the chips of all other tokens."""
        return [chip for place, chip in enumerate(self) if place != token]


def _set_in_lines(chips: Sequence[Chip], lines: int) -> None:
    per_line = -(-len(chips) // lines)
    rows = [VGroup(*chips[i : i + per_line]) for i in range(0, len(chips), per_line)]
    for row in rows:
        row.arrange(RIGHT, buff=HAIR)
    VGroup(*rows).arrange(DOWN, buff=HAIR)


def _size_that_fits(pieces: Sequence[str], width: float, lines: int) -> float:
    """Return the largest font size, up to the usual one, at which the widest line fits."""
    per_line = -(-len(pieces) // lines)
    ems = [_plate_width(TokenText(piece).width / em_of(TOKEN_SIZE)) for piece in pieces]
    widest = max(sum(ems[i : i + per_line]) for i in range(0, len(ems), per_line))
    return float(min(TOKEN_SIZE, (width - HAIR * (per_line - 1)) / widest / em_of(1)))


def _plate_width(text: float) -> float:
    """Return the width of a chip for a text's width, both in ems."""
    return max(text, NARROWEST) + 2 * PADDING
