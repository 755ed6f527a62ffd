"""The film of the dot-product grid shows the model and the sentence that it was asked for."""

import re
from dataclasses import replace

import numpy as np
import pytest

from checking.check import check_film
from model import checkpoint
from model.errors import Unusable
from model.trace import record
from rendering.playing import read
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.film import Request

ADDRESS = re.compile(r"[\w.]+\[[\d,]+\]")


def numbers(request: Request) -> dict[str, float]:
    shown = check_film(DotProductGrid, request).numbers
    return {number.source: number.value for number in shown if ADDRESS.fullmatch(number.source)}


def test_the_layer_and_head_asked_for_are_the_ones_shown(asked: Request) -> None:
    shown = numbers(replace(asked, layer=1, head=2))
    places = {source.partition("[")[2][:4] for source in shown}
    assert places == {"1,2,"}


def test_every_dot_product_of_the_trace_is_shown(asked: Request) -> None:
    shown = numbers(replace(asked, layer=0, head=1))
    loaded = checkpoint.load(asked.checkpoint)
    trace = record(loaded.model, loaded.tokenizer, asked.prompt or "")
    for query in range(len(trace.ids)):
        for key in range(len(trace.ids)):
            address = f"dot_products[0,1,{query},{key}]"
            assert shown[address] == pytest.approx(float(trace.dot_products[0, 1, query, key]))


@pytest.mark.parametrize(
    ("choice", "named"), [({"layer": 2}, "layers 0 to 1"), ({"head": -1}, "heads 0 to 2")]
)
def test_a_layer_or_head_that_is_not_there_is_refused_with_the_range(
    asked: Request, choice: dict[str, int], named: str
) -> None:
    with pytest.raises(Unusable, match=named):
        read(
            DotProductGrid,
            replace(asked, **choice),
        )


def test_a_prompt_too_long_for_the_film_is_refused_with_both_counts(asked: Request) -> None:
    with pytest.raises(Unusable, match=r"17 tokens .* at most 16"):
        read(DotProductGrid, replace(asked, prompt="a" + " a" * 16))


@pytest.mark.parametrize(("tokens", "fits"), [(12, True), (13, False)])
def test_an_upright_frame_shows_up_to_twelve_tokens(
    asked: Request, tokens: int, *, fits: bool
) -> None:
    request = replace(asked, prompt="a" + " a" * (tokens - 1))
    if fits:
        assert check_film(DotProductGrid, request, "9:16").findings == ()
        return
    with pytest.raises(Unusable, match=r"13 tokens .* at most 12 in a frame of this shape"):
        read(DotProductGrid, request, "9:16")


def test_what_is_said_names_the_tokens_that_are_shown(asked: Request) -> None:
    film = read(DotProductGrid, asked)
    assert isinstance(film, DotProductGrid)
    said = dict(film.script())["read-one-row"]
    asker, answer = (film.tokens[i].strip() for i in (film.asker, film.answer))
    found = "itself" if film.answer == film.asker else answer
    assert f"{asker} finds its largest dot product at {found}:" in said
    assert f"{asker} attends to {found}." in said


@pytest.mark.parametrize("prompt", ["a", "the old king", "one two one two", "a red bird saw a dog"])
@pytest.mark.parametrize("layer", [0, 1])
def test_the_number_falls_as_the_key_turns_away(asked: Request, prompt: str, layer: int) -> None:
    film = read(DotProductGrid, replace(asked, prompt=prompt, layer=layer, head=0))
    assert isinstance(film, DotProductGrid)
    shown = [film.dots[film.asker, key].value.number for key in film.telling]
    assert shown == sorted(shown, reverse=True)
    said = dict(film.script())["the-key-turns-away"]
    if len(shown) > 1:
        assert ("below zero" in said) == (shown[0] >= 0 > shown[-1])


def test_the_querys_length_times_the_shadow_is_the_product_of_the_model(asked: Request) -> None:
    film = read(DotProductGrid, replace(asked, layer=0, head=1))
    assert isinstance(film, DotProductGrid)
    shown = {
        number.source: number.value for number in check_film(DotProductGrid, film.request).numbers
    }
    query = film.q[film.asker].array.astype(np.float64)
    length = f"length of {film.q[film.asker].address}"
    assert shown[f"= {length}"] == pytest.approx(np.linalg.norm(query))
    for key in (film.telling[0], film.telling[-1]):
        shadow = query @ film.k[key].array / np.linalg.norm(query)
        assert shown[f"= dot_products[0,1,{film.asker},{key}] / ({length})"] == pytest.approx(
            shadow
        )


def test_a_single_token_is_told_of_truly(asked: Request) -> None:
    film = read(DotProductGrid, replace(asked, prompt="a"))
    script = dict(film.script())
    assert "single token" in script["the-key-turns-away"]
    assert "attends to itself" in script["read-one-row"]
    assert "makes 1 dot product." in script["a-cell-for-each-pair"]
