"""What is said of how heads differ is true of the patterns, also where they cannot differ."""

import numpy as np
import pytest

from scenes.analysis.head_names import MEANINGS, head_name
from scenes.heads_compared import Difference, how_alike, how_many_named

NOTHING = dict.fromkeys(MEANINGS, 0.1)


def looking_at(*keys: tuple[int, ...]) -> np.ndarray:
    """Return patterns (H, T, T) in which head h gives all of row t's attention to keys[h][t]."""
    return np.stack([np.eye(len(head), dtype=np.float32)[list(head)] for head in keys])


def test_two_heads_are_said_to_look_at_what_they_look_at() -> None:
    difference = Difference.of(looking_at((0, 0, 0), (0, 1, 1), (0, 1, 1)))
    assert difference.query in {1, 2}
    assert set(difference.keys) == {0, 1}
    said = difference.sentence("dog", [f"word {key}" for key in difference.keys], 3)
    for head, key in zip(difference.heads, difference.keys, strict=True):
        assert f"head {head} looks most at word {key}" in said or (
            f"head {head} at word {key}" in said
        )


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        (looking_at((0,), (0,)), "has only itself"),
        (looking_at((0, 1)), "this layer has no other"),
        (looking_at((0, 0), (0, 0)), "look most at the same word: it."),
    ],
)
def test_heads_that_cannot_or_do_not_differ_are_not_said_to(
    patterns: np.ndarray, said: str
) -> None:
    difference = Difference.of(patterns)
    found = ["it"] * len(difference.keys)
    assert said in difference.sentence("dog", found, patterns.shape[-1])


@pytest.mark.parametrize(
    ("heads", "tokens", "said"),
    [(6, 8, "yet they differ"), (6, 1, "all the same"), (1, 8, "only this one")],
)
def test_patterns_differ_only_where_they_can(heads: int, tokens: int, said: str) -> None:
    assert said in how_alike(heads, tokens)


def test_heads_with_a_name_are_counted() -> None:
    names = [head_name({**NOTHING, "induction": score}, 0, 0) for score in (0.9, 0.1, 0.5)]
    assert "Here 2 of 3 heads earn a name" in how_many_named(names)
    assert "every head" in how_many_named([names[0]])
    assert "No head" in how_many_named([names[1]])
