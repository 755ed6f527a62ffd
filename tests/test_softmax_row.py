"""A row of numbers becomes shares: its powers are to scale, its brackets as long as what moves."""

import numpy as np
import pytest

from scenes.analysis.softmax import softmax
from scenes.figures.softmax_row import NUDGE, SoftmaxRow
from scenes.provenance import Tensor
from scenes.region import Region

NUMBERS = np.array([-1.33, 5.36, 0.17, -10.19, 13.88])


def row_of(numbers: np.ndarray) -> tuple[Tensor, SoftmaxRow]:
    row = Tensor(numbers, "dot_products")
    tokens = ["a", " fluffy", " blue", " roamed", " verdant"]
    return row, SoftmaxRow(row, softmax(row), tokens, Region(-6, 6, -3, 3))


def test_powers_that_stand_are_on_one_scale_on_which_the_largest_of_all_fills_the_room() -> None:
    _, row = row_of(NUMBERS)
    powers, sizes = row.powers, np.exp(NUMBERS)
    room = powers.top - powers.foot
    for steps in range(1, len(sizes) + 1):
        powers.reach(steps)
        standing = powers.order[:steps]
        heights = np.array([powers.shapes[place].height for place in standing])
        assert heights == pytest.approx(room * sizes[standing] / sizes.max(), abs=1e-9)


def test_a_power_on_its_way_never_leaves_the_room() -> None:
    _, row = row_of(NUMBERS)
    for steps in np.linspace(0, len(NUMBERS), 60):
        row.powers.reach(float(steps))
        assert max(shape.get_top()[1] for shape in row.powers.shapes) <= row.powers.top + 1e-9


@pytest.mark.parametrize("divisor", [1.0, 4.0])
def test_a_band_is_as_high_as_the_shares_move_when_the_dot_product_does(divisor: float) -> None:
    _, row = row_of(NUMBERS)
    place, away = 4, NUDGE * np.eye(len(NUMBERS))[4]
    band = row.swing(Tensor(NUMBERS / divisor, "scores"), place, NUDGE / divisor)
    more, less = (np.exp((NUMBERS + sign * away) / divisor) for sign in (1, -1))
    moved = more[place] / more.sum() - less[place] / less.sum()
    assert band.height == pytest.approx(moved * row.stack.column.height)
