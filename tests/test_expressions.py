"""A tree prints what a reader takes it for, and comes to the number that it stands beside."""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from scenes import provenance
from scenes.analysis.softmax import (
    exponentials,
    past,
    shares,
    softmax,
    standard_deviation,
)
from scenes.expressions import (
    ADD,
    BETWEEN,
    COSINE,
    MATMUL,
    ROOT,
    Address,
    Applied,
    Entry,
    Expression,
    SourceError,
    Stacked,
    Told,
    agree,
    evaluate,
    is_passing,
    printed,
)
from scenes.provenance import Tensor, Value

DRAW = np.random.default_rng(0)
ARRAYS = {
    "q": np.array([[3.0, 4.0], [1.0, -2.0]], dtype=np.float32),
    "k": np.array([[0.5, 0.25], [2.0, 1.0]], dtype=np.float32),
    "x": DRAW.normal(0, 2, (4, 4)).astype(np.float32),
    "weights.W": DRAW.normal(0, 1, (2, 4, 4)).astype(np.float32),
}
Q, K, X, W = (Tensor(array, name) for name, array in ARRAYS.items())


def values() -> dict[str, tuple[Value, float]]:
    """By source: a value, and what a reader of the source takes it for."""
    one, other = Q[0, 1].value, K[1, 0].value
    listed = [
        ("q[1,1]", Q[1, 1].value, -2.0),
        ("= q[0,1] * k[1,0]", one * other, 8.0),
        ("= (q[0,1] * k[1,0]) - q[0,1]", one * other - one, 4.0),
        ("= (q[0,1] / k[1,0]) / k[0,0]", one / other / K[0, 0].value, 4.0),
        ("= sum over key of q[0,:]", provenance.total(Q[0]), 7.0),
        ("= sum over all entries of q[0,:] * k[1,:]", provenance.dot(Q[0], K[1]), 10.0),
        ("= length of q[0,:]", provenance.length(Q[0]), 5.0),
        ("= square root of entries in q[:,:]", provenance.root(provenance.entry_count(Q)), 2.0),
        (
            "= square root of (sum over all entries of q[0,:] * q[0,:])",
            provenance.root(provenance.dot(Q[0], Q[0])),
            5.0,
        ),
        (
            "= cosine between q[0,:] and (q[0,1] * q[0,:])",
            provenance.cosine(Q[0], provenance.scaled(one, Q[0])),
            1.0,
        ),
        ("= entry 1,0 of (q[:,:] + k[0,:])", provenance.added(Q, K[0])[1, 0].value, 1.5),
        ("= entry 0,1 of transpose of q[:,:]", provenance.transposed(Q)[0, 1].value, 1.0),
        ("= entry 0 of (q[0,:] @ k[:,:])", provenance.matmul(Q[0], K)[0].value, 9.5),
        ("heads.induction[2,1]", provenance.head_score(0.75, "induction", 2, 1), 0.75),
        ("count: heads", provenance.count(3, "heads"), 3.0),
        ("constant: GPT-3, table 2.1", provenance.constant(175e9, "GPT-3, table 2.1"), 175e9),
        ("story: invented", provenance.story(0.4, "invented"), 0.4),
        ("= (count: heads) * q[0,1]", provenance.count(3, "heads") * one, 12.0),
    ]
    return {source: (value, number) for source, value, number in listed}


SCORES = {"heads.induction": np.arange(6.0).reshape(3, 2) * 0.15}


@pytest.mark.parametrize("source", values())
def test_a_source_says_in_words_what_the_number_is(source: str) -> None:
    value, number = values()[source]
    assert value.source == source
    assert value.number == pytest.approx(number, abs=1e-5)
    assert evaluate(value.origin, ARRAYS | SCORES) == pytest.approx(number, abs=1e-5)


# Python itself reads the printed sources: words become operators that bind as the words do.


@dataclass
class Prefix:
    """`length ** x` for 'length of x': it binds most, and chains run from the right."""

    work: Callable[[Any], Any]

    def __pow__(self, operand: Any) -> Any:
        return self.work(np.asarray(operand, dtype=np.float64))


@dataclass
class Infix:
    """`cosine % x % y` for 'cosine between x and y'."""

    work: Callable[[Any, Any], Any]
    given: tuple[Any, ...] = ()

    def __mod__(self, operand: Any) -> Any:
        given = (*self.given, np.asarray(operand, dtype=np.float64))
        return self.work(*given) if len(given) == 2 else Infix(self.work, given)


class AllEntries:
    """`entries | x * y` for 'sum over all entries of x * y': it binds least."""

    def __or__(self, product: Any) -> Any:
        return sum(float(each) for each in product)


class Rows:
    def __getitem__(self, rows: Any) -> Any:
        return np.array(rows if isinstance(rows, tuple) else (rows,))


class Picked:
    def __getitem__(self, index: Any) -> Prefix:
        return Prefix(lambda array: array[index])


def of_torch(work: Callable[[torch.Tensor], torch.Tensor]) -> Prefix:
    return Prefix(lambda array: work(torch.from_numpy(np.array(array))).numpy())


WORDS: dict[str, Any] = {
    "sum over key of": of_torch(torch.sum),
    "length of": of_torch(torch.linalg.norm),
    "square root of": of_torch(torch.sqrt),
    "exp of": of_torch(torch.exp),
    "largest of": of_torch(torch.max),
    "standard deviation of": of_torch(lambda numbers: torch.std(numbers, correction=0)),
    "entries in": Prefix(lambda array: float(len(array.ravel()))),
    "softmax over key of": of_torch(lambda scores: torch.softmax(scores, -1)),
    "shares over key of": of_torch(lambda w: torch.nn.functional.normalize(w, p=1, dim=-1)),
    "past of": of_torch(torch.tril),
    "transpose of": of_torch(torch.t),
    "largest difference between": Infix(lambda one, other: max(abs(one - other).ravel())),
    "cosine between": Infix(
        lambda one, other: torch.cosine_similarity(
            torch.from_numpy(one), torch.from_numpy(other), dim=0
        ).item()
    ),
}


def read(source: str) -> float:
    """Return what a printed source comes to when Python reads it."""
    said = source.removeprefix("= ").replace("weights.W", "W")
    said = re.sub(r"(?<!\w)\[", "rows[", said)
    said = said.replace("sum over all entries of", "entries |").replace(" and ", " % ")
    said = re.sub(r"entry ([\d,:]+) of", r"picked[\1] **", said)
    names: dict[str, Any] = {"rows": Rows(), "entries": AllEntries(), "picked": Picked()}
    for place, (words, work) in enumerate(WORDS.items()):
        said = said.replace(words, f"f{place} {'%' if isinstance(work, Infix) else '**'}")
        names[f"f{place}"] = work
    arrays = {name.removeprefix("weights."): a.astype(np.float64) for name, a in ARRAYS.items()}
    return float(eval(said, names | arrays))  # noqa: S307 # a source, which we have printed


class Grower:
    """Grows values at random, out of all that films work out with."""

    def __init__(self, seed: int) -> None:
        self.draw = np.random.default_rng(seed)

    def any_of(self, *choices: Any) -> Any:
        return choices[self.draw.integers(len(choices))]

    def number(self, depth: int) -> Value:
        if not depth:
            return self.vector(0)[int(self.draw.integers(4))].value
        one, other = self.vector(depth - 1), self.vector(depth - 1)
        grown = self.any_of(
            lambda: provenance.dot(one, other),
            lambda: provenance.cosine(one, other),
            lambda: provenance.dot(one, one),
            lambda: provenance.length(one),
            lambda: provenance.total(one),
            lambda: provenance.root(provenance.entry_count(one)),
            lambda: provenance.root(provenance.dot(one, one)),
            lambda: standard_deviation(one),
            lambda: one[1].value * other[2].value + one[0].value,
            lambda: one[1].value - self.number(depth - 1) / provenance.entry_count(other),
        )
        return grown()

    def vector(self, depth: int) -> Tensor:
        if not depth:
            return self.any_of(X[int(self.draw.integers(4))], X.column(2), W[1].column(0), W[0, 3])
        one = self.vector(depth - 1)
        grown = self.any_of(
            lambda: provenance.added(one, self.vector(depth - 1)),
            lambda: provenance.matmul(one, self.matrix(depth - 1)),
            lambda: provenance.scaled(self.number(depth - 1), one),
            lambda: provenance.divided(one, provenance.root(provenance.entry_count(one))),
            lambda: softmax(one),
            lambda: shares(exponentials(softmax(one))),
            lambda: self.matrix(depth - 1)[int(self.draw.integers(4))],
        )
        return grown()

    def matrix(self, depth: int) -> Tensor:
        if not depth:
            return self.any_of(X, W[0], W[1])
        one = self.matrix(depth - 1)
        grown = self.any_of(
            lambda: provenance.transposed(one),
            lambda: provenance.matmul(one, self.matrix(depth - 1)),
            lambda: provenance.added(one, self.vector(depth - 1)),
            lambda: provenance.stacked([self.vector(depth - 1) for _ in range(4)]),
            lambda: provenance.pairs([*X], self.any_of(provenance.dot, provenance.cosine)),
            lambda: shares(past(softmax(one))),
        )
        return grown()


TREES = [Grower(seed).number(depth) for depth in (1, 2, 3) for seed in range(80)]


@pytest.mark.parametrize("value", TREES, ids=range(len(TREES)))
def test_number_tree_and_printed_source_agree(value: Value) -> None:
    assert agree(value.number, value.origin, evaluate(value.origin, ARRAYS))
    assert read(value.source) == pytest.approx(value.number, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("value", TREES[::7], ids=range(len(TREES[::7])))
def test_a_wrong_number_is_found_out(value: Value) -> None:
    found = evaluate(value.origin, ARRAYS)
    for wrong in (1.01 * value.number + 1e-5, -value.number - 1e-5, np.nan):
        assert not agree(wrong, value.origin, found)


def test_a_number_from_other_arrays_is_found_out_but_for_counts_and_the_like() -> None:
    others = {name: np.exp(array[..., ::-1]) for name, array in ARRAYS.items()}
    kept = [v for v in TREES if agree(v.number, v.origin, evaluate(v.origin, others))]
    assert len(kept) < len(TREES) / 8


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (Address("p", (0,)), "the trace has no tensor 'p'"),
        (Address("q", (0, 9)), "out of bounds"),
        (Address("q", (0, 0, 0)), "too many indices"),
        (Address("q", (0,)), "it leaves 2 numbers"),
        (Entry((7,), Address("q", (0, None))), "out of bounds"),
        (Applied(ADD, (Q[0].origin, X[0].origin)), "could not be broadcast"),
        (Applied(MATMUL, (Q[0].origin, X.origin)), "mismatch"),
        (Applied(ROOT, (Q[0].origin,)), "it leaves 2 numbers"),
        (Stacked((Q[0].origin, X[0].origin)), "must have the same shape"),
    ],
    ids=lambda tree: tree if isinstance(tree, str) else printed(tree),
)
def test_what_comes_to_no_number_says_why(tree: Expression, reason: str) -> None:
    with pytest.raises(SourceError, match=reason):
        evaluate(tree, ARRAYS)


def test_an_entry_must_be_exact_and_arithmetic_nearly() -> None:
    entry, next_to_it = 3.0, float(np.nextafter(np.float32(3), np.float32(9)))
    worked_out = (Q[0, 0].value * K[0, 0].value).origin
    assert agree(entry, Q[0, 0].origin, entry)
    assert not agree(next_to_it, Q[0, 0].origin, entry)
    assert agree(next_to_it, worked_out, entry)
    assert not agree(1.001 * entry, worked_out, entry)


def test_a_masked_score_is_minus_infinity() -> None:
    tree = Address("masked", (0,))
    found = evaluate(tree, {"masked": np.array([-np.inf], dtype=np.float32)})
    assert agree(-np.inf, tree, found)
    assert not agree(-1.0, tree, found)


def test_dividing_by_zero_and_what_was_not_measured_agree_with_no_number() -> None:
    zero = Tensor(np.zeros(2, dtype=np.float32), "z")
    tree = Applied(COSINE, (zero.origin, zero.origin))
    assert not agree(1.0, tree, evaluate(tree, {"z": zero.array}))
    score = provenance.head_score(None, "binding", 0, 0)
    assert not agree(score.number, score.origin, np.nan)


def test_a_number_on_its_way_comes_to_nothing_and_says_between_what() -> None:
    start, end = Q[0, 0].value, Q[0, 1].value
    half = provenance.between(start, end, 0.5)
    assert (half.number, half.source) == (3.5, "= between q[0,0] and q[0,1]")
    assert provenance.between(start, end, 1) is end
    part = provenance.part_of(provenance.dot(Q[0], K[0]), 1.5)
    assert part.source == "= part of (sum over all entries of q[0,:] * k[0,:])"
    assert is_passing(half.origin)
    assert is_passing(part.origin)
    assert not is_passing(end.origin)
    assert not agree(half.number, half.origin, evaluate(half.origin, ARRAYS))


def test_a_copy_of_a_number_keeps_its_tree() -> None:
    value = provenance.dot(Q[0], K[0])
    assert deepcopy(value).origin is value.origin


def test_equal_trees_are_equal_and_others_are_not() -> None:
    assert provenance.dot(Q[0], K[0]).origin == provenance.dot(Q[0], K[0]).origin
    assert provenance.dot(Q[0], K[0]).origin != provenance.cosine(Q[0], K[0]).origin
    assert Told(1.0, "count", "heads") != Told(2.0, "count", "heads")
    assert Applied(BETWEEN, ()) != Applied(ROOT, ())
