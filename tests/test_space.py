"""Arrows in a space are seen in perspective, from every side inside their region."""

from itertools import combinations

import numpy as np
import pytest

from scenes.mobjects.space import Space
from scenes.region import Region

WIDE, UPRIGHT = Region(-6.6, 6.6, -3.3, 3.5), Region(-3.5, 3.5, -6, 6)
NAMES = ["fluffy", "blue", "creature", "verdant forest"]
TIPS = np.array([[1.0, 0.2, 0.4], [0.9, 0.3, 0.2], [-0.6, 0.8, -0.5], [0.1, -1.0, 0.7]])


@pytest.mark.parametrize("region", [WIDE, UPRIGHT])
@pytest.mark.parametrize("angle", [0, 75, 200])
def test_all_stands_inside_the_region_from_every_side(region: Region, angle: float) -> None:
    space = Space([TIPS], NAMES, region)
    space.turn_to(angle)
    for label in space.labels:
        assert label.get_left()[0] >= region.left - 1e-6
        assert label.get_right()[0] <= region.right + 1e-6
        assert label.get_top()[1] <= region.top + 1e-6
        assert label.get_bottom()[1] >= region.bottom - 1e-6


def test_what_is_nearer_is_drawn_larger() -> None:
    space = Space([np.array([[0.0, 0, 1.0], [0.0, 0, -1.0]])], ["near", "far"], WIDE)
    _, growth = space.seen(space.stops[0])
    assert growth[0] > 1 > growth[1]


def test_half_a_turn_mirrors_left_and_right() -> None:
    space = Space([np.array([[1.0, 0.0, 0.0]])], ["one"], WIDE)
    before = space.seen(space.stops[0])[0] - space.origin
    space.turn_to(180)
    after = space.seen(space.stops[0])[0] - space.origin
    assert after == pytest.approx(-before, abs=1e-9)


def test_arrows_go_from_stop_to_stop() -> None:
    space = Space([TIPS[:, :2], -TIPS[:, :2]], NAMES, WIDE)
    space.stand_at(1.0)
    assert space.arrows[2].tip == pytest.approx(space.seen(-TIPS * [1, 1, 0])[0][2])


def test_names_keep_apart() -> None:
    space = Space([np.tile(TIPS[:1], (4, 1)) * [[1], [0.99], [0.98], [0.97]]], NAMES, WIDE)
    for one, other in combinations(space.labels, 2):
        gap = np.abs(one.get_center() - other.get_center())[:2]
        room = np.array([one.width + other.width, one.height + other.height]) / 2
        assert (gap >= room - 0.02).any()
