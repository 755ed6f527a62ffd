"""A text's bytes as cells in lines; where bytes are merged, their boxes close up.

It knows spans of bytes, and no tokenizer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.animations import Change
from scenes.first_mobjects.numbers import Numbers
from scenes.first_mobjects.outlines import rounded
from scenes.mobjects.text import TokenText, em_of, widest
from scenes.mobjects.typesetting import has_glyphs
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    BOLD_LINE,
    CORNER,
    HAIR,
    INK,
    QUIET,
    SMALL_SIZE,
    SMALLEST_SIZE,
    STEADY,
    Role,
)

WIDEST = 0.66  # scene units, of a cell
HEIGHT, PITCH = 1.15, 2.0  # of a box, and from line to line, in widths of a cell
ROOM = 0.78  # for a letter, in widths of a cell
DROP = 0.9  # from a cell's middle to that of a number under it, in widths of a cell
EM = 0.7  # of the letters, in widths of a cell
SLIT = 0.09  # between boxes, in widths of a cell
LAP = 0.004  # scene units by which closed boxes reach into each other
BOX_FILL = 0.22
LIGHT = 0.12  # opacity that is added where boxes have closed up
CLOSING = 0.5  # seconds that one gap takes to close

Character = tuple[int, int, str]  # its first byte, the one after its last, and its text
Span = tuple[int, int]


class Letters(VGroup):
    """B cells, one a byte, as large as `region` allows; a character stands over its bytes.

    `words` are the spans of bytes that stay on one line where they fit, `whole` the gaps that are
    closed from the start. A text whose letters would
    be illegible raises `ValueError`. It stands where it was made; `letters[i]` is the text of
    character i, `spans[i]` the bytes that it takes. A character that no font has is shown by its
    bytes, as tokens show bytes.
    """

    def __init__(
        self,
        characters: Sequence[Character],
        words: Sequence[Span],
        region: Region,
        whole: Sequence[int] = (),
    ) -> None:
        lines, self.cell = _lines_that_fit(words, region)
        if EM * self.cell < em_of(SMALLEST_SIZE):
            raise ValueError("The text is too long to be shown letter by letter.")
        self.middles, self.line = _places(lines, self.cell, region.center)
        self.closed = np.zeros(len(self.middles) - 1)
        self.closed[list(whole)] = 1
        self.boxes = VMobject(stroke_width=0, fill_color=theme.color(QUIET), fill_opacity=BOX_FILL)
        drawn = [part for character in characters for part in _drawable(*character)]
        self.spans = [(start, end) for start, end, _ in drawn]
        self.letters = [self._letter(*part) for part in drawn]
        self.light = VMobject(stroke_width=0, fill_color=theme.color(INK), fill_opacity=LIGHT)
        self.ground = VGroup(self.boxes, self.light)
        super().__init__(self.ground, *self.letters)
        self.draw()

    def draw(self) -> None:
        """Draw the boxes as far as their gaps are closed."""
        closed = self.closed * (np.diff(self.line) == 0)
        left, right = np.append(0, closed), np.append(closed, 0)
        half, lap = self.cell * (1 - SLIT) / 2, self.cell * SLIT / 2 + LAP
        middle, tall = self.middles[:, 0], self.cell * HEIGHT / 2
        ends = np.stack([middle - half - lap * left, middle + half + lap * right])
        level = np.stack([self.middles[:, 1] - tall, self.middles[:, 1] + tall])
        corners = CORNER * (1 - left), CORNER * (1 - right)
        self.boxes.points = rounded(np.stack([ends[0], level[0], ends[1], level[1]], 1), *corners)
        # Light spreads over a cell from the side on which it closes up.
        span = (ends[1] - ends[0]) * np.maximum(left, right)
        ends = np.where(left >= right, [ends[0], ends[0] + span], [ends[1] - span, ends[1]])
        lit = span > 0
        box = np.stack([ends[0], level[0], ends[1], level[1]], 1)[lit]
        self.light.points = rounded(box, corners[0][lit], corners[1][lit])

    def close(self, gaps: Sequence[int], run_time: float = STEADY) -> CloseGaps:
        """Let gaps close one after another; gap i lies between bytes i and i + 1."""
        return CloseGaps(self, gaps, run_time)

    def numbers(self, values: Mapping[float, Value], role: Role = QUIET) -> VGroup:
        """Make numbers under bytes, or under the gap after one (2.5), a path a line.

        There are none where they would be illegible.
        """
        longest = widest(values.values(), 0) if values else np.inf
        size = min(SMALL_SIZE, (self.cell - HAIR / 2) / longest / em_of(1))
        if size < SMALLEST_SIZE:
            return VGroup()
        lines: dict[float, list[float]] = {}
        for byte in values:
            lines.setdefault(float(self._under(byte)[1]), []).append(byte)
        return VGroup(
            Numbers([values[i] for i in line], [self._under(i) for i in line], size, role)
            for line in lines.values()
        )

    def _under(self, byte: float) -> Point3D:
        first, last = int(np.floor(byte)), int(np.ceil(byte))
        ends = self.middles[[first, last if self.line[first] == self.line[last] else first]]
        return np.array(ends.mean(axis=0) + DOWN * self.cell * DROP)

    def ring(self, spans: Sequence[Span]) -> VMobject:
        """Make the outlines around runs of bytes, all in one path."""
        rows = [self._box(*part) for span in spans for part in self._on_one_line(*span)]
        ring = VMobject(stroke_color=theme.color(INK), stroke_width=BOLD_LINE)
        if not rows:
            return ring
        corners = np.full(len(rows), CORNER)
        ring.points = rounded(np.array(rows), corners, corners)
        return ring

    def box(self, start: int, end: int) -> tuple[float, float, float, float]:
        """Return the box (left, bottom, right, top) of a run of bytes, as far as one line goes."""
        return self._box(*self._on_one_line(start, end)[0])

    def color_of(self, start: int, end: int) -> str:
        """Return the #RRGGBB of the box of a run of bytes, lighter where a gap has closed."""
        box = theme.mix(theme.color(QUIET), theme.current().background, BOX_FILL)
        is_lit = bool(self.closed[start : end - 1].any())
        return theme.mix(theme.color(INK), box, LIGHT) if is_lit else box

    def _box(self, start: int, end: int) -> tuple[float, float, float, float]:
        half = np.array([self.cell * (1 - SLIT), self.cell * HEIGHT]) / 2
        low, high = self.middles[start, :2] - half, self.middles[end - 1, :2] + half
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def _on_one_line(self, start: int, end: int) -> list[Span]:
        cuts = [start, *(np.flatnonzero(np.diff(self.line[start:end])) + start + 1), end]
        return list(pairwise(cuts))

    def _letter(self, start: int, end: int, text: str) -> TokenText:
        size = EM * self.cell / em_of(1)
        letter = TokenText(text, size)
        room = ROOM * (end - start) * self.cell
        if letter.width > room:
            letter = TokenText(text, max(SMALLEST_SIZE, size * room / letter.width))
        part = self._on_one_line(start, end)[0]
        middle = self.middles[part[0] : part[1]].mean(axis=0)
        return letter.set_x(middle[0]).shift((0, middle[1] - 0.26 * letter.em, 0))


class CloseGaps(Change):
    """Boxes close up, gap after gap, each in its own half second."""

    def __init__(self, letters: Letters, gaps: Sequence[int], run_time: float) -> None:
        super().__init__(letters.ground, run_time=run_time)
        self.letters, self.gaps = letters, list(gaps)
        self.share = min(1.0, CLOSING / run_time)
        self.starts = np.linspace(0, 1 - self.share, len(self.gaps))

    def interpolate(self, alpha: float) -> None:
        """Close each gap as far as its time, within 0 to 1, has come."""
        for gap, start in zip(self.gaps, self.starts, strict=True):
            self.letters.closed[gap] = self.eased((alpha - start) / self.share)
        self.letters.draw()


def _drawable(start: int, end: int, text: str) -> list[Character]:
    if has_glyphs(text):
        return [(start, end, text)]
    places = enumerate(text.encode(), start)
    return [(place, place + 1, f"⟨{byte:02X}⟩") for place, byte in places]


def _lines_that_fit(words: Sequence[Span], region: Region) -> tuple[list[list[int]], float]:
    """Return the bytes of each line, and the widest cell at which they all fit.

    Words are broken only where the letters would be illegible otherwise.
    """
    longest = max(end - start for start, end in words)
    whole = _widest_cell(words, region, longest)
    return whole if EM * whole[1] >= em_of(SMALLEST_SIZE) else _widest_cell(words, region, 1)


def _widest_cell(
    words: Sequence[Span], region: Region, least: int
) -> tuple[list[list[int]], float]:
    """Return the best lines among those with room for `least` bytes or more, and their cell."""
    best: tuple[list[list[int]], float] = [], 0.0
    for most in range(least, words[-1][1] + 1):
        lines = _filled(words, most)
        longest = max(map(len, lines))
        cell = min(WIDEST, region.width / longest, region.height / (PITCH * len(lines)))
        if cell > best[1] or (cell == best[1] and len(lines) < len(best[0])):
            best = lines, cell
    return best


def _filled(words: Sequence[Span], most: int) -> list[list[int]]:
    """Fill lines of at most `most` bytes; only a word that is longer than a line is broken."""
    lines: list[list[int]] = [[]]
    for start, end in words:
        if len(lines[-1]) + end - start > most and lines[-1]:
            lines.append([])
        for byte in range(start, end):
            if len(lines[-1]) == most:
                lines.append([])
            lines[-1].append(byte)
    return lines


def _places(
    lines: Sequence[Sequence[int]], cell: float, center: Point3D
) -> tuple[NDArray[np.float64], NDArray[np.int_]]:
    """Return the middle of every byte's cell, shape (B, 3), and the line it stands in, (B,)."""
    middles, numbers = [], []
    for number, line in enumerate(lines):
        y = ((len(lines) - 1) / 2 - number) * PITCH * cell
        for place in range(len(line)):
            x = (place - (len(line) - 1) / 2) * cell
            middles.append(center + (x, y, 0))
            numbers.append(number)
    return np.array(middles), np.array(numbers)
