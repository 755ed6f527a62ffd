"""Guesses at what comes next: a gauge for each, and which of them turns out to be right.

guesses = Guesses([(" bird", share), ...], right=0, tracks=tracks, sizes=(28, 28), stacked=True)
yield guesses.open(), guesses.grow()
yield guesses.mark(chip)                       # the next word comes to its name, its meter is lit
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup, VMobject
from manim.constants import DL, DOWN, LEFT, RIGHT, UP, UR
from manim.typing import Point3D

from scenes import theme
from scenes.mobjects.bars import percentage, set_slab, slab
from scenes.mobjects.text import Glyphs
from scenes.mobjects.tokens import Chip, cut_to
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, POSITIVE, QUIET, SLOW, STEADY, THIN_LINE
from scenes.verbs import (
    Appear,
    ComeFrom,
    Disappear,
    Fade,
    Flow,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    Vary,
    Verb,
)

LOW = 0.35  # of a word above its bar, in ems: letters reach down as far


class Gauge(VGroup):
    """A share of one as a bar in a track, a region, its word before it and a percentage after it.

    If it is `stacked`, the word stands over the track's left end and the percentage under it.
    Parts: `word`, `track`, `bar` and `number`; `size` is the numeral's font size.
    """

    def __init__(
        self, word: Glyphs, value: Value, track: Region, size: float, *, stacked: bool = False
    ) -> None:
        self.word, self.value, self.size = word, value, size
        self.track, self.bar = slab(opacity=0.0), slab()
        self.track.set_stroke(theme.color(QUIET), THIN_LINE, 1.0)
        self.bar.set_fill(theme.color(POSITIVE), 1.0)
        set_slab(self.track, (track.left, track.bottom, track.right, track.top))
        self.number = percentage(value, size)
        if stacked:
            self.number.next_to(self.track, DOWN, buff=HAIR, aligned_edge=LEFT)
            word.next_to(self.track, UP, aligned_edge=LEFT)
            word.shift(UP * (track.top + LOW * word.em - word.baseline))
        else:
            self.number.next_to(self.track, RIGHT, buff=GAP)
            word.next_to(self.track, LEFT, buff=GAP)
        super().__init__(word, self.track, self.bar, self.number)
        self.fill_to(value.number)

    def fill_to(self, share: float) -> None:
        """Let the bar fill a share of its track, wherever that stands."""
        (left, low, _), (right, high, _) = self.track.get_corner(DL), self.track.get_corner(UR)
        end = left + max(share, 1e-3) * (right - left)
        set_slab(self.bar, (float(left), float(low), float(end), float(high)))

    def fill(self, start: float, end: float) -> Verb:
        """Return how the bar goes from one share to another."""
        seen = Fade(self.bar, to=1.0) if end > start else Hold()
        return Together(seen, Vary(self.fill_to, start, end))

    def open(self) -> Verb:
        """Return how the empty track comes in with its word."""
        return Fade(self.word, self.track, to=1.0)

    def tell(self) -> Verb:
        """Return how the bar comes to its own share, and the percentage comes in."""
        return Together(self.fill(0, self.value.number), Appear(self.number))


class Guesses(VGroup):
    """What is bet on what comes next: a gauge for each token; `answer` is the right one's name.

    `sizes` are those of the names and of the percentages; `way` leads to where the right bet
    stands once it is alone.
    """

    way: Point3D

    def __init__(
        self,
        bets: Sequence[tuple[str, Value]],
        right: int,
        tracks: Sequence[Region],
        sizes: tuple[float, float],
        *,
        stacked: bool,
    ) -> None:
        widest = tracks[0].width if stacked else float("inf")
        self.gauges = [
            Gauge(cut_to(piece, sizes[0], widest), share, track, sizes[1], stacked=stacked)
            for (piece, share), track in zip(bets, tracks, strict=True)
        ]
        for gauge in self.gauges if stacked else ():
            gauge.number.shrink_to(widest).align_to(gauge.track, LEFT)
        self.lit = self.gauges[right]
        self.answer = self.lit.word.copy().set_role(ACCENT)
        self.lit.number.set_role(ACCENT)
        self.lit_body = VGroup(self.answer, self.lit.track, self.lit.bar, self.lit.number)
        super().__init__(*self.gauges, self.answer)

    def rivals(self) -> tuple[list[VMobject], list[VMobject]]:
        """Return the names, and the meters with their tracks, of all bets but the right one."""
        others = [gauge for gauge in self.gauges if gauge is not self.lit]
        meters = [part for gauge in others for part in (gauge.track, gauge.bar)]
        return [gauge.word for gauge in others], meters

    def open(self) -> Verb:
        """Return how the names and empty meters come in."""
        return Flow(gauge.open() for gauge in self.gauges)

    def grow(self) -> Verb:
        """Return how all meters fill."""
        return Together(gauge.fill(0, gauge.value.number) for gauge in self.gauges)

    def empty(self) -> Verb:
        """Return how all meters empty."""
        return Together(gauge.fill(gauge.value.number, 0) for gauge in self.gauges)

    def mark(self, chip: Chip) -> Verb:
        """Return how the next word comes to its name in the chart, and lights its meter."""
        arrive = Disappear(self.lit.word, run_time=HAIR), Recolor(self.lit.bar, role=ACCENT)
        return Together(ComeFrom(self.answer, chip.label), Then(Hold(STEADY), Together(arrive)))

    def come_to(self, start: float, end: float) -> Verb:
        """Return how the meter of the right bet comes from one share to another."""
        return Vary(self.lit.fill_to, start, end, run_time=SLOW)

    def name_it(self) -> Verb:
        """Return how the right bet is pointed at."""
        return Pulse(self.answer, run_time=STEADY)
