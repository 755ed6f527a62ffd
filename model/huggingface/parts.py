"""One weight as Hugging Face stores it, and what it is here.

There, a matrix is (out, in) and has the rows of all heads; here it is used as `x @ W`, and each
head has its own. H heads, or those that have keys of their own; K d_head, D d_model.

What is read is a view of the file's own memory wherever it can be, so that all processes that show
a model share it.
"""

from collections.abc import Sequence
from typing import Self

from torch import Tensor

from model.llama import LlamaConfig


class Part:
    """A weight that is the same in both places: an embedding, or a vector."""

    def __init__(self, there: str, *here: str) -> None:
        self.there, self.here = there, here  # one name there; here, one for each that it holds

    def at(self, there: str, here: str) -> Self:
        """Return the same part with prefixes before its names."""
        return type(self)(there + self.there, *(here + name for name in self.here))

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: ARG002
        """Return what a weight of a file is here, a tensor for each name."""
        return (weight,)

    def write(self, ours: Sequence[Tensor]) -> Tensor:
        """Return the weight of a file."""
        return ours[0]


class Matrix(Part):
    """A matrix (out, in) there, (in, out) here."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: ARG002, D102
        return (weight.T,)

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        return ours[0].T


class ToHeads(Part):
    """What makes queries, keys or values: (H K, D) there, (H, D, K) here; or its bias."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: D102
        by_head = weight.view(-1, config.d_head, *weight.shape[1:])  # (H, K, D), or (H, K)
        return (by_head.transpose(1, -1),)

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        return ours[0].transpose(1, -1).flatten(0, 1)


class FromHeads(Part):
    """What gathers all heads' outputs: (D, H K) there, (H, K, D) here."""

    def read(self, weight: Tensor, config: LlamaConfig) -> Sequence[Tensor]:  # noqa: D102
        return (weight.T.view(-1, config.d_head, weight.shape[0]),)

    def write(self, ours: Sequence[Tensor]) -> Tensor:  # noqa: D102
        return ours[0].flatten(0, 1).T
