"""A sentence's tokens in a line, and what learned matrices make of each: its query, key and value.

figure = Projections(tokens, [q, k, v], film.stage)
yield Appear(*figure.chips), figure.pass_over(0)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DL, DOWN, LEFT, RIGHT, UP, UR
from manim.typing import Point3D
from manim.utils.rate_functions import smooth

from scenes import theme
from scenes.figures.fan import Unfold
from scenes.figures.product import Product
from scenes.mobjects.fit import adding_decimals
from scenes.mobjects.marks import Ring, arches
from scenes.mobjects.matrix import Area
from scenes.mobjects.outlines import Filled, polygons
from scenes.mobjects.space import Arrow
from scenes.mobjects.text import Formula, Words
from scenes.mobjects.tokens import Chip, TokenRow, chips_in
from scenes.mobjects.vector import Heat, Vector
from scenes.provenance import Tensor, Value
from scenes.region import Region
from scenes.verbs import (
    Appear,
    Become,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Recolor,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
)

MADE = (("queries", "Q", theme.QUERY), ("keys", "K", theme.KEY), ("values", "V", theme.VALUE))
WIDEST = 0.9  # scene units, a vector's thickness
CLOSE = 0.64  # of the way from one token to the next, at most, a vector's thickness
SLIM, BROAD = 0.6, 1.4  # of that, an entry of a token's own vector, and at most all of it
LONGEST = 1.6  # times as high as wide, at most, such an entry
FARTHEST = 7.2  # scene units, between two tokens
MOST, CHIP_PART, WAYS, FULL = 5, 0.15, 0.17, 0.95  # entries of a word's own; of a stage's height
LYING = 0.9  # seconds, in which numbers become entries of a strip
ON_END, LESSER = 0.4, 0.5  # of a stage's height, chips that stand on end; of their size
BROADEST, LEAST_ROOM, TIP = 2.4, 0.4, 0.3  # scene units as seen, such an entry; of a way, high
THICK, TALL = 0.8, 1.7  # scene units, a key or value that stands alone with its word
LONG = 1.2  # times as long as what is said of it, an arrow to a key or from a value
SWELLING, APART = 1.08, 0.4  # times as large: a word that is served; of a way, high: tips
PASSING, COARSE = 2.2, 0.08  # seconds, for a matrix to pass; scene units, an entry of its picture
SAID = "a query finds it", "what it tells"


class Projections(VGroup):
    """Tokens in a line; over each stand its query and, nearer, its key, under it its value.

    Parts: `chips[i]`; `made[0][i]`, a query (1: a key, 2: a value), with a strip an entry; `names`
    of the three rows; `tools`, pictures of the `weights` that make them, each as high as its row
    and left of it. `over` is the region over the chips, `thick` a vector's thickness.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        made: Sequence[Tensor],
        weights: Sequence[Tensor],
        region: Region,
    ) -> None:
        self.names = [Words(name, size=theme.SPOKEN_SIZE, role=role) for name, _, role in MADE]
        aside = max(name.width for name in self.names) + 2 * theme.GAP
        self.chips = in_line(tokens, region.narrowed(aside, 0))
        across = [float(chip.get_x()) for chip in self.chips]
        near = min(np.diff(across), default=2 * WIDEST)
        self.thick = thick = min(WIDEST, CLOSE * near, 2 * (region.right - across[-1]))
        chip = max(chip.height for chip in self.chips)
        tall = (region.height - chip - 3 * theme.GAP) / 3
        line = region.bottom + tall + theme.GAP + chip / 2
        step = tall + theme.GAP
        over = (chip + tall) / 2 + theme.GAP
        self.over = region.raised(line + chip / 2 + theme.GAP - region.bottom)
        self.made = [
            VGroup(*(Area(row, tall / len(row), role=role, thickness=thick) for row in rows))
            for rows, (_, _, role) in zip(made, MADE, strict=True)
        ]
        size = aside - theme.GAP, tall
        self.tools = [_tool(*each, size) for each in zip(weights, MADE, strict=True)]
        for each in self.chips:
            each.set_y(line)
        levels = (line + over + step, line + over, line - over)
        for y, bodies, name, matrix in zip(levels, self.made, self.names, self.tools, strict=True):
            name.move_to((region.left, y, 0), aligned_edge=LEFT)
            matrix.move_to((region.left + size[0] / 2, y, 0))
            for x, body in zip(across, bodies, strict=True):
                body.move_to((x, y, 0))
        super().__init__(*self.made, *self.chips, *self.names, *self.tools)
        self.start = float(self.tools[0].get_x())
        self.way = min(across[-1], region.right - size[0] / 2) - self.start

    def others(self, *tokens: int) -> list[Chip]:
        """Return the chips of all tokens but some."""
        return [chip for place, chip in enumerate(self.chips) if place not in tokens]

    def vectors(self, rows: Tensor, most: int) -> list[Vector]:
        """Return what every token comes with, at most so many entries, all from one height."""
        foot = max(float(chip.get_top()[1]) for chip in self.chips) + theme.HAIR
        room = SLIM * self.thick, min(self.over.height / (most + 1), LONGEST * SLIM * self.thick)
        bodies = [Vector(row.values, room, upright=True, most=most, numerals=False) for row in rows]
        for body, chip in zip(bodies, self.chips, strict=True):
            body.scale(min(1.0, BROAD * self.thick / body.width))  # brackets keep apart
            body.move_to((chip.get_x(), foot, 0.0), DOWN)
        return bodies

    def pass_over(self, place: int, first: int) -> Together:
        """Return how a matrix passes over all tokens, and leaves behind what it makes of each.

        Key and value of the token `first` are there already. What was made before is out of focus
        meanwhile.
        """
        matrix, run, before = self.tools[place], PASSING, [*chain(*self.made[:place])]
        moving = Shift(matrix, by=self.way * RIGHT, run_time=run)
        moments = np.linspace(0, 1, 101)
        passed = [smooth(moment) for moment in moments]
        there = zip(self.chips, self.made[place], strict=True)
        served = []
        for i, (chip, body) in enumerate(there):
            share = float(chip.get_x() - self.start) / self.way
            come = [Appear(body, scale=1, run_time=theme.HAIR)] * (i != first or not place)
            at = Hold(run * float(np.interp(share, passed, moments)) - theme.HAIR / 2)
            served.append(
                Then(at, Together(Pulse(chip, run_time=theme.QUICK, scale=SWELLING), *come))
            )
        passing = Dim(*before), moving, *served
        named = Disappear(matrix), Appear(self.names[place]), Undim(*before)
        return Then(Together(*passing), Together(*named))


class Asking(VGroup):
    """Some words' own numbers over their chips, as large as a stage allows; the last one asks.

    `vectors[i]` is that of token i, of `state`, (n, d). Over them are `ways` from the asker to the
    others, each with its tip, and `back`; `box` holds all.
    """

    def __init__(
        self, every: Projections, tokens: Sequence[int], state: Tensor, stage: Region
    ) -> None:
        self.chips = [every.chips[i] for i in tokens]
        row, self.homes, self.small = VGroup(*self.chips), list[Chip](), self.chips
        if row.height >= row.width / 2:  # smaller ones hang from the vectors
            self.homes = [chip.copy() for chip in self.chips]
            self.small = [chip.copy().scale(LESSER).align_to(row, UP) for chip in self.chips]
        row = VGroup(*self.small)
        near = min(np.diff([float(chip.get_x()) for chip in self.chips]))
        part = ON_END if self.homes else CHIP_PART
        closer = min(stage.width / max(row.width, near), part * stage.height / row.height)
        high = (FULL - WAYS) * stage.height - row.height * closer
        wide = min(BROADEST, max(near * closer - 3 * theme.GAP, near * closer / 3))
        room = wide, min(wide, (high - 2 * theme.GAP) / MOST)
        foot = float(row.get_top()[1]) + theme.HAIR / closer
        self.vectors = dict[int, Vector]()
        for i, chip in zip(tokens, self.chips, strict=True):
            given, has_room = state[i].values, wide > LEAST_ROOM
            body = Vector(given, room, upright=True, most=MOST, numerals=has_room)
            body.scale(min(1.0, near * closer / body.width) / closer)
            self.vectors[i] = body.move_to((chip.get_x(), foot, 0.0), DOWN)
        *others, self.asker = self.bodies = [*self.vectors.values()]
        self.others, up = others, WAYS * min(stage.width, stage.height) / closer
        (left, low, _), (right, high, _) = (
            VGroup(*self.small, *self.bodies).get_corner(at) for at in (DL, UR)
        )
        self.box = Region(float(left), float(right), float(low), float(high) + up)
        ways, back = (arches(others, self.asker, up, theme.BOLD_LINE) for _ in range(2))
        for place, (way, answer) in enumerate(zip(ways, back, strict=True)):
            way.reverse_direction()
            aside = (len(others) / 2 - 0.5 - place) * APART * up  # so no tip lies on another
            answer.points[:, 0] += np.linspace(0, aside, len(answer.points))
        self.ways, self.back = (
            [VGroup(way.set_stroke(theme.color(role)), _tip(way, role, up)) for way in each]
            for each, role in ((ways, theme.QUERY), (back, theme.KEY))
        )
        super().__init__(*self.bodies, *self.ways, *self.back)

    def rise(self) -> Together:
        """Return how the numbers come out of the words; those that stand on end become smaller."""
        tops = (chip.get_top() for chip in self.small)
        come = Flow(map(Vector.come_out_of, self.bodies, tops), theme.REST)
        return Together(self._size(self.small if self.homes else ()), come)

    def ask(self) -> Then:
        """Return how the last one asks all others."""
        lit = Recolor(self.asker.brackets, role=theme.QUERY), Pulse(self.chips[-1], scale=SWELLING)
        return Then(Together(*lit), self._go(self.ways))

    def answer(self) -> Then:
        """Return how these answer: on the way on which they were asked, back."""
        found = Recolor(*(body.brackets for body in self.others), role=theme.KEY)
        swell = Flow((Pulse(chip, scale=SWELLING) for chip in self.chips[:-1]), theme.QUICK)
        return Then(Together(found, swell, Disappear(*self.ways)), self._go(self.back))

    def _go(self, ways: Sequence[VGroup]) -> Flow:
        return Flow(Then(Draw(way), Appear(tip, run_time=theme.REST)) for way, tip in ways)

    def close(self, bodies: Sequence[Vector]) -> Together:
        """Return how the words' numbers become those of `bodies`, one of each token."""
        gone = Disappear(*self.ways, *self.back, run_time=theme.REST)
        turned = (TurnInto(body, bodies[i]) for i, body in self.vectors.items())
        return Together(gone, *turned, self._size(self.homes))

    def _size(self, likes: Sequence[Chip]) -> Together:
        """Return how the words become as large as these, in their places."""
        return Together(MoveTo(*each, fit=True) for each in zip(self.chips, likes, strict=False))


def _tip(way: VMobject, role: theme.Role, up: float) -> Filled:
    """Return the tip of a way, in size by how high it goes."""
    end, along = way.get_end()[:2], (way.get_end() - way.point_from_proportion(0.98))[:2]
    along *= TIP * up / max(float(np.hypot(*along)), 1e-6)
    side, foot = np.array([-along[1], along[0]]) / 2, end - along
    return Filled(polygons(np.array([[end, foot + side, foot - side]])), role)


class Found(VGroup):
    """A word with its key over it and its value under it, large, at the left end of a region.

    The bodies are those of all `Projections`, which stand here until they `go_home`. `finds` comes
    to the key and `tells` goes from the value, an arrow each, with what is `said` of it; the value
    itself stays, and its `twin` goes.
    """

    def __init__(
        self, every: Projections, place: int, works: tuple[Product, Product], region: Region
    ) -> None:
        self.chip, self.names = (chip := works[0].chip), [work.label for work in works]
        self.key, self.value = self.bodies = [each[place] for each in every.made[1:]]
        self.homes = [body.copy() for body in self.bodies]
        region.fit_width(chip)
        aside = max(max(name.width for name in self.names) + theme.GAP + THICK / 2, chip.width / 2)
        chip.move_to((region.left + aside, region.center[1], 0.0))
        tall = min(TALL, (region.height - chip.height) / 2 - theme.GAP)
        self.finds, self.tells = Arrow(theme.color(theme.QUERY)), Arrow(theme.color(theme.VALUE))
        said = zip(SAID, (theme.QUERY, theme.VALUE), strict=True)
        self.said = [Words(each, size=theme.SPOKEN_SIZE, role=role) for each, role in said]
        long = max(each.width for each in self.said)
        arrows = zip(self.bodies, (UP, DOWN), (self.finds, self.tells), self.said, strict=True)
        for body, side, arrow, each in arrows:
            body.stretch_to_fit_width(THICK).stretch_to_fit_height(tall)
            body.next_to(chip, side, buff=theme.GAP)
            near = body.get_right()[:2] + (theme.GAP, 0.0)
            ends = near, near + (LONG * long, 0.0)
            arrow.point(*(ends if arrow is self.tells else ends[::-1]))
            each.next_to(arrow, UP, buff=theme.HAIR)
        self.twin = self.value.copy()
        super().__init__(self.finds, self.tells, self.twin, *self.said)

    @property
    def whole(self) -> VGroup:
        """All of it, and the names where they come to stand, beside key and value."""
        names = (name.copy().move_to(self._beside(i)) for i, name in enumerate(self.names))
        return VGroup(*self.bodies, self.chip, *names, *self.submobjects)

    def bring(self, work: Product) -> Together:
        """Return how the word's own numbers come out of it, to where they are multiplied."""
        return Together(Appear(self.chip), work.vector.come_out_of(self.chip.get_center()))

    def take(self, place: int, work: Product) -> Together:
        """Return how a product's numbers become the key (0) or the value (1), named as it was.

        The word's own numbers go back into it.
        """
        body, name, made = self.bodies[place], self.names[place], work.result
        high, top = body.height / len(made.values), body.get_top()
        laid = []
        for entry, cell, number in zip(made.shown, made.cells, made.numbers, strict=True):
            band = cell.copy().stretch_to_fit_width(body.width).stretch_to_fit_height(high)
            band.move_to(top + (entry + 0.5) * high * DOWN)
            laid.append(Together(Become(cell, band, LYING), GoInto(number, band, LYING)))
        left = Disappear(work.window, work.matrix, work.symbol, made.brackets, *made.dots)
        lie = Then(
            Hold(theme.HAIR),
            Together(MoveTo(name, self._beside(place), run_time=LYING), Flow(laid, theme.QUICK)),
        )
        seen = (
            Appear(body, scale=1, run_time=theme.REST),
            Disappear(made.cells, run_time=theme.HAIR),
        )
        return Together(left, GoInto(work.vector, self.chip, theme.QUICK), Then(lie, *seen))

    def _beside(self, place: int) -> Point3D:
        """Return where the name of the key (0) or of the value (1) stands."""
        body, name = self.bodies[place], self.names[place]
        return np.asarray(body.get_left() + (theme.GAP + name.width / 2) * LEFT)

    def hand_over(self) -> Then:
        """Return how the key is found, and the value goes to whoever found it."""
        come = ComeFrom(self.finds, self.finds.get_center() + 2 * RIGHT, fit=False)
        met = Pulse(self.key), Pulse(self.names[0])
        left = Unfold(self.twin, self.tells), Then(Hold(), Appear(self.said[1]))
        return Then(Together(come, Appear(self.said[0])), Together(*met), Together(*left))

    def go_home(self) -> Together:
        """Return how key and value go to the rows of all keys and values."""
        gone = Disappear(*self.names, *self.said, self.finds, self.tells, run_time=theme.REST)
        return Together(gone, *map(Become, self.bodies, self.homes))


class Share(VGroup):
    """The share that is taken of a `whole`, which is as large as its frame, over a word.

    Parts: the `body`, flat at first, then the `cut`, as high as the share; and the `frame`.
    """

    def __init__(self, whole: VMobject | VGroup, share: Value, chip: VMobject) -> None:
        self.whole = whole.next_to(chip, UP, buff=theme.GAP)
        self.body, self.cut = (
            whole.copy().stretch_to_fit_height(each).align_to(whole, DOWN)
            for each in (theme.HAIR, share.number * whole.height)
        )
        self.frame = Ring(whole, role=theme.QUIET, corner=0)
        super().__init__(self.body, self.frame)


def adding_up(shares: Sequence[Value]) -> str:
    """Return the format of shares of one in percent: with decimals, where else 101 are written."""
    places = adding_decimals(shares, 1.0) - 2
    return f"{{:.{places}%}}" if places else "{:share}"


def in_line(tokens: Sequence[str], region: Region) -> list[Chip]:
    """Return chips in one line, standing on end where they are too many to be read otherwise."""
    row = TokenRow(tokens, region, largest=theme.HEADING_SIZE, lines=1)
    if row.size >= theme.PLAIN_SIZE:
        free = min(FARTHEST, (region.width - row.width) / max(1, len(tokens) - 1))
        VGroup(*row.chips).arrange(RIGHT, buff=theme.HAIR + free).move_to(region.center)
        return row.chips
    chips = chips_in(tokens, region.width / len(tokens))
    for chip, part in zip(chips, region.in_columns(len(tokens)), strict=True):
        chip.move_to(part.center)
    return chips


def _tool(weights: Tensor, made: tuple[str, str, theme.Role], size: tuple[float, float]) -> VGroup:
    """Return a picture of a matrix, so wide and high, with its sign on it."""
    _, letter, role = made
    heat = Heat(weights.array, (size[0] - theme.HAIR, size[1] - theme.HAIR), thinnest=COARSE)
    ground = Ring(heat, theme.HAIR / 2, role).set_fill(theme.color(theme.BACKGROUND), 1)
    symbol = Formula(f"${role.value}(W_{letter})$", theme.HEADING_SIZE).move_to(heat)
    plate = Ring(symbol, theme.HAIR, role).set_fill(theme.color(theme.PANEL), 1).set_stroke(width=0)
    return VGroup(ground, heat, plate, symbol)
