"""Random queries and keys show what the published square root promises."""

import numpy as np
import pytest

from model import random_vectors


@pytest.mark.parametrize("length", random_vectors.LENGTHS)
def test_dot_products_spread_as_the_root_of_the_number_of_entries(length: int) -> None:
    dots = random_vectors.tensors()[f"random_vectors.dots_{length}"]
    assert dots.shape == (random_vectors.PAIRS,)
    assert dots.std() == pytest.approx(length**0.5, rel=0.05)


@pytest.mark.parametrize("length", random_vectors.LENGTHS)
def test_each_dot_product_is_that_of_its_query_and_key(length: int) -> None:
    found = random_vectors.tensors()
    q, k, dots = (found[f"random_vectors.{name}_{length}"] for name in ("q", "k", "dots"))
    assert np.allclose(np.einsum("ne,ne->n", q, k), dots, atol=1e-3)


def test_shorter_vectors_are_the_first_entries_of_the_longest() -> None:
    found = random_vectors.tensors()
    for length in random_vectors.LENGTHS:
        longest = found[f"random_vectors.q_{random_vectors.LENGTHS[-1]}"]
        assert np.array_equal(found[f"random_vectors.q_{length}"], longest[:, :length])


def test_the_draw_is_the_same_every_time() -> None:
    once = random_vectors.tensors()["random_vectors.q_4"].copy()
    random_vectors.tensors.cache_clear()
    assert np.array_equal(once, random_vectors.tensors()["random_vectors.q_4"])
