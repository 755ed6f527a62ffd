"""What the arrows of a chain are called, and shares of each, in rows beside the chain.

table = ChainTable(names, {"weight": weights, "way": ways}, first=1)
table.stand_by(points, region)              # a line leads from each arrow's middle to its row
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
from manim import Line, Rectangle, VGroup, VMobject
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.camera import FILLED
from scenes.mobjects.fit import adding_decimals
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, NAMED_SIZE, QUIET, TITLE_SIZE, VALUE

MOST, LEAST = 4, 0.1  # arrows with rows of their own, at most; of the way, such an arrow
PITCH = 1.4  # ems from a row to the next
AROUND = 1.05  # times as large as a chain, what is seen
LEAD = 1.0  # scene units from the chain to the names


class ChainTable(VGroup):
    """A row for each arrow of a chain, tip to tail, the first one lowest; the least share one.

    Short arrows have one row together. Parts: `names`, `columns`, one for each of the shares, with
    `heads` over them, and `leads`, the lines from arrows to names. `first` is who has a row in any
    case; the last column is ranked by, and has the colour of values. `rows` are names with all that
    is beside them.
    """

    def __init__(
        self,
        names: Sequence[str],
        shares: Mapping[str, Sequence[Value]],
        *,
        first: int,
        size: float = TITLE_SIZE,
    ) -> None:
        *_, (last, ranked) = shares.items()
        self.arrows = own_rows(ranked, first)
        others = [i for i in range(len(names)) if i not in self.arrows]
        self.called = [*(names[i] for i in self.arrows), *["others"] * bool(others)]
        self.names = [Words("{}", name, size=size, role=VALUE) for name in self.called]
        self.columns = list[list[Words]]()
        for name, each in shares.items():
            seen = [each[i] for i in self.arrows]
            seen += [reduce(add, (each[i] for i in others))] if others else []
            text = f"{{:.{adding_decimals(seen, 1.0) - 2}%}}"
            role = VALUE if name == last else INK
            self.columns.append([Words(text, share, size=size, role=role) for share in seen])
        self.heads = [Words(head, size=min(size, NAMED_SIZE), role=QUIET) for head in shares]
        self.rows = [VGroup(*row) for row in zip(self.names, *self.columns, strict=True)]
        edge = max(words.width for words in self.names)
        for head, column in zip(self.heads, self.columns, strict=True):
            both = [head, *column]
            edge += 2 * GAP + max(words.width for words in both)
            for words in both:
                words.move_to((edge, 0, 0), RIGHT)
        for words in self.names:
            words.move_to((0, 0, 0), LEFT)
        self.pitch = PITCH * self.names[0].em
        for place in range(len(self.rows)):
            self._set_row(place, place * self.pitch)
        VGroup(*self.heads).shift(len(self.rows) * self.pitch * UP)
        self.leads = [VGroup() for _ in self.arrows]
        super().__init__(*self.leads, *self.rows, *self.heads)

    def frame(self, points: NDArray[np.float64], stage: Region, most: float) -> Rectangle:
        """Return what the camera looks at to see a chain (arrows + 1, 2) and room for the table.

        The chain is at most `most` times as large then.
        """
        low, high = points.min(axis=0), points.max(axis=0)
        span, room = high - low + 2 * GAP, np.array([stage.width, stage.height])
        is_over = stage.is_narrow
        beside = np.array([0.0, self.height + GAP] if is_over else [self.width + LEAD, 0.0])
        zoom = min(most, *((room - beside) / span), *(room / AROUND / span))
        aside = np.maximum(0.0, zoom * span / 2 + beside - room / 2) / zoom
        width, height = FILLED * room / zoom
        return Rectangle(width=width, height=height).move_to((*((low + high) / 2 + aside), 0.0))

    def stand_by(self, points: NDArray[np.float64], region: Region) -> None:
        """Stand right of a chain (arrows + 1, 2); in upright frames, at the top, without lines."""
        if region.is_narrow:
            self.move_to((region.right, region.top, 0), UP + RIGHT)
            return
        left = float(points[:, 0].max()) + LEAD
        self.shift((left - self.get_left()[0]) * RIGHT)
        middles = [np.mean(pair, axis=0) for pair in pairwise(points)]
        levels = [float(middles[arrow][1]) for arrow in self.arrows]
        levels += levels[-1:] * (len(self.rows) - len(levels))
        for place in range(1, len(levels)):
            levels[place] = max(levels[place], levels[place - 1] + self.pitch)
        head = self.heads[0]
        highest = region.top - float(head.get_top()[1]) + head.baseline - self.pitch
        for place in reversed(range(len(levels))):
            levels[place] = highest = min(levels[place], highest)
            self._set_row(place, levels[place])
            highest -= self.pitch
        for head in self.heads:
            head.shift((levels[-1] + self.pitch - head.baseline) * UP)
        for arrow, name, group in zip(self.arrows, self.names, self.leads, strict=False):
            group.add(lead(middles[arrow], name))

    @property
    def longest(self) -> int:
        """Which row's arrow goes farthest."""
        far = [abs(share.numerals[0].value.number) for share in self.columns[-1]]
        return max(range(len(self.arrows)), key=lambda row: far[row])

    def told(self, row: int) -> VGroup:
        """Return copies of an arrow's name and of how far it goes, side by side."""
        name, share = self.names[row].copy(), self.columns[-1][row].copy()
        share.next_to(name, RIGHT, buff=GAP).shift((name.baseline - share.baseline) * UP)
        return VGroup(name, share)

    def _set_row(self, place: int, level: float) -> None:
        for each in (self.names[place], *(column[place] for column in self.columns)):
            each.shift((level - each.baseline) * UP)


def lead(place: NDArray[np.float64], name: VMobject) -> Line:
    """Return a thin line from a place (2,) to a name on its right."""
    line = Line((*place, 0.0), name.get_left() + HAIR * LEFT)
    return line.set_stroke(theme.color(QUIET), theme.THIN_LINE)


def own_rows(shares: Sequence[Value], first: int) -> list[int]:
    """Return which arrows have rows of their own: the `first`, and of the long ones the longest."""
    order = sorted(range(len(shares)), key=lambda i: (i != first, -abs(shares[i].number)))
    long = [i for i in order if i == first or abs(shares[i].number) >= LEAST]
    return sorted(long[:MOST])
