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


def test_among_a_token_s_own_likes_is_a_noun_and_no_adjective() -> None:
    film = film_of(QueriesKeysValues, Request())
    assert film.tokens[film.asker] == " creature"
    assert film.tokens[film.nearest] == " forest"
    assert film.tokens[int(film.before.argmin())] == " creature"


def test_of_all_keys_only_those_of_adjectives_lean_to_the_query() -> None:
    film = film_of(QueriesKeysValues, Request())
    assert {film.tokens[i] for i in film.ahead} == {" fluffy", " blue", " verdant"}
    assert [film.tokens[i] for i in film.answers] == [" fluffy", " blue"]
    said = dict(film.script())
    assert "“verdant” comes later, and isn't asked. “fluffy” leans most" in said["compare-again"]
    assert "Only adjectives lean its way" in said["compare-again"]
    assert "“blue” barely" in said["compare-again"]
    assert BARELY < film.after[film.answers[1]] < RIGHT_ANGLE
    assert "next “forest”, another noun" in said["one-vector-for-both"]


def test_a_match_of_query_and_key_is_not_mutual() -> None:
    film = film_of(QueriesKeysValues, Request())
    q, k, _ = (each.array for each in film.made)
    fluffy = film.answers[0]
    assert q[film.asker] @ k[fluffy] > 0 > q[fluffy] @ k[film.asker]


def test_angles_are_those_that_pytorch_finds(asked: Request) -> None:
    film, trace = film_of(QueriesKeysValues, asked), trace_of(asked)
    q, k = torch.tensor(trace.q[1, 2]), torch.tensor(trace.k[1, 2])
    cosines = torch.nn.functional.cosine_similarity(q[film.asker], k)
    expected = torch.rad2deg(torch.arccos(cosines)).numpy()
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


def test_at_last_the_arrow_has_turned_as_far_as_the_vector_does() -> None:
    film = _played()
    trace = trace_of(Request(prompt=film.prompt))
    taken, before = film.taken, trace.resid_pre[film.layer, film.asker]
    given = trace.head_out[film.layer, film.head, film.asker]
    vectors = torch.tensor(before), torch.tensor(before + given)
    expected = torch.nn.functional.cosine_similarity(*vectors, dim=0)
    start = taken.before.tail
    assert not np.allclose(taken.before.tip, taken.end.tip)
    level, turned = taken.before.tip - start, taken.end.tip - start
    np.testing.assert_allclose(taken.after.points, taken.end.points, atol=1e-6)
    cosine = level @ turned / np.linalg.norm(level) / np.linalg.norm(turned)
    assert cosine == pytest.approx(float(expected), abs=1e-3)


def test_what_it_takes_in_is_mostly_of_those_that_answer() -> None:
    film = _played()
    assert [film.tokens[i] for i in film.answers] == [" fluffy", " blue"]
    given = film.taken.given
    blue, fluffy, others = (np.linalg.norm(arrow.tip - arrow.tail) for arrow in given)
    assert fluffy > blue > others


def test_values_are_as_high_as_the_shares_that_are_taken_of_them() -> None:
    film, found = _played(), numbers(QueriesKeysValues, Request(), "a-share-of-each")
    pattern = trace_of(Request(prompt=film.prompt)).pattern[film.layer, film.head, film.asker]
    for place, row in film.taken.rows.items():
        assert row.body.get_x() == film.taken.chips[place].get_x()
        assert row.cut.height == pytest.approx(row.whole.height * pattern[place], rel=1e-3)
    told = [value for source, value in found.items() if "pattern" in source]
    assert sum(told) == pytest.approx(1, abs=1e-4)  # those of others are told together


def test_the_better_match_has_the_larger_share() -> None:
    film = _played()
    assert list(film.taken.shares) == film.answers
    weights = [share.numerals[0].value.number for share in film.taken.shares.values()]
    assert np.argsort(weights)[::-1].tolist() == np.argsort(film.after[film.answers]).tolist()


@pytest.mark.parametrize("prompt", [QueriesKeysValues.prompt, "Émile saw 7 cats near the café"])
def test_the_shares_that_are_told_add_up_as_written(prompt: str) -> None:
    film, _ = play_and_check(QueriesKeysValues, Request(prompt=prompt), "16:9")
    assert isinstance(film, QueriesKeysValues)
    taken = film.taken
    told = [*taken.shares.values(), *taken.rest[1:]]
    written = [each.text for each in told]
    assert sum(float(each.rstrip("%")) for each in written) == pytest.approx(100)


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
