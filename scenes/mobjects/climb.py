"""How a chance rises step by step, and what two kinds of steps bring. It knows no model.

climb = Climb(chances, region, beside)
yield Appear(climb.ground, *climb.names)   # attention and an MLP, layer by layer
yield Vary(climb.rise, 0, len(climb.steps), SLOW)       # each goes on from where the last one ends
yield Vary(climb.part, 0, 1)                # what each kind has gained stacks up, beside the other
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Line, VGroup
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
LINE, TINY = 0.75, 1e-9  # scene units, a line of words
LEAST = 0.5  # the chance that is as high as there is room, at least
WIDE, STACK = 0.92, 1.6  # of its room, a step; scene units, a stack of rises
EARLY = 0.7  # of the highest level: stairs that come so far at once have a line for their values
TOLD = 0.05  # a rise after which the chance is told, and stays
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
    measured, the `chance`; its `values` after each step, of which the `last` stays; and `kinds`,
    under the two stacks in the region `beside` that the rises come to.
    """

    def __init__(self, chances: Sequence[Value], region: Region, beside: Region) -> None:
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
        self._gains, self._parted = gains.tolist(), self._stacked(gains.clip(0.0), beside, high)
        self.steps = [
            _slab(box, role, STRONGEST_FILL if gain >= 0 else FAINTEST_FILL)
            for box, role, gain in zip(self._stairs, roles, gains, strict=True)
        ]
        self.ground = Line((region.left, foot, 0), (region.right, foot, 0))
        self.ground.set_stroke(theme.color(QUIET), THIN_LINE)
        self.names = self._named(region, pitch)
        self.kinds = []
        for box, told, role in zip(self._parted, KINDS, (VALUE, OUTPUT), strict=False):
            words = Words(told, size=TITLE_SIZE, role=role).shrink_to(beside.width / 2 - HAIR)
            self.kinds.append(words.move_to(((box[0] + box[2]) / 2, foot - LINE / 2, 0)))
        self.values = [percentage(chance, TITLE_SIZE) for chance in chances[1:]]
        for value, x, level in zip(self.values, left + WIDE * pitch / 2, levels[1:], strict=True):
            value.next_to((x, level, 0), UP, buff=HAIR)
            region.hold(value)
        self.last = self.values[-1]
        fits = pitch - HAIR > max(value.width for value in self.values)
        pairs = zip(self.values, gains, strict=True)
        self.told = [each for each, gain in pairs if each is self.last or (fits and gain >= TOLD)]
        super().__init__(self.ground, *self.steps, *self.names, self.chance, *self.values)
        self.add(*self.kinds)
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

    def part(self, share: float) -> None:
        """Let what each kind gains come to its stack: first attention's, then the MLPs'."""
        turns = np.tile([0.0, 0.5], len(self.steps) // 2)
        ways = eased(np.clip(2 * (share - turns), 0.0, 1.0))[:, None]
        self._draw((1 - ways) * self._stairs + ways * self._parted)

    def _draw(self, boxes: Floats) -> None:
        for step, box in zip(self.steps, boxes, strict=True):
            step.points = rectangles(*box) if abs(box[3] - box[1]) > TINY else np.zeros((0, 3))

    def _stacked(self, rises: Floats, beside: Region, high: float) -> Floats:
        """Return boxes that stack up: attention's in one column, the MLPs' in the other."""
        found, foot = self._stairs.copy(), beside.bottom + LINE
        most = max(LEAST, *(float(rises[kind::2].sum()) for kind in (0, 1)))
        for kind, column in enumerate(beside.in_columns(2)):
            half = min(STACK, 0.7 * column.width) / 2
            ends = foot + np.cumsum([0.0, *rises[kind::2]]) / most * high
            found[kind::2, 0], found[kind::2, 2] = column.center[0] - half, column.center[0] + half
            found[kind::2, 1], found[kind::2, 3] = ends[:-1], ends[1:]
        return found

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
