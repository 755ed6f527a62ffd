"""Matrices, patterns in small and discs show the numbers that they are given."""

import numpy as np
import pytest

from scenes.first_mobjects.discs import Discs, radius_for
from scenes.first_mobjects.matrix import DataMatrix, WeightMatrix, gaps_of, places_of
from scenes.first_mobjects.pattern_panel import PatternPanel
from scenes.provenance import Tensor
from scenes.theme import NEGATIVE, POSITIVE


def numbers(rows: int, columns: int) -> Tensor:
    array = np.linspace(-1, 2, rows * columns, dtype=np.float32).reshape(rows, columns)
    return Tensor(array, "q")


def test_a_small_matrix_is_drawn_whole() -> None:
    matrix = DataMatrix(numbers(3, 4), (0.3, 0.3))
    assert set(matrix.tiles) == {(i, j) for i in range(3) for j in range(4)}
    assert not matrix.is_elided


def test_a_large_matrix_shows_its_first_entries_and_its_last_and_tells_its_true_size() -> None:
    matrix = DataMatrix(numbers(96, 40), (0.3, 0.3))
    assert matrix.is_elided
    assert matrix.rows[-1] == 95
    assert matrix.columns[-1] == 39
    label = matrix.size_label("entries", "entries")
    assert [numeral.text for numeral in label.numerals] == ["96", "40"]


def test_rows_picked_anywhere_stand_apart_where_others_lie_between() -> None:
    assert places_of([2, 3, 9]) == [1, 2, 4]
    assert gaps_of([2, 3, 9], 20) == [0, 3, 5]
    assert gaps_of([0, 3, 19], 20) == [1, 3]
    matrix = WeightMatrix(numbers(20, 4), (0.3, 0.2), picked=[2, 3, 9])
    assert {row for row, _ in matrix.tiles} == {2, 3, 9}
    assert places_of([2, 3, 9], 0.5) == [0.5, 1.5, 3]
    assert matrix.tile(3, 0).get_y() - matrix.tile(9, 0).get_y() == pytest.approx(0.32)


def test_rows_are_rows_and_columns_are_columns() -> None:
    matrix = DataMatrix(numbers(20, 30), (0.3, 0.2))
    heights = {round(float(tile.get_y()), 6) for tile in matrix.row(19)}
    places = {round(float(tile.get_x()), 6) for tile in matrix.column(29)}
    assert len(heights) == 1
    assert len(places) == 1
    assert matrix.tile(0, 0).get_y() > matrix.tile(19, 0).get_y()
    assert matrix.tile(0, 0).get_x() < matrix.tile(0, 29).get_x()


def test_data_grows_brighter_from_the_most_negative_number_to_the_largest() -> None:
    matrix = DataMatrix(numbers(3, 4), (0.3, 0.3))
    opacities = [tile.get_fill_opacity() for tile in matrix.tiles.values()]
    assert opacities == sorted(opacities)
    assert opacities[0] < opacities[-1]


def test_a_weight_has_the_colour_of_its_sign_and_the_strength_of_its_size() -> None:
    matrix = WeightMatrix(numbers(3, 4), (0.3, 0.3))
    assert matrix.shade(-0.5)[0] is NEGATIVE
    assert matrix.shade(0.5)[0] is POSITIVE
    assert matrix.shade(-2.0)[1] == matrix.shade(2.0)[1] > matrix.shade(1.0)[1]


def test_the_area_of_a_disc_is_its_weight() -> None:
    weights = np.array([0.0, 0.25, 1.0], dtype=np.float32)
    radii = radius_for(weights, 2.0)
    assert radii**2 == pytest.approx(4 * weights)
    discs = Discs(np.zeros((3, 2)), radii)
    assert len(discs.points) == 2 * 16  # the weight of nothing draws nothing
    on_the_rim = np.linalg.norm(discs.points[16::4], axis=1)  # where the largest one's curves begin
    assert on_the_rim == pytest.approx(np.full(4, 2.0))


def test_a_panel_s_dots_stand_where_query_meets_key() -> None:
    pattern = np.zeros((4, 4), dtype=np.float32)
    pattern[3, 1] = 1
    panel = PatternPanel(Tensor(pattern, "pattern"), side=4.0)
    assert panel.dots.get_center()[:2] == pytest.approx([-0.5, -1.5])
