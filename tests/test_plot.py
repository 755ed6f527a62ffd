"""Promises of the plots: where points of a curve stand, and how a point rides on it."""

import numpy as np
import pytest

from scenes.figures.lanes import Lanes
from scenes.mobjects.plot import Axes, Curve, Rider, Slider
from scenes.mobjects.text import Words
from scenes.provenance import constant
from scenes.region import Region

BOX = Region(-4.0, 4.0, -2.0, 2.0)


def axes(*, turned: bool = False) -> Axes:
    return Axes(BOX, (2.0, 10.0), (Words("x"), Words("y")), turned=turned)


def test_a_point_stands_at_its_share_of_either_axis() -> None:
    assert np.allclose(axes().at(0.5, 5.0), (-2.0, 0.0, 0.0))
    assert np.allclose(axes(turned=True).at(0.5, 5.0), (0.0, 1.0, 0.0))


@pytest.mark.parametrize("plane", [axes(), axes(turned=True)], ids=["level", "turned"])
def test_a_point_rides_on_the_curve_of_its_function(plane: Axes) -> None:
    across = np.linspace(0.1, 2.0, 50)
    curve, rider = Curve(plane, across, 1 / across), Rider(plane, lambda x: 1 / x)
    for x in across:
        rider.ride_to(float(x))
        assert np.allclose(rider.dot.get_center(), plane.at(float(x), float(1 / x)))
        gaps = np.linalg.norm(curve.points - rider.dot.get_center(), axis=1)
        assert gaps.min() < 1e-6


def test_lanes_stand_side_by_side_or_where_the_stage_is_upright_one_under_another() -> None:
    tokens = ["a", " fluffy", " blue"]
    wide = Lanes.of(tokens, Region(-6.6, 6.6, -3.3, 3.5))
    upright = Lanes.of(tokens, Region(-3.5, 3.5, -6.0, 6.5))
    assert wide.at(1, 0.0)[0] > wide.at(0, 0.0)[0]
    assert upright.at(1, 0.0)[1] < upright.at(0, 0.0)[1]
    for lanes in (wide, upright):
        for lane, chip in enumerate(lanes.chips(tokens)):
            room = lanes.room(lane, lane, 0.0, lanes.foot)
            assert (
                room.left - 1e-6 <= chip.get_left()[0] <= chip.get_right()[0] <= room.right + 1e-6
            )


def test_a_slider_shows_the_number_that_it_passes() -> None:
    slider = Slider(BOX, [constant(stop, "a stop") for stop in (0.0, 1.0, 5.0)])
    move = slider.slide(0.0, 5.0)
    move.begin()
    for gone, share in ((0.0, 0.0), (0.6, 0.2), (1.0, 1.0)):
        move.change(gone)
        assert slider.knob.get_x() == pytest.approx(BOX.left + share * BOX.width)
