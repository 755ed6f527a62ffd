"""Bars stand by their numbers in every round, and who has left the list stands in its slot."""

import numpy as np
import pytest
from manim import VGroup

from scenes.mobjects.ranking import Ranking
from scenes.mobjects.text import TokenText
from scenes.presence import presence
from scenes.provenance import count
from scenes.region import Region


def ranking() -> Ranking:
    names = [VGroup(TokenText(name)) for name in ("one", "two", "three")]
    numbers = [{0: 9, 1: 5}, {1: 5, 2: 7}]
    rounds = [{row: count(n, "of a test") for row, n in each.items()} for each in numbers]
    slot = np.array([2.0, 3.0, 0.0])
    return Ranking(names, rounds, Region(0, 6, -2, 2), slots={0: slot}, leave={0: 1})


def test_rows_stand_by_their_numbers_and_show_them() -> None:
    drawn = ranking()
    assert drawn.names[0].get_y() > drawn.names[1].get_y()
    assert drawn.shapes[0].width / drawn.shapes[1].width == pytest.approx(9 / 5)
    drawn.stand_at(1)
    assert drawn.names[2].get_y() > drawn.names[1].get_y()
    assert drawn.numbers[2].text == "7"
    assert drawn.numbers[1].get_right()[0] <= 6


def test_who_leaves_goes_to_its_slot_without_bar_and_number() -> None:
    drawn = ranking()
    drawn.stand_at(1)
    assert drawn.names[0].get_center()[:2] == pytest.approx([2.0, 3.0])
    assert presence(drawn.numbers[0]) == 0
    assert presence(drawn.names[0][0]) == 1


def test_before_the_first_round_nothing_is_seen() -> None:
    drawn = ranking()
    drawn.stand_at(-1)
    assert all(presence(part) == 0 for part in drawn.get_family() if len(part.points))
