"""A neuron: what it is loudest on, and what it writes; a story of one. It knows no model.

one = Detector(own, heard, written, pushes, stage)
yield Flow(map(Appear, one.rows))       # ends of texts, each plate as strong as its number
yield Flow(map(Draw, one.rings))        # about the tokens that it is loudest on
yield Flow(map(Draw, one.heard))        # lines into the neuron
yield Flow(map(Draw, one.said))         # and out of it
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from manim import Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, ORIGIN, RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.mobjects.marks import Ring, arch
from scenes.mobjects.outlines import Rounded
from scenes.mobjects.signs import strength
from scenes.mobjects.text import Number, Words, em_of
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Cell
from scenes.presence import set_fill
from scenes.provenance import Tensor, Value
from scenes.region import Region, area_of
from scenes.theme import (
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    GAP,
    HAIR,
    HEADING_SIZE,
    OUTPUT,
    PANEL,
    POSITIVE,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    TITLE_SIZE,
    Role,
)

Heard: TypeAlias = tuple[Sequence[str], Tensor]  # pieces up to a loud one, and their activations

MOST = 3  # excerpts, and tokens that it makes likelier
ROW = 0.5  # of a row's height, its em
DEEPEST = 0.6  # of the colour of the strongest plate, so that its text is light on dark
BODY, HEADING = 1.5, 0.9  # scene units, a neuron's side, and room for what stands over a list
LEFT_SHARE, MIDDLE_SHARE = 0.42, 0.46  # of all, what is heard; of the rest, the neuron
SQUARE_SHARE, LETTERS = 0.5, 8  # that in a square stage; ems in a list's width, at least
WORDS = 3  # of an excerpt
TINT = 0.5  # of the colour of what it writes
BOLDEST = 14.0  # a line's width
LARGE, HEARD, SEAT = 60, 0.8, 1.6  # a story's words; scene units: its arcs, a detector's side


class Detector(VGroup):
    """A neuron, what it is loudest on, and what it writes: from left to right, or downwards.

    `own` is a token, the neuron's activation there, and its place. Parts: `rows`, excerpts that end
    with a token in one of `rings`; `heard`, lines from there to its `body`, wide as it is loud;
    `said`, lines to what is `written`, wide as they push; `heads`, what these are; `label`, the
    neuron's name and its token. `others` are all but the body's `cell`.
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
        is_narrow = stage.height > stage.width  # the lists stand beside it in a square, too
        left, right = stage.split(LEFT_SHARE) if is_narrow else stage.columns(LEFT_SHARE)
        is_square = stage.width < 1.9 * stage.height
        middle_share = SQUARE_SHARE if is_square else MIDDLE_SHARE
        middle, right = right.split(MIDDLE_SHARE) if is_narrow else right.columns(middle_share)
        rooms = left.lowered(HEADING).rows(MOST), right.lowered(HEADING).rows(MOST)
        size = min(TITLE_SIZE, ROW * rooms[is_narrow][0].height / em_of(1))
        size = min(size, left.width / LETTERS / em_of(1))
        louds = [float(each.array[-1]) for _, each in heard[:MOST]]
        most = max([activation.number, *louds])
        self.rows = [
            _excerpt(*each, row, size, most) for each, row in zip(heard, rooms[0], strict=False)
        ]
        self.rings = [Ring(row[-1]) for row in self.rows]
        side = min(BODY, 0.8 * middle.height, 0.5 * middle.width)
        self.cell = Cell(activation.number, most, (side, side))
        number = Number(activation, 1, HEADING_SIZE).set_color(self.cell.ink).move_to(self.cell)
        at = middle.center if is_narrow else (middle.center[0], rooms[0][MOST // 2].center[1], 0)
        self.body = VGroup(self.cell, number).move_to(at)
        name = Words("detector {}", place, size=SPOKEN_SIZE)
        chip = Chip(piece, SPOKEN_SIZE, widest=middle.width / (1 + is_narrow))
        chip.next_to(self.body, LEFT if is_narrow else DOWN, buff=GAP)
        name.next_to(self.body, RIGHT if is_narrow else UP, buff=GAP)
        if is_square and not is_narrow:  # beside the lines there is no room
            name.move_to((self.body.get_x(), stage.top - HEADING, 0), UP)
        self.label = VGroup(name, chip)
        self.written = [Chip(each, size, widest=right.width) for each in written[:MOST]]
        for each, room in zip(self.written, rooms[1], strict=False):
            each.plate.set_fill(theme.mix(theme.color(OUTPUT), theme.color(BACKGROUND), TINT))
            each.move_to(room.center if is_narrow else (room.left, room.center[1], 0), ORIGIN)
            each.shift((0.0 if is_narrow else each.width / 2) * RIGHT)
        self.heads = [Words(text, size=SPOKEN_SIZE) for text in ("loudest on", "makes likelier")]
        lists: tuple[Sequence[VMobject], ...] = (self.rings, self.written)
        for words, part, over in zip(self.heads, (left, right), lists, strict=True):
            is_far = is_narrow or not over
            at = (part.center[0], part.top, 0) if is_far else VGroup(*over).get_top() + 3 * GAP * UP
            part.hold(words.move_to(at, UP))
        if is_narrow:
            low = float(rooms[0][-1].bottom)
            ways = [(np.array((self.body.get_x(), low, 0.0)), self.body.get_top())]
            said = [(self.body.get_bottom(), self.heads[1].get_top())]
        else:
            ways = [(ring.get_right(), self.body.get_left()) for ring in self.rings]
            said = [(self.body.get_right(), each.get_left()) for each in self.written]
        strengths = [loud / most for loud in louds]
        self.heard = [link(*e, POSITIVE, s) for e, s in zip(ways, strengths, strict=False)]
        largest = max(push.number for push in pushes)
        pushed = [push.number / largest for push in pushes]
        self.said = [link(*e, OUTPUT, s) for e, s in zip(said, pushed, strict=False)]
        self.others = [*self.heard, *self.said, *self.heads, *self.rows, *self.rings, self.label]
        self.others += [*self.written, number]
        super().__init__(self.cell, *self.others)


class Story(VGroup):
    """A `fact` with a blank for its `answer`, a box, and what a story says that happens in it.

    A `way` leads from the last chip, which has `heard` the others, into the box; there what is
    `asked` is joined by `links` to a detector, on a `seat`, which its `role` names, and that to
    what is `known`. All these are `inside`. What is asked for is the first `named` chips, and
    comes to the last one as one chip, `whom`. `free` is the stage without the prompt.
    """

    def __init__(self, fact: Sequence[str], name: str, answer: str, stage: Region) -> None:
        low = Region(stage.left, stage.right, stage.bottom, stage.bottom + 0.22 * stage.height)
        row = TokenRow([*fact, answer], low, largest=TITLE_SIZE)
        *self.chips, self.answer = row.chips
        self.badge = Words("(a story)", size=HEADING_SIZE, role=QUIET)
        self.badge.move_to((stage.center[0], stage.top, 0), UP)
        room = stage.below(self.badge, GAP)
        is_level = row.lines == 1  # else arcs, and a way up, would cross another line
        if is_level:
            row.align_to((0, stage.bottom, 0), DOWN)
            self.free = stage.raised(row.height + HEARD + GAP)
            room = room.raised(row.height + HEARD + GAP)
        else:
            row.align_to((0, room.top, 0), UP)
            self.free, room = stage.below(row, GAP), stage.below(row, HEARD)
        starts = ["".join(fact[: i + 1]).strip() for i in range(len(fact))]
        self.named = sum(map(name.startswith, starts))
        self.blank = Ring(self.answer, role=QUIET)
        self.what = Words("?", size=TITLE_SIZE).move_to(self.blank)
        plate = Rounded(corner_radius=2 * CORNER, width=stage.width, height=room.height)
        plate.set_fill(theme.color(PANEL), 1).set_stroke(theme.color(OUTPUT), BOLD_LINE)
        plate.move_to(room.center)
        title = Words("MLP", size=HEADING_SIZE, role=OUTPUT)
        title.move_to((plate.get_x(), plate.get_top()[1] - 3 * GAP, 0))
        self.box = [plate, title]
        self.asked, self.known = (
            Words("{}", name, size=LARGE),
            Words("{}", answer.strip(), size=LARGE),
        )
        self.seat, self.role = Square(SEAT), Words("a detector", size=SPOKEN_SIZE)
        card = VGroup(self.asked, self.seat, self.known)
        card.arrange(DOWN if stage.is_narrow else RIGHT, buff=5 * GAP)
        area_of(plate).below(title, 0).inset(2 * GAP).fit(card)
        self.role.next_to(self.seat, RIGHT if stage.is_narrow else UP)
        sides = (DOWN, UP) if stage.is_narrow else (RIGHT, LEFT)
        ends = [
            (one.get_edge_center(sides[0]), other.get_edge_center(sides[1]))
            for one, other in pairwise(card)
        ]
        self.links = [
            link(*pair, role) for pair, role in zip(ends, (POSITIVE, OUTPUT), strict=True)
        ]
        side = UP if is_level else DOWN
        last, edge = self.chips[-1].get_edge_center(side), plate.get_edge_center(-side)
        self.way = link(last, np.array((last[0], edge[1], 0.0)), OUTPUT)
        *before, last = [chip.get_top() for chip in self.chips]
        self.heard = [arch(each, last, HEARD - HAIR, BOLD_LINE) for each in before if is_level]
        self.inside = [*self.box, self.way, self.asked, *self.links, self.known, self.badge]
        self.inside.append(self.role)
        self.rise = (row.height if is_level else 0.0) * UP  # of the name on its way
        self.whom = Chip(name, TITLE_SIZE).next_to(self.chips[-1], side, buff=HAIR)
        stage.hold(self.whom)
        super().__init__(*self.inside, self.blank, *self.heard, *self.chips, self.what, self.answer)
        self.add(self.whom)


def _excerpt(
    pieces: Sequence[str], activations: Tensor, region: Region, size: float, most: float
) -> VGroup:
    """Return the end of a text, as many whole words as a row has room for, `WORDS` at most."""
    left, chips = region.width, list[Chip]()
    for piece, activation in zip(pieces[::-1], activations.array[::-1], strict=True):
        if sum(chip.piece.startswith(" ") for chip in chips) == WORDS:
            break
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
    row = VGroup(*chips).arrange(RIGHT, buff=HAIR)
    return row.move_to((region.right, region.center[1], 0), RIGHT)


def link(start: Point3D, end: Point3D, role: Role, share: float = 1.0) -> VMobject:
    """Return a line between two things in the colour of a role, as bold as a share of the boldest.

    It leaves and comes in level, but upright where one thing stands over the other.
    """
    way = end - start
    along = way * (RIGHT if abs(way[0]) > HAIR else UP)
    away = HAIR * along / max(float(np.linalg.norm(along)), 1e-6)
    line = VMobject(stroke_color=theme.color(role), stroke_width=BOLDEST * max(share, 0.0))
    line.points = np.array([start + away, start + along / 2, end - along / 2, end - away])
    return line
