"""The film of one head's matrices: token by token and all at once give the same numbers."""

from dataclasses import replace

import numpy as np
import pytest
from played import film_of, trace_of

from checking.check import check_film
from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.film import Request
from scenes.head_steps import STEPS

GAP = "= largest difference between"


def gaps(request: Request) -> list[float]:
    report = check_film(OneHeadAsMatrices, request)
    assert report.findings == ()
    return [each.value for each in report.numbers if each.source.startswith(GAP)]


def test_every_equation_has_its_counter_and_both_sides_agree(asked: Request) -> None:
    found = gaps(asked)
    assert len(found) == len(STEPS)
    assert max(found) < 1e-5


def test_the_matrices_make_one_another_as_the_equations_say(asked: Request) -> None:
    """Worked out here once more, with numpy alone."""
    trace, film = trace_of(asked), film_of(OneHeadAsMatrices, asked)
    weights, model = trace.weights, film.model
    q, k, v = (
        trace.ln1[1] @ matrix[1, 2] + bias[1, 2]
        for matrix, bias in (
            (weights.W_Q, weights.b_Q),
            (weights.W_K, weights.b_K),
            (weights.W_V, weights.b_V),
        )
    )
    scores = q @ k.T / np.sqrt(q.shape[1])
    raised = np.tril(np.exp(scores))
    pattern = raised / raised.sum(axis=1, keepdims=True)
    out = pattern @ v @ weights.W_O[1, 2]
    for mine, theirs in (
        (q, model.q),
        (scores, model.scores),
        (pattern, model.pattern),
        (pattern @ v, model.z),
        (out, model.out),
        (trace.resid_pre[1] + out, film.moved),
    ):
        assert np.allclose(mine, theirs.array, atol=1e-5)


def test_the_counters_are_of_the_model_that_is_asked_for(asked: Request, other: Request) -> None:
    before, after = gaps(asked), gaps(other)
    assert [one for one, two in zip(before, after, strict=True) if one == two and one] == []


def test_shapes_are_those_of_the_prompt_and_the_model(asked: Request) -> None:
    report = check_film(OneHeadAsMatrices, asked)
    shown = {
        each.value
        for each in report.numbers
        if each.beat == "all-tokens-at-once" and each.source == "count: sides of a matrix"
    }
    d_model, d_head = 24, 8
    assert shown == {len(film_of(OneHeadAsMatrices, asked).tokens), d_model, d_head}


@pytest.mark.parametrize("prompt", ["a", "one two", "el niño comió café"])
def test_short_and_odd_prompts_are_clean(asked: Request, prompt: str) -> None:
    assert len(gaps(replace(asked, prompt=prompt))) == len(STEPS)


@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_upright_and_square_frames_are_clean(asked: Request, aspect: str) -> None:
    assert check_film(OneHeadAsMatrices, asked, aspect).findings == ()


def test_the_token_that_is_followed_is_named_with_its_row(asked: Request) -> None:
    film = film_of(OneHeadAsMatrices, asked)
    said = dict(film.script())["every-score"]
    name = film.tokens[film.asker].strip()
    assert f"Row {film.asker + 1} is what {name} worked out alone" in said
