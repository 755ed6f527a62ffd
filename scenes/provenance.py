"""Numbers that know where they come from. It knows nothing of models and mobjects.

A `Tensor` is an array with its address (`pattern[2,1]`); one entry of it is a `Value`
(`pattern[2,1,4,3]`). Arithmetic on values writes down what it did, so that every numeral on the
stage can say where it comes from:

    products = [q_i * k_i for q_i, k_i in zip(query, key)]   # "= q[1,2,3,0] * k[1,2,2,0]", ...
    total([...], "component", query, key)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float32]
Index: TypeAlias = int | slice


@dataclass(frozen=True)
class Value:
    """A number and its source: an address, or arithmetic on addresses after '= '."""

    number: float
    source: str

    def __float__(self) -> float:
        return self.number

    def __mul__(self, other: Value) -> Value:
        return Value(self.number * other.number, f"= {self.term} * {other.term}")

    def __add__(self, other: Value) -> Value:
        return Value(self.number + other.number, f"= {self.term} + {other.term}")

    def __sub__(self, other: Value) -> Value:
        return Value(self.number - other.number, f"= {self.term} - {other.term}")

    def __truediv__(self, other: Value) -> Value:
        return Value(self.number / other.number, f"= {self.term} / {other.term}")

    @property
    def term(self) -> str:
        """The source as a part of a longer one: an address as it is, arithmetic in brackets."""
        return f"({self.source[2:]})" if self.source.startswith("= ") else self.source


def count(number: int, of: str) -> Value:
    """Return a shape or a count: `count(16, "entries of a query")`."""
    return Value(float(number), f"count: {of}")


def constant(number: float, origin: str) -> Value:
    """Return a published figure; `origin` says where it was published."""
    return Value(float(number), f"constant: {origin}")


@dataclass(frozen=True)
class Tensor:
    """An array of numbers and the address of its corner in the trace.

    `index` holds, for every axis of the named tensor, the entry that was picked or the slice that
    was kept; `array` is what is left. Indexing goes through the kept axes from the left.
    """

    array: Array
    name: str
    index: tuple[Index, ...] = field(default=())

    def __post_init__(self) -> None:
        if not self.index:
            object.__setattr__(self, "index", (slice(None),) * self.array.ndim)

    def __getitem__(self, key: int | tuple[int, ...]) -> Tensor:
        keys = key if isinstance(key, tuple) else (key,)
        index = list(self.index)
        kept = [axis for axis, entry in enumerate(index) if isinstance(entry, slice)]
        for axis, entry in zip(kept, keys, strict=False):
            index[axis] = range(self.array.shape[kept.index(axis)])[entry]
        return replace(self, array=self.array[keys], index=tuple(index))

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        return (self[i] for i in range(len(self)))

    def column(self, key: int) -> Tensor:
        """Return what is left when the last axis is picked, such as a column of a matrix."""
        index = list(self.index)
        last = max(axis for axis, entry in enumerate(index) if isinstance(entry, slice))
        index[last] = range(self.array.shape[-1])[key]
        return replace(self, array=self.array[..., key], index=tuple(index))

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes that are left."""
        return self.array.shape

    @property
    def address(self) -> str:
        """The name and index, such as `pattern[2,1,4,:]`."""
        entries = [":" if isinstance(entry, slice) else str(entry) for entry in self.index]
        return f"{self.name}[{','.join(entries)}]"

    @property
    def value(self) -> Value:
        """The number, once every axis has been picked."""
        return Value(float(self.array), self.address)

    @property
    def values(self) -> list[Value]:
        """The numbers of a tensor with one axis left."""
        return [entry.value for entry in self]


@dataclass(frozen=True)
class Pairs(Tensor):
    """What every two of n vectors give each other: (n, n), each entry with its own source."""

    table: tuple[tuple[Value, ...], ...] = ()

    @property
    def value(self) -> Value:
        """The number of a pair, once both have been picked."""
        one, other = self.index
        assert isinstance(one, int)
        assert isinstance(other, int)
        return self.table[one][other]


class Addressed(Protocol):
    """An array that can say where it comes from: a `Tensor`, or what is worked out from some."""

    @property
    def array(self) -> NDArray[np.floating]:
        """The numbers."""

    @property
    def address(self) -> str:
        """The source as a part of a longer one."""


@dataclass(frozen=True)
class Derived:
    """An array worked out from tensors, in double precision, and how, as a part of a source."""

    array: NDArray[np.float64]
    address: str


def matmul(one: Addressed, other: Addressed) -> Derived:
    """Return the matrix product; a vector stands on the left as a row."""
    product = one.array.astype(np.float64) @ other.array.astype(np.float64)
    return Derived(product, f"({one.address} @ {other.address})")


def scaled(weight: Value, array: Addressed) -> Derived:
    """Return a number times an array."""
    return Derived(
        weight.number * array.array.astype(np.float64), f"({weight.term} * {array.address})"
    )


def added(one: Addressed, other: Addressed) -> Derived:
    """Return the sum of two arrays of one shape."""
    total = one.array.astype(np.float64) + other.array.astype(np.float64)
    return Derived(total, f"({one.address} + {other.address})")


def stacked(vectors: Sequence[Addressed]) -> Derived:
    """Return vectors of one length as the rows of a matrix."""
    rows = np.stack([vector.array.astype(np.float64) for vector in vectors])
    return Derived(rows, f"[{', '.join(vector.address for vector in vectors)}]")


def heads_joined(array: Addressed) -> Derived:
    """Return (heads, entries, ...) with the entries of all heads end to end."""
    joined = array.array.astype(np.float64).reshape(-1, *array.array.shape[2:])
    return Derived(joined, f"(heads joined in {array.address})")


def singular_values(matrix: Addressed) -> list[Value]:
    """Return the singular values of a matrix, the largest first."""
    sizes = np.linalg.svd(matrix.array.astype(np.float64), compute_uv=False)
    return [
        Value(float(size), f"= singular value {place} of {matrix.address}")
        for place, size in enumerate(sizes)
    ]


def entry_count(array: Addressed) -> Value:
    """Return how many entries there are."""
    return Value(float(array.array.size), f"= entries in {array.address}")


def root(value: Value) -> Value:
    """Return the square root of a number."""
    return Value(float(np.sqrt(value.number)), f"= square root of {value.term}")


def entries_of(vector: Addressed) -> list[Value]:
    """Return the numbers of a vector that was worked out."""
    return [
        Value(float(number), f"= entry {place} of {vector.address}")
        for place, number in enumerate(vector.array)
    ]


def dot(one: Addressed, other: Addressed) -> Value:
    """Return the dot product of two vectors, summed in double precision."""
    number = float(np.dot(one.array.astype(np.float64), other.array.astype(np.float64)))
    return Value(number, f"= sum over all entries of {one.address} * {other.address}")


def length(vector: Addressed) -> Value:
    """Return the Euclidean length of a vector, summed in double precision."""
    number = float(np.linalg.norm(vector.array.astype(np.float64)))
    return Value(number, f"= length of {vector.address}")


def cosine(one: Addressed, other: Addressed) -> Value:
    """Return the cosine of the angle between two vectors."""
    number = dot(one, other).number / (length(one).number * length(other).number)
    return Value(number, f"= cosine between {one.address} and {other.address}")


def pairs(vectors: Sequence[Tensor], measure: Callable[[Tensor, Tensor], Value]) -> Pairs:
    """Return what `measure`, such as `dot` or `cosine`, gives for every two of n vectors."""
    table = tuple(tuple(measure(one, other) for other in vectors) for one in vectors)
    numbers = np.array([[value.number for value in row] for row in table], dtype=np.float32)
    return Pairs(numbers, measure.__name__, table=table)


def largest_gap(one: Addressed, other: Addressed) -> Value:
    """Return the largest absolute difference between two routes to the same array."""
    gap = np.abs(one.array.astype(np.float64) - other.array.astype(np.float64)).max()
    return Value(float(gap), f"= largest difference between {one.address} and {other.address}")


def largest_difference(one: Sequence[Value], other: Sequence[Value]) -> Value:
    """Return the largest absolute difference between two routes to the same numbers."""
    gaps = [abs(a.number - b.number) for a, b in zip(one, other, strict=True)]
    return Value(max(gaps), f"= largest difference between {_route(one)} and {_route(other)}")


def _route(values: Sequence[Value]) -> str:
    """Return the sources of a route: one as a term, several as a list in square brackets."""
    if len(values) == 1:
        return values[0].term
    return "[" + ", ".join(value.source.removeprefix("= ") for value in values) + "]"
