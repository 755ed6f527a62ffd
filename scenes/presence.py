"""How much of a thing is there: a share of the opacities that its parts were made with.

What recedes or leaves keeps its own opacities, so that everything comes back as it was.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from manim import Mobject, VMobject
from numpy.typing import NDArray


class Part(VMobject):
    """A shape that says itself how much of it is there; it exists for type checkers alone."""

    presence: float


def parts_of(mobject: Mobject) -> list[VMobject]:
    """Return a mobject and all that it is made of, in drawing order."""
    return [part for part in mobject.get_family() if isinstance(part, VMobject)]


def standing_parts(mobject: Mobject) -> list[Part]:
    """Return what `parts_of` does; each says its presence from now on: frames ask all of them."""
    parts = parts_of(mobject)
    for part in parts:
        vars(part).setdefault("presence", 1.0)
    return cast("list[Part]", parts)


def presence(part: Mobject) -> float:
    """Return the share of its own opacity that a part has now."""
    return float(vars(part).get("presence", 1.0))


def set_presence(part: VMobject, share: float) -> None:
    """Scale the opacities of a part's fill and strokes to a share, 0 to 1, of its own."""
    if share == presence(part):
        return
    colors = (part.fill_rgbas, part.stroke_rgbas, part.background_stroke_rgbas)
    own = vars(part).get("own_opacities")
    if own is None or presence(part) == 1.0:
        own = [color[:, 3].copy() for color in colors]
    for color, opacity in zip(colors, own, strict=True):
        color[:, 3] = opacity * share
    vars(part).update(presence=share, own_opacities=own)


def set_fill(part: VMobject, color: str | None, opacity: float | None = None) -> None:
    """Give a part a fill, #RRGGBB or opacity or both; how much of it is there stays."""
    share = presence(part)
    set_presence(part, 1.0)
    part.set_fill(color, opacity)
    set_presence(part, share)


def own_colors(part: VMobject) -> list[NDArray[np.float64]]:
    """Return a part's colours when all of it is there: fill, line, line behind; (n, 4) each."""
    colors = [part.fill_rgbas, part.stroke_rgbas, part.background_stroke_rgbas]
    own = None if presence(part) == 1.0 else vars(part).get("own_opacities")
    found = [np.array(color, dtype=np.float64) for color in colors]
    for color, opacity in zip(found, own or (), strict=False):
        color[:, 3] = opacity
    return found


def hide(mobject: Mobject) -> None:
    """Make a mobject unseen until it appears."""
    for part in parts_of(mobject):
        set_presence(part, 0.0)
