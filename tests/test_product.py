"""A vector times a matrix: what is drawn is what is computed."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from scenes.arrivals import Appear
from scenes.first_mobjects.column_workings import ColumnWorkings
from scenes.first_mobjects.product import Factors, SweptProduct
from scenes.first_mobjects.product_workings import ProductWorkings
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import NEGATIVE, OUT_OF_PLAY, POSITIVE, QUERY, color

N, M = 24, 8


def factors(n: int = N, m: int = M) -> Factors:
    x = np.linspace(-1, 2, n, dtype=np.float32)
    weights = np.sin(np.arange(n * m, dtype=np.float32)).reshape(n, m)
    bias = np.linspace(0.5, -0.5, m, dtype=np.float32)
    return Factors(Tensor(x, "x"), Tensor(weights, "w"), Tensor(bias, "b"), QUERY)


def by_hand(given: Factors) -> np.ndarray:
    return given.vector.array.astype(np.float64) @ given.weights.array + given.bias.array


def test_the_numbers_of_the_product_stand_under_their_columns() -> None:
    given = factors()
    product = SweptProduct(given, (0.6, 0.3), (11, 16))
    assert [answer.value.number for answer in product.answers] == pytest.approx(by_hand(given))
    for place, answer in enumerate(product.answers):
        column = product.matrix.column(place)
        assert answer.get_x() == pytest.approx(column.get_x())
        assert answer.get_top()[1] < column.get_bottom()[1]


def test_columns_that_are_left_out_have_no_number() -> None:
    given = factors(m=40)
    product = SweptProduct(given, (0.6, 0.3), (11, 6))
    assert product.columns == [0, 1, 2, 3, 39]
    assert product.answers[-1].value.number == pytest.approx(by_hand(given)[39])


def test_the_vector_passes_over_every_column_and_leaves_each_sum() -> None:
    given = factors()
    product = SweptProduct(given, (0.6, 0.3), (11, 16))
    product.shift((2.0, 1.0, 0.0))  # wherever it has been set since it was made
    passing = product.pass_over(0)
    passing.begin()
    passing.interpolate(0.5)
    passing.finish()
    assert product.window.get_x() == pytest.approx(product.matrix.column(M - 1).get_x())
    assert [answer.value.number for answer in product.answers] == pytest.approx(by_hand(given))


def test_the_window_shows_the_products_of_its_column() -> None:
    given = factors()
    product = SweptProduct(given, (0.6, 0.3), (11, 16))
    product.window.put(3)
    terms = given.vector.array * given.weights.array[:, 3]
    for tile, row in zip(product.window.tiles, product.matrix.rows, strict=True):
        sign = NEGATIVE if terms[row] < 0 else POSITIVE
        assert tile.get_fill_color().to_hex() == color(sign)


def test_the_workings_of_a_column_add_up_to_its_number() -> None:
    given = factors()
    workings = ColumnWorkings(given, {0: 1.0, 1: 0.5, 23: 0.0}, 0.5, 20)
    assert workings.answer.number == pytest.approx(by_hand(given)[0])
    assert sum(value.number for value in workings.products) == pytest.approx(workings.sum.number)
    counting = workings.add_up()
    counting.begin()
    counting.finish()
    assert workings.total.value == workings.sum


def test_small_weights_and_products_have_the_decimals_that_they_need() -> None:
    given = factors()
    small = replace(given, weights=Tensor(given.weights.array / 60, "w"))
    workings = ColumnWorkings(small, {0: 1.0, 1: 0.5, 23: 0.0}, 0.5, 20)
    assert not any(
        number.text.endswith("0.00") for number in (*workings.weights, *workings.terms[1:])
    )
    files = workings.entries, workings.weights, workings.terms
    for one, next_one in itertools.pairwise(files):
        assert one.get_right()[0] < next_one.get_left()[0]


def test_while_the_first_column_is_worked_out_the_others_recede() -> None:
    work = ProductWorkings(factors(), ("x", "W"), Region(-6, 6, -3, 2))
    tiles = work.product.matrix.tiles
    appearing = Appear(work.product.matrix)
    for animation in (appearing, work.point_at_first()):
        animation.begin()
        animation.finish()
    seen = {column: presence(tile) for (_, column), tile in tiles.items()}
    assert seen == {column: 1.0 if column == 0 else OUT_OF_PLAY for column in range(M)}


@pytest.mark.parametrize("region", [Region(-6, 6, -3, 2), Region(-3.5, 3.5, -6, 4)])
def test_the_workings_and_the_matrix_fit_a_wide_and_a_tall_region(region: Region) -> None:
    work = ProductWorkings(factors(), ("x", "W"), region)
    assert work.get_left()[0] >= region.left - 1e-6
    assert work.get_right()[0] <= region.right + 1e-6
    assert work.get_top()[1] <= region.top + 1e-6
    assert work.get_bottom()[1] >= region.bottom - 1e-6


def test_each_entry_stands_at_the_height_of_its_weights() -> None:
    work = ProductWorkings(factors(), ("x", "W"), Region(-6, 6, -3, 2))
    matrix = work.product.matrix
    for entry, row in zip(work.workings.entries, matrix.rows, strict=True):
        assert entry.get_y() == pytest.approx(matrix.tile(row, 0).get_y(), abs=0.05)
