"""Cards of one kind: fanned out in depth, or side by side. It knows nothing of what they show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import Animation, Mobject, Square, VGroup, VMobject

from scenes.animations import Settle, Together
from scenes.region import Region
from scenes.theme import GAP, SLOW

FARTHEST = 0.6  # side of the last card, as a share of the first one's
REACH = np.array((1.72, 1.36))  # what the fan takes, as a share of the first card's side
DEEP = 6  # cards; fewer of them stand as near one another, and do not reach as far
TOLERANCE = 1e-6  # scene units
CROWD = 0.1  # from one card in a row to the next, at least, as a share of its side


class Deck(VGroup):
    """Square cards one behind another, `front` first; `cards` keeps the order they came in.

    The farther back a card is, the smaller it is and the farther up and to the right. `room` is how
    many cards its fan has room for, if there are more in a fan beside it.
    """

    def __init__(self, cards: Sequence[VMobject], front: int = 0, room: int = 0) -> None:
        self.cards = list(cards)
        self.room = room
        self.front = self.cards[front]
        self.from_front = [self.front, *(card for card in self.cards if card is not self.front)]
        super().__init__(*reversed(self.from_front))

    def stack(self, region: Region) -> Deck:
        """Set all cards where the first one stands in the fan."""
        place = fan_places(len(self.cards), region, self.room)[0]
        for card in self.cards:
            card.scale(place.width / card.width).move_to(place)
        return self

    def fan_out(self, region: Region) -> Animation:
        """Let the cards slide out from behind the first one."""
        places = fan_places(len(self.cards), region, self.room)
        return self.settle(places, self.from_front, SLOW)

    def lay_out(self, places: Iterable[Mobject], run_time: float = SLOW) -> Animation:
        """Let every card go to its own place, in the order they came in."""
        return self.settle(places, self.cards, run_time)

    @staticmethod
    def settle(places: Iterable[Mobject], cards: Sequence[Mobject], run_time: float) -> Animation:
        """Let cards go to places together."""
        moves = zip(cards, places, strict=True)
        return Together(Settle(card, place, run_time) for card, place in moves)


def fan_places(count: int, region: Region, room: int = 0) -> list[Square]:
    """Return where the cards of a fan stand, the first one in front, as large as fits.

    If there is `room` for more cards, they are as large and as near one another as more would be.
    """
    room = max(count, room)
    depths = np.linspace(0, min(1, (room - 1) / (DEEP - 1)), room)
    reach, taken = (1 + (REACH - 1) * depth for depth in (depths[-1], depths[count - 1]))
    side = min(region.width / reach[0], region.height / reach[1])
    low = region.center[:2] - side * np.array((taken[0], reach[1])) / 2
    first = low + side
    places = []
    for depth in depths[:count]:
        size = side * (1 - (1 - FARTHEST) * depth)
        corner = first + depth * (REACH - 1) * side  # the upper right one
        places.append(Square(size).move_to((*(corner - size / 2), 0)))
    return places


def row_places(count: int, region: Region, around: float, narrowest: float) -> list[Square]:
    """Return squares in as many rows as make them largest, and the rows' ends meet the region's.

    Each leaves `around` scene units free below itself, and is given a width of `narrowest`.
    """
    best, columns = 0.0, 1
    for across in range(1, count + 1):
        rows = -(-count // across)
        wide = region.width / across
        high = region.height / rows - around
        if wide >= narrowest - TOLERANCE and min(wide / (1 + CROWD), high) > best + TOLERANCE:
            best, columns = min(wide / (1 + CROWD), high), across
    if not best:
        raise ValueError(f"There is no room for {count} cards.")
    rows = -(-count // columns)
    pitch = min(region.width / columns, max(best, narrowest) + 2 * GAP)
    line = best + around
    top = region.center[1] + rows * line / 2
    places = []
    for i in range(count):
        row, column = divmod(i, columns)
        here = min(columns, count - row * columns)
        x = region.center[0] + (column - (here - 1) / 2) * pitch
        places.append(Square(best).move_to((x, top - row * line - best / 2, 0)))
    return places
