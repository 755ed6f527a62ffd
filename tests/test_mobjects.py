"""The nouns draw what their arrays say, and fit where they are put."""

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest
from manim import Animation, Circle, Mobject

from scenes import theme
from scenes.first_mobjects.arrows import ArrowPair
from scenes.first_mobjects.grid import CALM, Grid
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.notes import Counter, SmallPrint, StoryBadge
from scenes.first_mobjects.tokens import TokenRow
from scenes.first_mobjects.vector import Vector
from scenes.first_mobjects.workings import DotProductWorkings
from scenes.mobjects.text import Number, em_of
from scenes.presence import presence
from scenes.provenance import Tensor, Value
from scenes.region import Region, safe_area
from scenes.theme import NEGATIVE, OUT_OF_PLAY, POSITIVE, SMALLEST_SIZE

WORDS = ("a", " fluffy", " blue", " creature")
PLACE = Region(-6.6, 6.6, -3, 2)


def waves(*shape: int) -> np.ndarray:
    return np.sin(np.arange(math.prod(shape), dtype=np.float32)).reshape(shape) * 9


def grid(tokens: int = 4) -> Grid:
    return Grid(Tensor(waves(tokens, tokens), "dot_products"), 1.1, 0.5)


def test_a_dots_area_is_proportional_to_its_number() -> None:
    drawn = grid()
    for query in range(4):
        for key in range(4):
            number = abs(drawn.values[query][key].value.number)
            area = (drawn.dot(query, key).width / 2) ** 2
            largest = (drawn.dot(*drawn_largest(drawn)).width / 2) ** 2
            assert area / largest == pytest.approx(number / drawn.largest, abs=1e-3)


def drawn_largest(drawn: Grid) -> tuple[int, int]:
    row, column = np.unravel_index(np.abs(drawn.values.array).argmax(), drawn.values.shape)
    return int(row), int(column)


def test_a_sign_is_never_told_by_colour_alone() -> None:
    drawn = grid()
    for query in range(4):
        for key in range(4):
            dot = drawn.dot(query, key)
            assert isinstance(dot, Circle)
            is_hollow = dot.get_fill_opacity() == 0
            assert is_hollow == (drawn.sign(query, key) is NEGATIVE)


def test_every_cell_shows_its_own_entry() -> None:
    drawn = grid()
    assert drawn.number(2, 3).value.source == "dot_products[2,3]"
    assert drawn.sign(0, 1) is (POSITIVE if drawn.values.array[0, 1] >= 0 else NEGATIVE)


def test_zero_is_nearly_the_background_and_the_largest_the_strongest() -> None:
    drawn = Grid(Tensor(np.array([[0.0, -4.0], [2.0, 1.0]], dtype=np.float32), "scores"), 1, 0.5)
    assert drawn.strength(0, 0) == 0
    assert drawn.strength(0, 1) == pytest.approx(theme.STRONGEST_FILL)
    assert drawn.strength(1, 0) == pytest.approx(theme.STRONGEST_FILL / 2)


@pytest.mark.parametrize("tokens", [1, 2, 8, 16])
@pytest.mark.parametrize("place", [PLACE, Region(-3.5, 3.5, -6, 5)])
def test_a_labelled_grid_fits_its_region(tokens: int, place: Region) -> None:
    pieces = [f" w{'o' * (index % 7)}rd" for index in range(tokens)]
    board = LabelledGrid(Tensor(waves(tokens, tokens) * 2, "dot_products"), pieces, place)
    assert board.width <= place.width + 1e-6
    assert board.height <= place.height + 1e-6


@pytest.mark.parametrize("pieces", [("th", "e", " ", "b", "l", "u", "e"), (" word",) * 16])
def test_a_plate_as_large_as_its_region_covers_every_name_of_a_grid(pieces: list[str]) -> None:
    values = Tensor(waves(len(pieces), len(pieces)), "dot_products")
    board = LabelledGrid(values, pieces, PLACE)
    assert board.get_top()[1] <= PLACE.top - 0.01
    assert board.get_bottom()[1] >= PLACE.bottom + 0.01


def test_names_stand_on_their_own_rows_and_columns() -> None:
    board = LabelledGrid(Tensor(waves(4, 4), "dot_products"), WORDS, PLACE)
    for i in range(4):
        cell = board.grid.cell(i, i).face
        assert board.queries[i].get_y() == pytest.approx(cell.get_y(), abs=0.15)
        assert board.keys[i].get_x() == pytest.approx(cell.get_x(), abs=0.05)
    assert board.queries.get_right()[0] < board.grid.get_left()[0]
    assert board.keys.get_bottom()[1] > board.grid.get_top()[1]


@pytest.mark.parametrize(("width", "decimals"), [(1.1, 2), (0.7, 2), (0.4, 1)])
def test_small_numbers_of_a_grid_have_more_decimals_and_stay_clear_of_the_lines(
    width: float, decimals: int
) -> None:
    small = np.array([[0.31, -0.02], [-0.17, 0.04]], dtype=np.float32)
    grid = Grid(Tensor(small, "dot_products"), width, 0.8)
    assert grid.decimals == decimals
    assert all(grid.number(*pair).width <= CALM * width for pair in np.ndindex(2, 2))


def test_a_grid_without_zero_division_shows_only_zeros() -> None:
    zeros = Grid(Tensor(np.zeros((2, 2), dtype=np.float32), "dot_products"), 1.1, 0.5)
    assert zeros.dot(0, 0).width == pytest.approx(0)
    assert zeros.number(1, 1).text == "0.0"


def test_a_cell_that_holds_its_number_keeps_it() -> None:
    drawn = grid(2)
    drawn.standing(drawn.dot)
    landed = drawn.plain(0, 0)
    drawn.cell(0, 0).hold(landed)
    drawn.cell(1, 1).hold()
    filling = drawn.become_numbers()
    filling.begin()
    filling.finish()
    assert drawn.cell(0, 0).content is landed
    assert all(isinstance(cell.submobjects[-1], Number) for _, _, cell in drawn.all())


def moments(moving: Animation) -> Iterator[float]:
    moving.begin()
    for time in np.linspace(0, 1, 41):
        moving.interpolate(time)
        yield time
    moving.finish()


def overlap(one: Mobject, other: Mobject) -> bool:
    apart = np.abs(one.get_center() - other.get_center())[:2]
    return bool(
        (apart < (np.array([one.width + other.width, one.height + other.height]) / 2)).all()
    )


def test_names_of_queries_do_not_cross_one_another_on_their_way() -> None:
    words = ["a", " fluffy", " blue", " creature", " roamed", " the", " verdant", " forest"]
    board = LabelledGrid(Tensor(waves(8, 8), "dot_products"), words, Region(-6.6, 6.6, -3, 2))
    row = TokenRow(words, 13).move_to((0, 2.6, 0))
    for _ in moments(board.bring_queries(row)):
        for one, other in itertools.combinations(board.queries, 2):
            assert not overlap(one.token, other.token)


def test_names_that_change_sides_are_unseen_where_they_cross() -> None:
    words = ["a", " fluffy", " creature"]
    board = LabelledGrid(Tensor(waves(3, 3), "dot_products"), words, Region(-6.6, 6.6, -3, 2))
    places = [name.get_center() for name in board.keys]
    for _ in moments(board.transpose()):
        for query, key in itertools.product(board.queries, board.keys):
            seen = min(presence(query[0]), presence(key[0]))
            assert seen < 0.5 or not overlap(query, key)
    for name, place in zip(board.queries[-3:], places, strict=True):
        np.testing.assert_allclose(name.get_center(), place, atol=0.1)


def test_a_long_vector_is_elided_and_shows_its_last_entry() -> None:
    values = Tensor(waves(64), "q").values
    vector = Vector(values, 0.7)
    assert vector.is_elided
    assert vector.shown[-1] == 63
    assert vector.numbers[-1].value.source == "q[63]"
    assert not Vector(values[:16], 0.7).is_elided


def test_numbers_of_a_vector_do_not_touch() -> None:
    numbers = Vector(Tensor(waves(16), "q").values, 0.72).numbers
    for one, next_one in itertools.pairwise(numbers):
        assert one.get_right()[0] < next_one.get_left()[0]


@pytest.mark.parametrize(("entries", "width"), [(8, 12), (16, 12), (64, 12), (16, 6.6), (64, 6.6)])
def test_workings_fit_and_stay_legible(entries: int, width: float) -> None:
    query, key = Tensor(waves(entries), "q"), Tensor(waves(entries) - 3, "k")
    workings = DotProductWorkings(query, key, (4, 2), width)
    assert workings.width <= width
    assert all(number.em >= em_of(SMALLEST_SIZE) for number in workings.query.numbers)


def test_workings_sum_over_all_entries_even_those_not_drawn() -> None:
    query, key = Tensor(waves(64), "q"), Tensor(waves(64) - 3, "k")
    workings = DotProductWorkings(query, key, (4, 2), 12)
    assert workings.sum.number == pytest.approx(float(query.array @ key.array), rel=1e-5)
    counting = workings.add_up()
    counting.begin()
    counting.finish()
    assert workings.total.value is workings.sum


@pytest.mark.parametrize("width", [12, 6.6])
def test_small_entries_and_products_have_the_decimals_that_they_need(width: float) -> None:
    query, key = Tensor(waves(16) / 50, "q"), Tensor((waves(16) - 3) / 90, "k")
    workings = DotProductWorkings(query, key, (4, 2), width)
    assert workings.width <= width
    rows = workings.query.numbers, workings.key.numbers, list(workings.product_numbers)
    for row in rows:
        assert len({number.text for number in row}) > 1
        for one, next_one in itertools.pairwise(row):
            assert one.get_right()[0] < next_one.get_left()[0]


def test_a_product_recedes_once_it_is_counted() -> None:
    query, key = Tensor(waves(16), "q"), Tensor(waves(16) - 3, "k")
    workings = DotProductWorkings(query, key, (4, 2), 12)
    coming = workings.reveal_products()
    coming.begin()
    coming.finish()
    counting = workings.add_up(1.0)
    counting.begin()
    counting.interpolate(0.5)
    seen = [presence(number) for number in workings.product_numbers]
    counted = [OUT_OF_PLAY if entry < 8 else 1.0 for entry in workings.query.shown]
    assert seen == pytest.approx(counted)


@pytest.mark.parametrize("cosine", [-1.0, -0.5, 0.0, 0.8, 1.0])
def test_arrows_have_true_lengths_and_angle(cosine: float) -> None:
    pair = ArrowPair(3.0, [(2.0, cosine)], 6, 3)
    key = pair.tip_of((2.0, cosine)) - pair.origin
    query = pair.query.tip.get_right() - pair.origin
    assert np.linalg.norm(key) / np.linalg.norm(query) == pytest.approx(2 / 3, abs=0.01)
    between = key @ query / np.linalg.norm(key) / np.linalg.norm(query)
    assert between == pytest.approx(cosine, abs=0.01)


def test_the_shadow_times_the_querys_length_is_the_dot_product() -> None:
    pair = ArrowPair(3.0, [(2.0, -0.4)], 6, 3)
    shadow = (pair.shadow.get_end() - pair.shadow.get_start())[0] / pair.units
    assert shadow * 3.0 == pytest.approx(3.0 * 2.0 * -0.4)


@pytest.mark.parametrize("count", [1, 8, 16])
@pytest.mark.parametrize("letters", [1, 6, 14])
def test_tokens_fit_the_stage_and_stay_legible(count: int, letters: int) -> None:
    width = safe_area().width
    row = TokenRow([" " + "m" * letters] * count, width)
    assert row.width <= width + 1e-6
    assert all(chip.label.em >= em_of(SMALLEST_SIZE) - 1e-9 for chip in row)


def test_a_token_too_long_to_be_legible_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        TokenRow(["=" * 200], safe_area().width)


def test_a_counter_gives_the_measured_difference() -> None:
    counter = Counter("two routes", Value(3.2e-7, "= x"))
    assert counter.text == "two routes: largest difference 3e\N{MINUS SIGN}7"
    assert Counter("two routes", Value(0.0, "= x")).text.endswith("difference 0")
    assert "'" not in Counter("this sum and the model's", Value(0.0, "= x")).text


def test_small_print_and_badges_are_legible() -> None:
    assert SmallPrint("a caveat").em * 135 >= 20
    assert StoryBadge()[1].em * 135 >= 20


def test_a_number_knows_its_value() -> None:
    value = Value(0.25, "pattern[0,0,1,0]")
    assert Number(value).numerals[0].value is value
