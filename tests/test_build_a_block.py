"""Promises of the film build-a-block."""

import numpy as np
import pytest
from played import film_of

from model import checkpoint
from model.trace import watch
from scenes.block.build_a_block import BuildABlock
from scenes.film import SHIPPED, Request


@pytest.fixture(scope="module")
def film() -> BuildABlock:
    return film_of(BuildABlock, Request())


def test_a_change_never_goes_to_the_left(film: BuildABlock) -> None:
    """Both texts are run once more; the columns before the swapped word stay as they are."""
    model = checkpoint.load(SHIPPED).model
    ids = list(film.trace.ids)
    swapped = [*ids[: film.place], film.new_id, *ids[film.place + 1 :]]
    for site in ("resid_pre", "resid_mid", "resid_post"):
        before, after = (watch(model, text)[site] for text in (ids, swapped))
        assert np.array_equal(before[:, : film.place], after[:, : film.place])
        assert (before[:, film.place :] != after[:, film.place :]).any()
    assert all(row[i].number == 0 for row in film.changes for i in range(film.place))


def test_it_spreads_sideways_in_attention_alone(film: BuildABlock) -> None:
    changed = [[change.number > 1e-6 for change in row] for row in film.changes]
    assert sum(changed[0]) == 1
    for layer in range(film.layers):
        after_attention, after_mlp = changed[2 * layer + 1], changed[2 * layer + 2]
        assert after_attention == after_mlp


def test_the_last_block_guesses_what_the_model_guesses(film: BuildABlock) -> None:
    piece, chance = film.guesses[0][-1]
    assert chance.number == pytest.approx(float(film.trace.probs[-1].max()), abs=1e-5)
    (own,) = checkpoint.load(SHIPPED).tokenizer.pieces([int(film.trace.probs[-1].argmax())])
    assert piece == own


def test_the_guess_sharpens_and_the_other_word_gives_another_one(film: BuildABlock) -> None:
    (first, other) = (guesses[-1][0] for guesses in film.guesses)
    assert (first, other) == (" queen", " princess")
    chances = film.tensor("early.probs").array[:, int(film.trace.probs[-1].argmax())]
    assert (np.diff(chances) > -0.01).all()
    assert chances[-1] > 0.9
    assert chances[0] < 0.1


def test_the_word_that_is_swapped_changes_the_guess_most(film: BuildABlock) -> None:
    """Every other word is swapped for its own stand-in, too."""
    model, ids = checkpoint.load(SHIPPED).model, film.trace.ids
    table = film.trace.weights.W_E

    def gap(place: int) -> float:
        new = film._stand_in(table, ids[place])
        text = [*ids[:place], new, *ids[place + 1 :]]
        return float(np.abs(watch(model, text)["probs"][-1] - film.trace.probs[-1]).sum())

    gaps = [gap(place) for place in range(len(ids) - 1)]
    assert int(np.argmax(gaps)) == film.place
