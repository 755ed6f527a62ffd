"""Numbers know where they come from."""

import numpy as np
import pytest

from scenes.provenance import (
    Tensor,
    constant,
    cosine,
    count,
    dot,
    length,
    matmul,
    pairs,
    stacked,
    transposed,
)

PATTERN = Tensor(np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5), "pattern")


def test_an_entry_knows_its_address() -> None:
    assert PATTERN[1, 2, 3, 4].value.source == "pattern[1,2,3,4]"
    assert PATTERN[1, 2, 3, 4].value.number == 119


def test_indexing_in_steps_gives_the_same_address_as_at_once() -> None:
    assert PATTERN[1][2][3][4].address == PATTERN[1, 2, 3, 4].address
    assert PATTERN[1, 2][3, 4].value == PATTERN[1, 2, 3, 4].value


def test_what_is_left_shows_its_free_axes() -> None:
    assert PATTERN[1, 2].address == "pattern[1,2,:,:]"
    assert PATTERN[1, 2].shape == (4, 5)


def test_a_negative_index_is_written_as_the_place_it_means() -> None:
    assert PATTERN[-1, 0, 0, -1].address == "pattern[1,0,0,4]"


def test_an_index_that_does_not_exist_is_refused() -> None:
    with pytest.raises(IndexError):
        PATTERN[2]


def test_a_part_of_an_axis_is_refused() -> None:
    with pytest.raises(TypeError, match="kept whole"):
        PATTERN[1, :2]


def test_a_row_gives_its_entries_in_order() -> None:
    row = PATTERN[0, 0, 1]
    assert [value.source for value in row.values] == [f"pattern[0,0,1,{key}]" for key in range(5)]
    assert [float(value) for value in row.values] == list(row.array)


def test_a_product_names_both_factors() -> None:
    product = PATTERN[0, 0, 0, 1].value * PATTERN[0, 0, 0, 2].value
    assert product.source == "= pattern[0,0,0,1] * pattern[0,0,0,2]"
    assert product.number == 2


def test_arithmetic_on_arithmetic_keeps_its_brackets() -> None:
    one, two = PATTERN[0, 0, 0, 1].value, PATTERN[0, 0, 0, 2].value
    assert (one * two - one).source == (
        "= (pattern[0,0,0,1] * pattern[0,0,0,2]) - pattern[0,0,0,1]"
    )


def test_a_dot_product_is_the_sum_of_the_products() -> None:
    one, other = PATTERN[0, 0, 1], PATTERN[1, 1, 2]
    products = [a * b for a, b in zip(one.values, other.values, strict=True)]
    assert dot(one, other).number == pytest.approx(sum(product.number for product in products))


def test_the_cosine_of_a_vector_with_itself_is_one() -> None:
    row = PATTERN[1, 1, 1]
    assert cosine(row, row).number == pytest.approx(1)
    assert length(row).number == pytest.approx(dot(row, row).number ** 0.5)


def test_what_no_model_computed_says_so() -> None:
    assert count(16, "entries").source == "count: entries"
    assert constant(12_288, "GPT-3").source == "constant: GPT-3"


def test_a_column_knows_its_address_and_its_entries_theirs() -> None:
    column = PATTERN[0, 1].column(-2)
    assert column.address == "pattern[0,1,:,3]"
    assert list(column.array) == list(PATTERN[0, 1].array[:, 3])
    assert column[2].value == PATTERN[0, 1, 2, 3].value


def test_a_sum_writes_down_what_was_added() -> None:
    one, other = PATTERN[0, 0, 0, 1].value, PATTERN[1, 0, 0, 2].value
    assert (one + other).source == "= pattern[0,0,0,1] + pattern[1,0,0,2]"
    assert (one + other).number == one.number + other.number
    assert (one * other + one).source == (
        "= (pattern[0,0,0,1] * pattern[1,0,0,2]) + pattern[0,0,0,1]"
    )


def test_an_axis_can_be_kept_before_one_that_is_picked() -> None:
    kept = PATTERN[1, :, 3]
    assert kept.address == "pattern[1,:,3,:]"
    assert kept[2, 4].value == PATTERN[1, 2, 3, 4].value


def test_what_was_worked_out_gives_its_rows_columns_and_entries() -> None:
    product = matmul(PATTERN[0, 0], transposed(PATTERN[1, 0]))
    words = "(pattern[0,0,:,:] @ (transpose of pattern[1,0,:,:]))"
    assert product.shape == (4, 4)
    assert product[2].values[1] == product[2, 1].value
    assert product[2, 1].value.source == f"= entry 2,1 of {words}"
    assert product.column(1).address == f"entry :,1 of {words}"
    assert product.column(1)[2].value == product[2, 1].value


def test_a_row_of_what_was_stacked_is_what_it_was() -> None:
    rows = [PATTERN[0, 0, 1], PATTERN[1, 2, 3]]
    assert stacked(rows)[1].address == "pattern[1,2,3,:]"
    assert stacked(rows)[1, 4].value == PATTERN[1, 2, 3, 4].value
    assert stacked(rows).address == "[pattern[0,0,1,:], pattern[1,2,3,:]]"


def test_of_every_pair_it_is_known_what_was_measured() -> None:
    grid = pairs([*PATTERN[0, 0]], cosine)
    assert grid[3, 1].value == cosine(PATTERN[0, 0, 3], PATTERN[0, 0, 1])
    assert grid[2].values[0] == grid[2, 0].value
