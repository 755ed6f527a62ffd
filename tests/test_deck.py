"""A deck of heads: true perspective, every pattern in sight, nothing beyond its region."""

from itertools import combinations

import numpy as np
import pytest

from scenes.figures.deck import Deck, Pose, Sight
from scenes.mobjects.pattern import Pattern
from scenes.region import Region, area_of

WIDE, UPRIGHT = Region(-6.5, 6.5, -3.3, 3.5), Region(-3.5, 3.5, -6, 6)
PATTERNS = np.tril(np.full((2, 5, 4, 4), 0.25))


def deck(region: Region = WIDE) -> Deck:
    return Deck(PATTERNS, (1, 2), {Pose.FRONT: region}, lit=3, plain=(12, 12))


@pytest.mark.parametrize("region", [WIDE, UPRIGHT])
def test_what_a_pose_is_about_fills_its_region_and_no_more(region: Region) -> None:
    cards = deck(region)
    for pose, shown in ((Pose.DECK, cards.own), (Pose.WALL, [*cards.own, cards.others])):
        cards.go(pose)
        corners = np.concatenate([part.get_all_points() for part in shown])
        assert corners[:, 0].min() >= region.left - 1e-6
        assert corners[:, 0].max() <= region.right + 1e-6
        assert corners[:, 1].min() >= region.bottom - 1e-6
        assert corners[:, 1].max() <= region.top + 1e-6


@pytest.mark.parametrize(("layers", "heads"), [(12, 12), (30, 9), (32, 32)])
@pytest.mark.parametrize("region", [WIDE, UPRIGHT])
def test_a_wall_of_many_layers_fills_its_region(region: Region, layers: int, heads: int) -> None:
    patterns = np.broadcast_to(PATTERNS[0, 0], (layers, heads, 4, 4))
    cards = Deck(patterns, (1, 2), {Pose.FRONT: region})
    cards.go(Pose.WALL)
    corners = np.concatenate([part.get_all_points() for part in (*cards.own, cards.others)])
    across, up = np.ptp(corners[:, 0]) / region.width, np.ptp(corners[:, 1]) / region.height
    assert max(across, up) == pytest.approx(1.0, abs=1e-6)
    assert min(across, up) > 0.48


@pytest.mark.parametrize("region", [WIDE, UPRIGHT])
def test_cards_that_are_laid_out_stand_apart(region: Region) -> None:
    cards = deck(region)
    cards.go(Pose.DECK)
    boxes = [area_of(card[0]) for card in cards.own]
    for one, other in combinations(boxes, 2):
        beside = one.right < other.left or other.right < one.left
        assert beside or one.bottom > other.top or other.bottom > one.top


def test_from_the_front_one_card_is_seen_as_it_is() -> None:
    cards = deck()
    plain = Pattern(PATTERNS[1, 2], cards.own[2][0].width).move_to(cards.own[2][0])
    seen, box = cards.row_seen(2)
    assert np.allclose(box.get_center(), plain.row(3).get_center())
    assert np.allclose(seen, plain.dots(3).points, atol=1e-6)


def test_what_is_twice_as_far_is_half_as_large() -> None:
    near, far = Sight(distance=6).seen(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, -6.0]]))
    assert np.allclose(near, 2 * far)
