"""A text and what one of its words looks at: under each word a dot. It knows no model.

looking = Looking(tokens, asker=1, row=weights, room=film.stage)
yield Appear(*looking.words, looking.dots), looking.point()
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN

from scenes import theme, verbs
from scenes.mobjects.outlines import Filled, discs, radius_for
from scenes.mobjects.text import Number
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR
from scenes.verbs import Appear, Pulse, Then


class Looking(VGroup):
    """A text, and under each of its words a dot, as large as one of them, `asker`, looks at it.

    Parts: the `words`, the `dots`, of which the `largest` is that of the word `key`, and its weight
    as `number`.
    """

    def __init__(self, pieces: Sequence[str], asker: int, row: Tensor, room: Region) -> None:
        text = TokenRow(pieces, room.inset(GAP), largest=1.4 * theme.HEADING_SIZE)
        self.words, self.key = text.chips, int(row.array.argmax())
        self.number = Number(row[self.key].value, size=theme.TITLE_SIZE)
        high = self.words[0].height
        radius = min(high / 2, min(word.width for word in self.words) / 2)
        for place, line in enumerate(text.rows):
            line.shift(place * (2 * radius + self.number.height + 2 * GAP) * DOWN)
        feet = np.array([word.get_bottom()[:2] for word in self.words])[: asker + 1]
        sizes = radius_for(row.array[: asker + 1], radius)
        centers, is_largest = feet - (0, radius + HAIR), np.arange(len(feet)) == self.key
        self.largest, others = (
            Filled(discs(centers[at], sizes[at]), ACCENT) for at in (is_largest, ~is_largest)
        )
        self.dots = VGroup(others, self.largest)
        self.number.next_to((*feet[self.key], 0), DOWN, buff=2 * radius + 2 * HAIR)
        self.words[asker].label.set_fill(theme.color(ACCENT))
        super().__init__(*self.words, self.dots, self.number)

    def point(self) -> verbs.Verb:
        """Return how the word is pointed at that is looked at most."""
        return Then(Pulse(self.words[self.key], self.largest), Appear(self.number))
