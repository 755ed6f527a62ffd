"""Rounds take all merges of a text once, in the order in which they were made."""

import pytest

from model import checkpoint
from model.tokenization import cut
from scenes.film import SHIPPED
from scenes.merge_rounds import rounds_of


@pytest.mark.parametrize("prompt", ["the dog and the cow", "he", "hello", "?"])
def test_every_merge_is_in_one_round_and_the_first_pair_has_its_own(prompt: str) -> None:
    cutting = cut(checkpoint.load(SHIPPED).tokenizer, prompt)
    rounds = rounds_of(cutting, 5)
    assert [merge for each in rounds for merge in each.merges] == list(cutting.merges)
    assert all(each.merges and each.merges[-1] == cutting.merges[each.last] for each in rounds)
    assert [gap for each in rounds for gap in each.gaps] == (
        list(cutting.inner_gaps) if cutting.merges else []
    )
    assert len({merge.place for each in rounds[:1] for merge in each.merges}) == bool(rounds)
    assert len(rounds) <= 6


def test_a_pair_is_told_by_its_bytes_and_the_gap_between() -> None:
    first, *_ = rounds_of(cut(checkpoint.load(SHIPPED).tokenizer, "the"), 5)
    assert first.pairs == [((1, 3), 1)]
