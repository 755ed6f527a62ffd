"""Softmax step by step: every number knows how it was worked out, and can be worked out again."""

import numpy as np
import pytest
import torch

from scenes.analysis.softmax import (
    exponentials,
    past,
    shares,
    softmax,
    standard_deviation,
)
from scenes.expressions import Entry, SourceError, agree, evaluate
from scenes.provenance import Tensor, Value, entry_count, root, total

SCORES = np.random.default_rng(0).normal(0, 4, (2, 5, 5)).astype(np.float32)
TENSORS = {"scores": SCORES}
TENSOR = Tensor(SCORES, "scores")


def values() -> list[Value]:
    row, grid = TENSOR[1, 3], TENSOR[1]
    return [
        softmax(row)[2].value,
        softmax(grid)[3, 2].value,
        exponentials(row)[4].value,
        total(row),
        total(exponentials(row)),
        total(softmax(grid)[3]),
        total(past(softmax(grid))[3]),
        shares(past(softmax(grid)))[3, 1].value,
        standard_deviation(grid),
        root(entry_count(row)),
        standard_deviation(grid) / root(entry_count(row)),
        exponentials(row)[2].value / total(exponentials(row)),
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: value.source)
def test_what_is_written_as_a_source_is_what_the_number_is(value: Value) -> None:
    assert agree(value.number, value.origin, evaluate(value.origin, TENSORS))


def test_softmax_is_that_of_pytorch() -> None:
    expected = torch.softmax(torch.from_numpy(SCORES[1]).double(), dim=-1).numpy()
    assert np.allclose(softmax(TENSOR[1]).array, expected, atol=1e-12)


def test_softmax_bears_scores_of_any_size() -> None:
    large = Tensor(np.array([1000.0, 0.0, -np.inf], dtype=np.float32), "scores")
    assert list(softmax(large).array) == [1, 0, 0]


def test_hiding_after_softmax_and_sharing_out_again_is_hiding_before_it() -> None:
    masked = np.where(np.tril(np.ones((5, 5))) > 0, SCORES[1], -np.inf)
    one, other = shares(past(softmax(TENSOR[1]))), softmax(Tensor(masked, "masked"))
    assert np.abs(one.double - other.double).max() < 1e-12


def test_an_entry_names_its_place_and_the_arithmetic() -> None:
    grid = softmax(TENSOR[1])
    assert grid[3, 2].value.source == "= entry 3,2 of softmax over key of scores[1,:,:]"
    assert grid[3][2].value == grid[3, 2].value


def test_an_entry_that_is_not_there_is_refused() -> None:
    weights = softmax(TENSOR[1, 3])
    with pytest.raises(IndexError):
        weights[7]
    with pytest.raises(SourceError, match="out of bounds"):
        evaluate(Entry((7,), weights.origin), TENSORS)
