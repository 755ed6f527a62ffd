"""A text's bytes as cells in lines; where they merge, the cells close up. It knows no tokenizer.

letters = Letters(characters, runs, words, film.stage, order=gaps)
yield Vary(letters.merge_to, 0, len(gaps))      # merge after merge; what has merged is coloured
yield Vary(letters.part_to, 0, 1)               # runs move apart
pair = Block((" t", "he"), cell=0.5, color=tint(0))     # two pieces, which `merge_to` glues
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from manim import DashedLine, Rectangle, VGroup, VMobject
from manim.constants import LEFT, RIGHT
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import rounded
from scenes.mobjects.text import TokenText, em_of
from scenes.mobjects.tokens import BASELINE, tint
from scenes.mobjects.typesetting import has_glyphs
from scenes.mobjects.vector import ellipsis
from scenes.presence import set_fill
from scenes.region import Region
from scenes.theme import ACCENT, BOLD_LINE, CORNER, FAINTEST_FILL, GAP, HAIR, LEAST_SIZE, QUIET

LARGEST = 3.5  # scene units, of a cell's width
HEIGHT, PITCH = 1.2, 1.45  # of a cell, and from line to line, in widths of a cell
ROOM, EM = 0.76, 0.76  # for a letter, and its em, in widths of a cell
SLIT, SEAM = 0.09, 0.02  # between cells, and where merged ones overlap, in widths of a cell
TIGHT = 0.2  # of its width, by which a cell comes nearer to one with which it merges
APART = 0.5  # between runs that have moved apart, in widths of a cell
LISTED, DOTS = 0.6, 0.3  # scene units, a cell of what is listed, at most; what follows
BOX = 32  # points of a box's outline

Character: TypeAlias = tuple[int, int, str]  # its first byte, the one after its last, its text
Span: TypeAlias = tuple[int, int]
Floats: TypeAlias = NDArray[np.float64]


class Letters(VGroup):
    """Cells, one a byte, as large as a region allows; a character stands over its bytes.

    `runs` are the spans of bytes that merge, `words` those that stay on one line if they can;
    `order` lists the gaps in the order in which they close (gap i follows byte i), `whole` those
    that are closed from the start; `colors` are the runs' #RRGGBB, or "" for one that stays grey.
    With `tints`, runs are single bytes, and the piece that each gap of the order makes takes its
    own #RRGGBB as that gap closes.
    `runs[i]` holds the cells of run i, as one path, and its
    letters. Letters never become smaller than is legible, so that a long text may be larger than
    its region. A character that no font has is shown by its bytes.
    """

    def __init__(
        self,
        characters: Sequence[Character],
        runs: Sequence[Span],
        words: Sequence[Span],
        region: Region,
        *,
        order: Sequence[int] = (),
        whole: Sequence[int] = (),
        largest: float = LARGEST,
        colors: Sequence[str] = (),
        tints: Sequence[str] = (),
    ) -> None:
        self.spans, self.tints = list(runs), list(tints)
        self.order = np.array(order, dtype=int)
        drawn = [part for character in characters for part in _drawable(*character)]
        lines, self.cell = _best_lines(words, region, largest, _least_cell(drawn))
        self.middles, self.line = _places(lines, self.cell, region.center)
        self.closed = np.zeros(max(len(self.middles) - 1, 0))
        self.closed[list(whole)] = 1
        self._whole, self.apart = self.closed.copy(), 0.0
        self._run = np.searchsorted([end for _, end in runs], np.arange(runs[-1][1]), "right")
        self.cells = [VMobject(stroke_width=0, fill_opacity=1) for _ in runs]
        self.colors = list(colors) or [tint(place) for place in range(len(runs))]
        self.grey = theme.mix(theme.color(QUIET), theme.current().background, FAINTEST_FILL)
        self.letters = [
            (start, end, _letter(text, end - start, self.cell)) for start, end, text in drawn
        ]
        self._outlines = [  # with the middle of the cells at the origin
            each.points - (each.get_x(), each.baseline + BASELINE * each.em, 0)
            for *_, each in self.letters
        ]
        own = [self.line[start:end] == self.line[start] for start, end, _ in self.letters]
        self._over = np.zeros((len(self.letters), len(self.middles)))  # bytes by letters over them
        for row, (start, end, _), same in zip(self._over, self.letters, own, strict=True):
            row[start:end] = same / same.sum()
        self.runs = [
            VGroup(cell, *(each for _, end, each in self.letters if self._run[end - 1] == run))
            for run, cell in enumerate(self.cells)
        ]
        super().__init__(*self.runs)
        self.merge_to(0)

    def merge_to(self, count: float) -> None:
        """Close the first `count` gaps of the order; a gap may be closed in part.

        A run takes its colour as its last gap closes, and one without any as the last of all does.
        """
        shares = np.clip(count - np.arange(len(self.order)), 0.0, 1.0)
        self.closed = self._whole.copy()
        self.closed[self.order] = np.maximum(self.closed[self.order], shares)
        colors = self._of_pieces(shares) if self.tints else self._of_runs(shares)
        for cell, color in zip(self.cells, colors, strict=True):
            set_fill(cell, color)
        self.draw()

    def _of_runs(self, shares: Floats) -> list[str]:
        """Return the runs' colours while the gaps of the order are closed by some shares."""
        runs, found = self._run[self.order], list[str]()
        for run, color in enumerate(self.colors):
            own = shares[runs == run]
            share = float(np.min(own if len(own) else shares[-1:])) if len(shares) else 1.0
            found.append(theme.mix(color or self.grey, self.grey, share))
        return found

    def _of_pieces(self, shares: Floats) -> list[str]:
        """Return the bytes' colours: the piece that each gap makes takes its tint."""
        colors = [self.grey] * len(self.cells)
        closed = self._whole > 0
        for gap, color, share in zip(self.order, self.tints, shares.tolist(), strict=True):
            closed[gap] = True
            first = gap + 1 - int(np.argmin(np.append(closed[gap::-1], False)))
            last = gap + int(np.argmin(np.append(closed[gap:], False)))
            for place in range(first, last + 1) if share else ():
                colors[place] = theme.mix(color, colors[place], share)
        return colors

    def part_to(self, share: float) -> None:
        """Move the runs of a line apart, by a share of the whole way."""
        self.apart = share
        self.draw()

    def put(self, center: Point3D) -> None:
        """Let the middle of all cells stand at a point."""
        self.middles += center - (self.middles.min(axis=0) + self.middles.max(axis=0)) / 2
        self.draw()

    def draw(self) -> None:
        """Draw cells and letters as far as gaps are closed and runs apart."""
        middles = self._moved()
        fused = self.closed * (np.diff(self.line) == 0)
        left, right = np.append(0.0, fused), np.append(fused, 0.0)
        open_, shut = self.cell * (1 - SLIT) / 2, self.cell * (1 - TIGHT) / 2
        tall = np.full(len(middles), self.cell * HEIGHT / 2)
        boxes = np.stack(
            [
                middles[:, 0] - (1 - left) * open_ - left * shut,
                middles[:, 1] - tall,
                middles[:, 0] + (1 - right) * open_ + right * (shut + SEAM * self.cell),
                middles[:, 1] + tall,
            ],
            axis=1,
        )
        corner = min(CORNER, self.cell / 4)
        around = rounded(boxes, corner * (1 - left), corner * (1 - right))
        for (start, end), cell in zip(self.spans, self.cells, strict=True):
            cell.points = around[BOX * start : BOX * end]
        places = self._over @ middles
        for place, outline, (*_, letter) in zip(places, self._outlines, self.letters, strict=True):
            letter.points = outline + place

    def place(self, start: int, end: int) -> Region:
        """Return the box of a run of bytes as it stands now, as far as its first line goes."""
        middles = self._moved()[start:end][self.line[start:end] == self.line[start]]
        half = np.array([self.cell * (1 - SLIT), self.cell * HEIGHT]) / 2
        low, high = middles[0, :2] - half, middles[-1, :2] + half
        return Region(float(low[0]), float(high[0]), float(low[1]), float(high[1]))

    def ring(self, start: int, end: int) -> Ring:
        """Return a ring around a run of bytes; it ends where a wide letter beside it begins."""
        place, line = self.place(start, end), self.line[start]
        beside = [x for at, _, x in self.letters if at == end and self.line[at] == line]
        right = min([place.right, *(letter.get_left()[0] - HAIR / 2 for letter in beside)])
        box = Rectangle(width=right - place.left, height=place.height)
        return Ring(box.move_to(((place.left + right) / 2, place.center[1], 0)))

    def cut(self, at: int) -> DashedLine:
        """Return a dashed line through the gap before a byte."""
        before, after = self.place(at - 1, at), self.place(at, at + 1)
        x, over = (before.right + after.left) / 2, min(self.cell / 2, 2 * theme.GAP)
        ends = (x, before.top + over, 0), (x, before.bottom - over, 0)
        return DashedLine(*ends, stroke_width=2 * BOLD_LINE, color=theme.color(ACCENT))

    def _moved(self) -> Floats:
        """Return the cells' middles: merged cells nearer, runs as far apart as they are now."""
        moved = self.middles.copy()
        steps = np.append(0.0, self.apart * APART * np.diff(self._run) - TIGHT * self.closed)
        for line in np.unique(self.line):
            here = np.flatnonzero(self.line == line)
            shifts = np.cumsum(np.where(here == here[0], 0.0, steps[here])) * self.cell
            moved[here, 0] += shifts - shifts[-1] / 2
        return moved


class Block(Letters):
    """A text as wide as its letters, in parts that are whole, and are glued wherever it stands."""

    def __init__(self, parts: Sequence[str], cell: float, color: str = "") -> None:
        text, ends = "".join(parts), np.cumsum([len(part) for part in parts])
        gaps = range(len(text) - 1)
        super().__init__(
            [(i, i + 1, character) for i, character in enumerate(text)],
            [(0, len(text))],
            [(0, len(text))],
            Region(0, cell * len(text), 0, 2 * cell),
            order=[gap for gap in gaps if gap + 1 in ends],
            whole=[gap for gap in gaps if gap + 1 not in ends],
            colors=[color],
        )

    def merge_to(self, count: float) -> None:
        """Close the first `count` gaps between parts, where it stands now."""
        center = self.get_center()
        super().merge_to(count)
        self.move_to(center)


def listed(texts: Sequence[Sequence[str]], region: Region) -> tuple[float, VGroup, VMobject]:
    """Return blocks in a row, the width of their cells, and dots after them: more is to follow."""
    free = region.width - GAP * len(texts) - DOTS
    cell = min(LISTED, free / sum(len(part) for parts in texts for part in parts))
    row = VGroup(*(Block(parts, cell) for parts in texts)).arrange(RIGHT, buff=GAP)
    row.move_to(region.center).shift((GAP + DOTS) / 2 * LEFT)
    return cell, row, ellipsis(row.get_right() + (GAP + DOTS / 2) * RIGHT, DOTS * RIGHT)


def _letter(text: str, number: int, cell: float) -> TokenText:
    """Return a character as large as its bytes' cells allow, and never too small to read."""
    size = max(LEAST_SIZE, EM * cell / em_of(1))
    letter = TokenText(text, size)
    room = ROOM * number * cell
    return (
        letter
        if letter.width <= room
        else TokenText(text, max(LEAST_SIZE, size * room / letter.width))
    )


def _drawable(start: int, end: int, text: str) -> list[Character]:
    if has_glyphs(text):
        return [(start, end, text)]
    places = enumerate(text.encode(), start)
    return [(place, place + 1, f"⟨{byte:02X}⟩") for place, byte in places]


def _least_cell(characters: Sequence[Character]) -> float:
    """Return the narrowest cell in which all characters are legible and stand apart."""
    widths = [TokenText(text, LEAST_SIZE).width / (end - start) for start, end, text in characters]
    return max(em_of(LEAST_SIZE) / EM, max(widths) / (1 - TIGHT))


def _best_lines(
    words: Sequence[Span], region: Region, largest: float, least: float
) -> tuple[list[list[int]], float]:
    """Return the bytes of each line, and the widest cell at which all fits a region.

    Words are broken only where letters would not be legible otherwise, in cells of `least`.
    """
    longest = max(end - start for start, end in words)
    lines, cell = _widest_cell(words, region, longest, largest)
    if cell < least:
        lines, cell = _widest_cell(words, region, 1, largest)
    if cell < least:
        lines, cell = _filled(words, max(1, int(region.width / least))), least
    return lines, cell


def _widest_cell(
    words: Sequence[Span], region: Region, least: int, largest: float
) -> tuple[list[list[int]], float]:
    """Return the best lines among those with room for `least` bytes or more, and their cell."""
    best: tuple[list[list[int]], float] = [], 0.0
    for most in range(least, words[-1][1] + 1):
        lines = _filled(words, most)
        across = region.width / max(map(len, lines))
        down = region.height / (PITCH * (len(lines) - 1) + HEIGHT)
        cell = min(largest, across, down)
        if cell > best[1] + 1e-9 or (cell > best[1] - 1e-9 and len(lines) < len(best[0])):
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
) -> tuple[Floats, NDArray[np.int_]]:
    """Return the middle of every byte's cell, (B, 3), and the line it stands in, (B,)."""
    middles, numbers = [], []
    for number, line in enumerate(lines):
        y = ((len(lines) - 1) / 2 - number) * PITCH * cell
        for place in range(len(line)):
            middles.append(center + ((place - (len(line) - 1) / 2) * cell, y, 0))
            numbers.append(number)
    return np.array(middles), np.array(numbers)
