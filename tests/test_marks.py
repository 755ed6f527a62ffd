"""Marks stand where they should, whatever they mark."""

import numpy as np
import pytest
from manim import Rectangle
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.mobjects.marks import Brace, Brackets, Hatch, Ring


def test_a_hatch_stays_in_its_box_and_out_of_its_window() -> None:
    box = Rectangle(width=0.7, height=0.7).move_to((3, 1, 0))
    hatch = Hatch(box, window=(0.4, 0.2))
    offset = np.abs(hatch.points - box.get_center())
    assert (offset <= 0.35 + 1e-6).all()
    assert not ((offset[:, 0] < 0.2 - 1e-6) & (offset[:, 1] < 0.1 - 1e-6)).any()


@pytest.mark.parametrize("side", [UP, DOWN, LEFT, RIGHT])
def test_a_brace_points_away_from_what_it_stands_beside(side: np.ndarray) -> None:
    box = Rectangle(width=4, height=2)
    brace = Brace(box, side)
    assert np.dot(brace.point, side) > np.dot(box.get_edge_center(side), side)
    assert np.allclose(np.cross(brace.point, side), 0)
    along = np.array((abs(side[1]), abs(side[0]), 0))
    assert np.dot(along, (brace.width, brace.height, 0)) == pytest.approx(
        np.dot(along, (4, 2, 0)), rel=0.02
    )


def test_rings_lines_and_brackets_enclose_their_mobject() -> None:
    box = Rectangle(width=2, height=1)
    assert Ring(box, 0.1).width == pytest.approx(2.2)
    brackets = Brackets(box)
    assert brackets.opening.get_right()[0] < box.get_left()[0]
    assert brackets.closing.get_left()[0] > box.get_right()[0]
