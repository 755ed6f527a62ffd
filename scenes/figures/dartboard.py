"""Shares of one whole as a board for darts: a share is hit as often as it is wide.

gate = Gate(Words("model"), region)
board = Dartboard(deals, chips, numbers, others, places=(rows, high, low), gate=gate)
yield Vary(board.grow, 0, 4)        # bars, each a step down from where the one before ends
yield Vary(board.go, 0, 1)          # they fall into one row, which is the second place
yield Vary(board.turn, 0, 1)        # the shares of the next deal
dart = Dart(board, value)
yield Then(Vary(dart.fly, 0, 1), Appear(dart.number))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.fit import ease, leg
from scenes.mobjects.outlines import Filled, Rounded, in_space, polygons
from scenes.mobjects.signs import strength
from scenes.mobjects.text import Glyphs, Number
from scenes.mobjects.tokens import Chip
from scenes.presence import parts_of, presence, set_fill, set_presence
from scenes.provenance import Value, constant
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    CORNER,
    GAP,
    HAIR,
    INK,
    PANEL,
    POSITIVE,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
)

Floats = NDArray[np.float64]

COLDEST = 1e-3  # a temperature that is as good as zero
BOLDEST = 0.95  # of a fill's strength
THICK = 0.8  # of the height of a step, a bar
FINE = 0.03  # scene units: where shares are narrower, one edge in 2, 4, 8, ... is drawn
ABOVE, NAME = 0.38, 0.43  # under its top, a name: of its height; at least, scene units
STRUCK = 0.16  # of the lowest board's height above its foot, where darts hit
LENGTH, NEAR = 1.1, 1.9  # scene units, a dart that hit; times as large, as it is thrown
FLOWN, LEAN, QUIVER = 0.7, 0.15, 0.12  # of its time, a dart's way; in radians, how it sticks
AWAY = np.array((2.6, -0.2, 0.0))  # scene units from where it hits, where it comes from
SHAPE = [(0, 0), (0.03, -0.3), (0.07, -0.35), (0.07, -0.62), (0.03, -0.67), (0.18, -0.8)]
SHAPE += [(0.18, -1), (0, -0.9)]  # of a dart's right half, its tip up


class Dartboard(VGroup):
    """The largest shares of one whole, each with the chip of its token, and the others' edges.

    `deals` are shares (V,), each from the largest down; `chips[deal]` name the first of them.
    `numbers` are the shares of the first deal, and last that of the others, named by `others`.
    The board stands in `places`: in the first as a flight of steps, then as one row; `gate`
    is where it comes out.
    """

    def __init__(
        self,
        deals: Sequence[Floats],
        chips: Sequence[Sequence[Chip]],
        numbers: Sequence[Number],
        others: Glyphs,
        *,
        places: Sequence[Region],
        gate: Gate,
    ) -> None:
        self.deals, self.chips, self.numbers = list(deals), [*map(list, chips)], list(numbers)
        self.others, self.places, self.gate = others, list(places), gate
        self.listed = len(self.numbers) - 1
        self.shapes = [
            Filled(np.zeros((16, 3)), POSITIVE).set_stroke(theme.color(BACKGROUND), THIN_LINE)
            for _ in numbers
        ]
        self.edges = VMobject(stroke_color=theme.color(BACKGROUND), stroke_width=THIN_LINE / 2)
        self.ends = [
            Number(constant(end, "an end of the whole"), 0, SPOKEN_SIZE, QUIET) for end in (0, 1)
        ]
        low, first = self.places[-1], self.places[0]
        for end, x in zip(self.ends, (low.left, low.right), strict=True):
            end.move_to((x, low.bottom - GAP - end.height / 2, 0))
            first.hold(end)
        names = [chip for each in self.chips for chip in each]
        super().__init__(*self.shapes, self.edges, *names, *self.numbers, others)
        self._widths = {id(chip): float(chip.width) for chip in names}
        self._deal, self._place, self._out, self._grown = 0.0, 0.0, 1.0, 1.0 + self.listed
        self.turn(0)

    def grow(self, number: float) -> None:
        """Show so many of the shares, the last one only as far as it has grown."""
        self._grown = number
        self._draw()

    def go(self, place: float) -> None:
        """Stand at a place, or between two: 0.5 is half way from the first to the second."""
        self._place = place
        self._draw()

    def turn(self, deal: float) -> None:
        """Show the shares of a deal, or between those of two."""
        before, after, share = leg(deal, len(self.deals))
        self._deal = deal
        self._shares = (1 - share) * self.deals[before] + share * self.deals[after]
        self._draw()

    def warm(self, place: float) -> None:
        """Show the first deal at a temperature T; the place is T / (T + 1), as on a slider."""
        scores = np.log(np.maximum(self.deals[0], 1e-300))
        raised = np.exp((scores - scores[0]) / max(place / (1 - place), COLDEST))
        self._deal, self._shares = 0.0, raised / raised.sum()
        self._draw()

    def come_out(self, share: float) -> None:
        """Come out of the gate: 0 is within it, 1 in place; towards 2 it fades there."""
        self._out = share
        self._draw()

    def box(self, deal: int, dart: float, place: int) -> Rectangle:
        """Return the box of the share of a deal that a dart hits, where the board stands then."""
        shares, room = self.deals[deal], self.places[place]
        rank = self.rank(deal, dart)
        width, middle = shares[rank] * room.width, shares[:rank].sum() + shares[rank] / 2
        box = Rectangle(width=max(float(width), HAIR), height=room.height)
        return box.move_to((room.left + float(middle) * room.width, room.center[1], 0))

    def rank(self, deal: int, dart: float) -> int:
        """Return which share of a deal a dart hits."""
        ends = np.cumsum(self.deals[deal])
        return min(int(np.searchsorted(ends, dart, side="right")), len(ends) - 1)

    def is_named(self, deal: int, dart: float, place: int) -> bool:
        """Say whether the share of a deal that a dart hits has its name on the board."""
        rank = self.rank(deal, dart)
        width = float(self.deals[deal][rank]) * self.places[place].width
        names = self.chips[deal][: self.listed][rank : rank + 1]
        return any(width > self._widths[id(name)] + 2 * HAIR for name in names)

    def name_place(self, deal: int, dart: float, place: int) -> Point3D:
        """Return where the name of the share stands, or would stand, that a dart hits."""
        x = self.box(deal, dart, place).get_x()
        return np.array((x, self._name_y(self.places[place]), 0.0))

    def point(self, dart: float) -> Point3D:
        """Return where a dart hits: as far along as its number says."""
        low = self.places[-1]
        return np.array((low.left + dart * low.width, low.bottom + STRUCK * low.height, 0.0))

    def _room(self) -> Region:
        """Return where the board is now."""
        before, after, share = leg(self._place, len(self.places))
        there = _mixed(self.places[max(before, 1)], self.places[max(after, 1)], share)
        return _mixed(self.gate.slit, there, ease(self._out))

    def _name_y(self, room: Region) -> float:
        """Return the middle of the names in a row that takes a region."""
        return room.top - float(np.clip(ABOVE * room.height, min(NAME, room.height / 2), 3 * GAP))

    def _draw(self) -> None:
        room, apart = self._room(), max(0.0, 1.0 - self._place)
        rows, whole = self.places[0], self.places[1]
        there = min(1.0, 4 * self._out, 2 - self._out)
        shares = [*self._shares[: self.listed], max(0.0, 1 - self._shares[: self.listed].sum())]
        shares = [s * np.clip(self._grown - at, 0, 1) for at, s in enumerate(shares)]
        pitch, start = rows.height / len(shares), 0.0
        self._hidden = {id(part) for chips in self.chips for part in chips}
        for at, (shape, share) in enumerate(zip(self.shapes, shares, strict=True)):
            y = rows.top - (at + 0.5) * pitch
            row = Region(whole.left, whole.right, y - THICK * pitch / 2, y + THICK * pitch / 2)
            box = _mixed(room, row, apart)
            left = box.left + start * box.width
            box = Region(left, left + float(share) * box.width, box.bottom, box.top)
            corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
            shape.points = polygons(np.array([corners])[:, [0, 1, 3, 2]])
            height = min(share, self._shares[at])  # as strong as the largest one of several
            set_fill(shape, None, BOLDEST * strength(float(height), float(self._shares[0])))
            _show(shape, there if share > 0 else 0.0)
            grown = float(np.clip(self._grown - at, 0, 1))
            full = replace(box, right=left + box.width / max(grown, 1e-9))
            self._name(at, full, apart, there * max(0.0, 2 * grown - 1))  # where it is to stay
            start += float(share)
        self._cut(box, there if shares[-1] > 0 else 0.0)
        for chip in (chip for each in self.chips for chip in each if id(chip) in self._hidden):
            _show(chip, 0.0)

    def _name(self, at: int, box: Region, apart: float, there: float) -> None:
        """Set the name and the numeral of a share: within it, or beside it, on a step."""
        deal = int(self._deal)
        if at == self.listed:
            self._name_others(box, apart, there)
            return
        number, rows = self.numbers[at], self.places[0]
        is_high = rows.height > rows.width
        seen = np.clip(1.0 - abs(self._deal), 0, 1) * np.clip(2.0 - self._place, 0, 1) * there
        for each in {deal, min(deal + 1, len(self.chips) - 1)}:
            if at >= len(self.chips[each]):
                continue
            chip = self.chips[each][at]
            self._hidden.discard(id(chip))
            own, along = self._widths[id(chip)], 0.0 if is_high else HAIR + number.width
            room = float(self.deals[each][at]) * self.places[1].width - own - HAIR
            least = own + HAIR + (1 - seen) * _short(room) + seen * _short(room - along)
            along *= seen
            wide = own + along
            fits = float(np.clip((box.width - least - along) / HAIR, 0, 1)) if there else 0.0
            is_left = box.left - wide - 2 * GAP > rows.left
            beside = box.left - GAP - wide / 2 if is_left else box.right + GAP + wide / 2
            middle = fits * box.center[0] + (1 - fits) * beside
            x = apart * middle + (1 - apart) * box.center[0] - along / 2
            y = apart * box.center[1] + (1 - apart) * self._name_y(box)
            weight = float(np.clip(1 - 2 * abs(self._deal - each), 0, 1))
            share = there * weight * max(fits, apart)
            told = float(seen * max(fits, apart)) if share else 0.0
            _show(chip, share)
            if each == deal:
                _show(number, told)
            if share:  # most names are hidden most of the time
                chip.move_to((x, y + apart * GAP * is_high, 0))
            if each == deal and told:
                down = (chip.height + number.height) / 2 + HAIR
                right = (chip.width + number.width) / 2 + HAIR
                number.move_to(chip).shift((0, -down, 0) if is_high else (right, 0, 0))
                set_fill(number, self._ink(at) if fits > 1 / 2 else theme.color(INK))

    def _ink(self, at: int) -> str:
        """Return the #RRGGBB that reads on a share: that of what is on the stage, if it can."""
        fill, opacity = theme.color(POSITIVE), float(self.shapes[at].fill_opacity)
        on = theme.mix(fill, theme.color(BACKGROUND), opacity)
        ink = theme.ink_on(theme.color(BACKGROUND))
        return ink if theme.contrast(ink, on) >= theme.LEAST_CONTRAST else theme.ink_on(on)

    def _name_others(self, box: Region, apart: float, there: float) -> None:
        """Set the name of all others: before their bar, or above its right end.

        It is true of the first deal alone, and unseen on its way.
        """
        words, number = self.others, self.numbers[-1]
        beside = box.left - 2 * GAP - number.width - words.width / 2
        has_room = beside - words.width / 2 > self.places[0].left
        before = apart if has_room else 0.0
        above = box.top + HAIR + words.height / 2
        x = before * beside + (1 - before) * (box.right - words.width / 2)
        words.move_to((x, before * box.center[1] + (1 - before) * above, 0))
        number.next_to(words, RIGHT if has_room else LEFT, buff=GAP)
        first = np.clip(1.0 - abs(self._deal), 0, 1) * np.clip(2.0 - self._place, 0, 1)
        first *= max(0.0, 2 * abs(2 * apart - 1) - 1)
        _show(words, there * first * min(1.0, self._out) * (box.width > 0))
        _show(number, there * apart * first)

    def _cut(self, box: Region, there: float) -> None:
        """Draw the edges between the shares of all others, as many as can be told apart."""
        rest = self._shares[self.listed :]
        ends = box.left + np.cumsum(rest) / max(float(rest.sum()), 1e-12) * box.width
        widths = np.maximum(rest / max(float(rest.sum()), 1e-12) * box.width, 1e-12)
        every = 2.0 ** np.ceil(np.log2(np.maximum(FINE / widths, 1.0)))
        x = ends[:-1][(np.arange(1, len(rest)) % every[:-1]) == 0]
        points = np.zeros((len(x), 4, 3))
        points[:, :, 0] = x[:, None]
        points[:, :, 1] = np.linspace(box.bottom, box.top, 4)
        self.edges.points = points.reshape(-1, 3)
        _show(self.edges, there)


class Gate(VGroup):
    """What a text goes into, and shares come out of: a plate with a name, and which way it goes.

    Parts: `plate` and `label`, and the `tips`. Shares come out of the `slit`.
    """

    def __init__(self, label: Glyphs, region: Region) -> None:
        self.plate = Rounded(CORNER, width=region.width, height=region.height)
        self.plate.set_stroke(theme.color(QUIET), THIN_LINE).set_fill(theme.color(PANEL), 1)
        self.label = label.move_to(self.plate)
        x, half = 0.0, region.height / 2
        self.tips = [_pointer(x, y) for y in (half + HAIR, HAIR - GAP / 2 - half)]
        super().__init__(self.plate, self.label, *self.tips)
        self.shift(region.center)
        self.slit = Region(region.left, region.right, region.bottom - HAIR, region.bottom)

    def reach(self, right: float) -> None:
        """Be as wide as a text that ends there."""
        self.slit = replace(self.slit, right=right)
        high, (x, *_) = self.plate.height, self.slit.center
        plate = Rounded(CORNER, width=self.slit.width, height=high)
        self.plate.points = plate.move_to((x, self.plate.get_y(), 0)).points
        for part in (self.label, *self.tips):
            part.set_x(float(x))


class Dart(VGroup):
    """A dart that flies into a board, and sticks where its number, from 0 to 1, says.

    `number` stands under it, and is no part of it.
    """

    def __init__(self, board: Dartboard, value: Value) -> None:
        self.value = value
        half = np.array(SHAPE, dtype=np.float64)
        corners = np.concatenate([half, half[-2:0:-1] * (-1, 1)])
        self.body = Filled(polygons(corners[None]), ACCENT)
        self.outline = self.body.points.copy()
        self.hits = board.point(value.number)
        self.side = -1.0 if value.number > 0.5 else 1.0
        super().__init__(self.body)
        self.fly(1.0)
        self.number = Number(value, 2, SPOKEN_SIZE)
        self.number.next_to(self, DOWN, buff=HAIR)
        self.number.set_x(float(self.hits[0]))
        board.places[0].hold(self.number)

    def fly(self, share: float) -> None:
        """Be on the way, 0 to 1: it comes nearer to the board, hits and quivers."""
        left = 1.0 - min(1.0, share / FLOWN)
        since = max(0.0, (share - FLOWN) / (1 - FLOWN))
        lean = self.side * (LEAN + 0.5 * left + QUIVER * np.sin(5 * np.pi * since) * (1 - since))
        turn = np.array([(np.cos(lean), -np.sin(lean), 0), (np.sin(lean), np.cos(lean), 0)])
        size = LENGTH * (1 + (NEAR - 1) * left)
        turned = in_space(self.outline @ turn.T)
        self.body.points = self.hits + AWAY * (self.side, 1, 0) * left + size * turned
        _show(self, min(1.0, 5 * share))


def _pointer(x: float, y: float) -> Filled:
    """Return a quiet triangle that says which way things go: down."""
    down = np.array([(-1, 0), (1, 0), (0, -0.9)]) * GAP / 2
    return Filled(polygons((down + (x, y))[None]), QUIET)


def _short(room: float) -> float:
    """Return the room that is left over where it is too little to be seen, so that nothing fits."""
    return room if 0 < room < HAIR else 0.0


def _mixed(one: Region, other: Region, share: float) -> Region:
    """Return the region after a share of the way from one to another."""
    ends = zip(vars(one).values(), vars(other).values(), strict=True)
    return Region(*((1 - share) * a + share * b for a, b in ends))


def _show(mobject: VMobject, share: float) -> None:
    """Give all parts of a mobject a presence, if they have another one."""
    for part in parts_of(mobject):
        if presence(part) != share:
            set_presence(part, share)
