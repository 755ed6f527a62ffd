"""The film of one-hot vectors and embeddings shows the table of the model and nothing else."""

import numpy as np
import pytest
import torch
from played import checked, film_of, shown, trace_of

from model import checkpoint
from scenes.analysis.directions import spanned
from scenes.film import Request
from scenes.vectors.from_one_hot_to_embedding import AXES, FromOneHotToEmbedding


def film(request: Request) -> FromOneHotToEmbedding:
    found = film_of(FromOneHotToEmbedding, request)
    assert isinstance(found, FromOneHotToEmbedding)
    return found


def cosines(vectors: np.ndarray) -> np.ndarray:
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units @ units.T


def test_a_one_hot_vector_times_the_table_is_what_the_model_looks_up(asked: Request) -> None:
    trace = trace_of(asked)
    identity = torch.eye(len(trace.weights.W_E))
    product = identity[list(trace.ids)] @ torch.tensor(trace.weights.W_E)
    assert product.numpy() == pytest.approx(trace.embed, abs=0)


def test_a_token_has_the_same_vector_wherever_it_stands(asked: Request) -> None:
    played, loaded = film(asked), checkpoint.load(asked.checkpoint)
    turned = torch.tensor([played.trace.ids[::-1]])
    seen = {}
    hook = loaded.model.embed.register_forward_hook(lambda *each: seen.update(out=each[-1][0]))
    with torch.inference_mode():
        loaded.model(turned)
    hook.remove()
    assert seen["out"].numpy()[::-1] == pytest.approx(trace_of(asked).embed, abs=0)


def test_arrows_stand_at_right_angles_and_then_at_the_angles_of_their_embeddings() -> None:
    before = AXES
    assert before @ before.T == pytest.approx(np.eye(3), abs=1e-9)
    vectors = np.sin(np.arange(48.0)).reshape(3, 16).astype(np.float32)
    after = spanned(vectors)
    assert after @ after.T == pytest.approx(cosines(vectors), abs=1e-6)


def test_the_first_arrow_points_up_and_the_others_to_its_two_sides_as_near_to_the_viewer() -> None:
    vectors = np.sin(np.arange(48.0)).reshape(3, 16).astype(np.float32)
    first, second, third = spanned(vectors)
    assert first == pytest.approx([0, 1, 0], abs=1e-6)
    assert np.arctan2(second[2], second[0]) == pytest.approx(np.arctan2(third[2], -third[0]))


def test_the_cosines_shown_are_those_of_the_rows(asked: Request) -> None:
    played, found = film(asked), shown(checked(FromOneHotToEmbedding, asked))
    similar = cosines(trace_of(asked).embed)
    one, *others = played.shown
    for other in others:
        source = f"= cosine between embed[{one},:] and embed[{other},:]"
        assert found[source] == pytest.approx(similar[one, other], abs=1e-4)


def test_the_shipped_model_tells_the_story() -> None:
    played = film(Request())
    names = [played.name_of(token) for token in played.shown]
    assert names == ["“fluffy”", "“blue”", "“creature”"]
    similar = cosines(played.trace.embed[played.shown])
    assert similar[0, 1] > 0.5
    assert max(similar[0, 2], similar[1, 2]) < 0.4


def test_a_prompt_of_one_token_is_told_of_truly() -> None:
    script = dict(film(Request(prompt="a")).script())
    assert "tend to come closer." in script["what-a-table-learns"]
    assert "whatever they mean" in script["at-right-angles"]


def test_before_training_no_two_rows_of_the_shipped_model_are_alike() -> None:
    played = film(Request())
    apart = cosines(played.fresh.array) - np.eye(len(played.tokens))
    assert np.abs(apart).max() < 0.35
    assert played.before[0].number < played.after[0].number - 0.3


def test_a_word_like_the_one_looked_up_is_no_neighbour_in_the_list() -> None:
    played = film(Request())
    similar = cosines(played.table.array[[played.id, played.like, *played.beside]])[0]
    assert similar[1] > similar[2:].max() + 0.3
    assert played.like not in played.beside
