"""A line of text with a number that runs through a list of values. It knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup
from manim.constants import LEFT, RIGHT

from scenes.mobjects.text import CountTo, Number, Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import BODY_SIZE, HAIR


class Progress(VGroup):
    """A text and, after it, the first of some whole numbers; it has room for the last of them."""

    def __init__(self, text: str, values: Sequence[Value], region: Region) -> None:
        self.values = values
        line = Words(text)
        self.number = Number(values[-1], 0, BODY_SIZE, anchor=LEFT)
        self.number.shift(RIGHT * (line.get_right()[0] + 2 * HAIR - self.number.get_left()[0]))
        super().__init__(line, self.number)
        region.fit(self)
        self.number.put(values[0])

    def reach(self, which: int) -> CountTo:
        """Let the number run on to another of the values."""
        return self.number.count_to(self.values[which])
