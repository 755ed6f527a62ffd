"""A text's tokens as chips, in a row, on several lines or in a column. It knows no model.

row = TokenRow(film.tokens, film.stage)     # as large as fits, in the middle of a region
row.chips[3].plate, row.chips[3].label      # the parts of a chip
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN, PI, RIGHT, UP

from scenes import theme
from scenes.mobjects.fit import number_format, text_size
from scenes.mobjects.outlines import Rounded
from scenes.mobjects.text import Number, TokenText, em_of
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    CORNER,
    GAP,
    HAIR,
    KEY,
    LEAST_SIZE,
    NEGATIVE,
    OUTPUT,
    PANEL,
    PLAIN_SIZE,
    POSITIVE,
    QUERY,
    SPOKEN_SIZE,
    TITLE_SIZE,
    VALUE,
)

PADDING = 0.35  # either side of a chip's text, in ems
NARROWEST = 0.5  # room for a text, in ems
CHIP_HEIGHT = 1.6  # in ems
BASELINE = 0.26  # of a text, below the middle of its chip, in ems
CAP = 0.66  # the height of a digit, in ems
HUES = ((QUERY, KEY), (ACCENT, OUTPUT), (KEY, POSITIVE), (VALUE, NEGATIVE))
TINT = 0.42  # of a hue, upon the background
CARD_WIDTH, CARD_SHAPE = 6.0, 0.85  # scene units, of the widest card; its height by its width
CARD_NUMBER = 2 * SPOKEN_SIZE  # of the number on a card, at most
COLUMN, COLUMN_HIGH = 0.42, 0.7  # of a region's width; of its height, at least
LEVEL = 24  # font size: if words would have to be smaller, their chips stand on end
HIGHEST = 1.9  # scene units, such a chip
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class Chip(VGroup):
    """A token's text on a quiet rounded plate.

    Texts of several chips stand on one baseline when the chips' plates are level. A text wider
    than `widest` scene units is cut, and ends in an ellipsis.
    """

    def __init__(
        self,
        piece: str,
        size: float = SPOKEN_SIZE,
        widest: float = float("inf"),
    ) -> None:
        self.piece = piece
        em = em_of(size)
        self.label = cut_to(piece, size, widest - 2 * PADDING * em)
        self.plate = Rounded(
            corner_radius=CORNER,
            width=plate_width(self.label.width / em) * em,
            height=CHIP_HEIGHT * em,
            stroke_width=0,
            fill_color=theme.color(PANEL),
            fill_opacity=1,
        )
        self.label.set_x(0).shift(DOWN * BASELINE * em)
        super().__init__(self.plate, self.label)

    def put(self, text: TokenText) -> None:
        """Let another token's text stand on the plate."""
        self.remove(self.label)
        self.label = text
        self.add(text)


class TokenRow(VGroup):
    """Chips in reading order in the middle of a region, as large as fits, at most `largest`.

    They stand on as few lines as keep them at `PLAIN_SIZE` or larger; `lines` asks for a number
    of lines, as many as there are tokens for a column. `row.chips[i]` is the chip of token i,
    `row.rows[i]` the chips of a line, `row.size` the font size.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        region: Region,
        *,
        largest: float = SPOKEN_SIZE,
        lines: int = 0,
        gap: float = HAIR,
    ) -> None:
        counts = [lines] if lines else range(1, len(pieces) + 1)
        sizes = {count: _size_on(pieces, count, region, largest, gap) for count in counts}
        best = max(sizes.values())
        self.lines = next(n for n, size in sizes.items() if size >= min(PLAIN_SIZE, best))
        self.size = max(sizes[self.lines], LEAST_SIZE)
        self.chips = [Chip(piece, self.size, widest=region.width) for piece in pieces]
        super().__init__(*self.chips)
        self.rows = [
            VGroup(*(self.chips[i] for i in line)).arrange(RIGHT, buff=gap)
            for line in _in_lines(_widths(pieces), self.lines)
        ]
        VGroup(*self.rows).arrange(DOWN, buff=gap).move_to(region.center)

    def others(self, *tokens: int) -> list[Chip]:
        """Return the chips of all tokens but some."""
        return [chip for place, chip in enumerate(self.chips) if place not in tokens]


class TokenCards(VGroup):
    """The numbers of tokens on cards in reading order, as large as a region allows.

    Under each number stands the piece that it is the number of; `colors` are the plates' #RRGGBB,
    `columns` is how many stand on a line, if that is not to be found out.
    The parts, by place: `cards[i]` with `plates[i]`, `numbers[i]`, `names[i]`.
    """

    def __init__(
        self,
        numbers: Sequence[Value],
        pieces: Sequence[str],
        region: Region,
        colors: Sequence[str] = (),
        columns: int = 0,
    ) -> None:
        columns, width, height = _card_size(len(numbers), region, columns)
        size = text_size(pieces, width - 2 * GAP, SPOKEN_SIZE)
        form = number_format(numbers, (width, height / 2), CARD_NUMBER, 0)
        self.numbers = [Number(value, 0, form.size) for value in numbers]
        self.names = [cut_to(piece, size, width - GAP) for piece in pieces]
        self.plates = [
            Rounded(
                corner_radius=CORNER,
                width=width - HAIR,
                height=height - HAIR,
                stroke_width=0,
                fill_color=color or theme.color(PANEL),
                fill_opacity=1,
            )
            for color in colors or [""] * len(pieces)
        ]
        self.cards = list(map(VGroup, self.plates, self.numbers, self.names))
        for plate, number, name in zip(self.plates, self.numbers, self.names, strict=True):
            line = height / 7 - CAP * number.em / 2
            number.set_x(plate.get_x()).shift(UP * (line - number.baseline))
            name.set_x(plate.get_x()).shift(DOWN * (height / 3 + name.baseline))
        super().__init__(*self.cards)
        rows = [self.cards[at : at + columns] for at in range(0, len(pieces), columns)]
        lines = VGroup(*(VGroup(*row).arrange(RIGHT, buff=HAIR) for row in rows))
        lines.arrange(DOWN, buff=HAIR).move_to(region.center)


def line_or_column(pieces: Sequence[str], region: Region) -> TokenRow:
    """Return chips on one line at the top of a region, or where that is too narrow, in a column.

    The column stands in the left part of the region, `COLUMN` of its width, and is not crowded.
    """
    line = TokenRow(pieces, region, largest=TITLE_SIZE, lines=1)
    if not region.is_narrow and line.width <= region.width + HAIR / 2:
        line.align_to((0, region.top, 0), UP)
        return line
    left, _ = region.columns(COLUMN)
    pitch = COLUMN_HIGH * region.height / max(1, len(pieces) - 1)
    gap = max(HAIR, pitch - CHIP_HEIGHT * em_of(TITLE_SIZE))
    return TokenRow(pieces, left, largest=TITLE_SIZE, lines=len(pieces), gap=gap)


def chips_in(pieces: Sequence[str], pitch: float, least: float = LEVEL) -> list[Chip]:
    """Return the chips of tokens `pitch` apart; they stand on end where that is too small."""
    size = text_size(pieces, pitch - GAP - HAIR, SPOKEN_SIZE)
    if size >= least:
        return [Chip(piece, size, widest=pitch - HAIR) for piece in pieces]
    size = max(text_size(pieces, HIGHEST - GAP - HAIR, SPOKEN_SIZE), LEVEL)
    size = min(size, (pitch - HAIR / 2) / (CHIP_HEIGHT * em_of(1)))
    return [Chip(piece, size, widest=HIGHEST).rotate(PI / 2) for piece in pieces]


def tint(place: int) -> str:
    """Return the quiet #RRGGBB of the token at a place: neighbours differ, four come in turn.

    The hues lie between those of roles, so that none of them means what a role means.
    """
    one, other = HUES[place % len(HUES)]
    hue = theme.mix(theme.color(one), theme.color(other), 0.5)
    return theme.mix(hue, theme.current().background, TINT)


def plate_width(text: float) -> float:
    """Return the width of a chip for a text's width, both in ems."""
    return max(text, NARROWEST) + 2 * PADDING


def _card_size(number: int, region: Region, wanted: int) -> tuple[int, float, float]:
    """Return how many cards stand on a line, and the width and height that each has there."""
    sizes = []
    for columns in [wanted] if wanted else range(1, number + 1):
        lines = -(-number // columns)
        width = min(CARD_WIDTH, region.width / columns)
        height = min(CARD_SHAPE * width, region.height / lines)
        filled = number / (columns * lines)  # rather than a last line of few
        sizes.append((filled * min(width, height / CARD_SHAPE), columns, width, height))
    _, columns, width, height = max(sizes)
    return columns, width, height


def _in_lines(widths: Sequence[float], lines: int) -> list[list[int]]:
    """Return which chips stand on each of at most so many lines, the widest as narrow as can be."""
    ends = np.cumsum([0.0, *widths])
    runs = sorted({float(end - start) for start in ends for end in ends if end > start})
    return next(found for run in runs if len(found := _filled(widths, run + 1e-9)) <= lines)


def _filled(widths: Sequence[float], most: float) -> list[list[int]]:
    """Fill lines from the first on, each as far as `most` allows."""
    found: list[list[int]] = [[]]
    room = most
    for place, width in enumerate(widths):
        if width > room and found[-1]:
            found.append([])
            room = most
        found[-1].append(place)
        room -= width
    return found


def _size_on(
    pieces: Sequence[str], lines: int, region: Region, largest: float, gap: float
) -> float:
    """Return the largest font size, up to `largest`, at which so many lines fit a region."""
    ems = _widths(pieces)
    across = min(
        (region.width - gap * (len(row) - 1)) / sum(ems[i] for i in row)
        for row in _in_lines(ems, lines)
    )
    down = (region.height - gap * (lines - 1)) / (CHIP_HEIGHT * lines)
    return float(min(largest, across / em_of(1), down / em_of(1)))


def _widths(pieces: Sequence[str]) -> list[float]:
    """Return the widths of the chips of pieces, in ems."""
    return [plate_width(TokenText(piece, 1).width / em_of(1)) for piece in pieces]


def cut_to(piece: str, size: float, widest: float) -> TokenText:
    """Return a token's text, its end cut off as far as it must be."""
    whole = TokenText(piece, size)
    for kept in range(len(piece) - 1, 0, -1):
        if whole.width <= widest:
            break
        whole = TokenText(piece[:kept] + ELLIPSIS, size)
    return whole
