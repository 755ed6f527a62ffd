"""Rows as high as their weights stack to one whole row and blend into their sum."""

from collections.abc import Sequence

import numpy as np
import pytest
from manim import VGroup

from scenes.figures.weighted_sum import WeighedRows, WeightedSum
from scenes.mobjects.fit import adding_decimals
from scenes.mobjects.vector import Vector
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


def weighed(numbers: Sequence[float]) -> WeighedRows:
    """Return rows of ones that are weighed by numbers, each with so much room."""
    rows = [Vector([constant(1.0, "a test")] * 4, (0.5, 0.2), numerals=False) for _ in numbers]
    return WeighedRows(rows, np.array(numbers), [*range(len(rows))], PITCH)


def hues(row: VGroup) -> set[str]:
    return {cell.get_fill_color().to_hex() for cell in row}


def test_a_row_with_a_negative_weight_is_turned_over_while_it_is_weighed() -> None:
    rows = weighed([-2.0, 1.0, 0.1, -0.5])
    before = hues(rows.rows[0])
    assert before == hues(rows.rows[1])
    for row in range(4):
        rows.weigh(row).finish()
    assert hues(rows.rows[0]) == hues(rows.rows[3]) != before
    assert hues(rows.rows[1]) == hues(rows.rows[2]) == before


def test_weights_are_written_so_that_they_add_up() -> None:
    thirds = [constant(1 / 3, "a test")] * 3
    assert adding_decimals([constant(each, "a test") for each in WEIGHTS], 1.0) == 2
    uneven = [constant(each, "a test") for each in (0.125, 0.125, 0.75)]
    assert adding_decimals(uneven, 1.0) == 3
    assert adding_decimals(thirds, 1.0) == 2  # no number of decimals makes thirds add up


def test_weighed_rows_come_to_stand_where_their_sum_does_each_as_its_share() -> None:
    rows = weighed([0.5, -2.0, 0.02])
    total = Vector([constant(2.0, "a test")] * 4, (0.5, 0.2), numerals=False).shift((0, -3, 0))
    rows.add_up(total).finish()
    together = VGroup(*rows.rows)
    assert np.allclose(together.get_center(), total.cells.get_center())
    assert together.height == pytest.approx(total.cells.height)
    assert rows.rows[1].height == pytest.approx(total.cells.height * 2.0 / 2.52)


@pytest.mark.parametrize("largest", [0.7, 1.8, 12.0])
def test_a_weighed_row_is_so_many_times_as_high_as_it_was(largest: float) -> None:
    weights = [largest, -0.5, 0.1]
    rows = weighed(weights)
    assert rows.order == [0, 2, 1]
    for row, weight in enumerate(weights):
        assert rows.rows[row].height == pytest.approx(rows.own_height)
        rows.weigh(row).finish()
        assert rows.rows[row].height == pytest.approx(abs(weight) * rows.own_height, rel=1e-3)
        assert rows.rows[row].height <= PITCH
