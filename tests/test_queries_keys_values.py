"""The film of queries, keys and values shows the model's own numbers, and tells true stories."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from played import film_of, numbers, trace_of

from model.trace import Trace
from scenes.attention.queries_keys_values import QueriesKeysValues
from scenes.binding_heads import contest, say_bound, say_given
from scenes.film import Request


def query_by_hand(trace: Trace, layer: int, head: int, token: int) -> np.ndarray:
    x = trace.ln1[layer, token].astype(np.float64)
    return x @ trace.weights.W_Q[layer, head] + trace.weights.b_Q[layer, head]


def test_the_sums_are_the_query_that_the_model_computes(asked: Request) -> None:
    film, trace = film_of(QueriesKeysValues, asked), trace_of(asked)
    by_hand = query_by_hand(trace, 1, 2, film.asker)
    assert by_hand == pytest.approx(trace.q[1, 2, film.asker], abs=1e-5)
    sums = [
        value
        for source, value in numbers(QueriesKeysValues, asked, "every-column").items()
        if source.startswith("= entry")
    ]
    assert sums == pytest.approx(by_hand)


def test_the_first_number_is_all_products_and_the_bias(asked: Request) -> None:
    film, trace = film_of(QueriesKeysValues, asked), trace_of(asked)
    found = numbers(QueriesKeysValues, asked, "the-first-number")
    x, column = trace.ln1[1, film.asker], trace.weights.W_Q[1, 2, :, 0]
    total = f"sum over all entries of ln1[1,{film.asker},:] * weights.W_Q[1,2,:,0]"
    assert found[f"= {total}"] == pytest.approx(float(x @ column), abs=1e-6)
    bias = trace.weights.b_Q[1, 2, 0]
    assert found["weights.b_Q[1,2,0]"] == bias
    result = found[f"= ({total}) + weights.b_Q[1,2,0]"]
    assert result == pytest.approx(float(x @ column + bias), abs=1e-6)


def test_the_counter_holds_the_sums_against_the_model(asked: Request) -> None:
    differences = [
        value
        for source, value in numbers(QueriesKeysValues, asked, "every-column").items()
        if source.startswith("= largest difference")
    ]
    assert len(differences) == 1
    assert differences[0] < 1e-5


@pytest.mark.parametrize(
    "prompt", ["a", "the old king", "one two one two", "the old king saw a small red robot"]
)
def test_whoever_answers_stands_before_the_asker(asked: Request, prompt: str) -> None:
    film = film_of(QueriesKeysValues, replace(asked, prompt=prompt))
    assert all(answer < film.asker for answer in film.answers)
    assert len(film.answers) == min(2, film.asker)


def test_the_adjectives_answer_the_hero() -> None:
    film = film_of(QueriesKeysValues, Request())
    assert [film.tokens[i] for i in (film.asker, *film.answers)] == [
        " creature",
        " fluffy",
        " blue",
    ]
    said = dict(film.script())["a-question"]
    assert "any adjectives in front of me? Fluffy and blue answer: I am one." in said


def test_a_hero_without_its_adjectives_tells_no_story_of_adjectives() -> None:
    film = film_of(QueriesKeysValues, Request(prompt="the creature roamed"))
    said = dict(film.script())["a-question"]
    assert film.tokens[film.asker] == " creature"
    assert "adjective" not in said
    assert [film.tokens[i] for i in film.answers] == ["the"]


def test_nobody_answers_a_single_token_and_its_query_and_key_are_both_drawn(
    asked: Request,
) -> None:
    request = replace(asked, prompt="a")
    film = film_of(QueriesKeysValues, request)
    assert "nobody answers" in dict(film.script())["a-question"]
    film.setup()
    film._set_header()
    film.cast()
    assert [len(space.plane.arrows) for space in film.spaces] == [1, 2]
    assert numbers(QueriesKeysValues, request, "into-a-small-space")


def test_the_story_is_told_under_its_badge(asked: Request) -> None:
    film = film_of(QueriesKeysValues, asked)
    film.setup()
    film._set_header()
    film.cast()
    assert film.dialogue.badge in film.dialogue.submobjects
    assert film.beats()[0].template.startswith("{story} That is a story")


@dataclass(frozen=True)
class Measured:
    """What was measured of a head."""

    layer: int
    head: int
    previous_token: float
    adjective_to_noun: float | None
    binding: float | None


LOOKS_BACK = Measured(0, 0, 0.99, 1.0, 0.0)
BINDS = Measured(2, 1, 0.1, 0.6, 0.4)
OTHERS = [Measured(1, head, 0.1, 0.7 - head / 100, 0.2) for head in range(8)]


def test_the_head_that_merely_looks_back_is_named_as_such() -> None:
    found = contest([BINDS, LOOKS_BACK])
    assert found is not None
    assert (found.first, found.best) == (LOOKS_BACK, BINDS)
    assert "layer 0, head 0 comes first, but it merely looks one token back" in say_given(found)
    assert "layer 2, head 1 asks best for all" in say_bound(found, 2, 1)
    assert "shows" not in say_bound(found, 2, 1)
    assert "This film shows layer 0, head 0." in say_bound(found, 0, 0)


def test_the_head_that_binds_best_is_listed_even_behind_many_others() -> None:
    found = contest([*OTHERS, BINDS])
    assert found is not None
    assert len(found.listed) == 5
    assert found.listed[found.place_of_best] == BINDS
    given = [value.number for value in found.given]
    assert given == sorted(given, reverse=True)
    assert "merely" not in say_given(found)


def test_a_model_in_which_no_head_does_it_is_told_so() -> None:
    found = contest([Measured(0, 0, 0.2, 0.3, 0.2)])
    assert found is not None
    assert "None does as in the story" in say_bound(found, 0, 0)


def test_where_nothing_was_measured_nothing_is_claimed() -> None:
    assert contest([Measured(0, 0, 0.2, None, None)]) is None
    assert "cannot be measured" in say_given(None)
    assert "we cannot say" in say_bound(None, 0, 0)
