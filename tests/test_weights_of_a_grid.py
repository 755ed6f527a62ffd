"""Weights, minus infinity and the sums of rows look the same wherever a grid shows them."""

import numpy as np
import pytest
from manim import Circle

from scenes.analysis.softmax import softmax
from scenes.first_mobjects.bar import Bar
from scenes.first_mobjects.future import Future
from scenes.first_mobjects.grid import Grid
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.row_sums import RowSums
from scenes.mobjects.text import Number, em_of
from scenes.provenance import Tensor, total
from scenes.region import Region

WORDS = ("a", " fluffy", " blue", " creature")
PLACE = Region(-6.6, 6.6, -3, 2)
NARROW = Region(-3.5, 3.5, -6, 5)
SCORES = np.random.default_rng(0).normal(0, 2, (4, 4)).astype(np.float32)
MASKED = np.where(np.tril(np.ones((4, 4))) > 0, SCORES, -np.inf).astype(np.float32)


def weights() -> Tensor:
    return softmax(Tensor(MASKED, "masked"))


def grid(values: Tensor) -> Grid:
    return Grid(Tensor(SCORES, "scores"), 1.1, 0.5).hold(values)


def test_the_area_of_a_disc_is_the_weight() -> None:
    drawn = grid(weights())
    whole = drawn.weight(0, 0).width ** 2
    assert drawn.weight(2, 1).width ** 2 / whole == pytest.approx(
        float(drawn.values.array[2, 1]), rel=1e-3
    )


def test_no_weight_at_all_is_a_zero_with_its_source() -> None:
    zero = grid(weights()).weight(0, 2)
    assert isinstance(zero, Number)
    assert (zero.text, zero.value.source) == ("0", "= entry 0,2 of softmax over key of masked[:,:]")


def test_discs_take_on_the_sizes_of_the_weights_held_last() -> None:
    drawn = grid(softmax(Tensor(SCORES, "scores")))
    drawn.standing(drawn.weight).hold(weights())
    change = drawn.resize_weights()
    change.begin()
    change.finish()
    disc = drawn.cell(3, 1).content
    assert isinstance(disc, Circle)
    assert disc.width == pytest.approx(drawn.weight(3, 1).width, rel=1e-3)


def test_a_disc_too_small_to_be_seen_becomes_one_that_can_be() -> None:
    sure = np.array([[0.0, 900.0], [0.0, 900.0]], dtype=np.float32)
    drawn = Grid(Tensor(sure, "scores"), 1.1, 0.5)
    drawn.hold(softmax(Tensor(sure / 4, "small"))).standing(drawn.weight)
    drawn.hold(softmax(Tensor(sure / 9000, "smaller")))
    change = drawn.resize_weights()
    change.begin()
    change.finish()
    disc = drawn.cell(0, 0)[-1]
    assert isinstance(disc, Circle)
    assert disc.width == pytest.approx(drawn.weight(0, 0).width, rel=1e-3)


def test_a_zero_fits_where_the_hatching_left_room_for_a_smaller_minus_infinity() -> None:
    drawn = Grid(Tensor(MASKED / np.float32(100), "masked"), 0.72, 0.8)
    cell, hidden = drawn.cell(0, 2), drawn.number(0, 2)
    cell.hatch(hidden)
    zero = drawn.hold(weights()).weight(0, 2)
    assert isinstance(zero, Number)
    assert zero.em <= hidden.em < em_of(drawn.size)


def test_minus_infinity_is_written_hatched_and_not_crossed() -> None:
    drawn = grid(Tensor(MASKED, "masked"))
    hiding = Future(drawn).become_hidden()
    hiding.begin()
    hiding.finish()
    cell = drawn.cell(0, 3)
    assert isinstance(cell.content, Number)
    assert cell.content.text == "\N{MINUS SIGN}\N{INFINITY}"
    across, up = np.abs(cell.hatching.points[:, :2] - cell.face.get_center()[:2]).T
    assert np.all((across > cell.content.width / 2) | (up > cell.content.height / 2))
    assert cell.hatching.width <= cell.face.width + 1e-6


def test_the_future_is_every_cell_above_the_diagonal() -> None:
    future = Future(grid(weights()))
    assert {(query, key) for query, key, _ in future} == {
        (query, key) for query in range(4) for key in range(4) if key > query
    }
    assert len(list(future.others())) == 10


@pytest.mark.parametrize("place", [PLACE, NARROW])
@pytest.mark.parametrize("tokens", [1, 4, 12])
def test_sums_fit_beside_the_grid(place: Region, tokens: int) -> None:
    values = Tensor(np.resize(SCORES, (tokens, tokens)), "scores")
    board = LabelledGrid.beside(values, [" word"] * tokens, place, 0.55)
    sums = RowSums(board.grid, [total(row) for row in softmax(values)], 0.55)
    assert sums.get_right()[0] <= place.right + 1e-6
    assert sums.get_left()[0] > board.grid.get_right()[0]
    for number, cells in zip(sums.numbers, board.grid.cells, strict=True):
        assert number.get_y() == pytest.approx(cells[0].face.get_y(), abs=0.1)


def test_a_grid_with_room_beside_it_stands_where_it_always_does() -> None:
    values = Tensor(SCORES, "scores")
    usual, beside = LabelledGrid(values, WORDS, PLACE), LabelledGrid.beside(values, WORDS, PLACE, 1)
    assert np.allclose(usual.get_center(), beside.get_center())


def test_a_bar_grows_from_its_base() -> None:
    bar = Bar(1.0, 0.2)
    change = bar.grow_to(2.5)
    change.begin()
    change.finish()
    assert (bar.length, bar.get_left()[0]) == pytest.approx((2.5, -0.5))
