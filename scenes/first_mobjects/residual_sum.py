"""A vector, a head's change and their sum, beside the stream that carries them.

It knows three arrays, and no model; the stream itself is in `residual`.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import LEFT, RIGHT, UP

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.residual import BRANCH, ResidualBranch
from scenes.first_mobjects.tile_row import TileRow, row_form
from scenes.mobjects.text import Words, decimals_for
from scenes.provenance import Tensor, Value, added, length
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, LABEL_SIZE, OUTPUT, QUIET, SLOW, Role

HIGHEST_ROW = 0.62  # scene units
BRANCH_ROOM = BRANCH + 1.1  # left of the stream, for the branch and its box
STREAM_ENDS = 0.55  # beyond the first and the last row, in scene units


class ResidualSum(VGroup):
    """`vector` (D,) plus `change` (D,), entry by entry; `names` are those of both and of the sum.

    Both rows and their sum stand right of the stream, each with its length over it. The third row
    is the vector, as it comes straight on, until the change is added.
    """

    def __init__(
        self, vector: Tensor, change: Tensor, names: Sequence[str], box: str, region: Region
    ) -> None:
        self.sums = [x + d for x, d in zip(vector.values, change.values, strict=True)]
        given = [vector.values, change.values, self.sums]
        lengths = [length(vector), length(change), _length_of_sum(vector, change)]
        width = region.width - BRANCH_ROOM - 2 * GAP
        decimals = max(decimals_for(row, 2) for row in given)
        numbers = [value for row in given for value in row]
        form = row_form(numbers, len(self.sums), width, HIGHEST_ROW, decimals)
        largest = max(abs(value.number) for row in given for value in row)
        self.rows = [
            TileRow(row, form, largest, role)
            for row, role in zip((*given[:2], given[0]), (QUIET, OUTPUT, QUIET), strict=True)
        ]
        pitch = min(1.75, (region.height - HIGHEST_ROW) / 2.6)
        self.labels = [
            _label(name, size, role)
            for name, size, role in zip(names, lengths, (INK, OUTPUT, INK), strict=True)
        ]
        for place, (row, label) in enumerate(zip(self.rows, self.labels, strict=True)):
            y = -place * pitch
            row.shift(RIGHT * (2 * GAP - row.get_left()[0]))
            row.shift(UP * (y - row.vector.brackets.get_y()))
            label.next_to(row, UP, buff=HAIR).align_to(row, LEFT)
        self.circuit = ResidualBranch(box, STREAM_ENDS, -pitch, -2 * pitch - STREAM_ENDS / 2)
        super().__init__(self.circuit, *self.rows, *self.labels)
        self.move_to(region.center)

    def reveal_vector(self) -> Animation:
        """Let the vector and the stream that it comes down come in."""
        return Together([Appear(self.circuit.into), *self._row(0)])

    def go_straight_on(self) -> Animation:
        """Let the vector arrive at the stream's end as it is."""
        parts = self.circuit.plus, self.circuit.out, self.rows[2]
        return one_after_another(map(Appear, parts))

    def reveal_branch(self) -> Animation:
        """Let the branch with its box, and then the change, come in."""
        circuit = self.circuit
        return one_after_another([Appear(circuit.branch), Appear(circuit.box), *self._row(1)])

    def add_change(self) -> Animation:
        """Let what has arrived become the sum."""
        return Together([self.rows[2].count_to(self.sums, SLOW), Appear(self.labels[2])])

    def _row(self, place: int) -> list[Animation]:
        return [Appear(self.rows[place]), Appear(self.labels[place])]


def _label(name: str, size: Value, role: Role) -> Words:
    return Words("{}: length {:.1f}", name, size, size=LABEL_SIZE, role=role)


def _length_of_sum(one: Tensor, other: Tensor) -> Value:
    return length(added(one, other))
