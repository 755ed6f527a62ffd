"""A product of matrices in true proportions, in which places tell which row meets which column."""

import numpy as np
import pytest

from scenes.mobjects.matrix_product import MatrixProduct
from scenes.provenance import Tensor
from scenes.region import Region

X = Tensor(np.linspace(-1, 1, 5 * 40).reshape(5, 40).astype(np.float32), "x")
W = Tensor(np.linspace(1, -1, 40 * 8).reshape(40, 8).astype(np.float32), "w")
STAGE = Region(-6, 6, -3, 3)


def product() -> MatrixProduct:
    return MatrixProduct(X, W, Tensor(X.array @ W.array, "y"), STAGE)


def test_forty_is_five_times_as_long_as_eight() -> None:
    made = product()
    assert made.right.outline.height / made.right.outline.width == pytest.approx(40 / 8)
    assert made.left.outline.width / made.left.outline.height == pytest.approx(40 / 5)
    assert made.left.outline.width == pytest.approx(made.right.outline.height)


def test_an_entry_stands_where_its_row_meets_its_column() -> None:
    made = product()
    entry = made.entry(3, 6)
    assert entry.get_y() == pytest.approx(made.left.band(3).get_y())
    assert entry.get_y() == pytest.approx(made.result.row(3).get_y())
    assert entry.get_x() == pytest.approx(made.column(6).get_x())
    assert made.result.outline.get_left()[0] <= entry.get_x() <= made.result.outline.get_right()[0]


def test_it_fits_its_region() -> None:
    made = product()
    assert made.width <= STAGE.width + 1e-6
    assert made.height <= STAGE.height + 1e-6
