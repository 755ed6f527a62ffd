"""The vocabulary as a long list that scrolls: ids and pieces, with gaps. It knows no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import Change, Together
from scenes.arrivals import Appear, Fade
from scenes.first_mobjects.plate import Plate
from scenes.mobjects.text import Number, TokenText, Words, em_of
from scenes.presence import hide, parts_of, presence
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, OUT_OF_PLAY, SMALLEST_SIZE, STEADY

PITCH = 1.75  # from row to row, in ems
MOST_SEEN = 6  # rows below the one at the top
ELLIPSIS = "⋮"


class VocabularyRow(VGroup):
    """An id and the piece that it stands for."""

    def __init__(self, index: Value, piece: str, size: float) -> None:
        self.id = Number(index, 0, size)
        self.piece = TokenText(piece, size)
        self.id.shift(LEFT * (self.id.get_right()[0] + GAP))
        self.piece.shift(RIGHT * (GAP - self.piece.get_left()[0]))
        super().__init__(self.id, self.piece)


class VocabularyList(VGroup):
    """Rows of (id, piece), rising; where ids are left out, an ellipsis. The ids end on one line.

    One row at a time stands at the top of `region`, so that its id is free to leave; as many of
    the next rows as have room there are seen, receding, but at most `MOST_SEEN`.
    """

    def __init__(
        self, entries: Sequence[tuple[Value, str]], region: Region, size: float = BODY_SIZE
    ) -> None:
        self.pitch = PITCH * em_of(size)
        self.reach = max(1, min(MOST_SEEN, int(region.height / self.pitch) - 1))
        self.place: dict[int, int] = {}
        rows: list[VGroup | Words] = []
        last = -1
        for value, piece in entries:
            if value.number > last + 1:
                rows.append(Words(ELLIPSIS, size=size))
            last = int(value.number)
            self.place[last] = len(rows)
            rows.append(VocabularyRow(value, piece, size))
        for place, row in enumerate(rows):
            row.shift(DOWN * place * self.pitch)
        super().__init__(*rows)
        middle = (self.get_left()[0] + self.get_right()[0]) / 2
        self.shift((region.center[0] - middle, region.top - self.pitch / 2, 0))
        self.at = 0.0
        hide(self)
        self._presences = [Fade(row, 1.0) for row in self]
        for fade in self._presences:
            fade.begin()  # from unseen: its share is the presence itself

    @property
    def first(self) -> int:
        """The smallest id; a vocabulary may begin later than at 0."""
        return min(self.place)

    def row(self, index: int) -> VocabularyRow:
        """Return the row of an id."""
        row = self[self.place[index]]
        assert isinstance(row, VocabularyRow)
        return row

    def scroll_to(self, index: int, run_time: float = STEADY) -> Scroll:
        """Let the list run until the row of an id stands at the top."""
        return Scroll(self, self.place[index], run_time)

    def stand_at(self, place: float, share: float = 1.0) -> None:
        """Show the rows around a place in the list, all of them by a share of full."""
        for index, fade in enumerate(self._presences):
            fade.change(share * _seen(index - place, self.reach))
        self.at = place


def _list_that_fits(
    entries: Sequence[tuple[Value, str]], region: Region, room: float
) -> VocabularyList:
    """Return the list in the middle of a region, its letters as large as `room` allows it.

    Letters do not become smaller than is legible.
    """
    found = VocabularyList(entries, region)
    if found.width <= room:
        return found
    return VocabularyList(entries, region, max(SMALLEST_SIZE, BODY_SIZE * room / found.width))


class LookUp(VGroup):
    """The list with a plate under the row at its top, and a note beside it or, if narrow, below.

    `lines` are those of the note.
    """

    def __init__(
        self, entries: Sequence[tuple[Value, str]], lines: Sequence[Words], region: Region
    ) -> None:
        self.note = VGroup(*lines).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        beside = 0.0 if region.is_narrow else self.note.width + 4 * GAP
        room = region.width - beside - 4 * GAP
        self.list = _list_that_fits(entries, region.raised(self.note.height + GAP), room)
        self.plate = Plate(self.list.width + 2 * GAP, self.list.pitch).move_to(self.list)
        self.plate.set_y(self.list.row(self.list.first).get_y())
        super().__init__(self.plate, self.note, self.list)
        if region.is_narrow:
            self.note.next_to((region.center[0], region.bottom, 0), UP, buff=0)
        else:
            self.note.next_to(self.plate, RIGHT, buff=4 * GAP)
            self.shift(LEFT * max(0.0, float(self.note.get_right()[0]) - region.right))

    def open(self) -> Together:
        """Let it come in with the first row at the top."""
        arrivals = Appear(self.plate), Appear(self.note)
        return Together([*arrivals, self.list.scroll_to(self.list.first)])


class Scroll(Change):
    """The list runs, and rows come into sight and go; the first time it comes in."""

    mobject: VocabularyList

    def __init__(self, rows: VocabularyList, place: int, run_time: float) -> None:
        super().__init__(rows, run_time=run_time)
        self.rows, self.end = rows, place

    def begin(self) -> None:
        """Remember where the list stands, and whether it has been seen."""
        self.start = self.rows.at
        self.is_new = all(presence(part) == 0 for part in parts_of(self.rows))
        super().begin()

    def change(self, share: float) -> None:
        """Set the place of the rows, and which of them are seen."""
        way = share * (self.end - self.start)
        self.stand(self.center + UP * way * self.rows.pitch, 1.0)
        self.rows.stand_at(self.start + way, share if self.is_new else 1.0)


def _seen(distance: float, reach: int) -> float:
    """Return the presence of a row so many rows below the one at the top."""
    places, presences = [-1, 0, 1, reach, reach + 1], [0, 1, OUT_OF_PLAY, OUT_OF_PLAY, 0]
    return float(np.interp(distance, places, presences))
