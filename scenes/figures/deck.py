"""Attention heads as cards: laid out side by side, a row, a wall, a wall that recedes.

    deck = Deck(patterns, (layer, head), regions={Pose.FRONT: film.stage})
    yield Vary(deck.go, Pose.FRONT, Pose.DECK)      # all heads of a layer, in reading order

It is projected in NumPy and painted back to front: a card's plate hides what is behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import IntEnum

import numpy as np
from manim import Rectangle, VGroup
from manim.constants import LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.outlines import CORNERS, Filled, Points, in_space, polygons
from scenes.mobjects.pattern import dot_rows
from scenes.mobjects.text import Words, em_of
from scenes.region import Region
from scenes.theme import (
    FAINTEST_FILL,
    HAIR,
    INK,
    LEAST_SIZE,
    OUTPUT,
    PANEL,
    QUERY,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    Role,
)

BESIDE = 1.14  # from a card of the row or the wall to the next
APART = 0.6  # of a card, between a wall's columns
DRAWN = 288  # patterns at most; further cards of a wall are plain
WIDEST_SLOT, ROOM = 2.2, 0.4  # scene units; places left free beside heads in a row
LOWER = 1.0  # em, a name's line under a card
LINE = 1.5  # em, the room of a name under a card
SPACE = 0.1  # of a card, free between two names


class Pose(IntEnum):
    """How the cards stand and from where they are seen."""

    FRONT = 0  # one card by itself; the others of its layer are behind it, if they are seen at all
    DECK = 1  # all of its layer laid out in reading order, as large as they can be
    ROW = 2  # the layer's heads side by side
    WALL = 3  # a row for each layer, the first at the foot; many layers stand in columns
    FAR = 4  # the wall as a plain that recedes, larger than the model's own heads


PITCHES = 1.4, 1.32  # of cards in reading order: to the next one, and to the one below
NAMED = 0.2  # of a card, more to the next one where there is a word between them


@dataclass(frozen=True)
class Sight:
    """From where things in space are seen: angles in degrees, the distance in sides of a card.

    What stands in space is turned in its plane by `roll`, then about the upright axis by `yaw`,
    then about the level one by `pitch`.
    """

    roll: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0
    distance: float = 14.0

    def toward(self, other: Sight, share: float) -> Sight:
        """Return the sight after `share` of the way to another one."""
        ends = zip(astuple(self), astuple(other), strict=True)
        return Sight(*((1 - share) * one + share * two for one, two in ends))

    def seen(self, points: Points) -> Points:
        """Return where points (n, 3) are seen, in perspective: (n, 2)."""
        roll, yaw, pitch = np.radians([self.roll, self.yaw, self.pitch])
        x, y, z = points.T
        x, y = x * np.cos(roll) - y * np.sin(roll), x * np.sin(roll) + y * np.cos(roll)
        x, z = x * np.cos(yaw) - z * np.sin(yaw), x * np.sin(yaw) + z * np.cos(yaw)
        y, z = y * np.cos(pitch) - z * np.sin(pitch), y * np.sin(pitch) + z * np.cos(pitch)
        nearness = self.distance / (self.distance - z)
        return np.stack([x * nearness, y * nearness], axis=1)


SIGHTS = dict.fromkeys(Pose, Sight()) | {
    Pose.WALL: Sight(distance=60),
    Pose.FAR: Sight(roll=45, pitch=-54, distance=76),
}
UPRIGHT = Sight(roll=45, pitch=-40, distance=66)  # a far wall in a region that is higher than wide


class Deck(VGroup):
    """The heads of patterns (layers, heads, queries, keys); those of one layer make the deck.

    `front` is the layer and the head whose card is seen at first. `regions` says what each pose
    fills; one that is missing fills what the pose before it fills. `plain` is how many layers and
    heads there are in the pose `FAR`, the model's own included; its parts are layers. The dots of
    the query `lit` have the colour of queries on every card.
    """

    def __init__(
        self,
        patterns: NDArray[np.floating],
        front: tuple[int, int],
        regions: Mapping[Pose, Region],
        *,
        lit: int = -1,
        plain: tuple[int, int] = (0, 0),
    ) -> None:
        self.layers, self.heads, self.tokens, _ = patterns.shape
        self.lit, (self.layer, self.front), self.regions = lit, front, _for_every_pose(regions)
        layer = self.layer
        self._pieces: list[_Piece] = []  # of the layer first, then of other heads, then the plain
        drawn = self._drawn()
        rows = sorted(drawn, key=lambda row: row != layer)
        self.cards: dict[tuple[int, int], VGroup] = {}
        for where in ((row, head) for row in rows for head in range(self.heads)):
            self.cards[where] = self._card(patterns[where], where)
        one_row = [(0, head) for head in range(self.heads)]
        self.undrawn = [self._tiles(one_row, row) for row in range(self.layers) if row not in drawn]
        self.plain = VGroup(*(self._beyond(row, plain[1]) for row in range(plain[0])))
        self._gather()
        self.own = [self.cards[layer, head] for head in range(self.heads)]
        others = [card for (row, _), card in self.cards.items() if row != layer]
        self.others = VGroup(*self.undrawn, *others)
        super().__init__(self.plain, self.others, *reversed(self.own))
        self.go(Pose.FAR)
        self.go(Pose.FRONT)

    def row_seen(self, head: int) -> tuple[Points, Rectangle]:
        """Return the dots of `lit` on a card of the layer as they are seen now, and their box.

        The box, which is on no stage, is theirs where the card is seen from the front.
        """
        plate, _, dots = self.own[head]
        high = plate.height / self.tokens
        box = Rectangle(width=plate.width, height=high, stroke_color=theme.color(QUERY))
        box.move_to(plate).shift(((self.tokens - 1) / 2 - self.lit) * high * UP)
        return dots.points.copy(), box

    def look(self, text: str, key: int) -> Words:
        """Return a word under the column of a key on the front card, where that stands alone."""
        self.go(Pose.FRONT)
        plate = self.own[self.front][0]
        told = Words("{}", text, size=SPOKEN_SIZE, role=QUERY)
        told.move_to(plate).shift(((key + 0.5) / self.tokens - 0.5) * plate.width * RIGHT)
        told.shift((plate.get_bottom()[1] - LOWER * told.em - told.baseline) * UP)
        self.regions[Pose.FRONT].hold(told)
        return told

    def looks(self, texts: Sequence[str], keys: Sequence[int]) -> list[Words]:
        """Return the word of a key for each head, under its column where all are laid out.

        They are none where they would be too small.
        """
        self.go(Pose.DECK)
        stage = self.regions[Pose.DECK]
        told = [Words("{}", texts[key], size=SPOKEN_SIZE, role=QUERY) for key in keys]
        side = float(self.own[0][0].width)
        room = (self._across(stage) - SPACE) * side, (PITCHES[1] - 1) * side / LINE / told[0].em
        share = min(1.0, room[0] / max(each.width for each in told), room[1])
        for each, key, (plate, *_) in zip(told, keys, self.own, strict=True):
            each.scale(share)
            off, free = ((key + 0.5) / self.tokens - 0.5) * side, max(0.0, side - each.width) / 2
            x, half = plate.get_x() + np.clip(off, -free, free), each.width / 2
            each.set_x(float(np.clip(x, stage.left + half, stage.right - half)))
            each.shift((plate.get_bottom()[1] - LOWER * each.em - each.baseline) * UP)
        self.go(Pose.FRONT)
        return told if share * SPOKEN_SIZE >= LEAST_SIZE else []

    def named(self, text: str) -> list[Words]:
        """Return a word before the row of `lit` of each head, where all are laid out.

        They are none where there is no room for them.
        """
        self.go(Pose.DECK)
        stage = self.regions[Pose.DECK]
        told = [Words("{}", text, size=SPOKEN_SIZE, role=QUERY) for _ in self.own]
        for each, (plate, *_) in zip(told, self.own, strict=True):
            free = (self._across(stage) - 1) * plate.width - 2 * HAIR
            each.scale(min(1.0, free / each.width, plate.height / self.tokens / each.em))
            each.next_to(plate, LEFT, buff=HAIR)
            each.shift(((self.tokens - 1) / 2 - self.lit) * plate.height / self.tokens * UP)
        self.go(Pose.FRONT)
        is_small = told[0].em < em_of(LEAST_SIZE)
        is_off = any(each.get_left()[0] < stage.left for each in told)
        return [] if is_small or is_off else told

    def block(self, row: int) -> VGroup:
        """Return the cards of a layer that are drawn, if it is one of those."""
        return VGroup(*(card for (each, _), card in self.cards.items() if each == row))

    def go(self, pose: float) -> None:
        """Show the cards in a pose, or on the way between one and the next: 0.5 is half a turn."""
        here = Pose(min(int(pose), Pose.FAR - 1))
        there, share = Pose(here + 1), pose - here
        sight = self._sight(here).toward(self._sight(there), share)
        places = (1 - share) * self._places[here] + share * self._places[there]
        fits = (self._fit(each, sight, places) for each in (here, there))
        (one, low), (two, high) = fits
        scale = one ** (1 - share) * two**share
        shown = self._shown[there]  # what comes later is unseen
        points = self._shape[:shown] + places[self._owner[:shown]]
        flat = scale * sight.seen(points) + (1 - share) * low + share * high
        seen = in_space(flat)
        for piece, start, end in self._spans:
            if end <= shown:
                piece.path.points = seen[start:end]

    def _sight(self, pose: Pose) -> Sight:
        is_upright = self.regions[pose].height > self.regions[pose].width
        return UPRIGHT if pose == Pose.FAR and is_upright else SIGHTS[pose]

    def _centers(self, pose: Pose) -> Points:
        """Return where the card of each piece stands in a pose: (pieces, 3)."""
        per = self.layers if pose == Pose.FAR else self._rows_of_a_wall()
        laid = self._laid_out(pose) if pose == Pose.DECK else np.zeros((self.heads, 3))
        return np.array(
            [
                laid[piece.head]
                if pose <= Pose.DECK and piece.row == self.layer
                else self._offset(max(piece.row, 0), piece.head, per)
                for piece in self._pieces
            ]
        )

    def _laid_out(self, pose: Pose) -> Points:
        """Return where the layer's heads stand in reading order, as large as can be: (heads, 3)."""
        region, (_, up) = self.regions[pose], PITCHES
        across = self._across(region)

        def side(columns: int) -> float:
            rows = -(-self.heads // columns)
            return float(min(region.width / columns / across, region.height / rows / up))

        row, column = np.divmod(np.arange(self.heads), max(range(1, self.heads + 1), key=side))
        return np.stack([across * column, -up * row, 0.0 * row], axis=1)

    def _across(self, region: Region) -> float:
        """Return the pitch of cards side by side in reading order; in a wide frame, for a word."""
        return PITCHES[0] + NAMED * (not region.is_narrow)

    def _fit(self, pose: Pose, sight: Sight, places: Points) -> tuple[float, Points]:
        """Return the scale and offset at which what a pose is about fills its region."""
        edge = self._edges[pose]
        seen = sight.seen(self._shape[edge] + places[self._owner[edge]])
        low, high = seen.min(axis=0), seen.max(axis=0)
        region, size = self.regions[pose], high - low
        scale = float(min(region.width / size[0], region.height / size[1]))
        return scale, region.center[:2] - scale * (low + high) / 2

    def _drawn(self) -> list[int]:
        """Return the layers of which patterns are drawn: those nearest to the one shown."""
        nearest = sorted(range(self.layers), key=lambda row: abs(row - self.layer))
        return sorted(nearest[: max(1, DRAWN // self.heads)])

    def _card(self, pattern: NDArray[np.floating], where: tuple[int, int]) -> VGroup:
        """Return a plate, the dots upon it, and those of one query."""
        is_own = where[0] == self.layer
        framed = {*Pose} if is_own else {Pose.WALL, Pose.FAR}
        plate = self._piece(polygons(CORNERS[None]), PANEL, where, framed)
        plate.set_stroke(theme.color(QUIET), THIN_LINE / 2)
        rows = dot_rows(pattern)
        one = rows.pop(self.lit) if self.lit >= 0 else np.zeros((0, 3))
        dots = self._piece(np.concatenate([one[:0], *rows]), INK, where)
        return VGroup(plate, dots, self._piece(one, QUERY, where))

    def _beyond(self, row: int, heads: int) -> Filled:
        """Return the plain plates of a layer that the model's own heads leave free."""
        first = self.heads if row < self.layers else 0
        return self._tiles([(row, head) for head in range(first, heads)])

    def _tiles(self, cards: Sequence[tuple[int, int]], row: int = -1) -> Filled:
        """Return plain plates as one path: a layer's own, or those of no layer of the model."""
        at = BESIDE * np.array(cards, float).reshape(-1, 1, 2)[..., ::-1]
        poses = {Pose.FAR} if row < 0 else {Pose.WALL, Pose.FAR}
        role, opacity = (OUTPUT, FAINTEST_FILL) if row < 0 else (PANEL, 1.0)
        return self._piece(polygons(at + CORNERS), role, (row, 0), poses, opacity)

    def _piece(
        self,
        shape: Points,
        role: Role,
        where: tuple[int, int],
        framed: Collection[Pose] = (),
        opacity: float = 1.0,
    ) -> Filled:
        path = Filled(shape, role, opacity)
        self._pieces.append(_Piece(path, *where, frozenset(framed)))
        return path

    def _gather(self) -> None:
        """Join the pieces' outlines; note for each pose how many are shown, and their edge."""
        lengths = [len(piece.path.points) for piece in self._pieces]
        ends = np.cumsum([0, *lengths]).tolist()
        self._spans = list(zip(self._pieces, ends, ends[1:], strict=False))
        self._shape = np.concatenate([piece.path.points for piece in self._pieces])
        self._owner = np.repeat(np.arange(len(self._pieces)), lengths)
        self._places = {pose: self._centers(pose) for pose in Pose}
        layer = max(end for piece, _, end in self._spans if piece.row == self.layer)
        wall = max(end for piece, _, end in self._spans if piece.row >= 0)
        self._shown = dict.fromkeys(Pose, layer) | {Pose.WALL: wall, Pose.FAR: ends[-1]}
        self._edges = {pose: self._edge(pose) for pose in Pose}

    def _edge(self, pose: Pose) -> NDArray[np.int64]:
        """Return which points a pose has to keep in sight: in one plane, corners are enough."""
        framed = np.array([pose in piece.framed for piece in self._pieces])[self._owner]
        (found,) = np.nonzero(framed)
        if pose < Pose.WALL:
            return found
        x, y, _ = (self._shape + self._places[pose][self._owner])[found].T
        return found[[way.argmax() for way in (x + y, x - y, y - x, -x - y)]]

    def _rows_of_a_wall(self) -> int:
        """Return how many layers stand one above the other, for cards as large as can be."""
        region = self.regions[Pose.WALL]

        def side(rows: int) -> float:
            columns = -(-self.layers // rows)
            across = columns * self.heads + (columns - 1) * APART
            return float(min(region.width / across, region.height / rows))

        return max(range(1, self.layers + 1), key=side)

    def _offset(self, row: int, head: int, rows: int) -> tuple[float, float, float]:
        """Return where a head stands in a wall of columns of so many rows."""
        column, up = divmod(row, rows)
        return (BESIDE * (head + column * (self.heads + APART)), BESIDE * up, 0.0)


def slots(stage: Region, heads: int) -> Region:
    """Return where heads stand side by side at a stage's foot."""
    pitch, (middle, *_) = min(WIDEST_SLOT, stage.width / (heads + ROOM)), stage.center
    half = pitch * ((heads - 1) / 2 + 1 / BESIDE / 2)
    return Region(middle - half, middle + half, stage.bottom, stage.bottom + pitch / BESIDE)


@dataclass(frozen=True)
class _Piece:
    """A path, the head on whose card it is drawn, and the poses in which it is to be in sight."""

    path: Filled
    row: int
    head: int
    framed: frozenset[Pose]


def _for_every_pose(regions: Mapping[Pose, Region]) -> dict[Pose, Region]:
    """Return a region for each pose: that of the pose before, where it has none of its own."""
    found: dict[Pose, Region] = {}
    for pose in Pose:
        found[pose] = regions[pose] if pose in regions else found[Pose(pose - 1)]
    return found
