"""A field of dots, one for each thing counted; those that count are lit. Array in, dots out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from numpy.typing import NDArray

from scenes.animations import Together
from scenes.arrivals import Appear, Fade
from scenes.first_mobjects.discs import Discs
from scenes.mobjects.text import Words, em_of
from scenes.presence import hide
from scenes.region import Region
from scenes.theme import INK, QUIET, SMALLEST_SIZE, Role

UNLIT, LIT = 0.14, 0.44  # radii, in distances from dot to dot
COLUMNS = (25, 40)  # of a field among others, whichever makes its dots larger
WIDEST_PITCH = 0.13  # scene units
APART = 0.5  # scene units between neighbouring fields
LINE = 0.5  # scene units, for a text over or under a field
TEXTS = 2.7  # lines that a field takes for its texts


class DotField(VGroup):
    """Dots in rows of `columns`, `pitch` scene units apart, for flags of shape (N,).

    `rest` holds a small quiet dot for each, `lit` the large ones of those that are lit. `half` is
    half the width and height that a field takes, whatever is lit.
    """

    def __init__(
        self, flags: NDArray[np.bool_], columns: int, pitch: float, role: Role = INK
    ) -> None:
        row, column = np.divmod(np.arange(len(flags)), columns)
        middles = pitch * np.column_stack([column, -row]).astype(float)
        middles -= (middles.min(axis=0) + middles.max(axis=0)) / 2
        self.half = np.abs(middles).max(axis=0) + LIT * pitch
        every = np.ones(len(flags))
        self.rest = Discs(middles, UNLIT * pitch * every, QUIET)
        self.lit = Discs(middles, np.where(flags, LIT * pitch, 0.0), role)
        super().__init__(self.rest, self.lit)


class DotFields(VGroup):
    """Fields of the same things, one for each question, under their names and over their counts.

    `flags` are (questions, N), `texts[i]` the name and the count of field i. All are as large as
    `region` allows, in as many rows as that takes.
    """

    def __init__(
        self,
        flags: Sequence[NDArray[np.bool_]],
        texts: Sequence[tuple[Words, Words]],
        region: Region,
    ) -> None:
        narrowest = max(
            text.width * em_of(SMALLEST_SIZE) / text.em for pair in texts for text in pair
        )
        across, columns, pitch = _arrangement(len(flags), len(flags[0]), region, narrowest)
        self.fields = [DotField(each, columns, pitch) for each in flags]
        self.names = [name for name, _ in texts]
        self.counts = [number for _, number in texts]
        panels = []
        for field, name, number in zip(self.fields, self.names, self.counts, strict=True):
            for text in (name, number):
                text.shrink_to(max(2 * field.half[0], narrowest))
            name.set_x(0).shift((0, field.half[1] + LINE / 2, 0))
            number.set_x(0).shift((0, -field.half[1] - LINE, 0))
            panels.append(VGroup(field, name, number))
        super().__init__(*panels)
        for index, panel in enumerate(panels):
            row, column = divmod(index, across)
            step = 2 * self.fields[0].half + (APART, TEXTS * LINE)
            step[0] = max(step[0], narrowest + APART)
            panel.shift((column * step[0], -row * step[1], 0))
        self.move_to(region.center)

    def come(self, which: int) -> Together:
        """Let a field come in with its name, none of it lit."""
        return Together([Appear(self.names[which]), Appear(self.fields[which].rest)])

    def light(self, which: int) -> Together:
        """Light the dots that count, and say how many they are."""
        lit = self.fields[which].lit
        hide(lit)
        return Together([Fade(lit, 1.0), Appear(self.counts[which])])


def _arrangement(
    fields: int, dots: int, region: Region, narrowest: float
) -> tuple[int, int, float]:
    """Return fields a row, dots a row, and the pitch: those at which the dots are largest.

    Fields that share a row leave at least `narrowest` scene units to each for its texts.
    """
    found = []
    for across in range(1, fields + 1):
        width = (region.width + APART) / across - APART
        if across > 1 and width < narrowest:
            continue
        height = region.height / -(-fields // across) - TEXTS * LINE
        for columns in COLUMNS:
            pitch = min(width / columns, height / -(-dots // columns), WIDEST_PITCH)
            found.append((pitch, across, columns))
    pitch, across, columns = max(found)
    return across, columns, pitch
