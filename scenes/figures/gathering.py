"""What two words and the rest give to one, tip to tail, and the sum. It knows no model.

gathered = Gathering(board, dots, at=0, given=shadows, pair=(1, 4), stage=stage)
yield map(ComeFrom, gathered.names, board.keys), gathered.give(0, STEADY)
yield gathered.exchange()               # two words change places, and the sum stays
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.attention_grid import AttentionGrid, Entries
from scenes.mobjects.fit import text_size
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import TokenText, Words, called, label_of
from scenes.region import Region, area_of
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    KEY,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
    VALUE,
    Role,
)
from scenes.verbs import Appear, Disappear, Fade, Pulse, Shift, Then, Together, Vary, Verb

Floats: TypeAlias = NDArray[np.float64]

WIDEST = 1.7  # scene units, from name to name
SMALLER = 0.7  # times as large, a dot, for arrows to have more room
THICK = 1.4  # times as thick as other arrows, what a word gives
FREE = 0.95  # scene units above names and below dots, for those that pass
SAMPLES = 24  # points on an arrow, from which names keep off
APART, CLEAR = (1, 2, 3), 0.25  # gaps from an arrow to its name; scene units, to all others
BOWS = 0.6, 0.95  # scene units, by which two names pass the others, and each other


class Gift(Arrow):
    """What words give: an arrow that grows from where those before it have led."""

    def __init__(self, role: Role = VALUE) -> None:
        super().__init__(theme.color(role))
        self.ends = np.zeros((2, 2))

    def grow(self, share: float) -> None:
        """Reach a share of its way."""
        start, end = self.ends
        self.point(start, start + share * (end - start), THICK)

    def come(self, run_time: float) -> Verb:
        """Return how it comes in, and grows from where those before it have led."""
        return Together(Fade(self, to=1.0, run_time=HAIR), Vary(self.grow, 0, 1, run_time))


class Gathering(VGroup):
    """What two words, and the rest between them, give to one: arrows from tip to tail.

    `given` (n, 2) are all words' arrows, whose sum lies to the right. Parts: `names` and `dots`, by
    place; up to three `arrows` with their `tags`: of the first of the `pair`, the rest and the
    other one; and their `total` with what it is `told` to be.
    """

    def __init__(
        self,
        grid: tuple[AttentionGrid, Entries],
        at: int,
        given: Floats,
        pair: tuple[int, int],
        stage: Region,
    ) -> None:
        rest = [place for place in range(len(given)) if place not in pair]
        self.givers = [each for each in ([pair[0]], rest, [pair[1]]) if each]
        self.given, self.pair = np.stack([given[each].sum(axis=0) for each in self.givers]), pair
        self.stage = stage
        self._cast_row(grid, at, stage)
        self.told = Words("what {} gets", called(grid[0].pieces[at]), size=TITLE_SIZE, role=ACCENT)
        low = area_of(self.dots).bottom - FREE
        room = Region(stage.left, stage.right, stage.bottom, low)
        room = room.raised(self.told.height + 3 * GAP).narrowed(2 * GAP, 2 * GAP)
        both = np.concatenate([self._starts(share) for share in (0, 1)])
        ends = np.concatenate([both, both + np.tile(self.given, (2, 1))])
        size = np.maximum(np.ptp(ends, axis=0), 1e-6)
        self.unit = min(room.width / size[0], room.height / size[1])
        self.origin = room.center[:2] - self.unit * (ends.min(axis=0) + size / 2)
        self.arrows = [Gift(QUIET if each is rest else VALUE) for each in self.givers]
        self.total = Gift(ACCENT)
        self.total.ends = self.origin + self.unit * np.stack([0 * given[0], given.sum(axis=0)])
        self.total.grow(1.0)
        one, other = (TokenText(label_of(grid[0].pieces[at]), SPOKEN_SIZE) for at in pair)
        self.tags: list[VMobject] = [one, other]
        self.tags[1:1] = [Words("the rest", size=SPOKEN_SIZE, role=QUIET)] if rest else []
        self.go(0.0)
        super().__init__(self.names, self.dots, *self.arrows, self.total, *self.tags, self.told)

    def give(self, part: int, run_time: float) -> Verb:
        """Return how one of the arrows comes in with its tag, while its words' dots swell."""
        dots = Pulse(*(self.dots[place] for place in self.givers[part]), run_time=run_time)
        return Together(dots, self.arrows[part].come(run_time), Appear(self.tags[part]))

    def go(self, share: float) -> None:
        """Stand in the first order (0), with the pair's places changed (1), or between."""
        now = self.origin + self.unit * self._starts(share)
        for arrow, start, way in zip(self.arrows, now, self.given, strict=True):
            arrow.ends = np.stack([start, start + self.unit * way])
            arrow.grow(1.0)
        named = VGroup()
        pairs = zip((*self.arrows, self.total), (*self.tags, self.told), strict=True)
        for arrow, tag in sorted(pairs, key=lambda each: -np.ptp(each[0].ends, axis=0).max()):
            named.add(tag.move_to((*self._beside(tag, arrow, named), 0)))

    def _beside(self, tag: VMobject, arrow: Gift, others: VGroup) -> Floats:
        """Return where an arrow's tag stands: on its far side, or where it is free.

        Farther away it stands only where it is near to other arrows, or to other tags.
        """
        start, end = arrow.ends
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        across, half = np.array([-way[1], way[0]]), _half(tag)
        far = across * (1 if ((start + end)[1] >= 2 * self.origin[1]) == (way[0] >= 0) else -1)
        up, above = np.array([0.0, 1.0]), half[1] + abs(end - start)[1] / 2
        offs = [(far, abs(across) @ half), (-far, abs(across) @ half), (up, above), (-up, above)]
        sides = [
            (start + end) / 2 + off * (near + apart * GAP) for apart in APART for off, near in offs
        ]
        low, high = self.stage.left + half[0], self.stage.right - half[0]
        for side in sides:
            side[0] = np.clip(side[0], low, high)
        rest = (each for each in (*self.arrows, self.total) if each is not arrow)
        places = [(np.linspace(each.ends[0], each.ends[1], SAMPLES), np.zeros(2)) for each in rest]
        places += [(each.get_center()[None, :2], _half(each)) for each in others]
        free = [
            min(float((abs(at - side) - half - far).max(axis=1).min()) for at, far in places)
            for side in sides
        ]
        clear = [at for at, room in enumerate(free) if room >= CLEAR]
        return np.asarray(sides[clear[0] if clear else int(np.argmax(free))])

    @property
    def told_on(self) -> Vector3D:
        """The side of the total on which it is told what it is."""
        return UP if self.told.get_y() > self.total.get_y() else DOWN

    def exchange(self) -> Verb:
        """Return how the pair changes places, and how arrows then lead to the same sum again."""
        ways = list[Verb]()
        for at, to, bow in zip(self.pair, self.pair[::-1], BOWS, strict=True):
            by = (to - at) * self.pitch
            ways.append(Shift(self.names[at], by=by * RIGHT, bow=bow * UP, run_time=STEADY))
            ways.append(Shift(self.dots[at], by=by * RIGHT, bow=bow * DOWN, run_time=STEADY))
        pairs = (zip(row, range(len(self.names)), strict=True) for row in (self.names, self.dots))
        rest = [each for row in pairs for each, at in row if at not in self.pair]
        gone = Disappear(*self.tags, self.told, *self.arrows, *rest, run_time=QUICK / 2)
        anew = (Together(arrow.come(QUICK), Appear(tag)) for arrow, tag in self._parts())
        turn = Vary(self.go, 0, 1, HAIR / 2)
        back = Together(Appear(*rest, run_time=QUICK / 2), turn)
        return Then(Together(*ways, gone), back, *anew, Appear(self.told))

    def _parts(self) -> list[tuple[Gift, VMobject]]:
        """Return arrows and tags, the last first."""
        return [*zip(self.arrows, self.tags, strict=True)][::-1]

    def _starts(self, share: float) -> Floats:
        """Return where arrows start, (arrows, 2), in one order (0), the other (1), or between."""
        before = np.cumsum(self.given, axis=0) - self.given
        after = self.given.sum(axis=0) - before - self.given
        return np.asarray((1 - share) * before + share * after)

    def _cast_row(self, grid: tuple[AttentionGrid, Entries], at: int, stage: Region) -> None:
        """Set names and dots in a row, apart from each other."""
        board, dots = grid
        pieces = board.pieces
        self.pitch = min(WIDEST, stage.width / (len(pieces) + 1))
        larger = self.pitch / board.side
        rows = (board.keys, 0), (dots.row(at), at)
        self.names, self.dots = (
            row.copy().scale(larger, about_point=board.center_of(query, 0)) for row, query in rows
        )
        size = text_size(pieces, self.pitch - HAIR, TITLE_SIZE)
        slanted = size < PLAIN_SIZE  # then they reach beyond their places, to the right
        left = stage.center[0] - (len(pieces) + slanted) / 2 * self.pitch
        if not slanted:
            level = [TokenText(piece, size, KEY) for piece in pieces]
            self.names = VGroup(*(name.shift(name.baseline * DOWN) for name in level))
        for dot in self.dots:
            dot.scale(SMALLER)
        top = stage.top - FREE
        low = top - self.names.height - GAP - self.dots.height / 2
        first = board.center_of(at, 0)
        self.dots.shift((left + self.pitch / 2 - first[0]) * RIGHT + (low - first[1]) * UP)
        self.names.shift((top - self.names.get_top()[1]) * UP)
        self.names.shift((left + self.pitch / 2 - board.center_of(0, 0)[0]) * RIGHT)
        over = max(0.0, float(self.names.get_right()[0]) - stage.right)
        free = max(0.0, float(self.names.get_left()[0]) - stage.left)
        VGroup(self.names, self.dots).shift(min(over, free) * slanted * LEFT)
        if not slanted:
            for place, name in enumerate(self.names):
                name.set_x(left + (place + 0.5) * self.pitch)


def _half(tag: VMobject) -> Floats:
    return np.array([tag.width, tag.height]) / 2
