"""A sentence's tokens in a line, and what learned matrices make of each: its query, key and value.

figure = Projections(tokens, [q, k, v], film.stage)
yield Appear(*figure.chips), figure.pass_over(0)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes import theme
from scenes.mobjects.marks import Ring
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Words
from scenes.mobjects.tokens import Chip, TokenRow, chips_in
from scenes.mobjects.vector import Vector
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    KEY,
    PANEL,
    PLAIN_SIZE,
    QUERY,
    QUICK,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
)
from scenes.verbs import Appear, ComeFrom, Disappear, Flow, Hold, Shift, Then, Together

MADE = (("queries", "Q", QUERY), ("keys", "K", KEY), ("values", "V", VALUE))
WIDEST = 0.9  # scene units, a vector's thickness
CLOSE = 0.64  # of the way from one token to the next, at most, a vector's thickness
SLIM, BROAD = 0.6, 1.4  # of that, an entry of a token's own vector, and at most all of it
LONGEST = 1.6  # times as high as wide, at most, such an entry
FARTHEST = 7.2  # scene units, between two tokens


class Projections(VGroup):
    """Tokens in a line; over each stand its query and, nearer, its key, under it its value.

    Parts: `chips[i]`; `made[0][i]`, a query (1: a key, 2: a value), with a strip an entry; `names`
    of the three rows; `tools`, the matrices that make them, as signs. What is made of a token comes
    from behind its chip; `over` is the region over the chips, `thick` a vector's thickness.
    """

    def __init__(self, tokens: Sequence[str], made: Sequence[Tensor], region: Region) -> None:
        self.names = [Words(name, size=SPOKEN_SIZE, role=role) for name, _, role in MADE]
        aside = max(name.width for name in self.names) + 2 * GAP
        self.chips = in_line(tokens, region.narrowed(aside, 0))
        across = [float(chip.get_x()) for chip in self.chips]
        near = min(np.diff(across), default=2 * WIDEST)
        self.thick = thick = min(WIDEST, CLOSE * near, 2 * (region.right - across[-1]))
        chip = max(chip.height for chip in self.chips)
        tall = (region.height - chip - 3 * GAP) / 3
        line = region.bottom + tall + GAP + chip / 2
        step = tall + GAP
        over = (chip + tall) / 2 + GAP
        self.over = region.raised(line + chip / 2 + GAP - region.bottom)
        self.made = [
            VGroup(*(Area(row, tall / len(row), role=role, thickness=thick) for row in rows))
            for rows, (_, _, role) in zip(made, MADE, strict=True)
        ]
        self.tools = [_sign(letter, role) for _, letter, role in MADE]
        for each in self.chips:
            each.set_y(line)
        levels = (line + over + step, line + over, line - over)
        for y, bodies, name, tool in zip(levels, self.made, self.names, self.tools, strict=True):
            name.move_to((region.left, y, 0), aligned_edge=LEFT)
            tool.move_to((region.left + aside / 2, y, 0))
            for x, body in zip(across, bodies, strict=True):
                body.move_to((x, y, 0))
        super().__init__(*self.made, *self.chips, *self.names, *self.tools)
        self.way = across[-1] - float(self.tools[0].get_x())

    def others(self, *tokens: int) -> list[Chip]:
        """Return the chips of all tokens but some."""
        return [chip for place, chip in enumerate(self.chips) if place not in tokens]

    def vectors(self, rows: Tensor, most: int) -> list[Vector]:
        """Return what every token comes with, at most so many entries, all from one height."""
        foot = max(float(chip.get_top()[1]) for chip in self.chips) + HAIR
        room = SLIM * self.thick, min(self.over.height / (most + 1), LONGEST * SLIM * self.thick)
        bodies = [Vector(row.values, room, upright=True, most=most, numerals=False) for row in rows]
        for body, chip in zip(bodies, self.chips, strict=True):
            body.scale(min(1.0, BROAD * self.thick / body.width))  # brackets keep apart
            body.move_to((chip.get_x(), foot, 0.0), DOWN)
        return bodies

    def pass_over(self, place: int, first: int = -1) -> Together:
        """Return how a matrix passes over all tokens, and what it makes comes out of each.

        What is made of the token `first` is there already.
        """
        coming = [
            ComeFrom(body, self.chips[i], QUICK)
            for i, body in enumerate(self.made[place])
            if i != first
        ]
        tool = self.tools[place]
        moving = Then(Shift(tool, by=self.way * RIGHT), Disappear(tool))
        named = Then(Hold(QUICK), Appear(self.names[place]))
        return Then(Appear(tool), Together(moving, named, Flow(coming, budget=STEADY)))


def in_line(tokens: Sequence[str], region: Region) -> list[Chip]:
    """Return chips in one line, standing on end where they are too many to be read otherwise."""
    row = TokenRow(tokens, region, largest=HEADING_SIZE, lines=1)
    if row.size >= PLAIN_SIZE:
        free = min(FARTHEST, (region.width - row.width) / max(1, len(tokens) - 1))
        VGroup(*row.chips).arrange(RIGHT, buff=HAIR + free).move_to(region.center)
        return row.chips
    chips = chips_in(tokens, region.width / len(tokens))
    for chip, part in zip(chips, region.in_columns(len(tokens)), strict=True):
        chip.move_to(part.center)
    return chips


def _sign(letter: str, role: theme.Role) -> VGroup:
    """Return the sign of a matrix, on a plate."""
    symbol = Formula(f"${role.value}(W_{letter})$", HEADING_SIZE)
    return VGroup(Ring(symbol, GAP / 2, role).set_fill(theme.color(PANEL), 1), symbol)
