"""Promises of the film one-token-at-a-time."""

import numpy as np
import pytest
import torch
from played import film_of

from model import checkpoint
from model.generation import darts, generate, hit, write
from scenes.film import SHIPPED, Request
from scenes.study import DART_SEED
from scenes.task.one_token_at_a_time import HOT, RUNS, WRITTEN, OneTokenAtATime


@pytest.fixture(scope="module")
def film() -> OneTokenAtATime:
    return film_of(OneTokenAtATime, Request())


def shares_after(ids: list[int], temperature: float) -> np.ndarray:
    """Return what PyTorch's own softmax makes of the whole text's logits, without a cache."""
    with torch.inference_mode():
        logits = checkpoint.load(SHIPPED).model(torch.tensor([ids]))[0, -1]
    return (logits / temperature).softmax(dim=-1).double().numpy()


def test_every_token_is_where_its_dart_lands_on_the_shares_after_the_text_before_it(
    film: OneTokenAtATime,
) -> None:
    thrown = darts(RUNS, WRITTEN, DART_SEED)
    first, again, _, hot = film.texts
    for text, row, temperature in ((first, 0, 1.0), (again, film.other, 1.0), (hot, 0, HOT)):
        ids = list(film.trace.ids)
        for token, dart in zip(text.ids, thrown[row], strict=True):
            shares = np.sort(shares_after(ids, temperature))[::-1]
            rank = int(np.searchsorted(np.cumsum(shares), dart))
            assert shares[rank] == pytest.approx(shares_after(ids, temperature)[token], rel=1e-4)
            ids.append(token)


def test_its_small_print_says_how_many_tokens_share_the_chances(film: OneTokenAtATime) -> None:
    known = checkpoint.load(SHIPPED).tokenizer.d_vocab
    assert film.small_print().text == f"it knows {known:,} tokens"


def test_at_temperature_zero_it_writes_what_generate_writes(film: OneTokenAtATime) -> None:
    cold, model = film.texts[2], checkpoint.load(SHIPPED).model
    assert list(cold.ids) == generate(model, film.trace.ids, WRITTEN)


def test_the_two_texts_part_at_once(film: OneTokenAtATime) -> None:
    first, again, *_ = film.texts
    assert first.ids[0] != again.ids[0]


def test_no_share_that_reads_as_nothing_is_listed_beside_one_that_takes_all() -> None:
    long = "the small quick brown fox jumps over the lazy old dog and runs home"
    sure = film_of(OneTokenAtATime, Request(prompt=long))
    assert [value.number for value in sure.rounds[0].values] == pytest.approx([1, 0], abs=0.005)


def test_darts_hit_each_token_as_often_as_its_share_says() -> None:
    shares = np.array([0.1, 0.6, 0.3], np.float32)
    hits = [hit(shares, float(dart)) for dart in darts(1, 4000, 0)[0]]
    assert np.bincount(hits) / len(hits) == pytest.approx(shares, abs=0.03)


def test_a_text_ends_where_the_model_ends_it() -> None:
    loaded = checkpoint.load(SHIPPED)
    start = loaded.tokenizer.encode("One day, a fluffy blue creature")
    likeliest = write(loaded.model, start, [0.0] * 3).ids
    assert write(loaded.model, start, [0.0] * 3, end=likeliest[1]).ids == likeliest[:2]
