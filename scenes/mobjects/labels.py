"""What stands along the sides of a grid: each token with the letter of its role."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes.mobjects.text import Formula, TokenText, em_of
from scenes.theme import HAIR, LABEL_SIZE, SMALLEST_SIZE, Role


class Label(VGroup):
    """A token and its vector's symbol, such as `creature` and a yellow q with its index."""

    def __init__(self, piece: str, letter: str, index: int, role: Role, size: float) -> None:
        self.role = role
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
        self.size = size
        super().__init__(
            *(
                Label(piece, letter, index, role, size)
                for index, piece in enumerate(pieces, start=1)
            )
        )

    def beside_rows(self, height: float) -> AxisLabels:
        """Set token and symbol side by side, one label every `height` units from the top."""
        for index, label in enumerate(self):
            _level(label.token, self.size)
            label.symbol.next_to(label.token, RIGHT, buff=HAIR).set_y(label.token.get_y())
            label.symbol.set_y(0)
            label.move_to(DOWN * index * height, coor_mask=[0, 1, 0])
        right = max(label.get_right()[0] for label in self)
        for label in self:
            label.shift(RIGHT * (right - label.get_right()[0]))
        return self

    def above_columns(self, width: float) -> AxisLabels:
        """Set each symbol under its token, one label every `width` units; crowded ones stagger."""
        crowded = any(label.token.width > width - HAIR / 2 for label in self)
        for index, label in enumerate(self):
            _level(label.token, self.size)
            label.symbol.next_to(label.token, DOWN, buff=HAIR)
            label.symbol.set_y(-1.2 * em_of(self.size))
            if crowded and index % 2 == 0:
                label.token.shift(UP * 1.15 * em_of(self.size))
            label.shift(RIGHT * index * width)
        return self


def size_for(pieces: Sequence[str], width: float, largest: float = LABEL_SIZE) -> float:
    """Return the font size at which every token's text fits `width`, within the legible range."""
    widest = max(TokenText(piece, largest).width for piece in pieces)
    return float(max(SMALLEST_SIZE, min(largest, largest * width / widest)))


def _level(text: TokenText, size: float) -> None:
    """Centre a text on x = 0 and set its baseline a little under y = 0, whatever letters it has."""
    text.set_x(0)
    text.shift(DOWN * 0.25 * em_of(size))


