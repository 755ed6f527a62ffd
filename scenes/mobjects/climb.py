"""How a chance rises step by step, and what two kinds of steps bring. It knows no model.

climb = Climb(chances, region)
yield Flow(map(Appear, climb.stops))                # attention and an MLP, layer by layer
yield Vary(climb.rise, 0, len(climb.stops), SLOW)       # each adds its part to one bar
yield Vary(climb.part, 0, 1)                        # there each kind gathers on its side
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.bars import percentage
from scenes.mobjects.fit import eased
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    OUTPUT,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STRONGEST_FILL,
    THIN_LINE,
    TITLE_SIZE,
    VALUE,
    Role,
)
from scenes.verbs import Appear, Disappear, Then, Together, Vary, Verb

Floats = NDArray[np.float64]

THICK = 0.6  # scene units, of a bar of shares
LINE, LINES = 0.7, 4  # scene units, a line of words; how many there are
TINY = 1e-9
LEAST = 0.5  # the chance that fills a bar, at least
BAR, STOP, WIDE = 0.5, 0.3, 0.8  # of the height beside lines, a bar and a stop; of its room, a stop


class Shares(VGroup):
    """Two shares of one whole as parts of a bar: attention's and the MLPs'. `words` name them."""

    def __init__(
        self,
        shares: tuple[Value, Value],
        title: str,
        stage: Region,
        y: float,
        thick: float = THICK,
    ) -> None:
        cut = stage.left + float(np.clip(shares[0].number, 0, 1)) * stage.width
        self.boxes = [
            (stage.left, y - thick / 2, cut, y + thick / 2),
            (cut, y - thick / 2, stage.right, y + thick / 2),
        ]
        self.segments = [_slab(*each) for each in zip(self.boxes, (VALUE, OUTPUT), strict=True)]
        names = zip(("attention {:.0%}", "MLP {:.0%}"), shares, (VALUE, OUTPUT), strict=True)
        self.words = [Words(text, share, size=TITLE_SIZE, role=role) for text, share, role in names]
        sides = (stage.left, LEFT), (stage.right, RIGHT)
        for words, (x, side) in zip(self.words, sides, strict=True):
            words.move_to((x, y + thick / 2 + GAP + words.height / 2, 0), side)
        self.title = Words("{}", title, size=SPOKEN_SIZE, role=QUIET)
        self.title.move_to((stage.left, y - thick / 2 - HAIR, 0), LEFT + UP)
        self.parts = [
            self.title,
            *(VGroup(*pair) for pair in zip(self.segments, self.words, strict=True)),
        ]
        super().__init__(*self.segments, *self.words, self.title)


class Climb(VGroup):
    """The chance of the fact's answer after each step: of attention and of an MLP, layer by layer.

    Parts: `stops`, one for each step, and `ends`, what is told under them; `steps`, which leave
    them for one bar and are as long there as what each adds; `whole`, that bar's outline, and what
    it measures, the `chance`; its `values` after each step, of which the `last` stays; `kinds`, the
    names of both, under the bar, where each gathers on its side; and `sources`, from where each
    takes what it adds.
    """

    def __init__(self, chances: Sequence[Value], region: Region) -> None:
        numbers = np.array([chance.number for chance in chances], dtype=np.float64)
        roles, count = [VALUE, OUTPUT] * (len(chances) // 2), len(chances) - 1
        high = region.height - LINES * LINE
        thick, pitch, foot = BAR * high, region.width / count, region.bottom + LINE
        y = region.top - LINE - thick / 2
        ends = region.left + numbers * region.width / max(LEAST, float(numbers.max()))
        left = region.left + (np.arange(float(count)) + (1 - WIDE) / 2) * pitch
        self._stops = _boxes(left, foot, left + WIDE * pitch, foot + STOP * high)
        self._bars = _boxes(ends[:-1], y - thick / 2, ends[1:], y + thick / 2)
        self._gains = np.diff(numbers).tolist()
        self._parted = self._gathered(np.diff(numbers).clip(0.0))
        self._aside = np.zeros_like(self._bars)  # under the bar, where attention's steps pass by
        self._aside[::2, 1::2] = -min(thick, y - thick / 2 - foot - STOP * high)
        self.kinds = _at_both_ends(("attention", "MLP steps"), region, y - thick / 2 - GAP)
        low = min(float(words.get_bottom()[1]) for words in self.kinds)
        told = "from other words", "with their weights"
        self.sources = _at_both_ends(told, region, low - GAP)
        self.stops, self.steps = (
            [_slab(*pair) for pair in zip(self._stops, roles, strict=True)] for _ in range(2)
        )
        self.whole = Rectangle(width=region.width, height=thick).move_to((region.center[0], y, 0))
        self.whole.set_stroke(theme.color(QUIET), THIN_LINE)
        self.last = percentage(chances[-1], TITLE_SIZE)
        self.last.next_to((ends[-1], y + thick / 2, 0), UP, buff=GAP)
        region.hold(self.last)
        self.values = [percentage(chance, TITLE_SIZE) for chance in chances[1:-1]]
        for value in self.values:
            value.shrink_to(float(self.last.width)).move_to(self.last.get_right(), RIGHT)
        self.values.append(self.last)
        self.chance = Words("measured: the chance of basketball", size=SPOKEN_SIZE, role=QUIET)
        before = self.last.get_left()[0] - GAP - region.left
        after = region.right - self.last.get_right()[0] - GAP
        self.chance.next_to((region.left, y + thick / 2, 0), UP, buff=GAP)
        if before >= min(after, self.chance.width):
            self.chance.shrink_to(before).align_to((region.left, 0, 0), LEFT)
        else:
            self.chance.shrink_to(after).next_to(self.last, RIGHT, buff=GAP)
        legend = (
            ("first block:", QUIET),
            ("attention", VALUE),
            ("MLP", OUTPUT),
            ("last block", QUIET),
        )
        *first, last = (Words(text, size=SPOKEN_SIZE, role=role) for text, role in legend)
        start = VGroup(*first).arrange(RIGHT, buff=GAP, aligned_edge=DOWN)
        self.ends = VGroup(start, last)
        for name, x in zip(self.ends, (region.left, region.right), strict=True):
            name.move_to((x, foot - LINE / 2, 0))
            region.hold(name)
        super().__init__(*self.stops, self.ends, self.whole, *self.steps, self.last, self.chance)
        self.add(*self.kinds, *self.sources, *self.values[:-1])

    def rise(self, place: float) -> None:
        """Let so many steps, and a share of the next, leave their stops for the bar."""
        ways = eased(place - np.arange(float(len(self.steps))))[:, None]
        self._draw((1 - ways) * self._stops + ways * self._bars)

    def tell(self, least: float, most: float) -> Verb:
        """Let each step join the bar, and say how far it reaches; what adds more takes longer.

        All that a chance can gain takes `most` seconds, and all steps take `least` more.
        """
        found = list[Verb]()
        for at, gain in enumerate(self._gains):
            pace = min(QUICK, least / len(self._gains)) + most * max(gain, 0.0)
            old = Disappear(*self.values[:at][-1:], run_time=QUICK / 3)
            found.append(Together(Vary(self.rise, at, at + 1, pace, linear), old))
            found.append(Appear(self.values[at], run_time=HAIR))
        return Then(*found)

    def part(self, share: float) -> None:
        """Let the steps in the bar come apart: attention's to the left, the MLPs' to the right."""
        over = float(eased(np.array(2 * share - 0.5)))
        out = float(eased(np.array(4 * min(share, 1 - share))))
        self._draw((1 - over) * self._bars + over * self._parted + out * self._aside)

    def _draw(self, boxes: Floats) -> None:
        for step, box in zip(self.steps, boxes, strict=True):
            step.points = rectangles(*box)

    def _gathered(self, sizes: Floats) -> Floats:
        """Return boxes end to end, first attention's, then the MLPs'; all fill what they filled."""
        found, (start, end) = self._bars.copy(), (self._bars[0, 0], self._bars[-1, 2])
        ends = np.cumsum([0.0, *sizes[::2], *sizes[1::2]])
        places = start + ends / max(float(ends[-1]), TINY) * (end - start)
        lows, highs, count = places[:-1], places[1:], len(sizes[::2])
        found[::2, 0], found[::2, 2] = lows[:count], highs[:count]
        found[1::2, 0], found[1::2, 2] = lows[count:], highs[count:]
        return found


def _boxes(left: Floats, low: float, right: Floats, high: float) -> Floats:
    """Return boxes, (n, 4), of one height."""
    return np.stack([left, np.full_like(left, low), right, np.full_like(left, high)], axis=1)


def _slab(box: Sequence[float] | Floats, role: Role) -> Filled:
    return Filled(rectangles(*box), role, STRONGEST_FILL)


def _at_both_ends(told: Sequence[str], region: Region, top: float) -> list[Words]:
    """Return what is told of attention, at the left, and of MLPs, at the right."""
    pairs = zip(told, (VALUE, OUTPUT), strict=True)
    found = [Words(text, size=TITLE_SIZE, role=role) for text, role in pairs]
    for words, x, side in zip(found, (region.left, region.right), (LEFT, RIGHT), strict=True):
        words.shrink_to(region.width / 2 - GAP).move_to((x, top, 0), side + UP)
    return found
