"""Promises of the film build-a-block."""

import pytest
from played import numbers

from scenes.block.build_a_block import BuildABlock
from scenes.film import Request


def test_the_shares_are_those_of_the_model_and_add_up_to_one() -> None:
    shown = numbers(BuildABlock, Request(), beat="what-it-finds")
    shares = [value for source, value in shown.items() if source.startswith("pattern[")]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
