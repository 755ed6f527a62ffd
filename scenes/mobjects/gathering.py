"""What each word gives to one, side by side, and what it adds up to. It knows no model.

gathered = Gathering(board, dots, at=1, sums=(rows, row), stage=stage)
yield map(ComeFrom, gathered.names, board.keys), Appear(*gathered.columns)
yield gathered.exchange((1, 4))         # two words change places, and the total stays
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeAlias

from manim import VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes import theme
from scenes.mobjects.attention_grid import AttentionGrid, Entries
from scenes.mobjects.fit import adding_decimals, text_size
from scenes.mobjects.text import Formula, TokenText, Words, label_of
from scenes.mobjects.vector import Vector
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, KEY, PLAIN_SIZE, QUIET, SPOKEN_SIZE, TITLE_SIZE
from scenes.verbs import MoveTo, Then, Together, Verb

WIDEST, LOW = 1.7, 0.62  # scene units, of an entry
GIVEN, ROOMY = 4, 0.9  # entries of a column; scene units, as wide as one with numerals
SMALLER = 0.7  # times as large, a dot, for columns to be larger
FREE = 0.16  # of the stage, above and below columns, for those that pass

Row: TypeAlias = Sequence[Value]


class Gathering(VGroup):
    """What each word gives to one, under its name and its dot, and what this adds up to.

    `sums` are what each gives and the total, of which a few entries are drawn that add up as they
    are written. Parts, by place: `names`, `dots` and `columns`; on their `right` the `sign` of
    equality, the `total`, what it is `told` to be, and a `note` of how many entries these are.
    """

    def __init__(
        self,
        board: AttentionGrid,
        dots: Entries,
        at: int,
        sums: tuple[Sequence[Row], Row],
        stage: Region,
    ) -> None:
        given, total = sums
        self.stage = stage
        self.pitch = min(WIDEST, stage.width / (len(given) + 1.75))
        larger, left = (
            self.pitch / board.side,
            stage.center[0] - (len(given) + 1.75) / 2 * self.pitch,
        )
        rows = (board.keys, 0), (dots.row(at), at)
        self.names, self.dots = (
            row.copy().scale(larger, about_point=board.center_of(query, 0)) for row, query in rows
        )
        for dot in self.dots:
            dot.scale(SMALLER)
        size = text_size(board.pieces, self.pitch - HAIR, TITLE_SIZE)
        if size >= PLAIN_SIZE:
            level = [TokenText(piece, size, KEY) for piece in board.pieces]
            self.names = VGroup(*(name.shift(name.baseline * DOWN) for name in level))
        *entries, decimals = _adding(given, total)
        high = max(self.dots.height, LOW)
        free = (1 - 2 * FREE) * stage.height - self.names.height - high - 2 * GAP
        whole, tall = [total[i] for i in entries], min(LOW, free / (len(entries) + 1))
        made = partial(
            Vector,
            room=(self.pitch, tall),
            upright=True,
            hollow=False,
            decimals=decimals,
            later=whole,
            largest=max(abs(row[i].number) for row in (*given, total) for i in entries),
            numerals=min(self.pitch, 2 * tall) > ROOMY,
        )
        self.columns = [made([row[i] for i in entries]) for row in given]
        self.sign, self.total = Formula("$=$", theme.HEADING_SIZE), made(whole)
        self.told = Words("{} gets", label_of(board.pieces[at]), size=SPOKEN_SIZE, role=ACCENT)
        self.told.shrink_to(1.4 * self.pitch)
        numbers = count(len(entries), "entries shown"), count(len(total), "entries of a value")
        self.note = Words("{} of {} numbers", *numbers, size=PLAIN_SIZE, role=QUIET)
        top = stage.center[1] + (self.names.height + high + self.total.height + 2 * GAP) / 2
        low = top - self.names.height - GAP - high / 2
        row = self.dots.shift((low - board.center_of(at, 0)[1]) * UP)
        row.shift((left + self.pitch / 2 - board.center_of(at, 0)[0]) * RIGHT)
        self.names.shift((top - self.names.get_top()[1]) * UP)
        self.names.shift((left + self.pitch / 2 - board.center_of(0, 0)[0]) * RIGHT)
        if size >= PLAIN_SIZE:
            for place, name in enumerate(self.names):
                name.set_x(left + (place + 0.5) * self.pitch)
        for place, column in enumerate((*self.columns, self.sign, self.total)):
            across = min(place + 0.5, len(given) + 0.375) + 0.875 * (column is self.total)
            column.move_to((left + across * self.pitch, low - high / 2 - GAP, 0), UP)
        self.sign.set_y(self.total.get_y())
        self.told.next_to(self.total, DOWN, buff=HAIR)
        self.note.next_to(self.told, DOWN, buff=HAIR)
        stage.hold(self.told)
        stage.hold(self.note)
        self.right = VGroup(self.sign, self.total, self.told, self.note)
        super().__init__(self.names, self.dots, *self.columns, self.right)

    def exchange(self, pair: tuple[int, int]) -> Verb:
        """Let two words change places with all that is theirs, small above and below the rest."""
        ways = list[Verb]()
        for at, to, side in zip(pair, pair[::-1], (1, -1), strict=True):
            part = VGroup(self.names[at], self.dots[at], self.columns[at])
            small, home = 0.9 * FREE * self.stage.height / part.height, part.get_center()
            aside = self.stage.center + side * (0.5 - FREE / 2) * self.stage.height * UP
            aside[0], by = home[0], (to - at) * self.pitch * RIGHT
            out, back = MoveTo(part, aside, scale=small), MoveTo(part, home + by, scale=1 / small)
            ways.append(Then(out, MoveTo(part, aside + by), back))
        return Together(ways)


def _adding(given: Sequence[Row], total: Row) -> list[int]:
    """Return the largest entries that add up with the fewest decimals, and how many these are."""
    parts = zip(*given, strict=True)
    places = [adding_decimals(each, whole.number) for each, whole in zip(parts, total, strict=True)]
    order = sorted(range(len(total)), key=lambda i: (places[i], -abs(total[i].number)))[:GIVEN]
    return [*sorted(order), max(places[i] for i in order)]
