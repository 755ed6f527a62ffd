"""What a film points at is what stands out."""

import numpy as np
import pytest

from scenes.analysis.selection import (
    HERO,
    Disagreement,
    attending_query,
    contrasting_keys,
    followed_query,
)


def causal(rows: list[list[float]]) -> np.ndarray:
    return np.tril(np.array(rows, dtype=np.float32))


def test_the_asker_looks_at_other_words() -> None:
    pattern = causal([[1, 0, 0, 0], [0.1, 0.9, 0, 0], [0, 0.95, 0.05, 0], [0.3, 0.2, 0.1, 0.4]])
    assert attending_query(pattern) == 2


def test_resting_on_the_first_token_or_itself_is_not_asking() -> None:
    pattern = causal([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [1, 0, 0, 0], [0.4, 0.2, 0.1, 0.3]])
    assert attending_query(pattern) == 3


@pytest.mark.parametrize("tokens", [1, 2])
def test_a_short_prompt_is_read_at_its_last_token(tokens: int) -> None:
    assert attending_query(np.eye(tokens, dtype=np.float32)) == tokens - 1


def test_the_hero_is_followed_where_it_stands_and_elsewhere_the_asker() -> None:
    pattern = causal([[1, 0, 0, 0], [0.1, 0.9, 0, 0], [0, 0.95, 0.05, 0], [0.3, 0.2, 0.1, 0.4]])
    assert followed_query(["a", HERO, " b", HERO], pattern) == 1
    assert followed_query(["a", " b", " c", " d"], pattern) == attending_query(pattern)


def test_the_telling_numbers_fall_from_the_largest_past_zero_to_the_smallest() -> None:
    row = np.array([0.1, -0.8, 0.9, -0.3], dtype=np.float32)
    assert contrasting_keys(row) == [2, 0, 1]
    assert contrasting_keys(np.array([3.0, 1.0, 2.0], dtype=np.float32)) == [0, 1]


def test_a_single_key_is_told_of_once() -> None:
    assert contrasting_keys(np.array([0.4], dtype=np.float32)) == [0]


def test_two_heads_disagree_where_both_are_surest_of_two_words() -> None:
    one = np.tril(np.full((4, 4), 0.1, np.float32))
    other = one.copy()
    one[3], other[3] = (0, 0.9, 0.1, 0), (0, 0.2, 0.8, 0)
    found = Disagreement.of(np.stack([one, other]), 0)
    assert (found.query, found.heads, found.keys, found.differ) == (3, (0, 1), (1, 2), True)


def test_heads_that_agree_everywhere_are_told_so() -> None:
    alike = np.tril(np.full((2, 3, 3), 0.1, np.float32)) + np.eye(1, 3, dtype=np.float32)
    found = Disagreement.of(alike, 1)
    assert not found.differ
    assert found.keys == (0, 1)
