"""One vector in, several small ones out, for every token. It knows no model.

Under each token stands its vector, and below it what each matrix makes of it; all lengths are to
one scale, so that a vector of a sixth of the entries is a sixth as tall.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Animation, Mobject, VGroup, VMobject, linear
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import Move, Together, one_after_another
from scenes.arrivals import Appear, Fly
from scenes.first_mobjects.labels import size_for
from scenes.first_mobjects.matrix import WeightMatrix
from scenes.first_mobjects.plate import Plate
from scenes.first_mobjects.strip import Strip
from scenes.mobjects.text import Formula, TokenText, Words, em_of
from scenes.presence import hide
from scenes.provenance import Tensor, count
from scenes.region import Region
from scenes.theme import (
    BODY_SIZE,
    GAP,
    HAIR,
    INK,
    LABEL_SIZE,
    QUICK,
    QUIET,
    SMALL_SIZE,
    SMALLEST_SIZE,
    Role,
)

WIDEST_PITCH = 1.45  # from token to token, in scene units
STRIP_SHARE = 0.5  # of the pitch
WIDEST_STRIP = 0.5  # scene units
CARD_SHARE = 0.9  # of the pitch
SHORTEST = 0.22  # a small vector, however large the ratio, in scene units


@dataclass(frozen=True)
class Projection:
    """What a matrix (n, k) makes of every token: vectors (T, k), their role, and its letter."""

    vectors: Tensor
    weights: Tensor
    role: Role
    letter: str


class ProjectedTokens(VGroup):
    """Vectors (T, n) of the tokens as strips in a row, and a row of small ones per projection.

    All parts have their place from the start and are unseen until they are revealed. `bands[b][t]`
    is what projection b makes of token t.
    """

    def __init__(
        self,
        inputs: Tensor,
        projections: Sequence[Projection],
        pieces: Sequence[str],
        region: Region,
    ) -> None:
        self.projections = projections
        tensors = [inputs, *(each.vectors for each in projections)]
        self.signs, self.sizes = _signs(projections), _sizes(tensors)
        room = region.width - self.signs.width - self.sizes.width - 2 * GAP
        self.pitch = min(WIDEST_PITCH, room / (len(pieces) + 0.5))
        self.labels = VGroup(*_names(pieces, self.pitch))
        tall = region.height - self.labels.height - GAP * (len(projections) + 1)
        self.inputs, *self.bands = self._rows(tensors, tall)
        self._arrange()
        super().__init__(self.labels, self.inputs, *self.bands, self.signs, self.sizes)
        self.move_to(region.center).align_to((0, region.top, 0), UP)
        hide(self)

    def card(self, band: int, most: tuple[int, int]) -> MatrixCard:
        """Return a projection's matrix as a card that covers the first token's vector.

        `most` says how many rows and columns of it may be drawn.
        """
        width, height = CARD_SHARE * self.pitch, self.inputs[0].height + GAP / 2
        return MatrixCard(self.projections[band], most, width, height).move_to(self.inputs[0])

    def reveal_inputs(self, row: Iterable[Mobject]) -> Animation:
        """Let the tokens' names come from where they stand in a row, and their vectors under them.

        The letter and the length of the vectors come as well.
        """
        names = one_after_another(map(Fly, self.labels, row))
        vectors = Together([one_after_another(map(Appear, self.inputs)), self.name_row(0)])
        return Together([names, vectors], lag_ratio=0.6)

    def name_row(self, row: int) -> Animation:
        """Let the letter and the length of a row's vectors come in; row 0 is what goes in."""
        return Together([Appear(self.signs[row]), Appear(self.sizes[row])])

    def visit(self, card: Mobject, band: int, run_time: float) -> Animation:
        """Let a matrix pass along the tokens; from under it each token's small vector drops."""
        way = self.inputs[-1].get_center() - self.inputs[0].get_center()
        passing = Move(card, way, run_time)
        passing.rate_func = linear
        step = run_time / max(len(self.inputs) - 1, 1)
        drops = [
            Fly(strip, above, run_time=QUICK)
            for strip, above in zip(self.bands[band], self.inputs, strict=True)
        ]
        return Together([passing, Together(drops, lag_ratio=step / QUICK)])

    def but(self, tokens: Collection[int]) -> list[Mobject]:
        """Return all that stands under other tokens than these, their names included."""
        rest = [i for i in range(len(self.inputs)) if i not in tokens]
        return [row[i] for row in (self.labels, *self.rows) for i in rest]

    @property
    def rows(self) -> tuple[VGroup, ...]:
        """The vectors that go in, and what each projection makes of them."""
        return self.inputs, *self.bands

    def _rows(self, tensors: Sequence[Tensor], tall: float) -> list[VGroup]:
        """Return the strips of each row, all entries of one height, `tall` in all."""
        roles = [INK, *(each.role for each in self.projections)]
        heights = _heights([tensor.shape[1] for tensor in tensors], tall)
        width = min(WIDEST_STRIP, STRIP_SHARE * self.pitch)
        return [
            VGroup(*(Strip(vector, width, height, role, _largest(tensor)) for vector in tensor))
            for tensor, height, role in zip(tensors, heights, roles, strict=True)
        ]

    def _arrange(self) -> None:
        low = float(self.labels.get_bottom()[1]) - GAP / 2
        rows = zip((self.inputs, *self.bands), self.signs, self.sizes, strict=True)
        for row, sign, size in rows:
            for place, strip in enumerate(row):
                strip.move_to((place * self.pitch, low, 0), aligned_edge=UP)
            middle = float(row.get_y())
            sign.next_to((-0.5 * self.pitch, middle, 0), LEFT, buff=0)
            size.next_to(((len(row) - 0.5) * self.pitch, middle, 0), RIGHT, buff=0)
            low = float(row.get_bottom()[1]) - GAP


class MatrixCard(VGroup):
    """A matrix of weights on a plate, with its letter below; sizes in scene units."""

    def __init__(
        self, projection: Projection, most: tuple[int, int], width: float, height: float
    ) -> None:
        name = f"${projection.role.value}(W_{projection.letter.upper()})$"
        self.label = Formula(name, LABEL_SIZE)
        self.plate = Plate(width, height)
        inner = height - self.label.height - 2.5 * HAIR
        self.matrix = WeightMatrix(projection.weights, (1, 1), most)
        self.matrix.stretch_to_fit_width(width - HAIR).stretch_to_fit_height(inner)
        self.matrix.next_to(self.plate.get_top(), DOWN, buff=HAIR / 2)
        self.label.next_to(self.matrix, DOWN, buff=HAIR)
        super().__init__(self.plate, self.matrix, self.label)


def _signs(projections: Sequence[Projection]) -> VGroup:
    letters = ["$x$", *(f"${each.role.value}({each.letter})$" for each in projections)]
    return VGroup(*(Formula(letter, BODY_SIZE) for letter in letters))


def _sizes(tensors: Sequence[Tensor]) -> VGroup:
    """Return how many numbers a vector of each row has."""
    sizes = (count(tensor.shape[1], "entries of a vector") for tensor in tensors)
    return VGroup(*(Words("{} numbers", size, size=SMALL_SIZE, role=QUIET) for size in sizes))


def _names(pieces: Sequence[str], pitch: float) -> list[VMobject]:
    """Return a name over every column; crowded ones stand on two lines.

    Where not even that is wide enough, the vectors' symbols stand there instead.
    """
    size = size_for(pieces, 2 * pitch - 2 * HAIR)
    names: list[VMobject] = [TokenText(piece, size) for piece in pieces]
    if any(name.width > 2 * pitch - HAIR for name in names):
        names = [Formula(f"$x_{i}$", SMALLEST_SIZE + 2) for i in range(1, len(pieces) + 1)]
    crowded = any(name.width > pitch - HAIR for name in names)
    for place, name in enumerate(names):
        line = em_of(LABEL_SIZE) * 1.2 if crowded and place % 2 == 0 else 0
        name.shift(RIGHT * (place * pitch - name.get_x()) + UP * line)
    return names


def _heights(lengths: Sequence[int], tall: float) -> list[float]:
    """Return heights, `tall` in all, proportional to lengths; none is less than `SHORTEST`."""
    entry = tall / sum(lengths)
    long = [length for length in lengths if length * entry >= SHORTEST]
    entry = (tall - SHORTEST * (len(lengths) - len(long))) / sum(long)
    return [length * entry if length in long else SHORTEST for length in lengths]


def _largest(tensor: Tensor) -> float:
    return float(np.abs(tensor.array).max()) or 1.0
