"""Vectors that are added up show their entries, their lengths, and a true sum."""

import numpy as np
import pytest
from manim import Scene, Square, tempconfig

from scenes.first_mobjects.proposals import Proposals
from scenes.mobjects.text import Number
from scenes.provenance import Tensor
from scenes.region import Region

WIDE = Region(-6.5, 6.5, -3.0, 2.0)


def proposals(heads: int, region: Region = WIDE, entries: int = 24) -> Proposals:
    numbers = np.linspace(-1, 2, (heads + 1) * entries, dtype=np.float32)
    vectors = numbers.reshape(heads + 1, entries)
    each = Tensor(vectors[:-1], "head_out")
    bias, total = Tensor(vectors[-1], "weights.b_O"), Tensor(vectors.sum(axis=0), "attn_out")
    return Proposals(list(each), bias, total, region)


def test_a_few_heads_are_all_drawn_and_many_are_elided() -> None:
    assert proposals(6).shown == list(range(6))
    many = proposals(32).shown
    assert many[0] == 0
    assert many[-1] == 31
    assert len(many) < 32


@pytest.mark.parametrize("heads", [1, 6, 32])
def test_they_fit_their_region(heads: int) -> None:
    whole = proposals(heads)
    places = [Square().replace(place) for place in whole.card_places]
    assert whole.width <= WIDE.width + 1e-6
    assert max(place.get_top()[1] for place in places) <= WIDE.top + 1e-6
    assert whole.get_bottom()[1] >= WIDE.bottom - 1e-6


def test_nothing_stands_between_a_pattern_and_its_vector() -> None:
    whole = proposals(6)
    for title, place, column in zip(whole.titles, whole.card_places, whole.columns, strict=False):
        assert title.get_bottom()[1] > place.get_top()[1]
        assert place.get_bottom()[1] - column.get_top()[1] < 0.11


def test_bars_are_as_long_as_the_vectors() -> None:
    whole = proposals(3)
    heights = [bar[0].height for bar in whole.bars]
    lengths = [float(np.linalg.norm(vector.array)) for vector in (*whole.vectors, whole.total)]
    assert np.array(heights) / heights[-1] == pytest.approx(np.array(lengths) / lengths[-1])


def test_the_sum_ends_on_its_own_entries() -> None:
    whole = proposals(3)
    with tempconfig({"dry_run": True, "verbosity": "ERROR", "progress_bar": "none"}):
        stage = Scene(skip_animations=True)
        stage.add(whole)
        stage.play(whole.add_up())
    column = whole.columns[-1]
    for number, entry in zip(column.numbers, column.shown, strict=True):
        assert isinstance(number, Number)
        assert number.value.source == f"attn_out[{entry}]"
