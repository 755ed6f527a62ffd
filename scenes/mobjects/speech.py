"""Who says what in a story: a token's chip, and beside it the words in an outline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation, Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT

from scenes import theme
from scenes.animations import Appear, Fly, Together
from scenes.mobjects.notes import StoryBadge
from scenes.mobjects.text import Words
from scenes.mobjects.tokens import Chip
from scenes.stage import Region
from scenes.theme import CORNER, GAP, THIN_LINE, TITLE_SIZE, TOKEN_SIZE, Role

POINT = 0.16  # half the width of the pointed part, and how far it reaches, in scene units


class Speech(VGroup):
    """A token and what it says, in the colour of a role."""

    def __init__(self, piece: str, said: str, role: Role) -> None:
        self.chip = Chip(piece, TOKEN_SIZE)
        self.words = Words("{}", said, size=TOKEN_SIZE, role=role)
        self.words.next_to(self.chip, RIGHT, buff=3 * GAP).match_y(self.chip.label)
        self.outline = _outline(self.words, self.chip, role)
        self.bubble = VGroup(self.outline, self.words)
        super().__init__(self.chip, self.bubble)

    def begin(self, source: Mobject) -> Animation:
        """Let the token come from where it stands in its sentence, and say its words."""
        return Together([Fly(self.chip, source), Appear(self.bubble)], lag_ratio=0.6)


class Dialogue(VGroup):
    """A story told by tokens, badged as such: (piece, what it says, role), as large as fits."""

    def __init__(self, lines: Sequence[tuple[str, str, Role]], region: Region) -> None:
        self.badge = StoryBadge()
        self.speeches = [Speech(*line) for line in lines]
        talk = VGroup(*self.speeches).arrange(DOWN, buff=2 * GAP, aligned_edge=LEFT)
        talk.scale(min(TITLE_SIZE / TOKEN_SIZE, region.width / talk.width))
        self.badge.next_to(talk, -DOWN, buff=2 * GAP, aligned_edge=LEFT)
        super().__init__(self.badge, talk)
        self.move_to(region.center)


def _outline(words: Words, chip: Chip, role: Role) -> VMobject:
    """Return an outline round words, as tall as the chip at which its point is aimed."""
    left, right = words.get_left()[0] - GAP, words.get_right()[0] + GAP
    bottom, top, middle = chip.get_bottom()[1], chip.get_top()[1], chip.get_y()
    corners = [
        *((left, middle + POINT / 2), (left, top - CORNER), (left + CORNER, top)),
        *((right - CORNER, top), (right, top - CORNER), (right, bottom + CORNER)),
        *((right - CORNER, bottom), (left + CORNER, bottom), (left, bottom + CORNER)),
        *((left, middle - POINT / 2), (left - POINT, middle), (left, middle + POINT / 2)),
    ]
    outline = VMobject(stroke_width=THIN_LINE, stroke_color=theme.color(role))
    return outline.set_points_as_corners([np.array([x, y, 0.0]) for x, y in corners])
