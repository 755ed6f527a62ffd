"""Falling numbers as thin bars side by side, those that are nothing as dots. Knows no meaning."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from manim import Animation, Line, Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Change, Together
from scenes.arrivals import Appear
from scenes.first_mobjects.discs import Discs
from scenes.first_mobjects.outlines import rounded
from scenes.mobjects.text import Words
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import (
    HAIR,
    OUTPUT,
    QUIET,
    SLOW,
    SMALL_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
)

FILLED = 0.7  # of a bar's pitch
WIDEST_PITCH = 0.3  # scene units
DOT = 0.03  # radius of what is nothing, in scene units
LABEL_ROOM = 0.6  # above the bars and below them, in scene units


class Spectrum(VGroup):
    """Numbers that fall, none of them negative; the first `kept` are bars, the others dots.

    The first and the last of the bars have their numbers. It fills `region`; `title` stands at its
    upper left corner, `notes` tell under the bars and under the dots how many there are.
    """

    def __init__(self, values: Sequence[Value], kept: int, region: Region, title: Mobject) -> None:
        self.region = region
        self.pitch = min(WIDEST_PITCH, region.width / len(values))
        self.room = region.height - 2 * LABEL_ROOM
        largest = values[0].number or 1.0
        heights = np.array([self.room * value.number / largest for value in values])
        left = (np.arange(len(values)) + (1 - FILLED) / 2) * self.pitch
        boxes = np.stack([left, 0 * left, left + FILLED * self.pitch, heights], axis=1)
        self.bars = _Bars(boxes[:kept])
        self.dots = self._dots(kept, len(values))
        ends = (0, 0, 0), (self.pitch * len(values), 0, 0)
        self.base = Line(*ends, stroke_width=THIN_LINE, stroke_color=theme.color(QUIET))
        self.first, self.last = (_number(values[i]) for i in (0, kept - 1))
        self.first.next_to((0, heights[0], 0), UP, buff=HAIR).align_to(self.base, -RIGHT)
        top = (left[kept - 1], heights[kept - 1], 0)
        self.last.next_to(top, UP, buff=HAIR).align_to(
            (left[kept - 1] + max(self.pitch / 2, HAIR), 0, 0), -RIGHT
        )
        super().__init__(self.base, self.bars, self.dots, self.first, self.last)
        self.move_to(region.center)
        region.hold(self.last)
        self.title = title.next_to((0, region.top, 0), DOWN, buff=0).align_to(self, LEFT)
        self.notes = self._notes(values, kept)

    def _notes(self, values: Sequence[Value], kept: int) -> list[VGroup]:
        """Return what stands under the numbers that are kept, and under the others, if any."""
        many = count(kept, "singular values that are not zero")
        words = Words("{} are not zero", many, size=SMALL_SIZE, role=OUTPUT)
        notes = [self._bracket(words, 0, kept - 1)]
        if kept < len(values):
            rest = count(len(values) - kept, "singular values that are zero but for rounding")
            text = "{} are zero: none above {:.0e}"
            other = Words(text, rest, values[kept], size=SMALL_SIZE, role=QUIET)
            notes.append(self._bracket(other, kept, len(values) - 1))
            if words.get_right()[0] + HAIR > other.get_left()[0]:
                other.next_to(words, DOWN, buff=HAIR, coor_mask=UP)
        return notes

    def _bracket(self, words: Words, first: int, last: int) -> VGroup:
        """Return words under the places from `first` to `last`, with a line over them."""
        left = self.base.get_left() + RIGHT * self.pitch * first
        right = self.base.get_left() + RIGHT * self.pitch * (last + 1)
        drop = DOWN * 2 * HAIR
        apart = RIGHT * max(0.4 * self.pitch, min(HAIR / 2, 0.1 * float(right[0] - left[0])))
        line = Line(left + drop + apart, right + drop - apart, stroke_width=THIN_LINE)
        line.set_stroke(theme.color(QUIET))
        words.next_to(line, DOWN, buff=HAIR)
        self.region.hold(words)
        return VGroup(line, words)

    def _dots(self, first: int, last: int) -> Discs:
        """Return a dot at each place from `first` up to `last`, or as many as stand side by side.

        They keep within the first place and the last.
        """
        low, high = first * self.pitch, last * self.pitch
        many = last - first if self.pitch >= 2 * DOT else math.ceil((high - low) / (2 * DOT))
        inside = max(DOT, self.pitch / 2)
        across = np.linspace(low + inside, max(high - inside, low + inside), many)
        return Discs(np.stack([across, 0 * across + 2 * DOT], 1), np.full(many, DOT), QUIET)

    def reveal(self) -> Animation:
        """Let the bars grow and the dots come in."""
        parts = self.base, self.dots, self.first, self.last
        return Together([Grow(self.bars), *map(Appear, parts)])


class _Bars(VMobject):
    """Boxes (n, 4) on a common base as one path."""

    def __init__(self, boxes: np.ndarray) -> None:
        super().__init__(stroke_width=0, fill_color=theme.color(OUTPUT))
        self.set_fill(opacity=STRONGEST_FILL)
        corner = np.full(len(boxes), 0.0)
        self.points = rounded(boxes, corner, corner)


class Grow(Change):
    """A shape grows up from its base."""

    def __init__(self, shape: VMobject, run_time: float = SLOW) -> None:
        super().__init__(shape, run_time=run_time)

    def change(self, share: float) -> None:
        """Set the height."""
        low = self.shapes[0][:, 1].min()
        factor = np.array([1, max(share, 1e-3), 1])
        base = np.array([0, low, 0])
        self.mobject.points = base + (self.shapes[0] - base) * factor


def _number(value: Value) -> Words:
    return Words("{:.2f}", value, size=SMALL_SIZE)
