"""Areas are true: a thin matrix has the share of the square that its entries have."""

import numpy as np
import pytest

from scenes.first_mobjects.areas import AreaPair, area_pairs
from scenes.first_mobjects.factors import FactoredMap
from scenes.first_mobjects.passage import Passage
from scenes.map_sizes import GPT_3, MapSizes
from scenes.provenance import Tensor, count, matmul
from scenes.region import Region

REGION = Region(-6.0, 6.0, -3.0, 2.0)
UPRIGHT = Region(-3.5, 3.5, -6.0, 4.0)
SIZES = count(96, "wide"), count(16, "thin")


def sizes(wide: int, thin: int) -> MapSizes:
    down, up = (np.ones(shape, np.float32) for shape in ((wide, thin), (thin, wide)))
    return MapSizes.of(matmul(Tensor(down, "V"), Tensor(up, "O")), Tensor(down, "K"))


def pairs(wide: int = 96, thin: int = 16, region: Region = REGION) -> list[AreaPair]:
    return area_pairs((sizes(wide, thin), GPT_3), region)


@pytest.mark.parametrize(("place", "times"), [(0, 6), (1, 96)])
def test_the_strip_has_its_share_of_the_area(place: int, times: int) -> None:
    pair = pairs()[place]
    areas = [shape.width * shape.height for shape in (pair.square, pair.strip)]
    assert areas[0] / areas[1] == pytest.approx(times)
    assert pair.square.width == pytest.approx(pair.square.height)


@pytest.mark.parametrize(("thin", "many"), [(16, 6), (96, 1), (40, 2)])
def test_as_many_key_matrices_are_laid_over_the_map_as_fit(thin: int, many: int) -> None:
    pair = pairs(thin=thin)[0]
    np.testing.assert_allclose(pair.laid.get_left(), pair.strip.get_left(), atol=1e-6)
    filling = pair.fill()
    filling.begin()
    filling.interpolate(1.0)
    assert pair.many == many
    assert pair.laid.get_left()[0] == pytest.approx(pair.square.get_left()[0])
    assert pair.laid.get_right()[0] <= pair.square.get_right()[0] + 1e-6


def test_the_published_map_is_as_many_key_matrices_as_its_model_has_heads() -> None:
    assert GPT_3.times.number == 96
    assert GPT_3.times.source.startswith("constant: ")
    assert sizes(96, 16).times.number == 6


@pytest.mark.parametrize("region", [REGION, UPRIGHT])
def test_two_pairs_have_squares_and_texts_of_one_size(region: Region) -> None:
    one, other = pairs(region=region)
    assert one.square.width == pytest.approx(other.square.width, rel=0.01)
    assert one.lines[0].em == pytest.approx(other.lines[0].em)
    widest = max(line.width for pair in (one, other) for line in pair.lines)
    assert widest <= region.parts(0.5)[0].width


def test_the_factors_fit_the_square_that_they_make() -> None:
    factors = FactoredMap(SIZES, REGION)
    assert factors.down.height == pytest.approx(factors.square.height)
    assert factors.up.width == pytest.approx(factors.square.width)
    assert factors.down.width == pytest.approx(factors.square.width / 6)
    assert factors.up.height == pytest.approx(factors.square.width / 6)


def test_factors_fit_their_region() -> None:
    picture = FactoredMap(SIZES, REGION)
    assert picture.width <= REGION.width + 1e-6
    assert picture.height <= REGION.height + 1e-6


def test_a_vector_is_as_long_as_the_sides_of_the_matrices_that_it_meets() -> None:
    factors = FactoredMap(SIZES, REGION)
    passage = Passage(factors, SIZES)
    assert passage.whole.height == pytest.approx(factors.down.height)
    assert passage.value.width == pytest.approx(factors.down.width)
    assert passage.lifted.height == pytest.approx(passage.value.width)
    assert passage.change.width == pytest.approx(passage.whole.height)


def test_a_vector_on_its_way_keeps_clear_of_the_matrices_and_their_names() -> None:
    factors = FactoredMap(SIZES, REGION)
    passage = Passage(factors, SIZES)
    assert passage.whole.get_left()[0] > factors.down_label.get_right()[0]
    assert passage.whole.get_right()[0] < factors.down.get_left()[0]
    assert passage.change.get_top()[1] < factors.up.get_bottom()[1]
    assert passage.change.get_bottom()[1] > factors.square.get_top()[1]
