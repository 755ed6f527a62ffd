"""A dot product is drawn true: the area is the number, and so is the sum of the products."""

import numpy as np
import pytest

from scenes.figures.dot_product import EntryByEntry, Meeting
from scenes.provenance import Tensor
from scenes.region import Region

QUERY = np.array([3.0, 4.0, 0.0], dtype=np.float32)
KEYS = np.array([[2.0, 2.0, 5.0], [0.0, 0.0, 2.0], [-4.0, 1.0, 0.5]], dtype=np.float32)
WIDE, HIGH = Region(-6, 6, -3, 3), Region(-3.4, 3.4, -6, 6)


def meeting(region: Region = WIDE) -> Meeting:
    return Meeting(Tensor(QUERY, "q"), [Tensor(key, "k") for key in KEYS], region)


def enclosed(points: np.ndarray) -> float:
    x, y = points[:, 0], points[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


@pytest.mark.parametrize("region", [WIDE, HIGH])
def test_the_area_is_the_dot_product_as_a_rectangle_and_as_a_disc(region: Region) -> None:
    drawn = meeting(region)
    drawn.open(1)
    for place, key in enumerate(KEYS):
        drawn.turn_to(place)
        full, hollow = drawn.area
        product = float(QUERY @ key)
        assert bool(len(full.points)) == (product > 0)
        assert bool(len(hollow.points)) == (product < 0)
        for rounded in (0.0, 0.5):
            drawn.round_off(rounded)
            if product:
                outline = (full if product > 0 else hollow).points
                assert enclosed(outline) / drawn.unit**2 == pytest.approx(abs(product), rel=1e-3)
        drawn.round_off(0)


@pytest.mark.parametrize("region", [WIDE, HIGH])
@pytest.mark.parametrize("place", [0, 0.5, 1, 1.5, 2])
def test_the_meeting_stays_in_its_region(region: Region, place: float) -> None:
    drawn = meeting(region)
    drawn.open(1)
    drawn.turn_to(place)
    low, high = drawn.get_corner((-1, -1, 0)), drawn.get_corner((1, 1, 0))
    assert low[0] >= region.left - 0.15
    assert high[0] <= region.right + 0.15
    assert low[1] >= region.bottom - 0.15
    assert high[1] <= region.top + 0.15


@pytest.mark.parametrize("region", [WIDE, HIGH])
@pytest.mark.parametrize("entries", [1, 3, 16, 64])
def test_products_add_up_to_the_dot_product_and_fit(region: Region, entries: int) -> None:
    angles = np.arange(entries, dtype=np.float32)
    query, key = 3 * np.sin(angles + 1), 2 * np.cos(2 * angles)
    work = EntryByEntry(Tensor(query, "q"), Tensor(key, "k"), region, upright=region is HIGH)
    expected = float(query.astype(np.float64) @ key)
    assert work.sum.value.number == pytest.approx(expected, abs=1e-5)
    axis = 0 if work.upright else 1
    last = np.ptp(work.bars[-1].points[:, axis])
    assert last == pytest.approx(abs(work.terms[-1].number) * work.unit, rel=1e-4)
    assert region.left - 1e-6 <= work.get_left()[0] <= work.get_right()[0] <= region.right + 0.1
    assert region.bottom - 0.3 <= work.get_bottom()[1] <= work.get_top()[1] <= region.top + 1e-6


def test_half_way_half_of_the_products_are_added() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float32)
    work = EntryByEntry(Tensor(values, "q"), Tensor(np.ones(4, np.float32), "k"), WIDE)
    work.add_up(0.5)
    assert work.sum.value.number == pytest.approx(3)
