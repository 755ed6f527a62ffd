"""What each source adds to a word's vector through one head. It knows arrays, and no pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenes.analysis.principal_plane import Floats, PrincipalPlane, principal_plane
from scenes.provenance import (
    Tensor,
    Value,
    dot,
    length,
    matmul,
    scaled,
    stacked,
)


@dataclass(frozen=True)
class Pushes:
    """A vector (D,), the change (D,) that a head makes, and what each source gives to it.

    `each[j]` is the weight of source j times its value, lifted by the head's part of W_O; all of
    them add up to the change.
    """

    vector: Tensor
    change: Tensor
    each: tuple[Tensor, ...]

    @classmethod
    def of(
        cls,
        ends: tuple[Tensor, Tensor],
        weights: Tensor,
        values: Tensor,
        lifting: Tensor,
        many: int,
    ) -> Pushes:
        """Work out what the first `many` sources give, from weights (T,) and values (T, K).

        `ends` are the vector and the change, `lifting` is the head's part of W_O, (K, D).
        """
        each = (scaled(weights[j].value, matmul(values[j], lifting)) for j in range(many))
        return cls(*ends, tuple(each))

    @property
    def order(self) -> list[int]:
        """The sources, the one that pushes farthest first."""
        return sorted(range(len(self.each)), key=lambda j: -length(self.each[j]).number)

    @property
    def ratio(self) -> Value:
        """How long the change is beside the vector."""
        return length(self.change) / length(self.vector)

    @property
    def shares(self) -> list[Value]:
        """The share of each source in the change: its push along it. They add up to one."""
        whole = dot(self.change, self.change)
        return [dot(push, self.change) / whole for push in self.each]

    def plane(self) -> PrincipalPlane:
        """Return the principal plane of the vector and all pushes."""
        return principal_plane(stacked(self._arrows))

    def tips(self, plane: PrincipalPlane) -> Floats:
        """Return where the vector and then the pushes in their order end, tip to tail: (n, 2)."""
        return np.asarray(np.cumsum([plane.projected(arrow) for arrow in self._arrows], axis=0))

    def is_far(self, source: int, share: float) -> bool:
        """Whether a source pushes at least a share as far as the one that pushes farthest."""
        farthest = length(self.each[self.order[0]]).number
        return length(self.each[source]).number >= share * farthest

    @property
    def _arrows(self) -> list[Tensor]:
        return [self.vector, *(self.each[j] for j in self.order)]
