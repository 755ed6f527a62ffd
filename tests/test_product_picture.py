"""Rows of a left factor stand level with the product's, columns above with its columns."""

import numpy as np
import pytest

from scenes.mobjects.equations import Equations, Verdicts
from scenes.mobjects.matrix import DataMatrix, ShareMatrix
from scenes.mobjects.one_line import MIXED, OPENING, OneLine
from scenes.mobjects.product_picture import ProductPicture, RowPicture, mirrored
from scenes.mobjects.row_strips import RowStrips
from scenes.stage import Region
from scenes.values import Tensor, Value

REGION = Region(-4.0, 4.5, -2.6, 2.1)


def matrix(rows: int, columns: int) -> DataMatrix:
    numbers = np.linspace(-1, 1, rows * columns, dtype=np.float32).reshape(rows, columns)
    return DataMatrix(Tensor(numbers, "q"), (0.2, 0.2), (16, 16))


@pytest.mark.parametrize("tokens", [1, 8, 16])
def test_a_row_meets_a_column_where_their_product_stands(tokens: int) -> None:
    factors = [matrix(tokens, 16), matrix(16, tokens), matrix(tokens, tokens)]
    picture = ProductPicture(factors, ("Q", "K", "S"), REGION)
    picture.put(0, 1, 2)
    left, above, product = factors
    for row in (0, tokens - 1):
        assert left.row(row).get_y() == pytest.approx(product.row(row).get_y())
        column = above.column(row)
        assert column.get_x() == pytest.approx(product.column(row).get_x())
    assert picture.labels.get_bottom()[1] >= REGION.bottom - 1e-6
    assert above.get_top()[1] <= REGION.top + 1e-6


def test_a_frame_lies_on_the_row_of_each_matrix() -> None:
    factors = [matrix(8, 8), matrix(8, 8)]
    picture = RowPicture(factors, ("S", "A"), REGION)
    frames = picture.ring(3)
    picture.put(0, 1)
    for frame, each in zip(frames, factors, strict=True):
        assert frame.get_y() == pytest.approx(each.row(3).get_y())
        assert frame.height < 2 * each.row(3).height


def test_a_mirrored_matrix_has_every_tile_across_the_diagonal() -> None:
    one = matrix(4, 16)
    twin, turned = mirrored(one), matrix(16, 4)
    assert twin.width == pytest.approx(turned.width)
    assert twin.height == pytest.approx(turned.height)
    place = list(one.tiles).index((1, 5))
    expected = turned.tile(5, 1).get_center() - turned.get_center()
    assert twin[place].get_center() - twin.get_center() == pytest.approx(expected)
    assert len(twin.get_family()) == len(one.get_family())


def test_a_share_of_nothing_is_fainter_than_any_other() -> None:
    shares = ShareMatrix(Tensor(np.array([[0.0, 0.25, 1.0]], dtype=np.float32), "a"), (0.2, 0.2))
    strengths = [shares.shade(number)[1] for number in (0.0, 0.25, 1.0)]
    assert strengths == sorted(strengths)
    assert strengths[0] < 0.1


def test_v_comes_first_where_tokens_are_columns() -> None:
    line = OneLine(40)
    before = [part.get_x() for part in line.parts]
    assert before == sorted(before)
    change = line.to_columns()
    offsets = {id(each.mobject): each for each in change.animations}
    moved = offsets[id(line.parts[MIXED])]
    assert before[MIXED] + moved.offset[0] < before[OPENING] + line.widths[MIXED]


def test_equations_and_verdicts_stand_on_one_line() -> None:
    pairs = (("$a$", "$A$"), ("$b = c$", "$B = C$"))
    equations = Equations(pairs, ("one", "all"), Region(-6.0, -2.0, -2.0, 2.0))
    gaps = [Value(3e-7, "= ..."), Value(0.0, "= ...")]
    verdicts = Verdicts(equations, gaps, REGION)
    assert [words.text for words in verdicts][1:] == ["3e\N{MINUS SIGN}7", "0"]
    for line, number in zip(verdicts.place[1:], verdicts[1:], strict=True):
        assert line.get_y() == pytest.approx(number.get_y())
    assert verdicts.get_right()[0] <= REGION.right + 1e-6


def test_strips_are_rows_with_their_true_length() -> None:
    strips = RowStrips([matrix(8, 40), matrix(8, 8)], ("q", "s"), 3, REGION)
    assert [line[2].text for line in strips.lines] == ["40 numbers", "8 numbers"]
    assert strips.width <= REGION.width + 1e-6
