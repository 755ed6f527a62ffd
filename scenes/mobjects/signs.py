"""How a number's sign and size are drawn: hue and strength of a fill, or a dot, full or hollow."""

from __future__ import annotations

import numpy as np
from manim import Circle
from numpy.typing import NDArray

from scenes import theme
from scenes.theme import BOLD_LINE, FAINTEST_FILL, NEGATIVE, POSITIVE, STRONGEST_FILL, Role


def hue(number: float, role: Role | None = None) -> Role:
    """Return the role that colours a number: its own role, or its sign where it has none."""
    return role or (NEGATIVE if number < 0 else POSITIVE)


def strength(number: float, largest: float, faintest: float = FAINTEST_FILL) -> float:
    """Return the opacity of a number's fill: its square is the number's share of the largest.

    It is at least `faintest`, which can be seen, unless the number is zero or infinite: that has
    no fill.
    """
    if not number or not np.isfinite(number):
        return 0.0
    return float(max(faintest, STRONGEST_FILL * (abs(number) / largest) ** 0.5))


def levels(
    numbers: NDArray[np.floating], largest: float, most: int, least: float = 0.0
) -> NDArray[np.int_]:
    """Return in which of `most` steps of strength each number is drawn, 0 for none at all.

    Its square is the number's share of the largest; a share below `least` is none.
    """
    shares = np.clip(np.abs(numbers) / largest, 0, 1)
    return np.asarray(np.ceil(most * np.sqrt(np.where(shares < least, 0, shares))), dtype=int)


def strength_of(level: int, most: int, faintest: float = FAINTEST_FILL) -> float:
    """Return the opacity of the fill of one of `most` steps of strength, as `levels` finds them."""
    return strength((level / most) ** 2, 1.0, faintest)


def ink_on_fill(number: float, largest: float, faintest: float = FAINTEST_FILL) -> str:
    """Return the #RRGGBB in which a numeral or a word reads best on the fill of a number."""
    return theme.ink_on(theme.color(hue(number)), strength(number, largest, faintest))


def signed_dot(number: float, radius: float) -> Circle:
    """Make a dot: full and blue for a positive number, hollow and orange for a negative one."""
    color = theme.color(hue(number))
    if number < 0:
        return Circle(radius, stroke_width=BOLD_LINE, stroke_color=color, fill_opacity=0)
    return Circle(radius, stroke_width=0, fill_color=color, fill_opacity=1)
