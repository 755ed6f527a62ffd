"""The film of a head's rows adds them up as the model does; counts and directions are true."""

import copy
import functools
from pathlib import Path

import numpy as np
import pytest
import torch
from played import checked, film_of, numbers

from checking.check import check_film
from model import checkpoint
from model.errors import Unsuited
from model.gpt import GPT, Config
from rendering.pictures import Picture
from rendering.playing import staged
from scenes.attention.down_and_up_again import DownAndUpAgain
from scenes.attention.many_heads import ManyHeads
from scenes.attention.the_weighted_sum import TheWeightedSum
from scenes.block.thinking_alone import ThinkingAlone
from scenes.figures.taken_rows import TIMES
from scenes.film import SHIPPED, Film, Request


def test_a_head_of_the_shipped_model_pushes_in_few_directions_and_all_heads_in_all() -> None:
    film = film_of(DownAndUpAgain, Request())
    assert film.rank == int(np.linalg.matrix_rank(film.up.double)) == film.down.shape[1]
    stacked = torch.tensor(film.ups.array).double().flatten(0, 1)
    assert film.ranks[-1] == int(torch.linalg.matrix_rank(stacked)) == len(film.vector)
    assert film.ranks == [16, 32, 48, 64, 80, 96]
    said = dict(film.script())
    assert "only 16 directions of 96" in said["rows-of-every-head"]
    assert "all 96 directions" in said["rows-of-every-head"]


def test_the_rows_times_what_was_found_are_what_the_head_adds(asked: Request) -> None:
    film = film_of(DownAndUpAgain, asked)
    rows = film.found.double[:, None] * film.up.double
    own = film.pushes[film.head, film.token]
    np.testing.assert_allclose(rows.sum(axis=0), own.double, atol=1e-5)


def test_the_line_says_the_number_that_adds_most_of_its_row() -> None:
    film = film_of(DownAndUpAgain, Request())
    assert film.ranked[0] == int(np.abs(film.found.array).argmax())
    assert (
        "This one says minus 1.83. Here's its row, as bars: add it 1.83 times, its signs turned."
        in " ".join(line for _, line in film.script())
    )


def test_the_share_of_the_square_is_the_quotient_of_the_sizes(asked: Request) -> None:
    assert 2 * 24 * 8 / 24**2 in numbers(DownAndUpAgain, asked).values()


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
    assert "one head only" in said["rows-of-every-head"]
    assert "reach all 24 directions" in said["rows-of-every-head"]


@pytest.mark.sweep
@pytest.mark.parametrize("prompt", ["a", "one two one two"])
def test_any_prompt_has_a_change(asked: Request, prompt: str) -> None:
    request = Request(prompt=prompt, checkpoint=asked.checkpoint)
    assert checked(DownAndUpAgain, request).findings == ()


def test_the_count_of_directions_shows_only_what_some_heads_reach(tmp_path: Path) -> None:
    small = Picture(width=256, height=144, fps=5, format="png")
    request = Request(beats=frozenset(), until="few-into-many")
    with staged(DownAndUpAgain, request, small, tmp_path) as film:
        assert isinstance(film, DownAndUpAgain)
        film.render()
        shown = set[float]()
        for heads in np.linspace(0, len(film.ups), 50):
            film.stack.reach(float(heads))
            shown.add(film.stack.number.value.number)
        assert shown == set(film.ranks)


def test_rows_fall_on_the_heads_change(tmp_path: Path) -> None:
    request = Request(beats=frozenset(), until="few-into-many")
    small = Picture(width=256, height=144, fps=5, format="png")
    with staged(DownAndUpAgain, request, small, tmp_path) as film:
        assert isinstance(film, DownAndUpAgain)
        film.render()
        rows, own = film.risen.rows, film.pushes[film.head, film.token].double
        unit = rows.first / film.up.double[film.ranked[0]]
        made = rows.sums
    np.testing.assert_allclose(unit, unit[0])
    np.testing.assert_allclose(made[-1], unit[0] * own, atol=1e-4)
    np.testing.assert_allclose(np.diff(made, axis=0), rows.taken)


def test_a_row_that_runs_into_the_sum_is_shared_between_both(tmp_path: Path) -> None:
    request = Request(beats=frozenset(), until="few-into-many")
    small = Picture(width=256, height=144, fps=5, format="png")
    shown = dict[str, np.ndarray]()
    with staged(DownAndUpAgain, request, small, tmp_path) as film:
        assert isinstance(film, DownAndUpAgain)
        film.render()
        rows = film.risen.rows
        for name, profile in (("row", rows.row), ("total", rows.total)):
            seen = functools.partial(shown.__setitem__, name)
            profile.put = lambda numbers, _=0.0, seen=seen: seen(numbers)  # type: ignore[method-assign]
        for at in np.linspace(1 + TIMES, rows.many - 1e-6, 50):
            rows.fall(float(at))
            if at % 1 >= TIMES:
                np.testing.assert_allclose(sum(shown.values()), rows.sums[int(at) + 1], atol=1e-9)


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """A model whose steps add nothing, as a new one's may, before it is trained on."""
    shipped = checkpoint.load(SHIPPED)
    model = copy.deepcopy(shipped.model)
    with torch.no_grad():
        for block in model.blocks:
            block.attn.W_O.zero_()
            block.attn.b_O.zero_()
            block.mlp.W_out.zero_()
            block.mlp.b_out.zero_()
    checkpoint.save(model, shipped.tokenizer, tmp_path / "silent")
    return tmp_path / "silent"


def test_a_model_whose_steps_add_nothing_has_the_film(silent: Path) -> None:
    assert check_film(DownAndUpAgain, Request(checkpoint=silent)).findings == ()


@pytest.mark.parametrize("film", [TheWeightedSum, ManyHeads, ThinkingAlone])
def test_a_film_of_what_a_step_changes_is_refused_where_that_is_nothing(
    film: type[Film], silent: Path
) -> None:
    with pytest.raises(Unsuited, match="adds nothing here: choose another head or model"):
        film_of(film, Request(checkpoint=silent))
