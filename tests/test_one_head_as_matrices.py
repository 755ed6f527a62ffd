"""The film of one head's matrices: they are the model's, and drawn in true proportions."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from played import film_of, trace_of

from checking.check import check_film
from rendering.pictures import picture
from rendering.playing import staged
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


def test_a_change_is_as_much_longer_than_a_query_as_it_has_more_numbers(tmp_path: Path) -> None:
    with staged(OneHeadAsMatrices, Request(), picture("l", file_format="png"), tmp_path) as film:
        film.render()
        query, *_, change = film.stack.matrices
        assert change.outline.width / query.outline.width == pytest.approx(96 / 16)
        assert change.outline.height == pytest.approx(query.outline.height)


def test_the_row_of_the_token_stays_where_it_is_while_the_others_spread(tmp_path: Path) -> None:
    with staged(OneHeadAsMatrices, Request(), picture("l", file_format="png"), tmp_path) as film:
        film.render()
        places = []
        for share in (0.0, 0.5, 1.0):
            film.stack.widen(share)
            places.append([row.get_y() for row in film.stack.rows])
        assert np.allclose(places, places[0])


def test_the_token_that_is_followed_is_named_with_its_row(asked: Request) -> None:
    film = film_of(OneHeadAsMatrices, asked)
    name = film.tokens[film.asker].strip()
    said = dict(film.script())["rows-become-matrices"]
    assert f"Row {film.asker + 1} is still {name}'s" in said


@pytest.mark.parametrize("prompt", ["a", "one two", "el niño comió café"])
def test_short_and_odd_prompts_are_clean(asked: Request, prompt: str) -> None:
    assert check_film(OneHeadAsMatrices, replace(asked, prompt=prompt)).findings == ()


@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_upright_and_square_frames_are_clean(asked: Request, aspect: str) -> None:
    assert check_film(OneHeadAsMatrices, asked, aspect).findings == ()
