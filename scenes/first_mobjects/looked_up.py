"""A row taken out of a table, over its numbers. It knows nothing of the table."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import DOWN, LEFT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fly, Unfold
from scenes.first_mobjects.tokens import Chip, TokenRow
from scenes.first_mobjects.vector import Vector
from scenes.mobjects.text import Words
from scenes.presence import hide
from scenes.region import Region
from scenes.theme import GAP, HAIR


class LookedUp(VGroup):
    """A row taken out of the table: its tiles over its numbers, and the token that it is for."""

    def __init__(self, tiles: VGroup, vector: Vector, chip: Chip) -> None:
        self.tiles, self.vector, self.chip = tiles, vector, chip
        tiles.next_to(vector, UP, buff=HAIR).set_x(vector.middle)
        chip.next_to(vector, LEFT, buff=GAP)
        self.frame = VGroup(*(part for part in vector if part not in vector.numbers))
        super().__init__(tiles, vector, chip)

    def slide_out(self, row: VGroup) -> Animation:
        """Let the tiles come out of a row of the table to where they stand."""
        return Unfold(self.tiles, row)

    def read_out(self) -> Animation:
        """Let each number come out of its tile."""
        drops = map(Fly, self.vector.numbers, self.tiles)
        return Together([Appear(self.chip), Appear(self.frame), one_after_another(drops)])


class TwoTexts(VGroup):
    """What is looked up for one token in a text and in the same text turned round, and a note.

    It is made unseen; `row` are the chips of the text turned round, under all the rest.
    """

    def __init__(
        self, pieces: Sequence[str], found: tuple[LookedUp, LookedUp], note: Words, region: Region
    ) -> None:
        self.row = TokenRow(pieces[::-1], region.width)
        self.first, self.second = found
        self.note = note
        super().__init__(self.first, note, self.second, self.row)
        self.arrange(DOWN, buff=2.5 * GAP).move_to(region.center)
        hide(self)

    def turn(self, row: TokenRow) -> Animation:
        """Let the chips of a row come down and change sides."""
        # The outermost go first: no chip flies over one that has come to rest.
        middle = (len(self.row) - 1) / 2
        order = sorted(range(len(self.row)), key=lambda place: -abs(place - middle))
        return one_after_another(Fly(self.row[i], row[-1 - i]) for i in order)
