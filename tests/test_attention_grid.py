"""The grid of queries and keys shows what its tensor holds, and fits where it is put."""

import math

import numpy as np
import pytest
from manim import Circle

from scenes.mobjects.attention_grid import LEAST_CELL, WIDE_CELL, AttentionGrid
from scenes.mobjects.text import Number, em_of
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import FAINTEST_FILL, LEAST_SIZE, STRONGEST_FILL

PLACE = Region(-6.6, 6.6, -3.3, 3.5)
WORDS = ("a", " fluffy", " blue", " creature", " roamed", " the", " verdant", " forest")


def waves(tokens: int) -> Tensor:
    numbers = np.sin(np.arange(tokens**2, dtype=np.float32)).reshape(tokens, tokens) * 9
    return Tensor(numbers, "dot_products")


@pytest.mark.parametrize("place", [PLACE, Region(-3.5, 3.5, -6, 5), Region(-3.5, 3.5, -3.3, 3.5)])
@pytest.mark.parametrize("tokens", [1, 2, 8, 12])
def test_a_board_fits_its_region_with_square_cells_and_legible_names(
    place: Region, tokens: int
) -> None:
    pieces = [WORDS[index % 8] for index in range(tokens)]
    board = AttentionGrid(pieces, place, beside=0.8)
    assert place.left - 1e-6 <= board.get_left()[0] <= board.get_right()[0] <= place.right + 1e-6
    assert place.bottom - 1e-6 <= board.get_bottom()[1] <= board.get_top()[1] <= place.top + 1e-6
    assert board.cell(0, 0).width == pytest.approx(board.cell(0, 0).height)
    for label in (*board.queries, *board.keys):
        assert label.word.em >= em_of(LEAST_SIZE) - 1e-6


@pytest.mark.parametrize("tokens", [2, 8, 16])
def test_cells_may_be_wider_than_tall_and_then_fill_more_of_a_wide_region(tokens: int) -> None:
    pieces = [WORDS[index % 8] for index in range(tokens)]
    square, wide = (AttentionGrid(pieces, PLACE, widest=widest) for widest in (1.0, WIDE_CELL))
    assert wide.faces.width > 1.2 * square.faces.width
    assert wide.faces.height > LEAST_CELL * square.faces.height
    assert PLACE.left - 1e-6 <= wide.get_left()[0] <= wide.get_right()[0] <= PLACE.right + 1e-6
    assert wide.cell(0, tokens - 1).get_center() == pytest.approx(wide.center_of(0, tokens - 1))
    upright = Region(-3.5, 3.5, -6, 5)
    cell = AttentionGrid(pieces, upright, widest=WIDE_CELL).cell(0, 0)
    assert cell.width == pytest.approx(cell.height)


def test_a_dots_area_is_its_number_and_a_negative_one_is_hollow() -> None:
    values, board = waves(4), AttentionGrid(WORDS[:4], PLACE)
    dots, largest = board.dots(values), np.abs(values.array).max()
    for dot, number in zip(dots.all(), values.array.ravel(), strict=True):
        assert isinstance(dot, Circle)
        assert (dot.width / 2) ** 2 == pytest.approx(
            board.dot_radius(1) ** 2 * abs(number) / largest, rel=1e-3
        )
        assert (dot.get_fill_opacity() == 0) == (number < 0)


def test_every_querys_line_crosses_every_keys_in_their_cell() -> None:
    board = AttentionGrid(WORDS[:4], PLACE)
    asking, answering = board.rays()
    for query, key in np.ndindex(4, 4):
        at = (answering[key].get_x(), asking[query].get_y(), 0)
        assert board.center_of(query, key) == pytest.approx(at)


def test_every_cell_shows_its_own_entry() -> None:
    numbers = AttentionGrid(WORDS[:4], PLACE).numbers(waves(4))
    cell = numbers.cell(2, 3)
    assert isinstance(cell, Number)
    assert cell.value.source == "dot_products[2,3]"


def test_fills_are_strongest_for_the_largest_and_seen_for_all_but_zero() -> None:
    values = Tensor(np.array([[0.0, -4.0], [0.01, 1.0]], dtype=np.float32), "scores")
    fills = AttentionGrid(WORDS[:2], PLACE).fills(values)
    found = [cell.get_fill_opacity() for cell in fills.all()]
    assert found == pytest.approx([0, STRONGEST_FILL, FAINTEST_FILL, STRONGEST_FILL / 2])


def test_the_future_is_hatched_and_weights_fill_their_cells() -> None:
    board = AttentionGrid(WORDS[:3], PLACE)
    weights = Tensor(np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 0.5, 0.5]], np.float32), "pattern")
    hatching, discs = board.hatching(), board.weights(weights)
    for query in range(3):
        assert all(len(hatch.points) for hatch in hatching.future(query))
        assert not any(len(hatch.points) for hatch in hatching.past(query))
    whole, half = discs.cell(0, 0), discs.cell(1, 0)
    assert half.width / whole.width == pytest.approx(math.sqrt(0.5))
    assert isinstance(discs.cell(0, 1), Number)
