"""The film of the value map counts weights as they are, and finds one product where heads add."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from played import film_of, kept_and_new, numbers, trace_of

from checking.check import check_film
from model import checkpoint
from model.gpt import GPT, Config
from scenes.attention.down_and_up_again import DownAndUpAgain
from scenes.attention.many_heads import ManyHeads
from scenes.film import Request


def test_the_singular_values_are_those_that_pytorch_finds(asked: Request) -> None:
    weights = trace_of(asked).weights
    product = torch.tensor(weights.W_V[1, 2]).double() @ torch.tensor(weights.W_O[1, 2]).double()
    film = film_of(DownAndUpAgain, asked)
    shown = [size.number for size in film.sizes]
    np.testing.assert_allclose(shown, torch.linalg.svdvals(product).numpy(), atol=1e-12)
    assert film.rank == int(torch.linalg.matrix_rank(product)) == weights.W_V.shape[-1]


def test_all_heads_at_once_give_what_the_model_adds(asked: Request) -> None:
    film, trace = film_of(DownAndUpAgain, asked), trace_of(asked)
    model = trace.attn_out[1, film.token]
    np.testing.assert_allclose(film.change.at_once.array, model, atol=1e-5)
    np.testing.assert_allclose(film.change.head_by_head.array, model, atol=1e-5)


def test_the_claim_of_equality_holds(asked: Request) -> None:
    shown = numbers(DownAndUpAgain, asked)
    gaps = [value for source, value in shown.items() if source.startswith("= largest difference")]
    assert len(gaps) == 1
    assert gaps[0] < 1e-6


def test_the_published_figures_are_the_products_of_the_published_sizes(asked: Request) -> None:
    published = {
        value
        for source, value in numbers(DownAndUpAgain, asked).items()
        if source.startswith("constant: ")
    }
    assert published == {12_288, 128, 150_994_944, 1_572_864, 96}


def test_what_is_said_of_sizes_is_those_of_the_checkpoint(asked: Request) -> None:
    script = dict(film_of(DownAndUpAgain, asked).script())
    assert "576 weights here" in script["a-square-map"]
    assert "3 times smaller here" in script["beside-a-key-matrix"]
    assert "24 by 24" in script["only-so-many-directions"]
    assert "8 are not zero" in script["only-so-many-directions"]


def test_a_model_of_one_head_has_no_zero_directions(tiny_checkpoint: Path, tmp_path: Path) -> None:
    words = checkpoint.load(tiny_checkpoint).tokenizer
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = GPT(Config(2, 1, 24, 48, 64, words.d_vocab)).eval()
    checkpoint.save(model, words, tmp_path / "one")
    request = Request(checkpoint=tmp_path / "one", prompt="the old king")
    report = check_film(DownAndUpAgain, request)
    assert report.findings == ()
    script = dict(film_of(DownAndUpAgain, request).script())
    assert "just as large here" in script["beside-a-key-matrix"]
    assert "can push in all directions" in script["only-so-many-directions"]


@pytest.mark.parametrize("prompt", ["a", "one two one two"])
def test_any_prompt_has_a_change(asked: Request, prompt: str) -> None:
    report = check_film(DownAndUpAgain, replace(asked, prompt=prompt))
    assert report.findings == ()


def test_it_opens_on_what_the_film_of_many_heads_ends_with() -> None:
    opening = len(DownAndUpAgain.prompt.split()) + 5  # three matrices, the pattern and its name
    kept, new = kept_and_new(ManyHeads, DownAndUpAgain)
    assert kept > opening
    assert new == 1  # the title


def test_products_run_to_the_change_at_once(asked: Request) -> None:
    change = film_of(DownAndUpAgain, asked).change
    shown = [0, 3, 23]
    sums = [sum(row[i].number for row in change.products(shown)) for i in shown]
    np.testing.assert_allclose(sums, change.at_once.array[shown], atol=1e-6)
