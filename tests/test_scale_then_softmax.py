"""The film of scaling and softmax shows what the model's scores come to, for any sentence."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from played import film_of, shown, trace_of

from checking.check import check_film
from model import checkpoint
from scenes.attention.scale_then_softmax import ScaleThenSoftmax
from scenes.film import Request
from scenes.mobjects.text import written


def softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores.astype(np.float64))
    return raised / raised.sum(axis=-1, keepdims=True)


def test_every_number_of_the_row_is_that_of_the_model(asked: Request) -> None:
    found, trace = shown(check_film(ScaleThenSoftmax, asked)), trace_of(asked)
    query = film_of(ScaleThenSoftmax, asked).asker
    for name, tensor in (("dot_products", trace.dot_products), ("scores", trace.scores)):
        row = tensor[1, 2, query]
        weights = softmax(row)
        assert found[f"= sum over key of {name}[1,2,{query},:]"] == pytest.approx(row.sum())
        for key, weight in enumerate(weights):
            assert found[f"{name}[1,2,{query},{key}]"] == row[key]
            source = f"= entry {key} of softmax over key of {name}[1,2,{query},:]"
            assert found[source] == pytest.approx(weight, rel=1e-5)


def test_scaling_divides_by_the_root_of_the_length(asked: Request) -> None:
    trace = trace_of(asked)
    assert np.allclose(trace.scores * np.sqrt(trace.q.shape[-1]), trace.dot_products, atol=1e-5)
    assert (
        "divide by 2.83" in dict(film_of(ScaleThenSoftmax, asked).script())["the-row-is-readable"]
    )


def test_every_row_of_the_pattern_sums_to_one(asked: Request) -> None:
    found = shown(check_film(ScaleThenSoftmax, asked))
    sums = [
        value for source, value in found.items() if source.startswith("= sum over key of entry")
    ]
    assert len(sums) == len(trace_of(asked).ids)
    assert sums == pytest.approx([1.0] * len(sums))


def test_random_dot_products_spread_as_the_film_says(asked: Request) -> None:
    found = shown(check_film(ScaleThenSoftmax, asked))
    for length in (4, 16, 64, 256):
        source = f"standard deviation of random_vectors.dots_{length}[:]"
        assert found[f"= {source}"] == pytest.approx(length**0.5, rel=0.05)
        divided = f"= ({source}) / (square root of entries in random_vectors.q_{length}[0,:])"
        assert found[divided] == pytest.approx(1, rel=0.05)


@pytest.mark.parametrize("prompt", ["a", "the old king", "the the the the", "a red bird saw a dog"])
@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_said_of_the_row_is_measured(asked: Request, prompt: str, layer: int) -> None:
    request = replace(asked, prompt=prompt, layer=layer)
    film, trace = film_of(ScaleThenSoftmax, request), trace_of(request)
    row, script = trace.dot_products[layer, 2, film.asker], dict(film.script())
    said = script["no-weights-yet"]
    if len(row) > 1:
        negative = int((row < 0).sum())
        assert ("None is negative" in said) == (negative == 0)
        assert ("One is negative" in said) == (negative == 1)
        assert f"add up to {written(float(row.sum()), 1)}" in said
        later = film.top > film.asker
        assert ("which comes after it" in script["rows-add-up-to-one"]) == later
    else:
        assert "one dot product" in said
        assert "cannot move" in script["softmax-can-learn"]


@pytest.mark.parametrize(("scale", "lowered"), [(1.0, False), (1000.0, True)])
def test_exponentials_that_are_too_large_to_write_are_of_lowered_scores(
    asked: Request, tmp_path: Path, scale: float, *, lowered: bool
) -> None:
    loaded = checkpoint.load(asked.checkpoint)
    for name, weight in loaded.model.named_parameters():
        if name.endswith(("W_Q", "b_Q")):
            weight.data.mul_(scale)
    checkpoint.save(loaded.model, loaded.tokenizer, tmp_path / "sure")
    request = replace(asked, checkpoint=tmp_path / "sure")
    report = check_film(ScaleThenSoftmax, request)
    assert report.findings == ()
    assert any("largest of" in number.source for number in report.numbers) == lowered
