"""Cards fan out in depth or stand in rows, inside their region and clear of one another."""

from itertools import pairwise

import numpy as np
import pytest
from manim import Square, VGroup

from scenes.first_mobjects.deck import Deck, fan_places, row_places
from scenes.region import Region

WIDE = Region(-6.5, 6.5, -3.0, 2.0)
NARROW = Region(-3.5, 3.5, -6.0, 5.0)


def box(places: list[Square]) -> VGroup:
    return VGroup(*places)


@pytest.mark.parametrize("region", [WIDE, NARROW])
@pytest.mark.parametrize("count", [1, 2, 6, 32])
def test_a_fan_fits_its_region_and_shrinks_into_the_depth(count: int, region: Region) -> None:
    places = fan_places(count, region)
    whole = box(places)
    assert whole.width <= region.width + 1e-6
    assert whole.height <= region.height + 1e-6
    assert np.allclose(whole.get_center(), region.center, atol=1e-6)
    for nearer, farther in pairwise(places):
        assert farther.width < nearer.width
        assert farther.get_right()[0] > nearer.get_right()[0]
        assert farther.get_top()[1] > nearer.get_top()[1]


@pytest.mark.parametrize("region", [WIDE, NARROW])
@pytest.mark.parametrize("count", [1, 3, 6, 12, 32])
def test_cards_in_rows_fit_and_leave_room_below_each(count: int, region: Region) -> None:
    around = 0.9
    places = row_places(count, region, around, 0.8)
    assert len(places) == count
    assert box(places).width <= region.width + 1e-6
    assert box(places).get_top()[1] <= region.top + 1e-6
    assert min(place.get_bottom()[1] for place in places) - around >= region.bottom - 1e-6
    for one, other in pairwise(places):
        if np.isclose(one.get_y(), other.get_y()):
            assert other.get_left()[0] > one.get_right()[0]
        else:
            assert one.get_bottom()[1] - other.get_top()[1] >= around - 1e-6


def test_cards_for_which_there_is_no_room_are_refused() -> None:
    with pytest.raises(ValueError, match="no room for 200 cards"):
        row_places(200, NARROW, 2.0, 2.0)


def test_the_front_card_is_drawn_last_and_stands_nearest() -> None:
    cards = [Square() for _ in range(4)]
    deck = Deck(cards, front=2)
    assert deck.submobjects[-1] is cards[2]
    assert deck.from_front == [cards[2], cards[0], cards[1], cards[3]]
    assert deck.cards == cards


@pytest.mark.parametrize("region", [WIDE, NARROW])
def test_few_cards_beside_many_are_as_large_and_stand_as_near_in_the_middle(region: Region) -> None:
    many, few = fan_places(8, region), fan_places(2, region, room=8)
    for one, other in zip(many, few, strict=False):
        assert other.width == pytest.approx(one.width)
        assert other.get_y() == pytest.approx(one.get_y())
    apart = [places[1].get_x() - places[0].get_x() for places in (many, few)]
    assert apart[0] == pytest.approx(apart[1])
    assert box(few).get_x() == pytest.approx(region.center[0])


def test_a_fan_of_two_cards_is_no_wider_spread_than_one_of_six() -> None:
    two, six = fan_places(2, WIDE), fan_places(6, WIDE)
    shares = [(fan[1].get_x() - fan[0].get_x()) / fan[0].width for fan in (two, six)]
    assert shares[0] == pytest.approx(shares[1])
    assert two[0].width > six[0].width
