"""The film of queries, keys and values tells of the shipped model what is true of it."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from played import film_of, numbers, trace_of

from checking.check import play_and_check
from scenes.attention.queries_keys_values import BARELY, RIGHT_ANGLE, QueriesKeysValues
from scenes.film import Request


def _played() -> QueriesKeysValues:
    film, report = play_and_check(QueriesKeysValues, Request(), "16:9")
    assert isinstance(film, QueriesKeysValues)
    assert report.findings == ()
    return film


def test_of_all_keys_that_it_may_ask_only_those_of_adjectives_lean_to_the_query() -> None:
    film = film_of(QueriesKeysValues, Request())
    assert film.tokens[film.asker] == " creature"
    assert len(film.after) == film.asker + 1
    leaning = np.flatnonzero(film.after < RIGHT_ANGLE).tolist()
    assert leaning == film.answers
    assert [film.tokens[i] for i in film.answers] == [" fluffy", " blue"]
    said = dict(film.script())
    assert "Only adjectives lean its way" in said["compare-again"]
    assert said["compare-again"].endswith("“fluffy” most, “blue” barely.")
    assert BARELY < film.after[film.answers[1]] < RIGHT_ANGLE


def test_a_match_of_query_and_key_is_not_mutual() -> None:
    film = film_of(QueriesKeysValues, Request())
    q, k, _ = (each.array for each in film.made)
    fluffy = film.answers[0]
    assert q[film.asker] @ k[fluffy] > 0 > q[fluffy] @ k[film.asker]


def test_angles_are_those_that_pytorch_finds(asked: Request) -> None:
    film, trace = film_of(QueriesKeysValues, asked), trace_of(asked)
    q, k = torch.tensor(trace.q[1, 2]), torch.tensor(trace.k[1, 2])
    cosines = torch.nn.functional.cosine_similarity(q[film.asker], k)
    expected = torch.rad2deg(torch.arccos(cosines)).numpy()[: film.asker + 1]
    np.testing.assert_allclose(film.after, expected, atol=1e-2)


def test_the_first_number_is_all_products_and_the_bias(asked: Request) -> None:
    film, trace = film_of(QueriesKeysValues, asked), trace_of(asked)
    query = f"q[1,2,{film.asker},0]"
    found = numbers(QueriesKeysValues, asked, "the-first-number")
    products = trace.ln1[1, film.asker] * trace.weights.W_Q[1, 2, :, 0]
    terms = [value for source, value in found.items() if "W_Q[1,2" in source and "*" in source]
    assert float(products.sum()) == pytest.approx(sum(terms), abs=1e-5), (query, found)


def test_products_as_written_add_up_to_the_first_number() -> None:
    film = _played()
    written = [round(term.value.number, term.decimals) for term in film.work.terms]
    assert len(written) == 6  # four products, those of all other rows, and the bias
    number = film.work.result.number(0)
    assert round(sum(written), number.decimals) == pytest.approx(round(number.value.number, 2))


def test_every_share_is_told_and_what_is_taken_is_as_wide_as_its_share() -> None:
    film, found = _played(), numbers(QueriesKeysValues, Request(), "found-out")
    pattern = trace_of(Request(prompt=film.prompt)).pattern[film.layer, film.head, film.asker]
    told = [value for source, value in found.items() if "pattern" in source]
    np.testing.assert_allclose(sorted(told), sorted(pattern[: film.asker + 1]), rtol=1e-5)
    wide = [way.get_stroke_width() for way in film.talk.given]
    largest = np.argsort(wide)[-2:]  # the others' are as thin as a line may be
    taken = pattern[film.answers]
    np.testing.assert_allclose(np.divide(*np.take(wide, largest)), taken.min() / taken.max(), 1e-5)


def test_the_better_match_has_the_larger_share() -> None:
    film = _played()
    weights = [film.shares[i].value.number for i in film.answers]
    assert np.argsort(weights)[::-1].tolist() == np.argsort(film.after[film.answers]).tolist()


@pytest.mark.parametrize(
    "prompt", ["the old", "the old king", "one two one two", "the creature roamed"]
)
def test_no_adjectives_are_told_of_where_there_are_none(asked: Request, prompt: str) -> None:
    film = film_of(QueriesKeysValues, replace(asked, prompt=prompt))
    assert all(answer < film.asker for answer in film.answers)
    assert len(film.answers) == min(2, film.asker)
    assert "adjective" not in " ".join(line for _, line in film.script())


@pytest.mark.sweep
def test_any_prompt_plays_clean(asked: Request) -> None:
    assert numbers(QueriesKeysValues, replace(asked, prompt="the old"))
