"""Rows as high as their weights stack to one whole row and blend into their sum."""

import numpy as np
import pytest

from scenes.figures.weighted_sum import WeightedSum
from scenes.mobjects.fit import adding_decimals
from scenes.provenance import Tensor, constant
from scenes.region import Region

WEIGHTS = (0.2, 0.5, 0.3)
PITCH = 0.8  # scene units
ROWS = np.random.default_rng(0).normal(0, 1, (3, 6))


def made() -> WeightedSum:
    weights = [constant(weight, "a test") for weight in WEIGHTS]
    total = Tensor(np.array(WEIGHTS) @ ROWS, "z")
    return WeightedSum(weights, Tensor(ROWS, "v"), total, Region(-6, 6, -3, 3), names=1.0)


def test_what_is_left_of_the_rows_stacks_to_one_whole_row() -> None:
    drawn = made()
    whole = drawn.rows[0][0].height
    drawn.squeeze(1.0)
    heights = [row[0].height for row in drawn.rows]
    assert heights == pytest.approx([whole * weight for weight in WEIGHTS])
    drawn.stack(1.0)
    assert drawn.column(0).height == pytest.approx(whole)
    for upper, lower in zip(drawn.rows, drawn.rows[1:], strict=False):
        assert float(upper[0].get_bottom()[1]) == pytest.approx(float(lower[0].get_top()[1]))


def test_blended_columns_have_the_look_of_their_sum() -> None:
    drawn = made()
    drawn.blend(1.0)
    for place, number in enumerate(np.array(WEIGHTS) @ ROWS):
        color, opacity = drawn.look(float(number))
        for cell in drawn.column(place):
            assert cell.get_fill_color().to_hex() == color.upper()
            assert cell.get_fill_opacity() == pytest.approx(opacity)


def test_weights_are_written_so_that_they_add_up() -> None:
    thirds = [constant(1 / 3, "a test")] * 3
    assert adding_decimals([constant(each, "a test") for each in WEIGHTS], 1.0) == 2
    uneven = [constant(each, "a test") for each in (0.125, 0.125, 0.75)]
    assert adding_decimals(uneven, 1.0) == 3
    assert adding_decimals(thirds, 1.0) == 2  # no number of decimals makes thirds add up
