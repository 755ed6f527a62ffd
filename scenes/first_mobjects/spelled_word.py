"""A word by its letters, with what is said of it beside. It knows no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes.first_mobjects.letters import Character, CloseGaps, Letters
from scenes.mobjects.text import Words
from scenes.region import Region
from scenes.theme import GAP, HAIR, SLOW

NOTE_WIDTH = 3.8  # scene units, beside the letters


class SpelledWord(VGroup):
    """Letters in cells, and lines of text beside them; in a narrow region under them.

    `gaps` are those inside its tokens, in the order in which they close, `whole` those that are
    closed from the start.
    A word whose letters would be illegible raises `ValueError`.
    """

    def __init__(
        self,
        characters: Sequence[Character],
        gaps: Sequence[int],
        lines: Sequence[Words],
        region: Region,
        whole: Sequence[int] = (),
    ) -> None:
        self.gaps = gaps
        self.note = VGroup(*lines).arrange(DOWN, buff=HAIR)
        if region.is_narrow:
            place = region.raised(self.note.height + GAP)
        else:
            place = replace(region, right=region.right - NOTE_WIDTH)
        length = characters[-1][1]
        self.letters = Letters(characters, [(0, length)], place, whole)
        if region.is_narrow:
            self.note.next_to(self.letters.boxes, DOWN, buff=GAP)
        else:
            self.note.arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
            self.note.next_to((place.right, place.center[1], 0), RIGHT, buff=2 * GAP)
        super().__init__(self.letters, self.note)

    def merge(self, run_time: float = SLOW) -> CloseGaps:
        """Let its letters become its tokens: the gaps close in their order."""
        return self.letters.close(self.gaps, run_time)
