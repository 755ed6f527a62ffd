"""Who says what in a story: a token's chip, and beside it the words in an outline.

It knows texts, and nothing of whether they are true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import Animation, Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Together
from scenes.arrivals import Appear, Fly
from scenes.first_mobjects.notes import StoryBadge
from scenes.first_mobjects.tokens import Chip
from scenes.mobjects.text import Words
from scenes.region import Region
from scenes.theme import CORNER, GAP, THIN_LINE, TITLE_SIZE, TOKEN_SIZE, Role

BASELINE = 0.26 * DOWN  # where a chip's letters stand, from its middle, in ems
POINT = 0.16  # half the width of the pointed part, and how far it reaches, in scene units


class Speech(VGroup):
    """A token and what it says, in the colour of a role, `indent` scene units to its right.

    The indent counts from the token's left edge; words and token stand on one line of type.
    """

    def __init__(self, piece: str, said: str, role: Role, indent: float) -> None:
        self.chip = Chip(piece, TOKEN_SIZE)
        self.words = Words("{}", said, size=TOKEN_SIZE, role=role)
        left = float(self.chip.get_left()[0]) + indent
        self.words.shift(RIGHT * (left - self.words.get_left()[0]) + BASELINE * self.chip.label.em)
        self.outline = _outline(self.words, self.chip, role)
        self.bubble = VGroup(self.outline, self.words)
        super().__init__(self.chip, self.bubble)

    def say(self) -> Animation:
        """Let the token say its words."""
        return Appear(self.bubble)


class Dialogue(VGroup):
    """A story told by tokens, badged as such: (piece, what it says, role), as large as fits."""

    def __init__(self, lines: Sequence[tuple[str, str, Role]], region: Region) -> None:
        self.badge = StoryBadge()
        indent = max(Chip(piece, TOKEN_SIZE).width for piece, *_ in lines) + 3 * GAP
        self.speeches = [Speech(*line, indent) for line in lines]
        talk = VGroup(*self.speeches).arrange(DOWN, buff=2 * GAP, aligned_edge=LEFT)
        talk.scale(min(TITLE_SIZE / TOKEN_SIZE, region.width / talk.width))
        self.badge.next_to(talk, UP, buff=2 * GAP, aligned_edge=LEFT)
        super().__init__(self.badge, talk)
        self.move_to(region.center)

    def gather(self, sources: Iterable[Mobject]) -> Animation:
        """Let the tokens come from where they stand in their sentence, then the badge."""
        chips = (speech.chip for speech in self.speeches)
        return Together([Together(map(Fly, chips, sources)), Appear(self.badge)], lag_ratio=1.0)


def _outline(words: Words, chip: Chip, role: Role) -> VMobject:
    """Return an outline round words, as tall as the chip at which its point is aimed."""
    left, right = words.get_left()[0] - GAP, words.get_right()[0] + GAP
    bottom, top, middle = chip.get_bottom()[1], chip.get_top()[1], chip.get_y()
    outline = VMobject(stroke_width=THIN_LINE, stroke_color=theme.color(role))
    outline.start_new_path(np.array([left - POINT, middle, 0]))
    outline.add_line_to(np.array([left, middle + POINT / 2, 0]))
    ways = (UP, RIGHT), (RIGHT, DOWN), (DOWN, LEFT), (LEFT, UP)
    corners = (left, top), (right, top), (right, bottom), (left, bottom)
    for (coming, going), (x, y) in zip(ways, corners, strict=True):
        corner = np.array([x, y, 0.0])
        outline.add_line_to(corner - CORNER * coming)
        outline.add_quadratic_bezier_curve_to(corner, corner + CORNER * going)
    outline.add_line_to(np.array([left, middle - POINT / 2, 0]))
    return outline.add_line_to(np.array([left - POINT, middle, 0]))
