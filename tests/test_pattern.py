"""Patterns show true weights: areas of dots, and widths of arcs where they leave and arrive."""

from itertools import pairwise

import numpy as np
import pytest
from manim import Circle, Rectangle

from scenes.mobjects.pattern import AskedRow, Pattern, WeightArcs
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Tensor
from scenes.region import stage_area

WEIGHTS = np.array([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.1, 0.5, 0.4]])
OTHER = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.8, 0.1, 0.1]])


def line(y: float) -> list[Rectangle]:
    return [Rectangle(width=1.5, height=0.5).move_to((2.0 * x, y, 0)) for x in range(3)]


def test_the_area_of_a_dot_is_its_weight() -> None:
    panel = Pattern(WEIGHTS, 3.0)
    whole = panel.dots(0).width
    half = Pattern(np.array([[1.0, 0, 0], [0.5, 0, 0], [0.25, 0, 0]]), 3.0)
    assert half.dots(1).width == pytest.approx(whole * np.sqrt(0.5))
    assert half.dots(2).width == pytest.approx(whole / 2)


def test_a_cell_is_where_its_dot_is() -> None:
    panel = Pattern(WEIGHTS, 3.0).shift((1, 1, 0))
    assert np.allclose(panel.cell(0, 0).get_center(), panel.dots(0).get_center())
    assert panel.row(0).get_y() > panel.row(2).get_y()


def test_arcs_fill_their_query_from_edge_to_edge_and_do_not_overlap() -> None:
    keys, queries = line(2.0), line(-2.0)
    arcs = WeightArcs(WEIGHTS, keys, queries, other=OTHER)
    for share in (0.0, 0.3, 1.0):
        arcs.mix_to(share)
        for query, goal in enumerate(queries):
            spans = [arcs.span(query, key) for key in range(3)]
            assert spans[0][0] == pytest.approx(goal.get_left()[0])
            assert spans[-1][1] == pytest.approx(goal.get_right()[0])
            assert all(a[1] == pytest.approx(b[0]) for a, b in pairwise(spans))
            mixed = (1 - share) * WEIGHTS[query] + share * OTHER[query]
            assert np.allclose([(b - a) / goal.width for a, b in spans], mixed)


def test_arcs_also_go_from_left_to_right() -> None:
    column = [Rectangle(width=1, height=0.8).move_to((0, -k, 0)) for k in range(3)]
    goals = [each.copy().shift((5, 0, 0)) for each in column]
    arcs = WeightArcs(WEIGHTS, column, goals)
    assert arcs.get_left()[0] == pytest.approx(column[0].get_right()[0])
    assert arcs.get_right()[0] == pytest.approx(goals[0].get_left()[0])
    assert arcs.band(2, 1).get_top()[1] <= column[1].get_top()[1] + 1e-6


@pytest.mark.parametrize("lines", [1, 3])
def test_bands_that_draw_back_fill_the_bar_and_become_dots_as_round_as_they_should_be(
    lines: int,
) -> None:
    row, stage = Tensor(WEIGHTS[2], "row"), stage_area()
    asked = AskedRow(TokenRow(("a", " b", " c"), stage, lines=lines), (row, row), (1, 2), stage)
    asked.close_up(1)
    long = asked.bar.length_over_dim(asked.axis)
    for band, weight in zip(asked.arcs, WEIGHTS[2], strict=True):
        assert band.length_over_dim(asked.axis) == pytest.approx(weight * long, abs=1e-6)
        thick = asked.bar.length_over_dim(1 - asked.axis)
        assert band.length_over_dim(1 - asked.axis) == pytest.approx(thick)
    dots = {key: Circle(0.1 + 0.1 * key).move_to((key, 0, 0)) for key in range(3)}
    gather = asked.gather(dots)
    gather.begin()
    gather.interpolate(1)
    for band, dot in zip(asked.arcs, dots.values(), strict=True):
        off = np.linalg.norm(band.points[::4] - dot.get_center(), axis=1)
        np.testing.assert_allclose(off, dot.width / 2, rtol=1e-3)
