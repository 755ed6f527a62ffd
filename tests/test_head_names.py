"""A head is called after what it was measured to look at, and after nothing else."""

import pytest

from scenes.analysis.head_names import LEAST, MEANINGS, head_name, largest_score

NOTHING = dict.fromkeys(MEANINGS, 0.1)


def test_a_head_is_called_after_its_largest_score() -> None:
    name = head_name({**NOTHING, "induction": 0.7}, 1, 4)
    assert name.is_known
    assert name.text == "induction"
    assert name.score.number == pytest.approx(0.7)
    assert name.score.source == "heads.induction[1,4]"


def test_below_the_threshold_a_head_has_no_name_and_keeps_its_largest_score() -> None:
    name = head_name({**NOTHING, "first_token": LEAST - 0.01}, 0, 0)
    assert not name.is_known
    assert name.score.number == pytest.approx(LEAST - 0.01)


def test_a_head_that_looks_one_back_is_no_adjective_head() -> None:
    scores = {**NOTHING, "previous_token": 0.98, "adjective_to_noun": 1.0}
    assert head_name(scores, 0, 0).target == "previous_token"
    binds = {**NOTHING, "previous_token": 0.2, "adjective_to_noun": 0.6}
    assert head_name(binds, 2, 2).target == "adjective_to_noun"


def test_what_was_not_measured_names_nothing() -> None:
    assert head_name({**NOTHING, "adjective_to_noun": None}, 0, 0).target != "adjective_to_noun"


def test_the_largest_score_of_a_target_is_found_whatever_heads_are_called() -> None:
    names = [
        head_name({**NOTHING, "induction": 0.7, "first_token": 0.25}, 1, 0),
        head_name({**NOTHING, "adjective_to_noun": None}, 2, 1),
    ]
    found = largest_score(names, "first_token")
    assert found is not None
    assert found.source == "heads.first_token[1,0]"
    assert found.number == pytest.approx(0.25)
    assert largest_score(names[1:], "adjective_to_noun") is None
