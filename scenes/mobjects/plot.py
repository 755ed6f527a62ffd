"""Numbers on an axis that lies: how often they come, and how sums of them wander. Knows no meaning.

walks = Walks(products, origin, unit=0.4, drop=0.3)     # one line for each row of products
yield Vary(walks.reach, 0, 16)                          # all walks take sixteen steps
often = Histogram(sums, (0.0, -2.0), unit=0.4, height=1.5)
yield Vary(often.pile, 0, 1)                            # all numbers come together
yield Vary(often.divide, 1, 4)                          # every number is divided, up to by four
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.theme import (
    BOLD_LINE,
    FAINTEST_FILL,
    INK,
    NEGATIVE,
    POSITIVE,
    STRONGEST_FILL,
    THIN_LINE,
    Role,
)

Floats: TypeAlias = NDArray[np.float64]

REACH = 3.0  # standard deviations either side of zero, of what a histogram shows
BINS = 31


class Histogram(VMobject):
    """How often numbers come, as a filled outline on its baseline; `foot` is (x, y) of zero there.

    A difference of one is `unit` scene units wide, the most frequent bin `height` high.
    """

    def __init__(
        self,
        numbers: NDArray[np.floating],
        foot: tuple[float, float],
        unit: float,
        height: float,
    ) -> None:
        color = theme.color(POSITIVE)
        super().__init__(
            stroke_width=THIN_LINE,
            stroke_color=color,
            fill_color=color,
            fill_opacity=STRONGEST_FILL,
        )
        self.foot, self.unit = np.array([*foot, 0.0]), unit
        edges = np.linspace(-REACH, REACH, BINS + 1) * float(np.std(numbers))
        often, _ = np.histogram(numbers, edges)
        across = np.repeat(edges, 2)
        heights = np.concatenate([[0.0], np.repeat(height * often / max(often.max(), 1), 2), [0.0]])
        self._outline = np.column_stack([across, heights, np.zeros(len(across))])
        self._scale(1.0, 1.0)

    def divide(self, by: float) -> None:
        """Show the numbers divided by another one."""
        self._scale(1.0 / by, 1.0)

    def pile(self, share: float) -> None:
        """Show only a share of the numbers, 0 to 1."""
        self._scale(1.0, share)

    def _scale(self, across: float, high: float) -> None:
        corners = self.foot + self._outline * (self.unit * across, high, 1.0)
        self.set_points_as_corners(np.vstack([corners, corners[:1]]))


class Walks(VGroup):
    """Running sums of the rows of `steps`, (walks, steps): lines from the top down.

    Each begins at `origin`; a step goes down by `drop` scene units and aside by its number times
    `unit`. Without a `role` a step's colour says its sign.
    """

    def __init__(
        self,
        steps: NDArray[np.floating],
        origin: tuple[float, float],
        unit: float,
        drop: float,
        role: Role | None = None,
    ) -> None:
        sums = np.cumsum(np.pad(steps.astype(np.float64), ((0, 0), (1, 0))), axis=1)
        down = np.broadcast_to(-drop * np.arange(sums.shape[1]), sums.shape)
        corners = np.stack([unit * sums, down, np.zeros(sums.shape)], axis=-1)
        self._corners = corners + (*origin, 0.0)  # (walks, steps + 1, 3)
        is_negative = np.asarray(steps < 0)
        kinds = [(role, np.ones(steps.shape, dtype=bool))]
        if role is None:
            kinds = [(POSITIVE, ~is_negative), (NEGATIVE, is_negative)]
        width, opacity = (BOLD_LINE, 1.0) if role is None else (THIN_LINE, FAINTEST_FILL)
        self._kinds = [kind for _, kind in kinds]
        super().__init__(
            *(
                VMobject(
                    stroke_width=width, stroke_color=theme.color(of or INK), stroke_opacity=opacity
                )
                for of, _ in kinds
            )
        )
        self.reach(float(steps.shape[1]))

    def reach(self, steps: float) -> None:
        """Show only so many steps, the last of them in part."""
        starts, ends = self._corners[:, :-1], self._corners[:, 1:]
        share = np.clip(steps - np.arange(starts.shape[1]), 0.0, 1.0)  # of each step
        tips = starts + share[:, None] * (ends - starts)
        for part, kind in zip(self.submobjects, self._kinds, strict=True):
            taken = kind & (share > 0)
            one, other = starts[taken], tips[taken]
            thirds = [one, (2 * one + other) / 3, (one + 2 * other) / 3, other]
            part.points = np.stack(thirds, axis=1).reshape(-1, 3)

    def tip(self) -> Floats:
        """Return the point at which the first walk ends."""
        return np.asarray(self._corners[0, -1])
