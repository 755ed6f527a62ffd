"""A matrix that turns over keeps its tiles: the rows of one are the columns of the other."""

import numpy as np
import pytest
from manim import Scene, tempconfig

from scenes.first_mobjects.matrix import DataMatrix
from scenes.first_mobjects.transposition import mirrored, turn_over
from scenes.provenance import Tensor


def matrix(rows: int, columns: int, most: tuple[int, int] = (16, 16)) -> DataMatrix:
    numbers = np.linspace(-1, 1, rows * columns, dtype=np.float32).reshape(rows, columns)
    return DataMatrix(Tensor(numbers, "k"), (0.2, 0.2), most)


def transposed(one: DataMatrix, most: tuple[int, int] = (16, 16)) -> DataMatrix:
    return DataMatrix(Tensor(one.values.array.T, "k"), (0.2, 0.2), most)


@pytest.mark.parametrize("size", [(1, 16), (8, 16), (3, 40)])
def test_rows_swing_into_columns_and_nothing_jumps(size: tuple[int, int]) -> None:
    one = matrix(*size)
    turned = transposed(one).scale(1.4).shift((2.0, 1.5, 0))
    ends = {key: tile.get_center() for key, tile in turned.tiles.items()}
    turning = turn_over(one, turned)
    turning.begin()
    turning.interpolate(0)
    for (row, column), tile in one.tiles.items():
        assert turned.tile(column, row).get_center() == pytest.approx(tile.get_center())
        assert turned.tile(column, row).width == pytest.approx(tile.width)
    assert turned.brackets.width == pytest.approx(one.brackets.width)
    turning.interpolate(1)
    for key, tile in turned.tiles.items():
        assert tile.get_center() == pytest.approx(ends[key])


def test_a_matrix_that_turns_stays_whole_on_the_stage() -> None:
    one = matrix(3, 5)
    turned = transposed(one)
    parts = list(turned.submobjects)
    with tempconfig({"dry_run": True, "verbosity": "ERROR", "progress_bar": "none"}):
        stage = Scene(skip_animations=True)
        stage.add(turned)
        stage.play(turn_over(one, turned))
    assert stage.mobjects == [turned]
    assert turned.submobjects == parts


def test_a_mirrored_matrix_has_every_tile_across_the_diagonal() -> None:
    one = matrix(4, 4)
    twin, expected = mirrored(one), transposed(one)
    assert twin.width == pytest.approx(expected.width)
    assert twin.height == pytest.approx(expected.height)
    place = list(one.tiles).index((1, 3))
    across = expected.tile(3, 1).get_center() - expected.get_center()
    assert twin[place].get_center() - twin.get_center() == pytest.approx(across)
    assert len(twin.get_family()) == len(one.get_family())
