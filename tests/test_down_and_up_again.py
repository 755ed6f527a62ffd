"""The film of the value map counts weights as they are; a head writes in its own rows."""

from pathlib import Path

import numpy as np
import pytest
import torch
from played import checked, film_of, numbers, trace_of

from model import checkpoint
from model.gpt import GPT, Config
from scenes.analysis.directions import seen_in_three
from scenes.attention.down_and_up_again import DownAndUpAgain
from scenes.film import Request


def test_a_head_of_the_shipped_model_pushes_in_few_directions_and_all_heads_in_all() -> None:
    film = film_of(DownAndUpAgain, Request())
    product = torch.tensor(film.down.array).double() @ torch.tensor(film.up.array).double()
    assert film.rank == int(torch.linalg.matrix_rank(product)) == film.down.shape[1]
    stacked = torch.tensor(film.ups.array).double().flatten(0, 1)
    assert film.reach == int(torch.linalg.matrix_rank(stacked)) == len(film.map)
    assert film.ranks == [16, 32, 48, 64, 80, 96]
    said = dict(film.script())
    assert "16 directions of 96" in said["the-price"]
    assert "all 96 directions" in said["a-way-up-for-each"]


def test_what_the_heads_write_adds_up_to_the_change(asked: Request) -> None:
    film, trace = film_of(DownAndUpAgain, asked), trace_of(asked)
    written = sum(out.double for out in film.written) + trace.weights.b_O[1]
    np.testing.assert_allclose(written, trace.attn_out[1, film.token], atol=1e-5)
    for z, up, out in zip(film.found, film.ups, film.written, strict=True):
        np.testing.assert_allclose(z.double @ up.double, out.double, atol=1e-5)


def test_the_strips_that_are_drawn_add_up_to_the_new_vector(asked: Request) -> None:
    """A bias is a strip among them, and it is named, as it is a part of the change."""
    film = film_of(DownAndUpAgain, asked)
    assert len(film.added) == len(film.written)
    added = sum(each.double for each in (film.written[film.head], *film.added))
    np.testing.assert_allclose(film.vector.double + added, film.changed.double, atol=1e-5)
    assert "what the others write, and a bias" in dict(film.script())["own-rows"]


def test_whatever_is_fed_comes_out_flat() -> None:
    rng = np.random.default_rng(0)
    through = rng.normal(size=(12, 3)) @ rng.normal(size=(3, 12))
    feeds, after = seen_in_three(rng.normal(size=(50, 12)), through)
    assert len(feeds) == 2
    assert min(np.abs(before[:, 1]).max() for before in feeds) > 0.1
    np.testing.assert_allclose(feeds[0][:, [0, 2]], feeds[1][:, [0, 2]])
    assert np.abs(after[:, 1]).max() < 1e-9
    assert np.abs(after[:, [0, 2]]).max() > 0.1


def test_the_published_figures_are_the_products_of_the_published_sizes(asked: Request) -> None:
    found = numbers(DownAndUpAgain, asked)
    published = {value for source, value in found.items() if source.startswith("constant: ")}
    assert published == {12_288**2, 2 * 12_288 * 128}
    assert {24 * 24, 2 * 24 * 8} <= set(found.values())


def test_a_head_as_wide_as_the_vector_pushes_in_all_directions(
    tiny_checkpoint: Path, tmp_path: Path
) -> None:
    words = checkpoint.load(tiny_checkpoint).tokenizer
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = GPT(Config(2, 1, 24, 48, 64, words.d_vocab)).eval()
    checkpoint.save(model, words, tmp_path / "one")
    request = Request(checkpoint=tmp_path / "one", prompt="the old king")
    assert checked(DownAndUpAgain, request).findings == ()
    said = dict(film_of(DownAndUpAgain, request).script())
    assert "never flat" in said["the-price"]
    assert "one head only" in said["a-way-up-for-each"]
    assert "Now add a bias" in said["own-rows"]


@pytest.mark.sweep
@pytest.mark.parametrize("prompt", ["a", "one two one two"])
def test_any_prompt_has_a_change(asked: Request, prompt: str) -> None:
    request = Request(prompt=prompt, checkpoint=asked.checkpoint)
    assert checked(DownAndUpAgain, request).findings == ()
