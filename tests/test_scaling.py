"""Whatever a model divides its dot products by, or does not, is what its films show and say."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from played import film_of, numbers, trace_of

from checking.check import check_film
from model import checkpoint
from model.gpt import GPT, Config
from scenes import FILMS
from scenes.analysis.scaling import Scaling
from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.attention.scale_then_softmax import ScaleThenSoftmax
from scenes.expressions import agree, evaluate
from scenes.film import Film, Request
from scenes.provenance import Tensor, length

UNDIVIDED, BY_BOTH, BY_LAYER = "undivided", "by both", "by layer"
SETTINGS = {  # scale_attn_weights, scale_attn_by_inverse_layer_idx
    UNDIVIDED: (False, False),
    BY_BOTH: (True, True),
    BY_LAYER: (False, True),
}
DIVISORS = {UNDIVIDED: 1.0, BY_BOTH: 2 * 8**0.5, BY_LAYER: 2.0}  # of the second layer, 8 entries
SAID = {
    UNDIVIDED: "This model does not divide its dot products.",
    BY_BOTH: "by 5.657: the root of 8 entries, 2.828, times the layer's number, 2, counted from",
    BY_LAYER: "by the layer's number alone: 2, counted from one.",
}
TOLD = [OneHeadAsMatrices]


@pytest.fixture(scope="module")
def folders(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The small model with dot products as large as a trained one's, scaled in its own way."""
    loaded = checkpoint.load(tiny_checkpoint)
    assert isinstance(loaded.config, Config)
    found = {}
    for name, (by_root, by_layer) in SETTINGS.items():
        config = replace(loaded.config, scores_over_sqrt_d_head=by_root, scores_over_layer=by_layer)
        model = GPT(config)
        model.load_state_dict(
            {
                key: 6 * weight if key.endswith(("W_Q", "W_K")) else weight
                for key, weight in loaded.model.state_dict().items()
            }
        )
        found[name] = tmp_path_factory.mktemp("scaled") / "model"
        checkpoint.save(model, loaded.tokenizer, found[name])
    return found


@pytest.fixture(params=SETTINGS)
def scaled(request: pytest.FixtureRequest, asked: Request, folders: dict[str, Path]) -> Request:
    return replace(asked, checkpoint=folders[request.param])


def name_of(request: Request, folders: dict[str, Path]) -> str:
    return next(name for name, folder in folders.items() if folder == request.checkpoint)


@pytest.mark.sweep
@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_a_film_is_clean_and_what_it_calls_equal_is(film: type[Film], scaled: Request) -> None:
    found = numbers(film, replace(scaled, prompt="the old king"))
    gaps = [value for source, value in found.items() if source.startswith("= largest difference")]
    assert all(gap < 1e-3 for gap in gaps)


@pytest.mark.sweep
@pytest.mark.parametrize("film", TOLD, ids=lambda film: film.slug())
def test_a_single_token_is_shown_upright_too(film: type[Film], scaled: Request) -> None:
    assert check_film(film, replace(scaled, prompt="a"), "9:16").findings == ()


@pytest.mark.parametrize("film", TOLD, ids=lambda film: film.slug())
def test_the_divisor_is_shown_and_said(
    film: type[Film], scaled: Request, folders: dict[str, Path]
) -> None:
    name, trace = name_of(scaled, folders), trace_of(scaled)
    ratio = trace.dot_products[1, 2] / trace.scores[1, 2]
    assert np.allclose(ratio, DIVISORS[name], rtol=1e-4)
    assert SAID[name] in " ".join(line for _, line in film_of(film, scaled).script())
    found = numbers(film, scaled).items()
    told = [x for source, x in found if re.search("^[^a-z]*(count|square).*layer 1", source)]
    wanted = sorted({2.0, DIVISORS[name]} if name != UNDIVIDED else ())
    assert sorted(set(told)) == pytest.approx(wanted)


@pytest.mark.parametrize("film", TOLD, ids=lambda film: film.slug())
def test_the_usual_model_needs_no_such_sentence(film: type[Film], asked: Request) -> None:
    assert "This model" not in " ".join(line for _, line in film_of(film, asked).script())
    assert not [source for source in numbers(film, asked) if "number of layer" in source]


def test_what_dividing_would_do_is_worked_out(asked: Request, folders: dict[str, Path]) -> None:
    request = replace(asked, checkpoint=folders[UNDIVIDED])
    row = trace_of(request).dot_products[1, 2, -1].astype(np.float64) / 8**0.5
    largest = float((raised := np.exp(row)).max() / raised.sum())
    found = numbers(ScaleThenSoftmax, request, "divided").values()
    assert any(value == pytest.approx(largest, rel=1e-5) for value in found)
    said = dict(film_of(ScaleThenSoftmax, request).script())["divided"]
    assert said.startswith("This model doesn't divide")
    assert f"would get {100 * largest:.0f} percent" in said


@pytest.mark.parametrize("film", [ScaleThenSoftmax, OneHeadAsMatrices])
def test_formulas_divide_by_what_the_model_divides_by(
    film: type[Film], scaled: Request, folders: dict[str, Path]
) -> None:
    made = film_of(film, scaled)
    markup = made.scaling.markup
    name = name_of(scaled, folders)
    assert ("sqrt" in markup, "n" in markup.split()) == SETTINGS[name]


@pytest.mark.parametrize("scaling", [Scaling(*each, layer=4) for each in SETTINGS.values()])
def test_a_row_is_divided_by_a_divisor_that_can_be_worked_out_again(scaling: Scaling) -> None:
    arrays = {"dots": np.arange(3, dtype=np.float32), "q": np.ones(16, dtype=np.float32)}
    dots, q = Tensor(arrays["dots"], "dots"), Tensor(arrays["q"], "q")
    divided = scaling.divided(dots, q)
    expected = 4**scaling.by_root * 5**scaling.by_layer
    assert divided.array == pytest.approx(arrays["dots"] / expected)
    size = length(divided)
    assert agree(size.number, size.origin, evaluate(size.origin, arrays))
    if scaling.divides:
        divisor = scaling.divisor(q)
        assert divisor.number == expected
        assert evaluate(divisor.origin, arrays) == expected
