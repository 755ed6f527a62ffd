"""How a number is made from the arrays of a trace: a tree that is printed, and evaluated.

    >>> q = Address("q", (0, None))
    >>> tree = Applied(ROOT, (Applied(DOT, (q, q)),))
    >>> printed(tree)
    '= square root of (sum over all entries of q[0,:] * q[0,:])'
    >>> evaluate(tree, {"q": np.array([[3.0, 4.0]])})
    5.0

An evaluation starts from the arrays that the leaves name, works in double precision, and uses
nothing of what a film has computed. Each operation stands here once: its words, and its work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
Arrays: TypeAlias = Mapping[str, NDArray[np.floating]]
Index: TypeAlias = tuple[int | None, ...]  # for each axis the entry picked, None where all are kept


SAME = 1e-9  # cosines that differ by less are one


class SourceError(ValueError):
    """A tree that comes to no number; the text says why, as the end of a sentence."""


class _Node:
    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the node itself, which never changes: mobjects are copied with their numbers."""
        return self


@dataclass(frozen=True)
class Address(_Node):
    """Entries of a named array: `pattern[2,1,4,:]`."""

    name: str
    index: Index


@dataclass(frozen=True)
class Told(_Node):
    """A number that no array holds; `kind` is `constant`, `count` or `story`."""

    number: float
    kind: str
    words: str


@dataclass(frozen=True)
class Entry(_Node):
    """Entries of what was worked out: `entry 3,1 of transpose of k[2,1,:,:]`."""

    index: Index
    of: Expression


@dataclass(frozen=True)
class Stacked(_Node):
    """Numbers as a vector, or vectors of one length as the rows of a matrix: `[q[0,:], q[1,:]]`."""

    rows: tuple[Expression, ...]


@dataclass(frozen=True)
class Operation:
    """What is done to operands: the words, with `{}` for each of them, and the work."""

    words: str
    work: Callable[..., Any] = field(compare=False, repr=False)  # arrays to an array or a number


@dataclass(frozen=True)
class Applied(_Node):
    """An operation on operands: `length of q[2,1,4,:]`, `cosine between a[:] and b[:]`."""

    operation: Operation
    operands: tuple[Expression, ...]


Expression: TypeAlias = Address | Told | Entry | Stacked | Applied


def printed(tree: Expression) -> str:
    """Return a source as it is reported; arithmetic comes after '= '."""
    return text(tree) if isinstance(tree, Address | Told) else f"= {text(tree)}"


def text(tree: Expression) -> str:
    """Return what a tree says, as a part of a longer source."""
    match tree:
        case Address(name, index):
            return f"{name}[{_listed(index)}]"
        case Told(_, kind, words):
            return f"{kind}: {words}"
        case Entry(index, of):
            return f"entry {_listed(index)} of {_after_words(of)}"
        case Stacked(rows):
            return f"[{', '.join(map(text, rows))}]"
        case Applied(operation, operands):
            parts = map(_after_words if len(operands) == 1 else _in_brackets, operands)
            return operation.words.format(*parts)


def picked(tree: Expression, index: Index) -> Expression:
    """Return a tree for some entries of what a tree stands for."""
    match tree, index:
        case (Address(name, already), _):
            return Address(name, _filled(already, index))
        case (Entry(already, of), _):
            return Entry(_filled(already, index), of)
        case (Stacked(rows), (int(row), *rest)):
            return picked(rows[row], tuple(rest)) if rest else rows[row]
    return Entry(index, tree)


def evaluate(tree: Expression, arrays: Arrays) -> float:
    """Return the number that a tree comes to. Raises `SourceError` if it comes to none."""
    try:
        with np.errstate(all="ignore"):
            found = _evaluated(tree, arrays)
    except (IndexError, ValueError) as reason:  # NumPy says which shapes do not fit
        raise SourceError(str(reason)) from None
    if found.ndim:
        raise SourceError(f"it leaves {found.size} numbers")
    return float(found)


def agree(shown: float, tree: Expression, evaluated: float) -> bool:
    """Whether a number is what its tree comes to.

    An entry of an array must be that entry, bit for bit in float32. What is worked out may differ
    by 1e-4 of itself and 1e-6.
    """
    if isinstance(tree, Address | Told):
        return bool(np.float32(shown) == np.float32(evaluated))
    return bool(np.isclose(shown, evaluated, rtol=1e-4, atol=1e-6))


def is_passing(tree: Expression) -> bool:
    """Whether a number is shown only on its way to another one."""
    return isinstance(tree, Applied) and tree.operation in {BETWEEN, PART}


def _evaluated(tree: Expression, arrays: Arrays) -> Numbers:
    match tree:
        case Address(name, index):
            if name not in arrays:
                raise SourceError(f"the trace has no tensor '{name}'")
            return np.asarray(arrays[name][_slices(index)], dtype=np.float64)
        case Told(number):
            return np.array(number)
        case Entry(index, of):
            return np.asarray(_evaluated(of, arrays)[_slices(index)])
        case Stacked(rows):
            return np.stack([_evaluated(row, arrays) for row in rows])
        case Applied(operation, operands):
            return np.asarray(operation.work(*(_evaluated(each, arrays) for each in operands)))


def _slices(index: Index) -> tuple[int | slice, ...]:
    return tuple(slice(None) if entry is None else entry for entry in index)


def _filled(index: Index, entries: Index) -> Index:
    """Return an index with entries for the axes that it keeps, and then for those after it."""
    rest = iter(entries)
    filled = tuple(next(rest, None) if entry is None else entry for entry in index)
    return (*filled, *rest)


def _listed(index: Index) -> str:
    return ",".join(":" if entry is None else str(entry) for entry in index)


def _in_brackets(tree: Expression) -> str:
    return text(tree) if isinstance(tree, Address | Stacked) else f"({text(tree)})"


def _after_words(tree: Expression) -> str:
    is_one_thing = isinstance(tree, Applied) and len(tree.operands) == 1
    return text(tree) if is_one_thing or isinstance(tree, Entry) else _in_brackets(tree)


def _cosine(one: Numbers, other: Numbers) -> Numbers:
    return np.asarray((one * other).sum() / np.sqrt((one * one).sum() * (other * other).sum()))


def _shares(weights: Numbers) -> Numbers:
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _softmax(scores: Numbers) -> Numbers:
    return _shares(np.exp(scores - scores.max(axis=-1, keepdims=True)))


def _nearer(rows: Numbers, aim: Numbers, one: Numbers) -> int:
    """Return how many rows have a larger cosine with `aim` than `one` has."""
    lengths = np.sqrt(np.einsum("rd,rd->r", rows, rows)) * np.linalg.norm(aim)
    cosines = rows @ aim / np.where(lengths, lengths, 1.0)
    return int((cosines > _cosine(one, aim) + SAME).sum())


def _spread_share(rows: Numbers) -> float:
    centered = rows - rows.mean(axis=0)
    sizes = np.linalg.eigvalsh(centered.T @ centered)
    return float(sizes[-3:].sum() / sizes.sum()) if sizes.any() else 1.0


ADD = Operation("{} + {}", np.add)
SUBTRACT = Operation("{} - {}", np.subtract)
MULTIPLY = Operation("{} * {}", np.multiply)
DIVIDE = Operation("{} / {}", np.divide)
MATMUL = Operation("{} @ {}", np.matmul)
DOT = Operation("sum over all entries of {} * {}", lambda one, other: (one * other).sum())
COSINE = Operation("cosine between {} and {}", _cosine)
ANGLE = Operation(
    "angle in degrees between {} and {}",
    lambda one, other: np.degrees(np.arccos(np.clip(_cosine(one, other), -1, 1))),
)
NEARER = Operation("number of rows of {} whose cosine with {} is larger than that of {}", _nearer)
SPREAD_SHARE = Operation("share of the spread of the rows of {} in 3 principal axes", _spread_share)
SUM = Operation("sum over key of {}", lambda weights: weights.sum(axis=-1))
LARGEST = Operation("largest of {}", np.max)
LENGTH = Operation("length of {}", np.linalg.norm)
DEVIATION = Operation("standard deviation of {}", np.std)
ENTRIES = Operation("entries in {}", np.size)
ROOT = Operation("square root of {}", np.sqrt)
SURPRISE = Operation("minus log of {}", lambda chance: -np.log(chance))
MEAN = Operation("mean of {}", np.mean)
EXPONENTIAL = Operation("exp of {}", np.exp)
SOFTMAX = Operation("softmax over key of {}", _softmax)
SHARES = Operation("shares over key of {}", _shares)
PAST = Operation("past of {}", np.tril)  # zero where the key comes after the query
TRANSPOSE = Operation("transpose of {}", np.transpose)
BETWEEN = Operation("between {} and {}", lambda *_: np.nan)
PART = Operation("part of {}", lambda _: np.nan)
