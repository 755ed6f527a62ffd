"""What each source token gives to the change that a head makes of a token's vector."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.provenance import Tensor, Value, dot, length


@dataclass(frozen=True)
class Pushes:
    """A vector (D,), the change (D,) that a head makes, and what each source gives to it.

    `each[j]` is the weight of source j times its value, lifted by the head's part of W_O; all of
    them add up to the change.
    """

    vector: Tensor
    change: Tensor
    each: tuple[Tensor, ...]

    @property
    def ratio(self) -> Value:
        """How long the change is beside the vector."""
        return length(self.change) / length(self.vector)

    @property
    def shares(self) -> list[Value]:
        """The share of each source in the change: its push along it. They add up to one."""
        whole = dot(self.change, self.change)
        return [dot(push, self.change) / whole for push in self.each]
