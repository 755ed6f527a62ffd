"""Bars stand by their numbers in every round, and who has left the list stands in its slot."""

import numpy as np
import pytest
from manim import VGroup

from scenes.mobjects.ranking import Ranking
from scenes.mobjects.text import Chance, TokenText
from scenes.presence import presence
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import OUT_OF_FOCUS


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


def test_with_a_least_value_rows_are_in_order_and_what_is_smaller_is_dimmed() -> None:
    names = [TokenText(name) for name in ("one", "two", "three", "four")]
    shares = [{0: 0.9, 1: 0.001, 2: 0.002}, {0: 0.003, 2: 0.1, 3: 0.8}]
    rounds = [{row: Value(n, "of a test") for row, n in each.items()} for each in shares]
    drawn = Ranking(names, rounds, Region(0, 6, -2, 2), kind=Chance, decimals=2, least=0.01)
    heights = [name.baseline for name in names[:3]]
    assert heights == sorted(heights, reverse=True)
    assert [presence(x) for x in names[:3]] == pytest.approx([1, OUT_OF_FOCUS, OUT_OF_FOCUS])
    assert presence(drawn.numbers[1]) == 0
    drawn.stand_at(0.6)
    assert presence(names[1]) == 0
    drawn.stand_at(1)
    assert [names[3].baseline, names[2].baseline, names[0].baseline] == pytest.approx(heights)
    assert drawn.numbers[3].text == "0.80"
    assert presence(drawn.numbers[0]) == 0


def test_with_a_least_value_nothing_that_is_seen_changes_its_line() -> None:
    names = [TokenText(name) for name in ("one", "two")]
    rounds = [
        {row: Value(n, "of a test") for row, n in enumerate(each)}
        for each in ((0.9, 0.1), (0.2, 0.8))
    ]
    drawn = Ranking(names, rounds, Region(0, 6, -2, 2), kind=Chance, decimals=2, least=0.01)
    lines = [name.get_y() for name in names]
    for share in np.linspace(0, 1, 41):
        drawn.stand_at(float(share))
        for name in names:
            assert presence(name) < 0.01 or min(abs(name.get_y() - y) for y in lines) < 0.05
    assert names[1].get_y() > names[0].get_y()


def test_before_the_first_round_nothing_is_seen() -> None:
    drawn = ranking()
    drawn.stand_at(-1)
    assert all(presence(part) == 0 for part in drawn.get_family() if len(part.points))


def test_what_is_counted_grows_where_it_will_stand_and_to_a_scale_of_its_own() -> None:
    names = [VGroup(TokenText(name)) for name in ("one", "two", "three")]
    numbers = [{0: 0, 1: 0}, {0: 1, 1: 0}, {0: 1, 1: 2}, {1: 500, 2: 100}]
    rounds = [{row: count(n, "of a test") for row, n in each.items()} for each in numbers]
    drawn = Ranking(names, rounds, Region(0, 6, -2, 2), counting=3)
    drawn.stand_at(1)
    assert drawn.names[1].get_y() > drawn.names[0].get_y()  # as it is in the end
    assert [number.text for number in drawn.numbers[:2]] == ["1", "0"]
    drawn.stand_at(2)
    longest = drawn.shapes[1].width
    drawn.stand_at(3)
    assert drawn.shapes[1].width == pytest.approx(longest)
    assert drawn.shapes[2].width == pytest.approx(longest / 5)
    assert drawn.numbers[1].get_right()[0] <= 6
