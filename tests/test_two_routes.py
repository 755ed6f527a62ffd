"""Two rows of one vector stand so that equal entries stand over one another."""

import pytest

from scenes.first_mobjects.tile_row import row_form
from scenes.first_mobjects.two_routes import TwoRoutes
from scenes.provenance import Value

ENDS = [[Value(x, "= 1 + 1") for x in (0.5, -1.25, 2.0)] for _ in "12"]


def routes() -> TwoRoutes:
    form = row_form(ENDS[0], 3, 6.0, 0.5)
    nothing = [value - value for value in ENDS[0]]
    return TwoRoutes(("one way", "another way"), ENDS, nothing, form, (-2.0, 1.0))


def test_equal_entries_stand_over_one_another() -> None:
    upper, lower = routes().rows
    for one, other in zip(upper.tiles, lower.tiles, strict=True):
        assert one.get_x() == pytest.approx(other.get_x())
        assert one.get_bottom()[1] > other.get_top()[1]


def test_rows_begin_where_they_are_asked_to_and_at_zero() -> None:
    drawn = routes()
    assert drawn.rows[0].tiles[0].get_left()[0] == pytest.approx(-2.0)
    assert drawn.rows[0].vector.brackets.get_y() == pytest.approx(1.0)
    assert {value.number for row in drawn.rows for value in row.values} == {0.0}


def test_names_stand_left_of_their_rows() -> None:
    drawn = routes()
    for name, row in zip(drawn.names, drawn.rows, strict=True):
        assert name.get_right()[0] < row.get_left()[0]
        assert name.get_y() == pytest.approx(row.get_y(), abs=0.1)
