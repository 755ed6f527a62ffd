"""The film of the weighted sum adds up what the model adds up, and tells what it measured."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from played import film_of, numbers, trace_of

from checking.check import play_and_check
from scenes.attention.the_weighted_sum import SEEN, TheWeightedSum
from scenes.film import Request

PROMPTS = ("a", "the old king", "one two one two", "a red bird saw a dog")


def test_the_example_shows_the_claim_on_the_shipped_model() -> None:
    film = film_of(TheWeightedSum, Request(prompt=TheWeightedSum.prompt))
    assert [film.tokens[at] for at in (film.asker, film.favourite)] == [" creature", " fluffy"]
    shares = dict(zip(film.tokens, film.pushes.shares, strict=False))
    assert shares[" fluffy"].number + shares[" blue"].number > 0.85
    assert 0.1 < film.pushes.ratio.number < 0.5


def test_the_sum_shown_is_what_pytorch_makes_of_pattern_and_values(asked: Request) -> None:
    trace, film = trace_of(asked), film_of(TheWeightedSum, asked)
    pattern, v = (torch.from_numpy(np.array(each[1, 2])) for each in (trace.pattern, trace.v))
    z = (pattern[film.asker] @ v).numpy()
    shown = numbers(TheWeightedSum, asked)
    for entry, value in enumerate(z):
        assert shown[f"z[1,2,{film.asker},{entry}]"] == pytest.approx(float(value), abs=1e-6)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_pushes_add_up_to_the_change_of_the_head(asked: Request, prompt: str) -> None:
    request = replace(asked, prompt=prompt)
    film, trace = film_of(TheWeightedSum, request), trace_of(request)
    together = np.sum([push.array for push in film.pushes.each], axis=0)
    np.testing.assert_allclose(together, trace.head_out[1, 2, film.asker], atol=1e-5)
    assert sum(share.number for share in film.pushes.shares) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_said_is_measured(asked: Request, prompt: str, layer: int) -> None:
    request = replace(asked, prompt=prompt, layer=layer)
    film, trace = film_of(TheWeightedSum, request), trace_of(request)
    script, row = dict(film.script()), trace.pattern[layer, 2, film.asker]
    assert f"{100 * row.max():.0f} percent" in script["values-are-weighed"]
    out, x = trace.head_out[layer, 2, film.asker], trace.resid_pre[layer, film.asker]
    ratio = np.linalg.norm(out) / np.linalg.norm(x)
    assert f"{100 * ratio:.0f} percent" in script["the-arrow-bends"]
    assert ("only itself" in script["who-listens"]) == (len(film.tokens) == 1)


@pytest.mark.parametrize("layer", [0, 2])  # only in the first do some words push back
def test_minus_is_explained_where_a_share_that_is_told_has_one(layer: int) -> None:
    request = Request(prompt="I bought an apple and an orange.", layer=layer, head=1)
    film, _ = play_and_check(TheWeightedSum, request)
    assert isinstance(film, TheWeightedSum)
    (shares,) = film.bend.table.columns
    goes_back = min(share.numerals[0].value.number for share in shares) < -SEEN
    assert goes_back == (layer == 0)
    assert ("minus means back" in dict(film.script())["what-it-carries"]) == goes_back


@pytest.mark.parametrize(
    "prompt", ["a red bird", "Zürich 12 and the old king", "an apple and a pear"]
)
def test_arrows_are_as_long_and_as_far_apart_as_the_vectors(asked: Request, prompt: str) -> None:
    request = replace(asked, prompt=prompt)
    film, trace = play_and_check(TheWeightedSum, request)[0], trace_of(request)
    assert isinstance(film, TheWeightedSum)
    steps, after = film.bend.steps, film.bend.after
    change = steps[-1].tip - steps[0].tail
    own = after.tip - after.tail - change
    drawn = np.array([own, change]) / np.linalg.norm(own)
    true = np.array([trace.resid_pre[1, film.asker], trace.head_out[1, 2, film.asker]])
    true = true.astype(np.float64) / np.linalg.norm(true[0])
    np.testing.assert_allclose(drawn @ drawn.T, true @ true.T, atol=1e-6)
    assert f"{100 * np.linalg.norm(drawn[1]):.0f} percent" in dict(film.script())["the-arrow-bends"]
    along = [(step.tip - step.tail) @ change / (change @ change) for step in steps]
    written = [share.number for share in film.pushes.shares]
    np.testing.assert_allclose(along, written, atol=1e-5)


@pytest.mark.parametrize("prompt", ["the old king", "a red bird saw a dog by the old tree"])
def test_every_arrow_of_the_chain_is_told_and_all_shares_make_a_whole(
    asked: Request, prompt: str
) -> None:
    film = play_and_check(TheWeightedSum, replace(asked, prompt=prompt))[0]
    assert isinstance(film, TheWeightedSum)
    table = film.bend.table
    others = set(film.sources) - set(table.arrows)
    assert film.favourite in table.arrows
    assert len(table.rows) == len(table.arrows) + bool(others)
    for column in table.columns:
        written = [float(share.text.rstrip("%").replace("\u2212", "-")) for share in column]
        assert sum(written) == pytest.approx(100)
