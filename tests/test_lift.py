"""A short vector is lifted to as many numbers as the matrix has columns."""

import numpy as np
import pytest

from scenes.first_mobjects.lift import Lift
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import OUTPUT, VALUE

Z = np.cos(np.arange(16, dtype=np.float32))
W = np.sin(np.arange(16 * 40, dtype=np.float32)).reshape(16, 40)


def lift(region: Region) -> Lift:
    return Lift(Tensor(Z, "z"), Tensor(W, "W"), region, (VALUE, OUTPUT))


@pytest.mark.parametrize("width", [13.0, 7.0])
def test_it_fits_a_wide_and_a_narrow_region(width: float) -> None:
    region = Region(-width / 2, width / 2, -2.5, 2.0)
    picture = lift(region)
    assert picture.width <= region.width + 1e-6
    assert picture.height <= region.height + 1e-6
    assert min(number.em for number in picture.numbers) * 135 >= 20


def test_what_is_left_below_is_the_product() -> None:
    picture = lift(Region(-6.0, 6.0, -2.5, 2.0))
    passing = picture.pass_over()
    passing.begin()
    passing.interpolate(1.0)
    shown = [number.value.number for number in picture.numbers]
    np.testing.assert_allclose(shown, (Z @ W)[picture.columns], rtol=1e-5, atol=1e-6)


def test_each_number_stands_under_its_column_and_each_entry_beside_its_row() -> None:
    picture = lift(Region(-6.0, 6.0, -2.5, 2.0))
    for number, column in zip(picture.numbers, picture.columns, strict=True):
        assert number.get_x() == pytest.approx(picture.matrix.column(column).get_x(), abs=1e-6)
    for entry, row in zip(picture.entries, picture.matrix.rows, strict=False):
        tile = picture.matrix.tile(row, picture.columns[0])
        assert entry.get_y() == pytest.approx(tile.get_y(), abs=1e-6)


@pytest.mark.parametrize("width", [13.0, 7.0])
def test_a_small_product_has_as_many_decimals_as_it_needs(width: float) -> None:
    small = Tensor((W / 1000).astype(np.float32), "W")
    picture = Lift(Tensor(Z, "z"), small, Region(-width / 2, width / 2, -2.5, 2.0), (VALUE, OUTPUT))
    assert {number.decimals for number in picture.numbers} == {4}
    assert picture.width <= width + 1e-6
