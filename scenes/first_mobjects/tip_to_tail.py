"""An arrow and the steps that lead on from its tip, in a plane. It knows no weights and values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Animation
from numpy.typing import NDArray

from scenes.animations import Together
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.plane import Arrow, PlaneView
from scenes.mobjects.text import Words
from scenes.presence import hide
from scenes.region import Region
from scenes.theme import INK, LABEL_SIZE, OUTPUT, SLOW, STEADY, VALUE, Role


class TipToTail(PlaneView):
    """An arrow from the origin, steps from its tip on, and the arrow to where they end; hidden.

    `tips` (1 + steps, 2) are the ends of the first arrow and of each step, `names` those of the
    first arrow, of each step (None where it has none), and of the arrow to the end.
    """

    def __init__(
        self,
        tips: NDArray[np.float64],
        names: Sequence[str | None],
        note: SmallPrint,
        region: Region,
    ) -> None:
        origin, (first, *steps, whole) = np.zeros(2), names
        arrows = [Arrow(origin, tips[0], INK, _named(first, INK))]
        for start, end, step in zip(tips[:-1], tips[1:], steps, strict=True):
            arrows.append(Arrow(start, end, VALUE, _named(step, VALUE), named_at=0.5))
        arrows.append(Arrow(origin, tips[-1], OUTPUT, _named(whole, OUTPUT)))
        super().__init__(arrows, note, region)
        self.steps = range(1, len(tips))
        hide(self)

    def reveal_first(self) -> Animation:
        """Let the first arrow grow."""
        return self.reveal(0)

    def reveal_steps(self) -> Animation:
        """Let the steps grow one after another, many of them in no more time than a few."""
        each = min(STEADY, 2 * SLOW / len(self.steps))
        return Together((self.reveal(step, each) for step in self.steps), lag_ratio=1.0)

    def reveal_whole(self) -> Animation:
        """Let the arrow grow that goes from the origin to where the steps end."""
        return self.reveal(len(self.steps) + 1)


def _named(name: str | None, role: Role) -> Words | None:
    return None if name is None else Words("{}", name, size=LABEL_SIZE, role=role)
