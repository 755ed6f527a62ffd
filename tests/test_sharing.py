"""What is said of a row of weights is what the weights are."""

import numpy as np

from scenes.provenance import Tensor
from scenes.sharing import Sharing

NAMES = "one", "two", "three", "four"


def sharing(query: int, *weights: float) -> Sharing:
    row = np.array(weights, dtype=np.float32)
    return Sharing(query, Tensor(row, "pattern"), NAMES.__getitem__)


def test_the_favourite_and_the_weakest_are_named_with_their_shares() -> None:
    row = sharing(2, 0.25, 0.7, 0.05, 0.0)
    assert row.favourite == 1
    assert row.most == "70 percent"
    assert row.scaling.endswith("Of two 70 percent is left, of three 5 percent.")


def test_a_first_token_keeps_its_value_whole() -> None:
    assert sharing(0, 1.0, 0.0).scaling.startswith("Its own weight is 1")


def test_equal_shares_have_no_favourite_to_name() -> None:
    said = sharing(1, 0.5, 0.5, 0.0).scaling
    assert said == "Multiply every value by its weight: of each one, 50 percent is left."


def test_a_weight_near_zero_is_not_said_to_be_nothing() -> None:
    assert sharing(1, 0.998, 0.002).scaling.endswith("of two less than 1 percent.")
