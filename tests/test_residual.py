"""The stream goes straight on, the branch comes back to the plus, and the sum is a sum."""

import numpy as np
import pytest

from scenes.first_mobjects.residual import ResidualBranch
from scenes.first_mobjects.residual_sum import ResidualSum
from scenes.provenance import Tensor
from scenes.region import Region

X = np.linspace(-1, 1, 24, dtype=np.float32)
CHANGE = np.cos(np.arange(24, dtype=np.float32))


def test_the_branch_comes_back_to_the_stream_at_the_plus() -> None:
    circuit = ResidualBranch("head", 2.0, 0.0, -2.0)
    arrival = circuit.branch[-1].tip.points[0]
    assert arrival[1] == pytest.approx(circuit.plus.get_y())
    assert abs(arrival[0] - circuit.plus.get_left()[0]) < 0.05


def test_the_skip_line_is_straight() -> None:
    circuit = ResidualBranch("head", 2.0, 0.0, -2.0)
    ends = [circuit.into.get_start()[0], circuit.into.get_end()[0], circuit.out.tip.points[0][0]]
    assert ends == pytest.approx([0, 0, 0])


@pytest.mark.parametrize("width", [13.0, 7.0])
def test_the_third_row_is_the_sum_of_the_first_two(width: float) -> None:
    region = Region(-width / 2, width / 2, -2.5, 2.0)
    names = "vector", "change", "sum"
    picture = ResidualSum(Tensor(X, "x"), Tensor(CHANGE, "d"), names, "head", region)
    assert picture.rows[2].numbers[0].value.source == "x[0]"
    adding = picture.add_change()
    adding.begin()
    adding.interpolate(1.0)
    one, two, three = (
        np.array([number.value.number for number in row.numbers]) for row in picture.rows
    )
    np.testing.assert_allclose(one + two, three, atol=1e-6)
    assert picture.rows[2].numbers[0].value.source == "= x[0] + d[0]"
    assert picture.width <= region.width + 1e-6
    assert picture.height <= region.height + 1e-6


def test_the_lengths_are_those_of_the_vectors() -> None:
    region = Region(-6.0, 6.0, -2.5, 2.0)
    names = "vector", "change", "sum"
    picture = ResidualSum(Tensor(X, "x"), Tensor(CHANGE, "d"), names, "head", region)
    shown = [label.numerals[0].value.number for label in picture.labels]
    assert shown == pytest.approx([np.linalg.norm(v) for v in (X, CHANGE, X + CHANGE)], rel=1e-5)


def test_a_change_that_is_small_beside_the_vector_is_not_all_zeros() -> None:
    names, region = ("vector", "change", "sum"), Region(-6.0, 6.0, -2.5, 2.0)
    small = Tensor((CHANGE / abs(CHANGE).max() / 50).astype(np.float32), "d")
    picture = ResidualSum(Tensor(X, "x"), small, names, "head", region)
    assert {number.decimals for row in picture.rows for number in row.numbers} == {3}
