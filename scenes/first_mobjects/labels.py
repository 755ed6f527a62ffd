"""What stands along the sides of a grid: each token with the letter of its role.

It knows nothing of the grid: only how far apart its rows and columns are.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import Mobject, VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes.animations import Exchange, Together
from scenes.mobjects.text import Formula, TokenText, em_of
from scenes.presence import parts_of
from scenes.theme import HAIR, LABEL_SIZE, SLOW, SMALLEST_SIZE, Role


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

    def go_over_to(self, others: AxisLabels) -> Together:
        """Let each label go to where its like among `others` stands, and be that one there."""
        return Together(GoOver(self, *pair) for pair in zip(tuple(self), others, strict=True))


class GoOver(Exchange):
    """In a group, one member goes to where another one stands, and is that one when it arrives.

    Halfway it is not seen, so that members who cross do not cross a text that can be read.
    """

    def __init__(self, group: Mobject, old: Mobject, new: Mobject) -> None:
        super().__init__(group, old, new, run_time=SLOW)

    def begin(self) -> None:
        """Remember the way."""
        self.way = self.new.get_center() - self.old.get_center()
        super().begin()

    def change(self, share: float) -> None:
        """Set both members on the way, each as large as it is seen."""
        super().change(share)
        for member, walked in ((self.old, share), (self.new, share - 1)):
            for part in parts_of(member):
                part.points = part.points + walked * self.way


def size_for(pieces: Sequence[str], width: float, largest: float = LABEL_SIZE) -> float:
    """Return the font size at which every token's text fits `width`, within the legible range."""
    widest = max(TokenText(piece, largest).width for piece in pieces)
    return float(max(SMALLEST_SIZE, min(largest, largest * width / widest)))
