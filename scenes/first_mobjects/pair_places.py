"""Numbers under every two neighbours of a text, the best of them ringed. It knows no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup

from scenes.animations import Together
from scenes.arrivals import Show, put_back
from scenes.first_mobjects.letters import Letters, Span
from scenes.presence import hide
from scenes.provenance import Value
from scenes.theme import INK


class PairPlaces(VGroup):
    """A number under each gap of `letters`; gap i follows byte i, and an infinite one is left out.

    `best` are the spans of bytes that are two neighbours and come first, with the gap between
    them. It is made unseen.
    """

    def __init__(
        self, letters: Letters, numbers: Sequence[Value], best: Sequence[tuple[Span, int]]
    ) -> None:
        listed = {gap + 0.5: each for gap, each in enumerate(numbers) if np.isfinite(each.number)}
        first = {gap + 0.5: listed.pop(gap + 0.5) for _, gap in best}
        self.others, self.best = letters.numbers(listed), letters.numbers(first, INK)
        self.ring = letters.ring([span for span, _ in best])
        super().__init__(self.others, self.best, self.ring)
        hide(self)

    def reveal(self) -> Together:
        """Let all numbers come in."""
        return Together([Show(self.others), Show(self.best)])

    def pick(self) -> Together:
        """Let the best stand out: a ring comes around them, and the others recede."""
        return Together([Show(self.ring), put_back([self.others])])
