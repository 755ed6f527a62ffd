"""Heads side by side are numbered before they are named, and lists beside them are even."""

from itertools import pairwise

import numpy as np
import pytest

from scenes.analysis.head_names import LEAST, MEANINGS, HeadName, head_name
from scenes.first_mobjects.head_row import MUCH, HeadRow
from scenes.first_mobjects.leaders import Leaders
from scenes.first_mobjects.pattern_wall import PatternWall
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region

REGION = Region(-6.6, 6.6, -3.1, 2.1)
NOTHING = dict.fromkeys(MEANINGS, 0.1)


def heads(count: int) -> list[HeadName]:
    return [head_name({**NOTHING, "induction": 0.5}, 0, head) for head in range(count)]


def rows_of(places: list[float]) -> int:
    return len({round(place, 3) for place in places})


@pytest.mark.parametrize(("count", "rows"), [(1, 1), (6, 1), (12, 2), (16, 2)])
def test_many_patterns_stand_in_more_rows_where_that_makes_them_larger(
    count: int, rows: int
) -> None:
    row = HeadRow(heads(count), REGION)
    assert rows_of([place.get_y() for place in row.middle]) == rows
    assert row.middle[0].width > row.places[0].width
    if rows > 1:
        assert row.middle[0].width > MUCH * row.places[0].width
    assert row.middle.width <= REGION.width + 1e-6
    assert row.middle.get_top()[1] <= REGION.top + 1e-6
    assert min(title.get_bottom()[1] for title in row.titles) >= REGION.bottom - 1e-6


def test_a_number_stands_under_its_pattern_and_then_over_its_name() -> None:
    row = HeadRow(heads(6), REGION)
    assert all(presence(part) == 0 for part in row.get_family())
    for title, home, small, large in zip(
        row.titles, row.homes, row.places, row.middle, strict=True
    ):
        assert title.get_x() == pytest.approx(large.get_x())
        assert title.get_top()[1] < large.get_bottom()[1]
        assert home.get_x() == pytest.approx(small.get_x())
        assert home.get_top()[1] < small.get_bottom()[1]


def test_the_legend_counts_as_the_scores_do() -> None:
    names = [head_name(NOTHING, 0, 0)]
    texts = [line.text for line in HeadRow(names, REGION).legend]
    assert texts[0].startswith(f"no name: less than {LEAST:.2f}")


def test_targets_are_evenly_spaced_whatever_letters_they_have() -> None:
    patterns = Tensor(np.ones((2, 6, 3, 3), dtype=np.float32) / 3, "pattern")
    wall = PatternWall(patterns, Region(-6.6, 0, -3.1, 2.1))
    leaders = Leaders(heads(6), wall, Region(0.3, 6.6, -3.1, 2.1))
    without = [place for place, target in enumerate(MEANINGS) if not set("pjgqy") & set(target)]
    baselines = {place: leaders.lines[place][0].get_bottom()[1] for place in without}
    steps = [
        (baselines[one] - baselines[other]) / (other - one) for one, other in pairwise(without)
    ]
    assert steps == pytest.approx([steps[0]] * len(steps), abs=0.01)
    assert leaders.larger.get_left()[0] == pytest.approx(leaders.lines[0].get_left()[0])
