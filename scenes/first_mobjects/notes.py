"""What stands beside the picture: the story badge, small print, and counters of equality.

They know nothing of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import RoundedRectangle, VGroup
from manim.constants import DOWN, RIGHT

from scenes import theme
from scenes.mobjects.text import APOSTROPHE, Words
from scenes.provenance import Value
from scenes.theme import CORNER, GAP, HAIR, NEGATIVE, QUIET, SMALL_SIZE, THIN_LINE


class StoryBadge(VGroup):
    """Marks what is invented to motivate an idea, and no model computed."""

    def __init__(self) -> None:
        label = Words("story", size=SMALL_SIZE, style="smallcaps")
        plate = RoundedRectangle(
            corner_radius=CORNER,
            width=label.width + 4 * HAIR,
            height=1.5 * label.em,
            stroke_width=THIN_LINE,
            stroke_color=theme.color(NEGATIVE),
        )
        super().__init__(plate, label.move_to(plate))


class SmallPrint(Words):
    """A quiet line: a caveat, or where something comes from."""

    def __init__(self, template: str, *parts: Value | str) -> None:
        super().__init__(template, *parts, size=SMALL_SIZE, role=QUIET)


class Counter(Words):
    """Stands by a claim that two routes are equal: their largest measured difference."""

    def __init__(self, between: str, difference: Value) -> None:
        form = "{:.0e}" if difference.number else "{:.0f}"
        template = f"{{}}: largest difference {form}"
        said = between.replace("'", APOSTROPHE)
        super().__init__(template, said, difference, size=SMALL_SIZE, role=QUIET)


class Remarks(VGroup):
    """Texts side by side, or one under the other where `width` (scene units) is too small."""

    def __init__(self, texts: Sequence[Words], width: float) -> None:
        super().__init__(*texts)
        self.arrange(RIGHT, buff=6 * GAP)
        if self.width > width:
            self.arrange(DOWN, buff=GAP)
