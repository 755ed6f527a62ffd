"""The film of one-hot vectors and embeddings shows the table of the model and nothing else."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from played import film_of, shown, trace_of

from checking.check import check_film
from model import checkpoint
from scenes.film import Request
from scenes.vectors.from_one_hot_to_embedding import FromOneHotToEmbedding

ADDRESS = re.compile(r"(embed|reversed\.embed|cutting\.ids)\[[\d,]+\]")


def test_a_one_hot_vector_times_the_table_is_what_the_model_looks_up(asked: Request) -> None:
    found, trace = shown(check_film(FromOneHotToEmbedding, asked)), trace_of(asked)
    identity = torch.eye(len(trace.weights.W_E))
    product = identity[list(trace.ids)] @ torch.tensor(trace.weights.W_E)
    assert product.numpy() == pytest.approx(trace.embed, abs=0)
    source = "= largest difference between (one_hot[:,:] @ weights.W_E[:,:]) and embed[:,:]"
    assert found[source] == 0


def test_a_token_has_the_same_vector_wherever_it_stands(asked: Request) -> None:
    film, loaded = film_of(FromOneHotToEmbedding, asked), checkpoint.load(asked.checkpoint)
    turned = torch.tensor([film.trace.ids[::-1]])
    seen = {}
    hook = loaded.model.embed.register_forward_hook(lambda *each: seen.update(out=each[-1][0]))
    with torch.inference_mode():
        loaded.model(turned)
    hook.remove()
    assert seen["out"].numpy()[::-1] == pytest.approx(trace_of(asked).embed, abs=0)
    found = shown(check_film(FromOneHotToEmbedding, asked))
    place = len(film.tokens) - 1 - film.hero
    source = f"= largest difference between embed[{film.hero},:] and reversed.embed[{place},:]"
    assert found[source] == 0


def test_dot_products_of_one_hots_are_the_identity_where_no_token_stands_twice(
    asked: Request,
) -> None:
    film = film_of(FromOneHotToEmbedding, asked)
    assert np.array_equal(film.identity.array, np.eye(len(film.tokens)))
    assert "identity matrix" in dict(film.script())["the-identity"]


def test_a_token_that_stands_twice_gives_one_with_its_like_as_well(asked: Request) -> None:
    film = film_of(FromOneHotToEmbedding, replace(asked, prompt="a red dog saw a red dog"))
    ids = np.array(film.trace.ids)
    assert np.array_equal(film.identity.array, ids[:, None] == ids[None])
    assert "identity matrix" not in dict(film.script())["the-identity"]
    assert film.nearest
    assert ids[film.nearest[0]] != ids[film.nearest[1]]


def test_the_nearest_tokens_are_those_with_the_largest_cosine(asked: Request) -> None:
    film, embed = film_of(FromOneHotToEmbedding, asked), torch.tensor(trace_of(asked).embed)
    cosines = torch.nn.functional.cosine_similarity(embed[:, None], embed[None], dim=-1)
    assert film.cosines.array == pytest.approx(cosines.numpy(), abs=1e-5)
    apart = cosines - 2 * torch.eye(len(embed))
    assert film.nearest
    assert float(cosines[film.nearest]) == pytest.approx(float(apart.max()))


def test_the_weights_are_counted_for_this_model_and_for_gpt_3(asked: Request) -> None:
    report, trace = check_film(FromOneHotToEmbedding, asked), trace_of(asked)
    counted = {n.text: n.value for n in report.numbers if n.beat == "count-the-weights"}
    assert counted[f"{trace.weights.W_E.size:,}"] == trace.weights.W_E.size
    assert counted["617,558,016"] == 50257 * 12288


def test_a_vocabulary_without_the_two_words_shows_two_others(asked: Request) -> None:
    film = film_of(FromOneHotToEmbedding, asked)
    one, other = film.two_words
    assert one != other
    vectors = film.tensor("two_words.one_hot").array
    assert vectors.shape == (2, film.cutting.d_vocab)
    assert vectors.sum(axis=1).tolist() == [1, 1]
    assert float(vectors[0] @ vectors[1]) == 0


@pytest.mark.parametrize("prompt", ["a", "a a a", "a red dog and a blue dog"])
@pytest.mark.parametrize("aspect", ["16:9", "9:16"])
def test_any_number_of_tokens_is_shown_without_a_fault(
    asked: Request, prompt: str, aspect: str
) -> None:
    report = check_film(FromOneHotToEmbedding, replace(asked, prompt=prompt), aspect)
    assert report.findings == ()


def test_a_single_token_is_told_of_truly(asked: Request) -> None:
    script = dict(film_of(FromOneHotToEmbedding, replace(asked, prompt="a")).script())
    assert "there is no other" in script["the-identity"]
    assert "has only itself" in script["alike-and-unlike"]
    assert "Turn the sentence round" not in script["the-same-row-again"]
