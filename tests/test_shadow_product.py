"""A length times a shadow is the dot product, in numbers and in the picture."""

import numpy as np
import pytest

from scenes.first_mobjects.arrows import SHADOW_DROP, ArrowPair
from scenes.first_mobjects.shadow_product import Shadow, ShadowProduct
from scenes.mobjects.text import Number
from scenes.presence import presence
from scenes.provenance import Value
from scenes.region import Region

LENGTH = Value(5.25, "= length of q[:]")
WIDE, LOW = Region(0, 5.5, -2, 2), Region(-3.5, 3.5, 0, 1.4)


def shadow(length: float) -> Shadow:
    product = Value(length * LENGTH.number, "dot_products[0,1]")
    return Shadow(product / LENGTH, product)


def shown(drawn: ShadowProduct) -> list[str]:
    return [part.text for part in drawn if isinstance(part, Number)]


@pytest.mark.parametrize("region", [WIDE, LOW])
def test_whatever_the_key_its_numbers_stay_in_the_region_and_apart(region: Region) -> None:
    keys = [shadow(length) for length in (1.98, 0.1, -16.6)]
    drawn = ShadowProduct(LENGTH, keys, region)
    for key in keys:
        drawn.shadow.put(key.length)
        drawn.result.put(key.product)
        assert drawn.width <= region.width + 1e-6
        assert drawn.height <= region.height + 1e-6
        assert drawn.times.get_right()[0] < drawn.shadow.get_left()[0]
        assert drawn.shadow.get_right()[0] < drawn.signs[2].get_left()[0]


def test_the_numbers_run_to_those_of_another_key() -> None:
    drawn = ShadowProduct(LENGTH, [shadow(2.0), shadow(-1.0)], WIDE)
    assert shown(drawn) == ["5.25", "2.00", "10.50"]
    running = drawn.run_to(shadow(-1.0))
    running.begin()
    running.finish()
    assert shown(drawn) == ["5.25", "\N{MINUS SIGN}1.00", "\N{MINUS SIGN}5.25"]


def test_small_numbers_have_the_decimals_that_they_need() -> None:
    drawn = ShadowProduct(
        Value(0.031, "= x"), [Shadow(Value(0.0024, "= y"), Value(7e-5, "z"))], LOW
    )
    assert shown(drawn) == ["0.031", "0.0024", "0.000070"]


def test_a_shadow_starts_on_its_arrow_and_falls_straight_down() -> None:
    pair = ArrowPair(3.0, [(2.0, 0.6)], 6, 3)
    pair.meet()
    assert presence(pair.shadow) == 0
    np.testing.assert_allclose(pair.shadow.get_end(), pair.tip_of((2.0, 0.6)))
    falling = pair.cast_shadow()
    falling.begin()
    falling.interpolate(0.5)
    assert pair.shadow.get_end()[0] == pytest.approx(pair.tip_of((2.0, 0.6))[0])
    falling.finish()
    assert pair.shadow.get_end()[1] == pytest.approx((pair.origin + SHADOW_DROP)[1])
    assert presence(pair.shadow) == 1
