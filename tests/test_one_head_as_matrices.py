"""The film of one head's matrices: they are the model's, and drawn in true proportions."""

from dataclasses import replace

import numpy as np
import pytest
from played import checked, film_of, trace_of
from plays import Play, Plays

from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.figures.sheet import MOST
from scenes.film import Request


def test_the_matrices_make_one_another_as_the_line_says(asked: Request) -> None:
    """Worked out here once more, with numpy alone."""
    trace, model = trace_of(asked), film_of(OneHeadAsMatrices, asked).model
    q, k, v = (np.asarray(getattr(trace, name)[1, 2], np.float64) for name in "qkv")
    scores = q @ k.T / np.sqrt(q.shape[1])
    raised = np.tril(np.exp(scores))
    pattern = raised / raised.sum(axis=1, keepdims=True)
    for mine, name in ((scores, "scores"), (pattern, "pattern"), (pattern @ v, "z")):
        assert np.allclose(mine, model[name].array, atol=1e-5)


@pytest.fixture
def played(plays: Plays) -> OneHeadAsMatrices:
    """The film as it was played for its own sentence."""
    play = plays.of(OneHeadAsMatrices, "default")
    assert isinstance(play, Play)
    assert isinstance(play.film, OneHeadAsMatrices)
    return play.film


def test_matrices_are_drawn_in_their_proportions(played: OneHeadAsMatrices) -> None:
    count = len(played.model["q"])
    entries = min(played.model["q"].shape[1], MOST)  # of long rows, not every entry is drawn
    q, k = (sheet.outline for sheet in (played.scoring.q, played.scoring.k))
    for place in (q, played.mixing.v.outline, played.mixing.z.outline):
        assert place.width / place.height == pytest.approx(entries / count)
    assert (k.width, k.height) == pytest.approx((q.height, q.width))


def test_the_row_that_is_followed_is_the_askers(asked: Request) -> None:
    film = film_of(OneHeadAsMatrices, asked)
    name = film.tokens[film.asker].strip()
    assert dict(film.script())["row-of-values"].endswith(f"“{name}”'s mixture.")


def test_another_models_divisor_is_not_forgotten(asked: Request) -> None:
    assert "add up, and scale" in dict(film_of(OneHeadAsMatrices, asked).script())["key-by-key"]


@pytest.mark.sweep
@pytest.mark.parametrize("prompt", ["a", "one two", "el niño comió café"])
def test_short_and_odd_prompts_are_clean(asked: Request, prompt: str) -> None:
    assert checked(OneHeadAsMatrices, replace(asked, prompt=prompt)).findings == ()


@pytest.mark.sweep
@pytest.mark.parametrize("aspect", ["9:16", "1:1", "4:3"])
def test_upright_and_square_frames_are_clean(asked: Request, aspect: str) -> None:
    assert checked(OneHeadAsMatrices, asked, aspect).findings == ()
