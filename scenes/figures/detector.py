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
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D

from scenes import theme
from scenes.mobjects.marks import Ring, arches
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
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    TITLE_SIZE,
    Role,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Disappear,
    Draw,
    Flow,
    Pulse,
    Shift,
    Then,
    Together,
    Undim,
    Verb,
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
HEARD, SEAT = 1.2, 1.6  # scene units: a story's arcs, a detector's side


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
        self._is_upright = stage.height > stage.width  # the lists stand one under the other
        self._is_square = not self._is_upright and stage.width < 1.9 * stage.height
        self._left, self._middle, self._right = self._parts(stage)
        parts = self._left, self._right
        self._rooms = [part.lowered(HEADING).rows(MOST) for part in parts]
        size = min(TITLE_SIZE, ROW * self._rooms[self._is_upright][0].height / em_of(1))
        size = min(size, self._left.width / LETTERS / em_of(1))
        louds = [float(each.array[-1]) for _, each in heard[:MOST]]
        most = max([own[1].number, *louds])
        self.rows = [
            _excerpt(*each, row, size, most)
            for each, row in zip(heard, self._rooms[0], strict=False)
        ]
        self.rings = [Ring(row[-1]) for row in self.rows]
        self._put_body(*own, most)
        self._put_written(written[:MOST], size)
        self._put_heads()
        self._put_links([loud / most for loud in louds], [push.number for push in pushes])
        self.others = [*self.heard, *self.said, *self.heads, *self.rows, *self.rings, self.label]
        self.others += [*self.written, self.number]
        super().__init__(self.cell, *self.others)

    def _parts(self, stage: Region) -> tuple[Region, Region, Region]:
        """Return where what is heard, the neuron and what it writes stand."""
        if self._is_upright:
            left, rest = stage.split(LEFT_SHARE)
            return left, *rest.split(MIDDLE_SHARE)
        left, rest = stage.columns(LEFT_SHARE)
        return left, *rest.columns(SQUARE_SHARE if self._is_square else MIDDLE_SHARE)

    def _put_body(self, piece: str, activation: Value, place: Value, most: float) -> None:
        """Place the neuron, and beside it its name and its token."""
        middle = self._middle
        side = min(BODY, 0.8 * middle.height, 0.5 * middle.width)
        self.cell = Cell(activation.number, most, (side, side))
        self.number = Number(activation, 1, HEADING_SIZE).set_color(self.cell.ink)
        self.body = VGroup(self.cell, self.number.move_to(self.cell))
        level = self._rooms[0][MOST // 2].center[1]
        self.body.move_to(middle.center if self._is_upright else (middle.center[0], level, 0))
        name = Words("detector {}", place, size=SPOKEN_SIZE).shrink_to(middle.width)
        chip = Chip(piece, SPOKEN_SIZE, widest=middle.width / 2 if self._is_upright else side)
        chip.next_to(self.body, LEFT if self._is_upright else DOWN, buff=GAP)
        name.next_to(self.body, RIGHT if self._is_upright else UP, buff=GAP)
        if self._is_square:  # beside the lines there is no room
            name.move_to((self.body.get_x(), self._right.top - HEADING, 0), UP)
        self.label = VGroup(name, chip)

    def _put_written(self, written: Sequence[str], size: float) -> None:
        right = self._right
        self.written = [Chip(each, size, widest=right.width) for each in written]
        for chip, room in zip(self.written, self._rooms[1], strict=False):
            chip.plate.set_fill(theme.mix(theme.color(OUTPUT), theme.color(BACKGROUND), TINT))
            if self._is_upright:
                chip.move_to(room.center)
            else:
                chip.move_to((room.left, room.center[1], 0), LEFT)

    def _put_heads(self) -> None:
        """Write over each list what it is."""
        self.heads = [Words(text, size=SPOKEN_SIZE) for text in ("loudest on", "makes likelier")]
        lists: tuple[Sequence[VMobject], ...] = (self.rings, self.written)
        for words, part, under in zip(self.heads, (self._left, self._right), lists, strict=True):
            is_far = self._is_upright or not under
            top = VGroup(*under).get_top() + 3 * GAP * UP
            words.shrink_to(part.width).move_to(
                (part.center[0], part.top, 0) if is_far else top, UP
            )
            part.hold(words)
        if not (self._is_upright or self._is_square):  # in their row no line crosses it
            self.label[0].set_y(self.heads[1].get_y())

    def _put_links(self, strengths: Sequence[float], pushes: Sequence[float]) -> None:
        """Lead a line from each thing heard into the neuron, and one to each that it writes."""
        if self._is_upright:
            low = np.array((self.body.get_x(), float(self._rooms[0][-1].bottom), 0.0))
            ways = [(low, self.body.get_top())]
            said = [(self.body.get_bottom(), self.heads[1].get_top())]
        else:
            ways = [(ring.get_right(), self.body.get_left()) for ring in self.rings]
            said = [(self.body.get_right(), each.get_left()) for each in self.written]
        pushed = [push / max(pushes) for push in pushes]
        self.heard = [link(*e, POSITIVE, s) for e, s in zip(ways, strengths, strict=False)]
        self.said = [link(*e, OUTPUT, s) for e, s in zip(said, pushed, strict=False)]


class Story(VGroup):
    """A `fact` with a blank for its `answer`, a box, and what a story says that happens in it.

    What is asked for is the first `named` chips; the last one, which has `heard` the others, gets
    it as one chip, `whom`. Over the last one stands the MLP's `plate`, with a detector's `seat`,
    which its `role` names. Whom goes to its `place` there; `links` lead on to the detector, and to
    what is `known`. All these are `inside`. If the prompt has more than one line, the plate is
    under it. `free` is the stage without the prompt and the arcs over it.
    """

    def __init__(self, fact: Sequence[str], name: str, answer: str, stage: Region) -> None:
        room = self._put_sentence(fact, answer, stage)
        starts = ["".join(fact[: i + 1]).strip() for i in range(len(fact))]
        self.named = sum(map(name.startswith, starts))
        whom, known = Chip(name, HEADING_SIZE), Chip(answer.strip(), HEADING_SIZE)
        self.plate = self._plate(stage.width, room.height).move_to(room.center)
        self._put_inside(whom, known)
        *before, last = self.chips
        self.heard = arches(before, last, HEARD - HAIR, BOLD_LINE) if self.is_level else []
        self.free = stage.below(self.row, GAP)
        if self.is_level:
            self.free = stage.raised(self.row.height + HEARD + GAP)
        self.whom.next_to(self.chips[-1], UP if self.is_level else DOWN, buff=HAIR)
        stage.hold(self.whom)
        self.rise = (self.row.height if self.is_level else 0.0) * UP  # of the name on its way
        self.inside = [self.plate, self.title, self.role, *self.links, self.known, self.badge]
        self.inside.append(self.whom)
        super().__init__(self.plate, *self.heard, *self.inside[1:])
        self.add(self.blank, *self.chips, self.what, self.answer)

    def _put_sentence(self, fact: Sequence[str], answer: str, stage: Region) -> Region:
        """Place the chips and what says that this is a story; return what is left for the box."""
        low = Region(stage.left, stage.right, stage.bottom, stage.bottom + 0.22 * stage.height)
        self.row = TokenRow([*fact, answer], low, largest=TITLE_SIZE)
        *self.chips, self.answer = self.row.chips
        self.badge = Words("(a story)", size=HEADING_SIZE, role=QUIET)
        self.badge.move_to((stage.center[0], stage.top, 0), UP)
        room = stage.below(self.badge, GAP)
        self.is_level = self.row.lines == 1  # else arcs, and a box, would cross another line
        if self.is_level:
            self.row.align_to((0, stage.bottom, 0), DOWN)
            room = room.raised(self.row.height + HEARD + GAP)
        else:
            self.row.align_to((0, room.top, 0), UP)
            room = stage.below(self.row, HEARD)
        self.blank = Ring(self.answer, role=QUIET)
        self.what = Words("?", size=TITLE_SIZE).move_to(self.blank)
        return room

    def hear(self, number: int) -> Verb:
        """Return how the last chip hears so many of the first ones."""
        each = map(Draw, self.heard) if self.heard else map(Pulse, self.chips)
        return Flow(list(each)[:number])

    def bring(self) -> Verb:
        """Return how the name comes to the last chip."""
        come = ComeFrom(self.whom, VGroup(*self.chips[: self.named]), SLOW, bow=self.rise)
        return Then(self.hear(self.named), Together(come, Disappear(*self.heard)))

    def enter(self, cell: VMobject) -> Verb:
        """Return how the name goes on, into the plate, and the detector's cell fires for it."""
        come = Shift(self.whom, by=self.place - self.whom.get_center())
        late = [] if self.is_level else [Appear(self.role, self.title)]
        return Then(come, *late, Draw(self.links[0], run_time=QUICK), Undim(cell), Pulse(cell))

    def tell(self) -> Verb:
        """Return how what is known comes out of the plate."""
        known = Draw(self.links[1], run_time=QUICK), Appear(self.known)
        told = ComeFrom(self.answer, self.known, fit=False), Disappear(self.what)
        return Then(*known, Together(told))

    def _put_inside(self, whom: Chip, known: Chip) -> None:
        """Place what is seen in the large box."""
        self.whom, self.known = whom, known
        self.title = Words("MLP", size=HEADING_SIZE, role=OUTPUT)
        self.title.move_to(self.plate.get_top() + 3 * GAP * DOWN)
        self.seat, self.role = Square(SEAT), Words("a detector", size=SPOKEN_SIZE)
        known.plate.set_fill(theme.mix(theme.color(OUTPUT), theme.color(BACKGROUND), TINT))
        whom.plate.set_fill(theme.color(BACKGROUND))
        is_high = self.plate.height > self.plate.width
        along = DOWN if is_high else RIGHT
        card = VGroup(whom, self.seat, known).arrange(
            along, buff=(10 if self.is_level else 5) * GAP
        )
        area = area_of(self.plate).inset(2 * GAP)
        if self.is_level:  # beside what comes out of the detector there is room
            self.title.move_to((area.left, area.top, 0), LEFT + UP)
        else:
            area = area.below(self.title, GAP)
        if self.is_level or not is_high:  # its role stands over a detector
            area = area.lowered(self.role.height + GAP)
        area.fit(card)
        self.role.next_to(self.seat, RIGHT if is_high else UP)
        self.place = whom.get_center()
        ends = [
            (one.get_edge_center(along), other.get_edge_center(-along))
            for one, other in pairwise(card)
        ]
        pairs = zip(ends, (POSITIVE, OUTPUT), strict=True)
        self.links = [link(*pair, role) for pair, role in pairs]

    def _plate(self, width: float, height: float) -> Rounded:
        plate = Rounded(corner_radius=2 * CORNER, width=width, height=height)
        return plate.set_fill(theme.color(PANEL), 1).set_stroke(theme.color(OUTPUT), BOLD_LINE)


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
