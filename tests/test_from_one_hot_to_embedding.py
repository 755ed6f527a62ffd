"""The film of one-hot vectors and embeddings shows the table of the model and nothing else."""

import numpy as np
import pytest
import torch
from played import film_of, trace_of

from model import checkpoint
from model.corpus.occurrences import is_read, used_alike
from scenes.analysis.directions import fanned
from scenes.film import Request
from scenes.vectors.from_one_hot_to_embedding import AXES, SQUARE, FromOneHotToEmbedding


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
    assert (AXES @ AXES.T).tolist() == np.eye(3).tolist()
    vectors = np.sin(np.arange(48.0)).reshape(3, 16).astype(np.float32)
    first, second, third = fanned(vectors)
    assert first == pytest.approx([0, 1, 0], abs=1e-6)
    drawn = np.stack([first, second, third])
    assert drawn @ drawn.T == pytest.approx(cosines(vectors), abs=1e-6)
    first, second, third = fanned(np.eye(3, 16, dtype=np.float32))
    assert second[0] > 0 > third[0]  # to both sides


def test_arrows_stand_at_the_angles_of_their_rows_before_training_and_after(asked: Request) -> None:
    played = film(asked)
    for table in (played.fresh.array, trace_of(asked).weights.W_E):
        rows = table[played.met]
        assert cosines(fanned(rows)) == pytest.approx(cosines(rows), abs=1e-4)


def test_the_shipped_model_tells_the_story() -> None:
    played = film(Request())
    assert [played.near[each] for each in played.met] == [" creature", " monkey", " red"]
    like, neighbour = (each.number for each in played.after)
    assert like > 0.6
    assert abs(neighbour) < 0.1
    assert "close; “red”" in dict(played.script())["what-a-table-learns"]


def test_words_that_are_used_alike_stand_between_the_same_words_in_the_corpus() -> None:
    one, other = film(Request()).texts
    assert one.replace(" creature ", " monkey ") == other
    assert is_read(one)
    assert is_read(other)
    assert not is_read(one.replace(" creature ", " red "))
    assert used_alike("creature", "creature", "red") == used_alike("xyzzy", "monkey", "red") == ()


def test_a_prompt_of_one_token_is_told_of_truly() -> None:
    script = dict(film(Request(prompt="a")).script())
    assert "use two words alike" in script["what-a-table-learns"]
    assert "whatever they mean" in script["at-right-angles"]


def test_before_training_no_two_of_the_rows_shown_are_alike() -> None:
    played = film(Request())
    apart = cosines(played.fresh.array[played.met]) - np.eye(3)
    assert np.abs(apart).max() < SQUARE
    assert played.before[0].number < played.after[0].number - 0.3


def test_a_word_like_the_one_looked_up_is_no_neighbour_in_the_list() -> None:
    played = film(Request())
    similar = cosines(played.table.array[[played.id, played.like, *played.beside]])[0]
    assert similar[1] > similar[2:].max() + 0.3
    assert played.like not in played.beside
