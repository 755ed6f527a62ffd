"""Every prefix of a sentence with the token that follows it, one a line. It knows no model."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import RIGHT

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear
from scenes.mobjects.text import Glyphs, Number, Words, decimals_for, em_of, visible
from scenes.presence import hide
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    BODY_SIZE,
    GAP,
    HAIR,
    INK,
    QUIET,
    SLOW,
    SMALL_SIZE,
    SMALLEST_SIZE,
)

LINE = 1.55  # from one line to the next, in ems
HEADS = 1.6  # of a line, kept for the names of the columns
NUMBER_ROOM = 1.3  # for the chance behind each line, in scene units
SPACE = 0.6  # between a prefix and the token after it, in ems
ELLIPSIS = "…"


class PrefixLadder(VGroup):
    """The prefixes of `pieces`; the token after each stands out, with how likely it was.

    `chances[i]` is the probability of token i + 1 after the prefix that ends with token i. What
    follows the whole sentence nobody knows: a question mark. A prefix that would not be legible
    loses its first tokens. All is unseen until it is revealed.
    """

    def __init__(self, pieces: Sequence[str], chances: Sequence[Value], region: Region) -> None:
        step, width = region.height / (len(pieces) + HEADS), region.width - NUMBER_ROOM - GAP
        whole = Words("{}", _read(pieces) + " ?", size=BODY_SIZE)
        size = min(BODY_SIZE, step / LINE / em_of(1), 0.95 * BODY_SIZE * width / whole.width)
        self.size = max(size, SMALLEST_SIZE)
        self.step = min(step, LINE * em_of(self.size))
        self.prefixes = [self._prefix(pieces, end, width) for end in range(1, len(pieces) + 1)]
        self.answers = [self._answer(pieces, end) for end in range(1, len(pieces) + 1)]
        decimals = decimals_for(chances, 2)
        self.chances = [Number(chance, decimals, self.size) for chance in chances]
        head = Words("probability that the model gives it", size=self._head_size(), role=QUIET)
        self.head = head
        self._arrange(region, width)
        super().__init__(self.head, *self.prefixes, *self.answers, *self.chances)
        hide(self)

    def reveal_prefixes(self) -> Animation:
        """Let the prefixes come in, each one token longer than the one above."""
        return one_after_another(map(Appear, self.prefixes))

    def reveal_answers(self) -> Animation:
        """Let the token after each prefix come in, and what stands for the unknown one."""
        return one_after_another(map(Appear, self.answers))

    def reveal_chances(self) -> Animation:
        """Let the probability of each of these tokens come in."""
        if not self.chances:
            return Together([])
        return Together([Appear(self.head), one_after_another(map(Appear, self.chances), SLOW)])

    def _head_size(self) -> float:
        return max(SMALLEST_SIZE, min(SMALL_SIZE, self.size))

    def _prefix(self, pieces: Sequence[str], end: int, width: float) -> Words:
        """Return as many of the last tokens of a prefix as leave room for the token after it."""
        after = _read(pieces[end : end + 1])
        for first in range(end):
            text = (ELLIPSIS if first else "") + _read(pieces[first:end])
            if Words("{}", text + " " + after, size=self.size).width < width or first == end - 1:
                return Words("{}", text.strip(), size=self.size, role=QUIET)
        raise ValueError("A sentence has at least one token.")

    def _answer(self, pieces: Sequence[str], end: int) -> Words:
        if end == len(pieces):
            return Words("?", size=self.size, role=QUIET)
        piece = pieces[end]
        return Words("{}", visible(piece.lstrip(" ") or piece), size=self.size, role=INK)

    def _arrange(self, region: Region, width: float) -> None:
        widest = max(
            answer.width + prefix.width + 2 * HAIR
            for prefix, answer in zip(self.prefixes, self.answers, strict=True)
        )
        widest = min(widest, width)
        left = region.center[0] - (widest + NUMBER_ROOM + GAP) / 2
        top = region.center[1] + (len(self.prefixes) + HEADS) * self.step / 2
        right = left + widest + NUMBER_ROOM + GAP
        for place, (prefix, answer) in enumerate(zip(self.prefixes, self.answers, strict=True)):
            y = top - (place + HEADS) * self.step
            _write(prefix, left, y)
            _write(answer, float(prefix.get_right()[0]) + SPACE * prefix.em, y)
            if place < len(self.chances):
                _write(self.chances[place], right - self.chances[place].width, y)
        self.head.move_to((right, top - 0.4 * self.step, 0), aligned_edge=RIGHT)


def _read(pieces: Sequence[str]) -> str:
    """Return tokens as running text: a leading space is a space, nothing else is unseen."""
    return "".join(" " * (len(p) - len(p.lstrip(" "))) + visible(p.lstrip(" ")) for p in pieces)


def _write(text: Glyphs, left: float, y: float) -> None:
    """Set a text, as it was made, with its left edge and its baseline somewhere."""
    text.shift((left - text.get_left()[0], y, 0))
