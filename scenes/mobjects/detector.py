"""A neuron: what it is loudest on, itself, and what it writes. It knows no model.

one = Detector(own, heard, written, pushes, stage)
yield Flow(map(Appear, one.rows))       # ends of texts, each plate as strong as its number
yield Flow(map(Draw, one.rings))        # about the tokens that it is loudest on
yield Flow(map(Draw, one.heard))        # lines into the neuron
yield Flow(map(Draw, one.said))         # and out of it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import Line, VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.bars import Bars
from scenes.mobjects.marks import Ring
from scenes.mobjects.signs import strength
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.mobjects.tokens import Chip
from scenes.mobjects.vector import Cell
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    GAP,
    HAIR,
    HEADING_SIZE,
    LEAST_SIZE,
    POSITIVE,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    TITLE_SIZE,
)

Floats: TypeAlias = NDArray[np.float64]
Heard: TypeAlias = tuple[Sequence[str], Tensor]  # pieces up to a loud one, and their activations

MOST = 3  # excerpts, and tokens that it makes likelier
ROW = 0.5  # of a row's height, its em
DEEPEST = 0.6  # of the colour of the strongest plate, so that its text is light on dark
BODY, HEADING = 1.6, 0.9  # scene units, a neuron's side, and room for what stands over a list


class Detector(VGroup):
    """A neuron, what it is loudest on, and what it writes: from left to right, or downwards.

    `own` is a token, the neuron's activation there, and its place. Parts: `rows`, excerpts that end
    with a token in one of `rings`; `heard`, lines from there to its `body`; `said`, lines to what
    is `written`: for each token its name, a bar and a number; `heads`, what these are; `label`,
    the neuron's name and its token. `others` are all but the body.
    """

    def __init__(
        self,
        own: tuple[str, Value, Value],
        heard: Sequence[Heard],
        written: Sequence[str],
        pushes: Sequence[Value],
        stage: Region,
    ) -> None:
        piece, activation, place = own
        is_narrow = stage.is_narrow
        left, right = stage.split(0.46 if is_narrow else 0.54)
        middle, right = right.split(0.4) if is_narrow else right.columns(0.3)
        self.heads = [
            Words("loudest on", size=SPOKEN_SIZE),
            Words("makes likelier", size=SPOKEN_SIZE),
        ]
        for words, part in zip(self.heads, (left, right), strict=True):
            words.move_to((part.center[0], part.top, 0), UP)
        most = max([activation.number, *(float(each.array[-1]) for _, each in heard)])
        heard, written, pushes = heard[:MOST], written[:MOST], pushes[:MOST]
        rows = left.lowered(HEADING).rows(MOST)
        size = min(SPOKEN_SIZE if is_narrow else TITLE_SIZE, ROW * rows[0].height / em_of(1))
        self.rows = [
            _excerpt(*each, row, size, most) for each, row in zip(heard, rows, strict=False)
        ]
        self.rings = [Ring(row[-2]) for row in self.rows]
        side = min(BODY, 0.8 * middle.height)
        cell = Cell(activation.number, most, (side, side))
        number = Number(activation, 1, HEADING_SIZE).set_color(cell.ink).move_to(cell)
        self.body = VGroup(cell, number).move_to(middle.center)
        name = Words("detector {}", place, size=SPOKEN_SIZE)
        chip = Chip(piece, SPOKEN_SIZE, widest=middle.width / (1 + is_narrow))
        chip.next_to(self.body, LEFT if is_narrow else UP, buff=GAP)
        if is_narrow:
            name.next_to(self.body, RIGHT, buff=GAP)
        else:
            name.move_to((middle.center[0], middle.top, 0), UP)
        self.label = VGroup(name, chip)
        room = right.lowered(HEADING)
        size = min(TITLE_SIZE, ROW * room.height / len(written) / em_of(1))
        texts = [TokenText(each, max(size, LEAST_SIZE)) for each in written]
        bars = Bars(pushes, room, texts, across=True)
        self.written = list(zip(bars.names, bars.shapes, bars.numbers, strict=True))
        if is_narrow:
            low = float(rows[-1].bottom)
            pairs = [(np.array((self.body.get_x(), low, 0.0)), self.body.get_top())]
            self.said = [_line(self.body.get_bottom(), self.heads[1].get_top())]
        else:
            pairs = [(row.get_right(), self.body.get_left()) for row in self.rows]
            left_of = min(float(each.get_left()[0]) for each in bars.names)
            ends = (np.array((left_of - HAIR, each.get_y(), 0.0)) for each in bars.names)
            self.said = [_line(self.body.get_right(), end) for end in ends]
        self.heard = [_line(*ends) for ends in pairs]
        self.others = [*self.heard, *self.said, *self.heads, *self.rows, *self.rings, self.label]
        self.others += [part for parts in self.written for part in parts]
        super().__init__(*self.others, self.body)


def _excerpt(
    pieces: Sequence[str], activations: Tensor, region: Region, size: float, most: float
) -> VGroup:
    """Return the end of a text, as many whole words as a row has room for, and its last number."""
    number = Number(activations[len(pieces) - 1].value, 1, SPOKEN_SIZE)
    left, chips = region.width - number.width - GAP, list[Chip]()
    for piece, activation in zip(pieces[::-1], activations.array[::-1], strict=True):
        chip = Chip(piece, size, widest=region.width / 2)
        left -= chip.width + HAIR
        if left < 0:
            break
        if activation > 0:
            color = theme.color(POSITIVE)
            share = DEEPEST * strength(float(activation), most) / STRONGEST_FILL
            color = theme.mix(color, theme.color(BACKGROUND), share)
            set_fill(chip.plate, color)
            chip.label.set_color(theme.ink_on(color))
        chips.insert(0, chip)
    while len(chips) > 1 and not chips[0].piece.startswith(" "):
        chips.pop(0)
    row = VGroup(*chips, number).arrange(RIGHT, buff=HAIR)
    return row.move_to((region.right, region.center[1], 0), RIGHT)


def _line(start: Floats, end: Floats) -> Line:
    way = end - start
    away = HAIR * way / max(float(np.linalg.norm(way)), 1e-6)
    return Line(start + away, end - away).set_stroke(theme.color(QUIET), THIN_LINE)
