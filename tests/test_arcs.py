"""Arcs are as wide as their weights, and go from keys to queries."""

import numpy as np
import pytest

from scenes.first_mobjects.arcs import UNSEEN, WeightArcs
from scenes.provenance import Tensor
from scenes.region import Region

REGION = Region(-5.0, 5.0, -3.0, 2.0)
PATTERN = np.array([[1.0, 0, 0], [0.25, 0.75, 0], [0.5, 0.498, 0.002]], dtype=np.float32)


def arcs() -> WeightArcs:
    return WeightArcs(Tensor(PATTERN, "pattern"), ["a", " dog", " ran"], REGION)


def test_every_weight_that_is_seen_has_an_arc_and_no_other() -> None:
    assert set(arcs().arcs) == {(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)}
    assert PATTERN[2, 2] < UNSEEN


def test_an_arc_is_as_wide_as_its_weight() -> None:
    drawn = arcs().arcs
    widths = {pair: arc.get_stroke_width() / PATTERN[pair] for pair, arc in drawn.items()}
    assert list(widths.values()) == pytest.approx([widths[0, 0]] * len(widths))


def test_a_heavier_weight_is_more_opaque() -> None:
    drawn = arcs().arcs
    assert drawn[1, 1].get_stroke_opacity() > drawn[1, 0].get_stroke_opacity()


def test_an_arc_goes_from_its_key_to_its_query() -> None:
    picture = arcs()
    arc = picture.arcs[1, 0]
    assert arc.get_start()[1] > arc.get_end()[1]
    assert arc.get_start()[0] > picture.keys[0].get_right()[0]
    assert arc.get_end()[0] < picture.queries[1].get_left()[0]


def test_the_arcs_into_a_query_are_those_of_its_row() -> None:
    picture = arcs()
    assert picture.into(1) == [picture.arcs[1, 0], picture.arcs[1, 1]]


def test_an_arc_that_has_grown_is_whole() -> None:
    picture = arcs()
    arc = picture.arcs[2, 0]
    whole = arc.points.copy()
    growing = picture.draw(2)
    growing.begin()
    growing.interpolate(0.5)
    assert arc.get_end()[0] < whole[-1, 0] - 1
    growing.interpolate(1.0)
    np.testing.assert_allclose(arc.points, whole, atol=1e-9)


@pytest.mark.parametrize("tokens", [1, 16])
def test_it_fits_its_region(tokens: int) -> None:
    pattern = Tensor(np.eye(tokens, dtype=np.float32), "pattern")
    picture = WeightArcs(pattern, [" creature"] * tokens, REGION)
    assert picture.height <= REGION.height + 1e-6
    assert picture.keys[0].em * 135 >= 20
