"""All tokens' vectors, and what learned matrices make of each: smaller vectors, to one scale.

figure = Projections(tokens, x, weights, [q, k, v], film.stage)
yield figure.pass_over(0)
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup, VMobject
from manim.constants import LEFT, RIGHT, UP

from scenes import theme
from scenes.mobjects.matrix import Area
from scenes.mobjects.text import Formula, Words
from scenes.mobjects.tokens import chips_in
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    GAP,
    HAIR,
    KEY,
    PLAIN_SIZE,
    QUERY,
    QUICK,
    SPOKEN_SIZE,
    STEADY,
    VALUE,
    Role,
)
from scenes.verbs import Appear, ComeFrom, Flow, Shift, Then, Together

MADE = (("queries", "Q", QUERY), ("keys", "K", KEY), ("values", "V", VALUE))
WIDEST = 0.6  # scene units, a vector's thickness
ONE = 0.6  # of the width of a matrix, a vector: thinner than many beside each other


class Projections(VGroup):
    """All tokens' vectors in columns, and under them their queries, keys and values, to scale.

    Parts: `labels[i]`, `inputs[i]`, `made[0][i]` (a query), `matrices` and `names` of the rows.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        inputs: Tensor,
        weights: Sequence[Tensor],
        made: Sequence[Tensor],
        region: Region,
    ) -> None:
        large, small = weights[0].shape
        self.names = [Words(name, size=PLAIN_SIZE, role=role) for name, _, role in MADE]
        left = max(name.width for name in self.names) + 2 * GAP
        pitch = (region.width - left) / len(tokens)
        self.labels = chips_in(tokens, pitch)
        head = max(label.height for label in self.labels) + 2 * GAP
        unit = min((region.height - head - 5 * GAP) / (large + 3 * small), left / small / 1.5)
        wide = min(WIDEST, 0.5 * pitch, ONE * unit * small)
        columns = [region.left + left + (i + 0.5) * pitch for i in range(len(tokens))]
        tall = unit * large
        middle = region.top - head - GAP - tall / 2
        self.inputs = [Area(row, unit, thickness=wide) for row in inputs]
        self.made = [
            [Area(row, unit, role=role, thickness=wide) for row in rows]
            for rows, (_, _, role) in zip(made, MADE, strict=True)
        ]
        for i, x in enumerate(columns):
            self.labels[i].move_to((x, region.top, 0), aligned_edge=UP)
            self.inputs[i].move_to((x, middle, 0))
            for place, rows in enumerate(self.made):
                y = middle - tall / 2 - (place + 0.5) * (unit * small + GAP) - GAP / 2
                rows[i].move_to((x, y, 0))
                self.names[place].move_to((region.left, y, 0), aligned_edge=LEFT)
        self.matrices = [
            self._matrix(weight, unit, letter, role, (region.left + left / 2, middle))
            for weight, (_, letter, role) in zip(weights, MADE, strict=True)
        ]
        self.parts = [*self.inputs, *(area for rows in self.made for area in rows), *self.names]
        super().__init__(*self.labels, *self.parts, *self.matrices)
        end = min(columns[-1], region.right - self.matrices[0].width / 2)
        self.way = end - float(self.matrices[0].get_x())

    def pass_over(self, place: int, first: int = -1) -> Together:
        """Return how a matrix passes over all vectors and leaves what it makes under them.

        What is made of the token `first` is there already.
        """
        coming = [
            ComeFrom(area, self.inputs[i], QUICK, fit=False)
            for i, area in enumerate(self.made[place])
            if i != first
        ]
        appear = Appear(*self.labels, *self.inputs, self.matrices[place], self.names[place])
        moving = Shift(self.matrices[place], by=self.way * RIGHT, run_time=STEADY)
        return Then(appear, Together(moving, Flow(coming, budget=STEADY)))

    def first(self, token: int) -> list[VMobject]:
        """Return one token's label and vector, the first matrix, its result and the row's name."""
        label, vector, made = self.labels[token], self.inputs[token], self.made[0][token]
        return [label, vector, self.matrices[0], made, self.names[0]]

    def _matrix(
        self, weights: Tensor, unit: float, letter: str, role: Role, at: tuple[float, float]
    ) -> VGroup:
        area = Area(weights, unit, outline=role)
        back = area.outline.copy().set_fill(theme.color(BACKGROUND), 1)
        symbol = Formula(f"${role.value}(W_{letter})$", SPOKEN_SIZE)
        VGroup(back, area).move_to((*at, 0))
        return VGroup(back, area, symbol.next_to(area, UP, buff=HAIR))
