"""A vector for each token, as a column under it or a row of numbers beside it. Knows no model."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from manim import Animation, VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Show
from scenes.first_mobjects.brackets import bracket_pair
from scenes.first_mobjects.matrix import WeightMatrix, three_dots
from scenes.first_mobjects.tokens import Chip, TokenRow
from scenes.first_mobjects.vector import Vector
from scenes.mobjects.text import TokenText, em_of, widest
from scenes.provenance import Tensor, transposed
from scenes.region import Region
from scenes.theme import HAIR, INK, NUMBER_SIZE, SLOW

TALLEST_LINE = 0.7  # scene units
EM_BY_LINE = 0.6  # a number's em, as a share of its line
BRACKETS = 0.55  # the room that they take beside a row, in scene units
CLOSER = 0.08  # scene units by which those of a column stand nearer to it
TILE = 0.36  # the height of a tile's place, in scene units
WIDEST_TILE, NARROWEST_TILE = 0.6, 0.25
MOST_TILES = 12


def under_tokens(values: Tensor, row: TokenRow, region: Region) -> Columns | Rows:
    """Return a column under each token of a row; rows beside their names if there is no room."""
    chips = [chip for chip in row if isinstance(chip, Chip)]
    if len({chip.get_y() for chip in chips}) == 1:
        centers = [float(chip.get_x()) for chip in chips]
        with suppress(ValueError):
            columns = Columns(values, centers, (region.left, region.right), region.height)
            columns.set_y(float(region.center[1]))
            return columns
    return Rows(values, [chip.piece for chip in chips], region)


class Columns(VGroup):
    """A column of tiles for each vector of (T, D), its middle near `centers[t]`; W_E's colours.

    The first entries, an ellipsis and the last one; no taller than `height` scene units. Columns
    move aside where their tokens stand too close; `ValueError` if there is no room between `ends`.
    """

    def __init__(
        self, values: Tensor, centers: Sequence[float], ends: tuple[float, float], height: float
    ) -> None:
        brackets = BRACKETS - 2 * CLOSER
        places = _apart(centers, NARROWEST_TILE + brackets, ends)
        rooms = [b - a for a, b in pairwise(places)]
        rooms += [2 * (places[0] - ends[0]), 2 * (ends[1] - places[-1])]
        most = min(MOST_TILES, int(height / TILE))
        pitch = min(WIDEST_TILE, min(rooms) - brackets), TILE
        entries_down = transposed(values)
        tiles = WeightMatrix(entries_down, pitch, (most, len(values)))
        super().__init__(*(_column(tiles, token, x) for token, x in enumerate(places)))

    def reveal(self) -> Animation:
        """Let every column run down from its token."""
        return one_after_another(
            Together([Show(brackets), one_after_another(map(Appear, entries), SLOW)])
            for brackets, *entries in self.submobjects
        )


def _column(tiles: WeightMatrix, token: int, x: float) -> VGroup:
    column = tiles.column(token)
    if tiles.is_elided:
        before, last = column[-2].get_y(), column[-1].get_y()
        column.insert(-1, three_dots((column.get_x(), (before + last) / 2), (0, TILE / 4)))
    column.set_x(x)
    opening, closing = bracket_pair(column, INK)
    brackets = VGroup(opening.shift(RIGHT * CLOSER), closing.shift(LEFT * CLOSER))
    return VGroup(brackets, *column)


def _apart(centers: Sequence[float], least: float, ends: tuple[float, float]) -> list[float]:
    """Return places at least so far apart, each as near to its centre as the others allow."""
    first, last = ends[0] + least / 2, ends[1] - least / 2
    if last - first < least * (len(centers) - 1):
        raise ValueError("There is no room for so many columns.")
    places = [max(center, first) for center in centers]
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + least)
    places[-1] = min(places[-1], last)
    for i in range(len(places) - 1, 0, -1):
        places[i - 1] = min(places[i - 1], places[i] - least)
    return places


class Rows(VGroup):
    """For each vector of (T, D) its token's text and its numbers, on a line of its own."""

    def __init__(self, values: Tensor, pieces: Sequence[str], region: Region) -> None:
        line = min(TALLEST_LINE, region.height / len(pieces))
        size = min(NUMBER_SIZE, EM_BY_LINE * line / em_of(1))
        names = [TokenText(piece, size) for piece in pieces]
        room = region.width - max(name.width for name in names) - BRACKETS - 2 * HAIR
        pitch = (
            widest([value for row in values for value in row.values], 2) * em_of(size) + 2 * HAIR
        )
        most = max(3, int(room / pitch))
        lines = []
        for place, (name, vector) in enumerate(zip(names, values, strict=True)):
            numbers = Vector(vector.values, pitch, size=size, most=most)
            numbers.move_to(DOWN * place * line)
            name.next_to(numbers.brackets, LEFT, buff=HAIR).set_y(numbers.get_y() - 0.25 * name.em)
            lines.append(VGroup(name, numbers))
        super().__init__(*lines)
        self.move_to(region.center)

    def reveal(self) -> Animation:
        """Let the rows come in one after another."""
        return one_after_another(map(Appear, self.submobjects))
