"""Promises of the film shuffle-the-words."""

import numpy as np
import pytest
from played import film_of, numbers

from scenes.figures.gathering import Gathering
from scenes.film import Request
from scenes.mobjects.attention_grid import AttentionGrid, Expected
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.vectors.shuffle_the_words import ShuffleTheWords, Swap


@pytest.fixture(scope="module")
def film() -> ShuffleTheWords:
    return film_of(ShuffleTheWords, Request())


def test_without_places_the_other_story_is_the_first_one_with_rows_and_columns_moved(
    film: ShuffleTheWords,
) -> None:
    first, then = film.seen_first.array, film.seen_then.array
    np.testing.assert_allclose(film.plain.moved(first), then, atol=1e-5)
    assert np.abs(first - then).max() > 0.05  # and it is not that nothing has moved


def test_without_places_a_word_comes_out_with_the_same_numbers(film: ShuffleTheWords) -> None:
    sums = (film.tensor(f"orderless{text}.z").array for text in ("", "_swapped"))
    here, there = (each[film.seen_in] for each in sums)
    np.testing.assert_allclose(here[list(film.plain.order)], there, atol=1e-4)
    ids = film.plain.ids
    texts = ids, [ids[at] for at in film.plain.order]
    first, then = (film.seen_without_order(text)["resid_post"] for text in texts)
    np.testing.assert_allclose(first[:, film.plain.order], then, atol=1e-4)


def test_what_each_word_gives_leads_to_the_same_sum_in_either_order() -> None:
    """Each arrow begins where the one before it ends; the sum lies to the right."""
    board = AttentionGrid(["a", "b", "c"], Region(0.0, 3.0, 0.0, 3.0))
    dots = board.weights(Tensor(np.full((3, 3), 1 / 3), "weights"))
    given = np.array([[1.0, 0.5], [2.0, -0.8], [1.5, 0.3]])
    gathered = Gathering((board, dots), 1, given, (0, 2), Region(-6.0, 6.0, -3.0, 3.0))
    here = [name.get_x() for name in gathered.names]
    for share, order in ((0.0, [0, 1, 2]), (1.0, [2, 1, 0])):
        gathered.go(share)
        first, middle, last = (gathered.arrows[place] for place in order)
        assert first.tail == pytest.approx(gathered.total.tail)
        assert middle.tail == pytest.approx(first.tip)
        assert last.tail == pytest.approx(middle.tip)
        assert last.tip == pytest.approx(gathered.total.tip)
    assert gathered.total.tip[1] == pytest.approx(gathered.total.tail[1])
    gathered.exchange().show_at(1.0)
    assert [name.get_x() for name in gathered.names] == pytest.approx(here[::-1])


def test_what_is_given_is_what_the_head_hands_on(film: ShuffleTheWords) -> None:
    """Both words that change places give much to the one that is shown."""
    handed_on = film.tensor("orderless_swapped.z").array[film.seen_in]
    np.testing.assert_allclose(film.given.sum(axis=1), handed_on, atol=1e-4)
    sizes = np.linalg.norm(film.given[film.getter], axis=-1)
    assert sizes[list(film.plain.pair)].min() > 0.2 * sizes.max()


def test_with_places_it_is_not_enough_to_move_rows_and_columns(film: ShuffleTheWords) -> None:
    """The word looks one place back, wherever it stands; so does every other word."""
    here, there = film.weights
    places = film.placed.pair
    assert film.favourites == [place - 1 for place in places]
    assert here[places[0], places[0] - 1].value.number > 0.9
    assert there[places[1], places[1] - 1].value.number > 0.9
    assert not film.circumstances()["uneven"]


def test_what_it_reads_is_what_the_model_computes_with_its_mask(film: ShuffleTheWords) -> None:
    for read, text in zip(film.weights, ("pattern", "swapped.pattern"), strict=True):
        np.testing.assert_array_equal(read.array, film.tensor(text).array[0, film.asks])
        assert not np.triu(read.array, 1).any()


def test_without_places_the_same_head_is_blind_to_order_although_it_hides_what_comes_later(
    film: ShuffleTheWords,
) -> None:
    """What a word gives to those before it goes with these, wherever they stand."""
    ids = list(film.placed.ids)
    others = [ids[1], ids[0], *ids[2:]]
    row, then = (
        film.sites_without_places(each)["pattern"][0, film.asks, -1] for each in (ids, others)
    )
    np.testing.assert_allclose(row[[1, 0, *range(2, len(ids))]], then, atol=1e-5)
    np.testing.assert_array_equal(film.tensor("unplaced.pattern").array[0, film.asks, -1], row)
    back = film.tensor("unplaced.pattern").array[0, film.asks].diagonal(-1)
    assert back.max() < 0.6 < film.weights[0].array.diagonal(-1).min()


def test_the_two_words_that_change_places_are_those_most_alike(film: ShuffleTheWords) -> None:
    assert film.plain.pair == film.placed.pair == (1, 4)
    assert film.plain.swapped_pieces == ["the", " queen", " loves", " a", " king"]


def test_both_models_swap_the_same_two_words_where_they_read_the_same_ones() -> None:
    film = film_of(ShuffleTheWords, Request(prompt="cats chase dogs"))
    assert film.plain.pieces == film.placed.pieces
    assert film.plain.pair == film.placed.pair


def test_an_exchange_made_twice_changes_nothing() -> None:
    swap = Swap((5, 6, 7), ("a", "b", "c"), (0, 2))
    table = np.arange(9.0).reshape(3, 3)
    np.testing.assert_array_equal(swap.moved(swap.moved(table)), table)


def test_outlines_stand_where_rows_and_columns_have_moved_to() -> None:
    """Those of the dots that the other text would have if nothing but that happened."""
    weights = Tensor(np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.0, 1.0, 0.0]]), "weights")
    grids = []
    for left, pieces in ((0.0, ["a", "b", "c"]), (4.0, ["c", "b", "a"])):
        board = AttentionGrid(pieces, Region(left, left + 3, 0, 3))
        grids.append((board, board.weights(weights)))
    expected, (then, _) = Expected(grids, order=[2, 1, 0]), grids[1]
    moved = weights.array[::-1, ::-1]
    assert len(expected) == np.count_nonzero(moved)
    found = zip(expected, np.argwhere(moved), moved[moved > 0], strict=True)
    for outline, at, weight in found:
        assert outline.get_center() == pytest.approx(then.center_of(*at))
        assert outline.width == pytest.approx(2 * then.dot_radius(float(weight)), rel=0.1)


def test_numbers_that_places_are_added_to_add_up_as_they_are_written() -> None:
    """Every one of them is another at the other place."""
    shown = numbers(ShuffleTheWords, Request(), beat="add-the-places")
    words, places, *starts = (
        {
            source: round(v, 2)
            for source, v in sorted(shown.items())
            if source.startswith(f"{name}[")
        }
        for name in ("embed", "pos_embed", "resid_pre", "swapped.resid_pre")
    )
    by_entry = [dict(zip(words, each.values(), strict=True)) for each in starts]
    both = np.reshape([*places.values()], (2, -1))
    for place, start in zip(both, by_entry, strict=True):
        np.testing.assert_allclose([*words.values()] + place, [*start.values()], atol=1e-9)
    assert all(a != b for a, b in zip(*(each.values() for each in by_entry), strict=True))


def test_whole_words_are_swapped_where_there_are_two() -> None:
    long = "the small brave old knight saw a tired green dragon"
    film = film_of(ShuffleTheWords, Request(prompt=long))
    swapped = [film.plain.pieces[at] for at in film.plain.pair]
    assert all(piece in {f" {word}" for word in long.split()} for piece in swapped), swapped
    assert "tell another story" in dict(film.script())["another-story"]
    parts = film_of(ShuffleTheWords, Request(prompt="knight"))
    assert "come in another order" in dict(parts.script())["another-story"]
