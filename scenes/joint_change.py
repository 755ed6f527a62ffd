"""What all heads of a layer give one token, at once and head by head. It knows no pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from scenes.provenance import (
    Tensor,
    Value,
    added,
    heads_joined,
    largest_gap,
    matmul,
)


@dataclass(frozen=True)
class JointChange:
    """One token's z (K,) and change (D,) of every head, all ways up (H, K, D), and the bias (D,).

    `every` is z of all heads, (H, K); `bias` is empty in a model that has none.
    """

    z: tuple[Tensor, ...]
    every: Tensor
    ups: Tensor
    changes: tuple[Tensor, ...]
    bias: tuple[Tensor, ...]

    @classmethod
    def of(
        cls, tensor: Callable[[str], Tensor], layer: int, token: int, *, biased: bool
    ) -> JointChange:
        """Take them from all tensors; `tensor` gives them by name."""
        z, out = (tensor(name)[layer] for name in ("z", "head_out"))
        bias = (tensor("weights.b_O")[layer],) if biased else ()
        heads = range(len(z))
        return cls(
            tuple(z[head, token] for head in heads),
            z[:, token],
            tensor("weights.W_O")[layer],
            tuple(out[head, token] for head in heads),
            bias,
        )

    @property
    def at_once(self) -> Tensor:
        """The change as one product: z of all heads end to end, times all ways up."""
        return reduce(added, self.bias, matmul(heads_joined(self.every), heads_joined(self.ups)))

    @property
    def head_by_head(self) -> Tensor:
        """The change as a sum: every head's own."""
        addends: list[Tensor] = [*self.changes, *self.bias]
        return reduce(added, addends)

    @property
    def gap(self) -> Value:
        """The largest difference between both."""
        return largest_gap(self.at_once, self.head_by_head)

    @property
    def steps(self) -> list[list[Value]]:
        """The addends of the sum, one after another."""
        return [addend.values for addend in (*self.changes, *self.bias)]

    def products(self, shown: Sequence[int]) -> list[dict[int, Value]]:
        """Return what each entry of z, of all heads, gives to the numbers shown, and the bias."""
        rows = [
            {i: entry.value * row[i].value for i in shown}
            for z, up in zip(self.z, self.ups, strict=True)
            for entry, row in zip(z, up, strict=True)
        ]
        return [*rows, *({i: bias[i].value for i in shown} for bias in self.bias)]
