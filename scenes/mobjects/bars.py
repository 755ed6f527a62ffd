"""Numbers as bars: side by side from one line of zero, or stacked to a whole. It knows no model.

bars = Bars(scores.values, region, [TokenText(piece) for piece in tokens])
stack = Stack(weights.values, beside, [TokenText(piece) for piece in tokens])
Remeasure(bars, scaled.values)              # the verb in which they come to other numbers
Become(bars.shapes[3], stack.shapes[3])     # a bar's shape and a share's have equally many points
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import number_format, pitch_in
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import SHARE, Glyphs, Number, Words, percent
from scenes.mobjects.vector import Vector
from scenes.presence import presence, set_fill, set_presence
from scenes.provenance import Value, part_of
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    INK,
    NAMED_SIZE,
    POSITIVE,
    QUIET,
    STEADY,
    STRONGEST_FILL,
    THIN_LINE,
    Role,
)
from scenes.verbs import Verb

Floats: TypeAlias = NDArray[np.float64]
Span: TypeAlias = tuple[float, float]  # the lowest and the highest number that there is room for

THICKNESS = 0.66  # of a bar, as a share of the distance from one to the next
WIDEST_PITCH = 1.6  # scene units from one bar to the next, at most
SLANT = np.pi / 4  # of names that are wider than the distance between bars
FINEST = 5  # decimals of a share, where fewer would show it as zero or one
WAIST = 0.3  # of a text above its baseline, in ems: where its middle is seen
INSIDE, LINE = 0.9, 1.2  # of a share's width, for its name; in ems, of its height
SEAM = 1.5  # between two shares, in pixels at 1080p


class Bars(VGroup):
    """Numbers as bars that stand on one line of zero, or hang from it if they are negative.

    With `across` they lie, to the right of a line that stands, and to its left. `span` is (lowest,
    highest) of what the region has room for: by default zero and all numbers. The colour says the
    sign, unless there is a `role`; with a `tail`, the last one stands for many others and is quiet.
    Numerals of a `kind` stand at the bars' ends, or with `at_foot` on the other side of the line;
    across, they have room for all values of `ever`, which bars may come to.

    Parts, by place: `shapes[i]`, `names[i]`, `numbers[i]`; and `zero`, the line.
    """

    def __init__(
        self,
        values: Sequence[Value],
        region: Region,
        names: Sequence[Glyphs] = (),
        *,
        across: bool = False,
        span: Span | None = None,
        role: Role | None = None,
        decimals: int = 2,
        kind: type[Number] = Number,
        tail: bool = False,
        at_foot: bool = False,
        ever: Sequence[Value] = (),
    ) -> None:
        self.values, self.across, self.role, self.tail = list(values), across, role, tail
        self.at_foot = at_foot
        self.names, self.region = list(names), region
        self.pitch = self._pitch()
        if self.is_slanted:
            self.region = replace(region, left=region.left + self._overhang())
            self.pitch = self._pitch()
        self.shapes = [slab() for _ in values]
        room = (region.width / 4, self.pitch) if across else (self.pitch, region.height)
        style = number_format(values, room, decimals=decimals, kind=kind)
        self.numbers = [kind(value, style.decimals, style.size) for value in values]
        later = (kind(value, style.decimals, style.size) for value in ever)
        self._number_room = max((number.width for number in later), default=0.0)
        self._set_names()
        self.span = span or span_of([value.number for value in values])
        quiet = theme.color(QUIET)
        self.zero = Line(LEFT, RIGHT, stroke_color=quiet, stroke_width=THIN_LINE)
        super().__init__(*self.shapes, self.zero, *self.names, *self.numbers)
        self.put(values)

    def put(self, values: Sequence[Value]) -> None:
        """Show other values, on the span that there is."""
        self.values = list(values)
        for number, value in zip(self.numbers, values, strict=True):
            number.put(value)
        self._draw(np.array([value.number for value in values]))

    def bend(self, numbers: Floats) -> None:
        """Show numbers on the way from one value to another; `put` ends it."""
        for written, value, number in zip(self.numbers, self.values, numbers, strict=True):
            written.put(part_of(value, float(number)))
        self._draw(numbers)

    def place_of(self, number: float) -> float:
        """Return where the end of a bar for a number is: its height, or across, its x."""
        low, high = self.span
        start, end = self._ends()
        return start + (number - low) / ((high - low) or 1.0) * (end - start)

    def outlines(self, values: Sequence[Value]) -> list[VMobject]:
        """Return the outlines of the bars of other values, where they leave numerals free."""
        room, half = self.numbers[0].em + 2 * HAIR, THICKNESS * self.pitch / 2
        found = []
        for place, (value, own) in enumerate(zip(values, self.values, strict=True)):
            middle, end = self._middle(place), self.place_of(value.number)
            outline = slab(opacity=0.0).set_stroke(theme.color(QUIET), THIN_LINE, 1.0)
            box = (self.place_of(0.0), middle - half, end, middle + half)
            set_slab(outline, box if self.across else _turned(box))
            if self.at_foot or not 0 < end - self.place_of(own.number) < room:
                found.append(outline)
        return found

    def _draw(self, numbers: Floats) -> None:
        zero, half = self.place_of(0.0), THICKNESS * self.pitch / 2
        for place, number in enumerate(numbers):
            middle, end = self._middle(place), self.place_of(float(number))
            low, high = min(zero, end), max(zero, end)
            box = (low, middle - half, high, middle + half)
            set_slab(self.shapes[place], box if self.across else _turned(box))
            is_tail = self.tail and place == len(numbers) - 1
            color = theme.color(QUIET if is_tail else hue(float(number), self.role))
            set_fill(self.shapes[place], color, STRONGEST_FILL)
            hangs = bool(number < 0 or self.span[1] <= 0)  # also zero, where all others do
            self._set_number(self.numbers[place], middle, end, is_negative=hangs)
        first, last = sorted((self._middle(0), self._middle(len(numbers) - 1)))
        one, other = first - self.pitch / 2, last + self.pitch / 2
        if self.across:
            self.zero.put_start_and_end_on((zero, other, 0), (zero, one, 0))
        else:
            self.zero.put_start_and_end_on((one, zero, 0), (other, zero, 0))

    def _set_number(self, number: Number, middle: float, end: float, *, is_negative: bool) -> None:
        sign = -1 if is_negative else 1
        if self.at_foot:
            sign, end = -sign, self.place_of(0.0)
        if self.across:
            number.move_to((end + sign * (HAIR + number.width / 2), middle, 0))
        else:
            number.move_to((middle, end + sign * (HAIR + number.height / 2), 0))

    def _middle(self, place: int) -> float:
        """Return where the middle of a bar is, across its length; the first is left or on top."""
        offset = (place - (len(self.values) - 1) / 2) * self.pitch
        x, y, _ = self.region.center
        return float(y - offset if self.across else x + offset)

    def _ends(self) -> tuple[float, float]:
        """Return between which places bars may reach: numbers and names have their room."""
        under, over = self.span[0] < 0, self.span[1] > 0
        if self.at_foot:
            under, over = over, under
        region = self.region
        if self.across:
            widest = max(number.width for number in self.numbers)
            room = max(self._number_room, widest) + 2 * HAIR
            start = region.left + self._name_room + room * under
            return start, region.right - room * over
        room = self.numbers[0].em + 2 * HAIR
        start = region.bottom + self._name_room + room * under
        return start, region.top - room * over

    @property
    def is_slanted(self) -> bool:
        """Whether names are wider than the distance between bars."""
        return not self.across and self._widest() > self.pitch - HAIR

    def _widest(self) -> float:
        return max((name.width for name in self.names), default=0.0)

    def _pitch(self) -> float:
        breadth = self.region.height if self.across else self.region.width
        return pitch_in(breadth, len(self.values), WIDEST_PITCH)

    def _overhang(self) -> float:
        """Return how far slanted names would reach beyond the left of the region."""
        across = [float(np.cos(SLANT)) * (name.width + name.em) for name in self.names]
        left = self._middle(0) - self.region.left
        return max(0.0, *(each - left - place * self.pitch for place, each in enumerate(across)))

    def _set_names(self) -> None:
        """Set the names under the bars, slanted if they must be, or to the left of them."""
        widest, slanted = self._widest(), self.is_slanted
        for place, name in enumerate(self.names):
            if self.across:
                name.move_to((self.region.left + widest, self._middle(place), 0), RIGHT)
                continue
            at = (self._middle(place), self.region.bottom, 0)
            if slanted:
                name.rotate(SLANT)
                name.move_to((at[0] + name.em / 2, 0, 0), RIGHT + UP)
            else:
                name.move_to(at).shift(UP * (at[1] + 0.3 * name.em - name.baseline))
        if not self.names:
            self._name_room = 0.0
        elif self.across:
            self._name_room = widest + GAP
        else:
            tallest = max(name.height for name in self.names) if slanted else 1.2 * self._em()
            for name in self.names if slanted else ():
                name.align_to((0, self.region.bottom + tallest, 0), UP)
            self._name_room = tallest + HAIR

    def _em(self) -> float:
        return max(name.em for name in self.names)


class Stack(VGroup):
    """Shares of one whole, end to end, the first on top; all of the region's height is the whole.

    With names, these and numerals stand to the right of those shares that are high enough. With a
    `tail`, the last share is that of many others, and is quiet.

    Parts, by place: `shapes[i]`, `names[i]`, `numbers[i]`; and `whole`, an outline.
    """

    def __init__(
        self,
        values: Sequence[Value],
        region: Region,
        names: Sequence[Glyphs] = (),
        *,
        width: float = 1.4,
        tail: bool = False,
    ) -> None:
        self.values, self.names, self.tail = list(values), list(names), tail
        self.region = region
        self.column = Region(region.left, region.left + width, region.bottom, region.top)
        self.shapes = [slab(seam=SEAM) for _ in values]
        self.numbers = [Number(value, 2, NAMED_SIZE, anchor=LEFT) for value in values if names]
        self.whole = slab(opacity=0.0)
        self.whole.set_stroke(theme.color(QUIET), THIN_LINE, 1.0)
        box = (self.column.left, region.bottom, self.column.right, region.top)
        set_slab(self.whole, box)
        super().__init__(self.whole, *self.shapes, *self.names, *self.numbers)
        self.put(values)

    def put(self, values: Sequence[Value]) -> None:
        """Show other shares."""
        self.values = list(values)
        for written, value in zip(self.numbers, values, strict=False):
            written.decimals = share_decimals(value.number)
            written.put(value)
        self._draw(np.array([value.number for value in values]))
        for place in range(len(self.names)):
            if presence(self.shapes[place]) > 0:
                for label in (self.names[place], self.numbers[place]):
                    set_presence(label, float(self.is_legible(place)))

    def bend(self, numbers: Floats) -> None:
        """Show shares on the way from one value to another; `put` ends it."""
        for written, value, number in zip(self.numbers, self.values, numbers, strict=False):
            written.decimals = share_decimals(float(number))
            written.put(part_of(value, float(number)))
        self._draw(numbers)

    def is_legible(self, place: int) -> bool:
        """Whether a share is high enough for its name and its numeral, and there are some."""
        return bool(self.names) and self._room(self.values[place].number) >= 1.0

    def labels(self, place: int) -> list[Glyphs]:
        """Return the name and the numeral of a share, or nothing if it is too thin for them."""
        return [self.names[place], self.numbers[place]] if self.is_legible(place) else []

    def _role(self, place: int) -> Role:
        return QUIET if self.tail and place == len(self.shapes) - 1 else POSITIVE

    def _draw(self, numbers: Floats) -> None:
        column, top = self.column, self.column.top
        whole = float(numbers.sum()) or 1.0
        for place, number in enumerate(numbers / whole):
            bottom = top - float(number) * column.height
            set_slab(self.shapes[place], (column.left, bottom, column.right, top))
            color = theme.color(self._role(place))
            set_fill(self.shapes[place], color, strength(float(number), 1.0))
            if self.names:
                self._set_labels(place, float(number), (top + bottom) / 2)
            top = bottom

    def _set_labels(self, place: int, number: float, middle: float) -> None:
        seen = presence(self.shapes[place]) > 0
        x, room = self.column.right + GAP, self._room(number)
        for label in (self.names[place], self.numbers[place]):
            label.shift((x - label.get_left()[0], middle - WAIST * label.em - label.baseline, 0))
            x += label.width + GAP
            if seen:
                set_presence(label, float(np.clip(4 * (room - 1.0), 0.0, 1.0)))

    def _room(self, number: float) -> float:
        """Return how many lines of type a share is high."""
        return number * self.column.height / (1.2 * self.numbers[0].em)


class Remeasure(Verb):
    """Bars, a stack or a vector come to other values; numerals run along.

    On the way they show `path(share)`, shape (n,), 0 to 1 being the share of the way: by default
    the mixture of both. Bars look at `span(share)`.
    """

    def __init__(
        self,
        measured: Bars | Stack | Vector,
        values: Sequence[Value],
        *,
        path: Callable[[float], Floats] | None = None,
        span: Callable[[float], Span] | None = None,
        run_time: float = STEADY,
        rate_func: Callable[[float], float] = smooth,
    ) -> None:
        super().__init__(measured, run_time=run_time, rate_func=rate_func)
        self.measured, self.values, self.path, self.span = measured, list(values), path, span

    def start(self) -> None:
        """Remember what is shown, and the numbers at both ends."""
        self.ends = [
            np.array([value.number for value in values])
            for values in (self.measured.values, self.values)
        ]

    def change(self, share: float) -> None:
        """Show the numbers of the moment, or the values themselves at the end."""
        if self.span and isinstance(self.measured, Bars):
            self.measured.span = self.span(share)
        if share >= 1:
            self.measured.put(self.values)
            return
        before, after = self.ends
        mixture = (1 - share) * before + share * after
        self.measured.bend(self.path(share) if self.path else mixture)


def span_of(numbers: Sequence[float]) -> Span:
    """Return the span of zero and some numbers."""
    finite = [number for number in numbers if np.isfinite(number)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    return (low, high) if high > low else (0.0, 1.0)


def percentage(share: Value, size: float = NAMED_SIZE, places: int | None = None) -> Words:
    """Return a share of one as a percentage that shows a first figure: `3%`, `0.04%`, `<0.01%`.

    With `places`, it has so many decimals.
    """
    return Words(f"{{:{SHARE if places is None else f'.{places}%'}}}", share, size=size)


def said_percentage(share: Value) -> str:
    """Return a share of one as it is said: `3 percent`, `less than 0.01 percent`."""
    return percent(share.number).replace("%", " percent").replace("<", "less than ")


def share_decimals(share: float) -> int:
    """Return how many decimals show a share of one: two, or more where it would seem all."""
    places = 2
    while places < FINEST and 1.0 - share > 0.0 and round(share, places) >= 1.0:
        places += 1
    return places


def slab(opacity: float = STRONGEST_FILL, seam: float = 0.0) -> VMobject:
    """Return what a bar is drawn with: a shape without a place yet."""
    ground = theme.current().background
    return VMobject(
        stroke_width=seam, stroke_color=ground, fill_color=theme.color(INK), fill_opacity=opacity
    )


def set_slab(slab: VMobject, box: tuple[float, float, float, float]) -> None:
    """Make a shape the rectangle (left, bottom, right, top)."""
    left, low, right, high = box
    corners = [(left, low, 0), (right, low, 0), (right, high, 0), (left, high, 0), (left, low, 0)]
    slab.set_points_as_corners(np.array(corners, dtype=np.float64))


def _turned(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    low, left, high, right = box
    return left, low, right, high
