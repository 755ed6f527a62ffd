"""What holds for every film: its numbers are those of the model that it was asked to show."""

import math
import re

import pytest
from played import numbers

from scenes import FILMS
from scenes.film import Film, Request

TENSOR = re.compile(r"\b[\w.]+\[[\d,:]+\]")
# Tokens, chance, zeros and ones, and a start that a model's shape and a seed decide.
OF_NO_MODEL = re.compile(
    r"\b(cutting|random_vectors|darts|one_hot|untrained|norms|orderless\w*|rates|waves)\b"
)
SAME_FOR_ALL = re.compile(
    r"= (\(constant: nudge\) / )?\(*(largest difference|number of rows|"
    r"(square root of )?entries in|sum over key of (entry \d+ of |pattern))"
)
SHOWS_COUNTS_ALONE = {
    "cutting-text-into-tokens",
    "down-and-up-again",
    "growing-a-pattern",
}
FEW = {  # a row; weights of two; bent numbers, chances; changes, a chance; a share
    "dot-product-grid": 1,  # that of one cell
    "from-one-hot-to-embedding": 5,
    "many-heads": 2,
    "thinking-alone": 2,
    "build-a-block": 3,
    "shuffle-the-words": 6,  # entries in which two places differ most are others
    "clocks-for-positions": 1,
    "one-token-at-a-time": 0,  # the other model lists other tokens
    "keep-the-signal-tidy": 3,  # lengths; a mean and a spread come to zero and one
    "what-comes-next": 7,  # chances of tokens that both list with a bar; factors go as they come
    "where-parameters-live": 0,  # the weight that moves as most do is another one
}


def comes_from_the_model(source: str) -> bool:
    is_of_a_model = TENSOR.search(source) and not OF_NO_MODEL.search(source)
    return bool(is_of_a_model) and not SAME_FOR_ALL.match(source)


def is_free(number: float) -> bool:
    """Whether a model decides it: the future is hidden in any, and the first token sees itself."""
    return math.isfinite(number) and number != 0 and not math.isclose(number, 1)


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_another_model_changes_every_number_that_comes_from_it(
    film: type[Film], asked: Request, other: Request
) -> None:
    before, after = numbers(film, asked), numbers(film, other)
    both = before.keys() & after.keys()
    shared = [each for each in both if comes_from_the_model(each) and is_free(before[each])]
    least = 0 if film.slug() in SHOWS_COUNTS_ALONE else FEW.get(film.slug(), 11)
    assert len(shared) >= least
    assert [source for source in shared if before[source] == after[source]] == []
