"""Areas are true: a thin matrix has the share of the square that its entries have."""

import pytest

from scenes.mobjects.areas import AreaPair
from scenes.mobjects.factors import FactoredMap
from scenes.mobjects.text import Words
from scenes.stage import Region
from scenes.theme import LABEL_SIZE
from scenes.values import count

REGION = Region(-6.0, 0.0, -3.0, 2.0)
SIZES = count(96, "wide"), count(16, "thin")


def test_the_strip_has_its_share_of_the_area() -> None:
    pair = AreaPair("this model", 16 / 96, [Words("many")], REGION)
    areas = [shape.width * shape.height for shape in (pair.square, pair.strip)]
    assert areas[0] / areas[1] == pytest.approx(6)
    assert pair.square.width == pytest.approx(pair.square.height)


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


@pytest.mark.parametrize("size", [3.2, 5.0])
def test_two_pairs_side_by_side_have_squares_of_one_size(size: float) -> None:
    places = Region(-size, 0, -2.5, 2.5), Region(0, size, -2.5, 2.5)
    texts = [Words("full map", size=LABEL_SIZE)], [Words("full map", size=LABEL_SIZE)]
    one, other = (
        AreaPair("a model", share, lines, place)
        for share, lines, place in zip((1 / 6, 1 / 96), texts, places, strict=True)
    )
    assert one.square.width == pytest.approx(other.square.width)
    assert one.square.get_y() == pytest.approx(other.square.get_y())
