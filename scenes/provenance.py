"""Numbers that know where they come from.

A `Tensor` is an array with its origin, which is often an address in the trace (`pattern[2,1]`); one
entry of it is a `Value` (`pattern[2,1,4,3]`). Arithmetic on values, and the functions below, write
down what they did as an expression, so that every numeral on the stage can say its source and
`check` can work it out again:

    products = [q_i * k_i for q_i, k_i in zip(query, key)]   # "= q[1,2,3,0] * k[1,2,2,0]", ...
    dot(query, key)                  # "= sum over all entries of q[1,2,3,:] * k[1,2,2,:]"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scenes import expressions
from scenes.expressions import (
    Address,
    Applied,
    Expression,
    Numbers,
    Operation,
    Stacked,
    Told,
    picked,
    printed,
    text,
)

Array: TypeAlias = NDArray[np.floating]


@dataclass(frozen=True)
class Value:
    """A number and the expression that it is the value of."""

    number: float
    origin: Expression

    @cached_property
    def source(self) -> str:
        """The origin as it is reported: an address, or arithmetic on addresses after '= '."""
        return printed(self.origin)

    def __float__(self) -> float:
        return self.number

    def __add__(self, other: Value) -> Value:
        return applied(expressions.ADD, self.number + other.number, self, other)

    def __sub__(self, other: Value) -> Value:
        return applied(expressions.SUBTRACT, self.number - other.number, self, other)

    def __mul__(self, other: Value) -> Value:
        return applied(expressions.MULTIPLY, self.number * other.number, self, other)

    def __truediv__(self, other: Value) -> Value:
        return applied(expressions.DIVIDE, self.number / other.number, self, other)


@dataclass(frozen=True)
class Watch:
    """Notes, under its name, that an array of the trace is read: all of it, or a layer of it.

    The first axis of most arrays is that of the layers, or of the tokens.
    """

    note: Callable[[str, object], object]
    name: str
    array: Array
    is_part: bool = False

    def read(self) -> None:
        """Note that numbers are read."""
        self.note(self.name, self.array)

    def measure(self) -> None:
        """Note that the lengths of the axes are read."""
        self.note(f"shape of {self.name}", self.array.shape)

    def part(self, first: int) -> Watch:
        """Return a watch over one entry of the first axis."""
        if self.is_part:
            return self
        return Watch(self.note, f"{self.name}[{first}]", self.array[first], is_part=True)


class Tensor:
    """An array and the expression that it is the value of; its entries and rows have theirs.

    `origin` may be the name of an array of the trace. Indexing picks entries of the axes from the
    left, `:` keeps one: `tensor("pattern")[layer, head]`, `tensor("z")[layer, :, token]`.
    """

    def __init__(self, array: Array, origin: Expression | str, watch: Watch | None = None) -> None:
        self._array, self._watch = array, watch
        if isinstance(origin, str):
            origin = Address(origin, (None,) * array.ndim)
        self.origin: Expression = origin

    def __getitem__(self, key: int | slice | tuple[int | slice, ...]) -> Tensor:
        keys = key if isinstance(key, tuple) else (key,)
        if any(isinstance(entry, slice) and entry != slice(None) for entry in keys):
            raise TypeError("An axis is kept whole, or one entry of it is picked.")
        index = tuple(
            None if isinstance(entry, slice) else range(length)[entry]
            for entry, length in zip(keys, self._array.shape, strict=False)
        )
        first = index[0] if index else None
        watch = self._watch.part(first) if self._watch and first is not None else self._watch
        return Tensor(self._array[keys], picked(self.origin, index), watch)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        return (self[i] for i in range(len(self)))

    def column(self, key: int) -> Tensor:
        """Return what is left when the last axis is picked, such as a column of a matrix."""
        return self[(*(slice(None),) * (self._array.ndim - 1), key)]

    @property
    def array(self) -> Array:
        """The numbers; that they are read is noted where somebody watches."""
        if self._watch:
            self._watch.read()
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        if self._watch:
            self._watch.measure()
        return self._array.shape

    @property
    def address(self) -> str:
        """The origin's words, such as `pattern[2,1,4,:]`."""
        return text(self.origin)

    @property
    def value(self) -> Value:
        """The number of a tensor without axes."""
        return Value(float(self.array), self.origin)

    @property
    def values(self) -> list[Value]:
        """The numbers of a tensor with one axis."""
        return [entry.value for entry in self]

    @property
    def double(self) -> Numbers:
        """The array in double precision, itself where it is that already."""
        return self.array.astype(np.float64, copy=False)


def count(number: int, of: str) -> Value:
    """Return a shape or a count: `count(16, "entries of a query")`."""
    return _told(number, "count", of)


def constant(number: float, origin: str) -> Value:
    """Return a published figure; `origin` says where it was published."""
    return _told(number, "constant", origin)


def story(number: float, of: str) -> Value:
    """Return an invented figure, for a picture with a badge that says so."""
    return _told(number, "story", of)


def head_score(number: float | None, target: str, layer: int, head: int) -> Value:
    """Return what a head was measured to do, as `model.heads` names it; None: it was not."""
    found = np.nan if number is None else number
    return Value(found, Address(f"heads.{target}", (layer, head)))


def between(start: Value, end: Value, share: float) -> Value:
    """Return a number on its way from `start` at share 0 to `end` itself at share 1."""
    number = (1 - share) * start.number + share * end.number
    return applied(expressions.BETWEEN, number, start, end) if share < 1 else end


def part_of(whole: Value, number: float) -> Value:
    """Return what has been added up so far on the way to a whole."""
    return applied(expressions.PART, number, whole)


def applied(operation: Operation, number: float | np.floating, *operands: Value | Tensor) -> Value:
    """Return a number that an operation on some operands gave."""
    return Value(float(number), Applied(operation, tuple(each.origin for each in operands)))


def transformed(operation: Operation, array: Array, *operands: Value | Tensor) -> Tensor:
    """Return an array that an operation on some operands gave."""
    return Tensor(array, Applied(operation, tuple(each.origin for each in operands)))


def matmul(one: Tensor, other: Tensor) -> Tensor:
    """Return the matrix product; a vector stands on the left as a row."""
    return transformed(expressions.MATMUL, one.double @ other.double, one, other)


def added(one: Tensor, other: Tensor) -> Tensor:
    """Return the sum of two arrays of one shape, or of a matrix and a bias for each row."""
    return transformed(expressions.ADD, one.double + other.double, one, other)


def subtracted(one: Tensor, other: Tensor) -> Tensor:
    """Return the difference of two arrays of one shape."""
    return transformed(expressions.SUBTRACT, one.double - other.double, one, other)


def scaled(weight: Value, array: Tensor) -> Tensor:
    """Return a number times an array."""
    return transformed(expressions.MULTIPLY, weight.number * array.double, weight, array)


def multiplied(one: Tensor, other: Tensor) -> Tensor:
    """Return the product of two arrays of one shape, entry by entry."""
    return transformed(expressions.MULTIPLY, one.double * other.double, one, other)


def divided(array: Tensor, divisor: Value) -> Tensor:
    """Return an array divided by a number."""
    return transformed(expressions.DIVIDE, array.double / divisor.number, array, divisor)


def stacked(vectors: Sequence[Tensor]) -> Tensor:
    """Return vectors of one length as the rows of a matrix."""
    rows = np.stack([vector.double for vector in vectors])
    return Tensor(rows, Stacked(tuple(vector.origin for vector in vectors)))


def transposed(matrix: Tensor) -> Tensor:
    """Return a matrix with rows and columns exchanged."""
    return transformed(expressions.TRANSPOSE, matrix.double.T, matrix)


def entry_count(array: Tensor) -> Value:
    """Return how many entries there are."""
    return applied(expressions.ENTRIES, array.array.size, array)


def root(value: Value) -> Value:
    """Return the square root of a number."""
    return applied(expressions.ROOT, value.number**0.5, value)


def mean(values: Sequence[Value]) -> Value:
    """Return the mean of some numbers."""
    row = _vector(values)
    return applied(expressions.MEAN, row.double.mean(), row)


def total(row: Tensor) -> Value:
    """Return the sum of a row over its keys."""
    return applied(expressions.SUM, row.double.sum(), row)


def dot(one: Tensor, other: Tensor) -> Value:
    """Return the dot product of two vectors, summed in double precision."""
    return applied(expressions.DOT, np.dot(one.double, other.double), one, other)


def length(vector: Tensor) -> Value:
    """Return the Euclidean length of a vector, summed in double precision."""
    return applied(expressions.LENGTH, np.linalg.norm(vector.double), vector)


def cosine(one: Tensor, other: Tensor) -> Value:
    """Return the cosine of the angle between two vectors."""
    number = dot(one, other).number / (length(one).number * length(other).number)
    return applied(expressions.COSINE, number, one, other)


def angle(one: Tensor, other: Tensor) -> Value:
    """Return the angle between two vectors, in degrees."""
    degrees = np.degrees(np.arccos(np.clip(cosine(one, other).number, -1, 1)))
    return applied(expressions.ANGLE, degrees, one, other)


def pairs(vectors: Sequence[Tensor], measure: Callable[[Tensor, Tensor], Value]) -> Tensor:
    """Return (n, n): what `measure`, such as `dot`, gives for every two of n vectors."""
    return stacked([_vector([measure(one, other) for other in vectors]) for one in vectors])


def _vector(values: Sequence[Value]) -> Tensor:
    numbers = np.array([value.number for value in values])
    return Tensor(numbers, Stacked(tuple(value.origin for value in values)))


def _told(number: float, kind: str, words: str) -> Value:
    return Value(float(number), Told(float(number), kind, words))
