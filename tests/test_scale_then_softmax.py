"""The film of scaling and softmax shows what the model's dot products come to."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from played import film_of, numbers, trace_of

from scenes.attention.scale_then_softmax import STIRS, STUCK, ScaleThenSoftmax
from scenes.figures.softmax_row import NUDGE
from scenes.film import Request


def softmax(row: np.ndarray) -> np.ndarray:
    return torch.softmax(torch.from_numpy(row.astype(np.float64)), dim=-1).numpy()


def test_the_example_shows_the_claim_on_the_shipped_model() -> None:
    film = film_of(ScaleThenSoftmax, Request(prompt=ScaleThenSoftmax.prompt))
    row = film.products.double
    named = [film.tokens[place].strip() for place in (film.asker, film.top)]
    assert named == ["forest", "verdant"]
    assert row.min() < 0 < row.max()
    before, after = softmax(row), softmax(row / 4)
    assert before[film.top] > 0.999
    assert after[film.top] < STUCK
    nudged = row + NUDGE * np.eye(len(row))[film.top]
    assert abs(softmax(nudged) - before).max() < 0.001
    assert abs(softmax(nudged / 4) - after).max() > 0.02


def test_dot_products_and_shares_are_those_of_the_model(asked: Request) -> None:
    found, trace = numbers(ScaleThenSoftmax, asked), trace_of(asked)
    last = len(trace.ids) - 1
    for name, tensor in (("dot_products", trace.dot_products), ("scores", trace.scores)):
        row = tensor[1, 2, last]
        for key, share in enumerate(softmax(row)):
            assert found[f"{name}[1,2,{last},{key}]"] == row[key]
            shown = found.get(f"= entry {key} of softmax over key of {name}[1,2,{last},:]", share)
            assert shown == pytest.approx(share, rel=1e-5)


def test_random_dot_products_spread_by_the_root_of_their_entries(asked: Request) -> None:
    found = numbers(ScaleThenSoftmax, asked)
    for entries in (16, 64, 256):
        source = f"standard deviation of random_vectors.dots_{entries}[:]"
        assert found[f"= {source}"] == pytest.approx(entries**0.5, rel=0.05)
        by = f"random_vectors.q_{entries}[0,:]"
        divided = [each for name, each in found.items() if source in name and by in name]
        assert divided == [pytest.approx(1, rel=0.05)]


@pytest.mark.parametrize("prompt", ["a", "the old king", "the the the the", "a red bird saw a dog"])
@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_said_of_the_row_is_measured(asked: Request, prompt: str, layer: int) -> None:
    request = replace(asked, prompt=prompt, layer=layer)
    film, trace = film_of(ScaleThenSoftmax, request), trace_of(request)
    script, row = dict(film.script()), trace.dot_products[layer, 2, -1]
    if len(row) == 1:
        assert "A single word" in script["a-nudge-is-lost"]
        return
    share = softmax(row).max()
    said = re.search(r"takes ([\d.]+) percent", script["a-nudge-is-lost"])
    assert said
    assert float(said[1]) == pytest.approx(100 * share, abs=0.5)
    assert (said[1] == "100") == (share > 0.9999)  # what is not all is not said to be
    assert f"{100 * softmax(trace.scores[layer, 2, -1]).max():.0f} percent" in script["divided"]


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize(
    "prompt", ["Émile saw 7 cats near the café", "a", "the old king", "a red bird saw a dog", None]
)
def test_what_is_said_of_a_nudge_is_seen(prompt: str | None, layer: int) -> None:
    request = Request(prompt=prompt or ScaleThenSoftmax.prompt, layer=layer)
    film = film_of(ScaleThenSoftmax, request)
    script, away = dict(film.script()), np.eye(len(film.tokens))[film.top]
    loose, felt = (
        softmax(row + by * away)[film.top] - softmax(row - by * away)[film.top]
        for row, by in ((film.products.double, 1), (film.scores.double, 1 / film.divisor.number))
    )
    if len(film.tokens) == 1:
        assert "one share can't move" in script["the-nudge-is-felt"]
        return
    assert ("moves less than before" in script["the-nudge-is-felt"]) == (felt <= loose)
    if "little is learned" in script["a-nudge-is-lost"]:
        assert loose <= min(STIRS, felt)
    else:
        assert "the shares follow" in script["a-nudge-is-lost"]
    assert prompt is None or prompt[0] != "É" or layer != 1 or felt < loose


def test_a_favourite_that_is_the_first_token_is_told_with_what_comes_next() -> None:
    film = film_of(ScaleThenSoftmax, Request(prompt="the blue forest"))
    assert film.resting(2, [1, 0, 2]) == ""
    assert film.resting(2, [0, 2]) == ""  # nothing else is left but itself
    film.score = replace(film.score, first_token=0.5)
    often = ": the first token, where this head often rests. Then comes “blue”"
    assert film.resting(2, [0, 1, 2]) == often
    film.score = replace(film.score, first_token=0.1)
    assert film.resting(2, [0, 2, 1]) == ": the first token. Then comes itself"
