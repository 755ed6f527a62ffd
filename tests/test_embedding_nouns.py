"""One-hot vectors, tables, grids of pairs and areas show the numbers that they are given."""

from itertools import pairwise

import numpy as np
import pytest
from manim import Animation

from checking.layout import PIXELS
from scenes import theme
from scenes.analysis.selection import most_similar_pair
from scenes.first_mobjects.embedding_columns import Columns, Rows, under_tokens
from scenes.first_mobjects.embedding_table import EmbeddingTable
from scenes.first_mobjects.gram_matrix import GramMatrix
from scenes.first_mobjects.looked_up import TwoTexts
from scenes.first_mobjects.notes import Remarks
from scenes.first_mobjects.one_hot import OneHot, OneHotProduct
from scenes.first_mobjects.to_scale import ToScale
from scenes.first_mobjects.tokens import TokenRow
from scenes.mobjects.text import Words
from scenes.presence import parts_of, presence
from scenes.provenance import Tensor, Value, cosine, count, dot, largest_gap, matmul, pairs
from scenes.region import Region

WIDE = Region(-6.5, 6.5, -3.0, 2.0)
NARROW = Region(-3.5, 3.5, -5.0, 5.0)
PIECES = ("a", " red", " dog")


def vectors(rows: int, columns: int) -> Tensor:
    numbers = np.sin(np.arange(rows * columns, dtype=np.float32)).reshape(rows, columns)
    return Tensor(numbers, "embed")


def one_hots(places: list[int], length: int) -> Tensor:
    return Tensor(np.eye(length, dtype=np.float32)[places], "one_hot")


def table(region: Region) -> EmbeddingTable:
    weights = Tensor(vectors(50, 24).array, "weights.W_E")
    pieces = dict(zip((3, 4, 40), PIECES, strict=True))
    return EmbeddingTable(weights, pieces, {i: count(i, "place") for i in pieces}, region)


def finish(animation: Animation) -> None:
    animation.begin()
    animation.finish()


def test_pairs_say_which_two_vectors_each_number_is_from() -> None:
    embed = vectors(3, 5)
    grid = pairs(list(embed), cosine)
    assert grid[0, 2].value == cosine(embed[0], embed[2])
    assert [value.source for value in grid[1].values] == [
        f"= cosine between embed[1,:] and embed[{key},:]" for key in range(3)
    ]


def test_the_largest_gap_of_two_arrays_names_both_routes() -> None:
    one_hot, weights = one_hots([2, 0], 4), Tensor(vectors(4, 3).array, "W")
    embed = Tensor(weights.array[[2, 0]], "embed")
    gap = largest_gap(matmul(one_hot, weights), embed)
    assert gap.number == 0
    assert gap.source == "= largest difference between (one_hot[:,:] @ W[:,:]) and embed[:,:]"


def test_a_one_hot_vector_shows_its_one_at_its_place() -> None:
    vector = one_hots([7], 20)[0]
    drawn = OneHot({i: vector[i].value for i in (0, 7, 19)}, 20, 0.8)
    assert [number.text for number in drawn.numbers.values()] == ["0", "1", "0"]
    assert drawn.ones == [drawn.numbers[7]]
    assert len(drawn.gaps) == 2


@pytest.mark.parametrize("region", [WIDE, NARROW])
@pytest.mark.parametrize("places", [[7, 12], [0, 1], [18, 19]])
def test_two_one_hot_vectors_never_meet(region: Region, places: list[int]) -> None:
    names = [count(place, "place") for place in places]
    drawn = OneHotProduct(PIECES[:2], one_hots(places, 20), names, region)
    assert {number.text for number in drawn.products.numbers.values()} == {"0"}
    assert [each.ones[0].value.source for each in drawn.vectors] == [
        f"one_hot[{row},{place}]" for row, place in enumerate(places)
    ]
    assert drawn.width <= region.width


@pytest.mark.parametrize("places", [[7, 12], [0, 1], [18, 19]])
def test_the_places_named_above_a_one_hot_vector_stand_apart(places: list[int]) -> None:
    names = [count(place, "place") for place in places]
    *numbers, label = OneHotProduct(PIECES[:2], one_hots(places, 20), names, NARROW).places
    shown = sorted(int(number.text) for number in numbers)
    assert set(places) <= set(shown) <= {0, *places, 19}
    row = sorted(numbers, key=lambda number: float(number.get_x()))
    for one, other in pairwise(row):
        assert one.get_right()[0] < other.get_left()[0]
    assert label.get_bottom()[1] > max(number.get_top()[1] for number in numbers)


@pytest.mark.parametrize("region", [WIDE, NARROW])
def test_a_row_looked_up_has_its_numbers_under_its_tiles(region: Region) -> None:
    drawn = table(region)
    found = drawn.looked_up(vectors(1, 24)[0], " dog")
    tiles = [tile.get_x() for tile in found.tiles]
    numbers = [number.get_x() for number in found.vector.numbers]
    assert numbers == pytest.approx(tiles, abs=0.15)
    assert drawn.width <= region.width + 1e-6


def test_small_entries_of_a_row_are_written_with_the_decimals_that_they_need() -> None:
    small = Tensor(0.04 * vectors(1, 24).array[0], "embed")
    shown = table(WIDE).looked_up(small, " dog").vector.numbers
    assert shown[1].text == f"{small.array[1]:.3f}"
    assert all(number.em * PIXELS >= 20 for number in shown)


def test_the_ring_around_a_row_of_the_table_touches_neither_its_name_nor_the_dots() -> None:
    board = table(WIDE)
    ring, name = board.ring(4), board.names[4]
    assert (
        min(name.get_left()[0] - ring.get_left()[0], ring.get_right()[0] - name.get_right()[0]) > 0
    )
    for dots in board.matrix.row_gaps:
        assert dots.get_bottom()[1] > ring.get_top()[1] or dots.get_top()[1] < ring.get_bottom()[1]


def test_only_the_rows_whose_entry_is_zero_go_dark() -> None:
    drawn = table(WIDE)
    entries = drawn.entries(one_hots([40], 50)[0])
    assert [number.text for number in entries.values()] == ["0", "0", "1"]
    finish(drawn.weight_rows(entries))
    at_full = [row for row in (3, 4, 40) if presence(drawn.row(row)[0]) == 1]
    assert at_full == [40]
    assert all(presence(dots) < 1 for dots in drawn.matrix.row_gaps)


@pytest.mark.parametrize("region", [WIDE, NARROW])
def test_a_gram_matrix_shows_every_pair_in_its_region(region: Region) -> None:
    values = pairs(list(one_hots([7, 2, 7], 20)), dot)
    drawn = GramMatrix(values, PIECES, region, 0)
    finish(drawn.grid.become_numbers())
    texts = [[getattr(cell.content, "text", "") for cell in row] for row in drawn.grid.cells]
    assert texts == [["1", "0", "1"], ["0", "1", "0"], ["1", "0", "1"]]
    assert drawn.width <= region.width
    assert drawn.height <= region.height


def test_sixteen_tokens_still_show_their_cosines_to_two_decimals() -> None:
    values = pairs(list(vectors(16, 24)), cosine)
    drawn = GramMatrix(values, [" woman"] * 16, Region(-6.66, 6.66, -2.5, 2.0), 2)
    assert drawn.grid.decimals == 2


def test_a_gram_matrix_turns_into_numbers_of_either_sign() -> None:
    drawn = GramMatrix(pairs(list(one_hots([1, 2], 4)), dot), PIECES[:2], WIDE, 0)
    finish(drawn.grid.become_numbers())
    apart = Tensor(np.array([[1, -0.5], [-0.5, 1]], dtype=np.float32), "cosines")
    finish(drawn.turn_into(apart, 2))
    cell = drawn.grid.cell(0, 1)
    assert getattr(cell[-1], "text", "") == "\N{MINUS SIGN}0.50"
    assert cell.face.get_fill_color().to_hex() == theme.color(theme.NEGATIVE)
    assert cell.face.get_fill_opacity() == pytest.approx(drawn.grid.strength(0, 1))


def test_a_text_turned_round_has_its_chips_in_reverse() -> None:
    drawn = table(WIDE)
    one, other = (drawn.looked_up(vectors(1, 24)[0], " dog") for _ in range(2))
    turned = TwoTexts(PIECES, (one, other), Words("a note"), WIDE)
    assert tuple(chip.piece for chip in turned.row) == PIECES[::-1]
    assert all(presence(part) == 0 for part in parts_of(turned))
    finish(turned.turn(TokenRow(PIECES, WIDE.width)))
    assert all(presence(chip.label) == 1 for chip in turned.row)


@pytest.mark.parametrize(("width", "lines"), [(13.0, 1), (4.0, 2)])
def test_remarks_stand_side_by_side_where_there_is_room(width: float, lines: int) -> None:
    drawn = Remarks([Words("one and two: cosine"), Words("a and b: cosine")], width)
    assert drawn.width <= width
    assert len({round(float(text.get_y()), 1) for text in drawn}) == lines


def test_columns_stand_under_their_tokens_and_apart() -> None:
    columns = Columns(vectors(3, 24), [-1.0, -0.9, 4.0], (-6.5, 6.5), 5.0)
    places = [column.get_x() for column in columns]
    assert places[0] == pytest.approx(-1.0, abs=0.05)
    assert places[1] > places[0] + columns[0].width
    assert places[2] == pytest.approx(4.0, abs=0.05)


def test_without_room_for_columns_there_are_rows() -> None:
    row = TokenRow(["a"] * 24, 30.0)
    assert isinstance(under_tokens(vectors(24, 24), row, WIDE), Rows)
    row = TokenRow(PIECES, 13.0)
    assert isinstance(under_tokens(vectors(3, 24), row, WIDE), Columns)


def test_areas_are_true_to_the_number_of_entries() -> None:
    def sizes(*numbers: int) -> list[Value]:
        return [count(number, "entries") for number in numbers]

    drawn = ToScale({"one": sizes(40, 20, 800), "other": sizes(400, 50, 20_000)}, WIDE)
    areas = [each.area.width * each.area.height for each in drawn.areas]
    assert areas[1] / areas[0] == pytest.approx(25)
    assert drawn.enlarged.width / drawn.enlarged.height == pytest.approx(2)
    assert drawn.areas[0].label.text == "one: 40 \N{MULTIPLICATION SIGN} 20 = 800"


def test_the_nearest_pair_is_of_two_different_tokens() -> None:
    cosines = np.array([[1, 1, 0.2], [1, 1, 0.2], [0.2, 0.2, 1]], dtype=np.float32)
    assert most_similar_pair(cosines, (5, 5, 6)) == (0, 2)
    assert most_similar_pair(cosines, (5, 5, 5)) is None
