"""The film of one head's matrices: they are the model's, and drawn in true proportions."""

from dataclasses import replace

import numpy as np
import pytest
from played import checked, film_of, trace_of
from plays import Play, Plays

from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.film import Request


def test_the_matrices_make_one_another_as_the_line_says(asked: Request) -> None:
    """Worked out here once more, with numpy alone."""
    trace, model = trace_of(asked), film_of(OneHeadAsMatrices, asked).model
    q, k, v = (np.asarray(getattr(trace, name)[1, 2], np.float64) for name in "qkv")
    scores = q @ k.T / np.sqrt(q.shape[1])
    raised = np.tril(np.exp(scores))
    pattern = raised / raised.sum(axis=1, keepdims=True)
    for mine, theirs in (
        (scores, model.scores),
        (pattern, model.pattern),
        (pattern @ v, model.z),
        (pattern @ v @ trace.weights.W_O[1, 2], model.out),
    ):
        assert np.allclose(mine, theirs.array, atol=1e-5)


@pytest.fixture
def played(plays: Plays) -> OneHeadAsMatrices:
    """The film as it was played for its own sentence."""
    play = plays.of(OneHeadAsMatrices, "default")
    assert isinstance(play, Play)
    assert isinstance(play.film, OneHeadAsMatrices)
    return play.film


def test_a_change_is_as_much_longer_than_a_query_as_it_has_more_numbers(
    played: OneHeadAsMatrices,
) -> None:
    query, *_, change = played.stack.matrices
    assert change.outline.width / query.outline.width == pytest.approx(96 / 16)
    assert change.outline.height == pytest.approx(query.outline.height)


def test_the_row_of_the_token_stays_where_it_is_while_the_others_spread(
    played: OneHeadAsMatrices,
) -> None:
    places = []
    for share in (0.0, 0.5, 1.0):
        played.stack.widen(share)
        places.append([row.get_y() for row in played.stack.rows])
    assert np.allclose(places, places[0])


def test_the_token_that_is_followed_is_named_with_its_row(asked: Request) -> None:
    film = film_of(OneHeadAsMatrices, asked)
    name = film.tokens[film.asker].strip()
    said = dict(film.script())["rows-become-matrices"]
    assert f"Row {film.asker + 1} is still {name}'s" in said


@pytest.mark.sweep
@pytest.mark.parametrize("prompt", ["a", "one two", "el niño comió café"])
def test_short_and_odd_prompts_are_clean(asked: Request, prompt: str) -> None:
    assert checked(OneHeadAsMatrices, replace(asked, prompt=prompt)).findings == ()


@pytest.mark.sweep
@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_upright_and_square_frames_are_clean(asked: Request, aspect: str) -> None:
    assert checked(OneHeadAsMatrices, asked, aspect).findings == ()
