"""What `make sweep` once found wrong with a film stays right: a prompt for each fault."""

import pytest

from checking.check import check_film
from scenes import FILMS
from scenes.film import Request

FAULTS = (
    ("scale-then-softmax", "?", "no product is below zero, and nothing moved while it was said"),
    ("queries-keys-values", "the the the the the", "names of equal vectors left the stage"),
    ("clocks-for-positions", "!?!? ... ---", "words without height left no room for places"),
    ("from-one-hot-to-embedding", "1234567890", "a cosine of one stood on its arrows"),
    ("build-a-block", "el niño comió café", "the word swapped in is wider, with fewer letters"),
)


@pytest.mark.parametrize(("slug", "prompt", "fault"), FAULTS, ids=[each[0] for each in FAULTS])
def test_a_fault_that_was_mended_is_gone(slug: str, prompt: str, fault: str) -> None:
    film = next(each for each in FILMS if each.slug() == slug)
    assert check_film(film, Request(prompt=prompt)).findings == (), fault
