"""What a film points at is what stands out."""

import numpy as np
import pytest

from scenes.readings import best_answer, row_with_two_rivals, spread_of


def causal(rows: list[list[float]]) -> np.ndarray:
    return np.tril(np.array(rows, dtype=np.float32))


def test_the_row_with_two_rivals_shares_its_attention() -> None:
    pattern = causal([[1, 0, 0, 0], [0.1, 0.9, 0, 0], [0.5, 0.45, 0.05, 0], [0.98, 0.01, 0, 0.01]])
    assert row_with_two_rivals(pattern) == 2


def test_attention_to_itself_is_no_rival() -> None:
    pattern = causal([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0.4, 0.3, 0, 0.3]])
    assert row_with_two_rivals(pattern) == 3


@pytest.mark.parametrize("tokens", [1, 2])
def test_a_short_prompt_is_read_at_its_last_token(tokens: int) -> None:
    assert row_with_two_rivals(np.eye(tokens, dtype=np.float32)) == tokens - 1


def test_the_best_answer_is_never_in_the_future() -> None:
    row = np.array([1.0, 3.0, 2.0, 9.0], dtype=np.float32)
    assert best_answer(row, 2) == 1


def test_the_telling_keys_go_from_with_to_against() -> None:
    cosines = np.array([0.1, -0.8, 0.9, -0.3], dtype=np.float32)
    assert spread_of(cosines) == [2, 0, 1]


def test_a_single_key_is_told_of_once() -> None:
    assert spread_of(np.array([0.4], dtype=np.float32)) == [0]
