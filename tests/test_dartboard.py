"""Promises of the board for darts: shares are as wide as they are likely, darts hit their place."""

import numpy as np
import pytest

from scenes.figures.dartboard import Dart, Dartboard, Gate
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import Chip
from scenes.presence import presence
from scenes.provenance import constant
from scenes.region import Region

WIDE = Region(-6.0, 6.0, -3.0, 1.0)
LOW = Region(-6.0, 6.0, -2.0, -1.0)
SCORES = np.log([0.5, 0.25, 0.125, *np.full(50, 0.0025)])


def shares(temperature: float) -> np.ndarray:
    raised = np.exp(SCORES / temperature)
    return np.asarray(raised / raised.sum())


@pytest.fixture
def board() -> Dartboard:
    chips = [Chip(piece) for piece in (" one", " two", " three")]
    numbers = [Number(constant(each, "a share")) for each in (0.5, 0.25, 0.125, 0.125)]
    gate = Gate(Words("model"), Region(-6.0, 0.0, 2.0, 2.5))
    places = (WIDE, Region(-6.0, 6.0, -2.0, 1.0), LOW)
    deals = [shares(1.0), shares(3.0)]
    return Dartboard(deals, [chips, []], numbers, Words("others"), places=places, gate=gate)


def widths(board: Dartboard) -> list[float]:
    return [float(shape.width) for shape in board.shapes]


@pytest.mark.parametrize("place", [0, 0.5, 1, 2])
def test_shares_are_as_wide_as_they_are_likely_and_follow_one_another(
    board: Dartboard, place: float
) -> None:
    board.go(place)
    assert widths(board) == pytest.approx([6.0, 3.0, 1.5, 1.5])
    lefts = [shape.get_left()[0] for shape in board.shapes]
    assert lefts == pytest.approx([-6.0, 0.0, 3.0, 4.5])


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_at_a_temperature_they_are_the_softmax_of_scores_divided_by_it(
    board: Dartboard, temperature: float
) -> None:
    board.go(2)
    board.warm(temperature / (temperature + 1))
    expected = shares(temperature)
    shown = [*expected[:3], expected[3:].sum()]
    assert widths(board) == pytest.approx(12 * np.array(shown))


def test_at_temperature_zero_the_likeliest_takes_all(board: Dartboard) -> None:
    board.warm(0.0)
    assert widths(board)[0] == pytest.approx(12.0)


@pytest.mark.parametrize("dart", [0.1, 0.6, 0.8, 0.93])
def test_a_dart_comes_to_rest_in_the_share_that_its_number_falls_in(
    board: Dartboard, dart: float
) -> None:
    found = Dart(board, constant(dart, "a random number"))
    found.fly(0.3)
    found.fly(1.0)
    tip = found.body.points[found.body.points[:, 1].argmax()]
    assert tip[0] == pytest.approx(-6.0 + 12.0 * dart, abs=1e-6)
    assert LOW.bottom < tip[1] < LOW.top
    box = board.box(0, dart, 2)
    assert box.get_left()[0] - 1e-6 <= tip[0] <= box.get_right()[0] + 1e-6


def test_edges_of_shares_too_thin_to_be_told_apart_are_edges_of_shares_still(
    board: Dartboard,
) -> None:
    board.go(2)
    drawn = board.edges.points[::4, 0]
    ends = -6.0 + 12.0 * np.cumsum(shares(1.0))[3:]
    assert len(drawn) > 10
    assert all(np.abs(ends - x).min() < 1e-6 for x in drawn)


def test_names_are_seen_where_their_shares_are_wide_enough(board: Dartboard) -> None:
    board.go(2)
    one, _, three = board.chips[0]
    assert presence(one.plate) == 1
    board.warm(1e9 / (1e9 + 1))
    assert presence(three.plate) == 0
