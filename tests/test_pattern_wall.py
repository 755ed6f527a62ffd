"""Patterns in small stand where they belong: in a wall, in rows, and as tiles."""

import numpy as np
import pytest

from scenes.first_mobjects.deck import CROWD
from scenes.first_mobjects.pattern_panel import PatternPanel
from scenes.first_mobjects.pattern_rows import PatternRows
from scenes.first_mobjects.pattern_wall import PatternWall
from scenes.first_mobjects.tiles import Tiles, WeightPanel
from scenes.mobjects.text import Words
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import POSITIVE

REGION = Region(-6.5, 6.5, -3.0, 2.0)


def patterns(layers: int, heads: int, tokens: int = 3) -> Tensor:
    pattern = np.tril(np.ones((layers, heads, tokens, tokens), dtype=np.float32))
    return Tensor(pattern / pattern.sum(axis=-1, keepdims=True), "pattern")


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (4, 6), (24, 32)])
def test_a_wall_has_a_place_for_every_head_inside_its_region(layers: int, heads: int) -> None:
    wall = PatternWall(patterns(layers, heads), REGION)
    assert [len(row) for row in wall.places] == [heads] * layers
    assert wall.width <= REGION.width + 1e-6
    assert wall.height <= REGION.height + 1e-6
    if layers > 1:
        assert wall.places[0][0].get_y() > wall.places[1][0].get_y()
    assert wall.ring(layers - 1, 0).get_center() == pytest.approx(wall.places[-1][0].get_center())


def test_a_large_wall_names_at_least_its_first_layer_and_head() -> None:
    texts = [label.text for label in PatternWall(patterns(24, 32), REGION).labels]
    assert "layer 0" in texts
    assert "0" in texts


def test_rows_say_which_key_gets_most_and_how_much() -> None:
    weights = Tensor(np.array([[0.2, 0.7, 0.1], [0.5, 0.4, 0.1]], dtype=np.float32), "pattern")
    captions = [Words("one"), Words("other")]
    rows = PatternRows(list(weights), captions, ("a", " small", " dog"), REGION)
    shown = [row.submobjects[-1] for row in rows.rows]
    assert [text.text for text in shown] == ["small: 0.70", "a: 0.50"]
    assert shown[0].numerals[0].value.source == "pattern[0,1]"


def test_a_row_s_frame_lies_on_the_row() -> None:
    panel = PatternPanel(patterns(1, 1, 4)[0, 0], 2.0)
    assert panel.ring(0).get_y() == pytest.approx(0.75)
    assert panel.ring(3).get_y() == pytest.approx(-0.75)


def test_a_row_is_taken_out_of_a_panel_where_the_panel_stands_now() -> None:
    panel = PatternPanel(patterns(1, 1, 4)[0, 0], 2.0)
    panel.scale(1.5).shift((2.0, -1.0, 0))
    row = panel.row(2)
    dots = panel.dots.points.reshape(-1, 16, 3)  # those of a triangle: 1, 2, 3 and 4 of them
    assert row.points.reshape(-1, 16, 3) == pytest.approx(dots[3:6])


def test_the_weights_of_all_rows_come_out_of_rows_of_as_many() -> None:
    panel = PatternPanel(patterns(1, 1, 3)[0, 0], 1.0)
    rows = PatternRows([panel.pattern[2]], [Words("one")], ("a", " small", " dog"), REGION)
    assert len(rows.rows[0].dots.points) == len(panel.row(2).points)
    assert not rows.unfold([panel.row(2)]).is_empty


def test_the_area_of_a_tile_is_its_weight() -> None:
    tiles = Tiles(np.zeros((2, 2)), np.array([0.0, 3.0]), POSITIVE)
    assert len(tiles.points) == 16
    assert tiles.width == pytest.approx(3.0)
    assert tiles.height == pytest.approx(3.0)


def test_a_weight_panel_stays_on_its_plate() -> None:
    weights = Tensor(np.linspace(-1, 1, 600, dtype=np.float32).reshape(60, 10), "weights.W_Q")
    panel = WeightPanel(weights, 1.5, 8)
    assert panel.width == pytest.approx(1.5)
    assert panel.height == pytest.approx(1.5)


@pytest.mark.parametrize("side", [0.6, 1.4, 3.0])
def test_frames_of_panels_that_stand_near_one_another_stay_apart(side: float) -> None:
    pattern = patterns(1, 1, 8)[0, 0]
    one, other = PatternPanel(pattern, side), PatternPanel(pattern, side)
    other.shift(((1 + CROWD) * side, 0, 0))
    rings = [panel.ring(7, CROWD / 2 * side) for panel in (one, other)]
    assert rings[0].get_right()[0] + CROWD / 4 * side < rings[1].get_left()[0]
