"""Many small numbers as one path, each at its own place: cheap to move and to draw.

They cannot count; a number that runs to another is a `Number` of `text`. They know no meaning.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim.typing import Point3D

from scenes.mobjects.text import Glyphs, Number, em_of
from scenes.provenance import Value
from scenes.theme import INK, SMALL_SIZE, Role


class Numbers(Glyphs):
    """Numbers without decimals, each centred at a point of the scene; at least one."""

    def __init__(
        self,
        values: Sequence[Value],
        places: Sequence[Point3D],
        size: float = SMALL_SIZE,
        role: Role = INK,
    ) -> None:
        set_apart = [
            Number(value, 0, size).move_to(place)
            for value, place in zip(values, places, strict=True)
        ]
        outline = np.concatenate([number.points for number in set_apart]) / em_of(size)
        super().__init__(" ".join(number.text for number in set_apart), outline, size, role)
        self.numerals = tuple(number.numerals[0] for number in set_apart)
