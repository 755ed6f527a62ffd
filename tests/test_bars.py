"""Bars are as long as their numbers, on one scale; a stack fills its whole."""

import numpy as np
import pytest

from scenes.mobjects.bars import Bars, Remeasure, Stack, percentage, share_decimals
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.text import TokenText
from scenes.provenance import Value, constant
from scenes.region import Region

REGION = Region(-4, 4, -3, 3)
NUMBERS = (2.0, -1.0, 0.5, 0.0)


def values(*numbers: float) -> list[Value]:
    return [constant(number, "a test") for number in numbers]


@pytest.mark.parametrize("across", [False, True])
def test_a_bar_is_as_long_as_its_number_and_stands_on_its_side_of_zero(*, across: bool) -> None:
    bars = Bars(values(*NUMBERS), REGION, across=across)
    axis = 0 if across else 1
    unit = bars.place_of(1.0) - bars.place_of(0.0)
    for shape, number in zip(bars.shapes, NUMBERS, strict=True):
        length = np.ptp(shape.points[:, axis])
        assert length == pytest.approx(abs(number) * unit)
        middle = shape.points[:, axis].mean() - bars.place_of(0.0)
        assert np.sign(np.round(middle, 9)) == np.sign(number)


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("many", [1, 8, 16])
def test_bars_names_and_numbers_stay_in_their_region(many: int, *, across: bool) -> None:
    names = [TokenText(" creature", 24) for _ in range(many)]
    bars = Bars(values(*np.linspace(-10, 14, many)), REGION, names, across=across)
    assert bars.width <= REGION.width + 1e-6
    assert float(bars.get_bottom()[1]) >= REGION.bottom - 1e-6
    assert float(bars.get_top()[1]) <= REGION.top + 1e-6


def test_the_numeral_of_zero_stands_where_all_others_do() -> None:
    hanging = Bars(values(0.0, -1.0), REGION, span=(-2.0, 0.0))
    standing = Bars(values(0.0, 1.0), REGION, span=(0.0, 2.0))
    assert hanging.numbers[0].get_y() < hanging.place_of(0.0)
    assert standing.numbers[0].get_y() > standing.place_of(0.0)


def test_shares_stand_end_to_end_and_fill_the_whole() -> None:
    shares = (0.1, 0.6, 0.3)
    stack = Stack(values(*shares), REGION)
    edges = [(shape.points[:, 1].max(), shape.points[:, 1].min()) for shape in stack.shapes]
    assert edges[0][0] == pytest.approx(REGION.top)
    assert edges[-1][1] == pytest.approx(REGION.bottom)
    for (top, bottom), share in zip(edges, shares, strict=True):
        assert top - bottom == pytest.approx(share * REGION.height)
    assert edges[0][1] == pytest.approx(edges[1][0])


def test_remeasured_bars_pass_the_numbers_of_their_path_and_end_on_the_values() -> None:
    bars = Bars(values(1.0, 2.0), REGION)
    verb = Remeasure(bars, values(4.0, 9.0), path=lambda share: np.array([1.0, 2.0]) ** (1 + share))
    verb.begin()
    verb.interpolate(0.5)
    assert [number.value.number for number in bars.numbers] == pytest.approx([1.0, 2**1.5])
    verb.finish()
    assert [value.number for value in bars.values] == [4.0, 9.0]
    assert bars.numbers[1].text == "9.00"


def test_a_share_that_is_not_all_does_not_read_as_one() -> None:
    assert [share_decimals(share) for share in (0.83, 0.9998, 1.0, 0.9)] == [2, 4, 2, 2]


def test_a_gauge_fills_a_share_of_its_track_and_tells_a_percentage() -> None:
    track = Region(0.0, 4.0, 0.0, 0.5)
    gauge = Gauge(TokenText("forest"), constant(0.25, "a test"), track, 24)
    assert gauge.bar.width == pytest.approx(1.0)
    assert gauge.track.width == pytest.approx(4.0)
    assert gauge.number.text == "25%"
    assert percentage(constant(0.0004, "a test")).text == "0.04%"
