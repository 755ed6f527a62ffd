"""The film of the dot-product grid shows the model and the sentence that it was asked for."""

from dataclasses import replace

import numpy as np
import pytest
from played import checked, film_of, shown, trace_of

from model.errors import Unusable
from scenes.attention.dot_product_grid import OWN_ADJECTIVE, DotProductGrid
from scenes.film import Request


def test_every_dot_product_of_the_head_asked_for_is_shown(asked: Request) -> None:
    request = replace(asked, layer=0, head=1)
    report = checked(DotProductGrid, request)
    assert report.findings == ()
    found, trace = shown(report), trace_of(request)
    for (query, key), number in np.ndenumerate(trace.q[0, 1] @ trace.k[0, 1].T):
        assert found[f"dot_products[0,1,{query},{key}]"] == pytest.approx(number, abs=1e-5)


def test_what_is_worked_out_in_a_cell_is_the_number_of_the_model(asked: Request) -> None:
    film = film_of(DotProductGrid, asked)
    products = film.q[film.asker].array.astype(float) * film.k[film.answer].array
    number = film.dots[film.asker, film.answer].value.number
    assert products.sum() == pytest.approx(number, abs=1e-5)


def test_in_the_shipped_model_forest_fits_its_adjective_and_so_do_most_others() -> None:
    film = film_of(DotProductGrid, Request())
    assert (film.tokens[film.answer], film.tokens[film.asker]) == OWN_ADJECTIVE
    assert len(film.admirers) > len(film.tokens) / 2
    row = [film.dots[film.asker, key].value.number for key in film.telling]
    assert row[0] > 0 > row[-1]
    assert "its own adjective" in dict(film.script())["read-one-row"]


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


@pytest.mark.parametrize("prompt", ["two words", "a fluffy blue creature roamed"])
def test_numbers_that_are_compared_are_a_large_and_a_smaller_one_of_one_sign(
    asked: Request, prompt: str
) -> None:
    film = film_of(DotProductGrid, replace(asked, prompt=prompt))
    large, small, *other = (film.dots[place].value.number for place in film.compared)
    assert abs(large) >= abs(small)
    assert (large < 0) == (small < 0)
    assert all((each < 0) != (large < 0) for each in other)
    said = dict(film.script())["numbers-become-dots"]
    assert ("ring" in said) == (min(large, *other, 0) < 0)


def test_in_the_shipped_model_most_attention_goes_to_the_key_that_fits_best() -> None:
    film = film_of(DotProductGrid, Request())
    assert film.receiver == film.answer
    assert len(film.admirers) == len(film.tokens) - 1  # the ring stays on the odd one
