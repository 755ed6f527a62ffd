"""What learned matrices make of a word, its query, key or value; and one that serves all words.

figure = Projections(tokens, given, keys, weights, film.stage)
yield Appear(*figure.chips, *figure.given), figure.pass_over()
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.utils.rate_functions import smooth

from scenes import theme
from scenes.mobjects.fit import number_format, shown_entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Formula, Words
from scenes.mobjects.tokens import Chip, TokenRow, chips_in
from scenes.mobjects.vector import Heat, Vector, inside
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.verbs import (
    Appear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Shift,
    Then,
    Together,
)

MOST, CLOSE, WIDEST, TALLEST = 3, 0.7, 1.3, 0.9  # of a key: entries; of a way, and scene units
LONGER, LOWER = 1, 0.6  # of what is given: entries more, and of a key's in height
LEAST = 0.9  # scene units wide, an entry in which a number can be read
ASIDE, TOOL = 0.2, 1.25  # free at both sides; scene units, a matrix that passes
FARTHEST = 7.2  # scene units, between two tokens
SWELLING = 1.08  # times as large: a word that is served
PASSING, COARSE = 3.2, 0.08  # seconds, for a matrix to pass; scene units, an entry of its picture
WAY, HIGH = 2.6, 0.8  # scene units: a way to what is made; an entry of that
ROWS, ENTRY = 4, 1.6  # of what is made: entries drawn, and their room, scene units


class Branches(VGroup):
    """A word's own vector, and a way from it to each of two vectors that are made of it.

    Each is called by its name, its matrix's letter, its role and what it is for; `ways[i]` leads to
    `rows[i]`, what is `made`, between `names[i]` and `said[i]`. Its matrix is `signs[i]`.
    """

    def __init__(
        self,
        vector: Vector,
        region: Region,
        told: Sequence[tuple[str, str, theme.Role, str]],
        made: Sequence[Sequence[Value]],
        *,
        numerals: bool = True,
    ) -> None:
        self.vector, self.rows = vector, list[Vector]()
        start = float(vector.get_right()[0]) + theme.GAP
        room = Region(start, region.right, vector.get_bottom()[1], vector.get_top()[1])
        self.names = [Words(name, size=theme.HEADING_SIZE, role=role) for name, _, role, _ in told]
        self.said = [Words(each, size=theme.SPOKEN_SIZE) for *_, each in told]
        signs = [Formula(f"${role.value}(W_{x})$", theme.TITLE_SIZE) for _, x, role, _ in told]
        self.signs, self.ways = signs, [Arrow(theme.color(role)) for _, _, role, _ in told]
        long = min(WAY, room.width / 3)
        wide = min(ENTRY, (room.width - long - theme.GAP) / (ROWS + 1))
        for values, (_, _, role, _) in zip(made, told, strict=True):
            size = wide, HIGH
            self.rows.append(Vector(values, size, role=role, most=ROWS, numerals=numerals))
        for place, part in enumerate(room.rows(len(told))):
            y, x = float(part.center[1]), start + long
            self.ways[place].point(np.array((start, y)), np.array((x, y)))
            signs[place].next_to(self.ways[place], UP, buff=theme.HAIR)
            body = self.rows[place].move_to((x + theme.GAP, y, 0.0), LEFT)
            self.names[place].next_to(body, UP, buff=theme.HAIR).align_to(body, LEFT)
            self.said[place].next_to(body, DOWN, buff=theme.HAIR).align_to(body, LEFT)
        super().__init__(*self.ways, *self.names, *self.said, *self.signs, *self.rows)

    def tell(self, place: int) -> Then:
        """Return how one of both comes, how it is called, and what it is for."""
        come = self.rows[place].come_out_of(self.ways[place].get_right())
        named = Then(Draw(self.ways[place]), Together(come, Appear(self.names[place])))
        return Then(named, Appear(self.said[place]))

    def make(self, place: int) -> Then:
        """Return how a matrix makes one of both of the word's numbers."""
        row, way, sign = self.rows[place], self.ways[place], self.signs[place]
        served = (Pulse(part, scale=SWELLING) for part in self.vector.parts[1:])
        come = Together(Appear(way, sign), Flow(served, theme.STEADY))
        return Then(come, row.come_out_of(way.get_right()), Appear(self.names[place]))


class Projections(VGroup):
    """A sentence's tokens in a line, under what stands over each: what is `given`, then its key.

    Parts: `chips[i]`, `given[i]`, `keys[i]` over them and, between, `tool`, a picture of the
    `weights` that make the keys; `names` say what both rows are. `over` is the region over the
    chips; `room` is that of a key's entry.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        given: Tensor,
        keys: Tensor,
        weights: Tensor,
        region: Region,
    ) -> None:
        self.chips = in_line(tokens, region.narrowed(ASIDE, ASIDE))
        high = max(chip.height for chip in self.chips)
        for chip in self.chips:
            chip.set_y(region.bottom + high / 2)
        self.over = region.raised(high + theme.GAP)
        across = [float(chip.get_x()) for chip in self.chips]
        near = min(np.diff(across), default=2 * WIDEST)
        told = ("numbers", theme.INK), ("keys", theme.KEY)
        self.names = [Words(name, size=theme.SPOKEN_SIZE, role=role) for name, role in told]
        size, lines = min(TOOL, region.width / 5), MOST + LOWER * (MOST + LONGER)
        used = size + 4 * theme.GAP + sum(name.height + theme.HAIR for name in self.names)
        high = (self.over.height - used) / lines
        room = min(WIDEST, CLOSE * near), min(TALLEST, high)
        numbers = [value for row in keys for value in row.values]
        seen = keys.array[:, shown_entries(keys.shape[1], MOST)]
        body = partial(
            Vector,
            room=room,
            upright=True,
            most=MOST,
            role=theme.KEY,
            largest=float(np.abs(seen).max()),
            numerals=room[0] >= LEAST,
            number_size=number_format(numbers, inside(room)).size,
        )
        self.room, self.keys = room, [body(row.values) for row in keys]
        low, long = (room[0], LOWER * room[1]), MOST + LONGER
        self.given = [
            Vector(row.values, low, upright=True, most=long, numerals=False) for row in given
        ]
        for each in (*self.given, *self.keys):
            each.scale(min(1.0, near / each.width))
        self.tool = _tool(weights, size)
        line = self.names[0].height + theme.HAIR
        between = self.over.bottom + self.given[0].height + line + theme.GAP
        self.tool.move_to((self._beside(self.chips[0]), between + self.tool.height / 2, 0))
        above = between + self.tool.height + theme.GAP
        for row, foot in ((self.given, self.over.bottom), (self.keys, above)):
            for each, chip in zip(row, self.chips, strict=True):
                each.match_x(chip).set_y(foot + each.height / 2)
        for name, row in zip(self.names, (self.given, self.keys), strict=True):
            name.next_to(row[0], UP, buff=theme.HAIR).align_to(row[0], LEFT)
        super().__init__(*self.given, *self.keys, *self.chips, self.tool, *self.names)

    def pass_over(self) -> Together:
        """Return how the matrix passes over all tokens, and leaves the key of each."""
        first, last = (self._beside(self.chips[i]) for i in (0, -1))
        moments = np.linspace(0, 1, 101)
        passed = [smooth(moment) for moment in moments]
        served = []
        for chip, given, key in zip(self.chips, self.given, self.keys, strict=True):
            share = (float(chip.get_x()) - first) / max(last - first, theme.HAIR)
            at = Hold(PASSING * float(np.interp(share, passed, moments)))
            swell = (Pulse(part, scale=SWELLING) for part in given.parts[1:])
            above = key.get_center() * RIGHT + self.tool.get_top()[1] * UP
            served.append(Then(at, Together(*swell, key.come_out_of(above))))
        named = Appear(self.names[0]), Then(Hold(theme.STEADY), Appear(self.names[1]))
        passing = Shift(self.tool, by=(last - first) * RIGHT, run_time=PASSING)
        return Together(passing, *named, *served)

    def _beside(self, chip: Chip) -> float:
        """Return where the matrix stands at a chip, within the region."""
        half = self.tool.width / 2
        return float(np.clip(chip.get_x(), self.over.left + half, self.over.right - half))


def in_line(tokens: Sequence[str], region: Region) -> list[Chip]:
    """Return chips evenly in one line, on end where they are too many to be read otherwise."""
    pitch = min(FARTHEST, region.width / len(tokens))
    row = TokenRow(tokens, region, largest=theme.HEADING_SIZE, lines=1)
    size = row.size * min(1.0, (pitch - theme.HAIR) / max(chip.width for chip in row.chips))
    is_level = size >= theme.PLAIN_SIZE
    row = TokenRow(tokens, region, largest=size, lines=1)
    chips = row.chips if is_level else chips_in(tokens, pitch)
    for place, chip in enumerate(chips):
        chip.move_to(region.center + (place - (len(chips) - 1) / 2) * pitch * RIGHT)
    return chips


def _tool(weights: Tensor, size: float) -> VGroup:
    """Return a picture of the matrix that makes keys, so large, with its sign on it."""
    role = theme.KEY
    heat = Heat(weights.array, (size - theme.HAIR, size - theme.HAIR), thinnest=COARSE)
    ground = Ring(heat, theme.HAIR / 2, role).set_fill(theme.color(theme.BACKGROUND), 1)
    symbol = Formula(f"${role.value}(W_K)$", theme.TITLE_SIZE).move_to(heat)
    plate = Ring(symbol, theme.HAIR, role).set_fill(theme.color(theme.PANEL), 1).set_stroke(width=0)
    return VGroup(ground, heat, plate, symbol)
