"""Rows of a left factor stand level with the product's, columns above with its columns."""

from itertools import pairwise

import numpy as np
import pytest

from scenes.first_mobjects.equations import Equations, Verdicts
from scenes.first_mobjects.matrix import DataMatrix, ShareMatrix
from scenes.first_mobjects.one_line import MIXED, OPENING, OneLine
from scenes.first_mobjects.product_picture import LEAST_GAP, ProductPicture, RowPicture
from scenes.first_mobjects.row_strips import RowStrips
from scenes.mobjects.text import Words
from scenes.provenance import Tensor, Value
from scenes.region import Region

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
    frames = picture.ring_around(3)
    picture.put(0, 1)
    for frame, each in zip(frames, factors, strict=True):
        assert frame.get_y() == pytest.approx(each.row(3).get_y())
        assert frame.height < 2 * each.row(3).height


@pytest.mark.parametrize("tokens", [1, 2, 8, 16])
@pytest.mark.parametrize("region", [REGION, Region(-3.55, 3.55, -2.0, 2.0)])
def test_matrices_side_by_side_and_their_labels_are_not_crowded(
    tokens: int, region: Region
) -> None:
    shapes = [(tokens, 16), (16, tokens), (tokens, tokens), (tokens, tokens), (tokens, 16)]
    factors = [matrix(*shape) for shape in shapes]
    picture = RowPicture(factors, ("Q", "K^T", "S", "A", "V"), region)
    for one, other in pairwise(picture.labels):
        assert other.get_left()[0] - one.get_right()[0] > 0.2
    for place, following in pairwise(picture.places):
        assert following.get_left()[0] - place.get_right()[0] >= LEAST_GAP - 1e-6
    assert picture.places[-1].get_right()[0] <= region.right + 1e-6
    assert picture.labels.get_bottom()[1] >= region.bottom - 1e-6


def test_what_leaves_a_picture_is_all_but_what_is_kept() -> None:
    factors = [matrix(4, 4), matrix(4, 4)]
    picture = RowPicture(factors, ("S", "A"), REGION)
    picture.follow(2)
    picture.remark(Words("a remark"))
    leaving = [each.mobject for each in picture.leave(factors[1]).animations]
    assert leaving == [factors[0], picture.labels, picture.ring, *picture.notes]


def test_a_result_fills_from_the_row_that_is_followed() -> None:
    factors = [matrix(4, 4), matrix(4, 4)]
    picture = RowPicture(factors, ("S", "A"), REGION)
    picture.follow(2)
    picture.put(0, 1)
    _, followed, others = picture.fill().animations
    tiles = {id(part.mobject) for part in followed.animations[1].animations[0].animations}
    assert tiles == {id(tile) for tile in factors[1].row(2)}
    assert len(others.animations) == 3


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
    for words, drop in zip(verdicts[1:], equations.drops[1:], strict=True):
        scale = verdicts.place.height / equations.height
        baseline = verdicts.place.get_top()[1] - scale * drop
        assert words.get_bottom()[1] == pytest.approx(baseline, abs=0.02)
    assert verdicts.get_right()[0] <= REGION.right + 1e-6


def test_both_formulas_of_a_line_stand_on_one_baseline() -> None:
    """One has a letter that reaches below the line, the other has none."""
    pairs = (("$o_t = z_t W_O$", "$O = Z W$"), ("$a$", "$A$"))
    equations = Equations(pairs, ("one", "all"), Region(-6.0, -2.0, -2.0, 2.0))
    one, every = equations.pairs[0]
    low = [
        each[0].get_bottom()[1] for each in (every, equations.pairs[1][0], equations.pairs[1][1])
    ]
    assert one.get_bottom()[1] < low[0] - 0.02
    assert low[1] == pytest.approx(low[2], abs=0.02)
    top = equations.get_top()[1]
    assert top - equations.drops[1] == pytest.approx(low[0], abs=0.02)


def test_strips_are_rows_with_their_true_length() -> None:
    strips = RowStrips([matrix(8, 40), matrix(8, 8)], ("q", "s"), 3, REGION)
    assert [line[2].text for line in strips.lines] == ["40 numbers", "8 numbers"]
    assert strips.width <= REGION.width + 1e-6
