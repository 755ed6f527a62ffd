"""What each source gives, measured in two ways: names with two bars each. Knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.bar import SHORTEST, Bar
from scenes.first_mobjects.labels import size_for
from scenes.mobjects.text import TokenText, Words, em_of
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, LABEL_SIZE, NEGATIVE, OUTPUT, QUIET, SMALL_SIZE, Role

HIGHEST_ROW = 0.7  # scene units
HEADS_ROOM = 1.7 * em_of(SMALL_SIZE)
NAMES_SHARE = 0.22  # of the width, at most
THICKNESS = 0.5  # of a row's height


class SourceShares(VGroup):
    """A row for each token: its name, and a bar with its percentage in each of two columns.

    `columns` holds a head and the shares (1 is the whole) of every token; one that is negative
    is drawn in the colour of negative numbers, with its minus sign.
    """

    def __init__(
        self, pieces: Sequence[str], columns: Sequence[tuple[str, Sequence[Value]]], region: Region
    ) -> None:
        height = min(HIGHEST_ROW, (region.height - HEADS_ROOM) / len(pieces))
        largest = LABEL_SIZE * height / (1.35 * em_of(LABEL_SIZE))
        self.size = min(largest, size_for(pieces, NAMES_SHARE * region.width))
        self.names = VGroup(*(TokenText(piece, self.size) for piece in pieces))
        edge = max(name.width for name in self.names)
        for place, name in enumerate(self.names):
            name.shift(RIGHT * (edge - name.get_right()[0]))
            name.shift(UP * (-place * height - 0.25 * em_of(self.size)))
        room = (region.width - edge) / len(columns)
        self.rows = [VGroup(name) for name in self.names]
        self.heads = VGroup()
        for place, (head, shares) in enumerate(columns):
            left = edge + GAP + place * room
            role = INK if place == 0 else OUTPUT
            self._column(head, shares, (left, room - GAP, height), role)
        super().__init__(self.heads, *self.rows)
        self.move_to(region.center)

    def reveal(self) -> Animation:
        """Let the rows come in from the top."""
        return Together([Appear(self.heads), one_after_another(map(Appear, self.rows))])

    def _column(
        self, head: str, shares: Sequence[Value], place: tuple[float, float, float], role: Role
    ) -> None:
        left, room, height = place
        numbers = [Words("{:.0%}", share, size=self.size) for share in shares]
        longest = max(room - max(number.width for number in numbers) - HAIR, SHORTEST)
        largest = max(1.0, *(abs(share.number) for share in shares))
        for i, (row, number, share) in enumerate(zip(self.rows, numbers, shares, strict=True)):
            y = -i * height
            length = longest * abs(share.number) / largest
            sign = NEGATIVE if share.number < 0 else role
            bar = Bar(length, THICKNESS * height, role=sign)
            bar.next_to((left, y, 0), RIGHT, buff=0)
            number.shift(RIGHT * (bar.get_right()[0] + HAIR - number.get_left()[0]))
            number.shift(UP * (y - 0.25 * em_of(self.size)))
            row.add(bar, number)
        words = Words("{}", head, size=SMALL_SIZE, role=QUIET)
        words.next_to((left, 0.5 * height, 0), UP, buff=HAIR / 2).align_to((left, 0, 0), LEFT)
        self.heads.add(words)
