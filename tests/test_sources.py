"""Whatever a film writes as a source can be read back, and comes to the number that it shows."""

import numpy as np
import pytest

from checking.sources import Unreadable, agree, evaluate, has_known_form
from scenes.provenance import (
    Tensor,
    Value,
    constant,
    cosine,
    count,
    dot,
    largest_difference,
    length,
)

Q = np.array([[3.0, 4.0], [1.0, -2.0]], dtype=np.float32)
K = np.array([[0.5, 0.25], [2.0, 1.0]], dtype=np.float32)
TENSORS = {"q": Q, "k": K, "dots": Q @ K.T, "weights.ln1.gamma": Q[0]}


def score(target: str, layer: int, head: int) -> float | None:
    return 0.75 if (target, layer, head) == ("adjective_to_noun", 2, 1) else None


def worked_out(source: str) -> float:
    return evaluate(source, TENSORS, score)


def tensor(name: str) -> Tensor:
    return Tensor(TENSORS[name], name)


def values() -> list[Value]:
    q, k, dots = tensor("q"), tensor("k"), tensor("dots")
    one, other = [dot(q[0], k[i]) for i in range(2)], dots[0].values
    return [
        q[1, 0].value,
        tensor("weights.ln1.gamma")[1].value,
        q[0, 1].value * k[1, 0].value,
        q[0, 1].value - k[1, 0].value,
        q[0, 0].value - (q[0, 1].value - q[1, 1].value) * k[1, 0].value,
        dot(q[0], k[1]),
        length(q[0]),
        cosine(q[0], k[1]),
        largest_difference(one, other),
        largest_difference(one[:1], other[:1]),
        largest_difference([q[0, 0].value], [q[1, 1].value]),
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: value.source)
def test_what_values_write_is_what_they_are(value: Value) -> None:
    assert has_known_form(value.source)
    assert agree(value.number, value.source, worked_out(value.source))


@pytest.mark.parametrize(
    ("source", "number"),
    [
        ("q[1,1]", -2.0),
        ("= q[0,0] + q[0,1] * k[1,0]", 11.0),
        ("= (q[0,0] + q[0,1]) * k[1,0]", 14.0),
        ("= q[0,0] - q[0,1] - k[1,0]", -3.0),
        ("= q[0,1] / k[1,0] / k[0,0]", 4.0),
        ("= sum over key of q[0,:]", 7.0),
        ("= sum over all entries of q[:,:]", 6.0),
        ("= sum over all entries of q[0,:] * k[1,:]", 10.0),
        ("= (sum over key of q[0,:]) - q[1,0]", 6.0),
        ("= q[0,1] * number of layer 2", 12.0),
        ("= length of q[0,:]", 5.0),
        ("= cosine between q[0,:] and (q[0,:] * q[0,0])", 1.0),
        ("= largest difference between q[0,:] and k[0,:]", 3.75),
        ("= largest difference between [q[0,0], q[0,1] - q[1,0]] and k[1,:]", 2.0),
        ("= adjective_to_noun of layer 2, head 1", 0.75),
        ("= largest difference between [q[0,:], q[1,:]] and k[:,:]", 3.75),
        ("= entry 1,0 of (q[:,:] + k[0,:])", 1.5),
        ("= entry 0,1 of transpose of q[:,:]", 1.0),
        ("= entry 0,0 of masked softmax over key of q[:,:]", 1.0),
        ("= entry 1,0 of masked softmax over key of q[:,:]", 1 / (1 + np.exp(-3))),
        ("= q[0,:] @ k[0,:]", 2.5),
        ("= length of (q[0,0] * (q[0,:] @ k[:,:]))", 3 * np.hypot(9.5, 4.75)),
        ("= share of squared length in 1 principal axes of [q[0,:], q[0,:] * q[0,1]]", 1.0),
        ("= share of squared length in 1 principal axes of [q[0,:] - q[0,:], q[0,:]]", 1.0),
        ("= singular value 1 of k[:,:]", 0.0),
        ("= sum over all entries of (heads joined in q[:,:]) * (heads joined in k[:,:])", 2.5),
        ("= singular value 0 of k[:,:] @ k[:,:]", (1.5 * np.hypot(0.5, 0.25) * np.hypot(1, 4))),
    ],
)
def test_the_words_mean_what_a_reader_takes_them_for(source: str, number: float) -> None:
    assert worked_out(source) == pytest.approx(number, rel=1e-6)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("= about three", "nothing can be made of 'about'"),
        ("= q[0,0] q[0,1]", "nothing can be made of 'q[0,1]'"),
        ("= q[0,0] @ q[0,1]", "shapes () and () have no matrix product"),
        ("= q[0,0] ? q[0,1]", "nothing can be made of '? q[0,1]'"),
        ("= q[0,:] @ dots[0,:] @ k[:,:]", "shapes () and (2, 2) have no matrix product"),
        ("= share of squared length in 2 principal axes of q[0,:]", "a matrix is wanted"),
        ("= share of squared length in 2 principal axes of [q[0,0]]", "a matrix is wanted"),
        ("= share of beauty in 2 principal axes of q[:,:]", "nothing can be made of 'share'"),
        ("= singular value 2 of q[:,:]", "there are 2 singular values, counted from 0"),
        ("= q[0,0] *", "it ends too soon"),
        ("= ", "it ends too soon"),
        ("= (q[0,0]", "')' is expected where its end stands"),
        ("= 2 * q[0,0]", "nothing can be made of '2'"),
        ("p[0]", "the trace has no tensor 'p'"),
        ("q[0]", "'q' has 2 axes and 1 are given"),
        ("q[0,9]", "q[0,9] lies outside the shape (2, 2)"),
        ("q[0,-1]", "nothing can be made of 'q'"),
        ("q[0,:]", "it leaves 2 numbers"),
        ("= sum over key of q[:,:]", "there are 2 axes to sum over, and it names 'key'"),
        ("= q[0,:] * weights.ln1.gamma[0] - dots[:,:]", "do not line up"),
        ("= cosine between q[0,:]", "'and' is expected where its end stands"),
        ("= largest difference between [q[0,:], q[0,0]] and k[0,:]", "a list holds single numbers"),
        ("= largest difference between [q[0,:]] and k[0,:]", "arrays of 2 and 2 entries"),
        ("= adjective_to_noun of layer 9, head 1", "no 'adjective_to_noun' was measured"),
        ("= adjective_to_noun of layer two, head 1", "a number is expected where 'two' stands"),
        ("= number of layer two", "a number is expected where 'two' stands"),
        ("= charm of layer 2, head 1", "no 'charm' was measured for layer 2, head 1"),
    ],
)
def test_what_cannot_be_worked_out_is_refused_with_the_reason(source: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        worked_out(source)
    assert reason in str(refusal.value)


@pytest.mark.parametrize("source", ["", "3", "somewhere", "q", "q[]", "q[1,]", "count:", "=q[0,0]"])
def test_a_source_has_one_of_the_forms(source: str) -> None:
    assert not has_known_form(source)


def test_what_is_given_as_it_is_has_a_known_form() -> None:
    assert has_known_form(count(3, "heads").source)
    assert has_known_form(constant(175e9, "GPT-3, table 2.1").source)
    assert has_known_form("story: invented")


def test_an_entry_must_be_exact_and_arithmetic_nearly() -> None:
    entry, next_to_it = float(Q[0, 0]), float(np.nextafter(Q[0, 0], np.float32(9)))
    assert agree(entry, "q[0,0]", entry)
    assert not agree(next_to_it, "q[0,0]", entry)
    assert agree(next_to_it, "= q[0,0] * k[0,0]", entry)
    assert not agree(1.001 * entry, "= q[0,0] * k[0,0]", entry)


def test_a_small_difference_must_be_right_too() -> None:
    source = "= largest difference between q[0,0] and k[0,0]"
    assert agree(3e-7, source, 3.00001e-7)
    assert not agree(3e-7, source, 4e-7)


def test_a_masked_score_is_minus_infinity() -> None:
    masked = {"masked": np.array([-np.inf], dtype=np.float32)}
    found = evaluate("masked[0]", masked, score)
    assert agree(-np.inf, "masked[0]", found)
    assert not agree(-1.0, "masked[0]", found)


def test_dividing_by_zero_agrees_with_no_number() -> None:
    zero = {"z": np.zeros(2, dtype=np.float32)}
    source = "= cosine between z[:] and z[:]"
    assert not agree(1.0, source, evaluate(source, zero, score))
