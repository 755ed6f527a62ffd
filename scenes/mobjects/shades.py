"""Numbers as a picture that may change: what is added up, evened, or comes bit by bit."""

from __future__ import annotations

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import LEFT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import CORNERS, Filled, polygons
from scenes.mobjects.signs import hue, levels, strength_of
from scenes.mobjects.vector import LEVELS
from scenes.theme import QUIET

Floats = NDArray[np.float64]


class Shades(VGroup):
    """Numbers (rows, columns), drawn as `Heat` draws them, `size` scene units wide and high.

    Parts: its `frame`, whose line is not seen, and a path for each strength of each sign. `paint`
    draws within the frame, wherever that stands. What is not zero has `faintest` at least; a box
    takes the share `filled` of a number's room, one for both ways or two for across and up; the
    rest is the gap to the next one.
    """

    def __init__(
        self,
        size: tuple[float, float],
        largest: float = 1.0,
        faintest: float = 0.0,
        filled: float | tuple[float, float] = 1.0,
    ) -> None:
        self.largest, self.filled = largest, np.asarray(filled)
        self.frame = Rectangle(width=size[0], height=size[1], stroke_width=0)
        self.frame.set_stroke(theme.color(QUIET))
        self.paths = [
            Filled(np.zeros((0, 3)), hue(sign), strength_of(level, LEVELS, faintest))
            for sign in (1, -1)
            for level in range(LEVELS + 1)
        ]
        super().__init__(self.frame, *self.paths)

    def paint(
        self,
        numbers: Floats,
        seen: NDArray[np.bool_] | None = None,
        off: Floats | None = None,
        edges: tuple[Floats, Floats] | None = None,
    ) -> None:
        """Draw numbers, all or those that are `seen`, each `off` by (rows, columns, 2) units.

        `edges` are where rows and columns begin and end, (rows + 1,) and (columns + 1,), as shares
        of the frame from its upper left corner; without them all are as large.
        """
        shown = np.where(numbers < 0, LEVELS + 1, 0) + levels(numbers, self.largest, LEVELS)
        if seen is not None:
            shown[~seen] = -1
        down, across = edges or [np.linspace(0, 1, count + 1) for count in numbers.shape]
        size = np.array([self.frame.width, -self.frame.height])
        corner = self.frame.get_corner(LEFT + UP)[:2]
        for level, path in enumerate(self.paths):
            row, column = np.nonzero(shown == level)
            starts = np.stack([across[column], down[row]], axis=1) * size
            ends = np.stack([across[column + 1], down[row + 1]], axis=1) * size
            centers = corner + (starts + ends) / 2
            if off is not None:
                centers += off[row, column]
            boxes = self.filled * np.abs(ends - starts)[:, None]
            path.points = polygons(centers[:, None] + boxes * CORNERS)

    def ink(self, number: float) -> str:
        """Return the #RRGGBB in which a numeral reads best on the box of its number."""
        level = int(levels(np.array(number), self.largest, LEVELS))
        path = self.paths[(LEVELS + 1) * (number < 0) + level]
        return theme.ink_on(path.get_fill_color().to_hex(), float(path.fill_opacity))
