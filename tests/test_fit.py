import numpy as np
import pytest

from scenes.expressions import Address
from scenes.mobjects.fit import needed_decimals, number_format, shown_entries, text_size
from scenes.mobjects.text import Number, TokenText
from scenes.provenance import Value, count
from scenes.theme import LEAST_SIZE


def test_every_number_fits_its_cell_whatever_its_size() -> None:
    for number in (0.0, -0.0004, 3.14159, -128.5, 1e6):
        values = [count(1, "one"), Value(number, Address("scores", (0, 0)))]
        for room in ((0.4, 0.4), (1.2, 0.5), (3.0, 2.0)):
            form = number_format(values, room)
            if form.size >= LEAST_SIZE:
                drawn = [Number(value, form.decimals, form.size) for value in values]
                assert max(each.width for each in drawn) <= room[0]
                assert max(each.em for each in drawn) <= room[1]


@pytest.mark.parametrize(
    ("numbers", "decimals"),
    [((12.0, 0.1), 1), ((-3.9, 0.0), 1), ((0.31, -0.42), 2), ((0.0002,), 5), ((0.0, np.inf), 1)],
)
def test_small_numbers_have_as_many_decimals_as_show_two_figures_of_the_largest(
    numbers: tuple[float, ...], decimals: int
) -> None:
    values = [Value(number, Address("scores", (0, 0, 0, 0))) for number in numbers]
    assert needed_decimals(values, 1) == decimals


def test_names_fit_a_width_and_stay_legible() -> None:
    size = text_size([" creature", "a"], 0.9)
    assert size == LEAST_SIZE or TokenText(" creature", size).width <= 0.9 + 1e-6


def test_what_is_left_out_is_neither_the_beginning_nor_the_end() -> None:
    assert shown_entries(5, 8) == [0, 1, 2, 3, 4]
    assert shown_entries(96, 6) == [0, 1, 2, 3, 95]
