"""The film of the dot-product grid shows the model and the sentence that it was asked for."""

from dataclasses import replace

import numpy as np
import pytest
from played import checked, film_of, trace_of

from benchmarks.picture import BEATS
from checking.check import play_and_check
from model.errors import Unusable
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.film import Request


def test_what_is_worked_out_in_a_cell_is_the_number_of_the_model(asked: Request) -> None:
    film = film_of(DotProductGrid, asked)
    products = film.q[film.asker].array.astype(float) * film.k[film.answer].array
    number = film.dots[film.asker, film.answer].value.number
    assert products.sum() == pytest.approx(number, abs=1e-5)


def test_every_dot_product_of_the_head_asked_for_is_a_dot_as_large(asked: Request) -> None:
    request = replace(asked, layer=0, head=1)
    film, _ = play_and_check(DotProductGrid, request)
    assert isinstance(film, DotProductGrid)
    trace, rows = trace_of(request), film.dot.rows
    products = trace.q[0, 1] @ trace.k[0, 1].T
    areas = np.array([[dot.width**2 for dot in row] for row in rows])
    assert np.allclose(areas / areas.max(), np.abs(products) / np.abs(products).max(), atol=1e-5)


def test_in_the_shipped_model_forest_fits_its_own_adjective_best() -> None:
    film = film_of(DotProductGrid, Request())
    assert (film.tokens[film.answer], film.tokens[film.asker]) == (" verdant", " forest")
    row = [film.dots[film.asker, key].value.number for key in film.telling]
    assert row[0] > 0 > row[-1]
    assert "fits best with “verdant”" in dict(film.script())["read-one-row"]


@pytest.mark.parametrize("prompt", ["the old king", "one two one two", "a red bird saw a dog"])
@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_said_of_turning_keys_is_so(asked: Request, prompt: str, layer: int) -> None:
    film = film_of(DotProductGrid, replace(asked, prompt=prompt, layer=layer, head=0))
    row = [film.dots[film.asker, key].value.number for key in film.telling]
    assert row == sorted(row, reverse=True)
    said = dict(film.script())["the-key-turns-away"]
    assert ("no number is negative" in said) == (row[-1] >= 0)
    assert ("every number is negative" in said) == (row[0] < 0)


def test_one_token_alone_is_refused_with_a_prompt_that_works(asked: Request) -> None:
    with pytest.raises(Unusable, match="two tokens or more: try"):
        film_of(DotProductGrid, replace(asked, prompt="a"))


@pytest.mark.sweep
@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_the_film_is_clean_in_other_frames(asked: Request, aspect: str) -> None:
    assert checked(DotProductGrid, asked, aspect).findings == ()


@pytest.mark.parametrize("head", [0, 1])
def test_what_is_said_of_rings_is_so(asked: Request, head: int) -> None:
    film = film_of(DotProductGrid, replace(asked, layer=0, head=head))
    said = dict(film.script())["dots-fill-the-grid"]
    assert ("a ring" in said) == bool((film.dots.array < 0).any())


def test_in_the_shipped_model_most_attention_goes_to_the_key_that_fits_best() -> None:
    film = film_of(DotProductGrid, Request())
    assert film.pattern.array[film.asker].argmax() == film.answer


def test_the_moving_picture_of_the_readme_shows_beats_that_the_film_has() -> None:
    names = [name for name, _ in film_of(DotProductGrid, Request()).script()]
    assert [name for name in names if name in BEATS] == list(BEATS)
