"""How a chance rises step by step, and the shares of two kinds of steps. It knows no model.

climb = Climb(chances, gained, region)
yield Flow(map(Appear, climb.steps))            # one after another, as high as what each adds
yield Flow(map(Become, climb.copies, climb.parted))     # as high, in a pile for each of two kinds
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Line, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.bars import percentage
from scenes.mobjects.outlines import Filled, polygons
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    OUTPUT,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    TITLE_SIZE,
    VALUE,
    Role,
)

Floats = NDArray[np.float64]

THICK = 0.6  # scene units, of a bar of shares
LABELS = 0.6  # scene units under a climb
STAIRS = 0.7  # of the width, for the steps; the rest is for their piles
THINNEST, SHARE = 0.02, 0.86  # scene units, half a step at least; of its room, its width


class Shares(VGroup):
    """Two shares of one whole as parts of a bar: attention's and the MLPs'. `words` name them."""

    def __init__(self, shares: tuple[Value, Value], title: str, stage: Region, y: float) -> None:
        cut = stage.left + shares[0].number * stage.width
        self.boxes = [
            (stage.left, y - THICK / 2, cut, y + THICK / 2),
            (cut, y - THICK / 2, stage.right, y + THICK / 2),
        ]
        self.segments = [_slab(*each) for each in zip(self.boxes, (VALUE, OUTPUT), strict=True)]
        names = zip(("attention {:.0%}", "MLP {:.0%}"), shares, (VALUE, OUTPUT), strict=True)
        self.words = [Words(text, share, size=TITLE_SIZE, role=role) for text, share, role in names]
        sides = (stage.left, LEFT), (stage.right, RIGHT)
        for words, (x, side) in zip(self.words, sides, strict=True):
            words.move_to((x, y + THICK / 2 + GAP + words.height / 2, 0), side)
        self.title = Words("{}", title, size=SPOKEN_SIZE, role=QUIET)
        self.title.move_to((stage.left, y - THICK / 2 - HAIR, 0), LEFT + UP)
        self.parts = [
            self.title,
            *(VGroup(*pair) for pair in zip(self.segments, self.words, strict=True)),
        ]
        super().__init__(*self.segments, *self.words, self.title)


class Climb(VGroup):
    """The chance of the fact's answer after each step: of attention and of an MLP, layer by layer.

    Parts: `axes`, `legend`, `steps`, each as high as what it adds, and `last`, the chance at the
    end. `copies` of the steps leave them for their twins, `parted`, as high as they are, in a pile
    for each kind; `words` say what share of all each pile is.
    """

    def __init__(
        self, chances: Sequence[Value], gained: tuple[Value, Value], region: Region
    ) -> None:
        numbers = np.array([chance.number for chance in chances])
        roles = [VALUE, OUTPUT] * (len(chances) // 2)
        self.legend = VGroup(
            Words("chance", size=SPOKEN_SIZE, role=QUIET),
            Words("attention", size=SPOKEN_SIZE, role=VALUE),
            Words("MLP", size=SPOKEN_SIZE, role=OUTPUT),
        ).arrange(RIGHT, buff=3 * GAP)
        self.legend.move_to((region.left, region.top, 0), LEFT + UP)
        self.last = percentage(chances[-1], HEADING_SIZE)
        names = zip(("attention", "MLP"), gained, (VALUE, OUTPUT), strict=True)
        self.words = list[VGroup]()
        for name, share, role in names:
            lines = VGroup(Words(name, size=SPOKEN_SIZE), Words("{:.0%}", share, size=SPOKEN_SIZE))
            lines.arrange(DOWN, buff=HAIR).set_color(theme.color(role))
            self.words.append(lines)
        high = max(self.last.height, *(words.height for words in self.words))
        room, piles = region.lowered(high + 2 * GAP).raised(LABELS).columns(STAIRS)
        pitch = room.width / len(roles)
        self.steps = []
        for i, (low, high) in enumerate(pairwise(room.bottom + numbers * room.height)):
            left = room.left + i * pitch
            box = left, min(low, high) - THINNEST, left + SHARE * pitch, max(low, high) + THINNEST
            self.steps.append(_slab(box, roles[i]))
        self.last.next_to(self.steps[-1], UP, buff=GAP)
        region.hold(self.last)
        zero = Line((room.left, room.bottom, 0), (piles.right, room.bottom, 0))
        ends = [Words(text, size=SPOKEN_SIZE, role=QUIET) for text in ("first layer", "last layer")]
        for words, side, x in zip(ends, (LEFT, RIGHT), (room.left, room.right), strict=True):
            words.move_to((x, room.bottom - LABELS / 2, 0), side)
        up = Line((room.left, room.bottom, 0), (room.left, room.top, 0))
        self.axes = VGroup(zero, up).set_stroke(theme.color(QUIET), THIN_LINE).add(*ends)
        self.copies = [step.copy() for step in self.steps]
        self.parted = self._parted(np.abs(np.diff(numbers)), SHARE * pitch, piles, roles)
        super().__init__(self.axes, *self.steps, *self.copies, self.legend, self.last, *self.words)

    def _parted(
        self, sizes: Floats, wide: float, room: Region, roles: Sequence[Role]
    ) -> list[Filled]:
        """Return the steps piled up, attention's and the MLPs', each kind under its words."""
        fit = min(1.0, 1.0 / max(sizes[0::2].sum(), sizes[1::2].sum(), 1e-9))
        places = room.in_columns(2)
        wide, tops, found = min(wide, places[0].width), [room.bottom] * 2, []
        for i, (role, size) in enumerate(zip(roles, sizes.tolist(), strict=True)):
            x, low = float(places[i % 2].center[0]), tops[i % 2]
            tops[i % 2] += fit * size * room.height
            found.append(_slab((x - wide / 2, low, x + wide / 2, tops[i % 2]), role))
        for words, place, top in zip(self.words, places, tops, strict=True):
            words.move_to((place.center[0], top + GAP + words.height / 2, 0))
        return found


def _slab(box: tuple[float, float, float, float], role: Role) -> Filled:
    left, low, right, high = box
    corners = np.array([[(left, low), (right, low), (right, high), (left, high)]])
    return Filled(polygons(corners), role, STRONGEST_FILL)
