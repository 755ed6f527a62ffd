"""A plane's picture keeps lengths true to one scale, and its names clear of everything."""

import itertools

import numpy as np
import pytest
from manim import VGroup

from checking.layout import layout_faults
from checking.stage_view import Part, StageView
from scenes.first_mobjects.beside import NEAR
from scenes.first_mobjects.plane import Arrow, PlaneView, plane_note, units_that_fit
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import OUTPUT

REGION = Region(-5.0, 4.0, -2.0, 2.5)
NOTE_SHARE = Value(0.5, "= share of squared length in 2 principal axes of x[:,:]")


def arrows(tips: list[tuple[float, float]]) -> list[Arrow]:
    return [
        Arrow(np.zeros(2), np.array(tip), OUTPUT, Words("{}", f"word {'abcdefghijklmnop'[i]}"))
        for i, tip in enumerate(tips)
    ]


def view(tips: list[tuple[float, float]], region: Region = REGION) -> PlaneView:
    return PlaneView(arrows(tips), plane_note(96, NOTE_SHARE), region)


def faults(group: VGroup) -> list[str]:
    parts = [Part(part, part, type(part).__name__) for part in group.family_members_with_points()]
    stage = StageView(parts, (16.0, 9.0))
    return [fault.message for fault in layout_faults(stage, REGION)]


TIPS = [(9.0, 1.0), (-1.0, 2.0), (0.5, 0.2)]


def test_every_arrow_has_its_true_length_at_one_scale() -> None:
    plane = view(TIPS)
    for ray, tip in zip(plane.arrows, TIPS, strict=True):
        drawn = np.linalg.norm(ray.tip.points[0] - ray.shaft.get_start())
        assert drawn == pytest.approx(plane.units * np.hypot(*tip), rel=1e-6)


def test_everything_stays_in_its_region() -> None:
    plane = view(TIPS)
    assert plane.get_left()[0] >= REGION.left - 1e-6
    assert plane.get_right()[0] <= REGION.right + 1e-6
    assert plane.get_bottom()[1] >= REGION.bottom - 1e-6
    assert plane.get_top()[1] <= REGION.top + 1e-6


@pytest.mark.parametrize(
    "tips",
    [TIPS, [(1.0, 0.0)] * 5, [(np.cos(a), np.sin(a)) for a in range(16)], [(0.0, 0.0)]],
    ids=["three", "the same five", "sixteen", "nothing"],
)
def test_names_are_clear_of_one_another_and_of_arrows(tips: list[tuple[float, float]]) -> None:
    assert faults(view(tips)) == []


def test_two_planes_can_share_one_scale() -> None:
    units = units_that_fit(arrows(TIPS), REGION)
    small = PlaneView(arrows([(1.0, 0.0)]), plane_note(2, NOTE_SHARE), REGION, units)
    assert small.units == view(TIPS).units == units


def test_an_arrow_grows_to_its_whole_length() -> None:
    plane = view(TIPS)
    before = plane.arrows[0].tip.points.copy()
    growing = plane.draw(0)
    growing.begin()
    growing.interpolate(0.5)
    half = np.linalg.norm(plane.arrows[0].tip.points[0] - plane.arrows[0].shaft.get_start())
    assert half == pytest.approx(plane.units * np.hypot(*TIPS[0]) / 2, rel=1e-6)
    growing.interpolate(1.0)
    np.testing.assert_allclose(plane.arrows[0].tip.points, before)


def test_the_small_print_says_what_share_is_seen() -> None:
    assert "50.0% of the squared lengths" in plane_note(96, NOTE_SHARE).text


def test_a_name_along_a_short_arrow_stands_beside_it_or_nowhere() -> None:
    ends = np.array([[0, 0], [9, 0], [9.1, 0.5], [9, 0.9], [9.2, 1.2], [9, 1.4], [9.1, 1.5]])
    links = [
        Arrow(start, end, OUTPUT, Words("{}", f"link {i}"), 1.0 if i == 0 else 0.5)
        for i, (start, end) in enumerate(itertools.pairwise(ends))
    ]
    plane = PlaneView(links, plane_note(96, NOTE_SHARE), REGION)
    for link, name in zip(links[1:], plane.names[1:], strict=True):
        if name is not None:
            middle = plane.at((link.start + link.end) / 2)
            gap = np.abs(name.get_center() - middle)[:2] - [name.width / 2, name.height / 2]
            assert np.linalg.norm(gap.clip(0)) < 2 * NEAR
    assert faults(plane) == []
