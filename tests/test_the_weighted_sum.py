"""The film of the weighted sum adds up what the model adds up, and tells what it measured."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from played import film_of, kept_and_new, numbers, trace_of

from scenes.attention.no_peeking import NoPeeking
from scenes.attention.the_weighted_sum import TheWeightedSum
from scenes.film import Request

PROMPTS = ("a", "the old king", "one two one two", "a red bird saw a dog")


def test_the_sum_shown_is_what_pytorch_makes_of_pattern_and_values(asked: Request) -> None:
    trace, film = trace_of(asked), film_of(TheWeightedSum, asked)
    pattern, v = (torch.from_numpy(np.array(each[1, 2])) for each in (trace.pattern, trace.v))
    z = (pattern[film.asker] @ v).numpy()
    shown = numbers(TheWeightedSum, asked)
    found = {
        int(source[-2]): value
        for source, value in shown.items()
        if re.fullmatch(rf"= .*pattern\[1,2,{film.asker},:\] \* v\[1,2,:,\d\]", source)
    }
    assert found
    for entry, value in found.items():
        assert value == pytest.approx(float(z[entry]), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_the_pushes_add_up_to_the_change_of_the_head(asked: Request, prompt: str) -> None:
    request = replace(asked, prompt=prompt)
    film, trace = film_of(TheWeightedSum, request), trace_of(request)
    together = np.sum([push.array for push in film.pushes.each], axis=0)
    np.testing.assert_allclose(together, trace.head_out[1, 2, film.asker], atol=1e-5)


def test_the_shares_of_the_change_add_up_to_one(asked: Request) -> None:
    shown = numbers(TheWeightedSum, asked)
    shares = [value for source, value in shown.items() if "/ (sum over all entries of" in source]
    assert len(shares) == film_of(TheWeightedSum, asked).asker + 1
    assert sum(shares) == pytest.approx(1, abs=1e-4)


def test_every_claim_of_equality_holds(asked: Request) -> None:
    shown = numbers(TheWeightedSum, asked)
    gaps = [value for source, value in shown.items() if source.startswith("= largest difference")]
    assert len(gaps) == 2
    assert max(gaps) < 1e-6


def test_the_ratio_said_is_the_ratio_measured(asked: Request) -> None:
    film, trace = film_of(TheWeightedSum, asked), trace_of(asked)
    out, x = trace.head_out[1, 2, film.asker], trace.resid_pre[1, film.asker]
    ratio = np.linalg.norm(out) / np.linalg.norm(x)
    said = dict(film.script())["each-source-pushes"]
    assert f"{ratio:.0%}".replace("%", " percent") in said


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_said_of_the_weights_is_what_they_are(
    asked: Request, prompt: str, layer: int
) -> None:
    request = replace(asked, prompt=prompt, layer=layer)
    film, trace = film_of(TheWeightedSum, request), trace_of(request)
    row = trace.pattern[layer, 2, film.asker, : film.asker + 1]
    script = dict(film.script())
    assert f"{100 * row.max():.0f} percent of its weight" in script["the-story-and-the-sources"]
    if film.asker:
        assert f"{100 * row.max():.0f} percent is left" in script["weights-scale-values"]
    else:
        assert "Its own weight is 1" in script["weights-scale-values"]
    assert ("single token" in script["all-tokens-at-once"]) == (len(film.tokens) == 1)


def test_the_story_is_told_under_its_badge_and_only_of_words_that_are_there(
    asked: Request,
) -> None:
    said = dict(film_of(TheWeightedSum, asked).script())["the-story-and-the-sources"]
    assert "a word takes in the words that describe it" in said


def test_it_opens_on_the_pattern_that_the_film_of_the_mask_ends_with() -> None:
    tokens = len(TheWeightedSum.prompt.split())
    kept, new = kept_and_new(NoPeeking, TheWeightedSum)
    assert kept > 3 * tokens**2 / 2  # faces, dots and zeros, and the hatching
    assert new == 1  # the title
