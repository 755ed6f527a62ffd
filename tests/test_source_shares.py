"""Bars are as long as their shares, and a negative share says so."""

import pytest

from scenes.first_mobjects.bar import Bar
from scenes.first_mobjects.source_shares import SourceShares
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region

REGION = Region(-6.0, 6.0, -2.5, 1.5)


def picture(shares: list[float]) -> SourceShares:
    values = [Value(share, f"w[{i}]") for i, share in enumerate(shares)]
    return SourceShares([" dog"] * len(shares), [("one", values), ("two", values)], REGION)


def test_a_bar_is_as_long_as_its_share() -> None:
    rows = picture([0.2, 0.8]).rows
    lengths = [next(part for part in row if isinstance(part, Bar)).length for row in rows]
    assert lengths[1] / lengths[0] == pytest.approx(4)


def test_a_negative_share_keeps_its_sign_and_another_colour() -> None:
    row = picture([-0.3, 1.3]).rows[0]
    bar = next(part for part in row if isinstance(part, Bar))
    other = next(part for part in picture([0.3, 0.7]).rows[0] if isinstance(part, Bar))
    assert any(isinstance(part, Words) and part.text == "\N{MINUS SIGN}30%" for part in row)
    assert bar.get_fill_color() != other.get_fill_color()


@pytest.mark.parametrize("tokens", [1, 16])
def test_it_fits_its_region(tokens: int) -> None:
    drawn = picture([1 / tokens] * tokens)
    assert drawn.width <= REGION.width + 1e-6
    assert drawn.height <= REGION.height + 1e-6
    assert drawn.names[0].em * 135 >= 20
