"""What stands along the sides of a grid: each token with the letter of its role.

It knows nothing of the grid: only how far apart its rows and columns are.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes.mobjects.text import Formula, TokenText, em_of
from scenes.theme import HAIR, LABEL_SIZE, SMALLEST_SIZE, Role


class Label(VGroup):
    """A token and its vector's symbol, such as `creature` and a yellow q with its index."""

    def __init__(self, piece: str, letter: str, index: int, role: Role, size: float) -> None:
        self.token = TokenText(piece, size)
        self.symbol = Formula(f"${role.value}({letter}_{index})$", max(size, SMALLEST_SIZE + 2))
        super().__init__(self.token, self.symbol)


class AxisLabels(VGroup):
    """Labels for every token along one side of a grid; `labels[i]` belongs to token i.

    `letter` is the role's letter, such as `q`. Symbols count from 1, as formulas do.
    """

    def __init__(
        self, pieces: Sequence[str], letter: str, role: Role, size: float = LABEL_SIZE
    ) -> None:
        self.role, self.size = role, size
        self.labels = [
            Label(piece, letter, index, role, size) for index, piece in enumerate(pieces, start=1)
        ]
        super().__init__(*self.labels)

    def beside_rows(self, height: float) -> AxisLabels:
        """Set token and symbol on one line, one label every `height` units from the top."""
        for index, label in enumerate(self.labels):
            label.symbol.shift(RIGHT * (label.token.get_right()[0] + HAIR))
            label.shift(DOWN * (index * height + 0.25 * em_of(self.size)))
        right = max(label.get_right()[0] for label in self.labels)
        for label in self.labels:
            label.shift(RIGHT * (right - label.get_right()[0]))
        return self

    def above_columns(self, width: float) -> AxisLabels:
        """Set each symbol under its token, one label every `width` units; crowded ones stagger."""
        line = 1.2 * em_of(self.size)
        crowded = any(label.token.width > width - HAIR for label in self.labels)
        for index, label in enumerate(self.labels):
            label.token.set_x(index * width)
            label.symbol.set_x(index * width)
            label.symbol.shift(DOWN * line)
            if crowded and index % 2 == 0:
                label.token.shift(UP * line)
        return self


def size_for(pieces: Sequence[str], width: float, largest: float = LABEL_SIZE) -> float:
    """Return the font size at which every token's text fits `width`, within the legible range."""
    widest = max(TokenText(piece, largest).width for piece in pieces)
    return float(max(SMALLEST_SIZE, min(largest, largest * width / widest)))
