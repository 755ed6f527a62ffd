"""How a chance rises step by step, and which of two kinds brings it. It knows no model.

climb = Climb(chances, region)
yield Appear(climb.ground, *climb.names)   # attention and an MLP, layer by layer
yield Vary(climb.rise, 0, len(climb.steps), SLOW)       # each goes on from where the last one ends
yield climb.point(0, 1)                     # the steps of the second kind alone are in focus
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup, VMobject
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
    FAINTEST_FILL,
    GAP,
    HAIR,
    HEADING_SIZE,
    OUTPUT,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    STRONGEST_FILL,
    THIN_LINE,
    TITLE_SIZE,
    VALUE,
    Role,
)
from scenes.verbs import Appear, Dim, Disappear, Flow, Pulse, Then, Together, Undim, Vary, Verb

Floats = NDArray[np.float64]

THICK = 0.6  # scene units, of a bar of shares
LINE, TINY = 0.75, 1e-9  # scene units, a line of words
LEAST = 0.5  # the chance that is as high as there is room, at least
WIDE, SWELL = 0.92, 1.08  # of its room, a step; times as large, one that is pointed at
EARLY = 0.7  # of the highest level: stairs that come so far at once have a line for their values
SEEN = 0.02  # a rise that is large enough to be pointed at
SMALLEST = 26  # the size of a step's name, at least
KINDS = "attention", "MLP"


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

    Parts: `steps`, stairs from one chance to the next, a fall fainter than a rise; the `ground`
    under them; `names` of both kinds, under each step or, if there are too many, once; what is
    measured, the `chance`; and its `values` after each step, of which all stay that have room
    beside their neighbours, and the `last` in any case: these are `told`.
    """

    def __init__(self, chances: Sequence[Value], region: Region) -> None:
        numbers = np.array([chance.number for chance in chances], dtype=np.float64)
        roles, count = [VALUE, OUTPUT] * (len(chances) // 2), len(chances) - 1
        pitch, foot = region.width / count, region.bottom + LINE
        self.chance = Words("measured: the chance of basketball", size=SPOKEN_SIZE, role=QUIET)
        self.chance.shrink_to(region.width).move_to((region.left, region.top, 0), LEFT + UP)
        most = max(LEAST, float(numbers.max()))
        under = int(self.chance.width / pitch) + 1  # so many steps are under what is measured
        is_high = float(numbers[: under + 1].max()) > EARLY * most
        high = region.top - (2 if is_high else 1) * LINE - foot
        levels = foot + numbers / most * high
        left: Floats = region.left + (np.arange(float(count)) + (1 - WIDE) / 2) * pitch
        self._stairs = _boxes(left, levels[:-1], left + WIDE * pitch, levels[1:])
        gains = np.diff(numbers)
        self._gains = gains.tolist()
        self.steps = [
            _slab(box, role, STRONGEST_FILL if gain >= 0 else FAINTEST_FILL)
            for box, role, gain in zip(self._stairs, roles, gains, strict=True)
        ]
        self.ground = Line((region.left, foot, 0), (region.right, foot, 0))
        self.ground.set_stroke(theme.color(QUIET), THIN_LINE)
        self.names = self._named(region, pitch)
        self.values = [percentage(chance, HEADING_SIZE) for chance in chances[1:]]
        tops = np.maximum(levels[:-1], levels[1:])
        for value, x, level in zip(self.values, left + WIDE * pitch / 2, tops, strict=True):
            value.next_to((x, level, 0), UP, buff=HAIR)
            region.hold(value)
        self.last = self.values[-1]
        fits = pitch - HAIR > max(value.width for value in self.values)
        self.told = self.values if fits else [self.last]
        super().__init__(self.ground, *self.steps, *self.names, self.chance, *self.values)
        self.rise(0.0)

    def rise(self, place: float) -> None:
        """Let so many steps, and a share of the next, go up or down from the last one."""
        ways = eased(place - np.arange(float(len(self.steps))))
        boxes, low = self._stairs.copy(), self._stairs[:, 1]
        boxes[:, 3] = low + ways * (boxes[:, 3] - low)
        self._draw(boxes)

    def tell(self, least: float, most: float) -> Verb:
        """Let each step come, and say how far it reaches; what adds more takes longer.

        All that a chance can gain takes `most` seconds, and all steps take `least` more.
        """
        found = list[Verb]()
        for at, gain in enumerate(self._gains):
            pace = min(QUICK, least / len(self._gains)) + most * max(gain, 0.0)
            gone = [] if at == 0 or self.values[at - 1] in self.told else [self.values[at - 1]]
            old = Disappear(*gone, run_time=QUICK / 3)
            found.append(Together(Vary(self.rise, at, at + 1, pace, linear), old))
            found.append(Appear(self.values[at], run_time=HAIR))
        return Then(*found)

    def kind(self, kind: int) -> list[VMobject]:
        """Return all of a kind: its steps, their names, and what is told of them."""
        told = [each for each in self.values[kind::2] if each in self.told]
        return [*self.steps[kind::2], *self.names[kind::2], *told]

    def point(self, other: int, kind: int) -> Verb:
        """Let one kind recede, and the other one come forward, step after step."""
        rises = zip(self.steps[kind::2], self._gains[kind::2], strict=True)
        seen = [step for step, gain in rises if gain >= SEEN] or self.steps[kind::2]
        focus = Together(Dim(*self.kind(other)), Undim(*self.kind(kind)))
        named = Together(Pulse(name) for name in self.names[kind::2])
        return Then(focus, Together(named, Flow((Pulse(e, scale=SWELL) for e in seen), STEADY)))

    def _draw(self, boxes: Floats) -> None:
        for step, box in zip(self.steps, boxes, strict=True):
            step.points = rectangles(*box) if abs(box[3] - box[1]) > TINY else np.zeros((0, 3))

    def _named(self, region: Region, pitch: float) -> list[Words]:
        """Return the kind of each step under it, or of both at the left if it is too wide."""
        pairs = [*zip(KINDS, (VALUE, OUTPUT), strict=True)]
        pairs *= max(1, round(region.width / pitch / 2))
        names = [Words(name, size=SPOKEN_SIZE, role=role) for name, role in pairs]
        share = (pitch - HAIR) / max(name.width for name in names)
        if share * SPOKEN_SIZE >= SMALLEST:
            xs = region.left + (np.arange(len(names)) + 0.5) * pitch
            for name, x in zip(names, xs, strict=True):
                name.scale(min(1.0, share)).move_to((x, region.bottom + LINE / 2, 0))
            return names
        both = VGroup(*names[:2]).arrange(RIGHT, buff=GAP, aligned_edge=DOWN)
        both.move_to((region.left, region.bottom + LINE / 2, 0), LEFT)
        return names[:2]


def _boxes(left: Floats, low: Floats, right: Floats, high: Floats) -> Floats:
    """Return boxes, (n, 4)."""
    return np.stack([left, low, right, high], axis=1)


def _slab(box: Sequence[float] | Floats, role: Role, opacity: float = STRONGEST_FILL) -> Filled:
    return Filled(rectangles(*box), role, opacity)
