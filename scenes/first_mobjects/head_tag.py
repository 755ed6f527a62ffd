"""What stands under a head's pattern: its number, its name, its score. It knows no model."""

from __future__ import annotations

from manim import Mobject, VGroup
from manim.constants import DOWN

from scenes.mobjects.text import Words, em_of
from scenes.provenance import Value, count
from scenes.theme import HAIR, INK, LABEL_SIZE, QUIET, SMALLEST_SIZE, Role

LINE = 1.25  # from one line to the next, in ems
LINES = 4  # at most: the number, two lines of the name, the score


class HeadTag(VGroup):
    """`title` ("head 2"), and `label`: what the head is called, over its score.

    `width` is what there is, in scene units; a name that is wider stands on two lines. A head that
    has no name (`text` is empty) is said to have none, over the largest score it has.
    """

    def __init__(self, head: int, text: str, score: Value, width: float) -> None:
        role = INK if text else QUIET
        self.size = tag_size(width)
        self.title = Words("head {}", count(head, "a head"), size=self.size, role=QUIET)
        lines = _broken(text or "no name", width, self.size, role)
        lines.append(Words("{:.2f}", score, size=self.size, role=role))
        self.label = VGroup(*lines)
        for place, line in enumerate((self.title, *lines)):
            line.shift(DOWN * place * LINE * em_of(self.size))
            line.set_x(0)
        super().__init__(self.title, self.label)

    def under(self, card: Mobject) -> HeadTag:
        """Stand under a card; the baselines of tags under one row of cards agree."""
        top = float(card.get_bottom()[1]) - HAIR - 0.8 * em_of(self.size)
        self.shift(DOWN * (self.baseline - top))
        return self.set_x(card.get_x())

    @property
    def baseline(self) -> float:
        """The height of the title's baseline; its letters have none below it."""
        return float(self.title.get_bottom()[1])


def tag_size(width: float) -> float:
    """Return the font size of tags under cards that leave them a width, in scene units."""
    longest = Words("adjective to noun", size=LABEL_SIZE).width
    return float(max(SMALLEST_SIZE, min(LABEL_SIZE, 1.8 * LABEL_SIZE * width / longest)))


def tag_height(width: float) -> float:
    """Return the most room that a tag takes under its card, in scene units."""
    return HAIR + LINES * LINE * em_of(tag_size(width))


def _broken(text: str, width: float, size: float, role: Role) -> list[Words]:
    """Return a name on one line, or on two of which the longer one is as short as can be."""
    whole = Words("{}", text, size=size, role=role)
    words = text.split()
    if whole.width <= width or len(words) == 1:
        return [whole]
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    best = min(cuts, key=lambda cut: max(map(len, cut)))
    return [Words("{}", line, size=size, role=role) for line in best]
