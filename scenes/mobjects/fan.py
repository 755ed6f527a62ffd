"""Vectors as arrows from one point, each at its true angle to one of them; then at other angles.

fan = Fan(tokens, asker, np.array([before, after]), film.stage)     # angles in degrees
yield Vary(fan.turn, 0, 1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from manim import VMobject
from manim.constants import UP
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.space import Arrow, Space
from scenes.mobjects.text import Words, called
from scenes.region import Region
from scenes.theme import GAP, QUERY, SPOKEN_SIZE

RIGHT_ANGLE = 90.0
STOPS = 9  # places of the arrows between which they turn
MANY = 9  # tokens; so many do not all stand on the sides that they answer from


class Fan(Space):
    """Everybody's vector at its true angle to the asker's, which stands upright.

    `turn` goes from the tokens' own vectors (0) to the asker's query and everybody's keys (1).
    `asking`, with the name `query`, stays upright when the asker's own arrow turns.
    """

    def __init__(
        self, tokens: Sequence[str], asker: int, states: NDArray[np.float64], region: Region
    ) -> None:
        ahead = states[1] < RIGHT_ANGLE
        if ahead.all() or not ahead.any() or len(tokens) > MANY:
            ahead = np.argsort(np.argsort(states[1])) % 2 == 0
        shares = np.linspace(0, 1, STOPS)[:, None]
        turns = np.radians((1 - shares) * states[0] + shares * states[1])
        stops = np.stack([np.where(ahead, -1, 1) * np.sin(turns), np.cos(turns)], axis=-1)
        names = [called(token) for token in tokens]
        room = replace(region, top=region.top - GAP)
        super().__init__(list(stops), names, room, size=SPOKEN_SIZE)
        self.asking = Arrow(theme.color(QUERY))
        end = self.origin + (0, self.unit)
        self.asking.point(self.origin, end)
        self.query = Words("query of {}", names[asker], size=SPOKEN_SIZE, role=QUERY)
        self.query.move_to((*end, 0)).shift(UP * self.query.height)
        self.add(self.asking, self.query)

    def of(self, tokens: Sequence[int]) -> list[VMobject]:
        """Return the names and arrows of some tokens."""
        return [part for i in tokens for part in (self.labels[i], self.arrows[i])]

    def turn(self, share: float) -> None:
        """Stand between the first state (0) and the second (1)."""
        self.stand_at(share * (STOPS - 1))
