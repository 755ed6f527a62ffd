"""Products of matrices, worked out entry by entry: what is drawn at the end is the product."""

import numpy as np
import pytest
from numpy.typing import NDArray

from scenes.figures.matrix_product import OFF, Mixing, Scoring
from scenes.figures.sheet import MOST, Sheet, gap_of, shortened
from scenes.mobjects.shades import Shades
from scenes.provenance import Tensor

ROWS, ENTRIES, ASKER = 5, 4, 2
Floats = NDArray[np.float64]


def numbers(seed: float, rows: int, columns: int) -> Floats:
    return np.sin(seed * np.arange(1, rows * columns + 1)).reshape(rows, columns)


def tensor(array: Floats) -> Tensor:
    return Tensor(array.astype(np.float32), "made up")


Q, K, V = (numbers(seed, ROWS, ENTRIES) for seed in (1.0, 2.0, 3.0))
S = Q @ K.T / 2
A = np.tril(np.exp(S))
A /= A.sum(axis=1, keepdims=True)


@pytest.fixture
def scoring() -> Scoring:
    made = Scoring((tensor(Q), tensor(K), tensor(S), tensor(A)), ASKER, 2.0, 0.5, 1.0)
    made.k.shift((6, 5, 0))
    made.s.shift((6, 0, 0))
    made.settle()
    return made


@pytest.fixture
def mixing(scoring: Scoring) -> Mixing:
    made = Mixing((tensor(A), tensor(V), tensor(A @ V)), ASKER, scoring.s, 0.5)
    made.v.shift((12, 5, 0))
    made.z.shift((12, 0, 0))
    made.settle()
    return made


def drawn(shades: Shades) -> Floats:
    """How much is seen of each hue and strength, which numbers decide."""
    return np.array([len(path.points) * (path.get_fill_opacity() > 0) for path in shades.paths])


def as_drawn(sheet: Sheet, array: Floats) -> Floats:
    """The same where a sheet shows some numbers."""
    before = [path.points.copy() for path in sheet.shades.paths]
    sheet.put(array)
    found = drawn(sheet.shades)
    for path, points in zip(sheet.shades.paths, before, strict=True):
        path.points = points
    return found


def row_alone(array: Floats) -> Floats:
    return np.where(np.arange(len(array))[:, None] == ASKER, array, 0.0)


def test_key_by_key_a_row_becomes_that_of_the_product(scoring: Scoring) -> None:
    scoring.go_on(ROWS)
    assert (drawn(scoring.s.shades) == as_drawn(scoring.s, row_alone(scoring.scores))).all()


def test_after_some_keys_only_their_scores_are_there(scoring: Scoring) -> None:
    scoring.go_on(2.0)
    assert drawn(scoring.s.shades).sum() == 2 * len(scoring.k.outline.points)


def test_keys_stay_whole_and_a_query_is_whole_again_once_it_has_met_one(scoring: Scoring) -> None:
    keys = as_drawn(scoring.k, scoring.k.numbers)
    for share, is_whole in ((0.0, True), (0.55, False), (1.0, True)):
        scoring.meet(share)
        assert (drawn(scoring.k.shades) == keys).all()
        seen = drawn(scoring.strip.shades).sum()
        whole = len(scoring.strip.numbers) * len(scoring.k.outline.points)
        assert bool(seen == whole) is is_whole  # else products stand there


def test_a_query_stays_beside_the_keys_while_others_are_scored(scoring: Scoring) -> None:
    scoring.meet(1.0)
    before, first = scoring.strip.get_center(), drawn(scoring.s.shades)
    scoring.go_on(1.0)
    assert (drawn(scoring.s.shades) == first).all()
    scoring.go_on(ROWS)
    assert (scoring.strip.get_center() == before).all()


def test_all_rows_meet_all_keys(scoring: Scoring) -> None:
    scoring.come(1)
    assert (drawn(scoring.s.shades) == as_drawn(scoring.s, scoring.scores)).all()


def test_what_comes_later_is_hidden_and_weights_are_left(scoring: Scoring) -> None:
    scoring.soften(1.0)
    assert (drawn(scoring.s.shades) == as_drawn(scoring.s, scoring.weights)).all()
    assert drawn(scoring.s.shades).sum() == ROWS * (ROWS + 1) / 2 * len(scoring.k.outline.points)


def test_a_row_turns_upright_beside_the_first_key(scoring: Scoring) -> None:
    scoring.swing(0.0)
    assert scoring.strip.ground.width == pytest.approx(scoring.q.outline.width)
    scoring.swing(1.0)
    first = scoring.k.upright(0)
    gap = first.get_left()[0] - scoring.strip.ground.get_right()[0]
    assert gap == pytest.approx((OFF - 1) * scoring.k.unit, abs=1e-3)
    assert scoring.strip.ground.get_y() == pytest.approx(first.get_y())
    assert scoring.strip.ground.height == pytest.approx(first.height)


def test_keys_that_lie_as_rows_stand_up_as_the_columns(scoring: Scoring) -> None:
    for share, is_level in ((0.0, True), (1.0, False)):
        scoring.stand_up(share)
        for key, row in enumerate(scoring.lying):
            assert bool(row.ground.width > row.ground.height) is is_level
            goal = scoring.lies(key) if is_level else scoring.k.upright(key).get_center()
            assert row.ground.get_center() == pytest.approx(goal, abs=1e-3)


def test_of_long_rows_the_gap_is_empty_or_the_sum_of_what_is_left_out() -> None:
    rows = numbers(1.0, 2, MOST + 5)
    gap = gap_of(MOST + 5)
    assert gap is not None
    assert (shortened(rows)[:, gap] == 0).all()
    assert (shortened(rows)[:, -1] == rows[:, -1]).all()
    assert shortened(rows, summed=True).sum(axis=1) == pytest.approx(rows.sum(axis=1))
    assert gap_of(MOST) is None


def test_values_that_are_added_up_are_the_rows_mixture(mixing: Mixing) -> None:
    mixing.mix(2.0)
    assert (drawn(mixing.z.shades) == as_drawn(mixing.z, row_alone(A[:, :2] @ V[:2]))).all()
    mixing.mix(ASKER + 1.0)
    assert (drawn(mixing.z.shades) == as_drawn(mixing.z, row_alone(A @ V))).all()


def test_all_rows_are_mixed_at_once(mixing: Mixing) -> None:
    mixing.mix_all(float(len(V)))
    assert (drawn(mixing.z.shades) == as_drawn(mixing.z, A @ V)).all()
